//! ¶236, 239, 241, 250 Coming next to the enemy: what is met, what is declared, what must show itself.

use super::clause::{Act, Moment, Now};
use super::event::Partly;
use super::marcher::Marcher;
use super::question::{Answer, Prompt};
use super::told::Ended;
use super::{marcher, patrol, repulse};
use crate::hex::Hex;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::{Campaigns, flow};
use crate::rules::cx::Cx;
use crate::rules::{Play, campaigns};
use std::collections::BTreeSet;

/// What is declared at a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declared {
    /// A repulse (¶241).
    Repulse,
    /// None; the march goes on if it may (¶239).
    Go,
    /// None; the march ends.
    Stop,
    /// None; the march goes on by another path if it may.
    March(Vec<Hex>),
}

/// What has shown itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Exposed {
    vedettes: bool,
    foragers: bool,
    firm: bool,
}

/// Enemy hexes that the mover meets in a hex: all whose counters' zones could hold it, but for those that it has passed
/// in this march. It is the same whatever the counters are.
pub fn met(cx: &Cx<'_, Campaigns>, m: &Marcher, hex: Hex) -> Vec<Hex> {
    let view = cx.view(&m.side);
    let zones = view.situation().zones_on(hex);
    zones.into_iter().map(|(h, _)| h).filter(|h| !m.passed.contains(h)).collect()
}

/// ¶241, 250 What the mover declares in a hex, by its order, its doctrine, or its answer.
///
/// # Errors
/// A stop, where the answer is missing.
pub fn declare(cx: &mut Cx<'_, Campaigns>, m: &Marcher, hex: Hex, met: &[Hex]) -> Play<Declared> {
    let view = cx.view(&m.side);
    let now = Now { moment: Moment::Contact(met.to_vec()), left: m.column.left() };
    let able = repulse::open(&view, m, hex, met);
    let act = marcher::act(cx, m, marcher::here(cx, m).unwrap_or(hex), &now);
    let sit = view.situation();
    let known = met.iter().all(|h| sit.enemy.get(h).is_some_and(|there| there.zone() == Firm::No));
    drop(sit);
    let declared = match act {
        Some(Act::Repulse) if able => Declared::Repulse,
        Some(Act::Repulse) => Declared::Go,
        Some(Act::Stop) => Declared::Stop,
        Some(Act::Go) => Declared::Go,
        Some(Act::March(path)) => Declared::March(path),
        // What is known to be vedettes only, or cannot be repulsed, asks no question.
        None if known || !able => Declared::Go,
        Some(Act::Ask | Act::Return | Act::Avoid(_)) | None => {
            let seat = cx.seat_of(&m.side);
            let prompt = Prompt::Contact { piece: m.piece.clone(), hex, met: met.to_vec(), forced: m.forced };
            let prompt = campaigns::Prompt::March(prompt);
            let answer = if act.is_some() { cx.ask_now(&seat, prompt)? } else { cx.ask(&seat, prompt)? };
            match answer {
                campaigns::Answer::March(Answer::Repulse) if able => Declared::Repulse,
                campaigns::Answer::March(Answer::Stop) => Declared::Stop,
                _ => Declared::Go,
            }
        }
    };
    Ok(declared)
}

/// ¶236-250 Carries out what was declared in the hex that the mover has come to; `Some` if the march ends there.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn meet(
    cx: &mut Cx<'_, Campaigns>,
    m: &mut Marcher,
    hex: Hex,
    met: &[Hex],
    declared: Declared,
) -> Play<Option<Ended>> {
    if declared == Declared::Repulse {
        if !repulse::attempt(cx, m, hex, met)? {
            return Ok(Some(Ended::RepulseFailed));
        }
        if held(cx, m, hex) {
            return Ok(Some(Ended::Zone));
        }
        return go_on(cx, m, hex, Moment::Repulsed(true), None);
    }
    let foe = cx.state().enemy(&m.side);
    patrol::pass_for_vedettes(cx, &foe, met)?;
    let shown = expose(cx, m, met);
    if shown.firm || held(cx, m, hex) {
        return Ok(Some(Ended::Zone));
    }
    m.passed.extend(met.iter().copied());
    let moment = Moment::Exposed { vedettes: shown.vedettes, foragers: shown.foragers };
    let unless = match declared {
        Declared::Stop => Some(Act::Stop),
        Declared::March(path) => Some(Act::March(path)),
        Declared::Go | Declared::Repulse => None,
    };
    go_on(cx, m, hex, moment, unless)
}

fn held(cx: &Cx<'_, Campaigns>, m: &Marcher, hex: Hex) -> bool {
    cx.state().situation(&m.side).is_some_and(|sit| super::step::held(&sit, hex))
}

/// D-48: after a repulse or an exposure the march goes on by its path, unless the order says otherwise.
fn go_on(
    cx: &mut Cx<'_, Campaigns>,
    m: &mut Marcher,
    hex: Hex,
    moment: Moment,
    unless: Option<Act>,
) -> Play<Option<Ended>> {
    let now = Now { moment, left: m.column.left() };
    let act = marcher::act(cx, m, hex, &now).or(unless);
    match act {
        Some(Act::Stop) => Ok(Some(Ended::Ordered)),
        Some(Act::March(path)) => {
            m.turn(hex, path);
            Ok(None)
        }
        Some(Act::Ask) => {
            let seat = cx.seat_of(&m.side);
            let prompt = Prompt::GoOn { piece: m.piece.clone(), hex, repulsed: now.moment == Moment::Repulsed(true) };
            let answer = cx.ask_now(&seat, campaigns::Prompt::March(prompt))?;
            Ok(match answer {
                campaigns::Answer::March(Answer::Stop) => Some(Ended::Ordered),
                campaigns::Answer::March(Answer::March(path)) => {
                    m.turn(hex, path);
                    None
                }
                _ => None,
            })
        }
        Some(Act::Go | Act::Repulse | Act::Return | Act::Avoid(_)) | None => Ok(None),
    }
}

/// ¶230, 239, 250 Where no repulse was declared, hexes of nothing but vedettes, foragers and leaders without troops show
/// what they are; a vedette that comes next to the enemy shows itself.
fn expose(cx: &mut Cx<'_, Campaigns>, m: &Marcher, met: &[Hex]) -> Exposed {
    let foe = cx.state().enemy(&m.side);
    let mut shown = Exposed::default();
    let (mut faces, mut unemployed) = (Vec::new(), Vec::new());
    if let Some(enemy) = cx.state().pieces(&foe) {
        let mut hexes: BTreeSet<Hex> = met.iter().copied().collect();
        hexes.retain(|h| enemy.source_at(*h).is_none());
        shown.firm |= hexes.len() < met.len();
        for hex in hexes {
            if cx.state().patrols(enemy, hex) {
                shown.vedettes = true;
                continue;
            }
            if enemy.zone_round(hex) {
                shown.firm = true;
                continue;
            }
            faces.extend(enemy.vedettes_at(hex).into_iter().map(Piece::Vedette));
            shown.vedettes |= !enemy.vedettes_at(hex).is_empty();
            let leaders: Vec<LeaderId> = enemy.leaders_at(hex).into_iter().cloned().collect();
            shown.foragers |= leaders.iter().any(|l| !enemy.unemployed(l));
            // ¶31, 40: a leader without troops is announced as such; his name stays his own.
            let (idle, commanding): (Vec<_>, Vec<_>) = leaders.into_iter().partition(|l| enemy.unemployed(l));
            faces.extend(commanding.into_iter().map(Piece::Leader));
            unemployed.extend(idle);
        }
    }
    for leader in unemployed {
        cx.emit(Partly::Unemployed { side: foe.clone(), leader }.into());
    }
    for piece in faces {
        flow::show(cx, &foe, piece);
    }
    if let Piece::Vedette(_) = m.piece {
        flow::show(cx, &m.side, m.piece.clone());
    }
    shown
}

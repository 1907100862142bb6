//! ¶147, 202, 236 The march of one counter, hex by hex, with the conditions of its order.

use super::clause::{Act, Moment, Now};
use super::column::Column;
use super::contact::Declared;
use super::event::Partly;
use super::marcher::{Marcher, act, here};
use super::step::{Halt, Manner};
use super::told::Ended;
use super::{attrition, center, contact, fixing, plotted, step, train};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::{Campaigns, flow};
use crate::rules::cx::Cx;
use std::collections::BTreeSet;

/// Steps and turns of one march; the allowance ends it long before.
const STEPS_MOST: usize = 200;
/// Changes of path in one march.
const TURNS_MOST: u32 = 6;

impl Marcher {
    /// A counter about to march. ¶214: whoever starts on a road is taken to have come by it.
    pub fn new(side: &SideId, piece: Piece, column: Column, path: &[Hex], by_road: bool, from: Hex) -> Marcher {
        Marcher {
            side: side.clone(),
            piece,
            forced: false,
            column,
            path: path.iter().copied().collect(),
            branches: Vec::new(),
            drops: Vec::new(),
            trains: Vec::new(),
            unfinished: None,
            plotted: false,
            from,
            trail: vec![from],
            by_road,
            passed: BTreeSet::new(),
            moved: false,
            turns: 0,
        }
    }

    /// Goes on by another path from the hex where it stands.
    pub fn turn(&mut self, here: Hex, path: Vec<Hex>) {
        if self.turns >= TURNS_MOST {
            return;
        }
        self.turns += 1;
        self.path = path.into_iter().collect();
        if self.path.front() == Some(&here) {
            self.path.pop_front();
        }
    }
}

/// Marches until the path ends or something ends it.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn walk(cx: &mut Cx<'_, Campaigns>, m: &mut Marcher) -> Play<Ended> {
    for _ in 0..STEPS_MOST {
        let Some(here) = here(cx, m) else { return Ok(Ended::Arrived) };
        drop_off(cx, m, here);
        train::work(cx, m, here, false);
        let now = Now { moment: Moment::Step, left: m.column.left() };
        match act(cx, m, here, &now) {
            Some(Act::Stop) => return Ok(Ended::Ordered),
            Some(Act::March(path)) if m.turns == 0 => m.turn(here, path),
            _ => {}
        }
        let Some(next) = m.path.front().copied() else { return Ok(Ended::Arrived) };
        let met = contact::met(cx, m, next);
        // ¶297: in a Forced March the zone may be entered only with the declaration.
        let early = if m.forced && !met.is_empty() { Some(contact::declare(cx, m, next, &met)?) } else { None };
        let repulse = early == Some(Declared::Repulse);
        let forages = forages(cx, m);
        let manner = Manner { by_road: m.by_road, forced: m.forced, repulse, forages, piece: &m.piece };
        match step::cost(cx.state(), &m.side, &m.column, here, next, manner) {
            Ok(cost) => m.column.pay(cost),
            Err(Halt::Spent) => return Ok(Ended::Spent { next }),
            Err(Halt::Closed(by)) => {
                let now = Now { moment: Moment::Blocked, left: m.column.left() };
                match act(cx, m, here, &now) {
                    Some(Act::March(path)) if m.turns < TURNS_MOST => {
                        m.turn(here, path);
                        continue;
                    }
                    _ => return Ok(Ended::Blocked { next, by }),
                }
            }
        }
        go(cx, m, here, next);
        fixing::fix(cx, m, next, &met);
        if m.plotted && plotted::watched(&cx.view(&m.side), next) {
            return Ok(Ended::Watched);
        }
        if met.is_empty() {
            continue;
        }
        let declared = match early {
            Some(declared) => declared,
            None => contact::declare(cx, m, next, &met)?,
        };
        if let Some(ended) = contact::meet(cx, m, next, &met, declared)? {
            return Ok(ended);
        }
    }
    Ok(Ended::Arrived)
}

fn forages(cx: &Cx<'_, Campaigns>, m: &Marcher) -> bool {
    let Piece::Leader(leader) = &m.piece else { return false };
    cx.state().pieces(&m.side).and_then(|p| p.leaders.get(leader)).is_some_and(|l| l.forage)
}

/// Moves the counter one hex, and with it what its arrival brings about.
fn go(cx: &mut Cx<'_, Campaigns>, m: &mut Marcher, from: Hex, to: Hex) {
    m.by_road = cx.state().ground(&m.side).is_some_and(|sit| sit.road(from, to).is_some());
    m.path.pop_front();
    m.trail.push(to);
    m.moved = true;
    let why = if m.forced { Why::ForcedMarch } else { Why::March };
    flow::step(cx, &m.side, &m.piece, (from, to), why);
    if let Piece::Leader(leader) = &m.piece {
        center::arrived(cx, &m.side, to);
        attrition::revictual(cx, &m.side, leader, to);
    }
}

/// ¶141-142 Drops off whom the order leaves in this hex; the rest goes on at its own pace.
fn drop_off(cx: &mut Cx<'_, Campaigns>, m: &mut Marcher, here: Hex) {
    let Piece::Leader(chief) = m.piece.clone() else { return };
    let (now, later): (Vec<_>, Vec<_>) = m.drops.drain(..).partition(|(_, hex)| *hex == here);
    m.drops = later;
    for (leader, hex) in now {
        let (side, from) = (m.side.clone(), chief.clone());
        cx.emit(Partly::Dropped { side, leader, from, hex }.into());
        let rest = cx.state().pieces(&m.side).map(|own| Column::of(&cx.state().board, own, &own.force(&chief)));
        if let Some(rest) = rest {
            m.column.go_on_as(&rest);
        }
    }
}

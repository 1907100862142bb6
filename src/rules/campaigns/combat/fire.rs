//! Artillery bombardment (¶300 step 5, 340, 343-349).

use super::battle::Battle;
use super::event::Partly;
use super::field::Array;
use super::losses::Fall;
use super::question::{Answer, What};
use super::{ask, field, get, hexes_held, losses};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Ground;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, UnitId};
use crate::rules::campaigns::flow::told::{Cause, Why};
use crate::rules::campaigns::march::repulse;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::state::State;
use crate::rules::cx::Cx;
use std::collections::{BTreeMap, BTreeSet};

/// Guns in the front rank in this round, by side.
pub type Forward = BTreeMap<SideId, BTreeSet<UnitId>>;

/// ¶349: which guns go forward, where the option is in play.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn forward(cx: &mut Cx<'_, Campaigns>, no: u32) -> Play<Forward> {
    let mut found = Forward::new();
    if !cx.state().board.policies.batteries_forward {
        return Ok(found);
    }
    let Some(battle) = get(cx.state(), no) else { return Ok(found) };
    let sides = [battle.attack.side.clone(), battle.defend.side.clone()];
    let (board, mut wanted) = (&cx.state().board, Vec::new());
    for side in &sides {
        let french = board.side(side).is_some_and(|s| s.french);
        if board.exceptions.combat.french_batteries_only && !french {
            continue;
        }
        if guns(cx.state(), no, side, &BTreeSet::new()).0 > 0 {
            wanted.push((side.clone(), What::Forward));
        }
    }
    let asked: Vec<SideId> = wanted.iter().map(|(s, _)| s.clone()).collect();
    for (side, answer) in asked.into_iter().zip(ask(cx, no, wanted)?) {
        if let Answer::Units(units) = answer {
            found.insert(side, units.into_iter().collect());
        }
    }
    Ok(found)
}

/// ¶300 step 5, 347: the attacker fires, his hits count at once, then the defender fires. Gives whether the battle is
/// over because nobody is left on one side.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn bombard(cx: &mut Cx<'_, Campaigns>, no: u32, forward: &Forward) -> Play<bool> {
    edge(cx, no);
    let Some(battle) = get(cx.state(), no) else { return Ok(true) };
    for side in [battle.attack.side.clone(), battle.defend.side.clone()] {
        fire(cx, no, &side, forward)?;
        let foe = cx.state().enemy(&side);
        if hexes_held(cx.state(), no, &foe).is_empty() {
            advance(cx, no, &side)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// SP of artillery that can fire, and the hexes they can fire at: not out of woods, not into woods or a citadel (¶348).
fn guns(s: &State, no: u32, side: &SideId, forward: &BTreeSet<UnitId>) -> (i32, Vec<Hex>) {
    let (Some(battle), Some(sit)) = (get(s, no), s.situation(side)) else { return (0, Vec::new()) };
    let (Some(own), party) = (s.pieces(side), battle.party(side)) else { return (0, Vec::new()) };
    let foe = s.enemy(side);
    let open = |h: &Hex| !sit.woods(*h) && !sit.citadel(*h);
    let targets: Vec<Hex> = hexes_held(s, no, &foe).into_iter().filter(open).collect();
    let (mut sp, mut hit) = (0, BTreeSet::new());
    for from in battle.ground(side).iter().filter(|h| !sit.woods(**h)) {
        // ¶348: a crest between them blocks the fire.
        let seen = |t: &Hex| field::can_fight(&sit, *from, *t) && !sit.crest(*from, *t);
        let near: Vec<Hex> = targets.iter().copied().filter(seen).collect();
        if near.is_empty() {
            continue;
        }
        let array = Array { own, party, hexes: &[], reserves: true };
        let here: i32 = array
            .in_line(*from)
            .iter()
            .filter(|(id, _)| s.board.units.get(id).is_some_and(|u| u.arm == Arm::Artillery))
            .map(|(id, sp)| if forward.contains(id) { sp * 2 } else { *sp })
            .sum();
        if here > 0 {
            sp += here;
            hit.extend(near);
        }
    }
    (sp, hit.into_iter().collect())
}

/// ¶340: whether a side has twice the cavalry of the other, at least two SP of it, and the defender no fortification.
/// Reserves count (¶316).
fn cavalry_edge(s: &State, battle: &Battle, side: &SideId) -> bool {
    let Some(sit) = s.situation(side) else { return false };
    if battle.hexes.iter().any(|h| sit.walls(*h, &battle.from)) {
        return false;
    }
    let count = |side: &SideId| -> i32 {
        let Some(own) = s.pieces(side) else { return 0 };
        let array = Array { own, party: battle.party(side), hexes: battle.ground(side), reserves: false };
        battle.ground(side).iter().map(|h| array.arm(&sit, *h, Arm::Cavalry)).sum()
    };
    let (own, foe) = (count(side), count(&s.enemy(side)));
    own >= 2 && own >= 2 * foe
}

/// ¶300 step 4: both learn who has the edge in cavalry.
fn edge(cx: &mut Cx<'_, Campaigns>, no: u32) {
    let Some(battle) = get(cx.state(), no) else { return };
    let sides = [battle.attack.side.clone(), battle.defend.side.clone()];
    let side = sides.into_iter().find(|side| cavalry_edge(cx.state(), battle, side));
    if side != battle.edge {
        cx.emit(Partly::Edge { no, side }.into());
    }
}

/// ¶46, 340, 343-348: what is added to the die of a side that fires.
fn modifier(s: &State, battle: &Battle, side: &SideId, targets: &[Hex]) -> i32 {
    let table = &s.board.tables.artillery;
    let mut sum = table.weather(&s.weather);
    if cavalry_edge(s, battle, side) {
        sum += table.modifiers.cavalry_2_to_1;
    }
    if let (Some(own), Some(lead)) = (s.pieces(side), &battle.party(side).lead) {
        sum += table.modifiers.star * own.bonus(&s.board, lead);
    }
    let foe = s.enemy(side);
    let size = |h: &Hex| s.pieces(&foe).map_or(0, |p| p.sp_at(*h));
    if let Some(target) = targets.iter().max_by_key(|h| (size(h), std::cmp::Reverse(**h))) {
        sum += table.target(size(target));
        if s.board.map.ground.get(target) == Some(&Ground::Mountain) {
            sum += table.modifiers.mountain;
        }
    }
    sum
}

/// One side's fire.
fn fire(cx: &mut Cx<'_, Campaigns>, no: u32, side: &SideId, forward: &Forward) -> Play<()> {
    let none = BTreeSet::new();
    let (sp, targets) = guns(cx.state(), no, side, forward.get(side).unwrap_or(&none));
    let Some(battle) = get(cx.state(), no).filter(|_| sp > 0) else { return Ok(()) };
    let label = Label::public("fire").at(&battle.name());
    let modifier = modifier(cx.state(), battle, side, &targets);
    let die = cx.d6(&label);
    let foe = cx.state().enemy(side);
    let modified = die + modifier;
    let table = cx.state().board.tables.artillery.fire(sp, modified);
    let present = losses::exposed_sp(cx.state(), no, &foe, &targets);
    let hits = if present > 0 { table.min(present) } else { table.min(1) };
    cx.emit(Partly::Fired { no, side: side.clone(), guns: sp, die, modified, hits }.into());
    if hits == 0 {
        return Ok(());
    }
    if present == 0 {
        // Vedettes alone are destroyed by any loss (¶368).
        for hex in &targets {
            losses::vedettes_off(cx, &foe, *hex);
        }
        return Ok(());
    }
    let fall = Fall { forward: forward.get(&foe).cloned().unwrap_or_default(), ..Fall::of(Cause::Bombardment) };
    losses::take(cx, no, &foe, &targets, hits, &fall);
    losses::sweep(cx, no, &foe, &targets)
}

/// ¶300 step 5: the winner may advance into a hex that fire has emptied, and may not pursue.
fn advance(cx: &mut Cx<'_, Campaigns>, no: u32, side: &SideId) -> Play<()> {
    let asked = ask(cx, no, vec![(side.clone(), What::Advance)])?;
    if asked.first() != Some(&Answer::Yes(true)) {
        return Ok(());
    }
    let Some(battle) = get(cx.state(), no) else { return Ok(()) };
    let foe = cx.state().enemy(side);
    let Some(to) = battle.ground(&foe).first().copied() else { return Ok(()) };
    let Some(own) = cx.state().pieces(side) else { return Ok(()) };
    let near: Vec<Hex> = battle.ground(side).iter().copied().filter(|h| h.adjacent(to)).collect();
    let pieces = battle.party(side).counters(own, &near).into_iter().map(Piece::Leader);
    let pieces: Vec<_> = pieces.collect();
    // ¶40, 42: a leader without troops bars no hex.
    let horse = repulse::mounted(cx.state(), side, &pieces);
    repulse::alone(cx, &foe, to, horse, &[])?;
    crate::rules::campaigns::retreat::march(cx, side, &pieces, &[to], Why::Advance);
    Ok(())
}

//! The supply source: change, capture, return (¶75-79, 101-105).

use super::event::Partly;
use super::order::Source;
use super::told::{Open, Own};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::Board;
use crate::rules::campaigns::pieces::Army;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::view::View;
use crate::rules::cx::Cx;
use std::collections::BTreeMap;

/// ¶102 A change under way is complete in the next Administrative Segment, if the goal is still free; whether it was.
pub fn finish(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> bool {
    let state = cx.state();
    let Some(goal) = state.pieces(side).and_then(|p| p.army.source_moving) else { return false };
    let free = state.situation(side).is_some_and(|t| free(&t, &state.control, goal));
    if free && changed(cx, side) {
        place(cx, side, goal, 0);
        return true;
    }
    false
}

/// ¶104 Whether a change is complete: where the title has a die for it, on a low one, easier with each turn waited.
fn changed(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> bool {
    let state = cx.state();
    let Some(table) = state.board.tables.communications.change_die.clone() else { return true };
    let since = state.pieces(side).and_then(|p| p.army.source_since).unwrap_or(state.turn);
    let waited = i32::try_from(state.turn.saturating_sub(since + 1)).unwrap_or(0);
    let die = cx.roll(&Label::of_side("source", side), 1, 6).first().copied().unwrap_or(6);
    let modified = i32::try_from(die).unwrap_or(6) + table.per_turn * waited;
    let done = modified <= table.success_max;
    cx.emit(Own::SourceDie { die, modified, done }.of(side).into());
    done
}

/// ¶77 Puts the marker face up. The printed garrison stands only where the marker has lain from the start.
fn place(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex, ap: i32) {
    let rule = cx.state().board.special.sources.get(&(side.clone(), hex));
    let garrison = rule.and_then(|r| r.garrison).unwrap_or(1);
    cx.emit(Partly::SourcePlaced { side: side.clone(), hex, garrison, ap }.into());
}

/// Carries out a SOURCE order, which was checked against the view.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Source) -> Play<()> {
    let ap = cx.state().board.tables.communications.change_source_ap;
    match order {
        Source::Move(to) => cx.emit(Partly::SourceFlipped { side: side.clone(), to: *to, ap }.into()),
        Source::Continue => {}
        Source::Via(on) => cx.emit(Own::Via { on: *on }.of(side).into()),
        Source::Switch(hex) => {
            place(cx, side, *hex, 0);
            let block = super::block(cx, side)?;
            super::line::trace(cx, side, block);
        }
        Source::Cancel => cx.emit(Open::SourceKept { side: side.clone() }.into()),
        Source::Place(hex) => {
            let cost = return_cost(cx.state().pieces(side).map(|p| &*p.army), ap);
            place(cx, side, *hex, cost);
            let block = super::block(cx, side)?;
            super::line::trace(cx, side, block);
        }
    }
    Ok(())
}

/// ¶78-79 The return of a captured marker costs as a change does; an army without a point left pays what it has, since a
/// source can never be lost for good.
fn return_cost(army: Option<&Army>, ap: i32) -> i32 {
    army.map_or(0, |a| a.ap.clamp(0, ap))
}

/// ¶79 (D-12) A captured marker that nobody placed returns to the nearest legal hex.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn by_default(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    let view = cx.view(side);
    if view.own.army.source.is_some() || view.own.army.anchor.is_some() {
        return Ok(());
    }
    let near = view.own.army.center.or_else(|| view.own.on_map().map(|(_, h)| h).next());
    let mut hexes: Vec<Hex> = candidates(&view);
    hexes.sort_by_key(|h| (near.map_or(0, |n| n.distance(*h)), *h));
    match hexes.first() {
        Some(hex) => carry_out(cx, side, &Source::Place(*hex)),
        None => Ok(()),
    }
}

/// ¶75, 79, 101 Whether a hex is held by a side and free of the enemy's counters and zones.
pub fn free(situation: &Situation<'_>, control: &BTreeMap<Hex, SideId>, hex: Hex) -> bool {
    let held = control.get(&hex).is_none_or(|side| *side == situation.own.side);
    held && works(situation, control, hex) && !situation.enemy.contains_key(&hex) && situation.line_may_pass(hex)
}

/// ¶75 Whether the conditions under which a source works are met, as far as the reckoner knows.
pub fn works(situation: &Situation<'_>, control: &BTreeMap<Hex, SideId>, hex: Hex) -> bool {
    let side = &situation.own.side;
    let Some(rule) = situation.board.special.sources.get(&(side.clone(), hex)) else { return true };
    let holds = |place: &Hex| control.get(place) == Some(side);
    let road = rule.road.iter().all(|h| situation.line_may_pass(*h));
    let lost = rule.lost_with.is_some_and(|place| control.get(&place).is_some_and(|holder| holder != side));
    rule.won_with.as_ref().is_none_or(holds) && road && !lost && !situation.guns_in(&rule.no_guns_in)
}

/// ¶101 Whether a hex can be a source of a side at all: one of its printed sources, or a depot as printed.
fn possible(board: &Board, situation: &Situation<'_>, hex: Hex) -> bool {
    let never = board.special.never_source.get(&situation.own.side).is_some_and(|hexes| hexes.contains(&hex));
    let source = board.sources(situation.own).contains(&hex);
    !never && !another(board, situation, hex) && (source || situation.depot_terrain(hex))
}

/// ¶84 Whether a hex is a source of another army of the side, and none of the one at the desk.
fn another(board: &Board, situation: &Situation<'_>, hex: Hex) -> bool {
    let armies = board.side(&situation.own.side).map(|s| s.armies.as_slice()).unwrap_or_default();
    armies.iter().any(|army| army.sources.contains(&hex)) && !board.sources(situation.own).contains(&hex)
}

fn candidates(v: &View) -> Vec<Hex> {
    let situation = v.situation();
    let sources = v.board.sources(&v.own).to_vec();
    let depots = v.board.map.settlements.keys().copied().filter(|h| situation.depot_terrain(*h));
    let open = |h: &Hex| !another(&v.board, &situation, *h) && free(&situation, &v.control, *h);
    let mut hexes: Vec<Hex> = sources.into_iter().chain(depots).filter(open).collect();
    hexes.sort();
    hexes.dedup();
    hexes
}

/// ¶102 The turn before which a side's source cannot be changed, while it has not come.
fn fixed(v: &View) -> Option<u32> {
    v.board.special.source_fixed_until.get(&v.own.side).copied().filter(|until| v.turn < *until)
}

/// ¶104 Whether a hex is on one line of the Communications Table with the active source.
fn one_line(v: &View, to: Hex) -> bool {
    let of = |whose: &str| v.board.special.source_lines.get(whose);
    let lines = v.own.army.name.as_ref().and_then(|army| of(&army.0)).or_else(|| of(&v.own.side.0));
    let source = v.own.army.source.filter(|source| *source != to);
    lines.is_some_and(|lines| lines.iter().any(|l| l.contains(&to) && source.is_some_and(|s| l.contains(&s))))
}

/// ¶101-103 Checks a SOURCE order against what its side knows.
pub fn check(v: &View, order: &Source) -> Result<(), Fault> {
    let army = &v.own.army;
    let changing = army.source_moving.is_some();
    let goal = match order {
        _ if army.anchor.is_some() => {
            return Err(Fault::refused(
                "this army has no supply source; a place on the map serves as its center",
                "¶92",
            ));
        }
        Source::Continue | Source::Cancel if !changing => {
            return Err(Fault::refused("no change of supply source is under way", "¶102"));
        }
        Source::Continue | Source::Cancel => return Ok(()),
        Source::Via(_) if v.own.others.is_empty() => {
            return Err(Fault::refused("your side has one army, and no friend's center to go by", "¶94"));
        }
        Source::Via(_) => return Ok(()),
        Source::Switch(_) if changing => {
            return Err(Fault::refused("a change of supply source is under way already", "¶102"));
        }
        Source::Switch(to) if !one_line(v, *to) => {
            let why = format!("{to} is not on one line with your source; change it with SOURCE MOVE TO");
            return Err(Fault::refused(why, "¶104"));
        }
        Source::Move(_) if army.source.is_none() => {
            return Err(Fault::refused("your source marker is off the map; place it with SOURCE PLACE", "¶79"));
        }
        Source::Move(_) if changing => {
            return Err(Fault::refused("a change of supply source is under way already", "¶102"));
        }
        Source::Move(_) if v.board.exceptions.administration.sources_are_centers => {
            return Err(Fault::refused("all your sources are in use", "¶102"));
        }
        Source::Move(_) if fixed(v).is_some() => {
            let until = fixed(v).unwrap_or_default();
            return Err(Fault::refused(format!("the supply source is not changed before turn {until}"), "¶102"));
        }
        Source::Move(to) if army.source == Some(*to) => {
            return Err(Fault::refused(format!("{to} is your supply source already"), "¶101"));
        }
        Source::Move(_) if army.ap < v.board.tables.communications.change_source_ap => {
            return Err(Fault::refused("a change of supply source costs 1 AP, and you have none", "¶103"));
        }
        Source::Place(_) if army.source.is_some() => {
            return Err(Fault::refused("your source marker is on the map; change it with SOURCE MOVE TO", "¶79"));
        }
        Source::Move(to) | Source::Place(to) | Source::Switch(to) => *to,
    };
    if let Some((whose, until)) = v.board.special.source_closed_until.get(&goal)
        && army.name.as_ref() == Some(whose)
        && v.turn < *until
    {
        return Err(Fault::refused(format!("the source does not go to {goal} before turn {until}"), "¶104"));
    }
    let situation = v.situation();
    if another(&v.board, &situation, goal) {
        return Err(Fault::refused(format!("{goal} is a source of your other army"), "¶84"));
    }
    if !possible(&v.board, &situation, goal) {
        return Err(Fault::refused(format!("{goal} is neither a source of yours nor a depot"), "¶101"));
    }
    if !free(&situation, &v.control, goal) {
        return Err(Fault::refused(format!("{goal} is not yours, or an enemy stands in or beside it"), "¶79"));
    }
    Ok(())
}

/// A SOURCE line that would be taken now, for the list of orders.
pub fn examples(v: &View) -> Vec<String> {
    if v.own.army.source_moving.is_some() {
        return vec!["SOURCE CONTINUE".to_owned(), "SOURCE CANCEL".to_owned()];
    }
    let word = if v.own.army.source.is_some() { "MOVE TO" } else { "PLACE" };
    let hexes = candidates(v).into_iter().filter(|h| v.own.army.source != Some(*h));
    hexes.take(1).map(|h| format!("SOURCE {word} {h}")).collect()
}

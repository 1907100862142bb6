//! ¶176-184 Movement and flight of the Center of Operations.

use super::step::held;
use super::told::{CenterWhy, Open};
use super::{allowed, center, redoubt, train, ways};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Road;
use crate::orders::Fault;
use crate::rules::campaigns::admin::line;
use crate::rules::campaigns::board::{ArmyId, Halves};
use crate::rules::campaigns::pieces::Army;
use crate::rules::campaigns::ruleset::failed;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, armies};
use crate::rules::cx::Cx;

/// Flights of one center in a row; each leads nearer to a source, so more would be a loop.
const FLIGHTS_MOST: usize = 20;

/// ¶176-178 Moves the center of a side; it stops before a zone that nobody knew to hold.
pub fn march(cx: &mut Cx<'_, Campaigns>, side: &SideId, path: &[Hex]) {
    let Some(from) = cx.state().pieces(side).and_then(|p| p.army.center) else { return };
    let to = {
        let Some(sit) = cx.state().situation(side) else { return };
        let open = path.iter().take_while(|h| !held(&sit, **h) && !sit.enemy.contains_key(h));
        open.last().copied().unwrap_or(from)
    };
    if to == from {
        cx.outcome(failed("the way is closed by an enemy zone of control; the center stays", "¶178"));
        return;
    }
    cx.emit(Open::Center { side: side.clone(), from, to: Some(to), how: CenterWhy::March }.into());
    if path.last() != Some(&to) {
        cx.outcome(failed(&format!("the center went to {to}; an enemy zone of control closes the way on"), "¶178"));
    }
}

/// ¶179-180 Takes the center of a side down the river; what nobody knew of keeps it where it is.
pub fn boat(cx: &mut Cx<'_, Campaigns>, side: &SideId, to: Hex) {
    let closed = {
        let s = cx.state();
        let (Some(sit), Some(foe)) = (s.situation(side), s.pieces(&s.enemy(side))) else { return };
        let Some(from) = sit.own.army.center else { return };
        let taken = [from, to].into_iter().find(|end| held(&sit, *end) || sit.enemy.contains_key(end));
        let fort = guarded(&sit, from, to, |hex| foe.occupied_by_force(*hex));
        taken.or(fort).map_or(Ok(from), Err)
    };
    match closed {
        Ok(from) => cx.emit(Open::Center { side: side.clone(), from, to: Some(to), how: CenterWhy::River }.into()),
        Err(hex) => cx.outcome(failed(&format!("the enemy at {hex} closes the river; the center stays"), "¶180")),
    }
}

/// ¶180 The first fortified town on the way down the river in which an enemy force stands.
pub fn guarded(sit: &Situation<'_>, from: Hex, to: Hex, force: impl Fn(&Hex) -> bool) -> Option<Hex> {
    sit.board.special.downstream(from, to)?.iter().find(|hex| sit.fortification(**hex) && force(hex)).copied()
}

/// ¶178-179 Whether a primary road runs through a hex.
pub fn major_road(sit: &Situation<'_>, hex: Hex) -> bool {
    let map = &sit.board.map;
    map.neighbours(hex).iter().any(|near| map.road(hex, *near) == Some(Road::Primary))
}

/// ¶182 The armies of a side whose center stands in an enemy zone of control or under an enemy force.
pub fn threatened(s: &State, side: &SideId) -> Vec<Option<ArmyId>> {
    let armies = s.pieces(side).map(|own| own.armies().collect::<Vec<_>>()).unwrap_or_default();
    armies.into_iter().filter(|army| must_flee(s, side, army)).map(|army| army.name.clone()).collect()
}

/// ¶182 Whether the center of an army stands in an enemy zone of control or under an enemy force.
fn must_flee(s: &State, side: &SideId, army: &Army) -> bool {
    if s.board.exceptions.administration.sources_are_centers {
        return false;
    }
    let Some(center) = army.center.filter(|_| army.anchor.is_none()) else { return false };
    // Nobody's zone reaches farther, and mostly nobody is as near.
    if !s.pieces(&s.enemy(side)).is_some_and(|foe| foe.stands_near(center)) {
        return false;
    }
    let Some(sit) = s.situation(side) else { return false };
    held(&sit, center) || sit.enemy.get(&center).is_some_and(|there| there.force() == Firm::Yes)
}

/// ¶182-184 The center flees five MP toward the source that its owner has named, else the active one, else the nearest,
/// if it is free of enemy zones; off the map where none is.
pub fn flee(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    for _ in 0..FLIGHTS_MOST {
        if !cx.state().pieces(side).is_some_and(|own| must_flee(cx.state(), side, &own.army)) {
            return;
        }
        let Some(from) = cx.state().pieces(side).and_then(|p| p.army.center) else { return };
        let to = {
            let Some(sit) = cx.state().situation(side) else { return };
            refuge(&sit, from)
        };
        if to == Some(from) {
            return;
        }
        cx.emit(Open::Center { side: side.clone(), from, to, how: CenterWhy::Flight }.into());
    }
}

/// ¶85, 182-183 Where a center flees to from a hex; a vedette in a source does not keep it out.
fn refuge(sit: &Situation<'_>, from: Hex) -> Option<Hex> {
    let sources = sit.board.sources(sit.own);
    let forced = |hex: &Hex| sit.enemy.get(hex).is_some_and(|there| there.force() == Firm::Yes);
    let free: Vec<Hex> = sources.iter().copied().filter(|h| !held(sit, *h) && !forced(h)).collect();
    let reach = ways::reach_to(sit, from, true, &free, |_| true);
    let cost = |hex: &Hex| reach.spent(*hex);
    let open = |wanted: Option<Hex>| free.iter().copied().find(|h| wanted == Some(*h) && cost(h).is_some());
    let wished = open(sit.own.army.flight).or_else(|| open(sit.own.army.source));
    let goal = wished.or_else(|| free.iter().filter(|h| cost(h).is_some()).min_by_key(|h| (cost(h), **h)).copied())?;
    let most = Halves::whole(sit.board.tables.terrain.allowances.center);
    ways::way(&reach, goal)?.into_iter().rfind(|h| cost(h).is_some_and(|mp| mp <= most))
}

/// ¶60, 181 II.e: a moved center that stood still this player-turn and has a line of communication turns active.
pub fn settle(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let ready = {
        let Some(sit) = cx.state().situation(side) else { return };
        let army = &sit.own.army;
        let line = match (army.source, army.center) {
            (Some(source), Some(center)) => sit.loc(source, center).is_some(),
            _ => false,
        };
        army.center_moved && !cx.state().phase.center_moved && line
    };
    if ready {
        cx.emit(Open::CenterActive { side: side.clone() }.into());
    }
}

/// ¶176-178 Whether the center may march.
///
/// # Errors
/// Refused, with the paragraph.
pub fn may_march(v: &View, path: &[Hex]) -> Result<(), Fault> {
    may_move(v)?;
    let sit = v.situation();
    if let Some(hex) = path.iter().find(|h| held(&sit, **h) || sit.enemy.contains_key(h)) {
        return Err(Fault::refused(format!("{hex} is held or controlled by the enemy"), "¶178"));
    }
    let Some(from) = v.own.army.center else { return Err(Fault::refused("it is not on the map", "¶176")) };
    let most = Halves::whole(v.board.tables.terrain.allowances.center);
    let mut way = vec![from];
    way.extend(path);
    let cost: Halves = allowed::steps(&sit, &way).into_iter().sum();
    if cost > most {
        let near = ways::reach(&sit, from, true, Some(most), |_| true);
        let far = path.iter().rfind(|h| near.spent(**h).is_some()).copied().unwrap_or(from);
        return Err(Fault::refused(
            format!("that takes {cost} MP and the center has {most}; it reaches {far}"),
            "¶176",
        ));
    }
    Ok(())
}

/// ¶179-180 Whether a center may go down the river to a hex, as far as its side knows.
///
/// # Errors
/// Refused, with the paragraph and where it could land.
pub fn may_boat(v: &View, to: Hex) -> Result<(), Fault> {
    may_move(v)?;
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some(from) = v.own.army.center else { return refused("it is not on the map".to_owned(), "¶176") };
    if v.board.special.waterway.is_empty() {
        return refused("no center goes by river in this title".to_owned(), "¶179");
    }
    if !v.board.special.waterway.contains(&from) {
        return refused(format!("the center is in {from}, not beside the river"), "¶179");
    }
    let sit = v.situation();
    let lands = |to: Hex| v.board.special.downstream(from, to).is_some() && major_road(&sit, to);
    if !lands(to) {
        let others: Vec<String> =
            v.board.special.waterway.iter().filter(|hex| lands(**hex)).map(Hex::to_string).collect();
        let where_to = if others.is_empty() { "nowhere".to_owned() } else { crate::text::and_list(&others) };
        return refused(
            format!("{to} is not downstream beside the river on a primary road; it can land at {where_to}"),
            "¶179",
        );
    }
    for end in [from, to] {
        if held(&sit, end) || sit.enemy.contains_key(&end) {
            return refused(format!("{end} is held or controlled by the enemy"), "¶180");
        }
    }
    let sure = |hex: &Hex| sit.enemy.get(hex).is_some_and(|there| there.force() == Firm::Yes);
    match guarded(&sit, from, to, sure) {
        Some(fort) => refused(format!("an enemy force in {fort} closes the river"), "¶180"),
        None => Ok(()),
    }
}

/// ¶102, 176 Whether the center of a side may move at all.
fn may_move(v: &View) -> Result<(), Fault> {
    match &v.at {
        At::Own(phasing) if *phasing == v.side_id() => {}
        _ => return Err(Fault::refused("the center moves on sheet A only", "¶176")),
    }
    if v.phase.center_moved {
        return Err(Fault::refused("the center has moved this turn", "¶176"));
    }
    if let Some(anchor) = v.own.army.anchor {
        return Err(Fault::refused(format!("{anchor} is this army's center, and it does not move"), "¶92"));
    }
    if let (Some(army), Some(phase)) = (&v.own.army.name, &v.phase.army)
        && army != phase
    {
        return Err(Fault::refused("the center moves in the Movement Phase of its own army", "¶55, 151"));
    }
    if v.board.exceptions.administration.sources_are_centers {
        return Err(Fault::refused("the sources are your centers, and they do not move", "¶176"));
    }
    if let Some(until) = v.board.special.center_fixed_until.get(&v.own.side).filter(|until| v.turn < **until) {
        return Err(Fault::refused(format!("the center does not move before turn {until}"), "¶176"));
    }
    Ok(())
}

/// What the arrival of a force in a hex brings about: it captures bridge trains there (¶258), levels a redoubt, and an enemy center there or
/// in its zone flees (¶182). Who holds a place is settled in the Morale Phase (¶67, 415).
pub fn arrived(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) {
    let force = cx.state().pieces(side).is_some_and(|p| p.occupied_by_force(hex));
    train::capture(cx, side, hex);
    redoubt::level(cx, side, hex);
    line::raid(cx, side, hex);
    let foe = cx.state().enemy(side);
    for army in center::threatened(cx.state(), &foe).into_iter().filter(|_| force) {
        armies::of_army(cx, &foe, army.as_ref(), |cx| center::flee(cx, &foe));
    }
}

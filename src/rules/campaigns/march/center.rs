//! ¶176-184 Movement and flight of the Center of Operations.

use super::event::Event;
use super::step::held;
use super::told::CenterWhy;
use super::ways;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::play::failed;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::state::State;
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
    cx.emit(Event::Center { side: side.clone(), from, to: Some(to), how: CenterWhy::March }.into());
    if path.last() != Some(&to) {
        cx.outcome(failed(&format!("the center went to {to}; an enemy zone of control closes the way on"), "¶178"));
    }
}

/// ¶182 Whether the center of a side stands in an enemy zone of control or under an enemy force.
pub fn must_flee(s: &State, side: &SideId) -> bool {
    if s.board.exceptions.administration.sources_are_centers {
        return false;
    }
    let Some(sit) = s.situation(side) else { return false };
    let Some(center) = sit.own.army.center else { return false };
    let enemy = s.pieces(&s.enemy(side));
    held(&sit, center) || enemy.is_some_and(|p| p.occupied_by_force(center))
}

/// ¶182-184 The center flees five MP toward the source that its owner has named, else the active one, else the nearest,
/// if it is free of enemy zones; off the map where none is.
pub fn flee(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    for _ in 0..FLIGHTS_MOST {
        if !must_flee(cx.state(), side) {
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
        cx.emit(Event::Center { side: side.clone(), from, to, how: CenterWhy::Flight }.into());
    }
}

/// ¶182-183 Where a center flees to from a hex.
fn refuge(sit: &Situation<'_>, from: Hex) -> Option<Hex> {
    let sources = &sit.board.side(&sit.own.side)?.sources;
    let free: Vec<Hex> = sources.iter().copied().filter(|h| !held(sit, *h) && !sit.enemy.contains_key(h)).collect();
    let reach = ways::reach(sit, from, true, None, |_| true);
    let cost = |hex: &Hex| reach.get(hex).map(|(mp, _)| *mp);
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
        cx.emit(Event::CenterActive { side: side.clone() }.into());
    }
}

//! Lines of communication and dispatch of an army, as traced in the Administrative Segment (¶80-89).

use super::event::Partly;
use super::told::Open;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::pieces::{Army, Loc, Vedette};
use crate::rules::campaigns::situation::Situation;
use crate::rules::cx::Cx;
use std::cell::OnceCell;

/// ¶80-85 Draws the line of communication from the active source to the center, as its owner knows the map, and lets the
/// enemy say whether it is blocked.
pub fn trace(cx: &mut Cx<'_, Campaigns>, side: &SideId, block: bool) {
    let view = cx.view(side);
    let army = &view.own.army;
    // ¶75: a source that does not work shows in its marker.
    let state = cx.state();
    let works = |hex: &Hex| state.situation(side).is_none_or(|t| super::source::works(&t, &state.control, *hex));
    let (Some(source), Some(center)) = (army.source.filter(works), army.center) else {
        if army.loc.is_some() {
            cx.emit(Open::Line { side: side.clone(), drawn: None, blocked: false }.into());
        }
        return;
    };
    let drawn = draw(&view.situation(), source, center);
    let blocked = block && drawn.as_ref().is_some_and(|loc| cut(cx, side, loc));
    cx.emit(Open::Line { side: side.clone(), drawn, blocked }.into());
}

/// ¶94 (D-14) An army that wants it, or whose own line is cut, goes by the center of another army of its side: the length is
/// that of the friend's line and of the way from center to center.
pub fn by_friend(cx: &mut Cx<'_, Campaigns>, side: &SideId, block: bool) {
    let view = cx.view(side);
    let own = &view.own.army;
    if view.own.others.is_empty() || own.anchor.is_some() || (own.loc.is_some() && !own.via) {
        return;
    }
    let Some(center) = own.center else { return };
    let ways = view.own.others.values().filter_map(|friend| joined(&view.situation(), friend, center));
    let Some(loc) = ways.min_by_key(|loc| loc.effective) else { return };
    if loc.effective <= view.board.policies.max_loc(side) {
        let blocked = block && cut(cx, side, &loc);
        cx.emit(Open::Line { side: side.clone(), drawn: Some(loc), blocked }.into());
    }
}

/// ¶94 The line of an army by a friend's center.
fn joined(situation: &Situation<'_>, friend: &Army, center: Hex) -> Option<Loc> {
    let (his, between) = (friend.loc.as_ref()?, draw(situation, friend.center?, center)?);
    let mut path = his.path.clone();
    path.extend(between.path.iter().skip(1));
    let depots = his.depots + between.depots;
    Some(Loc { path, depots, effective: his.effective + between.effective })
}

/// ¶80, 85 (D-10) The shortest effective line that avoids every counter that may be a force; where there is none, one
/// that trusts unknown counters to be vedettes.
fn draw(situation: &Situation<'_>, source: Hex, center: Hex) -> Option<Loc> {
    let mut careful =
        Situation { enemy: situation.enemy.clone(), guns: situation.guns.clone(), shut: OnceCell::new(), ..*situation };
    careful.enemy.values_mut().for_each(|stands| *stands = stands.feared());
    careful.loc(source, center).or_else(|| situation.loc(source, center))
}

/// ¶80, 85 Whether a real force stands on the line or controls a hex of it.
fn cut(cx: &Cx<'_, Campaigns>, side: &SideId, loc: &Loc) -> bool {
    let Some(truth) = cx.state().situation(side) else { return false };
    loc.path.iter().any(|hex| !truth.line_may_pass(*hex))
}

/// ¶87 Vedettes without a dispatch line to center, source or working depot go to the pool.
pub fn vedettes(cx: &mut Cx<'_, Campaigns>, side: &SideId, block: bool) {
    for (n, hex) in lost_sight_of(cx, side, block) {
        cx.emit(Partly::VedetteAway { side: side.clone(), n, hex }.into());
    }
}

fn lost_sight_of(cx: &Cx<'_, Campaigns>, side: &SideId, block: bool) -> Vec<(u32, Hex)> {
    let view = cx.view(side);
    let truth = cx.state().situation(side);
    // ¶85: an enemy that does not block leaves only what the owner himself knows to be in the way.
    let Some(situation) = truth.filter(|_| block).or_else(|| Some(view.situation())) else { return Vec::new() };
    let points = situation.supply_points(&situation.own.army);
    let reach = situation.dispatch(&points);
    let limit = Halves::whole(situation.board.dispatch_mp(situation.own));
    let in_reach = |hex: Hex| {
        // A line may end in the hex that the vedette itself occupies, whatever zone lies on it.
        reach.contains(hex)
            || situation.board.map.neighbours(hex).iter().any(|near| {
                let step = situation.dispatch_step(*near, hex);
                reach.cost(*near).zip(step).is_some_and(|(spent, cost)| Halves(spent) + cost <= limit)
            })
    };
    let on_map = situation.own.vedettes.iter().filter_map(|(n, v)| match v {
        Vedette::At(hex) => Some((*n, *hex)),
        Vedette::Pool | Vedette::Portrait(_) => None,
    });
    on_map.filter(|(_, hex)| !in_reach(*hex)).collect()
}

/// ¶97 The first time that a force enters the other side's stores, all points of that side are gone.
pub fn raid(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) {
    let state = cx.state();
    let Some(whose) = state.board.special.stores.get(&hex).filter(|whose| *whose != side).cloned() else { return };
    let first = state.pieces(&whose).is_some_and(|p| !p.army.raided.contains(&hex));
    if first && state.pieces(side).is_some_and(|p| p.occupied_by_force(hex)) {
        cx.emit(Open::Raided { side: whose, hex }.into());
    }
}

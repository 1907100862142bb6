//! ¶159 (1805) Two vedettes more for the French while there is Fog.

use super::event::Quiet;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::flow::event::Partly as Flow;
use crate::rules::campaigns::pieces::{Pieces, Vedette};
use crate::rules::campaigns::tables::Weather;
use crate::rules::campaigns::view::View;
use crate::rules::cx::Cx;

/// Vedettes that Fog adds.
const FOG_VEDETTES: u32 = 2;

/// How many vedettes of the Fog a side may still place: none without Fog, or for a side that the rule does not name.
pub fn room(v: &View) -> u32 {
    let french = v.side.as_ref().and_then(|side| v.board.side(side)).is_some_and(|s| s.french);
    if !v.board.policies.fog || !french || !v.weather.has(Weather::Fog) || !v.phasing() {
        return 0;
    }
    let added = v.own.army.before_fog.map_or(0, |before| on_map(&v.own).saturating_sub(before));
    FOG_VEDETTES.saturating_sub(added)
}

fn on_map(p: &Pieces) -> u32 {
    let on_map = p.vedettes.values().filter(|v| matches!(v, Vedette::At(_))).count();
    u32::try_from(on_map).unwrap_or(u32::MAX)
}

/// ¶159 In the other side's combat phase, once Fog is gone, a side takes vedettes off the map until there are as
/// many as before it: those farthest from the enemy counters (D-31).
pub fn lift(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let view = cx.view(side);
    let Some(before) = view.own.army.before_fog else { return };
    if view.weather.has(Weather::Fog) {
        return;
    }
    let surplus = usize::try_from(on_map(&view.own).saturating_sub(before)).unwrap_or(0);
    let near = |hex: Hex| view.enemy.values().map(|c| c.hex.distance(hex)).min().unwrap_or(0);
    let mut vedettes: Vec<(u32, u32)> = view
        .own
        .vedettes
        .iter()
        .filter_map(|(n, v)| match v {
            Vedette::At(hex) => Some((near(*hex), *n)),
            Vedette::Pool | Vedette::Portrait(_) => None,
        })
        .collect();
    vedettes.sort_by_key(|(far, n)| (std::cmp::Reverse(*far), *n));
    for (_, n) in vedettes.into_iter().take(surplus) {
        cx.emit(Flow::VedettePooled { side: side.clone(), n }.into());
    }
    cx.emit(Quiet::FogLifted.of(side).into());
}

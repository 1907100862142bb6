//! ¶145, 367 How losses fall on the units of a force.

use crate::rules::campaigns::board::{Arm, Board, Quality, UnitId};
use crate::rules::campaigns::pieces::Pieces;
use std::collections::BTreeMap;

/// ¶145 Spreads a loss as evenly as can be over some units: the least hit first, among those the largest, then the
/// weakest in quality, then the first by key (D-57). Units give no more than they have. `first` is a unit that must
/// give the first SP (¶269).
pub fn spread(
    board: &Board,
    own: &Pieces,
    units: &[UnitId],
    loss: i32,
    first: Option<&UnitId>,
) -> BTreeMap<UnitId, i32> {
    let mut taken: BTreeMap<UnitId, i32> = BTreeMap::new();
    let strength = |id: &UnitId| own.units.get(id).map_or(0, |u| u.sp);
    for n in 0..loss {
        let left = |id: &UnitId| strength(id) - taken.get(id).copied().unwrap_or(0);
        let forced = first.filter(|id| n == 0 && left(id) > 0);
        let next = forced.or_else(|| {
            let open = units.iter().filter(|id| left(id) > 0);
            open.min_by_key(|id| {
                let quality = board.units.get(*id).map(|s| s.quality);
                let rank = match quality {
                    Some(Quality::Line) | None => 0,
                    Some(Quality::YoungGuard) => 1,
                    Some(Quality::OldGuard) => 2,
                };
                (taken.get(*id).copied().unwrap_or(0), -left(id), rank, (*id).clone())
            })
        });
        let Some(unit) = next.cloned() else { break };
        *taken.entry(unit).or_default() += 1;
    }
    taken
}

/// ¶269 The artillery unit that must give the first SP of attrition in mud: the largest, if the force has more than two
/// SP of artillery.
pub fn mired_guns(board: &Board, own: &Pieces, units: &[UnitId]) -> Option<UnitId> {
    let guns = |id: &&UnitId| board.units.get(*id).is_some_and(|s| s.arm == Arm::Artillery);
    let sp = |id: &UnitId| own.units.get(id).map_or(0, |u| u.sp);
    let total: i32 = units.iter().filter(guns).map(sp).sum();
    if total <= 2 {
        return None;
    }
    units.iter().filter(guns).max_by_key(|id| (sp(id), std::cmp::Reverse((*id).clone()))).cloned()
}

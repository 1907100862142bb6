//! Another game that looks the same to one side: what it does not know is changed.

use super::board::other;
use super::eyes;
use super::state::{Level, Lim, State};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::noise::Noise;
use std::collections::BTreeMap;

/// So many places are tried for a unit that nobody sees.
const PLACES: usize = 4;

/// The state with what a side does not know changed.
pub fn scramble(truth: &State, keep: &SideId, noise: u64) -> State {
    let mut s = truth.clone();
    s.wishes.retain(|side, _| side == keep);
    if !eyes::veiled(truth) {
        return s;
    }
    let (foe, mut noise) = (other(keep), Noise(noise));
    let board = s.board.clone();
    for (id, command) in &mut s.commands {
        if board.side_of(id) == Some(&foe) {
            command.fatigue = i32::try_from(noise.below(9)).unwrap_or_default();
            command.stopped = noise.below(2) == 0;
            command.strategic &= noise.below(2) == 0;
        }
    }
    for division in board.divisions.keys().filter(|id| board.side_of(id) == Some(&foe)) {
        let lim = Lim::Division(division.clone());
        let (out, cup) = (s.pool.contains(&lim), noise.below(2) == 0);
        if out {
            s.pool.remove(&lim);
        } else {
            s.pool.insert(lim.clone());
        }
        if cup {
            s.cup.insert(lim);
        } else {
            s.cup.remove(&lim);
        }
    }
    let theirs: Vec<String> = s.units.keys().filter(|id| s.is_of(id, &foe)).cloned().collect();
    // Nothing that is changed shows a leader or hides one.
    let leaders = eyes::leaders(&s, keep);
    for id in theirs {
        hide(&mut s, (keep, &leaders), &id, &mut noise);
    }
    eyes::mark_for(&mut s, &foe);
    s
}

/// What is not seen of a unit: its level, but for a rout, and what it has left of its points; of one that nobody sees its place
/// and its losses as well.
fn hide(s: &mut State, (keep, leaders): (&SideId, &BTreeMap<String, Hex>), id: &str, noise: &mut Noise) {
    let seen = eyes::seen(s, keep, id);
    let (unseen, blurred) = (seen.is_none(), seen.is_some_and(|seen| eyes::faceless(s, seen)));
    let sp = s.kind(id).map_or(1, |kind| kind.sp);
    let place = somewhere(s, noise);
    let Some(unit) = s.units.get_mut(id).filter(|u| u.pose.is_some()) else { return };
    if unit.level < Level::Rout {
        unit.level = Level::ALL.get(noise.below(3)).copied().unwrap_or_default();
    }
    unit.fired = noise.below(2) == 0;
    unit.going.spent += 1;
    unit.blown = u8::try_from(noise.below(3)).unwrap_or_default();
    if !unseen {
        if blurred && let Some(pose) = unit.pose.filter(|pose| pose.size < 2 && pose.second.is_none()) {
            // Nor how it faces, nor what it has lost.
            unit.pose = Some(super::pose::Pose { hour: pose.hour.on(2), ..pose });
            unit.lost = i32::try_from(noise.below(usize::try_from(sp).unwrap_or(1))).unwrap_or_default();
        }
        return;
    }
    unit.lost = i32::try_from(noise.below(usize::try_from(sp).unwrap_or(1))).unwrap_or_default();
    let (Some(pose), Some(place)) = (unit.pose, place) else { return };
    unit.pose = Some(super::pose::Pose { head: place, second: None, ..pose });
    // Whoever stands elsewhere may no longer hide others, or hide them anew: then he stays.
    let (seen, tags) = (s.seen.clone(), s.tags.clone());
    eyes::mark_for(s, keep);
    let same = s.seen.get(keep) == seen.get(keep) && s.tags.get(keep) == tags.get(keep);
    if !same || eyes::leaders(s, keep) != *leaders {
        if let Some(unit) = s.units.get_mut(id) {
            unit.pose = Some(pose);
        }
        (s.seen, s.tags) = (seen, tags);
    }
}

/// A hex in which nobody stands.
fn somewhere(s: &State, noise: &mut Noise) -> Option<Hex> {
    let hexes: Vec<Hex> = s.board.ground.field.cells.keys().copied().collect();
    let tried = (0..PLACES).filter_map(|_| hexes.get(noise.below(hexes.len())).copied());
    tried.collect::<Vec<_>>().into_iter().find(|hex| s.stack(*hex).is_empty())
}

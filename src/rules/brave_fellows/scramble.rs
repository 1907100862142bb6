//! Another game that looks the same to one side: all that it does not see is changed.

use super::board::{Arm, Force, other};
use super::eyes::{self, FACE};
use super::state::{Freed, Mood, State, Wish};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};

/// A stream of numbers out of a noise.
struct Noise(u64);

impl Noise {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % n.max(1)
    }
}

/// The state with everything outside a side's knowledge changed.
pub fn scramble(truth: &State, keep: &SideId, noise: u64) -> State {
    let mut s = truth.clone();
    let foe = other(keep);
    s.wishes.remove(&foe);
    if noise.is_multiple_of(2) {
        s.wishes.insert(foe.clone(), vec![Wish::Loss { units: Vec::new() }]);
    }
    if !eyes::veiled(truth) {
        return s;
    }
    let mut noise = Noise(noise);
    let hidden = |s: &State, id: &str| s.is_of(id, &foe) && !s.is_battery(id) && eyes::seen(s, keep, id).is_none();
    swap_names(&mut s, keep, &hidden, &mut noise);
    let ids: Vec<String> = s.units.keys().filter(|id| hidden(&s, id)).cloned().collect();
    for id in ids {
        let place = somewhere(&s, &id, keep, &mut noise);
        let Some(unit) = s.units.get_mut(&id) else { continue };
        if unit.hex.is_none() {
            continue;
        }
        unit.hex = place.or(unit.hex);
        unit.facing = Dir::ALL.get(noise.below(6)).copied().unwrap_or(Dir::N);
        unit.mood = [Mood::Fresh, Mood::Fatigued, Mood::Routed].get(noise.below(3)).copied().unwrap_or(Mood::Fresh);
        unit.charged = noise.below(4) == 0;
    }
    // What only the other side knows.
    let coalition = foe.0 == super::board::COALITION;
    if coalition {
        s.came.insert(Force::III);
        s.crossed = Some(s.turn + 1);
        s.free.insert(Freed::V);
    } else {
        s.came.insert(Force::Dupont);
        s.free.insert(Freed::Elite);
    }
    eyes::mark(&mut s);
    s
}

/// Two of one arm, of which one is seen only from afar and the other not at all, change their names.
fn swap_names(s: &mut State, keep: &SideId, hidden: &dyn Fn(&State, &str) -> bool, noise: &mut Noise) {
    let arm = |s: &State, id: &str| s.kind(id).map(|kind| kind.arm);
    let far: Vec<String> = s
        .seen
        .get(keep)
        .into_iter()
        .flatten()
        .filter(|(id, seen)| seen.learnt > FACE && !s.is_battery(id))
        .map(|(id, _)| id.clone())
        .collect();
    for id in far {
        // Of a counter without a face not even the arm is known.
        let masked = eyes::seen(s, keep, &id).is_some_and(|seen| eyes::faceless(s, seen));
        let same = |other: &&String| {
            let like = masked || arm(s, other) == arm(s, &id);
            like && [&id, *other].iter().all(|id| arm(s, id) != Some(Arm::Art)) && hidden(s, other)
        };
        let others: Vec<String> =
            s.units.iter().filter(|(_, u)| u.hex.is_some()).map(|(id, _)| id).filter(same).cloned().collect();
        let Some(with) = others.get(noise.below(others.len())).cloned() else { continue };
        let (Some(a), Some(b)) = (s.units.remove(&id), s.units.remove(&with)) else { continue };
        s.units.insert(id.clone(), b);
        s.units.insert(with.clone(), a);
        if let Some(seen) = s.seen.get_mut(keep)
            && let Some(look) = seen.remove(&id)
        {
            seen.insert(with, look);
        }
    }
}

/// A hex that the side does not see, on which such a unit may stand, and from which it changes nothing that the side sees.
fn somewhere(s: &State, id: &str, keep: &SideId, noise: &mut Noise) -> Option<Hex> {
    let arm = s.kind(id).map(|kind| kind.arm);
    let free = |hex: &Hex| {
        let open = s.board.ground(*hex).is_some_and(|ground| ground.cost(arm).is_some());
        open && !eyes::sees(s, keep, *hex)
            && s.board.field.place(*hex).is_none()
            && !s.standing().any(|(.., at)| at == *hex)
    };
    let hexes: Vec<Hex> = s.board.field.cells.keys().copied().collect();
    (0..8).filter_map(|_| hexes.get(noise.below(hexes.len())).copied()).find(free)
}

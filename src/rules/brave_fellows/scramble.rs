//! Another game that looks the same to one side: all that it does not see is changed.

use super::board::{Arm, Force, other};
use super::eyes::{self, FACE};
use super::state::{Freed, Leader, Mood, State, Unit, Wish};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::noise::Noise;

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
    ride(&mut s, (keep, &foe), &mut noise);
    rename(&mut s, (keep, &foe), &mut noise);
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

/// Leaders who are not seen stand elsewhere.
fn ride(s: &mut State, (keep, foe): (&SideId, &SideId), noise: &mut Noise) {
    let out = |s: &State, hex: Hex| !eyes::sees(s, keep, hex) && !eyes::meets(s, keep, hex);
    let unseen = |name: &String, l: &Leader| {
        let theirs = s.leads(name, foe);
        theirs && l.hex.is_some_and(|hex| !eyes::meets(s, keep, hex))
    };
    let names: Vec<String> =
        s.leaders.iter().filter(|(name, l)| unseen(name, l)).map(|(name, _)| name.clone()).collect();
    let hexes: Vec<Hex> = s.board.field.cells.keys().copied().collect();
    for name in names {
        let place = (0..8).filter_map(|_| hexes.get(noise.below(hexes.len())).copied());
        let place: Vec<Hex> =
            place.filter(|hex| s.board.ground(*hex).is_some_and(|g| g.cost(None).is_some())).collect();
        let free = place.into_iter().find(|hex| out(s, *hex) && s.stack(*hex, keep).is_empty());
        if let (Some(l), Some(hex)) = (s.leaders.get_mut(&name), free) {
            l.hex = Some(hex);
        }
    }
}

/// Units that look alike to the side, of one regiment and in one hex, change their names.
fn rename(s: &mut State, (keep, foe): (&SideId, &SideId), noise: &mut Noise) {
    let look = |id: &String, u: &Unit| {
        let seen = eyes::seen(s, keep, id).map(|seen| (seen.near, seen.learnt));
        Some((u.hex?, s.kind(id)?.regiment.clone(), seen, u.facing, u.mood, u.charged))
    };
    let mut alike: Vec<Vec<String>> = Vec::new();
    let mut last = None;
    let theirs = s.counters().filter(|(id, ..)| s.is_of(id, foe) && !s.is_battery(id));
    let mut all: Vec<_> = theirs.filter_map(|(id, u, _)| Some((format!("{:?}", look(id, u)?), id.clone()))).collect();
    all.sort();
    for (looks, id) in all {
        match alike.last_mut().filter(|_| last.as_ref() == Some(&looks)) {
            Some(group) => group.push(id),
            None => alike.push(vec![id]),
        }
        last = Some(looks);
    }
    for group in alike.iter().filter(|group| group.len() > 1) {
        let n = noise.below(group.len());
        if let (Some(a), Some(b)) = (group.first(), group.get(n).filter(|_| n > 0)) {
            swap(s, a, b);
        }
    }
}

/// Two counters change places in all that a state says of them.
fn swap(s: &mut State, a: &str, b: &str) {
    let (Some(first), Some(second)) = (s.units.remove(a), s.units.remove(b)) else { return };
    s.units.insert(a.to_owned(), second);
    s.units.insert(b.to_owned(), first);
    for seen in s.seen.values_mut() {
        let (first, second) = (seen.remove(a), seen.remove(b));
        seen.extend(first.map(|look| (b.to_owned(), look)));
        seen.extend(second.map(|look| (a.to_owned(), look)));
    }
    let turned = |id: &String| {
        if id == a {
            b.to_owned()
        } else if id == b {
            a.to_owned()
        } else {
            id.clone()
        }
    };
    s.rear = s.rear.iter().map(turned).collect();
    for unit in s.units.values_mut() {
        unit.shock.met = unit.shock.met.iter().map(turned).collect();
        unit.shock.fled = unit.shock.fled.iter().map(turned).collect();
    }
    if let Some(won) = &mut s.won {
        won.by = won.by.iter().map(turned).collect();
    }
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
            && !s.counters().any(|(.., at)| at == *hex)
    };
    let hexes: Vec<Hex> = s.board.field.cells.keys().copied().collect();
    (0..8).filter_map(|_| hexes.get(noise.below(hexes.len())).copied()).find(free)
}

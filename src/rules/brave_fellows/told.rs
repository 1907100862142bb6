//! DB.1, DB.5-DB.7 What a side is told of an event, and what it remembers. Where the table lies open it is told all (2.0).

use super::board::{COALITION, FRENCH};
use super::event::{Event, Pace};
use super::eyes::{self, FACE};
use super::state::{At, Freed, State, Wish};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::tactical::sum::Sum;
use crate::rules::tactical::table::{self, Looks};
use crate::rules::tactical::tags::{self, End, Face, Faces, Intel, Spot};
use std::collections::{BTreeMap, BTreeSet};

/// DB.3 What of the sum of a fire does not hang on who stands in the hex.
const PLAIN: [&str; 3] = ["tired", "point blank", "ground"];

/// What a side is told of an event.
pub type Sighting = tags::Sighting<Event>;

/// Changes what a side knows by what it was told.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    mind.recall(told, |e| if let Event::Town { place, side } = e { Some((place, side)) } else { None });
}

/// What the enemies look like that a side sees, but for 8.2.1 what is printed on the map.
fn faces<'s>(s: &'s State, side: &SideId) -> Faces<'s> {
    table::faces(s, side, |unit, seen| {
        let (kind, hex) = (s.kind(unit)?, s.units.get(unit)?.hex?);
        let arm = if eyes::faceless(s, seen) { super::view::COUNTER } else { kind.arm.word() }.to_owned();
        let regiment = (seen.learnt <= FACE).then(|| kind.regiment.clone());
        Some(Face { hex, arm, regiment })
    })
}

/// What an event changes in what a side sees.
fn spots(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Vec<Spot> {
    let end = |id: &str| match e {
        Event::Fell { unit, .. } if unit == id => Some(End::Fell),
        Event::Vanished { unit } if unit == id => Some(End::Vanished),
        _ => None,
    };
    let sees = |hex: Hex| eyes::sees(after, to, hex);
    let mut found = tags::spots([&faces(before, to), &faces(after, to)], mind, after.turn, end, sees);
    found.extend(leaders(before, e, after, to));
    found.extend(towns(e, after, mind, to));
    found
}

/// DB.2 Leaders of the enemy's who have gone out of sight, but for one whose death is told, and those who have come in sight, but
/// for one whose ride is told.
fn leaders(before: &State, e: &Event, after: &State, to: &SideId) -> Vec<Spot> {
    let [old, new] = [before, after].map(|s| eyes::leaders_seen(s, to));
    let known: BTreeSet<String> = old.keys().cloned().collect();
    let falls = |name: &String| matches!(e, Event::Hurt { leader, until: None } if leader == name);
    let rides =
        |name: &String| matches!(e, Event::Rode { leader, .. } | Event::Followed { leader, .. } if leader == name);
    tags::leaders([old, new], falls, |name| known.contains(name) || rides(name))
}

/// DB.7 Places whose holder a side sees to be another than it knew; DB.9 of who has no face it does not know whether he holds it.
fn towns(e: &Event, after: &State, mind: &Intel, to: &SideId) -> Vec<Spot> {
    let told = |place: &String| matches!(e, Event::Town { place: other, .. } if other == place);
    let other = after.towns.iter().filter(|(place, holder)| mind.towns.get(*place) != Some(holder) && !told(place));
    let in_sight = |place: &str| {
        let hexes = after.board.field.places.get(place).into_iter().flatten();
        hexes.copied().any(|hex| eyes::meets(after, to, hex))
    };
    let seen = other.filter(|(place, holder)| *holder == to || in_sight(place));
    seen.map(|(place, side)| Spot::Town { place: place.clone(), side: side.clone() }).collect()
}

/// What a side is told of an event.
pub fn sight_of(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    if !eyes::veiled(after) {
        let own = |side: &SideId| side == to;
        return match e {
            // 5.3.2, 8.3.2 What it wants is its own, and so is what it has lodged.
            Event::Wished { side, .. } | Event::Taken { side, .. } | Event::Missed { side, .. } if !own(side) => None,
            _ => Some(Sighting::Open(e.clone())),
        };
    }
    let told = sight(before, e, after, to);
    let spots = spots(before, e, after, mind, to);
    (told.is_some() || !spots.is_empty()).then_some(Sighting::Seen { told, spots })
}

impl Looks<'_, State> {
    /// The same; 6.3.5 a leader bears his name wherever he is seen.
    fn known(&self, piece: &str) -> Option<String> {
        let leader = |s: &State| {
            let hex = s.leaders.get(piece)?.hex?;
            eyes::meets(s, self.to, hex).then(|| piece.to_owned())
        };
        self.name(piece).or_else(|| leader(self.before)).or_else(|| leader(self.after))
    }

    fn names(&self, pieces: &[String]) -> Vec<String> {
        // DB.3 Who stands behind a counter without a face is that counter.
        let behind = |s: &State, piece: &str| eyes::cover_of(s, self.to, piece);
        let mut found: Vec<String> = Vec::new();
        for piece in pieces {
            let name = self.known(piece).or_else(|| behind(self.before, piece)).or_else(|| behind(self.after, piece));
            found.extend(name.filter(|name| !found.contains(name)));
        }
        found
    }

    /// Whether an enemy is so near before and after that its facing and its state are seen.
    fn close(&self, unit: &str) -> bool {
        self.sees(unit, |seen| seen.near <= FACE) == [true; 2]
    }

    fn side(&self, side: &str, e: &Event) -> Option<Event> {
        self.of(Some(&side.into()), e)
    }

    /// The side whose impulse it is.
    fn active(&self, e: &Event) -> Option<Event> {
        matches!(&self.after.at, At::Impulse(side) if side == self.to).then(|| e.clone())
    }
}

/// DB.5 The part of an event that a side is told.
fn sight(before: &State, e: &Event, after: &State, to: &SideId) -> Option<Event> {
    let l = Looks { before, after, to };
    match e {
        Event::Ready { .. }
        | Event::Regrouping
        | Event::Regrouped
        | Event::First { .. }
        | Event::Began { .. }
        | Event::Passed { .. }
        | Event::Ended { .. }
        | Event::Recovering
        | Event::Turn { .. }
        | Event::Over { .. } => Some(e.clone()),
        Event::Placed { piece, .. } | Event::Waits { piece, .. } if after.is_battery(piece) => Some(e.clone()),
        Event::Placed { piece, .. } | Event::Waits { piece, .. } | Event::Amended { piece, .. } => l.only(piece, e),
        Event::Town { place, side } => {
            let hexes = after.board.field.places.get(place).into_iter().flatten();
            // Who holds what when the game begins, is in the book.
            let begins =
                before.turn == before.board.scenario.turns.0 && !matches!(before.at, At::Impulse(_) | At::Recovery);
            let seen = begins || hexes.copied().any(|hex| eyes::meets(after, to, hex));
            (side == to || seen).then(|| e.clone())
        }
        Event::Released { what } => l.side(if matches!(what, Freed::V | Freed::VI) { COALITION } else { FRENCH }, e),
        Event::Came { force } => l.of(Some(&eyes::side_of(*force)), e),
        Event::Follows { .. } => l.side(FRENCH, e),
        Event::Deploying { .. }
        | Event::Deployed { .. }
        | Event::RearGuard { .. }
        | Event::Crossed { .. }
        | Event::Salvo { .. }
        | Event::Stalled { .. } => l.side(COALITION, e),
        Event::Wished { side, .. } | Event::Taken { side, .. } | Event::Missed { side, .. } => l.of(Some(side), e),
        Event::Razed { hex } => (to.0 == FRENCH || eyes::sees(after, to, *hex)).then(|| e.clone()),
        Event::Activated { side, .. } if side == to => Some(e.clone()),
        // Whose impulse it is, is no secret.
        Event::Activated { side, .. } => {
            Some(Event::Activated { side: side.clone(), leaders: Vec::new(), units: Vec::new() })
        }
        Event::Climbs { .. } => l.active(e),
        Event::Entered { pieces, .. } | Event::Wasted { pieces, .. } => l.first(pieces, e),
        Event::Finished { units } => l.first(units, e),
        Event::Crowd { hex, .. } => (!after.stack(*hex, to).is_empty()).then(|| e.clone()),
        Event::Returned { unit, .. }
        | Event::Disbanded { unit }
        | Event::Short { unit, .. }
        | Event::Idle { unit }
        | Event::Halted { unit }
        | Event::Balked { unit }
        | Event::Spent { unit }
        | Event::Checked { unit, .. } => l.only(unit, e),
        Event::Back { leader, .. } | Event::Risked { leader, .. } | Event::Hurt { leader, until: Some(_) } => {
            l.only(leader, e)
        }
        // 10 It scores, and both sides are told.
        Event::Hurt { until: None, .. } => Some(e.clone()),
        Event::Rode { leader, to: hex } | Event::Followed { leader, to: hex } => {
            (l.own(leader) || eyes::meets(after, to, *hex)).then(|| e.clone())
        }
        _ => moves(&l, e),
    }
}

/// Steps, charges, fire and melee: as far as it is in sight.
fn moves(l: &Looks<'_, State>, e: &Event) -> Option<Event> {
    let mut told = e.clone();
    match &mut told {
        Event::Stepped { unit, .. } if l.own(unit) => {}
        Event::Stepped { unit, cost, level, with, pressed, .. } => {
            let all = std::iter::once(&*unit).chain(with.iter().map(|pace| &pace.unit)).filter(|id| l.both(id));
            let mut tags: Vec<u32> = all.filter_map(|id| Some(eyes::seen(l.before, l.to, id)?.tag)).collect();
            tags.sort_unstable();
            let mut names = tags.into_iter().map(eyes::tagged);
            (*unit, *cost, *level, *pressed) = (names.next()?, 0, 0, false);
            *with = names.map(|unit| Pace { unit, cost: 0, level: 0 }).collect();
        }
        Event::Went { unit, .. } => *unit = l.known(unit).filter(|_| l.both(unit))?,
        Event::Turned { unit, .. } | Event::Became { unit, .. } => *unit = l.known(unit).filter(|_| l.close(unit))?,
        Event::Stood { unit } | Event::Refused { unit } | Event::Fell { unit, .. } | Event::Vanished { unit } => {
            *unit = l.known(unit)?;
        }
        Event::Charged { unit, at } => {
            let target = !l.after.stack(*at, l.to).is_empty();
            *unit = l.known(unit).or_else(|| target.then(|| "horse".to_owned()))?;
        }
        Event::Ran { unit, from } => {
            *unit = l.known(unit)?;
            *from = l.known(from).unwrap_or_else(|| "horse".to_owned());
        }
        Event::Met { unit, charger, .. } => {
            *unit = l.known(unit)?;
            *charger = l.known(charger)?;
        }
        Event::Fired { at, by, strength, sum, result, .. } => {
            let own = by.iter().any(|id| l.own(id));
            if !own {
                // The column and the die explain what is seen.
                (*by, *strength, *sum) = (l.names(by), 0, Sum::default());
            } else if eyes::blurred(l.before, l.to, *at) {
                // DB.3 How many stand there would follow from the sum, and from what came of it.
                sum.0.retain(|(part, _)| PLAIN.contains(&part.as_str()));
                "not seen".clone_into(result);
            }
        }
        Event::Fought { by, .. } => *by = l.names(by),
        _ => return None,
    }
    Some(told)
}

/// What a side itself wants.
pub fn own_wishes(wishes: &BTreeMap<SideId, Vec<Wish>>, side: &SideId) -> BTreeMap<SideId, Vec<Wish>> {
    wishes.iter().filter(|(of, _)| *of == side).map(|(of, own)| (of.clone(), own.clone())).collect()
}

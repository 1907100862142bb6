//! DB.1, DB.5-DB.7 What a side is told of an event, and what it remembers. Where the table lies open it is told all (2.0).

use super::board::{COALITION, FRENCH};
use super::event::{Event, Pace};
use super::eyes::{self, FACE};
use super::state::{At, Freed, State, Wish};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::tactical::sum::Sum;
use crate::rules::tactical::tags::{self, End, Face, Faces, Intel, Spot};
use std::collections::BTreeMap;

/// DB.3 What of the sum of a fire does not hang on who stands in the hex.
const PLAIN: [&str; 3] = ["tired", "point blank", "ground"];

/// What a side is told of an event.
pub type Sighting = tags::Sighting<Event>;

/// Changes what a side knows by what it was told.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    mind.recall(told.spots());
    if let Some(Event::Town { place, side }) = told.event().filter(|_| matches!(told, Sighting::Seen { .. })) {
        mind.towns.insert(place.clone(), side.clone());
    }
}

/// What an enemy that a side sees looks like to it.
fn face(s: &State, side: &SideId, unit: &str) -> Option<(u32, Face)> {
    let seen = eyes::seen(s, side, unit)?;
    let (kind, hex) = (s.kind(unit)?, s.units.get(unit)?.hex?);
    let arm = if eyes::faceless(s, seen) { super::view::COUNTER } else { kind.arm.word() }.to_owned();
    let regiment = (seen.learnt <= FACE).then(|| kind.regiment.clone());
    Some((seen.tag, Face { hex, arm, regiment }))
}

/// What an event changes in what a side sees.
fn spots(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Vec<Spot> {
    let end = |id: &str| match e {
        Event::Fell { unit, .. } if unit == id => Some(End::Fell),
        Event::Vanished { unit } if unit == id => Some(End::Vanished),
        _ => None,
    };
    let sees = |hex: Hex| eyes::sees(after, to, hex);
    let mut found = tags::spots([&faces(before, to), &faces(after, to)], after.turn, end, sees);
    found.extend(mind.ghosts().filter(|(_, c)| sees(c.face.hex)).map(|(tag, _)| Spot::Gone { tag }));
    found.extend(leaders(before, e, after, to));
    found.extend(towns(e, after, mind, to));
    found
}

/// What the enemies look like that a side sees, but for 8.2.1 what is printed on the map.
fn faces<'s>(s: &'s State, side: &SideId) -> Faces<'s> {
    let seen = s.seen.get(side).into_iter().flatten().filter(|(id, _)| !s.is_battery(id));
    seen.filter_map(|(id, _)| Some((id, face(s, side, id)?))).collect()
}

/// DB.2 Leaders of the enemy's who have gone out of sight, but for one whose death is told, and those who have come in sight, but
/// for one whose ride is told.
fn leaders(before: &State, e: &Event, after: &State, to: &SideId) -> Vec<Spot> {
    let (old, new) = (eyes::leaders_seen(before, to), eyes::leaders_seen(after, to));
    let falls = |name: &String| matches!(e, Event::Hurt { leader, until: None } if leader == name);
    let lost = old.keys().filter(|name| !new.contains_key(*name) && !falls(name));
    let rides =
        |name: &String| matches!(e, Event::Rode { leader, .. } | Event::Followed { leader, .. } if leader == name);
    let come = new.iter().filter(|(name, _)| !old.contains_key(*name) && !rides(name));
    let lost = lost.map(|leader| Spot::LeaderLost { leader: leader.clone() });
    lost.chain(come.map(|(leader, hex)| Spot::Leader { leader: leader.clone(), hex: *hex })).collect()
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

/// Who looks, before and after an event.
struct Looks<'a> {
    before: &'a State,
    after: &'a State,
    to: &'a SideId,
}

impl Looks<'_> {
    fn own(&self, piece: &str) -> bool {
        let s = self.after;
        let chief = || s.leads(piece, self.to);
        s.is_of(piece, self.to) || chief()
    }

    /// A piece by its name or its tag, if it is seen before or after.
    fn name(&self, piece: &str) -> Option<String> {
        // 6.3.5 A leader bears his name wherever he is seen.
        let leader = |s: &State| {
            let hex = s.leaders.get(piece)?.hex?;
            eyes::meets(s, self.to, hex).then(|| piece.to_owned())
        };
        let unit = eyes::name(self.before, self.to, piece).or_else(|| eyes::name(self.after, self.to, piece));
        unit.or_else(|| leader(self.before)).or_else(|| leader(self.after))
    }

    fn names(&self, pieces: &[String]) -> Vec<String> {
        // DB.3 Who stands behind a counter without a face is that counter.
        let behind = |s: &State, piece: &str| eyes::cover_of(s, self.to, piece);
        let mut found: Vec<String> = Vec::new();
        for piece in pieces {
            let name = self.name(piece).or_else(|| behind(self.before, piece)).or_else(|| behind(self.after, piece));
            found.extend(name.filter(|name| !found.contains(name)));
        }
        found
    }

    /// Whether an enemy is so near before and after that its facing and its state are seen.
    fn close(&self, unit: &str) -> bool {
        let near = |s: &State| eyes::seen(s, self.to, unit).is_some_and(|seen| seen.near <= FACE);
        self.own(unit) || (near(self.before) && near(self.after))
    }

    /// Whether it is in sight before and after.
    fn both(&self, unit: &str) -> bool {
        let seen = |s: &State| eyes::seen(s, self.to, unit).is_some();
        self.own(unit) || (seen(self.before) && seen(self.after))
    }

    /// An event of own pieces alone.
    fn only(&self, piece: &str, e: &Event) -> Option<Event> {
        self.own(piece).then(|| e.clone())
    }

    fn of(&self, side: &str, e: &Event) -> Option<Event> {
        (self.to.0 == side).then(|| e.clone())
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
        Event::Released { what } => l.of(if matches!(what, Freed::V | Freed::VI) { COALITION } else { FRENCH }, e),
        Event::Came { force } => l.of(&eyes::side_of(*force).0, e),
        Event::Follows { .. } => l.of(FRENCH, e),
        Event::Deploying { .. }
        | Event::Deployed { .. }
        | Event::RearGuard { .. }
        | Event::Crossed { .. }
        | Event::Salvo { .. }
        | Event::Stalled { .. } => l.of(COALITION, e),
        Event::Wished { side, .. } | Event::Taken { side, .. } | Event::Missed { side, .. } => l.of(&side.0, e),
        Event::Razed { hex } => (to.0 == FRENCH || eyes::sees(after, to, *hex)).then(|| e.clone()),
        Event::Activated { side, .. } if side == to => Some(e.clone()),
        // Whose impulse it is, is no secret.
        Event::Activated { side, .. } => {
            Some(Event::Activated { side: side.clone(), leaders: Vec::new(), units: Vec::new() })
        }
        Event::Climbs { .. } => l.active(e),
        Event::Entered { pieces, .. } | Event::Wasted { pieces, .. } => {
            pieces.first().and_then(|piece| l.only(piece, e))
        }
        Event::Finished { units } => units.first().and_then(|unit| l.only(unit, e)),
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
fn moves(l: &Looks<'_>, e: &Event) -> Option<Event> {
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
        Event::Went { unit, .. } => *unit = l.name(unit).filter(|_| l.both(unit))?,
        Event::Turned { unit, .. } | Event::Became { unit, .. } => *unit = l.name(unit).filter(|_| l.close(unit))?,
        Event::Stood { unit } | Event::Refused { unit } | Event::Fell { unit, .. } | Event::Vanished { unit } => {
            *unit = l.name(unit)?;
        }
        Event::Charged { unit, at } => {
            let target = !l.after.stack(*at, l.to).is_empty();
            *unit = l.name(unit).or_else(|| target.then(|| "horse".to_owned()))?;
        }
        Event::Ran { unit, from } => {
            *unit = l.name(unit)?;
            *from = l.name(from).unwrap_or_else(|| "horse".to_owned());
        }
        Event::Met { unit, charger, .. } => {
            *unit = l.name(unit)?;
            *charger = l.name(charger)?;
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

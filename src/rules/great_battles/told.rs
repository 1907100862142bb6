//! H.2, H.7, H.8 What a side is told of an event, and what it remembers. Where the table lies open it is told all but what the
//! other side wants.

use super::Sighting;
use super::event::{Event, How};
use super::eyes::{self, TOUCH};
use super::state::{Level, Lim, State};
use super::view::unknown;
use super::{pool, victory};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::tactical::sum::Sum;
use crate::rules::tactical::table::{self, Looks};
use crate::rules::tactical::tags::{self, End, Face, Faces, Intel, Spot};
use std::cell::LazyCell;

/// Changes what a side knows by what it was told.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    // Who is in sight when a turn begins is seen in it, though he looks as he did.
    if let Some(Event::Turn { turn }) = told.event() {
        mind.contacts.values_mut().filter(|contact| contact.now).for_each(|contact| contact.turn = *turn);
    }
    mind.recall(told, |e| if let Event::Holds { place, side } = e { Some((place, side)) } else { None });
}

/// What the enemies look like that a side sees.
fn faces<'s>(s: &'s State, side: &SideId) -> Faces<'s> {
    table::faces(s, side, |id, seen| {
        let pose = s.pose(id)?;
        let hex = if eyes::faceless(s, seen) { unknown(pose).head } else { pose.head };
        let near = (seen.near <= TOUCH).then(|| format!("{id}, {} SP", s.sp(id)));
        Some(Face { hex, arm: eyes::seen_as(s, id, seen), regiment: near })
    })
}

/// What an event changes in what a side sees.
fn spots(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Vec<Spot> {
    let gone = |id: &str| matches!(e, Event::Gone { unit, .. } | Event::Vanished { unit, .. } if unit == id);
    let end = |id: &str| gone(id).then_some(End::Fell);
    let look = LazyCell::new(|| eyes::Look::of(after, to));
    let sees = |hex: Hex| look.sees(hex);
    let mut found = tags::spots([&faces(before, to), &faces(after, to)], mind, after.turn, end, sees);
    if eyes::footing(before) != eyes::footing(after) {
        found.extend(tags::leaders([eyes::leaders(before, to), look.leaders()], |_| false, |_| false));
    }
    found
}

/// What a side is told of an event.
pub fn sight_of(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    // D-01, D-04 What a side wants is its own, and so is what it has lodged.
    if matches!(e, Event::Wished { side, .. } | Event::Taken { side, .. } | Event::Missed { side, .. } if side != to) {
        return None;
    }
    if !eyes::veiled(after) {
        return Some(Sighting::Open(e.clone()));
    }
    let told = sight(&Looks { before, after, to }, e);
    let spots = spots(before, e, after, mind, to);
    (told.is_some() || !spots.is_empty()).then_some(Sighting::Seen { told, spots })
}

impl Looks<'_, State> {
    fn names(&self, units: &[String]) -> Vec<String> {
        units.iter().filter_map(|unit| self.name(unit)).collect()
    }

    /// Whether its strength is known.
    fn touches(&self, unit: &str) -> bool {
        self.sees(unit, |seen| seen.near <= TOUCH) != [false; 2]
    }

    fn of_division(&self, division: &str, e: &Event) -> Option<Event> {
        self.of(self.after.board.side_of(division), e)
    }
}

/// H.7 The part of an event that a side is told.
fn sight(l: &Looks<'_, State>, e: &Event) -> Option<Event> {
    match e {
        Event::Opened
        | Event::Choosing
        | Event::Initiative { .. }
        | Event::Ended
        | Event::Picking { .. }
        | Event::Passed { .. }
        | Event::Closing
        | Event::Turn { .. }
        | Event::Double { .. }
        | Event::Over { .. } => Some(e.clone()),
        Event::Wished { side, .. }
        | Event::Taken { side, .. }
        | Event::Missed { side, .. }
        | Event::Changed { side, .. } => l.of(Some(side), e),
        Event::Holds { place, side } => {
            // H.12 Of a counter without a face it is not known whether it holds anything.
            let face = |unit: &String| l.sees(unit, |seen| !eyes::faceless(l.after, seen))[1];
            let held = victory::is_held(l.after, place, side, face);
            (side == l.to || held).then(|| e.clone())
        }
        Event::Added { lim } | Event::Removed { lim } => l.of(pool::side(l.after, lim), e),
        Event::Drawn { side, .. } if side == l.to => Some(e.clone()),
        // Whose activation it is, is no secret; which command acts, is one.
        Event::Drawn { side, .. } => Some(Event::Drawn { side: side.clone(), lim: Lim::Pick(String::new()) }),
        Event::Began { acting } => l.of(Some(&acting.side), e),
        Event::Waits { division }
        | Event::Attempted { division, .. }
        | Event::Broke { division, .. }
        | Event::Stopped { division }
        | Event::Must { division }
        | Event::Activated { division, .. }
        | Event::Marked { division, .. }
        | Event::Turning { division, .. }
        | Event::Done { division }
        | Event::Arrived { division }
        | Event::Spent { division }
        | Event::Tired { division, .. } => l.of_division(division, e),
        Event::Given { extra } => l.of_division(&extra.of, e),
        Event::Stands { unit, .. }
        | Event::Tested { unit, .. }
        | Event::Wasted { unit }
        | Event::Checked { unit, .. }
        | Event::Blown { unit, .. }
        | Event::Resting { unit, .. } => l.only(unit, e),
        Event::Topped { units } | Event::Halted { units } | Event::Finished { units } => l.first(units, e),
        Event::Placed { leader, .. }
        | Event::Risked { leader, .. }
        | Event::Replaced { leader, .. }
        | Event::Fell { leader } => l.only(leader, e),
        Event::Rode { leader, to } | Event::Followed { leader, to } => {
            l.only(leader, e).or_else(|| eyes::Look::of(l.after, l.to).meets(*to).then(|| e.clone()))
        }
        _ => moves(l, e),
    }
}

/// H.8 Steps, fire and melee: as far as it is in sight.
fn moves(l: &Looks<'_, State>, e: &Event) -> Option<Event> {
    let mut told = e.clone();
    match &mut told {
        Event::Moved { units, .. } if units.first().is_some_and(|unit| l.own(unit)) => {}
        Event::Moved { units, cost, pose, how } => {
            units.retain(|unit| l.both(unit));
            if !units.iter().any(|unit| l.shows_face(unit)) {
                // Nor is a turn seen.
                let goes = units.first().is_some_and(|unit| l.before.pose(unit).map(unknown) != Some(unknown(*pose)));
                units.retain(|_| goes);
                (*pose, *how) = (unknown(*pose), How::Step);
            }
            *units = l.names(units);
            *cost = 0;
            if units.is_empty() {
                return None;
            }
        }
        Event::Disordered { unit } if !l.shows_face(unit) => return None,
        Event::Level { unit, .. } if !l.shows_face(unit) => return None,
        Event::Vanished { unit, struck } => {
            *struck &= l.own(unit);
            *unit = l.name(unit)?;
        }
        Event::Disordered { unit } | Event::Gone { unit, .. } | Event::Reacted { unit, .. } => {
            *unit = l.name(unit)?;
        }
        Event::Exited { unit, sp } => {
            // What it is worth is known to who stood beside it.
            *sp = if l.touches(unit) { *sp } else { 0 };
            *unit = l.name(unit)?;
        }
        Event::Level { unit, level } if !l.own(unit) && *level != Level::Rout => return None,
        Event::Level { unit, .. } => *unit = l.name(unit)?,
        Event::Lost { unit, .. } => {
            if !l.touches(unit) {
                return None;
            }
            *unit = l.name(unit)?;
        }
        Event::Fired { unit, target, value, shifts, .. } => {
            if !l.own(unit) {
                // What the firer is worth is his; the column and the die explain what comes of it.
                (*value, *shifts) = (0, Sum::default());
            }
            *unit = l.name(unit)?;
            *target = l.name(target)?;
        }
        Event::Attacked { units, targets, support, .. } => {
            (*units, *targets, *support) = (l.names(units), l.names(targets), l.names(support));
        }
        Event::Fought { units, against, .. } => (*units, *against) = (l.names(units), l.names(against)),
        Event::Pursued { units, of, sum, .. } => {
            if !units.first().is_some_and(|unit| l.own(unit)) {
                *sum = Sum::default();
            }
            *units = l.names(units);
            *of = l.name(of)?;
        }
        _ => return None,
    }
    Some(told)
}

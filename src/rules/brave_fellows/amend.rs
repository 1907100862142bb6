//! What an umpire corrects, and what he is told of who knows what.

use super::event::Event;
use super::eyes::{self, FACE, TOUCH};
use super::stacks;
use super::state::{Fate, Mood, State};
use crate::fog::SideId;
use crate::orders::{Fault, Line};
use crate::rules::tactical::table;
use crate::rules::tactical::umpire::{Amendment, Known, amendment};

/// 4.2.4, 6.7.2 How a unit may be, in the words of the book and of the letters.
const STATES: [(&str, Mood); 4] =
    [("FRESH", Mood::Fresh), ("FATIGUED", Mood::Fatigued), ("TIRED", Mood::Fatigued), ("ROUTED", Mood::Routed)];

/// The events of an amendment of one side.
///
/// # Errors
/// What is not understood or cannot be.
pub fn amend(s: &State, side: &SideId, line: &Line) -> Result<Vec<Event>, Fault> {
    // 8.2.1 The guns of the Grand Battery are printed on the map.
    let units = s.units.iter().filter(|(id, _)| s.is_of(id, side) && !s.is_battery(id));
    let units: Vec<String> = units.filter(|(_, u)| u.waits.is_none()).map(|(id, _)| id.clone()).collect();
    let own = |name: &String| s.chief(name).is_some_and(|chief| chief.side == *side);
    let leaders: Vec<String> =
        s.leaders.iter().filter(|(name, l)| own(name) && l.waits.is_none()).map(|(name, _)| name.clone()).collect();
    let known = Known { units, leaders, states: &STATES, places: s.towns.keys().cloned().collect(), besides: &[] };
    let event = match amendment(&known, line)? {
        Amendment::Placed(piece, at, _) if s.board.ground(at).is_none() => {
            return Err(Fault::refused(format!("{piece} would stand off the field, at {at}"), "6.2.3"));
        }
        Amendment::Placed(piece, at, _) if s.chief(&piece).is_some() && s.held_against(at, side) => {
            return Err(Fault::refused(format!("an enemy stands in {at}: {piece} would be taken"), "6.5.4"));
        }
        Amendment::Placed(piece, at, facing) => Event::Amended { piece, at: Some(at), facing, mood: None },
        Amendment::Is(unit, _) if s.units.get(&unit).is_none_or(|u| u.hex.is_none()) => {
            return Err(Fault::refused(format!("{unit} is not on the field; PLACE it first"), "4.2.4"));
        }
        Amendment::Is(unit, _) if s.is_dummy(&unit) => {
            return Err(Fault::refused(format!("{unit} is a dummy, and never tires"), "DB.9"));
        }
        Amendment::Is(piece, mood) => Event::Amended { piece, at: None, facing: None, mood: Some(mood) },
        Amendment::Off(leader) if s.chief(&leader).is_some() => Event::Hurt { leader, until: None },
        Amendment::Off(unit) if s.is_dummy(&unit) => Event::Vanished { unit },
        Amendment::Off(unit) => Event::Fell { unit, how: Fate::Eliminated },
        Amendment::Holds(place) => Event::Town { place, side: side.clone() },
    };
    let mut after = s.clone();
    super::event::apply(&mut after, &event);
    Ok([event].into_iter().chain(stacks::ended(&after)).collect())
}

/// Puts a piece right; who was lost is back, and no loss any more.
pub(super) fn apply(s: &mut State, e: &Event) {
    let Event::Amended { piece, at, facing, mood } = e else { return };
    if let Some(leader) = s.leaders.get_mut(piece) {
        (leader.hex, leader.until, leader.lost) = (at.or(leader.hex), None, false);
    }
    let Some(unit) = s.units.get_mut(piece) else { return };
    if at.is_some() && unit.gone.take().is_some() {
        let loss = s.losses.iter().rposition(|lost| lost == piece);
        loss.map(|loss| s.losses.remove(loss));
    }
    unit.hex = at.or(unit.hex);
    (unit.facing, unit.mood) = (facing.unwrap_or(unit.facing), mood.unwrap_or(unit.mood));
}

/// Who knows what of a unit or a leader.
///
/// # Errors
/// A name that there is not.
pub fn who_knows(s: &State, said: &str) -> Result<Vec<String>, Fault> {
    let own = |piece: &str| if s.is_dummy(piece) { "its own, a dummy" } else { "its own" };
    table::who_knows(s, said, s.units.keys().chain(s.leaders.keys()), own, |side, piece| known(s, side, piece))
}

/// DB.2, DB.3 What a side knows of an enemy's piece.
fn known(s: &State, side: &SideId, piece: &str) -> String {
    if let Some(leader) = s.leaders.get(piece) {
        return match leader.hex {
            _ if leader.lost => "knows that he is lost (10).".to_owned(),
            Some(at) if eyes::meets(s, side, at) => format!("sees him in {at} (DB.2)."),
            _ => "does not see him (DB.2).".to_owned(),
        };
    }
    let Some(seen) = eyes::seen(s, side, piece) else {
        return match eyes::cover_of(s, side, piece) {
            Some(tag) => format!("sees a counter without a face above it, {tag} (DB.3)."),
            None => "does not see it (DB.2).".to_owned(),
        };
    };
    let what = match seen.learnt {
        _ if eyes::faceless(s, seen) => "a counter without a face",
        0..=TOUCH => "all that is printed on it but its fatigue values",
        near if near <= FACE => "its regiment",
        _ => "its arm alone",
    };
    format!("sees it as {}, {} off: {what} (DB.3).", eyes::tagged(seen.tag), hexes(seen.near))
}

fn hexes(n: u32) -> String {
    crate::text::plural(i64::from(n), "hex", "hexes")
}

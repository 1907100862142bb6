//! What an umpire corrects, and what he is told of who knows what.

use super::board::{Arm, other};
use super::event::{End, Event, How};
use super::eyes::{self, Look, TOUCH};
use super::pose::{Form, Hour, Pose};
use super::state::{Level, State};
use crate::fog::SideId;
use crate::orders::{Args, Fault, Line};
use crate::rules::tactical::umpire::{Amendment, Known, amendment};

/// 9.1.1 How a unit may be.
const STATES: [(&str, Level); 4] =
    [("GOOD", Level::Good), ("SHAKEN", Level::Shaken), ("UNSTEADY", Level::Unsteady), ("ROUTED", Level::Rout)];

/// The events of an amendment of one side: of units that stand on the map, and of leaders.
///
/// # Errors
/// What is not understood or cannot be.
pub fn amend(s: &State, side: &SideId, line: &Line) -> Result<Vec<Event>, Fault> {
    let standing = s.standing().filter(|(id, ..)| s.is_of(id, side)).map(|(id, ..)| id);
    // H.12 A dummy that has vanished may come back.
    let dummies = s.board.dummies.iter().filter(|id| s.is_of(id, side));
    let units = standing.chain(dummies).cloned().collect();
    let own = |name: &String| s.chief(name).is_some_and(|chief| chief.side == *side);
    let leaders: Vec<String> =
        s.leaders.iter().filter(|(name, l)| own(name) && !l.lost).map(|(name, _)| name.clone()).collect();
    let known = Known { units, leaders, states: &STATES, places: s.places.keys().cloned().collect() };
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    match amendment(&known, line)? {
        Amendment::Placed(piece, at, _) if !s.board.ground.has(at) => {
            refused(format!("{piece} would stand off the field, at {at}"), "5.1")
        }
        Amendment::Placed(leader, at, _) if s.chief(&leader).is_some() => Ok(vec![Event::Placed { leader, hex: at }]),
        Amendment::Placed(unit, at, facing) => {
            let nobody = s.is_dummy(&unit);
            let Some(old) = s.pose(&unit).or_else(|| nobody.then(|| Pose::at(at, 12, Form::Column))) else {
                return refused(format!("{unit} is not on the map"), "5.1");
            };
            if nobody && Look::feared(s, &other(side)).knows(at) {
                return refused(format!("an enemy would see that {unit} is a dummy, at {at}"), "H.12");
            }
            let turned = Pose { head: at, second: None, ..old };
            let pose = match facing {
                Some(dir) if old.form.faces_corner() => Pose { hour: Hour::of(dir).on(1), ..turned },
                Some(dir) => Pose { hour: Hour::of(dir), ..turned },
                None => turned,
            };
            let bad = s.no_room(&pose, side);
            match bad {
                Some(hex) => refused(format!("an enemy, or the edge of the map, bars {hex}"), "5.1"),
                None => Ok(vec![Event::Moved { units: vec![unit], pose, cost: 0, how: How::Amend }]),
            }
        }
        Amendment::Is(unit, _) if s.is_dummy(&unit) => refused(format!("{unit} is a dummy, and always Good"), "H.12"),
        Amendment::Is(unit, _) if s.is_arm(&unit, Arm::Art) => {
            refused(format!("{unit} is guns, and always Good"), "9.3")
        }
        Amendment::Is(unit, level) => {
            let broken = level == Level::Rout && s.pose(&unit).is_some_and(|pose| pose.form != Form::Disorder);
            let runs = broken.then(|| Event::Disordered { unit: unit.clone() });
            Ok(runs.into_iter().chain([Event::Level { unit, level }]).collect())
        }
        Amendment::Off(leader) if s.chief(&leader).is_some() => Ok(vec![Event::Fell { leader }]),
        Amendment::Off(unit) if s.is_dummy(&unit) => match s.pose(&unit) {
            Some(_) => Ok(vec![Event::Vanished { unit, struck: false }]),
            None => refused(format!("{unit} is not on the map"), "H.12"),
        },
        Amendment::Off(unit) => Ok(vec![Event::Gone { unit, how: End::Lost }]),
        Amendment::Holds(place) => Ok(vec![Event::Holds { place, side: side.clone() }]),
    }
}

/// H.1, H.2 Who knows what of a unit or a leader.
///
/// # Errors
/// A name that there is not.
pub fn who_knows(s: &State, said: &str) -> Result<Vec<String>, Fault> {
    let line = crate::orders::line(0, said);
    let names: Vec<(String, String)> = s
        .units
        .keys()
        .chain(&s.board.dummies)
        .chain(s.leaders.keys())
        .map(|name| (name.clone(), name.clone()))
        .collect();
    let piece = Args::new(&line, 0).name("a unit or a leader", &names)?;
    let side = s.side(&piece).or_else(|| s.chief(&piece).map(|chief| &chief.side));
    let Some(side) = side.cloned() else { return Err(Fault::unclear(said, "a unit or a leader", [], None)) };
    let enemy = other(&side);
    if !eyes::veiled(s) {
        return Ok(vec![format!("{side} and {enemy}: all of it lies open.")]);
    }
    let knows = match (eyes::seen(s, &enemy, &piece), eyes::leaders(s, &enemy).get(&piece)) {
        (_, Some(hex)) => format!("sees him in {hex} (H.1)."),
        (Some(seen), _) if seen.near <= TOUCH => {
            format!("sees it as {}: its name and its SP too (H.2).", eyes::tagged(seen.tag))
        }
        (Some(seen), _) => format!("sees it as {}: {} (H.2).", eyes::tagged(seen.tag), eyes::seen_as(s, &piece, seen)),
        (None, None) => "does not see it (H.1).".to_owned(),
    };
    Ok(vec![format!("{side}: its own."), format!("{enemy}: {knows}")])
}

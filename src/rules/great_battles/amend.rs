//! What an umpire corrects, and what he is told of who knows what.

use super::board::{Arm, other};
use super::event::{End, Event, How};
use super::eyes::{self, Look, TOUCH};
use super::order;
use super::pose::{Form, Hour, Pose};
use super::state::{Level, State};
use crate::fog::SideId;
use crate::orders::{Args, Fault, Line, deny};
use crate::rules::tactical::table;
use crate::rules::tactical::umpire::{Amendment, Known, amendment};
use crate::rules::tactical::words::names;

/// 9.1.1 How a unit may be.
const STATES: [(&str, Level); 4] =
    [("GOOD", Level::Good), ("SHAKEN", Level::Shaken), ("UNSTEADY", Level::Unsteady), ("ROUTED", Level::Rout)];

/// What can be amended in this game alone.
const OWN: [&str; 3] = ["FORM", "SP", "FATIGUE"];

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
    let known = Known { units, leaders, states: &STATES, places: s.places.keys().cloned().collect(), besides: &OWN };
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    if let Some(events) = own_kind(s, side, &known.units, line) {
        return events;
    }
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

/// 6.3, 8.5.1, 13.0 What only this game has: the formation and the facing of a unit, its SP, the fatigue of a division.
fn own_kind(s: &State, side: &SideId, units: &[String], line: &Line) -> Option<Result<Vec<Event>, Fault>> {
    let mut args = Args::new(line, 0);
    let word = args.maybe(&OWN)?;
    Some(match word {
        "FORM" => formed(s, side, units, &mut args),
        "SP" => counted(s, units, &mut args),
        _ => tired(s, side, &mut args),
    })
}

fn formed(s: &State, side: &SideId, units: &[String], args: &mut Args<'_>) -> Result<Vec<Event>, Fault> {
    let unit = args.name("a unit of that side", &names(units.iter()))?;
    let form = order::formation(args)?;
    let hour = order::face(args, "FACE")?;
    let Some((_, kind, old)) = s.on(&unit) else {
        return Err(Fault::refused(format!("{unit} is not on the map"), "6.3"));
    };
    let own = match form {
        Form::Limbered | Form::Unlimbered => kind.arm == Arm::Art,
        Form::Skirmish | Form::Square => kind.arm == Arm::Inf,
        Form::Column | Form::Line | Form::Disorder => kind.arm != Arm::Art,
    };
    deny(!own, format_args!("{unit} has no {}", form.word()), "6.3")?;
    let pose = old.formed(form, hour);
    match s.no_room(&pose, side) {
        Some(hex) => Err(Fault::refused(format!("an enemy, or the edge of the map, bars {hex}"), "5.1")),
        None => Ok(vec![Event::Moved { units: vec![unit], pose, cost: 0, how: How::Amend }]),
    }
}

fn counted(s: &State, units: &[String], args: &mut Args<'_>) -> Result<Vec<Event>, Fault> {
    let unit = args.name("a unit of that side", &names(units.iter().filter(|unit| !s.is_dummy(unit))))?;
    let sp = args.number("its SP")?;
    let whole = s.board.kinds.get(&unit).map_or(0, |kind| kind.sp);
    deny(!(1..=whole).contains(&sp), format_args!("{unit} has 1 to {whole} SP; REMOVE takes it off"), "8.5.1")?;
    Ok(vec![Event::Lost { sp: s.sp(&unit) - sp, unit }])
}

fn tired(s: &State, side: &SideId, args: &mut Args<'_>) -> Result<Vec<Event>, Fault> {
    let own = s.commands.keys().filter(|division| s.board.side_of(division) == Some(side));
    let division = args.name("a division of that side", &names(own))?;
    let level = args.number("a level of fatigue")?;
    deny(!(0..=9).contains(&level), "fatigue is 0 to 9", "13.0")?;
    Ok(vec![Event::Tired { division, level }])
}

/// H.1, H.2 Who knows what of a unit or a leader.
///
/// # Errors
/// A name that there is not.
pub fn who_knows(s: &State, said: &str) -> Result<Vec<String>, Fault> {
    let known = |enemy: &SideId, piece: &str| match (eyes::seen(s, enemy, piece), eyes::leaders(s, enemy).get(piece)) {
        (_, Some(hex)) => format!("sees him in {hex} (H.1)."),
        (Some(seen), _) if seen.near <= TOUCH => {
            format!("sees it as {}: its name and its SP too (H.2).", eyes::tagged(seen.tag))
        }
        (Some(seen), _) => format!("sees it as {}: {} (H.2).", eyes::tagged(seen.tag), eyes::seen_as(s, piece, seen)),
        (None, None) => "does not see it (H.1).".to_owned(),
    };
    let pieces = s.units.keys().chain(&s.board.dummies).chain(s.leaders.keys());
    table::who_knows(s, said, pieces, |_| "its own", known)
}

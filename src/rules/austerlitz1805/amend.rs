//! What an umpire corrects: where a unit stands and how, its morale and steps, who holds a place, where a corps is.
//!
//! What lies open is put right before both sides; a corps on the strategic map before its own side alone.

use super::board::{Arm, UnitId};
use super::event::{End, Event, Fact, Secret};
use super::load::fits;
use super::state::{At, State};
use super::strategic::waiting;
use super::table::{Formation, Mood, Pose, Unit};
use super::view::View;
use super::{Austerlitz, Intel, terrain, words};
use crate::fog::{SideId, Viewer, see};
use crate::orders::{Args, Fault, Line};

/// What can be amended, for who writes something else.
const WHAT: [&str; 7] = ["PLACE", "FORM", "MORALE", "STEPS", "REMOVE", "CONTROL", "CORPS"];

/// The events of an amendment of one side.
///
/// # Errors
/// What is not understood or cannot be.
pub fn amend(s: &State, side: &SideId, line: &Line) -> Result<Vec<Event>, Fault> {
    let v = see::<Austerlitz>(s, &Intel::default(), Viewer::Side(side.clone())).into_parts().1;
    let mut args = Args::new(line, 0);
    let event = match args.one_of("what is amended", &WHAT)? {
        "PLACE" => place(&v, &mut args)?.into(),
        "CONTROL" => {
            let names: Vec<(String, String)> = s.table.control.keys().map(|p| (p.clone(), p.clone())).collect();
            Fact::Control { place: args.name("a place that counts", &names)?, side: side.clone() }.into()
        }
        "CORPS" => corps(&v, side, &mut args)?,
        what => {
            let unit = words::own(&v, &mut args)?;
            unit_event(&v, what, unit, &mut args)?.into()
        }
    };
    if args.done() { Ok(vec![event]) } else { Err(args.fault("nothing more", [])) }
}

/// A unit on the field: its formation, morale or steps; or it is taken off.
fn unit_event(v: &View, what: &str, unit: UnitId, args: &mut Args<'_>) -> Result<Fact, Fault> {
    let Some(now) = v.table.unit(&unit).cloned() else { return Err(args.fault("a unit on the field", [])) };
    let two = matches!(v.table.arm(&unit), Arm::Infantry | Arm::Cavalry);
    let changed = match what {
        "REMOVE" => return Ok(Fact::Gone { unit, why: End::Umpire }),
        "FORM" => Unit { form: formation(v, &unit, args)?, ..now },
        "MORALE" => {
            let mood = match args.one_of("FIT, S, D or R", &["FIT", "S", "D", "R"])? {
                "FIT" => Mood::Fit,
                "S" => Mood::S,
                "D" => Mood::D,
                _ => Mood::R,
            };
            Unit { mood, ..now }
        }
        _ => {
            let most = if two { 2 } else { 1 };
            let steps = args.number("steps left")?;
            let steps = u8::try_from(steps)
                .ok()
                .filter(|n| (1..=most).contains(n))
                .ok_or_else(|| Fault::refused(format!("{unit} has 1 to {most} steps; REMOVE takes it off"), "12.3"))?;
            Unit { steps, ..now }
        }
    };
    Ok(amended(unit, &changed))
}

fn amended(unit: UnitId, as_it_is: &Unit) -> Fact {
    let Unit { pose, form, mood, steps, .. } = as_it_is;
    Fact::Amended { unit, pose: *pose, form: *form, mood: *mood, steps: *steps }
}

fn formation(v: &View, unit: &UnitId, args: &mut Args<'_>) -> Result<Formation, Fault> {
    let form = words::formation(args)?;
    if fits(v.table.arm(unit), form) {
        return Ok(form);
    }
    Err(Fault::refused(format!("{unit} can't be {}", form.word()), "5.1"))
}

/// `PLACE Repninsky AT Pratzen+300N FACE NW`: on the field, or back on it from where units are that were lost.
fn place(v: &View, args: &mut Args<'_>) -> Result<Fact, Fault> {
    let me = v.me();
    let names: Vec<(String, UnitId)> =
        v.table.board.units.values().filter(|u| u.side == me).map(|u| (u.id.0.clone(), u.id.clone())).collect();
    let unit = args.name("a unit of that side", &names)?;
    let hidden = v.own.boxes.values().any(|b| b.units.contains(&unit))
        || waiting(&v.table, &v.own, &me).iter().any(|(u, _)| *u == unit);
    if hidden {
        return Err(Fault::refused(format!("{unit} is in the fog, in a chit or on the strategic map"), "16.4"));
    }
    if let Some(host) = v.table.unit(&unit).and_then(|u| u.with.clone()) {
        return Err(Fault::refused(format!("{unit} is with {host}; PLACE that unit, and it goes with it"), "7.1"));
    }
    args.key("AT");
    let at = words::place(v, args)?;
    let now = v.table.unit(&unit);
    let facing = if args.key("FACE") {
        words::heading(v, args, &unit)?
    } else {
        now.map_or(words::toward_enemy(&v.table, &unit), |u| u.pose.facing)
    };
    let form = if args.key("FORM") { Some(formation(v, &unit, args)?) } else { None };
    let form = form.or(now.map(|u| u.form)).unwrap_or_else(|| super::load::default_form(v.table.arm(&unit)));
    let (mood, steps) = now.map_or((Mood::Fit, 1), |u| (u.mood, u.steps));
    Ok(Fact::Amended { unit, pose: Pose { at, facing }, form, mood, steps })
}

/// 16.4.1 A corps stands in another area of its own strategic map.
fn corps(v: &View, side: &SideId, args: &mut Args<'_>) -> Result<Event, Fault> {
    let corps: Vec<(String, String)> = v.own.corps.keys().map(|c| (c.clone(), c.clone())).collect();
    let corps = args.name("a corps on that side's strategic map", &corps)?;
    args.key("TO");
    let zones: Vec<(String, String)> =
        v.table.board.strategic.zones.iter().map(|z| (z.id.clone(), z.id.clone())).collect();
    let area = args.name("an area of the strategic map", &zones)?;
    Ok(Secret::Corps { side: side.clone(), corps, area }.into())
}

/// 3.1, 5.1, 7.1, 12.3, 16.4.2.1 What of a state cannot be.
pub fn unsound(s: &State) -> Vec<String> {
    let t = &s.table;
    let mut flaws = Vec::new();
    for (id, unit) in &t.units {
        let at = unit.pose.at;
        if at.x < 0 || at.y < 0 || at.x > t.board.ground.width || at.y > t.board.ground.height {
            flaws.push(format!("{id} would be off the map (3.1)."));
        }
        if !fits(t.arm(id), unit.form) {
            flaws.push(format!("{id} would be {} (5.1).", unit.form.word()));
        }
        if t.lost.contains(id) || t.away.contains_key(id) {
            flaws.push(format!("{id} would be on the field and off it."));
        }
        if unit.with.as_ref().is_some_and(|host| t.unit(host).is_none()) {
            flaws.push(format!("{id} would be with a unit that is gone (7.1)."));
        }
    }
    let standing: Vec<&UnitId> = t.standing().map(|(id, _)| id).collect();
    for (n, a) in standing.iter().enumerate() {
        let over = standing.iter().skip(n + 1).filter(|b| t.shape(a).overlaps(&t.shape(b)));
        flaws.extend(over.map(|b| format!("{a} and {b} would overlap (7.1).")));
    }
    for hidden in s.hidden.values() {
        for boxed in hidden.boxes.values() {
            let both = boxed.units.iter().filter(|u| t.units.contains_key(*u));
            flaws.extend(both.map(|u| format!("{u} would be in a chit and on the field (16.4.2.4).")));
        }
    }
    flaws
}

/// What an event cannot do, and what cannot be where a stage begins; between two events of one a unit may pass another.
pub fn leap(before: &State, event: &Event, after: &State) -> Vec<String> {
    match event {
        Event::Open(Fact::Stage { .. }) => unsound(after).into_iter().chain(unsettled(after)).collect(),
        Event::Open(Fact::Mood { unit, mood: Mood::S | Mood::D }) => {
            // 12.10: only a Rally Phase brings it back, and a double 1 (12.9), which leaves no state at all.
            let routed = before.table.unit(unit).is_some_and(|u| u.mood == Mood::R);
            let rallies = matches!(&before.at, At::Rally(_));
            (routed && !rallies).then(|| format!("{unit} would be routed no longer (12.5.3.2).")).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// 5.2, 16.4.2.8 What the rules leave nowhere where a stage begins: a square off clear ground, troops on a strategic map
/// once the fog has lifted and the first Rally Phase of that turn has brought them down.
fn unsettled(s: &State) -> Vec<String> {
    let t = &s.table;
    let square = |(id, unit): &(&UnitId, &Unit)| unit.form == Formation::Square && !terrain::clear(t, &t.shape(id));
    let mut flaws: Vec<String> =
        t.standing().filter(square).map(|(id, _)| format!("{id} would be a square off clear ground (5.2).")).collect();
    if t.board.flow.is_some() && t.sight.is_none() && matches!(s.at, At::Own(_) | At::Musketry(_) | At::Close(_)) {
        for (side, hidden) in &s.hidden {
            let left = waiting(t, hidden, side);
            flaws.extend(left.iter().map(|(unit, _)| format!("{unit} would stay on the strategic map (16.4.2.8).")));
        }
    }
    flaws
}

/// Who knows what of a unit or chit.
///
/// # Errors
/// A name that there is not.
pub fn who_knows(s: &State, said: &str) -> Result<Vec<String>, Fault> {
    let t = &s.table;
    let line = crate::orders::line(0, said);
    let units = t.board.units.keys().map(|u| (u.0.clone(), u.0.clone()));
    let chits = t.mist.chits.keys().map(|c| (c.0.clone(), c.0.clone()));
    let name = Args::new(&line, 0).name("a unit or chit", &units.chain(chits).collect::<Vec<_>>())?;
    let holds = |(side, hidden): (&SideId, &super::state::Hidden)| {
        let mut boxes = hidden.boxes.iter();
        let found = boxes.find(|(_, b)| b.chit.0 == name || b.units.iter().any(|u| u.0 == name))?;
        let units: Vec<&str> = found.1.units.iter().map(|u| u.0.as_str()).collect();
        let units = if units.is_empty() { "nothing: a decoy".to_owned() } else { units.join(", ") };
        Some((side.clone(), format!("{side}: its box {} holds {units}, on the map as {}.", found.0, found.1.chit)))
    };
    if let Some((side, line)) = s.hidden.iter().find_map(holds) {
        let other = t.board.enemy(&side);
        return Ok(vec![line, format!("{other}: sees the chit, and not what it holds (16.4.2.4).")]);
    }
    let unit = UnitId(name);
    let side = t.side(&unit);
    let other = t.board.enemy(&side);
    if t.units.contains_key(&unit) || t.lost.contains(&unit) || t.away.contains_key(&unit) {
        return Ok(vec![format!("{side} and {other}: all of it lies open.")]);
    }
    let corps = t.board.group(&unit);
    let area = s.hidden.get(&side).and_then(|h| h.corps.get(&corps)).cloned().unwrap_or_default();
    Ok(vec![
        format!("{side}: its own, with {corps} in {area} of its strategic map."),
        format!("{other}: knows nothing of it (16.4.1.1)."),
    ])
}

//! 6.1, 6.3 What was meant by a turn, by steps that are told by their direction, and by a change of formation.

use super::super::order;
use super::super::pose::{Form, Hour};
use super::super::view::View;
use super::{Said, TURNS, offered, taken};
use crate::orders::mend::lexicon::Sense;
use crate::rules::tactical::meant::acts::subjects;
use crate::rules::tactical::meant::{Found, Parted, SUBJECT, Tongue};

/// Steps of a line at most.
const STEPS: usize = 6;
/// Counts in words.
const COUNTS: [&str; STEPS] = ["one", "two", "three", "four", "five", "six"];
/// Words ahead, and back.
const AHEAD: [&str; 4] = ["forward", "forwards", "ahead", "straight"];
const BACK: [&str; 3] = ["back", "backward", "backwards"];

/// 6.1, 6.3.2 Steps by their direction: `forward left two hexes`, `BACK`, `3 hexes`, `FFF`. In line nothing lies straight ahead.
pub(super) fn stepped(said: &Said<'_>, units: &[String]) -> Option<Found> {
    let has = |words: &[&str]| said.words.iter().any(|word| words.contains(&word.fold.as_str()));
    let run = |fold: &str| (2..=STEPS).contains(&fold.len()) && fold.bytes().all(|letter| letter == b'f');
    let glued = said.words.iter().find(|word| run(&word.fold)).map(|word| word.fold.len());
    let count = |fold: &str| {
        let worded = COUNTS.iter().position(|word| *word == fold).map(|place| place + 1);
        fold.parse().ok().filter(|n| (1..=STEPS).contains(n)).or(worded)
    };
    let counted = said.words.iter().find_map(|word| count(&word.fold));
    let (ahead, back, hexes) = (has(&AHEAD), has(&BACK), has(&["hex", "hexes"]));
    let alone = hexes && counted.is_some();
    if !said.places().is_empty() || !(ahead || back || alone || glued.is_some()) {
        return None;
    }
    let way = if back { "B" } else { "F" };
    let paces: Vec<String> = match (has(&["left"]), has(&["right"])) {
        (true, false) => vec![format!("{way}L")],
        (false, true) => vec![format!("{way}R")],
        _ => vec![way.to_owned(), format!("{way}L"), format!("{way}R")],
    };
    let times = glued.or(counted).unwrap_or(1);
    let line = |pace: &String| format!("MOVE {} {}", units.join(" "), vec![pace.as_str(); times].join(" "));
    let fault = paces.first().and_then(|pace| taken(said.v, &line(pace)).err());
    let Some(fault) = fault else {
        return paces.first().map(|pace| Found { lines: vec![line(pace)], ..Found::default() });
    };
    let lines = paces.iter().skip(1).map(line).filter(|line| said.v.takes(line)).collect();
    Some(Found { lines, ..Found::fault(&fault) })
}

/// 6.3 The formation that is named, in the words of an order.
fn formation(said: &Said<'_>) -> Option<&'static str> {
    let senses = [
        (Sense::Line, "LINE"),
        (Sense::Column, "COLUMN"),
        (Sense::Square, "SQUARE"),
        (Sense::Unlimber, "UNLIMBER"),
        (Sense::Limber, "LIMBER"),
    ];
    let worded = |word: &&str| said.words.iter().any(|heard| heard.fold.starts_with(&word.to_lowercase()));
    let word = ["SKIRMISH", "UNLIMBER", "LIMBER", "SQUARE", "COLUMN", "DISORDER", "LINE"].into_iter().find(worded);
    word.or_else(|| senses.into_iter().find(|(sense, _)| said.means(*sense)).map(|(_, word)| word))
}

/// 6.3 A change of formation by those who can.
pub(super) fn form(said: &Said<'_>) -> Found {
    let units = subjects(said);
    let Some(word) = formation(said) else {
        let why = format!("into what? FORM {} and LINE, COLUMN, SKIRMISH, SQUARE, LIMBER or UNLIMBER", units.join(" "));
        return Found::reason(why, "6.3");
    };
    let hour = said.words.iter().find_map(|heard| heard.text.parse::<u8>().ok().filter(|n| (1..=12).contains(n)));
    let at = hour.map_or_else(String::new, |hour| format!(" AT {hour}"));
    let line = |units: &[String]| format!("FORM {} {word}{at}", units.join(" "));
    // 7.1 Who stands in one hex changes together.
    let stack = units.first().map(|unit| said.v.state.with(unit)).unwrap_or_default();
    let stacked = units.iter().all(|unit| stack.contains(unit)) && stack.len() > units.len();
    if stacked && !said.v.takes(&line(&units)) && said.v.takes(&line(&stack)) {
        return Found { lines: vec![line(&stack)], ..Found::default() };
    }
    if let (Some(hour), [unit]) = (hour, units.as_slice())
        && let Some(found) = otherwise(said.v, unit, word, hour)
    {
        return found;
    }
    let parted = Parted::of(&units, |unit| taken(said.v, &line(unit)));
    let goes = !parted.can.is_empty() && said.v.takes(&line(&parted.can));
    let lines = if goes { vec![line(&parted.can)] } else { Vec::new() };
    let whole = parted.cannot.is_empty() && said.units(&SUBJECT) == units && said.places().is_empty();
    let note = units.first().filter(|_| hour.is_none() && !lines.is_empty()).and_then(|unit| faces(said.v, unit, word));
    Found { lines, why: parted.why(), whole, note }
}

/// 6.3, 6.1 A change that only turns a unit, or one to an hour that its formation does not face: the turn, or the hours beside it.
fn otherwise(v: &View, unit: &String, word: &str, hour: u8) -> Option<Found> {
    let pose = v.state.pose(unit)?;
    let line = |hour: u8| format!("FORM {unit} {word} AT {hour}");
    let fault = taken(v, &line(hour)).err()?;
    let form = form_of(word)?;
    if form == pose.form {
        let line = turns(std::slice::from_ref(unit), pose.hour, hour).filter(|line| v.takes(line));
        return line.map(|line| Found { lines: vec![line], ..Found::fault(&fault) });
    }
    let beside = [hour + 10, hour].map(|hour| hour % 12 + 1);
    let lines: Vec<String> = beside.into_iter().map(line).filter(|line| v.takes(line)).collect();
    (!lines.is_empty()).then(|| Found { lines, ..Found::fault(&fault) })
}

/// The formation of a word.
fn form_of(word: &str) -> Option<Form> {
    let line = crate::orders::line(1, word);
    order::formation(&mut crate::orders::Args::new(&line, 0)).ok()
}

/// 6.1, 6.3 Which hour a unit faces by a change that names none, and the one that looks at the nearest enemy, if that is another.
fn faces(v: &View, unit: &str, word: &str) -> Option<String> {
    let pose = v.state.pose(unit)?;
    let form = form_of(word).filter(|form| form.faces_corner())?;
    let now = pose.formed(form, None);
    let foe = v.state.enemies(&v.side).map(|(.., foe)| foe.head).min_by_key(|foe| (pose.distance(*foe), *foe))?;
    let look = |hour: u8| {
        let next = pose.formed(form, Some(Hour::from(hour)));
        next.front().iter().map(|hex| hex.distance(foe)).min().unwrap_or(u32::MAX)
    };
    let able = |hour: &u8| v.takes(&format!("FORM {unit} {word} AT {hour}"));
    let hour = u8::from(now.hour);
    let best = (1..=12u8).filter(|hour| hour % 2 == 1).min_by_key(|other| (look(*other), *other != hour, *other))?;
    let best = Some(best).filter(|best| look(*best) < look(hour) && able(best))?;
    Some(format!("It faces {hour} then; AT {best} behind the line faces the nearest enemy."))
}

/// 6.1 Units turn where they stand: left, right, about.
pub(super) fn turn(said: &Said<'_>, units: &[String]) -> Option<Found> {
    let word = said.words.iter().find_map(|heard| TURNS.iter().find(|(word, _)| *word == heard.fold));
    let (_, pace) = word.filter(|_| said.places().is_empty())?;
    let times = said.words.iter().find_map(|word| word.text.parse::<usize>().ok()).filter(|n| (2..=5).contains(n));
    let times = times.filter(|_| *pace != "AF").map_or_else(String::new, |times| format!(" {times}"));
    let line = format!("MOVE {} {pace}{times}", units.join(" "));
    Some(offered(said.v, line))
}

/// 6.1 `FACE F3-1 3`, `TURN F3-1 TO 3`: the turns by which a unit comes to face an hour, the shorter way.
pub(super) fn faced(said: &Said<'_>, units: &[String]) -> Option<String> {
    let opens = said.words.first().is_some_and(|word| ["face", "turn", "wheel"].contains(&word.fold.as_str()));
    let hour = said.words.iter().find_map(|word| word.text.parse::<u8>().ok()).filter(|n| (1..=12).contains(n))?;
    let pose = units.first().and_then(|unit| said.v.state.pose(unit)).filter(|_| opens && said.places().is_empty())?;
    turns(units, pose.hour, hour)
}

/// 6.1 The turns from one hour to another, the shorter way; none from a side to a corner.
fn turns(units: &[String], from: Hour, hour: u8) -> Option<String> {
    let by = (i32::from(hour) - i32::from(u8::from(from))).rem_euclid(12);
    let (way, times) = if by <= 6 { ("R", by / 2) } else { ("L", (12 - by) / 2) };
    let times = if times > 1 { format!(" {times}") } else { String::new() };
    (by > 0 && by % 2 == 0).then(|| format!("MOVE {} {way}{times}", units.join(" ")))
}

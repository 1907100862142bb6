//! What a line of this game may name: units of both sides by whole names or parts of them, places, ways, distances.

use crate::orders::mend::hear::{Heard, Vocabulary};
use crate::plane::{Heading, Spot};
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::words;
use std::collections::BTreeMap;

const EXONYMS: &str = include_str!("exonyms.tsv");

/// What a word names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// An own unit on the field.
    Own(UnitId),
    /// An own unit that is not on the field.
    Off(UnitId),
    /// A unit of the other side that lies open on the field.
    Foe(UnitId),
    /// A unit of the other side that does not, of which the seat knows.
    Unseen(UnitId),
    /// A place by its name.
    Named(String),
    /// A place by its numbers.
    Spot(Spot),
    /// A way to face or to go.
    Way(Heading),
    /// A distance in thousandths of a UM.
    Far(i32),
}

/// Keywords behind the verbs.
const KEYS: [&str; 26] = [
    "TOWARD",
    "TOWARDS",
    "TO",
    "AT",
    "AND",
    "FACE",
    "AFTER",
    "BEARING",
    "LINE",
    "COLUMN",
    "SQUARE",
    "LIMBER",
    "UNLIMBER",
    "LIMBERED",
    "UNLIMBERED",
    "LEAD",
    "CANISTER",
    "ROUND",
    "DEF",
    "RETURN",
    "LEFT",
    "RIGHT",
    "UM",
    "WITH",
    "PLACE",
    "FORM",
];

/// Units that an arm's name may stand for.
const ARM_MOST: usize = 3;

/// All names that this seat's lines may hold.
pub fn vocabulary(v: &View) -> Vocabulary<Thing> {
    let mut known = Vocabulary::new(super::verbs().iter().map(|verb| verb.word).chain(KEYS));
    let me = v.me();
    let mut all: BTreeMap<&UnitId, Vec<&str>> = BTreeMap::new();
    words::all_names(v).iter().for_each(|(name, id)| all.entry(id).or_default().push(name));
    let names = |id: &UnitId| all.get(id).into_iter().flatten().copied();
    for (id, unit) in &v.table.units {
        let thing = if unit.side == me { Thing::Own(id.clone()) } else { Thing::Foe(id.clone()) };
        forms(id).into_iter().for_each(|form| known.name(&form, thing.clone()));
        // What maps and tables print is a name as good as any.
        names(id).for_each(|name| known.name(name, thing.clone()));
    }
    let off = |id: &UnitId| !v.table.units.contains_key(id) && words::told_of(v, id);
    for spec in v.table.board.units.values().filter(|spec| off(&spec.id)) {
        let thing = if spec.side == me { Thing::Off(spec.id.clone()) } else { Thing::Unseen(spec.id.clone()) };
        for form in forms(&spec.id) {
            if !known.knows(&form) {
                known.name(&form, thing.clone());
            }
        }
        for name in names(&spec.id) {
            if !known.knows(name) {
                known.name(name, thing.clone());
            }
        }
    }
    for place in &v.table.board.places {
        known.name(&place.name, Thing::Named(place.name.clone()));
    }
    for (name, others) in EXONYMS.lines().filter_map(|line| line.split_once('\t')) {
        if !v.table.board.places.iter().any(|place| place.name == name) {
            continue;
        }
        for other in others.split(',') {
            if !known.knows(other) {
                known.name(other, Thing::Named(name.to_owned()));
            }
        }
    }
    arms(v, &mut known);
    known
}

/// `IV Russian/1` is called `IV Russian 1`, and `IV Russian` where it is the only one.
fn forms(id: &UnitId) -> Vec<String> {
    let whole = id.0.clone();
    match whole.rsplit_once('/') {
        Some((stem, number)) => vec![whole.clone(), format!("{stem} {number}"), stem.to_owned()],
        None => vec![whole],
    }
}

/// Arms by name, where few units have them.
fn arms(v: &View, known: &mut Vocabulary<Thing>) {
    const NAMES: [(Arm, &[&str]); 3] = [
        (Arm::Artillery, &["battery", "guns", "artillery", "cannon", "batterie", "artillerie", "geschütze", "canons"]),
        (Arm::Cavalry, &["cavalry", "horse", "cavalerie", "kavallerie", "reiterei"]),
        (Arm::Infantry, &["infantry", "foot", "infanterie"]),
    ];
    let me = v.me();
    for (arm, names) in NAMES {
        let units: Vec<&UnitId> = v.table.of_side(&me).map(|(id, _)| id).filter(|id| v.table.arm(id) == arm).collect();
        if units.len() > ARM_MOST {
            continue;
        }
        for name in names {
            units.iter().for_each(|id| known.name(name, Thing::Own((*id).clone())));
        }
    }
}

/// Distances, ways and places by numbers.
pub fn special(v: &View, rest: &[Heard]) -> Option<(usize, Thing)> {
    let word = rest.first()?;
    let next = rest.get(1);
    let digits = |w: &Heard| w.text.len() >= 3 && w.text.len() <= 5 && w.text.bytes().all(|b| b.is_ascii_digit());
    if digits(word) && next.is_some_and(digits) {
        let (x, y) = (word.text.parse().ok()?, next?.text.parse().ok()?);
        return Some((2, Thing::Spot(Spot::new(x, y))));
    }
    let lower = word.text.to_ascii_lowercase();
    let bare = lower.strip_suffix("um").unwrap_or(&lower);
    if word.text.len() == 3 && digits(word) {
        return Heading::parse(&word.text).map(|way| (1, Thing::Way(way)));
    }
    if let Some(far) = distance(bare) {
        let unit = next.is_some_and(|w| ["um", "ums", "units", "unit"].contains(&w.fold.as_str()));
        return Some((1 + usize::from(unit && bare.len() == lower.len()), Thing::Far(far)));
    }
    let upper = word.text.len() <= 3 && word.text.bytes().all(|b| b.is_ascii_uppercase()) && word.text != "I";
    let called = if upper { Some(word.text.as_str()) } else { wind(&word.fold) };
    let known =
        v.table.board.units.get_key_value(&UnitId(word.text.clone())).is_some_and(|(id, _)| words::told_of(v, id));
    called.filter(|_| !known).and_then(Heading::parse).map(|way| (1, Thing::Way(way)))
}

/// `2`, `0.5`, `1,5` as thousandths.
fn distance(text: &str) -> Option<i32> {
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let fits = |s: &str, most: usize| s.len() <= most && s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !fits(whole, 2) || !fits(part, 3) {
        return None;
    }
    Some(whole.parse::<i32>().ok()? * 1000 + format!("{part:0<3}").parse::<i32>().ok()?)
}

fn wind(fold: &str) -> Option<&'static str> {
    Some(match fold {
        "north" | "norden" | "nord" => "N",
        "south" | "suden" | "sud" => "S",
        "east" | "osten" | "ost" | "est" => "E",
        "west" | "westen" | "ouest" => "W",
        "northeast" | "north-east" | "nordosten" | "nord-est" => "NE",
        "northwest" | "north-west" | "nordwesten" | "nord-ouest" => "NW",
        "southeast" | "south-east" | "sudosten" | "sud-est" => "SE",
        "southwest" | "south-west" | "sudwesten" | "sud-ouest" => "SW",
        _ => return None,
    })
}

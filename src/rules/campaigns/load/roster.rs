//! The order of battle made sides, leaders and units, and its checks (¶14-21).

use super::desk::Desk;
use super::raw;
use crate::fog::SideId;
use crate::rules::campaigns::board::{Arm, Halves, LeaderId, LeaderSpec, OwnUnit, Quality, UnitId, UnitSpec};
use crate::yaml::{At, Decimal};
use std::collections::{BTreeMap, BTreeSet};

/// ¶23, 117 The strength of a counter without a printed maximum: the track of its leader holds it.
const UNCAPPED_SP: i32 = 99;

/// Everything on the counters.
#[derive(Default)]
pub(super) struct Roster {
    /// Keys of counters that have a flaw, and so are not in the lists.
    pub faulty: BTreeSet<String>,
    pub leaders: BTreeMap<LeaderId, LeaderSpec>,
    pub units: BTreeMap<UnitId, UnitSpec>,
}

/// Makes the roster; what has a flaw is left out.
pub(super) fn roster(raw: &raw::OrderOfBattle, desk: &mut Desk) -> Roster {
    let mut roster = Roster::default();
    if raw.sides.value.len() != 2 {
        desk.flaw(&raw.sides, "There must be two sides.", "Name two under sides.");
    }
    for (id, unit) in &raw.units {
        match unit_spec(id, unit, raw, desk) {
            Some(spec) => drop(roster.units.insert(spec.id.clone(), spec)),
            None => drop(roster.faulty.insert(id.clone())),
        }
    }
    let mut codes: BTreeMap<(SideId, String), String> = BTreeMap::new();
    for (id, leader) in &raw.leaders {
        let Some(spec) = leader_spec(id, leader, raw, desk) else {
            roster.faulty.insert(id.clone());
            continue;
        };
        if let Some(other) = codes.insert((spec.side.clone(), spec.code.clone()), spec.name.clone()) {
            let message = format!("Code {} is that of {other} too.", spec.code);
            desk.flaw(&leader.value.code, message, "Codes are unique in a side.");
        }
        roster.leaders.insert(spec.id.clone(), spec);
    }
    for (id, side) in &raw.sides.value {
        let commander = &side.value.commander;
        match roster.leaders.get(&LeaderId(commander.value.clone())) {
            None if roster.faulty.contains(&commander.value) => {}
            None => desk.unknown(commander, "leader", &commander.value, raw.leaders.keys().map(String::as_str)),
            Some(leader) if leader.side.0 != *id => {
                desk.flaw(commander, format!("{} is not of side {id}.", leader.name), "Name a leader of the side.");
            }
            Some(_) => {}
        }
    }
    roster
}

fn unit_spec(id: &str, at: &At<raw::Unit>, raw: &raw::OrderOfBattle, desk: &mut Desk) -> Option<UnitSpec> {
    let unit = &at.value;
    let side = side_of(&unit.side, raw, desk)?;
    match unit.max_sp {
        Some(n) if n < 1 => desk.flaw(at, format!("Unit {id}: max_sp is {n}."), "It must be 1 or more."),
        None if !unit.garrison && !unit.march_regiment => {
            let message = format!("Unit {id} has no max_sp (¶16).");
            desk.flaw(at, message, "Only garrisons and March Regiments may go without (¶23, 117).");
        }
        Some(_) | None => {}
    }
    if unit.garrison && unit.arm != Arm::Infantry {
        desk.flaw(at, format!("Garrison {id} is not infantry."), "Write arm: infantry.");
    }
    if unit.garrison && unit.march_regiment {
        desk.flaw(at, format!("Garrison {id} is a March Regiment too."), "Take one of the two out.");
    }
    Some(UnitSpec {
        id: UnitId(id.to_owned()),
        side,
        name: unit.name.clone(),
        arm: unit.arm,
        nationality: unit.nationality.clone(),
        quality: unit.quality.unwrap_or(Quality::Line),
        subordination: halves(unit.subordination, "subordination", at, desk),
        max_sp: unit.max_sp.unwrap_or(UNCAPPED_SP),
        replacement: unit.replacement,
        allowance: halves(unit.allowance, "move", at, desk),
        garrison: unit.garrison,
        march_regiment: unit.march_regiment,
        foot: foot(unit, raw, desk),
    })
}

/// ¶424 The infantry half of a cavalry unit, of its side and nationality.
fn foot(unit: &raw::Unit, raw: &raw::OrderOfBattle, desk: &mut Desk) -> Option<UnitId> {
    let name = unit.foot.as_ref()?;
    let Some(half) = raw.units.get(&name.value).map(|u| &u.value) else {
        desk.unknown(name, "unit", &name.value, raw.units.keys().map(String::as_str));
        return None;
    };
    let alike = half.side.value == unit.side.value && half.nationality == unit.nationality;
    if unit.arm != Arm::Cavalry || half.arm != Arm::Infantry || half.garrison || !alike {
        let message = format!("{} is not the infantry half of {} (¶424).", half.name, unit.name);
        desk.flaw(name, message, "Name infantry of the same side and nationality, under a cavalry unit.");
        return None;
    }
    Some(UnitId(name.value.clone()))
}

fn leader_spec(id: &str, at: &At<raw::Leader>, raw: &raw::OrderOfBattle, desk: &mut Desk) -> Option<LeaderSpec> {
    let leader = &at.value;
    let side = side_of(&leader.side, raw, desk)?;
    let code = &leader.code;
    if code.value.len() != 3 || !code.value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()) {
        let message = format!("Code \"{}\" is not three capitals.", code.value);
        desk.flaw(code, message, "Write three capitals or digits, such as LAN or MC1.");
    }
    if !(1..=9).contains(&leader.initiative) || !(0..=9).contains(&leader.bonus) {
        desk.flaw(
            at,
            format!("Leader {id}: initiative or bonus is out of range."),
            "Initiative is 1 to 9, bonus 0 to 9.",
        );
    }
    let nationality = leader.nationality.clone().unwrap_or_else(|| commonest(&side, raw));
    Some(LeaderSpec {
        id: LeaderId(id.to_owned()),
        side,
        name: leader.name.clone(),
        code: code.value.clone(),
        nationality,
        initiative: leader.initiative,
        bonus: leader.bonus,
        subordination: halves(leader.subordination, "subordination", at, desk),
        span: halves(leader.span, "span", at, desk),
        major_general: leader.major_general,
        keeps_rating: leader.keeps_rating,
        rank: leader.rank,
        top_box: leader.top_box,
        own_unit: own_unit(leader, raw, desk),
    })
}

/// ¶124-125 The one unit that a leader may command, of his side.
fn own_unit(leader: &raw::Leader, raw: &raw::OrderOfBattle, desk: &mut Desk) -> Option<OwnUnit> {
    let at = leader.own_unit.as_ref()?;
    match raw.units.get(&at.value) {
        Some(unit) if unit.value.side.value == leader.side.value => {
            Some(OwnUnit { unit: UnitId(at.value.clone()), dies: leader.dies_with_it })
        }
        Some(_) => {
            desk.flaw(at, format!("Unit {} is of the other side.", at.value), "Name one of his side.");
            None
        }
        None => {
            desk.unknown(at, "unit", &at.value, raw.units.keys().map(String::as_str));
            None
        }
    }
}

fn side_of(at: &At<String>, raw: &raw::OrderOfBattle, desk: &mut Desk) -> Option<SideId> {
    if raw.sides.value.contains_key(&at.value) {
        return Some(SideId(at.value.clone()));
    }
    desk.unknown(at, "side", &at.value, raw.sides.value.keys().map(String::as_str));
    None
}

fn halves<T>(decimal: Decimal, field: &str, at: &At<T>, desk: &mut Desk) -> Halves {
    if decimal.tenths < 0 || decimal.tenths % 5 != 0 {
        desk.flaw(at, format!("The {field} is neither whole nor a half."), "Write such as 1, 1.5 or 2.");
    }
    Halves(decimal.tenths / 5)
}

/// The nationality of most units of a side; the first in the alphabet of equals.
fn commonest(side: &SideId, raw: &raw::OrderOfBattle) -> String {
    let of_side = || raw.units.values().map(|u| &u.value).filter(|u| u.side.value == side.0);
    let names: BTreeSet<&String> = of_side().map(|u| &u.nationality).collect();
    let count = |name: &String| of_side().filter(|u| u.nationality == *name).count();
    let best = names.into_iter().rev().max_by_key(|name| count(name));
    best.cloned().unwrap_or_default()
}

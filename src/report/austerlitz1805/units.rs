//! Units in columns: label, name, arm, formation, front, place, ratings, state.

use crate::fog::SideId;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::morale;
use crate::rules::austerlitz1805::state::{GunPlan, Hidden};
use crate::rules::austerlitz1805::table::{Mark, Mood, Unit, wind};
use crate::rules::austerlitz1805::view::View;
use crate::text;

/// The viewer's own units.
pub fn own(v: &View, width: usize) -> Vec<String> {
    let me = v.me();
    lines(v, width, |side| *side == me)
}

/// The enemy's units: what lies face up is known exactly.
pub fn enemy(v: &View, width: usize) -> Vec<String> {
    let me = v.me();
    let mut found = lines(v, width, |side| *side != me);
    for (label, names) in [("Lost by you: ", v.lost(true)), ("Lost by the enemy: ", v.lost(false))] {
        let names = names.join(", ");
        if !names.is_empty() {
            found.extend(text::wrap(&names, width, label, 4));
        }
    }
    found
}

/// 4.4, 10 What a side has planned for its fire; its own paper and the umpire's show it, the enemy's never.
pub fn plans(own: &Hidden, width: usize) -> Vec<String> {
    let joined =
        |unit: &UnitId| own.guns.values().any(|plan| matches!(plan, GunPlan::Fire { with, .. } if with.contains(unit)));
    let guns = own.guns.iter().filter_map(|(unit, plan)| match plan {
        // A battery that adds its fire to another's stands in the other's line.
        GunPlan::Hold if joined(unit) => None,
        GunPlan::Hold => Some(format!("{unit} will hold its fire in the enemy's player-turn. [4.4]")),
        GunPlan::Fire { at, canister, with } => {
            let others: String = with.iter().map(|other| format!(" with {other}")).collect();
            let shot = if *canister { "canister" } else { "round shot" };
            Some(format!("{unit}{others} will fire {shot} at {at} in the enemy's player-turn. [4.4]"))
        }
    });
    let volleys =
        own.volleys.iter().map(|(unit, on)| format!("{unit} will fire muskets at {on} in the next musketry. [10]"));
    let back = own.returns.iter().map(|(unit, plan)| {
        let form = plan.form.map_or(String::new(), |form| format!(" in {}", form.word()));
        format!("{unit} is to come back at {}{form}. [19.4]", plan.at)
    });
    guns.chain(volleys).chain(back).flat_map(|line| text::wrap(&line, width, "", 4)).collect()
}

/// State, steps and markers, a character each.
pub fn signs(v: &View, id: &UnitId, unit: &Unit) -> String {
    let two = matches!(v.table.arm(id), Arm::Infantry | Arm::Cavalry);
    let mood = match unit.mood {
        Mood::Fit => "",
        Mood::S => "S",
        Mood::D => "D",
        Mood::R => "R",
    };
    let flags = [
        (two && unit.steps == 1, '1'),
        (v.table.combat_of(id).is_some(), '!'),
        (unit.has(Mark::Crewless), 'x'),
        (unit.has(Mark::Empty1) || unit.has(Mark::Empty2), 'e'),
    ];
    mood.chars().chain(flags.into_iter().filter(|(on, _)| *on).map(|(_, sign)| sign)).collect()
}

fn lines(v: &View, width: usize, mine: impl Fn(&SideId) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (id, unit) in v.table.units.iter().filter(|(_, u)| mine(&u.side)) {
        found.extend(line(v, id, unit, width));
    }
    if !found.is_empty() {
        found.insert(0, "   unit            arm formation  front   at           rating state".to_owned());
        found.push("Rating: fire/combat/morale as they count now; guns fire/HD/morale.".to_owned());
    }
    found
        .into_iter()
        .flat_map(|l| if l.chars().count() > width { text::wrap(&l, width, "", 4) } else { vec![l] })
        .collect()
}

/// An arm as rows and pictures have it.
pub fn arm_word(arm: Arm) -> &'static str {
    match arm {
        Arm::Infantry => "inf",
        Arm::Cavalry => "cav",
        Arm::Artillery => "art",
        Arm::Hq => "HQ",
    }
}

fn line(v: &View, id: &UnitId, unit: &Unit, _: usize) -> Vec<String> {
    let Some(spec) = v.table.spec(id) else { return Vec::new() };
    let arm = arm_word(spec.arm);
    let morale = morale::rating(&v.table, id);
    let lost = if matches!(spec.arm, Arm::Infantry | Arm::Cavalry) { 2 - i32::from(unit.steps) } else { 0 };
    let ratings = match spec.arm {
        Arm::Infantry => format!("{}/{}/{morale}", spec.fire - lost, spec.combat - lost),
        Arm::Cavalry => format!("-/{}/{morale}", spec.combat - lost),
        Arm::Artillery => format!("{}/{}/{morale}", spec.fire, spec.hd),
        Arm::Hq => format!("-/-/{}", spec.morale),
    };
    if let Some(with) = &unit.with {
        return vec![format!("   {:<15} {arm:<3} with {with}   {ratings}", id.0)];
    }
    let pose = unit.pose;
    let front = format!("{:<2} {}", wind(pose.facing), pose.facing);
    let state = state(v, id, unit);
    let at = pose.at.to_string();
    let code = v.table.label(id);
    let form = unit.form.word();
    vec![
        format!("{code:<2} {:<15} {arm:<3} {form:<10} {front:<7} {at:<12} {ratings:<6} {state}", id.0)
            .trim_end()
            .to_owned(),
    ]
}

/// State, steps, markers, combat, in a few letters.
fn state(v: &View, id: &UnitId, unit: &Unit) -> String {
    let mut words = Vec::new();
    match unit.mood {
        Mood::Fit => {}
        Mood::S => words.push("S"),
        Mood::D => words.push("D"),
        Mood::R => words.push("R"),
    }
    if unit.steps == 1 && matches!(v.table.arm(id), Arm::Infantry | Arm::Cavalry) {
        words.push("1 step");
    }
    let marks = [
        (Mark::Rage, "rage"),
        (Mark::Fired, "fired"),
        (Mark::Crewless, "no crew"),
        (Mark::Leaderless, "falls back"),
        (Mark::Empty2, "no ammo 2"),
        (Mark::Empty1, "no ammo 1"),
    ];
    words.extend(marks.iter().filter(|(mark, _)| unit.has(*mark)).map(|(_, word)| *word));
    if v.table.combat_of(id).is_some() {
        words.push("in combat");
    }
    words.join(", ")
}

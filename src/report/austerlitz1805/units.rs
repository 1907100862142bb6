//! Units in columns: letter on the map, name, arm, formation, front, place, ratings, state.

use crate::fog::SideId;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::morale;
use crate::rules::austerlitz1805::state::{GunPlan, Hidden};
use crate::rules::austerlitz1805::table::{Formation, Mark, Mood, Unit, wind};
use crate::rules::austerlitz1805::view::View;
use crate::text;

/// The letter of a unit on the map: capitals for the viewer's own, small ones for the enemy; digits when they run out.
pub fn letter(v: &View, id: &UnitId) -> char {
    let side = v.table.side(id);
    let own = v.side.as_ref().is_none_or(|me| *me == side) && first_side(v, &side);
    let mut ids: Vec<&UnitId> = v
        .table
        .board
        .units
        .values()
        .filter(|s| s.side == side && v.table.unit(&s.id).is_some())
        .map(|s| &s.id)
        .collect();
    ids.sort();
    ids.retain(|i| v.table.unit(i).is_some_and(|u| u.with.is_none()));
    let at = ids.iter().position(|i| *i == id).unwrap_or(0);
    let all: Vec<char> = if own { ('A'..='Z').chain('0'..='9').collect() } else { ('a'..='z').collect() };
    // v stands for a front to the south.
    let free: Vec<char> = all.into_iter().filter(|c| *c != 'v' && *c != 'o').collect();
    free.get(at % free.len().max(1)).copied().unwrap_or('?')
}

fn first_side(v: &View, side: &SideId) -> bool {
    v.side.is_some() || v.table.board.sides.first().is_some_and(|s| s.id == *side)
}

/// Longer lists stand two abreast, without ratings, where not all is wanted.
const LONG: usize = 16;

/// The viewer's own units.
pub fn own(v: &View, width: usize, whole: bool) -> Vec<String> {
    let me = v.me();
    lines(v, width, whole, |side| *side == me)
}

/// The enemy's units: what lies face up is known exactly.
pub fn enemy(v: &View, width: usize, whole: bool) -> Vec<String> {
    let me = v.me();
    let mut found = lines(v, width, whole, |side| *side != me);
    let lost = |mine: bool| {
        let names: Vec<String> =
            v.table.lost.iter().filter(|id| (v.table.side(id) == me) == mine).map(ToString::to_string).collect();
        names.join(", ")
    };
    for (label, names) in [("Lost by you: ", lost(true)), ("Lost by the enemy: ", lost(false))] {
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

/// Two units a line: letter, name, formation, front, place, state.
fn abreast(v: &View, mine: impl Fn(&SideId) -> bool) -> Vec<String> {
    let cell = |(id, unit): (&UnitId, &Unit)| match &unit.with {
        Some(with) => format!("  {:<13} with {with}", id.0),
        None => {
            let (form, facing, at) = (form_letter(unit.form), unit.pose.facing, unit.pose.at.to_string());
            let signs = signs(v, id, unit);
            format!("{} {:<13} {form} {facing} {at:<11} {signs}", letter(v, id), id.0)
        }
    };
    let cells: Vec<String> = v.table.units.iter().filter(|(_, u)| mine(&u.side)).map(cell).collect();
    let half = cells.len().div_ceil(2);
    let row = |n: usize| {
        let (left, right) = (cells.get(n).map_or("", String::as_str), cells.get(half + n).map_or("", String::as_str));
        format!("{left:<37} {right}").trim_end().to_owned()
    };
    let mut lines: Vec<String> = (0..half).map(row).collect();
    lines.push("l line, c column, q square, u guns ready, b on the road; degrees, place; S D R;".to_owned());
    lines.push("1 one step, ! in combat, x no crew, e no ammunition.  REPORT adds ratings.".to_owned());
    lines
}

fn form_letter(form: Formation) -> char {
    match form {
        Formation::Line => 'l',
        Formation::Column => 'c',
        Formation::Square => 'q',
        Formation::Unlimbered => 'u',
        Formation::Limbered => 'b',
        Formation::Staff => '-',
    }
}

/// State, steps and markers, a character each.
fn signs(v: &View, id: &UnitId, unit: &Unit) -> String {
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

fn lines(v: &View, width: usize, whole: bool, mine: impl Fn(&SideId) -> bool) -> Vec<String> {
    if !whole && width >= text::WIDTH && v.table.units.values().filter(|u| mine(&u.side)).count() > LONG {
        return abreast(v, mine);
    }
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

fn line(v: &View, id: &UnitId, unit: &Unit, _: usize) -> Vec<String> {
    let Some(spec) = v.table.spec(id) else { return Vec::new() };
    let arm = match spec.arm {
        Arm::Infantry => "inf",
        Arm::Cavalry => "cav",
        Arm::Artillery => "art",
        Arm::Hq => "HQ",
    };
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
    let code = letter(v, id);
    let form = unit.form.word();
    vec![
        format!("{code}  {:<15} {arm:<3} {form:<10} {front:<7} {at:<12} {ratings:<6} {state}", id.0)
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
        (Mark::Leaderless, "goes back"),
        (Mark::Empty2, "no ammo 2"),
        (Mark::Empty1, "no ammo 1"),
    ];
    words.extend(marks.iter().filter(|(mark, _)| unit.has(*mark)).map(|(_, word)| *word));
    if v.table.combat_of(id).is_some() {
        words.push("in combat");
    }
    words.join(", ")
}

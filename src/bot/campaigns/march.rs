//! How forces go where they are to be: commands, initiative, and away from what is too strong (¶147-217, 297).

use super::plan::{self, Body, Stack, Task};
use super::{Mind, battle};
use crate::hex::Hex;
use crate::rules::campaigns::march::column::Column;
use std::collections::BTreeMap;

/// Enemies within this many hexes threaten.
const THREAT: u32 = 2;
/// AP that commands leave for attrition (¶74).
const AP_KEPT: i32 = 2;
/// A force of this strength declares repulses (¶241).
const REPULSES: i32 = 9;
/// Enemies in per cent of the own strength before which a force goes back.
const TOO_STRONG: i32 = 170;
/// Hexes that a force goes back at once.
const BACK: usize = 5;
/// Own SP this near to a friend, in hexes, are a mass to fall back on.
const FRIENDS: u32 = 8;

/// A march of this turn.
struct March {
    body: Body,
    way: Vec<Hex>,
    /// Whether it ends next to whom it attacks.
    strikes: bool,
    /// Whether points wait at its end.
    takes: bool,
}

/// Sheet A: commands first, for those who attack and then for those who have the longest way; initiative for all others.
pub fn forces(mind: &Mind<'_>) -> Vec<String> {
    let tasks = plan::tasks(mind);
    let mut marches: Vec<March> = Vec::new();
    // Who stays keeps his place in his hex.
    let mut ends: BTreeMap<Hex, Stack> = BTreeMap::new();
    for (body, task) in tasks {
        match march(mind, &body, task) {
            Some((way, strikes)) => marches.push(March { body, way, strikes, takes: matches!(task, Task::Take(_)) }),
            None => ends.entry(body.from).or_default().push((body.leader.clone(), body.sp)),
        }
    }
    marches.sort_by_key(|m| (!m.takes, !m.strikes, -m.body.sp, m.body.leader.clone()));
    let kept = if mind.turns_left() <= 1 { 0 } else { AP_KEPT };
    let spare = usize::try_from(mind.v.own.army.ap - kept).unwrap_or(0);
    let (mut commanded, mut others) = (Vec::new(), Vec::new());
    for mut march in marches {
        // ¶138: nobody marches where he could not stay.
        while march.way.len() > 1 && !room(mind, &ends, &march) {
            march.way.pop();
        }
        let end = march.way.last().copied().unwrap_or(march.body.from);
        ends.entry(end).or_default().push((march.body.leader.clone(), march.body.sp));
        let by_command = if commanded.len() < spare { line(mind, &march, "COMMAND") } else { None };
        match by_command {
            Some(line) => commanded.push(line),
            None => others.extend(line(mind, &march, "INITIATIVE")),
        }
    }
    commanded.into_iter().chain(others).collect()
}

fn room(mind: &Mind<'_>, ends: &BTreeMap<Hex, Stack>, march: &March) -> bool {
    let there = march.way.last().and_then(|end| ends.get(end));
    there.is_none_or(|there| plan::fits(mind, there, &march.body))
}

fn line(mind: &Mind<'_>, march: &March, how: &str) -> Option<String> {
    let body = &march.body;
    let code = mind.v.board.leaders.get(&body.leader).map(|s| s.code.clone())?;
    let end = march.way.last().copied().unwrap_or(body.from);
    let bold = body.sp >= REPULSES && mind.in_zone(end) && !march.strikes;
    let clause = if bold { " IF CONTACT REPULSE ELSE STOP" } else { "" };
    mind.longest(&march.way, |path| format!("FORCE {code} {how} MARCH {path}{clause}"))
}

/// The way of a force this turn, its own hex first, and whether it ends in an attack; `None` where it stays.
fn march(mind: &Mind<'_>, body: &Body, task: Task) -> Option<(Vec<Hex>, bool)> {
    if let Task::Attack { at, .. } = task {
        return (at != body.from).then(|| (body.way(at), true));
    }
    let goal = match task {
        Task::Hold => return None,
        Task::Go(goal) | Task::Take(goal) | Task::Attack { at: goal, .. } => goal,
    };
    let bold = mind.sit.enemy.contains_key(&goal) && body.sp * 100 >= mind.foe_near(goal, 1) * mind.boldness;
    let way = mind.way(body.from, goal, body.column.all_horse());
    let part = way.map(|way| mind.part(&way, &body.column, bold)).filter(|part| part.len() > 1);
    // Who is threatened goes on only where that takes him out of it, or to take a place.
    let safe =
        |end: &Hex| matches!(task, Task::Take(_)) || *end == goal || mind.far(*end) > THREAT || !threatened(mind, *end);
    match part {
        Some(part) if !threatened(mind, body.from) || part.last().is_some_and(safe) => Some((part, false)),
        _ if threatened(mind, body.from) => away(mind, body.from, &body.column).map(|way| (way, false)),
        _ => None,
    }
}

/// Whether the enemy near a hex is far stronger than who could stand together there.
fn threatened(mind: &Mind<'_>, hex: Hex) -> bool {
    mind.foe_near(hex, THREAT) * 100 > mind.own_near(hex, THREAT + 1) * TOO_STRONG
}

/// Back toward friends, else along the line toward the own center or source, some hexes at a time.
fn away(mind: &Mind<'_>, from: Hex, column: &Column) -> Option<Vec<Hex>> {
    let army = &mind.v.own.army;
    let safer = |hex: Hex| mind.far(hex) > mind.far(from);
    let near = mind.masses.iter().filter(|(hex, _)| *hex != from && hex.distance(from) <= FRIENDS && safer(*hex));
    let friends = near.max_by_key(|(hex, sp)| (*sp, std::cmp::Reverse(*hex))).map(|(hex, _)| *hex);
    let homes = friends.into_iter().chain(army.center).chain(army.source).filter(|home| *home != from);
    let back = |home: Hex| {
        let way = mind.way(from, home, column.all_horse())?;
        let part: Vec<Hex> = mind.part(&way, column, false).into_iter().take(BACK + 1).collect();
        (part.len() > 1 && part.last().is_some_and(|end| safer(*end))).then_some(part)
    };
    homes.into_iter().find_map(back).or_else(|| step_back(mind, from))
}

/// One step to the neighbour farthest from the enemy, if that is farther than here.
fn step_back(mind: &Mind<'_>, from: Hex) -> Option<Vec<Hex>> {
    let near = mind.v.board.map.neighbours(from).into_iter();
    let open = near.filter(|h| mind.sit.step(from, *h, false).is_some() && !mind.in_zone(*h));
    let best = open.max_by_key(|h| (mind.far(*h), std::cmp::Reverse(*h)))?;
    (mind.far(best) > mind.far(from)).then(|| vec![from, best])
}

/// Sheet R: who stands before a far stronger enemy marches away if he can, but from no dear place; the others are told
/// how to defend.
pub fn reaction(mind: &Mind<'_>) -> Vec<String> {
    let (mut marches, mut plans) = (Vec::new(), Vec::new());
    let dear: Vec<Hex> = mind.places().into_iter().filter(|p| p.stake > 1).map(|p| p.hex).collect();
    let mut seen: Vec<Hex> = Vec::new();
    for (leader, hex) in mind.v.own.on_map() {
        if mind.v.own.unemployed(leader) || mind.far(hex) > THREAT {
            continue;
        }
        let odds = mind.own_near(hex, 1) * 100 / mind.foe_near(hex, 1).max(1);
        let least = if dear.contains(&hex) { mind.boldness / 3 } else { mind.boldness * 3 / 5 };
        let column = Column::of(&mind.v.board, &mind.v.own, &mind.v.own.force(leader));
        let code = mind.v.board.leaders.get(leader).map(|s| s.code.clone()).unwrap_or_default();
        if odds < least
            && let Some(way) = away(mind, hex, &column)
        {
            let short: Vec<Hex> = way.into_iter().take(3).collect();
            if let Some(line) = mind.longest(&short, |path| format!("FORCE {code} FORCED MARCH {path}")) {
                marches.push(line);
                // Nobody may be left there to be told how to defend.
                seen.push(hex);
            }
        }
        if !seen.contains(&hex) && mind.far(hex) <= 1 {
            seen.push(hex);
            plans.extend(battle::defence(mind, hex, odds));
        }
    }
    marches.into_iter().chain(plans).collect()
}

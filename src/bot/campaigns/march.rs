//! Where forces go: toward objectives and weaker enemies, away from stronger ones, else together (¶147-217, 297).

use super::{Mind, battle};
use crate::hex::Hex;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::march::column::Column;

/// Own SP within this many hexes of an enemy count as able to join an attack on it.
const JOIN: u32 = 5;
/// Enemies within this many hexes threaten.
const THREAT: u32 = 2;
/// AP that commands leave for attrition (¶74).
const AP_KEPT: i32 = 4;
/// A force of this strength declares repulses (¶241).
const REPULSES: i32 = 9;

/// What a point of an objective weighs against a battle, which weighs 30 to 50.
const OBJECTIVE: i32 = 100;

/// What a force is to do.
struct Task {
    leader: LeaderId,
    from: Hex,
    sp: i32,
    way: Vec<Hex>,
}

/// Sheet A: commands first, for the largest forces that have the longest way, then initiative for all others.
pub fn forces(mind: &Mind<'_>) -> Vec<String> {
    let mut tasks: Vec<Task> = Vec::new();
    let all: Vec<(LeaderId, Hex)> = mind.v.own.on_map().map(|(id, hex)| (id.clone(), hex)).collect();
    for (leader, from) in all {
        if mind.v.own.unemployed(&leader) {
            continue;
        }
        if let Some(way) = decide(mind, &leader, from) {
            let sp = mind.v.own.sp(&leader);
            tasks.push(Task { leader, from, sp, way });
        }
    }
    tasks.sort_by_key(|t| (std::cmp::Reverse((t.way.len(), t.sp)), t.leader.clone()));
    let spare = usize::try_from(mind.v.own.army.ap - AP_KEPT).unwrap_or(0);
    let mut commanded = Vec::new();
    let mut others = Vec::new();
    let mut taken: Vec<Hex> = Vec::new();
    for task in &mut tasks {
        // Two columns that end in one hex may be too many for it.
        while task.way.len() > 2 && task.way.last().is_some_and(|end| taken.contains(end)) {
            task.way.pop();
        }
        if task.way.last().is_some_and(|end| taken.contains(end)) {
            continue;
        }
        taken.extend(task.way.last());
        let by_command = if commanded.len() < spare { line(mind, task, "COMMAND") } else { None };
        match by_command {
            Some(line) => commanded.push(line),
            None => others.extend(line(mind, task, "INITIATIVE")),
        }
    }
    commanded.into_iter().chain(others).collect()
}

fn line(mind: &Mind<'_>, task: &Task, how: &str) -> Option<String> {
    let code = mind.v.board.leaders.get(&task.leader).map(|s| s.code.clone())?;
    let end = task.way.last().copied().unwrap_or(task.from);
    let bold = task.sp >= REPULSES && mind.in_zone(end);
    let clause = if bold { " IF CONTACT REPULSE ELSE STOP" } else { "" };
    mind.longest(&task.way, |path| format!("FORCE {code} {how} MARCH {path}{clause}"))
}

/// The way of a force this turn, its own hex first; `None` where it stays.
fn decide(mind: &Mind<'_>, leader: &LeaderId, from: Hex) -> Option<Vec<Hex>> {
    let column = Column::of(&mind.v.board, &mind.v.own, &mind.v.own.force(leader));
    let threatened = mind.foe_near(from, THREAT) * 100 > mind.own_near(from, THREAT + 1) * (mind.boldness + 60);
    if threatened {
        return away(mind, from, &column);
    }
    let goal = goal(mind, leader, from)?;
    let way = mind.way(from, goal, column.all_horse())?;
    let bold = mind.sit.enemy.contains_key(&goal) || mind.own_near(from, JOIN) * 100 >= near_goal(mind, goal);
    let part = mind.part(&way, &column, bold);
    (part.len() > 1).then_some(part)
}

/// Enemy SP round a goal that own forces must match.
fn near_goal(mind: &Mind<'_>, goal: Hex) -> i32 {
    mind.foe_near(goal, 1) * mind.boldness
}

/// Where a force wants to go: the goal of greatest worth for its distance.
fn goal(mind: &Mind<'_>, leader: &LeaderId, from: Hex) -> Option<Hex> {
    let side = mind.v.side_id();
    let mut goals: Vec<(i32, Hex)> = Vec::new();
    for objective in &mind.v.board.objectives {
        let points = objective.points.get(&side).copied().unwrap_or(0);
        if points > 0 && mind.v.control.get(&objective.hex) != Some(&side) {
            goals.push((OBJECTIVE * points, objective.hex));
        }
    }
    for foe in mind.foes() {
        let odds = mind.own_near(foe, JOIN) * 100 / mind.foe_at(foe).max(1);
        if odds >= mind.boldness {
            goals.push((30 + (odds - mind.boldness).min(100) / 5, foe));
        }
    }
    // Strength draws strength: the largest own force next to the enemy.
    let masses = mind.v.own.on_map().filter(|(id, hex)| *id != leader && mind.far(*hex) <= 4);
    goals.extend(masses.map(|(id, hex)| (mind.v.own.sp(id), hex)));
    let taste = |hex: Hex| mind.noise.below(&format!("goal {leader} {hex}"), 10);
    let worth = |worth: i32, hex: Hex| {
        let far = i32::try_from(hex.distance(from)).unwrap_or(99);
        (worth * (100 + taste(hex))) / (far + 4)
    };
    let reachable = goals.into_iter().filter(|(_, hex)| *hex != from);
    reachable.max_by_key(|(w, hex)| (worth(*w, *hex), std::cmp::Reverse(*hex))).map(|(_, hex)| hex)
}

/// A way to the own center, or to the farthest hex in reach from the enemy.
fn away(mind: &Mind<'_>, from: Hex, column: &Column) -> Option<Vec<Hex>> {
    let home = mind.v.own.army.center.or(mind.v.own.army.source)?;
    let way = mind.way(from, home, column.all_horse()).filter(|way| way.len() > 1);
    let part = way.map(|way| mind.part(&way, column, false)).filter(|part| part.len() > 1);
    let safer = |part: &Vec<Hex>| part.last().is_some_and(|end| mind.far(*end) > mind.far(from));
    part.filter(safer).or_else(|| step_back(mind, from))
}

/// One step to the neighbour farthest from the enemy, if that is farther than here.
fn step_back(mind: &Mind<'_>, from: Hex) -> Option<Vec<Hex>> {
    let near = mind.v.board.map.neighbours(from).into_iter();
    let open = near.filter(|h| mind.sit.step(from, *h, false).is_some() && !mind.in_zone(*h));
    let best = open.max_by_key(|h| (mind.far(*h), std::cmp::Reverse(*h)))?;
    (mind.far(best) > mind.far(from)).then(|| vec![from, best])
}

/// Sheet R: who stands before a far stronger enemy marches away if he can; the others are told how to defend.
pub fn reaction(mind: &Mind<'_>) -> Vec<String> {
    let (mut marches, mut plans) = (Vec::new(), Vec::new());
    let mut seen: Vec<Hex> = Vec::new();
    for (leader, hex) in mind.v.own.on_map() {
        if mind.v.own.unemployed(leader) || mind.far(hex) > THREAT {
            continue;
        }
        let odds = mind.own_near(hex, 1) * 100 / mind.foe_near(hex, 1).max(1);
        let column = Column::of(&mind.v.board, &mind.v.own, &mind.v.own.force(leader));
        let code = mind.v.board.leaders.get(leader).map(|s| s.code.clone()).unwrap_or_default();
        if odds < mind.boldness * 2 / 3
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
            plans.extend(battle::kind(mind, "DEFEND", hex, odds));
        }
    }
    marches.into_iter().chain(plans).collect()
}

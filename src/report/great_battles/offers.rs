//! Lines of the open sheet that would be taken as they stand, one below the other: what the program itself would write.

use super::my_sheet;
use crate::hex::Hex;
use crate::orders;
use crate::rules::great_battles::board::Arm;
use crate::rules::great_battles::pose::Pose;
use crate::rules::great_battles::state::{Acting, At, Level, State, Step, Unit};
use crate::rules::great_battles::view::View;
use crate::rules::great_battles::{GreatBattles, pool, solo};
use crate::rules::rehearsal::{Caution, Plan, Rehearsed};

/// Lines that a letter offers at most: a division with all who may act, and its leaders.
const OFFERS: usize = 20;
/// Who is tried for a pick, at most.
const PICKS: usize = 4;
/// What ends a sheet.
const END: &str = "END";
/// Words that are no plan, or that anybody knows.
const IDLE: [&str; 2] = [END, "COMBAT"];

/// 4.5.2 The other divisions of a corps, that may try as well.
fn others(plan: &mut Plan<GreatBattles>) -> Vec<String> {
    let todo = plan.now().state.acting.as_ref().map(|acting| acting.todo.clone()).unwrap_or_default();
    // Below a division that has not moved it would end its movement.
    let sound = |tried: &Rehearsed<View>| tried.warnings.iter().all(|warning| warning.kind != Caution::NoOrders);
    let lines = todo.iter().map(|division| format!("ACTIVATE {division} FULL"));
    lines.filter(|line| plan.keep(&orders::line(1, line), sound)).collect()
}

/// No nearer enemy is looked at.
const NEAR: u32 = 3;
/// So far from an enemy who is Shaken, or worse, had better stay.
const SHY: u32 = 2;

/// From so far an enemy may come in one activation.
const REACH: u32 = 8;

/// Whether a line that is copied without a thought would do harm: somebody Shaken comes nearer to the enemy, somebody turns
/// away from one who is near or goes back before one who can come, or somebody leaves a place that counts: the last in his
/// hex, or before an enemy who can come.
fn harms(v: &View, after: &View) -> bool {
    let (was, is) = (&v.state, &after.state);
    let counts = |hex: Hex| {
        let place = was.board.ground.field.place(hex);
        place.is_some_and(|place| was.board.scenario.victory.places.contains_key(place))
    };
    let held = |hex: Hex| is.stack(hex).iter().any(|id| is.is_of(id, &v.side));
    let looks = |s: &State, id: &str| {
        let Some(pose) = s.pose(id) else { return false };
        let foes = s.enemies(&v.side).map(|(.., foe)| foe.head);
        let near = foes.min_by_key(|foe| (pose.distance(*foe), *foe));
        near.is_none_or(|foe| pose.front().iter().any(|hex| hex.distance(foe) < pose.distance(foe)))
    };
    let moved = |id: &str, pose: Pose| is.is_of(id, &v.side) && was.pose(id).is_some_and(|old| old != pose);
    is.standing().filter(|(id, _, pose)| moved(id, *pose)).any(|(id, u, pose)| {
        let (near, old) = (is.enemy_of(id), was.enemy_of(id));
        let shy = u.level >= Level::Shaken && near < old && near <= SHY;
        let away = near <= NEAR && !pose.form.all_round() && looks(was, id) && !looks(is, id);
        let from = was.hex(id).filter(|from| *from != pose.head && counts(*from) && !held(*from));
        let comes = |hex: Hex| was.enemies(&v.side).any(|(.., foe)| foe.head.distance(hex) <= REACH);
        let leaves = was.hex(id).is_some_and(|from| counts(from) && !counts(pose.head) && comes(from));
        // Foot and horse in order, who hold the ground before an enemy, and take no place that counts by leaving it.
        let firm = u.level == Level::Good && !is.is_arm(id, Arm::Art) && old <= REACH;
        let yields = was.hex(id).is_some_and(|from| firm && near > old && (counts(from) || !counts(pose.head)));
        shy || away || leaves || yields || from.is_some_and(|_| !counts(pose.head))
    })
}

/// Lines of the open sheet; END below them only where nobody else may still act, so that who copies them gives nothing away.
pub fn offers(v: &View) -> Vec<String> {
    if !my_sheet(v) {
        return Vec::new();
    }
    let picks = matches!(v.state.at, At::Others(_)) && v.state.acting.is_none();
    if !picks {
        return planned(v, None);
    }
    // 3.0 A pick by which nobody does anything is spent for nothing.
    let deeds =
        |found: &Vec<String>| found.iter().any(|line| !["PICK ", "ACTIVATE ", END].iter().any(|w| line.starts_with(w)));
    let who = pool::picks(&v.state, &v.side).into_iter().take(PICKS);
    who.map(|who| planned(v, Some(format!("PICK {who}")))).find(deeds).unwrap_or_default()
}

/// What the program would write, behind a pick if there is one.
fn planned(v: &View, pick: Option<String>) -> Vec<String> {
    let (mut found, mut plan): (Vec<String>, Plan<GreatBattles>) = (Vec::new(), Plan::new(v.clone()));
    found.extend(pick.filter(|pick| plan.keep(&orders::line(1, pick), |_| true)));
    for step in [Step::Attempt, Step::Movement, Step::Fire] {
        let called = if step == Step::Fire { others(&mut plan) } else { Vec::new() };
        // 4.6.1, 4.5.2.2 A shot would end the movement of divisions that have still to try, or to move.
        let moves = |acting: &Acting| !called.is_empty() || !acting.todo.is_empty();
        let late = |acting: &Acting| step == Step::Fire && acting.step < step && moves(acting);
        if plan.now().state.acting.as_ref().is_some_and(|acting| acting.step > step || late(acting)) {
            found.extend(called);
            continue;
        }
        add(&mut found, &mut plan, step);
    }
    let rides = led(&mut plan);
    found.extend(rides.into_iter().filter(|line| !found.contains(line)).collect::<Vec<_>>());
    if !found.is_empty() && is_all(&plan, &found) {
        found.push(END.to_owned());
    }
    found
}

/// The lines of a step that are taken behind those above them, and do no harm.
fn add(found: &mut Vec<String>, plan: &mut Plan<GreatBattles>, step: Step) {
    let mut now = plan.now().clone();
    let acting = now.state.acting.as_mut().filter(|acting| acting.step < step && step > Step::Movement);
    if let Some(acting) = acting {
        acting.step = step;
    }
    for line in solo::lines(&now, &[], OFFERS) {
        let verb = line.split(' ').next().unwrap_or_default();
        // One division is called in one letter.
        let again = verb == "ACTIVATE" && found.iter().any(|line| line.starts_with("ACTIVATE "));
        if again || found.len() >= OFFERS || found.contains(&line) || IDLE.contains(&verb) {
            continue;
        }
        let bad = |kind| matches!(kind, Caution::NoEffect | Caution::Short | Caution::Doubtful | Caution::Own);
        let read = orders::line(1, &line);
        let before = plan.now().clone();
        let sound = |tried: &Rehearsed<View>| {
            tried.warnings.iter().all(|warning| !bad(warning.kind)) && !harms(&before, &tried.after)
        };
        if plan.keep(&read, sound) {
            found.push(line);
        }
    }
}

/// 4.5.2, 4.6.1, 14.2 Whether nobody may still act whom the lines leave out: no division may try, nobody waits off the map,
/// and who could move or fire is named.
fn is_all(plan: &Plan<GreatBattles>, found: &[String]) -> bool {
    let v = plan.now();
    let Some(acting) = v.state.acting.as_ref() else { return v.state.at == At::Open };
    let named = |id: &String| found.iter().any(|line| line.split(' ').any(|word| word == id));
    let moves = acting.step <= Step::Movement;
    let still = |u: &Unit| moves && u.going.ready && !u.going.done && !u.going.stopped && u.going.spent == 0;
    let waits = v.state.standing().any(|(id, u, _)| v.state.is_of(id, &v.side) && still(u) && !named(id));
    !waits && plan.warnings().iter().all(|warning| warning.kind != Caution::LeftOut)
}

/// 4.3.3 A leader whose men would be left Out of Command rides along.
fn led(plan: &mut Plan<GreatBattles>) -> Vec<String> {
    if !plan.warnings().iter().any(|warning| warning.kind == Caution::Command) {
        return Vec::new();
    }
    let rides = solo::lines(plan.now(), &[], OFFERS).into_iter().filter(|line| line.starts_with("LEADER "));
    rides.filter(|line| plan.keep(&orders::line(1, line), |_| true)).collect()
}

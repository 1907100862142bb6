//! Lines of the open sheet that would be taken as they stand, one below the other: what the program itself would write.

use super::my_sheet;
use crate::hex::Hex;
use crate::orders;
use crate::rules::great_battles::pose::Pose;
use crate::rules::great_battles::state::{Level, State, Step};
use crate::rules::great_battles::view::View;
use crate::rules::great_battles::{GreatBattles, solo};
use crate::rules::rehearsal::{Caution, Plan, Rehearsed};

/// Lines that a letter offers.
const OFFERS: usize = 7;
/// Of them so many at most of one verb.
const OF_A_VERB: usize = 3;
/// Words that are no plan, or that anybody knows.
const IDLE: [&str; 2] = ["END", "COMBAT"];

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
/// away from one who is near, or somebody leaves a place that counts: the last in his hex, or before an enemy who can come.
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
        shy || away || leaves || from.is_some_and(|_| !counts(pose.head))
    })
}

/// Lines of the open sheet.
pub fn offers(v: &View) -> Vec<String> {
    if !my_sheet(v) {
        return Vec::new();
    }
    let (mut found, mut plan): (Vec<String>, Plan<GreatBattles>) = (Vec::new(), Plan::new(v.clone()));
    for step in [Step::Attempt, Step::Movement, Step::Fire] {
        if step == Step::Fire {
            found.extend(others(&mut plan));
        }
        if plan.now().state.acting.as_ref().is_some_and(|acting| acting.step > step) {
            continue;
        }
        let mut now = plan.now().clone();
        let acting = now.state.acting.as_mut().filter(|acting| acting.step < step && step > Step::Movement);
        if let Some(acting) = acting {
            acting.step = step;
        }
        for line in solo::lines(&now, &[], OF_A_VERB) {
            let verb = line.split(' ').next().unwrap_or_default().to_owned();
            let same = found.iter().filter(|found: &&String| found.split(' ').next() == Some(&verb)).count();
            // Who is left off the map comes another turn: all are named.
            let many = same >= OF_A_VERB && verb != "ENTER";
            let full = found.len() >= OFFERS || many || found.contains(&line);
            // One division is called in one letter.
            let again = verb == "ACTIVATE" && same > 0;
            if full || again || IDLE.contains(&verb.as_str()) {
                continue;
            }
            let bad = |kind| matches!(kind, Caution::NoEffect | Caution::Short | Caution::Doubtful);
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
    found.extend(led(&mut plan));
    found
}

/// 4.3.3 A leader whose men would be left Out of Command rides along.
fn led(plan: &mut Plan<GreatBattles>) -> Vec<String> {
    if !plan.warnings().iter().any(|warning| warning.kind == Caution::Command) {
        return Vec::new();
    }
    let rides = solo::lines(plan.now(), &[], OF_A_VERB).into_iter().filter(|line| line.starts_with("LEADER "));
    rides.filter(|line| plan.keep(&orders::line(1, line), |_| true)).collect()
}

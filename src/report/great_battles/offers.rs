//! Lines of the open sheet that would be taken as they stand, one below the other: what the program itself would write.

use super::my_sheet;
use crate::orders;
use crate::rules::great_battles::state::Step;
use crate::rules::great_battles::view::View;
use crate::rules::great_battles::{GreatBattles, solo};
use crate::rules::rehearsal::{Caution, Plan};

/// Lines that a letter offers.
const OFFERS: usize = 7;
/// Of them so many at most of one verb.
const OF_A_VERB: usize = 3;
/// Words that are no plan, or that anybody knows.
const IDLE: [&str; 2] = ["END", "COMBAT"];

/// 4.5.2 The other divisions of a corps, that may try as well.
fn others(plan: &mut Plan<GreatBattles>) -> Vec<String> {
    let todo = plan.now().state.acting.as_ref().map(|acting| acting.todo.clone()).unwrap_or_default();
    let lines = todo.iter().map(|division| format!("ACTIVATE {division} FULL"));
    lines.filter(|line| plan.keep(&orders::line(1, line), |_| true)).collect()
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
            let full = found.len() >= OFFERS || same >= OF_A_VERB || found.contains(&line);
            // One division is called in one letter.
            let again = verb == "ACTIVATE" && same > 0;
            if full || again || IDLE.contains(&verb.as_str()) {
                continue;
            }
            let bad = |kind| matches!(kind, Caution::NoEffect | Caution::Short | Caution::Doubtful);
            let read = orders::line(1, &line);
            if plan.keep(&read, |tried| tried.warnings.iter().all(|warning| !bad(warning.kind))) {
                found.push(line);
            }
        }
    }
    found
}

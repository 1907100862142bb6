//! What a seat is offered, answered and advised at the positions of the rule cases. A case tells what comes of an order; here
//! stands what its seat is told before: the lines offered, what the program's own player writes, what CHECK says of each
//! line and of a slip in it, and what an umpire hears of each piece. A kept game comes by few of these positions.

use crate::kept::slipped;
use crate::whole::golden;
use data_encoding::HEXLOWER;
use estafette::cases::{self, Case};
use estafette::fog::{SeatId, SideId, Viewer, see};
use estafette::host::paper::{Format, Page, Paper};
use estafette::orders::mend::Meaning;
use estafette::orders::{self, Fault};
use estafette::rules::Ruleset;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::cx::Base;
use estafette::rules::great_battles::GreatBattles;
use estafette::rules::rehearsal::Plan;
use estafette::scenario::{self, Files};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// What is tried of a ruleset.
struct Tried {
    /// Of so many cases one.
    every: usize,
    /// Whether the program's own player writes a sheet.
    plays: bool,
    /// Of so many cases one with the data of its order sheet.
    sheets: usize,
    /// So many lines a seat at most.
    lines: usize,
    /// What stands in the name of a piece; besides, who is commanded by `FORCE` is one.
    marks: char,
    /// What an umpire may write of a piece `?` and a hex `#`.
    amends: &'static [&'static str],
}

const BATTALIONS: Tried = Tried {
    every: 1,
    plays: true,
    sheets: 3,
    lines: usize::MAX,
    marks: '-',
    amends: &["PLACE ? AT #", "STATE ? SHAKEN", "STATE ? ROUTED", "STATE ? DISRUPTED", "SP ? 2", "REMOVE ?"],
};

const CAMPAIGNS: Tried = Tried {
    every: 12,
    plays: false,
    sheets: 120,
    lines: 4,
    marks: '/',
    amends: &["PLACE ? AT #", "STRENGTH ? 2", "AP 3", "MODE ? FORAGE", "FACE ? UP", "MORALE 2", "WEATHER Rain"],
};

const AUSTERLITZ: Tried = Tried {
    every: 1,
    plays: true,
    sheets: 3,
    lines: usize::MAX,
    marks: '/',
    amends: &["PLACE ? AT 100,100 FACE 90", "FORM ? SQUARE", "MORALE ? R", "STEPS ? 1", "REMOVE ?", "CONTROL ?"],
};

/// A position as a side sees it.
pub fn seen<R: Ruleset>(base: &Base<R>, side: &SideId) -> R::View {
    let known = base.minds.iter().find(|(of, _)| of == side).map(|(_, mind)| mind);
    let nothing = R::Intel::default();
    see::<R>(&base.state, known.unwrap_or(&nothing), Viewer::Side(side.clone())).into_parts().1
}

/// What CHECK says of a line, or what is offered in its stead.
fn checked<R: Paper>(view: &R::View, text: &str) -> String {
    let line = orders::line(1, text);
    match Plan::<R>::new(view.clone()).aside(&line) {
        Ok(found) => {
            let warned: Vec<String> = found.warnings.iter().map(|w| format!("{} ({})", w.text, w.rule)).collect();
            format!("taken: {} / {}", found.said.join(" / "), warned.join(" / "))
        }
        Err(fault) => meant::<R>(view, text, &fault),
    }
}

fn meant<R: Paper>(view: &R::View, text: &str, fault: &Fault) -> String {
    match R::meant(view, &orders::line(1, text), fault) {
        Meaning::Attempt(mended) => format!("not taken: {} {} {:?}", mended.why, mended.rule, mended.lines),
        other => format!("{other:?}"),
    }
}

/// What the whole sheet comes to, line by line, and what its writer is warned of.
fn planned<R: Paper>(view: R::View, sheet: &[String]) -> Vec<String> {
    let mut plan = Plan::<R>::new(view);
    plan.expect(sheet.iter().map(String::as_str));
    let mut text = Vec::new();
    for (no, line) in (1..).zip(sheet).filter(|(_, line)| *line != "END") {
        let said = plan.line(&orders::line(no, line)).map(|found| found.said.join(" / "));
        text.push(format!("{line}: {}", said.unwrap_or_else(|fault| fault.to_string())));
    }
    text.extend(plan.warnings().iter().map(|w| format!("{} ({})", w.text, w.rule)));
    text
}

/// The forces and the enemy as a report has them.
fn stands<R: Paper>(view: &R::View) -> String {
    let page = Page { view, before: None, told: &[], format: Format::default(), whole: true, sees: &[] };
    let said = R::sections(&page);
    format!("{:?} {:?} {:?}", said.forces, said.enemy, said.forecast)
}

/// What an umpire corrects and is told of the pieces of a sheet, and what a twin of the position has otherwise.
fn umpired<R: Paper>(base: &Base<R>, (nth, side): (usize, &SideId), lines: &[String], tried: &Tried) -> Vec<String> {
    let forces = lines.iter().filter_map(|line| line.strip_prefix("FORCE "));
    let commanded: BTreeSet<&str> = forces.filter_map(|rest| rest.split(' ').next()).collect();
    let words: BTreeSet<&str> = lines.iter().flat_map(|line| line.split(' ').skip(1)).collect();
    let hex = words.iter().find(|word| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit())).unwrap_or(&"1010");
    let mut text = Vec::new();
    for piece in words.iter().filter(|word| word.contains(tried.marks) || commanded.contains(*word)).take(3) {
        let known = R::who_knows(&base.state, &base.minds, piece);
        text.push(known.map_or_else(|fault| fault.to_string(), |known| known.join(" ")));
        for what in tried.amends {
            let line = what.replace('?', piece).replace('#', hex);
            let made = R::amend(&base.state, &base.minds, side, &orders::line(1, &line));
            text.push(match made {
                Ok(events) => {
                    let mut state = base.state.clone();
                    events.iter().for_each(|event| R::apply(&mut state, event));
                    let amended = Base { state, minds: base.minds.clone(), counts: base.counts.clone() };
                    format!("{line}: {}", stands::<R>(&seen::<R>(&amended, side)))
                }
                Err(fault) => format!("{line}: {fault}"),
            });
        }
    }
    let state = R::scramble(&base.state, &base.minds, side, u64::try_from(nth).unwrap() + 1);
    let twin = Base { state, minds: base.minds.clone(), counts: base.counts.clone() };
    for (other, _) in &base.minds {
        text.push(stands::<R>(&seen::<R>(&twin, other)));
    }
    text
}

/// Everything that a seat is told at a position.
fn told<R: Paper>(base: &Base<R>, (seat, side): (&SeatId, &SideId), case: &Case, tried: &Tried) -> Vec<String> {
    let view = seen::<R>(base, side);
    let mut lines = R::offers(&view);
    let own = if tried.plays { R::bot(&view, &[], 7) } else { Vec::new() };
    let mut text = vec![format!("offers {lines:?}"), format!("own {own:?}"), stands::<R>(&view)];
    lines.extend(own.iter().cloned());
    let said = case.say.iter().filter_map(|said| said.strip_prefix(&format!("{}: ", seat.0)));
    lines.extend(said.flat_map(str::lines).map(str::to_owned));
    lines.retain(|line| line != "END");
    lines.dedup();
    lines.truncate(tried.lines);
    for (nth, line) in lines.iter().enumerate() {
        text.push(format!("{line}: {}", checked::<R>(&view, line)));
        for slip in [slipped(line, nth), slipped(line, nth + 3)] {
            text.push(format!("{slip}: {}", checked::<R>(&view, &slip)));
        }
    }
    text.extend(planned::<R>(view, &own));
    text
}

/// A position: a digest for each seat, of which the text is shown where `POSITION` names the case.
fn position<R: Paper>(files: &Files, case: &Case, nth: usize, tried: &Tried) -> String {
    let before = serde_json::to_value(&case.before).unwrap();
    let Ok(base) = R::arrange(files, before) else { return String::new() };
    let mut text = String::new();
    for (seat, side) in R::seats(&base.state) {
        let mut told = told::<R>(&base, (&seat, &side), case, tried);
        told.extend(umpired::<R>(&base, (nth, &side), &told, tried));
        // The data of an order sheet, with its drawing, takes long.
        if nth.is_multiple_of(tried.sheets) {
            let data = R::seat_data(&seen::<R>(&base, &side)).map(|data| data.board.to_string());
            told.push(data.unwrap_or_default());
        }
        if std::env::var("POSITION").is_ok_and(|id| id == case.id) {
            println!("{} {}\n{}", case.id, seat.0, told.join("\n"));
        }
        let digest = HEXLOWER.encode(&Sha256::digest(told.join("\n"))[..4]);
        let _ = writeln!(text, "{} {} {} {digest}", case.id, seat.0, told.len());
    }
    text
}

/// All positions of a ruleset's cases.
fn positions<R: Paper>(tried: &Tried) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut boards: BTreeMap<String, Files> = BTreeMap::new();
    let (mut text, mut nth) = (String::new(), 0_usize);
    for path in cases::files(&root.join("tests/cases").join(R::NAME)).unwrap() {
        let file = cases::read(&path).unwrap();
        for case in &file.cases {
            nth += 1;
            if !nth.is_multiple_of(tried.every) {
                continue;
            }
            let name = case.scenario.as_ref().unwrap_or(&file.scenario);
            let files = boards.entry(name.clone()).or_insert_with(|| scenario::files(&root.join(name)).unwrap());
            text.push_str(&position::<R>(files, case, nth, tried));
        }
    }
    text
}

#[test]
fn what_is_told_of_great_battles_at_the_positions_of_its_cases_stays() {
    golden("kept/positions-great_battles.txt", &positions::<GreatBattles>(&BATTALIONS));
}

#[test]
fn what_is_told_of_brave_fellows_at_the_positions_of_its_cases_stays() {
    golden("kept/positions-brave_fellows.txt", &positions::<BraveFellows>(&BATTALIONS));
}

#[test]
fn what_is_told_of_campaigns_at_the_positions_of_its_cases_stays() {
    golden("kept/positions-campaigns.txt", &positions::<Campaigns>(&CAMPAIGNS));
}

#[test]
fn what_is_told_of_austerlitz1805_at_the_positions_of_its_cases_stays() {
    golden("kept/positions-austerlitz1805.txt", &positions::<Austerlitz>(&AUSTERLITZ));
}

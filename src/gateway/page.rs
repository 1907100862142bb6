//! From the parts that a ruleset wrote to the words that a template fills in.

use crate::dice::{Roll, Scope};
use crate::host::Answered;
use crate::host::paper::{Sections, SheetState};
use crate::host::sheet::Verdict;
use crate::letter::{Answer, Block, Choice, Context, Example, Lodged, Map, Plate, Question};
use crate::orders::mend::{LETTERS, is_end};
use crate::rules::Outcome;
use crate::text;

/// What a ruleset wrote, as a letter says it.
pub fn context(sections: &Sections) -> Context {
    let mut context = Context {
        head: sections.head.clone(),
        now: sections.now.clone(),
        next: sections.next.clone(),
        if_not: sections.if_not.clone(),
        score: sections.score.clone(),
        result: sections.result.clone().unwrap_or_default(),
        full: sections.full,
        story: sections.story.clone(),
        offers: sections.offers.clone(),
        together: sections.together,
        forces_title: sections.forces_title.clone(),
        forces: sections.forces.clone(),
        enemy_title: sections.enemy_title.clone(),
        changed: sections.changed.clone(),
        victory: sections.victory.clone(),
        what: sections.opening.what.clone(),
        situation: sections.opening.situation.clone(),
        command: sections.opening.command.clone(),
        cautions: sections.opening.cautions.clone(),
        staff: sections.staff.clone(),
        forecast: sections.forecast.clone(),
        enemy: sections.enemy.clone(),
        ..Context::default()
    };
    for (said, back) in &sections.lodged {
        context.lodged.push(Lodged { said: said.clone(), back: back.clone() });
    }
    for (line, why) in &sections.opening.first {
        context.first.push(Example { line: line.clone(), why: why.clone() });
    }
    let drawn = |d: &crate::host::paper::Drawing| {
        let (theatre, plated) = (d.theatre, d.plated);
        Map { title: d.title.clone(), lines: d.lines.clone(), theatre, plated }
    };
    for plate in &sections.plates {
        let (title, said, svg) = (plate.title.clone(), plate.said.clone(), plate.svg.clone());
        context.plates.push(Plate { title, said, svg, theatre: plate.theatre, ..Plate::default() });
    }
    context.battles = sections.battles.iter().map(|b| Block::new(b.title.clone(), b.lines.clone())).collect();
    context.maps = sections.maps.iter().map(drawn).collect();
    for (n, ask) in (1..).zip(&sections.asks) {
        context.questions.push(Question {
            key: format!("Q{n}"),
            question: ask.question.clone(),
            rule: ask.rule.clone(),
            answers: ask.answers.clone(),
            default: ask.default.clone(),
        });
    }
    for roll in &sections.rolls {
        match roll.scope {
            Scope::Public => context.rolls_public.push(thrown(roll)),
            Scope::Of(_) => context.rolls_own.push(thrown(roll)),
            // No seat is told of it.
            Scope::Hidden => {}
        }
    }
    if let Some(sheet) = &sections.sheet {
        context.sheet = sheet_lines(sheet);
        let holding = sheet.faulty.iter().filter(|(.., lines)| !is_end(lines)).count();
        context.end_held = sheet.held;
        context.held = if sheet.held { u32::try_from(holding).unwrap_or(u32::MAX) } else { 0 };
    }
    context.answers = sections.answers.iter().map(|answered| answer(answered, "TAKEN")).collect();
    context
}

/// A roll as the dice part of a letter shows it: label, count, dice.
fn thrown(roll: &Roll) -> String {
    let dice: Vec<String> = roll.dice.iter().map(u32::to_string).collect();
    let fiat = if roll.fiat { "  by the umpire's fiat" } else { "" };
    format!("{} {}  {}d{} {}{fiat}", roll.label, roll.n, roll.dice.len(), roll.sides, dice.join(" "))
}

/// A roll in a column, for the umpire.
pub(super) fn rolled(roll: &Roll) -> String {
    let name = format!("{} {}", roll.label, roll.n);
    let dice: Vec<String> = roll.dice.iter().map(u32::to_string).collect();
    let fiat = if roll.fiat { "  by fiat" } else { "" };
    format!("{name:<32} {}d{}  {}{fiat}", roll.dice.len(), roll.sides, dice.join(" "))
}

/// The answer to a line; `open` is the word for a line without an outcome.
pub fn answer(answered: &Answered, open: &str) -> Answer {
    match &answered.verdict {
        Some(Verdict::Taken { .. }) | None => {}
        Some(verdict) => return judged(answered, verdict),
    }
    if let (None, Some(verdict @ Verdict::Taken { .. })) = (&answered.outcome, &answered.verdict) {
        return judged(answered, verdict);
    }
    let (word, why, copy) = match &answered.outcome {
        None => (open, String::new(), None),
        Some(Outcome::Done) => ("DONE", String::new(), None),
        Some(Outcome::Failed { why, rule }) => ("FAILED", ruled(why, rule), None),
        Some(Outcome::Refused { why, rule, copy }) => ("REFUSED", ruled(why, rule), copy.clone()),
        Some(Outcome::Unclear { why, copy }) => ("UNCLEAR", why.clone(), copy.clone()),
        Some(Outcome::NotYet { why }) => ("NOT YET", why.clone(), None),
        Some(Outcome::NotReached) => ("NOT REACHED", "the stage ended before its turn came.".to_owned(), None),
        Some(Outcome::Sent { to }) => {
            ("SENT", format!("a courier takes it to {to}, who carries it out when he comes in."), None)
        }
    };
    let plain = why.is_empty() && copy.is_none() && answered.notes.is_empty();
    let brief = if plain { format!("{word}{}", told(answered.lines)) } else { String::new() };
    Answer {
        no: answered.no,
        text: answered.text.clone(),
        word: word.to_owned(),
        why,
        brief,
        copy: copy.unwrap_or_default(),
        notes: answered.notes.clone(),
        ..Answer::default()
    }
}

/// What was said of a line on receipt.
fn judged(answered: &Answered, verdict: &Verdict) -> Answer {
    let mut answer =
        Answer { no: answered.no, text: answered.text.clone(), word: verdict.word().to_owned(), ..Answer::default() };
    match verdict {
        Verdict::Taken { notes, warnings } => {
            answer.why = notes.join("  ");
            answer.notes = warnings.clone();
        }
        Verdict::Waits { above, notes, warnings } => {
            answer.why = format!("for {}.  {}", text::lines_by_number(above), notes.join("  ")).trim_end().to_owned();
            answer.notes = warnings.clone();
        }
        Verdict::NotTaken(mended) => {
            answer.why = ruled(&mended.why, &mended.rule);
            answer.notes = mended.note.iter().map(|note| format!("Note: {note}")).collect();
            let key = |(letter, text): (char, &String)| Choice {
                key: format!("{}{letter}", answered.no),
                text: text.clone(),
            };
            answer.choices = LETTERS.zip(&mended.lines).map(key).collect();
        }
        Verdict::Answered { lines } => {
            answer.why = "see below.".to_owned();
            answer.lines.clone_from(lines);
        }
        Verdict::PassedOver { why } | Verdict::Done { why } | Verdict::NotCounted { why } => answer.why.clone_from(why),
    }
    answer.notes.extend(answered.notes.iter().filter(|note| !answer.why.contains(*note)).cloned());
    if answer.why.is_empty() && answer.notes.is_empty() {
        answer.brief.clone_from(&answer.word);
    }
    answer
}

/// What closes an open sheet.
const DONE: &str = "Send END when you are done.";

/// How an open sheet stands, as the answer to a mail says it.
fn sheet_lines(sheet: &SheetState) -> Vec<String> {
    let waits = i64::try_from(sheet.lines.len()).unwrap_or(i64::MAX);
    // A line that says END in other words holds none.
    let faulty: Vec<u32> = sheet.faulty.iter().filter(|(.., lines)| !is_end(lines)).map(|(no, ..)| *no).collect();
    let are = if faulty.len() == 1 { "is" } else { "are" };
    let not_taken = format!("{} {are} not taken", text::lines_by_number(&faulty));
    let mut said = Vec::new();
    if sheet.held && !faulty.is_empty() {
        said.push(format!("Your END is not counted: {not_taken}.  Nothing is carried out; your lines wait."));
        said.extend(cure(sheet));
        said.push(format!("or  END ANYWAY    to end without {}.", dropped(&faulty, &sheet.waits)));
    } else if sheet.held && sheet.lines.is_empty() {
        said.push("Your END is not counted, and nothing is carried out.".to_owned());
    } else if sheet.held {
        said.push("Your END is not counted, and nothing is carried out; your lines wait.  Send END again.".to_owned());
    } else if sheet.call.is_some() {
        let lines = crate::text::plural(waits, "line waits", "lines wait");
        said.push(format!("{lines}, and nothing is carried out before.  You may still change it: REVISE, UNDO END."));
        said.extend(sheet.warnings.iter().map(|warning| format!("Warning: {warning}.")));
    } else if sheet.ended {
        let lines = crate::text::plural(waits, "line", "lines");
        said.push(format!("Your sheet is sealed: {lines}.  You may still change it: REVISE, UNDO END."));
        said.extend(sheet.warnings.iter().map(|warning| format!("Warning: {warning}.")));
    } else {
        let begun = i64::try_from(sheet.begun).unwrap_or(i64::MAX);
        let lines = match (waits, begun) {
            (0, 0) => "no line waits".to_owned(),
            (0, _) => crate::text::plural(begun, "line is being carried out", "lines are being carried out"),
            _ => crate::text::plural(waits, "line waits", "lines wait"),
        };
        let then = if faulty.is_empty() {
            format!(".  {DONE}")
        } else {
            format!("; {not_taken}, and END waits for that: {}.", undo(&faulty))
        };
        said.push(format!("Your sheet is open: {lines}{then}"));
    }
    let stands: Vec<u32> = sheet.lines.iter().map(|(no, _)| *no).filter(|no| !sheet.waits.contains(no)).collect();
    if sheet.held && !stands.is_empty() {
        let stand = if stands.len() == 1 { "is carried out as it stands" } else { "are carried out as they stand" };
        said.push(format!("At the deadline {} {stand}.", text::lines_by_number(&stands)));
    }
    if !sheet.waits.is_empty() {
        let (waits, drop) = if sheet.waits.len() == 1 { ("waits", "is dropped") } else { ("wait", "are dropped") };
        said.push(format!(
            "{} {waits} for what is not taken, and {drop} with it.",
            text::capital(&text::lines_in_runs(&sheet.waits))
        ));
    }
    said.extend(sheet.lines.iter().map(|(no, text)| format!("{no:>3}  {text}")));
    said
}

/// Says when an END takes effect that waits, as the answer to it and where the sheet stands.
pub(super) fn ends(context: &mut Context, end: u32, at: &str) {
    for answer in context.answers.iter_mut().filter(|answer| answer.no == end && answer.word == "DONE") {
        let said = format!("ends {at}; UNDO END until then.");
        answer.why = format!("{said}  {}", answer.why).trim_end().to_owned();
        answer.brief.clear();
    }
    context.sheet.insert(0, format!("Your END takes effect {at}; until then UNDO END takes it back."));
}

/// What to answer where END is held: all that holds it is named, so that END counts when it is done.
fn cure(sheet: &SheetState) -> Option<String> {
    let with = |some: bool| -> Vec<u32> {
        let holds = sheet.faulty.iter().filter(|(.., lines)| !is_end(lines) && lines.is_empty() != some);
        holds.map(|(no, ..)| *no).collect()
    };
    let (mended, bare) = (with(true), with(false));
    let listed = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let taken: Vec<String> = mended.iter().map(|no| format!("{no}A")).collect();
    let taken = crate::text::and_list(&taken);
    match (mended.as_slice(), bare.as_slice()) {
        ([], []) => None,
        ([], [one]) => Some(format!("Answer  {one} = the line put right  and  END,")),
        ([], [first, ..]) => Some(format!("Put them right, as  {first} = the line put right,  and send  END,")),
        (some, []) => Some(format!("Answer  YES {}  and  END    to take {taken} and end,", listed(some))),
        (some, bare) => Some(format!(
            "Answer  YES {}  and  UNDO {}  and  END    to take {taken}, drop {}, and end,",
            listed(some),
            listed(bare),
            text::lines_by_number(bare)
        )),
    }
}

/// How lines that are not taken are left out: `UNDO 2 takes it out`.
fn undo(lines: &[u32]) -> String {
    let listed = lines.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    format!("UNDO {listed} takes {} out", if lines.len() == 1 { "it" } else { "them" })
}

/// What END ANYWAY drops: lines that are not taken, and those that wait for them.
fn dropped(faulty: &[u32], waits: &[u32]) -> String {
    if waits.is_empty() {
        return text::lines_by_number(faulty);
    }
    let mut all: Vec<u32> = faulty.iter().chain(waits).copied().collect();
    all.sort_unstable();
    text::lines_in_runs(&all)
}

/// The events of WHAT HAPPENED in which the result stands: by another word than the lines of a sheet, which have numbers too.
fn told(lines: Option<(u32, u32)>) -> String {
    match lines {
        None => String::new(),
        Some((first, last)) if first == last => format!(", event {first}"),
        Some((first, last)) => format!(", events {first}-{last}"),
    }
}

pub(super) fn ruled(why: &str, rule: &str) -> String {
    if rule.is_empty() { why.to_owned() } else { format!("{why} [{rule}]") }
}

/// Lines two columns in, as those of a block stand.
pub(super) fn indented(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| if line.starts_with("  ") { line.clone() } else { format!("  {line}") }).collect()
}

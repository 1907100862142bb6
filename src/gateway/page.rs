//! From the parts that a ruleset wrote to the words that a template fills in.

use crate::dice::{Roll, Scope};
use crate::host::Answered;
use crate::host::paper::Sections;
use crate::letter::{Answer, Block, Context, Example, Map, Question};
use crate::rules::Outcome;

/// What a ruleset wrote, as a letter says it.
pub fn context(sections: &Sections) -> Context {
    let mut context = Context {
        head: sections.head.clone(),
        now: sections.now.clone(),
        next: sections.next.clone(),
        if_not: sections.if_not.clone(),
        score: sections.score.clone(),
        full: sections.full,
        story: sections.story.clone(),
        offers: sections.offers.clone(),
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
    for (line, why) in &sections.opening.first {
        context.first.push(Example { line: line.clone(), why: why.clone() });
    }
    let drawn =
        |d: &crate::host::paper::Drawing| Map { title: d.title.clone(), lines: d.lines.clone(), theatre: d.theatre };
    context.battles =
        sections.battles.iter().map(|b| Block { title: b.title.clone(), lines: b.lines.clone() }).collect();
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
        }
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
        grouped: false,
    }
}

/// The lines of WHAT HAPPENED in which the result stands.
fn told(lines: Option<(u32, u32)>) -> String {
    match lines {
        None => String::new(),
        Some((first, last)) if first == last => format!(", line {first}"),
        Some((first, last)) => format!(", lines {first}-{last}"),
    }
}

fn ruled(why: &str, rule: &str) -> String {
    if rule.is_empty() { why.to_owned() } else { format!("{why} [{rule}]") }
}

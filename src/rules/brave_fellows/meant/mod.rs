//! What was meant by a line that gives no order, or none that is allowed. Nothing here looks beyond the seat's own view, so
//! that no answer tells anything.

mod acts;
mod calls;
mod said;

use super::BraveFellows;
use super::rehearse::rehearse;
use super::standing;
use super::view::View;
use crate::hex::Dir;
use crate::orders::mend::hear::{self, Token};
use crate::orders::mend::lexicon::Sense;
use crate::orders::mend::{Meaning, Mended, Topic, respell};
use crate::orders::{self, Fault, Line};
use crate::rules::Ruleset;
use said::{Said, Slot, Thing};

/// Words of a line whose verb stands without a unit or a place.
const BRIEF: usize = 4;
/// Words with which a question begins, whatever it names.
const QUESTIONS: [&str; 7] = ["what", "how", "where", "when", "who", "why", "which"];
/// Words that ask for what is lost.
const LOST: [&str; 4] = ["losses", "lost", "casualties", "dead"];
/// Words that ask how it stands, whose turn it is, and what can be done.
const STANDS: [&str; 11] =
    ["score", "stand", "stands", "standing", "turn", "initiative", "wait", "waits", "waiting", "next", "do"];

/// Whether a line is taken as it stands.
fn takes(v: &View, text: &str) -> bool {
    let bound = orders::read(BraveFellows::verbs(), v, &orders::line(1, text));
    bound.is_ok_and(|order| rehearse(v, &order).is_ok())
}

/// What a line is: nothing, a question, or an order with a slip in it.
pub fn meant(v: &View, line: &Line, fault: &Fault) -> Meaning {
    let said = Said::of(v, line);
    if hear::quoted(line) || said.tokens.is_empty() {
        return Meaning::Nothing;
    }
    let subject = [Slot::Plain, Slot::With];
    let named = !said.units(&subject).is_empty() || !said.leaders(&subject).is_empty();
    let placed = !said.places().is_empty();
    let (head, verb) = (said.head.is_some(), !said.verbs().is_empty());
    let whole = (named || said.arm().is_some()) && (placed || verb);
    if let Some(told) = told(&said).filter(|_| !placed) {
        return Meaning::Question(Topic::Told(told));
    }
    let opening = said.tokens.iter().find(|t| !t.means(Sense::Greet) && !t.means(Sense::Polite));
    let asked = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Ask));
    let wonders = said.words.first().is_some_and(|word| QUESTIONS.contains(&word.fold.as_str()));
    if (hear::asks(line) || asked) && !head && (!whole || wonders) {
        return Meaning::Question(topic(&said));
    }
    let first_person = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Writer));
    let courteous = |t: &Token<Thing>| t.slips == 0 && (t.means(Sense::Greet) || t.means(Sense::Close));
    let talks = first_person && !said.means(Sense::Done);
    if !head && !whole && (talks || said.tokens.iter().any(courteous)) {
        return Meaning::Nothing;
    }
    let brief = said.words.len() <= BRIEF;
    if head || whole || (brief && (named || verb)) {
        return Meaning::Attempt(attempt(&said, line, fault));
    }
    let short_question = brief && (said.means(Sense::Win) || said.means(Sense::Help));
    if short_question { Meaning::Question(topic(&said)) } else { Meaning::Nothing }
}

fn topic(said: &Said<'_>) -> Topic {
    let numbered = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.');
    let rule = said.words.iter().map(|w| &w.text).find(|text| said.means(Sense::Rule) && numbered(text));
    match rule {
        Some(rule) => Topic::Rule(rule.clone()),
        None if said.means(Sense::Win) => Topic::Win,
        None if said.words.iter().any(|word| STANDS.contains(&word.fold.as_str())) => {
            Topic::Told(standing::standing(said.v))
        }
        None if said.means(Sense::Supply) => {
            Topic::Told(vec!["There is no supply in this game; ammunition is option 11.2.".to_owned()])
        }
        None => Topic::Help,
    }
}

/// What is answered at once: what is lost, and what is done by giving no order.
fn told(said: &Said<'_>) -> Option<Vec<String>> {
    let only = |text: &str| Some(vec![text.to_owned()]);
    let lost = said.words.iter().any(|word| LOST.contains(&word.fold.as_str()));
    if lost && said.units(&[Slot::Plain]).is_empty() {
        return Some(losses(said.v));
    }
    let (not, stays) = (said.means(Sense::Not), said.means(Sense::Stay));
    if said.head.is_some() || !(not || stays) {
        return None;
    }
    let has = |words: &[&str]| said.words.iter().any(|word| words.contains(&word.fold.as_str()));
    if has(&["fire", "firing", "shoot"]) && (not || has(&["hold", "holds", "cease"])) {
        return only("Who is not ordered to fire does not. DOCTRINE FIRE HOLD holds the fire in defence too.");
    }
    let named = !said.units(&[Slot::Plain, Slot::With]).is_empty();
    let idle = if not { !said.verbs().is_empty() } else { named && said.verbs().is_empty() };
    if idle { only("Who gets no order stays where he is.") } else { None }
}

/// What a side has lost.
fn losses(v: &View) -> Vec<String> {
    let what = "VICTORY says what counts, and how it stands.".to_owned();
    standing::lost(v).into_iter().chain([what]).collect()
}

/// The order that was meant, changed as little as makes it one that is taken.
fn attempt(said: &Said<'_>, line: &Line, fault: &Fault) -> Mended {
    let v = said.v;
    let read = |line: &Line| {
        let order = orders::read(BraveFellows::verbs(), v, line)?;
        rehearse(v, &order).map(|_| ())
    };
    let spelt = respell::respell(&line.source, read);
    // A number or a side that is nobody's is not the nearest one.
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let numbered = |was: &str| was.bytes().any(|b| b.is_ascii_digit());
    let same = |was: &str, is: &str| letters(was) == letters(is);
    let kept = |was: &str, is: &str| !numbered(was) && Dir::parse(is).is_none();
    let sound = spelt.words.iter().all(|(was, is)| same(was, is) || kept(was, is));
    if spelt.fault.is_none() && spelt.changed > 0 && sound {
        // Only signs are astray.
        if spelt.words.iter().all(|(was, is)| same(was, is)) {
            return Mended { lines: vec![spelt.text], same: true, ..Mended::default() };
        }
        let words: Vec<String> = spelt.words.iter().map(|(was, is)| format!("\"{was}\" is read as {is}.")).collect();
        return Mended { why: words.join(" "), lines: vec![spelt.text], ..Mended::default() };
    }
    // What is wrong beside the spelling is what stands in the way.
    let mut mended = match (&spelt.fault, spelt.changed) {
        (Some(fault @ Fault::Refused { .. }), _) if sound => Mended::from(fault),
        (Some(fault), 1..) if sound => Mended::from(fault),
        _ => Mended::from(fault),
    };
    let mut found = acts::found(said);
    found.lines.dedup();
    if let Some((why, rule)) = found.why {
        (mended.why, mended.rule) = (why, rule);
    }
    mended.same = found.whole && found.note.is_none() && found.lines.len() == 1 && said.is_plain();
    if mended.same {
        (mended.why, mended.rule) = (String::new(), String::new());
    }
    (mended.lines, mended.note) = (found.lines, found.note);
    mended
}

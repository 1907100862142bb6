//! What was meant by a line that gives no order, or none that is allowed: read again with all that people write, aligned
//! to one shape of one verb, and changed as little as makes it an order that is taken (player-study, R1-R8).
//!
//! Nothing here looks beyond the seat's own view and what is printed, so that no answer tells anything.

mod class;
mod fight;
mod march;
mod names;
mod other;
mod said;
mod why;

use super::board::LeaderId;
use super::view::View;
use super::{Campaigns, Order, rehearse};
use crate::orders::mend::change::{self, Choice};
use crate::orders::mend::lexicon::Sense;
use crate::orders::mend::{Meaning, Mended};
use crate::orders::{self, Fault, Line, Verb};
use crate::rules::Ruleset;
use said::{Act, Said, Who};

fn verbs() -> &'static [Verb<View, Order>] {
    <Campaigns as Ruleset>::verbs()
}

/// Whether a line is taken as it stands.
fn takes(v: &View, line: &str) -> bool {
    let line = orders::line(1, line);
    let bound = orders::read(verbs(), v, &line);
    bound.is_ok_and(|order| rehearse::foresee(v, &order).is_ok())
}

/// Why a line is not taken.
fn refusal(v: &View, line: &str) -> Option<Fault> {
    let bound = orders::read(verbs(), v, &orders::line(1, line));
    bound.and_then(|order| rehearse::foresee(v, &order)).err()
}

/// What a line is: nothing, a question, or an order with a slip in it.
pub fn meant(v: &View, line: &Line, fault: &Fault) -> Meaning {
    let said = Said::of(v, line, fault);
    match class::of(&said) {
        class::Class::Nothing => Meaning::Nothing,
        class::Class::Question(topic) => Meaning::Question(topic),
        class::Class::Attempt => Meaning::Attempt(attempt(&said, line)),
    }
}

fn attempt(said: &Said<'_>, line: &Line) -> Mended {
    if said.means(Sense::Except) {
        let why = "one order a force: write a line for each that is to do something.".to_owned();
        return Mended { why, note: Some(SHAPE.to_owned()), ..Mended::default() };
    }
    let special = matches!(said.head(), Some(head) if !PLAIN.contains(&head));
    let plain = match said.act() {
        Some(Act::Done) => Some(done()),
        _ if special => None,
        Some(Act::Put) => other::put(said),
        Some(Act::Part | Act::Join) => None,
        _ => stranger(said),
    };
    if let Some(mended) = plain {
        return mended;
    }
    let mut mended = match said.act() {
        Some(Act::Part | Act::Join) => other::tie(said),
        _ if special => other::respelt(said, line),
        Some(Act::Attack) => fight::attack(said),
        Some(Act::Look) => march::look(said),
        Some(Act::Back) => march::back(said),
        Some(Act::Hold) => march::hold(said),
        Some(Act::Repair | Act::Wreck) => other::bridge(said),
        Some(Act::March | Act::Put | Act::Done) => march::march(said),
        None if said.places().is_empty() && said.who().is_empty() => other::respelt(said, line),
        None => march::march(said),
    };
    // Of several who are to do it together none does it alone.
    if mended.lines.is_empty() && !said.together() {
        let copy = said.fault.copy().filter(|copy| same_piece(said, copy)).map(str::to_owned);
        mended.lines = copy.into_iter().filter(|copy| takes(said.v, copy)).collect();
    }
    if mended.why.is_empty() {
        let told = Mended::from(said.fault);
        (mended.why, mended.rule) = (told.why, told.rule);
    }
    let as_written = said.as_on_the_map();
    mended.same =
        said.tail_slip.is_none() && matches!(mended.lines.as_slice(), [only] if as_written == orders::fold(only));
    if mended.same {
        mended.why = said.exonyms();
        mended.rule = String::new();
    }
    mended
}

/// Verbs whose shapes are built anew; lines of the others are only spelt.
const PLAIN: [&str; 4] = ["FORCE", "VEDETTE", "CENTER", "ATTACK"];

/// Whether a line is about a piece that the writer has named; or he has named none, and it is of his own verb.
fn same_piece(said: &Said<'_>, line: &str) -> bool {
    let named = said.who();
    let verb = line.split_whitespace().next();
    if named.is_empty() && said.head().is_none_or(|head| verb != Some(head)) {
        return false;
    }
    let again = orders::line(1, line);
    let again = Said::of(said.v, &again, said.fault);
    let other = again.who();
    // A plan for a battle names no piece, but its hex.
    if named.is_empty() && other.is_empty() {
        return !said.places().is_empty() && again.places() == said.places();
    }
    named.is_empty() && !other.is_empty() || named.iter().any(|who| other.first() == Some(who))
}

fn done() -> Mended {
    Mended {
        why: "END ends your sheet; FORCE ALL HOLD orders every force to stay.".to_owned(),
        lines: vec!["END".to_owned()],
        ..Mended::default()
    }
}

/// A name that is none of the seat's: the same answer wherever its bearer is.
fn stranger(said: &Said<'_>) -> Option<Mended> {
    let head = said.head();
    let nobody = said.who().is_empty();
    let slot = said.tokens.get(1).filter(|t| t.odd() && matches!(head, Some("FORCE"))).map(|t| t.text.clone());
    let Some(name) = said.stranger().filter(|_| nobody).or(slot) else { return odd(said).filter(|_| nobody) };
    let mut names: Vec<String> = Vec::new();
    for (id, _) in said.v.own.on_map() {
        let spec = said.v.board.leaders.get(id);
        names.extend(spec.map(|s| if s.major_general.is_some() { s.code.clone() } else { s.name.clone() }));
    }
    let name = crate::text::quoted(&name).into_owned();
    let why = format!("no leader of yours is called {name}.  Yours: {}.", names.join(" "));
    Some(Mended { why, note: Some(SHAPE.to_owned()), ..Mended::default() })
}

/// A word that names nothing, or a unit, where no force is named: nothing is offered for it.
fn odd(said: &Said<'_>) -> Option<Mended> {
    let note = Some(SHAPE.to_owned());
    if let Some((unit, leader)) = said.unit() {
        let why = format!("{unit} is a unit of {leader}; forces march and fight under their leaders.");
        return Some(Mended { why, note, ..Mended::default() });
    }
    if said.names_own() {
        return Some(Mended { why: "which force is to do it?".to_owned(), note, ..Mended::default() });
    }
    let word = said.tokens.iter().find(|t| t.odd())?;
    let why = format!("neither a leader of yours nor a place is called \"{}\".", crate::text::quoted(&word.text));
    Some(Mended { why, note, ..Mended::default() })
}

/// The shape of the commonest order.
const SHAPE: &str = "A march is FORCE name INITIATIVE MARCH ROAD TO place.";

/// The cheapest lines of some, each with its condition behind it.
fn pick(said: &Said<'_>, choices: Vec<Choice>) -> Vec<String> {
    let with_tail = |c: Choice| Choice { line: format!("{} {}", c.line, said.tail).trim_end().to_owned(), ..c };
    let all: Vec<Choice> = choices.into_iter().map(with_tail).collect();
    change::cheapest(all, |line| takes(said.v, line))
}

/// A line that might have been meant: missing keywords, wrong letters, and what else it changes.
fn choice(said: &Said<'_>, line: String, otherwise: &[&str], more: u32) -> Choice {
    let cost = change::missing(&line, &said.words, otherwise) + said.slips() + more;
    Choice { line, cost }
}

/// A leader's name as a line has it: the code of one whom nobody calls by his printed name.
fn name_of(v: &View, id: &LeaderId) -> String {
    match v.board.leaders.get(id).filter(|spec| spec.major_general.is_some()) {
        Some(spec) => spec.code.clone(),
        None => super::words::order_name(v, id),
    }
}

/// The beginning of an order to a piece.
fn head_of(v: &View, who: &Who) -> String {
    match who {
        Who::Leader(id) => format!("FORCE {}", name_of(v, id)),
        Who::Vedette(n) => format!("VEDETTE {n}"),
        Who::Center => "CENTER".to_owned(),
    }
}

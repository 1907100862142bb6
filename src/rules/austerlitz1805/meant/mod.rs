//! What was meant by a line that gives no order, or none that is allowed: read again with all that people write, aligned
//! to one shape of one verb, and changed as little as makes it an order that is taken (player-study, R1-R8).
//!
//! Nothing here looks beyond the seat's own view and what is printed, so that no answer tells anything.

mod acts;
mod class;
mod corps;
mod fog;
mod idle;
mod names;
mod said;

use super::Austerlitz;
use super::order::Order;
use super::view::View;
use crate::orders::mend::change::{self, Choice};
use crate::orders::mend::lexicon::Sense;
use crate::orders::mend::{Meaning, Mended, Topic, respell};
use crate::orders::{self, Fault, Line, Verb};
use crate::rules::Ruleset;
use crate::rules::austerlitz1805::table::{um, wind};
use crate::rules::rehearsal::Rehearsed;
use names::Thing;
use said::{Act, Said};

fn verbs() -> &'static [Verb<View, Order>] {
    <Austerlitz as Ruleset>::verbs()
}

/// What a line comes to as it stands; none where it is not taken.
fn tried(v: &View, line: &str) -> Option<Rehearsed<View>> {
    let order = orders::read(verbs(), v, &orders::line(1, line)).ok()?;
    Austerlitz::rehearse(v, &order).ok()
}

/// Whether a line is taken as it stands.
fn takes(v: &View, line: &str) -> bool {
    tried(v, line).is_some()
}

/// Why a line is not taken.
fn refused(v: &View, line: &str) -> Option<Fault> {
    let bound = orders::read(verbs(), v, &orders::line(1, line));
    bound.and_then(|order| Austerlitz::rehearse(v, &order)).err()
}

/// What a line is: nothing, a question, or an order with a slip in it.
pub fn meant(v: &View, line: &Line, fault: &Fault) -> Meaning {
    let said = Said::of(v, line, fault);
    if let Some(lines) = idle::told(&said) {
        return Meaning::Question(Topic::Told(lines));
    }
    match class::of(&said) {
        class::Class::Nothing => Meaning::Nothing,
        class::Class::Question(topic) => Meaning::Question(topic),
        class::Class::Attempt => Meaning::Attempt(attempt(&said, line)),
    }
}

/// Verbs whose shapes are built anew; lines of the others are only spelt.
const PLAIN: [&str; 15] = [
    "MOVE",
    "FOLLOW",
    "SIDE",
    "BACK",
    "TURN",
    "ABOUT",
    "FORM",
    "ATTACH",
    "ATTACK",
    "SUPPORT",
    "CHARGE",
    "BOMBARD",
    "VOLLEY",
    "HOLD",
    "DISENGAGE",
];

fn attempt(said: &Said<'_>, line: &Line) -> Mended {
    // A rule that refuses a line knows best what it wants first.
    if let Fault::Refused { copy: Some(copy), .. } = said.fault
        && takes(said.v, copy)
    {
        return Mended::from(said.fault);
    }
    if let Some(mended) = offset(said, line).or_else(|| fog::mended(said)).or_else(|| corps::mended(said)) {
        return mended;
    }
    let special = matches!(said.head(), Some(head) if !PLAIN.contains(&head));
    if special {
        return respelt(said, line);
    }
    if said.means(Sense::Except) {
        let why = "one order a unit: write a line for each that is to do something.".to_owned();
        return Mended { why, ..Mended::default() };
    }
    let act = said.act();
    if act == Some(Act::Done) {
        return Mended {
            why: "END ends your sheet; a unit without orders stays.".to_owned(),
            lines: vec!["END".to_owned()],
            ..Mended::default()
        };
    }
    let off = |t: &orders::mend::hear::Token<Thing>| {
        !t.things.is_empty() && t.things.iter().all(|thing| matches!(thing, Thing::Off(_)))
    };
    // His own unit, which is not on the field: the line is about it, and no other unit is meant.
    if said.who().is_empty() && said.tokens.iter().any(off) {
        return Mended { lines: Vec::new(), ..Mended::from(said.fault) };
    }
    if said.who().is_empty()
        && let Some(mended) = stranger(said)
    {
        return mended;
    }
    let mut mended = match act {
        Some(act) => acts::mended(said, act),
        None if (said.goal().is_some() || said.far().is_some()) && !said.who().is_empty() => {
            acts::mended(said, Act::Move)
        }
        None => respelt(said, line),
    };
    if mended.why.is_empty() {
        (mended.why, mended.rule) = why(said, act);
    }
    told(said, mended)
}

/// A line that is offered with every change of it that its reason does not name yet: words read as others, a shorter way,
/// names that are in none of the lines.
fn told(said: &Said<'_>, mended: Mended) -> Mended {
    if mended.lines.is_empty() {
        return mended;
    }
    let toward = said.tokens.iter().any(|t| matches!(t.key, Some("TOWARD" | "TOWARDS")));
    if toward && said.goal().is_none() && said.way().is_none() {
        // A march whose place was not understood is no march straight on.
        return Mended { lines: Vec::new(), ..Mended::from(said.fault) };
    }
    let in_none = |name: &str| !mended.lines.iter().any(|line| line.contains(name));
    let mut reasons: Vec<String> = readings(said).into_iter().filter(|read| !mended.why.contains(read)).collect();
    reasons.push(mended.why.clone());
    // Another order than was meant says so by its note, and needs none of the words.
    let same = mended.note.is_none();
    let cut = said.far().filter(|far| same && in_none(&um(*far))).map(|far| format!("{} UM is not possible", um(far)));
    reasons.extend(cut);
    let left_out = |t: &orders::mend::hear::Token<Thing>| {
        let name = match t.things.as_slice() {
            [Thing::Own(id) | Thing::Foe(id) | Thing::Off(id) | Thing::Unseen(id)] => &id.0,
            [Thing::Named(name)] => name,
            [Thing::Way(way)] if said.goal().is_some() => wind(*way),
            [] if t.odd() && t.span.0 > 0 && t.text.chars().all(char::is_alphabetic) => t.text.as_str(),
            _ => return None,
        };
        (in_none(name) && !t.means(Sense::Writer)).then(|| format!("{} is left out", crate::text::quoted(&t.text)))
    };
    reasons.extend(said.tokens.iter().filter(|_| same).filter_map(left_out));
    reasons.extend(second_step(said, &mended));
    match reasons.as_slice() {
        [_] => mended,
        all => Mended { why: sentence(all), ..mended },
    }
}

/// A formation that is wanted beside a march, or a march beside it: an order of its own.
fn second_step(said: &Said<'_>, mended: &Mended) -> Option<String> {
    let form = acts::formation(said.formation()?);
    let [line] = mended.lines.as_slice() else { return None };
    let left_out = match line.split(' ').next()? {
        "MOVE" if !line.contains(form) => form,
        "FORM" if said.means(Sense::Go) && said.far().is_some() => "the march",
        _ => return None,
    };
    Some(format!("{left_out} is left out: it is an order of its own, on the next line"))
}

/// A place with steps whose sign may go either way: both places, each as it would be written.
fn offset(said: &Said<'_>, line: &Line) -> Option<Mended> {
    let (word, name, steps) = line.words.iter().find_map(|word| {
        let (name, steps) = word.text.split_once('-')?;
        let known = said.v.table.board.places.iter().find(|place| orders::fold(&place.name) == orders::fold(name))?;
        let wind = steps.chars().last().filter(|c| "NSEWnsew".contains(*c))?.to_ascii_uppercase();
        let far = steps.get(..steps.len().checked_sub(1)?)?;
        let number = !far.is_empty() && far.bytes().all(|b| b.is_ascii_digit());
        number.then(|| (&word.text, known.name.clone(), (far.to_owned(), wind)))
    })?;
    let (far, wind) = steps;
    let other = match wind {
        'N' => 'S',
        'S' => 'N',
        'E' => 'W',
        _ => 'E',
    };
    let written = |wind: char| line.source.replacen(word.as_str(), &format!("{name}+{far}{wind}"), 1);
    let choices = [wind, other].map(|wind| Choice { line: written(wind), cost: 0 });
    let lines = pick(said, choices.to_vec());
    let why = format!("the - of {} may go either way.", crate::text::quoted(word));
    (!lines.is_empty()).then(|| Mended { why, lines, ..Mended::default() })
}

/// What is wrong with a line, in the smallest words.
fn why(said: &Said<'_>, act: Option<Act>) -> (String, String) {
    let read = readings(said);
    if !read.is_empty() {
        return (sentence(&read), String::new());
    }
    if let Fault::Refused { why, rule, .. } = said.fault {
        return (format!("{}.", why.trim_end_matches('.')), rule.clone());
    }
    let shape = match act {
        Some(Act::Attack) => "the order is ATTACK unit AT enemy.",
        Some(Act::Charge) => "the order is CHARGE unit AT enemy.",
        Some(Act::Support) => "the order is SUPPORT unit AT enemy.",
        Some(Act::Fire) => "guns BOMBARD, muskets VOLLEY: verb, unit, AT enemy.",
        Some(Act::Turn) => "the order is TURN unit way, such as NE or >Pratzen.",
        Some(Act::Form(_)) => "the order is FORM unit formation.",
        Some(Act::Back) => "the order is BACK unit 1UM.",
        Some(Act::Attach) => "the order is ATTACH HQ TO unit.",
        Some(Act::Follow) => "the order is FOLLOW unit AFTER unit.",
        Some(Act::Side) => "the order is SIDE unit L or R 1UM.",
        Some(Act::About) => "the order is ABOUT unit.",
        Some(Act::Leave) => "the order is DISENGAGE unit.",
        Some(Act::Hold) => "a unit without orders stays; HOLD is for batteries.",
        Some(Act::Move | Act::Done) | None => "a move is MOVE unit TOWARD place 2UM.",
    };
    (shape.to_owned(), String::new())
}

/// The words of a line that are read as others, each with what it is read as.
fn readings(said: &Said<'_>) -> Vec<String> {
    let reading = |t: &orders::mend::hear::Token<Thing>| {
        let read = match t.things.first() {
            Some(Thing::Own(id) | Thing::Foe(id) | Thing::Off(id) | Thing::Unseen(id)) => Some(id.0.clone()),
            Some(Thing::Named(name)) => Some(name.clone()),
            _ => t.key.map(str::to_owned),
        };
        let whole = t.things.len() == 1 && t.text.contains(' ') && read.as_deref().is_none_or(|r| r != t.text);
        (t.slips > 0 || whole).then_some(())?;
        read.map(|read| read_as(&t.text, &read))
    };
    said.tokens.iter().filter_map(reading).collect()
}

fn read_as(word: &str, read: &str) -> String {
    format!("\"{}\" is read as {read}", crate::text::quoted(word))
}

/// Reasons as one sentence, each once.
fn sentence(reasons: &[String]) -> String {
    let mut said: Vec<&str> = Vec::new();
    for reason in reasons.iter().map(|reason| reason.trim_end_matches('.')).filter(|reason| !reason.is_empty()) {
        if !said.contains(&reason) {
            said.push(reason);
        }
    }
    if said.is_empty() { String::new() } else { format!("{}.", said.join("; ")) }
}

/// A name that is none of the seat's units on the field: the same answer whatever its bearer does.
fn stranger(said: &Said<'_>) -> Option<Mended> {
    let odd = || said.tokens.iter().find(|t| t.odd()).map(|t| t.text.clone());
    let targeted = matches!(said.act(), Some(Act::Attack | Act::Charge | Act::Fire | Act::Support));
    let strange =
        |t: &orders::mend::hear::Token<Thing>| matches!(t.things.first(), Some(Thing::Foe(_) | Thing::Unseen(_)));
    let verb = said.tokens.iter().position(|t| t.senses.iter().any(|s| s.acts()));
    let actor = said.tokens.iter().position(strange) < verb;
    let name = said.stranger().filter(|_| !targeted || actor).or_else(odd)?;
    let off = said.tokens.iter().flat_map(|t| &t.things).any(|t| matches!(t, Thing::Off(_)));
    if off {
        let told = Mended::from(said.fault);
        return Some(Mended { lines: Vec::new(), ..told });
    }
    let why = format!("no unit of yours on the field is called {}.", crate::text::quoted(&name));
    let note = Some("A move is MOVE unit TOWARD place 2UM; UNITS lists yours.".to_owned());
    Some(Mended { why, note, ..Mended::default() })
}

/// The cheapest lines of some.
fn pick(said: &Said<'_>, choices: Vec<Choice>) -> Vec<String> {
    change::cheapest(choices, |line| takes(said.v, line))
}

/// A line that might have been meant: missing keywords, wrong letters, and what else it changes.
fn choice(said: &Said<'_>, line: String, otherwise: &[&str], more: u32) -> Choice {
    let cost = change::missing(&line, &said.words, otherwise) + said.slips() + more;
    Choice { line, cost }
}

/// A line of any verb with its misspelt words put right, one after the other, until it is taken.
fn respelt(said: &Said<'_>, line: &Line) -> Mended {
    let spelt = |t: &orders::mend::hear::Token<Thing>| match (t.things.as_slice(), t.key) {
        ([Thing::Own(id) | Thing::Foe(id) | Thing::Off(id) | Thing::Unseen(id)], _) => Some(id.0.clone()),
        ([Thing::Named(name)], _) => Some(name.clone()),
        (_, key) => key.map(str::to_owned),
    };
    // Only what is misspelt is written anew: signs, commas and numbers stay as they stand.
    let (mut text, mut reasons) = (line.source.clone(), Vec::new());
    for token in said.tokens.iter().filter(|t| t.slips > 0) {
        if let Some(word) = spelt(token).filter(|_| text.matches(token.text.as_str()).count() == 1) {
            text = text.replacen(token.text.as_str(), &word, 1);
            reasons.push(read_as(&token.text, &word));
        }
    }
    let put_right = respell::respell(&text, |line| orders::read(verbs(), said.v, line).map(|_| ()));
    // The fault is that of the line as it was written, until a word of it has been put right.
    let bettered = text != line.source || put_right.changed > 0;
    let read_on = refused(said.v, &put_right.text);
    let fault = put_right.fault.clone().or(read_on).filter(|_| bettered).unwrap_or_else(|| said.fault.clone());
    let told = Mended::from(&fault);
    let named = said.who();
    let same = |copy: &str| {
        let again = Said::of(said.v, &orders::line(1, copy), said.fault);
        let verb = said.head().is_some() && again.head() == said.head();
        verb && (named.is_empty() || again.who().iter().any(|id| named.contains(id)))
    };
    // The example of a word that was not understood is of some piece, and no repair of this line.
    let cure = fault.copy().filter(|_| !matches!(fault, Fault::Unclear { .. }));
    let copy = cure.filter(|copy| same(copy)).map(str::to_owned);
    let cost = said.slips() + put_right.changed;
    // Whatever a line that is offered changes, its reason says.
    reasons.extend(put_right.words.iter().map(|(word, read)| read_as(word, read)));
    let mut lines = pick(said, vec![Choice { line: put_right.text, cost }]);
    if lines.is_empty() {
        lines = pick(said, copy.map(|line| Choice { line, cost: cost + change::PLACE }).into_iter().collect());
        reasons.push(told.why.clone());
    }
    lines.retain(|found| *found != line.source);
    // Where nothing is offered the true reason counts, and with it the cure that it names.
    let (why, rule) = match lines.is_empty() || reasons.is_empty() {
        true => (told.why, told.rule),
        false if reasons.last() == Some(&told.why) => (sentence(&reasons), told.rule),
        false => (sentence(&reasons), String::new()),
    };
    Mended { why, rule, lines, ..Mended::default() }
}

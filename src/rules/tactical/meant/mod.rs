//! What was meant by a line that gives no order, or none that is allowed, in a battle on hexes.
//!
//! A line is heard ([`Said`]): its verb, its pieces, its places. Then it is nothing, a question or an order with a slip, and
//! of such an order the nearest line is looked for that is taken ([`acts`]). A ruleset answers [`Tongue`] on its view, so
//! that nothing here looks beyond what a seat knows.

pub mod acts;
pub mod found;
mod said;
mod sides;

use crate::hex::{Dir, Hex};
use crate::orders::mend::hear::{self, Token, Vocabulary};
use crate::orders::mend::lexicon::Sense;
use crate::orders::mend::{Meaning, Mended, Topic, respell};
use crate::orders::{self, Fault, Line, Verb};
pub use found::{Found, Parted};
pub use said::{Said, Slot, Thing};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// Words of a line whose verb stands without a unit or a place.
pub const BRIEF: usize = 4;
/// Words of a line that gives an order, at most, where it does not begin as one: what is longer tells something.
const ORDERLY: usize = 8;
/// Digits of a unit's number.
const DIGITS: usize = 2;
/// Where units of an order stand.
pub const SUBJECT: [Slot; 2] = [Slot::Plain, Slot::With];
/// Words that ask for the signs of the map.
pub const SIGNS: [&str; 5] = ["mean", "means", "symbol", "symbols", "legend"];
/// Words with which a question begins, whatever it names.
const QUESTIONS: [&str; 7] = ["what", "how", "where", "when", "who", "why", "which"];

/// The words of a game's orders.
pub struct Grammar<A: 'static> {
    /// Keywords behind the verbs.
    pub keys: &'static [&'static str],
    /// Keywords behind which pieces stand that are none of the subject.
    pub slots: &'static [&'static str],
    /// What the arms are called.
    pub arms: &'static [(&'static str, A)],
    /// The verbs that common words mean, the foremost first.
    pub acts: &'static [(Sense, &'static str)],
    /// The verbs that attack or fire.
    pub attacks: &'static [&'static str],
}

/// What is done by an order that is put together of what was named.
pub enum Deed<'a> {
    /// Units attack a hex, by a verb.
    Strike(&'static str, &'a [String], Hex),
    /// A leader rides to a hex.
    Ride(&'a str, Hex),
}

/// A game in whose words a line is heard: what a seat's view tells of its pieces.
pub trait Tongue: Sized + 'static {
    /// An order, bound to the view.
    type Order;
    /// An arm.
    type Arm: Copy + PartialEq + Debug;

    /// The words of its orders.
    fn grammar() -> &'static Grammar<Self::Arm>;

    /// Its verbs.
    fn verbs() -> &'static [Verb<Self, Self::Order>];

    /// Whether an order would be carried out now.
    ///
    /// # Errors
    /// Why it would not.
    fn tried(&self, order: &Self::Order) -> Result<(), Fault>;

    /// Whether a unit may do anything now.
    ///
    /// # Errors
    /// Why it may not.
    fn is_ready(&self, unit: &str) -> Result<(), Fault>;

    /// The order of a deed.
    fn order(deed: &Deed<'_>) -> Self::Order;

    /// All names that this seat's lines may hold, but for arms and sides of hexes.
    fn names(&self, known: &mut Vocabulary<Thing<Self::Arm>>);

    /// Where a unit stands.
    fn hex(&self, unit: &str) -> Option<Hex>;

    /// Whether a unit is of an arm.
    fn is_arm(&self, unit: &str, arm: Self::Arm) -> bool;

    /// All own units that act.
    fn acting(&self) -> Vec<String>;

    /// The units of a leader that act, or all of his if nobody does.
    fn men(&self, leader: &str) -> Vec<String>;

    /// The hexes that enemies hold, or those of an arm.
    fn foes(&self, arm: Option<Self::Arm>) -> BTreeSet<Hex>;

    /// Whether units find room in a hex.
    fn has_room(&self, units: &[String], hex: Hex) -> bool {
        let (_, _) = (units, hex);
        true
    }

    /// Units that may not attack together, apart.
    fn apart(&self, units: &[String]) -> Vec<Vec<String>>;

    /// What is answered at once.
    fn told(said: &Said<'_, Self>) -> Option<Vec<String>>;

    /// What is told to a question of this game's.
    fn asked(said: &Said<'_, Self>) -> Option<Topic>;

    /// What may be written instead of a line.
    fn found(said: &Said<'_, Self>) -> Found;

    /// Whether a line is taken as it stands.
    ///
    /// # Errors
    /// Why not.
    fn taken(&self, text: &str) -> Result<(), Fault> {
        self.tried(&orders::read(Self::verbs(), self, &orders::line(1, text))?)
    }

    /// The same, whatever the reason.
    fn takes(&self, text: &str) -> bool {
        self.taken(text).is_ok()
    }
}

/// A game in which a march is a row of hexes, and a facing behind them.
pub trait Marches: Tongue {
    /// The paragraph of movement.
    const GOING: &'static str;
    /// The paragraph of facing.
    const FACING: &'static str;

    /// The order by which units go over hexes, and face then.
    fn go(units: &[String], path: &[Hex], face: Option<Dir>) -> Self::Order;

    /// The order by which units turn to a side.
    fn turn(units: &[String], face: Dir) -> Self::Order;

    /// A legal way of units to a hex, without the first, if there is one.
    fn way(&self, units: &[String], from: Hex, to: Hex) -> Option<Vec<Hex>>;

    /// A legal way that comes nearer to a hex which is out of reach, if there is one.
    fn nearer(&self, units: &[String], from: Hex, to: Hex) -> Option<Vec<Hex>> {
        let (_, _, _) = (units, from, to);
        None
    }

    /// Why a unit does not come to a hex.
    fn unreached(&self, unit: &str, to: Hex) -> Fault;
}

/// Names of a leader: his own, and of his men.
pub fn led<A: Copy + PartialEq + Debug>(known: &mut Vocabulary<Thing<A>>, leader: &str) {
    known.name(leader, Thing::Leader(leader.to_owned()));
    ["'s", "’s"].iter().for_each(|of| known.name(&format!("{leader}{of}"), Thing::Men(leader.to_owned())));
}

/// A line in which numbers behind a comma stand for units beside the one before them: `APS-1,2,3`.
fn numbered<T: Tongue>(v: &T, line: &Line) -> Option<Line> {
    let source: Vec<char> = line.source.chars().collect();
    let comma = |from: usize, to: usize| source.get(from..to).is_some_and(|between| between.contains(&','));
    let (mut words, mut mates, mut changed): (Vec<String>, Option<String>, bool) = (Vec::new(), None, false);
    let mut end = 0;
    for word in &line.words {
        let number = word.text.len() <= DIGITS && word.text.bytes().all(|b| b.is_ascii_digit());
        let mate = mates.as_ref().filter(|_| number && comma(end, word.span.0));
        let mate = mate.map(|name| format!("{name}-{}", word.text)).filter(|id| v.hex(id).is_some());
        end = word.span.1;
        changed |= mate.is_some();
        if mate.is_none() {
            let id = word.text.to_uppercase();
            let known = v.hex(&id).is_some();
            mates = id.rsplit_once('-').filter(|_| known).map(|(name, _)| name.to_owned());
        }
        words.push(mate.unwrap_or_else(|| word.text.clone()));
    }
    changed.then(|| orders::line(line.no, &words.join(" ")))
}

/// What a line is: nothing, a question, or an order with a slip in it.
pub fn meant<T: Tongue>(v: &T, line: &Line, fault: &Fault) -> Meaning {
    let Some(whole) = numbered(v, line) else { return plainly_meant(v, line, fault) };
    if v.takes(&whole.source) {
        return Meaning::Attempt(Mended { lines: vec![whole.source], same: true, ..Mended::default() });
    }
    plainly_meant(v, &whole, fault)
}

/// The same of a line in which each unit stands by its name.
fn plainly_meant<T: Tongue>(v: &T, line: &Line, fault: &Fault) -> Meaning {
    let said = Said::of(v, line);
    if hear::quoted(line) || said.tokens.is_empty() {
        return Meaning::Nothing;
    }
    let named = !said.units(&SUBJECT).is_empty() || !said.leaders(&SUBJECT).is_empty();
    let placed = !said.places().is_empty();
    let (head, verb) = (said.head.is_some(), !said.verbs().is_empty());
    let whole = (named || said.arm().is_some()) && (placed || verb);
    if let Some(told) = T::told(&said).filter(|_| !placed) {
        return Meaning::Question(Topic::Told(told));
    }
    let opening = said.tokens.iter().find(|t| !t.means(Sense::Greet) && !t.means(Sense::Polite));
    let asked = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Ask));
    let wonders = said.words.first().is_some_and(|word| QUESTIONS.contains(&word.fold.as_str()));
    if (hear::asks(line) || asked) && !head && (!whole || wonders) {
        return Meaning::Question(topic(&said));
    }
    let first_person = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Writer));
    let courteous = |t: &Token<Thing<T::Arm>>| t.slips == 0 && (t.means(Sense::Greet) || t.means(Sense::Close));
    let talks = first_person && !said.means(Sense::Done);
    if !head && !whole && (talks || said.tokens.iter().any(courteous)) {
        return Meaning::Nothing;
    }
    let brief = said.words.len() <= BRIEF;
    // Whom nobody knows is sent somewhere, or who is known is to do what no word of ours says: the line was to do something,
    // and END waits for it.
    let bid = said.words.len() <= ORDERLY && ((placed && verb) || said.numbered());
    if head || whole || bid || (brief && (named || verb || said.clause())) {
        return Meaning::Attempt(attempt(&said, line, fault));
    }
    let short_question = brief && (said.means(Sense::Win) || said.means(Sense::Help));
    if short_question { Meaning::Question(topic(&said)) } else { Meaning::Nothing }
}

fn topic<T: Tongue>(said: &Said<'_, T>) -> Topic {
    let numbered = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.');
    let rule = said.words.iter().map(|w| &w.text).find(|text| said.means(Sense::Rule) && numbered(text));
    match rule {
        Some(rule) => Topic::Rule(rule.clone()),
        None if said.means(Sense::Win) => Topic::Win,
        None => T::asked(said).unwrap_or(Topic::Help),
    }
}

/// Whether a line says only that somebody does nothing.
pub fn is_idle<T: Tongue>(said: &Said<'_, T>) -> bool {
    let not = said.means(Sense::Not);
    if said.head.is_some() || !(not || said.means(Sense::Stay)) {
        return false;
    }
    let named = !said.units(&SUBJECT).is_empty();
    if not { !said.verbs().is_empty() } else { named && said.verbs().is_empty() }
}

/// A label of the map that may stand for several things: none of them is taken, each is offered.
fn labelled<T: Tongue>(said: &Said<'_, T>, label: &str) -> Mended {
    let why = format!("\"{label}\" may be more than one: name the units or the hex");
    let mut mended = Mended { why, ..Mended::default() };
    for found in said.readings().iter().map(T::found) {
        let new = found.lines.into_iter().filter(|line| !mended.lines.contains(line)).collect::<Vec<_>>();
        mended.lines.extend(new);
        mended.note = mended.note.or(found.note);
    }
    mended.lines.truncate(acts::LINES_MAX);
    mended
}

/// The order that was meant, changed as little as makes it one that is taken.
fn attempt<T: Tongue>(said: &Said<'_, T>, line: &Line, fault: &Fault) -> Mended {
    // The opposite of what is written is never offered.
    if let Some(word) = said.denial() {
        let why = format!("\"{word}\" is no order: who gets none stays where he is");
        return Mended { why, ..Mended::default() };
    }
    if let Some(label) = said.label() {
        return labelled(said, label);
    }
    let spelt = respell::respell(&line.source, |line| said.v.tried(&orders::read(T::verbs(), said.v, line)?));
    // A number or a side that is nobody's is not the nearest one.
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let numbered = |was: &str| was.bytes().any(|b| b.is_ascii_digit());
    let same = |was: &str, is: &str| letters(was) == letters(is);
    // Nor is a word that says something else: LINE is no FIRE.
    let verb = |is: &str| T::verbs().iter().any(|verb| verb.word == is);
    let means = |was: &str| said.tokens.iter().any(|t| t.text == was && t.slips == 0 && !t.senses.is_empty());
    let kept = |was: &str, is: &str| !numbered(was) && Dir::parse(is).is_none() && !(verb(is) && means(was));
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
    let mut found = T::found(said);
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

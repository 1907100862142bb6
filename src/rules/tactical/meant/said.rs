//! A line as it was heard: its verb, its pieces, its places, and by which word each of them is led.

use super::Tongue;
use super::acts::is_deed;
use super::sides;
use crate::hex::{Dir, Hex};
use crate::orders::mend::hear::{self, Heard, Token, Vocabulary};
use crate::orders::mend::lexicon::{self, Sense};
use crate::orders::{Line, fold};
use std::collections::BTreeSet;

/// The sides of a hex in words.
const WAYS: [(&str, Dir); 6] = [
    ("north", Dir::N),
    ("north east", Dir::NE),
    ("south east", Dir::SE),
    ("south", Dir::S),
    ("south west", Dir::SW),
    ("north west", Dir::NW),
];
/// Words behind which somebody is left out.
const OUT: [&str; 4] = ["but", "without", "ohne", "mais"];
/// Words for those whom a leader leads.
const BODIES: [&str; 11] = [
    "division",
    "divisions",
    "brigade",
    "corps",
    "men",
    "troops",
    "units",
    "battalions",
    "regiments",
    "force",
    "forces",
];
/// Words between a leader and such a word, at most.
const LINK_MAX: usize = 3;
/// Words that begin a condition.
const IFS: [&str; 9] = ["if", "unless", "when", "once", "until", "provided", "wenn", "sobald", "si"];
/// Words of a condition that are quoted.
const CONDITION_WORDS: usize = 6;
/// Words behind which another order may stand.
const ANDS: [&str; 9] = ["and", "then", "&", "+", "und", "dann", "et", "puis", "ensuite"];
/// Readings of a line that are tried.
const READINGS: usize = 6;
/// Signs that are written for a number's digits.
const ALIKE: [(char, char); 4] = [('I', '1'), ('l', '1'), ('O', '0'), ('o', '0')];

/// What a word names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing<A> {
    /// An own unit.
    Unit(String),
    /// The units of an own regiment.
    Regiment(Vec<String>),
    /// All units of an arm.
    Arm(A),
    /// The men of a leader.
    Men(String),
    /// An own leader.
    Leader(String),
    /// A hex, a town, or where enemies stand.
    At(Vec<Hex>),
    /// What the map prints for those who stand together: where, and the units if they are own.
    Stack(Hex, Vec<String>),
    /// A leader of the enemy's, and where he is seen.
    Prey(String, Option<Hex>),
    /// A side of a hex.
    Way(Dir),
}

/// Behind which word something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Behind the verb or a word of place.
    Plain,
    /// Behind WITH.
    With,
    /// Behind an ADVANCE that does not begin the line.
    Advance,
    /// Behind FACE.
    Face,
    /// Behind a word that says where from.
    From,
    /// Behind a keyword of the game's that has a slot of its own.
    Key(&'static str),
}

/// A line as it was heard.
pub struct Said<'a, T: Tongue> {
    /// Who wrote it.
    pub v: &'a T,
    /// Its words.
    pub words: Vec<Heard>,
    /// Its words, read.
    pub tokens: Vec<Token<Thing<T::Arm>>>,
    /// The verb with which it begins, behind courtesies, and whether it is written without a slip.
    pub head: Option<(&'static str, bool)>,
    parts: Vec<(Slot, Thing<T::Arm>)>,
}

impl<'a, T: Tongue> Said<'a, T> {
    /// Reads a line.
    pub fn of(v: &'a T, line: &Line) -> Said<'a, T> {
        let words = hear::heard(line);
        let mut tokens = vocabulary(v).read(&words, |rest| {
            let word = rest.first()?;
            let hex = Hex::parse(&word.text).or_else(|| alike(&word.text))?;
            Some((1, Thing::At(vec![hex])))
        });
        // A word that is nearly the name of somebody out of sight may be any other.
        for token in tokens.iter_mut().filter(|token| token.slips > 0) {
            token.things.retain(|thing| !matches!(thing, Thing::Prey(_, None)));
        }
        for token in &mut tokens {
            // Half a leader's name is his own, and not his men's; WEST is no misspelt TEST.
            if let Some(name) = leader_of(&token.things) {
                token.things = vec![Thing::Leader(name)];
            }
            if token.slips > 0 && sides::is_between(&token.text) {
                (token.key, token.senses, token.slips) = (None, Vec::new(), 0);
                token.things.clear();
            }
        }
        let mut said = Said { v, words, tokens, head: None, parts: Vec::new() };
        let polite =
            |t: &&Token<Thing<T::Arm>>| !t.means(Sense::Polite) && !t.means(Sense::Greet) && !t.means(Sense::Fill);
        let first = said.tokens.iter().find(polite);
        let verbs = T::verbs();
        said.head = first.and_then(|token| {
            let found = verbs.iter().find(|verb| token.key == Some(verb.word) || opens(token, verb.word));
            found.map(|verb| (verb.word, token.slips == 0))
        });
        said.led();
        said.parts = said.parted();
        said
    }

    /// A leader with a word for those whom he leads, `FERY DIVISION` or `FERY AND HIS MEN`, stands for his men where the verb
    /// is one of units.
    fn led(&mut self) {
        let of_units = |word: &str| T::verbs().iter().all(|verb| verb.word != word || verb.usage.starts_with("unit"));
        let fits = match self.head {
            Some((head, _)) => of_units(head),
            None => self.tokens.iter().all(|token| token.key.is_none_or(of_units)),
        };
        if !fits {
            return;
        }
        let links = [Sense::With, Sense::Fill, Sense::All];
        let linked = |t: &Token<Thing<T::Arm>>| t.things.is_empty() && links.iter().any(|sense| t.means(*sense));
        let bodied =
            |t: &Token<Thing<T::Arm>>| t.text.split(' ').any(|word| BODIES.contains(&word.to_lowercase().as_str()));
        let led = |(n, token): (usize, &Token<Thing<T::Arm>>)| {
            let [Thing::Leader(name)] = token.things.as_slice() else { return None };
            let mut behind = self.tokens.iter().skip(n + 1).take(LINK_MAX).take_while(|t| linked(t));
            let before = self.tokens.get(..n).unwrap_or_default().iter().rev();
            let mut before = before.take(LINK_MAX - 1).take_while(|t| linked(t));
            let men = behind.any(bodied) || before.any(bodied);
            (men && !self.v.men(name).is_empty()).then(|| (n, name.clone()))
        };
        let found: Vec<(usize, String)> = self.tokens.iter().enumerate().filter_map(led).collect();
        for (n, name) in found {
            if let Some(token) = self.tokens.get_mut(n) {
                token.things = vec![Thing::Men(name)];
            }
        }
    }

    /// Whether an own unit is called by its number, wherever it stands in the line: no talk does that.
    pub fn numbered(&self) -> bool {
        let own = |thing: &Thing<T::Arm>| matches!(thing, Thing::Unit(_) | Thing::Regiment(_));
        let named = |c: char| c.is_alphabetic() || c == '-';
        let numbered = |text: &str| text.bytes().any(|b| b.is_ascii_digit()) && text.contains(named);
        self.tokens.iter().any(|t| t.slips == 0 && t.things.iter().any(own) && numbered(&t.text))
    }

    /// Whether the line begins with a word that stands behind a verb: `EXTRA 100-2`.
    pub fn clause(&self) -> bool {
        let slots = T::grammar().slots;
        self.words.len() > 1 && self.words.first().is_some_and(|word| slots.iter().any(|slot| word.fold == fold(slot)))
    }

    /// Whether the men of a leader are meant.
    pub fn musters(&self) -> bool {
        self.things(&[Slot::Plain, Slot::With]).any(|thing| matches!(thing, Thing::Men(_)))
    }

    /// The words that say that something is not to be done.
    pub fn denial(&self) -> Option<&str> {
        let not = |word: &str| lexicon::senses(&fold(word)).contains(&Sense::Not);
        let stays_not = |t: &Token<Thing<T::Arm>>| t.means(Sense::Stay) && t.text.split(' ').any(not);
        let denies = |t: &&Token<Thing<T::Arm>>| t.things.is_empty() && (t.means(Sense::Not) || stays_not(t));
        self.tokens.iter().find(denies).map(|t| t.text.as_str())
    }

    /// The condition of a line, as far as it is quoted; a clause behind a keyword of the game's own is none.
    pub fn condition(&self) -> Option<String> {
        let clause = |word: &Heard| T::grammar().slots.iter().any(|slot| word.fold == fold(slot));
        let opens = |t: &&Token<Thing<T::Arm>>| {
            let before = t.span.0.checked_sub(1).and_then(|n| self.words.get(n));
            let begins = t.text.split(' ').any(|word| IFS.contains(&word.to_lowercase().as_str()));
            t.things.is_empty() && !t.means(Sense::Fill) && begins && !before.is_some_and(clause)
        };
        let at = self.tokens.iter().find(opens)?.span.0;
        let words: Vec<&str> =
            self.words.iter().skip(at).take(CONDITION_WORDS).map(|word| word.text.as_str()).collect();
        (words.len() > 1).then(|| words.join(" "))
    }

    /// The verb that a word says.
    fn verb(&self, token: &Token<Thing<T::Arm>>) -> Option<&'static str> {
        // Who goes on behind an attack, says it in its line.
        if !token.things.is_empty() || (token.key == Some("ADVANCE") && self.attacks()) {
            return None;
        }
        let key = T::verbs().iter().find(|verb| token.key == Some(verb.word)).map(|verb| verb.word);
        let act = T::grammar().acts.iter().find(|(sense, _)| token.senses.first() == Some(sense));
        key.or(act.map(|(_, word)| *word))
    }

    /// The verb of a line, and another one behind AND or THEN, where it is no part of the first one's line.
    pub fn second(&self) -> Option<(&'static str, &'static str)> {
        let mut verbs = self.tokens.iter().enumerate().filter_map(|(n, token)| Some((n, self.verb(token)?)));
        let (from, first) = verbs.next()?;
        let usage = T::verbs().iter().find(|verb| verb.word == first).map_or("", |verb| verb.usage);
        let part = |word: &str| usage.split(|c: char| !c.is_ascii_uppercase()).any(|key| key == word);
        let and = |t: &Token<Thing<T::Arm>>| {
            t.things.is_empty() && t.text.split(' ').any(|word| ANDS.contains(&word.to_lowercase().as_str()))
        };
        let smalls = [Sense::Fill, Sense::Polite, Sense::Writer, Sense::With, Sense::Via, Sense::All];
        let small = |t: &Token<Thing<T::Arm>>| and(t) || t.things.is_empty() && smalls.iter().any(|s| t.means(*s));
        let place = |thing: &Thing<T::Arm>| match thing {
            Thing::At(_) | Thing::Way(_) | Thing::Prey(..) => true,
            Thing::Stack(_, units) => units.is_empty(),
            _ => false,
        };
        let piece = |t: &Token<Thing<T::Arm>>| !t.things.is_empty() && !t.things.iter().any(place);
        let joined = |n: usize, deed: bool| {
            let between = self.tokens.get(from + 1..n).unwrap_or_default().iter().rev();
            between.take_while(|t| small(t) || (deed && piece(t))).any(and)
        };
        // A march may have two legs.
        let leg = |n: usize, word: &str| word == "MOVE" && first == word && !self.tokens.iter().skip(n).any(piece);
        let mut others = verbs.filter(|(n, word)| !part(word) && !leg(*n, word) && joined(*n, is_deed::<T>(word)));
        others.next().map(|(_, word)| (first, word))
    }

    /// What is named, each with the word behind which it stands; a word that may be several things is none of them.
    fn parted(&self) -> Vec<(Slot, Thing<T::Arm>)> {
        let mut slot = Slot::Plain;
        let mut found = Vec::new();
        for (n, token) in self.tokens.iter().enumerate() {
            match token.things.as_slice() {
                [] => slot = self.slot(token, n, slot),
                [only] => found.push((slot, only.clone())),
                _ => {}
            }
        }
        found
    }

    /// The slot that a word begins.
    fn slot(&self, token: &Token<Thing<T::Arm>>, n: usize, now: Slot) -> Slot {
        let fold = token.text.to_lowercase();
        let and = ["and", "und", "et", "plus", "&", "+"].contains(&fold.as_str());
        match token.key {
            Some("WITH") => Slot::With,
            Some(key) if T::grammar().slots.contains(&key) => Slot::Key(key),
            Some("FACE" | "FACING") if n > 0 => Slot::Face,
            Some("ADVANCE") if n > 0 && self.attacks() => Slot::Advance,
            _ if token.means(Sense::With) && !and => Slot::With,
            _ if token.means(Sense::From) => Slot::From,
            _ if token.means(Sense::Turn) && n > 0 => Slot::Face,
            _ if (token.means(Sense::To) || token.means(Sense::At)) && now != Slot::Face => Slot::Plain,
            _ => now,
        }
    }

    /// Whether a word of it attacks or fires.
    fn attacks(&self) -> bool {
        let acts = [Sense::Strike, Sense::Shoot, Sense::Charge];
        let key = |t: &Token<Thing<T::Arm>>| t.key.is_some_and(|key| T::grammar().attacks.contains(&key));
        self.tokens.iter().any(|t| key(t) || acts.iter().any(|sense| t.senses.first() == Some(sense)))
    }

    fn things(&self, slots: &[Slot]) -> impl Iterator<Item = &Thing<T::Arm>> {
        self.parts.iter().filter(|(slot, _)| slots.contains(slot)).map(|(_, thing)| thing)
    }

    /// The units behind some words, each once.
    pub fn units(&self, slots: &[Slot]) -> Vec<String> {
        let units = self.things(slots).flat_map(|thing| match thing {
            Thing::Unit(id) => vec![id.clone()],
            Thing::Regiment(ids) | Thing::Stack(_, ids) => ids.clone(),
            Thing::Men(leader) => self.v.men(leader),
            _ => Vec::new(),
        });
        let mut named = BTreeSet::new();
        units.filter(|id| named.insert(id.clone())).collect()
    }

    /// The leaders behind some words.
    pub fn leaders(&self, slots: &[Slot]) -> Vec<String> {
        let named = self.things(slots).filter_map(|thing| match thing {
            Thing::Leader(name) => Some(name.clone()),
            _ => None,
        });
        named.collect()
    }

    /// The places behind the verb, each with the hexes that it may be.
    pub fn places(&self) -> Vec<Vec<Hex>> {
        let places = self.things(&[Slot::Plain, Slot::With]).filter_map(|thing| match thing {
            Thing::At(hexes) => Some(hexes.clone()),
            Thing::Stack(hex, ids) if ids.is_empty() => Some(vec![*hex]),
            Thing::Prey(_, hex) => Some(hex.iter().copied().collect()),
            _ => None,
        });
        places.collect()
    }

    /// The leader of the enemy's that is named, and where he is seen.
    pub fn prey(&self) -> Option<(&str, Option<Hex>)> {
        self.parts.iter().find_map(|(_, thing)| match thing {
            Thing::Prey(leader, hex) => Some((leader.as_str(), *hex)),
            _ => None,
        })
    }

    /// The line once for each thing for which a label of the map in it may stand; none where no label may stand for several.
    pub fn readings(&self) -> Vec<Said<'a, T>> {
        let mut found = self.parted_readings();
        // A label before AT, and one behind it; of more nothing is guessed.
        let next: Vec<Vec<Said<'a, T>>> = found.iter().map(Said::parted_readings).collect();
        if next.iter().any(|more| !more.is_empty()) {
            found = next.into_iter().flatten().collect();
        }
        found.truncate(READINGS);
        found
    }

    /// The same for its first label.
    fn parted_readings(&self) -> Vec<Said<'a, T>> {
        let of_map = |thing: &Thing<T::Arm>| matches!(thing, Thing::Stack(..));
        let label = |token: &&Token<Thing<T::Arm>>| token.things.len() > 1 && token.things.iter().any(of_map);
        let Some(label) = self.tokens.iter().find(label) else { return Vec::new() };
        let read = |thing: &Thing<T::Arm>| {
            let mut tokens = self.tokens.clone();
            for token in tokens.iter_mut().filter(|token| token.things == label.things) {
                token.things = vec![thing.clone()];
            }
            let mut said = Said { v: self.v, words: self.words.clone(), tokens, head: self.head, parts: Vec::new() };
            said.parts = said.parted();
            said
        };
        label.things.iter().map(read).collect()
    }

    /// The label of the map that may stand for several things.
    pub fn label(&self) -> Option<&str> {
        let of_map = |thing: &Thing<T::Arm>| matches!(thing, Thing::Stack(..));
        let token = self.tokens.iter().find(|token| token.things.len() > 1 && token.things.iter().any(of_map));
        token.map(|token| token.text.as_str())
    }

    /// The arm that is named.
    pub fn arm(&self) -> Option<T::Arm> {
        self.things(&[Slot::Plain, Slot::With]).find_map(|thing| match thing {
            Thing::Arm(arm) => Some(*arm),
            _ => None,
        })
    }

    /// The sides of hexes behind some words.
    pub fn ways(&self, slots: &[Slot]) -> Vec<Dir> {
        let ways = self.things(slots).filter_map(|thing| match thing {
            Thing::Way(dir) => Some(*dir),
            _ => None,
        });
        ways.collect()
    }

    /// Whether something stands behind this word, or the word alone.
    pub fn has(&self, slot: Slot) -> bool {
        (0..).zip(&self.tokens).any(|(n, t)| t.things.is_empty() && self.slot(t, n, Slot::Plain) == slot)
    }

    /// The hexes named behind a word of origin.
    pub fn origins(&self) -> Vec<Hex> {
        let named = self.things(&[Slot::From]).filter_map(|thing| match thing {
            Thing::At(hexes) => hexes.first().copied(),
            _ => None,
        });
        named.collect()
    }

    /// The hexes that are named behind some words.
    pub fn hexes_behind(&self, slots: &[Slot]) -> Vec<Hex> {
        let named = self.things(slots).filter_map(|thing| match thing {
            Thing::At(hexes) => Some(hexes.clone()),
            Thing::Stack(hex, ids) if ids.is_empty() => Some(vec![*hex]),
            Thing::Prey(_, hex) => Some(hex.iter().copied().collect()),
            _ => None,
        });
        named.flatten().collect()
    }

    /// The words behind FACE.
    pub fn behind_face(&self) -> Vec<&Token<Thing<T::Arm>>> {
        let (mut slot, mut found) = (Slot::Plain, Vec::new());
        for (n, token) in self.tokens.iter().enumerate() {
            let now = if token.things.is_empty() { self.slot(token, n, slot) } else { slot };
            if slot == Slot::Face && now == Slot::Face && !token.means(Sense::Turn) {
                found.push(token);
            }
            slot = now;
        }
        found
    }

    /// Whether one of some words stands in it.
    pub fn says(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.fold.as_str()))
    }

    /// Whether a word may mean this, and is no name.
    pub fn means(&self, sense: Sense) -> bool {
        self.tokens.iter().any(|token| token.things.is_empty() && token.means(sense))
    }

    /// Whether a name in it is nobody's, may be several or is not spelt as it is, or somebody is left out.
    pub fn is_riddle(&self) -> bool {
        let number = |t: &Token<Thing<T::Arm>>| t.text.len() > 1 && t.text.bytes().any(|b| b.is_ascii_digit());
        let glued = |t: &Token<Thing<T::Arm>>| t.text.contains(' ');
        let odd = |t: &Token<Thing<T::Arm>>| number(t) && (t.odd() || (t.slips > 0 && !glued(t)));
        let left_out = |t: &Token<Thing<T::Arm>>| OUT.contains(&t.text.to_lowercase().as_str());
        self.tokens.iter().any(|t| odd(t) || left_out(t) || t.things.len() > 1)
    }

    /// The verbs that are meant: the one that begins the line, else those of its words, the foremost first.
    pub fn verbs(&self) -> Vec<&'static str> {
        let acts = |t: &&Token<Thing<T::Arm>>| t.things.is_empty() && !(self.attacks() && t.key == Some("ADVANCE"));
        let head = self.head.map(|(head, _)| head);
        // The word that opens the line says no second verb.
        let opener = |t: &&Token<Thing<T::Arm>>| head.is_some_and(|head| t.key == Some(head) || opens(t, head));
        let rest = || self.tokens.iter().filter(acts).filter(|t| !opener(t));
        let of = |sense: Sense| rest().any(|t| t.senses.first() == Some(&sense));
        let mut found: Vec<&'static str> = head.into_iter().collect();
        for (_, verb) in T::grammar().acts.iter().filter(|(sense, _)| of(*sense)) {
            if !found.contains(verb) {
                found.push(verb);
            }
        }
        found
    }

    /// Whether it says nothing but an order in its own words: no slip, no word that is not understood.
    pub fn is_plain(&self) -> bool {
        let small = [
            Sense::Polite,
            Sense::Greet,
            Sense::To,
            Sense::At,
            Sense::From,
            Sense::With,
            Sense::Via,
            Sense::Fill,
            Sense::Turn,
            Sense::Close,
            Sense::Done,
        ];
        let clear = |t: &Token<Thing<T::Arm>>| {
            let fit = match t.things.as_slice() {
                [] => {
                    t.key.is_some()
                        || self.head.is_some_and(|(verb, _)| opens(t, verb))
                        || t.senses.first().is_some_and(|sense| small.contains(sense))
                }
                [Thing::Arm(_) | Thing::Men(_) | Thing::Stack(..) | Thing::Prey(..)] => false,
                [_] => alike(&t.text).is_none(),
                _ => false,
            };
            fit && t.slips == 0
        };
        let ends = || self.verbs() == ["END"];
        self.head.map_or_else(ends, |(_, exact)| exact) && self.tokens.iter().all(clear)
    }
}

/// The leader of whom nothing but he and his men is named.
fn leader_of<A>(things: &[Thing<A>]) -> Option<String> {
    match things {
        [Thing::Leader(name), Thing::Men(of)] | [Thing::Men(of), Thing::Leader(name)] if name == of => {
            Some(name.clone())
        }
        _ => None,
    }
}

/// Whether a phrase begins with a verb: `fire at` is one of the general words.
fn opens<A>(token: &Token<Thing<A>>, verb: &str) -> bool {
    token.things.is_empty() && token.text.split(' ').next().is_some_and(|word| word.eq_ignore_ascii_case(verb))
}

/// A hex of whose digits some are written as letters.
fn alike(text: &str) -> Option<Hex> {
    let digit = |c: char| ALIKE.iter().find(|(letter, _)| *letter == c).map_or(c, |(_, digit)| *digit);
    let digits: String = text.chars().map(digit).collect();
    let written = text.bytes().filter(u8::is_ascii_digit).count() > 1;
    Hex::parse(&digits).filter(|_| digits != text && written)
}

/// All names that this seat's lines may hold.
fn vocabulary<T: Tongue>(v: &T) -> Vocabulary<Thing<T::Arm>> {
    let grammar = T::grammar();
    let keys = grammar.keys.iter().chain(grammar.slots).copied();
    let mut known = Vocabulary::new(T::verbs().iter().map(|verb| verb.word).chain(keys));
    v.names(&mut known);
    Dir::ALL.into_iter().for_each(|dir| known.name(dir.name(), Thing::Way(dir)));
    // `S E` is one side, and no step south.
    for dir in Dir::ALL.into_iter().filter(|dir| dir.name().len() > 1) {
        let letters: Vec<String> = dir.name().chars().map(String::from).collect();
        known.name(&letters.join(" "), Thing::Way(dir));
    }
    for (word, dir) in WAYS {
        ["", "-", " "].iter().for_each(|by| known.name(&word.replace(' ', by), Thing::Way(dir)));
    }
    grammar.arms.iter().for_each(|(word, arm)| known.name(word, Thing::Arm(*arm)));
    known
}

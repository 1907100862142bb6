//! A line as it was heard: its verb, its pieces, its places, and by which word each of them is led.

use super::Tongue;
use crate::hex::{Dir, Hex};
use crate::orders::Line;
use crate::orders::mend::hear::{self, Heard, Token, Vocabulary};
use crate::orders::mend::lexicon::Sense;
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
        let tokens = vocabulary(v).read(&words, |rest| {
            let word = rest.first()?;
            let hex = Hex::parse(&word.text).or_else(|| alike(&word.text))?;
            Some((1, Thing::At(vec![hex])))
        });
        let mut said = Said { v, words, tokens, head: None, parts: Vec::new() };
        let polite =
            |t: &&Token<Thing<T::Arm>>| !t.means(Sense::Polite) && !t.means(Sense::Greet) && !t.means(Sense::Fill);
        let first = said.tokens.iter().find(polite);
        let verbs = T::verbs();
        said.head = first.and_then(|token| {
            let found = verbs.iter().find(|verb| token.key == Some(verb.word) || opens(token, verb.word));
            found.map(|verb| (verb.word, token.slips == 0))
        });
        said.parts = said.parted();
        said
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
            Thing::Regiment(ids) => ids.clone(),
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
            _ => None,
        });
        places.collect()
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
                [Thing::Arm(_) | Thing::Men(_)] => false,
                [_] => alike(&t.text).is_none(),
                _ => false,
            };
            fit && t.slips == 0
        };
        let ends = || self.verbs() == ["END"];
        self.head.map_or_else(ends, |(_, exact)| exact) && self.tokens.iter().all(clear)
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

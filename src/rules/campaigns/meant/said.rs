//! A line taken apart: who, what, where to, how, on what conditions.

use super::names::{self, Thing};
use crate::hex::Hex;
use crate::orders::mend::hear::{self, Heard, Token};
use crate::orders::mend::lexicon::Sense;
use crate::orders::{Fault, Line};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::pieces::{Piece, Vedette};
use crate::rules::campaigns::view::View;

/// What somebody wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// To march.
    March,
    /// To stay.
    Hold,
    /// To fall back.
    Back,
    /// To see what is there.
    Look,
    /// To attack.
    Attack,
    /// To repair a bridge.
    Repair,
    /// To damage a bridge.
    Wreck,
    /// To place a vedette.
    Put,
    /// To put one leader under another.
    Join,
    /// To part one leader from another.
    Part,
    /// To end the sheet.
    Done,
}

/// A piece that may be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A force, by its leader.
    Leader(LeaderId),
    /// A vedette.
    Vedette(u32),
    /// The center.
    Center,
}

/// A line taken apart.
pub struct Said<'a> {
    /// What its writer may know.
    pub v: &'a View,
    /// Its words.
    pub words: Vec<Heard>,
    /// What they are, without the conditions.
    pub tokens: Vec<Token<Thing>>,
    /// The conditions, as an order writes them; empty where there are none.
    pub tail: String,
    /// What was wrong with the line.
    pub fault: &'a Fault,
    /// Whether it ends with a question mark, or quotes somebody.
    pub asks: bool,
    /// Whether it quotes another mail.
    pub quotes: bool,
}

impl<'a> Said<'a> {
    /// Takes a line apart.
    pub fn of(v: &'a View, line: &Line, fault: &'a Fault) -> Said<'a> {
        let words = hear::heard(line);
        let mut tokens = names::vocabulary(v).read(&words, |rest| names::special(v, rest));
        let vedette_number = |pair: &[Token<Thing>]| match pair {
            [a, b] if a.key == Some("VEDETTE") => match b.things.as_slice() {
                [Thing::Number(n)] => Some(*n),
                _ => None,
            },
            _ => None,
        };
        let numbered: Vec<Option<u32>> = tokens.windows(2).map(vedette_number).collect();
        for (at, n) in numbered.into_iter().enumerate() {
            if let (Some(n), Some(token)) = (n, tokens.get_mut(at + 1)) {
                token.things = vec![Thing::Vedette(n)];
            }
        }
        let begins = |t: &Token<Thing>| t.key == Some("IF") && t.slips == 0;
        let at = tokens.iter().position(begins).filter(|at| *at > 0).unwrap_or(tokens.len());
        let rest = tokens.split_off(at);
        let spelt = |t: &Token<Thing>| t.key.map_or_else(|| t.text.clone(), str::to_owned);
        let tail = rest.iter().map(spelt).collect::<Vec<_>>().join(" ");
        Said { v, words, tokens, tail, fault, asks: hear::asks(line), quotes: hear::quoted(line) }
    }

    /// Whether some word means this.
    pub fn means(&self, sense: Sense) -> bool {
        self.tokens.iter().any(|t| t.means(sense))
    }

    /// Whether some word is this keyword.
    pub fn key(&self, key: &str) -> bool {
        self.tokens.iter().any(|t| t.key == Some(key))
    }

    /// The keyword at the beginning.
    pub fn head(&self) -> Option<&'static str> {
        self.tokens.first().and_then(|t| t.key).filter(|key| super::verbs().iter().any(|verb| verb.word == *key))
    }

    /// Letters that are wrong in the words that count.
    pub fn slips(&self) -> u32 {
        self.tokens.iter().map(|t| t.slips).sum()
    }

    /// What is wanted.
    pub fn act(&self) -> Option<Act> {
        let on_bridge = self.means(Sense::Bridge) || self.key("BRIDGE") || self.sides().next().is_some();
        if on_bridge && self.means(Sense::Repair) {
            return Some(Act::Repair);
        }
        if on_bridge && self.means(Sense::Wreck) {
            return Some(Act::Wreck);
        }
        let order = [
            (Sense::Strike, Act::Attack),
            (Sense::Charge, Act::Attack),
            (Sense::Shoot, Act::Attack),
            (Sense::Back, Act::Back),
            (Sense::Look, Act::Look),
            (Sense::Put, Act::Put),
            (Sense::Part, Act::Part),
        ];
        let strong = order.iter().find(|(sense, _)| self.tokens.iter().any(|t| t.senses.first() == Some(sense)));
        if let Some((_, act)) = strong {
            return Some(*act);
        }
        let first = self.tokens.iter().find_map(|t| match t.senses.iter().find(|s| s.acts()) {
            Some(Sense::Go | Sense::Follow) => Some(Act::March),
            Some(Sense::Stay) => Some(Act::Hold),
            Some(Sense::Join) => Some(Act::Join),
            Some(Sense::Done) => Some(Act::Done),
            _ => None,
        });
        let away = first == Some(Act::Hold) && self.means(Sense::Go) && !self.means(Sense::Not);
        if away { Some(Act::March) } else { first }
    }

    /// The pieces that the line names as its own actor; several where one word fits several.
    pub fn who(&self) -> Vec<Who> {
        let mut before: Option<&Token<Thing>> = None;
        for token in &self.tokens {
            let led = before.is_some_and(|b| {
                (b.means(Sense::To) || b.means(Sense::With) || b.means(Sense::After)) && b.things.is_empty()
            });
            let found: Vec<Who> = token.things.iter().filter_map(who).collect();
            let alone = self.head() != Some("ATTACK");
            if !found.is_empty() && !(led && alone) {
                return found;
            }
            before = Some(token);
        }
        let mut all = self.tokens.iter().flat_map(|t| t.things.iter().filter_map(who));
        if self.act() == Some(Act::March) { Vec::new() } else { all.next().into_iter().collect() }
    }

    /// Own leaders and places that the line names as where to go, in order.
    pub fn places(&self) -> Vec<(Hex, String)> {
        let mut found = Vec::new();
        let first = self.who();
        let mut from = false;
        for token in &self.tokens {
            let hex = token.things.iter().find_map(|thing| match thing {
                Thing::Place(hex) => Some(*hex),
                Thing::Tag(n) => self.v.enemy.get(n).map(|c| c.hex),
                Thing::Leader(id) if !first.contains(&Who::Leader(id.clone())) => self.v.own.hex(id),
                Thing::Center if !first.contains(&Who::Center) => self.v.own.army.center,
                _ => None,
            });
            if let Some(hex) = hex.filter(|_| !from) {
                found.push((hex, token.text.clone()));
            }
            from = token.means(Sense::From) && token.things.is_empty();
        }
        found
    }

    /// Bridges that it names.
    pub fn sides(&self) -> impl Iterator<Item = crate::hex::Hexside> {
        self.tokens.iter().flat_map(|t| &t.things).filter_map(|t| if let Thing::Side(s) = t { Some(*s) } else { None })
    }

    /// A leader of the other side, or an own one who is not on the map, with the word for him.
    pub fn stranger(&self) -> Option<String> {
        let strange = |t: &&Token<Thing>| {
            !t.things.is_empty() && t.things.iter().all(|t| matches!(t, Thing::Foe(_) | Thing::Absent(_)))
        };
        self.tokens.iter().find(strange).map(|t| t.text.clone())
    }

    /// The line, folded, with its places by their names on the map.
    pub fn as_on_the_map(&self) -> String {
        let word = |t: &Token<Thing>| match t.things.as_slice() {
            [Thing::Place(hex)] if t.slips == 0 => names::written(self.v, *hex),
            _ => t.text.clone(),
        };
        let line = self.tokens.iter().map(word).chain([self.tail.clone()]).collect::<Vec<_>>().join(" ");
        crate::orders::fold(line.trim_end())
    }

    /// Places that were named in another language, and what the map calls them.
    pub fn exonyms(&self) -> String {
        let named = |t: &Token<Thing>| match t.things.as_slice() {
            [Thing::Place(hex)] if t.text != names::written(self.v, *hex) => {
                Some(format!("{} is {} {hex}.", crate::text::quoted(&t.text), names::written(self.v, *hex)))
            }
            _ => None,
        };
        self.tokens.iter().filter_map(named).collect::<Vec<_>>().join("  ")
    }

    /// Where a piece stands.
    pub fn hex(&self, who: &Who) -> Option<Hex> {
        match who {
            Who::Leader(id) => self.v.own.hex(id),
            Who::Vedette(n) => self.v.own.piece_hex(&Piece::Vedette(*n)),
            Who::Center => self.v.own.army.center,
        }
    }

    /// Own forces on the map with the hexes in which they stand, the nearest to a hex first.
    pub fn forces_near(&self, to: Hex) -> Vec<(LeaderId, Hex)> {
        let mut found: Vec<(LeaderId, Hex)> = self.v.own.on_map().map(|(l, h)| (l.clone(), h)).collect();
        found.sort_by_key(|(id, hex)| (hex.distance(to), id.clone()));
        found
    }

    /// Own vedettes on the map, the nearest to a hex first.
    pub fn vedettes_near(&self, to: Hex) -> Vec<u32> {
        let on_map = self.v.own.vedettes.iter().filter_map(|(n, p)| match p {
            Vedette::At(hex) => Some((hex.distance(to), *n)),
            _ => None,
        });
        let mut found: Vec<(u32, u32)> = on_map.collect();
        found.sort_unstable();
        found.into_iter().map(|(_, n)| n).collect()
    }
}

fn who(thing: &Thing) -> Option<Who> {
    match thing {
        Thing::Leader(id) => Some(Who::Leader(id.clone())),
        Thing::Vedette(n) => Some(Who::Vedette(*n)),
        Thing::Center => Some(Who::Center),
        _ => None,
    }
}

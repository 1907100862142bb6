//! A line taken apart: who, what, where to, how, on what conditions.

use super::names::{self, Thing};
use crate::hex::Hex;
use crate::orders::mend::hear::{self, Heard, Token};
use crate::orders::mend::lexicon::Sense;
use crate::orders::{Fault, Line};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::pieces::{Piece, Track, Vedette};
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

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
    /// The first word of them that is misspelt, and what it is read as.
    pub tail_slip: Option<(String, &'static str)>,
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
                _ => names::counted(&b.text),
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
        let tail_slip = rest.iter().find(|t| t.slips > 0).and_then(|t| Some((t.text.clone(), t.key?)));
        let tail = rest.iter().map(spelt).collect::<Vec<_>>().join(" ");
        Said { v, words, tokens, tail, tail_slip, fault, asks: hear::asks(line), quotes: hear::quoted(line) }
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
        let vedette =
            self.key("VEDETTE") || self.tokens.iter().any(|t| matches!(t.things.first(), Some(Thing::Vedette(_))));
        if let Some((_, act)) = strong.filter(|(_, act)| *act != Act::Put || vedette) {
            // Only what moves somebody is an order to stay when it is denied: `not with him, please look` is none.
            match act {
                Act::Attack | Act::Back if self.means(Sense::Not) => return Some(Act::Hold),
                _ if self.means(Sense::Not) => {}
                act => return Some(*act),
            }
        }
        let first = self.tokens.iter().find_map(|t| match t.senses.iter().find(|s| s.acts()) {
            Some(Sense::Go | Sense::Follow) if self.means(Sense::Not) => Some(Act::Hold),
            Some(Sense::Go | Sense::Follow) => Some(Act::March),
            Some(Sense::Stay) => Some(Act::Hold),
            Some(Sense::Join) => Some(Act::Join),
            Some(Sense::Done) => Some(Act::Done),
            _ => None,
        });
        let away = first == Some(Act::Hold) && self.means(Sense::Go) && !self.means(Sense::Not);
        if away { Some(Act::March) } else { first }
    }

    /// The pieces that the line names as its own actors: several where one word fits several, or where they are joined.
    pub fn who(&self) -> Vec<Who> {
        let mut found: Vec<Who> = Vec::new();
        let mut before: Option<&Token<Thing>> = None;
        // Whether the piece named last stands behind `with` or `to`, and so whoever is joined to it.
        let mut under = false;
        let many = |t: &Token<Thing>| t.things.iter().filter_map(who).count();
        // `cavalry MC1` is MC1.
        let sure = self.tokens.iter().any(|t| many(t) == 1);
        for token in self.tokens.iter().filter(|t| !sure || many(t) < 2) {
            let bare = |sense: Sense| before.is_some_and(|b| b.means(sense) && b.things.is_empty());
            let led = bare(Sense::To) || bare(Sense::With) || bare(Sense::After);
            let joined = before.is_some_and(|b| JOINS.contains(&b.text.to_lowercase().as_str()));
            let here: Vec<Who> = token.things.iter().filter_map(who).collect();
            if !here.is_empty() && !found.is_empty() && !joined {
                break;
            }
            if !here.is_empty() {
                under = if joined { under } else { led };
                found.extend(here.into_iter().filter(|_| !under));
            }
            before = Some(token);
        }
        if !found.is_empty() {
            return found;
        }
        // `advance with Lannes`: he is no place, whatever stands before him.
        let mut before: Option<&Token<Thing>> = None;
        for token in &self.tokens {
            let to = before.is_some_and(|b| (b.means(Sense::To) || b.means(Sense::After)) && b.things.is_empty());
            let goal = to && self.act() == Some(Act::March) || sure && many(token) > 1;
            let joined = before.is_some_and(|b| JOINS.contains(&b.text.to_lowercase().as_str()));
            if let Some(one) = token.things.iter().find_map(who).filter(|_| !goal) {
                match found.is_empty() || joined {
                    true => found.push(one),
                    false => break,
                }
            }
            before = Some(token);
        }
        found
    }

    /// Whether several pieces are named that are to do one thing together.
    pub fn together(&self) -> bool {
        let joins = self.words.iter().any(|word| JOINS.contains(&word.text.to_lowercase().as_str()));
        let several = |t: &Token<Thing>| t.things.iter().filter_map(who).count() > 1;
        joins && !self.tokens.iter().any(several)
    }

    /// Whether it is a line about vedettes.
    pub fn rides(&self) -> bool {
        self.tokens.iter().any(|t| t.key == Some("VEDETTE"))
    }

    /// Whether it names any own piece, be it as the place where another is to go.
    pub fn names_own(&self) -> bool {
        self.tokens.iter().flat_map(|t| &t.things).any(|thing| who(thing).is_some())
    }

    /// Places that the line names as where to go, in order; own leaders where a word says so.
    pub fn places(&self) -> Vec<(Hex, String)> {
        let mut found = Vec::new();
        let first = self.who();
        let mut before: Option<&Token<Thing>> = None;
        for token in &self.tokens {
            let bare = |sense: Sense| before.is_some_and(|b| b.means(sense) && b.things.is_empty());
            let led = bare(Sense::To) || bare(Sense::At) || bare(Sense::After) || bare(Sense::Join);
            let hex = match token.things.as_slice() {
                [Thing::Place(hex)] => Some(*hex),
                [Thing::Tag(n)] => self.v.enemy.get(n).map(|c| c.hex),
                [Thing::Leader(id)] if led && !first.contains(&Who::Leader(id.clone())) => self.v.own.hex(id),
                [Thing::Center] if !first.contains(&Who::Center) => self.v.own.army.center,
                things => things.iter().find_map(|t| match t {
                    Thing::Place(hex) if !things.iter().any(|t| who(t).is_some()) && single(things) => Some(*hex),
                    _ => None,
                }),
            };
            if let Some(hex) = hex.filter(|_| !bare(Sense::From)) {
                found.push((hex, token.text.clone()));
            }
            before = Some(token);
        }
        found
    }

    /// The places that the last word for a place may mean, where it may mean several.
    pub fn choices_of_place(&self) -> Vec<Hex> {
        let hexes = |t: &Token<Thing>| -> Vec<Hex> {
            t.things.iter().filter_map(|t| if let Thing::Place(hex) = t { Some(*hex) } else { None }).collect()
        };
        self.tokens.iter().rev().map(hexes).find(|found| found.len() > 1).unwrap_or_default()
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
            [Thing::Place(hex)] if names::exonym(self.v, *hex, &t.text) => names::written(self.v, *hex),
            _ => t.text.clone(),
        };
        let line = self.tokens.iter().map(word).chain([self.tail.clone()]).collect::<Vec<_>>().join(" ");
        crate::orders::fold(line.trim_end())
    }

    /// Places that were named in another language, and what the map calls them.
    pub fn exonyms(&self) -> String {
        let named = |t: &Token<Thing>| match t.things.as_slice() {
            [Thing::Place(hex)] if names::exonym(self.v, *hex, &t.text) => {
                Some(format!("{} is {} {hex}.", crate::text::quoted(&t.text), names::written(self.v, *hex)))
            }
            _ => None,
        };
        let names: Vec<String> = self.tokens.iter().filter_map(named).collect();
        if names.is_empty() { "stray signs are left out.".to_owned() } else { names.join("  ") }
    }

    /// An own unit that it names, and the leader under whom it stands.
    pub fn unit(&self) -> Option<(String, String)> {
        let id = self.tokens.iter().find_map(|t| match t.things.as_slice() {
            [Thing::Unit(id)] => Some(id),
            _ => None,
        })?;
        let name = self.v.board.units.get(id)?.name.clone();
        let leader = match &self.v.own.units.get(id)?.track {
            Track::Of(leader) => words::name(self.v, leader),
            _ => "no leader".to_owned(),
        };
        Some((name, leader))
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

/// Words between two pieces that are to do the same.
const JOINS: [&str; 6] = ["and", "&", "+", "und", "et", "sowie"];

/// Whether one place only is among some things.
fn single(things: &[Thing]) -> bool {
    things.iter().filter(|t| matches!(t, Thing::Place(_))).count() == 1
}

fn who(thing: &Thing) -> Option<Who> {
    match thing {
        Thing::Leader(id) => Some(Who::Leader(id.clone())),
        Thing::Vedette(n) => Some(Who::Vedette(*n)),
        Thing::Center => Some(Who::Center),
        _ => None,
    }
}

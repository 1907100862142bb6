//! A line taken apart: which unit, what, at whom or where to, how far.

use super::names::{self, Thing};
use crate::orders::mend::hear::{self, Heard, Token};
use crate::orders::mend::lexicon::Sense;
use crate::orders::{Fault, Line};
use crate::plane::{Fine, Heading};
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::table::Formation;
use crate::rules::austerlitz1805::view::View;

/// What somebody wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// To move.
    Move,
    /// To stay.
    Hold,
    /// To step back.
    Back,
    /// To attack.
    Attack,
    /// To charge.
    Charge,
    /// To support an attack.
    Support,
    /// To fire.
    Fire,
    /// To turn.
    Turn,
    /// To turn round.
    About,
    /// To change formation.
    Form(Formation),
    /// An HQ goes to a unit.
    Attach,
    /// To follow a unit.
    Follow,
    /// To leave a combat.
    Leave,
    /// To go sideways.
    Side,
    /// To end the sheet.
    Done,
}

/// A line taken apart.
pub struct Said<'a> {
    /// What its writer may know.
    pub v: &'a View,
    /// The line as written.
    pub source: String,
    /// Its words.
    pub words: Vec<Heard>,
    /// What they are.
    pub tokens: Vec<Token<Thing>>,
    /// What was wrong with the line.
    pub fault: &'a Fault,
    /// Whether it ends with a question mark.
    pub asks: bool,
    /// Whether it quotes another mail.
    pub quotes: bool,
}

impl<'a> Said<'a> {
    /// Takes a line apart.
    pub fn of(v: &'a View, line: &Line, fault: &'a Fault) -> Said<'a> {
        let words = hear::heard(line);
        let tokens = names::vocabulary(v).read(&words, |rest| names::special(v, rest));
        Said {
            v,
            source: line.source.clone(),
            words,
            tokens,
            fault,
            asks: hear::asks(line),
            quotes: hear::quoted(line),
        }
    }

    /// Whether some word means this.
    pub fn means(&self, sense: Sense) -> bool {
        self.tokens.iter().any(|t| t.means(sense))
    }

    /// The verb at the beginning.
    pub fn head(&self) -> Option<&'static str> {
        self.tokens.first().and_then(|t| t.key).filter(|key| super::verbs().iter().any(|verb| verb.word == *key))
    }

    /// Letters that are wrong.
    pub fn slips(&self) -> u32 {
        self.tokens.iter().map(|t| t.slips).sum()
    }

    /// What is wanted.
    pub fn act(&self) -> Option<Act> {
        let form = self.formation();
        if let Some(act) = self.head().and_then(|head| act_of(head, form)) {
            return Some(act);
        }
        let order = [
            (Sense::Charge, Act::Charge),
            (Sense::Support, Act::Support),
            (Sense::Strike, Act::Attack),
            (Sense::Shoot, Act::Fire),
            (Sense::Leave, Act::Leave),
            (Sense::Back, Act::Back),
            (Sense::About, Act::About),
            (Sense::Follow, Act::Follow),
            (Sense::Side, Act::Side),
        ];
        let first = |sense: Sense| self.tokens.iter().any(|t| t.senses.first() == Some(&sense));
        let found = order.iter().find(|(sense, _)| first(*sense)).map(|(_, act)| *act);
        if self.means(Sense::Not) && found.is_some() {
            return Some(Act::Hold);
        }
        if found == Some(Act::Back) && self.goal().is_some() {
            return Some(Act::Move);
        }
        if let Some(act) = found {
            return Some(act);
        }
        if let Some(form) = form {
            // Who marches somewhere and then forms marches first.
            let place = |wanted: &dyn Fn(Sense) -> bool| {
                self.tokens.iter().position(|t| t.senses.iter().any(|sense| wanted(*sense)))
            };
            let goes = place(&|sense| sense == Sense::Go).filter(|_| self.goal().is_some() || self.far().is_some());
            let forms = place(&|sense| (Sense::Line..=Sense::Unlimber).contains(&sense));
            return Some(if goes.is_some() && goes < forms { Act::Move } else { Act::Form(form) });
        }
        self.tokens.iter().find_map(|t| match t.senses.iter().find(|s| s.acts())? {
            Sense::Go if self.means(Sense::Not) => Some(Act::Hold),
            Sense::Go => Some(Act::Move),
            Sense::Stay => Some(Act::Hold),
            Sense::Turn => Some(Act::Turn),
            Sense::Join => Some(Act::Attach),
            Sense::Done => Some(Act::Done),
            _ => None,
        })
    }

    /// The formation that is named.
    pub fn formation(&self) -> Option<Formation> {
        self.tokens.iter().find_map(|t| {
            t.senses.iter().find_map(|sense| match sense {
                Sense::Line => Some(Formation::Line),
                Sense::Column => Some(Formation::Column),
                Sense::Square => Some(Formation::Square),
                Sense::Limber => Some(Formation::Limbered),
                Sense::Unlimber => Some(Formation::Unlimbered),
                _ => None,
            })
        })
    }

    /// The own units that the line names first; several where one word fits several, or where they are joined.
    pub fn who(&self) -> Vec<UnitId> {
        let mut found: Vec<UnitId> = Vec::new();
        let (mut joined, mut after) = (false, false);
        let many = |t: &Token<Thing>| t.things.iter().filter(|t| matches!(t, Thing::Own(_))).count();
        // `cavalry Uvarov` is Uvarov.
        let sure = self.tokens.iter().any(|t| many(t) == 1);
        for token in self.tokens.iter().filter(|t| !sure || many(t) < 2) {
            let own = token.things.iter().filter_map(|t| if let Thing::Own(id) = t { Some(id.clone()) } else { None });
            let here: Vec<UnitId> = own.collect();
            if !here.is_empty() && (found.is_empty() || joined) {
                found.extend(here);
            } else if !found.is_empty() && !token.things.is_empty() {
                break;
            }
            let word = token.text.to_lowercase();
            joined = JOINS.contains(&word.as_str()) || after && BESIDE.contains(&word.as_str());
            after = token.things.iter().any(|thing| matches!(thing, Thing::Own(_)));
        }
        found
    }

    /// The own unit that it names second.
    pub fn second(&self) -> Option<UnitId> {
        let first = self.who();
        self.tokens.iter().flat_map(|t| &t.things).find_map(|t| match t {
            Thing::Own(id) if !first.contains(id) => Some(id.clone()),
            _ => None,
        })
    }

    /// Units of the other side that it names; several where one word fits several.
    pub fn foes(&self) -> Vec<UnitId> {
        let foe = |t: &Token<Thing>| -> Vec<UnitId> {
            t.things.iter().filter_map(|t| if let Thing::Foe(id) = t { Some(id.clone()) } else { None }).collect()
        };
        self.tokens.iter().map(foe).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Where to, as an order writes it, with the place itself.
    pub fn goal(&self) -> Option<(String, Fine)> {
        let first = self.who();
        let sure = |t: &&Token<Thing>| t.things.len() == 1 || !matches!(t.things.first(), Some(Thing::Own(_)));
        self.tokens.iter().rev().filter(sure).flat_map(|t| &t.things).find_map(|thing| match thing {
            Thing::Named(name) => {
                let place = self.v.table.board.places.iter().find(|place| place.name == *name)?;
                Some((name.clone(), place.at.fine()))
            }
            Thing::Spot(at) => Some((format!("{},{}", at.x, at.y), at.fine())),
            Thing::Foe(id) => Some((id.0.clone(), self.v.table.centre(id))),
            Thing::Own(id) if !first.contains(id) => Some((id.0.clone(), self.v.table.centre(id))),
            _ => None,
        })
    }

    /// The way that is named.
    pub fn way(&self) -> Option<Heading> {
        self.tokens.iter().flat_map(|t| &t.things).find_map(|t| if let Thing::Way(w) = t { Some(*w) } else { None })
    }

    /// The distance that is named.
    pub fn far(&self) -> Option<i32> {
        self.tokens.iter().flat_map(|t| &t.things).find_map(|t| if let Thing::Far(f) = t { Some(*f) } else { None })
    }

    /// A unit that is not on the field, or none of the seat's, with the word for it.
    pub fn stranger(&self) -> Option<String> {
        let strange = |t: &&Token<Thing>| {
            !t.things.is_empty()
                && t.things.iter().all(|t| matches!(t, Thing::Foe(_) | Thing::Unseen(_) | Thing::Off(_)))
        };
        self.tokens.iter().find(strange).map(|t| t.text.clone())
    }

    /// Own units of an arm, the nearest to a place first.
    pub fn near(&self, to: Fine, arm: Arm) -> Option<UnitId> {
        let me = self.v.me();
        let t = &self.v.table;
        let far = |id: &UnitId| {
            let at = t.centre(id);
            let (x, y) = (at.x - to.x, at.y - to.y);
            x * x + y * y
        };
        let units = t.of_side(&me).map(|(id, _)| id).filter(|id| t.arm(id) == arm);
        units.min_by_key(|id| (far(id), (*id).clone())).cloned()
    }
}

/// Words between two units that are to do the same.
const JOINS: [&str; 5] = ["and", "&", "+", "und", "et"];

/// Words that join two units where they stand right behind the first.
const BESIDE: [&str; 3] = ["with", "mit", "avec"];

/// What a verb at the beginning wants; none for verbs that are only spelt.
fn act_of(head: &str, form: Option<Formation>) -> Option<Act> {
    Some(match head {
        "MOVE" => Act::Move,
        "FOLLOW" => Act::Follow,
        "SIDE" => Act::Side,
        "BACK" => Act::Back,
        "TURN" => Act::Turn,
        "ABOUT" => Act::About,
        "FORM" => Act::Form(form?),
        "ATTACH" => Act::Attach,
        "ATTACK" => Act::Attack,
        "SUPPORT" => Act::Support,
        "CHARGE" => Act::Charge,
        "BOMBARD" | "VOLLEY" => Act::Fire,
        "HOLD" => Act::Hold,
        "DISENGAGE" => Act::Leave,
        _ => return None,
    })
}

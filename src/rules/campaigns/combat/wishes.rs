//! The answers that plans, doctrine and the catalogue's defaults give to the questions of battle.

use super::battle::BattleView;
use super::clause::{Chase, Clause, Control, Counter, Pick, Siege, Star, wish, wish_at};
use super::later::Join;
use super::prompt::{battle, siege_wish};
use super::{answer, reserve, types};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::combat::question::{Answer, Prompt, What};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::view::View;
use crate::rules::journal::Book;

/// The answer to a question; `None` where the seat wants to be asked.
pub fn answer(v: &View, p: &Prompt, book: &Book) -> Option<Answer> {
    let key = |word: &str, default: &str| book.get(word).unwrap_or(default).to_ascii_uppercase();
    match &p.what {
        What::Enter => return Some(Answer::Yes(siege_wish(v, p.hex) != Some(Siege::Stay))),
        What::Siege => return siege(v, p, &key("SIEGE", "TAKE")),
        What::Napoleon => return Some(Answer::Yes(key("NAPOLEON", "END") == "END")),
        What::Morale => {
            let said = key("MORALE", "ENEMY");
            return (said != "ASK").then_some(Answer::Yes(said == "OWN"));
        }
        _ => {}
    }
    let Some(b) = battle(v, p) else { return Some(Answer::Yes(false)) };
    match &p.what {
        What::Leave(_) => match key("VEDETTE", "LEAVE").as_str() {
            "ASK" => None,
            "STAY" => Some(Answer::Leave(0)),
            _ => Some(Answer::Leave(2)),
        },
        What::Reserve => reserve::first(v, b, book).map(|units| Answer::Units(units.into_iter().collect())),
        What::Commit => reserve::commit(v, b).map(|units| Answer::Units(units.into_iter().collect())),
        What::Type => types::chosen(v, b, book).map(Answer::Marker),
        What::Forward => forward(v, p, b),
        What::Stake => yes(v, b, |c| if let Clause::Stake(y) = c { Some(*y) } else { None }, false),
        What::Bonus { best, .. } => star(v, b, *best),
        What::Override { number } => {
            yes(v, b, |c| if let Clause::Override(y) = c { Some(*y) } else { None }, *number >= 3)
        }
        What::Advance => yes(v, b, |c| if let Clause::Advance(y) = c { Some(*y) } else { None }, false),
        What::Counter { free } => counter(v, b, *free),
        What::Retreat { ways } => retreat(v, b, ways),
        What::Rearguard { number } => {
            match wish(v, b, |c| if let Clause::Rearguard(n) = c { Some(*n) } else { None }) {
                Some(None) => None,
                Some(Some(n)) => Some(Answer::Hexes(n.clamp(1, *number))),
                None => Some(Answer::Hexes(1)),
            }
        }
        What::Pursue { path } => pursue(v, b, path.first(), &key("PURSUE", "YES")),
        What::Control => match wish(v, b, |c| if let Clause::Dynamics(d) = c { Some(*d) } else { None }) {
            Some(None) => None,
            Some(Some(control)) => Some(Answer::Control(control)),
            None => Some(Answer::Control(Control::Attack)),
        },
        What::Guns(id) => guns(v, b, id, &key("GUNS", "MARCH")),
        What::Mode(_) => yes(v, b, |c| if let Clause::Mode(y) = c { Some(*y) } else { None }, true),
        What::Join(id) => join(v, b, id),
        What::Siege | What::Enter | What::Napoleon | What::Morale => None,
    }
}

/// D-118: said for the battle that the force came from, or for the one that it may join.
fn join(v: &View, b: &BattleView, id: &LeaderId) -> Option<Answer> {
    let pick = |c: &Clause| if let Clause::Join(j) = c { Some(*j != Join::No) } else { None };
    let own = |other: &&BattleView| other.no != b.no && other.own.pieces.contains(&Piece::Leader(id.clone()));
    match v.battles.iter().find(own).and_then(|from| wish(v, from, pick)) {
        Some(said) => said.map(Answer::Yes),
        None => yes(v, b, pick, true),
    }
}

/// A yes or no of the plans; the default where they say nothing.
fn yes(v: &View, b: &BattleView, pick: impl Fn(&Clause) -> Option<bool>, default: bool) -> Option<Answer> {
    match wish(v, b, pick) {
        Some(None) => None,
        Some(Some(yes)) => Some(Answer::Yes(yes)),
        None => Some(Answer::Yes(default)),
    }
}

/// D-92: a citadel, before any battle is formed there.
fn siege(v: &View, p: &Prompt, key: &str) -> Option<Answer> {
    match siege_wish(v, p.hex) {
        Some(Siege::Fight) => Some(Answer::Yes(true)),
        Some(Siege::Take) => Some(Answer::Yes(false)),
        Some(Siege::Enter | Siege::Stay) | None if key == "ASK" => None,
        Some(Siege::Enter | Siege::Stay) | None => Some(Answer::Yes(key == "FIGHT")),
    }
}

/// D-97.
fn forward(v: &View, p: &Prompt, b: &BattleView) -> Option<Answer> {
    let pick = |c: &Clause| match c {
        Clause::Forward(pick, round) if round.is_none_or(|r| r == b.round) => Some(pick.clone()),
        _ => None,
    };
    match wish(v, b, pick) {
        Some(None) => None,
        Some(Some(pick)) => Some(Answer::Units(answer::guns(v, p, &pick))),
        None => Some(Answer::Units(answer::guns(v, p, &Pick::None))),
    }
}

/// D-101: the best for the attacker, unless a plan says otherwise.
fn star(v: &View, b: &BattleView, best: usize) -> Option<Answer> {
    let choice = [Star::Sub, Star::None, Star::Add].get(best).copied().unwrap_or(Star::None);
    match wish(v, b, |c| if let Clause::Bonus(star) = c { Some(*star) } else { None }) {
        Some(None) => None,
        Some(Some(Star::Best)) | None => Some(Answer::Star(choice)),
        Some(Some(star)) => Some(Answer::Star(star)),
    }
}

/// D-91, D-107.
fn counter(v: &View, b: &BattleView, free: bool) -> Option<Answer> {
    let default = if free { Counter::None } else { Counter::Strongest };
    match wish(v, b, |c| if let Clause::Counter(how, hold) = c { Some((how.clone(), *hold)) } else { None }) {
        Some(None) => None,
        Some(Some((Counter::None, _))) if !free => Some(Answer::Counter(Counter::Strongest, 0)),
        Some(Some((how, hold))) => Some(Answer::Counter(how, hold)),
        None => Some(Answer::Counter(default, 0)),
    }
}

/// D-104: the path with most of the hexes preferred, else the first.
fn retreat(v: &View, b: &BattleView, ways: &[Vec<crate::hex::Hex>]) -> Option<Answer> {
    let liked = match wish(v, b, |c| if let Clause::Retreat(h) = c { Some(h.clone()) } else { None }) {
        Some(None) => return None,
        Some(Some(hexes)) => hexes,
        None => Vec::new(),
    };
    let count = |w: &&Vec<_>| w.iter().filter(|h| liked.contains(h)).count();
    let most = ways.iter().map(|w| count(&w)).max().unwrap_or(0);
    Some(Answer::Way(ways.iter().find(|w| count(w) == most).cloned().unwrap_or_default()))
}

/// D-105, D-119: the plan of the hex that was fled from comes first, so that two beaten forces may be pursued (¶388).
fn pursue(v: &View, b: &BattleView, from: Option<&crate::hex::Hex>, key: &str) -> Option<Answer> {
    let pick = |c: &Clause| if let Clause::Pursue(chase) = c { Some(chase.clone()) } else { None };
    let from = from.copied().unwrap_or_else(|| b.name());
    match wish_at(v, b, from, pick) {
        Some(None) => None,
        Some(Some(chase)) => Some(Answer::Pursue(chase)),
        None if key == "ASK" => None,
        None => Some(Answer::Pursue(Chase::plain(key != "NO"))),
    }
}

/// D-110.
fn guns(v: &View, b: &BattleView, id: &crate::rules::campaigns::board::LeaderId, key: &str) -> Option<Answer> {
    match wish(v, b, |c| if let Clause::Guns(l) = c { Some(l.contains(id)) } else { None }) {
        Some(None) => None,
        Some(Some(true)) => Some(Answer::Yes(true)),
        _ if key == "ASK" => None,
        _ => Some(Answer::Yes(key == "MARCH")),
    }
}

//! Amendments of an umpire: what they change, and what each side is told of them.

use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::intel::{Ident, Intel, Tie};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::state::State;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An amendment that no other chapter has an event for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A unit has another strength; at nothing it is removed.
    Strength {
        /// Whose.
        side: SideId,
        /// The unit.
        unit: UnitId,
        /// In SP.
        sp: i32,
    },
    /// An army has other points.
    Points {
        /// Whose.
        side: SideId,
        /// How many.
        ap: i32,
    },
    /// A force is in another mode (¶272).
    Mode {
        /// Whose.
        side: SideId,
        /// Its leader.
        leader: LeaderId,
        /// Whether it forages.
        forage: bool,
    },
    /// The morale marker lies elsewhere (¶411).
    Morale {
        /// Above nothing it favours France.
        morale: i32,
    },
    /// The marker of a side's own track lies elsewhere (¶5).
    Track {
        /// Whose.
        side: SideId,
        /// Above nothing is good for that side.
        morale: i32,
    },
    /// A side knows otherwise of an enemy counter.
    Learnt {
        /// Which side.
        side: SideId,
        /// The counter, by that side's number.
        tag: u32,
        /// What it is; none for no longer known.
        ident: Option<Ident>,
    },
}

/// What a side is told of an amendment; all but morale is for the side itself alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sighting {
    /// The strength of an own unit.
    Strength {
        /// The unit.
        unit: UnitId,
        /// In SP.
        sp: i32,
    },
    /// Own points.
    Points {
        /// How many.
        ap: i32,
    },
    /// The mode of an own force.
    Mode {
        /// Its leader.
        leader: LeaderId,
        /// Whether it forages.
        forage: bool,
    },
    /// Morale.
    Morale {
        /// Above nothing it favours France.
        morale: i32,
    },
    /// Morale of one side on its own track.
    Track {
        /// Whose.
        side: SideId,
        /// Above nothing is good for that side.
        morale: i32,
    },
    /// What an enemy counter is.
    Learnt {
        /// The counter.
        tag: u32,
        /// What it is; none for no longer known.
        ident: Option<Ident>,
    },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Strength { side, unit, sp } => {
            let board = s.board.clone();
            let Some(p) = s.pieces_mut(side) else { return };
            if let Some(u) = p.units.get_mut(unit) {
                u.sp = *sp;
                if *sp <= 0 {
                    p.units.remove(unit);
                    p.drop_empty_halves(&board);
                }
            }
        }
        Event::Points { side, ap } => {
            if let Some(p) = s.pieces_mut(side) {
                p.army.ap = *ap;
            }
        }
        Event::Mode { side, leader, forage } => {
            if let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(leader)) {
                l.forage = *forage;
            }
        }
        Event::Morale { morale } => s.morale = *morale,
        Event::Track { side, morale } => {
            s.tracks.insert(side.clone(), *morale);
        }
        Event::Learnt { .. } => {}
    }
}

/// What a side is told.
pub fn sight(e: &Event, to: &SideId) -> Option<Sighting> {
    match e {
        Event::Strength { side, unit, sp } if side == to => Some(Sighting::Strength { unit: unit.clone(), sp: *sp }),
        Event::Points { side, ap } if side == to => Some(Sighting::Points { ap: *ap }),
        Event::Mode { side, leader, forage } if side == to => {
            Some(Sighting::Mode { leader: leader.clone(), forage: *forage })
        }
        Event::Learnt { side, tag, ident } if side == to => Some(Sighting::Learnt { tag: *tag, ident: ident.clone() }),
        Event::Morale { morale } => Some(Sighting::Morale { morale: *morale }),
        Event::Track { side, morale } => Some(Sighting::Track { side: side.clone(), morale: *morale }),
        Event::Strength { .. } | Event::Points { .. } | Event::Mode { .. } | Event::Learnt { .. } => None,
    }
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    let Sighting::Learnt { tag, ident } = told else { return };
    let turn = mind.turn;
    if let Some(known) = mind.tags.get_mut(tag) {
        let sure = |ident: &Ident| {
            let among = BTreeSet::from([*tag]);
            Tie { ident: ident.clone(), turn, of: 1, sp: None, among }
        };
        known.tie = ident.as_ref().map(sure);
    }
}

/// What a side holds of a foreign counter.
pub fn known(mind: &Intel, piece: &Piece, hex: Hex) -> String {
    let Some(tag) = mind.tag_of(piece, hex) else { return "knows nothing of it.".to_owned() };
    let Some(found) = mind.tags.get(&tag) else { return "knows nothing of it.".to_owned() };
    let at = found.hex;
    match &found.tie {
        None => format!("sees E{tag} at {at}, and does not know what it is."),
        Some(tie) => {
            let name = match &tie.ident {
                Ident::Leader(id) => id.to_string(),
                Ident::Vedette => "a vedette".to_owned(),
                Ident::Garrison => "a garrison".to_owned(),
            };
            let sure = if tie.of <= 1 { String::new() } else { format!(", or one of {} others", tie.of - 1) };
            let sp = tie.sp.map_or_else(String::new, |(sp, turn)| format!(", {sp} SP on turn {turn}"));
            let right = crate::rules::campaigns::flow::event::ident(piece) == tie.ident;
            let wrong = if right { "" } else { "; that is wrong" };
            format!("sees E{tag} at {at} and takes it for {name}{sure}{sp}, learnt on turn {}{wrong}.", tie.turn)
        }
    }
}

//! What one side may know of the other's counters, and what must therefore stay.

use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::combat::battle::Party;
use crate::rules::campaigns::intel::{Ident, Intel, Tie};
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::state::State;
use std::collections::BTreeSet;

/// What stays.
pub struct Known {
    /// Leaders who stay in their hexes: shown, named by what was learnt, or in a battle.
    pub leaders: BTreeSet<LeaderId>,
    /// Vedettes that stay as they are: shown, or where one was learnt to be.
    pub vedettes: BTreeSet<u32>,
    /// Leaders whose strength was stated this turn.
    pub strengths: BTreeSet<LeaderId>,
    /// Whether names of subordinates are known with the force leader's (¶31, without procedural security).
    pub subordinates: bool,
}

impl Known {
    /// What `keep` may know of `foe`.
    pub fn of(s: &State, minds: &[(SideId, Intel)], keep: &SideId, foe: &SideId) -> Known {
        let mut known = Known {
            leaders: BTreeSet::new(),
            vedettes: BTreeSet::new(),
            strengths: BTreeSet::new(),
            subordinates: !s.board.policies.security,
        };
        let Some(pieces) = s.pieces(foe) else { return known };
        for (_, piece) in s.face_up.iter().filter(|(side, _)| side == foe) {
            known.piece(piece);
        }
        for (_, mind) in minds.iter().filter(|(side, _)| side == keep) {
            for tag in mind.tags.values() {
                if let Some(piece) = &tag.face {
                    known.piece(piece);
                }
                if let Some(tie) = &tag.tie {
                    known.tie(s, pieces, tie, tag.hex);
                }
            }
        }
        for battle in s.battles.iter().filter(|b| b.on() && b.turn == s.turn) {
            known.in_battle(pieces, battle.party(foe));
        }
        known
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Leader(id) => {
                self.leaders.insert(id.clone());
            }
            Piece::Vedette(n) => {
                self.vedettes.insert(*n);
            }
            Piece::Garrison(_) => {}
        }
    }

    /// A name that was learnt stays true: its leader where he is, and whatever stands where the counter is now.
    fn tie(&mut self, s: &State, pieces: &Pieces, tie: &Tie, hex: Hex) {
        if let Ident::Leader(id) = &tie.ident {
            self.leaders.insert(id.clone());
            if tie.sp.is_some_and(|(_, turn)| turn == s.turn) {
                self.strengths.insert(id.clone());
            }
        }
        for piece in pieces.counters_at(hex) {
            self.piece(&piece);
        }
    }

    /// In a battle leaders have been shown and strengths stated.
    fn in_battle(&mut self, pieces: &Pieces, party: &Party) {
        for piece in &party.pieces {
            self.piece(piece);
            if let Piece::Leader(id) = piece {
                self.strengths.insert(pieces.head_of(id).clone());
                self.strengths.insert(id.clone());
            }
        }
    }
}

//! What is asked in this chapter, and what is answered. II and III.a Movement (¶147-297).

use crate::hex::Hex;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::pieces::Piece;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// Next to enemy counters: a repulse or not (¶241, 250).
    Contact {
        /// The own counter.
        piece: Piece,
        /// Where it stands, or in a Forced March would come to.
        hex: Hex,
        /// Enemy hexes.
        met: Vec<Hex>,
        /// Whether in a Forced March.
        forced: bool,
    },
    /// Whether a cavalry force of one SP passes for a vedette (¶231); doctrine always answers.
    Patrol {
        /// The force.
        leader: LeaderId,
        /// Where it stands.
        hex: Hex,
    },
    /// After a repulse, or after vedettes have shown themselves: on or not (¶239, 242).
    GoOn {
        /// The own counter.
        piece: Piece,
        /// Where it stands.
        hex: Hex,
        /// Whether a repulse has succeeded.
        repulsed: bool,
    },
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A repulse is declared.
    Repulse,
    /// The march goes on where it may.
    Go,
    /// The march ends.
    Stop,
    /// The march goes on by another path.
    March(Vec<Hex>),
}

impl Prompt {
    /// The own counter that is asked about.
    pub fn piece(&self) -> Piece {
        self.parts().0
    }

    pub(super) fn parts(&self) -> (Piece, Hex) {
        match self {
            Prompt::Contact { piece, hex, .. } | Prompt::GoOn { piece, hex, .. } => (piece.clone(), *hex),
            Prompt::Patrol { leader, hex } => (Piece::Leader(leader.clone()), *hex),
        }
    }
}

//! What a side has learnt of the enemy's counters (¶30-33): numbered tags, faces, and names that age.
//!
//! Every counter stands on the map face down in open sight (¶31), so where a tag is, is always of this minute; only the
//! name behind it ages. Tags are numbered in the order of first sight, by hex, and never from a piece. When a face-down
//! counter leaves a pile, the lowest face-down tag of the pile goes with it, whichever counter it was, and every name
//! known in that pile is from then on "one of n".

use super::board::LeaderId;
use super::pieces::Piece;
use crate::hex::Hex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a counter was shown to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ident {
    /// A leader.
    Leader(LeaderId),
    /// A vedette.
    Vedette,
    /// A garrison.
    Garrison,
}

/// What a side has learnt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intel {
    /// Foreign counters in sight.
    pub(super) tags: BTreeMap<u32, Tag>,
    /// The highest tag given so far.
    pub(super) last_tag: u32,
    /// The turn, as this side was told it.
    pub(super) turn: u32,
}

/// A foreign counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Where it stands.
    pub(super) hex: Hex,
    /// The piece itself, while it stands face up.
    pub(super) face: Option<Piece>,
    /// What it was last shown to be.
    pub(super) tie: Option<Tie>,
}

/// A name learnt for a tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tie {
    /// What was shown.
    pub ident: Ident,
    /// The turn on which it was shown.
    pub turn: u32,
    /// One of how many counters it may be by now; 1 is sure.
    pub of: u32,
    /// Strength in SP as shown, and the turn.
    pub sp: Option<(i32, u32)>,
}

impl Intel {
    /// The tag under which a side knows a foreign piece that stands in `hex`: its own while face up, else the lowest
    /// face-down tag there.
    pub(super) fn tag_of(&self, piece: &Piece, hex: Hex) -> Option<u32> {
        let face = self.tags.iter().find(|(_, t)| t.face.as_ref() == Some(piece)).map(|(n, _)| *n);
        face.or_else(|| self.face_down_at(hex).first().copied())
    }

    /// Tags in a hex, in order.
    pub(super) fn tags_at(&self, hex: Hex) -> Vec<u32> {
        self.tags.iter().filter(|(_, t)| t.hex == hex).map(|(n, _)| *n).collect()
    }

    fn face_down_at(&self, hex: Hex) -> Vec<u32> {
        self.tags.iter().filter(|(_, t)| t.hex == hex && t.face.is_none()).map(|(n, _)| *n).collect()
    }

    /// The number that the next new counter gets.
    pub(super) fn next_tag(&self) -> u32 {
        self.last_tag + 1
    }

    /// A counter comes into sight.
    pub(super) fn appeared(&mut self, tag: u32, hex: Hex, face: Option<Piece>, ident: Option<Ident>) {
        self.last_tag = self.last_tag.max(tag);
        let turn = self.turn;
        let tie = ident.map(|ident| Tie { ident, turn, of: 1, sp: None });
        self.tags.insert(tag, Tag { hex, face, tie });
        self.blur(hex);
    }

    /// A counter moves.
    pub(super) fn moved(&mut self, tag: u32, to: Hex) {
        let Some(from) = self.tags.get(&tag).map(|t| t.hex) else { return };
        self.blur(from);
        if let Some(t) = self.tags.get_mut(&tag) {
            t.hex = to;
        }
        // A vedette that moves may be turned face down again (¶230), so arriving in a pile blurs it too.
        self.blur(to);
    }

    /// A counter leaves the map.
    pub(super) fn vanished(&mut self, tag: u32) {
        if let Some(hex) = self.tags.get(&tag).map(|t| t.hex) {
            self.blur(hex);
        }
        self.tags.remove(&tag);
    }

    /// A counter shows its face.
    pub(super) fn shown(&mut self, tag: u32, piece: Piece, ident: Ident) {
        let turn = self.turn;
        // The name now belongs to this tag alone.
        for other in self.tags.values_mut() {
            if let (Some(tie), Ident::Leader(_)) = (&other.tie, &ident)
                && tie.ident == ident
                && other.face.is_none()
            {
                other.tie = None;
            }
        }
        if let Some(t) = self.tags.get_mut(&tag) {
            let sp = t.tie.as_ref().filter(|tie| tie.ident == ident).and_then(|tie| tie.sp);
            t.face = Some(piece);
            t.tie = Some(Tie { ident, turn, of: 1, sp });
        }
    }

    /// A counter is turned face down; its name stays sure until a pile blurs it.
    pub(super) fn hidden(&mut self, tag: u32) {
        let turn = self.turn;
        let Some(t) = self.tags.get_mut(&tag) else { return };
        t.face = None;
        if let Some(tie) = &mut t.tie {
            tie.turn = turn;
        }
        let hex = t.hex;
        self.blur(hex);
    }

    /// A strength is shown.
    pub(super) fn strength(&mut self, tag: u32, sp: i32) {
        let turn = self.turn;
        if let Some(tie) = self.tags.get_mut(&tag).and_then(|t| t.tie.as_mut()) {
            tie.sp = Some((sp, turn));
        }
    }

    /// Names in a pile of face-down counters are "one of n" once it cannot be told which is which.
    fn blur(&mut self, hex: Hex) {
        let pile = self.face_down_at(hex);
        let n = u32::try_from(pile.len()).unwrap_or(u32::MAX);
        if n < 2 {
            return;
        }
        for tag in pile {
            if let Some(tie) = self.tags.get_mut(&tag).and_then(|t| t.tie.as_mut()) {
                tie.of = tie.of.max(n);
            }
        }
    }
}

//! What a side has learnt of the enemy's counters (¶30-33): numbered tags, faces, and names that age.
//!
//! Every counter stands on the map face down in open sight (¶31), so where a tag is, is always current; only the
//! name behind it ages. Tags are numbered in the order of first sight, by hex, and never from a piece. When a face-down
//! counter leaves a pile, the lowest face-down tag of the pile goes with it, whichever counter it was; so every name
//! known in that pile may from then on belong to any of its tags, and stands as "one of n" under one of them.

use super::board::LeaderId;
use super::dispatch::Heard;
use super::pieces::Piece;
use crate::fog::SeatId;
use crate::hex::Hex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intel {
    /// Foreign counters in sight.
    pub(super) tags: BTreeMap<u32, Tag>,
    /// The highest tag given so far.
    pub(super) last_tag: u32,
    /// The turn, as this side was told it.
    pub(super) turn: u32,
    /// By reader and writer: the last dispatch that has come in.
    pub(super) heard: BTreeMap<(SeatId, SeatId), Heard>,
}

/// The face of a force that passes for a vedette: vedettes are numbered from 1.
pub(super) const PATROL: Piece = Piece::Vedette(0);

/// A foreign counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The tags that it may be by now, its own among them; some may have left the map since.
    pub among: BTreeSet<u32>,
}

impl Intel {
    /// The tag under which a side knows a foreign piece that stands in `hex`: its own while face up, else the lowest
    /// face-down tag there.
    pub(super) fn tag_of(&self, piece: &Piece, hex: Hex) -> Option<u32> {
        let face = self.tags.iter().find(|(_, t)| t.face.as_ref() == Some(piece)).map(|(n, _)| *n);
        // ¶231: a force that passes for a vedette stands face up under another's face.
        let patrol = || self.tags.iter().find(|(_, t)| t.hex == hex && t.face == Some(PATROL)).map(|(n, _)| *n);
        face.or_else(|| self.face_down_at(hex).first().copied()).or_else(patrol)
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
        let tie = ident.map(|ident| self.sure(tag, ident, None));
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
        let Some(gone) = self.tags.get(&tag).cloned() else { return };
        self.blur(gone.hex);
        let Some(gone) = self.tags.remove(&tag) else { return };
        // The name may be that of a counter which is still there; it stays "one of n", since it may be gone as well.
        if let Some(tie) = gone.tie {
            self.hand_on(tag, tie);
        }
    }

    /// A counter shows its face.
    pub(super) fn shown(&mut self, tag: u32, piece: Piece, ident: Ident) {
        if !matches!(ident, Ident::Leader(_)) {
            self.merge(tag, &ident);
        }
        let known = self.tags.get_mut(&tag).and_then(|t| t.tie.take());
        let same = known.as_ref().filter(|tie| tie.ident == ident);
        let (mut met, mut sp) = (same.is_some(), same.and_then(|tie| tie.sp));
        // The name belongs to this tag alone, and no other name does any more. A vedette is like any other: one of those
        // that may have been this one is taken to be it, and the next stays among the rest.
        for other in self.tags.values_mut() {
            let Some(tie) = &mut other.tie else { continue };
            let unique = matches!(ident, Ident::Leader(_));
            if !met && tie.ident == ident && (unique || tie.among.contains(&tag)) {
                (met, sp) = (true, tie.sp);
                other.tie = None;
            } else {
                tie.exclude(tag);
            }
        }
        if let Some(mut tie) = known.filter(|tie| tie.ident != ident) {
            tie.exclude(tag);
            self.hand_on(tag, tie);
        }
        let tie = self.sure(tag, ident, sp);
        if let Some(t) = self.tags.get_mut(&tag) {
            t.face = Some(piece);
            t.tie = Some(tie);
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

    /// A name that is surely that of one tag.
    fn sure(&self, tag: u32, ident: Ident, sp: Option<(i32, u32)>) -> Tie {
        Tie { ident, turn: self.turn, of: 1, sp, among: BTreeSet::from([tag]) }
    }

    /// Counters that are alike cannot be told apart: which of the names that may be this tag's is meant, nobody knows, so
    /// each of them may from now on be any tag that one of them may be.
    fn merge(&mut self, tag: u32, ident: &Ident) {
        let like = |tie: &&mut Tie| tie.ident == *ident && tie.among.contains(&tag);
        let mut all = BTreeSet::new();
        for tie in self.tags.values_mut().filter_map(|t| t.tie.as_mut()).filter(like) {
            all.extend(tie.among.iter().copied());
        }
        for tie in self.tags.values_mut().filter_map(|t| t.tie.as_mut()).filter(like) {
            tie.widen(&all);
        }
    }

    /// Writes a name under another of the tags that it may be: the lowest that has no name.
    fn hand_on(&mut self, from: u32, tie: Tie) {
        let free = |n: &&u32| **n != from && self.tags.get(*n).is_some_and(|t| t.face.is_none() && t.tie.is_none());
        let heir = tie.among.iter().find(free).copied();
        if let Some(t) = heir.and_then(|n| self.tags.get_mut(&n)) {
            t.tie = Some(tie);
        }
    }

    /// A name that may be in a pile of face-down counters may be any of them, once it cannot be told which is which.
    fn blur(&mut self, hex: Hex) {
        let pile: BTreeSet<u32> = self.face_down_at(hex).into_iter().collect();
        if pile.len() < 2 {
            return;
        }
        for tie in self.tags.values_mut().filter(|t| t.face.is_none()).filter_map(|t| t.tie.as_mut()) {
            if !tie.among.is_disjoint(&pile) {
                tie.widen(&pile);
            }
        }
    }
}

impl Tie {
    /// The name may be of some more tags.
    fn widen(&mut self, tags: &BTreeSet<u32>) {
        self.among.extend(tags.iter().copied());
        self.of = self.of.max(u32::try_from(self.among.len()).unwrap_or(u32::MAX));
    }

    /// A tag has shown another name.
    fn exclude(&mut self, tag: u32) {
        if self.among.remove(&tag) {
            self.of = self.of.saturating_sub(1).max(1);
        }
    }
}

//! A table with two sides that may not see all of it: whose a piece is, what a side calls it, who looks when something happens,
//! and what is known.

use super::eyes::Seen;
use super::tags::{Face, Faces, Intel, Known, Reckoned, reckoned, tagged};
use super::words::names;
use crate::fog::{SeatId, SideId};
use crate::hex::Hex;
use crate::orders::{self, Args, Fault};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// DB.1, H.1 What is hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// Nothing that lies on the table.
    #[default]
    Open,
    /// What no own unit sees.
    Fog,
    /// The same; besides, what is seen from afar is a counter without a face, and may be nobody.
    Masked,
}

/// A table as its sides know it.
pub trait Table {
    /// DB.3, H.2 From so near a face is seen in masked play.
    const FACE: u32;

    /// Both sides.
    fn both(&self) -> [SideId; 2];

    /// What is hidden.
    fn hides(&self) -> Sight;

    /// The side of a unit, or of a leader.
    fn owner(&self, piece: &str) -> Option<&SideId>;

    /// Counters on the map, each with the hex of its head.
    fn heads(&self) -> impl Iterator<Item = (&String, Hex)>;

    /// Whether a counter is nobody.
    fn is_nobody(&self, unit: &str) -> bool;

    /// Whether a counter is printed on the map, so that all know it.
    fn is_printed(&self, unit: &str) -> bool {
        let _ = unit;
        false
    }

    /// The enemies that each side sees.
    fn sightings(&self) -> &BTreeMap<SideId, BTreeMap<String, Seen>>;
}

/// Whether anything on the table is hidden.
pub fn veiled(s: &impl Table) -> bool {
    s.hides() != Sight::Open
}

/// DB.3, H.2 Whether what is seen from afar has no face.
pub fn masked(s: &impl Table) -> bool {
    s.hides() == Sight::Masked
}

/// DB.3, H.2 Whether an enemy seen so is a counter without a face.
pub fn faceless<T: Table>(s: &T, seen: Seen) -> bool {
    masked(s) && seen.learnt > T::FACE
}

/// How a side sees an enemy, if it does.
pub fn seen(s: &impl Table, side: &SideId, unit: &str) -> Option<Seen> {
    s.sightings().get(side)?.get(unit).copied()
}

/// What a side calls a piece: its own by its name, an enemy by its tag; none that it does not see.
pub fn name(s: &impl Table, side: &SideId, piece: &str) -> Option<String> {
    if !veiled(s) || s.owner(piece) == Some(side) || s.is_printed(piece) {
        return Some(piece.to_owned());
    }
    seen(s, side, piece).map(|seen| tagged(seen.tag))
}

/// What the enemies look like that a side sees, but for what is printed on the map; `face` says it of one who is seen so.
pub fn faces<'s, T: Table>(s: &'s T, side: &SideId, face: impl Fn(&str, Seen) -> Option<Face>) -> Faces<'s> {
    let all = s.sightings().get(side).into_iter().flatten().filter(|(id, _)| !s.is_printed(id));
    all.filter_map(|(id, seen)| Some((id, (seen.tag, face(id, *seen)?)))).collect()
}

/// What a side knows of its enemies against the truth.
pub fn reckon(s: &impl Table, side: &SideId) -> Reckoned {
    let theirs = s.heads().filter(|(id, _)| s.owner(id) != Some(side)).map(|(id, hex)| {
        let seen = seen(s, side, id).map(|seen| (tagged(seen.tag), !faceless(s, seen)));
        Known { id, hex, nobody: s.is_nobody(id), seen }
    });
    reckoned(!veiled(s), theirs)
}

/// The seats: one a side, but for those that the house leads.
pub fn seats(s: &impl Table, led: &BTreeSet<SideId>) -> Vec<(SeatId, SideId)> {
    let played = s.both().into_iter().filter(|side| !led.contains(side));
    played.map(|side| (SeatId(side.0.clone()), side)).collect()
}

/// What each side knows when a case begins: who holds what, and whom it sees as `look` tells it.
pub fn minds(
    s: &impl Table,
    held: &BTreeMap<String, SideId>,
    look: impl Fn(&mut Intel, &SideId),
) -> Vec<(SideId, Intel)> {
    let mind = |side: SideId| {
        let mut mind = Intel::default();
        if veiled(s) {
            look(&mut mind, &side);
            mind.towns.clone_from(held);
        }
        (side, mind)
    };
    s.both().map(mind).to_vec()
}

/// DB.9, H.12 A dummy marches, and does nothing else.
///
/// # Errors
/// Which of some units is one.
pub fn somebody(s: &impl Table, units: &[String], rule: &str) -> Result<(), Fault> {
    match units.iter().find(|unit| s.is_nobody(unit)) {
        Some(unit) => Err(Fault::refused(format!("{unit} is a dummy: it marches, and does nothing else"), rule)),
        None => Ok(()),
    }
}

/// Who knows what of a piece, for the umpire: what it is to its own side by `own`, and to the enemy by `known`.
///
/// # Errors
/// A name that there is not.
pub fn who_knows<'n, T: Table>(
    s: &T,
    said: &str,
    pieces: impl Iterator<Item = &'n String>,
    own: impl Fn(&str) -> &'static str,
    known: impl Fn(&SideId, &str) -> String,
) -> Result<Vec<String>, Fault> {
    let piece = Args::new(&orders::line(0, said), 0).name("a unit or a leader", &names(pieces))?;
    let Some(side) = s.owner(&piece) else { return Err(Fault::unclear(said, "a unit or a leader", [], None)) };
    let enemies: Vec<SideId> = s.both().into_iter().filter(|other| other != side).collect();
    let told = enemies.iter().map(|enemy| {
        if !veiled(s) || s.is_printed(&piece) {
            return vec![format!("{side} and {enemy}: all of it lies open.")];
        }
        vec![format!("{side}: {}.", own(&piece)), format!("{enemy}: {}", known(enemy, &piece))]
    });
    Ok(told.flatten().collect())
}

/// Who looks, before and after an event.
pub struct Looks<'a, T> {
    /// The table before it.
    pub before: &'a T,
    /// The table after it.
    pub after: &'a T,
    /// Who looks.
    pub to: &'a SideId,
}

impl<T: Table> Looks<'_, T> {
    /// Whether a piece is its own.
    pub fn own(&self, piece: &str) -> bool {
        self.after.owner(piece) == Some(self.to)
    }

    /// A piece by its name or its tag, if it is seen before or after.
    pub fn name(&self, piece: &str) -> Option<String> {
        name(self.before, self.to, piece).or_else(|| name(self.after, self.to, piece))
    }

    /// Whether something is so of how it sees an enemy, before and after; of its own it is so.
    pub fn sees(&self, unit: &str, so: impl Fn(Seen) -> bool) -> [bool; 2] {
        [self.before, self.after].map(|s| self.own(unit) || seen(s, self.to, unit).is_some_and(&so))
    }

    /// Whether a unit has a face, before or after.
    pub fn shows_face(&self, unit: &str) -> bool {
        self.sees(unit, |seen| !faceless(self.after, seen)) != [false; 2]
    }

    /// Whether a unit is in sight before and after.
    pub fn both(&self, unit: &str) -> bool {
        self.sees(unit, |_| true) == [true; 2]
    }

    /// An event of one of its own pieces.
    pub fn only<E: Clone>(&self, piece: &str, e: &E) -> Option<E> {
        self.own(piece).then(|| e.clone())
    }

    /// An event of its own pieces, all of one side.
    pub fn first<E: Clone>(&self, pieces: &[String], e: &E) -> Option<E> {
        pieces.first().and_then(|piece| self.only(piece, e))
    }

    /// An event of its own side.
    pub fn of<E: Clone>(&self, side: Option<&SideId>, e: &E) -> Option<E> {
        (side == Some(self.to)).then(|| e.clone())
    }
}

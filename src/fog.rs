//! The one interface between truth and reports.
//!
//! Truth is what happened; paper is what a side may be told. A `Seen<T>` is paper sealed for one viewer: only
//! [`see`] and the driver of the rules make one from truth, and [`Seen::map`] takes a plain function pointer, so that
//! whatever is written on it can have come from nowhere but the sealed view.
//!
//! A renderer cannot smuggle truth in:
//!
//! ```compile_fail,E0308
//! # use estafette::fog::Seen;
//! fn leak(seen: Seen<u32>, truth: u32) -> Seen<u32> {
//!     seen.map(|_, _| truth) // a closure that captures is not a function pointer
//! }
//! ```
//!
//! Nobody can forge a seal:
//!
//! ```compile_fail,E0451
//! # use estafette::fog::{Seen, Viewer};
//! let forged = Seen { viewer: Viewer::Umpire, body: 1 };
//! ```
//!
//! Nor call a ruleset's projection without passing through it:
//!
//! ```compile_fail,E0423
//! # use estafette::fog::Pass;
//! let pass = Pass(());
//! ```

use serde::{Deserialize, Serialize};
use std::fmt;

/// A side of a game by its id, such as `french`. Every hidden thing belongs to a side.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SideId(pub String);

/// A seat of a game by its id: a side's player, `umpire` or `observer`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatId(pub String);

/// Who looks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Viewer {
    /// A side: its own truth, what it has learnt, and what is public.
    Side(SideId),
    /// The umpire, who may see all.
    Umpire,
}

/// A fact about the enemy as a side may hold it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Known<T> {
    /// Known, and current.
    Exact(T),
    /// Known to lie between two values.
    Between(T, T),
    /// Learnt on the turn named, and not seen since.
    Stale(T, u32),
    /// Not known.
    Unknown,
}

/// Paper sealed for one viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen<T> {
    viewer: Viewer,
    body: T,
}

/// Proof of having passed this interface; only this module and the driver beside it mint it.
pub struct Pass(());

impl Pass {
    /// For the driver of the rules, which stands on the same side of it.
    pub(crate) fn mint() -> Pass {
        Pass(())
    }
}

/// What a ruleset must offer for its truth to be looked at.
pub trait Fogged {
    /// The truth.
    type State;
    /// What a side has learnt.
    type Intel;
    /// What a side may know now.
    type View;
    /// Builds a view from empty.
    fn project(truth: &Self::State, mind: &Self::Intel, viewer: &Viewer, pass: Pass) -> Self::View;
}

/// Looks at the truth as one viewer.
pub fn see<G: Fogged>(truth: &G::State, mind: &G::Intel, viewer: Viewer) -> Seen<G::View> {
    let body = G::project(truth, mind, &viewer, Pass(()));
    Seen { viewer, body }
}

impl<T> Seen<T> {
    /// Seals paper that the driver has made from sightings; never called with truth.
    pub(crate) fn sealed(viewer: Viewer, body: T) -> Seen<T> {
        Seen { viewer, body }
    }

    /// What is written.
    pub fn body(&self) -> &T {
        &self.body
    }

    /// Whom it is for.
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    /// Writes something new from what is written, for the same viewer.
    pub fn map<U>(self, f: fn(&Viewer, &T) -> U) -> Seen<U> {
        let body = f(&self.viewer, &self.body);
        Seen { viewer: self.viewer, body }
    }

    /// Joins two papers of the same viewer; `None` if they are for different ones.
    pub fn join<U, V>(self, other: Seen<U>, f: fn(&Viewer, &T, &U) -> V) -> Option<Seen<V>> {
        if self.viewer != other.viewer {
            return None;
        }
        let body = f(&self.viewer, &self.body, &other.body);
        Some(Seen { viewer: self.viewer, body })
    }

    /// Takes the paper out of its seal, to be posted to its viewer.
    pub fn into_parts(self) -> (Viewer, T) {
        (self.viewer, self.body)
    }
}

impl fmt::Display for SideId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for SeatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for SideId {
    fn from(s: &str) -> SideId {
        SideId(s.to_owned())
    }
}

impl From<&str> for SeatId {
    fn from(s: &str) -> SeatId {
        SeatId(s.to_owned())
    }
}

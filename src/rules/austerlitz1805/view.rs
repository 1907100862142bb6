//! What one side may know: the table, and what it keeps to itself.

use super::event::Victory;
use super::state::{At, Hidden, Step};
use super::table::Table;
use crate::fog::SideId;

/// A view, built from empty.
#[derive(Clone, Debug)]
pub struct View {
    /// Whose; none for the umpire.
    pub side: Option<SideId>,
    /// What lies open.
    pub table: Table,
    /// Where play stands.
    pub at: At,
    /// How far the sheet has come.
    pub step: Step,
    /// Its own plans.
    pub own: Hidden,
    /// Who has won.
    pub over: Option<Victory>,
}

impl PartialEq for View {
    /// The board is the same in every view of a game.
    fn eq(&self, other: &View) -> bool {
        let table = |v: &View| {
            let t = v.table.clone();
            (t.turn, t.units, t.lost, t.combats, t.control, t.sight, t.mist, t.away)
        };
        table(self) == table(other)
            && (&self.side, &self.at, self.step, &self.own, &self.over)
                == (&other.side, &other.at, other.step, &other.own, &other.over)
    }
}

impl View {
    /// The viewer's side.
    pub fn me(&self) -> SideId {
        self.side.clone().unwrap_or_else(|| SideId(String::new()))
    }

    /// 12.3 The units that the viewer's side has lost, or the enemy's.
    pub fn lost(&self, mine: bool) -> Vec<&str> {
        let (t, me) = (&self.table, self.me());
        t.lost.iter().filter(|id| (t.side(id) == me) == mine).map(|id| id.0.as_str()).collect()
    }

    /// Whether the viewer's sheet is open.
    pub fn my_sheet(&self) -> bool {
        matches!(&self.at, At::Own(side) if self.side.as_ref() == Some(side))
    }
}

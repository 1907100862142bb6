//! Views, built from empty. Every field is named, so that a new one is neither shown nor hidden unasked.

use super::state::{Hidden, State};
use super::table::Table;
use super::view::View;
use crate::fog::Viewer;

/// What a viewer may know: all that lies open, and his own side's plans.
pub fn project(s: &State, viewer: &Viewer) -> View {
    let State { table, at, step, hidden, all_targets: _, over } = s;
    let Table { board, turn, units, lost, combats, control, sight, mist, away } = table;
    let open = Table {
        board: board.clone(),
        turn: *turn,
        units: units.clone(),
        lost: lost.clone(),
        combats: combats.clone(),
        control: control.clone(),
        sight: *sight,
        mist: mist.clone(),
        away: away.clone(),
    };
    let (side, own) = match viewer {
        Viewer::Side(side) => (Some(side.clone()), hidden.get(side).cloned().unwrap_or_default()),
        Viewer::Umpire => (None, Hidden::default()),
    };
    View { side, table: open, at: at.clone(), step: *step, own, over: over.clone() }
}

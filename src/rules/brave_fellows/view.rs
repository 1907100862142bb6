//! What a side sees: the table lies open (2.0), so all of it.

use super::state::State;
use crate::fog::{SideId, Viewer};

/// The table as one side looks at it.
#[derive(Clone, PartialEq, Eq)]
pub struct View {
    /// Who looks.
    pub side: SideId,
    /// What lies open.
    pub state: State,
}

/// The table, for whoever looks.
pub fn view(state: &State, viewer: &Viewer) -> View {
    let side = match viewer {
        Viewer::Side(side) => side.clone(),
        Viewer::Umpire => "umpire".into(),
    };
    let mut state = state.clone();
    // 5.3.2, 8.3.2 What a side wants in the next Reinforcement Phase is its own.
    state.wishes.retain(|of, _| *of == side || *viewer == Viewer::Umpire);
    View { side, state }
}

//! What a side may know. The table lies open: all but what the other side wants.

use super::state::State;
use crate::fog::{SideId, Viewer};
use crate::rules::tactical::tags::Intel;

/// What a side may know now.
#[derive(Clone, PartialEq, Eq)]
pub struct View {
    /// Who looks.
    pub side: SideId,
    /// The table.
    pub state: State,
}

/// What a viewer may know.
pub fn view(truth: &State, _: &Intel, viewer: &Viewer) -> View {
    let mut state = truth.clone();
    let side = match viewer {
        Viewer::Side(side) => side.clone(),
        Viewer::Umpire => SideId::default(),
    };
    if matches!(viewer, Viewer::Side(_)) {
        state.wishes.retain(|of, _| *of == side);
    }
    View { side, state }
}

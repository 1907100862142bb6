//! Events of this chapter. I.a Administration: supply sources, lines of communication, dispatch, Administrative Points (¶72-107).

use super::told::Sighting;
use crate::fog::SideId;
use crate::rules::campaigns::intel::Intel;
use crate::rules::campaigns::state::State;
use serde::{Deserialize, Serialize};

/// An event of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {}

/// Changes the state.
pub fn apply(_s: &mut State, e: &Event) {
    match *e {}
}

/// What a side is told.
pub fn sight(_before: &State, e: &Event, _after: &State, _mind: &Intel, _to: &SideId) -> Option<Sighting> {
    match *e {}
}

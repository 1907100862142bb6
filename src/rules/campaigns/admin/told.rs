//! What a side is told of this chapter. I.a Administration: supply sources, lines of communication, dispatch, Administrative Points (¶72-107).

use serde::{Deserialize, Serialize};

/// A sighting of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sighting {}

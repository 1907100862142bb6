//! What a side is told of this chapter. I.b Organization: replacements, leaders, units between tracks, garrisons (¶108-146).

use serde::{Deserialize, Serialize};

/// A sighting of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sighting {}

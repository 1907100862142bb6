//! What a side is told of this chapter. III.b Combat (¶298-410).

use serde::{Deserialize, Serialize};

/// A sighting of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sighting {}

//! What a side is told of this chapter. II and III.a Movement: reinforcements, commands, initiative, marches, zones, repulse, bridges, attrition, Forced March (¶147-297).

use serde::{Deserialize, Serialize};

/// A sighting of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sighting {}

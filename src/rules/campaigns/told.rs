//! What a side is told, by chapter.

use crate::rules::campaigns::{admin, combat, courier, flow, march, organization, umpire};
use serde::{Deserialize, Serialize};

/// What a side is told, by chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "chapter", content = "told", rename_all = "snake_case")]
pub enum Sighting {
    /// Sequence of play and counters.
    Flow(flow::told::Sighting),
    /// I.a.
    Admin(admin::told::Sighting),
    /// I.b.
    Organization(organization::told::Sighting),
    /// II and III.a.
    March(march::told::Sighting),
    /// III.b.
    Combat(combat::told::Sighting),
    /// Amendments of an umpire.
    Umpire(umpire::Sighting),
    /// Couriers between seats of one side.
    Courier(courier::Sighting),
}

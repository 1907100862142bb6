//! What the solo rules keep of a side from one turn to the next: all of it the side's own secret.

use super::chart::Tactic;
use crate::rules::austerlitz1805::board::UnitId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is kept of a side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mind {
    /// 27.5 The orders of its units.
    pub orders: BTreeMap<UnitId, Standing>,
    /// 28.1.6.4, 28.2.12 Units that come first into its next chits.
    pub first: Vec<UnitId>,
    /// 28.1.7, 28.2.13 Its Guard may move.
    pub guard: bool,
    /// 28.2.1 It has gone over to the attack.
    pub signal: bool,
}

/// 27.5 An order as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// What.
    pub tactic: Tactic,
    /// At whom.
    #[serde(default)]
    pub on: Option<UnitId>,
}

impl Mind {
    /// Gives a unit an order, or takes it away.
    pub fn order(&mut self, unit: &UnitId, order: Option<Standing>) {
        match order {
            Some(order) => _ = self.orders.insert(unit.clone(), order),
            None => _ = self.orders.remove(unit),
        }
    }
}

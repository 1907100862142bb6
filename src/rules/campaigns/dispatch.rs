//! What rides from seat to seat of one side, and what was last heard: words that truth and paper share.

use super::board::{LeaderId, UnitId};
use super::pieces::{Leader, Pieces, Unit};
use crate::fog::{SeatId, SideId};
use crate::hex::Hex;
use crate::rules::staff::Rates;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A courier that has not come in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Courier {
    /// Whose.
    pub side: SideId,
    /// The seat that sent it.
    pub from: SeatId,
    /// The seat that it rides to.
    pub to: SeatId,
    /// The leaders with one of whom that seat is; none for the Center of Operations.
    pub targets: Vec<LeaderId>,
    /// Where it set out, and on which turn.
    pub origin: Hex,
    /// The turn on which it set out.
    pub sent: u32,
    /// Where it is now; none where it is lost or taken.
    pub at: Option<Hex>,
    /// In how many segments it has ridden.
    pub rides: u32,
    /// Rates and dangers.
    pub rates: Rates,
    /// What it carries.
    pub text: Vec<String>,
    /// Lines that are carried out when it comes in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<String>,
    /// How the writer's leaders stood, where seats know only their own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub returns: BTreeMap<LeaderId, Return>,
}

/// What a dispatch says of where it set out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    /// Where.
    pub hex: Hex,
    /// On which turn.
    pub turn: u32,
    /// How its writer's leaders stood, where seats know only their own.
    pub returns: BTreeMap<LeaderId, Return>,
}

/// A leader with the units on his track, as a dispatch says they stood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Return {
    /// The leader.
    pub leader: Leader,
    /// His units.
    pub units: BTreeMap<UnitId, Unit>,
}

/// How some leaders stand, for a dispatch to say.
pub fn returns(own: &Pieces, leaders: &[LeaderId]) -> BTreeMap<LeaderId, Return> {
    let state = |id: &LeaderId| Some((id.clone(), state_of(own, id, own.leaders.get(id)?)));
    leaders.iter().filter_map(state).collect()
}

/// A leader with the units on his own track.
pub fn state_of(own: &Pieces, id: &LeaderId, leader: &Leader) -> Return {
    let units = own.units_of(std::slice::from_ref(id)).into_iter();
    Return { leader: leader.clone(), units: units.map(|(unit, body)| (unit.clone(), body.clone())).collect() }
}

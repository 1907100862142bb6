//! What a side is told of I.b Organization and II.a Reinforcements (¶108-146, 154-163).

use crate::hex::Hex;
use crate::rules::campaigns::board::{ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::telling::{self, Never};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::VariantNames;

/// A sighting of this chapter: nothing of it lies open.
pub type Sighting = telling::Sighting<Never, Own, Glimpse>;

/// What its side alone is told: the Organization Display is its owner's secret (¶29-30, 33).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Own {
    /// A unit went to another leader's track (¶129).
    Assigned {
        /// Which.
        unit: UnitId,
        /// Whose track.
        leader: LeaderId,
    },
    /// A March Regiment went into a unit, its counter into the box (¶117).
    Dissolved {
        /// Which.
        regiment: UnitId,
        /// Into which unit.
        into: UnitId,
        /// SP.
        sp: i32,
    },
    /// A vedette found no leader to return with, and stays in the pool for good (¶368).
    VedetteKept {
        /// Which.
        n: u32,
    },
    /// A reinforcement was given to another army of its side (¶155).
    Allotted {
        /// Who.
        leader: LeaderId,
        /// To which.
        army: ArmyId,
    },
    /// A reinforcement was held back this turn (¶161-162).
    Delayed {
        /// Who.
        leader: LeaderId,
    },
}

/// As the reader may see it: all but the counters that come and go are the owner's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Glimpse {
    /// A counter comes onto the map.
    Appeared {
        /// Which.
        who: Who,
        /// Where.
        hex: Hex,
        /// The piece, where it stands face up.
        face: Option<(Piece, Ident)>,
    },
    /// A counter leaves the map.
    Vanished {
        /// Which.
        who: Who,
        /// From where.
        hex: Hex,
    },
    /// A unit received replacements (¶114).
    Replaced {
        /// Which.
        unit: UnitId,
        /// SP.
        sp: i32,
    },
    /// Strength went from unit to unit (¶133).
    Shifted {
        /// From.
        from: UnitId,
        /// To.
        to: UnitId,
        /// SP.
        sp: i32,
        /// Whether the giver is removed from the game.
        removed: bool,
    },
    /// A subordinate became a force of his own (¶140).
    Detached {
        /// Who.
        leader: LeaderId,
        /// Where.
        hex: Hex,
    },
    /// A force went under a leader (¶37).
    Attached {
        /// Who.
        leader: LeaderId,
        /// Under whom.
        to: LeaderId,
    },
    /// A Major General or replacement leader was activated (¶120).
    Raised {
        /// Who.
        leader: LeaderId,
        /// Where.
        hex: Hex,
        /// Under whom; `None` for a force of his own.
        under: Option<LeaderId>,
    },
    /// A Major General or replacement leader left the map (¶121).
    Retired {
        /// Who.
        leader: LeaderId,
    },
    /// A leader went with the honours of war (¶414).
    Honoured {
        /// Who.
        leader: LeaderId,
        /// The two dice.
        dice: (u32, u32),
        /// The first turn of the month from which on he may be raised; `None` for one after the last.
        from: Option<u32>,
    },
    /// A garrison was made (¶130).
    Garrisoned {
        /// Which counter.
        garrison: UnitId,
        /// Where.
        hex: Hex,
        /// Out of which unit.
        from: UnitId,
        /// Whether that unit is removed from the game.
        removed: bool,
    },
    /// A garrison was absorbed (¶131).
    Absorbed {
        /// Which counter.
        garrison: UnitId,
        /// Into which unit.
        into: UnitId,
    },
    /// A garrison became a March Regiment (¶131).
    Converted {
        /// Which counter.
        garrison: UnitId,
        /// The March Regiment.
        regiment: UnitId,
        /// On whose track.
        leader: LeaderId,
    },
    /// A March Regiment or Replacement Counter was filled out of the pool (¶115, 126).
    Drawn {
        /// Which.
        regiment: UnitId,
        /// Under whom.
        leader: LeaderId,
        /// SP.
        sp: i32,
    },
    /// One was filled with a unit's strength (¶116).
    Formed {
        /// Which.
        regiment: UnitId,
        /// Under whom.
        leader: LeaderId,
        /// Out of which unit.
        from: UnitId,
        /// SP.
        sp: i32,
        /// Whether that unit is removed from the game.
        removed: bool,
    },
    /// A reinforcement came onto the map (¶154).
    Entered {
        /// Who.
        leader: LeaderId,
        /// Where.
        hex: Hex,
        /// Strengths in SP.
        units: BTreeMap<UnitId, i32>,
    },
    /// A force that had retreated off the map came back (¶376).
    Reentered {
        /// Who.
        leader: LeaderId,
        /// Where.
        hex: Hex,
    },
    /// An eliminated leader came back (¶43).
    Returned {
        /// Who.
        leader: LeaderId,
        /// Where.
        hex: Hex,
    },
}

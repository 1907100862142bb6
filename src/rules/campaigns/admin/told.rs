//! What a side is told of I.a Administration (¶72-107).

use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Arm, ArmyId, UnitId};
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::pieces::Loc;
use crate::rules::campaigns::telling;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::VariantNames;

/// A sighting of this chapter.
pub type Sighting = telling::Sighting<Open, Own, Glimpse>;

/// What lies open: markers do (¶33).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Open {
    /// A line of communication was drawn; the answer of the enemy is yes or no without a reason (¶80-85).
    Line {
        /// Whose.
        side: SideId,
        /// From source to center; `None` where none could be drawn.
        drawn: Option<Loc>,
        /// Whether the other side says it is blocked.
        blocked: bool,
    },
    /// The enemy has entered the stores of a side for the first time: its points are gone (¶97).
    Raided {
        /// Whose.
        side: SideId,
        /// Where.
        hex: Hex,
    },
    /// A change of source was given up, and the marker lies face up again where it was.
    SourceKept {
        /// Whose.
        side: SideId,
    },
    /// A center is on the map again (¶106, 184).
    CenterPlaced {
        /// Whose.
        side: SideId,
        /// Where.
        hex: Hex,
    },
}

/// What its side alone is told: points and pools are their owner's secret (¶33).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Own {
    /// The army at the desk sends its line by its friend's center, or by its own source again (¶94).
    Via {
        /// Whether by the friend's.
        on: bool,
    },
    /// The Paris Garrison gave an SP to a unit, which is immobile (¶127).
    ParisDrawn {
        /// Out of which of its units.
        from: UnitId,
        /// To which unit.
        unit: UnitId,
    },
    /// Administrative Points came in (¶96-99).
    Income {
        /// Which army's, where the side has several (¶98).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        army: Option<ArmyId>,
        /// The two dice; empty where none were rolled.
        dice: Vec<u32>,
        /// Whether the army commander at his center added to them (¶99).
        commander: bool,
        /// Points in all.
        points: i32,
    },
    /// Administrative Points that cannot be stored were lost at the end of the turn (¶96).
    ApLost {
        /// Points.
        points: i32,
    },
    /// A place brought its points, once (¶96).
    Prize {
        /// Where.
        hex: Hex,
        /// Points.
        points: i32,
    },
    /// The die of a change of source (¶104).
    SourceDie {
        /// The die.
        die: u32,
        /// With its modifier.
        modified: i32,
        /// Whether the change is complete.
        done: bool,
    },
    /// Replacement Points came to the pool (¶108-110).
    Points {
        /// Nationality.
        nationality: String,
        /// Points by arm.
        points: BTreeMap<Arm, i32>,
    },
    /// Replacement Points were lost, since no marker stores them (¶20).
    Forfeited {
        /// Nationality.
        nationality: String,
        /// Arm.
        arm: Arm,
        /// Points.
        points: i32,
    },
    /// Toward which source the center will flee (¶182).
    Flight {
        /// The source; `None` for the active one, else the nearest.
        toward: Option<Hex>,
    },
}

/// As the reader may see it: what only the owner may know is `None` for the other side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Glimpse {
    /// The Paris Garrison went back (¶128).
    ParisBack {
        /// Its counter.
        who: Who,
        /// From where.
        hex: Hex,
    },
    /// A source marker was turned over (¶102).
    SourceFlipped {
        /// Whose.
        side: SideId,
        /// Where the change leads.
        to: Option<Hex>,
        /// AP that it cost.
        ap: Option<i32>,
    },
    /// A source marker lies face up at a hex (¶76).
    SourcePlaced {
        /// Whose.
        side: SideId,
        /// Where.
        hex: Hex,
        /// SP of its garrison.
        garrison: Option<i32>,
        /// AP that it cost.
        ap: Option<i32>,
    },
    /// A center was disbanded (¶106).
    CenterDisbanded {
        /// Whose.
        side: SideId,
        /// AP that it cost.
        ap: Option<i32>,
        /// Turn of its return, and the hexes where it may.
        returns: Option<(u32, Vec<Hex>)>,
    },
    /// A vedette was out of dispatch distance and left the map (¶87).
    VedetteAway {
        /// Which.
        who: Who,
        /// From where.
        hex: Hex,
    },
}

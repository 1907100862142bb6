//! 24.6.3, 27.6, 28 The charts of the solo chapters, as a scenario's table file gives them.

use crate::rules::austerlitz1805::board::Arm;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What each face of a die says.
pub type Faces<T> = [T; 6];

/// 22-28 All charts of the solo chapters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solo {
    /// 24.6.3 What a discovered chit shows.
    pub chit: Faces<Vec<Arm>>,
    /// Dice that answer for the side.
    pub dice: Dice,
    /// 27.4 The relation of forces.
    pub odds: Odds,
    /// 27.6 Orders of a side that has no more points than the enemy; A-35: the table that sends infantry back at 1:2 and has it
    /// assault at 3:1.
    pub offensive: Orders,
    /// 27.6 Orders of a side that has more.
    pub defensive: Orders,
    /// 24.5.17 Who supports an attack.
    pub support: Support,
    /// 28.1, 28.2 What each side wants.
    pub plans: BTreeMap<String, Plan>,
}

/// Dice that answer for the side: the answer's word on each face.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dice {
    /// 24.5.10 Infantry attacked by cavalry.
    pub square: Faces<String>,
    /// 24.5.16 Cavalry whose target has formed square.
    pub met_by_square: Faces<String>,
    /// 24.5.19, 24.5.19.1 A battery, able to fire or not, that could send its crew into a square.
    pub crew: Faces<String>,
    /// 24.6.6 Units out of a chit.
    pub deploy: Faces<String>,
}

/// 27.4 The relation of forces.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Odds {
    /// Strength of a step of infantry or cavalry.
    pub step: i32,
    /// Strength of a battery.
    pub battery: i32,
    /// Own to enemy strength of each column of the order tables but the last.
    pub bands: [(i32, i32); 4],
    /// Units nearer than this to each other are one group.
    pub group: i32,
    /// Enemies within this of a group count against it.
    pub reach: i32,
}

/// 27.6 What a die says in each column of the odds.
pub type Row = [Faces<Tactic>; 5];

/// 27.6 One of the two tables of orders.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Orders {
    /// Infantry.
    pub infantry: Row,
    /// Cavalry.
    pub cavalry: Row,
    /// Artillery.
    pub artillery: Row,
}

/// 27.6 What a unit is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tactic {
    /// The bayonet.
    Assault,
    /// The charge.
    Charge,
    /// Round the enemy's flank, for a later attack.
    Flank,
    /// Musketry in line; for batteries, fire from where they stand.
    Fire,
    /// Out of the enemy's reach.
    Back,
}

/// 24.5.17, 24.5.18 Who supports an attack.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Support {
    /// How near to the leader infantry supports it.
    pub infantry: i32,
    /// How near cavalry does.
    pub cavalry: i32,
    /// An enemy so near keeps the unit on the flank where it is.
    pub flank: i32,
    /// So many at most.
    pub most: usize,
}

/// 28 What a side wants.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// 28.1.4, 28.2.6 Who goes into chits, the first one first.
    pub chits: Vec<String>,
    /// 28.1.5 Who moves on the strategic map, the first one first; A-38: not those who are used up in the first chits.
    pub columns: Vec<String>,
    /// 28.2.6.1 So many first movements of a corps are on the strategic map alone.
    #[serde(default)]
    pub strategic: BTreeMap<String, u32>,
    /// 28.2.9 With whom the chits of a division are filled up.
    #[serde(default)]
    pub fill: BTreeMap<String, Fill>,
    /// 24.6 Where each corps goes.
    pub objectives: BTreeMap<String, String>,
    /// 28.1.7, 28.2.13 When the Guard may move.
    pub guard: Guard,
    /// 28.2.1 When a side that holds its ground goes over to the attack; none where it attacks from the start.
    #[serde(default)]
    pub signal: Option<Signal>,
    /// 28.1.6, 28.2.8 Infantry, cavalry and batteries of each corps.
    pub strength: BTreeMap<String, (usize, usize, usize)>,
}

/// 28.2.9 With whom the chits of a division are filled up: so many of each arm at most, and foot artillery only.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Fill {
    pub corps: String,
    pub infantry: usize,
    pub cavalry: usize,
    pub artillery: usize,
}

/// 28.1.7, 28.2.13 When the Guard may move: from a turn on, if a place is lost, or if an enemy is near.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Guard {
    pub corps: String,
    pub turn: u32,
    pub lost: Vec<String>,
    pub near: i32,
}

/// 28.2.1 When the enemy's centre is empty.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Signal {
    /// The areas of the centre.
    pub areas: Vec<String>,
    /// It is empty with so many enemy units and chits in them, or fewer.
    pub most: usize,
    /// In the fog before this turn nobody can tell.
    pub from: u32,
    /// From this turn on nobody waits any longer.
    pub turn: u32,
    /// 28.2.7.1 Corps that move before the signal.
    pub before: Vec<String>,
    /// 28.2.7.1 Corps that do so if a place of the side is lost.
    pub relief: Vec<String>,
}

impl Odds {
    /// 27.6 The column of the order tables: the best that own strength reaches against the enemy's.
    pub fn band(&self, own: i32, enemy: i32) -> usize {
        let last = self.bands.len();
        self.bands.iter().position(|(a, b)| own * b >= enemy * a).unwrap_or(last)
    }
}

impl Orders {
    /// 27.6 What a die says to an arm in a column; an HQ has no orders.
    pub fn cell(&self, arm: Arm, band: usize) -> Option<&Faces<Tactic>> {
        let row = match arm {
            Arm::Infantry => &self.infantry,
            Arm::Cavalry => &self.cavalry,
            Arm::Artillery => &self.artillery,
            Arm::Hq => return None,
        };
        row.get(band)
    }
}

impl Fill {
    /// How many units of an arm fill the chits up.
    pub fn most(&self, arm: Arm) -> usize {
        match arm {
            Arm::Infantry => self.infantry,
            Arm::Cavalry => self.cavalry,
            Arm::Artillery => self.artillery,
            Arm::Hq => 0,
        }
    }
}

impl Tactic {
    /// As the umpire reads it.
    pub fn word(self) -> &'static str {
        match self {
            Tactic::Assault => "assault",
            Tactic::Charge => "charge",
            Tactic::Flank => "flank",
            Tactic::Fire => "fire",
            Tactic::Back => "back",
        }
    }
}

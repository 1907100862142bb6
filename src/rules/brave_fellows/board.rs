//! 2 What is printed: the field, the charts, the counters, who commands whom.

use super::state::{BATTERY, Freed};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::Files;
use crate::rules::tactical::chart::Ladder;
use crate::rules::tactical::field::{Drawn, Field};
use crate::rules::tactical::files::{part, turns};
pub use crate::rules::tactical::ground::{Arm, Ground};
pub use crate::rules::tactical::table::Sight;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The side that Mortier leads.
pub const FRENCH: &str = "french";
/// The side that Kutusov leads.
pub const COALITION: &str = "coalition";

/// 5, 9, 11 What comes or appears in the course of the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)] // Columns and divisions by their names.
pub enum Force {
    II,
    III,
    Dupont,
    /// 9.6.5 The second part of Dupont's division.
    Second,
    VI,
    IV,
    Dumonceau,
    Klein,
    Murat,
}

impl Force {
    /// 5.1.1, 9.6.1 Those that are rolled for, in that order.
    pub const ROLLED: [Force; 7] =
        [Force::II, Force::III, Force::Dupont, Force::IV, Force::Dumonceau, Force::Klein, Force::Murat];

    /// Its name on counters.
    pub fn name(self) -> &'static str {
        match self {
            Force::II => "II",
            Force::III => "III",
            Force::Dupont | Force::Second => "Dupont",
            Force::VI => "VI",
            Force::IV => "IV",
            Force::Dumonceau => "Dumonceau",
            Force::Klein => "Klein",
            Force::Murat => "Murat",
        }
    }

    /// 11.4-11.7 The option without which it does not come.
    fn switch(self) -> Option<Switch> {
        match self {
            Force::IV => Some(Switch::FourthColumn),
            Force::Dumonceau => Some(Switch::Dumonceau),
            Force::Klein => Some(Switch::Klein),
            Force::Murat => Some(Switch::Murat),
            Force::II | Force::III | Force::Dupont | Force::Second | Force::VI => None,
        }
    }
}

/// 9.6.5, 11 What may be played besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// 9.6.5 Dupont's division comes in two parts.
    HistoricalArrival,
    /// 11.1
    CavalryFire,
    /// 11.2
    Ammunition,
    /// 11.3
    Impetus,
    /// 11.4
    FourthColumn,
    /// 11.5
    Dumonceau,
    /// 11.6
    Klein,
    /// 11.7
    Murat,
}

/// 2.3.3 A counter as it is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Kind {
    /// Its side.
    #[serde(skip)]
    pub side: SideId,
    /// 2.3.3 F The regiment by which it stacks.
    #[serde(rename = "id")]
    pub regiment: String,
    /// Its name in full.
    #[serde(default)]
    pub name: String,
    /// How many counters of it there are.
    pub count: u32,
    /// 2.3.1, 2.3.2 Division and brigade, or the column.
    #[serde(deserialize_with = "parted")]
    pub formation: Vec<String>,
    /// Its arm.
    #[serde(rename = "type")]
    pub arm: Arm,
    /// 2.3.3 H Fatigue values, fresh and fatigued.
    pub fv: [i32; 2],
    /// Firepower.
    #[serde(default)]
    pub ff: i32,
    /// 2.3.3 H Firepower in red, which counts by 11.1 alone.
    #[serde(default)]
    pub ff_red: i32,
    /// Melee factor.
    pub mf: i32,
    /// Movement allowances, fresh and fatigued.
    pub ma: [i32; 2],
    /// Guns that need no line of sight.
    #[serde(default)]
    pub howitzer: bool,
    /// 6.1.11 Obeys any leader of its division.
    #[serde(default)]
    pub black: bool,
}

/// A formation as it is written: `division/brigade`.
fn parted<'de, D: Deserializer<'de>>(written: D) -> Result<Vec<String>, D::Error> {
    Ok(String::deserialize(written)?.split('/').map(str::to_owned).collect())
}

/// 2.3.4 What a leader commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rank {
    /// A French corps.
    Corps,
    /// The Coalition's army.
    Army,
    /// A French division.
    Division,
    /// A French brigade.
    Brigade,
    /// A column.
    Column,
}

/// 2.3.4 A leader as he is printed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Chief {
    leader: String,
    /// His side.
    pub side: SideId,
    /// 2.3.4g His command value.
    #[serde(skip)]
    pub cv: i32,
    /// 2.3.4g His movement allowance.
    #[serde(skip)]
    pub ma: i32,
    /// What he commands.
    pub rank: Rank,
    /// Whom he obeys.
    pub of: Option<String>,
    /// His column.
    pub column: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct Tec {
    terrain: BTreeMap<String, Ground>,
    road_move: Road,
    strong_point: Strong,
    uphill_melee_shift_per_level: i32,
    level23_hex_mp: i32,
}

/// 6.2.9 What a step by road costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Road {
    inf: i32,
    cav: i32,
    art: i32,
    ldr: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct Strong {
    fire_drm: i32,
    melee_shift: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Row23 {
    inf: [i32; 2],
    cav: [i32; 2],
    art: [i32; 2],
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct Fire {
    #[serde(flatten)]
    ladder: Ladder,
    column_ranges: Vec<[i32; 2]>,
    drms: FireDrms,
    night: Night,
}

/// 6.3.8c What changes the die of a fire besides the ground.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FireDrms {
    /// 4.2.4c, 4.3.3
    pub fatigued_unit_among_firers: i32,
    /// 6.3.6 (second)
    pub artillery_firing_at_adjacent: i32,
    /// 6.2.11
    pub target_cavalry_charged_this_impulse: i32,
    /// Whether the target is crowded.
    pub target_three_or_more_combat_units: i32,
    /// Whether it is taken in flank.
    pub fire_through_non_front_hexside_of_target: i32,
    /// Says in words where the number of the ground stands.
    #[serde(default)]
    terrain: String,
}

/// 8.1.1 Columns by which night shifts fire.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Night {
    adjacent_shift: i32,
    range_2_4_shift: i32,
    /// Says in words what lies left of the chart.
    #[serde(default)]
    below_first_column: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct Melee {
    #[serde(flatten)]
    ladder: Ladder,
    drms: MeleeDrms,
}

/// 6.4.7 What changes the die of a melee.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeleeDrms {
    /// A leader stands with attackers of his.
    pub attacking_leader_subordinate_stacked: i32,
    /// A leader stands with defenders of his.
    pub defending_leader_subordinate_stacked: i32,
    /// An attacker is tired.
    pub any_attacker_fatigued: i32,
    /// A defender runs.
    pub defender_routed: i32,
    /// It is night.
    pub night: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct Track {
    night_from_turn: u32,
    turns: Vec<Hour>,
    dupont_second_group_delay: BTreeMap<i32, u32>,
    /// 11.4-11.7
    options: BTreeMap<Force, BTreeMap<u32, [i32; 2]>>,
}

/// 5.1.1 One box of the turn record track.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Hour {
    turn: u32,
    #[serde(rename = "II_III")]
    columns: Option<[i32; 2]>,
    dupont: Option<[i32; 2]>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct House {
    tec: Tec,
    level23: BTreeMap<i32, Row23>,
    fire: Fire,
    melee: Melee,
    track: Track,
}

/// 8.2 What the hexes of the Grand Battery are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Guns {
    ff: i32,
    mf: i32,
    fv: i32,
}

#[derive(Clone, Debug, Deserialize)]
struct Special {
    grand_battery: Guns,
}

#[derive(Clone, Debug, Deserialize)]
struct Order {
    leaders: BTreeMap<String, [i32; 2]>,
    french: Vec<Kind>,
    coalition: Vec<Kind>,
    french_setup: BTreeMap<Hex, Vec<String>>,
    coalition_setup_default: BTreeMap<Hex, Vec<String>>,
    special: Special,
    commands: Vec<Chief>,
}

/// What is printed on the map besides its ground.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Printed {
    /// 9.3.1 Places that the French control at the start.
    pub french_control_at_start: Vec<String>,
    /// 8.4 The Strong Point.
    pub strong_point: Hex,
    /// 6.6.1 The hexes by which a side leaves.
    pub board_entry: BTreeMap<SideId, Vec<Hex>>,
    /// 9.1.2, 9.1.3, 9.2 The number of a column, or its hexes.
    #[serde(deserialize_with = "numbers")]
    pub column_markers: BTreeMap<String, Vec<Hex>>,
    /// 9.2.5 The first and the last row of the Rear Guard.
    pub rear_guard_rows: (i16, i16),
    /// 8.2.1, 8.2.3 Hexes of the Grand Battery, with the hexsides that carry guns.
    pub grand_battery: BTreeMap<Hex, Vec<Dir>>,
}

/// A column's number on the map, or the hexes in which it is set up.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Marker {
    One(Hex),
    Some(Vec<Hex>),
}

fn numbers<'de, D: Deserializer<'de>>(written: D) -> Result<BTreeMap<String, Vec<Hex>>, D::Error> {
    let hexes = |marker| match marker {
        Marker::One(hex) => vec![hex],
        Marker::Some(hexes) => hexes,
    };
    let written = BTreeMap::<String, Marker>::deserialize(written)?;
    Ok(written.into_iter().map(|(column, marker)| (column, hexes(marker))).collect())
}

/// What a scenario says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Scenario {
    /// First and last turn.
    pub turns: (u32, u32),
    /// 9.6.5, 11 What is played besides.
    pub options: BTreeSet<Switch>,
    /// DB.1 What is hidden.
    pub sight: Sight,
    /// 12.0 Sides that the house leads.
    pub solo: BTreeSet<SideId>,
    /// What each side reads in its opening mail.
    pub briefings: BTreeMap<SideId, String>,
    /// Where what stands, instead of the set-up of the order of battle.
    setup: Option<BTreeMap<Hex, Vec<String>>>,
    /// Whether nobody sets up, and the first turn begins at once.
    pub ready: bool,
    /// What is free from the start.
    pub free: BTreeSet<Freed>,
    /// 10.2.4 What the Coalition needs.
    pub needs: Needs,
    /// House: whether nobody comes who is not set up.
    pub alone: bool,
}

/// 10.2.4 Battalions that the French have to lose, of Gazan's division and in all, for each level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// For the lower level.
    pub tactical: (usize, usize),
    /// For the higher one.
    pub strategic: (usize, usize),
    /// House: where neither side reaches a level, the French have held out, and win.
    #[serde(default)]
    pub held: bool,
}

impl Default for Needs {
    fn default() -> Self {
        Needs { tactical: (6, 9), strategic: (10, 16), held: false }
    }
}

/// All that is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// 2.1 The field.
    pub field: Field,
    /// What else the map bears.
    pub printed: Printed,
    /// What the scenario says.
    pub scenario: Scenario,
    /// Counters by id.
    pub kinds: BTreeMap<String, Kind>,
    /// DB.9 Those of them that are nothing.
    pub dummies: BTreeSet<String>,
    /// Leaders by name.
    pub chiefs: BTreeMap<String, Chief>,
    /// 6.1.9 Leaders of columns in the order in which they succeed each other.
    pub succession: Vec<String>,
    /// 9.1, 9.3 Where what stands at the start.
    pub setup: Vec<(Hex, String)>,
    /// 9.2.7 Where Column VI stands.
    pub sixth: Hex,
    /// 8.2.3 The firepower of each hexside of the Grand Battery.
    pub battery_ff: i32,
    house: House,
}

impl Board {
    /// Reads the files of a scenario.
    ///
    /// # Errors
    /// Their flaws, as sentences.
    pub fn read(files: &Files) -> Result<Board, Vec<String>> {
        let drawn: Drawn = part(files, "battlefield")?;
        let printed: Printed = part(files, "battlefield")?;
        let house: House = part(files, "tables")?;
        let order: Order = part(files, "order_of_battle")?;
        let scenario: Scenario = part(files, "scenario")?;
        turns(scenario.turns, "[1, 10]")?;
        let field = drawn.field().map_err(|flaw| vec![flaw])?;
        let unknown = field.cells.values().find(|cell| !house.tec.terrain.contains_key(&cell.ground));
        if let Some(cell) = unknown {
            return Err(vec![format!("the chart of terrain has no \"{}\".", cell.ground)]);
        }
        let mut kinds = BTreeMap::new();
        for (side, counters) in [(FRENCH, order.french), (COALITION, order.coalition)] {
            for kind in counters {
                let numbered = (1..=kind.count).map(|n| format!("{}-{n}", kind.regiment));
                kinds.extend(numbered.map(|id| (id, Kind { side: side.into(), ..kind.clone() })));
            }
        }
        let battery = order.special.grand_battery;
        kinds.extend(printed.grand_battery.keys().map(|hex| (format!("{BATTERY}-{hex}"), guns(battery))));
        let succession = order.commands.iter().map(|chief| chief.leader.clone()).collect();
        let chief = |chief: Chief| {
            let [cv, ma] = *order.leaders.get(&chief.leader)?;
            Some((chief.leader.clone(), Chief { cv, ma, ..chief }))
        };
        let chiefs: BTreeMap<String, Chief> = order.commands.into_iter().filter_map(chief).collect();
        let whole = || order.french_setup.into_iter().chain(order.coalition_setup_default).collect();
        let setup: BTreeMap<Hex, Vec<String>> = scenario.setup.clone().unwrap_or_else(whole);
        let setup: Vec<(Hex, String)> =
            setup.into_iter().flat_map(|(hex, names)| names.into_iter().map(move |name| (hex, name))).collect();
        if let Some((_, name)) = setup.iter().find(|(_, n)| !kinds.contains_key(n) && !chiefs.contains_key(n)) {
            return Err(vec![format!("the set-up names \"{name}\", which no order of battle has.")]);
        }
        let sixth = printed.column_markers.get("VI").and_then(|hexes| hexes.first()).copied();
        let sixth = sixth.ok_or_else(|| vec!["the map has no number of Column VI.".to_owned()])?;
        let (sight, battery_ff, dummies) = (scenario.sight, battery.ff, BTreeSet::new());
        let mut board =
            Board { field, printed, scenario, kinds, dummies, chiefs, succession, setup, sixth, battery_ff, house };
        board.hide(sight);
        Ok(board)
    }

    /// The chart's row of a hex's ground; none off the field.
    pub fn ground(&self, hex: Hex) -> Option<&Ground> {
        self.house.tec.terrain.get(self.field.ground(hex)?)
    }

    /// 6.2.3a, 6.2.3d What the ground of a hex costs an arm, or a leader; none where it may not go.
    pub fn cost(&self, hex: Hex, arm: Option<Arm>) -> Option<i32> {
        self.ground(hex)?.points(arm, self.climb())
    }

    /// 6.2.3d What a hex costs besides for which the chart of levels is asked.
    pub fn climb(&self) -> i32 {
        self.house.tec.level23_hex_mp
    }

    /// 6.2.9 What a step by road costs an arm, or a leader.
    pub fn road(&self, arm: Option<Arm>) -> i32 {
        let road = &self.house.tec.road_move;
        match arm {
            Some(Arm::Inf) => road.inf,
            Some(Arm::Cav) => road.cav,
            Some(Arm::Art) => road.art,
            None => road.ldr,
        }
    }

    /// 6.2.3a Whether the ground of a hex carries an arm, or a leader.
    pub fn carries(&self, hex: Hex, arm: Option<Arm>) -> bool {
        self.ground(hex).is_some_and(|ground| ground.cost(arm).is_some())
    }

    /// 6.2.3b What a hexside of Level 1 is like.
    pub fn slope(&self) -> Option<&Ground> {
        self.house.tec.terrain.get("slope")
    }

    /// 6.2.3d How many hexes of Levels 2 and 3 the row of a die allows.
    pub fn climbs(&self, die: i32, arm: Option<Arm>) -> [i32; 2] {
        self.house.level23.get(&die).map_or([0, 0], |row| match arm {
            Some(Arm::Cav) => row.cav,
            Some(Arm::Art) => row.art,
            Some(Arm::Inf) | None => row.inf,
        })
    }

    /// 6.3.8a The column of a total; what is above the last stands in the last (6.3.8b).
    pub fn fire_column(&self, total: i32) -> Option<usize> {
        self.house.fire.column_ranges.iter().position(|[least, most]| (*least..=*most).contains(&total))
    }

    /// The chart of fire.
    pub fn fire(&self) -> &Ladder {
        &self.house.fire.ladder
    }

    /// The chart of melee.
    pub fn melee(&self) -> &Ladder {
        &self.house.melee.ladder
    }

    /// 6.3.8c What changes the die of a fire.
    pub fn fire_drms(&self) -> &FireDrms {
        &self.house.fire.drms
    }

    /// 6.4.7 What changes the die of a melee.
    pub fn melee_drms(&self) -> &MeleeDrms {
        &self.house.melee.drms
    }

    /// 8.1.1 Columns by which night shifts fire at the next hex, and farther off.
    pub fn night_shifts(&self) -> (i32, i32) {
        (self.house.fire.night.adjacent_shift, self.house.fire.night.range_2_4_shift)
    }

    /// 8.4.3 What the Strong Point does to fire and to melee.
    pub fn strong_effects(&self) -> (i32, i32) {
        (self.house.tec.strong_point.fire_drm, self.house.tec.strong_point.melee_shift)
    }

    /// What each level uphill shifts.
    pub fn uphill(&self) -> i32 {
        self.house.tec.uphill_melee_shift_per_level
    }

    /// 9.5.1 Whether a hex lies north of the dark blue line; west and east of it nothing does (T-19).
    pub fn north_of_line(&self, hex: Hex) -> bool {
        self.field.is_above("dark_blue", hex)
    }

    /// 9.2.2, 9.6.3, 11.4-11.7 The dice with which a force comes in a turn; none where it is not rolled for.
    pub fn arrival(&self, force: Force, turn: u32) -> Option<[i32; 2]> {
        if self.scenario.alone || force.switch().is_some_and(|switch| !self.scenario.options.contains(&switch)) {
            return None;
        }
        let hour = self.house.track.turns.iter().find(|hour| hour.turn == turn)?;
        match force {
            Force::II | Force::III => hour.columns,
            Force::Dupont => hour.dupont,
            Force::IV | Force::Dumonceau | Force::Klein | Force::Murat => {
                self.house.track.options.get(&force)?.get(&turn).copied()
            }
            Force::Second | Force::VI => None,
        }
    }

    /// 9.6.5 How many turns after the first part of Dupont's division the second comes.
    pub fn delay(&self, die: i32) -> u32 {
        self.house.track.dupont_second_group_delay.get(&die).copied().unwrap_or(1)
    }

    /// 8.1.1 Whether it is night.
    pub fn night(&self, turn: u32) -> bool {
        turn >= self.house.track.night_from_turn
    }
}

/// 8.2.4, 8.2.5 The guns of a Grand Battery hex: they fire by hexsides alone, and never tire.
fn guns(guns: Guns) -> Kind {
    let (side, regiment, fv) = (COALITION.into(), BATTERY.to_owned(), [guns.fv; 2]);
    Kind { side, regiment, arm: Arm::Art, fv, mf: guns.mf, ..Kind::default() }
}

/// The other side.
pub fn other(side: &SideId) -> SideId {
    SideId::from(if side.0 == FRENCH { COALITION } else { FRENCH })
}

//! 2 What is printed: the field, the charts, the counters, who commands whom.

use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Files;
use crate::rules::tactical::chart::Ladder;
use crate::rules::tactical::field::{Drawn, Field};
use crate::yaml;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The side that Mortier leads.
pub const FRENCH: &str = "french";
/// The side that Kutusov leads.
pub const COALITION: &str = "coalition";

/// 2.3.3 E The arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// Foot.
    Inf,
    /// Horse.
    Cav,
    /// Guns.
    Art,
}

/// 2.3.3 A counter as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its side.
    pub side: SideId,
    /// 2.3.3 F The regiment by which it stacks.
    pub regiment: String,
    /// 2.3.1, 2.3.2 Division and brigade, or the column.
    pub formation: Vec<String>,
    /// Its arm.
    pub arm: Arm,
    /// 2.3.3 H Fatigue values, fresh and fatigued.
    pub fv: [i32; 2],
    /// Firepower; a red one counts as none (2.3.3 H).
    pub ff: i32,
    /// Melee factor.
    pub mf: i32,
    /// Movement allowances, fresh and fatigued.
    pub ma: [i32; 2],
    /// Guns that need no line of sight.
    pub howitzer: bool,
    /// 6.1.11 Obeys any leader of its division.
    pub black: bool,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chief {
    /// His side.
    pub side: SideId,
    /// 2.3.4g His command value.
    pub cv: i32,
    /// 2.3.4g His movement allowance.
    pub ma: i32,
    /// What he commands.
    pub rank: Rank,
    /// Whom he obeys.
    pub of: Option<String>,
    /// His column.
    pub column: Option<String>,
}

/// What a kind of ground costs and does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Ground {
    inf: Cost,
    cav: Cost,
    art: Cost,
    ldr: Cost,
    /// 6.3.8c What it adds to the die of a fire into it.
    pub fire_drm: i32,
    /// 6.4.7 Columns by which it shifts a melee.
    pub melee_shift: i32,
    /// 6.2.11a Whether a charge may go over it.
    pub charge: bool,
    /// 4.4.2 Whether it stops a line of sight.
    pub blocks_los: bool,
}

/// Movement points, a letter where it is forbidden or goes by the chart of levels.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Cost {
    Points(i32),
    Letter(String),
}

impl Ground {
    /// 6.2.3a The points that a unit pays, or none where it may not go; 1 for a hex of the chart of levels.
    pub fn cost(&self, arm: Option<Arm>) -> Option<i32> {
        let cost = match arm {
            Some(Arm::Inf) => &self.inf,
            Some(Arm::Cav) => &self.cav,
            Some(Arm::Art) => &self.art,
            None => &self.ldr,
        };
        match cost {
            Cost::Points(points) => Some(*points),
            Cost::Letter(letter) => (letter == "C").then_some(1),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Tec {
    terrain: BTreeMap<String, Ground>,
    strong_point: Strong,
    uphill_melee_shift_per_level: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
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

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Fire {
    #[serde(flatten)]
    ladder: Ladder,
    column_ranges: Vec<[i32; 2]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Track {
    night_from_turn: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct House {
    tec: Tec,
    level23: BTreeMap<i32, Row23>,
    fire: Fire,
    melee: Ladder,
    track: Track,
}

#[derive(Clone, Debug, Deserialize)]
struct Counter {
    id: String,
    count: u32,
    formation: String,
    #[serde(rename = "type")]
    arm: Arm,
    fv: [i32; 2],
    #[serde(default)]
    ff: i32,
    mf: i32,
    ma: [i32; 2],
    #[serde(default)]
    howitzer: bool,
    #[serde(default)]
    black: bool,
    #[serde(default)]
    option: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Command {
    leader: String,
    side: SideId,
    rank: Rank,
    #[serde(default)]
    of: Option<String>,
    #[serde(default)]
    column: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Order {
    leaders: BTreeMap<String, [i32; 2]>,
    french: Vec<Counter>,
    coalition: Vec<Counter>,
    french_setup: BTreeMap<Hex, Vec<String>>,
    coalition_setup_default: BTreeMap<Hex, Vec<String>>,
    commands: Vec<Command>,
}

#[derive(Clone, Debug, Deserialize)]
struct Ends {
    french: Vec<Hex>,
    coalition: Vec<Hex>,
}

#[derive(Clone, Debug, Deserialize)]
struct Extra {
    french_control_at_start: Vec<String>,
    strong_point: Hex,
    board_entry: Ends,
}

#[derive(Clone, Debug, Deserialize)]
struct Scenario {
    turns: (u32, u32),
}

/// All that is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// 2.1 The field.
    pub field: Field,
    /// Counters by id.
    pub kinds: BTreeMap<String, Kind>,
    /// Leaders by name.
    pub chiefs: BTreeMap<String, Chief>,
    /// 6.1.9 Leaders of columns in the order in which they succeed each other.
    pub succession: Vec<String>,
    /// 9.1, 9.3 Where what stands at the start.
    pub setup: Vec<(Hex, String)>,
    /// 9.3.1 Places that the French control at the start.
    pub french_places: Vec<String>,
    /// 8.4 The Strong Point.
    pub strong_point: Hex,
    /// 6.6.1 The hexes by which a side leaves.
    pub entries: BTreeMap<SideId, Vec<Hex>>,
    /// First and last turn.
    pub turns: (u32, u32),
    house: House,
}

fn part<T: serde::de::DeserializeOwned>(files: &Files, kind: &str) -> Result<T, Vec<String>> {
    let found = files.iter().find(|(_, text)| yaml::label(text, "kind") == Some(kind));
    let (name, text) = found.ok_or_else(|| vec![format!("the scenario names no file of the kind {kind}.")])?;
    yaml::read(name, text).map_err(|flaw| vec![flaw.to_string()])
}

impl Board {
    /// Reads the files of a scenario.
    ///
    /// # Errors
    /// Their flaws, as sentences.
    pub fn read(files: &Files) -> Result<Board, Vec<String>> {
        let drawn: Drawn = part(files, "battlefield")?;
        let extra: Extra = part(files, "battlefield")?;
        let house: House = part(files, "tables")?;
        let order: Order = part(files, "order_of_battle")?;
        let scenario: Scenario = part(files, "scenario")?;
        let field = drawn.field().map_err(|flaw| vec![flaw])?;
        let unknown = field.cells.values().find(|cell| !house.tec.terrain.contains_key(&cell.ground));
        if let Some(cell) = unknown {
            return Err(vec![format!("the chart of terrain has no \"{}\".", cell.ground)]);
        }
        let mut kinds = BTreeMap::new();
        for (side, counters) in [(FRENCH, &order.french), (COALITION, &order.coalition)] {
            for counter in counters.iter().filter(|counter| counter.option.is_none()) {
                for n in 1..=counter.count {
                    kinds.insert(format!("{}-{n}", counter.id), kind(side, counter));
                }
            }
        }
        let chief = |command: &Command| {
            let [cv, ma] = *order.leaders.get(&command.leader)?;
            let Command { leader, side, rank, of, column } = command.clone();
            Some((leader, Chief { side, cv, ma, rank, of, column }))
        };
        let chiefs: BTreeMap<String, Chief> = order.commands.iter().filter_map(chief).collect();
        let setup = order.french_setup.into_iter().chain(order.coalition_setup_default);
        let setup: Vec<(Hex, String)> =
            setup.flat_map(|(hex, names)| names.into_iter().map(move |name| (hex, name))).collect();
        if let Some((_, name)) = setup.iter().find(|(_, n)| !kinds.contains_key(n) && !chiefs.contains_key(n)) {
            return Err(vec![format!("the set-up names \"{name}\", which no order of battle has.")]);
        }
        Ok(Board {
            field,
            kinds,
            succession: order.commands.iter().map(|command| command.leader.clone()).collect(),
            chiefs,
            setup,
            french_places: extra.french_control_at_start,
            strong_point: extra.strong_point,
            entries: [(FRENCH.into(), extra.board_entry.french), (COALITION.into(), extra.board_entry.coalition)]
                .into(),
            turns: scenario.turns,
            house,
        })
    }

    /// The chart's row of a hex's ground; none off the field.
    pub fn ground(&self, hex: Hex) -> Option<&Ground> {
        self.house.tec.terrain.get(self.field.ground(hex)?)
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
        &self.house.melee
    }

    /// 8.4.3 What the Strong Point does to fire and to melee.
    pub fn strong_effects(&self) -> (i32, i32) {
        (self.house.tec.strong_point.fire_drm, self.house.tec.strong_point.melee_shift)
    }

    /// What each level uphill shifts.
    pub fn uphill(&self) -> i32 {
        self.house.tec.uphill_melee_shift_per_level
    }

    /// 8.1.1 Whether it is night.
    pub fn night(&self, turn: u32) -> bool {
        turn >= self.house.track.night_from_turn
    }
}

fn kind(side: &str, counter: &Counter) -> Kind {
    Kind {
        side: side.into(),
        regiment: counter.id.clone(),
        formation: counter.formation.split('/').map(str::to_owned).collect(),
        arm: counter.arm,
        fv: counter.fv,
        ff: counter.ff,
        mf: counter.mf,
        ma: counter.ma,
        howitzer: counter.howitzer,
        black: counter.black,
    }
}

/// The other side.
pub fn other(side: &SideId) -> SideId {
    SideId::from(if side.0 == FRENCH { COALITION } else { FRENCH })
}

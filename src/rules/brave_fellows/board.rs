//! 2 What is printed: the field, the charts, the counters, who commands whom.

use super::state::{BATTERY, Freed};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::Files;
use crate::rules::tactical::chart::Ladder;
use crate::rules::tactical::field::{Drawn, Field};
use crate::yaml;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The side that Mortier leads.
pub const FRENCH: &str = "french";
/// The side that Kutusov leads.
pub const COALITION: &str = "coalition";

/// 2.3.3 E The arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// Foot.
    Inf,
    /// Horse.
    Cav,
    /// Guns.
    Art,
}

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

/// DB.1 What is hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// Nothing that lies on the table.
    #[default]
    Open,
    /// What no own unit sees.
    Fog,
    /// Besides, what is far off has no face.
    Masked,
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
    /// Firepower.
    pub ff: i32,
    /// 2.3.3 H Firepower in red, which counts by 11.1 alone.
    pub ff_red: i32,
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
    #[serde(default)]
    ff_red: i32,
    mf: i32,
    ma: [i32; 2],
    #[serde(default)]
    howitzer: bool,
    #[serde(default)]
    black: bool,
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
    special: Special,
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
    column_markers: BTreeMap<String, Marker>,
    rear_guard_rows: (i16, i16),
    grand_battery: BTreeMap<Hex, Vec<Dir>>,
    lines: BTreeMap<String, Vec<(Hex, Hex)>>,
}

/// A column's number on the map, or the hexes in which it is set up.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Marker {
    One(Hex),
    Some(Vec<Hex>),
}

#[derive(Clone, Debug, Deserialize)]
struct Scenario {
    turns: (u32, u32),
    #[serde(default)]
    options: BTreeSet<Switch>,
    #[serde(default)]
    sight: Sight,
    /// Sides that the house leads.
    #[serde(default)]
    solo: BTreeSet<SideId>,
    /// What each side reads in its opening mail.
    #[serde(default)]
    briefings: BTreeMap<SideId, String>,
    /// Where what stands, instead of the set-up of the order of battle.
    #[serde(default)]
    setup: Option<BTreeMap<Hex, Vec<String>>>,
    /// Whether nobody sets up, and the first turn begins at once.
    #[serde(default)]
    ready: bool,
    /// What is free from the start.
    #[serde(default)]
    free: BTreeSet<Freed>,
    /// 10.2.4 What the Coalition needs.
    #[serde(default)]
    needs: Needs,
    /// House: whether nobody comes who is not set up.
    #[serde(default)]
    alone: bool,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// 2.1 The field.
    pub field: Field,
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
    /// 9.3.1 Places that the French control at the start.
    pub french_places: Vec<String>,
    /// 8.4 The Strong Point.
    pub strong_point: Hex,
    /// 6.6.1 The hexes by which a side leaves.
    pub entries: BTreeMap<SideId, Vec<Hex>>,
    /// First and last turn.
    pub turns: (u32, u32),
    /// 9.6.5, 11 What is played besides.
    pub switches: BTreeSet<Switch>,
    /// DB.1 What is hidden.
    pub sight: Sight,
    /// Whether nobody sets up.
    pub ready: bool,
    /// What is free from the start.
    pub free: BTreeSet<Freed>,
    /// 10.2.4 What the Coalition needs.
    pub needs: Needs,
    /// House: whether nobody comes who is not set up.
    pub alone: bool,
    /// 12.0 Sides that the house leads.
    pub solo: BTreeSet<SideId>,
    /// What each side reads in its opening mail.
    pub briefings: BTreeMap<SideId, String>,
    /// 9.1.2, 9.1.3, 9.2 The number of a column on the map, or its hexes.
    pub markers: BTreeMap<String, Vec<Hex>>,
    /// 9.2.7 Where Column VI stands.
    pub sixth: Hex,
    /// 9.2.5 The last row of the Rear Guard.
    pub rear_row: i16,
    /// 8.2.1, 8.2.3 Hexes of the Grand Battery, with the hexsides that carry guns.
    pub batteries: BTreeMap<Hex, Vec<Dir>>,
    /// 8.2.3 The firepower of each of those hexsides.
    pub battery_ff: i32,
    /// 9.5.1 Of each column of hexes the last row that lies north of the dark blue line.
    north: BTreeMap<i16, i16>,
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
            for counter in counters {
                for n in 1..=counter.count {
                    kinds.insert(format!("{}-{n}", counter.id), kind(side, counter));
                }
            }
        }
        for hex in extra.grand_battery.keys() {
            kinds.insert(format!("{BATTERY}-{hex}"), guns(order.special.grand_battery));
        }
        let chief = |command: &Command| {
            let [cv, ma] = *order.leaders.get(&command.leader)?;
            let Command { leader, side, rank, of, column } = command.clone();
            Some((leader, Chief { side, cv, ma, rank, of, column }))
        };
        let chiefs: BTreeMap<String, Chief> = order.commands.iter().filter_map(chief).collect();
        let whole = || order.french_setup.into_iter().chain(order.coalition_setup_default).collect();
        let setup: BTreeMap<Hex, Vec<String>> = scenario.setup.unwrap_or_else(whole);
        let setup: Vec<(Hex, String)> =
            setup.into_iter().flat_map(|(hex, names)| names.into_iter().map(move |name| (hex, name))).collect();
        if let Some((_, name)) = setup.iter().find(|(_, n)| !kinds.contains_key(n) && !chiefs.contains_key(n)) {
            return Err(vec![format!("the set-up names \"{name}\", which no order of battle has.")]);
        }
        let markers: BTreeMap<String, Vec<Hex>> = extra.column_markers.into_iter().map(hexes).collect();
        let sixth = markers.get("VI").and_then(|hexes| hexes.first()).copied();
        let sixth = sixth.ok_or_else(|| vec!["the map has no number of Column VI.".to_owned()])?;
        let mut board = Board {
            field,
            switches: scenario.options,
            sight: Sight::Open,
            ready: scenario.ready,
            free: scenario.free,
            needs: scenario.needs,
            alone: scenario.alone,
            solo: scenario.solo,
            briefings: scenario.briefings,
            markers,
            sixth,
            rear_row: extra.rear_guard_rows.1,
            batteries: extra.grand_battery,
            battery_ff: order.special.grand_battery.ff,
            north: northern(&extra.lines),
            kinds,
            dummies: BTreeSet::new(),
            succession: order.commands.iter().map(|command| command.leader.clone()).collect(),
            chiefs,
            setup,
            french_places: extra.french_control_at_start,
            strong_point: extra.strong_point,
            entries: [(FRENCH.into(), extra.board_entry.french), (COALITION.into(), extra.board_entry.coalition)]
                .into(),
            turns: scenario.turns,
            house,
        };
        board.hide(scenario.sight);
        Ok(board)
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

    /// 9.5.1 Whether a hex lies north of the dark blue line; west and east of it nothing does (T-19).
    pub fn north_of_line(&self, hex: Hex) -> bool {
        self.north.get(&hex.col).is_some_and(|row| hex.row <= *row)
    }

    /// 9.2.2, 9.6.3, 11.4-11.7 The dice with which a force comes in a turn; none where it is not rolled for.
    pub fn arrival(&self, force: Force, turn: u32) -> Option<[i32; 2]> {
        if self.alone || force.switch().is_some_and(|switch| !self.switches.contains(&switch)) {
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

/// 9.5.1 Of each column of hexes the last row that lies north of the dark blue line.
fn northern(lines: &BTreeMap<String, Vec<(Hex, Hex)>>) -> BTreeMap<i16, i16> {
    let mut north: BTreeMap<i16, i16> = BTreeMap::new();
    for (upper, _) in lines.get("dark_blue").into_iter().flatten() {
        let row = north.entry(upper.col).or_insert(upper.row);
        *row = upper.row.max(*row);
    }
    north
}

fn hexes((column, marker): (String, Marker)) -> (String, Vec<Hex>) {
    let hexes = match marker {
        Marker::One(hex) => vec![hex],
        Marker::Some(hexes) => hexes,
    };
    (column, hexes)
}

/// 8.2.4, 8.2.5 The guns of a Grand Battery hex: they fire by hexsides alone, and never tire.
fn guns(guns: Guns) -> Kind {
    Kind {
        side: COALITION.into(),
        regiment: BATTERY.to_owned(),
        formation: Vec::new(),
        arm: Arm::Art,
        fv: [guns.fv; 2],
        ff: 0,
        ff_red: 0,
        mf: guns.mf,
        ma: [0; 2],
        howitzer: false,
        black: false,
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
        ff_red: counter.ff_red,
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

//! 2.0 The charts that the book refers to and does not print: our own, as data.

use super::ground::{Bank, Class, Prices};
use super::pose::{Form, Part};
use super::state::Level;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// 4.2 What a Command Change allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grant {
    /// Nothing.
    None,
    /// One division LIM.
    One,
    /// Two division LIMs.
    Two,
    /// A corps LIM, or two of divisions.
    Corps,
}

/// 4.7 The seven results of a breakdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The results by their names.
pub enum Breakdown {
    Enemy,
    Stop,
    Retreat,
    Limited,
    Full,
    Charge,
    Reactivate,
}

/// 4.1.2 The column of a commander in the chart of Command Change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Quality {
    A,
    B,
    C,
    D,
}

/// A formation, that of horse by itself: rows of charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Array {
    Line,
    Column,
    Skirmish,
    Square,
    Disorder,
    CavLine,
    CavColumn,
    CavDisorder,
    Limbered,
    Unlimbered,
    Routed,
}

/// Numbers by formations; what is not named is nought.
pub type Rows = BTreeMap<Array, i32>;

/// 8.1.6 Sizes of guns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Gun {
    P3,
    P4,
    P6,
    P8,
    P12,
    How,
}

/// 8.4.1 Kinds of horse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Horse {
    Heavy,
    Dragoon,
    Light,
    Uhlan,
    Cossack,
}

fn yes() -> bool {
    true
}

/// What a kind of ground does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terrain {
    /// 5.0 What it costs.
    pub cost: Prices,
    /// 7.0 The most SP by formation.
    pub sp: Rows,
    /// 8.2.1, 8.3 Who is in it is assaulted.
    pub defensive: bool,
    /// 8.4.1 A charge may go over it.
    #[serde(default = "yes")]
    pub charge: bool,
    /// 8.1.7 It stops a line behind it.
    pub blocks: bool,
    /// 8.1.8 Columns by which it shifts a fire into it.
    pub fire: i32,
    /// 9.1 What it adds to a Morale Check.
    pub morale: i32,
    /// 8.2.1 What it adds to the check of who attacks into it.
    pub into: i32,
    /// 8.2.1 What it adds to the check of who is attacked in it.
    pub within: i32,
    /// 8.3.1 What it adds to the die of a melee.
    pub melee: i32,
    /// 5.2.1 Strategic movement needs a road.
    pub by_road: bool,
    /// 5.3.2 A road joins such hexes where they touch.
    pub joined: bool,
    /// 6.3 Formations that nobody takes or keeps there.
    pub forbids: BTreeSet<Form>,
}

/// What a hexside does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Edge {
    /// 5.0 What it adds.
    pub cost: Prices,
    /// 8.2.1, 8.3 Who is attacked across it is assaulted.
    pub defensive: bool,
    /// 8.4.1 A charge may cross it.
    #[serde(default = "yes")]
    pub charge: bool,
    /// 8.1.7 It stops a line.
    pub blocks: bool,
    /// 8.1.8
    pub fire: i32,
    /// 8.2.1
    pub into: i32,
    /// 8.3.1
    pub melee: i32,
    /// 5.2.1
    pub by_road: bool,
}

/// 6.1 What an About Face costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum About {
    /// Points.
    Points(i32),
    /// A part of the allowance.
    Part(Share),
}

/// A part of an allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Share {
    /// Half of it, fractions up.
    Half,
}

/// What a change of formation costs, by the one and the other.
pub type Changes = BTreeMap<Form, BTreeMap<Form, i32>>;

/// 6.3 Changes of formation by arms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Forms {
    pub infantry: Changes,
    pub cavalry: Changes,
    pub guns: Changes,
    pub horse_guns: Changes,
}

/// 6.2 How deep Reaction Zones are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Zones {
    pub infantry: u32,
    pub cavalry: u32,
    pub guns: u32,
    pub horse_guns_limbered: u32,
    pub leader: u32,
}

/// 8.1.6 The farthest hexes of each band.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Ranges {
    pub short: (u32, u32),
    pub medium: (u32, u32),
    pub long: (u32, u32),
}

/// 8.1.6 What each band adds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Adds {
    pub adjacent: i32,
    pub short: i32,
    pub medium: i32,
    pub long: i32,
}

/// 8.1.8, 8.5 What a fire, or a melee, does to who suffers it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blow {
    /// Nothing.
    #[default]
    None,
    /// 8.5.2 A Morale Check with so much more.
    Check(i32),
    /// 8.5.3 Melee continues.
    On,
    /// 8.5.1 So many SP.
    Loss(i32),
}

impl Blow {
    fn parse(text: &str) -> Option<Blow> {
        Some(match text {
            "-" => Blow::None,
            "C" => Blow::On,
            "M" => Blow::Check(0),
            _ => match text.strip_prefix("M+") {
                Some(more) => Blow::Check(more.parse().ok()?),
                None => Blow::Loss(text.parse().ok()?),
            },
        })
    }

    /// As it is written in a chart.
    pub fn word(self) -> String {
        match self {
            Blow::None => "-".to_owned(),
            Blow::On => "C".to_owned(),
            Blow::Check(0) => "M".to_owned(),
            Blow::Check(more) => format!("M+{more}"),
            Blow::Loss(sp) => sp.to_string(),
        }
    }
}

impl<'de> Deserialize<'de> for Blow {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Blow, D::Error> {
        let text = String::deserialize(from)?;
        Blow::parse(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("\"{text}\" is no result: -, M, M+1, C or SP")))
    }
}

impl Serialize for Blow {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.word())
    }
}

/// 8.1.8 Fire.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Fire {
    pub tenths: BTreeMap<Form, i32>,
    pub level: BTreeMap<Level, i32>,
    pub guns: BTreeMap<Gun, Ranges>,
    pub adds: Adds,
    pub defence: Rows,
    pub bands: Vec<i32>,
    pub facing: BTreeMap<Part, i32>,
    pub massed: i32,
    pub columns: Vec<Vec<Blow>>,
}

/// 9.1 Morale Checks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Morale {
    pub fails: Vec<(i32, i32)>,
    pub shaken: i32,
    pub unsteady: i32,
    pub rally_routed: i32,
    pub breakpoint: i32,
    pub strategic: i32,
    pub leader: i32,
    pub forms: Rows,
}

/// What a check that fails by so much does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Effect {
    /// From this much on.
    pub from: i32,
    /// It goes back one hex, horse two.
    pub back: bool,
    /// It is Disordered.
    pub disorder: bool,
    /// Levels lost.
    pub lose: i32,
}

/// What support is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Support {
    pub each: i32,
    pub most: i32,
    pub defender: i32,
}

/// What the checks before a melee do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Effects {
    pub attacker: Vec<Effect>,
    pub defender: Vec<Effect>,
    pub stand: Vec<Effect>,
    pub reaction: Vec<Effect>,
}

/// 8.2.1, 8.3.1, 8.4.2 The Pre-Melee Morale Check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PreMelee {
    pub shaken: i32,
    pub unsteady: i32,
    pub breakpoint: i32,
    pub strategic: i32,
    pub leader: i32,
    pub support: Support,
    pub attacker: Rows,
    pub on: BTreeMap<Part, i32>,
    pub defender: Rows,
    pub by: BTreeMap<Part, i32>,
    pub outnumbered: (i32, i32),
    pub cost: i32,
    pub results: Effects,
}

/// 8.4.2 Form Square in Reaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Square {
    pub shaken: i32,
    pub unsteady: i32,
    pub breakpoint: i32,
    pub leader: i32,
    pub forms: Rows,
    pub by: BTreeMap<Part, i32>,
    pub more_than_one: i32,
    pub reaction: i32,
    pub distance: Vec<i32>,
    pub results: Vec<Effect>,
}

/// 8.3.1 A row of the chart of melee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct MeleeRow {
    pub from: i32,
    pub attacker: Blow,
    pub defender: Blow,
}

/// 8.3.1, 8.4.2 Melee.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Melee {
    pub ratio: Vec<i32>,
    pub rows: Vec<MeleeRow>,
    pub overlap: i32,
    pub strategic: i32,
    pub by: BTreeMap<Part, i32>,
    pub attacker_shaken: i32,
    pub shaken: i32,
    pub unsteady: i32,
    pub assault: Rows,
    pub assaulted: Rows,
    pub charged: Rows,
}

/// 8.4.1, 8.4.2 Charges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Charge {
    pub range: BTreeMap<Horse, u32>,
    pub bonus: BTreeMap<Horse, i32>,
}

/// 8.4.2 Pursuit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Pursuit {
    pub rows: Vec<(i32, usize)>,
    pub kinds: BTreeMap<Horse, i32>,
    pub shaken: i32,
    pub tired: i32,
}

/// 13.3 What happens when a level is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Immediate {
    /// Good units are Shaken.
    Shaken,
    /// Each unit loses a level, and none below Unsteady.
    OneLevel,
}

/// 13.3 What a level of fatigue does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Weary {
    pub rally: i32,
    pub morale: i32,
    pub pre_melee: i32,
    pub square: i32,
    pub ma: i32,
    pub activation: i32,
    pub no_strategic: bool,
    pub immediate: Option<Immediate>,
}

/// 8.5.5 A leader who comes for one who falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct Rating {
    pub activation: i32,
    pub personality: u8,
    pub range: u32,
    pub modifier: i32,
    pub initiative: i32,
    pub quality: Option<Quality>,
}

/// 8.5.5 Who comes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Replacements {
    pub division: Vec<Rating>,
    pub corps: Vec<Rating>,
}

/// All charts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[allow(missing_docs)]
pub struct Charts {
    pub command_change: BTreeMap<Quality, Vec<Grant>>,
    pub command_breakdown: BTreeMap<u8, Vec<Breakdown>>,
    pub terrain: BTreeMap<String, Terrain>,
    pub road: Prices,
    pub sides: BTreeMap<Bank, Edge>,
    pub slopes: Vec<Bank>,
    pub facing: BTreeMap<Class, i32>,
    pub about_face: BTreeMap<Class, About>,
    pub slide: i32,
    pub reverse: i32,
    pub forms: Forms,
    pub disordered_ma: i32,
    pub leader_ma: i32,
    pub zones: Zones,
    pub fire: Fire,
    pub morale: Morale,
    pub pre_melee: PreMelee,
    pub square: Square,
    pub melee: Melee,
    pub charge: Charge,
    pub pursuit: Pursuit,
    pub fatigue: Vec<Weary>,
    pub replacements: Replacements,
}

/// A number of rows by formation; nought where it is not named.
pub fn row(rows: &Rows, array: Array) -> i32 {
    rows.get(&array).copied().unwrap_or_default()
}

/// A number by a part of a counter.
pub fn by_part(rows: &BTreeMap<Part, i32>, part: Part) -> i32 {
    rows.get(&part).copied().unwrap_or_default()
}

impl Charts {
    /// 9.1 The levels that a check loses that fails by so much.
    pub fn levels_lost(&self, by: i32) -> i32 {
        self.morale.fails.iter().rev().find(|(from, _)| by >= *from).map_or(0, |(_, levels)| *levels)
    }

    /// 13.3 What a level of fatigue does.
    pub fn weary(&self, level: i32) -> Weary {
        usize::try_from(level).ok().and_then(|level| self.fatigue.get(level)).copied().unwrap_or_default()
    }

    /// 8.1.8 The fire column of a value against a formation, with shifts.
    pub fn fire_column(&self, value: i32, target: Array, shift: i32) -> usize {
        let band = self.fire.bands.iter().filter(|least| value >= **least).count();
        let most = i32::try_from(self.fire.columns.len()).unwrap_or(i32::MAX);
        let band = i32::try_from(band).unwrap_or(1);
        let first = (band + row(&self.fire.defence, target) - 2).clamp(1, most);
        usize::try_from((first + shift).clamp(1, most)).unwrap_or(1)
    }

    /// 8.1.8 What a die comes to in a fire column.
    pub fn fire_result(&self, column: usize, die: i32) -> Blow {
        let row = self.fire.columns.get(column.saturating_sub(1));
        let cell = usize::try_from(die).ok().and_then(|die| row?.get(die));
        cell.copied().unwrap_or_default()
    }

    /// 8.3.1 The ratio of two strengths, and what it adds to the die of the attacker.
    pub fn ratio(&self, attack: i32, defence: i32) -> (String, i32) {
        let last = i32::try_from(self.melee.ratio.len()).unwrap_or(1) - 1;
        let (large, small) = (attack.max(defence).max(1), attack.min(defence));
        let times = if small <= 0 { last } else { (large / small).clamp(1, last) };
        let worth = usize::try_from(times).ok().and_then(|at| self.melee.ratio.get(at)).copied().unwrap_or_default();
        if attack >= defence { (format!("{times}:1"), worth) } else { (format!("1:{times}"), -worth) }
    }

    /// 8.3.1 What a modified die comes to in a melee: for the attacker, for the defender.
    pub fn melee_result(&self, roll: i32) -> (Blow, Blow) {
        let found = self.melee.rows.iter().rev().find(|row| roll >= row.from);
        found.map_or((Blow::None, Blow::None), |row| (row.attacker, row.defender))
    }

    /// 8.4.2 The hexes of a pursuit.
    pub fn pursuit_hexes(&self, roll: i32) -> usize {
        self.pursuit.rows.iter().rev().find(|(from, _)| roll >= *from).map_or(0, |(_, hexes)| *hexes)
    }
}

/// What a check that fails by so much does; nothing where it does not fail.
pub fn effect(rows: &[Effect], by: i32) -> Option<Effect> {
    rows.iter().rev().find(|row| by >= row.from).copied()
}

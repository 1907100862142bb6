//! March Attrition Table (¶263-270, 274).

use super::{Conditions, Weather};
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::tables::chart::{Chart, below, nearest, nth, rises, unbroken};
use crate::yaml::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A column of the March Attrition Table, from no supply to the best (¶74, 274).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum AttritionColumn {
    /// No APs, no line of communications, or bare country.
    #[serde(rename = "zero")]
    Zero,
    /// The first column above zero.
    I,
    /// The second.
    II,
    /// The third.
    III,
    /// The best.
    IV,
}

/// March Attrition Table: SP lost by supply, size, length of march and die (¶263-270).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarchAttrition {
    lines: Vec<(i32, i32)>,
    columns: BTreeMap<AttritionColumn, ColumnHead>,
    sizes: BTreeMap<AttritionColumn, Vec<i32>>,
    losses: BTreeMap<i32, Vec<i32>>,
    /// Lines of nationalities that march otherwise (¶264, 289).
    #[serde(default)]
    lines_of: BTreeMap<String, Vec<(i32, i32)>>,
    /// Lines and sizes of forces that are all cavalry (¶265).
    #[serde(default)]
    cavalry: Option<CavalryLines>,
    /// Losses in steps of a fifth of an SP, by row and size class (¶268).
    #[serde(default)]
    steps: BTreeMap<i32, Vec<i32>>,
    /// Die modifiers.
    pub modifiers: AttritionModifiers,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CavalryLines {
    lines: Vec<(i32, i32)>,
    sizes: Vec<i32>,
    /// Sizes of each column, where supply and forage tell with cavalry too (¶277); in all columns `sizes`, where left out.
    #[serde(default)]
    by_column: BTreeMap<AttritionColumn, Vec<i32>>,
}

/// Which lines of the table a force uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// Those of any force.
    #[default]
    Standard,
    /// Those of a nationality (¶264, 289).
    Of(String),
    /// Those of cavalry alone (¶265).
    Cavalry,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ColumnHead {
    ap: i32,
    /// The least forage total that opens it (¶274), where totals are summed.
    forage: Option<Decimal>,
    /// What a hex must yield to open it, where one hex counts alone (¶275).
    yields: Option<Forage>,
    label: String,
}

/// What a hex yields to who forages in it, in the words of the charts that do not sum hexes (¶275, 282, 292).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Forage {
    /// Nothing.
    None,
    /// The least.
    Poor,
    /// More.
    Fair,
    /// Still more.
    Good,
    /// The most.
    Rich,
}

impl Forage {
    /// All words, the worst first.
    const ALL: [Forage; 5] = [Forage::None, Forage::Poor, Forage::Fair, Forage::Good, Forage::Rich];

    /// The word as a report writes it.
    pub fn name(self) -> &'static str {
        match self {
            Forage::None => "none",
            Forage::Poor => "Poor",
            Forage::Fair => "Fair",
            Forage::Good => "Good",
            Forage::Rich => "Rich",
        }
    }
}

/// Die modifiers of the March Attrition Table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttritionModifiers {
    /// Rain (¶207).
    pub rain: i32,
    /// Mud (¶205).
    pub mud: i32,
    /// Each star of the force leader (¶267).
    pub star: i32,
    /// Each MP of a Forced March, rounded up (¶297).
    pub forced_march: i32,
    /// The most that a Forced March adds.
    pub forced_march_max: i32,
    /// Each extra MP of an Extended March (¶186).
    pub extended_march: i32,
    /// The most that an Extended March adds.
    pub extended_march_max: i32,
    /// Heat (¶206).
    #[serde(default)]
    pub heat: i32,
    /// Snow, to the French (¶210).
    #[serde(default)]
    pub snow_french: i32,
    /// Mud, to cavalry and to forces whose cavalry has marched the farthest (¶205).
    #[serde(default)]
    pub mud_cavalry: i32,
    /// What every Forced March adds, however short (¶297), where it is not counted by the MP.
    #[serde(default)]
    pub forced_march_flat: Option<i32>,
}

/// The greatest stack in SP (¶293), and so the greatest force that a property is asked of.
const STACK_MAX: i32 = 48;
/// ¶268 Steps of loss that make one SP.
pub const STEPS_PER_SP: i32 = 5;

impl AttritionColumn {
    /// All columns, the worst first.
    pub const ALL: [AttritionColumn; 5] =
        [AttritionColumn::Zero, AttritionColumn::I, AttritionColumn::II, AttritionColumn::III, AttritionColumn::IV];
}

impl MarchAttrition {
    /// ¶74 The column of a stock of Administrative Points.
    pub fn column_by_ap(&self, ap: i32) -> AttritionColumn {
        self.opened(|head| head.ap <= ap)
    }

    /// ¶274-276 The column of a forage total in tenths.
    pub fn column_by_forage(&self, tenths: i32) -> AttritionColumn {
        self.opened(|head| head.forage.is_some_and(|least| least.tenths <= tenths))
    }

    /// ¶274-275 The column of what one hex yields.
    pub fn column_by_yield(&self, found: Forage) -> AttritionColumn {
        self.opened(|head| head.yields.is_some_and(|least| least <= found))
    }

    /// ¶275 Whether its forage line is in words, for one hex alone, and not in totals.
    pub fn in_words(&self) -> bool {
        self.columns.values().all(|head| head.yields.is_some())
    }

    /// The heading of a column, such as `9+`.
    pub fn label(&self, column: AttritionColumn) -> &str {
        self.columns.get(&column).map_or("", |head| head.label.as_str())
    }

    /// ¶263-270 SP lost by a force of `sp` that marched so far, at a modified die; never more than `sp`.
    pub fn attrition(&self, column: AttritionColumn, sp: i32, march: Halves, die: i32) -> i32 {
        self.loss(&Pace::Standard, column, sp, march, die)
    }

    /// ¶263-270 The same, on the lines of a pace.
    pub fn loss(&self, pace: &Pace, column: AttritionColumn, sp: i32, march: Halves, die: i32) -> i32 {
        self.entry(&self.losses, pace, column, (sp, march, die)).min(sp).max(0)
    }

    /// ¶268 Fifths of an SP that a force loses; never more than it has.
    pub fn steps(&self, pace: &Pace, column: AttritionColumn, sp: i32, march: Halves, die: i32) -> i32 {
        self.entry(&self.steps, pace, column, (sp, march, die)).min(sp * STEPS_PER_SP).max(0)
    }

    fn entry(
        &self,
        rows: &BTreeMap<i32, Vec<i32>>,
        pace: &Pace,
        column: AttritionColumn,
        (sp, march, die): (i32, Halves, i32),
    ) -> i32 {
        let (lines, sizes) = match (pace, &self.cavalry) {
            (Pace::Cavalry, Some(chart)) => (&chart.lines, Some(chart.by_column.get(&column).unwrap_or(&chart.sizes))),
            (Pace::Of(nation), _) => (self.lines_of.get(nation).unwrap_or(&self.lines), self.sizes.get(&column)),
            (Pace::Standard | Pace::Cavalry, _) => (&self.lines, self.sizes.get(&column)),
        };
        let line = lines.iter().find(|(upto, _)| march <= Halves::whole(*upto)).or(lines.last());
        let row = die + line.map_or(0, |(_, offset)| *offset);
        let classes = sizes.map_or(&[][..], Vec::as_slice);
        let class = classes.iter().position(|&upper| sp <= upper).unwrap_or(classes.len());
        nearest(rows, row).map_or(0, |losses| nth(losses, class))
    }

    /// ¶264-265, 289 The lines for a force of a nationality; `riders` where it is all cavalry.
    pub fn pace(&self, nationality: &str, riders: bool) -> Pace {
        if riders && self.cavalry.is_some() {
            Pace::Cavalry
        } else if self.lines_of.contains_key(nationality) {
            Pace::Of(nationality.to_owned())
        } else {
            Pace::Standard
        }
    }

    /// ¶268 Whether losses are counted in fifths of an SP.
    pub fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// ¶205-207 What the weather adds to any force's die.
    pub fn weather(&self, weather: &Conditions) -> i32 {
        let add = |state, n| if weather.has(state) { n } else { 0 };
        add(Weather::Rain, self.modifiers.rain)
            + add(Weather::Mud, self.modifiers.mud)
            + add(Weather::Heat, self.modifiers.heat)
    }

    /// ¶297 What a Forced March of so many MP adds to the die.
    pub fn forced_march(&self, march: Halves) -> i32 {
        if let Some(flat) = self.modifiers.forced_march_flat {
            return flat;
        }
        (march.ceil() * self.modifiers.forced_march).min(self.modifiers.forced_march_max)
    }

    /// ¶186 What so many extra MP of an Extended March add to the die.
    pub fn extended_march(&self, extra: Halves) -> i32 {
        (extra.ceil() * self.modifiers.extended_march).min(self.modifiers.extended_march_max)
    }

    fn opened(&self, open: impl Fn(&ColumnHead) -> bool) -> AttritionColumn {
        let best = self.columns.iter().rev().find(|(_, head)| open(head)).map(|(column, _)| *column);
        best.unwrap_or(AttritionColumn::Zero)
    }
}

impl MarchAttrition {
    /// What is wrong with the lines and steps that not every title has.
    fn variant_faults(&self, width: usize) -> Vec<String> {
        let mut faults = Vec::new();
        let rising = |lines: &[(i32, i32)]| {
            let (uppers, offsets): (Vec<i32>, Vec<i32>) = lines.iter().copied().unzip();
            !lines.is_empty() && rises(&uppers) && rises(&offsets)
        };
        for (nation, _) in self.lines_of.iter().filter(|(_, lines)| !rising(lines)) {
            faults.push(format!("P-ATT-1: lines_of {nation} must rise in march and in offset"));
        }
        if let Some(chart) = &self.cavalry {
            if !rising(&chart.lines) || chart.sizes.len() != width || !rises(&chart.sizes) {
                faults.push(format!("P-ATT-1: cavalry must have rising lines and {width} rising sizes"));
            }
            let (columns, sound) = (&chart.by_column, |s: &Vec<i32>| s.len() == width && rises(s));
            let order: Vec<&Vec<i32>> = columns.values().collect();
            let better = order.iter().zip(order.iter().skip(1)).all(|(worse, better)| below(worse, better));
            let whole = columns.is_empty() || columns.len() == AttritionColumn::ALL.len();
            if !whole || !better || !columns.values().all(sound) {
                faults.push(format!(
                    "P-ATT-2: by_column must have {width} rising sizes for each, none below a worse one's"
                ));
            }
            let offset = |lines: &[(i32, i32)], mp: i32| lines.iter().find(|(upto, _)| mp <= *upto).map(|(_, o)| *o);
            if (0..=9).any(|mp| offset(&chart.lines, mp) > offset(&self.lines, mp)) {
                faults.push("P-ATT-7: cavalry must march no worse than other forces up to 9 MP".to_owned());
            }
        }
        let due = |(row, steps): (&i32, &Vec<i32>)| {
            let losses = self.losses.get(row).map_or(&[][..], Vec::as_slice);
            steps.len() == losses.len() && steps.iter().zip(losses).all(|(s, sp)| s / STEPS_PER_SP == *sp)
        };
        if self.has_steps() && (self.steps.len() != self.losses.len() || !self.steps.iter().all(due)) {
            faults.push("P-ATT-5: five steps must make the SP of losses, in every row and class".to_owned());
        }
        faults
    }
}

impl Chart for MarchAttrition {
    const NAME: &'static str = "march_attrition";

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let width = self.losses.values().next().map_or(0, Vec::len);
        let uppers: Vec<i32> = self.lines.iter().map(|l| l.0).collect();
        let offsets: Vec<i32> = self.lines.iter().map(|l| l.1).collect();
        if self.lines.is_empty() || !rises(&uppers) || !rises(&offsets) {
            faults.push("P-ATT-1: lines must rise in march and in offset".to_owned());
        }
        if !unbroken(&self.losses) || self.losses.values().any(|row| row.len() != width || !rises(row)) {
            faults.push("P-ATT-1: losses must have rows of one width that never fall to the right".to_owned());
        }
        let rows: Vec<&Vec<i32>> = self.losses.values().collect();
        if !rows.iter().zip(rows.iter().skip(1)).all(|(a, b)| below(a, b)) {
            faults.push("P-ATT-1: losses must never fall as the row rises".to_owned());
        }
        for column in AttritionColumn::ALL {
            let sizes = self.sizes.get(&column).map_or(&[][..], Vec::as_slice);
            if sizes.len() != width || !rises(sizes) {
                faults.push(format!("P-ATT-1: sizes of column {column:?} must be {width} rising bounds"));
            }
        }
        let sizes: Vec<&Vec<i32>> = self.sizes.values().collect();
        if !sizes.iter().zip(sizes.iter().skip(1)).all(|(worse, better)| below(worse, better)) {
            faults.push("P-ATT-2: a better column must never have a smaller size bound".to_owned());
        }
        let aps: Vec<i32> = self.columns.values().map(|c| c.ap).collect();
        let forage: Vec<i32> = self.columns.values().filter_map(|c| c.forage).map(|f| f.tenths).collect();
        let words: Vec<Forage> = self.columns.values().filter_map(|c| c.yields).collect();
        let whole = |n: usize| n == AttritionColumn::ALL.len();
        let by_total = words.is_empty() && whole(forage.len()) && forage.first() == Some(&0) && rises(&forage);
        let by_word = forage.is_empty() && words == Forage::ALL;
        if !whole(aps.len()) || aps.first() != Some(&0) || !rises(&aps) || !(by_total || by_word) {
            faults.push("P-ATT-6: columns must open at 0 and rise from zero to IV".to_owned());
        }
        let still = |die| self.attrition(AttritionColumn::IV, STACK_MAX, Halves(0), die) == 0;
        if !(1..=6).all(still) {
            faults.push("P-ATT-4: who does not move in column IV must lose nothing".to_owned());
        }
        faults.extend(self.variant_faults(width));
        faults
    }
}

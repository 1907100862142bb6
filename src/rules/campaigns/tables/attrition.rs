//! March Attrition Table (¶263-270, 274).

use super::{Chart, Conditions, Weather, below, nearest, nth, rises, unbroken};
use crate::rules::campaigns::board::Halves;
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
    /// Die modifiers.
    pub modifiers: AttritionModifiers,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ColumnHead {
    ap: i32,
    forage: Decimal,
    label: String,
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
}

/// The greatest stack in SP (¶293), and so the greatest force that a property is asked of.
const STACK_MAX: i32 = 48;

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
        self.opened(|head| head.forage.tenths <= tenths)
    }

    /// The heading of a column, such as `9+`.
    pub fn label(&self, column: AttritionColumn) -> &str {
        self.columns.get(&column).map_or("", |head| head.label.as_str())
    }

    /// ¶263-270 SP lost by a force of `sp` that marched so far, at a modified die; never more than `sp`.
    pub fn attrition(&self, column: AttritionColumn, sp: i32, march: Halves, die: i32) -> i32 {
        let line = self.lines.iter().find(|(upto, _)| march <= Halves::whole(*upto)).or(self.lines.last());
        let row = die + line.map_or(0, |(_, offset)| *offset);
        let classes = self.sizes.get(&column).map_or(&[][..], Vec::as_slice);
        let class = classes.iter().position(|&upper| sp <= upper).unwrap_or(classes.len());
        let loss = nearest(&self.losses, row).map_or(0, |losses| nth(losses, class));
        loss.min(sp).max(0)
    }

    /// ¶205-207 What the weather adds to the die (1805).
    pub fn weather(&self, weather: &Conditions) -> i32 {
        let add = |state, n| if weather.has(state) { n } else { 0 };
        add(Weather::Rain, self.modifiers.rain) + add(Weather::Mud, self.modifiers.mud)
    }

    /// ¶297 What a Forced March of so many MP adds to the die.
    pub fn forced_march(&self, march: Halves) -> i32 {
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
        let forage: Vec<i32> = self.columns.values().map(|c| c.forage.tenths).collect();
        let whole = aps.len() == AttritionColumn::ALL.len() && aps.first() == Some(&0) && forage.first() == Some(&0);
        if !whole || !rises(&aps) || !rises(&forage) {
            faults.push("P-ATT-6: columns must open at 0 and rise from zero to IV".to_owned());
        }
        let still = |die| self.attrition(AttritionColumn::IV, STACK_MAX, Halves(0), die) == 0;
        if !(1..=6).all(still) {
            faults.push("P-ATT-4: who does not move in column IV must lose nothing".to_owned());
        }
        faults
    }
}

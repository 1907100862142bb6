//! Morale Track (¶395-396, 411-412) and citadels (¶289, 413).

use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::ArmyId;
use crate::rules::campaigns::tables::chart::Chart;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Morale Track: its ends, and what moves the marker (¶395-396, 412). Plus favours the French, or its own side (¶5).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoraleTrack {
    track: (i32, i32),
    /// Where the marker starts.
    pub start: i32,
    /// SP lost by the loser above which a battle can be critical (¶395).
    pub critical_over: i32,
    /// Span that makes a major personality, in whole points (¶396).
    pub major_span: i32,
    /// What a space of the track adds to the attrition die of a side or army (¶267); nothing where it is left out.
    #[serde(default)]
    attrition: BTreeMap<String, BTreeMap<i32, i32>>,
    /// Columns of the AP Pool by which a space of the track worsens the income of a side (¶96).
    #[serde(default)]
    ap_columns: BTreeMap<String, BTreeMap<i32, i32>>,
    /// Where each side has a track of its own (¶5), its name by side; plus favours that side, and spaces are its own.
    #[serde(default)]
    per_side: BTreeMap<String, String>,
}

/// Citadels: attrition of the besieged, and surrender (¶289, 413).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Citadels {
    attrition_start: i32,
    plus_one_on: Vec<String>,
    /// SP besieged at or below which a citadel surrenders (¶413).
    pub surrender_at_or_below: i32,
    /// Whether the modifier rises at the start of each Fortnight too (¶289).
    #[serde(default)]
    each_fortnight: bool,
    /// Months from that of a surrender to that in which its leaders are free again, by the sum of two dice (¶414); free at
    /// once, where it is left out.
    #[serde(default)]
    honours: BTreeMap<u32, u32>,
    /// Places that have values of their own (¶216, 289, 413).
    #[serde(default)]
    places: BTreeMap<String, CitadelPlace>,
}

/// What one place has of its own.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CitadelPlace {
    attrition_start: Option<i32>,
    surrender_at_or_below: Option<i32>,
    stack_sp: Option<i32>,
}

impl MoraleTrack {
    /// ¶412 The end of the track on either side of 0.
    pub fn limit(&self) -> i32 {
        self.track.1.min(-self.track.0)
    }

    /// ¶267 What the present space adds to the attrition die of an army, or of its side.
    pub fn attrition(&self, side: &SideId, army: Option<&ArmyId>, level: i32) -> i32 {
        let said = army.and_then(|army| self.attrition.get(&army.0)).or_else(|| self.attrition.get(&side.0));
        said.and_then(|spaces| spaces.get(&level)).copied().unwrap_or(0)
    }

    /// ¶96 Columns by which the present space worsens a side's income; below 0 it betters it.
    pub fn ap_columns(&self, side: &SideId, level: i32) -> i32 {
        self.ap_columns.get(&side.0).and_then(|spaces| spaces.get(&level)).copied().unwrap_or(0)
    }

    /// ¶5 The name of a side's own track, where each has one.
    pub fn named(&self, side: &SideId) -> Option<&str> {
        self.per_side.get(&side.0).map(String::as_str)
    }

    /// ¶5 The sides that have a track of their own: all, or none.
    pub fn tracks(&self) -> impl Iterator<Item = SideId> + '_ {
        self.per_side.keys().cloned().map(SideId)
    }

    /// ¶8, 412 Whether a marker on its own track has come to the end at which its side gives up.
    pub fn broken(&self, level: i32) -> bool {
        level <= self.track.0
    }

    /// ¶5 Whether a marker on its own track can rise no more.
    pub fn highest(&self, level: i32) -> bool {
        level >= self.track.1
    }

    /// ¶411 The marker moved by some spaces; it stays at the end of its track.
    pub fn moved(&self, from: i32, by: i32) -> i32 {
        (from + by).clamp(self.track.0, self.track.1.max(self.track.0))
    }
}

impl Citadels {
    /// ¶289 The attrition modifier of a citadel besieged since the start of the game, on a turn of the calendar.
    pub fn attrition(&self, calendar: &BTreeMap<u32, String>, turn: u32) -> i32 {
        let passed = |date: &&String| calendar.range(..=turn).any(|(_, known)| known == *date);
        self.attrition_start + i32::try_from(self.plus_one_on.iter().filter(passed).count()).unwrap_or(0)
    }

    /// ¶289-290 The modifier of a citadel at first and after revictualling, before it rises.
    pub fn start_at(&self, hex: Hex) -> i32 {
        self.place(hex).and_then(|p| p.attrition_start).unwrap_or(self.attrition_start)
    }

    /// ¶413 SP besieged at or below which a place surrenders.
    pub fn surrenders_at(&self, hex: Hex) -> i32 {
        self.place(hex).and_then(|p| p.surrender_at_or_below).unwrap_or(self.surrender_at_or_below)
    }

    /// ¶414 Whether two dice name the month in which leaders who have surrendered are free again.
    pub fn by_month(&self) -> bool {
        !self.honours.is_empty()
    }

    /// ¶414 Months until then, by the sum of the dice.
    pub fn honours(&self, dice: u32) -> u32 {
        self.honours.get(&dice).copied().unwrap_or(0)
    }

    /// ¶216 The greatest stack of a place, where it has one of its own.
    pub fn stack_at(&self, hex: Hex) -> Option<i32> {
        self.place(hex).and_then(|p| p.stack_sp)
    }

    fn place(&self, hex: Hex) -> Option<&CitadelPlace> {
        if self.places.is_empty() { None } else { self.places.get(&hex.to_string()) }
    }

    /// ¶289 Whether the modifier rises with each Fortnight.
    pub fn by_fortnight(&self) -> bool {
        self.each_fortnight
    }

    /// ¶289 Whether the modifier rises by one on a turn of the calendar.
    pub fn rises_on(&self, calendar: &BTreeMap<u32, String>, turn: u32) -> bool {
        calendar.get(&turn).is_some_and(|date| self.plus_one_on.contains(date))
    }
}

impl Chart for MoraleTrack {
    const NAME: &'static str = "morale";

    fn faults(&self) -> Vec<String> {
        let (low, high) = self.track;
        let mut faults = Vec::new();
        if low >= 0 || high <= 0 || !(low..=high).contains(&self.start) {
            faults.push("P-TRK-4: the track must run from below 0 to above it, and hold its start".to_owned());
        }
        if self.critical_over < 0 || self.major_span <= 0 {
            faults.push("critical_over and major_span must not be negative (¶395-396)".to_owned());
        }
        if self.per_side.values().any(|name| name.trim().is_empty()) {
            faults.push("per_side: a track has no name (¶5)".to_owned());
        }
        let spaces = self.attrition.values().chain(self.ap_columns.values()).flat_map(BTreeMap::keys);
        if let Some(space) = spaces.into_iter().find(|space| !(low..=high).contains(*space)) {
            faults.push(format!("space {space} is not on the track (¶96, 267)"));
        }
        faults
    }
}

impl Chart for Citadels {
    const NAME: &'static str = "citadels";

    fn faults(&self) -> Vec<String> {
        let sound = self.surrender_at_or_below >= 0;
        if let Some(name) = self.places.keys().find(|name| Hex::parse(name).is_none()) {
            return vec![format!("places: \"{name}\" is not a hex")];
        }
        let sums: Vec<u32> = self.honours.keys().copied().collect();
        if self.by_month() && sums != (2..=12).collect::<Vec<u32>>() {
            return vec!["honours must name every sum of two dice, 2 to 12 (¶414)".to_owned()];
        }
        if sound { Vec::new() } else { vec!["surrender_at_or_below must not be negative (¶413)".to_owned()] }
    }
}

//! Morale Track (¶395-396, 411-412) and citadels (¶289, 413).

use super::Chart;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Morale Track: its ends, and what moves the marker (¶395-396, 412). Plus favours the French.
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
}

/// Citadels: attrition of the besieged, and surrender (¶289, 413).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Citadels {
    attrition_start: i32,
    plus_one_on: Vec<String>,
    /// SP besieged at or below which a citadel surrenders (¶413).
    pub surrender_at_or_below: i32,
}

impl MoraleTrack {
    /// ¶412 The end of the track on either side of 0.
    pub fn limit(&self) -> i32 {
        self.track.1.min(-self.track.0)
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

    /// ¶290 The modifier after revictualling, before it rises again.
    pub fn attrition_start(&self) -> i32 {
        self.attrition_start
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
        faults
    }
}

impl Chart for Citadels {
    const NAME: &'static str = "citadels";

    fn faults(&self) -> Vec<String> {
        let sound = self.surrender_at_or_below >= 0;
        if sound { Vec::new() } else { vec!["surrender_at_or_below must not be negative (¶413)".to_owned()] }
    }
}

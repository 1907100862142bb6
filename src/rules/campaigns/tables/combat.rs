//! Combat Results Table (¶350-354).

use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::tables::chart::{Chart, unbroken};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Combat Results Table: one die, odds, and affecting terrain give a loser and two numbers (¶350-354).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CombatResults {
    die: DieLimits,
    ladder: Vec<String>,
    clear: Vec<u32>,
    affecting: Vec<u32>,
    /// Die modifiers that the table's notes give.
    pub modifiers: CombatModifiers,
    cells: BTreeMap<i32, Vec<CrtResult>>,
}

/// Die modifiers of the Combat Results Table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CombatModifiers {
    /// Snow (¶345).
    pub snow: i32,
    /// French Guard committed (¶363).
    pub staked_guard: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DieLimits {
    min: i32,
    max: i32,
}

/// One result: a number for each side, and which of the two is bold (¶300 step 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub struct CrtResult {
    /// Whether the attacker is the loser.
    pub attacker_loses: bool,
    /// The attacker's number.
    pub attacker: i32,
    /// The defender's number.
    pub defender: i32,
    /// Points of the defender's number that 1807 Mud removes (¶344).
    pub asterisks: i32,
}

/// Odds located on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// As players say them, after shifts, such as `2-1` or `7-1`.
    pub label: String,
    /// The physical column, from 0.
    pub column: usize,
    /// What ratios beyond the chart add to the die (¶351).
    pub die: i32,
}

/// Odds beyond this many to one change nothing more.
const RATIO_MAX: i32 = 20;

impl CombatResults {
    /// ¶350-353 Locates odds; strengths in halves, `shift` columns to the right (negative: left).
    pub fn odds(&self, attacker: Halves, defender: Halves, shift: i32, affecting: bool) -> Odds {
        let step = ladder_step(attacker, defender) + shift;
        let (low, high) = self.ends();
        let column = self.column(step.clamp(low, high), affecting);
        Odds { label: step_label(step), column, die: (low - step).max(0) - (step - high).max(0) }
    }

    /// ¶351 The result of odds at a modified die; the die is limited last.
    pub fn result(&self, odds: &Odds, die: i32) -> CrtResult {
        let row = (die + odds.die).clamp(self.die.min, self.die.max);
        let none = CrtResult { attacker_loses: true, attacker: 0, defender: 0, asterisks: 0 };
        self.cells.get(&row).and_then(|cells| cells.get(odds.column)).copied().unwrap_or(none)
    }

    /// ¶350-354 Odds and result in one.
    pub fn crt(&self, attacker: Halves, defender: Halves, shift: i32, affecting: bool, die: i32) -> CrtResult {
        self.result(&self.odds(attacker, defender, shift, affecting), die)
    }

    /// ¶350 Odds as players say them; fractions favour the defender.
    pub fn odds_label(&self, attacker: Halves, defender: Halves, shift: i32) -> String {
        step_label(ladder_step(attacker, defender) + shift)
    }

    /// Steps of the first and last ratio of the ladder, 1-1 being 0.
    fn ends(&self) -> (i32, i32) {
        let even = self.ladder.iter().position(|r| r == "1-1").unwrap_or(0);
        let (even, count) = (i32::try_from(even).unwrap_or(0), i32::try_from(self.ladder.len()).unwrap_or(1));
        (-even, count - 1 - even)
    }

    fn column(&self, step: i32, affecting: bool) -> usize {
        let line = if affecting { &self.affecting } else { &self.clear };
        let place = usize::try_from(step - self.ends().0).unwrap_or(0);
        line.get(place).and_then(|&c| usize::try_from(c).ok()).unwrap_or(0)
    }

    fn complete(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let (low, high) = self.ends();
        let due: Vec<String> = (low..=high).map(step_label).collect();
        if self.ladder.is_empty() || self.ladder != due {
            faults.push("P-CRT-1: the ladder must run from 1-n by single steps over 1-1 to n-1".to_owned());
        }
        let width = self.cells.values().next().map_or(0, Vec::len);
        for (name, line) in [("clear", &self.clear), ("affecting", &self.affecting)] {
            let inside = line.iter().all(|&c| usize::try_from(c).is_ok_and(|c| c < width));
            if line.len() != self.ladder.len() || !inside {
                faults.push(format!("P-CRT-1: {name} must give a column for each ratio of the ladder"));
            }
        }
        let rows: Vec<i32> = self.cells.keys().copied().collect();
        if !unbroken(&self.cells) || rows.first() != Some(&self.die.min) || rows.last() != Some(&self.die.max) {
            faults.push("P-CRT-1: cells must have one row for each die of the limits".to_owned());
        }
        for (die, row) in &self.cells {
            if row.len() != width {
                faults.push(format!("P-CRT-1: the row of die {die} must have {width} cells"));
            }
        }
        faults
    }

    fn shape(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let step = |(c, a): (&u32, &u32)| *c == a + 1;
        if !self.clear.iter().zip(&self.affecting).all(step) {
            faults.push("P-CRT-5: each affecting column must be one left of the clear one".to_owned());
        }
        for (die, row) in &self.cells {
            for (column, cell) in row.iter().enumerate() {
                if cell.loser() < cell.winner().max(1) {
                    faults.push(format!("P-CRT-2: die {die}, column {column}: the loser's number is too small"));
                }
                let lower = self.cells.get(&(die + 1)).and_then(|r| r.get(column));
                if row.get(column + 1).is_some_and(|right| !cell.no_better_than(right)) {
                    faults.push(format!("P-CRT-3: die {die}, column {column}: the next column is worse"));
                }
                if lower.is_some_and(|worse| !worse.no_better_than(cell)) {
                    faults.push(format!("P-CRT-4: die {die}, column {column}: the next higher die is better"));
                }
                if cell.asterisks > 0 && (cell.attacker_loses || cell.defender - cell.asterisks < cell.attacker) {
                    faults.push(format!("P-CRT-8: die {die}, column {column}: asterisks turn the result"));
                }
            }
        }
        faults
    }
}

impl Chart for CombatResults {
    const NAME: &'static str = "combat_results";

    fn faults(&self) -> Vec<String> {
        let faults = self.complete();
        if faults.is_empty() { self.shape() } else { faults }
    }
}

impl CrtResult {
    /// The bold number.
    pub fn loser(&self) -> i32 {
        if self.attacker_loses { self.attacker } else { self.defender }
    }

    /// The other number.
    pub fn winner(&self) -> i32 {
        if self.attacker_loses { self.defender } else { self.attacker }
    }

    /// Whether the attacker would rather have the other, or as soon, in all three senses.
    fn no_better_than(&self, other: &CrtResult) -> bool {
        let steady = other.attacker <= self.attacker && other.defender >= self.defender;
        steady && (self.attacker_loses || !other.attacker_loses)
    }
}

impl TryFrom<String> for CrtResult {
    type Error = String;

    fn try_from(text: String) -> Result<CrtResult, String> {
        let wrong = || format!("\"{text}\" is not a result such as \"A3/2\" or \"2/D4*\"");
        let (left, right) = text.split_once('/').ok_or_else(wrong)?;
        let plain = right.trim_end_matches('*');
        let asterisks = i32::try_from(right.len() - plain.len()).map_err(|_| wrong())?;
        let (attacker_loses, attacker, defender) = match (left.strip_prefix('A'), plain.strip_prefix('D')) {
            (Some(attacker), None) => (true, attacker, plain),
            (None, Some(defender)) => (false, left, defender),
            _ => return Err(wrong()),
        };
        let number = |s: &str| s.parse::<u8>().map(i32::from).map_err(|_| wrong());
        Ok(CrtResult { attacker_loses, attacker: number(attacker)?, defender: number(defender)?, asterisks })
    }
}

/// Steps from 1-1: 2-1 is 1, 1-2 is -1. Fractions favour the defender (¶350).
fn ladder_step(attacker: Halves, defender: Halves) -> i32 {
    let (a, d) = (attacker.0.max(0), defender.0.max(0));
    let step = match (a, d) {
        (_, 0) => RATIO_MAX,
        (0, _) => -RATIO_MAX,
        _ if a >= d => a / d - 1,
        _ => 1 - (d + a - 1) / a,
    };
    step.clamp(1 - RATIO_MAX, RATIO_MAX - 1)
}

fn step_label(step: i32) -> String {
    if step < 0 { format!("1-{}", 1 - step) } else { format!("{}-1", step + 1) }
}

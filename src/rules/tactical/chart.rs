//! Charts with columns whose cells lie on one ladder: each column to the right begins so many rungs higher.

use serde::Deserialize;

/// Results from the worst to the best, and the columns that look them up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Ladder {
    /// The columns as they are printed, from the left.
    pub columns: Vec<String>,
    /// The results, from the lowest roll upward.
    pub ladder: Vec<String>,
}

impl Ladder {
    /// The column so many to the right; none to the left of the first, the last beyond the last.
    pub fn shifted(&self, column: usize, by: i32) -> Option<usize> {
        let to = i32::try_from(column).ok()?.checked_add(by)?;
        let last = self.columns.len().checked_sub(1)?;
        usize::try_from(to).ok().map(|to| to.min(last))
    }

    /// What a modified roll comes to in a column.
    pub fn result(&self, column: usize, roll: i32) -> &str {
        let rung = roll + 2 * i32::try_from(column).unwrap_or(i32::MAX / 4) - 1;
        let last = i32::try_from(self.ladder.len()).unwrap_or(i32::MAX);
        let at = usize::try_from(rung.clamp(1, last.max(1)) - 1).unwrap_or_default();
        self.ladder.get(at).map_or("-", String::as_str)
    }
}

/// The column of ratios in which an attack stands, rounded for the defender; ratios are `(attacker, defender)`, from the
/// worst upward. What is worse than the first stands in the first; nobody to defend is the last.
pub fn odds(ratios: &[(i32, i32)], attack: i32, defence: i32) -> usize {
    let reached = |(a, d): &(i32, i32)| i64::from(attack) * i64::from(*d) >= i64::from(defence) * i64::from(*a);
    ratios.iter().rposition(reached).unwrap_or_default()
}

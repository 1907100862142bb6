//! What all charts answer, and how their rows are searched.

use crate::rules::campaigns::board::Halves;
use crate::yaml::Decimal;
use std::collections::BTreeMap;

/// A chart that knows its own properties.
pub trait Chart {
    /// The name in its file, such as `combat_results`.
    const NAME: &'static str;

    /// What the chart lacks or breaks, each with the property's id.
    fn faults(&self) -> Vec<String>;
}

/// Whether every entry of `low` is at most the entry of `high` in its place, and both are of one length.
pub(super) fn below(low: &[i32], high: &[i32]) -> bool {
    low.len() == high.len() && low.iter().zip(high).all(|(l, h)| l <= h)
}

/// The row of a key; keys beyond the ends read as the ends.
pub(super) fn nearest<V>(rows: &BTreeMap<i32, V>, key: i32) -> Option<&V> {
    let (first, last) = (*rows.keys().next()?, *rows.keys().next_back()?);
    rows.range(..=key.clamp(first, last)).next_back().map(|(_, v)| v)
}

/// The entry at a place, or the last one.
pub(super) fn nth(row: &[i32], place: usize) -> i32 {
    nth_of(row, place).copied().unwrap_or(0)
}

/// Whether no entry is below the one before it.
pub(super) fn rises(row: &[i32]) -> bool {
    row.windows(2).all(|w| w.first() <= w.last())
}

/// Whether the keys run on without a gap.
pub(super) fn unbroken<V>(rows: &BTreeMap<i32, V>) -> bool {
    !rows.is_empty() && rows.keys().zip(rows.keys().skip(1)).all(|(a, b)| a + 1 == *b)
}

/// Whether no entry is above the one before it.
pub(super) fn falls(row: &[i32]) -> bool {
    row.windows(2).all(|w| w.first() >= w.last())
}

/// The entry at a place, or the last one.
pub(super) fn nth_of<T>(row: &[T], place: usize) -> Option<&T> {
    row.get(place).or(row.last())
}

/// A decimal of a chart in halves; charts are checked to hold no finer steps.
pub(super) fn halves(d: Decimal) -> Halves {
    Halves(d.tenths / 5)
}

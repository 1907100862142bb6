//! Fractions that are only compared.

use std::cmp::Ordering;

/// A fraction that is not negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// What is divided.
    pub over: u128,
    /// What it is divided by; a division by nothing is larger than any number.
    pub under: u128,
}

impl Part {
    pub(super) const NONE: Part = Part { over: 0, under: 1 };
    pub(super) const WHOLE: Part = Part { over: 1, under: 1 };

    /// One number over another, neither of which is negative.
    pub(super) fn of(over: i128, under: i128) -> Part {
        Part { over: over.unsigned_abs(), under: under.unsigned_abs() }
    }
}

/// The product of two numbers: its upper and its lower half.
fn product(a: u128, b: u128) -> (u128, u128) {
    let halves = |n: u128| (n >> 64, n & u128::from(u64::MAX));
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    if a_high == 0 && b_high == 0 {
        return (0, a_low * b_low);
    }
    let (low, one, two) = (a_low * b_low, a_high * b_low, a_low * b_high);
    let middle = (low >> 64) + (one & u128::from(u64::MAX)) + (two & u128::from(u64::MAX));
    let high = a_high * b_high + (one >> 64) + (two >> 64) + (middle >> 64);
    (high, middle << 64 | (low & u128::from(u64::MAX)))
}

impl Ord for Part {
    /// By cross products, which take twice the room.
    fn cmp(&self, other: &Part) -> Ordering {
        match (self.under, other.under) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Greater,
            (_, 0) => Ordering::Less,
            _ => product(self.over, other.under).cmp(&product(other.over, self.under)),
        }
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Part) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

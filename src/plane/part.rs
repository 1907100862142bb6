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

impl Ord for Part {
    /// By cross products where they fit; else whole part by whole part.
    fn cmp(&self, other: &Part) -> Ordering {
        let sides = (self.over.checked_mul(other.under), other.over.checked_mul(self.under));
        if let ((Some(one), Some(two)), true) = (sides, self.under > 0 && other.under > 0) {
            return one.cmp(&two);
        }
        let (mut a, mut b) = (*self, *other);
        let mut swapped = false;
        loop {
            let whole = |p: Part| p.over.checked_div(p.under);
            let turned = |p: Part| Part { over: p.under, under: p.over.checked_rem(p.under).unwrap_or(0) };
            let order = match (whole(a), whole(b)) {
                (None, None) => return Ordering::Equal,
                (None, _) => Ordering::Greater,
                (_, None) => Ordering::Less,
                (Some(x), Some(y)) => x.cmp(&y),
            };
            if order != Ordering::Equal {
                return if swapped { order.reverse() } else { order };
            }
            (a, b) = (turned(a), turned(b));
            swapped = !swapped;
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

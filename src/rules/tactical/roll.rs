//! Labels of rolls: names that lie open, and who may see a roll where something on the table is hidden.

use super::table::{Table, veiled};
use crate::dice::{Label, OpenName};
use crate::fog::SideId;
use crate::orders::fold;

/// A piece or a command in the label of a roll: both sides know its name.
pub struct Named<'a>(pub &'a str);

impl OpenName for Named<'_> {
    fn open_name(&self) -> String {
        fold(self.0)
    }
}

/// DB.5, DB.6, H.7 A roll that concerns one side alone is in its own scope where anything is hidden; one that concerns no side
/// alone is public.
pub fn of_side(s: &impl Table, purpose: &'static str, side: Option<&SideId>) -> Label {
    side.filter(|_| veiled(s)).map_or_else(|| Label::public(purpose), |side| Label::of_side(purpose, side))
}

/// DB.6, H.7 A roll that neither side may see where anything is hidden.
pub fn of_nobody(s: &impl Table, purpose: &'static str) -> Label {
    if veiled(s) { Label::hidden(purpose) } else { Label::public(purpose) }
}

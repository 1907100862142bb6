//! 2.0 What all chapters roll with, and the names in the labels of rolls.

use super::GreatBattles;
use crate::dice::{Label, OpenName};
use crate::rules::cx::Cx;

/// The driver of this ruleset.
pub(super) type Hand<'a> = Cx<'a, GreatBattles>;

/// A piece or a command in the label of a roll: counters lie open, so both sides know their names.
pub(super) struct Named<'a>(pub &'a str);

impl OpenName for Named<'_> {
    fn open_name(&self) -> String {
        crate::orders::fold(self.0)
    }
}

/// 2.0 One die, from 0 to 9: the tenth face is nought.
pub(super) fn die(cx: &mut Hand<'_>, purpose: &'static str, of: &str) -> i32 {
    let dice = cx.roll(&Label::public(purpose).at(&Named(of)), 1, 10);
    dice.first().copied().and_then(|die| i32::try_from(die % 10).ok()).unwrap_or_default()
}

/// One of so many, counted from nought.
pub(super) fn one_of(cx: &mut Hand<'_>, purpose: &'static str, many: usize) -> usize {
    let sides = u32::try_from(many).unwrap_or(1).max(1);
    let dice = cx.roll(&Label::public(purpose), 1, sides);
    dice.first().and_then(|die| usize::try_from(*die).ok()).unwrap_or(1).saturating_sub(1)
}

//! 2.0 What all chapters roll with: the dice by what they are for, who may see them, and the names in their labels.

use super::GreatBattles;
use crate::dice::Label;
use crate::fog::SideId;
use crate::rules::cx::Cx;
use crate::rules::tactical::roll;
pub(super) use crate::rules::tactical::roll::Named;
use crate::rules::tactical::sum::Sum;

/// The driver of this ruleset.
pub(super) type Hand<'a> = Cx<'a, GreatBattles>;

/// What a die is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Die {
    /// 4.5.1
    Activation,
    /// 4.7
    Breakdown,
    /// 4.2
    CommandChange,
    /// 4.4
    Initiative,
    /// 5.1.1
    Disorder,
    /// 8.1.8
    Fire,
    /// 8.3.1, 8.4.2
    Melee,
    /// 9.1
    Morale,
    /// 8.2.1
    PreMelee,
    /// 8.4.2
    Square,
    /// 8.4.2
    Pursuit,
    /// 8.5.4
    DoubleRetreat,
    /// 8.5.5
    Leader,
    /// 12.1
    Rally,
}

impl Die {
    fn word(self) -> &'static str {
        match self {
            Die::Activation => "activation",
            Die::Breakdown => "breakdown",
            Die::CommandChange => "command_change",
            Die::Initiative => "initiative",
            Die::Disorder => "disorder",
            Die::Fire => "fire",
            Die::Melee => "melee",
            Die::Morale => "morale",
            Die::PreMelee => "pre_melee",
            Die::Square => "square",
            Die::Pursuit => "pursuit",
            Die::DoubleRetreat => "double_retreat",
            Die::Leader => "leader",
            Die::Rally => "rally",
        }
    }

    /// H.7 Whether both sides see it in double-blind play: both stand in a fire or in a melee.
    fn is_open(self) -> bool {
        matches!(self, Die::Initiative | Die::Fire | Die::Melee | Die::DoubleRetreat)
    }
}

/// The side whose piece or command it is.
fn owner(cx: &Hand<'_>, of: &str) -> Option<SideId> {
    let s = cx.state();
    let side = s.side(of).or_else(|| s.board.side_of(of));
    side.cloned().or_else(|| s.chief(of).map(|chief| chief.side.clone()))
}

/// 2.0 Faces of the die, from nought.
pub const FACES: i32 = 10;

/// 2.0 On how many faces a die with a sum comes to a value or less.
pub fn odds(value: i32, sum: &Sum) -> i32 {
    (value - sum.total() + 1).clamp(0, FACES)
}

/// What one of several is chosen by.
const DRAW: &str = "draw";
const REPLACEMENT: &str = "replacement";

/// 2.0 The tenth face of a die is nought; who is drawn of several is counted from one.
pub(super) fn face(label: &str, face: u32) -> u32 {
    let what = label.split('/').next().unwrap_or(label);
    if [DRAW, REPLACEMENT].contains(&what) { face } else { face % FACES.unsigned_abs() }
}

/// 2.0, H.7 One die, from 0 to 9: the tenth face is nought. In double-blind play what concerns one side alone is rolled in its
/// own scope.
pub(super) fn die(cx: &mut Hand<'_>, what: Die, of: &str) -> i32 {
    let own = owner(cx, of).filter(|_| !what.is_open());
    let label = roll::of_side(cx.state(), what.word(), own.as_ref());
    let dice = cx.roll(&label.at(&Named(of)), 1, 10);
    dice.first().copied().and_then(|die| i32::try_from(die % 10).ok()).unwrap_or_default()
}

fn one(cx: &mut Hand<'_>, label: &Label, many: usize) -> usize {
    let sides = u32::try_from(many).unwrap_or(1).max(1);
    let dice = cx.roll(label, 1, sides);
    dice.first().and_then(|die| usize::try_from(*die).ok()).unwrap_or(1).saturating_sub(1)
}

/// 4.4.1, H.7 One LIM of so many, counted from nought: in double-blind play neither side sees how many there are.
pub(super) fn draw(cx: &mut Hand<'_>, many: usize) -> usize {
    let label = roll::of_nobody(cx.state(), DRAW);
    one(cx, &label, many)
}

/// 8.5.5 One of so many replacement leaders, for a leader.
pub(super) fn replacement(cx: &mut Hand<'_>, leader: &str, many: usize) -> usize {
    let label = roll::of_side(cx.state(), REPLACEMENT, owner(cx, leader).as_ref());
    one(cx, &label, many)
}

//! What is shown when a game is over: what each side knew, turn by turn, against the truth; losses; the luck of the dice.

use super::fold::Fold;
use super::hosted::Hosted;
use super::paper::Paper;
use crate::dice::{Roll, Scope};
use crate::rules::Reckoning;
use std::collections::BTreeMap;
use std::fmt;

/// Rolls of every kind together.
const ALL: &str = "all";

/// Rolls of one kind, for their luck.
#[derive(Default)]
struct Luck {
    dice: u32,
    /// Twice the sum of what they showed, and of what they would show on average.
    shown: i64,
    due: i64,
}

impl<R: Paper> Hosted<R> {
    /// The turns as they were, and the dice; ready lines.
    pub(super) fn reveal_all(&self) -> Vec<String> {
        let mut lines = vec!["WHAT EACH SIDE KNEW, AT THE END OF EACH TURN".to_owned()];
        for (turn, sides) in self.turns() {
            lines.push(format!("  Turn {turn}"));
            for reckoning in sides {
                let Reckoning { side, lost, right, wrong, unknown, picture } = reckoning;
                lines.push(format!(
                    "    {side}: lost {lost} {} so far; of {} enemy pieces it named {right} rightly, {wrong} wrongly, {unknown} \
                     not at all",
                    R::LOST_IN,
                    right + wrong + unknown
                ));
                lines.extend(picture.into_iter().map(|line| format!("      {line}")));
            }
        }
        lines.push(String::new());
        lines.push("LUCK OF THE DICE (what they showed, on average, against what dice show)".to_owned());
        lines.extend(self.luck());
        lines
    }

    /// What each side lost, and how its dice fell; ready lines that fit any page.
    pub(super) fn toll_all(&self) -> Vec<String> {
        let last = self.turns().pop().map(|(_, sides)| sides).unwrap_or_default();
        let lost = last.into_iter().map(|side| format!("  {:<10} {:>4} {} lost", side.side.0, side.lost, R::LOST_IN));
        let luck = self.kinds().into_iter().filter(|((_, kind), _)| kind == ALL);
        let thrown = luck.map(|((scope, _), luck)| format!("  {:<10} {luck}", scope.text()));
        lost.chain(thrown).collect()
    }

    /// Each side's knowledge at the last rest point of each turn; the state is folded once.
    fn turns(&self) -> Vec<(u32, Vec<Reckoning>)> {
        let mut last: BTreeMap<u32, usize> = BTreeMap::new();
        for rest in self.past.rests() {
            last.insert(rest.turn, rest.at);
        }
        let mut fold = Fold::of(self);
        let reckoned = |(turn, at): (u32, usize)| {
            let base = fold.to(at);
            (turn, R::reckon(&base.state, &base.minds))
        };
        last.into_iter().map(reckoned).collect()
    }

    /// By whom the rolls were seen and what they were for: how many dice, and how far from what dice show.
    fn luck(&self) -> Vec<String> {
        let line =
            |((scope, kind), luck): (&(Scope, String), &Luck)| format!("  {:<10} {kind:<14} {luck}", scope.text());
        self.kinds().iter().map(line).collect()
    }

    /// Rolls by who saw them and what they were for, and all of each scope.
    fn kinds(&self) -> BTreeMap<(Scope, String), Luck> {
        let mut kinds: BTreeMap<(Scope, String), Luck> = BTreeMap::new();
        for roll in self.past.rolls(0).iter().map(|r| &r.roll).filter(|r| !r.fiat) {
            let Roll { scope, label, dice, .. } = roll;
            let thrown = i64::try_from(dice.len()).unwrap_or(0);
            let (due, above) = (due::<R>(roll) * thrown, above_mean::<R>(roll));
            let kind = label.split('/').next().unwrap_or(label).to_owned();
            for key in [(scope.clone(), kind), (scope.clone(), ALL.to_owned())] {
                let luck = kinds.entry(key).or_default();
                luck.dice += u32::try_from(dice.len()).unwrap_or(0);
                luck.due += due;
                luck.shown += due + above;
            }
        }
        kinds
    }
}

impl fmt::Display for Luck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = |twice: i64| hundredths(twice * 50, i64::from(self.dice));
        write!(f, "{:>4} dice  {} against {}", self.dice, mean(self.shown), mean(self.due))
    }
}

/// Twice what a die of a roll shows on average, as its game reads the faces.
fn due<R: Paper>(roll: &Roll) -> i64 {
    let faces = (1..=roll.sides).map(|face| i64::from(R::face(&roll.label, roll.sides, face)));
    faces.sum::<i64>() * 2 / i64::from(roll.sides.max(1))
}

/// By how many half pips a roll showed more than dice show.
pub(super) fn above_mean<R: Paper>(roll: &Roll) -> i64 {
    let due = due::<R>(roll);
    roll.dice.iter().map(|die| i64::from(R::face(&roll.label, roll.sides, *die)) * 2 - due).sum()
}

/// A roll as its game reads the faces.
pub(super) fn faced<R: Paper>(roll: &Roll) -> Roll {
    let dice = roll.dice.iter().map(|die| R::face(&roll.label, roll.sides, *die)).collect();
    Roll { dice, ..roll.clone() }
}

/// A hundredfold sum divided, with two places.
fn hundredths(sum: i64, by: i64) -> String {
    let n = sum / by.max(1);
    format!("{}.{:02}", n / 100, n % 100)
}

//! The parts of the whole report that a seat may ask for one by one: UNITS, ENEMY, DICE, KEY.

use super::commands::Part;
use super::error::Trouble;
use super::form;
use super::page::rolled;
use super::sitting::Sitting;
use crate::dice::Roll;
use crate::fog::SeatId;

/// What a ruleset draws when the signs of its drawings are asked for.
const KEY: &str = "KEY";

impl Sitting<'_> {
    /// A part of the whole report, with its heading.
    pub(super) fn part_block(&self, seat: &str, part: Part) -> Result<(&'static str, Vec<String>), Trouble> {
        let id = SeatId(seat.to_owned());
        Ok(match part {
            Part::Units => ("YOUR FORCES", self.hosted.report(&id, None).body().forces.clone()),
            Part::Enemy => ("ENEMY", self.hosted.report(&id, None).body().enemy.clone()),
            Part::Dice => ("DICE", self.dice_lines(&id)),
            Part::Key => {
                let format = self.seat(seat)?.map(|row| form::read(&row.format)).unwrap_or_default();
                ("KEY", self.hosted.map(&id, Some(KEY), format).body().clone())
            }
        })
    }

    /// A roll as its player reads it.
    fn line_of(&self, roll: &Roll) -> String {
        format!("  {}", rolled(&self.hosted.faced(roll)))
    }

    /// The rolls of this turn that a seat may see, and when their seeds come.
    fn dice_lines(&self, seat: &SeatId) -> Vec<String> {
        let slot = self.hosted.slot();
        let rolls = self.hosted.rolls_of(seat);
        let mut lines: Vec<String> =
            rolls.iter().filter(|(at, _)| *at == slot).map(|(_, roll)| self.line_of(roll)).collect();
        if lines.is_empty() {
            lines.push("  none yet in this turn".to_owned());
        }
        lines.push(format!("  Slot {slot} is open; its seeds come when its turn closes.  AUDIT sends"));
        lines.push("  what you may check today.".to_owned());
        lines
    }
}

//! What counts: places and the points that they move, the own line, and how much is left of the game (¶80-92, 411-416).

use super::Mind;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::Objective;
use crate::rules::campaigns::victory;

/// A place of the scenario, as one side sees it.
pub struct Place {
    /// Where it is.
    pub hex: Hex,
    /// What its capture would bring: points won and points taken from the enemy; nothing where it is held.
    pub gain: i32,
    /// What its loss would cost; nothing where it is not held.
    pub stake: i32,
}

/// Enemies this near to the own line or center are in its way.
const BESIDE: u32 = 3;

impl Mind<'_> {
    /// ¶415 The places that change the count, in the scenario's order.
    pub fn places(&self) -> Vec<Place> {
        let own = self.v.side_id();
        let enemy = self.v.board.enemy(&own);
        let found = self.v.board.objectives.iter().map(|place| {
            let mine = self.v.control.get(&place.hex) == Some(&own);
            let gain = if mine || self.holds_out(place.hex) {
                0
            } else {
                self.lead_if(place, &own) - self.lead() + spaces(place, &own)
            };
            let stake = if mine { self.lead() - self.lead_if(place, &enemy) + spaces(place, &enemy) } else { 0 };
            Place { hex: place.hex, gain, stake }
        });
        found.filter(|place| place.gain > 0 || place.stake > 0).collect()
    }

    /// ¶413 Whether an enemy citadel has too many SP in it to surrender at once: nobody storms it.
    fn holds_out(&self, hex: Hex) -> bool {
        self.sit.citadel(hex) && self.foe_at(hex) > self.v.board.tables.citadels.surrenders_at(hex)
    }

    /// Own points above the enemy's.
    pub fn lead(&self) -> i32 {
        self.lead_of(&self.v.control)
    }

    /// The same, if a side held a place.
    fn lead_if(&self, place: &Objective, side: &SideId) -> i32 {
        let mut control = (*self.v.control).clone();
        control.insert(place.hex, side.clone());
        self.lead_of(&control)
    }

    fn lead_of(&self, control: &std::collections::BTreeMap<Hex, SideId>) -> i32 {
        let own = self.v.side_id();
        let enemy = self.v.board.enemy(&own);
        let points = victory::held(&self.v.board, control);
        let of = |side: &SideId| points.get(&side.0).copied().unwrap_or(0);
        of(&own) - of(&enemy)
    }

    /// Turns that are left, this one among them.
    pub fn turns_left(&self) -> u32 {
        (self.v.board.turns.1 + 1).saturating_sub(self.v.turn)
    }

    /// ¶80-92 Whether an enemy in a hex is near the own line or center.
    pub fn on_the_line(&self, foe: Hex) -> bool {
        let army = &self.v.own.army;
        let path = army.loc.iter().flat_map(|loc| loc.path.iter());
        path.chain(&army.center).any(|hex| hex.distance(foe) <= BESIDE)
    }
}

/// ¶411 Spaces of morale that a capture brings a side.
fn spaces(place: &Objective, side: &SideId) -> i32 {
    place.morale.get(side).copied().unwrap_or(0)
}

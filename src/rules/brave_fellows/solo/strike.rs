//! Attacks: who can come at whom, and what it is worth.

use super::super::board::{Arm, FRENCH, other};
use super::super::state::{Mood, State};
use super::super::{fire, melee, shock};
use super::FACES;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::tactical::bot::{self, Fighters, Strike, Ways};
use std::collections::BTreeSet;

/// Faces of the die of a check.
const CHECK: i32 = 6;
/// What a router is worth who is attacked at all: he surrenders as often as not (6.7.11).
const ROUTER: i32 = 60;

/// What results are worth to a side, in hundredths of a battalion: an enemy lost, an enemy worse, one's own lost, one's own
/// worse. 10.2.4 The Coalition wins by French losses alone.
struct Prices {
    kill: i32,
    worse: i32,
    lose: i32,
    tire: i32,
}

fn prices(side: &SideId) -> Prices {
    if side.0 == FRENCH {
        Prices { kill: 70, worse: 30, lose: 100, tire: 25 }
    } else {
        Prices { kill: 100, worse: 30, lose: 50, tire: 15 }
    }
}

/// Enemies in a hex that can be attacked: not the guns of the Grand Battery.
pub(super) fn targets(s: &State, side: &SideId) -> BTreeSet<Hex> {
    let foes = s.enemies(side).filter(|(id, ..)| !s.is_battery(id));
    foes.map(|(.., hex)| hex).collect()
}

/// DB.3 The factor of an enemy; where nothing is seen of it, that of common foot or horse.
pub(super) fn factor(s: &State, unit: &str) -> i32 {
    let printed = s.kind(unit).map_or(0, |kind| kind.mf);
    if printed > 0 {
        return s.mf(unit).max(1);
    }
    let whole = match s.kind(unit).map(|kind| kind.arm) {
        Some(Arm::Art) => 1,
        Some(Arm::Cav) => 4,
        _ => 6,
    };
    let tired = s.is(unit, |u| u.mood != Mood::Fresh);
    if tired { (whole + 1) / 2 } else { whole }
}

/// 6.4.3, 6.4.4 What a unit brings into an attack on the average, in sixths of a factor: nothing where its check fails, and
/// twice its factor for a good check or a flank.
fn brings(s: &State, unit: &str, defenders: &[String], plain: bool) -> i32 {
    let (fv, led, mf) = (s.fv(unit), s.led_by(unit), s.mf(unit));
    if shock::charges(s, unit) {
        return CHECK * mf * if plain { 1 } else { 2 };
    }
    let passes = (fv + led).clamp(0, CHECK);
    let good = (fv / 2 + led - 1).clamp(0, passes);
    let twice = if fire::outflanks(s, unit, defenders) { passes } else { good };
    mf * (passes + if plain { 0 } else { twice })
}

/// What an attack on a hex is worth with units where they stand.
pub(super) fn worth(s: &State, side: &SideId, units: &[String], at: Hex) -> i32 {
    let defenders = shock::foes(s, units, at, &other(side));
    let plain = shock::plain(s, units, &defenders);
    let attack: i32 = units.iter().map(|id| brings(s, id, &defenders, plain)).sum::<i32>() / CHECK;
    let defence: i32 = defenders.iter().map(|id| factor(s, id)).sum();
    let (column, sum) = melee::look_up(s, (units, &defenders), at, (attack.max(1), defence));
    let prices = prices(side);
    let (mine, theirs) = (count(units), count(&defenders));
    let one = |result: &str| match result {
        "DX" => prices.kill * theirs,
        "DE" => prices.kill + prices.worse * (theirs - 1),
        "DR" => prices.worse * theirs * 3 / 2,
        "DF" => prices.worse * theirs,
        "AF" => -prices.tire * mine,
        "AR" => -prices.tire * mine * 3 / 2,
        "AE" => -prices.lose - prices.tire * (mine - 1),
        _ => 0,
    };
    let table = s.board.melee();
    let total: i32 = (1..=FACES).map(|die| one(table.result(column, die + sum.total()))).sum();
    let routers = defenders.iter().filter(|id| s.is(id, |u| u.mood == Mood::Routed)).count();
    total / FACES + prices.kill * ROUTER / 100 * i32::try_from(routers).unwrap_or(0)
}

fn count(ids: &[String]) -> i32 {
    i32::try_from(ids.len()).unwrap_or(0)
}

/// A side that looks for its attacks.
struct Attackers<'s> {
    s: &'s mut State,
    side: &'s SideId,
}

impl Fighters for Attackers<'_> {
    fn targets(&self) -> BTreeSet<Hex> {
        targets(self.s, self.side)
    }

    fn arm(&self, unit: &str) -> Option<Arm> {
        self.s.kind(unit).map(|kind| kind.arm)
    }

    fn flanks(&self, unit: &str, at: Hex) -> bool {
        fire::outflanks(self.s, unit, &self.s.stack(at, &other(self.side)))
    }

    fn room(&self, unit: &str, hex: Hex) -> bool {
        self.s.hex(unit) == Some(hex) || !self.s.crowded_with(hex, self.side, &[unit.to_owned()])
    }

    fn may(&self, unit: &str, at: Hex) -> bool {
        melee::may(self.s, &[unit.to_owned()], at).is_ok()
    }

    fn worth(&self, units: &[String], at: Hex) -> i32 {
        worth(self.s, self.side, units, at)
    }

    fn put(&mut self, unit: &str, hex: Hex) -> Option<Hex> {
        self.s.units.get_mut(unit).and_then(|u| u.hex.replace(hex))
    }
}

/// 6.4.2 The attack that is worth most, of all that foot or horse can make; none where none is worth so much.
pub(super) fn best(s: &mut State, side: &SideId, ways: &Ways, least: i32) -> Option<Strike> {
    bot::best(&mut Attackers { s, side }, ways, least)
}

/// What stands in a hex against a side, in melee factors.
pub(super) fn stands(s: &State, side: &SideId, at: Hex) -> i32 {
    s.stack(at, &other(side)).iter().map(|id| factor(s, id)).sum()
}

//! Attacks: who can come at whom, and what it is worth.

use super::super::board::{Arm, FRENCH, other};
use super::super::state::{Mood, State};
use super::super::{fire, melee, shock};
use super::FACES;
use crate::fog::SideId;
use crate::hex::Hex;
use std::collections::{BTreeMap, BTreeSet};

/// Faces of the die of a check.
const CHECK: i32 = 6;
/// No more attack one hex.
const MOST: usize = 6;
/// So many hexes are tried for one attacker.
const PLACES: usize = 3;
/// What one attacker more has to add.
const GAIN: i32 = 2;
/// What a router is worth who is attacked at all: he surrenders as often as not (6.7.11).
const ROUTER: i32 = 60;

/// Where units can end, with their ways.
pub(super) type Ways = BTreeMap<String, BTreeMap<Hex, Vec<Hex>>>;

/// An attack: the hex, and who attacks it from where.
#[derive(Clone, Debug, Default)]
pub(super) struct Strike {
    pub at: Option<Hex>,
    pub who: Vec<(String, Hex)>,
    pub worth: i32,
}

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
    let foes = s.standing().filter(|(id, ..)| !s.is_of(id, side) && !s.is_battery(id));
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
    let defenders = s.stack(at, &other(side));
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
    let routers = defenders.iter().filter(|id| s.is(*id, |u| u.mood == Mood::Routed)).count();
    total / FACES + prices.kill * ROUTER / 100 * i32::try_from(routers).unwrap_or(0)
}

fn count(ids: &[String]) -> i32 {
    i32::try_from(ids.len()).unwrap_or(0)
}

/// The same with a unit put elsewhere.
fn moved(s: &mut State, unit: &str, hex: Hex) -> Option<Hex> {
    s.units.get_mut(unit).and_then(|u| u.hex.replace(hex))
}

/// 6.4.2 The best attack on a hex by foot, or by horse, of those that can come next to it.
fn on(s: &mut State, side: &SideId, ways: &Ways, at: Hex, horse: bool) -> Strike {
    let near: BTreeSet<Hex> = at.neighbours().into_iter().collect();
    let fit = |s: &State, id: &String| match s.kind(id).map(|kind| kind.arm) {
        Some(Arm::Cav) => horse,
        Some(Arm::Inf) => !horse,
        _ => false,
    };
    let mut places: Vec<(String, Hex)> = Vec::new();
    let defenders = s.stack(at, &other(side));
    for (id, hexes) in ways {
        if !fit(s, id) {
            continue;
        }
        let mut next: Vec<Hex> = near.iter().copied().filter(|hex| hexes.contains_key(hex)).collect();
        // By the flank first, and then by the shortest way.
        next.sort_by_key(|hex| {
            let from = moved(s, id, *hex);
            let flank = fire::outflanks(s, id, &defenders);
            if let Some(from) = from {
                moved(s, id, from);
            }
            (!flank, hexes.get(hex).map_or(0, Vec::len))
        });
        places.extend(next.into_iter().take(PLACES).map(|hex| (id.clone(), hex)));
    }
    let (mut best, mut chosen) = (Strike::default(), Strike { at: Some(at), ..Strike::default() });
    let mut before: Vec<(String, Hex)> = Vec::new();
    while chosen.who.len() < MOST {
        let mut next: Option<(i32, String, Hex)> = None;
        for (id, hex) in places.iter().filter(|(id, _)| !chosen.who.iter().any(|(who, _)| who == id)) {
            let stays = s.is(id, |u| u.hex == Some(*hex));
            if !stays && s.crowded_with(*hex, side, std::slice::from_ref(id)) {
                continue;
            }
            let Some(from) = moved(s, id, *hex) else { continue };
            if melee::may(s, std::slice::from_ref(id), at).is_err() {
                moved(s, id, from);
                continue;
            }
            let ids: Vec<String> = chosen.who.iter().map(|(who, _)| who.clone()).chain([id.clone()]).collect();
            let worth = worth(s, side, &ids, at);
            moved(s, id, from);
            if next.as_ref().is_none_or(|(best, ..)| worth > *best) {
                next = Some((worth, id.clone(), *hex));
            }
        }
        let Some((worth, id, hex)) = next else { break };
        if let Some(from) = moved(s, &id, hex) {
            before.push((id.clone(), from));
        }
        chosen.who.push((id, hex));
        chosen.worth = worth;
        if best.who.is_empty() || worth >= best.worth + GAIN {
            best = chosen.clone();
        }
    }
    for (id, from) in before {
        moved(s, &id, from);
    }
    best
}

/// The attack that is worth most, of all that units can make; none where none is worth so much.
pub(super) fn best(s: &mut State, side: &SideId, ways: &Ways, least: i32) -> Option<Strike> {
    let mut found: Option<Strike> = None;
    for at in targets(s, side) {
        for horse in [false, true] {
            let strike = on(s, side, ways, at, horse);
            let better = found.as_ref().is_none_or(|best| strike.worth > best.worth);
            if !strike.who.is_empty() && strike.worth >= least && better {
                found = Some(strike);
            }
        }
    }
    found
}

/// What stands in a hex against a side, in melee factors.
pub(super) fn stands(s: &State, side: &SideId, at: Hex) -> i32 {
    s.stack(at, &other(side)).iter().map(|id| factor(s, id)).sum()
}

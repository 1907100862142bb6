//! The own player: which attacks are worth most, and who fires together.

use super::ground::Arm;
use crate::hex::Hex;
use std::collections::{BTreeMap, BTreeSet};

/// No more attack one hex.
const MOST: usize = 6;
/// So many hexes are tried for one attacker.
const PLACES: usize = 3;
/// What one attacker more has to add.
const GAIN: i32 = 2;

/// Where units can end, with their ways.
pub type Ways = BTreeMap<String, BTreeMap<Hex, Vec<Hex>>>;

/// An attack: the hex, and who attacks it from where.
#[derive(Clone, Debug, Default)]
pub struct Strike {
    /// The hex.
    pub at: Hex,
    /// Who attacks, and from where.
    pub who: Vec<(String, Hex)>,
    /// What it is worth.
    pub worth: i32,
}

/// A table on which units are put about to see what their attacks are worth.
pub trait Fighters {
    /// Hexes that may be attacked.
    fn targets(&self) -> BTreeSet<Hex>;

    /// The arm of a unit.
    fn arm(&self, unit: &str) -> Option<Arm>;

    /// Whether a unit would come at the flank of those in a hex.
    fn flanks(&self, unit: &str, at: Hex) -> bool;

    /// Whether a unit finds room in a hex.
    fn room(&self, unit: &str, hex: Hex) -> bool;

    /// Whether a unit may attack a hex from where it stands.
    fn may(&self, unit: &str, at: Hex) -> bool;

    /// What an attack on a hex is worth with units where they stand.
    fn worth(&self, units: &[String], at: Hex) -> i32;

    /// Puts a unit elsewhere; where it stood.
    fn put(&mut self, unit: &str, hex: Hex) -> Option<Hex>;
}

/// Something asked of the table with a unit put elsewhere; none where it is not on the map.
fn put_there<F: Fighters, T>(f: &mut F, unit: &str, hex: Hex, asked: impl FnOnce(&F) -> T) -> Option<T> {
    let from = f.put(unit, hex)?;
    let answer = asked(f);
    f.put(unit, from);
    Some(answer)
}

/// The places from which units of an arm may attack a hex: by the flank first, and then by the shortest way.
fn places(f: &mut impl Fighters, ways: &Ways, at: Hex, arm: Arm) -> Vec<(String, Hex)> {
    let near: BTreeSet<Hex> = at.neighbours().into_iter().collect();
    let mut found = Vec::new();
    for (id, hexes) in ways.iter().filter(|(id, _)| f.arm(id) == Some(arm)).collect::<Vec<_>>() {
        let mut next: Vec<Hex> = near.iter().copied().filter(|hex| hexes.contains_key(hex)).collect();
        next.sort_by_key(|hex| {
            let flank = put_there(f, id, *hex, |f| f.flanks(id, at)).unwrap_or_default();
            (!flank, hexes.get(hex).map_or(0, Vec::len))
        });
        found.extend(next.into_iter().take(PLACES).map(|hex| (id.clone(), hex)));
    }
    found
}

/// The best attack on a hex by units of one arm, of those that can come next to it.
fn on(f: &mut impl Fighters, ways: &Ways, at: Hex, arm: Arm) -> Strike {
    let places = places(f, ways, at, arm);
    let (mut best, mut chosen) = (Strike::default(), Strike { at, ..Strike::default() });
    let mut before: Vec<(String, Hex)> = Vec::new();
    while chosen.who.len() < MOST {
        let mut next: Option<(i32, String, Hex)> = None;
        for (id, hex) in places.iter().filter(|(id, _)| !chosen.who.iter().any(|(who, _)| who == id)) {
            if !f.room(id, *hex) {
                continue;
            }
            let ids: Vec<String> = chosen.who.iter().map(|(who, _)| who.clone()).chain([id.clone()]).collect();
            let worth = put_there(f, id, *hex, |f| f.may(id, at).then(|| f.worth(&ids, at))).flatten();
            let better = worth.filter(|worth| next.as_ref().is_none_or(|(best, ..)| worth > best));
            next = better.map(|worth| (worth, id.clone(), *hex)).or(next);
        }
        let Some((worth, id, hex)) = next else { break };
        before.extend(f.put(&id, hex).map(|from| (id.clone(), from)));
        chosen.who.push((id, hex));
        chosen.worth = worth;
        if best.who.is_empty() || worth >= best.worth + GAIN {
            best = chosen.clone();
        }
    }
    for (id, from) in before {
        f.put(&id, from);
    }
    best
}

/// The attack that is worth most, of all that foot or horse can make; none where none is worth so much.
pub fn best(f: &mut impl Fighters, ways: &Ways, least: i32) -> Option<Strike> {
    let mut found: Option<Strike> = None;
    for at in f.targets() {
        for arm in [Arm::Inf, Arm::Cav] {
            let strike = on(f, ways, at, arm);
            let better = found.as_ref().is_none_or(|best| strike.worth > best.worth);
            if !strike.who.is_empty() && strike.worth >= least && better {
                found = Some(strike);
            }
        }
    }
    found
}

/// All who can fire at a hex fire together, first where they are strongest; each fires once.
pub fn volleys(
    mut can: BTreeMap<Hex, Vec<String>>,
    strength: impl Fn(Hex, &[String]) -> i32,
) -> Vec<(Hex, Vec<String>)> {
    let mut found = Vec::new();
    loop {
        let ready = can.iter().filter(|(_, ids)| !ids.is_empty());
        let best = ready.max_by_key(|(at, ids)| (strength(**at, ids), **at));
        let Some((at, ids)) = best.map(|(at, ids)| (*at, ids.clone())) else { return found };
        can.values_mut().for_each(|others| others.retain(|id| !ids.contains(id)));
        found.push((at, ids));
    }
}

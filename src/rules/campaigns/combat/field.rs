//! Strengths on a battlefield: who may attack whom, what terrain does to them, odds (¶304, 309, 340, 350-361).

use super::battle::{Party, source_garrison};
use crate::hex::Hex;
use crate::map::{Ground, Settlement};
use crate::rules::campaigns::board::{Arm, Halves, UnitId};
use crate::rules::campaigns::pieces::Pieces;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::tables::Crossing;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The terrain factor that the defender takes (¶361).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    /// No strength is changed.
    None,
    /// Attack into woods (¶357).
    Woods,
    /// Attack into or out of swamp (¶359).
    Swamp,
    /// Defence in a fortification (¶360).
    Fortification,
    /// Attack over a crest (¶358).
    Crest,
}

/// One side of a comparison: its pieces, its part in the battle, and the hexes that count.
#[derive(Clone, Copy)]
pub struct Array<'a> {
    /// All its pieces.
    pub own: &'a Pieces,
    /// Its part.
    pub party: &'a Party,
    /// The hexes that count.
    pub hexes: &'a [Hex],
    /// Whether units in reserve are left out (¶319).
    pub reserves: bool,
}

/// Two strengths compared (¶300 step 6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The attacker's strength.
    pub attacker: Halves,
    /// The defender's strength.
    pub defender: Halves,
    /// The factor that the defender took.
    pub factor: Factor,
    /// Whether the affecting terrain line is used (¶353).
    pub affecting: bool,
}

impl<'a> Array<'a> {
    /// Its units in a hex that are in line: not in reserve.
    pub fn in_line(&self, hex: Hex) -> Vec<(UnitId, i32)> {
        let mut units = self.party.units(self.own, hex);
        if self.reserves {
            units.retain(|(id, _)| !self.party.reserve.contains(id));
        }
        units
    }

    /// SP in line of one arm in a hex.
    pub fn arm(&self, sit: &Situation<'_>, hex: Hex, arm: Arm) -> i32 {
        let of_arm = |id: &UnitId| sit.board.units.get(id).is_some_and(|s| s.arm == arm);
        self.in_line(hex).iter().filter(|(id, _)| of_arm(id)).map(|(_, sp)| sp).sum()
    }

    /// Whether it has no units at all, only vedettes.
    pub fn vedettes_only(&self) -> bool {
        self.hexes.iter().all(|h| self.party.units(self.own, *h).is_empty() && source_garrison(self.own, *h) == 0)
            && !self.party.vedettes(self.own, self.hexes).is_empty()
    }
}

/// ¶234-235, 304, 342: whether combat between two adjacent hexes is possible at all: not over a primary river without a
/// bridge, frozen or not.
pub fn can_fight(sit: &Situation<'_>, a: Hex, b: Hex) -> bool {
    let side = sit.side(a, b);
    // ¶214, 329: where forces wade a primary river they may attack over it, though no zone does.
    let waded = side == Crossing::PrimaryRiver && sit.board.tables.terrain.crossing_mp(side, true).is_some();
    a.adjacent(b) && (waded || !side.bars_zones())
}

/// ¶234-235, 304: whether a force in `from` need not attack `to`: over a bridged primary river, out of or into a
/// fortification, a redoubt among them.
pub fn optional(sit: &Situation<'_>, from: Hex, to: Hex) -> bool {
    let river = matches!(sit.side(from, to), Crossing::PrimaryBridge | Crossing::PrimaryRiver);
    let walled = sit.fortification(from) || sit.fortification(to);
    river || walled || sit.screened(from, to) || sit.screened(to, from)
}

/// ¶317, 325: whether the way between two hexes is a defile: a bridge over a primary river, or a mountain hex.
pub fn defile(sit: &Situation<'_>, a: Hex, b: Hex) -> bool {
    let mountain = |h: Hex| sit.ground(h) == Ground::Mountain;
    let bridge = match sit.side(a, b) {
        Crossing::PrimaryBridge => true,
        Crossing::SecondaryBridge => sit.board.exceptions.combat.secondary_bridge_defiles,
        _ => false,
    };
    bridge || mountain(a) || mountain(b)
}

/// ¶317, 325: the SP of infantry and cavalry that a hex may have in line: for each hexside fought over 20, or 9 at a
/// defile, unless the title says otherwise.
pub fn room(sit: &Situation<'_>, hex: Hex, foes: &[Hex]) -> i32 {
    let exceptions = &sit.board.exceptions;
    let most = |foe: &Hex| if defile(sit, hex, *foe) { exceptions.defile_sp() } else { exceptions.hexside_sp() };
    foes.iter().filter(|foe| can_fight(sit, hex, **foe)).map(most).sum()
}

/// ¶325: the SP of two arms in line in a hex that count: with reserves in play no more than have room, the infantry first.
fn in_room(sit: &Situation<'_>, hex: Hex, foes: &[Hex], (foot, horse): (i32, i32)) -> (i32, i32) {
    if !sit.board.policies.reserves {
        return (foot, horse);
    }
    let most = room(sit, hex, foes);
    let foot = foot.min(most);
    (foot, horse.min(most - foot))
}

/// ¶327: whether a hex is a town of any kind or a fortification. A village is none (¶355).
pub fn town(sit: &Situation<'_>, hex: Hex) -> bool {
    sit.settlement(hex).is_some_and(Settlement::town)
}

/// ¶356: the SP with which an array can attack from one hex, before terrain factors: infantry, and cavalry where neither
/// its own hex nor every hex before it is mountain.
fn attack_arms(sit: &Situation<'_>, array: &Array<'_>, from: Hex, into: &[Hex]) -> (i32, i32) {
    let mountain = |h: Hex| sit.ground(h) == Ground::Mountain;
    let ridden = !mountain(from) && !into.iter().all(|h| mountain(*h));
    let infantry = array.arm(sit, from, Arm::Infantry);
    let cavalry = if ridden { array.arm(sit, from, Arm::Cavalry) } else { 0 };
    in_room(sit, from, into, (infantry, cavalry))
}

/// Targets that can be attacked from a hex.
fn before(sit: &Situation<'_>, from: Hex, targets: &[Hex]) -> Vec<Hex> {
    targets.iter().copied().filter(|t| can_fight(sit, from, *t)).collect()
}

/// ¶311, 325, 352, 356-359: the strength with which an array attacks some hexes, under one terrain factor.
pub fn attack(sit: &Situation<'_>, array: &Array<'_>, targets: &[Hex], factor: Factor) -> Halves {
    let terrain = &sit.board.tables.terrain;
    let mut total = Halves(0);
    for from in array.hexes {
        let into = before(sit, *from, targets);
        if into.is_empty() {
            continue;
        }
        let (infantry, cavalry) = attack_arms(sit, array, *from, &into);
        let woods = factor == Factor::Woods && into.iter().any(|h| sit.woods(*h));
        let swamp = |h: &Hex| sit.ground(*h) == Ground::Swamp;
        let (foot, horse) = (Halves::whole(infantry), Halves::whole(cavalry));
        total = total
            + if woods {
                terrain.into_woods(Arm::Infantry, foot) + terrain.into_woods(Arm::Cavalry, horse)
            } else if factor == Factor::Swamp && (swamp(from) || into.iter().any(swamp)) {
                terrain.in_swamp(foot + horse)
            } else if factor == Factor::Crest {
                over_crest(foot + horse)
            } else {
                foot + horse
            };
    }
    if targets.iter().any(|h| sit.ground(*h) == Ground::Mountain) {
        total = total.min(Halves::whole(terrain.combat.mountain_attack_sp));
    }
    if total == Halves(0) && array.vedettes_only() {
        total = vedettes(array);
    }
    total
}

/// ¶358 Strength over a crest: a quarter less, to the nearest half.
pub fn over_crest(strength: Halves) -> Halves {
    Halves((strength.0 * 3 + 2).div_euclid(4))
}

/// ¶311: vedettes that fight alone are worth half an SP each.
fn vedettes(array: &Array<'_>) -> Halves {
    Halves(i32::try_from(array.party.vedettes(array.own, array.hexes).len()).unwrap_or(0))
}

/// ¶312, 325, 352, 359-360: the strength with which an array defends its hexes, under one terrain factor.
pub fn defence(sit: &Situation<'_>, array: &Array<'_>, attackers: &[Hex], factor: Factor) -> Halves {
    let terrain = &sit.board.tables.terrain;
    let mut total = Halves(0);
    for hex in array.hexes {
        let arms = (array.arm(sit, *hex, Arm::Infantry), array.arm(sit, *hex, Arm::Cavalry));
        let (infantry, cavalry) = in_room(sit, *hex, attackers, arms);
        let foot = Halves::whole(infantry + source_garrison(array.own, *hex));
        let horse = Halves::whole(cavalry);
        let swamp = factor == Factor::Swamp && sit.ground(*hex) == Ground::Swamp;
        let here = foot + if swamp { terrain.in_swamp(horse) } else { horse };
        let walls = factor == Factor::Fortification && strong(sit, *hex, attackers);
        total = total + if walls { terrain.in_fortification(here) } else { here };
    }
    if total > Halves(0) {
        return total;
    }
    let guns: i32 = array.hexes.iter().map(|h| array.arm(sit, *h, Arm::Artillery)).sum();
    if guns > 0 { Halves::whole(1) } else { vedettes(array) }
}

/// ¶360 Whether those who defend a hex against attackers in some hexes are doubled.
pub fn strong(sit: &Situation<'_>, hex: Hex, attackers: &[Hex]) -> bool {
    sit.fortification(hex) || sit.doubled(hex, attackers)
}

/// ¶234, 361: the factors that lie before a defender; vedettes have none of a fortification.
fn factors(sit: &Situation<'_>, attackers: &[Hex], defender: &Array<'_>) -> BTreeSet<Factor> {
    let targets = defender.hexes;
    let mut found = BTreeSet::new();
    let pairs = || attackers.iter().flat_map(|a| before(sit, *a, targets).into_iter().map(move |t| (*a, t)));
    // ¶358: void where some hexes of the attack do not cross it.
    let crest = sit.board.exceptions.combat.crests_weaken && pairs().all(|(a, t)| sit.crest(a, t));
    if crest && pairs().next().is_some() {
        found.insert(Factor::Crest);
    }
    if pairs().any(|(_, t)| sit.woods(t)) {
        found.insert(Factor::Woods);
    }
    if pairs().any(|(a, t)| [a, t].iter().any(|h| sit.ground(*h) == Ground::Swamp)) {
        found.insert(Factor::Swamp);
    }
    if targets.iter().any(|t| strong(sit, *t, attackers)) && !defender.vedettes_only() {
        found.insert(Factor::Fortification);
    }
    if found.is_empty() {
        found.insert(Factor::None);
    }
    found
}

/// ¶300 step 6, 350-361: both strengths, under the factor that is best for the defender or the one he has named.
pub fn compare(
    sit: &Situation<'_>,
    attacker: &Array<'_>,
    defender: &Array<'_>,
    wish: Option<Factor>,
    counter: bool,
) -> Comparison {
    let mut choices = factors(sit, attacker.hexes, defender);
    // ¶358: who counterattacks over a crest is not weakened.
    if counter && choices.remove(&Factor::Crest) && choices.is_empty() {
        choices.insert(Factor::None);
    }
    let strengths = |factor: Factor| {
        (attack(sit, attacker, defender.hexes, factor), defence(sit, defender, attacker.hexes, factor))
    };
    let best = choices.iter().copied().min_by(|a, b| {
        let ((a1, d1), (a2, d2)) = (strengths(*a), strengths(*b));
        (a1.0 * d2.0.max(1)).cmp(&(a2.0 * d1.0.max(1))).then(a.cmp(b))
    });
    let factor = wish.filter(|w| choices.contains(w)).or(best).unwrap_or(Factor::None);
    let (attack, defence) = strengths(factor);
    // ¶355: to vedettes a fortification is nothing.
    let walled = !defender.vedettes_only() && dug_in(sit, attacker.hexes, defender.hexes);
    let affecting = walled || natural(sit, attacker.hexes, defender.hexes);
    Comparison { attacker: attack, defender: defence, factor, affecting }
}

/// ¶353-355, X-67: whether the affecting terrain line is used: one defending hex is affecting, or every attack crosses a
/// river.
pub fn affecting(sit: &Situation<'_>, attackers: &[Hex], targets: &[Hex]) -> bool {
    dug_in(sit, attackers, targets) || natural(sit, attackers, targets)
}

/// ¶216, 355 Whether one of some hexes is a redoubt that is attacked over its hexsides alone.
fn dug_in(sit: &Situation<'_>, attackers: &[Hex], targets: &[Hex]) -> bool {
    targets.iter().any(|t| sit.entrenched(*t, attackers))
}

/// ¶353-355 Whether the line is used for what is printed on the map.
fn natural(sit: &Situation<'_>, attackers: &[Hex], targets: &[Hex]) -> bool {
    let terrain = &sit.board.tables.terrain;
    let hex = |t: &Hex| terrain.hex_affecting(sit.ground(*t), sit.settlement(*t));
    if targets.iter().any(hex) {
        return true;
    }
    let mut sides =
        attackers.iter().flat_map(|a| before(sit, *a, targets).into_iter().map(move |t| (*a, t))).peekable();
    sides.peek().is_some() && sides.all(|(a, t)| terrain.crossing_affecting(sit.side(a, t)))
}

/// ¶331: whether a force in some hexes would have affecting terrain or woods for it, if attacked from others.
pub fn sheltered(sit: &Situation<'_>, own: &[Hex], foes: &[Hex]) -> bool {
    affecting(sit, foes, own) || own.iter().any(|h| sit.woods(*h))
}

/// ¶281: columns to the right for a defender in Forage Mode: two, or one where only part of it forages.
pub fn forage_shift(defender: &Array<'_>) -> i32 {
    let leaders = defender.party.leaders(defender.own, defender.hexes);
    let with_units =
        |l: &&crate::rules::campaigns::board::LeaderId| !defender.own.units_of(std::slice::from_ref(*l)).is_empty();
    let modes: Vec<bool> =
        leaders.iter().filter(with_units).filter_map(|l| defender.own.leaders.get(l).map(|l| l.forage)).collect();
    match (modes.iter().any(|f| *f), modes.iter().all(|f| *f)) {
        (true, true) => 2,
        (true, false) => 1,
        (false, _) => 0,
    }
}

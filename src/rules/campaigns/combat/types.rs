//! Battle types (¶298, 327-335, 399, 405): which a force may choose, and which it does by plan, doctrine and default.

use super::battle::{BattleView, Marker};
use super::clause::{Clause, wish};
use super::{field, reserve};
use crate::hex::Hex;
use crate::map::Settlement;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::redoubts::Redoubt;
use crate::rules::campaigns::tables::Crossing;
use crate::rules::campaigns::view::View;
use crate::rules::journal::Book;

/// ¶307, 309, 328: whether the reader attacks out of a citadel that is under siege.
pub fn breaks_out(v: &View, battle: &BattleView) -> bool {
    battle.attacking && battle.from.iter().any(|h| v.sieges.contains(h))
}

/// ¶234, 307, 328: whether Pursuit is closed: a besieged force that attacks out, or one that fights in its citadel. To
/// vedettes a citadel is nothing.
fn no_pursuit(v: &View, battle: &BattleView) -> bool {
    let sit = v.situation();
    let walls = !battle.attacking && !battle.hexes.is_empty() && battle.hexes.iter().all(|h| sit.citadel(*h));
    breaks_out(v, battle) || (walls && battle.own.sp(&v.own, battle.ground(), true) > 0)
}

/// Why Pitched is closed to a force for the whole battle (¶329).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barred {
    /// It attacks over a primary river, by a bridge.
    Bridge,
    /// It attacks over a primary river, where forces wade it (1792).
    River,
    /// Its leader is a Major General of Initiative 1, outside of any town or fortification.
    General,
    /// It is vedettes alone.
    Vedettes,
}

impl Barred {
    /// The reason.
    pub fn why(self) -> &'static str {
        match self {
            Barred::Bridge => "who attacks over the bridge of a primary river may not choose it",
            Barred::River => "who attacks over a primary river may not choose it",
            Barred::General => "a Major General of Initiative 1 may choose it only in a town or fortification",
            Barred::Vedettes => "vedettes may not choose it",
        }
    }
}

/// ¶329: what of the ground or of the leader closes Pitched.
pub fn barred(v: &View, battle: &BattleView) -> Option<Barred> {
    let sit = v.situation();
    let wading = v.board.exceptions.combat.no_pitched_over_primary;
    let pairs = || battle.from.iter().flat_map(|from| battle.hexes.iter().map(|to| sit.side(*from, *to)));
    let over = |crossing: Crossing| battle.attacking && pairs().any(|side| side == crossing);
    let seat = battle.own.lead.as_ref().and_then(|l| v.own.hex(l));
    let sheltered = seat.is_some_and(|h| field::town(&sit, h) || sit.entrenched(h, battle.against()));
    let weak = battle.own.lead.as_ref().is_some_and(|l| {
        let general = v.board.leaders.get(l).is_some_and(|s| s.major_general.is_some());
        general && v.own.initiative(&v.board, l) == 1 && !sheltered
    });
    if battle.own.sp(&v.own, battle.ground(), !battle.attacking) == 0 {
        Some(Barred::Vedettes)
    } else if over(Crossing::PrimaryBridge) {
        Some(Barred::Bridge)
    } else if wading && over(Crossing::PrimaryRiver) {
        Some(Barred::River)
    } else {
        weak.then_some(Barred::General)
    }
}

/// ¶329: whether the ground or the leader closes Pitched.
fn no_pitched(v: &View, battle: &BattleView) -> bool {
    barred(v, battle).is_some()
}

/// ¶330, 405: whether the leader has used up the rounds of Pitched that his Initiative allows; towns, redoubts, centers
/// and cities are free of it.
fn spent(v: &View, battle: &BattleView) -> bool {
    let sit = v.situation();
    let dug = |h: &Hex| v.own.redoubts.get(h).is_some_and(Redoubt::finished);
    let center = |h: &Hex| sit.settlement(*h) == Some(Settlement::Center);
    let free = |h: &Hex| field::town(&sit, *h) || center(h) || dug(h);
    if battle.ground().iter().any(free) {
        return false;
    }
    let used = if v.board.policies.rearguard { battle.own.chosen } else { battle.own.pitched };
    i32::try_from(used).unwrap_or(i32::MAX) >= rating(v, battle)
}

/// ¶330: the Initiative that counts: the force leader's, of a defender the best leader's; 1 without any (¶312).
fn rating(v: &View, battle: &BattleView) -> i32 {
    let leaders = battle.own.leaders(&v.own, battle.ground());
    let commands = |l: &&LeaderId| !v.own.unemployed(l);
    let best = leaders.iter().filter(commands).map(|l| v.own.initiative(&v.board, l)).max().unwrap_or(1);
    match &battle.own.lead {
        Some(lead) if battle.attacking => v.own.initiative(&v.board, lead),
        _ => best,
    }
}

/// The markers that the reader may choose in this round, Pursuit first. Where nothing else is open it is Pursuit.
pub fn legal(v: &View, battle: &BattleView) -> Vec<Marker> {
    let first = battle.round <= 1;
    let mut found = Vec::new();
    if !no_pursuit(v, battle) {
        found.push(Marker::Pursuit);
    }
    // ¶243: after a failed repulse the attacker must choose Pursuit in the first round.
    let repulsed = battle.after_repulse && battle.attacking && first;
    if !repulsed && reserve::opens(v, battle, &battle.own.reserve) && !no_pitched(v, battle) {
        let sit = v.situation();
        if !spent(v, battle) || no_pursuit(v, battle) {
            found.push(Marker::Pitched);
        }
        // ¶331, 333.
        if field::sheltered(&sit, battle.ground(), battle.against()) && !(first && battle.attacking) {
            found.push(Marker::Refuse);
        }
        // ¶327, 335.
        if v.board.policies.rearguard && !battle.attacking && !spent(v, battle) {
            found.push(Marker::Rearguard);
        }
    }
    if found.is_empty() {
        found.push(if no_pursuit(v, battle) { Marker::Pitched } else { Marker::Pursuit });
    }
    found
}

/// The marker by plan, doctrine and default (D-96, D-112); `None` where the seat wants to be asked.
pub fn chosen(v: &View, battle: &BattleView, book: &Book) -> Option<Marker> {
    let open = legal(v, battle);
    let or = |marker: Marker| if open.contains(&marker) { marker } else { open.first().copied().unwrap_or(marker) };
    match wish(v, battle, |c| if let Clause::Type(plan) = c { Some(plan.clone()) } else { None }) {
        Some(None) => return None,
        Some(Some(plan)) => return Some(or(of_round(&plan, battle.round))),
        None => {}
    }
    match book.get("TYPE").unwrap_or("AUTO").to_ascii_uppercase().as_str() {
        "ASK" => None,
        "PURSUIT" => Some(or(Marker::Pursuit)),
        "PITCHED" => Some(or(Marker::Pitched)),
        _ => Some(or(auto(battle))),
    }
}

/// ¶327 Whether a reserve that nobody asked for is worth what it costs: it opens a type that this side would then choose,
/// and no more than a third of the strength stands idle for it. Who names the type himself pays what it takes.
pub fn wants_reserve(v: &View, battle: &BattleView, book: &Book, held: i32) -> bool {
    let total = battle.own.sp(&v.own, battle.ground(), !battle.attacking);
    // Where ¶329 closes Pitched, ¶331 and 335 close the rest: no reserve opens anything.
    if no_pitched(v, battle) {
        return false;
    }
    let named = wish(v, battle, |c| if let Clause::Type(plan) = c { Some(plan.clone()) } else { None });
    match named {
        Some(None) => true,
        Some(Some(plan)) => plan.iter().any(|(marker, _)| *marker != Marker::Pursuit),
        None => match book.get("TYPE").unwrap_or("AUTO").to_ascii_uppercase().as_str() {
            "ASK" | "PITCHED" => true,
            "PURSUIT" => false,
            _ => auto(battle) != Marker::Pursuit && held * IDLE_MOST <= total,
        },
    }
}

/// One part in so many of a force stands in a reserve that nobody asked for, at most.
const IDLE_MOST: i32 = 3;

/// The type that a list gives for a round; after its end Pursuit.
fn of_round(plan: &[(Marker, u32)], round: u32) -> Marker {
    let mut left = round.max(1);
    for (marker, rounds) in plan {
        if left <= *rounds {
            return *marker;
        }
        left -= rounds;
    }
    Marker::Pursuit
}

/// D-96: Pitched where the stated strengths are at least even.
fn auto(battle: &BattleView) -> Marker {
    match (battle.own.stated, battle.stated) {
        (Some(own), Some(foe)) if own >= foe => Marker::Pitched,
        _ => Marker::Pursuit,
    }
}

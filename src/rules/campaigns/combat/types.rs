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
    let citadel = |h: &Hex| sit.settlement(*h) == Some(Settlement::Citadel);
    let walls = !battle.attacking && !battle.hexes.is_empty() && battle.hexes.iter().all(citadel);
    breaks_out(v, battle) || (walls && battle.own.sp(&v.own, battle.ground(), true) > 0)
}

/// ¶329: whether the ground or the leader closes Pitched.
fn no_pitched(v: &View, battle: &BattleView) -> bool {
    let sit = v.situation();
    let wading = v.board.exceptions.combat.no_pitched_over_primary;
    let bridge = |from: &Hex, to: &Hex| match sit.side(*from, *to) {
        Crossing::PrimaryBridge => true,
        Crossing::PrimaryRiver => wading,
        _ => false,
    };
    let over = battle.attacking && battle.from.iter().any(|f| battle.hexes.iter().any(|t| bridge(f, t)));
    let seat = battle.own.lead.as_ref().and_then(|l| v.own.hex(l));
    let sheltered = seat.is_some_and(|h| field::town(&sit, h) || sit.entrenched(h, battle.against()));
    let weak = battle.own.lead.as_ref().is_some_and(|l| {
        let general = v.board.leaders.get(l).is_some_and(|s| s.major_general.is_some());
        general && v.own.initiative(&v.board, l) == 1 && !sheltered
    });
    let vedettes_only = battle.own.sp(&v.own, battle.ground(), !battle.attacking) == 0;
    over || weak || vedettes_only
}

/// ¶330, 405: whether the leader has used up the rounds of Pitched that his Initiative allows; towns, redoubts, centers
/// and cities are free of it.
fn spent(v: &View, battle: &BattleView) -> bool {
    let sit = v.situation();
    let dug = |h: &Hex| v.own.redoubts.get(h).is_some_and(Redoubt::finished);
    let free = |h: &Hex| field::town(&sit, *h) || v.own.army.center == Some(*h) || dug(h);
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

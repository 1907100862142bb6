//! Battles: which are declined, and of what type the others are (¶235, 298, 327). The Guard is never staked (¶362-364).

use super::Mind;
use crate::hex::Hex;
use crate::rules::campaigns::combat::battle::Marker;
use crate::rules::campaigns::combat::forecast;

/// Plays of the tables for one decision.
const PLAYS: u32 = 200;
/// What the field is worth, in tenths of a SP.
const FIELD: i32 = 40;
/// What it is worth besides for each point at stake near by.
const POINT: i32 = 20;

/// Sheet B: attacks are formed by the default; what promises to cost more than it brings is declined where that may be,
/// and the rest gets the type that promises most.
pub fn attacks(mind: &Mind<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for foe in mind.foes.iter().map(|(foe, _)| *foe) {
        let Some((types, worth)) = best(mind, foe) else { continue };
        let decline = format!("DECLINE {foe}");
        // From half a SP too dear to half a SP too cheap, as bold as it is.
        if worth < (mind.boldness - BOLD) / 5 && mind.binds(&decline) {
            lines.push(decline);
            continue;
        }
        let line = format!("BATTLE {foe} TYPE {types}");
        lines.extend(mind.binds(&line).then_some(line));
    }
    lines
}

/// The boldness of an even temper.
pub const BOLD: i32 = 95;

/// The plans that an attack is weighed by: the marker, the rounds, the words.
const PLANS: [(Marker, u32, &str); 3] = [
    (Marker::Pitched, 4, "PITCHED ROUNDS 4 THEN PURSUIT"),
    (Marker::Pitched, 2, "PITCHED ROUNDS 2 THEN PURSUIT"),
    (Marker::Pursuit, 2, "PURSUIT"),
];

/// The best type for an attack on a hex by all that stand next to it, and what it promises in tenths of a SP.
fn best(mind: &Mind<'_>, foe: Hex) -> Option<(&'static str, i32)> {
    let enemy = mind.foe_at(foe).max(1);
    let points: i32 = mind.places().iter().filter(|p| p.hex.distance(foe) <= 1).map(|p| p.gain + p.stake).sum();
    let field = FIELD + points * POINT;
    let worth = |own: Marker, rounds: u32| {
        let meeting = forecast::meeting(mind.v, foe, enemy, (own, Marker::Pitched), rounds)?;
        let tables = &mind.v.board.tables;
        let found = forecast::outlook(tables, &mind.v.weather, &meeting, PLAYS, u64::from(enemy.unsigned_abs()));
        let [won, lost, own, their] =
            [found.won, found.lost, found.attacker, found.defender].map(|n| i32::try_from(n).unwrap_or(i32::MAX));
        let plays = i32::try_from(found.plays).unwrap_or(i32::MAX);
        Some(((their - own) * 10 + (won - lost) * field) / plays)
    };
    let open = |(_, _, words): &(Marker, u32, &str)| mind.fights(&format!("BATTLE {foe} TYPE {words}"));
    let worths = PLANS.into_iter().filter(open).filter_map(|(marker, n, words)| Some((words, worth(marker, n)?)));
    // Of equals the longest: who attacks seeks a decision.
    worths.rev().max_by_key(|(_, worth)| *worth)
}

/// ¶327 The plan of a defence: it stands the longer the better the odds are, and gives way before far more.
pub fn defence(mind: &Mind<'_>, hex: Hex, odds: i32) -> Option<String> {
    let types = match odds {
        90.. => "PITCHED ROUNDS 4 THEN PURSUIT",
        55.. => "PITCHED ROUNDS 2 THEN PURSUIT",
        _ => "PURSUIT",
    };
    let lines = [types, "PURSUIT"].map(|types| format!("DEFEND {hex} TYPE {types}"));
    lines.into_iter().find(|line| mind.fights(line))
}

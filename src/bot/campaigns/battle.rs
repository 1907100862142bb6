//! Battles: which are declined, and of what type the others are (¶235, 298, 327).

use super::Mind;
use crate::hex::Hex;
use crate::rules::campaigns::combat::battle::Marker;
use crate::rules::campaigns::combat::forecast;

/// Plays of the tables for one decision.
const PLAYS: u32 = 300;
/// What the field is worth, in tenths of a SP.
const FIELD: i32 = 30;

/// Sheet B: attacks are formed by the default; what promises to cost more than it brings is declined where that may be,
/// and the rest gets the type that promises most.
pub fn attacks(mind: &Mind<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for foe in mind.foes() {
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
const BOLD: i32 = 115;

/// The best type for an attack on a hex by all that stand next to it, and what it promises in tenths of a SP.
fn best(mind: &Mind<'_>, foe: Hex) -> Option<(&'static str, i32)> {
    let enemy = mind.foe_at(foe).max(1);
    let plans = [(Marker::Pitched, "PITCHED ROUNDS 2 THEN PURSUIT"), (Marker::Pursuit, "PURSUIT")];
    let worth = |own: Marker| {
        let meeting = forecast::meeting(mind.v, foe, enemy, (own, Marker::Pitched), 2)?;
        let tables = &mind.v.board.tables;
        let found = forecast::outlook(tables, &mind.v.weather, &meeting, PLAYS, u64::from(enemy.unsigned_abs()));
        let [won, lost, own, their] =
            [found.won, found.lost, found.attacker, found.defender].map(|n| i32::try_from(n).unwrap_or(i32::MAX));
        let plays = i32::try_from(found.plays).unwrap_or(i32::MAX);
        Some(((their - own) * 10 + (won - lost) * FIELD) / plays)
    };
    let open = |(_, words): &(Marker, &str)| mind.fights(&format!("BATTLE {foe} TYPE {words}"));
    let worths = plans.into_iter().filter(open).filter_map(|(marker, words)| Some((words, worth(marker)?)));
    worths.max_by_key(|(_, worth)| *worth)
}

/// ¶327 The plan for a hex: Pitched while the odds are even or better, else Pursuit.
pub fn kind(mind: &Mind<'_>, verb: &str, hex: Hex, odds: i32) -> Option<String> {
    let types = if odds >= 100 { "PITCHED ROUNDS 2 THEN PURSUIT" } else { "PURSUIT" };
    let lines = [types, "PURSUIT"].map(|types| format!("{verb} {hex} TYPE {types}"));
    lines.into_iter().find(|line| mind.fights(line))
}

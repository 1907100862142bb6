//! Battles: which are declined, and of what type the others are (¶235, 298, 327).

use super::Mind;
use crate::hex::Hex;

/// Sheet B: attacks are formed by the default; too strong an enemy is declined where that may be, types follow the odds.
pub fn attacks(mind: &Mind<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for foe in mind.foes() {
        let own = mind.own_near(foe, 1);
        if own == 0 {
            continue;
        }
        let odds = own * 100 / mind.foe_at(foe).max(1);
        let decline = format!("DECLINE {foe}");
        if odds < mind.boldness && mind.binds(&decline) {
            lines.push(decline);
            continue;
        }
        lines.extend(kind(mind, "BATTLE", foe, odds));
    }
    lines
}

/// ¶327 The plan for a hex: Pitched while the odds are even or better, else Pursuit.
pub fn kind(mind: &Mind<'_>, verb: &str, hex: Hex, odds: i32) -> Option<String> {
    let types = if odds >= 100 { "PITCHED ROUNDS 2 THEN PURSUIT" } else { "PURSUIT" };
    let line = format!("{verb} {hex} TYPE {types}");
    mind.binds(&line).then_some(line)
}

//! 6.2.8, 6.5.4 Leaders of the enemy's as targets: who stands alone is taken by a MOVE, and by nothing else.

use super::super::eyes::veiled;
use super::super::view::View;
use super::Said;
use crate::hex::Hex;
use crate::orders;
use crate::rules::tactical::meant::acts::{LINES_MAX, go, subjects};
use crate::rules::tactical::meant::{Found, Tongue};

/// The paragraphs of it.
const RULE: &str = "6.2.8, 6.5.4";
/// Units that are tried where none is named, the nearest first.
const TRIED: usize = 6;

/// What is to be said of a line that names a leader of the enemy's; none where men stand with him, for then he is a place like
/// others.
pub(super) fn hunted(said: &Said<'_>, verb: Option<&'static str>) -> Option<Found> {
    let v = said.v;
    let (leader, hex) = said.prey()?;
    let acts = verb.is_none_or(|verb| matches!(verb, "MOVE" | "FIRE" | "MELEE" | "CHARGE" | "ADVANCE"));
    if !acts {
        return None;
    }
    let Some(at) = hex else {
        let rule = if veiled(&v.state) { "DB.2" } else { "" };
        return Some(Found::reason(format!("{leader} is not in sight"), rule));
    };
    if v.state.held_against(at, &v.side) {
        return None;
    }
    let alone = format!("{leader} stands alone in {at}: a MOVE into the hex takes him");
    let named = subjects(said);
    let groups = if named.is_empty() { nearest(v, at) } else { vec![named] };
    let mut why = None;
    for group in groups {
        let found = march(v, &group, at);
        if !found.lines.is_empty() {
            let lines = found.lines.into_iter().take(LINES_MAX).collect();
            // What was written is a march there already.
            let whole = verb == Some("MOVE") && found.whole;
            return Some(Found { lines, why: Some((alone, RULE.to_owned())), whole, note: found.note });
        }
        why = why.or(found.why);
    }
    let bar = why.map_or_else(String::new, |(why, _)| format!("; {why}"));
    Some(Found::reason(format!("{alone}{bar}"), RULE))
}

/// Own units that act, each alone, the nearest to a hex first.
fn nearest(v: &View, at: Hex) -> Vec<Vec<String>> {
    let mut units = v.acting();
    units.sort_by_key(|id| (v.state.hex(id).map(|hex| hex.distance(at)), id.clone()));
    units.into_iter().take(TRIED).map(|id| vec![id]).collect()
}

/// The march of units to a hex.
fn march(v: &View, units: &[String], at: Hex) -> Found {
    let line = orders::line(1, &format!("MOVE {} {at}", units.join(" ")));
    go(&Said::of(v, &line))
}

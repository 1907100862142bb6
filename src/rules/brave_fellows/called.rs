//! 6.1 Why a unit takes no part in an impulse, and which line would bring it.

use super::board::Kind;
use super::state::{Mood, State};
use super::{bounds, command};
use crate::orders::Fault;
use crate::text;

/// Why a unit may be given no order now; of its own side's pieces alone, so that it tells nobody anything.
pub(super) fn why_not(s: &State, unit: &str) -> Fault {
    let refused = |why: &str, rule: &str| Fault::refused(format!("{unit} {why}"), rule);
    let Some((u, kind)) = s.units.get(unit).zip(s.kind(unit)) else { return refused("is not on the map", "6.1") };
    match bounds::held(s, unit) {
        _ if u.mood == Mood::Routed => refused("runs, and obeys nobody until it rallies", "6.7"),
        _ if u.idle => refused("is not activated: it failed its check out of command", "6.1.7"),
        Some(rule) => refused("is not activated: it may not act yet", rule),
        None if u.used => refused("is not activated: it has acted in this turn", "6.1.5"),
        None => outside(s, unit, kind),
    }
}

/// Why those who act did not bring a unit that could act: it is too far from its leader, or another's.
fn outside(s: &State, unit: &str, kind: &Kind) -> Fault {
    let acts = s.leaders.iter().filter(|(name, l)| l.active && s.leads(name, &kind.side));
    let acts: Vec<&String> = acts.map(|(name, _)| name).collect();
    let Some(first) = acts.first() else { return Fault::refused(format!("{unit} is not activated"), "6.1") };
    if let Some(leader) = acts.iter().find(|name| command::under(s, unit, name)) {
        return match command::far(s, leader, unit) {
            Some((far, reach)) if far > reach => {
                let far = text::plural(i64::from(far), "hex", "hexes");
                let why = format!("it is {far} from {leader}, who reaches {reach}; write ACTIVATE {first} TEST {unit}");
                Fault::refused(format!("{unit} is not activated: {why}"), "6.1.7")
            }
            Some(_) => Fault::refused(format!("{unit} is not activated"), "6.1"),
            None => {
                let why = format!("{unit} is not activated: it is apart from the unit that leads for {leader}");
                Fault::refused(why, "6.1.10a")
            }
        };
    }
    let cures = cures(s, unit, kind, &acts);
    let cure = if cures.is_empty() { String::new() } else { format!("; write {}", text::or_list(&cures)) };
    Fault::refused(format!("{unit} is not activated: it is not under {}{cure}", text::or_list(&acts)), "6.1")
}

/// Lines that would bring a unit of another command: beside the leader who acts, below him, or in an impulse of its own.
fn cures(s: &State, unit: &str, kind: &Kind, acts: &[&String]) -> Vec<String> {
    let Some(first) = acts.first() else { return Vec::new() };
    let mut found = Vec::new();
    if acts.iter().any(|name| command::is_near(s, name, unit)) {
        found.push(format!("ACTIVATE {first} EXTRA {unit}"));
    }
    let able = |name: &String| s.leads(name, &kind.side) && bounds::free(s, name) && command::under(s, unit, name);
    let own = s.leaders.iter().filter(|(name, l)| l.hex.is_some() && !l.used && able(name)).map(|(name, _)| name);
    for name in own {
        let of = s.chief(name).and_then(|chief| chief.of.as_ref());
        let below = of.is_some_and(|of| acts.contains(&of));
        found.push(if below { format!("ACTIVATE {first} WITH {name}") } else { format!("ACTIVATE {name}") });
    }
    found
}

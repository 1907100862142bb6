//! What the writer of a plan should know before it is sent: who is left out or left behind, what END takes away, and who is
//! sent to and fro.

use super::board::Rank;
use super::order::{self, Order, Pace};
use super::state::{Acting, Lim, Mode, State};
use super::view::View;
use super::{fire, play, reinforce};
use crate::hex::Hex;
use crate::rules::rehearsal::{Caution, Warning};
use std::collections::BTreeSet;

fn warning(kind: Caution, text: String, rule: &str) -> Warning {
    Warning { kind, text, rule: rule.to_owned() }
}

/// What the writer of a plan should know: W2, who may fire and is not mentioned; divisions that could act; a leader who stays
/// behind his men; a marker that END takes off.
pub fn warnings(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
    let (s, side) = (&after.state, &after.side);
    let mut found = Vec::new();
    if let Some(acting) = s.acting.as_ref().filter(|acting| acting.side == *side && before.state.at == s.at) {
        found.extend(left_out(after, acting, plan));
        found.extend(slack(s, acting));
        found.extend(left_behind(&before.state, s, acting));
    }
    found.extend(to_and_fro(plan));
    found
}

/// 8.1.1, 4.5.2, 14.2 Who could act, and is not mentioned.
fn left_out(after: &View, acting: &Acting, plan: &[Order]) -> Vec<Warning> {
    let (s, side) = (&after.state, &after.side);
    let mut found = Vec::new();
    let named = |id: &String| plan.iter().any(|order| order::units_of(order).contains(id));
    let able = s.standing().filter(|(id, ..)| s.is_of(id, side) && !named(id) && fire::may(s, id, None).is_ok());
    let able: Vec<&str> = able.map(|(id, ..)| id.as_str()).collect();
    if !able.is_empty() {
        let text = format!("could fire, and have no orders: {}", able.join(" "));
        found.push(warning(Caution::LeftOut, text, "8.1.1"));
    }
    if acting.step <= super::state::Step::Movement && !acting.todo.is_empty() {
        found.push(warning(Caution::LeftOut, format!("could still try: {}", acting.todo.join(" ")), "4.5.2"));
    }
    let off = off_map(s);
    if !off.is_empty() {
        let text = format!("stay off the map, and come on another turn's Reinforcement LIM: {}", off.join(" "));
        found.push(warning(Caution::LeftOut, text, "14.2"));
    }
    found
}

/// 14.2 Units of the divisions that act which are still off the map.
fn off_map(s: &State) -> Vec<String> {
    let acting = s.acting.iter().filter(|acting| matches!(acting.lim, Lim::Reinforcement(_)));
    acting.flat_map(|acting| acting.modes.keys()).flat_map(|division| reinforce::waiting(s, division)).collect()
}

/// 5.2.1 Divisions in strategic movement that lose the marker with END, and their LIM, for they could go on, or are not called.
fn slack(s: &State, acting: &Acting) -> Vec<Warning> {
    let lim = |division: &String| {
        let pooled = s.pool.contains(&Lim::Division(division.clone()));
        if pooled { "its strategic movement, and its LIM" } else { "its strategic movement" }
    };
    let marching = acting.modes.iter().filter(|(_, how)| **how == Mode::Strategic).map(|(id, _)| id);
    let short = marching.filter_map(|division| {
        let units = play::slack(s, division);
        let text = || format!("{division} loses {} with END: {} could go on", lim(division), units.join(" "));
        (!units.is_empty()).then(text)
    });
    let idle = play::under_marker(acting, s).into_iter().filter(|division| play::could_march(s, division));
    let idle = idle.map(|division| format!("{division} loses {} with END if it is not activated", lim(&division)));
    short.chain(idle).map(|text| warning(Caution::LeftOut, text, "5.2.1")).collect()
}

/// 4.3.3 Leaders whose men go out of their range.
fn left_behind(before: &State, s: &State, acting: &Acting) -> Vec<Warning> {
    let led = s.board.chiefs.iter().filter(|(_, c)| c.rank == Rank::Division && acting.modes.contains_key(&c.of));
    let mut found = Vec::new();
    for (leader, chief) in led {
        let out = |s: &State| s.units_of(&chief.of).into_iter().filter(|unit| !s.in_command(unit)).collect::<Vec<_>>();
        let far = out(s);
        if far.len() > out(before).len() {
            let text =
                format!("{leader} is left behind: {} of his units are out of his range: {}", far.len(), far.join(" "));
            found.push(warning(Caution::Command, text, "4.3.3"));
        }
    }
    found
}

/// 5.1 Units that are sent twice to one hex: lines that add up, and were perhaps meant one instead of the other.
fn to_and_fro(plan: &[Order]) -> Vec<Warning> {
    let mut been: BTreeSet<(&String, Hex)> = BTreeSet::new();
    let mut twice: BTreeSet<(&String, Hex)> = BTreeSet::new();
    for order in plan {
        let Order::Move { units, paces, .. } = order else { continue };
        for hex in paces.iter().filter_map(|pace| if let Pace::To(hex) = pace { Some(*hex) } else { None }) {
            let again = units.iter().filter(|unit| !been.insert((*unit, hex)));
            twice.extend(again.map(|unit| (unit, hex)));
        }
    }
    let text = |(unit, hex): (&String, Hex)| format!("{unit} goes to {hex} twice: its lines add up");
    twice.into_iter().map(|twice| warning(Caution::Detour, text(twice), "5.1")).collect()
}

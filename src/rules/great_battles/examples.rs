//! Lines that could be written now, for answers and offers.

use super::board::Arm;
use super::pose::Form;
use super::state::{At, Lim};
use super::view::View;
use super::{command, fire, pool, reach, reinforce};
use crate::rules::tactical::meant::Tongue;

/// None yet.
pub fn none(_: &View) -> Vec<String> {
    Vec::new()
}

/// 4.4 LIMs with which the side could begin.
pub fn openings(v: &View) -> Vec<String> {
    let s = &v.state;
    let own = s.pool.iter().filter(|lim| pool::side(s, lim) == Some(&v.side));
    let names = own.filter(|lim| matches!(lim, Lim::Division(_) | Lim::Corps(_))).map(|lim| lim.name().to_owned());
    let names: Vec<String> = names.collect();
    if names.is_empty() || s.at != At::Open { Vec::new() } else { vec![format!("INITIATIVE {}", names.join(" "))] }
}

/// 4.5 Divisions that may try now.
pub fn calls(v: &View) -> Vec<String> {
    let acting = v.state.acting.iter().filter(|acting| acting.side == v.side);
    acting.flat_map(|acting| acting.todo.iter().map(|division| format!("ACTIVATE {division} FULL"))).collect()
}

/// 5.1 A step ahead of each unit that may move.
pub fn moves(v: &View) -> Vec<String> {
    let s = &v.state;
    let ready = s.standing().filter(|(id, u, _)| u.going.ready && !u.going.done && s.is_of(id, &v.side));
    ready.filter(|(id, ..)| command::may_act(s, id).is_ok()).map(|(id, ..)| format!("MOVE {id} F")).take(3).collect()
}

/// 8.1 Fires that are allowed now.
pub fn fires(v: &View) -> Vec<String> {
    let s = &v.state;
    let own = s.standing().filter(|(id, ..)| s.is_of(id, &v.side));
    own.filter_map(|(id, ..)| fire::may(s, id, None).ok().map(|at| format!("FIRE {id} AT {at}"))).take(3).collect()
}

/// 3.0 Who may be picked.
pub fn picks(v: &View) -> Vec<String> {
    let open = pool::picks(&v.state, &v.side).into_iter().filter(|who| pool::may_pick(&v.state, who).is_ok());
    open.map(|who| format!("PICK {who}")).take(3).collect()
}

/// Lines of a verb that are tried, and those that are shown.
const TRIED: usize = 24;
const SHOWN: usize = 3;

/// Those of some lines that would be taken.
fn taken(v: &View, lines: impl Iterator<Item = String>) -> Vec<String> {
    lines.take(TRIED).filter(|line| v.takes(line)).take(SHOWN).collect()
}

/// Own units that act.
fn acting(v: &View) -> impl Iterator<Item = &String> {
    let own = v.state.standing().filter(|(id, ..)| v.state.is_of(id, &v.side));
    own.map(|(id, ..)| id).filter(|id| command::may_act(&v.state, id).is_ok())
}

/// 4.2 A Command Change for all who may be added.
pub fn changes(v: &View) -> Vec<String> {
    let may = if v.state.at == At::Open { reach::additions(v) } else { Default::default() };
    let some = may.into_iter().filter(|(_, add)| !add.is_empty());
    taken(v, some.map(|(by, add)| format!("CHANGE BY {by} ADD {}", add.join(" "))))
}

/// 14.2 Reinforcements that are due.
pub fn reinforcements(v: &View) -> Vec<String> {
    let due = v.state.at == At::Open && !reinforce::called(&v.state, &v.side).is_empty();
    ["YES", "NO"].into_iter().filter(|_| due).map(|word| format!("REINFORCE {word}")).collect()
}

/// 6.3 Changes of formation.
pub fn forms(v: &View) -> Vec<String> {
    let words = ["LINE", "UNLIMBER", "LIMBER", "COLUMN"];
    taken(v, acting(v).flat_map(|id| words.map(|word| format!("FORM {id} {word}"))))
}

/// 6.3.3 Skirmishers who spread.
pub fn spreads(v: &View) -> Vec<String> {
    let s = &v.state;
    let open = acting(v).filter(|id| s.pose(id).is_some_and(|pose| pose.form == Form::Skirmish));
    let near = open.filter_map(|id| Some((id, s.hex(id)?)));
    taken(v, near.flat_map(|(id, hex)| hex.neighbours().map(|to| format!("SPREAD {id} {to}"))))
}

/// 7.2 Stacks of which another may lie on top.
pub fn tops(v: &View) -> Vec<String> {
    let stacks = acting(v).map(|id| v.state.with(id)).filter(|stack| stack.len() > 1);
    let turned = stacks.map(|mut stack| {
        stack.reverse();
        format!("TOP {}", stack.join(" "))
    });
    let mut lines: Vec<String> = turned.collect();
    lines.dedup();
    taken(v, lines.into_iter())
}

/// 5.4 Leaders who may ride.
pub fn leads(v: &View) -> Vec<String> {
    let s = &v.state;
    let own = s.leaders.iter().filter(|(name, _)| s.chief(name).is_some_and(|chief| chief.side == v.side));
    let from = own.filter_map(|(name, l)| Some((name, l.hex?)));
    taken(v, from.filter_map(|(name, hex)| Some(format!("LEADER {name} TO {}", hex.neighbours().first()?))))
}

/// 8.2, 8.3 Attacks of foot.
fn attacks(v: &View, verb: &str) -> Vec<String> {
    let foes = reach::foes(v);
    let before = acting(v).flat_map(|id| v.state.front(id).into_iter().map(move |at| (id, at)));
    let before = before.filter(|(_, at)| foes.contains(at));
    taken(v, before.map(|(id, at)| format!("{verb} {id} AT {at}")))
}

/// 8.2 Bayonet attacks.
pub fn bayonets(v: &View) -> Vec<String> {
    attacks(v, "BAYONET")
}

/// 8.3 Assaults.
pub fn assaults(v: &View) -> Vec<String> {
    attacks(v, "ASSAULT")
}

/// 8.4 Charges at the nearest enemies.
pub fn charges(v: &View) -> Vec<String> {
    let (s, foes) = (&v.state, reach::foes(v));
    let horse = acting(v).filter(|id| s.is_arm(id, Arm::Cav)).filter_map(|id| Some((id, s.hex(id)?)));
    let mut lines: Vec<(u32, String)> = horse
        .flat_map(|(id, hex)| foes.iter().map(move |at| (hex.distance(*at), format!("CHARGE {id} AT {at}"))))
        .collect();
    lines.sort();
    taken(v, lines.into_iter().map(|(_, line)| line))
}

/// 14.1 Who comes on.
pub fn entries(v: &View) -> Vec<String> {
    let acting = v.state.acting.iter().filter(|acting| acting.side == v.side);
    let divisions = acting.flat_map(|acting| acting.modes.keys());
    let units = divisions.flat_map(|division| reinforce::waiting(&v.state, division));
    taken(v, units.flat_map(|unit| [format!("ENTER {unit}"), format!("ENTER {unit} FORM LIMBER")]))
}

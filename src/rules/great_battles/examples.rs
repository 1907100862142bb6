//! Lines that could be written now, for answers and offers.

use super::state::{At, Lim};
use super::view::View;
use super::{command, fire, pool};

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

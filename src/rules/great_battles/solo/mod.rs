//! The program's own player. It calls the divisions that are nearest to the enemy, brings each to where its side wants to be,
//! fires with all who can, and attacks where the checks and the numbers are for it.
//!
//! It asks the rules' own tests whether a line is allowed, on its side's view.

mod fight;
mod plan;

pub(super) use plan::{toward, way};

use super::board::Rank;
use super::order::{self, Order, Wish};
use super::pool;
use super::pose::Pose;
use super::state::{Acting, At, Level, Lim, Mode, State, Step};
use super::view::View;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Ask;
use std::collections::BTreeSet;

/// 4.2.1, 4.2.2 LIMs that are wished for in one Command Change.
const WISHES: usize = 4;
/// Enemies so near to a place are a danger to it.
const DANGER: u32 = 9;

/// The lines that the player writes: answers to what is asked, or a part of its sheet, with about so many moves at most; with
/// END where it has no more to say.
pub fn lines(v: &View, asks: &[Ask], most: usize) -> Vec<String> {
    if !asks.is_empty() {
        return asks.iter().map(|ask| ask.default.clone()).collect();
    }
    let s = &v.state;
    let mine = s.acting.as_ref().filter(|acting| acting.side == v.side);
    match (&s.at, mine) {
        (At::Open, _) => opening(v),
        (At::Others(side), None) if *side == v.side => match pool::picks(s, &v.side).first() {
            Some(who) => vec![format!("PICK {who}")],
            None => vec!["END".to_owned()],
        },
        (_, Some(acting)) if acting.step == Step::Attempt => match next(s, acting) {
            Some(line) => vec![line],
            None => vec!["END".to_owned()],
        },
        (_, Some(acting)) if acting.step == Step::Movement => plan::movement(v, acting, most),
        (_, Some(acting)) => fight::lines(v, acting),
        _ => vec!["END".to_owned()],
    }
}

/// 4.2, 4.4 A Command Change for those who stand nearest to the enemy, and with whom the turn should begin.
fn opening(v: &View) -> Vec<String> {
    let s = &v.state;
    let own = |id: &&String| s.board.side_of(id) == Some(&v.side);
    let here = |id: &&String| !s.units_of(id).is_empty();
    let divisions: Vec<&String> = s.board.divisions.keys().filter(own).filter(here).collect();
    let corps = s.board.corps.iter().filter(|(_, corps)| corps.side == v.side);
    let many =
        |id: &String| divisions.iter().filter(|d| s.board.divisions.get(**d).is_some_and(|d| d.corps == *id)).count();
    let corps = corps.map(|(id, _)| id).filter(|id| many(id) > 1);
    let mut wanted: Vec<(u32, bool, &String)> = corps.map(|id| (far(s, &Lim::Corps(id.clone())), false, id)).collect();
    wanted.extend(divisions.iter().map(|id| (far(s, &Lim::Division((*id).clone())), true, *id)));
    wanted.sort_unstable();
    let wanted = wanted.into_iter().map(|(.., id)| id.clone());
    let by = s.board.scenario.change_by.get(&v.side).and_then(|leaders| leaders.first()).cloned();
    let may = |add: Vec<String>| order::may(s, &Order::Wish(Wish::Change { by: by.clone(), add })).is_ok();
    let add: Vec<String> = wanted.filter(|id| by.is_some() && may(vec![id.clone()])).take(WISHES).collect();
    let mut lines = Vec::new();
    if let Some(by) = by.filter(|_| !add.is_empty()) {
        lines.push(format!("CHANGE BY {by} ADD {}", add.join(" ")));
    }
    let named = |lim: &&Lim| matches!(lim, Lim::Division(_) | Lim::Corps(_));
    let lims = s.pool.iter().filter(|lim| pool::side(s, lim) == Some(&v.side)).filter(named);
    let mut lims: Vec<(u32, &str)> = lims.map(|lim| (far(s, lim), lim.name())).collect();
    lims.sort_unstable();
    if !lims.is_empty() {
        let names: Vec<&str> = lims.into_iter().map(|(_, name)| name).collect();
        lines.push(format!("INITIATIVE {}", names.join(" ")));
    }
    lines.push("END".to_owned());
    lines
}

/// How far the nearest enemy is from the units of a LIM.
fn far(s: &State, lim: &Lim) -> u32 {
    let divisions = match lim {
        Lim::Corps(corps) => s.board.divisions_of(corps),
        other => vec![other.name().to_owned()],
    };
    divisions.iter().flat_map(|d| s.units_of(d)).map(|unit| s.enemy_of(&unit)).min().unwrap_or(u32::MAX)
}

/// 4.5 The division that tries next, and how: under the marker as far as it may go on under it, else fully where that is allowed;
/// 4.6 one unit Out of Command takes a Limited Activation.
fn next(s: &State, acting: &Acting) -> Option<String> {
    let mut todo: Vec<(u32, &String)> = acting.todo.iter().map(|id| (far(s, &Lim::Division(id.clone())), id)).collect();
    todo.sort_unstable();
    let how = |id: &String| {
        let comes = matches!(acting.lim, Lim::Reinforcement(_));
        let lone = matches!(acting.lim, Lim::Lone(_));
        let marked = comes || (!lone && s.commands.get(id).is_some_and(|c| c.strategic));
        let modes = if marked { vec![Mode::Strategic, Mode::Full] } else { vec![Mode::Full, Mode::Limited] };
        let may = |how: &Mode| order::may(s, &Order::Activate { division: id.clone(), how: *how }).is_ok();
        modes.into_iter().find(may)
    };
    let (id, how) = todo.into_iter().find_map(|(_, id)| Some((id, how(id)?)))?;
    Some(format!("ACTIVATE {id} {}", how.word().to_uppercase()))
}

/// 11.3 What a side's units go for: who scores for places goes for those that it does not hold, and for the enemy when it has
/// them all; who is scored against goes back to those that it has lost, and stands in those to which an enemy is near.
fn aims(v: &View) -> BTreeSet<Hex> {
    let s = &v.state;
    let foes: BTreeSet<Hex> = foes(v);
    let victory = &s.board.scenario.victory;
    let places = victory.places.keys().filter_map(|name| Some((name, s.board.ground.field.places.get(name)?)));
    let near = |hexes: &[Hex]| hexes.iter().any(|hex| foes.iter().any(|foe| foe.distance(*hex) <= DANGER));
    let mut wanted = BTreeSet::new();
    let mut all = BTreeSet::new();
    for (name, hexes) in places {
        let held = s.places.get(name) == Some(&v.side);
        all.extend(hexes.iter().copied());
        if !held || (victory.scores_for != v.side && near(hexes)) {
            wanted.extend(hexes.iter().copied());
        }
    }
    match (wanted.is_empty(), victory.scores_for == v.side && !foes.is_empty()) {
        (false, _) => wanted,
        (true, true) => foes,
        (true, false) => all,
    }
}

/// Where enemies stand, or were last seen.
fn foes(v: &View) -> BTreeSet<Hex> {
    let seen = v.state.enemies(&v.side).map(|(.., pose)| pose.head);
    seen.chain(v.ghosts.iter().map(|(_, contact)| contact.face.hex)).collect()
}

/// 4.3 Where a leader would be: with his men, out of the enemy's reach, so that as many as can be are in his range.
fn seat_of(s: &State, side: &SideId, leader: &str) -> Option<Hex> {
    let chief = s.chief(leader)?;
    let range = s.rating(leader).range;
    let own: Vec<Hex> = match chief.rank {
        Rank::Division => s.units_of(&chief.of).iter().filter_map(|unit| s.hex(unit)).collect(),
        rank => {
            let under = s.board.chiefs.iter().filter(|(_, c)| c.side == *side && c.rank < rank);
            let under = under.filter(|(_, c)| rank == Rank::Army || corps_of(s, &c.of) == chief.of);
            under.filter_map(|(id, _)| s.leaders.get(id)?.hex).collect()
        }
    };
    let firm = s.standing().filter(|(id, u, _)| u.level != Level::Rout && s.is_of(id, side));
    let held: BTreeSet<Hex> = firm.flat_map(|(.., pose)| pose.hexes()).collect();
    let foes: Vec<Pose> = s.enemies(side).map(|(.., pose)| pose).collect();
    let worth = |hex: &Hex| {
        let with = own.iter().filter(|at| at.distance(*hex) <= range.saturating_sub(1)).count();
        let near = foes.iter().map(|foe| foe.distance(*hex)).min().map_or(4, |far| far.min(4));
        (with, near, *hex)
    };
    own.iter().copied().filter(|hex| held.contains(hex)).max_by_key(worth)
}

fn corps_of<'s>(s: &'s State, division: &str) -> &'s str {
    s.board.divisions.get(division).map_or("", |d| d.corps.as_str())
}

//! 12.0 The program's own player. Before it moves, it looks for the attacks that are worth most and brings everybody there who
//! adds to them; who attacks nobody goes on towards what his side wants, and keeps out of the enemy's fire. It fires
//! together at one hex, and attacks with what is left.
//!
//! It leads a side that nobody plays, and plays whole games for tests. It asks the rules' own tests whether a line is
//! allowed, on its side's view.

pub(super) mod call;
mod plan;
pub(super) mod reach;
mod strike;

use super::order::{Order, may};
use super::state::{At, Segment, State};
use super::view::View;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::noise::Noise;
use crate::rules::Ask;
use std::collections::BTreeSet;

/// Nobody plans longer ways than this.
const STEPS: usize = 9;
/// Faces of the die of fire and melee.
const FACES: i32 = 10;

/// The lines that the player writes: answers to what is asked, or a part of its sheet; with END where it has no more to say in
/// this impulse.
pub fn lines(v: &View, asks: &[Ask], noise: u64) -> Vec<String> {
    if !asks.is_empty() {
        return asks.iter().map(|ask| ask.default.clone()).collect();
    }
    let mut noise = Noise(noise ^ u64::from(v.state.turn * 64 + v.state.nth));
    let mine = matches!(&v.state.at, At::Impulse(side) if *side == v.side);
    match v.state.segment {
        Segment::Activation if mine => call::activation(v, &mut noise),
        Segment::Movement if mine => plan::movement(v),
        _ if mine => plan::assault(v),
        _ => vec!["END".to_owned()],
    }
}

/// Enemies of a side on the map.
fn foes<'v>(s: &'v State, side: &'v SideId) -> impl Iterator<Item = (&'v String, Hex)> {
    s.standing().filter(|(id, ..)| !s.is_of(id, side)).map(|(id, _, hex)| (id, hex))
}

/// How far the nearest enemy is that can move, and where.
fn nearest(s: &State, side: &SideId, hex: Hex) -> Option<(u32, Hex)> {
    foes(s, side).filter(|(id, _)| !s.is_battery(id)).map(|(_, at)| (at.distance(hex), at)).min()
}

/// The legal way of units that brings them nearest to their aim, greedily, and never back.
pub(super) fn way(s: &State, units: &[String], from: Hex, aim: Hex, taken: &BTreeSet<Hex>) -> Vec<Hex> {
    let mut path: Vec<Hex> = Vec::new();
    let mut at = from;
    let go = |path: &[Hex]| may(s, &Order::Move { units: units.to_vec(), path: path.to_vec(), face: None }).is_ok();
    let foe = units.first().and_then(|id| s.kind(id)).is_some_and(|kind| s.held_against(aim, &kind.side));
    for _ in 0..STEPS {
        if at == aim || (foe && at.adjacent(aim)) {
            break;
        }
        let mut ways: Vec<Hex> = at.neighbours().into_iter().filter(|to| !path.contains(to) && *to != from).collect();
        ways.sort_by_key(|to| (to.distance(aim), *to));
        let next = ways.into_iter().filter(|to| to.distance(aim) <= at.distance(aim)).find(|to| {
            let longer: Vec<Hex> = path.iter().copied().chain([*to]).collect();
            go(&longer)
        });
        let Some(to) = next else { break };
        path.push(to);
        at = to;
    }
    // They do not end where others stand.
    while path.last().is_some_and(|hex| taken.contains(hex)) {
        path.pop();
    }
    path
}

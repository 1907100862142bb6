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

use super::state::{At, Segment, State};
use super::view::View;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::noise::Noise;
use crate::rules::Ask;

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
    s.enemies(side).map(|(id, _, hex)| (id, hex))
}

/// How far the nearest enemy is that can move, and where.
fn nearest(s: &State, side: &SideId, hex: Hex) -> Option<(u32, Hex)> {
    foes(s, side).filter(|(id, _)| !s.is_battery(id)).map(|(_, at)| (at.distance(hex), at)).min()
}

//! Who is seen, from how near, and by which tag.

use crate::hex::Hex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How an enemy is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The number by which the side that sees it knows it.
    pub tag: u32,
    /// How far the nearest is who sees it.
    pub near: u32,
    /// The least distance since it came in sight.
    pub learnt: u32,
}

/// From how near a hex is seen by some eyes: beside always, farther along an open line; `range` is the farthest in hexes, none
/// for what is seen whatever the distance.
pub fn nearest(eyes: &[Hex], at: Hex, range: Option<u32>, line: impl Fn(Hex, Hex) -> bool) -> Option<u32> {
    let mut near: Vec<(u32, Hex)> = eyes.iter().map(|eye| (eye.distance(at), *eye)).collect();
    near.retain(|(far, _)| range.is_none_or(|most| *far <= most.max(1)));
    near.sort_unstable();
    near.into_iter().find(|(far, eye)| *far <= 1 || line(*eye, at)).map(|(far, _)| far)
}

/// A piece that is in sight now.
pub struct Sighted {
    /// Its name.
    pub id: String,
    /// Where it stands.
    pub hex: Hex,
    /// Whether it is printed on the map: all know it.
    pub printed: bool,
    /// From how near it is seen.
    pub near: u32,
}

impl Sighted {
    fn seen(&self, tag: u32) -> Seen {
        Seen { tag, near: self.near, learnt: self.near }
    }
}

/// Who is seen after an event, from who was and who is in sight. `tag` is the last that was given. Tags are given by hexes and
/// by `look`, what is seen of a name, and not by names. Of those in one hex that are `faceless` one is seen.
pub fn marked<L: Ord>(
    old: &BTreeMap<String, Seen>,
    now: Vec<Sighted>,
    tag: &mut u32,
    faceless: impl Fn(Seen) -> bool,
    look: impl Fn(&Sighted) -> L,
) -> BTreeMap<String, Seen> {
    let (mut kept, mut fresh) = (Vec::new(), Vec::new());
    for at in now {
        match old.get(&at.id) {
            Some(seen) => kept.push((Seen { near: at.near, learnt: seen.learnt.min(at.near), ..*seen }, at)),
            None => fresh.push(at),
        }
    }
    fresh.sort_by_cached_key(|at| (at.hex, at.printed, look(at), at.id.clone()));
    // The one that was seen before with the lowest tag, or else the first.
    let mut covers: BTreeMap<Hex, u32> = BTreeMap::new();
    let masked = |seen: Seen, at: &Sighted| !at.printed && faceless(seen);
    for (seen, at) in kept.iter().filter(|(seen, at)| masked(*seen, at)) {
        let first = covers.entry(at.hex).or_insert(seen.tag);
        *first = seen.tag.min(*first);
    }
    kept.retain(|(seen, at)| !masked(*seen, at) || covers.get(&at.hex) == Some(&seen.tag));
    fresh.retain(|at| !masked(at.seen(0), at) || covers.insert(at.hex, 0).is_none());
    let mut found: BTreeMap<String, Seen> = kept.into_iter().map(|(seen, at)| (at.id, seen)).collect();
    for at in fresh {
        *tag += 1;
        found.insert(at.id.clone(), at.seen(*tag));
    }
    found
}

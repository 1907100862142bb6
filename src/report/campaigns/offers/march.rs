//! Marches that a sensible player might make: toward places that score, the enemy's center or counters, or a stronger force
//! of one's own, as far as the best roll reaches and short of every zone (¶147-217, 236).

use super::Judged;
use crate::hex::{Hex, Hexside};
use crate::map::Field;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::march::{column::Column, ways};
use crate::rules::campaigns::pieces::Vedette;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Places that are tried for one piece, the nearest first.
const GOALS: usize = 4;
/// Hexes by which a march falls short of its longest, at most, to end where it is sound.
const SHORTER: usize = 3;
/// A force goes to help one that is at most this far off.
const HELP: u32 = 12;

/// The map as the reader may reckon with it, and which of its hexes are free of enemies and their zones: each is asked of for
/// every piece.
struct Land<'v> {
    v: &'v View,
    sit: Situation<'v>,
    free: RefCell<Field<Option<bool>>>,
}

impl Land<'_> {
    fn of(v: &View) -> Land<'_> {
        Land { v, sit: v.situation(), free: RefCell::new(Field::new(&v.board.map, None)) }
    }

    /// Whether a march may lead into a hex: out of a zone it may go, into one it may not.
    fn is_free(&self, hex: Hex) -> bool {
        if let Some(known) = self.free.borrow().get(hex).flatten() {
            return known;
        }
        let sit = &self.sit;
        let free = !sit.enemy.contains_key(&hex) && sit.zones_on(hex).iter().all(|(_, firm)| *firm == Firm::No);
        self.free.borrow_mut().set(hex, Some(free));
        free
    }
}

/// Lines for forces, each for another one, at most so many.
pub fn forces(judged: &Judged<'_>, most: usize) -> Vec<String> {
    let (v, land) = (judged.view, Land::of(judged.view));
    let hows: &[&str] = match v.at {
        At::Reaction(_) => &["FORCED"],
        _ => &["FREE", "COMMAND", "INITIATIVE"],
    };
    let mut found = Vec::new();
    let mut all: Vec<(&LeaderId, Hex)> = v.own.on_map().filter(|(l, _)| !v.own.unemployed(l)).collect();
    all.sort_by_key(|(leader, hex)| (far(v, *hex), Reverse(v.own.sp(leader)), (*leader).clone()));
    for (leader, from) in all {
        if found.len() >= most {
            break;
        }
        let column = Column::of(&v.board, &v.own, &v.own.force(leader));
        let (horse, mp) = (column.all_horse(), column.allowance());
        let line = |how: &str, way: &str| format!("FORCE {} {how} MARCH {way}", words::order_name(v, leader));
        let march = best(&land, from, &goals(v, Some(leader), from), (horse, mp), &|way| {
            hows.iter().map(|how| line(how, way)).find(|line| judged.sound(line))
        });
        found.extend(march.or_else(|| repair(judged, leader, from)));
    }
    found
}

/// ¶254 The repair of a bridge beside a force that has nowhere to go.
fn repair(judged: &Judged<'_>, leader: &LeaderId, from: Hex) -> Option<String> {
    let v = judged.view;
    let beside = |edge: &&Hexside| edge.hexes().0 == from || edge.hexes().1 == from;
    let line = |edge: &Hexside| {
        let (a, b) = edge.hexes();
        format!("FORCE {} INITIATIVE BRIDGE REPAIR {a}/{b}", words::order_name(v, leader))
    };
    v.damaged.iter().filter(beside).map(line).find(|line| judged.sound(line))
}

/// Lines for vedettes, at most so many.
pub fn vedettes(judged: &Judged<'_>, most: usize) -> Vec<String> {
    let (v, land) = (judged.view, Land::of(judged.view));
    let mp = Halves::whole(v.board.tables.terrain.allowances.vedette);
    let out = v.own.vedettes.iter().filter_map(|(n, place)| match place {
        Vedette::At(hex) => Some((*n, *hex)),
        Vedette::Pool | Vedette::Portrait(_) => None,
    });
    let line = |n: u32, from: Hex| {
        best(&land, from, &goals(v, None, from), (true, mp), &|way| {
            Some(format!("VEDETTE {n} MARCH {way}")).filter(|line| judged.sound(line))
        })
    };
    out.filter_map(|(n, from)| line(n, from)).take(most).collect()
}

/// Hexes to the nearest enemy counter.
fn far(v: &View, hex: Hex) -> u32 {
    v.enemy.values().map(|counter| counter.hex.distance(hex)).min().unwrap_or(u32::MAX)
}

/// Whether a march is worth making: it ends nearer to its goal as the crow flies, and no farther from the enemy than it
/// began. What goes round or to the rear may be right, but only who plays can say so.
fn ahead(v: &View, from: Hex, to: Hex, goal: Hex) -> bool {
    to.distance(goal) < from.distance(goal) && far(v, to) <= far(v, from)
}

/// Where a piece might want to go, the nearest first: places that score, the enemy's centers and counters, stronger friends.
fn goals(v: &View, leader: Option<&LeaderId>, from: Hex) -> Vec<Hex> {
    let side = v.side_id();
    let open = v.board.objectives.iter().filter(|o| v.control.get(&o.hex) != Some(&side));
    let worth =
        open.filter(|o| o.points.get(&side).is_some_and(|p| *p > 0) || o.morale.get(&side).is_some_and(|m| *m != 0));
    let mut goals: BTreeSet<Hex> = worth.map(|o| o.hex).collect();
    goals.extend(v.enemy_centers.iter().flatten());
    goals.extend(v.enemy.values().map(|counter| counter.hex));
    if let Some(leader) = leader {
        let own = v.own.sp(leader);
        let stronger =
            v.own.on_map().filter(|(l, hex)| *l != leader && v.own.sp(l) > own && from.distance(*hex) <= HELP);
        goals.extend(stronger.map(|(_, hex)| hex));
    }
    let mut goals: Vec<Hex> = goals.into_iter().filter(|goal| *goal != from).collect();
    goals.sort_by_key(|goal| (goal.distance(from), *goal));
    goals.truncate(GOALS);
    goals
}

/// The first sound line toward one of some goals: the longest part of the cheapest way to it that keeps out of zones.
fn best(
    land: &Land<'_>,
    from: Hex,
    goals: &[Hex],
    (horse, mp): (bool, Halves),
    line: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let (v, sit) = (land.v, &land.sit);
    let reach = ways::reach_to(sit, from, horse, goals, |hex| goals.contains(&hex) || land.is_free(hex));
    for goal in goals {
        let Some(way) = ways::way(&reach, *goal) else { continue };
        let spent = |hex: &Hex| reach.spent(*hex).unwrap_or(Halves(i32::MAX));
        let part: Vec<Hex> =
            way.into_iter().take_while(|hex| *hex == from || (spent(hex) <= mp && land.is_free(*hex))).collect();
        let lengths = (2..=part.len()).rev().take(SHORTER).filter_map(|n| part.get(..n));
        let ahead = |way: &&[Hex]| way.last().is_some_and(|to| ahead(v, from, *to, *goal));
        let tried = lengths.filter(ahead).find_map(|way| line(&written(sit, way)));
        if tried.is_some() {
            return tried;
        }
    }
    None
}

/// A way as an order writes it: by road where the one shortest road is this way.
fn written(sit: &Situation<'_>, way: &[Hex]) -> String {
    if let (Some(from), Some(to)) = (way.first(), way.last())
        && ways::roads(sit, *from, *to).as_slice() == [way.to_vec()]
    {
        return format!("ROAD TO {to}");
    }
    way.iter().map(Hex::to_string).collect::<Vec<_>>().join(" ")
}

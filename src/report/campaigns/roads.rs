//! Marches along roads as a side may reckon them: what the strips show, from the same costs as the rules (¶212-214, 238).

use crate::hex::Hex;
use crate::rules::campaigns::board::{Board, Halves, LeaderId};
use crate::rules::campaigns::march::column::Column;
use crate::rules::campaigns::pieces::Pieces;
use crate::rules::campaigns::situation::{Situation, StepCost};
use std::collections::{BTreeMap, BTreeSet};

/// A march along roads: each hex with the running sum in half MP, the first with none.
pub type Way = Vec<(Hex, Halves)>;

/// What a force marches as: at the costs of its slowest units and its least allowance (¶147, 202-204, 213).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Whether it pays what foot pays.
    pub foot: bool,
    /// Its allowance.
    pub allowance: Halves,
}

/// The pace of a force.
pub fn pace(board: &Board, pieces: &Pieces, leader: &LeaderId) -> Pace {
    let column = Column::of(board, pieces, &pieces.force(leader));
    Pace { foot: !column.all_horse(), allowance: column.allowance() }
}

/// The cheapest ways by road from a hex to every hex within a number of half MP, in order of hex. To leave the first costs
/// so much above the ground; elsewhere no march leaves an enemy zone, since it ends there (¶236, 238).
pub fn spread(s: &Situation<'_>, (from, leave): (Hex, StepCost), foot: bool, within: Halves) -> BTreeMap<Hex, Way> {
    let mut ways: BTreeMap<Hex, Way> = BTreeMap::from([(from, vec![(from, Halves(0))])]);
    let mut queue: BTreeSet<(Halves, Hex)> = BTreeSet::from([(Halves(0), from)]);
    while let Some((spent, hex)) = queue.pop_first() {
        let Some(way) = ways.get(&hex).cloned() else { continue };
        if way.last().is_none_or(|(_, known)| *known < spent) {
            continue;
        }
        for next in s.board.map.neighbours(hex) {
            if s.road(hex, next).is_none() {
                continue;
            }
            let by_road = way.len() < 2 || came_by_road(s, &way);
            let Some(cost) = s.step(hex, next, by_road) else { continue };
            let cost = if hex == from { cost + leave } else { cost };
            let total = spent + if foot { cost.foot } else { cost.horse };
            let better = ways.get(&next).and_then(|w| w.last()).is_none_or(|(_, known)| total < *known);
            if total <= within && better {
                let mut longer = way.clone();
                longer.push((next, total));
                ways.insert(next, longer);
                queue.insert((total, next));
            }
        }
    }
    ways
}

/// Whether the last step of a way was by road.
fn came_by_road(s: &Situation<'_>, way: &[(Hex, Halves)]) -> bool {
    match way {
        [.., (a, _), (b, _)] => s.road(*a, *b).is_some(),
        _ => false,
    }
}

//! Least costs over the map: what lies within reach of some hexes.
//!
//! Costs are small whole numbers in the caller's unit, so hexes wait in a queue by cost, and the map itself is the table.

use super::HexMap;
use super::grid::Field;
use crate::hex::{Dir, Hex};

/// Hexes that can be reached, with the least cost of each.
#[derive(Clone, Debug)]
pub struct Reach {
    costs: Field<i32>,
    hexes: Vec<Hex>,
}

impl Reach {
    /// Everything within a limit, if there is one, of some hexes. `step` says what it costs to go on from the first hex
    /// into the second, which lies in the direction given; `None` where there is no way.
    pub fn of(
        map: &HexMap,
        from: impl IntoIterator<Item = Hex>,
        limit: Option<i32>,
        step: impl Fn(Hex, Dir, Hex) -> Option<i32>,
    ) -> Reach {
        let mut reach = Reach { costs: Field::new(map, UNREACHED), hexes: Vec::new() };
        let mut queue: Vec<Vec<Hex>> = vec![Vec::new()];
        for hex in from {
            reach.nearer(hex, 0, &mut queue);
        }
        let mut spent = 0;
        while let Some(waiting) = queue.get_mut(spent) {
            let Some(hex) = waiting.pop() else {
                spent += 1;
                continue;
            };
            let here = i32::try_from(spent).unwrap_or(UNREACHED);
            // Found again at less since it began to wait.
            if reach.costs.get(hex) != Some(here) {
                continue;
            }
            for dir in Dir::ALL {
                let next = hex.neighbour(dir);
                // Most neighbours have been reached by the way that led here.
                if reach.costs.get(next).is_none_or(|known| known <= here) {
                    continue;
                }
                let Some(cost) = step(hex, dir, next) else { continue };
                let total = here.saturating_add(cost.max(0));
                if limit.is_none_or(|limit| total <= limit) {
                    reach.nearer(next, total, &mut queue);
                }
            }
        }
        reach
    }

    fn nearer(&mut self, hex: Hex, cost: i32, queue: &mut Vec<Vec<Hex>>) {
        let Some(known) = self.costs.get(hex) else { return };
        if known <= cost {
            return;
        }
        if known == UNREACHED {
            self.hexes.push(hex);
        }
        self.costs.set(hex, cost);
        let at = usize::try_from(cost).unwrap_or(0);
        if queue.len() <= at {
            queue.resize_with(at + 1, Vec::new);
        }
        if let Some(waiting) = queue.get_mut(at) {
            waiting.push(hex);
        }
    }

    /// Whether a hex can be reached.
    pub fn contains(&self, hex: Hex) -> bool {
        self.cost(hex).is_some()
    }

    /// The least cost of a hex, if it can be reached.
    pub fn cost(&self, hex: Hex) -> Option<i32> {
        self.costs.get(hex).filter(|cost| *cost != UNREACHED)
    }

    /// The hexes that can be reached, in no order that means anything.
    pub fn hexes(&self) -> &[Hex] {
        &self.hexes
    }
}

const UNREACHED: i32 = i32::MAX;

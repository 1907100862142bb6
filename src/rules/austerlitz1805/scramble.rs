//! The same game with everything changed that one side may not know: plans, what chits hold, which are decoys, which box
//! is which, where corps stand on the strategic map, what a fog turn allows. For tests.

use super::board::UnitId;
use super::fog::boxes::may_hold;
use super::mist::{Boxed, Quota};
use super::solo::mind::Mind;
use super::state::{GunPlan, Hidden, State};
use super::strategic::waiting;
use crate::fog::SideId;
use crate::noise::Noise;
use std::collections::BTreeMap;

/// The same state with the other side's secrets changed.
pub fn scramble(s: &State, keep: &SideId, noise: u64) -> State {
    let mut out = s.clone();
    let mut noise = Noise(noise);
    for (side, hidden) in out.hidden.iter_mut().filter(|(side, _)| *side != keep) {
        plans(s, side, hidden, &mut noise);
        if s.table.board.flow.is_some() {
            shroud(s, side, hidden, &mut noise);
        }
    }
    out
}

fn plans(s: &State, side: &SideId, hidden: &mut Hidden, noise: &mut Noise) {
    let own: Vec<UnitId> = s.table.of_side(side).map(|(id, _)| id.clone()).collect();
    let from = noise.below(7);
    hidden.guns = own.into_iter().skip(from).step_by(2).map(|unit| (unit, GunPlan::Hold)).collect();
    hidden.volleys.clear();
    hidden.hiding.clear();
    hidden.returns.clear();
    hidden.np = Mind { guard: noise.below(2) == 0, signal: noise.below(2) == 0, ..Mind::default() };
}

/// 16.4 As many chits on the map, and other troops in them.
fn shroud(s: &State, side: &SideId, hidden: &mut Hidden, noise: &mut Noise) {
    let t = &s.table;
    let areas: Vec<String> = t.board.strategic.zones.iter().filter(|z| z.side == *side).map(|z| z.id.clone()).collect();
    let mut pool: Vec<UnitId> = waiting(t, hidden, side).into_iter().map(|(unit, _)| unit).collect();
    pool.extend(hidden.boxes.values().flat_map(|b| b.units.clone()));
    let mut boxes: BTreeMap<u8, Boxed> = BTreeMap::new();
    let mut numbers: Vec<u8> = (1..=t.board.tables.fog.boxes).collect();
    let fog = &t.board.tables.fog;
    hidden.decoys_spent = hidden.decoys_spent.min(fog.decoys);
    let mut decoys = fog.decoys - hidden.decoys_spent;
    for old in hidden.boxes.values() {
        let number = numbers.remove(noise.below(numbers.len()));
        let mut units = Vec::new();
        if decoys > 0 && noise.below(3) == 0 {
            decoys -= 1;
        } else {
            for _ in 0..=noise.below(4) {
                let Some(at) = (!pool.is_empty()).then(|| noise.below(pool.len())) else { break };
                let more: Vec<UnitId> = units.iter().chain(pool.get(at)).cloned().collect();
                if may_hold(t, &more).is_ok() {
                    pool.remove(at);
                    units = more;
                }
            }
        }
        boxes.insert(number, Boxed { units, chit: old.chit.clone(), passed: old.passed.clone() });
    }
    hidden.boxes = boxes;
    for area in hidden.corps.values_mut() {
        if let Some(other) = areas.get(noise.below(areas.len())) {
            area.clone_from(other);
        }
    }
    if let Some(quota) = &mut hidden.quota {
        *quota = Quota { chits: u32::try_from(noise.below(5)).unwrap_or(0), columns: Some(1) };
    }
}

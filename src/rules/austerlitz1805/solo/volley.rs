//! 24.7, 24.7.2 Musketry: everybody fires who can; together at the most dangerous enemy, else at the nearest.

use super::groups;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::muskets::{able, static_targets};
use crate::rules::austerlitz1805::table::{Formation, Mood, Table};
use crate::rules::austerlitz1805::view::View;
use std::collections::{BTreeMap, BTreeSet};

/// Gaps that differ by less are the same.
const SAME: i32 = 100;

/// 24.7.1 Routed before disorganized before stunned before those in good order; A-36: the solo chapters have other words for
/// the first two.
fn broken(t: &Table, id: &UnitId) -> u8 {
    match t.unit(id).map(|u| u.mood) {
        Some(Mood::R) => 0,
        Some(Mood::D) => 1,
        Some(Mood::S) => 2,
        Some(Mood::Fit) | None => 3,
    }
}

/// 24.7, 24.7.1 Whom a single unit fires at: the nearest; of those as near, the most broken.
pub fn single(t: &Table, id: &UnitId, options: &[UnitId]) -> Option<UnitId> {
    let key = |e: &&UnitId| (t.gap(id, e).units() / SAME, broken(t, e), (*e).clone());
    options.iter().min_by_key(key).cloned()
}

/// 24.7 The lines of a musketry phase: units that share a target fire at the most dangerous one together.
pub fn lines(v: &View) -> Vec<String> {
    let (t, me) = (&v.table, v.me());
    let free = |id: &UnitId| {
        let form = t.unit(id).map(|u| u.form);
        able(t, id) && t.combat_of(id).is_none() && form != Some(Formation::Square)
    };
    let mut targets: BTreeMap<UnitId, Vec<UnitId>> = BTreeMap::new();
    for (id, _) in t.of_side(&me).filter(|(id, _)| free(id)) {
        for enemy in static_targets(t, id) {
            targets.entry(enemy).or_default().push(id.clone());
        }
    }
    let mut shared: Vec<(UnitId, Vec<UnitId>)> = targets.into_iter().filter(|(_, by)| by.len() > 1).collect();
    shared.sort_by_key(|(e, _)| (-groups::strength(v, e), e.clone()));
    let mut fired: BTreeSet<UnitId> = BTreeSet::new();
    let mut lines = Vec::new();
    for (enemy, by) in shared {
        let by: Vec<&str> = by.iter().filter(|id| !fired.contains(*id)).map(|id| id.0.as_str()).collect();
        if by.len() > 1 {
            lines.push(format!("VOLLEY {} AT {enemy}", by.join(" AND ")));
            fired.extend(by.into_iter().map(|id| UnitId(id.to_owned())));
        }
    }
    lines
}

//! The order of the Organization Display: one row a force, in the scenario's order, with its letter (¶34-39).

use crate::hex::Hex;
use crate::rules::campaigns::board::{Board, LeaderId, UnitId};
use crate::rules::campaigns::pieces::{Pieces, Track};

/// A row of the Display.
pub struct Row {
    /// Its letter, also on the theatre sheet.
    pub letter: char,
    /// Who heads it.
    pub head: Head,
    /// Where it stands.
    pub hex: Hex,
    /// Subordinates on his portrait, in order.
    pub under: Vec<LeaderId>,
    /// Its SP.
    pub sp: i32,
}

/// Who heads a row.
pub enum Head {
    /// A leader whose counter stands on the map.
    Leader(LeaderId),
    /// A garrison.
    Garrison(UnitId),
}

/// The rows of a side: leaders in the order of the set-up, then reinforcements, then garrisons by hex.
pub fn rows(board: &Board, pieces: &Pieces) -> Vec<Row> {
    let mut leaders: Vec<(&LeaderId, Hex)> = pieces.on_map().collect();
    leaders.sort_by_cached_key(|(id, _)| rank(board, pieces, id));
    let strengths = pieces.strengths();
    let mut rows: Vec<Row> = Vec::new();
    for (id, hex) in leaders {
        let mut under: Vec<LeaderId> = pieces.force(id).into_iter().filter(|l| l != id).collect();
        under.sort_by_cached_key(|l| rank(board, pieces, l));
        let sp = strengths.get(id).copied().unwrap_or(0);
        rows.push(Row { letter: ' ', head: Head::Leader(id.clone()), hex, under, sp });
    }
    let mut garrisons: Vec<(Hex, &UnitId, i32)> = pieces
        .units
        .iter()
        .filter_map(|(id, u)| match u.track {
            Track::Garrison(hex) => Some((hex, id, u.sp)),
            Track::Of(_) | Track::Waiting => None,
        })
        .collect();
    garrisons.sort();
    rows.extend(garrisons.into_iter().map(|(hex, id, sp)| Row {
        letter: ' ',
        head: Head::Garrison(id.clone()),
        hex,
        under: Vec::new(),
        sp,
    }));
    for (letter, row) in ('A'..='Z').chain(std::iter::repeat('Z')).zip(&mut rows) {
        row.letter = letter;
    }
    rows
}

/// The place of a leader in the scenario's own order.
pub fn rank(board: &Board, pieces: &Pieces, leader: &LeaderId) -> (usize, LeaderId) {
    let setup = board.setup.get(&pieces.side).map(|s| s.forces.as_slice()).unwrap_or_default();
    let placed = setup.iter().position(|f| f.leader.as_ref() == Some(leader));
    let comes = || board.reinforcements.iter().position(|r| r.leader == *leader).map(|at| setup.len() + at);
    (placed.or_else(comes).unwrap_or(usize::MAX), leader.clone())
}

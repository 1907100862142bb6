//! What the store and the tests need of the truth: rows for the umpire, a digest, and the scrambling of all that a side
//! may not know.

use super::board::LeaderId;
use super::intel::Intel;
use super::pieces::{Pieces, Place, Track, Vedette};
use super::state::State;
use crate::fog::SideId;
use crate::rules::kept::{Body, Cell, Row};

/// The truth as text, for comparison only.
pub fn digest(s: &State) -> Body {
    let sides: Vec<String> = s.sides.values().map(|p| format!("{p:?}")).collect();
    Body::write(&(s.turn, &s.at, sides, s.morale, &s.damaged))
}

/// Hidden pieces as rows.
pub fn rows(s: &State, minds: &[(SideId, Intel)]) -> Vec<Row> {
    let mut rows = Vec::new();
    for pieces in s.sides.values() {
        display_rows(s, pieces, &mut rows);
        vedette_rows(s, pieces, &mut rows);
    }
    for (side, mind) in minds {
        intel_rows(side, mind, &mut rows);
    }
    rows
}

fn text(value: impl ToString) -> Cell {
    Cell::Text(value.to_string())
}

fn display_rows(s: &State, pieces: &Pieces, rows: &mut Vec<Row>) {
    for (id, unit) in &pieces.units {
        let (leader, hex) = match &unit.track {
            Track::Of(leader) => (Some(leader), pieces.hex(leader)),
            Track::Garrison(hex) => (None, Some(*hex)),
            Track::Waiting => (None, None),
        };
        let under: Option<LeaderId> = leader.and_then(|l| pieces.leaders.get(l)).and_then(|l| l.under.clone());
        let forage = leader.and_then(|l| pieces.leaders.get(l)).is_some_and(|l| l.forage);
        let arm = s.board.units.get(id).map_or("", |u| match u.arm {
            super::board::Arm::Infantry => "infantry",
            super::board::Arm::Cavalry => "cavalry",
            super::board::Arm::Artillery => "artillery",
        });
        rows.push(Row {
            table: "organization_display",
            columns: vec![
                ("side", text(&pieces.side)),
                ("leader", leader.map_or(Cell::Null, text)),
                ("under", under.map_or(Cell::Null, text)),
                ("hex", hex.map_or(Cell::Null, text)),
                ("unit", text(id)),
                ("arm", text(arm)),
                ("sp", Cell::Int(unit.sp.into())),
                ("mode", text(if forage { "forage" } else { "concentrated" })),
            ],
        });
    }
}

fn vedette_rows(s: &State, pieces: &Pieces, rows: &mut Vec<Row>) {
    for (n, vedette) in &pieces.vedettes {
        let hex = match vedette {
            Vedette::At(hex) => text(hex),
            Vedette::Pool | Vedette::Portrait(_) => Cell::Null,
        };
        let up = s.face_up.contains(&(pieces.side.clone(), super::pieces::Piece::Vedette(*n)));
        rows.push(Row {
            table: "vedettes",
            columns: vec![
                ("side", text(&pieces.side)),
                ("vedette", text(n)),
                ("hex", hex),
                ("face", text(if up { "up" } else { "down" })),
            ],
        });
    }
}

fn intel_rows(side: &SideId, mind: &Intel, rows: &mut Vec<Row>) {
    for (n, tag) in &mind.tags {
        let tie = tag.tie.as_ref();
        let what = tie.map_or(Cell::Null, |t| match &t.ident {
            super::intel::Ident::Leader(id) => text(id),
            super::intel::Ident::Vedette => text("vedette"),
            super::intel::Ident::Garrison => text("garrison"),
        });
        let sp = tie.and_then(|t| t.sp).map_or(Cell::Null, |(sp, _)| Cell::Int(sp.into()));
        rows.push(Row {
            table: "intel",
            columns: vec![
                ("side", text(side)),
                ("tag", text(format!("E{n}"))),
                ("hex", text(tag.hex)),
                ("what", what),
                ("sp", sp),
                ("learnt_turn", tie.map_or(Cell::Null, |t| Cell::Int(t.turn.into()))),
                (
                    "confidence",
                    tie.map_or(text("none"), |t| if t.of == 1 { text("sure") } else { text(format!("1 of {}", t.of)) }),
                ),
            ],
        });
    }
}

/// Everything outside a side's knowledge changed, within the rules: strengths, identities, points, plans.
pub fn scramble(s: &State, minds: &[(SideId, Intel)], keep: &SideId, noise: u64) -> State {
    let mut other = s.clone();
    let foe = s.enemy(keep);
    let known: Vec<LeaderId> = minds
        .iter()
        .filter(|(side, _)| side == keep)
        .flat_map(|(_, mind)| mind.tags.values())
        .filter_map(|t| match &t.face {
            Some(super::pieces::Piece::Leader(id)) => Some(id.clone()),
            _ => None,
        })
        .collect();
    let Some(pieces) = other.pieces_mut(&foe) else { return other };
    let mut noise = noise;
    let mut next = |most: i32| -> i32 {
        // A fixed linear congruence: the test's noise, not a game's dice.
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i32::try_from((noise >> 33) % u64::from(most.unsigned_abs().max(1))).unwrap_or(0)
    };
    pieces.army.ap = next(20);
    for plan in pieces.plans.values_mut() {
        plan.clear();
    }
    for unit in pieces.units.values_mut().filter(|u| matches!(u.track, Track::Of(_))) {
        unit.sp = 1 + next(8);
    }
    swap_leaders(pieces, &known, &mut next);
    other
}

/// Swaps the places of force leaders that the other side cannot tell apart.
fn swap_leaders(pieces: &mut Pieces, known: &[LeaderId], next: &mut impl FnMut(i32) -> i32) {
    let free: Vec<(LeaderId, Place)> = pieces
        .leaders
        .iter()
        .filter(|(id, l)| matches!(l.place, Place::At(_)) && l.under.is_none() && !known.contains(id))
        .map(|(id, l)| (id.clone(), l.place))
        .collect();
    let mut places: Vec<Place> = free.iter().map(|(_, p)| *p).collect();
    for i in (1..places.len()).rev() {
        let j = usize::try_from(next(i32::try_from(i + 1).unwrap_or(1))).unwrap_or(0);
        places.swap(i, j);
    }
    for ((id, _), place) in free.iter().zip(places) {
        for member in pieces.force(id) {
            if let Some(l) = pieces.leaders.get_mut(&member) {
                l.place = place;
            }
        }
    }
}

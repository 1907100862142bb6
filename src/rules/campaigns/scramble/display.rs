//! The other side's Organization Display: who leads whom, which units, how strong, in which mode (¶29-30, 33).

use super::known::Known;
use super::noise::Noise;
use crate::rules::campaigns::board::{Board, LeaderId, UnitId};
use crate::rules::campaigns::march::stack;
use crate::rules::campaigns::organization::span;
use crate::rules::campaigns::pieces::{Pieces, Place, Track, Vedette};

/// Tries for each piece.
const TRIES: usize = 3;

/// Changes the display within the rules.
pub fn scramble(board: &Board, pieces: &mut Pieces, known: &Known, noise: &mut Noise) {
    if !known.subordinates {
        swap_subordinates(board, pieces, known, noise);
    }
    swap_units(board, pieces, known, noise);
    strengths(board, pieces, known, noise);
    modes(board, pieces, known, noise);
    trains(pieces, noise);
    portraits(pieces, noise);
}

/// Subordinates change force leaders, with all their troops, where spans allow it.
fn swap_subordinates(board: &Board, pieces: &mut Pieces, known: &Known, noise: &mut Noise) {
    let under = |(id, l): (&LeaderId, &crate::rules::campaigns::pieces::Leader)| {
        l.under.as_ref().filter(|chief| !known.strengths.contains(*chief)).map(|_| id.clone())
    };
    let all: Vec<LeaderId> = pieces.leaders.iter().filter_map(under).collect();
    for _ in 0..all.len() * TRIES {
        let (Some(a), Some(b)) = (noise.pick(&all), noise.pick(&all)) else { return };
        let mut trial = pieces.clone();
        let (Some(first), Some(second)) = (trial.leaders.get(&a).cloned(), trial.leaders.get(&b).cloned()) else {
            continue;
        };
        if first.under == second.under {
            continue;
        }
        for (id, now) in [(&a, &second), (&b, &first)] {
            if let Some(l) = trial.leaders.get_mut(id) {
                l.place = now.place;
                l.under.clone_from(&now.under);
                l.forage = now.forage;
            }
        }
        if span::legal(board, &trial, &a).is_ok() && span::legal(board, &trial, &b).is_ok() && stacked(board, &trial) {
            *pieces = trial;
        }
    }
}

/// Units change tracks in pairs, where spans allow it.
fn swap_units(board: &Board, pieces: &mut Pieces, known: &Known, noise: &mut Noise) {
    let on_tracks: Vec<UnitId> = pieces
        .units
        .keys()
        .filter(|id| carrier(pieces, id).is_some_and(|l| !fixed(pieces, known, &l)))
        .filter(|id| pieces.formation(board, id).len() == 1)
        .cloned()
        .collect();
    for _ in 0..on_tracks.len() * TRIES {
        let (Some(a), Some(b)) = (noise.pick(&on_tracks), noise.pick(&on_tracks)) else { return };
        let (Some(first), Some(second)) = (carrier(pieces, &a), carrier(pieces, &b)) else { continue };
        if first == second {
            continue;
        }
        let trial = span::assigned(board, &span::assigned(board, pieces, &a, &second), &b, &first);
        let sound = |l: &LeaderId| span::legal(board, &trial, l).is_ok();
        if sound(&first) && sound(&second) && stacked(board, &trial) {
            *pieces = trial;
        }
    }
}

/// ¶16: any strength from one to the maximum, as far as the stack can bear it.
fn strengths(board: &Board, pieces: &mut Pieces, known: &Known, noise: &mut Noise) {
    let ids: Vec<UnitId> = pieces.units.keys().cloned().collect();
    for id in ids {
        let Some(leader) = carrier(pieces, &id) else { continue };
        if fixed(pieces, known, &leader) {
            continue;
        }
        let most = board.units.get(&id).map_or(1, |u| u.max_sp);
        let before = pieces.units.get(&id).map_or(1, |u| u.sp);
        let mut sp = 1 + noise.below(most);
        if sp == before {
            sp = before % most + 1;
        }
        set_sp(pieces, &id, sp);
        if span::legal(board, pieces, &leader).is_err() || !stacked(board, pieces) {
            set_sp(pieces, &id, before.min(sp));
        }
    }
}

fn set_sp(pieces: &mut Pieces, id: &UnitId, sp: i32) {
    if let Some(u) = pieces.units.get_mut(id) {
        u.sp = sp;
    }
}

/// ¶271, 278: forces forage or not.
fn modes(board: &Board, pieces: &mut Pieces, known: &Known, noise: &mut Noise) {
    if !board.policies.forage {
        return;
    }
    let chiefs: Vec<LeaderId> = pieces.on_map().map(|(id, _)| id.clone()).collect();
    for chief in chiefs.into_iter().filter(|c| !known.leaders.contains(c)) {
        let forage = noise.below(3) == 0;
        for member in pieces.force(&chief) {
            if let Some(l) = pieces.leaders.get_mut(&member) {
                l.forage = forage;
            }
        }
    }
}

/// ¶255: which leaders have bridge trains.
fn trains(pieces: &mut Pieces, noise: &mut Noise) {
    let ids: Vec<LeaderId> = pieces.on_map().map(|(id, _)| id.clone()).collect();
    let mut trains: Vec<bool> = ids.iter().filter_map(|id| pieces.leaders.get(id)).map(|l| l.train).collect();
    noise.shuffle(&mut trains);
    for (id, train) in ids.iter().zip(trains) {
        if let Some(l) = pieces.leaders.get_mut(id) {
            l.train = train;
        }
    }
}

/// ¶368: on whose portraits vedettes wait.
fn portraits(pieces: &mut Pieces, noise: &mut Noise) {
    let leaders: Vec<LeaderId> = pieces.on_map().map(|(id, _)| id.clone()).collect();
    for vedette in pieces.vedettes.values_mut() {
        if let (Vedette::Portrait(leader), Some(other)) = (vedette, noise.pick(&leaders)) {
            *leader = other;
        }
    }
}

fn carrier(pieces: &Pieces, unit: &UnitId) -> Option<LeaderId> {
    match &pieces.units.get(unit)?.track {
        Track::Of(leader) if pieces.hex(leader).is_some() => Some(leader.clone()),
        Track::Of(_) | Track::Garrison(_) | Track::Waiting => None,
    }
}

/// Whether a leader's strength has been stated, his own or that of the force he is in.
fn fixed(pieces: &Pieces, known: &Known, leader: &LeaderId) -> bool {
    known.strengths.contains(leader) || known.strengths.contains(pieces.head_of(leader))
}

/// ¶216, 293: whether every hex holds no more than it may.
fn stacked(board: &Board, pieces: &Pieces) -> bool {
    let mut hexes: Vec<_> = pieces
        .leaders
        .values()
        .filter_map(|l| match l.place {
            Place::At(hex) => Some(hex),
            Place::Waiting | Place::Off(_) | Place::Gone(_) | Place::Bound(_) => None,
        })
        .collect();
    hexes.sort();
    hexes.dedup();
    hexes.into_iter().all(|hex| pieces.sp_at(hex) <= stack::limit(board, pieces, hex))
}

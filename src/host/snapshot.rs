//! A game at a rest point, in bytes: it goes on from there without what lies before it in the chain.
//!
//! A snapshot is a cache. It is made only where all seats have just been told where they stand, so that what each knows follows
//! from the position; whatever came before is missing from a game opened there, and noted when it is asked for.

use super::hosted::{Hosted, Rolled, Told};
use super::paper::Paper;
use super::past::{Lengths, Past, Recent};
use super::slots::Slots;
use crate::dice::Roll;
use crate::lent;
use crate::rules::cx::{self, Base, Counts};
use crate::rules::journal::{Books, Desk};
use crate::rules::kept::{Body, Truth};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What cannot be made of the chain behind it.
#[derive(Serialize, Deserialize)]
struct Position<S, I> {
    lengths: Lengths,
    /// What was told and rolled in the turn that is played: from which place of the chain on, the latest turn before that, by side
    /// place and turn of each sighting with its body, and the rolls with place, turn and slot.
    from: usize,
    latest_behind: u32,
    told: Vec<Vec<(usize, u32, String)>>,
    rolls: Vec<(usize, u32, u32, Roll)>,
    slot: u32,
    turn: u32,
    slots: Slots,
    state: S,
    /// What each side has learnt, in the order of sides.
    minds: Vec<I>,
    counts: Counts,
    desk: Desk,
    kept: Option<Books>,
}

/// What a side was told, read back.
fn told<R: Paper>(kept: Vec<(usize, u32, String)>) -> Result<Vec<Told<R::Sighting>>, String> {
    let read = |(at, turn, text): (usize, u32, String)| {
        let body = R::decode_sighting(&Body::from_text(text)).map_err(|error| error.to_string())?;
        // Where seats know only their own, there is no snapshot.
        Ok(Told { at, turn, body, deaf: BTreeSet::new() })
    };
    kept.into_iter().map(read).collect()
}

impl<R: Paper> Hosted<R> {
    /// The game as it stands, where it can be gone on from there: play rests, and every seat was told so by the last letters.
    /// Where seats know only their own it cannot: what they know hangs on all that they were told before.
    pub(super) fn snapshot_now(&self) -> Option<Vec<u8>> {
        let (core, past) = (&self.core, &self.past);
        let rests = past.last_rest().is_some_and(|rest| rest.at == past.entries);
        let told = core.posts.iter().all(|post| post.barrier == past.entries);
        (rests && told && self.is_at_rest() && !self.over()).then(|| self.position()).flatten()
    }

    fn is_at_rest(&self) -> bool {
        let core = &self.core;
        core.begun && core.otherwise.is_none() && core.known.is_empty() && core.desk.staff.own_sight().is_none()
    }

    /// The position at the last rest point, in bytes: the same for equal positions.
    pub(super) fn position(&self) -> Option<Vec<u8>> {
        let core = &self.core;
        let recent = self.past.recent(core.turn);
        let body = |told: &Told<R::Sighting>| cx::encode::<R>(Truth::Sighting(&told.body)).text().to_owned();
        let side = |told: &Vec<Told<R::Sighting>>| told.iter().map(|told| (told.at, told.turn, body(told))).collect();
        let position = Position {
            lengths: self.past.lengths(),
            from: recent.from,
            latest_behind: recent.behind,
            told: recent.told.iter().map(side).collect(),
            rolls: recent.rolls.into_iter().map(|r| (r.at, r.turn, r.slot, r.roll)).collect(),
            slot: core.slot,
            turn: core.turn,
            slots: core.slots.clone(),
            state: core.base.state.clone(),
            minds: core.base.minds.iter().map(|(_, mind)| mind.clone()).collect(),
            counts: core.base.counts.clone(),
            desk: core.desk.clone(),
            kept: core.desk.kept().map(|books| (*books).clone()),
        };
        rmp_serde::to_vec_named(&position).ok()
    }

    /// Puts a game that is as it was before anything happened where a snapshot has it.
    pub(super) fn stand_at(&mut self, snapshot: &[u8]) -> Result<(), String> {
        let printed = R::printed(&self.ground.laid.state);
        let read = lent::lending(printed, || rmp_serde::from_slice::<Position<R::State, R::Intel>>(snapshot));
        let position = read.map_err(|error| format!("the snapshot cannot be read: {error}"))?;
        let sides = &self.ground.sides;
        if position.minds.len() != sides.len() || position.lengths.told.len() != sides.len() {
            return Err("the snapshot is of a game with other sides".to_owned());
        }
        let minds = sides.iter().cloned().zip(position.minds).collect();
        let core = &mut self.core;
        core.base = Base { state: position.state, minds, counts: position.counts };
        core.now = core.base.clone();
        core.known.clear();
        (core.slot, core.turn, core.slots) = (position.slot, position.turn, position.slots);
        core.marks.clone_from(&position.lengths.told);
        core.desk.take_books(position.desk);
        core.desk.go_back(position.kept.map(std::sync::Arc::new));
        let (from, behind) = (position.from, position.latest_behind);
        let told = position.told.into_iter().map(told::<R>).collect::<Result<_, _>>()?;
        let rolls = position.rolls.into_iter().map(|(at, turn, slot, roll)| Rolled { at, turn, slot, roll }).collect();
        self.past = Past::behind(&position.lengths, Recent { from, behind, told, rolls });
        Ok(())
    }

    /// Whether a snapshot is what the chain before it comes to.
    pub(super) fn follows_from(&self, entries: &[(u32, String, String)], snapshot: &[u8]) -> bool {
        self.refolded(entries).and_then(|game| game.position()).is_some_and(|position| position == snapshot)
    }
}

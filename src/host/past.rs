//! What only grows of a hosted game. Where it was opened at a snapshot, what lies before that is not at hand: who asks for it
//! is noted, and whoever hosts the game opens it whole and does his work again.

use super::hosted::{RestAt, Rolled, Told};
use super::paper::Paper;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A list that grows at its end.
#[derive(Clone)]
struct Tail<T> {
    /// How many stand before those at hand.
    behind: usize,
    list: Vec<T>,
}

impl<T> Tail<T> {
    /// A list that is so long, of which the end is at hand.
    fn of(length: usize, list: Vec<T>) -> Tail<T> {
        Tail { behind: length.saturating_sub(list.len()), list }
    }

    fn len(&self) -> usize {
        self.behind + self.list.len()
    }

    fn truncate(&mut self, length: usize) {
        self.list.truncate(length.saturating_sub(self.behind));
    }
}

/// How much of each there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lengths {
    /// Entries of the chain.
    pub entries: usize,
    /// Sightings by side, in the order of sides.
    pub told: Vec<usize>,
    rolls: usize,
    events: usize,
    rests: usize,
}

/// What was told and rolled of late.
pub(super) struct Recent<R: Paper> {
    /// The place of the chain from which on all of it stands here.
    pub from: usize,
    /// The latest turn of which anything was told or rolled before that.
    pub behind: u32,
    /// By side, in the order of sides.
    pub told: Vec<Vec<Told<R::Sighting>>>,
    pub rolls: Vec<Rolled>,
}

/// What only grows.
pub(super) struct Past<R: Paper> {
    /// Entries of the chain so far.
    pub entries: usize,
    /// The place of the chain at which it was opened: no event, rest point or view of before is at hand.
    opened: usize,
    /// The place from which on all that was told and rolled is at hand.
    horizon: usize,
    /// The latest turn of which something may have been told or rolled before that; 0 where all is at hand.
    latest_behind: u32,
    /// Sightings by side, in the order of sides.
    told: Vec<Tail<Told<R::Sighting>>>,
    /// Rolls, also of play that was taken back.
    rolls: Tail<Rolled>,
    /// Events that stand.
    events: Tail<(usize, R::Event)>,
    /// Rest points that stand.
    rests: Tail<RestAt<R>>,
    /// Whether something was asked for that is not at hand, of this or of a copy.
    reached: Arc<AtomicBool>,
}

impl<R: Paper> Past<R> {
    /// Before anything has happened.
    pub(super) fn none(sides: usize) -> Past<R> {
        let lengths = Lengths { entries: 0, told: vec![0; sides], rolls: 0, events: 0, rests: 0 };
        let recent = Recent { from: 0, behind: 0, told: Vec::new(), rolls: Vec::new() };
        Past::behind(&lengths, recent)
    }

    /// Behind a place of the chain, with what was told and rolled of late.
    pub(super) fn behind(lengths: &Lengths, recent: Recent<R>) -> Past<R> {
        let mut told = recent.told.into_iter();
        let tails = lengths.told.iter().map(|length| Tail::of(*length, told.next().unwrap_or_default()));
        Past {
            entries: lengths.entries,
            opened: lengths.entries,
            horizon: recent.from,
            latest_behind: recent.behind,
            told: tails.collect(),
            rolls: Tail::of(lengths.rolls, recent.rolls),
            events: Tail::of(lengths.events, Vec::new()),
            rests: Tail::of(lengths.rests, Vec::new()),
            reached: Arc::default(),
        }
    }

    /// What was told and rolled in a turn that is not over, back to the last of another turn: by REPORT it is asked for again.
    pub(super) fn recent(&self, turn: u32) -> Recent<R> {
        let other = |at: usize, of: u32| if of == turn { None } else { Some(at) };
        let told = self.told.iter().filter_map(|tail| tail.list.iter().rev().find_map(|t| other(t.at, t.turn)));
        let rolled = self.rolls.list.iter().rev().find_map(|rolled| other(rolled.at, rolled.turn));
        let from = told.chain(rolled).max().map_or(0, |at| at + 1);
        let late = |tail: &Tail<Told<R::Sighting>>| -> Vec<Told<R::Sighting>> {
            tail.list.iter().filter(|told| told.at >= from).cloned().collect()
        };
        let told: Vec<Vec<Told<R::Sighting>>> = self.told.iter().map(late).collect();
        let rolls: Vec<Rolled> = self.rolls.list.iter().filter(|rolled| rolled.at >= from).cloned().collect();
        let first = told.iter().flatten().map(|told| told.at).chain(rolls.iter().map(|rolled| rolled.at)).min();
        let from = first.unwrap_or(self.entries);
        let before = self.told.iter().flat_map(|tail| &tail.list).map(|told| (told.at, told.turn));
        let before = before.chain(self.rolls.list.iter().map(|rolled| (rolled.at, rolled.turn)));
        let behind = before.filter(|(at, _)| *at < from).map(|(_, turn)| turn).max().unwrap_or(0);
        Recent { from, behind: behind.max(self.latest_behind), told, rolls }
    }

    pub(super) fn lengths(&self) -> Lengths {
        Lengths {
            entries: self.entries,
            told: self.told_lengths(),
            rolls: self.rolls.len(),
            events: self.events.len(),
            rests: self.rests.len(),
        }
    }

    /// Takes back all that has come since.
    pub(super) fn shorten(&mut self, to: &Lengths) {
        self.entries = to.entries;
        self.rolls.truncate(to.rolls);
        self.events.truncate(to.events);
        self.rests.truncate(to.rests);
        for (tail, length) in self.told.iter_mut().zip(&to.told) {
            tail.truncate(*length);
        }
    }

    /// Notes that an event, a rest point or a view of a place of the chain is asked for.
    pub(super) fn reach(&self, at: usize) {
        self.note(at < self.opened);
    }

    fn note(&self, short: bool) {
        if short {
            self.reached.store(true, Ordering::Relaxed);
        }
    }

    /// Whether something was asked for that is not at hand.
    pub(super) fn is_reached(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    /// The place from which on all that was told and rolled is at hand.
    pub(super) fn horizon(&self) -> usize {
        self.horizon
    }

    /// The place of the chain from which on all stands that is of a turn or a later one, at a place or behind it.
    pub(super) fn since_turn(&self, turn: u32, from: usize) -> usize {
        if turn > self.latest_behind { self.horizon.max(from) } else { from }
    }

    /// What a side was told from a place of the chain on.
    pub(super) fn told(&self, side: usize, from: usize) -> &[Told<R::Sighting>] {
        self.note(from < self.horizon);
        let all = self.told.get(side).map_or(&[][..], |tail| tail.list.as_slice());
        all.get(all.partition_point(|told| told.at < from)..).unwrap_or_default()
    }

    /// How many sightings each side was told.
    pub(super) fn told_lengths(&self) -> Vec<usize> {
        self.told.iter().map(Tail::len).collect()
    }

    /// How many sightings a side was told.
    pub(super) fn told_length(&self, side: usize) -> Option<usize> {
        self.told.get(side).map(Tail::len)
    }

    /// How many sightings a side was told before those that are at hand.
    pub(super) fn told_behind(&self, side: usize) -> usize {
        self.told.get(side).map_or(0, |tail| tail.behind)
    }

    pub(super) fn tell(&mut self, side: usize, told: Told<R::Sighting>) {
        if let Some(tail) = self.told.get_mut(side) {
            tail.list.push(told);
        }
    }

    /// Rolls from a place of the chain on.
    pub(super) fn rolls(&self, from: usize) -> &[Rolled] {
        self.note(from < self.horizon);
        let all = self.rolls.list.as_slice();
        all.get(all.partition_point(|rolled| rolled.at < from)..).unwrap_or_default()
    }

    /// How many rolls there are, and those behind so many.
    pub(super) fn rolls_behind(&self, count: usize) -> (usize, &[Rolled]) {
        self.note(count < self.rolls.behind);
        let all = self.rolls.list.as_slice();
        (self.rolls.len(), all.get(count.saturating_sub(self.rolls.behind)..).unwrap_or_default())
    }

    pub(super) fn roll(&mut self, rolled: Rolled) {
        self.rolls.list.push(rolled);
    }

    /// All events, each with its place in the chain.
    pub(super) fn events(&self) -> &[(usize, R::Event)] {
        self.reach(0);
        &self.events.list
    }

    pub(super) fn happen(&mut self, event: R::Event) {
        self.events.list.push((self.entries, event));
    }

    /// All rest points.
    pub(super) fn rests(&self) -> &[RestAt<R>] {
        self.reach(0);
        &self.rests.list
    }

    /// How many rest points there are.
    pub(super) fn rests_count(&self) -> usize {
        self.rests.len()
    }

    /// The last rest point, where it is at hand.
    pub(super) fn last_rest(&self) -> Option<&RestAt<R>> {
        self.rests.list.last()
    }

    pub(super) fn rest(&mut self, rest: RestAt<R>) {
        self.rests.list.push(rest);
    }

    /// Whether anything has happened, or play has rested.
    pub(super) fn has_begun(&self) -> bool {
        self.events.len() > 0 || self.rests.len() > 0
    }

    /// Forgets what came behind a rest point, by its number from 1: what stands there, if there is one.
    pub(super) fn go_back(&mut self, rest: usize) -> Option<RestAt<R>> {
        let found = self.rests().get(rest.checked_sub(1)?).cloned()?;
        self.rests.truncate(rest);
        self.events.list.retain(|(place, _)| *place < found.at);
        for tail in &mut self.told {
            tail.list.retain(|told| told.at < found.at);
        }
        Some(found)
    }
}

impl<R: Paper> Clone for Past<R> {
    fn clone(&self) -> Self {
        Past {
            entries: self.entries,
            opened: self.opened,
            horizon: self.horizon,
            latest_behind: self.latest_behind,
            told: self.told.clone(),
            rolls: self.rolls.clone(),
            events: self.events.clone(),
            rests: self.rests.clone(),
            reached: Arc::clone(&self.reached),
        }
    }
}

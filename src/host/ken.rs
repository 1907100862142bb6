//! What one of several seats knows that know only their own: the side's knowledge, narrowed at every rest point.
//!
//! The chain holds what each side was told. What a seat has of it follows from where its pieces stood at the rest point
//! before, so that nothing more is kept, and a game opened again gives each seat the same.

use super::Input;
use super::barrier::Post;
use super::hosted::{Hosted, Rolled, Told, look};
use super::paper::Paper;
use crate::dice::{Owner, Scope};
use crate::fog::{SeatId, SideId};
use crate::rules::kept::Body;
use std::collections::BTreeSet;

impl<R: Paper> Hosted<R> {
    /// Whether a seat knows only its own.
    pub(super) fn knows_own(&self, seat: &SeatId) -> bool {
        let staff = &self.core.desk.staff;
        staff.own_sight().is_some() && staff.chair(seat).is_some()
    }

    /// What a seat knows where play stands.
    pub(super) fn look_for(&self, at: usize) -> Option<R::View> {
        let post = self.core.posts.get(at)?;
        let now = look(&self.core.now, &post.side);
        if !self.knows_own(&post.seat) {
            return Some(now);
        }
        Some(R::narrow(self.core.kens.get(at), now, &self.core.desk.staff, &post.seat))
    }

    /// At a rest point: what each seat knows from now on.
    pub(super) fn remember(&mut self) {
        if self.core.desk.staff.own_sight().is_some() {
            self.core.kens = (0..self.core.posts.len()).filter_map(|at| self.look_for(at)).collect();
        }
    }

    /// The seats of a side that do not hear what it is told now.
    pub(super) fn deaf(&self, side: &SideId, told: &R::Sighting) -> BTreeSet<SeatId> {
        let staff = &self.core.desk.staff;
        if staff.own_sight().is_none() || staff.chairs(side).is_empty() {
            return BTreeSet::new();
        }
        let view = look(&self.core.base, side);
        let chairs = staff.chairs(side).into_iter();
        chairs.map(|chair| &chair.seat).filter(|seat| !R::heeds(&view, staff, seat, told)).cloned().collect()
    }

    /// What a seat was told from a place of the chain on, oldest first.
    pub(super) fn told_to<'a>(&'a self, post: &'a Post<R>, from: usize) -> impl Iterator<Item = &'a Told<R::Sighting>> {
        let told = self.side_index(&post.side).map_or(&[][..], |side| self.past.told(side, from));
        told.iter().filter(|told| !told.deaf.contains(&post.seat))
    }

    /// How much a seat was told before a place of the chain.
    pub(super) fn heard_before(&self, post: &Post<R>, at: usize) -> usize {
        // Where seats know only their own, a game is at hand from its beginning.
        let behind = self.side_index(&post.side).map_or(0, |side| self.past.told_behind(side));
        behind + self.told_to(post, self.past.horizon()).take_while(|told| told.at < at).count()
    }

    /// Of two places in all that its side was told, those in what a seat was told.
    pub(super) fn heard_at(&self, post: &Post<R>, (start, end): (usize, usize)) -> (usize, usize) {
        let Some(side) = self.side_index(&post.side).filter(|_| self.knows_own(&post.seat)) else {
            return (start, end);
        };
        let told = self.past.told(side, 0);
        let before = |at: usize| told.iter().take(at).filter(|told| !told.deaf.contains(&post.seat)).count();
        (before(start), before(end))
    }

    /// Whether a seat may see a roll: where it knows only its own, none that the leader of another seat made, and of
    /// the public ones those alone whose outcome it was told.
    pub(super) fn sees_roll(&self, post: &Post<R>, rolled: &Rolled) -> bool {
        let roll = &rolled.roll;
        if !roll.scope.open_to(&post.side) || !self.knows_own(&post.seat) {
            return roll.scope.open_to(&post.side);
        }
        if roll.scope == Scope::Public {
            return self.hears_of(post, rolled.at);
        }
        match roll.owner.clone().or_else(|| self.owner_by_label(post, &roll.label)) {
            Some(Owner::Army) => true,
            Some(Owner::Leader(line)) => self.core.desk.staff.obeys(&post.side, &line) == Some(&post.seat),
            Some(Owner::Rider) | None => false,
        }
    }

    /// Whether a seat was told what its side was told first after a place of the chain: a roll stands before its outcome.
    fn hears_of(&self, post: &Post<R>, at: usize) -> bool {
        let next = self.side_index(&post.side).and_then(|side| self.past.told(side, at).first());
        next.is_some_and(|told| !told.deaf.contains(&post.seat))
    }

    /// Who rolled, of a chain whose rolls don't say it: by what stands behind the purpose of the label, if that is the
    /// id of a leader, whole. A purpose alone is the army's; of all else nobody can tell, so that no seat sees it.
    fn owner_by_label(&self, post: &Post<R>, label: &str) -> Option<Owner> {
        let mut parts = label.split('/').skip(1).peekable();
        if parts.peek().is_none() {
            return Some(Owner::Army);
        }
        let staff = &self.core.desk.staff;
        let leader = parts.find(|part| staff.leaders().any(|(id, _)| id == part))?;
        Some(Owner::Leader(R::line(&post.view, leader)))
    }

    /// Where a kept chain is folded: who of several seats resigns or comes back, as his leaders then obey another; where an
    /// epoch of dice begins; and which standing answers are set.
    pub(super) fn fold_input(&mut self, body: &Body) {
        self.keep_answers();
        let input = body.read();
        if let Ok(Input::Doctrine { seat, key, value, mail: _ }) = &input {
            self.core.desk.set(seat, key, value);
        }
        if let Ok(Input::Restored { epoch }) = &input {
            self.epoch_begins(epoch);
        }
        if let Ok(Input::Anew { end }) = &input {
            self.slots_passed(*end);
        }
        if self.core.desk.staff.own_sight().is_none() {
            return;
        }
        let (seat, resigned) = match input {
            Ok(Input::Resign { seat, .. }) => (seat, true),
            Ok(Input::Return { seat }) => (seat, false),
            _ => return,
        };
        if let Some(post) = self.core.posts.iter_mut().find(|post| post.seat == seat) {
            post.resigned = resigned;
        }
    }
}

//! The past of a game, folded from its beginning up to one place of the chain after another.

use super::hosted::{Hosted, Told};
use super::paper::Paper;
use crate::rules::cx::{Base, Counts};
use std::iter::Peekable;
use std::slice::Iter;

/// Truth and knowledge on their way.
pub(super) struct Fold<'g, R: Paper> {
    base: Base<R>,
    events: Peekable<Iter<'g, (usize, R::Event)>>,
    told: Vec<Peekable<Iter<'g, Told<R::Sighting>>>>,
}

impl<'g, R: Paper> Fold<'g, R> {
    /// Before anything has happened.
    pub(super) fn of(game: &'g Hosted<R>) -> Fold<'g, R> {
        let state = game.ground.laid.state.clone();
        let minds = game.ground.sides.iter().map(|side| (side.clone(), R::Intel::default())).collect();
        let base = Base { state, minds, counts: Counts::new() };
        let told = (0..game.ground.sides.len()).map(|side| game.past.told(side, 0).iter().peekable()).collect();
        Fold { base, events: game.past.events().iter().peekable(), told }
    }

    /// Goes on to a place; never back.
    pub(super) fn to(&mut self, at: usize) -> &Base<R> {
        while let Some((_, event)) = self.events.next_if(|(place, _)| *place < at) {
            R::apply(&mut self.base.state, event);
        }
        for ((_, mind), told) in self.base.minds.iter_mut().zip(&mut self.told) {
            while let Some(told) = told.next_if(|told| told.at < at) {
                R::recall(mind, &told.body);
            }
        }
        &self.base
    }
}

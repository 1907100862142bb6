//! One order tried on an imagined position: with imagined dice, and every question answered as it would be if nobody did.
//!
//! The position is made from a view, so a trial knows what its seat knows and no more. Nothing of it is kept.

use super::{Base, Cx};
use crate::dice::{Cup, Scope};
use crate::fog::SideId;
use crate::rules::journal::{By, Desk, Given, Journal};
use crate::rules::{Outcome, Play, Record, Ruleset};
use std::collections::BTreeMap;

/// What a trial came to.
pub struct Trial<R: Ruleset> {
    /// What the side would know after it.
    pub view: R::View,
    /// What would happen.
    pub events: Vec<R::Event>,
    /// What would become of the line.
    pub outcome: Outcome,
}

/// Imagined dice: one face for the rolls whose label begins with a word, the middle one for all others.
#[derive(Clone, Copy, Debug)]
pub struct Faces {
    /// The first word of the labels.
    pub of: &'static str,
    /// What they show.
    pub face: u32,
}

impl Cup for Faces {
    fn draw(&self, _: &Scope, label: &str, _: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        let named = label.split('/').next() == Some(self.of);
        let face = if named { self.face } else { sides.div_ceil(2) };
        Some(vec![face.clamp(1, sides.max(1)); usize::try_from(count).ok()?])
    }
}

/// Tries one order of a side.
pub fn trial<R: Ruleset>(
    base: Base<R>,
    side: &SideId,
    cup: &dyn Cup,
    act: impl FnOnce(&mut Cx<'_, R>) -> Play<()>,
) -> Trial<R> {
    let desk = Desk::default();
    let mut cx = imagined(base, &desk, cup);
    let given = Given::new(String::new(), 0, By::Default);
    cx.line = Some((cx.seat_of(side), given));
    let played = act(&mut cx);
    // What cannot be played to its end says nothing of what it would come to.
    cx.close_line(if played.is_ok() && cx.broken.is_none() { Outcome::Done } else { Outcome::NotReached });
    let view = cx.view(side);
    let mut outcome = Outcome::Done;
    let mut events = Vec::new();
    for record in cx.records {
        match record {
            Record::Event { body, seen: _ } => events.push(body),
            Record::Line { said: Some(said), .. } => outcome = said,
            Record::Line { said: None, .. } | Record::Rolled(_) => {}
        }
    }
    Trial { view, events, outcome }
}

/// Plays on from an imagined position; the position and the events that it comes to, `None` where it cannot be played.
///
/// Questions are answered by the desk's doctrine, else as if nobody answered.
pub fn played<R: Ruleset>(
    base: Base<R>,
    desk: &Desk,
    cup: &dyn Cup,
    act: impl FnOnce(&mut Cx<'_, R>) -> Play<()>,
) -> Option<(R::State, Vec<R::Event>)> {
    let mut cx = imagined(base, desk, cup);
    let through = act(&mut cx).is_ok() && cx.broken.is_none();
    let events = cx.records.into_iter().filter_map(|record| match record {
        Record::Event { body, seen: _ } => Some(body),
        Record::Line { .. } | Record::Rolled(_) => None,
    });
    through.then(|| (cx.state, events.collect()))
}

/// The rules' hands over an imagined position.
fn imagined<'a, R: Ruleset>(base: Base<R>, desk: &'a Desk, cup: &'a dyn Cup) -> Cx<'a, R> {
    Cx {
        seats: R::seats(&base.state),
        state: base.state,
        minds: base.minds,
        journal: Journal::default(),
        desk,
        cup,
        known: &[],
        records: Vec::new(),
        counts: base.counts,
        cursor: BTreeMap::new(),
        asked: BTreeMap::new(),
        prompts: 0,
        given: Vec::new(),
        line: None,
        dues: Vec::new(),
        imagined: true,
        stopped: false,
        broken: None,
    }
}

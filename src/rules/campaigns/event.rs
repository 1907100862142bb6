//! All events, by chapter; the chapters hold what they do and who is told.

use super::intel::Intel;
use super::state::State;
use super::telling::{Event as Lists, Of};
use super::{Sighting, admin, combat, courier, flow, march, organization, umpire};
use crate::fog::SideId;
use serde::{Deserialize, Serialize};

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "chapter", content = "event", rename_all = "snake_case")]
pub enum Event {
    /// Sequence of play and counters.
    Flow(flow::event::Event),
    /// I.a.
    Admin(admin::event::Event),
    /// I.b.
    Organization(organization::event::Event),
    /// II and III.a.
    March(march::event::Event),
    /// III.b.
    Combat(combat::event::Event),
    /// Amendments of an umpire.
    Umpire(umpire::Event),
    /// Couriers between seats of one side.
    Courier(courier::Event),
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Flow(e) => flow::event::apply(s, e),
        Event::Admin(e) => admin::event::apply(s, e),
        Event::Organization(e) => organization::event::apply(s, e),
        Event::March(e) => march::event::apply(s, e),
        Event::Combat(e) => combat::event::apply(s, e),
        Event::Umpire(e) => umpire::apply(s, e),
        Event::Courier(e) => courier::apply(s, e),
    }
}

/// What a side is told.
pub fn sight(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    match e {
        Event::Flow(e) => flow::event::sight(before, e, after, mind, to).map(Sighting::Flow),
        Event::Admin(e) => admin::event::sight(before, e, after, mind, to).map(Sighting::Admin),
        Event::Organization(e) => organization::event::sight(before, e, after, mind, to).map(Sighting::Organization),
        Event::March(e) => march::event::sight(before, e, after, mind, to).map(Sighting::March),
        Event::Combat(e) => combat::event::sight(before, e, after, mind, to).map(Sighting::Combat),
        Event::Umpire(e) => umpire::sight(e, to).map(Sighting::Umpire),
        Event::Courier(e) => courier::sight(before, e, to).map(Sighting::Courier),
    }
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    match told {
        Sighting::Flow(s) => flow::event::recall(mind, s),
        Sighting::Organization(s) => organization::event::recall(mind, s),
        Sighting::Admin(s) => admin::event::recall(mind, s),
        Sighting::March(s) => march::event::recall(mind, s),
        Sighting::Combat(s) => combat::event::recall(mind, s),
        Sighting::Umpire(s) => umpire::recall(mind, s),
        Sighting::Courier(s) => courier::recall(mind, s),
    }
}

/// How each list of each chapter becomes an event.
macro_rules! from_lists {
    ($($chapter:ident $list:ident $kinds:ty;)*) => {
        $(impl From<$kinds> for Event {
            fn from(e: $kinds) -> Event {
                Event::$chapter(Lists::$list(e))
            }
        })*
    };
}

from_lists! {
    Flow Open flow::told::Open;
    Flow Own Of<flow::told::Own>;
    Flow Partly flow::event::Partly;
    Flow Quiet flow::event::Quiet;
    Admin Open admin::told::Open;
    Admin Own Of<admin::told::Own>;
    Admin Partly admin::event::Partly;
    Admin Quiet admin::event::Quiet;
    Organization Own Of<organization::told::Own>;
    Organization Partly Of<organization::event::Partly>;
    Organization Quiet Of<organization::event::Quiet>;
    March Open march::told::Open;
    March Own Of<march::told::Own>;
    March Partly march::event::Partly;
    Combat Open combat::told::Open;
    Combat Own Of<combat::told::Own>;
    Combat Partly combat::event::Partly;
    Combat Quiet combat::event::Quiet;
}

/// The lists whose kinds are a side's.
macro_rules! of_a_side {
    ($($kinds:ty;)*) => {
        $(impl $kinds {
            /// Of a side.
            pub fn of(self, side: &SideId) -> Of<Self> {
                Of { side: side.clone(), what: self }
            }
        })*
    };
}

of_a_side! {
    flow::told::Own;
    admin::told::Own;
    organization::told::Own;
    organization::event::Partly;
    organization::event::Quiet;
    march::told::Own;
    combat::told::Own;
}

impl From<courier::Event> for Event {
    fn from(e: courier::Event) -> Event {
        Event::Courier(e)
    }
}

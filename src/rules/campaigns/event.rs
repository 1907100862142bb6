//! All events, by chapter; the chapters hold what they do and who is told.

use super::intel::Intel;
use super::state::State;
use super::{Sighting, admin, combat, courier, flow, march, organization, telling, umpire};
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

macro_rules! from_lists {
    (none quiet: $($chapter:ident $at:ident;)*) => {
        $(
            impl From<$at::told::Open> for Event {
                fn from(e: $at::told::Open) -> Event {
                    Event::$chapter(telling::Event::Open(e))
                }
            }
            impl From<telling::Of<$at::told::Own>> for Event {
                fn from(e: telling::Of<$at::told::Own>) -> Event {
                    Event::$chapter(telling::Event::Own(e))
                }
            }
            impl From<$at::event::Partly> for Event {
                fn from(e: $at::event::Partly) -> Event {
                    Event::$chapter(telling::Event::Partly(e))
                }
            }
        )*
    };
    ($($chapter:ident $at:ident;)*) => {
        from_lists! { none quiet: $($chapter $at;)* }
        $(
            impl From<$at::event::Quiet> for Event {
                fn from(e: $at::event::Quiet) -> Event {
                    Event::$chapter(telling::Event::Quiet(e))
                }
            }
        )*
    };
}

from_lists! {
    Flow flow;
    Admin admin;
    Combat combat;
}

from_lists! {
    none quiet:
    March march;
}

impl From<telling::Of<organization::told::Own>> for Event {
    fn from(e: telling::Of<organization::told::Own>) -> Event {
        Event::Organization(telling::Event::Own(e))
    }
}

impl From<telling::Of<organization::event::Partly>> for Event {
    fn from(e: telling::Of<organization::event::Partly>) -> Event {
        Event::Organization(telling::Event::Partly(e))
    }
}

impl From<telling::Of<organization::event::Quiet>> for Event {
    fn from(e: telling::Of<organization::event::Quiet>) -> Event {
        Event::Organization(telling::Event::Quiet(e))
    }
}

macro_rules! from_chapter {
    ($($chapter:ident $event:ty;)*) => {
        $(impl From<$event> for Event {
            fn from(e: $event) -> Event {
                Event::$chapter(e)
            }
        })*
    };
}

from_chapter! {
    Courier courier::Event;
}

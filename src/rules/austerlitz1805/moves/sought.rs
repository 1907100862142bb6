//! Ways to contact that were sought of late: for one line the same search is made several times, to find its place in the
//! sheet, to say what it comes to, to plan it beside others and to carry it out.
//!
//! A search is known by all that it looks at, so that what is found here is what it would find anew.

use super::contact::{Contact, Tries};
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::mist::Mist;
use crate::rules::austerlitz1805::table::Table;
use crate::rules::austerlitz1805::units::Units;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// So many positions are kept, and so many searches of each: one line tries no more.
const POSITIONS: usize = 3;
const SEARCHES: usize = 8;

/// Who goes, at whom, what is tried, and who will have moved.
type Key = (UnitId, UnitId, Tries, Vec<UnitId>);

/// All that lies on the table and that a search looks at.
#[derive(Debug)]
struct Position {
    units: Units,
    mist: Mist,
    sight: Option<i32>,
    ways: VecDeque<(Key, Arc<Vec<Contact>>)>,
}

impl Position {
    fn is(&self, t: &Table) -> bool {
        self.sight == t.sight && self.units == t.units && self.mist == t.mist
    }
}

/// The searches of some positions, the newest last.
#[derive(Debug, Default)]
pub struct Sought(Mutex<VecDeque<Position>>);

/// A board that is copied begins with none.
impl Clone for Sought {
    fn clone(&self) -> Sought {
        Sought::default()
    }
}

impl Sought {
    /// What a search finds on a table.
    pub fn ways(
        &self,
        t: &Table,
        (id, on, tries, lifted): (&UnitId, &UnitId, Tries, &[UnitId]),
        search: impl FnOnce() -> Vec<Contact>,
    ) -> Arc<Vec<Contact>> {
        let same = |(one, other, what, without): &Key| one == id && other == on && *what == tries && without == lifted;
        let positions = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |p: &Position| p.ways.iter().find(|(key, _)| same(key)).map(|(_, ways)| Arc::clone(ways));
        if let Some(known) = positions().iter().find(|p| p.is(t)).and_then(of) {
            return known;
        }
        let found = Arc::new(search());
        let mut positions = positions();
        let at = positions.iter().position(|p| p.is(t));
        let mut position = at.and_then(|at| positions.remove(at)).unwrap_or_else(|| Position {
            units: t.units.clone(),
            mist: t.mist.clone(),
            sight: t.sight,
            ways: VecDeque::new(),
        });
        position.ways.push_back(((id.clone(), on.clone(), tries, lifted.to_vec()), Arc::clone(&found)));
        let more = position.ways.len().saturating_sub(SEARCHES);
        position.ways.drain(..more);
        positions.push_back(position);
        let more = positions.len().saturating_sub(POSITIONS);
        positions.drain(..more);
        found
    }
}

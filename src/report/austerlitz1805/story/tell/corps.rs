//! What is told by corps: a Rally Phase, a march of many, units that come out of the fog. Fire and fights stay in the order
//! of play, since what one of them does decides who is there for the next.

use super::Teller;
use crate::fog::SideId;
use crate::report::austerlitz1805::pen::{labels, middle, spot};
use crate::report::austerlitz1805::story::words::named;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::event::{Cause, Fact};
use crate::rules::austerlitz1805::table::Mood;
use std::collections::BTreeMap;

impl Teller<'_> {
    /// 4.3, 12.10 A Rally Phase, by corps, since nobody's check waits for another's.
    pub(super) fn rally(&mut self, facts: &[&Fact]) {
        let mut by: BTreeMap<(SideId, String), Vec<&Fact>> = BTreeMap::new();
        let mut now = (SideId(String::new()), String::new());
        let mut checked: Option<&UnitId> = None;
        for fact in facts {
            let about = match fact {
                Fact::Checked { check } if check.why == Cause::Rally => Some(&check.unit),
                Fact::Marked { unit, on: false, .. } => Some(unit),
                // Stun comes off by itself.
                Fact::Mood { unit, mood: Mood::Fit } if checked != Some(unit) => Some(unit),
                // What a check brings about stays with it.
                _ => None,
            };
            if let Some(unit) = about {
                now = (self.t.side(unit), self.corps(unit));
            }
            checked = if let Fact::Checked { check } = fact { Some(&check.unit) } else { None };
            by.entry(now.clone()).or_default().push(fact);
        }
        let several = by.len() > 1;
        for ((_, corps), facts) in by {
            let at = self.said.len();
            self.chain(&facts);
            if let Some(first) = self.said.get_mut(at).filter(|_| several && !corps.is_empty()) {
                *first = format!("{corps}: {first}");
            }
        }
    }

    fn corps(&self, unit: &UnitId) -> String {
        self.t.spec(unit).map_or_else(String::new, |s| s.corps.clone())
    }

    /// How many units of each corps.
    pub(super) fn counted(&self, units: &[&UnitId]) -> String {
        let mut by: BTreeMap<String, usize> = BTreeMap::new();
        units.iter().for_each(|unit| *by.entry(self.corps(unit)).or_default() += 1);
        let by: Vec<String> = by.iter().map(|(corps, count)| format!("{corps} {count}")).collect();
        format!("{} units ({})", units.len(), by.join(", "))
    }

    /// Units by side and corps, with the middle of each.
    pub(super) fn columns(&mut self, units: &[&UnitId]) {
        let mut by: BTreeMap<(SideId, String), Vec<&UnitId>> = BTreeMap::new();
        for unit in units {
            by.entry((self.t.side(unit), self.corps(unit))).or_default().push(unit);
        }
        let mut last: Option<SideId> = None;
        for ((of, corps), units) in by {
            let spots: Vec<_> = units.iter().filter_map(|id| self.t.unit(id)).map(|u| u.pose.at).collect();
            let at = if spots.is_empty() { String::new() } else { format!(" round {}", spot(middle(&spots))) };
            if last.as_ref() != Some(&of) {
                self.said.push(format!("Uncovered, {}:", named(&of)));
            }
            self.said.push(format!("{corps}{at}: {};", labels(self.t, units)));
            last = Some(of);
        }
    }
}

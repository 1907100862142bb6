//! Units on the field. Positions, views and trials are copied at every step and seldom changed, so that copies share one map
//! until one of them changes.

use super::board::UnitId;
use super::table::Unit;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::{BTreeMap, btree_map};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A map of units that costs nothing to copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<UnitId, Unit>")]
pub struct Units(Arc<BTreeMap<UnitId, Unit>>);

impl Deref for Units {
    type Target = BTreeMap<UnitId, Unit>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Units {
    fn deref_mut(&mut self) -> &mut Self::Target {
        Arc::make_mut(&mut self.0)
    }
}

impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_ref().serialize(serializer)
    }
}

impl From<BTreeMap<UnitId, Unit>> for Units {
    fn from(units: BTreeMap<UnitId, Unit>) -> Units {
        Units(Arc::new(units))
    }
}

impl FromIterator<(UnitId, Unit)> for Units {
    fn from_iter<I: IntoIterator<Item = (UnitId, Unit)>>(units: I) -> Units {
        Units::from(BTreeMap::from_iter(units))
    }
}

impl<'u> IntoIterator for &'u Units {
    type Item = (&'u UnitId, &'u Unit);
    type IntoIter = btree_map::Iter<'u, UnitId, Unit>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

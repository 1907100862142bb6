//! Sentences of II and III.a Movement (¶147-297).

use super::Tale;
use crate::rules::campaigns::march::told::Sighting;

/// Tells a sighting of this chapter.
pub fn tell(_tale: &mut Tale<'_, '_>, told: &Sighting) {
    match *told {}
}

//! Sentences of III.b Combat (¶298-410).

use super::Tale;
use crate::rules::campaigns::combat::told::Sighting;

/// Tells a sighting of this chapter.
pub fn tell(_tale: &mut Tale<'_, '_>, told: &Sighting) {
    match *told {}
}

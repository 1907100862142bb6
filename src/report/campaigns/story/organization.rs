//! Sentences of I.b Organization (¶108-146).

use super::Tale;
use crate::rules::campaigns::organization::told::Sighting;

/// Tells a sighting of this chapter.
pub fn tell(_tale: &mut Tale<'_, '_>, told: &Sighting) {
    match *told {}
}

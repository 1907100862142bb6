//! Sentences of I.a Administration (¶72-107).

use super::Tale;
use crate::rules::campaigns::admin::told::Sighting;

/// Tells a sighting of this chapter.
pub fn tell(_tale: &mut Tale<'_, '_>, told: &Sighting) {
    match *told {}
}

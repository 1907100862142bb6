//! The real ground of Moravia.

use estafette::map::HexMap;
use estafette::rules::campaigns::load;
use estafette::scenario;
use std::path::Path;

/// The map of the scenario of November 1805.
pub fn moravia() -> HexMap {
    let files = scenario::files(Path::new("scenarios/campaigns/1805-moravia.yaml")).unwrap();
    load::board(&files).unwrap().map
}

//! Units, places and sides as a page names them: a label of two characters and a name, a place in UM.

use crate::fog::SideId;
use crate::plane::Spot;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::table::{Mood, Table};

/// A unit by its label and its name: `4A Legrand/1`.
pub fn full(t: &Table, id: &UnitId) -> String {
    match t.label(id) {
        label if label == id.0 => id.0.clone(),
        label => format!("{label} {id}"),
    }
}

/// Labels of units, one behind the other.
pub fn labels<'u>(t: &Table, units: impl IntoIterator<Item = &'u UnitId>) -> String {
    let mut found: Vec<&str> = units.into_iter().map(|id| t.label(id)).collect();
    found.sort_unstable();
    found.dedup();
    found.join(" ")
}

/// A place in UM from the western and southern edges, to hundredths, as orders take it: `12.95,22.15`.
pub fn spot(at: Spot) -> String {
    let um = |units: i32| {
        let hundredths = (units + 5) / 10;
        format!("{}.{:02}", hundredths / 100, hundredths % 100)
    };
    format!("{},{}", um(at.x), um(at.y))
}

/// The state of a unit in a letter or two.
pub fn mood(mood: Mood) -> &'static str {
    match mood {
        Mood::Fit => "good order",
        Mood::S => "S",
        Mood::D => "D",
        Mood::R => "R",
    }
}

/// A side's name as the scenario has it.
pub fn side(t: &Table, id: &SideId) -> String {
    t.board.side(id).map_or_else(|| id.0.clone(), |s| s.name.clone())
}

/// The middle of some places.
pub fn middle(spots: &[Spot]) -> Spot {
    let count = i32::try_from(spots.len()).unwrap_or(1).max(1);
    let mean = |part: fn(&Spot) -> i32| spots.iter().map(part).sum::<i32>() / count;
    Spot::new(mean(|s| s.x), mean(|s| s.y))
}

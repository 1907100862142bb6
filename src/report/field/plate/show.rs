//! Which plates a letter has, and what MAP draws.

use super::{Scene, key, plate};
use crate::hex::Hex;
use crate::host::paper::{Plate, Sections};
use crate::orders::Fault;
use crate::report::field::roster::Roster;
use crate::report::field::{Window, worded};
use crate::text;

/// Rows of hexes of a close-up.
const ROWS: i16 = 9;

/// What is drawn of a view.
pub struct Shown<'v> {
    /// Who stands where.
    pub scene: Scene<'v>,
    /// The same in rows.
    pub roster: Roster<'v>,
    /// What the game calls counters that are tired.
    pub tired: &'static str,
    /// Whether the close-up lies round those who act alone.
    pub acts: bool,
    /// The turn.
    pub turn: u32,
}

/// What a letter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Whether all is wanted.
    pub whole: bool,
    /// Whether the sheet of its reader is open.
    pub open: bool,
    /// The turn of his last letter; none for his first.
    pub before: Option<u32>,
}

impl Shown<'_> {
    fn drawn(&self, window: Window, title: String, theatre: bool) -> Plate {
        let said = self.scene.said(window, &title);
        let svg = plate(&self.scene, window, &said);
        let key = key(&self.scene, window, self.tired);
        let title = if key.is_empty() { title } else { format!("{title}: {key}") };
        Plate { title, svg, said, theatre }
    }

    fn round(&self, hex: Hex) -> (Window, String) {
        let place = self.scene.field.place(hex).map_or_else(String::new, |place| format!(" {}", worded(place)));
        (Window::round(self.scene.field, hex, ROWS, text::WIDTH), format!("the field round {hex}{place}"))
    }
}

/// The plates of a report: a close-up where a letter in text has one or tells what has changed, and the whole field once a turn, for it changes little
/// within one. What they show stands in no drawing in characters of the same page besides.
pub fn add(shown: &Shown<'_>, wanted: Wanted, sections: &mut Sections) {
    let Wanted { whole, open, before } = wanted;
    let near = whole || before.is_none() || ((open || !sections.changed.is_empty()) && shown.roster.in_touch());
    if let Some(hex) = shown.roster.middle(shown.acts).filter(|_| near) {
        let (window, title) = shown.round(hex);
        sections.plates.push(shown.drawn(window, title, false));
    }
    let far = whole || before.is_none_or(|turn| turn != shown.turn);
    if far {
        sections.plates.push(shown.drawn(shown.scene.whole(), "the whole field".to_owned(), true));
    }
    let closed = sections.plates.iter().any(|plate| !plate.theatre);
    for map in &mut sections.maps {
        map.plated = if map.theatre { far } else { closed };
    }
}

/// What MAP shows, drawn.
///
/// # Errors
/// Unclear, with the nearest name.
pub fn area(shown: &Shown<'_>, area: Option<&str>) -> Result<String, Fault> {
    let (window, title) = match area.map(str::trim).filter(|area| !area.is_empty() && !area.eq_ignore_ascii_case("all"))
    {
        None => (shown.scene.whole(), "the whole field".to_owned()),
        Some(area) => shown.round(shown.roster.named(area)?),
    };
    Ok(plate(&shown.scene, window, &shown.scene.said(window, &title)))
}

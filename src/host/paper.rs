//! Paper: what a ruleset writes for a seat, from its view and what it was told, before the envelope is put round it.

use crate::dice::Roll;
use crate::fog::SideId;
use crate::orders::Fault;
use crate::rules::{Ask, Ruleset};

/// The form in which a seat wants its mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// 40 columns instead of 76.
    pub narrow: bool,
    /// Pure ASCII.
    pub ascii: bool,
    /// A second part with the same text as preformatted HTML.
    pub both: bool,
}

/// What a ruleset writes a page from. Nothing here is truth.
pub struct Page<'a, R: Ruleset> {
    /// What the seat's side may know now.
    pub view: &'a R::View,
    /// What its last letter showed; none for its first, and where all is wanted.
    pub before: Option<&'a R::View>,
    /// What it has been told since its last letter, in order.
    pub told: &'a [R::Sighting],
    /// Width and character set.
    pub format: Format,
    /// Whether all is wanted, as REPORT asks, and not only what serves the sheet that is open.
    pub whole: bool,
    /// What each side sees; filled for the umpire alone.
    pub sees: &'a [(SideId, R::View)],
}

/// A drawing with its title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Such as `round Lannes`.
    pub title: String,
    /// The lines, ready to print.
    pub lines: Vec<String>,
    /// Theatre sheets are left out first when a mail grows too long.
    pub theatre: bool,
}

/// The parts of a report that only the ruleset can write. The envelope adds mail number, dates due, commitments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections {
    /// Such as `French   turn 1 of 10   15-16 November 1805   Fair`.
    pub head: String,
    /// Who moves now, in words, such as `your movement (sheet A)`.
    pub now: String,
    /// What comes next.
    pub next: String,
    /// What happens if the seat sends nothing.
    pub if_not: String,
    /// What happened: one paragraph an event, unnumbered, with its rule in brackets at the end.
    pub story: Vec<String>,
    /// For each sighting told, in order, the paragraph of the story that tells it, from 1. Empty: one paragraph each.
    pub told_in: Vec<Option<usize>>,
    /// Battles, a page each.
    pub battles: Vec<Drawing>,
    /// Open questions.
    pub asks: Vec<Ask>,
    /// Lines of the open sheet that bind now, to copy or to change; empty where none is open.
    pub offers: Vec<String>,
    /// Own forces, ready lines.
    pub forces: Vec<String>,
    /// Forecast, ready lines.
    pub forecast: Vec<String>,
    /// Known enemy, ready lines.
    pub enemy: Vec<String>,
    /// Maps and strips.
    pub maps: Vec<Drawing>,
    /// Rolls the side may see since its last letter.
    pub rolls: Vec<Roll>,
    /// The seats of its side, where there are several.
    pub staff: Vec<String>,
    /// Answers to the lines of its mail, if this letter answers one.
    pub answers: Vec<super::Answered>,
    /// How its open sheet stands, if this letter answers a mail.
    pub sheet: Option<SheetState>,
}

/// How a seat's open sheet stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetState {
    /// The stage whose sheet it is.
    pub title: String,
    /// Lines that are taken and wait: number and text.
    pub lines: Vec<(u32, String)>,
    /// Lines that are not taken: number, text, what would be taken in their stead.
    pub faulty: Vec<(u32, String, Vec<String>)>,
    /// The highest number that it has given.
    pub top: u32,
    /// Whether END was said and not counted.
    pub held: bool,
    /// Whether END counts, and waits for others.
    pub ended: bool,
    /// Whether all of it is carried out together.
    pub sealed: bool,
}

/// What a ruleset writes; implemented beside the report's templates, from views alone.
pub trait Paper: Ruleset {
    /// Writes the parts of a report.
    fn sections(page: &Page<'_, Self>) -> Sections;
    /// Draws an area for MAP.
    ///
    /// # Errors
    /// The fault of the area's name.
    fn map(view: &Self::View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault>;
    /// What the house's own player would write: answers to the open questions first, in their order, then the lines of
    /// its open sheet, then END. A ruleset without one passes.
    fn bot(view: &Self::View, asks: &[Ask], noise: u64) -> Vec<String> {
        let _ = (view, noise);
        asks.iter().map(|ask| ask.default.clone()).chain(["END".to_owned()]).collect()
    }
    /// Lines that the seat could send now, if its sheet is open.
    fn offers(view: &Self::View) -> Vec<String> {
        let _ = view;
        Vec::new()
    }
    /// What the index of rules says under a paragraph, in the house's own words.
    fn rule(paragraph: &str) -> Vec<String> {
        let _ = paragraph;
        Vec::new()
    }
    /// How the game is won and how it stands, ready lines: from what everybody may know.
    fn victory(view: &Self::View) -> Vec<String> {
        let _ = view;
        Vec::new()
    }
    /// One line on what a side was told in one turn, for SUMMARY.
    fn summary(view: &Self::View, turn: u32, told: &[Self::Sighting]) -> String {
        let _ = view;
        format!("Turn {turn}: told {} things", told.len())
    }
    /// What a side was told in one turn, for HISTORY: the turn's own line first, then one an event.
    fn history(view: &Self::View, turn: u32, told: &[Self::Sighting]) -> Vec<String>;
}

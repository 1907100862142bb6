//! Paper: what a ruleset writes for a seat, from its view and what it was told, before the envelope is put round it.

use super::film::{Ground, Mark};
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
    /// A second part with the same as a page of HTML.
    pub both: bool,
    /// That page with drawn maps in it.
    pub plates: bool,
    /// An order sheet with each report on move.
    pub sheet: bool,
    /// The whole report in every mail, and not only what is new.
    pub full: bool,
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
    /// Whether all is wanted, as REPORT and FORMAT FULL ask, and not only what is new and serves the open sheet.
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
    /// Whether a plate of the same letter shows all that it shows.
    pub plated: bool,
}

/// A drawn map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plate {
    /// Such as `round Lannes`.
    pub title: String,
    /// The drawing, in SVG.
    pub svg: String,
    /// What it shows, in words, for who does not see it.
    pub said: String,
    /// Whether it is the theatre, which stands last.
    pub theatre: bool,
}

/// A seat's view as data, and the ground that it stands on: what an order sheet is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeatData {
    /// Pieces, places and costs, as the ruleset's schema has them.
    pub board: serde_json::Value,
    /// The map with its pieces, in SVG.
    pub svg: String,
    /// What the page of an order sheet does with them, in JavaScript.
    pub script: &'static str,
}

/// What only the opening mail of a game says: from the scenario's texts and what everybody may know, ready lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// What the seat commands, against whom, and what a turn asks of it.
    pub what: Vec<String>,
    /// The situation.
    pub situation: Vec<String>,
    /// The forces in short.
    pub command: Vec<String>,
    /// Examples of first orders, each with what it is for.
    pub first: Vec<(String, String)>,
    /// What a newcomer gets wrong.
    pub cautions: Vec<String>,
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
    /// How the game stands, in one line.
    pub score: String,
    /// How the game ended, in a few words to the reader; none while it goes on.
    pub result: Option<String>,
    /// Whether all is here, as FORMAT FULL asks; else what is new since the seat's last letter.
    pub full: bool,
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
    /// Whether they are a plan, and work together in their order.
    pub together: bool,
    /// Sheets that are lodged and taken without a mail, each with the line that takes it back; in a letter with an open sheet.
    pub lodged: Vec<(String, String)>,
    /// What stands beside the heading of the forces, such as their number.
    pub forces_title: String,
    /// Own forces, ready lines; in a short letter empty where the seat's sheet is not open.
    pub forces: Vec<String>,
    /// Forecast, ready lines.
    pub forecast: Vec<String>,
    /// What stands beside the heading of the enemy.
    pub enemy_title: String,
    /// Known enemy, ready lines; in a short letter empty where the seat's sheet is not open.
    pub enemy: Vec<String>,
    /// What stands otherwise on the map than the seat's last letter showed, own and enemy, ready lines.
    pub changed: Vec<String>,
    /// Maps and strips.
    pub maps: Vec<Drawing>,
    /// Drawn maps, where the seat wants them.
    pub plates: Vec<Plate>,
    /// Rolls the side may see since its last letter.
    pub rolls: Vec<Roll>,
    /// The seats of its side, where there are several.
    pub staff: Vec<String>,
    /// Answers to the lines of its mail, if this letter answers one.
    pub answers: Vec<super::Answered>,
    /// What only the opening mail says.
    pub opening: Opening,
    /// How the game is won, in the opening mail and the last.
    pub victory: Vec<String>,
    /// How its open sheet stands, if this letter answers a mail.
    pub sheet: Option<SheetState>,
}

/// What HELP explains of one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its word, in capitals.
    pub word: &'static str,
    /// Its orders: examples of these stand below the text.
    pub verbs: &'static [&'static str],
    /// The text, at most twelve lines of 72 columns.
    pub text: &'static str,
}

/// How a seat's open sheet stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetState {
    /// The stage whose sheet it is.
    pub title: String,
    /// Lines that are taken and wait, and those that wait for what is not: number and text.
    pub lines: Vec<(u32, String)>,
    /// The numbers of those that are taken once lines that are not have been put right.
    pub waits: Vec<u32>,
    /// How many lines are being carried out, and wait for somebody's answer.
    pub begun: usize,
    /// Lines that are not taken: number, text, what would be taken in their stead.
    pub faulty: Vec<(u32, String, Vec<String>)>,
    /// The highest number that it has given.
    pub top: u32,
    /// Whether END was said and not counted.
    pub held: bool,
    /// Whether END counts, and waits for others.
    pub ended: bool,
    /// The number of the END that counts and has not taken effect yet.
    pub call: Option<u32>,
    /// Whether all of it is carried out together.
    pub sealed: bool,
    /// What its writer should know of the whole, once END counts: who has no orders, who stands badly.
    pub warnings: Vec<String>,
}

/// What a ruleset writes; implemented beside the report's templates, from views alone.
pub trait Paper: Ruleset {
    /// Suggestions for one line, at most.
    const SUGGESTIONS_MAX: usize = 3;

    /// Writes the parts of a report.
    fn sections(page: &Page<'_, Self>) -> Sections;
    /// Draws an area for MAP.
    ///
    /// # Errors
    /// The fault of the area's name.
    fn map(view: &Self::View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault>;
    /// Draws what MAP shows as a picture in SVG; none where the ruleset draws none.
    fn plate(view: &Self::View, area: Option<&str>) -> Option<Result<String, Fault>> {
        let _ = (view, area);
        None
    }
    /// The seat's view as data; none where the ruleset gives none.
    fn seat_data(view: &Self::View) -> Option<SeatData> {
        let _ = view;
        None
    }
    /// The map without pieces, for a film of the game; none where the ruleset draws none.
    fn ground(view: &Self::View) -> Option<Ground> {
        let _ = view;
        None
    }
    /// Where all stand as the view has it, for a film of the game.
    fn marks(view: &Self::View) -> Vec<Mark> {
        let _ = view;
        Vec::new()
    }
    /// What the program's own player would write: answers to the open questions first, in their order, then the lines of
    /// its open sheet, then END. A ruleset without one passes.
    fn bot(view: &Self::View, asks: &[Ask], noise: u64) -> Vec<String> {
        let _ = (view, noise);
        asks.iter().map(|ask| ask.default.clone()).chain(["END".to_owned()]).collect()
    }

    /// The standing answer by which sheets are lodged, if there is one.
    fn lodges() -> Option<&'static str> {
        None
    }

    /// Lines that the seat could send now, if its sheet is open.
    fn offers(view: &Self::View) -> Vec<String> {
        let _ = view;
        Vec::new()
    }
    /// What the index of rules says under a paragraph, in our own words.
    fn rule(paragraph: &str) -> Vec<String> {
        let _ = paragraph;
        Vec::new()
    }
    /// How the game is won and how it stands, ready lines: from what everybody may know.
    fn victory(view: &Self::View) -> Vec<String> {
        let _ = view;
        Vec::new()
    }
    /// What HELP explains, topic by topic.
    fn topics() -> &'static [Topic] {
        &[]
    }
    /// What the opening mail says beside the report.
    fn opening(view: &Self::View, format: Format) -> Opening {
        let _ = (view, format);
        Opening::default()
    }
    /// One line on what a side was told in one turn, for SUMMARY.
    fn summary(view: &Self::View, turn: u32, told: &[Self::Sighting]) -> String {
        let _ = view;
        format!("Turn {turn}: told {} things", told.len())
    }
    /// What a side was told in one turn, for HISTORY: the turn's own line first, then one an event.
    fn history(view: &Self::View, turn: u32, told: &[Self::Sighting]) -> Vec<String>;
}

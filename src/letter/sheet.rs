//! The order sheet: one page of HTML with the map to click on, which writes lines of the order language into a box.
//!
//! It reaches no network and runs no script but its own: its policy names both by their digests. All that players wrote
//! stands in it as text or as data, never as markup.

use super::context::{Lodged, Question};
use super::inert::{WINDOW, fill, inert, policy};
use minijinja::context;
use schemars::JsonSchema;
use serde::Serialize;

const PAGE: &str = include_str!("../../templates/sheet/page.html");
const STYLE: &str = include_str!("../../templates/sheet/page.css");
/// What all sheets share; a game's own part stands before it.
const SHELL: &str = include_str!("../../templates/sheet/shell.js");
/// What the view is called, and its version.
pub const SCHEMA: &str = "estafette/seat-view/1";

/// What a seat sees, as data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SeatView {
    /// `estafette/seat-view/1`.
    pub schema: String,
    /// The game's id.
    pub game: String,
    /// Tells this game from one of the same name in another post office.
    pub origin: String,
    /// The seat.
    pub seat: String,
    /// The ruleset.
    pub ruleset: String,
    /// The turn.
    pub turn: u32,
    /// Turn, date and weather as the report has them.
    pub when: String,
    /// Who is on move.
    pub stage: String,
    /// What is due and when, or that nothing is.
    pub due: String,
    /// What happens if nothing is sent.
    pub if_not: String,
    /// Where an answer goes; none where the view belongs to no mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail: Option<Reply>,
    /// Lines that could be sent now.
    pub offers: Vec<String>,
    /// Sheets that are lodged, and taken without a mail.
    pub lodged: Vec<Lodged>,
    /// Open questions.
    pub questions: Vec<Question>,
    /// What was told, a paragraph an event.
    pub told: Vec<String>,
    /// What the ruleset sees: pieces, places, costs.
    pub board: serde_json::Value,
}

/// Where an answer goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reply {
    /// The address of the post office.
    pub to: String,
    /// The subject, with the reply tag.
    pub subject: String,
}

/// What a page is filled with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// What the seat sees.
    pub view: SeatView,
    /// The map, a drawing of our own making.
    pub map: String,
    /// What the page does with this game, in JavaScript of our own making.
    pub script: &'static str,
}

/// The page.
///
/// # Errors
/// Never but by a fault of the package's own page, which a test would find.
pub fn page(sheet: &Sheet) -> Result<String, String> {
    let Sheet { view, map, script } = sheet;
    let data = serde_json::to_string(view).map_err(|error| error.to_string())?;
    let script = format!("{WINDOW}{script}{SHELL}");
    let title = format!("{} {}", view.game.to_uppercase(), view.when.split("   ").next().unwrap_or_default());
    let policy = policy(STYLE, &script);
    fill(PAGE, context! { policy, title, style => STYLE, map, view => inert(&data), script })
}

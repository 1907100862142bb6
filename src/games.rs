//! The only list of rulesets: each name bound to the host that plays it.

use crate::dice::Secrets;
use crate::host::hosted::{Hosted, Kept};
use crate::host::paper::Paper;
use crate::host::{Game, Tempo};
use crate::rules::Change;
use crate::rules::austerlitz1805::Austerlitz;
use crate::rules::brave_fellows::BraveFellows;
use crate::rules::campaigns::Campaigns;
use crate::rules::great_battles::GreatBattles;

/// All that a game is opened from.
pub struct Stored {
    /// The game's id.
    pub game: String,
    /// The scenario: relative path and text of each file.
    pub files: Vec<(String, String)>,
    /// What its dice follow from.
    pub secrets: Secrets,
    /// How its orders are carried out.
    pub tempo: Tempo,
    /// What the store kept of it, if anything has happened yet.
    pub kept: Option<Kept>,
}

/// A game opened, or all flaws of what it was opened from, as sentences.
pub type Opened = Result<Box<dyn Game>, Vec<String>>;

/// A ruleset that can be played.
pub struct Entry {
    /// Its name in scenarios.
    pub name: &'static str,
    /// Its engine version.
    pub version: u32,
    /// The digest of its sources, in hexadecimal.
    pub rules: &'static str,
    /// Rules that a version reads otherwise than those before it.
    pub changes: &'static [Change],
    /// Opens a game of it.
    pub open: fn(Stored) -> Opened,
}

/// The rulesets that this program plays.
pub static GAMES: &[Entry] =
    &[entry::<Campaigns>(), entry::<Austerlitz>(), entry::<BraveFellows>(), entry::<GreatBattles>()];

/// The entry of one ruleset.
pub const fn entry<R: Paper>() -> Entry {
    Entry { name: R::NAME, version: R::VERSION, rules: R::RULES, changes: R::CHANGES, open: open::<R> }
}

/// The entry of that name, or what to say instead.
///
/// # Errors
/// A sentence that names the rulesets there are.
pub fn find<'e>(entries: &'e [Entry], name: &str) -> Result<&'e Entry, String> {
    entries.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let known: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
        let near = crate::text::nearest(name, known.iter().copied());
        let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
        format!("no ruleset is called \"{name}\"; this program plays: {}.{hint}", known.join(", "))
    })
}

fn open<R: Paper>(stored: Stored) -> Opened {
    let game: Hosted<R> = Hosted::open(stored.files, &stored.game, stored.secrets, stored.tempo, stored.kept)?;
    Ok(Box::new(game))
}

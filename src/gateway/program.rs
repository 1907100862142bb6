//! Which program plays a game, and since when: the chain says it, so that an audit knows which program to ask.
//!
//! A corrected rule holds from the next rest point on, in every running game, and all are told. What was played stays.

use super::error::Trouble;
use super::office::Office;
use super::sitting::Sitting;
use super::wakes::{Why, Woken};
use crate::games;
use crate::store::{Game, GameState, Store, StoreError};
use serde_json::json;

/// Under which note a game keeps who plays it.
pub(super) const NOTE: &str = "program";

/// This program, as far as it plays one ruleset; one line, the same as long as nothing of it changes.
pub(super) fn own(entry: &games::Entry) -> String {
    format!("{} {} {}", env!("CARGO_PKG_VERSION"), entry.version, entry.rules)
}

/// The ruleset's version in such a line.
fn version(line: &str) -> Option<u32> {
    line.split(' ').nth(1)?.parse().ok()
}

/// Paragraphs that this program reads otherwise than the one that played a game last.
pub(super) fn changes_since(store: &Store, row: &Game, entry: &games::Entry) -> Result<Vec<String>, StoreError> {
    let before = store.note(&row.id, NOTE)?;
    let old = before.as_deref().and_then(version).or_else(|| row.engine_version.parse().ok());
    let newer = entry.changes.iter().filter(|change| old.is_some_and(|old| change.version > old));
    // A paragraph that several versions read otherwise is named once.
    let mut rules: Vec<String> = Vec::new();
    for change in newer {
        if !rules.iter().any(|known| known == change.rule) {
            rules.push(change.rule.to_owned());
        }
    }
    Ok(rules)
}

impl Sitting<'_> {
    /// Says in the chain that this program plays from here on.
    pub(super) fn name_program(&self, entry: &games::Entry) -> Result<(), Trouble> {
        self.enter(
            "program",
            &json!({
                "program": env!("CARGO_PKG_VERSION"),
                "ruleset": entry.name,
                "version": entry.version,
                "rules": entry.rules,
                "schema": crate::store::STEPS.len(),
            }),
        )?;
        Ok(self.act.set_note(&self.row.id, NOTE, Some(&own(entry)))?)
    }

    /// Says in the chain which program plays from here on, where play stands at a rest point and another one played
    /// before; and tells all which rules are read otherwise from now on.
    pub(super) fn enter_program(&mut self) -> Result<(), Trouble> {
        let entry = games::find(self.env.entries, &self.row.ruleset).map_err(Trouble::Game)?;
        let before = self.act.note(&self.row.id, NOTE)?;
        // An order that comes out otherwise under this program is taken back, and this one plays from there on.
        let taken_back = self.row.state == GameState::Playing && self.hosted.otherwise().is_some();
        if before.as_ref() == Some(&own(entry)) || !(self.hosted.at_rest() || taken_back) {
            return Ok(());
        }
        self.name_program(entry)?;
        // A game of before these entries says in its own row by which version it was begun.
        let old = before.as_deref().and_then(version).or_else(|| self.row.engine_version.parse().ok());
        let newer = |change: &&crate::rules::Change| old.is_some_and(|old| change.version > old);
        let notes: Vec<String> = entry
            .changes
            .iter()
            .filter(newer)
            .map(|c| format!("From here on {} is read otherwise: {}", c.rule, c.text))
            .collect();
        if notes.is_empty() {
            return Ok(());
        }
        let last = format!("What was played stays as it was played.  (estafette {})", env!("CARGO_PKG_VERSION"));
        self.tell_all("rules are read otherwise", &[notes, vec![last]].concat())
    }
}

impl Office {
    /// Enters this program into the games that another one has played so far. It is done in a step of its own and not with
    /// a mail, since the notice would tell that somebody has written.
    pub(super) fn enter_programs(&mut self, woken: &Woken) {
        for game in woken.of(Why::Program) {
            let enter = &mut |sitting: &mut Sitting<'_>| match sitting.row.state {
                GameState::Playing => sitting.enter_program(),
                _ => Ok(()),
            };
            self.time_of(&game, &mut |office| office.with_game(&game, None, enter));
        }
    }
}

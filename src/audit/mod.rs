//! The audit bundle: JSON Lines by which anybody can recompute every die and play a finished game again.

mod asked;
pub mod bundle;
mod causes;
mod chain;
mod dues;
pub mod entries;
mod houses;
mod letters;
pub mod mails;
mod noticed;
mod orders;
mod places;
mod played;
mod seals;
mod two;
mod umpires;
pub mod verify;

use crate::dice::{self, Bytes32, Noticed, Secrets, two as protocol};
use crate::store::{self, GameState, Seat, Store, StoreError};
use serde::{Deserialize, Serialize};

/// One line of a bundle, `kind` first. What no audit would look at may not stand in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Line {
    /// What is played.
    Game(Box<GameLine>),
    /// A commitment made before the game.
    Commit {
        /// The slot.
        slot: u32,
        /// `public` or a side's id.
        scope: String,
        /// In hexadecimal.
        commit: String,
    },
    /// The root over the commitments, as it stood in the opening mails; one more for each restore from a backup, as it
    /// stood in the mails that told of it.
    Root {
        /// In hexadecimal.
        root: String,
        /// The first slot under it.
        #[serde(default, skip_serializing_if = "is_zero")]
        from: u32,
        /// The name from which its seeds follow; empty before the first restore.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        epoch: String,
    },
    /// What a seat gave to the salt.
    Nonce {
        /// The seat.
        seat: String,
        /// Its words.
        nonce: String,
    },
    /// The terms that the roots bind; under dice protocol 2.
    Terms {
        /// Their text.
        text: String,
    },
    /// A notice of dice protocol 2, as it was mailed.
    Notice {
        /// Its number, from 0.
        no: u32,
        /// Its text; none where it came to nothing before it was written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// What it waited for, in hexadecimal: 32 bytes of a round, or what was announced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
        /// The salt of its slots, in hexadecimal; none while anything is waited for, and where it came to nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        salt: Option<String>,
        /// The words that seats gave to it, in the scenario's order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        words: Vec<(String, String)>,
        /// The master of its slots, in hexadecimal; only in the bundle of a finished game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        master: Option<String>,
    },
    /// A seed that is shown.
    Seed {
        /// The slot.
        slot: u32,
        /// `public` or a side's id.
        scope: String,
        /// In hexadecimal.
        seed: String,
    },
    /// A roll and its dice.
    Roll {
        /// The slot.
        slot: u32,
        /// `public` or a side's id.
        scope: String,
        /// What it was for.
        label: String,
        /// How many went before it with this label and scope.
        n: u32,
        /// Sides of the die.
        sides: u32,
        /// The dice in order.
        dice: Vec<u32>,
        /// Whether an umpire said what they show.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        fiat: bool,
    },
    /// A mail that came in or went out.
    Mail {
        /// `in` or `out`.
        direction: String,
        /// The seat.
        seat: String,
        /// Its Message-ID.
        message_id: String,
        /// SHA-256 of its bytes, in hexadecimal.
        sha256: String,
        /// Its bytes in base64, where it came in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<String>,
    },
    /// An entry of the game's chain; only in the bundle of a finished game.
    Event {
        /// Its place, from 1.
        seq: u32,
        /// The hash of the entry before.
        prev: String,
        /// Its own hash.
        hash: String,
        /// The slot.
        slot: u32,
        /// What kind of entry it is.
        entry: String,
        /// What happened, as JSON text.
        body: String,
    },
}

fn first_protocol() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_first_protocol(protocol: &u32) -> bool {
    *protocol <= 1
}

fn is_zero(slot: &u32) -> bool {
    *slot == 0
}

/// What is played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// The game's id.
    pub id: String,
    /// Its ruleset.
    pub ruleset: String,
    /// The digest of its scenario's files.
    pub scenario: String,
    /// The engine version that began it.
    pub engine: String,
    /// `live` or `sealed`.
    pub tempo: String,
    /// The playing seats in the scenario's order.
    pub seats: Vec<String>,
    /// The sides in the scenario's order.
    pub sides: Vec<String>,
    /// The salt of the dice, in hexadecimal; none before the game has begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The master of all seeds, in hexadecimal; only in the bundle of a finished game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub master: Option<String>,
    /// The dice protocol.
    #[serde(default = "first_protocol", skip_serializing_if = "is_first_protocol")]
    pub protocol: u32,
    /// The scenario's files, path and text; only in the bundle of a finished game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(String, String)>,
}

/// Writes a bundle, a line each.
pub fn write(lines: &[Line]) -> String {
    // No line has a map with a key that is not a string, so all of them can be written.
    lines.iter().map(|line| serde_json::to_string(line).unwrap_or_default() + "\n").collect()
}

/// Reads a bundle.
///
/// # Errors
/// The first line that is none, by its number.
pub fn read(text: &str) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for (no, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        lines.push(serde_json::from_str(line).map_err(|why| format!("line {no}: {why}"))?);
    }
    Ok(lines)
}

/// The salt from the nonces of the playing seats, in the scenario's order.
pub fn salt_of(seats: &[Seat]) -> Bytes32 {
    let nonces: Vec<(String, String)> = seats
        .iter()
        .filter(|seat| seat.side.is_some())
        .map(|seat| (seat.seat.clone(), seat.nonce.clone().unwrap_or_default()))
        .collect();
    dice::salt(&nonces)
}

/// Under which note a game keeps the terms that its roots bind.
const TERMS: &str = "terms";

/// The terms that a game's roots bind; empty under protocol 1.
///
/// # Errors
/// When the store cannot be read.
pub fn terms_of(store: &Store, game: &str) -> Result<String, StoreError> {
    Ok(store.note(game, TERMS)?.unwrap_or_default())
}

/// Keeps the terms that a game's roots bind.
///
/// # Errors
/// When the store cannot be written.
pub fn keep_terms(act: &store::Act<'_>, game: &str, terms: &str) -> Result<(), StoreError> {
    act.set_note(game, TERMS, Some(terms))
}

/// What the dice of a game follow from.
///
/// # Errors
/// When the store cannot be read.
pub fn secrets_of(store: &Store, row: &store::Game) -> Result<Secrets, StoreError> {
    if row.protocol == protocol::PROTOCOL {
        let of = |n: store::Notice| Noticed { slots: n.slots, master: n.master, salt: n.salt };
        return Ok(Secrets::Two(store.notices(&row.id)?.into_iter().map(of).collect()));
    }
    let salt = match row.state {
        GameState::Forming => [0; 32],
        _ => salt_of(&store.seats(&row.id)?),
    };
    Ok(Secrets::One { master: row.master, salt })
}

//! The games that lie open: a cache of what the store holds, thrown away whenever it could be stale.

use super::sitting;
use crate::games::{self, Entry, Stored};
use crate::host::hosted::Kept;
use crate::host::{Game, Input};
use crate::rules::kept::Row;
use crate::store::{self, Head, Store, StoreError};

/// Bytes of memory that all open games may take.
const OPEN_BYTES: usize = 256 << 20;
/// What an open game takes, about: its position with what each seat sees of it, and each entry of its chain.
const GAME_BYTES: usize = 512 << 10;
const ENTRY_BYTES: usize = 1 << 10;

/// Why a game cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum Unopened {
    /// What the store has of it cannot be read, or contradicts itself.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its ruleset makes nothing of it.
    #[error("{0}")]
    Game(String),
}

/// The open games, the last used at the end.
#[derive(Default)]
pub(super) struct Table {
    open: Vec<Open>,
    taken: u64,
}

struct Open {
    game: String,
    /// The end of its chain when it was put here.
    head: Head,
    hosted: Box<dyn Game>,
}

impl Open {
    fn bytes(&self) -> usize {
        let entries = usize::try_from(self.head.seq).unwrap_or(usize::MAX);
        entries.saturating_mul(ENTRY_BYTES).saturating_add(GAME_BYTES)
    }
}

impl Table {
    /// Takes a game off the table, or opens it from the store, with the end of the chain that it comes from. It is put back
    /// only after its act is committed.
    pub(super) fn take(
        &mut self,
        entries: &'static [Entry],
        store: &Store,
        row: &store::Game,
    ) -> Result<(Box<dyn Game>, Head), Unopened> {
        self.taken += 1;
        let head = store.log_head(&row.id)?;
        if let Some(at) = self.open.iter().position(|open| open.game == row.id) {
            let open = self.open.remove(at);
            // Another process may have written in between.
            if open.head == head {
                return Ok((open.hosted, head));
            }
        }
        // What is written while it is opened makes the two differ, and is found in the act.
        Ok((self::open(entries, store, row)?, head))
    }

    /// How often a game was taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Puts a game back after its act was committed, with the end of its chain in that act.
    pub(super) fn put(&mut self, game: &str, hosted: Box<dyn Game>, head: Head) {
        self.open.push(Open { game: game.to_owned(), head, hosted });
        let mut bytes = self.open.iter().map(Open::bytes).fold(0, usize::saturating_add);
        // The one that was just used stays, however large it is.
        while bytes > OPEN_BYTES && self.open.len() > 1 {
            bytes = bytes.saturating_sub(self.open.remove(0).bytes());
        }
    }
}

/// Why a game cannot go on where it stands, with the cure: its open order comes out otherwise under this program (4.3 of the
/// upgrade: facts are never decided again, but what is half carried out is).
pub fn stuck(game: &dyn Game, seats: &[String]) -> Option<String> {
    let why = game.otherwise()?;
    let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
    let until = match seats.as_slice() {
        [] => "it is carried out".to_owned(),
        some => format!("{} has answered", crate::text::and_list(some)),
    };
    let rest = game.rests().len();
    Some(format!(
        "the order that is half carried out comes out otherwise under this program ({why}).  REWIND {rest} takes play back to \
         the last rest point, before that order; or let the older program serve until {until}"
    ))
}

/// Opens a game from what the store holds of it, in the forms its seats want. Its chain is checked first: what was
/// changed in it is not played on.
///
/// # Errors
/// What of it cannot be read, contradicts itself, or is not as its ruleset has it.
pub fn open(entries: &'static [Entry], store: &Store, row: &store::Game) -> Result<Box<dyn Game>, Unopened> {
    let (log, open) = store.checked_game(&row.id)?;
    let kept = open.map(|open| {
        let entries = log.into_iter().map(|entry| (entry.slot, entry.kind, entry.body)).collect();
        Kept { entries, open }
    });
    opened(entries, store, row, kept)
}

/// A game as it was before anything happened.
///
/// # Errors
/// As for `open`.
pub(super) fn fresh(entries: &'static [Entry], store: &Store, row: &store::Game) -> Result<Box<dyn Game>, Unopened> {
    opened(entries, store, row, None)
}

fn opened(
    entries: &'static [Entry],
    store: &Store,
    row: &store::Game,
    kept: Option<Kept>,
) -> Result<Box<dyn Game>, Unopened> {
    let entry = games::find(entries, &row.ruleset).map_err(Unopened::Game)?;
    let files = store.scenario(&row.scenario_digest)?;
    let files = files.into_iter().map(|file| (file.path, file.text)).collect();
    let seats = store.seats(&row.id)?;
    let secrets = crate::audit::secrets_of(store, row)?;
    let tempo = match row.tempo {
        store::Tempo::Live => crate::host::Tempo::Live,
        store::Tempo::Sealed => crate::host::Tempo::Sealed,
    };
    let stored = Stored { game: row.id.clone(), files, secrets, tempo, kept };
    let mut hosted = (entry.open)(stored).map_err(|flaws| Unopened::Game(flaws.join("\n")))?;
    for seat in &seats {
        hosted.form(&crate::fog::SeatId(seat.seat.clone()), super::form::read(&seat.format));
    }
    Ok(hosted)
}

/// The rows that an umpire reads, recomputed by giving a fresh game every input of the chain.
///
/// # Errors
/// When the game cannot be opened, or its engine does otherwise now.
pub fn rebuilt_rows(entries: &'static [Entry], store: &Store, row: &store::Game) -> Result<Vec<Row>, Unopened> {
    let mut fresh = fresh(entries, store, row)?;
    let mut rows = Vec::new();
    for entry in store.log_of_kind(&row.id, "input", 1)? {
        let input: Input = serde_json::from_str(&entry.body)
            .map_err(|error| Unopened::Game(format!("entry {}: {error}", entry.seq)))?;
        let batch = fresh.take(input).map_err(|broken| Unopened::Game(broken.why))?;
        if let Some(newer) = batch.rows {
            rows = newer;
        }
    }
    Ok(rows.iter().map(sitting::readable).collect())
}

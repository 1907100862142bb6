//! The games that lie open: a cache of what the store holds, thrown away whenever it could be stale.

use super::sitting;
use crate::games::{self, Entry, Stored};
use crate::host::hosted::Kept;
use crate::host::{Game, Input};
use crate::rules::kept::Row;
use crate::store::{self, Head, Snapshot, Store, StoreError};

/// Bytes of memory that all open games may take.
const OPEN_BYTES: usize = 256 << 20;
/// What an open game takes, about: its position with what each seat sees of it, and each entry of its chain.
const GAME_BYTES: usize = 512 << 10;
const ENTRY_BYTES: usize = 1 << 10;

/// So many entries go between two snapshots of a game, and some more until it stands where one can be made.
const SNAPSHOT_AFTER: u32 = 256;
/// Of so many games that are opened from a snapshot one is opened from its beginning too, and compared.
const PROVED_EACH: u64 = 200;

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
    taken: Taken,
}

/// A game that is off the table.
pub(super) struct Taken {
    pub hosted: Box<dyn Game>,
    /// The last entry of its chain before its snapshot; 0 where it has none.
    pub snapshot: u32,
}

impl Taken {
    /// What is to be kept of where a game stands at the end of its chain: nothing where it can hardly have gone on since the
    /// last time, and where it stands in the middle of something.
    pub(super) fn to_keep(&self, rules: &str, head: &Head) -> Option<Snapshot> {
        if rules.is_empty() || head.seq.saturating_sub(self.snapshot) < SNAPSHOT_AFTER {
            return None;
        }
        Some(Snapshot { head: head.clone(), rules: rules.to_owned(), body: self.hosted.snapshot()? })
    }
}

impl Open {
    fn bytes(&self) -> usize {
        let entries = usize::try_from(self.head.seq).unwrap_or(usize::MAX);
        let entries = entries.saturating_sub(self.taken.hosted.behind());
        entries.saturating_mul(ENTRY_BYTES).saturating_add(GAME_BYTES)
    }
}

impl Table {
    /// Takes a game off the table, or opens it from the store, with the end of the chain that it comes from; where it is wanted
    /// whole, not from a snapshot. It is put back only after its act is committed.
    pub(super) fn take(
        &mut self,
        entries: &'static [Entry],
        store: &Store,
        row: &store::Game,
        whole: bool,
    ) -> Result<(Taken, Head), Unopened> {
        self.taken += 1;
        let head = store.log_head(&row.id)?;
        if let Some(at) = self.open.iter().position(|open| open.game == row.id) {
            let open = self.open.remove(at);
            // Another process may have written in between.
            if open.head == head && !(whole && open.taken.hosted.behind() > 0) {
                return Ok((open.taken, head));
            }
        }
        // What is written while it is opened makes the two differ, and is found in the act.
        let short = if whole { None } else { self.short(entries, store, (row, &head))? };
        let taken = match short {
            Some(taken) => taken,
            None => Taken { hosted: self::open(entries, store, row)?, snapshot: 0 },
        };
        Ok((taken, head))
    }

    /// Opens a game from its snapshot, where it has one; now and then it is proved by the chain.
    fn short(
        &self,
        entries: &'static [Entry],
        store: &Store,
        (row, head): (&store::Game, &Head),
    ) -> Result<Option<Taken>, Unopened> {
        let Some(Short { hosted, snapshot }) = open_short(entries, store, row)? else { return Ok(None) };
        // By chance, and not by counting: a process may open few games.
        let chance = u64::from_str_radix(head.hash.get(..8).unwrap_or_default(), 16).unwrap_or(0);
        if chance.is_multiple_of(PROVED_EACH) {
            follows(&*hosted, store, row, &snapshot)?;
        }
        Ok(Some(Taken { hosted, snapshot: snapshot.head.seq }))
    }

    /// How often a game was taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Puts a game back after its act was committed, with the end of its chain in that act.
    pub(super) fn put(&mut self, game: &str, taken: Taken, head: Head) {
        self.open.push(Open { game: game.to_owned(), head, taken });
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
    let kept = open.map(|open| Kept { snapshot: None, entries: played(log), open });
    opened(entries, store, row, kept)
}

/// Whether the snapshot of a game, if it has one, is what its chain comes to.
///
/// # Errors
/// As for `follows`.
pub fn proved(entries: &'static [Entry], game: &dyn Game, store: &Store, row: &store::Game) -> Result<(), Unopened> {
    let rules = games::find(entries, &row.ruleset).map_err(Unopened::Game)?.rules;
    store.snapshot(&row.id, rules)?.map_or(Ok(()), |snapshot| follows(game, store, row, &snapshot))
}

/// A game that was opened from its snapshot.
pub struct Short {
    /// The game.
    pub hosted: Box<dyn Game>,
    /// Where it was opened.
    pub snapshot: Snapshot,
}

/// Opens a game from its snapshot and what stands in its chain behind that; none where it has no snapshot that these rules made,
/// or asks for more than that.
///
/// # Errors
/// What of it cannot be read, or contradicts itself.
pub fn open_short(entries: &'static [Entry], store: &Store, row: &store::Game) -> Result<Option<Short>, Unopened> {
    let rules = games::find(entries, &row.ruleset).map_err(Unopened::Game)?.rules;
    let Some(snapshot) = store.snapshot(&row.id, rules)? else { return Ok(None) };
    let (log, open) = match store.checked_since(&row.id, &snapshot.head) {
        Ok((log, Some(open))) => (log, open),
        Ok((_, None)) => return Ok(None),
        // Whether the chain itself is at fault, or the snapshot is of another one, the whole chain says.
        Err(StoreError::Broken { .. }) => {
            tracing::warn!(game = row.id, "the chain does not follow from a snapshot");
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let kept = Kept { snapshot: Some(snapshot.body.clone()), entries: played(log), open };
    match opened(entries, store, row, Some(kept)) {
        Ok(hosted) if !hosted.fell_short() => Ok(Some(Short { hosted, snapshot })),
        Ok(_) => Ok(None),
        Err(Unopened::Store(error)) => Err(error.into()),
        // Whether the game itself can be opened, the whole chain says.
        Err(Unopened::Game(why)) => {
            tracing::warn!(game = row.id, "a snapshot is of no use");
            tracing::debug!(game = row.id, why, "why it is of no use");
            Ok(None)
        }
    }
}

/// A log as a host reads it.
fn played(log: Vec<store::LogEntry>) -> Vec<(u32, String, String)> {
    log.into_iter().map(|entry| (entry.slot, entry.kind, entry.body)).collect()
}

/// Compares a snapshot of a game with what its chain comes to.
///
/// # Errors
/// That it is something else; a chain that cannot be read.
fn follows(game: &dyn Game, store: &Store, row: &store::Game, snapshot: &Snapshot) -> Result<(), Unopened> {
    let (mut log, _) = store.checked_game(&row.id)?;
    log.retain(|entry| entry.seq <= snapshot.head.seq);
    if log.last().is_some_and(|last| last.hash == snapshot.head.hash) && game.follows(&played(log), &snapshot.body) {
        return Ok(());
    }
    Err(Unopened::Game(format!(
        "the snapshot of where it stood at entry {} is not what its chain comes to; RELEASE opens it by its chain",
        snapshot.head.seq
    )))
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

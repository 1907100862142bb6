//! What a backup says of itself, and what a restore writes into the copy that it puts in place.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use super::open::make_private;
use super::{Act, Game, Store, StoreError};

/// Under which mark a database keeps which post office it is of.
pub const OFFICE: &str = "office";
/// When the file was copied; none in the database itself.
const COPIED: &str = "copied at";

/// The next mail after a restore has the number behind a whole thousand, and at least so many are given up.
const LOST: (u32, u32) = (500, 1000);

/// How far the numbers of each seat's mails went, by game and seat.
pub type Numbers = BTreeMap<(String, String), u32>;

/// The digest of a reply tag in a database that was moved aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldTag {
    hash: String,
    /// Whose mail it came with.
    pub seat: String,
    /// Its running number.
    pub mail_number: u32,
    reader: Option<String>,
}

impl Act<'_> {
    /// From now on the secrets of the game's mails and dice follow from this name too.
    pub fn begin_epoch(&self, game: &str, epoch: &str) -> Result<(), StoreError> {
        self.write_one(format_args!("game {game}"), "UPDATE games SET epoch = ?2 WHERE id = ?1", params![game, epoch])
    }

    /// Gives up the numbers that a seat's mails may have had since a backup, at least 500 and up to a whole thousand, and
    /// all up to `known`; the first and the last of them.
    pub fn lose_numbers(&self, game: &str, seat: &str, known: u32) -> Result<(u32, u32), StoreError> {
        let row = format_args!("seat {game}/{seat}");
        let sql = "SELECT mails_sent FROM seats WHERE game = ?1 AND seat = ?2";
        let sent: u32 = self.one(row, sql, [game, seat], |row| row.get(0))?.unwrap_or(0);
        let first = sent.saturating_add(1);
        let (least, round) = LOST;
        let last = sent.max(known).saturating_add(least).div_ceil(round).saturating_mul(round);
        self.write(
            row,
            "INSERT INTO lost_numbers (game, seat, first, last) VALUES (?1, ?2, ?3, ?4)",
            params![game, seat, first, last],
        )?;
        self.write_one(
            row,
            "UPDATE seats SET mails_sent = ?3 WHERE game = ?1 AND seat = ?2",
            params![game, seat, last],
        )?;
        self.once.seats.forget(game);
        Ok((first, last))
    }

    /// Knows a reply tag that was given away in a time that was lost; one that is known already stays as it is.
    pub fn know_tag(&self, game: &str, tag: &OldTag) -> Result<(), StoreError> {
        self.write(
            format_args!("tag of mail {} to {game}/{}", tag.mail_number, tag.seat),
            "INSERT INTO tags (hash, game, seat, mail_number, reader) VALUES (?1, ?2, ?3, ?4, ?5) \
             ON CONFLICT (hash) DO NOTHING",
            params![tag.hash, game, tag.seat, tag.mail_number, tag.reader],
        )?;
        Ok(())
    }

    /// The copy is the post office itself from now on.
    pub fn is_in_place(&self) -> Result<(), StoreError> {
        self.drop_mark(COPIED)
    }
}

impl Store {
    /// When this copy was made; none where it is no copy, or one that another program made.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn copied_at(&self) -> Result<Option<String>, StoreError> {
        self.mark(COPIED)
    }

    /// How many mails came in and went out: it never goes back, so that an older copy of the file is known by it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn mails_ever(&self) -> Result<i64, StoreError> {
        let sql = "SELECT (SELECT coalesce(max(id), 0) FROM inbox) + (SELECT coalesce(max(id), 0) FROM outbox)";
        Ok(self.one(format_args!("mails"), sql, (), |row| row.get(0))?.unwrap_or(0))
    }

    /// Whether a mail to a seat with that number may have been sent in a time that was lost.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn is_lost(&self, game: &str, seat: &str, number: u32) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM lost_numbers WHERE game = ?1 AND seat = ?2 AND ?3 BETWEEN first AND last";
        let row = format_args!("lost numbers of {game}/{seat}");
        Ok(self.one(row, sql, params![game, seat, number], |_| Ok(()))?.is_some())
    }

    /// Whether mails to a seat were lost that came after the one with that number.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn is_before_loss(&self, game: &str, seat: &str, number: u32) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM lost_numbers WHERE game = ?1 AND seat = ?2 AND first > ?3 LIMIT 1";
        let row = format_args!("lost numbers of {game}/{seat}");
        Ok(self.one(row, sql, params![game, seat, number], |_| Ok(()))?.is_some())
    }
}

/// Writes into a copy when it was made.
pub(super) fn stamp(copy: &mut Connection, at: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO marks (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    copy.execute(sql, [COPIED, at])?;
    Ok(())
}

/// What a database says under a mark, before anything of it is brought up to date; none where no game was ever made.
///
/// # Errors
/// When it cannot be read.
pub fn glance(path: &Path, mark: &str) -> Result<Option<Option<String>>, StoreError> {
    let sql = |source| StoreError::sql(path, &format_args!("mark {mark}"), source);
    if !path.is_file() {
        return Ok(None);
    }
    // Who may only read leaves beside the file what SQLite lays there.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(sql)?;
    let ask = |query: &str| conn.query_row(query, (), |row| row.get::<_, i64>(0)).map_err(sql);
    let made = ask("SELECT count(*) FROM sqlite_schema WHERE name IN ('games', 'marks')")? == 2;
    if !made || ask("SELECT count(*) FROM games")? == 0 {
        return Ok(None);
    }
    let found = conn.query_row("SELECT value FROM marks WHERE key = ?1", [mark], |row| row.get(0));
    Ok(Some(found.optional().map_err(sql)?))
}

/// Which post office a database is, before anything of it is brought up to date; none where it does not say.
///
/// # Errors
/// When it cannot be read.
pub fn office_of(path: &Path) -> Result<Option<String>, StoreError> {
    Ok(glance(path, OFFICE)?.flatten())
}

/// Which post office a copy is of, though no game was ever made in it; none where it does not say.
///
/// # Errors
/// When it cannot be read.
pub fn office_of_copy(path: &Path) -> Result<Option<String>, StoreError> {
    let sql = |source| StoreError::sql(path, &format_args!("mark {OFFICE}"), source);
    let conn = readable_copy(path).map_err(sql)?;
    let made =
        conn.query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'marks'", (), |row| row.get::<_, i64>(0));
    if made.map_err(sql)? == 0 {
        return Ok(None);
    }
    let found = conn.query_row("SELECT value FROM marks WHERE key = ?1", [OFFICE], |row| row.get(0));
    found.optional().map_err(sql)
}

/// How far the numbers of mails went in a database that was moved aside. What of it cannot be read says nothing.
pub fn numbers_of(path: &Path) -> Numbers {
    let sql = "SELECT game, seat, max(number) FROM outbox WHERE number IS NOT NULL GROUP BY game, seat";
    readable(path, sql, (), |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?))).into_iter().collect()
}

/// The games of a database that was moved aside. What of it cannot be read says nothing.
pub fn games_of(path: &Path) -> Vec<String> {
    readable(path, "SELECT id FROM games ORDER BY id", (), |row| row.get(0))
}

/// The reply tags of a game in a database that was moved aside, where it is the same game. What of it cannot be read says
/// nothing.
pub fn tags_of(path: &Path, game: &Game) -> Vec<OldTag> {
    let sql = "SELECT hash, seat, mail_number, reader FROM tags \
               WHERE game = ?1 AND EXISTS (SELECT 1 FROM games WHERE id = ?1 AND master = ?2)";
    readable(path, sql, params![game.id, game.master], |row| {
        Ok(OldTag { hash: row.get(0)?, seat: row.get(1)?, mail_number: row.get(2)?, reader: row.get(3)? })
    })
}

/// The rows of a statement that can be read; a damaged page ends them, and a damaged row is left out.
fn readable<T>(
    path: &Path,
    sql: &str,
    params: impl rusqlite::Params,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Vec<T> {
    let rows = || -> rusqlite::Result<Vec<T>> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(path, flags)?;
        let mut statement = conn.prepare(sql)?;
        let mut found = Vec::new();
        for row in statement.query_map(params, read)? {
            match row {
                Ok(row) => found.push(row),
                Err(rusqlite::Error::SqliteFailure(..)) => break,
                Err(_) => {}
            }
        }
        Ok(found)
    };
    if path.is_file() { rows().unwrap_or_default() } else { Vec::new() }
}

/// Opens a copy. SQLite lays files of its own beside one that was left in its write-ahead mode; where nobody can write, the
/// file is read as it is, which is whole if no log lies beside it.
fn readable_copy(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open =
        |source: Connection| source.query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(())).map(|()| source);
    let first = Connection::open_with_flags(path, flags).and_then(open);
    let cannot = matches!(&first, Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen));
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if !cannot || Path::new(&log).exists() {
        return first;
    }
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let uri = format!("file:{escaped}?immutable=1");
    Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI).and_then(open)
}

/// Copies a database that nobody changes to a new file that only its owner can read, by SQLite itself, so that what lies in
/// its write-ahead log comes along. The source is not written to.
///
/// # Errors
/// When the source cannot be read, or is none; or the new file is there.
pub fn copy_of(from: &Path, to: &Path) -> Result<(), StoreError> {
    let sql = |path: &Path| {
        let path = path.to_owned();
        move |source| StoreError::sql(&path, &"copying", source)
    };
    // What is none, or is damaged at its head, is found before anything is made.
    let source = readable_copy(from).map_err(sql(from))?;
    make_private(to)?;
    let mut target = Connection::open(to).map_err(sql(to))?;
    let backup = rusqlite::backup::Backup::new(&source, &mut target).map_err(sql(from))?;
    backup.run_to_completion(i32::MAX, std::time::Duration::from_millis(50), None).map_err(sql(from))
}

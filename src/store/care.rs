//! Backup, and the checks that `estafette doctor` runs.

use std::fs;
use std::path::Path;

use rusqlite::backup::Backup;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::open::make_private;
use super::{Damaged, Fault, Store, StoreError, mend, migrate};

/// What must find nothing, each with a sentence in which the row found takes the place of `{}`.
const ORPHANS: &[(&str, &str)] = &[
    (
        "SELECT id FROM games WHERE NOT EXISTS (SELECT 1 FROM scenarios WHERE digest = scenario_digest)",
        "game {}: its scenario is not kept",
    ),
    ("SELECT id FROM games WHERE NOT EXISTS (SELECT 1 FROM seats WHERE game = id)", "game {}: has no seat"),
    (
        "SELECT game || '/' || seat FROM seats
         WHERE told_seq > coalesce((SELECT seq FROM log_heads WHERE log_heads.game = seats.game), 0)",
        "seat {}: was told more than the log holds",
    ),
    (
        "SELECT game || '/' || seat FROM seats WHERE mails_sent <> (SELECT count(DISTINCT number) FROM outbox
         WHERE outbox.game = seats.game AND outbox.seat = seats.seat AND number IS NOT NULL)
         + (SELECT coalesce(sum(last - first + 1), 0) FROM lost_numbers AS lost
         WHERE lost.game = seats.game AND lost.seat = seats.seat)
         OR mails_sent < coalesce((SELECT max(number) FROM outbox
         WHERE outbox.game = seats.game AND outbox.seat = seats.seat), 0)",
        "seat {}: the running numbers of its mails have a gap",
    ),
    (
        "SELECT game FROM rest_points
         WHERE seq > coalesce((SELECT seq FROM log_heads WHERE log_heads.game = rest_points.game), 0)",
        "game {}: its rest point lies beyond its log",
    ),
    (
        "SELECT id FROM inbox WHERE game IS NULL AND state = 'done'
         AND EXISTS (SELECT 1 FROM outbox WHERE answers = inbox.id AND outbox.game IS NOT NULL)",
        "inbox {}: was answered for a game it was not taken for",
    ),
];

impl Store {
    /// Copies the whole database, as it is at this moment, to a new file that only its owner can read; the copy says when
    /// it was made.
    pub fn backup(&self, to: &Path, at: &str) -> Result<(), StoreError> {
        if to.exists() {
            return Err(StoreError::Exists { path: to.to_owned(), row: "backup".to_owned() });
        }
        make_private(to)?;
        let copied = self.copy_to(to, at);
        if copied.is_err() {
            // What is half written must not be taken for a backup.
            let _ = fs::remove_file(to);
        }
        copied
    }

    fn copy_to(&self, to: &Path, at: &str) -> Result<(), StoreError> {
        let sql = |source| StoreError::sql(to, &"backup", source);
        let mut target = Connection::open(to).map_err(sql)?;
        let backup = Backup::new(&self.conn, &mut target).map_err(sql)?;
        // All pages in one step: other writers wait, and the copy is of one moment.
        backup.run_to_completion(i32::MAX, std::time::Duration::from_millis(50), None).map_err(sql)?;
        drop(backup);
        super::restore::stamp(&mut target, at).map_err(sql)
    }

    /// Checks the file, the references between rows, every game's log, and that tables and triggers are as this
    /// program made them. Gives one sentence for each fault, none for a sound file.
    pub fn integrity(&self) -> Result<Vec<String>, StoreError> {
        self.examine(true)
    }

    /// Checks as [`Store::integrity`] does; where it need not be thorough, without comparing every index with its table.
    /// What cannot be read is a fault like others and keeps nothing else from being checked.
    ///
    /// # Errors
    /// Something passing.
    pub fn examine(&self, thorough: bool) -> Result<Vec<String>, StoreError> {
        let check = if thorough { "PRAGMA integrity_check" } else { "PRAGMA quick_check" };
        let mut faults = found_in(self.sentences(check, "file: {}"))?;
        faults.retain(|fault| fault != "file: ok");
        for damaged in self.damaged()? {
            let Damaged { name, index } = damaged;
            faults.push(match index {
                true => format!("file: the index {name} is damaged; estafette doctor --rebuild makes it anew"),
                false if mend::can_be_made_anew(&name) => {
                    format!("file: the table {name} is damaged; estafette doctor --rebuild makes it anew")
                }
                false => format!(
                    "file: the table {name} is damaged; stop the daemon and restore the backup (games whose pages are \
                     sound go on meanwhile)"
                ),
            });
        }
        let lost =
            "SELECT \"table\" || coalesce(' ' || rowid, '') || ' names a row of ' || parent || ' that is not there'
                    FROM pragma_foreign_key_check";
        faults.extend(found_in(self.sentences(lost, "{}"))?);
        faults.extend(found_in(self.schema_faults())?);
        for (sql, sentence) in ORPHANS {
            faults.extend(found_in(self.sentences(sql, sentence))?);
        }
        let games = self.games();
        let ids: Vec<String> =
            games.as_ref().map_or_else(|_| Vec::new(), |games| games.iter().map(|game| game.id.clone()).collect());
        faults.extend(found_in(games.map(|_| Vec::new()))?);
        for game in ids {
            match self.verify_log(&game) {
                Err(StoreError::Broken { game, seq, detail, .. }) => {
                    faults.push(format!("log of {game}: entry {seq}: {detail}"));
                }
                other => faults.extend(found_in(other.map(|()| Vec::new()))?),
            }
        }
        Ok(faults)
    }

    /// Tries whether the file can be written to, and leaves it as it is.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn try_writing(&self) -> Result<(), StoreError> {
        let sql = |source| self.error(&"trial", source);
        let transaction = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate).map_err(sql)?;
        transaction.execute("INSERT INTO marks (key, value) VALUES ('trial', '')", ()).map_err(sql)?;
        transaction.rollback().map_err(sql)
    }

    fn sentences(&self, sql: &'static str, sentence: &str) -> Result<Vec<String>, StoreError> {
        let found = self.many(format_args!("integrity"), sql, (), |row| {
            Ok(match row.get_ref(0)? {
                rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                other => other.as_str().unwrap_or("?").to_owned(),
            })
        })?;
        Ok(found.into_iter().map(|row| sentence.replace("{}", &row)).collect())
    }

    /// A trigger dropped or a table altered by another tool shows against a database made anew.
    fn schema_faults(&self) -> Result<Vec<String>, StoreError> {
        let sql = |source| self.error(&"schema", source);
        let fresh = Connection::open_in_memory().map_err(sql)?;
        migrate::migrate(&fresh, Path::new(":memory:"), true)?;
        let (ours, theirs) = (objects(&fresh).map_err(sql)?, objects(&self.conn).map_err(sql)?);
        let missing =
            ours.iter().filter(|object| !theirs.contains(object)).map(|(name, _)| (name, "missing or altered"));
        let added = theirs.iter().filter(|object| !ours.iter().any(|(name, _)| *name == object.0));
        let added = added.map(|(name, _)| (name, "not of this program's making"));
        Ok(missing.chain(added).map(|(name, what)| format!("schema: {name} is {what}")).collect())
    }
}

/// What a check found; that it could not be made is a finding too, unless that passes.
fn found_in(checked: Result<Vec<String>, StoreError>) -> Result<Vec<String>, StoreError> {
    match checked {
        Err(error) if error.fault() != Fault::Passing => Ok(vec![error.to_string()]),
        other => other,
    }
}

/// Bytes that are free on the disk of a folder, where the system says so.
#[must_use]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    #[cfg(target_os = "linux")]
    return rustix::fs::statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    #[cfg(not(target_os = "linux"))]
    return Some(folder).and(None);
}

/// What the schema holds: names, and the statements that made them.
fn objects(conn: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut statement = conn.prepare(
        "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema
         WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
    )?;
    statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

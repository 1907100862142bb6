//! Backup, and the checks that `estafette doctor` runs.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::open::make_private;
use super::{Store, StoreError, migrate};

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
    /// Copies the whole database, as it is at this moment, to a new file that only its owner can read.
    pub fn backup(&self, to: &Path) -> Result<(), StoreError> {
        if to.exists() {
            return Err(StoreError::Exists { path: to.to_owned(), row: "backup".to_owned() });
        }
        make_private(to)?;
        let copied = self.copy_to(to);
        if copied.is_err() {
            // What is half written must not be taken for a backup.
            let _ = fs::remove_file(to);
        }
        copied
    }

    fn copy_to(&self, to: &Path) -> Result<(), StoreError> {
        let sql = |source| StoreError::sql(to, &"backup", source);
        let mut target = Connection::open(to).map_err(sql)?;
        let backup = Backup::new(&self.conn, &mut target).map_err(sql)?;
        // All pages in one step: other writers wait, and the copy is of one moment.
        backup.run_to_completion(i32::MAX, std::time::Duration::from_millis(50), None).map_err(sql)
    }

    /// Checks the file, the references between rows, every game's log, and that tables and triggers are as this
    /// program made them. Gives one sentence for each fault, none for a sound file.
    pub fn integrity(&self) -> Result<Vec<String>, StoreError> {
        let mut faults = self.sentences("PRAGMA integrity_check", "file: {}")?;
        faults.retain(|fault| fault != "file: ok");
        let lost =
            "SELECT \"table\" || coalesce(' ' || rowid, '') || ' names a row of ' || parent || ' that is not there'
                    FROM pragma_foreign_key_check";
        faults.extend(self.sentences(lost, "{}")?);
        faults.extend(self.schema_faults()?);
        for (sql, sentence) in ORPHANS {
            faults.extend(self.sentences(sql, sentence)?);
        }
        for game in self.games()? {
            match self.verify_log(&game.id) {
                Err(StoreError::Broken { game, seq, detail, .. }) => {
                    faults.push(format!("log of {game}: entry {seq}: {detail}"));
                }
                other => other?,
            }
        }
        Ok(faults)
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
        migrate::migrate(&fresh, Path::new(":memory:"))?;
        let (ours, theirs) = (objects(&fresh).map_err(sql)?, objects(&self.conn).map_err(sql)?);
        let missing =
            ours.iter().filter(|object| !theirs.contains(object)).map(|(name, _)| (name, "missing or altered"));
        let added = theirs.iter().filter(|object| !ours.iter().any(|(name, _)| *name == object.0));
        let added = added.map(|(name, _)| (name, "not of this program's making"));
        Ok(missing.chain(added).map(|(name, what)| format!("schema: {name} is {what}")).collect())
    }
}

/// What the schema holds: names, and the statements that made them.
fn objects(conn: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut statement = conn.prepare(
        "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema
         WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
    )?;
    statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

//! The checks that `estafette doctor` runs, and of each thing found, whom it stops: a fault of one game is no fault of the
//! others.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::Value;

use super::base::Base;
use super::migrate::Begin;
use super::rights::{COMPARING, MAKING};
use super::{Damaged, Fault, Store, StoreError, mend, migrate};

/// What a thing found is wrong with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// The file or its schema: nothing in it can be relied on.
    File,
    /// The rows of one game.
    Game(String),
    /// Rows that belong to no game.
    Post,
}

/// A thing found by the checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whom it stops.
    pub about: About,
    /// What it is, as a sentence.
    pub said: String,
}

impl Finding {
    fn of_file(said: String) -> Finding {
        Finding { about: About::File, said }
    }
}

/// What a schema holds: kind and name of each object, and how it was made.
pub(super) type Objects = Vec<(String, String)>;

/// The kind of an index, before its name; and that of a table.
const INDEX: &str = "index ";
const TABLE: &str = "table ";

/// What must find nothing, each with a sentence in which the row found takes the place of `{}`. Each gives the game and
/// the row.
const ORPHANS: &[(&str, &str)] = &[
    (
        "SELECT id, id FROM games WHERE NOT EXISTS (SELECT 1 FROM scenarios WHERE digest = scenario_digest)",
        "game {}: its scenario is not kept",
    ),
    ("SELECT id, id FROM games WHERE NOT EXISTS (SELECT 1 FROM seats WHERE game = id)", "game {}: has no seat"),
    (
        "SELECT game, game || '/' || seat FROM seats WHERE mails_sent <> (SELECT count(DISTINCT number) FROM outbox
         WHERE outbox.game = seats.game AND outbox.seat = seats.seat AND number IS NOT NULL)
         + (SELECT coalesce(sum(last - first + 1), 0) FROM lost_numbers AS lost
         WHERE lost.game = seats.game AND lost.seat = seats.seat)
         OR mails_sent < coalesce((SELECT max(number) FROM outbox
         WHERE outbox.game = seats.game AND outbox.seat = seats.seat), 0)",
        "seat {}: the running numbers of its mails have a gap",
    ),
    (
        "SELECT outbox.game, inbox.id FROM inbox JOIN outbox ON outbox.answers = inbox.id
         WHERE inbox.game IS NULL AND inbox.state = 'done' AND outbox.game IS NOT NULL GROUP BY outbox.game, inbox.id",
        "inbox {}: was answered for a game it was not taken for",
    ),
];

impl Store {
    /// Checks the file, the references between rows, every game's log, and that tables and triggers are as this
    /// program made them. Gives one sentence for each fault, none for a sound file.
    pub fn integrity(&self) -> Result<Vec<String>, StoreError> {
        self.examine(true)
    }

    /// Checks as [`Store::integrity`] does; where it need not be thorough, without comparing every index with its table.
    ///
    /// # Errors
    /// Something passing.
    pub fn examine(&self, thorough: bool) -> Result<Vec<String>, StoreError> {
        Ok(self.findings(thorough)?.into_iter().map(|finding| finding.said).collect())
    }

    /// Checks the same, and says of each fault whom it stops. What cannot be read is a fault like others and keeps nothing
    /// else from being checked.
    ///
    /// # Errors
    /// Something passing.
    pub fn findings(&self, thorough: bool) -> Result<Vec<Finding>, StoreError> {
        let mut found = self.of_pages(thorough)?;
        found.extend(found_in(About::File, self.lost_rows())?);
        found.extend(found_in(About::File, self.schema_faults())?);
        for (sql, sentence) in ORPHANS {
            found.extend(found_in(About::File, self.orphans(sql, sentence))?);
        }
        let games = self.games();
        let ids: Vec<String> =
            games.as_ref().map_or_else(|_| Vec::new(), |games| games.iter().map(|game| game.id.clone()).collect());
        found.extend(found_in(About::File, games.map(|_| Vec::new()))?);
        for game in ids {
            let about = About::Game(game.clone());
            match self.verify_log(&game) {
                Err(StoreError::Broken { game, seq, detail, .. }) => {
                    found.push(Finding { about, said: format!("log of {game}: entry {seq}: {detail}") });
                }
                other => found.extend(found_in(about, other.map(|()| Vec::new()))?),
            }
        }
        Ok(found)
    }

    /// Damaged pages, tables and indexes.
    fn of_pages(&self, thorough: bool) -> Result<Vec<Finding>, StoreError> {
        // A server's pages are its operator's to check, with pg_amcheck.
        if self.is_shared() {
            return Ok(Vec::new());
        }
        let check = if thorough { "PRAGMA integrity_check" } else { "PRAGMA quick_check" };
        let said = self.many(format_args!("integrity"), check, (), |row| {
            Ok(Finding::of_file(format!("file: {}", row.get::<_, String>(0)?)))
        });
        let mut found = found_in(About::File, said)?;
        found.retain(|finding| finding.said != "file: ok");
        for damaged in self.damaged()? {
            let Damaged { name, index } = damaged;
            found.push(Finding::of_file(match index {
                true => format!("file: the index {name} is damaged; estafette doctor --rebuild makes it anew"),
                false if mend::can_be_made_anew(&name) => {
                    format!("file: the table {name} is damaged; estafette doctor --rebuild makes it anew")
                }
                false => format!(
                    "file: the table {name} is damaged; stop the daemon and restore the backup (games whose pages are \
                     sound go on meanwhile)"
                ),
            }));
        }
        Ok(found)
    }

    fn orphans(&self, sql: &'static str, sentence: &str) -> Result<Vec<Finding>, StoreError> {
        self.many(format_args!("integrity"), sql, (), |row| {
            let named = match row.get::<_, Value>(1)? {
                Value::Integer(number) => number.to_string(),
                Value::Text(text) => text,
                _ => "?".to_owned(),
            };
            Ok(Finding { about: About::Game(row.get(0)?), said: sentence.replace("{}", &named) })
        })
    }

    /// Rows that name rows that are not there, once for each game and kind.
    fn lost_rows(&self) -> Result<Vec<Finding>, StoreError> {
        // A server lets no such row be.
        let Some(conn) = self.base.lite() else { return Ok(Vec::new()) };
        let sql = "SELECT DISTINCT \"table\", parent, fkid FROM pragma_foreign_key_check";
        let broken = self.many(format_args!("references"), sql, (), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
        })?;
        let mut found = Vec::new();
        for (table, parent, key) in broken {
            let games =
                games_of(conn, &table, &parent, key).map_err(|source| self.error(&"references", source.into()))?;
            let what = format!("names a row of {parent} that is not there");
            found.extend(games.into_iter().map(|game| match game {
                Some(game) => Finding { said: format!("{table} of {game} {what}"), about: About::Game(game) },
                None => Finding { about: About::Post, said: format!("{table} {what}") },
            }));
        }
        Ok(found)
    }

    /// A trigger dropped or a table altered by another tool shows against a database made anew.
    fn schema_faults(&self) -> Result<Vec<Finding>, StoreError> {
        let (ours, theirs) = self.schemas(COMPARING)?;
        Ok(differences(&ours, &theirs))
    }

    /// Indexes that are not there at all, and the statement that makes each.
    pub(super) fn missing_indexes(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.missing(INDEX, MAKING)
    }

    /// Tables that are not there at all.
    ///
    /// # Errors
    /// When the list of them cannot be read.
    pub fn missing_tables(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.missing(TABLE, COMPARING)?.into_iter().map(|(name, _)| name).collect())
    }

    /// What of a kind is not there at all, and the statement that makes each.
    fn missing(&self, kind: &str, rights: &'static str) -> Result<Vec<(String, String)>, StoreError> {
        let (ours, theirs) = self.schemas(rights)?;
        let missing = ours.into_iter().filter(|(name, _)| !named(&theirs, name));
        Ok(missing.filter_map(|(name, made)| Some((name.strip_prefix(kind)?.to_owned(), made))).collect())
    }

    /// The schema as this program makes it, and as it is; with the rights that are needed for it where one is missing.
    fn schemas(&self, rights: &'static str) -> Result<(Objects, Objects), StoreError> {
        let conn = match &self.base {
            Base::Lite(conn) => conn,
            Base::Server(server) => {
                return server.schemas().map_err(|source| self.denied(&"schema", source.into(), rights));
            }
        };
        let sql = |source: rusqlite::Error| self.error(&"schema", source.into());
        let fresh = Connection::open_in_memory().map_err(sql)?;
        migrate::migrate(&fresh, Path::new(":memory:"), Begin::Anew)?;
        Ok((objects(&fresh).map_err(sql)?, objects(conn).map_err(sql)?))
    }
}

/// Whether something is there by its kind and name.
fn named(all: &Objects, name: &str) -> bool {
    all.iter().any(|(known, _)| known == name)
}

/// What a schema, as names and how each was made, has otherwise than it should.
fn differences(ours: &Objects, theirs: &Objects) -> Vec<Finding> {
    let wrong = ours.iter().filter(|object| !theirs.contains(object)).map(|(name, _)| {
        let gone = !named(theirs, name);
        Finding::of_file(match (name.strip_prefix(INDEX), name.strip_prefix(TABLE)) {
            (Some(index), _) if gone => {
                format!("schema: the index {index} is missing; estafette doctor --rebuild makes it anew")
            }
            (_, Some(table)) if gone => {
                format!("schema: the table {table} is missing; stop the daemon and restore the backup")
            }
            _ => format!("schema: {name} is missing or altered"),
        })
    });
    let added = theirs.iter().filter(|(name, _)| !named(ours, name));
    wrong
        .chain(added.map(|(name, _)| Finding::of_file(format!("schema: {name} is not of this program's making"))))
        .collect()
}

/// What a check found; that it could not be made is a finding too, unless that passes.
fn found_in(about: About, checked: Result<Vec<Finding>, StoreError>) -> Result<Vec<Finding>, StoreError> {
    match checked {
        Err(error) if error.fault() == Fault::Damage => Ok(vec![Finding::of_file(error.to_string())]),
        Err(error) if error.fault() != Fault::Passing => Ok(vec![Finding { about, said: error.to_string() }]),
        other => other,
    }
}

/// The games whose rows break a reference of a table; none stands for rows of no game.
fn games_of(conn: &Connection, table: &str, parent: &str, key: i64) -> rusqlite::Result<BTreeSet<Option<String>>> {
    let mut columns = conn.prepare("SELECT \"from\", \"to\" FROM pragma_foreign_key_list(?1) WHERE id = ?2")?;
    let columns: Vec<(String, String)> =
        columns.query_map((table, key), |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    let of_game = conn.query_row("SELECT count(*) FROM pragma_table_info(?1) WHERE name = 'game'", [table], |row| {
        row.get::<_, i64>(0)
    })?;
    let game = if of_game == 0 { "NULL" } else { "child.game" };
    let there: Vec<String> = columns.iter().map(|(from, _)| format!("child.\"{from}\" IS NOT NULL")).collect();
    let same: Vec<String> = columns.iter().map(|(from, to)| format!("kept.\"{to}\" = child.\"{from}\"")).collect();
    let sql = format!(
        "SELECT DISTINCT {game} FROM \"{table}\" AS child WHERE {} AND NOT EXISTS \
         (SELECT 1 FROM \"{parent}\" AS kept WHERE {})",
        there.join(" AND "),
        same.join(" AND ")
    );
    conn.prepare(&sql)?.query_map((), |row| row.get(0))?.collect()
}

/// What the schema holds: names, and the statements that made them.
fn objects(conn: &Connection) -> rusqlite::Result<Objects> {
    let mut statement = conn.prepare(
        "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema
         WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
    )?;
    statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

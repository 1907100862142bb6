//! A whole post office copied from one database to another, and compared.

use std::fmt::Write;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, Value, ValueRef};
use sha2::{Digest, Sha256};

use super::act::{Kind, Open};
use super::base::{Binds, Failure, Row};
use super::whereabouts::MARKS;
use super::{Store, StoreError};

/// The tables in an order in which each names only rows that are there, with their columns; the first say in which order
/// their rows are compared.
const TABLES: &[(&str, usize, &[&str])] = &[
    ("scenarios", 2, &["digest", "path", "text"]),
    (
        "games",
        1,
        &[
            "id",
            "ruleset",
            "engine_version",
            "scenario_digest",
            "tempo",
            "deadline_hours",
            "master",
            "state",
            "held",
            "created",
            "spare_used",
            "epoch",
            "protocol",
        ],
    ),
    ("seats", 2, &["game", "seat", "side", "ordinal", "signed_on", "nonce", "format", "mails_sent"]),
    ("addresses", 3, &["game", "seat", "address", "spelled"]),
    ("tags", 1, &["hash", "game", "seat", "mail_number", "reader"]),
    (
        "inbox",
        1,
        &[
            "id",
            "message_id",
            "digest",
            "game",
            "seat",
            "received",
            "raw",
            "size",
            "bytes",
            "state",
            "reason",
            "lane",
            "in_hand",
        ],
    ),
    (
        "outbox",
        1,
        &[
            "id",
            "game",
            "seat",
            "number",
            "message_id",
            "recipient",
            "raw",
            "size",
            "state",
            "queued",
            "sent",
            "answers",
            "again",
            "bounces",
            "tries",
            "next_try",
            "fault",
            "asked",
        ],
    ),
    ("rate", 2, &["day", "address", "count"]),
    ("marks", 1, &["key", "value"]),
    ("segments", 2, &["game", "seq_from", "seq_to", "slot", "kinds", "hash", "size", "body"]),
    ("log_heads", 1, &["game", "seq", "hash"]),
    ("open_leg", 1, &["game", "body", "head", "digest"]),
    ("snapshots", 1, &["game", "seq", "hash", "rules", "digest", "size", "body"]),
    ("dues", 3, &["game", "seat", "address", "default_text", "due_at"]),
    ("desk", 3, &["game", "seat", "key", "value"]),
    ("press", 1, &["id", "game", "sender", "recipient", "written", "body", "delivered"]),
    ("organization_display", 9, &["game", "side", "leader", "under", "hex", "unit", "arm", "sp", "mode"]),
    ("vedettes", 5, &["game", "side", "vedette", "hex", "face"]),
    ("fog_chits", 5, &["game", "side", "chit", "hex", "contents"]),
    ("intel", 8, &["game", "side", "tag", "hex", "what", "sp", "learnt_turn", "confidence"]),
    ("board_rows", 6, &["game", "side", "board", "name", "hex", "facts"]),
    ("game_notes", 2, &["game", "key", "value"]),
    ("waiting", 1, &["id", "game", "address", "preference", "since"]),
    ("punctuality", 1, &["address", "met", "missed"]),
    ("stand_ins", 2, &["game", "seat", "address", "kind"]),
    ("codes", 4, &["game", "seat", "address", "kind", "hash", "until", "body"]),
    ("lost_numbers", 3, &["game", "seat", "first", "last"]),
    ("notices", 2, &["game", "no", "first", "last", "why", "master", "text", "until", "value", "salt"]),
    ("nonces", 3, &["game", "no", "seat", "hash", "hashed", "words"]),
];

/// A value of any column.
struct Any(Value);

impl FromSql for Any {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Any> {
        Value::column_result(value).map(Any)
    }
}

impl ToSql for Any {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl Binds for Vec<Any> {
    fn each(&self, with: &mut dyn FnMut(&dyn ToSql) -> Result<(), Failure>) -> Result<(), Failure> {
        self.iter().try_for_each(|value| with(value))
    }
}

/// How much was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Rows.
    pub rows: u64,
    /// Mails that came in or went out.
    pub mails: u64,
    /// Entries of chains.
    pub entries: u64,
}

impl Store {
    /// Copies all rows of this post office, as they are at one moment, into one that holds no game and no mail, and compares
    /// them there. All of it is copied, or nothing. What a copy of before has brought is compared alone.
    ///
    /// # Errors
    /// A target that holds something else; rows that came out otherwise; either database.
    pub fn copy_all(&self, to: &Store) -> Result<Moved, StoreError> {
        let target = to.path().to_owned();
        let filled = !to.holds_nothing()?;
        self.at_one_moment(|| {
            to.act(|act| {
                let mut moved = Moved::default();
                for (table, keys, columns) in TABLES {
                    let (rows, digest) = match filled {
                        true => self.digest_of(table, columns, *keys)?,
                        false => self.copy_table(to, table, columns, *keys)?,
                    };
                    if act.digest_of(table, columns, *keys)? != (rows, digest) {
                        let row = format!("the table {table}");
                        if filled {
                            return Err(StoreError::Exists {
                                path: target.clone(),
                                row: format!("another post office ({row})"),
                            });
                        }
                        let detail = "it came out otherwise than it was".to_owned();
                        return Err(StoreError::Damaged { path: target.clone(), row, detail });
                    }
                    moved.rows += rows;
                    if matches!(*table, "inbox" | "outbox") {
                        moved.mails += rows;
                    }
                }
                moved.entries = self.entries()?;
                // When games wake stands in no copy: all are asked at once.
                act.wake_all()?;
                Ok(moved)
            })
        })
    }

    /// How many entries all logs have together.
    fn entries(&self) -> Result<u64, StoreError> {
        let sql = "SELECT CAST(coalesce(sum(seq_to - seq_from + 1), 0) AS BIGINT) FROM segments";
        let count: Option<i64> = self.one(format_args!("entries of chains"), sql, (), |row| row.get(0))?;
        Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
    }

    /// Whether there is no game and no mail in it.
    pub(super) fn holds_nothing(&self) -> Result<bool, StoreError> {
        Ok(self.mails_ever()? == 0 && self.game_ids()?.is_empty())
    }

    /// Reads all of this database as it is at one moment, whatever others write meanwhile.
    pub(super) fn at_one_moment<T>(&self, work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        // Within an act it is so already.
        if self.base.is_open() {
            return work();
        }
        let _reading = Open::begin(&self.base, Kind::Reading).map_err(|source| self.error(&"reading", source))?;
        work()
    }

    /// Copies one table; how many rows, and their digest.
    fn copy_table(&self, to: &Store, table: &str, columns: &[&str], keys: usize) -> Result<(u64, String), StoreError> {
        if matches!(table, "marks") {
            let others = format!("DELETE FROM marks WHERE key NOT IN {MARKS}");
            to.base.execute(&others, &()).map_err(|source| to.error(&table, source))?;
        }
        let places: Vec<String> = (1..=columns.len()).map(|place| format!("?{place}")).collect();
        let insert = format!("INSERT INTO {table} ({}) VALUES ({})", columns.join(", "), places.join(", "));
        let (mut count, mut digest, mut failed) = (0, Sha256::new(), None);
        let mut take = |row: &Row<'_>| {
            let values = (0..columns.len()).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Any>>>()?;
            fold(&mut digest, &values);
            count += 1;
            failed = to.base.execute(&insert, &values).err();
            Ok(failed.is_none())
        };
        let read = self.base.stream(&select(table, columns, keys), &mut take);
        if let Some(failed) = failed {
            return Err(to.error(&format_args!("row {count} of {table}"), failed));
        }
        read.map_err(|source| self.error(&table, source))?;
        Ok((count, data_encoding::HEXLOWER.encode(&digest.finalize())))
    }

    /// How many rows a table has, and their digest.
    fn digest_of(&self, table: &str, columns: &[&str], keys: usize) -> Result<(u64, String), StoreError> {
        let (mut count, mut digest) = (0, Sha256::new());
        let mut take = |row: &Row<'_>| {
            let values = (0..columns.len()).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Any>>>()?;
            fold(&mut digest, &values);
            count += 1;
            Ok(true)
        };
        let read = self.base.stream(&select(table, columns, keys), &mut take);
        read.map_err(|source| self.error(&table, source))?;
        Ok((count, data_encoding::HEXLOWER.encode(&digest.finalize())))
    }
}

/// All rows of a table in the order of its first columns.
fn select(table: &str, columns: &[&str], keys: usize) -> String {
    let mut order = String::new();
    for column in columns.iter().take(keys) {
        // The two databases put what is missing at opposite ends; an identity is missing nowhere, and has an index.
        let missing = if *column == "id" { String::new() } else { format!("{column} IS NULL, ") };
        let _ = write!(order, "{}{missing}{column}", if order.is_empty() { "" } else { ", " });
    }
    // Where a post office is said to be is said of one place.
    let here = if table == "marks" { format!(" WHERE key NOT IN {MARKS}") } else { String::new() };
    format!("SELECT {} FROM {table}{here} ORDER BY {order}", columns.join(", "))
}

/// Takes a row into a digest: each value with its kind and length, so that no two rows are the same bytes.
fn fold(digest: &mut Sha256, values: &[Any]) {
    for Any(value) in values {
        let (kind, bytes): (u8, Vec<u8>) = match value {
            Value::Null => (0, Vec::new()),
            Value::Integer(number) => (1, number.to_be_bytes().to_vec()),
            Value::Real(number) => (2, number.to_be_bytes().to_vec()),
            Value::Text(text) => (3, text.clone().into_bytes()),
            Value::Blob(bytes) => (4, bytes.clone()),
        };
        digest.update([kind]);
        digest.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(bytes);
    }
}

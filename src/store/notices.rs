//! The notices of dice protocol 2, and what the seats gave to them.

use rusqlite::params;
use std::fmt;

use super::base::Row;
use super::{Act, Store, StoreError};

/// A notice, planned, written or settled.
#[derive(Clone, PartialEq, Eq)]
pub struct Notice {
    /// Its number, from 0.
    pub no: u32,
    /// Its first and last slot.
    pub slots: (u32, u32),
    /// What it closes, as its text says it.
    pub why: String,
    /// The master of its slots.
    pub master: [u8; 32],
    /// Its text, once it is written.
    pub text: Option<String>,
    /// Until when it waits for hashes, or for words.
    pub until: Option<String>,
    /// What its source gave.
    pub value: Option<Vec<u8>>,
    /// The salt of its slots, once nothing is waited for.
    pub salt: Option<[u8; 32]>,
}

impl fmt::Debug for Notice {
    /// Leaves out the master secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Notice { no, slots, why, text, .. } = self;
        out.debug_struct("Notice")
            .field("no", no)
            .field("slots", slots)
            .field("why", why)
            .field("text", text)
            .finish_non_exhaustive()
    }
}

/// What a seat gave to a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The seat.
    pub seat: String,
    /// SHA-256 of its words, in hexadecimal.
    pub hash: String,
    /// Whether the hash came first.
    pub hashed: bool,
    /// Its words, once they are known.
    pub words: Option<String>,
}

impl Act<'_> {
    /// Plans a notice: its slots are committed, and its text is not written yet.
    pub fn plan_notice(&self, game: &str, notice: &Notice) -> Result<(), StoreError> {
        self.once.notices.forget(game);
        self.write(
            format_args!("notice {game}/{}", notice.no),
            "INSERT INTO notices (game, no, first, last, why, master) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![game, notice.no, notice.slots.0, notice.slots.1, notice.why, notice.master],
        )?;
        Ok(())
    }

    /// Keeps the text of a notice.
    pub fn write_notice(&self, game: &str, no: u32, text: &str) -> Result<(), StoreError> {
        self.once.notices.forget(game);
        self.write_one(
            format_args!("notice {game}/{no}"),
            "UPDATE notices SET text = ?3 WHERE game = ?1 AND no = ?2",
            params![game, no, text],
        )
    }

    /// Keeps until when a notice waits for hashes, or for words.
    pub fn notice_until(&self, game: &str, no: u32, until: Option<&str>) -> Result<(), StoreError> {
        self.once.notices.forget(game);
        self.write_one(
            format_args!("notice {game}/{no}"),
            "UPDATE notices SET until = ?3 WHERE game = ?1 AND no = ?2",
            params![game, no, until],
        )
    }

    /// Keeps the value that a notice waited for.
    pub fn keep_value(&self, game: &str, no: u32, value: &[u8]) -> Result<(), StoreError> {
        self.once.notices.forget(game);
        self.write_one(
            format_args!("notice {game}/{no}"),
            "UPDATE notices SET value = ?3 WHERE game = ?1 AND no = ?2",
            params![game, no, value],
        )
    }

    /// Keeps what a notice waited for, and the salt that follows.
    pub fn settle_notice(&self, game: &str, no: u32, value: &[u8], salt: &[u8; 32]) -> Result<(), StoreError> {
        self.once.notices.forget(game);
        let value = Some(value).filter(|value| !value.is_empty());
        self.write_one(
            format_args!("notice {game}/{no}"),
            "UPDATE notices SET value = ?3, salt = ?4, until = NULL WHERE game = ?1 AND no = ?2",
            params![game, no, value, salt],
        )
    }

    /// Keeps what a seat gives to a notice, in the place of what it gave before.
    pub fn give_nonce(&self, game: &str, no: u32, given: &Given) -> Result<(), StoreError> {
        self.write(
            format_args!("nonce {game}/{no}/{}", given.seat),
            "INSERT INTO nonces (game, no, seat, hash, hashed, words) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (game, no, seat) DO UPDATE SET hash = excluded.hash, hashed = excluded.hashed,
             words = excluded.words",
            params![game, no, given.seat, given.hash, given.hashed, given.words],
        )?;
        Ok(())
    }
}

impl Store {
    /// The notices of a game, in order.
    pub fn notices(&self, game: &str) -> Result<Vec<Notice>, StoreError> {
        let sql =
            "SELECT no, first, last, why, master, text, value, salt, until FROM notices WHERE game = ?1 ORDER BY no";
        let read = || self.many(format_args!("notices of {game}"), sql, [game], notice);
        self.of_game(&self.once.notices, game, read, Clone::clone)
    }

    /// What the seats gave to a notice, in the scenario's order.
    pub fn nonces(&self, game: &str, no: u32) -> Result<Vec<Given>, StoreError> {
        self.many(
            format_args!("nonces of {game}/{no}"),
            "SELECT n.seat, n.hash, n.hashed, n.words FROM nonces AS n JOIN seats AS s USING (game, seat)
             WHERE n.game = ?1 AND n.no = ?2 ORDER BY s.ordinal",
            params![game, no],
            |row| Ok(Given { seat: row.get(0)?, hash: row.get(1)?, hashed: row.get(2)?, words: row.get(3)? }),
        )
    }

    /// The games in which a notice waits that is written, by id.
    pub fn games_that_wait_for_dice(&self) -> Result<Vec<String>, StoreError> {
        self.many(
            format_args!("notices that wait"),
            "SELECT DISTINCT n.game FROM notices AS n INDEXED BY notices_waiting CROSS JOIN games AS g ON g.id = n.game
             WHERE n.text IS NOT NULL AND n.salt IS NULL AND g.state IN ('forming', 'playing')
             AND n.no = (SELECT max(no) FROM notices WHERE game = n.game) ORDER BY n.game",
            (),
            |row| row.get(0),
        )
    }
}

fn notice(row: &Row<'_>) -> rusqlite::Result<Notice> {
    Ok(Notice {
        no: row.get(0)?,
        slots: (row.get(1)?, row.get(2)?),
        why: row.get(3)?,
        master: row.get(4)?,
        text: row.get(5)?,
        value: row.get(6)?,
        salt: row.get(7)?,
        until: row.get(8)?,
    })
}

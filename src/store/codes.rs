//! By which codes a seat changes hands, and who stands in for it.

use rusqlite::params;

use super::base::Row;
use super::once::seat_key;
use super::{Act, Store, StoreError};

/// A code that was mailed and has not been used. The code itself is in the mail alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The game.
    pub game: String,
    /// The seat; empty for who asks without one.
    pub seat: String,
    /// From where alone it may come; empty for any address of the seat, with a reply tag.
    pub address: String,
    /// What it is for, in a word: one of a kind is good at a time.
    pub kind: String,
    /// Its digest.
    pub hash: String,
    /// Until when it is good.
    pub until: String,
    /// What it does.
    pub body: String,
}

/// Who writes for a seat beside its own player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// His address, which is none of the seat's.
    pub address: String,
    /// `late` or `away`.
    pub kind: String,
}

impl Act<'_> {
    /// Keeps a code in place of one of the same game, seat, address and kind.
    pub fn put_code(&self, code: &Code) -> Result<(), StoreError> {
        self.write(
            format_args!("a code of {}/{}", code.game, code.seat),
            "INSERT INTO codes (game, seat, address, kind, hash, until, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
             ON CONFLICT (game, seat, address, kind) \
             DO UPDATE SET hash = excluded.hash, until = excluded.until, body = excluded.body",
            params![code.game, code.seat, code.address, code.kind, code.hash, code.until, code.body],
        )?;
        Ok(())
    }

    /// Drops a code: it is used, or good no more.
    pub fn drop_code(&self, code: &Code) -> Result<(), StoreError> {
        self.write(
            format_args!("a code of {}/{}", code.game, code.seat),
            "DELETE FROM codes WHERE game = ?1 AND seat = ?2 AND address = ?3 AND kind = ?4",
            [&code.game, &code.seat, &code.address, &code.kind],
        )?;
        Ok(())
    }

    /// Drops all codes of a seat.
    pub fn drop_codes(&self, game: &str, seat: &str) -> Result<(), StoreError> {
        let row = format_args!("codes of {game}/{seat}");
        self.write(row, "DELETE FROM codes WHERE game = ?1 AND seat = ?2", [game, seat])?;
        Ok(())
    }

    /// Drops all codes of a seat of one kind, wherever they may come from.
    pub fn drop_codes_of_kind(&self, game: &str, seat: &str, kind: &str) -> Result<(), StoreError> {
        let row = format_args!("codes of {game}/{seat}");
        self.write(row, "DELETE FROM codes WHERE game = ?1 AND seat = ?2 AND kind = ?3", [game, seat, kind])?;
        Ok(())
    }

    /// Drops the codes that were good until before a time.
    pub fn drop_codes_before(&self, until: &str) -> Result<(), StoreError> {
        self.write(format_args!("codes before {until}"), "DELETE FROM codes WHERE until < ?1", [until])?;
        Ok(())
    }

    /// Somebody writes for a seat, or nobody any more.
    pub fn set_stand_in(&self, game: &str, seat: &str, stand_in: Option<&StandIn>) -> Result<(), StoreError> {
        let row = format_args!("stand-in of {game}/{seat}");
        self.once.stand_ins.forget(&seat_key(game, seat));
        match stand_in {
            Some(StandIn { address, kind }) => self.write(
                row,
                "INSERT INTO stand_ins (game, seat, address, kind) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (game, seat) DO UPDATE SET address = excluded.address, kind = excluded.kind",
                [game, seat, &address.to_lowercase(), kind],
            )?,
            None => self.write(row, "DELETE FROM stand_ins WHERE game = ?1 AND seat = ?2", [game, seat])?,
        };
        Ok(())
    }
}

impl Store {
    /// The codes that a seat's own mail may bring.
    pub fn codes_of_seat(&self, game: &str, seat: &str) -> Result<Vec<Code>, StoreError> {
        let sql = "SELECT * FROM codes WHERE game = ?1 AND seat = ?2 AND address = '' ORDER BY kind";
        self.many(format_args!("codes of {game}/{seat}"), sql, [game, seat], code)
    }

    /// The codes that a mail from an address may bring, whatever its tag.
    pub fn codes_of_address(&self, address: &str) -> Result<Vec<Code>, StoreError> {
        let sql = "SELECT * FROM codes WHERE address = ?1 AND address <> '' ORDER BY game, seat, kind";
        self.many(format_args!("codes of an address"), sql, [address], code)
    }

    /// Who writes for a seat beside its own player.
    pub fn stand_in(&self, game: &str, seat: &str) -> Result<Option<StandIn>, StoreError> {
        let sql = "SELECT address, kind FROM stand_ins WHERE game = ?1 AND seat = ?2";
        let found = |row: &Row<'_>| Ok(StandIn { address: row.get(0)?, kind: row.get(1)? });
        let read = || self.one(format_args!("stand-in of {game}/{seat}"), sql, [game, seat], found);
        self.of_game(&self.once.stand_ins, &seat_key(game, seat), read, Clone::clone)
    }
}

fn code(row: &Row<'_>) -> rusqlite::Result<Code> {
    Ok(Code {
        game: row.get("game")?,
        seat: row.get("seat")?,
        address: row.get("address")?,
        kind: row.get("kind")?,
        hash: row.get("hash")?,
        until: row.get("until")?,
        body: row.get("body")?,
    })
}

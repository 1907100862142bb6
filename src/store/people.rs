//! What a game keeps beside its chain, who waits for a seat, and how punctual each writer has been.

use rusqlite::params;

use super::{Act, Store, StoreError};

/// Somebody who waits for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The game.
    pub game: String,
    /// The address he wrote from.
    pub address: String,
    /// The seats he would like, the dearest first.
    pub preference: String,
    /// Since when.
    pub since: String,
}

/// Deadlines that a writer kept and let pass, of sheets that all knew to be due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Punctuality {
    /// Kept.
    pub met: u32,
    /// Let pass.
    pub missed: u32,
}

impl Act<'_> {
    /// Keeps a value with the game, or drops it.
    pub fn set_note(&self, game: &str, key: &str, value: Option<&str>) -> Result<(), StoreError> {
        let row = format_args!("note {key} of {game}");
        if self.once.notes.known(game, |notes| notes.get(key).map(String::as_str) == value) == Some(true) {
            return Ok(());
        }
        match value {
            Some(value) => self.write(
                row,
                "INSERT INTO game_notes (game, key, value) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (game, key) DO UPDATE SET value = excluded.value",
                [game, key, value],
            )?,
            None => self.write(row, "DELETE FROM game_notes WHERE game = ?1 AND key = ?2", [game, key])?,
        };
        self.once.notes.change(game, |notes| match value {
            Some(value) => drop(notes.insert(key.to_owned(), value.to_owned())),
            None => drop(notes.remove(key)),
        });
        Ok(())
    }

    /// Puts somebody at the end of a game's waiting list; who waits already keeps his place.
    pub fn wait_for(&self, waiting: &Waiting) -> Result<(), StoreError> {
        self.write(
            format_args!("waiting for {}", waiting.game),
            "INSERT INTO waiting (game, address, preference, since) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (game, address) DO UPDATE SET preference = excluded.preference",
            [&waiting.game, &waiting.address, &waiting.preference, &waiting.since],
        )?;
        Ok(())
    }

    /// Takes somebody off a game's waiting list.
    pub fn waits_no_more(&self, game: &str, address: &str) -> Result<(), StoreError> {
        let row = format_args!("waiting for {game}");
        self.write(row, "DELETE FROM waiting WHERE game = ?1 AND address = ?2", [game, address])?;
        Ok(())
    }

    /// Counts one deadline of a writer.
    pub fn count_deadline(&self, address: &str, met: bool) -> Result<(), StoreError> {
        let (met, missed) = (u32::from(met), u32::from(!met));
        self.write(
            format_args!("punctuality"),
            "INSERT INTO punctuality (address, met, missed) VALUES (?1, ?2, ?3) ON CONFLICT (address) \
             DO UPDATE SET met = punctuality.met + excluded.met, missed = punctuality.missed + excluded.missed",
            params![address.to_lowercase(), met, missed],
        )?;
        Ok(())
    }

    /// Empties a seat that nobody has signed on to, or gives it to somebody who has still to sign on.
    pub fn unsign(&self, game: &str, seat: &str) -> Result<(), StoreError> {
        self.write_one(
            format_args!("seat {game}/{seat}"),
            "UPDATE seats SET signed_on = NULL, nonce = NULL WHERE game = ?1 AND seat = ?2",
            [game, seat],
        )
        .inspect(|()| self.once.seats.forget(game))
    }

    /// Keeps a mail of the outbox back until a time.
    pub fn not_before(&self, id: i64, when: &str) -> Result<(), StoreError> {
        let row = format_args!("outbox {id}");
        self.write_one(row, "UPDATE outbox SET next_try = ?2 WHERE id = ?1", params![id, when])
    }

    /// Adds a seat that plays no side, behind all others.
    pub fn add_onlooker(&self, game: &str, seat: &str) -> Result<(), StoreError> {
        self.write_one(
            format_args!("seat {game}/{seat}"),
            "INSERT INTO seats (game, seat, ordinal) \
             SELECT ?1, ?2, 1 + coalesce(max(ordinal), 0) FROM seats WHERE game = ?1",
            [game, seat],
        )
        .inspect(|()| self.once.seats.forget(game))
    }
}

impl Store {
    /// What is kept with the game under that key.
    pub fn note(&self, game: &str, key: &str) -> Result<Option<String>, StoreError> {
        if self.acts() {
            return Ok(self.notes(game)?.into_iter().find(|(known, _)| known == key).map(|(_, value)| value));
        }
        self.one(
            format_args!("note {key} of {game}"),
            "SELECT value FROM game_notes WHERE game = ?1 AND key = ?2",
            [game, key],
            |row| row.get(0),
        )
    }

    /// The games that keep something under that key.
    pub fn games_with_note(&self, key: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT game FROM game_notes WHERE key = ?1 ORDER BY game";
        let found = self.many(format_args!("notes {key}"), sql, [key], |row| row.get(0));
        if !self.goes_round(&found) {
            return found;
        }
        self.by_game(|game| Ok(self.note(game, key)?.map(|_| game.to_owned()).into_iter().collect()))
    }

    /// Who waits for a seat of the game, in the order they came.
    pub fn waiting_for(&self, game: &str) -> Result<Vec<Waiting>, StoreError> {
        self.many(
            format_args!("waiting for {game}"),
            "SELECT game, address, preference, since FROM waiting WHERE game = ?1 ORDER BY id",
            [game],
            |row| Ok(Waiting { game: row.get(0)?, address: row.get(1)?, preference: row.get(2)?, since: row.get(3)? }),
        )
    }

    /// How punctual a writer has been.
    pub fn punctuality(&self, address: &str) -> Result<Punctuality, StoreError> {
        let found = self.one(
            format_args!("punctuality"),
            "SELECT met, missed FROM punctuality WHERE address = ?1",
            [address.to_lowercase()],
            |row| Ok(Punctuality { met: row.get(0)?, missed: row.get(1)? }),
        )?;
        Ok(found.unwrap_or_default())
    }
}

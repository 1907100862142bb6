//! When time next brings something to each game: kept in the game's row, and emptied by the database itself as soon as
//! anything is written on which it hangs.

use std::collections::BTreeMap;

use super::base::Row;
use super::{Act, Store, StoreError};

impl Store {
    /// The games under way whose time has come at `now`, or of which something was written since they were asked, the
    /// longest waiting first. Where the index of times is damaged, all that are under way.
    pub fn waking(&self, now: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT id FROM games INDEXED BY games_by_wake WHERE state IN ('forming', 'playing') AND wake <= ?1 \
                   ORDER BY wake, id";
        let found = self.many(format_args!("games that wake before {now}"), sql, [now], |row| row.get(0));
        if !self.goes_round(&found) {
            return found;
        }
        self.under_way()
    }

    /// All games under way, by id.
    pub fn under_way(&self) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT id FROM games NOT INDEXED WHERE state IN ('forming', 'playing') ORDER BY id";
        self.many(format_args!("games under way"), sql, (), |row| row.get(0))
    }

    /// When a game is to be asked next, in whole seconds of UTC; empty where that is at once.
    pub fn wake(&self, game: &str) -> Result<Option<String>, StoreError> {
        self.one(format_args!("game {game}"), "SELECT wake FROM games WHERE id = ?1", [game], |row| row.get(0))
    }

    /// All that is kept with the game, by key.
    pub fn notes(&self, game: &str) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT key, value FROM game_notes WHERE game = ?1 ORDER BY key";
        let note = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let read = || Ok(self.many(format_args!("notes of {game}"), sql, [game], note)?.into_iter().collect());
        let all = |notes: &BTreeMap<String, String>| notes.clone().into_iter().collect();
        self.of_game(&self.once.notes, game, read, all)
    }
}

impl Act<'_> {
    /// [`Store::wake`], as it is behind all that this act has appended: terms among it empty it.
    pub fn wake(&self, game: &str) -> Result<Option<String>, StoreError> {
        self.write_log()?;
        Store::wake(self, game)
    }

    /// Says when a game is to be asked next, in whole seconds of UTC; empty for at once.
    pub fn set_wake(&self, game: &str, at: &str) -> Result<(), StoreError> {
        // What was appended before would empty it afterwards.
        self.write_log()?;
        self.write_one(format_args!("game {game}"), "UPDATE games SET wake = ?2 WHERE id = ?1", [game, at])
    }

    /// Keeps all others from writing a game's row until this act ends. Of a file nobody else writes meanwhile.
    pub fn lock_game(&self, game: &str) -> Result<(), StoreError> {
        if self.is_shared() {
            let sql = "SELECT 1 FROM games WHERE id = ?1 FOR UPDATE";
            self.one(format_args!("game {game}"), sql, [game], |_| Ok(()))?;
        }
        Ok(())
    }

    /// Has all games under way asked at once.
    pub fn wake_all(&self) -> Result<(), StoreError> {
        let sql = "UPDATE games SET wake = '' WHERE state IN ('forming', 'playing') AND wake <> ''";
        self.write(format_args!("games under way"), sql, ()).map(drop)
    }
}

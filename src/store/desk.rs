//! What lies on the seats' desks: what is due, small kept values, press; and the game's open leg.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::base::Row;
use super::{Act, Fault, GameState, Head, LogEntry, Store, StoreError};

/// How the kinds of entry begin that the post office itself writes into a game's log.
const ENVELOPE: &str = "post.";

/// One thing that a seat has to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The seat asked.
    pub seat: String,
    /// What is asked, by its address in the game, such as `contact/murat`.
    pub address: String,
    /// What is taken for its answer when the time is up.
    pub default_text: String,
    /// When the time is up, in whole seconds of UTC; none for never.
    pub due_at: Option<String>,
}

/// A seat whose time will soon be up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Soon {
    /// The game.
    pub game: String,
    /// The seat.
    pub seat: String,
    /// When the first of its things is due, in whole seconds of UTC.
    pub due_at: String,
}

/// A message from one seat to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    /// Its number in the store.
    pub id: i64,
    /// The seat that wrote it.
    pub sender: String,
    /// The seat it is for.
    pub recipient: String,
    /// When it was written.
    pub written: String,
    /// Its text.
    pub body: String,
    /// When it was put into a mail.
    pub delivered: Option<String>,
}

/// Values on the desks of a game, by seat and key.
type Desks = BTreeMap<String, BTreeMap<String, String>>;

impl Act<'_> {
    /// Replaces all that is due in a game.
    pub fn replace_dues(&self, game: &str, dues: &[Due]) -> Result<(), StoreError> {
        let known = self.dues(game)?;
        let same = |a: &Due, b: &Due| a.seat == b.seat && a.address == b.address;
        for gone in known.iter().filter(|old| !dues.iter().any(|new| same(old, new))) {
            self.write(
                format_args!("due {game}/{}/{}", gone.seat, gone.address),
                "DELETE FROM dues WHERE game = ?1 AND seat = ?2 AND address = ?3",
                [game, &gone.seat, &gone.address],
            )?;
        }
        self.once.dues.forget(game);
        for due in dues.iter().filter(|due| !known.contains(due)) {
            self.write(
                format_args!("due {game}/{}/{}", due.seat, due.address),
                "INSERT INTO dues (game, seat, address, default_text, due_at) VALUES (?1, ?2, ?3, ?4, ?5) \
                 ON CONFLICT (game, seat, address) DO UPDATE SET default_text = excluded.default_text, \
                 due_at = excluded.due_at",
                params![game, due.seat, due.address, due.default_text, due.due_at],
            )?;
        }
        Ok(())
    }

    /// Puts a value on the seat's desk, or takes it away.
    pub fn set_desk(&self, game: &str, seat: &str, key: &str, value: Option<&str>) -> Result<(), StoreError> {
        let row = format_args!("desk {key} of {game}/{seat}");
        let lies = |desks: &Desks| desks.get(seat).and_then(|desk| desk.get(key)).map(String::as_str) == value;
        if self.once.desks.known(game, lies) == Some(true) {
            return Ok(());
        }
        match value {
            Some(value) => self.write(
                row,
                "INSERT INTO desk (game, seat, key, value) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (game, seat, key) DO UPDATE SET value = excluded.value",
                [game, seat, key, value],
            )?,
            None => {
                self.write(row, "DELETE FROM desk WHERE game = ?1 AND seat = ?2 AND key = ?3", [game, seat, key])?
            }
        };
        self.once.desks.change(game, |desks| {
            let desk = desks.entry(seat.to_owned()).or_default();
            match value {
                Some(value) => drop(desk.insert(key.to_owned(), value.to_owned())),
                None => drop(desk.remove(key)),
            }
        });
        Ok(())
    }

    /// Keeps a message from one seat to another until its next mail, and tells its number.
    pub fn add_press(
        &self,
        game: &str,
        sender: &str,
        recipient: &str,
        written: &str,
        body: &str,
    ) -> Result<i64, StoreError> {
        self.add(
            format_args!("press from {sender} to {recipient} in {game}"),
            "INSERT INTO press (game, sender, recipient, written, body) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
            [game, sender, recipient, written, body],
        )
    }

    /// Notes that a message was put into a mail.
    pub fn deliver_press(&self, id: i64, when: &str) -> Result<(), StoreError> {
        self.write_one(format_args!("press {id}"), "UPDATE press SET delivered = ?2 WHERE id = ?1", params![id, when])
    }

    /// Keeps the journal of the game's open leg, which follows from where its log ends, or drops it when the leg has
    /// ended.
    pub fn set_open_leg(&self, game: &str, body: Option<&str>) -> Result<(), StoreError> {
        let row = format_args!("open leg of {game}");
        match body {
            Some(body) => {
                let head = self.log_head(game)?.hash;
                let digest = leg_digest(&head, body);
                self.write(
                    row,
                    "INSERT INTO open_leg (game, body, head, digest) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (game) \
                     DO UPDATE SET body = excluded.body, head = excluded.head, digest = excluded.digest",
                    [game, body, &head, &digest],
                )?
            }
            None => self.write(row, "DELETE FROM open_leg WHERE game = ?1", [game])?,
        };
        Ok(())
    }
}

impl Store {
    /// All that is due in a game, by seat in the alphabet's order, then by address.
    pub fn dues(&self, game: &str) -> Result<Vec<Due>, StoreError> {
        let sql = "SELECT seat, address, default_text, due_at FROM dues WHERE game = ?1 ORDER BY seat, address";
        let due = |row: &Row<'_>| {
            Ok(Due { seat: row.get(0)?, address: row.get(1)?, default_text: row.get(2)?, due_at: row.get(3)? })
        };
        let read = || self.many(format_args!("dues of {game}"), sql, [game], due);
        self.of_game(&self.once.dues, game, read, Clone::clone)
    }

    /// Seats of a game whose time is up between two times, and which were not told so yet, each with the first of its
    /// deadlines: the latest time that a seat was told of stands under `key` on its desk.
    pub fn soon_of(&self, game: &str, after: &str, until: &str, key: &str) -> Result<Vec<Soon>, StoreError> {
        let mut first: BTreeMap<String, String> = BTreeMap::new();
        for due in self.dues(game)? {
            let Some(at) = due.due_at.filter(|at| at.as_str() > after && at.as_str() <= until) else { continue };
            if self.desk(game, &due.seat, key)?.is_none_or(|told| told < at) {
                let known = first.entry(due.seat).or_insert_with(|| at.clone());
                *known = at.min(known.clone());
            }
        }
        Ok(first.into_iter().map(|(seat, due_at)| Soon { game: game.to_owned(), seat, due_at }).collect())
    }

    /// What the games under way and not held have each, where an index over all of them is damaged. A game whose own rows
    /// are damaged is passed over.
    pub(super) fn by_game<T>(
        &self,
        mut of: impl FnMut(&str) -> Result<Vec<T>, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut all = Vec::new();
        for game in self.games()? {
            if game.held || !matches!(game.state, GameState::Forming | GameState::Playing) {
                continue;
            }
            match of(&game.id) {
                Err(error) if error.fault() == Fault::Passing => return Err(error),
                found => all.extend(found.unwrap_or_default()),
            }
        }
        Ok(all)
    }

    /// What lies on the seat's desk under that key.
    pub fn desk(&self, game: &str, seat: &str, key: &str) -> Result<Option<String>, StoreError> {
        if self.acts() {
            let of = |desks: &Desks| desks.get(seat).and_then(|desk| desk.get(key)).cloned();
            return self.of_game(&self.once.desks, game, || self.all_desks(game), of);
        }
        self.one(
            format_args!("desk {key} of {game}/{seat}"),
            "SELECT value FROM desk WHERE game = ?1 AND seat = ?2 AND key = ?3",
            [game, seat, key],
            |row| row.get(0),
        )
    }

    fn all_desks(&self, game: &str) -> Result<Desks, StoreError> {
        let mut desks = Desks::new();
        let sql = "SELECT seat, key, value FROM desk WHERE game = ?1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let all: Vec<(String, String, String)> = self.many(format_args!("desks of {game}"), sql, [game], read)?;
        for (seat, key, value) in all {
            desks.entry(seat).or_default().insert(key, value);
        }
        Ok(desks)
    }

    /// What lies under one key on the desks of a game, by seat.
    pub fn desks(&self, game: &str, key: &str) -> Result<Vec<(String, String)>, StoreError> {
        if self.acts() {
            let under = |desks: &Desks| {
                let of =
                    |(seat, desk): (&String, &BTreeMap<String, String>)| Some((seat.clone(), desk.get(key)?.clone()));
                desks.iter().filter_map(of).collect()
            };
            return self.of_game(&self.once.desks, game, || self.all_desks(game), under);
        }
        let sql = "SELECT seat, value FROM desk WHERE game = ?1 AND key = ?2 ORDER BY seat";
        self.many(format_args!("desks of {game}, {key}"), sql, [game, key], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The messages that wait for the seat's next mail, oldest first.
    pub fn press_waiting(&self, game: &str, recipient: &str) -> Result<Vec<Press>, StoreError> {
        self.many(
            format_args!("press to {game}/{recipient}"),
            "SELECT * FROM press WHERE game = ?1 AND recipient = ?2 AND delivered IS NULL ORDER BY id",
            [game, recipient],
            press,
        )
    }

    /// The journal of the game's open leg, if one is open.
    pub fn open_leg(&self, game: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT body FROM open_leg WHERE game = ?1";
        self.one(format_args!("open leg of {game}"), sql, [game], |row| row.get(0))
    }

    /// A game's log and its open leg, both checked: that the log hangs together as [`Store::verify_log`] says, and that
    /// the leg is as it was written and follows from the log's last entry that the game itself made.
    pub fn checked_game(&self, game: &str) -> Result<(Vec<LogEntry>, Option<String>), StoreError> {
        self.at_one_moment(|| self.checked_now(game, None))
    }

    /// The same of the log behind a snapshot; what stands before that is not looked at.
    pub fn checked_since(&self, game: &str, snapshot: &Head) -> Result<(Vec<LogEntry>, Option<String>), StoreError> {
        self.at_one_moment(|| self.checked_now(game, Some(snapshot)))
    }

    fn checked_now(&self, game: &str, behind: Option<&Head>) -> Result<(Vec<LogEntry>, Option<String>), StoreError> {
        let log = self.checked_behind(game, behind)?;
        let leg = self.one(
            format_args!("open leg of {game}"),
            "SELECT body, head, digest FROM open_leg WHERE game = ?1",
            [game],
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, Option<String>>(2)?)),
        )?;
        let Some((body, head, digest)) = leg else { return Ok((log, None)) };
        // A leg kept by an estafette of before says neither.
        if let (Some(head), Some(digest)) = (head, digest) {
            let damaged = |detail: &str| StoreError::Damaged {
                path: self.path().to_owned(),
                row: format!("open leg of {game}"),
                detail: detail.to_owned(),
            };
            if digest != leg_digest(&head, &body) {
                return Err(damaged("was changed: its digest is another"));
            }
            let own = log.iter().rfind(|entry| !entry.kind.starts_with(ENVELOPE));
            let from = log.iter().rfind(|entry| entry.hash == head).map_or(0, |entry| entry.seq);
            if own.is_some_and(|own| own.seq > from) {
                return Err(damaged("does not follow from where the log ends"));
            }
        }
        Ok((log, Some(body)))
    }
}

/// The digest of an open leg and of the entry of the log that it follows from.
fn leg_digest(head: &str, body: &str) -> String {
    let parts: [&[u8]; 4] = [b"estafette/leg/v1\0", head.as_bytes(), b"\0", body.as_bytes()];
    let whole = parts.into_iter().fold(Sha256::new(), |digest, part| digest.chain_update(part));
    HEXLOWER.encode(&whole.finalize())
}

fn press(row: &Row<'_>) -> rusqlite::Result<Press> {
    Ok(Press {
        id: row.get("id")?,
        sender: row.get("sender")?,
        recipient: row.get("recipient")?,
        written: row.get("written")?,
        body: row.get("body")?,
        delivered: row.get("delivered")?,
    })
}

//! Games, their seats and addresses, their scenarios, and the reply tags that lead to them.

use std::fmt;

use rusqlite::params;

use super::base::Row;
use super::once::seat_key;
use super::{Act, GameState, Store, StoreError, Tempo};
use crate::address::Address;

/// One play of a scenario.
#[derive(Clone, PartialEq, Eq)]
pub struct Game {
    /// The game's id, such as `moravia-7`.
    pub id: String,
    /// The ruleset's name.
    pub ruleset: String,
    /// The engine version that began it.
    pub engine_version: String,
    /// The digest under which its scenario's files are kept.
    pub scenario_digest: String,
    /// When orders are carried out.
    pub tempo: Tempo,
    /// How long a stage may take, in hours; none for no deadline.
    pub deadline_hours: Option<u32>,
    /// The master secret of its dice.
    pub master: [u8; 32],
    /// How far it has come.
    pub state: GameState,
    /// Whether the umpire or a fault holds it.
    pub held: bool,
    /// When it was made.
    pub created: String,
    /// How many of the 16 spare slots are used up.
    pub spare_used: u32,
    /// From which name, since the last restore from a backup, its secrets follow too; empty before the first.
    pub epoch: String,
    /// Its dice protocol.
    pub protocol: u32,
}

impl fmt::Debug for Game {
    /// Leaves out the master secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Game { id, ruleset, state, held, .. } = self;
        out.debug_struct("Game")
            .field("id", id)
            .field("ruleset", ruleset)
            .field("state", state)
            .field("held", held)
            .finish_non_exhaustive()
    }
}

/// A person's place in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The seat's name.
    pub seat: String,
    /// Its side; none for umpire and observer.
    pub side: Option<String>,
    /// Its place in the scenario's order, from 0.
    pub ordinal: u32,
    /// When it signed on, if it has.
    pub signed_on: Option<String>,
    /// What it gave to the salt of the dice, once signed on.
    pub nonce: Option<String>,
    /// The form in which it wants its reports, `text` at first.
    pub format: String,
    /// The running number of the last mail to it, 0 for none.
    pub mails_sent: u32,
    /// Its addresses, in lower case, sorted.
    pub addresses: Vec<String>,
}

/// An address of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelled {
    /// As it is kept: in lower case.
    pub key: String,
    /// As its owner writes it, once he has; empty where he writes it in more ways than one.
    pub spelled: Option<String>,
}

impl Spelled {
    /// As a mail goes to it.
    pub fn written(&self) -> &str {
        self.spelled.as_deref().filter(|spelled| !spelled.is_empty()).unwrap_or(&self.key)
    }
}

/// One file of a scenario, as it was when the game was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFile {
    /// Its path within the scenario.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Act<'_> {
    /// Keeps the files of a scenario under their digest; the same digest again changes nothing.
    pub fn put_scenario(&self, digest: &str, files: &[ScenarioFile]) -> Result<(), StoreError> {
        for file in files {
            self.write(
                format_args!("scenario file {}", file.path),
                "INSERT INTO scenarios (digest, path, text) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                params![digest, file.path, file.text],
            )?;
        }
        Ok(())
    }

    /// Begins a game with its seats and their addresses.
    pub fn new_game(&self, game: &Game, seats: &[Seat]) -> Result<(), StoreError> {
        let id = &game.id;
        self.write(
            format_args!("game {id}"),
            "INSERT INTO games (id, ruleset, engine_version, scenario_digest, tempo, deadline_hours, master, state, \
             held, created, spare_used, epoch, protocol) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            params![
                id,
                game.ruleset,
                game.engine_version,
                game.scenario_digest,
                game.tempo,
                game.deadline_hours,
                game.master,
                game.state,
                game.held,
                game.created,
                game.spare_used,
                game.epoch,
                game.protocol,
            ],
        )?;
        for seat in seats {
            self.write(
                format_args!("seat {id}/{}", seat.seat),
                "INSERT INTO seats (game, seat, side, ordinal, signed_on, nonce, format, mails_sent) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    id,
                    seat.seat,
                    seat.side,
                    seat.ordinal,
                    seat.signed_on,
                    seat.nonce,
                    seat.format,
                    seat.mails_sent,
                ],
            )?;
            self.set_addresses(id, &seat.seat, &seat.addresses)?;
        }
        Ok(())
    }

    /// Says how far the game has come.
    pub fn set_game_state(&self, game: &str, state: GameState) -> Result<(), StoreError> {
        self.write_one(format_args!("game {game}"), "UPDATE games SET state = ?2 WHERE id = ?1", params![game, state])
    }

    /// Holds or releases the game; its mails are held and released apart ([`Act::hold_mails`]).
    pub fn set_held(&self, game: &str, held: bool) -> Result<(), StoreError> {
        self.write_one(format_args!("game {game}"), "UPDATE games SET held = ?2 WHERE id = ?1", params![game, held])
    }

    /// Says how many spare slots are used up, at most 16.
    pub fn set_spare_used(&self, game: &str, used: u32) -> Result<(), StoreError> {
        self.write_one(
            format_args!("game {game}"),
            "UPDATE games SET spare_used = ?2 WHERE id = ?1",
            params![game, used],
        )
    }

    /// Signs the seat on, with what it gives to the salt.
    pub fn sign_on(&self, game: &str, seat: &str, when: &str, nonce: &str) -> Result<(), StoreError> {
        self.write_one(
            format_args!("seat {game}/{seat}"),
            "UPDATE seats SET signed_on = ?3, nonce = ?4 WHERE game = ?1 AND seat = ?2",
            params![game, seat, when, nonce],
        )
        .inspect(|()| self.once.seats.forget(game))
    }

    /// Says in which form the seat wants its reports.
    pub fn set_format(&self, game: &str, seat: &str, format: &str) -> Result<(), StoreError> {
        self.write_one(
            format_args!("seat {game}/{seat}"),
            "UPDATE seats SET format = ?3 WHERE game = ?1 AND seat = ?2",
            params![game, seat, format],
        )
        .inspect(|()| self.once.seats.forget(game))
    }

    /// Takes the running number of the next mail to the seat, from 1; that mail must be queued in the same act.
    pub fn next_mail_number(&self, game: &str, seat: &str) -> Result<u32, StoreError> {
        let number = self.add(
            format_args!("seat {game}/{seat}"),
            "UPDATE seats SET mails_sent = mails_sent + 1 WHERE game = ?1 AND seat = ?2 RETURNING mails_sent",
            params![game, seat],
        )?;
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        self.once.seats.change(game, |seats| {
            seats.iter_mut().filter(|known| known.seat == seat).for_each(|known| known.mails_sent = number);
        });
        Ok(number)
    }

    /// Replaces all addresses of the seat; they are kept in lower case, and those that stay as their owner spells them.
    pub fn set_addresses(&self, game: &str, seat: &str, addresses: &[String]) -> Result<(), StoreError> {
        self.once.seats.forget(game);
        self.once.spellings.forget(&seat_key(game, seat));
        let keys: Vec<String> = addresses.iter().map(|address| key_of(address)).collect();
        for gone in self.addresses(game, seat)?.into_iter().filter(|kept| !keys.contains(kept)) {
            self.write(
                format_args!("addresses of {game}/{seat}"),
                "DELETE FROM addresses WHERE game = ?1 AND seat = ?2 AND address = ?3",
                params![game, seat, gone],
            )?;
        }
        for key in keys {
            self.write(
                format_args!("address {key} of {game}/{seat}"),
                "INSERT INTO addresses (game, seat, address) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                params![game, seat, key],
            )?;
        }
        Ok(())
    }

    /// Notes how the owner of an address spells it; empty where he has been seen to spell it in two ways.
    pub fn saw_spelling(&self, game: &str, seat: &str, key: &str, from: &Address) -> Result<(), StoreError> {
        self.once.spellings.forget(&seat_key(game, seat));
        self.write(
            format_args!("address {key} of {game}/{seat}"),
            "UPDATE addresses SET spelled = CASE WHEN spelled IS NULL OR spelled = ?4 THEN ?4 ELSE '' END \
             WHERE game = ?1 AND seat = ?2 AND address = ?3",
            params![game, seat, key, from.as_str()],
        )?;
        Ok(())
    }
}

impl Store {
    /// The files of a scenario, by path.
    pub fn scenario(&self, digest: &str) -> Result<Vec<ScenarioFile>, StoreError> {
        self.many(
            format_args!("scenario {digest}"),
            "SELECT path, text FROM scenarios WHERE digest = ?1 ORDER BY path",
            [digest],
            |row| Ok(ScenarioFile { path: row.get(0)?, text: row.get(1)? }),
        )
    }

    /// The ids of all games, also of those whose rows cannot be read.
    pub fn game_ids(&self) -> Result<Vec<String>, StoreError> {
        self.many(format_args!("games"), "SELECT id FROM games ORDER BY id", (), |row| row.get(0))
    }

    /// All games of the post office, by id.
    pub fn games(&self) -> Result<Vec<Game>, StoreError> {
        self.many(format_args!("games"), "SELECT * FROM games ORDER BY id", (), game)
    }

    /// The game of that id, if there is one.
    pub fn game(&self, id: &str) -> Result<Option<Game>, StoreError> {
        self.one(format_args!("game {id}"), "SELECT * FROM games WHERE id = ?1", [id], game)
    }

    /// The game's seats in the scenario's order, with their addresses.
    pub fn seats(&self, game: &str) -> Result<Vec<Seat>, StoreError> {
        self.of_game(&self.once.seats, game, || self.all_seats(game), Clone::clone)
    }

    fn all_seats(&self, game: &str) -> Result<Vec<Seat>, StoreError> {
        let mut seats = self.many(
            format_args!("seats of {game}"),
            "SELECT * FROM seats WHERE game = ?1 ORDER BY ordinal",
            [game],
            bare_seat,
        )?;
        for seat in &mut seats {
            seat.addresses = self.addresses(game, &seat.seat)?;
        }
        Ok(seats)
    }

    /// One seat with its addresses, if there is such a one.
    pub fn seat(&self, game: &str, seat: &str) -> Result<Option<Seat>, StoreError> {
        if self.acts() {
            let one = |seats: &Vec<Seat>| seats.iter().find(|known| known.seat == seat).cloned();
            return self.of_game(&self.once.seats, game, || self.all_seats(game), one);
        }
        let found = self.one(
            format_args!("seat {game}/{seat}"),
            "SELECT * FROM seats WHERE game = ?1 AND seat = ?2",
            [game, seat],
            bare_seat,
        )?;
        let Some(mut found) = found else { return Ok(None) };
        found.addresses = self.addresses(game, seat)?;
        Ok(Some(found))
    }

    /// The seat's addresses, with their owner's spelling where it is known.
    pub fn spellings(&self, game: &str, seat: &str) -> Result<Vec<Spelled>, StoreError> {
        let sql = "SELECT address, spelled FROM addresses WHERE game = ?1 AND seat = ?2 ORDER BY address";
        let spelled = |row: &Row<'_>| Ok(Spelled { key: row.get(0)?, spelled: row.get(1)? });
        let read = || self.many(format_args!("addresses of {game}/{seat}"), sql, [game, seat], spelled);
        self.of_game(&self.once.spellings, &seat_key(game, seat), read, Clone::clone)
    }

    /// The seats, as game and seat, that mails from this address may speak for.
    pub fn seats_of_address(&self, address: &str) -> Result<Vec<(String, String)>, StoreError> {
        self.many(
            format_args!("address {address}"),
            "SELECT game, seat FROM addresses WHERE address = ?1 ORDER BY game, seat",
            [address.to_lowercase()],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    fn addresses(&self, game: &str, seat: &str) -> Result<Vec<String>, StoreError> {
        self.many(
            format_args!("addresses of {game}/{seat}"),
            "SELECT address FROM addresses WHERE game = ?1 AND seat = ?2 ORDER BY address",
            [game, seat],
            |row| row.get(0),
        )
    }
}

/// The form in which an address is kept: in lower case, its domain as DNS has it. What is none is kept as it is, and gets
/// no mail.
fn key_of(address: &str) -> String {
    Address::parse(address).map_or_else(|_| address.to_lowercase(), |address| address.to_lowercase())
}

fn game(row: &Row<'_>) -> rusqlite::Result<Game> {
    Ok(Game {
        id: row.get("id")?,
        ruleset: row.get("ruleset")?,
        engine_version: row.get("engine_version")?,
        scenario_digest: row.get("scenario_digest")?,
        tempo: row.get("tempo")?,
        deadline_hours: row.get("deadline_hours")?,
        master: row.get("master")?,
        state: row.get("state")?,
        held: row.get("held")?,
        created: row.get("created")?,
        spare_used: row.get("spare_used")?,
        epoch: row.get("epoch")?,
        protocol: row.get("protocol")?,
    })
}

fn bare_seat(row: &Row<'_>) -> rusqlite::Result<Seat> {
    Ok(Seat {
        seat: row.get("seat")?,
        side: row.get("side")?,
        ordinal: row.get("ordinal")?,
        signed_on: row.get("signed_on")?,
        nonce: row.get("nonce")?,
        format: row.get("format")?,
        mails_sent: row.get("mails_sent")?,
        addresses: Vec::new(),
    })
}

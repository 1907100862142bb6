//! A game is made: its scenario is kept, its secrets are drawn, and its opening mails are written.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::press::UMPIRE;
use super::{Env, form, when};
use crate::address::Address;
use crate::dice::{Bytes32, Master, Secrets, hex, two};
use crate::fog::SeatId;
use crate::games::{self, Stored};
use crate::host::Game;
use crate::scenario;
use crate::store::{self, Act, GameState, ScenarioFile, Seat, Tempo};
use crate::terms::{Late, Terms};
use serde_json::json;
use sha2::{Digest, Sha256};

/// What a new game is made from.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Its id.
    pub id: String,
    /// The scenario's files: relative path and text.
    pub files: Vec<(String, String)>,
    /// Seats and their addresses.
    pub seats: Vec<(String, Vec<String>)>,
    /// The umpire's address; of several, with commas between.
    pub umpire: Option<String>,
    /// When orders are carried out.
    pub tempo: Tempo,
    /// Hours that a stage may take; none for no deadline.
    pub deadline_hours: Option<u32>,
    /// Fixes every secret, for tests.
    pub master: Option<Bytes32>,
}

/// Longest id of a game.
const ID_CHARS_MAX: usize = 40;

impl Office {
    /// Makes a game and writes its opening mails; the next pass sends them.
    ///
    /// # Errors
    /// What is wrong with what it is made from, with the cure.
    pub fn new_game(&mut self, new: &NewGame) -> Result<(), OfficeError> {
        self.new_game_on(new, None)
    }

    /// Makes a game on terms of its own; an open one may have vacant seats.
    ///
    /// # Errors
    /// As [`Office::new_game`].
    pub fn new_game_on(&mut self, new: &NewGame, terms: Option<&Terms>) -> Result<(), OfficeError> {
        self.new_game_by(new, terms, two::PROTOCOL)
    }

    /// Makes a game by a dice protocol of one's choice. Games that began under the first one go on by it for ever, so there
    /// must be a way to have one whose code is tried.
    ///
    /// # Errors
    /// As [`Office::new_game`].
    pub fn new_game_by(&mut self, new: &NewGame, terms: Option<&Terms>, protocol: u32) -> Result<(), OfficeError> {
        let refused = |why: String| Err(OfficeError::Refused(why));
        if let Some(why) = bad_id(&new.id) {
            return refused(why);
        }
        if self.store.game(&new.id)?.is_some() {
            return refused(format!("there is a game \"{}\" already; give this one another id.", new.id));
        }
        let head = new.files.iter().find_map(|(file, text)| scenario::header(file, text).ok());
        let Some(head) = head else {
            return refused("none of the files names its ruleset, id and title, as a scenario does.".to_owned());
        };
        let entry = games::find(self.entries(), &head.ruleset).map_err(OfficeError::Refused)?;
        let master = match new.master {
            Some(bytes) => bytes,
            None => *Master::fresh().map_err(OfficeError::Refused)?.bytes(),
        };
        let tempo = match new.tempo {
            Tempo::Live => crate::host::Tempo::Live,
            Tempo::Sealed => crate::host::Tempo::Sealed,
        };
        let files = new.files.clone();
        let secrets = match protocol {
            two::PROTOCOL => Secrets::Two(Vec::new()),
            _ => Secrets::One { master, salt: [0; 32] },
        };
        let stored = Stored { game: new.id.clone(), files, secrets, tempo, kept: None };
        let mut hosted = (entry.open)(stored).map_err(|flaws| OfficeError::Flawed(flaws.join("\n")))?;
        let env = self.env();
        if terms.is_some_and(|terms| terms.late == Late::Umpire) && new.umpire.is_none() {
            return refused("\"late: umpire\" wants an umpire; give his address with --umpire.".to_owned());
        }
        let open = terms.is_some_and(|terms| terms.open);
        let seats = seats_of(hosted.as_ref(), new, open, env.config.pictures)?;
        // The opening mail has its pictures already.
        seats.iter().for_each(|seat| hosted.form(&SeatId(seat.seat.clone()), form::read(&seat.format)));
        if let Some(odd) = hosted.sides().iter().find(|side| two::RESERVED.contains(&side.0.as_str())) {
            return refused(format!("no side may be called \"{odd}\"; dice have that name."));
        }
        let row = store::Game { protocol, ..row_of(new, entry, master, &env) };
        let done: Result<(), Trouble> =
            self.store.try_act(|act| made(&env, act, row, &seats, &mut hosted, (&head.title, new, terms)));
        Ok(done?)
    }
}

fn row_of(new: &NewGame, entry: &games::Entry, master: Bytes32, env: &Env<'_>) -> store::Game {
    store::Game {
        id: new.id.clone(),
        ruleset: entry.name.to_owned(),
        engine_version: entry.version.to_string(),
        scenario_digest: scenario::digest(&new.files),
        tempo: new.tempo,
        deadline_hours: new.deadline_hours,
        master,
        state: GameState::Forming,
        held: false,
        created: when::kept(env.now),
        spare_used: 0,
        epoch: String::new(),
        protocol: 1,
    }
}

fn made(
    env: &Env<'_>,
    act: &Act<'_>,
    row: store::Game,
    seats: &[Seat],
    hosted: &mut Box<dyn Game>,
    (title, new, terms): (&str, &NewGame, Option<&Terms>),
) -> Result<(), Trouble> {
    let files: Vec<ScenarioFile> =
        new.files.iter().map(|(path, text)| ScenarioFile { path: path.clone(), text: text.clone() }).collect();
    act.put_scenario(&row.scenario_digest, &files)?;
    act.new_game(&row, seats)?;
    let (ruleset, version) = hosted.ruleset();
    let body = json!({"id": row.id, "ruleset": ruleset, "version": version, "scenario": row.scenario_digest,
        "tempo": row.tempo.as_str(), "seats": seats.iter().map(|s| &s.seat).collect::<Vec<_>>()});
    let sitting = super::sitting::Sitting::new(env, act, row, hosted, None);
    sitting.enter("game", &body)?;
    // Dice protocol 2 binds what was agreed, if only hours; so the chain says it.
    let agreed = match terms {
        Some(terms) => Some(Terms {
            deadline: terms.deadline.clone().or(Terms::of_hours(new.deadline_hours).deadline),
            ..terms.clone()
        }),
        None => sitting.is_two().then(|| Terms::of_hours(new.deadline_hours)),
    };
    let agreed = agreed.map(serde_json::to_value).transpose().map_err(|why| Trouble::Game(why.to_string()))?;
    if let Some(agreed) = &agreed {
        sitting.enter("options", agreed)?;
    }
    if terms.is_some_and(|terms| terms.open) {
        act.set_note(&sitting.row.id, super::lists::OPEN, Some("yes"))?;
    }
    if new.master.is_none() {
        super::tags::draw_key(act, &sitting.row.id)?;
    }
    if sitting.is_two() {
        let entry = games::find(env.entries, &sitting.row.ruleset).map_err(Trouble::Game)?;
        sitting.name_program(entry)?;
        let options = agreed.map(|agreed| hex(&Sha256::digest(agreed.to_string().as_bytes())));
        // The dice follow from the root, and it from the terms.
        sitting.bind(if new.master.is_some() { two::FIXED } else { entry.rules }, options)?;
    }
    sitting.open_forming(title)
}

/// The seats of the scenario with the addresses given for them; each must have one.
fn seats_of(hosted: &dyn Game, new: &NewGame, open: bool, pictures: bool) -> Result<Vec<Seat>, OfficeError> {
    let refused = |why: String| Err(OfficeError::Refused(why));
    let wanted = hosted.seats();
    let names: Vec<&str> = wanted.iter().map(|(seat, _)| seat.0.as_str()).collect();
    if let Some((odd, _)) = new.seats.iter().find(|(seat, _)| !names.contains(&seat.as_str())) {
        return refused(format!("this scenario has no seat \"{odd}\"; its seats are {}.", names.join(", ")));
    }
    let given = |name: &str| -> Vec<String> {
        new.seats.iter().filter(|(seat, _)| seat == name).flat_map(|(_, list)| list.clone()).collect()
    };
    let lacking: Vec<&str> = names.iter().copied().filter(|name| given(name).is_empty()).collect();
    if !lacking.is_empty() && !open {
        let cure: Vec<String> = lacking.iter().map(|seat| format!("--seat {seat}=name@example.org")).collect();
        let (seats, have) = if lacking.len() == 1 { ("seat", "has") } else { ("seats", "have") };
        let lacking = crate::text::and_list(&lacking);
        return refused(format!("the {seats} {lacking} {have} no address; give it with {}.", cure.join(" ")));
    }
    let format = form::at_first(pictures);
    let mut seats = Vec::new();
    for (ordinal, (seat, side)) in (0..).zip(&wanted) {
        seats.push(seat_row(&seat.0, Some(side.0.clone()), ordinal, given(&seat.0), format));
    }
    if let Some(umpire) = &new.umpire {
        for (n, address) in (1..).zip(umpire.split(',')) {
            let ordinal = u32::try_from(seats.len()).unwrap_or(u32::MAX);
            let name = if n == 1 { UMPIRE.to_owned() } else { format!("{UMPIRE}-{n}") };
            seats.push(seat_row(&name, None, ordinal, vec![address.trim().to_owned()], format));
        }
    }
    match seats.iter().flat_map(|seat| &seat.addresses).find_map(|address| Address::parse(address).err()) {
        Some(odd) => refused(format!("{odd}.")),
        None => Ok(seats),
    }
}

fn seat_row(seat: &str, side: Option<String>, ordinal: u32, addresses: Vec<String>, format: &str) -> Seat {
    Seat {
        seat: seat.to_owned(),
        side,
        ordinal,
        signed_on: None,
        nonce: None,
        format: format.to_owned(),
        mails_sent: 0,
        addresses,
    }
}

pub(super) fn is_address(address: &str) -> bool {
    Address::parse(address).is_ok()
}

/// An id stands in subjects and in file names.
fn bad_id(id: &str) -> Option<String> {
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let good = !id.is_empty() && id.chars().count() <= ID_CHARS_MAX && id.chars().all(legal);
    (!good).then(|| format!("\"{id}\" cannot be a game's id; use small letters, digits and -, such as moravia-7."))
}

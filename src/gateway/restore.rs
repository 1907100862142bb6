//! Puts a backup in the place of the database, so that nothing is given away twice.
//!
//! What was mailed since the backup is void, but players have read it: the dice from then on are other ones, no mail gets a
//! number or a name that another one had, and what players wrote meanwhile is asked back instead of carried out.

use super::count::{count_anew, office_counted};
use super::error::{OfficeError, Trouble, is_lasting};
use super::files::{DATABASE, LOCK, io, no_files, remove, server_of, sync_folder, take_away, write_synced};
use super::given::{Given, given_before, note_given};
use super::inbox::AGAIN;
use super::notice::Then;
use super::office::{self, Office};
use super::post::{Desk, Extras};
use super::press::UMPIRE;
use super::pulse::PULSE;
use super::sitting::Sitting;
use super::{operator, when};
use crate::clock::Clock;
use crate::config::{Config, TransportKind};
use crate::dice::Master;
use crate::dice::two::Why;
use crate::fail;
use crate::games::Entry;
use crate::host::{Input, Letter};
use crate::mail::maildir;
use crate::store::{self, About, Finding, Game, GameState, Numbers, Store, StoreError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What SQLite keeps beside it: it belongs to one database and to no other.
const BESIDE: [&str; 2] = ["estafette.db-wal", "estafette.db-shm"];
/// Lies there while a restore is at work.
const MARKER: &str = "estafette.restoring";
/// The copy before it is in place.
const COPY: &str = "estafette.db.restoring";
/// What the folders begin with in which databases lie that were moved aside.
const BEFORE: &str = "before-restore-";
/// So many tags that a seat may have had since the copy are known again at most; those of databases moved aside all are.
const TAGS_MAX: u32 = 5_000;

/// What a restore did.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Restored {
    /// When the backup was made, as far as it says.
    pub copied: String,
    /// Where what was there before lies now.
    pub before: Option<PathBuf>,
    /// What became of each game, as a sentence.
    pub games: Vec<String>,
    /// What of the copy's rows is damaged; none of it is about the file as a whole.
    pub faults: Vec<String>,
    /// Mails of the lost time that are read again from the folders here.
    pub mails: usize,
    /// Whether those that lie on a server are read again at the first look at it.
    pub later: bool,
    /// Whether mails of that time are kept nowhere, so that their writers must send them again.
    pub ask_again: bool,
}

/// Refuses a post office whose restore was broken off.
pub(super) fn look(dir: &Path) -> Result<(), OfficeError> {
    let marker = dir.join(MARKER);
    if !marker.exists() {
        return Ok(());
    }
    let file = fs::read_to_string(&marker).unwrap_or_default();
    Err(OfficeError::Refused(format!(
        "{}: a restore was broken off; run it again: estafette restore --dir {} {}",
        marker.display(),
        dir.display(),
        file.trim()
    )))
}

/// Puts a backup in the place of the database of a post office that nobody serves, and lets each game go on from its last
/// rest point with dice that nobody has seen. What was there is moved aside whole.
///
/// # Errors
/// What is wrong with the backup; then nothing was touched.
pub fn restore(
    dir: &Path,
    file: &Path,
    adopt: bool,
    entries: &'static [Entry],
    clock: Clock,
) -> Result<Restored, OfficeError> {
    if server_of(dir).is_some() {
        return Err(OfficeError::Refused(format!(
            "{}: the post office lies on a server, and a restore puts a file in place. Take the line store away, restore, \
             and move it to another empty database: estafette move --dir {} ADDRESS",
            dir.join("config.toml").display(),
            dir.display()
        )));
    }
    let _lock = office::lock(&dir.join(LOCK))?;
    let (db, marker, copy) = (dir.join(DATABASE), dir.join(MARKER), dir.join(COPY));
    if fs::canonicalize(file).ok().is_some_and(|file| fs::canonicalize(&db).ok() == Some(file)) {
        let why = "it is the database of this post office itself; name the backup.";
        return Err(OfficeError::Refused(format!("{}: {why}", file.display())));
    }
    // What is written last is looked at first, while nothing is moved.
    if let Some(said) = no_files(dir).into_iter().next() {
        return Err(OfficeError::Refused(format!("{said}.")));
    }
    take_away(&copy)?;
    let checked = looked_at(file, &copy);
    let Looked { office, copied, faults } = checked.inspect_err(|_| _ = fs::remove_file(&copy))?;
    // A database that is damaged, or older than these names, does not say which office it is of.
    let asides = asides(dir);
    let own = std::iter::once(&db).chain(&asides).find_map(|path| store::office_of(path).ok().flatten());
    let own = own.or_else(|| office_counted(dir));
    if !adopt && own.is_some() && office.is_some() && own != office {
        remove(&copy)?;
        return Err(OfficeError::Refused(format!(
            "{}: it is the backup of another post office. To take it over all the same, say --adopt.",
            file.display()
        )));
    }
    let named = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    fail::point("restore/checked");
    write_synced(&marker, named.display().to_string().as_bytes())?;
    fail::point("restore/marked");
    let before = move_aside(dir, &when::kept(clock.now()))?;
    fail::point("restore/aside");
    fs::rename(&copy, &db).map_err(|source| io(&db, source))?;
    sync_folder(dir)?;
    fail::point("restore/placed");
    let placed = || -> Result<Restored, OfficeError> {
        if let (Some(own), None) = (own, office) {
            Store::open(&db)?.act(|act| act.set_mark(store::OFFICE, &own))?;
        }
        in_place(dir, &copied, faults, entries, clock)
    };
    let mut restored = placed().map_err(|error| {
        let aside = before.as_ref().map(|folder| format!(" What was there before lies in {}.", folder.display()));
        OfficeError::Refused(format!(
            "{error}. The restore is not done: run it again: estafette restore --dir {} {}.{}",
            dir.display(),
            named.display(),
            aside.unwrap_or_default()
        ))
    })?;
    restored.before = before;
    fail::point("restore/done");
    fs::remove_file(&marker).map_err(|source| io(&marker, source))?;
    sync_folder(dir)?;
    Ok(restored)
}

/// What is known of a copy before anything is touched.
struct Looked {
    /// Of which post office it is.
    office: Option<String>,
    /// From when.
    copied: String,
    /// What is wrong with the rows of some games, which stops no other game.
    faults: Vec<String>,
}

/// Copies a backup and looks at the copy. Only a file that cannot be relied on is refused.
fn looked_at(file: &Path, copy: &Path) -> Result<Looked, OfficeError> {
    let meta = fs::metadata(file).map_err(|source| io(file, source))?;
    if !meta.is_file() || meta.len() == 0 {
        let why = if meta.is_file() { "it is empty, and no backup." } else { "it is no file; name the backup." };
        return Err(OfficeError::Refused(format!("{}: {why}", file.display())));
    }
    store::copy_of(file, copy).map_err(|error| named(file, copy, &error))?;
    let office = store::office_of_copy(copy).map_err(|error| named(file, copy, &error))?;
    // It is brought up to this program's schema here, before anything else is touched.
    let store = Store::open(copy).map_err(|error| named(file, copy, &error))?;
    let faults = store.findings(true).map_err(|error| named(file, copy, &error))?;
    if let Some(Finding { said, .. }) = faults.iter().find(|fault| fault.about == About::File) {
        return Err(OfficeError::Refused(format!("{}: it is damaged: {said}. Take an older one.", file.display())));
    }
    let faults = faults.into_iter().map(|fault| fault.said).collect();
    let copied = match store.copied_at()? {
        Some(at) => Some(at),
        None => store.mark(PULSE)?,
    };
    Ok(Looked { office, copied: copied.unwrap_or_default(), faults })
}

/// A fault of the copy, said of the file that was named.
fn named(file: &Path, copy: &Path, error: &StoreError) -> OfficeError {
    let said = error.to_string().replace(&copy.display().to_string(), &file.display().to_string());
    OfficeError::Refused(said)
}

/// Moves the database with all that SQLite keeps beside it into a folder of its own.
fn move_aside(dir: &Path, now: &str) -> Result<Option<PathBuf>, OfficeError> {
    let there: Vec<&str> = std::iter::once(DATABASE).chain(BESIDE).filter(|name| dir.join(name).exists()).collect();
    if there.is_empty() {
        return Ok(None);
    }
    let stamp = now.replace(':', "");
    let folders = (1..).map(|n| if n == 1 { stamp.clone() } else { format!("{stamp}-{n}") });
    let mut folders = folders.map(|stamp| dir.join(format!("{BEFORE}{stamp}")));
    let Some(folder) = folders.find(|folder| !folder.exists()) else { return Ok(None) };
    maildir::make_folder(&folder)?;
    for name in there {
        let to = folder.join(name);
        fs::rename(dir.join(name), &to).map_err(|source| io(&to, source))?;
        fail::point("restore/moved");
    }
    sync_folder(dir)?;
    Ok(Some(folder))
}

/// What every game must know of a restore. It is kept beside a game until the game has heard of it: one that is set aside
/// does when it is let go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Lost {
    /// The new epoch.
    epoch: String,
    /// When the backup was made, as far as it says.
    copied: String,
    /// Whether all mails of the lost time are kept, and are read again.
    #[serde(alias = "in_folders")]
    kept: bool,
    /// The last number of a mail that each seat has still.
    last_mails: BTreeMap<String, u32>,
}

/// Under which note that stands.
const LOST: &str = "restored";

/// The databases that this and earlier restores moved aside.
fn asides(dir: &Path) -> Vec<PathBuf> {
    let is_aside = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(BEFORE);
    let folders = fs::read_dir(dir).into_iter().flatten().flatten().filter(is_aside);
    let mut found: Vec<PathBuf> = folders.map(|folder| folder.path().join(DATABASE)).collect();
    found.sort();
    found
}

/// What is known of the times that this and earlier restores gave up.
struct Known {
    asides: Vec<PathBuf>,
    /// How far numbers of mails went in them.
    numbers: Numbers,
    /// What earlier restores gave out.
    given: Vec<Given>,
}

impl Known {
    fn of(dir: &Path) -> Known {
        let (asides, mut numbers) = (asides(dir), Numbers::new());
        let given = given_before(dir);
        let noted = given.iter().flat_map(|given| {
            given.last.iter().map(|(seat, last)| ((given.game.clone(), seat.clone()), last.saturating_add(1)))
        });
        for (seat, last) in asides.iter().flat_map(|path| store::numbers_of(path)).chain(noted) {
            let known = numbers.entry(seat).or_default();
            *known = last.max(*known);
        }
        Known { asides, numbers, given }
    }
}

/// What the copy needs, now that it is the post office.
fn in_place(
    dir: &Path,
    copied: &str,
    faults: Vec<String>,
    entries: &'static [Entry],
    clock: Clock,
) -> Result<Restored, OfficeError> {
    let mut office = Office::of(dir, entries, false, clock)?;
    let master = Master::fresh().map_err(OfficeError::Refused)?;
    let epoch: String = crate::dice::hex(master.bytes()).chars().take(16).collect();
    let (kept, later) = (keeps_mails(&office.config), office.config.transport == TransportKind::Imap);
    let known = Known::of(dir);
    let (mut games, mut given) = (Vec::new(), Vec::new());
    for row in office.store.games()? {
        let id = row.id.clone();
        // Before anything is written to anybody: the game may be set aside in the next step, and its umpire told.
        let lost = Lost { epoch: epoch.clone(), copied: copied.to_owned(), kept, last_mails: BTreeMap::new() };
        let lost = office.lose_mails(&row, lost, &known)?;
        if lost.is_some() {
            let last = office.store.seats(&id)?.into_iter().map(|seat| (seat.seat, seat.mails_sent)).collect();
            given.push(Given { game: id.clone(), epoch: epoch.clone(), last });
        }
        let done = match lost {
            Some(lost) => office.with_game(&id, None, &mut |sitting| sitting.restored(&lost))?,
            None => None,
        };
        let said = match done {
            Some(said) => said,
            None if row.state == GameState::Corrupt => office.stays_aside(&row, copied),
            None => "is set aside; its umpire is told why".to_owned(),
        };
        games.push(format!("{id}: {said}"));
    }
    note_given(dir, &given)?;
    let there = office.store.games()?;
    let gone = known.asides.last().map(|path| store::games_of(path)).unwrap_or_default();
    for id in gone.into_iter().filter(|id| !there.iter().any(|row| row.id == *id)) {
        games.push(format!("{id}: was made after the copy, and is not in it; tell its players"));
    }
    // A copy of a time to come was made by a clock that was wrong: nobody knows since when mails are lost.
    let since = copied.parse::<Timestamp>().ok().filter(|at| *at <= office.clock.now());
    let mails = match later {
        true => 0,
        false => maildir::give_back(&dir.join("mail"), since)?,
    };
    // The server of a mailbox may be away just now; whoever looks at it first does this before he reads it.
    office.store.act(|act| {
        // Time has gone on since the copy was made.
        act.wake_all()?;
        if later {
            act.set_mark(AGAIN, &since.map(when::kept).unwrap_or_default())?;
        }
        act.is_in_place()
    })?;
    let env = office.env();
    let head = [
        format!("The post office was restored from a copy of {}.", when::said_of(copied)),
        format!("Games: {}.  {}", games.join("; "), read_again(mails, later, kept)),
    ];
    let damaged = faults.iter().map(|fault| format!("The copy is damaged: {fault}.  No other game has to bear it."));
    let notes: Vec<String> = head.into_iter().chain(damaged).collect();
    let told: Result<(), Trouble> =
        office.store.try_act(|act| operator::tell(&env, act, "the post office was restored", &notes));
    told?;
    count_anew(dir, &office.store)?;
    Ok(Restored { copied: copied.to_owned(), before: None, games, faults, mails, later, ask_again: !kept })
}

/// Whether each mail that came in is kept beside the database: by the folders, by the server of the mailbox, or as a copy of
/// what came by LMTP. What comes by `estafette deliver` alone is kept nowhere.
fn keeps_mails(config: &Config) -> bool {
    let by_lmtp = config.lmtp.as_ref().map(|listener| listener.keep);
    by_lmtp.unwrap_or(config.transport != TransportKind::Smtp)
}

/// What becomes of mails of the lost time, in a sentence.
pub fn read_again(mails: usize, later: bool, kept: bool) -> String {
    let again = match later {
        true => "Mails of the lost time are read again at the first look at the mailbox.".to_owned(),
        false => format!("Mails of the lost time that are read again: {mails}."),
    };
    match kept {
        true => again,
        false => format!("{again}  Not all are kept: all seats are asked to send again."),
    }
}

impl Office {
    /// Begins a new epoch of a game whether or not it can be opened: no mail to it is to have a name that another one had.
    /// Gives what the game is to hear; none where its rows do not allow it, and it is set aside.
    fn lose_mails(&mut self, row: &Game, lost: Lost, known: &Known) -> Result<Option<Lost>, OfficeError> {
        let env = self.env();
        let lost = self.store.try_act(|act| {
            let desk = Desk::unopened(&env, act, row, None);
            let lost = Lost { last_mails: desk.lose_mails(known)?, ..lost };
            act.begin_epoch(&row.id, &lost.epoch)?;
            act.set_note(&row.id, LOST, serde_json::to_string(&lost).ok().as_deref())?;
            Ok::<_, Trouble>(lost)
        });
        match lost {
            Ok(lost) => Ok(Some(lost)),
            Err(Trouble::Store(error)) if is_lasting(&error) => {
                self.set_aside(&row.id, &error.to_string())?;
                Ok(None)
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Tells the umpire of a game that was set aside in the copy and cannot be opened.
    fn stays_aside(&self, row: &Game, copied: &str) -> String {
        let env = self.env();
        let told = self.store.game(&row.id).map_err(Trouble::from).and_then(|row| {
            let Some(row) = row else { return Ok(()) };
            self.store.try_act(|act| {
                let desk = Desk::unopened(&env, act, &row, None);
                let note = format!(
                    "The post office was restored on {} from a copy of {}.  The game {} was set aside in it, and is so still.",
                    when::said(env.now),
                    when::said_of(copied),
                    row.id
                );
                desk.notice(UMPIRE, RESTORED, vec![note])
            })
        });
        match told {
            Ok(()) => "is set aside, as it was; its umpire is told".to_owned(),
            Err(error) => format!("is set aside, as it was; its umpire cannot be told: {error}"),
        }
    }
}

impl Desk<'_> {
    /// Gives up the numbers of mails that may have been sent since the backup, and knows their tags; the last number that
    /// each seat has still.
    fn lose_mails(&self, known: &Known) -> Result<BTreeMap<String, u32>, Trouble> {
        let id = &self.row.id;
        let mut last_mails = BTreeMap::new();
        for seat in self.act.seats(id)? {
            let reached = known.numbers.get(&(id.clone(), seat.seat.clone())).copied().unwrap_or(0);
            let (first, last) = self.act.lose_numbers(id, &seat.seat, reached)?;
            // Answers to letters of the lost time are known by these.
            for number in first..=last.min(first.saturating_add(TAGS_MAX)) {
                if let Some(tag) = self.tags(&seat.seat, number, None)?.first()
                    && self.act.tag_holder(&tag.secret)?.is_none()
                {
                    self.act.put_tag(id, &seat.seat, number, &tag.secret)?;
                }
            }
            super::post::forget_letter(self.act, id, &seat.seat)?;
            last_mails.insert(seat.seat, first.saturating_sub(1));
        }
        self.know_given(&known.given, &last_mails)?;
        // Where an earlier restore is not in the copy, letters of its time had secrets that cannot be recomputed from it.
        // What the copy knows of, it has kept or forgotten already.
        for tag in known.asides.iter().flat_map(|path| store::tags_of(path, self.row)) {
            if last_mails.get(&tag.seat).is_some_and(|last| tag.mail_number > *last) {
                self.act.know_tag(id, &tag)?;
            }
        }
        Ok(last_mails)
    }
}

impl Sitting<'_> {
    /// The new epoch is the game's own: other secrets, other dice; what the game goes on from, as a sentence.
    fn restored(&mut self, lost: &Lost) -> Result<String, Trouble> {
        let Lost { epoch, copied, last_mails, .. } = lost;
        // Nobody has had the time that was lost.
        self.waited.clear();
        let id = self.id();
        if matches!(self.row.state, GameState::Over | GameState::Corrupt) {
            self.enter("epoch", &json!({"epoch": epoch, "backup_at": copied, "mails": last_mails}))?;
            return Ok("is over or set aside; its mails have new numbers".to_owned());
        }
        self.act.set_note(&id, LOST, None)?;
        let withdrawn = self.withdraw_held("the post office was restored from a backup")?;
        if self.is_two() {
            return self.restored_two(lost, withdrawn);
        }
        let (letters, _) = self.take_telling(Input::Restored { epoch: epoch.clone() })?;
        let (from, root) = (self.hosted.epochs().first(), self.root()?);
        self.enter(
            "restored",
            &json!({"epoch": epoch, "backup_at": copied, "mails": last_mails, "from": from, "root": root}),
        )?;
        self.goes_on(lost, &letters)?;
        self.tell_umpires_restored(copied, withdrawn)?;
        Ok(match self.goes_on_from() {
            from if from.is_empty() => "is being formed, as it was".to_owned(),
            from => format!("goes on from {from}"),
        })
    }

    /// From where play goes on; empty while the game is being formed.
    fn goes_on_from(&self) -> String {
        match self.hosted.stage().filter(|_| self.row.state == GameState::Playing) {
            Some(stage) => format!("turn {}, {}", self.hosted.turn(), stage.title),
            None => String::new(),
        }
    }

    /// Tells all seats from where play goes on.
    fn goes_on(&mut self, lost: &Lost, letters: &[Letter]) -> Result<(), Trouble> {
        let from = self.goes_on_from();
        let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (seat, last) in &lost.last_mails {
            told.insert(seat.clone(), self.restored_notes(*last, &lost.copied, &from, lost.kept)?);
        }
        self.tell_restored(letters, &told)
    }

    /// Under dice protocol 2 play goes on when a notice with fresh dice is settled.
    fn restored_two(&mut self, lost: &Lost, withdrawn: usize) -> Result<String, Trouble> {
        let Lost { epoch, copied, last_mails, .. } = lost;
        self.enter("restored", &json!({"epoch": epoch, "backup_at": copied, "mails": last_mails}))?;
        self.tell_umpires_restored(copied, withdrawn)?;
        if self.row.state == GameState::Forming {
            // Sign-on may have been closed in the time that was lost, and its dice have been seen.
            self.plan_later(Why::Restore, None, (None, &[]))?;
            let root = self.root()?;
            for (seat, last) in last_mails {
                let notes = self.restored_notes(*last, copied, "", lost.kept)?;
                if self.players().iter().any(|player| player.0 == *seat) {
                    self.notice(seat, RESTORED, notes)?;
                }
            }
            return Ok(format!("is being formed, as it was; its dice have a new root, {root}"));
        }
        let rests = self.hosted.rests().len();
        let then = Then::Restore(lost.clone());
        Ok(match self.plan_later(Why::Restore, Some(rests), (Some(&then), &[]))? {
            true => format!("goes on from {}", self.goes_on_from()),
            false => {
                for (seat, last) in last_mails {
                    if self.players().iter().any(|player| player.0 == *seat) {
                        let notes = self.restored_notes(*last, copied, DICE_FIRST, lost.kept)?;
                        self.notice(seat, RESTORED, notes)?;
                    }
                }
                "waits for its new dice; all seats are told".to_owned()
            }
        })
    }

    /// The dice of a restored game are there: play goes on.
    pub(super) fn restored_now(&mut self, lost: &Lost) -> Result<(), Trouble> {
        let (letters, _) = self.take_telling(Input::Restored { epoch: lost.epoch.clone() })?;
        self.goes_on(lost, &letters)
    }

    /// A game that was set aside when the post office was restored hears of it when it goes on: with the dice of the copy it
    /// would roll what players may have seen.
    pub(super) fn hear_of_restore(&mut self) -> Result<(), Trouble> {
        let kept = self.act.note(&self.id(), LOST)?;
        match kept.and_then(|text| serde_json::from_str::<Lost>(&text).ok()) {
            Some(lost) => self.restored(&lost).map(drop),
            None => Ok(()),
        }
    }

    /// What a seat is told; `goes_on` is empty while the game is being formed.
    fn restored_notes(&self, last: u32, copied: &str, goes_on: &str, kept: bool) -> Result<Vec<String>, Trouble> {
        let next = match goes_on {
            "" => "Sign-on goes on.".to_owned(),
            DICE_FIRST => "Play goes on when new dice are there; a notice tells you of them.".to_owned(),
            from => format!("Play goes on from {from}.  Orders given in that step are to be written again."),
        };
        let again = match kept {
            false => "Mails that you sent since then may be lost: send again what you still want.",
            true => {
                "Mails that you sent since then are not carried out by themselves: you are asked about each.  If you hear \
                 nothing of one, send it again."
            }
        };
        Ok(vec![
            format!(
                "The post office was restored on {} from a copy of {}.  What was mailed to you since (after mail {last}) is \
                 void, dice and all.  What you learnt cannot be unlearnt, and the umpire may rule on it.",
                when::said(self.env.now),
                when::said_of(copied)
            ),
            format!("{next}  {again}"),
            format!("New dice are committed; their root is {}", self.root()?),
        ])
    }

    /// Tells every player once: with the report from which play goes on, or in a mail of its own.
    fn tell_restored(&mut self, letters: &[Letter], told: &BTreeMap<String, Vec<String>>) -> Result<(), Trouble> {
        let notes = |seat: &str| told.get(seat).cloned().unwrap_or_default();
        if self.row.state == GameState::Playing {
            let id = self.id();
            self.act.set_spare_used(&id, self.hosted.spares())?;
            // What all were told of the time of a stage that is void holds no more.
            self.act.set_note(&id, super::deadlines::UNTIL, None)?;
            let dues = self.keep_dues()?;
            for letter in letters {
                let mut context = self.context_of(letter, &dues)?;
                context.notes = [notes(&letter.seat.0), std::mem::take(&mut context.notes)].concat();
                self.post_letter(letter, context, Extras::default())?;
            }
            if std::mem::take(&mut self.told_all) {
                self.umpire_page()?;
                self.public_pages()?;
            }
        }
        for seat in self.players().into_iter().filter(|seat| !letters.iter().any(|letter| letter.seat == *seat)) {
            self.notice(&seat.0, RESTORED, notes(&seat.0))?;
        }
        Ok(())
    }

    fn tell_umpires_restored(&self, copied: &str, withdrawn: usize) -> Result<(), Trouble> {
        let what = format!(
            "The post office was restored on {} from a copy of {}.  All seats are told; what was mailed since is void.",
            when::said(self.env.now),
            when::said_of(copied)
        );
        let mut notes = vec![what];
        if withdrawn > 0 {
            notes.push(format!("Letters that you held and that were withdrawn: {withdrawn}."));
        }
        self.notice(UMPIRE, RESTORED, notes)
    }
}

/// Where play goes on while its dice are waited for.
const DICE_FIRST: &str = "dice";
/// What mails are about that tell of it.
const RESTORED: &str = "the post office was restored";

//! A post office: its directory, its open games, and what a pass does.

use super::acts::Umpire;
use super::carriers::{Way, carriers};
use super::error::{OfficeError, Trouble};
use super::faults::{Faults, Place, Step};
use super::files::{LOCK, store_by};
use super::pause::TimeCommand;
use super::sitting::Sitting;
use super::table::Table;
use super::wakes::{Why, Woken};
use super::{Env, count, press, restore, upgrade};
use crate::clock::Clock;
use crate::config::Config;
use crate::games::Entry;
use crate::letter::{Answer, Block, Context, Form, Templates};
use crate::mail::imap::watch::Bell;
use crate::mail::{Inbound, Outbound};
use crate::store::{self, GameState, Store};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Who takes in, sends and keeps the time, among the workers of a database.
pub(super) const LEAD: &str = "lead";

/// Under which name a game is held.
pub(super) fn held_name(game: &str) -> String {
    format!("game/{game}")
}

/// How often a lock that is held is asked for, and how long between: a process that was killed lets go of it only when all of
/// it is gone.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

/// Longest text of a template, in bytes.
const TEMPLATE_BYTES_MAX: u64 = 1 << 20;

/// One data directory and what serves it.
pub struct Office {
    pub(super) dir: PathBuf,
    pub(super) config: Config,
    /// The database.
    pub store: Store,
    pub(super) inbound: Box<dyn Inbound>,
    pub(super) outbound: Box<dyn Outbound>,
    /// Rings when there is something to do.
    pub(super) bell: Arc<Bell>,
    pub(super) clock: Clock,
    templates: Templates,
    own_templates: Templates,
    pub(super) entries: &'static [Entry],
    pub(super) table: Table,
    /// What the passes come to.
    pub(super) meter: super::meter::Meter,
    /// How games are asked what time brings them.
    pub(super) asking: super::wakes::Asking,
    /// The day before which counts of answers were forgotten.
    pub(super) counted_since: Option<String>,
    /// Whether this is the daemon, or a pass of its own.
    pub(super) serving: bool,
    /// The last look at the clock.
    pub(super) beat: Option<super::pulse::Beat>,
    /// The last before the clock jumped.
    pub(super) before_jump: Option<super::pulse::Beat>,
    /// What does not work just now.
    pub(super) faults: Faults,
    /// Mails on which work was begun, as often as it had ended the process before.
    pub(super) begun: std::collections::BTreeMap<i64, u32>,
    /// When the mailbox was looked at before: what is found in it now came after that.
    pub(super) looked: Option<Timestamp>,
    /// When the mailbox is looked at in this pass.
    pub(super) looks: Option<Timestamp>,
    /// The last look that came to its end: one that was broken off has not seen what lay there.
    pub(super) looked_whole: Option<Timestamp>,
    /// The count of mails that was written down last.
    pub(super) counted: Option<i64>,
    /// Whether this is the one among the workers of a database that takes in, sends, and keeps the time.
    pub(super) leads: bool,
    /// Whether this machine's clock and that of the database's server agree.
    agrees: bool,
    /// The settings on which letters hang.
    pub(super) alike: super::alike::Alike,
    /// The day whose nightly copy is known to be there.
    pub(super) backed_up: Option<jiff::civil::Date>,
    /// Rounds of the beacon that were asked for, and when.
    pub(super) rounds_asked: std::collections::BTreeMap<u64, Timestamp>,
    _lock: Option<File>,
}

/// What one pass did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Pass {
    /// Mails fetched.
    pub fetched: usize,
    /// Mails acted on.
    pub read: usize,
    /// Games whose deadline passed.
    pub deadlines: usize,
    /// Mails sent.
    pub sent: usize,
    /// Mails that could not be sent now.
    pub unsent: usize,
    /// Things that do not work just now; each is tried again.
    pub failing: usize,
}

/// What an umpire does from the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UmpireDoes {
    /// Keeps letters back.
    Hold,
    /// Lets them go.
    Release,
    /// Gives a seat more hours.
    Extend(String, u32),
    /// Something with the game's clock, or its people.
    Time(TimeCommand),
    /// Writes to a seat.
    Message(String, String),
}

/// What an umpire reads at the console.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Said {
    /// His lines, answered.
    pub answers: Vec<Answer>,
    /// What he asked to see.
    pub blocks: Vec<Block>,
    /// Sentences of the post office.
    pub notes: Vec<String>,
}

impl Pass {
    /// Whether nothing was left to do.
    pub fn quiet(&self) -> bool {
        self.fetched + self.read + self.deadlines + self.sent == 0
    }
}

impl Office {
    /// Opens the post office of a directory; `serving` takes the lock that keeps a second daemon out.
    ///
    /// # Errors
    /// What of it cannot be used, with the cure.
    pub fn open(dir: &Path, entries: &'static [Entry], serving: bool) -> Result<Office, OfficeError> {
        Office::with_clock(dir, entries, serving, Clock::from_env()?)
    }

    /// Opens the post office of a directory by a clock of one's own.
    ///
    /// # Errors
    /// As [`Office::open`].
    pub fn with_clock(
        dir: &Path,
        entries: &'static [Entry],
        serving: bool,
        clock: Clock,
    ) -> Result<Office, OfficeError> {
        restore::look(dir)?;
        Office::of(dir, entries, serving, clock)
    }

    /// The same while a restore is at work.
    pub(super) fn of(
        dir: &Path,
        entries: &'static [Entry],
        serving: bool,
        clock: Clock,
    ) -> Result<Office, OfficeError> {
        let config = Config::load(&dir.join("config.toml"))?;
        // Before anything is written: the daemon at work may be an older program. Of a server many may serve.
        let lock = if serving && config.store.is_none() { Some(lock(&dir.join(LOCK))?) } else { None };
        // A server's database is copied by its operator.
        if serving && config.store.is_none() {
            upgrade::copy_before(dir, entries, &clock);
        }
        let store = store_by(dir, &config)?;
        super::moving::is_here(&store)?;
        if serving {
            count::is_newest(dir, &store)?;
            count::begin_count(dir, &store);
            upgrade::serves(&store, entries);
        }
        let bell = Arc::new(Bell::default());
        let carriers = carriers(&config, dir, &bell)?;
        let own = overrides(&dir.join("templates"))?;
        let alike = super::alike::Alike::of(&config, &own);
        let templates = Templates::new(&own)?;
        let own_templates = Templates::new(&[])?;
        let table = Table::default();
        let leads = !store.is_shared();
        let faults = if serving { Faults::of_before(&store) } else { Faults::default() };
        let dir = dir.to_owned();
        Ok(Office {
            dir,
            config,
            store,
            inbound: carriers.inbound,
            outbound: carriers.outbound,
            bell,
            clock,
            templates,
            own_templates,
            entries,
            table,
            meter: super::meter::Meter::default(),
            asking: super::wakes::Asking::default(),
            counted_since: None,
            serving,
            beat: None,
            before_jump: None,
            faults,
            begun: std::collections::BTreeMap::new(),
            looked: None,
            looks: None,
            looked_whole: None,
            counted: None,
            leads,
            agrees: true,
            alike,
            backed_up: None,
            rounds_asked: std::collections::BTreeMap::new(),
            _lock: lock,
        })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The clock, to be moved on by a scripted run.
    pub fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// Waits until something comes, at most this long; true where it came.
    pub fn wait(&self, most: Duration) -> bool {
        self.bell.wait(most)
    }

    /// The rulesets that can be played.
    pub fn entries(&self) -> &'static [Entry] {
        self.entries
    }

    /// What an act needs of its surroundings.
    pub(super) fn env(&self) -> Env<'_> {
        Env {
            config: &self.config,
            templates: &self.templates,
            own_templates: &self.own_templates,
            entries: self.entries,
            now: self.clock.now(),
        }
    }

    /// Fetches, acts, keeps deadlines, sends: each step for itself, so that none stops another.
    ///
    /// # Errors
    /// None that a step can have: those are counted, and [`Office::ailing`] tells them; the next pass tries again.
    pub fn pass(&mut self) -> Result<Pass, OfficeError> {
        self.agrees = self.apart(Place::Step(Step::Clock), &mut Office::agrees).is_some();
        if self.leads()? { self.whole_pass() } else { self.share() }
    }

    /// Whether this is the one that leads. Who does leads on until his line breaks; who begins to knows no more of before
    /// than what is written down.
    fn leads(&mut self) -> Result<bool, OfficeError> {
        if !self.store.is_shared() || self.leads && self.store.is_on_line() && self.agrees {
            return Ok(true);
        }
        if std::mem::take(&mut self.leads) {
            self.store.let_go(LEAD);
            self.take_metrics_away();
        }
        self.leads = self.agrees && self.store.hold(LEAD, false)?;
        if self.leads {
            (self.beat, self.before_jump) = (None, None);
            (self.looked, self.looks, self.looked_whole) = (None, None, None);
            (self.counted_since, self.backed_up) = (None, None);
            self.faults = Faults::of_before(&self.store);
            self.alike.written = false;
        }
        Ok(self.leads)
    }

    /// The pass of the one among the workers of a database that leads.
    fn whole_pass(&mut self) -> Result<Pass, OfficeError> {
        let mut pass = Pass::default();
        let began = self.clock.steady();
        // Nothing is done while nobody knows whether the clock is right; what was written is sent.
        let right = self.apart(Place::Step(Step::Clock), &mut Office::beat).unwrap_or(false);
        self.apart(Place::Step(Step::Settings), &mut Office::is_alike);
        if right {
            // Before mails are read: what they bring is played by this program.
            self.apart(Place::Step(Step::Programs), &mut Office::new_programs);
            // An index that is damaged is made anew before anything is written by it.
            if self.store.went_round() {
                self.mended();
            }
            pass = self.take_in()?;
            self.time_passes(&mut pass);
        }
        if self.store.went_round() {
            self.mended();
        }
        self.tell_faults();
        let (sent, unsent) = (&mut pass.sent, &mut pass.unsent);
        self.apart(Place::Step(Step::Sending), &mut |office| office.send_outbox(sent, unsent));
        self.apart(Place::Step(Step::PuttingAway), &mut Office::put_away);
        // By a clock that is wrong all copies would be too old.
        if right {
            self.apart(Place::Step(Step::Backup), &mut Office::back_up);
        }
        self.apart(Place::Step(Step::Counting), &mut Office::count_mails);
        // This may be the last pass for long, so what is told now goes out now.
        if self.tell_faults() {
            self.apart(Place::Step(Step::Sending), &mut |office| office.send_outbox(sent, unsent));
        }
        pass.failing = self.ailing().len();
        self.count_pass(&pass, began);
        Ok(pass)
    }

    /// The pass of a worker that another one leads: it acts on mails that came in for games that nobody has just now.
    fn share(&mut self) -> Result<Pass, OfficeError> {
        let mut pass = Pass::default();
        let alike = self.apart(Place::Step(Step::Settings), &mut Office::is_alike) == Some(true);
        if alike && self.agrees && super::pulse::stopped(&self.store)?.is_none() {
            let read = &mut pass;
            self.apart(Place::Step(Step::Reading), &mut |office| office.read_inbox(read));
        }
        pass.failing = self.ailing().len();
        Ok(pass)
    }

    /// Fetches and acts: the first part of a pass, after which all replies are committed.
    ///
    /// # Errors
    /// As [`Office::pass`].
    pub fn take_in(&mut self) -> Result<Pass, OfficeError> {
        let mut pass = Pass::default();
        let fetched = &mut pass.fetched;
        self.apart(Place::Step(Step::Fetching), &mut |office| office.fetch(fetched));
        let read = &mut pass;
        self.apart(Place::Step(Step::Reading), &mut |office| office.read_inbox(read));
        Ok(pass)
    }

    /// Acts on the games whose time is up, or in which an END takes effect.
    pub(super) fn keep_deadlines(&mut self, woken: &mut Woken, count: &mut usize) -> Result<(), OfficeError> {
        let games = woken.of(Why::Deadline);
        // What was sent in time may lie in a mailbox that cannot be reached, or in an inbox that cannot be read.
        if !games.is_empty() && (self.away(Way::In)?.is_some() || self.may_hold_orders_unread()) {
            woken.again.extend(games);
            return Ok(());
        }
        // Nor is anything late before the mailbox has been looked at since.
        if !games.is_empty() && self.looked_whole < self.looks {
            self.inbound.look_soon();
            woken.again.extend(games);
            return Ok(());
        }
        let clock = self.clock.now();
        let now = self.looks.map_or(clock, |looks| looks.min(clock));
        let left = if games.is_empty() { BTreeSet::new() } else { self.left_by_others()? };
        for game in games {
            if self.holds_mail_unread(&game) || left.contains(&game) {
                woken.again.insert(game);
                continue;
            }
            let deadline = &mut |sitting: &mut Sitting<'_>| sitting.deadline(now);
            match self.time_of(&game, &mut |office| office.with_game(&game, None, deadline)) {
                // Its time was up after the look.
                Some(Some(false)) if now < clock => drop(woken.again.insert(game)),
                Some(done) => *count += usize::from(done.unwrap_or(false)),
                None => drop(woken.again.insert(game)),
            }
        }
        Ok(())
    }

    /// Does what time brings for a game, in the compartment of that game.
    pub(super) fn time_of<T>(
        &mut self,
        game: &str,
        work: &mut dyn FnMut(&mut Office) -> Result<T, OfficeError>,
    ) -> Option<T> {
        self.apart(Place::Game(game.to_owned()), work)
    }

    /// Marks a game as corrupt and tells its umpire, once.
    pub(super) fn set_aside(&mut self, game: &str, why: &str) -> Result<(), OfficeError> {
        // Why may name what one side must not know; the umpire is told, and the chain keeps it.
        tracing::error!(game, "the game is set aside");
        tracing::debug!(game, why, "why it is set aside");
        let Some(row) = self.store.game(game)? else { return Ok(()) };
        if row.state == GameState::Corrupt {
            return Ok(());
        }
        let env = self.env();
        let stopped = self.store.try_act(|act| super::send::stop_game(&env, act, &row, why));
        if let Err(error) = stopped {
            // Where its own pages are damaged, no more can be written of it than that it stands.
            tracing::error!(game, %error, "that the game is set aside cannot be written into its log");
            let note = format!("The game {game} is set aside for a fault; `estafette status {game}` says more.");
            self.store.try_act(|act| {
                act.set_game_state(game, GameState::Corrupt)?;
                super::operator::told(&env, act, "a game is set aside", &note)
            })?;
        }
        Ok(())
    }

    /// Fills a template, for those that only read.
    ///
    /// # Errors
    /// A template that cannot be filled.
    pub fn fill(&self, template: &str, context: &Context, form: Form) -> Result<String, OfficeError> {
        match self.env().write(template, context, form) {
            (written, None) => Ok(written.body),
            (_, Some(error)) => Err(error.into()),
        }
    }

    /// What an umpire does from the command line.
    ///
    /// # Errors
    /// What is not allowed, as a sentence.
    pub fn umpire(&mut self, game: &str, what: &UmpireDoes) -> Result<String, OfficeError> {
        if *what == UmpireDoes::Release {
            self.mend(game)?;
        }
        let script = match what {
            UmpireDoes::Hold => vec!["HOLD".to_owned()],
            UmpireDoes::Release => vec!["RELEASE".to_owned()],
            UmpireDoes::Extend(seat, hours) => vec![format!("EXTEND {seat} {hours}")],
            UmpireDoes::Time(command) => vec![command.line()],
            UmpireDoes::Message(seat, text) => {
                let head = std::iter::once(format!("MESSAGE TO {seat}"));
                head.chain(text.lines().map(str::to_owned)).chain(["END MESSAGE".to_owned()]).collect()
            }
        };
        let said = self.umpire_says(game, press::UMPIRE, &script)?;
        let refused = said.answers.iter().find(|answer| answer.word != "DONE");
        match (refused, said.answers.first()) {
            (Some(answer), _) => Err(OfficeError::Refused(answer.why.clone())),
            (None, answer) => Ok(answer.map(|answer| answer.why.clone()).unwrap_or_default()),
        }
    }

    /// What an umpire writes, from the command line: the same lines, read by the same reader, as in a mail.
    ///
    /// # Errors
    /// When the game or the store fails; what is not allowed stands in the answers.
    pub fn umpire_says(&mut self, game: &str, seat: &str, script: &[String]) -> Result<Said, OfficeError> {
        self.try_game(game, None, &mut |sitting| {
            let umpires = sitting.umpires()?;
            if !press::is_umpire(seat) || (!umpires.is_empty() && !umpires.iter().any(|known| known == seat)) {
                return Err(Trouble::Refused(format!("the game has no umpire \"{seat}\".")));
            }
            let plays = sitting.plays(seat)?;
            let by = format!("{seat} (at the console)");
            let who = Umpire {
                seat: seat.to_owned(),
                by,
                plays,
                mail: super::whence::Whence::Console.to_string(),
                changed: Vec::new(),
                proved: true,
            };
            let mut reply = sitting.umpire_script(&who, script)?;
            reply.answers.sort_by_key(|answer| answer.no);
            // A console shows no page of HTML.
            reply.blocks.iter_mut().for_each(|block| block.body.page = None);
            Ok(Said { answers: reply.answers, blocks: reply.blocks, notes: reply.notes })
        })
        .map_err(OfficeError::from)
    }

    /// A game set aside can be opened again: whether its fault is mended shows at once.
    ///
    /// # Errors
    /// The fault that is still there.
    pub fn mend(&mut self, game: &str) -> Result<(), OfficeError> {
        let Some(row) = self.store.game(game)? else { return Ok(()) };
        let hosted = super::table::open(self.entries, &self.store, &row)?;
        // A snapshot that was at fault is dropped: another is taken.
        self.store.act(|act| act.drop_snapshot(game))?;
        let seats = owing(self.store.dues(game)?);
        super::table::stuck(hosted.as_ref(), &seats).map_or(Ok(()), |why| Err(OfficeError::Refused(format!("{why}."))))
    }
}

/// Those that something is due from.
pub(super) fn owing(dues: Vec<store::Due>) -> Vec<String> {
    let mut seats: Vec<String> = dues.into_iter().map(|due| due.seat).collect();
    seats.dedup();
    seats
}

/// The templates of a post office, by file name; none where it has no such folder.
fn overrides(folder: &Path) -> Result<Vec<(String, String)>, OfficeError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| OfficeError::Io { path, source }
    };
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io(folder))? {
        let path = entry.map_err(io(folder))?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        // What an editor leaves beside a file is no letter.
        if !name.ends_with(".txt") || name.starts_with('.') {
            continue;
        }
        let size = std::fs::metadata(&path).map_err(io(&path))?.len();
        if size > TEMPLATE_BYTES_MAX {
            return Err(OfficeError::Refused(format!("{}: longer than a letter can be.", path.display())));
        }
        found.push((name, std::fs::read_to_string(&path).map_err(io(&path))?));
    }
    found.sort();
    Ok(found)
}

/// Takes the lock of a directory, held as long as the file is open; who has just ended is waited for.
pub(super) fn lock(path: &Path) -> Result<File, OfficeError> {
    let io = |source| OfficeError::Io { path: path.to_owned(), source };
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(io)?;
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(std::fs::TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(std::fs::TryLockError::Error(source)) => return Err(io(source)),
        }
    }
    Err(OfficeError::Locked { path: path.to_owned() })
}

/// A game's row and the store, for those that only read.
pub fn game_of(store: &Store, game: &str) -> Result<store::Game, OfficeError> {
    store.game(game)?.ok_or_else(|| {
        let names: Vec<String> = store.games().unwrap_or_default().into_iter().map(|game| game.id).collect();
        let near = crate::text::nearest(game, names.iter().map(String::as_str));
        let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
        OfficeError::Refused(format!("there is no game \"{game}\".{hint}"))
    })
}

//! What does not work just now. Each step of a pass, and within it each game, mail and file, stands in a compartment of
//! its own: what goes wrong in one is told once, tried again with longer and longer waits, and stops nothing else.

use super::error::{OfficeError, fault_of};
use super::inbox::OfSeat;
use super::office::Office;
use super::{operator, when};
use crate::store::{Fault, Mended, Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The mark that tells other processes what does not work.
const MARK: &str = "faults";
/// After a second failure in a row, so many seconds; then twice as long each time.
const WAIT_SECONDS_MIN: i64 = 5;
/// The longest wait of a game, a mail or a file; of a step of the pass.
const WAIT_SECONDS_MAX: i64 = 900;
const STEP_SECONDS_MAX: i64 = 60;
/// As many faults are told to other processes; all are in the daemon's log.
const KEPT_MAX: usize = 50;

/// A step of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The look at the clock.
    Clock,
    /// Taking mail in.
    Fetching,
    /// Going through the mails taken in.
    Reading,
    /// Ending pauses.
    Pauses,
    /// Games that another program has played so far.
    Programs,
    /// Stand-ins that come and go.
    Guards,
    /// Going through the deadlines.
    Deadlines,
    /// Asking for rounds of the beacon.
    Rounds,
    /// Going through the reminders.
    Reminders,
    /// Handing mails over.
    Sending,
    /// Putting away what was read.
    PuttingAway,
    /// Making damaged indexes anew.
    Mending,
    /// Copying the database every night.
    Backup,
    /// Writing down how many mails there were, by which an older copy of the database is known.
    Counting,
    /// Comparing the settings of the workers of one database.
    Settings,
}

/// What stands apart, so that its fault stops nothing else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A step of a pass as a whole.
    Step(Step),
    /// What time brings for a game: deadlines, reminders, pauses.
    Game(String),
    /// A mail of the inbox.
    Mail(i64),
    /// A mail of the outbox.
    Letter(i64),
    /// A mail that waits in the mailbox.
    Waiting(String),
}

/// What does not work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ailing {
    /// Where.
    pub place: Place,
    /// How often it was tried in a row.
    pub tries: u32,
    /// Since when.
    pub since: String,
    /// What happened.
    pub why: String,
}

/// All that does not work, and when each is tried again.
#[derive(Default)]
pub(super) struct Faults {
    known: BTreeMap<Place, (Ailing, Timestamp)>,
    /// What the mark says now; none where nobody knows.
    kept: Option<String>,
    /// Whose the mails are that fail, where that is known.
    seats: BTreeMap<i64, OfSeat>,
}

impl Faults {
    /// What another process wrote down of steps of the pass. They are tried anew at once, and what is told already is not
    /// told again: so it is the same whether one process makes all passes, or each pass is a process of its own.
    pub(super) fn of_before(store: &Store) -> Faults {
        let before = ailing(store).unwrap_or_default().into_iter();
        let steps = before.filter(|ailing| matches!(ailing.place, Place::Step(_)));
        let known = steps.map(|ailing| {
            let since = ailing.since.parse().unwrap_or(Timestamp::MIN);
            (ailing.place.clone(), (ailing, since))
        });
        Faults { known: known.collect(), ..Faults::default() }
    }

    /// Whose a mail is that fails.
    pub(super) fn seat_of(&self, mail: i64) -> Option<OfSeat> {
        self.seats.get(&mail).cloned()
    }

    /// Notes whose a mail is that fails.
    pub(super) fn set_seat_of(&mut self, mail: i64, whose: Option<OfSeat>) {
        match whose {
            Some(seat) => _ = self.seats.insert(mail, seat),
            None => _ = self.seats.remove(&mail),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Step(step) => out.write_str(match step {
                Step::Clock => "the look at the clock",
                Step::Fetching => "fetching mail",
                Step::Reading => "reading the inbox",
                Step::Pauses => "ending pauses",
                Step::Programs => "entering the program",
                Step::Guards => "changing stand-ins",
                Step::Deadlines => "keeping the deadlines",
                Step::Rounds => "asking for rounds of the beacon",
                Step::Reminders => "reminding the late",
                Step::Sending => "sending",
                Step::PuttingAway => "putting mails away",
                Step::Mending => "the database",
                Step::Backup => "the nightly backup",
                Step::Counting => "the count of mails",
                Step::Settings => "the settings of the workers",
            }),
            Place::Game(game) => write!(out, "the time of the game {game}"),
            Place::Mail(id) => write!(out, "the mail in:{id}"),
            Place::Letter(id) => write!(out, "the mail out:{id}"),
            Place::Waiting(name) => write!(out, "the waiting mail {name}"),
        }
    }
}

/// What does not work, by what the daemon last wrote down of it.
///
/// # Errors
/// The database.
pub fn ailing(store: &Store) -> Result<Vec<Ailing>, StoreError> {
    Ok(store.mark(MARK)?.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

impl Office {
    /// What does not work just now.
    pub fn ailing(&self) -> Vec<Ailing> {
        self.faults.known.values().map(|(ailing, _)| ailing.clone()).collect()
    }

    /// Does something in a compartment of its own; none where it failed, now or before.
    pub(super) fn apart<T>(
        &mut self,
        place: Place,
        work: &mut dyn FnMut(&mut Office) -> Result<T, OfficeError>,
    ) -> Option<T> {
        if self.waits(&place) {
            return None;
        }
        let mut done = self.caught(work);
        if done.as_ref().is_err_and(|error| fault_of(error) == Some(Fault::Damage)) && self.mended() {
            done = self.caught(work);
        }
        match done {
            Ok(done) => {
                self.faults.known.remove(&place);
                Some(done)
            }
            Err(error) => {
                self.fell_ill(place, &error.to_string());
                None
            }
        }
    }

    /// A panic is a fault like others.
    fn caught<T>(&mut self, work: &mut dyn FnMut(&mut Office) -> Result<T, OfficeError>) -> Result<T, OfficeError> {
        catch_unwind(AssertUnwindSafe(|| work(self)))
            .unwrap_or_else(|_| Err(OfficeError::Refused("it broke off in the middle of its work".to_owned())))
    }

    /// Whether something that failed is left alone for now. Its first failure may be a passing one, so the next pass
    /// tries it again.
    pub(super) fn waits(&self, place: &Place) -> bool {
        self.faults.known.get(place).is_some_and(|(ailing, next)| ailing.tries > 1 && *next > self.clock.now())
    }

    /// How often something has failed in a row.
    pub(super) fn failures(&self, place: &Place) -> u32 {
        self.faults.known.get(place).map_or(0, |(ailing, _)| ailing.tries)
    }

    /// Notes that something failed; what is new is logged, and told to the operator when the pass ends.
    pub(super) fn fell_ill(&mut self, place: Place, why: &str) {
        let now = self.clock.now();
        let before = self.faults.known.remove(&place).map(|(ailing, _)| ailing);
        if before.as_ref().is_none_or(|before| before.why != why) {
            tracing::error!(why, "{place}: something does not work");
        }
        let tries = before.as_ref().map_or(0, |before| before.tries).saturating_add(1);
        let most = if matches!(place, Place::Step(_)) { STEP_SECONDS_MAX } else { WAIT_SECONDS_MAX };
        let seconds = (WAIT_SECONDS_MIN << tries.saturating_sub(2).min(16)).min(most);
        let next = now.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(now);
        let since = before.map_or_else(|| when::kept(now), |before| before.since);
        let ailing = Ailing { place: place.clone(), tries, since, why: why.to_owned() };
        self.faults.known.insert(place, (ailing, next));
    }

    /// Forgets the faults of what is no longer there.
    pub(super) fn forget_faults(&mut self, gone: impl Fn(&Place) -> bool) {
        self.faults.known.retain(|place, _| !gone(place));
        let known = &self.faults.known;
        self.faults.seats.retain(|mail, _| known.contains_key(&Place::Mail(*mail)));
    }

    /// Forgets what was mended a day ago.
    fn forget_mending(&mut self) {
        let now = self.clock.now();
        let long_ago = |next: Timestamp| now.duration_since(next) > SignedDuration::from_hours(24);
        self.faults.known.retain(|place, (_, next)| *place != Place::Step(Step::Mending) || !long_ago(*next));
    }

    /// Makes damaged indexes anew, not more often than it may help; whether any was.
    pub(super) fn mended(&mut self) -> bool {
        let place = Place::Step(Step::Mending);
        if self.waits(&place) {
            return false;
        }
        match self.store.mend() {
            Ok(mended) if !mended.is_empty() => {
                let names = mended.names().join(", ");
                tracing::warn!(names, "damaged or missing parts of the database were made anew");
                self.fell_ill(place, &made_anew(&mended));
                true
            }
            // What is not there at all cannot be read, and no disk is at fault.
            Ok(_) if let Some(why) = self.without_tables() => {
                self.fell_ill(place, &why);
                false
            }
            // What failed to be read was the machine's fault if all can be read now: it is tried again.
            Ok(_) if self.store.damaged().is_ok_and(|damaged| damaged.is_empty()) => true,
            Ok(_) => {
                self.fell_ill(place, "pages of the database are damaged");
                false
            }
            Err(error) => {
                self.fell_ill(place, &error.to_string());
                false
            }
        }
    }

    /// The tables that are gone, with the cure; none where all are there, or nobody can say.
    fn without_tables(&self) -> Option<String> {
        let gone = self.store.missing_tables().unwrap_or_default();
        let cure = "stop estafette, each worker of it, and restore the backup";
        (!gone.is_empty()).then(|| format!("missing: the table {}; {cure}", gone.join(", the table ")))
    }

    /// Writes down for other processes what does not work, and tells the operator of what is new; whether there was
    /// anything. Where even that fails, the next pass tries again.
    pub(super) fn tell_faults(&mut self) -> bool {
        self.forget_mending();
        let all: Vec<Ailing> = self.faults.known.values().map(|(ailing, _)| ailing.clone()).take(KEPT_MAX).collect();
        let kept = match self.faults.kept.take() {
            Some(kept) => Ok(Some(kept)),
            None => self.store.mark(MARK),
        };
        let Ok(kept) = kept else { return false };
        let before: Vec<Ailing> = kept.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let known = |ailing: &&Ailing| before.iter().any(|b| b.place == ailing.place && b.why == ailing.why);
        // A count that rises is no news.
        if all.len() == before.len() && all.iter().all(|ailing| known(&ailing)) {
            self.faults.kept = Some(kept.unwrap_or_default());
            return false;
        }
        let mut news: Vec<&Ailing> = all.iter().filter(|ailing| !known(ailing)).collect();
        news.dedup_by(|a, b| a.why == b.why);
        news.retain(|ailing| !before.iter().any(|b| b.why == ailing.why));
        let text = if all.is_empty() { None } else { serde_json::to_string(&all).ok() };
        let env = self.env();
        let told = self.store.try_act(|act| {
            match &text {
                Some(text) => act.set_mark(MARK, text)?,
                None => act.drop_mark(MARK)?,
            }
            for ailing in &news {
                let note = format!(
                    "{}: {}.  It is tried again, and all else goes on; `estafette doctor` names the cure.",
                    ailing.place,
                    ailing.why.trim_end_matches('.')
                );
                operator::told(&env, act, "something does not work", &note)?;
            }
            Ok::<(), super::error::Trouble>(())
        });
        let any = !news.is_empty();
        if told.is_ok() {
            self.faults.kept = Some(text.unwrap_or_default());
        }
        any
    }
}

/// What is told of parts of the database that were made anew: what is damaged is the disk's fault, and what is missing
/// somebody took away.
fn made_anew(mended: &Mended) -> String {
    let cure = "Back the post office up, and run estafette doctor --rebuild";
    let missing = mended.missing.join(", the index ");
    let missing = format!(
        "what was missing was made anew: the index {missing}.  No order is lost; another program, or a person, took it away"
    );
    let damaged = format!(
        "damaged parts of the database were made anew ({}): no order is lost, but the disk may be failing",
        mended.damaged.join(", ")
    );
    match (mended.damaged.is_empty(), mended.missing.is_empty()) {
        (true, _) => format!("{missing}.  {cure}"),
        (_, true) => format!("{damaged}.  {cure}"),
        _ => format!("{damaged}.  And {missing}.  {cure}"),
    }
}

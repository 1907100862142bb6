//! What time brings to a game, and when next. A pass asks one question: whose time has come. It walks over no games.
//!
//! The next time of a game stands in its row. Every act on it reckons that anew and writes it with what it does; whoever
//! else writes anything on which times hang, the database empties it, and the game is asked at the next pass. A day is
//! the longest that a game is left alone, so that a time that nobody thought of comes late and not never.

use super::deadlines::{PAUSED, Pause, UNTIL, terms_of};
use super::error::{OfficeError, Trouble};
use super::faults::{Place, Step};
use super::office::{Office, Pass};
use super::remind::{self, HOURS_MAX, REMINDED};
use super::sitting::Sitting;
use super::{away, hands, program, recall, when};
use crate::config::Config;
use crate::fog::SeatId;
use crate::games;
use crate::host::Game as Hosted;
use crate::store::{Due, Game, GameState, Store, StoreError};
use crate::terms::Terms;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A game is asked once in so long, whatever is known of it.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Under which mark stands by what the games were asked: how long before a deadline a seat is reminded where its game does
/// not say, and the programs.
const ASKED_BY: &str = "asked by";

/// What time may bring to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    /// A program that did not play it so far.
    Program,
    /// The end of a pause.
    Pause,
    /// Stand-ins, and seats that were asked for.
    Guard,
    /// A deadline, a grace, an END that waited, a notice, word of who is waited for.
    Deadline,
    /// A reminder.
    Reminder,
}

/// The games that a pass asks.
#[derive(Debug, Default)]
pub(super) struct Woken {
    /// Each with what its time has come for.
    pub games: Vec<(String, BTreeSet<Why>)>,
    /// Those that are asked again in the next pass, since something stood in the way.
    pub again: BTreeSet<String>,
}

impl Woken {
    /// Those whose time has come for one thing.
    pub(super) fn of(&self, why: Why) -> Vec<String> {
        self.games.iter().filter(|(_, whys)| whys.contains(&why)).map(|(game, _)| game.clone()).collect()
    }
}

/// How this office asks games.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// Games of which something was written since the last question.
    touched: BTreeSet<String>,
    /// Games that this pass has tried to enter its program into, and of which nothing was written since.
    tried: BTreeSet<String>,
    /// For each game that was asked, the count of the store of what others wrote of it, at the last question.
    others: BTreeMap<String, i64>,
    /// Whether it is known that they were asked by these settings and these programs.
    settled: bool,
    /// Whether all games are asked in each pass, as if nothing were known.
    pub always: bool,
}

impl Asking {
    /// Something was written of a game.
    pub(super) fn touch(&mut self, game: &str) {
        self.touched.insert(game.to_owned());
        self.tried.remove(game);
    }
}

/// Instants at which time brings something to a game, those that have come among them.
#[derive(Debug, Default)]
struct Times(Vec<(Timestamp, Why)>);

impl Times {
    fn add(&mut self, why: Why, times: impl IntoIterator<Item = Timestamp>) {
        self.0.extend(times.into_iter().map(|at| (at, why)));
    }

    /// What has come by an instant.
    fn come(&self, now: Timestamp) -> BTreeSet<Why> {
        self.0.iter().filter(|(at, _)| *at <= now).map(|(_, why)| *why).collect()
    }

    /// The next after an instant, as the store keeps it.
    fn next(&self, now: Timestamp) -> String {
        let last = now.checked_add(DAY).unwrap_or(now);
        let next = self.0.iter().map(|(at, _)| *at).filter(|at| *at > now).fold(last, Timestamp::min);
        // Times are kept in whole seconds: one that came a little early would be asked in vain.
        when::kept(next.checked_add(SignedDuration::from_nanos(999_999_999)).unwrap_or(next))
    }
}

/// The instants of a game, by what the store keeps of it and by nothing else.
fn times(store: &Store, config: &Config, row: &Game, now: Timestamp) -> Result<Times, StoreError> {
    let mut all = Times::default();
    let playing = row.state == GameState::Playing;
    if !playing && row.state != GameState::Forming {
        return Ok(all);
    }
    let notes: BTreeMap<String, String> = store.notes(&row.id)?.into_iter().collect();
    let terms = terms_of(store, row)?;
    let pause = notes.get(PAUSED).and_then(|kept| serde_json::from_str::<Pause>(kept).ok());
    all.add(Why::Pause, pause.as_ref().and_then(|pause| pause.until));
    if playing && notes.contains_key(hands::STAND_INS) {
        let zone = terms.calendar.tz();
        for (_, kept) in store.desks(&row.id, away::KEY)? {
            all.add(Why::Guard, away::spans(&kept, &zone).into_iter().flat_map(|(from, to)| [from, to]));
        }
        all.add(Why::Guard, store.desks(&row.id, hands::ASKED_FOR)?.iter().filter_map(|(_, kept)| hands::until(kept)));
    }
    if row.held || pause.is_some() {
        return Ok(all);
    }
    let dues = store.dues(&row.id)?;
    deadlines(store, row, &mut all, (&terms, &dues, &notes, now))?;
    let told: BTreeMap<String, String> = store.desks(&row.id, REMINDED)?.into_iter().collect();
    all.add(Why::Reminder, reminders(config, &terms, &dues, &told, now));
    Ok(all)
}

/// When a deadline, a grace, an END or a notice may bring something: each deadline, the same with its grace, the end of the
/// stage's time; where one is past, each next day.
fn deadlines(
    store: &Store,
    row: &Game,
    all: &mut Times,
    (terms, dues, notes, now): (&Terms, &[Due], &BTreeMap<String, String>, Timestamp),
) -> Result<(), StoreError> {
    let grace = SignedDuration::from_hours(i64::from(terms.grace));
    let until = notes.get(UNTIL).and_then(|text| text.split_once(' ')).map(|(at, _)| at.to_owned());
    let notices = store.notices(&row.id)?.into_iter().filter_map(|notice| notice.until);
    let said = dues.iter().filter_map(|due| due.due_at.clone()).chain(until).chain(notices);
    let said: Vec<Timestamp> = said.filter_map(|at| at.parse().ok()).collect();
    all.add(Why::Deadline, said.iter().copied());
    all.add(Why::Deadline, said.iter().filter_map(|at| at.checked_add(grace).ok()));
    all.add(Why::Deadline, recall::times(notes.get(recall::RECALLS)));
    if said.iter().any(|at| *at <= now) {
        all.add(Why::Deadline, midnight(now));
    }
    Ok(())
}

/// Whether another program than this one has played a game so far.
pub(super) fn outdated(store: &Store, entries: &[games::Entry], row: &Game) -> Result<bool, StoreError> {
    let ours = games::find(entries, &row.ruleset).ok().map(program::own);
    Ok(row.state == GameState::Playing && ours.is_some() && store.note(&row.id, program::NOTE)? != ours)
}

/// The end of the day by which days of waiting are counted.
fn midnight(now: Timestamp) -> Option<Timestamp> {
    let into = SignedDuration::from_secs(now.as_second().rem_euclid(DAY.as_secs()));
    now.checked_sub(into).and_then(|at| at.checked_add(DAY)).ok()
}

/// When a seat is reminded that was not yet told of its first deadline to come.
fn reminders(
    config: &Config,
    terms: &Terms,
    dues: &[Due],
    told: &BTreeMap<String, String>,
    now: Timestamp,
) -> Vec<Timestamp> {
    let hours = remind::hours_before(config, terms);
    if hours <= 0 {
        return Vec::new();
    }
    let now = when::kept(now);
    let open = |due: &&Due| {
        let at = due.due_at.as_ref().filter(|at| **at > now);
        at.is_some_and(|at| told.get(&due.seat).is_none_or(|told| told < at))
    };
    let at = |due: &Due| due.due_at.as_ref()?.parse::<Timestamp>().ok();
    let before = |at: Timestamp| at.checked_sub(SignedDuration::from_hours(hours.min(HOURS_MAX))).ok();
    dues.iter().filter(open).filter_map(at).filter_map(before).collect()
}

/// The note of where a game stands, for who looks at many.
const STANDS: &str = "stands";

/// Where a game stands, as it was kept when something was last written of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stands {
    /// The turn.
    pub turn: u32,
    /// The stage; none before play begins and when it is over.
    pub stage: Option<String>,
    /// The seats on move.
    pub on_move: Vec<SeatId>,
}

impl Stands {
    /// Where an open game stands.
    pub fn of(hosted: &dyn Hosted, state: GameState) -> Stands {
        let stage = hosted.stage().filter(|_| state == GameState::Playing);
        let on_move = stage.as_ref().map(|stage| stage.on_move.clone()).unwrap_or_default();
        Stands { turn: hosted.turn(), stage: stage.map(|stage| stage.title), on_move }
    }

    /// Where a game stood when something was last written of it; none where that was before it was kept.
    ///
    /// # Errors
    /// The database.
    pub fn kept(store: &Store, game: &str) -> Result<Option<Stands>, StoreError> {
        Ok(store.note(game, STANDS)?.and_then(|kept| serde_json::from_str(&kept).ok()))
    }
}

impl Sitting<'_> {
    /// Keeps what the passes and who looks at many games read of this one, once an act on it has written something.
    pub(super) fn keep_for_others(&self) -> Result<(), Trouble> {
        let Some(row) = self.act.game(&self.row.id)? else { return Ok(()) };
        self.keep_stand(&row)?;
        self.keep_wake(&row)
    }

    /// Keeps where this game stands.
    fn keep_stand(&self, row: &Game) -> Result<(), Trouble> {
        let id = &row.id;
        let stands = serde_json::to_string(&Stands::of(&**self.hosted, row.state)).ok();
        if stands.is_some() && self.act.note(id, STANDS)? != stands {
            self.act.set_note(id, STANDS, stands.as_deref())?;
        }
        Ok(())
    }

    /// Keeps when this game is to be asked next: at once where time has brought something that nobody has looked at.
    fn keep_wake(&self, row: &Game) -> Result<(), Trouble> {
        let id = &row.id;
        let (now, kept) = (self.env.now, self.act.wake(id)?.unwrap_or_default());
        let times = times(self.act, self.env.config, row, now)?;
        let comes = !times.come(now).is_empty() || outdated(self.act, self.env.entries, row)?;
        let next = if comes { String::new() } else { times.next(now) };
        // One that is asked at the next pass anyway needs no other time.
        if kept != next && !(comes && kept <= when::kept(now)) {
            self.act.set_wake(id, &next)?;
        }
        Ok(())
    }
}

impl Office {
    /// How often a game was opened or taken from those that lie open, since this office was.
    pub fn taken(&self) -> u64 {
        self.table.taken()
    }

    /// Asks every game in each pass for everything, as if nothing were known of when that is next: for comparison.
    pub fn ask_always(&mut self) {
        self.asking.always = true;
    }

    /// Has all games asked where they were asked last by other settings or other programs.
    fn ask_by_these(&mut self) -> Result<(), StoreError> {
        if self.asking.settled {
            return Ok(());
        }
        let programs: Vec<String> = self.entries().iter().map(program::own).collect();
        let by = format!("{} {}", self.config.reminder_hours, programs.join(" "));
        if self.store.mark(ASKED_BY)?.as_ref() != Some(&by) {
            self.store.act(|act| {
                act.wake_all()?;
                act.set_mark(ASKED_BY, &by)
            })?;
        }
        self.asking.settled = true;
        Ok(())
    }

    /// Whose time has come, and for what.
    fn woken(&mut self) -> Result<Woken, OfficeError> {
        self.ask_by_these()?;
        self.asking.touched.clear();
        let now = self.clock.now();
        let ids = if self.asking.always { self.store.under_way()? } else { self.store.waking(&when::kept(now))? };
        let mut woken = Woken::default();
        self.asking.others.clear();
        for id in &ids {
            if let Ok(stirred) = self.store.stirred(id) {
                self.asking.others.insert(id.clone(), stirred);
            }
        }
        for id in ids {
            match self.whys(&id, now) {
                Ok(whys) => woken.games.push((id, whys)),
                // What of it cannot be read is found and told by whoever opens it.
                Err(_) => woken.games.push((id, BTreeSet::from([Why::Deadline]))),
            }
        }
        Ok(woken)
    }

    fn whys(&self, id: &str, now: Timestamp) -> Result<BTreeSet<Why>, StoreError> {
        let Some(row) = self.store.game(id)? else { return Ok(BTreeSet::new()) };
        let stand_ins = row.state == GameState::Playing && self.store.note(id, hands::STAND_INS)?.is_some();
        if self.asking.always {
            let all = BTreeSet::from([Why::Program, Why::Pause, Why::Guard, Why::Deadline, Why::Reminder]);
            return Ok(all.into_iter().filter(|why| *why != Why::Guard || stand_ins).collect());
        }
        let mut whys = times(&self.store, &self.config, &row, now)?.come(now);
        if stand_ins {
            whys.insert(Why::Guard);
        }
        if outdated(&self.store, self.entries(), &row)? {
            whys.insert(Why::Program);
        }
        Ok(whys)
    }

    /// Enters this program into the games that another one has played so far, where they can be entered.
    pub(super) fn new_programs(&mut self) -> Result<(), OfficeError> {
        let woken = self.woken()?;
        self.enter_programs(&woken);
        let touched = &self.asking.touched;
        self.asking.tried = woken.of(Why::Program).into_iter().filter(|game| !touched.contains(game)).collect();
        Ok(())
    }

    /// Does what time brings: pauses end, stand-ins come and go, deadlines pass, rounds are asked for, seats are reminded.
    /// Each step stands for itself.
    pub(super) fn time_passes(&mut self, pass: &mut Pass) {
        let Some(mut woken) = self.apart(Place::Step(Step::Deadlines), &mut Office::woken) else { return };
        let woken = &mut woken;
        let mut whole = self.apart(Place::Step(Step::Pauses), &mut |office| office.end_pauses(woken)).is_some();
        whole &= self.apart(Place::Step(Step::Guards), &mut |office| office.change_guards(woken)).is_some();
        let count = &mut pass.deadlines;
        whole &= self.apart(Place::Step(Step::Deadlines), &mut |office| office.keep_deadlines(woken, count)).is_some();
        whole &= self.apart(Place::Step(Step::Rounds), &mut Office::fetch_rounds).is_some();
        whole &= self.apart(Place::Step(Step::Reminders), &mut |office| office.remind(woken)).is_some();
        if whole && !self.asking.always {
            self.apart(Place::Step(Step::Reminders), &mut |office| office.let_lie(woken));
        }
    }

    /// Leaves the games alone that were asked, until time brings them something; but those of which something was written
    /// since, those that something stood in the way of, and those that a program is to be entered into.
    fn let_lie(&mut self, woken: &Woken) -> Result<(), OfficeError> {
        let Asking { touched, tried, .. } = &self.asking;
        let waits = |game: &String, whys: &BTreeSet<Why>| whys.contains(&Why::Program) && !tried.contains(game);
        let rest = |(game, whys): &&(String, BTreeSet<Why>)| {
            !touched.contains(game) && !woken.again.contains(game) && !waits(game, whys)
        };
        let games: Vec<&String> = woken.games.iter().filter(rest).map(|(game, _)| game).collect();
        if games.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        self.store.act_loosely(|act| {
            for id in games {
                // What somebody else has written since stands.
                act.lock_game(id)?;
                if act.stirred(id).ok().as_ref() != self.asking.others.get(id) {
                    continue;
                }
                let Some(row) = act.game(id)? else { continue };
                act.set_wake(id, &times(act, &self.config, &row, now)?.next(now))?;
            }
            Ok::<(), StoreError>(())
        })?;
        Ok(())
    }
}

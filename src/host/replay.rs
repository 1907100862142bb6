//! Opens a game where its chain ends, and plays a chain again from its beginning.

use super::barrier::{Pending, Post};
use super::hosted::{Hosted, Kept, Rolled, Told, json};
use super::paper::Paper;
use super::sheet::Sheet;
use super::{Behind, Broken, Entry, Game, Input, Looked, Otherwise, Watch};
use crate::dice::{Fiat, Roll, Scope};
use crate::fog::{SeatId, SideId};
use crate::rules::Record;
use crate::rules::cx::{self, End};
use crate::rules::journal::{Desk, Journal};
use crate::rules::kept::{Body, LineKept, Truth};
use crate::rules::staff::{Brought, Dispatch};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The kinds of entry that the host writes; an envelope may keep others in the same chain.
const KINDS: [&str; 8] = ["input", "given", "event", "sight", "roll", "line", "rest", "rewind"];

/// So many rest points are tried behind a part that another program played otherwise.
const RESTS_TRIED: usize = 12;

/// All of a hosted game that does not follow from its chain.
#[derive(Serialize, Deserialize)]
struct Open {
    begun: bool,
    closed: bool,
    lettered: Option<String>,
    journal: Journal,
    desk: Desk,
    posts: Vec<OpenPost>,
    #[serde(default)]
    fiats: Vec<Fiat>,
    #[serde(default)]
    free: bool,
    #[serde(default)]
    judged: Vec<(Scope, String, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    riders: Vec<Dispatch>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    brought: Vec<Brought>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    amends: Vec<(SideId, String)>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    sheets: BTreeMap<String, Sheet>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    last_sheets: BTreeMap<SeatId, String>,
    /// Seats whose leaders obey their commander.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    gone: BTreeSet<SeatId>,
}

#[derive(Serialize, Deserialize)]
struct OpenPost {
    seat: SeatId,
    barrier: usize,
    #[serde(default)]
    since: usize,
    shown: Vec<String>,
    owing: bool,
    resigned: bool,
    pending: Vec<Pending>,
}

/// Where a rewind went.
#[derive(Serialize, Deserialize)]
pub(super) struct Back {
    /// The number of the rest point.
    pub rest: usize,
    /// The dice slot in which play goes on.
    pub slot: u32,
}

#[derive(Deserialize)]
struct SightEntry {
    side: SideId,
    body: serde_json::Value,
}

/// A rest point of the chain.
#[derive(Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct RestEntry {
    ruleset: String,
    version: u32,
    stage: Option<String>,
}

impl RestEntry {
    /// Whether a program of this or an older version came to the same rest point.
    fn agrees(&self, made: &RestEntry) -> bool {
        (1..=made.version).contains(&self.version) && (&self.ruleset, &self.stage) == (&made.ruleset, &made.stage)
    }
}

/// Whether an entry that is recomputed is the one that was kept. Words that stand in a line of an older chain, the owner
/// that a roll of one lacks, and the version of the rules that came to a rest point, are not compared.
fn agrees((slot, kind, body): &(u32, String, String), made: &Entry) -> bool {
    let read = |text: &str| Body::from_text(text.to_owned());
    let same = |kept: &Body, again: &Body| match made.kind {
        "line" => kept.read::<LineKept>().ok().is_some_and(|kept| again.read().is_ok_and(|again| kept == again)),
        "rest" => kept.read::<RestEntry>().ok().is_some_and(|kept| again.read().is_ok_and(|again| kept.agrees(&again))),
        "roll" => kept.read::<Roll>().ok().is_some_and(|kept| again.read().is_ok_and(|again| kept.agrees(&again))),
        _ => false,
    };
    (*slot, kind.as_str()) == (made.slot, made.kind) && (*body == made.body || same(&read(body), &read(&made.body)))
}

impl<R: Paper> Hosted<R> {
    pub(super) fn open_text(&self) -> String {
        let core = &self.core;
        let posts = core.posts.iter().map(|post| OpenPost {
            seat: post.seat.clone(),
            barrier: post.barrier,
            since: post.since,
            shown: post.shown.clone(),
            owing: post.owing,
            resigned: post.resigned,
            pending: post.pending.clone(),
        });
        json(&Open {
            begun: core.begun,
            closed: core.closed,
            lettered: core.lettered.clone(),
            journal: core.journal.clone(),
            desk: core.desk.clone(),
            posts: posts.collect(),
            fiats: core.fiats.clone(),
            free: core.free,
            judged: core.judged.clone(),
            riders: core.riders.clone(),
            brought: core.brought.clone(),
            amends: core.amends.clone(),
            sheets: core.sheets.clone(),
            last_sheets: core.last_sheets.clone(),
            gone: core.desk.staff.gone().clone(),
        })
    }

    /// Folds the chain: events and sightings are facts, and are not decided again. The open leg is, and must agree.
    pub(super) fn reopen(&mut self, kept: &Kept) -> Result<(), String> {
        let open: Open = Body::from_text(kept.open.clone())
            .read()
            .map_err(|e| format!("the open leg as kept cannot be read: {e}"))?;
        for kept in &open.posts {
            let Some(post) = self.core.posts.iter_mut().find(|post| post.seat == kept.seat) else {
                return Err(format!("the scenario has no seat {}, which the open leg as kept names", kept.seat));
            };
            post.barrier = kept.barrier;
            post.since = kept.since;
            post.resigned = kept.resigned;
        }
        self.core.begun = open.begun;
        // Standing answers are set again on the way: which of them count hangs on when they were.
        self.core.desk = Desk::of(std::mem::take(&mut self.core.desk).staff);
        if self.core.desk.staff.own_sight().is_none() {
            self.core.desk.staff.set_gone(open.gone.clone());
        } else {
            // Who had resigned when is found again on the way.
            self.core.posts.iter_mut().for_each(|post| post.resigned = false);
        }
        if let Some(snapshot) = &kept.snapshot {
            self.stand_at(snapshot)?;
        }
        for (slot, kind, body) in &kept.entries {
            if KINDS.contains(&kind.as_str()) {
                self.stand_at_barriers();
                let at = self.past.entries;
                self.fold(*slot, kind, body).map_err(|why| format!("entry {} ({kind}) of the chain: {why}", at + 1))?;
                self.past.entries += 1;
            }
        }
        self.stand_at_barriers();
        // A rewind on the way has emptied what belongs to the open leg.
        for kept in open.posts {
            if let Some(post) = self.core.posts.iter_mut().find(|post| post.seat == kept.seat) {
                post.shown = kept.shown;
                post.owing = kept.owing;
                post.pending = kept.pending;
            }
        }
        self.core.closed = open.closed;
        self.core.lettered = open.lettered;
        self.core.journal = open.journal;
        self.core.desk.take_books(open.desk);
        self.core.desk.staff.set_gone(open.gone);
        self.core.riders = open.riders;
        self.core.brought = open.brought;
        self.core.amends = open.amends;
        self.core.sheets = open.sheets;
        self.core.last_sheets = open.last_sheets;
        self.core.fiats = open.fiats;
        self.core.free = open.free;
        self.core.judged = open.judged;
        // What was played stands; only the order that is half carried out cannot go on, and an umpire takes it back.
        self.core.otherwise = self.reopen_leg().err();
        Ok(())
    }

    /// Gives each seat whose last letter, or the one before that, was written where the chain ends now what it knows there.
    pub(super) fn stand_at_barriers(&mut self) {
        let entries = self.past.entries;
        for at in 0..self.core.posts.len() {
            let here = |post: &Post<R>| (post.barrier == entries, post.since == entries && entries > 0);
            let Some((last, before)) = self.core.posts.get(at).map(here).filter(|(l, b)| *l || *b) else { continue };
            let view = self.look_for(at);
            if let (Some(post), Some(view)) = (self.core.posts.get_mut(at), view) {
                if before {
                    post.before = Some(view.clone());
                }
                if last {
                    post.view = view;
                    post.turn = self.core.turn;
                }
            }
        }
    }

    fn fold(&mut self, slot: u32, kind: &str, text: &str) -> Result<(), String> {
        let body = Body::from_text(text.to_owned());
        let at = self.past.entries;
        match kind {
            "event" => {
                let event = R::decode(&body).map_err(|e| e.to_string())?;
                R::apply(&mut self.core.now.state, &event);
                self.past.happen(event.clone());
                self.core.known.push(Record::Event { body: event, seen: Vec::new() });
            }
            "sight" => self.fold_sight(&body)?,
            "roll" => {
                let roll: Roll = body.read().map_err(|e| e.to_string())?;
                *self.core.now.counts.entry((roll.scope.clone(), roll.label.clone())).or_default() += 1;
                self.core.known.push(Record::Rolled(roll.clone()));
                self.past.roll(Rolled { at, turn: self.core.turn, slot, roll });
            }
            "line" => {
                let LineKept { seat, text, no, outcome } = body.read().map_err(|e| e.to_string())?;
                self.core.after.clone_from(&text);
                self.core.known.push(Record::Line { seat, text, no, upshot: outcome, said: None });
                self.mark();
            }
            "rest" => {
                self.core.base = self.core.now.clone();
                self.core.known.clear();
                self.mark();
                self.turn_slot();
                self.remember();
                self.past.entries += 1;
                self.rested();
                self.past.entries -= 1;
                if self.core.desk.staff.own_sight().is_some() {
                    self.settle_staff();
                }
            }
            "input" => self.fold_input(&body),
            "rewind" => {
                let back: Back = body.read().map_err(|e| e.to_string())?;
                self.go_back(back.rest)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn fold_sight(&mut self, body: &Body) -> Result<(), String> {
        let SightEntry { side, body } = body.read().map_err(|e| e.to_string())?;
        let sighting = R::decode_sighting(&Body::from_text(body.to_string())).map_err(|e| e.to_string())?;
        let mind = self.core.now.minds.iter_mut().find(|(s, _)| *s == side);
        let Some((_, mind)) = mind else { return Err(format!("the scenario has no side {side}")) };
        R::recall(mind, &sighting);
        let Some(Record::Event { seen, .. }) = self.core.known.last_mut() else {
            return Err("a sighting stands behind no event".to_owned());
        };
        seen.push((side.clone(), sighting.clone()));
        let deaf = self.deaf(&side, &sighting);
        let told = Told { at: self.past.entries, turn: self.core.turn, body: sighting, deaf };
        if let Some(side) = self.side_index(&side) {
            self.past.tell(side, told);
        }
        Ok(())
    }

    /// Makes the open leg again, to learn what is due; it must come to the very stop that was kept.
    fn reopen_leg(&mut self) -> Result<(), String> {
        if !self.core.begun || self.over() {
            return Ok(());
        }
        let leg = self.decide_with(&self.core.journal).map_err(|breach| self.broken(&breach).why)?;
        if let Some(due) = self.judgment(&leg) {
            self.core.dues = vec![due];
            return Ok(());
        }
        let End::Stop(dues) = leg.end else {
            return Err(format!("{} {}: the open leg goes on where it had stopped", R::NAME, R::VERSION));
        };
        if leg.records.len() != self.core.known.len() {
            let at = self.core.known.len();
            return Err(format!("{} {}: the open leg makes a record {at} that is not kept", R::NAME, R::VERSION));
        }
        self.core.dues = dues;
        Ok(())
    }

    /// Plays every input again from the beginning and compares entry by entry.
    pub(super) fn replay_all(
        &self,
        entries: &[(u32, String, String)],
        watch: &mut Watch<'_>,
    ) -> Result<u64, Otherwise> {
        self.fresh().play_from(entries, 0, watch)
    }

    /// The game before anything was played, to play its chain again.
    fn fresh(&self) -> Self {
        let mut game = Self::before(Arc::clone(&self.ground.laid), self.ground.source.clone(), self.ground.tempo);
        game.ground.unread = true;
        game
    }

    /// Folds a chain to the first rest point behind a place, and plays again what stands behind that: the place from which on,
    /// and what comes of it. What was decided up to there is not looked at. None where there is no such point.
    pub(super) fn play_behind(&self, entries: &[(u32, String, String)], place: usize) -> Behind {
        let ours = |(_, (_, kind, _)): &(usize, &(u32, String, String))| KINDS.contains(&kind.as_str());
        let all: Vec<(usize, &str)> =
            entries.iter().enumerate().filter(ours).map(|(at, (_, kind, _))| (at, kind.as_str())).collect();
        // Behind the last entry that an input made; in the middle of a mail's orders their rest is not known.
        let rests = all.windows(2).filter_map(|pair| match pair {
            [(at, "rest"), (_, "input")] => Some(at + 1),
            _ => None,
        });
        for from in rests.filter(|from| *from > place).take(RESTS_TRIED) {
            let Some(game) = self.folded(entries.get(..from)?) else { continue };
            return Some((from, game.play_from(entries, from, &mut |_, _, _| {})));
        }
        None
    }

    /// The game as a chain leaves it at a rest point where nothing is written and nothing is asked; none where this program
    /// does not find it so.
    fn folded(&self, entries: &[(u32, String, String)]) -> Option<Self> {
        self.refolded(entries).filter(|game| game.core.otherwise.is_none())
    }

    /// The game as a chain leaves it, whatever comes of the order that may be under way there.
    pub(super) fn refolded(&self, entries: &[(u32, String, String)]) -> Option<Self> {
        let mut game = self.fresh();
        for (_, _, body) in entries.iter().filter(|(_, kind, _)| kind == "input") {
            match Body::from_text(body.clone()).read().ok()? {
                Input::Begin => game.core.begun = true,
                Input::Doctrine { seat, key, value, mail: _ } => game.core.desk.set(&seat, &key, &value),
                Input::Resign { seat, .. } => game.resigned(&seat, true),
                Input::Return { seat } => game.resigned(&seat, false),
                _ => {}
            }
        }
        let open = game.open_text();
        game.reopen(&Kept { entries: entries.to_vec(), open, snapshot: None }).ok()?;
        Some(game)
    }

    fn resigned(&mut self, seat: &SeatId, resigned: bool) {
        if let Some(post) = self.core.posts.iter_mut().find(|post| post.seat == *seat) {
            post.resigned = resigned;
        }
    }

    /// Plays the inputs of a chain from a place on, and compares entry by entry.
    fn play_from(
        mut self,
        entries: &[(u32, String, String)],
        from: usize,
        watch: &mut Watch<'_>,
    ) -> Result<u64, Otherwise> {
        let is_ours = |kind: &str| KINDS.contains(&kind);
        let behind = entries.iter().enumerate().skip(from);
        let mut kept = behind.filter(|(_, (_, kind, _))| is_ours(kind)).peekable();
        let (mut count, mut seen) = (0, from);
        while let Some((at, (slot, kind, body))) = kept.peek().copied() {
            let between = entries.iter().enumerate().take(at).skip(seen).filter(|(_, (_, kind, _))| !is_ours(kind));
            between.for_each(|(at, _)| watch(&self, at, Looked::Entry));
            seen = at;
            if kind != "input" {
                let why = format!("entry {} is kept as {kind} {body}, and slot {slot} makes none there", at + 1);
                return Err(Otherwise { at, why });
            }
            let input: Input = Body::from_text(body.clone())
                .read()
                .map_err(|e| Otherwise { at, why: format!("entry {} cannot be read: {e}", at + 1) })?;
            watch(&self, at, Looked::Input(&input));
            let batch = self.take(input).map_err(|broken| Otherwise { at, why: broken.why })?;
            watch(&self, at, Looked::Made(&batch));
            for made in batch.entries {
                let next = kept.next();
                if !next.is_some_and(|(_, kept)| agrees(kept, &made)) {
                    let at = next.map_or(entries.len(), |(at, _)| at);
                    let was = next.map_or_else(
                        || "not kept".to_owned(),
                        |(_, (slot, kind, body))| format!("kept as slot {slot}, {kind} {body}"),
                    );
                    let (slot, kind, body) = (made.slot, made.kind, made.body);
                    let why = format!("entry {} comes out as slot {slot}, {kind} {body}, and is {was}", at + 1);
                    return Err(Otherwise { at, why });
                }
                count += 1;
            }
        }
        let rest = entries.iter().enumerate().skip(seen).filter(|(_, (_, kind, _))| !is_ours(kind));
        rest.for_each(|(at, _)| watch(&self, at, Looked::Entry));
        Ok(count)
    }

    /// The state after each event, looked at by the ruleset.
    pub(super) fn walk_all(&self) -> Result<u64, Broken> {
        let mut state = self.ground.laid.state.clone();
        for (at, event) in self.past.events() {
            let before = state.clone();
            R::apply(&mut state, event);
            if let Some(flaw) = R::leap(&before, event, &state).into_iter().next() {
                return Err(Broken {
                    why: format!("after entry {at}, {}: {flaw}", cx::encode::<R>(Truth::Event(event)).text()),
                });
            }
        }
        Ok(self.past.events().len() as u64)
    }
}

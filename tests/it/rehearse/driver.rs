//! A game played by the rules alone, without post: so that a test holds the views that CHECK is made from.

use estafette::dice::{self, Master};
use estafette::fog::{SeatId, SideId, Viewer, see};
use estafette::host::paper::Paper;
use estafette::orders;
use estafette::rules::cx::{self, Base, End, RecordOf};
use estafette::rules::journal::{By, Desk, Given, Journal};
use estafette::rules::rehearsal::Rehearsed;
use estafette::rules::{Ask, Due, Outcome, Record};
use estafette::scenario;
use std::collections::BTreeMap;
use std::path::Path;

/// Legs that one input may set in motion.
const LEGS_MAX: u32 = 2_000;

/// A game under way.
pub struct Table<R: Paper> {
    pub base: Base<R>,
    journal: Journal,
    master: Master,
    known: Vec<RecordOf<R>>,
    pub dues: Vec<Due>,
    /// What became of order lines, in order.
    pub outcomes: Vec<Outcome>,
    lines: u32,
    /// What has happened since a sheet was ended.
    pub events: Vec<R::Event>,
    /// What is in the way of playing on, if anything.
    pub broken: Option<String>,
}

/// The files of a scenario.
pub fn files(ruleset: &str, name: &str) -> Vec<(String, String)> {
    scenario::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(ruleset).join(name)).unwrap()
}

impl<R: Paper> Table<R> {
    /// A game that waits for its first lines.
    pub fn open(files: &[(String, String)], seed: u8) -> Table<R> {
        let (state, events) = R::open(files).unwrap_or_else(|why| panic!("{why:?}"));
        let minds = R::sides(&state).into_iter().map(|side| (side, R::Intel::default())).collect();
        let mut base: Base<R> = Base { state, minds, counts: BTreeMap::new() };
        for event in events {
            let before = base.state.clone();
            R::apply(&mut base.state, &event);
            for (side, mind) in &mut base.minds {
                if let Some(told) = R::sight(&before, &event, &base.state, mind, side) {
                    R::recall(mind, &told);
                }
            }
        }
        let (journal, master) = (Journal::default(), Master::from_bytes([seed; 32]));
        let (known, dues, outcomes) = (Vec::new(), Vec::new(), Vec::new());
        let mut table =
            Table { base, journal, master, known, dues, outcomes, lines: 0, events: Vec::new(), broken: None };
        table.run();
        table
    }

    /// A game in the middle of which somebody is to write.
    pub fn at(base: Base<R>, seed: u8) -> Table<R> {
        let (journal, master) = (Journal::default(), Master::from_bytes([seed; 32]));
        let (known, dues, outcomes) = (Vec::new(), Vec::new(), Vec::new());
        let mut table =
            Table { base, journal, master, known, dues, outcomes, lines: 0, events: Vec::new(), broken: None };
        table.run();
        table
    }

    /// What a side knows.
    pub fn view(&self, side: &str) -> R::View {
        let side = SideId::from(side);
        let mind = self.base.minds.iter().find(|(s, _)| *s == side).map(|(_, mind)| mind.clone()).unwrap_or_default();
        see::<R>(&self.base.state, &mind, Viewer::Side(side)).into_parts().1
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        R::stage(&self.base.state).is_none() || self.broken.is_some()
    }

    /// The key of the stage.
    pub fn stage(&self) -> String {
        R::stage(&self.base.state).map(|stage| stage.key).unwrap_or_default()
    }

    /// Plays until something is missing.
    pub fn run(&mut self) {
        for _ in 0..LEGS_MAX {
            self.dues.clear();
            if self.over() {
                return;
            }
            let sides = R::sides(&self.base.state);
            let seeds = self.master.seeds("rehearsal", R::slot(&self.base.state), &sides, dice::salt(&[]));
            let leg = match cx::decide::<R>(&self.base, &self.journal, &Desk::default(), &seeds, &self.known) {
                Ok(leg) => leg,
                Err(why) => {
                    self.broken = Some(why.to_string());
                    return;
                }
            };
            let said = leg.records.iter().skip(self.known.len());
            self.outcomes.extend(said.filter_map(|record| match record {
                Record::Line { said, no, .. } if *no > 0 => said.clone(),
                _ => None,
            }));
            self.events.extend(leg.records.iter().skip(self.known.len()).filter_map(|record| match record {
                Record::Event { body, .. } => Some(body.clone()),
                Record::Line { .. } | Record::Rolled(_) => None,
            }));
            self.journal = leg.journal;
            match leg.end {
                End::Rest => {
                    self.base = leg.after;
                    self.known.clear();
                    let open = R::stage(&self.base.state).map(|stage| stage.key).unwrap_or_default();
                    self.journal.lines.retain(|at, _| at.starts_with(&format!("sheet/{open}/")));
                    self.journal.ended.retain(|at| at.starts_with(&format!("sheet/{open}/")));
                }
                End::Stop(dues) => {
                    self.known = leg.records;
                    self.dues = dues;
                    return;
                }
            }
        }
        self.broken = Some("play does not come to a stop".to_owned());
    }

    fn give(&mut self, address: &str, text: &str) {
        self.lines += 1;
        let given = Given::new(text.to_owned(), self.lines, By::Default);
        self.journal.lines.entry(address.to_owned()).or_default().push(given);
    }

    /// Sends one line of an open sheet and answers what is asked about it by default; what became of the line.
    pub fn line(&mut self, address: &str, text: &str) -> Option<Outcome> {
        let before = self.outcomes.len();
        self.give(address, text);
        self.run();
        self.answer(|ask| ask.default.clone());
        self.outcomes.get(before).cloned()
    }

    /// Answers every question until only sheets are open.
    pub fn answer(&mut self, mut say: impl FnMut(&Ask) -> String) {
        while !self.over() && self.dues.iter().any(|due| due.prompt.is_some()) {
            for due in std::mem::take(&mut self.dues) {
                if let Some(ask) = due.prompt {
                    let said = say(&ask);
                    self.give(&due.address, &said);
                }
            }
            self.run();
        }
    }

    /// The open sheet of the first who is to write: his seat and its address.
    pub fn sheet(&self) -> Option<(SeatId, String)> {
        let due = self.dues.iter().find(|due| due.prompt.is_none())?;
        Some((due.seat.clone(), due.address.clone()))
    }

    /// Ends a sheet.
    pub fn end(&mut self, address: &str) {
        self.events.clear();
        self.journal.ended.insert(address.to_owned());
        self.run();
        self.answer(|ask| ask.default.clone());
    }

    /// Lets the program's own player write the open sheet.
    pub fn by_bot(&mut self, noise: u64) {
        let Some((seat, address)) = self.sheet() else { return };
        let lines = R::bot(&self.view(&seat.0), &[], noise);
        for line in lines.iter().filter(|line| *line != "END") {
            self.give(&address, line);
        }
        self.end(&address);
    }
}

/// A line as its writer's view reads it, and what a rehearsal makes of it.
pub fn tried<R: Paper>(view: &R::View, line: &str) -> Result<(R::Order, Rehearsed<R::View>), orders::Fault> {
    let order = orders::bind(R::verbs(), view, &orders::line(1, line))?;
    let rehearsed = R::rehearse(view, &order)?;
    Ok((order, rehearsed))
}

/// A stream of numbers.
pub struct Noise(pub u64);

impl Noise {
    /// The next number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound.max(1)
    }

    /// One of a list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

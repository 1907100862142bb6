//! A rule case played as it is written, and what one side hears of it, for any ruleset.

use estafette::cases::Case;
use estafette::dice::{Cup, Scope};
use estafette::fog::{SeatId, SideId, Viewer, see};
use estafette::rules::cx::{Base, End, RecordOf, decide};
use estafette::rules::journal::{By, Desk, Given, Journal};
use estafette::rules::{Due, Record, Ruleset};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

const LEGS_MAX: u32 = 60;

/// The case's dice, and for any other roll dice that follow from its name.
struct Named<'a>(&'a BTreeMap<String, Vec<u32>>);

impl Cup for Named<'_> {
    fn draw(&self, scope: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        let key = match scope {
            Scope::Public | Scope::Hidden => format!("{} {label} {n}", scope.text()),
            Scope::Of(side) => format!("own {side} {label} {n}"),
        };
        // A die that lies open in the case may be a side's own where the same is played in fog.
        let listed = self.0.get(&key).or_else(|| self.0.get(&format!("public {label} {n}")));
        let listed = listed.filter(|dice| dice.len() == count as usize);
        let made = |die: u32| {
            let mixed = key.bytes().fold(0x811c_9dc5 ^ die, |x, b| (x ^ u32::from(b)).wrapping_mul(0x0100_0193));
            (mixed >> 8) % sides + 1
        };
        Some(listed.cloned().unwrap_or_else(|| (0..count).map(made).collect()))
    }
}

/// What a side hears, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// A sighting or a roll: the rules tell it.
    Told(String),
    /// An outcome, a question, its view: what must follow from what it was told.
    Answer(String),
}

/// How a ruleset's views and events are read.
pub struct Reader<R: Ruleset> {
    /// What a side's view shows.
    pub look: fn(&R::View) -> String,
    /// The kind of an event, from its words.
    pub kind: fn(&str) -> String,
    /// Of a sighting of what the program chose for this side: what it chose for, and what. A side's own choices follow from
    /// what the side knows, so they may not be the first thing that differs.
    pub choice: fn(&str, &SideId) -> Option<(String, String)>,
}

struct Play<'a, R: Ruleset> {
    reader: &'a Reader<R>,
    base: Base<R>,
    journal: Journal,
    desk: Desk,
    cup: Named<'a>,
    known: Vec<RecordOf<R>>,
    dues: Vec<Due>,
    side: &'a SideId,
    heard: Vec<Heard>,
    kinds: Vec<(usize, String)>,
    legs: u32,
}

impl<R: Ruleset<Event: Debug, Sighting: Debug>> Play<'_, R> {
    fn say(&mut self, no: u32, said: &str) {
        if said == "deadline" {
            for due in std::mem::take(&mut self.dues) {
                match due.prompt {
                    Some(ask) => self.give(&due.address, no, &ask.default),
                    None => _ = self.journal.ended.insert(due.address),
                }
            }
            return self.on();
        }
        let (seat, text) = said.split_once(": ").unwrap();
        let seat = SeatId(seat.to_owned());
        if let Some(due) = self.dues.iter().find(|d| d.seat == seat && d.prompt.is_some()).cloned() {
            self.give(&due.address, no, text);
            return self.on();
        }
        let Some(stage) = R::stage(&self.base.state) else { return };
        let address = Journal::sheet(&seat, &stage.key);
        if text == "END" {
            self.journal.ended.insert(address);
        } else {
            self.give(&address, no, text);
        }
        self.on();
    }

    fn give(&mut self, address: &str, no: u32, text: &str) {
        let given = Given::new(text.to_owned(), no, By::Seat("case".to_owned()));
        self.journal.lines.entry(address.to_owned()).or_default().push(given);
    }

    fn on(&mut self) {
        while self.legs > 0 && R::stage(&self.base.state).is_some() {
            // A line that answers a question of the case may answer none here.
            let Ok(leg) = decide::<R>(&self.base, &self.journal, &self.desk, &self.cup, &self.known) else {
                self.legs = 0;
                return;
            };
            for record in leg.records.iter().skip(self.known.len()) {
                self.hear(record);
            }
            self.journal = leg.journal;
            match leg.end {
                End::Rest => {
                    self.base = leg.after;
                    self.known.clear();
                    self.legs -= 1;
                    self.look();
                }
                End::Stop(dues) => {
                    self.known = leg.records;
                    let asked = dues
                        .iter()
                        .filter(|d| R::seats(&self.base.state).contains(&(d.seat.clone(), self.side.clone())));
                    self.heard.extend(asked.map(|due| Heard::Answer(format!("{:?}", due.prompt))));
                    self.dues = dues;
                    return;
                }
            }
        }
    }

    fn look(&mut self) {
        let mind = self.base.minds.iter().find(|(s, _)| s == self.side).map(|(_, m)| m).unwrap();
        let v = see::<R>(&self.base.state, mind, Viewer::Side(self.side.clone())).into_parts().1;
        self.heard.push(Heard::Answer((self.reader.look)(&v)));
    }

    fn hear(&mut self, record: &RecordOf<R>) {
        match record {
            Record::Rolled(roll) if roll.scope.open_to(self.side) => self.heard.push(Heard::Told(format!("{roll:?}"))),
            Record::Rolled(_) => {}
            Record::Line { seat, said, .. } => {
                if R::seats(&self.base.state).contains(&(seat.clone(), self.side.clone())) {
                    self.heard.push(Heard::Answer(format!("{said:?}")));
                }
            }
            Record::Event { body, seen } => {
                self.kinds.push((self.heard.len(), (self.reader.kind)(&format!("{body:?}"))));
                let mine = seen.iter().filter(|(side, _)| side == self.side);
                self.heard.extend(mine.map(|(_, s)| Heard::Told(format!("{s:?}"))));
            }
        }
    }
}

/// What a side hears of a case, and the kinds of its events, each with how much the side had heard before it.
fn run<R: Ruleset<Event: Debug, Sighting: Debug>>(
    reader: &Reader<R>,
    base: Base<R>,
    case: &Case,
    side: &SideId,
) -> (Vec<Heard>, Vec<(usize, String)>) {
    let mut desk = Desk::default();
    for (seat, keys) in &case.doctrine {
        keys.iter().for_each(|(key, value)| desk.set(&SeatId(seat.clone()), key, value));
    }
    let mut play = Play {
        reader,
        base,
        journal: Journal::default(),
        desk,
        cup: Named(&case.dice),
        known: Vec::new(),
        dues: Vec::new(),
        side,
        heard: Vec::new(),
        kinds: Vec::new(),
        legs: case.legs.unwrap_or(LEGS_MAX),
    };
    play.look();
    if case.say.is_empty() {
        play.on();
    }
    for (no, said) in (1u32..).zip(&case.say) {
        play.say(no, said);
    }
    (play.heard, play.kinds)
}

/// What the cases of a ruleset reached.
#[derive(Default)]
pub struct Reached {
    /// Kinds of events that came while both games were the same to the side.
    pub events: BTreeSet<String>,
    /// First words of the lines that were said.
    pub verbs: BTreeSet<String>,
    /// Games that were played beside their twins.
    pub pairs: u32,
    /// Twins that were another game in truth.
    pub changed: u32,
    /// Things that were heard the same in both.
    pub same: usize,
}

impl Reached {
    /// Plays a case beside itself from other worlds, in each of which one side knows the same: what it hears otherwise, if
    /// that is an answer.
    pub fn twins<R: Ruleset<Event: Debug, Sighting: Debug>>(
        &mut self,
        reader: &Reader<R>,
        base: &Base<R>,
        (case, named): (&Case, &str),
        worlds: impl Fn(&SideId) -> Vec<R::State>,
        differs: impl Fn(&R::State) -> bool,
    ) -> Vec<String>
    where
        Base<R>: Clone,
    {
        let mut leaks = Vec::new();
        for side in R::sides(&base.state) {
            let (heard, kinds) = run(reader, base.clone(), case, &side);
            for (noise, state) in worlds(&side).into_iter().enumerate() {
                self.pairs += 1;
                self.changed += u32::from(differs(&state));
                let (other, _) = run(reader, Base { state, ..base.clone() }, case, &side);
                let same = heard.iter().zip(&other).take_while(|(a, b)| a == b).count();
                self.same += same;
                self.events.extend(kinds.iter().filter(|(at, _)| *at <= same).map(|(_, kind)| kind.clone()));
                let choice = |told: &str| (reader.choice)(told, &side);
                if let Some(odd) = leak(&heard, &other, same, choice) {
                    leaks.push(format!("{named}: {side}, noise {noise}:{odd}"));
                    break;
                }
            }
        }
        for said in &case.say {
            let verb = said.split_once(": ").and_then(|(_, text)| text.split_whitespace().next());
            self.verbs.extend(verb.map(str::to_owned));
        }
        leaks
    }
}

/// The kinds of events that a source file declares.
pub fn declared(text: &str) -> BTreeSet<String> {
    listed(text, "Event")
}

/// The kinds that an enum of a source file declares.
pub fn listed(text: &str, name: &str) -> BTreeSet<String> {
    let (_, body) = text.split_once(&format!("pub enum {name} {{")).unwrap_or_default();
    let (body, _) = body.split_once("\n}").unwrap_or_default();
    let lines = body.lines().filter(|l| l.starts_with("    ") && !l.starts_with("     "));
    let names = lines.map(|line| line.trim().chars().take_while(char::is_ascii_alphanumeric).collect::<String>());
    names.filter(|name| !name.is_empty()).collect()
}

/// The first thing that a side hears otherwise in the twin of a game, if that is an answer, or what the program chose for the
/// side: what it was, and what it became.
fn leak(
    heard: &[Heard],
    other: &[Heard],
    same: usize,
    choice: impl Fn(&str) -> Option<(String, String)>,
) -> Option<String> {
    let (a, b) = match (heard.get(same)?, other.get(same)?) {
        (Heard::Answer(a), Heard::Answer(b)) => (a, b),
        (Heard::Told(a), Heard::Told(b)) => {
            let ((who, a_choice), (other, b_choice)) = (choice(a)?, choice(b)?);
            if who != other || a_choice == b_choice {
                return None;
            }
            (a, b)
        }
        _ => return None,
    };
    let at = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count().saturating_sub(60);
    let part = |s: &str| s.chars().skip(at).take(240).collect::<String>();
    Some(format!("\n  {}\n  {}", part(a), part(b)))
}

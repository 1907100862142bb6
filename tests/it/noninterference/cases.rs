//! Every rule case twice: as it is written, and with all changed that one side may not know.
//!
//! The same is said in both and the same dice fall. As long as the side is told the same, its answers, its questions and
//! its view must be the same too; what differs first may only be something that the rules tell it, never an answer. Whole
//! games reach the common orders; the cases reach all of them, and the test fails if a verb or a kind of event is not met.

use estafette::cases::{self, Case};
use estafette::dice::{Cup, Scope};
use estafette::fog::{Fogged, SeatId, SideId, Viewer, see};
use estafette::orders::line;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::intel::Intel;
use estafette::rules::campaigns::pieces::Pieces;
use estafette::rules::cx::{Base, End, RecordOf, decide};
use estafette::rules::journal::{By, Desk, Given, Journal};
use estafette::rules::{Due, Record, Ruleset};
use estafette::scenario;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Clauses of a battle plan written by themselves, and what is not built and says so: reading them asks the view alone.
const FORMS: [&str; 3] = ["COUNTER", "GUNS", "SPECIAL"];
/// What sets a board up: a case begins behind it, and nobody is told anything before.
const SET_UP: [&str; 5] = ["flow Army", "flow ArmyApart", "flow ArmyNamed", "flow Leader", "flow Unit"];
const LEGS_MAX: u32 = 60;
const NOISES: u64 = 2;

/// The case's dice, and for any other roll dice that follow from its name.
struct Named<'a>(&'a BTreeMap<String, Vec<u32>>);

impl Cup for Named<'_> {
    fn draw(&self, scope: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        let key = match scope {
            Scope::Public | Scope::Hidden => format!("{} {label} {n}", scope.text()),
            Scope::Of(side) => format!("own {side} {label} {n}"),
        };
        let listed = self.0.get(&key).filter(|dice| dice.len() == count as usize);
        let made = |die: u32| {
            let mixed = key.bytes().fold(0x811c_9dc5 ^ die, |x, b| (x ^ u32::from(b)).wrapping_mul(0x0100_0193));
            (mixed >> 8) % sides + 1
        };
        Some(listed.cloned().unwrap_or_else(|| (0..count).map(made).collect()))
    }
}

/// What a side hears, in order.
#[derive(Clone, Debug, PartialEq)]
enum Heard {
    /// A sighting or a roll: the rules tell it.
    Told(String),
    /// An outcome, a question, its view: what must follow from what it was told.
    Answer(String),
}

#[derive(Default)]
struct Reached {
    events: BTreeSet<String>,
    verbs: BTreeSet<String>,
    pairs: u32,
    changed: u32,
}

struct Play<'a> {
    base: Base<Campaigns>,
    journal: Journal,
    desk: Desk,
    cup: Named<'a>,
    known: Vec<RecordOf<Campaigns>>,
    dues: Vec<Due>,
    side: &'a SideId,
    heard: Vec<Heard>,
    kinds: Vec<(usize, String)>,
    legs: u32,
}

impl Play<'_> {
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
        let Some(stage) = Campaigns::stage(&self.base.state) else { return };
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
        while self.legs > 0 && Campaigns::stage(&self.base.state).is_some() {
            // A line that answers a question of the case may answer none here.
            let Ok(leg) = decide::<Campaigns>(&self.base, &self.journal, &self.desk, &self.cup, &self.known) else {
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
                        .filter(|d| Campaigns::seats(&self.base.state).contains(&(d.seat.clone(), self.side.clone())));
                    self.heard.extend(asked.map(|due| Heard::Answer(format!("{:?}", due.prompt))));
                    self.dues = dues;
                    return;
                }
            }
        }
    }

    fn look(&mut self) {
        let mind = self.base.minds.iter().find(|(s, _)| s == self.side).map(|(_, m)| m).unwrap();
        let v = see::<Campaigns>(&self.base.state, mind, Viewer::Side(self.side.clone())).into_parts().1;
        let own = (&v.own, &v.at, v.turn, &v.weather, v.morale, &v.control, &v.sieges);
        let seen = (&v.enemy, &v.enemy_centers, &v.enemy_sources, &v.damaged, &v.pontoons, &v.battles);
        let built = (&v.trestles, &v.enemy_redoubts);
        self.heard.push(Heard::Answer(format!("{own:?} {seen:?} {built:?}")));
    }

    fn hear(&mut self, record: &RecordOf<Campaigns>) {
        match record {
            Record::Rolled(roll) if roll.scope.open_to(self.side) => self.heard.push(Heard::Told(format!("{roll:?}"))),
            Record::Rolled(_) => {}
            Record::Line { seat, said, .. } => {
                if Campaigns::seats(&self.base.state).contains(&(seat.clone(), self.side.clone())) {
                    self.heard.push(Heard::Answer(format!("{said:?}")));
                }
            }
            Record::Event { body, seen } => {
                self.kinds.push((self.heard.len(), kind(&format!("{body:?}"))));
                let mine = seen.iter().filter(|(side, _)| side == self.side);
                self.heard.extend(mine.map(|(_, s)| Heard::Told(format!("{s:?}"))));
            }
        }
    }
}

/// Chapter and kind of an event, from such words as `March(Marched { …`.
fn kind(body: &str) -> String {
    let (chapter, rest) = body.split_once('(').unwrap_or((body, ""));
    let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    format!("{} {name}", chapter.to_ascii_lowercase())
}

fn run(base: Base<Campaigns>, case: &Case, side: &SideId) -> (Vec<Heard>, Vec<(usize, String)>) {
    let mut desk = Desk::default();
    for (seat, keys) in &case.doctrine {
        keys.iter().for_each(|(key, value)| desk.set(&SeatId(seat.clone()), key, value));
    }
    let mut play = Play {
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

fn truth(state: &<Campaigns as Fogged>::State) -> BTreeMap<SideId, Pieces> {
    see::<Campaigns>(state, &Intel::default(), Viewer::Umpire).into_parts().1.truth.unwrap()
}

/// ¶33 The same board with other points of the enemy alone, which nobody shows in a battle: so it goes on as the case does
/// when both strengths have been told (¶300 step 6) and other strengths would have parted from it.
fn points_apart(base: &Base<Campaigns>, side: &SideId) -> Option<<Campaigns as Fogged>::State> {
    let (foe, pieces) = truth(&base.state).into_iter().find(|(foe, _)| foe != side)?;
    let other = |ap: i32| {
        let said = line(0, &format!("AP {ap}"));
        let events = Campaigns::amend(&base.state, &base.minds, &foe, &said).ok()?;
        let mut state = base.state.clone();
        events.iter().for_each(|event| Campaigns::apply(&mut state, event));
        (Campaigns::unsound(&state) == Campaigns::unsound(&base.state)).then_some(state)
    };
    let ap = pieces.army.ap;
    other(ap + 1).or_else(|| other(ap - 1))
}

/// Plays a case with all changed that a side may not know; what it hears otherwise, if that is an answer.
fn twins(path: &Path, case: &Case, reached: &mut Reached) -> Vec<String> {
    let files = scenario::files(path).unwrap();
    let before = serde_json::to_value(&case.before).unwrap();
    let base = Campaigns::arrange(&files, before).unwrap();
    let mut leaks = Vec::new();
    for side in Campaigns::sides(&base.state) {
        let (heard, kinds) = run(base.clone(), case, &side);
        let noises = (0..NOISES).map(|noise| Campaigns::scramble(&base.state, &base.minds, &side, noise));
        for (noise, state) in noises.chain(points_apart(&base, &side)).enumerate() {
            reached.pairs += 1;
            reached.changed += u32::from(truth(&state) != truth(&base.state));
            let (other, _) = run(Base { state, ..base.clone() }, case, &side);
            let same = heard.iter().zip(&other).take_while(|(a, b)| a == b).count();
            reached.events.extend(kinds.iter().filter(|(at, _)| *at <= same).map(|(_, kind)| kind.clone()));
            if let (Some(Heard::Answer(a)), Some(Heard::Answer(b))) = (heard.get(same), other.get(same)) {
                let at = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count().saturating_sub(60);
                let part = |s: &str| s.chars().skip(at).take(240).collect::<String>();
                leaks.push(format!("{}: {side}, noise {noise}:\n  {}\n  {}", case.id, part(a), part(b)));
                break;
            }
        }
    }
    for said in &case.say {
        let verb = said.split_once(": ").and_then(|(_, text)| text.split_whitespace().next());
        reached.verbs.extend(verb.map(str::to_owned));
    }
    leaks
}

/// Kinds of events as the chapters declare them.
fn declared() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules/campaigns");
    let mut found = BTreeSet::new();
    for chapter in ["flow", "admin", "organization", "march", "combat"] {
        let text = std::fs::read_to_string(root.join(chapter).join("event.rs")).unwrap();
        let body = text.split_once("pub enum Event {").unwrap().1.split_once("\n}").unwrap().0;
        for line in body.lines().filter(|l| l.starts_with("    ") && !l.starts_with("     ")) {
            let name: String = line.trim().chars().take_while(char::is_ascii_alphanumeric).collect();
            if name.is_empty() {
                continue;
            }
            found.insert(format!("{chapter} {name}"));
        }
    }
    found
}

#[test]
fn no_rule_case_answers_a_side_by_what_it_may_not_know() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut reached = Reached::default();
    let mut leaks = Vec::new();
    for path in cases::files(&root.join("tests/cases/campaigns")).unwrap() {
        let file = cases::read(&path).unwrap();
        for case in &file.cases {
            let scenario = case.scenario.as_ref().unwrap_or(&file.scenario);
            leaks.extend(twins(&root.join(scenario), case, &mut reached));
        }
    }
    assert!(leaks.is_empty(), "{} leaks\n{}", leaks.len(), leaks.join("\n"));
    assert!(reached.changed * 2 > reached.pairs, "{} of {} were another game", reached.changed, reached.pairs);
    let verbs: BTreeSet<String> = Campaigns::verbs().iter().map(|v| v.word.to_owned()).collect();
    let missed: Vec<_> = verbs.difference(&reached.verbs).filter(|verb| !FORMS.contains(&verb.as_str())).collect();
    assert!(missed.is_empty(), "verbs that no case reaches: {missed:?}");
    let missed: Vec<_> = declared().difference(&reached.events).cloned().collect();
    assert_eq!(missed, SET_UP, "kinds of events that were not reached, and those that cannot be");
}

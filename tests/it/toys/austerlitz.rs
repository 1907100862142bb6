//! austerlitz1805 in small: free ground in whole thousandths, no hexes; strategic sheets secret and simultaneous; chits
//! face down until met, where both deploy secretly; a player turn whose lines go phase by phase.

use super::kit::{InSight, Mind, Told, kept};
use estafette::dice::{Label, OpenName};
use estafette::fog::{Fogged, Known, Pass, SeatId, SideId, Viewer};
use estafette::host::paper::{Format, Page, Paper, Sections};
use estafette::orders::{Args, Fault, Line, Verb, fold};
use estafette::rules::cx::Cx;
use estafette::rules::journal::Book;
use estafette::rules::kept::{Body, Cell, Corrupt, Row, Truth};
use estafette::rules::{Ask, Files, Key, Outcome, Play, Ruleset, Stage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub struct Au;

/// A place on free ground, in thousandths of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    x: i64,
    y: i64,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct State {
    turn: u32,
    at: At,
    phase: u8,
    corps: BTreeMap<u32, Corps>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Corps {
    side: SideId,
    name: String,
    at: Option<Point>,
    decoy: bool,
    up: bool,
    men: i32,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
enum At {
    Strategic,
    Turn(SideId),
    Over,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    TurnBegan { turn: u32 },
    Placed { corps: u32, at: Point },
    MapClosed,
    Phase { phase: u8 },
    Moved { corps: u32, to: Point },
    TurnedUp { corps: u32 },
    Deployed { corps: u32, line: bool },
    Fought { by: u32, on: u32, at: Point, die: i32 },
    Withdrew { corps: u32, men: i32, to: Point },
    PlayerTurnEnded { side: SideId },
}

#[derive(Clone, PartialEq)]
pub struct View {
    side: SideId,
    turn: u32,
    stage: String,
    strategic: bool,
    phase: u8,
    own: Vec<(String, Option<Point>, i32)>,
    foe: Vec<(String, Known<String>)>,
}

#[derive(Clone)]
pub struct Prompt {
    corps: String,
    at: Point,
}

#[derive(Clone)]
pub enum Order {
    Place(String, Point),
    Move(String, Point),
    Fight(String, String),
}

pub struct InLine(bool);

impl OpenName for Point {
    fn open_name(&self) -> String {
        format!("{}:{}", self.x, self.y)
    }
}

impl Point {
    fn squared(self, to: Point) -> i64 {
        (self.x - to.x).pow(2) + (self.y - to.y).pow(2)
    }

    /// At most so many thousandths towards a point; the root is rounded down.
    fn towards(self, to: Point, most: i64) -> Point {
        let far = self.squared(to).isqrt();
        if far <= most {
            return to;
        }
        Point { x: self.x + (to.x - self.x) * most / far, y: self.y + (to.y - self.y) * most / far }
    }
}

const MET: i64 = 1_500 * 1_500;
const SEEN: i64 = 6_000 * 6_000;
const PHASES: [&str; 3] = ["MOVE", "FIGHT", "END"];

impl State {
    fn key(&self) -> String {
        match &self.at {
            At::Strategic => format!("{}/strategic", self.turn),
            At::Turn(side) => format!("{}/{side}", self.turn),
            At::Over => "over".to_owned(),
        }
    }

    fn in_sight(&self, of: &SideId) -> InSight {
        let eyes: Vec<Point> = self.corps.values().filter(|c| c.side == *of).filter_map(|c| c.at).collect();
        let mut seen = InSight::new();
        for (id, c) in self.corps.iter().filter(|(_, c)| c.side != *of && self.at != At::Strategic) {
            if let Some(at) = c.at.filter(|at| eyes.iter().any(|eye| eye.squared(*at) <= SEEN)) {
                let face = if c.up { format!("{} men", c.men) } else { "face down".to_owned() };
                seen.insert(*id, format!("{} {face}", at.open_name()));
            }
        }
        seen
    }

    fn find(&self, side: &SideId, name: &str) -> Option<u32> {
        self.corps.iter().find(|(_, c)| c.side == *side && c.name == name).map(|(id, _)| *id)
    }
}

impl Fogged for Au {
    type State = State;
    type Intel = Mind;
    type View = View;
    fn project(s: &State, mind: &Mind, viewer: &Viewer, _: Pass) -> View {
        let side = match viewer {
            Viewer::Side(side) => side.clone(),
            Viewer::Umpire => "umpire".into(),
        };
        let now = s.in_sight(&side);
        let foe = mind.last.iter().map(|(id, (at, turn))| {
            let known = if now.contains_key(id) { Known::Exact(at.clone()) } else { Known::Stale(at.clone(), *turn) };
            (mind.tag(*id), known)
        });
        let own = s.corps.values().filter(|c| c.side == side);
        View {
            turn: s.turn,
            stage: s.key(),
            strategic: s.at == At::Strategic,
            phase: s.phase,
            own: own.map(|c| (c.name.clone(), c.at, c.men)).collect(),
            foe: foe.collect(),
            side,
        }
    }
}

impl Ruleset for Au {
    const NAME: &'static str = "toy-austerlitz";
    const VERSION: u32 = 1;
    type Event = Event;
    type Sighting = Told;
    type Prompt = Prompt;
    type Order = Order;
    type Answer = InLine;

    fn open(_: &Files) -> Result<(State, Vec<Event>), Vec<String>> {
        let corps = |side: &str, name: &str, men| {
            let decoy = men == 0;
            Corps { side: side.into(), name: name.to_owned(), at: None, decoy, up: false, men }
        };
        let list = [
            corps("french", "Saffron", 9),
            corps("french", "Thistle", 7),
            corps("french", "Umber", 0),
            corps("allies", "Verbena", 8),
            corps("allies", "Wisteria", 8),
            corps("allies", "Yarrow", 0),
        ];
        let state = State { turn: 0, at: At::Strategic, phase: 0, corps: (1..).zip(list).collect() };
        Ok((state, vec![Event::TurnBegan { turn: 1 }]))
    }

    fn seats(_: &State) -> Vec<(SeatId, SideId)> {
        vec![("french".into(), "french".into()), ("allies".into(), "allies".into())]
    }

    fn slot(s: &State) -> u32 {
        s.turn
    }

    fn last_slot(_: &State) -> u32 {
        3
    }

    fn stage(s: &State) -> Option<Stage> {
        let on_move = match &s.at {
            At::Over => return None,
            At::Strategic => vec!["french".into(), "allies".into()],
            At::Turn(side) => vec![SeatId(side.0.clone())],
        };
        Some(Stage { key: s.key(), title: s.key(), on_move, secret: s.at == At::Strategic })
    }

    fn play(cx: &mut Cx<'_, Self>) -> Play<()> {
        let key = cx.state().key();
        match cx.state().at.clone() {
            At::Strategic => strategic(cx, &key)?,
            At::Turn(side) => match cx.order(&[cx.seat_of(&side)], &key)? {
                Some((_, order)) => line(cx, &side, order)?,
                None => cx.emit(Event::PlayerTurnEnded { side }),
            },
            At::Over => {}
        }
        Ok(())
    }

    fn apply(s: &mut State, e: &Event) {
        match e {
            Event::TurnBegan { turn } => {
                s.turn = *turn;
                s.phase = 0;
                s.at = if *turn == 1 { At::Strategic } else { At::Turn("french".into()) };
                if *turn > 3 {
                    s.at = At::Over;
                }
            }
            Event::Placed { corps, at } | Event::Moved { corps, to: at } => change(s, *corps, |c| c.at = Some(*at)),
            Event::MapClosed => s.at = At::Turn("french".into()),
            Event::Phase { phase } => s.phase = *phase,
            Event::TurnedUp { corps } => change(s, *corps, |c| {
                c.up = true;
                if c.decoy {
                    c.at = None;
                }
            }),
            Event::Deployed { .. } | Event::Fought { .. } => {}
            Event::Withdrew { corps, men, to } => change(s, *corps, |c| {
                c.men -= men;
                c.at = Some(*to);
            }),
            Event::PlayerTurnEnded { side } => {
                s.phase = 0;
                s.at = At::Turn(SideId::from(if side.0 == "french" { "allies" } else { "french" }));
                if side.0 == "allies" {
                    s.turn += 1;
                    if s.turn > 3 {
                        s.at = At::Over;
                    }
                }
            }
        }
    }

    fn sight(before: &State, e: &Event, after: &State, mind: &Mind, to: &SideId) -> Option<Told> {
        let (was, now) = (before.in_sight(to), after.in_sight(to));
        let spots = mind.spots(&was, &now);
        let mine = |id: &u32| after.corps.get(id).is_some_and(|c| c.side == *to);
        let name = |id: &u32| match after.corps.get(id) {
            Some(c) if c.side == *to => c.name.clone(),
            _ => spots.iter().find(|s| s.id == *id).map_or_else(|| mind.tag(*id), |s| s.tag.clone()),
        };
        let told = |id: &u32| mine(id) || was.contains_key(id) || now.contains_key(id);
        let said = match e {
            Event::TurnBegan { turn } => format!("turn {turn}"),
            Event::Placed { corps, at } if mine(corps) => format!("{} lies at {}", name(corps), at.open_name()),
            Event::Placed { .. } => return None,
            Event::MapClosed => "the strategic map is closed".to_owned(),
            Event::Phase { phase } => format!("phase {phase}"),
            Event::Moved { corps, to } if told(corps) => format!("{} moves to {}", name(corps), to.open_name()),
            Event::Withdrew { corps, men, to } if told(corps) => {
                format!("{} loses {men} and falls back to {}", name(corps), to.open_name())
            }
            Event::Moved { .. } | Event::Withdrew { .. } => return None,
            Event::TurnedUp { corps } => format!("{} is turned up", name(corps)),
            Event::Deployed { corps, line } => {
                format!("{} stands in {}", name(corps), if *line { "line" } else { "column" })
            }
            Event::Fought { by, on, at, die } => {
                format!("{} attacks {} at {}: {die}", name(by), name(on), at.open_name())
            }
            Event::PlayerTurnEnded { side } => format!("{side} has played"),
        };
        Some(Told { turn: after.turn, said, spots })
    }

    fn verbs() -> &'static [Verb<View, Order>] {
        &[
            Verb { word: "PLACE", usage: "corps AT x y", rule: "3.2", examples: place_examples, read: read_place },
            Verb { word: "MOVE", usage: "corps TO x y", rule: "6.1", examples: move_examples, read: read_move },
            Verb { word: "FIGHT", usage: "corps chit", rule: "8.1", examples: fight_examples, read: read_fight },
        ]
    }

    fn doctrines() -> &'static [Key] {
        const KEYS: [Key; 1] = [Key {
            word: "DEPLOY",
            values: &["ASK", "LINE", "COLUMN"],
            default: "ASK",
            about: "how a corps deploys that is turned up",
            rule: "6.4",
            valid: |v| ["ASK", "LINE", "COLUMN"].contains(&v),
        }];
        &KEYS
    }

    fn address(p: &Prompt) -> String {
        format!("deploy/{}", fold(&p.corps))
    }

    fn ask(_: &View, p: &Prompt) -> Ask {
        let question = format!("{} meets a chit at {}: how does it deploy?", p.corps, p.at.open_name());
        let answers = vec![format!("DEPLOY {} LINE", p.corps), format!("DEPLOY {} COLUMN", p.corps)];
        Ask { question, rule: "6.4".to_owned(), default: answers[1].clone(), answers }
    }

    fn read(_: &View, p: &Prompt, l: &Line) -> Result<InLine, Fault> {
        let mut args = Args::new(l, 0);
        args.one_of("DEPLOY", &["DEPLOY"])?;
        args.name("the corps", &[(p.corps.clone(), ())])?;
        Ok(InLine(args.one_of("LINE or COLUMN", &["LINE", "COLUMN"])? == "LINE"))
    }

    fn doctrine_answer(_: &View, p: &Prompt, book: &Book) -> Option<String> {
        book.get("DEPLOY").filter(|v| *v != "ASK").map(|v| format!("DEPLOY {} {v}", p.corps))
    }

    fn check(_: &View, _: &Order) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    fn scramble(s: &State, _: &[(SideId, Mind)], keep: &SideId, noise: u64) -> State {
        let mut out = s.clone();
        let seen = s.in_sight(keep);
        let n = i64::try_from(noise % 9).unwrap();
        for (id, c) in out.corps.iter_mut().filter(|(_, c)| c.side != *keep) {
            c.name = format!("Canary{id}x{noise}");
            if !seen.contains_key(id) {
                c.at = c.at.map(|_| Point { x: 90_000 + n, y: 90_000 });
                c.men = i32::try_from(n).unwrap();
            } else if !c.up {
                c.men = i32::try_from(n).unwrap();
            }
        }
        out
    }

    kept!();
}

fn change(s: &mut State, id: u32, change: impl FnOnce(&mut Corps)) {
    if let Some(c) = s.corps.get_mut(&id) {
        change(c);
    }
}

/// 3.2 Both sides lay their chits in secret; what was not placed lies at its side's edge.
fn strategic(cx: &mut Cx<'_, Au>, key: &str) -> Play<()> {
    let seats: Vec<SeatId> = Au::seats(cx.state()).into_iter().map(|(seat, _)| seat).collect();
    cx.sheets(&seats, key)?;
    while let Some((seat, order)) = cx.order(&seats, key)? {
        let side = SideId(seat.0);
        if let Order::Place(name, at) = order
            && let Some(corps) = cx.state().find(&side, &name)
        {
            cx.emit(Event::Placed { corps, at });
        } else {
            cx.outcome(Outcome::Refused { why: "only chits are laid now".into(), rule: "3.2".into(), copy: None });
        }
    }
    let left: Vec<(u32, SideId)> =
        cx.state().corps.iter().filter(|(_, c)| c.at.is_none()).map(|(id, c)| (*id, c.side.clone())).collect();
    for (corps, side) in left {
        let x = i64::from(corps) * 700;
        cx.emit(Event::Placed { corps, at: Point { x, y: if side.0 == "french" { 0 } else { 8_000 } } });
    }
    cx.emit(Event::MapClosed);
    Ok(())
}

/// 5.1 Lines go phase by phase; a line of a phase that is over is refused.
fn line(cx: &mut Cx<'_, Au>, side: &SideId, order: Order) -> Play<()> {
    let phase = match &order {
        Order::Place(..) | Order::Move(..) => 0,
        Order::Fight(..) => 1,
    };
    if phase < cx.state().phase {
        let why = format!("the phase {} is over", PHASES[usize::from(phase)]);
        cx.outcome(Outcome::Refused { why, rule: "5.1".into(), copy: None });
        return Ok(());
    }
    if phase > cx.state().phase {
        cx.emit(Event::Phase { phase });
    }
    match order {
        Order::Place(..) => {}
        Order::Move(name, to) => march(cx, side, &name, to)?,
        Order::Fight(name, tag) => fight(cx, side, &name, &tag),
    }
    Ok(())
}

/// 6.1 A march of at most 3000; 6.4 a chit that is met is turned up, and both deploy secretly.
fn march(cx: &mut Cx<'_, Au>, side: &SideId, name: &str, to: Point) -> Play<()> {
    let Some(id) = cx.state().find(side, name) else { return Ok(()) };
    let Some(from) = cx.state().corps[&id].at else {
        cx.outcome(Outcome::Failed { why: format!("{name} is not on the field"), rule: "6.1".into() });
        return Ok(());
    };
    cx.emit(Event::Moved { corps: id, to: from.towards(to, 3_000) });
    let here = cx.state().corps[&id].at.unwrap_or(from);
    let met = |s: &State| {
        let near = |c: &Corps| c.side != *side && !c.up && c.at.is_some_and(|at| at.squared(here) <= MET);
        s.corps.iter().find(|(_, c)| near(c)).map(|(id, c)| (*id, c.clone()))
    };
    if let Some((chit, corps)) = met(cx.state()) {
        let ours = (cx.seat_of(side), Prompt { corps: name.to_owned(), at: here });
        let theirs = (cx.seat_of(&corps.side), Prompt { corps: corps.name.clone(), at: here });
        let lines = cx.ask_all(vec![ours, theirs])?;
        cx.emit(Event::TurnedUp { corps: chit });
        cx.emit(Event::Deployed { corps: id, line: lines[0].0 });
        if !corps.decoy {
            cx.emit(Event::Deployed { corps: chit, line: lines[1].0 });
        }
    }
    Ok(())
}

/// 8.1 An attack on a chit within reach.
fn fight(cx: &mut Cx<'_, Au>, side: &SideId, name: &str, tag: &str) {
    let Some(by) = cx.state().find(side, name) else { return };
    let seen = cx.view(side).foe.into_iter().any(|(t, at)| t == tag && matches!(at, Known::Exact(_)));
    let foe = cx.state().corps.iter().find(|(_, c)| c.side != *side && c.up && c.at.is_some()).map(|(id, _)| *id);
    let (Some(on), Some(from), true) = (foe, cx.state().corps[&by].at, seen) else {
        return cx.outcome(Outcome::Failed { why: "there is nobody to fight".into(), rule: "8.1".into() });
    };
    let Some(at) = cx.state().corps[&on].at.filter(|at| at.squared(from) <= MET * 4) else {
        return cx.outcome(Outcome::Failed { why: "it is too far".into(), rule: "8.1".into() });
    };
    let die = cx.d6(&Label::public("fight").at(&at));
    cx.emit(Event::Fought { by, on, at, die });
    let (loser, back) = if die >= 3 { (on, 2_000) } else { (by, -2_000) };
    let from = cx.state().corps[&loser].at.unwrap_or(at);
    let to = Point { x: from.x, y: from.y + if side.0 == "french" { back } else { -back } };
    cx.emit(Event::Withdrew { corps: loser, men: 1, to });
}

fn place_examples(v: &View) -> Vec<String> {
    if !v.strategic {
        return Vec::new();
    }
    let y = if v.side.0 == "french" { 1_000 } else { 6_000 };
    v.own.iter().zip(1..).map(|((name, ..), i)| format!("PLACE {name} AT {} {y}", i * 1_000)).collect()
}

fn move_examples(v: &View) -> Vec<String> {
    let y = if v.side.0 == "french" { 3_000 } else { -3_000 };
    let on = v.own.iter().filter_map(|(name, at, _)| at.map(|at| (name, at)));
    if v.phase > 0 { Vec::new() } else { on.map(|(n, at)| format!("MOVE {n} TO {} {}", at.x, at.y + y)).collect() }
}

fn fight_examples(v: &View) -> Vec<String> {
    let near = v.foe.iter().filter(|(_, at)| matches!(at, Known::Exact(_)));
    if v.strategic { Vec::new() } else { near.map(|(tag, _)| format!("FIGHT {} {tag}", v.own[0].0)).collect() }
}

fn corps(v: &View, args: &mut Args<'_>) -> Result<String, Fault> {
    let names: Vec<(String, String)> = v.own.iter().map(|(n, ..)| (n.clone(), n.clone())).collect();
    args.name("a corps of yours", &names)
}

fn point(args: &mut Args<'_>, word: &'static str) -> Result<Point, Fault> {
    args.one_of(word, &[word])?;
    let (x, y) = (args.number("x in thousandths")?, args.number("y in thousandths")?);
    Ok(Point { x: x.into(), y: y.into() })
}

fn read_place(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    if !v.strategic {
        return Err(Fault::refused("the strategic map is closed", "3.2"));
    }
    Ok(Order::Place(corps(v, args)?, point(args, "AT")?))
}

fn read_move(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    Ok(Order::Move(corps(v, args)?, point(args, "TO")?))
}

fn read_fight(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let name = corps(v, args)?;
    let tags: Vec<(String, String)> = v.foe.iter().map(|(t, _)| (t.clone(), t.clone())).collect();
    Ok(Order::Fight(name, args.name("a chit in sight", &tags)?))
}

impl Paper for Au {
    fn sections(page: &Page<'_, Self>) -> Sections {
        let v = page.view;
        Sections {
            head: format!("{} turn {} {}", v.side, v.turn, v.stage),
            story: page.told.iter().map(|t| t.said.clone()).collect(),
            forces: v.own.iter().map(|(n, at, men)| format!("{n} {at:?} {men}")).collect(),
            enemy: v.foe.iter().map(|(tag, at)| format!("{tag} {at:?}")).collect(),
            ..Sections::default()
        }
    }
    fn map(view: &View, _: Option<&str>, _: Format) -> Result<Vec<String>, Fault> {
        Ok(vec![format!("{:?}", view.own), format!("{:?}", view.foe)])
    }
    fn history(_: &View, turn: u32, told: &[Told]) -> Vec<String> {
        told.iter().map(|told| format!("{turn:>2}  {}", told.said)).collect()
    }
}

//! brave_fellows in small: impulses that alternate until two passes, a charge met by a countercharge, a melee in which
//! both sides choose secretly, conditions in orders; and a planned tempo that runs the same impulses from sealed sheets.

use super::kit::{InSight, Mind, Told, kept};
use estafette::dice::{Label, OpenName, OwnName, Owner};
use estafette::fog::{Fogged, Known, Pass, SeatId, SideId, Viewer};
use estafette::host::paper::{Format, Page, Paper, Sections};
use estafette::orders::cond::{self, Cond};
use estafette::orders::{self, Args, Fault, Line, Verb, fold};
use estafette::rules::cx::Cx;
use estafette::rules::journal::Book;
use estafette::rules::kept::{Body, Cell, Corrupt, Row, Truth};
use estafette::rules::{Ask, Files, Key, Outcome, Play, Ruleset, Stage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub struct Bf;

#[derive(Clone, Serialize, Deserialize)]
pub struct State {
    turn: u32,
    planned: bool,
    at: At,
    nth: u32,
    passes: u32,
    units: BTreeMap<u32, Unit>,
    plans: BTreeMap<SideId, Vec<String>>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Unit {
    side: SideId,
    name: String,
    pos: i32,
    strength: i32,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
enum At {
    Plan,
    Initiative,
    Impulse(SideId),
    Over,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    TurnBegan { turn: u32 },
    Planned { side: SideId, text: String },
    PlansClosed,
    Taken { side: SideId },
    First { side: SideId },
    Went { unit: u32, to: i32 },
    Charged { unit: u32, target: u32, at: i32 },
    Countered { unit: u32, at: i32 },
    Fought { unit: u32, target: u32, at: i32, die: i32 },
    Lost { unit: u32, steps: i32 },
    Passed { side: SideId },
    ImpulseEnded { side: SideId },
}

#[derive(Clone, PartialEq)]
pub struct View {
    side: SideId,
    turn: u32,
    stage: String,
    planning: bool,
    own: Vec<(String, i32, i32)>,
    foe: Vec<(String, Known<i32>)>,
    plan: Vec<String>,
}

#[derive(Clone)]
pub enum Prompt {
    First,
    Counter { unit: String, at: i32 },
    Melee { at: i32 },
}

#[derive(Clone)]
pub enum Order {
    Pass,
    Then(String),
    Go(String, i32, Option<Cond<Near>>),
    Charge(String, i32),
}

/// The one test of this toy's conditions: an enemy in sight within so many places of any unit of ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Near(i32);

#[derive(PartialEq)]
pub struct Yes(bool);

struct Place(i32);

impl OpenName for Place {
    fn open_name(&self) -> String {
        format!("m{:02}", self.0)
    }
}

impl OwnName for Unit {
    fn own_name(&self) -> String {
        fold(&self.name)
    }
    fn owner(&self) -> SideId {
        self.side.clone()
    }
    fn roller(&self) -> Owner {
        Owner::Army
    }
}

impl State {
    fn key(&self) -> String {
        match &self.at {
            At::Plan => format!("{}/plan", self.turn),
            At::Initiative => format!("{}/initiative", self.turn),
            At::Impulse(side) => format!("{}/impulse/{}/{side}", self.turn, self.nth),
            At::Over => "over".to_owned(),
        }
    }

    fn in_sight(&self, of: &SideId) -> InSight {
        let near = |p: i32| self.units.values().any(|u| u.side == *of && (u.pos - p).abs() <= 4);
        let seen = self.units.iter().filter(|(_, u)| u.side != *of && near(u.pos));
        seen.map(|(id, u)| (*id, u.pos.to_string())).collect()
    }
}

fn other(side: &SideId) -> SideId {
    SideId::from(if side.0 == "french" { "coalition" } else { "french" })
}

impl Fogged for Bf {
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
            let at = at.parse().unwrap();
            (mind.tag(*id), if now.contains_key(id) { Known::Exact(at) } else { Known::Stale(at, *turn) })
        });
        let own = s.units.values().filter(|u| u.side == side);
        View {
            turn: s.turn,
            stage: s.key(),
            planning: s.at == At::Plan,
            own: own.map(|u| (u.name.clone(), u.pos, u.strength)).collect(),
            foe: foe.collect(),
            plan: s.plans.get(&side).cloned().unwrap_or_default(),
            side,
        }
    }
}

impl Ruleset for Bf {
    const NAME: &'static str = "toy-fellows";
    const VERSION: u32 = 1;
    type Event = Event;
    type Sighting = Told;
    type Prompt = Prompt;
    type Order = Order;
    type Answer = Yes;

    fn open(files: &Files) -> Result<(State, Vec<Event>), Vec<String>> {
        let unit = |side: &str, name: &str, pos| Unit { side: side.into(), name: name.to_owned(), pos, strength: 3 };
        let units = [
            unit("french", "Oriole", 1),
            unit("french", "Pimpernel", 2),
            unit("coalition", "Quartz", 9),
            unit("coalition", "Rowan", 10),
        ];
        let planned = files.iter().any(|(_, text)| text.contains("plan"));
        let (units, plans) = ((1..).zip(units).collect(), BTreeMap::new());
        let state = State { turn: 0, planned, at: At::Initiative, nth: 0, passes: 0, units, plans };
        Ok((state, vec![Event::TurnBegan { turn: 1 }]))
    }

    fn seats(_: &State) -> Vec<(SeatId, SideId)> {
        vec![("french".into(), "french".into()), ("coalition".into(), "coalition".into())]
    }

    fn slot(s: &State) -> u32 {
        s.turn
    }

    fn last_slot(_: &State) -> u32 {
        2
    }

    fn stage(s: &State) -> Option<Stage> {
        let on_move = match &s.at {
            At::Over => return None,
            At::Plan => vec!["french".into(), "coalition".into()],
            At::Initiative => Vec::new(),
            At::Impulse(side) if !s.planned => vec![SeatId(side.0.clone())],
            At::Impulse(_) => Vec::new(),
        };
        Some(Stage { key: s.key(), title: s.key(), on_move, secret: s.at == At::Plan })
    }

    fn play(cx: &mut Cx<'_, Self>) -> Play<()> {
        let key = cx.state().key();
        match cx.state().at.clone() {
            At::Plan => plan(cx, &key)?,
            At::Initiative => initiative(cx)?,
            At::Impulse(side) => {
                match next_order(cx, &side, &key)? {
                    Some(order) => impulse(cx, &side, order)?,
                    None => cx.emit(Event::Passed { side }),
                }
                let s = cx.state();
                if s.passes >= 2 || s.nth >= 8 {
                    let turn = s.turn + 1;
                    cx.emit(Event::TurnBegan { turn });
                }
            }
            At::Over => {}
        }
        Ok(())
    }

    fn apply(s: &mut State, e: &Event) {
        match e {
            Event::TurnBegan { turn } => {
                s.turn = *turn;
                (s.nth, s.passes) = (0, 0);
                s.plans.clear();
                s.at = match (*turn > 2, s.planned) {
                    (true, _) => At::Over,
                    (false, true) => At::Plan,
                    (false, false) => At::Initiative,
                };
            }
            Event::Planned { side, text } => s.plans.entry(side.clone()).or_default().push(text.clone()),
            Event::PlansClosed => s.at = At::Initiative,
            Event::Taken { side } => {
                s.plans.entry(side.clone()).or_default().remove(0);
            }
            Event::First { side } => s.at = At::Impulse(side.clone()),
            Event::Went { unit, to } => at(s, *unit, |u| u.pos = *to),
            Event::Charged { .. } | Event::Countered { .. } | Event::Fought { .. } => {}
            Event::Lost { unit, steps } => at(s, *unit, |u| {
                u.strength -= steps;
                u.pos += if u.side.0 == "french" { -1 } else { 1 };
            }),
            Event::Passed { side } => {
                s.passes += 1;
                s.nth += 1;
                s.at = At::Impulse(other(side));
            }
            Event::ImpulseEnded { side } => {
                s.passes = 0;
                s.nth += 1;
                s.at = At::Impulse(other(side));
            }
        }
    }

    fn sight(before: &State, e: &Event, after: &State, mind: &Mind, to: &SideId) -> Option<Told> {
        let (was, now) = (before.in_sight(to), after.in_sight(to));
        let spots = mind.spots(&was, &now);
        let name = |id: &u32| match after.units.get(id) {
            Some(u) if u.side == *to => u.name.clone(),
            _ => spots.iter().find(|s| s.id == *id).map_or_else(|| mind.tag(*id), |s| s.tag.clone()),
        };
        let told = |id: &u32| {
            after.units.get(id).is_some_and(|u| u.side == *to) || was.contains_key(id) || now.contains_key(id)
        };
        let place = |p: &i32| Place(*p).open_name();
        let said = match e {
            Event::TurnBegan { turn } => format!("turn {turn}"),
            Event::Planned { side, text } if side == to => format!("planned: {text}"),
            Event::Planned { .. } | Event::Taken { .. } => return None,
            Event::PlansClosed => "the plans are closed".to_owned(),
            Event::First { side } => format!("{side} goes first"),
            Event::Went { unit, to } if told(unit) => format!("{} goes to {}", name(unit), place(to)),
            Event::Went { .. } => return None,
            Event::Charged { unit, target, at } => format!("{} charges {} at {}", name(unit), name(target), place(at)),
            Event::Countered { unit, at } => format!("{} countercharges at {}", name(unit), place(at)),
            Event::Fought { unit, target, at, die } => {
                format!("{} and {} fight at {}: {die}", name(unit), name(target), place(at))
            }
            Event::Lost { unit, steps } => format!("{} loses {steps}", name(unit)),
            Event::Passed { side } => format!("{side} passes"),
            Event::ImpulseEnded { side } => format!("{side} has acted"),
        };
        Some(Told { turn: after.turn, said, spots })
    }

    fn verbs() -> &'static [Verb<View, Order>] {
        &[
            Verb {
                word: "PASS",
                usage: "",
                rule: "4.2",
                examples: |_| vec!["PASS".into()],
                read: |_, _| Ok(Order::Pass),
            },
            Verb {
                word: "THEN",
                usage: "order",
                rule: "4.9",
                examples: |v| if v.planning { vec!["THEN PASS".into(), go_line("THEN ", v)] } else { Vec::new() },
                read: |v, args| {
                    if !v.planning {
                        return Err(Fault::refused("the plans are closed", "4.9"));
                    }
                    let mut words = Vec::new();
                    while let Some(word) = args.next_word() {
                        words.push(word.text.clone());
                    }
                    Ok(Order::Then(words.join(" ")))
                },
            },
            Verb {
                word: "GO",
                usage: "unit place [IF NEAR n]",
                rule: "5.1",
                examples: |v| vec![go_line("", v), format!("{} IF NOT NEAR 3", go_line("", v))],
                read: read_go,
            },
            Verb {
                word: "CHARGE",
                usage: "unit place",
                rule: "7.3",
                examples: |v| {
                    let seen =
                        v.foe.iter().filter_map(|(_, at)| if let Known::Exact(at) = at { Some(at) } else { None });
                    let name = v.own.first().map_or("", |o| o.0.as_str());
                    seen.map(|at| format!("CHARGE {name} {at}")).collect()
                },
                read: |v, args| Ok(Order::Charge(own(v, args)?, args.number("a place")?)),
            },
        ]
    }

    fn doctrines() -> &'static [Key] {
        const fn key(word: &'static str) -> Key {
            let valid = |v: &str| ["ASK", "YES", "NO"].contains(&v);
            Key {
                word,
                values: &["ASK", "YES", "NO"],
                default: "ASK",
                about: "whether it is done unasked",
                rule: "7.4",
                valid,
            }
        }
        const KEYS: [Key; 3] = [key("FIRST"), key("COUNTER"), key("PRESS")];
        &KEYS
    }

    fn address(p: &Prompt) -> String {
        match p {
            Prompt::First => "first".to_owned(),
            Prompt::Counter { unit, at } => format!("counter/{}/{at}", fold(unit)),
            Prompt::Melee { at } => format!("press/{at}"),
        }
    }

    fn ask(_: &View, p: &Prompt) -> Ask {
        let question = match p {
            Prompt::First => "you have the initiative: go first?".to_owned(),
            Prompt::Counter { unit, at } => format!("{unit}: countercharge at {}?", Place(*at).open_name()),
            Prompt::Melee { at } => format!("melee at {}: press?", Place(*at).open_name()),
        };
        let answers = ["YES", "NO"].map(|a| format!("{} {a}", word(p))).to_vec();
        let default = answers[1].clone();
        Ask { question, rule: "7.4".to_owned(), answers, default }
    }

    fn read(_: &View, p: &Prompt, l: &Line) -> Result<Yes, Fault> {
        let mut args = Args::new(l, 0);
        args.one_of(word(p), &[word(p)])?;
        Ok(Yes(args.one_of("YES or NO", &["YES", "NO"])? == "YES"))
    }

    fn doctrine_answer(_: &View, p: &Prompt, book: &Book) -> Option<String> {
        book.get(word(p)).filter(|v| *v != "ASK").map(|v| format!("{} {v}", word(p)))
    }

    fn check(_: &View, o: &Order) -> Result<Vec<String>, Fault> {
        Ok(match o {
            Order::Go(name, to, _) => vec![format!("{name} would go to {}", Place(*to).open_name())],
            Order::Pass | Order::Then(_) | Order::Charge(..) => Vec::new(),
        })
    }

    fn scramble(s: &State, _: &[(SideId, Mind)], keep: &SideId, noise: u64) -> State {
        let mut out = s.clone();
        let seen = s.in_sight(keep);
        for (id, u) in out.units.iter_mut().filter(|(id, u)| u.side != *keep && !seen.contains_key(id)) {
            u.name = format!("Canary{id}x{noise}");
            u.pos = if keep.0 == "french" { 20 } else { -20 };
            u.strength = 1 + i32::try_from(noise % 5).unwrap();
        }
        out.plans.retain(|side, _| side == keep);
        out
    }

    kept!();
}

fn word(p: &Prompt) -> &'static str {
    match p {
        Prompt::First => "FIRST",
        Prompt::Counter { .. } => "COUNTER",
        Prompt::Melee { .. } => "PRESS",
    }
}

fn at(s: &mut State, id: u32, change: impl FnOnce(&mut Unit)) {
    if let Some(u) = s.units.get_mut(&id) {
        change(u);
    }
}

/// 4.9 Both sides write all their impulses at once.
fn plan(cx: &mut Cx<'_, Bf>, key: &str) -> Play<()> {
    let seats: Vec<SeatId> = Bf::seats(cx.state()).into_iter().map(|(seat, _)| seat).collect();
    cx.sheets(&seats, key)?;
    while let Some((seat, order)) = cx.order(&seats, key)? {
        match order {
            Order::Then(text) => cx.emit(Event::Planned { side: SideId(seat.0), text }),
            _ => cx.outcome(Outcome::Refused { why: "begin with THEN".into(), rule: "4.9".into(), copy: None }),
        }
    }
    cx.emit(Event::PlansClosed);
    Ok(())
}

/// 4.1 The winner of the initiative chooses who goes first.
fn initiative(cx: &mut Cx<'_, Bf>) -> Play<()> {
    let side: SideId = if cx.d6(&Label::public("initiative")) >= 4 { "french".into() } else { "coalition".into() };
    let seat = cx.seat_of(&side);
    let first = cx.ask(&seat, Prompt::First)?.0;
    cx.emit(Event::First { side: if first { side } else { other(&side) } });
    Ok(())
}

/// The next order of a side: from its sheet, or from its plan, read by the same table.
fn next_order(cx: &mut Cx<'_, Bf>, side: &SideId, key: &str) -> Play<Option<Order>> {
    if !cx.state().planned {
        return Ok(cx.order(&[cx.seat_of(side)], key)?.map(|(_, order)| order));
    }
    let Some(text) = cx.state().plans.get(side).and_then(|plan| plan.first()).cloned() else { return Ok(None) };
    cx.emit(Event::Taken { side: side.clone() });
    Ok(orders::bind(Bf::verbs(), &cx.view(side), &orders::line(0, &text)).ok())
}

/// 4.3 One impulse is one order, and one leg.
fn impulse(cx: &mut Cx<'_, Bf>, side: &SideId, order: Order) -> Play<()> {
    match order {
        Order::Pass | Order::Then(_) => cx.emit(Event::Passed { side: side.clone() }),
        Order::Go(name, to, cond) => {
            if cond.is_some_and(|cond| !cond.holds(|near| holds(&cx.view(side), near))) {
                cx.outcome(Outcome::Failed { why: "the condition does not hold".into(), rule: "5.1".into() });
            } else if let Some(id) = find(cx.state(), side, &name) {
                cx.emit(Event::Went { unit: id, to });
            }
            cx.emit(Event::ImpulseEnded { side: side.clone() });
        }
        Order::Charge(name, at) => {
            charge(cx, side, &name, at)?;
            cx.emit(Event::ImpulseEnded { side: side.clone() });
        }
    }
    Ok(())
}

/// 7.3 A charge, which the enemy may meet; 8.1 both sides choose secretly how they fight.
fn charge(cx: &mut Cx<'_, Bf>, side: &SideId, name: &str, at: i32) -> Play<()> {
    let foe = cx.state().units.iter().find(|(_, u)| u.side != *side && u.pos == at).map(|(id, u)| (*id, u.clone()));
    let (Some(unit), Some((target, foe))) = (find(cx.state(), side, name), foe) else {
        cx.outcome(Outcome::Failed { why: "nobody is there".into(), rule: "7.3".into() });
        return Ok(());
    };
    if (cx.state().units[&unit].pos - at).abs() > 4 {
        cx.outcome(Outcome::Failed { why: "it is too far".into(), rule: "7.3".into() });
        return Ok(());
    }
    cx.emit(Event::Charged { unit, target, at });
    let seat = cx.seat_of(&foe.side);
    let counter = cx.ask(&seat, Prompt::Counter { unit: foe.name.clone(), at })?.0;
    if counter && cx.d6(&Label::own("fresh", &foe).at(&Place(at))) >= 2 {
        cx.emit(Event::Countered { unit: target, at });
    }
    let both = [side.clone(), foe.side.clone()];
    let press = cx.ask_all(both.iter().map(|side| (cx.seat_of(side), Prompt::Melee { at })).collect())?;
    let shift = i32::from(press[0].0) - i32::from(press[1].0);
    let die = cx.d6(&Label::public("melee").at(&Place(at))) + shift;
    cx.emit(Event::Fought { unit, target, at, die });
    cx.emit(Event::Lost { unit: if die >= 4 { target } else { unit }, steps: 1 });
    Ok(())
}

fn find(s: &State, side: &SideId, name: &str) -> Option<u32> {
    s.units.iter().find(|(_, u)| u.side == *side && u.name == name).map(|(id, _)| *id)
}

/// What is not seen now is not known, and neither is its opposite.
fn holds(v: &View, near: &Near) -> Option<bool> {
    let seen = v.foe.iter().filter_map(|(_, at)| if let Known::Exact(at) = at { Some(*at) } else { None });
    let mut gaps = seen.flat_map(|at| v.own.iter().map(move |(_, pos, _)| (pos - at).abs())).peekable();
    gaps.peek()?;
    Some(gaps.any(|gap| gap <= near.0))
}

fn own(v: &View, args: &mut Args<'_>) -> Result<String, Fault> {
    let names: Vec<(String, String)> = v.own.iter().map(|(n, ..)| (n.clone(), n.clone())).collect();
    args.name("a unit of yours", &names)
}

fn go_line(before: &str, v: &View) -> String {
    let step = if v.side.0 == "french" { 2 } else { -2 };
    v.own.last().map_or_else(|| "PASS".into(), |(name, pos, _)| format!("{before}GO {name} {}", pos + step))
}

fn read_go(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let (name, to) = (own(v, args)?, args.number("a place")?);
    let from = v.own.iter().find(|(n, ..)| *n == name).map_or(to, |(_, pos, _)| *pos);
    if !v.planning && (from - to).abs() > 2 {
        return Err(Fault::refused(format!("{name} goes two places at most"), "5.1"));
    }
    let cond = if args.key("IF") {
        Some(cond::read(args, |args| {
            args.one_of("NEAR", &["NEAR"])?;
            args.number("a distance").map(Near)
        })?)
    } else {
        None
    };
    Ok(Order::Go(name, to, cond))
}

impl Paper for Bf {
    fn sections(page: &Page<'_, Self>) -> Sections {
        let v = page.view;
        Sections {
            head: format!("{} turn {} {}", v.side, v.turn, v.stage),
            story: page.told.iter().map(|t| t.said.clone()).collect(),
            forces: v.own.iter().map(|(n, p, s)| format!("{n} {} {s}", Place(*p).open_name())).collect(),
            forecast: v.plan.clone(),
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

//! great_battles in small: chits drawn from a pool, an activation that may break down and call another division, a
//! reaction charge met by a square, and a rout that asks, rolls and calls itself.

use super::kit::{InSight, Mind, Told, kept};
use estafette::dice::{Label, OpenName, OwnName, Owner};
use estafette::fog::{Fogged, Known, Pass, SeatId, SideId, Viewer};
use estafette::host::paper::{Format, Page, Paper, Sections};
use estafette::orders::mend::{Meaning, Mended, Topic};
use estafette::orders::{Args, Fault, Line, Verb, fold};
use estafette::rules::cx::Cx;
use estafette::rules::journal::Book;
use estafette::rules::kept::{Body, Cell, Corrupt, Row, Truth};
use estafette::rules::rehearsal::{Caution, Rehearsed, Warning};
use estafette::rules::{Ask, Files, Key, Outcome, Play, Ruleset, Stage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub struct Gb;

#[derive(Clone, Serialize, Deserialize)]
pub struct State {
    turn: u32,
    turns: u32,
    at: At,
    acts: u32,
    pool: Vec<String>,
    units: BTreeMap<u32, Unit>,
    stance: BTreeMap<SideId, String>,
    seats: Vec<(SeatId, SideId)>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Unit {
    side: SideId,
    name: String,
    div: String,
    pos: i32,
    cav: bool,
    spent: bool,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
enum At {
    Open,
    Draw,
    Attempt(String),
    Act(String),
    Over,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    Stance { side: SideId, word: String },
    Pooled,
    Drawn { div: String },
    Attempted { div: String, full: bool },
    Called { div: String },
    Moved { unit: u32, to: i32 },
    Balked { cav: u32 },
    Charged { cav: u32, target: u32, into: i32 },
    Formed { unit: u32, square: bool },
    Meleed { cav: u32, target: u32, at: i32, die: i32 },
    Routed { unit: u32, to: i32 },
    Rallied { unit: u32 },
    ActEnded,
    TurnEnded,
}

#[derive(Clone, PartialEq)]
pub struct View {
    side: String,
    turn: u32,
    stage: String,
    own: Vec<(String, i32)>,
    foe: Vec<(String, Known<String>)>,
    divs: Vec<String>,
}

#[derive(Clone)]
pub enum Prompt {
    Reaction { cav: String, at: i32 },
    Square { unit: String },
    Leader { unit: String },
    Extra { divs: Vec<String> },
}

#[derive(Clone)]
pub enum Order {
    Stance(String),
    Move(String, i32),
}

#[derive(PartialEq)]
pub enum Answer {
    Yes,
    No,
    Div(String),
}

/// A place on the one road of this battlefield.
struct Place(i32);

impl OpenName for Place {
    fn open_name(&self) -> String {
        format!("p{:02}", self.0)
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
        let (turn, acts) = (self.turn, self.acts);
        match &self.at {
            At::Open => format!("{turn}/open"),
            At::Draw => format!("{turn}/draw/{acts}"),
            At::Attempt(div) | At::Act(div) => format!("{turn}/act/{acts}/{div}"),
            At::Over => "over".to_owned(),
        }
    }

    fn owner(&self, div: &str) -> SideId {
        SideId::from(if div.starts_with('R') { "red" } else { "blue" })
    }

    fn in_sight(&self, of: &SideId) -> InSight {
        let near = |p: i32| self.units.values().any(|u| u.side == *of && (u.pos - p).abs() <= 3);
        let seen = self.units.iter().filter(|(_, u)| u.side != *of && near(u.pos));
        seen.map(|(id, u)| (*id, format!("{} {}", if u.cav { "cavalry" } else { "foot" }, Place(u.pos).open_name())))
            .collect()
    }

    fn seats_of(&self, side: &SideId) -> Vec<SeatId> {
        self.seats.iter().filter(|(_, s)| s == side).map(|(seat, _)| seat.clone()).collect()
    }

    fn find(&self, side: &SideId, name: &str) -> Option<u32> {
        self.units.iter().find(|(_, u)| u.side == *side && u.name == name).map(|(id, _)| *id)
    }
}

fn unit(side: &str, name: &str, div: &str, pos: i32, cav: bool) -> Unit {
    Unit { side: side.into(), name: name.to_owned(), div: div.to_owned(), pos, cav, spent: false }
}

impl Fogged for Gb {
    type State = State;
    type Intel = Mind;
    type View = View;
    fn project(s: &State, mind: &Mind, viewer: &Viewer, _: Pass) -> View {
        let side = match viewer {
            Viewer::Side(side) => Some(side),
            Viewer::Umpire => None,
        };
        let own = s.units.values().filter(|u| side.is_none_or(|side| u.side == *side));
        let now = side.map(|side| s.in_sight(side)).unwrap_or_default();
        let foe = mind.last.iter().map(|(id, (at, turn))| {
            let known = if now.contains_key(id) { Known::Exact(at.clone()) } else { Known::Stale(at.clone(), *turn) };
            (mind.tag(*id), known)
        });
        View {
            side: side.map_or_else(|| "umpire".to_owned(), |side| side.0.clone()),
            turn: s.turn,
            stage: s.key(),
            own: own.map(|u| (u.name.clone(), u.pos)).collect(),
            foe: foe.collect(),
            divs: s.pool.iter().filter(|d| side.is_some_and(|side| s.owner(d) == *side)).cloned().collect(),
        }
    }
}

impl Ruleset for Gb {
    const NAME: &'static str = "toy-great";
    const VERSION: u32 = 1;
    type Event = Event;
    type Sighting = Told;
    type Prompt = Prompt;
    type Order = Order;
    type Answer = Answer;

    fn open(files: &Files) -> Result<(State, Vec<Event>), Vec<String>> {
        let units = [
            unit("red", "Ironbark", "RA", 2, false),
            unit("red", "Juniper", "RA", 3, true),
            unit("red", "Kestrel", "RB", 1, false),
            unit("blue", "Larkspur", "BA", 8, false),
            unit("blue", "Mistral", "BA", 9, true),
            unit("blue", "Nettle", "BB", 10, false),
        ];
        let units = (1..).zip(units).collect();
        let (pool, stance) = (Vec::new(), BTreeMap::new());
        // Two seats a side share its sheets, each writing its own.
        let names: &[&str] = if files[0].1 == "two" { &["red", "red2", "blue", "blue2"] } else { &["red", "blue"] };
        let seats = names.iter().map(|n| (SeatId::from(*n), SideId::from(n.trim_end_matches('2')))).collect();
        Ok((State { turn: 0, turns: 2, at: At::Draw, acts: 0, pool, units, stance, seats }, vec![Event::TurnEnded]))
    }

    fn seats(s: &State) -> Vec<(SeatId, SideId)> {
        s.seats.clone()
    }

    fn slot(s: &State) -> u32 {
        s.turn
    }

    fn last_slot(s: &State) -> u32 {
        s.turns
    }

    fn stage(s: &State) -> Option<Stage> {
        let on_move: Vec<SeatId> = match &s.at {
            At::Over => return None,
            At::Open => s.seats.iter().map(|(seat, _)| seat.clone()).collect(),
            At::Draw => Vec::new(),
            At::Attempt(div) | At::Act(div) => s.seats_of(&s.owner(div)),
        };
        Some(Stage { key: s.key(), title: s.key(), on_move, secret: s.at == At::Open })
    }

    fn play(cx: &mut Cx<'_, Self>) -> Play<()> {
        let key = cx.state().key();
        match cx.state().at.clone() {
            At::Open => open_turn(cx, &key)?,
            At::Draw => draw(cx),
            At::Attempt(div) => attempt(cx, &div)?,
            At::Act(div) => {
                let seats = cx.state().seats_of(&cx.state().owner(&div));
                match cx.order(&seats, &key)? {
                    Some((_, order)) => carry_out(cx, &div, order)?,
                    None => cx.emit(Event::ActEnded),
                }
            }
            At::Over => {}
        }
        Ok(())
    }

    fn apply(s: &mut State, e: &Event) {
        match e {
            Event::Stance { side, word } => {
                s.stance.insert(side.clone(), word.clone());
            }
            Event::Pooled => s.at = At::Draw,
            Event::Drawn { div } => {
                s.pool.retain(|d| d != div);
                s.at = At::Attempt(div.clone());
            }
            Event::Attempted { div, full } => s.at = if *full { At::Act(div.clone()) } else { At::Draw },
            Event::Called { div } => s.pool.retain(|d| d != div),
            Event::Moved { unit, to } | Event::Routed { unit, to } => to_place(s, *unit, *to),
            Event::Charged { cav, target: _, into } => to_place(s, *cav, *into),
            Event::Meleed { cav, target: _, at: _, die: _ } | Event::Balked { cav } => spent(s, *cav),
            Event::Formed { unit: _, square: _ } | Event::Rallied { unit: _ } => {}
            Event::ActEnded => {
                s.acts += 1;
                s.at = At::Draw;
            }
            Event::TurnEnded => {
                s.turn += 1;
                s.acts = 0;
                s.pool = ["RA", "RB", "BA", "BB"].map(str::to_owned).to_vec();
                s.at = if s.turn > s.turns { At::Over } else { At::Open };
                s.units.values_mut().for_each(|u| u.spent = false);
            }
        }
    }

    fn sight(before: &State, e: &Event, after: &State, mind: &Mind, to: &SideId) -> Option<Told> {
        let spots = mind.spots(&before.in_sight(to), &after.in_sight(to));
        let seen = after.in_sight(to);
        let name = |id: &u32| match after.units.get(id) {
            Some(u) if u.side == *to => u.name.clone(),
            _ => spots.iter().find(|s| s.id == *id).map_or_else(|| mind.tag(*id), |s| s.tag.clone()),
        };
        let mine = |id: &u32| after.units.get(id).is_some_and(|u| u.side == *to);
        let told = |id: &u32| mine(id) || seen.contains_key(id) || before.in_sight(to).contains_key(id);
        let said = match e {
            Event::Stance { side, word } if side == to => format!("stance {word}"),
            Event::Stance { .. } => return None,
            Event::Pooled => "the pool is filled".to_owned(),
            Event::Drawn { div } => format!("division {div} is drawn"),
            Event::Attempted { div, full } => format!("division {div} {}", if *full { "acts" } else { "halts" }),
            Event::Called { div } => format!("division {div} is called"),
            Event::Moved { unit, to } if told(unit) => format!("{} moves to {}", name(unit), Place(*to).open_name()),
            Event::Routed { unit, to } if told(unit) => format!("{} runs to {}", name(unit), Place(*to).open_name()),
            Event::Balked { cav } if mine(cav) => format!("{} does not charge", name(cav)),
            Event::Charged { cav, target, into } => {
                format!("{} charges {} at {}", name(cav), name(target), Place(*into).open_name())
            }
            Event::Formed { unit, square } => {
                format!("{} {}", name(unit), if *square { "in square" } else { "in line" })
            }
            Event::Meleed { cav, target, at, die } => {
                format!("melee {} against {} at {}: {die}", name(cav), name(target), Place(*at).open_name())
            }
            Event::Rallied { unit } if told(unit) => format!("{} stands", name(unit)),
            Event::Moved { .. } | Event::Routed { .. } | Event::Balked { .. } | Event::Rallied { .. } => return None,
            Event::ActEnded => "the activation ends".to_owned(),
            Event::TurnEnded => format!("turn {}", after.turn),
        };
        Some(Told { turn: after.turn, said, spots })
    }

    fn verbs() -> &'static [Verb<View, Order>] {
        &[
            Verb {
                word: "STANCE",
                usage: "BOLD | CAUTIOUS",
                rule: "5.1",
                examples: |v| if v.stage.ends_with("open") { vec!["STANCE BOLD".to_owned()] } else { Vec::new() },
                read: |v, args| {
                    if !v.stage.ends_with("open") {
                        return Err(Fault::refused("stances are chosen before the draw", "5.1"));
                    }
                    args.one_of("a stance", &["BOLD", "CAUTIOUS"]).map(|w| Order::Stance(w.to_owned()))
                },
            },
            Verb { word: "MOVE", usage: "unit place", rule: "6.1", examples: move_examples, read: read_move },
        ]
    }

    fn doctrines() -> &'static [Key] {
        const fn key(word: &'static str) -> Key {
            const VALUES: &[&str] = &["ASK", "YES", "NO"];
            let (values, valid) = (VALUES, |v: &str| VALUES.contains(&v));
            Key { word, values, default: "ASK", about: "whether it is done without asking", rule: "6.2", valid }
        }
        const KEYS: [Key; 3] = [key("REACTION"), key("SQUARE"), key("LEADER")];
        &KEYS
    }

    fn address(p: &Prompt) -> String {
        match p {
            Prompt::Reaction { cav, at } => format!("reaction/{}/{at}", fold(cav)),
            Prompt::Square { unit } => format!("square/{}", fold(unit)),
            Prompt::Leader { unit } => format!("leader/{}", fold(unit)),
            Prompt::Extra { .. } => "extra".to_owned(),
        }
    }

    fn ask(_: &View, p: &Prompt) -> Ask {
        let (question, answers) = match p {
            Prompt::Reaction { cav, at } => (format!("{cav}: charge at {}?", Place(*at).open_name()), yes_no("CHARGE")),
            Prompt::Square { unit } => (format!("{unit}: form square?"), yes_no("SQUARE")),
            Prompt::Leader { unit } => (format!("{unit} runs: send the leader?"), yes_no("LEADER")),
            Prompt::Extra { divs } => {
                let mut lines: Vec<String> = divs.iter().map(|d| format!("EXTRA {d}")).collect();
                lines.push("EXTRA NONE".to_owned());
                ("which division is called?".to_owned(), lines)
            }
        };
        let default = answers.last().cloned().unwrap_or_default();
        Ask { question, rule: "6.2".to_owned(), answers, default }
    }

    fn read(_: &View, p: &Prompt, l: &Line) -> Result<Answer, Fault> {
        let mut args = Args::new(l, 0);
        match p {
            Prompt::Reaction { .. } => read_yes_no(&mut args, "CHARGE"),
            Prompt::Square { .. } => read_yes_no(&mut args, "SQUARE"),
            Prompt::Leader { .. } => read_yes_no(&mut args, "LEADER"),
            Prompt::Extra { divs } => {
                args.one_of("EXTRA", &["EXTRA"])?;
                let mut names: Vec<(String, String)> = divs.iter().map(|d| (d.clone(), d.clone())).collect();
                names.push(("NONE".to_owned(), String::new()));
                let div = args.name("a division", &names)?;
                Ok(if div.is_empty() { Answer::No } else { Answer::Div(div) })
            }
        }
    }

    fn doctrine_answer(_: &View, p: &Prompt, book: &Book) -> Option<String> {
        let (key, word) = match p {
            Prompt::Reaction { .. } => ("REACTION", "CHARGE"),
            Prompt::Square { .. } => ("SQUARE", "SQUARE"),
            Prompt::Leader { .. } => ("LEADER", "LEADER"),
            Prompt::Extra { .. } => return None,
        };
        match book.get(key) {
            Some("YES") => Some(format!("{word} YES")),
            Some("NO") => Some(format!("{word} NO")),
            _ => None,
        }
    }

    fn check(_: &View, _: &Order) -> Result<Vec<String>, Fault> {
        Ok(vec!["costs nothing".to_owned()])
    }

    fn rehearse(v: &View, o: &Order) -> Result<Rehearsed<View>, Fault> {
        let mut after = v.clone();
        let mut said = vec!["costs nothing".to_owned()];
        let mut warnings = Vec::new();
        if let Order::Move(name, to) = o
            && let Some((_, pos)) = after.own.iter_mut().find(|(own, _)| own == name)
        {
            // From one end of the table to the other nobody goes in one order.
            if (*to - *pos).abs() > 10 {
                return Err(Fault::refused(format!("{name} is too far from there"), "6.1"));
            }
            if *pos == *to {
                let text = format!("{name} is there already");
                warnings.push(Warning { kind: Caution::NoEffect, text, rule: "6.1".to_owned() });
            }
            *pos += (*to - *pos).clamp(-4, 4);
            said.push(format!("ends at {}", Place(*pos).open_name()));
        }
        Ok(Rehearsed { said, warnings, after, others: Vec::new() })
    }

    fn warnings(_: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
        let moved = |name: &str| plan.iter().any(|o| matches!(o, Order::Move(own, _) if own == name));
        let idle = after.own.iter().filter(|(name, _)| !moved(name));
        let warn = |(name, _): &(String, i32)| Warning {
            kind: Caution::NoOrders,
            text: format!("no orders: {name}"),
            rule: String::new(),
        };
        idle.map(warn).collect()
    }

    fn meant(v: &View, line: &Line, fault: &Fault) -> Meaning {
        match line.words.first().map_or("", |word| word.fold.as_str()) {
            "thanks" | "hello" => return Meaning::Nothing,
            "who" => return Meaning::Question(Topic::Told(vec!["  you are at the table".to_owned()])),
            "pass" => {
                let why = "END ends your sheet.".to_owned();
                return Meaning::Attempt(Mended { why, lines: vec!["END".to_owned()], ..Mended::default() });
            }
            _ => {}
        }
        let mut mended = Mended { lines: Vec::new(), ..Mended::from(fault) };
        let own = v.own.iter().map(|(name, _)| name.as_str());
        if let (Some("both"), Some(to)) = (line.words.get(1).map(|word| word.fold.as_str()), line.words.get(2)) {
            mended.lines = ["Ironbark", "Kestrel"].map(|name| format!("MOVE {name} {}", to.text)).into();
        } else if let (Some(name), Some(to)) = (line.words.get(1), line.words.get(2))
            && let Some(near) = estafette::orders::nearest(&name.text, own)
        {
            mended.lines = vec![format!("MOVE {near} {}", to.text), "MOVE nobody 3".to_owned()];
        }
        Meaning::Attempt(mended)
    }

    fn replaces(_: &View, later: &Order, earlier: &Order) -> bool {
        matches!((later, earlier), (Order::Stance(_), Order::Stance(_)))
    }

    fn scramble(s: &State, minds: &[(SideId, Mind)], keep: &SideId, noise: u64) -> State {
        let mut out = s.clone();
        let seen = s.in_sight(keep);
        let known = minds.iter().find(|(side, _)| side == keep).map(|(_, mind)| mind);
        let far = if keep.0 == "red" { 40 } else { -40 };
        for (id, u) in out.units.iter_mut().filter(|(id, u)| u.side != *keep && !seen.contains_key(id)) {
            u.name = format!("Canary{id}x{noise}");
            u.pos = far + i32::try_from(noise % 3).unwrap();
            u.cav = if known.is_some_and(|m| m.tags.contains_key(id)) { u.cav } else { !u.cav };
        }
        out.stance.retain(|side, _| side == keep);
        out
    }

    kept!();
}

fn to_place(s: &mut State, id: u32, to: i32) {
    if let Some(u) = s.units.get_mut(&id) {
        u.pos = to;
    }
}

fn spent(s: &mut State, id: u32) {
    if let Some(u) = s.units.get_mut(&id) {
        u.spent = true;
    }
}

/// 5.1 Both sides choose their stances secretly.
fn open_turn(cx: &mut Cx<'_, Gb>, key: &str) -> Play<()> {
    let seats: Vec<SeatId> = Gb::seats(cx.state()).into_iter().map(|(seat, _)| seat).collect();
    cx.sheets(&seats, key)?;
    while let Some((seat, order)) = cx.order(&seats, key)? {
        match order {
            Order::Stance(word) => cx.emit(Event::Stance { side: seat.0.trim_end_matches('2').into(), word }),
            Order::Move(..) => cx.outcome(Outcome::Refused { why: "not yet".into(), rule: "5.1".into(), copy: None }),
        }
    }
    cx.emit(Event::Pooled);
    Ok(())
}

/// 5.2 A chit is drawn from the pool, which all may see.
fn draw(cx: &mut Cx<'_, Gb>) {
    let pool = cx.state().pool.clone();
    let Ok(sides @ 1..) = u32::try_from(pool.len()) else { return cx.emit(Event::TurnEnded) };
    let die = cx.roll(&Label::public("draw"), 1, sides);
    cx.emit(Event::Drawn { div: pool[die[0] as usize - 1].clone() });
}

/// 5.4 An activation may break down; then another division of the same side may be called, once, in the same leg.
fn attempt(cx: &mut Cx<'_, Gb>, div: &str) -> Play<()> {
    struct Division(String);
    impl OpenName for Division {
        fn open_name(&self) -> String {
            self.0.clone()
        }
    }
    let full = cx.d6(&Label::public("attempt").at(&Division(div.to_owned()))) > 2;
    let owner = cx.state().owner(div);
    if !full {
        let divs: Vec<String> = cx.state().pool.iter().filter(|d| cx.state().owner(d) == owner).cloned().collect();
        let seat = cx.seat_of(&owner);
        if let Answer::Div(extra) = cx.ask_now(&seat, Prompt::Extra { divs })? {
            cx.emit(Event::Called { div: extra.clone() });
            let sheet = format!("extra/{extra}");
            while let Some((_, order)) = cx.order(std::slice::from_ref(&seat), &sheet)? {
                carry_out(cx, &extra, order)?;
            }
        }
    }
    cx.emit(Event::Attempted { div: div.to_owned(), full });
    Ok(())
}

/// 6.1 A march, step by step; each step may be met by a reaction.
fn carry_out(cx: &mut Cx<'_, Gb>, div: &str, order: Order) -> Play<()> {
    let owner = cx.state().owner(div);
    let Order::Move(name, to) = order else {
        cx.outcome(Outcome::Refused {
            why: "stances are chosen before the draw".into(),
            rule: "5.1".into(),
            copy: None,
        });
        return Ok(());
    };
    let Some(id) = cx.state().find(&owner, &name) else { return Ok(()) };
    if cx.state().units[&id].div != div {
        cx.outcome(Outcome::Failed { why: format!("{name} is not of division {div}"), rule: "6.1".into() });
        return Ok(());
    }
    for _ in 0..4 {
        let from = cx.state().units[&id].pos;
        if from == to {
            break;
        }
        cx.emit(Event::Moved { unit: id, to: from + (to - from).signum() });
        while let Some(cav) = reactor(cx.state(), id) {
            if !reaction(cx, cav, id)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn reactor(s: &State, mover: u32) -> Option<u32> {
    let target = &s.units[&mover];
    let near = |u: &Unit| u.side != target.side && u.cav && !u.spent && (u.pos - target.pos).abs() <= 2;
    s.units.iter().find(|(_, u)| near(u)).map(|(id, _)| *id)
}

/// 6.2.3 Reaction charge, fought at once; 8.4.2 the square. Whether the march may go on.
fn reaction(cx: &mut Cx<'_, Gb>, cav: u32, target: u32) -> Play<bool> {
    let (rider, foe) = (cx.state().units[&cav].clone(), cx.state().units[&target].clone());
    let at = foe.pos;
    let owner = cx.seat_of(&rider.side);
    if cx.ask(&owner, Prompt::Reaction { cav: rider.name.clone(), at })? == Answer::No {
        cx.emit(Event::Balked { cav });
        return Ok(true);
    }
    if cx.d6(&Label::own("check", &rider).at(&Place(at))) > 5 {
        cx.emit(Event::Balked { cav });
        return Ok(true);
    }
    cx.emit(Event::Charged { cav, target, into: at });
    let asked = cx.ask(&cx.seat_of(&foe.side), Prompt::Square { unit: foe.name.clone() })?;
    let square = asked == Answer::Yes && cx.d6(&Label::public("square").at(&Place(at))) >= 3;
    cx.emit(Event::Formed { unit: target, square });
    let die = cx.d6(&Label::public("melee").at(&Place(at))) + if square { 0 } else { 2 };
    cx.emit(Event::Meleed { cav, target, at, die });
    match die {
        ..=3 => rout(cx, cav)?,
        4..=5 => {}
        _ => {
            rout(cx, target)?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// 9.3 A rout: asks for the leader, rolls, and carries neighbours along; each unit runs at most once.
fn rout(cx: &mut Cx<'_, Gb>, id: u32) -> Play<()> {
    let mut running = vec![id];
    rout_on(cx, &mut running)
}

fn rout_on(cx: &mut Cx<'_, Gb>, running: &mut Vec<u32>) -> Play<()> {
    let Some(id) = running.last().copied() else { return Ok(()) };
    let u = cx.state().units[&id].clone();
    let seat = cx.seat_of(&u.side);
    if cx.ask(&seat, Prompt::Leader { unit: u.name.clone() })? == Answer::Yes
        && cx.d6(&Label::own("leader", &u).at(&Place(u.pos))) >= 4
    {
        cx.emit(Event::Rallied { unit: id });
        return Ok(());
    }
    let to = u.pos + if u.side.0 == "red" { -2 } else { 2 };
    cx.emit(Event::Routed { unit: id, to });
    // Asked of the state again at each turn: a neighbour may have been carried off by the one before.
    let next = |s: &State, running: &[u32]| {
        let near = |n: &Unit| n.side == u.side && n.pos == to;
        s.units.iter().find(|(n, v)| near(v) && !running.contains(n)).map(|(n, _)| *n)
    };
    while let Some(neighbour) = next(cx.state(), running) {
        running.push(neighbour);
        rout_on(cx, running)?;
    }
    Ok(())
}

fn yes_no(word: &str) -> Vec<String> {
    vec![format!("{word} YES"), format!("{word} NO")]
}

fn read_yes_no(args: &mut Args<'_>, word: &'static str) -> Result<Answer, Fault> {
    args.one_of(word, &[word])?;
    Ok(if args.one_of("YES or NO", &["YES", "NO"])? == "YES" { Answer::Yes } else { Answer::No })
}

fn move_examples(v: &View) -> Vec<String> {
    if v.stage.ends_with("open") {
        return Vec::new();
    }
    let step = if v.side == "red" { 4 } else { -4 };
    v.own.iter().map(|(name, pos)| format!("MOVE {name} {}", (pos + step).clamp(0, 12))).collect()
}

fn read_move(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let names: Vec<(String, String)> = v.own.iter().map(|(n, _)| (n.clone(), n.clone())).collect();
    let name = args.name("a unit of yours", &names)?;
    let to = args.number("a place from 0 to 12")?;
    if !(0..=12).contains(&to) {
        return Err(Fault::refused(format!("there is no place {to}"), "6.1"));
    }
    Ok(Order::Move(name, to))
}

impl Paper for Gb {
    fn sections(page: &Page<'_, Self>) -> Sections {
        let v = page.view;
        Sections {
            head: format!("{} turn {} {}", v.side, v.turn, v.stage),
            story: page.told.iter().map(|t| t.said.clone()).collect(),
            forces: v.own.iter().map(|(n, p)| format!("{n} {}", Place(*p).open_name())).collect(),
            enemy: v.foe.iter().map(|(tag, at)| format!("{tag} {at:?}")).collect(),
            ..Sections::default()
        }
    }
    fn offers(_: &View) -> Vec<String> {
        vec!["STANCE BOLD".to_owned()]
    }
    fn map(view: &View, _: Option<&str>, _: Format) -> Result<Vec<String>, Fault> {
        Ok(vec![format!("{:?}", view.own), format!("{:?} {:?}", view.foe, view.divs)])
    }
    fn history(_: &View, turn: u32, told: &[Told]) -> Vec<String> {
        told.iter().map(|told| format!("{turn:>2}  {}", told.said)).collect()
    }
}

//! The set-up; and positions for rule cases.

use super::board::{Arm, Board, Sight, Visibility};
use super::command;
use super::event::{self, Event};
use super::ground::Bank;
use super::pose::{Form, Pose};
use super::state::{Acting, At, Going, Level, Lim, Mode, State, Step, Wishes};
use super::tables::Breakdown;
use super::{GreatBattles, pool, told};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::rules::Files;
use crate::rules::cx::{Base, Counts};
use crate::rules::shelf::Shelf;
use crate::rules::tactical::table::minds;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What stands where when the game begins, 4.1.1 which LIMs are in the pool, 14.0 who waits, who holds what.
pub fn setup(board: &Board) -> Vec<Event> {
    let mut events = Vec::new();
    // 7.2 The strongest on top, guns beneath.
    let mut units: Vec<(&String, _)> = board.scenario.setup.iter().collect();
    let weight = |id: &str| board.kinds.get(id).map(|kind| (kind.arm == Arm::Art, -kind.sp));
    units.sort_by_key(|(id, post)| (post.at, weight(id), (*id).clone()));
    for (id, post) in units {
        let size = board.kinds.get(id).map_or(1, |kind| kind.hexes);
        events.push(Event::Stands { unit: id.clone(), pose: post.pose(size) });
    }
    for (leader, hex) in &board.scenario.leaders {
        events.push(Event::Placed { leader: leader.clone(), hex: *hex });
    }
    for arrival in &board.scenario.reinforcements {
        events.extend(arrival.divisions.iter().map(|id| Event::Waits { division: id.clone() }));
    }
    for place in board.scenario.victory.places.keys() {
        events.push(Event::Holds { place: place.clone(), side: board.scenario.victory.held_by.clone() });
    }
    for name in board.scenario.lims.values().flatten() {
        let division = board.divisions.contains_key(name);
        let lim = if division { Lim::Division(name.clone()) } else { Lim::Corps(name.clone()) };
        events.push(Event::Added { lim });
    }
    for side in board.scenario.independent.keys() {
        events.push(Event::Added { lim: Lim::Independent(side.clone()) });
    }
    events
}

/// A unit of a case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    at: Hex,
    #[serde(default)]
    form: Form,
    #[serde(default)]
    face: u8,
    #[serde(default)]
    second: Option<Hex>,
    #[serde(default)]
    lost: i32,
    #[serde(default)]
    level: Level,
    #[serde(default)]
    ran: bool,
    #[serde(default)]
    blown: u8,
    #[serde(default)]
    recovering: bool,
    #[serde(default)]
    fired: bool,
    #[serde(default)]
    out: bool,
    #[serde(default)]
    under: Option<u32>,
    #[serde(default)]
    spent: i32,
    #[serde(default)]
    turns: i32,
    #[serde(default)]
    shot: Option<Hex>,
    #[serde(default)]
    acted: bool,
    #[serde(default)]
    stirred: bool,
}

/// A division of a case.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Markers {
    fatigue: i32,
    strategic: bool,
    stopped: bool,
    finished: bool,
    again: bool,
    drawn: bool,
    worked: bool,
    marched: bool,
    picked: bool,
    fought: bool,
    waits: bool,
    arriving: bool,
    passed: bool,
    independent: bool,
}

/// The command that acts in a case.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Acts {
    side: SideId,
    lim: String,
    extra: bool,
    pick: bool,
    reinforcement: bool,
    independent: bool,
    by: Option<Breakdown>,
    todo: Vec<String>,
    modes: BTreeMap<String, Mode>,
    division: Option<String>,
    step: Step,
    must: BTreeSet<String>,
}

/// The position of a case: nothing on the map but what it names.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Before {
    /// The set-up of the scenario instead.
    setup: bool,
    turn: Option<u32>,
    at: Option<String>,
    nth: u32,
    acts: Option<Acts>,
    units: BTreeMap<String, Piece>,
    leaders: BTreeMap<String, Hex>,
    divisions: BTreeMap<String, Markers>,
    /// Names of divisions and corps whose LIMs are in the pool; `R-french` of reinforcements, `I-french` the Independent one.
    pool: Vec<String>,
    /// Those that have not been drawn.
    cup: Vec<String>,
    first: Option<SideId>,
    wishes: BTreeMap<SideId, Wishes>,
    places: BTreeMap<String, SideId>,
    dead: Vec<String>,
    /// A field of clear ground on one level.
    clear: bool,
    levels: BTreeMap<Hex, i8>,
    /// All rows down to one on a level: `{11: 3, 34: 1}`.
    rows: BTreeMap<i16, i8>,
    ground: BTreeMap<Hex, String>,
    sides: BTreeMap<Hexside, Bank>,
    roads: Vec<Vec<Hex>>,
    /// Scores of other scenarios.
    breakpoints: BTreeMap<String, usize>,
    /// 11.2 Divisions without a Breakpoint.
    exempt: Vec<String>,
    /// 4.5.3 The divisions of Independent LIMs.
    independent: BTreeMap<SideId, Vec<String>>,
    /// 14.2 Other Entry Areas of divisions that are late.
    delayed_entry: BTreeMap<String, u8>,
    /// H.1 What is hidden, and the visibility.
    sight: Sight,
    visibility: Vec<Visibility>,
    /// H.1 Units that have acted in this activation.
    shown: BTreeSet<String>,
}

/// Boards of scenarios, read once for many cases.
static BOARDS: LazyLock<Shelf<Board>> = LazyLock::new(Shelf::default);

/// The position of a case.
///
/// # Errors
/// What it names and the scenario lacks.
pub fn arrange(files: &Files, before: serde_json::Value) -> Result<Base<GreatBattles>, String> {
    let before: Before = serde_json::from_value(before).map_err(|e| e.to_string())?;
    let mut board = BOARDS.board(files, Board::read)?;
    draw(&mut board, &before)?;
    let mut s = State::empty(board);
    if before.setup {
        let board = s.board.clone();
        setup(&board).iter().for_each(|event| event::apply(&mut s, event));
    }
    s.turn = before.turn.unwrap_or(s.turn);
    (s.nth, s.first) = (before.nth, before.first.clone());
    s.at = match before.at.as_deref() {
        None | Some("act") => At::Act,
        Some("open") => At::Open,
        Some("change") => At::Change,
        Some("initiative") => At::Initiative,
        Some("close") => At::Close,
        Some(side) => At::Others(side.into()),
    };
    stand(&mut s, &before)?;
    command(&mut s, &before);
    acts(&mut s, before.acts.as_ref());
    s.shown.extend(before.shown.iter().cloned());
    super::eyes::mark(&mut s);
    let nothing = State { seen: BTreeMap::new(), ..s.clone() };
    let minds = minds(&s, &s.places, |mind, side| {
        let told = told::sight_of(&nothing, &Event::Opened, &s, mind, side);
        told.iter().for_each(|told| told::recall(mind, told));
    });
    Ok(Base { state: s, minds, counts: Counts::default() })
}

/// The ground of a case.
fn draw(board: &mut Board, before: &Before) -> Result<(), String> {
    let ground = &mut board.ground;
    if before.clear {
        ground.field.flatten();
        ground.sides.clear();
    }
    for (hex, cell) in ground.field.cells.iter_mut() {
        if let Some((_, level)) = before.rows.iter().find(|(row, _)| hex.row <= **row) {
            cell.level = *level;
        }
    }
    ground.field.raise(&before.levels)?;
    for (hex, kind) in &before.ground {
        ground.field.cells.get_mut(hex).ok_or_else(|| format!("there is no hex {hex}"))?.ground.clone_from(kind);
    }
    for (side, bank) in &before.sides {
        ground.sides.entry(*side).or_default().insert(*bank);
    }
    for road in &before.roads {
        let sides = road.windows(2).filter_map(|pair| Hexside::between(*pair.first()?, *pair.last()?));
        ground.field.roads.extend(sides);
    }
    board.hide(before.sight);
    if !before.visibility.is_empty() {
        board.scenario.visibility.clone_from(&before.visibility);
    }
    board.scenario.independent.extend(before.independent.clone());
    for arrival in &mut board.scenario.reinforcements {
        let other = arrival.divisions.iter().find_map(|id| before.delayed_entry.get(id));
        arrival.delayed_entry = other.copied().or(arrival.delayed_entry);
    }
    for division in &before.exempt {
        if let Some(division) = board.divisions.get_mut(division) {
            division.breakpoint = None;
        }
    }
    for (division, level) in &before.breakpoints {
        if let Some(division) = board.divisions.get_mut(division) {
            division.breakpoint = Some(*level);
        }
    }
    Ok(())
}

fn stand(s: &mut State, before: &Before) -> Result<(), String> {
    for (id, piece) in &before.units {
        let size = s.kind(id).ok_or_else(|| format!("there is no unit {id}"))?.hexes;
        let pose = Pose { size, second: piece.second, ..Pose::at(piece.at, piece.face, piece.form) };
        event::apply(s, &Event::Stands { unit: id.clone(), pose });
        let Some(unit) = s.units.get_mut(id) else { continue };
        (unit.lost, unit.level, unit.ran) = (piece.lost, piece.level, piece.ran || piece.level == Level::Rout);
        (unit.blown, unit.recovering) = (piece.blown, piece.recovering);
        (unit.fired, unit.out, unit.acted, unit.stirred) = (piece.fired, piece.out, piece.acted, piece.stirred);
        unit.under = piece.under.unwrap_or(unit.under);
    }
    for id in &before.dead {
        s.units.entry(id.clone()).or_default().gone = true;
    }
    for (id, hex) in &before.leaders {
        if s.chief(id).is_none() {
            return Err(format!("there is no leader {id}"));
        }
        s.leaders.entry(id.clone()).or_default().hex = Some(*hex);
    }
    Ok(())
}

fn lim(s: &State, name: &str) -> Lim {
    match (name.strip_prefix("R-"), name.strip_prefix("I-")) {
        (Some(side), _) => Lim::Reinforcement(side.into()),
        (_, Some(side)) => Lim::Independent(side.into()),
        _ => pool::named(s, name),
    }
}

fn command(s: &mut State, before: &Before) {
    for (id, m) in &before.divisions {
        let c = s.commands.entry(id.clone()).or_default();
        (c.fatigue, c.strategic, c.stopped, c.finished) = (m.fatigue, m.strategic, m.stopped, m.finished);
        (c.again, c.drawn, c.worked, c.marched, c.picked) = (m.again, m.drawn, m.worked, m.marched, m.picked);
        (c.fought, c.waits, c.arriving, c.passed) = (m.fought, m.waits, m.arriving, m.passed);
        c.independent = m.independent;
    }
    s.pool.extend(before.pool.iter().map(|name| lim(s, name)).collect::<Vec<_>>());
    s.cup.extend(before.cup.iter().map(|name| lim(s, name)).collect::<Vec<_>>());
    s.wishes.extend(before.wishes.clone());
    s.places.extend(before.places.clone());
    if !before.setup {
        let waits: Vec<String> = before.divisions.iter().filter(|(_, m)| m.waits).map(|(id, _)| id.clone()).collect();
        s.commands.iter_mut().for_each(|(id, c)| c.waits = waits.contains(id));
    }
    for (id, piece) in &before.units {
        let shot_at = piece.shot.into_iter().flat_map(|hex| s.stack(hex)).collect();
        if let Some(unit) = s.units.get_mut(id) {
            unit.going.spent = piece.spent;
            unit.going.turns = piece.turns;
            (unit.going.shot, unit.going.shot_at) = (piece.shot, shot_at);
        }
    }
}

/// The command that acts; its units in its divisions are ready, but for those that are Out of Command.
fn acts(s: &mut State, acts: Option<&Acts>) {
    let Some(a) = acts else { return };
    let named = match () {
        () if a.extra => Lim::Extra(a.lim.clone()),
        () if a.pick && s.board.kinds.contains_key(&a.lim) => Lim::Lone(a.lim.clone()),
        () if a.pick => Lim::Pick(a.lim.clone()),
        () if a.reinforcement => Lim::Reinforcement(a.side.clone()),
        () if a.independent => Lim::Independent(a.side.clone()),
        () => pool::named(s, &a.lim),
    };
    let lone = matches!(named, Lim::Lone(_));
    let ready: Vec<(String, i32, BTreeSet<String>)> = s
        .counters()
        .filter(|(id, u, _)| a.modes.contains_key(s.division(id)) && !u.out && u.level != Level::Rout)
        .map(|(id, _, pose)| {
            let mode = a.modes.get(s.division(id)).copied().unwrap_or(Mode::Full);
            let faced = pose.hexes().into_iter().flat_map(|hex| s.fronts_on(hex, &a.side)).collect();
            (id.clone(), command::allowance(s, id, mode, lone), faced)
        })
        .collect();
    for (id, ma, faced) in ready {
        if let Some(unit) = s.units.get_mut(&id) {
            unit.going = Going { ready: true, ma, faced, ..unit.going.clone() };
        }
    }
    s.near = command::within(s, &named);
    let fresh = pool::acting(s, a.side.clone(), named, a.by);
    s.acting = Some(Acting {
        todo: a.todo.clone(),
        modes: a.modes.clone(),
        division: a.division.clone().or_else(|| a.modes.keys().next().cloned()),
        step: if a.step == Step::Attempt && !a.modes.is_empty() && a.todo.is_empty() { Step::Movement } else { a.step },
        must: a.must.clone(),
        ..*fresh
    });
}

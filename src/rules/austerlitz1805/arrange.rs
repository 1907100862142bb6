//! Positions for rule cases: a scenario's board with the units that a case names.

use super::board::{Board, UnitId};
use super::event::{self, Event, Fact};
use super::load::{default_form, fits};
use super::mist::{Boxed, Chit, ChitId, Quota};
use super::solo::mind::Mind;
use super::state::{At, State, Step};
use super::strategic::Flow;
use super::table::{Combat, Formation, Mark, Mood, Pose};
use super::{Austerlitz, Intel, load, opened};
use crate::fog::SideId;
use crate::plane::Spot;
use crate::rules::Files;
use crate::rules::cx::{Base, Counts};
use crate::rules::shelf::Shelf;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The position of a case. What is not named stays as the scenario sets it up.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Before {
    /// Takes every unit of the scenario off first.
    bare: bool,
    turn: Option<u32>,
    /// `rally french`, `own french`, `musketry french`, `combat french`: the side whose player-turn it is.
    at: Option<String>,
    step: Option<Step>,
    /// Range of sight in thousandths of a UM; 0 for none.
    sight: Option<i32>,
    units: BTreeMap<String, UnitBefore>,
    combats: Vec<Combat>,
    control: BTreeMap<String, String>,
    /// Units lost before.
    lost: Vec<String>,
    /// 19 Units off the map, and the turn in which they come back.
    away: BTreeMap<String, u32>,
    /// The side that has held all targets, and for how many turns.
    targets: Option<(String, u32)>,
    /// Advanced rules.
    options: Option<super::board::Options>,
    /// Another flow than the scenario's.
    flow: Option<Flow>,
    /// Chits on the map, by their names.
    chits: BTreeMap<String, ChitBefore>,
    /// Areas of corps, by side.
    corps: BTreeMap<String, BTreeMap<String, String>>,
    /// New chits and columns of a side in this fog turn.
    quota: BTreeMap<String, Quota>,
    /// Combat has started.
    begun: bool,
    /// The assault on the Pratzenberg has begun.
    assault: bool,
    /// Decoys uncovered so far, by side.
    decoys_spent: BTreeMap<String, usize>,
    /// 22.1 Sides that the solo rules lead.
    solo: Vec<String>,
    /// What the solo rules keep of a side.
    np: BTreeMap<String, Mind>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChitBefore {
    side: String,
    number: u8,
    at: Spot,
    #[serde(default)]
    units: Vec<String>,
    #[serde(default)]
    spent: i32,
    #[serde(default)]
    passed: Vec<(String, u32)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct UnitBefore {
    /// `x,y@way`.
    at: Option<String>,
    form: Option<Formation>,
    mood: Option<Mood>,
    steps: Option<u8>,
    with: Option<String>,
    marks: Vec<Mark>,
    spent: i32,
}

/// Boards that cases have used.
static BOARDS: LazyLock<Shelf<Board>> = LazyLock::new(Shelf::default);

/// Builds the base of a case.
///
/// # Errors
/// What the position names and the board lacks.
pub fn arrange(files: &Files, before: serde_json::Value) -> Result<Base<Austerlitz>, String> {
    let before: Before = serde_json::from_value(before).map_err(|e| format!("before: {e}"))?;
    let mut board = BOARDS.board(files, load::board)?;
    if let Some(options) = before.options {
        board.options = options;
    }
    if before.flow.is_some() {
        board.flow = before.flow;
    }
    board.solo.extend(before.solo.into_iter().map(SideId));
    let (mut state, events) = opened(board);
    events.iter().for_each(|e| event::apply(&mut state, e));
    if before.bare {
        state.table.units.clear();
    }
    state.table.turn = before.turn.unwrap_or(state.table.turn);
    if let Some(sight) = before.sight {
        state.table.sight = (sight > 0).then_some(sight);
    }
    place(&mut state, &before.units)?;
    state.table.combats = before.combats;
    for (place, side) in before.control {
        state.table.control.insert(place, SideId(side));
    }
    state.table.away = before.away.into_iter().map(|(unit, due)| (UnitId(unit), due)).collect();
    state.table.lost = before.lost.into_iter().map(UnitId).collect();
    state.all_targets = before.targets.map(|(side, turns)| (SideId(side), turns));
    fog(&mut state, before.chits, before.corps)?;
    for (side, quota) in before.quota {
        state.hidden.entry(SideId(side)).or_default().quota = Some(quota);
    }
    for (side, spent) in before.decoys_spent {
        state.hidden.entry(SideId(side)).or_default().decoys_spent = spent;
    }
    for (side, np) in before.np {
        state.hidden.entry(SideId(side)).or_default().np = np;
    }
    state.table.mist.begun = before.begun;
    state.table.mist.assault = before.assault;
    if let Some(at) = before.at {
        state.at = stage(&at)?;
    }
    state.step = before.step.unwrap_or(Step::Rally);
    let minds = state.table.board.sides.iter().map(|s| (s.id.clone(), Intel::default())).collect();
    Ok(Base { state, minds, counts: Counts::new() })
}

/// 16.4 Chits, boxes and strategic maps.
fn fog(
    state: &mut State,
    chits: BTreeMap<String, ChitBefore>,
    corps: BTreeMap<String, BTreeMap<String, String>>,
) -> Result<(), String> {
    for (name, wanted) in chits {
        let (id, side) = (ChitId(name.clone()), SideId(wanted.side));
        let at = wanted.at;
        let units: Vec<UnitId> = wanted.units.into_iter().map(UnitId).collect();
        if let Some(unit) = units.iter().find(|u| !state.table.board.units.contains_key(*u)) {
            return Err(format!("{name}: there is no unit {unit}"));
        }
        let chit = Chit { side: side.clone(), at, spent: wanted.spent };
        state.table.mist.chits.insert(id.clone(), chit);
        *state.table.mist.made.entry(side.clone()).or_default() += 1;
        let boxed = Boxed { units, chit: id, passed: wanted.passed };
        state.hidden.entry(side).or_default().boxes.insert(wanted.number, boxed);
    }
    for (side, corps) in corps {
        for (corps, area) in corps {
            if state.table.board.zone(&area).is_none() {
                return Err(format!("there is no area {area}"));
            }
            state.hidden.entry(SideId(side.clone())).or_default().corps.insert(corps, area);
        }
    }
    Ok(())
}

fn stage(text: &str) -> Result<At, String> {
    match text {
        "deploy" => return Ok(At::Deploy),
        "dawn" => return Ok(At::Dawn),
        "fog" => return Ok(At::Fog),
        _ => {}
    }
    let (word, side) = text.split_once(' ').ok_or_else(|| format!("\"{text}\": a phase and a side"))?;
    let side = SideId(side.to_owned());
    match word {
        "rally" => Ok(At::Rally(side)),
        "own" => Ok(At::Own(side)),
        "musketry" => Ok(At::Musketry(side)),
        "combat" => Ok(At::Close(side)),
        _ => Err(format!("\"{word}\" is no phase: deploy, dawn, fog, rally, own, musketry, combat")),
    }
}

fn place(state: &mut State, units: &BTreeMap<String, UnitBefore>) -> Result<(), String> {
    for (name, wanted) in units.iter().filter(|(_, w)| w.with.is_none()) {
        let id = UnitId(name.clone());
        let spec = state.table.board.units.get(&id).ok_or_else(|| format!("there is no unit {name}"))?;
        let form = wanted.form.unwrap_or_else(|| default_form(spec.arm));
        if !fits(spec.arm, form) {
            return Err(format!("{name} can't be {}", form.word()));
        }
        let pose = match &wanted.at {
            Some(at) => Pose::try_from(at.clone())?,
            None => state.table.unit(&id).map(|u| u.pose).ok_or_else(|| format!("{name} has no place"))?,
        };
        set(state, &id, None, pose, form, wanted);
    }
    for (name, wanted) in units.iter().filter(|(_, w)| w.with.is_some()) {
        let id = UnitId(name.clone());
        let with = UnitId(wanted.with.clone().unwrap_or_default());
        let pose = state.table.unit(&with).map(|u| u.pose).ok_or_else(|| format!("{name}: {with} is not placed"))?;
        set(state, &id, Some(with), pose, Formation::Staff, wanted);
    }
    let t = &state.table;
    for (a, _) in t.standing() {
        for (b, _) in t.standing().filter(|(b, _)| *b > a) {
            if t.shape(a).overlaps(&t.shape(b)) {
                return Err(format!("{a} and {b} overlap"));
            }
        }
    }
    Ok(())
}

fn set(state: &mut State, id: &UnitId, with: Option<UnitId>, pose: Pose, form: Formation, wanted: &UnitBefore) {
    let set = Fact::Set { unit: id.clone(), with, pose, form };
    event::apply(state, &Event::Open(set));
    if let Some(unit) = state.table.units.get_mut(id) {
        unit.mood = wanted.mood.unwrap_or(Mood::Fit);
        unit.steps = wanted.steps.unwrap_or(unit.steps);
        unit.marks.extend(&wanted.marks);
        unit.spent = wanted.spent;
    }
}

//! What a side may know. Where the table lies open: all but what the other side wants; H in double-blind play what it sees.

use super::board::{Board, Kind, other};
use super::eyes::{self, TOUCH, band, tagged};
use super::pool;
use super::pose::{Form, Hour, Pose};
use super::state::{Command, Leader, Level, State, Unit};
use crate::fog::{SideId, Viewer};
use crate::rules::tactical::eyes::Seen;
use crate::rules::tactical::tags::{Contact, Intel};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// H.2 As strong as a counter without a face is taken to be.
const UNKNOWN: i32 = 5;

/// What a side may know now.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct View {
    /// Who looks.
    pub side: SideId,
    /// The table as it knows it; enemies by their tags.
    pub state: State,
    /// H.2 Enemies that are out of sight, as they were last seen.
    pub ghosts: Vec<(String, Contact)>,
    /// H.2 Tags of counters without a face: how they stand is not known.
    pub blurred: BTreeSet<String>,
}

/// What a viewer may know.
pub fn view(truth: &State, mind: &Intel, viewer: &Viewer) -> View {
    let Viewer::Side(side) = viewer else {
        return View { state: truth.clone(), ..View::default() };
    };
    if !eyes::veiled(truth) {
        let mut state = truth.clone();
        state.wishes.retain(|of, _| of == side);
        return View { side: side.clone(), state, ..View::default() };
    }
    let (mut state, mut blurred) = (own(truth, mind, side), BTreeSet::new());
    for (id, seen) in truth.seen.get(side).into_iter().flatten() {
        let tag = tagged(seen.tag);
        if eyes::faceless(truth, *seen) {
            blurred.insert(tag.clone());
        }
        if let Some(unit) = outside(truth, id, *seen) {
            state.units.insert(tag.clone(), unit);
            state.strangers.insert(tag, (other(side), stranger(truth, id, *seen)));
        }
    }
    View { side: side.clone(), state, ghosts: mind.last_seen(), blurred }
}

/// H.7, H.11 What a side knows without seeing an enemy's unit: what is public, and what is its own. Each field is taken by
/// itself, so that a new one is hidden until somebody has thought of it.
fn own(truth: &State, mind: &Intel, side: &SideId) -> State {
    let board = &truth.board;
    let mine = |division: &str| board.side_of(division) == Some(side);
    let theirs = eyes::leaders(truth, side);
    let leaves = board.scenario.victory.exits.as_ref().map(|exits| &exits.side);
    let leader = |(id, l): (&String, &Leader)| {
        if truth.chief(id).is_some_and(|chief| chief.side == *side) {
            return Some((id.clone(), l.clone()));
        }
        theirs.get(id).map(|hex| (id.clone(), Leader { hex: Some(*hex), ..Leader::default() }))
    };
    // 5.2.1 Who has come near without being seen is not told before the marker comes off.
    let command = |(id, c): (&String, &Command)| (id.clone(), Command { caught: false, ..c.clone() });
    let lims = |lims: &std::collections::BTreeSet<super::state::Lim>| {
        lims.iter().filter(|lim| pool::side(truth, lim) == Some(side)).cloned().collect()
    };
    State {
        board: board.clone(),
        turn: truth.turn,
        at: truth.at.clone(),
        nth: truth.nth,
        units: truth
            .units
            .iter()
            .filter(|(id, _)| truth.is_of(id, side))
            .map(|(id, u)| (id.clone(), named(truth, side, u)))
            .collect(),
        leaders: truth.leaders.iter().filter_map(leader).collect(),
        commands: truth.commands.iter().filter(|(id, _)| mine(id)).map(command).collect(),
        pool: lims(&truth.pool),
        cup: lims(&truth.cup),
        first: truth.first.clone(),
        near: truth.near.iter().filter(|id| truth.board.side_of(id) == Some(side)).cloned().collect(),
        acting: truth.acting.clone().filter(|acting| acting.side == *side),
        wishes: truth.wishes.iter().filter(|(of, _)| *of == side).map(|(of, w)| (of.clone(), w.clone())).collect(),
        places: mind.towns.clone(),
        // 11.3 Who has left the map is known to his own side.
        exited: if leaves == Some(side) { truth.exited } else { 0 },
        over: truth.over.clone(),
        ..State::default()
    }
}

/// H.7 A unit of the side's own: those at whom it has fired by the names by which it knows them.
fn named(truth: &State, side: &SideId, u: &Unit) -> Unit {
    let mut own = u.clone();
    own.going.shot_at = u.going.shot_at.iter().filter_map(|id| eyes::name(truth, side, id)).collect();
    own
}

/// H.2 A unit as it looks: how it stands, and whether it runs; without a face, where it is alone.
fn outside(truth: &State, id: &str, seen: Seen) -> Option<Unit> {
    let (u, _, pose) = truth.on(id)?;
    if eyes::faceless(truth, seen) {
        return Some(Unit { pose: Some(unknown(pose)), ..Unit::default() });
    }
    let level = if u.level == Level::Rout { Level::Rout } else { Level::Good };
    Some(Unit { pose: Some(pose), level, under: u.under, ..Unit::default() })
}

/// H.2, H.12 How a counter without a face stands, for all that is known: of a large one in which hexes, and not with which of
/// them it leads. That skirmishers are spread would tell their formation.
pub(super) fn unknown(pose: Pose) -> Pose {
    let mut hexes = Pose { second: None, ..pose }.hexes();
    if hexes.first() > hexes.last() {
        hexes.reverse();
    }
    let head = hexes.first().copied().unwrap_or(pose.head);
    let tail = hexes.get(1).and_then(|next| head.dir_to(*next));
    // A column's tail lies behind it.
    let hour = tail.map_or(Hour::from(12), |dir| Hour::of(dir).on(6));
    Pose { size: pose.size, hour, ..Pose::at(head, 12, Form::Column) }
}

/// H.2 What is known of a counter: its arm and how strong it looks; beside it its name and its SP.
fn stranger(truth: &State, id: &str, seen: Seen) -> Kind {
    let arm = truth.kind(id).map(|kind| kind.arm).unwrap_or_default();
    let hexes = truth.pose(id).map_or(1, |pose| pose.size);
    if eyes::faceless(truth, seen) {
        return Kind { arm, sp: UNKNOWN, hexes, ..Kind::default() };
    }
    let sp = truth.sp(id);
    if seen.near <= TOUCH {
        return Kind { name: id.to_owned(), arm, sp, hexes, ..Kind::default() };
    }
    Kind { arm, sp: band(sp).1, hexes, ..Kind::default() }
}

/// Units in three characters on the map, each its own; a tag stands for itself.
pub fn codes(v: &View) -> Arc<BTreeMap<String, String>> {
    v.state.board.codes.answer(|()| true, || ((), coded(&v.state.board)))
}

fn coded(board: &Board) -> BTreeMap<String, String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut found = BTreeMap::new();
    for id in board.kinds.keys() {
        let all: Vec<char> = id.chars().filter(|c| *c != '-').collect();
        let tail = |from: usize| all.iter().skip(from).copied().collect::<Vec<char>>();
        let few = |chars: &[char]| chars.iter().take(3).collect::<String>();
        let ends = |chars: &[char]| {
            let (first, last) = (chars.first(), chars.iter().skip(chars.len().saturating_sub(2)));
            first.into_iter().chain(last).collect::<String>()
        };
        let short = tail(1);
        let lettered = short.iter().any(|c| c.is_ascii_alphabetic());
        let mut tries = vec![few(&all)];
        if all.len() > 3 {
            tries = if lettered && short.len() <= 3 { vec![few(&short)] } else { Vec::new() };
            tries.extend([ends(&all), ends(&short), few(&short), few(&all)]);
            let first = all.first().copied().unwrap_or('?');
            tries.extend(('a'..='z').map(|c| [first, c, all.last().copied().unwrap_or('1')].iter().collect()));
        }
        let code = tries.iter().find(|code| !taken.contains(*code)).or(tries.first()).cloned().unwrap_or_default();
        taken.insert(code.clone());
        found.insert(id.clone(), code);
    }
    found
}

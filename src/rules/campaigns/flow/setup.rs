//! ¶47, 417-429 Set-up from the scenario, and the vedettes that nobody placed (¶24, D-02).

use super::event::{Partly, Quiet};
use super::next_vedette;
use super::told::Open;
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::rules::campaigns::board::{Board, Objective, SideSetup, UnitId, UnitSpec};
use crate::rules::campaigns::pieces::{Pieces, Vedette};
use crate::rules::campaigns::redoubts::Redoubt;
use crate::rules::campaigns::sequence::{At, TrestleJob};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::{Conditions, Weather};
use crate::rules::campaigns::{Campaigns, event, march};
use crate::rules::cx::Cx;
use crate::shared::Shared;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// ¶417-429: the state before anything stands on the map, and the events that set it up.
pub fn open(board: Board) -> (State, Vec<event::Event>) {
    let sides: BTreeMap<SideId, Pieces> = board.sides.iter().map(|s| (s.id.clone(), Pieces::none(&s.id))).collect();
    let mut events = Vec::new();
    for spec in &board.sides {
        if let Some(setup) = board.setup.get(&spec.id) {
            place_side(&board, &spec.id, setup, &mut events);
        }
    }
    for edge in &board.damaged {
        events.push(Partly::bridge(*edge, true).into());
    }
    for objective in &board.objectives {
        if let Some(side) = first_holder(&board, objective) {
            events.push(Open::Control { hex: objective.hex, side }.into());
        }
    }
    let weather = weather_before(&board);
    let start = board.tables.morale.start;
    let tracks = board.tables.morale.tracks().map(|side| (side, start)).collect();
    let state = State {
        board: Arc::new(board),
        turn: 0,
        at: At::Setup,
        last_weather: weather.clone(),
        weather,
        sides,
        damaged: Shared::default(),
        pontoons: Shared::default(),
        trestles: Shared::default(),
        trains: Shared::default(),
        morale: start,
        tracks,
        control: Shared::default(),
        credited: Shared::default(),
        face_up: Shared::default(),
        phase: Shared::default(),
        battles: Shared::default(),
        sieges: BTreeSet::new(),
        couriers: Shared::default(),
        last_courier: BTreeMap::new(),
        over: None,
    };
    let (spanned, dug) = (trestles(&state.board), redoubts(&state.board));
    (state, spanned.into_iter().chain(events).chain(dug).collect())
}

/// ¶61 Trestles that stand at the start, before what is damaged of them is.
fn trestles(board: &Board) -> Vec<event::Event> {
    let build = |edge: &Hexside| march::told::Open::Trestle { edge: *edge, job: TrestleJob::Build }.into();
    board.trestles.iter().map(build).collect()
}

/// ¶295 Redoubts that lie on the map at the start.
fn redoubts(board: &Board) -> Vec<event::Event> {
    let all =
        board.redoubts.iter().flat_map(|(side, of_side)| of_side.iter().map(move |(hex, found)| (side, hex, found)));
    let event = |(side, hex, found): (&SideId, &Hex, &Redoubt)| {
        let (side, faces, left) = (side.clone(), found.faces.clone(), found.left);
        march::told::Open::Redoubt { side, hex: *hex, faces, left }.into()
    };
    all.map(event).collect()
}

/// ¶70: the weather of the turn before the first, which picks the column of the first roll.
fn weather_before(board: &Board) -> Conditions {
    let before = board.turns.0.checked_sub(1).and_then(|turn| board.historical_weather.get(&turn));
    before.and_then(|text| Conditions::parse(text)).unwrap_or_else(|| Conditions::of(&[Weather::Fair]))
}

/// Who holds an objective before the first turn: whoever stands there, else the only side that gains nothing by taking
/// it. Holding it to the end brings him no points, since points are for capture (house).
pub fn first_holder(board: &Board, objective: &Objective) -> Option<SideId> {
    let stands = |setup: &SideSetup| {
        setup.source == objective.hex
            || setup.center == objective.hex
            || setup.forces.iter().any(|force| force.hex == objective.hex)
    };
    let here: Vec<&SideId> = board.setup.iter().filter(|(_, setup)| stands(setup)).map(|(side, _)| side).collect();
    let nothing = |side: &&SideId| objective.points.get(*side).copied().unwrap_or(0) == 0;
    let idle: Vec<&SideId> = board.sides.iter().map(|s| &s.id).filter(nothing).collect();
    match (here.as_slice(), idle.as_slice()) {
        ([only], _) | ([], [only]) => Some((*only).clone()),
        _ => None,
    }
}

fn place_side(board: &Board, side: &SideId, setup: &SideSetup, events: &mut Vec<event::Event>) {
    let &SideSetup { ap, source, source_garrison: garrison, center, vedettes, .. } = setup;
    events.push(Quiet::Army { side: side.clone(), ap, source, garrison, center, vedettes }.into());
    armies(board, side, setup, events);
    let mut placed = BTreeSet::new();
    for force in &setup.forces {
        if let Some(leader) = &force.leader {
            placed.insert(leader.clone());
            let train = setup.bridge_trains.contains(leader);
            let (hex, under) = (Some(force.hex), force.under.clone());
            events.push(Quiet::Leader { side: side.clone(), leader: leader.clone(), hex, under, train }.into());
        }
        for (unit, sp) in &force.units {
            let garrison = force.leader.is_none().then_some(force.hex);
            let (unit, leader, sp) = (unit.clone(), force.leader.clone(), *sp);
            events.push(Quiet::Unit { side: side.clone(), unit, leader, garrison, sp }.into());
        }
    }
    // ¶115, 126, 421: March Regiments, and units that nothing calls into play, wait in the box as empty counters.
    let on_track = board.reinforcements.iter().flat_map(|r| r.units.keys());
    let called: BTreeSet<_> = setup.forces.iter().flat_map(|f| f.units.keys()).chain(on_track).collect();
    let marked = |u: &UnitSpec| u.march_regiment || u.replacement || !board.exceptions.organization.marked_replacements;
    let paris = board.special.paris.as_ref().filter(|paris| paris.side == *side);
    let training = |unit: &UnitId| paris.and_then(|paris| paris.units.get(unit));
    let spare = |u: &&UnitSpec| {
        training(&u.id).is_none() && u.side == *side && !u.garrison && marked(u) && !called.contains(&u.id)
    };
    let trained = paris.iter().flat_map(|paris| &paris.units);
    let waiting = trained.chain(board.units.values().filter(spare).map(|unit| (&unit.id, &0)));
    for (unit, sp) in waiting {
        let (unit, leader, garrison, sp) = (unit.clone(), None, None, *sp);
        events.push(Quiet::Unit { side: side.clone(), unit, leader, garrison, sp }.into());
    }
    // Reinforcements and Major Generals wait off the map (¶119, 420).
    for leader in board.leaders.values().filter(|l| l.side == *side && !placed.contains(&l.id)) {
        let (hex, under, train) = (None, None, false);
        events.push(Quiet::Leader { side: side.clone(), leader: leader.id.clone(), hex, under, train }.into());
    }
}

/// ¶93 The armies of a side with several: the first has the side's own set-up.
fn armies(board: &Board, side: &SideId, setup: &SideSetup, events: &mut Vec<event::Event>) {
    let specs = board.side(side).map(|s| s.armies.as_slice()).unwrap_or_default();
    for spec in specs {
        let (side, army) = (side.clone(), spec.id.clone());
        events.push(match setup.armies.get(&spec.id) {
            Some(apart) => {
                let (ap, source, garrison) = (apart.ap, apart.source, apart.source_garrison);
                Quiet::ArmyApart { side, army, ap, source, garrison, center: apart.center, anchor: apart.anchor }.into()
            }
            None => Quiet::ArmyNamed { side, army }.into(),
        });
    }
}

/// ¶24 (D-02): a side that placed no vedette gets one with each force nearest the enemy until half the mix is used.
pub fn default_vedettes(cx: &mut Cx<'_, Campaigns>) {
    for side in cx.state().order_of_sides() {
        let Some(pieces) = cx.state().pieces(&side) else { continue };
        if !pieces.vedettes.values().all(|v| *v == Vedette::Pool) {
            continue;
        }
        let most = pieces.vedettes.len() / 2;
        for hex in nearest_hexes(cx.state(), &side).into_iter().take(most) {
            if let Some(n) = next_vedette(cx.state(), &side, hex) {
                cx.emit(Partly::VedettePlaced { side: side.clone(), n, hex }.into());
            }
        }
    }
}

/// Hexes of a side's forces, those nearest the enemy's printed set-up first.
fn nearest_hexes(s: &State, side: &SideId) -> Vec<Hex> {
    let Some(pieces) = s.pieces(side) else { return Vec::new() };
    let foe: Vec<Hex> =
        s.board.setup.get(&s.enemy(side)).map(|f| f.forces.iter().map(|f| f.hex).collect()).unwrap_or_default();
    let mut hexes: Vec<Hex> = pieces.on_map().filter(|(l, _)| !pieces.unemployed(l)).map(|(_, h)| h).collect();
    hexes.sort();
    hexes.dedup();
    hexes.sort_by_key(|h| (foe.iter().map(|f| h.distance(*f)).min().unwrap_or(0), *h));
    hexes
}

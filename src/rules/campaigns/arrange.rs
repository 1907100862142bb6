//! Positions for rule cases: a scenario's board with the pieces that a case names, and the clock of play where it wants it.

mod armies;

use super::board::{Arm, Board, LeaderId, UnitId};
use super::combat::clause;
use super::flow::{event as flow_event, setup};
use super::intel::Intel;
use super::pieces::{AdminMarch, Leader, Piece, Pieces, Place, Track, Unit, Vedette};
use super::redoubts::Redoubt;
use super::sequence::{At, PhaseLog, Segment};
use super::state::State;
use super::tables::Conditions;
use super::view::View;
use super::{Campaigns, load};
use crate::fog::{SeatId, SideId, Viewer, see};
use crate::hex::{Hex, Hexside};

use super::dispatch::Courier;
use crate::orders::{self, Args};
use crate::rules::cx::{Base, Counts};
use crate::rules::shelf::Shelf;
use crate::rules::staff::Rates;
use crate::rules::{Files, Ruleset};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The position of a case. All fields are optional; what is not named stays as the scenario sets it up.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Before {
    /// Takes every piece of the scenario off first, but centers, sources and vedettes in the pool.
    bare: bool,
    turn: Option<u32>,
    /// `setup`, `weather`, `packet french`, `own french`, `close_move french`, `reaction french` (the phasing side is
    /// named), `designate french`, `round french 1`, `close french`.
    at: Option<String>,
    /// `administration`, `organization`, `reinforcements`, `commands`, `initiative`.
    segment: Option<Segment>,
    weather: Option<String>,
    last_weather: Option<String>,
    morale: Option<i32>,
    /// Where each side's marker stands, where each has a track.
    tracks: BTreeMap<String, i32>,
    damaged: Vec<String>,
    repaired: Vec<String>,
    /// Hexside to the side whose pontoon lies there.
    pontoons: BTreeMap<String, String>,
    /// Hexsides with a trestle; one that is down is named under `damaged` too.
    trestles: Vec<String>,
    /// Hex to the side whose bridge train lies there.
    trains: BTreeMap<String, String>,
    sides: BTreeMap<String, SideBefore>,
    /// `french leader lannes` or `french vedette 1`.
    face_up: Vec<String>,
    /// Objective hex to side.
    control: BTreeMap<String, String>,
    sieges: Vec<String>,
    /// The army whose phase it is, where the armies of a side have phases of their own.
    phase_of: Option<String>,
    /// Force leaders that have acted in this phase.
    acted: Vec<String>,
    entered: BTreeMap<String, String>,
    /// Failed repulses: force leader to the hexes he must attack.
    repulse_failed: BTreeMap<String, Vec<String>>,
    /// Couriers between seats of one side, on their way.
    couriers: Vec<CourierBefore>,
    /// Policies switched for this case.
    options: BTreeMap<String, bool>,
    /// Limits set for this case.
    limits: BTreeMap<String, i32>,
}

/// A courier of a position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CourierBefore {
    side: String,
    n: u32,
    from: String,
    to: String,
    /// The leaders with the first of whom on the map the reader is; none for the center.
    #[serde(default)]
    targets: Vec<String>,
    at: String,
    #[serde(default)]
    rides: u32,
    rates: Rates,
    text: String,
    #[serde(default)]
    orders: Vec<String>,
}

/// One side of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SideBefore {
    ap: Option<i32>,
    /// What the title gives this side: the end of its AP track, markers of its pool, vedettes with each force.
    ap_max: Option<i32>,
    pool_markers: Option<Vec<Arm>>,
    vedettes_per_force: Option<u32>,
    /// Leaders whom the scenario offers as replacements.
    replacement_leaders: Vec<String>,
    source: Option<String>,
    source_garrison: Option<i32>,
    source_captured: bool,
    source_moving: Option<String>,
    center: Option<String>,
    center_off: bool,
    center_moved: bool,
    /// Redoubts by hex: the hexes that each fronts, such as `0604 0605`, or `0604 left 2` where it is not finished.
    redoubts: BTreeMap<String, String>,
    /// The source toward which the center is to flee.
    flight: Option<String>,
    /// Turn on which a disbanded center may return.
    center_returns: Option<u32>,
    /// Vedettes in the pool for want of a dispatch: number to the turn and the hex where it stood, such as `2 0405`.
    vedettes_away: BTreeMap<u32, String>,
    /// Reinforcements that have come.
    arrived: Vec<String>,
    /// Vedettes on the map before those of the Fog came.
    before_fog: Option<u32>,
    /// The Administrative March under way: the leader, the turn on which he set out, the hexes ahead, in one line.
    admin_march: Option<String>,
    /// More of them.
    admin_marches: Vec<String>,
    /// The turn on which the source marker was turned over.
    source_since: Option<u32>,
    /// Places whose AP have come, and own stores that the enemy has entered.
    prizes: Vec<String>,
    raided: Vec<String>,
    /// Citadels revictualled, and on which turn.
    revictualled: BTreeMap<String, u32>,
    /// Its armies, where it has several.
    armies: BTreeMap<String, armies::ArmyBefore>,
    /// What has become of the pool and of the Paris Garrison (¶127-128).
    paris: armies::ParisBefore,
    /// The turn on which a commander with a successor was eliminated (¶113).
    fallen: Option<u32>,
    /// Forces that march off the map: leader to the exit, the turn on which he left, that of his return, and the hex of it
    /// if it is one only, such as `0105 1 4 1201`.
    abroad: BTreeMap<String, String>,
    /// Forces that have tried a Forced March this turn (¶63).
    forced: Vec<String>,
    leaders: BTreeMap<String, LeaderBefore>,
    garrisons: BTreeMap<String, GarrisonBefore>,
    /// Number to a hex, `pool`, or `on LEADER`.
    vedettes: BTreeMap<u32, String>,
    /// Units in the box, as empty counters.
    boxed: Vec<String>,
    /// `French infantry` to points.
    pool: BTreeMap<String, i32>,
    plans: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LeaderBefore {
    hex: Option<String>,
    under: Option<String>,
    waiting: bool,
    gone: bool,
    /// The edge hex over which he retreated off the map.
    off: Option<String>,
    /// The turn on which an eliminated leader comes back.
    gone_until: Option<u32>,
    /// Released with the honours of war until this turn.
    bound: Option<u32>,
    demoted: i32,
    /// Fifths of an SP lost and not paid for (¶268).
    steps: i32,
    forage: bool,
    train: bool,
    units: Option<BTreeMap<String, i32>>,
    immobile: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GarrisonBefore {
    hex: String,
    sp: i32,
}

/// Boards that cases have used.
static BOARDS: LazyLock<Shelf<Board>> = LazyLock::new(Shelf::default);

/// Builds the base of a case.
///
/// # Errors
/// What the position names and the board lacks.
pub fn arrange(files: &Files, before: serde_json::Value) -> Result<Base<Campaigns>, String> {
    let before: Before = serde_json::from_value(before).map_err(|e| format!("before: {e}"))?;
    let mut board = BOARDS.board(files, load::board)?;
    options(&mut board, &before.options)?;
    limits(&mut board, &before.limits)?;
    for (side, wanted) in &before.sides {
        if let Some(spec) = board.sides.iter_mut().find(|s| s.id.0 == *side) {
            spec.pool_markers = wanted.pool_markers.clone().unwrap_or_else(|| spec.pool_markers.clone());
            board.replacement_leaders.extend(wanted.replacement_leaders.iter().cloned().map(LeaderId));
            spec.ap_max = wanted.ap_max.or(spec.ap_max);
            spec.vedettes_per_force = wanted.vedettes_per_force.unwrap_or(spec.vedettes_per_force);
        }
    }
    let (mut state, events) = setup::open(board);
    for event in &events {
        Campaigns::apply(&mut state, event);
    }
    let ids: Vec<SideId> = state.order_of_sides();
    if before.bare {
        ids.iter().for_each(|side| strip(&mut state, side));
    }
    for (side, wanted) in &before.sides {
        let side = SideId(side.clone());
        let board = state.board.clone();
        let pieces = state.pieces_mut(&side).ok_or(format!("no side {side}"))?;
        place(&board, pieces, wanted)?;
        for (army, wanted) in &wanted.armies {
            armies::place(&mut state, &side, army, wanted)?;
        }
    }
    clock(&mut state, &before)?;
    couriers(&mut state, &before.couriers)?;
    ids.iter().for_each(|side| armies::trace(&mut state, side));
    if let Some(army) = &before.phase_of {
        armies::phase(&mut state, army)?;
    }
    let minds: Vec<(SideId, Intel)> = ids.iter().map(|side| (side.clone(), mind(&state, side))).collect();
    for (side, mind) in &minds {
        plans_read(see::<Campaigns>(&state, mind, Viewer::Side(side.clone())).body())?;
    }
    Ok(Base { state, minds, counts: Counts::new() })
}

/// Every clause of every plan that a case gives must be one that its side could have written: in play a plan that can no
/// longer be read is passed over, and a case with such a plan would prove nothing.
fn plans_read(v: &View) -> Result<(), String> {
    for (at, texts) in v.own.plans.iter() {
        for text in texts {
            let line = orders::line(0, text);
            let mut args = Args::new(&line, 0);
            let said = |why: String| format!("before: plans of {}, {at}: \"{text}\": {why}", v.own.side);
            clause::read(v, &mut args).map_err(|fault| said(format!("{fault:?}")))?;
            if let Some(word) = args.peek() {
                return Err(said(format!("nothing reads it from \"{}\" on", word.text)));
            }
        }
    }
    Ok(())
}

/// What a side knows at the beginning: every counter, and the faces that are up.
fn mind(state: &State, side: &SideId) -> Intel {
    let mut hidden = state.clone();
    let faces = std::mem::take(&mut hidden.face_up);
    let mut mind = Intel::default();
    let begun = flow_event::Event::Partly(flow_event::Partly::Begun);
    if let Some(told) = flow_event::sight(&hidden, &begun, &hidden, &mind, side) {
        flow_event::recall(&mut mind, &told);
    }
    for (owner, piece) in faces.iter().filter(|(owner, _)| owner != side) {
        let shown = flow_event::Partly::Shown { side: owner.clone(), piece: piece.clone() };
        if let Some(told) = flow_event::sight(&hidden, &flow_event::Event::Partly(shown), &hidden, &mind, side) {
            flow_event::recall(&mut mind, &told);
        }
    }
    mind
}

fn strip(state: &mut State, side: &SideId) {
    let Some(pieces) = state.pieces_mut(side) else { return };
    for leader in pieces.leaders.values_mut() {
        leader.place = Place::Waiting;
        leader.under = None;
        leader.train = false;
    }
    pieces.units.retain(|_, u| u.track == Track::Waiting);
}

fn place(board: &Board, pieces: &mut Pieces, wanted: &SideBefore) -> Result<(), String> {
    let army = &mut pieces.army;
    army.ap = wanted.ap.unwrap_or(army.ap);
    army.source_garrison = wanted.source_garrison.unwrap_or(army.source_garrison);
    if let Some(text) = &wanted.source {
        army.source = Some(hex(text)?);
    }
    if wanted.source_captured {
        army.source = None;
    }
    army.source_moving = wanted.source_moving.as_deref().map(hex).transpose()?;
    if let Some(text) = &wanted.center {
        army.center = Some(hex(text)?);
    }
    if wanted.center_off {
        army.center = None;
    }
    army.center_moved = wanted.center_moved;
    army.flight = wanted.flight.as_deref().map(hex).transpose()?;
    army.center_returns = wanted.center_returns.map(|turn| (turn, army.source.into_iter().collect()));
    army.arrived = wanted.arrived.iter().cloned().map(LeaderId).collect();
    army.forced = wanted.forced.iter().cloned().map(LeaderId).collect();
    wanted.paris.place(army);
    army.fallen = wanted.fallen;
    army.abroad = wanted.abroad.iter().map(armies::abroad).collect::<Result<_, String>>()?;
    army.before_fog = wanted.before_fog;
    for (at, turn) in &wanted.revictualled {
        army.revictualled.insert(hex(at)?, *turn);
    }
    for text in wanted.admin_march.iter().chain(&wanted.admin_marches) {
        let march = admin_march(text)?;
        army.admin_marches.insert(march.leader.clone(), march);
    }
    army.source_since = wanted.source_since;
    army.prizes = wanted.prizes.iter().map(|h| hex(h)).collect::<Result<BTreeSet<Hex>, String>>()?;
    army.raided = wanted.raided.iter().map(|h| hex(h)).collect::<Result<BTreeSet<Hex>, String>>()?;
    army.vedettes_away = wanted.vedettes_away.iter().map(vedette_away).collect::<Result<_, String>>()?;
    for (key, points) in &wanted.pool {
        let (nationality, arm) = key.rsplit_once(' ').ok_or(format!("pool \"{key}\": a nationality and an arm"))?;
        let arm = serde_json::from_value(arm.into()).map_err(|e| format!("pool \"{key}\": {e}"))?;
        army.pool.insert((nationality.to_owned(), arm), *points);
    }
    for (id, wanted) in &wanted.leaders {
        place_leader(board, pieces, &LeaderId(id.clone()), wanted)?;
    }
    for id in &wanted.boxed {
        let unit = UnitId(id.clone());
        board.units.get(&unit).ok_or(format!("no unit {id}"))?;
        pieces.units.insert(unit, Unit { track: Track::Waiting, sp: 0, immobile: false });
    }
    for (id, garrison) in &wanted.garrisons {
        let unit = UnitId(id.clone());
        board.units.get(&unit).ok_or(format!("no unit {id}"))?;
        let track = Track::Garrison(hex(&garrison.hex)?);
        pieces.units.insert(unit, Unit { track, sp: garrison.sp, immobile: false });
    }
    for (n, text) in &wanted.vedettes {
        let vedette = match text.split_once(' ') {
            Some(("on", leader)) => Vedette::Portrait(LeaderId(leader.to_owned())),
            _ if text == "pool" => Vedette::Pool,
            _ => Vedette::At(hex(text)?),
        };
        pieces.vedettes.insert(*n, vedette);
    }
    marks(pieces, wanted)
}

/// Redoubts and battle plans.
fn marks(pieces: &mut Pieces, wanted: &SideBefore) -> Result<(), String> {
    for (at, text) in &wanted.redoubts {
        pieces.redoubts.insert(hex(at)?, redoubt(hex(at)?, text)?);
    }
    for (at, clauses) in &wanted.plans {
        pieces.plans.insert(hex(at)?, clauses.clone());
    }
    Ok(())
}

fn redoubt(at: Hex, text: &str) -> Result<Redoubt, String> {
    let (front, left) = text.split_once(" left ").unwrap_or((text, "0"));
    let face = |near: &str| Hexside::between(at, hex(near)?).ok_or(format!("redoubts \"{text}\": not beside {at}"));
    let faces = front.split(' ').map(face).collect::<Result<BTreeSet<Hexside>, String>>()?;
    Ok(Redoubt { faces, left: left.parse().map_err(|_| format!("redoubts \"{text}\""))? })
}

fn vedette_away((n, text): (&u32, &String)) -> Result<(u32, (u32, Hex)), String> {
    let (turn, at) = text.split_once(' ').ok_or(format!("vedettes_away \"{text}\": a turn and a hex"))?;
    Ok((*n, (turn.parse().map_err(|_| format!("no turn {turn}"))?, hex(at)?)))
}

fn place_leader(board: &Board, pieces: &mut Pieces, id: &LeaderId, wanted: &LeaderBefore) -> Result<(), String> {
    board.leaders.get(id).filter(|l| l.side == pieces.side).ok_or(format!("{} has no leader {id}", pieces.side))?;
    let old = pieces.leaders.get(id).map_or(Place::Waiting, |l| l.place);
    let mut at = wanted.hex.as_deref().map(hex).transpose()?.map_or(old, Place::At);
    if wanted.waiting {
        at = Place::Waiting;
    }
    if wanted.gone {
        at = Place::Gone(None);
    }
    if wanted.gone_until.is_some() {
        at = Place::Gone(wanted.gone_until);
    }
    if wanted.bound.is_some() {
        at = Place::Bound(wanted.bound);
    }
    if let Some(exit) = wanted.off.as_deref() {
        at = Place::Off(hex(exit)?);
    }
    let under = wanted.under.clone().map(LeaderId);
    let leader = Leader {
        place: at,
        under,
        forage: wanted.forage,
        train: wanted.train,
        demoted: wanted.demoted,
        steps: wanted.steps,
    };
    pieces.leaders.insert(id.clone(), leader);
    if let Some(units) = &wanted.units {
        pieces.units.retain(|_, u| u.track != Track::Of(id.clone()));
        for (unit, sp) in units {
            let key = UnitId(unit.clone());
            board
                .units
                .get(&key)
                .filter(|u| u.side == pieces.side)
                .ok_or(format!("{} has no unit {unit}", pieces.side))?;
            let immobile = wanted.immobile.contains(unit);
            pieces.units.insert(key, Unit { track: Track::Of(id.clone()), sp: *sp, immobile });
        }
    }
    Ok(())
}

fn couriers(state: &mut State, wanted: &[CourierBefore]) -> Result<(), String> {
    for courier in wanted {
        let side = SideId(courier.side.clone());
        let at = hex(&courier.at)?;
        let found = Courier {
            side: side.clone(),
            from: SeatId(courier.from.clone()),
            to: SeatId(courier.to.clone()),
            targets: courier.targets.iter().cloned().map(LeaderId).collect(),
            origin: at,
            sent: state.turn,
            at: Some(at),
            rides: courier.rides,
            rates: courier.rates.clone(),
            text: vec![courier.text.clone()],
            orders: courier.orders.clone(),
            returns: BTreeMap::new(),
        };
        state.couriers.insert((side.clone(), courier.n), found);
        state.last_courier.insert(side, courier.n);
    }
    Ok(())
}

fn clock(state: &mut State, before: &Before) -> Result<(), String> {
    state.turn = before.turn.unwrap_or(state.board.turns.0);
    state.at = at(before.at.as_deref().unwrap_or("own french"))?;
    if let Some(text) = &before.weather {
        state.weather = Conditions::parse(text).ok_or(format!("no weather {text}"))?;
    }
    if let Some(text) = &before.last_weather {
        state.last_weather = Conditions::parse(text).ok_or(format!("no weather {text}"))?;
    }
    state.morale = before.morale.unwrap_or(0);
    if before.morale.is_some() && !state.tracks.is_empty() {
        return Err("morale: each side has a track here; write tracks".to_owned());
    }
    for (side, level) in &before.tracks {
        let marker = state.tracks.get_mut(&SideId(side.clone())).ok_or(format!("tracks: {side} has none"))?;
        *marker = *level;
    }
    for text in &before.damaged {
        state.damaged.insert(edge(text)?);
    }
    for text in &before.repaired {
        state.damaged.remove(&edge(text)?);
    }
    for (text, side) in &before.pontoons {
        state.pontoons.insert(edge(text)?, SideId(side.clone()));
    }
    for text in &before.trestles {
        state.trestles.insert(edge(text)?);
    }
    for (text, side) in &before.trains {
        state.trains.insert(hex(text)?, (SideId(side.clone()), 1));
    }
    for (at, side) in &before.control {
        state.control.insert(hex(at)?, SideId(side.clone()));
    }
    for text in &before.sieges {
        state.sieges.insert(hex(text)?);
    }
    for text in &before.face_up {
        let words: Vec<&str> = text.split(' ').collect();
        let (side, piece) = match words.as_slice() {
            [side, "leader", id] => (*side, Piece::Leader(LeaderId((*id).to_owned()))),
            [side, "vedette", n] => (*side, Piece::Vedette(n.parse().map_err(|_| format!("face_up \"{text}\""))?)),
            _ => return Err(format!("face_up \"{text}\": a side, leader or vedette, and which")),
        };
        state.face_up.insert((SideId(side.to_owned()), piece));
    }
    let mut phase = PhaseLog { segment: before.segment.unwrap_or_default(), ..PhaseLog::default() };
    phase.acted = before.acted.iter().cloned().map(LeaderId).collect();
    for (leader, at) in &before.entered {
        phase.entered.insert(LeaderId(leader.clone()), hex(at)?);
    }
    for (leader, hexes) in &before.repulse_failed {
        let hexes = hexes.iter().map(|h| hex(h)).collect::<Result<BTreeSet<Hex>, String>>()?;
        phase.repulse_failed.insert(LeaderId(leader.clone()), hexes);
    }
    state.phase = phase.into();
    Ok(())
}

fn admin_march(text: &str) -> Result<AdminMarch, String> {
    let mut words = text.split(' ');
    let (Some(leader), Some(turn)) = (words.next(), words.next().and_then(|t| t.parse().ok())) else {
        return Err(format!("admin_march \"{text}\": a leader, a turn and hexes"));
    };
    let rest = words.map(hex).collect::<Result<Vec<Hex>, String>>()?;
    Ok(AdminMarch { leader: LeaderId(leader.to_owned()), turn, rest })
}

fn at(text: &str) -> Result<At, String> {
    let words: Vec<&str> = text.split(' ').collect();
    let side = |s: &str| SideId(s.to_owned());
    Ok(match words.as_slice() {
        ["setup"] => At::Setup,
        ["weather"] => At::Weather,
        ["packet", s] => At::Packet(side(s)),
        ["own", s] => At::Own(side(s)),
        ["close_move", s] => At::CloseMove(side(s)),
        ["reaction", s] => At::Reaction(side(s)),
        ["designate", s] => At::Designate(side(s)),
        ["round", s, n] => At::Round(side(s), n.parse().map_err(|_| format!("at \"{text}\""))?),
        ["close", s] => At::Close(side(s)),
        _ => return Err(format!("at \"{text}\": no such stage")),
    })
}

fn options(board: &mut Board, wanted: &BTreeMap<String, bool>) -> Result<(), String> {
    let p = &mut board.policies;
    for (name, on) in wanted {
        let switch = match name.as_str() {
            "fog" => &mut p.fog,
            "forage" => &mut p.forage,
            "reserves" => &mut p.reserves,
            "security" => &mut p.security,
            "sound_of_guns" => &mut p.sound_of_guns,
            "rearguard" => &mut p.rearguard,
            "batteries_forward" => &mut p.batteries_forward,
            "solitaire" => &mut p.solitaire,
            "dynamics" => &mut p.dynamics,
            "split_attrition" => &mut p.split_attrition,
            "rivers_freeze" => &mut p.rivers_freeze,
            "last_sp_stays" => &mut p.last_sp_stays,
            "own_nation_units" => &mut p.own_nation_units,
            "reinforcements_plain" => &mut p.reinforcements_plain,
            _ => return Err(format!("no option {name}")),
        };
        *switch = *on;
    }
    Ok(())
}

fn limits(board: &mut Board, wanted: &BTreeMap<String, i32>) -> Result<(), String> {
    for (name, n) in wanted {
        let limit = match name.as_str() {
            "dispatch_mp" => &mut board.policies.dispatch_mp,
            "max_loc" => &mut board.policies.max_loc,
            "surrender_at_or_below" => &mut board.tables.citadels.surrender_at_or_below,
            _ => return Err(format!("no limit {name}")),
        };
        *limit = *n;
    }
    Ok(())
}

fn hex(text: &str) -> Result<Hex, String> {
    Hex::parse(text).ok_or(format!("\"{text}\" is no hex"))
}

fn edge(text: &str) -> Result<Hexside, String> {
    Hexside::parse(text).ok_or(format!("\"{text}\" is no hexside"))
}

//! Events of the sequence of play, and those that more than one chapter makes: counters that come, go, move, turn,
//! lose strength.

use super::told::{Cause, Sighting, Who, Why};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::rules::campaigns::board::{ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::intel::{Ident, Intel};
use crate::rules::campaigns::pieces::{Army, Leader, Piece, Place, Track, Unit, Vedette};
use crate::rules::campaigns::sequence::{At, PhaseLog, Segment, Victory};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::Conditions;
use crate::shared::Shared;
use serde::{Deserialize, Serialize};

/// An event of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// Set-up of an army (¶76, 92, 95).
    Army { side: SideId, ap: i32, source: Hex, garrison: i32, center: Hex, vedettes: u32 },
    /// Set-up of an army of a side after its first (¶93).
    ArmyApart { side: SideId, army: ArmyId, ap: i32, source: Option<Hex>, garrison: i32, center: Hex, anchor: bool },
    /// The first army of a side with several has its name (¶93).
    ArmyNamed { side: SideId, army: ArmyId },
    /// A phase of one army of a side begins (¶55, 62-63).
    ArmyPhase { side: SideId, army: ArmyId },
    /// Set-up of a leader: on the map, on a portrait, or waiting.
    Leader { side: SideId, leader: LeaderId, hex: Option<Hex>, under: Option<LeaderId>, train: bool },
    /// Set-up of a unit on a leader's track, as a garrison, or waiting.
    Unit { side: SideId, unit: UnitId, leader: Option<LeaderId>, garrison: Option<Hex>, sp: i32 },
    /// A bridge is damaged or repaired (¶251-254).
    Bridge { edge: Hexside, damaged: bool, by: Option<LeaderId> },
    /// Who holds an objective.
    Control { hex: Hex, side: SideId },
    /// Set-up is over; both sides see each other's counters.
    Begun,
    /// A turn begins (¶49).
    Turn { turn: u32 },
    /// The sequence of play goes on; the log of the phase is cleared.
    Stage { at: At },
    /// Sheet A reaches a later segment (¶50).
    Segment { side: SideId, segment: Segment },
    /// Weather (¶70).
    Weather { die: Option<i32>, weather: Conditions },
    /// A vedette comes onto the map (¶24, 158, 368).
    VedettePlaced { side: SideId, n: u32, hex: Hex },
    /// A vedette goes to the pool (¶87, 135).
    VedettePooled { side: SideId, n: u32 },
    /// A vedette goes onto a leader's portrait (¶368).
    VedetteOff { side: SideId, n: u32, leader: LeaderId },
    /// A counter moves one hex, with all on its portrait.
    Moved { side: SideId, piece: Piece, from: Hex, to: Hex, why: Why },
    /// A counter shows its face (¶31).
    Shown { side: SideId, piece: Piece },
    /// The leaders under a force leader who is shown stand beside him (¶31).
    Beside { side: SideId, piece: Piece, leaders: Vec<LeaderId> },
    /// A counter is turned face down (¶32).
    Hidden { side: SideId, piece: Piece },
    /// The enemy is shown the strength of a counter (¶241, 300 step 6).
    Strength { side: SideId, piece: Piece, sp: i32 },
    /// A unit loses strength; at nothing it is removed from the game (¶13, 16).
    Lost { side: SideId, unit: UnitId, sp: i32, cause: Cause },
    /// A leader without troops left leaves the map: `None` for good, or until a turn (¶42-43).
    LeaderGone { side: SideId, leader: LeaderId, until: Option<u32>, demoted: bool },
    /// A force retreats off the map from an edge hex (¶374).
    LeftMap { side: SideId, leader: LeaderId, hex: Hex },
    /// A plan for a hex is taken.
    Plan { side: SideId, hex: Hex, clauses: Vec<String> },
    /// Plans of a side are spent.
    PlansCleared { side: SideId },
    /// The game is over.
    Over { victory: Victory },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Army { side, ap, source, garrison, center, vedettes } => {
            if let Some(p) = s.pieces_mut(side) {
                p.army.ap = *ap;
                p.army.source = Some(*source);
                p.army.source_garrison = *garrison;
                p.army.center = Some(*center);
                p.vedettes = (1..=*vedettes).map(|n| (n, Vedette::Pool)).collect();
            }
        }
        Event::ArmyApart { .. } | Event::ArmyNamed { .. } | Event::ArmyPhase { .. } => army(s, e),
        Event::Leader { side, leader, hex, under, train } => {
            let place = hex.map_or(Place::Waiting, Place::At);
            let leader_state =
                Leader { place, under: under.clone(), forage: false, train: *train, demoted: 0, steps: 0 };
            if let Some(p) = s.pieces_mut(side) {
                p.leaders.insert(leader.clone(), leader_state);
            }
        }
        Event::Unit { side, unit, leader, garrison, sp } => {
            let track = match (leader, garrison) {
                (Some(l), _) => Track::Of(l.clone()),
                (None, Some(hex)) => Track::Garrison(*hex),
                (None, None) => Track::Waiting,
            };
            if let Some(p) = s.pieces_mut(side) {
                p.units.insert(unit.clone(), Unit { track, sp: *sp, immobile: false });
            }
        }
        Event::Bridge { edge, damaged, by: _ } => {
            if *damaged {
                s.damaged.insert(*edge);
            } else {
                s.damaged.remove(edge);
            }
        }
        Event::Control { hex, side } => {
            s.control.insert(*hex, side.clone());
        }
        Event::Begun => {}
        Event::Turn { turn } => {
            s.turn = *turn;
            s.sides.values_mut().filter(|p| !p.army.forced.is_empty()).for_each(|p| p.army.forced.clear());
        }
        Event::Stage { at } => enter(s, at),
        Event::Segment { side: _, segment } => s.phase.segment = *segment,
        Event::Weather { die: _, weather } => {
            s.last_weather = std::mem::replace(&mut s.weather, weather.clone());
        }
        Event::VedettePlaced { side, n, hex } => set_vedette(s, side, *n, Vedette::At(*hex)),
        Event::VedettePooled { side, n } => set_vedette(s, side, *n, Vedette::Pool),
        Event::VedetteOff { side, n, leader } => set_vedette(s, side, *n, Vedette::Portrait(leader.clone())),
        Event::Moved { side, piece, from, to, why } => {
            if !matches!(why, Why::Umpire | Why::Fixed) {
                crossed(s, side, piece, (*from, *to));
                marched(s, side, piece);
            }
            moved(s, side, piece, *to);
        }
        Event::Shown { side, piece } => {
            s.face_up.insert((side.clone(), piece.clone()));
        }
        Event::Hidden { side, piece } => {
            s.face_up.remove(&(side.clone(), piece.clone()));
        }
        Event::Strength { .. } | Event::Beside { .. } => {}
        Event::Lost { side, unit, sp, cause: _ } => lost(s, side, unit, *sp),
        Event::LeaderGone { side, leader, until, demoted } => {
            // ¶113: his successor comes so many turns after.
            let heir = s.board.special.successor.get(side).is_some_and(|heir| heir.first == *leader);
            let turn = s.turn;
            if let Some(p) = s.pieces_mut(side).filter(|_| heir) {
                p.army.fallen = Some(turn);
            }
            if let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(leader)) {
                l.place = Place::Gone(*until);
                l.under = None;
                l.demoted += i32::from(*demoted);
            }
            s.face_up.remove(&(side.clone(), Piece::Leader(leader.clone())));
        }
        Event::LeftMap { side, leader, hex } => {
            place(s, side, leader, Place::Off(*hex));
            s.face_up.remove(&(side.clone(), Piece::Leader(leader.clone())));
        }
        Event::Plan { side, hex, clauses } => {
            if let Some(p) = s.pieces_mut(side) {
                p.plans.insert(*hex, clauses.clone());
            }
        }
        Event::PlansCleared { side } => {
            if let Some(p) = s.pieces_mut(side) {
                p.plans.clear();
            }
        }
        Event::Over { victory } => {
            s.over = Some(victory.clone());
            s.at = At::Over;
        }
    }
}

/// ¶93 What concerns one of several armies of a side.
fn army(s: &mut State, e: &Event) {
    match e {
        Event::ArmyApart { side, army, ap, source, garrison, center, anchor } => {
            let (ap, source, source_garrison) = (*ap, *source, *garrison);
            let (name, anchor) = (Some(army.clone()), anchor.then_some(*center));
            let apart = Army { name, anchor, ap, source, source_garrison, center: Some(*center), ..Army::default() };
            if let Some(p) = s.pieces_mut(side) {
                p.others.insert(army.clone(), apart);
            }
        }
        Event::ArmyNamed { side, army } => {
            if let Some(p) = s.pieces_mut(side) {
                p.army.name = Some(army.clone());
            }
        }
        Event::ArmyPhase { side, army } => {
            s.phase.army = Some(army.clone());
            s.turn_desk(side, army);
        }
        _ => {}
    }
}

/// A new stage clears the log of the phase; failed repulses stay until the battles they oblige to are fought (¶243), and
/// the closing steps of a movement phase still ask what the phase did.
fn enter(s: &mut State, at: &At) {
    let old = std::mem::take(&mut s.phase);
    s.phase = match at {
        At::CloseMove(_) => old,
        At::Packet(_) | At::Weather | At::Setup | At::Over => Shared::default(),
        // ¶55: the Movement Phase of a second army; who has moved, entered or settled his attrition stays so.
        At::Own(_) if matches!(s.at, At::CloseMove(_)) => next_army(&old).into(),
        At::Designate(_) | At::Round(..) => {
            let PhaseLog { repulse_failed, started, army, .. } = (*old).clone();
            PhaseLog { repulse_failed, started, army, ..PhaseLog::default() }.into()
        }
        At::Own(_) | At::Reaction(_) | At::Close(_) => {
            let PhaseLog { repulse_failed, started, .. } = (*old).clone();
            PhaseLog { repulse_failed, started, ..PhaseLog::default() }.into()
        }
    };
    s.at = at.clone();
}

/// What the Movement Phase of one army leaves for that of the next.
fn next_army(old: &PhaseLog) -> PhaseLog {
    PhaseLog {
        segment: Segment::Reinforcements,
        acted: old.acted.clone(),
        attrition: old.attrition.clone(),
        entered: old.entered.clone(),
        marched: old.marched.clone(),
        mustered: old.mustered.clone(),
        delayed: old.delayed.clone(),
        created: old.created.clone(),
        absorbed: old.absorbed.clone(),
        step: old.step,
        vedettes: old.vedettes.clone(),
        foraged: old.foraged.clone(),
        assigned: old.assigned.clone(),
        repulse_failed: old.repulse_failed.clone(),
        ..PhaseLog::default()
    }
}

fn set_vedette(s: &mut State, side: &SideId, n: u32, to: Vedette) {
    if !matches!(to, Vedette::At(_)) {
        s.face_up.remove(&(side.clone(), Piece::Vedette(n)));
    }
    if let Some(p) = s.pieces_mut(side) {
        p.vedettes.insert(n, to);
    }
}

fn moved(s: &mut State, side: &SideId, piece: &Piece, to: Hex) {
    // ¶230: a revealed vedette is hidden again as soon as it moves.
    if matches!(piece, Piece::Vedette(_)) {
        s.face_up.remove(&(side.clone(), piece.clone()));
    }
    match piece {
        Piece::Leader(id) => place(s, side, id, Place::At(to)),
        Piece::Vedette(n) => {
            if let Some(p) = s.pieces_mut(side) {
                p.vedettes.insert(*n, Vedette::At(to));
            }
        }
        Piece::Garrison(_) => {}
    }
}

/// A counter with all on its portrait is somewhere else.
fn place(s: &mut State, side: &SideId, leader: &LeaderId, to: Place) {
    let Some(p) = s.pieces_mut(side) else { return };
    for member in p.force(leader) {
        if let Some(l) = p.leaders.get_mut(&member) {
            l.place = to;
        }
    }
}

/// ¶214 A pontoon crossed is closed to every other force for this phase. What the other side crosses is not in this log,
/// which is the acting side's own.
fn crossed(s: &mut State, side: &SideId, piece: &Piece, (from, to): (Hex, Hex)) {
    let Some(edge) = Hexside::between(from, to).filter(|edge| s.pontoons.contains_key(edge)) else { return };
    if !acting(s, side) {
        return;
    }
    let force = match piece {
        Piece::Leader(id) => Piece::Leader(s.phase.parts.get(id).unwrap_or(id).clone()),
        Piece::Vedette(_) | Piece::Garrison(_) => piece.clone(),
    };
    s.phase.crossed.entry(edge).or_insert(force);
}

/// ¶295 A leader of the acting side has moved, with all on his portrait.
fn marched(s: &mut State, side: &SideId, piece: &Piece) {
    let Piece::Leader(leader) = piece else { return };
    let force = s.pieces(side).filter(|_| acting(s, side)).map(|own| own.force(leader));
    s.phase.marched.extend(force.into_iter().flatten());
}

/// Whether a side is the one that moves now.
pub fn acting(s: &State, side: &SideId) -> bool {
    match &s.at {
        At::Own(phasing) | At::CloseMove(phasing) => phasing == side,
        At::Reaction(phasing) => phasing != side,
        _ => false,
    }
}

fn lost(s: &mut State, side: &SideId, unit: &UnitId, sp: i32) {
    let board = s.board.clone();
    let turn = s.turn;
    let Some(p) = s.pieces_mut(side) else { return };
    p.army.lost += sp;
    // ¶128: each SP that the Paris Garrison loses delays all points by a turn.
    if board.special.paris.as_ref().is_some_and(|paris| paris.side == *side && paris.units.contains_key(unit)) {
        let turns = u32::try_from(sp).unwrap_or(0);
        p.army.pool_delay += turns;
        p.army.pool_closed_until = p.army.pool_closed_until.max(turn) + turns;
    }
    if let Some(u) = p.units.get_mut(unit) {
        u.sp -= sp;
        if u.sp <= 0 {
            p.units.remove(unit);
            p.drop_empty_halves(&board);
        }
    }
}

/// What a side is told.
pub fn sight(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    let who = |side: &SideId, piece: &Piece, hex: Option<Hex>| -> Option<Who> {
        if side == to { Some(Who::Own(piece.clone())) } else { Some(Who::Foe(mind.tag_of(piece, hex?)?)) }
    };
    match e {
        Event::Army { .. }
        | Event::ArmyApart { .. }
        | Event::ArmyNamed { .. }
        | Event::Leader { .. }
        | Event::Unit { .. }
        | Event::PlansCleared { .. }
        | Event::Segment { .. } => None,
        Event::Bridge { edge, damaged, by } => {
            // Who did it shows to his own side only.
            let by = by.clone().filter(|l| before.side_of(l) == Some(to));
            Some(Sighting::Bridge { edge: *edge, damaged: *damaged, by })
        }
        // ¶55, 62-63: whose phase it is both players know.
        Event::ArmyPhase { side, army } => Some(Sighting::ArmyPhase { side: side.clone(), army: army.clone() }),
        Event::Control { hex, side } => Some(Sighting::Control { hex: *hex, side: side.clone() }),
        Event::Begun => Some(Sighting::Begun { counters: counters(after, to), turn: after.turn }),
        Event::Turn { turn } => Some(Sighting::Turn { turn: *turn }),
        Event::Stage { at } => Some(Sighting::Stage { at: at.clone() }),
        Event::Weather { die, weather } => Some(Sighting::Weather { die: *die, weather: weather.clone() }),
        Event::VedettePlaced { side, n, hex } => {
            // Before the game begins nobody sees the other's counters.
            if before.at == At::Setup && side != to {
                return None;
            }
            let piece = Piece::Vedette(*n);
            let who = if side == to { Who::Own(piece) } else { Who::Foe(mind.next_tag()) };
            Some(Sighting::Appeared { who, hex: *hex, face: None })
        }
        Event::VedettePooled { side, n } | Event::VedetteOff { side, n, leader: _ } => {
            let piece = Piece::Vedette(*n);
            let hex = before.pieces(side).and_then(|p| p.piece_hex(&piece))?;
            if before.at == At::Setup && side != to {
                return None;
            }
            Some(Sighting::Vanished { who: who(side, &piece, Some(hex))?, hex })
        }
        Event::Moved { side, piece, from, to: hex, why } => {
            Some(Sighting::Moved { who: who(side, piece, Some(*from))?, from: *from, to: *hex, why: *why })
        }
        Event::Shown { side, piece } => {
            if before.face_up.contains(&(side.clone(), piece.clone())) {
                return None;
            }
            let hex = before.pieces(side).and_then(|p| p.piece_hex(piece))?;
            Some(Sighting::Shown { who: who(side, piece, Some(hex))?, ident: ident(piece), piece: piece.clone(), hex })
        }
        Event::Beside { side, piece, leaders } => {
            let hex = before.pieces(side).and_then(|p| p.piece_hex(piece));
            let leaders = leaders.clone();
            (side != to).then_some(Sighting::Beside { who: who(side, piece, hex)?, leaders })
        }
        Event::Hidden { side, piece } => {
            let hex = before.pieces(side).and_then(|p| p.piece_hex(piece));
            Some(Sighting::Hidden { who: who(side, piece, hex)? })
        }
        Event::Strength { side, piece, sp } => {
            let hex = before.pieces(side).and_then(|p| p.piece_hex(piece));
            Some(Sighting::Strength { who: who(side, piece, hex)?, sp: *sp })
        }
        Event::Lost { side, unit, sp, cause } => {
            let destroyed = after.pieces(side).is_none_or(|p| !p.units.contains_key(unit));
            if side != to {
                // ¶130: a garrison stands on the map itself, so all see it go.
                let piece = Piece::Garrison(unit.clone());
                let hex = before.pieces(side).and_then(|p| p.piece_hex(&piece)).filter(|_| destroyed)?;
                return Some(Sighting::Vanished { who: who(side, &piece, Some(hex))?, hex });
            }
            Some(Sighting::Lost { unit: unit.clone(), sp: *sp, cause: *cause, destroyed })
        }
        Event::LeaderGone { side, leader, .. } => {
            let pieces = before.pieces(side)?;
            // A leader on another's portrait has no counter on the map; only his own side sees him go.
            if side != to && pieces.leaders.get(leader).is_none_or(|l| l.under.is_some()) {
                return None;
            }
            let hex = pieces.hex(leader)?;
            Some(Sighting::Vanished { who: who(side, &Piece::Leader(leader.clone()), Some(hex))?, hex })
        }
        Event::LeftMap { side, leader, hex } => {
            Some(Sighting::LeftMap { who: who(side, &Piece::Leader(leader.clone()), Some(*hex))?, hex: *hex })
        }
        Event::Plan { side, hex, clauses } => {
            (side == to).then(|| Sighting::Plan { hex: *hex, clauses: clauses.clone() })
        }
        Event::Over { victory } => Some(Sighting::Over { victory: victory.clone() }),
    }
}

/// What a counter is when it shows its face.
pub fn ident(piece: &Piece) -> Ident {
    match piece {
        Piece::Leader(id) => Ident::Leader(id.clone()),
        Piece::Vedette(_) => Ident::Vedette,
        Piece::Garrison(_) => Ident::Garrison,
    }
}

/// All counters of the enemy, numbered by hex; garrisons stand flag side up (¶130).
fn counters(s: &State, to: &SideId) -> Vec<(u32, Hex, Option<Piece>, Option<Ident>)> {
    let Some(foe) = s.pieces(&s.enemy(to)) else { return Vec::new() };
    let mut found = Vec::new();
    for hex in foe.occupied() {
        for piece in foe.counters_at(hex) {
            let shown = matches!(piece, Piece::Garrison(_));
            let tag = u32::try_from(found.len()).unwrap_or(0) + 1;
            found.push((tag, hex, shown.then(|| piece.clone()), shown.then(|| ident(&piece))));
        }
    }
    // Within a hex the garrisons come first, so that the numbers of the others say nothing.
    found.sort_by_key(|(_, hex, face, _)| (*hex, face.is_none()));
    for (n, counter) in (1u32..).zip(found.iter_mut()) {
        counter.0 = n;
    }
    found
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    match told {
        Sighting::Begun { counters, turn } => {
            mind.turn = *turn;
            for (tag, hex, face, ident) in counters {
                mind.appeared(*tag, *hex, face.clone(), ident.clone());
            }
        }
        Sighting::Turn { turn } => mind.turn = *turn,
        Sighting::Appeared { who: Who::Foe(tag), hex, face } => {
            let (piece, ident) = face.clone().map_or((None, None), |(p, i)| (Some(p), Some(i)));
            mind.appeared(*tag, *hex, piece, ident);
        }
        Sighting::Vanished { who: Who::Foe(tag), .. } | Sighting::LeftMap { who: Who::Foe(tag), .. } => {
            mind.vanished(*tag);
        }
        Sighting::Moved { who: Who::Foe(tag), to, .. } => {
            // ¶230: a vedette is turned face down when it moves.
            let vedette = mind.tags.get(tag).is_some_and(|t| matches!(t.face, Some(Piece::Vedette(_))));
            mind.moved(*tag, *to);
            if vedette {
                mind.hidden(*tag);
            }
        }
        Sighting::Shown { who: Who::Foe(tag), ident, piece, .. } => mind.shown(*tag, piece.clone(), ident.clone()),
        Sighting::Hidden { who: Who::Foe(tag) } => mind.hidden(*tag),
        Sighting::Strength { who: Who::Foe(tag), sp } => mind.strength(*tag, *sp),
        Sighting::Appeared { who: Who::Own(_), .. }
        | Sighting::Vanished { who: Who::Own(_), .. }
        | Sighting::LeftMap { who: Who::Own(_), .. }
        | Sighting::Moved { who: Who::Own(_), .. }
        | Sighting::Shown { who: Who::Own(_), .. }
        | Sighting::Hidden { who: Who::Own(_) }
        | Sighting::Strength { who: Who::Own(_), .. }
        | Sighting::Beside { .. }
        | Sighting::Stage { .. }
        | Sighting::ArmyPhase { .. }
        | Sighting::Weather { .. }
        | Sighting::Bridge { .. }
        | Sighting::Lost { .. }
        | Sighting::Plan { .. }
        | Sighting::Control { .. }
        | Sighting::Over { .. } => {}
    }
}

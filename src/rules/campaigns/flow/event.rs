//! Events of the sequence of play, and those that more than one chapter makes: counters that come, go, move, turn,
//! lose strength.

use super::told::{Cause, Glimpse, Open, Own, Sighting, Who, Why};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::rules::campaigns::board::{ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::intel::{Ident, Intel};
use crate::rules::campaigns::pieces::{Army, Leader, Piece, Pieces, Place, Track, Unit, Vedette};
use crate::rules::campaigns::sequence::{At, PhaseLog, Segment};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::telling::{self, Of};
use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// An event of this chapter.
pub type Event = telling::Event<Open, Own, Partly, Quiet>;

/// What each side sees otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Partly {
    /// A bridge is damaged or repaired (¶251-254).
    Bridge { edge: Hexside, damaged: bool, by: Option<LeaderId> },
    /// Set-up is over; both sides see each other's counters.
    Begun,
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
}

/// What nobody is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Quiet {
    /// Set-up of an army (¶76, 92, 95).
    Army { side: SideId, ap: i32, source: Hex, garrison: i32, center: Hex, vedettes: u32 },
    /// Set-up of an army of a side after its first (¶93).
    ArmyApart { side: SideId, army: ArmyId, ap: i32, source: Option<Hex>, garrison: i32, center: Hex, anchor: bool },
    /// The first army of a side with several has its name (¶93).
    ArmyNamed { side: SideId, army: ArmyId },
    /// Set-up of a leader: on the map, on a portrait, or waiting.
    Leader { side: SideId, leader: LeaderId, hex: Option<Hex>, under: Option<LeaderId>, train: bool },
    /// Set-up of a unit on a leader's track, as a garrison, or waiting.
    Unit { side: SideId, unit: UnitId, leader: Option<LeaderId>, garrison: Option<Hex>, sp: i32 },
    /// Sheet A reaches a later segment (¶50).
    Segment { side: SideId, segment: Segment },
    /// Plans of a side are spent.
    PlansCleared { side: SideId },
}

impl Partly {
    /// A bridge is damaged or repaired; who does it is not said.
    pub fn bridge(edge: Hexside, damaged: bool) -> Partly {
        Partly::Bridge { edge, damaged, by: None }
    }
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Open(what) => open(s, what),
        Event::Own(Of { side, what: Own::Plan { hex, clauses } }) => change(s, side, |p| {
            p.plans.insert(*hex, clauses.clone());
        }),
        Event::Partly(what) => partly(s, what),
        Event::Quiet(what) => quiet(s, what),
    }
}

/// Changes the pieces of a side.
fn change(s: &mut State, side: &SideId, how: impl FnOnce(&mut Pieces)) {
    if let Some(p) = s.pieces_mut(side) {
        how(p);
    }
}

/// What lies open.
fn open(s: &mut State, what: &Open) {
    match what {
        Open::Stage { at } => enter(s, at),
        Open::ArmyPhase { side, army } => {
            s.phase.army = Some(army.clone());
            s.turn_desk(side, army);
        }
        Open::Turn { turn } => {
            s.turn = *turn;
            s.sides.values_mut().filter(|p| !p.army.forced.is_empty()).for_each(|p| p.army.forced.clear());
        }
        Open::Weather { die: _, weather } => {
            s.last_weather = std::mem::replace(&mut s.weather, weather.clone());
        }
        Open::Control { hex, side } => {
            s.control.insert(*hex, side.clone());
        }
        Open::Over { victory } => {
            s.over = Some(victory.clone());
            s.at = At::Over;
        }
    }
}

/// What each side sees otherwise.
fn partly(s: &mut State, what: &Partly) {
    match what {
        Partly::Bridge { edge, damaged, by: _ } => {
            if *damaged {
                s.damaged.insert(*edge);
            } else {
                s.damaged.remove(edge);
            }
        }
        Partly::Begun | Partly::Strength { .. } | Partly::Beside { .. } => {}
        Partly::VedettePlaced { side, n, hex } => set_vedette(s, side, *n, Vedette::At(*hex)),
        Partly::VedettePooled { side, n } => set_vedette(s, side, *n, Vedette::Pool),
        Partly::VedetteOff { side, n, leader } => set_vedette(s, side, *n, Vedette::Portrait(leader.clone())),
        Partly::Moved { side, piece, from, to, why } => {
            if !matches!(why, Why::Umpire | Why::Fixed) {
                crossed(s, side, piece, (*from, *to));
                marched(s, side, piece);
            }
            moved(s, side, piece, *to);
        }
        Partly::Shown { side, piece } => {
            s.face_up.insert((side.clone(), piece.clone()));
        }
        Partly::Hidden { side, piece } => {
            s.face_up.remove(&(side.clone(), piece.clone()));
        }
        Partly::Lost { side, unit, sp, cause: _ } => lost(s, side, unit, *sp),
        Partly::LeaderGone { side, leader, until, demoted } => gone(s, side, leader, (*until, *demoted)),
        Partly::LeftMap { side, leader, hex } => {
            place(s, side, leader, Place::Off(*hex));
            s.face_up.remove(&(side.clone(), Piece::Leader(leader.clone())));
        }
    }
}

/// What nobody is told.
fn quiet(s: &mut State, what: &Quiet) {
    match what {
        Quiet::Army { side, ap, source, garrison, center, vedettes } => change(s, side, |p| {
            p.army.ap = *ap;
            p.army.source = Some(*source);
            p.army.source_garrison = *garrison;
            p.army.center = Some(*center);
            p.vedettes = (1..=*vedettes).map(|n| (n, Vedette::Pool)).collect();
        }),
        Quiet::ArmyApart { side, army, ap, source, garrison, center, anchor } => {
            let (ap, source, source_garrison) = (*ap, *source, *garrison);
            let (name, anchor) = (Some(army.clone()), anchor.then_some(*center));
            let apart = Army { name, anchor, ap, source, source_garrison, center: Some(*center), ..Army::default() };
            change(s, side, |p| {
                p.others.insert(army.clone(), apart);
            });
        }
        Quiet::ArmyNamed { side, army } => change(s, side, |p| p.army.name = Some(army.clone())),
        Quiet::Leader { side, leader, hex, under, train } => {
            let place = hex.map_or(Place::Waiting, Place::At);
            let set_up = Leader { place, under: under.clone(), forage: false, train: *train, demoted: 0, steps: 0 };
            change(s, side, |p| {
                p.leaders.insert(leader.clone(), set_up);
            });
        }
        Quiet::Unit { side, unit, leader, garrison, sp } => {
            let track = match (leader, garrison) {
                (Some(l), _) => Track::Of(l.clone()),
                (None, Some(hex)) => Track::Garrison(*hex),
                (None, None) => Track::Waiting,
            };
            change(s, side, |p| {
                p.units.insert(unit.clone(), Unit { track, sp: *sp, immobile: false });
            });
        }
        Quiet::Segment { side: _, segment } => s.phase.segment = *segment,
        Quiet::PlansCleared { side } => change(s, side, |p| p.plans.clear()),
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
        Piece::Vedette(n) => set_vedette(s, side, *n, Vedette::At(to)),
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

/// ¶42-43 A leader leaves the map, for good or until a turn; who was captured may come back demoted.
fn gone(s: &mut State, side: &SideId, leader: &LeaderId, (until, demoted): (Option<u32>, bool)) {
    // ¶113: his successor comes so many turns after.
    let heir = s.board.special.successor.get(side).is_some_and(|heir| heir.first == *leader);
    let turn = s.turn;
    if let Some(p) = s.pieces_mut(side).filter(|_| heir) {
        p.army.fallen = Some(turn);
    }
    if let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(leader)) {
        l.place = Place::Gone(until);
        l.under = None;
        l.demoted += i32::from(demoted);
    }
    s.face_up.remove(&(side.clone(), Piece::Leader(leader.clone())));
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
    e.told_to(to, |what| seen_by(before, what, after, mind, to))
}

/// What a side sees of what each sees otherwise.
fn seen_by(before: &State, what: &Partly, after: &State, mind: &Intel, to: &SideId) -> Option<Glimpse> {
    let stood = |side: &SideId, piece: &Piece| before.pieces(side)?.piece_hex(piece);
    let at = |side: &SideId, piece: &Piece, hex: Option<Hex>| {
        if side == to { Some(Who::Own(piece.clone())) } else { mind.tag_of(piece, hex?).map(Who::Foe) }
    };
    let who = |side: &SideId, piece: &Piece| at(side, piece, stood(side, piece));
    let vanished = |side: &SideId, piece: Piece| {
        let hex = stood(side, &piece)?;
        Some(Glimpse::Vanished { who: who(side, &piece)?, hex })
    };
    // Before the game begins nobody sees the other's counters.
    let covered = |side: &SideId| before.at == At::Setup && side != to;
    Some(match what {
        Partly::Bridge { edge, damaged, by } => {
            // Who did it shows to his own side only.
            let by = by.clone().filter(|l| before.side_of(l) == Some(to));
            Glimpse::Bridge { edge: *edge, damaged: *damaged, by }
        }
        Partly::Begun => Glimpse::Begun { counters: counters(after, to), turn: after.turn },
        Partly::VedettePlaced { side, n, hex } => {
            let own = side == to;
            let who = if own { Who::Own(Piece::Vedette(*n)) } else { Who::Foe(mind.next_tag()) };
            return Some(Glimpse::Appeared { who, hex: *hex, face: None }).filter(|_| !covered(side));
        }
        Partly::VedettePooled { side, n } | Partly::VedetteOff { side, n, leader: _ } => {
            return vanished(side, Piece::Vedette(*n)).filter(|_| !covered(side));
        }
        Partly::Moved { side, piece, from, to: hex, why } => {
            Glimpse::Moved { who: at(side, piece, Some(*from))?, from: *from, to: *hex, why: *why }
        }
        Partly::Shown { side, piece } => {
            let up = before.face_up.contains(&(side.clone(), piece.clone()));
            let hex = stood(side, piece).filter(|_| !up)?;
            Glimpse::Shown { who: who(side, piece)?, ident: ident(piece), piece: piece.clone(), hex }
        }
        Partly::Beside { side, piece, leaders } => {
            let who = who(side, piece).filter(|_| side != to)?;
            Glimpse::Beside { who, leaders: leaders.clone() }
        }
        Partly::Hidden { side, piece } => Glimpse::Hidden { who: who(side, piece)? },
        Partly::Strength { side, piece, sp } => Glimpse::Strength { who: who(side, piece)?, sp: *sp },
        Partly::Lost { side, unit, sp, cause } => {
            let destroyed = after.pieces(side).is_none_or(|p| !p.units.contains_key(unit));
            if side != to {
                // ¶130: a garrison stands on the map itself, so all see it go.
                return vanished(side, Piece::Garrison(unit.clone())).filter(|_| destroyed);
            }
            Glimpse::Lost { unit: unit.clone(), sp: *sp, cause: *cause, destroyed }
        }
        Partly::LeaderGone { side, leader, .. } => {
            // A leader on another's portrait has no counter on the map; only his own side sees him go.
            let pieces = before.pieces(side)?;
            let counter = pieces.leaders.get(leader).is_some_and(|l| l.under.is_none());
            return vanished(side, Piece::Leader(leader.clone())).filter(|_| side == to || counter);
        }
        Partly::LeftMap { side, leader, hex } => {
            Glimpse::LeftMap { who: at(side, &Piece::Leader(leader.clone()), Some(*hex))?, hex: *hex }
        }
    })
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
            found.push((0, hex, shown.then(|| piece.clone()), shown.then(|| ident(&piece))));
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
        Sighting::Open(Open::Turn { turn }) => mind.turn = *turn,
        Sighting::Open(
            Open::Stage { .. }
            | Open::ArmyPhase { .. }
            | Open::Weather { .. }
            | Open::Control { .. }
            | Open::Over { .. },
        )
        | Sighting::Own(Own::Plan { .. }) => {}
        Sighting::Partly(told) => learn(mind, told),
    }
}

/// What a side learns of the enemy's counters; of its own it knows all.
fn learn(mind: &mut Intel, told: &Glimpse) {
    match told {
        Glimpse::Begun { counters, turn } => {
            mind.turn = *turn;
            for (tag, hex, face, ident) in counters {
                mind.appeared(*tag, *hex, face.clone(), ident.clone());
            }
        }
        Glimpse::Appeared { who, hex, face } => {
            let (piece, ident) = face.clone().unzip();
            foreign(who, |tag| mind.appeared(tag, *hex, piece, ident));
        }
        Glimpse::Vanished { who, .. } | Glimpse::LeftMap { who, .. } => foreign(who, |tag| mind.vanished(tag)),
        Glimpse::Moved { who, to, .. } => foreign(who, |tag| {
            // ¶230: a vedette is turned face down when it moves.
            let vedette = mind.tags.get(&tag).is_some_and(|t| matches!(t.face, Some(Piece::Vedette(_))));
            mind.moved(tag, *to);
            if vedette {
                mind.hidden(tag);
            }
        }),
        Glimpse::Shown { who, ident, piece, .. } => foreign(who, |tag| mind.shown(tag, piece.clone(), ident.clone())),
        Glimpse::Hidden { who } => foreign(who, |tag| mind.hidden(tag)),
        Glimpse::Strength { who, sp } => foreign(who, |tag| mind.strength(tag, *sp)),
        Glimpse::Bridge { .. } | Glimpse::Beside { .. } | Glimpse::Lost { .. } => {}
    }
}

/// Something learnt of a foreign counter, by its tag.
fn foreign(who: &Who, learnt: impl FnOnce(u32)) {
    if let Who::Foe(tag) = who {
        learnt(*tag);
    }
}

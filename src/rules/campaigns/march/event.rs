//! Events of movement (¶147-297). A step of a counter is `flow`'s `Moved`, a loss its `Lost`; what is here says why.

use super::told::{Attrition, Bridging, CenterWhy, Ended, NoDig, PlotEnd, Portion, Rolled, Sighting};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::flow;
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::intel::{Ident, Intel, PATROL};
use crate::rules::campaigns::pieces::{Abroad, AdminMarch, Piece};
use crate::rules::campaigns::redoubts::Redoubt;
use crate::rules::campaigns::sequence::{At, TrestleJob};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::Forage;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// An event of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A Movement Command is given and paid (¶171, 185).
    Commanded { side: SideId, leader: LeaderId, ap: i32, extended: Halves },
    /// A force rolled for initiative (¶192).
    Tried { side: SideId, leader: LeaderId, die: i32, rating: i32, rolled: Rolled, forced: bool },
    /// A force or vedette has ended its march; a force that moved has had its move (¶149).
    Marched { side: SideId, piece: Piece, from: Hex, to: Hex, mp: Halves, ended: Ended },
    /// Attrition of a force is settled (¶264).
    Attrition { side: SideId, leader: LeaderId, roll: Attrition },
    /// Fifths of an SP that the tracks of a force have lost and not paid for yet (¶268).
    Worn { side: SideId, steps: BTreeMap<LeaderId, i32> },
    /// A cavalry force of one SP passes for a vedette (¶231).
    Patrol { side: SideId, leader: LeaderId },
    /// A force changes its mode (¶278).
    Mode { side: SideId, leader: LeaderId, forage: bool },
    /// A force forages some hexes of a value in tenths (¶274).
    Foraged { side: SideId, leader: LeaderId, hexes: Vec<Hex>, tenths: i32 },
    /// A force forages its leader's hex, its foot and guns or its cavalry (¶275, 277).
    ForagedHere { side: SideId, leader: LeaderId, hex: Hex, part: Portion, found: Forage },
    /// A repulse was declared (¶241).
    Repulse { side: SideId, piece: Piece, hex: Hex, on: Vec<Hex>, sp: Option<i32>, ok: bool },
    /// An unemployed leader is about to move (¶40).
    Unemployed { side: SideId, leader: LeaderId },
    /// A subordinate is dropped off (¶141).
    Dropped { side: SideId, leader: LeaderId, from: LeaderId, hex: Hex },
    /// A force joins another leader's (¶294), with all his subordinates.
    Joined { side: SideId, leader: LeaderId, into: LeaderId, hex: Hex },
    /// Work on a bridge is announced and its MP are spent (¶252, 254).
    BridgeWork { side: SideId, leader: LeaderId, edge: Hexside, repair: bool, mp: Halves },
    /// Work on a trestle is announced and its MP are spent (¶61).
    TrestleWork { side: SideId, leader: LeaderId, edge: Hexside, job: TrestleJob, mp: Halves },
    /// Hexes are kept for one force to forage (¶287).
    ForageAssigned { side: SideId, leader: LeaderId, hexes: Vec<Hex> },
    /// A redoubt is to be begun, with its hexsides, or carried on, in the Consolidation Segment (¶295).
    RedoubtOrdered { side: SideId, hex: Hex, faces: Option<BTreeSet<Hexside>> },
    /// A redoubt is begun, carried on or finished (¶295); player-turns of digging that it still takes.
    Redoubt { side: SideId, hex: Hex, faces: BTreeSet<Hexside>, left: u32 },
    /// Nobody dug at a redoubt that should have been begun or carried on (¶295).
    RedoubtIdle { side: SideId, hex: Hex, why: NoDig },
    /// A redoubt is levelled.
    RedoubtLost { side: SideId, hex: Hex },
    /// Work on a trestle is done (¶61).
    Trestle { edge: Hexside, job: TrestleJob },
    /// Leaders in hexes beside him march as parts of a leader's force; none of them may try initiative himself (¶225, 228).
    Together { side: SideId, leader: LeaderId, parts: Vec<LeaderId> },
    /// An Administrative March begins or goes on: the hexes ahead (¶187-189).
    Plotted { side: SideId, leader: LeaderId, rest: Vec<Hex> },
    /// An Administrative March is over (¶188-189).
    PlotEnded { side: SideId, leader: LeaderId, why: PlotEnd },
    /// A bridge train is left in the hex where its carrier stands (¶258, 260).
    TrainLeft { side: SideId, leader: LeaderId, carrier: LeaderId, hex: Hex },
    /// A bridge train is taken along (¶260).
    TrainTaken { side: SideId, leader: LeaderId, carrier: LeaderId, hex: Hex, mp: Halves },
    /// Bridge trains on the map fall to a side (¶258).
    TrainsCaptured { side: SideId, hex: Hex },
    /// A pontoon is deployed, taken up or captured (¶258-259).
    Pontoon { side: SideId, leader: LeaderId, carrier: LeaderId, edge: Hexside, what: Bridging, mp: Halves },
    /// A named leader revictuals a citadel (¶290).
    Revictualled { side: SideId, leader: LeaderId, hex: Hex },
    /// A center moves or flees (¶176, 182).
    Center { side: SideId, from: Hex, to: Option<Hex>, how: CenterWhy },
    /// A force has gone off the map, to come back from a turn on, at one hex where it is named (¶219-220).
    OffMap { side: SideId, leader: LeaderId, exit: Hex, turn: u32, to: Option<Hex> },
    /// A force off the map turns back to its exit (¶221).
    OffMapBack { side: SideId, leader: LeaderId, exit: Hex, turn: u32 },
    /// A center is turned to its active side (¶60).
    CenterActive { side: SideId },
    /// A side sets its floor of AP (D-40).
    Floor { side: SideId, ap: i32 },
    /// Whether a force is where it seems to be, or has changed places with another; `hex` is the marcher's (Solitaire 3).
    Fixed { side: SideId, hex: Hex, contact: Hex, die: i32, modifier: i32, with: Option<Hex> },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Commanded { side, leader, ap, extended: _ } => {
            s.phase.acted.insert(leader.clone());
            if let Some(p) = s.pieces_mut(side) {
                p.army.ap -= ap;
            }
        }
        Event::Tried { side, leader, forced, .. } => tried(s, side, leader, *forced),
        Event::Marched { piece, .. } => {
            if let Piece::Vedette(n) = piece {
                s.phase.vedettes.insert(*n);
            }
        }
        Event::Attrition { leader, .. } => settled(s, leader),
        Event::Worn { side, steps } => {
            let Some(p) = s.pieces_mut(side) else { return };
            for (leader, n) in steps {
                if let Some(l) = p.leaders.get_mut(leader) {
                    l.steps = *n;
                }
            }
        }
        Event::Together { leader, parts, .. } => {
            s.phase.acted.extend(parts.iter().cloned());
            s.phase.parts.extend(parts.iter().map(|part| (part.clone(), leader.clone())));
        }
        Event::Plotted { side, leader, rest } => plotted(s, side, leader, rest),
        Event::PlotEnded { side, leader, .. } => {
            if let Some(p) = s.pieces_mut(side) {
                p.army.admin_marches.remove(leader);
            }
        }
        Event::TrainLeft { side, carrier, hex, .. } => {
            set_train(s, side, carrier, false);
            s.trains.entry(*hex).or_insert((side.clone(), 0)).1 += 1;
        }
        Event::TrainTaken { side, carrier, hex, .. } => train_taken(s, side, carrier, *hex),
        Event::TrainsCaptured { side, hex } => {
            if let Some((owner, _)) = s.trains.get_mut(hex) {
                *owner = side.clone();
            }
        }
        Event::Pontoon { side, leader, carrier, edge, what, .. } => {
            s.phase.bridge_workers.insert(leader.clone());
            pontoon(s, side, carrier, *edge, *what);
        }
        Event::Revictualled { side, hex, .. } => {
            let turn = s.turn;
            if let Some(p) = s.pieces_mut(side) {
                p.army.revictualled.insert(*hex, turn);
            }
        }
        Event::Patrol { leader, .. } => {
            s.phase.patrols.insert(leader.clone());
        }
        Event::Mode { side, leader, forage } => {
            let Some(p) = s.pieces_mut(side) else { return };
            for member in p.force(leader) {
                if let Some(l) = p.leaders.get_mut(&member) {
                    l.forage = *forage;
                }
            }
        }
        Event::ForageAssigned { leader, hexes, .. } => {
            s.phase.assigned.extend(hexes.iter().map(|h| (*h, leader.clone())));
        }
        Event::Foraged { leader, hexes, .. } => {
            s.phase.foraged.extend(hexes.iter().map(|h| (*h, leader.clone())));
        }
        Event::Repulse { side, piece, on, ok, .. } => {
            // ¶243: whoever failed in his own Movement Phase must attack; in a Forced March he need not.
            if let (false, Piece::Leader(leader)) = (*ok, piece)
                && matches!(&s.at, At::Own(phasing) if phasing == side)
            {
                s.phase.repulse_failed.entry(leader.clone()).or_default().extend(on.iter().copied());
            }
        }
        // One who is met while the other side moves has not acted.
        Event::Unemployed { side, leader } => {
            if flow::event::acting(s, side) {
                s.phase.acted.insert(leader.clone());
            }
        }
        Event::ForagedHere { .. } | Event::Fixed { .. } => {}
        Event::Dropped { side, leader, .. } => {
            s.phase.acted.insert(leader.clone());
            s.phase.attrition.insert(leader.clone());
            if let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(leader)) {
                l.under = None;
            }
        }
        Event::Joined { side, leader, into, hex: _ } => joined(s, side, leader, into),
        Event::BridgeWork { .. }
        | Event::TrestleWork { .. }
        | Event::Trestle { .. }
        | Event::RedoubtOrdered { .. }
        | Event::Redoubt { .. }
        | Event::RedoubtIdle { .. }
        | Event::RedoubtLost { .. } => works(s, e),
        Event::Center { side, from, to, how } => center(s, side, *from, *to, *how),
        Event::CenterActive { side } => {
            if let Some(p) = s.pieces_mut(side) {
                p.army.center_moved = false;
            }
        }
        Event::Floor { side: _, ap } => s.phase.floor = *ap,
        Event::OffMap { .. } | Event::OffMapBack { .. } => off_map(s, e),
    }
}

/// ¶219-221 A force leaves the map, or turns back.
fn off_map(s: &mut State, e: &Event) {
    let since = s.turn;
    match e {
        Event::OffMap { side, leader, exit, turn, to } => {
            if let Some(p) = s.pieces_mut(side) {
                let abroad = Abroad { exit: *exit, since, turn: *turn, to: *to };
                p.army.abroad.insert(leader.clone(), abroad);
            }
        }
        Event::OffMapBack { side, leader, exit, turn } => {
            let away = s.pieces_mut(side).and_then(|p| p.army.abroad.get_mut(leader));
            if let Some(away) = away {
                (away.turn, away.to) = (*turn, Some(*exit));
            }
        }
        _ => {}
    }
}

/// ¶219-221 What a side is told of it: the enemy where a force that turns back comes to, and no more.
fn off_map_told(e: &Event, to: &SideId) -> Option<Sighting> {
    match e {
        Event::OffMap { side, leader, exit: _, turn, to: hex } => {
            (side == to).then(|| Sighting::OffMap { leader: leader.clone(), turn: *turn, to: *hex })
        }
        Event::OffMapBack { side, leader, exit, turn } => {
            let own = side == to;
            let (leader, turn) = (own.then(|| leader.clone()), own.then_some(*turn));
            Some(Sighting::OffMapBack { leader, exit: *exit, turn })
        }
        _ => None,
    }
}

/// ¶63, 194 A force has tried its initiative.
fn tried(s: &mut State, side: &SideId, leader: &LeaderId, forced: bool) {
    s.phase.acted.insert(leader.clone());
    // ¶63: of several Forced March segments in a turn a force tries in one only.
    let several = forced && !s.board.exceptions.combat.army_phases.is_empty();
    if let Some(p) = s.pieces_mut(side).filter(|_| several) {
        p.army.forced.insert(leader.clone());
    }
}

/// ¶225, 264 Attrition of a force is settled: one roll for a multi-hex force.
fn settled(s: &mut State, leader: &LeaderId) {
    let parts = s.phase.parts.iter().filter(|(_, chief)| *chief == leader).map(|(part, _)| part.clone());
    let settled: Vec<LeaderId> = parts.chain([leader.clone()]).collect();
    s.phase.attrition.extend(settled);
}

fn plotted(s: &mut State, side: &SideId, leader: &LeaderId, rest: &[Hex]) {
    s.phase.acted.insert(leader.clone());
    let now = s.turn;
    let Some(p) = s.pieces_mut(side) else { return };
    let begun = p.army.admin_marches.get(leader).map_or(now, |m| m.turn);
    let march = AdminMarch { leader: leader.clone(), turn: begun, rest: rest.to_vec() };
    p.army.admin_marches.insert(leader.clone(), march);
}

fn train_taken(s: &mut State, side: &SideId, carrier: &LeaderId, hex: Hex) {
    set_train(s, side, carrier, true);
    if let Some((_, n)) = s.trains.get_mut(&hex) {
        *n = n.saturating_sub(1);
    }
    s.trains.retain(|_, (_, n)| *n > 0);
}

fn pontoon(s: &mut State, side: &SideId, carrier: &LeaderId, edge: Hexside, what: Bridging) {
    match what {
        Bridging::Deployed => {
            set_train(s, side, carrier, false);
            s.pontoons.insert(edge, side.clone());
        }
        Bridging::Removed => {
            set_train(s, side, carrier, true);
            s.pontoons.remove(&edge);
        }
        Bridging::Captured => {
            s.pontoons.insert(edge, side.clone());
        }
    }
}

/// ¶61, 251, 295 Work on bridges, trestles and redoubts, announced or ordered, and done.
fn works(s: &mut State, e: &Event) {
    match e {
        Event::BridgeWork { leader, edge, repair, .. } => {
            s.phase.bridge_work.insert(*edge, *repair);
            s.phase.bridge_workers.insert(leader.clone());
        }
        Event::TrestleWork { leader, edge, job, .. } => {
            s.phase.trestle_work.insert(*edge, *job);
            s.phase.bridge_workers.insert(leader.clone());
        }
        Event::Trestle { edge, job } => trestle(s, *edge, *job),
        Event::RedoubtOrdered { side: _, hex, faces } => {
            s.phase.digging.insert(*hex, faces.clone());
        }
        Event::Redoubt { side, hex, faces, left } => {
            if let Some(p) = s.pieces_mut(side) {
                p.redoubts.insert(*hex, Redoubt { faces: faces.clone(), left: *left });
            }
        }
        Event::RedoubtLost { side, hex } => {
            if let Some(p) = s.pieces_mut(side) {
                p.redoubts.remove(hex);
            }
        }
        _ => {}
    }
}

/// ¶61, 295 What a side is told of it: work on a bridge is announced to both, and a redoubt is told when its marker lies
/// in open sight.
fn works_told(e: &Event, to: &SideId) -> Option<Sighting> {
    match e {
        Event::BridgeWork { side, leader, edge, repair, mp } => {
            let own = side == to;
            let (by, mp) = (own.then(|| leader.clone()), own.then_some(*mp));
            Some(Sighting::BridgeWork { edge: *edge, repair: *repair, by, mp })
        }
        Event::TrestleWork { side, leader, edge, job, mp } => {
            let own = side == to;
            let (by, mp) = (own.then(|| leader.clone()), own.then_some(*mp));
            Some(Sighting::TrestleWork { edge: *edge, job: *job, by, mp })
        }
        Event::Trestle { edge, job } => Some(Sighting::Trestle { edge: *edge, job: *job }),
        Event::RedoubtOrdered { side, hex, faces } => {
            (side == to).then(|| Sighting::RedoubtOrdered { hex: *hex, faces: faces.clone() })
        }
        Event::Redoubt { side, hex, faces, left } => {
            Some(Sighting::Redoubt { side: side.clone(), hex: *hex, faces: faces.clone(), left: *left })
        }
        Event::RedoubtIdle { side, hex, why } => (side == to).then_some(Sighting::RedoubtIdle { hex: *hex, why: *why }),
        Event::RedoubtLost { side, hex } => Some(Sighting::RedoubtLost { side: side.clone(), hex: *hex }),
        _ => None,
    }
}

/// ¶61 A trestle stands, is down, or is gone.
fn trestle(s: &mut State, edge: Hexside, job: TrestleJob) {
    if job == TrestleJob::Damage {
        s.damaged.insert(edge);
    } else {
        s.damaged.remove(&edge);
    }
    match job {
        TrestleJob::Build => {
            s.trestles.insert(edge);
        }
        TrestleJob::Destroy => {
            s.trestles.remove(&edge);
        }
        TrestleJob::Repair | TrestleJob::Damage => {}
    }
}

fn set_train(s: &mut State, side: &SideId, carrier: &LeaderId, train: bool) {
    if let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(carrier)) {
        l.train = train;
    }
}

fn joined(s: &mut State, side: &SideId, leader: &LeaderId, into: &LeaderId) {
    s.face_up.remove(&(side.clone(), Piece::Leader(leader.clone())));
    let Some(p) = s.pieces_mut(side) else { return };
    let members = p.force(leader);
    // ¶294: a consolidated force forages if any part of it did.
    let forage = members.iter().chain([into]).any(|m| p.leaders.get(m).is_some_and(|l| l.forage));
    for member in &members {
        if let Some(l) = p.leaders.get_mut(member) {
            l.under = Some(into.clone());
            l.forage = forage;
        }
    }
    if let Some(l) = p.leaders.get_mut(into) {
        l.forage = forage;
    }
}

fn center(s: &mut State, side: &SideId, from: Hex, to: Option<Hex>, how: CenterWhy) {
    if how != CenterWhy::Flight {
        s.phase.center_moved = true;
        s.phase.center_from = Some(from);
    }
    let turn = s.turn;
    let Some(p) = s.pieces_mut(side) else { return };
    p.army.center = to;
    p.army.center_moved |= how != CenterWhy::Flight;
    if to.is_none() {
        // ¶184: it may come back as soon as a source is clear.
        p.army.center_returns = Some((turn, Vec::new()));
    }
}

/// What both sides are told of a force that was fixed (Solitaire 1: all is open).
fn fixed(e: &Event, own: bool) -> Option<Sighting> {
    let Event::Fixed { side: _, hex, contact, die, modifier, with } = e else { return None };
    let (hex, contact, die, modifier, with) = (*hex, *contact, *die, *modifier, *with);
    Some(Sighting::Fixed { hex, contact, die, modifier, with, own })
}

/// What a force has found in its leader's hex, for its owner.
fn foraged_here(leader: &LeaderId, hex: Hex, part: Portion, found: Forage) -> Sighting {
    Sighting::ForagedHere { leader: leader.clone(), hex, part, found }
}

/// What a side is told.
pub fn sight(before: &State, e: &Event, _after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    let who = |side: &SideId, piece: &Piece, hex: Hex| -> Option<Who> {
        if side == to { Some(Who::Own(piece.clone())) } else { mind.tag_of(piece, hex).map(Who::Foe) }
    };
    let leader_who = |side: &SideId, leader: &LeaderId| -> Option<Who> {
        let hex = before.pieces(side)?.hex(leader)?;
        who(side, &Piece::Leader(leader.clone()), hex)
    };
    match e {
        // ¶33: tries, losses and lengths of march are the owner's secret.
        Event::Commanded { side, leader, ap, extended } => {
            (side == to).then(|| Sighting::Commanded { leader: leader.clone(), ap: *ap, extended: *extended })
        }
        Event::Tried { side, leader, die, rating, rolled, forced } => (side == to).then(|| Sighting::Tried {
            leader: leader.clone(),
            die: *die,
            rating: *rating,
            rolled: *rolled,
            forced: *forced,
        }),
        Event::Marched { side, piece, from, to: hex, mp, ended } => (side == to).then(|| Sighting::Marched {
            piece: piece.clone(),
            from: *from,
            to: *hex,
            mp: *mp,
            ended: *ended,
        }),
        Event::Attrition { side, leader, roll } => {
            (side == to).then(|| Sighting::Attrition { leader: leader.clone(), roll: *roll })
        }
        Event::Worn { side, steps } => (side == to).then(|| Sighting::Worn { steps: steps.clone() }),
        Event::Patrol { side, leader } => {
            let hex = before.pieces(side)?.hex(leader)?;
            let who = who(side, &Piece::Leader(leader.clone()), hex)?;
            // Who has it before him as a vedette already is told nothing new.
            let known = |tag: &u32| mind.tags.get(tag).is_some_and(|t| t.face == Some(PATROL));
            if matches!(&who, Who::Foe(tag) if known(tag)) { None } else { Some(Sighting::Patrol { who, hex }) }
        }
        Event::Mode { side, leader, forage } => {
            (side == to).then(|| Sighting::Mode { leader: leader.clone(), forage: *forage })
        }
        Event::Foraged { side, leader, hexes: _, tenths } => {
            (side == to).then(|| Sighting::Foraged { leader: leader.clone(), tenths: *tenths })
        }
        Event::ForageAssigned { side, leader, hexes } => {
            (side == to).then(|| Sighting::ForageAssigned { leader: leader.clone(), hexes: hexes.clone() })
        }
        Event::ForagedHere { side, leader, hex, part, found } => {
            (side == to).then(|| foraged_here(leader, *hex, *part, *found))
        }
        Event::Repulse { side, piece, hex, on, sp, ok } => Some(Sighting::Repulse {
            who: who(side, piece, *hex)?,
            hex: *hex,
            on: on.clone(),
            sp: *sp,
            ok: *ok,
            own: side == to,
        }),
        Event::OffMap { .. } | Event::OffMapBack { .. } => off_map_told(e, to),
        Event::Fixed { side, .. } => fixed(e, side == to),
        Event::Unemployed { side, leader } => Some(Sighting::Unemployed { who: leader_who(side, leader)? }),
        Event::Dropped { side, leader, from, hex } => {
            let own = side == to;
            let who = if own { Who::Own(Piece::Leader(leader.clone())) } else { Who::Foe(mind.next_tag()) };
            Some(Sighting::Dropped { who, hex: *hex, from: own.then(|| from.clone()) })
        }
        Event::Joined { side, leader, into, hex } => {
            let into = (side == to).then(|| into.clone());
            Some(Sighting::Joined { who: who(side, &Piece::Leader(leader.clone()), *hex)?, hex: *hex, into })
        }
        Event::BridgeWork { .. }
        | Event::TrestleWork { .. }
        | Event::Trestle { .. }
        | Event::RedoubtOrdered { .. }
        | Event::Redoubt { .. }
        | Event::RedoubtIdle { .. }
        | Event::RedoubtLost { .. } => works_told(e, to),
        Event::Together { side, leader, parts } => {
            (side == to).then(|| Sighting::Together { leader: leader.clone(), parts: parts.clone() })
        }
        Event::Plotted { side, leader, rest } => {
            let end = rest.last().filter(|_| side == to)?;
            Some(Sighting::Plotted { leader: leader.clone(), to: *end })
        }
        Event::PlotEnded { side, leader, why } => {
            (side == to).then(|| Sighting::PlotEnded { leader: leader.clone(), why: *why })
        }
        Event::TrainLeft { side, leader, carrier: _, hex } => {
            Some(Sighting::TrainLeft { who: leader_who(side, leader)?, hex: *hex })
        }
        Event::TrainTaken { side, leader, carrier: _, hex, mp } => {
            let mp = (side == to).then_some(*mp);
            Some(Sighting::TrainTaken { who: leader_who(side, leader)?, hex: *hex, mp })
        }
        Event::TrainsCaptured { side, hex } => Some(Sighting::TrainsCaptured { side: side.clone(), hex: *hex }),
        Event::Pontoon { side, leader, carrier: _, edge, what, mp } => {
            let mp = (side == to).then_some(*mp);
            Some(Sighting::Pontoon { who: leader_who(side, leader)?, edge: *edge, what: *what, mp })
        }
        Event::Revictualled { side, leader, hex } => {
            (side == to).then(|| Sighting::Revictualled { leader: leader.clone(), hex: *hex })
        }
        Event::Center { side, from, to: hex, how } => {
            Some(Sighting::Center { side: side.clone(), from: *from, to: *hex, how: *how })
        }
        Event::CenterActive { side } => Some(Sighting::CenterActive { side: side.clone() }),
        Event::Floor { side, ap } => (side == to).then_some(Sighting::Floor { ap: *ap }),
    }
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    match told {
        Sighting::Dropped { who: Who::Foe(tag), hex, .. } => mind.appeared(*tag, *hex, None, None),
        Sighting::Joined { who: Who::Foe(tag), .. } => mind.vanished(*tag),
        Sighting::Patrol { who: Who::Foe(tag), .. } => mind.shown(*tag, PATROL, Ident::Vedette),
        Sighting::Dropped { who: Who::Own(_), .. }
        | Sighting::Joined { who: Who::Own(_), .. }
        | Sighting::Commanded { .. }
        | Sighting::OffMap { .. }
        | Sighting::OffMapBack { .. }
        | Sighting::Tried { .. }
        | Sighting::Marched { .. }
        | Sighting::Attrition { .. }
        | Sighting::Worn { .. }
        | Sighting::Patrol { who: Who::Own(_), .. }
        | Sighting::Mode { .. }
        | Sighting::Foraged { .. }
        | Sighting::ForagedHere { .. }
        | Sighting::ForageAssigned { .. }
        | Sighting::Repulse { .. }
        | Sighting::Unemployed { .. }
        | Sighting::Fixed { .. }
        | Sighting::BridgeWork { .. }
        | Sighting::TrestleWork { .. }
        | Sighting::Trestle { .. }
        | Sighting::RedoubtOrdered { .. }
        | Sighting::Redoubt { .. }
        | Sighting::RedoubtIdle { .. }
        | Sighting::RedoubtLost { .. }
        | Sighting::Together { .. }
        | Sighting::Plotted { .. }
        | Sighting::PlotEnded { .. }
        | Sighting::TrainLeft { .. }
        | Sighting::TrainTaken { .. }
        | Sighting::TrainsCaptured { .. }
        | Sighting::Pontoon { .. }
        | Sighting::Revictualled { .. }
        | Sighting::Center { .. }
        | Sighting::CenterActive { .. }
        | Sighting::Floor { .. } => {}
    }
}

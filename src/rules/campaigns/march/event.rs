//! Events of movement (¶147-297). A step of a counter is `flow`'s `Moved`, a loss its `Lost`; what is here says why.

use super::told::{Bridging, CenterWhy, Glimpse, Open, Own, Sighting};
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
use crate::rules::campaigns::telling::{self, Never, Of};
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// An event of this chapter; no kind is kept from both sides.
pub type Event = telling::Event<Open, Own, Partly, Never>;

/// What each side sees otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Partly {
    /// A cavalry force of one SP passes for a vedette (¶231).
    Patrol { side: SideId, leader: LeaderId },
    /// A force forages some hexes of a value in tenths (¶274).
    Foraged { side: SideId, leader: LeaderId, hexes: Vec<Hex>, tenths: i32 },
    /// A repulse was declared (¶241).
    Repulse { side: SideId, piece: Piece, hex: Hex, on: Vec<Hex>, sp: Option<i32>, ok: bool },
    /// Whether a force is where it seems to be, or has changed places with another (Solitaire 3); `hex` is the
    /// marcher's.
    Fixed { side: SideId, hex: Hex, contact: Hex, die: i32, modifier: i32, with: Option<Hex> },
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
    /// An Administrative March begins or goes on: the hexes ahead (¶187-189).
    Plotted { side: SideId, leader: LeaderId, rest: Vec<Hex> },
    /// A bridge train is left in the hex where its carrier stands (¶258, 260).
    TrainLeft { side: SideId, leader: LeaderId, carrier: LeaderId, hex: Hex },
    /// A bridge train is taken along (¶260).
    TrainTaken { side: SideId, leader: LeaderId, carrier: LeaderId, hex: Hex, mp: Halves },
    /// A pontoon is deployed, taken up or captured (¶258-259).
    Pontoon { side: SideId, leader: LeaderId, carrier: LeaderId, edge: Hexside, what: Bridging, mp: Halves },
    /// A force has gone off the map, to come back from a turn on, at one hex where it is named (¶219-220).
    OffMap { side: SideId, leader: LeaderId, exit: Hex, turn: u32, to: Option<Hex> },
    /// A force off the map turns back to its exit (¶221).
    OffMapBack { side: SideId, leader: LeaderId, exit: Hex, turn: u32 },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Open(what) => open(s, what),
        Event::Own(of) => own(s, of),
        Event::Partly(what) => partly(s, what),
        Event::Quiet(never) => match *never {},
    }
}

/// What lies open.
fn open(s: &mut State, what: &Open) {
    match what {
        Open::Redoubt { side, hex, faces, left } => {
            if let Some(p) = s.pieces_mut(side) {
                p.redoubts.insert(*hex, Redoubt { faces: faces.clone(), left: *left });
            }
        }
        Open::RedoubtLost { side, hex } => {
            if let Some(p) = s.pieces_mut(side) {
                p.redoubts.remove(hex);
            }
        }
        Open::Trestle { edge, job } => trestle(s, *edge, *job),
        Open::TrainsCaptured { side, hex } => {
            if let Some((owner, _)) = s.trains.get_mut(hex) {
                *owner = side.clone();
            }
        }
        Open::Center { side, from, to, how } => center(s, side, *from, *to, *how),
        Open::CenterActive { side } => {
            if let Some(p) = s.pieces_mut(side) {
                p.army.center_moved = false;
            }
        }
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

/// What its side alone knows.
fn own(s: &mut State, Of { side, what }: &Of<Own>) {
    match what {
        Own::Commanded { leader, ap, .. } => {
            s.phase.acted.insert(leader.clone());
            if let Some(p) = s.pieces_mut(side) {
                p.army.ap -= ap;
            }
        }
        Own::Tried { leader, forced, .. } => tried(s, side, leader, *forced),
        Own::Marched { piece, .. } => {
            if let Piece::Vedette(n) = piece {
                s.phase.vedettes.insert(*n);
            }
        }
        Own::Attrition { leader, .. } => settled(s, leader),
        Own::Worn { steps } => {
            let Some(p) = s.pieces_mut(side) else { return };
            for (leader, n) in steps {
                if let Some(l) = p.leaders.get_mut(leader) {
                    l.steps = *n;
                }
            }
        }
        Own::Mode { leader, forage } => {
            let Some(p) = s.pieces_mut(side) else { return };
            for member in p.force(leader) {
                if let Some(l) = p.leaders.get_mut(&member) {
                    l.forage = *forage;
                }
            }
        }
        Own::ForageAssigned { leader, hexes } => {
            s.phase.assigned.extend(hexes.iter().map(|h| (*h, leader.clone())));
        }
        Own::RedoubtOrdered { hex, faces } => {
            s.phase.digging.insert(*hex, faces.clone());
        }
        Own::Together { leader, parts } => {
            s.phase.acted.extend(parts.iter().cloned());
            s.phase.parts.extend(parts.iter().map(|part| (part.clone(), leader.clone())));
        }
        Own::PlotEnded { leader, .. } => {
            if let Some(p) = s.pieces_mut(side) {
                p.army.admin_marches.remove(leader);
            }
        }
        Own::Revictualled { hex, .. } => {
            let turn = s.turn;
            if let Some(p) = s.pieces_mut(side) {
                p.army.revictualled.insert(*hex, turn);
            }
        }
        Own::Floor { ap } => s.phase.floor = *ap,
        Own::ForagedHere { .. } | Own::RedoubtIdle { .. } => {}
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

/// What each side sees otherwise.
fn partly(s: &mut State, what: &Partly) {
    match what {
        Partly::Patrol { leader, .. } => {
            s.phase.patrols.insert(leader.clone());
        }
        Partly::Foraged { leader, hexes, .. } => {
            s.phase.foraged.extend(hexes.iter().map(|h| (*h, leader.clone())));
        }
        Partly::Repulse { side, piece, on, ok, .. } => {
            // ¶243: whoever failed in his own Movement Phase must attack; in a Forced March he need not.
            if let (false, Piece::Leader(leader)) = (*ok, piece)
                && matches!(&s.at, At::Own(phasing) if phasing == side)
            {
                s.phase.repulse_failed.entry(leader.clone()).or_default().extend(on.iter().copied());
            }
        }
        Partly::Fixed { .. } => {}
        // One who is met while the other side moves has not acted.
        Partly::Unemployed { side, leader } => {
            if flow::event::acting(s, side) {
                s.phase.acted.insert(leader.clone());
            }
        }
        Partly::Dropped { side, leader, .. } => {
            s.phase.acted.insert(leader.clone());
            s.phase.attrition.insert(leader.clone());
            if let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(leader)) {
                l.under = None;
            }
        }
        Partly::Joined { side, leader, into, .. } => joined(s, side, leader, into),
        Partly::BridgeWork { leader, edge, repair, .. } => {
            s.phase.bridge_work.insert(*edge, *repair);
            s.phase.bridge_workers.insert(leader.clone());
        }
        Partly::TrestleWork { leader, edge, job, .. } => {
            s.phase.trestle_work.insert(*edge, *job);
            s.phase.bridge_workers.insert(leader.clone());
        }
        Partly::Plotted { side, leader, rest } => plotted(s, side, leader, rest),
        Partly::TrainLeft { side, carrier, hex, .. } => {
            set_train(s, side, carrier, false);
            s.trains.entry(*hex).or_insert((side.clone(), 0)).1 += 1;
        }
        Partly::TrainTaken { side, carrier, hex, .. } => train_taken(s, side, carrier, *hex),
        Partly::Pontoon { side, leader, carrier, edge, what, .. } => {
            s.phase.bridge_workers.insert(leader.clone());
            pontoon(s, side, carrier, *edge, *what);
        }
        Partly::OffMap { side, leader, exit, turn, to } => {
            let abroad = Abroad { exit: *exit, since: s.turn, turn: *turn, to: *to };
            if let Some(p) = s.pieces_mut(side) {
                p.army.abroad.insert(leader.clone(), abroad);
            }
        }
        Partly::OffMapBack { side, leader, exit, turn } => {
            if let Some(away) = s.pieces_mut(side).and_then(|p| p.army.abroad.get_mut(leader)) {
                (away.turn, away.to) = (*turn, Some(*exit));
            }
        }
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

fn plotted(s: &mut State, side: &SideId, leader: &LeaderId, rest: &[Hex]) {
    s.phase.acted.insert(leader.clone());
    let now = s.turn;
    let Some(p) = s.pieces_mut(side) else { return };
    let begun = p.army.admin_marches.get(leader).map_or(now, |m| m.turn);
    let march = AdminMarch { leader: leader.clone(), turn: begun, rest: rest.to_vec() };
    p.army.admin_marches.insert(leader.clone(), march);
}

fn set_train(s: &mut State, side: &SideId, carrier: &LeaderId, train: bool) {
    if let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(carrier)) {
        l.train = train;
    }
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

/// What a side is told.
pub fn sight(before: &State, e: &Event, _after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    e.told_to(to, |what| seen_by(before, what, mind, to))
}

/// What a side sees of what each sees otherwise.
fn seen_by(before: &State, what: &Partly, mind: &Intel, to: &SideId) -> Option<Glimpse> {
    let who = |side: &SideId, piece: &Piece, hex: Hex| {
        if side == to { Some(Who::Own(piece.clone())) } else { mind.tag_of(piece, hex).map(Who::Foe) }
    };
    let counter = |side: &SideId, leader: &LeaderId| {
        let hex = before.pieces(side)?.hex(leader)?;
        who(side, &Piece::Leader(leader.clone()), hex)
    };
    // For its owner alone.
    let name = |side: &SideId, leader: &LeaderId| (side == to).then(|| leader.clone());
    let spent = |side: &SideId, mp: Halves| (side == to).then_some(mp);
    Some(match what {
        Partly::Patrol { side, leader } => {
            let hex = before.pieces(side)?.hex(leader)?;
            Glimpse::Patrol { who: counter(side, leader).filter(|who| news(mind, who))?, hex }
        }
        Partly::Foraged { side, leader, tenths, .. } => {
            Glimpse::Foraged { leader: name(side, leader)?, tenths: *tenths }
        }
        Partly::Repulse { side, piece, hex, on, sp, ok } => {
            let who = who(side, piece, *hex)?;
            Glimpse::Repulse { who, hex: *hex, on: on.clone(), sp: *sp, ok: *ok, own: side == to }
        }
        // Solitaire 1: all is open.
        Partly::Fixed { side, hex, contact, die, modifier, with } => {
            let (hex, contact, die, modifier, with) = (*hex, *contact, *die, *modifier, *with);
            Glimpse::Fixed { hex, contact, die, modifier, with, own: side == to }
        }
        Partly::Unemployed { side, leader } => Glimpse::Unemployed { who: counter(side, leader)? },
        Partly::Dropped { side, leader, from, hex } => {
            let who = if side == to { Who::Own(Piece::Leader(leader.clone())) } else { Who::Foe(mind.next_tag()) };
            Glimpse::Dropped { who, hex: *hex, from: name(side, from) }
        }
        Partly::Joined { side, leader, into, hex } => {
            let who = who(side, &Piece::Leader(leader.clone()), *hex)?;
            Glimpse::Joined { who, hex: *hex, into: name(side, into) }
        }
        // ¶61: work on a bridge is announced to both.
        Partly::BridgeWork { side, leader, edge, repair, mp } => {
            Glimpse::BridgeWork { edge: *edge, repair: *repair, by: name(side, leader), mp: spent(side, *mp) }
        }
        Partly::TrestleWork { side, leader, edge, job, mp } => {
            Glimpse::TrestleWork { edge: *edge, job: *job, by: name(side, leader), mp: spent(side, *mp) }
        }
        Partly::Plotted { side, leader, rest } => Glimpse::Plotted { leader: name(side, leader)?, to: *rest.last()? },
        Partly::TrainLeft { side, leader, hex, .. } => Glimpse::TrainLeft { who: counter(side, leader)?, hex: *hex },
        Partly::TrainTaken { side, leader, hex, mp, .. } => {
            Glimpse::TrainTaken { who: counter(side, leader)?, hex: *hex, mp: spent(side, *mp) }
        }
        Partly::Pontoon { side, leader, edge, what, mp, .. } => {
            Glimpse::Pontoon { who: counter(side, leader)?, edge: *edge, what: *what, mp: spent(side, *mp) }
        }
        // ¶219-221: the enemy is told where a force that turns back comes to, and no more.
        Partly::OffMap { side, leader, turn, to: at, .. } => {
            Glimpse::OffMap { leader: name(side, leader)?, turn: *turn, to: *at }
        }
        Partly::OffMapBack { side, leader, exit, turn } => {
            Glimpse::OffMapBack { leader: name(side, leader), exit: *exit, turn: (side == to).then_some(*turn) }
        }
    })
}

/// ¶231 Whether a side does not know a counter for a vedette yet.
fn news(mind: &Intel, who: &Who) -> bool {
    let known = |tag: &u32| mind.tags.get(tag).is_some_and(|t| t.face == Some(PATROL));
    !matches!(who, Who::Foe(tag) if known(tag))
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    match told {
        Sighting::Partly(Glimpse::Dropped { who: Who::Foe(tag), hex, .. }) => mind.appeared(*tag, *hex, None, None),
        Sighting::Partly(Glimpse::Joined { who: Who::Foe(tag), .. }) => mind.vanished(*tag),
        Sighting::Partly(Glimpse::Patrol { who: Who::Foe(tag), .. }) => mind.shown(*tag, PATROL, Ident::Vedette),
        Sighting::Open(_) | Sighting::Own(_) | Sighting::Partly(_) => {}
    }
}

//! Events of I.a Administration: lines of communication, Administrative Points, supply sources, centers (¶72-107).

use super::told::{Glimpse, Open, Own, Sighting};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::intel::Intel;
use crate::rules::campaigns::pieces::{Piece, Pieces, Place, Track, Vedette};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::telling::{self, Of};
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// An event of this chapter.
pub type Event = telling::Event<Open, Own, Partly, Quiet>;

/// What each side sees otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Partly {
    /// The Paris Garrison goes back to its training (¶128).
    ParisBack { side: SideId, leader: LeaderId, hex: Hex },
    /// The source marker is turned over: a change is under way (¶102-103).
    SourceFlipped { side: SideId, to: Hex, ap: i32 },
    /// The marker lies face up at a hex, with a garrison of so many SP (¶77, 79, 102).
    SourcePlaced { side: SideId, hex: Hex, garrison: i32, ap: i32 },
    /// The center is disbanded, to return on a turn at one of some hexes (¶106).
    CenterDisbanded { side: SideId, ap: i32, turn: u32, hexes: Vec<Hex> },
    /// A vedette is out of dispatch distance: in the pool until the next friendly Organization Segment (¶87).
    VedetteAway { side: SideId, n: u32, hex: Hex },
}

/// What nobody is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Quiet {
    /// Points of the track up to a turn have come, where they can be delayed (¶128).
    PointsOf { side: SideId, turn: u32 },
    /// A side deals with the administration of another of its armies from here on (¶93).
    Desk { side: SideId, army: ArmyId },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Open(what) => open(s, what),
        Event::Own(of) => own(s, of),
        Event::Partly(what) => partly(s, what),
        Event::Quiet(Quiet::Desk { side, army }) => s.turn_desk(side, army),
        Event::Quiet(Quiet::PointsOf { side, turn }) => {
            if let Some(p) = s.pieces_mut(side) {
                p.army.points_of = *turn;
            }
        }
    }
}

/// What lies open.
fn open(s: &mut State, what: &Open) {
    let (Open::Line { side, .. }
    | Open::Raided { side, .. }
    | Open::SourceKept { side }
    | Open::CenterPlaced { side, .. }) = what;
    let Some(pieces) = s.pieces_mut(side) else { return };
    let army = &mut pieces.army;
    match what {
        Open::Line { drawn, blocked, .. } => army.loc = drawn.clone().filter(|_| !blocked),
        Open::Raided { hex, .. } => {
            army.ap = 0;
            army.raided.insert(*hex);
        }
        Open::SourceKept { .. } => army.source_moving = None,
        Open::CenterPlaced { hex, .. } => {
            army.center = Some(*hex);
            army.center_returns = None;
        }
    }
}

/// What its side alone knows.
fn own(s: &mut State, of: &Of<Own>) {
    let turn = s.turn;
    let Some(pieces) = s.pieces_mut(&of.side) else { return };
    let army = &mut pieces.army;
    match &of.what {
        Own::Via { on } => army.via = *on,
        Own::ParisDrawn { from, unit } => drawn(pieces, from, unit, turn),
        Own::Income { points, .. } => army.ap += points,
        Own::ApLost { points } => army.ap -= points,
        Own::Prize { hex, points } => {
            army.ap += points;
            army.prizes.insert(*hex);
        }
        Own::SourceDie { .. } => {}
        Own::Points { nationality, points } => {
            for (arm, n) in points {
                *army.pool.entry((nationality.clone(), *arm)).or_default() += n;
            }
        }
        Own::Forfeited { nationality, arm, .. } => {
            army.pool.remove(&(nationality.clone(), *arm));
        }
        Own::Flight { toward } => army.flight = *toward,
    }
}

/// ¶127 The Paris Garrison gives an SP to a unit.
fn drawn(p: &mut Pieces, from: &UnitId, unit: &UnitId, turn: u32) {
    p.army.paris_drawn = Some(turn);
    if let Some(giver) = p.units.get_mut(from) {
        giver.sp -= 1;
    }
    if let Some(taker) = p.units.get_mut(unit) {
        taker.sp += 1;
        taker.immobile = true;
    }
    p.units.retain(|id, u| id != from || u.sp > 0);
}

/// What each side sees otherwise.
fn partly(s: &mut State, what: &Partly) {
    let (side, piece) = match what {
        Partly::ParisBack { side, leader, .. } => (side, Some(Piece::Leader(leader.clone()))),
        Partly::VedetteAway { side, n, .. } => (side, Some(Piece::Vedette(*n))),
        Partly::SourceFlipped { side, .. }
        | Partly::SourcePlaced { side, .. }
        | Partly::CenterDisbanded { side, .. } => (side, None),
    };
    if let Some(piece) = piece {
        s.face_up.remove(&(side.clone(), piece));
    }
    let now = s.turn;
    let Some(pieces) = s.pieces_mut(side) else { return };
    let army = &mut pieces.army;
    match what {
        Partly::ParisBack { leader, .. } => back(pieces, leader),
        Partly::SourceFlipped { to, ap, .. } => {
            army.ap -= ap;
            army.source_since = Some(now);
            army.source_moving = Some(*to);
        }
        Partly::SourcePlaced { hex, garrison, ap, .. } => {
            army.ap -= ap;
            army.source = Some(*hex);
            army.source_moving = None;
            army.source_garrison = *garrison;
        }
        Partly::CenterDisbanded { ap, turn, hexes, .. } => {
            army.ap -= ap;
            army.center = None;
            army.center_moved = false;
            army.loc = None;
            army.center_returns = Some((*turn, hexes.clone()));
        }
        Partly::VedetteAway { n, hex, .. } => {
            army.vedettes_away.insert(*n, (now, *hex));
            pieces.vedettes.insert(*n, Vedette::Pool);
        }
    }
}

/// ¶128 The Paris Garrison goes back.
fn back(p: &mut Pieces, leader: &LeaderId) {
    p.army.paris_returned = true;
    p.army.arrived.remove(leader);
    if let Some(l) = p.leaders.get_mut(leader) {
        l.place = Place::Waiting;
    }
    let his = Track::Of(leader.clone());
    p.units.values_mut().filter(|u| u.track == his).for_each(|u| u.track = Track::Waiting);
}

/// What a side is told.
pub fn sight(before: &State, e: &Event, _after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    e.told_to(to, |what| seen_by(before, what, mind, to))
}

/// What a side sees of what each sees otherwise.
fn seen_by(before: &State, what: &Partly, mind: &Intel, to: &SideId) -> Option<Glimpse> {
    let who = |side: &SideId, piece: Piece, hex: &Hex| {
        Some(if side == to { Who::Own(piece) } else { Who::Foe(mind.tag_of(&piece, *hex)?) })
    };
    Some(match what {
        Partly::ParisBack { side, leader, hex } => {
            Glimpse::ParisBack { who: who(side, Piece::Leader(leader.clone()), hex)?, hex: *hex }
        }
        // ¶102: the enemy sees a marker turned over, and not where it will go.
        Partly::SourceFlipped { side, to: goal, ap } => {
            let own = side == to;
            Glimpse::SourceFlipped { side: side.clone(), to: own.then_some(*goal), ap: own.then_some(*ap) }
        }
        Partly::SourcePlaced { side, hex, garrison, ap } => {
            let own = side == to;
            let garrison = own.then_some(*garrison);
            Glimpse::SourcePlaced { side: side.clone(), hex: *hex, garrison, ap: own.then_some(*ap) }
        }
        Partly::CenterDisbanded { side, ap, turn, hexes } => {
            let own = side == to;
            let returns = own.then(|| (*turn, hexes.clone()));
            Glimpse::CenterDisbanded { side: side.clone(), ap: own.then_some(*ap), returns }
        }
        Partly::VedetteAway { side, n, hex } => {
            let piece = Piece::Vedette(*n);
            before.pieces(side).and_then(|p| p.piece_hex(&piece))?;
            Glimpse::VedetteAway { who: who(side, piece, hex)?, hex: *hex }
        }
    })
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    if let Sighting::Partly(
        Glimpse::VedetteAway { who: Who::Foe(tag), .. } | Glimpse::ParisBack { who: Who::Foe(tag), .. },
    ) = told
    {
        mind.vanished(*tag);
    }
}

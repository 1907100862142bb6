//! Events of I.a Administration: lines of communication, Administrative Points, supply sources, centers (¶72-107).

use super::told::Sighting;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Arm, ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::intel::Intel;
use crate::rules::campaigns::pieces::{Loc, Pieces, Place, Track};
use crate::rules::campaigns::state::State;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An event of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The line of communication of an army is traced: as drawn, and whether the enemy says it is blocked (¶80-85).
    Line { side: SideId, drawn: Option<Loc>, blocked: bool },
    /// Points of the track up to a turn have come, where they can be delayed (¶128).
    PointsOf { side: SideId, turn: u32 },
    /// The Paris Garrison gives an SP to a unit, which is immobile (¶127).
    ParisDrawn { side: SideId, from: UnitId, unit: UnitId },
    /// The Paris Garrison goes back to its training (¶128).
    ParisBack { side: SideId, leader: LeaderId, hex: Hex },
    /// A side deals with the administration of another of its armies from here on (¶93).
    Desk { side: SideId, army: ArmyId },
    /// An army sends its line by the center of the other one, or by its own source again (¶94).
    Via { side: SideId, on: bool },
    /// Administrative Points come in (¶96-99).
    Income {
        side: SideId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        army: Option<ArmyId>,
        dice: Vec<u32>,
        commander: bool,
        points: i32,
    },
    /// Administrative Points that cannot be stored are lost at the end of the turn (¶96).
    ApLost { side: SideId, points: i32 },
    /// A place brings its points, once (¶96).
    Prize { side: SideId, hex: Hex, points: i32 },
    /// The enemy has entered the stores of a side for the first time: its points are gone (¶97).
    Raided { side: SideId, hex: Hex },
    /// The die of a change of source (¶104).
    SourceDie { side: SideId, die: u32, modified: i32, done: bool },
    /// The source marker is turned over: a change is under way (¶102-103).
    SourceFlipped { side: SideId, to: Hex, ap: i32 },
    /// The change is given up, and the marker lies face up again where it was.
    SourceKept { side: SideId },
    /// The marker lies face up at a hex, with a garrison of so many SP (¶77, 79, 102).
    SourcePlaced { side: SideId, hex: Hex, garrison: i32, ap: i32 },
    /// The center is disbanded, to return on a turn at one of some hexes (¶106).
    CenterDisbanded { side: SideId, ap: i32, turn: u32, hexes: Vec<Hex> },
    /// The center is on the map again (¶106, 184).
    CenterPlaced { side: SideId, hex: Hex },
    /// Replacement Points come to the pool (¶108-110).
    Points { side: SideId, nationality: String, points: BTreeMap<Arm, i32> },
    /// Replacement Points that no marker stores are lost at the end of the turn (¶20).
    Forfeited { side: SideId, nationality: String, arm: Arm, points: i32 },
    /// Toward which source the center will flee; `None` for the active one, else the nearest (¶182).
    Flight { side: SideId, toward: Option<Hex> },
    /// A vedette is out of dispatch distance: in the pool until the next friendly Organization Segment (¶87).
    VedetteAway { side: SideId, n: u32, hex: Hex },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    let turn = s.turn;
    let side = match e {
        Event::Line { side, .. }
        | Event::Desk { side, .. }
        | Event::PointsOf { side, .. }
        | Event::ParisDrawn { side, .. }
        | Event::ParisBack { side, .. }
        | Event::Via { side, .. }
        | Event::Income { side, .. }
        | Event::ApLost { side, .. }
        | Event::Prize { side, .. }
        | Event::Raided { side, .. }
        | Event::SourceDie { side, .. }
        | Event::SourceFlipped { side, .. }
        | Event::SourceKept { side }
        | Event::SourcePlaced { side, .. }
        | Event::CenterDisbanded { side, .. }
        | Event::CenterPlaced { side, .. }
        | Event::Points { side, .. }
        | Event::Forfeited { side, .. }
        | Event::Flight { side, .. }
        | Event::VedetteAway { side, .. } => side,
    };
    if let Event::VedetteAway { side, n, .. } = e {
        s.face_up.remove(&(side.clone(), crate::rules::campaigns::pieces::Piece::Vedette(*n)));
    }
    if let Event::Desk { side, army } = e {
        s.turn_desk(side, army);
    }
    if let Event::ParisBack { side, leader, .. } = e {
        s.face_up.remove(&(side.clone(), crate::rules::campaigns::pieces::Piece::Leader(leader.clone())));
    }
    let Some(pieces) = s.pieces_mut(side) else { return };
    if matches!(e, Event::ParisDrawn { .. } | Event::ParisBack { .. }) {
        return paris(pieces, e, turn);
    }
    let army = &mut pieces.army;
    match e {
        Event::Line { drawn, blocked, .. } => army.loc = drawn.clone().filter(|_| !blocked),
        Event::Income { points, .. } => army.ap += points,
        Event::ApLost { points, .. } => army.ap -= points,
        Event::Prize { hex, points, .. } => {
            army.ap += points;
            army.prizes.insert(*hex);
        }
        Event::Raided { hex, .. } => {
            army.ap = 0;
            army.raided.insert(*hex);
        }
        Event::Via { on, .. } => army.via = *on,
        Event::PointsOf { turn, .. } => army.points_of = *turn,
        Event::SourceDie { .. } | Event::Desk { .. } | Event::ParisDrawn { .. } | Event::ParisBack { .. } => {}
        Event::SourceFlipped { to, ap, .. } => {
            army.ap -= ap;
            army.source_since = Some(turn);
            army.source_moving = Some(*to);
        }
        Event::SourceKept { .. } => army.source_moving = None,
        Event::SourcePlaced { hex, garrison, ap, .. } => {
            army.ap -= ap;
            army.source = Some(*hex);
            army.source_moving = None;
            army.source_garrison = *garrison;
        }
        Event::CenterDisbanded { ap, turn, hexes, .. } => {
            army.ap -= ap;
            army.center = None;
            army.center_moved = false;
            army.loc = None;
            army.center_returns = Some((*turn, hexes.clone()));
        }
        Event::CenterPlaced { hex, .. } => {
            army.center = Some(*hex);
            army.center_returns = None;
        }
        Event::Points { nationality, points, .. } => {
            for (arm, n) in points {
                *army.pool.entry((nationality.clone(), *arm)).or_default() += n;
            }
        }
        Event::Forfeited { nationality, arm, .. } => {
            army.pool.remove(&(nationality.clone(), *arm));
        }
        Event::Flight { toward, .. } => army.flight = *toward,
        Event::VedetteAway { n, hex, .. } => {
            army.vedettes_away.insert(*n, (turn, *hex));
            pieces.vedettes.insert(*n, crate::rules::campaigns::pieces::Vedette::Pool);
        }
    }
}

/// ¶127-128 What becomes of the Paris Garrison.
fn paris(p: &mut Pieces, e: &Event, turn: u32) {
    match e {
        Event::ParisDrawn { from, unit, .. } => {
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
        Event::ParisBack { leader, .. } => {
            p.army.paris_returned = true;
            p.army.arrived.remove(leader);
            if let Some(l) = p.leaders.get_mut(leader) {
                l.place = Place::Waiting;
            }
            let his = Track::Of(leader.clone());
            p.units.values_mut().filter(|u| u.track == his).for_each(|u| u.track = Track::Waiting);
        }
        _ => {}
    }
}

/// What a side is told. Markers lie in open sight; points and pools are their owner's secret (¶33).
pub fn sight(before: &State, e: &Event, _after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    let told = match e {
        Event::Line { side, drawn, blocked } => {
            // ¶85: the line is open to both, and the answer is yes or no without a reason.
            Sighting::Line { side: side.clone(), drawn: drawn.clone(), blocked: *blocked }
        }
        Event::Income { side, army, dice, commander, points } if side == to => {
            Sighting::Income { army: army.clone(), dice: dice.clone(), commander: *commander, points: *points }
        }
        Event::ApLost { side, points } if side == to => Sighting::ApLost { points: *points },
        Event::Prize { side, hex, points } if side == to => Sighting::Prize { hex: *hex, points: *points },
        Event::Raided { side, hex } => Sighting::Raided { side: side.clone(), hex: *hex },
        Event::SourceDie { side, die, modified, done } if side == to => {
            Sighting::SourceDie { die: *die, modified: *modified, done: *done }
        }
        Event::Via { side, on } if side == to => Sighting::Via { on: *on },
        // Which of its armies a side deals with is its own affair.
        Event::ApLost { .. }
        | Event::Prize { .. }
        | Event::SourceDie { .. }
        | Event::Desk { .. }
        | Event::PointsOf { .. }
        | Event::Via { .. } => return None,
        Event::ParisDrawn { side, from, unit } => {
            let told = Sighting::ParisDrawn { from: from.clone(), unit: unit.clone() };
            return (side == to).then_some(told);
        }
        Event::ParisBack { side, leader, hex } => {
            let piece = crate::rules::campaigns::pieces::Piece::Leader(leader.clone());
            let who = if side == to { Who::Own(piece) } else { Who::Foe(mind.tag_of(&piece, *hex)?) };
            Sighting::ParisBack { who, hex: *hex }
        }
        Event::Points { side, nationality, points } if side == to => {
            Sighting::Points { nationality: nationality.clone(), points: points.clone() }
        }
        Event::Forfeited { side, nationality, arm, points } if side == to => {
            Sighting::Forfeited { nationality: nationality.clone(), arm: *arm, points: *points }
        }
        Event::Flight { side, toward } if side == to => Sighting::Flight { toward: *toward },
        Event::Income { .. } | Event::Points { .. } | Event::Forfeited { .. } | Event::Flight { .. } => return None,
        Event::SourceFlipped { side, to: goal, ap } => {
            // ¶102: the enemy sees a marker turned over, and not where it will go.
            let own = side == to;
            Sighting::SourceFlipped { side: side.clone(), to: own.then_some(*goal), ap: own.then_some(*ap) }
        }
        Event::SourceKept { side } => Sighting::SourceKept { side: side.clone() },
        Event::SourcePlaced { side, hex, garrison, ap } => {
            let own = side == to;
            let garrison = own.then_some(*garrison);
            Sighting::SourcePlaced { side: side.clone(), hex: *hex, garrison, ap: own.then_some(*ap) }
        }
        Event::CenterDisbanded { side, ap, turn, hexes } => {
            let own = side == to;
            let returns = own.then(|| (*turn, hexes.clone()));
            Sighting::CenterDisbanded { side: side.clone(), ap: own.then_some(*ap), returns }
        }
        Event::CenterPlaced { side, hex } => Sighting::CenterPlaced { side: side.clone(), hex: *hex },
        Event::VedetteAway { side, n, hex } => {
            let piece = crate::rules::campaigns::pieces::Piece::Vedette(*n);
            before.pieces(side).and_then(|p| p.piece_hex(&piece))?;
            let who = if side == to {
                crate::rules::campaigns::flow::told::Who::Own(piece)
            } else {
                crate::rules::campaigns::flow::told::Who::Foe(mind.tag_of(&piece, *hex)?)
            };
            Sighting::VedetteAway { who, hex: *hex }
        }
    };
    Some(told)
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    if let Sighting::VedetteAway { who: Who::Foe(tag), .. } | Sighting::ParisBack { who: Who::Foe(tag), .. } = told {
        mind.vanished(*tag);
    }
}

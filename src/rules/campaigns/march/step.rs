//! ¶212-239 One step of a column, by the truth: what closes the way, what it costs, what arriving brings about.

use super::column::Column;
use super::told::Closed;
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::rules::campaigns::board::{Arm, Halves};
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::state::State;

/// Why a step is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A unit has not the MP (¶202).
    Spent,
    /// The way is closed.
    Closed(Closed),
}

/// How a step is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner<'a> {
    /// What moves.
    pub piece: &'a Piece,
    /// Whether the hex it leaves was entered by road (¶214).
    pub by_road: bool,
    /// Whether in a Forced March.
    pub forced: bool,
    /// Whether a repulse is declared on arrival.
    pub repulse: bool,
    /// Whether the column is in Forage Mode: bridges are of no use to it (¶214).
    pub forages: bool,
}

/// ¶202, 212-214, 217, 223, 238, 297 The cost of a step of a side's column; `Err` where it cannot be taken.
///
/// # Errors
/// What stops it.
pub fn cost(
    s: &State,
    side: &SideId,
    column: &Column,
    from: Hex,
    to: Hex,
    manner: Manner<'_>,
) -> Result<StepCost, Halt> {
    let closed = |by| Err(Halt::Closed(by));
    let Some(sit) = s.situation(side) else { return closed(Closed::Ground) };
    if sit.besieged(&s.sieges, from, to).is_some() {
        return closed(Closed::Siege);
    }
    if sit.enemy.contains_key(&to) {
        return closed(Closed::Enemy);
    }
    if sit.by_pontoon(from, to) && taken(s, manner.piece, from, to) {
        return closed(Closed::Pontoon);
    }
    let bridge = !manner.forages || sit.board.map.river(from, to).is_none();
    let ground = if bridge { sit.step(from, to, manner.by_road) } else { sit.ford(from, to) };
    let Some(ground) = ground else { return closed(Closed::Ground) };
    if held(&sit, from) && held(&sit, to) {
        return closed(Closed::Zones);
    }
    if manner.forced && held(&sit, to) && !manner.repulse && !friend_engaged(&sit, to) {
        return closed(Closed::Forced);
    }
    let mut cost = ground + exit(s, &sit, side, from);
    if manner.forced && manner.repulse {
        // ¶244: a repulse in a Forced March takes one MP more.
        cost = cost + StepCost { foot: Halves::whole(1), horse: Halves::whole(1) };
    }
    if column.can_pay(cost) { Ok(cost) } else { Err(Halt::Spent) }
}

/// ¶214 Whether another force has crossed the pontoon between two hexes in this phase.
fn taken(s: &State, piece: &Piece, from: Hex, to: Hex) -> bool {
    let force = match piece {
        Piece::Leader(id) => Piece::Leader(s.phase.parts.get(id).unwrap_or(id).clone()),
        Piece::Vedette(_) | Piece::Garrison(_) => piece.clone(),
    };
    Hexside::between(from, to).and_then(|edge| s.phase.crossed.get(&edge)).is_some_and(|by| *by != force)
}

/// ¶236 Whether an enemy zone that surely stops forces covers a hex.
pub fn held(sit: &Situation<'_>, hex: Hex) -> bool {
    sit.zones_on(hex).iter().any(|(_, firm)| *firm == Firm::Yes)
}

/// ¶297 Whether a hex is occupied by, or next to, another friendly force in an enemy zone of control.
fn friend_engaged(sit: &Situation<'_>, hex: Hex) -> bool {
    hex.neighbours().into_iter().chain([hex]).any(|h| sit.own.occupied_by_force(h) && held(sit, h))
}

/// ¶238 What leaving a hex costs above the ground: by the strongest enemy whose zone holds it; horse pay only where that
/// enemy has cavalry.
pub fn exit(s: &State, sit: &Situation<'_>, side: &SideId, from: Hex) -> StepCost {
    let mut most = StepCost::NONE;
    let Some(foe) = s.pieces(&s.enemy(side)) else { return most };
    for (hex, firm) in sit.zones_on(from) {
        if firm != Firm::Yes {
            continue;
        }
        let mp = s.board.tables.terrain.zoc_exit(strength(foe, hex));
        most.foot = most.foot.max(mp);
        if cavalry(s, foe, hex) > 0 {
            most.horse = most.horse.max(mp);
        }
    }
    most
}

/// SP of a side in a hex, the garrison of its active source among them (¶77).
pub fn strength(foe: &Pieces, hex: Hex) -> i32 {
    foe.sp_at(hex) + foe.source_at(hex).unwrap_or(0)
}

/// SP of cavalry of a side in a hex.
pub fn cavalry(s: &State, foe: &Pieces, hex: Hex) -> i32 {
    foe.leaders_at(hex).into_iter().map(|l| foe.sp_of(&s.board, l, Arm::Cavalry)).sum()
}

//! Orders of I.b Organization and II.a Reinforcements (¶108-146, 154-163).

use super::{allot, forces, garrison, paris, pool, regiment, tracks};
use crate::hex::Hex;
use crate::orders::Verb;
use crate::rules::campaigns::board::{ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::march::enter;
use crate::rules::campaigns::sequence::Segment;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// An order of this chapter. Each was read against what its side knows, which is all that its legality rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// `REPLACE unit n kind` (¶108-114).
    Replace {
        /// Which unit.
        unit: UnitId,
        /// SP.
        sp: i32,
    },
    /// `UNIT unit TO leader` (¶129).
    Unit {
        /// Which unit.
        unit: UnitId,
        /// To whom.
        leader: LeaderId,
    },
    /// `SP n FROM unit TO unit` (¶133).
    Strength {
        /// SP.
        sp: i32,
        /// From which unit.
        from: UnitId,
        /// To which unit.
        to: UnitId,
    },
    /// `DETACH leader` (¶140).
    Detach {
        /// Who.
        leader: LeaderId,
    },
    /// `ATTACH leader TO leader` (¶37, 140): who goes under whom.
    Attach {
        /// Who.
        leader: LeaderId,
        /// Under whom.
        to: LeaderId,
    },
    /// `RAISE leader WITH units` (¶119-120).
    Raise {
        /// Who.
        leader: LeaderId,
        /// Where.
        hex: Hex,
        /// With which units.
        units: Vec<UnitId>,
        /// Under whom; `None` for a force of his own.
        under: Option<LeaderId>,
    },
    /// `RETIRE leader INTO leader` (¶121).
    Retire {
        /// Who.
        leader: LeaderId,
        /// Who takes his units.
        into: LeaderId,
    },
    /// `GARRISON CREATE hex FROM unit` (¶130).
    Garrison {
        /// Which counter.
        garrison: UnitId,
        /// Where.
        hex: Hex,
        /// Out of which unit.
        from: UnitId,
    },
    /// `GARRISON ABSORB hex INTO unit` (¶131).
    Absorb {
        /// Which counter.
        garrison: UnitId,
        /// Into which unit.
        into: UnitId,
    },
    /// `GARRISON CONVERT hex TO leader` (¶131).
    Convert {
        /// Which counter.
        garrison: UnitId,
        /// The March Regiment that takes its strength.
        regiment: UnitId,
        /// On whose track.
        leader: LeaderId,
    },
    /// `REGIMENT counter FROM POOL n UNDER leader AT hex` (¶115, 122).
    Draw {
        /// Which counter.
        regiment: UnitId,
        /// Under whom.
        leader: LeaderId,
        /// Where it comes onto the map.
        hex: Hex,
        /// SP.
        sp: i32,
    },
    /// `REGIMENT counter FROM unit n UNDER leader` (¶116, 134).
    Form {
        /// Which counter.
        regiment: UnitId,
        /// Out of which unit.
        from: UnitId,
        /// SP.
        sp: i32,
        /// On whose track.
        leader: LeaderId,
        /// Where.
        hex: Hex,
    },
    /// `REGIMENT counter DISSOLVE INTO unit` (¶117).
    Dissolve {
        /// Which March Regiment.
        regiment: UnitId,
        /// Into which unit.
        into: UnitId,
    },
    /// `ENTER leader AT hex MARCH path VEDETTES n` (¶154-163).
    Enter(enter::Enter),
    /// `ASSIGN leader TO army` (¶155).
    Assign {
        /// Who.
        leader: LeaderId,
        /// To which.
        army: ArmyId,
    },
    /// `PARIS REPLACE unit` (¶127).
    ParisReplace {
        /// Out of which unit of the garrison.
        from: UnitId,
        /// To which unit.
        unit: UnitId,
    },
    /// `PARIS RETURN` (¶128).
    ParisReturn {
        /// Who leads the garrison.
        leader: LeaderId,
    },
    /// `DELAY leader` (¶161-162).
    Delay {
        /// Who.
        leader: LeaderId,
    },
}

/// Verbs of this chapter.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    let mut verbs = tracks::verbs();
    verbs.extend(forces::verbs());
    verbs.extend(pool::verbs());
    verbs.extend(garrison::verbs());
    verbs.extend(regiment::verbs());
    verbs.extend(enter::verbs());
    verbs.extend(allot::verbs());
    verbs.extend(paris::verbs());
    verbs
}

/// The segment of sheet A that an order belongs to.
pub fn segment(order: &Order) -> Segment {
    match order {
        Order::Enter(_) | Order::Assign { .. } | Order::Delay { .. } => Segment::Reinforcements,
        Order::Replace { .. }
        | Order::ParisReplace { .. }
        | Order::ParisReturn { .. }
        | Order::Unit { .. }
        | Order::Strength { .. }
        | Order::Detach { .. }
        | Order::Attach { .. }
        | Order::Raise { .. }
        | Order::Retire { .. }
        | Order::Garrison { .. }
        | Order::Absorb { .. }
        | Order::Convert { .. }
        | Order::Draw { .. }
        | Order::Form { .. }
        | Order::Dissolve { .. } => Segment::Organization,
    }
}

/// What CHECK says of an order.
pub fn check(v: &View, order: &Order) -> Vec<String> {
    match order {
        Order::Replace { .. } | Order::ParisReplace { .. } => {
            vec!["the unit is immobile until your next Organization Segment (¶114)".to_owned()]
        }
        Order::Detach { .. } => vec!["one of the two forces must leave the hex this turn (¶140)".to_owned()],
        Order::Enter(order) => enter::check(v, order),
        Order::Unit { .. }
        | Order::Strength { .. }
        | Order::Attach { .. }
        | Order::Raise { .. }
        | Order::Retire { .. }
        | Order::Garrison { .. }
        | Order::Absorb { .. }
        | Order::Convert { .. }
        | Order::Form { .. }
        | Order::Dissolve { .. }
        | Order::Assign { .. }
        | Order::ParisReturn { .. }
        | Order::Delay { .. } => Vec::new(),
        Order::Draw { leader, .. } => {
            let him = words::order_name(v, leader);
            vec![format!("it counts as a reinforcement this turn: FORCE {him} FREE MARCH … costs no AP (¶115)")]
        }
    }
}

//! Orders of I.b Organization and II.a Reinforcements (¶108-146, 154-163).

use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::campaigns::board::{ArmyId, Halves, LeaderId, UnitId};
use crate::rules::campaigns::march::clause::Branch;
use crate::rules::campaigns::view::View;

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
    Enter(Enter),
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

/// ¶54 Whether the Organization Segment has not passed a step yet.
///
/// # Errors
/// Refused, naming the order of the steps.
pub fn in_step(v: &View, step: u8) -> Result<(), Fault> {
    if v.phase.step <= step {
        return Ok(());
    }
    let why = "replacements come first, then units, leaders and garrisons, then strength between units";
    Err(Fault::refused(why, "¶54"))
}

/// The entry of one reinforcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enter {
    /// Who.
    pub leader: LeaderId,
    /// The first hex of the map and those after it.
    pub path: Vec<Hex>,
    /// Extra MP of an Extended March (¶160).
    pub extended: Option<Halves>,
    /// Vedettes that come with it.
    pub vedettes: u32,
    /// Conditions.
    pub branches: Vec<Branch>,
}

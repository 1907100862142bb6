//! What a side is told of III.b Combat (¶298-410).
//!
//! Foreign pieces go by tag. Of a loss the enemy hears the sum, of a marker only the one shown, of reserves nothing.

use super::battle::{Ended, Marker};
use super::field::Factor;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Halves, LeaderId, UnitId};
use crate::rules::campaigns::flow::told::{Cause, Who};
use crate::rules::campaigns::telling;
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// A sighting of this chapter.
pub type Sighting = telling::Sighting<Open, Own, Glimpse>;

/// What lies open: what is done on the field is seen by both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Open {
    /// Strengths as stated, to the nearest ten (¶300 step 3a).
    Stated {
        /// Battle.
        no: u32,
        /// The attacker's.
        attack: i32,
        /// The defender's.
        defend: i32,
    },
    /// Exact strengths in line, and the odds (¶300 step 6).
    Odds(Compared),
    /// The die and the result of a half round (¶300 step 7).
    Result(Resolved),
    /// A side does not attack (¶332).
    Refused {
        /// Battle.
        no: u32,
        /// Who.
        side: SideId,
    },
    /// The loser shows his marker (¶300 step 7).
    Showed {
        /// Battle.
        no: u32,
        /// Whose.
        side: SideId,
        /// The marker.
        marker: Marker,
        /// Whether it counts against his Initiative (¶330).
        counts: bool,
    },
    /// The defender takes his number as a retreat (¶400).
    Overridden {
        /// Battle.
        no: u32,
    },
    /// A force retreats (¶369).
    Retreated {
        /// Battle.
        no: u32,
        /// Whose.
        side: SideId,
        /// Hexes ordered by the result.
        ordered: i32,
        /// The hex left, then the path.
        path: Vec<Hex>,
        /// Whether it could not go the full distance.
        blocked: bool,
        /// Whether losses double for enemy control on the way (¶371).
        doubled: bool,
    },
    /// A pursuit (¶380).
    Pursued(Pursuit),
    /// A side's force is eliminated.
    Destroyed {
        /// Battle.
        no: u32,
        /// Whose.
        side: SideId,
        /// Where.
        hex: Hex,
    },
    /// A leader without troops tries to escape (¶43).
    Escape {
        /// Whose.
        side: SideId,
        /// Who.
        leader: LeaderId,
        /// Where.
        hex: Hex,
        /// The die; `None` where none is rolled.
        die: Option<i32>,
        /// Whether he got away.
        escaped: bool,
    },
    /// The die for a critical battle (¶395).
    Critical {
        /// Battle.
        no: u32,
        /// The loser.
        loser: SideId,
        /// SP he lost.
        lost: i32,
        /// SP the winner lost.
        winner_lost: i32,
        /// The die; `None` where the battle cannot be critical.
        die: Option<i32>,
        /// Whether morale moves.
        critical: bool,
    },
    /// A siege begins or ends (¶308, 310).
    Siege {
        /// Where.
        hex: Hex,
        /// Whether it begins.
        begins: bool,
    },
    /// A citadel surrenders (¶413).
    Surrendered {
        /// Where.
        hex: Hex,
        /// Whose.
        side: SideId,
        /// SP that go.
        sp: i32,
    },
    /// The garrison of an active source loses strength; at nothing the source is captured (¶78).
    SourceLost {
        /// Whose.
        side: SideId,
        /// Where.
        hex: Hex,
        /// SP of garrison that are left; at nothing the source is captured.
        left: i32,
    },
    /// Dice for control of the battle (¶409).
    Control {
        /// Battle.
        no: u32,
        /// Who is about to attack.
        side: SideId,
        /// The die.
        die: i32,
        /// After modifiers.
        modified: i32,
    },
    /// The battle goes on where the forces stand after a pursuit (¶394).
    Ground {
        /// Battle.
        no: u32,
        /// Hexes attacked.
        hexes: Vec<Hex>,
        /// Hexes they are attacked from.
        from: Vec<Hex>,
    },
    /// A battle ends.
    Ended {
        /// Battle.
        no: u32,
        /// How.
        how: Ended,
    },
}

/// Strengths in line that were compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// Battle.
    pub no: u32,
    /// Whether it is a counterattack.
    pub counter: bool,
    /// Who attacks.
    pub by: SideId,
    /// His strength after terrain.
    pub attack: Halves,
    /// The other's.
    pub defend: Halves,
    /// As players say it, after shifts, such as `2-1`.
    pub odds: String,
    /// Columns shifted to the right.
    pub shift: i32,
    /// Whether the affecting terrain line is used.
    pub affecting: bool,
    /// The factor that the defender took.
    pub factor: Factor,
}

/// The die of a half round, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolved {
    /// Battle.
    pub no: u32,
    /// Whether it is a counterattack.
    pub counter: bool,
    /// Who attacks.
    pub by: SideId,
    /// The die.
    pub die: i32,
    /// The star used: added or taken off.
    pub bonus: i32,
    /// The die after all modifiers, those of the odds left out.
    pub modified: i32,
    /// As the table prints it, such as `2/D3`.
    pub text: String,
    /// Who loses.
    pub loser: SideId,
    /// The loser's number.
    pub loser_number: i32,
    /// The winner's number.
    pub winner_number: i32,
}

/// Who pursued, how far, and what it took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pursuit {
    /// Battle.
    pub no: u32,
    /// Whose.
    pub side: SideId,
    /// Under whom.
    pub lead: LeaderId,
    /// The length of retreat that the table was entered with.
    pub retreat: i32,
    /// The die.
    pub die: i32,
    /// The die after all modifiers.
    pub modified: i32,
    /// The length allowed.
    pub length: i32,
    /// Hexes actually pursued.
    pub hexes: i32,
    /// SP that the pursuit takes, before any doubling.
    pub loss: i32,
}

/// What its side alone is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Own {
    /// Own guns are handed to a leader who stays behind (¶386).
    GunsLeft {
        /// The unit.
        unit: UnitId,
        /// With whom.
        leader: LeaderId,
    },
    /// A march to the sound of the guns was tried (¶339).
    Guns {
        /// Who.
        leader: LeaderId,
        /// The battle's hex.
        to: Hex,
        /// The die after modifiers.
        die: i32,
        /// Whether he may march.
        marches: bool,
    },
}

/// As the reader may see it; what is said to be own, the other side is not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Glimpse {
    /// The attacks of the phase are named.
    Designated {
        /// Battle, hexes attacked, hexes they are attacked from.
        battles: Vec<(u32, Vec<Hex>, Vec<Hex>)>,
        /// The phasing side.
        by: SideId,
    },
    /// A round of a battle begins.
    Round {
        /// Battle.
        no: u32,
        /// Its hex.
        hex: Hex,
        /// The round.
        round: u32,
    },
    /// The round of a battle is fought now.
    Fight {
        /// Battle.
        no: u32,
        /// Its hex.
        hex: Hex,
        /// The round.
        round: u32,
    },
    /// The counters of a battle and who leads, after they were shown (¶300 steps 1, 2).
    Met {
        /// Battle.
        no: u32,
        /// The attackers.
        attack: Vec<Who>,
        /// Their leader.
        attack_lead: Option<LeaderId>,
        /// The defenders.
        defend: Vec<Who>,
        /// Their leader.
        defend_lead: Option<LeaderId>,
    },
    /// Own units go into reserve.
    Reserved {
        /// Battle.
        no: u32,
        /// Units.
        units: Vec<UnitId>,
    },
    /// Own units come out of reserve.
    Committed {
        /// Battle.
        no: u32,
        /// Units.
        units: Vec<UnitId>,
    },
    /// Own marker of the round.
    Marked {
        /// Battle.
        no: u32,
        /// The marker.
        marker: Marker,
    },
    /// A side has twice the cavalry of the other (¶300 step 4).
    Edge {
        /// Battle.
        no: u32,
        /// Which.
        side: SideId,
    },
    /// Own guns fire (¶347).
    OwnFire {
        /// Battle.
        no: u32,
        /// SP of artillery that count.
        guns: i32,
        /// The die.
        die: i32,
        /// The die after all modifiers.
        modified: i32,
        /// SP that the enemy lost.
        hits: i32,
    },
    /// The enemy's guns fire; what modified his die is not told.
    FoeFire {
        /// Battle.
        no: u32,
        /// The die.
        die: i32,
        /// SP lost by it.
        hits: i32,
    },
    /// The Old Guard is committed (¶363).
    Staked {
        /// Battle.
        no: u32,
    },
    /// A side loses strength in the battle: the sum, not the units (¶145).
    Took {
        /// Battle.
        no: u32,
        /// Who.
        side: SideId,
        /// SP in all.
        sp: i32,
        /// What took it.
        cause: Cause,
    },
    /// A leader takes his place on the map with the troops of his track (¶141, 387).
    Detached {
        /// His counter, as the reader knows it.
        who: Who,
        /// Where.
        hex: Hex,
    },
    /// Morale moves (¶395-397, 411).
    Morale {
        /// Why.
        why: Shift,
        /// Spaces; above nothing favours France.
        by: i32,
        /// Where the marker stands now.
        now: i32,
    },
    /// The marker of one side moves on its own track (¶5, 411).
    Track {
        /// Why.
        why: Shift,
        /// Whose.
        of: SideId,
        /// Spaces; above nothing is good for that side.
        by: i32,
        /// Where the marker stands now.
        now: i32,
    },
    /// A force of its own joins a battle.
    Joined {
        /// Battle.
        no: u32,
        /// Who, as the reader knows him.
        who: Who,
    },
    /// A battle is formed anew before a later round (¶301-302, 324).
    Formed {
        /// Battle.
        no: u32,
        /// Hexes attacked.
        hexes: Vec<Hex>,
        /// Hexes they are attacked from.
        from: Vec<Hex>,
        /// The attackers.
        attack: Vec<Who>,
        /// Their leader.
        attack_lead: Option<LeaderId>,
        /// The defenders.
        defend: Vec<Who>,
        /// Their leader.
        defend_lead: Option<LeaderId>,
    },
    /// An own order to form an attack anew could not be carried out (¶301).
    Unformed {
        /// Battle.
        no: u32,
    },
    /// An own reserve tried to move one hex (¶324).
    Shifted {
        /// Battle.
        no: u32,
        /// Who.
        leader: LeaderId,
        /// Where to.
        to: Hex,
        /// The die; `None` where entry is prohibited.
        die: Option<i32>,
        /// Whether it moves.
        moves: bool,
    },
    /// Own foragers under attack tried to concentrate (¶281).
    Concentrated {
        /// Battle.
        no: u32,
        /// Who.
        leader: LeaderId,
        /// The die.
        die: i32,
        /// Whether they did.
        ok: bool,
    },
}

/// Why morale moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shift {
    /// A critical battle (¶395).
    Critical,
    /// A major personality was captured (¶396).
    Captured(LeaderId),
    /// The committed Guard failed (¶397).
    Guard,
    /// A political feature was captured (¶415).
    Feature(Hex),
}

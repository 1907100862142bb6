//! Where play stands, what has been done in a phase, and how a game ends: words that truth and paper share.

use super::board::{ArmyId, LeaderId, UnitId};
use super::pieces::Piece;
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Where the sequence of play stands (¶49-68).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// Set-up: both sides place vedettes and choose standing orders.
    Setup,
    /// A. Weather Determination Phase.
    Weather,
    /// I.a of a side: points, lines of communication, vedettes out of dispatch.
    Packet(SideId),
    /// Sheet A of the phasing side: I.a choices to II.c.
    Own(SideId),
    /// II.d to II.f of the phasing side.
    CloseMove(SideId),
    /// III.a: sheet R of the other side; the phasing side is named.
    Reaction(SideId),
    /// Sheet B: the phasing side designates its attacks.
    Designate(SideId),
    /// A round of all battles.
    Round(SideId, u32),
    /// III.c and IV.
    Close(SideId),
    /// The game has ended.
    Over,
}

/// The segments of sheet A, in order; a line of an earlier one is refused (¶50).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Segment {
    /// I.a Administrative Segment.
    #[default]
    Administration,
    /// I.b Organization Segment.
    Organization,
    /// II.a Reinforcements.
    Reinforcements,
    /// II.b Movement Commands.
    Commands,
    /// II.c Initiative Movement.
    Initiative,
}

/// What forces have done in the phase under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseLog {
    /// The army whose phase it is, where the armies of a side have phases of their own (¶55, 62-63).
    pub army: Option<ArmyId>,
    /// Of armies that are not at the desk: whether the center has moved, and from where.
    pub desks: BTreeMap<ArmyId, (bool, Option<Hex>)>,
    /// The segment that the sheet has reached.
    pub segment: Segment,
    /// Force leaders that have had their move or attempt (¶170, 200).
    pub acted: BTreeSet<LeaderId>,
    /// Force leaders whose attrition is settled (¶262).
    pub attrition: BTreeSet<LeaderId>,
    /// Leaders that entered this turn (¶57).
    pub entered: BTreeMap<LeaderId, Hex>,
    /// Units filled out of the pool this turn, which count as reinforcements (¶115).
    pub mustered: BTreeSet<UnitId>,
    /// Reinforcements held back this turn (¶161-162).
    pub delayed: BTreeSet<LeaderId>,
    /// Forces created in the Organization Segment, and how many vedettes came with each (¶158).
    pub created: BTreeMap<LeaderId, u32>,
    /// The step that the Organization Segment has reached (¶54).
    pub step: u8,
    /// Garrison counters absorbed this turn: free again from the next one on (¶131).
    pub absorbed: BTreeSet<UnitId>,
    /// Whether the center has moved (¶176).
    pub center_moved: bool,
    /// Where a center that has moved stood before: dispatches still ride from there (¶177).
    pub center_from: Option<Hex>,
    /// AP that Movement Commands must leave (D-40).
    pub floor: i32,
    /// Cavalry forces of one SP that have passed for vedettes in this phase (¶231); told to their own side alone.
    pub patrols: BTreeSet<LeaderId>,
    /// Hexes foraged in this phase, and by whom: none counts twice (¶287).
    pub foraged: BTreeMap<Hex, LeaderId>,
    /// Hexes that one force alone may forage in this phase (¶287); told to its own side alone.
    pub assigned: BTreeMap<Hex, LeaderId>,
    /// Vedettes that have moved.
    pub vedettes: BTreeSet<u32>,
    /// Forces whose repulse failed, with the hexes they must attack (¶243).
    pub repulse_failed: BTreeMap<LeaderId, BTreeSet<Hex>>,
    /// Vedettes shown to a force that did not declare a repulse: not to be repulsed again this phase (¶250).
    pub passed: BTreeSet<(SideId, u32)>,
    /// Leaders who have moved in this phase, with those under them (¶295).
    pub marched: BTreeSet<LeaderId>,
    /// Redoubts to be dug on in the Consolidation Segment, with the hexsides of those to be begun (¶295); told to their
    /// own side alone.
    pub digging: BTreeMap<Hex, Option<BTreeSet<Hexside>>>,
    /// Bridges to be damaged or repaired in the Bridge Segment: true repairs (¶252, 254).
    pub bridge_work: BTreeMap<Hexside, bool>,
    /// Trestles to be worked on in the Bridge Segment, and how (¶61).
    pub trestle_work: BTreeMap<Hexside, TrestleJob>,
    /// Forces that have worked on bridges (¶251).
    pub bridge_workers: BTreeSet<LeaderId>,
    /// Pontoons crossed in this phase, and by whose force: no other may cross them (¶214).
    pub crossed: BTreeMap<Hexside, Piece>,
    /// Leaders who march in this phase as parts of a multi-hex force, and its leader (¶225).
    pub parts: BTreeMap<LeaderId, LeaderId>,
    /// Forces where each stood when the combat phase began, for the sound of the guns (¶338).
    pub started: BTreeMap<LeaderId, Hex>,
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Victory {
    /// The winner; `None` for a draw.
    pub winner: Option<SideId>,
    /// Why, such as `morale` or `objectives`.
    pub reason: VictoryReason,
    /// Points of the objectives at the end, by side.
    pub points: BTreeMap<String, i32>,
}

/// Why the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VictoryReason {
    /// A morale track reached its end (¶412).
    Morale,
    /// The last turn was played (¶416).
    LastTurn,
    /// Napoleon was captured (¶396).
    Napoleon,
    /// A side gave up.
    Resignation,
}

impl Segment {
    /// As a report names it.
    pub fn title(self) -> &'static str {
        match self {
            Segment::Administration => "Administrative Segment",
            Segment::Organization => "Organization Segment",
            Segment::Reinforcements => "Reinforcement Segment",
            Segment::Commands => "Movement Command Segment",
            Segment::Initiative => "Initiative Movement Segment",
        }
    }
}

impl At {
    /// The phasing side, while there is one.
    pub fn phasing(&self) -> Option<&SideId> {
        match self {
            At::Packet(s)
            | At::Own(s)
            | At::CloseMove(s)
            | At::Reaction(s)
            | At::Designate(s)
            | At::Round(s, _)
            | At::Close(s) => Some(s),
            At::Setup | At::Weather | At::Over => None,
        }
    }
}

/// What is done with a trestle (¶61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrestleJob {
    /// It is built.
    Build,
    /// A damaged one is repaired.
    Repair,
    /// It is damaged.
    Damage,
    /// It is taken down for good.
    Destroy,
}

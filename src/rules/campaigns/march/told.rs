//! What a side is told of movement (¶31-33, 147-297): its own attempts, marches and losses whole; of the enemy only what
//! happens on the open map.

use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::sequence::TrestleJob;
use crate::rules::campaigns::tables::{AttritionColumn, Forage};
use crate::rules::campaigns::telling;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use strum::VariantNames;

/// ¶192-194 What an initiative roll allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rolled {
    /// Below the rating: the whole allowance.
    Full,
    /// Equal to the rating: one MP less.
    Less,
    /// One or two above: one MP.
    One,
    /// Three or more above: none.
    Nothing,
}

/// Why a march ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Ended {
    /// At the end of its path.
    Arrived,
    /// A unit had not the MP for the next hex (¶202).
    Spent {
        /// The hex that it could not enter.
        next: Hex,
    },
    /// In an enemy zone of control (¶236).
    Zone,
    /// By its own order, at a contact or a condition.
    Ordered,
    /// The way was closed: an enemy counter, a zone out of a zone, a siege, a broken bridge (¶214, 217, 223, 238, 297).
    Blocked {
        /// The hex that it could not enter.
        next: Hex,
        /// What closed the way.
        by: Closed,
    },
    /// A repulse failed (¶243).
    RepulseFailed,
    /// A counter that may be a force came too near an Administrative March (¶188).
    Watched,
}

/// How an Administrative March ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlotEnd {
    /// At its destination (¶189).
    Arrived,
    /// By a counter that may be a force and is too near (¶188).
    Watched,
    /// Short of it: its marches are over, or something else befell the force (¶187).
    Over,
}

/// What was done with a pontoon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bridging {
    /// Deployed (¶259).
    Deployed,
    /// Taken up (¶259).
    Removed,
    /// Captured (¶258).
    Captured,
}

/// Why nobody digs at a redoubt (¶216, 295).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "no", rename_all = "snake_case")]
pub enum NoDig {
    /// Too little infantry of one force that has not moved.
    TooFew {
        /// SP of it, in the force that has most.
        sp: i32,
    },
    /// A Major General commands it.
    General,
    /// More SP than a fortification holds.
    Crowded,
    /// No redoubt is begun there.
    Gone,
}

/// What closes a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closed {
    /// An enemy counter stands there (¶223).
    Enemy,
    /// EZOC to EZOC (¶238).
    Zones,
    /// A Forced March may not enter that zone (¶297).
    Forced,
    /// A siege (¶217).
    Siege,
    /// Ground or river that cannot be passed (¶214).
    Ground,
    /// Another force has crossed the pontoon in this phase (¶214).
    Pontoon,
}

/// What an attrition roll rested on, for its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attrition {
    /// The column.
    pub column: AttritionColumn,
    /// SP counted (¶270).
    pub sp: i32,
    /// Length of march in MP (¶264).
    pub march: Halves,
    /// The die as rolled.
    pub die: i32,
    /// The sum of its modifiers.
    pub modifier: i32,
    /// SP lost.
    pub loss: i32,
    /// Whose it was, where foragers are rolled for apart (¶277).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Portion>,
}

/// What of a force is rolled for by itself (¶277).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Portion {
    /// Infantry and artillery.
    Foot,
    /// Cavalry.
    Cavalry,
}

/// How a center changed its hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CenterWhy {
    /// It marched (¶176).
    March,
    /// It went down the river (¶179).
    River,
    /// It fled (¶182).
    Flight,
}

/// A sighting of this chapter.
pub type Sighting = telling::Sighting<Open, Own, Glimpse>;

/// What lies open: markers do (¶33), a redoubt's too (¶295).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Open {
    /// A redoubt is begun, carried on or finished (¶295).
    Redoubt {
        /// Whose.
        side: SideId,
        /// Where.
        hex: Hex,
        /// Its hexsides.
        faces: BTreeSet<Hexside>,
        /// Player-turns of digging that it still takes.
        left: u32,
    },
    /// A redoubt is levelled.
    RedoubtLost {
        /// Whose it was.
        side: SideId,
        /// Where.
        hex: Hex,
    },
    /// Work on a trestle is finished (¶61).
    Trestle {
        /// The river side.
        edge: Hexside,
        /// What was done.
        job: TrestleJob,
    },
    /// Bridge trains on the map have fallen to a side (¶258).
    TrainsCaptured {
        /// Whose they are now.
        side: SideId,
        /// Where.
        hex: Hex,
    },
    /// A Center of Operations moved or fled (¶176, 182).
    Center {
        /// Whose.
        side: SideId,
        /// From.
        from: Hex,
        /// To; `None` is off the map (¶183).
        to: Option<Hex>,
        /// Why.
        how: CenterWhy,
    },
    /// A Center of Operations is turned to its active side (¶60, 181).
    CenterActive {
        /// Whose.
        side: SideId,
    },
}

/// What its side alone is told: tries, losses and lengths of march are the owner's secret (¶33).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Own {
    /// A force has a Movement Command, which is paid (¶171, 185).
    Commanded {
        /// Its leader.
        leader: LeaderId,
        /// AP spent.
        ap: i32,
        /// Extra MP of an Extended March; nothing without one.
        extended: Halves,
    },
    /// A force rolled for initiative (¶192).
    Tried {
        /// Its leader.
        leader: LeaderId,
        /// The die.
        die: i32,
        /// His initiative.
        rating: i32,
        /// What it allowed.
        rolled: Rolled,
        /// Whether in a Forced March.
        forced: bool,
    },
    /// A force or vedette has ended its march; a force that moved has had its move (¶149).
    Marched {
        /// Which.
        piece: Piece,
        /// From.
        from: Hex,
        /// To.
        to: Hex,
        /// Length of march in MP, without bridge work.
        mp: Halves,
        /// Why it ended there.
        ended: Ended,
    },
    /// Attrition of a force is settled (¶264).
    Attrition {
        /// Its leader.
        leader: LeaderId,
        /// What the roll rested on.
        roll: Attrition,
    },
    /// What the tracks of a force have lost short of an SP, and not paid for yet (¶268).
    Worn {
        /// Fifths of an SP by leader.
        steps: BTreeMap<LeaderId, i32>,
    },
    /// A force entered another mode (¶278).
    Mode {
        /// Its leader.
        leader: LeaderId,
        /// To Forage Mode, not to Concentrated Mode.
        forage: bool,
    },
    /// Hexes are kept for one force to forage (¶287).
    ForageAssigned {
        /// Its leader.
        leader: LeaderId,
        /// The hexes.
        hexes: Vec<Hex>,
    },
    /// A force foraged its leader's hex, its foot and guns or its cavalry (¶275, 277).
    ForagedHere {
        /// Its leader.
        leader: LeaderId,
        /// The hex.
        hex: Hex,
        /// Who foraged.
        part: Portion,
        /// What it yielded.
        found: Forage,
    },
    /// A redoubt is to be begun or carried on in the Consolidation Segment (¶295).
    RedoubtOrdered {
        /// Where.
        hex: Hex,
        /// Its hexsides, if it is to be begun.
        faces: Option<BTreeSet<Hexside>>,
    },
    /// Nobody dug at a redoubt that should have been begun or carried on (¶295).
    RedoubtIdle {
        /// Where.
        hex: Hex,
        /// Why.
        why: NoDig,
    },
    /// Leaders in hexes beside him march as parts of a leader's multi-hex force; none of them may try initiative
    /// himself (¶225, 228).
    Together {
        /// The force leader.
        leader: LeaderId,
        /// The others.
        parts: Vec<LeaderId>,
    },
    /// An Administrative March is over (¶188-189).
    PlotEnded {
        /// Its leader.
        leader: LeaderId,
        /// How.
        why: PlotEnd,
    },
    /// A named leader has revictualled a citadel (¶290).
    Revictualled {
        /// Who.
        leader: LeaderId,
        /// Where.
        hex: Hex,
    },
    /// The side's floor of Administrative Points (D-40).
    Floor {
        /// Commands that would leave fewer AP are not given.
        ap: i32,
    },
}

/// As the reader may see it: what only the owner may know is `None` for the other side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Glimpse {
    /// A counter showed itself to be a vedette; on its own side, a cavalry force of one SP that passed for one (¶231).
    Patrol {
        /// Which.
        who: Who,
        /// Where.
        hex: Hex,
    },
    /// An own force foraged the country round it (¶274).
    Foraged {
        /// Its leader.
        leader: LeaderId,
        /// The value in tenths; which hexes were barred is not said.
        tenths: i32,
    },
    /// A repulse was declared (¶241-250).
    Repulse {
        /// Who declared it.
        who: Who,
        /// Where he stands.
        hex: Hex,
        /// The hexes it was declared on.
        on: Vec<Hex>,
        /// The SP he named; `None` for a vedette.
        sp: Option<i32>,
        /// Whether it succeeded.
        ok: bool,
        /// Whether the reader declared it.
        own: bool,
    },
    /// Whether a force is where it seems to be was asked (Solitaire 3).
    Fixed {
        /// Where the marcher stands.
        hex: Hex,
        /// Where the force stood.
        contact: Hex,
        /// The die.
        die: i32,
        /// What cavalry added to it.
        modifier: i32,
        /// Where the force was that came in its place, if one did.
        with: Option<Hex>,
        /// Whether it is the reader's.
        own: bool,
    },
    /// A counter is announced as an unemployed leader before it moves (¶40).
    Unemployed {
        /// Which.
        who: Who,
    },
    /// A leader was dropped off and is a counter of his own now (¶141).
    Dropped {
        /// The counter.
        who: Who,
        /// Where.
        hex: Hex,
        /// From whose force, where it is the reader's.
        from: Option<LeaderId>,
    },
    /// A counter joined another in its hex (¶294).
    Joined {
        /// The counter that went.
        who: Who,
        /// Where.
        hex: Hex,
        /// Under whom, where it is the reader's.
        into: Option<LeaderId>,
    },
    /// Work on a bridge was announced; it is finished in the Bridge Segment (¶61).
    BridgeWork {
        /// The bridge.
        edge: Hexside,
        /// Whether it is being repaired, not damaged.
        repair: bool,
        /// Own force at work, where it is the reader's.
        by: Option<LeaderId>,
        /// MP that it took, where it is the reader's.
        mp: Option<Halves>,
    },
    /// Work on a trestle was announced; it is finished in the Bridge Segment (¶61).
    TrestleWork {
        /// The river side.
        edge: Hexside,
        /// What is done.
        job: TrestleJob,
        /// Own force at work, where it is the reader's.
        by: Option<LeaderId>,
        /// MP that it took, where it is the reader's.
        mp: Option<Halves>,
    },
    /// An own force is on an Administrative March (¶187).
    Plotted {
        /// Its leader.
        leader: LeaderId,
        /// The destination.
        to: Hex,
    },
    /// A bridge train was left on the map (¶258, 260).
    TrainLeft {
        /// The counter that left it.
        who: Who,
        /// Where.
        hex: Hex,
    },
    /// A bridge train was taken along (¶260).
    TrainTaken {
        /// The counter that took it.
        who: Who,
        /// Where.
        hex: Hex,
        /// MP that it took, where it is the reader's.
        mp: Option<Halves>,
    },
    /// Work with a pontoon (¶258-259).
    Pontoon {
        /// The counter that did it.
        who: Who,
        /// The river side.
        edge: Hexside,
        /// What.
        what: Bridging,
        /// MP that it took, where it is the reader's.
        mp: Option<Halves>,
    },
    /// An own force is off the map (¶219-220).
    OffMap {
        /// Its leader.
        leader: LeaderId,
        /// The turn from which it may come back.
        turn: u32,
        /// Where, if at one hex only.
        to: Option<Hex>,
    },
    /// A force off the map turns back (¶221).
    OffMapBack {
        /// Its leader, if it is the reader's own.
        leader: Option<LeaderId>,
        /// Where it left and comes back.
        exit: Hex,
        /// On which turn, if it is the reader's own.
        turn: Option<u32>,
    },
}

//! Places, leaders and dates of one scenario to which a title's exceptions apply: the rulebook names them by counter and
//! hex, and so does a scenario, never by year.

use super::board::{ArmyId, LeaderId, UnitId};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use std::collections::{BTreeMap, BTreeSet};

/// What a scenario names for the exceptions of its title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Special {
    /// Hexes between which secondary roads serve lines of communication as primary ones (¶80; 1809).
    pub loc_roads: BTreeSet<Hex>,
    /// Hexes beside the river on which centers go by boat, downstream (¶179-180; 1809).
    pub waterway: Vec<Hex>,
    /// Leaders who never receive a Movement Command (¶167; 1807).
    pub no_commands: BTreeSet<LeaderId>,
    /// Leaders who belong to no army until a date (¶109, 169, 263; 1814).
    pub independent: BTreeMap<LeaderId, Independent>,
    /// Leaders who may not march to so many hexes of each other, or nearer (¶150; 1807).
    pub keep_apart: Vec<(LeaderId, LeaderId, u32)>,
    /// Hexes that a side may not enter (¶224; 1792, 1809).
    pub closed: BTreeMap<SideId, BTreeSet<Hex>>,
    /// Two fortresses that are one: for stacking, revictualling, surrender (¶216, 290, 413; 1796).
    pub twins: BTreeMap<Hex, Hex>,
    /// Turns that stand for a Fortnight, and how many turns it lasts (¶96, 289; 1796).
    pub fortnights: BTreeMap<u32, i32>,
    /// The turn with which each month begins, and its name (¶414; 1796).
    pub months: BTreeMap<u32, String>,
    /// The modifier of besieged citadels at the beginning, where it is not that of a fresh siege (¶289; 1796).
    pub citadels_begin: Option<i32>,
    /// Until which turn a side's source cannot be changed (¶102; 1815).
    pub source_fixed_until: BTreeMap<SideId, u32>,
    /// Until which turn a side's center cannot move (¶176; 1815).
    pub center_fixed_until: BTreeMap<SideId, u32>,
    /// Nations whose units may take the replacement points of another one (¶109; 1807).
    pub pool_also: BTreeMap<String, BTreeSet<String>>,
    /// Sides whose army has no commander before a leader is withdrawn, and who commands it then (¶99, 113; 1807).
    pub commander_after: BTreeMap<SideId, (LeaderId, LeaderId)>,
    /// Leaders who leave, and on which turn (¶56, 164; 1807).
    pub withdrawals: Vec<(u32, LeaderId)>,
    /// Places that bring AP to a side the first time that a unit of it stands there in dispatch of its center (¶96; 1800).
    pub prizes: Vec<(Hex, SideId, i32)>,
    /// Places whose first entry by the enemy takes all AP of a side (¶97; 1809).
    pub stores: BTreeMap<Hex, SideId>,
    /// Places that are never a side's source, though they may be its depots (¶75; 1809).
    pub never_source: BTreeMap<SideId, BTreeSet<Hex>>,
    /// The turn from which an army has the column without a line, wherever it stands (¶266; 1815).
    pub no_line_from: BTreeMap<ArmyId, u32>,
    /// The turn from which an army's units must be in dispatch of its center to receive replacements; always, where it
    /// names none (¶108; 1815).
    pub pool_dispatch_from: BTreeMap<ArmyId, u32>,
    /// Sources of an army or side on one line of the Communications Table, between which it switches freely (¶104; 1814).
    pub source_lines: BTreeMap<String, Vec<BTreeSet<Hex>>>,
    /// The turn before which an army's source does not go to some hexes (¶104; 1814).
    pub source_closed_until: BTreeMap<Hex, (ArmyId, u32)>,
    /// The Army Condition modifier of a side from each of some turns on (¶96, 267; 1796, 1800).
    pub conditions: BTreeMap<SideId, BTreeMap<u32, i32>>,
    /// Hexsides over which a pontoon is laid at a bridging site only, and those sites (¶259; 1809).
    pub great_river: BTreeSet<Hexside>,
    /// Its bridging sites.
    pub bridging_sites: BTreeSet<Hexside>,
    /// Hexes round two fortresses that are one, by the approach that they belong to: besiegers of each are judged by
    /// themselves (¶217; 1796).
    pub approaches: Vec<BTreeSet<Hex>>,
    /// Who takes over a side's army when he comes, and from whom (¶113; 1796).
    pub successor: BTreeMap<SideId, Successor>,
    /// How a side's forces march off the map (¶219-221; 1792, 1796).
    pub off_map: BTreeMap<SideId, OffMap>,
    /// The Paris Garrison (¶127-128; 1814).
    pub paris: Option<Training>,
    /// Conditions under which a source works (¶75, 77).
    pub sources: BTreeMap<(SideId, Hex), Condition>,
}

/// A leader who belongs to no army yet (¶109, 169, 263).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Independent {
    /// The first turn on which he belongs to it.
    pub until: u32,
    /// The sources from which his attrition is reckoned before.
    pub sources: Vec<Hex>,
}

/// A commander who is superseded by another one (¶113).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// Who commands first, and leaves when the other comes, unless he is besieged.
    pub first: LeaderId,
    /// Who comes, and commands then.
    pub then: LeaderId,
    /// Where he comes if the first is eliminated.
    pub hex: Hex,
    /// So many turns after that.
    pub turns: u32,
}

/// How the forces of a side march off the map (¶219-221).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffMap {
    /// Turns that it takes.
    pub turns: u32,
    /// Hexes along the northern or southern edge within which they come back (¶219).
    pub within: u32,
    /// Whether they come back to the east of where they left, and not to the west (¶219).
    pub east: bool,
    /// The hexes between which they march, where they are named, from one to another (¶220).
    pub between: BTreeMap<Hex, Hex>,
    /// Turns that turning back adds to those spent; `None` where nobody may (¶221).
    pub back: Option<u32>,
}

/// Troops in training in one place, who take the field together (¶127-128).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Training {
    /// Whose.
    pub side: SideId,
    /// Where.
    pub hex: Hex,
    /// Who leads them in the field.
    pub leader: LeaderId,
    /// Their units, with SP at the start.
    pub units: BTreeMap<UnitId, i32>,
    /// The first turn on which they give replacements.
    pub from_turn: u32,
    /// MP of infantry from the enemy to the place within which they take the field.
    pub mp: i32,
}

/// Conditions under which a supply source works (¶75, 77); all that are named must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// No enemy force with artillery stands in one of these hexes (Warsaw, 1807).
    pub no_guns_in: BTreeSet<Hex>,
    /// The enemy has not taken this place (Thorn, 1807).
    pub lost_with: Option<Hex>,
    /// The side has taken this place (Danzig, 1807; Passau, which it must have passed last, 1809).
    pub won_with: Option<Hex>,
    /// A way of primary roads over these hexes is free of enemy control (Passau, 1809).
    pub road: Vec<Hex>,
    /// The SP of its garrison, where it is not one (¶77).
    pub garrison: Option<i32>,
}

impl Special {
    /// ¶179 The hexes from one beside the river to another downstream, both included.
    pub fn downstream(&self, from: Hex, to: Hex) -> Option<&[Hex]> {
        let place = |hex: Hex| self.waterway.iter().position(|h| *h == hex);
        self.waterway.get(place(from)?..=place(to)?).filter(|way| way.len() > 1)
    }

    /// ¶109, 169, 263 The exception for a leader who belongs to no army yet on a turn.
    pub fn independent(&self, leader: &LeaderId, turn: u32) -> Option<&Independent> {
        self.independent.get(leader).filter(|i| turn < i.until)
    }

    /// ¶96, 267 The Army Condition modifier of a side on a turn.
    pub fn condition(&self, side: &SideId, turn: u32) -> i32 {
        let from = self.conditions.get(side).and_then(|turns| turns.range(..=turn).next_back());
        from.map_or(0, |(_, n)| *n)
    }

    /// ¶414 The first turn of the month so many months after that of a turn; `None` where that is after the end.
    pub fn month_after(&self, turn: u32, months: u32) -> Option<u32> {
        let now = self.months.range(..=turn).count().checked_sub(1)?;
        self.months.keys().nth(now + usize::try_from(months).ok()?).copied()
    }

    /// ¶224 Whether a hex is closed to a side.
    pub fn closed(&self, side: &SideId, hex: Hex) -> bool {
        self.closed.get(side).is_some_and(|hexes| hexes.contains(&hex))
    }

    /// ¶164 Whether a leader is to be withdrawn by a turn.
    pub fn leaves(&self, leader: &LeaderId, turn: u32) -> bool {
        self.withdrawals.iter().any(|(on, who)| who == leader && *on <= turn)
    }
}

//! The truth of a game, and what can be asked of it.

use super::board::{Arm, Board, Chief, FRENCH, Force, Kind, Switch};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::lent;
use crate::rules::tactical::eyes::Seen;
use crate::rules::tactical::facing;
use crate::rules::tactical::sum::half_up;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// 4.2.4, 6.7.2 How a unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mood {
    /// On its front.
    #[default]
    Fresh,
    /// On its back.
    Fatigued,
    /// On its back, with a Rout marker.
    Routed,
}

/// How a unit left the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// 5.3 Into the dead pile.
    Eliminated,
    /// For good.
    Surrendered,
}

/// A unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Where it stands.
    pub hex: Option<Hex>,
    /// 4.3.2 The hexside that it faces.
    pub facing: Dir,
    /// How it is.
    pub mood: Mood,
    /// How it left.
    pub gone: Option<Fate>,
    /// 6.1.5 It has been activated in this turn.
    pub used: bool,
    /// It is activated in this impulse.
    pub active: bool,
    /// 6.1.7 It was out of command, and may not act.
    pub idle: bool,
    /// Points spent in this segment.
    pub spent: i32,
    /// Hexes of Levels 2 and 3 entered in this segment.
    pub climbed: [i32; 2],
    /// 6.2.7 It has stopped for good in this segment.
    pub halted: bool,
    /// Where it began its segment.
    pub start: Option<Hex>,
    /// 6.3.4 It has fired in this segment.
    pub fired: bool,
    /// 6.4.10 It has attacked in this segment.
    pub fought: bool,
    /// 6.2.6 Its movement is finished, for another has begun.
    pub done: bool,
    /// 4.2.3, 6.2.11j It bears a Charged marker.
    pub charged: bool,
    /// What charges have made of it in this impulse.
    pub shock: Shock,
    /// 5.2.1 It waits off the map, and comes on by this hex.
    pub waits: Option<Hex>,
    /// 11.2 It is low on ammunition.
    pub low: bool,
    /// 11.2 It has moved, fired or fought in this impulse.
    pub busy: bool,
    /// DB.3 In a view: nobody sees how it faces and how it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dim: bool,
}

/// 6.2.11 How far a unit of horse is with its charge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charge {
    /// It has not charged.
    #[default]
    None,
    /// 6.2.11c Its check failed.
    Balked,
    /// 6.2.11e It has ridden its target down and may ride on.
    Riding,
    /// 6.2.11f It is over.
    Over,
}

/// 6.2.11-6.2.13 What charges have made of a unit in this impulse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shock {
    /// Its own charge.
    pub charge: Charge,
    /// 6.2.12, 6.2.13 Whom it met by a counter charge or a reaction charge.
    pub met: Vec<String>,
    /// 6.2.11g Who ran from its charge.
    pub fled: Vec<String>,
    /// 6.2.11b The hex that it charged last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aim: Option<Hex>,
    /// 6.2.11d It has stood a charge, and not run since.
    pub stood: bool,
    /// 6.2.13 It has charged into the charge of another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reacted: bool,
}

/// A leader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leader {
    /// Where he stands.
    pub hex: Option<Hex>,
    /// 6.1.6 He is on his activated side.
    pub used: bool,
    /// He is activated in this impulse.
    pub active: bool,
    /// 6.2.6 He has ridden in this impulse.
    pub rode: bool,
    /// 6.5.2a The turn in which he comes back.
    pub until: Option<u32>,
    /// 6.5.2b, 6.5.4 Killed or captured.
    pub lost: bool,
    /// 5.2.1 He waits off the map, and comes on by this hex.
    pub waits: Option<Hex>,
}

/// What has been set free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Freed {
    /// 9.2.6 Column V.
    V,
    /// 9.2.7 Column VI, which is on the map.
    VI,
    /// 9.4.3 The rest of Gazan's division, and Mortier.
    #[serde(rename = "gazan")]
    Gazan,
    /// 9.4.2 The Elite battalion.
    #[serde(rename = "elite")]
    Elite,
    /// 9.5 The hexes north of the dark blue line.
    #[serde(rename = "line")]
    Line,
}

/// What a side has said it wants in the next Reinforcement Phase; the other is not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// 5.3.2 The unit that it would bring back, and where to.
    Regroup {
        /// The unit.
        unit: String,
        /// The hex.
        at: Hex,
    },
    /// 8.3.2 The Elite battalion goes back to its regiments.
    Disband,
    /// 6.3.8f The units that suffer first, kept until it says otherwise.
    Loss {
        /// The units, the first before the others.
        units: Vec<String>,
    },
    /// 6.5.5 Whether a leader stays behind when his men go back, kept until it says otherwise.
    Stay {
        /// The leader.
        leader: String,
        /// Whether he stays.
        stays: bool,
    },
}

impl Wish {
    /// Whether a later wish takes the place of an earlier one.
    pub fn replaces(&self, other: &Wish) -> bool {
        match (self, other) {
            (Wish::Stay { leader, .. }, Wish::Stay { leader: before, .. }) => leader == before,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Whether it stands until its side says otherwise.
    pub fn lasts(&self) -> bool {
        matches!(self, Wish::Loss { .. } | Wish::Stay { .. })
    }
}

/// 6.3.9, 6.4.9 A hex that was fired at or attacked last, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Won {
    /// The hex.
    pub at: Hex,
    /// Who fired or attacked.
    pub by: Vec<String>,
}

/// 3.0 The segments of an impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Segment {
    /// Before a leader is named.
    #[default]
    Activation,
    /// Movement.
    Movement,
    /// Fire of the active side, after the fire of the other.
    Fire,
    /// Melee.
    Melee,
}

/// 3.0 Where a turn stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// 9.1, 9.3 A side sets up.
    Setup(SideId),
    /// 5.1 Reinforcements are rolled for.
    Reinforcement,
    /// 9.2.3, 9.2.4 A column that has mustered is deployed.
    Muster(Force),
    /// 5.3, 9.5.2 Units are regrouped, and the alert is rolled.
    Regroup,
    /// The initiative is rolled.
    #[default]
    Initiative,
    /// A side's impulse.
    Impulse(SideId),
    /// The recovery.
    Recovery,
    /// Somebody has won, or nobody.
    Over,
}

/// The truth.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// What is printed.
    #[serde(serialize_with = "lent::nothing", deserialize_with = "lent::read")]
    pub board: Arc<Board>,
    /// The turn.
    pub turn: u32,
    /// Where it stands.
    pub at: At,
    /// The segment of the impulse.
    pub segment: Segment,
    /// Impulses of the turn so far.
    pub nth: u32,
    /// Passes in a row.
    pub passes: u32,
    /// Units on the map or gone; those that are not in play yet are not among them.
    pub units: BTreeMap<String, Unit>,
    /// Leaders in play.
    pub leaders: BTreeMap<String, Leader>,
    /// 6.6.1 Who controls a town.
    pub towns: BTreeMap<String, SideId>,
    /// 6.2.3d The die of the chart of levels in this segment.
    pub level_die: Option<i32>,
    /// 9.2.6, 9.4, 9.5 What has been set free.
    pub free: BTreeSet<Freed>,
    /// 5.1 Forces that have come or mustered.
    pub came: BTreeSet<Force>,
    /// 9.6.5 The turn in which the second part of Dupont's division comes.
    pub second: Option<u32>,
    /// 9.2.3 Columns that are to be deployed in this phase.
    pub placing: Vec<Force>,
    /// 9.2.5 The Rear Guard.
    pub rear: BTreeSet<String>,
    /// 9.5.2 The turn in which Column II crossed the light blue line.
    pub crossed: Option<u32>,
    /// 8.4.4 The Strong Point is on the map.
    pub strong: bool,
    /// 4.1.10 Hexes that are over-stacked.
    pub crowds: BTreeSet<Hex>,
    /// 5.2.4 Stacks that have come on by a hex in this segment.
    pub entered: BTreeMap<Hex, i32>,
    /// 8.2.3 Batteries that have fired in an impulse of their side in this turn, by hexside.
    pub salvos: BTreeSet<(String, Hex)>,
    /// 6.3.9, 6.4.9 What was fired at or attacked last in this segment.
    pub won: Option<Won>,
    /// 9.2.6 Where units of Column V were set up that were driven off before it was released.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub posts: BTreeMap<String, Hex>,
    /// 11.3 Columns that have lost their impetus for this turn.
    pub stalled: BTreeSet<String>,
    /// What each side wants in the next Reinforcement Phase.
    pub wishes: BTreeMap<SideId, Vec<Wish>>,
    /// 10.2.8 Units eliminated or surrendered so far, each as often as it was.
    pub losses: Vec<String>,
    /// DB.2 The enemies that each side sees.
    pub seen: BTreeMap<SideId, BTreeMap<String, Seen>>,
    /// How many tags each side has given.
    pub tags: BTreeMap<SideId, u32>,
    /// In a view, what the enemies look like that are seen; in the truth nobody.
    #[serde(skip)]
    pub strangers: BTreeMap<String, Kind>,
    /// The winner and the level, where the game is over; no winner is a draw.
    pub over: Option<(Option<SideId>, String)>,
}

impl Unit {
    /// A fresh unit at a place.
    pub fn at(hex: Hex, facing: Dir) -> Unit {
        Unit { hex: Some(hex), facing, ..Unit::default() }
    }
}

impl State {
    /// Nothing on the map.
    pub fn empty(board: Board) -> State {
        let strong = board.setup.iter().any(|(_, piece)| piece.starts_with(ELITE));
        let at = if board.scenario.ready { At::Initiative } else { At::Setup(super::board::COALITION.into()) };
        State { strong, turn: board.scenario.turns.0, at, board: Arc::new(board), nth: 1, ..State::default() }
    }

    /// A counter as it is printed.
    pub fn kind(&self, unit: &str) -> Option<&Kind> {
        self.strangers.get(unit).or_else(|| self.board.kinds.get(unit))
    }

    /// DB.9 Whether a counter is a dummy.
    pub fn is_dummy(&self, unit: &str) -> bool {
        self.board.dummies.contains(unit)
    }

    /// A leader as he is printed.
    pub fn chief(&self, leader: &str) -> Option<&Chief> {
        self.board.chiefs.get(leader)
    }

    /// Both sides.
    pub fn sides(&self) -> [SideId; 2] {
        [FRENCH.into(), super::board::COALITION.into()]
    }

    /// Where a unit stands.
    pub fn hex(&self, unit: &str) -> Option<Hex> {
        self.units.get(unit)?.hex
    }

    /// Whether something is so of a unit; of one that is not there nothing is.
    pub fn is(&self, unit: &str, so: impl FnOnce(&Unit) -> bool) -> bool {
        self.units.get(unit).is_some_and(so)
    }

    /// Whether a unit is of an arm.
    pub fn is_arm(&self, unit: &str, arm: Arm) -> bool {
        self.kind(unit).is_some_and(|kind| kind.arm == arm)
    }

    /// 8.3 Whether a unit is the Elite battalion.
    pub fn is_elite(&self, unit: &str) -> bool {
        self.kind(unit).is_some_and(|kind| kind.regiment == ELITE)
    }

    /// Whether a leader is of a side.
    pub fn leads(&self, leader: &str, side: &SideId) -> bool {
        self.chief(leader).is_some_and(|chief| chief.side == *side)
    }

    /// Whether a unit is of a side.
    pub fn is_of(&self, unit: &str, side: &SideId) -> bool {
        self.kind(unit).is_some_and(|kind| kind.side == *side)
    }

    /// Counters on the map with their hexes, DB.9 dummies among them.
    pub fn counters(&self) -> impl Iterator<Item = (&String, &Unit, Hex)> {
        self.units.iter().filter_map(|(id, unit)| unit.hex.map(|hex| (id, unit, hex)))
    }

    /// Units on the map, with their hexes; DB.9 a dummy is none.
    pub fn standing(&self) -> impl Iterator<Item = (&String, &Unit, Hex)> {
        self.counters().filter(|(id, ..)| !self.is_dummy(id))
    }

    /// Enemies of a side on the map.
    pub fn enemies<'s>(&'s self, side: &'s SideId) -> impl Iterator<Item = (&'s String, &'s Unit, Hex)> {
        self.standing().filter(move |(id, ..)| !self.is_of(id, side))
    }

    /// The units of a side in a hex.
    pub fn stack(&self, hex: Hex, side: &SideId) -> Vec<String> {
        let here = self.counters().filter(|(id, _, at)| *at == hex && !self.is_dummy(id) && self.is_of(id, side));
        here.map(|(id, _, _)| id.clone()).collect()
    }

    /// Leaders of a side in a hex.
    pub fn leaders_at(&self, hex: Hex, side: &SideId) -> Vec<String> {
        let here = |name: &String, leader: &Leader| {
            leader.hex == Some(hex) && self.chief(name).is_some_and(|chief| chief.side == *side)
        };
        self.leaders.iter().filter(|(name, leader)| here(name, leader)).map(|(name, _)| name.clone()).collect()
    }

    /// 4.3.1, 4.3.3, 4.2.4e, 8.4.2 The frontal hexes of a unit: none of a router, none of tired foot or horse, all six of
    /// the Elite battalion in its Strong Point.
    /// House: tired, it has none there either. 4.2.4e takes the front from all tired foot, and 8.4.2 says how far a front goes.
    pub fn front(&self, unit: &str) -> Vec<Hex> {
        let (Some(u), Some(kind)) = (self.units.get(unit), self.kind(unit)) else { return Vec::new() };
        let Some(hex) = u.hex else { return Vec::new() };
        if let Some(sides) = self.gun_sides(unit) {
            return sides.iter().map(|dir| hex.neighbour(*dir)).collect();
        }
        match u.mood {
            _ if u.dim => Vec::new(),
            Mood::Routed => Vec::new(),
            Mood::Fatigued if kind.arm != Arm::Art => Vec::new(),
            _ if self.in_strong_point(unit) => hex.neighbours().to_vec(),
            _ => facing::front(hex, u.facing).to_vec(),
        }
    }

    /// 8.4.1 Whether a unit is the Elite battalion in its Strong Point.
    pub fn in_strong_point(&self, unit: &str) -> bool {
        let elite = self.kind(unit).is_some_and(|kind| kind.regiment == ELITE);
        self.strong && elite && self.units.get(unit).is_some_and(|u| u.hex == Some(self.board.printed.strong_point))
    }

    /// 8.2.3 The hexsides through which the guns of a Grand Battery hex fire; none of any other unit.
    pub fn gun_sides(&self, unit: &str) -> Option<&[Dir]> {
        let hex = self.units.get(unit).filter(|_| self.is_battery(unit))?.hex?;
        self.board.printed.grand_battery.get(&hex).map(Vec::as_slice)
    }

    /// 8.2.1 Whether a unit is the guns of a Grand Battery hex.
    pub fn is_battery(&self, unit: &str) -> bool {
        self.kind(unit).is_some_and(|kind| kind.regiment == BATTERY)
    }

    /// 6.2.7 Whether a hex lies in the front of a unit that is not of this side.
    pub fn in_enemy_front(&self, hex: Hex, side: &SideId) -> bool {
        let bears = |id: &str| !self.is_dummy(id) && !self.is_of(id, side) && self.front(id).contains(&hex);
        self.counters().any(|(id, _, at)| at.adjacent(hex) && bears(id))
    }

    /// Whether an enemy of this side stands in a hex.
    pub fn held_against(&self, hex: Hex, side: &SideId) -> bool {
        self.counters().any(|(id, _, at)| at == hex && !self.is_dummy(id) && !self.is_of(id, side))
    }

    /// 4.2.2 The fatigue value of the face that shows.
    pub fn fv(&self, unit: &str) -> i32 {
        self.face(unit, |kind| kind.fv)
    }

    /// 4.2.4b The movement allowance of the face that shows.
    pub fn ma(&self, unit: &str) -> i32 {
        self.face(unit, |kind| kind.ma)
    }

    fn face(&self, unit: &str, of: fn(&Kind) -> [i32; 2]) -> i32 {
        let (Some(u), Some(kind)) = (self.units.get(unit), self.kind(unit)) else { return 0 };
        let [fresh, back] = of(kind);
        if u.mood == Mood::Fresh { fresh } else { back }
    }

    /// 8.3.1, 8.3.3 What the picked men of the Elite battalion are missed for in their regiments: firepower and melee.
    pub fn missed(&self, unit: &str) -> (i32, i32) {
        let weak = self.kind(unit).is_some_and(|kind| ["100", "103"].contains(&kind.regiment.as_str()));
        let elite = || self.units.keys().any(|id| self.kind(id).is_some_and(|kind| kind.regiment == ELITE));
        if weak && elite() { (1, 2) } else { (0, 0) }
    }

    /// 6.3.5, 6.3.6, 2.3.3 H The firepower of a unit: none of routers, and none of horse but by 11.1; 11.2 half of it, with
    /// fractions up, where ammunition is low.
    pub fn ff(&self, unit: &str) -> i32 {
        let (Some(u), Some(kind)) = (self.units.get(unit), self.kind(unit)) else { return 0 };
        let whole = match (u.mood, kind.arm) {
            (Mood::Routed, _) => 0,
            (_, Arm::Cav) if !self.plays(Switch::CavalryFire) || u.charged => 0,
            (_, Arm::Cav) => kind.ff_red,
            (_, Arm::Inf | Arm::Art) => (kind.ff - self.missed(unit).0).max(0),
        };
        if u.low { half_up(whole) } else { whole }
    }

    /// 6.3.8f The place of a unit in what its side has said of losses.
    pub fn loss_rank(&self, unit: &str) -> usize {
        let side = self.kind(unit).map(|kind| &kind.side);
        let wishes = side.and_then(|side| self.wishes.get(side)).into_iter().flatten();
        let said = wishes.filter_map(|wish| if let Wish::Loss { units } = wish { Some(units) } else { None }).next();
        said.and_then(|units| units.iter().position(|id| id == unit)).unwrap_or(usize::MAX)
    }

    /// 6.5.5 Whether a leader stays when his men go back.
    pub fn stays(&self, leader: &str) -> bool {
        let wishes = self.chief(leader).and_then(|chief| self.wishes.get(&chief.side)).into_iter().flatten();
        wishes.into_iter().any(|wish| matches!(wish, Wish::Stay { leader: of, stays: true } if of == leader))
    }

    /// 11 Whether an option is in play.
    pub fn plays(&self, switch: Switch) -> bool {
        self.board.scenario.options.contains(&switch)
    }

    /// 4.2.4d, 6.7.11 The melee factor, halved with fractions up on the back (once, though it be routed besides).
    pub fn mf(&self, unit: &str) -> i32 {
        let (Some(u), Some(kind)) = (self.units.get(unit), self.kind(unit)) else { return 0 };
        let whole = kind.mf - self.missed(unit).1;
        if u.mood == Mood::Fresh { whole } else { half_up(whole) }
    }

    /// 2.3.4d, 6.1.11, 2.3.3c Whether a unit obeys a leader, at whatever remove.
    pub fn obeys(&self, unit: &str, leader: &str) -> bool {
        let (Some(kind), Some(chief)) = (self.kind(unit), self.chief(leader)) else { return false };
        if kind.side != chief.side {
            return false;
        }
        if let Some(column) = &chief.column {
            return kind.formation.contains(column);
        }
        let above = |name: &String| name == leader || self.chief(name).is_some_and(|c| c.of.as_deref() == Some(leader));
        let mate = kind.black && chief.of.as_ref().is_some_and(|of| kind.formation.contains(of));
        kind.formation.iter().any(above) || mate || chief.of.is_none()
    }

    /// 4.2.2b The best command value of the leaders in or next to a unit's hex whom it obeys (4.1.3: one alone counts).
    pub fn led_by(&self, unit: &str) -> i32 {
        let Some(hex) = self.units.get(unit).and_then(|u| u.hex) else { return 0 };
        let near = |leader: &Leader| leader.hex.is_some_and(|at| at.distance(hex) <= 1);
        let led = self.leaders.iter().filter(|(name, leader)| near(leader) && self.obeys(unit, name));
        led.filter_map(|(name, _)| self.chief(name)).map(|chief| chief.cv).max().unwrap_or(0)
    }

    /// 4.1.1, 4.1.2, 4.1.6 Whether the units of a side in a hex are more than may be there.
    pub fn crowded(&self, hex: Hex, side: &SideId) -> bool {
        self.crowded_with(hex, side, &[])
    }

    /// 4.1.1, 4.1.2, 4.1.6, 8.2.2 The same, with units besides those that stand there; the guns of a Grand Battery hex do
    /// not count.
    pub fn crowded_with(&self, hex: Hex, side: &SideId, more: &[String]) -> bool {
        let mut stack = self.stack(hex, side);
        stack.extend(more.iter().filter(|id| !self.is_dummy(id)).cloned());
        stack.sort_unstable();
        stack.dedup();
        let kinds: Vec<&Kind> =
            stack.iter().filter_map(|id| self.kind(id)).filter(|kind| kind.regiment != BATTERY).collect();
        let count = |arm: Arm| kinds.iter().filter(|kind| kind.arm == arm).count();
        // What batteries are labelled by is no regiment: they have no share in 4.1.2.
        let one_regiment =
            kinds.windows(2).all(|pair| matches!(pair, [a, b] if a.regiment == b.regiment && a.arm != Arm::Art));
        if side.0 != FRENCH && self.board.field.ground(hex) == Some("grand_battery") {
            return kinds.len() > 1;
        }
        let mixed = match (count(Arm::Inf), count(Arm::Art), count(Arm::Cav)) {
            (foot, 0, 0) => foot <= 2,
            (foot, guns, 0) => foot <= 1 && guns <= 1,
            _ => false,
        };
        !(one_regiment || mixed)
    }
}

/// The name under which the guns of the Grand Battery hexes are kept.
pub const BATTERY: &str = "GB";
/// The regiment of the Elite battalion.
pub const ELITE: &str = "EL";

//! The truth of a game, and what can be asked of it.

use super::board::{Arm, Board, Chief, FRENCH, Kind};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::tactical::facing;
use crate::rules::tactical::sum::half_up;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// 4.2.4, 6.7.2 How a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mood {
    /// On its front.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// 6.5.2a The turn in which he comes back.
    pub until: Option<u32>,
    /// 6.5.2b, 6.5.4 Killed or captured.
    pub lost: bool,
}

/// 3.0 The segments of an impulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Segment {
    /// Before a leader is named.
    Activation,
    /// Movement.
    Movement,
    /// Fire of the active side, after the fire of the other.
    Fire,
    /// Melee.
    Melee,
}

/// 3.0 Where a turn stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// The initiative is rolled.
    Initiative,
    /// A side's impulse.
    Impulse(SideId),
    /// The recovery.
    Recovery,
    /// Somebody has won, or nobody.
    Over,
}

/// The truth.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    /// What is printed.
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
    /// 9.2.6, 9.4.3 Commands that have been released: `V`, `gazan`.
    pub free: BTreeSet<String>,
    /// 10.2.8 Units eliminated or surrendered so far, each as often as it was.
    pub losses: Vec<String>,
    /// The winner and the level, where the game is over; no winner is a draw.
    pub over: Option<(Option<SideId>, String)>,
}

impl Unit {
    /// A fresh unit at a place.
    pub fn at(hex: Hex, facing: Dir) -> Unit {
        Unit {
            hex: Some(hex),
            facing,
            mood: Mood::Fresh,
            gone: None,
            used: false,
            active: false,
            idle: false,
            spent: 0,
            climbed: [0, 0],
            halted: false,
            start: None,
            fired: false,
            fought: false,
        }
    }
}

impl State {
    /// Nothing on the map.
    pub fn empty(board: Board) -> State {
        State {
            turn: board.turns.0,
            board: Arc::new(board),
            at: At::Initiative,
            segment: Segment::Activation,
            nth: 1,
            passes: 0,
            units: BTreeMap::new(),
            leaders: BTreeMap::new(),
            towns: BTreeMap::new(),
            level_die: None,
            free: BTreeSet::new(),
            losses: Vec::new(),
            over: None,
        }
    }

    /// A counter as it is printed.
    pub fn kind(&self, unit: &str) -> Option<&Kind> {
        self.board.kinds.get(unit)
    }

    /// A leader as he is printed.
    pub fn chief(&self, leader: &str) -> Option<&Chief> {
        self.board.chiefs.get(leader)
    }

    /// Whether a unit is of a side.
    pub fn is_of(&self, unit: &str, side: &SideId) -> bool {
        self.kind(unit).is_some_and(|kind| kind.side == *side)
    }

    /// Units on the map, with their hexes.
    pub fn standing(&self) -> impl Iterator<Item = (&String, &Unit, Hex)> {
        self.units.iter().filter_map(|(id, unit)| unit.hex.map(|hex| (id, unit, hex)))
    }

    /// The units of a side in a hex.
    pub fn stack(&self, hex: Hex, side: &SideId) -> Vec<String> {
        let here = self.standing().filter(|(id, _, at)| *at == hex && self.is_of(id, side));
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
    pub fn front(&self, unit: &str) -> Vec<Hex> {
        let (Some(u), Some(kind)) = (self.units.get(unit), self.kind(unit)) else { return Vec::new() };
        let Some(hex) = u.hex else { return Vec::new() };
        match u.mood {
            Mood::Routed => Vec::new(),
            Mood::Fatigued if kind.arm != Arm::Art => Vec::new(),
            _ if self.in_strong_point(unit) => hex.neighbours().to_vec(),
            _ => facing::front(hex, u.facing).to_vec(),
        }
    }

    /// 8.4.1 Whether a unit is the Elite battalion in its Strong Point.
    pub fn in_strong_point(&self, unit: &str) -> bool {
        let elite = self.kind(unit).is_some_and(|kind| kind.regiment == ELITE);
        elite && self.units.get(unit).is_some_and(|u| u.hex == Some(self.board.strong_point))
    }

    /// 6.2.7 Whether a hex lies in the front of a unit that is not of this side.
    pub fn in_enemy_front(&self, hex: Hex, side: &SideId) -> bool {
        self.standing().any(|(id, _, _)| !self.is_of(id, side) && self.front(id).contains(&hex))
    }

    /// Whether an enemy of this side stands in a hex.
    pub fn held_against(&self, hex: Hex, side: &SideId) -> bool {
        self.standing().any(|(id, _, at)| at == hex && !self.is_of(id, side))
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
        let elite = self.units.keys().any(|id| self.kind(id).is_some_and(|kind| kind.regiment == ELITE));
        if weak && elite { (1, 2) } else { (0, 0) }
    }

    /// 6.3.5, 6.3.6, 2.3.3 H The firepower of a unit: none of routers and of horse.
    pub fn ff(&self, unit: &str) -> i32 {
        let (Some(u), Some(kind)) = (self.units.get(unit), self.kind(unit)) else { return 0 };
        if u.mood == Mood::Routed || kind.arm == Arm::Cav { 0 } else { (kind.ff - self.missed(unit).0).max(0) }
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
        let stack = self.stack(hex, side);
        let kinds: Vec<&Kind> = stack.iter().filter_map(|id| self.kind(id)).collect();
        let count = |arm: Arm| kinds.iter().filter(|kind| kind.arm == arm).count();
        let one_regiment = kinds.windows(2).all(|pair| matches!(pair, [a, b] if a.regiment == b.regiment));
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

/// The regiment of the Elite battalion.
pub const ELITE: &str = "EL";

//! The truth of a game, and what can be asked of it.

use super::board::{ALLIED, Arm, Board, Chief, FRENCH, Kind, Rank};
use super::pose::{Form, Part, Pose};
use super::tables::{Array, Breakdown, Rating, Weary};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::lent;
use crate::rules::tactical::eyes::Seen;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// 9.0, 9.1.1 Morale Levels, from the best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Level {
    #[default]
    Good,
    Shaken,
    Unsteady,
    Rout,
}

impl Level {
    /// From the best.
    pub const ALL: [Level; 4] = [Level::Good, Level::Shaken, Level::Unsteady, Level::Rout];

    /// So many levels worse.
    pub fn down(self, by: i32) -> Level {
        let at = Level::ALL.iter().position(|level| *level == self).unwrap_or_default();
        let to = at + usize::try_from(by).unwrap_or_default();
        Level::ALL.get(to).copied().unwrap_or(Level::Rout)
    }

    /// One level better.
    pub fn up(self) -> Level {
        match self {
            Level::Good | Level::Shaken => Level::Good,
            Level::Unsteady => Level::Shaken,
            Level::Rout => Level::Unsteady,
        }
    }

    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Level::Good => "Good",
            Level::Shaken => "Shaken",
            Level::Unsteady => "Unsteady",
            Level::Rout => "Routed",
        }
    }
}

/// 4.6 What a unit has done in the activation of its own command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Going {
    /// It may act: it is In Command, and its command is activated.
    pub ready: bool,
    /// 5.0 The points that it has.
    pub ma: i32,
    /// Points spent.
    pub spent: i32,
    /// 6.3.1, 6.3.5, 6.3.8 Steps of facing.
    pub turns: i32,
    /// 5.1.3 Enemies in whose front it began.
    pub faced: BTreeSet<String>,
    /// 5.1.3 It has stopped for good.
    pub stopped: bool,
    /// 4.6.1 Its movement is over.
    pub done: bool,
    /// 6.3.8 Its guns have been unlimbered.
    pub unlimbered: bool,
    /// 8.0 The hex at which it has fired.
    pub shot: Option<Hex>,
    /// 8.0 The units that stood there: it attacks them, wherever they are, or nobody.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub shot_at: BTreeSet<String>,
    /// 8.2, 8.3, 8.4 It has attacked.
    pub attacked: bool,
    /// 8.2.1 It has supported an attack.
    pub supported: bool,
}

/// 6.2, 8.1.2-8.1.4, 8.2, 8.4 What a unit has done, or suffered, while one division of the enemy acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// 8.1.3 It has fired in reaction.
    pub reacted: bool,
    /// 8.1.2 It has returned fire.
    pub returned: bool,
    /// 6.2.5 It has limbered in reaction.
    pub limbered: bool,
    /// 6.2.5 It makes no more steps back.
    pub stuck: bool,
    /// 6.2.3 Steps back.
    pub steps: i32,
    /// 6.2.3 Turns.
    pub turns: i32,
    /// 8.2.1 It has been attacked with the bayonet.
    pub bayoneted: bool,
    /// 8.4.2 It has been charged.
    pub charged: bool,
    /// 8.4.2 It may not countercharge.
    pub balked: bool,
}

/// 4.2.3 What the marker of a side's reinforcements is called.
pub const REINFORCEMENTS: &str = "REINFORCEMENTS";
/// 6.3.3 Skirmishers with more SP than this may spread over two hexes.
pub const SPREAD: i32 = 5;

/// 10.1.1 How a unit has gone back, and out of which stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// Where it stood.
    pub from: Hex,
    /// Those with whom it stood.
    pub mates: BTreeSet<String>,
    /// It ran.
    pub runs: bool,
    /// The hexes that it entered.
    pub hexes: Vec<Hex>,
    /// 10.1.2 Friends through whom it went, who have checked.
    pub met: BTreeSet<String>,
}

/// A unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// How it stands, on the map.
    pub pose: Option<Pose>,
    /// 8.5.1 SP lost.
    pub lost: i32,
    /// 9.1.1 Its Morale Level.
    pub level: Level,
    /// 9.2.4, 12.2 It has routed, and is never Good again.
    pub ran: bool,
    /// 8.4.4 Its Blown marker.
    pub blown: u8,
    /// 8.4.5 Its Recovery marker.
    pub recovering: bool,
    /// It is eliminated.
    pub gone: bool,
    /// It has left the map by its edge.
    pub left: bool,
    /// 7.2 Its place in a stack, the lowest on top.
    pub under: u32,
    /// 8.1.1 It has made its Offensive Fire of the turn.
    pub fired: bool,
    /// 4.3.3 It is Out of Command.
    pub out: bool,
    /// 3.0 It has acted in the turn, or has been passed over.
    pub acted: bool,
    /// 4.6.1, 14.1 It has acted on the Reinforcement LIM in the turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub came: bool,
    /// 8.4.5 It has moved, or has defended itself, in the turn.
    pub stirred: bool,
    /// What it does in the activation of its command.
    pub going: Going,
    /// What it has done against each division of the enemy that acts.
    pub marks: BTreeMap<String, Marks>,
}

/// A leader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leader {
    /// Where he is.
    pub hex: Option<Hex>,
    /// 5.4 He has ridden: in the activation, or a higher one in the turn.
    pub rode: bool,
    /// 8.5.5 The ratings of who has come in his place.
    pub rating: Option<Rating>,
    /// 8.5.5 He is no more.
    pub lost: bool,
}

/// 2.4 A division's markers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// 13.0 Its Fatigue Level.
    pub fatigue: i32,
    /// 5.2 It bears the Strategic Movement marker.
    pub strategic: bool,
    /// 4.6.1 Its commander is finished.
    pub finished: bool,
    /// 4.7 Its commander is stopped for the turn.
    pub stopped: bool,
    /// 4.7 It has been brought in by a breakdown in the turn.
    pub again: bool,
    /// 13.1.1 Its LIM has been drawn in the turn, or that of its corps.
    pub drawn: bool,
    /// 13.1.1 It has marched strategically.
    pub marched: bool,
    /// 13.1.1 It has done something else.
    pub worked: bool,
    /// 4.8, 13.2 It has acted without its LIM.
    pub picked: bool,
    /// 13.1.2 It has fought in the turn, or has been fought.
    pub fought: bool,
    /// 14.0 It waits off the map.
    pub waits: bool,
    /// 14.4 It has come as a reinforcement, and has kept its marker.
    pub arriving: bool,
    /// 5.2.1 An enemy has moved within three hexes of it, or has attacked it, under the marker.
    pub caught: bool,
    /// 3.0 It has had its opportunity in the Non-LIM Phase.
    pub passed: bool,
    /// 4.8 It has acted on the Independent LIM in the turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub independent: bool,
}

/// 2.2 A marker by which a command acts; 4.7 one that a breakdown brings in; 3.0 a division or a unit without one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lim {
    /// Of a division.
    Division(String),
    /// Of a corps.
    Corps(String),
    /// 4.2.3 Of a side's reinforcements.
    Reinforcement(SideId),
    /// 4.7 No marker: a breakdown brings the division in.
    Extra(String),
    /// 4.6.2 No marker: the Non-LIM Phase.
    Pick(String),
    /// 4.6.2 No marker: one unit Out of Command.
    Lone(String),
    /// 4.5.3 A side's Independent LIM, for the commands that the scenario names.
    Independent(SideId),
}

impl Lim {
    /// Whose name stands on it.
    pub fn name(&self) -> &str {
        match self {
            Lim::Division(id) | Lim::Corps(id) | Lim::Extra(id) | Lim::Pick(id) | Lim::Lone(id) => id,
            Lim::Reinforcement(_) => REINFORCEMENTS,
            Lim::Independent(_) => "INDEPENDENT",
        }
    }
}

/// 4.6, 5.2 How a division acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// 4.6.1
    Full,
    /// 4.6.2
    Limited,
    /// 5.2
    Strategic,
}

impl Mode {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Full => "Full",
            Mode::Limited => "Limited",
            Mode::Strategic => "Strategic",
        }
    }
}

/// 4.6.1 How far an activation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Nobody has been activated yet, or the next of a corps.
    #[default]
    Attempt,
    /// Movement.
    Movement,
    /// 8.0 Fire.
    Fire,
    /// 8.0 Melee.
    Melee,
}

/// 4.5 The command that acts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acting {
    /// Its side.
    pub side: SideId,
    /// By which marker.
    pub lim: Lim,
    /// 4.5.2 Divisions that may still try.
    pub todo: Vec<String>,
    /// Those that act, and how.
    pub modes: BTreeMap<String, Mode>,
    /// 4.5.2 The one that moves, or fights, now.
    pub division: Option<String>,
    /// How far it is.
    pub step: Step,
    /// 4.5.2 Those that have fought.
    pub fought: BTreeSet<String>,
    /// 4.7 Those that have to charge.
    pub must: BTreeSet<String>,
    /// 4.6.1 The units that move now.
    pub mover: Vec<String>,
    /// 4.7 The breakdown by which it was brought in.
    pub by: Option<Breakdown>,
    /// 14.1.2 Stacks that have come on by a hex.
    pub entered: BTreeMap<Hex, i32>,
    /// 4.5.1 A division has rolled: whatever comes of it, the activation has begun.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tried: bool,
}

/// 4.7 An attempt that a breakdown gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extra {
    /// To whom.
    pub side: SideId,
    /// The division that rolled.
    pub of: String,
    /// Where its commander was.
    pub from: Hex,
    /// The result.
    pub by: Breakdown,
}

/// 3.0 Where a turn stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// A.1, A.3 What both want is written, sealed.
    #[default]
    Open,
    /// A.1 It is carried out.
    Change,
    /// A.2-A.4
    Initiative,
    /// B A command acts.
    Act,
    /// C.1, C.2 A side picks, or what it has picked acts.
    Others(SideId),
    /// C.3, D
    Close,
    /// The game is over.
    Over,
}

/// What a side wants; the other is not told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wishes {
    /// 4.2 Who tries a Command Change, and which LIMs he adds, the first before the others.
    pub change: Option<(String, Vec<String>)>,
    /// 14.2 It delays its reinforcements.
    pub delay: bool,
    /// 4.4 The LIMs with which it would begin.
    pub opening: Vec<String>,
    /// 3.0 LIMs that it takes back.
    pub remove: Vec<String>,
    /// 12.0 Units that do not rally.
    pub keep: BTreeSet<String>,
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
    /// Activations of the turn so far.
    pub nth: u32,
    /// Units on the map, off it or gone.
    pub units: BTreeMap<String, Unit>,
    /// Leaders.
    pub leaders: BTreeMap<String, Leader>,
    /// Divisions.
    pub commands: BTreeMap<String, Command>,
    /// 4.0 The Command Pool: LIMs that are drawn in each turn.
    pub pool: BTreeSet<Lim>,
    /// 4.4.1 Those of them that have not been drawn in this turn.
    pub cup: BTreeSet<Lim>,
    /// 4.4 Who has the initiative.
    pub first: Option<SideId>,
    /// 4.5 The command that acts.
    pub acting: Option<Acting>,
    /// 4.7 Attempts that breakdowns have given.
    pub extras: Vec<Extra>,
    /// What each side wants.
    pub wishes: BTreeMap<SideId, Wishes>,
    /// Who holds a place.
    pub places: BTreeMap<String, SideId>,
    /// SP that have left the map for points.
    pub exited: i32,
    /// 4.5.2 Divisions whose commanders were within the range of their corps commander when its LIM was drawn.
    pub near: BTreeSet<String>,
    /// 8.4.2 The ways of units that have routed in the activation.
    pub routs: BTreeMap<String, Vec<Hex>>,
    /// 10.1.1 The ways of units that have gone back in the combat.
    pub ways: BTreeMap<String, Way>,
    /// H.1 Units that have fired, fought or reacted in this activation: they are seen.
    pub shown: BTreeSet<String>,
    /// H.2 Units at which somebody has fired in this activation: they show their faces.
    pub hit: BTreeSet<String>,
    /// H.1 The enemies that each side sees.
    pub seen: BTreeMap<SideId, BTreeMap<String, Seen>>,
    /// How many tags each side has given.
    pub tags: BTreeMap<SideId, u32>,
    /// In a view, what the enemies look like that are seen, and whose they are; in the truth nobody.
    #[serde(skip)]
    pub strangers: BTreeMap<String, (SideId, Kind)>,
    /// The winner, and the points, where the game is over; no winner is a draw.
    pub over: Option<(Option<SideId>, i32)>,
}

impl State {
    /// Nothing on the map.
    pub fn empty(board: Board) -> State {
        let commands = board.divisions.keys().map(|id| (id.clone(), Command::default())).collect();
        State { turn: board.scenario.turns.0, commands, board: Arc::new(board), ..State::default() }
    }

    /// Both sides, in a fixed order.
    pub fn sides(&self) -> [SideId; 2] {
        [FRENCH.into(), ALLIED.into()]
    }

    /// A counter as it is printed.
    pub fn kind(&self, unit: &str) -> Option<&Kind> {
        self.strangers.get(unit).map(|(_, kind)| kind).or_else(|| self.board.kinds.get(unit))
    }

    /// A leader as he is printed.
    pub fn chief(&self, leader: &str) -> Option<&Chief> {
        self.board.chiefs.get(leader)
    }

    /// 8.5.5 The ratings of a leader, or of who has come for him.
    pub fn rating(&self, leader: &str) -> Rating {
        let own = self.leaders.get(leader).and_then(|l| l.rating);
        own.or_else(|| self.chief(leader).map(Chief::rating)).unwrap_or_default()
    }

    /// A unit that is on the map.
    pub fn on(&self, unit: &str) -> Option<(&Unit, &Kind, Pose)> {
        let u = self.units.get(unit)?;
        Some((u, self.kind(unit)?, u.pose?))
    }

    /// How a unit stands.
    pub fn pose(&self, unit: &str) -> Option<Pose> {
        self.units.get(unit)?.pose
    }

    /// The head of a unit.
    pub fn hex(&self, unit: &str) -> Option<Hex> {
        self.pose(unit).map(|pose| pose.head)
    }

    /// Whether something is so of a unit; of one that is not there nothing is.
    pub fn is(&self, unit: &str, so: impl FnOnce(&Unit) -> bool) -> bool {
        self.units.get(unit).is_some_and(so)
    }

    /// Whether a unit is of an arm.
    pub fn is_arm(&self, unit: &str, arm: Arm) -> bool {
        self.kind(unit).is_some_and(|kind| kind.arm == arm)
    }

    /// Whether a unit is of a side.
    pub fn is_of(&self, unit: &str, side: &SideId) -> bool {
        self.side(unit).is_some_and(|own| own == side)
    }

    /// The side of a unit.
    pub fn side(&self, unit: &str) -> Option<&SideId> {
        let stranger = self.strangers.get(unit).map(|(side, _)| side);
        stranger.or_else(|| self.board.owner(unit))
    }

    /// The division of a unit.
    pub fn division(&self, unit: &str) -> &str {
        self.kind(unit).map_or("", |kind| kind.div.as_str())
    }

    /// H.12 Whether a counter is nobody.
    pub fn is_dummy(&self, unit: &str) -> bool {
        self.board.dummies.contains(unit)
    }

    /// Counters on the map, dummies among them.
    pub fn counters(&self) -> impl Iterator<Item = (&String, &Unit, Pose)> {
        self.units.iter().filter_map(|(id, unit)| unit.pose.map(|pose| (id, unit, pose)))
    }

    /// Counters on the map, with their sides: both lists are in the order of the names, so that none is looked up.
    pub fn sided(&self) -> impl Iterator<Item = (&String, &Unit, Pose, Option<&SideId>)> {
        let mut owners = self.board.owners().peekable();
        self.counters().map(move |(id, unit, pose)| {
            while owners.next_if(|(of, _)| *of < id).is_some() {}
            let owner = owners.peek().filter(|(of, _)| *of == id).map(|(_, side)| *side);
            let side = self.strangers.get(id).map(|(side, _)| side).or(owner);
            (id, unit, pose, side)
        })
    }

    /// Units on the map.
    pub fn standing(&self) -> impl Iterator<Item = (&String, &Unit, Pose)> {
        self.standing_so(|_| true)
    }

    /// Those that stand in some way; the names of others are not looked up.
    fn standing_so(&self, so: impl Fn(&Pose) -> bool) -> impl Iterator<Item = (&String, &Unit, Pose)> {
        self.counters().filter(move |(id, _, pose)| so(pose) && !self.is_dummy(id))
    }

    /// Units of a division on the map.
    pub fn units_of(&self, division: &str) -> Vec<String> {
        let own = self.standing().filter(|(id, ..)| self.division(id) == division);
        own.map(|(id, ..)| id.clone()).collect()
    }

    /// The same, and its dummy.
    pub fn counters_of(&self, division: &str) -> Vec<String> {
        let own = self.counters().filter(|(id, ..)| self.division(id) == division);
        own.map(|(id, ..)| id.clone()).collect()
    }

    /// 7.2 The units in a hex, the top one first; guns behind the others.
    pub fn stack(&self, hex: Hex) -> Vec<String> {
        let here = self.standing_so(|pose| pose.is_in(hex));
        let mut here: Vec<(bool, u32, &String)> =
            here.map(|(id, u, _)| (self.is_arm(id, Arm::Art), u.under, id)).collect();
        here.sort_unstable();
        here.into_iter().map(|(.., id)| id.clone()).collect()
    }

    /// The units of a side in a hex, the top one first.
    pub fn stack_of(&self, hex: Hex, side: &SideId) -> Vec<String> {
        self.stack(hex).into_iter().filter(|id| self.is_of(id, side)).collect()
    }

    /// 7.2 The units that are stacked with one, itself among them.
    pub fn with(&self, unit: &str) -> Vec<String> {
        let Some(pose) = self.pose(unit) else { return Vec::new() };
        let mut found: Vec<String> = Vec::new();
        for hex in pose.hexes() {
            found.extend(self.stack(hex).into_iter().filter(|id| !found.contains(id)).collect::<Vec<_>>());
        }
        found
    }

    /// Whether an enemy of a side stands in a hex.
    pub fn held_against(&self, hex: Hex, side: &SideId) -> bool {
        self.standing_so(|pose| pose.is_in(hex)).any(|(id, ..)| !self.is_of(id, side))
    }

    /// Enemies of a side on the map.
    pub fn enemies<'s>(&'s self, side: &'s SideId) -> impl Iterator<Item = (&'s String, &'s Unit, Pose)> {
        let theirs = self.sided().filter(move |(id, .., of)| *of != Some(side) && !self.is_dummy(id));
        theirs.map(|(id, unit, pose, _)| (id, unit, pose))
    }

    /// 5.1 The first hex in which a side's unit has no room: off the field, or held by the enemy.
    pub fn no_room(&self, pose: &Pose, side: &SideId) -> Option<Hex> {
        pose.hexes().into_iter().find(|hex| !self.board.ground.has(*hex) || self.held_against(*hex, side))
    }

    /// 10.1.1 A unit has gone back by one hex: the way of it goes on, or begins.
    pub fn went(&mut self, unit: &str, to: Hex, runs: bool) {
        let Some(from) = self.hex(unit) else { return };
        let mates = self.with(unit).into_iter().filter(|id| id != unit).collect();
        let met = self.stack(to);
        let way = self.ways.entry(unit.to_owned()).or_default();
        if way.hexes.last() != Some(&from) || way.runs != runs {
            *way = Way { from, mates, runs, ..Way::default() };
        }
        way.met.extend(met);
        way.hexes.push(to);
    }

    /// 6.3.3 Skirmishers who have become too few for two hexes keep one.
    pub fn close_up(&mut self, unit: &str) {
        let few = self.sp(unit) <= SPREAD;
        if let Some(pose) = self.units.get_mut(unit).and_then(|u| u.pose.as_mut()).filter(|_| few)
            && pose.form == Form::Skirmish
        {
            pose.second = None;
        }
    }

    /// How far the nearest enemy of a side is from a hex.
    pub fn enemy_near(&self, hex: Hex, side: &SideId) -> u32 {
        let mut nearest = u32::MAX;
        // Who is farther than another needs no name.
        for (id, _, pose) in self.counters() {
            let far = pose.distance(hex);
            if far < nearest && !self.is_dummy(id) && !self.is_of(id, side) {
                nearest = far;
            }
        }
        nearest
    }

    /// How far the nearest enemy is from a unit.
    pub fn enemy_of(&self, unit: &str) -> u32 {
        let (Some(pose), Some(side)) = (self.pose(unit), self.side(unit)) else { return u32::MAX };
        pose.hexes().into_iter().map(|hex| self.enemy_near(hex, side)).min().unwrap_or(u32::MAX)
    }

    /// 9.2.4 Whether a unit runs.
    pub fn routs(&self, unit: &str) -> bool {
        self.is(unit, |u| u.level == Level::Rout)
    }

    /// 6.1, 9.2.4 The hexes before a unit; a router has none.
    pub fn front(&self, unit: &str) -> BTreeSet<Hex> {
        self.pose(unit).filter(|_| !self.routs(unit)).map(|pose| pose.front()).unwrap_or_default()
    }

    /// 6.1 What a hex beside a unit is to it; of a router, that has no facing, its rear.
    pub fn part(&self, unit: &str, of: Hex) -> Option<Part> {
        let part = self.pose(unit)?.part(of)?;
        Some(if self.routs(unit) { Part::Rear } else { part })
    }

    /// 5.1.3 The enemies of a side in whose front a hex lies: nobody who runs has one.
    pub fn fronts_on(&self, hex: Hex, side: &SideId) -> BTreeSet<String> {
        let beside = self.standing_so(|pose| pose.distance(hex) <= 1).filter(|(_, u, _)| u.level != Level::Rout);
        let before = beside.filter(|(id, ..)| !self.is_of(id, side) && self.front(id).contains(&hex));
        before.map(|(id, ..)| id.clone()).collect()
    }

    /// 8.5.1 The SP that a unit has left.
    pub fn sp(&self, unit: &str) -> i32 {
        self.kind(unit).map_or(0, |kind| kind.sp) - self.units.get(unit).map_or(0, |u| u.lost)
    }

    /// 11.1 Whether a unit has reached its Breakpoint: it has lost more than half; guns and named units never do.
    pub fn is_broken(&self, unit: &str) -> bool {
        let (Some(u), Some(kind)) = (self.units.get(unit), self.kind(unit)) else { return false };
        kind.arm != Arm::Art && !kind.elite && u.lost * 2 > kind.sp
    }

    /// 11.2 Whether a division has reached its Breakpoint: by its units that have, those that are eliminated among them.
    pub fn is_division_broken(&self, division: &str) -> bool {
        self.breakpoint(division).is_some_and(|(hurt, level)| hurt >= level)
    }

    /// 11.2 How many units of a division are at Breakpoint or no more, and of how many it is at Breakpoint; none of one that
    /// never is.
    pub fn breakpoint(&self, division: &str) -> Option<(usize, usize)> {
        let level = self.board.divisions.get(division)?.breakpoint?;
        let hurt = self.units.iter().filter(|(_, u)| u.gone || u.lost > 0);
        let own = hurt.filter(|(id, _)| self.division(id) == division && !self.is_arm(id, Arm::Art));
        Some((own.filter(|(id, u)| u.gone || self.is_broken(id)).count(), level))
    }

    /// 11.3 Whether all divisions of a corps have.
    pub fn is_corps_broken(&self, corps: &str) -> bool {
        let own = self.board.divisions_of(corps);
        !own.is_empty() && own.iter().all(|division| self.is_division_broken(division))
    }

    /// 5.2 Whether a unit's division bears the Strategic Movement marker.
    pub fn is_marching(&self, unit: &str) -> bool {
        self.commands.get(self.division(unit)).is_some_and(|command| command.strategic)
    }

    /// 13.3 What fatigue does to a unit; guns do not tire.
    pub fn weary(&self, unit: &str) -> Weary {
        if self.is_arm(unit, Arm::Art) {
            return Weary::default();
        }
        self.commands.get(self.division(unit)).map(|c| self.board.charts.weary(c.fatigue)).unwrap_or_default()
    }

    /// The row of the charts in which a unit stands.
    pub fn array(&self, unit: &str) -> Array {
        let Some((u, kind, pose)) = self.on(unit) else { return Array::Column };
        match (pose.form, kind.arm) {
            _ if u.level == Level::Rout => Array::Routed,
            (Form::Line, Arm::Cav) => Array::CavLine,
            (Form::Disorder, Arm::Cav) => Array::CavDisorder,
            (_, Arm::Cav) => Array::CavColumn,
            (Form::Line, _) => Array::Line,
            (Form::Column, _) => Array::Column,
            (Form::Skirmish, _) => Array::Skirmish,
            (Form::Square, _) => Array::Square,
            (Form::Disorder, _) => Array::Disorder,
            (Form::Limbered, _) => Array::Limbered,
            (Form::Unlimbered, _) => Array::Unlimbered,
        }
    }

    /// Leaders of a side in a hex.
    pub fn leaders_at(&self, hex: Hex, side: &SideId) -> Vec<String> {
        let own = |id: &String| self.chief(id).is_some_and(|chief| chief.side == *side);
        self.leaders.iter().filter(|(id, l)| l.hex == Some(hex) && own(id)).map(|(id, _)| id.clone()).collect()
    }

    /// 8.5.5 The leaders who are stacked with a unit, in whichever of its hexes.
    pub fn leaders_with(&self, unit: &str) -> Vec<String> {
        let (Some(pose), Some(side)) = (self.pose(unit), self.side(unit)) else { return Vec::new() };
        let own = |id: &String| self.chief(id).is_some_and(|chief| chief.side == *side);
        let here = self.leaders.iter().filter(|(id, l)| l.hex.is_some_and(|hex| pose.is_in(hex)) && own(id));
        here.map(|(id, _)| id.clone()).collect()
    }

    /// Whether a leader stands with a unit.
    pub fn is_led(&self, unit: &str) -> bool {
        !self.leaders_with(unit).is_empty()
    }

    /// All hexes in which some units stand.
    pub fn hexes(&self, units: &[String]) -> Vec<Hex> {
        units.iter().filter_map(|id| self.pose(id)).flat_map(|pose| pose.hexes()).collect()
    }

    /// 4.3.1, 4.3.3 Whether a unit lies in the range of its division's commander.
    pub fn in_command(&self, unit: &str) -> bool {
        let Some(leader) = self.board.commander(self.division(unit)) else { return false };
        let at = self.leaders.get(leader).and_then(|l| l.hex);
        let (Some(at), Some(pose)) = (at, self.pose(unit)) else { return false };
        pose.hexes().into_iter().any(|hex| hex.distance(at) <= self.rating(leader).range)
    }

    /// 4.3.2 Whether a leader lies in the range of another.
    pub fn in_range(&self, leader: &str, of: &str) -> bool {
        let hex = |id: &str| self.leaders.get(id).and_then(|l| l.hex);
        hex(leader).zip(hex(of)).is_some_and(|(at, above)| at.distance(above) <= self.rating(of).range)
    }

    /// 4.3.2 The overall commander of a side.
    pub fn overall(&self, side: &SideId) -> Option<&String> {
        self.board.chiefs.iter().find(|(_, c)| c.rank == Rank::Army && c.side == *side).map(|(id, _)| id)
    }

    /// 6.2 How a unit stands towards a division of the enemy that acts.
    pub fn marks(&self, unit: &str, against: &str) -> Marks {
        self.units.get(unit).and_then(|u| u.marks.get(against)).copied().unwrap_or_default()
    }

    /// 8.0 The division that acts now; its name stands for its activation.
    pub fn active(&self) -> &str {
        self.acting.as_ref().and_then(|acting| acting.division.as_deref()).unwrap_or("")
    }

    /// 4.6 How the division of a unit acts; none where it does not.
    pub fn mode(&self, unit: &str) -> Option<Mode> {
        self.acting.as_ref()?.modes.get(self.division(unit)).copied()
    }
}

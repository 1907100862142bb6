//! The pieces of one side: its Organization Display, vedettes and army (¶6, 13-46, 76-107, 108-136).
//!
//! A side's own view holds its pieces whole, and the truth holds those of both; so what can be asked of one's own forces
//! is asked here once, for both.

use super::board::{Arm, ArmyId, Board, Halves, LeaderId, LeaderSpec, Quality, UnitId, UnitSpec};
use super::redoubts::Redoubt;
use crate::dice::{OwnName, Owner};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that belongs to one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pieces {
    /// Whose.
    pub side: SideId,
    /// Leaders in play, waiting as reinforcements, or out of play.
    pub leaders: Shared<BTreeMap<LeaderId, Leader>>,
    /// Units that have not been removed from the game.
    pub units: Shared<BTreeMap<UnitId, Unit>>,
    /// Every vedette of the counter mix, by number from 1.
    pub vedettes: Shared<BTreeMap<u32, Vedette>>,
    /// Administration; of several armies that of the one at the desk (¶93).
    pub army: Shared<Army>,
    /// Administration of the side's other armies; what belongs to the side as a whole stands in `army` alone.
    pub others: Shared<BTreeMap<ArmyId, Army>>,
    /// Reinforcements given to another army than their own (¶155).
    pub assigned: Shared<BTreeMap<LeaderId, ArmyId>>,
    /// Battle plans by hex: clauses as the owner wrote them, in order.
    pub plans: Shared<BTreeMap<Hex, Vec<String>>>,
    /// Redoubts, begun or finished; they lie in open sight (¶295).
    pub redoubts: Shared<BTreeMap<Hex, Redoubt>>,
}

/// A leader (¶19, 34-46).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leader {
    /// Where he is.
    pub place: Place,
    /// The force leader on whose portrait he stands, in the same hex (¶37); `None` for a counter on the map.
    pub under: Option<LeaderId>,
    /// Whether his track is in Forage Mode (¶278).
    pub forage: bool,
    /// Whether a bridge train travels with him (¶255).
    pub train: bool,
    /// How often he has come back from elimination: each takes one off span and initiative (¶43).
    pub demoted: i32,
    /// Fifths of an SP that his track has lost to attrition and not paid for (¶268).
    pub steps: i32,
}

/// Where a leader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the map.
    At(Hex),
    /// A reinforcement that has not come yet (¶154), or a Major General not activated (¶119).
    Waiting,
    /// Off the map after a retreat, by the edge hex named (¶374, 376).
    Off(Hex),
    /// Out of the game, or until the turn named (¶43).
    Gone(Option<u32>),
    /// Released with the honours of war: a replacement leader from the turn named on, or not in this game (¶414).
    Bound(Option<u32>),
}

/// A combat unit (¶14-18).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Where it is carried.
    pub track: Track,
    /// Strength in SP.
    pub sp: i32,
    /// Replaced this turn, and so immobile (¶114).
    pub immobile: bool,
}

/// Where a unit is carried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Track {
    /// On a leader's track.
    Of(LeaderId),
    /// A garrison on the map (¶22).
    Garrison(Hex),
    /// Not in play yet.
    Waiting,
}

/// A vedette (¶24, 230).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Vedette {
    /// In the Vedette Pool.
    Pool,
    /// On the portrait of a leader, to return in the next Organization Segment (¶368).
    Portrait(LeaderId),
    /// On the map.
    At(Hex),
}

/// An army's administration (¶72-107).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Army {
    /// Which of the side's armies it is; `None` where there is one.
    pub name: Option<ArmyId>,
    /// A place that is its center, never moves and needs no line (¶92).
    pub anchor: Option<Hex>,
    /// Whether its line goes by the center of the other army of its side (¶94).
    pub via: bool,
    /// Accumulated Administrative Points.
    pub ap: i32,
    /// The active supply source; `None` while captured (¶78).
    pub source: Option<Hex>,
    /// Where a change of source under way leads (¶102).
    pub source_moving: Option<Hex>,
    /// SP of the source's garrison (¶77).
    pub source_garrison: i32,
    /// The Center of Operations; `None` while disbanded or off the map (¶92).
    pub center: Option<Hex>,
    /// Moved last turn, and so inactive until the Consolidation Segment (¶181).
    pub center_moved: bool,
    /// Turn on which a disbanded center returns, and the hexes where it may (¶106).
    pub center_returns: Option<(u32, Vec<Hex>)>,
    /// The source toward which the center is to flee; `None` for the active one, else the nearest (¶182).
    pub flight: Option<Hex>,
    /// Whether the center had an LOC to the active source when last traced (¶80).
    pub loc: Option<Loc>,
    /// Replacement pool by nationality and arm (¶110).
    pub pool: BTreeMap<(String, Arm), i32>,
    /// Vedettes out of dispatch, in the pool until the next Organization Segment: turn and hex they left (¶87).
    pub vedettes_away: BTreeMap<u32, (u32, Hex)>,
    /// Vedettes that were on the map before the first of the Fog came (¶159).
    pub before_fog: Option<u32>,
    /// The Administrative Marches under way, by leader (¶187).
    pub admin_marches: BTreeMap<LeaderId, AdminMarch>,
    /// The turn on which the source marker was turned over (¶104).
    pub source_since: Option<u32>,
    /// Places whose AP have come (¶96).
    pub prizes: BTreeSet<Hex>,
    /// The turn on which a commander who has a successor was eliminated (¶113).
    pub fallen: Option<u32>,
    /// The turn before which no points of the pool are used, and turns by which all that are to come are delayed (¶128).
    pub pool_closed_until: u32,
    /// Turns by which all points to come are delayed (¶128).
    pub pool_delay: u32,
    /// The last turn of the track whose points have come, where they can be delayed (¶128).
    pub points_of: u32,
    /// The turn on which the Paris Garrison has last given an SP (¶127).
    pub paris_drawn: Option<u32>,
    /// Whether it has gone back once (¶128).
    pub paris_returned: bool,
    /// Forces that march off the map, by leader (¶219-221).
    pub abroad: BTreeMap<LeaderId, Abroad>,
    /// Forces that have tried a Forced March this turn, where a turn has several segments of it (¶63).
    pub forced: BTreeSet<LeaderId>,
    /// Own stores that the enemy has entered (¶97).
    pub raided: BTreeSet<Hex>,
    /// Citadels that a named leader has revictualled, and on which turn (¶290).
    pub revictualled: BTreeMap<Hex, u32>,
    /// Reinforcements that have come (¶154).
    pub arrived: BTreeSet<LeaderId>,
    /// Hexes of friendly-held objectives are kept in the state; here the SP lost so far, for the report.
    pub lost: i32,
}

/// ¶187-189 An Administrative March under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminMarch {
    /// Who marches.
    pub leader: LeaderId,
    /// The turn on which he set out.
    pub turn: u32,
    /// The hexes still ahead; the last is the destination, which is written before he starts and stays.
    pub rest: Vec<Hex>,
}

/// ¶219-221 A march off the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abroad {
    /// The hex where the force left.
    pub exit: Hex,
    /// The turn on which it left.
    pub since: u32,
    /// The turn from which it may come back.
    pub turn: u32,
    /// The hex where it comes back, if it is one only (¶220-221).
    pub to: Option<Hex>,
}

/// A line of communication as traced (¶80-89).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loc {
    /// From the source to the center, both included.
    pub path: Vec<Hex>,
    /// Depots that shorten it.
    pub depots: u32,
    /// Effective length in hexes: those after the source, less five a depot, not below nothing.
    pub effective: i32,
}

/// A counter as it can stand on the map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// A force leader or an unemployed leader.
    Leader(LeaderId),
    /// A vedette.
    Vedette(u32),
    /// A garrison; its flag side shows what it is (¶130).
    Garrison(UnitId),
}

/// A piece with its owner, for labels of own dice.
pub struct Named<'a> {
    /// Whose.
    pub side: &'a SideId,
    /// The name as its owner says it.
    pub name: String,
    /// Who of the side rolls for it.
    pub roller: Owner,
}

impl OwnName for Named<'_> {
    fn own_name(&self) -> String {
        self.name.clone()
    }

    fn owner(&self) -> SideId {
        self.side.clone()
    }

    fn roller(&self) -> Owner {
        self.roller.clone()
    }
}

impl Pieces {
    /// No pieces.
    pub fn none(side: &SideId) -> Pieces {
        Pieces {
            side: side.clone(),
            leaders: Shared::default(),
            units: Shared::default(),
            vedettes: Shared::default(),
            army: Shared::default(),
            others: Shared::default(),
            assigned: Shared::default(),
            plans: Shared::default(),
            redoubts: Shared::default(),
        }
    }

    /// The hex of a leader in play.
    pub fn hex(&self, leader: &LeaderId) -> Option<Hex> {
        match self.leaders.get(leader)?.place {
            Place::At(hex) => Some(hex),
            Place::Waiting | Place::Off(_) | Place::Gone(_) | Place::Bound(_) => None,
        }
    }

    /// Leaders whose counters stand on the map, in the order of their keys, with their hexes.
    pub fn on_map(&self) -> impl Iterator<Item = (&LeaderId, Hex)> {
        self.leaders.iter().filter_map(|(id, leader)| match (leader.place, &leader.under) {
            (Place::At(hex), None) => Some((id, hex)),
            _ => None,
        })
    }

    /// Leaders whose counters stand in a hex.
    pub fn leaders_at(&self, hex: Hex) -> Vec<&LeaderId> {
        self.on_map().filter(|(_, h)| *h == hex).map(|(id, _)| id).collect()
    }

    /// The leader and his subordinates in his own hex (¶37): the one-hex force under him.
    pub fn force(&self, leader: &LeaderId) -> Vec<LeaderId> {
        let subordinates =
            self.leaders.iter().filter(|(_, l)| l.under.as_ref() == Some(leader)).map(|(id, _)| id.clone());
        std::iter::once(leader.clone()).chain(subordinates).collect()
    }

    /// Units on the tracks of some leaders.
    pub fn units_of(&self, leaders: &[LeaderId]) -> Vec<(&UnitId, &Unit)> {
        self.units.iter().filter(|(_, u)| matches!(&u.track, Track::Of(l) if leaders.contains(l))).collect()
    }

    /// Strength of a one-hex force in SP, all arms (¶137).
    pub fn sp(&self, leader: &LeaderId) -> i32 {
        self.units_of(&self.force(leader)).iter().map(|(_, u)| u.sp).sum()
    }

    /// Strength of one arm in a one-hex force.
    pub fn sp_of(&self, board: &Board, leader: &LeaderId, arm: Arm) -> i32 {
        self.units_of(&self.force(leader))
            .iter()
            .filter(|(id, _)| board.units.get(*id).is_some_and(|s| s.arm == arm))
            .map(|(_, u)| u.sp)
            .sum()
    }

    /// Strengths of all forces in SP, all arms, by their leaders; who leads no unit has none.
    pub fn strengths(&self) -> BTreeMap<&LeaderId, i32> {
        let mut strengths = BTreeMap::new();
        for unit in self.units.values() {
            if let Track::Of(leader) = &unit.track {
                *strengths.entry(self.head_of(leader)).or_default() += unit.sp;
            }
        }
        strengths
    }

    /// The leader at the head of a leader's force: himself, or the one he is under.
    pub fn head_of<'a>(&'a self, leader: &'a LeaderId) -> &'a LeaderId {
        self.leaders.get(leader).and_then(|found| found.under.as_ref()).unwrap_or(leader)
    }

    /// Whether one leader is another's subordinate.
    pub fn is_under(&self, leader: &LeaderId, above: &LeaderId) -> bool {
        self.leaders.get(leader).is_some_and(|found| found.under.as_ref() == Some(above))
    }

    /// Whether a leader on the map has neither units nor subordinates (¶40).
    pub fn unemployed(&self, leader: &LeaderId) -> bool {
        !self.units.values().any(|unit| matches!(&unit.track, Track::Of(l) if l == leader || self.is_under(l, leader)))
    }

    /// SP in a hex: forces and garrisons, not vedettes (¶293).
    pub fn sp_at(&self, hex: Hex) -> i32 {
        let forces: i32 = self.leaders_at(hex).into_iter().map(|l| self.sp(l)).sum();
        let garrisons: i32 = self.garrisons_at(hex).iter().map(|(_, u)| u.sp).sum();
        forces + garrisons
    }

    /// Garrisons in a hex.
    pub fn garrisons_at(&self, hex: Hex) -> Vec<(&UnitId, &Unit)> {
        self.units.iter().filter(|(_, u)| u.track == Track::Garrison(hex)).collect()
    }

    /// Vedettes in a hex, by number.
    pub fn vedettes_at(&self, hex: Hex) -> Vec<u32> {
        self.vedettes.iter().filter(|(_, v)| **v == Vedette::At(hex)).map(|(n, _)| *n).collect()
    }

    /// Every counter in a hex: leaders, vedettes, garrisons.
    pub fn counters_at(&self, hex: Hex) -> Vec<Piece> {
        let leaders = self.leaders_at(hex).into_iter().cloned().map(Piece::Leader);
        let vedettes = self.vedettes_at(hex).into_iter().map(Piece::Vedette);
        let garrisons = self.garrisons_at(hex).into_iter().map(|(id, _)| Piece::Garrison(id.clone()));
        leaders.chain(vedettes).chain(garrisons).collect()
    }

    /// Hexes of garrisons, some of them more than once.
    pub fn garrisons(&self) -> impl Iterator<Item = Hex> {
        self.units.values().filter_map(|u| match u.track {
            Track::Garrison(hex) => Some(hex),
            Track::Of(_) | Track::Waiting => None,
        })
    }

    /// Hexes of vedettes, some of them more than once.
    pub fn screens(&self) -> impl Iterator<Item = Hex> {
        self.vedettes.values().filter_map(|v| match v {
            Vedette::At(hex) => Some(*hex),
            Vedette::Pool | Vedette::Portrait(_) => None,
        })
    }

    /// Hexes with any counter of this side, in order.
    pub fn occupied(&self) -> BTreeSet<Hex> {
        let mut hexes: BTreeSet<Hex> = self.on_map().map(|(_, h)| h).collect();
        hexes.extend(self.screens());
        hexes.extend(self.garrisons());
        hexes
    }

    /// Whether a counter or an active source of this side is in a hex or next to it.
    pub fn stands_near(&self, hex: Hex) -> bool {
        let leaders = self.on_map().map(|(_, at)| at);
        let sources = self.armies().filter_map(|army| army.source);
        leaders.chain(self.screens()).chain(self.garrisons()).chain(sources).any(|at| at.distance(hex) <= 1)
    }

    /// Where a piece stands on the map.
    pub fn piece_hex(&self, piece: &Piece) -> Option<Hex> {
        match piece {
            Piece::Leader(id) => self.hex(id),
            Piece::Vedette(n) => match self.vedettes.get(n)? {
                Vedette::At(hex) => Some(*hex),
                Vedette::Pool | Vedette::Portrait(_) => None,
            },
            Piece::Garrison(id) => match self.units.get(id)?.track {
                Track::Garrison(hex) => Some(hex),
                Track::Of(_) | Track::Waiting => None,
            },
        }
    }

    /// ¶19, 36, 43: the initiative of a leader as he commands now.
    pub fn initiative(&self, board: &Board, leader: &LeaderId) -> i32 {
        let Some(spec) = board.leaders.get(leader) else { return 1 };
        if spec.major_general == Some(Arm::Cavalry) && !spec.keeps_rating && self.commands_foot_or_guns(board, leader) {
            return 1;
        }
        (spec.initiative - self.leaders.get(leader).map_or(0, |l| l.demoted)).max(1)
    }

    /// ¶18, 36: the subordination value of a leader as he commands now.
    pub fn subordination(&self, board: &Board, leader: &LeaderId) -> Halves {
        match board.leaders.get(leader) {
            Some(spec)
                if spec.major_general == Some(Arm::Cavalry)
                    && !spec.keeps_rating
                    && self.commands_foot_or_guns(board, leader) =>
            {
                Halves::whole(2)
            }
            Some(spec) => spec.subordination,
            None => Halves::whole(99),
        }
    }

    /// ¶35, 43: the command span of a leader.
    pub fn span(&self, board: &Board, leader: &LeaderId) -> Halves {
        let demoted = self.leaders.get(leader).map_or(0, |l| l.demoted);
        board.leaders.get(leader).map_or(Halves(0), |s| s.span - Halves::whole(demoted))
    }

    fn commands_foot_or_guns(&self, board: &Board, leader: &LeaderId) -> bool {
        self.units_of(std::slice::from_ref(leader))
            .iter()
            .any(|(id, _)| board.units.get(*id).is_some_and(|s| s.arm != Arm::Cavalry))
    }

    /// ¶35, 424 Span that a leader's own track takes up; the infantry half of a formation that is not in play yet counts
    /// with its cavalry.
    pub fn track_load(&self, board: &Board, leader: &LeaderId) -> Halves {
        let cost = |id: &UnitId| board.units.get(id).map_or(Halves(0), |s| s.subordination);
        let units = self.units_of(std::slice::from_ref(leader));
        let waits = |foot: &&UnitId| self.units.get(*foot).is_some_and(|u| u.track == Track::Waiting);
        let tokens = units.iter().filter_map(|(id, _)| board.units.get(*id)?.foot.as_ref()).filter(waits).map(cost);
        units.iter().map(|(id, _)| cost(id)).chain(tokens).sum()
    }

    /// ¶424 A unit with the other half of its formation, as far as they are on tracks.
    pub fn formation(&self, board: &Board, unit: &UnitId) -> Vec<UnitId> {
        let foot = board.units.get(unit).and_then(|s| s.foot.clone());
        let horse = board.units.values().filter(|s| s.foot.as_ref() == Some(unit)).map(|s| s.id.clone());
        let carried = |id: &UnitId| self.units.get(id).is_some_and(|u| matches!(u.track, Track::Of(_)));
        std::iter::once(unit.clone()).chain(foot.into_iter().chain(horse).filter(carried)).collect()
    }

    /// ¶13, 425 A cavalry half without strength stands only beside its infantry half.
    pub fn drop_empty_halves(&mut self, board: &Board) {
        let lone = |id: &UnitId, u: &Unit| {
            let foot = board.units.get(id).and_then(|s| s.foot.as_ref());
            u.sp <= 0
                && matches!(u.track, Track::Of(_))
                && foot.is_some_and(|f| self.units.get(f).is_none_or(|u| u.track == Track::Waiting))
        };
        let lone: Vec<UnitId> = self.units.iter().filter(|(id, u)| lone(id, u)).map(|(id, _)| id.clone()).collect();
        self.units.retain(|id, _| !lone.contains(id));
    }

    /// ¶38-39, 138: whether one leader can command his own track and some other leaders at once.
    pub fn can_command(&self, board: &Board, leader: &LeaderId, others: &[LeaderId]) -> bool {
        let load: Halves = others.iter().map(|o| self.subordination(board, o)).sum();
        others.iter().all(|other| board.outranks(leader, other))
            && self.track_load(board, leader) + load <= self.span(board, leader)
    }

    /// The stars of a leader (¶44).
    pub fn bonus(&self, board: &Board, leader: &LeaderId) -> i32 {
        board.leaders.get(leader).map_or(0, |s| s.bonus)
    }

    /// Units of some leaders with their printed facts.
    pub fn manifest<'a>(&'a self, board: &'a Board, leaders: &[LeaderId]) -> Vec<(&'a UnitSpec, &'a Unit)> {
        self.units_of(leaders).into_iter().filter_map(|(id, u)| board.units.get(id).map(|s| (s, u))).collect()
    }

    /// Whether any unit of French Old Guard of an arm is among some leaders' units, with its SP (¶362).
    pub fn old_guard(&self, board: &Board, leaders: &[LeaderId], arm: Arm) -> i32 {
        self.manifest(board, leaders)
            .iter()
            .filter(|(s, _)| s.arm == arm && s.quality == Quality::OldGuard)
            .map(|(_, u)| u.sp)
            .sum()
    }

    /// ¶113: the army commander: the one printed, while he is in play, else the leader of the greatest span.
    pub fn commander(&self, board: &Board) -> Option<LeaderId> {
        let army = self.army.name.as_ref();
        let of_army = board.army(&self.side, army).map(|a| a.commander.clone());
        // ¶113: who comes to supersede the first commands as soon as he is there.
        let heir = board.special.successor.get(&self.side).filter(|s| self.hex(&s.then).is_some());
        let of_army = heir.map(|s| s.then.clone()).or(of_army);
        let mut printed = of_army.or_else(|| board.side(&self.side).map(|s| s.commander.clone()));
        if let Some((first, then)) = board.special.commander_after.get(&self.side) {
            // ¶99, 113: until the first is withdrawn the army has no commander.
            let left = self.leaders.get(first).is_none_or(|l| matches!(l.place, Place::Gone(_)));
            if !left {
                return None;
            }
            printed = Some(then.clone());
        }
        if let Some(id) = printed.filter(|id| self.hex(id).is_some()) {
            return Some(id);
        }
        let mut best: Option<(Halves, &LeaderId)> = None;
        for id in self.leaders.keys().filter(|id| self.hex(id).is_some() && self.of_phase(board, army, id)) {
            let span = self.span(board, id);
            if best.is_none_or(|(s, _)| span > s) {
                best = Some((span, id));
            }
        }
        best.map(|(_, id)| id.clone())
    }

    /// A leader's printed facts.
    pub fn spec<'a>(&self, board: &'a Board, leader: &LeaderId) -> Option<&'a LeaderSpec> {
        board.leaders.get(leader)
    }

    /// ¶37 A leader and those above him, by their ids.
    pub fn line(&self, leader: &LeaderId) -> Vec<String> {
        let mut line = vec![leader.0.clone()];
        let mut at = leader;
        while let Some(above) = self.leaders.get(at).and_then(|l| l.under.as_ref()) {
            if line.contains(&above.0) {
                break;
            }
            line.push(above.0.clone());
            at = above;
        }
        line
    }

    /// A leader in labels of own dice.
    pub fn leader_named(&self, leader: &LeaderId) -> Named<'_> {
        Named { side: &self.side, name: leader.0.clone(), roller: Owner::Leader(self.line(leader)) }
    }

    /// An army in labels of own dice.
    pub fn of_army(&self, army: &ArmyId) -> Named<'_> {
        Named { side: &self.side, name: army.0.clone(), roller: Owner::Army }
    }
}

//! A seat's view as data: what the order sheet clicks on, and what a client of somebody else's making reads.
//!
//! It holds what the report holds and no more. Steps, ranges and rides are those by which CHECK reckons: the sheet adds them
//! up and judges nothing.

use super::units::{facts, roster};
use super::{my_sheet, plate};
use crate::hex::Hex;
use crate::report::field::Window;
use crate::report::field::laid::{self, words};
use crate::report::sheet::{Sheet, is_false};
use crate::rules::brave_fellows::board::Arm;
use crate::rules::brave_fellows::reach::{self, Activation, Fire, Reach, Step};
use crate::rules::brave_fellows::state::{Mood, Segment, State, Unit};
use crate::rules::brave_fellows::view::View;
use crate::text;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What the order sheet does with it.
pub const SCRIPT: &str = concat!(
    include_str!("../../../templates/sheet/hexes.js"),
    include_str!("../../../templates/sheet/tactical.js"),
    include_str!("../../../templates/sheet/brave_fellows.js")
);

/// What a seat of `brave_fellows` sees. Hexes are written as on the map, such as `1409`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Board {
    /// The map and its part that the sheet shows.
    pub map: Sheet,
    /// Named places in that part.
    pub places: BTreeMap<String, String>,
    /// What may be ordered now.
    pub stage: Stage,
    /// Own pieces.
    pub own: Vec<Own>,
    /// Enemies in sight, and where others were last seen.
    pub enemy: Vec<Foe>,
    /// Who may be activated.
    pub calls: Vec<Call>,
    /// Hexes before enemies, in which whoever comes there stops.
    pub fronts: Vec<String>,
    /// Tables of steps, to which own units point.
    pub steps: Vec<Steps>,
    /// By hexes of enemies: from where they can be fired at, and facing which of N NE SE S SW NW. `0` is not, `1` from next to
    /// them, `2` by guns, `3` by howitzers alone.
    pub aims: BTreeMap<String, BTreeMap<String, String>>,
    /// Units that may be wished back.
    pub lost: Vec<String>,
    /// Where they may come back.
    pub back: Vec<String>,
}

/// What may be ordered now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Nothing.
    Wait,
    /// Pieces are put on the map.
    Setup,
    /// A leader is activated, and what follows.
    Activation,
    /// Moves and charges, and what follows.
    Movement,
    /// Fire and melees.
    Fire,
    /// Melees.
    Melee,
}

/// What a piece of one's own is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A leader.
    #[default]
    Leader,
    /// Foot.
    Foot,
    /// Horse.
    Horse,
    /// Guns.
    Guns,
    /// Guns that are printed on the map.
    Battery,
    /// A counter that is nothing.
    Dummy,
}

/// A piece of one's own. What does not hold for it is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Own {
    /// Its name, as the order language takes it.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// Where it stands; none where it waits off the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// How it faces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<String>,
    /// Its values and how it is, in words.
    pub facts: String,
    /// Whether it acts now.
    pub acts: bool,
    /// Whether it has moved, and others end that.
    #[serde(skip_serializing_if = "is_false")]
    pub began: bool,
    /// Whether it may turn.
    #[serde(skip_serializing_if = "is_false")]
    pub turns: bool,
    /// Whether it fires to all sides.
    #[serde(skip_serializing_if = "is_false")]
    pub round: bool,
    /// The table of its steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<usize>,
    /// Movement points that it has left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<i32>,
    /// Hexes of Levels 2 and 3 that it may still climb by the chart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub climbs: Option<[i32; 2]>,
    /// How far it fires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fires: Option<Range>,
    /// Hexes at which printed guns may fire.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub salvos: Vec<String>,
    /// Hexes that it may attack once it is next to them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub melees: Vec<String>,
    /// What it may charge from where it stands, by how it faces: the hexes of the way.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub charges: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// Where a leader may ride, with the points.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rides: BTreeMap<String, i32>,
    /// Where it may be put.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub puts: Vec<String>,
    /// By which hexes it may come on, with the points that the next stack pays.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub doors: BTreeMap<String, i32>,
    /// Whether a leader stays when his men go back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stays: Option<bool>,
}

/// How far a unit fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    /// At the next hex.
    Near,
    /// Four hexes, if it sees them.
    Guns,
    /// Four hexes in any case.
    Howitzers,
}

/// An enemy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Foe {
    /// His name or tag.
    pub id: String,
    /// Where he stands, or was last seen.
    pub hex: String,
    /// What is known of him, in words.
    pub what: String,
    /// The turn in which he was last seen, where he is out of sight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
}

/// Somebody who may be activated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Call {
    /// The line that does it.
    pub line: String,
    /// The leader.
    pub leader: String,
    /// Units that act with him.
    pub units: Vec<String>,
    /// Leaders whom he may take along, each with the units that he brings.
    pub with: BTreeMap<String, Vec<String>>,
}

/// Steps out of each hex, for N NE SE S SW NW: points; `-` is no way, `a` and `b` cost 1 and use up a hex of Level 2 or 3 by
/// the chart of levels.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Steps {
    /// Into hexes in which no friend stands.
    pub alone: BTreeMap<String, String>,
    /// Into hexes in which one does, where that differs.
    pub behind: BTreeMap<String, String>,
}

fn stage(v: &View) -> Stage {
    match v.state.segment {
        _ if !my_sheet(v) => Stage::Wait,
        _ if reach::sets_up(v) => Stage::Setup,
        Segment::Activation => Stage::Activation,
        Segment::Movement => Stage::Movement,
        Segment::Fire => Stage::Fire,
        Segment::Melee => Stage::Melee,
    }
}

/// A view while it is laid out.
struct Layout<'v> {
    v: &'v View,
    stage: Stage,
    /// The table with all activated who may be.
    ready: State,
    foes: BTreeSet<Hex>,
    tables: Vec<Steps>,
}

/// The view of a seat, and the ground of its part of the map as a drawing with its pieces.
pub fn board(v: &View) -> (Board, String) {
    let calls = reach::calls(v);
    let (ready, foes) = (reach::ready(v, &calls), reach::foes(&v.state, &v.side));
    let mut layout = Layout { v, stage: stage(v), ready, foes, tables: Vec::new() };
    let own = layout.own();
    let enemy = enemy(v);
    let laid = laid::lay(&plate::scene(v), layout.window());
    let acts = matches!(layout.stage, Stage::Activation | Stage::Movement | Stage::Fire);
    let marks = |marks: [char; 6]| marks.iter().collect::<String>();
    let aims = |at: &Hex| {
        let from = reach::aims(&v.state, &v.side, *at).into_iter();
        (at.to_string(), from.map(|(hex, ways)| (hex.to_string(), marks(ways))).collect())
    };
    let (lost, back) = if layout.stage == Stage::Wait { (Vec::new(), Vec::new()) } else { reach::lost(v) };
    let board = Board {
        map: laid.map,
        places: laid.places,
        stage: layout.stage,
        own,
        enemy,
        calls: calls.into_iter().map(call).collect(),
        fronts: reach::fronts(&v.state, &v.side).iter().map(Hex::to_string).collect(),
        aims: layout.foes.iter().filter(|_| acts).map(aims).collect(),
        steps: layout.tables,
        lost,
        back: back.iter().map(Hex::to_string).collect(),
    };
    (board, laid.svg)
}

fn call(call: Activation) -> Call {
    let Activation { line, leader, units, with } = call;
    Call { line, leader, units, with }
}

/// What is known of enemies, those in sight first.
fn enemy(v: &View) -> Vec<Foe> {
    let s = &v.state;
    let mut found = Vec::new();
    for (id, _, hex) in s.counters().filter(|(id, ..)| !s.is_of(id, &v.side)) {
        found.push(Foe { id: id.clone(), hex: hex.to_string(), what: facts(v, id), last: None });
    }
    for (name, hex) in s.leaders.iter().filter_map(|(name, l)| Some((name, l.hex?))) {
        if !s.leads(name, &v.side) {
            found.push(Foe { id: name.clone(), hex: hex.to_string(), what: "a leader".to_owned(), last: None });
        }
    }
    for (tag, contact) in &v.ghosts {
        let what = format!("{}, out of sight", contact.face.arm);
        let hex = contact.face.hex.to_string();
        found.push(Foe { id: tag.clone(), hex, what, last: Some(contact.turn) });
    }
    found
}

impl Layout<'_> {
    /// Own pieces: leaders, then units by name.
    fn own(&mut self) -> Vec<Own> {
        let v = self.v;
        let s = &v.state;
        let leaders = s.leaders.iter().filter(|(name, l)| s.leads(name, &v.side) && !l.lost);
        let leaders = leaders.filter(|(_, l)| l.hex.or(l.waits).is_some());
        let mut own: Vec<Own> = leaders.map(|(name, _)| self.leader(name)).collect();
        let units = s.units.iter().filter(|(id, u)| s.is_of(id, &v.side) && u.hex.or(u.waits).is_some());
        let units: Vec<(&String, &Unit)> = units.collect();
        own.extend(units.into_iter().map(|(id, unit)| self.unit(id, unit)));
        own
    }

    fn blank(&self, id: &str, kind: Kind, hex: Option<Hex>) -> Own {
        let put = self.stage == Stage::Setup;
        let puts = if put { words(&reach::places(&self.v.state, id)) } else { Vec::new() };
        Own { id: id.to_owned(), kind, hex: hex.map(|hex| hex.to_string()), puts, ..Own::default() }
    }

    /// Whether anything of an impulse may be ordered.
    fn open(&self) -> bool {
        !matches!(self.stage, Stage::Wait | Stage::Setup)
    }

    fn leader(&self, name: &str) -> Own {
        let (s, l) = (&self.v.state, self.v.state.leaders.get(name));
        let mut own = self.blank(name, Kind::Leader, l.and_then(|l| l.hex));
        let word = match l {
            Some(l) if l.used && !l.active => ", has acted",
            _ => "",
        };
        own.facts = s.chief(name).map_or_else(String::new, |chief| format!("CV {} MA {}{word}", chief.cv, chief.ma));
        own.acts = l.is_some_and(|l| l.active);
        if self.open() {
            own.rides = points(reach::rides(&self.ready, name));
            own.doors = points(reach::doors(&self.ready, name));
            own.stays = Some(s.stays(name));
        }
        own
    }

    fn unit(&mut self, id: &str, unit: &Unit) -> Own {
        let s = &self.v.state;
        let kind = match s.kind(id).map(|kind| kind.arm) {
            _ if s.is_battery(id) => Kind::Battery,
            _ if s.is_dummy(id) => Kind::Dummy,
            Some(Arm::Cav) => Kind::Horse,
            Some(Arm::Art) => Kind::Guns,
            Some(Arm::Inf) | None => Kind::Foot,
        };
        let mut own = self.blank(id, kind, unit.hex);
        own.facts = facts(self.v, id);
        (own.acts, own.round) = (unit.active, s.in_strong_point(id));
        own.faces = (kind != Kind::Battery && unit.mood != Mood::Routed).then(|| unit.facing.name().to_owned());
        if !self.open() {
            own.turns = self.stage == Stage::Setup && !own.puts.is_empty();
            return own;
        }
        let ready = &self.ready;
        own.began = unit.spent > 0 && !unit.done;
        own.turns = reach::turns(ready, id);
        own.doors = points(reach::doors(ready, id));
        own.fires = reach::fires(ready, id, &self.foes).map(|fire| match fire {
            Fire::Near => Range::Near,
            Fire::Guns => Range::Guns,
            Fire::Howitzers => Range::Howitzers,
        });
        own.salvos = words(&reach::salvos(ready, id, &self.foes));
        own.melees = words(&reach::melees(ready, id, &self.foes));
        let charges = reach::charges(ready, id, &self.foes).into_iter();
        let ways = |ways: BTreeMap<Hex, Vec<Hex>>| ways.into_iter().map(|(at, way)| (at.to_string(), words(&way)));
        own.charges = charges.map(|(dir, all)| (dir.name().to_owned(), ways(all).collect())).collect();
        if let Some(from) = unit.hex.or(unit.waits)
            && let Some(reach) = reach::reach(ready, id, from, 0)
        {
            let [most, had] = reach.climbs;
            own.climbs = Some([0, 1].map(|n| pick(most, n) - pick(had, n)));
            own.left = Some(reach.left);
            own.table = Some(self.table(&reach));
        }
        own
    }

    /// The table of a unit's steps: units that go alike have one.
    fn table(&mut self, reach: &Reach) -> usize {
        let mut table = Steps::default();
        for (hex, [alone, behind]) in &reach.steps {
            let (alone, behind) = (digits(alone), digits(behind));
            if alone != behind {
                table.behind.insert(hex.to_string(), behind);
            }
            table.alone.insert(hex.to_string(), alone);
        }
        self.tables.iter().position(|other| *other == table).unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        })
    }

    /// The part of the field that holds own pieces, and enemies near them, with a margin.
    fn window(&self) -> Window {
        let (s, v) = (&self.v.state, self.v);
        let units = s.units.iter().filter(|(id, _)| s.is_of(id, &v.side)).filter_map(|(_, u)| u.hex.or(u.waits));
        let leaders = s.leaders.iter().filter(|(name, _)| s.leads(name, &v.side));
        let own: BTreeSet<Hex> = units.chain(leaders.filter_map(|(_, l)| l.hex.or(l.waits))).collect();
        laid::part(&roster(v, text::WIDTH), &own, self.foes.iter().copied())
    }
}

fn pick(of: [i32; 2], n: usize) -> i32 {
    of.get(n).copied().unwrap_or(0)
}

fn points(of: BTreeMap<Hex, i32>) -> BTreeMap<String, i32> {
    of.into_iter().map(|(hex, points)| (hex.to_string(), points)).collect()
}

/// Steps for the six ways, a sign each.
fn digits(steps: &[Option<Step>; 6]) -> String {
    let sign = |step: &Option<Step>| match step {
        None => '-',
        Some(step) if step.chart == 2 => 'a',
        Some(step) if step.chart > 2 => 'b',
        Some(step) => u32::try_from(step.cost).ok().and_then(|cost| char::from_digit(cost, 10)).unwrap_or('-'),
    };
    steps.iter().map(sign).collect()
}

//! 2 What is printed: counters, commands and their leaders, and what the scenario says.

use super::ground::{Bank, Class, Drawn, Ground, Line, Toll};
use super::pose::{Form, Pose};
use super::tables::{Charts, Edge, Gun, Horse, Quality, Rating, Terrain};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::memo::{Known, Memo};
use crate::rules::Files;
use crate::rules::tactical::files::{part, turns};
pub use crate::rules::tactical::ground::Arm;
pub use crate::rules::tactical::table::Sight;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The side that moves its letters first.
pub const FRENCH: &str = "french";
/// The other.
pub const ALLIED: &str = "allied";

/// 2.3 A counter as it is printed, on its Column side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// What it is called.
    pub name: String,
    /// Its division.
    pub div: String,
    /// Its arm.
    pub arm: Arm,
    /// 2.1 Strength Points.
    pub sp: i32,
    /// Its fire value.
    #[serde(default)]
    pub fire: i32,
    /// Its morale rating.
    pub morale: i32,
    /// Its movement allowance.
    pub ma: i32,
    /// 6.3.3 It may skirmish.
    #[serde(default)]
    pub skirmish: bool,
    /// 6.2.5 Guns of horse artillery.
    #[serde(default)]
    pub horse: bool,
    /// 8.1.6 The size of its guns.
    #[serde(default)]
    pub gun: Option<Gun>,
    /// 8.4.1 What horse it is.
    #[serde(default, rename = "type")]
    pub rides: Option<Horse>,
    /// 6.5 How many hexes it has.
    #[serde(default = "one")]
    pub hexes: u8,
    /// 11.1 It has no Breakpoint.
    #[serde(default)]
    pub elite: bool,
}

fn one() -> u8 {
    1
}

impl Kind {
    /// 2.3 A Cossack's counter has one side, the Disordered one.
    pub fn is_cossack(&self) -> bool {
        self.rides == Some(Horse::Cossack)
    }

    /// 5.0 Its class in a formation; none where it does not move in it.
    pub fn class(&self, form: Form) -> Option<Class> {
        Some(match (self.arm, form) {
            (Arm::Inf, Form::Line) => Class::IL,
            (Arm::Inf, Form::Column) => Class::IC,
            (Arm::Inf, Form::Skirmish) => Class::IS,
            (Arm::Inf, Form::Disorder) => Class::ID,
            (Arm::Cav, Form::Line) => Class::CL,
            (Arm::Cav, Form::Column) => Class::CC,
            (Arm::Cav, Form::Disorder) => Class::CD,
            (Arm::Art, Form::Limbered) if self.horse => Class::AH,
            (Arm::Art, Form::Limbered) => Class::AF,
            _ => return None,
        })
    }
}

/// 4.1.2 What a leader commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rank {
    /// One star.
    Division,
    /// Two.
    Corps,
    /// Three.
    Army,
}

/// 4.1.2 A leader as he is printed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chief {
    /// What he is called.
    pub name: String,
    /// How many stars he has.
    pub rank: Rank,
    /// His side.
    pub side: SideId,
    /// His division or his corps.
    #[serde(default)]
    pub of: String,
    #[serde(default)]
    activation: i32,
    #[serde(default)]
    personality: u8,
    range: u32,
    #[serde(default)]
    modifier: i32,
    #[serde(default)]
    initiative: i32,
    #[serde(default)]
    quality: Option<Quality>,
}

impl Chief {
    /// His ratings.
    pub fn rating(&self) -> Rating {
        let Chief { activation, personality, range, modifier, initiative, quality, .. } = *self;
        Rating { activation, personality, range, modifier, initiative, quality }
    }
}

/// A corps.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corps {
    /// Its side.
    pub side: SideId,
    /// Its commander.
    pub commander: String,
}

/// A division.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Division {
    /// Its corps.
    pub corps: String,
    /// 11.2 Its Breakpoint Level; none where it has no Breakpoint.
    pub breakpoint: Option<usize>,
}

/// Where a unit stands when a scenario begins, or a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Post {
    /// Its hex.
    pub at: Hex,
    /// Its formation.
    pub form: Form,
    /// The hour that it faces.
    #[serde(default)]
    pub face: u8,
}

impl Post {
    /// How a counter of so many hexes stands there.
    pub fn pose(self, size: u8) -> Pose {
        Pose { size, ..Pose::at(self.at, self.face, self.form) }
    }
}

/// 14.0 Reinforcements.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrival {
    /// Whose.
    pub side: SideId,
    /// The turn.
    pub turn: u32,
    /// 14.1.1 The Entry Area.
    pub entry: u8,
    /// 14.2 Another Entry Area, by which they may come once they are late.
    #[serde(default)]
    pub delayed_entry: Option<u8>,
    /// The divisions.
    pub divisions: Vec<String>,
    /// A corps commander who comes along.
    #[serde(default)]
    pub corps_leader: Option<String>,
    /// 14.1.3 The hex that they make for.
    #[serde(default)]
    pub objective: Option<Hex>,
}

/// Who leaves the map by its edge for points.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exits {
    /// Whose units.
    pub side: SideId,
    /// The column of hexes by which.
    pub column: i16,
    /// How many SP for a point.
    pub per: i32,
}

/// 11.3 What wins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Victory {
    /// Points by places.
    pub places: BTreeMap<String, i32>,
    /// For whom the places score.
    pub scores_for: SideId,
    /// Who holds them at the start.
    pub held_by: SideId,
    /// For an enemy's division at Breakpoint.
    pub division: i32,
    /// For a corps.
    pub corps: i32,
    /// For who leaves the map; nobody does where there is none.
    pub exits: Option<Exits>,
    /// So many points more than the French win for the Allies.
    pub allied_margin: i32,
    /// With so many more, or fewer, the French win; between the two it is a draw.
    pub french_margin: i32,
}

/// H.1 The visibility in some turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visibility {
    /// From one turn to another.
    pub turns: (u32, u32),
    /// In hexes.
    pub hexes: u32,
    /// The highest level that lies in the mist.
    pub mist_top_level: i8,
}

/// What a scenario says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Scenario {
    /// H.1 What is hidden.
    pub sight: Sight,
    /// H.1 The visibility, by turns.
    pub visibility: Vec<Visibility>,
    /// First and last turn.
    pub turns: (u32, u32),
    /// 4.1.1 The divisions and corps whose LIMs are in the pool at the start.
    pub lims: BTreeMap<SideId, Vec<String>>,
    /// 4.5.3 The divisions that act on a side's Independent LIM, that is always in the pool; none where it has none.
    pub independent: BTreeMap<SideId, Vec<String>>,
    /// 4.2 Who may attempt a Command Change.
    pub change_by: BTreeMap<SideId, Vec<String>>,
    /// Where what stands.
    pub setup: BTreeMap<String, Post>,
    /// Where the leaders stand.
    pub leaders: BTreeMap<String, Hex>,
    /// 14.0 What comes later.
    pub reinforcements: Vec<Arrival>,
    /// What wins.
    pub victory: Victory,
    /// Sides that the program's own player leads: they have no seat.
    pub solo: BTreeSet<SideId>,
    /// What each side reads in its opening mail.
    pub briefings: BTreeMap<SideId, String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Army {
    /// 10.1.2 Where an army retreats, as an hour.
    retreat: BTreeMap<SideId, u8>,
    corps: BTreeMap<String, Corps>,
    divisions: BTreeMap<String, Division>,
    leaders: BTreeMap<String, Chief>,
    units: BTreeMap<String, Kind>,
}

/// All that is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// 2.0 The field.
    pub ground: Ground,
    /// What the scenario says.
    pub scenario: Scenario,
    /// Charts.
    pub charts: Charts,
    /// Counters by id.
    pub kinds: BTreeMap<String, Kind>,
    /// Leaders by id.
    pub chiefs: BTreeMap<String, Chief>,
    /// Divisions.
    pub divisions: BTreeMap<String, Division>,
    /// Corps.
    pub corps: BTreeMap<String, Corps>,
    /// 10.1.2 Where each army retreats.
    pub retreat: BTreeMap<SideId, u8>,
    /// 5.0 Ways that were looked for.
    pub ways: Memo<Sought, BTreeMap<Hex, i32>, 32>,
    /// 5.4 Where a leader could ride from a hex, past enemies.
    pub rides: Memo<(Hex, BTreeSet<Hex>), BTreeSet<Hex>, 16>,
    /// 5.0 What a step costs that somebody has asked about.
    pub prices: Known<(Class, Hex, Dir), Option<(i32, Toll)>, PRICES>,
    /// 8.1.7 Lines of sight that somebody has looked along.
    pub lines: Known<(Hex, Hex), Line, LINES>,
    /// Counters in three characters.
    pub codes: Memo<(), BTreeMap<String, String>, 1>,
    /// H.12 Counters that are nobody.
    pub dummies: BTreeSet<String>,
    /// The side of each counter.
    owners: BTreeMap<String, SideId>,
}

/// How the name of a dummy begins.
const DUMMY: &str = "DUMMY-";
/// H.12 A division of so many counters has a dummy.
const MANY: usize = 4;

/// No more prices are kept.
const PRICES: usize = 100_000;
/// No more lines are kept.
const LINES: usize = 100_000;

/// Ways of a class to some hexes, past enemies.
pub type Sought = (Class, BTreeSet<Hex>, Vec<Hex>);

impl Board {
    /// Reads the files of a scenario.
    ///
    /// # Errors
    /// Their flaws, as sentences.
    pub fn read(files: &Files) -> Result<Board, Vec<String>> {
        let drawn: Drawn = part(files, "battlefield")?;
        let charts: Charts = part(files, "tables")?;
        let army: Army = part(files, "order_of_battle")?;
        let scenario: Scenario = part(files, "scenario")?;
        turns(scenario.turns, "[1, 12]")?;
        let mut ground = drawn.ground().map_err(|flaw| vec![flaw])?;
        ground.slopes.clone_from(&charts.slopes);
        ground.joined = charts.terrain.iter().filter(|(_, t)| t.joined).map(|(name, _)| name.clone()).collect();
        let Army { retreat, corps, divisions, leaders: chiefs, units: kinds } = army;
        let mut board =
            Board { ground, scenario, charts, kinds, chiefs, divisions, corps, retreat, ..Board::default() };
        let owner = |(id, kind): (&String, &Kind)| Some((id.clone(), board.side_of(&kind.div)?.clone()));
        board.owners = board.kinds.iter().filter_map(owner).collect();
        let flaws = board.flaws();
        board.hide(board.scenario.sight);
        if flaws.is_empty() { Ok(board) } else { Err(flaws) }
    }

    /// H.1 Hides what a setting of sight hides. H.12 Masked, each division of four counters or more has a dummy besides, that
    /// marches as its slowest foot does and stands at first with the first of its foot that is on the map.
    pub fn hide(&mut self, sight: Sight) {
        self.scenario.sight = sight;
        let divisions: Vec<String> = self.divisions.keys().filter(|_| sight == Sight::Masked).cloned().collect();
        for div in divisions {
            let own = |(id, kind): &(&String, &Kind)| kind.div == div && !self.dummies.contains(*id);
            let own: Vec<(&String, &Kind)> = self.kinds.iter().filter(own).collect();
            let foot = || own.iter().filter(|(_, kind)| kind.arm == Arm::Inf);
            let Some(ma) = foot().map(|(_, kind)| kind.ma).min().filter(|_| own.len() >= MANY) else { continue };
            let post = foot().find_map(|(id, _)| self.scenario.setup.get(*id)).copied();
            let (id, side) = (format!("{DUMMY}{div}"), self.side_of(&div).cloned());
            if let Some(post) = post {
                let pose = post.pose(1).formed(Form::Column, None);
                let post = Post { form: Form::Column, face: pose.hour.into(), ..post };
                self.scenario.setup.insert(id.clone(), post);
            }
            self.owners.extend(side.map(|side| (id.clone(), side)));
            self.dummies.insert(id.clone());
            self.kinds.insert(id.clone(), Kind { name: id, div, ma, hexes: 1, ..Kind::default() });
        }
    }

    /// What the files name and do not have.
    fn flaws(&self) -> Vec<String> {
        let mut flaws = Vec::new();
        let grounds: BTreeSet<&String> = self.ground.field.cells.values().map(|cell| &cell.ground).collect();
        let unknown = grounds.into_iter().filter(|ground| !self.charts.terrain.contains_key(*ground));
        flaws.extend(unknown.map(|ground| format!("the chart of terrain has no \"{ground}\".")));
        for (id, kind) in &self.kinds {
            if !self.divisions.contains_key(&kind.div) {
                flaws.push(format!("{id} is of the division \"{}\", which there is not.", kind.div));
            }
        }
        for (id, division) in &self.divisions {
            if !self.corps.contains_key(&division.corps) {
                flaws.push(format!("{id} is of the corps \"{}\", which there is not.", division.corps));
            }
        }
        for (id, post) in &self.scenario.setup {
            if !self.kinds.contains_key(id) || !self.ground.has(post.at) {
                flaws.push(format!("the set-up names \"{id}\" in {}, and there is no such unit or hex.", post.at));
            }
        }
        let chiefs = self.scenario.leaders.keys().filter(|id| !self.chiefs.contains_key(*id));
        flaws.extend(chiefs.map(|id| format!("the set-up names the leader \"{id}\", whom no order of battle has.")));
        let lims = self.scenario.lims.values().flatten();
        let lims = lims.filter(|id| !self.divisions.contains_key(*id) && !self.corps.contains_key(*id));
        flaws.extend(lims.map(|id| format!("the pool has a LIM of \"{id}\", which is no command.")));
        for (side, id) in self.scenario.independent.iter().flat_map(|(side, ids)| ids.iter().map(move |id| (side, id)))
        {
            if self.side_of(id) != Some(side) {
                flaws.push(format!("the Independent LIM of {} names \"{id}\", which is no division of it.", side.0));
            }
        }
        for arrival in &self.scenario.reinforcements {
            let unknown = arrival.delayed_entry.filter(|area| !self.ground.entries.contains_key(area));
            flaws.extend(unknown.map(|area| {
                format!("{} could enter later by {area}, which is no Entry Area.", arrival.divisions.join(" "))
            }));
        }
        flaws
    }

    /// The side of a division.
    pub fn side_of(&self, division: &str) -> Option<&SideId> {
        self.corps.get(&self.divisions.get(division)?.corps).map(|corps| &corps.side)
    }

    /// The side of a counter.
    pub fn owner(&self, unit: &str) -> Option<&SideId> {
        self.owners.get(unit)
    }

    /// The sides of all counters, in the order of their names.
    pub fn owners(&self) -> impl Iterator<Item = (&String, &SideId)> {
        self.owners.iter()
    }

    /// The divisions of a corps.
    pub fn divisions_of(&self, corps: &str) -> Vec<String> {
        self.divisions.iter().filter(|(_, d)| d.corps == corps).map(|(id, _)| id.clone()).collect()
    }

    /// The commander of a division.
    pub fn commander(&self, division: &str) -> Option<&String> {
        let of = |chief: &Chief| chief.rank == Rank::Division && chief.of == division;
        self.chiefs.iter().find(|(_, chief)| of(chief)).map(|(id, _)| id)
    }

    /// The chart's row of a hex's ground; none off the map.
    pub fn terrain(&self, hex: Hex) -> Option<&Terrain> {
        self.charts.terrain.get(self.ground.field.ground(hex)?)
    }

    /// The chart's rows of a hexside.
    pub fn edges(&self, a: Hex, b: Hex) -> impl Iterator<Item = (Bank, &Edge)> {
        self.ground.between(a, b).into_iter().filter_map(|bank| Some((bank, self.charts.sides.get(&bank)?)))
    }

    /// 8.2.1, 8.3 Whether who is attacked in a hex out of another is in Defensive Terrain.
    pub fn is_defensive(&self, from: Hex, at: Hex) -> bool {
        self.terrain(at).is_some_and(|t| t.defensive) || self.edges(from, at).any(|(_, edge)| edge.defensive)
    }
}

/// The other side.
pub fn other(side: &SideId) -> SideId {
    SideId::from(if side.0 == FRENCH { ALLIED } else { FRENCH })
}

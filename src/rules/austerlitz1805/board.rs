//! 2-3 What is printed: units with their ratings, the ground, named places, sides. Never changes in a game.

use super::tables::Tables;
use crate::fog::SideId;
use crate::plane::shape::Shape;
use crate::plane::{Heading, Spot};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A unit by its name, such as `Vandamme/2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub String);

/// 2.1 The four kinds of unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// 2.4.1 Foot.
    Infantry,
    /// 2.4.4 Horse.
    Cavalry,
    /// Guns.
    Artillery,
    /// A leader with his staff.
    Hq,
}

/// 2.4.3, 2.4.5, 2.4.6 Types within an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// 2.4.3.1 Infantry of the line, without a rule of its own.
    Line,
    /// 2.4.3.2, 2.4.5.1 Light infantry or cavalry: woods do not slow it, and streams do not stop the cavalry.
    Light,
    /// 2.4.3.3 Infantry of the Guard, which is elite.
    Guard,
    /// 2.4.5.2 Medium cavalry, the plain type.
    Medium,
    /// 2.4.5.3 Heavy cavalry: cuirassiers and the like.
    Heavy,
    /// 13.12.1 Cossacks.
    Cossack,
    /// Foot artillery.
    Foot,
    /// Horse artillery.
    Horse,
    /// An HQ.
    Leader,
}

/// 2.3 Colours of the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Nation {
    /// Blue.
    French,
    /// Green.
    Russian,
    /// Grey.
    Austrian,
    /// Green and grey.
    Mixed,
}

/// 2.2, 2.4 What is printed on a counter; one of foot or horse is a brigade (2.4.3.4, 2.4.5.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitSpec {
    /// Its name.
    pub id: UnitId,
    /// Two characters by which both sides may call it; empty where its corps has too many counters.
    pub label: String,
    /// Its side.
    pub side: SideId,
    /// Its nation.
    pub nation: Nation,
    /// Its corps or column.
    pub corps: String,
    /// Its arm.
    pub arm: Arm,
    /// Its type.
    pub kind: Kind,
    /// 2.4.2, 9.1 Musketry in line, or the firepower of a battery.
    pub fire: i32,
    /// Combat modifier.
    pub combat: i32,
    /// Morale; for a battery as well.
    pub morale: i32,
    /// 9.1 What a battery needs to hit.
    pub hd: i32,
    /// 12.2.1, 12.2.1.1 Guard or elite, as Oudinot's grenadiers: step losses do not touch its morale.
    pub elite: bool,
    /// 12.6.2 An HQ that commands the army.
    pub army: bool,
}

/// Ground that is more than open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Soil {
    /// Woods.
    Woods,
    /// Villages and farms.
    Settlement,
    /// The castle, the Santon.
    Fortification,
    /// Ponds.
    Pond,
}

/// A piece of ground.
#[derive(Clone, Debug)]
pub struct Area {
    /// Its name.
    pub name: String,
    /// What it is.
    pub soil: Soil,
    /// Where it is.
    pub shape: Shape,
}

/// A line on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// A stream.
    Stream,
    /// 8.5 The edge of a height.
    Crest,
    /// A road.
    Road,
}

/// A stream, crest or road.
#[derive(Clone, Debug)]
pub struct Course {
    /// Its name.
    pub name: String,
    /// What it is.
    pub way: Way,
    /// Its bends.
    pub spots: Vec<Spot>,
}

/// 3.1 The map.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// Units from west to east.
    pub width: i32,
    /// Units from south to north.
    pub height: i32,
    /// Woods, settlements, fortifications, ponds.
    pub areas: Vec<Area>,
    /// Ground one level above the plain.
    pub hills: Vec<Shape>,
    /// Streams, crests, roads.
    pub courses: Vec<Course>,
}

/// A named place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub at: Spot,
    /// 17.1.1.1 Victory points, where its name is printed in red.
    pub vp: i32,
    /// 17.1.1.6 How near a unit passes to control it.
    pub radius: i32,
    /// 17.1.1.4-5 Who controls it at the start.
    pub owner: Option<SideId>,
}

/// A side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideSpec {
    /// Its id.
    pub id: SideId,
    /// Its name.
    pub name: String,
    /// 12.6.3 The way to its own edge of the map.
    pub edge: Heading,
    /// 17.1.1.3 Wins ties.
    pub wins_ties: bool,
}

/// 19-21 Advanced rules, each a switch; and readings of the example of play that contradict the rules, off unless wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// 19 Alternate rout rule.
    pub alternate_rout: bool,
    /// 20 Allied artillery may run out of ammunition.
    pub allied_artillery: bool,
    /// 21 La Grande Armée d'Allemagne.
    pub grande_armee: bool,
    /// where every unit stands open the fog lifts a step in each player-turn, as in the example, not in each turn (16.3).
    pub fog_by_player_turn: bool,
    /// a square that changes formation moves on with what is left, as in the example and against 6.12.
    pub squares_move_on: bool,
}

/// Where a unit stands at the start.
#[derive(Clone, Debug)]
pub struct Start {
    /// The unit.
    pub unit: UnitId,
    /// Its place and front; an attached HQ has that of its unit.
    pub pose: super::table::Pose,
    /// Its formation.
    pub form: super::table::Formation,
    /// The unit to which an HQ is attached.
    pub with: Option<UnitId>,
}

/// What the opening mail says to a side: own and public things only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Briefing {
    /// The situation.
    pub situation: String,
    /// First orders, each with what it is for; each is legal at the start.
    pub first: Vec<(String, String)>,
    /// What a newcomer gets wrong.
    pub cautions: Vec<String>,
}

/// All that is printed.
#[derive(Clone, Debug)]
pub struct Board {
    /// The scenario's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// 18.3 Sides in the order in which they move.
    pub sides: Vec<SideSpec>,
    /// First and last turn.
    pub turns: (u32, u32),
    /// Hour of turn 1.
    pub first_hour: u32,
    /// Every counter.
    pub units: BTreeMap<UnitId, UnitSpec>,
    /// The map.
    pub ground: Ground,
    /// Named places.
    pub places: Vec<Place>,
    /// The charts.
    pub tables: Tables,
    /// Advanced rules in use.
    pub options: Options,
    /// The set-up.
    pub starts: Vec<Start>,
    /// 18.1 How a game in fog begins; none where every unit stands open from the start.
    pub flow: Option<super::strategic::Flow>,
    /// 16.4.1 The strategic maps.
    pub strategic: super::strategic::Strategic,
    /// 22.1 Sides that nobody leads: the solo rules do.
    pub solo: Vec<SideId>,
    /// What the opening mail says to each side.
    pub briefings: BTreeMap<SideId, Briefing>,
    /// What the counters are called, once somebody has asked; each line of a sheet asks several times.
    pub called: OnceLock<Vec<(String, UnitId)>>,
    /// The same by the counters' sides.
    pub called_by: OnceLock<BTreeMap<SideId, Vec<(String, UnitId)>>>,
    /// The counters by their labels as a line is read, each of the same label in the sequence of their names.
    pub labelled: OnceLock<BTreeMap<String, Vec<UnitId>>>,
    /// Ways to contact that were sought of late.
    pub sought: super::moves::sought::Sought,
}

impl Board {
    /// A counter; every unit of a game has one.
    pub fn unit(&self, id: &UnitId) -> Option<&UnitSpec> {
        self.units.get(id)
    }

    /// The two characters by which both sides may call a counter; its name where it has none.
    pub fn label<'b>(&'b self, id: &'b UnitId) -> &'b str {
        self.unit(id).map(|s| s.label.as_str()).filter(|label| !label.is_empty()).unwrap_or(&id.0)
    }

    /// The counters that have a label, folded as the words of a line are.
    pub fn labelled(&self, said: &str) -> &[UnitId] {
        let all = self.labelled.get_or_init(|| {
            let mut all: BTreeMap<String, Vec<UnitId>> = BTreeMap::new();
            for id in self.units.keys() {
                all.entry(crate::orders::fold(self.label(id))).or_default().push(id.clone());
            }
            all
        });
        all.get(said).map(Vec::as_slice).unwrap_or_default()
    }

    /// A side.
    pub fn side(&self, id: &SideId) -> Option<&SideSpec> {
        self.sides.iter().find(|s| s.id == *id)
    }

    /// 1.1 The other side.
    pub fn enemy(&self, id: &SideId) -> SideId {
        self.sides.iter().find(|s| s.id != *id).map_or_else(|| id.clone(), |s| s.id.clone())
    }

    /// A named place.
    pub fn place(&self, name: &str) -> Option<&Place> {
        self.places.iter().find(|p| p.name == name)
    }
}

impl Ground {
    /// Lines of one kind.
    pub fn ways(&self, way: Way) -> impl Iterator<Item = &Course> {
        self.courses.iter().filter(move |c| c.way == way)
    }

    /// Pieces of one kind.
    pub fn soils(&self, soil: Soil) -> impl Iterator<Item = &Area> {
        self.areas.iter().filter(move |a| a.soil == soil)
    }
}

impl Course {
    /// Its stretches between bends.
    pub fn stretches(&self) -> impl Iterator<Item = (Spot, Spot)> + '_ {
        self.spots.iter().copied().zip(self.spots.iter().copied().skip(1))
    }
}

impl std::fmt::Display for UnitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Every unit on the table lies face up for both sides, so its name may stand in a public roll.
impl crate::dice::OpenName for UnitId {
    fn open_name(&self) -> String {
        crate::orders::fold(&self.0).replace(' ', "-")
    }
}

//! What lies on the table, open to both sides: units with place, front, formation and markers; combats; control.
//!
//! All rules that need no hidden thing work on a [`Table`]: the state holds one, and every view holds the same.

use super::board::{Arm, Board, Kind, UnitId, UnitSpec};
use super::mist::{Chit, ChitId, Mist};
use super::units::Units;
use crate::fog::SideId;
use crate::lent;
use crate::plane::near::Gap;
use crate::plane::shape::Shape;
use crate::plane::{Fine, Heading, Size, Spot, Stand};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A-52 By how many degrees a front may be turned from an enemy's own and still look straight at it.
pub const SQUARE: i32 = 30;

/// 5.1 Formations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Formation {
    /// Line.
    Line,
    /// Column.
    Column,
    /// Square.
    Square,
    /// Guns on the road.
    Limbered,
    /// Guns ready to fire.
    Unlimbered,
    /// An HQ has none.
    Staff,
}

/// 12.5 States of morale, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub enum Mood {
    /// Nothing amiss.
    Fit,
    /// Stunned.
    S,
    /// Disorganized.
    D,
    /// Routed.
    R,
}

/// Where a unit stands and how it faces: whole units and degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Pose {
    /// Its centre.
    pub at: Spot,
    /// Its front.
    pub facing: Heading,
}

/// 5.1 From which side something comes at a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    /// Ahead.
    Front,
    /// From a side.
    Flank,
    /// From behind.
    Rear,
}

/// A unit on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Whose it is.
    pub side: SideId,
    /// Where it stands.
    pub pose: Pose,
    /// Its formation.
    pub form: Formation,
    /// Its morale.
    pub mood: Mood,
    /// 12.3 Steps left.
    pub steps: u8,
    /// The unit to which an HQ is attached.
    pub with: Option<UnitId>,
    /// Markers.
    pub marks: BTreeSet<Mark>,
    /// Allowance used in this player-turn, in units.
    pub spent: i32,
    /// 12.7.2.3 Routed friends for whom it has been checked.
    pub steadied: BTreeSet<UnitId>,
    /// 13.13.4 Supporters of its attack that fire has ended, who stand by it until its next Rally.
    pub backed: BTreeSet<UnitId>,
}

/// Markers on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// 12.9 Blood Rage.
    Rage,
    /// 9.4 The battery fired in its own Preparation or in the enemy's Defensive Fire.
    Fired,
    /// 9.5 It turned more than 45 degrees or moved, and may not fire in this player-turn.
    Swung,
    /// 6.12 It changed formation in this player-turn.
    Formed,
    /// A square broke up in this player-turn and may not move.
    Unsquared,
    /// It moved or turned in this player-turn.
    Moved,
    /// 13.7 It disengaged in this player-turn.
    Disengaged,
    /// 12.6.3 Its HQ fell and it goes back until it passes a check.
    Leaderless,
    /// 13.15.1.1.2 Its crew has left the guns.
    Crewless,
    /// 13.15.1.1.2 The crew has come back in this player-turn.
    Returned,
    /// It has fired muskets in this phase.
    Volleyed,
    /// 20.1 Out of ammunition, two rallies to go.
    Empty2,
    /// 20.1 Out of ammunition, one rally to go.
    Empty1,
    /// 16.4.2.8.2 It came out of a chit, and may go back into one.
    Uncovered,
    /// 16.4.2.7 What it met was a decoy; it may not move on in this player-turn.
    Deceived,
}

/// 13.2 A declared or ongoing combat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combat {
    /// The side that attacks now.
    pub by: SideId,
    /// Who is attacked.
    pub on: UnitId,
    /// Who leads.
    pub lead: UnitId,
    /// Who supports.
    pub support: Vec<UnitId>,
    /// 13.12.3 A charge.
    pub charge: bool,
    /// 4.9 It stays from a player-turn before.
    pub old: bool,
    /// From which side the leader came.
    pub face: Face,
    /// 10.4.3.5.1 The attacker's bonus from musketry.
    pub bonus: i32,
}

/// All that lies open.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Table {
    /// What is printed.
    #[serde(serialize_with = "lent::nothing", deserialize_with = "lent::read")]
    pub board: Arc<Board>,
    /// The game turn.
    pub turn: u32,
    /// Units on the field.
    pub units: Units,
    /// Units removed, in order.
    pub lost: Vec<UnitId>,
    /// Combats.
    pub combats: Vec<Combat>,
    /// 17.1.1.6 Who controls each place that counts.
    pub control: BTreeMap<String, SideId>,
    /// 16.2 Range of sight in fog; none when it is clear.
    pub sight: Option<i32>,
    /// 16.4 Chits, and what else of the fog lies open.
    pub mist: Mist,
    /// 19.2 Units that have left the map, and the turn in which they come back.
    pub away: BTreeMap<UnitId, u32>,
}

impl Pose {
    /// As the plane has it.
    pub fn stand(self) -> Stand {
        Stand { at: self.at.fine(), heading: self.facing }
    }

    /// The nearest pose to a stand.
    pub fn of(stand: Stand) -> Pose {
        Pose { at: stand.at.spot(), facing: stand.heading }
    }
}

impl From<Pose> for String {
    fn from(p: Pose) -> String {
        format!("{}@{}", p.at, p.facing)
    }
}

impl TryFrom<String> for Pose {
    type Error = String;
    fn try_from(text: String) -> Result<Pose, String> {
        let wrong = || format!("\"{text}\" is no place with a front, such as 15300,14450@090");
        let (at, facing) = text.split_once('@').ok_or_else(wrong)?;
        let (x, y) = at.split_once(',').ok_or_else(wrong)?;
        let number = |s: &str| s.trim().parse::<i32>().map_err(|_| wrong());
        Ok(Pose { at: Spot::new(number(x)?, number(y)?), facing: Heading::parse(facing).ok_or_else(wrong)? })
    }
}

impl Unit {
    /// Whether it bears a marker.
    pub fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }
}

impl Table {
    /// A unit on the field.
    pub fn unit(&self, id: &UnitId) -> Option<&Unit> {
        self.units.get(id)
    }

    /// What is printed on it.
    pub fn spec(&self, id: &UnitId) -> Option<&UnitSpec> {
        self.board.units.get(id)
    }

    /// A chit on the map.
    pub fn chit(&self, id: &ChitId) -> Option<&Chit> {
        self.mist.chits.get(id)
    }

    /// The two characters by which both sides may call a unit; its name where it has none.
    pub fn label<'t>(&'t self, id: &'t UnitId) -> &'t str {
        self.board.label(id)
    }

    /// The ground that a chit lies on at a place.
    pub fn chit_shape(&self, at: Spot) -> Shape {
        let (front, depth) = self.board.tables.sizes.chit;
        Shape::block(Stand { at: at.fine(), heading: Heading::NORTH }, Size { front, depth })
    }

    /// 16.4.2.7 Whether an enemy unit or chit is within some distance of a piece of ground.
    pub fn enemy_within(&self, side: &SideId, ground: &Shape, units: i32) -> bool {
        let unit = |(id, u): (&UnitId, &Unit)| u.side != *side && self.shape(id).near(ground, units);
        let chit = |c: &Chit| c.side != *side && self.chit_shape(c.at).near(ground, units);
        self.standing().any(unit) || self.mist.chits.values().any(chit)
    }

    /// The number of the player-turn, from the first of the game on.
    pub fn player_turn(&self, side: &SideId) -> u32 {
        let second = self.board.sides.iter().position(|s| s.id == *side).is_some_and(|at| at > 0);
        self.turn * 2 + u32::from(second)
    }

    /// Its arm.
    pub fn arm(&self, id: &UnitId) -> Arm {
        self.spec(id).map_or(Arm::Hq, |s| s.arm)
    }

    /// Its type.
    pub fn kind(&self, id: &UnitId) -> Kind {
        self.spec(id).map_or(Kind::Leader, |s| s.kind)
    }

    /// Whose it is.
    pub fn side(&self, id: &UnitId) -> SideId {
        self.spec(id).map_or_else(|| SideId(String::new()), |s| s.side.clone())
    }

    /// 5.1 The ground it takes.
    pub fn size(&self, id: &UnitId) -> Size {
        let form = self.unit(id).map_or(Formation::Staff, |u| u.form);
        self.board.tables.size(form)
    }

    /// The ground it covers.
    pub fn shape(&self, id: &UnitId) -> Shape {
        let stand =
            self.unit(id).map_or(Stand { at: Spot::new(0, 0).fine(), heading: Heading::NORTH }, |u| u.pose.stand());
        Shape::block(stand, self.size(id))
    }

    /// Its centre.
    pub fn centre(&self, id: &UnitId) -> Fine {
        self.unit(id).map_or(Spot::new(0, 0).fine(), |u| u.pose.at.fine())
    }

    /// The middle of its front.
    pub fn front(&self, id: &UnitId) -> Fine {
        let depth = self.size(id).depth;
        self.unit(id).map_or(Spot::new(0, 0).fine(), |u| u.pose.at.fine().toward(u.pose.facing, depth / 2))
    }

    /// The ground that any unit covers.
    pub fn ground(&self, unit: &Unit) -> Shape {
        Shape::block(unit.pose.stand(), self.board.tables.size(unit.form))
    }

    /// Whether two units are so many units apart at most.
    pub fn within(&self, a: &UnitId, b: &UnitId, units: i32) -> bool {
        self.shape(a).near(&self.shape(b), units)
    }

    /// The gap between two units.
    pub fn gap(&self, a: &UnitId, b: &UnitId) -> Gap {
        self.shape(a).gap(&self.shape(b))
    }

    /// 13.1 Whether two units touch.
    pub fn touch(&self, a: &UnitId, b: &UnitId) -> bool {
        self.shape(a).near(&self.shape(b), self.board.tables.contact)
    }

    /// Units that stand for themselves: all but attached HQs.
    pub fn standing(&self) -> impl Iterator<Item = (&UnitId, &Unit)> {
        self.units.iter().filter(|(_, u)| u.with.is_none())
    }

    /// 7.1 The ground of all who stand for themselves but one unit.
    pub fn others(&self, id: &UnitId) -> Vec<Shape> {
        self.standing().filter(|(other, _)| *other != id).map(|(_, other)| self.ground(other)).collect()
    }

    /// Units of a side that stand for themselves.
    pub fn of_side<'t>(&'t self, side: &'t SideId) -> impl Iterator<Item = (&'t UnitId, &'t Unit)> {
        self.standing().filter(move |(_, u)| u.side == *side)
    }

    /// Enemies of a unit, the nearest first.
    pub fn enemies_by_gap(&self, id: &UnitId) -> Vec<UnitId> {
        self.enemies_of(id, |_, _| true)
    }

    /// Enemies of a unit that fit by themselves and their ground, the nearest first.
    pub fn enemies_of(&self, id: &UnitId, fit: impl Fn(&UnitId, &Shape) -> bool) -> Vec<UnitId> {
        let (side, here) = (self.side(id), self.shape(id));
        let enemies = self.standing().filter(|(_, u)| u.side != side).map(|(e, u)| (e, self.ground(u)));
        let fits = enemies.filter(|(e, ground)| fit(e, ground));
        let mut found: Vec<(Gap, &UnitId)> = fits.map(|(e, ground)| (here.gap(&ground), e)).collect();
        found.sort();
        found.into_iter().map(|(_, e)| e.clone()).collect()
    }

    /// The nearest enemy of a unit: the first of `enemies_by_gap`, without looking closely at those who are farther off.
    pub fn nearest_enemy(&self, id: &UnitId) -> Option<UnitId> {
        let (side, here) = (self.side(id), self.shape(id));
        let mut best: Option<(Gap, i32, &UnitId)> = None;
        for (enemy, unit) in self.standing().filter(|(_, u)| u.side != side) {
            let ground = self.ground(unit);
            if best.is_some_and(|(_, units, _)| here.aside(&ground, units)) {
                continue;
            }
            let gap = here.gap(&ground);
            if best.is_none_or(|(least, _, first)| (gap, enemy) < (least, first)) {
                best = Some((gap, gap.units(), enemy));
            }
        }
        best.map(|(_, _, enemy)| enemy.clone())
    }

    /// 7.1 The HQ attached to a unit.
    pub fn hq_with(&self, id: &UnitId) -> Option<&UnitId> {
        self.units.iter().find(|(_, u)| u.with.as_ref() == Some(id)).map(|(hq, _)| hq)
    }

    /// The combat in which a unit takes part.
    pub fn combat_of(&self, id: &UnitId) -> Option<&Combat> {
        self.combats.iter().find(|c| c.on == *id || c.lead == *id || c.support.contains(id))
    }

    /// 13.3, 13.13 The combat that attackers of an enemy join: the one declared on him, or one that goes on, in which he led
    /// and is the defender now.
    pub fn fight_on(&self, on: &UnitId) -> Option<&Combat> {
        let declared = self.combats.iter().find(|c| c.on == *on);
        declared.or_else(|| self.combats.iter().find(|c| c.old && c.lead == *on))
    }

    /// 10.4.3.2, 13.13 Whether a unit has come to a combat that goes on in this player-turn: who was in it before cannot have
    /// moved.
    pub fn joined(&self, combat: &Combat, id: &UnitId) -> bool {
        let came = |u: &Unit| u.side == combat.by && u.has(Mark::Moved);
        combat.old && combat.on != *id && self.unit(id).is_some_and(came)
    }

    /// 10.4.3.3 Whether a unit is in a combat that stays from before.
    pub fn engaged(&self, id: &UnitId) -> bool {
        self.combats.iter().any(|c| c.old && (c.on == *id || c.lead == *id || c.support.contains(id)))
    }

    /// 5.4, 5.1 From which side a place comes at a unit: beyond the front line and not farther out than ahead is the
    /// front, the same behind is the rear, all else a flank; a square has front all round.
    pub fn face(&self, target: &UnitId, from: Fine) -> Face {
        let Some(unit) = self.unit(target) else { return Face::Front };
        if unit.form == Formation::Square {
            return Face::Front;
        }
        let size = self.size(target);
        let (ray, centre) = (unit.pose.facing.ray(), unit.pose.at.fine());
        let (dx, dy) = (i128::from(from.x - centre.x), i128::from(from.y - centre.y));
        let (rx, ry) = (i128::from(ray.x), i128::from(ray.y));
        // Twice the distances, in fine units times the length of a ray.
        let ahead = 2 * (dx * rx + dy * ry);
        let right = 2 * (dx * ry - dy * rx);
        let unit_length = i128::from(crate::plane::FINE) * 10_000;
        let out = right.abs() - i128::from(size.front) * unit_length;
        let depth = i128::from(size.depth) * unit_length;
        // The very corner counts as front; places are rounded to whole units, so that it may lie beside it by one.
        if ahead > 0 && out <= ahead - depth + 2 * unit_length {
            Face::Front
        } else if -ahead >= depth && out < -ahead - depth {
            Face::Rear
        } else {
            Face::Flank
        }
    }

    /// A-52 Which side of a unit is struck from a stand at which a front touches it: who looks straight at its front line is in
    /// front, though the middle of his own front lies past its corner; else as that middle lies.
    pub fn struck(&self, target: &UnitId, from: Fine, facing: Heading) -> Face {
        let square = self.unit(target).map(|u| u.pose.facing.turned(180).off(facing).abs());
        if square.is_some_and(|off| off <= SQUARE) { Face::Front } else { self.face(target, from) }
    }

    /// Which side of a unit another strikes from where it would stand.
    pub fn struck_from(&self, target: &UnitId, by: &UnitId, pose: Pose) -> Face {
        self.struck(target, pose.at.fine().toward(pose.facing, self.size(by).depth / 2), pose.facing)
    }

    /// Which side of a unit another strikes from where it stands.
    pub fn struck_by(&self, target: &UnitId, by: &UnitId) -> Face {
        let facing = self.unit(by).map_or(Heading::NORTH, |u| u.pose.facing);
        self.struck(target, self.front(by), facing)
    }

    /// The place of a unit in words that a player writes.
    pub fn near_place(&self, at: Spot) -> String {
        let near = self.board.places.iter().min_by_key(|p| distance2(p.at, at));
        match near {
            None => at.to_string(),
            Some(place) => match Heading::between(place.at.fine(), at.fine()) {
                None => place.name.clone(),
                Some(way) => {
                    let gap = crate::plane::near::apart(place.at.fine(), at.fine()).units();
                    if gap < 100 {
                        return place.name.clone();
                    }
                    format!("{} UM {} of {}", tenths(gap), wind(way), place.name)
                }
            },
        }
    }
}

/// The square of a distance in units.
fn distance2(a: Spot, b: Spot) -> i64 {
    let (dx, dy) = (i64::from(a.x - b.x), i64::from(a.y - b.y));
    dx * dx + dy * dy
}

/// Units as UM with one decimal, rounded.
pub fn tenths(units: i32) -> String {
    let t = (units + 50) / 100;
    format!("{}.{}", t / 10, t % 10)
}

/// Units as UM, exact: `2`, `0.5`, `1.235`.
pub fn um(units: i32) -> String {
    let (whole, rest) = (units / 1000, units % 1000);
    if rest == 0 {
        return whole.to_string();
    }
    format!("{whole}.{}", format!("{rest:03}").trim_end_matches('0'))
}

/// The nearest of the eight winds.
pub fn wind(heading: Heading) -> &'static str {
    const WINDS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    let at = usize::try_from((heading.degrees() * 2 + 45) / 90 % 8).unwrap_or(0);
    WINDS.get(at).copied().unwrap_or("N")
}

impl Formation {
    /// As a player writes it.
    pub fn word(self) -> &'static str {
        match self {
            Formation::Line => "line",
            Formation::Column => "column",
            Formation::Square => "square",
            Formation::Limbered => "limbered",
            Formation::Unlimbered => "unlimbered",
            Formation::Staff => "staff",
        }
    }
}

impl Face {
    /// As a report writes it.
    pub fn word(self) -> &'static str {
        match self {
            Face::Front => "front",
            Face::Flank => "flank",
            Face::Rear => "rear",
        }
    }
}

impl Mood {
    /// As a report writes it.
    pub fn word(self) -> &'static str {
        match self {
            Mood::Fit => "in good order",
            Mood::S => "stunned (S)",
            Mood::D => "disorganized (D)",
            Mood::R => "routed (R)",
        }
    }
}

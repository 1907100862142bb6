//! 6.4 A unit under way, marker by marker.

use super::Trace;
use crate::plane::shape::Shape;
use crate::plane::walk::{moved, reach};
use crate::plane::{Fine, Heading, Size, Stand};
use crate::rules::austerlitz1805::board::{Arm, Course, Soil, UnitId};
use crate::rules::austerlitz1805::mist::ChitId;
use crate::rules::austerlitz1805::table::{Formation, Pose, Table};
use crate::rules::austerlitz1805::terrain;

/// Ground is looked at every so many units.
const STEP: i32 = 5;

/// What stops a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// 6.9 A unit that it may not pass.
    Unit(UnitId),
    /// 13.1 An enemy whom it may touch only to attack.
    Enemy(UnitId),
    /// A stream.
    Stream(String),
    /// Ground on which it may not stand.
    Ground(String),
    /// 16.4.2.7 An enemy chit within the range of detection.
    Chit(ChitId, i32),
    /// 16.4.1.6 The striped zone.
    Closed,
    /// The edge of the map.
    Edge,
    /// Woods used up its allowance.
    Allowance,
    /// No room for the turn of a marker.
    NoTurn(UnitId),
}

/// A straight stretch of a way.
struct Stretch {
    /// Where the unit stood before it turned to go it.
    before: Stand,
    /// Where the stretch begins.
    from: Stand,
    way: Heading,
    far: i32,
}

/// A unit under way.
pub struct Walk<'t> {
    t: &'t Table,
    id: &'t UnitId,
    size: Size,
    form: Formation,
    stand: Stand,
    cost: i32,
    legs: Vec<(i32, i32)>,
    via: Vec<Fine>,
    stretches: Vec<Stretch>,
    /// Streams at whose bank it began, which it may ford.
    banks: Vec<String>,
    /// Enemies whom it may touch.
    may_touch: Vec<UnitId>,
    /// Units that it covers or touches from the start.
    close: Vec<UnitId>,
    /// Why it went no farther.
    pub halt: Option<Halt>,
}

impl<'t> Walk<'t> {
    /// A unit that sets out; `may_touch` names enemies whom it goes to attack.
    pub fn begin(t: &'t Table, id: &'t UnitId, may_touch: &[UnitId]) -> Walk<'t> {
        let unit = t.unit(id);
        let pose = unit.map(|u| u.pose);
        let stand = pose.map_or(Stand { at: t.centre(id), heading: Heading::NORTH }, Pose::stand);
        let here = t.shape(id);
        let banks = t.board.ground.ways(crate::rules::austerlitz1805::board::Way::Stream);
        let banks: Vec<String> =
            banks.filter(|c| terrain::at_bank(t, &here, c)).map(|c: &Course| c.name.clone()).collect();
        let close = t.standing().filter(|(o, _)| *o != id && t.touch(id, o)).map(|(o, _)| o.clone()).collect();
        Walk {
            t,
            id,
            size: t.size(id),
            form: unit.map_or(Formation::Staff, |u| u.form),
            stand,
            cost: 0,
            legs: Vec::new(),
            via: vec![stand.at],
            stretches: Vec::new(),
            banks,
            may_touch: may_touch.to_vec(),
            close,
            halt: None,
        }
    }

    /// The middle of the front.
    pub fn front(&self) -> Fine {
        self.stand.at.toward(self.stand.heading, self.size.depth / 2)
    }

    /// The front.
    pub fn facing(&self) -> Heading {
        self.stand.heading
    }

    /// Where it stands now.
    pub fn shape(&self) -> Shape {
        Shape::block(self.stand, self.size)
    }

    /// Allowance used so far.
    pub fn cost(&self) -> i32 {
        self.cost
    }

    /// 6.4 One marker: it starts at the middle of the front, turned; the unit follows it and faces along it.
    pub fn leg(&mut self, turn: i32, units: i32, budget: i32) {
        let facing = self.stand.heading.turned(turn);
        let behind = self.front().toward(facing, -(self.size.depth / 2));
        let wheeled = Stand { at: behind, heading: facing };
        let (old, new) = (self.shape(), Shape::block(wheeled, self.size));
        let hits = |o: &&UnitId| {
            let other = self.t.shape(o);
            other.overlaps(&new) && !other.overlaps(&old)
        };
        let blocked = self.solid().into_iter().find(|o| hits(o)).cloned();
        if let Some(other) = blocked {
            self.halt = Some(Halt::NoTurn(other));
            return;
        }
        let (before, cost) = (self.stand, self.cost);
        self.stand = wheeled;
        let gone = self.straight(facing, units, budget);
        if gone == 0 {
            self.stretches.pop();
            (self.stand, self.cost) = (before, cost);
            return;
        }
        if let Some(last) = self.stretches.last_mut() {
            last.before = before;
        }
        self.legs.push((turn, gone));
    }

    /// Straight along a way, keeping the front; how far it got.
    pub fn straight(&mut self, way: Heading, units: i32, budget: i32) -> i32 {
        let solid: Vec<UnitId> = self.solid().into_iter().cloned().collect();
        let shapes: Vec<Shape> = solid.iter().map(|o| self.t.shape(o)).collect();
        let reach = reach(self.stand, self.size, way, units, &shapes);
        if let Some(other) = reach.stopped.and_then(|at| solid.get(at)) {
            self.halt = Some(Halt::Unit(other.clone()));
        }
        let (mut far, cost) = self.ground(way, reach.units, budget);
        let full = far;
        if let Some((to, halt)) = self.fogged(way, far) {
            far = to;
            self.halt = Some(halt);
        }
        // 6.8, 6.11: whom it passes it may stand on between two markers; the end is looked at once, in `end`.
        let passing = |id: &UnitId| !solid.contains(id);
        while far > 0 && self.touching(moved(self.stand, way, far), passing).is_some() {
            far -= 1;
        }
        if far < full && self.halt.is_none() {
            self.halt = self.touching(moved(self.stand, way, far + 1), passing);
        }
        self.cost += if full > 0 { cost - (full - far).min(cost) } else { 0 };
        self.stretches.push(Stretch { before: self.stand, from: self.stand, way, far });
        self.stand = Pose::of(moved(self.stand, way, far)).stand();
        if far > 0 {
            self.via.push(self.stand.at);
        }
        far
    }

    /// 6.10 How far the ground lets it go, and what that costs.
    fn ground(&mut self, way: Heading, units: i32, budget: i32) -> (i32, i32) {
        let left = budget - self.cost;
        let whole = self.shape().swept(&Shape::block(moved(self.stand, way, units), self.size));
        let plain = !self.t.board.ground.areas.iter().any(|a| a.shape.meets(&whole)) && !self.near_water(&whole);
        let inside = self.inside(moved(self.stand, way, units).at);
        if plain && inside {
            return (units.min(left), units.min(left));
        }
        let began = self.shape();
        let slow = terrain::slowed(self.t, self.id);
        let factor = self.t.board.tables.terrain.woods_factor;
        let (mut far, mut cost) = (0, 0);
        while far < units {
            let step = STEP.min(units - far);
            let (here, next) = (moved(self.stand, way, far), moved(self.stand, way, far + step));
            let ahead = next.at.toward(self.stand.heading, self.size.depth / 2);
            let wooded = slow && self.t.board.ground.soils(Soil::Woods).any(|a| a.shape.holds(ahead));
            let price = if wooded && !terrain::on_road(self.t, ahead) { step * factor } else { step };
            let stop = self.stop(here, next, way, &began);
            if stop.is_some() || cost + price > left {
                self.halt = stop.or(wooded.then_some(Halt::Allowance)).or(self.halt.take());
                break;
            }
            far += step;
            cost += price;
        }
        (far, cost)
    }

    /// 16.4.2.7, 16.4.1.6 Where the fog stops it: as soon as an enemy chit is in reach, or before the striped zone.
    fn fogged(&self, way: Heading, far: i32) -> Option<(i32, Halt)> {
        let (t, side) = (self.t, self.t.side(self.id));
        let block = |units: i32| Shape::block(Pose::of(moved(self.stand, way, units)).stand(), self.size);
        let mut found: Option<(i32, Halt)> = None;
        let whole = block(0).swept(&block(far));
        for (id, chit) in t.mist.chits.iter().filter(|(_, c)| c.side != side) {
            let (Some(range), shape) = (t.sight, t.chit_shape(chit.at)) else { continue };
            if !shape.gap(&whole).within(range) {
                continue;
            }
            let near = (0..=far).step_by(5).chain([far]).find(|units| shape.gap(&block(*units)).within(range));
            if let Some(units) = near.filter(|units| found.as_ref().is_none_or(|(best, _)| units < best)) {
                found = Some((units, Halt::Chit(id.clone(), range)));
            }
        }
        let barred = |units: &i32| t.board.closed(t.mist.assault, &side, moved(self.stand, way, *units).at.spot());
        if !barred(&0)
            && let Some(units) = (0..=far).step_by(5).chain([far]).find(barred)
            && found.as_ref().is_none_or(|(best, _)| units < *best)
        {
            found = Some(((units - 5).max(0), Halt::Closed));
        }
        found
    }

    fn near_water(&self, whole: &Shape) -> bool {
        let streams = self.t.board.ground.ways(crate::rules::austerlitz1805::board::Way::Stream);
        streams.into_iter().any(|c| terrain::at_bank(self.t, whole, c))
    }

    fn inside(&self, at: Fine) -> bool {
        let (ground, spot) = (&self.t.board.ground, at.spot());
        spot.x >= 0 && spot.y >= 0 && spot.x <= ground.width && spot.y <= ground.height
    }

    /// What stops it between two steps.
    fn stop(&self, here: Stand, next: Stand, way: Heading, began: &Shape) -> Option<Halt> {
        if !self.inside(next.at) {
            return Some(Halt::Edge);
        }
        let lead = if way == self.stand.heading { self.size.depth / 2 } else { 0 };
        let (from, to) = (here.at.toward(way, lead), next.at.toward(way, lead));
        if terrain::stopped_by_stream(self.t, self.id)
            && let Some(stream) = terrain::ford(self.t, from, to)
            && !self.banks.contains(&stream.name)
        {
            return Some(Halt::Stream(stream.name.clone()));
        }
        let block = Shape::block(next, self.size);
        let barred = |a: &&crate::rules::austerlitz1805::board::Area| {
            !terrain::may_enter(self.t, self.id, a.soil) && a.shape.overlaps(&block) && !a.shape.overlaps(began)
        };
        // 15.1: guns keep to the road in woods and settlements; where they are on one, nothing bars them.
        let area = self.t.board.ground.areas.iter().find(barred);
        let road = self.form == Formation::Limbered && terrain::on_road(self.t, to);
        area.filter(|a| !road || a.soil == Soil::Pond).map(|a| Halt::Ground(a.name.clone()))
    }

    /// 6.8, 6.9, 6.11 Units that stop it: all but friendly guns, and for cavalry enemy guns and squares.
    fn solid(&self) -> Vec<&'t UnitId> {
        let side = self.t.side(self.id);
        let rides = self.t.arm(self.id) == Arm::Cavalry;
        let host = self.t.unit(self.id).and_then(|u| u.with.as_ref());
        let stops = |(o, u): &(&UnitId, &crate::rules::austerlitz1805::table::Unit)| {
            let guns = self.t.arm(o) == Arm::Artillery;
            let passed = if u.side == side { guns } else { rides && (guns || u.form == Formation::Square) };
            *o != self.id && Some(*o) != host && (!passed || self.may_touch.contains(o))
        };
        self.t.standing().filter(stops).map(|(o, _)| o).collect()
    }

    /// 7.1, 13.1 What bars a place: another unit under it, or an enemy at touch whom it does not attack.
    fn touching(&self, stand: Stand, passing: impl Fn(&UnitId) -> bool) -> Option<Halt> {
        let block = Shape::block(Pose::of(stand).stand(), self.size);
        let side = self.t.side(self.id);
        let contact = self.t.board.tables.contact;
        let mut others = self.t.standing().filter(|(o, _)| *o != self.id && !passing(o));
        others.find_map(|(o, u)| {
            let other = self.t.shape(o);
            if other.overlaps(&block) {
                return Some(Halt::Unit(o.clone()));
            }
            let shy = u.side != side && !self.may_touch.contains(o) && !self.close.contains(o);
            (shy && other.gap(&block).within(contact)).then(|| Halt::Enemy(o.clone()))
        })
    }

    /// 7.1 Where it stands at the end: never on another unit, so it comes back along its way until it is clear.
    pub fn end(mut self) -> Trace {
        let begun = !self.stretches.is_empty();
        while let Some(halt) = self.touching(self.stand, |_| false) {
            let Some(Stretch { before, from, way, far }) = self.stretches.pop() else { break };
            self.halt = Some(halt);
            if far > 0 {
                self.stand = Pose::of(moved(from, way, far - 1)).stand();
                self.cost = (self.cost - 1).max(0);
                self.stretches.push(Stretch { before, from, way, far: far - 1 });
            } else {
                self.stand = before;
                self.legs.pop();
                self.via.pop();
            }
        }
        if let (Some(last), Some(stretch)) = (self.legs.last_mut(), self.stretches.last()) {
            last.1 = stretch.far;
        }
        if let (Some(last), true) = (self.via.last_mut(), begun) {
            *last = self.stand.at;
        }
        let (pose, form) = (Pose::of(self.stand), self.form);
        Trace { pose, form, cost: self.cost, legs: self.legs, via: self.via, halt: self.halt }
    }
}

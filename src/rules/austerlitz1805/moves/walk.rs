//! 6.4 A unit under way, marker by marker.

use super::Trace;
use crate::fog::SideId;
use crate::plane::near::Line;
use crate::plane::shape::Shape;
use crate::plane::walk::{moved, reach, reach_beyond};
use crate::plane::{Fine, Heading, LONG, Size, Stand, UM};
use crate::rules::austerlitz1805::board::{Area, Arm, Course, Soil, UnitId};
use crate::rules::austerlitz1805::mist::ChitId;
use crate::rules::austerlitz1805::table::{Formation, Pose, Table, Unit};
use crate::rules::austerlitz1805::terrain::{self, Reach};
use std::rc::Rc;

/// Ground is looked at every so many units.
const STEP: i32 = 5;
/// 6.2 The smaller part of a marker, up to its dashed line.
pub const HALF: i32 = UM / 2;

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
    /// 5.2 Ground on which no square can stay one.
    Broken(String),
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
#[derive(Clone)]
struct Stretch {
    /// Where the unit stood before it turned to go it.
    before: Stand,
    /// Where the stretch begins.
    from: Stand,
    way: Heading,
    far: i32,
}

/// What of the ground lies on a straight way.
struct InWay<'t> {
    streams: Vec<Reach<'t>>,
    walls: Vec<&'t Area>,
    woods: Vec<&'t Area>,
}

impl InWay<'_> {
    fn nothing(&self) -> bool {
        self.streams.is_empty() && self.walls.is_empty() && self.woods.is_empty()
    }
}

/// Another unit that may come in the way.
#[derive(Clone)]
struct Near<'t> {
    id: &'t UnitId,
    shape: Shape,
    /// 6.8, 6.9, 6.11 It stops the unit: all but friendly guns do, and for cavalry all but enemy guns and squares.
    solid: bool,
    /// 13.1 An enemy whom the unit may not touch.
    shy: bool,
    /// The unit covers a part of it where it sets out, which doesn't hinder it from leaving.
    over: bool,
}

/// What surrounds a unit that sets out; many ways may be tried in it.
#[derive(Clone)]
pub struct Scene<'t> {
    t: &'t Table,
    id: &'t UnitId,
    size: Size,
    form: Formation,
    stand: Stand,
    near: Vec<Near<'t>>,
    /// Streams at whose bank it begins, which it may ford.
    banks: Vec<String>,
    /// Ground that it may not enter (15.1).
    walls: Vec<&'t Area>,
    /// 6.10.1 Woods that slow it.
    woods: Vec<&'t Area>,
    /// 6.10.2 Whether streams stop it.
    wet: bool,
    /// 5.2 Whether it begins on clear ground.
    clear: bool,
    side: SideId,
    /// The country round it, what lies there that is not open, and stretches of streams there.
    room: Shape,
    soils: Vec<&'t Area>,
    water: Vec<Reach<'t>>,
}

impl<'t> Scene<'t> {
    /// What surrounds a unit; `touch` names enemies whom it goes to attack, `lifted` units that will have left.
    pub fn of(t: &'t Table, id: &'t UnitId, touch: &[UnitId], lifted: &[UnitId]) -> Rc<Scene<'t>> {
        let unit = t.unit(id);
        let stand = unit.map_or(Stand { at: t.centre(id), heading: Heading::NORTH }, |u| u.pose.stand());
        let here = t.shape(id);
        let banks = t.board.ground.ways(crate::rules::austerlitz1805::board::Way::Stream);
        let banks: Vec<String> =
            banks.filter(|c| terrain::at_bank(t, &here, c)).map(|c: &Course| c.name.clone()).collect();
        let reach = i64::from(super::allowance(t, id).max(UM) + 4 * UM);
        let spot = stand.at.spot();
        let around = |u: &Unit| {
            let (x, y) = (i64::from(u.pose.at.x - spot.x), i64::from(u.pose.at.y - spot.y));
            x.abs() <= reach && y.abs() <= reach
        };
        let host = unit.and_then(|u| u.with.as_ref());
        let others = t.standing().filter(|(o, u)| *o != id && around(u) && !lifted.contains(o));
        let near = others.map(|(o, u)| {
            let shape = t.ground(u);
            let own = unit.is_some_and(|me| me.side == u.side);
            let sought = touch.contains(o);
            let close = shape.near(&here, t.board.tables.contact);
            let solid = Some(o) != host && (!passes(t, id, o, own) || sought);
            Near { id: o, solid, shy: !own && !sought && !close, over: shape.overlaps(&here), shape }
        });
        let near = near.collect();
        let (size, form) = (t.size(id), unit.map_or(Formation::Staff, |u| u.form));
        let areas = &t.board.ground.areas;
        let walls = areas.iter().filter(|a| !terrain::may_enter(t, id, a.soil)).collect();
        let slow = terrain::slowed(t, id);
        let woods = areas.iter().filter(|a| slow && a.soil == Soil::Woods).collect();
        let (wet, side) = (terrain::stopped_by_stream(t, id), t.side(id));
        let clear = terrain::clear(t, &here);
        let north = Stand { at: stand.at, heading: Heading::NORTH };
        let room = Shape::block(north, Size { front: LONG, depth: LONG });
        let soils = areas.iter().filter(|a| !a.shape.aside(&room, 0)).collect();
        let close = |(_, stretch): &Reach<'t>| !room.clear_of(*stretch, t.board.tables.contact);
        let water = terrain::reaches(t, None).into_iter().filter(close).collect();
        Rc::new(Scene { t, id, size, form, stand, near, banks, walls, woods, wet, clear, side, room, soils, water })
    }

    /// The same, and one's own unit beside whom it is to come at the same enemy.
    pub fn beside(&self, (id, ground): (&'t UnitId, &Shape)) -> Rc<Scene<'t>> {
        let over = ground.overlaps(&Shape::block(self.stand, self.size));
        let solid = !passes(self.t, self.id, id, true);
        let mut scene = self.clone();
        scene.near.push(Near { id, shape: ground.clone(), solid, shy: false, over });
        Rc::new(scene)
    }

    /// The table on which it is.
    pub fn table(&self) -> &'t Table {
        self.t
    }

    /// The unit.
    pub fn unit(&self) -> &'t UnitId {
        self.id
    }

    /// How it stands.
    pub fn stand(&self) -> Stand {
        self.stand
    }

    /// The ground that it takes.
    pub fn size(&self) -> Size {
        self.size
    }
}

/// 6.8, 6.11 Whether a unit passes another at will: friendly guns; cavalry enemy guns and squares.
fn passes(t: &Table, id: &UnitId, other: &UnitId, own: bool) -> bool {
    let guns = t.arm(other) == Arm::Artillery;
    let square = t.unit(other).is_some_and(|u| u.form == Formation::Square);
    if own { guns } else { t.arm(id) == Arm::Cavalry && (guns || square) }
}

/// A unit under way.
#[derive(Clone)]
pub struct Walk<'t> {
    scene: Rc<Scene<'t>>,
    stand: Stand,
    cost: i32,
    legs: Vec<(i32, i32)>,
    via: Vec<Fine>,
    stretches: Vec<Stretch>,
    /// 6.4 The front before its last turn: what lies behind that bars it no more.
    line: Option<Line>,
    /// Why it went no farther.
    pub halt: Option<Halt>,
}

impl<'t> Walk<'t> {
    /// A unit that sets out; `may_touch` names enemies whom it goes to attack.
    pub fn begin(t: &'t Table, id: &'t UnitId, may_touch: &[UnitId]) -> Walk<'t> {
        Walk::out(&Scene::of(t, id, may_touch, &[]))
    }

    /// One of many ways out of the same place.
    pub fn out(scene: &Rc<Scene<'t>>) -> Walk<'t> {
        let stand = scene.stand;
        Walk {
            scene: Rc::clone(scene),
            stand,
            cost: 0,
            legs: Vec::new(),
            via: vec![stand.at],
            stretches: Vec::new(),
            line: None,
            halt: None,
        }
    }

    /// The middle of the front.
    pub fn front(&self) -> Fine {
        self.stand.at.toward(self.stand.heading, self.scene.size.depth / 2)
    }

    /// 13.1 Whether an enemy stands right before its front, and by more than a corner's breadth; one along its flank is not
    /// attacked.
    pub fn fronts(&self, target: &Shape, contact: i32) -> bool {
        let ahead = Stand { at: self.front().toward(self.stand.heading, contact), heading: self.stand.heading };
        let front = self.scene.size.front - contact;
        Shape::block(ahead, Size { front, depth: 2 * contact }).overlaps(target)
    }

    /// Where it is.
    pub fn stand(&self) -> Stand {
        self.stand
    }

    /// The front.
    pub fn facing(&self) -> Heading {
        self.stand.heading
    }

    /// Where it stands now.
    pub fn shape(&self) -> Shape {
        Shape::block(self.stand, self.scene.size)
    }

    /// 2.4.7, 5.1 An HQ has no front: it looks whichever way it rides.
    pub fn look(&mut self, way: Heading) {
        self.stand.heading = way;
        self.line = None;
    }

    /// Markers laid so far.
    pub fn legs(&self) -> &[(i32, i32)] {
        &self.legs
    }

    /// Units gone so far.
    pub fn far(&self) -> i32 {
        self.legs.iter().map(|(_, units)| units).sum()
    }

    /// Allowance used so far.
    pub fn cost(&self) -> i32 {
        self.cost
    }

    /// 6.2, A-50 Whether enough is left for a marker that turns: it counts half a UM, however little of it the unit goes.
    pub fn may_turn(&self, budget: i32) -> bool {
        budget - self.cost >= HALF
    }

    /// 6.4, A-50 One marker: it starts at the middle of the front, turned; the unit follows it and faces along it. The turn
    /// needs room before the old front only: a marker lies wholly there, and the unit goes from place to place.
    pub fn leg(&mut self, turn: i32, units: i32, budget: i32) {
        let facing = self.stand.heading.turned(turn);
        let behind = self.front().toward(facing, -(self.scene.size.depth / 2));
        let wheeled = Stand { at: behind, heading: facing };
        let new = Shape::block(wheeled, self.scene.size);
        let (before, old_line, cost, laid) = (self.stand, self.line, self.cost, self.via.len());
        if turn != 0 {
            let line = Line { at: self.front(), ahead: self.stand.heading };
            self.line = Some(line);
            let bars = |o: &&Near| o.solid && !o.over && o.shape.overlaps_beyond(&new, line);
            if let Some(other) = self.scene.near.iter().find(bars) {
                self.halt = Some(Halt::NoTurn(other.id.clone()));
                self.line = old_line;
                return;
            }
        }
        self.stand = wheeled;
        let gone = self.straight(facing, units, budget);
        if gone == 0 {
            (self.stand, self.line, self.cost) = (before, old_line, cost);
            self.stretches.pop();
            self.via.truncate(laid);
            return;
        }
        if turn != 0 {
            self.cost = self.cost.max(cost + HALF);
        }
        if let Some(last) = self.stretches.last_mut() {
            last.before = before;
        }
        self.legs.push((turn, gone));
    }

    /// Straight along a way, keeping the front; how far it got.
    pub fn straight(&mut self, way: Heading, units: i32, budget: i32) -> i32 {
        let scene = Rc::clone(&self.scene);
        let here = self.shape();
        // Who lies off its lane, and farther than touch and rounding reach, is asked no more.
        let lane = here.drawn(self.stand.at, moved(self.stand, way, units).at);
        let margin = scene.t.board.tables.contact + 2;
        let close: Vec<&Near<'_>> = scene.near.iter().filter(|o| !o.shape.aside(&lane, margin)).collect();
        // What it turns away from it has left behind; else what it covers where it begins does not hinder it.
        let bars = |o: &&Near| o.solid && if self.line.is_some() { !o.over } else { !o.shape.overlaps(&here) };
        let solid: Vec<&Near<'_>> = close.iter().copied().filter(bars).collect();
        let shapes: Vec<&Shape> = solid.iter().map(|o| &o.shape).collect();
        let reach = match self.line {
            Some(line) => reach_beyond(self.stand, scene.size, way, units, &shapes, line),
            None => reach(self.stand, scene.size, way, units, &shapes),
        };
        if let Some(other) = reach.stopped.and_then(|at| solid.get(at)) {
            self.halt = Some(Halt::Unit(other.id.clone()));
        }
        let (mut far, cost) = self.ground(way, reach.units, budget);
        let full = far;
        if let Some((to, halt)) = self.fogged(way, far) {
            far = to;
            self.halt = Some(halt);
        }
        // 6.8, 6.11: whom it passes it may stand on between two markers; the end is looked at once, in `end`.
        let stops = |far: i32| {
            let stand = moved(self.stand, way, far);
            self.stopped_at(stand, &solid, &close).or_else(|| self.broken(stand))
        };
        let free = (1..=far).rev().find(|far| stops(*far).is_none()).unwrap_or(0);
        let stopped = if free < full && self.halt.is_none() { stops(free + 1) } else { None };
        self.halt = self.halt.take().or(stopped);
        far = free;
        self.cost += if full > 0 { cost - (full - far).min(cost) } else { 0 };
        self.stretches.push(Stretch { before: self.stand, from: self.stand, way, far });
        self.stand = Pose::of(moved(self.stand, way, far)).stand();
        if far > 0 {
            self.via.push(self.stand.at);
        }
        far
    }

    /// 7.1, 13.1 What it may not come upon on its way, its place rounded to whole units: who bars it, or an enemy at touch
    /// whom it does not attack.
    fn stopped_at(&self, stand: Stand, solid: &[&Near<'_>], close: &[&Near<'_>]) -> Option<Halt> {
        if close.is_empty() {
            return None;
        }
        let block = Shape::block(Pose::of(stand).stand(), self.scene.size);
        let upon = |o: &Near<'_>| match self.line {
            Some(line) => o.shape.overlaps_beyond(&block, line),
            None => o.shape.overlaps(&block),
        };
        if let Some(other) = solid.iter().find(|o| upon(o)) {
            return Some(Halt::Unit(other.id.clone()));
        }
        self.shied(&block, close.iter().copied().filter(|o| o.solid))
    }

    /// 5.2 Ground on which a square that sets out on clear ground is none any more, its place rounded to whole units.
    fn broken(&self, stand: Stand) -> Option<Halt> {
        if !self.square() {
            return None;
        }
        let block = Shape::block(Pose::of(stand).stand(), self.scene.size);
        terrain::unclear(self.scene.t, &block).map(Halt::Broken)
    }

    /// 13.1 An enemy at touch whom it does not attack; whom it passes it minds at its end only.
    fn shied<'a>(&self, block: &Shape, minds: impl Iterator<Item = &'a Near<'t>>) -> Option<Halt>
    where
        't: 'a,
    {
        let contact = self.scene.t.board.tables.contact;
        minds.filter(|o| o.shy).find(|o| o.shape.near(block, contact)).map(|o| Halt::Enemy(o.id.clone()))
    }

    /// 6.10 How far the ground lets it go, and what that costs.
    fn ground(&mut self, way: Heading, units: i32, budget: i32) -> (i32, i32) {
        let (left, end) = (budget - self.cost, moved(self.stand, way, units));
        let began = self.shape();
        let whole = began.drawn(self.stand.at, end.at);
        let inside = self.inside(end.at);
        let in_way = self.in_way(way, end, (&began, &whole));
        // Most ways lie in the open, and nothing has to be looked at step by step.
        if units <= left && inside && self.inside(self.stand.at) && in_way.nothing() && !self.square() {
            return (units, units);
        }
        if inside && !self.near_water(&whole) && !self.near_soil(&whole) {
            return (units.min(left), units.min(left));
        }
        let walls: Vec<&Shape> = in_way.walls.iter().map(|a| &a.shape).collect();
        let before_walls = reach(self.stand, self.scene.size, way, units, &walls).units;
        let factor = self.scene.t.board.tables.terrain.woods_factor;
        let (mut far, mut cost) = (0, 0);
        while far < units {
            let step = STEP.min(units - far);
            let (here, next) = (moved(self.stand, way, far), moved(self.stand, way, far + step));
            let ahead = next.at.toward(self.stand.heading, self.scene.size.depth / 2);
            let wooded = in_way.woods.iter().any(|a| a.shape.holds(ahead));
            let price = if wooded && !terrain::on_road(self.scene.t, ahead) { step * factor } else { step };
            let walls: &[&Area] = if far + step <= before_walls { &[] } else { &in_way.walls };
            let stop = self.stop((here, next, way), (&in_way.streams, walls));
            if stop.is_some() || cost + price > left {
                self.halt = stop.or(wooded.then_some(Halt::Allowance)).or(self.halt.take());
                break;
            }
            far += step;
            cost += price;
        }
        (far, cost)
    }

    /// What of the ground lies on a straight way: streams that its line crosses, ground that bars it, woods that slow it.
    fn in_way(&self, way: Heading, end: Stand, (began, whole): (&Shape, &Shape)) -> InWay<'t> {
        let scene = &self.scene;
        let lead = self.lead(way);
        let line = (self.stand.at.toward(way, lead), end.at.toward(way, lead));
        let crosses = |(_, stretch): &Reach<'t>| terrain::meets(line, *stretch);
        let streams = match (scene.wet, whole.bounded_by(&scene.room)) {
            (false, _) => Vec::new(),
            (true, true) => scene.water.iter().copied().filter(crosses).collect(),
            (true, false) => terrain::reaches(scene.t, Some(whole)).into_iter().filter(crosses).collect(),
        };
        let bars = |a: &&Area| a.shape.overlaps(whole) && !a.shape.overlaps(began);
        let walls = scene.walls.iter().copied().filter(bars).collect();
        let woods = scene.woods.iter().copied().filter(|a| a.shape.meets(whole)).collect();
        InWay { streams, walls, woods }
    }

    /// How far ahead of its middle a stream stops it: its front does, and sideways and back its middle.
    fn lead(&self, way: Heading) -> i32 {
        if way == self.stand.heading { self.scene.size.depth / 2 } else { 0 }
    }

    /// 5.2 Whether it is a square that set out on clear ground.
    fn square(&self) -> bool {
        self.scene.form == Formation::Square && self.scene.clear
    }

    /// 16.4.2.7, 16.4.1.6 Where the fog stops it: as soon as an enemy chit is in reach, or before the striped zone.
    fn fogged(&self, way: Heading, far: i32) -> Option<(i32, Halt)> {
        let (t, side) = (self.scene.t, &self.scene.side);
        let block = |units: i32| Shape::block(Pose::of(moved(self.stand, way, units)).stand(), self.scene.size);
        let mut found: Option<(i32, Halt)> = None;
        let chits: Vec<_> = t.mist.chits.iter().filter(|(_, c)| t.sight.is_some() && c.side != *side).collect();
        let whole = if chits.is_empty() { block(0) } else { block(0).swept(&block(far)) };
        for (id, chit) in chits {
            let (Some(range), shape) = (t.sight, t.chit_shape(chit.at)) else { continue };
            if !shape.near(&whole, range) {
                continue;
            }
            let near = (0..=far).step_by(5).chain([far]).find(|units| shape.near(&block(*units), range));
            if let Some(units) = near.filter(|units| found.as_ref().is_none_or(|(best, _)| units < best)) {
                found = Some((units, Halt::Chit(id.clone(), range)));
            }
        }
        let barred = |units: &i32| t.board.closed(t.mist.assault, side, moved(self.stand, way, *units).at.spot());
        let ends = (self.stand.at.spot(), moved(self.stand, way, far).at.spot());
        if t.board.closes(t.mist.assault, side, ends)
            && !barred(&0)
            && let Some(units) = (0..=far).step_by(5).chain([far]).find(barred)
            && found.as_ref().is_none_or(|(best, _)| units < *best)
        {
            found = Some(((units - 5).max(0), Halt::Closed));
        }
        found
    }

    fn near_soil(&self, whole: &Shape) -> bool {
        if whole.bounded_by(&self.scene.room) {
            return self.scene.soils.iter().any(|a| a.shape.meets(whole));
        }
        self.scene.t.board.ground.areas.iter().any(|a| a.shape.meets(whole))
    }

    fn near_water(&self, whole: &Shape) -> bool {
        if whole.bounded_by(&self.scene.room) {
            let near = self.scene.t.board.tables.contact;
            return self.scene.water.iter().any(|(_, stretch)| terrain::at_stretch(whole, *stretch, near));
        }
        let streams = self.scene.t.board.ground.ways(crate::rules::austerlitz1805::board::Way::Stream);
        streams.into_iter().any(|c| terrain::at_bank(self.scene.t, whole, c))
    }

    fn inside(&self, at: Fine) -> bool {
        let (ground, spot) = (&self.scene.t.board.ground, at.spot());
        spot.x >= 0 && spot.y >= 0 && spot.x <= ground.width && spot.y <= ground.height
    }

    /// What stops it between two steps.
    fn stop(
        &self,
        (here, next, way): (Stand, Stand, Heading),
        (streams, walls): (&[Reach<'t>], &[&Area]),
    ) -> Option<Halt> {
        if !self.inside(next.at) {
            return Some(Halt::Edge);
        }
        let lead = self.lead(way);
        let (from, to) = (here.at.toward(way, lead), next.at.toward(way, lead));
        if self.scene.wet
            && let Some(stream) = terrain::ford_of(self.scene.t, (from, to), streams)
            && !self.scene.banks.contains(&stream.name)
        {
            return Some(Halt::Stream(stream.name.clone()));
        }
        if let Some(broken) = self.broken(next) {
            return Some(broken);
        }
        if walls.is_empty() {
            return None;
        }
        let block = Shape::block(next, self.scene.size);
        let barred = |a: &&&Area| a.shape.overlaps(&block);
        // 15.1: guns keep to the road in woods and settlements; where they are on one, nothing bars them.
        let area = walls.iter().find(barred);
        let road = self.scene.form == Formation::Limbered && terrain::on_road(self.scene.t, to);
        area.filter(|a| !road || a.soil == Soil::Pond).map(|a| Halt::Ground(a.name.clone()))
    }

    /// 7.1, 13.1 What bars a place to it at its end: another unit under it, or an enemy at touch whom it does not attack.
    fn touching(&self, stand: Stand) -> Option<Halt> {
        self.touching_of(stand, self.scene.near.iter())
    }

    /// The same, where nobody but some others can be met.
    fn touching_of<'a>(&self, stand: Stand, others: impl Iterator<Item = &'a Near<'t>> + Clone) -> Option<Halt>
    where
        't: 'a,
    {
        let block = Shape::block(Pose::of(stand).stand(), self.scene.size);
        let under = others.clone().find(|o| o.shape.overlaps(&block));
        let barred = under.map(|o| Halt::Unit(o.id.clone())).or_else(|| self.shied(&block, others));
        barred.or_else(|| self.broken(stand))
    }

    /// 7.1 Whether it may stay where it has come to.
    pub fn free(&self) -> bool {
        self.touching(self.stand).is_none()
    }

    /// 7.1 Unit by unit back along a stretch, to where nothing bars the place to it or to the beginning of the stretch.
    fn back(&mut self, Stretch { before, from, way, mut far }: Stretch) {
        let scene = Rc::clone(&self.scene);
        // Who lies off the stretch, and farther than touch and rounding reach, bars no place on it.
        let lane = Shape::block(from, scene.size).drawn(from.at, moved(from, way, far).at);
        let margin = scene.t.board.tables.contact + 2;
        let close: Vec<&Near<'_>> = scene.near.iter().filter(|o| !o.shape.aside(&lane, margin)).collect();
        // What a turn counts at least stays spent.
        let least = if before.heading == way { 0 } else { HALF };
        loop {
            self.stand = Pose::of(moved(from, way, far - 1)).stand();
            self.cost = (self.cost - i32::from(far > least)).max(0);
            far -= 1;
            match self.touching_of(self.stand, close.iter().copied()) {
                Some(halt) if far > 0 => self.halt = Some(halt),
                _ => break,
            }
        }
        self.stretches.push(Stretch { before, from, way, far });
    }

    /// 7.1 Where it stands at the end: never on another unit, so it comes back along its way until it is clear.
    pub fn end(mut self) -> Trace {
        let begun = !self.stretches.is_empty();
        while let Some(halt) = self.touching(self.stand) {
            let Some(stretch) = self.stretches.pop() else { break };
            self.halt = Some(halt);
            if stretch.far > 0 {
                self.back(stretch);
            } else {
                self.stand = stretch.before;
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
        let (pose, form) = (Pose::of(self.stand), self.scene.form);
        Trace { pose, form, cost: self.cost, legs: self.legs, via: self.via, halt: self.halt }
    }
}

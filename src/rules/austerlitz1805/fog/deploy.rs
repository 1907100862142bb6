//! 16.4.2.8 Units out of chits, and off the strategic map, come down as formations that can move: with gaps between them,
//! and each formation whole.

use super::super::board::{Arm, UnitId, Way};
use super::super::table::{Formation, Pose, Table};
use super::super::terrain::ford;
use crate::fog::SideId;
use crate::plane::shape::Shape;
use crate::plane::sight::crosses;
use crate::plane::{FINE, Fine, Heading, Size, Spot, UM};
use crate::rules::austerlitz1805::board::Soil;

/// 16.4.2.8 The gap between units of a formation, and round it: columns so far apart turn by 48 degrees side by side.
const GAP: i32 = UM / 4;
/// The gap where there is no room for that.
const NARROW: i32 = UM / 10;
/// The gap between two lines abreast; 16.4.2.8 allows no more.
const WIDE: i32 = UM / 2;
/// Formations of both sides that come down together come no nearer to each other than this.
const APART: i32 = UM / 2;
/// Places are tried in rings so far apart, up to so many: as far as the map goes.
const RING: i32 = 125;
const RINGS: i32 = 240;
/// 16.4.2.8 What comes out of a chit keeps together: a formation that has no room within so many rings comes down unit by
/// unit.
const CLOSE: usize = 16;
/// Unit by unit, one after the other, so many rings are tried on its own bank.
const FARTHER: usize = 40;
/// Places of a ring.
const WAYS: i32 = 16;
/// So many abreast in a formation out of a whole corps.
const ABREAST: usize = 3;
/// So often formations of both sides that came too near each other go back by one ring more.
const STEPS: usize = 48;

/// A unit in its formation: how far its centre lies from that of the formation's first unit.
#[derive(Clone, Debug)]
pub struct Member {
    /// Who.
    pub unit: UnitId,
    /// Its formation.
    pub form: Formation,
    /// Its front.
    pub facing: Heading,
    right: i32,
    back: i32,
}

/// Where a formation may come down.
#[derive(Clone, Debug)]
pub enum Bounds {
    /// Anywhere on the map.
    Map,
    /// 16.4.1 In the area of its corps, or another of its side's, so far from every enemy.
    Area(String, i32),
}

/// What comes down together.
#[derive(Clone, Debug)]
pub struct Party {
    /// Whose.
    pub side: SideId,
    /// The place of its first unit, if there is room.
    pub at: Spot,
    /// The way it looks.
    pub facing: Heading,
    /// Its units but the HQs.
    pub members: Vec<Member>,
    /// Where it may stand.
    pub bounds: Bounds,
    /// The room that it leaves to its own side's others.
    pub margin: i32,
}

/// The berths of a formation that are taken, from its first unit on.
#[derive(Default)]
struct Taken {
    first: Option<(Size, Formation)>,
    left: Option<(i32, Formation)>,
    right: Option<(i32, Formation)>,
    rear: i32,
}

impl Party {
    /// An empty formation.
    pub fn new(side: &SideId, at: Spot, facing: Heading, bounds: Bounds) -> Party {
        Party { side: side.clone(), at, facing, members: Vec::new(), bounds, margin: GAP }
    }

    /// 16.4.2.8 The units of a chit, each in the berth that its owner has chosen.
    pub fn berths(&mut self, t: &Table, units: Vec<(UnitId, Formation, Heading, &'static str)>) {
        let mut taken = Taken::default();
        for (unit, form, facing, berth) in units {
            let (right, back) = taken.berth(t.board.tables.size(form), form, berth);
            self.members.push(Member { unit, form, facing, right, back });
        }
    }

    /// 16.4.2.8 Units of a corps: the troops in rows, the guns behind them.
    pub fn rows(&mut self, t: &Table, troops: &[(UnitId, Formation)], guns: &[(UnitId, Formation)]) {
        let mut back = 0;
        for row in troops.chunks(ABREAST).chain(guns.chunks(ABREAST)) {
            let size = |f: &Formation| t.board.tables.size(*f);
            let deep = row.iter().map(|(_, f)| size(f).depth).max().unwrap_or(0);
            let wide: i32 = row.iter().map(|(_, f)| size(f).front + GAP).sum::<i32>() - GAP;
            let (mut left, middle) = (-wide / 2, if back == 0 { 0 } else { back + deep / 2 });
            for (unit, form) in row {
                let front = size(form).front;
                let (right, facing) = (left + front / 2, self.facing);
                self.members.push(Member { unit: unit.clone(), form: *form, facing, right, back: middle });
                left += front + GAP;
            }
            back = middle + deep / 2 + GAP;
        }
    }

    /// Every unit for itself.
    fn singly(&self) -> Vec<Party> {
        let one = |m: &Member| Party { members: vec![Member { right: 0, back: 0, ..m.clone() }], ..self.clone() };
        self.members.iter().map(one).collect()
    }

    /// The poses of its units, if its first one stood at a place.
    fn poses(&self, at: Spot) -> Vec<Pose> {
        let side = self.facing.turned(90);
        let pose = |m: &Member| {
            let centre = at.fine().toward(side, m.right).toward(self.facing, -m.back);
            Pose { at: centre.spot(), facing: m.facing }
        };
        self.members.iter().map(pose).collect()
    }
}

impl Taken {
    fn berth(&mut self, size: Size, form: Formation, berth: &str) -> (i32, i32) {
        let gap = |other: Formation| if form == Formation::Line && other == Formation::Line { WIDE } else { GAP };
        let Some((first, its)) = self.first else {
            (self.first, self.rear) = (Some((size, form)), size.depth / 2);
            return (0, 0);
        };
        let beside = |taken: Option<(i32, Formation)>| {
            let (edge, other) = taken.unwrap_or((first.front / 2, its));
            edge + gap(other)
        };
        match berth {
            "LEFT" => {
                let edge = beside(self.left);
                self.left = Some((edge + size.front, form));
                (-(edge + size.front / 2), 0)
            }
            "REAR" => {
                let edge = self.rear + GAP;
                self.rear = edge + size.depth;
                (0, edge + size.depth / 2)
            }
            // Whoever is to have the middle too stands beside the first.
            _ => {
                let edge = beside(self.right);
                self.right = Some((edge + size.front, form));
                (edge + size.front / 2, 0)
            }
        }
    }
}

/// Whose ground a block is.
struct Block {
    own: SideId,
    shape: Shape,
}

/// 16.4.2.8 Where formations come down that do so at the same time: each at the nearest place that has room for all of it,
/// whatever the enemy's do; where two of opposite sides come too near each other both go straight back by the same
/// amount. Which of the sides is asked first says nothing. In the order given: poses by unit.
pub fn settle(t: &Table, parties: &[Party]) -> Vec<(Member, Pose)> {
    let mut back = vec![0; parties.len()];
    for _ in 0..STEPS {
        let placed = all(t, parties, &back, false);
        let near = crowded(t, parties, &placed);
        if near.is_empty() {
            return placed.into_iter().flatten().collect();
        }
        for (at, step) in back.iter_mut().enumerate() {
            *step += if near.contains(&at) { RING } else { 0 };
        }
    }
    all(t, parties, &vec![0; parties.len()], true).into_iter().flatten().collect()
}

/// All formations one after the other; each minds its own side's before it, and the enemy's where that is wanted.
fn all(t: &Table, parties: &[Party], back: &[i32], both: bool) -> Vec<Vec<(Member, Pose)>> {
    let mut blocks: Vec<Block> =
        t.standing().map(|(id, u)| Block { own: u.side.clone(), shape: t.shape(id) }).collect();
    let standing = blocks.len();
    let mut found = Vec::new();
    for (party, back) in parties.iter().zip(back) {
        let others = blocks.iter().enumerate().filter(|(n, b)| both || *n < standing || b.own == party.side);
        let others: Vec<&Block> = others.map(|(_, b)| b).collect();
        let placed = come_down(t, party, *back, &others);
        let ground = placed.iter().map(|(m, pose)| Block {
            own: party.side.clone(),
            shape: Shape::block(pose.stand(), t.board.tables.size(m.form)),
        });
        let ground: Vec<Block> = ground.collect();
        blocks.extend(ground);
        found.push(placed);
    }
    found
}

/// Formations that came too near one of the other side's.
fn crowded(t: &Table, parties: &[Party], placed: &[Vec<(Member, Pose)>]) -> Vec<usize> {
    let shapes: Vec<Vec<Shape>> = placed
        .iter()
        .map(|p| p.iter().map(|(m, pose)| Shape::block(pose.stand(), t.board.tables.size(m.form))).collect())
        .collect();
    let near = |a: &[Shape], b: &[Shape]| a.iter().any(|x| b.iter().any(|y| x.gap(y).within(APART - 1)));
    let sides: Vec<(&SideId, &Vec<Shape>)> = parties.iter().map(|p| &p.side).zip(&shapes).collect();
    let meets = |(side, own): &(&SideId, &Vec<Shape>)| sides.iter().any(|(s, other)| s != side && near(own, other));
    sides.iter().enumerate().filter(|(_, one)| meets(one)).map(|(at, _)| at).collect()
}

/// 16.4.2.8 The nearest place for one formation, straight back first; if there is none, or none near its chit on its own
/// bank, it comes down unit by unit near it; where that is not to be had either, as near as it can.
fn come_down(t: &Table, party: &Party, back: i32, others: &[&Block]) -> Vec<(Member, Pose)> {
    let members = party.members.iter().cloned();
    if let Bounds::Map = &party.bounds {
        if let Some(poses) = close_by(t, party, back, others) {
            return members.zip(poses).collect();
        }
        // Closer together before farther off, and farther off rather than over a stream or past the enemy.
        let with = |margin: i32| Party { margin: margin.min(party.margin), ..party.clone() };
        let (narrow, none) = (with(NARROW), with(0));
        for (party, rings) in [(party, CLOSE), (&narrow, CLOSE), (&none, CLOSE), (&narrow, FARTHER)] {
            let apart = one_by_one(t, party, others, |one, around| by_chit(t, one, (back, rings), around));
            if apart.len() == party.members.len() {
                return apart;
            }
        }
    }
    if let Some(poses) = nearest_room(t, party, back, others) {
        return members.zip(poses).collect();
    }
    one_by_one(t, party, others, |one, around| {
        let any = Party { bounds: Bounds::Map, margin: 0, ..one.clone() };
        nearest_room(t, one, back, around).or_else(|| nearest_room(t, &any, 0, around))
    })
}

/// The units of a formation each for itself, one after the other; whoever finds no place is left out.
fn one_by_one(
    t: &Table,
    party: &Party,
    others: &[&Block],
    room: impl Fn(&Party, &[&Block]) -> Option<Vec<Pose>>,
) -> Vec<(Member, Pose)> {
    let mut ground: Vec<Block> = Vec::new();
    let mut found = Vec::new();
    for one in party.singly() {
        let around: Vec<&Block> = others.iter().copied().chain(&ground).collect();
        let poses = room(&one, &around);
        let Some((member, pose)) = one.members.into_iter().zip(poses.unwrap_or_default()).next() else { continue };
        let shape = Shape::block(pose.stand(), t.board.tables.size(member.form));
        ground.push(Block { own: party.side.clone(), shape });
        found.push((member, pose));
    }
    found
}

/// 16.4.2.8 Room near the chit.
fn close_by(t: &Table, party: &Party, back: i32, others: &[&Block]) -> Option<Vec<Pose>> {
    by_chit(t, party, (back, CLOSE), others)
}

/// 16.4.2.8 Room within so many rings of the chit, with no stream and no enemy between it and any unit of it.
fn by_chit(t: &Table, party: &Party, (back, most): (i32, usize), others: &[&Block]) -> Option<Vec<Pose>> {
    let middle = party.at.fine().toward(party.facing, -back).spot();
    let from = party.at.fine();
    let passed = |to: Fine| others.iter().any(|b| b.own != party.side && crosses(from, to, &b.shape));
    let open = |pose: &Pose| ford(t, from, pose.at.fine()).is_none() && !passed(pose.at.fine());
    let near = rings(middle, party.facing).take(1 + most * WAYS.unsigned_abs() as usize);
    let mut rooms = near.filter(|at| party.poses(*at).iter().all(open) && fits(t, party, *at, others));
    rooms.next().map(|at| party.poses(at))
}

fn nearest_room(t: &Table, party: &Party, back: i32, others: &[&Block]) -> Option<Vec<Pose>> {
    let middle = party.at.fine().toward(party.facing, -back).spot();
    let free = |at: &Spot| fits(t, party, *at, others);
    let found = match &party.bounds {
        Bounds::Map => rings(middle, party.facing).find(free),
        Bounds::Area(zone, _) => {
            let zone = t.board.zone(zone);
            let in_zone = |at: &Spot| zone.is_some_and(|z| super::super::strategic::holds(z.rect, *at));
            let own = |at: &Spot| t.board.zones_at(*at).any(|z| z.side == party.side);
            let first = rings(middle, party.facing).filter(in_zone).find(free);
            let then = first.or_else(|| rings(middle, party.facing).filter(own).find(free));
            then.or_else(|| rings(middle, party.facing).find(free))
        }
    };
    found.map(|at| party.poses(at))
}

/// Places round one, ring by ring, straight back first.
fn rings(middle: Spot, facing: Heading) -> impl Iterator<Item = Spot> {
    let ring = move |n: i32| {
        let way = move |k: i32| facing.turned(180 + k * 360 / WAYS);
        (0..if n == 0 { 1 } else { WAYS }).map(move |k| middle.fine().toward(way(k), n * RING).spot())
    };
    (0..=RINGS).flat_map(ring)
}

/// Whether a whole formation has room at a place.
fn fits(t: &Table, party: &Party, at: Spot, others: &[&Block]) -> bool {
    let poses = party.poses(at);
    let contact = t.board.tables.contact;
    let enemy = match party.bounds {
        Bounds::Map => contact,
        Bounds::Area(_, apart) => apart - 1,
    };
    let closed =
        |pose: &Pose| matches!(party.bounds, Bounds::Area(..)) && t.board.closed(t.mist.assault, &party.side, pose.at);
    party.members.iter().zip(&poses).all(|(m, pose)| {
        let size = t.board.tables.size(m.form);
        let shape = Shape::block(pose.stand(), size);
        // No block is longer than a line, so that beyond this nothing of it comes near.
        let reach = |least: i32| i64::from(size.front.max(size.depth) + 2 * UM + least) * FINE;
        let far = |b: &Block, least: i32| {
            let (centre, reach) = (pose.at.fine(), reach(least));
            b.shape.corners().iter().all(|c| (c.x - centre.x).abs() > reach || (c.y - centre.y).abs() > reach)
        };
        let crowds = |b: &&Block| {
            let least = if b.own == party.side { party.margin } else { enemy };
            if far(b, least) {
                return false;
            }
            // A margin of nothing forbids common ground, none else: a touch is no overlap.
            if least == 0 {
                b.shape.overlaps(&shape)
            } else {
                b.shape.gap(&shape).within(least - i32::from(b.own == party.side))
            }
        };
        !closed(pose) && ground(t, &m.unit, m.form, &shape, party.at) && !others.iter().any(crowds)
    })
}

/// 15.1 Whether a block lies on the map, on ground where the unit may stand and from where it may go on: on no stream, and
/// in a settlement only at its own place.
fn ground(t: &Table, unit: &UnitId, form: Formation, shape: &Shape, home: Spot) -> bool {
    let streams = t.board.ground.ways(Way::Stream);
    let wet = streams.into_iter().any(|c| c.stretches().any(|(a, b)| crosses(a.fine(), b.fine(), shape)));
    let walls = |a: &super::super::board::Area| matches!(a.soil, Soil::Settlement) && !a.shape.holds(home.fine());
    !wet && stands(t, unit, form, shape) && !t.board.ground.areas.iter().any(|a| walls(a) && a.shape.overlaps(shape))
}

/// 15.1 Whether a unit may stand on the ground under a block.
fn stands(t: &Table, unit: &UnitId, form: Formation, shape: &Shape) -> bool {
    let ground = &t.board.ground;
    let inside = |p: &Fine| {
        let at = p.spot();
        at.x >= 0 && at.y >= 0 && at.x <= ground.width && at.y <= ground.height
    };
    let barred = |soil: Soil| match (soil, t.arm(unit)) {
        (Soil::Pond, _) | (Soil::Settlement | Soil::Fortification, Arm::Cavalry) => true,
        (Soil::Woods | Soil::Settlement, Arm::Artillery) => form != Formation::Limbered,
        _ => false,
    };
    shape.corners().iter().all(inside)
        && !ground.areas.iter().filter(|a| barred(a.soil)).any(|a| a.shape.overlaps(shape))
}

/// The pose nearest to a wanted one where a unit has room.
pub fn nearest(t: &Table, unit: &UnitId, form: Formation, wanted: Pose) -> Pose {
    let found = rings(wanted.at, wanted.facing).map(|at| Pose { at, facing: wanted.facing });
    let mut found = found.filter(|pose| room(t, unit, form, *pose));
    found.next().unwrap_or(wanted)
}

/// 7.1, 15.1, 13.1 Whether a unit has room in a pose: nobody under it, no enemy at touch, ground on which it may stand.
fn room(t: &Table, unit: &UnitId, form: Formation, pose: Pose) -> bool {
    let shape = Shape::block(pose.stand(), t.board.tables.size(form));
    let side = t.side(unit);
    let contact = t.board.tables.contact;
    let clash = t.standing().any(|(other, u)| {
        let block = t.shape(other);
        block.overlaps(&shape) || (u.side != side && block.gap(&shape).within(contact))
    });
    !clash && stands(t, unit, form, &shape)
}

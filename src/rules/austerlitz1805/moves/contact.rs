//! 13.1, 13.12.3.1, 13.13 Ways to contact: what a player would try on a table, in a fixed order; the best of it for one
//! attacker, and for two of one enemy who leave each other room.

use super::walk::Scene;
use super::{MARKER_TURN, Trace, Walk, left_by_road};
use crate::plane::shape::Shape;
use crate::plane::walk::moved;
use crate::plane::{FINE, Fine, Heading, Size, Stand, UM};
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::table::{Face, Pose, SQUARE, Table};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Turns are tried in steps of so many degrees where two markers are laid.
const STEP: i32 = 5;
/// The first of two markers is tried in lengths of so many units.
const LENGTH: i32 = UM / 8;
/// Shares of a face that differ by less are alike.
const ALIKE: i32 = 25;
/// So many ways beside another are walked at most.
const WALKED: usize = 4000;

/// Where an attack is to strike, as the attacker sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left half of the face.
    Left,
    /// Its middle.
    Centre,
    /// Its right half.
    Right,
    /// This face and no other.
    On(Face),
}

/// A way that ends in contact, and what it comes to.
#[derive(Clone, Debug)]
pub struct Contact {
    /// The way.
    pub way: Trace,
    /// The face of the target.
    pub face: Face,
    /// Which of the four sides: ahead, right, behind, left.
    quarter: u8,
    /// What it covers of that side: from, to, seen along the target's right or front, from the side's middle.
    low: i32,
    high: i32,
    /// Half of that side.
    half: i32,
    /// Degrees off square on to that side.
    askew: i32,
    number: usize,
}

impl Contact {
    fn share(&self) -> i32 {
        self.high - self.low
    }

    /// 10.4.3.4 Whether it covers half of the side.
    fn covers(&self, contact: i32) -> bool {
        self.share() >= self.half - contact
    }

    fn turns(&self) -> i32 {
        self.way.legs.iter().map(|(turn, _)| turn.abs()).sum()
    }

    /// By how much it misses where it is to strike; what lies outside counts half.
    fn misses(&self, side: Option<Side>) -> i32 {
        let part = |from: i32, to: i32| {
            let inside = (self.high.min(to) - self.low.max(from)).max(0);
            (to - from) - inside + (self.share() - inside).max(0) / 2
        };
        // The attacker's left is the right of whom it faces; the flanks and the rear are seen along right and front.
        let upper = matches!(self.quarter, 0 | 3);
        match side {
            None => 0,
            Some(Side::Centre) => (self.low + self.high).abs() / 2,
            Some(Side::On(face)) => i32::from(face != self.face) * self.half * 4,
            Some(Side::Left) if upper => part(0, self.half),
            Some(Side::Right) if !upper => part(0, self.half),
            Some(Side::Left | Side::Right) => part(-self.half, 0),
        }
    }

    fn key(&self, side: Option<Side>, contact: i32) -> (i32, bool, i32, i32, i32, i32, usize) {
        let share = -(self.share() / ALIKE);
        (self.misses(side) / 10, !self.covers(contact), self.askew, share, self.way.cost, self.turns(), self.number)
    }
}

/// Which ways are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tries {
    /// 13.12.3.1 One turn at the start, then straight.
    Charge,
    /// All that markers can do.
    Attack,
    /// 10.4.3.4 The same, for half of one side each before anything else.
    Half,
}

/// The search for contacts of one attacker.
struct Search<'t> {
    scene: Rc<Scene<'t>>,
    on: &'t UnitId,
    target: Shape,
    pose: Pose,
    size: Size,
    budget: i32,
    contact: i32,
    found: Vec<Contact>,
    number: usize,
}

/// Every lawful contact of a unit with an enemy among the ways that are tried; `lifted` are friends who will have moved.
pub fn contacts(t: &Table, id: &UnitId, on: &UnitId, tries: Tries, lifted: &[UnitId]) -> Arc<Vec<Contact>> {
    let Some(((id, _), (on, _))) = t.units.get_key_value(id).zip(t.units.get_key_value(on)) else {
        return Arc::default();
    };
    let (budget, contact) = (left_by_road(t, id), t.board.tables.contact);
    // A turn costs nothing, and brings a wing forward by less than half the front.
    if !t.gap(id, on).within(budget + contact + t.size(id).front / 2) {
        return Arc::default();
    }
    t.board.sought.ways(t, (id, on, tries, lifted), || sought(t, (id, on), tries, lifted))
}

fn sought(t: &Table, (id, on): (&UnitId, &UnitId), tries: Tries, lifted: &[UnitId]) -> Vec<Contact> {
    let Some(((id, _), (on, enemy))) = t.units.get_key_value(id).zip(t.units.get_key_value(on)) else {
        return Vec::new();
    };
    let (budget, target, contact) = (left_by_road(t, id), t.shape(on), t.board.tables.contact);
    let scene = Scene::of(t, id, std::slice::from_ref(on), lifted);
    let (pose, size) = (enemy.pose, t.size(on));
    let mut search = Search { scene, on, target, pose, size, budget, contact, found: Vec::new(), number: 0 };
    search.straight();
    if tries != Tries::Charge {
        search.slides();
        search.bends();
    }
    search.found
}

/// The dot product of a way between two places with a ray, in units.
fn along(from: Fine, to: Fine, ray: Fine) -> i64 {
    let dot = i128::from(to.x - from.x) * i128::from(ray.x) + i128::from(to.y - from.y) * i128::from(ray.y);
    let unit = i128::from(FINE) * 10_000;
    i64::try_from((dot + unit / 2).div_euclid(unit)).unwrap_or(i64::MAX)
}

impl<'t> Search<'t> {
    /// One turn, each degree of it, nearest to straight ahead first.
    fn straight(&mut self) {
        for n in 0..=MARKER_TURN {
            for turn in if n == 0 { vec![0] } else { vec![n, -n] } {
                let walk = Walk::out(&self.scene);
                self.go_on(walk, turn);
            }
        }
    }

    /// Onto a line that meets a face square on at its middle, its halves or ends, and then along it.
    fn slides(&mut self) {
        let front = Walk::out(&self.scene).front();
        let (mine, facing) = (self.scene.size(), self.scene.stand().heading);
        for (quarter, wide) in
            [(180, self.size.front), (90, self.size.depth), (270, self.size.depth), (0, self.size.front)]
        {
            let way = self.pose.facing.turned(quarter);
            let right = way.turned(90).ray();
            for aim in [0, -mine.front / 2, mine.front / 2, -wide / 4, wide / 4, -wide / 2, wide / 2] {
                let off = along(front, self.pose.at.fine().toward(way.turned(90), aim), right);
                for turn in turns() {
                    let first = facing.turned(turn);
                    let then = first.off(way);
                    let ray = first.ray();
                    let gains = ray.x * right.x + ray.y * right.y;
                    if then == 0 || then.abs() > MARKER_TURN || gains.abs() < 2_000_000 {
                        continue;
                    }
                    let (off, gains) = (off * gains.signum(), gains.abs());
                    let far = (off * 100_000_000 + gains / 2).div_euclid(gains);
                    let Ok(far) = i32::try_from(far) else { continue };
                    if far > 0 && far <= UM.min(self.budget - 1) {
                        let there = self.ahead(turn, far);
                        let walk = if self.may_meet(there, far, then) { self.first(turn, far) } else { None };
                        walk.into_iter().for_each(|walk| self.go_on(walk, then));
                    }
                }
            }
        }
    }

    /// Two turns: a marker some way out, and then square on, back to the old front, or at the middle of the target.
    fn bends(&mut self) {
        let facing = self.scene.stand().heading;
        for far in (1..=self.budget / 2 / LENGTH).map(|n| n * LENGTH) {
            for turn in turns() {
                let there = self.ahead(turn, far);
                let squares = [180, 90, 270, 0].map(|q| self.pose.facing.turned(q));
                let middle = Heading::between(self.front(there), self.pose.at.fine());
                let ends = squares.into_iter().chain([facing]).chain(middle).map(|end| there.heading.off(end));
                let ends = ends.filter(|off| off.abs() <= 3 * MARKER_TURN);
                let mut thens: Vec<i32> = Vec::new();
                for then in ends.map(|off| off.clamp(-MARKER_TURN, MARKER_TURN)) {
                    if !thens.contains(&then) && self.may_meet(there, far, then) {
                        thens.push(then);
                    }
                }
                let walk = if thens.is_empty() { None } else { self.first(turn, far) };
                if let Some(walk) = walk {
                    thens.into_iter().for_each(|then| self.go_on(walk.clone(), then));
                }
            }
        }
    }

    /// Where the first marker and straight on lead who comes all the way: told without looking who stands there.
    fn ahead(&self, turn: i32, far: i32) -> Stand {
        let here = self.scene.stand();
        let heading = here.heading.turned(turn);
        let at = self.front(here).toward(heading, -(self.scene.size().depth / 2));
        let marker = Pose::of(moved(Stand { at, heading }, heading, far.min(UM))).stand();
        if far > UM { Pose::of(moved(marker, heading, far - UM)).stand() } else { marker }
    }

    /// The middle of the front of a stand.
    fn front(&self, stand: Stand) -> Fine {
        stand.at.toward(stand.heading, self.scene.size().depth / 2)
    }

    /// The first marker and straight on, if it comes all the way.
    fn first(&self, turn: i32, far: i32) -> Option<Walk<'t>> {
        let mut walk = Walk::out(&self.scene);
        if turn != 0 && !walk.may_turn(self.budget) {
            return None;
        }
        walk.leg(turn, far.min(UM), self.budget);
        if far > UM && walk.halt.is_none() {
            walk.leg(0, far - UM, self.budget);
        }
        (walk.halt.is_none() && walk.far() == far).then_some(walk)
    }

    /// On by a last turn until contact; kept where it may stand there (7.1) and its front is at the enemy (13.1).
    fn go_on(&mut self, mut walk: Walk<'_>, turn: i32) {
        self.number += 1;
        if (turn != 0 && !walk.may_turn(self.budget)) || !self.may_meet(walk.stand(), walk.cost(), turn) {
            return;
        }
        let mut turn = turn;
        while walk.halt.is_none() && walk.cost() < self.budget && !self.touches(&walk) {
            let before = walk.cost();
            walk.leg(turn, UM.min(self.budget - before), self.budget);
            turn = 0;
            if walk.cost() == before {
                break;
            }
        }
        // 13.1: before the front is not yet at touch.
        let meets = self.touches(&walk) && walk.fronts(&self.target, self.contact);
        if walk.legs().is_empty() || !meets || !walk.free() {
            return;
        }
        let (front, shape, facing) = (walk.front(), walk.shape(), walk.facing());
        let face = self.scene.table().struck(self.on, front, facing);
        let (quarter, low, high, half) = self.covered(front, &shape);
        let inward = self.pose.facing.turned(180 + 90 * i32::from(quarter));
        let askew = facing.off(inward).abs();
        let way = Trace { halt: None, ..walk.end() };
        if !way.affordable(self.scene.table(), self.scene.unit()) {
            return;
        }
        self.found.push(Contact { way, face, quarter, low, high, half, askew, number: self.number });
    }

    /// Whether the last marker's lane comes near the target at all, where so much is spent at least.
    fn may_meet(&self, stand: Stand, cost: i32, turn: i32) -> bool {
        let way = stand.heading.turned(turn);
        let (front, centre) = (self.front(stand), self.pose.at.fine());
        let (ahead, aside) = (along(front, centre, way.ray()), along(front, centre, way.turned(90).ray()).abs());
        let (round, mine) = (i64::from(self.size.front + self.size.depth) / 2, i64::from(self.scene.size().front) / 2);
        let rest = i64::from(self.budget - cost);
        if ahead <= -round || ahead > rest + round + 50 || aside > mine + round + 50 {
            return false;
        }
        // Closer: its lane is as wide as its front, and the target's corners say how far he lies beside it.
        let right = way.turned(90).ray();
        let corners = self.target.corners().iter().map(|c| along(front, *c, right));
        let (low, high) = corners.fold((i64::MAX, i64::MIN), |(low, high), at| (low.min(at), high.max(at)));
        let wide = mine + i64::from(self.contact) + 10;
        low <= wide && high >= -wide
    }

    fn touches(&self, walk: &Walk<'_>) -> bool {
        walk.shape().near(&self.target, self.contact)
    }

    /// Which side of the target a block lies along, and from where to where.
    fn covered(&self, front: Fine, shape: &Shape) -> (u8, i32, i32, i32) {
        let (centre, way) = (self.pose.at.fine(), self.pose.facing);
        let (ahead, right) = (along(centre, front, way.ray()), along(centre, front, way.turned(90).ray()));
        let (deep, wide) = (i64::from(self.size.depth) / 2, i64::from(self.size.front) / 2);
        let flank = right.abs() - wide > ahead.abs() - deep + 1;
        let (quarter, axis, half) = match (flank, ahead > 0, right > 0) {
            (false, true, _) => (0, way.turned(90), wide),
            (false, false, _) => (2, way.turned(90), wide),
            (true, _, true) => (1, way, deep),
            (true, _, false) => (3, way, deep),
        };
        let lies = shape.corners().iter().map(|c| along(centre, *c, axis.ray()));
        let (low, high) = lies.fold((i64::MAX, i64::MIN), |(low, high), at| (low.min(at), high.max(at)));
        let units = |n: i64| i32::try_from(n.clamp(-half, half)).unwrap_or(0);
        let (low, high) = (units(low), units(high));
        (quarter, low, high.max(low), units(half))
    }
}

/// Turns of a marker in steps, the widest last, right before left.
fn turns() -> impl Iterator<Item = i32> {
    std::iter::once(0).chain((1..=MARKER_TURN / STEP).flat_map(|n| [n * STEP, -n * STEP]))
}

/// 13.1 The contact that a player would take who says no more than whom he attacks, or where.
pub fn best(t: &Table, id: &UnitId, on: &UnitId, tries: Tries, side: Option<Side>) -> Option<Contact> {
    let contact = t.board.tables.contact;
    contacts(t, id, on, tries, &[]).iter().min_by_key(|c| c.key(side, contact)).cloned()
}

/// Two attackers of one enemy, each with its way.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The one that was named first.
    pub first: Contact,
    /// The other.
    pub second: Contact,
    /// 10.4.3.4 Each covers half of the same side.
    pub halves: bool,
    /// The second has to go before the first.
    pub turned: bool,
}

/// One of two attackers, and the ways that it could go if the other were not there.
struct Half<'t> {
    scene: Rc<Scene<'t>>,
    /// As it is, with the other where he stands now.
    crowded: Rc<Scene<'t>>,
    target: Shape,
    ways: Vec<Lane>,
}

/// A way to contact, and what is known of it.
struct Lane {
    contact: Contact,
    ground: Shape,
    /// Whether it can be gone while the other attacker still stands where he does.
    alone: OnceCell<bool>,
}

impl<'t> Half<'t> {
    fn of(t: &'t Table, (one, other): (&'t UnitId, &UnitId), on: &UnitId, tries: Tries) -> Half<'t> {
        let contact = t.board.tables.contact;
        let mut all = contacts(t, one, on, tries, std::slice::from_ref(other)).to_vec();
        all.sort_by_cached_key(|c| {
            (!c.covers(contact), c.askew, c.turns(), -(c.share() / ALIKE), c.way.cost, c.number)
        });
        // Of several ways to one place the first two are enough.
        let mut seen: BTreeMap<(i32, i32, i32), u8> = BTreeMap::new();
        all.retain(|c| {
            let at = c.way.pose;
            let times = seen.entry((at.at.x, at.at.y, at.facing.degrees())).or_default();
            *times += 1;
            *times <= 2
        });
        let lane = |contact: Contact| {
            let ground = Shape::block(contact.way.pose.stand(), t.size(one));
            Lane { contact, ground, alone: OnceCell::new() }
        };
        let touch = std::slice::from_ref(on);
        let scene = Scene::of(t, one, touch, std::slice::from_ref(other));
        let crowded = Scene::of(t, one, touch, &[]);
        Half { scene, crowded, target: t.shape(on), ways: all.into_iter().map(lane).collect() }
    }

    /// 13.1, 7.1 Whether a way leads to contact in a scene.
    fn ends(&self, scene: &Rc<Scene<'t>>, lane: &Lane) -> bool {
        let t = scene.table();
        let (mut walk, budget) = (Walk::out(scene), left_by_road(t, scene.unit()));
        for (turn, units) in &lane.contact.way.legs {
            walk.leg(*turn, *units, budget);
        }
        let contact = t.board.tables.contact;
        walk.shape().near(&self.target, contact) && walk.fronts(&self.target, contact) && walk.free()
    }

    /// Whether a way can be gone first.
    fn first(&self, lane: &Lane) -> bool {
        *lane.alone.get_or_init(|| self.ends(&self.crowded, lane))
    }

    /// Whether a way can be gone second, after another unit has come to its place.
    fn second(&self, lane: &Lane, other: (&'t UnitId, &Shape)) -> bool {
        self.ends(&self.scene.beside(other), lane)
    }
}

/// 13.13 Ways of two attackers of one enemy to places side by side: half each where that can be, then square on.
pub fn pair(t: &Table, (a, b): (&UnitId, &UnitId), on: &UnitId, tries: Tries) -> Option<Pair> {
    let ((a, _), (b, _)) = (t.units.get_key_value(a)?, t.units.get_key_value(b)?);
    let contact = t.board.tables.contact;
    let (of_a, of_b) = (Half::of(t, (a, b), on, tries), Half::of(t, (b, a), on, tries));
    let mut walked = 0;
    for (halves, one, other) in couples(&of_a.ways, &of_b.ways, tries, contact) {
        if one.ground.overlaps(&other.ground) {
            continue;
        }
        let mut goes = |may: bool, goes: &dyn Fn() -> bool| {
            walked += usize::from(may);
            may && goes()
        };
        let straight = goes(of_a.first(one), &|| of_b.second(other, (a, &one.ground)));
        let turned = !straight && goes(of_b.first(other), &|| of_a.second(one, (b, &other.ground)));
        if straight || turned {
            let (first, second) = (one.contact.clone(), other.contact.clone());
            return Some(Pair { first, second, halves, turned });
        }
        if walked > WALKED {
            return None;
        }
    }
    None
}

/// Each way of one attacker with each of the other, the best first, and whether they cover half of one side each.
fn couples<'l>(
    ones: &'l [Lane],
    others: &'l [Lane],
    tries: Tries,
    contact: i32,
) -> impl Iterator<Item = (bool, &'l Lane, &'l Lane)> {
    let mut keys: Vec<(u64, bool, u16, u16)> = Vec::with_capacity(ones.len() * others.len());
    for (i, one) in (0..u16::MAX).zip(ones) {
        for (j, other) in (0..u16::MAX).zip(others) {
            let (first, second) = (&one.contact, &other.contact);
            let halves = first.quarter == second.quarter && first.covers(contact) && second.covers(contact);
            // who does not look straight at the side takes half of it only if nobody comes straight at a flank, or if he
            // is told to.
            let straight = first.askew.max(second.askew) <= SQUARE;
            let flank = straight && (first.face != Face::Front || second.face != Face::Front);
            let wanted = match (halves, flank) {
                (true, _) if straight || tries == Tries::Half => 0,
                (_, true) => 1,
                (true, false) => 2,
                (false, false) => 3,
            };
            let least = if wanted % 2 == 0 { 0 } else { first.share().min(second.share()) / ALIKE };
            let (askew, turns) = (first.askew + second.askew, first.turns() + second.turns());
            let parts = [wanted, 999 - least, askew, turns, first.way.cost + second.way.cost];
            let key = parts.iter().fold(0, |key, part| key << 14 | u64::try_from(*part).unwrap_or(0).min(16_383));
            keys.push((key, halves, i, j));
        }
    }
    keys.sort_unstable_by_key(|(key, _, i, j)| (*key, *i, *j));
    let lane = |of: &'l [Lane], n: u16| of.get(usize::from(n));
    keys.into_iter().filter_map(move |(_, halves, i, j)| Some((halves, lane(ones, i)?, lane(others, j)?)))
}

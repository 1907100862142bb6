//! Retreat (¶138, 369-379): the path by its priorities, displacement, rivers, fortifications.

use super::battle::source_garrison;
use super::event::Event;
use super::losses;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::flow;
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::march::stack;
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::Crossing;
use crate::rules::cx::Cx;
use std::collections::{BTreeMap, BTreeSet};

/// A path of retreat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The hexes after the one left.
    pub path: Vec<Hex>,
    /// Hexes of it under enemy control (¶371.4).
    pub zones: u32,
    /// Whether it falls short of the full distance (¶370).
    pub short: bool,
}

/// What a path costs, in descending priority: friends in the way, enemy control, MP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Price {
    friends: u32,
    zones: u32,
    mp: Halves,
}

/// The ground of a retreat.
struct Flight<'a> {
    s: &'a State,
    sit: Situation<'a>,
    own: &'a Pieces,
    foe: &'a Pieces,
    /// Whether hexes with vedettes alone may be passed, for want of any other way (¶379).
    through_vedettes: bool,
    /// Who leads those that retreat: where he may join friends, his way may end (¶138).
    lead: Option<&'a LeaderId>,
    /// Counters that retreat together, and so are not in each other's way.
    together: &'a [Piece],
}

impl<'a> Flight<'a> {
    fn of(s: &'a State, side: &SideId, start: Option<Hex>, together: &'a [Piece], through: bool) -> Option<Flight<'a>> {
        let (sit, own) = (s.situation(side)?, s.pieces(side)?);
        let lead = start.and_then(|h| own.leaders_at(h).into_iter().find(|l| !own.unemployed(l)));
        Some(Flight { s, sit, own, foe: s.pieces(&s.enemy(side))?, through_vedettes: through, lead, together })
    }

    /// ¶138, 371.3: whether friends would have to give way to who ends his retreat in a hex.
    fn crowded_end(&self, hex: Hex) -> bool {
        let joins = self.lead.is_some_and(|l| stack::may_join(&self.s.board, self.own, l, hex));
        self.crowded(hex) && !joins
    }

    /// Whether an enemy force, garrison or source stands in a hex.
    fn held(&self, hex: Hex) -> bool {
        self.foe.occupied_by_force(hex) || source_garrison(self.foe, hex) > 0
    }

    /// ¶370, 373, 379: whether a step of a retreat is possible: no prohibited terrain, no enemy; over primary rivers by
    /// bridges, or on ice (¶342).
    fn passable(&self, from: Hex, to: Hex) -> bool {
        let map = &self.s.board.map;
        let vedettes = !self.foe.vedettes_at(to).is_empty();
        map.contains(to)
            && self.sit.step(from, to, true).is_some()
            && !self.held(to)
            && self.foe.leaders_at(to).is_empty()
            && (!vedettes || self.through_vedettes)
    }

    /// ¶371.4, 379: whether a hex is under enemy control, vedettes apart.
    fn controlled(&self, hex: Hex) -> bool {
        hex.neighbours().into_iter().any(|n| self.held(n) && self.sit.controls(n, hex))
    }

    /// ¶371.3, 377: whether a friendly force would be displaced; not in a fortification or the own source.
    fn crowded(&self, hex: Hex) -> bool {
        let other = |l: &LeaderId| !self.own.unemployed(l) && !self.together.contains(&Piece::Leader(l.clone()));
        self.own.leaders_at(hex).into_iter().any(other) && !self.refuge(hex)
    }

    /// ¶377: a fortification that a friend holds, or the own active source.
    fn refuge(&self, hex: Hex) -> bool {
        self.own.army.source == Some(hex) || (self.sit.fortification(hex) && self.own.occupied_by_force(hex))
    }

    /// ¶371.3: whether the friends in a hex have somewhere to go.
    fn yields(&self, hex: Hex, start: Hex) -> bool {
        hex.neighbours().into_iter().any(|n| n != start && self.passable(hex, n) && !self.crowded(n))
    }

    fn price(&self, from: Hex, to: Hex, crowded: bool) -> Price {
        let mp = self.sit.step(from, to, true).map_or(Halves(0), |c| c.foot);
        Price { friends: u32::from(crowded), zones: u32::from(self.controlled(to)), mp }
    }

    /// Every hex that can be reached in so many hexes, each step one farther from the start (¶371.1-2), with the least
    /// price and all steps before it that have that price.
    fn rings(&self, start: Hex, most: i32) -> Vec<BTreeMap<Hex, (Price, Vec<Hex>)>> {
        let none = Price { friends: 0, zones: 0, mp: Halves(0) };
        let mut rings = vec![BTreeMap::from([(start, (none, Vec::new()))])];
        for n in 1..=most.max(0).unsigned_abs() {
            let mut ring: BTreeMap<Hex, (Price, Vec<Hex>)> = BTreeMap::new();
            let last = rings.last().cloned().unwrap_or_default();
            for (from, (spent, _)) in &last {
                for to in from.neighbours() {
                    if to.distance(start) != n || !self.passable(*from, to) {
                        continue;
                    }
                    let last = n == most.max(0).unsigned_abs();
                    let crowded = if last { self.crowded_end(to) } else { self.crowded(to) };
                    if crowded && !self.yields(to, start) {
                        continue;
                    }
                    let step = self.price(*from, to, crowded);
                    let (friends, zones) = (spent.friends + step.friends, spent.zones + step.zones);
                    let price = Price { friends, zones, mp: spent.mp + step.mp };
                    match ring.get_mut(&to) {
                        Some((known, before)) if *known == price => before.push(*from),
                        Some((known, _)) if *known < price => {}
                        _ => {
                            ring.insert(to, (price, vec![*from]));
                        }
                    }
                }
            }
            if ring.is_empty() {
                break;
            }
            rings.push(ring);
        }
        rings
    }
}

/// MP from every hex to one, by the costs of the ground alone; within a limit if one is given.
pub fn distances(sit: &Situation<'_>, to: Hex, mounted: bool, limit: Option<Halves>) -> BTreeMap<Hex, Halves> {
    let mut best = BTreeMap::from([(to, Halves(0))]);
    let mut queue = BTreeSet::from([(Halves(0), to)]);
    while let Some((spent, hex)) = queue.pop_first() {
        for from in sit.board.map.neighbours(hex) {
            let Some(cost) = sit.step(from, hex, true) else { continue };
            let total = spent + if mounted { cost.horse } else { cost.foot };
            if limit.is_some_and(|l| total > l) {
                continue;
            }
            if best.get(&from).is_none_or(|known| total < *known) {
                best.insert(from, total);
                queue.insert((total, from));
            }
        }
    }
    best
}

/// ¶371: all equally good paths of a retreat of so many hexes. The full distance first; then no friends in the way, the
/// fewest hexes of enemy control, nearest to the active source in MP, the fewest MP. Empty where there is no step at all.
pub fn ways(s: &State, side: &SideId, start: Hex, hexes: i32) -> Vec<Way> {
    ways_into(s, side, start, hexes, &[], |_| true)
}

/// The same for counters of several hexes that retreat together (¶372).
pub fn ways_together(s: &State, side: &SideId, start: Hex, hexes: i32, together: &[Piece]) -> Vec<Way> {
    ways_into(s, side, start, hexes, together, |_| true)
}

/// The same, to hexes that fit only.
fn ways_into(
    s: &State,
    side: &SideId,
    start: Hex,
    hexes: i32,
    together: &[Piece],
    fits: impl Fn(Hex) -> bool,
) -> Vec<Way> {
    let goal = source_of(s, side);
    let mut found = Vec::new();
    for through in [false, true] {
        let Some(flight) = Flight::of(s, side, Some(start), together, through) else { return Vec::new() };
        let rings = flight.rings(start, hexes);
        let far = goal.map(|g| distances(&flight.sit, g, false, None)).unwrap_or_default();
        let full = i32::try_from(rings.len()).unwrap_or(0) > hexes;
        found = best_of(&rings, &far, hexes, &fits);
        if full && !found.is_empty() {
            break;
        }
    }
    found
}

/// The paths to the best hexes of the outermost ring.
fn best_of(
    rings: &[BTreeMap<Hex, (Price, Vec<Hex>)>],
    far: &BTreeMap<Hex, Halves>,
    hexes: i32,
    fits: &impl Fn(Hex) -> bool,
) -> Vec<Way> {
    let Some(last) = rings.last().filter(|_| rings.len() > 1) else { return Vec::new() };
    let rank = |hex: &Hex, price: &Price| {
        (price.friends, price.zones, far.get(hex).copied().unwrap_or(Halves(i32::MAX)), price.mp)
    };
    let best = last.iter().filter(|(h, _)| fits(**h)).map(|(h, (p, _))| rank(h, p)).min();
    let short = i32::try_from(rings.len()).unwrap_or(0) <= hexes;
    let mut found = Vec::new();
    for (hex, (price, _)) in last.iter().filter(|(h, (p, _))| fits(**h) && Some(rank(h, p)) == best) {
        for path in walk(rings, rings.len() - 1, *hex) {
            found.push(Way { path, zones: price.zones, short });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Every path to a hex of a ring.
fn walk(rings: &[BTreeMap<Hex, (Price, Vec<Hex>)>], at: usize, hex: Hex) -> Vec<Vec<Hex>> {
    if at == 0 {
        return vec![Vec::new()];
    }
    let before = rings.get(at).and_then(|r| r.get(&hex)).map(|(_, b)| b.clone()).unwrap_or_default();
    let mut found = Vec::new();
    for from in before {
        for mut path in walk(rings, at - 1, from) {
            path.push(hex);
            found.push(path);
        }
    }
    found
}

/// ¶371.5: the active source, or the nearest possible one while there is none.
fn source_of(s: &State, side: &SideId) -> Option<Hex> {
    let own = s.pieces(side)?;
    own.army.source.or_else(|| s.board.side(side).and_then(|spec| spec.sources.first().copied()))
}

/// ¶377: ways into a friendly fortification or the own source within the distance, where a retreat may end early if
/// there is room; the nearest first.
pub fn refuges(s: &State, side: &SideId, start: Hex, hexes: i32, together: &[Piece], sp: i32) -> Vec<Way> {
    let Some(flight) = Flight::of(s, side, Some(start), together, false) else { return Vec::new() };
    let room = |hex: Hex| {
        let most =
            if flight.sit.fortification(hex) { s.board.policies.fort_stack_sp } else { s.board.policies.stack_sp };
        flight.own.sp_at(hex) + sp <= most
    };
    let rings = flight.rings(start, hexes);
    let mut found = Vec::new();
    for (n, ring) in rings.iter().enumerate().skip(1) {
        for (hex, (price, _)) in ring.iter().filter(|(h, _)| flight.refuge(**h) && room(**h)) {
            let first = walk(&rings, n, *hex).into_iter().min();
            found.extend(first.map(|path| (price.friends, Way { path, zones: price.zones, short: false })));
        }
    }
    found.sort_by_key(|(friends, way)| (*friends, way.zones, way.path.len(), way.path.clone()));
    found.into_iter().map(|(_, way)| way).collect()
}

/// Where the other hexes of a multi-hex force end (¶372): as many hexes away, next to the leader's last hex or in it.
pub fn beside(s: &State, side: &SideId, start: Hex, hexes: i32, lead_end: Hex, together: &[Piece]) -> Way {
    let near = |h: Hex| h == lead_end || h.adjacent(lead_end);
    let joined = ways_into(s, side, start, hexes, together, near).into_iter().find(|w| !w.short);
    let alone = || ways_together(s, side, start, hexes, together).into_iter().next();
    joined.or_else(alone).unwrap_or(Way { path: Vec::new(), zones: 0, short: true })
}

/// ¶373: whether a step of a retreat crosses a river that costs: a bridged primary or an unbridged secondary one; ice is
/// as a secondary river (¶342).
pub fn costly_river(s: &State, side: &SideId, from: Hex, to: Hex) -> bool {
    s.situation(side).is_some_and(|sit| {
        matches!(sit.side(from, to), Crossing::PrimaryBridge | Crossing::SecondaryRiver | Crossing::FrozenPrimary)
    })
}

/// ¶373: whether guns cannot come over a step.
pub fn gunless_river(s: &State, side: &SideId, from: Hex, to: Hex) -> bool {
    s.situation(side)
        .is_some_and(|sit| matches!(sit.side(from, to), Crossing::SecondaryRiver | Crossing::FrozenPrimary))
}

/// Moves counters along a path, hex by hex; friends in the way are displaced first (¶371.3).
pub fn march(cx: &mut Cx<'_, Campaigns>, side: &SideId, pieces: &[Piece], path: &[Hex], why: Why) {
    march_together(cx, side, pieces, pieces, path, why);
}

/// The same for some of the counters that retreat together.
pub fn march_together(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    pieces: &[Piece],
    together: &[Piece],
    path: &[Hex],
    why: Why,
) {
    for (n, to) in path.iter().enumerate() {
        let joins = n + 1 == path.len() && may_end(cx.state(), side, pieces, *to);
        if why == Why::Retreat && !joins {
            displace(cx, side, together, *to, 0);
        }
        trample(cx, side, *to);
        for piece in pieces {
            let Some(from) = cx.state().pieces(side).and_then(|p| p.piece_hex(piece)) else { continue };
            if from != *to {
                let (side, piece) = (side.clone(), piece.clone());
                cx.emit(flow::event::Event::Moved { side, piece, from, to: *to, why }.into());
            }
        }
    }
}

/// ¶138: whether those that retreat may end their way among friends in a hex.
fn may_end(s: &State, side: &SideId, pieces: &[Piece], hex: Hex) -> bool {
    let Some(own) = s.pieces(side) else { return false };
    pieces.iter().all(|p| match p {
        Piece::Leader(id) => stack::may_join(&s.board, own, id, hex),
        Piece::Vedette(_) | Piece::Garrison(_) => true,
    })
}

/// ¶371.3: friendly forces in a hex that others must enter move one hex by the same priorities.
fn displace(cx: &mut Cx<'_, Campaigns>, side: &SideId, movers: &[Piece], hex: Hex, depth: u32) {
    let s = cx.state();
    let crowded = Flight::of(s, side, None, movers, false).is_some_and(|f| f.crowded(hex));
    if !crowded || depth > 4 {
        return;
    }
    let Some(own) = s.pieces(side) else { return };
    let friends: Vec<Piece> =
        own.leaders_at(hex).into_iter().cloned().map(Piece::Leader).filter(|p| !movers.contains(p)).collect();
    if friends.is_empty() {
        return;
    }
    let Some(way) = ways(s, side, hex, 1).into_iter().next() else { return };
    let Some(to) = way.path.first().copied() else { return };
    displace(cx, side, movers, to, depth + 1);
    for piece in friends {
        cx.emit(flow::event::Event::Moved { side: side.clone(), piece, from: hex, to, why: Why::Displaced }.into());
    }
}

/// ¶379: enemy vedettes in a hex that a retreat or a pursuit passes are driven off the map.
pub fn trample(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) {
    let foe = cx.state().enemy(side);
    losses::vedettes_off(cx, &foe, hex);
}

/// ¶78, 312: what cannot march away when a hex is lost: garrisons go, and an active source is captured.
pub fn abandon(cx: &mut Cx<'_, Campaigns>, no: u32, side: &SideId, hex: Hex) -> i32 {
    let mut lost = 0;
    let Some(own) = cx.state().pieces(side) else { return 0 };
    let garrisons: Vec<_> = own.garrisons_at(hex).iter().map(|(id, u)| ((*id).clone(), u.sp)).collect();
    let source = source_garrison(own, hex);
    let sp: i32 = garrisons.iter().map(|(_, sp)| sp).sum::<i32>() + source;
    if sp == 0 && own.army.source != Some(hex) {
        return 0;
    }
    let cause = flow::told::Cause::Pursuit;
    if sp > 0 {
        cx.emit(Event::Took { no, side: side.clone(), units: garrisons.clone(), sp, cause }.into());
        lost += sp;
    }
    for (unit, sp) in garrisons {
        cx.emit(flow::event::Event::Lost { side: side.clone(), unit, sp, cause }.into());
    }
    if cx.state().pieces(side).is_some_and(|p| p.army.source == Some(hex)) {
        cx.emit(Event::SourceLost { side: side.clone(), hex, left: 0 }.into());
    }
    lost
}

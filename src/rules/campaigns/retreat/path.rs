//! Where a retreat may lead (¶369-377): the path by its priorities.

use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Reach;
use crate::rules::campaigns::board::{Arm, Halves, LeaderId};
use crate::rules::campaigns::combat::battle::source_garrison;
use crate::rules::campaigns::march::stack;
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::Crossing;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A path of retreat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The hexes after the one left.
    pub path: Vec<Hex>,
    /// Hexes of it under enemy control (¶371.4).
    pub zones: u32,
    /// Whether it falls short of the full distance (¶370).
    pub short: bool,
    /// Whether it leads off the map from its last hex (¶374).
    pub exit: bool,
}

impl Way {
    /// No step at all.
    pub fn none() -> Way {
        Way { path: Vec::new(), zones: 0, short: true, exit: false }
    }

    /// Whether a pursuit into its last hex catches who went it: he could go no farther on the map (¶374, 383).
    pub fn ends_in_reach(&self) -> bool {
        self.short || self.exit
    }
}

/// What a path costs, in descending priority: friendly forces in the way and their SP, enemy control, MP (¶371).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Price {
    friends: u32,
    weight: i32,
    zones: u32,
    mp: Halves,
}

/// Hexes as many steps away as the ring has its number, with the least price of each and all hexes before it at that
/// price.
type Rings = Vec<BTreeMap<Hex, (Price, Vec<Hex>)>>;

/// The ground of a retreat.
struct Flight<'a> {
    s: &'a State,
    sit: Situation<'a>,
    own: &'a Pieces,
    foe: &'a Pieces,
    /// Hexes where an enemy leader, garrison or source stands.
    taken: BTreeSet<Hex>,
    /// Hexes with enemy vedettes.
    vedettes: BTreeSet<Hex>,
    /// Whether hexes with vedettes alone may be passed, for want of any other way (¶379).
    through_vedettes: bool,
    /// Who leads those that retreat: where he may join friends, his way may end (¶138). Nobody leads vedettes and
    /// leaders without troops, who are in nobody's way.
    lead: Option<&'a LeaderId>,
    /// Counters that retreat together, and so are not in each other's way.
    together: &'a [Piece],
    /// Hexes that are closed: who is displaced does not go where those who displace him stand.
    barred: &'a [Hex],
    /// Where they retreat from.
    start: Hex,
    /// Whether all that retreat ride.
    mounted: bool,
    /// How far it is to the active source, once that has been asked.
    far: OnceCell<Option<Arc<Reach>>>,
}

impl<'a> Flight<'a> {
    fn of(s: &'a State, side: &SideId, start: Hex, together: &'a [Piece], barred: &'a [Hex]) -> Option<Flight<'a>> {
        let (sit, own) = (s.situation(side)?, s.pieces(side)?);
        let force = |p: &'a Piece| match p {
            Piece::Leader(id) if !own.unemployed(id) => Some(id),
            Piece::Leader(_) | Piece::Vedette(_) | Piece::Garrison(_) => None,
        };
        let leaders: Vec<&LeaderId> = together.iter().filter_map(force).collect();
        let lead = leaders.iter().copied().find(|l| own.hex(l) == Some(start)).or(leaders.first().copied());
        let mounted = leaders.iter().all(|l| own.sp(l) == own.sp_of(&s.board, l, Arm::Cavalry));
        let foe = s.pieces(&s.enemy(side))?;
        let sources = foe.armies().filter_map(|army| army.source).filter(|hex| source_garrison(foe, *hex) > 0);
        let taken = foe.on_map().map(|(_, hex)| hex).chain(foe.garrisons()).chain(sources).collect();
        Some(Flight {
            s,
            sit,
            own,
            foe,
            taken,
            vedettes: foe.screens().collect(),
            through_vedettes: false,
            lead,
            together,
            barred,
            start,
            mounted,
            far: OnceCell::new(),
        })
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
        self.sit.board.map.contains(to)
            && !self.taken.contains(&to)
            && !self.barred.contains(&to)
            && (self.through_vedettes || !self.vedettes.contains(&to))
            && !self.prohibited(to)
            && self.sit.step(from, to, true).is_some()
            && self.sit.side(from, to) != Crossing::PrimaryRiver
    }

    /// ¶224, 370 Whether a hex is closed to the side, but for who leaves the map there.
    fn prohibited(&self, hex: Hex) -> bool {
        self.s.board.special.closed(&self.own.side, hex) && !self.s.board.map.at_edge(hex)
    }

    /// ¶280, 371.4, 379: whether a hex is under enemy control; vedettes and foragers do not hinder.
    fn controlled(&self, hex: Hex) -> bool {
        self.sit.zones_on(hex).iter().any(|(_, firm)| *firm == Firm::Yes)
    }

    /// Friendly forces in a hex that do not retreat themselves.
    fn friends(&self, hex: Hex) -> Vec<&LeaderId> {
        let other = |l: &&LeaderId| !self.own.unemployed(l) && !self.together.contains(&Piece::Leader((*l).clone()));
        self.own.leaders_at(hex).into_iter().filter(other).collect()
    }

    /// ¶371.3, 377: whether friendly forces would be displaced; not in a fortification or the own source.
    fn crowded(&self, hex: Hex) -> bool {
        self.lead.is_some() && !self.friends(hex).is_empty() && !self.refuge(hex)
    }

    /// ¶377: a fortification that a friend holds, or the own active source.
    fn refuge(&self, hex: Hex) -> bool {
        self.own.source_at(hex).is_some() || (self.sit.fortification(hex) && self.own.occupied_by_force(hex))
    }

    /// ¶371.3: whether the friends in a hex have somewhere to go, be it by displacing others in turn.
    fn yields(&self, hex: Hex, passed: &mut Vec<Hex>) -> bool {
        passed.push(hex);
        let lead = self.friends(hex).into_iter().next();
        for next in hex.neighbours() {
            if passed.contains(&next) || !self.passable(hex, next) {
                continue;
            }
            let joins = lead.is_some_and(|l| stack::may_join(&self.s.board, self.own, l, next));
            if joins || !self.crowded(next) || self.yields(next, passed) {
                return true;
            }
        }
        false
    }

    fn mp(&self, from: Hex, to: Hex) -> Halves {
        self.sit.step(from, to, true).map_or(Halves(0), |c| if self.mounted { c.horse } else { c.foot })
    }

    fn price(&self, from: Hex, to: Hex, crowded: bool) -> Price {
        let weight = if crowded { self.friends(to).into_iter().map(|l| self.own.sp(l)).sum() } else { 0 };
        let zones = u32::from(self.controlled(to));
        Price { friends: u32::from(crowded), weight, zones, mp: self.mp(from, to) }
    }

    /// Every hex that can be reached in so many hexes, each step one farther from the start (¶371.1-2), with the least
    /// price and all steps before it that have that price.
    fn rings(&self, start: Hex, most: u32) -> Rings {
        let none = Price { friends: 0, weight: 0, zones: 0, mp: Halves(0) };
        let mut rings = vec![BTreeMap::from([(start, (none, Vec::new()))])];
        for n in 1..=most {
            let mut ring: BTreeMap<Hex, (Price, Vec<Hex>)> = BTreeMap::new();
            for (from, (spent, _)) in rings.last().into_iter().flatten() {
                for to in from.neighbours() {
                    if to.distance(start) != n || !self.passable(*from, to) {
                        continue;
                    }
                    let crowded = if n == most { self.crowded_end(to) } else { self.crowded(to) };
                    if crowded && !self.yields(to, &mut vec![start, *from]) {
                        continue;
                    }
                    let step = self.price(*from, to, crowded);
                    let price = Price {
                        friends: spent.friends + step.friends,
                        weight: spent.weight + step.weight,
                        zones: spent.zones + step.zones,
                        mp: spent.mp + step.mp,
                    };
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

    /// The best paths of exactly so many hexes, to hexes that fit.
    fn full(&self, start: Hex, hexes: u32, fits: &impl Fn(Hex) -> bool) -> Vec<Way> {
        let rings = self.rings(start, hexes);
        let at = usize::try_from(hexes).unwrap_or(usize::MAX);
        let Some(last) = rings.get(at) else { return Vec::new() };
        let far = self.far();
        let rank = |hex: &Hex, p: &Price| (p.friends, p.weight, p.zones, away(far, *hex), p.mp);
        let fitting = || last.iter().filter(|(h, _)| fits(**h));
        let best = fitting().map(|(h, (p, _))| rank(h, p)).min();
        let mut found = Vec::new();
        for (hex, (price, _)) in fitting().filter(|(h, (p, _))| Some(rank(h, p)) == best) {
            for path in walk(&rings, at, *hex) {
                found.push(Way { path, zones: price.zones, short: false, exit: false });
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    /// ¶374-375: the way off the map within so many hexes, over the edge hex that is best by the same priorities.
    fn exit(&self, start: Hex, hexes: u32) -> Option<Way> {
        let edge = |h: &Hex| h.neighbours().iter().any(|n| !self.sit.board.map.contains(*n));
        let far = self.far();
        let mut best = None;
        for n in 0..hexes {
            // Nobody stops in the edge hex, so friends there are in the way.
            let rings = self.rings(start, n + 1);
            let at = usize::try_from(n).unwrap_or(usize::MAX);
            for (hex, (p, _)) in rings.get(at).into_iter().flatten().filter(|(h, _)| edge(h)) {
                let Some(path) = walk(&rings, at, *hex).into_iter().min() else { continue };
                let rank = (p.friends, p.weight, p.zones, away(far, *hex), p.mp, path);
                if best.as_ref().is_none_or(|known| rank < *known) {
                    best = Some(rank);
                }
            }
        }
        best.map(|(_, _, zones, _, _, path)| Way { path, zones, short: false, exit: true })
    }

    /// ¶223, 371.5: MP to the active source from every hex. House decision: no way leads through the hexes of those who
    /// drive him, unless there is no other.
    fn far(&self) -> Option<&Reach> {
        self.far.get_or_init(|| self.sought()).as_deref()
    }

    fn sought(&self) -> Option<Arc<Reach>> {
        // ¶84, 371: of several armies, that of the leader's own.
        let board = self.sit.board;
        let own = self.lead.map_or(Cow::Borrowed(self.own), |lead| self.own.at_desk_of(board, lead));
        let first = || board.sources(&own).first().copied();
        let goal = own.army.anchor.or(own.army.source).or_else(first);
        let goal = goal?;
        let drives = |hex: &Hex| self.held(*hex);
        let closed: Vec<Hex> = self.start.neighbours().into_iter().filter(drives).collect();
        let round = (!closed.is_empty()).then(|| self.sit.marches_round(goal, self.mounted, &closed));
        let round = round.filter(|reach| reach.contains(self.start));
        Some(round.unwrap_or_else(|| self.sit.marches_to(goal, self.mounted)))
    }
}

fn away(far: Option<&Reach>, hex: Hex) -> Halves {
    far.and_then(|far| far.cost(hex)).map_or(Halves(i32::MAX), Halves)
}

/// ¶371: all equally good paths of a retreat of so many hexes by some counters. The full distance first, if need be
/// through hexes with vedettes alone (¶379), then off the map (¶374), then as far as it goes (¶370); among these no
/// friends in the way, the fewest hexes of enemy control, nearest to the active source in MP, the fewest MP. Empty where
/// there is no step at all.
pub fn ways(s: &State, side: &SideId, who: &[Piece], start: Hex, hexes: i32) -> Vec<Way> {
    ways_into(s, side, who, start, hexes, &[], &|_| true)
}

/// The same, to hexes that fit only, and clear of some others.
fn ways_into(
    s: &State,
    side: &SideId,
    who: &[Piece],
    start: Hex,
    hexes: i32,
    barred: &[Hex],
    fits: &impl Fn(Hex) -> bool,
) -> Vec<Way> {
    let Some(mut flight) = Flight::of(s, side, start, who, barred) else { return Vec::new() };
    let force = flight.lead.is_some();
    let most = hexes.max(0).unsigned_abs();
    for length in (1..=most).rev() {
        for through in [false, true].into_iter().take(1 + usize::from(force)) {
            flight.through_vedettes = through;
            let mut found = flight.full(start, length, fits);
            if !found.is_empty() {
                found.iter_mut().for_each(|way| way.short = length < most);
                return found;
            }
        }
        if force
            && length == most
            && let Some(way) = flight.exit(start, most)
        {
            return vec![way];
        }
    }
    Vec::new()
}

/// ¶371.3: where a force that gives way to others goes: one hex, and not to where they stand.
pub fn aside(s: &State, side: &SideId, who: &[Piece], hex: Hex, barred: &[Hex]) -> Option<Way> {
    ways_into(s, side, who, hex, 1, barred, &|_| true).into_iter().next()
}

/// ¶371, 377: the paths that are open to a retreat of so many SP, clear of some hexes; a refuge on a path no worse comes
/// first (D-104).
pub fn open_ways(
    s: &State,
    side: &SideId,
    who: &[Piece],
    start: Hex,
    hexes: i32,
    (sp, barred): (i32, &[Hex]),
) -> Vec<Way> {
    let mut found = ways_into(s, side, who, start, hexes, barred, &|_| true);
    let worst = found.first().map_or(u32::MAX, |w| if w.ends_in_reach() { u32::MAX } else { w.zones });
    let safe = refuges(s, side, who, start, hexes, (sp, barred)).into_iter().next();
    if let Some(safe) = safe.filter(|w| w.zones <= worst) {
        found.retain(|w| w.path != safe.path);
        found.insert(0, safe);
    }
    found
}

/// ¶377: ways into a friendly fortification or the own source within the distance, where a retreat may end early if
/// there is room; the nearest first.
fn refuges(s: &State, side: &SideId, who: &[Piece], start: Hex, hexes: i32, (sp, barred): (i32, &[Hex])) -> Vec<Way> {
    let Some(flight) = Flight::of(s, side, start, who, barred) else { return Vec::new() };
    let room = |hex: Hex| {
        let most = stack::limit(&s.board, flight.own, hex);
        flight.own.sp_at(hex) + sp <= most
    };
    let rings = flight.rings(start, hexes.max(0).unsigned_abs());
    let mut found = Vec::new();
    for (n, ring) in rings.iter().enumerate().skip(1) {
        for (hex, (price, _)) in ring.iter().filter(|(h, _)| flight.refuge(**h) && room(**h)) {
            let first = walk(&rings, n, *hex).into_iter().min();
            let way = |path| Way { path, zones: price.zones, short: false, exit: false };
            found.extend(first.map(|path| (price.friends, way(path))));
        }
    }
    found.sort_by_key(|(friends, way)| (*friends, way.zones, way.path.len(), way.path.clone()));
    found.into_iter().map(|(_, way)| way).collect()
}

/// Every path to a hex of a ring.
fn walk(rings: &Rings, at: usize, hex: Hex) -> Vec<Vec<Hex>> {
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

/// Where the other hexes of a multi-hex force end (¶372): next to the leader's last hex or in it, as many hexes away if
/// that can be, else as many as can be.
pub fn beside(s: &State, side: &SideId, start: Hex, hexes: i32, lead_end: Hex, together: &[Piece]) -> Way {
    let near = |h: Hex| h == lead_end || h.adjacent(lead_end);
    let joined = |n: i32| {
        let ways = ways_into(s, side, together, start, n, &[], &near);
        ways.into_iter().find(|w| !w.ends_in_reach() && w.path.len() == usize::try_from(n).unwrap_or(0))
    };
    let alone = || ways(s, side, together, start, hexes).into_iter().find(|w| !w.exit);
    (1..=hexes).rev().find_map(joined).or_else(alone).unwrap_or(Way::none())
}

/// ¶373: whether a step of a retreat crosses a river that costs: a bridged primary or an unbridged secondary one; ice is
/// as a secondary river (¶342).
pub fn costly_river(s: &State, side: &SideId, from: Hex, to: Hex) -> bool {
    s.situation(side).is_some_and(|sit| {
        matches!(
            sit.side(from, to),
            Crossing::PrimaryBridge | Crossing::SecondaryRiver | Crossing::FrozenPrimary | Crossing::Ford
        )
    })
}

/// ¶373: whether guns cannot come over a step.
pub fn gunless_river(s: &State, side: &SideId, from: Hex, to: Hex) -> bool {
    s.situation(side).is_some_and(|sit| {
        matches!(sit.side(from, to), Crossing::SecondaryRiver | Crossing::FrozenPrimary | Crossing::Ford)
    })
}

/// ¶376: where a force that retreated off the map comes back: the edge hex nearest to its exit that no enemy counter or
/// zone blocks, and among equals the nearest to the active source. Counters that may be forces count as forces.
pub fn entry(sit: &Situation<'_>, exit: Hex) -> Option<Hex> {
    let map = &sit.board.map;
    let blocked = |h: &Hex| {
        let zone = |(_, firm): &(Hex, Firm)| *firm != Firm::No;
        sit.enemy.contains_key(h) || sit.zones_on(*h).iter().any(zone)
    };
    let edge = |h: &&Hex| h.neighbours().iter().any(|n| !map.contains(*n));
    let enters = |h: &&Hex| sit.board.tables.terrain.hex_mp(sit.ground(**h), sit.settlement(**h), false).is_some();
    let far = sit.own.army.source.map(|goal| sit.marches_to(goal, false));
    let open = map.ground.keys().filter(edge).filter(enters).filter(|h| !blocked(h));
    open.min_by_key(|h| (h.distance(exit), away(far.as_deref(), **h), **h)).copied()
}

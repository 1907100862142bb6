//! The map as one side may reckon with it: costs, zones, lines. Built from the truth for the rules and from a view for
//! CHECK and refusals, so that both reckon with the same code and only the rules with the truth.

use super::board::{Board, Halves, LeaderId};
use super::idle::Idle;
pub use super::ids::StepCost;
use super::lanes::Toll;
use super::pieces::{Army, Pieces};
use super::redoubts::Redoubt;
use super::stands::{Firm, Stands};
use super::tables::{Conditions, Crossing, Weather};
use crate::fog::SideId;
use crate::hex::{Dir, Hex, Hexside};
use crate::map::{Ground, Reach, River, Road, Settlement};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that costs and zones depend on.
pub struct Situation<'a> {
    /// What is printed.
    pub board: &'a Board,
    /// Weather in force.
    pub weather: &'a Conditions,
    /// Damaged bridges.
    pub damaged: &'a BTreeSet<Hexside>,
    /// Deployed pontoons.
    pub pontoons: &'a BTreeMap<Hexside, SideId>,
    /// Trestles, down or whole.
    pub trestles: &'a BTreeSet<Hexside>,
    /// Hexes of enemy forces with artillery; `None` where the reckoner cannot know them.
    pub guns: Option<BTreeSet<Hex>>,
    /// The turn, for what a scenario dates.
    pub turn: u32,
    /// Where the morale marker stands.
    pub morale: i32,
    /// One's own pieces.
    pub own: &'a Pieces,
    /// The enemy's redoubts.
    pub foe_redoubts: &'a BTreeMap<Hex, Redoubt>,
    /// What stands in the hexes with enemy counters.
    pub enemy: BTreeMap<Hex, Stands>,
    /// Which hexes all that closes to lines, once that was asked.
    pub(super) shut: OnceCell<Vec<Hex>>,
}

/// What a step meets between two hexes.
#[derive(Clone, Copy)]
struct Lie {
    road: Option<Road>,
    crossing: Crossing,
    by_pontoon: bool,
}

impl Situation<'_> {
    /// ¶61, 209-210, 213-214, 253, 257: what a step meets on the side in a direction, as it stands now; a pontoon is a bridge.
    fn lie(&self, from: Hex, dir: Dir) -> Lie {
        let side = self.board.map.side_in(from, dir);
        let edge = || Hexside::new(from, dir);
        // Most sides have no river, and this is asked of every side of every way.
        let damaged = (side.bridge || side.river.is_some()) && self.damaged.contains(&edge());
        // ¶61: a trestle is a bridge, and where one stands none is printed.
        let spanned = side.bridge || (!self.trestles.is_empty() && self.trestles.contains(&edge()));
        let whole = spanned && !damaged;
        let pontoon = !self.pontoons.is_empty() && self.pontoons.contains_key(&edge());
        let crossing = match side.river {
            None => Crossing::None,
            river => Crossing::of(river, whole || pontoon, self.frozen(river)),
        };
        let road = side.road.filter(|_| side.river.is_none() || !damaged);
        Lie { road, crossing, by_pontoon: pontoon && !whole }
    }

    /// ¶209-210, 214, 253, 257: the river side between two adjacent hexes, as it stands now; a pontoon is a bridge.
    pub fn side(&self, a: Hex, b: Hex) -> Crossing {
        a.dir_to(b).map_or(Crossing::None, |dir| self.lie(a, dir).crossing)
    }

    /// ¶257 Whether a pontoon lies between two hexes.
    pub fn pontoon(&self, a: Hex, b: Hex) -> bool {
        Hexside::between(a, b).is_some_and(|edge| self.pontoons.contains_key(&edge))
    }

    /// ¶214 Whether the way from one hex into the next is over a pontoon and nothing better.
    pub fn by_pontoon(&self, a: Hex, b: Hex) -> bool {
        a.dir_to(b).is_some_and(|dir| self.lie(a, dir).by_pontoon)
    }

    /// The road between two hexes that can be marched now: none over a damaged bridge (¶253).
    pub fn road(&self, a: Hex, b: Hex) -> Option<Road> {
        self.lie(a, a.dir_to(b)?).road
    }

    /// The road out of a hex that can be marched now.
    pub fn road_in(&self, from: Hex, dir: Dir) -> Option<Road> {
        self.lie(from, dir).road
    }

    /// ¶212-214: the cost of a step, given whether the hex it leaves was entered by road; `None` if impassable.
    pub fn step(&self, from: Hex, to: Hex, by_road: bool) -> Option<StepCost> {
        let dir = from.dir_to(to)?;
        if !self.board.map.contains(to) {
            return None;
        }
        self.cost(to, self.lie(from, dir), by_road)
    }

    /// ¶212-214: the cost of entering a hex over a side.
    fn cost(&self, to: Hex, lie: Lie, by_road: bool) -> Option<StepCost> {
        let terrain = &self.board.tables.terrain;
        let crossing = if lie.by_pontoon { Crossing::Pontoon } else { lie.crossing };
        let side = terrain.crossing_mp(crossing, by_road)?;
        Some(self.inside(to, lie.road)? + StepCost { foot: side, horse: side })
    }

    /// ¶205, 212, 215: the cost of a hex by itself, by a road or without one.
    pub fn inside(&self, hex: Hex, road: Option<Road>) -> Option<StepCost> {
        let terrain = &self.board.tables.terrain;
        let (foot, horse) = match road {
            Some(road) => (terrain.road_mp(road), terrain.road_mp(road)),
            None => self.hex_mp(hex)?,
        };
        Some(StepCost { foot: self.mired(foot), horse })
    }

    /// ¶212, 215 MP of a hex off the road, on foot and mounted; woods on a crest count where they are dearer.
    fn hex_mp(&self, hex: Hex) -> Option<(Halves, Halves)> {
        let terrain = &self.board.tables.terrain;
        let of = |ground, mounted| terrain.hex_mp(ground, self.settlement(hex), mounted);
        let (foot, horse) = (of(self.ground(hex), false)?, of(self.ground(hex), true)?);
        if !self.board.map.wooded.contains(&hex) {
            return Some((foot, horse));
        }
        Some((foot.max(of(Ground::Woods, false)?), horse.max(of(Ground::Woods, true)?)))
    }

    /// ¶205 The most MP that mud makes of a hex, where it doubles costs now.
    pub fn mire(&self) -> Option<Halves> {
        let most = self.board.exceptions.weather.mud_doubles_up_to.filter(|_| self.weather.has(Weather::Mud))?;
        Some(Halves::whole(most))
    }

    /// ¶205 What foot, guns, trains and dispatches pay for a hex in mud.
    fn mired(&self, mp: Halves) -> Halves {
        self.mire().map_or(mp, |most| (mp + mp).min(most).max(mp))
    }

    /// ¶209-211 Whether a river or lake is frozen.
    fn frozen(&self, river: Option<River>) -> bool {
        let all = self.board.policies.rivers_freeze && self.weather.freezes();
        let lakes = self.board.exceptions.weather.lakes_freeze && self.weather.has(Weather::Frost);
        all || self.weather.has(Weather::Severe) || (lakes && river == Some(River::Lake))
    }

    /// ¶357 Whether a hex is wooded, be it a wooded crest (¶356).
    pub fn woods(&self, hex: Hex) -> bool {
        self.ground(hex) == Ground::Woods || self.board.map.wooded.contains(&hex)
    }

    /// ¶348, 358 Whether a crest lies between two hexes.
    pub fn crest(&self, a: Hex, b: Hex) -> bool {
        Hexside::between(a, b).is_some_and(|edge| self.board.map.crests.contains(&edge))
    }

    /// ¶214: the cost of a step by those who cannot use a bridge there: the ground, and the river as if nothing spanned it.
    pub fn ford(&self, from: Hex, to: Hex) -> Option<StepCost> {
        let river = self.board.map.river(from, to);
        let crossing = Crossing::of(river, false, self.frozen(river));
        self.cost(to, Lie { road: None, crossing, by_pontoon: false }, false)
    }

    /// The ground of a hex.
    pub fn ground(&self, hex: Hex) -> Ground {
        self.board.map.ground_of(hex).unwrap_or(Ground::Lake)
    }

    /// What is built in a hex.
    pub fn settlement(&self, hex: Hex) -> Option<Settlement> {
        self.board.map.settlement_of(hex)
    }

    /// ¶217 The besieged citadel that a step would leave or enter. Where two fortresses are one, the besiegers of each
    /// approach are judged by themselves: who stands on one closes it, and the other stays open.
    pub fn besieged(&self, sieges: &BTreeSet<Hex>, from: Hex, to: Hex) -> Option<Hex> {
        let special = &self.board.special;
        let fort = [from, to].into_iter().find(|h| special.twins.contains_key(h));
        let (Some(fort), false) = (fort, special.approaches.is_empty()) else {
            return [from, to].into_iter().find(|h| sieges.contains(h));
        };
        let ours = |hex: &Hex| self.own.occupied_by_force(*hex) || sieges.contains(hex);
        let held = std::iter::once(&fort).chain(special.twins.get(&fort)).any(ours);
        let outside = if fort == from { to } else { from };
        let closed = |a: &BTreeSet<Hex>| {
            a.contains(&outside) && a.iter().any(|h| self.enemy.get(h).is_some_and(|stands| stands.force() != Firm::No))
        };
        special.approaches.iter().any(|a| held && closed(a)).then_some(fort)
    }

    /// ¶234-235: whether control goes out from one hex into an adjacent one.
    pub fn controls(&self, from: Hex, into: Hex) -> bool {
        let screened = self.own.redoubts.contains_key(&into) && self.screened(into, from);
        from.adjacent(into) && !self.fortification(into) && !self.side(from, into).bars_zones() && !screened
    }

    /// Enemy hexes whose zone covers a hex, with how firm each is. ¶77: the garrison of one's own active source keeps
    /// its hex free of them.
    pub fn zones_on(&self, hex: Hex) -> Vec<(Hex, Firm)> {
        let mut zones = Vec::new();
        if self.own.source_at(hex).is_some_and(|garrison| garrison > 0) {
            return zones;
        }
        for near in hex.neighbours() {
            if let Some(stands) = self.enemy.get(&near)
                && self.controls(near, hex)
            {
                zones.push((near, stands.zone()));
            }
        }
        zones
    }

    /// ¶80, 82, 85-86, 231, 238: whether a line may pass a hex: no enemy in it who bars it, and no firm enemy zone that
    /// cuts it unless a friend stands there. Where a counter may be a vedette the line may be drawn, as ¶85 lets its owner
    /// do.
    pub fn line_may_pass(&self, hex: Hex) -> bool {
        let is = |at: Hex, of: fn(Stands) -> Firm| self.enemy.get(&at).is_some_and(|stands| of(*stands) == Firm::Yes);
        let cut = |near: &Hex| is(*near, Stands::cuts) && self.controls(*near, hex);
        !is(hex, Stands::bars) && (self.line_defies_zones(hex) || !hex.neighbours().iter().any(cut))
    }

    /// ¶77, 82 Whether a line may pass a hex whatever zones lie on it: the garrison of the active source negates them, and
    /// so does a friend.
    fn line_defies_zones(&self, hex: Hex) -> bool {
        self.source_defies_zones(hex) || self.own.occupied_by_force(hex)
    }

    fn source_defies_zones(&self, hex: Hex) -> bool {
        let holds =
            |army: &Army| army.source == Some(hex) && (army.source_moving.is_none() || army.source_garrison > 0);
        self.own.armies().any(holds)
    }

    /// ¶80, 82, 85-86, 231, 238: the hexes that no line may pass, some of them more than once; only firm enemies close any.
    pub fn closed(&self) -> &[Hex] {
        self.shut.get_or_init(|| self.all_closed())
    }

    fn all_closed(&self) -> Vec<Hex> {
        let mut closed = Vec::new();
        // Who stands anywhere is a longer question than where anybody does.
        let mut counters: Vec<Hex> = self.own.on_map().map(|(_, at)| at).chain(self.own.garrisons()).collect();
        counters.sort_unstable();
        let friend = |near: &Hex| counters.binary_search(near).is_ok() && self.own.occupied_by_force(*near);
        let defied = |near: &Hex| friend(near) || self.source_defies_zones(*near);
        for (hex, stands) in &self.enemy {
            if stands.bars() == Firm::Yes {
                closed.push(*hex);
            }
            if stands.cuts() == Firm::Yes {
                let cut = |near: &Hex| self.controls(*hex, *near) && !defied(near);
                closed.extend(hex.neighbours().into_iter().filter(cut));
            }
        }
        closed
    }

    /// ¶86 Whether a dispatch from the Center of Operations reaches a hex.
    pub fn hears_the_center(&self, hex: Hex) -> bool {
        // ¶167: where the sources are the centers, from any depot with a line to one.
        if self.board.exceptions.administration.sources_are_centers {
            let open = self.active_sources();
            let mut points: BTreeSet<Hex> = open.iter().copied().collect();
            open.iter().for_each(|source| points.extend(self.depots_on_line(*source).iter()));
            return self.near_any(hex, &points.into_iter().collect::<Vec<_>>());
        }
        self.own.army.center.is_some_and(|center| self.near_any(hex, &[center]))
    }

    /// ¶75, 92 Sources that are active all at once: those of the side that no enemy counter stands in.
    pub fn active_sources(&self) -> Vec<Hex> {
        self.board.sources(self.own).iter().copied().filter(|hex| !self.enemy.contains_key(hex)).collect()
    }

    /// ¶92 Why the army's center is inactive; where the sources are the centers it is so only if none is active.
    pub fn idle(&self) -> Option<Idle> {
        if let Some(anchor) = self.own.army.anchor {
            return self.enemy.contains_key(&anchor).then_some(Idle::Occupied);
        }
        if !self.board.exceptions.administration.sources_are_centers {
            return self.own.army.idle();
        }
        if self.active_sources().is_empty() { Some(Idle::NoSource) } else { None }
    }

    /// ¶75 Whether an enemy force with artillery stands in one of some hexes; a view, that cannot know, says no.
    pub fn guns_in(&self, hexes: &BTreeSet<Hex>) -> bool {
        hexes.iter().any(|h| match &self.guns {
            Some(guns) => guns.contains(h),
            None => false,
        })
    }

    /// ¶86 Whether a hex is within dispatch distance of one of some hexes.
    pub fn near_any(&self, hex: Hex, points: &[Hex]) -> bool {
        self.dispatch(points).contains(hex)
    }

    /// ¶72, 86, 91 Whether a hex can trace supply for attrition.
    pub fn supplied(&self, army: &Army, hex: Hex) -> bool {
        self.near_any(hex, &self.supply_points(army))
    }

    /// ¶86: a dispatch rides at cavalry costs, one MP by any road, no extra for bridges, and into mountains by road only.
    pub fn dispatch_step(&self, from: Hex, to: Hex) -> Option<Halves> {
        self.ride(from, from.dir_to(to)?, to)
    }

    /// ¶86, 212-214, 253 What it costs to go from a hex over one of its sides, as the ground lies now.
    pub(super) fn toll(&self, from: Hex, dir: Dir) -> Toll {
        let to = from.neighbour(dir);
        Toll { road: self.road_in(from, dir), step: self.step(from, to, true), ride: self.ride(from, dir, to) }
    }

    /// ¶86 As `dispatch_step`, in a direction.
    fn ride(&self, from: Hex, dir: Dir, to: Hex) -> Option<Halves> {
        if !self.board.map.contains(to) {
            return None;
        }
        let lie = self.lie(from, dir);
        if lie.road.is_some() {
            return Some(self.mired(Halves::whole(1)));
        }
        if self.ground(to) == Ground::Mountain {
            return None;
        }
        let toll =
            if lie.by_pontoon { self.board.tables.terrain.crossing_mp(Crossing::Pontoon, true)? } else { Halves(0) };
        self.cost(to, lie, true).map(|c| self.mired(c.horse - toll))
    }

    /// MP from every hex to one, in halves, by the costs of the ground alone, but not through some hexes; within a limit if one
    /// is given.
    pub fn distances(&self, to: Hex, mounted: bool, limit: Option<Halves>, closed: &[Hex]) -> Reach {
        let tolls = self.tolls();
        Reach::of(&self.board.map, [to], limit.map(|halves| halves.0), |_, dir, from| {
            let cost = tolls.over(from, dir.opposite()).step.filter(|_| !closed.contains(&from))?;
            Some(if mounted { cost.horse.0 } else { cost.foot.0 })
        })
    }

    /// ¶368 The nearest friendly force of a vedette that leaves a hex: within its own MP, not through the enemy; among
    /// equals the first by name.
    pub fn nearest_force(&self, from: Hex) -> Option<LeaderId> {
        let most = Halves::whole(self.board.tables.terrain.allowances.vedette);
        let near = Reach::of(&self.board.map, [from], Some(most.0), |hex, _, next| {
            let open = self.board.map.contains(next) && !self.enemy.contains_key(&next);
            open.then(|| self.step(hex, next, true)).flatten().map(|cost| cost.horse.0)
        });
        let forces = self.own.on_map().filter(|(l, h)| !self.own.unemployed(l) && near.contains(*h));
        forces.min_by_key(|(l, h)| (near.cost(*h), (*l).clone())).map(|(l, _)| l.clone())
    }

    /// ¶72, 91: the hexes from which supply for attrition may be traced: the center with its line, and depots with a
    /// line to any possible source.
    pub fn supply_points(&self, army: &Army) -> Vec<Hex> {
        let mut points: BTreeSet<Hex> = BTreeSet::new();
        if let (Some(center), Some(_), None) = (army.center, &army.loc, army.anchor) {
            points.insert(center);
        }
        for source in self.board.sources(self.own) {
            points.extend(self.depots_on_line(*source).iter());
        }
        points.into_iter().collect()
    }
}

impl Pieces {
    /// Whether a force or garrison of this side stands in a hex; vedettes and unemployed leaders do not count.
    pub fn occupied_by_force(&self, hex: Hex) -> bool {
        self.on_map().any(|(id, at)| at == hex && !self.unemployed(id)) || self.garrisons().any(|at| at == hex)
    }
}

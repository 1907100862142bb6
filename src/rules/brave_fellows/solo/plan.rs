//! 6.2-6.4 An impulse after the activation: attacks first, then those who go on, then leaders, fire and melee.

use super::super::board::{Arm, COALITION, FRENCH};
use super::super::order::{Order, may};
use super::super::state::{Mood, Segment, State, Unit};
use super::super::view::View;
use super::super::{fire, march, shock};
use super::strike;
use super::{foes, nearest, reach};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::tactical::bot::{self, Ways};
use crate::rules::tactical::facing::toward;
use std::collections::{BTreeMap, BTreeSet};

/// What an attack has to be worth for units that have to come up for it, in hundredths of a battalion.
const COALITION_LEAST: i32 = 12;
/// The French win by standing, and strike back where they can.
const FRENCH_LEAST: i32 = 8;
/// What an attack has to be worth for units that stand there already.
const NOW_LEAST: i32 = 5;
/// 6.3.7 The reach of guns.
const RANGE: u32 = 4;
/// What an attack to come adds to the fire at a hex, in firepower.
const STRUCK: i32 = 4;
/// What is a hex of way worth, in hundredths.
const STEP: i32 = 10;
/// What a battalion gives to stand in its town.
const HOME: i32 = 60;
/// No more friends around count.
const FRIENDS: i32 = 3;
/// So far foot comes in an impulse, and attacks.
const MARCH: u32 = 5;
/// No more than so many factors count as a threat.
const THREAT: i32 = 40;
/// 9.6 Enemies so near to the towns are what a relief goes at.
const RELIEF: u32 = 6;

/// How far it is to where an arm wants to go.
type Field = BTreeMap<Hex, i32>;

/// A line, the unit that moves or turns by it, and its first step.
struct Said {
    text: String,
    who: Option<String>,
    step: Option<Hex>,
}

/// What a side does in an impulse, line by line, and the table as it will be then.
struct Plan<'v> {
    v: &'v View,
    s: State,
    /// Units that nothing has been said of.
    free: BTreeSet<String>,
    lines: Vec<Said>,
    /// Hexes that will be attacked, and by whom.
    strikes: BTreeMap<Hex, Vec<String>>,
    fields: BTreeMap<(Arm, BTreeSet<Hex>), Field>,
}

/// The movement of an impulse and its fire; melee too where nobody fires.
pub(super) fn movement(v: &View) -> Vec<String> {
    let mut plan = Plan::new(v);
    plan.enter();
    plan.charge();
    plan.strike();
    plan.stand();
    if let Some(probe) = plan.probe() {
        return vec![probe];
    }
    plan.under_way_first();
    plan.lead();
    let struck: BTreeSet<Hex> = plan.strikes.keys().copied().collect();
    let shooters = from_afar(&plan.s, &v.side);
    let fires = fires(&plan.s, &v.side, &struck, &shooters);
    let moves = plan.lines.into_iter().map(|said| said.text);
    if !fires.is_empty() {
        return moves.chain(fires).collect();
    }
    moves.chain(melees(&mut plan.s, &v.side)).chain(["END".to_owned()]).collect()
}

/// The fire and the melees of an impulse: when the enemy has fired at who came up, those who still can fire together.
pub(super) fn assault(v: &View) -> Vec<String> {
    let mut s = v.state.clone();
    if s.segment == Segment::Fire {
        let near = |id: &String| {
            let hex = s.hex(id);
            hex.is_some_and(|hex| nearest(&s, &v.side, hex).is_some_and(|(far, _)| far <= 1))
        };
        let shooters = s.units.keys().filter(|id| near(id)).cloned().collect();
        let lines = fires(&s, &v.side, &BTreeSet::new(), &shooters);
        if !lines.is_empty() {
            return lines;
        }
    }
    melees(&mut s, &v.side).into_iter().chain(["END".to_owned()]).collect()
}

/// Who fires first: those whom the fire of the other side, which comes before theirs, does not reach; where there is nobody
/// like that, the weakest, so that the others fire when it is known who of them still can.
fn from_afar(s: &State, side: &SideId) -> BTreeSet<String> {
    let own = s.standing().filter(|(id, ..)| s.is_of(id, side) && s.ff(id) > 0);
    let (near, far): (Vec<_>, Vec<_>) =
        own.partition(|(.., hex)| nearest(s, side, *hex).is_some_and(|(far, _)| far <= 1));
    let targets = strike::targets(s, side);
    let can = |id: &&String| targets.iter().any(|at| fire::may(s, id, *at).is_ok());
    let first: BTreeSet<String> = far.into_iter().map(|(id, ..)| id).filter(can).cloned().collect();
    if !first.is_empty() {
        return first;
    }
    let weak = near.into_iter().map(|(id, ..)| id).filter(can).min_by_key(|id| (s.ff(id), (*id).clone()));
    weak.cloned().into_iter().collect()
}

/// 6.3.8a All who can fire at a hex fire together, first where they are most.
fn fires(s: &State, side: &SideId, struck: &BTreeSet<Hex>, shooters: &BTreeSet<String>) -> Vec<String> {
    let mut can: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
    for at in strike::targets(s, side) {
        let near = s.standing().filter(|(id, _, hex)| shooters.contains(*id) && hex.distance(at) <= RANGE);
        let ids = near.map(|(id, ..)| id.clone()).filter(|id| s.is_of(id, side) && fire::may(s, id, at).is_ok());
        can.insert(at, ids.collect());
    }
    let power =
        |at: Hex, ids: &[String]| ids.iter().map(|id| s.ff(id)).sum::<i32>() + i32::from(struck.contains(&at)) * STRUCK;
    let volleys = bot::volleys(can, power).into_iter();
    volleys.map(|(at, ids)| format!("FIRE {} AT {at}", ids.join(" "))).collect()
}

/// Who stands next to an enemy attacks him where that is worth it, the best attack first.
fn melees(s: &mut State, side: &SideId) -> Vec<String> {
    let mut lines = Vec::new();
    let stands = s.standing().filter(|(id, u, _)| u.active && s.is_of(id, side));
    let mut ways: Ways = stands.map(|(id, _, hex)| (id.clone(), BTreeMap::from([(hex, Vec::new())]))).collect();
    while let Some(strike) = strike::best(s, side, &ways, NOW_LEAST) {
        let ids: Vec<String> = strike.who.into_iter().map(|(id, _)| id).collect();
        ids.iter().for_each(|id| {
            ways.remove(id);
        });
        lines.push(format!("MELEE {} AT {}", ids.join(" "), strike.at));
    }
    lines
}

impl Plan<'_> {
    fn new(v: &View) -> Plan<'_> {
        let s = v.state.clone();
        let own = |id: &String, u: &Unit| u.active && u.mood != Mood::Routed && !u.idle && s.is_of(id, &v.side);
        let guards = guards(&s, &v.side);
        let free = s.standing().filter(|(id, u, _)| own(id, u) && !guards.contains(*id));
        let free = free.map(|(id, ..)| id.clone()).collect();
        Plan { v, s, free, lines: Vec::new(), strikes: BTreeMap::new(), fields: BTreeMap::new() }
    }

    fn say(&mut self, text: String) {
        self.lines.push(Said { text, who: None, step: None });
    }

    /// 6.2.6, 6.2.11e Whether a unit may still turn when this sheet begins.
    fn may_turn(&self, id: &str) -> bool {
        march::may_turn(&self.v.state, &[id.to_owned()]).is_ok()
    }

    /// A unit goes its way and faces so then; nothing more is said of it.
    fn go(&mut self, id: &str, path: &[Hex], face: Dir) {
        self.free.remove(id);
        let Some(u) = self.s.units.get_mut(id) else { return };
        let turns = u.facing != face;
        u.facing = face;
        u.hex = path.last().copied().or(u.hex);
        let text = if path.is_empty() {
            if !turns || !self.may_turn(id) {
                return;
            }
            format!("FACE {id} {}", face.name())
        } else {
            let hexes: Vec<String> = path.iter().map(ToString::to_string).collect();
            format!("MOVE {id} {} FACE {}", hexes.join(" "), face.name())
        };
        self.lines.push(Said { text, who: Some(id.to_owned()), step: path.first().copied() });
    }

    /// 5.2 Units that wait at the edge come on one by one, leaders with the first.
    fn enter(&mut self) {
        let s = &self.s;
        let leaders: Vec<String> = s
            .leaders
            .iter()
            .filter(|(_, l)| l.waits.is_some() && l.active)
            .map(|(name, _)| format!(" {name}"))
            .collect();
        let waiting = s.units.iter().filter(|(_, u)| u.waits.is_some() && u.active);
        let doors: Vec<(String, Hex)> = waiting.filter_map(|(id, u)| Some((id.clone(), u.waits?))).collect();
        let (mut used, mut lines) = (BTreeSet::new(), Vec::new());
        for (n, (id, door)) in doors.into_iter().enumerate() {
            let fit = |hex: &Hex| {
                may(s, &Order::Enter { pieces: vec![id.clone()], at: Some(*hex) }).is_ok()
                    && s.stack(*hex, &self.v.side).is_empty()
            };
            let mut hexes = [door].into_iter().chain(door.neighbours()).filter(|hex| !used.contains(hex));
            let Some(at) = hexes.find(fit) else { break };
            used.insert(at);
            let with = if n == 0 { leaders.concat() } else { String::new() };
            lines.push(format!("ENTER {id}{with} AT {at}"));
        }
        lines.into_iter().for_each(|line| self.say(line));
    }

    /// 6.2.11 Horse charges where it brings more than half as much again as stands there.
    fn charge(&mut self) {
        let horse: Vec<String> = self.free.iter().filter(|id| self.s.is_arm(id, Arm::Cav)).cloned().collect();
        let targets = strike::targets(&self.s, &self.v.side);
        for id in horse {
            let Some(before) = self.s.units.get(&id).map(|u| u.facing) else { continue };
            let turns = self.may_turn(&id);
            let mut found: Option<(i32, Hex, Dir)> = None;
            for at in &targets {
                let worth = 2 * self.s.mf(&id) * 2 - 3 * strike::stands(&self.s, &self.v.side, *at);
                for dir in [before].into_iter().chain(Dir::ALL.into_iter().filter(|_| turns)) {
                    if let Some(u) = self.s.units.get_mut(&id) {
                        u.facing = dir;
                    }
                    let better = found.is_none_or(|(best, ..)| worth > best);
                    if worth >= 0 && better && shock::may(&self.s, &id, *at).is_ok() {
                        found = Some((worth, *at, dir));
                    }
                }
            }
            if let Some(u) = self.s.units.get_mut(&id) {
                u.facing = found.map_or(before, |(_, _, dir)| dir);
            }
            if let Some((_, at, dir)) = found {
                if dir != before {
                    self.say(format!("FACE {id} {}", dir.name()));
                }
                self.say(format!("CHARGE {id} AT {at}"));
                self.free.remove(&id);
            }
        }
    }

    /// The attacks of the impulse, the best first: who takes part comes up and faces his enemy.
    fn strike(&mut self) {
        let least = if self.v.side.0 == FRENCH { FRENCH_LEAST } else { COALITION_LEAST };
        // Who has come up since makes little difference to where the others can come; their ways are looked at again.
        let mut ways: Ways = self.free.iter().map(|id| (id.clone(), reach::reach(&self.s, id))).collect();
        loop {
            ways.retain(|id, _| self.free.contains(id));
            let Some(strike) = strike::best(&mut self.s, &self.v.side, &ways, least) else { return };
            let at = strike.at;
            for (id, hex) in strike.who {
                // Who has come up before may bar a road.
                let ways = reach::reach(&self.s, &id);
                let Some(path) = ways.get(&hex).cloned() else {
                    self.free.remove(&id);
                    continue;
                };
                let face = toward(path.last().copied().unwrap_or(hex), at);
                self.go(&id, &path, face);
                self.strikes.entry(at).or_default().push(id);
            }
        }
    }

    /// Who does not attack goes where it is best for him.
    fn stand(&mut self) {
        let homes = homes(&self.s, &self.v.side);
        let fronts = reach::fronts(&self.s, &self.v.side);
        for id in self.free.clone() {
            let Some(from) = self.s.hex(&id) else { continue };
            let home = homes.get(&id).copied();
            let aims: BTreeSet<Hex> = match home {
                Some(home) => BTreeSet::from([home]),
                None => aims(&self.s, &self.v.side),
            };
            let Some(arm) = self.s.kind(&id).map(|kind| kind.arm) else { continue };
            let s = &self.s;
            let field =
                self.fields.entry((arm, aims)).or_insert_with_key(|(arm, aims)| reach::field(s, *arm, aims.clone()));
            let ways = reach::reach(s, &id);
            let scored = ways.into_iter().map(|(hex, path)| {
                let far = field.get(&hex).copied().unwrap_or(i32::from(hex != from) * 1_000);
                let worth =
                    place(s, &self.v.side, &id, hex, &fronts) - STEP * far + if home == Some(hex) { HOME } else { 0 };
                (worth, std::cmp::Reverse(path.len()), hex, path)
            });
            let Some((_, _, hex, path)) = scored.max_by_key(|(worth, len, hex, _)| (*worth, *len, *hex)) else {
                continue;
            };
            let look = nearest(s, &self.v.side, hex).map_or(hex, |(_, at)| at);
            let face = if look == hex { self.s.units.get(&id).map_or(Dir::N, |u| u.facing) } else { toward(hex, look) };
            self.go(&id, &path, face);
        }
    }

    /// 6.2.3d Where the die of the chart of levels is still to be rolled, one step that every die allows, so that the others
    /// are planned by what it shows.
    fn probe(&self) -> Option<String> {
        let s = &self.v.state;
        if s.level_die.is_some() {
            return None;
        }
        self.lines.iter().filter_map(|said| said.who.as_ref().zip(said.step.as_ref())).find_map(|(id, to)| {
            let u = s.units.get(id)?;
            let from = u.hex?;
            let high = [from].into_iter().chain(from.neighbours()).any(|hex| s.board.field.level(hex) >= 2);
            let step = march::step(s, id, from, *to, u.climbed).ok()?;
            let sure = step.chart == 0 || (step.chart == 2 && s.kind(id)?.arm == Arm::Inf);
            let step = Order::Move { units: vec![id.clone()], path: vec![*to], face: None };
            (high && sure && may(s, &step).is_ok()).then(|| format!("MOVE {id} {to}"))
        })
    }

    /// 6.2.6 Who has begun to move goes on before others begin.
    fn under_way_first(&mut self) {
        let s = &self.v.state;
        let begun = |id: &String| s.is(id, |u| u.spent > 0 && !u.done);
        // A stable order: the others stay as they were.
        self.lines.sort_by_key(|said| !said.who.as_ref().is_some_and(begun));
    }

    /// 2.3.4g Leaders ride to those who attack, or to where most of their men are; a commander whose loss would lose the
    /// game (10.1) stays behind.
    fn lead(&mut self) {
        let riders = self.s.leaders.iter().filter(|(_, l)| l.active && !l.rode);
        let riders: Vec<(String, Hex)> = riders.filter_map(|(name, l)| Some((name.clone(), l.hex?))).collect();
        for (name, from) in riders {
            let s = &self.s;
            let Some(chief) = s.chief(&name) else { continue };
            let rides = march::rides(s, &self.v.side, from, chief.ma);
            let own: Vec<(&String, Hex)> =
                s.standing().filter(|(id, ..)| s.obeys(id, &name)).map(|(id, _, hex)| (id, hex)).collect();
            let attack = |hex: Hex| {
                self.strikes.values().flatten().filter(|id| own.iter().any(|(who, at)| who == id && *at == hex)).count()
            };
            let worth = |hex: Hex| {
                let near = i32::try_from(nearest(s, &self.v.side, hex).map_or(9, |(far, _)| far).min(9)).unwrap_or(9);
                let with = own.iter().filter(|(_, at)| at.distance(hex) <= 2).count();
                let with = i32::try_from(with).unwrap_or(0);
                let here = own.iter().any(|(_, at)| *at == hex);
                if chief.of.is_none() {
                    let foot = |(id, at): &(&String, Hex)| *at == hex && s.is_arm(id, Arm::Inf);
                    let guarded = i32::from(own.iter().any(foot));
                    return near.min(8) * 40 + with + guarded * 150 - i32::from(!here) * 100;
                }
                let fights = i32::try_from(attack(hex)).unwrap_or(0);
                fights * 30 + with * 5 + i32::from(here) * 200 - i32::from(near <= 1 && fights == 0) * 40
            };
            let best = rides.keys().copied().chain([from]).max_by_key(|hex| (worth(*hex), *hex == from, *hex));
            if let Some(to) = best.filter(|to| *to != from && worth(*to) > worth(from)) {
                self.say(format!("LEADER {name} TO {to}"));
                if let Some(l) = self.s.leaders.get_mut(&name) {
                    l.hex = Some(to);
                }
            }
        }
    }
}

/// 10.1 The battalions without which a commander would stand alone, whose loss would lose the game: they stay with him.
fn guards(s: &State, side: &SideId) -> BTreeSet<String> {
    let chiefs = s.leaders.iter().filter(|(name, _)| s.chief(name).is_some_and(|c| c.side == *side && c.of.is_none()));
    let foot = |hex: Hex| s.stack(hex, side).into_iter().find(|id| s.is_arm(id, Arm::Inf));
    chiefs.filter_map(|(_, l)| foot(l.hex?)).collect()
}

/// What a hex is worth to a unit that does not attack: cover and friends for it, enemies next to it against it, and more the
/// less it can take; guns like to see somebody.
fn place(s: &State, side: &SideId, id: &str, hex: Hex, fronts: &BTreeSet<Hex>) -> i32 {
    let Some((u, kind)) = s.units.get(id).zip(s.kind(id)) else { return 0 };
    let far = nearest(s, side, hex).map_or(u32::MAX, |(far, _)| far);
    let cover = -s.board.ground(hex).map_or(0, |ground| ground.fire_drm) * 4;
    let friends = s.standing().filter(|(other, _, at)| *other != id && at.distance(hex) <= 1 && s.is_of(other, side));
    let friends = i32::try_from(friends.count()).unwrap_or(0).min(FRIENDS);
    let tired = u.mood != Mood::Fresh;
    let danger = match (kind.arm, far) {
        (_, 0 | 1) if tired => 200,
        (_, 2) if tired => 60,
        (_, 3) if tired => 20,
        (Arm::Inf, 0 | 1) => 40,
        (Arm::Art, 0 | 1) => 150,
        (Arm::Art, 2) => 30,
        (Arm::Cav, 0 | 1) => 80,
        (Arm::Cav, 2) => 30,
        _ => 0,
    } + i32::from(fronts.contains(&hex)) * 20;
    let sees =
        kind.arm == Arm::Art && foes(s, side).any(|(_, at)| at.distance(hex) < RANGE && fire::sees(s, side, hex, at));
    cover + friends * 6 + i32::from(sees) * 60 - danger - exposed(s, side, id, hex)
}

/// What can come at a unit in a hex, beyond double that which stands with it there: who stands to hold does not wait alone for a mass. The
/// Coalition has men enough.
fn exposed(s: &State, side: &SideId, id: &str, hex: Hex) -> i32 {
    if side.0 == COALITION {
        return 0;
    }
    let with = |other: &String, at: Hex| s.is_of(other, side) && at == hex && other != id;
    let own =
        s.mf(id) + s.standing().filter(|(other, _, at)| with(other, *at)).map(|(other, ..)| s.mf(other)).sum::<i32>();
    let comes = |other: &String, u: &Unit| !s.is_of(other, side) && u.mood == Mood::Fresh && !s.is_battery(other);
    let near = s.standing().filter(|(other, u, at)| comes(other, u) && at.distance(hex) <= MARCH);
    let threat: i32 = near.map(|(other, ..)| strike::factor(s, other)).sum();
    (threat - 2 * own).clamp(0, THREAT) * 2
}

/// 10.2.2, 10.2.4 What a side's units go for: the Coalition for French units and the towns that they hold, a French relief for
/// enemies who come near the towns of the road, and for Durenstein.
fn aims(s: &State, side: &SideId) -> BTreeSet<Hex> {
    let enemies = foes(s, side).filter(|(id, _)| !s.is_battery(id)).map(|(_, hex)| hex);
    let place = |name: &String| s.board.field.places.get(name).and_then(|hexes| hexes.first()).copied();
    if side.0 == COALITION {
        let held = s.towns.iter().filter(|(_, holder)| holder.0 == FRENCH);
        return enemies.chain(held.filter_map(|(name, _)| place(name))).collect();
    }
    let towns: Vec<Hex> = TOWNS.iter().filter_map(|name| place(&(*name).to_owned())).collect();
    let near: BTreeSet<Hex> = enemies.filter(|hex| towns.iter().any(|at| at.distance(*hex) <= RELIEF)).collect();
    if near.is_empty() { towns.into_iter().take(1).collect() } else { near }
}

/// 10.2.2 The towns that the French have to hold, as often as a battalion is needed there.
const TOWNS: [&str; 6] = ["Durenstein", "Durenstein", "Oberloiben", "Unterloiben", "Oberloiben", "Unterloiben"];

/// 10.2.2 The town that a battalion of Gazan's holds: the nearest to each in turn; who is left over stays with the last.
fn homes(s: &State, side: &SideId) -> BTreeMap<String, Hex> {
    let gazan = |id: &str| {
        s.is_of(id, side)
            && s.kind(id).is_some_and(|k| k.arm != Arm::Cav && k.formation.first().is_some_and(|f| f == "Gazan"))
    };
    let mut free: Vec<(String, Hex)> =
        s.standing().filter(|(id, ..)| gazan(id)).map(|(id, _, hex)| (id.clone(), hex)).collect();
    let mut found = BTreeMap::new();
    let is_foot = |id: &String| s.is_arm(id, Arm::Inf);
    let place = |name: &str| s.board.field.places.get(name).and_then(|hexes| hexes.first()).copied();
    // 10.1 A commander who stands alone can be taken by whoever rides up.
    let chiefs = s.leaders.iter().filter(|(name, _)| s.chief(name).is_some_and(|c| c.side == *side && c.of.is_none()));
    let guarded: Vec<Hex> = chiefs.filter_map(|(_, l)| l.hex).collect();
    for at in guarded.into_iter().chain(TOWNS.iter().filter_map(|name| place(name))) {
        let foot = free.iter().filter(|(id, _)| is_foot(id));
        let Some(next) = foot.min_by_key(|(id, hex)| (hex.distance(at), id.clone())).map(|(id, _)| id.clone()) else {
            break;
        };
        free.retain(|(id, _)| *id != next);
        found.insert(next, at);
    }
    if let Some(last) = TOWNS.last().and_then(|name| place(name)) {
        found.extend(free.into_iter().map(|(id, _)| (id, last)));
    }
    found
}

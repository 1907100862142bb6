//! 12.0 The program's own player: it activates who is nearest to the enemy, goes at the nearest aim, fires at all
//! that it can, and attacks at even odds.
//!
//! It leads a side that nobody plays, and plays whole games for tests. It asks the rules' own tests whether a line is allowed, on its
//! side's view.

use super::board::{Arm, COALITION, FRENCH};
use super::order::{Call, Order, may};
use super::state::{At, Mood, Segment, State, Unit};
use super::view::View;
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::Ask;
use std::collections::{BTreeMap, BTreeSet};

/// French units wait until an enemy is so near.
const WAKE: u32 = 5;
/// Nobody plans longer ways than this.
const STEPS: usize = 9;
/// Faces of the die of a melee.
const FACES: i32 = 10;
/// From this turn on the French go home to what they have to hold, where no enemy is beside them.
const EVENING: u32 = 10;

/// A stream of numbers out of a noise.
struct Noise(u64);

impl Noise {
    fn one_in(&mut self, n: u64) -> bool {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33).is_multiple_of(n)
    }
}

/// The lines that the player writes: answers to what is asked, or a part of its sheet.
pub fn lines(v: &View, asks: &[Ask], noise: u64) -> Vec<String> {
    if !asks.is_empty() {
        return asks.iter().map(|ask| ask.default.clone()).collect();
    }
    let mut noise = Noise(noise ^ u64::from(v.state.turn * 64 + v.state.nth));
    let mine = matches!(&v.state.at, At::Impulse(side) if *side == v.side);
    match v.state.segment {
        Segment::Activation if mine => activation(v, &mut noise),
        _ if mine => impulse(v, &mut noise),
        _ => vec!["END".to_owned()],
    }
}

fn foes<'v>(s: &'v State, side: &'v SideId) -> impl Iterator<Item = (&'v String, &'v Unit, Hex)> {
    s.standing().filter(|(id, _, _)| !s.is_of(id, side))
}

fn nearest(s: &State, side: &SideId, hex: Hex) -> Option<(u32, Hex)> {
    foes(s, side).filter(|(id, ..)| !s.is_battery(id)).map(|(.., at)| (at.distance(hex), at)).min()
}

/// The leader nearest to the enemy of those who may act, with all under him who are near enough; none left is a pass.
fn activation(v: &View, noise: &mut Noise) -> Vec<String> {
    let s = &v.state;
    let place = |name: &String| s.leaders.get(name).and_then(|l| l.hex.or(l.waits));
    let far = |name: &String| place(name).and_then(|hex| nearest(s, &v.side, hex)).map_or(u32::MAX, |(far, _)| far);
    let own = s.leaders.keys().filter(|name| s.chief(name).is_some_and(|chief| chief.side == v.side));
    let call = |leaders: Vec<String>| Order::Activate(Call { leaders, ..Call::default() });
    let mut able: Vec<String> = own.filter(|name| may(s, &call(vec![(*name).clone()])).is_ok()).cloned().collect();
    able.sort_by_key(|name| (far(name), name.clone()));
    let Some(first) = able.first().cloned() else { return wishes(v, vec!["PASS".to_owned(), "END".to_owned()]) };
    let mut with = vec![first];
    for name in able.iter().skip(1) {
        with.push(name.clone());
        // A leader who can act for himself is left for another impulse as often as not.
        if noise.one_in(2) || may(s, &call(with.clone())).is_err() {
            with.pop();
        }
    }
    let others = s.leaders.keys().filter(|name| s.chief(name).is_some_and(|chief| chief.side == v.side));
    for name in others.filter(|name| !able.contains(name)) {
        with.push(name.clone());
        if may(s, &call(with.clone())).is_err() {
            with.pop();
        }
    }
    let line = match with.as_slice() {
        [only] => format!("ACTIVATE {only}"),
        [first, rest @ ..] => format!("ACTIVATE {first} WITH {}", rest.join(" ")),
        [] => "PASS".to_owned(),
    };
    wishes(v, vec![line])
}

/// Before anything else: whom the side would like back.
fn wishes(v: &View, lines: Vec<String>) -> Vec<String> {
    let s = &v.state;
    let asked = s.wishes.contains_key(&v.side);
    let dead = s.units.iter().find(|(id, u)| {
        let order = Order::Regroup { unit: (*id).clone(), at: Hex::new(1, 1) };
        u.gone.is_some() && s.is_of(id, &v.side) && may(s, &order).is_ok()
    });
    let chief = s.leaders.iter().find(|(name, l)| {
        l.hex.is_some() && s.chief(name).is_some_and(|chief| chief.side == v.side && chief.of.is_none())
    });
    match dead.zip(chief.and_then(|(_, l)| l.hex)) {
        Some(((unit, _), hex)) if !asked => std::iter::once(format!("REGROUP {unit} AT {hex}")).chain(lines).collect(),
        _ => lines,
    }
}

/// Where a unit wants to go: at the nearest enemy; the Coalition at towns of the French besides, the French only where the
/// enemy is near or they come from the west.
fn aim(s: &State, side: &SideId, hex: Hex, unit: &str) -> Option<Hex> {
    let enemy = nearest(s, side, hex);
    let towns = s.towns.iter().filter(|(_, holder)| holder.0 == FRENCH);
    let town = towns.filter_map(|(place, _)| s.board.field.places.get(place)?.first().copied());
    let nearest_town = town.min_by_key(|at| (at.distance(hex), *at));
    if side.0 == COALITION {
        let town = nearest_town.map(|at| (at.distance(hex), at));
        return [enemy, town].into_iter().flatten().min().map(|(_, at)| at);
    }
    let home = home(s, side, unit);
    if s.turn >= EVENING.min(s.board.turns.1)
        && home.is_some_and(|at| at != hex)
        && enemy.is_none_or(|(far, _)| far > 1)
    {
        return home;
    }
    let relief = s.kind(unit).is_some_and(|kind| kind.formation.first().is_none_or(|f| f != "Gazan"));
    enemy.filter(|(far, _)| *far <= WAKE || relief).map(|(_, at)| at)
}

/// 10.2.2 The town that a battalion of Gazan's goes home to: two to Dürenstein, the others to the Loibens.
fn home(s: &State, side: &SideId, unit: &str) -> Option<Hex> {
    let gazan = |id: &str| {
        s.is_of(id, side)
            && s.kind(id).is_some_and(|k| k.arm == Arm::Inf && k.formation.first().is_some_and(|f| f == "Gazan"))
    };
    let foot: Vec<(&String, Hex)> = s.standing().filter(|(id, ..)| gazan(id)).map(|(id, _, hex)| (id, hex)).collect();
    let mut free: Vec<&(&String, Hex)> = foot.iter().collect();
    for place in ["Durenstein", "Durenstein", "Oberloiben", "Unterloiben"] {
        let at = s.board.field.places.get(place)?.first().copied()?;
        let nearest = free.iter().min_by_key(|(id, hex)| (hex.distance(at), *id)).map(|(id, _)| (*id).clone())?;
        if nearest == unit {
            return Some(at);
        }
        free.retain(|(id, _)| **id != nearest);
    }
    None
}

fn facing(from: Hex, to: Hex) -> Dir {
    let best = Dir::ALL.into_iter().min_by_key(|dir| from.neighbour(*dir).distance(to));
    best.unwrap_or(Dir::N)
}

/// The legal way of units that brings them nearest to their aim, greedily, and never back.
pub(super) fn way(s: &State, units: &[String], from: Hex, aim: Hex, taken: &BTreeSet<Hex>) -> Vec<Hex> {
    let mut path: Vec<Hex> = Vec::new();
    let mut at = from;
    let go = |path: &[Hex]| may(s, &Order::Move { units: units.to_vec(), path: path.to_vec(), face: None }).is_ok();
    let foe = units.first().and_then(|id| s.kind(id)).is_some_and(|kind| s.held_against(aim, &kind.side));
    for _ in 0..STEPS {
        if at == aim || (foe && at.adjacent(aim)) {
            break;
        }
        let mut ways: Vec<Hex> = at.neighbours().into_iter().filter(|to| !path.contains(to) && *to != from).collect();
        ways.sort_by_key(|to| (to.distance(aim), *to));
        let next = ways.into_iter().filter(|to| to.distance(aim) <= at.distance(aim)).find(|to| {
            let longer: Vec<Hex> = path.iter().copied().chain([*to]).collect();
            go(&longer)
        });
        let Some(to) = next else { break };
        path.push(to);
        at = to;
    }
    // They do not end where others stand.
    while path.last().is_some_and(|hex| taken.contains(hex)) {
        path.pop();
    }
    path
}

/// Units that wait at the edge come on one by one, leaders with the first.
fn entries(v: &View) -> Vec<String> {
    let s = &v.state;
    let mut lines = Vec::new();
    let leaders: Vec<&String> =
        s.leaders.iter().filter(|(_, l)| l.waits.is_some() && l.active).map(|(name, _)| name).collect();
    let waiting = s.units.iter().filter(|(_, u)| u.waits.is_some() && u.active);
    let doors = waiting.filter_map(|(id, u)| u.waits.map(|door| (id, door)));
    let mut used: BTreeSet<Hex> = BTreeSet::new();
    for (n, (id, door)) in doors.enumerate() {
        let mut hexes: Vec<Hex> = [door].into_iter().chain(door.neighbours()).collect();
        hexes.retain(|hex| !used.contains(hex));
        let fit = |hex: &Hex| {
            may(s, &Order::Enter { pieces: vec![id.clone()], at: Some(*hex) }).is_ok()
                && s.stack(*hex, &v.side).is_empty()
        };
        let Some(at) = hexes.into_iter().find(fit) else { break };
        used.insert(at);
        let with: Vec<String> =
            if n == 0 { leaders.iter().map(|name| format!(" {name}")).collect() } else { Vec::new() };
        lines.push(format!("ENTER {id}{} AT {at}", with.concat()));
    }
    lines
}

/// The whole impulse after the activation.
fn impulse(v: &View, noise: &mut Noise) -> Vec<String> {
    let s = &v.state;
    let mut lines = entries(v);
    let mut stands: BTreeMap<String, Hex> = BTreeMap::new();
    let mut taken: BTreeSet<Hex> = s.standing().map(|(.., hex)| hex).collect();
    let own = |u: &&Unit| u.active && u.mood != Mood::Routed && s.segment == Segment::Movement;
    let movers: Vec<(&String, Hex)> =
        s.units.iter().filter(|(_, u)| own(u)).filter_map(|(id, u)| Some((id, u.hex?))).collect();
    for (id, hex) in movers {
        stands.insert(id.clone(), hex);
        if s.units.get(id).is_some_and(|u| u.spent > 0 || u.halted) {
            continue;
        }
        let Some(aim) = aim(s, &v.side, hex, id) else { continue };
        let horse = s.kind(id).is_some_and(|kind| kind.arm == Arm::Cav);
        let turned = facing(hex, aim);
        if horse
            && s.units
                .get(id)
                .is_some_and(|u| may(s, &Order::Charge { unit: id.clone(), at: aim }).is_ok() && u.facing == turned)
            && noise.one_in(2)
        {
            lines.push(format!("CHARGE {id} AT {aim}"));
            continue;
        }
        let path = way(s, std::slice::from_ref(id), hex, aim, &taken);
        if let Some(end) = path.last().copied() {
            taken.insert(end);
            if s.stack(hex, &v.side).len() == 1 {
                taken.remove(&hex);
            }
            stands.insert(id.clone(), end);
            let hexes: Vec<String> = path.iter().map(ToString::to_string).collect();
            lines.push(format!("MOVE {id} {} FACE {}", hexes.join(" "), facing(end, aim).name()));
        } else if s.units.get(id).is_some_and(|u| u.facing != turned) {
            lines.push(format!("FACE {id} {}", turned.name()));
        }
    }
    lines.extend(leaders(v, &stands));
    lines.extend(fires(v, &stands));
    lines.extend(melees(v, &stands));
    lines.push("END".to_owned());
    lines
}

/// Leaders follow the first of the units that act with them.
fn leaders(v: &View, stands: &BTreeMap<String, Hex>) -> Vec<String> {
    let s = &v.state;
    let riders = s.leaders.iter().filter(|(_, l)| l.active && !l.rode && s.segment == Segment::Movement);
    let mut lines = Vec::new();
    for (name, leader) in riders {
        let Some(hex) = leader.hex else { continue };
        let own = stands.iter().filter(|(id, _)| s.obeys(id, name)).map(|(_, at)| *at);
        if let Some(at) = own.min_by_key(|at| (at.distance(hex), *at)).filter(|at| *at != hex) {
            lines.push(format!("LEADER {name} TO {at}"));
        }
    }
    lines
}

fn targets(v: &View) -> BTreeSet<Hex> {
    foes(&v.state, &v.side).map(|(.., hex)| hex).collect()
}

/// Each fires at the nearest that it will have before it.
fn fires(v: &View, stands: &BTreeMap<String, Hex>) -> Vec<String> {
    let s = &v.state;
    let mut at: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
    for (id, hex) in stands {
        let Some(kind) = s.kind(id) else { continue };
        let reach = if kind.arm == Arm::Art { 4 } else { 1 };
        let fresh = s.units.get(id).is_some_and(|u| u.mood == Mood::Fresh);
        let near = targets(v).into_iter().filter(|target| target.distance(*hex) <= reach);
        if let Some(target) = near.min_by_key(|t| (t.distance(*hex), *t)).filter(|_| fresh && kind.arm != Arm::Cav) {
            at.entry(target).or_default().push(id.clone());
        }
    }
    at.into_iter().flat_map(|(hex, ids)| ids.into_iter().map(move |id| format!("FIRE {id} AT {hex}"))).collect()
}

/// All foot next to an enemy attack it together, where they are likelier to win than to lose; so does horse by itself.
fn melees(v: &View, stands: &BTreeMap<String, Hex>) -> Vec<String> {
    let s = &v.state;
    let enemy = super::board::other(&v.side);
    let mut lines = Vec::new();
    let mut fought: BTreeSet<String> = BTreeSet::new();
    // The table as it will be when they have moved.
    let mut then = s.clone();
    for (id, hex) in stands {
        if let Some(unit) = then.units.get_mut(id) {
            unit.hex = Some(*hex);
        }
    }
    for target in targets(v) {
        for horse in [false, true] {
            let able = |id: &&String| {
                let arm = s.kind(id).map(|kind| kind.arm);
                (arm == Some(Arm::Cav)) == horse && arm != Some(Arm::Art)
            };
            let near = stands.iter().filter(|(_, hex)| hex.adjacent(target)).map(|(id, _)| id);
            let ids: Vec<String> = near.filter(able).filter(|id| !fought.contains(*id)).cloned().collect();
            if !ids.is_empty() && likely(&then, &ids, target, &enemy) {
                fought.extend(ids.iter().cloned());
                lines.push(format!("MELEE {} AT {target}", ids.join(" ")));
            }
        }
    }
    lines
}

/// Whether more faces of the die win than lose.
fn likely(s: &State, ids: &[String], target: Hex, enemy: &SideId) -> bool {
    let odds = super::melee::weigh(s, ids, target, enemy);
    let results = (1..=FACES).map(|die| s.board.melee().result(odds.column, die + odds.sum.total()));
    let (won, lost) = results.fold((0, 0), |(won, lost), result| {
        (won + u32::from(result.starts_with('D')), lost + u32::from(result.starts_with('A')))
    });
    won > lost
}

//! 24.6, 28 The side in the fog: columns on the strategic map, what goes into chits and where they come down, how they
//! march, and what a discovered one shows.

use super::chart::Fill;
use super::{Dice, chart, march, plan};
use crate::dice::Label;
use crate::plane::near::apart;
use crate::plane::{Heading, Spot};
use crate::rules::austerlitz1805::board::{Arm, Kind, UnitId};
use crate::rules::austerlitz1805::fog::{boxes, march as marches, may_strat};
use crate::rules::austerlitz1805::mist::ChitId;
use crate::rules::austerlitz1805::strategic::{Zone, waiting};
use crate::rules::austerlitz1805::table::{Table, um};
use crate::rules::austerlitz1805::view::View;
use std::collections::{BTreeMap, BTreeSet};

/// Own chits lie so far from each other, so that what they hold finds room.
const ROOM: i32 = 1_200;
/// Places are tried so many units apart.
const GRID: i32 = 500;
/// More tries of one die than this do not come.
const TRIES: usize = 100;
/// Ways round what stops a chit, in degrees off the straight one.
const ROUND: [i32; 5] = [0, 40, -40, 80, -80];
/// A march shorter than this is none.
const LEAST: i32 = 100;

/// The place that a corps goes to.
fn aim(v: &View, corps: &str) -> Option<Spot> {
    let name = plan(v)?.objectives.get(corps)?;
    v.table.board.place(name).map(|p| p.at)
}

/// 28.1.5, 28.2.6.1, 28.2.7.1 The lines that move columns on the strategic map, the first of the plan first, each toward its
/// objective until it is in the own area nearest to that.
pub fn columns(v: &View) -> Vec<String> {
    let (t, me, Some(plan)) = (&v.table, v.me(), plan(v)) else { return Vec::new() };
    let most = v.own.quota.and_then(|q| q.columns).map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(0));
    let mut lines = Vec::new();
    for corps in plan.columns.iter().filter(|c| march::corps_moves(v, c)) {
        let (Some(here), Some(goal)) = (v.own.corps.get(corps).and_then(|z| t.board.zone(z)), aim(v, corps)) else {
            continue;
        };
        let far = |z: &Zone| apart(nearest_in(z, goal).fine(), goal.fine());
        let better = |z: &&Zone| z.side == me && far(z) < far(here) && may_strat(t, &v.own, &me, corps, &z.id).is_ok();
        let to = t.board.strategic.zones.iter().filter(better).min_by_key(|z| (far(z), z.id.clone()));
        lines.extend(to.map(|z| format!("STRAT {corps} TO {}", z.id)));
    }
    lines.truncate(most);
    lines
}

/// The place of an area nearest to another.
fn nearest_in(zone: &Zone, to: Spot) -> Spot {
    let (low, high) = zone.rect;
    Spot::new(to.x.clamp(low.x, high.x), to.y.clamp(low.y, high.y))
}

/// 28.1.6.1, 28.2.11 What makes units of one arm differ in value: musketry, firepower, or the combat modifier.
fn value(t: &Table, id: &UnitId) -> i32 {
    t.spec(id).map_or(0, |s| if s.arm == Arm::Cavalry { s.combat } else { s.fire })
}

/// 24.6.4, 28.1.6.1, 28.1.6.3, 28.2.11 One of several units of an arm: those of one value, the most numerous first, are
/// numbered, and a die takes one of them; where all are of one value the first is taken without a die.
fn one_of(t: &Table, units: &[UnitId], label: &Label, dice: &mut dyn Dice) -> Option<UnitId> {
    let mut alike: BTreeMap<i32, Vec<UnitId>> = BTreeMap::new();
    units.iter().for_each(|u| alike.entry(value(t, u)).or_default().push(u.clone()));
    if alike.len() < 2 {
        return units.iter().min().cloned();
    }
    let mut lots: Vec<(i32, Vec<UnitId>)> = alike.into_iter().collect();
    lots.sort_by_key(|(value, units)| (std::cmp::Reverse(units.len()), std::cmp::Reverse(*value)));
    let numbered: Vec<UnitId> = lots.into_iter().flat_map(|(_, units)| units).collect();
    Some(numbered.get(number(numbered.len(), label, dice))?.clone())
}

/// The number that a die gives among so many: in equal shares of its six faces where they divide, else of a die with so many
/// faces.
fn number(count: usize, label: &Label, dice: &mut dyn Dice) -> usize {
    let sides = if count > 0 && 6 % count == 0 { 6 } else { count };
    let die = dice.die(label.clone(), u32::try_from(sides).unwrap_or(6));
    usize::try_from(die - 1).unwrap_or(0) * count / sides.max(1)
}

/// What is left on the strategic map for the sheet's chits.
struct Stock {
    /// Units by corps, with those that returned from an uncovered chit first.
    left: Vec<(String, Vec<UnitId>)>,
}

impl Stock {
    /// 28.1.6.1, 28.2.9, 28.1.6.4 Units that a discovered chit did not show; then the corps of the plan in order. The Guard
    /// follows when it is activated (28.2.6); a corps whose first movements are strategic waits for them (28.2.6.1).
    fn of(v: &View) -> Stock {
        let (t, me, Some(plan)) = (&v.table, v.me(), plan(v)) else { return Stock { left: Vec::new() } };
        let stands = waiting(t, &v.own, &me);
        let first: Vec<UnitId> =
            v.own.np.first.iter().filter(|u| stands.iter().any(|(w, _)| w == *u)).cloned().collect();
        let mut left: Vec<(String, Vec<UnitId>)> = Vec::new();
        for unit in &first {
            let corps = t.board.group(unit);
            match left.iter_mut().find(|(c, _)| *c == corps) {
                Some((_, units)) => units.push(unit.clone()),
                None => left.push((corps, vec![unit.clone()])),
            }
        }
        let guard = v.own.np.guard.then_some(&plan.guard.corps);
        for corps in plan.chits.iter().chain(guard) {
            let strategic = plan.strategic.get(corps).is_some_and(|n| t.turn < t.board.turns.0 + n);
            let units: Vec<UnitId> =
                stands.iter().filter(|(u, c)| c == corps && !first.contains(u)).map(|(u, _)| u.clone()).collect();
            if !strategic && !units.is_empty() {
                left.push((corps.clone(), units));
            }
        }
        Stock { left }
    }

    /// The units of a corps that are still there.
    fn corps(&self, corps: &str) -> Vec<UnitId> {
        self.left.iter().filter(|(c, _)| c == corps).flat_map(|(_, units)| units.clone()).collect()
    }

    fn take(&mut self, unit: &UnitId) {
        self.left.iter_mut().for_each(|(_, units)| units.retain(|u| u != unit));
    }

    /// The first entry that has more than an HQ.
    fn next(&self, t: &Table) -> Option<(String, Vec<UnitId>)> {
        self.left.iter().find(|(_, units)| units.iter().any(|u| t.arm(u) != Arm::Hq)).cloned()
    }
}

/// 28.1.6.1, 28.2.9 The next chit, filled to the limit out of the first corps in order, and out of the corps that fills its
/// chits up.
fn load(v: &View, stock: &mut Stock, dice: &mut dyn Dice) -> Option<Vec<UnitId>> {
    let t = &v.table;
    let (corps, units) = stock.next(t)?;
    let label = Label::of_side("fill", &v.me());
    let fill = plan(v).and_then(|p| p.fill.get(&corps));
    let mut load: Vec<UnitId> = Vec::new();
    for arm in [Arm::Infantry, Arm::Cavalry, Arm::Cavalry, Arm::Artillery, Arm::Hq] {
        let fits = |u: &UnitId, load: &[UnitId]| {
            t.arm(u) == arm
                && !load.contains(u)
                && boxes::may_hold(t, &[load, std::slice::from_ref(u)].concat()).is_ok()
        };
        let mut options: Vec<UnitId> = units.iter().filter(|u| fits(u, &load)).cloned().collect();
        if options.is_empty() {
            options = stock.corps(&corps).into_iter().filter(|u| fits(u, &load)).collect();
        }
        if let Some(fill) = fill.filter(|_| options.is_empty()) {
            options = filling(v, stock, fill, arm).into_iter().filter(|u| fits(u, &load)).collect();
        }
        if let Some(unit) = one_of(t, &options, &label, dice) {
            load.push(unit);
        }
    }
    // The chit stands for the corps whose turn it is, whatever fills it up.
    load.sort_by_key(|u| t.board.group(u) != corps);
    load.iter().for_each(|u| stock.take(u));
    (!load.is_empty()).then_some(load)
}

/// 28.2.9 Whom another corps gives to fill chits up: of each arm so many in all, and foot artillery.
fn filling(v: &View, stock: &Stock, fill: &Fill, arm: Arm) -> Vec<UnitId> {
    let t = &v.table;
    let me = v.me();
    // Corps of both sides bear the same numbers.
    let own = t.board.units.values().filter(|s| s.side == me && s.arm == arm).map(|s| &s.id);
    let of_corps = own.filter(|u| t.board.group(u) == fill.corps);
    let left = stock.corps(&fill.corps);
    let gone = of_corps.filter(|u| !left.contains(u)).count();
    if gone >= fill.most(arm) {
        return Vec::new();
    }
    left.into_iter().filter(|u| t.arm(u) == arm && (arm != Arm::Artillery || t.kind(u) == Kind::Foot)).collect()
}

/// 28.1.3-28.1.6.3, 28.2.5-28.2.11 The lines that fill chits and put them down, each in its corps' area as near to the
/// objective as may be.
pub fn chits(v: &View, dice: &mut dyn Dice) -> Vec<String> {
    let t = &v.table;
    let most = v.own.quota.map_or(0, |q| q.chits);
    let mut stock = Stock::of(v);
    let mut used: Vec<Spot> = own_chits(v).into_iter().map(|(_, _, at)| at).collect();
    let mut lines = Vec::new();
    let free: Vec<u8> = (1..=t.board.tables.fog.boxes).filter(|n| !v.own.boxes.contains_key(n)).collect();
    let mut numbers = free.into_iter();
    while u32::try_from(lines.len()).unwrap_or(u32::MAX) < most {
        let Some(load) = load(v, &mut stock, dice) else { break };
        let Some(number) = numbers.clone().next() else { break };
        let Some(at) = spot(v, number, &load, &used) else { continue };
        numbers.next();
        used.push(at);
        let names: Vec<&str> = load.iter().map(|u| u.0.as_str()).collect();
        lines.push(format!("CHIT {number} = {} PLACE {at}", names.join(", ")));
    }
    lines
}

/// The place nearest to the objective where a chit may come down, clear of the side's other chits.
fn spot(v: &View, number: u8, load: &[UnitId], used: &[Spot]) -> Option<Spot> {
    let (t, me) = (&v.table, v.me());
    let corps = t.board.group(load.first()?);
    let zone = v.own.corps.get(&corps).and_then(|z| t.board.zone(z))?;
    let (low, high) = zone.rect;
    let middle = Spot::new((low.x + high.x) / 2, (low.y + high.y) / 2);
    let goal = aim(v, &corps).unwrap_or(middle);
    let step = usize::try_from(GRID).unwrap_or(1);
    let columns = (low.x..=high.x).step_by(step);
    let mut spots: Vec<Spot> =
        columns.flat_map(|x| (low.y..=high.y).step_by(step).map(move |y| Spot::new(x, y))).collect();
    spots.sort_by_key(|s| (apart(s.fine(), goal.fine()), *s));
    let clear = |s: &Spot| used.iter().all(|o| !apart(o.fine(), s.fine()).within(ROOM));
    boxes::first_place(t, (&v.own, &me), (number, load), spots.into_iter().filter(clear))
}

/// The side's chits on the map: box, corps and place, in the order of the plan (28.1.4, 28.2.6).
fn own_chits(v: &View) -> Vec<(u8, String, Spot)> {
    let t = &v.table;
    let order = |corps: &String| plan(v).and_then(|p| p.chits.iter().position(|c| c == corps)).unwrap_or(usize::MAX);
    let mut found = Vec::new();
    for (number, boxed) in &v.own.boxes {
        let corps = boxed.units.first().map(|u| t.board.group(u)).unwrap_or_default();
        found.extend(t.chit(&boxed.chit).map(|c| (*number, corps, c.at)));
    }
    found.sort_by_key(|(number, corps, _)| (order(corps), *number));
    found
}

/// The chits that march in a player-turn, in order.
pub fn marching(v: &View) -> Vec<u8> {
    own_chits(v).into_iter().filter(|(_, corps, _)| march::corps_moves(v, corps)).map(|(number, _, _)| number).collect()
}

/// 24.6.1, 24.6.2, 28.1.4 The march of a chit: to its objective; from there, if the enemy holds none of it any more, to the
/// nearest enemy chit, unless the side defends.
pub fn chit_line(v: &View, number: u8) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let (_, corps, at) = own_chits(v).into_iter().find(|(n, _, _)| *n == number)?;
    let name = plan(v).and_then(|p| p.objectives.get(&corps));
    let place = name.and_then(|name| t.board.place(name));
    let there = place.is_none_or(|p| apart(at.fine(), p.at.fine()).within(p.radius));
    let goal = if there {
        // 24.6.2: a side that defends stays on its objective.
        nearest_enemy_chit(t, &me, at).filter(|_| !super::groups::defends(v))?
    } else {
        place.map(|p| p.at)?
    };
    let far = apart(at.fine(), goal.fine()).units();
    let way = Heading::between(at.fine(), goal.fine())?;
    let mut best: Option<(i32, Spot, Option<i32>)> = None;
    for round in ROUND {
        let to = if round == 0 {
            goal
        } else {
            march::on_map(v, at.fine().toward(way.turned(round), t.board.tables.moves.chit.min(far)).spot())
        };
        let Ok(march) = marches::trace(t, &v.own, &me, number, to, None) else { continue };
        let rest = apart(march.to.fine(), goal.fine()).units();
        if rest + LEAST <= far && best.is_none_or(|(least, _, _)| rest < least) {
            best = Some((rest, to, march.halt.is_some().then_some(march.far)));
        }
        if best.is_some() && march.halt.is_none() {
            break;
        }
    }
    best.map(|(_, to, gone)| {
        let units = gone.map_or_else(String::new, |gone| format!(" {}UM", um(gone)));
        format!("MARCH {number} TOWARD {to}{units}")
    })
}

fn nearest_enemy_chit(t: &Table, me: &crate::fog::SideId, from: Spot) -> Option<Spot> {
    let enemy = t.mist.chits.values().filter(|c| c.side != *me);
    enemy.min_by_key(|c| (apart(c.at.fine(), from.fine()), c.at)).map(|c| c.at)
}

/// What a die says of a discovered chit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The die that counted.
    pub die: i32,
    /// Who comes out; nobody from a decoy.
    pub shown: Vec<UnitId>,
    /// Who goes back among those who wait, to come first into the next chits.
    pub back: Vec<UnitId>,
}

/// 24.6.3-24.6.5, 28.1.6.4, 28.2.12 What a discovered chit holds. A result that shows nobody, or an HQ alone, is rolled again;
/// and so is a decoy when the side's five are used up (16.4.2, 22.4).
pub fn draw(v: &View, chit: &ChitId, held: &[UnitId], dice: &mut dyn Dice) -> Drawn {
    let t = &v.table;
    let all = Drawn { die: 0, shown: held.to_vec(), back: Vec::new() };
    let Some(solo) = chart(v) else { return all };
    let decoys = v.own.decoys_spent < t.board.tables.fog.decoys;
    for _ in 0..TRIES {
        let die = dice.d6(Label::of_side("chit", &v.me()).at(chit));
        let Some(kinds) = solo.chit.get(usize::try_from(die - 1).unwrap_or(0)) else { return all };
        let mut shown: Vec<UnitId> = Vec::new();
        for arm in kinds {
            let options: Vec<UnitId> =
                held.iter().filter(|u| t.arm(u) == *arm && !shown.contains(u)).cloned().collect();
            let wanted = kinds.iter().filter(|k| *k == arm).count();
            let had = shown.iter().filter(|u| t.arm(u) == *arm).count();
            shown.extend(match options.as_slice() {
                units if units.len() + had <= wanted => units.first().cloned(),
                units => units.get(number(units.len(), &Label::of_side("shown", &v.me()).at(chit), dice)).cloned(),
            });
        }
        let fights = shown.iter().any(|u| t.arm(u) != Arm::Hq);
        if fights || (kinds.is_empty() && decoys) {
            let out: BTreeSet<&UnitId> = shown.iter().collect();
            let back = held.iter().filter(|u| !out.contains(u)).cloned().collect();
            return Drawn { die, shown, back };
        }
    }
    all
}

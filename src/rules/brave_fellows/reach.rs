//! What a seat's own pieces can do from where they stand, reckoned beforehand by the functions that CHECK calls: tables for
//! its order sheet. Each is made of a view, and a piece stands in it as it would once it is activated.

use super::board::Arm;
use super::event::{self, Event};
pub use super::march::Step;
use super::march::{self, Stands};
use super::order::{Call, Order, may};
use super::state::{At, Charge, Segment, State, Wish};
use super::view::View;
use super::{board, bounds, command, enter, fire, melee, order, place, shock, standing};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::orders;
use crate::rules::Ruleset;
use crate::rules::tactical::facing;
use crate::rules::tactical::way::Ways;
use std::collections::{BTreeMap, BTreeSet};

/// 6.3.7a The reach of guns.
const REACH: i16 = 4;

/// 6.1 Somebody who may be activated, and who acts with him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    /// The line that does it.
    pub line: String,
    /// The leader.
    pub leader: String,
    /// Units that act with him.
    pub units: Vec<String>,
    /// 6.1.2 Leaders whom he may take along, each with the units that he brings.
    pub with: BTreeMap<String, Vec<String>>,
}

/// 6.1 Whom a seat may activate now.
pub fn calls(v: &View) -> Vec<Activation> {
    let s = &v.state;
    if s.segment != Segment::Activation || s.at != At::Impulse(v.side.clone()) {
        return Vec::new();
    }
    let names: Vec<String> = order::leaders(v).into_iter().map(|(name, _)| name).collect();
    let bound = |call: &Call| may(s, &Order::Activate(call.clone())).is_ok();
    let of = |leaders: &[&String]| Call { leaders: leaders.iter().map(|l| (*l).clone()).collect(), ..Call::default() };
    let followers = |call: &Call| command::followers_with(s, &v.side, call);
    let with = |first: &String| {
        let others = names.iter().filter(|other| *other != first && bound(&of(&[first, other])));
        others.map(|other| (other.clone(), followers(&of(&[other])))).collect()
    };
    let line = |said: String| {
        let line = format!("ACTIVATE {said}");
        match orders::bind(super::BraveFellows::verbs(), v, &orders::line(1, &line)) {
            Ok(Order::Activate(call)) => {
                let leader = call.leaders.first()?.clone();
                let with = if call.via.is_some() { BTreeMap::new() } else { with(&leader) };
                Some(Activation { line, units: followers(&call), leader, with })
            }
            _ => None,
        }
    };
    let all = standing::callable(v).into_iter().chain(names.iter().filter(|name| bound(&of(&[name]))).cloned());
    let mut said = BTreeSet::new();
    all.filter(|call| said.insert(call.clone())).filter_map(line).collect()
}

/// The table with all activated who may be.
pub fn ready(v: &View, calls: &[Activation]) -> State {
    let mut s = v.state.clone();
    if calls.is_empty() {
        return s;
    }
    let every = |of: fn(&Activation) -> Vec<String>| {
        calls.iter().flat_map(of).collect::<BTreeSet<String>>().into_iter().collect()
    };
    let leaders = every(|call| call.with.keys().chain([&call.leader]).cloned().collect());
    let units = every(|call| call.with.values().flatten().chain(&call.units).cloned().collect());
    event::apply(&mut s, &Event::Activated { side: v.side.clone(), leaders, units });
    event::apply(&mut s, &Event::Began { segment: Segment::Movement });
    s
}

/// 6.2 How a unit may go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Points that it has left.
    pub left: i32,
    /// 6.2.3d Hexes of Levels 2 and 3 that the chart allows it in all, and those that it has had.
    pub climbs: [[i32; 2]; 2],
    /// Steps out of each hex in reach: into an empty hex, and into one where a friend stands; points, and the level of the
    /// chart that the step uses up.
    pub steps: BTreeMap<Hex, [[Option<Step>; 6]; 2]>,
}

/// 6.2 How a unit may go from a hex; none where it may not.
pub fn reach(s: &State, unit: &str, from: Hex, spent: i32) -> Option<Reach> {
    let mut s = s.clone();
    let (kind, points) = (s.kind(unit)?.clone(), s.ma(unit));
    if let Some(u) = s.units.get_mut(unit) {
        // 6.2.3d The chart looks at where it began.
        (u.hex, u.waits, u.spent, u.start) = (Some(from), None, u.spent + spent, Some(u.start.unwrap_or(from)));
    }
    let s = &s;
    let u = s.units.get(unit)?;
    let mine = [unit.to_owned()];
    if s.segment > Segment::Movement || command::active(s, &mine).is_err() || march::may_move(s, unit).is_err() {
        return None;
    }
    let stands = Stands::of(s, &kind.side);
    let step = |from: Hex, to: Hex, friend: bool| {
        let step = stands.priced(s, unit, (from, to), friend).ok()?;
        bounds::tied_from(s, unit, Some(from), to).is_ok().then_some(step)
    };
    let left = points - u.spent;
    let ways = Ways::from([from], |hex: Hex, spent| {
        let next = hex.neighbours().into_iter().filter_map(|to| Some((to, step(hex, to, false)?.cost)));
        next.filter(|(_, cost)| spent + cost <= left).collect::<Vec<_>>()
    });
    let cells = |hex: Hex| [false, true].map(|friend| hex.neighbours().map(|to| step(hex, to, friend)));
    let steps = ways.costs().map(|(hex, _)| (hex, cells(hex))).collect();
    let allowed = s.board.climbs(s.level_die.unwrap_or(march::BEST), Some(kind.arm));
    Some(Reach { left, climbs: [allowed, u.climbed], steps })
}

/// 5.2 The hexes by which a piece may come on, each with what the next stack pays there.
pub fn doors(s: &State, piece: &str) -> BTreeMap<Hex, i32> {
    let waits = s.units.get(piece).and_then(|u| u.waits).or_else(|| s.leaders.get(piece).and_then(|l| l.waits));
    let Some(door) = waits.filter(|_| s.segment <= Segment::Movement) else { return BTreeMap::new() };
    let all = door.neighbours().into_iter().chain([door]);
    let open = |at: &Hex| enter::may(s, &[piece.to_owned()], Some(*at)).is_ok();
    all.filter(open).map(|at| (at, enter::price(s, at))).collect()
}

/// 2.3.4g Where a leader may ride to, with its points.
pub fn rides(s: &State, leader: &str) -> BTreeMap<Hex, i32> {
    if s.segment > Segment::Movement { BTreeMap::new() } else { march::may_ride_to(s, leader) }
}

/// 4.3.2 Whether a unit may turn.
pub fn turns(s: &State, unit: &str) -> bool {
    let mine = [unit.to_owned()];
    s.segment <= Segment::Movement && command::active(s, &mine).is_ok() && march::may_turn(s, &mine).is_ok()
}

/// 9.1-9.3 The hexes in which a piece may be put.
pub fn places(s: &State, piece: &str) -> Vec<Hex> {
    let room = |at: &Hex| place::may(s, &[piece.to_owned()], *at).is_ok();
    place::area(s, piece).into_iter().filter(room).collect()
}

/// Hexes in which enemies stand.
pub fn foes(s: &State, side: &SideId) -> BTreeSet<Hex> {
    s.enemies(side).map(|(.., hex)| hex).collect()
}

/// 6.2.7 Hexes before enemies, in which whoever comes there stops.
pub fn fronts(s: &State, side: &SideId) -> BTreeSet<Hex> {
    s.enemies(side).flat_map(|(id, ..)| s.front(id)).collect()
}

/// How far the fire of a unit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fire {
    /// 6.3.3 The next hex.
    Near,
    /// 6.3.7 Four hexes, if it sees them.
    Guns,
    /// 2.3.3 Four hexes in any case.
    Howitzers,
}

/// A unit on a hex next to an enemy and facing him: whether an order is one that it may get there.
fn beside(s: &State, unit: &str, at: Hex, good: impl Fn(&State) -> bool) -> bool {
    let mut s = s.clone();
    let from = at.neighbour(Dir::N);
    if let Some(u) = s.units.get_mut(unit) {
        (u.hex, u.facing) = (Some(from), Dir::S);
    }
    good(&s)
}

/// 6.3 How far a unit may fire in this impulse, wherever it goes.
pub fn fires(s: &State, unit: &str, foes: &BTreeSet<Hex>) -> Option<Fire> {
    let (kind, at) = (s.kind(unit)?, foes.first()?);
    let open = s.segment <= Segment::Fire && !s.is_battery(unit) && !s.is_dummy(unit);
    let able = open && beside(s, unit, *at, |s| fire::may(s, unit, *at).is_ok());
    able.then_some(match kind.arm {
        Arm::Art if kind.howitzer => Fire::Howitzers,
        Arm::Art => Fire::Guns,
        Arm::Inf | Arm::Cav => Fire::Near,
    })
}

/// 8.2.3 The hexes at which printed guns may fire.
pub fn salvos(s: &State, unit: &str, foes: &BTreeSet<Hex>) -> Vec<Hex> {
    let open = s.segment <= Segment::Fire && s.is_battery(unit);
    foes.iter().copied().filter(|at| open && fire::may(s, unit, *at).is_ok()).collect()
}

/// 6.4 The hexes that a unit may attack in this impulse, if it comes next to them.
pub fn melees(s: &State, unit: &str, foes: &BTreeSet<Hex>) -> Vec<Hex> {
    let mine = [unit.to_owned()];
    let open = |at: &Hex| !s.is_dummy(unit) && beside(s, unit, *at, |s| melee::may(s, &mine, *at).is_ok());
    foes.iter().copied().filter(open).collect()
}

/// 6.2.11 What a unit may charge from where it stands, by how it faces: the hexes of the way, the target last.
pub fn charges(s: &State, unit: &str, foes: &BTreeSet<Hex>) -> BTreeMap<Dir, BTreeMap<Hex, Vec<Hex>>> {
    let fit = |u: &super::state::Unit| u.active && matches!(u.shock.charge, Charge::None | Charge::Riding);
    if s.segment > Segment::Movement || !s.is_arm(unit, Arm::Cav) || !s.is(unit, fit) {
        return BTreeMap::new();
    }
    let mut s = s.clone();
    let mut found: BTreeMap<Dir, BTreeMap<Hex, Vec<Hex>>> = BTreeMap::new();
    let faces = s.units.get(unit).map(|u| u.facing);
    for dir in Dir::ALL.into_iter().filter(|dir| turns(&s, unit) || Some(*dir) == faces).collect::<Vec<_>>() {
        if let Some(u) = s.units.get_mut(unit) {
            u.facing = dir;
        }
        let ways: BTreeMap<Hex, Vec<Hex>> =
            foes.iter().filter_map(|at| Some((*at, shock::may(&s, unit, *at).ok()?))).collect();
        if !ways.is_empty() {
            found.insert(dir, ways);
        }
    }
    found
}

/// 6.3.3, 6.3.7, 4.4 From where, and facing which way, a hex can be fired at: for each of the six ways `0` not, `1` next to
/// it, `2` by all guns, `3` by howitzers alone.
pub fn aims(s: &State, side: &SideId, at: Hex) -> BTreeMap<Hex, [char; 6]> {
    let on = at.within(REACH).into_iter().filter(|from| *from != at && s.board.ground(*from).is_some());
    let marks = |from: Hex| {
        let seen = from.adjacent(at) || fire::sees(s, side, from, at);
        Dir::ALL.map(|dir| match from.adjacent(at) {
            true if facing::front(from, dir).contains(&at) => '1',
            false if facing::in_arc(from, dir, at) && seen => '2',
            false if facing::in_arc(from, dir, at) => '3',
            true | false => '0',
        })
    };
    let aims = on.map(|from| (from, marks(from)));
    aims.filter(|(_, marks)| marks.iter().any(|mark| *mark != '0')).collect()
}

/// 5.3 Units that a side may wish back, and the hexes of its leaders.
pub fn lost(v: &View) -> (Vec<String>, Vec<Hex>) {
    let s = &v.state;
    let wish = |id: &String, at: Hex| may(s, &Order::Wish(Wish::Regroup { unit: id.clone(), at })).is_ok();
    let at: BTreeSet<Hex> =
        s.leaders.iter().filter(|(name, _)| s.leads(name, &v.side)).filter_map(|(_, l)| l.hex).collect();
    let Some(first) = at.first() else { return (Vec::new(), Vec::new()) };
    let dead = s.units.iter().filter(|(id, u)| u.gone.is_some() && s.is_of(id, &v.side) && wish(id, *first));
    (dead.map(|(id, _)| id.clone()).collect(), at.into_iter().collect())
}

/// Whether pieces are put on the map now, by the seat that looks.
pub fn sets_up(v: &View) -> bool {
    match &v.state.at {
        At::Setup(side) => *side == v.side,
        At::Muster(_) => v.side.0 == board::COALITION,
        _ => false,
    }
}

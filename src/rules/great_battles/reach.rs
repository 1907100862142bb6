//! What a seat's own pieces can do, reckoned beforehand by the functions that CHECK calls: tables for its order sheet. Each is
//! made of a view, and a piece stands in it as it would once its command is activated.

use super::board::{Arm, Rank};
use super::command;
use super::event;
use super::fire;
use super::ground::{Class, Toll};
use super::hand;
use super::march;
use super::morale;
use super::order::{self, Order, Wish};
use super::pool;
use super::pose::{Form, Hour, Pose};
use super::shock;
use super::state::{Acting, At, Lim, Mode, State};
use super::tables::{About, Share};
use super::view::View;
use super::{charge, play};
use crate::hex::{Dir, Hex};
use crate::rules::tactical::sight;
use std::collections::{BTreeMap, BTreeSet};

/// 4.6 How a division may act.
pub const MODES: [Mode; 3] = [Mode::Full, Mode::Limited, Mode::Strategic];
/// 6.3, 6.4 Formations.
pub const FORMS: [Form; 7] =
    [Form::Column, Form::Line, Form::Skirmish, Form::Square, Form::Disorder, Form::Limbered, Form::Unlimbered];
/// 5.0 Movement classes.
pub const CLASSES: [Class; 10] =
    [Class::IL, Class::IC, Class::IS, Class::ID, Class::CL, Class::CC, Class::CD, Class::AF, Class::AH, Class::LD];

/// 4.5 A division that may act, and how it stands once it does.
#[derive(Clone)]
pub struct Ready {
    /// The division.
    pub division: String,
    /// 4.0 The LIM by which it acts.
    pub lim: String,
    /// 3.0 Who is picked for it first.
    pub pick: Option<String>,
    /// 4.5.2, 4.7 Whether it acts alone.
    pub alone: bool,
    /// 4.6 How it may act.
    pub how: Vec<Mode>,
    /// 4.5.1 In so many of ten it acts, unless it takes a Limited Activation; none where no die is thrown.
    pub odds: Option<i32>,
    /// 4.3.3 Its units that act, each with its points by how the division acts.
    pub units: BTreeMap<String, Vec<(Mode, i32)>>,
    /// The table once it acts: in full, where it may.
    pub table: State,
}

/// 3.0, 4.5 The commands that might act now, or that might be drawn; each with who is picked for it first.
fn bases(v: &View) -> Vec<(State, Option<String>)> {
    let s = &v.state;
    let with = |lim: Lim| {
        let near = command::within(s, &lim);
        let acting = pool::acting(s, v.side.clone(), lim, None);
        State { at: At::Act, near, acting: Some(*acting), ..s.clone() }
    };
    match (&s.at, &s.acting) {
        (At::Act | At::Others(_), Some(acting)) if acting.side == v.side => vec![(s.clone(), None)],
        (At::Others(side), None) if *side == v.side => {
            let lims = pool::picks(s, side).into_iter().filter_map(|who| Some((pool::may_pick(s, &who).ok()?, who)));
            lims.map(|(lim, who)| (State { at: s.at.clone(), ..with(lim) }, Some(who))).collect()
        }
        (At::Open, _) => {
            let own = s.pool.iter().filter(|lim| matches!(lim, Lim::Division(_) | Lim::Corps(_)));
            let own = own.filter(|lim| pool::side(s, lim) == Some(&v.side));
            own.map(|lim| (with(lim.clone()), None)).collect()
        }
        _ => Vec::new(),
    }
}

/// 4.5 The divisions that may act, and how they stand once they do.
pub fn ready(v: &View) -> Vec<Ready> {
    let mut found = Vec::new();
    for (base, pick) in bases(v) {
        let Some(acting) = base.acting.clone() else { continue };
        for division in &acting.todo {
            let may = |how: &Mode| command::may_activate(&base, division, *how).is_ok();
            let how: Vec<Mode> = MODES.into_iter().filter(may).collect();
            let Some(first) = how.first().copied() else { continue };
            let mut table = base.clone();
            command::activation(&base, division, first).iter().for_each(|e| event::apply(&mut table, e));
            let lone = matches!(acting.lim, Lim::Lone(_));
            let points = |unit: &String| {
                let of = how.iter().map(|how| (*how, command::allowance(&base, unit, *how, lone)));
                (unit.clone(), of.collect())
            };
            let acts = table.units.iter().filter(|(id, u)| u.going.ready && table.division(id) == division);
            let units = acts.map(|(id, _)| points(id)).collect();
            let alone = !matches!(acting.lim, Lim::Corps(_) | Lim::Reinforcement(_) | Lim::Independent(_));
            let (lim, pick) = (acting.lim.name().to_owned(), pick.clone());
            let odds = how.iter().any(|how| !command::is_free(&base, division, *how));
            let odds =
                odds.then(|| hand::odds(command::rating(&base, division), &command::attempt_sum(&base, division)));
            found.push(Ready { division: division.clone(), lim, pick, alone, how: how.clone(), odds, units, table });
        }
    }
    found
}

/// 4.5 The command of the seat that acts now.
pub fn acting(v: &View) -> Option<&Acting> {
    v.state.acting.as_ref().filter(|acting| acting.side == v.side)
}

/// 5.0, 5.3 What a class pays out of a hex: for N NE SE S SW NW the points, and what the step asks; none where it may not go.
pub fn steps(s: &State, class: Class, from: Hex) -> [Option<(i32, Toll)>; 6] {
    let open =
        |to: Hex| march::price(s, class, from, to).filter(|_| s.board.ground.has(from) && s.board.ground.has(to));
    from.neighbours().map(open)
}

/// 6.1 What a class pays for a turn, and for an about face: points, or none where half of the allowance is paid.
pub fn turns(s: &State, class: Class) -> (Option<i32>, Option<Option<i32>>) {
    let charts = &s.board.charts;
    let about = charts.about_face.get(&class).map(|about| match about {
        About::Points(points) => Some(*points),
        About::Part(Share::Half) => None,
    });
    (charts.facing.get(&class).copied(), about)
}

/// 6.3, 8.4.4, 2.3, 4.7 The formations into which a unit may go at all.
pub fn drills(s: &State, unit: &str) -> Vec<Form> {
    let Some((u, kind, pose)) = s.on(unit) else { return Vec::new() };
    if kind.is_cossack() || u.blown > 1 || pose.size > 1 || pose.second.is_some() {
        return Vec::new();
    }
    let own = [unit.to_owned()];
    let may = |form: &Form| super::compel::may_form(s, &own, *form).is_ok();
    FORMS.into_iter().filter(|form| (*form != Form::Skirmish || kind.skirmish) && may(form)).collect()
}

/// 6.3 What a change of formation costs a unit, by the one and the other.
pub fn changes<'s>(s: &'s State, unit: &str) -> Option<&'s BTreeMap<Form, BTreeMap<Form, i32>>> {
    let (kind, forms) = (s.kind(unit)?, &s.board.charts.forms);
    Some(match kind.arm {
        Arm::Inf => &forms.infantry,
        Arm::Cav => &forms.cavalry,
        Arm::Art if kind.horse => &forms.horse_guns,
        Arm::Art => &forms.guns,
    })
}

/// Hexes in which enemies stand.
pub fn foes(v: &View) -> BTreeSet<Hex> {
    v.state.enemies(&v.side).flat_map(|(.., pose)| pose.hexes()).collect()
}

/// 5.1.3 Hexes before enemies, in which whoever comes there stops.
pub fn fronts(v: &View) -> BTreeSet<Hex> {
    v.state.enemies(&v.side).flat_map(|(id, ..)| v.state.front(id)).collect()
}

/// 8.2.1, 8.4.1 What an attack into a hex is, by the side over which it comes: whether it is an assault, and whether horse may
/// charge over it.
pub fn sides(s: &State, at: Hex) -> [(bool, bool); 6] {
    Dir::ALL.map(|dir| {
        let from = at.neighbour(dir);
        (s.board.is_defensive(from, at), charge::open(s, from, at))
    })
}

/// The hexes on which it depends whether a line of sight is open.
fn between(from: Hex, to: Hex) -> impl Iterator<Item = Hex> {
    sight::under(from, to).into_iter().flat_map(|under| std::iter::once(under.hex).chain(under.other))
}

/// 8.1 Whether foot may fire in this activation at who is before it, wherever it stands.
pub fn fires(s: &State, unit: &str) -> bool {
    let mut alone = s.clone();
    alone.units.retain(|id, _| id == unit);
    s.is_arm(unit, Arm::Inf) && fire::may_fire(&alone, unit).is_ok()
}

/// 8.1, 6.3.8 The hexes at which guns may fire from where they stand, by the hour that they face, and those on which it depends
/// whether they see them.
pub fn aims(s: &State, unit: &str, foes: &BTreeSet<Hex>) -> (BTreeMap<Hour, Vec<Hex>>, BTreeSet<Hex>) {
    let Some((_, _, pose)) = s.on(unit).filter(|(_, kind, _)| kind.arm == Arm::Art) else { return Default::default() };
    let mut found = BTreeMap::new();
    let turned = [false, true].into_iter().filter_map(|right| march::turned(s, unit, right).ok()).map(|next| next.pose);
    for next in std::iter::once(pose).chain(turned) {
        let mut t = s.clone();
        if let Some(u) = t.units.get_mut(unit) {
            u.pose = Some(next);
        }
        let at = fire::choices(&t, unit);
        if !at.is_empty() {
            found.insert(next.hour, at);
        }
    }
    let eyes =
        if found.is_empty() { BTreeSet::new() } else { foes.iter().flat_map(|at| between(pose.head, *at)).collect() };
    (found, eyes)
}

/// 8.2, 8.3, 8.4 Whether a unit may begin a melee in this activation once it stands in good order.
pub fn strikes(s: &State, unit: &str) -> bool {
    let mut t = s.clone();
    if let Some(u) = t.units.get_mut(unit) {
        u.pose = u.pose.map(|pose| Pose { form: Form::Column, ..pose });
    }
    let blown = s.is_arm(unit, Arm::Cav) && s.is(unit, |u| u.blown > 0);
    !s.is_arm(unit, Arm::Art) && !blown && shock::may_begin(&t, unit).is_ok()
}

/// 8.4 What horse may charge from where it stands, each with the hexes on which that depends.
pub fn charges(s: &State, unit: &str, foes: &BTreeSet<Hex>) -> BTreeMap<Hex, BTreeSet<Hex>> {
    let Some(from) = s.hex(unit).filter(|_| s.is_arm(unit, Arm::Cav)) else { return BTreeMap::new() };
    let range =
        s.kind(unit).and_then(|kind| s.board.charts.charge.range.get(&kind.rides?)).copied().unwrap_or_default();
    let ride = |at: &Hex| {
        if from.distance(*at) > range + 1 {
            return None;
        }
        let way = charge::may(s, unit, *at, &[]).ok()?;
        Some((*at, way.iter().flat_map(Pose::hexes).chain(between(from, *at)).collect()))
    };
    foes.iter().filter_map(ride).collect()
}

/// 5.4 The divisions with which a leader may ride; none where he has ridden, or is stopped.
pub fn rides_with(s: &State, leader: &str) -> Vec<String> {
    let (Some(l), Some(chief)) = (s.leaders.get(leader), s.chief(leader)) else { return Vec::new() };
    let stopped = chief.rank == Rank::Division && s.commands.get(&chief.of).is_some_and(|c| c.stopped);
    if l.hex.is_none() || l.rode || stopped {
        return Vec::new();
    }
    s.board.divisions.keys().filter(|id| morale::commands(s, chief, id)).cloned().collect()
}

/// 4.2 Who may try a Command Change, each with the LIMs that he may add.
pub fn additions(v: &View) -> BTreeMap<String, Vec<String>> {
    let s = &v.state;
    let own = |name: &&String| pool::side(s, &pool::named(s, name)) == Some(&v.side);
    let lims: Vec<String> = s.board.divisions.keys().chain(s.board.corps.keys()).filter(own).cloned().collect();
    let may = |by: &String, add: &[String]| {
        let order = Order::Wish(Wish::Change { by: Some(by.clone()), add: add.to_vec() });
        play::in_time(s, &order).is_ok() && order::may(s, &order).is_ok()
    };
    let by = s.board.scenario.change_by.get(&v.side).into_iter().flatten().filter(|by| may(by, &[]));
    let add = |by: &String| lims.iter().filter(|lim| may(by, std::slice::from_ref(lim))).cloned().collect();
    by.map(|by| (by.clone(), add(by))).collect()
}

/// 4.4 The LIMs with which a side could begin.
pub fn openings(v: &View) -> Vec<String> {
    let s = &v.state;
    let own = s.pool.iter().filter(|lim| matches!(lim, Lim::Division(_) | Lim::Corps(_)));
    own.filter(|lim| pool::side(s, lim) == Some(&v.side)).map(|lim| lim.name().to_owned()).collect()
}

//! What a seat's own units and chits can do from where they stand, reckoned beforehand by the functions that CHECK calls: for
//! its order sheet. Who moves before them may bar a way all the same, and what is said here of each is said of him alone.

use super::approach::{self, How};
use super::board::{Arm, UnitId};
use super::fog::{self, again, boxes};
use super::fogsheet::{self, FogOrder};
use super::mist::ChitId;
use super::moves::{self, MARKER_TURN, Move, carry};
use super::order::Order;
use super::state::{At, Step};
use super::table::{Formation, Table};
use super::view::View;
use super::{assault, guns, muskets, rehearse};
use crate::plane::{Heading, Spot, UM};
use std::collections::{BTreeMap, BTreeSet};

/// Degrees from ray to ray of a reach.
const RAY: i32 = 15;
/// Farther than anything moves in a turn.
const FAR: i32 = 8 * UM;
/// So many enemies are tried for an attack, and so many units for an HQ, the nearest first.
const TRIED: usize = 6;
/// From place to place at which a chit may be put down.
const RASTER: i32 = 500;

/// 6 What is open to a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// What it has left of its allowance, in thousandths of a UM.
    pub left: i32,
    /// 6.4 How far it comes straight on, in degrees to the right of its front.
    pub rays: Vec<(i32, i32)>,
    /// 6.5 How far it may turn on its centre, to the left and to the right.
    pub turns: [i32; 2],
    /// 6.6 Whether it may face about.
    pub about: bool,
    /// 6.3 How far it may go sideways.
    pub side: i32,
    /// 6.5 How far it may go back.
    pub back: i32,
    /// 6.12 Formations that it may take, and what it then has left.
    pub forms: Vec<(Formation, i32)>,
}

/// 6 What is open to a unit; nothing where it may not move.
pub fn moves(v: &View, id: &UnitId) -> Option<Moves> {
    let (t, me) = (&v.table, v.me());
    let unit = t.unit(id)?;
    if !v.my_sheet() || v.step > Step::Move || moves::may_act(t, &me, id).is_err() || unit.with.is_some() {
        return None;
    }
    let may = |mv: &Move| moves::trace(t, &me, id, mv).is_ok();
    let ray = |off: i32| {
        let goal = t.front(id).toward(unit.pose.facing.turned(off), FAR).spot();
        let way = moves::trace(t, &me, id, &Move::Toward { goal, units: None, face: None });
        (off, way.map_or(0, |way| way.far().min(moves::left(t, id))))
    };
    let swing = |sign: i32| {
        let steps = (1..=90 / RAY).map(|n| n * RAY);
        let open = steps.take_while(|by| may(&Move::Turn(unit.pose.facing.turned(sign * by))));
        open.last().unwrap_or(0)
    };
    let halves = |of: fn(i32) -> Move| (1..=2 * FAR / UM).map(|n| n * UM / 2).take_while(|far| may(&of(*far))).last();
    let forms = [Formation::Line, Formation::Column, Formation::Square, Formation::Limbered, Formation::Unlimbered];
    let formed = |form: Formation| {
        let way = moves::trace(t, &me, id, &Move::Form(form)).ok()?;
        let mut there = t.clone();
        there.units.entry(id.clone()).and_modify(|u| (u.form, u.spent) = (form, u.spent + way.cost));
        Some((form, moves::left(&there, id)))
    };
    Some(Moves {
        left: moves::left(t, id),
        rays: (-MARKER_TURN / RAY..=MARKER_TURN / RAY).map(|n| ray(n * RAY)).collect(),
        turns: [swing(-1), swing(1)],
        about: may(&Move::About),
        side: halves(|units| Move::Side { right: true, units }).unwrap_or(0),
        back: halves(|units| Move::Back { units }).unwrap_or(0),
        forms: forms.into_iter().filter_map(formed).collect(),
    })
}

/// 13.1, 16.4.2.7 Enemy units and chits that a unit reaches to attack them.
pub fn attacks(v: &View, id: &UnitId) -> Vec<String> {
    let (t, me) = (&v.table, v.me());
    let open = v.my_sheet() && v.step <= Step::Move && moves::may_act(t, &me, id).is_ok() && t.arm(id) != Arm::Hq;
    if !open {
        return Vec::new();
    }
    let near = |on: &UnitId| approach::may_meet(t, id, &t.shape(on));
    let reached =
        |on: &UnitId| assault::may_attack(t, &me, id, on).is_ok() && approach::way(t, id, on, &How::default()).is_ok();
    let foes = t.enemies_by_gap(id).into_iter().filter(near).take(TRIED).filter(reached);
    let foes = foes.map(|on| t.label(&on).to_owned()).collect::<Vec<_>>();
    let chit = |on: &ChitId, at: Spot| {
        approach::may_meet(t, id, &t.chit_shape(at))
            && fogsheet::check(v, &FogOrder::Attack(id.clone(), on.clone())).is_ok()
    };
    let chits = t.mist.chits.iter().filter(|(on, c)| c.side != me && chit(on, c.at));
    foes.into_iter().chain(chits.map(|(on, _)| on.0.clone())).collect()
}

/// 13.12.3 Enemies whom a unit may charge.
pub fn charges(v: &View, id: &UnitId) -> Vec<String> {
    let (t, me) = (&v.table, v.me());
    if !v.my_sheet() || v.step > Step::Charge || t.arm(id) != Arm::Cavalry {
        return Vec::new();
    }
    let near = |on: &UnitId| approach::may_meet(t, id, &t.shape(on));
    let open = |on: &UnitId| assault::may_charge(t, &me, id, on).is_ok() && approach::gallop(t, id, on).is_ok();
    let foes = t.enemies_by_gap(id).into_iter().filter(near).take(TRIED).filter(open);
    foes.map(|on| t.label(&on).to_owned()).collect()
}

/// 9 Enemies at whom a battery may fire now, with canister where that is so.
pub fn fire(v: &View, id: &UnitId) -> Vec<(String, bool)> {
    let t = &v.table;
    if !v.my_sheet() || v.step > Step::Preparation || guns::ready(t, id).is_err() {
        return Vec::new();
    }
    guns::targets(t, id).into_iter().map(|(on, canister)| (t.label(&on).to_owned(), canister)).collect()
}

/// 4.4 Whether a battery might fire in the enemy's turn, and so may hold its fire.
pub fn holds(v: &View, id: &UnitId) -> bool {
    v.my_sheet() && guns::ready(&v.table, id).is_ok()
}

/// 10.4 Enemies at whom a unit may fire its muskets.
pub fn volleys(v: &View, id: &UnitId) -> Vec<String> {
    let t = &v.table;
    if !v.my_sheet() || t.arm(id) != Arm::Infantry || !muskets::able(t, id) {
        return Vec::new();
    }
    muskets::static_targets(t, id).into_iter().take(TRIED).map(|on| t.label(&on).to_owned()).collect()
}

/// 12.6.2 Units to which an HQ may go.
pub fn attaches(v: &View, hq: &UnitId) -> Vec<String> {
    let (t, me) = (&v.table, v.me());
    if !v.my_sheet() || v.step > Step::Move || t.arm(hq) != Arm::Hq {
        return Vec::new();
    }
    let mut near: Vec<&UnitId> = t.of_side(&me).map(|(id, _)| id).filter(|id| t.arm(id) != Arm::Hq).collect();
    near.sort_by_cached_key(|id| (t.gap(hq, id).units(), (*id).clone()));
    let open = near.into_iter().take(2 * TRIED).filter(|id| carry::may_attach(t, &me, hq, id).is_ok());
    open.map(|id| t.label(id).to_owned()).collect()
}

/// 13.6, 16.4.2.8.2 Whether a unit may leave its combat; whether it may hide, and in which box.
pub fn slips(v: &View, id: &UnitId) -> (bool, Option<u8>) {
    let (t, me) = (&v.table, v.me());
    if !v.my_sheet() || v.step > Step::Rally {
        return (false, None);
    }
    let leaves = t.combat_of(id).is_some() && rehearse::foresee(v, &Order::Disengage(id.clone())).is_ok();
    let mine = std::slice::from_ref(id);
    let free = free(v).into_iter().next().filter(|number| again::may_hide(t, &v.own, &me, mine, *number).is_ok());
    (leaves, free)
}

/// 16.4.2.6 What a chit has left, in thousandths of a UM.
pub fn chit_left(t: &Table, id: &ChitId) -> i32 {
    t.chit(id).map_or(0, |chit| (t.board.tables.moves.chit - chit.spent).max(0))
}

/// 16.4.2 Boxes that are not in use.
pub fn free(v: &View) -> Vec<u8> {
    let used = |n: &u8| v.own.boxes.contains_key(n) || v.own.hiding.contains_key(n);
    if v.table.board.flow.is_none() {
        Vec::new()
    } else {
        (1..=v.table.board.tables.fog.boxes).filter(|n| !used(n)).collect()
    }
}

/// 16.4.1, 18.1.2 The areas to which a corps may go on a sealed sheet.
pub fn areas(v: &View, corps: &str) -> Vec<String> {
    let (t, me) = (&v.table, v.me());
    let order = |to: &str| Order::Fog(FogOrder::Strat(corps.to_owned(), to.to_owned()));
    let open = |to: &str| match v.at {
        At::Fog => fog::may_strat(t, &v.own, &me, corps, to).is_ok(),
        At::Deploy => rehearse::foresee(v, &order(to)).is_ok(),
        _ => false,
    };
    t.board.strategic.zones.iter().map(|zone| zone.id.clone()).filter(|id| open(id)).collect()
}

/// 16.4.2.4, 16.4.2.5 Places at which chits may be put down: of each corps of which somebody waits, and of decoys. All lie on
/// one raster, so that a place does not tell which is which.
pub fn drops(v: &View) -> (BTreeMap<String, Vec<Spot>>, Vec<Spot>) {
    let (t, me) = (&v.table, v.me());
    let number = free(v).first().copied().filter(|_| v.at == At::Fog && v.own.quota.is_some_and(|q| q.chits > 0));
    let Some(number) = number else { return (BTreeMap::new(), Vec::new()) };
    let may = |units: &[UnitId], places: Vec<Spot>| -> Vec<Spot> {
        boxes::may_lie(t, (&v.own, &me), (number, units), places).collect()
    };
    let grid = |(low, high): (Spot, Spot), by: i32| {
        let rows = move |x: i32| (low.y..=high.y).filter(move |y| y % by == 0).map(move |y| Spot::new(x, y));
        (low.x..=high.x).filter(move |x| x % by == 0).flat_map(rows).collect::<Vec<_>>()
    };
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (unit, corps) in super::strategic::waiting(t, &v.own, &me) {
        // An HQ rides with others only.
        if t.board.units.get(&unit).is_none_or(|spec| spec.arm == Arm::Hq) || !seen.insert(corps.clone()) {
            continue;
        }
        let Some(zone) = v.own.corps.get(&corps).and_then(|zone| t.board.zone(zone)) else { continue };
        found.insert(corps, may(std::slice::from_ref(&unit), grid(zone.rect, RASTER)));
    }
    let ground = &t.board.ground;
    let all = grid((Spot::new(0, 0), Spot::new(ground.width, ground.height)), RASTER);
    (found, may(&[], all))
}

/// Who faces where, in whole degrees.
pub fn degrees(heading: Heading) -> i32 {
    heading.to_string().parse().unwrap_or(0)
}

//! The position that a seat may imagine: the open table, its own plans, and enemy chits that hold nobody it knows of.

use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::Spot;
use crate::rules::austerlitz1805::approach::{self, Onset, Part};
use crate::rules::austerlitz1805::assault;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::event::{Fact, Why};
use crate::rules::austerlitz1805::fogsheet::{self, FogOrder};
use crate::rules::austerlitz1805::hands::{Hand, table, tell};
use crate::rules::austerlitz1805::mist::{Boxed, Chit, ChitId};
use crate::rules::austerlitz1805::moves::Trace;
use crate::rules::austerlitz1805::order::{self, Order};
use crate::rules::austerlitz1805::state::{Hidden, State};
use crate::rules::austerlitz1805::table::{Combat, Unit};
use crate::rules::austerlitz1805::units::Units;
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::{Austerlitz, Intel, conditions, moves, play, strategic};
use crate::rules::cx::Base;
use crate::rules::{Outcome, Play};
use std::collections::BTreeMap;

/// A position in which a view would be seen.
pub fn position(v: &View, side: &SideId) -> Base<Austerlitz> {
    let foe = v.table.board.enemy(side);
    let theirs = v.table.mist.chits.iter().filter(|(_, chit)| chit.side == foe).map(|(id, _)| id.clone());
    let empty = |chit: ChitId| Boxed { units: Vec::new(), chit, passed: Vec::new() };
    let boxes = (1..=u8::MAX).zip(theirs.map(empty)).collect();
    let hidden = BTreeMap::from([(side.clone(), v.own.clone()), (foe.clone(), Hidden { boxes, ..Hidden::default() })]);
    let state = State {
        table: v.table.clone(),
        at: v.at.clone(),
        step: v.step,
        hidden,
        all_targets: None,
        over: v.over.clone(),
    };
    let minds = [side.clone(), foe].map(|side| (side, Intel::default())).to_vec();
    Base { state, minds, counts: BTreeMap::new() }
}

/// 4.3-4.6 What an order does to its own side, the enemy standing where he stands.
pub fn act(cx: &mut Hand<'_>, side: &SideId, order: Order) -> Play<()> {
    if let Some(step) = order::step(&order) {
        let now = cx.state().step;
        if step < now {
            let why = format!("that step of the turn is over: {}", step.title());
            cx.outcome(Outcome::Refused { why, rule: "4".to_owned(), copy: None });
            return Ok(());
        }
        if step > now {
            tell(cx, Fact::Step { step });
        }
    }
    match order {
        Order::If { cond, order } => {
            if conditions::holds(table(cx), &cond) {
                return act(cx, side, *order);
            }
            let why = "as things stand the condition does not hold, and nothing is done".to_owned();
            cx.outcome(Outcome::Failed { why, rule: "4".to_owned() });
            Ok(())
        }
        Order::Move(id, mv) | Order::Follow(id, mv) => {
            moves::carry::carry_out(cx, side, &id, &mv);
            Ok(())
        }
        Order::March(march) => {
            moves::group::carry_out(cx, side, &march);
            Ok(())
        }
        Order::Attack(onset) => {
            strike(cx, side, &onset);
            Ok(())
        }
        Order::Charge(id, on) => {
            let t = table(cx);
            let way = assault::may_charge(t, side, &id, &on).and_then(|()| approach::gallop(t, &id, &on));
            contact(cx, side, (&id, &on), way, (Why::Charged, Part::Lead));
            Ok(())
        }
        Order::Fog(FogOrder::March { number, goal, units }) => {
            march(cx, side, number, goal, units);
            Ok(())
        }
        Order::Fog(FogOrder::Attack(unit, chit)) => {
            if let Some(goal) = table(cx).chit(&chit).map(|c| c.at) {
                moves::carry::carry_out(cx, side, &unit, &fogsheet::toward(goal));
            }
            Ok(())
        }
        order => play::carry_out(cx, side, order),
    }
}

/// 13.1, 13.13 Each of the attackers comes to contact, by the ways that play finds; or near, where that is wanted.
fn strike(cx: &mut Hand<'_>, side: &SideId, onset: &Onset) {
    let t = table(cx);
    if onset.part == Part::Support && t.fight_on(&onset.on).is_none() {
        return cx.outcome(approach::unled(&onset.on).into());
    }
    if let Some(steps) = approach::nearer(t, side, onset) {
        return steps.into_iter().for_each(|(id, mv)| match mv {
            Some(mv) => moves::carry::carry_out(cx, side, &id, &mv),
            None => cx.outcome(approach::near_enough(&id, &onset.on)),
        });
    }
    if onset.halves
        && let Err(fault) = approach::halves(t, onset)
    {
        return cx.outcome(fault.into());
    }
    let (mut faults, mut came) = (Vec::new(), false);
    for (id, how) in approach::turns(t, onset) {
        let t = table(cx);
        match assault::may_attack(t, side, &id, &onset.on).and_then(|()| approach::way(t, &id, &onset.on, &how)) {
            Ok(way) => {
                came = true;
                contact(cx, side, (&id, &onset.on), Ok(way), (Why::Attacked, onset.part));
            }
            Err(fault) => faults.push(fault),
        }
    }
    if let Some(said) = approach::unmet(faults, came) {
        cx.outcome(said);
    }
}

/// 13.1, 13.12.3 A unit comes to contact, and nobody reacts.
fn contact(
    cx: &mut Hand<'_>,
    side: &SideId,
    (id, on): (&UnitId, &UnitId),
    way: Result<Trace, Fault>,
    (why, part): (Why, Part),
) {
    match way {
        Ok(way) => {
            assault::go(cx, id, why, &way);
            assault::join(cx, side, id, on, (part, why == Why::Charged));
        }
        Err(fault) => cx.outcome(fault.into()),
    }
}

/// 16.4.2.6 A chit goes as far as it may; what it comes near stays face down.
fn march(cx: &mut Hand<'_>, side: &SideId, number: u8, goal: Spot, units: Option<i32>) {
    let own = cx.state().hidden.get(side).cloned().unwrap_or_default();
    match crate::rules::austerlitz1805::fog::march::trace(table(cx), &own, side, number, goal, units) {
        Ok(way) => {
            if way.to != way.from {
                tell(cx, Fact::Marched { chit: way.chit, from: way.from, to: way.to, cost: way.cost });
            } else if let Some(halt) = &way.halt {
                let (why, rule) = crate::rules::austerlitz1805::fog::march::words(halt);
                cx.outcome(Outcome::Failed { why: format!("chit {number} stays: {why}"), rule: rule.to_owned() });
            }
        }
        Err(fault) => cx.outcome(fault.into()),
    }
}

/// The view after a trial, with everything of the enemy as it was: his units and chits stand.
pub fn unlearnt(before: &View, side: &SideId, after: View) -> View {
    let mut view = after;
    let t = &mut view.table;
    fn theirs<'u>(units: &'u Units, side: &SideId) -> impl Iterator<Item = (&'u UnitId, &'u Unit)> {
        units.iter().filter(move |(_, unit)| unit.side != *side)
    }
    if !theirs(&t.units, side).eq(theirs(&before.table.units, side)) {
        t.units.retain(|_, unit| unit.side == *side);
        t.units.extend(theirs(&before.table.units, side).map(|(id, unit)| (id.clone(), unit.clone())));
    }
    t.mist.chits.retain(|_, chit| chit.side == *side);
    let theirs = before.table.mist.chits.iter().filter(|(_, chit)| chit.side != *side);
    t.mist.chits.extend(theirs.map(|(id, chit)| (id.clone(), chit.clone())));
    // A fight that only a unit of his has left goes on as it was.
    let gone = |combat: &&Combat| {
        combat.by != *side && !t.combats.iter().any(|now| now.on == combat.on) && t.units.contains_key(&combat.on)
    };
    let stay: Vec<Combat> = before.table.combats.iter().filter(gone).cloned().collect();
    t.combats.extend(stay);
    t.lost.clone_from(&before.table.lost);
    t.away.clone_from(&before.table.away);
    t.sight = before.table.sight;
    t.mist.made.clone_from(&before.table.mist.made);
    view.over.clone_from(&before.over);
    view
}

/// 16.4.1 A column that has tried to move tries no more in this turn.
///
/// # Errors
/// Refused, where no column may try any more.
pub fn column(view: &mut View, side: &SideId, corps: &str, area: &str) -> Result<(), Fault> {
    if let Some(columns) = view.own.quota.as_mut().and_then(|quota| quota.columns.as_mut()) {
        if *columns == 0 {
            return Err(Fault::refused("no more columns may try to move in this turn", "16.4.2.2"));
        }
        *columns -= 1;
    }
    // Who rolls may stay: units in his old area and in his new one are reckoned as if he had stayed.
    if !strategic::rolls(&view.table, side) {
        view.own.corps.insert(corps.to_owned(), area.to_owned());
    }
    Ok(())
}

/// 16.4.2 A chit of the sheet has its box, its place and its share of the turn's new chits.
pub fn chit(view: &mut View, side: &SideId, number: u8, units: &[UnitId], at: Spot) {
    let id = ChitId(format!("new {number}"));
    view.own.boxes.insert(number, Boxed { units: units.to_vec(), chit: id.clone(), passed: Vec::new() });
    view.table.mist.chits.insert(id, Chit { side: side.clone(), at, spent: 0 });
    if let Some(quota) = &mut view.own.quota {
        quota.chits = quota.chits.saturating_sub(1);
    }
}

//! 4 The sequence of play, read top to bottom.

use super::approach::{self, Onset};
use super::board::UnitId;
use super::event::{Fact, Secret};
use super::fogsheet::{self, FogOrder};
use super::hands::{Hand, enemy, table, tell};
use super::order::{self, Order};
use super::state::{At, GunPlan, State, Step};
use super::table::{Mark, Mood};
use super::{
    alternate, assault, close, conditions, disengage, fog, guns, morale, moves, muskets, retreat, solo, victory,
};
use crate::fog::{SeatId, SideId};
use crate::orders::Fault;
use crate::rules::{Outcome, Play, Stage};

/// The stage in which somebody may write; `None` when the game is over.
pub fn stage(s: &State) -> Option<Stage> {
    let name = |side: &SideId| s.table.board.side(side).map_or_else(|| side.0.clone(), |spec| spec.name.clone());
    let turn = s.table.turn;
    let (key, title, on_move) = match &s.at {
        At::Over => return None,
        At::Deploy => {
            let title = "both deploy their corps (sealed)".to_owned();
            return Some(Stage { key: "0/deploy".to_owned(), title, on_move: fog::both(s), secret: true });
        }
        At::Fog => {
            let title = "both move in the fog (sealed)".to_owned();
            return Some(Stage { key: format!("{turn}/fog"), title, on_move: fog::both(s), secret: true });
        }
        At::Dawn => (format!("{turn}/dawn"), "fog".to_owned(), Vec::new()),
        At::Rally(p) => (format!("{turn}/{p}/rally"), format!("{} Rally", name(p)), Vec::new()),
        At::Own(p) => {
            // 22.2: nobody writes for a side that the solo rules lead.
            let led = s.table.board.solo.contains(p);
            let on_move = if led { Vec::new() } else { vec![SeatId(p.0.clone())] };
            (format!("{turn}/{p}/move"), format!("{} player-turn", name(p)), on_move)
        }
        At::Musketry(p) => (format!("{turn}/{p}/musketry"), "musketry".to_owned(), Vec::new()),
        At::Close(p) => (format!("{turn}/{p}/combat"), "close combat".to_owned(), Vec::new()),
    };
    Some(Stage { key, title, on_move, secret: false })
}

/// Plays one leg.
pub fn play(cx: &mut Hand<'_>) -> Play<()> {
    match cx.state().at.clone() {
        At::Deploy => fog::deploy(cx),
        At::Dawn => fog::dawn(cx),
        At::Fog => {
            let key = stage(cx.state()).map_or_else(String::new, |s| s.key);
            fog::sheets(cx, &key)
        }
        At::Rally(side) => {
            // 4.2: where every unit stands open, the fog is rolled for at the beginning of the first Rally.
            let t = table(cx);
            let first = t.board.sides.first().is_some_and(|s| s.id == side);
            if (first || t.board.options.fog_by_player_turn) && t.board.flow.is_none() {
                fog::roll(cx);
            }
            // 16.4.2.8: whoever is still on a strategic map in clear weather comes down now.
            if first && cleared(cx) {
                fog::uncover::muster(cx);
            }
            morale::rally(cx, &side)?;
            go(cx, At::Own(side));
            Ok(())
        }
        At::Own(side) => own(cx, &side),
        At::Musketry(side) => {
            muskets::phase(cx, &side)?;
            fog::uncover::detect(cx, None)?;
            go(cx, At::Close(side));
            Ok(())
        }
        At::Close(side) => {
            close::phase(cx, &side)?;
            fog::uncover::detect(cx, None)?;
            fog::assault(cx);
            end(cx, side);
            Ok(())
        }
        At::Over => Ok(()),
    }
}

/// 16.4 Whether a game that began on the strategic maps has come out of the fog.
fn cleared(cx: &Hand<'_>) -> bool {
    table(cx).board.flow.is_some() && table(cx).sight.is_none()
}

/// 17.1.4 The game may have ended on the way.
fn go(cx: &mut Hand<'_>, at: At) {
    if !victory::at_once(cx) {
        tell(cx, Fact::Stage { at });
    }
}

/// 4.3-4.6 The sheet of a player-turn, one line a leg, in the order of the steps. A-11: charges are declared and ridden before
/// other movement, other attacks where they come to contact.
fn own(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    if solo::drive::leads(cx, side) {
        return led(cx, side);
    }
    let Some(stage) = stage(cx.state()) else { return Ok(()) };
    cx.prefer(&stage.on_move, &stage.key);
    let Some((_, order)) = cx.order(&stage.on_move, &stage.key)? else {
        return ended(cx, side);
    };
    if let Some(step) = order::step(&order) {
        if step < cx.state().step {
            let why = format!("that step of the turn is over: {}", step.title());
            cx.outcome(Outcome::Refused { why, rule: "4".to_owned(), copy: None });
            return Ok(());
        }
        until(cx, side, step)?;
        if victory::at_once(cx) {
            return Ok(());
        }
    }
    carry_out(cx, side, order)
}

/// 22.2 The player-turn of a side that the solo rules lead, one step a leg.
fn led(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let now = cx.state().step;
    let last = solo::drive::step(cx, side)?;
    if victory::at_once(cx) {
        return Ok(());
    }
    match (last, now) {
        (true, _) => ended(cx, side),
        (false, Step::Rally) => until(cx, side, Step::Preparation),
        (false, Step::Preparation) => until(cx, side, Step::Charge),
        (false, Step::Charge | Step::Move) => until(cx, side, Step::Move),
    }
}

/// 4.6 The sheet of a player-turn is through.
fn ended(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    until(cx, side, Step::Move)?;
    unordered(cx, side)?;
    fog::uncover::detect(cx, None)?;
    go(cx, At::Musketry(side.clone()));
    Ok(())
}

/// 4.4 Between Rally and what follows the Defender's artillery fires.
fn until(cx: &mut Hand<'_>, side: &SideId, step: Step) -> Play<()> {
    let now = cx.state().step;
    if now == Step::Rally && step > Step::Rally {
        fog::again::vanish(cx, side);
        let defender = enemy(cx, side);
        guns::defence(cx, &defender)?;
    }
    if now < step {
        tell(cx, Fact::Step { step });
    }
    Ok(())
}

/// 12.5.3.1, 12.6.3, 12.9.1 What moves without orders: the routed, those whose HQ fell (A-28: 1 UM in each own movement, and
/// no other way), and the raging.
fn unordered(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let ids: Vec<UnitId> = table(cx).of_side(side).map(|(id, _)| id.clone()).collect();
    for id in &ids {
        let Some(unit) = table(cx).unit(id).cloned() else { continue };
        if unit.mood == Mood::R {
            retreat::flee_on(cx, id)?;
        } else if unit.has(Mark::Leaderless) {
            morale::homeward(cx, id)?;
        }
    }
    assault::rages(cx, side)
}

/// Carries an order out in the player-turn of its side.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(cx: &mut Hand<'_>, side: &SideId, order: Order) -> Play<()> {
    match order {
        Order::Move(id, mv) | Order::Follow(id, mv) => {
            moves::carry::carry_out(cx, side, &id, &mv);
            fog::uncover::after_move(cx, &id)?;
        }
        Order::March(march) => {
            for id in moves::group::carry_out(cx, side, &march) {
                fog::uncover::after_move(cx, &id)?;
            }
        }
        Order::Attach(hq, to) => moves::carry::attach(cx, side, &hq, &to),
        Order::CrewBack(id) => moves::carry::crew_back(cx, side, &id),
        Order::Attack(onset) => {
            onset_or_near(cx, side, &onset)?;
            for id in &onset.by {
                fog::uncover::after_move(cx, id)?;
            }
        }
        Order::Charge(id, on) => {
            assault::charge(cx, side, &id, &on)?;
            fog::uncover::after_move(cx, &id)?;
        }
        Order::Fog(order) => in_fog(cx, side, order)?,
        Order::Disengage(id) => disengage::disengage(cx, side, &id)?,
        Order::Bombard { by, at, canister, defence: true } => plan_guns(cx, side, by, at, canister),
        Order::Bombard { by, at, canister, defence: false } => bombard(cx, side, &by, &at, canister)?,
        Order::Hold(unit) => plan(cx, side, unit, GunPlan::Hold),
        Order::Each(orders) => {
            for order in orders {
                carry_out(cx, side, order)?;
            }
        }
        Order::If { cond, order } => {
            if conditions::holds(table(cx), &cond) {
                carry_out(cx, side, *order)?;
            } else {
                let why = "the condition does not hold, so nothing is done".to_owned();
                cx.outcome(Outcome::Failed { why, rule: "4".to_owned() });
            }
        }
        Order::Return { unit, plan } => match alternate::may_return(table(cx), &unit, &plan) {
            Ok(()) => cx.emit(Secret::ReturnPlan { side: side.clone(), unit, plan }.into()),
            Err(fault) => cx.outcome(fault.into()),
        },
        Order::Volley(by, on) => {
            for unit in by {
                cx.emit(Secret::VolleyPlan { side: side.clone(), unit, on: on.clone() }.into());
            }
        }
    }
    Ok(())
}

/// 13.1 An attack; where nobody reaches the enemy and that is wanted, they go near him instead.
fn onset_or_near(cx: &mut Hand<'_>, side: &SideId, onset: &Onset) -> Play<()> {
    let Some(steps) = approach::nearer(table(cx), side, onset) else { return assault::attack(cx, side, onset) };
    for (id, mv) in steps {
        match mv {
            Some(mv) => moves::carry::carry_out(cx, side, &id, &mv),
            None => cx.outcome(approach::near_enough(&id, &onset.on)),
        }
    }
    Ok(())
}

/// 16.4.2 Chits in a player-turn.
fn in_fog(cx: &mut Hand<'_>, side: &SideId, order: FogOrder) -> Play<()> {
    match order {
        FogOrder::Strat(..) | FogOrder::Chit { .. } => {
            let why = "STRAT, CHIT and DECOY belong on the sealed sheet at the beginning of a fog turn";
            cx.outcome(Fault::refused(why, "16.4.2.3").into());
            Ok(())
        }
        FogOrder::March { number, goal, units } => fog::march::march(cx, side, number, goal, units),
        FogOrder::Hide { units, number } => {
            fog::again::hide(cx, side, units, number);
            Ok(())
        }
        FogOrder::Deploy(number) => fog::uncover::by_choice(cx, side, number),
        FogOrder::Attack(unit, chit) => {
            let goal = table(cx).chit(&chit).map(|c| c.at);
            if let Some(goal) = goal {
                moves::carry::carry_out(cx, side, &unit, &fogsheet::toward(goal));
            }
            fog::uncover::after_move(cx, &unit)
        }
    }
}

fn plan(cx: &mut Hand<'_>, side: &SideId, unit: UnitId, plan: GunPlan) {
    cx.emit(Secret::GunPlan { side: side.clone(), unit, plan }.into());
}

/// 4.4 Orders for the enemy's player-turn, kept to oneself.
fn plan_guns(cx: &mut Hand<'_>, side: &SideId, by: Vec<UnitId>, at: UnitId, canister: Option<bool>) {
    let canister = canister.unwrap_or_else(|| guns::by_itself(table(cx), &by, &at));
    let mut by = by.into_iter();
    let Some(lead) = by.next() else { return };
    let with: Vec<UnitId> = by.collect();
    for other in &with {
        plan(cx, side, other.clone(), GunPlan::Hold);
    }
    plan(cx, side, lead, GunPlan::Fire { at, canister, with });
}

/// 4.5 Preparation Fire.
fn bombard(cx: &mut Hand<'_>, side: &SideId, by: &[UnitId], at: &UnitId, canister: Option<bool>) -> Play<()> {
    let t = table(cx);
    let canister = canister.unwrap_or_else(|| guns::by_itself(t, by, at));
    for id in by {
        let own = t.unit(id).is_some_and(|u| u.side == *side);
        let fired = t.unit(id).is_some_and(|u| u.has(Mark::Fired));
        let fault = match (own, fired) {
            (false, _) => Some(Fault::refused(format!("{id} is no battery of yours"), "9.1")),
            (_, true) => Some(Fault::refused(format!("{id} has fired in this player-turn"), "9.4")),
            _ => guns::ready(t, id).and_then(|()| guns::aim(t, id, at, canister).map(|_| ())).err(),
        };
        if let Some(fault) = fault {
            cx.outcome(fault.into());
            return Ok(());
        }
    }
    if let Err(fault) = guns::together(t, by) {
        cx.outcome(fault.into());
        return Ok(());
    }
    guns::fire(cx, by, at, canister, false)
}

/// 4.10 The player-turn is over: the other side's follows, or the next turn.
fn end(cx: &mut Hand<'_>, side: SideId) {
    if victory::at_once(cx) {
        return;
    }
    let board = table(cx).board.clone();
    let next = board.sides.iter().skip_while(|s| s.id != side).nth(1).map(|s| s.id.clone());
    if let Some(second) = next {
        tell(cx, Fact::Stage { at: At::Rally(second) });
        return;
    }
    if victory::after_turn(cx) {
        return;
    }
    let turn = table(cx).turn + 1;
    tell(cx, Fact::Turn { turn });
    if board.flow.is_some() && table(cx).sight.is_some() {
        tell(cx, Fact::Stage { at: At::Dawn });
        return;
    }
    if let Some(first) = board.sides.first() {
        tell(cx, Fact::Stage { at: At::Rally(first.id.clone()) });
    }
}

//! What CHECK says of an order from the view alone: where a unit would end, what it would touch, what it would need.

use super::approach::{self, Onset, Part};
use super::board::UnitId;
use super::moves::{self, Move, Trace};
use super::order::{self, Order};
use super::table::{Face, um, wind};
use super::view::View;
use super::{alternate, assault, conditions, fogsheet, guns};
use crate::orders::Fault;

/// What CHECK says: where a unit would end, what it would touch, what it would need.
///
/// # Errors
/// Why it would not be carried out.
pub fn check(v: &View, order: &Order) -> Result<Vec<String>, Fault> {
    let me = v.me();
    let t = &v.table;
    if let Some(step) = order::step(order).filter(|_| order::is_over(v, order)) {
        return Err(Fault::refused(format!("that step of the turn is over: {}", step.title()), "4.3"));
    }
    Ok(match order {
        Order::Move(id, mv) | Order::Follow(id, mv) => {
            let found = moves::trace(t, &me, id, mv)?;
            ends(v, id, &found).into_iter().chain(goes_round(v, id, mv, &found)).collect()
        }
        Order::March(march) => {
            let gone = |s: &moves::group::Step| format!("{} {} UM to {}", s.unit, um(s.found.far()), s.found.pose.at);
            let picture = moves::group::plan(t, &me, march)?;
            let held = picture.held.iter().map(moves::group::holds);
            picture.steps.iter().map(gone).chain(picture.stay.iter().map(moves::group::stays)).chain(held).collect()
        }
        Order::Attack(onset) => attacks(v, onset)?,
        Order::Charge(id, on) => {
            assault::may_charge(t, &me, id, on)?;
            contact(v, id, on, &approach::gallop(t, id, on)?)
        }
        Order::Bombard { by, at, canister, .. } => {
            let canister = canister.unwrap_or_else(|| guns::by_itself(&v.table, by, at));
            let shots: Vec<_> = by.iter().map(|b| shot(v, b, at, canister)).collect();
            if let Some(Err(first)) = shots.first()
                && shots.iter().all(Result::is_err)
            {
                return Err(first.clone());
            }
            shots.into_iter().map(|shot| shot.unwrap_or_else(|f| f.to_string())).collect()
        }
        Order::Attach(hq, to) => {
            let way = moves::carry::may_attach(t, &me, hq, to)?;
            vec![format!("{hq} moves {} UM to {to} and is attached to it", um(way.cost))]
        }
        Order::Hold(_) | Order::Volley(..) | Order::Disengage(_) | Order::CrewBack(_) => Vec::new(),
        Order::Return { unit, plan } => {
            alternate::may_return(t, unit, plan)?;
            let place = t.near_place(plan.at);
            vec![format!("{unit} would come back at {} ({place}), if its HQ is still near then", plan.at)]
        }
        Order::Fog(order) => fogsheet::check(v, order)?,
        Order::Each(orders) => {
            let mut said = Vec::new();
            for order in orders {
                said.extend(check(v, order)?);
            }
            said
        }
        Order::If { cond, order } => {
            let now = if conditions::holds(t, cond) { "holds" } else { "does not hold" };
            let mut said = vec![format!("as things stand the condition {now}")];
            said.extend(check(v, order)?);
            said
        }
    })
}

/// 13.1, 13.13 What CHECK says of an attack: where each would end who is named.
fn attacks(v: &View, onset: &Onset) -> Result<Vec<String>, Fault> {
    let (me, t) = (v.me(), &v.table);
    let mut said = Vec::new();
    if onset.halves {
        approach::halves(t, onset)?;
        said.push(format!("each would cover half of one face of {}", onset.on));
    }
    let several = onset.by.len() > 1;
    // Near him goes who names that, and only where nobody of them reaches him.
    let near = approach::nearer(t, &me, onset).is_some();
    let mut first: Option<Fault> = None;
    for (id, how) in &approach::turns(t, onset) {
        let way = assault::may_attack(t, &me, id, &onset.on).and_then(|()| approach::way(t, id, &onset.on, how));
        match way {
            Ok(way) => said.extend(contact(v, id, &onset.on, &way)),
            Err(Fault::Refused { why, rule, .. }) if near => {
                said.push(format!("{why} [{rule}]; it goes near instead"));
            }
            Err(fault) if several => _ = first.get_or_insert(fault),
            Err(fault) => return Err(fault),
        }
    }
    // Whoever of several does not come is named by a warning; where nobody comes that is the answer.
    if let (Some(fault), true) = (first, said.is_empty()) {
        return Err(fault);
    }
    if onset.part == Part::Support && t.fight_on(&onset.on).is_none() {
        said.push(format!("it only supports: an ATTACK on {} must stand before this line", onset.on));
    }
    Ok(said)
}

/// 6.9 Whom a movement goes round, and how to forbid it.
fn goes_round(v: &View, id: &UnitId, mv: &Move, found: &Trace) -> Option<String> {
    let Move::Round { .. } = mv else { return None };
    let straight = moves::trace(&v.table, &v.me(), id, &mv.straight()).ok()?;
    let other = moves::group::stopper(&straight).filter(|_| straight.pose != found.pose)?;
    // Whoever stops it all the same is named already.
    if moves::group::stopper(found) == Some(other) {
        return None;
    }
    Some(format!("it goes round {other}, which bars the straight way; with STRAIGHT at its end the line forbids that"))
}

/// 6.4 Where a movement ends, by what markers, and what ends it.
pub fn ends(v: &View, id: &UnitId, trace: &Trace) -> Vec<String> {
    let t = &v.table;
    let mut lines = vec![format!(
        "{id} would end at {} ({}), facing {} {}, {}; {} UM left",
        trace.pose.at,
        t.near_place(trace.pose.at),
        wind(trace.pose.facing),
        trace.pose.facing,
        trace.form.word(),
        um((moves::left(t, id) - trace.cost).max(0)),
    )];
    if !trace.legs.is_empty() {
        let marker = |(turn, units): &(i32, i32)| match turn {
            // 6.5: no marker, but a turn on the centre.
            right if *units == 0 => format!("{}{} on the spot,", if *right > 0 { "R" } else { "L" }, right.abs()),
            0 => format!("0 {}", um(*units)),
            r if *r > 0 => format!("R{r} {}", um(*units)),
            l => format!("L{} {}", -l, um(*units)),
        };
        lines.push(format!("markers: {}", trace.legs.iter().map(marker).collect::<Vec<_>>().join(" ")));
    }
    if let Some(halt) = &trace.halt {
        let (why, rule) = moves::halt_words(halt);
        lines.push(format!("it goes no farther: {why} [{rule}]"));
    }
    lines
}

fn contact(v: &View, id: &UnitId, on: &UnitId, trace: &Trace) -> Vec<String> {
    let face = match v.table.struck_from(on, id, trace.pose) {
        Face::Front => "in front",
        Face::Flank => "in flank",
        Face::Rear => "in rear",
    };
    let mut lines = ends(v, id, trace);
    lines.push(format!("it would touch {on} {face}"));
    lines
}

fn shot(v: &View, by: &UnitId, at: &UnitId, canister: bool) -> Result<String, Fault> {
    let t = &v.table;
    guns::ready(t, by)?;
    let aim = guns::aim(t, by, at, canister)?;
    let hd = t.spec(by).map_or(0, |s| s.hd);
    let how = if canister { "canister, which hits".to_owned() } else { format!("round shot, hitting on {hd} or more") };
    Ok(format!("{by} would face {} and fire {how}", aim.facing))
}

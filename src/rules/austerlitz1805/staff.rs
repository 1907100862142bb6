//! Several seats of one side: whom an order or a question is about, and to which step of a sheet a line belongs.

use super::board::{Arm, UnitId};
use super::fogsheet::FogOrder;
use super::order::{self, Order};
use super::prompt::Prompt;
use super::state::{At, State};
use super::view::View;
use crate::fog::SideId;
use crate::rules::staff::Concern;

/// 2.4.7 HQs of a side: a seat names the commanders whose corps it leads.
pub fn leaders(s: &State, side: &SideId) -> Vec<(String, String)> {
    let hqs = s.table.board.units.values().filter(|u| u.side == *side && u.arm == Arm::Hq);
    hqs.map(|u| (u.id.0.clone(), u.id.0.clone())).collect()
}

/// 12.6.2 Who commands a corps, and the army's commander above him.
fn line(v: &View, corps: &str) -> Vec<String> {
    let me = v.me();
    let hqs: Vec<_> = v.table.board.units.values().filter(|u| u.side == me && u.arm == Arm::Hq).collect();
    let own = hqs.iter().filter(|u| !u.army && u.corps == corps);
    own.chain(hqs.iter().filter(|u| u.army)).map(|u| u.id.0.clone()).collect()
}

fn of(v: &View, unit: &UnitId) -> Vec<String> {
    let spec = v.table.spec(unit);
    match spec.filter(|u| u.army) {
        Some(army) => vec![army.id.0.clone()],
        None => line(v, spec.map_or("", |u| u.corps.as_str())),
    }
}

fn all<'u>(v: &View, units: impl IntoIterator<Item = &'u UnitId>) -> Concern {
    let lines: Vec<Vec<String>> = units.into_iter().map(|u| of(v, u)).collect();
    // A decoy is nobody's: whoever thinks of it moves it.
    if lines.is_empty() { Concern::Anyone } else { Concern::All(lines) }
}

/// Whom an order is about.
pub fn concern(v: &View, order: &Order) -> Concern {
    match order {
        Order::Move(unit, _)
        | Order::Follow(unit, _)
        | Order::Charge(unit, _)
        | Order::Hold(unit)
        | Order::Disengage(unit)
        | Order::CrewBack(unit)
        | Order::Return { unit, .. } => all(v, [unit]),
        Order::March(march) => all(v, &march.units),
        Order::Attack(onset) => all(v, &onset.by),
        Order::Attach(hq, to) => all(v, [hq, to]),
        Order::Bombard { by, .. } | Order::Volley(by, _) => all(v, by),
        Order::Fog(order) => in_fog(v, order),
        Order::Each(orders) => {
            let of = orders.iter().map(|order| concern(v, order));
            Concern::All(of.flat_map(|c| if let Concern::All(lines) = c { lines } else { Vec::new() }).collect())
        }
        Order::If { order, .. } => concern(v, order),
    }
}

/// 16.4 A corps on the strategic map obeys its commander, a chit those of the units that it holds.
fn in_fog(v: &View, order: &FogOrder) -> Concern {
    let holds = |number: &u8| v.own.boxes.get(number).map(|b| b.units.clone()).unwrap_or_default();
    match order {
        FogOrder::Strat(corps, _) => {
            let first =
                v.table.board.units.keys().find(|u| v.table.side(u) == v.me() && v.table.board.group(u) == *corps);
            first.map_or(Concern::Army, |unit| all(v, [unit]))
        }
        FogOrder::Chit { units, .. } | FogOrder::Hide { units, .. } => all(v, units),
        FogOrder::March { number, .. } | FogOrder::Deploy(number) => all(v, &holds(number)),
        FogOrder::Attack(unit, _) => all(v, [unit]),
    }
}

/// Whom a question is about.
pub fn asks(v: &View, prompt: &Prompt) -> Concern {
    all(v, [prompt.unit()])
}

/// 4.3-4.6 How many steps of the sheet lie between where it stands and the step of an order.
pub fn ahead(v: &View, order: &Order) -> u32 {
    match (&v.at, order::step(order)) {
        (At::Own(_), Some(step)) => (step as u32).saturating_sub(v.step as u32),
        _ => 0,
    }
}

//! Several seats of one side: whom an order or a question is about, and to which step of sheet A a line belongs.

use super::board::LeaderId;
use super::pieces::{Piece, Place, Track};
use super::sequence::At;
use super::state::State;
use super::view::View;
use super::{Order, Prompt, admin, combat, flow, march, organization};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::staff::Concern;

/// Leaders of a side, by id and printed name.
pub fn leaders(s: &State, side: &SideId) -> Vec<(String, String)> {
    let of_side = s.board.leaders.iter().filter(|(_, spec)| spec.side == *side);
    of_side.map(|(id, spec)| (id.0.clone(), spec.name.clone())).collect()
}

/// ¶37 A leader and those above him.
pub(super) fn line(v: &View, leader: &LeaderId) -> Vec<String> {
    v.own.line(leader)
}

fn all<'a>(v: &View, leaders: impl IntoIterator<Item = &'a LeaderId>) -> Concern {
    Concern::All(leaders.into_iter().map(|leader| line(v, leader)).collect())
}

/// The leader on whose track a unit stands.
fn holder(v: &View, unit: &super::board::UnitId) -> Option<LeaderId> {
    match &v.own.units.get(unit)?.track {
        Track::Of(leader) => Some(leader.clone()),
        Track::Garrison(_) | Track::Waiting => None,
    }
}

fn holders(v: &View, units: &[&super::board::UnitId], also: &[&LeaderId]) -> Concern {
    let found: Vec<LeaderId> = units.iter().filter_map(|unit| holder(v, unit)).collect();
    let lines: Vec<_> = found.iter().chain(also.iter().copied()).map(|leader| line(v, leader)).collect();
    if lines.is_empty() { Concern::Army } else { Concern::All(lines) }
}

/// Own leaders in a hex or beside it, those in it first.
fn about(v: &View, hexes: &[Hex]) -> Concern {
    let mut near: Vec<(u32, &LeaderId)> = Vec::new();
    for (id, leader) in v.own.leaders.iter() {
        let Place::At(at) = leader.place else { continue };
        let far = hexes.iter().map(|hex| hex.distance(at)).min().unwrap_or(u32::MAX);
        if far <= 1 {
            near.push((far, id));
        }
    }
    near.sort();
    if near.is_empty() { Concern::Army } else { Concern::One(near.iter().map(|(_, id)| line(v, id)).collect()) }
}

/// Whom an order is about.
pub fn concern(v: &View, order: &Order) -> Concern {
    match order {
        Order::Of(_, order) => concern(v, order),
        Order::Flow(flow::order::Order::Place { leader, .. }) => all(v, [leader]),
        Order::Flow(flow::order::Order::Pool { .. }) => Concern::Anyone,
        Order::Admin(_) => Concern::Army,
        Order::Organization(order) => organizes(v, order),
        Order::March(order) => moves(v, order),
        Order::Combat(order) => {
            let hexes: Vec<Hex> = order.plans.iter().map(|(hex, _)| *hex).collect();
            about(v, &hexes)
        }
    }
}

fn moves(v: &View, order: &march::order::Order) -> Concern {
    use march::order::Order as O;
    match order {
        O::Force(force) => {
            let parts = force.with.iter().map(|part| &part.leader);
            all(v, std::iter::once(&force.leader).chain(parts))
        }
        O::Leader { leader, .. } | O::Back { leader } | O::StartMode { leader, .. } => all(v, [leader]),
        // ¶230: a vedette obeys no leader.
        O::Vedette { .. } => Concern::Anyone,
        // What a seat leaves still is its own affair.
        O::HoldAll | O::CenterHold => Concern::Anyone,
        O::Redoubt { hex, .. } => about(v, &[*hex]),
        // ¶287: who gets a hex takes it from another.
        O::Center { .. } | O::CenterRiver { .. } | O::Floor { .. } | O::Assign { .. } => Concern::Army,
        O::If { order, .. } => moves(v, order),
    }
}

fn organizes(v: &View, order: &organization::order::Order) -> Concern {
    use organization::order::Order as O;
    match order {
        O::ParisReturn { leader } => all(v, [leader]),
        O::Replace { unit, .. } | O::ParisReplace { unit, .. } => holders(v, &[unit], &[]),
        O::Unit { unit, leader } => holders(v, &[unit], &[leader]),
        O::Strength { from, to, .. } => holders(v, &[from, to], &[]),
        O::Detach { leader } | O::Delay { leader } | O::Assign { leader, .. } => all(v, [leader]),
        O::Attach { leader, to } => all(v, [leader, to]),
        O::Raise { leader, units, .. } => {
            let units: Vec<_> = units.iter().collect();
            holders(v, &units, &[leader])
        }
        O::Retire { leader, into } => all(v, [leader, into]),
        O::Garrison { from, .. } => holders(v, &[from], &[]),
        O::Absorb { into, .. } | O::Dissolve { into, .. } => holders(v, &[into], &[]),
        O::Convert { leader, .. } | O::Draw { leader, .. } => all(v, [leader]),
        O::Form { from, leader, .. } => holders(v, &[from], &[leader]),
        O::Enter(enter) => all(v, [&enter.leader]),
    }
}

/// Whom a question is about.
pub fn asks(v: &View, prompt: &Prompt) -> Concern {
    match prompt {
        Prompt::Admin(admin::prompt::Prompt::Block) => Concern::Army,
        Prompt::March(prompt) => match prompt.piece() {
            Piece::Leader(leader) => all(v, [&leader]),
            Piece::Vedette(_) => Concern::Anyone,
            Piece::Garrison(_) => Concern::Army,
        },
        Prompt::Combat(prompt) => fights(v, prompt),
    }
}

fn fights(v: &View, prompt: &combat::question::Prompt) -> Concern {
    let battle = v.battles.iter().find(|battle| battle.no == prompt.no);
    match battle {
        Some(battle) => match &battle.own.lead {
            Some(lead) => all(v, [lead]),
            None => about(v, if battle.attacking { &battle.from } else { &battle.hexes }),
        },
        None => about(v, &[prompt.hex]),
    }
}

/// ¶50 How many steps of sheet A lie between where it stands and the step of an order.
pub fn ahead(v: &View, order: &Order) -> u32 {
    if !matches!(v.at, At::Own(_)) {
        return 0;
    }
    let Some(segment) = super::play::segment(order) else { return 0 };
    (segment as u32).saturating_sub(v.phase.segment as u32)
}

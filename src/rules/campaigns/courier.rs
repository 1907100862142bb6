//! Couriers between the seats of one side: a dispatch rides from leader to leader, and may come late, or never, or into
//! the enemy's hands.
//!
//! Its way and its costs are those of a dispatch (¶86); rates and dangers are data of the game. Each of a side's
//! couriers that has not come in throws its dice in each of that side's Administrative Segments, whether it still rides
//! or not, so that the dice do not say what became of it.

use super::board::{Halves, LeaderId};
use super::dispatch::{Courier, Heard, Return};
use super::intel::Intel;
use super::march::ways;
use super::pieces::{Named, Pieces, Place};
use super::situation::Situation;
use super::stands::Firm;
use super::state::State;
use super::{Campaigns, dispatch};
use crate::dice::{Label, Owner};
use crate::fog::{SeatId, SideId};
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::cx::Cx;
use crate::rules::staff::{Brought, Dispatch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What happens to a courier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// It sets out.
    Sent {
        /// Its number among its side's.
        n: u32,
        /// All of it.
        courier: Courier,
    },
    /// It has ridden.
    Rode {
        /// Whose.
        side: SideId,
        /// Its number.
        n: u32,
        /// Where it has come to.
        at: Hex,
    },
    /// It is heard of no more.
    Lost {
        /// Whose.
        side: SideId,
        /// Its number.
        n: u32,
    },
    /// The enemy has it, and what it carried.
    Taken {
        /// Whose.
        side: SideId,
        /// Its number.
        n: u32,
        /// Where.
        at: Hex,
    },
    /// It has come in.
    Arrived {
        /// Whose.
        side: SideId,
        /// Its number.
        n: u32,
    },
}

/// What a side is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sighting {
    /// An own courier set out.
    Sent {
        /// Its number.
        n: u32,
        /// The seat that sent it.
        from: SeatId,
        /// The seat that it rides to.
        to: SeatId,
        /// Where.
        at: Hex,
    },
    /// An own courier came in.
    Arrived {
        /// Its number.
        n: u32,
        /// The seat that sent it.
        from: SeatId,
        /// The seat that it went to.
        to: SeatId,
        /// Where it had set out.
        origin: Hex,
        /// On which turn.
        sent: u32,
        /// What it carried; for its seat alone.
        text: Vec<String>,
        /// Lines to be carried out; for its seat alone.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        orders: Vec<String>,
        /// How the writer's leaders stood; for its seat alone.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        returns: BTreeMap<LeaderId, Return>,
    },
    /// An enemy courier was taken.
    Taken {
        /// The seat that sent it.
        from: SeatId,
        /// The seat that it went to.
        to: SeatId,
        /// Where it was taken.
        at: Hex,
        /// What it carried, orders last.
        text: Vec<String>,
    },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Sent { n, courier } => {
            s.couriers.insert((courier.side.clone(), *n), courier.clone());
        }
        Event::Rode { side, n, at } => {
            if let Some(courier) = s.couriers.get_mut(&(side.clone(), *n)) {
                courier.at = Some(*at);
                courier.rides += 1;
            }
        }
        Event::Lost { side, n } | Event::Taken { side, n, .. } => {
            if let Some(courier) = s.couriers.get_mut(&(side.clone(), *n)) {
                courier.at = None;
            }
        }
        // It stays in the count of numbers, and throws no more.
        Event::Arrived { side, n } => {
            s.couriers.remove(&(side.clone(), *n));
        }
    }
    if let Event::Sent { n, courier } = e {
        s.last_courier.insert(courier.side.clone(), *n);
    }
}

/// What a side is told: its own of what sets out and comes in, the enemy of what it takes.
pub fn sight(before: &State, e: &Event, to: &SideId) -> Option<Sighting> {
    let of = |side: &SideId, n: u32| before.couriers.get(&(side.clone(), n));
    match e {
        Event::Sent { n, courier } if courier.side == *to => {
            Some(Sighting::Sent { n: *n, from: courier.from.clone(), to: courier.to.clone(), at: courier.origin })
        }
        Event::Arrived { side, n } if side == to => of(side, *n).map(|c| Sighting::Arrived {
            n: *n,
            from: c.from.clone(),
            to: c.to.clone(),
            origin: c.origin,
            sent: c.sent,
            text: c.text.clone(),
            orders: c.orders.clone(),
            returns: c.returns.clone(),
        }),
        Event::Taken { side, n, at } if side != to => of(side, *n).map(|c| Sighting::Taken {
            from: c.from.clone(),
            to: c.to.clone(),
            at: *at,
            text: c.text.iter().chain(&c.orders).cloned().collect(),
        }),
        Event::Sent { .. } | Event::Rode { .. } | Event::Lost { .. } | Event::Taken { .. } | Event::Arrived { .. } => {
            None
        }
    }
}

/// Whom a seat has last heard from, where and when he wrote.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    match told {
        Sighting::Arrived { from, to, origin, sent, returns, .. } => {
            let new = Heard { hex: *origin, turn: *sent, returns: returns.clone() };
            let heard = mind.heard.entry((to.clone(), from.clone())).or_insert_with(|| new.clone());
            if heard.turn <= *sent {
                *heard = new;
            }
        }
        Sighting::Sent { .. } | Sighting::Taken { .. } => {}
    }
}

/// What one seat of a side is told of a sighting: what a dispatch says is for its reader alone.
pub fn for_seat(told: &Sighting, seat: &SeatId) -> Sighting {
    match told {
        Sighting::Arrived { n, from, to, origin, sent, .. } if to != seat => Sighting::Arrived {
            n: *n,
            from: from.clone(),
            to: to.clone(),
            origin: *origin,
            sent: *sent,
            text: Vec::new(),
            orders: Vec::new(),
            returns: BTreeMap::new(),
        },
        Sighting::Sent { .. } | Sighting::Arrived { .. } | Sighting::Taken { .. } => told.clone(),
    }
}

/// Orders that a courier has brought in.
pub fn brought(told: &Sighting) -> Option<Brought> {
    match told {
        Sighting::Arrived { from, to, orders, .. } if !orders.is_empty() => {
            Some(Brought { from: from.clone(), to: to.clone(), orders: orders.clone() })
        }
        Sighting::Sent { .. } | Sighting::Arrived { .. } | Sighting::Taken { .. } => None,
    }
}

/// Where a seat is: with the first of some leaders who is on the map, else with the center.
fn place(own: &Pieces, leaders: &[LeaderId]) -> Option<Hex> {
    let at = |id: &LeaderId| match own.leaders.get(id)?.place {
        Place::At(hex) => Some(hex),
        Place::Waiting | Place::Off(_) | Place::Gone(_) | Place::Bound(_) => None,
    };
    leaders.iter().find_map(at).or(own.army.center)
}

/// A courier sets out from where his seat is.
///
/// # Errors
/// A seat that is nowhere on the map.
pub fn send(s: &State, side: &SideId, dispatch: &Dispatch) -> Result<Event, Fault> {
    let ids = |names: &[String]| names.iter().cloned().map(LeaderId).collect::<Vec<_>>();
    let own = s.pieces(side);
    let Some(origin) = own.and_then(|own| place(own, &ids(&dispatch.senders))) else {
        return Err(Fault::refused("you have nobody on the map from whom a courier could ride", "¶86"));
    };
    let n = s.last_courier.get(side).map_or(1, |n| n + 1);
    let courier = Courier {
        side: side.clone(),
        from: dispatch.from.clone(),
        to: dispatch.to.clone(),
        targets: ids(&dispatch.targets),
        origin,
        sent: s.turn,
        at: Some(origin),
        rides: 0,
        rates: dispatch.rates.clone(),
        text: dispatch.text.clone(),
        orders: dispatch.orders.clone(),
        returns: own.map(|own| dispatch::returns(own, &ids(&dispatch.returns))).unwrap_or_default(),
    };
    Ok(Event::Sent { n, courier })
}

/// ¶86 All couriers of a side ride, each as far as its rate takes it, by a way that its side thinks open.
pub fn ride(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let own: Vec<(u32, Courier)> = {
        let of_side = cx.state().couriers.iter().filter(|((whose, _), _)| whose == side);
        of_side.map(|((_, n), courier)| (*n, courier.clone())).collect()
    };
    for (n, courier) in own {
        let named = Named { side, name: n.to_string(), roller: Owner::Rider };
        let dice = cx.roll(&Label::own("courier", &named), 2, 6);
        let (loss, meeting) = (dice.first().copied().unwrap_or(6), dice.get(1).copied().unwrap_or(6));
        let Some(at) = courier.at else { continue };
        if loss <= courier.rates.lost {
            cx.emit(Event::Lost { side: side.clone(), n }.into());
            continue;
        }
        let Some(end) = cx.state().pieces(side).and_then(|own| place(own, &courier.targets)) else { continue };
        let way = known_way(&cx.view(side).situation(), at, end);
        let (come, fate) = ridden(cx.state(), side, &courier, &way, meeting);
        cx.emit(Event::Rode { side: side.clone(), n, at: come }.into());
        match fate {
            Fate::Taken(at) => cx.emit(Event::Taken { side: side.clone(), n, at }.into()),
            Fate::Rides if come == end && courier.rides + 1 >= courier.rates.least => {
                cx.emit(Event::Arrived { side: side.clone(), n }.into());
            }
            Fate::Rides => {}
        }
    }
}

enum Fate {
    Rides,
    Taken(Hex),
}

/// ¶80, 82, 85-86 The cheapest way over hexes that are not known to be closed, its first hex left out; the last may be.
/// Only where there is no other does it lead through a counter that may be a force.
fn known_way(sit: &Situation<'_>, from: Hex, to: Hex) -> Vec<Hex> {
    let clear = |hex: Hex| sit.enemy.get(&hex).is_none_or(|there| there.bars() == Firm::No);
    let open = |hex: Hex| hex == to || sit.line_may_pass(hex);
    let careful = ways::ride(sit, from, to, |hex| open(hex) && (hex == to || clear(hex)));
    let found = careful.or_else(|| ways::ride(sit, from, to, open));
    found.map(|way| way.into_iter().skip(1).collect()).unwrap_or_default()
}

/// ¶85-86, 231, 238 How far a courier comes, and what it meets: where no dispatch could pass, the die decides whether it
/// is taken, or stops before it, or slips through. Vedettes meet nobody.
fn ridden(s: &State, side: &SideId, courier: &Courier, way: &[Hex], meeting: u32) -> (Hex, Fate) {
    let (Some(sit), Some(mut at)) = (s.situation(side), courier.at) else { return (courier.origin, Fate::Rides) };
    let mp = courier.rates.mp.unwrap_or_else(|| s.board.policies.dispatch_mp(side));
    let mut left = Halves::whole(mp);
    for &next in way {
        let Some(cost) = sit.dispatch_step(at, next).filter(|cost| *cost <= left) else { break };
        if !sit.line_may_pass(next) {
            if meeting <= courier.rates.taken {
                return (at, Fate::Taken(next));
            }
            if meeting <= courier.rates.taken + courier.rates.stopped {
                break;
            }
        }
        left = left - cost;
        at = next;
    }
    (at, Fate::Rides)
}

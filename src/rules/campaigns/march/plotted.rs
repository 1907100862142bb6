//! ¶187-189 The Administrative March: one leader, two turns, one command, a destination written before he starts.

use super::allowed;
use super::event::Partly;
use super::order::{ForceOrder, How};
use super::told::{Own, PlotEnd};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::exceptions::Administrative;
use crate::rules::campaigns::pieces::AdminMarch;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;

/// Movement Phases that it takes (¶187).
const MARCHES: usize = 2;

/// ¶188 Whether a hex lies too near a counter that may be a force, as far as a side knows: a hidden vedette
/// is like a force (¶230), so that the end of a march tells its owner nothing of what the counter is.
pub fn watched(v: &View, hex: Hex) -> bool {
    v.situation()
        .enemy
        .iter()
        .any(|(at, there)| there.force() != Firm::No && at.distance(hex) <= v.board.exceptions.administrative_watch())
}

/// ¶188-189 The march of a leader that stands and can go on: its hexes ahead. `None` where there is none, or something
/// has ended it.
pub fn under_way<'a>(v: &'a View, leader: &LeaderId) -> Option<&'a AdminMarch> {
    let march = v.own.army.admin_marches.get(leader)?;
    let here = v.own.hex(leader)?;
    let whole = v.own.leaders.get(leader).is_some_and(|l| l.under.is_none()) && !v.own.unemployed(leader);
    let alone = v.own.force(leader).len() == 1;
    let joined = march.rest.first().is_some_and(|next| next.adjacent(here));
    (whole && alone && joined && !watched(v, here)).then_some(march)
}

/// ¶187-188 Refuses any other order to a leader who is on his way.
///
/// # Errors
/// Refused, with the paragraph.
pub fn free(v: &View, leader: &LeaderId, name: &str) -> Result<(), Fault> {
    let Some(to) = under_way(v, leader).and_then(|m| m.rest.last()) else { return Ok(()) };
    Err(Fault::Refused {
        why: format!("{name} is on his Administrative March to {to}"),
        rule: "¶187-188".to_owned(),
        copy: Some(format!("FORCE {} ADMINMARCH", words::order_name(v, leader))),
    })
}

/// ¶187-189 Whether the march may be begun or gone on with; `Err` where not. Any other move of a leader who is on his way
/// is refused as well.
///
/// # Errors
/// Refused, with the paragraph.
pub fn allowed(v: &View, order: &ForceOrder, from: Hex) -> Result<(), Fault> {
    let name = words::name(v, &order.leader);
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let on = under_way(v, &order.leader).and_then(|m| Some((m, *m.rest.last()?)));
    match (on, order.how) {
        (Some((_, to)), How::Plotted) if order.path.last().is_some_and(|end| *end != to) => {
            return refused(format!("{name} is on his Administrative March to {to}; that cannot be altered"), "¶188");
        }
        (Some((_, to)), How::Plotted) => return in_time(v, order, from, 1, to),
        (Some(_), _) => return free(v, &order.leader, &name),
        (None, How::Plotted) => {}
        (None, _) => return Ok(()),
    }
    if v.board.exceptions.marches.administrative == Administrative::Never {
        return refused("there are no Administrative Marches in this game".to_owned(), "¶187");
    }
    let Some(&to) = order.path.last() else { return refused("write the path to the destination".to_owned(), "¶189") };
    if v.own.force(&order.leader).len() > 1 {
        return refused(format!("{name} has subordinates; only a leader with his own units makes it"), "¶187");
    }
    let single = v.board.exceptions.marches.administrative == Administrative::One;
    let mut others = v.own.army.admin_marches.values().filter(|m| m.leader != order.leader);
    if let Some(other) = others.find(|m| single && under_way(v, &m.leader).is_some()) {
        let his = words::name(v, &other.leader);
        return refused(format!("{his} is on an Administrative March; one at a time is allowed"), "¶187");
    }
    if !order.with.is_empty() || order.mode.is_some() || !order.works.is_empty() || !order.trains.is_empty() {
        return refused("an Administrative March is a march and nothing besides".to_owned(), "¶187");
    }
    if let Some(hex) = std::iter::once(&from).chain(&order.path).find(|hex| watched(v, **hex)) {
        let near = match v.board.exceptions.marches.administrative_watch {
            Some(n) => n.to_string(),
            None => "seven".to_owned(),
        };
        return refused(format!("{hex} is within {near} hexes of an enemy counter that may be a force"), "¶188");
    }
    in_time(v, order, from, MARCHES, to)?;
    allowed::command(v, order, from, false)
}

/// ¶189 Whether the destination is reached in so many marches.
fn in_time(v: &View, order: &ForceOrder, from: Hex, marches: usize, to: Hex) -> Result<(), Fault> {
    let stages = stages(v, &order.leader, from, &order.path);
    if stages.len() <= marches {
        return Ok(());
    }
    let n = if marches == 1 { "one march".to_owned() } else { format!("{marches} marches") };
    Err(Fault::refused(format!("{to} cannot be reached in {n} by that path"), "¶189"))
}

/// The ends of the single marches by a path, each as far as the allowance goes. ¶202: no unit is outrun.
pub fn stages(v: &View, leader: &LeaderId, from: Hex, path: &[Hex]) -> Vec<Hex> {
    let sit = v.situation();
    let fresh = super::column::Column::of(&v.board, &v.own, &v.own.force(leader));
    let (mut column, mut at, mut by_road) = (fresh.clone(), from, sit.board.map.on_road(from));
    let mut ends = Vec::new();
    for next in path {
        let Some(cost) = sit.step(at, *next, by_road) else { break };
        if !column.can_pay(cost) {
            if column == fresh {
                // Not even a fresh column can take this step.
                return vec![at; MARCHES + 1];
            }
            ends.push(at);
            column = fresh.clone();
        }
        column.pay(cost);
        by_road = sit.road(at, *next).is_some();
        at = *next;
    }
    ends.push(at);
    ends
}

/// ¶188-189 Whether the force is on its way by a command already paid. A march that something has ended is struck out.
pub fn begin(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder) -> bool {
    let view = cx.view(side);
    if under_way(&view, &order.leader).is_some() {
        return true;
    }
    give_up(cx, side, &order.leader);
    false
}

/// Strikes out the Administrative March of a leader, where there is one.
pub fn give_up(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId) {
    let view = cx.view(side);
    if view.own.army.admin_marches.contains_key(leader) {
        let near = view.own.hex(leader).is_some_and(|hex| watched(&view, hex));
        let why = if near { PlotEnd::Watched } else { PlotEnd::Over };
        cx.emit(Own::PlotEnded { leader: leader.clone(), why }.of(side).into());
    }
}

/// ¶189 After a march of it: whether the destination is reached, or the enemy has come near, or the second march is over.
pub fn settle(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, ahead: Vec<Hex>) {
    let view = cx.view(side);
    let second = view.own.army.admin_marches.get(leader).is_some_and(|m| m.turn < view.turn);
    let here = view.own.hex(leader);
    let ended = match here {
        _ if ahead.is_empty() => Some(PlotEnd::Arrived),
        Some(hex) if watched(&view, hex) => Some(PlotEnd::Watched),
        Some(_) if !second => None,
        Some(_) | None => Some(PlotEnd::Over),
    };
    let leader = leader.clone();
    cx.emit(match ended {
        Some(why) => Own::PlotEnded { leader, why }.of(side).into(),
        None => Partly::Plotted { side: side.clone(), leader, rest: ahead }.into(),
    });
}

/// ¶187-189 What CHECK says of it.
pub fn check(v: &View, order: &ForceOrder, from: Hex) -> Vec<String> {
    let mut lines = Vec::new();
    let mut at = from;
    for (n, end) in stages(v, &order.leader, from, &order.path).into_iter().enumerate() {
        lines.push(format!("march {}        {at} to {end}", n + 1));
        at = end;
    }
    let first = under_way(v, &order.leader).is_none();
    lines.push(if first {
        format!("costs          1 AP of {} for both marches [¶189]", v.own.army.ap)
    } else {
        "costs          no AP [¶189]".to_owned()
    });
    lines
}

/// The path of an order without one: what is still ahead.
pub fn written(v: &View, leader: &LeaderId) -> Vec<Hex> {
    under_way(v, leader).map(|m| m.rest.clone()).unwrap_or_default()
}

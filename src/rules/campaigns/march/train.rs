//! ¶255-260 Bridge trains and pontoons: left, taken and captured; deployed, removed and captured on the march.

use super::event::Partly;
use super::marcher::{Marcher, Unfinished};
use super::order::{ForceOrder, How, TrainStep};
use super::told::{Bridging, Open};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::orders::Fault;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, Board, Halves, LeaderId};
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::situation::StepCost;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::Span;
use crate::rules::campaigns::view::View;
use crate::rules::cx::Cx;
use crate::shared::Shared;
use std::collections::BTreeMap;

impl TrainStep {
    /// The river side it is about.
    fn edge(self) -> Option<Hexside> {
        match self {
            TrainStep::Deploy(edge) | TrainStep::Remove(edge) | TrainStep::Capture(edge) => Some(edge),
            TrainStep::Leave { .. } | TrainStep::Take => None,
        }
    }

    /// The words of the order.
    pub fn words(self) -> String {
        let edge = self.edge().map_or_else(String::new, |edge| {
            let (a, b) = edge.hexes();
            format!(" {a}/{b}")
        });
        let what = match self {
            TrainStep::Deploy(_) => "PONTOON DEPLOY",
            TrainStep::Remove(_) => "PONTOON REMOVE",
            TrainStep::Capture(_) => "PONTOON CAPTURE",
            TrainStep::Leave { .. } => "TRAIN LEAVE",
            TrainStep::Take => "TRAIN TAKE",
        };
        format!("{what}{edge}")
    }
}

/// Whether a hex lies on a hexside.
pub fn beside(hex: Hex, edge: Hexside) -> bool {
    let (a, b) = edge.hexes();
    hex == a || hex == b
}

/// Leaders of a force, the force leader first, whose train is there or not.
fn with_train(own: &Pieces, leader: &LeaderId, train: bool) -> Option<LeaderId> {
    own.force(leader).into_iter().find(|l| own.leaders.get(l).is_some_and(|l| l.train == train))
}

/// ¶231 Whether a force is cavalry of one SP, which captures nothing.
pub fn slight(board: &Board, own: &Pieces, leader: &LeaderId) -> bool {
    own.sp(leader) == 1 && own.sp_of(board, leader, Arm::Cavalry) == 1
}

/// The pontoons as they will lie if the order is carried out: for the reckoning of its path.
pub fn planned(v: &View, order: &ForceOrder) -> Shared<BTreeMap<Hexside, SideId>> {
    let mut pontoons = v.pontoons.clone();
    for step in &order.trains {
        if let TrainStep::Deploy(edge) = step {
            pontoons.insert(*edge, v.side_id());
        }
    }
    pontoons
}

/// ¶251, 255-260 Whether the order's work with trains may be asked for, by what its seat knows.
///
/// # Errors
/// Refused, with the paragraph.
pub fn allowed(v: &View, order: &ForceOrder, from: Hex) -> Result<(), Fault> {
    if order.trains.is_empty() {
        return Ok(());
    }
    let refused = |why: &str, rule: &str| Err(Fault::refused(why, rule));
    if order.how == How::Forced {
        return refused("no work with bridge trains in a Forced March", "¶251, 259");
    }
    if order.how.extra() > Halves(0) {
        return refused("a force that works with bridge trains makes no Extended March", "¶251");
    }
    let way: Vec<Hex> = std::iter::once(from).chain(order.path.iter().copied()).collect();
    for step in &order.trains {
        match step {
            TrainStep::Leave { .. } if with_train(&v.own, &order.leader, true).is_none() => {
                return refused("no bridge train travels with him", "¶255");
            }
            TrainStep::Leave { .. } => {}
            TrainStep::Take => take_allowed(v, order, &way)?,
            TrainStep::Deploy(edge) | TrainStep::Remove(edge) | TrainStep::Capture(edge) => {
                pontoon_allowed(v, order, *step, *edge)?;
                if !way.iter().any(|hex| beside(*hex, *edge)) {
                    let (a, b) = edge.hexes();
                    return refused(&format!("the march does not come beside {a}/{b}"), "¶259");
                }
            }
        }
    }
    Ok(())
}

/// ¶260 Whether a train lies on the way, and somebody can take it.
fn take_allowed(v: &View, order: &ForceOrder, way: &[Hex]) -> Result<(), Fault> {
    if !way.iter().any(|hex| v.trains.contains_key(hex)) {
        return Err(Fault::refused("no bridge train lies on the way", "¶260"));
    }
    if with_train(&v.own, &order.leader, false).is_none() {
        return Err(Fault::refused("every leader of the force has a bridge train already", "¶255"));
    }
    Ok(())
}

fn pontoon_allowed(v: &View, order: &ForceOrder, step: TrainStep, edge: Hexside) -> Result<(), Fault> {
    let (a, b) = edge.hexes();
    let owner = v.pontoons.get(&edge);
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    match step {
        TrainStep::Deploy(_) => {
            if with_train(&v.own, &order.leader, true).is_none() {
                return refused("no bridge train travels with him".to_owned(), "¶255");
            }
            if v.board.map.river(a, b).is_none() {
                return refused(format!("there is no river between {a} and {b}"), "¶257");
            }
            let special = &v.board.special;
            if special.great_river.contains(&edge) && !special.bridging_sites.contains(&edge) {
                return refused(format!("{a}/{b} is no bridging site of the great river"), "¶259");
            }
            if owner.is_some() {
                return refused(format!("a pontoon lies at {a}/{b} already"), "¶259");
            }
        }
        TrainStep::Remove(_) => {
            if owner != Some(&v.side_id()) {
                return refused(format!("you have no pontoon at {a}/{b}"), "¶259");
            }
            if v.enemy.values().any(|c| beside(c.hex, edge)) {
                return refused(format!("an enemy counter stands at the pontoon {a}/{b}"), "¶259");
            }
            if with_train(&v.own, &order.leader, false).is_none() {
                return refused("every leader of the force has a bridge train already".to_owned(), "¶255");
            }
        }
        TrainStep::Capture(_) => {
            if owner.is_none_or(|side| *side == v.side_id()) {
                return refused(format!("the enemy has no pontoon at {a}/{b}"), "¶258");
            }
            if slight(&v.board, &v.own, &order.leader) {
                return refused("cavalry of 1 SP captures no pontoon".to_owned(), "¶231");
            }
        }
        TrainStep::Leave { .. } | TrainStep::Take => {}
    }
    Ok(())
}

/// ¶258-260 MP of a work by the Bridging Summary, where no enemy stands next to it.
pub fn table_mp(v: &View, step: TrainStep) -> Halves {
    let table = &v.board.tables.bridging;
    Halves::whole(match step {
        TrainStep::Deploy(edge) => deploy(&v.board, edge),
        TrainStep::Remove(_) => table.pontoon.remove,
        TrainStep::Capture(_) => table.pontoon.capture,
        TrainStep::Leave { .. } => table.train.leave,
        TrainStep::Take => table.train.pick_up,
    })
}

/// ¶259 MP to deploy a pontoon at a river side, by the Bridging Summary.
fn deploy(board: &Board, edge: Hexside) -> i32 {
    let (a, b) = edge.hexes();
    let span = board.map.river(a, b).map_or(Span::Secondary, |river| Span::of(board, edge, river));
    board.tables.bridging.deploy(span)
}

/// ¶258-260 Does the work that the order asks for in the hex that the force has come to; `last`: its march is over.
pub fn work(cx: &mut Cx<'_, Campaigns>, m: &mut Marcher, here: Hex, last: bool) {
    let Piece::Leader(leader) = m.piece.clone() else { return };
    let ahead = |m: &Marcher, edge: Hexside| !last && m.path.iter().any(|hex| beside(*hex, edge));
    for step in std::mem::take(&mut m.trains) {
        let now = match step {
            TrainStep::Deploy(edge) | TrainStep::Capture(edge) => beside(here, edge),
            TrainStep::Remove(edge) => beside(here, edge) && !ahead(m, edge),
            TrainStep::Leave { first } => first || last,
            TrainStep::Take => cx.state().trains.get(&here).is_some_and(|(side, _)| *side == m.side),
        };
        if !now && !last {
            m.trains.push(step);
            continue;
        }
        let done = if now { carry_out(cx, m, &leader, here, step) } else { Err(missed(step)) };
        if let Err(why) = done {
            m.unfinished.get_or_insert(why);
        }
    }
}

fn missed(step: TrainStep) -> Unfinished {
    match step.edge() {
        Some(edge) => {
            let (a, b) = edge.hexes();
            (format!("the force did not come beside {a}/{b}"), "¶259")
        }
        None => ("the force did not come to a bridge train".to_owned(), "¶260"),
    }
}

fn carry_out(
    cx: &mut Cx<'_, Campaigns>,
    m: &mut Marcher,
    leader: &LeaderId,
    here: Hex,
    step: TrainStep,
) -> Result<(), Unfinished> {
    let mp = cost(cx, m, here, step)?;
    if !m.column.can_pay(StepCost { foot: mp, horse: mp }) {
        return Err((format!("{} takes {mp} MP; {} are left", step.words(), m.column.left()), "¶251"));
    }
    let train = !matches!(step, TrainStep::Deploy(_) | TrainStep::Leave { .. });
    let carrier = match step {
        TrainStep::Capture(_) => Some(leader.clone()),
        _ => cx.state().pieces(&m.side).and_then(|own| with_train(own, leader, !train)),
    };
    let Some(by) = carrier else {
        let why = if train { "every leader of the force has a bridge train" } else { "no bridge train is left" };
        return Err((why.to_owned(), "¶255"));
    };
    m.column.wait(mp);
    let side = m.side.clone();
    let work = |edge: Hexside, what: Bridging| Partly::Pontoon {
        side: side.clone(),
        leader: leader.clone(),
        carrier: by.clone(),
        edge,
        what,
        mp,
    };
    let event = match step {
        TrainStep::Deploy(edge) => work(edge, Bridging::Deployed),
        TrainStep::Remove(edge) => work(edge, Bridging::Removed),
        TrainStep::Capture(edge) => work(edge, Bridging::Captured),
        TrainStep::Leave { .. } => {
            Partly::TrainLeft { side: side.clone(), leader: leader.clone(), carrier: by.clone(), hex: here }
        }
        TrainStep::Take => {
            Partly::TrainTaken { side: side.clone(), leader: leader.clone(), carrier: by.clone(), hex: here, mp }
        }
    };
    cx.emit(event.into());
    // ¶142: a train sets the pace of those it travels with, and of nobody else.
    let state = cx.state();
    if let Some(own) = state.pieces(&m.side) {
        m.column.keep_pace(&super::column::Column::of(&state.board, own, &own.force(leader)));
    }
    Ok(())
}

/// ¶258-260 MP of a work, as it stands in the hex where it is done.
fn cost(cx: &Cx<'_, Campaigns>, m: &Marcher, here: Hex, step: TrainStep) -> Result<Halves, Unfinished> {
    let owner = step.edge().and_then(|edge| cx.state().pontoons.get(&edge));
    match step {
        TrainStep::Deploy(_) if owner.is_some() => Err(("a pontoon lies there already".to_owned(), "¶259")),
        TrainStep::Deploy(edge) => {
            let whole = Halves::whole(deploy(&cx.state().board, edge));
            if !watched(&cx.view(&m.side), here) {
                return Ok(whole);
            }
            // ¶259: next to an enemy force it takes all that the force may spend this turn. What a counter may be is
            // reckoned as its enemy knows it, so that the cost tells him nothing.
            let fresh = m.column.march() == Halves(0) && m.column.idle == Halves(0);
            if !fresh || m.column.left() < whole {
                let why = "next to the enemy it takes the whole allowance of a force that has not moved";
                return Err((why.to_owned(), "¶259"));
            }
            Ok(m.column.left())
        }
        TrainStep::Remove(edge) if held(cx, m, edge) => {
            let (a, b) = edge.hexes();
            Err((format!("an enemy counter stands at the pontoon {a}/{b}"), "¶259"))
        }
        TrainStep::Remove(_) | TrainStep::Capture(_) | TrainStep::Leave { .. } | TrainStep::Take => {
            Ok(table_mp(&cx.view(&m.side), step))
        }
    }
}

/// ¶259 Whether an enemy counter stands on either side of a pontoon.
fn held(cx: &Cx<'_, Campaigns>, m: &Marcher, edge: Hexside) -> bool {
    cx.view(&m.side).enemy.values().any(|c| beside(c.hex, edge))
}

/// Whether a counter that may be a force stands next to a hex, as far as a side knows.
fn watched(v: &View, hex: Hex) -> bool {
    let sit = v.situation();
    hex.neighbours().iter().any(|near| sit.enemy.get(near).is_some_and(|there| there.force() != Firm::No))
}

/// ¶258 Leaves every bridge train of a force in the hex where it stands, since the force retreats or pursues.
pub fn abandon(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId) {
    let Some(own) = cx.state().pieces(side) else { return };
    let Some(hex) = own.hex(leader) else { return };
    let carriers: Vec<LeaderId> =
        own.force(leader).into_iter().filter(|l| own.leaders.get(l).is_some_and(|l| l.train)).collect();
    for carrier in carriers {
        let (side, leader) = (side.clone(), leader.clone());
        cx.emit(Partly::TrainLeft { side, leader, carrier, hex }.into());
    }
}

/// ¶231 Whether a force of a side that can take things stands in a hex: not cavalry of one SP.
pub fn takes(s: &State, side: &SideId, hex: Hex) -> bool {
    let force = |own: &Pieces| own.leaders_at(hex).into_iter().any(|l| !own.unemployed(l) && !slight(&s.board, own, l));
    s.pieces(side).is_some_and(force)
}

/// ¶231, 258 Trains of the other side in a hex that a force comes to or passes are its side's from now on.
pub fn capture(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) {
    let s = cx.state();
    if s.trains.get(&hex).is_none_or(|(owner, _)| owner == side) {
        return;
    }
    if takes(s, side, hex) {
        cx.emit(Open::TrainsCaptured { side: side.clone(), hex }.into());
    }
}

//! CHECK as a rehearsal: what an order most likely comes to on a seat's own view, and what its writer should know (¶147-313).
//!
//! `imagine` makes a position of a view; there the rules themselves carry the order out, once for each face of the die of
//! initiative. `march` puts into words where it ends and by what chance, `battle` an attack, `fight` fights it for its odds, `plan` what a whole
//! sheet leaves. Enemy counters stand where they stand, and nothing is learnt.

mod battle;
pub mod fight;
mod imagine;
mod march;
mod plan;

pub use plan::warnings;

use super::board::LeaderId;
use super::event::Event;
use super::march::activation::rolled;
use super::march::order as marching;
use super::march::step;
use super::march::told::Rolled;
use super::sequence::At;
use super::situation::StepCost;
use super::view::View;
use super::{Campaigns, Order, armies, play};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::cx::trial::{Faces, Trial, trial};
use crate::rules::rehearsal::{Rehearsed, Warning};
use crate::rules::{Outcome, Ruleset};

/// The rolls that decide how far a force marches (¶192).
const INITIATIVE: &str = "initiative";

/// What an order comes to on one face or some faces of the die.
struct Way {
    /// The faces, of six.
    faces: Vec<u32>,
    /// What it leaves.
    view: View,
    /// What happens.
    events: Vec<Event>,
    /// What becomes of the line.
    outcome: Outcome,
}

/// What an order comes to, and the view that it most likely leaves.
///
/// # Errors
/// Why nothing could make it legal.
pub fn rehearse(v: &View, order: &Order) -> Result<Rehearsed<View>, Fault> {
    tried(v, order, words)
}

/// The same for those who read no word of it: no battle is fought for its odds.
///
/// # Errors
/// As for `rehearse`.
pub fn foresee(v: &View, order: &Order) -> Result<Rehearsed<View>, Fault> {
    tried(v, order, |v, order, ways, likely| match order {
        Order::Combat(_) => Ok((Vec::new(), Vec::new())),
        order => words(v, order, ways, likely),
    })
}

/// ¶238 What leaving a hex costs above the ground, by the enemy as he is imagined: the same that a march is tried with.
pub fn leaving(v: &View, from: Hex) -> StepCost {
    let Some(side) = v.side.as_ref().filter(|_| !v.situation().zones_on(from).is_empty()) else {
        return StepCost::NONE;
    };
    let base = imagine::position(v, side);
    base.state.situation(side).map_or(StepCost::NONE, |sit| step::exit(&base.state, &sit, side, from))
}

/// What is said of an order, and its warnings.
type Said = Result<(Vec<String>, Vec<Warning>), Fault>;

fn tried(
    v: &View,
    order: &Order,
    words: impl Fn(&View, &Order, &[Way], &Way) -> Said,
) -> Result<Rehearsed<View>, Fault> {
    let at_desk = match order {
        Order::Of(army, _) => Some(armies::at_desk(v, army)),
        _ => None,
    };
    let (here, inner) = (at_desk.as_ref().unwrap_or(v), inner(order));
    let Some(side) = v.side.as_ref().filter(|side| open(v, side)) else {
        let said = Campaigns::check(v, order)?;
        return Ok(Rehearsed { said, warnings: Vec::new(), after: v.clone(), others: Vec::new() });
    };
    match inner {
        Order::Combat(order) => battle::allowed(here, order)?,
        Order::March(order) => march::allowed(here, order)?,
        _ => {}
    }
    let ways = ways(v, side, order);
    let Some(likely) = ways.iter().max_by_key(|way| (way.faces.len(), std::cmp::Reverse(way.faces.first()))) else {
        return Ok(Rehearsed { said: Vec::new(), warnings: Vec::new(), after: v.clone(), others: Vec::new() });
    };
    if let Some(fault) = ways.iter().map(refusal).collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().next()) {
        return Err(fault);
    }
    let (said, warnings) = words(here, inner, &ways, likely)?;
    let after = likely.view.clone();
    // The low faces of the die are the good ones (¶192).
    let mut others: Vec<View> = ways.into_iter().map(|way| way.view).rev().collect();
    if others.len() < 2 {
        others.clear();
    }
    Ok(Rehearsed { said, warnings, after, others })
}

/// Whether a sheet is open to a side, on which orders could be carried out now.
fn open(v: &View, side: &SideId) -> bool {
    match &v.at {
        At::Setup => true,
        At::Own(phasing) | At::Designate(phasing) => phasing == side,
        At::Reaction(phasing) => phasing != side,
        At::Weather | At::Packet(_) | At::CloseMove(_) | At::Round(..) | At::Close(_) | At::Over => false,
    }
}

/// The order itself, whichever army's it is.
fn inner(order: &Order) -> &Order {
    match order {
        Order::Of(_, order) => inner(order),
        order => order,
    }
}

/// What the rules make of an order on each face of the die, faces that come to the same together.
fn ways(v: &View, side: &SideId, order: &Order) -> Vec<Way> {
    let base = imagine::position(v, side);
    let mut ways: Vec<Way> = Vec::new();
    for faces in faces(v, inner(order)) {
        let cup = Faces { of: INITIATIVE, face: faces.first().copied().unwrap_or(1) };
        let Trial { view, events, outcome } =
            trial::<Campaigns>(base.clone(), side, &cup, |cx| play::line(cx, side, order));
        let view = unlearnt(v, view);
        match ways.iter_mut().find(|way| way.outcome.word() == outcome.word() && way.view.own == view.own) {
            Some(same) => same.faces.extend(faces),
            None => ways.push(Way { faces, view, events, outcome }),
        }
    }
    ways
}

/// ¶192-196 Faces of the die of initiative that surely allow the same; one alone where none is thrown.
fn faces(v: &View, order: &Order) -> Vec<Vec<u32>> {
    let Some(force) = rolls(order) else { return vec![vec![1]] };
    let sit = v.situation();
    let heads = std::iter::once(&force.leader).chain(force.with.iter().map(|part| &part.leader));
    // Next to the enemy his initiative counts too, and what he is worth the rules say.
    let resisted = heads.filter_map(|leader| v.own.hex(leader)).any(|hex| !sit.zones_on(hex).is_empty());
    let rating = v.own.initiative(&v.board, &force.leader);
    let mut groups: Vec<(Rolled, Vec<u32>)> = Vec::new();
    for (face, die) in (1..=6u32).zip(1..) {
        let rolled = rolled(rating, die);
        match groups.last_mut().filter(|(last, _)| !resisted && *last == rolled) {
            Some((_, faces)) => faces.push(face),
            None => groups.push((rolled, vec![face])),
        }
    }
    groups.into_iter().map(|(_, faces)| faces).collect()
}

/// ¶192, 297 The force that throws the die of initiative by an order.
fn rolls(order: &Order) -> Option<&marching::ForceOrder> {
    fn of(order: &marching::Order) -> Option<&marching::ForceOrder> {
        match order {
            marching::Order::Force(force) if matches!(force.how, marching::How::Initiative | marching::How::Forced) => {
                Some(force)
            }
            marching::Order::If { order, .. } => of(order),
            _ => None,
        }
    }
    match order {
        Order::March(order) => of(order),
        _ => None,
    }
}

/// The view after a trial, with everything of the enemy as it was: his counters stand, and nothing is learnt of them.
fn unlearnt(before: &View, after: View) -> View {
    View {
        enemy: before.enemy.clone(),
        enemy_centers: before.enemy_centers.clone(),
        enemy_sources: before.enemy_sources.clone(),
        enemy_redoubts: before.enemy_redoubts.clone(),
        morale: before.morale,
        tracks: before.tracks.clone(),
        control: before.control.clone(),
        sieges: before.sieges.clone(),
        over: before.over.clone(),
        battles: before.battles.clone(),
        heard: before.heard.clone(),
        old: before.old.clone(),
        seen: before.seen.clone(),
        own_face_up: before.own_face_up.clone(),
        ..after
    }
}

/// Why an order is refused, if it is.
fn refusal(way: &Way) -> Option<Fault> {
    match &way.outcome {
        Outcome::Refused { why, rule, copy } => {
            Some(Fault::Refused { why: why.clone(), rule: rule.clone(), copy: copy.clone() })
        }
        _ => None,
    }
}

fn words(v: &View, order: &Order, ways: &[Way], likely: &Way) -> Said {
    match order {
        Order::March(order) => march::words(v, order, ways, likely),
        Order::Combat(order) => Ok(battle::words(&likely.view, order)),
        order => Ok((Campaigns::check(v, order)?, march::unmoved(v, ways))),
    }
}

/// A leader's code, as tables name him.
fn code(v: &View, leader: &LeaderId) -> String {
    v.board.leaders.get(leader).map_or_else(|| leader.0.clone(), |spec| spec.code.clone())
}

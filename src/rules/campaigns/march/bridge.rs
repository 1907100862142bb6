//! ¶61, 251-254 Work on bridges, and on the trestles of a title that has them: announced with the march, done in the
//! Bridge Segment.
//!
//! The book says of trestles no more than that they are built, repaired, damaged and destroyed. House: one spans a river
//! side without a printed bridge, the great river at a bridging site only (as ¶259 has it of pontoons); it carries as a
//! bridge without a road does, for both sides; it is damaged, mended and threatened as bridges are (¶252-254), and nobody
//! builds one onto a bank that the enemy holds.

use super::column::Column;
use super::event::Partly;
use super::marcher::{Marcher, Unfinished};
use super::order::{ForceOrder, How, Job, Work};
use super::told::Open;
use super::train::{beside, slight};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::map::River;
use crate::orders::Fault;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::sequence::TrestleJob;
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::tables::Span;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, flow};
use crate::rules::cx::Cx;

type Allowed = Result<(), Fault>;

/// ¶61, 251-254 Whether a force may work on a bridge or trestle, by what its seat knows.
///
/// # Errors
/// Refused, with the paragraph.
pub fn allowed(v: &View, order: &ForceOrder, from: Hex, work: &Work) -> Allowed {
    let (a, b) = work.edge.hexes();
    let end = order.path.last().copied().unwrap_or(from);
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    if order.how == How::Forced {
        return refused("no bridge work in a Forced March".to_owned(), "¶251");
    }
    if order.how.extra() > Halves(0) {
        return refused("a force that works on a bridge makes no Extended March".to_owned(), "¶251");
    }
    let (span, what) = match work.job {
        Job::Damage | Job::Repair => (bridge(v, work)?, "bridge"),
        Job::Trestle(job) => (trestle(v, order, work.edge, job)?, "trestle"),
    };
    if !beside(end, work.edge) {
        return refused(format!("the march ends in {end}, which is not next to the {what} {a}/{b}"), "¶252");
    }
    let column = Column::of(&v.board, &v.own, &v.own.force(&order.leader));
    if column.all_horse() && !v.board.tables.bridging.all_cavalry_may(span) {
        return refused(format!("cavalry alone cannot work on a {what} over a primary river"), "¶251");
    }
    let breaks = matches!(work.job, Job::Damage | Job::Trestle(TrestleJob::Damage | TrestleJob::Destroy));
    if breaks && slight(&v.board, &v.own, &order.leader) {
        return refused(format!("a cavalry force of 1 SP cannot damage a {what}"), "¶231");
    }
    let far = if end == a { b } else { a };
    if work.job.needs_far_bank() && v.situation().enemy.get(&far).is_some_and(|there| there.force() == Firm::Yes) {
        return refused(format!("an enemy force stands at the other end, in {far}"), "¶254");
    }
    Ok(())
}

/// ¶251, 253 The span of a printed bridge that can be worked on as it stands.
fn bridge(v: &View, work: &Work) -> Result<Span, Fault> {
    let (a, b) = work.edge.hexes();
    let Some(river) = v.board.map.river(a, b).filter(|_| v.board.map.bridge(a, b)) else {
        return Err(Fault::refused(format!("there is no bridge from {a} to {b}"), "¶251"));
    };
    let damaged = v.damaged.contains(&work.edge);
    if (work.job == Job::Repair) != damaged {
        let state = if damaged { "damaged already" } else { "whole" };
        return Err(Fault::refused(format!("the bridge {a}/{b} is {state}"), "¶253"));
    }
    Ok(Span::of(&v.board, work.edge, river))
}

/// ¶61 The span of a trestle that can be worked on as it stands, or stand where it does not yet.
fn trestle(v: &View, order: &ForceOrder, edge: Hexside, job: TrestleJob) -> Result<Span, Fault> {
    let (a, b) = edge.hexes();
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    if v.board.tables.bridging.trestle.is_none() {
        return refused("there are no trestles in this game".to_owned(), "¶61");
    }
    let Some(river @ (River::Primary | River::Secondary)) = v.board.map.river(a, b) else {
        return refused(format!("there is no river between {a} and {b} that a trestle could span"), "¶61");
    };
    if v.board.map.bridge(a, b) {
        let job = if v.damaged.contains(&edge) { Job::Repair } else { Job::Damage };
        let line = ForceOrder { works: vec![Work { edge, job }], ..order.clone() };
        let why = format!("a bridge leads from {a} to {b}; BRIDGE DAMAGE or BRIDGE REPAIR is the word there");
        let copy = Some(super::allowed::line(v, &line));
        return Err(Fault::Refused { why, rule: "¶251".to_owned(), copy });
    }
    let (stands, damaged) = (v.trestles.contains(&edge), v.damaged.contains(&edge));
    match job {
        TrestleJob::Build if stands => return refused(format!("a trestle stands at {a}/{b} already"), "¶61"),
        TrestleJob::Build => {}
        TrestleJob::Repair | TrestleJob::Damage | TrestleJob::Destroy if !stands => {
            return refused(format!("there is no trestle at {a}/{b}"), "¶61");
        }
        TrestleJob::Repair if !damaged => return refused(format!("the trestle {a}/{b} is whole"), "¶61, 253"),
        TrestleJob::Damage if damaged => {
            return refused(format!("the trestle {a}/{b} is damaged already"), "¶61, 253");
        }
        TrestleJob::Repair | TrestleJob::Damage | TrestleJob::Destroy => {}
    }
    let special = &v.board.special;
    if special.great_river.contains(&edge) && !special.bridging_sites.contains(&edge) {
        return refused(format!("{a}/{b} is no bridging site of the great river"), "¶61, 259");
    }
    if job == TrestleJob::Build && v.pontoons.contains_key(&edge) {
        return refused(format!("a pontoon lies at {a}/{b}"), "¶61, 259");
    }
    Ok(Span::of(&v.board, edge, river))
}

/// ¶251-254 Spends the MP of the works that the order ends with; what could not be begun is told.
pub fn works(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    order: &ForceOrder,
    m: &mut Marcher,
    here: Hex,
) -> Option<Unfinished> {
    let mut unfinished = None;
    for work in &order.works {
        let cost = {
            let sit = cx.state().situation(side)?;
            cost(&sit, here, *work)
        };
        match cost {
            Err(why) => unfinished = Some(why),
            Ok(mp) if !m.column.can_pay(StepCost { foot: mp, horse: mp }) => {
                let (a, b) = work.edge.hexes();
                let (left, what) = (m.column.left(), work.job.noun());
                unfinished = Some((format!("work on the {what} {a}/{b} takes {mp} MP; {left} are left"), "¶251"));
            }
            Ok(mp) => {
                m.column.wait(mp);
                let (side, leader, edge) = (side.clone(), order.leader.clone(), work.edge);
                let event = match work.job {
                    Job::Damage => Partly::BridgeWork { side, leader, edge, repair: false, mp },
                    Job::Repair => Partly::BridgeWork { side, leader, edge, repair: true, mp },
                    Job::Trestle(job) => Partly::TrestleWork { side, leader, edge, job, mp },
                };
                cx.emit(event.into());
            }
        }
    }
    unfinished
}

/// ¶61, 251-254 MP of a work from a hex, by what a reckoner knows.
///
/// # Errors
/// Why it cannot be done from there.
pub fn cost(sit: &Situation<'_>, here: Hex, work: Work) -> Result<Halves, Unfinished> {
    let (a, b) = work.edge.hexes();
    let what = work.job.noun();
    if !beside(here, work.edge) {
        return Err((format!("the force did not come next to the {what} {a}/{b}"), "¶252"));
    }
    let Some(river) = sit.board.map.river(a, b) else { return Err((format!("there is no {what}"), "¶251")) };
    let (table, span) = (&sit.board.tables.bridging, Span::of(sit.board, work.edge, river));
    let far = if here == a { b } else { a };
    let force = |hex: &Hex| sit.enemy.get(hex).is_some_and(|there| there.force() == Firm::Yes);
    if work.job.needs_far_bank() && force(&far) {
        let verb = if work.job == Job::Trestle(TrestleJob::Build) { "built" } else { "repaired" };
        return Err((format!("the {what} {a}/{b} cannot be {verb}: the enemy holds {far}"), "¶254"));
    }
    // the six hexes round the workers, but for the far end of the bridge.
    let threatened = || here.neighbours().iter().any(|near| *near != far && force(near));
    let mp = match (work.job, &table.trestle) {
        (Job::Damage, _) => table.damage(span),
        (Job::Repair, _) => table.repair(span, threatened()),
        (Job::Trestle(_), None) => return Err(("there are no trestles in this game".to_owned(), "¶61")),
        (Job::Trestle(TrestleJob::Build), Some(work)) => work.build,
        (Job::Trestle(TrestleJob::Repair), Some(work)) => work.repair + table.threat(span, threatened()),
        (Job::Trestle(TrestleJob::Damage), Some(work)) => work.damage,
        (Job::Trestle(TrestleJob::Destroy), Some(work)) => work.destroy,
    };
    Ok(Halves::whole(mp))
}

/// What CHECK says of the works of an order, by the view: MP of what is left of them, in order.
pub fn check(v: &View, order: &ForceOrder, end: Hex, mut left: Halves) -> Vec<String> {
    let sit = v.situation();
    let mut lines = Vec::new();
    for work in &order.works {
        let Ok(mp) = cost(&sit, end, *work) else { continue };
        let enough = if mp > left { ", too few" } else { "" };
        lines.push(format!("work           {}, {mp} MP of {left}{enough}; no march [¶251]", work.words()));
        left = left - mp;
    }
    if !lines.is_empty() {
        lines.push("               done in the Bridge Segment; the enemy is told now [¶61]".to_owned());
    }
    lines
}

/// ¶61, 252-254 II.f Bridge Segment: what was announced is done.
pub fn segment(cx: &mut Cx<'_, Campaigns>) {
    let works: Vec<(Hexside, bool)> = cx.state().phase.bridge_work.iter().map(|(e, r)| (*e, *r)).collect();
    for (edge, repair) in works {
        // Who did the work was told his own side when it was announced.
        cx.emit(flow::event::Partly::bridge(edge, !repair).into());
    }
    let works: Vec<(Hexside, TrestleJob)> = cx.state().phase.trestle_work.iter().map(|(e, j)| (*e, *j)).collect();
    for (edge, job) in works {
        cx.emit(Open::Trestle { edge, job }.into());
    }
}

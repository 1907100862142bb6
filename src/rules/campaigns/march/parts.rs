//! ¶144, 225-228 The march of a multi-hex force: the force leader first, then each subordinate in a hex beside him, by a
//! tally of his own.

use super::column::Column;
use super::marcher::{Marcher, Unfinished};
use super::order::{ForceOrder, How, Part};
use super::{allowed, stack, walk};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::Play;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::pieces::{Piece, Pieces, Place};
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;

/// Every leader of the force: its leader with those in his hex, then each part with those in his.
pub fn members(own: &Pieces, order: &ForceOrder) -> Vec<LeaderId> {
    heads(order).into_iter().flat_map(|l| own.force(&l)).collect()
}

/// The leaders whose counters march: the force leader, then the parts.
pub fn heads(order: &ForceOrder) -> Vec<LeaderId> {
    std::iter::once(order.leader.clone()).chain(order.with.iter().map(|p| p.leader.clone())).collect()
}

/// Whether the order leaves a part behind at the end of its path (¶225).
fn left(order: &ForceOrder, part: &Part) -> bool {
    order.drops.iter().any(|(l, _)| *l == part.leader)
}

/// ¶144, 225-228 Whether the parts may march with their leader, by what the seat knows.
///
/// # Errors
/// Refused, with the paragraph.
pub fn allowed(v: &View, order: &ForceOrder, from: Hex) -> Result<(), Fault> {
    if order.with.is_empty() {
        return Ok(());
    }
    let chief = words::name(v, &order.leader);
    for (n, part) in order.with.iter().enumerate() {
        let name = words::name(v, &part.leader);
        let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
        let twice = order.with.iter().take(n).any(|p| p.leader == part.leader) || part.leader == order.leader;
        if twice {
            return refused(format!("{name} marches once in this order"), "¶225");
        }
        let Some(hex) = v.own.hex(&part.leader) else { return refused(format!("{name} is not on the map"), "¶225") };
        if !hex.adjacent(from) {
            return refused(format!("{name} stands in {hex}, which is not beside {chief} in {from}"), "¶225");
        }
        if v.own.unemployed(&part.leader) {
            return refused(format!("{name} has no troops; he moves as an unemployed leader"), "¶40");
        }
        let mode = |l: &LeaderId| v.own.leaders.get(l).is_some_and(|l| l.forage);
        if mode(&part.leader) != mode(&order.leader) {
            return refused(format!("{name} and {chief} are in different modes; a force is in one"), "¶278, 294");
        }
        allowed::part(v, order, part, hex, &name)?;
        if matches!(order.how, How::Command(_) | How::Free(_)) && !v.situation().zones_on(hex).is_empty() {
            let why = format!("{name} stands next to the enemy; the whole force can move by initiative only");
            return refused(why, "¶167, 228, 237");
        }
        let (end, his) = (order.path.last().unwrap_or(&from), part.path.last().unwrap_or(&hex));
        if !left(order, part) && end.distance(*his) > 1 {
            let why = format!("{name} must end with {chief} or beside him: {his} is not next to {end}");
            return refused(why, "¶225");
        }
    }
    whole(v, order, &chief)
}

/// ¶38-39, 144, 293 Whether one leader can command the whole, it is not too strong, and every hex where it ends holds it.
fn whole(v: &View, order: &ForceOrder, chief: &str) -> Result<(), Fault> {
    let all = heads(order);
    if !stack::commands(&v.board, &v.own, &order.leader, &all) {
        return Err(Fault::refused(format!("{chief} has not the span for all of them"), "¶38-39, 144"));
    }
    let (sp, most) = (all.iter().map(|l| v.own.sp(l)).sum::<i32>(), v.board.policies.stack_sp);
    if sp > most {
        return Err(Fault::refused(format!("a multi-hex force marches with {most} SP at most; this has {sp}"), "¶144"));
    }
    let after = ended(&v.own, order);
    for hex in all.iter().filter_map(|l| after.hex(l)) {
        let limit = stack::limit(&v.board, &after, hex);
        if after.sp_at(hex) > limit {
            let why = format!("more than {limit} SP would stand in {hex} at the end");
            return Err(Fault::refused(why, if limit < most { "¶216" } else { "¶293" }));
        }
        if !stack::legal(&v.board, &after, hex) {
            return Err(Fault::refused(format!("nobody in {hex} could command all who would end there"), "¶138, 140"));
        }
    }
    Ok(())
}

/// The own pieces as they would stand after the march.
pub fn ended(own: &Pieces, order: &ForceOrder) -> Pieces {
    let mut after = own.clone();
    let paths = order.with.iter().map(|p| (&p.leader, &p.path));
    for (leader, path) in std::iter::once((&order.leader, &order.path)).chain(paths) {
        let Some(end) = path.last() else { continue };
        for member in own.force(leader) {
            if let Some(l) = after.leaders.get_mut(&member) {
                l.place = Place::At(*end);
            }
        }
    }
    after
}

/// ¶225 The parts about to march, each with a column of his own; `fit` gives it what the activation allows.
pub fn marchers(cx: &Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder, fit: impl Fn(&mut Column)) -> Vec<Marcher> {
    let Some(own) = cx.state().pieces(side) else { return Vec::new() };
    let mut found = Vec::new();
    for part in &order.with {
        let Some(hex) = own.hex(&part.leader) else { continue };
        let force = own.force(&part.leader);
        let mut column = Column::of(&cx.state().board, own, &force);
        fit(&mut column);
        let piece = Piece::Leader(part.leader.clone());
        let mut m = Marcher::new(side, piece, column, &part.path, cx.state().board.map.on_road(hex), hex);
        m.forced = order.how == How::Forced;
        m.branches.clone_from(&part.branches);
        let his = |(l, _): &&(LeaderId, Hex)| force.contains(l) && *l != part.leader;
        m.drops = order.drops.iter().filter(his).cloned().collect();
        found.push(m);
    }
    found
}

/// ¶225 Marches the parts after their leader: each goes on his path as far as the last hex of it that is with or beside
/// the leader where he stands now; whoever finds none stays behind. Why a part lost touch, and whether any moved.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn march(
    cx: &mut Cx<'_, Campaigns>,
    order: &ForceOrder,
    parts: Vec<Marcher>,
    chief: Hex,
) -> Play<(bool, Option<Unfinished>)> {
    let (mut moved, mut unfinished) = (false, None);
    for (mut m, part) in parts.into_iter().zip(&order.with) {
        let behind = left(order, part);
        if !behind {
            let near = m.path.iter().rposition(|hex| hex.distance(chief) <= 1);
            m.path.truncate(near.map_or(0, |n| n + 1));
        }
        let ended = walk::walk(cx, &mut m)?;
        let to = cx.state().pieces(&m.side).and_then(|p| p.piece_hex(&m.piece)).unwrap_or(m.from);
        if m.moved {
            moved = true;
            cx.emit(m.marched(to, ended));
        }
        if !behind && to.distance(chief) > 1 {
            let name = cx.state().board.leaders.get(&part.leader).map_or_else(String::new, |l| l.name.clone());
            let why = format!("{name} did not keep up with his force leader; in {to} he is a force of his own");
            unfinished.get_or_insert((why, "¶225"));
        }
    }
    Ok((moved, unfinished))
}

//! The open sheet: whether the reader is on move, and lines that he could send as they stand (¶49-68).

use super::pen::Pen;
use super::roads;
use crate::hex::Hex;
use crate::orders;
use crate::rules::Ruleset;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::flow::setup::first_holder;
use crate::rules::campaigns::pieces::Vedette;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use std::collections::BTreeSet;

/// Lines shown of one verb.
const OF_ONE_VERB: usize = 3;

/// Verbs of the sheet that is open to the reader; none where it is the other side's, or nobody's.
fn verbs(view: &View) -> &'static [&'static str] {
    let mine = |side| view.side.as_ref() == Some(side);
    match &view.at {
        At::Setup => &["VEDETTE"],
        At::Own(p) if mine(p) => &["FORCE", "VEDETTE"],
        At::Reaction(p) if !mine(p) => &["FORCE", "DEFEND"],
        At::Designate(p) if mine(p) => &["ATTACK", "BATTLE", "DECLINE"],
        At::Weather
        | At::Packet(_)
        | At::Own(_)
        | At::CloseMove(_)
        | At::Reaction(_)
        | At::Designate(_)
        | At::Round(..)
        | At::Close(_)
        | At::Over => &[],
    }
}

/// Whether a sheet of the reader is open.
pub fn open(pen: &Pen<'_>) -> bool {
    !verbs(pen.v).is_empty()
}

/// A plan of defence for each hex of an own force that an enemy counter stands next to.
fn defences(view: &View) -> Vec<String> {
    let hexes: BTreeSet<Hex> = view.own.on_map().map(|(_, hex)| hex).collect();
    let near = |hex: &&Hex| view.board.map.neighbours(**hex).iter().any(|n| !view.tags_at(*n).is_empty());
    let threatened = hexes.iter().filter(near);
    threatened.map(|hex| format!("DEFEND {hex} IF APPROX >= 30 TYPE PURSUIT ELSE TYPE PITCHED")).collect()
}

/// Lines that would be taken now: marches that lead somewhere, else the verbs' own examples.
pub fn lines(view: &View) -> Vec<String> {
    let words = verbs(view);
    let mut found = Vec::new();
    for verb in words.iter().filter_map(|word| Campaigns::verbs().iter().find(|v| v.word == *word)) {
        let examples = match (verb.word, &view.at) {
            ("DEFEND", _) => defences(view),
            ("FORCE", At::Own(_)) => marches(view),
            ("VEDETTE", At::Own(_)) => patrols(view).into_iter().chain((verb.examples)(view)).collect(),
            ("VEDETTE", At::Setup) => briefed(view).into_iter().chain((verb.examples)(view)).collect(),
            _ => (verb.examples)(view),
        };
        // A reaction is mostly a plan of defence.
        let one = verb.word == "VEDETTE" || (verb.word == "FORCE" && matches!(view.at, At::Reaction(_)));
        let most = if one { 1 } else { OF_ONE_VERB };
        found.extend(examples.into_iter().filter(|line| taken(view, line)).take(most));
    }
    if !words.is_empty() {
        found.push("END".to_owned());
    }
    found
}

/// Whether a line would be taken as far as the view tells.
fn taken(view: &View, line: &str) -> bool {
    let order = orders::bind(Campaigns::verbs(), view, &orders::line(1, line));
    order.is_ok_and(|order| Campaigns::check(view, &order).is_ok())
}

/// The lines of the set-up that the scenario's first orders build on.
fn briefed(view: &View) -> Vec<String> {
    view.side.as_ref().and_then(|side| view.board.briefings.get(side)).map(|b| b.setup.clone()).unwrap_or_default()
}

/// Where a march may be worth making: to the nearest enemy counter, or where none is known to a place that scores.
fn target(view: &View, from: Hex) -> Option<Hex> {
    let nearest = |hexes: Vec<Hex>| hexes.into_iter().min_by_key(|hex| (from.distance(*hex), *hex));
    let me = view.side.as_ref()?;
    let scores = |o: &&crate::rules::campaigns::board::Objective| {
        o.points.get(me).is_some_and(|n| *n > 0)
            && view.control.get(&o.hex) != Some(me)
            && first_holder(&view.board, o).as_ref() != Some(me)
    };
    nearest(view.enemy.values().map(|counter| counter.hex).collect())
        .or_else(|| nearest(view.board.objectives.iter().filter(scores).map(|o| o.hex).collect()))
}

/// Marches by road of the forces nearest to their targets, each to the hex in its reach that is nearest to it.
fn marches(view: &View) -> Vec<String> {
    let s = view.situation();
    let mut forces: Vec<(u32, Hex, &LeaderId, Hex)> = Vec::new();
    for (id, hex) in view.own.on_map().filter(|(id, _)| !view.own.unemployed(id) && !view.phase.acted.contains(*id)) {
        if let Some(goal) = target(view, hex) {
            forces.push((hex.distance(goal), hex, id, goal));
        }
    }
    forces.sort_unstable();
    let march = |(far, from, id, goal): (u32, Hex, &LeaderId, Hex)| {
        let pace = roads::pace(&view.board, &view.own, id);
        let ways = roads::spread(&s, from, pace.foot, pace.allowance);
        let free = ways.into_iter().filter(|(hex, _)| *hex != from && view.tags_at(*hex).is_empty());
        let ends = free.filter_map(|(hex, way)| Some((hex.distance(goal), way.last()?.1, hex)));
        let (_, _, to) = ends.filter(|(left, ..)| *left < far).min()?;
        let code = view.board.leaders.get(id).map(|spec| spec.code.clone()).unwrap_or_default();
        let line = |name: &str| format!("FORCE {name} INITIATIVE MARCH ROAD TO {to}");
        // A code that another word shadows is written out.
        Some(line(&code)).filter(|line| taken(view, line)).or_else(|| Some(line(&words::order_name(view, id))))
    };
    forces.into_iter().filter_map(march).collect()
}

/// Rides of vedettes toward the nearest enemy counter, the nearest vedette first.
fn patrols(view: &View) -> Vec<String> {
    let mut found: Vec<(u32, u32, String)> = Vec::new();
    for (n, vedette) in &view.own.vedettes {
        let Vedette::At(hex) = vedette else { continue };
        let Some(goal) = target(view, *hex) else { continue };
        let near = view.board.map.neighbours(*hex);
        let nearer = near.into_iter().filter(|next| next.distance(goal) < hex.distance(goal));
        let free = nearer.filter(|next| view.tags_at(*next).is_empty());
        if let Some(to) = free.min_by_key(|next| (next.distance(goal), *next)) {
            found.push((hex.distance(goal), *n, format!("VEDETTE {n} MARCH {hex} {to}")));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, _, line)| line).collect()
}

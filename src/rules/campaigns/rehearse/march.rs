//! What is said of a march that was tried: where it ends and by what chance, and warnings W1, W4, W5, W9, W11, W12.

use super::{Way, code};
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::Outcome;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::combat::designate::Field;
use crate::rules::campaigns::event::Event;
use crate::rules::campaigns::march::check::OnPaper;
use crate::rules::campaigns::march::clause::{Now, truth};
use crate::rules::campaigns::march::order::{ForceOrder, How, Order};
use crate::rules::campaigns::march::told::Own;
use crate::rules::campaigns::march::{check, repulse, verbs};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::campaigns::telling::{Event as Lists, Of};
use crate::rules::campaigns::view::View;
use crate::rules::rehearsal::{Caution, Warning};
use std::collections::BTreeSet;

/// A mean loss of more hundredths of an SP than this is worth a warning.
const MEAN_LOSS: i32 = 100;

type Said = Result<(Vec<String>, Vec<Warning>), Fault>;

/// ¶251 A force that holds does nothing: work on a bridge is part of a march, be it one of no hex.
///
/// # Errors
/// The reason, and the line that does the work.
pub fn allowed(v: &View, order: &Order) -> Result<(), Fault> {
    let Order::Force(force) = order else { return Ok(()) };
    let idle = force.works.is_empty() && force.trains.is_empty() && force.path.is_empty() && force.mode.is_none();
    if force.how != How::Hold || idle {
        return Ok(());
    }
    let how = if matches!(v.at, At::Reaction(_)) { How::Forced } else { How::Initiative };
    let line = crate::rules::campaigns::march::allowed::line(v, &ForceOrder { how, ..force.clone() });
    Err(Fault::Refused {
        why: "a force that holds does nothing else; what it is to do stands behind INITIATIVE or COMMAND".to_owned(),
        rule: "¶251".to_owned(),
        copy: Some(line),
    })
}

/// What is said of an order of movement.
pub fn words(v: &View, order: &Order, ways: &[Way], likely: &Way) -> Said {
    match order {
        Order::Force(force) if force.how == How::Hold => Ok((verbs::check(v, order), Vec::new())),
        Order::Force(force) => {
            let leave = v.own.hex(&force.leader).map_or(StepCost::NONE, |from| super::leaving(v, from));
            let paper = check::on_paper(v, force, leave);
            detoured(v, force, paper.as_ref())?;
            Ok(forced(v, force, paper, ways, likely))
        }
        Order::Vedette { n, path, branches: _ } => Ok(rider(v, &Piece::Vedette(*n), path, ways, likely)),
        Order::Leader { leader, path } => Ok(rider(v, &Piece::Leader(leader.clone()), path, ways, likely)),
        Order::Center { .. } | Order::CenterRiver { .. } => {
            let mut warnings = unmoved(v, ways);
            if likely.view.own.army.center != v.own.army.center {
                let text = format!("the center is inactive on turn {}", v.turn + 1);
                warnings.push(warn(Caution::Center, text, "¶181"));
            }
            Ok((verbs::check(v, order), warnings))
        }
        Order::If { cond, order } => {
            let holds = cond.holds(|test| truth(v, &Now::at_rest(), test));
            let (mut said, warnings) = words(v, order, ways, likely)?;
            said.insert(0, format!("As you know it now the condition is {}.", if holds { "met" } else { "not met" }));
            Ok((said, warnings))
        }
        Order::HoldAll
        | Order::CenterHold
        | Order::Back { .. }
        | Order::Redoubt { .. }
        | Order::Assign { .. }
        | Order::Floor { .. }
        | Order::StartMode { .. } => Ok((verbs::check(v, order), unmoved(v, ways))),
    }
}

/// A warning.
pub fn warn(kind: Caution, text: impl AsRef<str>, rule: &str) -> Warning {
    Warning { kind, text: text.as_ref().to_owned(), rule: rule.to_owned() }
}

/// W11: an order that comes to nothing on every roll, with the reason.
pub fn unmoved(v: &View, ways: &[Way]) -> Vec<Warning> {
    let mut found = Vec::new();
    for way in ways {
        match &way.outcome {
            Outcome::Failed { why, rule } if way.view.own == v.own => found.push(warn(Caution::NoEffect, why, rule)),
            _ => return Vec::new(),
        }
    }
    found.truncate(1);
    found
}

/// A force order: where it ends, what it may meet.
fn forced(
    v: &View,
    order: &ForceOrder,
    paper: Option<OnPaper>,
    ways: &[Way],
    likely: &Way,
) -> (Vec<String>, Vec<Warning>) {
    let piece = Piece::Leader(order.leader.clone());
    let mut said = vec![ends(v, &piece, ways, likely, paper.as_ref().map(|p| p.allowance))];
    said.extend(contact(v, order, likely));
    match order.how {
        How::Command(_) | How::Plotted | How::Free(Some(_)) => {
            let spent = v.own.army.ap - likely.view.own.army.ap;
            said.push(format!("Costs {spent} of {} AP.", v.own.army.ap));
        }
        How::Free(None) | How::Initiative | How::Forced | How::Hold => {}
    }
    if order.path.is_empty() {
        let works = order.works.iter().map(|work| work.words()).chain(order.trains.iter().map(|step| step.words()));
        said.extend(works.map(|work| format!("Instead of a march: {work}.")));
    }
    let mut warnings = met(v, &piece, &order.path, likely);
    if let Some(paper) = paper {
        warnings.extend(reach(v, order, &paper));
        if paper.mean > MEAN_LOSS {
            let end = likely.view.own.hex(&order.leader);
            let mp = paper.steps.iter().find(|(hex, _)| Some(*hex) == end).map_or(Halves(0), |(_, mp)| *mp);
            let text = format!("{}.{} SP lost on average at {mp} MP", paper.mean / 100, paper.mean / 10 % 10);
            warnings.push(warn(Caution::Attrition, text, "¶264-270"));
        }
        warnings.extend(round(v, order, &paper));
    }
    warnings.extend(unmoved(v, ways));
    (said, warnings)
}

/// The march of a vedette or of a leader alone.
fn rider(v: &View, piece: &Piece, path: &[Hex], ways: &[Way], likely: &Way) -> (Vec<String>, Vec<Warning>) {
    let allowances = &v.board.tables.terrain.allowances;
    let most = match piece {
        Piece::Vedette(_) => allowances.vedette,
        Piece::Leader(_) | Piece::Garrison(_) => allowances.unemployed_leader,
    };
    let mut warnings = met(v, piece, path, likely);
    if let (Some(from), Some(to)) = (v.own.piece_hex(piece), path.last())
        && far_round(from, path)
    {
        let text = format!("{}: {}, {} by this way", place(v, *to), hexes(from.distance(*to)), path.len());
        warnings.push(warn(Caution::Detour, text, "¶213"));
    }
    warnings.extend(unmoved(v, ways));
    (vec![ends(v, piece, ways, likely, Some(Halves::whole(most)))], warnings)
}

/// Where a piece ends, what it costs, by what chance.
fn ends(v: &View, piece: &Piece, ways: &[Way], likely: &Way, allowance: Option<Halves>) -> String {
    let from = v.own.piece_hex(piece);
    let mut said = match likely.view.own.piece_hex(piece) {
        Some(hex) if Some(hex) == from => format!("stays in {hex}"),
        Some(hex) => hex.to_string(),
        None => "leaves the map".to_owned(),
    };
    if let (Some(mp), Some(most)) = (spent(likely, piece), allowance) {
        said.push_str(&format!(", {mp} of {most} MP"));
    }
    if ways.iter().map(|way| way.faces.len()).sum::<usize>() < 6 {
        return format!("{said}.");
    }
    if let [_] = ways {
        return format!("{said}, on any roll.");
    }
    said.push_str(&format!(", on {} ({})", faces(&likely.faces), share(likely.faces.len())));
    for way in ways.iter().filter(|way| way.faces != likely.faces) {
        let end = match way.view.own.piece_hex(piece) {
            Some(hex) if Some(hex) == from => "he stays".to_owned(),
            Some(hex) => format!("he ends at {hex}{}", beside(&way.view, piece, hex)),
            None => "he leaves the map".to_owned(),
        };
        said.push_str(&format!("; on {} {end}", faces(&way.faces)));
    }
    format!("{said}.")
}

/// Who else of one's own stands in a hex.
fn beside(v: &View, piece: &Piece, hex: Hex) -> String {
    let other = |l: &&LeaderId| Piece::Leader((*l).clone()) != *piece;
    let codes: Vec<String> = v.own.leaders_at(hex).into_iter().filter(other).map(|l| code(v, l)).collect();
    if codes.is_empty() { String::new() } else { format!(" with {}", codes.join(" ")) }
}

/// MP that a march took.
fn spent(way: &Way, piece: &Piece) -> Option<Halves> {
    way.events.iter().find_map(|event| match event {
        Event::March(Lists::Own(Of { what: Own::Marched { piece: moved, mp, .. }, .. })) if moved == piece => Some(*mp),
        _ => None,
    })
}

/// Faces of a die, such as `1-4`.
fn faces(faces: &[u32]) -> String {
    match (faces.first(), faces.last()) {
        (Some(a), Some(b)) if a == b => a.to_string(),
        (Some(a), Some(b)) if usize::try_from(b - a + 1) == Ok(faces.len()) => format!("{a}-{b}"),
        _ => faces.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// So many of six, in lowest terms.
fn share(faces: usize) -> &'static str {
    match faces {
        1 => "1 in 6",
        2 => "1 in 3",
        3 => "1 in 2",
        4 => "2 in 3",
        5 => "5 in 6",
        _ => "sure",
    }
}

/// ¶241 Whom it comes next to, and what a repulse could drive off.
fn contact(v: &View, order: &ForceOrder, likely: &Way) -> Option<String> {
    let end = likely.view.own.hex(&order.leader).filter(|end| Some(*end) != v.own.hex(&order.leader))?;
    let sit = v.situation();
    let met: Vec<Hex> = sit.zones_on(end).into_iter().map(|(hex, _)| hex).collect();
    if met.is_empty() {
        return None;
    }
    let (own, most) = repulse::promise(v, &order.leader, end, &met);
    Some(format!("Contact there with {}: {own} SP repulse at most {most} SP; else he stops. [¶241]", foes(v, &met)))
}

/// Enemy counters in some hexes by their numbers.
pub fn foes(v: &View, hexes: &[Hex]) -> String {
    let tags: Vec<String> = hexes.iter().flat_map(|h| v.tags_at(*h)).map(|n| format!("E{n}")).collect();
    if tags.is_empty() { "the enemy garrison".to_owned() } else { tags.join(" ") }
}

/// W1, W12: an attack that becomes a duty; an enemy in the way.
fn met(v: &View, piece: &Piece, path: &[Hex], likely: &Way) -> Vec<Warning> {
    let mut found = Vec::new();
    let end = likely.view.own.piece_hex(piece);
    let sit = v.situation();
    if let Some(hex) = path.iter().find(|hex| sit.enemy.contains_key(hex)) {
        let stops = end.map_or_else(String::new, |end| format!(": he stops at {end}"));
        let are = if v.tags_at(*hex).len() > 1 { "are" } else { "is" };
        found.push(warn(Caution::Enemy, format!("{} {are} in {hex}{stops}", foes(v, &[*hex])), "¶223"));
    }
    if let Some(end) = end.filter(|_| matches!(v.at, At::Own(_))) {
        let now = duties(&likely.view, piece, end);
        let before = Field::of(v).duties_among(|hex| now.contains(&hex));
        for hex in now.into_iter().filter(|hex| !before.contains(hex)) {
            let text = format!("you must attack {} at {hex} on sheet B", foes(v, &[hex]));
            found.push(warn(Caution::MustAttack, text, "¶233-235"));
        }
    }
    found
}

/// ¶233-235, 243 Enemy hexes that a piece must attack where it stands.
fn duties(v: &View, piece: &Piece, end: Hex) -> BTreeSet<Hex> {
    let field = Field::of(v);
    let must = |hex: Hex| {
        field.must(end, hex)
            && match piece {
                Piece::Leader(leader) => field.can(leader, hex),
                Piece::Vedette(_) | Piece::Garrison(_) => true,
            }
    };
    let mut found = field.duties_among(must);
    if let Piece::Leader(leader) = piece {
        found.extend(v.phase.repulse_failed.get(leader).into_iter().flatten().copied());
    }
    found
}

/// W5: a destination beyond the MP of the best roll.
fn reach(v: &View, order: &ForceOrder, paper: &OnPaper) -> Option<Warning> {
    let (last, whole) = *paper.steps.last()?;
    if whole <= paper.allowance || paper.allowance <= Halves(0) || order.how == How::Plotted {
        return None;
    }
    let (far, _) = *paper.steps.iter().rev().find(|(_, mp)| *mp <= paper.allowance)?;
    let turns = (whole.0 + paper.allowance.0 - 1) / paper.allowance.0;
    let text = format!("{}: this turn to {far} at most, {turns} turns in all", place(v, last));
    Some(warn(Caution::Reach, text, "¶202"))
}

/// W4: far round by road, or past an enemy.
fn round(v: &View, order: &ForceOrder, paper: &OnPaper) -> Option<Warning> {
    order.road.as_ref()?;
    let (from, to) = (v.own.hex(&order.leader)?, *order.path.last()?);
    let past = passed(&v.situation(), &order.path);
    if !far_round(from, &order.path) && past.is_empty() {
        return None;
    }
    Some(warn(Caution::Detour, detour(v, from, to, paper, &past), "¶213"))
}

/// Whether a way is more than twice as long as the hexes between its ends.
fn far_round(from: Hex, path: &[Hex]) -> bool {
    let straight = path.last().map_or(0, |to| from.distance(*to));
    u32::try_from(path.len()).is_ok_and(|long| long > 2 * straight)
}

/// Hexes with enemy counters that a way leads past before its end.
fn passed(sit: &Situation<'_>, path: &[Hex]) -> Vec<Hex> {
    let way = path.split_last().map_or(&[][..], |(_, way)| way);
    let near = |hex: &Hex| sit.zones_on(*hex).into_iter().map(|(h, _)| h).collect::<Vec<_>>();
    let mut found: Vec<Hex> = way.iter().flat_map(near).collect();
    found.extend(way.iter().filter(|hex| sit.enemy.contains_key(hex)));
    found.sort_unstable();
    found.dedup();
    found
}

/// So many hexes.
fn hexes(n: u32) -> String {
    if n == 1 { "1 hex".to_owned() } else { format!("{n} hexes") }
}

fn detour(v: &View, from: Hex, to: Hex, paper: &OnPaper, past: &[Hex]) -> String {
    let hexes = hexes(from.distance(to));
    let mp = paper.steps.last().map_or(Halves(0), |(_, mp)| *mp);
    let past = if past.is_empty() { String::new() } else { format!(" past {}", foes(v, past)) };
    format!("{}: {hexes}, {mp} MP by road{past}", place(v, to))
}

/// ¶213 A road that leads more than twice as far as the hexes is taken only where the line says ANYWAY.
///
/// # Errors
/// Refused, with the line that would be taken.
fn detoured(v: &View, order: &ForceOrder, paper: Option<&OnPaper>) -> Result<(), Fault> {
    let (Some(road), Some(from), Some(paper)) = (&order.road, v.own.hex(&order.leader), paper) else { return Ok(()) };
    if road.anyway || !far_round(from, &order.path) {
        return Ok(());
    }
    let Some(to) = order.path.last() else { return Ok(()) };
    let past = passed(&v.situation(), &order.path);
    let why = format!("{}; not taken without ANYWAY", detour(v, from, *to, paper, &past));
    Err(Fault::Refused { why, rule: "¶213".to_owned(), copy: Some(road.line.clone()) })
}

/// A place by its name, else its hex.
pub fn place(v: &View, hex: Hex) -> String {
    v.board.map.name(hex).map_or_else(|| hex.to_string(), str::to_owned)
}

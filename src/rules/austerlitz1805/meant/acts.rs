//! The least change of a line, by what it wants done; and where that is not allowed, the nearest act of the same unit.

use super::said::{Act, Said};
use super::{choice, pick};
use crate::orders::Fault;
use crate::orders::mend::Mended;
use crate::orders::mend::change::{Choice, ORDER, PLACE, VERB};
use crate::orders::mend::lexicon::Sense;
use crate::plane::{Fine, Heading, UM};
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::table::{Formation, um, wind};
use crate::rules::austerlitz1805::{guns, moves};

/// How far a unit steps back where nothing is said.
const STEP: i32 = 500;

/// The answer to a line that wants something done.
pub fn mended(said: &Said<'_>, act: Act) -> Mended {
    let named = said.who();
    let guns = |id: &UnitId| said.v.table.arm(id) == Arm::Artillery;
    if act == Act::Hold && !named.iter().any(guns) {
        let why = "a unit without orders stays; HOLD is for batteries, END ends your sheet.".to_owned();
        return Mended { why, rule: "4.4".to_owned(), ..Mended::default() };
    }
    let who: Vec<UnitId> = if named.is_empty() { chosen(said, act).into_iter().collect() } else { named.clone() };
    let mut choices: Vec<Choice> = who.iter().flat_map(|id| lines(said, act, id)).collect();
    let order = ordered(said);
    choices.iter_mut().for_each(|c| c.cost += if order { 0 } else { ORDER });
    let mut mended = Mended { lines: pick(said, choices), ..Mended::default() };
    let more = who.len().max(said.foes().len());
    if let Some(together) = together(said, act, &who) {
        mended.lines = vec![together];
    } else if mended.lines.len() > 1 && more > 1 {
        let many = crate::text::number(u32::try_from(mended.lines.len()).unwrap_or(0));
        mended.why = format!("{many} units are meant; one order a unit.");
    }
    if mended.lines.is_empty() {
        for id in &who {
            mended.lines = nearest(said, act, id);
            if !mended.lines.is_empty() {
                break;
            }
        }
        let told = refusal(said, act, who.first());
        (mended.why, mended.rule) = told;
        mended.note = (!mended.lines.is_empty()).then(|| "This it can do.".to_owned());
    }
    if named.is_empty() {
        let (why, rule) = unnamed(said, act);
        (mended.why, mended.rule) = (why.to_owned(), rule.to_owned());
    }
    mended
}

/// Several units of which the same is wanted: one line for all of them, where the order takes several.
fn together(said: &Said<'_>, act: Act, who: &[UnitId]) -> Option<String> {
    let first = |id: &UnitId| {
        let line = lines(said, act, id).into_iter().next()?.line;
        let (verb, rest) = line.split_once(' ')?;
        let rest = rest.strip_prefix(id.0.as_str())?;
        Some((verb.to_owned(), rest.to_owned()))
    };
    let each: Vec<(String, String)> = who.iter().map(first).collect::<Option<_>>()?;
    let (verb, rest) = each.first().filter(|one| each.len() > 1 && each.iter().all(|other| other == *one))?;
    let names: Vec<&str> = who.iter().map(|id| id.0.as_str()).collect();
    let line = format!("{verb} {}{rest}", names.join(" AND "));
    super::takes(said.v, &line).then_some(line)
}

/// Whether the unit stands behind the verb.
fn ordered(said: &Said<'_>) -> bool {
    let verb = said.tokens.iter().position(|t| t.key.is_some() || t.senses.iter().any(|s| s.acts()));
    let unit = said.tokens.iter().position(|t| !t.things.is_empty());
    !matches!((verb, unit), (Some(verb), Some(unit)) if unit < verb)
}

/// Why a line that names no unit is no order.
fn unnamed(said: &Said<'_>, act: Act) -> (&'static str, &'static str) {
    match act {
        Act::Attack | Act::Charge if said.foes().is_empty() && said.goal().is_some() => {
            ("ATTACK names two units.  A place is taken by moving a unit through it.", "17.1.1.6")
        }
        Act::Attack | Act::Charge => ("which unit?  The order is ATTACK unit AT enemy.", "13.1"),
        Act::Back => {
            ("one order a unit.  BACK unit 1UM steps back facing the enemy; DISENGAGE leaves a combat.", "6.5")
        }
        Act::Fire => ("which unit?  Guns BOMBARD, muskets VOLLEY: verb, unit, AT enemy.", "9.1"),
        Act::Hold => ("a unit without orders stays; END ends your sheet.", ""),
        _ => ("which unit?  One order a unit.", ""),
    }
}

/// The unit that an example is made of, where the line names none.
fn chosen(said: &Said<'_>, act: Act) -> Option<UnitId> {
    let t = &said.v.table;
    let me = said.v.me();
    let foe = said.goal().map(|(_, at)| at).or_else(|| {
        let mut own = t.of_side(&me).filter(|(id, _)| t.arm(id) == Arm::Infantry);
        own.find_map(|(id, _)| t.enemies_by_gap(id).first().map(|foe| t.centre(foe)))
    })?;
    let arm = match act {
        Act::Fire | Act::Hold => Arm::Artillery,
        Act::Charge => Arm::Cavalry,
        Act::Form(Formation::Limbered | Formation::Unlimbered) => Arm::Artillery,
        Act::Attach => Arm::Hq,
        _ => Arm::Infantry,
    };
    if act == Act::Hold { None } else { said.near(foe, arm) }
}

/// The line itself, in the shape of its verb.
fn lines(said: &Said<'_>, act: Act, id: &UnitId) -> Vec<Choice> {
    let line = |verb: &str, rest: String, more: u32| {
        choice(said, format!("{verb} {id} {rest}").trim_end().to_owned(), &[verb, "AT", "TO", "TOWARD", "UM"], more)
    };
    let foes = said.foes();
    let at = |verb: &str| foes.iter().map(|foe| line(verb, format!("AT {foe}"), 0)).collect::<Vec<_>>();
    match act {
        // Who is to go with a unit is attached to it; only an HQ can be.
        Act::Move if said.v.table.arm(id) == Arm::Hq && goes_with(said) => {
            lines(said, Act::Attach, id).into_iter().chain(moving(said, id)).collect()
        }
        Act::Move => moving(said, id),
        // An attack that names neither enemy nor place is no march straight on.
        Act::Attack if foes.is_empty() && said.goal().is_none() => Vec::new(),
        Act::Attack if foes.is_empty() => {
            moving(said, id).into_iter().map(|c| Choice { cost: c.cost + 1, ..c }).collect()
        }
        Act::Attack => at("ATTACK"),
        Act::Charge => at("CHARGE"),
        // Who is to support a friend stands by him against whom he attacks.
        Act::Support if foes.is_empty() => {
            let against =
                said.second().and_then(|friend| said.v.table.combat_of(&friend).map(|fight| fight.on.clone()));
            against.map(|foe| line("SUPPORT", format!("AT {foe}"), 0)).into_iter().collect()
        }
        Act::Support => at("SUPPORT"),
        Act::Fire => {
            let verb = if said.v.table.arm(id) == Arm::Artillery { "BOMBARD" } else { "VOLLEY" };
            let says = |kind: &str| said.tokens.iter().any(|t| t.key == Some(kind));
            let kind = ["CANISTER", "ROUND"].into_iter().find(|kind| says(kind)).map(|kind| format!(" {kind}"));
            let kind = kind.unwrap_or_default();
            foes.iter().map(|foe| line(verb, format!("AT {foe}{kind}"), 0)).collect()
        }
        Act::Back => {
            let far = said.far().unwrap_or(STEP);
            vec![line("BACK", format!("{}UM", um(far)), 0), line("BACK", format!("{}UM", um(STEP)), PLACE)]
        }
        Act::Turn => (0..).zip(turning(said, id)).map(|(dear, way)| line("TURN", way, dear)).collect(),
        Act::About => vec![line("ABOUT", String::new(), 0)],
        Act::Form(form) => vec![line("FORM", formation(form).to_owned(), 0)],
        Act::Attach => said.second().into_iter().map(|to| line("ATTACH", format!("TO {to}"), 0)).collect(),
        Act::Follow => {
            let far = said.far().map(|far| format!(" {}UM", um(far))).unwrap_or_default();
            said.second().into_iter().map(|to| line("FOLLOW", format!("AFTER {to}{far}"), 0)).collect()
        }
        Act::Leave => vec![line("DISENGAGE", String::new(), 0)],
        Act::Side => {
            let left = |t: &crate::orders::mend::hear::Token<super::names::Thing>| {
                matches!(t.key, Some("LEFT")) || ["l", "links", "gauche"].contains(&t.text.to_lowercase().as_str())
            };
            let way = if said.tokens.iter().any(left) { "L" } else { "R" };
            let far = said.far().map(|far| format!(" {}UM", um(far))).unwrap_or_default();
            vec![line("SIDE", format!("{way}{far}"), 0), line("SIDE", way.to_owned(), PLACE)]
        }
        Act::Hold => vec![line("HOLD", String::new(), 0)],
        Act::Done => Vec::new(),
    }
}

/// Whether one is to go with another, and not only toward it.
fn goes_with(said: &Said<'_>) -> bool {
    said.second().is_some() && !said.tokens.iter().any(|t| t.key == Some("TOWARD"))
}

/// 6.4 Toward a place, as far as is said; else as far as the allowance goes.
fn moving(said: &Said<'_>, id: &UnitId) -> Vec<Choice> {
    let left = moves::left(&said.v.table, id);
    let mut found = Vec::new();
    // Who names a place and a way to face wants both.
    let faces = said.tokens.iter().any(|t| t.key == Some("FACE"))
        || said.words.iter().any(|word| ["faces", "facing"].contains(&word.fold.as_str()));
    let face = said.way().filter(|_| faces && said.goal().is_some());
    let face = face.map(|way| format!(" FACE {}", wind(way))).unwrap_or_default();
    let mut put = |rest: String, more: u32| {
        found.push(choice(said, format!("MOVE {id} {rest}{face}"), &["MOVE", "TOWARD", "UM"], more));
    };
    let ways: Vec<String> = match (said.goal(), said.way()) {
        (Some((name, _)), _) => vec![format!("TOWARD {name}")],
        (None, Some(way)) => vec![format!("TOWARD {}", wind(way)), format!("BEARING {way}")],
        (None, None) => vec![String::new()],
    };
    for (dear, way) in (0..).zip(ways) {
        match said.far() {
            Some(far) if far <= left => put(format!("{way} {}UM", um(far)).trim_start().to_owned(), dear),
            Some(_) => put(format!("{way} {}UM", um(left)).trim_start().to_owned(), dear + 1),
            None if left > 0 => put(format!("{way} {}UM", um(left)).trim_start().to_owned(), dear),
            None => {}
        }
        if !way.is_empty() {
            put(way, dear + 2);
        }
    }
    found
}

/// 6.5 Ways to face: those that are named, or toward a place.
fn turning(said: &Said<'_>, id: &UnitId) -> Vec<String> {
    if let Some(way) = said.way() {
        return vec![wind(way).to_owned(), way.to_string()];
    }
    let Some((name, at)) = said.goal() else { return Vec::new() };
    let by_name = if name.contains(' ') || name.contains(',') { None } else { Some(format!(">{name}")) };
    let bearing = Heading::between(said.v.table.centre(id), at).map(|way| way.to_string());
    by_name.into_iter().chain(bearing).collect()
}

pub fn formation(form: Formation) -> &'static str {
    match form {
        Formation::Line => "LINE",
        Formation::Column => "COLUMN",
        Formation::Square => "SQUARE",
        Formation::Unlimbered => "UNLIMBER",
        Formation::Limbered | Formation::Staff => "LIMBER",
    }
}

/// Why the line itself is not allowed.
fn refusal(said: &Said<'_>, act: Act, id: Option<&UnitId>) -> (String, String) {
    let first = id.and_then(|id| lines(said, act, id).into_iter().next());
    let Some(first) = first else { return (String::new(), String::new()) };
    let line = crate::orders::line(1, &first.line);
    let fault = match crate::orders::read(super::verbs(), said.v, &line) {
        Err(fault) => fault,
        Ok(order) => match super::super::check::check(said.v, &order) {
            Err(fault) => fault,
            Ok(_) => return (String::new(), String::new()),
        },
    };
    match fault {
        Fault::Refused { why, rule, .. } => (format!("{}.", why.trim_end_matches('.')), rule),
        other => (other.to_string(), String::new()),
    }
}

/// R5 What the same unit can do toward the same end: a step without which the act is closed, or the way to it. What only
/// can be done, and does not serve it, is not offered.
fn nearest(said: &Said<'_>, act: Act, id: &UnitId) -> Vec<String> {
    let t = &said.v.table;
    let unit = t.unit(id);
    let verb = |line: String, more: u32| Choice { line, cost: VERB + more };
    let mut tries: Vec<Choice> = Vec::new();
    if t.arm(id) == Arm::Artillery {
        if act == Act::Fire && unit.is_some_and(|u| u.form != Formation::Unlimbered) {
            tries.push(verb(format!("FORM {id} UNLIMBER"), 0));
        }
        if act == Act::Fire {
            let targets = guns::targets(t, id).into_iter().take(1);
            tries.extend(targets.map(|(foe, _)| Choice { line: format!("BOMBARD {id} AT {foe}"), cost: PLACE }));
        }
        let moves = matches!(act, Act::Move | Act::Back | Act::Turn | Act::Side | Act::Follow | Act::About);
        if unit.is_some_and(|u| u.form == Formation::Unlimbered) && moves {
            tries.push(verb(format!("FORM {id} LIMBER"), 0));
        }
    }
    if act == Act::Charge {
        tries.extend(said.foes().into_iter().map(|foe| verb(format!("ATTACK {id} AT {foe}"), 0)));
    }
    // Another formation than the one that was wanted is the opposite of it as often as not.
    if let Act::Form(_) = act {
        return Vec::new();
    }
    let half = (moves::left(t, id) / 2 / UM).max(1) * UM;
    let fights = matches!(act, Act::Attack | Act::Charge | Act::Support);
    // Who is to fight beside a friend is not sent to him.
    let goal =
        said.goal().filter(|_| act != Act::Fire && !(fights && said.foes().is_empty() && said.second().is_some()));
    if let Some((name, at)) = goal {
        let mut goes = false;
        for (dear, far) in (1..).zip([um(half), "0.5".to_owned()]) {
            let line = format!("MOVE {id} TOWARD {name} {far}UM");
            let Some(tried) = super::tried(said.v, &line) else { continue };
            goes = true;
            // Whoever bars the way to the act bars this one too.
            if tried.warnings.is_empty() {
                tries.push(verb(line, dear));
            }
        }
        tries.extend(bearing(said, id, at).filter(|_| !goes).map(|way| verb(format!("TURN {id} {way}"), 3)));
    }
    if said.means(Sense::Back) {
        tries.push(verb(format!("BACK {id} {}UM", um(STEP)), 1));
    }
    if t.combat_of(id).is_some() {
        tries.push(verb(format!("DISENGAGE {id}"), 0));
    }
    pick(said, tries).into_iter().take(1).collect()
}

fn bearing(said: &Said<'_>, id: &UnitId, at: Fine) -> Option<Heading> {
    Heading::between(said.v.table.centre(id), at)
}

//! What is said of an attack that was planned: for which sheet, how it is drawn up, and how it would go (¶300-410).

use super::fight;
use super::fight::Odds;
use super::march::{foes, warn};
use crate::hex::Hex;
use crate::orders::{Args, Fault, line};
use crate::rules::campaigns::combat::battle::Marker;
use crate::rules::campaigns::combat::clause::Clause;
use crate::rules::campaigns::combat::designate::Field;
use crate::rules::campaigns::combat::plans::Order;
use crate::rules::campaigns::combat::{clause, designate, order, types};
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::view::View;
use crate::rules::rehearsal::{Caution, Warning};

/// Plays behind one line of odds: each number is within ten of a hundred.
const PLAYS: u32 = 100;

/// Why an order of battle is refused although it can be read: vedettes alone do not attack by order, and Pitched is closed
/// to some (¶311, 329, 331).
///
/// # Errors
/// The reason, and the line that would be taken.
pub fn allowed(v: &View, order: &Order) -> Result<(), Fault> {
    for (hex, texts) in &order.plans {
        let clauses = texts.iter().filter_map(|text| read(v, text));
        for clause in clauses {
            match clause {
                Clause::Attack(hexes) => by_a_force(v, &hexes)?,
                Clause::Type(plan) if plan.iter().any(|(marker, _)| stands(*marker)) => open(v, *hex)?,
                _ => {}
            }
        }
    }
    Ok(())
}

/// ¶311 Vedettes attack what they must, unasked and together; an order can name forces alone.
fn by_a_force(v: &View, hexes: &[Hex]) -> Result<(), Fault> {
    let field = Field::of(v);
    let force = |hex: &Hex| field.forces().keys().any(|leader| field.can(leader, *hex));
    match hexes.iter().find(|hex| !force(hex)) {
        Some(hex) if v.side_id() == v.own.side && field.chances().contains(hex) => {
            let why = format!("only vedettes of yours stand next to {hex}; they attack by themselves what they must");
            Err(Fault::refused(why, "¶311"))
        }
        _ => Ok(()),
    }
}

/// Markers that need what Pitched needs.
fn stands(marker: Marker) -> bool {
    matches!(marker, Marker::Pitched | Marker::Refuse)
}

/// ¶329, 331 Whether Pitched is open in the battle that a plan is for.
fn open(v: &View, hex: Hex) -> Result<(), Fault> {
    let Some((verb, barred)) = closed(v, hex) else { return Ok(()) };
    Err(Fault::Refused {
        why: format!("Pitched is closed to you at {hex}: {}", barred.why()),
        rule: "¶329".to_owned(),
        copy: Some(order::pursuit_line(verb, hex)),
    })
}

/// With more clauses in the plans than this no battle is tried: each line of a mail would cost a hundred of them.
const CLAUSES_MAX: usize = 40;

/// What closes Pitched in the battle for a hex, where it is known already who fights it; and the verb of its plan.
fn closed(v: &View, hex: Hex) -> Option<(&'static str, types::Barred)> {
    let mine = |side| v.side.as_ref() == Some(side);
    let (verb, battle) = match &v.at {
        At::Designate(phasing) if mine(phasing) => ("BATTLE", designate::expected(v, hex)?),
        At::Reaction(phasing) if !mine(phasing) => ("DEFEND", designate::defended(v, hex)?),
        _ => return None,
    };
    types::barred(v, &battle).map(|barred| (verb, barred))
}

/// What is said of an order of battle, on the view that it leaves; and what its writer should know.
pub fn words(v: &View, order: &Order) -> (Vec<String>, Vec<Warning>) {
    let named = order.plans.iter().flat_map(|(_, texts)| texts).filter_map(|text| match read(v, text) {
        Some(Clause::Attack(hexes)) => Some(hexes),
        _ => None,
    });
    let mut attacked: Vec<Hex> = named.flatten().collect();
    let mut said = Vec::new();
    if attacked.is_empty() {
        said.extend(order::check(order));
        let fought = |hex: &Hex| designate::attacks(v).iter().any(|attack| attack.hexes.contains(hex));
        attacked.extend(order.plans.iter().map(|(hex, _)| *hex).filter(fought));
    } else {
        let when = match v.at {
            At::Designate(_) => format!("{} attacked.", foes(v, &attacked)),
            _ => format!("for sheet B, if {} are still there.", foes(v, &attacked)),
        };
        said.push(when);
    }
    let mut warnings = shut(v, order);
    if v.own.plans.values().map(Vec::len).sum::<usize>() > CLAUSES_MAX {
        said.push("no odds: so many plans are not fought through.".to_owned());
        return (said, warnings);
    }
    for hex in attacked {
        let odds = fight::odds(v, hex, PLAYS);
        said.extend(told(v, &odds));
        warnings.extend(short(v, hex, &odds));
    }
    (said, warnings)
}

/// How the battle is drawn up, and how it would go against each strength.
fn told(v: &View, odds: &[Odds]) -> Vec<String> {
    let mut said = Vec::new();
    let mut last = None;
    for found in odds {
        let drawn = drawn_up(v, found);
        if last.as_ref() != Some(&drawn) {
            said.push(drawn.clone());
            last = Some(drawn);
        }
        let of = &found.outlook;
        // Each play ends in one of three ways; the third is rare.
        let stay = match of.plays.saturating_sub(of.won + of.lost) {
            0 => String::new(),
            stay => format!(", both stay {}", of.of_100(stay)),
        };
        said.push(format!(
            "against {:>2} SP  they leave {}, you {}{stay} of 100; you lose {}, they {}",
            found.enemy,
            of.of_100(of.won),
            of.of_100(of.lost),
            of.tenths(of.attacker),
            of.tenths(of.defender),
        ));
    }
    said
}

/// ¶315-327 What stands in line and in reserve, and the marker.
fn drawn_up(v: &View, found: &Odds) -> String {
    let name = |id| v.board.units.get(id).map_or_else(String::new, |spec| spec.name.clone());
    let held: Vec<String> = found.reserve.iter().map(name).collect();
    let held = if held.is_empty() { "nothing".to_owned() } else { held.join(", ") };
    let marker = found.marker.map_or(String::new(), |marker| format!("; your marker {}", title(marker)));
    format!("{} SP in line, {held} in reserve{marker}:", found.line)
}

fn title(marker: Marker) -> &'static str {
    match marker {
        Marker::Pursuit => "Pursuit",
        Marker::Pitched => "Pitched",
        Marker::Refuse => "Refuse",
        Marker::Rearguard => "Rearguard",
    }
}

/// ¶329 A condition may name what is closed: then Pursuit is played in its place.
fn shut(v: &View, order: &Order) -> Vec<Warning> {
    let mut found = Vec::new();
    for (hex, texts) in &order.plans {
        let may = texts.iter().filter_map(|text| read(v, text)).any(|clause| branches(&clause));
        if let Some((_, barred)) = closed(v, *hex).filter(|_| may) {
            let text = format!("Pitched is closed to you at {hex}: {}; Pursuit is played instead", barred.why());
            found.push(warn(Caution::NoEffect, text, "¶329"));
        }
    }
    found
}

/// Whether a condition leads to Pitched.
fn branches(clause: &Clause) -> bool {
    match clause {
        Clause::If(_, then, otherwise) => {
            let to = |clause: &Clause| match clause {
                Clause::Type(plan) => plan.iter().any(|(marker, _)| stands(*marker)),
                other => branches(other),
            };
            to(then) || otherwise.as_deref().is_some_and(to)
        }
        _ => false,
    }
}

/// ¶327 A plan of Pitched without the reserve that opens it.
fn short(v: &View, hex: Hex, odds: &[Odds]) -> Option<Warning> {
    let first = clause::plan(v, hex).into_iter().rev().find_map(|clause| match clause {
        Clause::Type(plan) => plan.first().map(|(marker, _)| *marker),
        _ => None,
    })?;
    let laid = odds.iter().find_map(|found| found.marker)?;
    let text = format!("{} is not open with so little in reserve; {} is played", title(first), title(laid));
    (stands(first) && laid == Marker::Pursuit).then(|| warn(Caution::NoEffect, text, "¶327"))
}

/// A clause of a plan.
fn read(v: &View, text: &str) -> Option<Clause> {
    let line = line(0, text);
    clause::read(v, &mut Args::new(&line, 0)).ok()
}

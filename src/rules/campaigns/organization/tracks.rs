//! Units between tracks, and strength between units (¶129, 133): UNIT and SP.

use super::event::Partly;
use super::order::Order;
use super::span::{assigned, carrier, legal, of_one_army};
use super::told::Own;
use crate::fog::SideId;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::{Board, LeaderId, Quality, UnitId, UnitSpec};
use crate::rules::campaigns::pieces::Pieces;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;

type Read = super::super::Order;

/// UNIT and SP.
pub fn verbs() -> Vec<Verb<View, Read>> {
    vec![
        Verb {
            word: "UNIT",
            usage: "unit TO leader (in the same hex)",
            rule: "¶129, 428-429",
            examples: |v| unit_examples(v).into_iter().take(2).collect(),
            read: |v, args| Ok(Read::Organization(read_unit(v, args)?)),
        },
        Verb {
            word: "SP",
            usage: "n FROM unit TO unit (in the same force and hex, of one arm and nationality)",
            rule: "¶133",
            examples: |v| strength_examples(v).into_iter().take(1).collect(),
            read: |v, args| Ok(Read::Organization(read_strength(v, args)?)),
        },
    ]
}

fn read_unit(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    super::order::in_step(v, 3)?;
    let unit = words::unit(v, args)?;
    args.key("TO");
    let leader = words::leader(v, args)?;
    may_assign(v, &v.own, &unit, &leader)?;
    Ok(Order::Unit { unit, leader })
}

/// ¶129, 138, 428 Whether a unit may go to a leader's track.
///
/// # Errors
/// Refused, with the reason.
pub fn may_assign(v: &View, p: &Pieces, unit: &UnitId, leader: &LeaderId) -> Result<(), Fault> {
    let Some(from) = carrier(p, unit) else {
        return Err(Fault::refused("a garrison is on no leader's track", "¶22"));
    };
    if from == *leader {
        return Err(Fault::refused(format!("{} is on that track already", unit_name(v, unit)), "¶129"));
    }
    if p.hex(&from).is_none() || p.hex(&from) != p.hex(leader) {
        let (him, his) = (words::name(v, leader), words::name(v, &from));
        return Err(Fault::refused(format!("{him} and {his} are not in the same hex"), "¶129"));
    }
    of_one_army(&v.board, p, unit, leader)?;
    legal(&v.board, &assigned(&v.board, p, unit, leader), leader)
}

fn read_strength(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let sp = args.number("how many SP")?;
    args.key("FROM");
    let from = words::unit(v, args)?;
    args.key("TO");
    let to = words::unit(v, args)?;
    may_shift(v, &from, &to, sp)?;
    Ok(Order::Strength { sp, from, to })
}

/// ¶118, 133 Whether strength may go from one unit to another.
fn may_shift(v: &View, from: &UnitId, to: &UnitId, sp: i32) -> Result<(), Fault> {
    let p = &v.own;
    let (Some(giver), Some(taker)) = (v.board.units.get(from), v.board.units.get(to)) else {
        return Err(Fault::refused("there is no such unit", "¶133"));
    };
    let (Some(a), Some(b)) = (carrier(p, from), carrier(p, to)) else {
        return Err(Fault::refused("a garrison's strength goes by GARRISON ABSORB", "¶131"));
    };
    // ¶117: the strength of a March Regiment goes to any unit in its hex.
    let one_force = giver.march_regiment || p.head_of(&a) == p.head_of(&b);
    if from == to || !one_force || p.hex(&a) != p.hex(&b) {
        return Err(Fault::refused("both units must be of one force, in the same hex", "¶133"));
    }
    absorbs(&v.board, giver, taker)?;
    one_mode(p, &a, &b)?;
    let has = p.units.get(from).map_or(0, |u| u.sp);
    let room = v.board.most_sp(taker, Some(&b)) - p.units.get(to).map_or(0, |u| u.sp);
    if sp < 1 || sp > has {
        return Err(Fault::refused(format!("{} has {has} SP", giver.name), "¶133"));
    }
    if sp == has && v.board.policies.last_sp_stays && !giver.march_regiment {
        return Err(Fault::refused(format!("the last SP of {} stays", giver.name), "¶133"));
    }
    if sp > room {
        let why = format!("{} would be above its maximum of {} SP", taker.name, taker.max_sp);
        return Err(Fault::refused(why, "¶133"));
    }
    Ok(())
}

/// ¶109, 118, 133 Whether a unit may take strength of another: of its arm, its nationality, and no line into the Guard.
///
/// # Errors
/// Refused, with the reason.
pub fn absorbs(board: &Board, giver: &UnitSpec, taker: &UnitSpec) -> Result<(), Fault> {
    let rules = &board.exceptions.organization;
    if giver.garrison && rules.fortress_garrisons {
        return Err(Fault::refused("a fortress garrison gives nothing away", "¶132"));
    }
    // ¶132: a fortress garrison takes strength of any arm.
    if taker.garrison && rules.fortress_garrisons && giver.nationality == taker.nationality {
        return Ok(());
    }
    if giver.arm != taker.arm {
        return Err(Fault::refused("both units must be of the same arm", "¶133"));
    }
    if giver.nationality != taker.nationality {
        return Err(Fault::refused("no unit absorbs strength of another nationality", "¶118"));
    }
    if rules.equal_quality && giver.quality != taker.quality {
        return Err(Fault::refused("no unit absorbs strength of another quality", "¶118"));
    }
    if taker.quality != Quality::Line && giver.quality != taker.quality {
        return Err(Fault::refused("line strength may not be given to the Guard", "¶109"));
    }
    Ok(())
}

/// ¶133 Whether two leaders are in the same mode.
///
/// # Errors
/// Refused, where they are not.
pub fn one_mode(p: &Pieces, a: &LeaderId, b: &LeaderId) -> Result<(), Fault> {
    let forage = |l: &LeaderId| p.leaders.get(l).is_some_and(|l| l.forage);
    if forage(a) == forage(b) { Ok(()) } else { Err(Fault::refused("both units must be in the same mode", "¶133")) }
}

/// ¶41, 121, 129 Puts a unit on another track; a Major General left without troops leaves the map.
pub fn assign(cx: &mut Cx<'_, Campaigns>, side: &SideId, unit: &UnitId, leader: &LeaderId) {
    let state = cx.state();
    let Some(pieces) = state.pieces(side) else { return };
    let from = carrier(pieces, unit);
    // ¶424: the two halves of a formation go together.
    for unit in pieces.formation(&state.board, unit) {
        if cx.state().pieces(side).and_then(|p| carrier(p, &unit)).as_ref() != Some(leader) {
            cx.emit(Own::Assigned { unit, leader: leader.clone() }.of(side).into());
        }
    }
    if let Some(from) = from {
        super::forces::retire_empty(cx, side, &from);
    }
}

/// ¶54, 133 Moves strength; a unit without any is gone, and a Major General left without troops with it.
pub fn shift(cx: &mut Cx<'_, Campaigns>, side: &SideId, from: &UnitId, to: &UnitId, sp: i32) {
    let leader = cx.state().pieces(side).and_then(|p| carrier(p, from));
    cx.emit(Partly::Shifted { from: from.clone(), to: to.clone(), sp }.of(side).into());
    super::regiment::emptied(cx, side, from);
    if let Some(leader) = leader {
        super::forces::retire_empty(cx, side, &leader);
    }
}

/// A unit's printed name.
pub fn unit_name(v: &View, unit: &UnitId) -> String {
    v.board.units.get(unit).map_or_else(|| unit.0.clone(), |s| s.name.clone())
}

/// A unit's name as an order writes it.
pub fn unit_word(v: &View, unit: &UnitId) -> String {
    let name = unit_name(v, unit);
    if name.contains(' ') { format!("\"{name}\"") } else { name }
}

fn unit_examples(v: &View) -> Vec<String> {
    let mut lines = Vec::new();
    for unit in v.own.units.keys() {
        for leader in v.own.leaders.keys().filter(|l| v.own.hex(l).is_some()) {
            if may_assign(v, &v.own, unit, leader).is_ok() {
                lines.push(format!("UNIT {} TO {}", unit_word(v, unit), words::order_name(v, leader)));
                break;
            }
        }
    }
    lines
}

fn strength_examples(v: &View) -> Vec<String> {
    let pairs = v.own.units.keys().flat_map(|a| v.own.units.keys().map(move |b| (a, b)));
    let legal = pairs.filter(|(a, b)| may_shift(v, a, b, 1).is_ok());
    legal.take(1).map(|(a, b)| format!("SP 1 FROM {} TO {}", unit_word(v, a), unit_word(v, b))).collect()
}

//! Command spans of a side's own leaders, and what may stand on a track (¶35-39, 137, 428).

use crate::orders::Fault;
use crate::rules::campaigns::board::{Arm, Board, LeaderId, UnitId};
use crate::rules::campaigns::pieces::{Pieces, Track};

/// ¶35-39 Whether everyone in the force of a leader commands no more than his span allows.
///
/// # Errors
/// Refused, naming the leader whose span is too small.
pub fn legal(board: &Board, p: &Pieces, leader: &LeaderId) -> Result<(), Fault> {
    let chief = p.head_of(leader);
    for member in p.force(chief).into_iter().skip(1) {
        if !board.outranks(chief, &member) {
            let name = |id: &LeaderId| board.leaders.get(id).map_or(id.0.clone(), |s| s.name.clone());
            let why = format!("{} is not of a lower rank than {}", name(&member), name(chief));
            return Err(Fault::refused(why, "¶38"));
        }
    }
    for member in p.force(chief) {
        let under: Vec<LeaderId> =
            if member == *chief { p.force(chief).into_iter().skip(1).collect() } else { Vec::new() };
        // ¶41: the value of a leader without troops is disregarded.
        let under: Vec<LeaderId> =
            under.into_iter().filter(|l| !p.units_of(std::slice::from_ref(l)).is_empty()).collect();
        if !p.can_command(board, &member, &under) {
            let name = board.leaders.get(&member).map_or(member.0.as_str(), |s| s.name.as_str());
            let load = p.track_load(board, &member) + under.iter().map(|o| p.subordination(board, o)).sum();
            let span = p.span(board, &member);
            return Err(Fault::refused(format!("{name} would command {load}; his span is {span}"), "¶35-39"));
        }
    }
    tracks(board, p, chief)?;
    mixed(board, p, chief)?;
    halves(board, p, chief)?;
    let most = board.policies.stack_sp;
    if p.sp(chief) > most {
        return Err(Fault::refused(format!("a force is never more than {most} SP"), "¶137"));
    }
    Ok(())
}

/// ¶23, 39, 124-125 Whether every track of a force may hold what stands on it: no unit above its highest box, no unit but
/// his own on that of a leader who has one.
fn tracks(board: &Board, p: &Pieces, chief: &LeaderId) -> Result<(), Fault> {
    for member in p.force(chief) {
        let Some(spec) = board.leaders.get(&member) else { continue };
        for (unit, now) in p.manifest(board, std::slice::from_ref(&member)) {
            if let Some(top) = spec.top_box.filter(|top| now.sp > *top) {
                let why = format!("{} has {} SP; the highest box of {} is {top}", unit.name, now.sp, spec.name);
                return Err(Fault::refused(why, "¶39"));
            }
            if spec.own_unit.as_ref().is_some_and(|own| own.unit != unit.id && own.dies) {
                return Err(Fault::refused(format!("{} commands his own unit alone", spec.name), "¶124"));
            }
        }
        let units = p.units_of(std::slice::from_ref(&member));
        if let [(unit, _)] = units.as_slice()
            && member == *chief
            && p.force(chief).len() == 1
            && let Some(only) = board.leaders.values().find(|l| l.own_unit.as_ref().is_some_and(|o| o.unit == **unit))
            && only.id != member
        {
            let name = board.units.get(*unit).map_or("the unit", |u| u.name.as_str());
            return Err(Fault::refused(format!("only {} commands {name} by itself", only.name), "¶124-125"));
        }
    }
    Ok(())
}

/// ¶173 Units of few nations go from one army of a side to another; those of the others stay.
///
/// # Errors
/// Refused, where it stays.
pub fn of_one_army(board: &Board, p: &Pieces, unit: &UnitId, leader: &LeaderId) -> Result<(), Fault> {
    let (Some(from), Some(to)) = (p.army_of_unit(board, unit), p.army_of(board, leader)) else { return Ok(()) };
    let Some(spec) = board.units.get(unit) else { return Ok(()) };
    if from == to || board.exceptions.organization.armies_exchange.contains(&spec.nationality) {
        return Ok(());
    }
    let why = format!("{} is {} and stays in its own army", spec.name, spec.nationality);
    Err(Fault::refused(why, "¶173"))
}

/// ¶129, 428 At most one unit of another nationality than its leader's on a track of a Coalition army.
fn mixed(board: &Board, p: &Pieces, chief: &LeaderId) -> Result<(), Fault> {
    let strict = board.policies.own_nation_units;
    if !strict && board.side(&p.side).is_none_or(|s| s.french) {
        return Ok(());
    }
    for member in p.force(chief) {
        let Some(spec) = board.leaders.get(&member) else { continue };
        let units = p.manifest(board, std::slice::from_ref(&member));
        let foreign = units.iter().filter(|(u, _)| u.nationality != spec.nationality).count();
        if strict && foreign > 0 {
            return Err(Fault::refused(format!("{}'s own units are of his nationality", spec.name), "¶129"));
        }
        if foreign > 1 {
            let why = format!("no more than one unit on {}'s track may be of another nationality", spec.name);
            return Err(Fault::refused(why, "¶428"));
        }
    }
    Ok(())
}

/// ¶424, 426 The two halves of a formation stay on one track, and the cavalry half goes to a Cavalry Major General only
/// once its infantry is eliminated.
fn halves(board: &Board, p: &Pieces, chief: &LeaderId) -> Result<(), Fault> {
    let force = p.force(chief);
    let halves = board.units.values().filter_map(|horse| Some((horse, board.units.get(horse.foot.as_ref()?)?)));
    for (horse, foot) in halves {
        let (Some(a), b) = (carrier(p, &horse.id), carrier(p, &foot.id)) else { continue };
        let here = force.contains(&a) || b.as_ref().is_some_and(|b| force.contains(b));
        if here && b.as_ref().is_some_and(|b| a != *b) {
            let why = format!("{} and {} are one formation and stay on one track", horse.name, foot.name);
            return Err(Fault::refused(why, "¶424"));
        }
        let general = board.leaders.get(&a).and_then(|s| s.major_general);
        if here && general == Some(Arm::Cavalry) && p.units.contains_key(&foot.id) {
            let why = format!("{} goes to no cavalry general while {} is not eliminated", horse.name, foot.name);
            return Err(Fault::refused(why, "¶426"));
        }
    }
    Ok(())
}

/// The pieces as they would be with a unit, and the other half of its formation (¶424), on another track.
pub fn assigned(board: &Board, p: &Pieces, unit: &UnitId, leader: &LeaderId) -> Pieces {
    let mut trial = p.clone();
    for id in p.formation(board, unit) {
        if let Some(u) = trial.units.get_mut(&id) {
            u.track = Track::Of(leader.clone());
        }
    }
    trial
}

/// The leader on whose track a unit is.
pub fn carrier(p: &Pieces, unit: &UnitId) -> Option<LeaderId> {
    match &p.units.get(unit)?.track {
        Track::Of(leader) => Some(leader.clone()),
        Track::Garrison(_) | Track::Waiting => None,
    }
}

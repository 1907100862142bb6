//! 17.1.1.6 Who takes places, looked at after every event of a game: a unit that passes and does not flee, or a chit that
//! passed and held units; nobody else.

use estafette::fog::SideId;
use estafette::plane::near::{apart, to_side};
use estafette::plane::{Fine, Spot};
use estafette::rules::Ruleset;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::austerlitz1805::board::{Area, Arm, Place, Soil, UnitId};
use estafette::rules::austerlitz1805::event::{Event, Fact};
use estafette::rules::austerlitz1805::state::State;
use estafette::rules::austerlitz1805::table::Mood;
use estafette::simulate::Chain;

/// Rounding of places on the way.
const SLACK: i32 = 5;

/// What has just happened by which places may be taken.
enum Cause {
    /// A unit went from one place to another, at a cost.
    Gone(UnitId, Spot, Spot, i32),
    /// A chit of a side with units in it was uncovered.
    Uncovered(SideId),
    Nothing,
}

/// Places that changed hands in a game.
pub fn taken(files: &[(String, String)], chain: &Chain) -> Result<u32, String> {
    let (mut state, _) = Austerlitz::open(files).map_err(|flaws| flaws.join("; "))?;
    let (mut cause, mut count) = (Cause::Nothing, 0);
    for (_, _, body) in chain.iter().filter(|(_, kind, _)| kind == "event") {
        let event: Event = serde_json::from_str(body).map_err(|why| why.to_string())?;
        match &event {
            Event::Open(Fact::Control { place, side }) => {
                may(&state, &cause, place, side).map_err(|why| format!("{side} takes {place}: {why}"))?;
                count += 1;
            }
            Event::Own(_) => {}
            // 17.1.1.6: who dies where his retreat ends has not taken it, and whom he runs down goes before him.
            Event::Open(Fact::Gone { unit, .. }) => {
                let dead = matches!(&cause, Cause::Gone(who, ..) if who == unit);
                cause = if dead { Cause::Nothing } else { cause };
            }
            Event::Open(fact) => {
                left(&state, &cause)?;
                cause = match fact {
                    Fact::Stood { unit, from, to, cost, .. } => Cause::Gone(unit.clone(), from.at, to.at, *cost),
                    Fact::Uncovered { side, units, .. } if !units.is_empty() => Cause::Uncovered(side.clone()),
                    _ => Cause::Nothing,
                };
            }
        }
        Austerlitz::apply(&mut state, &event);
    }
    Ok(count)
}

fn routed(s: &State, unit: &UnitId) -> bool {
    s.table.unit(unit).is_none_or(|u| u.mood == Mood::R)
}

/// Whether a side may take a place by what has just happened.
fn may(s: &State, cause: &Cause, place: &str, side: &SideId) -> Result<(), String> {
    let Some(place) = s.table.board.place(place).filter(|p| p.vp > 0) else {
        return Err("it does not count".to_owned());
    };
    match cause {
        Cause::Uncovered(of) if of == side => Ok(()),
        Cause::Gone(unit, _, _, _) if s.table.side(unit) != *side => Err(format!("{unit} is no unit of its own")),
        Cause::Gone(unit, _, _, _) if routed(s, unit) => Err(format!("{unit} flees")),
        Cause::Gone(..) if held(s, place, side) => Err("an enemy stands upon it".to_owned()),
        Cause::Gone(unit, from, to, cost) => {
            let way = |a: Spot, b: Spot| apart(a.fine(), b.fine()).units();
            let far = way(*from, place.at) + way(place.at, *to);
            let most = way(*from, *to).max(*cost + onto(s, unit, *to)) + 2 * place.radius + SLACK;
            if far <= most { Ok(()) } else { Err(format!("{unit} goes from {from} to {to}, {far} by it")) }
        }
        Cause::Uncovered(_) | Cause::Nothing => Err("nobody has passed".to_owned()),
    }
}

/// A-53 Whether an enemy who does not flee stands upon a place, or in the village or works about it.
fn held(s: &State, place: &Place, side: &SideId) -> bool {
    let around = |at: Fine| {
        s.table.board.ground.areas.iter().any(|a| walls(a) && a.shape.holds(place.at.fine()) && a.shape.holds(at))
    };
    let walls_or_spot = |id: &UnitId| s.table.shape(id).holds(place.at.fine()) || around(s.table.centre(id));
    let fights = |id: &UnitId| s.table.arm(id) != Arm::Hq && !routed(s, id);
    s.table.standing().any(|(id, u)| u.side != *side && fights(id) && walls_or_spot(id))
}

fn walls(area: &Area) -> bool {
    matches!(area.soil, Soil::Settlement | Soil::Fortification)
}

/// 7.1 A ride to a unit is paid to where the HQ touches it, and the HQ stands at the middle of that unit then.
fn onto(s: &State, hq: &UnitId, to: Spot) -> i32 {
    let host = s.table.standing().find(|(id, u)| *id != hq && u.pose.at == to);
    let half = |id: &UnitId| (s.table.size(id).front + s.table.size(id).depth) / 2;
    host.map_or(0, |(host, _)| half(host) + half(hq))
}

/// Whoever has gone through a place and does not flee has it now.
fn left(s: &State, cause: &Cause) -> Result<(), String> {
    let Cause::Gone(unit, from, to, _) = cause else { return Ok(()) };
    // Who went nowhere has passed nothing.
    if from == to {
        return Ok(());
    }
    // 7.1: an HQ that joins a unit has ridden to where it touches it, and is a part of it then.
    if onto(s, unit, *to) > 0 {
        return Ok(());
    }
    let side = s.table.side(unit);
    let ends = |p: &&Place| p.vp > 0 && to_side(p.at.fine(), (to.fine(), to.fine())).within(p.radius);
    let free = |p: &&Place| s.table.control.get(&p.name) != Some(&side) && !held(s, p, &side);
    match s.table.board.places.iter().filter(ends).find(free) {
        Some(place) if !routed(s, unit) => Err(format!("{unit} went from {from} to {to} and has not {}", place.name)),
        _ => Ok(()),
    }
}

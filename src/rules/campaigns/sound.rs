//! What of a state cannot be, and what no event may do to it: one piece in one place, strengths within their counters,
//! stacks within their hexes, no Strength Point from nowhere or gone nowhere.

use super::admin::told::Own;
use super::event::Event;
use super::pieces::{Pieces, Place, Track, Vedette};
use super::sequence::At;
use super::state::State;
use super::telling::{Event as Lists, Of};

/// ¶16, 37, 216, 293 What of a state cannot be.
pub fn unsound(s: &State) -> Vec<String> {
    let mut flaws = Vec::new();
    for pieces in s.sides.values() {
        strengths(s, pieces, &mut flaws);
        places(s, pieces, &mut flaws);
    }
    crowds(s, &mut flaws);
    flaws
}

/// ¶13, 16 Strengths within what the counters hold.
fn strengths(s: &State, pieces: &Pieces, flaws: &mut Vec<String>) {
    for (id, unit) in &pieces.units {
        let Some(spec) = s.board.units.get(id) else { continue };
        if !(0..=spec.max_sp).contains(&unit.sp) {
            flaws.push(format!("{} would have {} SP; it holds 0 to {} (¶16).", spec.name, unit.sp, spec.max_sp));
        }
    }
    let most = s.board.side(&pieces.side).and_then(|spec| spec.ap_max);
    if pieces.army.ap < 0 || most.is_some_and(|most| pieces.army.ap > most) {
        let most = most.map_or_else(|| "0 or more".to_owned(), |most| format!("0 to {most}"));
        flaws.push(format!("{} would have {} AP; its track goes from {most}.", pieces.side, pieces.army.ap));
    }
}

/// ¶216, 293 Stacks that may be, and no hex with pieces of both sides.
fn crowds(s: &State, flaws: &mut Vec<String>) {
    for pieces in s.sides.values() {
        for hex in pieces.occupied() {
            let (sp, most) = (pieces.sp_at(hex), super::march::stack::limit(&s.board, pieces, hex));
            if sp > most {
                flaws.push(format!("{hex} would hold {sp} SP; it holds {most} (¶216, 293)."));
            }
        }
    }
    let mut sides = s.sides.values().map(Pieces::occupied);
    if let (Some(first), Some(second)) = (sides.next(), sides.next()) {
        for hex in first.intersection(&second) {
            flaws.push(format!("{hex} would hold pieces of both sides."));
        }
    }
}

/// ¶37 One place a piece, and that on the map.
fn places(s: &State, pieces: &Pieces, flaws: &mut Vec<String>) {
    for (id, leader) in &pieces.leaders {
        let name = s.board.leaders.get(id).map_or(id.0.as_str(), |spec| spec.name.as_str());
        if let Some(above) = &leader.under
            && pieces.leaders.get(above).is_some_and(|l| l.place != leader.place)
        {
            flaws.push(format!("{name} would be in two places: his own, and on the portrait of {above} (¶37)."));
        }
        if matches!(leader.place, Place::At(hex) if !s.board.map.contains(hex)) {
            flaws.push(format!("{name} would be off the map."));
        }
    }
    for (n, vedette) in &pieces.vedettes {
        if matches!(vedette, Vedette::At(hex) if !s.board.map.contains(*hex)) {
            flaws.push(format!("vedette {n} would be off the map."));
        }
    }
    for (id, unit) in &pieces.units {
        if matches!(&unit.track, Track::Of(leader) if !pieces.leaders.contains_key(leader)) {
            flaws.push(format!("{id} would stand under no leader (¶34)."));
        }
    }
}

/// ¶16, 37, 108-117, 216, 293 What an event has made that cannot be. Who marches, pursues or goes back may pass through a
/// full hex, and through one that the enemy leaves; where a stage begins that is over.
pub fn leap(before: &State, event: &Event, after: &State) -> Vec<String> {
    // ¶60, 66, 293: what is too much at the end of movement or of combat is displaced in the segments that close it.
    let closing = |at: &At| matches!(at, At::CloseMove(_) | At::Close(_));
    let mut flaws = Vec::new();
    if matches!(event, Event::Flow(Lists::Open(super::flow::told::Open::Stage { at })) if !closing(at)) {
        // ¶42: between a leader's fall and the next event his subordinates have nobody.
        flaws = unsound(after);
    } else {
        after.sides.values().for_each(|pieces| strengths(after, pieces, &mut flaws));
    }
    if matches!(event, Event::Umpire(_)) {
        return flaws;
    }
    for (was, is) in before.sides.values().zip(after.sides.values()) {
        let strange = worth(is) - worth(was) - given(was, event);
        if strange != 0 {
            flaws.push(format!("{} has {strange} SP that nothing accounts for (¶108-117).", is.side));
        }
    }
    flaws
}

/// SP of a side's units, those of its replacement pool, and those lost so far: no event of the rules changes the sum.
fn worth(pieces: &Pieces) -> i32 {
    let units: i32 = pieces.units.values().map(|unit| unit.sp).sum();
    // Pool and losses are the side's, whichever of its armies is at the desk.
    units + pieces.army.pool.values().sum::<i32>() + pieces.army.lost
}

/// ¶108-112, 117 SP that an event brings a side or takes from it other than by loss.
fn given(pieces: &Pieces, event: &Event) -> i32 {
    use super::flow;
    use super::organization::event::Partly;
    let has = |unit| pieces.units.get(unit).map_or(0, |u| u.sp);
    match event {
        Event::Flow(Lists::Quiet(flow::event::Quiet::Unit { side, unit, sp, .. })) if *side == pieces.side => {
            *sp - has(unit)
        }
        Event::Admin(Lists::Own(Of { side, what: Own::Points { points, .. } })) if *side == pieces.side => {
            points.values().sum()
        }
        Event::Admin(Lists::Own(Of { side, what: Own::Forfeited { nationality, arm, .. } }))
            if *side == pieces.side =>
        {
            -pieces.army.pool.get(&(nationality.clone(), *arm)).copied().unwrap_or(0)
        }
        Event::Organization(Lists::Partly(Of { side, what: Partly::Entered { units, .. } }))
            if *side == pieces.side =>
        {
            units.iter().map(|(unit, sp)| sp - has(unit)).sum()
        }
        _ => 0,
    }
}

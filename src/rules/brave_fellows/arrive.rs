//! 5 The Reinforcement Phase: who musters or comes, who is regrouped, and what Mortier learns.

use super::board::{Arm, COALITION, FRENCH, Force, Switch};
use super::bounds;
use super::event::Event;
use super::eyes;
use super::fatigue::{At, Named};
use super::flee;
use super::lodge;
use super::place;
use super::stacks;
use super::state::{Fate, Freed, State, Wish};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::Play;

/// 9.2.5 Who stays behind of Column II unless the Coalition says otherwise: four battalions and two squadrons.
pub(super) const REAR_GUARD: [&str; 6] = ["BRY-1", "BRY-2", "BRY-3", "VTK-1", "WDK-1", "WDK-2"];
/// 9.5.2a What the alert roll needs.
const ALERT: i32 = 4;
/// 5.3.4 How near to a leader of his a unit comes back, and how far from enemies it has to be.
const REGROUP: u32 = 2;

/// 5.1 The Reinforcement Segment: wounded leaders come back (6.5.2a), forces are rolled for, columns that muster stand where
/// they may be deployed.
pub(super) fn reinforce(cx: &mut At<'_>) -> Play<()> {
    recover_leaders(cx);
    for force in Force::ROLLED {
        let s = cx.state();
        let Some([least, most]) = s.board.arrival(force, s.turn).filter(|_| !s.came.contains(&force)) else { continue };
        let label = eyes::of_side(cx, "arrival", &eyes::side_of(force)).at(&Named(force.name()));
        let die = cx.d6(&label);
        if (least..=most).contains(&die) {
            come(cx, force);
        }
    }
    second_part(cx);
    if eyes::veiled(cx.state()) {
        // A sheet of its own would tell the French that a column has mustered: it stands as it is deployed, or as was lodged.
        for force in cx.state().placing.clone() {
            cx.emit(Event::Deploying { force });
            lodge::muster(cx, force)?;
            cx.emit(Event::Deployed { force });
        }
    }
    next_column(cx);
    Ok(())
}

/// 9.2.3, 9.2.4 The next column that has mustered is deployed, or units are regrouped.
pub(super) fn next_column(cx: &mut At<'_>) {
    match cx.state().placing.first() {
        Some(force) => cx.emit(Event::Deploying { force: *force }),
        None => cx.emit(Event::Regrouping),
    }
}

/// 6.5.2a A wounded leader comes back when his turns are over, to a unit that obeys him, or one of the leaders under him; while
/// none stands on the map he stays away.
/// House: the book does not say where. He comes to one directly under him before others, then to one with no enemy next to it
/// whom his side sees, then by name.
fn recover_leaders(cx: &mut At<'_>) {
    let s = cx.state();
    let due = |until: Option<u32>| until.is_some_and(|turn| turn <= s.turn);
    let back: Vec<String> = s.leaders.iter().filter(|(_, l)| due(l.until)).map(|(name, _)| name.clone()).collect();
    for leader in back {
        let s = cx.state();
        let own = s.standing().filter(|(id, ..)| s.obeys(id, &leader) && !s.is_battery(id));
        let best = own.min_by_key(|(id, _, hex)| {
            let side = s.kind(id).map(|kind| &kind.side);
            let near = side.is_some_and(|side| flee::from_enemies(s, *hex, side) <= 1);
            (!super::command::under(s, id, &leader), near, (*id).clone())
        });
        if let Some(hex) = best.map(|(.., hex)| hex) {
            cx.emit(Event::Back { leader, hex });
        }
    }
}

/// The pieces of a force: units, and leaders.
pub(super) fn pieces(s: &State, force: Force) -> (Vec<String>, Vec<String>) {
    let name = force.name();
    let early = |regiment: &str| ["9L", "32"].contains(&regiment);
    let parted = s.plays(Switch::HistoricalArrival);
    // 9.6.5
    let now = |first: bool| match force {
        Force::Dupont => !parted || first,
        Force::Second => parted && !first,
        _ => true,
    };
    let units = s.board.kinds.iter().filter(|(_, kind)| {
        kind.formation.first().is_some_and(|formation| formation == name) && now(early(&kind.regiment))
    });
    let of = |leader: &str| {
        let Some(chief) = s.chief(leader) else { return false };
        let own = leader == name || chief.of.as_deref() == Some(name) || chief.column.as_deref() == Some(name);
        own && now(leader != "Marchand")
    };
    let leaders = s.board.succession.iter().filter(|leader| of(leader)).cloned().collect();
    (units.map(|(id, _)| id.clone()).collect(), leaders)
}

/// 5.1.4 A force comes: columns stand on the map at once, divisions wait at the edge.
fn come(cx: &mut At<'_>, force: Force) {
    cx.emit(Event::Came { force });
    let (units, leaders) = pieces(cx.state(), force);
    match force {
        Force::II | Force::III => place::deploy(cx, force, &units, &leaders),
        Force::IV => wait(cx, COALITION, units.into_iter().chain(leaders)),
        _ => wait(cx, FRENCH, units.into_iter().chain(leaders)),
    }
    if force == Force::II {
        cx.emit(Event::RearGuard { units: REAR_GUARD.map(str::to_owned).to_vec() });
    }
}

/// 5.2.1 Pieces wait at the first of the hexes by which their side comes.
fn wait(cx: &mut At<'_>, side: &str, pieces: impl Iterator<Item = String>) {
    let by = cx.state().board.printed.board_entry.get(&SideId::from(side)).and_then(|hexes| hexes.first()).copied();
    if let Some(by) = by {
        pieces.for_each(|piece| cx.emit(Event::Waits { piece, by }));
    }
}

/// 9.6.5 When all of the first part are on the map one die says how many turns later the second comes.
fn second_part(cx: &mut At<'_>) {
    let s = cx.state();
    let parted = s.plays(Switch::HistoricalArrival) && s.came.contains(&Force::Dupont);
    if !parted || s.came.contains(&Force::Second) {
        return;
    }
    let (units, leaders) = pieces(s, Force::Dupont);
    let waiting = units.iter().any(|id| s.is(id, |u| u.waits.is_some()))
        || leaders.iter().any(|name| s.leaders.get(name).is_some_and(|l| l.waits.is_some()));
    if s.second.is_none() && !waiting {
        let label = eyes::of_side(cx, "second_part", &FRENCH.into());
        let die = cx.d6(&label);
        // They came on in the turn before this one at the latest.
        let turn = cx.state().turn - 1 + cx.state().board.delay(die);
        cx.emit(Event::Follows { turn });
    }
    if cx.state().second.is_some_and(|turn| turn <= cx.state().turn) {
        come(cx, Force::Second);
    }
}

/// 9.2.7 Column VI appears: its regiment in its hex and its battery beside it, or where no enemy stands.
pub(super) fn sixth(cx: &mut At<'_>) {
    bounds::set_free(cx, Freed::VI);
    let (mut units, _) = pieces(cx.state(), Force::VI);
    units.sort_by_key(|unit| (cx.state().is_arm(unit, Arm::Art), unit.clone()));
    for unit in units {
        let s = cx.state();
        let side: SideId = COALITION.into();
        let home = s.board.sixth;
        let Some(arm) = s.kind(&unit).map(|kind| kind.arm) else { continue };
        let fit = |hex: &Hex| {
            let ground = s.board.ground(*hex).and_then(|ground| ground.cost(Some(arm)));
            let room = !s.crowded_with(*hex, &side, std::slice::from_ref(&unit));
            ground.is_some() && room && !s.held_against(*hex, &side)
        };
        let at = [home].into_iter().chain(home.neighbours()).find(fit);
        if let Some(hex) = at {
            cx.emit(Event::Placed { piece: unit, hex, facing: Dir::SW });
        }
    }
}

/// 5.3, 8.3.2, 9.5.2 The Regrouping Segment and Mortier's alert; the Elite battalion is disbanded where the French want it.
pub(super) fn regroup_and_alert(cx: &mut At<'_>) {
    for side in [COALITION, FRENCH].map(SideId::from) {
        for wish in cx.state().wishes.get(&side).cloned().unwrap_or_default() {
            match wish {
                Wish::Regroup { unit, at } => regroup(cx, &side, &unit, at),
                Wish::Disband => disband(cx),
                Wish::Loss { .. } | Wish::Stay { .. } => {}
            }
        }
    }
    alert(cx);
    cx.emit(Event::Regrouped);
}

/// 5.3.1 Whether a unit may come back: foot, eliminated and not surrendered.
pub(super) fn lies_dead(s: &State, unit: &str) -> bool {
    let foot = s.is_arm(unit, Arm::Inf);
    foot && s.is(unit, |u| u.gone == Some(Fate::Eliminated))
}

/// 5.3.4 The hexes in which a unit may come back.
fn havens(s: &State, side: &SideId, unit: &str) -> Vec<Hex> {
    let leaders = s.leaders.iter().filter(|(name, l)| l.hex.is_some() && s.obeys(unit, name));
    let near: std::collections::BTreeSet<Hex> =
        leaders.filter_map(|(_, l)| l.hex).flat_map(|hex| hex.within(2)).collect();
    let far = |hex: &Hex| !s.enemies(side).any(|(.., at)| at.distance(*hex) <= REGROUP);
    let open = |hex: &Hex| s.board.ground(*hex).is_some_and(|ground| ground.cost(Some(Arm::Inf)).is_some());
    near.into_iter().filter(|hex| open(hex) && far(hex) && !super::march::is_reserved(s, unit, *hex)).collect()
}

/// 5.3.2-5.3.5 One die for the unit that was named: a 1 brings it back where it was wanted, or else as near as may be; 8.3.3
/// the Elite battalion goes to its regiments instead.
fn regroup(cx: &mut At<'_>, side: &SideId, unit: &str, at: Hex) {
    let s = cx.state();
    let elite = s.is_elite(unit);
    let hexes = havens(s, side, unit);
    let hex = hexes.into_iter().min_by_key(|hex| (hex.distance(at), *hex));
    if !lies_dead(s, unit) || (hex.is_none() && !elite) {
        return;
    }
    let label = eyes::of_unit(cx, "regroup", unit);
    if cx.d6(&label) != 1 {
        return;
    }
    match hex {
        _ if elite => cx.emit(Event::Disbanded { unit: unit.to_owned() }),
        Some(hex) => {
            cx.emit(Event::Returned { unit: unit.to_owned(), hex });
            if cx.state().crowded(hex, side) {
                // 5.3.5 Nobody checks, but the over-stack has to go.
                cx.emit(Event::Crowd { hex, over: true });
            }
        }
        None => {}
    }
}

/// 8.3.2 The picked men go back to their regiments.
fn disband(cx: &mut At<'_>) {
    let s = cx.state();
    let elite = s.standing().find(|(id, ..)| s.is_elite(id));
    if let Some(unit) = elite.map(|(id, ..)| id.clone()) {
        if cx.state().in_strong_point(&unit) {
            let hex = cx.state().board.printed.strong_point;
            cx.emit(Event::Razed { hex });
        }
        cx.emit(Event::Disbanded { unit });
        stacks::forget(cx);
    }
}

/// 9.5.2 From the turn after Column II crossed the light blue line one die in each turn, with 1 more for each turn since the
/// first; 4 frees the hexes north of the dark blue line.
fn alert(cx: &mut At<'_>) {
    let s = cx.state();
    let Some(crossed) = s.crossed.filter(|turn| *turn < s.turn && !s.free.contains(&Freed::Line)) else { return };
    let later = i32::try_from(s.turn - crossed - 1).unwrap_or_default();
    let label = eyes::of_nobody(cx, "alert");
    let die = cx.d6(&label);
    if die + later >= ALERT {
        bounds::set_free(cx, Freed::Line);
    }
}

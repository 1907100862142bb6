//! 6.3 Fire.

use super::ask::{self, What};
use super::board::{Arm, Kind};
use super::event::Event;
use super::fatigue::{self, At, Why};
use super::state::{Charge, Fate, Mood, State, Unit};
use super::{board, bounds, called, flee, guns, leader, march, option};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::Play;
use crate::rules::tactical::sum::{Sum, half_up};
use crate::rules::tactical::{facing, sight};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// 6.3.5 (second) The firepower of a leader alone.
const LEADER: i32 = 1;
/// 6.3.5 (second) How far he goes back then.
const LEADER_BACK: u32 = 2;
/// 6.3.7a The reach of guns.
const REACH: u32 = 4;

/// 4.4.1-4.4.5 Whether guns see a hex: what lies between is open ground with no enemy on it; friends do not matter.
pub fn sees(s: &State, side: &SideId, from: Hex, to: Hex) -> bool {
    let blocks = |hex: Hex| s.board.ground(hex).is_none_or(|g| g.blocks_los) || s.held_against(hex, side);
    sight::open(from, to, true, blocks)
}

/// 6.3.2-6.3.7 Whether an active unit may fire at a hex.
///
/// # Errors
/// Why not.
pub fn may(s: &State, unit: &str, at: Hex) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let (Some(u), Some(kind)) = (s.units.get(unit), s.kind(unit)) else {
        return refused(format!("there is no {unit}"), "2.3");
    };
    let Some(hex) = u.hex else { return refused(format!("{unit} is not on the map"), "6.3") };
    let guns = kind.arm == Arm::Art;
    let horse = kind.arm == Arm::Cav;
    let carbines = s.plays(board::Switch::CavalryFire);
    deny(horse && !carbines, format_args!("{unit} is horse, and horse does not fire"), "6.3.6")?;
    let battery = s.is_battery(unit);
    if battery {
        guns::may(s, unit, at)?;
    } else if !u.active {
        return Err(called::why_not(s, unit));
    }
    deny(horse && s.ff(unit) == 0, format_args!("{unit} has no carbines, or has charged"), "11.1")?;
    deny(u.mood != Mood::Fresh, format_args!("{unit} is tired, and fires in defence alone"), "4.2.4")?;
    deny(u.fired && !battery, format_args!("{unit} has fired"), "6.3.4")?;
    deny(!s.held_against(at, &kind.side), format_args!("no enemy stands in {at}"), "6.3.3")?;
    let far = hex.distance(at);
    let (reach, rule) = if guns { (REACH, "6.3.7") } else { (1, "6.3.3") };
    deny(far > reach, format_args!("{at} is {far} hexes away"), rule)?;
    let ahead = battery || s.front(unit).contains(&at) || (far > 1 && facing::in_arc(hex, u.facing, at));
    deny(!ahead, format_args!("{at} is not in front of {unit}"), "6.3.3")?;
    let blind = far > 1 && !kind.howitzer && !sees(s, &kind.side, hex, at);
    deny(blind, format_args!("{unit} does not see {at}"), "6.3.7")
}

/// 6.3.7c, 6.3.7d What a unit adds at a distance: guns at 4 hexes half, howitzers at 3 and 4, fractions up.
fn adds(s: &State, unit: &str, kind: &Kind, far: u32) -> i32 {
    let half = far >= if kind.howitzer { 3 } else { 4 };
    // 8.2.3
    let whole = if s.is_battery(unit) { s.board.battery_ff } else { s.ff(unit) };
    if half { half_up(whole) } else { whole }
}

/// 6.3.8c What changes the die of a fire.
fn modifiers(s: &State, by: &[String], at: Hex, enemy: &SideId) -> Sum {
    let (mut sum, drms) = (Sum::default(), s.board.fire_drms());
    let targets: Vec<String> = s.stack(at, enemy);
    let adjacent = |id: &&String| s.hex(id).is_some_and(|hex| hex.adjacent(at));
    let tired = by.iter().any(|id| s.is(id, |u| u.mood != Mood::Fresh));
    // 4.2.4c, 4.3.3
    sum.when(tired, "tired", drms.fatigued_unit_among_firers);
    let guns = |id: &String| s.is_arm(id, Arm::Art);
    // 6.3.6 (second)
    let blank = by.iter().filter(adjacent).any(guns);
    sum.when(blank, "point blank", drms.artillery_firing_at_adjacent);
    // 6.2.11
    let charging = |id: &String| s.is(id, |u| u.shock.charge == Charge::Over);
    sum.when(targets.iter().any(charging), "charging horse", drms.target_cavalry_charged_this_impulse);
    let crowd = targets.iter().filter(|id| !s.is_battery(id)).count() >= 3;
    sum.when(crowd, "crowd", drms.target_three_or_more_combat_units);
    let beside = by.iter().filter(adjacent).any(|id| outflanks(s, id, &targets));
    sum.when(beside, "flank", drms.fire_through_non_front_hexside_of_target);
    // 8.4.3
    let strong = targets.iter().any(|id| s.in_strong_point(id));
    let ground = s.board.ground(at).map_or(0, |g| g.fire_drm);
    sum.add(if strong { "Strong Point" } else { "ground" }, if strong { s.board.strong_effects().0 } else { ground });
    sum
}

/// 6.4.4 Whether a unit stands outside the fronts of those who have one.
/// House: a unit without a front has no flank. Tired foot and horse have none (4.2.4e), and their MF is halved already
/// (4.2.4d). The text can be read otherwise: without a frontal hex every hexside is a non-front one, and all are doubled.
pub(super) fn outflanks(s: &State, unit: &str, targets: &[String]) -> bool {
    let Some(hex) = s.hex(unit) else { return false };
    let fronts: Vec<Vec<Hex>> = targets.iter().map(|id| s.front(id)).filter(|front| !front.is_empty()).collect();
    !fronts.is_empty() && fronts.iter().all(|front| !front.contains(&hex))
}

/// 8.1.1 Night shifts fire one column to the left at adjacent hexes and two at range.
fn night(s: &State, far: u32) -> i32 {
    let (near, away) = s.board.night_shifts();
    match (s.board.night(s.turn), far) {
        (false, _) => 0,
        (true, 0 | 1) => near,
        (true, _) => away,
    }
}

/// What a volley comes to before the die.
pub struct Shot {
    /// 6.3.8a The firepower of all.
    pub strength: i32,
    /// 6.3.8a, 8.1.1 The column; none where it lies left of the chart.
    pub column: Option<usize>,
    /// 6.3.8c What changes the die.
    pub sum: Sum,
}

/// 6.3.8 What all who fire at a hex together come to.
pub fn aim(s: &State, by: &[String], at: Hex, enemy: &SideId) -> Shot {
    let far = |id: &String| s.hex(id).map_or(1, |hex| hex.distance(at));
    // 6.3.5 (second) A leader adds 1.
    let adds = |id: &String| s.kind(id).map_or(LEADER, |kind| adds(s, id, kind, far(id)));
    let strength: i32 = by.iter().map(adds).sum();
    // Who fires together fires at the column of the farthest.
    let shift = night(s, by.iter().map(far).max().unwrap_or(1));
    let column = s.board.fire_column(strength).and_then(|column| s.board.fire().shifted(column, shift));
    Shot { strength, column, sum: modifiers(s, by, at, enemy) }
}

/// 6.3.7d Who of a volley hits once its die is known: on a natural 1 the howitzers miss, and the others count without them.
fn hitters(s: &State, by: &[String], die: i32) -> Vec<String> {
    let misses = |id: &String| die == 1 && s.kind(id).is_some_and(|kind| kind.howitzer);
    by.iter().filter(|id| !misses(id)).cloned().collect()
}

/// 6.3.8 All who fire at a hex fire together; 6.3.10, 6.5.1 leaders there are rolled for where a unit is eliminated by it,
/// though it ran first (6.7.4) or surrendered.
pub(super) fn volley(cx: &mut At<'_>, by: &[String], at: Hex, enemy: &SideId) {
    let (units, leaders) = (cx.state().stack(at, enemy), cx.state().leaders_at(at, enemy));
    let die = ten(cx, "fire", at);
    let s = cx.state();
    let hitters = hitters(s, by, die);
    let missed = hitters.is_empty();
    let Shot { strength, column, sum } = aim(s, if missed { by } else { hitters.as_slice() }, at, enemy);
    let board = s.board.clone();
    let result = column.filter(|_| !missed).map_or("-", |column| board.fire().result(column, die + sum.total()));
    let name = column.and_then(|column| board.fire().columns.get(column)).map_or("none", String::as_str);
    cx.emit(Event::Fired {
        at,
        by: by.to_vec(),
        strength,
        column: name.to_owned(),
        die,
        sum,
        result: result.to_owned(),
    });
    suffer(cx, at, &units, result);
    super::dummy::strike(cx, at, enemy);
    guns::give_up_after(cx, at, by, result);
    if units.iter().any(|unit| cx.state().is(unit, |u| u.gone.is_some())) {
        leaders.iter().for_each(|leader| leader::risk(cx, leader));
    }
    option::run_short(cx, by, die);
}

/// 2.0 One d10.
pub(super) fn ten(cx: &mut At<'_>, purpose: &'static str, at: Hex) -> i32 {
    let dice = cx.roll(&Label::public(purpose).at(&at), 1, 10);
    dice.first().copied().and_then(|die| i32::try_from(die).ok()).unwrap_or(1)
}

/// 6.3.8f The unit of a hex that suffers first: the one that its owner has named, or else the one with the least melee
/// factor.
pub(super) fn weakest(s: &State, units: &[String]) -> Option<String> {
    units.iter().min_by_key(|id| (s.loss_rank(id), s.mf(id), (*id).clone())).cloned()
}

/// 6.3.8f What a result does to the units in the hex.
fn suffer(cx: &mut At<'_>, at: Hex, units: &[String], result: &str) {
    let first = weakest(cx.state(), units);
    let (worse, dead, harder) = match result {
        "C" => (false, false, 0),
        "C1" => (false, false, 1),
        "C2" => (false, false, 2),
        "F" => (true, false, 1),
        "X" => (false, true, 2),
        "R" => return all_back(cx, units),
        _ => return,
    };
    let struck = first.filter(|_| worse || dead);
    if let Some(unit) = &struck {
        if dead {
            fatigue::fall(cx, unit, Fate::Eliminated);
        } else {
            fatigue::worsen(cx, unit);
        }
    }
    for unit in units.iter().filter(|unit| struck.as_ref() != Some(unit)) {
        if cx.state().is(unit, |u| u.hex == Some(at)) {
            let mut sum = Sum::default();
            sum.add("result", harder);
            fatigue::endure(cx, unit, Why::UnderFire, sum);
        }
    }
}

/// The result R: all are worse, and who did not rout goes back one hex.
/// House: a router is no worse for F and R, and does not go back; where the owner has named nobody else it may suffer first.
fn all_back(cx: &mut At<'_>, units: &[String]) {
    for unit in units {
        fatigue::worsen(cx, unit);
    }
    flee::retreat(cx, units, 1);
}

/// 6.3.7 (second) How much a hex with active units draws the fire of the other side: horse that has charged first, then the
/// fullest.
/// House: the book leaves the order to the player, who says YES or NO to each hex in this one.
fn draws(s: &State, side: &SideId, hex: Hex) -> (bool, usize, Reverse<Hex>) {
    let here: Vec<&Unit> =
        s.standing().filter(|(id, _, at)| *at == hex && s.is_of(id, side)).map(|(_, unit, _)| unit).collect();
    let acting = here.iter().filter(|unit| unit.active).count();
    (here.iter().any(|unit| unit.charged), acting, Reverse(hex))
}

/// 6.3.1 The hexes with active units of a side.
fn targets(s: &State, side: &SideId) -> BTreeSet<Hex> {
    s.standing().filter(|(id, unit, _)| unit.active && s.is_of(id, side)).map(|(.., hex)| hex).collect()
}

/// 6.3.7 (second) The hex that draws most fire of those that have not had their turn.
fn next_target(s: &State, side: &SideId, done: &BTreeSet<Hex>) -> Option<Hex> {
    targets(s, side).into_iter().filter(|hex| !done.contains(hex)).max_by_key(|hex| draws(s, side, *hex))
}

/// 6.3.1, 6.3.6 (second) Who of the inactive side may fire at a hex and has not fired, 6.3.4 at another; 4.2.4c a tired unit
/// fires to any side; 8.2.3 the Grand Battery by each of its hexsides.
fn who_may(s: &State, side: &SideId, at: Hex) -> Vec<String> {
    let able = |id: &String, unit: &Unit, hex: Hex| {
        if s.is_battery(id) {
            return s.front(id).contains(&at);
        }
        let bears = if unit.mood == Mood::Fatigued { hex.adjacent(at) } else { s.front(id).contains(&at) };
        bears && !unit.fired && s.ff(id) > 0
    };
    let own = s.standing().filter(|(id, unit, hex)| !s.is_of(id, side) && able(id, unit, *hex));
    own.map(|(id, ..)| id.clone()).collect()
}

/// 6.3.1, 6.3.7 (second) Who would fire at the active units of a side in defence if all do who may, hex by hex.
pub(super) fn defenders(s: &State, side: &SideId) -> Vec<(Hex, Vec<String>)> {
    let (mut done, mut fired, mut found) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    while let Some(at) = next_target(s, side, &done) {
        done.insert(at);
        let mut by = who_may(s, side, at);
        by.retain(|id| s.is_battery(id) || fired.insert(id.clone()));
        if !by.is_empty() {
            found.push((at, by));
        }
    }
    found
}

/// 6.3.1, 6.3.7 (second) The inactive side fires at the active units next to it, as far as it wants to, hex by hex: who does not
/// fire at one may still fire at the next.
pub(super) fn defend(cx: &mut At<'_>, side: &SideId) -> Play<()> {
    let enemy = board::other(side);
    let first = targets(cx.state(), side);
    let leaders = leaders_alone(cx, &enemy, &first)?;
    let (mut done, mut back) = (BTreeSet::new(), Vec::new());
    while let Some(at) = next_target(cx.state(), side, &done) {
        done.insert(at);
        let units = who_may(cx.state(), side, at);
        let mut by = ask::fire(cx, &enemy, &units, at)?;
        // A leader has said for himself.
        let alone: Vec<(String, Hex)> = leaders.iter().filter(|(_, target)| *target == at).cloned().collect();
        by.extend(alone.iter().map(|(leader, _)| leader.clone()));
        back.extend(alone);
        if !by.is_empty() {
            volley(cx, &by, at, side);
        }
    }
    back.sort();
    for (leader, at) in &back {
        fall_back(cx, leader, *at, &enemy);
    }
    Ok(())
}

/// 6.3.5 (second) Leaders alone in their hexes who are to fire, each at the hex next to him that draws most fire; 4.1.3 of
/// several in one hex one alone.
/// House: leaders without a unit in their hex are alone there, as 6.5.4 has the word, be they several. 4.1.3 lets one of them
/// have his effect. They are asked in turn; who fires goes back, and the others stay.
fn leaders_alone(cx: &mut At<'_>, side: &SideId, targets: &BTreeSet<Hex>) -> Play<Vec<(String, Hex)>> {
    let s = cx.state();
    let enemy = board::other(side);
    let mut able = Vec::new();
    for (name, leader) in &s.leaders {
        let Some(hex) = leader.hex.filter(|hex| s.stack(*hex, side).is_empty()) else { continue };
        if s.leads(name, side) {
            let near = hex.neighbours().into_iter().filter(|hex| targets.contains(hex));
            able.extend(near.max_by_key(|hex| draws(s, &enemy, *hex)).map(|at| (name.clone(), hex, at)));
        }
    }
    let (mut found, mut spoken) = (Vec::new(), BTreeSet::new());
    for (name, hex, at) in able {
        if spoken.contains(&hex) {
            continue;
        }
        let first = cx.state().stack(at, &enemy).first().cloned().unwrap_or_default();
        if ask::side(cx, side, What::LeaderFire, &name, &first)? {
            spoken.insert(hex);
            found.push((name, at));
        }
    }
    Ok(found)
}

/// 6.3.5 (second), DB.2 A leader who has fired goes back two hexes, out of fronts and away from his target and the enemies whom
/// his side sees, if he can; if there is no way so far, he is taken.
fn fall_back(cx: &mut At<'_>, leader: &str, target: Hex, side: &SideId) {
    let s = cx.state();
    let Some(from) = s.leaders.get(leader).and_then(|l| l.hex) else { return };
    let near = |hex: Hex| flee::from_enemies(s, hex, side).min(target.distance(hex));
    let steps = |hex: Hex| {
        let open = move |to: &Hex| march::ride_cost(s, hex, *to).is_some() && !s.held_against(*to, side);
        hex.neighbours().into_iter().filter(open)
    };
    let ways = steps(from).flat_map(|first| steps(first).map(move |second| [first, second]));
    let ways = ways.filter(|way| way.last().is_some_and(|end| end.distance(from) == LEADER_BACK));
    let best = ways.min_by_key(|[first, second]| {
        let fronts = [first, second].iter().filter(|hex| s.in_enemy_front(***hex, side)).count();
        (fronts, Reverse(near(*second)), Reverse(near(*first)), *first, *second)
    });
    match best {
        Some(way) => {
            way.into_iter().for_each(|to| cx.emit(Event::Followed { leader: leader.to_owned(), to }));
        }
        None => {
            cx.emit(Event::Hurt { leader: leader.to_owned(), until: None });
            leader::mourn(cx, leader, from, false);
        }
    }
}

/// 6.3.2 The active side fires.
pub(super) fn attack(cx: &mut At<'_>, side: &SideId, units: &[String], at: Hex) {
    let Some(()) = cx.allowed(units.iter().try_for_each(|unit| may(cx.state(), unit, at))) else { return };
    guns::spend(cx, units, at);
    volley(cx, units, at, &board::other(side));
}

/// 6.3.9, 6.4.9 Whether units may go into a hex that they have emptied: none but foot and horse, and as many as there is room
/// for.
///
/// # Errors
/// Why not.
pub fn may_advance(s: &State, units: &[String], into: Hex) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let by = s.won.as_ref().filter(|won| won.at == into).map(|won| &won.by);
    for unit in units {
        let Some((u, kind)) = s.units.get(unit).zip(s.kind(unit)) else { continue };
        let last = by.is_some_and(|by| by.contains(unit));
        deny(!last, format_args!("{unit} has not fired at {into}, or attacked it, last"), "6.3.9")?;
        deny(s.held_against(into, &kind.side), format_args!("an enemy stands in {into}"), "6.3.9")?;
        deny(kind.arm == Arm::Art, format_args!("{unit} is guns, and does not advance"), "6.3.9")?;
        let Some(from) = u.hex.filter(|hex| u.mood != Mood::Routed && hex.adjacent(into)) else {
            return refused(format!("{unit} runs, or is not next to {into}"), "6.3.9");
        };
        // 6.2.3c, 6.2.10 An advance is a step over the same ground.
        let closed = march::ground_cost(s, kind.arm, from, into).is_none();
        deny(closed, format_args!("the ground lets {unit} not into {into}"), "6.2.3")?;
        bounds::tied(s, unit, into)?;
        deny(s.crowded_with(into, &kind.side, units), format_args!("there is no room for them in {into}"), "4.1.1")?;
    }
    Ok(())
}

/// 6.3.9, 6.4.9 Units go into a hex that they have emptied.
pub(super) fn advance(cx: &mut At<'_>, side: &SideId, units: &[String], into: Hex) {
    let Some(()) = cx.allowed(may_advance(cx.state(), units, into)) else { return };
    for unit in units {
        let Some(from) = cx.state().hex(unit) else { continue };
        cx.emit(Event::Went { unit: unit.clone(), to: into, how: "advance".to_owned() });
        bounds::moved(cx, unit, from, into);
    }
    march::enter(cx, side, into);
}

//! 6.4 Melee.

use super::board::{self, Arm};
use super::event::Event;
use super::fatigue::{self, At, Why};
use super::state::{Fate, Mood, State};
use super::{bounds, called, fire, flee, guns, leader, march, shock};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::Outcome;
use crate::rules::tactical::chart;
use crate::rules::tactical::sum::Sum;

/// 6.4.7 The columns as attacker to defender.
const RATIOS: [(i32, i32); 8] = [(1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (5, 1)];
/// How far defenders go back who must.
const DEFENDERS_BACK: u32 = 2;
/// 6.4.5 The first column in which defenders check.
const TWO_TO_ONE: usize = 4;

/// 6.4.1, 6.4.2, 6.4.10 Whether units may attack a hex together.
/// House: horse that has charged and that nobody met attacks any enemy next to it, doubled and without a check. 6.4.3 says so
/// of horse that charges, and 6.2.11 binds it to its target only as long as it rides.
///
/// # Errors
/// Why not.
pub fn may(s: &State, units: &[String], at: Hex) -> Result<(), Fault> {
    let horse = |id: &&String| s.is_arm(id, Arm::Cav);
    let horses = units.iter().filter(horse).count();
    deny(horses > 0 && horses < units.len(), "horse and foot do not attack together", "6.4.2")?;
    for unit in units {
        let (Some(u), Some(kind)) = (s.units.get(unit), s.kind(unit)) else { continue };
        if !u.active || u.mood == Mood::Routed {
            return Err(called::why_not(s, unit));
        }
        let blown = shock::charges(s, unit) && u.mood != Mood::Fresh;
        deny(blown, format_args!("the charge of {unit} is over: it is tired"), "6.2.11i")?;
        let foes = &u.shock.met;
        let met = !foes.is_empty() && !foes.iter().any(|foe| s.hex(foe) == Some(at));
        deny(met, format_args!("{unit} has been met by {}", foes.join(", ")), "6.2.13a")?;
        deny(bounds::stalled(s, unit), format_args!("the column of {unit} has lost its impetus"), "11.3")?;
        deny(u.fought, format_args!("{unit} has had its melee"), "6.4.10")?;
        deny(!u.hex.is_some_and(|hex| hex.adjacent(at)), format_args!("{unit} is not next to {at}"), "6.4.1")?;
        deny(!s.held_against(at, &kind.side), format_args!("no enemy stands in {at}"), "6.4.1")?;
    }
    Ok(())
}

/// 6.4.3 Each attacker checks; who fails does not attack, and routs if it was tired. 6.4.3b, 6.4.4 The factors of those
/// who do: doubled for a result below half of the FV or for a flank, never twice. Charging horse does not check and is
/// doubled; 6.2.12b, 6.2.13c nothing is where a charge was met.
fn muster(cx: &mut At<'_>, units: &[String], defenders: &[String], at: Hex) -> Vec<(String, i32)> {
    let mut found = Vec::new();
    let plain = shock::plain(cx.state(), units, defenders);
    for unit in units {
        if shock::charges(cx.state(), unit) {
            found.push((unit.clone(), if plain { 1 } else { 2 }));
            continue;
        }
        let (passed, result) = fatigue::check(cx, unit, Why::ToAttack, Sum::default());
        if !passed {
            cx.emit(Event::Refused { unit: unit.clone() });
            if cx.state().is(unit, |u| u.mood == Mood::Fatigued) {
                fatigue::worsen(cx, unit);
            }
            continue;
        }
        let s = cx.state();
        let doubled = !plain && (result < s.fv(unit) / 2 || fire::outflanks(s, unit, defenders));
        found.push((unit.clone(), if doubled { 2 } else { 1 }));
    }
    // 6.4.6, 6.7.12 Who has passed his check and then runs, because a fellow ran into his hex, attacks nobody.
    let still = |u: &super::state::Unit| u.mood != Mood::Routed && u.hex.is_some_and(|hex| hex.adjacent(at));
    found.retain(|(unit, _)| cx.state().is(unit, still));
    found
}

/// 6.7.11 Routers in the hex check at +1 at any odds, and surrender if they fail; T-7 who stood a charge though he ran has
/// checked for the melee of those who charged him, and for no other.
fn routers_check(cx: &mut At<'_>, attackers: &[String], defenders: &[String]) {
    for unit in defenders {
        let s = cx.state();
        let checked = s.is(unit, |u| u.shock.stood) && s.hex(unit).is_some_and(|at| shock::rides_at(s, attackers, at));
        if !checked && s.is(unit, |u| u.mood == Mood::Routed) {
            let mut sum = Sum::default();
            sum.add("routed", 1);
            if !fatigue::check(cx, unit, Why::ToDefend, sum).0 {
                fatigue::fall(cx, unit, Fate::Surrendered);
            }
        }
    }
}

fn strength(s: &State, units: &[String]) -> i32 {
    units.iter().map(|id| s.mf(id)).sum()
}

/// 6.4.7 Columns that the ground and the slope shift.
fn shift(s: &State, attackers: &[String], defenders: &[String], at: Hex) -> i32 {
    let strong = defenders.iter().any(|id| s.in_strong_point(id));
    let ground = s.board.ground(at).map_or(0, |g| g.melee_shift);
    let levels = attackers.iter().filter_map(|id| s.units.get(id)?.hex).map(|hex| s.board.field.level(hex));
    let below = levels.min().map_or(0, |low| (s.board.field.level(at) - low).max(0));
    let uphill = s.board.uphill() * i32::from(below);
    uphill + if strong { s.board.strong_effects().1 } else { ground }
}

/// 6.4.7 What changes the die.
fn modifiers(s: &State, attackers: &[String], defenders: &[String]) -> Sum {
    let led = |ids: &[String]| {
        ids.iter().any(|id| {
            let hex = s.hex(id);
            s.leaders.iter().any(|(name, leader)| leader.hex.is_some() && leader.hex == hex && s.obeys(id, name))
        })
    };
    let any = |ids: &[String], mood: Mood| ids.iter().any(|id| s.is(id, |u| u.mood == mood));
    let (mut sum, drms) = (Sum::default(), s.board.melee_drms());
    sum.when(led(attackers), "attackers led", drms.attacking_leader_subordinate_stacked);
    sum.when(led(defenders), "defenders led", drms.defending_leader_subordinate_stacked);
    sum.when(any(attackers, Mood::Fatigued), "tired", drms.any_attacker_fatigued);
    sum.when(any(defenders, Mood::Routed), "routed", drms.defender_routed);
    sum.when(s.board.night(s.turn), "night", drms.night);
    sum
}

/// What a melee comes to before anybody has checked.
pub struct Odds {
    /// 6.4.3b, 6.4.4 Factors of the attackers, doubled where a flank or a charge doubles them.
    pub attack: i32,
    /// Factors of the defenders.
    pub defence: i32,
    /// 6.4.7 The column.
    pub column: usize,
    /// 6.4.7 What changes the die.
    pub sum: Sum,
}

/// 6.4.6, 6.4.7 The odds if all who are to attack do, and all who are attacked stand.
pub fn weigh(s: &State, units: &[String], at: Hex, enemy: &SideId) -> Odds {
    let defenders = shock::foes(s, units, at, enemy);
    let plain = shock::plain(s, units, &defenders);
    let twice = |id: &String| !plain && (shock::charges(s, id) || fire::outflanks(s, id, &defenders));
    let attack = units.iter().map(|id| s.mf(id) * if twice(id) { 2 } else { 1 }).sum();
    let defence = strength(s, &defenders);
    let (column, sum) = look_up(s, (units, &defenders), at, (attack, defence));
    Odds { attack, defence, column, sum }
}

/// 6.4.7 The column and the modifiers of attackers against defenders whose factors come to so much.
pub(super) fn look_up(
    s: &State,
    (attackers, defenders): (&[String], &[String]),
    at: Hex,
    (attack, defence): (i32, i32),
) -> (usize, Sum) {
    let by = shift(s, attackers, defenders, at);
    let column = s.board.melee().shifted(chart::odds(&RATIOS, attack, defence), by).unwrap_or_default();
    (column, modifiers(s, attackers, defenders))
}

/// 6.4 One melee, in the order of its steps: attackers' checks, initial odds, defenders' checks, odds, die, losses,
/// leaders, advance; 6.2.13d of horse against all who have met it together.
/// House: 6.4.5 spares "the target of a cavalry charge" without a word of who attacks. Who has stood one, and does not run,
/// makes no check before any melee of this impulse. A router does, by 6.7.11.
/// House: the ground of the hex that was named counts for all of them, and it is the one into which attackers advance.
pub(super) fn attack(cx: &mut At<'_>, side: &SideId, (units, first): (&[String], &[String]), at: Hex) {
    let Some(()) = cx.allowed(may(cx.state(), units, at)) else { return };
    let enemy = board::other(side);
    let defenders = shock::foes(cx.state(), units, at, &enemy);
    let strong = muster(cx, units, &defenders, at);
    let attackers: Vec<String> = strong.iter().map(|(id, _)| id.clone()).collect();
    if attackers.is_empty() {
        cx.outcome(Outcome::Failed { why: "none of them attacks".to_owned(), rule: "6.4.3".to_owned() });
        return;
    }
    let attack: i32 = strong.iter().map(|(id, times)| cx.state().mf(id) * times).sum();
    routers_check(cx, &attackers, &defenders);
    let standing = shock::foes(cx.state(), units, at, &enemy);
    // 6.4.5
    if chart::odds(&RATIOS, attack, strength(cx.state(), &standing)) >= TWO_TO_ONE {
        for unit in &standing {
            let there = shock::foes(cx.state(), units, at, &enemy).contains(unit);
            let checks = |u: &super::state::Unit| there && u.mood != Mood::Routed && !u.shock.stood;
            if cx.state().is(unit, checks) {
                fatigue::endure(cx, unit, Why::ToDefend, Sum::default());
            }
        }
    }
    let standing = shock::foes(cx.state(), units, at, &enemy);
    let mut leaders = cx.state().leaders_at(at, &enemy);
    for (units, side) in [(&attackers, side), (&standing, &enemy)] {
        let hexes = units.iter().filter_map(|unit| cx.state().hex(unit));
        leaders.extend(hexes.flat_map(|hex| cx.state().leaders_at(hex, side)));
    }
    leaders.sort_unstable();
    leaders.dedup();
    if !standing.is_empty() {
        clash(cx, (&attackers, attack), &standing, at);
    }
    // 6.4.8
    for leader in &leaders {
        leader::risk(cx, leader);
    }
    advance(cx, side, (&attackers, first), at);
}

/// 6.4.6, 6.4.7 The odds, the die and its result.
fn clash(cx: &mut At<'_>, (attackers, attack): (&[String], i32), standing: &[String], at: Hex) {
    let s = cx.state();
    let defence = strength(s, standing);
    let (column, sum) = look_up(s, (attackers, standing), at, (attack, defence));
    let board = s.board.clone();
    let die = fire::ten(cx, "melee", at);
    let result = board.melee().result(column, die + sum.total());
    let name = board.melee().columns.get(column).cloned().unwrap_or_default();
    let by = attackers.to_vec();
    cx.emit(Event::Fought { at, by, attack, defence, column: name, die, sum, result: result.to_owned() });
    suffer(cx, attackers, (standing, at), result);
}

/// What a result does: `A` to the attackers and `D` to the defenders; `E` one is eliminated and the others are worse, `X`
/// all are. After `AR`, `DR` and `DE` those who did not rout go back, attackers one hex and defenders two; after `AE` they
/// stay.
/// House: routers who stand are no worse for F and R, and do not go back. The tables name what becomes of who is fresh or
/// tired, and a router runs again in its own movement alone (6.7.6).
fn suffer(cx: &mut At<'_>, attackers: &[String], (defenders, at): (&[String], Hex), result: &str) {
    // Attackers who go back leave no hex that guns could give up.
    let (units, back) = if result.starts_with('A') { (attackers, 1) } else { (defenders, DEFENDERS_BACK) };
    let dead: Vec<String> = match result {
        "AE" | "DE" => fire::weakest(cx.state(), units).into_iter().collect(),
        "DX" => units.to_vec(),
        "AR" | "AF" | "DF" | "DR" => Vec::new(),
        _ => return,
    };
    for unit in &dead {
        fatigue::fall(cx, unit, Fate::Eliminated);
    }
    let left: Vec<String> = units.iter().filter(|unit| !dead.contains(unit)).cloned().collect();
    for unit in &left {
        fatigue::worsen(cx, unit);
    }
    if ["AR", "DR", "DE"].contains(&result) {
        flee::retreat(cx, &left, back);
        if back == DEFENDERS_BACK {
            guns::give_up(cx, at, attackers);
        }
    }
}

/// 6.4.9 A hex that is empty now is taken by those attackers who were named for it, or by the first, foot or horse, for whom
/// there is room: a friend may have run into it meanwhile.
fn advance(cx: &mut At<'_>, side: &SideId, (attackers, named): (&[String], &[String]), at: Hex) {
    let s = cx.state();
    if s.held_against(at, side) {
        return;
    }
    let fit = |id: &&String| {
        let Some((u, kind)) = s.units.get(*id).zip(s.kind(id)) else { return false };
        let from = u.hex.filter(|hex| hex.adjacent(at) && u.mood != Mood::Routed && kind.arm != Arm::Art);
        // 6.2.3c, 6.2.10 An advance is a step over the same ground.
        from.is_some_and(|from| march::ground_cost(s, kind.arm, from, at).is_some()) && bounds::tied(s, id, at).is_ok()
    };
    let wanted: Vec<String> = named.iter().filter(|id| attackers.contains(id)).filter(fit).cloned().collect();
    let room = |units: &[String]| !s.crowded_with(at, side, units);
    let first =
        || attackers.iter().filter(fit).find(|id| room(std::slice::from_ref(*id))).cloned().into_iter().collect();
    let come = if !wanted.is_empty() && room(&wanted) { wanted } else { first() };
    for unit in come {
        let Some(from) = cx.state().hex(&unit) else { continue };
        cx.emit(Event::Went { unit: unit.clone(), to: at, how: "advance".to_owned() });
        bounds::moved(cx, &unit, from, at);
        march::enter(cx, side, at);
    }
}

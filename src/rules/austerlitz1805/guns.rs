//! 9 Artillery fire.

use super::board::{Arm, Kind, Soil, UnitId};
use super::event::{Cause, Fact, Fire, How, Secret, Why};
use super::hands::{Hand, add, ask, d6, mark, seat_of, stand, sum, table, tell};
use super::moves;
use super::prompt::{Answer, Prompt};
use super::result::{Blow, strike};
use super::sight;
use super::state::GunPlan;
use super::table::{Formation, Mark, Mood, Pose, Table, um};
use super::terrain::shelter;
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::near::Gap;
use crate::plane::shape::Shape;
use crate::plane::{Fine, Heading, Stand};
use crate::rules::Play;

/// A battery's aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The front it takes.
    pub facing: Heading,
    /// Canister.
    pub canister: bool,
}

/// 4.4, 6.13, 9.4-9.6, 12.5.3.2 Whether a battery may fire at all now; A-26: one that has swung round may in the enemy's
/// player-turn.
///
/// # Errors
/// Why not.
pub fn ready(t: &Table, id: &UnitId) -> Result<(), Fault> {
    let Some(unit) = t.unit(id) else { return Err(Fault::refused(format!("{id} is not on the field"), "")) };
    let not = |why: &str, rule: &str| Err(Fault::refused(format!("{id} {why}"), rule));
    if t.arm(id) != Arm::Artillery {
        return not("is no battery", "9.1");
    }
    if unit.form != Formation::Unlimbered {
        return not("is limbered and can't fire", "6.13");
    }
    if unit.mood == Mood::R {
        return not("is routed and can't fire", "12.5.3.2");
    }
    if unit.has(Mark::Crewless) {
        return not("has no crew at the guns", "13.15.1.1.2");
    }
    if unit.has(Mark::Returned) {
        return not("has its crew back only this turn and may not fire", "13.15.1.1.2");
    }
    if unit.has(Mark::Empty1) || unit.has(Mark::Empty2) {
        return not("is out of ammunition", "20.1");
    }
    if unit.has(Mark::Swung) {
        return not("has turned more than 45 degrees or moved this turn and may not fire", "9.5");
    }
    if t.engaged(id) {
        return not("is in close combat", "10.4.3.3");
    }
    Ok(())
}

/// 6.9, 9.2-9.5, 8.1, 9.8 How a battery must turn to hit a target with an ammunition: toward its middle, as far as there
/// is room.
///
/// # Errors
/// Why it can't.
pub fn aim(t: &Table, id: &UnitId, target: &UnitId, canister: bool) -> Result<Aim, Fault> {
    let Some(unit) = t.unit(id) else { return Err(Fault::refused(format!("{id} is not on the field"), "")) };
    let templates = &t.board.tables.templates;
    let bearing = Heading::between(t.centre(id), t.centre(target)).unwrap_or(unit.pose.facing);
    let off = unit.pose.facing.off(bearing);
    let wanted = off.clamp(-templates.pivot, templates.pivot);
    let barred = moves::bars_turn(t, id, wanted);
    let fits = |right: &i32| moves::bars_turn(t, id, *right).is_none();
    let right = match barred {
        None => wanted,
        Some(_) => (1..wanted.abs()).rev().map(|far| far * wanted.signum()).find(fits).unwrap_or(0),
    };
    let facing = unit.pose.facing.turned(right);
    let length = if canister { templates.canister.0 } else { templates.round.0 };
    let far = t.shape(target).gap_to(t.centre(id)).units();
    if !template(t, id, facing, canister).meets(&t.shape(target)) {
        if off.abs() > templates.pivot {
            let why = format!("{target} lies {} degrees off the front of {id}, which turns 45 at most", off.abs());
            return Err(Fault::refused(why, "9.5"));
        }
        if let Some(other) =
            barred.filter(|_| template(t, id, unit.pose.facing.turned(wanted), canister).meets(&t.shape(target)))
        {
            return Err(Fault::refused(format!("{id} has no room to turn beside {other}"), "6.9"));
        }
        let what = if canister { "canister" } else { "round shot" };
        let why = format!("{target} is {} UM from the middle of {id}; {what} reaches {} UM", um(far), um(length));
        return Err(Fault::refused(why, "9.2"));
    }
    // 9.2: guns measure from their middle.
    if t.sight.is_some() && !t.shape(target).gap_to(t.centre(id)).within(templates.canister.0) {
        return Err(Fault::refused(
            format!("in the fog guns do not fire beyond {} UM", um(templates.canister.0)),
            "9.8",
        ));
    }
    seen(t, id, target)?;
    if let Some(friend) = canister.then(|| friend_before(t, id, target)).flatten() {
        return Err(Fault::refused(
            format!("{friend} stands before the guns; canister isn't fired over friends"),
            "9.3",
        ));
    }
    Ok(Aim { facing, canister })
}

/// 8.1, 9.8 A battery sees its target itself; in fog a friend within 1/2 UM may see for it.
fn seen(t: &Table, id: &UnitId, target: &UnitId) -> Result<(), Fault> {
    let Err(hidden) = sight::sees(t, id, target) else { return Ok(()) };
    let side = t.side(id);
    let near = t.board.tables.ranges.musketry;
    let mut friends = t.of_side(&side).filter(|(f, _)| *f != id && t.gap(f, id).within(near));
    if t.sight.is_some() && friends.any(|(f, _)| sight::sees(t, f, target).is_ok()) {
        return Ok(());
    }
    let (why, rule) = hidden.sentence(target);
    Err(Fault::refused(format!("{id} has no line of sight: {why}"), rule))
}

/// 9.2, 9.5 The template, its vertex at the battery's centre.
fn template(t: &Table, id: &UnitId, facing: Heading, canister: bool) -> Shape {
    let templates = &t.board.tables.templates;
    let (length, half) = if canister { templates.canister } else { templates.round };
    Shape::cone(Stand { at: t.centre(id), heading: facing }, length, half)
}

/// 9.3 A friend on the line from the battery to its target.
fn friend_before(t: &Table, id: &UnitId, target: &UnitId) -> Option<UnitId> {
    let side = t.side(id);
    let (from, to) = (t.centre(id), t.centre(target));
    let mut friends = t.of_side(&side).filter(|(f, _)| *f != id && *f != target);
    friends.find(|(f, _)| crate::plane::sight::crosses(from, to, &t.shape(f))).map(|(f, _)| f.clone())
}

/// 9.7 Batteries that fire together stand within 1/2 UM of each other.
///
/// # Errors
/// Which one does not.
pub fn together(t: &Table, batteries: &[UnitId]) -> Result<(), Fault> {
    let near = t.board.tables.ranges.concentration;
    for a in batteries {
        for b in batteries {
            if a != b && !t.gap(a, b).within(near) {
                let gap = um(t.gap(a, b).units());
                let why = format!("{a} and {b} are {gap} UM apart; batteries add their fire within {} UM", um(near));
                return Err(Fault::refused(why, "9.7"));
            }
        }
    }
    Ok(())
}

/// 9.1-9.7, 20.1 Batteries fire at a target: each turns to it; round shot has to hit; canister strikes all it touches. A-43:
/// each has the target in range, arc and sight itself, and hits by its own HD.
pub fn fire(cx: &mut Hand<'_>, batteries: &[UnitId], target: &UnitId, canister: bool, late: bool) -> Play<()> {
    let mut firing = Vec::new();
    for id in batteries {
        let Ok(aim) = aim(table(cx), id, target, canister) else { continue };
        let Some(unit) = table(cx).unit(id).cloned() else { continue };
        let second = late && unit.has(Mark::Fired);
        if unit.pose.facing != aim.facing {
            stand(cx, id, Why::Pivoted, Pose { at: unit.pose.at, facing: aim.facing }, unit.form, 0, &[]);
        }
        mark(cx, id, Mark::Fired, true);
        if canister || hits(cx, id, target) {
            firing.push(Gun { id: id.clone(), second, from: table(cx).centre(id) });
        }
    }
    for (victim, by) in victims(table(cx), &firing, target, canister) {
        volley(cx, &by, &victim, canister)?;
    }
    Ok(())
}

/// A battery that fires with others.
#[derive(Clone)]
struct Gun {
    id: UnitId,
    /// 9.6 It has fired before in this player-turn.
    second: bool,
    /// Where it stands as it fires.
    from: Fine,
}

/// 9.1, 20.1 A battery rolls its HD or more; an Allied one that hits may then be out of ammunition.
fn hits(cx: &mut Hand<'_>, id: &UnitId, target: &UnitId) -> bool {
    let need = table(cx).spec(id).map_or(7, |s| s.hd);
    let die = d6(cx, "hit", id);
    tell(cx, Fact::Aimed { unit: id.clone(), on: target.clone(), need, die });
    let hit = die >= need;
    let t = table(cx);
    if hit && t.board.options.allied_artillery && !super::retreat::french(t, id) && d6(cx, "ammunition", id) == 6 {
        mark(cx, id, Mark::Empty2, true);
    }
    hit
}

/// 9.3, A-49 Who is fired at, and by which of the batteries: with canister every unit that a template touches, friends as well,
/// another of the batteries too, the target first; else the target. All fire at once, so that nobody is out of a template
/// since an earlier roll has driven him or a battery off.
fn victims(t: &Table, firing: &[Gun], target: &UnitId, canister: bool) -> Vec<(UnitId, Vec<Gun>)> {
    let touched = |o: &UnitId, gun: &&Gun| !canister || (gun.id != *o && touches(t, &gun.id, o));
    let by = |o: &UnitId| (o.clone(), firing.iter().filter(|gun| touched(o, gun)).cloned().collect::<Vec<Gun>>());
    let units = t.standing().map(|(o, _)| o).filter(|o| canister || *o == target);
    let mut found: Vec<(UnitId, Vec<Gun>)> = units.map(by).filter(|(_, by)| !by.is_empty()).collect();
    let first = firing.first().map(|gun| &gun.id);
    found.sort_by_key(|(o, _)| (o != target, first.map(|gun| t.gap(gun, o)), o.clone()));
    found
}

fn touches(t: &Table, id: &UnitId, other: &UnitId) -> bool {
    let facing = t.unit(id).map_or(Heading::NORTH, |u| u.pose.facing);
    template(t, id, facing, true).meets(&t.shape(other))
}

/// 9.6, 9.7, 11.1 One roll of the table at one unit; A-4: a column is the worse off for canister alone.
fn volley(cx: &mut Hand<'_>, by: &[Gun], on: &UnitId, canister: bool) -> Play<()> {
    let t = table(cx);
    let Some(form) = t.unit(on).map(|u| u.form) else { return Ok(()) };
    // 9.6: fired before in this player-turn, half, fractions up.
    let share = |gun: &Gun| {
        let fire = t.spec(&gun.id).map_or(0, |s| s.fire);
        if gun.second { (fire + 1) / 2 } else { fire }
    };
    let rating: i32 = by.iter().map(share).sum();
    let second = by.iter().any(|gun| gun.second);
    let mut mods = Vec::new();
    let fire = &t.board.tables.fire;
    add(&mut mods, "firepower", t.board.tables.band(rating));
    if canister {
        add(&mut mods, "canister", fire.canister);
        if form == Formation::Column {
            add(&mut mods, "column", fire.canister_at_column);
        }
    } else if form == Formation::Square {
        add(&mut mods, "round shot at a square", fire.round_shot_at_square);
    }
    if t.arm(on) == Arm::Artillery {
        add(&mut mods, "artillery", fire.artillery_target);
    }
    if second {
        add(&mut mods, "second fire", fire.second_fire);
    }
    cover(t, on, &mut mods);
    let Some(Gun { id: lead, from, .. }) = by.first().cloned() else { return Ok(()) };
    let by = by.iter().map(|gun| gun.id.clone()).collect();
    let die = d6(cx, "guns", &lead);
    let total = die + sum(&mods);
    let how = if canister { How::Canister } else { How::Round };
    tell(cx, Fact::Fired { fire: Fire { by, on: on.clone(), how, rating, mods, die, total } });
    strike(cx, &Blow { on, total, from, cause: Cause::Fire, assault: false, ridden: false })?;
    Ok(())
}

/// 11, 15 What the ground gives a target.
pub fn cover(t: &Table, on: &UnitId, mods: &mut Vec<super::event::Mod>) {
    let fire = &t.board.tables.fire;
    match shelter(t, on) {
        Some(Soil::Woods) => add(mods, "woods", fire.in_woods),
        Some(Soil::Settlement) => add(mods, "settlement", fire.in_settlement),
        Some(Soil::Fortification) => add(mods, "fortification", fire.in_fortification),
        Some(Soil::Pond) | None => {}
    }
}

/// 4.4, EX.4 Defensive Fire: each battery by its orders, else as its owner's doctrine says.
pub fn defence(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let ids: Vec<UnitId> = table(cx).of_side(side).map(|(id, _)| id.clone()).collect();
    for id in ids {
        if ready(table(cx), &id).is_err() || table(cx).unit(&id).is_some_and(|u| u.has(Mark::Fired)) {
            continue;
        }
        let plan = cx.state().hidden.get(side).and_then(|h| h.guns.get(&id)).cloned();
        match plan {
            Some(GunPlan::Hold) => {}
            Some(GunPlan::Fire { at, canister, with }) if aim(table(cx), &id, &at, canister).is_ok() => {
                let mut all = vec![id.clone()];
                all.extend(with.into_iter().filter(|w| ready(table(cx), w).is_ok()));
                if together(table(cx), &all).is_err() {
                    all.truncate(1);
                }
                fire(cx, &all, &at, canister, false)?;
            }
            Some(GunPlan::Fire { .. }) | None => by_doctrine(cx, &id)?,
        }
    }
    tell_spent(cx, side);
    Ok(())
}

fn tell_spent(cx: &mut Hand<'_>, side: &SideId) {
    if cx.state().hidden.get(side).is_some_and(|h| !h.guns.is_empty()) {
        cx.emit(Secret::GunsCleared { side: side.clone() }.into());
    }
}

fn by_doctrine(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let options = targets(table(cx), id);
    if options.is_empty() {
        return Ok(());
    }
    let seat = seat_of(cx, id);
    let answer = ask(cx, &seat, Prompt::Guns { unit: id.clone(), options })?;
    match answer {
        Answer::Target(at, canister) => fire(cx, std::slice::from_ref(id), &at, canister, false),
        _ => Ok(()),
    }
}

/// 4.4 What a battery may fire at, canister first, then the nearest.
pub fn targets(t: &Table, id: &UnitId) -> Vec<(UnitId, bool)> {
    let mut found = Vec::new();
    let (templates, centre) = (&t.board.tables.templates, t.centre(id));
    let reach = (templates.canister.0 + templates.canister.1).max(templates.round.0 + templates.round.1);
    let near = t.enemies_of(id, |_, ground| ground.gap_to(centre).within(reach));
    let enemies: Vec<(Gap, UnitId)> = near.into_iter().map(|e| (t.shape(&e).gap_to(centre), e)).collect();
    for canister in [true, false] {
        // Beyond its far corners no template touches anything, whichever way it turns.
        let (length, half) = if canister { templates.canister } else { templates.round };
        for (_, enemy) in enemies.iter().filter(|(gap, _)| gap.within(length + half)) {
            let enemy = enemy.clone();
            if aim(t, id, &enemy, canister).is_ok() && (!canister || friends_touched(t, id, &enemy).is_empty()) {
                found.push((enemy, canister));
            }
        }
    }
    found
}

/// Friends whom canister at a target would touch: allowed (9.3), and no doctrine's choice.
pub fn friends_touched(t: &Table, id: &UnitId, target: &UnitId) -> Vec<UnitId> {
    let Ok(aim) = aim(t, id, target, true) else { return Vec::new() };
    let cone = template(t, id, aim.facing, true);
    let side = t.side(id);
    t.of_side(&side).map(|(f, _)| f).filter(|f| *f != id && cone.meets(&t.shape(f))).cloned().collect()
}

/// 9.2, A-49 Whether batteries that fire together fire canister where nothing is said: where it reaches, and touches no friend
/// of theirs.
pub fn by_itself(t: &Table, by: &[UnitId], target: &UnitId) -> bool {
    let reaches = by.first().is_some_and(|b| aim(t, b, target, true).is_ok());
    reaches && by.iter().all(|b| friends_touched(t, b, target).is_empty())
}

/// 9.6.1 Whether a battery is French horse artillery.
pub fn french_horse(t: &Table, id: &UnitId) -> bool {
    super::retreat::french(t, id) && t.kind(id) == Kind::Horse
}

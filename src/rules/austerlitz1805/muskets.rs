//! 10 Musketry, of the Defender first and then of the Attacker; and canister in the same phase (9.6).

use super::board::{Arm, UnitId};
use super::event::{Cause, Fact, Fire, How, Secret, Why};
use super::guns;
use super::hands::{Hand, add, ask, d6, leave_combat, mark, seat_of, stand, sum, table, tell};
use super::morale::{drop_supporter, set_mood};
use super::prompt::{Answer, Prompt};
use super::result::{Blow, Struck, strike};
use super::sight;
use super::solo;
use super::table::{Combat, Face, Formation, Mark, Mood, Pose, Table, Unit};
use super::terrain;
use crate::fog::SideId;
use crate::plane::shape::Shape;
use crate::plane::walk::{clear, moved, reach};
use crate::plane::{Heading, Stand, UM};
use crate::rules::Play;

/// 4.7, 4.8, 10.2 The musketry phase: all of the Defender's fire, then all of the Attacker's.
pub fn phase(cx: &mut Hand<'_>, phasing: &SideId) -> Play<()> {
    let defender = super::hands::enemy(cx, phasing);
    for side in [&defender, phasing] {
        if solo::drive::leads(cx, side) {
            solo::drive::volleys(cx, side)?;
        }
    }
    for side in [&defender, phasing] {
        let ids: Vec<UnitId> = table(cx).of_side(side).map(|(id, _)| id.clone()).collect();
        for id in &ids {
            if table(cx).unit(id).is_some() {
                by_unit(cx, id, *side == defender)?;
            }
        }
        if cx.state().hidden.get(side).is_some_and(|h| !h.volleys.is_empty()) {
            cx.emit(Secret::VolleysCleared { side: side.clone() }.into());
        }
    }
    Ok(())
}

fn by_unit(cx: &mut Hand<'_>, id: &UnitId, defends: bool) -> Play<()> {
    match table(cx).arm(id) {
        Arm::Artillery if defends => hold_and_fire(cx, id),
        Arm::Artillery => horse_guns(cx, id),
        Arm::Infantry => foot(cx, id, defends),
        Arm::Cavalry | Arm::Hq => Ok(()),
    }
}

/// 9.6, 13.15.1.2 Guns attacked in front fire canister at the leader, even if they fired before; A-49: round shot where canister
/// would touch a friend.
fn hold_and_fire(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let t = table(cx);
    let Some(combat) = t.combats.iter().find(|c| c.on == *id && !c.old) else { return Ok(()) };
    // 12.5.1, 12.5.2: canister in this phase is musketry (9.6), which guns that are shaken do not conduct.
    let shaken = t.unit(id).is_none_or(|u| u.mood != Mood::Fit);
    if combat.face != Face::Front || shaken || guns::ready(t, id).is_err() {
        return Ok(());
    }
    let (lead, support) = (combat.lead.clone(), combat.support.clone());
    // 9.3: nobody has asked its owner whether it is to fire into his own men.
    let canister = guns::friends_touched(t, id, &lead).is_empty();
    guns::fire(cx, std::slice::from_ref(id), &lead, canister, true)?;
    for attacker in std::iter::once(&lead).chain(&support) {
        beaten_off(cx, id, attacker);
    }
    Ok(())
}

/// 13.3, 13.13.4-5, A-30 An attacker that fire has stunned, or worse, attacks no more; if it led, nobody leads in its place.
fn beaten_off(cx: &mut Hand<'_>, on: &UnitId, attacker: &UnitId) {
    let t = table(cx);
    let still = t.combats.iter().find(|c| c.on == *on && !c.old).cloned();
    let Some(combat) = still else { return };
    if t.unit(attacker).is_some_and(|u| u.mood == Mood::Fit && t.touch(attacker, on)) {
        return;
    }
    if combat.lead == *attacker {
        leave_combat(cx, on);
        // 13.13.4: if the enemy attacks it while it is stunned, its supporters count for it.
        let stunned = table(cx).unit(attacker).is_some_and(|u| u.mood == Mood::S);
        if stunned && !combat.support.is_empty() {
            tell(cx, Fact::Backed { unit: attacker.clone(), by: combat.support });
        }
    } else {
        drop_supporter(cx, attacker);
    }
}

/// 4.8, 9.6.1, 12.5.1 French horse artillery that did not fire in preparation, and is not shaken.
fn horse_guns(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let t = table(cx);
    let able = |u: &Unit| u.mood == Mood::Fit && !u.has(Mark::Fired) && u.has(Mark::Moved);
    let may = guns::french_horse(t, id) && t.unit(id).is_some_and(able);
    // 4.4: who holds for the enemy's turn holds now as well.
    let held = |h: &super::state::Hidden| matches!(h.guns.get(id), Some(super::state::GunPlan::Hold));
    if !may || guns::ready(t, id).is_err() || cx.state().hidden.values().any(held) {
        return Ok(());
    }
    let options = guns::targets(t, id);
    if options.is_empty() {
        return Ok(());
    }
    let seat = seat_of(cx, id);
    match ask(cx, &seat, Prompt::Guns { unit: id.clone(), options })? {
        Answer::Target(at, canister) => guns::fire(cx, std::slice::from_ref(id), &at, canister, false),
        _ => Ok(()),
    }
}

/// 10.4, 10.4.3.2 A unit of infantry fires before an assault in which it stands, or at what it faces within 1/2 UM. In a combat
/// that goes on nobody fires but who has come to it in this player-turn.
fn foot(cx: &mut Hand<'_>, id: &UnitId, defends: bool) -> Play<()> {
    let t = table(cx);
    if !able(t, id) {
        return Ok(());
    }
    if t.unit(id).is_some_and(|u| u.form == Formation::Square) {
        return square(cx, id);
    }
    match t.combat_of(id).cloned() {
        Some(combat) if combat.old && (defends || newcomer(t, &combat) != Some(id)) => Ok(()),
        Some(combat) if combat.old => assault(cx, id, &combat),
        Some(combat) if defends && combat.on == *id => defend(cx, id, &combat),
        Some(combat) if !defends && combat.lead == *id => assault(cx, id, &combat),
        // 10.4.3.1: supporters add to the leader's fire.
        Some(_) => Ok(()),
        None => choose(cx, id),
    }
}

/// 10.4.3.2, 13.13 The infantry that fires for all who have come to a combat that goes on in this player-turn.
fn newcomer<'c>(t: &Table, combat: &'c Combat) -> Option<&'c UnitId> {
    let fires = |u: &&UnitId| t.joined(combat, u) && able_or_volleyed(t, u);
    std::iter::once(&combat.lead).chain(&combat.support).find(fires)
}

/// 10.4.3.2-3, 12.5.1-12.5.3.1 Who may fire muskets: in good order, not in an ongoing combat but as a newcomer, not twice.
pub fn able(t: &Table, id: &UnitId) -> bool {
    let fit = t.unit(id).is_some_and(|u| u.mood == Mood::Fit && !u.has(Mark::Volleyed));
    let fights = t.engaged(id) && !t.combat_of(id).is_some_and(|c| t.joined(c, id));
    fit && !fights && t.spec(id).is_some_and(|s| s.arm == Arm::Infantry && s.fire > 0)
}

/// 5.4.4 A square fires at every enemy in contact or within 1/2 UM, one roll each.
fn square(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let t = table(cx);
    let near = t.board.tables.ranges.musketry;
    let all: Vec<UnitId> = t
        .enemies_by_gap(id)
        .into_iter()
        .filter(|e| t.gap(id, e).within(near) && sight::sees(t, id, e).is_ok())
        .collect();
    for enemy in all {
        if table(cx).unit(&enemy).is_none() || table(cx).unit(id).is_none() {
            continue;
        }
        let attacked = table(cx)
            .combats
            .iter()
            .find(|c| c.on == *id && !c.old && (c.lead == enemy || c.support.contains(&enemy)))
            .cloned();
        let how = if attacked.is_some() { How::Assault } else { How::Static };
        let struck = roll(cx, std::slice::from_ref(id), &enemy, how, 0)?;
        if attacked.is_some() {
            repelled(cx, id, &enemy, struck);
        }
    }
    mark(cx, id, Mark::Volleyed, true);
    Ok(())
}

/// 10.4.3.5.2, 10.4.3.5.3, 10.5, 13.13.3-13.13.5 A unit attacked in front fires at the leader or a supporter.
fn defend(cx: &mut Hand<'_>, id: &UnitId, combat: &Combat) -> Play<()> {
    let t = table(cx);
    let shape = |a: &UnitId| t.shape(a);
    let ahead = |a: &&UnitId| in_arc(t, id, &shape(a)) && t.struck_by(id, a) == Face::Front;
    let options: Vec<UnitId> = std::iter::once(&combat.lead).chain(&combat.support).filter(ahead).cloned().collect();
    let Some(target) = pick(cx, id, options)? else { return Ok(()) };
    let support = supporters(table(cx), id, &target);
    let struck = roll(cx, std::slice::from_ref(id), &target, How::Assault, support)?;
    mark(cx, id, Mark::Volleyed, true);
    repelled(cx, id, &target, struck);
    Ok(())
}

/// 10.4.3.5.2-3, 13.13.4-5 An attacker that fails is stunned and stands 1/2 UM off; a leader that fails ends the attack.
fn repelled(cx: &mut Hand<'_>, on: &UnitId, attacker: &UnitId, struck: Struck) {
    if struck.failed && !struck.away && table(cx).unit(attacker).is_some_and(|u| u.mood == Mood::Fit) {
        set_mood(cx, attacker, Mood::S);
        stand_off(cx, attacker, on);
    }
    beaten_off(cx, on, attacker);
}

/// 10.4.3.5.2 Back to 1/2 UM from the enemy, facing him, or as far toward that as there is room.
fn stand_off(cx: &mut Hand<'_>, id: &UnitId, enemy: &UnitId) {
    let t = table(cx);
    let Some((unit, (to, _))) = t.unit(id).zip(half_off(t, id, enemy)) else { return };
    let form = unit.form;
    if to != unit.pose {
        stand(cx, id, Why::Halted, to, form, 0, &[]);
    }
}

/// 10.4.3.5.2, 13.6 Where a unit comes that goes straight back from an enemy, keeping its front, until he is 1/2 UM off; and
/// whether it gets so far: 15.1 not onto ground where it may not stand, 5.2 as a square not off clear ground, 12.6.3 not off
/// the map, 13.11.1.1 not upon a chit.
pub fn half_off(t: &Table, id: &UnitId, enemy: &UnitId) -> Option<(Pose, bool)> {
    let unit = t.unit(id)?;
    let away = Heading::between(t.centre(enemy), t.centre(id)).unwrap_or(unit.pose.facing.turned(180));
    let (size, foe, near) = (t.size(id), t.shape(enemy), t.board.tables.ranges.musketry);
    let at = |far: i32| Pose::of(moved(unit.pose.stand(), away, far));
    let block = |far: i32| Shape::block(at(far).stand(), size);
    let free = |far: &i32| !block(*far).gap(&foe).within(near - 1);
    let mut others = t.others(id);
    let areas = t.board.ground.areas.iter().filter(|a| !terrain::may_enter(t, id, a.soil));
    let barred: Vec<Shape> = areas.map(|a| a.shape.clone()).collect();
    others.extend(barred.iter().cloned());
    others.extend(t.mist.chits.values().map(|c| t.chit_shape(c.at)));
    let room = reach(unit.pose.stand(), size, away, UM, &others).units;
    let room = (0..=room).rev().find(|far| !terrain::outside(t, at(*far).at.fine())).unwrap_or(0);
    let square = unit.form == Formation::Square;
    let room = (1..=room).find(|far| square && !terrain::clear(t, &block(*far))).map_or(room, |first| first - 1);
    let wanted = (0..=room).find(free);
    let far = clear(unit.pose.stand(), size, away, wanted.unwrap_or(room), &others);
    // Whoever stands on such ground already does not end on it either.
    let far = (0..=far).rev().find(|far| barred.iter().all(|a| !a.overlaps(&block(*far)))).unwrap_or(0);
    Some((if far > 0 { at(far) } else { unit.pose }, wanted == Some(far)))
}

/// 10.4.3, 10.4.3.4, 10.4.3.5.1 The leader of an assault fires, with a comrade who covers half of the enemy's side; a
/// defender that fails gives the attack a bonus.
fn assault(cx: &mut Hand<'_>, id: &UnitId, combat: &Combat) -> Play<()> {
    let t = table(cx);
    if !in_arc(t, id, &t.shape(&combat.on)) {
        return Ok(());
    }
    let mut by = vec![id.clone()];
    by.extend(
        combat.support.iter().filter(|s| *s != id && able(t, s) && proportional(t, id, s, &combat.on)).take(1).cloned(),
    );
    let support = supporters(t, id, &combat.on) - i32::try_from(by.len() - 1).unwrap_or(0);
    let struck = roll(cx, &by, &combat.on, How::Assault, support.max(0))?;
    by.iter().for_each(|b| mark(cx, b, Mark::Volleyed, true));
    let most = table(cx).board.tables.close.failure_max;
    let still = table(cx).combats.iter().find(|c| c.on == combat.on).cloned();
    if let Some(still) = still.filter(|_| struck.failed && !struck.away) {
        tell(cx, Fact::Declared { combat: Combat { bonus: struck.excess.min(most), ..still } });
    }
    Ok(())
}

/// 10.4.3.4 Both attackers cover half or more of the side that they attack.
pub fn proportional(t: &Table, a: &UnitId, b: &UnitId, on: &UnitId) -> bool {
    covers_half(t, a, on) && covers_half(t, b, on) && t.struck_by(on, a) == t.struck_by(on, b)
}

/// Whether the front of a unit lies along half or more of another's front (its flanks are as short as a column is wide).
fn covers_half(t: &Table, a: &UnitId, on: &UnitId) -> bool {
    let Some(unit) = t.unit(on) else { return false };
    let size = t.size(on);
    let (axis, side) = match t.struck_by(on, a) {
        Face::Front | Face::Rear => (unit.pose.facing.turned(90), size.front),
        Face::Flank => (unit.pose.facing, size.depth),
    };
    let ray = axis.ray();
    let centre = unit.pose.at.fine();
    let along = |p: &crate::plane::Fine| {
        i128::from(p.x - centre.x) * i128::from(ray.x) + i128::from(p.y - centre.y) * i128::from(ray.y)
    };
    let shape = t.shape(a);
    let low = shape.corners().iter().map(along).min().unwrap_or(0);
    let high = shape.corners().iter().map(along).max().unwrap_or(0);
    let unit_length = i128::from(crate::plane::FINE) * 10_000;
    let half = i128::from(side) * unit_length / 2;
    let overlap = high.min(half) - low.max(-half);
    // A thousandth is lost where rays are not quite as long as they should be.
    1001 * overlap >= 1000 * half
}

/// 10.4.1, 10.4.2 A unit that nobody fights fires at an enemy whom it faces within 1/2 UM; orders and doctrine choose him.
fn choose(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let options = static_targets(table(cx), id);
    let Some(target) = pick(cx, id, options)? else { return Ok(()) };
    let side = table(cx).side(id);
    let plans = cx.state().hidden.get(&side).map(|h| h.volleys.clone()).unwrap_or_default();
    let mut by = vec![id.clone()];
    // 10.4.2: those who have orders for the same target add their ratings.
    let joins = |o: &UnitId| o != id && plans.get(o) == Some(&target) && plans.get(id) == Some(&target);
    let t = table(cx);
    let with: Vec<UnitId> = t.of_side(&side).map(|(o, _)| o.clone()).filter(|o| joins(o) && able(t, o)).collect();
    by.extend(with.into_iter().filter(|o| t.combat_of(o).is_none() && static_targets(t, o).contains(&target)));
    roll(cx, &by, &target, How::Static, 0)?;
    by.iter().for_each(|b| mark(cx, b, Mark::Volleyed, true));
    Ok(())
}

/// 8.1, 10.4.1, 10.5 Enemies whom a unit may fire at without an assault, the nearest first; 10.4.3.1 none against whom it
/// supports the fire of a friend, to which it can only add 1.
pub fn static_targets(t: &Table, id: &UnitId) -> Vec<UnitId> {
    let adds = |e: &UnitId, ground: &Shape| {
        let fights = |c: &Combat, friend: &UnitId| {
            (c.on == *e && c.lead == *friend) || (c.on == *friend && (c.lead == *e || c.support.contains(e)))
        };
        let fires = |f: &UnitId| t.combats.iter().any(|c| !c.old && fights(c, f)) && able_or_volleyed(t, f);
        t.unit(id)
            .is_some_and(|me| t.of_side(&me.side).any(|(f, _)| f != id && fires(f) && supports(t, (id, f), ground)))
    };
    t.enemies_of(id, |e, ground| in_arc(t, id, ground) && sight::sees(t, id, e).is_ok() && !adds(e, ground))
}

/// 10.1, 10.5 The ground before a unit's front: within 1/2 UM of it, between rays at 45 degrees outward from its corners.
pub fn in_arc(t: &Table, id: &UnitId, shape: &Shape) -> bool {
    let Some(unit) = t.unit(id) else { return false };
    if unit.form == Formation::Square {
        return t.shape(id).gap(shape).within(t.board.tables.ranges.musketry);
    }
    let (size, near) = (t.size(id), t.board.tables.ranges.musketry);
    if !edge_gap(t, id, shape, near) {
        return false;
    }
    let front = Stand { at: t.front(id), heading: unit.pose.facing };
    let wide = moved(front, unit.pose.facing, near);
    let corner = |stand: Stand, right: i32| stand.at.toward(unit.pose.facing.turned(90), right);
    let half = size.front / 2;
    let corners = [corner(front, -half), corner(front, half), corner(wide, half + near), corner(wide, -half - near)];
    Shape::hull(&corners).is_some_and(|arc| arc.meets(shape))
}

/// Whether a shape is within range of a unit's front edge.
fn edge_gap(t: &Table, id: &UnitId, shape: &Shape, near: i32) -> bool {
    let facing = t.unit(id).map_or(Heading::NORTH, |u| u.pose.facing);
    let half = t.size(id).front / 2;
    let corner = |right: i32| t.front(id).toward(facing.turned(90), right);
    let thin = t.front(id).toward(facing, -1);
    Shape::hull(&[corner(half), corner(-half), thin]).is_some_and(|front| front.gap(shape).within(near))
}

/// 10.4.3.1 Friends on a unit's flanks, in its formation, facing the enemy within range, in no other combat: 2 at most.
fn supporters(t: &Table, id: &UnitId, target: &UnitId) -> i32 {
    let Some(unit) = t.unit(id) else { return 0 };
    let shape = t.shape(target);
    let count = t.of_side(&unit.side).filter(|(o, _)| *o != id && supports(t, (o, id), &shape)).count();
    i32::try_from(count).unwrap_or(0).min(t.board.tables.fire.support_max)
}

/// 10.4.3.1 Whether a unit supports the fire of a friend at an enemy.
fn supports(t: &Table, (o, id): (&UnitId, &UnitId), enemy: &Shape) -> bool {
    let near = t.board.tables.ranges.musketry;
    let form = |id: &UnitId| t.unit(id).map(|u| u.form);
    let same_fight = t.combat_of(o).is_none_or(|c| Some(c) == t.combat_of(id));
    let beside = || t.face(id, t.centre(o)) == Face::Flank && t.gap(id, o).within(near);
    form(o) == form(id) && able_or_volleyed(t, o) && same_fight && in_arc(t, o, enemy) && beside()
}

fn able_or_volleyed(t: &Table, id: &UnitId) -> bool {
    t.arm(id) == Arm::Infantry && t.unit(id).is_some_and(|u| u.mood == Mood::Fit)
}

/// The target that orders name, or that the doctrine takes.
fn pick(cx: &mut Hand<'_>, id: &UnitId, options: Vec<UnitId>) -> Play<Option<UnitId>> {
    if options.is_empty() {
        return Ok(None);
    }
    let side = table(cx).side(id);
    let plan = cx.state().hidden.get(&side).and_then(|h| h.volleys.get(id)).cloned();
    if let Some(plan) = plan.filter(|p| options.contains(p)) {
        return Ok(Some(plan));
    }
    let seat = seat_of(cx, id);
    match ask(cx, &seat, Prompt::Volley { unit: id.clone(), options })? {
        Answer::Target(on, _) => Ok(Some(on)),
        _ => Ok(None),
    }
}

/// 5.4.2, 10.3, 10.6, 13.5.2 What a unit's muskets count against a target: its rating, less a lost step; half in column,
/// fractions up; doubled from a square against horse.
pub fn rating(t: &Table, id: &UnitId, target: &UnitId) -> i32 {
    let Some((spec, unit)) = t.spec(id).zip(t.unit(id)) else { return 0 };
    let own = (spec.fire - (2 - i32::from(unit.steps))).max(0);
    match unit.form {
        Formation::Column => (own + 1) / 2,
        Formation::Square if t.arm(target) == Arm::Cavalry => own * 2,
        _ => own,
    }
}

/// 10.3, 10.4.1, 10.4.2.1, 11.1 One roll of musketry, of one or of several together, applied at once. A-1: what French infantry adds, it adds to the rating; A-3: line
/// and square are the firer's.
fn roll(cx: &mut Hand<'_>, by: &[UnitId], on: &UnitId, how: How, support: i32) -> Play<Struck> {
    let t = table(cx);
    let (tables, fire) = (&t.board.tables, &t.board.tables.fire);
    let Some(lead) = by.first().cloned() else { return Ok(Struck::default()) };
    let plus = if super::retreat::french(t, &lead) { tables.french_musketry } else { 0 };
    let rating = by.iter().map(|b| rating(t, b, on)).sum::<i32>() + plus;
    let mut mods = Vec::new();
    add(&mut mods, "musketry", tables.band(rating));
    if t.unit(&lead).is_some_and(|u| matches!(u.form, Formation::Line | Formation::Square)) {
        add(&mut mods, "line or square", fire.line_or_square);
    }
    if how == How::Static {
        add(&mut mods, "static fire", fire.static_fire);
    }
    add(&mut mods, "support", support * fire.support_each);
    guns::cover(t, on, &mut mods);
    let from = t.centre(&lead);
    let die = d6(cx, "muskets", &lead);
    let total = die + sum(&mods);
    let fired = Fire { by: by.to_vec(), on: on.clone(), how, rating, mods, die, total };
    tell(cx, Fact::Fired { fire: fired });
    strike(cx, &Blow { on, total, from, cause: Cause::Fire, assault: how == How::Assault, ridden: false })
}

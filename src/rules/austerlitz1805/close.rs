//! 13.3-13.5, 13.9-13.14, 4.9 The Close Combat Phase.

use super::board::{Arm, Kind, Soil, UnitId};
use super::event::{Cause, End, Fact, Fought, Mod, Why};
use super::hands::{Hand, add, ask, d6, leave_combat, seat_of, stand, sum, table, tell};
use super::morale::{gone, reform};
use super::prompt::{Answer, Prompt};
use super::result::{Blow, overrun, strike};
use super::retreat;
use super::table::{Combat, Face, Formation, Mark, Mood, Pose, Table};
use super::tables::Back;
use super::terrain::{self, shelter};
use crate::fog::SideId;
use crate::plane::shape::Shape;
use crate::plane::walk::{moved, reach};
use crate::rules::Play;

/// 4.9, 13.1, 13.3 All combats of the side whose player-turn it is; in one that stays from before it is the attacker.
pub fn phase(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    turn_about(cx, side);
    crewless(cx, side)?;
    for combat in table(cx).combats.clone() {
        let Some(now) = table(cx).combats.iter().find(|c| c.on == combat.on).cloned() else { continue };
        if now.by != *side {
            continue;
        }
        let t = table(cx);
        if !t.touch(&now.lead, &now.on) {
            tell(cx, Fact::Ended { on: now.on });
            continue;
        }
        resolve(cx, &now)?;
    }
    Ok(())
}

/// 13.3 In an ongoing combat the attacker's role goes to the side now active: the defender leads against the leader.
fn turn_about(cx: &mut Hand<'_>, side: &SideId) {
    for combat in table(cx).combats.clone() {
        if combat.old && combat.by != *side {
            let turned = turned(table(cx), &combat, side);
            tell(cx, Fact::Ended { on: combat.on });
            tell(cx, Fact::Declared { combat: turned });
        }
    }
}

/// 13.3 An ongoing combat as a side attacks in it that was attacked before: who defended leads against who led.
pub fn turned(t: &Table, combat: &Combat, side: &SideId) -> Combat {
    let (on, lead) = (combat.lead.clone(), combat.on.clone());
    let face = t.struck_by(&on, &lead);
    Combat { by: side.clone(), on, lead, support: Vec::new(), charge: false, old: true, face, bonus: 0 }
}

/// 13.15.1.1.3, A-31 Guns without a crew next to an enemy are destroyed on 1-4, one die for each enemy unit in its own Close
/// Combat Phase.
fn crewless(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let t = table(cx);
    let left = |(_, u): &(&UnitId, &super::table::Unit)| u.has(Mark::Crewless) && u.side != *side;
    let guns: Vec<UnitId> = t.standing().filter(left).map(|(id, _)| id.clone()).collect();
    for battery in guns {
        leave_combat(cx, &battery);
        let t = table(cx);
        let near: Vec<UnitId> = t.of_side(side).map(|(id, _)| id.clone()).filter(|id| t.touch(id, &battery)).collect();
        for enemy in near {
            if table(cx).unit(&battery).is_some() && d6(cx, "spike", &enemy) <= 4 {
                let at = table(cx).centre(&battery);
                gone(cx, &battery, End::Guns, at)?;
            }
        }
    }
    Ok(())
}

/// 13.4-13.5 One combat: both roll, the lower side takes the difference on the table.
fn resolve(cx: &mut Hand<'_>, combat: &Combat) -> Play<()> {
    let t = table(cx);
    if t.arm(&combat.on) == Arm::Artillery && own(t, &combat.on) == 0 {
        // 13.15.1.2: its fire did not stop them.
        let won = combat.lead.clone();
        overrun(cx, &combat.on)?;
        return advance(cx, &won);
    }
    let attack = attack_mods(t, combat);
    let defence = defence_mods(t, combat);
    let dice = (d6(cx, "attack", &combat.lead), d6(cx, "defend", &combat.on));
    let totals = (dice.0 + sum(&attack), dice.1 + sum(&defence));
    let fought = Fought { lead: combat.lead.clone(), on: combat.on.clone(), attack, defence, dice, totals };
    tell(cx, Fact::Fought { fought });
    let stays = Combat { old: true, charge: false, bonus: 0, ..combat.clone() };
    tell(cx, Fact::Declared { combat: stays });
    if totals.0 >= totals.1 {
        attackers_win(cx, combat, totals.0 - totals.1)
    } else {
        defenders_win(cx, combat, totals.1 - totals.0)
    }
}

/// 13.11.4, 13.12.4 The defender takes the result; where he goes, the leader may advance.
fn attackers_win(cx: &mut Hand<'_>, combat: &Combat, total: i32) -> Play<()> {
    let t = table(cx);
    let from = t.centre(&combat.lead);
    let ridden = t.arm(&combat.lead) == Arm::Cavalry;
    let blow = Blow { on: &combat.on, total, from, cause: Cause::Combat, assault: false, ridden };
    let struck = strike(cx, &blow)?;
    if !struck.away {
        return Ok(());
    }
    leave_combat(cx, &combat.on);
    for winner in std::iter::once(&combat.lead).chain(&combat.support) {
        advance(cx, winner)?;
    }
    Ok(())
}

/// 13.13.1, 13.9 The leader takes the result, alone any lost step; if it goes back, all who attack with it do.
fn defenders_win(cx: &mut Hand<'_>, combat: &Combat, total: i32) -> Play<()> {
    let t = table(cx);
    let from = t.centre(&combat.on);
    // 13.12.4: horse annihilates whom it routs by an attack that it leads; here it defends.
    let blow = Blow { on: &combat.lead, total, from, cause: Cause::Combat, assault: false, ridden: false };
    let struck = strike(cx, &blow)?;
    if struck.away {
        leave_combat(cx, &combat.on);
        for support in &combat.support {
            retreat::back(cx, support, from, Back::Orderly)?;
        }
    }
    if combat.face != Face::Front && table(cx).unit(&combat.on).is_some() {
        reform(cx, &combat.on)?;
        // 13.1, 13.3: who touches nobody any more fights nobody.
        let t = table(cx);
        if !std::iter::once(&combat.lead).chain(&combat.support).any(|foe| t.touch(foe, &combat.on)) {
            leave_combat(cx, &combat.on);
        }
    }
    if struck.away {
        advance(cx, &combat.on)?;
    }
    Ok(())
}

/// 13.11.4, 13.11.5 A winner may go forward up to 1 UM, straight, and stays 1/2 UM from every enemy.
fn advance(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let t = table(cx);
    let Some(unit) = t.unit(id).cloned() else { return Ok(()) };
    let may = matches!(unit.mood, Mood::Fit) && matches!(t.arm(id), Arm::Infantry | Arm::Cavalry);
    let most = room_ahead(t, id, t.board.tables.moves.advance);
    if !may || most == 0 || unit.form == Formation::Square || t.combat_of(id).is_some() {
        return Ok(());
    }
    let seat = seat_of(cx, id);
    let answer = ask(cx, &seat, Prompt::Advance { unit: id.clone(), most })?;
    if let Answer::Units(units) = answer
        && units > 0
    {
        let far = room_ahead(table(cx), id, units.min(most));
        let to = Pose::of(moved(unit.pose.stand(), unit.pose.facing, far));
        stand(cx, id, Why::Advanced, to, unit.form, 0, &[]);
    }
    Ok(())
}

/// 3.1, 13.11.5, A-40 How far of so many units a winner may advance: 1/2 UM from every enemy, not from the loser alone, and
/// not off the map.
fn room_ahead(t: &Table, id: &UnitId, most: i32) -> i32 {
    let Some(unit) = t.unit(id) else { return 0 };
    let size = t.size(id);
    let (stand, way) = (unit.pose.stand(), unit.pose.facing);
    let others = t.others(id);
    let far = reach(stand, size, way, most, &others).units;
    let near = t.board.tables.ranges.musketry;
    let free = |far: &i32| {
        let there = Pose::of(moved(stand, way, *far));
        let block = Shape::block(there.stand(), size);
        let bars = |soil: Soil| !terrain::may_enter(t, id, soil);
        let ground = t.board.ground.areas.iter().any(|a| bars(a.soil) && a.shape.overlaps(&block));
        let mut foes = t.standing().filter(|(_, u)| u.side != unit.side);
        !ground
            && !terrain::outside(t, there.at.fine())
            && !foes.any(|(e, _)| t.shape(e).gap(&block).within(near - 1))
            && others.iter().all(|o| !o.overlaps(&block))
    };
    (1..=far).rev().find(free).unwrap_or(0)
}

/// 13.5.2, 13.15 A unit's combat modifier as printed, less a lost step.
pub fn own(t: &Table, id: &UnitId) -> i32 {
    let Some((spec, unit)) = t.spec(id).zip(t.unit(id)) else { return 0 };
    let two = matches!(spec.arm, Arm::Infantry | Arm::Cavalry);
    spec.combat - if two { 2 - i32::from(unit.steps) } else { 0 }
}

/// 12.6.1 What an attached HQ adds.
fn hq_bonus(t: &Table, id: &UnitId) -> i32 {
    let close = &t.board.tables.close;
    match t.hq_with(id).and_then(|hq| t.spec(hq)) {
        None => 0,
        Some(hq) if hq.army => close.army_hq,
        Some(_) => close.hq,
    }
}

/// 13.4, 14.1 The attacker's modifiers, all of them cumulative.
pub fn attack_mods(t: &Table, combat: &Combat) -> Vec<Mod> {
    let close = &t.board.tables.close;
    let (lead, on) = (&combat.lead, &combat.on);
    let mut mods = Vec::new();
    let horse = t.arm(lead) == Arm::Cavalry;
    let square = t.unit(on).is_some_and(|u| u.form == Formation::Square);
    let walls = matches!(shelter(t, on), Some(Soil::Settlement | Soil::Fortification));
    // 13.12.2: horse loses its own modifier against squares and walls.
    let ours = if horse && (square || walls) { 0 } else { own(t, lead) };
    let factor = if combat.charge { close.charge_factor } else { 1 };
    add(&mut mods, if combat.charge { "own, charging" } else { "own" }, ours * factor);
    add(&mut mods, "formation", formation_bonus(t, lead, on, walls));
    add(&mut mods, combat.face.word(), side_bonus(t, combat.face));
    add(&mut mods, "HQ", hq_bonus(t, lead));
    add(&mut mods, "support", i32::try_from(combat.support.len()).unwrap_or(0) * close.support_each);
    add(&mut mods, "musketry", combat.bonus);
    match t.unit(on).map(|u| u.mood) {
        Some(Mood::S) => add(&mut mods, "stunned", close.stunned),
        Some(Mood::D) => add(&mut mods, "disorganized", close.disorganized),
        Some(Mood::R) => add(&mut mods, "routed", close.routed),
        Some(Mood::Fit) | None => {}
    }
    if t.unit(lead).is_some_and(|u| u.has(Mark::Rage)) {
        add(&mut mods, "Blood Rage", close.rage);
    }
    if t.kind(lead) == Kind::Cossack && t.arm(on) == Arm::Infantry {
        add(&mut mods, "Cossacks", close.cossack_vs_infantry);
    }
    ground_mods(t, combat, &mut mods);
    mods
}

/// 14.1 What the side of the enemy is worth at which a unit attacks.
pub fn side_bonus(t: &Table, face: Face) -> i32 {
    match face {
        Face::Front => 0,
        Face::Flank => t.board.tables.close.flank,
        Face::Rear => t.board.tables.close.rear,
    }
}

/// 5.1, 13.12.2 What a formation is worth against another; A-2: a column has it in the sum of the example too.
fn formation_bonus(t: &Table, lead: &UnitId, on: &UnitId, walls: bool) -> i32 {
    let close = &t.board.tables.close;
    let (Some(ours), Some(theirs)) = (t.unit(lead).map(|u| u.form), t.unit(on).map(|u| u.form)) else { return 0 };
    match (t.arm(lead), ours) {
        (Arm::Infantry, Formation::Column) if theirs == Formation::Square || walls => close.column_vs_square_or_walls,
        (Arm::Infantry, Formation::Column) if theirs == Formation::Line => close.column_vs_line,
        (Arm::Infantry, Formation::Line) if theirs == Formation::Column => close.line_vs_column,
        (Arm::Cavalry, Formation::Line) if theirs != Formation::Square => close.cavalry_in_line,
        _ => 0,
    }
}

/// 15.1 What the ground takes from an attacker.
fn ground_mods(t: &Table, combat: &Combat, mods: &mut Vec<Mod>) {
    let close = &t.board.tables.close;
    match shelter(t, &combat.on) {
        Some(Soil::Woods) => add(mods, "woods", close.in_woods),
        Some(Soil::Settlement) => add(mods, "settlement", close.in_settlement),
        Some(Soil::Fortification) => add(mods, "fortification", close.in_fortification),
        Some(Soil::Pond) | None => {}
    }
    let (from, to) = (t.centre(&combat.lead), t.centre(&combat.on));
    if terrain::ford(t, from, to).is_some() {
        add(mods, "stream", close.across_stream);
    }
    let crests = t.board.ground.ways(super::board::Way::Crest);
    let crossed =
        crests.into_iter().any(|c| c.stretches().any(|(a, b)| terrain::meets((from, to), (a.fine(), b.fine()))));
    if crossed && !terrain::high(t, &t.shape(&combat.lead)) && terrain::high(t, &t.shape(&combat.on)) {
        add(mods, "uphill", close.uphill);
    }
}

/// 13.4, 5.4.3, 13.14 The defender's: his own modifier, nothing of it if taken in rear; A-41: all others count none the less,
/// with his HQ's, which is a part of the unit.
pub fn defence_mods(t: &Table, combat: &Combat) -> Vec<Mod> {
    let close = &t.board.tables.close;
    let on = &combat.on;
    let mut mods = Vec::new();
    if combat.face != Face::Rear {
        add(&mut mods, "own", own(t, on));
    }
    let unit = t.unit(on);
    if unit.is_some_and(|u| u.form == Formation::Square) {
        add(&mut mods, "square", close.square);
    }
    if unit.is_some_and(|u| u.has(Mark::Rage)) {
        add(&mut mods, "Blood Rage", close.rage);
    }
    add(&mut mods, "HQ", hq_bonus(t, on));
    // 13.13.4: those who were to support its attack, as far as they are in good order.
    let fit = |u: &&UnitId| t.unit(u).is_some_and(|u| u.mood == Mood::Fit);
    let backed = unit.filter(|u| u.mood == Mood::S).map_or(0, |u| u.backed.iter().filter(fit).count());
    add(&mut mods, "support", i32::try_from(backed).unwrap_or(0) * close.support_each);
    mods
}

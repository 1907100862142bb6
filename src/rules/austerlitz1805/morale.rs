//! 12 Morale: checks, states, rout and its neighbours, Blood Rage, HQs, rally.

use super::board::{Arm, UnitId};
use super::event::{Cause, Check, End, Fact, Why};
use super::hands::{Hand, ask, change_combat, leave_combat, mark, seat_of, table, tell};
use super::prompt::{Answer, Prompt};
use super::retreat;
use super::table::{Formation, Mark, Mood, Table};
use super::tables::Back;
use crate::dice::Label;
use crate::fog::SideId;
use crate::plane::Fine;
use crate::rules::Play;

/// What came of a check.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// Passed.
    pub passed: bool,
    /// By how much the roll exceeded what was needed.
    pub excess: i32,
    /// 12.8 Double 6.
    pub catastrophe: bool,
}

/// 12.2, 12.2.1, 12.2.1.1, 12.6, 12.6.1, 12.9, 13.5.2 The morale of a unit now: its own, less a lost step; or its attached HQ's; one more
/// in reach of a better HQ; two more in Blood Rage.
pub fn rating(t: &Table, id: &UnitId) -> i32 {
    let Some((spec, unit)) = t.spec(id).zip(t.unit(id)) else { return 0 };
    let two = matches!(spec.arm, Arm::Infantry | Arm::Cavalry);
    let lost = if two && !spec.elite { 2 - i32::from(unit.steps) } else { 0 };
    let own = spec.morale - lost;
    let rage = if unit.has(Mark::Rage) { t.board.tables.close.rage } else { 0 };
    if let Some(hq) = t.hq_with(id).and_then(|hq| t.spec(hq)) {
        return hq.morale + rage;
    }
    let near = t.board.tables.ranges.hq;
    let mut hqs = t.units.iter().filter(|(hq, u)| u.side == unit.side && t.arm(hq) == Arm::Hq && *hq != id);
    let led = hqs.any(|(hq, _)| t.gap(id, hq).within(near) && t.spec(hq).is_some_and(|s| s.morale > own));
    own + i32::from(led) + rage
}

/// 12.4, 12.7 A check: 2d6 at or under what is needed; A-14: it fails by what exceeds that, its modifier counted.
pub fn check(cx: &mut Hand<'_>, id: &UnitId, why: Cause, modifier: i32) -> Checked {
    let need = rating(table(cx), id) + modifier;
    let dice = cx.roll(&Label::public("check").at(id).step(why.word()), 2, 6);
    let roll = dice.iter().map(|d| i32::try_from(*d).unwrap_or(0)).sum::<i32>();
    // 12.8, 12.9: the doubles tell more than the sum.
    let passed = roll == 2 || (roll <= need && roll != 12);
    tell(cx, Fact::Checked { check: Check { unit: id.clone(), why, need, roll, passed } });
    if roll == 2 {
        rage(cx, id);
    }
    Checked { passed, excess: (roll - need).max(0), catastrophe: roll == 12 }
}

/// 12.9, 12.9.3 A double 1 rallies a unit from any state; all but guns rage.
fn rage(cx: &mut Hand<'_>, id: &UnitId) {
    set_mood(cx, id, Mood::Fit);
    if matches!(table(cx).arm(id), Arm::Infantry | Arm::Cavalry) {
        mark(cx, id, Mark::Rage, true);
    }
}

/// 12.5 A unit is in exactly one state; 12.9.7 any worse one ends Blood Rage.
pub fn set_mood(cx: &mut Hand<'_>, id: &UnitId, mood: Mood) {
    if table(cx).unit(id).is_some_and(|u| u.mood != mood) {
        tell(cx, Fact::Mood { unit: id.clone(), mood });
    }
    if mood != Mood::Fit {
        mark(cx, id, Mark::Rage, false);
    }
}

/// 12.11 Failures add up: `None` where the unit is eliminated.
pub fn worse(now: Mood, fail: Mood) -> Option<Mood> {
    if now < fail {
        return Some(fail);
    }
    match now {
        Mood::Fit | Mood::S => Some(Mood::D),
        Mood::D => Some(Mood::R),
        Mood::R => None,
    }
}

/// 12.11 A unit falls into a state, or a worse one; routed it flees (12.5.3). Says whether it is still on the field.
pub fn fall(cx: &mut Hand<'_>, id: &UnitId, fail: Mood, from: Fine) -> Play<bool> {
    let Some(now) = table(cx).unit(id).map(|u| u.mood) else { return Ok(false) };
    match worse(now, fail) {
        None => gone(cx, id, End::Morale, from)?,
        Some(Mood::R) => rout(cx, id, from)?,
        Some(mood) => set_mood(cx, id, mood),
    }
    Ok(table(cx).unit(id).is_some())
}

/// 12.1, 12.5.3, 12.8 A unit routs: it flees, and friends nearby check, who may rout in their turn.
pub fn rout(cx: &mut Hand<'_>, id: &UnitId, from: Fine) -> Play<()> {
    if table(cx).unit(id).is_some_and(|u| u.mood == Mood::R) {
        return gone(cx, id, End::Morale, from);
    }
    let near = at_ease(table(cx), id);
    set_mood(cx, id, Mood::R);
    leave_combat(cx, id);
    retreat::back(cx, id, from, Back::Rout)?;
    shock(cx, id, &near, from)
}

/// 12.7.2 Friends within 1 UM, the nearest first; guns are never among them (12.7.2.5), and nobody is for guns (12.7.2.4).
pub fn neighbours(t: &Table, id: &UnitId) -> Vec<UnitId> {
    if t.arm(id) == Arm::Artillery {
        return Vec::new();
    }
    let side = t.side(id);
    let near = t.board.tables.ranges.neighbours;
    let mut found: Vec<_> = t
        .of_side(&side)
        .filter(|(n, _)| *n != id && t.arm(n) != Arm::Artillery)
        .map(|(n, _)| (t.gap(id, n), n.clone()))
        .filter(|(gap, _)| gap.within(near))
        .collect();
    found.sort();
    found.into_iter().map(|(_, n)| n).collect()
}

/// 12.7.2.2 Friends nearby but those who fight, as they do while the unit stands beside them: its supporters, too.
fn at_ease(t: &Table, id: &UnitId) -> Vec<UnitId> {
    neighbours(t, id).into_iter().filter(|friend| t.combat_of(friend).is_none()).collect()
}

/// 12.7.2-12.7.2.3, 12.9.6 Friends check, unless they fight or rage: by 1 failed they are disorganized, by more they rout; who passes holds or goes back.
pub fn shock(cx: &mut Hand<'_>, friend: &UnitId, near: &[UnitId], from: Fine) -> Play<()> {
    for id in near {
        let t = table(cx);
        let Some(unit) = t.unit(id) else { continue };
        if unit.has(Mark::Rage) || t.combat_of(id).is_some() || unit.steadied.contains(friend) {
            continue;
        }
        let checked = check(cx, id, Cause::Friend, 0);
        // 12.7.2.3, 13.12.4.1: once for each friend, whatever comes of it.
        tell(cx, Fact::Steadied { unit: id.clone(), friend: friend.clone() });
        if checked.passed {
            let seat = seat_of(cx, id);
            if ask(cx, &seat, Prompt::Neighbour { unit: id.clone() })? == Answer::Word("RETREAT") {
                retreat::back(cx, id, from, Back::Orderly)?;
            }
        } else if checked.catastrophe {
            rout(cx, id, from)?;
        } else {
            fall(cx, id, if checked.excess > 1 { Mood::R } else { Mood::D }, from)?;
        }
    }
    Ok(())
}

/// 7.1, 12.6.3, 12.7.2, 17.1.4 A unit is out of the game, and an HQ with it; friends nearby check.
pub fn gone(cx: &mut Hand<'_>, id: &UnitId, why: End, from: Fine) -> Play<()> {
    // What its own end has set off may have ended it already.
    let left = remove(cx, id, why);
    bereaved(cx, id, &left, from)
}

/// Who is shaken when a unit has gone.
#[derive(Clone, Debug, Default)]
pub struct Bereaved {
    /// 12.7.2 Friends nearby.
    friends: Vec<UnitId>,
    /// 12.6.3 Units whose HQ it was.
    led: Vec<UnitId>,
}

/// 7.1, 17.1.4 A unit is out of the game, and an HQ with it; `bereaved` says what that does to others.
pub fn remove(cx: &mut Hand<'_>, id: &UnitId, why: End) -> Bereaved {
    if table(cx).unit(id).is_none() {
        return Bereaved::default();
    }
    let friends = at_ease(table(cx), id);
    let hq = table(cx).hq_with(id).cloned();
    let led = hq.as_ref().or(Some(id)).map(|hq| led(table(cx), hq)).unwrap_or_default();
    leave_combat(cx, id);
    tell(cx, Fact::Gone { unit: id.clone(), why });
    if let Some(hq) = &hq {
        tell(cx, Fact::Gone { unit: hq.clone(), why: End::WithUnit });
    }
    Bereaved { friends, led }
}

/// 12.6.3, 12.7.2 What the end of a unit does to those near it. EX.2: the guns of a crew that stayed shake nobody.
pub fn bereaved(cx: &mut Hand<'_>, id: &UnitId, left: &Bereaved, from: Fine) -> Play<()> {
    shock(cx, id, &left.friends, from)?;
    leaderless(cx, &left.led)
}

/// 12.6.3 The units of a corps HQ within 2 UM.
fn led(t: &Table, hq: &UnitId) -> Vec<UnitId> {
    let Some(spec) = t.spec(hq).filter(|s| s.arm == Arm::Hq && !s.army) else { return Vec::new() };
    let near = t.board.tables.ranges.hq_loss;
    let of_corps = |id: &UnitId| t.spec(id).is_some_and(|s| s.corps == spec.corps);
    t.of_side(&spec.side)
        .filter(|(id, _)| *id != hq && of_corps(id) && t.gap(id, hq).within(near))
        .map(|(id, _)| id.clone())
        .collect()
}

/// 12.6.3 The HQ fell: who fails goes back toward its own edge until it passes.
fn leaderless(cx: &mut Hand<'_>, near: &[UnitId]) -> Play<()> {
    for id in near {
        if table(cx).unit(id).is_none() || check(cx, id, Cause::HqLost, 0).passed {
            continue;
        }
        mark(cx, id, Mark::Leaderless, true);
        homeward(cx, id)?;
    }
    Ok(())
}

/// 12.6.3 One UM toward the own edge of the map, in order.
pub fn homeward(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let t = table(cx);
    let edge = t.board.side(&t.side(id)).map_or(crate::plane::Heading::NORTH, |s| s.edge);
    let from = t.centre(id).toward(edge.turned(180), crate::plane::UM);
    retreat::back(cx, id, from, Back::Orderly)
}

/// 4.3, 12.10, 12.9 The Rally Phase of a side: markers come off; D and R units check, and failures do not worsen them
/// (12.11.1); 12.5.3.2 a double 6 removes a routed unit. A-10: each side takes off its own Stun and Blood Rage.
pub fn rally(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let ids: Vec<UnitId> = table(cx).units.iter().filter(|(_, u)| u.side == *side).map(|(id, _)| id.clone()).collect();
    recovery(cx, &ids)?;
    // 19.4: who comes back now keeps its Stun marker until the next Rally.
    super::alternate::returns(cx, side)
}

fn recovery(cx: &mut Hand<'_>, ids: &[UnitId]) -> Play<()> {
    for id in ids {
        let Some(unit) = table(cx).unit(id).cloned() else { continue };
        mark(cx, id, Mark::Rage, false);
        if unit.has(Mark::Empty1) {
            mark(cx, id, Mark::Empty1, false);
        }
        if unit.has(Mark::Empty2) {
            mark(cx, id, Mark::Empty2, false);
            mark(cx, id, Mark::Empty1, true);
        }
        match unit.mood {
            Mood::Fit => {}
            Mood::S => set_mood(cx, id, Mood::Fit),
            Mood::D | Mood::R => recover(cx, id, unit.mood)?,
        }
        if unit.has(Mark::Leaderless)
            && matches!(unit.mood, Mood::Fit | Mood::S)
            && check(cx, id, Cause::Rally, 0).passed
        {
            mark(cx, id, Mark::Leaderless, false);
        }
    }
    Ok(())
}

/// 12.10, 12.10.1, 12.5.3.2 A disorganized or routed unit tries to recover one state.
fn recover(cx: &mut Hand<'_>, id: &UnitId, mood: Mood) -> Play<()> {
    let checked = check(cx, id, Cause::Rally, 0);
    if checked.catastrophe && mood == Mood::R {
        let at = table(cx).centre(id);
        return gone(cx, id, End::LostHeart, at);
    }
    if checked.catastrophe {
        // 12.8 holds for every check, whatever its cause; it flees from the nearest enemy.
        let from = danger(table(cx), id);
        return rout(cx, id, from);
    }
    if !checked.passed {
        return Ok(());
    }
    mark(cx, id, Mark::Leaderless, false);
    let rallied = if table(cx).unit(id).is_some_and(|u| u.mood == Mood::Fit) { Mood::Fit } else { next(mood) };
    set_mood(cx, id, rallied);
    if mood == Mood::R { reform(cx, id) } else { Ok(()) }
}

/// One state better.
fn next(mood: Mood) -> Mood {
    if mood == Mood::R { Mood::D } else { Mood::S }
}

/// The place of the nearest enemy, or the unit's own front.
pub fn danger(t: &Table, id: &UnitId) -> Fine {
    t.nearest_enemy(id).map_or_else(|| t.front(id), |e| t.centre(&e))
}

/// 12.10.1, 13.9 Any formation and facing, as the owner likes and the ground allows.
pub fn reform(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    if table(cx).unit(id).is_none_or(|u| u.form == Formation::Staff) {
        return Ok(());
    }
    let seat = seat_of(cx, id);
    let Answer::Form(form, facing) = ask(cx, &seat, Prompt::Reform { unit: id.clone() })? else { return Ok(()) };
    let t = table(cx);
    let Some(unit) = t.unit(id).cloned() else { return Ok(()) };
    let pose = super::table::Pose { at: unit.pose.at, facing };
    if (pose, form) != (unit.pose, unit.form) && super::moves::room_for(t, id, pose, form).is_ok() {
        super::hands::stand(cx, id, Why::Reformed, pose, form, 0, &[]);
    }
    Ok(())
}

/// 13.13.5 A supporter takes no part any more.
pub fn drop_supporter(cx: &mut Hand<'_>, id: &UnitId) {
    for combat in table(cx).combats.clone() {
        if combat.support.contains(id) {
            let support = combat.support.iter().filter(|s| *s != id).cloned().collect();
            change_combat(cx, super::table::Combat { support, ..combat });
        }
    }
}

impl Cause {
    /// As a roll's label writes it.
    pub fn word(self) -> &'static str {
        match self {
            Cause::Rally => "rally",
            Cause::Disengage => "disengage",
            Cause::Fire => "fire",
            Cause::Combat => "combat",
            Cause::Charge => "charge",
            Cause::Square => "square",
            Cause::Withdraw => "withdraw",
            Cause::Friend => "friend",
            Cause::HqLost => "hq-lost",
        }
    }
}

/// 13.12.4.1 Cavalry led the attack that routed a unit: friends check once, for elimination.
pub fn annihilate(cx: &mut Hand<'_>, id: &UnitId, from: Fine) -> Play<()> {
    gone(cx, id, End::Harassed, from)
}

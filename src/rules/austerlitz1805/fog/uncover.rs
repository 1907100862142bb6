//! 16.4.2.7-16.4.2.8.1 Chits turned over, and their units deployed.

use super::super::board::{Arm, UnitId};
use super::super::event::Fact;
use super::super::hands::{Hand, ask, mark, table, tell};
use super::super::load::default_form;
use super::super::mist::{Boxed, Chit, ChitId};
use super::super::prompt::{Answer, Prompt};
use super::super::solo;
use super::super::strategic::waiting;
use super::super::table::{Formation, Mark, Pose, Table};
use super::deploy::{Bounds, Member, Party, settle};
use super::hidden;
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::near::{Gap, apart};
use crate::plane::{Heading, Spot, UM};
use crate::rules::Play;
use std::collections::BTreeMap;

/// 16.4.2.8 Units that come down with an enemy so near come ready to fight, the others ready to march.
const NEAR: i32 = 5 * UM / 2;

/// A chit that has been turned over and whose units are not deployed yet.
struct Opened {
    id: ChitId,
    chit: Chit,
    boxed: Boxed,
}

/// 16.4.2.7, A-19 Whatever chit is within the range of detection of an enemy unit or chit is uncovered, again and again
/// until none is; `mover` is the chit that has just moved.
pub fn detect(cx: &mut Hand<'_>, mover: Option<&ChitId>) -> Play<()> {
    loop {
        let t = table(cx);
        let Some(range) = t.sight else { return Ok(()) };
        let seen = |c: &Chit| t.enemy_within(&c.side, &t.chit_shape(c.at), range);
        let near: Vec<ChitId> = t.mist.chits.iter().filter(|(_, c)| seen(c)).map(|(id, _)| id.clone()).collect();
        if near.is_empty() {
            return Ok(());
        }
        open(cx, &near, mover)?;
    }
}

/// A-21 The fog is gone: all chits are uncovered where they lie.
pub fn everything(cx: &mut Hand<'_>) -> Play<()> {
    let all: Vec<ChitId> = table(cx).mist.chits.keys().cloned().collect();
    let opened = all.iter().filter_map(|id| turn_over(cx, id, true)).collect();
    out(cx, opened, None)
}

/// 16.4.2.7, 16.4.2.8 Chits are turned over together; decoys go, and the others' units are deployed. What met a decoy on
/// its way may not move on.
fn open(cx: &mut Hand<'_>, ids: &[ChitId], mover: Option<&ChitId>) -> Play<()> {
    let mut opened = Vec::new();
    for id in ids {
        opened.extend(turn_over(cx, id, false));
    }
    out(cx, opened, mover)
}

/// 16.4.2.7, 16.4.2.8 What chits held that have been turned over together is deployed, all at once.
fn out(cx: &mut Hand<'_>, opened: Vec<Opened>, mover: Option<&ChitId>) -> Play<()> {
    let deceived = opened.iter().any(|o| o.boxed.units.is_empty() && Some(&o.id) != mover);
    let misled: Vec<UnitId> = match opened.iter().find(|o| Some(&o.id) == mover).filter(|_| deceived) {
        Some(own) => own.boxed.units.clone(),
        None => Vec::new(),
    };
    deploy(cx, opened, true)?;
    misled.iter().for_each(|unit| mark(cx, unit, Mark::Deceived, true));
    super::assault(cx);
    Ok(())
}

/// 16.4.2.7 One chit is turned over for both to see; 17.1.1.6, A-32 what it passed with units in it is settled now. 24.6.3 What
/// a discovered chit of a side that the solo rules lead shows is rolled for, but not when the fog is gone.
fn turn_over(cx: &mut Hand<'_>, id: &ChitId, clear: bool) -> Option<Opened> {
    let chit = table(cx).chit(id).cloned()?;
    let mut boxed = hidden(cx, &chit.side).boxes.values().find(|b| b.chit == *id).cloned()?;
    if !clear && solo::drive::leads(cx, &chit.side) {
        boxed.units = solo::drive::draw(cx, &chit.side, id)?;
    }
    let mut units = boxed.units.clone();
    units.sort();
    tell(cx, Fact::Uncovered { chit: id.clone(), side: chit.side.clone(), at: chit.at, units });
    for (place, when) in boxed.passed.iter().filter(|_| !boxed.units.is_empty()) {
        let t = table(cx);
        let later = t.mist.since.get(place).is_none_or(|since| when >= since);
        if later && t.control.get(place) != Some(&chit.side) {
            tell(cx, Fact::Control { place: place.clone(), side: chit.side.clone() });
        }
    }
    Some(Opened { id: id.clone(), chit, boxed })
}

/// 16.4.2.8, 16.4.2.8.1 The units of chits are deployed round their places, infantry and cavalry first, guns behind them,
/// an HQ with the best of them. Their owners say how; then all come down together, of each side those first who are nearest
/// to the enemy. `apart`: with room to the side's others.
fn deploy(cx: &mut Hand<'_>, opened: Vec<Opened>, apart: bool) -> Play<()> {
    let places: Vec<(SideId, Spot)> = opened.iter().map(|o| (o.chit.side.clone(), o.chit.at)).collect();
    let mut parties: Vec<(Gap, Opened, Party)> = Vec::new();
    for one in opened {
        let t = table(cx);
        let (gap, facing) = (danger(t, &one.chit, &places), front(t, &one.chit, &places));
        let mut party = Party::new(&one.chit.side, one.chit.at, facing, Bounds::Map);
        if !apart {
            party.margin = 0;
        }
        let berths = berths(cx, &one, facing, gap.is_some_and(|(gap, _)| gap.within(NEAR)))?;
        if let Some((_, _, way, _)) = berths.first() {
            party.facing = *way;
        }
        party.berths(table(cx), berths);
        let gap = gap.map_or(one_side(table(cx)), |(gap, _)| gap);
        parties.push((gap, one, party));
    }
    parties.sort_by(|(a, x, _), (b, y, _)| (a, &x.id).cmp(&(b, &y.id)));
    let (opened, parties): (Vec<Opened>, Vec<Party>) = parties.into_iter().map(|(_, one, party)| (one, party)).unzip();
    let poses = settle(table(cx), &parties);
    for one in &opened {
        come_out(cx, one, &poses);
    }
    Ok(())
}

/// No enemy at all is as far off as can be.
fn one_side(t: &Table) -> Gap {
    let ground = &t.board.ground;
    apart(Spot::new(0, 0).fine(), Spot::new(ground.width, ground.height).fine())
}

/// 16.4.2.8, 16.4.2.8.1 Formation, front and berth of each unit of a chit but HQs, as its owner says.
fn berths(
    cx: &mut Hand<'_>,
    opened: &Opened,
    facing: Heading,
    near: bool,
) -> Play<Vec<(UnitId, Formation, Heading, &'static str)>> {
    let Opened { id: _, chit, boxed } = opened;
    let t = table(cx);
    let mut units: Vec<UnitId> = boxed.units.iter().filter(|u| t.arm(u) != Arm::Hq).cloned().collect();
    units.sort_by_key(|u| (t.arm(u), u.clone()));
    let mut berths = Vec::new();
    for unit in units {
        let t = table(cx);
        let forms = forms(t, &unit, chit.spent > 0, near);
        let (first, berth) = (berths.is_empty(), berth(t, &unit, berths.is_empty()));
        let prompt = Prompt::Deploy { unit: unit.clone(), forms, facing, berth, beside: (!first).then_some(chit.at) };
        let seat = cx.seat_of(&chit.side);
        let Answer::Berth(form, way, berth) = ask(cx, &seat, prompt)? else { continue };
        berths.push((unit, form, way, berth));
    }
    Ok(berths)
}

/// 16.4.2.8 The units of one chit stand where there was room for them; HQs with the best of them, one each (7.1).
fn come_out(cx: &mut Hand<'_>, opened: &Opened, poses: &[(Member, Pose)]) {
    let Opened { id: _, chit, boxed } = opened;
    let mine: Vec<&(Member, Pose)> = poses.iter().filter(|(m, _)| boxed.units.contains(&m.unit)).collect();
    for (member, pose) in &mine {
        let (unit, form) = (member.unit.clone(), member.form);
        let spent = allowance(table(cx), &unit) * chit.spent / table(cx).board.tables.moves.chit.max(1);
        tell(cx, Fact::Deployed { unit, with: None, pose: *pose, form, spent });
    }
    let staff: Vec<UnitId> = boxed.units.iter().filter(|u| table(cx).arm(u) == Arm::Hq).cloned().collect();
    let facing = mine.first().map_or(Heading::NORTH, |(_, pose)| pose.facing);
    attached(cx, staff, &mine.iter().map(|(m, _)| m.unit.clone()).collect::<Vec<_>>(), Pose { at: chit.at, facing });
}

/// 16.4.2.8, 7.1 HQs come down with the best of those beside whom they come, one with each.
fn attached(cx: &mut Hand<'_>, staff: Vec<UnitId>, with: &[UnitId], alone: Pose) {
    for hq in staff {
        let t = table(cx);
        let free = with.iter().filter(|u| t.unit(u).is_some() && t.hq_with(u).is_none());
        let best = free.min_by_key(|u| (t.arm(u), (*u).clone())).cloned();
        let pose = best.as_ref().and_then(|u| t.unit(u)).map_or(alone, |u| u.pose);
        tell(cx, Fact::Deployed { unit: hq, with: best, pose, form: default_form(Arm::Hq), spent: 0 });
    }
}

/// A-21, 16.4.2.5 In clear weather nobody is left on the strategic maps: what found no box comes down in its corps' area, in
/// column or limbered, as one formation, 3 UM or more from the enemy; where that area has no room, elsewhere behind it.
pub fn muster(cx: &mut Hand<'_>) {
    let sides: Vec<SideId> = table(cx).board.sides.iter().map(|s| s.id.clone()).collect();
    let mut parties: Vec<Party> = Vec::new();
    let mut corps: Vec<(Vec<UnitId>, Pose)> = Vec::new();
    for side in sides {
        let (t, own) = (table(cx), hidden(cx, &side));
        let mut left: BTreeMap<String, Vec<UnitId>> = BTreeMap::new();
        for (unit, corps) in waiting(t, own, &side) {
            left.entry(corps).or_default().push(unit);
        }
        let facing = t.board.side(&side).map_or(Heading::NORTH, |s| s.edge.turned(180));
        for (name, units) in left {
            let Some(zone) = own.corps.get(&name).and_then(|z| t.board.zone(z)) else { continue };
            let at = super::boxes::middle(zone);
            let mut party = Party::new(&side, at, facing, Bounds::Area(zone.id.clone(), t.board.tables.fog.apart));
            let of = |arms: &[Arm], form: Formation| {
                let found = units.iter().filter(|u| arms.contains(&t.arm(u)));
                let mut found: Vec<(UnitId, Formation)> = found.map(|u| (u.clone(), form)).collect();
                found.sort_by_key(|(u, _)| (t.arm(u), u.clone()));
                found
            };
            let troops = of(&[Arm::Infantry, Arm::Cavalry], Formation::Column);
            party.rows(t, &troops, &of(&[Arm::Artillery], Formation::Limbered));
            let staff = of(&[Arm::Hq], default_form(Arm::Hq));
            if party.members.is_empty() {
                party.rows(t, &staff, &[]);
            } else {
                corps.push((units, Pose { at, facing }));
            }
            parties.push(party);
        }
    }
    for (member, pose) in settle(table(cx), &parties) {
        let Member { unit, form, .. } = member;
        tell(cx, Fact::Deployed { unit, with: None, pose, form, spent: 0 });
    }
    for (units, alone) in corps {
        let t = table(cx);
        let staff = units.iter().filter(|u| t.arm(u) == Arm::Hq).cloned().collect();
        attached(cx, staff, &units, alone);
    }
}

/// The nearest enemy unit or chit, those turned over at the same time among them: how far, and where.
fn danger(t: &Table, chit: &Chit, places: &[(SideId, Spot)]) -> Option<(Gap, Spot)> {
    let shape = t.chit_shape(chit.at);
    let units = t.standing().filter(|(_, u)| u.side != chit.side);
    let units = units.map(|(id, u)| (t.shape(id).gap(&shape), u.pose.at));
    let chits = t.mist.chits.values().map(|c| (&c.side, c.at)).chain(places.iter().map(|(s, at)| (s, *at)));
    let chits = chits.filter(|(s, _)| **s != chit.side).map(|(_, at)| (t.chit_shape(at).gap(&shape), at));
    units.chain(chits).min()
}

/// The way to the nearest enemy, or away from the own edge.
fn front(t: &Table, chit: &Chit, places: &[(SideId, Spot)]) -> Heading {
    let way = danger(t, chit, places).and_then(|(_, at)| Heading::between(chit.at.fine(), at.fine()));
    way.unwrap_or_else(|| t.board.side(&chit.side).map_or(Heading::NORTH, |s| s.edge.turned(180)))
}

/// 16.4.2.8.1 Formations of a unit out of a chit, the one that serves it first: line and guns ready where an enemy is near,
/// column and limbered elsewhere. Guns of a chit that has moved are limbered.
fn forms(t: &Table, unit: &UnitId, moving: bool, near: bool) -> Vec<Formation> {
    let mut forms = match t.arm(unit) {
        Arm::Infantry | Arm::Cavalry => vec![Formation::Line, Formation::Column],
        Arm::Artillery if moving => vec![Formation::Limbered],
        Arm::Artillery => vec![Formation::Unlimbered, Formation::Limbered],
        Arm::Hq => vec![Formation::Staff],
    };
    if !near {
        forms.reverse();
    }
    forms
}

/// The usual place of a unit among those of its chit.
fn berth(t: &Table, unit: &UnitId, first: bool) -> &'static str {
    match t.arm(unit) {
        _ if first => "CENTRE",
        Arm::Artillery => "REAR",
        _ => "RIGHT",
    }
}

/// 6.2 The whole allowance of a unit that is not on the field yet.
fn allowance(t: &Table, unit: &UnitId) -> i32 {
    let moves = &t.board.tables.moves;
    match (t.arm(unit), t.kind(unit)) {
        (Arm::Infantry, _) => moves.infantry,
        (Arm::Cavalry, _) => moves.cavalry,
        (Arm::Artillery, super::super::board::Kind::Horse) => moves.horse_artillery,
        (Arm::Artillery, _) => moves.foot_artillery,
        (Arm::Hq, _) => moves.hq,
    }
}

/// 16.4.2.8 Whether a side may turn one of its chits over.
///
/// # Errors
/// Why not.
pub fn may_open(own: &super::super::state::Hidden, number: u8) -> Result<ChitId, Fault> {
    let found = own.boxes.get(&number).map(|b| b.chit.clone());
    found.ok_or_else(|| Fault::refused(format!("you have no chit {number} on the map"), "16.4.2.8"))
}

/// 16.4.2.8 DEPLOY: a side turns a chit of its own over.
pub fn by_choice(cx: &mut Hand<'_>, side: &SideId, number: u8) -> Play<()> {
    match may_open(hidden(cx, side), number) {
        Ok(id) => {
            open(cx, &[id], None)?;
            detect(cx, None)
        }
        Err(fault) => {
            cx.outcome(fault.into());
            Ok(())
        }
    }
}

/// 13.11.1.1 A unit that goes back meets a chit: it is uncovered at once. Says whom of its own it steps on: the infantry,
/// or the cavalry; of two the owner chooses; guns and decoys let it pass.
pub fn stepped_on(cx: &mut Hand<'_>, id: &UnitId, chit: &ChitId) -> Play<Option<UnitId>> {
    let own = table(cx).chit(chit).is_some_and(|c| c.side == table(cx).side(id));
    let held = |cx: &Hand<'_>| {
        let side = table(cx).chit(chit).map(|c| c.side.clone());
        let boxes = side.map(|s| hidden(cx, &s).boxes.clone()).unwrap_or_default();
        boxes.into_values().find(|b| b.chit == *chit).map(|b| b.units).unwrap_or_default()
    };
    let units = held(cx);
    // Its units come down where it lies, beside whoever has met them.
    let opened: Vec<Opened> = turn_over(cx, chit, false).into_iter().collect();
    deploy(cx, opened, false)?;
    super::assault(cx);
    if !own {
        return Ok(None);
    }
    let t = table(cx);
    let of = |arm: Arm| units.iter().filter(|u| t.arm(u) == arm && t.unit(u).is_some()).cloned().collect::<Vec<_>>();
    let worth = |u: &UnitId| (t.unit(u).map_or(0, |x| x.steps), t.spec(u).map_or(0, |s| s.combat));
    if let Some(largest) = of(Arm::Infantry).into_iter().max_by_key(worth) {
        return Ok(Some(largest));
    }
    let mut horse = of(Arm::Cavalry);
    horse.sort_by_key(|u| (t.spec(u).map_or(0, |s| s.combat), u.clone()));
    match horse.as_slice() {
        [_, _, ..] => {
            let seat = super::super::hands::seat_of(cx, id);
            match ask(cx, &seat, Prompt::Stepped { unit: id.clone(), options: horse })? {
                Answer::Target(unit, _) => Ok(Some(unit)),
                _ => Ok(None),
            }
        }
        one => Ok(one.first().cloned()),
    }
}

/// 16.4.2.7 After a unit has moved: chits in reach are uncovered, and if one was a decoy the unit may not move on.
pub fn after_move(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let side = table(cx).side(id);
    let before = decoys_of_others(cx, &side);
    detect(cx, None)?;
    if decoys_of_others(cx, &side) != before && table(cx).unit(id).is_some() {
        mark(cx, id, Mark::Deceived, true);
    }
    super::assault(cx);
    Ok(())
}

/// Enemy decoys uncovered so far.
fn decoys_of_others(cx: &Hand<'_>, side: &SideId) -> usize {
    cx.state().hidden.iter().filter(|(s, _)| *s != side).map(|(_, own)| own.decoys_spent).sum()
}

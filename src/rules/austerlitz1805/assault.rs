//! 13.1-13.2, 13.8, 13.12, 13.15.1, 5.4.5, 4.6.1 Attacks and charges: the way to contact, and what the enemy does about it.

use super::approach::{self, How, Onset, Part, approach, gallop};
use super::board::{Arm, Kind, Soil, UnitId};
use super::close;
use super::event::{Cause, End, Fact, Why};
use super::hands::{Hand, ask, mark, seat_of, stand, table, tell};
use super::hasty::{Tried, try_square};
use super::morale::{check, gone, rout, set_mood};
use super::moves::{self, Trace, Walk};
use super::prompt::{Answer, Prompt};
use super::result::overrun;
use super::retreat::way_back;
use super::sight;
use super::table::{Combat, Face, Formation, Mark, Mood, Pose, Table};
use super::terrain;
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::UM;
use crate::plane::shape::Shape;
use crate::rules::{Outcome, Play};

/// 12.9.1 Who may attack whom: a raging unit its nearest enemy alone.
///
/// # Errors
/// Why not.
pub fn may_attack(t: &Table, side: &SideId, id: &UnitId, on: &UnitId) -> Result<(), Fault> {
    able(t, side, id, on)?;
    if fury(t, side, id).as_ref() == Some(on) { Ok(()) } else { calm(t, side, id) }
}

/// 5.4.4, 12.5, 13.2, 13.7, 21.3, 21.4 Who may attack, were he calm.
fn able(t: &Table, side: &SideId, id: &UnitId, on: &UnitId) -> Result<(), Fault> {
    moves::may_act(t, side, id)?;
    let Some(unit) = t.unit(id) else { return Err(Fault::refused(format!("{id} is not on the field"), "")) };
    let not = |why: &str, rule: &str| Err(Fault::refused(format!("{id} {why}"), rule));
    if t.unit(on).is_none_or(|u| u.side == *side) {
        return Err(Fault::refused(format!("{on} is no enemy on the field"), "13.1"));
    }
    match t.arm(id) {
        Arm::Artillery => return not("is a battery; guns don't attack", "13.15"),
        Arm::Hq => return not("is an HQ; it fights only with a unit", "12.6.1"),
        Arm::Infantry | Arm::Cavalry => {}
    }
    if unit.mood == Mood::S {
        return not("is stunned and may not attack", "12.5.1");
    }
    if unit.form == Formation::Square {
        return not("is in square and may not attack", "5.4.4");
    }
    if unit.has(Mark::Disengaged) {
        return not("has disengaged in this turn and may not assault", "13.7");
    }
    // 12.9.4 and 21.3 are the exceptions that tell of the rule.
    let drilled = t.board.options.grande_armee && super::retreat::french(t, id) && t.arm(id) == Arm::Infantry;
    if unit.has(Mark::Formed) && !unit.has(Mark::Rage) && !drilled {
        return not("has changed formation in this turn and may not attack", "21.3");
    }
    Ok(())
}

/// 12.9.1 Whom a unit in Blood Rage must attack: the nearest enemy that it sees and reaches.
pub fn fury(t: &Table, side: &SideId, id: &UnitId) -> Option<UnitId> {
    t.unit(id).filter(|u| u.has(Mark::Rage))?;
    let able =
        |e: &UnitId| sight::sees(t, id, e).is_ok() && able(t, side, id, e).is_ok() && approach(t, id, e).is_some();
    t.enemies_by_gap(id).into_iter().find(able)
}

/// 12.9.1 No raging unit does anything else before that.
///
/// # Errors
/// Whom it must attack, with the line.
pub fn calm(t: &Table, side: &SideId, id: &UnitId) -> Result<(), Fault> {
    let Some(enemy) = fury(t, side, id) else { return Ok(()) };
    let mut fault = Fault::refused(format!("{id} is in a Blood Rage and must attack {enemy}, the nearest"), "12.9.1");
    if let Fault::Refused { copy, .. } = &mut fault {
        *copy = Some(format!("ATTACK {id} AT {enemy}"));
    }
    Err(fault)
}

/// 13.12.1.1, 13.12.3, 13.12.3.1 Who may charge whom.
///
/// # Errors
/// Why not.
pub fn may_charge(t: &Table, side: &SideId, id: &UnitId, on: &UnitId) -> Result<(), Fault> {
    may_attack(t, side, id, on)?;
    let not = |why: String, rule: &str| Err(Fault::refused(why, rule));
    if t.arm(id) != Arm::Cavalry {
        return not(format!("{id} is no cavalry"), "13.12.3");
    }
    if t.kind(id) == Kind::Cossack {
        return not("Cossacks cannot charge".to_owned(), "13.12.1.1");
    }
    if t.unit(on).is_some_and(|u| u.form == Formation::Square) {
        return not(format!("{on} is in square, which is attacked and never charged"), "13.12.3");
    }
    if matches!(terrain::shelter(t, on), Some(Soil::Woods | Soil::Settlement | Soil::Fortification)) {
        return not(format!("{on} stands in woods, a settlement or works"), "13.12.3.1");
    }
    if t.gap(id, on).within(UM - 1) {
        return not(format!("{on} is nearer than 1 UM"), "13.12.3.1");
    }
    sight::sees(t, id, on).map_err(|hidden| {
        let (why, _) = hidden.sentence(on);
        Fault::refused(format!("{id} has no line of sight: {why}"), "13.12.3.1")
    })
}

/// 13.12.3.1 Straight on: the first marker may turn, no later one, up to where it has come as far as it is to.
fn ride(walk: &mut Walk<'_>, turn: i32, budget: i32, there: impl Fn(&Walk<'_>) -> bool) {
    walk.leg(turn, UM.min(budget), budget);
    while !there(walk) && walk.halt.is_none() && walk.cost() < budget {
        walk.leg(0, UM.min(budget - walk.cost()), budget);
    }
}

/// 13.1, 13.13 ATTACK by one or several, planned together: each goes after those named before it, as long as the enemy is
/// there. HALF wants half of one face for each of two, or nobody goes.
pub fn attack(cx: &mut Hand<'_>, side: &SideId, onset: &Onset) -> Play<()> {
    if onset.halves
        && let Err(fault) = approach::halves(table(cx), onset)
    {
        cx.outcome(fault.into());
        return Ok(());
    }
    if onset.part == Part::Support && table(cx).fight_on(&onset.on).is_none() {
        cx.outcome(approach::unled(&onset.on).into());
        return Ok(());
    }
    let (mut faults, mut came) = (Vec::new(), false);
    let turns = approach::turns(table(cx), onset);
    for (n, (id, how)) in turns.iter().enumerate() {
        if table(cx).unit(&onset.on).is_none() {
            break;
        }
        let after: Vec<&UnitId> = turns.iter().skip(n + 1).map(|(id, _)| id).chain(&onset.joined).collect();
        match assail(cx, side, id, &onset.on, (onset.part, how, &after))? {
            Met::Came => came = true,
            Met::Stays(fault) => faults.push(fault),
            Met::Off => break,
        }
    }
    if let Some(said) = approach::unmet(faults, came) {
        cx.outcome(said);
    }
    Ok(())
}

/// How far an attacker got.
enum Met {
    /// To the enemy.
    Came,
    /// It did not set out.
    Stays(Fault),
    /// The enemy did not wait, or stands elsewhere now.
    Off,
}

/// What the enemy reacts to.
struct Coming {
    /// The side of him that is attacked; a flank or the rear if anybody comes there.
    face: Face,
    /// Horse, if any comes.
    arm: Arm,
    /// Where the first attacker would stand.
    ground: Shape,
    /// Whom he sees coming: the first, or the first that rides where foot comes with him.
    by: UnitId,
}

/// 5.4.5, 13.8, 13.12.1.2 What comes at an enemy: horse may withdraw only before infantry, and only from its front; foot forms
/// square before horse, the harder if any of it comes from a flank. All are declared together (13.1), so that the sequence in
/// which they are named is nothing. `after` are those who go after the first; who does not reach him counts for nothing.
fn coming(
    t: &Table,
    side: &SideId,
    (id, way): (&UnitId, &Trace),
    on: &UnitId,
    (how, after): (&How, &[&UnitId]),
) -> Coming {
    let ground = Shape::block(way.pose.stand(), t.board.tables.size(way.form));
    let mut coming = Coming { face: t.struck_from(on, id, way.pose), arm: t.arm(id), ground, by: id.clone() };
    let ridden = || how.mates.iter().any(|mate| mate != id && t.arm(mate) == Arm::Cavalry);
    if t.arm(on) != Arm::Cavalry && !(t.arm(on) == Arm::Infantry && ridden()) {
        return coming;
    }
    let mut there = t.clone();
    there.units.entry(id.clone()).and_modify(|u| (u.pose, u.form) = (way.pose, way.form));
    let reach = |mate: &UnitId| {
        may_attack(&there, side, mate, on).ok()?;
        approach::way(&there, mate, on, &How { side: how.side, straight: how.straight, ..How::default() }).ok()
    };
    if t.arm(on) == Arm::Infantry {
        for mate in how.mates.iter().filter(|mate| *mate != id && t.arm(mate) == Arm::Cavalry) {
            let wanted = coming.arm != Arm::Cavalry || coming.face == Face::Front;
            let Some(way) = wanted.then(|| reach(mate)).flatten() else { continue };
            if coming.arm != Arm::Cavalry {
                (coming.arm, coming.by) = (Arm::Cavalry, mate.clone());
            }
            coming.face = there.struck_from(on, mate, way.pose);
        }
        return coming;
    }
    for mate in how.mates.iter().filter(|mate| *mate != id) {
        let horse = t.arm(mate) == Arm::Cavalry && coming.arm != Arm::Cavalry;
        let aside = after.contains(&mate) && coming.face == Face::Front;
        let Some(way) = (horse || aside).then(|| reach(mate)).flatten() else { continue };
        coming.arm = if horse { Arm::Cavalry } else { coming.arm };
        coming.face = if aside { there.struck_from(on, mate, way.pose) } else { coming.face };
    }
    coming
}

/// 13.1 One attacker: the enemy reacts, then the unit goes to contact; a second attacker joins the first (13.13). `after` are
/// those who go after it.
fn assail(
    cx: &mut Hand<'_>,
    side: &SideId,
    id: &UnitId,
    on: &UnitId,
    (part, how, after): (Part, &How, &[&UnitId]),
) -> Play<Met> {
    let t = table(cx);
    let way = match may_attack(t, side, id, on).and_then(|()| approach::way(t, id, on, how)) {
        Ok(way) => way,
        Err(fault) => return Ok(Met::Stays(fault)),
    };
    let coming = coming(t, side, (id, &way), on, (how, after));
    if react(cx, id, on, &coming)? {
        let way = again(table(cx), id, on, &way);
        go(cx, id, Why::Attacked, &way);
        cx.outcome(Outcome::Failed { why: format!("{on} did not wait for {id}"), rule: "13.8".to_owned() });
        return Ok(Met::Off);
    }
    // A square stands elsewhere than the line did.
    let Ok(way) = approach::way(table(cx), id, on, how) else {
        let way = again(table(cx), id, on, &way);
        go(cx, id, Why::Attacked, &way);
        return Ok(Met::Off);
    };
    go(cx, id, Why::Attacked, &way);
    if table(cx).arm(on) == Arm::Hq {
        taken(cx, id, on)?;
        return Ok(Met::Off);
    }
    join(cx, side, id, on, (part, false));
    Ok(Met::Came)
}

/// A-44, 17.1.4 An HQ that stands alone is eliminated at the touch; it fights nobody.
fn taken(cx: &mut Hand<'_>, id: &UnitId, on: &UnitId) -> Play<()> {
    let from = table(cx).centre(id);
    gone(cx, on, End::RanDown, from)
}

/// 7.1 The way once more, as far as it is free now that others have reacted.
fn again(t: &Table, id: &UnitId, on: &UnitId, way: &Trace) -> Trace {
    let touch = [on.clone()];
    let mut walk = Walk::begin(t, id, &touch);
    for (turn, units) in &way.legs {
        if walk.halt.is_some() {
            break;
        }
        walk.leg(*turn, *units, moves::left_by_road(t, id));
    }
    walk.end()
}

/// 6.2 A unit goes the way that was found.
pub(super) fn go(cx: &mut Hand<'_>, id: &UnitId, why: Why, way: &Trace) {
    stand(cx, id, why, way.pose, way.form, way.cost, &way.via);
    mark(cx, id, Mark::Moved, true);
}

/// 13.2, 13.13 The combat is declared, or joined: the leader is the one named, else the best combat modifier. 13.3 One that goes
/// on is turned about first, since the side now active attacks; there the best has the bonus of flank or rear with it.
pub(super) fn join(cx: &mut Hand<'_>, side: &SideId, id: &UnitId, on: &UnitId, (part, charge): (Part, bool)) {
    let t = table(cx);
    let face = t.struck_by(on, id);
    let mut found = t.fight_on(on).cloned();
    if let Some(old) = found.clone().filter(|c| c.on != *on) {
        found = Some(close::turned(t, &old, side));
        tell(cx, Fact::Ended { on: old.on });
    }
    let t = table(cx);
    let combat = match found {
        None => Combat {
            by: side.clone(),
            on: on.clone(),
            lead: id.clone(),
            support: Vec::new(),
            charge,
            old: false,
            face,
            bonus: 0,
        },
        Some(mut combat) => {
            // A newcomer from flank or rear brings the better bonus; in a new combat the line says who leads.
            let side = |u: &UnitId| if combat.old { close::side_bonus(t, t.struck_by(on, u)) } else { 0 };
            let best = |u: &UnitId| t.spec(u).map_or(0, |s| s.combat) + side(u);
            let better = part == Part::Best && (charge || !combat.charge) && best(id) > best(&combat.lead);
            if part == Part::Lead || better {
                combat.support.push(std::mem::replace(&mut combat.lead, id.clone()));
                combat.face = face;
                combat.charge = charge;
            } else {
                combat.support.push(id.clone());
            }
            combat
        }
    };
    tell(cx, Fact::Declared { combat });
}

/// 4.6.1, 5.4.5, 13.8, 13.12.1.2 What the enemy does when he is about to be attacked; says whether he is gone.
fn react(cx: &mut Hand<'_>, id: &UnitId, on: &UnitId, coming: &Coming) -> Play<bool> {
    let t = table(cx);
    if t.combat_of(on).is_some() {
        // He has reacted to the first of them; 13.6: or he fights already, and only to disengage takes him out.
        return Ok(false);
    }
    match (t.arm(on), coming.arm) {
        (Arm::Infantry, Arm::Cavalry) => {
            try_square(cx, &coming.by, on, coming.face)?;
            Ok(false)
        }
        (Arm::Cavalry, _) => withdraw(cx, id, on, coming),
        (Arm::Artillery, _) => {
            shelter(cx, on)?;
            Ok(false)
        }
        _ => Ok(false),
    }
}

/// 13.8, 13.12.1.2 Cavalry attacked in front by infantry may withdraw after a check; Cossacks without one, and from
/// cavalry with one. Whoever would still touch the attacker where his way ends has nowhere to go, and stays. Says whether
/// it is gone.
fn withdraw(cx: &mut Hand<'_>, by: &UnitId, on: &UnitId, coming: &Coming) -> Play<bool> {
    let t = table(cx);
    let Coming { face, arm, ground, .. } = coming;
    let cossack = t.kind(on) == Kind::Cossack;
    let able = t.unit(on).is_some_and(|u| matches!(u.mood, Mood::Fit | Mood::S) && !u.has(Mark::Rage));
    if *face != Face::Front || !able || !(*arm == Arm::Infantry || cossack) {
        return Ok(false);
    }
    let Some((away, to)) = way_back(t, on) else { return Ok(false) };
    if Shape::block(to.stand(), t.size(on)).near(ground, t.board.tables.contact) {
        return Ok(false);
    }
    let seat = seat_of(cx, on);
    let answer = ask(cx, &seat, Prompt::Withdraw { unit: on.clone(), by: by.clone() })?;
    let turned = match answer {
        Answer::Word("BACK") => true,
        Answer::Word("FRONT") => false,
        _ => return Ok(false),
    };
    if !(cossack && *arm == Arm::Infantry) {
        let checked = check(cx, on, Cause::Withdraw, 0);
        if checked.catastrophe {
            let from = table(cx).centre(by);
            rout(cx, on, from)?;
            return Ok(true);
        }
        // 12.9.2: in a Blood Rage it never leaves an enemy.
        if !checked.passed || table(cx).unit(on).is_some_and(|u| u.has(Mark::Rage)) {
            return Ok(false);
        }
    }
    let t = table(cx);
    let Some(unit) = t.unit(on).cloned() else { return Ok(true) };
    let facing = if turned { away } else { unit.pose.facing };
    stand(cx, on, Why::Withdrew, Pose { facing, ..to }, unit.form, 0, &[]);
    Ok(true)
}

/// 4.6.1, 13.15.1.1, 13.15.1.1.1, A-42 A crew may leave the guns for a square of its own that stands within 2 UM at that
/// moment.
fn shelter(cx: &mut Hand<'_>, on: &UnitId) -> Play<()> {
    let t = table(cx);
    let near = t.board.tables.ranges.crew;
    let side = t.side(on);
    let square = t.of_side(&side).find(|(s, u)| u.form == Formation::Square && t.gap(s, on).within(near));
    let Some(square) = square.map(|(s, _)| s.clone()) else { return Ok(()) };
    if t.unit(on).is_none_or(|u| u.has(Mark::Crewless)) {
        return Ok(());
    }
    let seat = seat_of(cx, on);
    if ask(cx, &seat, Prompt::Crew { unit: on.clone(), square })? == Answer::Word("SHELTER") {
        mark(cx, on, Mark::Crewless, true);
    }
    Ok(())
}

/// 13.12.3, 12.7.1 CHARGE: the enemy tries a square or checks, unless it is elite (12.7.1.1), A-12: never both; what is left
/// of him is attacked.
pub fn charge(cx: &mut Hand<'_>, side: &SideId, id: &UnitId, on: &UnitId) -> Play<()> {
    let t = table(cx);
    let way = match may_charge(t, side, id, on).and_then(|()| gallop(t, id, on)) {
        Ok(way) => way,
        Err(fault) => {
            cx.outcome(fault.into());
            return Ok(());
        }
    };
    let face = t.struck_from(on, id, way.pose);
    let from = t.centre(id);
    let arm = t.arm(on);
    if arm == Arm::Hq {
        go(cx, id, Why::Charged, &way);
        return taken(cx, id, on);
    }
    // 13.6: who fights already stays as he is.
    let free = !t.engaged(on);
    let ground = Shape::block(way.pose.stand(), t.board.tables.size(way.form));
    let tried = if arm == Arm::Infantry && free { try_square(cx, id, on, face)? } else { Tried::Not };
    if arm == Arm::Artillery {
        shelter(cx, on)?;
    }
    let coming = Coming { face, arm: Arm::Cavalry, ground, by: id.clone() };
    if arm == Arm::Cavalry && free && withdraw(cx, id, on, &coming)? {
        let way = again(table(cx), id, on, &way);
        go(cx, id, Why::Charged, &way);
        return Ok(());
    }
    match tried {
        Tried::Formed => return meet_square(cx, side, id, on),
        Tried::Broke => return break_before(cx, id, on, from, &way),
        // 5.4.5.1: the test for the square replaces that of the charge.
        Tried::Failed => {}
        Tried::Not => {
            let elite = table(cx).spec(on).is_some_and(|s| s.elite);
            if !elite && stand_charge(cx, on)? {
                return break_before(cx, id, on, from, &way);
            }
        }
    }
    if table(cx).unit(on).is_some_and(|u| u.mood != Mood::Fit) && arm == Arm::Artillery {
        // 12.7.1: guns that fail are overrun.
        go(cx, id, Why::Charged, &way);
        return overrun(cx, on);
    }
    if table(cx).unit(on).is_some() {
        go(cx, id, Why::Charged, &way);
        // 13.13: of two chargers the better leads, whichever is named first.
        let charged = table(cx).fight_on(on).is_some_and(|fight| fight.charge);
        join(cx, side, id, on, (if charged { Part::Best } else { Part::Lead }, true));
    }
    Ok(())
}

/// 12.7.1, 12.7.1.2 The target of a charge checks; failed it is stunned. Says whether it breaks (double 6).
fn stand_charge(cx: &mut Hand<'_>, on: &UnitId) -> Play<bool> {
    if table(cx).unit(on).is_some_and(|u| u.has(Mark::Crewless)) {
        return Ok(false);
    }
    let checked = check(cx, on, Cause::Charge, 0);
    if !checked.passed && !checked.catastrophe {
        let now = table(cx).unit(on).map_or(Mood::Fit, |u| u.mood);
        match super::morale::worse(now, Mood::S) {
            None => {
                let at = table(cx).centre(on);
                gone(cx, on, End::Morale, at)?;
            }
            Some(Mood::R) => return Ok(true),
            Some(mood) => set_mood(cx, on, mood),
        }
    }
    Ok(checked.catastrophe)
}

/// 12.7.1.2 The target breaks and flees; a charger whose allowance reaches it runs it down.
fn break_before(cx: &mut Hand<'_>, id: &UnitId, on: &UnitId, from: crate::plane::Fine, way: &Trace) -> Play<()> {
    rout(cx, on, from)?;
    let t = table(cx);
    if t.unit(on).is_some()
        && let Ok(run) = gallop(t, id, on)
    {
        go(cx, id, Why::Charged, &run);
        return gone(cx, on, End::RanDown, from);
    }
    let way = again(table(cx), id, on, way);
    go(cx, id, Why::Charged, &way);
    Ok(())
}

/// 13.12.2.1 The target has formed square: the charger stops at 1/2 UM, attacks it, or rides by.
fn meet_square(cx: &mut Hand<'_>, side: &SideId, id: &UnitId, on: &UnitId) -> Play<()> {
    let seat = cx.seat_of(side);
    let answer = ask(cx, &seat, Prompt::OnSquare { unit: id.clone(), on: on.clone() })?;
    let t = table(cx);
    let Ok(way) = gallop(t, id, on) else { return Ok(()) };
    match answer {
        Answer::Word("ATTACK") => {
            go(cx, id, Why::Attacked, &way);
            join(cx, side, id, on, (Part::Lead, false));
        }
        Answer::Word("PASS") => match ride_by(t, id, on, &way) {
            Some(past) => go(cx, id, Why::Rode, &past),
            None => halt_before(cx, id, on, &way),
        },
        _ => halt_before(cx, id, on, &way),
    }
    Ok(())
}

/// 13.12.2.1 At 1/2 UM from the square, or as near before that as it finds room; whom it has ridden past may leave none,
/// and then it has not set out.
fn halt_before(cx: &mut Hand<'_>, id: &UnitId, on: &UnitId, way: &Trace) {
    let t = table(cx);
    let (size, square, near) = (t.size(id), t.shape(on), t.board.tables.ranges.musketry);
    let others = t.others(id);
    let back = way.pose.facing.turned(180);
    let at = |far: i32| Pose::of(crate::plane::walk::moved(way.pose.stand(), back, far));
    let free = |far: &i32| {
        let block = Shape::block(at(*far).stand(), size);
        !block.gap(&square).within(near - 1) && others.iter().all(|o| !o.overlaps(&block))
    };
    let Some(far) = (0..=way.far()).find(free) else { return };
    let halted = Trace {
        pose: at(far),
        cost: (way.cost - far).max(0),
        via: vec![t.centre(id), at(far).at.fine()],
        ..way.clone()
    };
    go(cx, id, Why::Halted, &halted);
}

/// 6.11, 13.12.2.1 Past the square with what is left of the allowance, if the ground lets it and there is room beyond.
fn ride_by(t: &Table, id: &UnitId, on: &UnitId, way: &Trace) -> Option<Trace> {
    let budget = moves::left(t, id);
    let mut walk = Walk::begin(t, id, &[]);
    let turn = way.legs.first().map_or(0, |(turn, _)| *turn);
    ride(&mut walk, turn, budget, |_| false);
    let past = walk.end();
    let beyond = t.size(id).depth + t.size(on).depth;
    (past.far() >= way.far() + beyond).then_some(past)
}

/// 12.9.1, 12.9.4 After movement: a unit in Blood Rage attacks the nearest enemy that it sees and reaches; a square
/// changes formation first, even if there is none.
pub fn rages(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let raging = |(id, u): &(&UnitId, &super::table::Unit)| u.has(Mark::Rage) && table(cx).combat_of(id).is_none();
    let ids: Vec<UnitId> = table(cx).of_side(side).filter(raging).map(|(id, _)| id.clone()).collect();
    for id in ids {
        let t = table(cx);
        let Some(unit) = t.unit(&id).cloned() else { continue };
        if unit.form == Formation::Square && moves::room_for(t, &id, unit.pose, Formation::Column).is_ok() {
            stand(cx, &id, Why::Formed, unit.pose, Formation::Column, 0, &[]);
            mark(cx, &id, Mark::Formed, true);
        }
        if let Some(enemy) = fury(table(cx), side, &id) {
            attack(cx, side, &Onset::of(&id, &enemy, Part::Best))?;
        }
    }
    Ok(())
}

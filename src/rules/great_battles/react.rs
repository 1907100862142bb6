//! 6.2 Reactions: who may do what when an enemy moves in his zone; one function over a table.

use super::ask::{self, Choice, Facts, What};
use super::board::{Arm, Kind, other};
use super::entry::new_hexes;
use super::event::{Deed, Event, How, Occasion};
use super::eyes;
use super::hand::Hand;
use super::pose::{Form, Part, Pose};
use super::state::{At, Level, State, Unit};
use super::{charge, fire, march, morale, retire, stacking};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use std::collections::BTreeSet;

/// What an enemy does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// 6.2.1 It is about to go, and will stand so.
    Left(Pose),
    /// 6.2.2-6.2.5 It has come, and stood so.
    Entered(Pose),
    /// 6.2.1 It has turned, or changed its formation, and stood so; it may have come into new hexes by it.
    Swung(Pose),
    /// 6.2.1, 8.4.2 It is about to ride on in a charge, and will stand so.
    Ride(Pose),
    /// 8.4.2 It has come in a charge, and stood so.
    Charge(Pose),
    /// 8.4.2 It has come in a pursuit, and stood so.
    Pursuit(Pose),
    /// 10.1.1 It has come in a retreat, and stood so.
    Retreat(Pose),
    /// 6.2.1, 10.1.1 It is about to go on in a retreat, out of a hex into which that has led it.
    Recede,
}

/// Acts as the table has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cue {
    Leave,
    Enter,
    Shift,
    Charge,
    Pursuit,
    Retreat,
}

/// Who reacts, in the order in which they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Skirmishers,
    Foot,
    FootGuns,
    HorseGuns,
    Limbered,
    Flank,
    Horse,
}

/// 6.2.1-6.2.7, 8.4.2, 10.1.1 Who may do what on which cue. Where an enemy goes by one step from hex to hex of a zone, it is a
/// coming to all but foot, which does not fire at who comes: 10.1.1 of who goes back too it fires at him who moves on.
const MAY: [(Who, Cue, &[Deed]); 25] = [
    (Who::Skirmishers, Cue::Leave, &[Deed::Fire, Deed::Step]),
    (Who::Skirmishers, Cue::Enter, &[Deed::Fire, Deed::Step]),
    (Who::Skirmishers, Cue::Shift, &[Deed::Fire, Deed::Step]),
    (Who::Skirmishers, Cue::Charge, &[Deed::Fire, Deed::Step]),
    (Who::Skirmishers, Cue::Retreat, &[Deed::Fire]),
    (Who::Foot, Cue::Leave, &[Deed::Fire]),
    (Who::Foot, Cue::Shift, &[Deed::Fire]),
    (Who::FootGuns, Cue::Enter, &[Deed::Fire]),
    (Who::FootGuns, Cue::Charge, &[Deed::Fire]),
    (Who::FootGuns, Cue::Retreat, &[Deed::Fire]),
    (Who::HorseGuns, Cue::Enter, &[Deed::Fire, Deed::Limber]),
    (Who::HorseGuns, Cue::Charge, &[Deed::Fire]),
    (Who::HorseGuns, Cue::Retreat, &[Deed::Fire]),
    (Who::Limbered, Cue::Enter, &[Deed::Step]),
    (Who::Limbered, Cue::Shift, &[Deed::Step]),
    (Who::Limbered, Cue::Charge, &[Deed::Step]),
    (Who::Flank, Cue::Enter, &[Deed::Turn]),
    (Who::Flank, Cue::Charge, &[Deed::Turn]),
    (Who::Horse, Cue::Enter, &[Deed::Step, Deed::Charge]),
    (Who::Horse, Cue::Shift, &[Deed::Step]),
    (Who::Horse, Cue::Retreat, &[Deed::Charge]),
    (Who::Skirmishers, Cue::Pursuit, &[Deed::Fire, Deed::Step]),
    (Who::FootGuns, Cue::Pursuit, &[Deed::Fire]),
    (Who::HorseGuns, Cue::Pursuit, &[Deed::Fire]),
    (Who::Horse, Cue::Pursuit, &[Deed::Charge]),
];

/// 6.2, 6.3 The hexes of a unit's Reaction Zone: none of a router, of who marches strategically, and of limbered foot guns.
pub fn zone(s: &State, unit: &str) -> BTreeSet<Hex> {
    let Some((u, kind, pose)) = s.on(unit) else { return BTreeSet::new() };
    if u.level == Level::Rout || s.is_marching(unit) {
        return BTreeSet::new();
    }
    pose.arc(depth(s, kind, pose))
}

/// R-64 How deep it is.
fn depth(s: &State, kind: &Kind, pose: Pose) -> u32 {
    let zones = &s.board.charts.zones;
    match (kind.arm, pose.form) {
        (Arm::Inf, _) => zones.infantry,
        (Arm::Cav, _) => zones.cavalry,
        (Arm::Art, Form::Unlimbered) => zones.guns,
        (Arm::Art, _) if kind.horse => zones.horse_guns_limbered,
        (Arm::Art, _) => 0,
    }
}

fn who(kind: &Kind, pose: Pose) -> Option<Who> {
    Some(match (kind.arm, pose.form) {
        (Arm::Inf, Form::Skirmish) => Who::Skirmishers,
        (Arm::Inf, _) => Who::Foot,
        (Arm::Cav, _) => Who::Horse,
        (Arm::Art, Form::Unlimbered) if kind.horse => Who::HorseGuns,
        (Arm::Art, Form::Unlimbered) => Who::FootGuns,
        (Arm::Art, _) if kind.horse => Who::Limbered,
        (Arm::Art, _) => return None,
    })
}

/// What an act is to a zone; none where it does not touch it.
fn cue(act: Act, zone: &BTreeSet<Hex>, now: Pose, foot: bool) -> Option<Cue> {
    let holds = |pose: Pose| pose.hexes().iter().any(|hex| zone.contains(hex));
    match act {
        // A step within a zone is a coming; foot, which does not fire at who comes, fires at who goes.
        Act::Left(next) | Act::Ride(next) => (holds(now) && (foot || !holds(next))).then_some(Cue::Leave),
        Act::Entered(_) => holds(now).then_some(Cue::Enter),
        Act::Pursuit(_) => holds(now).then_some(Cue::Pursuit),
        // 6.2.2-6.2.5 A hex into which a wheel leads is entered as by a step; foot fires at who turns.
        Act::Swung(before) if !foot && new_hexes(Some(before), now).iter().any(|hex| zone.contains(hex)) => {
            Some(Cue::Enter)
        }
        Act::Swung(_) => holds(now).then_some(Cue::Shift),
        Act::Charge(_) => holds(now).then_some(Cue::Charge),
        Act::Retreat(_) => holds(now).then_some(Cue::Retreat),
        // The others have fired when it came, if they would.
        Act::Recede => (foot && holds(now)).then_some(Cue::Leave),
    }
}

/// One who may react.
struct Able {
    who: Who,
    hex: Hex,
    unit: String,
    deeds: &'static [Deed],
    /// 8.4.2 The enemy pursues: horse may charge him, though he is horse.
    pursued: bool,
    /// 8.1.3 The enemy rides a Reaction Charge, at which nobody fires in reaction.
    mute: bool,
    /// 8.4.2 The charge is against it, and it is guns alone in the hex, which stand.
    stands: bool,
}

/// 6.2 All who may react, in their order; 8.4.2 those against whom the enemy rides are named.
fn able(s: &State, movers: &[String], act: Act, targets: &[String]) -> Vec<Able> {
    let Some((now, side)) = movers.first().and_then(|unit| Some((s.pose(unit)?, s.side(unit)?))) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let pursued = matches!(act, Act::Pursuit(_));
    let mute = matches!(act, Act::Ride(_) | Act::Charge(_)) && s.acting.as_ref().is_some_and(|a| a.side != *side);
    for (id, u, pose) in s.enemies(side) {
        let Some(kind) = s.kind(id) else { continue };
        if u.level == Level::Rout || s.is_marching(id) {
            continue;
        }
        // H.4 Who does not see the mover does not react.
        let sees = |own: &SideId| movers.iter().any(|mover| eyes::name(s, own, mover).is_some());
        let sees = s.side(id).is_some_and(sees);
        if !sees {
            continue;
        }
        let stands = targets.contains(id) && s.with(id).iter().all(|mate| s.is_arm(mate, Arm::Art));
        let row = |who: Who, cue: Cue| MAY.iter().find(|(w, c, _)| *w == who && *c == cue).map(|(.., deeds)| *deeds);
        if let Some(who) = who(kind, pose)
            && let Some(cue) = cue(act, &zone(s, id), now, who == Who::Foot)
            && let Some(deeds) = row(who, cue)
        {
            found.push(Able { who, hex: pose.head, unit: id.clone(), deeds, pursued, mute, stands });
        }
        // 6.2.3 The Flank Zone of horse that is not Disordered.
        let flank = kind.arm == Arm::Cav && pose.form != Form::Disorder;
        let came = match act {
            Act::Entered(old) | Act::Charge(old) | Act::Pursuit(old) if old.head != now.head => vec![now.head],
            Act::Swung(old) => new_hexes(Some(old), now),
            _ => Vec::new(),
        };
        if flank && came.iter().any(|hex| pose.flank_zone().contains(hex)) {
            let (who, unit) = (Who::Flank, id.clone());
            found.push(Able { who, hex: pose.head, unit, deeds: &[Deed::Turn], pursued, mute, stands });
        }
    }
    found.sort_by(|a, b| (a.who, a.hex, &a.unit).cmp(&(b.who, b.hex, &b.unit)));
    found
}

/// 6.2.1-6.2.5 Enemies of a side who may react to what a unit that stands so does, if they see it.
pub(super) fn answers(s: &State, side: &SideId, act: Act, now: Pose) -> Vec<String> {
    let may = |id: &str, pose: Pose| {
        let Some(kind) = s.kind(id) else { return false };
        let Some(who) = who(kind, pose) else { return false };
        let cue = cue(act, &zone(s, id), now, who == Who::Foot);
        cue.is_some_and(|cue| MAY.iter().any(|(w, c, _)| (*w, *c) == (who, cue)))
    };
    s.enemies(side).filter(|(id, _, pose)| may(id, *pose)).map(|(id, ..)| id.clone()).collect()
}

/// 6.2 Reactions to an act of units that move together, one after the other; whether they may go on.
pub(super) fn to(cx: &mut Hand<'_>, movers: &[String], act: Act) -> Play<bool> {
    all(cx, movers, act, (&[], &[]))
}

/// The same, but for some who do not react: 10.1.1 those who have caused a retreat.
pub(super) fn to_but(cx: &mut Hand<'_>, movers: &[String], act: Act, but: &[String]) -> Play<bool> {
    all(cx, movers, act, (but, &[]))
}

/// 8.4.2 The same, as they ride against some.
pub(super) fn to_ride(cx: &mut Hand<'_>, movers: &[String], act: Act, targets: &[String]) -> Play<bool> {
    all(cx, movers, act, (&[], targets))
}

/// 8.1.3, 12.4 House: in the Rally Phase nobody reacts. Fire in reaction is counted by the activations of the enemy, and there is
/// none then.
fn all(cx: &mut Hand<'_>, movers: &[String], act: Act, (but, targets): (&[String], &[String])) -> Play<bool> {
    let place = movers.first().and_then(|unit| cx.state().pose(unit));
    let runs = matches!(act, Act::Retreat(_) | Act::Recede);
    if cx.state().at == At::Close {
        return Ok(still(cx.state(), movers, place, runs));
    }
    for able in able(cx.state(), movers, act, targets) {
        if but.contains(&able.unit) {
            continue;
        }
        if !still(cx.state(), movers, place, runs) {
            return Ok(false);
        }
        one(cx, movers, &able)?;
    }
    leaders(cx, movers)?;
    Ok(still(cx.state(), movers, place, runs))
}

/// R-57 Whether who moves is still where he was: what routs him, or drives him back, ends what follows; who runs already may be
/// fired at as he runs.
fn still(s: &State, movers: &[String], place: Option<Pose>, runs: bool) -> bool {
    let there = |unit: &String| {
        let stays = s.pose(unit).is_some_and(|pose| Some(pose.head) == place.map(|p| p.head));
        stays && (runs || !s.routs(unit))
    };
    movers.iter().all(there)
}

/// One reaction.
fn one(cx: &mut Hand<'_>, movers: &[String], able: &Able) -> Play<()> {
    let s = cx.state();
    let Some((unit, against)) = Some(&able.unit).zip(movers.first()) else { return Ok(()) };
    let Some(facts) = facts(s, able, movers) else { return Ok(()) };
    let choice = match able.who {
        Who::Skirmishers if facts.fire || facts.step => ask::put(cx, What::Skirmish, unit, against, facts)?,
        Who::Foot | Who::FootGuns if facts.fire => match ask::put(cx, What::ReactFire, unit, against, facts)? {
            Choice::Yes => Choice::Fire,
            _ => Choice::No,
        },
        Who::HorseGuns | Who::Limbered if facts.fire || facts.step || facts.limber => {
            ask::put(cx, What::HorseGuns, unit, against, facts)?
        }
        Who::Flank => {
            if ask::put(cx, What::Flank, unit, against, facts)? == Choice::Yes {
                turn(cx, unit, against);
            }
            Choice::No
        }
        Who::Horse if facts.step || facts.charge => ask::put(cx, What::VsFoot, unit, against, facts)?,
        _ => Choice::No,
    };
    let Some(at) = cx.state().hex(against) else { return Ok(()) };
    match choice {
        Choice::Fire => fire::shoot(cx, unit, at, Occasion::Reaction)?,
        Choice::Step => step(cx, unit, at),
        Choice::Limber => limber(cx, unit),
        Choice::Charge => charge::react(cx, unit, movers)?,
        Choice::No | Choice::Yes => {}
    }
    Ok(())
}

/// 6.2.1-6.2.5, 8.1.3, 8.1.4 What a unit can still do, and the numbers by which it decides; none where it is gone.
fn facts(s: &State, able: &Able, movers: &[String]) -> Option<Facts> {
    let (unit, against) = (&able.unit, movers.first()?);
    let (u, kind, pose) = s.on(unit)?;
    let (_, enemy, target) = s.on(against)?;
    if u.level == Level::Rout {
        return None;
    }
    let marks = s.marks(unit, s.active());
    let may = |deed: Deed| able.deeds.contains(&deed);
    let foot = enemy.arm != Arm::Cav;
    // 8.4.2 Who has failed to form square does not fire at the charge.
    let failed = kind.arm == Arm::Inf && marks.stuck;
    let spent = match able.who {
        Who::FootGuns | Who::HorseGuns => marks.reacted || marks.returned || marks.limbered,
        _ => marks.reacted || failed,
    };
    let at = target.hexes().into_iter().find(|hex| zone(s, unit).contains(hex)).unwrap_or(target.head);
    let aim = fire::aim(s, unit, at);
    let steps = match able.who {
        Who::Horse => foot,
        // 6.2.5 Of a Reaction Charge too: 8.1.3 forbids fire alone.
        Who::Limbered => !marks.stuck && !able.stands,
        _ => true,
    };
    let horse = able.who == Who::Horse;
    let alone = s.with(against).iter().all(|id| s.is_arm(id, Arm::Art));
    let open = target.hexes().iter().all(|hex| s.board.terrain(*hex).is_some_and(|t| !t.defensive));
    Some(Facts {
        column: aim.as_ref().map_or(0, |aim| aim.column),
        adjacent: pose.hexes().iter().any(|own| own.adjacent(at)),
        fire: may(Deed::Fire) && !spent && !able.mute && aim.is_some(),
        step: may(Deed::Step) && steps && backs(s, unit, target.head).is_some(),
        limber: may(Deed::Limber) && !spent && foot && kind.horse,
        charge: may(Deed::Charge) && horse && (foot || able.pursued) && charge::may_react(s, unit, against),
        weak: alone || (s.array(against) == super::tables::Array::Disorder && open),
        steps: marks.steps,
        own: s.sp(unit),
        enemy: s.with(against).iter().filter(|id| !s.is_arm(id, Arm::Art)).map(|id| s.sp(id)).sum(),
        ..Facts::default()
    })
}

/// 6.2.2, 6.2.6 Where a unit steps back: skirmishers to any hex next to no enemy, horse and horse guns through their rear to a
/// hex that nobody is in, with all of their hexes on the map; away from the enemy, and towards where the army retreats.
fn backs(s: &State, unit: &str, from: Hex) -> Option<Hex> {
    let (_, kind, pose) = s.on(unit)?;
    let side = s.side(unit)?;
    let home = s.board.retreat.get(side).copied().unwrap_or_default();
    let skirmish = pose.form == Form::Skirmish;
    let free = |hex: &Hex| {
        let dir = pose.head.dir_to(*hex)?;
        let price = march::price(s, kind.class(pose.form)?, pose.head, *hex)?;
        let rear = skirmish || pose.part(*hex) == Some(Part::Rear);
        let next = pose.stepped(dir);
        let empty = next.hexes().iter().all(|hex| s.stack(*hex).iter().all(|id| s.with(unit).contains(id)));
        let mut there = s.stack(*hex);
        let room = if skirmish {
            there.push(unit.to_owned());
            !s.held_against(*hex, side) && s.enemy_near(*hex, side) > 1 && stacking::flaw(s, *hex, &there).is_none()
        } else {
            empty && retire::fits(s, unit, next)
        };
        (rear && room).then_some(price)
    };
    let near = pose.head.neighbours().into_iter().filter(|hex| free(hex).is_some());
    near.max_by_key(|hex| (hex.distance(from), std::cmp::Reverse(retire::astray(pose.head, *hex, home)), *hex))
}

/// 6.2.2, 6.2.3, 6.2.5, 6.2.6 A step back; its facing stays. The ground may ask a Disorder Check; of horse guns each step does,
/// and one that fails is the last.
fn step(cx: &mut Hand<'_>, unit: &str, from: Hex) {
    let s = cx.state();
    let (Some((_, kind, pose)), Some(to)) = (s.on(unit), backs(s, unit, from)) else { return };
    let Some(dir) = pose.head.dir_to(to) else { return };
    let guns = kind.arm == Arm::Art;
    let toll = kind.class(pose.form).and_then(|class| march::price(s, class, pose.head, to)).map(|(_, toll)| toll);
    let units = [unit.to_owned()];
    cx.emit(Event::Reacted { unit: unit.to_owned(), deed: Deed::Step });
    morale::swing(cx, &units, pose.stepped(dir), How::React);
    if guns {
        if !march::check(cx, unit) {
            cx.emit(Event::Reacted { unit: unit.to_owned(), deed: Deed::Stuck });
        }
    } else if let Some(toll) = toll {
        march::ask(cx, &units, toll);
    }
}

/// 6.2.5 Horse guns limber.
fn limber(cx: &mut Hand<'_>, unit: &str) {
    let Some(pose) = cx.state().pose(unit) else { return };
    cx.emit(Event::Reacted { unit: unit.to_owned(), deed: Deed::Limber });
    cx.emit(Event::Moved {
        units: vec![unit.to_owned()],
        pose: pose.formed(Form::Limbered, None),
        cost: 0,
        how: How::React,
    });
}

/// 6.2.3, R-76 Horse turns one side towards who has come into its Flank Zone; in line that may ask a Disorder Check.
fn turn(cx: &mut Hand<'_>, unit: &str, against: &str) {
    let s = cx.state();
    let (Some(pose), Some(at)) = (s.pose(unit), s.hex(against)) else { return };
    let far = |right: bool| {
        let (next, _) = pose.wheeled(right);
        let ahead = next.front().into_iter().map(|hex| hex.distance(at)).min().unwrap_or(u32::MAX);
        (ahead, right)
    };
    let right = far(true) < far(false);
    if let Ok(stride) = march::turned(s, unit, right) {
        let again = s.marks(unit, s.active()).turns > 0;
        cx.emit(Event::Reacted { unit: unit.to_owned(), deed: Deed::Turn });
        morale::swing(cx, &[unit.to_owned()], stride.pose, How::React);
        if pose.form == Form::Line && again {
            march::ask(cx, &[unit.to_owned()], super::ground::Toll::Check);
            stacking::even(cx, pose.head);
        }
    }
}

/// 6.2.7 Leaders alone in whose zone somebody moves ride to a hex next to no enemy, if they want to.
fn leaders(cx: &mut Hand<'_>, movers: &[String]) -> Play<()> {
    let s = cx.state();
    let zone = s.board.charts.zones.leader;
    let Some((pose, side)) = movers.first().and_then(|unit| Some((s.pose(unit)?, s.side(unit)?.clone()))) else {
        return Ok(());
    };
    let enemy = other(&side);
    let near: Vec<(String, Hex)> = s
        .leaders
        .iter()
        .filter_map(|(id, l)| l.hex.map(|hex| (id, hex)))
        .filter(|(id, hex)| s.chief(id).is_some_and(|c| c.side == enemy) && s.stack_of(*hex, &enemy).is_empty())
        .filter(|(_, hex)| pose.distance(*hex) <= zone)
        .map(|(id, hex)| (id.clone(), hex))
        .collect();
    for (leader, hex) in near {
        let s = cx.state();
        let open = |to: &Hex| march::leader_cost(s, hex, *to).is_some() && s.enemy_near(*to, &enemy) > zone;
        let best = hex.neighbours().into_iter().filter(open).max_by_key(|to| (to.distance(pose.head), *to));
        let against = movers.first().cloned().unwrap_or_default();
        if let Some(to) = best
            && ask::put(cx, What::Leaders, &leader, &against, Facts::default())? == Choice::Yes
        {
            cx.emit(Event::Followed { leader, to });
        }
    }
    Ok(())
}

/// 8.4.2 Horse that may meet a charge: not the marks of a unit but its state.
pub(super) fn fresh(s: &State, unit: &str, u: &Unit) -> bool {
    u.blown == 0 && u.level <= Level::Shaken && !s.is_broken(unit) && !s.is_marching(unit)
}

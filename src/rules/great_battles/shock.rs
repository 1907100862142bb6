//! 8.2 Bayonet; 8.3 Assault; the Pre-Melee Morale Check of all melee.

use super::ask::{self, Choice, Facts, What};
use super::board::Arm;
use super::event::{End, Event, How, Onset};
use super::hand::{Die, Hand, die};
use super::melee::{self, Bout};
use super::morale::{self, Checked, Fall};
use super::pose::{Form, Part, Pose};
use super::state::{Level, Mode, State, Step, Unit};
use super::tables::{Effect, by_part, effect, row};
use super::{command, eyes, fire, retire, stacking};
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::Play;
use crate::rules::tactical::sum::Sum;

/// 6.4.1, 8.2, 8.3, 9.2.3, 11.1.1, 5.2.1 Whether a unit may begin a melee at all.
///
/// # Errors
/// Why not.
pub fn may_begin(s: &State, unit: &str) -> Result<(), Fault> {
    command::may_act(s, unit)?;
    command::may_fight(s, s.division(unit))?;
    let Some((u, _, pose)) = s.on(unit) else { return Ok(()) };
    deny(s.mode(unit) != Some(Mode::Full), format_args!("{unit} is not in a Full Activation"), "4.6.2")?;
    deny(command::is_bound(s, unit), format_args!("{unit} marches strategically, and begins no combat"), "5.2.1")?;
    deny(u.level >= Level::Unsteady, format_args!("{unit} is Unsteady"), "9.2.3")?;
    deny(s.is_broken(unit), format_args!("{unit} is at Breakpoint"), "11.1.1")?;
    let order = matches!(pose.form, Form::Disorder) && !s.kind(unit).is_some_and(super::board::Kind::is_cossack);
    deny(order, format_args!("{unit} is Disordered"), "6.4.1")?;
    deny(u.going.attacked, format_args!("{unit} has attacked"), "8.3.1")
}

/// 8.0, 8.2, 8.2.1, 8.3, 8.3.1 Whether a stack may attack a hex with the bayonet, or assault it.
///
/// # Errors
/// Why not.
pub fn may(s: &State, unit: &str, at: Hex, assault: bool) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let rule = if assault { "8.3" } else { "8.2" };
    may_begin(s, unit)?;
    let Some((u, kind, pose)) = s.on(unit) else { return refused(format!("{unit} is not on the map"), rule) };
    let Some(side) = s.side(unit) else { return Ok(()) };
    deny(kind.arm != Arm::Inf, format_args!("{unit} is not foot"), rule)?;
    deny(pose.form == Form::Square, format_args!("{unit} stands in square"), rule)?;
    let targets: Vec<String> = s.stack(at).into_iter().filter(|id| !s.is_of(id, side)).collect();
    deny(targets.is_empty(), eyes::nobody(s, at), rule)?;
    deny(!s.front(unit).contains(&at), format_args!("{at} is not in front of {unit}"), rule)?;
    let top = s.with(unit).into_iter().find(|id| !s.is_arm(id, Arm::Art));
    let bound = top.filter(|id| has_fired_past(s, id, &targets));
    let bound = bound.or_else(|| has_fired_past(s, unit, &targets).then(|| unit.to_owned()));
    deny(bound.is_some(), format_args!("{} has fired at others", bound.as_deref().unwrap_or(unit)), "8.0")?;
    deny(u.going.supported, format_args!("{unit} supports another attack"), "8.2.1")?;
    let from = near(s, unit, at);
    let defensive = s.board.is_defensive(from, at);
    deny(assault && !defensive, format_args!("{at} is not Defensive Terrain: BAYONET"), "8.2.1")?;
    deny(!assault && defensive, format_args!("{at} is Defensive Terrain: ASSAULT"), "8.2.1")?;
    let again = targets.iter().any(|id| s.marks(id, s.active()).bayoneted);
    deny(!assault && again, format_args!("{at} has been attacked with the bayonet"), "8.2.1")
}

/// 8.0 Whether a unit has fired at others than these: it attacks whom it has fired at, or nobody. Guns are no attackers, and
/// what they have fired at binds nobody who stands with them.
fn has_fired_past(s: &State, unit: &str, targets: &[String]) -> bool {
    let past = |u: &Unit| u.going.shot.is_some() && !targets.iter().any(|id| u.going.shot_at.contains(id));
    !s.is_arm(unit, Arm::Art) && s.is(unit, past)
}

/// 8.0, 8.2.1, 8.3.1, 11.1.1 Who of a stack goes in: its foot that may begin a melee, has fired at nobody else, and supports no
/// other attack.
///
/// House: who may not is left out, as in a charge. He neither counts nor loses in the melee, stays where he is when the others
/// go in, or back, and may attack later if he can. Their fire strikes the stack, whose top unit loses first (8.5.1).
pub(super) fn attackers(s: &State, unit: &str, at: Hex) -> Vec<String> {
    let targets: Vec<String> = s.stack(at).into_iter().filter(|id| s.side(id) != s.side(unit)).collect();
    let able = |id: &String| may_begin(s, id).is_ok() && !s.is(id, |u| u.going.supported);
    let goes = |id: &String| !s.is_arm(id, Arm::Art) && able(id) && !has_fired_past(s, id, &targets);
    s.with(unit).into_iter().filter(goes).collect()
}

/// The hex of a unit that is nearest to another.
pub(super) fn near(s: &State, unit: &str, at: Hex) -> Hex {
    let hexes = s.pose(unit).map(|pose| pose.hexes()).unwrap_or_default();
    hexes.into_iter().min_by_key(|hex| (hex.distance(at), *hex)).unwrap_or(at)
}

/// 8.2.1, 8.3.1 Whether a unit stands next to a hex.
pub(super) fn is_beside(unit: &Unit, at: Hex) -> bool {
    unit.pose.is_some_and(|pose| pose.hexes().iter().any(|hex| hex.adjacent(at)))
}

/// 8.2.1, 8.3.1 Whether a unit may still support an attack.
///
/// House: a stack that has charged has made its attack, and supports none. The book says so of who bayonets or assaults, and a
/// charge spends a stack as they do. Who has supported may charge after it, for nothing forbids that.
pub(super) fn is_free(unit: &Unit) -> bool {
    unit.going.ready && !unit.going.attacked && !unit.going.supported && unit.level != Level::Rout
}

/// 8.2.1, 8.3.1 The units of stacks next to a hex that support an attack on it: those that are named, or all that can; none of
/// those that stand with who attacks.
pub(super) fn supporters(s: &State, attackers: &[String], at: Hex, named: Option<&[String]>) -> Vec<String> {
    let able = |id: &String, unit: &Unit| {
        let apart = !attackers.iter().any(|mate| s.with(mate).contains(id));
        is_beside(unit, at) && is_free(unit) && apart && named.is_none_or(|named| named.contains(id))
    };
    s.standing().filter(|(id, u, _)| able(id, u) && s.division(id) == s.active()).map(|(id, ..)| id.clone()).collect()
}

/// What a Pre-Melee Morale Check has in any case.
fn common(s: &State, unit: &str) -> Sum {
    let p = &s.board.charts.pre_melee;
    let mut sum = morale::spirit(s, unit, [p.shaken, p.unsteady, p.breakpoint]);
    sum.when(s.is_marching(unit), "strategic movement", p.strategic);
    sum.when(s.is_led(unit), "leader", p.leader);
    sum.add("fatigue", s.weary(unit).pre_melee);
    sum
}

/// 8.2.1, 8.3.1, 6.2.3, 8.4.2 The parts of the check of who attacks, or countercharges.
pub(super) fn attack_sum(s: &State, unit: &str, at: Hex, target: &str, stacks: usize) -> Sum {
    let mut sum = common(s, unit);
    let p = &s.board.charts.pre_melee;
    let support = i32::try_from(stacks).unwrap_or_default() * p.support.each;
    sum.add("support", support.max(p.support.most));
    sum.add("formation", row(&p.attacker, s.array(unit)));
    let from = near(s, unit, at);
    sum.add("ground", s.board.terrain(at).map_or(0, |t| t.into));
    let up = s.board.ground.field.level(at) > s.board.ground.field.level(from);
    let edges = s.board.edges(from, at).filter(|(bank, _)| !bank.is_slope() || up);
    sum.add("hexside", edges.map(|(_, edge)| edge.into).sum());
    let part = s.part(target, from).unwrap_or(Part::Front);
    sum.add(if part == Part::Flank { "on the flank" } else { "on the rear" }, by_part(&p.on, part));
    sum
}

/// 8.2.1, 8.3.1, 8.4.2 The parts of the check of who is attacked.
pub(super) fn defence_sum(s: &State, unit: &str, (attackers, comes): (&[String], Option<&Pose>), cost: bool) -> Sum {
    let mut sum = common(s, unit);
    let p = &s.board.charts.pre_melee;
    let Some((pose, side)) = s.pose(unit).zip(s.side(unit)) else { return sum };
    // R-34 Who has no flank has no support.
    let flank = pose.around(Part::Flank);
    let friend = |hex: &Hex| s.stack_of(*hex, side).iter().any(|id| !s.routs(id));
    sum.when(!s.routs(unit) && flank.iter().any(friend), "support", p.support.defender);
    sum.add("formation", row(&p.defender, s.array(unit)));
    let last = comes.and_then(|comes| comes.hexes().into_iter().min_by_key(|hex| (hex.distance(pose.head), *hex)));
    let from = |id: &String| last.unwrap_or_else(|| near(s, id, pose.head));
    let part = attackers.iter().filter_map(|id| s.part(unit, from(id))).max().unwrap_or(Part::Front);
    sum.add(if part == Part::Flank { "flank" } else { "rear" }, by_part(&p.by, part));
    sum.add(
        "ground",
        pose.hexes().iter().filter_map(|hex| s.board.terrain(*hex)).map(|t| t.within).min().unwrap_or_default(),
    );
    let sp = |ids: &[String]| ids.iter().filter(|id| !s.is_arm(id, Arm::Art)).map(|id| s.sp(id)).sum::<i32>();
    let (own, enemy) = (sp(&s.with(unit)), sp(attackers));
    let (two, three) = p.outnumbered;
    let many = if enemy >= 3 * own { three } else { two };
    sum.when(enemy >= 2 * own, "outnumbered", many);
    sum.when(cost, "the fire told", p.cost);
    sum
}

/// 8.2.1 A Pre-Melee Morale Check; by how much it fails.
pub(super) fn check(cx: &mut Hand<'_>, unit: &str, why: &str, sum: Sum) -> i32 {
    let need = cx.state().kind(unit).map_or(0, |kind| kind.morale);
    let die = die(cx, Die::PreMelee, unit);
    let by = die + sum.total() - need;
    cx.emit(Event::Checked { unit: unit.to_owned(), why: why.to_owned(), die, sum, need, passed: by <= 0 });
    by
}

/// 8.2.1, 8.4.2, R-32, R-46 What a check that has failed does to those for whom one die was rolled, as they stood before it: they
/// go in one chain, so that none of them checks for another. 7.1, 9.1.1 Those with whom they stand then are as they are.
pub(super) fn suffer(cx: &mut Hand<'_>, units: &[String], effect: Effect, from: &[Hex]) -> Play<()> {
    let s = cx.state();
    let level = |unit: &String| s.on(unit).map(|(u, kind, _)| (unit.clone(), u.level.down(effect.lose), kind.arm));
    let struck: Vec<(String, Level, Arm)> = units.iter().filter_map(level).collect();
    let goes = |level: Level| effect.lose > 0 && level >= Level::Unsteady;
    let falls = struck.iter().filter(|(_, level, _)| goes(*level));
    let falls: Vec<Fall> = falls.map(|(unit, level, _)| Fall { unit: unit.clone(), level: *level }).collect();
    for (unit, level, _) in &struck {
        if effect.disorder {
            stacking::disorder(cx, unit);
        }
        if effect.lose > 0 && !goes(*level) && cx.state().is(unit, |u| u.level < *level) {
            cx.emit(Event::Level { unit: unit.clone(), level: *level });
        }
    }
    let mut checked = Checked::of(&falls);
    morale::fall_in(cx, falls, from, &mut checked)?;
    for (unit, _, arm) in struck.iter().filter(|(_, level, _)| !goes(*level)) {
        if effect.back {
            retire::back_in(cx, unit, if *arm == Arm::Cav { 2 } else { 1 }, from, &mut checked)?;
        }
        if let Some(hex) = cx.state().hex(unit) {
            stacking::even(cx, hex);
        }
    }
    Ok(())
}

/// 8.2.1, 8.3.1 Routed defenders are eliminated when the attack is declared; guns alone as well, when it comes to them.
pub(super) fn sweep(cx: &mut Hand<'_>, defenders: &[String]) {
    for unit in defenders.iter().filter(|unit| cx.state().routs(unit)).cloned().collect::<Vec<_>>() {
        morale::gone(cx, &unit, End::Ridden);
    }
}

/// Who of some units is still in a hex.
pub(super) fn left(s: &State, units: &[String], at: Hex) -> Vec<String> {
    units.iter().filter(|unit| s.pose(unit).is_some_and(|pose| pose.is_in(at))).cloned().collect()
}

/// 8.2.1, 8.3.1, 8.4.2, R-50 Guns whose men have gone: unlimbered ones are lost, limbered ones go back.
pub(super) fn guns(cx: &mut Hand<'_>, defenders: &[String], at: Hex, from: &[Hex], alone: bool) -> Play<()> {
    let here = left(cx.state(), defenders, at);
    if here.iter().any(|unit| !cx.state().is_arm(unit, Arm::Art)) {
        return Ok(());
    }
    for unit in here {
        let limbered = cx.state().pose(&unit).is_some_and(|pose| pose.form == Form::Limbered);
        if limbered && !alone {
            retire::back(cx, &unit, 1, from)?;
        } else {
            morale::gone(cx, &unit, End::Taken);
        }
    }
    Ok(())
}

/// 7.1 Who of a stack has room in a hex, as the ground there lets it stand. Our reading: the top unit goes before the others, and
/// who lies lowest stays behind first; where even the top unit has no room, nobody goes.
fn fitting(s: &State, mut units: Vec<String>, at: Hex) -> Vec<String> {
    let closed = |id: &String| stacking::breaks(s, id, near(s, id, at), at);
    let broken = units.iter().any(closed).then(|| super::march::disordered(s, &units));
    let s = broken.as_ref().unwrap_or(s);
    while stacking::flaw(s, at, &units).is_some() {
        units.pop();
    }
    units
}

/// 8.2.1, 8.3.1, 8.4.2, R-35 Who has emptied a hex goes into it, as many as have room there (7.1); 6.5.3 a large counter with any
/// of its hexes that lies beside it, so that all of it comes to stand on the map, on ground that is open to it.
pub(super) fn advance(cx: &mut Hand<'_>, attackers: &[String], at: Hex) {
    let s = cx.state();
    if !s.stack(at).is_empty() {
        return;
    }
    let able: Vec<String> = attackers.iter().filter(|id| s.pose(id).is_some() && !s.routs(id)).cloned().collect();
    let able = fitting(s, able, at);
    let Some((top, pose)) = able.first().and_then(|top| Some((top, s.pose(top)?))) else { return };
    let leads = |from: Hex| {
        let dir = from.dir_to(at)?;
        let next = if pose.size > 1 { pose.stepped(dir) } else { Pose { head: at, second: None, ..pose } };
        let empty = next.hexes().iter().all(|hex| s.stack(*hex).iter().all(|id| able.contains(id)));
        (empty && (next.size < 2 || retire::fits(s, top, next))).then_some((from, next))
    };
    let mut beside = pose.hexes();
    beside.sort_unstable();
    if let Some((from, next)) = beside.into_iter().find_map(leads) {
        let left = cx.state().hexes(&able);
        morale::shift(cx, &able, from, next, How::Advance);
        morale::quit(cx, &able, &left);
    }
}

/// 8.2.1, 8.3.1 A stack attacks with the bayonet, or assaults.
pub(super) fn attack(cx: &mut Hand<'_>, unit: &str, at: Hex, named: Option<&[String]>, assault: bool) -> Play<()> {
    let division = cx.state().division(unit).to_owned();
    command::combat(cx, &division, Step::Melee)?;
    let s = cx.state();
    let attackers = attackers(s, unit, at);
    let defenders: Vec<String> = s.stack(at).into_iter().filter(|id| s.side(id) != s.side(unit)).collect();
    let support = supporters(s, &attackers, at, named);
    let mut stacks: Vec<Hex> = support.iter().filter_map(|id| s.hex(id)).collect();
    stacks.sort_unstable();
    stacks.dedup();
    let onset = if assault { Onset::Assault } else { Onset::Bayonet };
    let (units, targets) = (attackers.clone(), defenders.clone());
    cx.emit(Event::Attacked { onset, units, at, targets, support });
    sweep(cx, &defenders);
    let from = vec![near(cx.state(), unit, at)];
    if let (Some(top), Some(target)) = (attackers.first().cloned(), left(cx.state(), &defenders, at).first().cloned()) {
        let sum = attack_sum(cx.state(), &top, at, &target, stacks.len());
        let by = check(cx, &top, "attack", sum);
        let rows = cx.state().board.charts.pre_melee.results.attacker.clone();
        if let Some(effect) = effect(&rows, by) {
            // R-32 What the top unit rolls is for the stack.
            return suffer(cx, &attackers, effect, &[at]);
        }
        if !receive(cx, &attackers, &defenders, at, &from)? {
            return Ok(());
        }
        if assault && left(cx.state(), &defenders, at).iter().any(|id| !cx.state().is_arm(id, Arm::Art)) {
            melee::fight(cx, Bout { attackers: attackers.clone(), defenders: defenders.clone(), at, charge: None })?;
        }
    }
    guns(cx, &defenders, at, &from, false)?;
    advance(cx, &attackers, at);
    Ok(())
}

/// 8.2.1, 8.3.1 The fire of the defenders, or their going away; then their checks. Whether the attack goes on.
fn receive(cx: &mut Hand<'_>, attackers: &[String], defenders: &[String], at: Hex, from: &[Hex]) -> Play<bool> {
    let Some(top) = attackers.first() else { return Ok(false) };
    let before = cx.state().sp(top);
    let men = |s: &State| left(s, defenders, at).into_iter().filter(|id| !s.is_arm(id, Arm::Art)).collect::<Vec<_>>();
    if let [one] = men(cx.state()).as_slice()
        && evades(cx, one, top, at)?
        && left(cx.state(), defenders, at).is_empty()
    {
        return Ok(true);
    }
    // 8.2.1 Who stays in the hex may fire, though the skirmishers have gone out of it.
    let here = left(cx.state(), defenders, at);
    fire::repel(cx, &here, top)?;
    let stands = cx.state().is(top, |u| u.pose.is_some() && u.level < Level::Unsteady);
    if !stands {
        return Ok(false);
    }
    let cost = cx.state().sp(top) < before;
    if men(cx.state()).is_empty() {
        // 8.2.1 Guns alone are lost, limbered or not.
        guns(cx, defenders, at, from, true)?;
    }
    for unit in men(cx.state()) {
        if !cx.state().pose(&unit).is_some_and(|pose| pose.is_in(at)) {
            continue;
        }
        let sum = defence_sum(cx.state(), &unit, (attackers, None), cost);
        let by = check(cx, &unit, "defence", sum);
        let rows = cx.state().board.charts.pre_melee.results.defender.clone();
        if let Some(effect) = effect(&rows, by) {
            suffer(cx, &[unit], effect, from)?;
        }
    }
    Ok(true)
}

/// 6.2.1, 8.2.1, 8.3.1, R-29 Skirmishers who are attacked may go to a hex next to them that no enemy has in his front.
fn evades(cx: &mut Hand<'_>, unit: &str, against: &str, at: Hex) -> Play<bool> {
    let s = cx.state();
    let Some((_, kind, pose)) = s.on(unit) else { return Ok(false) };
    let Some(side) = s.side(unit).cloned() else { return Ok(false) };
    if pose.form != Form::Skirmish || s.is_marching(unit) {
        return Ok(false);
    }
    let from = s.hex(against).unwrap_or(at);
    let class = kind.class(Form::Skirmish);
    let free = |hex: &Hex| {
        let open = class.and_then(|class| super::march::price(s, class, pose.head, *hex)).is_some();
        let mut there = s.stack(*hex);
        there.push(unit.to_owned());
        open && !s.held_against(*hex, &side)
            && s.fronts_on(*hex, &side).is_empty()
            && stacking::flaw(s, *hex, &there).is_none()
    };
    let best = pose.head.neighbours().into_iter().filter(free).max_by_key(|hex| (hex.distance(from), *hex));
    let Some(dir) = best.and_then(|hex| pose.head.dir_to(hex)) else { return Ok(false) };
    let defensive = s.board.is_defensive(from, at);
    let facts = Facts { defensive, step: true, ..Facts::default() };
    if ask::put(cx, What::Evade, unit, against, facts)? != Choice::Yes {
        return Ok(false);
    }
    morale::swing(cx, &[unit.to_owned()], pose.stepped(dir), How::React);
    Ok(true)
}

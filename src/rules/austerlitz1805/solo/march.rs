//! 24.5, 24.6.2, 28.1.2, 28.2.1-28.2.4 Where units go: the objective, the order they have, and the line they keep.

use super::chart::Tactic;
use super::{fight, formation, groups, guns, plan};
use crate::plane::near::apart;
use crate::plane::{Heading, Spot};
use crate::rules::Ruleset;
use crate::rules::austerlitz1805::Austerlitz;
use crate::rules::austerlitz1805::board::{Arm, Place, Soil, UnitId};
use crate::rules::austerlitz1805::moves::{self, Move};
use crate::rules::austerlitz1805::muskets::in_arc;
use crate::rules::austerlitz1805::order::Order;
use crate::rules::austerlitz1805::table::{Face, Formation, Mood, Table, um};
use crate::rules::austerlitz1805::terrain::shelter;
use crate::rules::austerlitz1805::view::View;

/// 24.5.6 Infantry that is to fire ends so near to the enemy.
const VOLLEY: i32 = 400;
/// 24.5.1 A unit ends no farther ahead of its fellows than this.
const AHEAD: i32 = 1_000;
/// A holding unit goes onto ground that protects it if it is so near.
const POST: i32 = 3_000;
/// 28.1.8 A reserve relieves a weakened friend so near.
const RELIEF: i32 = 4_000;
/// Where a unit that is to charge waits, and where one that flanks an enemy goes.
const POISED: i32 = 1_500;
/// Ways round the blocking unit, in degrees off the straight one.
const ROUND: [i32; 7] = [0, 25, -25, 50, -50, 80, -80];
/// Less than this is not worth a move.
const LEAST: i32 = 100;

/// 24.6, 28.1.1, 28.2.1 The objective of a unit's corps; another place that counts where that is no place of the map.
pub fn objective<'v>(v: &'v View, id: &UnitId) -> Option<&'v Place> {
    let t = &v.table;
    let name = plan(v)?.objectives.get(&t.board.group(id));
    name.and_then(|name| t.board.place(name))
}

/// Places that count and that the enemy controls, the nearest to a unit first.
fn enemy_place<'v>(v: &'v View, id: &UnitId) -> Option<&'v Place> {
    let (t, me) = (&v.table, v.me());
    let held = t.board.places.iter().filter(|p| t.control.get(&p.name).is_some_and(|side| *side != me));
    held.min_by_key(|p| (apart(t.centre(id), p.at.fine()), p.name.clone()))
}

/// The gap from a unit to the nearest enemy chit.
pub fn nearest_chit(v: &View, id: &UnitId) -> Option<i32> {
    let (t, me) = (&v.table, v.me());
    let shape = t.shape(id);
    t.mist.chits.values().filter(|c| c.side != me).map(|c| t.chit_shape(c.at).gap(&shape).units()).min()
}

/// 28.1.7, 28.2.2, 28.2.7.1 Whether the plan lets a corps move at all.
pub fn corps_moves(v: &View, corps: &str) -> bool {
    let (t, me, Some(plan)) = (&v.table, v.me(), plan(v)) else { return true };
    if corps == plan.guard.corps && !v.own.np.guard {
        return false;
    }
    let Some(signal) = plan.signal.as_ref().filter(|_| !v.own.np.signal) else { return true };
    let named = |list: &[String]| list.iter().any(|c| c == corps);
    let lost = plan.guard.lost.iter().any(|p| t.control.get(p).is_some_and(|side| *side != me));
    // 28.2.7.1: the Guard moves in the fog too once it is activated.
    corps == plan.guard.corps || named(&signal.before) || (lost && named(&signal.relief))
}

/// 24.6.2, 28.1.7, 28.2.2 Whether a unit stays where it is: its corps does not move, or it holds its objective.
pub fn holds(v: &View, id: &UnitId) -> bool {
    let still = !corps_moves(v, &v.table.board.group(id)) || garrison(v, id);
    still && !groups::driven(v, id)
}

/// 24.6.2 Whether a unit is the one that holds its objective: the nearest of those upon it, while its side controls it.
pub fn garrison(v: &View, id: &UnitId) -> bool {
    let (t, me) = (&v.table, v.me());
    let Some(place) = objective(v, id).filter(|p| t.control.get(&p.name) == Some(&me)) else { return false };
    let far = |o: &UnitId| apart(t.centre(o), place.at.fine());
    let upon = |o: &UnitId| far(o).within(place.radius) && matches!(t.arm(o), Arm::Infantry | Arm::Artillery);
    let here = t.of_side(&me).map(|(o, _)| o).filter(|o| upon(o));
    here.min_by_key(|o| (t.arm(o), far(o), (*o).clone())) == Some(id)
}

/// 24.5.2, 24.5.3 Whether a unit has no wish to go on: it holds, or stands on its objective and defends it.
pub fn halted(v: &View, id: &UnitId) -> bool {
    let t = &v.table;
    let there = objective(v, id).is_some_and(|p| apart(t.centre(id), p.at.fine()).within(p.radius));
    holds(v, id) || (there && groups::defends(v))
}

/// 24.5.2 Whether a unit stands where the ground helps it, with an enemy to fire at.
fn well_placed(v: &View, id: &UnitId) -> bool {
    let t = &v.table;
    let cover = matches!(shelter(t, id), Some(Soil::Settlement | Soil::Fortification | Soil::Woods));
    cover && !crate::rules::austerlitz1805::muskets::static_targets(t, id).is_empty()
}

/// 28.1.8, 28.2.14 The weakened friend in front whom a reserve goes to relieve.
fn relieved(v: &View, id: &UnitId) -> Option<Spot> {
    let (t, me) = (&v.table, v.me());
    let reach = |o: &UnitId| t.nearest_enemy(o).map_or(i32::MAX, |e| t.gap(o, &e).units());
    let mine = reach(id);
    let fresh = t.unit(id).is_some_and(|u| u.mood == Mood::Fit && u.steps == 2);
    if !fresh || t.arm(id) != Arm::Infantry || mine <= FRONT_LINE {
        return None;
    }
    let weak = |(o, u): &(&UnitId, &crate::rules::austerlitz1805::table::Unit)| {
        let worn = u.mood >= Mood::D || u.steps < 2;
        *o != id && t.arm(o) == Arm::Infantry && worn && groups::nearer(t, id, o, RELIEF) && reach(o) < mine
    };
    let covered = |o: &UnitId| {
        let fit = |(f, u): (&UnitId, &crate::rules::austerlitz1805::table::Unit)| {
            f != o && f != id && u.mood == Mood::Fit && t.arm(f) == Arm::Infantry && groups::nearer(t, f, o, 500)
        };
        t.of_side(&me).any(fit)
    };
    let found = t.of_side(&me).filter(weak).filter(|(o, _)| !covered(o));
    found.min_by_key(|(o, _)| (t.gap(id, o), (*o).clone())).map(|(_, u)| u.pose.at)
}

/// A unit so near to an enemy is in the first line.
const FRONT_LINE: i32 = 2_000;

/// 24.5.9, 24.6, 28 Where a unit without an order of the tables goes.
fn goal(v: &View, id: &UnitId) -> Option<Spot> {
    let (t, me) = (&v.table, v.me());
    if let Some(spot) = relieved(v, id) {
        return Some(spot);
    }
    let own = objective(v, id);
    let taken = own.is_some_and(|p| t.control.get(&p.name) == Some(&me));
    match own {
        Some(place) if !taken || groups::defends(v) => Some(place.at),
        // The objective is held: on to the nearest that is not, then to the nearest enemy.
        _ => enemy_place(v, id).map(|p| p.at).or_else(|| {
            let enemy = t.nearest_enemy(id)?;
            t.unit(&enemy).map(|u| u.pose.at)
        }),
    }
}

/// 24.5.1, 28.1.2 How far a unit may go toward a place: no farther ahead than a little before the most advanced of its
/// fellows; not at all while its flank is open and fellows are still behind.
pub fn level(v: &View, id: &UnitId, goal: Spot) -> i32 {
    let (t, me) = (&v.table, v.me());
    let left = moves::left(t, id);
    let rest = |o: &UnitId| apart(t.centre(o), goal.fine()).units();
    let corps = t.board.group(id);
    let fellow = |(o, u): &(&UnitId, &crate::rules::austerlitz1805::table::Unit)| {
        *o != id && t.board.group(o) == corps && u.mood == Mood::Fit && t.arm(o) == Arm::Infantry
    };
    let fellows: Vec<&UnitId> = t.of_side(&me).filter(fellow).map(|(o, _)| o).collect();
    let mine = rest(id);
    if exposed(v, id) && fellows.iter().any(|o| rest(o) > mine + AHEAD) {
        return 0;
    }
    let could = |o: &&UnitId| (rest(o) - moves::left(t, o)).max(0);
    match fellows.iter().filter(|o| groups::nearer(t, id, o, 2 * RELIEF)).map(could).min() {
        Some(front) => left.min((mine - (front - AHEAD).max(0)).max(0)),
        None => left,
    }
}

/// 28.1.2 Whether an enemy stands off a unit's flank or rear, near enough to come at it, with no friend between.
pub fn exposed(v: &View, id: &UnitId) -> bool {
    let (t, me) = (&v.table, v.me());
    let enemy = |e: &UnitId| {
        let reach = if t.arm(e) == Arm::Cavalry { t.board.tables.moves.cavalry } else { t.board.tables.moves.infantry };
        matches!(t.arm(e), Arm::Infantry | Arm::Cavalry)
            && groups::nearer(t, id, e, reach)
            && t.face(id, t.front(e)) != Face::Front
    };
    let covered = |e: &UnitId| {
        t.of_side(&me).any(|(o, _)| {
            o != id
                && matches!(t.arm(o), Arm::Infantry | Arm::Cavalry)
                && t.gap(o, e) < t.gap(id, e)
                && groups::nearer(t, o, id, AHEAD)
        })
    };
    t.standing().any(|(e, u)| u.side != me && enemy(e) && !covered(e))
}

/// The place of the map nearest to a spot.
pub fn on_map(v: &View, at: Spot) -> Spot {
    let ground = &v.table.board.ground;
    Spot::new(at.x.clamp(0, ground.width), at.y.clamp(0, ground.height))
}

/// A march toward a place, round the blocking unit; the way that ends nearest to it.
pub fn advance(v: &View, id: &UnitId, goal: Spot, most: i32) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let from = t.centre(id);
    let far = apart(from, goal.fine()).units();
    let most = most.min(moves::left(t, id));
    let way = Heading::between(from, goal.fine())?;
    if most < LEAST || far < LEAST {
        return None;
    }
    let mut best: Option<(i32, String)> = None;
    for round in ROUND {
        let to = if round == 0 { goal } else { on_map(v, from.toward(way.turned(round), most.min(far)).spot()) };
        let mv = Move::Toward { goal: to, units: Some(most), face: None };
        let Ok(trace) = moves::trace(t, &me, id, &mv) else { continue };
        let rest = apart(trace.pose.at.fine(), goal.fine()).units();
        let gone = apart(trace.pose.at.fine(), from).units();
        if gone >= LEAST && rest + LEAST <= far && best.as_ref().is_none_or(|(least, _)| rest < *least) {
            // It writes how far the way goes: what bars it there is no news to who plans it.
            let units = if trace.halt.is_some() { trace.far() } else { most };
            best = Some((rest, format!("MOVE {id} TOWARD {to} {}UM", um(units))));
        }
        // Straight ahead and not stopped: no way round is better.
        if round == 0 && trace.halt.is_none() && best.is_some() {
            break;
        }
    }
    best.map(|(_, line)| line)
}

/// A turn toward a place that lies far off a unit's front, which a march would only circle.
pub fn turn(v: &View, id: &UnitId, goal: Spot) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let unit = t.unit(id)?;
    let off = unit.pose.facing.off(Heading::between(t.centre(id), goal.fine())?);
    let mv = match off.abs() {
        ..=75 => return None,
        76..=135 => Move::Turn(unit.pose.facing.turned(off.clamp(-90, 90))),
        _ if unit.spent == 0 => Move::About,
        _ => return None,
    };
    moves::trace(t, &me, id, &mv).ok()?;
    Some(match mv {
        Move::Turn(to) => format!("TURN {id} {to}"),
        _ => format!("ABOUT {id}"),
    })
}

/// 27.6 Back: out of the enemy's reach, keeping the front; who has turned his back marches on.
pub fn withdraw(v: &View, id: &UnitId) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let unit = t.unit(id)?;
    let enemy = t.nearest_enemy(id)?;
    if unit.spent > 0 || !groups::nearer(t, id, &enemy, super::chart(v)?.odds.reach) {
        return None;
    }
    let to = Heading::between(t.centre(id), t.centre(&enemy))?;
    if unit.pose.facing.off(to).abs() > 90 {
        let away = on_map(v, t.centre(id).toward(to.turned(180), moves::left(t, id)).spot());
        return advance(v, id, away, moves::left(t, id));
    }
    let units = moves::allowance(t, id) / 2;
    let trace = moves::trace(t, &me, id, &Move::Back { units }).ok()?;
    let gone = apart(trace.pose.at.fine(), t.centre(id)).units();
    let units = if trace.halt.is_some() { gone } else { units };
    (gone >= LEAST).then(|| format!("BACK {id} {}UM", um(units)))
}

/// 24.5.6 Infantry in line closes to musketry range.
fn close_in(v: &View, id: &UnitId) -> Option<String> {
    let t = &v.table;
    let enemy = t.enemies_of(id, |e, _| t.arm(e) != Arm::Hq).into_iter().next()?;
    let gap = t.gap(id, &enemy).units();
    let at = t.unit(&enemy)?.pose.at;
    if in_arc(t, id, &t.shape(&enemy)) {
        return None;
    }
    turn(v, id, at).or_else(|| advance(v, id, at, (gap - VOLLEY).min(level(v, id, at))))
}

/// 24.5.8 Cavalry goes to where an enemy shows his flank or rear, and turns to him there.
fn outflank(v: &View, id: &UnitId, on: &UnitId) -> Option<String> {
    let t = &v.table;
    let target = t.unit(on)?;
    if t.face(on, t.front(id)) != Face::Front && groups::nearer(t, id, on, 2 * POISED) {
        return turn(v, id, target.pose.at);
    }
    let spot = |right: i32| target.pose.at.fine().toward(target.pose.facing.turned(right), POISED).spot();
    let ground = &t.board.ground;
    let inside = |s: &Spot| s.x >= 0 && s.y >= 0 && s.x <= ground.width && s.y <= ground.height;
    let mut spots: Vec<Spot> = [90, -90, 180].into_iter().map(spot).filter(inside).collect();
    spots.sort_by_key(|s| (apart(t.centre(id), s.fine()), *s));
    spots.into_iter().find_map(|s| turn(v, id, s).or_else(|| advance(v, id, s, moves::left(t, id))))
}

/// 24.5.15 Cavalry that is to charge and cannot yet waits before its target, facing it.
fn poise(v: &View, id: &UnitId, on: &UnitId) -> Option<String> {
    let t = &v.table;
    let at = t.unit(on)?.pose.at;
    let gap = t.gap(id, on).units();
    turn(v, id, at).or_else(|| advance(v, id, at, (gap - POISED).min(level(v, id, at))))
}

/// 28.2.4, 25.2 A holding unit of infantry goes onto protecting ground beside it that nobody occupies yet.
fn post(v: &View, id: &UnitId) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    if t.arm(id) != Arm::Infantry || shelter(t, id).is_some() || formation::good_ground(v, id) {
        return None;
    }
    let walls = t.board.ground.areas.iter().filter(|a| matches!(a.soil, Soil::Settlement | Soil::Fortification));
    let free = |a: &&crate::rules::austerlitz1805::board::Area| {
        let near = a.shape.gap(&t.shape(id)).within(POST);
        near && !t.of_side(&me).any(|(o, _)| o != id && t.arm(o) != Arm::Hq && a.shape.holds(t.centre(o)))
    };
    let area = walls.filter(free).min_by_key(|a| (a.shape.gap(&t.shape(id)), a.name.clone()))?;
    let at = crate::rules::austerlitz1805::terrain::middle(&area.shape).spot();
    turn(v, id, at).or_else(|| advance(v, id, at, moves::left(t, id)))
}

/// 24.5 The next line of a unit in the Movement Phase; nothing where it has done what it wants.
pub fn line(v: &View, id: &UnitId) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    if moves::may_act(t, &me, id).is_err() || t.arm(id) == Arm::Hq {
        return None;
    }
    if t.arm(id) == Arm::Artillery {
        return guns::movement(v, id);
    }
    let holds = holds(v, id);
    let still = garrison(v, id) || plan(v).is_some_and(|p| p.guard.corps == t.board.group(id));
    let square = formation::wanted(v, id) == Some(Formation::Square);
    if let Some(line) = (holds && !still && !square).then(|| post(v, id)).flatten() {
        return Some(line);
    }
    if let Some(line) = formation::line(v, id) {
        return Some(line);
    }
    if t.unit(id).is_some_and(|u| u.form == Formation::Square) {
        return None;
    }
    if holds {
        return formation::face(v, id);
    }
    let standing = groups::order(v, id);
    let on = standing.and_then(|s| s.on.clone()).filter(|on| t.unit(on).is_some());
    match (standing.map(|s| s.tactic), on) {
        (Some(Tactic::Back), _) => withdraw(v, id),
        _ if well_placed(v, id) => formation::face(v, id),
        (Some(Tactic::Fire), _) => close_in(v, id),
        (Some(Tactic::Flank), Some(on)) => outflank(v, id, &on),
        (Some(Tactic::Charge), Some(on)) => poise(v, id, &on),
        (Some(Tactic::Assault), Some(on)) => {
            // 27.6: whoever does not assault engages by fire, and so keeps out of contact.
            let (at, gap) = (t.unit(&on)?.pose.at, t.gap(id, &on).units());
            turn(v, id, at).or_else(|| advance(v, id, at, level(v, id, at).min(gap - VOLLEY)))
        }
        _ => onward(v, id),
    }
}

/// 24.5, 24.5.3 Toward the objective, as far as the line goes; upon it the unit faces the enemy.
fn onward(v: &View, id: &UnitId) -> Option<String> {
    let goal = goal(v, id)?;
    turn(v, id, goal).or_else(|| advance(v, id, goal, level(v, id, goal))).or_else(|| formation::face(v, id))
}

/// 24.5.4 Whether a line leaves room for the assaults that are planned.
pub fn leaves_room(v: &View, line: &str, planned: &[fight::Attack]) -> bool {
    if planned.is_empty() {
        return true;
    }
    let read = crate::orders::bind(Austerlitz::verbs(), v, &crate::orders::line(0, line));
    let Ok(Order::Move(id, mv)) = read else { return true };
    let end = moves::trace(&v.table, &v.me(), &id, &mv);
    end.map_or(true, |end| fight::leaves_room(v, (&id, end.pose), planned))
}

/// 24.5.4, 24.5.5 The order in which units move: the farthest from the enemy first.
pub fn in_turn(v: &View) -> Vec<UnitId> {
    let (t, me) = (&v.table, v.me());
    let reach = |t: &Table, id: &UnitId| {
        let units = t.nearest_enemy(id).map(|e| t.gap(id, &e).units());
        units.into_iter().chain(nearest_chit(v, id)).min().unwrap_or(i32::MAX)
    };
    let mut ids: Vec<(i32, UnitId)> = t.of_side(&me).map(|(id, _)| (-reach(t, id), id.clone())).collect();
    ids.sort();
    ids.into_iter().map(|(_, id)| id).collect()
}

//! 13.10-13.11.3, 12.5.3, 5.3 Going back.

use super::board::{Area, Arm, Soil, UnitId};
use super::event::{End, Why};
use super::fog::uncover;
use super::hands::{Hand, driven, mark, stand, table};
use super::mist::ChitId;
use super::morale::{self, fall, gone, rout, set_mood};
use super::moves::Walk;
use super::muskets::in_arc;
use super::sight;
use super::table::{Formation, Mark, Mood, Pose, Table};
use super::tables::Back;
use super::terrain;
use crate::plane::shape::Shape;
use crate::plane::walk::{clear, moved, reach};
use crate::plane::{Fine, Heading, Size, Stand};
use crate::rules::Play;

/// What ends a retreat.
enum Met {
    Nothing,
    /// All whom it touches at once.
    Friends(Vec<UnitId>),
    Chit(ChitId),
    Enemy,
    Ground,
    Edge,
}

/// Where a retreat leads.
struct Course {
    to: Pose,
    form: Formation,
    met: Met,
    swept: Shape,
    /// What is left of the way.
    rest: i32,
    /// 5.2 It is a square, and its next step leads off clear ground.
    breaks: bool,
}

/// 6.2, 13.11, 13.11.3 A unit goes back 1 UM, straight away from what drives it: routed with its back turned, else
/// facing it. 13.11.1 It stops on touching a friend; 13.11.2, 19.6 where it can't go it is eliminated.
pub fn back(cx: &mut Hand<'_>, id: &UnitId, from: Fine, how: Back) -> Play<()> {
    let whole = table(cx).board.tables.moves.retreat;
    back_on(cx, id, from, how, whole)
}

/// So much of the way back as is left.
fn back_on(cx: &mut Hand<'_>, id: &UnitId, from: Fine, how: Back, whole: i32) -> Play<()> {
    let t = table(cx);
    if t.unit(id).is_none() {
        return Ok(());
    }
    if surrounded(t, id) {
        return gone(cx, id, End::Surrounded, from);
    }
    let course = course(t, id, from, how, whole);
    if let Met::Chit(chit) = &course.met {
        return over_chit(cx, id, chit, &course, (from, how));
    }
    let shaken = how != Back::Rout && shaken_square(t, id, &course.swept);
    super::hands::leave_combat(cx, id);
    let why = if how == Back::Rout { Why::Fled } else { Why::Retreated };
    if matches!(course.met, Met::Enemy | Met::Ground | Met::Edge) {
        driven(cx, id, why, course.to, course.form);
    } else {
        stand(cx, id, why, course.to, course.form, 0, &[]);
    }
    match course.met {
        Met::Enemy | Met::Ground => return gone(cx, id, End::NoRetreat, from),
        Met::Edge => return gone(cx, id, End::OffMap, from),
        _ if course.breaks => return break_square(cx, id, from),
        Met::Friends(friends) => return collide(cx, id, &friends, from),
        Met::Nothing | Met::Chit(_) => {}
    }
    if shaken {
        let now = table(cx).unit(id).map_or(Mood::Fit, |u| u.mood);
        fall(cx, id, if now == Mood::Fit { Mood::S } else { now }, from)?;
    }
    Ok(())
}

/// 13.11.1.1, 21.2 A chit in the way is uncovered at once. The unit stops at what it steps on; where there is nothing to step
/// on, or French infantry lets French horse pass, it goes on.
fn over_chit(cx: &mut Hand<'_>, id: &UnitId, chit: &ChitId, course: &Course, (from, how): (Fine, Back)) -> Play<()> {
    super::hands::leave_combat(cx, id);
    let why = if how == Back::Rout { Why::Fled } else { Why::Retreated };
    stand(cx, id, why, course.to, course.form, 0, &[]);
    match uncover::stepped_on(cx, id, chit)? {
        // 21.2: it opens its ranks.
        Some(friend) if !(rides(table(cx), id) && table(cx).arm(&friend) == Arm::Infantry) => {
            collide(cx, id, &[friend], from)
        }
        _ => {
            let rest = course.rest;
            back_on(cx, id, from, how, rest)
        }
    }
}

/// 5.2 How far of so many units a square goes back before a part of it would come, its place rounded to whole units, upon
/// other terrain; nothing where all the way is clear.
fn breaks(t: &Table, begin: Stand, size: Size, away: Heading, far: i32) -> Option<i32> {
    let there = |far: i32| Shape::block(Pose::of(moved(begin, away, far)).stand(), size);
    let off = |far: &i32| !terrain::clear(t, &there(*far));
    (0..=far).find(off).map(|first| (first - 1).max(0))
}

/// 5.2 A square that comes into other terrain is no square any more: at its border it routs as a column.
fn break_square(cx: &mut Hand<'_>, id: &UnitId, from: Fine) -> Play<()> {
    if let Some(pose) = table(cx).unit(id).map(|u| u.pose) {
        stand(cx, id, Why::Formed, pose, Formation::Column, 0, &[]);
    }
    rout(cx, id, from)
}

/// 13.11.2 Attacked in front and in rear.
fn surrounded(t: &Table, id: &UnitId) -> bool {
    let Some(combat) = t.combats.iter().find(|c| c.on == *id) else { return false };
    let faces: Vec<super::table::Face> =
        std::iter::once(&combat.lead).chain(&combat.support).map(|a| t.struck_by(id, a)).collect();
    faces.contains(&super::table::Face::Front) && faces.contains(&super::table::Face::Rear)
}

fn course(t: &Table, id: &UnitId, from: Fine, how: Back, whole: i32) -> Course {
    let (pose, form) = t
        .unit(id)
        .map_or((Pose { at: crate::plane::Spot::new(0, 0), facing: Heading::NORTH }, Formation::Staff), |u| {
            (u.pose, u.form)
        });
    let away = Heading::between(from, pose.at.fine()).unwrap_or(pose.facing.turned(180));
    // 5.2: a routed square is a column; 13.11.3: the others keep their front, or turn it to the enemy.
    let form = if how == Back::Rout && form == Formation::Square { Formation::Column } else { form };
    let facing = match how {
        Back::Rout => away,
        Back::Orderly | Back::Facing if t.face(id, from) == super::table::Face::Front => pose.facing,
        Back::Orderly | Back::Facing => away.turned(180),
    };
    let size = t.board.tables.size(form);
    let rides = rides(t, id);
    let side = t.side(id);
    let open = |o: &UnitId, friend: bool| {
        // 6.8: friends pass guns; 21.2: French cavalry passes French infantry; a staff gives way. A-44: the enemy's too, and is
        // none the worse for it: who goes back attacks nobody (13.1, 12.5.3.2).
        t.arm(o) == Arm::Hq || (friend && (t.arm(o) == Arm::Artillery || (rides && t.arm(o) == Arm::Infantry)))
    };
    let others: Vec<(&UnitId, bool)> =
        t.standing().filter(|(o, _)| *o != id).map(|(o, u)| (o, u.side == side)).collect();
    let solid: Vec<(&UnitId, bool)> = others.iter().copied().filter(|(o, friend)| !open(o, *friend)).collect();
    let passed: Vec<Shape> = others.iter().filter(|(o, friend)| open(o, *friend)).map(|(o, _)| t.shape(o)).collect();
    let mut shapes: Vec<Shape> = solid.iter().map(|(o, _)| t.shape(o)).collect();
    let chits: Vec<&ChitId> = t.mist.chits.keys().collect();
    shapes.extend(t.mist.chits.values().map(|c| t.chit_shape(c.at)));
    let around: Vec<Shape> = shapes.iter().chain(&passed).cloned().collect();
    let begin = turned(pose.stand(), facing, size, &around);
    // 7.1: whoever is passed is passed wholly, up to as far again.
    let upon = |far: &i32| Shape::block(Pose::of(moved(begin, away, *far)).stand(), size);
    let over = |far: &i32| passed.iter().any(|o| o.overlaps(&upon(far)));
    let most = (whole..2 * whole).find(|far| !over(far)).unwrap_or(2 * whole);
    let gone = reach(begin, size, away, most, &shapes);
    let far = if gone.stopped.is_some() { (gone.units - 1).max(0) } else { gone.units };
    let far = clear(begin, size, away, far, &shapes);
    // If there is no room beyond, it stays before whom it would pass.
    let free = |far: &i32| !over(far) && clear(begin, size, away, *far, &shapes) == *far;
    let far = (0..=far).rev().find(free).unwrap_or(far);
    let border = if form == Formation::Square { breaks(t, begin, size, away, far) } else { None };
    let far = border.map_or(far, |most| clear(begin, size, away, most, &around));
    let end = moved(begin, away, far);
    let swept = Shape::block(begin, size).swept(&Shape::block(end, size));
    let met = match gone.stopped.and_then(|at| solid.get(at)) {
        _ if border.is_some() => Met::Nothing,
        // 12.6.3: who is past the edge meets nobody beyond it.
        _ if terrain::outside(t, Pose::of(end).at.fine()) => Met::Edge,
        Some((friend, true)) => {
            let next = Shape::block(moved(begin, away, gone.units + 1), size);
            Met::Friends(touched(friend, &solid, &shapes, &next))
        }
        Some((_, false)) => Met::Enemy,
        None if let Some(chit) = gone.stopped.and_then(|at| chits.get(at.checked_sub(solid.len())?)) => {
            Met::Chit((*chit).clone())
        }
        None if barred(t, id, &begin, &swept) => Met::Ground,
        None => Met::Nothing,
    };
    let to = Pose::of(turned(Pose::of(end).stand(), facing, size, &around));
    Course { to, form, met, swept, rest: (whole - far).max(0), breaks: border.is_some() }
}

/// 13.11.1 The friend who stops a retreat, and all others whom it touches at once.
fn touched(friend: &UnitId, solid: &[(&UnitId, bool)], shapes: &[Shape], next: &Shape) -> Vec<UnitId> {
    let here = |((o, own), ground): (&(&UnitId, bool), &Shape)| {
        (*o == friend || (*own && ground.overlaps(next))).then(|| (*o).clone())
    };
    solid.iter().zip(shapes).filter_map(here).collect()
}

/// 7.1, 13.11.3 Turned about where it stands, if that brings it upon nobody; else with the front that it has.
fn turned(stand: Stand, facing: Heading, size: Size, others: &[Shape]) -> Stand {
    let about = Stand { heading: facing, ..stand };
    let (old, new) = (Shape::block(stand, size), Shape::block(about, size));
    if others.iter().any(|o| o.overlaps(&new) && !o.overlaps(&old)) { stand } else { about }
}

/// 21.2 Whether a unit goes back through friendly infantry.
fn rides(t: &Table, id: &UnitId) -> bool {
    t.board.options.grande_armee && t.arm(id) == Arm::Cavalry && french(t, id)
}

/// 10.6, 21.1 Whether a unit is French.
pub fn french(t: &Table, id: &UnitId) -> bool {
    t.spec(id).is_some_and(|s| s.nation == super::board::Nation::French)
}

/// 13.11.2 Ground on which a unit can't go back: water for all, works for horse.
fn barred(t: &Table, id: &UnitId, begin: &Stand, swept: &Shape) -> bool {
    let here = Shape::block(*begin, t.size(id));
    closed(t, id).any(|a| a.overlaps(swept) && !a.overlaps(&here))
}

/// 13.11.2 All such ground.
fn closed<'t>(t: &'t Table, id: &'t UnitId) -> impl Iterator<Item = &'t Shape> {
    t.board.ground.areas.iter().filter(|a| terrain::closed(t, id, a.soil)).map(|a| &a.shape)
}

/// 5.3 A square that goes back under the eyes of infantry or cavalry is shaken once more (A-47: by one state, to S where it
/// went back in order); Guard is not.
fn shaken_square(t: &Table, id: &UnitId, swept: &Shape) -> bool {
    if t.unit(id).is_none_or(|u| u.form != Formation::Square) || t.spec(id).is_some_and(|s| s.elite) {
        return false;
    }
    let ranges = &t.board.tables.ranges;
    let side = t.side(id);
    t.standing().filter(|(_, u)| u.side != side).any(|(e, _)| match t.arm(e) {
        Arm::Infantry => in_arc(t, e, swept),
        Arm::Cavalry => t.shape(e).gap(swept).within(ranges.charge) && sight::sees(t, e, id).is_ok(),
        Arm::Artillery | Arm::Hq => false,
    })
}

/// 12.9.6, 13.11.1, EX.3, A-16 A unit going back, in order too, touches friends, all at once: a router is eliminated, the friends
/// disorganized; else all are disorganized, and who was that already routs.
pub fn collide(cx: &mut Hand<'_>, id: &UnitId, friends: &[UnitId], from: Fine) -> Play<()> {
    let before = table(cx).unit(id).map(|u| u.mood);
    // EX.3, 19.2: a router is out before its friends are rolled for, and no die is rolled for it any more.
    let left = match before {
        Some(Mood::R) if table(cx).board.options.alternate_rout => Some(super::alternate::away(cx, id)),
        Some(Mood::R) => Some(morale::remove(cx, id, End::Collision)),
        _ => None,
    };
    for friend in friends {
        // 12.9.6: whom a friend runs through is in a rage no longer.
        mark(cx, friend, Mark::Rage, false);
        fall(cx, friend, Mood::D, from)?;
    }
    if let Some(left) = left {
        return morale::bereaved(cx, id, &left, from);
    }
    let now = table(cx).unit(id).map(|u| u.mood);
    match now {
        // 12.1: whom its friend's rout has carried off with it flees already, and is no better for the collision.
        None | Some(Mood::R) => Ok(()),
        Some(Mood::D) => {
            // It routs where it stands: the friend bars its way.
            let near = morale::neighbours(table(cx), id);
            set_mood(cx, id, Mood::R);
            morale::shock(cx, id, &near, from)
        }
        Some(_) => {
            set_mood(cx, id, Mood::D);
            Ok(())
        }
    }
}

/// 12.5.3, 12.5.3.1 In its own movement a routed unit goes on toward the nearest woods or settlement, A-18: by its whole
/// allowance and nowhere else; in cover it stays unless an enemy is within 2 UM. A-51: nobody flees over ground on which he
/// would die in a retreat (13.11.2).
pub fn flee_on(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let t = table(cx);
    let centre = t.centre(id);
    let near = t.board.tables.ranges.rout_pursuers;
    let within = terrain::shelter(t, id).filter(|soil| !terrain::closed(t, id, *soil));
    let covered = matches!(within, Some(Soil::Woods | Soil::Settlement));
    let chased = t.nearest_enemy(id).is_some_and(|e| t.within(id, &e, near));
    if covered && !chased {
        return Ok(());
    }
    // not to cover that an enemy is nearer to.
    let foes: Vec<Fine> = t.enemies_by_gap(id).iter().map(|e| t.centre(e)).collect();
    let open =
        |a: &Area| !terrain::closed(t, id, a.soil) && foes.iter().all(|e| a.shape.gap_to(*e) >= a.shape.gap_to(centre));
    let cover = match terrain::shelter(t, id) {
        None => terrain::nearest_cover(t, centre, &open),
        Some(_) => terrain::other_cover(t, centre, &open),
    };
    let Some(goal) = cover.map(|c| terrain::middle(&c.shape)) else { return Ok(()) };
    let Some(way) = Heading::between(centre, goal) else { return Ok(()) };
    let units = super::moves::allowance(t, id).min(crate::plane::near::apart(centre, goal).units());
    let pose = t.unit(id).map_or(Pose { at: centre.spot(), facing: way }, |u| u.pose);
    let (size, form) = (t.size(id), t.unit(id).map_or(Formation::Column, |u| u.form));
    let others = t.others(id);
    let begin = turned(pose.stand(), way, size, &others);
    // 6.8, 6.11: guns of its own side are passed, and by horse the enemy's too.
    let guns = |o: &UnitId| t.arm(o) == Arm::Artillery && (t.side(o) == t.side(id) || t.arm(id) == Arm::Cavalry);
    let (far, met) = straight(t, id, (begin, size), (way, units), &guns, closed(t, id).cloned().collect());
    let to = Pose::of(turned(Pose::of(moved(begin, way, far)).stand(), way, size, &others));
    if far > 0 {
        stand(cx, id, Why::Fled, to, form, 0, &[]);
    }
    match met {
        // 12.5.3: it can't avoid friends in its path, and who is shaken by it goes away from it.
        Some(friend) if table(cx).side(&friend) == table(cx).side(id) => {
            let here = table(cx).centre(id);
            collide(cx, id, &[friend], here)
        }
        _ => Ok(()),
    }
}

/// 6.10, 6.11, 12.6.3, 13.8, 13.11.1.1 Where a withdrawal ends: before what stands in its way, ground that is closed to horse, a
/// chit, or the edge of the map. Guns are ridden past, but not stood upon. It is a movement, and no retreat: a stream stops it
/// at the bank (6.10.2), and woods cost it double (6.10.1).
pub fn way_back(t: &Table, on: &UnitId) -> Option<(Heading, Pose)> {
    let pose = t.unit(on)?.pose;
    let (begin, most, away) = (pose.stand(), t.board.tables.ranges.withdraw, pose.facing.turned(180));
    let guns = |o: &UnitId| t.arm(o) == Arm::Artillery;
    let chits = t.mist.chits.values().map(|c| t.chit_shape(c.at));
    let areas = t.board.ground.areas.iter().filter(|a| !terrain::may_enter(t, on, a.soil)).map(|a| a.shape.clone());
    let bars = areas.chain(chits).collect();
    let most = Walk::begin(t, on, &[]).straight(away, most, most);
    let (far, _) = straight(t, on, (begin, t.size(on)), (away, most), &guns, bars);
    Some((away, Pose::of(moved(begin, away, far))))
}

/// 6.8-6.9, 6.11 How far a unit gets straight on, and who stops it: it ends a unit of length before whom it can't pass,
/// and upon nobody whom it can; nor upon `barred` ground, nor off the map.
fn straight(
    t: &Table,
    id: &UnitId,
    (begin, size): (Stand, Size),
    (way, most): (Heading, i32),
    passes: &dyn Fn(&UnitId) -> bool,
    barred: Vec<Shape>,
) -> (i32, Option<UnitId>) {
    let (passed, solid): (Vec<&UnitId>, Vec<&UnitId>) =
        t.standing().map(|(o, _)| o).filter(|o| *o != id).partition(|o| passes(o));
    let shapes = |of: &[&UnitId]| of.iter().map(|o| t.shape(o)).collect::<Vec<Shape>>();
    let bars: Vec<Shape> = shapes(&solid).into_iter().chain(barred.iter().cloned()).collect();
    let gone = reach(begin, size, way, most, &bars);
    let met = gone.stopped.and_then(|at| solid.get(at));
    let most = clear(begin, size, way, if met.is_some() { gone.units - 1 } else { gone.units }, &bars);
    let passed = shapes(&passed);
    let free = |far: &i32| {
        let end = moved(begin, way, *far);
        let there = Shape::block(Pose::of(end).stand(), size);
        !terrain::outside(t, end.at) && passed.iter().chain(&barred).all(|o| !o.overlaps(&there))
    };
    let far = (1..=most).rev().find(free).unwrap_or(0);
    // Who stands behind guns that it can't get past has not been met.
    (far, met.filter(|_| far == most.max(0)).map(|o| (*o).clone()))
}

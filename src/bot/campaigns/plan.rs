//! What each force is for: some guard places, some take places, and the rest is the army, which seeks a battle that it may
//! win and else stands together (¶137-146, 302-313, 411-416).

use super::Mind;
use super::aims::Place;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::combat::field;
use crate::rules::campaigns::march::column::Column;
use std::collections::BTreeMap;

/// Hexes that a force is reckoned to come in one march.
const DAY: u32 = 6;
/// Hexes that a force far from the enemy comes in one turn, by road: on foot, and on horseback.
const TURN: (u32, u32) = (8, 12);
/// From this boldness on guards come from afar: it is the odds that are asked for, so that more is less bold.
const CAREFUL: i32 = 92;
/// Enemies of less SP are no prey for an army.
const PREY: i32 = 4;
/// Nor are those of less than one part of this many of its own SP, but where a place to take or the own line is near.
const SMALL: i32 = 6;
/// SP that a task may get above twice of what it needs.
const TRIFLE: i32 = 4;
/// SP that may guard a dear place, be the army ever so small: a division.
const DIVISION: i32 = 5;
/// Enemies within this many hexes of the army face it.
const BEFORE: u32 = 12;
/// No more than one part of this many of all SP is sent after places.
const SENT: i32 = 3;

/// A force on the map that may march.
pub struct Body {
    /// Who leads it.
    pub leader: LeaderId,
    /// Where it stands.
    pub from: Hex,
    /// Its strength.
    pub sp: i32,
    /// What it may spend.
    pub column: Column,
    /// Where it may come this turn, each hex with the one before it.
    pub reach: BTreeMap<Hex, Hex>,
    span: Halves,
}

impl Body {
    /// The way to a hex in reach, both ends included.
    pub fn way(&self, to: Hex) -> Vec<Hex> {
        let mut way = vec![to];
        let mut here = to;
        while let Some(before) = self.reach.get(&here).filter(|_| here != self.from) {
            way.push(*before);
            here = *before;
        }
        way.reverse();
        way
    }
}

/// What a force is to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Stay.
    Hold,
    /// March to a hex, round the enemy.
    Go(Hex),
    /// The same, to take a place that brings points.
    Take(Hex),
    /// March to a hex next to an enemy, to attack him.
    Attack {
        /// Where it is to stand.
        at: Hex,
        /// Whom it attacks.
        foe: Hex,
    },
}

/// All forces of the phase, the strongest first, each with what it is to do.
pub fn tasks(mind: &Mind<'_>) -> Vec<(Body, Task)> {
    let mut free = bodies(mind);
    free.sort_by_key(|b| (-b.sp, b.leader.clone()));
    let chief = free.iter().max_by_key(|b| (b.span, b.sp)).map(|b| b.leader.clone());
    let mut tasks = guards(mind, &mut free, chief.as_ref());
    tasks.extend(takers(mind, &mut free, chief.as_ref()));
    let goal = |task: &Task| if let Task::Take(hex) = task { Some(*hex) } else { None };
    let sought: Vec<Hex> = tasks.iter().filter_map(|(_, task)| goal(task)).collect();
    tasks.extend(army(mind, free, &sought));
    tasks
}

fn bodies(mind: &Mind<'_>) -> Vec<Body> {
    let v = mind.v;
    let ready = |id: &LeaderId| !v.own.unemployed(id) && v.own.of_phase(&v.board, v.phase.army.as_ref(), id);
    let body = |(leader, from): (&LeaderId, Hex)| {
        let column = Column::of(&v.board, &v.own, &v.own.force(leader));
        let (sp, span) = (v.own.sp(leader), v.own.span(&v.board, leader));
        Body { leader: leader.clone(), from, sp, reach: mind.reach(from, &column), column, span }
    };
    v.own.on_map().filter(|(id, _)| ready(id)).map(body).collect()
}

/// Takes the force at a place in a list out of it.
fn take(free: &mut Vec<Body>, leader: &LeaderId) -> Option<Body> {
    let at = free.iter().position(|b| b.leader == *leader)?;
    Some(free.remove(at))
}

/// One small force for each place that is endangered: who stands there stays, and where much is at stake one comes. The
/// less is at stake, the smaller it is; what would win a battle elsewhere guards nothing.
fn guards(mind: &Mind<'_>, free: &mut Vec<Body>, chief: Option<&LeaderId>) -> Vec<(Body, Task)> {
    let mut places: Vec<_> = mind.places().into_iter().filter(|p| p.stake > 0).collect();
    places.sort_by_key(|p| (-p.stake, p.hex));
    let all: i32 = free.iter().map(|b| b.sp).sum();
    // The bolder it is, the less it detaches.
    let careful = mind.boldness >= CAREFUL;
    let mut tasks = Vec::new();
    for place in places {
        let dear = place.stake > 1;
        let far = mind.far(place.hex);
        // Nobody can come there in time.
        if far > BEFORE.min(mind.turns_left() * TURN.0) {
            continue;
        }
        let need = need(mind, place.hex);
        let most = (all * place.stake.min(3) / 12).min(need * 2 + TRIFLE).max(if dear { DIVISION } else { 0 });
        let fit = |b: &&Body| b.sp <= most && Some(&b.leader) != chief;
        // Who comes must be there no later than the enemy, and be no trifle to him.
        let comes = |b: &Body| b.sp >= need && b.from.distance(place.hex) <= if careful { far.max(DAY) } else { DAY };
        let near = |b: &&Body| b.from == place.hex || (dear && comes(b));
        let guard = free.iter().filter(fit).filter(near).min_by_key(|b| (b.from.distance(place.hex), b.sp));
        let Some(body) = guard.map(|b| b.leader.clone()).and_then(|leader| take(free, &leader)) else { continue };
        let task = if body.from == place.hex { Task::Hold } else { Task::Go(place.hex) };
        tasks.push((body, task));
    }
    tasks
}

/// SP that hold a place: half of the nearest enemy, and in a citadel enough that it does not surrender (¶413).
fn need(mind: &Mind<'_>, hex: Hex) -> i32 {
    let foe = mind.foes.iter().filter(|(_, sp)| *sp > 0).min_by_key(|(foe, _)| foe.distance(hex));
    let half = foe.map_or(0, |(_, sp)| sp / 2);
    let walls = mind.v.board.tables.citadels.surrenders_at(hex) + 1 - mind.v.own.sp_at(hex);
    if mind.sit.citadel(hex) { half.max(walls) } else { half }
}

/// Forces that march to places which bring points, each as small as will do.
fn takers(mind: &Mind<'_>, free: &mut Vec<Body>, chief: Option<&LeaderId>) -> Vec<(Body, Task)> {
    let all: i32 = free.iter().map(|b| b.sp).sum();
    let mut sent = 0;
    let mut places: Vec<_> = mind.places().into_iter().filter(|p| p.gain > 0).collect();
    let mut tasks = Vec::new();
    loop {
        let mut best: Option<(i32, usize, LeaderId)> = None;
        for (n, place) in places.iter().enumerate() {
            let need = mind.foe_near(place.hex, 1) * 3 / 2 + 1;
            for body in free.iter().filter(|b| Some(&b.leader) != chief) {
                let far = body.from.distance(place.hex);
                let turns = far.div_ceil(if body.column.all_horse() { TURN.1 } else { TURN.0 });
                let dear = body.sp > need * 2 + TRIFLE && far > DAY;
                if body.sp < need || dear || turns > mind.turns_left() || (sent + body.sp) * SENT > all {
                    continue;
                }
                let taste = mind.noise.below(&format!("take {} {}", body.leader, place.hex), 10);
                let worth = place.gain * (100 + taste) / i32::try_from(turns + 1).unwrap_or(99) - body.sp;
                if best.as_ref().is_none_or(|(known, _, _)| worth > *known) {
                    best = Some((worth, n, body.leader.clone()));
                }
            }
        }
        let Some((_, n, leader)) = best else { break };
        let place = places.remove(n);
        let Some(body) = take(free, &leader) else { break };
        sent += body.sp;
        tasks.push((body, Task::Take(place.hex)));
    }
    tasks
}

/// The army: an attack with all that comes up in a day where the odds are good enough; else it stands together.
fn army(mind: &Mind<'_>, mut bodies: Vec<Body>, sought: &[Hex]) -> Vec<(Body, Task)> {
    let Some(heart) = heart(&bodies) else { return Vec::new() };
    bodies.sort_by_key(|b| (std::cmp::Reverse(b.span), -b.sp, b.leader.clone()));
    let head = bodies.first().map(|b| b.leader.clone());
    bodies.sort_by_key(|b| (Some(&b.leader) != head.as_ref(), -b.sp, b.leader.clone()));
    if let Some(assault) = prey(mind, &bodies, heart) {
        let middle = assault.seats.iter().flatten().next().copied().unwrap_or(heart);
        let task = |seat: Option<Hex>| match seat {
            Some(at) => Task::Attack { at, foe: assault.foe },
            // ¶318: behind the others, for the next day.
            None => Task::Go(middle),
        };
        return bodies.into_iter().zip(&assault.seats).map(|(body, seat)| (body, task(*seat))).collect();
    }
    let all: i32 = bodies.iter().map(|b| b.sp).sum();
    let faced = mind.foe_near(heart, BEFORE);
    let stands = faced * mind.boldness > all * 100;
    let goal = if stands { position(mind, heart) } else { onward(mind, &bodies, heart, sought) };
    let stand = |b: Body| {
        let there = b.from == goal || (stands && b.from.distance(goal) <= 2);
        (b, if there { Task::Hold } else { Task::Go(goal) })
    };
    bodies.into_iter().map(stand).collect()
}

/// Where most of the army is: the hex with most of it in a day's march.
fn heart(bodies: &[Body]) -> Option<Hex> {
    let near =
        |hex: Hex, most: u32| -> i32 { bodies.iter().filter(|b| b.from.distance(hex) <= most).map(|b| b.sp).sum() };
    bodies.iter().map(|b| b.from).max_by_key(|hex| (near(*hex, DAY), near(*hex, 1), std::cmp::Reverse(*hex)))
}

/// The attack that promises most, if any is worth it.
fn prey(mind: &Mind<'_>, bodies: &[Body], heart: Hex) -> Option<Assault> {
    let places = mind.places();
    let all: i32 = bodies.iter().map(|b| b.sp).sum();
    let worth = |assault: &Assault| -> Option<i32> {
        let odds = assault.own * 100 / assault.against.max(1);
        // Whom enough stand next to is attacked as it is (¶299); and an empty name may hold them there for ever.
        let placed = bodies.iter().zip(&assault.seats).filter(|(body, seat)| **seat == Some(body.from));
        let ready: i32 = placed.map(|(body, _)| body.sp).sum();
        if odds < mind.boldness || ready * 100 >= assault.against * mind.boldness {
            return None;
        }
        let foe = assault.foe;
        let near = places.iter().filter(|p| p.hex.distance(foe) <= 2).map(|p| 10 * (p.gain + p.stake)).sum::<i32>();
        let line = if mind.on_the_line(foe) { 10 } else { 0 };
        let pays = line > 0 || places.iter().any(|p| p.gain > 0 && p.hex.distance(foe) <= 2);
        if !pays && assault.against * SMALL < all {
            return None;
        }
        let far = i32::try_from(foe.distance(heart)).unwrap_or(99);
        let taste = mind.noise.below(&format!("prey {foe}"), 10);
        Some(near + line + assault.against.min(assault.own) + odds.min(200) / 10 + taste - far)
    };
    let real = mind.foes.iter().filter(|(_, sp)| *sp >= PREY);
    let found = real.map(|(foe, _)| assault(mind, *foe, bodies)).filter_map(|a| Some((worth(&a)?, a)));
    found.max_by_key(|(worth, a)| (*worth, std::cmp::Reverse(a.foe))).map(|(_, a)| a)
}

/// Where the army stands in the face of the enemy: at the dearest place near by, else where it is.
fn position(mind: &Mind<'_>, heart: Hex) -> Hex {
    let near = mind.places().into_iter().filter(|p| p.stake > 1 && p.hex.distance(heart) <= DAY);
    near.max_by_key(|p| (p.stake, std::cmp::Reverse(p.hex.distance(heart)))).map_or(heart, |p| p.hex)
}

/// Where the army goes when nobody is before it: to what brings most, be it a place or the enemy. An own place draws it
/// only where an enemy who is stronger than its guard may come in a day; where nobody threatens there is nothing to do.
fn onward(mind: &Mind<'_>, bodies: &[Body], heart: Hex, sought: &[Hex]) -> Hex {
    let all: i32 = bodies.iter().map(|b| b.sp).sum();
    let far = |hex: Hex| i32::try_from(hex.distance(heart)).unwrap_or(99) + 6;
    let beaten = |hex: Hex| all * 100 >= mind.foe_near(hex, 2) * mind.boldness;
    let draws = |p: &Place| {
        let open = beaten(p.hex) && !sought.contains(&p.hex);
        let gain = if open && p.hex.distance(heart) <= mind.turns_left() * TURN.0 { p.gain } else { 0 };
        let feared = mind.foe_near(p.hex, DAY) > mind.own_near(p.hex, 1);
        gain * 3 + if feared { p.stake } else { 0 }
    };
    let places = mind.places().into_iter().map(|p| (draws(&p) * 100 / far(p.hex), p.hex));
    let weaker = mind.foes.iter().filter(|(foe, sp)| *sp >= PREY && beaten(*foe));
    let prey = weaker.map(|(foe, sp)| (sp.min(&30) * 10 / far(*foe), *foe));
    let all = places.chain(prey).filter(|(worth, _)| *worth > 0);
    all.max_by_key(|(w, hex)| (*w, std::cmp::Reverse(*hex))).map_or(heart, |(_, hex)| hex)
}

/// An attack as it may be made this turn.
struct Assault {
    foe: Hex,
    /// Where each body would stand; nothing for who cannot come.
    seats: Vec<Option<Hex>>,
    /// SP that come, those who have no command by their chance.
    own: i32,
    /// SP that must be fought (¶299).
    against: i32,
}

/// ¶143-144, 302-306 Who goes where round an enemy hex: the head of the army first and in the middle, the strongest next to
/// him, so that he commands them all.
fn assault(mind: &Mind<'_>, foe: Hex, bodies: &[Body]) -> Assault {
    let open = |at: &Hex| field::can_fight(&mind.sit, *at, foe) && !mind.sit.enemy.contains_key(at);
    let ring: Vec<Hex> = mind.v.board.map.neighbours(foe).into_iter().filter(open).collect();
    let mut full: BTreeMap<Hex, Stack> = BTreeMap::new();
    let mut found = Assault { foe, seats: Vec::new(), own: 0, against: 0 };
    let mut ap = mind.v.own.army.ap;
    let mut middle: Option<Hex> = None;
    for body in bodies {
        let there = |at: &Hex| full.get(at).map_or(&[][..], Vec::as_slice);
        let comes = |at: &&Hex| **at == body.from || (!body.from.adjacent(foe) && body.reach.contains_key(at));
        let price = |at: &Hex| {
            let apart = middle.map_or(0, |m| m.distance(*at)).saturating_sub(1);
            let far = at.distance(body.from) + 3 * apart + 2 * u32::from(!there(at).is_empty());
            mind.foe_near(*at, 1) - mind.foe_at(foe) + i32::try_from(far).unwrap_or(99)
        };
        let seats = ring.iter().filter(comes).filter(|at| fits(mind, there(at), body));
        let seat = seats.min_by_key(|at| (price(at), **at)).copied();
        if let Some(at) = seat {
            let sure = at == body.from || (ap > 0 && !mind.in_zone(body.from));
            ap -= i32::from(at != body.from);
            let chance = mind.v.own.initiative(&mind.v.board, &body.leader).clamp(1, 6);
            found.own += if sure { body.sp } else { body.sp * chance / 6 };
            middle = middle.or(Some(at));
            full.entry(at).or_default().push((body.leader.clone(), body.sp));
        }
        found.seats.push(seat);
    }
    let beside = |hex: &Hex| full.keys().any(|at| at.adjacent(*hex) && field::can_fight(&mind.sit, *at, *hex));
    found.against = mind.foes.iter().filter(|(hex, _)| beside(hex)).map(|(_, sp)| sp).sum();
    found
}

/// Who would stand in a hex: leaders with what they command.
pub type Stack = Vec<(LeaderId, i32)>;

/// ¶138, 293 Whether one leader can command a force and those in a hex, and the hex holds them.
pub fn fits(mind: &Mind<'_>, there: &[(LeaderId, i32)], body: &Body) -> bool {
    if there.is_empty() {
        return true;
    }
    let (own, board) = (&mind.v.own, &mind.v.board);
    let sp: i32 = there.iter().map(|(_, sp)| sp).sum::<i32>() + body.sp;
    let heads = || there.iter().map(|(leader, _)| leader).chain([&body.leader]);
    let all: Vec<LeaderId> = heads().flat_map(|head| own.force(head)).collect();
    let commands = |head: &LeaderId| {
        let others: Vec<LeaderId> = all.iter().filter(|l| *l != head).cloned().collect();
        own.can_command(board, head, &others)
    };
    sp <= board.policies.stack_sp && heads().any(commands)
}

//! 13.1, 13.12.3.1, 13.13 The way to contact as it is ordered: where it strikes, beside whom, how near if it does not reach.

use super::assault;
use super::board::UnitId;
use super::moves::contact::{self, Pair, Side, Tries};
use super::moves::{self, MARKER_TURN, Move, Trace, Walk};
use super::table::{Table, um};
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::shape::Shape;
use crate::plane::{Heading, UM};
use crate::rules::Outcome;

/// 13.13 What part a unit is to have in an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It leads.
    Lead,
    /// It leads if its combat modifier is better than the leader's.
    Best,
    /// It never leads.
    Support,
}

/// 13.1 An attack as it is ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Onset {
    /// Who goes, in the order named.
    pub by: Vec<UnitId>,
    /// At whom.
    pub on: UnitId,
    /// What part they have in it.
    pub part: Part,
    /// Where it is to strike.
    pub side: Option<Side>,
    /// Others of one's own to whom room is left.
    pub mates: Vec<UnitId>,
    /// Those who attack the same enemy by lines of their own below this one.
    pub joined: Vec<UnitId>,
    /// Marker by marker at the enemy's middle, whatever else there is.
    pub straight: bool,
    /// 10.4.3.4 Half of one face for each of two.
    pub halves: bool,
    /// Out of reach they go near instead.
    pub near: bool,
}

impl Onset {
    /// The plain attack of one unit.
    pub fn of(id: &UnitId, on: &UnitId, part: Part) -> Onset {
        Onset::by(vec![id.clone()], on.clone(), part)
    }

    /// The plain attack of some units.
    pub fn by(by: Vec<UnitId>, on: UnitId, part: Part) -> Onset {
        let (mates, joined) = (Vec::new(), Vec::new());
        Onset { by, on, part, side: None, mates, joined, straight: false, halves: false, near: false }
    }

    /// Who goes first of two whose ways cross.
    pub fn order(&self, t: &Table) -> Vec<UnitId> {
        let mut by = self.by.clone();
        if let [a, b] = self.by.as_slice()
            && contact::pair(t, (a, b), &self.on, tries(self.halves)).is_some_and(|p| p.turned)
        {
            by.reverse();
        }
        by
    }
}

/// How one unit goes to contact.
#[derive(Clone, Debug, Default)]
pub struct How {
    /// Where it is to strike.
    pub side: Option<Side>,
    /// Who comes after it, and wants room.
    pub mates: Vec<UnitId>,
    /// Marker by marker at the middle.
    pub straight: bool,
    /// 10.4.3.4 Half of one face for each of two.
    pub halves: bool,
}

fn tries(halves: bool) -> Tries {
    if halves { Tries::Half } else { Tries::Attack }
}

/// 13.13 Who of an attack goes after whom, and beside which others.
pub fn turns(t: &Table, onset: &Onset) -> Vec<(UnitId, How)> {
    let by = onset.order(t);
    let how = |n: usize| {
        let mates = by.iter().skip(n + 1).chain(&onset.joined).chain(&onset.mates).cloned().collect();
        How { side: onset.side, mates, straight: onset.straight, halves: onset.halves }
    };
    by.iter().enumerate().map(|(n, id)| (id.clone(), how(n))).collect()
}

/// 13.1 Where nobody of an attack reaches the enemy, and that is wanted: how each goes near him; nothing for who is near.
pub fn nearer(t: &Table, side: &SideId, onset: &Onset) -> Option<Vec<(UnitId, Option<Move>)>> {
    let how = How { side: onset.side, straight: onset.straight, ..How::default() };
    let reaches =
        |id: &UnitId| assault::may_attack(t, side, id, &onset.on).is_ok() && way(t, id, &onset.on, &how).is_ok();
    if !onset.near || onset.by.iter().any(reaches) {
        return None;
    }
    Some(onset.by.iter().map(|id| (id.clone(), near(t, id, &onset.on))).collect())
}

/// What is said of one who is told to go near an enemy and is.
pub fn near_enough(id: &UnitId, on: &UnitId) -> Outcome {
    let why = format!("{id} is as near to {on} as it may come without contact");
    Outcome::Failed { why, rule: "13.1".to_owned() }
}

/// 13.13 Why nobody can only support.
pub fn unled(on: &UnitId) -> Fault {
    let why = format!("nobody of yours attacks {on}, so there is nothing to support; ATTACK leads");
    Fault::refused(why, "13.13")
}

/// What is said of those of an attack who can't go: it is refused where nobody went.
pub fn unmet(faults: Vec<Fault>, came: bool) -> Option<Outcome> {
    let mut faults = faults.into_iter();
    let first = faults.next()?;
    match first {
        Fault::Refused { why, rule, .. } if came => {
            let more = faults.filter_map(|f| if let Fault::Refused { why, .. } = f { Some(why) } else { None });
            let why = std::iter::once(why).chain(more).collect::<Vec<_>>().join("; ");
            Some(Outcome::Failed { why, rule })
        }
        first => Some(first.into()),
    }
}

/// 13.1, 13.13 The way to contact: beside whoever comes after it, if both find room; else the best of what a player would
/// try; else straight at the enemy's middle.
///
/// # Errors
/// How much is missing, or what is in the way.
pub fn way(t: &Table, id: &UnitId, on: &UnitId, how: &How) -> Result<Trace, Fault> {
    if how.straight {
        return direct(t, id, on);
    }
    let may = |mate: &&UnitId| t.unit(mate).is_some() && !t.touch(mate, on) && *mate != id;
    if how.side.is_none() {
        let beside = |mate: &UnitId| contact::pair(t, (id, mate), on, tries(how.halves)).filter(|p| !p.turned);
        if let Some(Pair { first, .. }) = how.mates.iter().filter(may).find_map(beside) {
            return Ok(first.way);
        }
    }
    if let Some(found) = contact::best(t, id, on, Tries::Attack, how.side) {
        return match how.side {
            Some(Side::On(face)) if found.face != face => {
                let why = format!("{id} finds no way to that face of {on}, only to its {}", found.face.word());
                Err(Fault::refused(why, "13.1"))
            }
            _ => Ok(found.way),
        };
    }
    direct(t, id, on)
}

/// 10.4.3.4 Whether two attackers can have half of one face each.
///
/// # Errors
/// What is missing.
pub fn halves(t: &Table, onset: &Onset) -> Result<(), Fault> {
    let [a, b] = onset.by.as_slice() else {
        return Err(Fault::refused("HALF is for two attackers: ATTACK A AND B AT enemy HALF", "10.4.3.4"));
    };
    match contact::pair(t, (a, b), &onset.on, Tries::Half) {
        Some(pair) if pair.halves => Ok(()),
        Some(_) => {
            let why = format!("{a} and {b} both reach {}, but cannot cover half of one face each", onset.on);
            Err(Fault::refused(why, "10.4.3.4"))
        }
        None => Err(Fault::refused(format!("{a} and {b} do not both reach {}", onset.on), "10.4.3.4")),
    }
}

/// Whether a unit could come to touch a piece of ground at all with what it has left, were nothing in its way.
pub fn may_meet(t: &Table, id: &UnitId, ground: &Shape) -> bool {
    // Whatever it turns, no corner is farther from the middle of its front; rounding adds a unit for each marker.
    let (size, budget) = (t.size(id), moves::left_by_road(t, id));
    let reach = budget + t.board.tables.contact + size.front / 2 + size.depth + budget / UM + 10;
    ground.gap_to(t.front(id)).within(reach)
}

/// 13.1 The way to contact without another word, if there is one: straight at the middle if that serves, else what one turn
/// brings.
pub fn approach(t: &Table, id: &UnitId, on: &UnitId) -> Option<Trace> {
    if !may_meet(t, id, &t.shape(on)) {
        return None;
    }
    direct(t, id, on).ok().or_else(|| contact::best(t, id, on, Tries::Charge, None).map(|c| c.way))
}

/// Out of reach: as near as the unit may come in the open, 1/2 UM at the nearest.
pub fn near(t: &Table, id: &UnitId, on: &UnitId) -> Option<Move> {
    let far = t.gap(id, on).units() - t.board.tables.ranges.musketry;
    let goal = t.unit(on).map(|u| u.pose.at)?;
    let units = far.min(moves::left(t, id));
    (units > 0).then_some(Move::Toward { goal, units: Some(units), face: None })
}

/// 13.1, 6.10.3 Marker by marker at the middle of the enemy, as far as the allowance goes; by road alone a column goes farther.
///
/// # Errors
/// How much is missing, or what is in the way.
fn direct(t: &Table, id: &UnitId, on: &UnitId) -> Result<Trace, Fault> {
    let (plain, road) = (moves::left(t, id), moves::left_by_road(t, id));
    let by_road =
        (road > plain).then(|| straight_at(t, id, on, road).ok().filter(|way| way.affordable(t, id))).flatten();
    by_road.map_or_else(|| straight_at(t, id, on, plain), Ok)
}

fn straight_at(t: &Table, id: &UnitId, on: &UnitId, budget: i32) -> Result<Trace, Fault> {
    let touch = [on.clone()];
    let mut walk = Walk::begin(t, id, &touch);
    let target = t.shape(on);
    let contact = t.board.tables.contact;
    let goal = t.centre(on);
    while !walk.shape().near(&target, contact) && walk.halt.is_none() && walk.cost() < budget {
        let Some(to) = Heading::between(walk.front(), goal) else { break };
        let turn = walk.facing().off(to).clamp(-MARKER_TURN, MARKER_TURN);
        let turn = if walk.may_turn(budget) { turn } else { 0 };
        walk.leg(turn, UM.min(budget - walk.cost()), budget);
    }
    let fronts = walk.fronts(&target, contact);
    // 6.11, 7.1: guns that it rides past may leave it no place to stand at the end.
    let way = walk.end();
    let gap = Shape::block(way.pose.stand(), t.size(id)).gap(&target);
    if gap.within(contact) {
        if fronts {
            return Ok(Trace { halt: None, ..way });
        }
        return Err(Fault::refused(format!("{id} comes alongside {on}, not up to it with its front"), "13.1"));
    }
    let short = um(gap.units());
    Err(match &way.halt {
        None => Fault::refused(format!("{id} comes {short} UM short of {on} with {} UM", um(budget)), "6.2"),
        Some(halt) => {
            let (why, rule) = moves::halt_words(halt);
            Fault::refused(format!("{id} comes {short} UM short of {on}: {why}"), rule)
        }
    })
}

/// 13.12.3.1 A charge runs in one straight line: the first marker may turn, no later one.
///
/// # Errors
/// How much is missing, or what is in the way.
pub fn gallop(t: &Table, id: &UnitId, on: &UnitId) -> Result<Trace, Fault> {
    if let Some(found) = contact::best(t, id, on, Tries::Charge, None) {
        return Ok(found.way);
    }
    let bearing = Heading::between(t.front(id), t.centre(on));
    let off = bearing.and_then(|to| t.unit(id).map(|u| u.pose.facing.off(to))).unwrap_or(0);
    if off.abs() > MARKER_TURN {
        let why = format!("{on} lies {} degrees off the front of {id}; a charge is straight", off.abs());
        return Err(Fault::refused(why, "13.12.3.1"));
    }
    match direct(t, id, on) {
        Err(fault) => Err(fault),
        Ok(_) => Err(Fault::refused(format!("{id} comes short of {on} in a straight line"), "13.12.3.1")),
    }
}

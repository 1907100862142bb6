//! 27.1-27.5 Attitude, groups, odds, and the orders that a die takes out of the tables.

use super::chart::{Orders, Tactic};
use super::mind::Standing;
use super::{Dice, chart, fight, plan};
use crate::dice::Label;
use crate::plane::near::apart;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::table::{Mark, Mood, Table};
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::{guns, victory};
use std::collections::BTreeSet;

/// No block's corner is farther from its centre.
const BLOCK: i32 = 600;

/// 27.2 Whether the side has more victory points than the enemy, and so defends.
pub fn defends(v: &View) -> bool {
    let me = v.me();
    victory::points(&v.table, &me) > victory::points(&v.table, &v.table.board.enemy(&me))
}

/// 27.3 The table of orders that the attitude selects.
fn table(v: &View) -> Option<&Orders> {
    let solo = chart(v)?;
    Some(if defends(v) { &solo.defensive } else { &solo.offensive })
}

/// Whether two units stand nearer than so many units to each other.
pub fn nearer(t: &Table, a: &UnitId, b: &UnitId, units: i32) -> bool {
    apart(t.centre(a), t.centre(b)).within(units + 2 * BLOCK) && t.within(a, b, units - 1)
}

/// 27.4 Units nearer than 4 UM to each other are a group, from the western end of the map on.
pub fn groups(v: &View) -> Vec<Vec<UnitId>> {
    let (t, me) = (&v.table, v.me());
    let most = chart(v).map_or(0, |s| s.odds.group);
    let mut rest: Vec<UnitId> = t.of_side(&me).map(|(id, _)| id.clone()).collect();
    rest.sort_by_key(|id| (t.unit(id).map(|u| u.pose.at), id.clone()));
    let mut groups = Vec::new();
    while let Some(first) = (!rest.is_empty()).then(|| rest.remove(0)) {
        let mut group = vec![first];
        let mut at = 0;
        while let Some(unit) = group.get(at).cloned() {
            let (near, far): (Vec<UnitId>, Vec<UnitId>) = rest.into_iter().partition(|o| nearer(t, &unit, o, most));
            group.extend(near);
            rest = far;
            at += 1;
        }
        groups.push(group);
    }
    groups
}

/// 27.4 What a unit counts for: its steps and its combat modifier; a battery that has its crew.
pub fn strength(v: &View, id: &UnitId) -> i32 {
    let (t, Some(solo)) = (&v.table, chart(v)) else { return 0 };
    let Some((spec, unit)) = t.spec(id).zip(t.unit(id)) else { return 0 };
    match spec.arm {
        Arm::Infantry | Arm::Cavalry => solo.odds.step * i32::from(unit.steps) + spec.combat,
        Arm::Artillery if !unit.has(Mark::Crewless) => solo.odds.battery,
        Arm::Artillery | Arm::Hq => 0,
    }
}

/// 27.4 Uncovered enemies who count against a group: within 6 UM of one of its units.
pub fn against(v: &View, group: &[UnitId]) -> Vec<UnitId> {
    let (t, me) = (&v.table, v.me());
    let reach = chart(v).map_or(0, |s| s.odds.reach);
    let near = |e: &UnitId| group.iter().any(|o| nearer(t, o, e, reach + 1));
    t.standing().filter(|(id, u)| u.side != me && near(id)).map(|(id, _)| id.clone()).collect()
}

/// 27.4, 27.6 The column of the tables in which a group stands; none where no enemy counts against it.
pub fn band(v: &View, group: &[UnitId]) -> Option<usize> {
    let enemies = against(v, group);
    let sum = |ids: &[UnitId]| ids.iter().map(|id| strength(v, id)).sum::<i32>();
    (!enemies.is_empty()).then(|| chart(v).map_or(0, |s| s.odds.band(sum(group), sum(&enemies))))
}

/// 27.5 Whether an order is carried out, or cannot be any more. Bayonet, charge and flank last until then; static fire and
/// going back are looked at again every turn; guns fire on as long as they hit somebody without moving.
pub fn lapsed(v: &View, id: &UnitId, standing: &Standing) -> bool {
    let t = &v.table;
    let Some(unit) = t.unit(id) else { return true };
    match standing.tactic {
        Tactic::Fire if t.arm(id) == Arm::Artillery => {
            guns::targets(t, id).is_empty() || against(v, std::slice::from_ref(id)).is_empty()
        }
        Tactic::Fire | Tactic::Back => true,
        Tactic::Assault | Tactic::Charge | Tactic::Flank => {
            let gone = standing.on.as_ref().is_none_or(|on| t.unit(on).is_none());
            gone || unit.mood != Mood::Fit || t.combat_of(id).is_some()
        }
    }
}

/// One change of a unit's orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The unit.
    pub unit: UnitId,
    /// Its order from now on.
    pub order: Option<Standing>,
    /// The die, where the table left a choice.
    pub die: Option<i32>,
}

impl std::fmt::Display for Given {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.order {
            None => write!(f, "ORDER {} none", self.unit),
            Some(order) => {
                write!(f, "ORDER {} {}", self.unit, order.tactic.word())?;
                order.on.iter().try_for_each(|on| write!(f, " AT {on}"))
            }
        }
    }
}

/// 27.4, 27.5 The orders of a player-turn: for each group and arm one die, where the table leaves a choice; who has an order
/// that stands keeps it.
pub fn orders(v: &View, dice: &mut dyn Dice) -> Vec<Given> {
    let mut given = Vec::new();
    let stale: BTreeSet<&UnitId> =
        v.own.np.orders.iter().filter(|(id, s)| lapsed(v, id, s)).map(|(id, _)| id).collect();
    let mut set: BTreeSet<UnitId> = BTreeSet::new();
    for group in groups(v) {
        let Some(band) = band(v, &group) else { continue };
        for arm in [Arm::Infantry, Arm::Cavalry, Arm::Artillery] {
            let free =
                |id: &&UnitId| v.table.arm(id) == arm && (!v.own.np.orders.contains_key(*id) || stale.contains(*id));
            let units: Vec<&UnitId> = group.iter().filter(free).collect();
            let (Some(first), Some(cell)) = (units.first(), table(v).and_then(|t| t.cell(arm, band))) else { continue };
            let choice = cell.iter().any(|tactic| Some(tactic) != cell.first());
            let die = choice.then(|| dice.d6(Label::of_side("order", &v.me()).at(*first)));
            let face = usize::try_from(die.unwrap_or(1) - 1).unwrap_or(0);
            let Some(tactic) = cell.get(face).copied() else { continue };
            for id in units {
                let on = fight::target(v, id, tactic);
                let order = Some(Standing { tactic, on });
                set.insert(id.clone());
                if v.own.np.orders.get(id) != order.as_ref() || die.is_some() {
                    given.push(Given { unit: id.clone(), order, die });
                }
            }
        }
    }
    let ended = stale.into_iter().filter(|id| !set.contains(*id));
    given.extend(ended.map(|id| Given { unit: id.clone(), order: None, die: None }));
    given
}

/// The order of a unit.
pub fn order<'v>(v: &'v View, id: &UnitId) -> Option<&'v Standing> {
    v.own.np.orders.get(id)
}

/// 24.6.2 Whether a unit that holds its ground may leave it: attacked by superior force, in flank or in rear.
pub fn driven(v: &View, id: &UnitId) -> bool {
    let Some(combat) = v.table.combats.iter().find(|c| c.on == *id) else { return false };
    let flanked = combat.face != crate::rules::austerlitz1805::table::Face::Front;
    let attackers: i32 = std::iter::once(&combat.lead).chain(&combat.support).map(|a| strength(v, a)).sum();
    flanked || attackers >= 2 * strength(v, id)
}

/// 28.1.7, 28.2.13 Whether the Guard may move from now on.
pub fn guard_wakes(v: &View) -> bool {
    let (t, me, Some(plan)) = (&v.table, v.me(), plan(v)) else { return false };
    let lost = plan.guard.lost.iter().any(|p| t.control.get(p).is_some_and(|side| *side != me));
    let guards: Vec<&UnitId> =
        t.of_side(&me).map(|(id, _)| id).filter(|id| t.board.group(id) == plan.guard.corps).collect();
    let near = |e: &UnitId| guards.iter().any(|g| nearer(t, g, e, plan.guard.near + 1));
    t.turn >= plan.guard.turn || lost || t.standing().any(|(id, u)| u.side != me && near(id))
}

/// 28.2.1 Whether the enemy's centre is empty, or the hour has come.
pub fn centre_empty(v: &View) -> bool {
    let (t, me) = (&v.table, v.me());
    let Some(signal) = plan(v).and_then(|p| p.signal.as_ref()) else { return false };
    let inside = |at| t.board.zones_at(at).any(|z| signal.areas.contains(&z.id));
    let units = t.standing().filter(|(_, u)| u.side != me && inside(u.pose.at)).count();
    let chits = t.mist.chits.values().filter(|c| c.side != me && inside(c.at)).count();
    t.turn >= signal.turn || (t.turn >= signal.from && units + chits <= signal.most)
}

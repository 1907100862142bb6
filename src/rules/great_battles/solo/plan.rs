//! 5, 6 The movement of a division: who comes on, where each stack goes and how it stands there, and its leaders.

use super::super::board::Arm;
use super::super::command;
use super::super::ground::{Class, Toll};
use super::super::order::{self, Order, Pace};
use super::super::pose::{Form, Pose};
use super::super::rehearse;
use super::super::state::{Acting, Level, Lim, Mode};
use super::super::view::View;
use super::super::{entry, fire, los, march, reinforce, stacking};
use super::{aims, fight, foes, next, seat_of};
use crate::hex::Hex;
use crate::rules::tactical::way::Ways;
use std::collections::{BTreeMap, BTreeSet};

/// What a point of way is worth.
const STEP: i32 = 10;
/// What it is worth to look at the enemy.
const LOOK: i32 = 6;
/// No nearer enemy makes foot form line.
const LINE: u32 = 3;
/// The range at which guns are unlimbered.
const RANGE: u32 = 5;
/// Horse keeps half of its points for a charge when an enemy is so near.
const CHARGE: u32 = 7;
/// What it is worth not to be Disordered.
const ORDER: i32 = 25;

/// How far it is for a class to where its side wants to be.
type Field = BTreeMap<Hex, i32>;

/// What a division does, line by line, and the view as it will be then.
struct Plan {
    v: View,
    lines: Vec<String>,
    aims: BTreeSet<Hex>,
    foes: BTreeSet<Hex>,
    /// Hexes before enemies.
    fronts: BTreeSet<Hex>,
}

/// The movement of the division that moves now, as far as so many lines go; then the next one tries, or the fight begins.
pub(super) fn movement(v: &View, acting: &Acting, most: usize) -> Vec<String> {
    let Some(division) = acting.division.clone() else { return vec!["END".to_owned()] };
    let fronts = v.state.enemies(&v.side).flat_map(|(id, ..)| v.state.front(id)).collect();
    let mut plan = Plan { v: v.clone(), lines: Vec::new(), aims: aims(v), foes: foes(v), fronts };
    plan.enter(&division);
    for stack in plan.stacks(&division) {
        if plan.lines.len() < most {
            plan.go(&stack);
        }
    }
    if plan.lines.len() < most {
        plan.lead();
    }
    let then = next(&v.state, acting).unwrap_or_else(|| format!("COMBAT {division}"));
    plan.lines.into_iter().chain([then]).collect()
}

/// Units as they are written.
fn named(units: &[String]) -> String {
    units.join(" ")
}

/// Ways to a hex that is not reached which are looked at, those that come nearest first.
const NEAREST: usize = 12;

/// 5.1, 6.1 The cheapest way of a stack to a hex within its points, with its turns.
pub(in super::super) fn way(v: &View, units: &[String], to: Hex) -> Option<Vec<Pace>> {
    let (start, _, ways) = reached(v, units, BTreeSet::new())?;
    let end = ways.near.iter().copied().find(|pose| pose.head == to && *pose != start)?;
    Some(paced(start, ways.to(end)))
}

/// 5.1, 6.1 The ways by which a stack comes nearer to a hex that it does not reach, those that come nearest first: by what is
/// left to be paid from there, and by hexes where no way leads to it.
pub(in super::super) fn toward(v: &View, units: &[String], to: Hex) -> Vec<Vec<Pace>> {
    let seen = v.state.enemies(&v.side).map(|(.., pose)| pose.head).collect();
    let Some((start, class, ways)) = reached(v, units, seen) else { return Vec::new() };
    let left = march::ways(&v.state, (class, BTreeSet::from([to]), Vec::new()));
    let far = |pose: &Pose| (left.get(&pose.head).copied().unwrap_or(i32::MAX), pose.head.distance(to));
    let mut ends: Vec<Pose> = ways.near.iter().copied().filter(|pose| far(pose) < far(&start)).collect();
    ends.sort_by_key(far);
    let mut hexes = BTreeSet::new();
    ends.retain(|pose| hexes.insert(pose.head));
    ends.into_iter().take(NEAREST).map(|end| paced(start, ways.to(end))).collect()
}

/// 5, 6.1, 14.1.3 Where a stack can end within its points, how it stands, and its class; it keeps away from some enemies as it
/// has to, and under the marker to the way to its objective.
fn reached(v: &View, units: &[String], foes: BTreeSet<Hex>) -> Option<(Pose, Class, Ways<Pose>)> {
    let s = &v.state;
    let (first, start) = units.first().and_then(|unit| Some((unit, s.pose(unit)?)))?;
    let class = s.kind(first)?.class(start.form)?;
    let left = units.iter().filter_map(|id| s.units.get(id)).map(|u| u.going.ma - u.going.spent).min()?;
    let fronts = s.enemies(&v.side).flat_map(|(id, ..)| s.front(id)).collect();
    let plan = Plan { v: v.clone(), lines: Vec::new(), aims: BTreeSet::new(), foes, fronts };
    let mode = s.mode(first);
    let road = if mode == Some(Mode::Strategic) { reinforce::objective(s, first) } else { None };
    Some((start, class, plan.reach(units, (class, mode), left, road.as_deref())))
}

/// The steps and turns of a way.
fn paced(start: Pose, way: Vec<Pose>) -> Vec<Pace> {
    let mut at = start;
    let pace = |pose: Pose| {
        let pace = match pose.hour {
            hour if hour == at.hour => Pace::To(pose.head),
            hour => Pace::Turn(hour == at.hour.turned(true)),
        };
        at = pose;
        pace
    };
    way.into_iter().map(pace).collect()
}

impl Plan {
    /// Takes an order, if the rules would.
    fn take(&mut self, text: String, order: &Order) -> bool {
        let Ok(tried) = rehearse::as_far(&self.v, order) else { return false };
        self.v = tried.after;
        self.lines.push(text);
        true
    }

    /// 14.1 Reinforcements come on, each stack by itself, and go on at once.
    fn enter(&mut self, division: &str) {
        let comes = self.v.state.acting.as_ref().is_some_and(|a| matches!(a.lim, Lim::Reinforcement(_)));
        if !comes {
            return;
        }
        for unit in reinforce::waiting(&self.v.state, division) {
            let guns = self.v.state.is_arm(&unit, Arm::Art);
            let form = if guns { Form::Limbered } else { Form::Column };
            let text = if guns { format!("ENTER {unit} FORM LIMBER") } else { format!("ENTER {unit}") };
            let units = vec![unit];
            let order = Order::Enter { units: units.clone(), form, hour: None, at: None };
            // 5.1.4 Not over friends, who would be Disordered.
            let tried = rehearse::as_far(&self.v, &order);
            if tried.is_ok_and(|t| entry::crowded(&t.after.state, &units).is_none()) && self.take(text, &order) {
                self.go(&units);
            }
        }
    }

    /// Those who may move, a stack at a time, the nearest to the enemy first.
    fn stacks(&self, division: &str) -> Vec<Vec<String>> {
        let s = &self.v.state;
        let mut found: BTreeMap<(u32, Pose, bool), Vec<String>> = BTreeMap::new();
        for unit in s.units_of(division) {
            let Some(pose) = s.pose(&unit).filter(|_| march::may_move(s, std::slice::from_ref(&unit)).is_ok()) else {
                continue;
            };
            if !self.v.state.is(&unit, |u| u.going.spent > 0) {
                found.entry((s.enemy_of(&unit), pose, s.is_arm(&unit, Arm::Art))).or_default().push(unit);
            }
        }
        found.into_values().collect()
    }

    /// A stack goes where it is worth most, and stands there as it should.
    fn go(&mut self, units: &[String]) {
        let s = &self.v.state;
        let Some((kind, pose)) = units.first().and_then(|unit| s.on(unit)).map(|(_, kind, pose)| (kind.clone(), pose))
        else {
            return;
        };
        let stays = match kind.arm {
            Arm::Art => pose.form == Form::Unlimbered && self.aimed(&units[0]),
            Arm::Cav => units.first().is_some_and(|unit| fight::ride(s, &self.v.side, unit).is_some()),
            Arm::Inf => false,
        };
        if stays {
            return;
        }
        if pose.form == Form::Unlimbered && !self.form(units, Form::Limbered, "LIMBER") {
            return;
        }
        self.march(units, kind.arm);
        let s = &self.v.state;
        let Some(pose) = units.first().and_then(|unit| s.pose(unit)) else { return };
        let near = self.foes.iter().map(|foe| foe.distance(pose.head)).min().unwrap_or(u32::MAX);
        match kind.arm {
            Arm::Inf
                if pose.form == Form::Column && near <= LINE && s.board.scenario.victory.scores_for != self.v.side =>
            {
                self.form(units, Form::Line, "LINE");
            }
            Arm::Inf if pose.form == Form::Disorder && near > 1 => {
                self.form(units, Form::Column, "COLUMN");
            }
            Arm::Cav if near > 1 && near <= CHARGE && pose.form != Form::Line && kind.hexes == 1 => {
                self.form(units, Form::Line, "LINE");
            }
            Arm::Art if near > 1 && near <= RANGE => {
                self.form(units, Form::Unlimbered, "UNLIMBER");
            }
            _ => {}
        }
    }

    /// Whether guns have somebody to fire at.
    fn aimed(&self, unit: &str) -> bool {
        self.foes.iter().any(|foe| fire::aim(&self.v.state, unit, *foe).is_some())
    }

    fn form(&mut self, units: &[String], form: Form, word: &str) -> bool {
        // A line and guns look at a corner: the one before which the enemy stands.
        let pose = units.first().and_then(|unit| self.v.state.pose(unit));
        let Some(pose) = pose else { return false };
        let seen = |hour: &u8| {
            let front = pose.formed(form, Some((*hour).into())).front();
            let far = |hex: &Hex| self.foes.iter().map(|foe| foe.distance(*hex)).min().unwrap_or(u32::MAX);
            front.iter().map(far).min().unwrap_or(u32::MAX)
        };
        let hours = (1..=12u8).filter(|hour| (hour % 2 == 1) == form.faces_corner());
        let hour = hours.min_by_key(seen).filter(|_| !self.foes.is_empty());
        let text = hour.map_or_else(String::new, |hour| format!(" AT {hour}"));
        let order = Order::Form { units: units.to_vec(), form, hour: hour.map(Into::into) };
        self.take(format!("FORM {} {word}{text}", named(units)), &order)
    }

    /// Goes by the way that is worth most.
    fn march(&mut self, units: &[String], arm: Arm) {
        let s = &self.v.state;
        let Some((u, kind, start)) = units.first().and_then(|unit| s.on(unit)) else { return };
        let Some(class) = kind.class(start.form) else { return };
        let left = units.iter().filter_map(|id| s.units.get(id)).map(|u| u.going.ma - u.going.spent).min().unwrap_or(0);
        let shy = u.level >= Level::Unsteady || s.is_broken(&units[0]) || kind.is_cossack();
        let mode = s.mode(&units[0]);
        let near = self.foes.iter().map(|foe| foe.distance(start.head)).min().unwrap_or(u32::MAX);
        let most = if arm == Arm::Cav && near <= CHARGE { u.going.ma / 2 - u.going.spent } else { left };
        let road = if mode == Some(Mode::Strategic) { reinforce::objective(s, &units[0]) } else { None };
        let ways = self.reach(units, (class, mode), most, road.as_deref());
        let field = road.unwrap_or_else(|| march::ways(s, (class, self.aims.clone(), Vec::new())));
        let scored = ways.near.iter().map(|pose| {
            let far = field.get(&pose.head).copied().unwrap_or(1_000);
            (self.worth(*pose, arm, (shy, mode)) - STEP * far, std::cmp::Reverse(*pose))
        });
        let Some((_, std::cmp::Reverse(end))) = scored.max() else { return };
        let paces = paced(start, ways.to(end));
        if !paces.is_empty() {
            let (text, order) = order::march(units, paces, None);
            self.take(text, &order);
        }
    }

    /// Who stands in each hex, but for the stack that goes.
    fn others(&self, units: &[String]) -> BTreeMap<Hex, Vec<String>> {
        let mut found: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
        for (id, _, pose) in self.v.state.standing().filter(|(id, ..)| !units.contains(id)) {
            pose.hexes().into_iter().for_each(|hex| found.entry(hex).or_default().push(id.clone()));
        }
        found
    }

    /// Whether a stack finds room among others.
    fn stays(&self, units: &[String], others: &BTreeMap<Hex, Vec<String>>, pose: Pose) -> bool {
        let s = &self.v.state;
        pose.hexes().iter().all(|hex| {
            let Some(there) = others.get(hex) else { return true };
            let all: Vec<String> = there.iter().chain(units).cloned().collect();
            there.iter().all(|id| s.is_of(id, &self.v.side)) && stacking::flaw(s, *hex, &all).is_none()
        })
    }

    /// 4.6.2, 5.1.3, 5.2.1, 6.3.7 Hexes into which a stack does not go: near enemies, and beside those before whom it began.
    fn shut(&self, units: &[String], mode: Option<Mode>) -> BTreeSet<Hex> {
        let s = &self.v.state;
        let guns = units.first().is_some_and(|unit| s.is_arm(unit, Arm::Art));
        let apart = match mode {
            Some(Mode::Strategic) => i16::try_from(command::NEAR).unwrap_or(i16::MAX),
            Some(Mode::Limited) => 1,
            _ => i16::from(guns),
        };
        let own = units.iter().filter_map(|id| s.units.get(id));
        let faced = own.flat_map(|u| u.going.faced.iter().filter_map(|id| s.hex(id)).collect::<Vec<_>>());
        let beside = faced.flat_map(|hex| hex.neighbours());
        self.foes.iter().flat_map(|foe| foe.within(apart)).chain(beside).collect()
    }

    /// 5, 6.1 Where a stack can end, by steps through its front and turns.
    fn reach(
        &self,
        units: &[String],
        (class, mode): (Class, Option<Mode>),
        most: i32,
        road: Option<&Field>,
    ) -> Ways<Pose> {
        let s = &self.v.state;
        let facing = s.board.charts.facing.get(&class).copied().unwrap_or(1).max(1);
        let start = units.first().and_then(|unit| s.pose(unit));
        let (others, shut) = (self.others(units), self.shut(units, mode));
        let step = |pose: Pose, dir| {
            let next: Pose = pose.stepped(dir);
            if next.hexes().iter().any(|hex| shut.contains(hex) || !s.board.ground.has(*hex)) {
                return None;
            }
            let (points, toll) = march::price(s, class, pose.head, next.head)?;
            let back = road.is_some_and(|road| match (road.get(&pose.head), road.get(&next.head)) {
                (Some(here), Some(there)) => there + points > *here,
                (Some(_), None) => true,
                _ => false,
            });
            (!back && toll != Toll::Disorder && self.stays(units, &others, next)).then_some((next, points.max(1)))
        };
        Ways::from(start, |pose: Pose, spent| {
            let mut found: Vec<(Pose, i32)> = Vec::new();
            let halted = Some(pose) != start && pose.hexes().iter().any(|hex| self.fronts.contains(hex));
            if halted || spent >= most {
                return found;
            }
            let mut dirs: Vec<_> = pose.front_sides().into_iter().map(|(_, dir)| dir).collect();
            dirs.sort_unstable();
            dirs.dedup();
            found.extend(dirs.into_iter().filter_map(|dir| step(pose, dir)));
            if !pose.form.all_round() {
                found.extend([false, true].map(|right| (pose.wheeled(right).0, facing)));
            }
            found.retain(|(_, cost)| spent + cost <= most);
            found
        })
    }

    /// What it is worth to a stack to stand so, but for the way.
    fn worth(&self, pose: Pose, arm: Arm, (shy, mode): (bool, Option<Mode>)) -> i32 {
        let s = &self.v.state;
        let foe = self.foes.iter().min_by_key(|foe| (foe.distance(pose.head), **foe)).copied();
        let Some(foe) = foe.filter(|_| mode != Some(Mode::Strategic)) else { return 0 };
        let far = foe.distance(pose.head);
        let ahead = |hex: &Hex| hex.distance(foe) < far;
        let looks = pose.front().iter().any(ahead);
        let cover = s.board.terrain(pose.head).map_or(0, |t| -t.fire * 4);
        let order = s.board.terrain(pose.head).is_some_and(|t| t.forbids.contains(&pose.form));
        let danger = match (arm, far) {
            (_, 0..=2) if shy => 120,
            (_, 3) if shy => 40,
            (Arm::Inf, 1) if !looks => 30,
            (Arm::Art, 0..=1) => 200,
            (Arm::Art, 2) => 30,
            (Arm::Cav, 0..=1) => 60,
            _ => 0,
        };
        let sees = arm == Arm::Art && far <= RANGE && los::sees(s, pose.head, foe);
        i32::from(looks && far <= CHARGE) * LOOK + cover + i32::from(sees) * 60 - danger - i32::from(order) * ORDER
    }

    /// 5.4 Leaders ride to where most of their men are in their range.
    fn lead(&mut self) {
        let leaders: Vec<String> = self.v.state.leaders.keys().cloned().collect();
        for leader in leaders {
            let s = &self.v.state;
            let Some(from) = s.leaders.get(&leader).and_then(|l| l.hex) else { continue };
            let own = s.chief(&leader).is_some_and(|chief| chief.side == self.v.side);
            let Some(to) = seat_of(s, &self.v.side, &leader).filter(|to| own && *to != from) else { continue };
            let order = Order::Lead { leader: leader.clone(), to };
            self.take(format!("LEADER {leader} TO {to}"), &order);
        }
    }
}

//! Events: what changes the truth, and what each side is told of it.
//!
//! A [`Fact`] lies open on the table and is told to both sides in the same words; a [`Secret`] is told to its side alone.

use super::board::UnitId;
use super::mist::{Boxed, Chit, ChitId, Quota};
use super::solo::mind::Standing;
use super::state::{At, GunPlan, Hidden, ReturnPlan, State, Step};
use super::table::{Combat, Formation, Mark, Mood, Pose, Table, Unit};
use crate::fog::SideId;
use crate::plane::Spot;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "chapter", content = "event", rename_all = "snake_case")]
pub enum Event {
    /// It lies open.
    Open(Fact),
    /// One side's own affair.
    Own(Secret),
}

/// What a side is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "chapter", content = "told", rename_all = "snake_case")]
pub enum Sighting {
    /// It lies open.
    Open(Fact),
    /// Its own affair.
    Own(Secret),
}

/// What a side keeps to itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Secret {
    /// 4.4 An order for Defensive Fire.
    GunPlan { side: SideId, unit: UnitId, plan: GunPlan },
    /// 10 An order for musketry.
    VolleyPlan { side: SideId, unit: UnitId, on: UnitId },
    /// Orders for Defensive Fire are spent.
    GunsCleared { side: SideId },
    /// Orders for musketry are spent.
    VolleysCleared { side: SideId },
    /// 16.4.1 A corps stands in an area of the strategic map.
    Corps { side: SideId, corps: String, area: String },
    /// 16.4.1.5 A column has rolled to move.
    Column { side: SideId, corps: String, area: String, need: i32, die: i32 },
    /// 16.4.2.2 What a side may do in a fog turn; the die where it rolls for it.
    Quota { side: SideId, quota: Quota, die: Option<i32> },
    /// 16.4.2.4 A box is filled, and its chit lies on the map.
    Filled { side: SideId, number: u8, units: Vec<UnitId>, chit: ChitId },
    /// 17.1.1.6 A chit has passed through a place.
    Passed { side: SideId, number: u8, place: String, when: u32 },
    /// 16.4.2.8.2 Units will go back into a chit at the end of the Rally Phase.
    Hiding { side: SideId, number: u8, units: Vec<UnitId> },
    /// 19.4 Where and in which formation a unit is to come back.
    ReturnPlan { side: SideId, unit: UnitId, plan: ReturnPlan },
    /// 27.5 A unit of a side that the solo rules lead gets its order, or has none any more; the die where one was rolled.
    Ordered { side: SideId, unit: UnitId, order: Option<Standing>, die: Option<i32> },
    /// 24.6.3 What a discovered chit of such a side holds is rolled for; the others come first into its next chits.
    Drawn { side: SideId, number: u8, die: i32, back: Vec<UnitId> },
    /// 28.1.7, 28.2.13 Its Guard may move from now on.
    Guard { side: SideId },
    /// 28.2.1 It holds its ground no longer, and goes over to the attack.
    Signal { side: SideId },
}

/// Why a unit changed its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Why {
    Moved,
    Attacked,
    Charged,
    Rode,
    Turned,
    Formed,
    Pivoted,
    Retreated,
    Fled,
    Withdrew,
    Advanced,
    Disengaged,
    Halted,
    Reformed,
}

/// Why a check is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Cause {
    Rally,
    Disengage,
    Fire,
    Combat,
    Charge,
    Square,
    Withdraw,
    Friend,
    HqLost,
}

/// Why a unit left the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum End {
    Fire,
    Combat,
    Steps,
    Morale,
    Collision,
    NoRetreat,
    Surrounded,
    OffMap,
    Overrun,
    RanDown,
    Harassed,
    WithUnit,
    Guns,
    LostHeart,
    Umpire,
}

/// One modifier: what for, and how much.
pub type Mod = (String, i32);

/// A fire, as it was resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fire {
    /// Who fires.
    pub by: Vec<UnitId>,
    /// At whom.
    pub on: UnitId,
    /// How.
    pub how: How,
    /// The rating that counts.
    pub rating: i32,
    /// Modifiers.
    pub mods: Vec<Mod>,
    /// The die.
    pub die: i32,
    /// The total.
    pub total: i32,
}

/// How a fire is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Round shot.
    Round,
    /// Canister.
    Canister,
    /// 10.4.1 Static line fire.
    Static,
    /// 10.4.3 Before bayonet assault.
    Assault,
}

/// A check, as it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Who.
    pub unit: UnitId,
    /// Why.
    pub why: Cause,
    /// What it needs or less.
    pub need: i32,
    /// The two dice together.
    pub roll: i32,
    /// Passed.
    pub passed: bool,
}

/// A close combat, as it was resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fought {
    /// Who leads the attack.
    pub lead: UnitId,
    /// Who is attacked.
    pub on: UnitId,
    /// Modifiers of the attacker.
    pub attack: Vec<Mod>,
    /// Modifiers of the defender.
    pub defence: Vec<Mod>,
    /// Both dice.
    pub dice: (i32, i32),
    /// Both totals.
    pub totals: (i32, i32),
}

/// 17.1 Why a game is won. Chains of the first release hold these very words; they are names now, and what a report says
/// stands in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Won {
    /// 17.1.1
    #[serde(rename = "more points after the last turn [17.1.1]")]
    MorePoints,
    /// 17.1.1.3
    #[serde(rename = "equal points after the last turn [17.1.1.3]")]
    EqualPoints,
    /// 17.1.2
    #[serde(rename = "all targets held for two turns [17.1.2]")]
    TargetsAlone,
    /// 17.1.3
    #[serde(rename = "all targets held for two turns [17.1.3]")]
    TargetsAndBrigades,
    /// 17.1.4
    #[serde(rename = "Napoleon is taken or dead [17.1.4]")]
    Napoleon,
}

/// 17 Who has won, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Victory {
    /// The winner.
    pub side: SideId,
    /// Why.
    pub why: Won,
    /// Points of each side, in the order of the scenario.
    pub points: Vec<(SideId, i32)>,
}

/// What lies open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Fact {
    /// 18 A unit is set up.
    Set { unit: UnitId, with: Option<UnitId>, pose: Pose, form: Formation },
    /// 4.10 A turn begins.
    Turn { turn: u32 },
    /// The sequence of play goes on.
    Stage { at: At },
    /// The sheet reaches a later step.
    Step { step: Step },
    /// 16.2-16.3 The fog.
    Fog { die: Option<i32>, sight: Option<i32> },
    /// A unit stands elsewhere, or otherwise.
    Stood { unit: UnitId, why: Why, from: Pose, to: Pose, form: Formation, cost: i32 },
    /// 7.1 An HQ is attached or detached.
    Attached { hq: UnitId, to: Option<UnitId> },
    /// A marker comes or goes.
    Marked { unit: UnitId, mark: Mark, on: bool },
    /// 9.1 A battery rolls to hit.
    Aimed { unit: UnitId, on: UnitId, need: i32, die: i32 },
    /// A fire is resolved.
    Fired { fire: Fire },
    /// A check is made.
    Checked { check: Check },
    /// A unit's morale changes.
    Mood { unit: UnitId, mood: Mood },
    /// 12.7.2.3 A unit has checked for a routed friend.
    Steadied { unit: UnitId, friend: UnitId },
    /// 13.5.1 A step is lost.
    Step1 { unit: UnitId, left: u8 },
    /// A unit is out of the game.
    Gone { unit: UnitId, why: End },
    /// 13.2 A combat is declared, or its units or marker change.
    Declared { combat: Combat },
    /// A combat is over, or does not come about.
    Ended { on: UnitId },
    /// A close combat is resolved.
    Fought { fought: Fought },
    /// 17.1.1.6 A place changes hands.
    Control { place: String, side: SideId },
    /// 17.1.2-3 A side holds all targets.
    Targets { side: Option<SideId>, turns: u32 },
    /// The game is over.
    Over { victory: Victory },
    /// 16.4.2.4 Chits are put on the map.
    Placed { side: SideId, chits: Vec<(ChitId, Spot)> },
    /// 16.4.2.6 A chit moves.
    Marched { chit: ChitId, from: Spot, to: Spot, cost: i32 },
    /// 16.4.2.7 A chit is uncovered; a decoy held nothing and is removed.
    Uncovered { chit: ChitId, side: SideId, at: Spot, units: Vec<UnitId> },
    /// 16.4.2.8 A unit out of a chit is deployed.
    Deployed { unit: UnitId, with: Option<UnitId>, pose: Pose, form: Formation, spent: i32 },
    /// 16.4.2.8.2 Units go back into chits.
    Hid { side: SideId, units: Vec<UnitId>, chits: Vec<(ChitId, Spot)> },
    /// 16.4.1.6 The assault on the Pratzenberg has begun.
    Assault,
    /// 13.13.4 The supporters of a leader whom fire has stunned stand by it.
    Backed { unit: UnitId, by: Vec<UnitId> },
    /// 19.2, 19.5 A unit leaves the map; the die where it rolled itself.
    Away { unit: UnitId, die: Option<i32>, due: u32 },
    /// 19.2-19.5 A unit comes back.
    Returned { unit: UnitId, die: Option<i32>, steps: u8, pose: Pose, form: Formation },
    /// An umpire has corrected a unit, or put it back on the field.
    Amended { unit: UnitId, pose: Pose, form: Formation, mood: Mood, steps: u8 },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Open(fact) => apply_open(s, fact),
        Event::Own(secret) => apply_own(s, secret),
    }
}

fn apply_own(s: &mut State, secret: &Secret) {
    match secret {
        Secret::GunPlan { side, unit, plan } => {
            let hidden = own(s, side);
            hidden.guns.insert(unit.clone(), plan.clone());
        }
        Secret::VolleyPlan { side, unit, on } => {
            let hidden = own(s, side);
            hidden.volleys.insert(unit.clone(), on.clone());
        }
        Secret::GunsCleared { side } => own(s, side).guns.clear(),
        Secret::VolleysCleared { side } => own(s, side).volleys.clear(),
        Secret::Corps { side, corps, area } => _ = own(s, side).corps.insert(corps.clone(), area.clone()),
        Secret::Column { .. } => {}
        Secret::Quota { side, quota, die: _ } => own(s, side).quota = Some(*quota),
        Secret::Filled { side, number, units, chit } => {
            let boxed = Boxed { units: units.clone(), chit: chit.clone(), passed: Vec::new() };
            let hidden = own(s, side);
            hidden.boxes.insert(*number, boxed);
            hidden.hiding.remove(number);
            hidden.np.first.retain(|unit| !units.contains(unit));
        }
        Secret::Passed { side, number, place, when } => {
            if let Some(boxed) = own(s, side).boxes.get_mut(number) {
                boxed.passed.push((place.clone(), *when));
            }
        }
        Secret::ReturnPlan { side, unit, plan } => {
            own(s, side).returns.insert(unit.clone(), *plan);
        }
        Secret::Ordered { side, unit, order, die: _ } => own(s, side).np.order(unit, order.clone()),
        Secret::Drawn { side, number: _, die: _, back } => own(s, side).np.first.extend(back.iter().cloned()),
        Secret::Guard { side } => own(s, side).np.guard = true,
        Secret::Signal { side } => own(s, side).np.signal = true,
        Secret::Hiding { side, number, units } => {
            let hidden = own(s, side);
            hidden.hiding.remove(number);
            if !units.is_empty() {
                hidden.hiding.insert(*number, units.clone());
            }
        }
    }
}

fn own<'s>(s: &'s mut State, side: &SideId) -> &'s mut Hidden {
    s.hidden.entry(side.clone()).or_default()
}

fn apply_open(s: &mut State, fact: &Fact) {
    match fact {
        Fact::Turn { turn } => s.table.turn = *turn,
        Fact::Stage { at } => {
            s.at = at.clone();
            match at {
                At::Own(_) => s.step = Step::Rally,
                At::Rally(side) => {
                    s.table.units.values_mut().for_each(fresh);
                    s.table.units.values_mut().filter(|u| u.side == *side).for_each(|u| u.backed.clear());
                    s.table.mist.chits.values_mut().for_each(|c| c.spent = 0);
                }
                At::Deploy | At::Dawn | At::Fog | At::Musketry(_) | At::Close(_) | At::Over => {}
            }
        }
        Fact::Step { step } => s.step = *step,
        Fact::Targets { side, turns } => s.all_targets = side.clone().map(|side| (side, *turns)),
        Fact::Over { victory } => {
            s.over = Some(victory.clone());
            s.at = At::Over;
        }
        Fact::Aimed { .. } | Fact::Checked { .. } => {}
        // 16.4.1.3: combat has started.
        Fact::Fired { .. } | Fact::Fought { .. } => s.table.mist.begun = true,
        Fact::Uncovered { chit, side, at: _, units } => {
            s.table.mist.chits.remove(chit);
            let hidden = own(s, side);
            hidden.boxes.retain(|_, boxed| boxed.chit != *chit);
            hidden.decoys_spent += usize::from(units.is_empty());
        }
        on_table => {
            if let Fact::Returned { unit, .. } = on_table {
                s.hidden.values_mut().for_each(|h| _ = h.returns.remove(unit));
            }
            lay(&mut s.table, on_table);
        }
    }
}

/// Changes what lies on the table.
fn lay(t: &mut Table, fact: &Fact) {
    match fact {
        Fact::Set { unit, with, pose, form } => set(t, unit, with.as_ref(), *pose, *form),
        Fact::Fog { die: _, sight } => t.sight = *sight,
        Fact::Stood { unit, why: _, from: _, to, form, cost } => stood(t, unit, *to, *form, *cost),
        Fact::Attached { hq, to } => {
            let pose = to.as_ref().and_then(|id| t.units.get(id)).map(|u| u.pose);
            change(t, hq, |u| {
                u.with.clone_from(to);
                u.pose = pose.unwrap_or(u.pose);
            });
        }
        Fact::Marked { unit, mark, on } => change(t, unit, |u| {
            if *on {
                u.marks.insert(*mark);
            } else {
                u.marks.remove(mark);
            }
        }),
        Fact::Mood { unit, mood } => {
            change(t, unit, |u| u.mood = *mood);
            if *mood < Mood::R {
                t.units.values_mut().for_each(|u| _ = u.steadied.remove(unit));
            }
        }
        Fact::Steadied { unit, friend } => change(t, unit, |u| _ = u.steadied.insert(friend.clone())),
        Fact::Step1 { unit, left } => change(t, unit, |u| u.steps = *left),
        Fact::Gone { unit, why: _ } => {
            t.units.remove(unit);
            t.lost.push(unit.clone());
        }
        Fact::Declared { combat } => {
            t.mist.begun = true;
            t.combats.retain(|c| c.on != combat.on);
            t.combats.push(combat.clone());
        }
        Fact::Ended { on } => t.combats.retain(|c| c.on != *on),
        Fact::Control { place, side } => {
            let when = t.player_turn(side);
            t.mist.since.insert(place.clone(), when);
            t.control.insert(place.clone(), side.clone());
        }
        Fact::Backed { unit, by } => change(t, unit, |u| u.backed = by.iter().cloned().collect()),
        Fact::Away { unit, die: _, due } => {
            t.units.remove(unit);
            t.away.insert(unit.clone(), *due);
        }
        Fact::Returned { unit, die: _, steps, pose, form } => {
            t.away.remove(unit);
            set(t, unit, None, *pose, *form);
            let shaken = t.board.units.get(unit).is_some_and(|s| s.arm != super::board::Arm::Hq);
            change(t, unit, |u| {
                u.steps = *steps;
                u.mood = if shaken { Mood::S } else { Mood::Fit };
            });
        }
        Fact::Amended { unit, pose, form, mood, steps } => {
            t.lost.retain(|lost| lost != unit);
            t.away.remove(unit);
            if !t.units.contains_key(unit) {
                set(t, unit, None, *pose, *form);
            }
            stood(t, unit, *pose, *form, 0);
            change(t, unit, |u| (u.mood, u.steps) = (*mood, *steps));
        }
        in_fog => shroud(t, in_fog),
    }
}

/// 16.4 Changes what lies open of the fog.
fn shroud(t: &mut Table, fact: &Fact) {
    match fact {
        Fact::Placed { side, chits } | Fact::Hid { side, units: _, chits } => {
            for (chit, at) in chits {
                t.mist.chits.insert(chit.clone(), Chit { side: side.clone(), at: *at, spent: 0 });
                *t.mist.made.entry(side.clone()).or_default() += 1;
            }
            if let Fact::Hid { units, .. } = fact {
                for id in units {
                    t.units.remove(id).into_iter().for_each(|unit| _ = t.mist.worn.insert(id.clone(), unit));
                }
            }
        }
        Fact::Marched { chit, from: _, to, cost } => {
            if let Some(chit) = t.mist.chits.get_mut(chit) {
                chit.at = *to;
                chit.spent += cost;
            }
        }
        Fact::Deployed { unit, with, pose, form, spent } => {
            let before = t.mist.worn.remove(unit);
            set(t, unit, with.as_ref(), *pose, *form);
            change(t, unit, |u| {
                if let Some(before) = before {
                    (u.steps, u.marks) = (before.steps, before.marks);
                }
                u.marks.insert(Mark::Uncovered);
                u.spent = *spent;
            });
        }
        Fact::Assault => t.mist.assault = true,
        _ => {}
    }
}

/// What was marked for one player-turn goes.
fn fresh(u: &mut Unit) {
    const TURN: [Mark; 9] = [
        Mark::Fired,
        Mark::Swung,
        Mark::Formed,
        Mark::Unsquared,
        Mark::Moved,
        Mark::Disengaged,
        Mark::Returned,
        Mark::Volleyed,
        Mark::Deceived,
    ];
    u.spent = 0;
    u.marks.retain(|m| !TURN.contains(m));
}

fn set(t: &mut Table, id: &UnitId, with: Option<&UnitId>, pose: Pose, form: Formation) {
    let Some(spec) = t.board.units.get(id) else { return };
    let two = matches!(spec.arm, super::board::Arm::Infantry | super::board::Arm::Cavalry);
    let unit = Unit {
        side: spec.side.clone(),
        pose,
        form,
        mood: Mood::Fit,
        steps: if two { 2 } else { 1 },
        with: with.cloned(),
        marks: BTreeSet::new(),
        spent: 0,
        steadied: BTreeSet::new(),
        backed: BTreeSet::new(),
    };
    t.units.insert(id.clone(), unit);
}

/// A unit stands elsewhere, and an HQ attached to it with it.
fn stood(t: &mut Table, id: &UnitId, to: Pose, form: Formation, cost: i32) {
    change(t, id, |u| {
        u.pose = to;
        u.form = form;
        u.spent += cost;
    });
    if let Some(hq) = t.hq_with(id).cloned() {
        change(t, &hq, |u| u.pose = to);
    }
}

fn change(t: &mut Table, id: &UnitId, change: impl FnOnce(&mut Unit)) {
    if let Some(unit) = t.units.get_mut(id) {
        change(unit);
    }
}

/// What a side is told.
pub fn sight(e: &Event, to: &SideId) -> Option<Sighting> {
    match e {
        Event::Open(fact) => Some(Sighting::Open(fact.clone())),
        Event::Own(secret) => (secret.side() == to).then(|| Sighting::Own(secret.clone())),
    }
}

impl Secret {
    /// Whose it is.
    pub fn side(&self) -> &SideId {
        match self {
            Secret::GunPlan { side, .. }
            | Secret::VolleyPlan { side, .. }
            | Secret::GunsCleared { side }
            | Secret::VolleysCleared { side }
            | Secret::Corps { side, .. }
            | Secret::Column { side, .. }
            | Secret::Quota { side, .. }
            | Secret::Filled { side, .. }
            | Secret::Passed { side, .. }
            | Secret::Hiding { side, .. }
            | Secret::ReturnPlan { side, .. }
            | Secret::Ordered { side, .. }
            | Secret::Drawn { side, .. }
            | Secret::Guard { side }
            | Secret::Signal { side } => side,
        }
    }
}

impl From<Fact> for Event {
    fn from(fact: Fact) -> Event {
        Event::Open(fact)
    }
}

impl From<Secret> for Event {
    fn from(secret: Secret) -> Event {
        Event::Own(secret)
    }
}

//! The driver's hands of the solo rules: asks what the NP would do on its own view, carries it out, keeps what lasts.

use super::chart::Tactic;
use super::fog::Drawn;
use super::{Dice, answers, fight, fog, groups, guns, march, staff, volley};
use crate::dice::Label;
use crate::fog::SideId;
use crate::rules::austerlitz1805::Austerlitz;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::event::Secret;
use crate::rules::austerlitz1805::fog::hidden;
use crate::rules::austerlitz1805::hands::{Hand, table};
use crate::rules::austerlitz1805::mist::ChitId;
use crate::rules::austerlitz1805::order::Order;
use crate::rules::austerlitz1805::prompt::{self, Answer, Prompt};
use crate::rules::austerlitz1805::state::{At, Step};
use crate::rules::austerlitz1805::table::Mark;
use crate::rules::austerlitz1805::view::View;
use crate::rules::cx::Cx;
use crate::rules::{Outcome, Play};
use crate::{orders, rules::austerlitz1805::play};
use std::collections::BTreeSet;

/// So many lines a unit writes at most in one Movement Phase: it forms, turns and goes.
const LINES: usize = 3;

impl Dice for Cx<'_, Austerlitz> {
    fn die(&mut self, label: Label, sides: u32) -> i32 {
        self.roll(&label, 1, sides).first().map_or(1, |die| i32::try_from(*die).unwrap_or(1))
    }
}

/// 22.2 Whether the solo rules lead a side.
pub fn leads(cx: &Hand<'_>, side: &SideId) -> bool {
    table(cx).board.solo.contains(side)
}

/// 22.2 The NP's answer to a question of the rules.
pub fn answer(cx: &mut Hand<'_>, side: &SideId, p: &Prompt) -> Answer {
    let v = cx.view(side);
    let said = answers::words(&v, p, cx);
    let line = orders::line(0, &format!("{} {} {said}", p.word(), p.unit()));
    let read = prompt::read(&v, p, &line);
    let usual = || prompt::read(&v, p, &orders::line(0, &prompt::ask(&v, p).default));
    read.or_else(|_| usual()).unwrap_or(Answer::Word("NO"))
}

/// Lines on their way, numbered as in a mail.
struct Pen {
    side: SideId,
    no: u32,
    /// What the side sees, until a line of it is carried out.
    seen: Option<View>,
}

impl Pen {
    fn of(side: &SideId) -> Pen {
        Pen { side: side.clone(), no: 0, seen: None }
    }

    /// What the side sees now.
    fn view(&mut self, cx: &Hand<'_>) -> &View {
        self.seen.get_or_insert_with(|| cx.view(&self.side))
    }

    /// Reads a line as if the side had sent it; its order, if it is one.
    fn write(&mut self, cx: &mut Hand<'_>, line: &str) -> Option<Order> {
        self.no += 1;
        let side = self.side.clone();
        cx.house(&side, self.no, line)
    }

    /// Reads a line and carries it out.
    fn act(&mut self, cx: &mut Hand<'_>, line: &str) -> Play<()> {
        self.seen = None;
        if let Some(order) = self.write(cx, line) {
            let side = self.side.clone();
            play::carry_out(cx, &side, order)?;
            cx.outcome(Outcome::Done);
        }
        Ok(())
    }
}

/// 28.1.3-28.1.6, 28.2.5-28.2.12 The NP's sealed sheet: columns first, then chits on the map as it stands after them.
pub fn sealed(cx: &mut Hand<'_>, side: &SideId, mut carry: impl FnMut(&mut Hand<'_>, Order)) {
    awake(cx, side);
    let mut pen = Pen::of(side);
    for line in fog::columns(&cx.view(side)) {
        if let Some(order) = pen.write(cx, &line) {
            carry(cx, order);
            cx.outcome(Outcome::Done);
        }
    }
    let v = cx.view(side);
    for line in fog::chits(&v, cx) {
        if let Some(order) = pen.write(cx, &line) {
            carry(cx, order);
            cx.outcome(Outcome::Done);
        }
    }
}

/// 28.1.7, 28.2.1, 28.2.13 The Guard wakes, and the side goes over to the attack, when their conditions are met.
fn awake(cx: &mut Hand<'_>, side: &SideId) {
    let v = cx.view(side);
    if !v.own.np.guard && groups::guard_wakes(&v) {
        cx.emit(Secret::Guard { side: side.clone() }.into());
    }
    if !v.own.np.signal && groups::centre_empty(&v) {
        cx.emit(Secret::Signal { side: side.clone() }.into());
    }
}

/// 23.3, 24.1, 27.4 One step of the NP's player-turn, phase by phase; says whether it was the last.
pub fn step(cx: &mut Hand<'_>, side: &SideId) -> Play<bool> {
    let mut pen = Pen::of(side);
    match cx.state().step {
        Step::Rally => rally(cx, &mut pen)?,
        Step::Preparation => by_unit(cx, &mut pen, guns::preparation)?,
        Step::Charge => by_unit(cx, &mut pen, fight::charge)?,
        Step::Move => {
            movement(cx, &mut pen)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// 24.2, 27.2-27.5 At the end of its Rally Phase the NP draws its orders; whoever is to go back and is in combat disengages.
fn rally(cx: &mut Hand<'_>, pen: &mut Pen) -> Play<()> {
    awake(cx, &pen.side);
    let v = cx.view(&pen.side);
    for given in groups::orders(&v, cx) {
        let groups::Given { unit, order, die } = given;
        cx.emit(Secret::Ordered { side: pen.side.clone(), unit, order, die }.into());
    }
    by_unit(cx, pen, |v, id| {
        let back = groups::order(v, id).is_some_and(|s| s.tactic == Tactic::Back);
        let fights =
            v.table.engaged(id) && v.table.unit(id).is_some_and(|u| !u.has(Mark::Rage) && !u.has(Mark::Disengaged));
        (back && fights && !march::holds(v, id)).then(|| format!("DISENGAGE {id}"))
    })
}

/// One line of each unit, each on what is known when its turn comes.
fn by_unit(cx: &mut Hand<'_>, pen: &mut Pen, line: impl Fn(&View, &UnitId) -> Option<String>) -> Play<()> {
    for id in own_units(cx, &pen.side) {
        if over(cx) {
            break;
        }
        if let Some(line) = line(pen.view(cx), &id) {
            pen.act(cx, &line)?;
        }
    }
    Ok(())
}

fn own_units(cx: &Hand<'_>, side: &SideId) -> Vec<UnitId> {
    table(cx).units.iter().filter(|(_, u)| u.side == *side).map(|(id, _)| id.clone()).collect()
}

fn over(cx: &Hand<'_>) -> bool {
    cx.state().at == At::Over
}

/// 24.5, 24.6 The Movement Phase: crews and HQs, chits, units from the farthest to the nearest, and the assaults last.
fn movement(cx: &mut Hand<'_>, pen: &mut Pen) -> Play<()> {
    by_unit(cx, pen, |v, id| {
        let away = v.table.unit(id).is_some_and(|u| u.has(Mark::Crewless));
        (away && groups::against(v, std::slice::from_ref(id)).is_empty()).then(|| format!("CREW {id} RETURN"))
    })?;
    by_unit(cx, pen, staff::line)?;
    for number in fog::marching(pen.view(cx)) {
        if let Some(line) = fog::chit_line(pen.view(cx), number) {
            pen.act(cx, &line)?;
        }
    }
    let planned = fight::attacks(pen.view(cx), &BTreeSet::new(), usize::MAX);
    let reserved: BTreeSet<&UnitId> = planned.iter().flat_map(|a| &a.by).collect();
    for id in march::in_turn(pen.view(cx)).into_iter().filter(|id| !reserved.contains(id)) {
        units_lines(cx, pen, &id, &planned)?;
    }
    assaults(cx, pen)
}

/// 24.5 What one unit does: it forms, turns and goes, as far as each leaves it able to, and as far as it stands in no planned
/// assault's way (24.5.4).
fn units_lines(cx: &mut Hand<'_>, pen: &mut Pen, id: &UnitId, planned: &[fight::Attack]) -> Play<()> {
    let mut last = String::new();
    for _ in 0..LINES {
        let v = pen.view(cx);
        // A second turn would only take the first one back.
        let idle = |line: &String| *line == last || (turns(line) && turns(&last));
        let line = march::line(v, id).filter(|line| !idle(line) && !over(cx));
        let Some(line) = line.filter(|line| march::leaves_room(v, line, planned)) else { break };
        pen.act(cx, &line)?;
        last = line;
    }
    Ok(())
}

/// Whether a line turns a unit on its centre.
fn turns(line: &str) -> bool {
    line.starts_with("TURN ") || line.starts_with("ABOUT ")
}

/// 24.5.17, 24.8 The assaults, each planned on what is known when its turn comes; 27.5 an order that is carried out ends.
fn assaults(cx: &mut Hand<'_>, pen: &mut Pen) -> Play<()> {
    let mut done: BTreeSet<UnitId> = BTreeSet::new();
    loop {
        let planned = fight::attacks(pen.view(cx), &done, 1).into_iter().next();
        let Some(attack) = planned.filter(|_| !over(cx)) else { return Ok(()) };
        for (n, id) in attack.by.iter().enumerate() {
            done.insert(id.clone());
            // Those before it may have taken its way, or its enemy.
            if !fight::reaches(pen.view(cx), id, &attack.on) {
                continue;
            }
            let lead = if n == 0 { " LEAD" } else { "" };
            let mates: Vec<&str> = attack.by.iter().skip(n + 1).take(1).map(|u| u.0.as_str()).collect();
            let with = if mates.is_empty() { String::new() } else { format!(" WITH {}", mates.join(" AND ")) };
            pen.act(cx, &format!("ATTACK {id} AT {}{lead}{with}", attack.on))?;
            if table(cx).combats.iter().all(|c| c.on != attack.on) {
                // He did not wait.
                break;
            }
        }
    }
}

/// 24.7 The NP's orders for musketry, before either side fires.
pub fn volleys(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let mut pen = Pen::of(side);
    for line in volley::lines(&cx.view(side)) {
        pen.act(cx, &line)?;
    }
    Ok(())
}

/// 24.6.3-24.6.5 What a discovered chit of the NP shows; the others go back among those who wait.
pub fn draw(cx: &mut Hand<'_>, side: &SideId, chit: &ChitId) -> Option<Vec<UnitId>> {
    let (number, held) = {
        let own = hidden(cx, side);
        own.boxes.iter().find(|(_, b)| b.chit == *chit).map(|(n, b)| (*n, b.units.clone()))?
    };
    let v = cx.view(side);
    let Drawn { die, shown, back } = fog::draw(&v, chit, &held, cx);
    cx.emit(Secret::Drawn { side: side.clone(), number, die, back }.into());
    Some(shown)
}

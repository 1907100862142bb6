//! What CHECK says of a march: MP by hex, the odds of its dice, what it may meet, what it may cost. From the view alone.

use super::attrition::{self, Length, Toll};
use super::column::Column;
use super::forage::{Fed, Share};
use super::order::{ForceOrder, How, Part};
use super::prompt::counters;
use super::repulse;
use super::told::{Portion, Rolled};
use super::{bridge, center, forage, offmap, parts, plotted, train};
use crate::hex::Hex;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;
use std::collections::BTreeMap;

/// Hexes in one row of the MP table.
const ROW: usize = 11;

/// A march on paper: MP of each hex for the slowest, as far as all is known.
struct Plan {
    /// The hexes, the first one where it stands.
    hexes: Vec<Hex>,
    /// The most that any unit has spent at each.
    spent: Vec<Halves>,
}

/// CHECK of a force order.
pub fn force(v: &View, order: &ForceOrder) -> Vec<String> {
    let Some(from) = v.own.hex(&order.leader) else { return Vec::new() };
    if order.how == How::Hold {
        return vec!["It stays where it is.".to_owned()];
    }
    let pontoons = train::planned(v, order);
    let sit = Situation { pontoons: &pontoons, ..v.situation() };
    let (column, plan) = march(v, &sit, order, (&order.leader, &order.path), StepCost::NONE);
    let mut lines = Vec::new();
    lines.extend(table(&plan, column.allowance()));
    let outcomes = outcomes(v, order, &column);
    let parts: Vec<(&Part, Column, Plan)> = order
        .with
        .iter()
        .map(|part| {
            let (column, plan) = march(v, &sit, order, (&part.leader, &part.path), StepCost::NONE);
            (part, column, plan)
        })
        .collect();
    for (part, column, plan) in &parts {
        lines.push(format!("beside him     {}, by his own tally [¶225]", words::name(v, &part.leader)));
        lines.extend(table(plan, column.allowance()));
    }
    lines.extend(initiative(v, order, &plan, &outcomes, from));
    lines.extend(contacts(v, &order.leader, &plan));
    for (part, _, plan) in &parts {
        lines.extend(contacts(v, &part.leader, plan));
    }
    let mut left = column.allowance() - plan.spent.last().copied().unwrap_or(Halves(0));
    for step in &order.trains {
        let mp = train::table_mp(v, *step);
        let enough = if mp > left { ", too few" } else { "" };
        lines.push(format!("work           {}, {mp} MP of {left}{enough}; no march [¶251]", step.words()));
        left = left - mp;
    }
    let end = plan.hexes.last().copied().unwrap_or(from);
    lines.extend(bridge::check(v, order, end, left));
    lines.extend(toll(v, order, from, &plan, &outcomes).0);
    lines.extend(offmap::check(v, order));
    if order.how == How::Plotted {
        lines.extend(plotted::check(v, order, from));
        return lines;
    }
    lines.push(match order.how {
        How::Command(Some(_)) => format!("costs          2 AP of {} [¶185]", v.own.army.ap),
        How::Command(None) => format!("costs          1 AP of {} [¶171]", v.own.army.ap),
        How::Free(Some(_)) => format!("costs          1 AP of {} [¶160, 185]", v.own.army.ap),
        How::Free(None) => "costs          no AP [¶115]".to_owned(),
        How::Plotted | How::Initiative | How::Forced | How::Hold => "costs          no AP".to_owned(),
    });
    lines
}

/// The column of a leader's counter and its march on paper, with what it pays to leave the hex where it stands (¶238).
fn march(
    v: &View,
    sit: &Situation<'_>,
    order: &ForceOrder,
    (leader, path): (&LeaderId, &[Hex]),
    leave: StepCost,
) -> (Column, Plan) {
    let mut column = Column::of(&v.board, &v.own, &v.own.force(leader));
    column.extend(order.how.extra());
    let from = v.own.hex(leader).unwrap_or(Hex::new(0, 0));
    let plan = plan(v, sit, &column, (from, leave), path);
    (column, plan)
}

fn plan(v: &View, sit: &Situation<'_>, column: &Column, (from, leave): (Hex, StepCost), path: &[Hex]) -> Plan {
    let mut column = column.clone();
    let mut leave = Some(leave);
    let start = v.board.map.neighbours(from).iter().any(|n| v.board.map.road(from, *n).is_some());
    let (mut at, mut by_road) = (from, start);
    let mut plan = Plan { hexes: vec![from], spent: vec![Halves(0)] };
    for &next in path {
        let Some(cost) = sit.step(at, next, by_road) else { break };
        column.pay(cost + leave.take().unwrap_or(StepCost::NONE));
        by_road = sit.road(at, next).is_some();
        at = next;
        plan.hexes.push(next);
        plan.spent.push(column.march());
    }
    plan
}

fn table(plan: &Plan, allowance: Halves) -> Vec<String> {
    let mut lines = Vec::new();
    let pairs: Vec<(&Hex, &Halves)> = plan.hexes.iter().zip(&plan.spent).collect();
    for row in pairs.chunks(ROW) {
        let mut hexes = "hex ".to_owned();
        let mut spent = "MP  ".to_owned();
        for (hex, mp) in row {
            hexes.push_str(&format!(" {hex}"));
            let text = if **mp == Halves(0) { "-".to_owned() } else { mp.to_string() };
            spent.push_str(&format!(" {text:>4}"));
        }
        lines.push(hexes);
        lines.push(spent);
    }
    if let Some(last) = lines.last_mut() {
        last.push_str(&format!(" of {allowance}"));
    }
    lines
}

/// What the dice may allow: result, faces of the die, MP.
type Outcomes = Vec<(Option<Rolled>, Vec<i32>, Halves)>;

/// ¶192-194 What each face of the die allows, where no enemy modifies it.
fn outcomes(v: &View, order: &ForceOrder, column: &Column) -> Outcomes {
    if matches!(order.how, How::Command(_) | How::Free(_) | How::Plotted) {
        return vec![(None, (1..=6).collect(), column.allowance())];
    }
    let rating = v.own.initiative(&v.board, &order.leader);
    let mut by: BTreeMap<u8, (Rolled, Vec<i32>)> = BTreeMap::new();
    for die in 1..=6 {
        let rolled = super::activation::rolled(rating, die);
        let rank = match rolled {
            Rolled::Full => 0,
            Rolled::Less => 1,
            Rolled::One => 2,
            Rolled::Nothing => 3,
        };
        by.entry(rank).or_insert((rolled, Vec::new())).1.push(die);
    }
    let allowed = |rolled: Rolled| {
        let mut column = column.clone();
        match rolled {
            Rolled::Full => {}
            Rolled::Less => column.less_one(),
            Rolled::One => column.only_one(),
            Rolled::Nothing => return Halves(0),
        }
        column.allowance()
    };
    by.into_values().map(|(rolled, dice)| (Some(rolled), dice, allowed(rolled))).collect()
}

/// The last hex that so many MP reach, and what it takes.
fn end(plan: &Plan, mp: Halves) -> (Hex, Halves) {
    let reached = plan.hexes.iter().zip(&plan.spent).take_while(|(_, spent)| **spent <= mp).last();
    reached.map_or((Hex::new(0, 0), Halves(0)), |(hex, spent)| (*hex, *spent))
}

fn initiative(v: &View, order: &ForceOrder, plan: &Plan, outcomes: &Outcomes, from: Hex) -> Vec<String> {
    if matches!(order.how, How::Command(_) | How::Free(_) | How::Plotted) {
        return Vec::new();
    }
    let rating = v.own.initiative(&v.board, &order.leader);
    let mut lines = Vec::new();
    for (n, (_, dice, mp)) in outcomes.iter().enumerate() {
        let head = if n == 0 { format!("initiative {rating}") } else { String::new() };
        let (hex, _) = end(plan, *mp);
        let faces = match (dice.first(), dice.last()) {
            (Some(a), Some(b)) if a != b => format!("{a}-{b}"),
            (Some(a), _) => a.to_string(),
            _ => String::new(),
        };
        let share = fraction(dice.len(), 6);
        let reach = if *mp == Halves(0) { "stays".to_owned() } else { format!("{mp} MP, to {hex}") };
        lines.push(format!("{head:<14} die {faces:<4} {share:<4} {reach}"));
    }
    let hexes: Vec<Hex> = parts::heads(order).iter().filter_map(|l| v.own.hex(l)).chain([from]).collect();
    if hexes.iter().any(|hex| !v.situation().zones_on(*hex).is_empty()) {
        lines.push("               next to the enemy: his initiative may be added to the die,".to_owned());
        lines.push("               and leaving may take up to 2 MP more [¶196, 238]".to_owned());
    }
    lines
}

/// ¶241-250 What the march may come next to.
fn contacts(v: &View, leader: &LeaderId, plan: &Plan) -> Vec<String> {
    let sit = v.situation();
    let mut lines = Vec::new();
    for hex in plan.hexes.iter().skip(1) {
        let met: Vec<Hex> = sit.zones_on(*hex).into_iter().map(|(h, _)| h).collect();
        if met.is_empty() {
            continue;
        }
        lines.push(format!("contact        at {hex} with {}", counters(v, &met)));
        let (own, most) = repulse::promise(v, leader, *hex, &met);
        lines.push(format!("               repulse with {own} SP succeeds against at most {most} SP [¶241]"));
        break;
    }
    lines
}

/// A march of a force on paper, for a rehearsal.
pub struct OnPaper {
    /// The hexes with the MP spent on the way to each, the first one where it stands.
    pub steps: Vec<(Hex, Halves)>,
    /// MP of the best roll.
    pub allowance: Halves,
    /// The mean loss by attrition in hundredths of an SP.
    pub mean: i32,
}

/// ¶192, 202, 238, 264 What a force order comes to by the map and the tables, where no enemy stops it and leaving the hex
/// where it stands costs so much.
pub fn on_paper(v: &View, order: &ForceOrder, leave: StepCost) -> Option<OnPaper> {
    let from = v.own.hex(&order.leader)?;
    let pontoons = train::planned(v, order);
    let sit = Situation { pontoons: &pontoons, ..v.situation() };
    let (column, plan) = march(v, &sit, order, (&order.leader, &order.path), leave);
    let outcomes = outcomes(v, order, &column);
    let (_, mean) = toll(v, order, from, &plan, &outcomes);
    let allowance = outcomes.iter().map(|(_, _, mp)| *mp).max().unwrap_or(Halves(0));
    Some(OnPaper { steps: plan.hexes.into_iter().zip(plan.spent).collect(), allowance, mean })
}

/// ¶264-270 What attrition may cost, for each outcome of the dice; and in the mean, in hundredths of an SP.
fn toll(v: &View, order: &ForceOrder, from: Hex, plan: &Plan, outcomes: &Outcomes) -> (Vec<String>, i32) {
    let siege = v.sieges.contains(&from).then(|| attrition::citadel(&v.board, &v.own, from, v.turn));
    let mut view = v.clone();
    if let How::Command(extended) = order.how {
        // ¶74: the column is that of the stock after the command.
        view.own.army.ap -= if extended.is_some() { 2 } else { 1 };
    }
    let begins = order.how == How::Plotted && plotted::under_way(v, &order.leader).is_none();
    if begins || matches!(order.how, How::Free(Some(_))) {
        view.own.army.ap -= 1;
    }
    let members = parts::members(&v.own, order);
    let toll = attrition::toll(&view.situation(), &v.phase, &members, from, siege);
    let table = &v.board.tables.attrition;
    let base = Column::of(&v.board, &v.own, &v.own.force(&order.leader)).allowance();
    let column = table.label(toll.column);
    let sp = toll.sp;
    let mut lines = vec![format!("attrition      column {column}, {sp} SP, die {:+}", toll.modifier)];
    let sit = view.situation();
    let mut tell = |line: String| {
        if !lines.contains(&line) {
            lines.push(line);
        }
    };
    let mut lost = 0;
    for (rolled, dice, mp) in outcomes {
        let (hex, march) = end(plan, *mp);
        let length = length(order.how, march, base);
        let forager = forages(v, order, *rolled).then_some(hex).filter(|hex| !v.sieges.contains(hex));
        let shares = match forager {
            Some(hex) => forage::shares(&sit, &v.phase, (&order.leader, hex), length, &toll),
            None => vec![Share::plain(&toll)],
        };
        for share in &shares {
            let with = forager.map_or(0, |hex| attrition::neighbours(&v.board, &v.own, (&order.leader, hex), share));
            let losses = losses(v, (&share.toll, with), order.how, length);
            lost += i32::try_from(dice.len()).unwrap_or(0) * losses.iter().sum::<i32>();
            if march > Halves(0) || order.how != How::Forced {
                tell(format!("               {march} MP{}: {}", fed(v, share, &shares), odds(&losses)));
            }
        }
        if shares.iter().any(|share| share.fed.is_some()) && doubtful(&sit, hex) {
            tell(format!("               a force beside {hex} would bar it from foraging [¶284]"));
        }
    }
    let hundredths = lost * 100 / 36;
    lines.push(format!("               in all {}.{:02} SP on the average", hundredths / 100, hundredths % 100));
    (lines, hundredths)
}

/// ¶278 Whether a force is in Forage Mode where its march ends; who may not set out changes nothing.
fn forages(v: &View, order: &ForceOrder, rolled: Option<Rolled>) -> bool {
    let now = v.own.leaders.get(&order.leader).is_some_and(|l| l.forage);
    order.mode.filter(|_| rolled != Some(Rolled::Nothing)).map_or(now, |mode| mode.forage)
}

/// ¶284 Whether a counter beside a hex may be a force, in a title where nobody forages in a zone.
fn doubtful(sit: &Situation<'_>, hex: Hex) -> bool {
    sit.board.exceptions.forage.not_in_zones && sit.zones_on(hex).iter().any(|(_, firm)| *firm == Firm::Unknown)
}

/// ¶274-277 What is rolled for, where that is not the force by its supply.
fn fed(v: &View, share: &Share, all: &[Share]) -> String {
    let arm = match share.arm(all) {
        Some(Portion::Foot) => format!(", foot {} SP", share.toll.sp),
        Some(Portion::Cavalry) => format!(", cavalry {} SP", share.toll.sp),
        None => String::new(),
    };
    let column = v.board.tables.attrition.label(share.toll.column);
    let found = match &share.fed {
        Some(Fed::Round(found)) => {
            format!(", foraging {}.{} [¶274], column {column}", found.tenths / 10, found.tenths % 10)
        }
        Some(Fed::Here(hex, found)) => {
            let crop = v.board.map.crops.get(hex).map_or_else(String::new, |crop| format!(" {}", crop.name()));
            format!(", {hex}{crop} {} [¶275]", found.name())
        }
        None if arm.is_empty() => String::new(),
        None => format!(", column {column}"),
    };
    format!("{arm}{found}")
}

/// ¶186, 297 How a march of some MP counts.
fn length(how: How, march: Halves, base: Halves) -> Length {
    let extra = match how {
        How::Command(Some(_)) | How::Free(Some(_)) => Halves((march - base).0.max(0)),
        _ => Halves(0),
    };
    Length { march: march - extra, extra, forced: how == How::Forced, ..Length::default() }
}

/// Losses of the six faces for a march; others count with the force for its size (¶286).
fn losses(v: &View, (toll, with): (&Toll, i32), how: How, length: Length) -> Vec<i32> {
    if how == How::Forced && length.march == Halves(0) {
        return vec![0; 6];
    }
    let modifier = attrition::modifier(&v.board, toll, length);
    let loss = |die| {
        let table = &v.board.tables.attrition;
        table.loss(&toll.pace, toll.column, toll.sp + with, length.march, die + modifier).min(toll.sp)
    };
    (1..=6).map(loss).collect()
}

/// `none 2/3, 1 SP 1/3`.
fn odds(losses: &[i32]) -> String {
    let mut by: BTreeMap<i32, usize> = BTreeMap::new();
    for loss in losses {
        *by.entry(*loss).or_default() += 1;
    }
    let say = |(loss, n): (i32, usize)| {
        let what = if loss == 0 { "none".to_owned() } else { format!("{loss} SP") };
        if n == losses.len() { what } else { format!("{what} {}", fraction(n, losses.len())) }
    };
    by.into_iter().map(say).collect::<Vec<_>>().join(", ")
}

/// A fraction in lowest terms.
fn fraction(n: usize, of: usize) -> String {
    let mut divisor = 1;
    for d in 2..=of {
        if n.is_multiple_of(d) && of.is_multiple_of(d) {
            divisor = d;
        }
    }
    if n == of { "sure".to_owned() } else { format!("{}/{}", n / divisor, of / divisor) }
}

fn rider(v: &View, from: Hex, path: &[Hex], most: i32) -> Vec<String> {
    let plan = plan(v, &v.situation(), &Column::rider(most), (from, StepCost::NONE), path);
    let mut lines = Vec::new();
    lines.extend(table(&plan, Halves::whole(most)));
    lines
}

/// CHECK of a vedette's march.
pub fn vedette(v: &View, n: u32, path: &[Hex]) -> Vec<String> {
    let Some(from) = v.own.piece_hex(&Piece::Vedette(n)) else { return Vec::new() };
    rider(v, from, path, v.board.tables.terrain.allowances.vedette)
}

/// CHECK of the ride of a leader without troops.
pub fn leader(v: &View, leader: &LeaderId, path: &[Hex]) -> Vec<String> {
    let Some(from) = v.own.hex(leader) else { return Vec::new() };
    rider(v, from, path, v.board.tables.terrain.allowances.unemployed_leader)
}

/// What follows from any move of a center.
pub const INACTIVE: &str = "It is inactive in your next turn, until your Consolidation Segment. [¶181]";

/// CHECK of a center's march.
pub fn center(v: &View, path: &[Hex]) -> Vec<String> {
    let Some(from) = v.own.army.center else { return Vec::new() };
    let mut lines = rider(v, from, path, v.board.tables.terrain.allowances.center);
    lines.push(INACTIVE.to_owned());
    let road = path.last().is_some_and(|end| center::major_road(&v.situation(), *end));
    if !road {
        lines.push("It does not end on a primary road, so it cannot turn active there. [¶178]".to_owned());
    }
    lines
}

//! 16.4 Orders of fog: STRAT, CHIT, DECOY for the sealed sheet at a turn's beginning; MARCH, HIDE, DEPLOY in a player-turn.

use super::board::UnitId;
use super::check::ends;
use super::fog::{again, boxes, march, may_strat, uncover};
use super::mist::ChitId;
use super::moves::{self, Move};
use super::order::{Order, verb};
use super::state::{At, Step};
use super::strategic::{self, waiting};
use super::table::um;
use super::view::View;
use super::words;
use crate::orders::{Args, Fault, Verb};
use crate::plane::Spot;
use std::collections::BTreeSet;

/// What a line of the fog becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FogOrder {
    /// 16.4.1 A corps moves to an area.
    Strat(String, String),
    /// 16.4.2.4 A chit is filled and put on the map; a decoy holds nobody.
    Chit {
        /// Its box.
        number: u8,
        /// What it holds.
        units: Vec<UnitId>,
        /// Where it is put down.
        at: Spot,
    },
    /// 16.4.2.6 A chit moves.
    March {
        /// Its box.
        number: u8,
        /// Where to.
        goal: Spot,
        /// At most.
        units: Option<i32>,
    },
    /// 16.4.2.8.2 Units go back into a chit.
    Hide {
        /// Who.
        units: Vec<UnitId>,
        /// The box.
        number: u8,
    },
    /// 16.4.2.8 A chit is turned over by its own side.
    Deploy(u8),
    /// 16.4.2.7 A unit goes at a chit.
    Attack(UnitId, ChitId),
}

/// The verbs.
pub fn verbs() -> Vec<Verb<View, Order>> {
    let (chit, hide) = ("n = unit, unit … PLACE place", "unit [AND unit] IN n");
    vec![
        verb("STRAT", "corps TO area", "16.4.1", eg_strat, read_strat),
        verb("CHIT", chit, "16.4.2", eg_chit, read_chit),
        verb("DECOY", "n PLACE place", "16.4.2", eg_decoy, read_decoy),
        verb("MARCH", "n TOWARD place [2UM]", "16.4.2.6", eg_march, read_march),
        verb("HIDE", hide, "16.4.2.8.2", eg_hide, read_hide),
        verb("DEPLOY", "n", "16.4.2.8", |_| Vec::new(), read_deploy),
    ]
}

/// 4.3-4.6 The step of a player-turn to which an order belongs; those of the sealed sheet have none.
pub fn step(order: &FogOrder) -> Option<Step> {
    match order {
        FogOrder::Strat(..) | FogOrder::Chit { .. } => None,
        FogOrder::Hide { .. } => Some(Step::Rally),
        FogOrder::March { .. } | FogOrder::Deploy(_) | FogOrder::Attack(..) => Some(Step::Move),
    }
}

fn in_fog(v: &View) -> Result<(), Fault> {
    if v.table.board.flow.is_none() {
        return Err(Fault::refused("in this scenario every unit stands open; there are no chits", "16.4"));
    }
    Ok(())
}

/// A box, by its number or by the name of the chit that lies on the map for it.
fn number(v: &View, args: &mut Args<'_>) -> Result<u8, Fault> {
    let word = args.peek().map(|w| w.fold.clone()).unwrap_or_default();
    if let Some((number, _)) = v.own.boxes.iter().find(|(_, boxed)| crate::orders::fold(&boxed.chit.0) == word) {
        args.next_word();
        return Ok(*number);
    }
    let said = args.number("a box's number, 1 to 18")?;
    u8::try_from(said).map_err(|_| Fault::refused("the boxes are numbered 1 to 18", "16.4.2"))
}

fn corps(v: &View, args: &mut Args<'_>) -> Result<String, Fault> {
    let number = |corps: &String| {
        const ROMAN: [&str; 6] = ["I", "II", "III", "IV", "V", "VI"];
        (1..).zip(ROMAN).find(|(_, roman)| roman == corps).map(|(n, _)| (n.to_string(), corps.clone()))
    };
    let mut names: Vec<(String, String)> = v.own.corps.keys().map(|c| (c.clone(), c.clone())).collect();
    // `STRAT 3` is the third corps.
    names.extend(v.own.corps.keys().filter_map(number));
    args.name("a corps on your strategic map", &names)
}

fn read_strat(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    in_fog(v)?;
    let corps = corps(v, args)?;
    args.key("TO");
    let zones = &v.table.board.strategic.zones;
    let names = zones.iter().flat_map(|z| [(z.id.clone(), z.id.clone()), (z.name.clone(), z.id.clone())]);
    let names: Vec<(String, String)> = names.collect();
    Ok(Order::Fog(FogOrder::Strat(corps, args.name("an area of the strategic map", &names)?)))
}

fn read_chit(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    in_fog(v)?;
    let number = number(v, args)?;
    args.key("=");
    let units = load(v, args, "a unit on your strategic map, or PLACE")?;
    if units.is_empty() {
        let why = format!("chit {number} names no unit; an empty chit is a DECOY");
        let copy = words::place(v, args).ok().map(|at| boxes::line(number, &[], at));
        return Err(Fault::Refused { why, rule: "16.4.2.1".to_owned(), copy });
    }
    Ok(Order::Fog(FogOrder::Chit { number, units, at: words::place(v, args)? }))
}

/// Names of own units up to PLACE.
fn load(v: &View, args: &mut Args<'_>, wanted: &str) -> Result<Vec<UnitId>, Fault> {
    let names = words::names(v, true);
    let mut units = Vec::new();
    while !args.done() && !args.key("PLACE") {
        if args.key("AND") || args.key("+") {
            continue;
        }
        if args.clone().whole_name(names).is_none() {
            words::not_a_corps(v, args, Some(true))?;
        }
        units.push(args.name(wanted, names)?);
    }
    Ok(units)
}

fn read_decoy(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    in_fog(v)?;
    let number = number(v, args)?;
    if !args.key("PLACE") {
        args.key("=");
        let units = load(v, args, "PLACE and a place")?;
        let copy = words::place(v, args).ok().map(|at| boxes::line(number, &units, at));
        let why = "a decoy holds nothing; a chit with units is a CHIT".to_owned();
        return Err(Fault::Refused { why, rule: "16.4.2.1".to_owned(), copy });
    }
    Ok(Order::Fog(FogOrder::Chit { number, units: Vec::new(), at: words::place(v, args)? }))
}

fn read_march(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    in_fog(v)?;
    let number = number(v, args)?;
    if !args.key("TOWARD") {
        args.key("TO");
    }
    let goal = match enemy_chit(v, args).and_then(|id| v.table.chit(&id).map(|c| c.at)) {
        Some(at) => at,
        None => words::place(v, args)?,
    };
    let units = if words::at_distance(args) { Some(words::distance(args)?) } else { None };
    Ok(Order::Fog(FogOrder::March { number, goal, units }))
}

fn read_hide(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    in_fog(v)?;
    let units = words::own_list(v, args)?;
    args.key("IN");
    Ok(Order::Fog(FogOrder::Hide { units, number: number(v, args)? }))
}

fn read_deploy(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    in_fog(v)?;
    Ok(Order::Fog(FogOrder::Deploy(number(v, args)?)))
}

/// An enemy chit, if the next word names one.
pub fn enemy_chit(v: &View, args: &mut Args<'_>) -> Option<ChitId> {
    let me = v.me();
    let said = args.peek()?.fold.clone();
    let enemy = v.table.mist.chits.iter().filter(|(_, c)| c.side != me);
    let found = enemy.map(|(id, _)| id).find(|id| crate::orders::fold(&id.0) == said)?;
    args.next_word();
    Some(found.clone())
}

/// What CHECK says: from the viewer's own paper alone.
///
/// # Errors
/// Why it would not be carried out.
pub fn check(v: &View, order: &FogOrder) -> Result<Vec<String>, Fault> {
    let (t, own, me) = (&v.table, &v.own, v.me());
    let sealed = matches!(order, FogOrder::Strat(..) | FogOrder::Chit { .. });
    if sealed != matches!(v.at, At::Fog | At::Deploy) {
        let why = if sealed {
            "STRAT, CHIT and DECOY belong on the sealed sheet at the beginning of a fog turn"
        } else {
            "that belongs into a player-turn; this sheet has STRAT, CHIT and DECOY"
        };
        return Err(Fault::refused(why.to_owned(), "16.4.2.3"));
    }
    Ok(match order {
        FogOrder::Strat(corps, to) if v.at == At::Deploy => vec![format!("{corps} would begin in {to}")],
        FogOrder::Strat(corps, to) => {
            may_strat(t, own, &me, corps, to)?;
            let needs = || strategic::needs(t, own, &me, to);
            vec![if strategic::rolls(t, &me) {
                format!("{corps} would roll to move to {to}: {} or more on a die", needs())
            } else {
                format!("{corps} would move to {to}")
            }]
        }
        FogOrder::Chit { number, units, at } => {
            boxes::may_place(t, own, &me, *number, units, *at)?;
            let what: Vec<&str> = units.iter().map(|u| u.0.as_str()).collect();
            let what = if what.is_empty() { "nothing: a decoy".to_owned() } else { what.join(", ") };
            vec![format!("chit {number} would lie at {at} ({}) and hold {what}", t.near_place(*at))]
        }
        FogOrder::March { number, goal, units } => {
            marched(v, *number, &march::trace(t, own, &me, *number, *goal, *units)?)
        }
        FogOrder::Hide { units, number } => {
            again::may_hide(t, own, &me, units, *number)?;
            vec![format!("they would go into box {number} at the end of your Rally Phase")]
        }
        FogOrder::Deploy(number) => {
            uncover::may_open(own, *number)?;
            vec![format!("chit {number} would be turned over where it lies")]
        }
        FogOrder::Attack(unit, chit) => match t.chit(chit).map(|c| toward(c.at)) {
            None => return Err(Fault::refused(format!("{chit} is gone"), "16.4.2.7")),
            Some(way) => ends(v, unit, &moves::trace(t, &me, unit, &way)?),
        },
    })
}

/// 16.4.2.7 The movement of a unit that goes at a chit.
pub fn toward(goal: Spot) -> Move {
    Move::Toward { goal, units: None, face: None }
}

fn marched(v: &View, number: u8, way: &march::March) -> Vec<String> {
    let left = v.table.board.tables.moves.chit - v.table.chit(&way.chit).map_or(0, |c| c.spent) - way.cost;
    let place = v.table.near_place(way.to);
    let mut lines = vec![format!("chit {number} would end at {} ({place}); {} UM left", way.to, um(left.max(0)))];
    if let Some(halt) = &way.halt {
        let (why, rule) = march::words(halt);
        lines.push(format!("it goes no farther: {why} [{rule}]"));
    }
    lines
}

fn sealed_sheet(v: &View) -> bool {
    v.side.is_some() && matches!(v.at, At::Fog)
}

fn eg_strat(v: &View) -> Vec<String> {
    let me = v.me();
    if v.side.is_none() || !matches!(v.at, At::Fog | At::Deploy) {
        return Vec::new();
    }
    let zones = v.table.board.strategic.zones.iter();
    let present: BTreeSet<String> = waiting(&v.table, &v.own, &me).into_iter().map(|(_, c)| c).collect();
    let line = |corps: &String| {
        let legal = |z: &&super::strategic::Zone| may_strat(&v.table, &v.own, &me, corps, &z.id).is_ok();
        zones.clone().find(legal).map(|z| format!("STRAT {corps} TO {}", z.id))
    };
    present.iter().filter_map(line).take(1).collect()
}

fn free_box(v: &View) -> u8 {
    (1..=v.table.board.tables.fog.boxes).find(|n| !v.own.boxes.contains_key(n)).unwrap_or(1)
}

/// A place where a chit of a unit could be put down: the middle of its area.
fn middle(v: &View, corps: &str) -> Option<Spot> {
    let zone = v.own.corps.get(corps).and_then(|z| v.table.board.zone(z))?;
    let (low, high) = zone.rect;
    Some(Spot::new((low.x + high.x) / 2, (low.y + high.y) / 2))
}

fn eg_chit(v: &View) -> Vec<String> {
    if !sealed_sheet(v) {
        return Vec::new();
    }
    let (first, n) = (waiting(&v.table, &v.own, &v.me()).into_iter().next(), free_box(v));
    let line = first.and_then(|(unit, corps)| Some(format!("CHIT {n} = {unit} PLACE {}", middle(v, &corps)?)));
    line.into_iter().collect()
}

/// 16.4.2.4 A decoy beside the chit that is offered with it: another box, another place.
fn eg_decoy(v: &View) -> Vec<String> {
    if !sealed_sheet(v) || v.own.quota.is_none_or(|quota| quota.chits < 2) {
        return Vec::new();
    }
    let free = (1..=v.table.board.tables.fog.boxes).filter(|n| !v.own.boxes.contains_key(n)).nth(1);
    let first = waiting(&v.table, &v.own, &v.me()).into_iter().next();
    let Some((n, at)) = free.zip(first.and_then(|(_, corps)| middle(v, &corps))) else { return Vec::new() };
    let beside = [(0, DECOY_APART), (0, -DECOY_APART), (DECOY_APART, 0), (-DECOY_APART, 0)];
    let spots = beside.map(|(x, y)| Spot::new(at.x + x, at.y + y));
    let found = boxes::first_place(&v.table, (&v.own, &v.me()), (n, &[]), spots);
    found.map(|to| boxes::line(n, &[], to)).into_iter().collect()
}

/// How far from a chit an offered decoy lies, in thousandths of a UM.
const DECOY_APART: i32 = 1000;

fn eg_march(v: &View) -> Vec<String> {
    // Guns in works are seldom meant to leave them.
    let rides =
        |boxed: &super::mist::Boxed| boxed.units.iter().any(|id| v.table.arm(id) != super::board::Arm::Artillery);
    let first = v.own.boxes.iter().find(|(_, boxed)| rides(boxed)).map(|(number, _)| number);
    let number = first.filter(|_| v.my_sheet());
    let goal = v.table.board.places.iter().find(|p| p.vp > 0);
    number.zip(goal).map(|(n, p)| format!("MARCH {n} TOWARD {} 2UM", p.name)).into_iter().collect()
}

fn eg_hide(v: &View) -> Vec<String> {
    if !v.my_sheet() {
        return Vec::new();
    }
    let (me, n) = (v.me(), free_box(v));
    let able = |id: &&UnitId| again::may_hide(&v.table, &v.own, &me, std::slice::from_ref(*id), n).is_ok();
    let ids: Vec<&UnitId> = v.table.of_side(&me).map(|(id, _)| id).collect();
    ids.into_iter().find(able).map(|id| format!("HIDE {id} IN {n}")).into_iter().collect()
}

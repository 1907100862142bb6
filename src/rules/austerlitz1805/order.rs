//! Orders: the verbs, and how they are read.

use super::approach::{Onset, Part};
use super::board::{Arm, UnitId};
use super::conditions::{self, Test};
use super::examples::{eg, eg_attach, eg_foe, eg_form, eg_guns, eg_hold, eg_if, eg_move, eg_return, eg_volley};
use super::fogsheet::{self, FogOrder};
use super::moves::group::March;
use super::moves::{self, MARKER_TURN, Move};
use super::state::{At, ReturnPlan, Step};
use super::table::Formation;
use super::view::View;
use super::words;
use crate::orders::cond::Cond;
use crate::orders::{Args, Fault, Verb};
use crate::plane::UM;

/// A place so far along a bearing is farther than anything moves in a turn.
const FAR: i32 = 8 * UM;
/// The room between a unit and one that follows it.
const FOLLOWS: i32 = 100;

/// What a line becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// 6 Movement, turning, forming.
    Move(UnitId, Move),
    /// 6.4 Behind another unit, wherever that stands by then.
    Follow(UnitId, Move),
    /// 6.4 Several units go as one.
    March(March),
    /// 12.6.2 An HQ goes to a unit.
    Attach(UnitId, UnitId),
    /// 13 An attack.
    Attack(Onset),
    /// 13.12.3 A charge.
    Charge(UnitId, UnitId),
    /// 9 Fire of batteries; with what, and whether in the enemy's turn.
    Bombard {
        /// The batteries.
        by: Vec<UnitId>,
        /// The target.
        at: UnitId,
        /// Canister or round shot; canister if it reaches where nothing is said.
        canister: Option<bool>,
        /// In the enemy's next Defensive Fire.
        defence: bool,
    },
    /// 4.4 A battery holds its fire in the enemy's turn.
    Hold(UnitId),
    /// 10 Musketry.
    Volley(Vec<UnitId>, UnitId),
    /// 13.6 Out of a combat.
    Disengage(UnitId),
    /// 13.15.1.1.2 A crew goes back.
    CrewBack(UnitId),
    /// 19.4 Where a unit is to come back that has left the map.
    Return {
        /// The unit.
        unit: UnitId,
        /// Where, and in which formation.
        plan: ReturnPlan,
    },
    /// 16.4 Chits and strategic maps.
    Fog(FogOrder),
    /// The same for several units, one after the other.
    Each(Vec<Order>),
    /// An order that is carried out only where something is so when its turn comes.
    If {
        /// What must be so.
        cond: Cond<Test>,
        /// The order.
        order: Box<Order>,
    },
}

/// All verbs.
pub fn verbs() -> Vec<Verb<View, Order>> {
    let mut verbs = moving();
    verbs.extend(fighting());
    verbs.extend(fogsheet::verbs());
    let tests = "unit D (or S, R, FIT, LINE, COLUMN, SQUARE, ENGAGED, GONE, SEEN, WITHIN 2UM OF unit) [AND test] order";
    verbs.push(verb("IF", tests, "4", eg_if, conditions::read));
    verbs.push(verb("RETURN", "unit AT place [FORM formation]", "19.4", eg_return, read_return));
    verbs
}

/// The place that a line names, as in an order: a name, a unit, `12400,15350`, `12.40,15.35`, `Pratzen+300N`.
///
/// # Errors
/// Unclear, with the nearest name; refused off the map.
pub fn place(v: &View, line: &crate::orders::Line) -> Result<crate::plane::Spot, Fault> {
    words::place(v, &mut Args::new(line, 0))
}

type Read = fn(&View, &mut Args<'_>) -> Result<Order, Fault>;

pub(super) fn verb(
    word: &'static str,
    usage: &'static str,
    rule: &'static str,
    examples: fn(&View) -> Vec<String>,
    read: Read,
) -> Verb<View, Order> {
    Verb { word, usage, rule, examples, read }
}

/// 5, 6, 12.6.2
fn moving() -> Vec<Verb<View, Order>> {
    let far = "unit TOWARD place or way [2UM] [FACE way or STRAIGHT] · units or CORPS name TOWARD place or way [2UM] [KEEP] · unit BEARING 045 2UM · unit 2UM · unit 0 1 R30 0.5";
    let forms = "unit, units or CORPS name LINE, COLUMN, SQUARE, LIMBER or UNLIMBER";
    vec![
        verb("MOVE", far, "6.4", eg_move, read_move),
        verb("FOLLOW", "unit AFTER unit [2UM]", "6.4", |_| Vec::new(), read_follow),
        verb("SIDE", "unit L or R [1UM]", "6.3", |v| eg(v, "SIDE", "R 1UM"), read_side),
        verb("BACK", "unit 1UM", "6.5", |v| eg(v, "BACK", "0.5UM"), read_back),
        verb("TURN", "unit, units or CORPS name way", "6.5", |v| eg(v, "TURN", "NE"), read_turn),
        verb("ABOUT", "unit", "6.6", |v| eg(v, "ABOUT", ""), read_about),
        verb("FORM", forms, "6.12", eg_form, read_form),
        verb("ATTACH", "HQ TO unit", "12.6.2", eg_attach, read_attach),
        verb("CREW", "battery RETURN", "13.15.1.1.2", |_| Vec::new(), read_crew),
    ]
}

/// 9, 10, 13
fn fighting() -> Vec<Verb<View, Order>> {
    let guns = "battery [AND battery] AT enemy [CANISTER or ROUND] [DEF]";
    let strikes = "unit [AND unit] AT enemy [LEAD] [SIDE LEFT, RIGHT, CENTRE, FRONT, FLANK or REAR, or STRAIGHT] [HALF] [WITH unit] [ELSE NEAR]";
    vec![
        verb("ATTACK", strikes, "13.1", |v| eg_foe(v, "ATTACK", Arm::Infantry), read_attack),
        verb("SUPPORT", "unit AT enemy", "13.13", |_| Vec::new(), read_support),
        verb("CHARGE", "unit AT enemy", "13.12.3", |v| eg_foe(v, "CHARGE", Arm::Cavalry), read_charge),
        verb("BOMBARD", guns, "9.1", eg_guns, read_bombard),
        verb("HOLD", "battery", "4.4", eg_hold, read_hold),
        verb("VOLLEY", "unit [AND unit] AT enemy", "10.4", eg_volley, read_volley),
        verb("DISENGAGE", "unit", "13.6", |v| eg(v, "DISENGAGE", ""), read_disengage),
    ]
}

/// `MOVE CORPS III TOWARD Teilnitz 2UM KEEP`, `MOVE 4D 4E TOWARD Teilnitz`, `MOVE GROUP Kister AND Lochet TOWARD S`: several
/// go toward a place as one; what leads each elsewhere from its own place, each does for itself.
fn read_move(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let units = if args.key("CORPS") {
        words::corps(v, args)?
    } else if args.key("GROUP") {
        read_group(v, args)?
    } else {
        words::own_several(v, args)?
    };
    if units.len() > 1
        && let Some(march) = read_march(v, &units, args)?
    {
        return Ok(march);
    }
    let (mut orders, mut rest) = (Vec::new(), args.clone());
    for unit in units {
        // Each reads the same words, for a bearing leads elsewhere from its own place.
        rest = args.clone();
        orders.push(read_single(v, unit, &mut rest)?);
    }
    *args = rest;
    Ok(each(orders))
}

/// Units up to the word that says where to, with commas between them or without.
fn read_group(v: &View, args: &mut Args<'_>) -> Result<Vec<UnitId>, Fault> {
    let mut units = words::own_several(v, args)?;
    while args.peek().is_some_and(|w| !["toward", "to", "bearing"].contains(&w.fold.as_str())) {
        units.extend(words::own_several(v, args)?);
    }
    Ok(units)
}

/// 6.4 Several toward a place or a way; nothing where the words are others, or where each is to face a way of its own.
fn read_march(v: &View, units: &[UnitId], args: &mut Args<'_>) -> Result<Option<Order>, Fault> {
    let mut ahead = args.clone();
    if !ahead.key("TOWARD") && !ahead.key("TO") {
        return Ok(None);
    }
    let goal = match words::bearing(&mut ahead, false) {
        Some(way) => March::middle(&v.table, units).toward(way, FAR).spot(),
        None => words::place(v, &mut ahead)?,
    };
    let far = if words::at_distance(&ahead) { Some(words::distance(&mut ahead)?) } else { None };
    let keep = ahead.key("KEEP");
    if ahead.peek().is_some_and(|word| word.fold == "face") {
        return Ok(None);
    }
    *args = ahead;
    Ok(Some(Order::March(March { units: units.to_vec(), goal, far, keep })))
}

fn read_single(v: &View, unit: UnitId, args: &mut Args<'_>) -> Result<Order, Fault> {
    let bearing = args.key("BEARING");
    if bearing || args.key("TOWARD") || args.key("TO") {
        let way = words::bearing(args, bearing);
        let goal = match way {
            Some(way) => v.table.front(&unit).toward(way, FAR).spot(),
            None => words::place(v, args)?,
        };
        let units = if words::at_distance(args) { Some(words::distance(args)?) } else { None };
        let face = if args.key("FACE") { Some(words::heading(v, args, &unit)?) } else { None };
        // Who names a way or a front means that one; who names a place wants to get there.
        let round = way.is_none() && face.is_none() && !args.key("STRAIGHT");
        let mv = if round { Move::Round { goal, units } } else { Move::Toward { goal, units, face } };
        return Ok(Order::Move(unit, mv));
    }
    let legs = legs(args)?;
    Ok(Order::Move(unit, Move::Legs(legs)))
}

/// 6.4 Markers: `2UM` straight ahead, or turn and length in pairs: `0 1 R30 0.5`; A-7: each may turn 45 degrees, not the
/// first alone.
fn legs(args: &mut Args<'_>) -> Result<Vec<(i32, i32)>, Fault> {
    let lone = args.ahead(2).is_none();
    if lone || args.ahead(2).is_some_and(|two| two.to_ascii_uppercase().ends_with(" UM")) {
        let units = words::distance(args)?;
        let whole = std::iter::repeat_n((0, UM), usize::try_from(units / UM).unwrap_or(0));
        return Ok(whole.chain((units % UM > 0).then_some((0, units % UM))).collect());
    }
    let mut legs = Vec::new();
    while !args.done() {
        legs.push((turn(args)?, words::distance(args)?));
    }
    Ok(legs)
}

/// A marker's turn: `0`, `R30`, `L45`.
fn turn(args: &mut Args<'_>) -> Result<i32, Fault> {
    let said = args.peek().map_or(String::new(), |w| w.text.to_ascii_uppercase());
    let number = |s: &str| s.parse::<i32>().ok().filter(|n| (0..=180).contains(n));
    let found = match (said.strip_prefix('R'), said.strip_prefix('L')) {
        (Some(right), _) => number(right),
        (_, Some(left)) => number(left).map(|n| -n),
        _ => number(&said).filter(|n| *n == 0),
    };
    match found {
        Some(turn) => {
            args.next_word();
            Ok(turn)
        }
        None => Err(args.fault(&format!("a marker's turn: 0, R{MARKER_TURN} or L{MARKER_TURN}"), ["TOWARD"])),
    }
}

fn read_side(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = words::own(v, args)?;
    let right = matches!(args.one_of("L or R", &["L", "R", "LEFT", "RIGHT"])?, "R" | "RIGHT");
    let most = if v.table.unit(&unit).is_some_and(|u| u.form == Formation::Square) {
        v.table.board.tables.moves.square
    } else {
        v.table.board.tables.moves.sideways
    };
    let units = if args.done() { most } else { words::distance(args)? };
    Ok(Order::Move(unit, Move::Side { right, units }))
}

fn read_back(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = words::own(v, args)?;
    let units = words::distance(args)?;
    Ok(Order::Move(unit, Move::Back { units }))
}

/// A unit, several, or those of a corps to whom such an order can be given.
fn read_several(v: &View, args: &mut Args<'_>) -> Result<(Vec<UnitId>, bool), Fault> {
    if args.key("CORPS") {
        return Ok((words::corps(v, args)?.into_iter().filter(|id| v.table.arm(id) != Arm::Hq).collect(), true));
    }
    Ok((words::own_several(v, args)?, false))
}

/// The same for several; of a corps those who can do it.
///
/// # Errors
/// Refused, where nobody of a corps can.
fn moves_of(v: &View, moves: Vec<(UnitId, Move)>, corps: bool) -> Result<Order, Fault> {
    let me = v.me();
    let mut found = Vec::new();
    let mut first = None;
    for (unit, mv) in moves {
        match moves::trace(&v.table, &me, &unit, &mv) {
            Err(fault) if corps => _ = first.get_or_insert(fault),
            _ => found.push(Order::Move(unit, mv)),
        }
    }
    match first.filter(|_| found.is_empty()) {
        Some(fault) => Err(fault),
        None => Ok(each(found)),
    }
}

/// One order, or the same for several.
fn each(mut orders: Vec<Order>) -> Order {
    match (orders.pop(), orders.is_empty()) {
        (Some(only), true) => only,
        (last, _) => Order::Each(orders.into_iter().chain(last).collect()),
    }
}

fn read_turn(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let (units, corps) = read_several(v, args)?;
    let (mut moves, mut rest) = (Vec::new(), args.clone());
    for unit in units {
        // A way to a place is another one from each.
        rest = args.clone();
        let to = words::heading(v, &mut rest, &unit)?;
        moves.push((unit, Move::Turn(to)));
    }
    *args = rest;
    moves_of(v, moves, corps)
}

fn read_about(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let (units, corps) = read_several(v, args)?;
    moves_of(v, units.into_iter().map(|unit| (unit, Move::About)).collect(), corps)
}

fn read_form(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let (units, corps) = read_several(v, args)?;
    let form = words::formation(args)?;
    moves_of(v, units.into_iter().map(|unit| (unit, Move::Form(form))).collect(), corps)
}

fn read_attach(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let hq = words::own(v, args)?;
    args.key("TO");
    Ok(Order::Attach(hq, words::own(v, args)?))
}

/// What may follow the enemy's name.
const CLAUSES: [&str; 6] = ["LEAD", "SIDE", "STRAIGHT", "HALF", "WITH", "ELSE"];

fn read_attack(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let by = words::own_list(v, args)?;
    args.key("AT");
    if let ([unit], Some(chit)) = (by.as_slice(), fogsheet::enemy_chit(v, args)) {
        return Ok(Order::Fog(FogOrder::Attack(unit.clone(), chit)));
    }
    let on = words::foe(v, args)?;
    let mut onset = Onset::by(by, on, Part::Best);
    while !args.done() {
        match args.one_of("LEAD, SIDE, STRAIGHT, HALF, WITH or ELSE NEAR", &CLAUSES)? {
            "LEAD" => onset.part = Part::Lead,
            "SIDE" => onset.side = Some(words::side(args)?),
            "STRAIGHT" => onset.straight = true,
            "HALF" => onset.halves = true,
            "WITH" => onset.mates = words::own_list(v, args)?,
            _ => {
                args.one_of("NEAR", &["NEAR"])?;
                onset.near = true;
            }
        }
    }
    Ok(Order::Attack(onset))
}

fn read_support(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = words::own(v, args)?;
    args.key("AT");
    Ok(Order::Attack(Onset::of(&unit, &words::foe(v, args)?, Part::Support)))
}

/// Behind a unit of one's own, wherever it stands when the line's turn comes.
fn read_follow(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = words::own(v, args)?;
    args.key("AFTER");
    let ahead = words::own(v, args)?;
    let Some(pose) = v.table.unit(&ahead).map(|u| u.pose).filter(|_| ahead != unit) else {
        return Err(Fault::refused(format!("{unit} can't follow itself"), "6.4"));
    };
    let apart = v.table.size(&ahead).depth / 2 + v.table.size(&unit).depth / 2 + FOLLOWS;
    let goal = pose.at.fine().toward(pose.facing.turned(180), apart).spot();
    let units = if words::at_distance(args) { Some(words::distance(args)?) } else { None };
    Ok(Order::Follow(unit, Move::Toward { goal, units, face: None }))
}

fn read_charge(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = words::own(v, args)?;
    args.key("AT");
    Ok(Order::Charge(unit, words::foe(v, args)?))
}

fn read_bombard(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let by = words::own_list(v, args)?;
    args.key("AT");
    let at = words::foe(v, args)?;
    let canister = args.maybe(&["CANISTER", "ROUND"]).map(|w| w == "CANISTER");
    let defence = args.key("DEF");
    Ok(Order::Bombard { by, at, canister, defence })
}

fn read_hold(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = words::own(v, args)?;
    if v.table.arm(&unit) != Arm::Artillery {
        return Err(Fault::refused(format!("{unit} is no battery"), "9.1"));
    }
    Ok(Order::Hold(unit))
}

fn read_volley(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let by = words::own_list(v, args)?;
    args.key("AT");
    let on = words::foe(v, args)?;
    match by.iter().find(|u| v.table.arm(u) != Arm::Infantry) {
        Some(unit) => Err(Fault::refused(format!("{unit} has no muskets"), "10.3")),
        None => Ok(Order::Volley(by, on)),
    }
}

fn read_disengage(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    Ok(Order::Disengage(words::own(v, args)?))
}

fn read_crew(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = words::own(v, args)?;
    args.one_of("RETURN", &["RETURN"])?;
    Ok(Order::CrewBack(unit))
}

fn read_return(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let me = v.me();
    let away: Vec<(String, UnitId)> =
        v.table.away.keys().filter(|id| v.table.side(id) == me).map(|id| (id.0.clone(), id.clone())).collect();
    if away.is_empty() {
        return Err(Fault::refused("none of your units is off the map to come back", "19.4"));
    }
    let unit = args.name("a unit of yours that will come back", &away)?;
    args.key("AT");
    let at = words::place(v, args)?;
    let form = if args.key("FORM") { Some(words::formation(args)?) } else { None };
    Ok(Order::Return { unit, plan: ReturnPlan { at, form } })
}

/// 4.3-4.6 The step of the sheet to which an order belongs; none for plans, which may come at any time.
pub fn step(order: &Order) -> Option<Step> {
    match order {
        Order::Disengage(_) => Some(Step::Rally),
        Order::Bombard { defence: false, .. } => Some(Step::Preparation),
        Order::Charge(..) => Some(Step::Charge),
        Order::Move(..)
        | Order::Follow(..)
        | Order::March(_)
        | Order::Attach(..)
        | Order::Attack(..)
        | Order::CrewBack(_) => Some(Step::Move),
        Order::Bombard { defence: true, .. } | Order::Hold(_) | Order::Volley(..) | Order::Return { .. } => None,
        Order::Fog(order) => fogsheet::step(order),
        Order::Each(orders) => orders.first().and_then(step),
        Order::If { order, .. } => step(order),
    }
}

/// Units to whom an order speaks.
pub fn units(order: &Order) -> Vec<&UnitId> {
    match order {
        Order::Move(id, _)
        | Order::Follow(id, _)
        | Order::Attach(id, _)
        | Order::Charge(id, _)
        | Order::Hold(id)
        | Order::Disengage(id)
        | Order::CrewBack(id)
        | Order::Return { unit: id, .. } => vec![id],
        Order::March(march) => march.units.iter().collect(),
        Order::Attack(onset) => onset.by.iter().collect(),
        Order::Bombard { by, .. } | Order::Volley(by, _) => by.iter().collect(),
        Order::Fog(FogOrder::Hide { units, .. }) => units.iter().collect(),
        Order::Fog(FogOrder::Attack(unit, _)) => vec![unit],
        Order::Fog(FogOrder::Strat(..) | FogOrder::Chit { .. } | FogOrder::March { .. } | FogOrder::Deploy(_)) => {
            Vec::new()
        }
        Order::If { order, .. } => units(order),
        Order::Each(orders) => orders.iter().flat_map(units).collect(),
    }
}

/// 4.3-4.6 Whether the step of the sheet is over to which an order belongs.
pub fn is_over(v: &View, order: &Order) -> bool {
    matches!(v.at, At::Own(_)) && step(order).is_some_and(|step| step < v.step)
}

impl Step {
    /// As a report names it.
    pub fn title(self) -> &'static str {
        match self {
            Step::Rally => "Rally (4.3)",
            Step::Preparation => "Preparation Fire (4.5)",
            Step::Charge => "charges (13.12.3.1)",
            Step::Move => "Movement (4.6)",
        }
    }
}

/// 4, 16.4 Whether a later order takes the place of an earlier one: a unit moves in as many lines as it likes, but goes
/// with one HQ, makes one attack, and holds its fire once; a corps goes to one area, and a box is filled once.
pub fn same_step(later: &Order, earlier: &Order) -> bool {
    match (later, earlier) {
        (Order::Attach(later, _), Order::Attach(earlier, _))
        | (Order::Charge(later, _), Order::Charge(earlier, _))
        | (Order::Hold(later), Order::Hold(earlier))
        | (Order::Disengage(later), Order::Disengage(earlier)) => later == earlier,
        (Order::Attack(later), Order::Attack(earlier)) => later.by == earlier.by,
        (Order::Attack(later), Order::Charge(earlier, _)) => later.by == [earlier.clone()],
        (Order::Charge(later, _), Order::Attack(earlier)) => earlier.by == [later.clone()],
        (Order::Fog(FogOrder::Strat(later, _)), Order::Fog(FogOrder::Strat(earlier, _))) => later == earlier,
        (Order::Fog(FogOrder::Chit { number: later, .. }), Order::Fog(FogOrder::Chit { number: earlier, .. })) => {
            later == earlier
        }
        _ => false,
    }
}

//! 3.0 The sequence of play, read from top to bottom; 6.1 activation; 7 recovery.

use super::board::{COALITION, FRENCH, Rank, other};
use super::event::Event;
use super::fatigue::{self, At, Named, Why};
use super::order::Order;
use super::state::{At as Where, Mood, Segment, State};
use super::{fire, march, melee, victory};
use crate::dice::Label;
use crate::fog::{SeatId, SideId};
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::tactical::sum::Sum;
use crate::rules::{Outcome, Play, Stage};

/// The stage of a state; none when the game is over.
pub fn stage(s: &State) -> Option<Stage> {
    let (key, title, on_move) = match &s.at {
        Where::Over => return None,
        Where::Initiative => (format!("{}/initiative", s.turn), "initiative".to_owned(), Vec::new()),
        Where::Recovery => (format!("{}/recovery", s.turn), "recovery".to_owned(), Vec::new()),
        Where::Impulse(side) => {
            let key = format!("{}/impulse/{}/{side}", s.turn, s.nth);
            (key, format!("impulse {} of turn {}", s.nth, s.turn), vec![SeatId(side.0.clone())])
        }
    };
    Some(Stage { key, title, on_move, secret: false })
}

/// One leg.
pub(super) fn play(cx: &mut At<'_>) -> Play<()> {
    match cx.state().at.clone() {
        Where::Initiative => initiative(cx),
        Where::Impulse(side) => {
            impulse(cx, &side)?;
            release(cx);
            if let Some(winner) = victory::automatic(cx.state()) {
                let level = victory::Level::Strategic.word().to_owned();
                cx.emit(Event::Over { winner: Some(winner), level });
            } else if cx.state().passes >= 2 || !(can_act(cx.state(), &side) || can_act(cx.state(), &other(&side))) {
                cx.emit(Event::Recovering);
            }
        }
        Where::Recovery => recovery(cx),
        Where::Over => {}
    }
    Ok(())
}

/// 3.0 Both roll, the French with 1 more while Mortier is on the map, again while they are even; the winner goes first. On
/// the first turn the Coalition does.
fn initiative(cx: &mut At<'_>) {
    release(cx);
    let first_turn = cx.state().board.turns.0;
    let mut winner: Option<SideId> = (cx.state().turn == first_turn).then(|| COALITION.into());
    while winner.is_none() {
        let mortier = cx.state().leaders.get("Mortier").is_some_and(|leader| leader.hex.is_some());
        let french = cx.d6(&Label::public("initiative").at(&Named(FRENCH))) + i32::from(mortier);
        let coalition = cx.d6(&Label::public("initiative").at(&Named(COALITION)));
        winner = match french.cmp(&coalition) {
            std::cmp::Ordering::Greater => Some(FRENCH.into()),
            std::cmp::Ordering::Less => Some(COALITION.into()),
            std::cmp::Ordering::Equal => None,
        };
    }
    if let Some(side) = winner {
        cx.emit(Event::First { side });
    }
}

/// 9.2.6, 9.4.3 Commands that the enemy's coming, or the fourth turn, sets free.
fn release(cx: &mut At<'_>) {
    let s = cx.state();
    let french: SideId = FRENCH.into();
    let fifth: Vec<Hex> =
        s.board.setup.iter().filter(|(_, piece)| of_column(s, piece, "V")).map(|(hex, _)| *hex).collect();
    let seen = s.standing().any(|(id, _, hex)| s.is_of(id, &french) && fifth.iter().any(|at| at.distance(hex) <= 3));
    let first_west = s.standing().any(|(id, _, hex)| of_column(s, id, "I") && hex.col <= 18);
    let gazan = s.turn >= 4 || first_west;
    for (what, free) in [("V", seen), ("gazan", gazan)] {
        if free && !cx.state().free.contains(what) {
            cx.emit(Event::Released { what: what.to_owned() });
        }
    }
}

fn of_column(s: &State, unit: &str, column: &str) -> bool {
    s.kind(unit).is_some_and(|kind| kind.formation.iter().any(|f| f == column))
}

/// 9.1.4, 9.2.6, 9.4.1, 9.4.3 Whether a leader may be activated yet.
fn free(s: &State, leader: &str) -> bool {
    let Some(chief) = s.chief(leader) else { return false };
    match (chief.side.0.as_str(), chief.column.as_deref()) {
        (FRENCH, _) => leader == "Gaindorge" || s.free.contains("gazan"),
        (_, Some("I")) => true,
        (_, _) => s.free.contains("V"),
    }
}

/// 3.0, 6.1.5 Whether a side has a leader who may still be activated.
fn can_act(s: &State, side: &SideId) -> bool {
    let able = |name: &String| s.chief(name).is_some_and(|chief| chief.side == *side) && free(s, name);
    s.leaders.iter().any(|(name, leader)| leader.hex.is_some() && !leader.used && able(name))
}

/// 6.1.2, 6.1.3 How far a leader reaches to his units, and to the leaders under him.
fn reach(rank: Rank) -> (u32, u32) {
    match rank {
        Rank::Corps | Rank::Army => (6, 6),
        Rank::Division | Rank::Column => (4, 4),
        Rank::Brigade => (2, 0),
    }
}

/// 6.1.4 How far he reaches to units of others.
const EXTRA: u32 = 4;

/// 6.1.2a, 6.1.3a, 6.1.8, 6.1.11 Whether a unit is directly under a leader: of his brigade or column, of the division where
/// it is a black one, or of a brigade that has no leader on the map.
fn under(s: &State, unit: &str, leader: &str) -> bool {
    let (Some(kind), Some(chief)) = (s.kind(unit), s.chief(leader)) else { return false };
    let own = match &chief.column {
        Some(column) => kind.formation.contains(column),
        None => kind.formation.last().is_some_and(|last| last == leader),
    };
    let headless = kind.formation.last().is_some_and(|last| {
        s.chief(last).is_some_and(|c| c.of.as_deref() == Some(leader))
            && s.leaders.get(last).is_none_or(|l| l.hex.is_none())
    });
    own || headless || (kind.black && s.obeys(unit, leader))
}

/// 6.1.2-6.1.5, 6.1.7 Whether leaders may be activated together, with units of others and units out of range.
///
/// # Errors
/// Why not.
pub fn may_activate(s: &State, leaders: &[String], extra: &[String], test: &[String]) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let place = |name: &String| s.leaders.get(name).and_then(|leader| leader.hex);
    let Some(first) = leaders.first() else { return refused("name a leader".to_owned(), "6.1.1") };
    for name in leaders {
        let (Some(hex), Some(chief)) = (place(name), s.chief(name)) else {
            return refused(format!("{name} is not on the map"), "6.1.1");
        };
        if s.leaders.get(name).is_some_and(|leader| leader.used) {
            return refused(format!("{name} has been activated in this turn"), "6.1.5");
        }
        if !free(s, name) {
            return refused(format!("{name} may not act yet"), if chief.side.0 == FRENCH { "9.4.1" } else { "9.1.4" });
        }
        let called = |above: &String| {
            let reach = s.chief(above).map_or(0, |c| reach(c.rank).1);
            let over = s.chief(name).is_some_and(|c| {
                c.of.as_ref() == Some(above)
                    || c.of.as_ref().and_then(|of| s.chief(of)).is_some_and(|c| c.of.as_ref() == Some(above))
            });
            over && place(above).is_some_and(|at| at.distance(hex) <= reach)
        };
        if name != first && !leaders.iter().any(called) {
            return refused(format!("no leader over {name} reaches him"), "6.1.2");
        }
    }
    let cv: i32 = leaders.iter().filter_map(|name| s.chief(name)).map(|chief| chief.cv).sum();
    if usize::try_from(cv).unwrap_or_default() < extra.len() {
        return refused(format!("they may take {cv} units of others along"), "6.1.4");
    }
    for unit in extra.iter().chain(test) {
        if s.units.get(unit).is_some_and(|u| u.used) {
            return refused(format!("{unit} has been activated in this turn"), "6.1.5");
        }
    }
    let hex = |unit: &String| s.units.get(unit).and_then(|u| u.hex);
    let far = |unit: &&String| {
        !leaders.iter().any(|name| place(name).zip(hex(unit)).is_some_and(|(a, b)| a.distance(b) <= EXTRA))
    };
    if let Some(unit) = extra.iter().find(far) {
        return refused(format!("{unit} is more than {EXTRA} hexes away"), "6.1.4");
    }
    match test.iter().find(|unit| !leaders.iter().any(|name| under(s, unit, name))) {
        Some(unit) => refused(format!("{unit} is not under them"), "6.1.7"),
        None => Ok(()),
    }
}

/// 6.1.5 Whether units take part in this impulse.
///
/// # Errors
/// Which of them does not.
pub fn active(s: &State, units: &[String]) -> Result<(), Fault> {
    match units.iter().find(|id| !s.units.get(*id).is_some_and(|u| u.active && u.mood != Mood::Routed)) {
        Some(unit) => Err(Fault::refused(format!("{unit} is not activated, or runs"), "6.1")),
        None => Ok(()),
    }
}

/// 6.1 Leaders and units are activated, those out of range check, and the movement begins.
fn activate(cx: &mut At<'_>, side: &SideId, leaders: &[String], extra: &[String], test: &[String]) {
    let s = cx.state();
    let in_range = |unit: &String, hex: Hex| {
        leaders.iter().any(|name| {
            let reach = s.chief(name).map_or(0, |chief| reach(chief.rank).0);
            let near = s.leaders.get(name).and_then(|l| l.hex).is_some_and(|at| at.distance(hex) <= reach);
            near && under(s, unit, name)
        })
    };
    let reached = s.standing().filter(|(id, unit, hex)| !unit.used && s.is_of(id, side) && in_range(id, *hex));
    let mut units: Vec<String> = reached.map(|(id, _, _)| id.clone()).collect();
    units.extend(extra.iter().chain(test).cloned());
    units.sort_unstable();
    units.dedup();
    cx.emit(Event::Activated { side: side.clone(), leaders: leaders.to_vec(), units });
    for unit in test {
        march::command(cx, unit);
    }
    cx.emit(Event::Began { segment: Segment::Movement });
    march::run_on(cx, side);
}

/// 3.0 An impulse: lines until END. The first line of a later segment ends those before it.
fn impulse(cx: &mut At<'_>, side: &SideId) -> Play<()> {
    if !can_act(cx.state(), side) {
        cx.emit(Event::Passed { side: side.clone() });
        return Ok(());
    }
    let Some(stage) = stage(cx.state()) else { return Ok(()) };
    let seat = cx.seat_of(side);
    while let Some((_, order)) = cx.order(std::slice::from_ref(&seat), &stage.key)? {
        if order == Order::Pass && cx.state().segment == Segment::Activation {
            break;
        }
        carry_out(cx, side, order);
    }
    if cx.state().segment == Segment::Activation {
        cx.emit(Event::Passed { side: side.clone() });
    } else {
        advance_to(cx, side, Segment::Melee);
        cx.emit(Event::Ended { side: side.clone() });
    }
    Ok(())
}

/// The segment to which an order belongs.
fn segment(order: &Order) -> Segment {
    match order {
        Order::Pass | Order::Activate { .. } => Segment::Activation,
        Order::Move { .. } | Order::Face { .. } | Order::Lead { .. } => Segment::Movement,
        Order::Fire { .. } => Segment::Fire,
        Order::Melee { .. } => Segment::Melee,
    }
}

fn carry_out(cx: &mut At<'_>, side: &SideId, order: Order) {
    let wanted = segment(&order);
    let refused = |why: &str| Outcome::from(Fault::refused(why, "3.0"));
    if cx.state().segment == Segment::Activation && wanted > Segment::Activation {
        return cx.outcome(refused("activate a leader first"));
    }
    if wanted < cx.state().segment {
        return cx.outcome(refused("that segment is over"));
    }
    advance_to(cx, side, wanted);
    // What fire has changed since is seen before a line is carried out.
    if let Err(fault) = super::order::may(cx.state(), &order) {
        return cx.outcome(fault.into());
    }
    match order {
        Order::Pass => {}
        Order::Activate { leaders, extra, test } => activate(cx, side, &leaders, &extra, &test),
        Order::Move { units, path, face } => march::go(cx, side, &units, &path, face),
        Order::Face { units, face } => {
            for unit in units {
                cx.emit(Event::Turned { unit, facing: face });
            }
        }
        Order::Lead { leader, to } => ride(cx, side, &leader, to),
        Order::Fire { units, at } => fire::attack(cx, side, &units, at),
        Order::Melee { units, at } => melee::attack(cx, side, &units, at),
    }
}

/// 2.3.4g, 6.2 An activated leader rides as many hexes as he has points; a way by the roads and hills is not built yet.
fn ride(cx: &mut At<'_>, side: &SideId, leader: &str, to: Hex) {
    let s = cx.state();
    let refused = |why: String, rule: &str| Outcome::from(Fault::refused(why, rule));
    let Some((l, chief)) = s.leaders.get(leader).zip(s.chief(leader)) else { return };
    let outcome = match l.hex {
        Some(from) if l.active && from.distance(to) <= u32::try_from(chief.ma).unwrap_or_default() => {
            s.held_against(to, side).then(|| refused(format!("an enemy stands in {to}"), "6.2.8"))
        }
        Some(_) if l.active => Some(refused(format!("{to} is too far for {leader}"), "6.2.2")),
        _ => Some(refused(format!("{leader} is not activated"), "6.1")),
    };
    match outcome {
        Some(outcome) => cx.outcome(outcome),
        None => cx.emit(Event::Rode { leader: leader.to_owned(), to }),
    }
}

/// 3.0 Ends the segments before one: movement with the check of stacks and the other side's fire.
fn advance_to(cx: &mut At<'_>, side: &SideId, wanted: Segment) {
    if cx.state().segment == Segment::Movement && wanted > Segment::Movement {
        march::settle(cx, side);
        fire::defend(cx, side);
        cx.emit(Event::Began { segment: Segment::Fire });
    }
    if cx.state().segment == Segment::Fire && wanted > Segment::Fire {
        cx.emit(Event::Began { segment: Segment::Melee });
    }
}

/// 7.1 Each fatigued or routed unit makes one check, 7.1.3 a router not beside an enemy; then the next turn, or the end.
fn recovery(cx: &mut At<'_>) {
    let tired: Vec<String> =
        cx.state().standing().filter(|(_, u, _)| u.mood != Mood::Fresh).map(|(id, ..)| id.clone()).collect();
    for unit in tired {
        let s = cx.state();
        let Some((u, kind)) = s.units.get(&unit).zip(s.kind(&unit)) else { continue };
        let Some(hex) = u.hex else { continue };
        let enemy = hex.neighbours().into_iter().any(|near| s.held_against(near, &kind.side));
        let (why, mood) = match u.mood {
            Mood::Routed if enemy => continue,
            Mood::Routed => (Why::Rally, Mood::Fatigued),
            _ => (Why::Recover, Mood::Fresh),
        };
        let mut sum = Sum::default();
        sum.when(enemy, "enemy adjacent", 1);
        sum.when(s.board.field.ground(hex) == Some("town"), "town", -1);
        sum.when(s.board.night(s.turn), "night", 1);
        if fatigue::check(cx, &unit, why, sum).0 {
            cx.emit(Event::Became { unit, mood });
        }
    }
    let turn = cx.state().turn + 1;
    if turn > cx.state().board.turns.1 {
        let (winner, level) = victory::verdict(cx.state());
        cx.emit(Event::Over { winner, level: level.word().to_owned() });
    } else {
        cx.emit(Event::Turn { turn });
    }
}

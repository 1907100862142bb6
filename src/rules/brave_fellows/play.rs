//! 3.0 The sequence of play, read from top to bottom; 7 recovery.

use super::board::{COALITION, FRENCH, Force, other};
use super::event::Event;
use super::fatigue::{self, At, Named, Why};
use super::order::Order;
use super::state::{At as Where, Mood, Segment, State};
use super::{
    arrive, ask, bounds, command, dummy, enter, fire, lodge, march, melee, option, place, shock, solo, stacks, victory,
};
use crate::dice::Label;
use crate::fog::{SeatId, SideId};
use crate::orders::{Fault, deny};
use crate::rules::tactical::sum::Sum;
use crate::rules::{Outcome, Play, Stage};
use crate::text;

/// The stage of a state; none when the game is over.
pub fn stage(s: &State) -> Option<Stage> {
    let turn = s.turn;
    let (key, title, on_move) = match &s.at {
        Where::Over => return None,
        Where::Setup(side) => (format!("0/setup/{side}"), "set-up".to_owned(), Some(side.0.as_str())),
        Where::Reinforcement => (format!("{turn}/reinforcement"), "reinforcement".to_owned(), None),
        Where::Muster(force) => {
            (format!("{turn}/muster/{}", force.name()), format!("Column {} musters", force.name()), Some(COALITION))
        }
        Where::Regroup => (format!("{turn}/regroup"), "regrouping".to_owned(), None),
        Where::Initiative => (format!("{turn}/initiative"), "initiative".to_owned(), None),
        Where::Recovery => (format!("{turn}/recovery"), "recovery".to_owned(), None),
        Where::Impulse(side) => {
            let key = format!("{turn}/impulse/{}/{side}", s.nth);
            (key, format!("impulse {} of turn {turn}", s.nth), Some(side.0.as_str()))
        }
    };
    let on_move = on_move.map(|seat| SeatId(seat.to_owned())).into_iter().collect();
    Some(Stage { key, title, on_move, secret: false })
}

/// One leg.
pub(super) fn play(cx: &mut At<'_>) -> Play<()> {
    match cx.state().at.clone() {
        Where::Setup(side) => set_up(cx, &side)?,
        Where::Reinforcement => arrive::reinforce(cx)?,
        Where::Muster(force) => muster(cx, force)?,
        Where::Regroup => arrive::regroup_and_alert(cx),
        Where::Initiative => initiative(cx)?,
        Where::Impulse(side) => {
            impulse(cx, &side)?;
            // Or it goes on with its next line: behind its end the other side has one.
            if [Where::Over, Where::Impulse(side.clone())].contains(&cx.state().at) {
                return Ok(());
            }
            bounds::release(cx);
            bounds::release_elite(cx);
            let s = cx.state();
            if s.passes >= 2 || !(command::can_act(s, &side) || command::can_act(s, &other(&side))) {
                stacks::endure(cx);
                cx.emit(Event::Recovering);
            }
        }
        Where::Recovery => recovery(cx),
        Where::Over => {}
    }
    dummy::unmask(cx);
    Ok(())
}

/// 9.1, 9.3 A side moves its pieces about in the hexes of its set-up; what it does not touch stands where it stood.
fn set_up(cx: &mut At<'_>, side: &SideId) -> Play<()> {
    puts(cx, side)?;
    cx.emit(Event::Ready { side: side.clone() });
    Ok(())
}

/// 9.2.3-9.2.5 The Coalition deploys a column, and names the Rear Guard.
fn muster(cx: &mut At<'_>, force: Force) -> Play<()> {
    puts(cx, &COALITION.into())?;
    cx.emit(Event::Deployed { force });
    arrive::next_column(cx);
    Ok(())
}

fn puts(cx: &mut At<'_>, side: &SideId) -> Play<()> {
    // 12.0 What the house leads stands where the scenario has it.
    if cx.state().board.scenario.solo.contains(side) {
        return Ok(());
    }
    let Some(stage) = stage(cx.state()) else { return Ok(()) };
    let seat = cx.seat_of(side);
    while let Some((_, order)) = cx.order(std::slice::from_ref(&seat), &stage.key)? {
        deploys(cx, side, order);
    }
    Ok(())
}

/// 9.1-9.3 One line of a set-up, or of a column that musters.
pub(super) fn deploys(cx: &mut At<'_>, side: &SideId, order: Order) {
    match order {
        Order::Put { pieces, at, face } => place::put(cx, side, &pieces, at, face),
        Order::Guard { units } => {
            if cx.allowed(place::may_guard(cx.state(), &units)).is_some() {
                cx.emit(Event::RearGuard { units });
            }
        }
        Order::Face { units, face } => {
            units.into_iter().for_each(|unit| cx.emit(Event::Turned { unit, facing: face }));
        }
        other => _ = cx.allowed(in_time(cx.state(), &other)),
    }
}

/// 3.0 Both roll, the French with 1 more while Mortier is on the map, again while they are even; the winner says who goes
/// first. On the first turn the Coalition does.
fn initiative(cx: &mut At<'_>) -> Play<()> {
    bounds::release(cx);
    bounds::release_elite(cx);
    if cx.state().turn == cx.state().board.scenario.turns.0 {
        cx.emit(Event::First { side: COALITION.into() });
        return Ok(());
    }
    while !cx.lost() {
        let mortier = cx.state().leaders.get("Mortier").is_some_and(|leader| leader.hex.is_some());
        let french = cx.d6(&Label::public("initiative").at(&Named(FRENCH))) + i32::from(mortier);
        let coalition = cx.d6(&Label::public("initiative").at(&Named(COALITION)));
        if french != coalition {
            let winner = if french > coalition { FRENCH } else { COALITION };
            return ask::first(cx, &winner.into());
        }
    }
    Ok(())
}

/// 3.0 An impulse: lines until END, each a leg as soon as somebody acts. The first line of a later segment ends those before
/// it. A side that has nobody to activate passes without being asked.
fn impulse(cx: &mut At<'_>, side: &SideId) -> Play<()> {
    if cx.state().segment == Segment::Activation && !command::can_act(cx.state(), side) {
        cx.emit(Event::Passed { side: side.clone() });
        return Ok(());
    }
    if cx.state().board.scenario.solo.contains(side) {
        house(cx, side)?;
    } else if !lodge::impulse(cx, side)? {
        let Some(stage) = stage(cx.state()) else { return Ok(()) };
        let seat = [cx.seat_of(side)];
        cx.prefer(&seat, &stage.key);
        while let Some((_, order)) = cx.order(&seat, &stage.key)? {
            if order == Order::Pass && cx.state().segment == Segment::Activation {
                break;
            }
            carry_out(cx, side, order)?;
            if is_decided(cx) || cx.state().segment > Segment::Activation {
                return Ok(());
            }
        }
    }
    end(cx, side)
}

/// 3.0 The end of an impulse: what is left of its segments, or a pass where nobody acts.
fn end(cx: &mut At<'_>, side: &SideId) -> Play<()> {
    if won_at_once(cx) {
        return Ok(());
    }
    if cx.state().segment == Segment::Activation {
        cx.emit(Event::Passed { side: side.clone() });
        return Ok(());
    }
    advance_to(cx, side, Segment::Melee)?;
    if !won_at_once(cx) {
        shock::fight(cx, side);
    }
    if !won_at_once(cx) {
        shock::blow(cx);
        option::supply(cx);
        cx.emit(Event::Ended { side: side.clone() });
    }
    Ok(())
}

/// 9.2.6, 9.4.3 After a line: who is set free by it, and whether the game is over.
pub(super) fn is_decided(cx: &mut At<'_>) -> bool {
    dummy::unmask(cx);
    bounds::release(cx);
    won_at_once(cx)
}

/// 10.1 Whether a commander is lost, so that the game is over in this instant.
fn won_at_once(cx: &mut At<'_>) -> bool {
    if let Some(winner) = victory::automatic(cx.state()).filter(|_| cx.state().at != Where::Over) {
        let level = victory::Level::Strategic.word().to_owned();
        cx.emit(Event::Over { winner: Some(winner), level });
    }
    cx.state().at == Where::Over
}

/// The parts of an impulse, each planned by what the one before has made of the table: a leader, a die for the levels, movement,
/// fire, melee.
const PARTS: u32 = 5;

/// 12.0 The impulse of a side that the house leads, part by part.
fn house(cx: &mut At<'_>, side: &SideId) -> Play<()> {
    let (mut no, noise) = (0, u64::from(cx.state().turn));
    for _ in 0..PARTS {
        let lines = solo::lines(&cx.view(side), &[], noise);
        let last = lines.last().is_some_and(|line| line == "END");
        for line in lines {
            no += 1;
            let order = if line == "END" { None } else { cx.house(side, no, &line) };
            match order {
                Some(Order::Pass) => return Ok(()),
                Some(order) => carry_out(cx, side, order)?,
                None => {}
            }
            if is_decided(cx) {
                return Ok(());
            }
        }
        if last {
            break;
        }
    }
    cx.outcome(Outcome::Done);
    Ok(())
}

/// The segment to which an order belongs; none for what may be said at any time.
fn segment(s: &State, order: &Order) -> Option<Segment> {
    Some(match order {
        Order::Pass | Order::Activate(_) => Segment::Activation,
        Order::Move { .. } | Order::Face { .. } | Order::Lead { .. } | Order::Charge { .. } | Order::Enter { .. } => {
            Segment::Movement
        }
        Order::Fire { .. } => Segment::Fire,
        Order::Melee { .. } => Segment::Melee,
        // 6.3.9, 6.4.9 After a fire or after a melee.
        Order::Advance { .. } => s.segment.max(Segment::Fire),
        Order::Wish(_) => return None,
        Order::Put { .. } | Order::Guard { .. } => Segment::Activation,
    })
}

/// What a side wants when its time comes is noted.
fn wish(cx: &mut At<'_>, side: &SideId, order: &Order) {
    if let (Some(()), Order::Wish(wish)) = (cx.allowed(super::order::may(&cx.view(side).state, order)), order) {
        cx.emit(Event::Wished { side: side.clone(), wish: wish.clone() });
    }
}

/// Whether an order belongs to this stage and to what is left of it, and to which segment; none for what may be said at any
/// time.
///
/// # Errors
/// Why it comes too early or too late.
pub(super) fn in_time(s: &State, order: &Order) -> Result<Option<Segment>, Fault> {
    let refused = |why: &str, rule: &str| Err(Fault::refused(why, rule));
    let placing = matches!(s.at, Where::Setup(_) | Where::Muster(_));
    let Some(wanted) = segment(s, order) else {
        return if placing { refused("now pieces are put on the map", "9.0") } else { Ok(None) };
    };
    match order {
        Order::Put { .. } | Order::Guard { .. } if placing => return Ok(Some(wanted)),
        Order::Face { .. } if placing => return Ok(Some(wanted)),
        _ if placing => return refused("now pieces are put on the map", "9.0"),
        Order::Put { .. } | Order::Guard { .. } => return refused("that is not for this segment", "3.0"),
        Order::Pass if s.segment > Segment::Activation => return refused("a leader acts already: END ends it", "3.0"),
        Order::Activate(call) if s.segment > Segment::Activation => return Err(called(s, &call.leaders)),
        _ => {}
    }
    deny(s.segment == Segment::Activation && wanted > Segment::Activation, "activate a leader first", "3.0")?;
    deny(wanted < s.segment, "that segment is over", "3.0")?;
    Ok(Some(wanted))
}

/// DB.4 What an enemy out of sight makes of a line.
pub(super) fn unseen(why: String) -> Outcome {
    Outcome::Failed { why, rule: "DB.4".to_owned() }
}

/// Whether the segment of an order is over. One leader is called in an impulse: a second call comes in time in the next.
pub(super) fn is_over(v: &super::view::View, order: &Order) -> bool {
    let calls = matches!(order, Order::Activate(_) | Order::Pass);
    !calls && segment(&v.state, order).is_some_and(|wanted| wanted < v.state.segment)
}

/// 3.0 Which of the lines that wait is carried out next: one of an earlier segment goes before those of later ones, as the
/// impulse goes, and what belongs to no segment at once. An advance stays behind the line that it follows.
pub(super) fn next(s: &State, orders: &[Order]) -> usize {
    let mut above = s.segment;
    let segments = orders.iter().map(|order| {
        let follows = matches!(order, Order::Advance { .. });
        above = if follows { above } else { segment(s, order).unwrap_or(s.segment) };
        above
    });
    let ranked: Vec<(Segment, usize)> = segments.zip(0..).collect();
    ranked.into_iter().min().map_or(0, |(_, place)| place)
}

/// 3.0 Why nobody else is called now.
fn called(s: &State, leaders: &[String]) -> Fault {
    let acts = s.leaders.iter().filter(|(_, l)| l.active).map(|(name, _)| name.as_str());
    let acts: Vec<&str> = acts.collect();
    let acts = match acts.as_slice() {
        [] => "a leader acts".to_owned(),
        [one] => format!("{one} acts"),
        several => format!("{} act", text::and_list(several)),
    };
    let them = text::and_list(leaders);
    Fault::refused(format!("{acts} already; activate {them} in your next impulse, or WITH the first"), "3.0")
}

/// An order as far as it can still be carried out: of several units without those who have tired, run or stopped since it was
/// written, and then what is said of that.
fn still_can(s: &State, order: Order) -> Result<(Order, Option<Outcome>), Fault> {
    let Err(fault) = super::order::may(s, &order) else { return Ok((order, None)) };
    let Some((left, out)) = super::order::without_who_cannot(s, &order) else { return Err(fault) };
    let Outcome::Refused { why, rule, .. } = fault.into() else { return Ok((left, None)) };
    Ok((left, Some(Outcome::Failed { why: format!("done without {}: {why}", out.join(" ")), rule })))
}

pub(super) fn carry_out(cx: &mut At<'_>, side: &SideId, order: Order) -> Play<()> {
    let Some(wanted) = cx.allowed(in_time(cx.state(), &order)) else { return Ok(()) };
    let Some(wanted) = wanted else {
        wish(cx, side, &order);
        return Ok(());
    };
    advance_to(cx, side, wanted)?;
    if won_at_once(cx) {
        cx.outcome(Outcome::NotReached);
        return Ok(());
    }
    // What fire has changed since is seen before a line is carried out; an enemy out of sight makes it fail (DB.4).
    let Some((order, short)) = cx.allowed(still_can(&cx.view(side).state, order)) else { return Ok(()) };
    let step_by_step = matches!(order, Order::Move { .. } | Order::Lead { .. });
    if !step_by_step && super::order::may(cx.state(), &order).is_err() {
        dummy::vain(cx, side, &order);
        return Ok(());
    }
    match order {
        Order::Activate(call) => command::activate(cx, side, &call),
        Order::Move { units, path, face } => march::go(cx, side, &units, &path, face),
        Order::Face { units, face } => {
            units.into_iter().for_each(|unit| cx.emit(Event::Turned { unit, facing: face }));
        }
        Order::Lead { leader, to } => march::ride(cx, side, &leader, to),
        Order::Charge { unit, at } => shock::charge(cx, side, &unit, at)?,
        Order::Enter { pieces, at } => enter::enter(cx, side, &pieces, at),
        Order::Fire { units, at } => fire::attack(cx, side, &units, at),
        Order::Advance { units, into } => fire::advance(cx, side, &units, into),
        Order::Melee { units, at, first } => melee::attack(cx, side, (&units, &first), at),
        Order::Pass | Order::Put { .. } | Order::Guard { .. } | Order::Wish(_) => {}
    }
    if let Some(short) = short {
        cx.outcome(short);
    }
    Ok(())
}

/// 3.0 Ends the segments before one: movement with the check of stacks and the other side's fire.
fn advance_to(cx: &mut At<'_>, side: &SideId, wanted: Segment) -> Play<()> {
    if cx.state().segment == Segment::Movement && wanted > Segment::Movement {
        shock::rein_in(cx);
        stacks::settle(cx, side);
        fire::defend(cx, side)?;
        cx.emit(Event::Began { segment: Segment::Fire });
    }
    if cx.state().segment == Segment::Fire && wanted > Segment::Fire {
        cx.emit(Event::Began { segment: Segment::Melee });
    }
    Ok(())
}

/// 7.1 Each fatigued or routed unit makes one check, 7.1.3 a router not beside an enemy, 4.2.5, 7.1.1a a fatigued one with a
/// Charged marker none; then the next turn, or the end.
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
            Mood::Fatigued if u.charged => continue,
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
    if turn > cx.state().board.scenario.turns.1 {
        let (winner, level) = victory::verdict(cx.state());
        cx.emit(Event::Over { winner, level: level.word().to_owned() });
    } else {
        option::impetus(cx);
        cx.emit(Event::Turn { turn });
    }
}

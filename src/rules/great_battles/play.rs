//! 3.0 The sequence of play, read from top to bottom.

use super::ask::Pick;
use super::board::other;
use super::event::{self, Event};
use super::hand::Hand;
use super::order::{self, Order, Wish};
use super::pose::Form;
use super::state::{Acting, At, Lim, Mode, State, Step, Wishes};
use super::view::View;
use super::{
    GreatBattles, ask, charge, command, compel, dummy, entry, fire, form, march, pool, rally, reinforce, sequence,
    shock, solo, victory,
};
use crate::fog::{SeatId, SideId};
use crate::orders::{self, Fault, deny};
use crate::rules::tactical::lodge::Sheet;
use crate::rules::{Outcome, Play, Ruleset, Stage, Upshot};

/// The stage of a state; none when the game is over.
pub fn stage(s: &State) -> Option<Stage> {
    let (turn, nth) = (s.turn, s.nth);
    let seat = |side: &SideId| (!s.board.scenario.solo.contains(side)).then(|| SeatId(side.0.clone()));
    let (key, title, on_move, secret) = match &s.at {
        At::Over => return None,
        At::Open => {
            let seats = s.sides().iter().filter_map(seat).collect();
            (format!("{turn}/open"), format!("the opening of turn {turn}"), seats, true)
        }
        At::Change => (format!("{turn}/change"), "Command Change".to_owned(), Vec::new(), false),
        At::Initiative => (format!("{turn}/initiative"), "initiative".to_owned(), Vec::new(), false),
        At::Act => {
            let side = s.acting.as_ref().and_then(|acting| seat(&acting.side));
            (format!("{turn}/act/{nth}"), format!("activation {nth} of turn {turn}"), side.into_iter().collect(), false)
        }
        At::Others(side) => {
            let side = seat(side).into_iter().collect();
            (format!("{turn}/others/{nth}"), format!("pick {nth} of turn {turn}"), side, false)
        }
        At::Close => (format!("{turn}/close"), "rally".to_owned(), Vec::new(), false),
    };
    Some(Stage { key, title, on_move, secret })
}

/// One leg.
pub(super) fn play(cx: &mut Hand<'_>) -> Play<()> {
    match cx.state().at.clone() {
        At::Open => open(cx)?,
        At::Change => pool::change(cx),
        At::Initiative => pool::initiative(cx),
        At::Act => sheet(cx)?,
        At::Others(side) if cx.state().acting.is_none() => picks(cx, &side)?,
        At::Others(_) => sheet(cx)?,
        At::Close => rally::close(cx)?,
        At::Over => {}
    }
    Ok(())
}

/// 3.0 Both write what they want, sealed: Command Change, reinforcements, the LIM with which they would begin.
fn open(cx: &mut Hand<'_>) -> Play<()> {
    let Some(stage) = stage(cx.state()) else { return Ok(()) };
    cx.sheets(&stage.on_move, &stage.key)?;
    for side in cx.state().sides() {
        if is_led(cx.state(), &side) {
            led(cx, &side)?;
            continue;
        }
        let seat = [cx.seat_of(&side)];
        while let Some((_, order)) = cx.order(&seat, &stage.key)? {
            if cx.allowed(in_time(cx.state(), &order)).is_some() {
                wish(cx, &side, &order);
            }
        }
    }
    cx.emit(Event::Opened);
    Ok(())
}

/// What a side wants is noted, if an order says it; whether it does.
fn wish(cx: &mut Hand<'_>, side: &SideId, order: &Order) -> bool {
    let Order::Wish(wish) = order else { return false };
    if cx.allowed(order::may(cx.state(), order)).is_some() {
        let wishes = wished(cx.state(), side, wish);
        cx.emit(Event::Wished { side: side.clone(), wishes });
    }
    true
}

/// 3.0, 4.2, 4.4, 12.0, 14.2 What a side wants then: any LIMs of its own are taken back, and any units do not rally, so that
/// those of several lines add up; a line that names none takes all of them out again.
pub(super) fn wished(s: &State, side: &SideId, wish: &Wish) -> Wishes {
    let mut wishes: Wishes = s.wishes.get(side).cloned().unwrap_or_default();
    match wish {
        Wish::Change { by, add } => wishes.change = by.clone().map(|by| (by, add.clone())),
        Wish::Reinforce { comes } => wishes.delay = !comes,
        Wish::Opening { lims } => wishes.opening.clone_from(lims),
        Wish::Remove { lims } if lims.is_empty() => wishes.remove.clear(),
        Wish::Remove { lims } => {
            let new: Vec<String> = lims.iter().filter(|lim| !wishes.remove.contains(lim)).cloned().collect();
            wishes.remove.extend(new);
        }
        Wish::Keep { units } if units.is_empty() => wishes.keep.clear(),
        Wish::Keep { units } => wishes.keep.extend(units.iter().cloned()),
    }
    wishes
}

/// 3.0 A side picks a division without a LIM, or a unit Out of Command, by mail or by its standing answer; END without a pick
/// leaves all that it could pick.
fn picks(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let Some(stage) = stage(cx.state()) else { return Ok(()) };
    if is_led(cx.state(), side) {
        led(cx, side)?;
        return if cx.state().acting.is_some() { Ok(()) } else { pass(cx, side) };
    }
    let seat = [cx.seat_of(side)];
    match ask::whom(cx, side)? {
        Pick::Write => {}
        Pick::Nobody => return pass(cx, side),
        Pick::Whom(who) => {
            if let Ok(lim) = pool::may_pick(cx.state(), &who) {
                pool::pick(cx, side, lim);
                return Ok(());
            }
        }
    }
    while let Some((_, order)) = cx.order(&seat, &stage.key)? {
        let Some(()) = cx.allowed(in_time(cx.state(), &order)) else { continue };
        let Order::Pick { who } = &order else {
            wish(cx, side, &order);
            continue;
        };
        if let Some(lim) = cx.allowed(pool::may_pick(cx.state(), who)) {
            pool::pick(cx, side, lim);
            return Ok(());
        }
    }
    pass(cx, side)
}

/// 3.0 A side picks nobody more.
fn pass(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    cx.emit(Event::Passed { side: side.clone() });
    pool::pick_next(cx, side);
    Ok(())
}

/// 4.5, 4.6 The sheet of a command that acts: lines until END, each a leg, in the order of the activation.
fn sheet(cx: &mut Hand<'_>) -> Play<()> {
    let Some((stage, acting)) = stage(cx.state()).zip(cx.state().acting.clone()) else { return Ok(()) };
    if is_led(cx.state(), &acting.side) {
        led(cx, &acting.side)?;
        return end(cx, &acting);
    }
    let drawn = acting.step == Step::Attempt && acting.modes.is_empty();
    if drawn && let Some(sheet) = ask::lodged(cx, &acting.side, acting.lim.name())? {
        return by_sheet(cx, &acting, sheet);
    }
    let seat = [cx.seat_of(&acting.side)];
    cx.prefer(&seat, &stage.key);
    if let Some((_, order)) = cx.order(&seat, &stage.key)? {
        return carry_out(cx, &acting.side, &order);
    }
    end(cx, &acting)
}

/// Whether the program's own player leads a side.
fn is_led(s: &State, side: &SideId) -> bool {
    s.board.scenario.solo.contains(side)
}

/// Parts of a stage that the program's own player plans, one behind the other, at most.
const PARTS: usize = 60;

/// What the program's own player does in a stage, part by part: each is planned by what the one before has made of the table.
fn led(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let (mut no, mut before, begun) = (0, Vec::new(), cx.state().acting.is_some());
    for _ in 0..PARTS {
        let lines = solo::lines(&cx.view(side), &[], usize::MAX);
        // Who writes the same again comes no further.
        if lines == before || cx.lost() {
            break;
        }
        for line in lines.iter().filter(|line| *line != "END") {
            no += 1;
            let order = cx.house(side, no, line);
            match order {
                Some(Order::Pick { who }) => {
                    if let Ok(lim) = pool::may_pick(cx.state(), &who) {
                        pool::pick(cx, side, lim);
                    }
                }
                Some(order) => {
                    let wished = wish(cx, side, &order);
                    if !wished {
                        carry_out(cx, side, &order)?;
                    }
                }
                None => {}
            }
        }
        let picked = !begun && cx.state().acting.is_some();
        if picked || lines.iter().any(|line| line == "END") {
            break;
        }
        before = lines;
    }
    cx.outcome(Outcome::Done);
    Ok(())
}

/// 4.5 An activation by a lodged sheet: its lines one after the other; its side, which wrote no mail that could be answered, is
/// told of those that are not carried out.
fn by_sheet(cx: &mut Hand<'_>, acting: &Acting, sheet: Sheet) -> Play<()> {
    let side = acting.side.clone();
    cx.emit(Event::Taken { side: side.clone(), of: sheet.of.clone(), lines: sheet.lines.clone() });
    let mut lines = if sheet.of.is_empty() { Vec::new() } else { sheet.lines };
    let calls = lines.first().is_some_and(|line| line.to_lowercase().starts_with("activate"));
    if let Some(first) = acting.todo.first().filter(|_| !calls && !lines.is_empty()) {
        // 4.6.2 Who is picked takes a Limited Activation.
        let how = if matches!(acting.lim, Lim::Pick(_) | Lim::Lone(_)) { " LIMITED" } else { "" };
        lines.insert(0, format!("ACTIVATE {first}{how}"));
    }
    let mut left: Vec<(u32, String)> = (1..).zip(lines).collect();
    while !left.is_empty() {
        let (no, line) = left.remove(foremost(&cx.view(&side), &left));
        if let Some(order) = cx.house(&side, no, &line) {
            carry_out(cx, &side, &order)?;
        }
        let upshot = cx.upshot();
        if upshot != Upshot::Done {
            cx.emit(Event::Missed { side: side.clone(), line, upshot });
        }
    }
    end(cx, acting)
}

/// 4.6 Which of the lines of a lodged sheet goes next; one that cannot be read is answered where it stands.
fn foremost(v: &View, lines: &[(u32, String)]) -> usize {
    let read = |(place, (no, line)): (usize, &(u32, String))| {
        Some((place, orders::read(GreatBattles::verbs(), v, &orders::line(*no, line)).ok()?))
    };
    let (places, orders): (Vec<usize>, Vec<Order>) = (0..).zip(lines).filter_map(read).unzip();
    let next = places.get(sequence::next(&v.state, &orders)).copied();
    next.filter(|_| places.first() == Some(&0)).unwrap_or_default()
}

/// 3.0, 4.5, 12.0 Whether an order fits the part of the turn, and the step of the activation.
///
/// # Errors
/// Why not.
pub(super) fn in_time(s: &State, order: &Order) -> Result<(), Fault> {
    let wish = if let Order::Wish(wish) = order { Some(wish) } else { None };
    if s.at == At::Open {
        return deny(wish.is_none(), "the turn is being opened: no command acts", "3.0");
    }
    if let Some(wish) = wish {
        let later = matches!(wish, Wish::Remove { .. } | Wish::Keep { .. });
        return deny(!later, "that is written when the turn is opened", "3.0");
    }
    let picks = matches!(order, Order::Pick { .. });
    let Some(acting) = &s.acting else {
        deny(!matches!(s.at, At::Others(_)), "no command of yours acts now", "4.5")?;
        return deny(!picks, "PICK a division or a unit first", "3.0");
    };
    let first = matches!(order, Order::Activate { .. });
    let picked = matches!(acting.lim, Lim::Pick(_) | Lim::Lone(_));
    let call = if picks && picked { "your pick is made: ACTIVATE comes next" } else { "ACTIVATE a division first" };
    deny(acting.step == Step::Attempt && !first, call, "4.5")?;
    let next = if picked { "END this pick: the other side picks next" } else { "PICK comes when all LIMs are drawn" };
    deny(picks, next, "3.0")
}

fn carry_out(cx: &mut Hand<'_>, side: &SideId, order: &Order) -> Play<()> {
    // H.3, H.11 What a side can know makes a line refused; what it cannot know makes it fail.
    let seen = cx.view(side).state;
    let allowed = in_time(&seen, order).and_then(|()| order::may(&seen, order));
    let Some(()) = cx.allowed(allowed) else { return Ok(()) };
    if wish(cx, side, order) {
        return Ok(());
    }
    if dummy::is_struck(cx, side, order)? {
        return Ok(());
    }
    if order::may(cx.state(), order).is_err() {
        return balked(cx, order);
    }
    match order {
        Order::Activate { division, how } => {
            compel::advance(cx)?;
            reinforce::call(cx, division, *how)?;
        }
        Order::Move { units, paces, stop } => march::go(cx, units, paces, *stop)?,
        Order::Form { units, form, hour } => form::form(cx, units, (*form, *hour))?,
        Order::Spread { unit, to } => form::spread(cx, unit, *to)?,
        Order::Top { units } => cx.emit(Event::Topped { units: units.clone() }),
        Order::Lead { leader, to } => command::ride(cx, leader, *to),
        Order::Fire { unit, at } => {
            compelled(cx)?;
            // H.5 Of the targets that are seen.
            if let Ok(at) = fire::may(&cx.view(side).state, unit, *at) {
                fire::offensive(cx, unit, at)?;
            }
        }
        Order::Attack { unit, at, support, assault } => {
            compelled(cx)?;
            shock::attack(cx, unit, *at, support.as_deref(), *assault)?;
        }
        Order::Charge { unit, at, via } => {
            compelled(cx)?;
            if let Some(path) = cx.allowed(charge::may(cx.state(), unit, *at, via)) {
                charge::charge(cx, unit, *at, path)?;
            }
        }
        Order::Rout { unit } => form::rout(cx, unit)?,
        Order::Enter { units, form, hour, at } => reinforce::enter(cx, units, (*form, *hour), *at)?,
        Order::Exit { unit } => cx.emit(Event::Exited { unit: unit.clone(), sp: cx.state().sp(unit) }),
        Order::Drop => {
            entry::clear(cx)?;
            command::drop_marker(cx);
        }
        Order::Combat { division } => {
            compelled(cx)?;
            command::combat(cx, division, Step::Fire)?;
        }
        Order::Wish(_) | Order::Pick { .. } => {}
    }
    dummy::unmask(cx);
    Ok(())
}

/// H.3 An enemy out of sight bars what is ordered. It has been tried for all that, and is not tried again: who was to move or to
/// come on has moved, a leader has ridden, and a division that was to march strategically acts Limited. Else a side could ask
/// at every hex who is there.
fn balked(cx: &mut Hand<'_>, order: &Order) -> Play<()> {
    cx.outcome(unseen());
    match order {
        Order::Activate { division, how: Mode::Strategic } => command::activate(cx, division, Mode::Limited),
        Order::Move { units, .. } | Order::Enter { units, .. } | Order::Form { units, .. } => march::give_up(cx, units),
        Order::Spread { unit, .. } => march::give_up(cx, std::slice::from_ref(unit)),
        Order::Lead { leader, .. } => {
            let stays = cx.state().leaders.get(leader).and_then(|l| l.hex);
            stays.into_iter().for_each(|hex| command::ride(cx, leader, hex));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// H.3 What an enemy out of sight makes of a line.
pub(super) fn unseen() -> Outcome {
    Outcome::Failed { why: "an enemy whom you do not see is in the way".to_owned(), rule: "H.3".to_owned() }
}

/// 4.7 Before combat begins: who has to charge has come as near as he can.
fn compelled(cx: &mut Hand<'_>) -> Play<()> {
    let moves = cx.state().acting.as_ref().is_some_and(|acting| acting.step == Step::Movement);
    if moves { compel::advance(cx) } else { Ok(()) }
}

/// 4.6.1, 5.2.1, 8.4.5 The end of an activation: what its divisions still have to do; commanders are finished; markers come off,
/// of those too that were not called; Blown horse that has not stirred may recover; places change hands; then the next.
fn end(cx: &mut Hand<'_>, acting: &Acting) -> Play<()> {
    compelled(cx)?;
    march::finish(cx)?;
    compel::fight_all(cx)?;
    let divisions: Vec<(String, Mode)> =
        cx.state().acting.iter().flat_map(|acting| acting.modes.iter().map(|(id, mode)| (id.clone(), *mode))).collect();
    idle(cx).iter().for_each(|division| unmark(cx, division, true));
    for (division, mode) in &divisions {
        if *mode == Mode::Strategic {
            slacken(cx, division);
        }
        let late = reinforce::came_late(cx.state(), &acting.lim, division);
        if !late && !matches!(acting.lim, Lim::Lone(_)) {
            cx.emit(Event::Spent { division: division.clone() });
        }
    }
    catch(cx, &other(&acting.side));
    let names: Vec<String> = divisions.into_iter().map(|(division, _)| division).collect();
    command::rest(cx, &names);
    victory::hold(cx);
    cx.emit(Event::Ended);
    match cx.state().at.clone() {
        At::Others(side) => pool::pick_next(cx, &side),
        _ => pool::next(cx),
    }
    Ok(())
}

/// 5.2.1 Who of a division under the marker could have gone on, or stands in Line.
pub(super) fn slack(s: &State, division: &str) -> Vec<String> {
    let line = |unit: &String| s.is(unit, |u| u.going.ready && u.pose.is_some_and(|pose| pose.form == Form::Line));
    s.units_of(division).into_iter().filter(|unit| march::can_go_on(s, unit) || line(unit)).collect()
}

/// 5.2.1, 14.1.3 A division under the marker that could have gone on loses it, and its LIM; one that has reached the hex that
/// it makes for loses the marker.
fn slacken(cx: &mut Hand<'_>, division: &str) {
    let s = cx.state();
    let slack = !slack(s, division).is_empty();
    let there = reinforce::arrived(s).iter().any(|id| id == division);
    if slack || there {
        unmark(cx, division, slack);
    }
}

/// 5.2.1 The marker of a division comes off; of one that has not gone as far as it could its LIM is taken out of the pool.
fn unmark(cx: &mut Hand<'_>, division: &str, slack: bool) {
    let lim = Lim::Division(division.to_owned());
    let pooled = cx.state().pool.contains(&lim);
    cx.emit(Event::Marked { division: division.to_owned(), on: false });
    if slack && pooled {
        cx.emit(Event::Removed { lim });
    }
}

/// 5.2.1 Divisions under the marker that could have marched on the LIM that was drawn, and were not called at all; H.3 as far as
/// their side can tell, so that a marker that stays betrays nobody. 14.2 Who waits off the map may wait on, and of a late
/// division the rest has another LIM.
fn idle(cx: &Hand<'_>) -> Vec<String> {
    let s = cx.state();
    let Some(acting) = &s.acting else { return Vec::new() };
    let marked = under_marker(acting, s);
    if marked.is_empty() {
        return Vec::new();
    }
    let s = &cx.view(&acting.side).state;
    marked.into_iter().filter(|division| could_march(s, division)).collect()
}

/// 5.2.1, 14.2 Divisions under the marker that have not been called on the LIM that was drawn.
pub(super) fn under_marker(acting: &Acting, s: &State) -> Vec<String> {
    let drawn = matches!(acting.lim, Lim::Division(_) | Lim::Corps(_) | Lim::Reinforcement(_));
    let marked = |division: &&String| s.commands.get(*division).is_some_and(|c| c.strategic && !c.waits);
    acting.todo.iter().filter(|_| drawn).filter(marked).cloned().collect()
}

/// 5.2, 5.2.1, 14.2 Whether somebody of a division could march strategically if it were called.
pub(super) fn could_march(s: &State, division: &str) -> bool {
    let barred = s.is_division_broken(division) || reinforce::is_call_of_late(s, division);
    if barred || command::may_march(s, division).is_err() {
        return false;
    }
    let mut then = s.clone();
    command::activation(s, division, Mode::Strategic).iter().for_each(|e| event::apply(&mut then, e));
    then.units_of(division).iter().any(|unit| march::can_go_on(&then, unit))
}

/// 5.2.1 Divisions of the other side whose marker comes off: they have been attacked, or an enemy has moved within three hexes of
/// them while the division acted that has ended now, wherever he stands at its end.
fn catch(cx: &mut Hand<'_>, side: &SideId) {
    let s = cx.state();
    let marked = s.commands.iter().filter(|(id, c)| c.strategic && c.caught && s.board.side_of(id) == Some(side));
    let marked: Vec<String> = marked.map(|(id, _)| id.clone()).collect();
    marked.into_iter().for_each(|division| cx.emit(Event::Marked { division, on: false }));
}

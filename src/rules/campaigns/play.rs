//! ¶49-68 The sequence of play, read top to bottom like the rulebook's outline.

use super::board::ArmyId;
use super::flow::event::{Partly, Quiet};
use super::flow::told::Open;
use super::sequence::{At, Segment};
use super::state::State;
use super::{Campaigns, Order, admin, armies, combat, courier, flow, march, organization, victory};
use crate::fog::{SeatId, SideId};
use crate::rules::cx::Cx;
use crate::rules::{Outcome, Play, Stage};

/// The stage in which somebody may write; `None` when the game is over.
pub fn stage(s: &State) -> Option<Stage> {
    let name = |side: &SideId| s.board.side(side).map_or_else(|| side.0.clone(), |spec| spec.name.clone());
    let seat = |side: &SideId| SeatId(side.0.clone());
    let turn = s.turn;
    let (key, title, on_move) = match &s.at {
        At::Over => return None,
        At::Setup => ("0/setup".to_owned(), "set-up".to_owned(), s.order_of_sides().iter().map(seat).collect()),
        At::Weather => (format!("{turn}/weather"), "weather".to_owned(), Vec::new()),
        At::Packet(p) => (format!("{turn}/{p}/packet"), format!("{} administration", name(p)), Vec::new()),
        At::Own(p) => {
            let (key, of) = part(s, p, s.phase.army.as_ref());
            (format!("{turn}/{p}/A{key}"), format!("{}{of} movement (sheet A)", name(p)), vec![seat(p)])
        }
        At::CloseMove(p) => (format!("{turn}/{p}/A-close"), format!("{} attrition", name(p)), Vec::new()),
        At::Reaction(p) => {
            let q = s.enemy(p);
            let (key, _) = part(s, p, s.phase.army.as_ref());
            let (own, of) = part(s, &q, s.phase.army.as_ref());
            let title = format!("{}{of} reaction (sheet R, Forced March)", name(&q));
            (format!("{turn}/{p}/R{key}{own}"), title, vec![seat(&q)])
        }
        At::Designate(p) => {
            let (key, of) = part(s, p, s.phase.army.as_ref());
            (format!("{turn}/{p}/B{key}"), format!("{}{of} battles (sheet B)", name(p)), vec![seat(p)])
        }
        At::Round(p, n) => {
            let (key, of) = part(s, p, s.phase.army.as_ref());
            (format!("{turn}/{p}/round-{n}{key}"), format!("{}{of} battles, round {n}", name(p)), Vec::new())
        }
        At::Close(p) => (format!("{turn}/{p}/close"), format!("{} morale", name(p)), Vec::new()),
    };
    Some(Stage { key, title, on_move, secret: s.at == At::Setup })
}

/// What the key and the title of a stage add where it is that of one army of a side.
fn part(s: &State, side: &SideId, army: Option<&ArmyId>) -> (String, String) {
    match s.board.army(side, army) {
        Some(army) => (format!("-{}", army.id), format!(", {},", army.name)),
        None => (String::new(), String::new()),
    }
}

/// Plays one leg.
pub fn play(cx: &mut Cx<'_, Campaigns>) -> Play<()> {
    match cx.state().at.clone() {
        At::Setup => setup(cx),
        At::Weather => {
            flow::weather::determine(cx);
            let first = cx.state().order_of_sides().into_iter().next();
            go(cx, first.map_or(At::Over, At::Packet));
            Ok(())
        }
        At::Packet(side) => {
            courier::ride(cx, &side);
            admin::packet(cx, &side)?;
            organization::open(cx, &side);
            let phases = cx.state().board.exceptions.marches.army_phases.clone();
            let army = armies::next(cx.state(), &side, &phases, None);
            go_army(cx, At::Own(side.clone()), &side, army);
            Ok(())
        }
        At::Own(side) => own(cx, &side),
        At::CloseMove(side) => {
            march::close(cx, &side)?;
            // ¶55, 151: the Movement Phase of the next army.
            let phases = cx.state().board.exceptions.marches.army_phases.clone();
            let army = cx.state().phase.army.clone();
            if let Some(next) = army.and_then(|army| armies::next(cx.state(), &side, &phases, Some(&army))) {
                go_army(cx, At::Own(side.clone()), &side, Some(next));
                return Ok(());
            }
            // ¶310: the Combat Phase begins here, before Forced March.
            combat::siege::lift(cx);
            react(cx, &side, None);
            Ok(())
        }
        At::Reaction(side) => reaction(cx, &side),
        At::Designate(side) => designate(cx, &side),
        At::Round(side, n) => {
            let more = combat::phase::round(cx, &side, n)?;
            if cx.state().at != At::Over {
                if more { go(cx, At::Round(side, n + 1)) } else { fought(cx, &side) }
            }
            Ok(())
        }
        At::Close(side) => close(cx, side),
        At::Over => Ok(()),
    }
}

fn go(cx: &mut Cx<'_, Campaigns>, at: At) {
    cx.emit(Open::Stage { at }.into());
}

/// A stage that is that of one army of a side, where the title has it so.
fn go_army(cx: &mut Cx<'_, Campaigns>, at: At, side: &SideId, army: Option<&ArmyId>) {
    go(cx, at);
    if let Some(army) = army {
        cx.emit(Open::ArmyPhase { side: side.clone(), army: army.clone() }.into());
    }
}

/// ¶62-63 The next Forced March segment: of the whole other side, of one army of it after the other, or one in each Combat
/// Phase of the armies of the side on move. Without one left, nothing happens; whether there was one.
fn react(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, after: Option<&ArmyId>) -> bool {
    let (board, foe) = (cx.state().board.clone(), cx.state().enemy(phasing));
    let exceptions = &board.exceptions;
    let own = armies::next(cx.state(), phasing, &exceptions.combat.army_phases, after);
    let apart: &[ArmyId] = if exceptions.marches.army_forced_marches { &exceptions.marches.army_phases } else { &[] };
    let his = armies::next(cx.state(), &foe, apart, after);
    let (side, army) = if own.is_some() { (phasing, own) } else { (&foe, his) };
    if after.is_some() && army.is_none() {
        return false;
    }
    go_army(cx, At::Reaction(phasing.clone()), side, army);
    true
}

/// ¶63 What follows the battles of a Combat Phase: that of the next army of the side, or the end of its player-turn.
fn fought(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let army = cx.state().phase.army.clone().filter(|army| cx.state().board.army(side, Some(army)).is_some());
    if army.is_none_or(|army| !react(cx, side, Some(&army))) {
        go(cx, At::Close(side.clone()));
    }
}

/// ¶417-429 Set-up: both sides at once; nothing of either is read before both are in.
fn setup(cx: &mut Cx<'_, Campaigns>) -> Play<()> {
    let Some(stage) = stage(cx.state()) else { return Ok(()) };
    cx.sheets(&stage.on_move, &stage.key)?;
    match cx.order(&stage.on_move, &stage.key)? {
        Some((seat, order)) => set_up(cx, &SideId(seat.0), order),
        None => {
            flow::setup::default_vedettes(cx);
            let first = cx.state().order_of_sides().into_iter().next();
            let pre_game = cx.state().board.exceptions.marches.pre_game_mp.is_some();
            let first = first.filter(|_| pre_game);
            if first.is_none() {
                cx.emit(Open::Turn { turn: cx.state().board.turns.0 }.into());
            }
            cx.emit(Partly::Begun.into());
            flow::settle_faces(cx);
            if let Some(first) = first {
                flow::weather::pre_game(cx, true);
                go(cx, At::Reaction(first));
            } else {
                go(cx, At::Weather);
            }
            Ok(())
        }
    }
}

/// ¶417-429 Carries out an order of a set-up sheet.
fn set_up(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: Order) -> Play<()> {
    match order.inner() {
        Order::Flow(order) => flow::carry_out(cx, side, &order),
        // ¶429: units may be switched between leaders in one hex.
        Order::Organization(order @ organization::order::Order::Unit { .. }) => {
            organization::carry_out(cx, side, &order)?;
        }
        // ¶272: a force may begin in Forage Mode.
        Order::March(order @ march::order::Order::StartMode { .. }) => march::carry_out(cx, side, &order)?,
        _ => cx.outcome(refused("only set-up orders are taken before the first turn", "¶417")),
    }
    Ok(())
}

/// ¶52-58 Sheet A: one line a leg, in the order of the segments.
fn own(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    let Some(stage) = stage(cx.state()) else { return Ok(()) };
    let Some((_, order)) = cx.order(&stage.on_move, &stage.key)? else {
        admin::close_sheet(cx, side)?;
        organization::close_sheet(cx, side)?;
        go(cx, At::CloseMove(side.clone()));
        return Ok(());
    };
    in_turn(cx, side, &order)
}

/// ¶50-58 Carries out an order of sheet A, if its segment is not over.
fn in_turn(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Order) -> Play<()> {
    if let Some(segment) = segment(order) {
        if segment < cx.state().phase.segment {
            cx.outcome(refused(&format!("the {} is over this turn", segment.title()), "¶50"));
            return Ok(());
        }
        // ¶56: withdrawals end the Reinforcement Segment.
        if segment > Segment::Reinforcements {
            organization::withdraw(cx, side);
        }
        if segment > cx.state().phase.segment {
            cx.emit(Quiet::Segment { side: side.clone(), segment }.into());
        }
    }
    carry_out(cx, side, order)
}

/// Carries out one order of the sheet that is open to a side: what a rehearsal tries. Nothing where none is open.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn line(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Order) -> Play<()> {
    match cx.state().at.clone() {
        At::Setup => set_up(cx, side, order.clone()),
        At::Own(phasing) if phasing == *side => in_turn(cx, side, order),
        At::Reaction(phasing) if phasing != *side => force_march(cx, side, order),
        At::Designate(phasing) if phasing == *side => {
            on_sheet_b(cx, side, order);
            Ok(())
        }
        At::Own(_)
        | At::Reaction(_)
        | At::Designate(_)
        | At::Weather
        | At::Packet(_)
        | At::CloseMove(_)
        | At::Round(..)
        | At::Close(_)
        | At::Over => Ok(()),
    }
}

/// Carries out an order of sheet A.
fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Order) -> Play<()> {
    match order {
        Order::Of(army, order) => return armies::with(cx, side, army, |cx| carry_out(cx, side, order)),
        Order::Flow(order) => flow::carry_out(cx, side, order),
        Order::Admin(order) => admin::carry_out(cx, side, order)?,
        Order::Organization(order) => organization::carry_out(cx, side, order)?,
        Order::March(order) => march(cx, side, order)?,
        Order::Combat(order) => combat::phase::plan(cx, side, order),
    }
    Ok(())
}

/// Carries out an order of movement, and what it brings if it has captured Napoleon (¶396).
fn march(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &march::order::Order) -> Play<()> {
    let before = combat::phase::emperor(cx.state());
    march::carry_out(cx, side, order)?;
    combat::phase::fell(cx, before, 0)?;
    Ok(())
}

/// ¶64, 297 Sheet R: Forced March of the other side, and its plans for defence.
fn reaction(cx: &mut Cx<'_, Campaigns>, phasing: &SideId) -> Play<()> {
    let Some(stage) = stage(cx.state()) else { return Ok(()) };
    let side = cx.state().enemy(phasing);
    match cx.order(&stage.on_move, &stage.key)? {
        Some((_, order)) => force_march(cx, &side, &order)?,
        // ¶430-431: the Forced March before the first turn, after which the first turn begins.
        None if cx.state().before_first_turn() => {
            march::close_reaction(cx, &side)?;
            flow::weather::pre_game(cx, false);
            cx.emit(Open::Turn { turn: cx.state().board.turns.0 }.into());
            go(cx, At::Weather);
        }
        None => {
            march::close_reaction(cx, &side)?;
            organization::fog::lift(cx, &side);
            // ¶62: the Forced March segment of the next army; the Combat Phase is undivided.
            let army = cx.state().phase.army.clone().filter(|a| cx.state().board.army(&side, Some(a)).is_some());
            if army.is_some_and(|army| react(cx, phasing, Some(&army))) {
                return Ok(());
            }
            let fight = combat::phase::must_or_may(cx.state(), phasing);
            if fight {
                combat::guns::muster(cx, &side);
            }
            if fight { go(cx, At::Designate(phasing.clone())) } else { fought(cx, phasing) }
        }
    }
    Ok(())
}

/// ¶64 Carries out an order of sheet R.
fn force_march(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Order) -> Play<()> {
    match order {
        Order::Of(army, order) => return armies::with(cx, side, army, |cx| force_march(cx, side, order)),
        Order::March(order) => march(cx, side, order)?,
        Order::Combat(order) => combat::phase::plan(cx, side, order),
        // ¶219: a force off the map comes back in a Forced March segment too.
        Order::Organization(organization::order::Order::Enter(enter))
            if cx.state().pieces(side).is_some_and(|own| own.army.abroad.contains_key(&enter.leader)) =>
        {
            march::arrival::carry_out(cx, side, enter)?;
        }
        Order::Flow(_) | Order::Admin(_) | Order::Organization(_) => {
            cx.outcome(refused("sheet R holds Forced Marches and plans of defence only", "¶52"));
        }
    }
    Ok(())
}

/// ¶302-313 Sheet B: the phasing side forms its attacks; what it leaves out follows the default.
fn designate(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    let Some(stage) = stage(cx.state()) else { return Ok(()) };
    match cx.order(&stage.on_move, &stage.key)? {
        Some((_, order)) => on_sheet_b(cx, side, &order),
        None => {
            combat::phase::begin(cx, side)?;
            go(cx, At::Round(side.clone(), 1));
        }
    }
    Ok(())
}

/// ¶302-313 Carries out an order of sheet B.
fn on_sheet_b(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Order) {
    match order {
        Order::Combat(order) => combat::phase::plan(cx, side, order),
        Order::Of(..) | Order::Flow(_) | Order::Admin(_) | Order::Organization(_) | Order::March(_) => {
            cx.outcome(refused("sheet B holds attacks and battle plans only", "¶65"));
        }
    }
}

/// ¶66-68 Joint consolidation, morale, and the next player-turn.
fn close(cx: &mut Cx<'_, Campaigns>, side: SideId) -> Play<()> {
    march::consolidate(cx);
    victory::morale_phase(cx, &side)?;
    if cx.state().at == At::Over {
        return Ok(());
    }
    for side in [side.clone(), cx.state().enemy(&side)] {
        cx.emit(Quiet::PlansCleared { side }.into());
    }
    let sides = cx.state().order_of_sides();
    let next = sides.iter().skip_while(|s| **s != side).nth(1).cloned();
    match next {
        Some(second) => go(cx, At::Packet(second)),
        None if cx.state().turn >= cx.state().board.turns.1 => victory::last_turn(cx),
        None => {
            cx.emit(Open::Turn { turn: cx.state().turn + 1 }.into());
            go(cx, At::Weather);
        }
    }
    Ok(())
}

/// ¶50 The segment of sheet A that an order belongs to.
pub fn segment(order: &Order) -> Option<Segment> {
    match order {
        Order::Of(_, order) => segment(order),
        Order::Flow(order) => flow::verbs::segment(order),
        Order::Admin(order) => admin::verbs::segment(order),
        Order::Organization(order) => Some(organization::verbs::segment(order)),
        Order::March(order) => march::verbs::segment(order),
        Order::Combat(_) => None,
    }
}

/// An order understood and not allowed.
pub fn refused(why: &str, rule: &str) -> Outcome {
    Outcome::Refused { why: why.to_owned(), rule: rule.to_owned(), copy: None }
}

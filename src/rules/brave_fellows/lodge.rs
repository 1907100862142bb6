//! 6.1, 9.2.3-9.2.5 Lodged sheets: what a side has written beforehand for an impulse of a leader, or for a column that
//! musters. They are standing answers, so that they are written and changed at any time, and nobody else reads them.

use super::ask::{self, What};
use super::board::{COALITION, Force};
use super::command;
use super::event::Event;
use super::fatigue::At;
use super::order::{Call, Order, may};
use super::play;
use super::state::{Segment, State};
use super::view::View;
use crate::fog::SideId;
use crate::rules::journal::Book;
use crate::rules::tactical::lodge::{Lodge, written};
use crate::rules::{Play, Upshot};

/// The key of the doctrine.
pub(super) use crate::rules::tactical::lodge::KEY;
/// Words with which a lodged line may begin.
pub(super) const LODGE: Lodge = Lodge(&[
    "activate",
    "move",
    "face",
    "charge",
    "leader",
    "fire",
    "melee",
    "advance",
    "enter",
    "put",
    "rearguard",
    "loss",
    "regroup",
]);

/// Whom a side may lodge a sheet for: its leaders, and the columns that it deploys, by their printed names.
pub(super) fn subjects(s: &State, side: &SideId) -> Vec<String> {
    let own = s.board.chiefs.iter().filter(|(_, chief)| chief.side == *side).map(|(name, _)| name.clone());
    let columns = [Force::II, Force::III].into_iter().filter(|_| side.0 == COALITION);
    own.chain(columns.map(|force| force.name().to_owned())).collect()
}

/// 6.1.5 The first sheet whose leader may act, as the answer to the question that asks for one: `Gazan: line THEN line`,
/// `PASS`, or `NONE`. A leader acts once a turn, and so is his sheet taken once.
pub(super) fn next(v: &View, book: &Book) -> String {
    let s = &v.state;
    for (leader, text) in book.subjects(KEY) {
        let call = Call { leaders: vec![leader.to_owned()], ..Call::default() };
        // 6.1.3 An impulse in which nobody follows him is not taken for the sheet: he waits for his men.
        let led = !command::followers_with(s, &v.side, &call).is_empty();
        let able = led && s.chief(leader).is_some() && may(s, &Order::Activate(call)).is_ok();
        if let Some(lines) = LODGE.lines(text, Some(s.turn)).filter(|_| able) {
            return written(leader, &lines);
        }
    }
    if book.get(KEY) == Some("PASS") { "PASS".to_owned() } else { "NONE".to_owned() }
}

/// 9.2.3-9.2.5 The sheet for a column that musters, in the same form.
pub(super) fn column(column: &str, book: &Book) -> String {
    let text = book.get(&Book::key_for(KEY, column));
    let lines = text.and_then(|text| LODGE.lines(text, None));
    lines.map_or_else(|| "NONE".to_owned(), |lines| written(column, &lines))
}

/// 6.1 An impulse by a lodged sheet; whether there was one, and somebody acts by it or it is a pass.
pub(super) fn impulse(cx: &mut At<'_>, side: &SideId) -> Play<bool> {
    if cx.state().segment > Segment::Activation {
        return Ok(false);
    }
    let Some(mut sheet) = ask::lodged(cx, side, What::Lodged, "")? else { return Ok(false) };
    cx.emit(Event::Taken { side: side.clone(), of: sheet.of.clone(), lines: sheet.lines.clone() });
    if sheet.of.is_empty() {
        return Ok(true);
    }
    if !sheet.lines.first().is_some_and(|line| line.to_lowercase().starts_with("activate")) {
        sheet.lines.insert(0, format!("ACTIVATE {}", sheet.of));
    }
    for (no, line) in (1..).zip(&sheet.lines) {
        if let Some(order) = cx.house(side, no, line) {
            play::carry_out(cx, side, order)?;
        }
        missed(cx, side, line);
        if play::is_decided(cx) {
            return Ok(true);
        }
    }
    Ok(cx.state().segment > Segment::Activation)
}

/// 6.1 Who has lodged a line that is not carried out is told so: he wrote no mail that could answer it.
fn missed(cx: &mut At<'_>, side: &SideId, line: &str) {
    let upshot = cx.upshot();
    if upshot != Upshot::Done {
        cx.emit(Event::Missed { side: side.clone(), line: line.to_owned(), upshot });
    }
}

/// 9.2.3-9.2.5 In fog a column is deployed by its lodged sheet, where there is one: a sheet that is opened would tell the
/// French that it has mustered.
pub(super) fn muster(cx: &mut At<'_>, force: Force) -> Play<()> {
    let side: SideId = COALITION.into();
    if let Some(sheet) = ask::lodged(cx, &side, What::Muster, force.name())? {
        cx.emit(Event::Taken { side: side.clone(), of: sheet.of.clone(), lines: sheet.lines.clone() });
        for (no, line) in (1..).zip(&sheet.lines) {
            if let Some(order) = cx.house(&side, no, line) {
                play::deploys(cx, &side, order);
            }
            missed(cx, &side, line);
        }
    }
    Ok(())
}

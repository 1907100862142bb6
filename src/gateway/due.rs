//! What is due and until when. A deadline belongs to a question or a sheet, and stays when other things happen.

use super::away::{self, Away};
use super::when;
use crate::fog::SeatId;
use crate::host::Game;
use crate::store::Due;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// The address under which a sign-on is due.
pub(super) const SIGN_ON: &str = "signon";

/// When things fall due.
pub(super) struct Terms {
    pub now: Timestamp,
    /// Hours that a seat has; none for no deadline.
    pub hours: Option<u32>,
    /// Whether orders of all stages are kept until all are in.
    pub sealed: bool,
    /// Who is away, and when: their time does not run then.
    pub away: BTreeMap<String, Vec<Away>>,
}

impl Terms {
    /// So many hours of a seat's time from now.
    fn after(&self, seat: &str, hours: u32) -> String {
        let away = self.away.get(seat).map(Vec::as_slice).unwrap_or_default();
        when::kept(away::after(self.now, SignedDuration::from_hours(i64::from(hours)), away))
    }
}

/// What is due now: new dues get the game's hours, known ones keep their time.
///
/// While play waits for somebody else, the sheet of a seat on move stays listed, since that seat must not learn that
/// another was asked.
pub(super) fn renewed(before: &[Due], game: &dyn Game, terms: &Terms) -> Vec<Due> {
    let now = when::kept(terms.now);
    let mut dues: Vec<Due> = Vec::new();
    for due in game.dues() {
        let known = before.iter().find(|b| b.seat == due.seat.0 && b.address == due.address);
        let due_at = match known.and_then(|known| known.due_at.clone()) {
            Some(at) if at > now => Some(at),
            // After a question in between, a sheet has at least a quarter of the hours left.
            Some(_) => terms.hours.map(|hours| terms.after(&due.seat.0, hours.div_ceil(4))),
            None => terms.hours.map(|hours| terms.after(&due.seat.0, hours)),
        };
        let default_text = due.prompt.map_or_else(|| "END".to_owned(), |ask| ask.default);
        dues.push(Due { seat: due.seat.0, address: due.address, default_text, due_at });
    }
    for kept in before {
        let seat = SeatId(kept.seat.clone());
        // A sealed sheet that is not due has been ended, though it may still be written anew.
        let live = |stage: &crate::rules::Stage| !terms.sealed && !stage.secret && kept.address.contains(&stage.key);
        let hidden = kept.address.starts_with("sheet/")
            && !dues.iter().any(|due| due.seat == kept.seat)
            && game.on_move(&seat)
            && game.stage().is_some_and(|stage| live(&stage));
        if hidden {
            dues.push(kept.clone());
        }
    }
    dues.sort_by(|a, b| (&a.seat, &a.address).cmp(&(&b.seat, &b.address)));
    dues
}

/// Whether the time of all that play really waits for is up.
pub(super) fn all_past(dues: &[Due], game: &dyn Game, now: Timestamp) -> bool {
    let now = when::kept(now);
    let waits: Vec<crate::rules::Due> = game.dues();
    let of = |due: &crate::rules::Due| dues.iter().find(|d| d.seat == due.seat.0 && d.address == due.address);
    !waits.is_empty() && waits.iter().all(|due| of(due).and_then(|d| d.due_at.as_ref()).is_some_and(|at| *at <= now))
}

/// The due line of a letter: what the seat owes and until when, and the time of writing.
pub(super) fn line(dues: &[Due], seat: &str, now: Timestamp) -> String {
    let own: Vec<&Due> = dues.iter().filter(|due| due.seat == seat).collect();
    if own.is_empty() {
        return format!("nothing from you; now {}", when::said(now));
    }
    let mut parts = Vec::new();
    let questions = own.iter().filter(|due| due.address.starts_with("ask/")).count();
    match questions {
        0 => {}
        1 => parts.push("Q1".to_owned()),
        n => parts.push(format!("Q1 to Q{n}")),
    }
    if own.iter().any(|due| due.address == SIGN_ON) {
        parts.push("SIGNON".to_owned());
    }
    if own.iter().any(|due| due.address.starts_with("sheet/")) {
        parts.push("your orders".to_owned());
    }
    let until = own.iter().filter_map(|due| due.due_at.as_deref()).min();
    let until = until.map_or_else(|| "without a deadline".to_owned(), |at| format!("by {}", when::said_of(at)));
    format!("{}, {until}; now {}", crate::text::and_list(&parts), when::said(now))
}

//! What is due and until when. A deadline belongs to a question or a sheet, and stays when other things happen.

use super::when;
use crate::fog::SeatId;
use crate::host::Game;
use crate::store::Due;
use crate::terms::calendar::Gap;
use crate::terms::{Terms, Time};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;

/// The address under which a sign-on is due.
pub const SIGN_ON: &str = "signon";

/// Why a sign-on is due.
pub const OPENING: &str = "the opening mail is written";
/// Why a sign-on is due again.
pub const TAKEN: &str = "another has taken the seat";
/// Why a clock goes on: the umpire says so.
pub const GOES_ON: &str = "the umpire lets it go on";
/// Why a clock goes on by itself.
pub const TIME_UP: &str = "its time was up";

/// Why something is due that was not: its whole time, as said.
pub fn from_now(said: &str) -> String {
    format!("due from now: {said}")
}

/// Why a sheet is due again whose time was up while a question was open: of its time, as said, there is at least a quarter.
pub fn again(said: &str) -> String {
    format!("again due after a question: a quarter of {said}")
}

/// Why all is due later: the game was held until now.
pub fn held_from(since: &str) -> String {
    format!("the game was held from {since}")
}

/// Why all is due later: the game was paused until now.
pub fn paused_from(since: &str) -> String {
    format!("the game was paused from {since}")
}

/// Why all is due later: the post office was closed.
pub fn closed_from(from: &str, to: &str) -> String {
    format!("the post office was closed from {from} to {to}")
}

/// Why something is due later: an umpire gave so many hours.
pub fn given_hours(hours: u32) -> String {
    format!("the umpire gave {hours} h")
}

/// Why something is due at another time: an umpire gave time until then.
pub fn given_until(until: &str) -> String {
    format!("the umpire gave time until {until}")
}

/// Why something of a seat is due at another time: it is away on these days, as its desk keeps them.
pub fn is_away(seat: &str, days: &str) -> String {
    format!("{seat} is away: {days}")
}

/// Why a seat has its whole time again: who stands in for it is asked.
pub const STAND_IN: &str = "its stand-in is asked";

/// By what things fall due.
pub(super) struct Clockwork<'t> {
    /// The game's own time, which stands still while it is held or paused.
    pub now: Timestamp,
    pub terms: &'t Terms,
    /// Whether orders of all stages are kept until all are in.
    pub sealed: bool,
    /// When seats are away: their time does not run then.
    pub away: BTreeMap<String, Vec<Gap>>,
}

impl Clockwork<'_> {
    /// When a seat's time is up that begins now.
    fn after(&self, seat: &str, time: &Time) -> Option<String> {
        self.terms.calendar.due(self.now, time, self.gaps(seat)).map(when::kept)
    }

    /// When a seat is away.
    pub(super) fn gaps(&self, seat: &str) -> &[Gap] {
        self.away.get(seat).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Something due, and why its time is not what it was.
pub(super) type Reasoned = (Due, String);

/// What is due now: new dues get their time, known ones keep it. What play waited for already, by seat and address, as the act
/// began, has had its time: nobody puts it off by a mail that is read when that is up.
///
/// While play waits for somebody else, the sheet of a seat on move stays listed, since that seat must not learn that
/// another was asked.
pub(super) fn renewed(
    before: &[Due],
    game: &dyn Game,
    clockwork: &Clockwork<'_>,
    waited: &[(SeatId, String)],
) -> Vec<Reasoned> {
    let now = when::kept(clockwork.now);
    let secret = game.stage().is_some_and(|stage| stage.secret);
    let mut dues: Vec<Reasoned> = Vec::new();
    for due in game.dues() {
        let seat = &due.seat.0;
        let time = clockwork.terms.time_of(&due.address, secret);
        let said = time.said(&clockwork.terms.calendar);
        let known = before.iter().find(|b| b.seat == *seat && b.address == due.address);
        let (due_at, why) = match known.and_then(|known| known.due_at.clone()) {
            Some(at) if at > now || waited.contains(&(due.seat.clone(), due.address.clone())) => {
                (Some(at), String::new())
            }
            // After a question in between, a sheet has at least a quarter of its time left.
            Some(_) => (clockwork.after(seat, &time.quarter()), again(&said)),
            // A combat waits for its umpire as long as it takes.
            None if super::press::is_umpire(seat) => (None, String::new()),
            None => (clockwork.after(seat, &time), from_now(&said)),
        };
        let default_text = due.prompt.map_or_else(|| "END".to_owned(), |ask| ask.default);
        dues.push((Due { seat: due.seat.0, address: due.address, default_text, due_at }, why));
    }
    for kept in before {
        let seat = SeatId(kept.seat.clone());
        // A sealed sheet that is not due has been ended, though it may still be written anew.
        let live =
            |stage: &crate::rules::Stage| !clockwork.sealed && !stage.secret && kept.address.contains(&stage.key);
        let hidden = kept.address.starts_with("sheet/")
            && !dues.iter().any(|(due, _)| due.seat == kept.seat)
            && game.on_move(&seat)
            && game.stage().is_some_and(|stage| live(&stage));
        if hidden {
            dues.push((kept.clone(), String::new()));
        }
    }
    dues.sort_by(|(a, _), (b, _)| (&a.seat, &a.address).cmp(&(&b.seat, &b.address)));
    dues
}

/// Whether the time of all that play really waits for was up at an instant.
pub(super) fn all_past(dues: &[Due], game: &dyn Game, at: Timestamp) -> bool {
    let waits: Vec<crate::rules::Due> = game.dues();
    !waits.is_empty() && waits.iter().all(|due| is_past(dues, due, at))
}

/// Whether the time of one thing that play waits for was up at an instant.
pub(super) fn is_past(dues: &[Due], due: &crate::rules::Due, at: Timestamp) -> bool {
    let at = when::kept(at);
    let of = dues.iter().find(|d| d.seat == due.seat.0 && d.address == due.address);
    of.and_then(|d| d.due_at.as_ref()).is_some_and(|due_at| *due_at <= at)
}

/// The due line of a letter: what the seat owes and until when, and the time of writing.
pub(super) fn line(dues: &[Due], seat: &str, now: Timestamp, zone: &TimeZone) -> String {
    let own: Vec<&Due> = dues.iter().filter(|due| due.seat == seat).collect();
    if own.is_empty() {
        return format!("nothing from you; now {}", when::said_in(now, zone));
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
    let until =
        until.map_or_else(|| "without a deadline".to_owned(), |at| format!("by {}", when::said_of_in(at, zone)));
    format!("{}, {until}; now {}", crate::text::and_list(&parts), when::said_in(now, zone))
}

//! What brought about an entry of the post office's own: an umpire's line in the ledger, a line of the seat's mail, a time
//! that had passed. One that nothing in the chain brings about may not stand there.

use super::chain::text;
use super::dues::{SECOND, later, time};
use super::entries::{Read, written_at};
use super::orders::Mails;
use super::umpires::umpires;
use super::verify::Findings;
use super::{GameLine, Line};
use crate::dice::two;
use crate::gateway::commands::{self, AddressChange, Command, What};
use crate::gateway::{TimeCommand, Whence, away, due, is_umpire, when};
use crate::orders::fold;
use crate::terms::{Late, Observers, Terms};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What became of an entry: nothing is wrong, or what.
type Cause = Result<(), &'static str>;

const NO_ORDER: &str = "no order in the ledger behind it says so";
/// Hours for which a player is silent before who asked for his seat gets it.
const SILENT: SignedDuration = SignedDuration::from_hours(48);

/// Each entry of the post office's own has its cause.
pub(super) fn causes_in_chain(
    game: &GameLine,
    (lines, mails): (&[Line], &Mails<'_>),
    chain: &[Read<'_>],
    found: &mut Findings,
) {
    let mut causes = Causes::of(game, mails, chain);
    for (at, entry) in chain.iter().enumerate() {
        if let Err(why) = causes.look(at, entry) {
            found.faults.push(format!("entry {} ({}): {why}", entry.seq, entry.kind));
        }
    }
    if game.protocol == two::PROTOCOL {
        if lines.iter().any(|line| matches!(line, Line::Nonce { .. })) {
            found.faults.push("what the seats gave stands in the notices, and not in lines of its own".to_owned());
        }
        let opened: BTreeSet<&str> = chain.iter().filter(|e| e.went_out()).map(|e| text(&e.body, "seat")).collect();
        for umpire in umpires(game, chain).into_iter().filter(|umpire| !opened.contains(umpire)) {
            found.faults.push(format!("{umpire} is a seat of the game, and never had a letter"));
        }
    }
}

/// Fine, or why not.
fn fault(fine: bool, why: &'static str) -> Cause {
    if fine { Ok(()) } else { Err(why) }
}

/// What the line of an entry in the ledger says, where it orders something.
fn ordered(entry: &Read<'_>) -> Option<Command> {
    let is_order = entry.kind == "post.ledger" && text(&entry.body, "class") == "order";
    let items = commands::split(&[text(&entry.body, "text").to_owned()], &|_| false, true);
    items.into_iter().next().filter(|_| is_order).and_then(|item| match item.what {
        What::General(Ok(command)) => Some(command),
        _ => None,
    })
}

/// The chain as it is looked through.
struct Causes<'c> {
    game: &'c GameLine,
    chain: &'c [Read<'c>],
    terms: Terms,
    mails: &'c Mails<'c>,
    /// Every mail that came in could be read.
    all_read: bool,
    /// For each entry the next time that one names, itself or one behind it.
    next: Vec<Option<Timestamp>>,
    /// The last time that an entry named, and the one before the last mail.
    last: Option<Timestamp>,
    before: Option<Timestamp>,
    /// The last mail that came in.
    came: Option<usize>,
    /// What each seat has written, line by line.
    said: BTreeMap<&'c str, Vec<Command>>,
    /// What is due, when it has a time.
    open: BTreeMap<(&'c str, &'c str), Option<Timestamp>>,
    held: Option<Timestamp>,
    paused: Option<Timestamp>,
    until: Option<Timestamp>,
    begun: bool,
    over: bool,
    aside: bool,
    /// Who stands in, the days on which seats are away, their last mails, and when their ENDs take effect.
    acting: BTreeMap<&'c str, &'c str>,
    away: BTreeMap<&'c str, &'c str>,
    numbers: BTreeMap<&'c str, u64>,
    wrote: BTreeMap<&'c str, Timestamp>,
    recalls: BTreeMap<&'c str, Timestamp>,
    changed: BTreeSet<&'c str>,
    replaced: BTreeMap<String, usize>,
}

impl<'c> Causes<'c> {
    fn of(game: &'c GameLine, mails: &'c Mails<'c>, chain: &'c [Read<'c>]) -> Causes<'c> {
        let options = chain.iter().find(|entry| entry.kind == "post.options");
        let terms = options.and_then(|entry| serde_json::from_value(entry.body.clone()).ok()).unwrap_or_default();
        let (mut next, mut known) = (vec![None; chain.len()], None);
        for (entry, next) in chain.iter().zip(&mut next).rev() {
            // The clock may be behind after a restore.
            known = if entry.is_restore() { None } else { written_at(entry).and_then(time).or(known) };
            *next = known;
        }
        let all_read =
            chain.iter().filter(|entry| entry.came_in()).all(|e| mails.contains_key(text(&e.body, "message_id")));
        Causes {
            game,
            chain,
            terms,
            mails,
            all_read,
            next,
            last: None,
            before: None,
            came: None,
            said: BTreeMap::new(),
            open: BTreeMap::new(),
            held: None,
            paused: None,
            until: None,
            begun: false,
            over: false,
            aside: false,
            acting: BTreeMap::new(),
            away: BTreeMap::new(),
            numbers: BTreeMap::new(),
            wrote: BTreeMap::new(),
            recalls: BTreeMap::new(),
            changed: BTreeSet::new(),
            replaced: BTreeMap::new(),
        }
    }

    fn look(&mut self, at: usize, entry: &'c Read<'c>) -> Cause {
        let cause = self.cause(at, entry);
        self.note(at, entry);
        cause
    }

    /// The entry behind a place and the letters that tell of it.
    fn behind(&self, at: usize) -> Option<&'c Read<'c>> {
        self.chain.iter().skip(at.saturating_add(1)).find(|entry| !entry.went_out())
    }

    /// The order in the ledger that stands behind a place and the letters that tell of it.
    fn told_by(&self, at: usize) -> Option<Command> {
        self.behind(at).and_then(ordered)
    }

    /// The entries behind a place, up to the next mail that comes in.
    fn act(&self, at: usize) -> impl Iterator<Item = &'c Read<'c>> {
        self.chain.iter().skip(at.saturating_add(1)).take_while(|entry| !entry.came_in())
    }

    /// Whether the last mail that came in is of a seat, and says such a thing.
    fn just_said(&self, seat: Option<&str>, is: impl Fn(&Command) -> bool) -> bool {
        let came = self
            .came
            .and_then(|at| self.chain.get(at))
            .filter(|mail| seat.is_none_or(|s| text(&mail.body, "seat") == s));
        let Some(mail) = came else { return false };
        let Some(mail) = self.mails.get(text(&mail.body, "message_id")) else { return true };
        commands_of(&mail.script, false).iter().any(is)
    }

    /// Whether the last mail that came in is of a seat.
    fn just_came(&self, seat: &str) -> bool {
        self.came.and_then(|at| self.chain.get(at)).is_some_and(|mail| text(&mail.body, "seat") == seat)
    }

    /// Whether a seat has ever said such a thing.
    fn has_said(&self, seat: &str, is: impl Fn(&Command) -> bool) -> bool {
        !self.all_read || self.said.get(seat).is_some_and(|said| said.iter().any(is))
    }

    fn cause(&self, at: usize, entry: &Read<'_>) -> Cause {
        let body = &entry.body;
        match entry.kind {
            "input" if self.aside => {
                let back = body.get("act").is_some_and(|act| act.get("rewind").is_some());
                fault(back || text(body, "kind") == "restored", "the game was set aside, and nothing let it go on")
            }
            "post.hold" | "post.release" | "post.pause" | "post.resume" | "post.extend" | "post.proceed"
            | "post.option" => self.of_time(at, entry),
            "post.asked" => {
                let why = text(body, "why");
                let one = why.ends_with(" in time") && self.terms.late == Late::Umpire;
                let most = why.split(' ').next().and_then(|n| n.parse::<usize>().ok());
                let many = why.ends_with("likelier than so much silence")
                    && most.is_some_and(|n| n >= self.terms.brake_of(self.game.seats.len()));
                fault(one || many, "the terms ask the umpire nothing of that kind")
            }
            "post.epoch" if self.game.protocol == two::PROTOCOL => {
                fault(self.over || self.aside, "a restore of a game that is played is told otherwise")
            }
            "post.recall" => self.recall(at, text(body, "seat"), body),
            _ => self.of_seat(at, entry),
        }
    }

    /// What the umpire's lines do to a game's time and its options: the order stands in the ledger behind it.
    fn of_time(&self, at: usize, entry: &Read<'_>) -> Cause {
        let body = &entry.body;
        let (seat, why) = (text(body, "seat"), text(body, "why"));
        match entry.kind {
            "post.hold" => {
                let ordered = self.told_by(at) == Some(Command::Hold);
                let contradicted = self.just_said(None, |command| matches!(command, Command::Beacon(_)));
                fault(
                    self.held.is_none() && (ordered || contradicted),
                    "nobody ordered it, or the game was held already",
                )
            }
            "post.release" => fault(self.told_by(at) == Some(Command::Release), NO_ORDER),
            "post.pause" => {
                let until = body.get("until").is_some_and(Value::is_string);
                let ordered = match self.told_by(at) {
                    Some(Command::Time(TimeCommand::Pause(said))) => said.trim().is_empty() != until,
                    _ => false,
                };
                fault(
                    ordered && self.paused.is_none(),
                    "no order in the ledger behind it says so, or the clock stood already",
                )
            }
            "post.resume" if why == due::TIME_UP => {
                let now = written_at(entry).and_then(time);
                let over = self.until.zip(now).is_some_and(|(until, now)| until <= now);
                fault(over && self.paused.is_some(), "no pause was to end by then")
            }
            "post.resume" => {
                let ordered =
                    why == due::GOES_ON && matches!(self.told_by(at), Some(Command::Time(TimeCommand::Resume)));
                fault(ordered && self.paused.is_some(), "no order in the ledger behind it says so, or the clock ran")
            }
            "post.extend" => {
                let same = match self.told_by(at) {
                    Some(Command::Extend { seat: said, hours }) => {
                        fold(&said) == fold(seat) && due::given_hours(hours) == why
                    }
                    Some(Command::Time(TimeCommand::Until(said, _))) => {
                        let until = why.rsplit(' ').next().and_then(time);
                        fold(&said) == fold(seat)
                            && until.is_some_and(|until| due::given_until(&when::kept(until)) == why)
                    }
                    _ => false,
                };
                fault(same, NO_ORDER)
            }
            "post.proceed" => {
                // Where the terms call the program's own player, he plays before the defaults, and may leave them nothing.
                let plays = |entry: &Read<'_>| match entry.kind {
                    "input" => text(&entry.body, "kind") == "deadline",
                    "post.house" => self.terms.late == Late::Bot,
                    _ => false,
                };
                let ends = self.behind(at).is_some_and(plays);
                let is = |entry: &Read<'_>| matches!(ordered(entry), Some(Command::Time(TimeCommand::Proceed(_))));
                fault(
                    ends && self.act(at).any(is),
                    "no order in the ledger behind it says so, or nothing was ended by it",
                )
            }
            _ => {
                let said =
                    self.behind(at).filter(|entry| ordered(entry).is_some()).map(|entry| text(&entry.body, "text"));
                let own = format!("OPTION {} {}", text(body, "key"), text(body, "value"));
                fault(said == Some(&own), NO_ORDER)
            }
        }
    }

    /// Who has a seat, who writes for it, from where and when not; and who only reads.
    fn of_seat(&self, at: usize, entry: &Read<'_>) -> Cause {
        let body = &entry.body;
        let seat = text(body, "seat");
        match entry.kind {
            "post.replace" => self.replaced(at, body),
            "post.vacant" => {
                let up = self.open.get(&(seat, due::SIGN_ON)).copied().flatten();
                let up = up.is_some_and(|up| self.next_of(at).is_none_or(|next| up <= next));
                fault(self.terms.open && !self.begun && up, "the time of its sign-on was not up, or it is no open game")
            }
            "post.house" => self.house(at, body),
            "post.observer" if body.get("left").is_some() => {
                fault(self.just_said(Some(seat), |command| *command == Command::Resign), "it did not say so")
            }
            "post.observer" => {
                let told = self.act(at).any(|entry| entry.went_out() && text(&entry.body, "seat") == seat);
                fault(
                    self.terms.observers != Observers::None && told,
                    "the game has no observers, or this one got no letter",
                )
            }
            "post.stand-in" => fault(self.stands_in(seat, body), "nothing before it brings that about"),
            "post.absent" => fault(self.absent(seat, text(body, "days")), "its mail does not say so"),
            "post.address" if body.get("back").is_some() => {
                fault(self.changed.contains(seat), "there is nothing to take back")
            }
            "post.address" => {
                let changes =
                    |command: &Command| matches!(command, Command::Address(change) if *change != AddressChange::List);
                fault(self.has_said(seat, changes), "the seat never asked for it")
            }
            _ => Ok(()),
        }
    }

    /// The program's own player is called where the terms say so, and its lines stand behind it.
    fn house(&self, at: usize, body: &Value) -> Cause {
        let seat = text(body, "seat");
        let input = self.behind(at).filter(|entry| entry.kind == "input" && text(&entry.body, "kind") == "orders");
        let number = self.numbers.get(seat).copied();
        let called = input.is_some_and(|input| {
            text(&input.body, "seat") == seat
                && match Whence::read(text(&input.body, "mail")) {
                    // How many mails it had after a restore, the chain does not say.
                    Whence::House(n) => number.is_none_or(|number| number == u64::from(n)),
                    _ => false,
                }
        });
        let late = self.terms.late == Late::Bot && text(body, "why") == "its orders are missing";
        fault(called && late, "the terms call no such player, or it wrote nothing behind it")
    }

    fn next_of(&self, at: usize) -> Option<Timestamp> {
        self.next.get(at).copied().flatten()
    }

    /// Another has a seat: by the umpire's order, from the list of who waits, or since its player was silent.
    fn replaced(&self, at: usize, body: &Value) -> Cause {
        let (seat, by) = (text(body, "seat"), text(body, "by"));
        if by != "the umpire" {
            let silent = self.wrote.get(seat).zip(self.next_of(at));
            let silent = silent.is_none_or(|(last, now)| now >= later(*last, SILENT));
            let fine = self.terms.open && (by == "the waiting list" || by == "takeover" && silent);
            return if fine { Ok(()) } else { Err("it is no open game, or the seat was not silent so long") };
        }
        let upto = at.saturating_add(1).saturating_add(self.act(at).count());
        let of_seat = |e: &&Read<'_>| {
            let said = text(&e.body, "text").strip_prefix("REPLACE ");
            e.kind == "post.ledger"
                && text(&e.body, "class") == "order"
                && said.is_some_and(|said| fold(said) == fold(seat))
        };
        let orders: Vec<&Read<'_>> = self.chain.iter().take(upto).filter(of_seat).collect();
        if orders.len() <= self.replaced.get(seat).copied().unwrap_or(0) {
            return Err("no order in the ledger says so");
        }
        let named = |command: &Command| match command {
            Command::Time(TimeCommand::Replace { address, .. }) => fold(address) == fold(text(body, "address")),
            _ => false,
        };
        let at_console = orders.iter().any(|entry| text(&entry.body, "by").contains(' '));
        let wrote = orders.iter().any(|entry| self.has_said(text(&entry.body, "by"), named));
        if at_console || wrote { Ok(()) } else { Err("the umpire wrote no such address") }
    }

    /// Somebody writes for a seat, or writes no more.
    fn stands_in(&self, seat: &str, body: &Value) -> bool {
        let named = |by: &str| {
            self.has_said(
                seat,
                |command| matches!(command, Command::StandIn(said) if said.trim().eq_ignore_ascii_case(by)),
            )
        };
        match (body.get("by").and_then(Value::as_str), text(body, "why")) {
            (Some(by), "the seat was late") => self.terms.late == Late::StandIn && named(by),
            (Some(by), "its player is away") => {
                self.away.get(seat).is_some_and(|days| days.contains(&format!("/{by}")))
            }
            (None, "the days are over") => self.acting.contains_key(seat),
            (None, "the seat writes itself again") => self.acting.contains_key(seat) && self.just_came(seat),
            (None, "the stand-in does not want to any more") => {
                let off = |command: &Command| matches!(command, Command::StandIn(said) if said.trim().eq_ignore_ascii_case("off"));
                self.acting.contains_key(seat) && self.just_said(Some(seat), off)
            }
            _ => false,
        }
    }

    /// The days on which a seat is away are those that its last mail says; with a stand-in, those of one before.
    fn absent(&self, seat: &str, days: &str) -> bool {
        let before = self.away.get(seat).copied().unwrap_or_default();
        let with = |command: &Command| matches!(command, Command::Absent(said) if fold(said).contains("stand"));
        if days.split(' ').any(|one| one.matches('/').count() > 1 && !before.contains(one)) {
            return self.has_said(seat, with);
        }
        let zone = self.terms.calendar.tz();
        let Some(today) = self.last.map(|now| now.to_zoned(zone).date()) else { return false };
        self.just_said(Some(seat), |command| match command {
            Command::Absent(said) => away::booked(before, said, today).as_deref() == Some(days),
            _ => false,
        })
    }

    /// When an END takes effect: so long after it came as the terms say, and as much later as its game stood still.
    fn recall(&self, at: usize, seat: &str, body: &Value) -> Cause {
        let Some(to) = time(text(body, "at")) else { return Err("it has no time") };
        if body.get("why").is_some() {
            let behind = self.chain.iter().skip(at).find(|e| !matches!(e.kind, "post.recall" | "post.due"));
            let now = behind.and_then(written_at).and_then(time);
            let since = match behind.map(|entry| entry.kind) {
                Some("post.release") => self.held,
                Some("post.resume") => self.paused,
                Some("post.outage") => behind.and_then(|entry| time(text(&entry.body, "from"))),
                _ => None,
            };
            let Some((was, (since, now))) = self.recalls.get(seat).zip(since.zip(now)) else { return Ok(()) };
            let off = to.duration_since(later(*was, now.duration_since(since))).abs();
            return if off <= SECOND { Ok(()) } else { Err("it was put off by another time") };
        }
        let Some(minutes) = self.terms.recall else { return Ok(()) };
        let by = SignedDuration::from_mins(i64::from(minutes));
        let stood = [self.held, self.paused].into_iter().flatten().min();
        let input =
            self.chain.iter().take(at).rfind(|entry| entry.kind == "input").map(|entry| text(&entry.body, "mail"));
        let came =
            self.came.and_then(|at| self.chain.get(at)).filter(|mail| Some(text(&mail.body, "message_id")) == input);
        let came = came.and_then(written_at).and_then(time);
        let (first, last) = match (stood, came) {
            (Some(stood), _) => (Some(stood), Some(stood)),
            // A clock that was set back names the time before again.
            (None, Some(came)) => (Some(came).filter(|_| self.before != Some(came)), Some(came)),
            (None, None) => (self.last.filter(|last| self.next_of(at) != Some(*last)), self.next_of(at)),
        };
        let early = first.is_some_and(|first| to < later(first, by));
        let late = last.is_some_and(|last| to > later(last, by));
        if early || late { Err("the terms say another time") } else { Ok(()) }
    }

    /// Keeps what an entry says.
    fn note(&mut self, at: usize, entry: &'c Read<'c>) {
        let body = &entry.body;
        let seat = text(body, "seat");
        let now = written_at(entry).and_then(time);
        match entry.kind {
            "input" => {
                self.begun |= text(body, "kind") == "begin";
                self.aside = false;
            }
            "post.over" => self.over = true,
            "post.corrupt" => self.aside = true,
            "post.release" => (self.held, self.aside) = (None, false),
            "post.plan" | "post.restored" => self.aside = false,
            "post.hold" => self.held = now,
            "post.pause" => (self.paused, self.until) = (now, body.get("until").and_then(Value::as_str).and_then(time)),
            "post.resume" => (self.paused, self.until) = (None, None),
            "post.due" if body.get("done").is_some() => _ = self.open.remove(&(seat, text(body, "address"))),
            "post.due" => {
                _ = self
                    .open
                    .insert((seat, text(body, "address")), body.get("at").and_then(Value::as_str).and_then(time))
            }
            "post.absent" => _ = self.away.insert(seat, text(body, "days")),
            "post.recall" => _ = time(text(body, "at")).map(|to| self.recalls.insert(seat, to)),
            "post.address" => _ = self.changed.insert(seat),
            "post.stand-in" => match body.get("by").and_then(Value::as_str) {
                Some(by) => _ = self.acting.insert(seat, by),
                None => _ = self.acting.remove(seat),
            },
            "post.vacant" => _ = self.acting.remove(seat),
            "post.replace" => {
                self.acting.remove(seat);
                self.away.remove(seat);
                if text(body, "by") == "the umpire" {
                    let count = self.replaced.entry(seat.to_owned()).or_default();
                    *count = count.saturating_add(1);
                }
            }
            _ if entry.came_in() => {
                self.came = Some(at);
                self.before = self.last;
                let script = self.mails.get(text(body, "message_id")).map(|mail| mail.script.as_slice());
                let umpire = is_umpire(seat);
                self.said.entry(seat).or_default().extend(commands_of(script.unwrap_or_default(), umpire));
                _ = now.map(|now| self.wrote.insert(seat, now));
            }
            "post.mail" => _ = body.get("number").and_then(Value::as_u64).map(|n| self.numbers.insert(seat, n)),
            _ => {}
        }
        if entry.is_restore() {
            self.last = None;
            self.numbers.clear();
        }
        self.last = now.or(self.last);
    }
}

/// The commands of a mail.
pub(super) fn commands_of(script: &[String], umpire: bool) -> Vec<Command> {
    let items = commands::split(script, &|_| false, umpire);
    items
        .into_iter()
        .filter_map(|item| if let What::General(Ok(said)) = item.what { Some(said) } else { None })
        .collect()
}

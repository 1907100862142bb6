//! In whose hands a seat is: stand-ins, another player by the umpire's word, an abandoned seat that somebody takes.
//!
//! Who takes a seat gets a packet with all that its side may know. Nobody holds two seats of a game, unless the umpire
//! allows it.

use super::commands::Item;
use super::error::{OfficeError, Trouble};
use super::new::is_address;
use super::office::Office;
use super::player::Reply;
use super::post::Extras;
use super::press::UMPIRE;
use super::sitting::Sitting;
use super::when;
use crate::fog::SeatId;
use crate::host::Input;
use crate::letter::{Block, Context};
use crate::orders::fold;
use crate::store::{GameState, Waiting};
use crate::text::nearest;
use jiff::Timestamp;
use serde_json::json;

/// The note of games in which a stand-in was named for days of absence.
pub(super) const STAND_INS: &str = "stand-ins";
/// The key on a seat's desk: who writes for it now, and whose seat it is.
pub(super) const ACTING: &str = "acting";
/// The key on a seat's desk: who writes for it when it is late.
const NAMED: &str = "stand-in";
/// The key on a seat's desk: it has resigned.
pub(super) const RESIGNED: &str = "resigned";
/// From so many deadlines let pass in a row on, a seat of an open game is free for others.
const ABANDONED_FROM: u32 = 3;

impl Sitting<'_> {
    /// Whether nobody has a seat.
    pub(super) fn is_vacant(&self, seat: &str) -> Result<bool, Trouble> {
        Ok(self.seat(seat)?.is_none_or(|row| row.addresses.is_empty()))
    }

    /// Whether a seat is free for another: nobody has it, or who has it has resigned or is silent.
    pub(super) fn is_free(&self, seat: &str) -> Result<bool, Trouble> {
        let playing = self.row.state == GameState::Playing;
        let resigned = self.act.desk(&self.row.id, seat, RESIGNED)?.is_some();
        Ok(self.is_vacant(seat)? || (playing && (resigned || self.missed(seat)? >= ABANDONED_FROM)))
    }

    /// Another seat of the game that an address holds.
    pub(super) fn other_seat(&self, seat: &str, address: &str) -> Result<Option<String>, Trouble> {
        let address = address.to_lowercase();
        let seats = self.act.seats(&self.row.id)?;
        let holds = |row: &crate::store::Seat| row.seat != seat && row.addresses.contains(&address);
        Ok(seats.into_iter().find(holds).map(|row| row.seat))
    }

    /// Why an address cannot stand in for a seat.
    pub(super) fn no_stand_in(&self, seat: &str, by: &str) -> Result<Option<String>, Trouble> {
        if !is_address(by) {
            return Ok(Some(format!("\"{by}\" is not a mail address; write it as name@example.org.")));
        }
        Ok(self.other_seat(seat, by)?.map(|_| format!("{by} cannot stand in: ask the umpire.")))
    }

    /// STANDIN: who writes for the seat when it is late.
    pub(super) fn stand_in(&mut self, seat: &str, item: &Item, by: &str, reply: &mut Reply) -> Result<(), Trouble> {
        let by = by.trim().to_lowercase();
        let id = self.id();
        if by.is_empty() {
            let known = self.act.desk(&id, seat, NAMED)?.unwrap_or_else(|| "nobody".to_owned());
            reply.say(item, "DONE", &format!("{known} stands in for you."));
        } else if by == "off" {
            self.act.set_desk(&id, seat, NAMED, None)?;
            self.end_acting(seat)?;
            reply.say(item, "DONE", "nobody stands in for you.");
        } else if let Some(why) = self.no_stand_in(seat, &by)? {
            reply.say(item, "REFUSED", &why);
        } else {
            self.act.set_desk(&id, seat, NAMED, Some(&by))?;
            let said = match self.terms()?.late {
                crate::terms::Late::StandIn => "when your time is up, he is asked, with the same time again.",
                _ => "this game does not ask stand-ins of its own; ABSENT 20 Dec 3 Jan STANDIN and his address does.",
            };
            reply.say(item, "DONE", said);
        }
        Ok(())
    }

    /// Asks the stand-ins of seats that are late, each once until the seat itself writes; whether one was asked.
    pub(super) fn call_stand_ins(&mut self, seats: &[String]) -> Result<bool, Trouble> {
        let mut called = false;
        for seat in seats {
            let Some(by) = self.act.desk(&self.row.id, seat, NAMED)? else { continue };
            if self.act.desk(&self.row.id, seat, ACTING)?.is_some() || self.no_stand_in(seat, &by)?.is_some() {
                continue;
            }
            self.fresh_time(seat, "its stand-in is asked")?;
            self.begin_acting(seat, &by, "late", "the seat was late")?;
            called = true;
        }
        Ok(called)
    }

    /// Gives a seat the whole of its time again for what is due from it.
    fn fresh_time(&self, seat: &str, why: &str) -> Result<(), Trouble> {
        let terms = self.terms()?;
        let clockwork = self.clockwork(&terms)?;
        let secret = self.hosted.stage().is_some_and(|stage| stage.secret);
        let mut dues = self.act.dues(&self.row.id)?;
        for due in dues.iter_mut().filter(|due| due.seat == seat) {
            let time = terms.time_of(&due.address, secret);
            let fresh = terms.calendar.due(clockwork.now, &time, clockwork.gaps(seat)).map(when::kept);
            due.due_at = due.due_at.clone().max(fresh);
        }
        self.set_dues(&dues, &|_| why.to_owned())
    }

    /// A stand-in writes for a seat from now on: `why` is `away` or `late`.
    fn begin_acting(&self, seat: &str, by: &str, kind: &str, why: &str) -> Result<(), Trouble> {
        let id = &self.row.id;
        let Some(row) = self.seat(seat)? else { return Ok(()) };
        let last = self.act.desk(id, seat, "address")?.filter(|at| row.addresses.contains(at));
        let owner = last.or_else(|| row.addresses.first().cloned()).unwrap_or_default();
        self.act.set_desk(id, seat, ACTING, Some(&format!("{kind} {by} {owner}")))?;
        let mut addresses = row.addresses;
        addresses.push(by.to_owned());
        self.act.set_addresses(id, seat, &addresses)?;
        self.act.set_desk(id, seat, "address", Some(by))?;
        self.act.set_desk(id, seat, "thread", None)?;
        self.enter("stand-in", &json!({"seat": seat, "by": by, "why": why}))?;
        let note =
            format!("You stand in for the seat {seat} of the game {id}: {why}.  Your orders count; answer this mail.");
        self.packet(seat, "you stand in", vec![note])
    }

    fn end_acting(&self, seat: &str) -> Result<(), Trouble> {
        let id = &self.row.id;
        let Some(acting) = self.act.desk(id, seat, ACTING)? else { return Ok(()) };
        let words: Vec<&str> = acting.split(' ').collect();
        let by = words.get(1).copied().unwrap_or_default();
        let Some(row) = self.seat(seat)? else { return Ok(()) };
        let kept: Vec<String> = row.addresses.into_iter().filter(|address| address != by).collect();
        self.act.set_addresses(id, seat, &kept)?;
        self.act.set_desk(id, seat, ACTING, None)?;
        self.act.set_desk(id, seat, "address", words.get(2).copied())?;
        self.act.set_desk(id, seat, "thread", None)?;
        self.enter("stand-in", &json!({"seat": seat, "by": null, "why": "the seat writes itself again"}))
    }

    /// A seat that was only late has written itself: its stand-in is thanked and goes.
    pub(super) fn relieved(&self, seat: &str) -> Result<(), Trouble> {
        let Some(acting) = self.act.desk(&self.row.id, seat, ACTING)? else { return Ok(()) };
        let by = acting.split(' ').nth(1).unwrap_or_default();
        let from = self.came.as_ref().map_or("", |(_, from)| from.as_str());
        if acting.starts_with("late ") && from != by { self.end_acting(seat) } else { Ok(()) }
    }

    /// Stand-ins come and go with the days for which they were named.
    fn change_guard(&mut self) -> Result<(), Trouble> {
        let (now, zone) = (self.env.now, self.zone()?);
        for seat in self.players() {
            let within = |(from, to): (Timestamp, Timestamp)| from <= now && now < to;
            let away = self.away(&seat.0)?.into_iter().filter(|away| within(away.span(&zone)));
            let wanted = away.filter_map(|away| away.stand_in).next();
            let acting = self.act.desk(&self.row.id, &seat.0, ACTING)?;
            match (wanted, acting) {
                (Some(by), None) if self.no_stand_in(&seat.0, &by)?.is_none() => {
                    self.begin_acting(&seat.0, &by, "away", "its player is away")?;
                }
                (None, Some(acting)) if acting.starts_with("away ") => {
                    self.end_acting(&seat.0)?;
                    let note = "Your stand-in's days are over; what follows is where you stand.".to_owned();
                    self.packet(&seat.0, "you are back", vec![note])?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// All that a seat's side may know, in one mail: for who comes new to it.
    pub(super) fn packet(&self, seat: &str, topic: &str, mut notes: Vec<String>) -> Result<(), Trouble> {
        let dues = self.act.dues(&self.row.id)?;
        let due = self.due_line(&dues, seat)?;
        if self.row.state == GameState::Forming {
            return self.opening_mail(seat, topic, &dues);
        }
        let id = SeatId(seat.to_owned());
        let block = |title: &str, lines: Vec<String>| Block { title: title.to_owned(), lines };
        let indented = |lines: &[String]| lines.iter().map(|line| format!("  {line}")).collect();
        let blocks = vec![
            block("WHERE YOU STAND", self.report_block(seat, Some(0))?),
            block("HISTORY", indented(self.hosted.history(&id, None).body())),
            block("DOCTRINE", indented(self.hosted.doctrine(&id).body())),
            block("ORDERS", self.orders_block(seat)?),
        ];
        notes.extend(self.terms()?.said());
        let head = self.hosted.report(&id, None).body().head.clone();
        let context = Context { head, topic: topic.to_owned(), notes, blocks, due, ..Context::default() };
        self.post(seat, "answer.txt", context, Extras { free: true, ..Extras::default() })
    }

    /// The playing seat that is meant.
    pub(super) fn seat_meant(&self, said: &str) -> Result<String, Trouble> {
        let names: Vec<String> = self.players().into_iter().map(|seat| seat.0).collect();
        let wanted = fold(said);
        names.iter().find(|name| fold(name) == wanted).cloned().ok_or_else(|| {
            let near = nearest(said, names.iter().map(String::as_str));
            let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
            Trouble::Refused(format!("no playing seat is called \"{said}\".{hint}"))
        })
    }

    /// REPLACE: a seat gets another player.
    pub(super) fn replace(&mut self, seat: &str, address: &str, allow: bool) -> Result<String, Trouble> {
        let seat = self.seat_meant(seat)?;
        if !is_address(address) {
            return Err(Trouble::Refused(format!(
                "\"{address}\" is not a mail address; write it as name@example.org."
            )));
        }
        if let Some(other) = self.other_seat(&seat, address)?.filter(|_| !allow) {
            return Err(Trouble::Refused(format!(
                "{address} holds the seat {other} of this game.  If he may hold both: REPLACE {seat} {address} ALLOW"
            )));
        }
        self.hand_over(&seat, address, "the umpire")?;
        Ok(format!("{address} has the seat {seat}, and a packet with all that its side may know is on its way."))
    }

    /// Gives a seat to another player, with a packet, and tells all others that it is another's.
    pub(super) fn hand_over(&mut self, seat: &str, address: &str, by: &str) -> Result<(), Trouble> {
        let id = self.id();
        self.act.set_addresses(&id, seat, &[address.to_lowercase()])?;
        for key in ["address", "thread", "missed", "away", NAMED, ACTING] {
            self.act.set_desk(&id, seat, key, None)?;
        }
        self.act.waits_no_more(&id, &address.to_lowercase())?;
        self.enter("replace", &json!({"seat": seat, "address": address.to_lowercase(), "by": by}))?;
        if self.row.state == GameState::Playing {
            let letters = self.take(Input::Return { seat: SeatId(seat.to_owned()) })?;
            self.act.set_desk(&id, seat, RESIGNED, None)?;
            self.post_all(&letters)?;
            self.fresh_time(seat, "another has taken the seat")?;
        } else if self.row.state == GameState::Forming {
            self.act.unsign(&id, seat)?;
            let mut dues = self.act.dues(&id)?;
            dues.retain(|due| due.seat != seat);
            dues.push(self.sign_on_due(seat)?);
            self.set_dues(&dues, &|_| "another has taken the seat".to_owned())?;
        }
        let note =
            format!("The seat {seat} of the game {id} is yours.  Answer this mail, keeping the tag in its subject.");
        self.packet(seat, "you take a seat", vec![note])?;
        for other in self.players().into_iter().filter(|other| other.0 != seat) {
            let note = format!("The seat {seat} is played by another person from now on.");
            self.notice(&other.0, "another player", vec![note])?;
        }
        Ok(())
    }

    /// A seat of an open game that forms is free again, and goes to the first who waits for it.
    pub(super) fn vacate(&mut self, seat: &str) -> Result<(), Trouble> {
        let id = self.id();
        self.act.set_addresses(&id, seat, &[])?;
        self.act.unsign(&id, seat)?;
        for key in ["address", "thread", "waiting"] {
            self.act.set_desk(&id, seat, key, None)?;
        }
        self.enter("vacant", &json!({"seat": seat}))?;
        let mut dues = self.act.dues(&id)?;
        dues.retain(|due| due.seat != seat);
        self.set_dues(&dues, &|_| String::new())?;
        let next = self.act.waiting_for(&id)?.into_iter().find(|waiting| self.wants(waiting, seat));
        if let Some(next) = next {
            self.hand_over(seat, &next.address, "the waiting list")?;
        }
        Ok(())
    }

    /// Whether who waits would take a seat: one that he named, or its side, or any if he named none.
    fn wants(&self, waiting: &Waiting, seat: &str) -> bool {
        let side = self.hosted.seats().into_iter().find(|(id, _)| id.0 == seat).map(|(_, side)| side.0);
        let mut wanted = waiting.preference.split_whitespace().peekable();
        wanted.peek().is_none()
            || wanted.any(|word| word == fold(seat) || side.as_deref().map(fold).as_deref() == Some(word))
    }

    /// The umpire is told that somebody asks for a seat.
    pub(super) fn ask_for_seat(&self, seat: &str, address: &str) -> Result<(), Trouble> {
        let note = format!("{address} asks for the seat {seat}.  REPLACE {seat} {address} gives it to him.");
        self.notice(UMPIRE, "somebody asks for a seat", vec![note])
    }
}

impl Office {
    /// Stand-ins come and go.
    pub(super) fn change_guards(&mut self) -> Result<(), OfficeError> {
        for game in self.store.games_with_note(STAND_INS)? {
            self.time_of(&game, &mut |office| {
                if office.store.game(&game)?.is_some_and(|row| row.state == GameState::Playing) {
                    office.with_game(&game, None, &mut |sitting| sitting.change_guard())?;
                }
                Ok(())
            });
        }
        Ok(())
    }
}

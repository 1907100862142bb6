//! In whose hands a seat is: stand-ins, another player by the umpire's word, an abandoned seat that somebody takes.
//!
//! Who takes a seat gets a packet with all that its side may know. No player may hold two seats of a game, unless the umpire
//! allows it.

use super::commands::Item;
use super::error::{OfficeError, Trouble};
use super::new::is_address;
use super::office::Office;
use super::player::Reply;
use super::post::Extras;
use super::press::UMPIRE;
use super::sitting::Sitting;
use super::transfer::{Back, How, Transfer};
use super::wakes::{Why, Woken};
use super::when;
use crate::fog::SeatId;
use crate::host::Input;
use crate::letter::{Block, Context};
use crate::orders::fold;
use crate::store::{GameState, StandIn, Waiting};
use crate::text::nearest;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The note of games in which the people of a seat may change with the time: stand-ins for days, seats asked for.
pub(super) const STAND_INS: &str = "stand-ins";
/// The key on a seat's desk: who writes for it when it is late, and has agreed to.
const NAMED: &str = "stand-in";
/// The key on a seat's desk: the end of the days for which its stand-in has gone before their end.
const RELIEVED: &str = "relieved";
/// The key on a seat's desk: it has resigned.
pub(super) const RESIGNED: &str = "resigned";
/// The key on a seat's desk: who asks for it, and when he gets it if its player stays silent.
pub(super) const ASKED_FOR: &str = "asked-for";
/// From so many deadlines let pass in a row on, a seat of an open game is free for others.
const ABANDONED_FROM: u32 = 3;
/// Hours in which a word of its player ends that another asks for a seat.
const GRACE_HOURS: u32 = 48;

/// Who asks for a seat whose player is silent.
#[derive(Serialize, Deserialize)]
struct AskedFor {
    by: String,
    until: String,
}

/// When a seat that is asked for goes to who asked, as its desk keeps it.
pub(super) fn until(kept: &str) -> Option<Timestamp> {
    serde_json::from_str::<AskedFor>(kept).ok()?.until.parse().ok()
}

impl Sitting<'_> {
    /// Whether nobody has a seat.
    pub(super) fn is_vacant(&self, seat: &str) -> Result<bool, Trouble> {
        Ok(self.seat(seat)?.is_none_or(|row| row.addresses.is_empty()))
    }

    /// Whether a seat is free for another: nobody has it, or who has it has resigned or is silent; and nobody asks for it.
    pub(super) fn is_free(&self, seat: &str) -> Result<bool, Trouble> {
        let playing = self.row.state == GameState::Playing;
        let asked_for = self.act.desk(&self.row.id, seat, ASKED_FOR)?.is_some();
        let resigned = self.act.desk(&self.row.id, seat, RESIGNED)?.is_some();
        let left = playing && (resigned || self.missed(seat)? >= ABANDONED_FROM);
        Ok(!asked_for && (left || self.is_vacant(seat)?))
    }

    /// Another seat of the game that an address holds, or stands in for.
    pub(super) fn other_seat(&self, seat: &str, address: &str) -> Result<Option<String>, Trouble> {
        let address = address.to_lowercase();
        for row in self.act.seats(&self.row.id)?.into_iter().filter(|row| row.seat != seat) {
            let stands_in = self.act.stand_in(&self.row.id, &row.seat)?.is_some_and(|by| by.address == address);
            if stands_in || row.addresses.contains(&address) {
                return Ok(Some(row.seat));
            }
        }
        Ok(None)
    }

    /// Whether the mail that is acted on is that of a seat's stand-in.
    pub(super) fn stands_in(&self, seat: &str) -> Result<bool, Trouble> {
        let from = self.came.as_ref().map(|(_, from)| from.as_str());
        Ok(self.act.stand_in(&self.row.id, seat)?.is_some_and(|by| Some(by.address.as_str()) == from))
    }

    /// Why an address cannot stand in for a seat, from what the seat itself knows: not a word of whether he plays here.
    pub(super) fn no_stand_in(&self, seat: &str, by: &str) -> Result<Option<String>, Trouble> {
        if !is_address(by) || *by == self.env.config.address.to_lowercase() {
            return Ok(Some(format!("\"{by}\" is not another's mail address; write it as name@example.org.")));
        }
        let own = self.addresses(seat)?.iter().any(|address| address == by);
        Ok(own.then(|| format!("{by} is an address of yours.")))
    }

    /// STANDIN: who writes for the seat when it is late.
    pub(super) fn stand_in_asked(
        &mut self,
        seat: &str,
        item: &Item,
        by: &str,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let by = by.trim().to_lowercase();
        let id = self.id();
        if by.is_empty() {
            let known = self.act.desk(&id, seat, NAMED)?.unwrap_or_else(|| "nobody".to_owned());
            reply.say(item, "DONE", &format!("{known} stands in for you."));
        } else if by == "off" && self.stands_in(seat)? {
            self.act.set_desk(&id, seat, NAMED, None)?;
            self.dismiss(seat, "the stand-in does not want to any more")?;
            reply.say(item, "DONE", "you stand in no more.");
        } else if by == "off" {
            self.act.set_desk(&id, seat, NAMED, None)?;
            self.act.drop_codes_of_kind(&id, seat, "consent/stand-in")?;
            reply.say(item, "DONE", "nobody stands in for you.");
        } else if let Some(why) = self.no_stand_in(seat, &by)? {
            reply.say(item, "REFUSED", &why);
        } else {
            let transfer = Transfer::To { who: by, how: How::StandIn };
            self.ask_owner(seat, item, transfer, "", reply)?;
        }
        Ok(())
    }

    /// He is willing to write for a seat when it is late.
    pub(super) fn name_stand_in(&mut self, seat: &str, by: &str) -> Result<(), Trouble> {
        self.act.set_desk(&self.row.id, seat, NAMED, Some(by))?;
        let said = match self.terms()?.late {
            crate::terms::Late::StandIn => "when your time is up, he is asked, with the same time again.",
            _ => "this game does not ask stand-ins of its own; ABSENT 20 Dec 3 Jan STANDIN and his address does.",
        };
        let note = format!("{by} has agreed to stand in for you: {said}  STANDIN OFF ends it.");
        self.notice_owner(seat, "you have a stand-in", vec![note])?;
        let note =
            format!("You stand in for the seat {seat} of the game {}.  A mail comes when it is time.", self.row.id);
        self.tell_address(by, "You stand in", &[note])
    }

    /// Asks the stand-ins of seats that are late, each once until the seat itself writes; whether one was asked.
    pub(super) fn call_stand_ins(&mut self, seats: &[String]) -> Result<bool, Trouble> {
        let mut called = false;
        for seat in seats {
            let Some(by) = self.act.desk(&self.row.id, seat, NAMED)? else { continue };
            if self.act.stand_in(&self.row.id, seat)?.is_some() || !self.can_stand_in(seat, &by)? {
                continue;
            }
            self.fresh_time(seat, super::due::STAND_IN)?;
            self.begin_acting(seat, &by, "late", "the seat was late")?;
            called = true;
        }
        Ok(called)
    }

    /// Whether who has agreed to stand in has no hand in another seat since then.
    fn can_stand_in(&self, seat: &str, by: &str) -> Result<bool, Trouble> {
        Ok(self.no_stand_in(seat, by)?.is_none() && self.other_seat(seat, by)?.is_none())
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

    /// A stand-in writes for a seat from now on, and gets a copy of its mail: `kind` is `late` or `away`.
    fn begin_acting(&self, seat: &str, by: &str, kind: &str, why: &str) -> Result<(), Trouble> {
        let id = &self.row.id;
        if self.is_vacant(seat)? {
            return Ok(());
        }
        let stand_in = StandIn { address: by.to_owned(), kind: kind.to_owned() };
        self.act.set_stand_in(id, seat, Some(&stand_in))?;
        self.act.set_desk(id, seat, "thread", None)?;
        self.enter("stand-in", &json!({"seat": seat, "by": by, "why": why}))?;
        let note = format!(
            "{by} stands in for the seat {seat} of the game {id}: {why}.  His orders count; answer this mail.  Any mail \
             that the seat's own player writes ends it."
        );
        self.packet(seat, "a stand-in writes", vec![note])
    }

    /// A stand-in writes no more for a seat.
    fn dismiss(&self, seat: &str, why: &str) -> Result<Option<String>, Trouble> {
        let id = &self.row.id;
        let Some(StandIn { address, kind }) = self.act.stand_in(id, seat)? else { return Ok(None) };
        self.act.set_stand_in(id, seat, None)?;
        if self.act.desk(id, seat, "address")?.as_deref() == Some(address.as_str()) {
            self.act.set_desk(id, seat, "address", None)?;
        }
        self.act.set_desk(id, seat, "thread", None)?;
        if kind == "away" {
            let end = self.stand_in_of_today(seat)?.map(|(_, end)| end);
            self.act.set_desk(id, seat, RELIEVED, end.as_deref())?;
        }
        self.enter("stand-in", &json!({"seat": seat, "by": null, "why": why}))?;
        let note = format!("You stand in no more for the seat {seat} of the game {id}.  Thank you.");
        self.tell_address(&address, "You stand in no more", &[note])?;
        Ok(Some(address))
    }

    /// A seat has written itself: its stand-in is thanked and goes.
    pub(super) fn relieved(&self, seat: &str) -> Result<Option<String>, Trouble> {
        if self.stands_in(seat)? {
            return Ok(None);
        }
        let gone = self.dismiss(seat, "the seat writes itself again")?;
        Ok(gone.map(|by| format!("{by} stands in for you no more, since you have written yourself.")))
    }

    /// Who stands in for a seat today, as it was booked, and when that ends.
    fn stand_in_of_today(&self, seat: &str) -> Result<Option<(String, String)>, Trouble> {
        let (now, zone) = (self.env.now, self.zone()?);
        for away in self.away(seat)? {
            let (from, to) = away.span(&zone);
            if let Some(by) = away.stand_in.filter(|_| from <= now && now < to) {
                return Ok(Some((by, when::kept(to))));
            }
        }
        Ok(None)
    }

    /// Stand-ins come and go with the days for which they were named; a seat that was asked for goes to who asked.
    fn change_guard(&mut self) -> Result<(), Trouble> {
        for seat in self.players() {
            self.take_over_if_due(&seat.0)?;
            let relieved = self.act.desk(&self.row.id, &seat.0, RELIEVED)?;
            let wanted = self.stand_in_of_today(&seat.0)?.filter(|(_, end)| relieved.as_ref() != Some(end));
            let acting = self.act.stand_in(&self.row.id, &seat.0)?;
            match (wanted, acting) {
                (Some((by, _)), None) if self.can_stand_in(&seat.0, &by)? => {
                    self.begin_acting(&seat.0, &by, "away", "its player is away")?;
                }
                // Two absences next to each other, each with its own.
                (Some((by, _)), Some(acting)) if acting.kind == "away" && acting.address != by => {
                    self.dismiss(&seat.0, "the days are over")?;
                    // That one's end does not relieve the next.
                    self.act.set_desk(&self.row.id, &seat.0, RELIEVED, relieved.as_deref())?;
                    if self.can_stand_in(&seat.0, &by)? {
                        self.begin_acting(&seat.0, &by, "away", "its player is away")?;
                    }
                }
                (None, Some(acting)) if acting.kind == "away" => {
                    self.dismiss(&seat.0, "the days are over")?;
                    let note = "Your stand-in's days are over; what follows is where you stand.".to_owned();
                    self.packet(&seat.0, "you are back", vec![note])?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Somebody asks for a seat whose player is silent or has resigned: its player hears of it, and has time to say no.
    pub(super) fn ask_for_left(&mut self, seat: &str, by: &str) -> Result<String, Trouble> {
        let id = self.id();
        let until = when::after(self.env.now, GRACE_HOURS);
        let said = when::said_of_in(&until, &self.zone()?);
        let asked = json!(AskedFor { by: by.to_lowercase(), until });
        self.act.set_desk(&id, seat, ASKED_FOR, Some(&asked.to_string()))?;
        self.act.set_note(&id, STAND_INS, Some("yes"))?;
        let notes = vec![
            format!("Somebody asks for your seat, since it has been silent or has resigned.  He gets it at {said}."),
            "If you play on, answer this mail before that with any line, such as REPORT: then it stays yours."
                .to_owned(),
        ];
        self.notice_owner(seat, "somebody asks for your seat", notes)?;
        Ok(format!("The seat {seat} is yours at {said}, unless its player writes before that.  A mail comes then."))
    }

    /// A word of its player ends that another asks for a seat.
    pub(super) fn stays(&mut self, seat: &str) -> Result<Option<String>, Trouble> {
        let Some(asked) = self.asked_for(seat)? else { return Ok(None) };
        self.act.set_desk(&self.row.id, seat, ASKED_FOR, None)?;
        let note = format!("The seat {seat} of the game {} is not free: its player has written.", self.row.id);
        self.tell_address(&asked.by, "The seat is not free", &[note])?;
        Ok(Some("Somebody had asked for your seat; since you have written, it stays yours.".to_owned()))
    }

    fn asked_for(&self, seat: &str) -> Result<Option<AskedFor>, Trouble> {
        let kept = self.act.desk(&self.row.id, seat, ASKED_FOR)?;
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()))
    }

    fn take_over_if_due(&mut self, seat: &str) -> Result<(), Trouble> {
        let Some(asked) = self.asked_for(seat)?.filter(|asked| asked.until <= self.now()) else { return Ok(()) };
        self.act.set_desk(&self.row.id, seat, ASKED_FOR, None)?;
        if self.other_seat(seat, &asked.by)?.is_some() { Ok(()) } else { self.hand_over(seat, &asked.by, "takeover") }
    }

    /// A seat that had resigned plays again, with its whole time.
    pub(super) fn returns(&mut self, seat: &str) -> Result<(), Trouble> {
        let id = self.id();
        let letters = self.take(Input::Return { seat: SeatId(seat.to_owned()) })?;
        self.act.set_desk(&id, seat, RESIGNED, None)?;
        self.post_all(&letters)?;
        self.stays(seat)?;
        self.fresh_time(seat, "the seat has come back")
    }

    /// All that a seat's side may know, in one mail: for who comes new to it.
    pub(super) fn packet(&self, seat: &str, topic: &str, mut notes: Vec<String>) -> Result<(), Trouble> {
        let dues = self.act.dues(&self.row.id)?;
        let due = self.due_line(&dues, seat)?;
        if self.row.state == GameState::Forming {
            return self.opening_mail(seat, topic, &dues);
        }
        let id = SeatId(seat.to_owned());
        let indented = |lines: &[String]| lines.iter().map(|line| format!("  {line}")).collect::<Vec<String>>();
        let (stands, plates) = self.report_block(seat, Some(0))?;
        let blocks = vec![
            Block::new("WHERE YOU STAND", stands),
            Block::new("HISTORY", indented(self.hosted.history(&id, None).body())),
            Block::new("DOCTRINE", indented(self.hosted.doctrine(&id).body())),
            Block::new("ORDERS", self.orders_block(seat)?),
        ];
        notes.extend(self.terms()?.said());
        let head = self.hosted.report(&id, None).body().head.clone();
        let context = Context { head, topic: topic.to_owned(), notes, blocks, plates, due, ..Context::default() };
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

    /// REPLACE, by who has shown that he is the umpire: a seat gets another player at once.
    pub(super) fn replace(&mut self, said: &str, address: &str, allow: bool) -> Result<String, Trouble> {
        let seat = self.may_replace(said, address, allow)?;
        self.hand_over(&seat, address, "the umpire")?;
        Ok(format!("{address} has the seat {seat}, and a packet with all that its side may know is on its way."))
    }

    /// The seat that is meant, if an umpire may give it to an address.
    pub(super) fn may_replace(&self, said: &str, address: &str, allow: bool) -> Result<String, Trouble> {
        let seat = self.seat_meant(said)?;
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
        Ok(seat)
    }

    /// Who has a seat hears at once that the umpire offers it to another.
    pub(super) fn tell_of_replacement(&self, seat: &str) -> Result<(), Trouble> {
        let notes = vec![
            "The umpire offers your seat to another person, who gets it when he agrees.".to_owned(),
            "If that is wrong, write to the umpire: PRESS TO umpire, your lines, END PRESS.".to_owned(),
        ];
        self.notice_owner(seat, "your seat is offered to another", notes)
    }

    /// Gives a seat to another player, with a packet; tells who had it, who can object, and all others that it is
    /// another's.
    pub(super) fn hand_over(&mut self, seat: &str, address: &str, by: &str) -> Result<(), Trouble> {
        let id = self.id();
        let before = self.addresses(seat)?;
        self.act.set_addresses(&id, seat, &[address.to_lowercase()])?;
        self.forget_player(seat)?;
        for key in ["missed", "away", NAMED] {
            self.act.set_desk(&id, seat, key, None)?;
        }
        self.act.waits_no_more(&id, &address.to_lowercase())?;
        self.enter("replace", &json!({"seat": seat, "address": address.to_lowercase(), "by": by}))?;
        if self.row.state == GameState::Playing {
            let letters = self.take(Input::Return { seat: SeatId(seat.to_owned()) })?;
            self.act.set_desk(&id, seat, RESIGNED, None)?;
            self.post_all(&letters)?;
            self.fresh_time(seat, super::due::TAKEN)?;
        } else if self.row.state == GameState::Forming {
            self.act.unsign(&id, seat)?;
            let mut dues = self.act.dues(&id)?;
            dues.retain(|due| due.seat != seat);
            dues.push(self.sign_on_due(seat)?);
            self.set_dues(&dues, &|_| super::due::TAKEN.to_owned())?;
        }
        let note =
            format!("The seat {seat} of the game {id} is yours.  Answer this mail, keeping the tag in its subject.");
        self.packet(seat, "you take a seat", vec![note])?;
        let gone: Vec<String> = before.into_iter().filter(|old| *old != address.to_lowercase()).collect();
        let said = format!("The seat {seat} of the game {id}, which was yours, has another player: {by}.");
        self.tell_old(seat, &gone, &Back::Seat, &said)?;
        for other in self.players().into_iter().filter(|other| other.0 != seat) {
            let note = format!("The seat {seat} is played by another person from now on.");
            self.notice(&other.0, "another player", vec![note])?;
        }
        Ok(())
    }

    /// Nothing of whoever had a seat is left: his tags and codes are good for nothing, and nobody stands in for him.
    fn forget_player(&self, seat: &str) -> Result<(), Trouble> {
        let id = &self.row.id;
        self.act.forget_tags(id, seat)?;
        self.act.drop_codes(id, seat)?;
        self.act.set_stand_in(id, seat, None)?;
        for key in ["address", "thread", ASKED_FOR, RELIEVED] {
            self.act.set_desk(id, seat, key, None)?;
        }
        Ok(())
    }

    /// A seat of an open game that forms is free again, and goes to the first who waits for it.
    pub(super) fn vacate(&mut self, seat: &str) -> Result<(), Trouble> {
        let id = self.id();
        let note = "Your time to sign on is up, and the seat is free for others again.".to_owned();
        self.notice_owner(seat, "the seat is free again", vec![note])?;
        self.act.set_addresses(&id, seat, &[])?;
        self.act.unsign(&id, seat)?;
        self.forget_player(seat)?;
        self.act.set_desk(&id, seat, "waiting", None)?;
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
    pub(super) fn change_guards(&mut self, woken: &mut Woken) -> Result<(), OfficeError> {
        for game in woken.of(Why::Guard) {
            let change = &mut |sitting: &mut Sitting<'_>| sitting.change_guard();
            if self.time_of(&game, &mut |office| office.with_game(&game, None, change)).is_none() {
                woken.again.insert(game);
            }
        }
        Ok(())
    }
}

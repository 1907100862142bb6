//! One rule for every change of the people behind a seat.
//!
//! Who has it agrees, by a code to the addresses that he had before. Who is to have a hand in it agrees, by a code to his
//! own address, in a mail that tells nothing of the game. Whoever had it is told at once, and can take it back. Each step
//! is an act of its own, and what waits between two stands in the store.

use super::acts::Umpire;
use super::codes::{self, Purpose};
use super::commands::{AddressChange, Item};
use super::error::Trouble;
use super::ledger::{Class, Entry};
use super::new::is_address;
use super::plain::Plain;
use super::player::{Reply, answered};
use super::press::is_umpire;
use super::sitting::Sitting;
use super::when;
use crate::address::Address;
use crate::fog::SeatId;
use crate::host::Input;
use crate::letter::Answer;
use crate::store::Code;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What a stand-in is told who would do more than write for the seat.
pub(super) const OWNER_ONLY: &str = "only the owner of the seat may do that, and you stand in for him.";

/// A change of the people behind a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Transfer {
    /// Nobody new has a hand in it: done when the seat agrees.
    Alone(Alone),
    /// Somebody new has a hand in it: done when the seat and he agree.
    To {
        /// His address.
        who: String,
        /// What he is to have.
        how: How,
    },
}

/// What a seat does alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Alone {
    /// It resigns.
    Resign,
    /// One of its addresses goes.
    Drop(String),
    /// An umpire's lines that write for another seat.
    Become(Vec<String>),
}

/// What somebody new is to have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum How {
    /// The seat's mail, beside its other addresses.
    Added,
    /// The seat's mail, in place of its other addresses.
    Only,
    /// The seat when it is late.
    StandIn,
    /// The seat on some days, as a desk keeps them.
    Away(String),
    /// The seat itself, by an umpire's word; whether he may hold others of the game.
    Seat {
        /// The seat.
        seat: String,
        /// Whether he may hold others of the game.
        allow: bool,
    },
}

/// What who had a hand in a seat can take back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Back {
    /// The seat has these addresses again.
    Addresses(Vec<String>),
    /// The seat has not resigned.
    Resigned,
    /// The seat was given to another: its judge hears of it.
    Seat,
}

impl Transfer {
    /// One of a kind waits at a time.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Transfer::Alone(Alone::Resign) => "resign",
            Transfer::Alone(Alone::Drop(_)) | Transfer::To { how: How::Added | How::Only, .. } => "address",
            Transfer::Alone(Alone::Become(_)) => "become",
            Transfer::To { how: How::StandIn | How::Away(_), .. } => "stand-in",
            Transfer::To { how: How::Seat { .. }, .. } => "replace",
        }
    }
}

impl Back {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Back::Addresses(_) => "address",
            Back::Resigned => "resign",
            Back::Seat => "seat",
        }
    }
}

impl How {
    /// What he is asked, who may know nothing of the game yet.
    fn question(&self, game: &str, seat: &str) -> String {
        match self {
            How::Added | How::Only => {
                format!("Whoever plays the seat {seat} of the game {game} wants its mail to come to this address.")
            }
            How::StandIn => {
                format!("Whoever plays the seat {seat} of the game {game} asks you to stand in when he is late.")
            }
            How::Away(_) => {
                format!("Whoever plays the seat {seat} of the game {game} asks you to stand in while he is away.")
            }
            How::Seat { .. } => format!("The umpire of the game {game} offers you its seat {seat}."),
        }
    }
}

impl Sitting<'_> {
    /// RESIGN: asks whether it is really the seat that says so.
    pub(super) fn resign_asked(&self, seat: &str, item: &Item, reply: &mut Reply) -> Result<(), Trouble> {
        let warning = "Another may take the seat then.";
        self.ask_owner(seat, item, Transfer::Alone(Alone::Resign), warning, reply)
    }

    /// ADDRESS: lists the seat's addresses, or asks whether it is really the seat that wants them changed.
    pub(super) fn address_asked(
        &self,
        seat: &str,
        change: &AddressChange,
        item: &Item,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        if self.stands_in(seat)? {
            reply.say(item, "REFUSED", OWNER_ONLY);
            return Ok(());
        }
        let own = self.addresses(seat)?;
        let to = |who: &String, how: How| (who.clone(), Transfer::To { who: who.clone(), how });
        let (address, transfer) = match change {
            AddressChange::List => {
                let lines: Vec<String> = own.iter().map(|address| format!("  {address}")).collect();
                reply.block(item, "ADDRESS", lines);
                return Ok(());
            }
            AddressChange::Add(who) => to(who, How::Added),
            AddressChange::Only(who) if own.contains(who) => {
                let why = format!("{who} is an address of yours already; ADDRESS DROP takes another away.");
                reply.say(item, "REFUSED", &why);
                return Ok(());
            }
            AddressChange::Only(who) => to(who, How::Only),
            AddressChange::Drop(who) => (who.clone(), Transfer::Alone(Alone::Drop(who.clone()))),
        };
        match self.no_change(&own, change, &address) {
            Some(why) => {
                reply.say(item, "REFUSED", &why);
                Ok(())
            }
            None => self.ask_owner(seat, item, transfer, "", reply),
        }
    }

    /// Why a seat's addresses cannot be changed so, from what the seat itself knows.
    fn no_change(&self, own: &[String], change: &AddressChange, to: &String) -> Option<String> {
        let most = self.env.config.limits.addresses_per_seat_max;
        let known = own.contains(to);
        match change {
            _ if !is_address(to) => Some(format!("\"{to}\" is not a mail address; write it as name@example.org.")),
            _ if *to == self.env.config.address.to_lowercase() => Some("that is our own address.".to_owned()),
            AddressChange::Drop(_) if !known => Some(format!("{to} is not an address of yours; ADDRESS lists them.")),
            AddressChange::Drop(_) if own.len() == 1 => Some("it is the only address that you have.".to_owned()),
            AddressChange::Add(_) if known => Some(format!("{to} is an address of yours already.")),
            AddressChange::Add(_) if own.len() >= most => {
                Some(format!("a seat has at most {most} addresses; take one away first, with ADDRESS DROP."))
            }
            _ => None,
        }
    }

    /// The first step: the seat is asked, in the answer to its mail, which goes to the addresses that it has.
    pub(super) fn ask_owner(
        &self,
        seat: &str,
        item: &Item,
        transfer: Transfer,
        warning: &str,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        // The code would go to whoever stands in for the seat.
        if self.stands_in(seat)? {
            reply.say(item, "REFUSED", OWNER_ONLY);
            return Ok(());
        }
        let day = when::day(self.env.now);
        if self.act.count_answer(&format!("code {}/{seat}", self.row.id), &day)? > codes::PER_DAY_MAX {
            reply.say(item, "REFUSED", "enough codes were sent today; ask tomorrow.");
            return Ok(());
        }
        let code = self.new_code(seat, "", &Purpose::Owner(transfer))?;
        let why = format!("nothing is done yet.  {warning}  To show that it is you, answer this mail with");
        let why = why.replace("   ", " ");
        reply.answers.push(Answer { copy: format!("CONFIRM {code}"), ..answered(item, "TAKEN", &why) });
        Ok(())
    }

    /// The second step: the seat has agreed.
    pub(super) fn owner_agrees(
        &mut self,
        (seat, umpire): (&str, Option<&Umpire>),
        transfer: Transfer,
        item: &Item,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        match transfer {
            Transfer::Alone(Alone::Resign) => self.resigns(seat, item, reply),
            Transfer::Alone(Alone::Drop(gone)) => self.drops(seat, &gone, item, reply),
            Transfer::Alone(Alone::Become(lines)) => match umpire {
                Some(umpire) => self.becomes(umpire, &lines, item, reply),
                None => Ok(()),
            },
            Transfer::To { who, how } => {
                let meant = match &how {
                    How::Seat { seat: meant, .. } => {
                        self.ledger(seat, Entry::new(Class::Order, &self.sides(), &format!("REPLACE {meant}"), ""))?;
                        self.tell_of_replacement(meant)?;
                        meant.clone()
                    }
                    _ => seat.to_owned(),
                };
                let said =
                    format!("{who} is asked at that address.  It is done when he answers, and then you are told.");
                self.ask_newcomer(&meant, who, how)?;
                reply.say(item, "TAKEN", &said);
                Ok(())
            }
        }
    }

    /// Somebody is asked whether he is willing; the mail tells him nothing of the game but its name and the seat's.
    fn ask_newcomer(&self, seat: &str, who: String, how: How) -> Result<(), Trouble> {
        let question = how.question(&self.row.id, seat);
        // His answer names his domain as DNS has it.
        let who = Address::parse(&who).map_or(who, |address| address.as_str().to_owned());
        let purpose = Purpose::Consent(Transfer::To { who: who.clone(), how });
        self.act.drop_codes_of_kind(&self.row.id, seat, &purpose.kind())?;
        let code = self.new_code(seat, &who, &purpose)?;
        let notes = vec![
            question,
            "If you will, answer this mail, from this address, with the line".to_owned(),
            format!("  CONFIRM {code}"),
            format!("It is good for {} days.  If you know nothing of it, do nothing: nothing happens.", codes::DAYS),
        ];
        self.tell_address(&who, "You are asked to take part in a game", &notes)
    }

    /// The third step: he is willing. That he cannot be he alone is told, and the umpire: the seat that asked for him must
    /// not learn who plays here.
    pub(super) fn newcomer_agrees(&mut self, seat: &str, who: &str, how: &How) -> Result<(), Trouble> {
        let allow = matches!(how, How::Seat { allow: true, .. });
        let refused = match self.other_seat(seat, who)?.filter(|_| !allow) {
            Some(_) => Some("you have a hand in another seat of that game; ask its umpire.".to_owned()),
            None => self.receive(seat, who, how)?,
        };
        if let Some(why) = refused {
            let notes = vec![format!("Nothing was done: {why}")];
            self.tell_address(who, "It cannot be", &notes)?;
            let note = format!("{who} was to have a hand in the seat {seat} and agreed.  It could not be: {why}");
            self.tell_judge(seat, "somebody cannot take part", &note)?;
        }
        Ok(())
    }

    /// He has it now; or why not.
    fn receive(&mut self, seat: &str, who: &str, how: &How) -> Result<Option<String>, Trouble> {
        let own = self.addresses(seat)?;
        match how {
            How::Added if own.len() >= self.env.config.limits.addresses_per_seat_max => {
                return Ok(Some("the seat has as many addresses as it may.".to_owned()));
            }
            How::Added => {
                let mut now = own;
                now.push(who.to_owned());
                let said = format!("From now on your mail goes to {who} too, and orders are taken from there.");
                self.change_addresses(seat, &now, &said)?;
            }
            How::Only => {
                let said = format!("From now on your mail goes to {who}, and orders are taken from there alone.");
                self.change_addresses(seat, &[who.to_owned()], &said)?;
            }
            How::StandIn => self.name_stand_in(seat, who)?,
            How::Away(days) => return self.away_with(seat, who, days),
            How::Seat { .. } => self.hand_over(seat, who, "the umpire")?,
        }
        Ok(None)
    }

    fn resigns(&mut self, seat: &str, item: &Item, reply: &mut Reply) -> Result<(), Trouble> {
        if is_umpire(seat) {
            reply.say(item, "REFUSED", "an umpire has no seat to give up.");
            return Ok(());
        }
        let mail = self.inbox.map(|inbox| self.act.inbox(inbox)).transpose()?.flatten();
        let mail = mail.map(|mail| mail.message_id).unwrap_or_default();
        let letters = self.take(Input::Resign { seat: SeatId(seat.to_owned()), mail })?;
        reply.letters.extend(letters);
        reply.say(item, "DONE", "you have resigned; your doctrine and the defaults play for you.");
        let said = format!("The seat {seat} of the game {} has resigned.", self.row.id);
        self.tell_old(seat, &self.addresses(seat)?, &Back::Resigned, &said)
    }

    fn drops(&mut self, seat: &str, gone: &str, item: &Item, reply: &mut Reply) -> Result<(), Trouble> {
        let mut own = self.addresses(seat)?;
        own.retain(|address| address != gone);
        if own.is_empty() {
            reply.say(item, "REFUSED", "it is the only address that you have.");
            return Ok(());
        }
        let said = format!("From now on nothing goes to {gone}, and nothing is taken from there.");
        self.change_addresses(seat, &own, &said)?;
        reply.say(item, "DONE", &format!("from now on nothing goes to {gone}, and nothing is taken from there."));
        Ok(())
    }

    /// An umpire's lines for another seat, now that he has shown that they are his.
    fn becomes(&mut self, who: &Umpire, lines: &[String], item: &Item, reply: &mut Reply) -> Result<(), Trouble> {
        let proved = Umpire { proved: true, ..who.clone() };
        let done = self.umpire_script(&proved, lines)?;
        let said = done.answers.into_iter().map(|answer| Answer { no: item.no, ..answer });
        reply.answers.extend(said);
        reply.blocks.extend(done.blocks);
        reply.notes.extend(done.notes);
        Ok(())
    }

    /// A seat has other addresses; all that it had are told, and can take it back.
    fn change_addresses(&self, seat: &str, now: &[String], said: &str) -> Result<(), Trouble> {
        let id = &self.row.id;
        let before = self.addresses(seat)?;
        self.act.set_addresses(id, seat, now)?;
        self.enter("address", &json!({"seat": seat}))?;
        let told = format!("The addresses of the seat {seat} of the game {id} have changed.");
        self.tell_old(seat, &before, &Back::Addresses(before.clone()), &told)?;
        self.notice_owner(seat, "your addresses have changed", vec![said.to_owned()])
    }

    /// Tells each address that had a hand in a seat, with a code of its own by which it takes it back.
    pub(super) fn tell_old(&self, seat: &str, old: &[String], back: &Back, said: &str) -> Result<(), Trouble> {
        let ways = match back {
            Back::Seat => "If that is wrong, answer this mail with the line below, and whoever decides is told:",
            _ => {
                "If that is not your will, answer this mail, from this address, with the line below, and all is as it was:"
            }
        };
        for address in old {
            let back = Purpose::Back(self.earliest(seat, address, back)?);
            let code = self.new_code(seat, address, &back)?;
            let notes = vec![
                said.to_owned(),
                ways.to_owned(),
                format!("  TAKE BACK {code}"),
                format!("It is good for {} days.", codes::DAYS),
            ];
            self.tell_address(address, "Your seat", &notes)?;
        }
        Ok(())
    }

    /// Of several changes in a week the first is what is taken back: whoever makes more can bury none.
    fn earliest(&self, seat: &str, address: &str, back: &Back) -> Result<Back, Trouble> {
        let kind = Purpose::Back(back.clone()).kind();
        let now = self.now();
        let alive =
            |code: &Code| code.game == self.row.id && code.seat == seat && code.kind == kind && code.until >= now;
        let known = self.act.codes_of_address(address)?.into_iter().find(alive);
        Ok(match known.as_ref().and_then(Purpose::of) {
            Some(Purpose::Back(earlier)) => earlier,
            _ => back.clone(),
        })
    }

    /// TAKE BACK, from an address that had a hand in the seat.
    pub(super) fn take_back(&mut self, seat: &str, from: &str, back: &Back) -> Result<(), Trouble> {
        let id = self.id();
        match back {
            Back::Addresses(before) => {
                let now = self.addresses(seat)?;
                self.act.set_addresses(&id, seat, before)?;
                self.act.drop_codes(&id, seat)?;
                // Whoever had the seat's mail meanwhile can answer none of it.
                self.act.forget_tags(&id, seat)?;
                self.enter("address", &json!({"seat": seat, "back": true}))?;
                let note = format!("{from} has taken back what was changed: your addresses are as they were before.");
                self.notice_owner(seat, "your addresses are as they were", vec![note])?;
                let said = format!("The seat {seat} of the game {id} has taken back that its mail comes here.");
                for gone in now.iter().filter(|address| !before.contains(address)) {
                    self.tell_address(gone, "Your seat", &[format!("{said}  If that is wrong, ask the umpire.")])?;
                }
            }
            Back::Resigned if self.act.desk(&id, seat, super::hands::RESIGNED)?.is_some() => {
                self.returns(seat)?;
                let note = "You have not resigned: the seat is yours as before.".to_owned();
                self.notice_owner(seat, "you are back", vec![note])?;
            }
            Back::Resigned => {
                let notes = vec!["The seat has not resigned, or is yours again already.".to_owned()];
                self.tell_address(from, "Your seat", &notes)?;
            }
            Back::Seat => {
                let notes = vec!["Whoever decides about the seat is told that you object.".to_owned()];
                self.tell_address(from, "Your seat", &notes)?;
            }
        }
        let note = match back {
            Back::Seat => format!(
                "{from} had the seat {seat} and objects to its change of hands.  REPLACE {seat} {from} gives it back."
            ),
            _ => format!(
                "{from} has taken back a change of the seat {seat}.  If two people quarrel for it, REPLACE decides."
            ),
        };
        self.tell_judge(seat, "a seat is taken back", &note)
    }

    /// A seat's own addresses.
    pub(super) fn addresses(&self, seat: &str) -> Result<Vec<String>, Trouble> {
        Ok(self.seat(seat)?.map(|row| row.addresses).unwrap_or_default())
    }

    /// Writes to an address as to nobody's seat.
    pub(super) fn tell_address(&self, to: &str, topic: &str, notes: &[String]) -> Result<(), Trouble> {
        let answers = self.inbox.map(|inbox| self.act.inbox(inbox)).transpose()?.flatten();
        // Only who wrote it knows the mail that this follows from.
        let from = self.came.as_ref().is_some_and(|(_, from)| from == to);
        let answers = answers.as_ref().filter(|_| from).map(|mail| (mail.id, mail.message_id.as_str()));
        let named =
            format!("{}\0{}\0{}\0{}", self.row.id, self.now(), self.inbox.unwrap_or_default(), notes.join("\0"));
        Plain { to, topic, notes, answers, named: &named }.post(self.env, self.act)
    }
}

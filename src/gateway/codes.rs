//! What a stolen mail must not do: a seat given up, or led to another address. It is done when the seat's own addresses,
//! as they were, answer with a code that only they were sent.

use super::commands::{AddressChange, Item};
use super::error::Trouble;
use super::new::is_address;
use super::player::{Reply, answered};
use super::press::is_umpire;
use super::sitting::Sitting;
use super::when;
use crate::fog::SeatId;
use crate::host::Input;
use crate::letter::Answer;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Days for which a code is good.
const DAYS: u32 = 7;
/// Codes sent to one seat in a day.
const CODES_PER_DAY_MAX: u32 = 10;
/// The desk's note of an address that takes the place of all others with the first mail from it.
const MOVING: &str = "moving";

/// What waits for its code.
#[derive(Debug, Serialize, Deserialize)]
struct Waits {
    what: Wish,
    until: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Wish {
    Resign,
    Address(AddressChange),
}

impl Sitting<'_> {
    /// RESIGN: asks whether it is really the seat that says so.
    pub(super) fn resign_asked(&self, seat: &str, item: &Item, reply: &mut Reply) -> Result<(), Trouble> {
        self.wait_for_code(seat, item, Wish::Resign, "It cannot be taken back.", reply)
    }

    /// ADDRESS: lists the seat's addresses, or asks whether it is really the seat that wants them changed.
    pub(super) fn address_asked(
        &self,
        seat: &str,
        change: &AddressChange,
        item: &Item,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let own = self.seat(seat)?.map(|row| row.addresses).unwrap_or_default();
        let most = self.env.config.limits.addresses_per_seat_max;
        let (AddressChange::Add(to) | AddressChange::Only(to) | AddressChange::Drop(to)) = change else {
            let lines = own.iter().map(|address| format!("  {address}")).collect();
            reply.block(item, "ADDRESS", lines);
            return Ok(());
        };
        let known = own.contains(to);
        let refused = match change {
            _ if !is_address(to) => Some(format!("\"{to}\" is not a mail address; write it as name@example.org.")),
            _ if *to == self.env.config.address.to_lowercase() => Some("that is our own address.".to_owned()),
            AddressChange::Drop(_) if !known => Some(format!("{to} is not an address of yours; ADDRESS lists them.")),
            AddressChange::Drop(_) if own.len() == 1 => Some("it is the only address that you have.".to_owned()),
            AddressChange::Add(_) if known => Some(format!("{to} is an address of yours already.")),
            AddressChange::Add(_) if own.len() >= most => {
                Some(format!("a seat has at most {most} addresses; take one away first, with ADDRESS DROP."))
            }
            _ => None,
        };
        match refused {
            Some(why) => {
                reply.say(item, "REFUSED", &why);
                Ok(())
            }
            None => self.wait_for_code(seat, item, Wish::Address(change.clone()), "", reply),
        }
    }

    fn wait_for_code(
        &self,
        seat: &str,
        item: &Item,
        what: Wish,
        warning: &str,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let id = &self.row.id;
        // The code would go to whoever stands in for the seat.
        if self.act.desk(id, seat, super::hands::ACTING)?.is_some() {
            reply.say(item, "REFUSED", "only the owner of the seat may do that, and now another stands in for him.");
            return Ok(());
        }
        let day = when::day(self.env.now);
        if self.act.count_answer(&format!("code {id}/{seat}"), &day)? > CODES_PER_DAY_MAX {
            reply.say(item, "REFUSED", "enough codes were sent today; ask tomorrow.");
            return Ok(());
        }
        let code = self.code_of(&format!("{}\0{}\0{what:?}", self.inbox.unwrap_or_default(), item.no));
        let waits = Waits { what, until: when::after(self.env.now, 24 * DAYS) };
        self.act.set_desk(id, seat, &format!("code/{code}"), Some(&json!(waits).to_string()))?;
        let why = format!("nothing is done yet.  {warning}  To show that it is you, answer this mail with");
        let why = why.replace("   ", " ");
        reply.answers.push(Answer { copy: format!("CONFIRM {code}"), ..answered(item, "TAKEN", &why) });
        Ok(())
    }

    /// CONFIRM: what waited for its code is done. False where nothing waits under it.
    pub(super) fn with_code(
        &mut self,
        seat: &str,
        code: &str,
        item: &Item,
        reply: &mut Reply,
    ) -> Result<bool, Trouble> {
        let id = self.id();
        let key = format!("code/{code}");
        let kept = self.act.desk(&id, seat, &key)?;
        let Some(waits) = kept.and_then(|text| serde_json::from_str::<Waits>(&text).ok()) else { return Ok(false) };
        self.act.set_desk(&id, seat, &key, None)?;
        if waits.until < self.now() {
            reply.say(item, "REFUSED", &format!("the code was good for {DAYS} days.  Nothing was done; ask again."));
            return Ok(true);
        }
        match waits.what {
            Wish::Resign if is_umpire(seat) => reply.say(item, "REFUSED", "an umpire has no seat to give up."),
            Wish::Resign => {
                let mail = self.inbox.map(|inbox| self.act.inbox(inbox)).transpose()?.flatten();
                let mail = mail.map(|mail| mail.message_id).unwrap_or_default();
                let letters = self.take(Input::Resign { seat: SeatId(seat.to_owned()), mail })?;
                reply.letters.extend(letters);
                reply.say(item, "DONE", "you have resigned; your doctrine and the defaults play for you.");
            }
            Wish::Address(change) => self.change_address(seat, &change, item, reply)?,
        }
        Ok(true)
    }

    fn change_address(
        &self,
        seat: &str,
        change: &AddressChange,
        item: &Item,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let id = &self.row.id;
        let mut own = self.seat(seat)?.map(|row| row.addresses).unwrap_or_default();
        let said = match change {
            AddressChange::List => return Ok(()),
            AddressChange::Add(to) => {
                own.push(to.clone());
                format!("from now on your mail goes to {to} too, and orders are taken from there.")
            }
            AddressChange::Drop(from) => {
                if own.len() > 1 {
                    own.retain(|address| address != from);
                }
                format!("from now on nothing goes to {from}, and nothing is taken from there.")
            }
            AddressChange::Only(to) => {
                // A slip of the pen must lock nobody out: the old addresses go with the first mail from the new one.
                own.push(to.clone());
                self.act.set_desk(id, seat, MOVING, Some(to))?;
                format!("your mail goes to {to} too; with the first mail that you write from there, only there.")
            }
        };
        self.act.set_addresses(id, seat, &own)?;
        self.enter("address", &json!({"seat": seat}))?;
        reply.say(item, "DONE", &said);
        Ok(())
    }

    /// A mail from the address that takes the place of all others.
    pub(super) fn moved(&self, seat: &str, from: &str) -> Result<(), Trouble> {
        let id = &self.row.id;
        if self.act.desk(id, seat, MOVING)?.as_deref() == Some(from) {
            self.act.set_desk(id, seat, MOVING, None)?;
            self.act.set_addresses(id, seat, &[from.to_owned()])?;
        }
        Ok(())
    }
}

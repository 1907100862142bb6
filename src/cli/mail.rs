//! Mail by hand: one mail from standard input, and the mails that need an operator's eye.

use super::args::{BoxOf, MailVerb};
use super::{Desk, Done, FOUND, Failure, IO};
use crate::clock::Clock;
use crate::dsn::is_address;
use crate::gateway::{self, OfficeError, when};
use crate::store::{self, About, Finding, Store, Troubled};
use serde_json::json;
use std::path::Path;

/// Most mails that are listed of each box.
const LISTED_MAX: u32 = 1000;
// What a mail server makes of an exit code (sysexits.h).
const EX_USAGE: u8 = 64;
const EX_IOERR: u8 = 74;
const EX_TEMPFAIL: u8 = 75;
const EX_CONFIG: u8 = 78;

impl Desk<'_> {
    /// Takes one mail from standard input, for `.forward` files, procmail and Sieve.
    pub(super) fn deliver(&mut self, dir: &Path, sender: Option<&str>) -> Done {
        let taken = gateway::deliver(dir, sender, &mut std::io::stdin().lock());
        taken.map(|()| 0).map_err(|error| {
            let code = match &error {
                OfficeError::Config(_) | OfficeError::Clock(_) => EX_CONFIG,
                OfficeError::Refused(_) | OfficeError::Flawed(_) | OfficeError::Letter(_) => EX_USAGE,
                OfficeError::Io { .. } => EX_IOERR,
                // The mail server keeps the mail and comes again.
                OfficeError::Store(_) | OfficeError::Mail(_) | OfficeError::Locked { .. } => EX_TEMPFAIL,
            };
            Failure::Said(code, error.to_string())
        })
    }

    pub(super) fn mail(&mut self, dir: &Path, what: &MailVerb) -> Done {
        let store = gateway::store_of(dir)?;
        match what {
            MailVerb::List => self.mail_list(&store),
            MailVerb::Show { mail } => self.mail_show(&store, *mail),
            MailVerb::Retry { mail } => self.mail_retry(&store, *mail),
        }
    }

    fn mail_list(&mut self, store: &Store) -> Done {
        let boxes = [("in", store.troubled_in(LISTED_MAX)?), ("out", store.troubled_out(LISTED_MAX)?)];
        if self.json {
            let facts = |(name, mails): &(&str, Vec<Troubled>)| {
                let one = |m: &Troubled| {
                    json!({"mail": format!("{name}:{}", m.id), "when": m.when, "game": m.game, "seat": m.seat,
                        "number": m.number, "state": m.state, "reason": m.reason})
                };
                mails.iter().map(one).collect::<Vec<_>>()
            };
            let all: Vec<_> = boxes.iter().flat_map(facts).collect();
            self.say_json(&json!(all))?;
            return Ok(0);
        }
        for (name, mails) in &boxes {
            for mail in mails {
                let id = format!("{name}:{}", mail.id);
                let whose = match (&mail.game, &mail.seat) {
                    (Some(game), Some(seat)) => format!("{game}/{seat}"),
                    _ => "-".to_owned(),
                };
                let reason = mail.reason.as_deref().unwrap_or_default();
                self.say(&format!("{id:<8} {} {:<11} {whose:<20} {reason}", mail.when, mail.state))?;
            }
        }
        if boxes.iter().any(|(_, mails)| u32::try_from(mails.len()).is_ok_and(|count| count == LISTED_MAX)) {
            self.say(&format!("The newest {LISTED_MAX} of a box are listed; there may be more."))?;
        }
        if boxes.iter().all(|(_, mails)| mails.is_empty()) {
            self.say("No mail was refused, set aside or left unsent.")?;
        }
        Ok(0)
    }

    fn mail_show(&mut self, store: &Store, (which, id): (BoxOf, i64)) -> Done {
        let raw = match which {
            BoxOf::In => store.inbox(id)?.map(|mail| mail.raw),
            BoxOf::Out => store.outbox(id)?.map(|mail| mail.raw),
        };
        let Some(raw) = raw else { return Err(none(which, id)) };
        self.out.write_all(&raw).map_err(Failure::from)?;
        Ok(0)
    }

    fn mail_retry(&mut self, store: &Store, (which, id): (BoxOf, i64)) -> Done {
        let done = store.act(|act| match which {
            BoxOf::In => act.retry_in(id),
            BoxOf::Out => act.retry_out(id),
        })?;
        if !done {
            return Err(none(which, id));
        }
        let next = match which {
            BoxOf::In => "it is read again",
            BoxOf::Out => "it is sent again",
        };
        if self.json {
            self.say_json(&json!({"mail": format!("{}:{id}", which.name()), "done": next}))?;
        } else {
            self.say(&format!("{}:{id}: {next} at the next pass.", which.name()))?;
        }
        Ok(0)
    }

    /// Copies the post office to another database, and has this one serve no more; without one, it stays.
    pub(super) fn move_to(&mut self, dir: &Path, to: Option<&str>) -> Done {
        let Some(to) = to else {
            gateway::stay(dir)?;
            if self.json {
                self.say_json(&json!({"stays": true}))?;
            } else {
                self.say("the post office stays where it is.")?;
            }
            return Ok(0);
        };
        let (place, moved) = gateway::move_to(dir, to)?;
        let store::Moved { rows, mails, entries } = moved;
        if self.json {
            self.say_json(&json!({"to": place, "rows": rows, "mails": mails, "entries": entries}))?;
            return Ok(0);
        }
        self.say(&format!(
            "{rows} rows were copied to {place} and compared: {mails} mails, {entries} entries of chains."
        ))?;
        self.say("The database that they came from serves no more.  In config.toml:")?;
        match is_address(to) {
            // Its password is shown to nobody.
            true => self.say(&format!("  store = \"{place}\"  (with its password, where it has one)")),
            false => self.say("  take the line store away, and name the new file estafette.db"),
        }?;
        Ok(0)
    }

    /// Copies the whole database as it is now; a daemon may be at work.
    pub(super) fn backup(&mut self, dir: &Path, to: &Path) -> Done {
        let store = gateway::store_of(dir)?;
        store.is_here()?;
        let now = crate::clock::now().map_err(OfficeError::from)?;
        store.backup(to, &when::kept(now))?;
        let faults = Store::open(to)?.findings(true)?;
        if let Some(Finding { said, .. }) = faults.iter().find(|fault| fault.about == About::File) {
            return Err(Failure::Said(IO, format!("{}: {said}", to.display())));
        }
        let code = if faults.is_empty() { 0 } else { FOUND };
        let faults: Vec<&str> = faults.iter().map(|fault| fault.said.as_str()).collect();
        if self.json {
            self.say_json(&json!({"backup": to, "faults": faults}))?;
        } else {
            let dir = dir.display();
            match faults.is_empty() {
                true => self.say(&format!("{} is a whole copy.", to.display()))?,
                false => {
                    self.say(&format!("{} is a copy, and not whole; a restore sets such games aside:", to.display()))?;
                    faults.iter().try_for_each(|fault| self.say(&format!("  {fault}")))?;
                }
            }
            self.say(&format!("To go on from it: estafette restore --dir {dir} {} (never cp)", to.display()))?;
        }
        Ok(code)
    }

    /// Puts a backup in the place of the database.
    pub(super) fn restore(&mut self, dir: &Path, file: &Path, adopt: bool) -> Done {
        let clock = Clock::from_env().map_err(OfficeError::from)?;
        let done = gateway::restore(dir, file, adopt, self.entries, clock)?;
        if self.json {
            self.say_json(&json!(done))?;
            return Ok(0);
        }
        self.say(&format!("restored from the copy of {}.", when::said_of(&done.copied)))?;
        if let Some(before) = &done.before {
            self.say(&format!("what was there before lies in {}; nothing is deleted.", before.display()))?;
        }
        self.say_all(&done.games)?;
        for fault in &done.faults {
            self.say(&format!("the copy is damaged: {fault}"))?;
        }
        self.say(&gateway::read_again(done.mails, done.later, !done.ask_again))?;
        self.say(&format!("Now: estafette serve --dir {}", dir.display()))?;
        Ok(0)
    }
}

impl BoxOf {
    fn name(self) -> &'static str {
        match self {
            BoxOf::In => "in",
            BoxOf::Out => "out",
        }
    }
}

fn none(which: BoxOf, id: i64) -> Failure {
    let hint = "`estafette mail list` shows those that need an eye";
    Failure::Said(FOUND, format!("there is no mail {}:{id} of that kind; {hint}.", which.name()))
}

//! The whole way of a mail, tried out: `estafette doctor` logs in to the servers, writes to itself, and looks whether the
//! mail comes back.

use super::carriers;
use super::error::OfficeError;
use super::office::Office;
use crate::config::TransportKind;
use crate::dice::{Master, hex};
use crate::letter::Written;
use crate::mail::write::{Outgoing, named_id};
use crate::mail::{Outbound, Parcel};
use std::time::Duration;

/// Between two looks whether the mail has come.
const STEP: Duration = Duration::from_millis(250);

/// One thing tried, and how it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// What was tried.
    pub what: String,
    /// What was found, or what is wrong.
    pub found: Result<String, String>,
}

impl Office {
    /// Tries the servers of the settings; waits so long for the mail to come back.
    ///
    /// # Errors
    /// The database, or no randomness from the operating system.
    pub fn prove(&mut self, wait: Duration) -> Result<Vec<Tried>, OfficeError> {
        let mut all = Vec::new();
        if self.config.transport == TransportKind::Maildir {
            return Ok(all);
        }
        let mut mailbox = self.config.imap.clone().map(|account| {
            let server = carriers::imap_server(&account, &self.dir);
            (server.name(), carriers::imap(&self.config, &account, &self.dir, self.bell.clone()))
        });
        if let Some((name, imap)) = &mut mailbox {
            let found = imap.look().map(|offers| if offers.is_empty() { "logged in".into() } else { offers });
            let found = found.map_err(|error| error.to_string());
            all.push(Tried { what: format!("mailbox at {name}"), found });
        }
        let Some(account) = self.config.smtp.clone() else { return Ok(all) };
        let mut smtp = carriers::smtp(&self.config, &account, &self.dir)?;
        let what = format!("sending by {}:{}", account.host, account.port());
        let opened = smtp.open().map(|()| "logged in".to_owned()).map_err(|error| error.to_string());
        let may_send = opened.is_ok() && all.iter().all(|tried| tried.found.is_ok());
        all.push(Tried { what, found: opened });
        if !may_send {
            return Ok(all);
        }
        let letter = self.letter_to_self()?;
        let raw = letter.render().map_err(|error| OfficeError::Refused(error.to_string()))?;
        let parcel =
            Parcel { number: 0, again: 0, message_id: letter.message_id.as_str(), to: &self.config.address, raw: &raw };
        let sent = smtp.send(&parcel).map_err(|error| error.to_string());
        let found = match sent {
            Err(why) => Err(why),
            Ok(()) => {
                let imap = mailbox.as_mut().map(|(_, imap)| imap);
                self.came_home(imap, letter.message_id.as_str(), wait)?
            }
        };
        all.push(Tried { what: format!("a mail to {}", self.config.address), found });
        Ok(all)
    }

    /// A mail that our own reader knows as a machine's and never answers.
    fn letter_to_self(&self) -> Result<Outgoing, OfficeError> {
        let fresh = Master::fresh().map_err(OfficeError::Refused)?;
        let message_id = named_id(&hex(fresh.bytes()), self.config.message_domain());
        let written = Written {
            subject: "estafette doctor: a mail to itself".to_owned(),
            body: "This mail was sent to see whether it comes back.  It wants no answer.\n".to_owned(),
        };
        Ok(self.env().mail(self.config.address.clone(), message_id, written))
    }

    /// Looks in the mailbox, and in the inbox of a daemon that may be running, until the mail is there.
    fn came_home(
        &self,
        mut mailbox: Option<&mut crate::mail::imap::Imap>,
        message_id: &str,
        wait: Duration,
    ) -> Result<Result<String, String>, OfficeError> {
        let mut waited = Duration::ZERO;
        loop {
            if self.store.has_come_in(message_id)? {
                return Ok(Ok("it came back, and was taken in".to_owned()));
            }
            if let Some(imap) = mailbox.as_deref_mut() {
                match imap.holds(message_id) {
                    Ok(true) => return Ok(Ok("it came back".to_owned())),
                    Ok(false) => {}
                    Err(error) => return Ok(Err(error.to_string())),
                }
            }
            if waited >= wait {
                let hint = if mailbox.is_some() { "" } else { "; is the daemon running?" };
                return Ok(Err(format!("it was taken, and did not come back in {} s{hint}", wait.as_secs())));
            }
            std::thread::sleep(STEP);
            waited += STEP;
        }
    }
}

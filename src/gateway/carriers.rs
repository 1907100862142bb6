//! What carries the mail, made from the settings; and how a server that is away is left alone for a while.
//!
//! Since when a server is away, and when it is tried again, stands in the store: a restart neither forgets it nor
//! tries a server that does not answer again and again. The waits double, with jitter from the clock's own fractions, so that many post offices do
//! not all come back in the same second.

use super::error::OfficeError;
use super::office::Office;
use super::when;
use crate::config::{Config, Hidden, ImapAccount, Security, SmtpAccount, TransportKind};
use crate::mail::imap::watch::Bell;
use crate::mail::imap::{Folders, Imap};
use crate::mail::maildir::Maildir;
use crate::mail::server::{Line, Secret, Server};
use crate::mail::smtp::Smtp;
use crate::mail::{Inbound, MailError, Outbound};
use crate::store::{OutboxMail, Store, StoreError};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// The first wait before a server is tried again, in seconds.
const WAIT_SECONDS_MIN: i64 = 5;
/// The longest such wait.
const WAIT_SECONDS_MAX: i64 = 900;
/// Under which name the store counts mails handed over; no address is like it.
const SENT: &str = "(handed over)";

/// A way of the mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To us.
    In,
    /// From us.
    Out,
}

impl Way {
    /// The mark under which the store keeps that its server is away.
    fn mark(self) -> &'static str {
        match self {
            Way::In => "away/in",
            Way::Out => "away/out",
        }
    }
}

/// A server that is away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Away {
    /// How often it has been tried.
    pub tries: u32,
    /// Since when.
    pub since: String,
    /// When it is tried again.
    pub next: String,
    /// What happened.
    pub why: String,
}

/// What carries the mail of a post office.
pub(super) struct Carriers {
    pub inbound: Box<dyn Inbound>,
    pub outbound: Box<dyn Outbound>,
}

/// The carriers that the settings ask for; no server is spoken to yet.
pub(super) fn carriers(config: &Config, dir: &Path, bell: &Arc<Bell>) -> Result<Carriers, OfficeError> {
    let folders = || Maildir::open(&dir.join("mail")).map(|folders| folders.reading(config.limits.mail_bytes_max));
    let outbound: Box<dyn Outbound> = match (config.transport, &config.smtp) {
        (TransportKind::Imap | TransportKind::Smtp, Some(account)) => Box::new(smtp(config, account, dir)?),
        _ => Box::new(folders()?),
    };
    let inbound: Box<dyn Inbound> = match (config.transport, &config.imap) {
        (TransportKind::Imap, Some(account)) => Box::new(imap(config, account, dir, Arc::clone(bell))),
        _ => Box::new(folders()?),
    };
    Ok(Carriers { inbound, outbound })
}

/// The mailbox that is read.
pub(super) fn imap(config: &Config, account: &ImapAccount, dir: &Path, bell: Arc<Bell>) -> Imap {
    let folders = Folders {
        read: account.folder.clone(),
        processed: account.processed.clone(),
        rejected: account.rejected.clone(),
        mail_bytes_max: config.limits.mail_bytes_max,
        poll_seconds: account.poll_seconds,
    };
    Imap::new(imap_server(account, dir), folders, bell)
}

/// The server that sends.
pub(super) fn smtp(config: &Config, account: &SmtpAccount, dir: &Path) -> Result<Smtp, MailError> {
    let secrets = (&account.password, &account.password_command, &account.token_command);
    let server = Server {
        host: account.host.clone(),
        port: account.port(),
        line: line(account.security),
        user: account.user.clone().zip(secret(secrets)),
        ca: account.ca_file.as_ref().map(|path| dir.join(path)),
        dir: dir.to_owned(),
    };
    Smtp::new(server, &config.address, config.message_domain())
}

/// The server of the mailbox that is read.
pub(super) fn imap_server(account: &ImapAccount, dir: &Path) -> Server {
    let secrets = (&account.password, &account.password_command, &account.token_command);
    Server {
        host: account.host.clone(),
        port: account.port(),
        line: line(account.security),
        user: Some(account.user.clone()).zip(secret(secrets)),
        ca: account.ca_file.as_ref().map(|path| dir.join(path)),
        dir: dir.to_owned(),
    }
}

fn line(security: Security) -> Line {
    match security {
        Security::Tls => Line::Tls,
        Security::StartTls => Line::StartTls,
        Security::None => Line::Plain,
    }
}

fn secret((word, command, token): (&Option<Hidden>, &Option<String>, &Option<String>)) -> Option<Secret> {
    let word = word.as_ref().map(|word| Secret::Password(word.0.clone()));
    let command = || command.clone().map(Secret::PasswordCommand);
    word.or_else(command).or_else(|| token.clone().map(Secret::TokenCommand))
}

/// Whether a mail may be handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// It may.
    Now,
    /// Its game has had its share of today's quota: when it may.
    Tomorrow(String),
    /// None may.
    Full,
}

/// Under which name a game's mails of a day are counted; no address is like it.
fn sent_of(game: &str) -> String {
    format!("{SENT} of {game}")
}

/// What is known of a server that is away.
///
/// # Errors
/// The database.
pub fn away(store: &Store, way: Way) -> Result<Option<Away>, StoreError> {
    Ok(store.mark(way.mark())?.and_then(|text| serde_json::from_str(&text).ok()))
}

impl Office {
    /// What is known of a server that is away.
    ///
    /// # Errors
    /// The database.
    pub fn away(&self, way: Way) -> Result<Option<Away>, OfficeError> {
        Ok(away(&self.store, way)?)
    }

    /// Whether a server that is away is left alone for now.
    pub(super) fn rests(&self, way: Way) -> Result<bool, OfficeError> {
        let now = when::kept(self.clock.now());
        Ok(self.away(way)?.is_some_and(|away| away.next > now))
    }

    /// Notes that a server is away, and when it is tried again.
    pub(super) fn went_away(&self, way: Way, why: &MailError) -> Result<(), OfficeError> {
        let now = self.clock.now();
        let before = self.away(way)?;
        let tries = before.as_ref().map_or(0, |away| away.tries);
        let seconds = (WAIT_SECONDS_MIN << tries.min(16)).min(WAIT_SECONDS_MAX);
        let jitter = i64::from(now.subsec_nanosecond()) % (seconds / 4 + 1);
        let next = now.checked_add(SignedDuration::from_secs(seconds + jitter)).unwrap_or(now);
        let why = why.to_string();
        tracing::warn!(way = way.mark(), why, "a mail server is away");
        let since = before.map_or_else(|| when::kept(now), |away| away.since);
        let away = Away { tries: tries.saturating_add(1), since, next: when::kept(next), why };
        let text = serde_json::to_string(&away).unwrap_or_default();
        Ok(self.store.act(|act| act.set_mark(way.mark(), &text))?)
    }

    /// Notes that a server is there again.
    pub(super) fn came_back(&self, way: Way) -> Result<(), OfficeError> {
        if self.away(way)?.is_some() {
            self.store.act(|act| act.set_mark(way.mark(), ""))?;
        }
        Ok(())
    }

    /// Counts a mail that is about to be handed over, where the operator's limits leave room for it now.
    pub(super) fn room_for(&self, mail: &OutboxMail) -> Result<Room, OfficeError> {
        let Some(account) = &self.config.smtp else { return Ok(Room::Now) };
        let now = self.clock.now();
        let share = account.mails_per_day_max.map(|most| self.share_left(mail, most)).transpose()?;
        if share == Some(false) {
            let tomorrow = now.checked_add(SignedDuration::from_hours(24)).unwrap_or(now);
            return Ok(Room::Tomorrow(format!("{}T00:00:00Z", when::day(tomorrow))));
        }
        let spans = [(when::hour(now), account.mails_per_hour_max), (when::day(now), account.mails_per_day_max)];
        for (span, most) in &spans {
            if let Some(most) = most
                && self.store.answers_given(SENT, span)? >= *most
            {
                return Ok(Room::Full);
            }
        }
        if spans.iter().all(|(_, most)| most.is_none()) {
            return Ok(Room::Now);
        }
        self.store.act(|act| {
            let mut limited = spans.iter().filter(|(_, most)| most.is_some());
            limited.try_for_each(|(span, _)| act.count_answer(SENT, span).map(drop))?;
            if let Some(game) = mail.game.as_ref().filter(|_| share.is_some()) {
                act.count_answer(&sent_of(game), &when::day(now))?;
            }
            Ok(())
        })?;
        Ok(Room::Now)
    }

    /// Whether a game has not used up its share of a day's quota: what was only asked for gets half of the share, and
    /// the only game there is may use all for the rest.
    fn share_left(&self, mail: &OutboxMail, quota: u32) -> Result<bool, OfficeError> {
        let Some(game) = &mail.game else { return Ok(true) };
        let percent = self.config.limits.game_share_percent.min(100);
        let share = u64::from(quota) * u64::from(percent) / 100;
        let share = if mail.asked { share / 2 } else { share };
        let sent = self.store.answers_given(&sent_of(game), &when::day(self.clock.now()))?;
        Ok(u64::from(sent) < share.max(1) || (!mail.asked && !self.store.has_other_game(game)?))
    }
}

//! How much mail is read, answered and kept: `[limits]` and `[keep]`.

use super::account::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// How much mail is read and answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MailLimits {
    /// Largest mail that is read, in bytes as it came.
    pub mail_bytes_max: usize,
    /// Longest text of a mail, in bytes.
    pub text_bytes_max: usize,
    /// Most lines of a mail's text.
    pub lines_max: usize,
    /// Most MIME parts of a mail.
    pub parts_max: usize,
    /// Deepest nesting of its MIME parts.
    pub depth_max: usize,
    /// Most header lines of a mail.
    pub headers_max: usize,
    /// Most mails of one seat that are read in an hour.
    pub mails_per_hour_max: u32,
    /// Most answers to one address in an hour.
    pub answers_per_hour_max: u32,
    /// Most mails that one seat gets again in a day (RESEND).
    pub resent_per_day_max: u32,
    /// Most addresses that a player may give his seat (ADDRESS).
    pub addresses_per_seat_max: usize,
    /// Most mails to people without a seat in a day.
    pub strangers_per_day_max: u32,
    /// Most of these to one domain.
    pub strangers_per_domain_max: u32,
    /// Most who look on at one game (OBSERVE).
    pub observers_per_game_max: usize,
    /// Most order lines of a mail that are carried out.
    pub order_lines_max: usize,
    /// Longest line that is read, in characters, with what continues it.
    pub line_chars_max: usize,
    /// Most characters of all order lines of a mail that are carried out.
    pub order_chars_max: usize,
    /// Most characters of order lines of one seat in a day: a game keeps every line that it was sent.
    pub order_chars_per_day_max: u32,
    /// Most things that one mail may ask to be shown (MAP, REPORT, HISTORY, CHECK ...).
    pub asked_max: usize,
    /// Most settings that one mail may change (DOCTRINE, FORMAT, ADDRESS ...).
    pub settings_max: usize,
    /// Most messages of one mail to others (PRESS, DISPATCH, MESSAGE, RULING).
    pub messages_max: usize,
    /// Most messages of one seat to others in a day.
    pub messages_per_day_max: u32,
    /// Longest message, in characters.
    pub message_chars_max: usize,
    /// Most mails that all messages of one mail may make.
    pub letters_max: usize,
    /// Most mails that one mail asks for again (RESEND).
    pub resent_max: usize,
    /// Most audit bundles of one seat in a day.
    pub audits_per_day_max: u32,
    /// Largest audit bundle that is mailed, in bytes.
    pub bundle_bytes_max: usize,
    /// Of a day's quota of mails (`mails_per_day_max` of `[smtp]`), the percentage that one game of several may use.
    pub game_share_percent: u32,
}

impl Default for MailLimits {
    fn default() -> Self {
        MailLimits {
            mail_bytes_max: 4 << 20,
            text_bytes_max: 1 << 20,
            lines_max: 20_000,
            parts_max: 100,
            depth_max: 20,
            headers_max: 500,
            mails_per_hour_max: 120,
            answers_per_hour_max: 60,
            resent_per_day_max: 20,
            addresses_per_seat_max: 5,
            strangers_per_day_max: 50,
            strangers_per_domain_max: 20,
            observers_per_game_max: 30,
            order_lines_max: 200,
            line_chars_max: 2000,
            order_chars_max: 40_000,
            order_chars_per_day_max: 200_000,
            asked_max: 40,
            settings_max: 60,
            messages_max: 10,
            messages_per_day_max: 60,
            message_chars_max: 20_000,
            letters_max: 100,
            resent_max: 5,
            audits_per_day_max: 3,
            bundle_bytes_max: 1 << 20,
            game_share_percent: 50,
        }
    }
}

/// How long raw mails are kept that belong to no game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Keep {
    /// Days after which only sender, identity and reason stay of a mail that was refused.
    pub refused_days: u32,
    /// Bytes kept of one stranger's mail.
    pub stranger_mail_bytes_max: usize,
    /// Bytes kept of all strangers' mails together.
    pub strangers_bytes_max: u64,
}

impl Default for Keep {
    fn default() -> Self {
        Keep { refused_days: 30, stranger_mail_bytes_max: 64 << 10, strangers_bytes_max: 20 << 20 }
    }
}

/// Copies of the database that the daemon makes every night.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Backups {
    /// The folder that they are put into, from the post office's own directory.
    pub folder: PathBuf,
    /// Days after which one is deleted.
    #[serde(default = "default_keep_days")]
    pub keep_days: u16,
}

fn default_keep_days() -> u16 {
    14
}

/// A path as it is spelt, from the root on and without steps back.
fn spelt(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    // What cannot be made absolute is compared as it stands.
    for part in std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
        match part {
            Component::ParentDir => _ = out.pop(),
            part => out.push(part),
        }
    }
    out
}

impl Backups {
    pub(super) fn faults(&self, home: &Path) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.folder.as_os_str().is_empty() {
            faults.push(("folder", "the folder has no name".to_owned(), "Name one, or take [backup] away."));
        }
        if spelt(&home.join(&self.folder)).starts_with(spelt(&home.join("mail"))) {
            faults.push((
                "folder",
                format!("{} lies among the mails, where a backup would be read as one", self.folder.display()),
                "Name a folder of its own, such as \"backups\".",
            ));
        }
        if self.keep_days == 0 {
            faults.push((
                "keep_days",
                "keep_days = 0 would keep no backup".to_owned(),
                "Write 1 or more; 14 is usual.",
            ));
        }
        faults
    }
}

impl Keep {
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.refused_days == 0 {
            faults.push((
                "refused_days",
                "refused_days = 0 would keep nothing to look at".to_owned(),
                "Write 1 or more.",
            ));
        }
        // Below this a stranger's lines would be cut away with his headers.
        if self.stranger_mail_bytes_max < 16 << 10 {
            let fault = format!("stranger_mail_bytes_max = {} is below 16384", self.stranger_mail_bytes_max);
            faults.push(("stranger_mail_bytes_max", fault, "Raise it."));
        }
        faults
    }
}

impl MailLimits {
    pub(super) fn faults(&self) -> Vec<Fault> {
        let least = [
            ("mail_bytes_max", self.mail_bytes_max, 4096),
            ("text_bytes_max", self.text_bytes_max, 1024),
            ("lines_max", self.lines_max, 100),
            ("parts_max", self.parts_max, 4),
            ("depth_max", self.depth_max, 4),
            ("headers_max", self.headers_max, 50),
            ("mails_per_hour_max", self.mails_per_hour_max as usize, 1),
            ("answers_per_hour_max", self.answers_per_hour_max as usize, 1),
            ("resent_per_day_max", self.resent_per_day_max as usize, 1),
            ("addresses_per_seat_max", self.addresses_per_seat_max, 1),
            ("strangers_per_day_max", self.strangers_per_day_max as usize, 1),
            ("strangers_per_domain_max", self.strangers_per_domain_max as usize, 1),
            ("observers_per_game_max", self.observers_per_game_max, 1),
            ("order_lines_max", self.order_lines_max, 20),
            ("line_chars_max", self.line_chars_max, 200),
            ("order_chars_max", self.order_chars_max, 2000),
            ("order_chars_per_day_max", self.order_chars_per_day_max as usize, 20_000),
            ("asked_max", self.asked_max, 5),
            ("settings_max", self.settings_max, 5),
            ("messages_max", self.messages_max, 1),
            ("messages_per_day_max", self.messages_per_day_max as usize, 1),
            ("message_chars_max", self.message_chars_max, 200),
            ("letters_max", self.letters_max, 10),
            ("resent_max", self.resent_max, 1),
            ("audits_per_day_max", self.audits_per_day_max as usize, 1),
            ("bundle_bytes_max", self.bundle_bytes_max, 65536),
            ("game_share_percent", self.game_share_percent as usize, 1),
        ];
        let low = least.into_iter().filter(|(_, value, least)| value < least);
        low.map(|(key, value, least)| {
            (key, format!("{key} = {value} is below {least}, so that ordinary mails would be refused"), "Raise it.")
        })
        .collect()
    }
}

//! The operator's settings: `config.toml` of a post office.

mod account;
mod limits;

pub use account::{Hidden, ImapAccount, LmtpListener, Security, SmtpAccount};
pub use limits::{Backups, Keep, MailLimits};

use crate::address::Address;
use crate::dsn::Dsn;
use account::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Largest file that is read, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;
/// Longest standing deadline: a year.
const DEADLINE_HOURS_MAX: u32 = 8784;

/// A post office's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The name that players see as the sender.
    #[serde(default = "default_name")]
    pub name: String,
    /// The address to which players write.
    #[schemars(with = "String")]
    pub address: Address,
    /// The domain of our Message-IDs; the address's domain where it is not given.
    #[serde(default)]
    pub domain: Option<String>,
    /// The operator's own address, told of trouble; nobody where it is not given.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub operator: Option<Address>,
    /// What carries the mail.
    #[serde(default)]
    pub transport: TransportKind,
    /// The mail server whose Authentication-Results are believed; without it reply tag and address must do.
    #[serde(default)]
    pub trusted_authserv_id: Option<String>,
    /// Hours that a stage stays open where `estafette new` does not say.
    #[serde(default = "default_deadline_hours")]
    pub deadline_hours: u32,
    /// Days that a seat may be away in one game (ABSENT); 0 for none.
    #[serde(default = "default_absent_days")]
    pub absent_days: u16,
    /// Hours before its time is up at which a seat is reminded; 0 for never. Never more than a quarter of its hours.
    #[serde(default = "default_reminder_hours")]
    pub reminder_hours: u16,
    /// Hours that the post office may be closed before every open deadline is lengthened by as long; 0 for never.
    #[serde(default = "default_outage_hours")]
    pub outage_hours: u16,
    /// A command that prints the signature of a round of the public beacon, `{round}` replaced by its number; where it is
    /// not given, players send it (BEACON).
    #[serde(default)]
    pub beacon_command: Option<String>,
    /// The address of a PostgreSQL database in which the post office lies, such as `postgres://user@host/database`; a file in
    /// its directory where it is not given.
    #[serde(default)]
    pub store: Option<Hidden>,
    /// A file into which the daemon writes counts in Prometheus' text form, within the directory unless it begins with `/`;
    /// none where it is not given.
    #[serde(default)]
    pub metrics: Option<PathBuf>,
    /// Whether anybody may ask for the lessons by mail (TUTORIAL).
    #[serde(default)]
    pub tutorial: bool,
    /// Whether seats of new games get a page of HTML with drawn maps beside the text (FORMAT PLATES), until they say
    /// otherwise.
    #[serde(default)]
    pub pictures: bool,
    /// The mailbox that is read, with transport = "imap".
    #[serde(default)]
    pub imap: Option<ImapAccount>,
    /// The server that sends, with transport = "imap" or "smtp".
    #[serde(default)]
    pub smtp: Option<SmtpAccount>,
    /// Where the operator's own mail server hands mails over.
    #[serde(default)]
    pub lmtp: Option<LmtpListener>,
    /// How much mail is read and answered.
    #[serde(default)]
    pub limits: MailLimits,
    /// How long raw mails are kept that belong to no game.
    #[serde(default)]
    pub keep: Keep,
    /// Copies that the daemon makes every night; none where it is not given.
    #[serde(default)]
    pub backup: Option<Backups>,
}

/// What carries the mail of a post office.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TransportKind {
    /// The embedded folders `mail/in` and `mail/out`.
    #[default]
    Maildir,
    /// A mailbox on a server, `[imap]`, and a server that sends, `[smtp]`.
    Imap,
    /// A server that sends, `[smtp]`; mails come by LMTP, by `estafette deliver` or in `mail/in`.
    Smtp,
}

fn default_name() -> String {
    "Estafette".to_owned()
}

fn default_deadline_hours() -> u32 {
    48
}

fn default_absent_days() -> u16 {
    30
}

fn default_reminder_hours() -> u16 {
    12
}

fn default_outage_hours() -> u16 {
    6
}

/// Why a config can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be read.
    #[error("cannot read {}: {source}. `estafette init --dir D` writes one.", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's own words.
        source: std::io::Error,
    },
    /// A line of the file is wrong.
    #[error("{}:{line}: {fault}. {cure}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
        /// What to write instead.
        cure: String,
    },
}

impl Config {
    /// Reads a config file.
    pub fn load(path: &Path) -> Result<Config, ConfigError> {
        use std::io::Read;
        let mut text = String::new();
        std::fs::File::open(path)
            .and_then(|file| file.take(FILE_BYTES_MAX).read_to_string(&mut text))
            .map_err(|source| ConfigError::Io { path: path.to_owned(), source })?;
        Config::parse(&text, path)
    }

    /// Reads a config from its text; `path` names it in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
        let wrong = |line, fault: &str, cure: &str| ConfigError::Line {
            path: path.to_owned(),
            line,
            fault: fault.into(),
            cure: cure.into(),
        };
        let config: Config = toml::from_str(text).map_err(|why| {
            let line = why.span().map_or(1, |span| line_at(text, span.start));
            wrong(line, why.message(), "Compare with the commented file that `estafette init` writes.")
        })?;
        match config.faults(path.parent().unwrap_or(Path::new(""))).into_iter().next() {
            Some((table, (key, fault, cure))) => Err(wrong(line_of(text, table, key), &fault, cure)),
            None => Ok(config),
        }
    }

    /// The domain of our Message-IDs.
    pub fn message_domain(&self) -> &str {
        self.domain.as_deref().unwrap_or_else(|| self.address.domain())
    }

    /// Whether a secret stands in the file itself.
    pub fn holds_secrets(&self) -> bool {
        let (imap, smtp) = (self.imap.as_ref(), self.smtp.as_ref());
        let address = self.store.as_ref().and_then(|address| Dsn::parse(&address.0).ok());
        address.is_some_and(|address| address.holds_secret())
            || imap.is_some_and(|account| account.password.is_some())
            || smtp.is_some_and(|account| account.password.is_some())
    }

    /// A commented config with every setting, for `estafette init`; `Config::parse` reads it.
    pub fn example() -> String {
        EXAMPLE.to_owned()
    }

    /// What is wrong with values that the file's form allows, in a post office's own directory: table, key, fault, cure.
    fn faults(&self, home: &Path) -> Vec<(&'static str, Fault)> {
        let mut faults: Vec<(&'static str, Fault)> = Vec::new();
        faults.extend(self.own_faults().into_iter().map(|fault| ("", fault)));
        let tables = [
            ("imap", self.imap.as_ref().map(ImapAccount::faults)),
            ("smtp", self.smtp.as_ref().map(SmtpAccount::faults)),
            ("lmtp", self.lmtp.as_ref().map(LmtpListener::faults)),
            ("limits", Some(self.limits.faults())),
            ("keep", Some(self.keep.faults())),
            ("backup", self.backup.as_ref().map(|backups| backups.faults(home))),
        ];
        for (table, found) in tables {
            faults.extend(found.unwrap_or_default().into_iter().map(|fault| (table, fault)));
        }
        faults
    }

    fn own_faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let (imap, smtp) = (self.imap.is_some(), self.smtp.is_some());
        let (name, tables, wanted) = match self.transport {
            TransportKind::Maildir => ("maildir", "neither [imap] nor [smtp]", (false, false)),
            TransportKind::Imap => ("imap", "[imap] and [smtp]", (true, true)),
            TransportKind::Smtp => ("smtp", "[smtp] and no [imap]", (false, true)),
        };
        if (imap, smtp) != wanted {
            let fault = format!("transport = \"{name}\" goes with {tables}");
            let cure = "Write the tables that belong to it, or another transport: \"maildir\", \"imap\" or \"smtp\".";
            faults.push(("transport", fault, cure));
        }
        if self.transport == TransportKind::Imap && self.lmtp.as_ref().is_some_and(|listener| listener.keep) {
            let fault = "with transport = \"imap\" nobody reads the folder that [lmtp] keep writes to".to_owned();
            faults.push(("transport", fault, "Leave keep out: seats are asked to send again after a restore."));
        }
        if let Some(domain) = self.domain.as_ref().filter(|domain| !is_domain(domain)) {
            faults.push(("domain", format!("{domain:?} is not a domain"), "Write it as example.org."));
        }
        if self.name.chars().any(char::is_control) {
            faults.push(("name", "the name holds a control character".to_owned(), "Write it on one line."));
        }
        if !(1..=DEADLINE_HOURS_MAX).contains(&self.deadline_hours) {
            let fault = format!("deadline_hours = {} is out of range", self.deadline_hours);
            faults.push(("deadline_hours", fault, "Write 1 to 8784 hours; 48 is usual."));
        }
        faults
    }
}

fn is_domain(domain: &str) -> bool {
    let label = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    domain.len() <= 253 && domain.split('.').all(label)
}

/// The line on which a key is set within a table (none for the top); the table's own, or 1, where it is not set.
fn line_of(text: &str, table: &str, key: &str) -> usize {
    let mut within = "";
    let mut fallback = 1;
    for (no, line) in (1..).zip(text.lines().map(str::trim)) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            within = name.trim();
            if within == table {
                fallback = no;
            }
        } else if within == table && line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('=')) {
            return no;
        }
    }
    fallback
}

fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1
}

const EXAMPLE: &str = r#"# The settings of this post office. Lines that begin with # are remarks;
# take the # away to set what they name.

# The name that players see as the sender of their reports.
name = "Estafette"

# The address to which players write.
address = "estafette@example.org"

# The domain of the Message-IDs that we make. Default: that of the address.
# domain = "example.org"

# Your own address: told of bounces and of mail that cannot be read.
# operator = "you@example.org"

# What carries the mail. "maildir": the folders mail/in and mail/out here.
# "imap": the mailbox of [imap] is read, and [smtp] sends. "smtp": [smtp]
# sends; mails come by [lmtp], by `estafette deliver`, or in mail/in.
transport = "maildir"

# The name of your own mail server as it stands in the header
# Authentication-Results of the mail that you receive. When it is set, a
# sender's domain must have passed its checks (DMARC, or DKIM or SPF).
# trusted_authserv_id = "mx.example.org"

# Hours that a stage stays open, where `estafette new --deadline` is not given.
deadline_hours = 48

# Days that a player may be away in one game (ABSENT 20 Dec 3 Jan); his time
# does not run on them.  0: none.
absent_days = 30

# Hours before its time is up at which a seat is reminded, at most a quarter
# of its hours.  0: never.
reminder_hours = 12

# Hours that the post office may be closed (the machine down, the mailbox out of
# reach) before every open deadline is lengthened by as long.  0: never.
outage_hours = 6

# Prints the signature of a round of the public beacon drand, for games with the
# option "beacon: quicknet"; {round} is its number. Without it players send it.
#beacon_command = "curl -sf https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/{round}"

# A PostgreSQL database in which the post office lies, for more than one
# machine; without it, the file estafette.db here.
# The line is encrypted where the address ends with ?sslmode=verify-full, and
# with &sslrootcert=/etc/ca.pem if the certificate is of your own authority.
#store = "postgres://estafette@db.example.org/estafette"

# Counts for Prometheus, written every 15 seconds for its textfile collector.
# metrics = "estafette.prom"

# Whether the mails of new games show drawn maps, until a player sends FORMAT
# TEXT. A mail with maps has 200 to 700 KB, which this post office keeps too.
# pictures = true

# Whether anybody may ask for nine lessons by mail, with the line TUTORIAL.
tutorial = false

# A mailbox that is read. One secret of the three: a password, a command that
# prints it, or a command that prints an OAuth 2 access token (XOAUTH2).
#[imap]
#host = "imap.example.org"
#port = 993                  # default: 993 for "tls", 143 otherwise
#security = "tls"            # or "starttls"; "none" only to this machine
#ca_file = "own-ca.pem"      # a certificate authority of your own
#user = "estafette@example.org"
#password = "..."            # better: a command that prints it
#password_command = "cat imap-password"
#token_command = "oauth-token estafette"
#folder = "INBOX"            # the folder that is read
#processed = "Processed"     # mails are moved there; else flagged as seen
#rejected = "Rejected"       # what could not be read
#poll_seconds = 60           # where the server does not tell by itself
#idle = true                 # whether it is asked to tell (IDLE)

# The server that sends.
#[smtp]
#host = "smtp.example.org"
#port = 465                  # default: 465 for "tls", 587 for "starttls"
#security = "tls"            # or "starttls"; "none" only to this machine
#ca_file = "own-ca.pem"      # a certificate authority of your own
#user = "estafette@example.org"
#password = "..."            # better: a command that prints it
#password_command = "cat smtp-password"
#token_command = "oauth-token estafette"
#mails_per_hour_max = 100    # below your provider's quota
#mails_per_day_max = 400

# Your own mail server hands mails over here; loopback or a Unix socket.
#[lmtp]
#listen = "127.0.0.1:2424"
#keep = true                 # a copy stays in mail/in/cur, for `restore`

[limits]
# Largest mail that is read, and longest text, in bytes.
mail_bytes_max = 4194304
text_bytes_max = 1048576
# Most lines of text, MIME parts, parts within each other, and header lines.
lines_max = 20000
parts_max = 100
depth_max = 20
headers_max = 500
# Most mails of one seat that are read in an hour; those above are kept unread,
# and the seat is told.
mails_per_hour_max = 120
# Most answers to one address in an hour; orders are answered all the same.
answers_per_hour_max = 60
# Most mails that one seat gets again in a day (RESEND).
resent_per_day_max = 20
# Most addresses that a player may give his seat (ADDRESS ADD).
addresses_per_seat_max = 5
# Most mails to people without a seat in a day, and of these to one domain.
strangers_per_day_max = 50
strangers_per_domain_max = 20
# Most who look on at one game (OBSERVE).
observers_per_game_max = 30
# The budget of one mail: order lines that are carried out, characters of a
# line, things it may ask to be shown (MAP, REPORT, CHECK ...), settings it may
# change (DOCTRINE ...), messages to others (PRESS ...) with their characters
# and the mails that they make, mails asked for again.  What is above it is not
# done, and is answered in one sentence.
order_lines_max = 200
line_chars_max = 2000
order_chars_max = 40000
order_chars_per_day_max = 200000
asked_max = 40
settings_max = 60
messages_max = 10
message_chars_max = 20000
letters_max = 100
resent_max = 5
# Messages and audit bundles of one seat in a day; the largest bundle that is
# mailed, in bytes.
messages_per_day_max = 60
audits_per_day_max = 3
bundle_bytes_max = 1048576
# How much of the day's quota (mails_per_day_max of [smtp]) one game of several
# may use, in percent; what is only asked for gets half of that.
game_share_percent = 50

# How long raw mails are kept that belong to no game.
[keep]
# Days; then only sender, Message-ID and reason stay.
refused_days = 30
# Bytes kept of one stranger's mail, and of all strangers' mails together;
# above that the oldest go first.
stranger_mail_bytes_max = 65536
strangers_bytes_max = 20971520

# Every night the daemon copies the database into this folder; one on another
# disk is better.  `estafette restore` goes on from a copy.
[backup]
folder = "backups"
# Days after which a copy is deleted.
keep_days = 14
"#;

//! Mail addresses as values: what can be written into a mail and handed to a mail server, and nothing else.
//!
//! An [`Address`] is the one way for an address to come in: from a mail, a command, the settings or the console. It is an
//! addr-spec of RFC 5322 in its plain form, a dot-atom at a domain name. Quoted local parts, address literals and local
//! parts beyond ASCII are lawful elsewhere; here they are none, since not every server on the way takes them.
//!
//! Two addresses are equal where their local parts are, letter for letter, and their domains are for DNS.

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use lettre::message::Mailbox;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// Octets of a local part (RFC 5321 §4.5.3.1.1).
const LOCAL_OCTETS_MAX: usize = 64;
/// Octets of a whole address: a path has 256 with its angle brackets (RFC 5321 §4.5.3.1.3).
const OCTETS_MAX: usize = 254;
/// Characters of what was no address that are said again.
const SAID_CHARS_MAX: usize = 80;

/// A mail address that can be written: its local part as given, its domain in lower-case ASCII.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Address {
    text: String,
    /// Where the `@` stands.
    at: usize,
}

/// What is no mail address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{said}\" is not a mail address; write it as name@example.org")]
pub struct NoAddress {
    /// What was given, cut short.
    said: String,
}

impl Address {
    /// Reads a bare address; blanks, comments, names and angle brackets are none of it.
    ///
    /// # Errors
    /// What is no address, or could not be written into a mail.
    pub fn parse(text: &str) -> Result<Address, NoAddress> {
        let read = || {
            let (local, domain) = text.rsplit_once('@')?;
            let domain = domain_of(domain)?;
            let whole = Address { text: format!("{local}@{domain}"), at: local.len() };
            (is_local(local) && whole.text.len() <= OCTETS_MAX && whole.is_written()).then_some(whole)
        };
        read().ok_or_else(|| NoAddress { said: text.chars().take(SAID_CHARS_MAX).collect() })
    }

    /// The part before the `@`.
    pub fn local(&self) -> &str {
        self.text.get(..self.at).unwrap_or_default()
    }

    /// The part behind it: labels of DNS in lower case.
    pub fn domain(&self) -> &str {
        self.text.get(self.at + 1..).unwrap_or_default()
    }

    /// The whole.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is the other but for capitals of the local part: for guards that must not be walked around, and for
    /// addresses whose owner's own spelling nobody has seen.
    pub fn is_alike(&self, other: &Address) -> bool {
        self.text.eq_ignore_ascii_case(&other.text)
    }

    /// Whether it is the other with a detail (`post+x@…`) or without.
    pub fn is_of(&self, other: &Address) -> bool {
        let bare = |address: &Address| address.local().split('+').next().unwrap_or_default().to_ascii_lowercase();
        self.domain() == other.domain() && bare(self) == bare(other)
    }

    /// The mailbox of a header, with a name or without.
    pub fn mailbox(&self, name: Option<&str>) -> Mailbox {
        // What was checked when it was made.
        let address = lettre::Address::new_dangerous(self.local(), self.domain());
        Mailbox::new(name.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned), address)
    }

    /// Whether the writer's own parser takes it, and reads it again in what it writes.
    fn is_written(&self) -> bool {
        let taken = self.text.parse::<lettre::Address>().ok();
        let read = self.mailbox(None).to_string().parse::<Mailbox>().ok();
        taken.is_some() && taken == read.map(|mailbox| mailbox.email)
    }
}

/// A dot-atom of ASCII (RFC 5322 §3.2.3) that no reader takes for an encoded word.
fn is_local(local: &str) -> bool {
    let atext = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
    local.len() <= LOCAL_OCTETS_MAX
        && !local.contains("=?")
        && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(atext))
}

/// A domain as DNS has it. Beside capitals nothing may have to be mapped (RFC 5891 §4.2): neither full-width letters nor
/// characters that nobody sees.
fn domain_of(said: &str) -> Option<String> {
    let (rules, deny, hyphens) = (Uts46::new(), AsciiDenyList::STD3, Hyphens::CheckFirstLast);
    let ascii = rules.to_ascii(said.as_bytes(), deny, hyphens, DnsLength::Verify).ok()?;
    let (shown, good) = rules.to_unicode(ascii.as_bytes(), deny, hyphens);
    good.ok()?;
    let lower = said.to_lowercase();
    let mut forms = ascii.split('.').zip(shown.split('.'));
    let unmapped = lower.split('.').all(|label| forms.next().is_some_and(|(a, u)| label == a || label == u));
    let host = ascii.rsplit('.').next().is_some_and(|last| !last.bytes().all(|byte| byte.is_ascii_digit()));
    (unmapped && host).then(|| ascii.into_owned())
}

impl Deref for Address {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Address, NoAddress> {
        Address::parse(text)
    }
}

impl TryFrom<String> for Address {
    type Error = NoAddress;

    fn try_from(text: String) -> Result<Address, NoAddress> {
        Address::parse(&text)
    }
}

impl From<Address> for String {
    fn from(address: Address) -> String {
        address.text
    }
}

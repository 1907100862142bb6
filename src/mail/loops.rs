//! Which mails must never be answered (RFC 3834), so that no two machines write to each other for ever.

use super::head::{self, Field};
use super::machines;

/// Why a mail is taken for a machine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Automatic {
    /// In words.
    pub why: &'static str,
    /// Whether no more than its sender's name says so: a player may have such an address.
    pub by_name: bool,
}

/// Says why a mail is a machine's and must not be answered, or nothing where a person wrote it.
pub(super) fn automatic(
    fields: &[Field],
    subject: &str,
    message_id: &str,
    own_domain: Option<&str>,
) -> Option<Automatic> {
    let sure = |why| Automatic { why, by_name: false };
    if own_domain.is_some_and(|domain| is_own_id(message_id, domain)) {
        return Some(sure("it is one of our own mails come back"));
    }
    let said = fields.iter().find_map(|(name, value)| of_header(name, value));
    // A person's answer begins with Re: and its like, in front of the tag.
    let absent = || machines::is_absence(subject).then_some("its subject is that of an automatic reply");
    let named = |name: &str, value: &str| matches!(name, "from" | "sender" | "return-path") && is_nobody(value);
    let by_name = || fields.iter().any(|(name, value)| named(name, value));
    let nobody = "nobody reads its sender's mailbox";
    said.or_else(absent).map(sure).or_else(|| by_name().then_some(Automatic { why: nobody, by_name: true }))
}

/// Whether a return path is null (RFC 5321 §4.5.5), comments left out.
fn is_null(value: &str) -> bool {
    head::bare(value).is_some_and(|path| path.split_whitespace().collect::<String>() == "<>")
}

fn of_header(name: &str, value: &str) -> Option<&'static str> {
    let value = value.trim().to_ascii_lowercase();
    match name {
        // RFC 3834 §5: anything but "no" is automatic; comments may stand before it and parameters after.
        "auto-submitted" | "x-auto-submitted" => {
            let plain = head::bare(&value).unwrap_or_default();
            let word = plain.trim().split([';', ' ']).next().unwrap_or_default();
            (word != "no").then_some("it is marked Auto-Submitted")
        }
        // RFC 5321 §4.5.5: the null return path of bounces and other notices.
        "return-path" => is_null(&value).then_some("its return path is null, as of a bounce"),
        "precedence" | "x-precedence" | "preference" => {
            let word: String = value.chars().filter(|c| c.is_ascii_alphabetic()).collect();
            machines::PRECEDENCES.contains(&word.as_str()).then_some("its Precedence is a machine's")
        }
        "delivered-to" => (value == "autoresponder").then_some("it is marked as an automatic reply"),
        "x-loop" => Some("it carries X-Loop"),
        // What asks for no receipt may come from a person; what asks for no answer gets none.
        "x-auto-response-suppress" => {
            let asks = value.split([',', ';', ' ']).any(|word| matches!(word, "all" | "oof" | "autoreply"));
            asks.then_some("it asks for no automatic answer")
        }
        "feedback-id" => machines::is_mass_sender(&value).then_some("it is one of a mass of mails"),
        "x-amazon-mail-relay-type" => Some("a program wrote it"),
        "x-failed-recipients" | "x-cron-env" | "feedback-type" => Some("a program wrote it"),
        "x-mailer" | "user-agent" | "x-powered-by" | "x-managed-by" => {
            machines::PROGRAMS.iter().any(|word| value.contains(word)).then_some("a program wrote it")
        }
        "content-type" => {
            let report = value.starts_with("multipart/report")
                || value.starts_with("message/delivery-status")
                || value.starts_with("message/disposition-notification")
                || value.starts_with("message/feedback-report");
            report.then_some("it is a delivery report")
        }
        "from" => {
            let daemon = ["mailer-daemon@", "mailer-daemon>", "<mailer-daemon"].iter().any(|word| value.contains(word));
            (daemon || value == "mailer-daemon").then_some("a mail server wrote it")
        }
        name if machines::REPLIES.contains(&name) => (value != "no").then_some("it is marked as an automatic reply"),
        name if machines::LISTS.iter().any(|list| name.starts_with(list)) => Some("it came through a mailing list"),
        name if machines::TICKETS.iter().any(|desk| name.starts_with(desk)) => Some("a program for tickets wrote it"),
        _ => None,
    }
}

/// Whether a From, Sender or Return-Path names a mailbox that no person reads.
fn is_nobody(value: &str) -> bool {
    let address = value.rsplit('<').next().unwrap_or_default();
    address.split('@').next().is_some_and(|local| machines::is_nobody(local.trim()))
}

/// True for a Message-ID made by this post office.
fn ends_in_domain(message_id: &str, domain: &str) -> bool {
    message_id.rsplit_once('@').is_some_and(|(_, host)| host.eq_ignore_ascii_case(domain))
}

/// Finds which mail of ours a bounce speaks of: by its envelope id, or else by the first Message-ID of our making in its
/// body.
///
/// A vacation notice has a null return path too, so that alone makes no bounce.
pub(super) fn bounced(headers: &[Field], body: &str, own_domain: &str) -> Option<String> {
    let replied = headers
        .iter()
        .any(|(name, value)| name == "auto-submitted" && value.trim().to_ascii_lowercase().starts_with("auto-replied"));
    let bounces = headers.iter().any(|(name, value)| {
        let value = value.to_ascii_lowercase();
        match name.as_str() {
            "content-type" => value.starts_with("multipart/report") && value.contains("delivery-status"),
            "from" => value.contains("mailer-daemon") || value.contains("postmaster@"),
            "return-path" => is_null(&value) && !replied,
            _ => false,
        }
    });
    // A server that still tries tells of a delay, not of a loss (RFC 3464 §2.3.3).
    let action = |word: &str| {
        body.lines().any(|line| {
            let line = line.to_ascii_lowercase();
            line.strip_prefix("action:").is_some_and(|value| value.trim() == word)
        })
    };
    let only_late = || ["delayed", "relayed", "delivered", "expanded"].iter().any(|w| action(w)) && !action("failed");
    if bounces && !only_late() {
        envelope_id(body, own_domain).or_else(|| quoted_own_id(body, own_domain))
    } else {
        None
    }
}

/// The mail that a delivery report names by the envelope id it was sent under (RFC 3464 §2.2.1): the first half of its
/// Message-ID.
fn envelope_id(body: &str, own_domain: &str) -> Option<String> {
    body.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let id = format!("{}@{own_domain}", value.trim().to_ascii_lowercase());
        (name.eq_ignore_ascii_case("original-envelope-id") && is_own_id(&id, own_domain)).then_some(id)
    })
}

fn quoted_own_id(body: &str, own_domain: &str) -> Option<String> {
    body.split('<').skip(1).find_map(|rest| {
        let (id, _) = rest.split_once('>')?;
        is_own_id(id, own_domain).then(|| id.to_owned())
    })
}

/// The form that `write::message_id` makes: 32 hexadecimal digits at our domain.
pub fn is_own_id(id: &str, own_domain: &str) -> bool {
    let hex = |local: &str| local.len() == 32 && local.bytes().all(|b| b.is_ascii_hexdigit());
    ends_in_domain(id, own_domain) && id.split_once('@').is_some_and(|(local, _)| hex(local))
}

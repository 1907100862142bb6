//! Mail handed to a server by SMTP, one line kept open for as long as it holds.
//!
//! A server that cannot be reached, does not let us in, or refuses us as a sender is *away*: no mail is at fault, and none
//! is given up for it. What it says of one recipient or one content is that mail's own fate, 4xx for now and 5xx for good
//! (RFC 5321 §4.2.1).

use super::server::{CONNECT_WAIT, Line, Login, SILENCE, Server};
use super::{MailError, Outbound, Parcel};
use crate::address::NoAddress;
use lettre::Address;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, CertificateStore, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Ehlo, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter, RcptParameter};
use std::error::Error as _;

/// A server that sends, with the line to it while one is open.
pub struct Smtp {
    server: Server,
    sender: Address,
    hello: ClientId,
    line: Option<Talk>,
}

/// A line to the server, and whether it tells of delivery (DSN, RFC 3461).
struct Talk {
    line: SmtpConnection,
    tells: bool,
}

/// How far a mail had come when it was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Sender,
    Recipient,
    Content,
}

type SmtpError = lettre::transport::smtp::Error;

impl Smtp {
    /// A server that sends for an address of ours; nothing is said to it yet.
    ///
    /// # Errors
    /// An address that is none.
    pub fn new(server: Server, sender: &str, domain: &str) -> Result<Smtp, MailError> {
        let sender = address(&server, sender)?;
        Ok(Smtp { server, sender, hello: ClientId::Domain(domain.to_owned()), line: None })
    }

    /// Opens a line and logs in, or finds that the one that is open still holds.
    ///
    /// # Errors
    /// A server that is away.
    pub fn open(&mut self) -> Result<(), MailError> {
        if self.line.as_mut().is_some_and(|talk| talk.line.test_connected()) {
            return Ok(());
        }
        self.line = None;
        self.line = Some(self.connect()?);
        Ok(())
    }

    fn connect(&self) -> Result<Talk, MailError> {
        let server = &self.server;
        let said = |error: &SmtpError| server.away(said(error));
        let tls = match server.line {
            Line::Plain => None,
            Line::Tls | Line::StartTls => Some(self.tls()?),
        };
        let at_once = tls.as_ref().filter(|_| server.line == Line::Tls);
        let at = (server.host.as_str(), server.port);
        let mut line =
            SmtpConnection::connect(at, Some(CONNECT_WAIT), &self.hello, at_once, None).map_err(|e| said(&e))?;
        line.set_timeout(Some(SILENCE)).map_err(|why| server.away(why))?;
        if let (Line::StartTls, Some(tls)) = (server.line, &tls) {
            // A server that does not offer it is refused: nothing goes in the open.
            line.starttls(tls, &self.hello).map_err(|e| said(&e))?;
        }
        if let Some((user, login)) = server.login()? {
            let (ways, secret): (&[Mechanism], String) = match login {
                Login::Password(word) => (&[Mechanism::Plain, Mechanism::Login], word),
                Login::Token(token) => (&[Mechanism::Xoauth2], token),
            };
            if let Err(error) = line.auth(ways, &Credentials::new(user, secret)) {
                line.abort();
                return Err(server.away(format!("the login was refused: {}", self::said(&error))));
            }
        }
        // The library keeps of the server's offers only those that it uses itself.
        let offers = line.command(Ehlo::new(self.hello.clone())).map_err(|e| said(&e))?;
        let tells =
            offers.message().any(|offer| offer.split(' ').next().is_some_and(|w| w.eq_ignore_ascii_case("DSN")));
        Ok(Talk { line, tells })
    }

    fn tls(&self) -> Result<TlsParameters, MailError> {
        let mut tls = TlsParameters::builder(self.server.host.clone());
        if let Some(pem) = self.server.own_ca()? {
            let own = Certificate::from_pem(&pem).map_err(|error| self.server.away(said(&error)))?;
            // The operator's authority, and no other.
            tls = tls.certificate_store(CertificateStore::None).add_root_certificate(own);
        }
        tls.build_rustls().map_err(|error| self.server.away(said(&error)))
    }

    /// Hands over one mail on the open line; the step and the error where it is refused.
    fn hand_over(talk: &mut Talk, from: &Address, to: Address, parcel: &Parcel<'_>) -> Result<(), (Step, SmtpError)> {
        let Talk { line, tells } = talk;
        let (mut terms, mut wishes) = (Vec::new(), Vec::new());
        if line.server_info().supports_feature(Extension::EightBitMime) && !parcel.raw.is_ascii() {
            terms.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        if *tells {
            // A report of a failure names the mail by the first half of its Message-ID, and quotes its head only.
            let other = |keyword: &str, value: &str| (keyword.to_owned(), Some(value.to_owned()));
            let id = parcel.message_id.split('@').next().unwrap_or_default();
            let named = (!id.is_empty()).then(|| other("ENVID", id));
            terms.extend(
                [Some(other("RET", "HDRS")), named]
                    .into_iter()
                    .flatten()
                    .map(|(keyword, value)| MailParameter::Other { keyword, value }),
            );
            let (keyword, value) = other("NOTIFY", "FAILURE");
            wishes.push(RcptParameter::Other { keyword, value });
        }
        line.command(Mail::new(Some(from.clone()), terms)).map_err(|e| (Step::Sender, e))?;
        line.command(Rcpt::new(to, wishes)).map_err(|e| (Step::Recipient, e))?;
        line.command(Data).map_err(|e| (Step::Content, e))?;
        line.message(parcel.raw).map_err(|e| (Step::Content, e))?;
        Ok(())
    }
}

impl Outbound for Smtp {
    fn send(&mut self, parcel: &Parcel<'_>) -> Result<(), MailError> {
        let to = address(&self.server, parcel.to)?;
        self.open()?;
        let Some(mut talk) = self.line.take() else { return Err(self.server.away("the line is closed")) };
        let Err((step, error)) = Smtp::hand_over(&mut talk, &self.sender, to, parcel) else {
            self.line = Some(talk);
            return Ok(());
        };
        let verdict = verdict(step, &error);
        // A server that said no goes on with the next mail; a line that broke is opened anew.
        if error.status().is_some() && !is_closing(&error) && talk.line.command(Rset).is_ok() {
            self.line = Some(talk);
        }
        let (server, why) = (self.server.name(), said(&error));
        Err(match verdict {
            Verdict::Away => MailError::Away { server, why },
            Verdict::Later => MailError::Refused { server, why, lasting: false },
            Verdict::Never => MailError::Refused { server, why, lasting: true },
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Away,
    Later,
    Never,
}

fn verdict(step: Step, error: &SmtpError) -> Verdict {
    let words = said(error);
    let code = error.status().map(u16::from);
    match code {
        // We, or our quota, and not this mail: 530, 534, 535 want another login (RFC 4954 §6).
        Some(530 | 534 | 535 | 538) => Verdict::Away,
        Some(_) if words.contains("5.4.5") => Verdict::Away,
        Some(500..) if step == Step::Sender => Verdict::Away,
        Some(500..) => Verdict::Never,
        // 4xx, a line that broke, a server that fell silent: nobody knows whose fault it is.
        _ => Verdict::Later,
    }
}

/// 421: the server closes the line (RFC 5321 §3.8).
fn is_closing(error: &SmtpError) -> bool {
    error.status().is_some_and(|code| u16::from(code) == 421)
}

/// An address for the server's commands; one that comes from elsewhere than our own types is that mail's own trouble.
fn address(server: &Server, text: &str) -> Result<Address, MailError> {
    let refused = |why: NoAddress| MailError::Refused { server: server.name(), why: why.to_string(), lasting: true };
    Ok(crate::address::Address::parse(text).map_err(refused)?.mailbox(None).email)
}

/// An error with what caused it, on one line.
fn said(error: &SmtpError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        cause = inner.source();
    }
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect()
}

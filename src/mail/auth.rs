//! What a trusted mail server found out about a sender (RFC 8601), read from its Authentication-Results.

use crate::address::Address;

/// Why a mail's sender is not taken as proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    /// No Authentication-Results at all.
    #[error("the mail carries no Authentication-Results of the trusted server")]
    Missing,
    /// The topmost one is another server's; anybody can write those below.
    #[error("the topmost Authentication-Results are not of the trusted server")]
    Foreign,
    /// DMARC failed, or nothing that passed belongs to the sender's domain.
    #[error("the trusted server did not confirm that the sender's domain sent the mail")]
    Unproved,
}

/// Checks the topmost Authentication-Results of a mail against the trusted server and the sender's address.
///
/// Passes on `dmarc=pass` for the sender's domain, or on DKIM or SPF passed for that domain or a parent of it; a
/// `dmarc=fail` overrules both (RFC 7489 §6.6.2).
pub fn check(results: Option<&str>, authserv_id: &str, sender: &Address) -> Result<(), Distrust> {
    let results = results.ok_or(Distrust::Missing)?;
    let clauses = clauses(results);
    let (head, methods) = clauses.split_first().ok_or(Distrust::Missing)?;
    let server = head.split_whitespace().next().unwrap_or_default();
    if !server.eq_ignore_ascii_case(authserv_id) {
        return Err(Distrust::Foreign);
    }
    let verdicts: Vec<Verdict> = methods.iter().filter_map(|clause| Verdict::of(clause)).collect();
    let refused = verdicts.iter().any(|v| v.method == "dmarc" && v.result == "fail");
    let proved = verdicts.iter().any(|v| v.proves(sender.domain()));
    if proved && !refused { Ok(()) } else { Err(Distrust::Unproved) }
}

/// Splits at `;` outside quotes, with comments left out and quotes taken off.
fn clauses(results: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for c in results.chars() {
        let literal = std::mem::take(&mut escaped);
        match c {
            '\\' if !literal && (quoted || depth > 0) => escaped = true,
            '"' if !literal && depth == 0 => quoted = !quoted,
            '(' if !literal && !quoted => depth += 1,
            ')' if !literal && !quoted && depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            ';' if !quoted => out.push(String::new()),
            // A space inside quotes would split a value in two.
            c => out.last_mut().into_iter().for_each(|clause| clause.push(if quoted && c == ' ' { '_' } else { c })),
        }
    }
    out
}

/// One method's verdict: `dkim=pass header.d=example.org`.
struct Verdict {
    method: String,
    result: String,
    properties: Vec<(String, String)>,
}

impl Verdict {
    fn of(clause: &str) -> Option<Verdict> {
        let clause = clause.to_ascii_lowercase().replace(" =", "=").replace("= ", "=");
        let mut words = clause.split_whitespace().filter_map(|word| word.split_once('='));
        let (method, result) = words.next()?;
        let method = method.split('/').next().unwrap_or_default().to_owned();
        let properties = words.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Some(Verdict { method, result: result.to_owned(), properties })
    }

    fn proves(&self, sender_domain: &str) -> bool {
        let aligned = |names: &[&str]| {
            self.properties.iter().filter(|(name, _)| names.contains(&name.as_str())).any(|(_, value)| {
                let domain = value.rsplit_once('@').map_or(value.as_str(), |(_, domain)| domain);
                is_same_or_parent(domain, sender_domain)
            })
        };
        self.result == "pass"
            && match self.method.as_str() {
                "dmarc" => self.properties.iter().any(|(name, value)| name == "header.from" && value == sender_domain),
                "dkim" => aligned(&["header.d", "header.i"]),
                "spf" => aligned(&["smtp.mailfrom"]),
                _ => false,
            }
    }
}

/// True where `proved` is the sender's domain or a domain above it, but not a whole top-level one.
fn is_same_or_parent(proved: &str, sender_domain: &str) -> bool {
    let below = sender_domain.strip_suffix(proved).is_some_and(|rest| rest.ends_with('.'));
    proved == sender_domain || below && proved.contains('.')
}

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
    /// They are written in a way of which nobody knows what it means.
    #[error("the trusted server's Authentication-Results are of a version that is not known")]
    Version,
    /// DMARC failed, or nothing that passed belongs to the sender's domain.
    #[error("the trusted server did not confirm that the sender's domain sent the mail")]
    Unproved,
}

/// Checks the topmost Authentication-Results of a mail against the trusted server and the sender's address.
///
/// Passes on `dmarc=pass` for the sender's domain, or on DKIM or SPF passed for that domain or a parent of it and
/// for no other beside it; a
/// `dmarc=fail` overrules both (RFC 7489 §6.6.2).
pub fn check(results: Option<&str>, authserv_id: &str, sender: &Address) -> Result<(), Distrust> {
    let results = results.ok_or(Distrust::Missing)?;
    let clauses = clauses(results);
    let (head, methods) = clauses.split_first().ok_or(Distrust::Missing)?;
    let mut named = head.split_whitespace();
    if !named.next().unwrap_or_default().eq_ignore_ascii_case(authserv_id) {
        return Err(Distrust::Foreign);
    }
    // Behind the name may stand the version of what follows (RFC 8601 §2.2): there is one so far.
    if named.next().is_some_and(|version| version != "1") || named.next().is_some() {
        return Err(Distrust::Version);
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

    /// The values of a property; it may be there more than once.
    fn values<'v>(&'v self, name: &'v str) -> impl Iterator<Item = &'v str> {
        self.properties.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn proves(&self, sender_domain: &str) -> bool {
        // What is named must be the sender's, all of it: who signs may write any identity of his own beside his domain.
        let all = |name: &str, fits: &dyn Fn(&str) -> bool| self.values(name).all(fits);
        let has = |name: &str| self.values(name).next().is_some();
        let domain = |value: &str| value.rsplit_once('@').map_or(value, |(_, domain)| domain).to_owned();
        let aligned = |value: &str| is_same_or_parent(&domain(value), sender_domain);
        // An identity may lie below the domain that signs (RFC 6376 §3.5).
        let signed: Vec<String> = self.values("header.d").map(domain).collect();
        let identity =
            |value: &str| aligned(value) || signed.iter().any(|signed| is_same_or_parent(signed, &domain(value)));
        self.result == "pass"
            && match self.method.as_str() {
                "dmarc" => has("header.from") && all("header.from", &|value| value == sender_domain),
                "dkim" => {
                    let named = has("header.d") || has("header.i");
                    named && all("header.d", &aligned) && all("header.i", &identity)
                }
                "spf" => has("smtp.mailfrom") && all("smtp.mailfrom", &aligned),
                _ => false,
            }
    }
}

/// True where `proved` is the sender's domain or a domain above it, but not a whole top-level one.
fn is_same_or_parent(proved: &str, sender_domain: &str) -> bool {
    let below = sender_domain.strip_suffix(proved).is_some_and(|rest| rest.ends_with('.'));
    proved == sender_domain || below && proved.contains('.')
}

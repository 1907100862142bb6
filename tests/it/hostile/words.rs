//! Lines: every general command, every command of an umpire, every verb of both rulesets, with arguments right, near right
//! and odd.

use super::pool::{self, once_in, pick};
use crate::toys::Whim;
use estafette::orders::fold;
use estafette::rules::Ruleset;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;

/// What a writer of lines knows of the game that he writes to.
#[derive(Clone, Default)]
pub struct Known {
    /// Names that mean something: seats, sides, games.
    pub names: Vec<String>,
    /// Lines that could be sent as they stand.
    pub examples: Vec<String>,
    /// Addresses of others.
    pub addresses: Vec<String>,
}

/// A command and the places in it to be filled: `{n}` a name, `{a}` an address, `{t}` a time, `{x}` words.
const COMMANDS: &[&str] = &[
    "SIGNON",
    "SIGNON {n}",
    "SIGNON {n} {n} {n}",
    "NONCE {x}",
    "NONCE",
    "ORDERS",
    "HELP {n}",
    "CHECK",
    "CHECK {n} {n}",
    "DOCTRINE",
    "DOCTRINE {n}",
    "DOCTRINE {n} {n}",
    "DOCTRINE {x}",
    "REPORT",
    "REPORT TURN {n}",
    "REPORT {n}",
    "MAP",
    "MAP {n}",
    "MAP {n} {n} {n}",
    "MAP {x}",
    "HISTORY",
    "HISTORY {n}",
    "SUMMARY",
    "SUMMARY {x}",
    "PRESS TO {n}\n{x}\n{x}\nEND PRESS",
    "PRESS TO {n}\n{x}",
    "PRESS {n}",
    "PRESS TO {n}\n{x}\n{x}\n{x}\nEND PRESS",
    "DISPATCH TO {n}\n{x}\nEND DISPATCH",
    "DISPATCH TO {n}\n{x}",
    "DISPATCH {n}",
    "DEADLINE",
    "DEADLINE {n}",
    "AUDIT",
    "FORMAT {n}",
    "FORMAT 40",
    "FORMAT BOTH ASCII",
    "FORMAT PLAIN",
    "FORMAT 76 40 BOTH {n}",
    "RULES {n}",
    "RULES ¶{n}",
    "RULES ¶242",
    "WHY {n}",
    "WHY LINE {n}",
    "WHY 3",
    "ABSENT {t}",
    "ABSENT {t} STANDIN {a}",
    "ABSENT {t} {x}",
    "ABSENT",
    "UNDO",
    "UNDO {n}",
    "RESEND {n}",
    "RESEND 1",
    "CONFIRM {n}",
    "CONFIRM 0a1b2c3d",
    "CONFIRM",
    "ADDRESS",
    "ADDRESS ADD {a}",
    "ADDRESS DROP {a}",
    "ADDRESS {a}",
    "ADDRESS ADD {n}",
    "STANDIN {a}",
    "STANDIN",
    "STANDIN OFF",
    "LIST",
    "LIST {x}",
    "OBSERVE {n}",
    "OBSERVE strem-2",
    "TAKEOVER {n} {n}",
    "TAKEOVER strem-2",
    "SIGNON strem-2",
    "ABSENT 1 Jan 30 Jan STANDIN {a}",
    "ABSENT 1 Jan 25 Feb STANDIN {a}",
    "BECOME {n} REASON {x}\n{x}\nEND BECOME",
    "SHOW {n}",
    "HOLD",
    "REWIND 1 REASON x",
    "REPLACE {n} {a}",
    "TAKE BACK",
    "{x}",
    "{n} {n} {n}",
    "END {n}",
    "RESIGN {n}",
    "BEGINS",
    "END PRESS",
    "END {x}",
    "{n}",
    "{a}",
    "{t}",
];

/// Said whole, they end a stage or a seat's play; rare, so that games go on.
const LAST_WORDS: &[&str] = &["END", "RESIGN", "RESIGN YES", "RESIGN\nCONFIRM"];

/// What an umpire may write that does not by right stop a game or give a seat away.
const UMPIRES: &[&str] = &[
    "SHOW {n}",
    "SHOW LEDGER",
    "SHOW HELD",
    "SHOW french",
    "WHO-KNOWS {n}",
    "WHO-KNOWS {n} {n}",
    "REMIND {n}",
    "REMIND all",
    "OPTION",
    "OPTION {n} {n}",
    "OPTION press {n}",
    "FIAT {n} {n} REASON {x}",
    "FIAT weather 5 REASON {x}",
    "FIAT {n} {x}",
    "RULING ¶{n} TO {n}\n{x}\nEND RULING",
    "RULING ¶242 TO all\n{x}\n{x}\nEND RULING",
    "JUDGE {n}",
    "JUDGE TABLES",
    "EXTEND {n} {t}",
    "EXTEND all 5",
    "EXTEND all {t}",
    "RESUME",
    "RELEASE",
    "PROCEED {n}",
    "REWIND",
    "REWIND {n}",
    "MESSAGE TO {n}\n{x}\n{x}\nEND MESSAGE",
    "MESSAGE TO ALL\n{x}\nEND MESSAGE",
    "AMEND {n} {n} {n} REASON {x}",
    "AMEND french AP 5 REASON {x}",
    "AMEND {x}",
    "REPORT",
    "HISTORY",
    "AUDIT",
    "ADDRESS ADD {a}",
    "ADDRESS {a}",
    "ADDRESS DROP {a}",
    "RESEND {n}",
    "DEADLINE",
    "{x}",
    "{n} {n}",
    "FORMAT {n}",
    "STANDIN {a}",
    "ABSENT {t}",
    "CONFIRM {n}",
    "PRESS TO {n}\n{x}\nEND PRESS",
    "MAP {n}",
    "WHY {n}",
    "RULES {n}",
    "CHECK\n{n} {n}",
    "SIGNON",
    "NONCE {x}",
];

fn name(whim: &mut Whim, known: &Known) -> String {
    if known.names.is_empty() || once_in(whim, 2) {
        return pool::name(whim);
    }
    let right = known.names[whim.below(known.names.len())].clone();
    if once_in(whim, 3) { near(whim, &right) } else { right }
}

/// A word with one thing wrong.
fn near(whim: &mut Whim, word: &str) -> String {
    let chars: Vec<char> = word.chars().collect();
    let at = whim.below(chars.len().max(1)).min(chars.len());
    let (before, after): (String, String) = (chars[..at].iter().collect(), chars[at..].iter().collect());
    match whim.below(6) {
        0 => format!("{before}{}", after.chars().skip(1).collect::<String>()),
        1 => format!("{before}\u{301}{after}"),
        2 => format!("{before}\u{200b}{after}"),
        3 => word.to_uppercase(),
        4 => format!("{before}x{after}"),
        _ => format!("{word}{word}"),
    }
}

fn filled(whim: &mut Whim, template: &str, known: &Known) -> String {
    let mut line = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        line.push_str(before);
        let (slot, behind) = behind.split_once('}').unwrap();
        line.push_str(&match slot {
            "n" => name(whim, known),
            "a" if !known.addresses.is_empty() && once_in(whim, 2) => {
                known.addresses[whim.below(known.addresses.len())].clone()
            }
            "a" => pool::address(whim),
            "t" => pool::time(whim),
            _ => pool::text(whim),
        });
        rest = behind;
    }
    line.push_str(rest);
    line
}

pub fn command(whim: &mut Whim, known: &Known) -> String {
    if once_in(whim, 60) {
        return pick(whim, LAST_WORDS).to_owned();
    }
    let template = pick(whim, COMMANDS);
    filled(whim, template, known)
}

/// A command that asks and changes nothing on the board, whatever stands in it: no line of it but its last begins as an
/// END does.
pub fn question(whim: &mut Whim, known: &Known) -> String {
    loop {
        let template = pick(whim, COMMANDS);
        let said = filled(whim, template, known);
        let ends = |line: &str| fold(line.trim()).starts_with("end");
        let (above, last) = said.rsplit_once('\n').unwrap_or(("", &said));
        let closed = if template.contains('\n') { last.starts_with("END ") } else { !ends(last) };
        if !template.starts_with(['{', 'B']) && closed && !template.starts_with("CHECK") && !above.lines().any(ends) {
            return said;
        }
    }
}

pub fn umpires(whim: &mut Whim, known: &Known) -> String {
    let template = pick(whim, UMPIRES);
    filled(whim, template, known)
}

/// Every verb of a ruleset with its usage.
pub fn verbs(ruleset: &str) -> Vec<(&'static str, &'static str)> {
    match ruleset {
        "campaigns" => Campaigns::verbs().iter().map(|verb| (verb.word, verb.usage)).collect(),
        _ => Austerlitz::verbs().iter().map(|verb| (verb.word, verb.usage)).collect(),
    }
}

/// An order: a good line as it stands or with words changed, or a verb with words of its usage and others.
pub fn order(whim: &mut Whim, ruleset: &str, known: &Known) -> String {
    if !known.examples.is_empty() && once_in(whim, 2) {
        let line = &known.examples[whim.below(known.examples.len())];
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for _ in 0..whim.below(3) {
            let at = whim.below(words.len());
            words[at] = if once_in(whim, 3) { near(whim, &words[at].clone()) } else { name(whim, known) };
        }
        if once_in(whim, 12) {
            words.truncate(1 + whim.below(words.len()));
        }
        return words.join(" ");
    }
    let all = verbs(ruleset);
    let (word, usage) = all[whim.below(all.len())];
    let usage: Vec<&str> =
        usage.split(|c: char| c.is_whitespace() || "[]|…()".contains(c)).filter(|w| !w.is_empty()).collect();
    let mut line = word.to_owned();
    for _ in 0..whim.below(8) {
        line.push(' ');
        match whim.below(3) {
            0 if !usage.is_empty() => line.push_str(usage[whim.below(usage.len())]),
            1 if !known.examples.is_empty() => {
                let of: Vec<&str> = known.examples[whim.below(known.examples.len())].split(' ').collect();
                line.push_str(of[whim.below(of.len())]);
            }
            _ => line.push_str(&name(whim, known)),
        }
    }
    line
}

/// The lines of one mail.
pub fn script(whim: &mut Whim, ruleset: &str, known: &Known) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..1 + whim.below(6) {
        let said = match whim.below(10) {
            0..=5 => command(whim, known),
            _ => order(whim, ruleset, known),
        };
        lines.extend(said.split('\n').map(str::to_owned));
    }
    lines
}

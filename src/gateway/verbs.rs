//! The umpire's verbs, as words: what he may write beside HOLD, RELEASE, EXTEND and MESSAGE.

use crate::orders::{Fault, Word, fold};

/// What an umpire wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Something of a side is put right.
    Amend {
        /// The side as written.
        side: String,
        /// What.
        text: String,
        /// Why.
        reason: String,
    },
    /// Dice are fixed before they are rolled.
    Fiat {
        /// A side where the roll is its own; none for a public one.
        scope: Option<String>,
        /// What the roll is for.
        label: String,
        /// The dice.
        dice: Vec<u32>,
        /// Why.
        reason: String,
    },
    /// Play goes back; without a number the rest points are listed.
    Rewind {
        /// The number of the rest point.
        rest: Option<usize>,
        /// Why.
        reason: String,
    },
    /// A ruling is told.
    Ruling {
        /// The paragraph.
        rule: String,
        /// The seats or sides as written.
        to: Vec<String>,
        /// The lines.
        lines: Vec<String>,
    },
    /// Lines for a seat.
    Become {
        /// The seat as written.
        seat: String,
        /// Its lines.
        lines: Vec<String>,
        /// Why.
        reason: String,
    },
    /// A side's view, LEDGER, or HELD.
    Show(String),
    /// Who knows what of a piece.
    WhoKnows(String),
    /// A seat is reminded.
    Remind(String),
    /// A choice of this game: key and value; without them all are listed.
    Option(Option<(String, String)>),
    /// A combat is decided: by dice, or by the tables.
    Judge(Option<Vec<u32>>),
}

/// The words, each with how it is written.
pub const VERBS: &[(&str, &str)] = &[
    ("AMEND", "AMEND french PLACE Lannes AT 0405 REASON the map was misread"),
    ("FIAT", "FIAT french initiative/lannes/move 2 REASON as agreed"),
    ("REWIND", "REWIND 12 REASON a wrong road; REWIND alone lists the rest points"),
    ("RULING", "RULING ¶242 TO all, the lines below it, END RULING"),
    ("BECOME", "BECOME french REASON he is in hospital, his lines below it, END BECOME"),
    ("SHOW", "SHOW french, SHOW LEDGER, SHOW HELD"),
    ("WHO-KNOWS", "WHO-KNOWS Lannes, WHO-KNOWS french VEDETTE 1"),
    ("REMIND", "REMIND french, REMIND all"),
    ("OPTION", "OPTION press grey; OPTION alone lists them"),
    ("JUDGE", "JUDGE 5 or JUDGE TABLES"),
];

/// The verbs that take the lines below them.
pub const WITH_LINES: &[&str] = &["RULING", "BECOME"];

/// Reads a verb from its line, and the lines below it where it takes any.
///
/// # Errors
/// What is missing, with a line that works.
pub fn read(verb: &str, raw: &str, words: &[&Word], lines: Vec<String>) -> Result<Verb, Fault> {
    let example = || VERBS.iter().find(|(name, _)| *name == verb).map(|(_, example)| (*example).to_owned());
    let want = |said: &str, what: &str| Err(Fault::unclear(said, what, [], example()));
    let (before, _) = split(words, "reason");
    let text = |words: &[&Word]| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    // As written, commas and all.
    let from = words.iter().find(|word| word.fold == "reason").map(|word| word.span.1);
    let reason = from.map(|from| raw.trim().chars().skip(from).collect::<String>()).unwrap_or_default();
    let reason = reason.trim().to_owned();
    let first = before.first().map(|word| word.text.clone()).unwrap_or_default();
    let tail = before.get(1..).unwrap_or_default();
    if matches!(verb, "AMEND" | "FIAT" | "BECOME") && reason.is_empty() {
        return want("", "REASON and your words, which the ledger keeps");
    }
    // A sentence that begins so is none of them.
    let single = matches!(verb, "BECOME" | "REWIND" | "SHOW" | "REMIND") || fold(&first) == "tables";
    if let Some(odd) = tail.first().filter(|_| single) {
        return want(&odd.text, "what this line takes");
    }
    match verb {
        "AMEND" if tail.is_empty() => want(&first, "a side, and what is amended"),
        "AMEND" => Ok(Verb::Amend { side: first, text: text(tail), reason }),
        "FIAT" => fiat(before, reason).map_or_else(|| want(&first, "what the roll is for, and its dice"), Ok),
        "REWIND" if before.is_empty() => Ok(Verb::Rewind { rest: None, reason }),
        "REWIND" => match first.parse() {
            Ok(_) if reason.is_empty() => want("", "REASON and your words, which both sides are told"),
            Ok(rest) => Ok(Verb::Rewind { rest: Some(rest), reason }),
            Err(_) => want(&first, "the number of a rest point"),
        },
        "RULING" => ruling(before, lines).map_or_else(|| want(&first, "a paragraph, TO and whom, and lines"), Ok),
        "BECOME" if first.is_empty() => want("", "a seat"),
        "BECOME" => Ok(Verb::Become { seat: first, lines, reason }),
        "SHOW" if first.is_empty() => want("", "a side, LEDGER or HELD"),
        "SHOW" => Ok(Verb::Show(first)),
        "WHO-KNOWS" if first.is_empty() => want("", "a piece"),
        "WHO-KNOWS" => Ok(Verb::WhoKnows(text(words))),
        "REMIND" if first.is_empty() => want("", "a seat, or ALL"),
        "REMIND" => Ok(Verb::Remind(first)),
        "OPTION" if first.is_empty() => Ok(Verb::Option(None)),
        "OPTION" if tail.is_empty() => want("", "a value"),
        "OPTION" => Ok(Verb::Option(Some((first.to_lowercase(), text(tail).to_lowercase())))),
        _ if fold(&first) == "tables" => Ok(Verb::Judge(None)),
        _ => match before.iter().map(|word| word.text.parse().ok()).collect::<Option<Vec<u32>>>() {
            Some(dice) if !dice.is_empty() => Ok(Verb::Judge(Some(dice))),
            _ => want(&first, "the dice, or TABLES"),
        },
    }
}

/// The words before and behind a keyword.
fn split<'w, 'a>(words: &'w [&'a Word], key: &str) -> (&'w [&'a Word], &'w [&'a Word]) {
    match words.iter().position(|word| word.fold == key) {
        Some(at) => (words.get(..at).unwrap_or_default(), words.get(at + 1..).unwrap_or_default()),
        None => (words, &[]),
    }
}

/// `weather 5`, `french initiative/lannes/move 3 1 4`: the label is the last word that is no number.
fn fiat(words: &[&Word], reason: String) -> Option<Verb> {
    let at = words.iter().rposition(|word| word.text.parse::<u32>().is_err())?;
    let dice: Vec<u32> = words.get(at + 1..)?.iter().filter_map(|word| word.text.parse().ok()).collect();
    let label = words.get(at)?.text.clone();
    let scope = at.checked_sub(1).and_then(|before| words.get(before)).map(|word| word.text.clone());
    (!dice.is_empty() && at < 2).then_some(Verb::Fiat { scope, label, dice, reason })
}

fn ruling(words: &[&Word], lines: Vec<String>) -> Option<Verb> {
    let (rule, to) = split(words, "to");
    let [rule] = rule else { return None };
    let rule = rule.text.clone();
    let to: Vec<String> = to.iter().map(|w| w.text.trim_matches(',').to_owned()).filter(|w| !w.is_empty()).collect();
    (!to.is_empty() && !lines.is_empty()).then_some(Verb::Ruling { rule, to, lines })
}

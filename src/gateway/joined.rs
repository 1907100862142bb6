//! The words of a sheet as they come back: several in one line, as our own mails print them, and between courtesies.
//!
//! What a letter says to send is taken as it is copied, with the sentence that stands behind it.

use super::sheet::key;
use crate::orders::mend::lexicon::{self, Sense};
use crate::orders::{Word, fold};

/// Words that begin a part.
const WORDS: [&str; 4] = ["YES", "UNDO", "END", "SEND"];
/// Words that may stand before the first part, and say nothing.
const BEFORE: [&str; 19] = [
    "ok", "okay", "okey", "right", "alright", "fine", "good", "great", "well", "now", "so", "then", "and", "please",
    "pls", "thanks", "answer", "gut", "bon",
];
/// How SIGNON is written otherwise.
const SIGNS_ON: [&str; 5] = ["sign on", "sign-on", "sign me on", "signing on", "i sign on"];
/// Words that take what is offered for a line, where nothing but numbers stands behind them: `OK 1`.
const TAKES: [&str; 5] = ["ok", "okay", "okey", "take", "accept"];
/// Words that take a line out, where nothing but numbers stands behind them: `CANCEL 3`.
const DROPS: [&str; 5] = ["cancel", "delete", "drop", "remove", "strike"];
/// Words between YES and a number: `Yes to 1A`.
const OF_YES: [&str; 2] = ["to", "for"];
/// Words between two parts.
const BETWEEN: [&str; 4] = ["and", "then", "&", "+"];
/// Courtesies behind the last part.
pub(super) const BEHIND: [&str; 11] =
    ["thanks", "thank", "you", "please", "pls", "danke", "bitte", "merci", "cheers", "ok", "now"];
/// What stands between a word and the number of a line.
const OF_LINE: [&str; 2] = ["line", "lines"];
/// How the sentence begins with which a letter explains what it says to send.
const EXPLAINED: [[&str; 2]; 6] =
    [["to", "take"], ["to", "end"], ["to", "drop"], ["takes", "it"], ["takes", "them"], ["when", "you"]];

/// The words of the sheet that stand in one line as our own mails put them: `YES 9 and UNDO 17 and END`, `YES 5 and 9`; without
/// a word between them: `YES 2 3B END`, `Yes 3. end.`; behind a courtesy: `ok end`; copied with what a letter says beside
/// them: `YES 2 and END to take 2A and end,`; or in words of one's own: `YES1`, `Yes to 1A`, `CANCEL 3`, `sign on`. None where a line is
/// one such word alone, or holds any other.
pub fn several(text: &str) -> Option<Vec<String>> {
    let written: Vec<&str> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    if SIGNS_ON.contains(&fold(&written.join(" ")).as_str()) {
        return Some(vec!["SIGNON".to_owned()]);
    }
    let all = plainly(&written);
    let (words, or) = begun(without_sign(&all))?;
    let mut parts: Vec<Vec<&str>> = Vec::new();
    let mut joins = words.len() < all.len() || all != written;
    for (at, &word) in words.iter().enumerate() {
        let rest = words.get(at..).unwrap_or_default();
        if !parts.is_empty() && is_explained(rest) {
            joins = true;
            break;
        }
        if is_one(word, &BETWEEN) {
            joins = true;
            continue;
        }
        // Of END alone the courtesies behind it are read with it.
        if !parts.is_empty() && rest.iter().all(|word| is_one(word, &BEHIND)) {
            joins |= parts.len() > 1 || !parts.first().is_some_and(|part| begins(part, "END"));
            break;
        }
        if is_one(word, &OF_LINE) && rest.get(1).is_some_and(|next| is_key(next)) {
            joins = true;
            continue;
        }
        match parts.last_mut() {
            Some(above) if goes_on(above, word) => above.push(word),
            _ if is_one(word, &WORDS) => parts.push(vec![word]),
            // A sentence goes on behind its verb; what is no word of the sheet is read as it stands.
            _ => return None,
        }
    }
    joins |= signed(text, &parts);
    let ends = || parts.first().is_some_and(|part| begins(part, "END"));
    // YES alone answers a question, whatever stands before it.
    let answers = parts.len() == 1 && parts.first().is_some_and(|part| part.len() == 1 && begins(part, "YES"));
    let several = (joins || parts.len() > 1) && !answers && (!or || ends());
    several.then(|| parts.iter().map(|part| part.join(" ")).collect())
}

/// A line with the words of the sheet for others that mean the same beside numbers.
fn plainly<'w>(written: &[&'w str]) -> Vec<&'w str> {
    let numbers = |rest: &[&str]| {
        let numbered = |word: &&str| is_key(word) || is_one(word, &BETWEEN) || is_one(word, &OF_LINE);
        rest.iter().any(|word| is_key(word)) && rest.iter().all(numbered)
    };
    match written {
        [first, rest @ ..] if is_one(first, &TAKES) && numbers(rest) => [&["YES"][..], rest].concat(),
        [first, rest @ ..] if is_one(first, &DROPS) && numbers(rest) => [&["UNDO"][..], rest].concat(),
        _ => {
            let mut said: Vec<&str> = Vec::new();
            for (at, word) in written.iter().enumerate() {
                let glued = word.split_at_checked(3).filter(|(yes, key)| is_one(yes, &["YES"]) && is_key(key));
                let behind = written.get(at + 1).is_some_and(|next| is_key(next));
                match glued {
                    Some((yes, key)) => said.extend([yes, key]),
                    None if behind && is_one(word, &OF_YES) && said.last().is_some_and(|l| is_one(l, &["YES"])) => {}
                    None => said.push(word),
                }
            }
            said
        }
    }
}

/// Whether a line says in other words that its writer is done: `OK that's all`, `no more orders, thanks`. One word alone is
/// left to the rules, of which it may be a verb.
pub(super) fn says_done(words: &[Word]) -> bool {
    let folds: Vec<String> = words.iter().map(|word| fold(&bare(&word.text).replace('’', "'"))).collect();
    let mut said: Vec<&str> = folds.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    let all = said.len();
    while said.first().is_some_and(|word| is_one(word, &BEFORE)) {
        said.remove(0);
    }
    while said.last().is_some_and(|word| is_one(word, &BEHIND)) {
        said.pop();
    }
    all > 1 && !said.is_empty() && lexicon::senses(&said.join(" ")).first() == Some(&Sense::Done)
}

/// Whether a line holds the words that a letter has in place of a line that its reader is to write.
pub(super) fn is_placeholder(text: &str) -> bool {
    text.split_once('=').is_some_and(|(_, line)| fold(line.trim()).starts_with("the line put right"))
}

/// A word without the signs round it; a question stays one.
fn bare(word: &str) -> &str {
    word.trim_matches(['.', ',', ';', ':', '!', '(', ')', '"', '*', '“', '”'])
}

fn is_one(word: &str, of: &[&str]) -> bool {
    of.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn begins(part: &[&str], word: &str) -> bool {
    part.first().is_some_and(|first| first.eq_ignore_ascii_case(word))
}

/// `2` or `2B`.
fn is_key(word: &str) -> bool {
    word.len() <= 4 && word.starts_with(|c: char| c.is_ascii_digit()) && key(word).is_some()
}

/// Whether a word goes on with the part above it.
fn goes_on(above: &[&str], word: &str) -> bool {
    let of = |first: &str, words: &[&str]| begins(above, first) && is_one(word, words);
    is_key(word)
        || of("END", &["ANYWAY", "IF", "ALL", "DONE"])
        || above.len() == 1 && (of("UNDO", &["END", "ALL"]) || of("YES", &["ALL"]))
}

/// A line without the sign of a list or the number of an answer before its words: `- END`, `4 END`, `4A END`.
fn without_sign<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    match words {
        [sign, rest @ ..] if is_key(sign) || ["-", "–", "•"].contains(sign) => match rest.first() {
            // Of what a letter offers, END alone is a word of the sheet; before YES and UNDO stands no letter.
            Some(next) if is_one(next, &["END"]) => rest,
            Some(next) if is_one(next, &WORDS) && !sign.ends_with(|c: char| c.is_ascii_alphabetic()) => rest,
            _ => words,
        },
        _ => words,
    }
}

/// What begins with a word of the sheet behind courtesies, and whether an OR stands before it.
fn begun<'w>(words: &'w [&'w str]) -> Option<(&'w [&'w str], bool)> {
    let at = words.iter().position(|word| is_one(word, &WORDS))?;
    let (before, rest) = words.split_at_checked(at)?;
    let or = before.first().is_some_and(|word| is_one(word, &["or"]));
    let courtesies = before.get(usize::from(or)..)?;
    courtesies.iter().all(|word| is_one(word, &BEFORE)).then_some((rest, or))
}

/// Whether a letter's sentence begins that explains what it says to send.
fn is_explained(rest: &[&str]) -> bool {
    let [first, second, ..] = rest else { return false };
    EXPLAINED.iter().any(|[one, two]| one.eq_ignore_ascii_case(first) && two.eq_ignore_ascii_case(second))
}

/// Whether a full stop stands behind a number, which its reader would take for a part of it.
fn signed(text: &str, parts: &[Vec<&str>]) -> bool {
    let keyed = parts.iter().any(|part| part.len() > 1 && !begins(part, "END"));
    keyed && text.split_whitespace().any(|word| word != bare(word) && is_key(bare(word)) && !word.ends_with(','))
}

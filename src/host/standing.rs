//! Standing answers as a seat writes them: `DOCTRINE SQUARE NO`, `DOCTRINE SQUARE NO FOR Vandamme/1`.

use crate::fog::SideId;
use crate::orders;
use crate::rules::journal::Book;
use crate::rules::{Key, Ruleset};
use crate::text;

/// Reads what a side says in a game, as far as that game takes it; without a side nothing is for one piece alone.
///
/// # Errors
/// What is wrong with it, and what is nearest; or why this game does not take it.
pub fn of<R: Ruleset>(state: &R::State, side: Option<&SideId>, words: &str) -> Result<(String, String), String> {
    let subjects = side.map(|side| R::subjects(state, side)).unwrap_or_default();
    let (key, value) = read(R::doctrines(), &subjects, words)?;
    R::ill_set(state, &key, &value).map_or(Ok((key, value)), Err)
}

/// The values of a standing answer that this game takes, in words.
pub fn values<R: Ruleset>(state: &R::State, key: &Key) -> String {
    let taken: Vec<&str> = key.values.iter().copied().filter(|value| R::unset(state, value).is_none()).collect();
    text::or_list(&taken)
}

/// Reads `KEY VALUE`, and behind it `FOR` one of the subjects where there are any.
///
/// # Errors
/// What is wrong with it, and what is nearest.
pub fn read(keys: &[Key], subjects: &[String], words: &str) -> Result<(String, String), String> {
    let line = orders::line(0, words);
    let Some(at) = line.words.iter().rposition(|word| word.fold == "for").filter(|_| !subjects.is_empty()) else {
        return setting(keys, words);
    };
    let text = |words: &[orders::Word]| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let (before, after) = line.words.split_at(at);
    let (key, value) = setting(keys, &text(before))?;
    let (said, folded) =
        (text(after.get(1..).unwrap_or_default()), orders::fold(&text(after.get(1..).unwrap_or_default())));
    match subjects.iter().find(|subject| orders::fold(subject) == folded) {
        Some(subject) => Ok((Book::key_for(&key, subject), value)),
        None => Err(match orders::nearest(&said, subjects.iter().map(String::as_str)) {
            Some(near) => format!("\"{said}\" has no doctrine of its own.  Did you mean {near}?"),
            None => format!("\"{said}\" has no doctrine of its own: FOR takes what DOCTRINE can be set for."),
        }),
    }
}

/// Reads `KEY VALUE`; the longest key that fits is meant.
fn setting(keys: &[Key], words: &str) -> Result<(String, String), String> {
    let line = orders::line(0, words);
    let folds: Vec<&str> = line.words.iter().map(|word| word.fold.as_str()).collect();
    let fits = |key: &&Key| {
        let word = orders::fold(key.word);
        let parts: Vec<&str> = word.split_whitespace().collect();
        folds.starts_with(&parts)
    };
    let Some(key) = keys.iter().filter(fits).max_by_key(|key| key.word.split_whitespace().count()) else {
        let said = line.words.first().map_or("", |word| word.text.as_str());
        return Err(match orders::nearest(said, keys.iter().map(|key| key.word)) {
            Some(near) => format!("\"{said}\" is no key of the doctrine.  Did you mean {near}?"),
            None => format!("\"{said}\" is no key of the doctrine; DOCTRINE alone lists them."),
        });
    };
    let skip = key.word.split_whitespace().count();
    let value: Vec<&str> = line.words.iter().skip(skip).map(|word| word.text.as_str()).collect();
    let value = value.join(" ");
    let capital = value.to_uppercase();
    if key.takes(&value) {
        Ok((key.word.to_owned(), value))
    } else if key.takes(&capital) {
        Ok((key.word.to_owned(), capital))
    } else {
        Err(format!(
            "{} takes {}, for example DOCTRINE {} {}.",
            key.word,
            text::or_list(key.values),
            key.word,
            example(key, &value)
        ))
    }
}

/// Words that forbid, and words that allow: of the values of a key one of the same kind is meant.
const KINDS: [&[&str]; 2] = [
    &["no", "never", "none", "not", "off", "hold", "nein", "nie", "non", "jamais"],
    &["yes", "always", "all", "on", "ja", "immer", "oui", "toujours"],
];

/// The value that was most likely meant by one that a key does not take.
fn example<'k>(key: &'k Key, said: &str) -> &'k str {
    let words: Vec<String> = said.split_whitespace().map(orders::fold).collect();
    let kind = KINDS.iter().find(|kind| words.iter().any(|word| kind.contains(&word.as_str())));
    let meant = kind.and_then(|kind| key.values.iter().find(|value| kind.contains(&orders::fold(value).as_str())));
    meant.copied().unwrap_or(key.default)
}

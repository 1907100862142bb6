//! The order language that all games share: lines, words, verbs, faults.
//!
//! A mail is a script, one order a line. Parsing never fails: each line gives an order or a fault, and a fault names the
//! smallest wrong words, the nearest legal word and an example that the seat can send as it stands.

pub mod cond;
pub mod mend;

use std::fmt;

/// One word of a line, with where it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// As written, without quotes.
    pub text: String,
    /// Accents and case folded, for comparison.
    pub fold: String,
    /// First character and the one after the last, counted in characters.
    pub span: (usize, usize),
}

/// One order line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the mail, from 1.
    pub no: u32,
    /// As written.
    pub source: String,
    /// Its words.
    pub words: Vec<Word>,
}

/// Why a line was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not understood.
    Unclear {
        /// The smallest words that could not be read.
        said: String,
        /// What was expected there, as a noun phrase.
        expected: String,
        /// The nearest legal word.
        nearest: Option<String>,
        /// A line that works now, made of the seat's own pieces.
        example: Option<String>,
    },
    /// Understood, and not allowed by what the seat may know.
    Refused {
        /// The reason, as a sentence.
        why: String,
        /// The paragraph it rests on, such as `¶168`; empty where it rests on none.
        rule: String,
        /// A legal line in its stead.
        copy: Option<String>,
    },
    /// A verb that the rules have and this program has not yet.
    NotYet {
        /// What is missing.
        what: String,
        /// The paragraph it will obey.
        rule: String,
    },
}

/// The words of a line, read from left to right; a copy looks ahead.
#[derive(Clone)]
pub struct Args<'a> {
    line: &'a Line,
    at: usize,
}

/// One verb of a ruleset: how it is written, and how it is read against a view.
pub struct Verb<V, O> {
    /// The word itself, in capitals.
    pub word: &'static str,
    /// Its arguments, for `ORDERS`.
    pub usage: &'static str,
    /// The paragraphs it rests on.
    pub rule: &'static str,
    /// Lines that bind now, made from the seat's own pieces.
    pub examples: fn(&V) -> Vec<String>,
    /// Reads what follows the verb.
    pub read: fn(&V, &mut Args<'_>) -> Result<O, Fault>,
}

/// Folds accents and case, and spells German digraphs alike: `Dürenstein`, `DURENSTEIN` and `Duerenstein` agree.
pub fn fold(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    if text.is_ascii() {
        return short_vowels(text.chars().map(|c| c.to_ascii_lowercase()));
    }
    let plain = text
        .nfkd()
        .filter(|c| !unicode_normalization::char::is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .map(|c| if c == 'ß' { 's' } else { c });
    short_vowels(plain)
}

/// An `e` that stands for an umlaut is left out.
fn short_vowels(letters: impl Iterator<Item = char>) -> String {
    let mut folded = String::new();
    let mut umlaut = false;
    for letter in letters {
        let drop = umlaut && letter == 'e';
        umlaut = matches!(letter, 'u' | 'o' | 'a');
        if !drop {
            folded.push(letter);
        }
    }
    folded
}

/// Splits a script into lines of words. Empty lines and comments go; a line that begins with a word for which
/// `continues` is true (a hex, a clause) belongs to the line above, since mail programs break long lines.
pub fn lines(script: &[String], continues: fn(&str) -> bool) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    for raw in script {
        let mut words = words(raw);
        let Some(first) = words.first() else { continue };
        match found.last_mut() {
            Some(above) if continues(&first.text) => {
                let shift = above.source.chars().count() + 1;
                above.source.push(' ');
                above.source.push_str(raw.trim_end());
                for word in &mut words {
                    word.span = (word.span.0 + shift, word.span.1 + shift);
                }
                above.words.extend(words);
            }
            _ => {
                let no = u32::try_from(found.len()).unwrap_or(u32::MAX).saturating_add(1);
                found.push(Line { no, source: raw.trim().to_owned(), words });
            }
        }
    }
    found
}

/// Reads one line on its own.
pub fn line(no: u32, source: &str) -> Line {
    Line { no, source: source.trim().to_owned(), words: words(source) }
}

/// Splits at blanks and commas; quotes hold a name together; `#` begins a comment.
fn words(raw: &str) -> Vec<Word> {
    let chars: Vec<char> = raw.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        if c == '#' {
            break;
        }
        if c.is_whitespace() || c == ',' || c == ';' {
            at += 1;
            continue;
        }
        let start = at;
        let text: String = if c == '"' {
            at += 1;
            let inner: String = chars.iter().skip(at).take_while(|&&c| c != '"').collect();
            at += inner.chars().count() + 1;
            inner
        } else {
            let word: String = chars
                .iter()
                .skip(at)
                .take_while(|&&c| !c.is_whitespace() && c != ',' && c != ';' && c != '#')
                .collect();
            at += word.chars().count();
            word
        };
        if !text.is_empty() {
            found.push(Word { fold: fold(&text), text, span: (start, at) });
        }
    }
    found
}

/// Letters of a word too short for a slip.
const SIGNS: usize = 2;

/// The nearest of some words: within one edit and one more for every four letters. A word of one or two letters is the
/// name of something else, and no misspelling: `3` is not `V`.
pub fn nearest<'c>(said: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    // The distance costs the product of both lengths.
    if said.chars().nth(crate::text::NEAR_CHARS_MAX).is_some() {
        return None;
    }
    let said = fold(said);
    let letters = said.chars().count();
    if letters <= SIGNS {
        return None;
    }
    let limit = 1 + letters / 4;
    let mut best: Option<(usize, String)> = None;
    for candidate in candidates {
        let distance = strsim::damerau_levenshtein(&said, &fold(candidate));
        if distance <= limit && best.as_ref().is_none_or(|(d, _)| distance < *d) {
            best = Some((distance, candidate.to_owned()));
        }
    }
    best.map(|(_, word)| word)
}

/// Reads a line by a table of verbs, against a view; a fault of it shows a line that works.
///
/// # Errors
/// The fault of the line.
pub fn bind<V, O>(table: &[Verb<V, O>], view: &V, line: &Line) -> Result<O, Fault> {
    read(table, view, line).map_err(|fault| exampled(table, view, line, fault))
}

/// Reads a line as `bind` does, but seeks no example of a line that works: to find one costs many times the reading.
///
/// # Errors
/// The fault of the line.
pub fn read<V, O>(table: &[Verb<V, O>], view: &V, line: &Line) -> Result<O, Fault> {
    let Some(first) = line.words.first() else {
        return Err(Fault::unclear("", "an order", [], None));
    };
    let Some(verb) = verb(table, &first.fold) else {
        return Err(Fault::unclear(&first.text, "an order's first word", table.iter().map(|v| v.word), None));
    };
    let mut args = Args { line, at: 1 };
    let order = (verb.read)(view, &mut args)?;
    match args.peek() {
        None => Ok(order),
        Some(extra) => Err(Fault::unclear(&extra.text, "the end of the order", [], None)),
    }
}

/// The fault of a line that `read` found, with an example of a line that works on a view; of the same verb, if there is one.
pub fn exampled<V, O>(table: &[Verb<V, O>], view: &V, line: &Line, fault: Fault) -> Fault {
    let Some(first) = line.words.first() else { return fault };
    fault.with_example(|| match verb(table, &first.fold) {
        Some(verb) => (verb.examples)(view).into_iter().next(),
        None => table.iter().flat_map(|v| (v.examples)(view)).next(),
    })
}

fn verb<'t, V, O>(table: &'t [Verb<V, O>], said: &str) -> Option<&'t Verb<V, O>> {
    let word = find(table.iter().map(|v| v.word), said)?;
    table.iter().find(|v| v.word == word)
}

/// The keyword that a word means: itself, or the only one of which it is a prefix of three letters or more.
pub fn find<'t>(table: impl IntoIterator<Item = &'t str>, said: &str) -> Option<&'t str> {
    let mut prefixes = Vec::new();
    let first = said.chars().next();
    for word in table.into_iter().filter(|word| may_begin(word, first)) {
        let folded = fold(word);
        if folded == said {
            return Some(word);
        }
        if said.chars().count() >= 3 && folded.starts_with(said) {
            prefixes.push(word);
        }
    }
    match prefixes.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

fn may_begin(name: &str, first: Option<char>) -> bool {
    match name.chars().next() {
        Some(letter) if letter.is_ascii() => Some(letter.to_ascii_lowercase()) == first,
        _ => true,
    }
}

impl<'a> Args<'a> {
    /// The arguments of a line from word `at` on.
    pub fn new(line: &'a Line, at: usize) -> Args<'a> {
        Args { line, at }
    }

    /// The next word, if any, without taking it.
    pub fn peek(&self) -> Option<&'a Word> {
        self.line.words.get(self.at)
    }

    /// The next so many words as they would read on, or nothing where the line has fewer.
    pub fn ahead(&self, count: usize) -> Option<String> {
        let words = self.line.words.get(self.at..self.at.checked_add(count)?)?;
        Some(words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" "))
    }

    /// Takes the next word, if any.
    pub fn next_word(&mut self) -> Option<&'a Word> {
        let word = self.peek();
        self.at += usize::from(word.is_some());
        word
    }

    /// Whether nothing is left.
    pub fn done(&self) -> bool {
        self.peek().is_none()
    }

    /// Takes the next word if it is this keyword.
    pub fn key(&mut self, keyword: &str) -> bool {
        let hit = self.may_begin(keyword) && self.peek().is_some_and(|w| w.fold == fold(keyword));
        self.at += usize::from(hit);
        hit
    }

    /// Takes the next word, which must be one of some keywords (whole, or an unambiguous prefix).
    ///
    /// # Errors
    /// Unclear, with the nearest keyword.
    pub fn one_of(&mut self, expected: &str, keywords: &[&'static str]) -> Result<&'static str, Fault> {
        let said = self.peek().map_or("", |w| w.fold.as_str());
        match find(keywords.iter().copied(), said) {
            Some(word) => {
                self.at += 1;
                Ok(word)
            }
            None => Err(self.fault(expected, keywords.iter().copied())),
        }
    }

    /// Takes a keyword if the next word is one of them.
    pub fn maybe(&mut self, keywords: &[&'static str]) -> Option<&'static str> {
        let hit = find(keywords.iter().copied(), &self.peek()?.fold)?;
        self.at += 1;
        Some(hit)
    }

    /// Takes a whole number.
    ///
    /// # Errors
    /// Unclear, if the next word is none.
    pub fn number(&mut self, expected: &str) -> Result<i32, Fault> {
        match self.peek().and_then(|w| w.text.parse::<i32>().ok()) {
            Some(n) => {
                self.at += 1;
                Ok(n)
            }
            None => Err(self.fault(expected, [])),
        }
    }

    /// Takes the words that are a whole name: the longest run that is one wins, so that quotes are a courtesy and not a
    /// duty.
    pub fn whole_name<T: Clone>(&mut self, names: &[(String, T)]) -> Option<T> {
        let alike: Vec<(String, &T)> = self.alike(names).collect();
        for take in (1..=6).rev() {
            let words: Vec<&str> =
                (0..take).filter_map(|i| self.line.words.get(self.at + i)).map(|w| w.fold.as_str()).collect();
            if words.len() < take {
                continue;
            }
            let said = words.join(" ");
            if let Some((_, value)) = alike.iter().find(|(name, _)| *name == said) {
                self.at += take;
                return Some((*value).clone());
            }
        }
        None
    }

    /// The names, folded, that may begin as the next word does: to fold costs more than to look at a letter.
    fn alike<'n, T>(&self, names: &'n [(String, T)]) -> impl Iterator<Item = (String, &'n T)> + use<'n, T> {
        let first = self.first();
        names.iter().filter(move |(name, _)| may_begin(name, first)).map(|(name, value)| (fold(name), value))
    }

    /// Whether the next word may begin a name: soon told, and never denied wrongly.
    pub fn may_begin(&self, name: &str) -> bool {
        may_begin(name, self.first())
    }

    /// The same of any word that is still to come.
    pub fn may_come(&self, name: &str) -> bool {
        self.line.words.iter().skip(self.at).any(|word| may_begin(name, word.fold.chars().next()))
    }

    fn first(&self) -> Option<char> {
        self.peek().and_then(|word| word.fold.chars().next())
    }

    /// Takes a name out of `names` (pairs of what may be written and what it means): whole, a code, an unambiguous
    /// prefix of three letters, or several words of it without quotes.
    ///
    /// # Errors
    /// Unclear, with the nearest name.
    pub fn name<T: Clone + PartialEq>(&mut self, expected: &str, names: &[(String, T)]) -> Result<T, Fault> {
        if let Some(whole) = self.whole_name(names) {
            return Ok(whole);
        }
        let said = self.peek().map_or("", |w| w.fold.as_str());
        if said.chars().count() >= 3 {
            let mut hits: Vec<&T> = self.alike(names).filter(|(n, _)| n.starts_with(said)).map(|(_, v)| v).collect();
            hits.dedup();
            if let [only] = hits.as_slice() {
                let value = (*only).clone();
                self.at += 1;
                return Ok(value);
            }
        }
        Err(self.fault(expected, names.iter().map(|(n, _)| n.as_str())))
    }

    /// The fault of the next word.
    pub fn fault<'c>(&self, expected: &str, candidates: impl IntoIterator<Item = &'c str>) -> Fault {
        Fault::unclear(self.peek().map_or("", |w| &w.text), expected, candidates, None)
    }

    /// The line as written.
    pub fn source(&self) -> &str {
        &self.line.source
    }
}

/// Refuses a line for a reason, by a rule, where something stands in its way.
///
/// # Errors
/// The reason.
pub fn deny(bars: bool, why: impl std::fmt::Display, rule: &str) -> Result<(), Fault> {
    if bars { Err(Fault::refused(why.to_string(), rule)) } else { Ok(()) }
}

impl Fault {
    /// A line not understood at `said`.
    pub fn unclear<'c>(
        said: &str,
        expected: &str,
        candidates: impl IntoIterator<Item = &'c str>,
        example: Option<String>,
    ) -> Fault {
        let nearest = if said.is_empty() { None } else { nearest(said, candidates) };
        Fault::Unclear { said: crate::text::quoted(said).into_owned(), expected: expected.to_owned(), nearest, example }
    }

    /// A line understood and not allowed.
    pub fn refused(why: impl Into<String>, rule: impl Into<String>) -> Fault {
        Fault::Refused { why: why.into(), rule: rule.into(), copy: None }
    }

    /// A rule that is not built yet, by name.
    pub fn not_yet(what: impl Into<String>, rule: impl Into<String>) -> Fault {
        Fault::NotYet { what: what.into(), rule: rule.into() }
    }

    fn with_example(self, make: impl FnOnce() -> Option<String>) -> Fault {
        match self {
            Fault::Unclear { said, expected, nearest, example: None } => {
                Fault::Unclear { said, expected, nearest, example: make() }
            }
            other => other,
        }
    }

    /// The word that stands over the answer.
    pub fn word(&self) -> &'static str {
        match self {
            Fault::Unclear { .. } => "UNCLEAR",
            Fault::Refused { .. } => "REFUSED",
            Fault::NotYet { .. } => "NOT YET",
        }
    }

    /// The reason, as it stands beside the rule; of a line that is not read, all that is said of it.
    pub fn why(&self) -> String {
        match self {
            Fault::Refused { why, .. } => why.clone(),
            other => other.to_string(),
        }
    }

    /// A legal line that the player can copy.
    pub fn copy(&self) -> Option<&str> {
        match self {
            Fault::Unclear { example, .. } => example.as_deref(),
            Fault::Refused { copy, .. } => copy.as_deref(),
            Fault::NotYet { .. } => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unclear { said, expected, nearest, .. } => {
                if said.is_empty() {
                    write!(f, "the line ends where {expected} should stand.")?;
                } else {
                    write!(f, "\"{said}\" is not {expected}.")?;
                }
                match nearest {
                    Some(word) => write!(f, "  Did you mean {word}?"),
                    None => Ok(()),
                }
            }
            Fault::Refused { why, rule, .. } if rule.is_empty() => write!(f, "{why}"),
            Fault::Refused { why, rule, .. } => write!(f, "{why} [{rule}]"),
            Fault::NotYet { what, rule } => write!(f, "{what} is not built yet. [{rule}]"),
        }
    }
}

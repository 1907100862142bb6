//! A line as somebody wrote it who does not know the forms: words without bullets and stops, names and verbs with slips.

use super::lexicon::{self, PHRASE_MAX, Sense};
use crate::orders::{Line, fold};
use std::collections::BTreeMap;

/// Words of a line that are looked at; an order has fewer.
const WORDS_MAX: usize = 60;
/// Letters of a word that is spelled anew; a name has fewer.
const LETTERS_MAX: usize = 32;
/// Words of the longest name.
const NAME_WORDS_MAX: usize = 6;

/// One word, without what stands round it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// As written.
    pub text: String,
    /// Folded.
    pub fold: String,
}

/// What a ruleset's words are called: own pieces, places, whatever else it knows; and its keywords.
pub struct Vocabulary<T> {
    names: BTreeMap<String, Vec<T>>,
    keys: BTreeMap<String, &'static str>,
}

/// One word or run of words, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<T> {
    /// The words as written.
    pub text: String,
    /// Where it stands among the line's words, and how many words it has.
    pub span: (usize, usize),
    /// What it names; several where it is not clear.
    pub things: Vec<T>,
    /// The keyword that it is.
    pub key: Option<&'static str>,
    /// What it means otherwise.
    pub senses: Vec<Sense>,
    /// Letters that are wrong.
    pub slips: u32,
}

impl<T> Token<T> {
    /// Whether it may mean this.
    pub fn means(&self, sense: Sense) -> bool {
        self.senses.contains(&sense)
    }

    /// Whether nothing is known of it.
    pub fn odd(&self) -> bool {
        self.things.is_empty() && self.key.is_none() && self.senses.is_empty()
    }
}

/// The words of a line.
pub fn heard(line: &Line) -> Vec<Heard> {
    // `#2` begins no comment for somebody who does not know that there are any.
    let numbered = line.source.split('#').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if numbered {
        return heard(&crate::orders::line(line.no, &line.source.replace('#', " ")));
    }
    let mut found = Vec::new();
    let many = line.words.len() > 1;
    for (no, word) in line.words.iter().take(WORDS_MAX).enumerate() {
        if no == 0 && many && bullet(&word.text) {
            continue;
        }
        // `=` alone parts a box from what it holds: it is no word and points nowhere.
        if word.text == "=" {
            continue;
        }
        let arrow = word.text.chars().all(|c| "-=>→–—".contains(c));
        let bare = if arrow { "to" } else { bare(&word.text) };
        let parts: Vec<&str> = bare.split(['-', '>', '–', '→']).collect();
        let hexes = parts.len() > 1 && parts.iter().all(|p| p.len() == 4 && p.bytes().all(|b| b.is_ascii_digit()));
        let names: Vec<&str> = bare.split('/').collect();
        let word = |name: &&str| name.chars().count() > 2 && name.chars().all(char::is_alphabetic);
        let two = names.len() == 2 && names.iter().all(word);
        for part in if hexes {
            parts
        } else if two {
            names
        } else {
            vec![bare]
        } {
            if !part.is_empty() {
                found.push(Heard { text: part.to_owned(), fold: fold(part) });
            }
        }
    }
    found
}

/// A bullet or a number before an order.
fn bullet(text: &str) -> bool {
    let inner = text.trim_start_matches('(').trim_end_matches(['.', ')', ':']);
    let number = inner.len() < text.len() && inner.len() <= 2 && inner.bytes().all(|b| b.is_ascii_digit());
    number || (!text.is_empty() && text.chars().all(|c| "-*•–—+".contains(c)))
}

fn bare(text: &str) -> &str {
    let ends = |c: char| ".,!?:;()\"'“”„‚‘’«»[]{}…*_`".contains(c);
    let inner = text.trim_matches(ends);
    if inner.is_empty() && matches!(text, "&" | "+") { text } else { inner }
}

/// Whether a line is a question by its last sign.
pub fn asks(line: &Line) -> bool {
    line.source.trim_end().ends_with('?')
}

/// Whether a line quotes another mail.
pub fn quoted(line: &Line) -> bool {
    line.source.trim_start().starts_with('>')
}

/// Letters in which two folded words differ: put in, left out, changed or swapped.
pub fn slips(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
}

/// The letters that may be wrong in a word of so many.
pub fn bearable(letters: usize) -> usize {
    match letters {
        0..=3 => 0,
        4..=5 => 1,
        6..=8 => 2,
        _ => 3,
    }
}

impl<T: Clone + PartialEq> Vocabulary<T> {
    /// One that knows these keywords.
    pub fn new(keys: impl IntoIterator<Item = &'static str>) -> Vocabulary<T> {
        Vocabulary { names: BTreeMap::new(), keys: keys.into_iter().map(|key| (fold(key), key)).collect() }
    }

    /// Adds a name for something.
    pub fn name(&mut self, name: &str, thing: T) {
        let name = fold(name.trim());
        if name.is_empty() {
            return;
        }
        let things = self.names.entry(name).or_default();
        if !things.contains(&thing) {
            things.push(thing);
        }
    }

    /// Whether a name stands for anything yet.
    pub fn knows(&self, name: &str) -> bool {
        self.names.contains_key(&fold(name.trim()))
    }

    /// Reads the words of a line; `special` reads numbers and the like, and how many words they take.
    pub fn read(&self, words: &[Heard], special: impl Fn(&[Heard]) -> Option<(usize, T)>) -> Vec<Token<T>> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let mut token = special(rest).map_or_else(
                || self.next(rest, at == 0),
                |(taken, thing)| Token { things: vec![thing], ..blank(rest, taken) },
            );
            token.span.0 = at;
            at += token.span.1.max(1);
            tokens.push(token);
        }
        tokens
    }

    fn next(&self, rest: &[Heard], first: bool) -> Token<T> {
        for take in (1..=NAME_WORDS_MAX.min(rest.len())).rev() {
            let said = joined(rest, take);
            let name = self.names.get(&said);
            let senses = if take <= PHRASE_MAX { lexicon::senses(&said) } else { &[] };
            let key = self.keys.get(&said).copied();
            if name.is_some() || key.is_some() || !senses.is_empty() {
                let things = name.cloned().unwrap_or_default();
                return Token { things, key, senses: senses.to_vec(), ..blank(rest, take) };
            }
        }
        self.prefix(rest).or_else(|| self.glued(rest)).unwrap_or_else(|| self.nearest(rest, first))
    }

    /// The first letters of a name, three or more.
    fn prefix(&self, rest: &[Heard]) -> Option<Token<T>> {
        let said = &rest.first()?.fold;
        if said.chars().count() < 3 {
            return None;
        }
        let mut things: Vec<T> = Vec::new();
        for (_, found) in self.names.range(said.clone()..).take_while(|(name, _)| name.starts_with(said.as_str())) {
            things.extend(found.iter().filter(|t| !things.contains(t)).cloned().collect::<Vec<T>>());
        }
        (!things.is_empty()).then(|| Token { things, ..blank(rest, 1) })
    }

    /// A name that was parted by a blank.
    fn glued(&self, rest: &[Heard]) -> Option<Token<T>> {
        let (a, b) = (rest.first()?, rest.get(1)?);
        let things = self.names.get(&format!("{}{}", a.fold, b.fold))?.clone();
        Some(Token { things, slips: 1, ..blank(rest, 2) })
    }

    /// The nearest of all words, if one is near enough; of equal ones names come before keywords, except at the
    /// beginning of a line.
    fn nearest(&self, rest: &[Heard], first: bool) -> Token<T> {
        let mut best: Option<(usize, Token<T>)> = None;
        for take in [3, 2, 1] {
            let said = joined(rest, take);
            let letters = said.chars().count();
            if take > rest.len() || letters > LETTERS_MAX || bearable(letters) == 0 {
                continue;
            }
            let most = bearable(letters);
            let close = |name: &str| {
                let alike = name.chars().count().abs_diff(letters) <= most && name.split(' ').count() == take;
                alike.then(|| slips(&said, name)).filter(|far| *far <= most)
            };
            for (name, found) in &self.names {
                let Some(far) = close(name).filter(|_| bearable(name.chars().count()) > 0) else { continue };
                match &mut best {
                    Some((least, token)) if *least == far && !token.things.is_empty() => {
                        let new: Vec<T> = found.iter().filter(|t| !token.things.contains(t)).cloned().collect();
                        token.things.extend(new);
                    }
                    Some((least, _)) if *least <= far => {}
                    _ => best = Some((far, Token { things: found.clone(), ..blank(rest, take) })),
                }
            }
            let better = |best: &Option<(usize, Token<T>)>, far: usize| {
                best.as_ref()
                    .is_none_or(|(least, token)| far < *least || (first && far == *least && token.key.is_none()))
            };
            for (name, key) in &self.keys {
                if let Some(far) = close(name).filter(|far| better(&best, *far)) {
                    let senses = lexicon::senses(name).to_vec();
                    best = Some((far, Token { key: Some(key), senses, ..blank(rest, take) }));
                }
            }
            for (name, senses) in lexicon::verbs().filter(|(name, _)| bearable(name.len()) > 0 && name.len() > 4) {
                if let Some(far) = close(name).filter(|far| best.as_ref().is_none_or(|(least, _)| far < least)) {
                    best = Some((far, Token { senses: senses.to_vec(), ..blank(rest, take) }));
                }
            }
            if best.is_some() {
                break;
            }
        }
        match best {
            Some((far, token)) => Token { slips: u32::try_from(far).unwrap_or(u32::MAX), ..token },
            None => blank(rest, 1),
        }
    }
}

fn joined(rest: &[Heard], take: usize) -> String {
    rest.iter().take(take).map(|w| w.fold.as_str()).collect::<Vec<_>>().join(" ")
}

fn blank<T>(rest: &[Heard], take: usize) -> Token<T> {
    let text = rest.iter().take(take).map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
    Token { text, span: (0, take), things: Vec::new(), key: None, senses: Vec::new(), slips: 0 }
}

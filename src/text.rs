//! Words on paper: width, wrapping, columns, plain letters, near misses, numbers.
//!
//! Knows no game noun. Width is counted in characters; whoever writes keeps to NFC, so that a character is a column.

mod table;

pub use table::{Align, Column, Table};

use std::borrow::Cow;
use std::fmt::Display;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The widest a line of a report may be, in characters.
pub const WIDTH: usize = 76;

/// The widest a line may be on a phone, in characters.
pub const WIDTH_PHONE: usize = 40;

/// The longest note in square brackets that is never broken over two lines, in characters.
const NOTE_MAX: usize = 30;

/// The longest words of somebody else that a sentence of ours quotes, in characters.
const QUOTED_MAX: usize = 60;

/// The longest word for which a nearest name is looked for, in characters: no name is as long.
pub const NEAR_CHARS_MAX: usize = 64;

/// Counts the characters of a line.
pub fn width(line: &str) -> usize {
    line.chars().count()
}

/// Cuts a text to so many characters.
pub fn cut(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

/// A text as it stands where it has at most so many characters, else its beginning and `…`.
pub fn shortened(text: &str, width: usize) -> Cow<'_, str> {
    match text.char_indices().nth(width) {
        None => Cow::Borrowed(text),
        Some(_) => {
            let (kept, _) = split_at(text, width.saturating_sub(1));
            Cow::Owned(format!("{}…", kept.trim_end()))
        }
    }
}

/// What somebody wrote, as a sentence of ours quotes it: never longer than a sentence bears.
pub fn quoted(said: &str) -> Cow<'_, str> {
    shortened(said, QUOTED_MAX)
}

/// Writes text into lines of at most `width` characters.
///
/// The first line begins with `first` (an indent, or a number with its blanks), the others with `hang` blanks.
/// Double blanks after a full stop stay where the line does not break; a short note in square brackets is kept
/// whole; a word longer than a line is broken. No line ends in a blank; empty text gives `first` alone.
pub fn wrap(text: &str, width: usize, first: &str, hang: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut used = self::width(first);
    let mut bare = true; // nothing on this line yet but its indent
    for (gap, word) in words(text) {
        let mut word = word.as_str();
        let mut wide = self::width(word);
        if !bare && used + gap + wide > width {
            lines.push(line.trim_end().to_owned());
            (line, used) = (" ".repeat(hang), hang);
            bare = true;
        }
        if !bare {
            line.push_str(&" ".repeat(gap));
            used += gap;
        }
        let mut room = width.saturating_sub(used).max(1);
        while wide > room {
            // Each character is looked at once, however long the word.
            let (here, rest) = split_at(word, room);
            line.push_str(here);
            let kept = rest.trim_start();
            wide = wide.saturating_sub(room + self::width(rest.strip_suffix(kept).unwrap_or_default()));
            word = kept;
            lines.push(line.trim_end().to_owned());
            (line, used) = (" ".repeat(hang), hang);
            room = width.saturating_sub(hang).max(1);
        }
        line.push_str(word);
        used += wide;
        bare = false;
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// The first so many characters, and the rest.
fn split_at(text: &str, chars: usize) -> (&str, &str) {
    let at = text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// The words of a text, each with the number of blanks before it; short notes in brackets count as one word.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut gap = 0;
    for piece in text.split([' ', '\n', '\t']) {
        if piece.is_empty() {
            gap += 1;
            continue;
        }
        match found.last_mut() {
            Some((_, last)) if open_note(last) && width(last) + gap + width(piece) < NOTE_MAX => {
                last.push_str(&" ".repeat(gap));
                last.push_str(piece);
            }
            _ => found.push((gap, piece.to_owned())),
        }
        gap = 1;
    }
    found
}

/// Whether a word begins a note that it does not end.
fn open_note(word: &str) -> bool {
    word.starts_with('[') && !word.contains(']')
}

/// Writes text in plain ASCII (FORMAT ASCII): `ö` as `oe`, `ß` as `ss`, other letters without their accents.
///
/// The paragraph sign is left out, so that `[¶242]` reads `[242]`; what has no plain form becomes `?`.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let composed: Vec<char> = text.nfc().collect();
    for (i, &c) in composed.iter().enumerate() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        let beside = [i.checked_sub(1), Some(i + 1)];
        let shouted = beside.into_iter().flatten().filter_map(|j| composed.get(j)).any(|n| n.is_uppercase());
        match plain(c) {
            Some(word) if shouted && c.is_uppercase() => out.push_str(&word.to_uppercase()),
            Some(word) => out.push_str(word),
            None => push_bare(&mut out, c),
        }
    }
    out
}

/// A reason without the name at its head that stands behind the first word of its line: `is limbered` of `III foot is
/// limbered`, where the line is `BOMBARD III foot AT Weber`.
pub fn without_name<'a>(line: &str, why: &'a str) -> &'a str {
    let mut rest = why;
    for word in line.split_whitespace().skip(1) {
        match rest.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')) {
            Some(after) => rest = after,
            None => break,
        }
    }
    rest
}

/// Numbers with their runs drawn together: `1-4, 6`.
pub fn runs(numbers: &[u32]) -> String {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for &n in numbers {
        match found.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(n) => *last = n,
            _ => found.push((n, n)),
        }
    }
    let said = |(a, b): &(u32, u32)| if a == b { a.to_string() } else { format!("{a}-{b}") };
    found.iter().map(said).collect::<Vec<_>>().join(", ")
}

/// Lines by number: `line 2`, `lines 2 and 5`.
pub fn lines_by_number(lines: &[u32]) -> String {
    format!("{} {}", if lines.len() == 1 { "line" } else { "lines" }, and_list(lines))
}

/// Lines by number, runs of them drawn together: `line 2`, `lines 2-7`.
pub fn lines_in_runs(lines: &[u32]) -> String {
    format!("{} {}", if lines.len() == 1 { "line" } else { "lines" }, runs(lines))
}

/// The number of a paragraph that a word begins with: `242` of `¶242,`, `16.4` of `16.4`, `300.3a` of `300.3a`.
pub fn paragraph(word: &str) -> Option<String> {
    leading(word).map(|(number, _)| number)
}

/// The paragraph that a word names, or the first and the last of several: `415-416`.
pub fn paragraphs(word: &str) -> Option<String> {
    let (first, rest) = leading(word)?;
    let last = rest.strip_prefix(['-', '–']).and_then(leading).map(|(number, _)| number);
    Some(last.map_or_else(|| first.clone(), |last| format!("{first}-{last}")))
}

/// The paragraph at the beginning of a word, and what follows it.
fn leading(word: &str) -> Option<(String, &str)> {
    let mut rest = word.trim_start_matches(['¶', '§', '[', '(']);
    let mut number = String::new();
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (more, behind) = rest.split_at_checked(digits)?;
        if more.is_empty() {
            break;
        }
        number.push_str(more);
        rest = behind;
        match behind.strip_prefix('.').filter(|next| next.starts_with(|c: char| c.is_ascii_digit())) {
            Some(next) => {
                number.push('.');
                rest = next;
            }
            None => break,
        }
    }
    let letter = rest.chars().next().filter(char::is_ascii_lowercase);
    let alone = rest.chars().nth(1).is_none_or(|c| !c.is_alphanumeric());
    if let Some(letter) = letter.filter(|_| alone) {
        number.push(letter);
        rest = rest.get(1..).unwrap_or_default();
    }
    number.starts_with(|c: char| c.is_ascii_digit()).then_some((number, rest))
}

/// The plain form of a character that is not just a letter with an accent.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'ä' | 'æ' => "ae",
        'ö' | 'œ' => "oe",
        'ü' => "ue",
        'Ä' | 'Æ' => "Ae",
        'Ö' | 'Œ' => "Oe",
        'Ü' => "Ue",
        'ß' => "ss",
        'ø' => "o",
        'Ø' => "O",
        'ł' => "l",
        'Ł' => "L",
        'đ' | 'ð' => "d",
        'Đ' | 'Ð' => "D",
        'þ' => "th",
        'Þ' => "Th",
        'ı' => "i",
        '¶' | '§' => "",
        '·' => ";",
        '×' => "x",
        '½' => "1/2",
        '¼' => "1/4",
        '¾' => "3/4",
        '†' => "+",
        '‘' | '’' | '′' => "'",
        '“' | '”' | '„' | '«' | '»' => "\"",
        '–' | '—' | '−' | '‐' | '‑' => "-",
        '…' => "...",
        '\u{a0}' => " ",
        _ => return None,
    })
}

/// Writes a letter without its accents, or `?`.
fn push_bare(out: &mut String, c: char) {
    if is_combining_mark(c) {
        return;
    }
    let bare: String = std::iter::once(c).nfkd().filter(|&p| !is_combining_mark(p)).collect();
    if bare.is_empty() || !bare.is_ascii() {
        out.push('?');
    } else {
        out.push_str(&bare);
    }
}

/// Folds accents and case away, for matching of names: `DURENSTEIN` and `Dürenstein` fold to the same.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.nfkd().filter(|&c| !is_combining_mark(c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => out.push_str("ss"),
            'ø' | 'ł' | 'đ' | 'æ' | 'œ' | 'ð' | 'þ' | 'ı' | '’' | '‘' => {
                out.push_str(plain(c).unwrap_or(""))
            }
            _ => out.push(c),
        }
    }
    out
}

/// Whether two names are the same but for accents and case; `Duernstein` is `Dürnstein` too.
pub fn same_name(a: &str, b: &str) -> bool {
    fold(a) == fold(b) || fold(&ascii(a)) == fold(&ascii(b))
}

/// The candidate nearest to a word that was not understood, if one is near enough to offer.
///
/// Accents and case do not count; at most one slip and one more for every four letters; the earlier wins a tie.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The distance costs the product of both lengths.
    if word.chars().nth(NEAR_CHARS_MAX).is_some() {
        return None;
    }
    let folded = fold(word);
    let allowed = 1 + width(&folded) / 4;
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let far = slips(&folded, &fold(candidate)).min(slips(&folded, &fold(&ascii(candidate))));
        if far <= allowed && best.is_none_or(|(least, _)| far < least) {
            best = Some((far, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Letters put in, left out, changed or swapped between two words.
fn slips(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
}

/// The same with a capital at its head.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Writes `1st`, `2nd`, `3rd`, `4th`, `11th`.
pub fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// Writes a number up to twelve in words, a greater one in figures.
pub fn number(n: u32) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    usize::try_from(n).ok().and_then(|i| WORDS.get(i)).map_or_else(|| n.to_string(), |w| (*w).to_owned())
}

/// Writes a count with its noun: `1 hex`, `3 hexes`.
pub fn plural(n: impl Into<i64>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Writes a number of halves: 3 as `1.5`, 4 as `2`.
pub fn halves(n: u32) -> String {
    if n.is_multiple_of(2) { (n / 2).to_string() } else { format!("{}.5", n / 2) }
}

/// Joins words as in a sentence: `a`, `a and b`, `a, b and c`.
pub fn and_list<T: Display>(items: &[T]) -> String {
    list(items, "and")
}

/// Joins words as in a sentence: `a`, `a or b`, `a, b or c`.
pub fn or_list<T: Display>(items: &[T]) -> String {
    list(items, "or")
}

fn list<T: Display>(items: &[T], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.to_string(),
        [front @ .., last] => {
            let front: Vec<String> = front.iter().map(T::to_string).collect();
            format!("{} {word} {last}", front.join(", "))
        }
    }
}

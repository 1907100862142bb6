//! Text as people's programs send it, made into text as people type it.
//!
//! NFKC first (it turns most odd spaces and full-width letters into plain ones), then the dashes, quotes and
//! invisible characters that NFKC leaves alone.

use unicode_normalization::UnicodeNormalization;

/// Cleans a text: `\n` line ends, no control or invisible characters, plain spaces, dashes and quotes.
pub(super) fn clean(text: &str) -> String {
    let prepared: String = Prepared { chars: text.chars().peekable(), waiting: None, before: ' ' }.collect();
    let mut cleaned = String::with_capacity(prepared.len());
    // Nothing combines with a line's end, and ASCII is NFKC already.
    for line in prepared.split_inclusive('\n') {
        match line.is_ascii() {
            true => cleaned.extend(line.chars().filter_map(plain)),
            false => cleaned.extend(line.nfkc().filter_map(plain)),
        }
    }
    cleaned
}

/// Makes one line of a header clean: as `clean`, with every line end and tab a space.
pub(super) fn clean_line(text: &str) -> String {
    let cleaned = clean(text);
    cleaned.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The characters before NFKC: line ends made one, and a space put between a figure and a fraction.
struct Prepared<I: Iterator<Item = char>> {
    chars: std::iter::Peekable<I>,
    waiting: Option<char>,
    before: char,
}

impl<I: Iterator<Item = char>> Iterator for Prepared<I> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        if let Some(c) = self.waiting.take() {
            self.before = c;
            return Some(c);
        }
        let c = match self.chars.next()? {
            '\r' => {
                self.chars.next_if_eq(&'\n');
                '\n'
            }
            '\u{0b}' | '\u{0c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
            // "3½" must not become "31/2".
            c if is_fraction(c) && self.before.is_ascii_digit() => {
                self.waiting = Some(c);
                ' '
            }
            c => c,
        };
        self.before = c;
        Some(c)
    }
}

fn is_fraction(c: char) -> bool {
    matches!(c, '\u{bc}'..='\u{be}' | '\u{2150}'..='\u{215f}' | '\u{2189}')
}

/// One character after NFKC made plain, or none where it prints nothing.
fn plain(c: char) -> Option<char> {
    match c {
        '\n' => Some('\n'),
        '\t' => Some(' '),
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => None,
        '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => None,
        '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}' => None,
        '\u{e0000}'..='\u{e0fff}' => None,
        c if c.is_control() => None,
        '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{2e3a}' | '\u{2e3b}' => Some('-'),
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2035}' | '\u{2039}' | '\u{203a}' => Some('\''),
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{2036}' | '\u{ab}' | '\u{bb}' => Some('"'),
        '\u{2044}' | '\u{2215}' => Some('/'),
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    }
}

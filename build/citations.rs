//! The index behind `estafette where`: which items cite a rule in their doc lines, and which cases prove it.
//!
//! One line an entry, its cells apart by tabs; `src/cli/finder.rs` reads it:
//! `rule RULESET KEY`, `item RULESET PLACE NAME KEYS`, `case RULESET FILE TITLE KEYS`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// A range of a citation names at most this many paragraphs; a wider one says where a chapter stands, not a rule.
const RANGE_MAX: u32 = 40;

/// How a ruleset's rules are named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Paragraphs behind their sign, `¶107`.
    Paragraphs,
    /// Sections, `12.7.2`.
    Sections,
}

/// A ruleset and the keys of its rules, in the order of its index.
pub struct Index {
    ruleset: &'static str,
    numbers: Numbers,
    /// Row of the index to the keys of its rules.
    rows: Vec<(String, Vec<String>)>,
    keys: Vec<String>,
}

impl Index {
    /// Reads the index of a ruleset.
    pub fn read(root: &Path, ruleset: &'static str) -> io::Result<Index> {
        let text = fs::read_to_string(root.join("tests/rules").join(format!("{ruleset}.tsv")))?;
        let numbers = if ruleset == "campaigns" { Numbers::Paragraphs } else { Numbers::Sections };
        let mut index = Index { ruleset, numbers, rows: Vec::new(), keys: Vec::new() };
        for line in text.lines().skip(1) {
            let mut cells = line.split('\t');
            let (Some(id), Some(cell)) = (cells.next(), cells.next()) else { continue };
            let keys = keys_of(id, cell, numbers);
            for key in &keys {
                if !index.keys.contains(key) {
                    index.keys.push(key.clone());
                }
            }
            index.rows.push((id.to_owned(), keys));
        }
        Ok(index)
    }

    /// Writes its rules, the items that cite them, and the cases that prove them.
    pub fn write(&self, root: &Path, sources: &[(String, String)], into: &mut String) -> io::Result<()> {
        for key in &self.keys {
            let _ = writeln!(into, "rule\t{}\t{key}", self.ruleset);
        }
        for (place, text) in sources.iter().filter(|(place, _)| self.holds(place)) {
            for (line, name, doc) in items(text) {
                let keys = self.cited(&doc);
                if !keys.is_empty() {
                    let _ = writeln!(into, "item\t{}\t{place}:{line}\t{name}\t{}", self.ruleset, keys.join(" "));
                }
            }
        }
        let mut files = Vec::new();
        super::files_of(&root.join("tests/cases").join(self.ruleset), "yaml", &mut files)?;
        files.sort();
        for path in files {
            let place = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            for (title, rows) in cases(&fs::read_to_string(&path)?) {
                let keys: BTreeSet<usize> = self
                    .rows
                    .iter()
                    .filter(|(id, _)| rows.contains(id))
                    .flat_map(|(_, keys)| keys.iter().filter_map(|key| self.keys.iter().position(|k| k == key)))
                    .collect();
                let keys: Vec<&str> = keys.into_iter().map(|at| self.keys[at].as_str()).collect();
                let _ = writeln!(into, "case\t{}\t{place}\t{title}\t{}", self.ruleset, keys.join(" "));
            }
        }
        Ok(())
    }

    /// Whether a source file may cite this ruleset. Paragraphs carry a sign of their own, so any file may.
    fn holds(&self, place: &str) -> bool {
        let mut parts = place.split('/');
        let tactical = self.numbers == Numbers::Sections && place.starts_with("src/rules/tactical/");
        self.numbers == Numbers::Paragraphs || tactical || parts.any(|part| part == self.ruleset)
    }

    /// The rules that a doc comment cites, in the order of the index.
    fn cited(&self, doc: &str) -> Vec<&str> {
        let chars: Vec<char> = doc.chars().collect();
        let mut found = BTreeSet::new();
        let mut at = 0;
        while at < chars.len() {
            let fresh = at.checked_sub(1).is_none_or(|before| !joined(chars[before]));
            at = match self.numbers {
                Numbers::Paragraphs if chars[at] == '¶' => self.list(&chars, at + 1, &mut found),
                Numbers::Sections if fresh && starts(&chars, at) => self.list(&chars, at, &mut found),
                _ => at + 1,
            };
        }
        self.keys.iter().enumerate().filter(|(n, _)| found.contains(n)).map(|(_, key)| key.as_str()).collect()
    }

    /// Reads `24, 158-159` from a place on; says where it ends.
    fn list(&self, chars: &[char], from: usize, found: &mut BTreeSet<usize>) -> usize {
        let (mut at, mut low) = (from, None);
        loop {
            let start = at;
            while at < chars.len() && (chars[at].is_alphanumeric() || chars[at] == '.') {
                at += 1;
            }
            if at == start {
                return at;
            }
            let name: String = chars[start..at].iter().collect();
            let here = self.at(name.trim_end_matches('.'));
            let gap = [("-", 1), ("–", 1), (", ", 2), (" and ", 5)].into_iter().find(|(gap, wide)| {
                let number = chars.get(at + wide).is_some_and(char::is_ascii_digit);
                number && gap.chars().eq(chars[at..at + wide].iter().copied())
            });
            let open = gap.filter(|(gap, _)| matches!(*gap, "-" | "–")).and(here);
            match (low, open) {
                (Some(low), _) => self.range(low, here, found),
                (None, None) => found.extend(here),
                (None, Some(_)) => {}
            }
            low = open;
            let Some((_, wide)) = gap else { return at };
            at += wide;
        }
    }

    /// The rule of a name: `107`, `285a` and `12.7.2` as they stand in the index.
    fn at(&self, name: &str) -> Option<usize> {
        let bare = match self.numbers {
            Numbers::Paragraphs => name.trim_end_matches(|c: char| c.is_ascii_lowercase()),
            Numbers::Sections => name,
        };
        self.keys.iter().position(|key| key == bare)
    }

    /// All rules from one to another; none where the range is that of a whole chapter.
    fn range(&self, low: usize, high: Option<usize>, found: &mut BTreeSet<usize>) {
        let Some(high) = high else { return };
        let (from, to) = (order(&self.keys[low]), order(&self.keys[high]));
        let wide = self.numbers == Numbers::Paragraphs && to[0].saturating_sub(from[0]) > RANGE_MAX;
        let between = |key: &str| !wide && (from.as_slice()..=to.as_slice()).contains(&order(key).as_slice());
        found.extend(self.keys.iter().enumerate().filter(|(_, key)| between(key)).map(|(n, _)| n));
    }
}

/// The numbers of a key, to compare by.
fn order(key: &str) -> Vec<u32> {
    key.split('.').map(|part| part.parse().unwrap_or(u32::MAX)).collect()
}

/// The rules of a row: `16.4.2.1 (with 24.6.3)`, `5.4.5.1, 12.7.1`, or its own name for what has no number.
fn keys_of(id: &str, cell: &str, numbers: Numbers) -> Vec<String> {
    let bare = cell.split(" (").next().unwrap_or(cell);
    let named = |part: &str| -> Option<String> {
        let part = part.split(' ').next().unwrap_or(part);
        part.starts_with(|c: char| c.is_ascii_digit()).then(|| part.to_owned())
    };
    let keys: Vec<String> = bare.split(", ").filter_map(named).collect();
    match (keys.is_empty(), numbers) {
        (false, _) => keys,
        (true, Numbers::Sections) => vec![id.rsplit('-').next().unwrap_or(id).to_owned()],
        // What has no paragraph is found by the paragraphs of the same row's rule.
        (true, Numbers::Paragraphs) => Vec::new(),
    }
}

/// Whether a sign belongs to the word or number that follows it.
fn joined(c: char) -> bool {
    c.is_alphanumeric() || "._-–+'`/:".contains(c)
}

/// Whether a section may begin here: `12.7`, or `EX.2` and `G.1`.
fn starts(chars: &[char], at: usize) -> bool {
    let digit = |n: usize| chars.get(n).is_some_and(char::is_ascii_digit);
    let lettered = matches!(chars[at..], ['E', 'X', '.', ..] | ['G', '.', ..]);
    lettered || digit(at)
}

/// The items of a source that carry a doc comment: line, name, comment. A file's own comment stands in line 1.
fn items(text: &str) -> Vec<(usize, String, String)> {
    let (mut found, mut head, mut doc) = (Vec::new(), String::new(), String::new());
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if let Some(more) = text.strip_prefix("//!") {
            head.push_str(more);
        } else if let Some(more) = text.strip_prefix("///") {
            doc.push_str(more);
        } else if !doc.is_empty() && !text.starts_with("#[") && !text.starts_with("//") && !text.is_empty() {
            found.push((line, name(text), std::mem::take(&mut doc)));
        }
    }
    if !head.is_empty() {
        found.insert(0, (1, "the whole file".to_owned(), head));
    }
    found
}

/// The name of an item by its first line: `pub(crate) fn room(v: &View)` is `room`.
fn name(line: &str) -> String {
    let skip =
        ["pub", "const", "async", "unsafe", "static", "fn", "struct", "enum", "trait", "type", "mod", "mut", "impl"];
    let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let reach = ["crate", "super", "in", "self"];
    words.find(|word| !skip.contains(word) && !reach.contains(word)).unwrap_or("the next item").to_owned()
}

/// The cases of a file, and rows that only describe: title and rows. Each stands in its line; the tests read files whole.
fn cases(text: &str) -> Vec<(String, Vec<String>)> {
    let (mut found, mut title, mut describes) = (Vec::new(), String::new(), false);
    for line in text.lines() {
        let said = line.trim();
        if !line.starts_with([' ', '#']) {
            describes = line.starts_with("described:");
        } else if let Some((row, why)) = said.split_once(": ").filter(|(row, _)| describes && !row.starts_with('#')) {
            found.push((format!("only described: {}", plain(why)), vec![row.to_owned()]));
        } else if let Some(title_said) = said.trim_start_matches("- ").strip_prefix("title: ") {
            title = plain(title_said);
        } else if let Some(rows) = said.strip_prefix("rows: [").and_then(|rows| rows.split(']').next()) {
            let rows = rows.split(',').map(|row| row.trim().trim_matches('"').to_owned());
            found.push((std::mem::take(&mut title), rows.collect()));
        }
    }
    found
}

/// A text of a case file without its quotes.
fn plain(said: &str) -> String {
    said.trim_matches('"').replace("\\\"", "\"").replace('\t', " ")
}

//! Reads source text well enough to judge it: code without comments and without what stands in quotes, functions with
//! their bodies, paths that begin with `crate`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A source file.
pub struct Source {
    /// Relative to the repository.
    pub path: String,
    /// As written.
    pub text: String,
    /// The same, line by line, without comments and without the contents of quotes.
    pub code: String,
}

/// A function of a source file.
pub struct Function {
    pub name: String,
    /// The first line of its documentation, without slashes.
    pub doc: String,
    /// From `fn` to the brace or semicolon.
    pub signature: String,
    /// Between the braces; empty where it is only declared.
    pub body: String,
    /// From `fn` to the closing brace, in lines.
    pub lines: usize,
}

/// All Rust files under a folder of the repository, in order.
pub fn sources(under: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for path in files_under(&root.join(under)) {
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push(Source::new(&path.strip_prefix(root).unwrap().to_string_lossy(), &text));
        }
    }
    assert!(!found.is_empty(), "{under} holds no source");
    found
}

/// All files under a folder, in order.
pub fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files_under(&path));
        } else {
            found.push(path);
        }
    }
    found
}

impl Source {
    pub fn new(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned(), code: bare(text) }
    }

    /// Lines that hold code.
    pub fn code_lines(&self) -> usize {
        self.code.lines().filter(|line| !line.trim().is_empty()).count()
    }

    /// All words of the code and of its documentation, in small letters.
    pub fn words(&self) -> BTreeSet<String> {
        let split = |c: char| !c.is_alphanumeric() && c != '_';
        self.text.split(split).map(str::to_lowercase).collect()
    }

    /// What the code takes from the crate, as `module/module/name` in small letters; groups are opened.
    pub fn crate_paths(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (at, _) in self.code.match_indices("crate::") {
            let before = self.code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
                continue;
            }
            let rest = &self.code[at + "crate::".len()..];
            match rest.strip_prefix('{') {
                Some(group) => {
                    let end = group.find('}').unwrap_or(group.len());
                    found.extend(group[..end].split(',').map(|one| path_of(one.trim())).filter(|one| !one.is_empty()));
                }
                None => found.push(path_of(rest)),
            }
        }
        found
    }
}

fn path_of(text: &str) -> String {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(text.len());
    let parts = text[..end].split("::").filter(|part| part.chars().next().is_some_and(char::is_lowercase));
    parts.collect::<Vec<_>>().join("/")
}

/// The functions of a file, in order.
pub fn function_bodies(source: &Source) -> Vec<Function> {
    let code = &source.code;
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[at + 3..];
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        // A function pointer's type has no name.
        if name.is_empty() {
            continue;
        }
        let Some(open) = rest.find(['{', ';']) else { continue };
        let body = if rest[open..].starts_with('{') { braced(&rest[open..]) } else { "" };
        let whole = &rest[..open + body.len()];
        let lines = whole.lines().count();
        let doc = doc_above(&source.text, code[..at].lines().count().max(1) - usize::from(!code[..at].ends_with('\n')));
        found.push(Function { name, doc, signature: rest[..open].to_owned(), body: body.to_owned(), lines });
    }
    found
}

/// From an opening brace to the one that closes it.
fn braced(text: &str) -> &str {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return &text[..=at];
                }
            }
            _ => {}
        }
    }
    text
}

/// What follows a call whose opening bracket stands at a place.
pub fn after_call(text: &str, open: usize) -> &str {
    let mut depth = 0usize;
    for (at, c) in text[open..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return &text[open + at + 1..];
                }
            }
            _ => {}
        }
    }
    ""
}

/// The first line of the documentation above a line, counted from 0; attributes between are passed over.
fn doc_above(text: &str, line: usize) -> String {
    let lines: Vec<&str> = text.lines().take(line).collect();
    let mut first = "";
    for above in lines.iter().rev() {
        let above = above.trim();
        if let Some(doc) = above.strip_prefix("///") {
            first = doc.trim();
        } else if !above.starts_with("#[") {
            break;
        }
    }
    first.to_owned()
}

/// Blanks comments, and what stands in quotes.
fn bare(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let end = match (c, chars.get(at + 1)) {
            ('/', Some('/')) => run(&chars, at, |i| chars[i] == '\n'),
            ('/', Some('*')) => block_comment(&chars, at),
            ('r', Some('"' | '#'))
                if !chars.get(at.wrapping_sub(1)).is_some_and(|b| b.is_alphanumeric() || *b == '_') =>
            {
                raw_string(&chars, at)
            }
            ('"', _) => quoted(&chars, at),
            ('\'', Some('\\')) => run(&chars, at + 3, |i| chars[i] == '\'') + 1,
            ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => at + 3,
            _ => {
                out.push(c);
                at += 1;
                continue;
            }
        };
        // Quotes stay as a mark that something stood there; line ends stay, so that lines can be counted.
        if c != '/' {
            out.push_str("\"\"");
        }
        out.extend(chars[at..end.min(chars.len())].iter().filter(|c| **c == '\n'));
        at = end;
    }
    out
}

fn run(chars: &[char], from: usize, stop: impl Fn(usize) -> bool) -> usize {
    (from..chars.len()).find(|i| stop(*i)).unwrap_or(chars.len())
}

fn block_comment(chars: &[char], from: usize) -> usize {
    run(chars, from + 2, |i| chars[i] == '*' && chars.get(i + 1) == Some(&'/')) + 2
}

fn quoted(chars: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(c) = chars.get(at) {
        match c {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

fn raw_string(chars: &[char], from: usize) -> usize {
    let hashes = chars[from + 1..].iter().take_while(|c| **c == '#').count();
    if chars.get(from + 1 + hashes) != Some(&'"') {
        // A raw identifier.
        return from + 1;
    }
    let ends = |i: usize| chars[i] == '"' && chars[i + 1..].iter().take_while(|c| **c == '#').count() >= hashes;
    run(chars, from + 2 + hashes, ends) + 1 + hashes
}

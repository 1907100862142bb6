//! HTML made plain: block elements become lines, cited blocks become `> ` lines.
//!
//! The mail parser's own converter runs lines of `<div>` together and drops the difference between quoted and own
//! text; for orders both matter. Entities are still decoded by it. One pass, linear in the input.

use mail_parser::decoders::html::add_html_token;

/// Deepest quoting that is still drawn; deeper citations look the same to the reader of orders.
const QUOTE_DEPTH_MAX: usize = 8;
/// Bytes within which a tag's quoted attributes are honoured; a longer tag ends at the next `>`.
const TAG_BYTES_MAX: usize = 4096;
/// Longest entity name, with `&` and `;`.
const ENTITY_BYTES_MAX: usize = 40;

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 27] = [
    "address", "article", "aside", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "html", "li", "ol", "p", "section", "table", "tr", "ul",
];
/// Elements whose content nobody reads.
const HIDDEN: [&str; 5] = ["style", "script", "template", "title", "noscript"];

/// Turns an HTML mail body into plain text.
pub(super) fn to_plain(html: &str) -> String {
    let mut page = Page::default();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (text, tagged) = rest.split_at(at);
        page.text(text);
        match tag_end(tagged) {
            Some(end) => {
                let tag = tagged.get(1..end).unwrap_or_default();
                rest = tagged.get(end + 1..).unwrap_or_default();
                if let Some(hidden) = page.tag(tag) {
                    rest = after_close(rest, hidden);
                }
            }
            None => {
                page.text("<");
                rest = tagged.get(1..).unwrap_or_default();
            }
        }
    }
    page.text(rest);
    page.line_end();
    page.out
}

/// Where the tag that starts `tagged` ends (the place of its `>`), or none where no tag starts here.
fn tag_end(tagged: &str) -> Option<usize> {
    if let Some(comment) = tagged.strip_prefix("<!--") {
        return comment.find("-->").map(|at| at + "<!--".len() + "--".len()).or(Some(tagged.len() - 1));
    }
    let first = tagged.as_bytes().get(1)?;
    if !first.is_ascii_alphabetic() && !matches!(first, b'/' | b'!' | b'?') {
        return None;
    }
    let mut quote = None;
    for (at, byte) in tagged.bytes().enumerate().take(TAG_BYTES_MAX).skip(1) {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    // A quote that never closes, or a picture inside the tag. An unclosed last tag takes the rest with it.
    Some(tagged.find('>').unwrap_or(tagged.len() - 1))
}

/// What follows the closing tag of a hidden element; nothing where it is never closed.
fn after_close<'t>(rest: &'t str, name: &str) -> &'t str {
    let mut from = 0;
    while let Some(at) = rest.get(from..).and_then(|tail| tail.find("</")) {
        let inside = rest.get(from + at + 2..).unwrap_or_default();
        if inside.get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name)) {
            return inside.find('>').and_then(|end| inside.get(end + 1..)).unwrap_or_default();
        }
        from += at + 2;
    }
    ""
}

/// The page as far as it is written.
#[derive(Default)]
struct Page {
    out: String,
    line: String,
    /// White space seen since the last word of the line.
    gap: bool,
    /// One entry a `<blockquote>`: whether it cites.
    cited: Vec<bool>,
    /// How many of them cite.
    quotes: usize,
    /// Depth of `<pre>`.
    pre: usize,
}

impl Page {
    /// Takes one tag without its angle brackets; answers the name of an element to be left out whole.
    fn tag(&mut self, tag: &str) -> Option<&'static str> {
        let (closing, tag) = match tag.strip_prefix('/') {
            Some(tag) => (true, tag),
            None => (false, tag),
        };
        let name_end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let (name, attributes) = tag.split_at(name_end);
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "br" => self.line_end(),
            "hr" => {
                self.block();
                self.line.push_str("________________");
                self.line_end();
            }
            "blockquote" if closing => {
                self.block();
                let cites = self.cited.pop().unwrap_or_default();
                self.quotes = self.quotes.saturating_sub(usize::from(cites));
            }
            "blockquote" => {
                self.block();
                let cites = cites(attributes);
                self.cited.push(cites);
                self.quotes += usize::from(cites);
            }
            "pre" => {
                self.block();
                self.pre = if closing { self.pre.saturating_sub(1) } else { self.pre + 1 };
            }
            "td" | "th" => self.gap = true,
            name if BLOCKS.contains(&name) => self.block(),
            name if !closing => return HIDDEN.iter().find(|&&hidden| hidden == name).copied(),
            _ => {}
        }
        None
    }

    /// Takes text between tags, with entities.
    fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find('&') {
            let (before, from) = rest.split_at(at);
            self.words(before);
            let window = from.as_bytes().get(..from.len().min(ENTITY_BYTES_MAX)).unwrap_or_default();
            let end = window.iter().position(|&b| b == b';').filter(|&end| {
                window.get(1..end).is_some_and(|name| name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'#'))
            });
            let (entity, after) = from.split_at(end.map_or(1, |end| end + 1));
            let mut decoded = String::new();
            add_html_token(&mut decoded, entity.as_bytes(), false);
            self.words(&decoded);
            rest = after;
        }
        self.words(rest);
    }

    fn words(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '\n' if self.pre > 0 => self.line_end(),
                '\r' => {}
                c if c.is_ascii_whitespace() && self.pre == 0 => self.gap = true,
                c => {
                    if self.gap && !self.line.is_empty() {
                        self.line.push(' ');
                    }
                    self.gap = false;
                    self.line.push(c);
                }
            }
        }
    }

    /// Begins a new line, unless one has just begun.
    fn block(&mut self) {
        self.gap = false;
        if !self.line.is_empty() {
            self.line_end();
        }
    }

    fn line_end(&mut self) {
        for _ in 0..self.quotes.min(QUOTE_DEPTH_MAX) {
            self.out.push_str("> ");
        }
        self.out.push_str(&self.line);
        self.out.push('\n');
        self.line.clear();
        self.gap = false;
    }
}

/// Whether a `<blockquote>` quotes somebody, or only indents as some programs' indent buttons do.
fn cites(attributes: &str) -> bool {
    let attributes = attributes.to_ascii_lowercase();
    let marked = ["cite", "quote", "border-left"].iter().any(|word| attributes.contains(word));
    marked || !(attributes.contains("margin") && attributes.contains("border"))
}

//! The same letter as a page of HTML: one column that reflows, tables as tables, drawings in `pre`, nothing from outside.
//!
//! It is filled from the same template and the same context as the plain text, so it says what that says. Each filter
//! marks what it gives with its kind; what a template says outside them is a heading, or lines that flow.

use super::Form;
use crate::ink;
use crate::text::ascii;
use std::fmt::Write as _;
use std::mem;

/// What a filter gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heading.
    Heading,
    /// A paragraph.
    Text,
    /// A paragraph with a label before it.
    Label,
    /// A line to copy.
    Order,
    /// Rows of a table.
    Rows,
    /// A drawing.
    Drawn,
    /// A picture that the mail carries.
    Picture,
    /// Lines of any kind, broken for the plain page: sentences, lists, tables.
    Lines,
}

/// Around what a filter gives, and behind the label of a paragraph. Whoever writes them in a letter of his own gets a
/// crooked page and no more: all between them is escaped.
const MARKS: [char; 3] = ['\u{E000}', '\u{E001}', '\u{E002}'];

/// The page's own measure: readable on a phone of 375 pixels, a column of text on a screen.
const BODY: &str = "font:16px/1.4 sans-serif;max-width:46em;margin:0 auto;padding:0 8px;overflow-wrap:anywhere";
/// A drawing as wide as a phone where it can be read so, else it scrolls.
const DRAWING: &str = "overflow-x:auto;line-height:1.2;font-size:max(9px,min(2.1vw,13px))";
/// The width of a small phone between the margins of the page, of a letter, and of what parts two columns, in pixels.
const PHONE: [usize; 3] = [344, 10, 16];
/// Cells of a table that would be wider than a phone: each flows to the next line where it has no room. As many twentieths of
/// an `em` as a letter takes keep them in columns where there is room.
const FLOWING: &str = "display:inline-block;vertical-align:top;max-width:100%;padding:0 1em 0 0";
const LETTER: usize = 10;
/// The widest column that is kept: two of them stand side by side on a phone.
const COLUMN: usize = 17;
/// The longest of two cells that are a row of a table, and no sentence behind its number.
const SHORT: usize = 30;
/// Cells that stand apart. A column is as wide as its longest word, which is broken where the page has no room for it alone.
const CELL: &str = "padding:0 1em 0 0;vertical-align:top;overflow-wrap:break-word";

impl Kind {
    const ALL: [(Kind, char); 8] = [
        (Kind::Heading, 'h'),
        (Kind::Text, 't'),
        (Kind::Label, 'l'),
        (Kind::Order, 'o'),
        (Kind::Rows, 'r'),
        (Kind::Drawn, 'd'),
        (Kind::Picture, 'p'),
        (Kind::Lines, 's'),
    ];

    /// What a filter gives, marked; running text without the breaks of the plain page.
    pub(super) fn mark(self, text: &str) -> String {
        let [open, close, _] = MARKS;
        let sign = Kind::ALL.iter().find(|(kind, _)| *kind == self).map_or('t', |(_, sign)| *sign);
        let said = match self {
            Kind::Rows | Kind::Drawn | Kind::Picture | Kind::Lines => text.to_owned(),
            Kind::Heading | Kind::Text | Kind::Label | Kind::Order => joined(text),
        };
        format!("{open}{sign}{said}{close}")
    }

    /// A paragraph with its label, marked.
    pub(super) fn labelled(label: &str, text: &str) -> String {
        let [_, _, behind] = MARKS;
        let said = joined(text);
        let rest = said.strip_prefix(label).map_or(said.as_str(), str::trim_start);
        Kind::Label.mark(&format!("{label}{behind}{rest}"))
    }

    /// A picture: its name in the mail, what it shows in words.
    pub(super) fn pictured(cid: &str, said: &str) -> String {
        let [_, _, behind] = MARKS;
        Kind::Picture.mark(&format!("{cid}{behind}{said}"))
    }

    fn of(sign: char) -> Option<Kind> {
        Kind::ALL.iter().find(|(_, known)| *known == sign).map(|(kind, _)| *kind)
    }
}

/// Lines as one, each without the blanks around it.
fn joined(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// A page in the making.
#[derive(Default)]
struct Page {
    out: String,
    /// Indented lines outside the filters.
    loose: Vec<String>,
    /// The rows of the table that is open.
    rows: Vec<String>,
    /// The last heading, which names a drawing.
    heading: String,
    /// How wide the plain page is.
    width: usize,
    /// The names of the pictures that it shows.
    pictures: Vec<String>,
}

/// Brings a filled template into the shape of a page; gives the names of the pictures that it shows besides.
pub(super) fn finish(filled: &str, title: &str, form: &Form) -> (String, Vec<String>) {
    let [open, close, _] = MARKS;
    let filled = if form.ascii { plain_letters(filled) } else { filled.to_owned() };
    let title = if form.ascii { ascii(title) } else { title.to_owned() };
    let mut page = Page { width: form.width, ..Page::default() };
    for part in filled.split_inclusive(close) {
        let (outside, marked) = part.split_once(open).unwrap_or((part, ""));
        outside.trim_end_matches(close).lines().for_each(|line| page.line(line));
        let mut inside = marked.trim_end_matches(close).chars();
        if let Some(kind) = inside.next().and_then(Kind::of) {
            page.part(kind, inside.as_str());
        }
    }
    page.shut();
    let html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title></head>\n<body style=\"{BODY}\">\n{}</body></html>\n",
        escaped(&title),
        page.out
    );
    (html, page.pictures)
}

/// Plain letters, the marks kept.
fn plain_letters(filled: &str) -> String {
    let piece = |piece: &str| {
        let (body, mark) = match piece.char_indices().next_back() {
            Some((at, last)) if MARKS.contains(&last) => piece.split_at(at),
            _ => (piece, ""),
        };
        body.split('\n').map(ascii).collect::<Vec<_>>().join("\n") + mark
    };
    filled.split_inclusive(MARKS).map(piece).collect()
}

impl Page {
    /// A line that no filter gave: a heading, or, where it is indented, one of a paragraph.
    fn line(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        if line.starts_with(' ') {
            self.table();
            self.loose.push(line.to_owned());
        } else {
            self.part(Kind::Heading, line);
        }
    }

    fn part(&mut self, kind: Kind, text: &str) {
        if kind != Kind::Rows {
            self.table();
        }
        self.lines();
        if text.trim().is_empty() {
            return;
        }
        let [_, _, behind] = MARKS;
        let said = escaped(text.trim());
        let _ = match kind {
            Kind::Heading => {
                self.heading = text.trim().to_owned();
                writeln!(self.out, "<h2 style=\"font-size:1em\">{said}</h2>")
            }
            Kind::Text => writeln!(self.out, "<p>{said}</p>"),
            Kind::Label => match said.split_once(behind) {
                Some((label, said)) => writeln!(self.out, "<p><b>{label}</b> {said}</p>"),
                None => writeln!(self.out, "<p>{said}</p>"),
            },
            Kind::Order => writeln!(self.out, "<p><code>{said}</code></p>"),
            Kind::Drawn => self.drawing(text),
            Kind::Picture => self.picture(text),
            Kind::Lines => {
                self.running(text);
                Ok(())
            }
            Kind::Rows => {
                self.rows.extend(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned));
                Ok(())
            }
        };
    }

    fn drawing(&mut self, text: &str) -> std::fmt::Result {
        let name = escaped(&self.heading).replace('"', "&quot;");
        writeln!(self.out, "<pre style=\"{DRAWING}\" aria-label=\"{name}\">{}</pre>", escaped(text.trim_end()))
    }

    /// Lines that were broken for the plain page, as sentences, and what stands in columns as a table.
    fn running(&mut self, text: &str) {
        let mut said = String::new();
        // How long the last line was, of which the sentence may go on.
        let mut before = 0;
        for line in text.lines() {
            let row = cells(line);
            let is_row = row.len() > 2 || (row.len() == 2 && row.iter().all(|cell| cell.chars().count() <= SHORT));
            let first = line.split_whitespace().next().map_or(0, |word| word.chars().count());
            let goes_on = !said.is_empty() && !is_row && before + 1 + first > self.width;
            if !goes_on {
                self.sentence(&mem::take(&mut said));
            }
            if is_row {
                self.rows.push(line.to_owned());
            } else if !line.trim().is_empty() {
                self.table();
                said = format!("{said} {}", line.split_whitespace().collect::<Vec<_>>().join(" ")).trim().to_owned();
            }
            before = line.chars().count();
        }
        self.sentence(&said);
        self.table();
    }

    fn sentence(&mut self, said: &str) {
        if !said.is_empty() {
            let _ = writeln!(self.out, "<p style=\"margin:.3em 0\">{}</p>", escaped(said));
        }
    }

    /// A picture as wide as the page; programs that know no such style take its width.
    fn picture(&mut self, text: &str) -> std::fmt::Result {
        let [_, _, behind] = MARKS;
        let (cid, said) = text.split_once(behind).unwrap_or((text, ""));
        self.pictures.push(cid.to_owned());
        let (cid, said) = (ink::escaped(cid), ink::escaped(said));
        writeln!(
            self.out,
            "<p><img src=\"cid:{cid}\" width=\"600\" style=\"width:100%;height:auto\" alt=\"{said}\"></p>"
        )
    }

    /// Writes the loose lines that wait.
    fn lines(&mut self) {
        let lines = mem::take(&mut self.loose);
        self.running(&lines.join("\n"));
    }

    /// Writes the table that waits: a row without cells of its own goes across.
    fn table(&mut self) {
        let rows: Vec<Vec<String>> = mem::take(&mut self.rows).iter().map(|row| cells(row)).collect();
        let wide = rows.iter().map(Vec::len).max().unwrap_or(0);
        if wide == 0 {
            return;
        }
        if too_wide(&rows) {
            return self.flowing(&rows, wide);
        }
        self.out.push_str("<table style=\"border-spacing:0\">\n");
        for row in rows {
            let last = row.len().saturating_sub(1);
            self.out.push_str("<tr>");
            for (at, cell) in row.iter().enumerate() {
                let span = if at == last { wide - last } else { 1 };
                let _ = write!(self.out, "<td style=\"{CELL}\" colspan=\"{span}\">{}</td>", escaped(cell));
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</table>\n");
    }

    /// Writes rows whose cells flow.
    fn flowing(&mut self, rows: &[Vec<String>], wide: usize) {
        let widths: Vec<usize> =
            (0..wide).map(|at| column(rows, at, |cell| cell.chars().count()).min(COLUMN)).collect();
        self.out.push_str("<div style=\"margin:1em 0\">\n");
        for row in rows {
            self.out.push_str("<p style=\"margin:.2em 0\">");
            let last = row.len().saturating_sub(1);
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let tenths = width * LETTER / 2;
                let least =
                    if at == last { String::new() } else { format!(";min-width:{}.{}em", tenths / 10, tenths % 10) };
                let _ = write!(self.out, "<span style=\"{FLOWING}{least}\">{}</span> ", escaped(cell));
            }
            self.out.push_str("</p>\n");
        }
        self.out.push_str("</div>\n");
    }

    fn shut(&mut self) {
        self.table();
        self.lines();
    }
}

/// The most of something that the cells of a column have; rows that go across have no column.
fn column(rows: &[Vec<String>], at: usize, of: impl Fn(&str) -> usize) -> usize {
    rows.iter().filter(|row| row.len() > 1).filter_map(|row| row.get(at)).map(|cell| of(cell)).max().unwrap_or(0)
}

/// Whether a table is wider than a phone, each cell broken wherever it can be.
fn too_wide(rows: &[Vec<String>]) -> bool {
    let [phone, letter, gap] = PHONE;
    let longest = |cell: &str| cell.split([' ', '-']).map(|word| word.chars().count()).max().unwrap_or(0);
    let wide = rows.iter().map(Vec::len).max().unwrap_or(0);
    (0..wide).map(|at| column(rows, at, longest) * letter + gap).sum::<usize>() > phone
}

/// The cells of a row: what stands two blanks apart, but for sentences.
fn cells(row: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for cell in row.trim().split("  ").filter(|cell| !cell.trim().is_empty()) {
        let cell = cell.trim();
        match found.last_mut() {
            Some(last) if last.ends_with(['.', '?', ':', ';']) => {
                last.push(' ');
                last.push_str(cell);
            }
            _ => found.push(cell.to_owned()),
        }
    }
    found
}

/// Text that no reader of HTML takes for anything else.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

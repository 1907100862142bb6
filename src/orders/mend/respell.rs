//! A line whose words are put right one after the other, each to the nearest that its reader expects there.

use crate::orders::{self, Fault, Line};

/// Words of one line that are put right.
const WORDS_MAX: usize = 6;

/// What came of it.
pub struct Respelt {
    /// The line with its words put right.
    pub text: String,
    /// Words that were changed.
    pub changed: u32,
    /// The words, each with what stands in its place.
    pub words: Vec<(String, String)>,
    /// What is still wrong with it.
    pub fault: Option<Fault>,
}

/// Puts words right as long as the reader names a nearest one.
pub fn respell(text: &str, read: impl Fn(&Line) -> Result<(), Fault>) -> Respelt {
    let mut found = Respelt { text: text.to_owned(), changed: 0, words: Vec::new(), fault: None };
    for _ in 0..WORDS_MAX {
        let line = orders::line(1, &found.text);
        let Err(fault) = read(&line) else {
            found.fault = None;
            return found;
        };
        let next = match &fault {
            Fault::Unclear { said, nearest: Some(nearest), .. } => {
                replaced(&line, said, nearest).map(|text| (text, (said.clone(), nearest.clone())))
            }
            _ => None,
        };
        found.fault = Some(fault);
        let Some((text, word)) = next.filter(|(text, _)| *text != found.text) else { return found };
        found.text = text;
        found.words.push(word);
        found.changed += 1;
    }
    found
}

/// A line with one word replaced.
fn replaced(line: &Line, said: &str, by: &str) -> Option<String> {
    let word = line.words.iter().find(|w| !said.is_empty() && w.text == said)?;
    let before: String = line.source.chars().take(word.span.0).collect();
    let after: String = line.source.chars().skip(word.span.1).collect();
    let by = if by.contains(' ') { format!("\"{by}\"") } else { by.to_owned() };
    Some(format!("{before}{by}{after}"))
}

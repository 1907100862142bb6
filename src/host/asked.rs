//! Plain questions to which a ruleset has no answer of its own: what a word means, where somebody stands, how long the game
//! lasts, what was lost. All comes from the seat's own report and from texts that everybody may read.

use super::Game;
use super::hosted::Hosted;
use super::paper::{Paper, Topic};
use crate::fog::SeatId;
use crate::handbook::CHAPTERS;
use crate::orders::mend::hear::heard;
use crate::orders::{self, fold};

/// What somebody asks in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Asked {
    /// How many turns there are.
    Turns,
    /// What was lost.
    Lost,
    /// Where somebody or something is.
    Where(String),
    /// What a word means.
    Word(String),
    /// Something else, in these words.
    Other(Vec<String>),
}

/// Sentences and rows that one answer has at most.
const SENTENCES_MAX: usize = 3;
const ROWS_MAX: usize = 6;
/// Turns whose losses are told.
const TURNS_MAX: usize = 6;
/// A word of a question has at most so many parts.
const PARTS_MAX: usize = 3;
/// How a chapter of one game begins.
const OF_GAME: &str = "## The game ";
/// What is said where nothing else is known.
const HELP: &str = "HELP says what you can write, ORDERS every order with your own names.";
/// Words of a question that name nothing.
const EMPTY: [&str; 26] = [
    "is", "are", "was", "were", "does", "do", "did", "a", "an", "the", "my", "our", "your", "of", "mean", "means",
    "here", "now", "exactly", "it", "i", "for", "order", "please", "word", "ist",
];
/// Commands whose words are plain words of English too.
const COMMANDS: [&str; 12] =
    ["END", "YES", "CHECK", "SEND", "MAP", "REPORT", "HISTORY", "ORDERS", "UNITS", "ENEMY", "DICE", "HELP"];
const LOST: [&str; 8] = ["lose", "lost", "losses", "loss", "casualties", "verloren", "verluste", "pertes"];
const WHERE: [&str; 4] = ["where", "where's", "wo", "ou"];
const WHAT: [&str; 6] = ["what", "what's", "whats", "who", "was", "explain"];

impl Asked {
    fn read(text: &str) -> Asked {
        let words: Vec<String> = heard(&orders::line(0, text)).into_iter().map(|word| word.text).collect();
        let folds: Vec<String> = words.iter().map(|word| fold(word).replace('’', "'")).collect();
        let has = |some: &[&str]| folds.iter().any(|word| some.contains(&word.as_str()));
        let first = |some: &[&str]| folds.first().is_some_and(|word| some.contains(&word.as_str()));
        let named: Vec<String> = words
            .iter()
            .zip(&folds)
            .filter(|(_, fold)| !EMPTY.contains(&fold.as_str()) && !WHERE.contains(&fold.as_str()))
            .filter(|(_, fold)| !WHAT.contains(&fold.as_str()))
            .map(|(word, _)| word.clone())
            .collect();
        let few = (1..=PARTS_MAX).contains(&named.len());
        if has(&["turns", "turn", "long"]) && has(&["how", "which", "what"]) && !has(&["order"]) {
            Asked::Turns
        } else if has(&LOST) {
            Asked::Lost
        } else if first(&WHERE) && few {
            Asked::Where(named.join(" "))
        } else if first(&WHAT) && few {
            Asked::Word(named.join(" "))
        } else {
            Asked::Other(named)
        }
    }
}

impl<R: Paper> Hosted<R> {
    /// The answer to a question in plain words, from what its seat may know.
    pub(super) fn plainly(&self, seat: &SeatId, text: &str) -> Vec<String> {
        let report = || self.report(seat, None).into_parts().1;
        let found = match Asked::read(text) {
            Asked::Turns => vec![report().head],
            Asked::Lost => {
                let told = self.summary(seat).into_parts().1;
                let last = told.len().saturating_sub(TURNS_MAX);
                let mut lines: Vec<String> = told.into_iter().skip(last).collect();
                lines.push("UNITS shows what is left, HISTORY all that you were told.".to_owned());
                lines
            }
            Asked::Where(name) => {
                let report = report();
                let rows = report.forces.iter().chain(&report.enemy).filter(|row| says(row, &name, true));
                let mut lines: Vec<String> = rows.take(ROWS_MAX).map(|row| row.trim().to_owned()).collect();
                lines.push(match lines.is_empty() {
                    true => format!("Your report names no {name}: UNITS lists yours, ENEMY theirs, MAP draws them."),
                    false => "UNITS lists yours, ENEMY theirs, MAP draws them.".to_owned(),
                });
                lines
            }
            Asked::Word(word) => self.explained(&word),
            Asked::Other(words) => {
                let known = words.iter().find_map(|word| self.helped(word));
                known.map(|word| format!("HELP {word} explains it.")).into_iter().collect()
            }
        };
        if found.iter().all(String::is_empty) { vec![HELP.to_owned()] } else { found }
    }

    /// What a word means, and where more stands.
    fn explained(&self, word: &str) -> Vec<String> {
        let mut lines = told_of(R::NAME, R::topics(), word);
        lines.extend(self.helped(word).map(|word| format!("HELP {word} says more.")));
        lines
    }

    /// The topic or order that HELP knows by a word.
    fn helped(&self, word: &str) -> Option<&'static str> {
        let said = fold(word);
        let topics = R::topics().iter().map(|topic| topic.word);
        let verbs = R::verbs().iter().map(|verb| verb.word);
        topics.chain(verbs).find(|known| fold(known) == said)
    }
}

/// What the texts of a game, and then the handbook of all, say of a word: the sentences in which it stands.
pub fn told_of(ruleset: &str, topics: &[Topic], word: &str) -> Vec<String> {
    let letters = word.chars().count();
    if letters < 2 {
        return Vec::new();
    }
    let player = CHAPTERS.iter().find(|chapter| chapter.name == "player").map_or("", |chapter| chapter.text);
    let heading = format!("{OF_GAME}{ruleset}");
    let (mut own, mut general): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let (mut of_own, mut of_other) = (false, false);
    for line in player.lines() {
        if line.starts_with('#') {
            (of_own, of_other) = (line == heading, line.starts_with(OF_GAME) && line != heading);
            // A heading parts what stands above it from what stands below.
            general.push("");
            own.push("");
        } else if of_own {
            own.push(line);
        } else if !of_other {
            general.push(line);
        }
    }
    let of_topics = topics.iter().flat_map(|topic| topic.text.lines().chain([""]));
    // A command is written in capitals there, and another word in small letters may be spelt like it.
    let capitals = word.to_uppercase();
    // So is a word of two letters: `FV` is one, and `it` is none.
    let command = letters == 2 || COMMANDS.contains(&capitals.as_str());
    let word = if command { capitals.as_str() } else { word };
    let all = sentences(own.into_iter()).into_iter().chain(sentences(of_topics)).chain(sentences(general.into_iter()));
    let mut found: Vec<String> = Vec::new();
    for sentence in all.filter(|sentence| says(sentence, word, !command)) {
        if found.len() < SENTENCES_MAX && !found.contains(&sentence) {
            found.push(sentence);
        }
    }
    found
}

/// The sentences of running text: paragraphs end at an empty line, and examples, tables and lists of forms are left out.
fn sentences<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<String> {
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in lines {
        let runs = !line.is_empty() && !line.starts_with("    ") && !line.starts_with('|');
        match paragraphs.last_mut() {
            Some(open) if runs => {
                open.push_str(if open.is_empty() { "" } else { " " });
                open.push_str(line.trim());
            }
            Some(open) if !open.is_empty() => paragraphs.push(String::new()),
            _ => {}
        }
    }
    let of = |paragraph: String| -> Vec<String> {
        let plain = paragraph.replace(['`', '*'], "");
        let mut found: Vec<String> = Vec::new();
        let mut open = String::new();
        let mut cited = false;
        for word in plain.split_whitespace() {
            // Paragraph numbers, one or several in a bracket, belong to the sentence that they prove.
            cited |= word.starts_with('[') && open.is_empty();
            if cited && let Some(above) = found.last_mut() {
                above.push(' ');
                above.push_str(word);
                cited = !word.contains(']');
                continue;
            }
            cited = false;
            // The sign of a list is no word.
            if word == "-" && open.is_empty() {
                continue;
            }
            open.push_str(if open.is_empty() { "" } else { " " });
            open.push_str(word);
            // What stands behind a colon says what stands before it.
            if word.ends_with(['.', '?']) && word.len() > 2 {
                found.push(std::mem::take(&mut open));
            }
        }
        found.extend(Some(open).filter(|open| !open.is_empty()));
        found
    };
    paragraphs.into_iter().flat_map(of).collect()
}

/// A word without the s of several.
fn one(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// Whether a text holds a word, of one or of several; in whatever letters, if so wanted.
fn says(text: &str, word: &str, any_case: bool) -> bool {
    let same = |said: &str, word: &str| if any_case { fold(said) == fold(word) } else { said == word };
    let wanted: Vec<&str> = word.split_whitespace().collect();
    let trimmed = |said: &str| said.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words: Vec<String> = text.split_whitespace().map(trimmed).collect();
    words.windows(wanted.len().max(1)).any(|some| {
        some.len() == wanted.len() && some.iter().zip(&wanted).all(|(said, word)| same(one(said), one(word)))
    })
}

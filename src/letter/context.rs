//! What the templates may name. One struct for all letters: a template that names anything else is an error.

use serde::Serialize;

/// Everything that a letter may say, as ready words. What a letter does not need stays empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Context {
    /// The first line of the body, by which our own text is known in an answer.
    pub mark: String,
    /// The last line of the body.
    pub end: String,
    /// The game's id.
    pub game: String,
    /// The scenario's title.
    pub title: String,
    /// The seat written to.
    pub seat: String,
    /// The running number of this mail to this seat.
    pub number: u32,
    /// The game turn.
    pub turn: u32,
    /// What the mail is about, for its subject.
    pub topic: String,
    /// Game, date, weather as the ruleset words them.
    pub head: String,
    /// Who is on move.
    pub now: String,
    /// What comes next.
    pub next: String,
    /// What is due from this seat and when.
    pub due: String,
    /// What happens if it sends nothing.
    pub if_not: String,
    /// How the game stands, in one line.
    pub score: String,
    /// How the game ended, in a few words; empty while it goes on.
    pub result: String,
    /// Whether the whole report is wanted; else what is new.
    pub full: bool,
    /// The time of writing.
    pub clock: String,
    /// What happened, one paragraph an event.
    pub story: Vec<String>,
    /// Battles, a page each.
    pub battles: Vec<Block>,
    /// Open questions.
    pub questions: Vec<Question>,
    /// Lines of the open sheet that bind now.
    pub offers: Vec<String>,
    /// Whether they are a plan, and work together in their order.
    pub together: bool,
    /// Sheets that are lodged, and taken without a mail.
    pub lodged: Vec<Lodged>,
    /// What stands beside the heading of the forces.
    pub forces_title: String,
    /// Own forces, ready lines.
    pub forces: Vec<String>,
    /// What stands beside the heading of the enemy.
    pub enemy_title: String,
    /// What stands otherwise on the map than the last letter showed, ready lines.
    pub changed: Vec<String>,
    /// How the game is won, ready lines.
    pub victory: Vec<String>,
    /// In the last mail: the game in a line a turn.
    pub went: Vec<String>,
    /// In the last mail: what each side lost, and how the dice fell.
    pub toll: Vec<String>,
    /// In the opening mail: what the seat commands, and what a turn asks of it.
    pub what: Vec<String>,
    /// In the opening mail: the situation.
    pub situation: Vec<String>,
    /// In the opening mail: the forces in short.
    pub command: Vec<String>,
    /// In the opening mail: first orders with what each is for.
    pub first: Vec<Example>,
    /// In the opening mail: what a newcomer gets wrong.
    pub cautions: Vec<String>,
    /// The seats of the reader's side, where there are several.
    pub staff: Vec<String>,
    /// Forecast, ready lines.
    pub forecast: Vec<String>,
    /// The enemy as known, ready lines.
    pub enemy: Vec<String>,
    /// Maps and strips.
    pub maps: Vec<Map>,
    /// Drawn maps, for the page of HTML.
    pub plates: Vec<Plate>,
    /// Titles of maps left out because the letter grew too long.
    pub left_out: Vec<String>,
    /// Public rolls, ready words.
    pub rolls_public: Vec<String>,
    /// The seat's own rolls, ready words.
    pub rolls_own: Vec<String>,
    /// Seeds that are shown now.
    pub seeds: Vec<Seed>,
    /// The slot whose seeds are shown next.
    pub open_slot: u32,
    /// Whether the game begins with a set-up of its seats' own.
    pub set_up: bool,
    /// The root of all commitments, in hexadecimal.
    pub root: String,
    /// Whether play went back, and the root is another one than in the first mail.
    pub rerooted: bool,
    /// What is promised of the dice: `plain`, `beacon` or `value`; none under dice protocol 1.
    pub trust: Option<&'static str>,
    /// The first commitment lines.
    pub commitments: Vec<String>,
    /// How many commitment lines there are.
    pub commitments_count: u32,
    /// The master of the dice, in hexadecimal; only when the game is over.
    pub master: String,
    /// Answers to the lines of the mail that is answered.
    pub answers: Vec<Answer>,
    /// Of those that need no reason, the numbers by the word that answers them, such as `DONE  1-4, 6`, and of many others
    /// the reasons by that word; made when the letter is written.
    pub briefly: Vec<String>,
    /// What the seat asked to be sent: drawings, lists, checks.
    pub blocks: Vec<Block>,
    /// Messages of other seats.
    pub press: Vec<Press>,
    /// Sentences of the post office itself.
    pub notes: Vec<String>,
    /// Other seats by name.
    pub others: Vec<String>,
    /// Lines that the seat may copy.
    pub examples: Vec<String>,
    /// How the seat's open sheet stands.
    pub sheet: Vec<String>,
    /// Lines that hold an END.
    pub held: u32,
    /// Whether the seat's END is not counted.
    pub end_held: bool,
    /// What CHECK warns of, for the whole of its lines.
    pub warnings: Vec<String>,
}

/// The longest line of somebody else that an answer repeats, in characters.
const ECHO_CHARS_MAX: usize = 200;
/// The longest reason of an answer, and the longest line to copy.
const WHY_CHARS_MAX: usize = 1500;
const COPY_CHARS_MAX: usize = 500;
/// The longest sentence of the post office.
const NOTE_CHARS_MAX: usize = 5000;
/// The most sentences of one line or letter.
const NOTES_MAX: usize = 500;
/// The most answers of one letter.
const ANSWERS_MAX: usize = 1000;
/// The most lines that are answered by the same word, each by itself, in a short letter.
const APART_MAX: usize = 2;
/// The most lines whose reasons stand each by itself, in a short letter.
const REASONS_MAX: usize = 8;
/// Bytes of all that was asked for in one letter.
const BLOCKS_BYTES_MAX: usize = 512 << 10;

impl Context {
    /// The same, no longer than a letter may be, however long what others wrote.
    #[must_use]
    pub(super) fn bounded(mut self) -> Context {
        if let Some(over) = self.answers.len().checked_sub(ANSWERS_MAX).filter(|over| *over > 0) {
            self.answers.truncate(ANSWERS_MAX);
            self.notes.push(format!("{over} more lines were read; a letter has room for {ANSWERS_MAX} answers."));
        }
        for answer in &mut self.answers {
            shorten(&mut answer.text, ECHO_CHARS_MAX);
            shorten(&mut answer.why, WHY_CHARS_MAX);
            shorten(&mut answer.copy, COPY_CHARS_MAX);
            bound(&mut answer.notes);
            bound(&mut answer.lines);
            answer.choices.iter_mut().for_each(|choice| shorten(&mut choice.text, COPY_CHARS_MAX));
        }
        self.briefly = grouped(&mut self.answers);
        self.briefly.extend(reasons(&mut self.answers));
        bound(&mut self.notes);
        bound(&mut self.warnings);
        bound(&mut self.sheet);
        self.sheet.iter_mut().for_each(|line| shorten(line, COPY_CHARS_MAX));
        let mut bytes = 0_usize;
        for block in &mut self.blocks {
            bytes = block.body.lines.iter().fold(bytes, |sum, line| sum.saturating_add(line.len() + 1));
            if bytes > BLOCKS_BYTES_MAX {
                let why = "  left out: the letter would be too long.  Ask for it in another mail.";
                block.body = vec![why.to_owned()].into();
            }
        }
        self
    }
}

/// The numbers of the lines that need no reason, a line for each word that answers more than a few of them.
fn grouped(answers: &mut [Answer]) -> Vec<String> {
    let mut words: Vec<(String, Vec<u32>)> = Vec::new();
    let brief = |answer: &&Answer| !answer.brief.is_empty() && !answer.apart;
    for answer in answers.iter().filter(brief) {
        match words.iter_mut().find(|(word, _)| *word == answer.word) {
            Some((_, numbers)) => numbers.push(answer.no),
            None => words.push((answer.word.clone(), vec![answer.no])),
        }
    }
    words.retain(|(_, numbers)| numbers.len() > APART_MAX);
    for answer in answers.iter_mut().filter(|answer| brief(&&**answer)) {
        answer.grouped = words.iter().any(|(word, _)| *word == answer.word);
    }
    words.into_iter().map(|(word, numbers)| format!("{word:<8} {}", crate::text::runs(&numbers))).collect()
}

/// The reasons of many lines that need no more than that, a paragraph for each word that answers some of them.
fn reasons(answers: &mut [Answer]) -> Vec<String> {
    let alone = |a: &Answer| {
        let bare = a.copy.is_empty() && a.notes.is_empty() && a.choices.is_empty() && a.lines.is_empty();
        bare && a.brief.is_empty() && !a.why.is_empty() && !a.apart
    };
    if answers.iter().filter(|answer| alone(answer)).count() <= REASONS_MAX {
        return Vec::new();
    }
    let mut words: Vec<(String, Vec<String>)> = Vec::new();
    for answer in answers.iter_mut().filter(|answer| alone(answer)) {
        let said = format!("{} {}", answer.no, answer.why.trim_end_matches('.'));
        match words.iter_mut().find(|(word, _)| *word == answer.word) {
            Some((_, all)) => all.push(said),
            None => words.push((answer.word.clone(), vec![said])),
        }
        answer.grouped = true;
    }
    words.into_iter().map(|(word, all)| format!("{word:<8} {}.", all.join("; "))).collect()
}

fn shorten(text: &mut String, most: usize) {
    // A text has at most as many characters as bytes.
    if text.len() > most {
        *text = crate::text::shortened(text, most).into_owned();
    }
}

fn bound(notes: &mut Vec<String>) {
    notes.truncate(NOTES_MAX);
    notes.iter_mut().for_each(|note| shorten(note, NOTE_CHARS_MAX));
}

/// An open question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Question {
    /// Such as `Q1`.
    pub key: String,
    /// One sentence.
    pub question: String,
    /// The paragraphs it rests on.
    pub rule: String,
    /// Lines to copy.
    pub answers: Vec<String>,
    /// What is taken if no answer comes.
    pub default: String,
}

/// A sheet that is lodged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Lodged {
    /// Whose it is, and its lines.
    pub said: String,
    /// The line that takes it back.
    pub back: String,
}

/// An order that may be sent as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The line.
    pub line: String,
    /// What it is for.
    pub why: String,
}

/// A drawing with its title.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Map {
    /// Such as `round Lannes`.
    pub title: String,
    /// Ready lines.
    pub lines: Vec<String>,
    /// Left out first when a letter grows too long.
    pub theatre: bool,
    /// Whether a plate shows all that it shows.
    pub plated: bool,
}

/// A drawn map, as the page shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Plate {
    /// Such as `round Lannes`.
    pub title: String,
    /// What it shows, in words.
    pub said: String,
    /// Whether it is the theatre.
    pub theatre: bool,
    /// The name under which the mail carries its picture.
    pub cid: String,
    /// The drawing, in SVG.
    #[serde(skip)]
    pub svg: String,
}

/// A seed that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Seed {
    /// The slot it belongs to.
    pub slot: u32,
    /// `public` or the side's id.
    pub scope: String,
    /// In hexadecimal.
    pub seed: String,
}

/// What became of one line of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Its number in the mail.
    pub no: u32,
    /// The line.
    pub text: String,
    /// `DONE`, `FAILED`, `REFUSED`, `UNCLEAR`, `TAKEN`, `NOT YET`, `NOT REACHED`.
    pub word: String,
    /// The reason.
    pub why: String,
    /// All there is to say where the line needs no reason, such as `DONE, event 3`; the line itself is then cut short.
    pub brief: String,
    /// Whether it is no line of a sheet: it stands without its number, so that no number of a sheet comes twice.
    pub apart: bool,
    /// Whether a short letter names it by its number alone; set when the letter is written.
    pub grouped: bool,
    /// A line to copy in its stead.
    pub copy: String,
    /// What CHECK says of it.
    pub notes: Vec<String>,
    /// Lines that would be taken in its stead.
    pub choices: Vec<Choice>,
    /// The answer to a question, ready lines.
    pub lines: Vec<String>,
}

/// A line that would be taken in place of another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// Such as `4A`.
    pub key: String,
    /// The line.
    pub text: String,
}

/// Something the seat asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Its heading.
    pub title: String,
    /// What stands below it.
    #[serde(flatten)]
    pub body: Inset,
}

impl Block {
    /// Something below a heading.
    pub fn new(title: impl Into<String>, body: impl Into<Inset>) -> Block {
        Block { title: title.into(), body: body.into() }
    }
}

/// What stands within a letter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Inset {
    /// Ready lines.
    pub lines: Vec<String>,
    /// Whether they are a drawing, which keeps its shape on a page of HTML as well.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub drawing: bool,
    /// The same as a page of HTML has it, where it was filled from a template: its parts, marked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

impl Inset {
    /// A drawing.
    pub fn drawing(lines: Vec<String>) -> Inset {
        Inset { lines, drawing: true, page: None }
    }
}

impl From<Vec<String>> for Inset {
    fn from(lines: Vec<String>) -> Inset {
        Inset { lines, ..Inset::default() }
    }
}

/// A message of another seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Press {
    /// Who wrote it.
    pub from: String,
    /// When.
    pub written: String,
    /// Its lines.
    pub lines: Vec<String>,
}

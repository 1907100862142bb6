//! The general commands, taken out of an order mail before the game sees it.
//!
//! They are the same in every ruleset and are tried first, so that no ruleset can shadow END. A word of three letters or
//! more stands for the only command that begins with it; what cannot be taken back (END, RESIGN) is written whole.

pub use super::arguments::AddressChange;
use super::arguments::{self, address, extend, format, missing, replace, resend, rules, turn, untilled, why};
use super::pause::TimeCommand;
use super::sheet::{self, SheetWord};
use super::verbs::{self, Verb};
use crate::fog::SeatId;
use crate::host::Game;
use crate::mail::script::BROKEN_OFF;
use crate::orders::{self, Fault, Word, fold};

/// Something said to the post office and not to the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Takes the seat.
    Signon,
    /// Words for the salt of the dice.
    Nonce(String),
    /// The SHA-256 of such words, in hexadecimal, small letters.
    NonceHash(String),
    /// A value for the notice of the dice that waits, as written.
    Beacon(String),
    /// Asks for the list of orders.
    Orders,
    /// Asks what is open and what may be written, or what a word means.
    Help(Option<String>),
    /// Asks how the game is won and how it stands.
    Victory,
    /// Tries the lines below it: number and text.
    Check(Vec<(u32, String)>),
    /// Tries them behind what waits in the sheet.
    CheckSheet(Vec<(u32, String)>),
    /// Edits the sheet, or ends it on a condition.
    Sheet(SheetWord),
    /// Lists the standing answers, or sets one.
    Doctrine(Option<String>),
    /// Asks for a new report, with what was told since a turn.
    Report(Option<u32>),
    /// Asks for one part of the whole report.
    Part(Part),
    /// Asks for a drawing of an area, or of all.
    Map(Option<String>),
    /// Asks for what was told, turn by turn, or in one turn.
    History(Option<u32>),
    /// Asks for a line a turn of what was told.
    Summary,
    /// Lines for another seat.
    Press {
        /// The seat as written.
        to: String,
        /// The lines.
        lines: Vec<String>,
    },
    /// Lines for another seat of the own side, by courier.
    Dispatch {
        /// The seat as written.
        to: String,
        /// The lines.
        lines: Vec<String>,
    },
    /// Asks what the index of rules says under a paragraph.
    Rules(String),
    /// Asks how a line of the last report came to be known.
    Why(usize),
    /// Takes back the lines that wait in a sealed sheet.
    Undo,
    /// Asks what is due.
    Deadline,
    /// Days on which the seat is away, as written.
    Absent(String),
    /// The seat is done in this stage.
    End,
    /// Leaves the game.
    Resign,
    /// Lists or changes the seat's addresses.
    Address(AddressChange),
    /// Asks for the audit bundle.
    Audit,
    /// Asks for a mail again, by its running number.
    Resend(u32),
    /// Brings the code of something that waits for it: CONFIRM, or TAKE BACK.
    Confirm(String),
    /// Sets the form of reports.
    Format(Vec<String>),
    /// The umpire keeps back all letters.
    Hold,
    /// The umpire lets the letters go.
    Release,
    /// The umpire gives a seat more time.
    Extend {
        /// The seat as written.
        seat: String,
        /// Hours.
        hours: u32,
    },
    /// What the umpire does to the game's clock, or to its people.
    Time(TimeCommand),
    /// Who writes for the seat when it is late, as written; OFF for nobody.
    StandIn(String),
    /// What else an umpire may do.
    Umpire(Verb),
    /// The umpire writes to a seat, or to all.
    Message {
        /// The seat as written, or `ALL`.
        to: String,
        /// The lines.
        lines: Vec<String>,
    },
}

/// A part of the whole report that a seat may ask for alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Own forces with their units.
    Units,
    /// The enemy as known.
    Enemy,
    /// The rolls of the turn that the seat may see, and the seeds that are out.
    Dice,
    /// What the signs of a drawing mean.
    Key,
}

/// What one line of a mail is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A general command, or what is wrong with it.
    General(Result<Command, Fault>),
    /// For the rules.
    Order,
    /// For the rules, but below END.
    AfterEnd,
    /// A word of the umpire alone, from somebody else.
    Umpires,
    /// What may have been broken off a quoted line.
    BrokenOff,
}

impl What {
    /// Whether it says that the sheet ends.
    pub fn ends(&self) -> bool {
        let What::General(Ok(command)) = self else { return false };
        matches!(command, Command::End | Command::Sheet(SheetWord::EndAnyway | SheetWord::EndIfAllDone))
    }
}

/// One line of a mail, with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its number in the mail, from 1.
    pub no: u32,
    /// As written; long lines joined.
    pub text: String,
    /// What it is.
    pub what: What,
}

/// General commands that anybody may send.
pub const WORDS: &[&str] = &[
    "SIGNON",
    "NONCE",
    "NONCE-HASH",
    "BEACON",
    "ORDERS",
    "HELP",
    "CHECK",
    "DOCTRINE",
    "REPORT",
    "MAP",
    "HISTORY",
    "PRESS",
    "DEADLINE",
    "END",
    "RESIGN",
    "AUDIT",
    "FORMAT",
    "RULES",
    "WHY",
    "ABSENT",
    "UNDO",
    "RESEND",
    "CONFIRM",
    "ADDRESS",
    "STANDIN",
    "SUMMARY",
    "DISPATCH",
    "TAKE",
    "VICTORY",
    "FULL",
    "UNITS",
    "ENEMY",
    "DICE",
    "KEY",
    "YES",
    "REVISE",
    "SEND",
];

/// General commands of the umpire.
pub const UMPIRE_WORDS: &[&str] = &[
    "HOLD",
    "RELEASE",
    "EXTEND",
    "MESSAGE",
    "AMEND",
    "REWIND",
    "RULING",
    "REPLACE",
    "SHOW",
    "REMIND",
    "FIAT",
    "BECOME",
    "WHO-KNOWS",
    "OPTION",
    "JUDGE",
    "PAUSE",
    "RESUME",
    "PROCEED",
];
/// Commands that take nothing: with anything behind it, such a word begins a sentence and not a command.
pub(super) const BARE: &[&str] = &[
    "SIGNON", "ORDERS", "VICTORY", "SUMMARY", "FULL", "UNITS", "ENEMY", "DICE", "KEY", "REVISE", "SEND", "DEADLINE",
    "RESIGN", "AUDIT", "HOLD", "RELEASE", "RESUME",
];
/// Written whole or not at all.
const WHOLE: &[&str] = &[
    "END",
    // A NON, MERCI is no salt of the dice.
    "NONCE",
    "NONCE-HASH",
    "BEACON",
    // An order FORM is no request for a format.
    "FORMAT",
    "RESIGN",
    "RESEND",
    "CONFIRM",
    "ADDRESS",
    "HOLD",
    "RELEASE",
    "MAP",
    "WHY",
    "UNDO",
    "AMEND",
    "FIAT",
    "REWIND",
    "BECOME",
    "JUDGE",
    "OPTION",
    "WHO-KNOWS",
    "PAUSE",
    "RESUME",
    "PROCEED",
    "REPLACE",
    "STANDIN",
    "TAKE",
    // A unit, an enemy or a die may begin a ruleset's own order.
    "FULL",
    "UNITS",
    "ENEMY",
    "DICE",
    "KEY",
    "YES",
    "REVISE",
    "SEND",
];

/// Splits the lines of a mail. `continues` tells whether a word begins the second half of a long order line.
pub fn split(script: &[String], continues: &dyn Fn(&str) -> bool, umpire: bool) -> Vec<Item> {
    let mut reader = Reader { lines: script, at: 0, items: Vec::new(), ended: false, umpire, verbs: None, ear: None };
    while let Some(line) = reader.next() {
        reader.take(&line, continues);
    }
    reader.items
}

/// The same for a ruleset: `is_verb` tells whether a word begins an order of it. Such a word comes before one of the
/// umpire and before what is cut short of a general command, unless an umpire writes.
pub fn split_for(
    script: &[String],
    continues: &dyn Fn(&str) -> bool,
    is_verb: &dyn Fn(&str) -> bool,
    umpire: bool,
) -> Vec<Item> {
    let verbs = Some(is_verb);
    let mut reader = Reader { lines: script, at: 0, items: Vec::new(), ended: false, umpire, verbs, ear: None };
    while let Some(line) = reader.next() {
        reader.take(&line, continues);
    }
    reader.items
}

/// The lines of a mail of a seat, or of one that is written for it.
pub fn split_of(script: &[String], game: &dyn Game, seat: &SeatId) -> Vec<Item> {
    let continues = |word: &str| game.continues(word);
    let is_verb = |word: &str| game.is_verb(word);
    let verbs: Option<&dyn Fn(&str) -> bool> = Some(&is_verb);
    let ear = Some(Ear { game, seat });
    let mut reader = Reader { lines: script, at: 0, items: Vec::new(), ended: false, umpire: false, verbs, ear };
    while let Some(line) = reader.next() {
        reader.take(&line, &continues);
    }
    reader.items
}

/// What is said of a line that may have been broken off a quoted one.
pub(super) const BROKEN: &str = "it looks like the end of the quoted line above it.  Nothing was done.  If it is yours, \
                                 send it above the quoted text.";

/// What is said of a code that stands below other words.
pub const CODE_FIRST: &str = "a code counts only above all other words, so that no copy of a mail is taken for your own \
                              words.  Nothing was done.  Send the line with the code again, as the first of your mail.";

struct Reader<'a> {
    lines: &'a [String],
    at: usize,
    items: Vec<Item>,
    ended: bool,
    umpire: bool,
    /// What begins an order, where the ruleset is known.
    verbs: Option<&'a dyn Fn(&str) -> bool>,
    /// Who hears what the seat means, where it is known.
    ear: Option<Ear<'a>>,
}

/// A game and the seat that writes in it.
#[derive(Clone, Copy)]
struct Ear<'a> {
    game: &'a dyn Game,
    seat: &'a SeatId,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<String> {
        let line = self.lines.get(self.at)?;
        self.at += 1;
        Some(line.trim().to_owned())
    }

    fn number(&self) -> u32 {
        let below = self.items.last().map_or(0, |item| match &item.what {
            What::General(Ok(Command::Check(tried) | Command::CheckSheet(tried))) => {
                tried.last().map_or(item.no, |(no, _)| *no)
            }
            _ => item.no,
        });
        below.saturating_add(1)
    }

    fn take(&mut self, text: &str, continues: &dyn Fn(&str) -> bool) {
        if let Some(broken) = text.strip_prefix(BROKEN_OFF) {
            self.items.push(Item { no: self.number(), text: broken.to_owned(), what: What::BrokenOff });
            return;
        }
        if let Some(parts) = sheet::several(text).filter(|_| !self.umpire) {
            parts.iter().for_each(|part| self.take(part, continues));
            return;
        }
        let line = orders::line(0, text);
        let Some(first) = line.words.first() else { return };
        let second = line.words.get(1).map_or("", |w| w.fold.as_str());
        // A ruleset may have a PRESS of its own; ours is always PRESS TO, and TAKE BACK.
        let rest: Vec<&Word> = line.words.iter().skip(1).collect();
        let is_verb = |word: &str| self.verbs.is_some_and(|is_verb| is_verb(word));
        let verb = is_verb(&first.text) && !self.umpire;
        let general = word(sheet::unsigned(&first.fold), self.umpire).filter(|word| match *word {
            // Where its TO is forgotten, what it holds must not be read as orders.
            "PRESS" | "MESSAGE" => second == "to" || self.is_closed(word),
            "TAKE" => second == "back",
            "YES" => sheet::yes(&rest).is_some(),
            _ => !verb || fold(word) == first.fold,
        });
        let general = general.filter(|word| self.fits(word, fold(word) == first.fold, text));
        if let Some(rewritten) = sheet::numbered(text, &is_verb).filter(|_| !self.umpire && !self.ended) {
            let what = What::General(rewritten.map(Command::Sheet));
            self.items.push(Item { no: self.number(), text: text.to_owned(), what });
            return;
        }
        let ear = self.ear;
        if general.is_none()
            && continues(&first.text)
            && let Some(above) = self.items.last_mut()
            && ear.is_none_or(|ear| ear.game.joins(ear.seat, order_of(above), text))
            && let What::Order | What::AfterEnd | What::General(Ok(Command::Sheet(SheetWord::Rewrite(..)))) = above.what
        {
            if let What::General(Ok(Command::Sheet(SheetWord::Rewrite(_, line)))) = &mut above.what {
                line.push(' ');
                line.push_str(text);
            }
            above.text.push(' ');
            above.text.push_str(text);
            return;
        }
        let no = self.number();
        let players = self.verbs.is_some() && !self.umpire && !verb;
        let what = match general {
            Some(word) => What::General(self.command(word, &line.words, text, no, continues)),
            None if self.ended => What::AfterEnd,
            None if players && sheet::is_nearly_end(&line.words) => {
                What::General(Ok(Command::Sheet(SheetWord::NearlyEnd)))
            }
            None if players && is_umpires(text) && fits_bare(text) => What::Umpires,
            None => What::Order,
        };
        self.ended |= what.ends();
        self.items.push(Item { no, text: text.to_owned(), what });
    }

    /// Whether a line can be a command at all: what takes nothing stands alone, and CHECK before an order or alone. What is
    /// not goes the way of every other line; an umpire, behind whom no rules stand, is told what is wrong with it.
    fn fits(&self, word: &str, whole: bool, text: &str) -> bool {
        let tail = tail(text);
        if tail.is_empty() || self.umpire {
            return true;
        }
        match word {
            "RESIGN" if fold(&tail) == "yes" => true,
            "CHECK" => fold(&tail) == "sheet" || !self.ear.is_some_and(|ear| ear.game.is_prose(ear.seat, &tail)),
            // Who sends a leader somewhere has an order in mind, and is offered it.
            "SEND" => false,
            // Whole, and in no sentence, it was meant: its writer is told how it is written.
            word if BARE.contains(&word) => {
                whole && self.ear.is_some_and(|ear| word == "SIGNON" || !ear.game.is_prose(ear.seat, text))
            }
            _ => true,
        }
    }

    /// The code of a line above which nothing but commands stand. A program that answers by itself and quotes a mail of
    /// ours without any mark brings its code below our own words: what nobody wrote must not be obeyed.
    fn code(&self, text: &str) -> Result<String, Fault> {
        if !self.items.iter().all(|item| matches!(item.what, What::General(Ok(_)))) {
            return Err(Fault::refused(CODE_FIRST, ""));
        }
        let example = "CONFIRM k3x9q-2m4w7-r5t6v-6b2n4-c5z7a-a";
        code_in(text).ok_or_else(|| missing("the code that came in a mail", example))
    }

    fn command(
        &mut self,
        word: &'static str,
        words: &[Word],
        text: &str,
        no: u32,
        continues: &dyn Fn(&str) -> bool,
    ) -> Result<Command, Fault> {
        let rest: Vec<&Word> = words.iter().skip(1).collect();
        let tail = || tail(text);
        arguments::bare(word, &rest)?;
        if verbs::VERBS.iter().any(|(verb, _)| *verb == word) {
            let lines = if verbs::WITH_LINES.contains(&word) { self.below(word)? } else { Vec::new() };
            return verbs::read(word, text, &rest, lines).map(Command::Umpire);
        }
        match word {
            "SIGNON" => Ok(Command::Signon),
            "NONCE" if rest.is_empty() => Err(missing("any words of your own", "NONCE the sun of Austerlitz")),
            "NONCE" => Ok(Command::Nonce(tail())),
            "NONCE-HASH" => arguments::nonce_hash(&tail()),
            "BEACON" => Ok(Command::Beacon(tail())),
            "ORDERS" => Ok(Command::Orders),
            "HELP" => Ok(Command::Help(Some(tail()).filter(|t| !t.is_empty()))),
            "VICTORY" => Ok(Command::Victory),
            "CHECK" if fold(&tail()) == "sheet" => Ok(Command::CheckSheet(self.checked("", no, continues))),
            "CHECK" => Ok(Command::Check(self.checked(&tail(), no, continues))),
            "DOCTRINE" => Ok(Command::Doctrine(Some(tail()).filter(|t| !t.is_empty()))),
            // A number alone is that of a mail, as a gap in the numbers shows it.
            "REPORT" if rest.first().is_some_and(|w| w.text.parse::<u32>().is_ok()) => resend(&rest),
            "FULL" => Ok(Command::Report(None)),
            "REPORT" if rest.first().is_some_and(|w| w.fold == "full") && rest.len() == 1 => Ok(Command::Report(None)),
            "REPORT" => turn(&rest, "REPORT TURN 1").map(Command::Report),
            "UNITS" => Ok(Command::Part(Part::Units)),
            "ENEMY" => Ok(Command::Part(Part::Enemy)),
            "DICE" => Ok(Command::Part(Part::Dice)),
            "KEY" => Ok(Command::Part(Part::Key)),
            "MAP" => Ok(Command::Map(Some(tail()).filter(|t| !t.is_empty() && fold(t) != "all"))),
            "HISTORY" => turn(&rest, "HISTORY 1").map(Command::History),
            "DISPATCH" => self.press(&rest, "DISPATCH").map(|(to, lines)| Command::Dispatch { to, lines }),
            "PRESS" => self.press(&rest, "PRESS").map(|(to, lines)| Command::Press { to, lines }),
            "MESSAGE" => self.press(&rest, "MESSAGE").map(|(to, lines)| Command::Message { to, lines }),
            "SUMMARY" => Ok(Command::Summary),
            "RULES" => rules(&rest),
            "WHY" => why(&rest),
            "UNDO" => sheet::undo(&rest),
            "YES" => sheet::yes(&rest).map(Command::Sheet).ok_or_else(|| missing("the number of a line", "YES 2")),
            "REVISE" => Ok(Command::Sheet(SheetWord::Revise)),
            "SEND" => Ok(Command::Sheet(SheetWord::Send)),
            "DEADLINE" => Ok(Command::Deadline),
            "ABSENT" => Ok(Command::Absent(tail())),
            "END" => sheet::ending(text, &rest),
            "RESIGN" => Ok(Command::Resign),
            "ADDRESS" => address(&tail()).map(Command::Address),
            "AUDIT" => Ok(Command::Audit),
            "RESEND" => resend(&rest),
            "CONFIRM" | "TAKE" => self.code(text).map(Command::Confirm),
            "FORMAT" => format(&rest),
            "HOLD" => Ok(Command::Hold),
            "RELEASE" => Ok(Command::Release),
            "STANDIN" => Ok(Command::StandIn(tail())),
            "EXTEND" => extend(&rest),
            "PAUSE" => Ok(Command::Time(TimeCommand::Pause(untilled(&tail())))),
            "RESUME" => Ok(Command::Time(TimeCommand::Resume)),
            // Whom it names is looked at where it is done: a word that is no seat ends nothing.
            "PROCEED" => Ok(Command::Time(TimeCommand::Proceed(rest.iter().map(|w| w.text.clone()).collect()))),
            "REPLACE" => replace(&rest),
            _ => Err(Fault::unclear(word, "a general command", WORDS.iter().copied(), None)),
        }
    }

    /// All lines below CHECK, and what stands on its own line, numbered on.
    fn checked(&mut self, own: &str, no: u32, continues: &dyn Fn(&str) -> bool) -> Vec<(u32, String)> {
        let mut tried: Vec<(u32, String)> = Vec::new();
        if !own.is_empty() {
            tried.push((no, own.to_owned()));
        }
        while let Some(text) = self.next() {
            let line = orders::line(0, &text);
            let Some(first) = line.words.first() else { continue };
            match tried.last_mut() {
                Some(above)
                    if continues(&first.text)
                        && self.ear.is_none_or(|ear| ear.game.joins(ear.seat, &above.1, &text)) =>
                {
                    above.1.push(' ');
                    above.1.push_str(&text);
                }
                _ => {
                    let next = tried.last().map_or(no, |(n, _)| *n).saturating_add(1);
                    tried.push((next, text));
                }
            }
        }
        tried
    }

    /// The seat and the lines of a message, up to its END line.
    fn press(&mut self, rest: &[&Word], word: &'static str) -> Result<(String, Vec<String>), Fault> {
        let behind_to = rest.first().is_some_and(|w| w.fold == "to");
        // A seat, and nothing behind it: else it would have another reader than was meant, or a shorter text.
        let named = rest.get(1).filter(|_| behind_to && rest.len() == 2).map(|w| w.text.clone());
        let lines = self.below(word);
        let Some(to) = named else {
            let example = format!("{word} TO umpire");
            let odd = rest.get(2).filter(|_| behind_to);
            return Err(match odd {
                Some(odd) => Fault::unclear(&odd.text, "the end of the line; the words go below it", [], Some(example)),
                None => missing("TO, and the seat that it is for", &example),
            });
        };
        Ok((to, lines?))
    }

    /// Whether the END line of a word stands further below.
    fn is_closed(&self, word: &str) -> bool {
        let close = ["end", &fold(word)].map(str::to_owned);
        let below = self.lines.get(self.at..).unwrap_or_default();
        below.iter().any(|text| orders::line(0, text).words.iter().map(|w| &w.fold).eq(&close))
    }

    /// The lines down to the END line of a word.
    fn below(&mut self, word: &'static str) -> Result<Vec<String>, Fault> {
        let mut lines = Vec::new();
        let close = fold(word);
        let mut closed = false;
        while let Some(text) = self.next() {
            let words = orders::line(0, &text).words;
            let folds: Vec<&str> = words.iter().map(|w| w.fold.as_str()).collect();
            if folds == ["end", close.as_str()] {
                closed = true;
                break;
            }
            lines.push(text);
        }
        if !closed {
            let why = format!("there is no END {word} line, so that nobody can tell where it ends.  Nothing was done.");
            return Err(Fault::refused(why, ""));
        }
        Ok(lines)
    }
}

/// The order that an item holds: of `2 = line`, the line.
fn order_of(item: &Item) -> &str {
    match &item.what {
        What::General(Ok(Command::Sheet(SheetWord::Rewrite(_, line)))) => line,
        _ => &item.text,
    }
}

/// The general command that a word means.
fn word(said: &str, umpire: bool) -> Option<&'static str> {
    let table = || WORDS.iter().chain(if umpire { UMPIRE_WORDS } else { &[] }).copied();
    if let Some(whole) = table().find(|w| fold(w) == said) {
        return Some(whole);
    }
    orders::find(table(), said).filter(|word| !WHOLE.contains(word))
}

/// The code behind CONFIRM or TAKE BACK, without the strokes and blanks between its groups.
pub fn code_in(text: &str) -> Option<String> {
    let line = orders::line(0, text);
    let mut words = line.words.iter().peekable();
    let known = match words.next()?.fold.as_str() {
        "confirm" => true,
        "take" => words.next_if(|word| word.fold == "back").is_some(),
        _ => false,
    };
    let code: String = words.flat_map(|word| word.text.chars()).filter(char::is_ascii_alphanumeric).collect();
    Some(code.to_ascii_lowercase()).filter(|code| known && !code.is_empty())
}

/// The codes that a mail of nobody's seat brings: those of its first lines. Below other words a code may be quoted, and
/// nobody meant it.
pub fn codes_of(script: &[String]) -> Vec<String> {
    script.iter().filter(|line| !line.is_empty()).map_while(|line| code_in(line)).collect()
}

/// Whether a word is a command of the umpire alone.
pub fn is_umpires(text: &str) -> bool {
    let line = orders::line(0, text);
    line.words.first().is_some_and(|first| UMPIRE_WORDS.iter().any(|w| fold(w) == first.fold))
}

/// Whether nothing stands behind a word that takes nothing.
fn fits_bare(text: &str) -> bool {
    let line = orders::line(0, text);
    let bare = |first: &Word| BARE.iter().chain(&["PROCEED"]).any(|word| fold(word) == first.fold);
    !line.words.first().is_some_and(bare) || line.words.len() == 1
}

/// What stands behind the first word, without a comment.
fn tail(text: &str) -> String {
    let rest = text.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    rest.split('#').next().unwrap_or_default().trim().to_owned()
}

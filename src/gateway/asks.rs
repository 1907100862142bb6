//! HELP, VICTORY, RULES: what a seat asks to learn. What is said of play comes from the seat's own view; all else is the
//! same for every seat.

use super::commands::{Command, Item, WORDS};
use super::error::Trouble;
use super::player::Reply;
use super::sitting::Sitting;
use super::{form, page};
use crate::fog::SeatId;
use crate::handbook::{self, CHAPTERS};
use crate::host::asked;
use crate::letter::{Block, Context, Inset};
use crate::orders::{self, fold};
use crate::rules::Umpired;
use crate::store::GameState;
use crate::text::{self, and_list};

/// Lines of one's own that HELP shows.
const OFFERS_SHOWN: usize = 5;
/// Examples below a topic.
const EXAMPLES_SHOWN: usize = 2;
/// Lines of a verb's list.
const VERB_LINES_MAX: usize = 14;

/// The commands that HELP names, by what they are for; those that there are not are left out.
const SEE: &[&str] = &["REPORT", "MAP place", "UNITS", "ENEMY", "HISTORY", "WHY 4", "DICE", "DEADLINE", "VICTORY"];
const POST: &[&str] = &[
    "PRESS TO seat ... END PRESS",
    "ABSENT 20 Dec 3 Jan",
    "FORMAT 40",
    "ADDRESS",
    "RESEND 15",
    "DOCTRINE",
    "RESIGN",
    "AUDIT",
];

/// What every ruleset has to explain of the sheet.
const SEALED: &[&str] = &[
    "A sheet is your list of orders for one stage.  Each mail adds its lines; a line keeps its number until the sheet \
     closes.  A later order for the same piece and step replaces the one that waits.",
    "Live: a line is carried out when its mail comes.  Dice and discoveries are never taken back.",
    "Sealed: lines wait until all who write have said END, or the deadline comes.  Then all sheets are carried out.",
    "END, alone on its line, says that you are done.  It does not count while a line is NOT TAKEN: nothing is carried out, \
     and your lines wait.  Correct the line and send END again.",
    "YES 2 takes suggestion 2A, YES 2B the other, YES ALL every one that stands alone.  2 = line writes line 2 anew.  UNDO 2 \
     takes it back.",
    "END ANYWAY ends, and drops what is NOT TAKEN.  END IF ALL DONE ends only if every line comes out DONE or FAILED.",
    "UNDO takes back all that waits.  UNDO END opens a sealed sheet that you have ended; live, one whose END has not taken \
     effect yet, where the game gives it a time.  REVISE sends your sheet as lines to copy; with lines below it, these \
     replace it.",
    "At the deadline the lines that are TAKEN are carried out; the others are dropped.",
];

/// What CHECK is.
const CHECK: &[&str] = &[
    "CHECK tries the lines below it on what you know, in their order, and does nothing.  It throws no die and costs nothing.",
    "CHECK SHEET tries what waits in your sheet first.",
    "TAKEN below CHECK means what it means when you send the line.  TAKEN, WARNING: it can be sent, and you should know \
     something before.  WARNINGS below the lines are about the whole plan.",
    "SEND, as the answer to a CHECK, sends its lines; YES beside it takes what was offered for them.  END stands below \
     them when you are done.",
];

/// What a standing answer is; the list of them stands below.
const DOCTRINE: &[&str] = &[
    "Your doctrine is your standing answers: what is done for you when a question comes up, or when you are late.",
    "DOCTRINE lists them, each with the values that it takes.  DOCTRINE KEY VALUE sets one, where the game takes it for a \
     piece with FOR and its name behind.  They stand until you change them.",
];

/// What an umpire may write, by need.
/// `{piece}`, `{place}` and `{roll}` stand for what the game has.
const UMPIRE_HELP: &[(&str, &str)] = &[
    ("Stop and go", "HOLD, RELEASE, PAUSE UNTIL 29 Mar 20:00, RESUME, PROCEED french"),
    ("Time", "EXTEND french 24, REMIND french, DEADLINE"),
    ("See", "REPORT, SHOW french, WHO-KNOWS {piece}, SHOW HELD, SHOW LEDGER, HISTORY, SUMMARY"),
    ("Repair", "AMEND french {place} REASON why; REWIND (lists the rest points); REWIND 12 REASON why"),
    ("", "FIAT {roll} REASON why; BECOME french REASON why, lines, END BECOME"),
    ("Rule", "RULING 242 TO all, lines, END RULING; JUDGE 5, JUDGE TABLES"),
    ("People", "REPLACE french ney@example.org, MESSAGE TO french, lines, END MESSAGE; MESSAGE TO all"),
    ("Choices", "OPTION (lists them), OPTION press grey"),
    ("Post", "FORMAT 40, ADDRESS, RESEND 15, AUDIT"),
];

impl Sitting<'_> {
    /// HELP: what is open, what may be written now, and what else there is; or one topic.
    pub(super) fn help(&self, seat: &str, item: &Item, topic: Option<&str>, reply: &mut Reply) -> Result<(), Trouble> {
        let Some(topic) = topic else {
            let lines = self.help_lines(seat)?;
            reply.block(item, "HELP", lines);
            return Ok(());
        };
        match self.topic(seat, topic)? {
            Some((title, lines)) => reply.block(item, &format!("HELP {title}"), lines),
            None => {
                let known = and_list(&self.topic_words());
                reply.say(item, "UNCLEAR", &format!("HELP explains {known}, and each order by its first word."));
            }
        }
        Ok(())
    }

    /// What is open first.
    fn help_lines(&self, seat: &str) -> Result<Inset, Trouble> {
        let id = SeatId(seat.to_owned());
        let forming = self.row.state == GameState::Forming;
        let sections = if forming { self.hosted.preview(&id) } else { self.hosted.report(&id, None) };
        let sections = sections.body();
        let open = forming || self.hosted.on_move(&id);
        // From the view alone: whether a line would be carried out now may hang on what others are asked.
        let verbs = self.hosted.topics().iter().flat_map(|topic| topic.verbs);
        let one = |verb: &&str| self.examples_of(&id, &[*verb]).into_iter().find(|line| line.starts_with("  "));
        let mut offers: Vec<String> = verbs.filter(|_| open).filter_map(one).take(OFFERS_SHOWN).collect();
        if forming {
            offers = vec!["  SIGNON".to_owned(), "  NONCE any words of your own".to_owned()];
        }
        let listed = |all: &[&str]| {
            let known = all.iter().filter(|said| said.split(' ').next().is_some_and(|word| WORDS.contains(&word)));
            known.copied().collect::<Vec<_>>().join(", ")
        };
        let part = |title: &str, said: String| Block::new(title, vec![said]);
        // Of the handbook's chapters, a player wants the first.
        let topics = self.topic_words();
        let fits = |word: &&String| *word == "player" || CHAPTERS.iter().all(|chapter| chapter.name != word.as_str());
        let mut learn: Vec<String> = topics.iter().filter(fits).map(|word| format!("HELP {word}")).collect();
        learn.extend([format!("RULES {}", self.hosted.paragraph()), "ORDERS".to_owned()]);
        let now = if forming { "the game forms".to_owned() } else { sections.now.clone() };
        let context = Context {
            now: if now.is_empty() { "the game is over".to_owned() } else { now },
            due: self.due_line(&self.act.dues(&self.row.id)?, seat)?,
            if_not: sections.if_not.clone(),
            offers,
            blocks: vec![part("See", listed(SEE)), part("Learn", learn.join(", ")), part("Post", listed(POST))],
            ..Context::default()
        };
        self.filled(seat, "help.txt", &context)
    }

    /// The words that HELP explains, chapters of the handbook last.
    fn topic_words(&self) -> Vec<String> {
        let own = self.hosted.topics().iter().map(|topic| topic.word);
        let general = ["WIN", "SEALED", "CHECK"].into_iter().chain(own).map(str::to_owned);
        general.chain(CHAPTERS.iter().map(|chapter| chapter.name.to_owned())).collect()
    }

    /// What HELP says of a topic: its title and lines.
    fn topic(&self, seat: &str, said: &str) -> Result<Option<(String, Inset)>, Trouble> {
        let folded = fold(said);
        let id = SeatId(seat.to_owned());
        match folded.as_str() {
            "win" | "winning" | "victory" => return Ok(Some(("WIN".to_owned(), self.victory_lines(seat)?.into()))),
            "sealed" | "live" | "sheet" | "end" | "yes" | "undo" | "revise" => {
                return Ok(Some(("SEALED".to_owned(), self.flowing(seat, SEALED)?.into())));
            }
            "doctrine" | "doctrines" => {
                let mut lines = self.flowing(seat, DOCTRINE)?;
                lines.extend(page::indented(self.hosted.doctrine(&id).body()));
                return Ok(Some(("DOCTRINE".to_owned(), lines.into())));
            }
            "check" | "send" => return Ok(Some(("CHECK".to_owned(), self.flowing(seat, CHECK)?.into()))),
            _ => {}
        }
        let words = self.hosted.topics().iter().map(|topic| topic.word);
        if let Some(word) = orders::find(words, &folded)
            && let Some(topic) = self.hosted.topics().iter().find(|topic| topic.word == word)
        {
            let said: Vec<&str> = topic.text.lines().collect();
            let mut lines = self.flowing(seat, &said)?;
            let examples = self.examples_of(&id, topic.verbs);
            let shown = examples.into_iter().filter(|line| line.starts_with("  ")).take(EXAMPLES_SHOWN);
            lines.extend(shown);
            return Ok(Some((topic.word.to_owned(), lines.into())));
        }
        if let Ok(chapter) = handbook::chapter(said) {
            let narrow = self.seat(seat)?.is_some_and(|row| form::read(&row.format).narrow);
            let width = if narrow { text::WIDTH_PHONE } else { text::WIDTH };
            return Ok(Some((chapter.name.to_owned(), paged(chapter.text, width).into())));
        }
        let verb = folded.to_uppercase();
        let mut lines = self.examples_of(&id, &[verb.as_str()]);
        lines.truncate(VERB_LINES_MAX);
        if lines.is_empty() {
            let said = self.told_of(seat, said)?;
            return Ok(said.map(|lines| (verb, lines.into())));
        }
        // How a verb is written says nothing of what it does.
        let notes = asked::told_of(&self.row.ruleset, self.hosted.topics(), said.trim());
        let context = Context { examples: lines, notes, ..Context::default() };
        Ok(Some((verb, self.filled(seat, "listed.txt", &context)?)))
    }

    /// What is said of any other word: of a general command its lines in the list of orders, of a word of the game the
    /// sentences in which it stands.
    fn told_of(&self, seat: &str, said: &str) -> Result<Option<Vec<String>>, Trouble> {
        let word = said.trim().to_uppercase();
        if WORDS.contains(&word.as_str()) {
            let list = self.filled(seat, "orders.txt", &Context::default())?;
            let entry = entries(&list.lines).into_iter().filter(|entry| names(entry, &word)).flatten().cloned();
            let lines: Vec<String> = entry.collect();
            return Ok(Some(lines).filter(|lines| !lines.is_empty()));
        }
        let told = asked::told_of(&self.row.ruleset, self.hosted.topics(), said.trim());
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        if told.is_empty() { Ok(None) } else { self.flowing(seat, &told).map(Some) }
    }

    /// The lines of the list of orders that begin with these words, each with examples of the seat's own pieces.
    fn examples_of(&self, seat: &SeatId, verbs: &[&str]) -> Vec<String> {
        let mut within = false;
        let of = |line: &String| {
            if !line.starts_with("  ") {
                within = line.split(' ').next().is_some_and(|word| verbs.contains(&word));
            }
            within
        };
        let all = self.hosted.examples(seat).body().clone();
        all.into_iter().filter(of).collect()
    }

    /// Sentences as paragraphs of a seat's own width.
    fn flowing(&self, seat: &str, text: &[&str]) -> Result<Vec<String>, Trouble> {
        let notes = text.iter().map(|line| (*line).to_owned()).collect();
        Ok(self.filled(seat, "flowing.txt", &Context { notes, ..Context::default() })?.lines)
    }

    /// VICTORY: how the game is won, and how it stands.
    pub(super) fn victory_lines(&self, seat: &str) -> Result<Vec<String>, Trouble> {
        let said = self.hosted.victory(&SeatId(seat.to_owned())).body().clone();
        if said.is_empty() {
            let plain = "This game's rules do not say here how it is won: its scenario and its rulebook do.";
            return self.flowing(seat, &[plain]);
        }
        Ok(page::indented(&said))
    }

    /// RULES: a paragraph in our own words.
    pub(super) fn rules_asked(
        &self,
        seat: &str,
        paragraph: &str,
        item: &Item,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let known = self.hosted.rule(paragraph);
        if known.is_empty() {
            reply.say(item, "REFUSED", "the index of rules has nothing under that number.");
            return Ok(());
        }
        let mut lines = self.flowing(seat, &["Our summary; the rulebook governs."])?;
        for line in known {
            lines.extend(self.flowing(seat, &[&format!("- {line}")])?);
        }
        reply.block(item, &format!("RULES {paragraph}"), lines);
        Ok(())
    }

    /// HELP and RULES of an umpire.
    pub(super) fn umpire_asks(
        &self,
        seat: &str,
        item: &Item,
        command: &Command,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        match command {
            Command::Help(None) => self.umpire_help(reply, item),
            Command::Help(topic) => self.help(seat, item, topic.as_deref(), reply),
            Command::Rules(paragraph) => self.rules_asked(seat, paragraph, item, reply),
            _ => Ok(()),
        }
    }

    /// HELP for an umpire: where the game stands, who is late, what is held, then what he may write, by need.
    fn umpire_help(&self, reply: &mut Reply, item: &Item) -> Result<(), Trouble> {
        let stage = self.hosted.stage().map_or_else(|| "no stage".to_owned(), |stage| stage.title);
        let mut lines = vec![format!("  Stage        {stage}"), format!("  Due          {}", self.dues_line()?)];
        for seat in self.players() {
            let missed = self.missed(&seat.0)?;
            if missed > 0 {
                lines.push(format!("  Late         {seat}: {missed} deadlines in a row"));
            }
        }
        let held = if self.row.held { "the game: letters wait for RELEASE" } else { "nothing" };
        lines.push(format!("  Held         {held}"));
        let Umpired { piece, place, roll } = self.hosted.umpired();
        let own = |words: &str| words.replace("{piece}", piece).replace("{place}", place).replace("{roll}", roll);
        lines.extend(UMPIRE_HELP.iter().map(|(need, words)| format!("  {need:<12} {}", own(words))));
        lines.push("  Learn        HELP umpire sends your chapter of the handbook".to_owned());
        let wrapped = lines.iter().flat_map(|line| {
            let (first, rest) = line.split_at_checked(15).unwrap_or((line, ""));
            text::wrap(rest, text::WIDTH, first, 15)
        });
        reply.block(item, "HELP", wrapped.collect::<Vec<String>>());
        Ok(())
    }
}

/// The entries of the list of orders: each a line two columns in, with those below it that stand further in.
fn entries(lines: &[String]) -> Vec<Vec<&String>> {
    let mut found: Vec<Vec<&String>> = Vec::new();
    for line in lines.iter().filter(|line| line.starts_with("  ")) {
        match found.last_mut() {
            Some(entry) if line.starts_with("   ") => entry.push(line),
            _ => found.push(vec![line]),
        }
    }
    found
}

/// Whether an entry is about a command: its word stands in capitals in the first line.
fn names(entry: &[&String], word: &str) -> bool {
    let bare = |said: &str| said.trim_end_matches([',', ';', ':', '.']) == word;
    entry.first().is_some_and(|line| line.split_whitespace().any(bare))
}

/// A chapter two columns in: its paragraphs are filled anew for the width, since they are broken for a wider page; what
/// stands four columns in, headings and tables stay as they are.
fn paged(chapter: &str, width: usize) -> Vec<String> {
    // As a letter spells it, before it is measured.
    let chapter = chapter.replace('…', "...");
    let code = |line: &str| line.starts_with("    ");
    let flows = |line: &str| !line.is_empty() && !line.starts_with(['#', '|']) && !code(line);
    let begins = |line: &str| line.starts_with("- ");
    let mut paragraphs: Vec<String> = Vec::new();
    let mut open = false;
    for line in chapter.lines() {
        match paragraphs.last_mut() {
            Some(above) if open && flows(line) && !begins(line) => {
                above.push(' ');
                above.push_str(line.trim_start());
            }
            _ => paragraphs.push(line.to_owned()),
        }
        open = flows(line);
    }
    let said = |line: &String| {
        let indent = line.chars().take_while(|c| *c == ' ').count() + 2;
        if line.chars().count() + 2 <= width {
            return vec![format!("  {line}").trim_end().to_owned()];
        }
        if code(line) && line.chars().count() <= width {
            return vec![line.trim_end().to_owned()];
        }
        let hang = indent + if begins(line) { 2 } else { 0 };
        text::wrap(line.trim(), width, &" ".repeat(indent.min(width / 2)), hang.min(width / 2))
    };
    paragraphs.iter().flat_map(said).collect()
}

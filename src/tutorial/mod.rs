//! Nine lessons by mail: a game of three turns against a script, in a post office of its own.
//!
//! The learner's mails go through the same passes as the daemon's. What does not answer the lesson is sent under
//! CHECK, so that he reads what is wrong with it and the game stays where the lesson needs it.

pub mod lessons;

use crate::clock::Clock;
use crate::demo::{self, Mail};
use crate::games::Entry;
use crate::gateway::{NewGame, Office, game_of};
use crate::mail::maildir::Maildir;
use crate::mail::read::{Limits, read};
use crate::scenario::library::Library;
use crate::store::{GameState, Tempo};
use lessons::{At, COALITION, COALITION_SIGNS, LESSONS, Lesson, MASTER, QUESTIONS, Step, Takes};
use std::any::Any;
use std::collections::BTreeSet;
use std::path::Path;

/// The one game; its dice come of its name too.
const GAME: &str = "tut";
/// The post office, the learner and the script.
const POST: &str = "post@tutorial.example";
const LEARNER: &str = "you@tutorial.example";
const SCRIPT: &str = "coalition@tutorial.example";
/// The scenario that is played.
const SCENARIO: &str = "campaigns/teaching.yaml";
/// Sheets that pass between two lessons; more are a game that has left its script.
const SHEETS_MAX: u32 = 12;

/// A tutorial under way.
pub struct Tutorial {
    office: Office,
    maildir: Maildir,
    seen: BTreeSet<String>,
    written: u32,
    to_learner: Option<Mail>,
    to_script: Option<Mail>,
    lesson: usize,
    step: usize,
    /// Dropped last: takes away what the lessons stand on.
    _folder: Option<Box<dyn Any>>,
}

/// What a mail of the learner led to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The mails that came, in order.
    pub mails: Vec<Mail>,
    /// Whether the lesson goes on; otherwise its lines are still to be sent.
    pub done: bool,
}

impl Tutorial {
    /// Begins in an empty directory; gives the mails that the learner finds.
    ///
    /// # Errors
    /// What of the post office fails.
    pub fn begin(dir: &Path, entries: &'static [Entry], clock: Clock) -> Result<(Tutorial, Vec<Mail>), String> {
        demo::furnish(dir, POST)?;
        let mut office = Office::with_clock(dir, entries, true, clock).map_err(|e| e.to_string())?;
        let new = NewGame {
            id: GAME.to_owned(),
            files: Library::carried().files(SCENARIO).map_err(|flaw| flaw.to_string())?,
            seats: [("french", LEARNER), ("coalition", SCRIPT)].map(|(s, a)| (s.to_owned(), vec![a.to_owned()])).into(),
            umpire: None,
            tempo: Tempo::Live,
            deadline_hours: None,
            master: Some(MASTER),
        };
        office.new_game(&new).map_err(|e| e.to_string())?;
        let maildir = Maildir::open(&dir.join("mail")).map_err(|e| e.to_string())?;
        let mut tutorial = Tutorial {
            office,
            maildir,
            seen: BTreeSet::new(),
            written: 0,
            to_learner: None,
            to_script: None,
            lesson: 0,
            step: 0,
            _folder: None,
        };
        let mails = tutorial.pass()?;
        tutorial.send(false, COALITION_SIGNS)?;
        tutorial.pass()?;
        Ok((tutorial, mails))
    }

    /// Plays up to a place, each lesson with its own lines; gives the mails that its learner read last.
    ///
    /// # Errors
    /// What of the post office fails.
    pub fn at(
        dir: &Path,
        entries: &'static [Entry],
        clock: Clock,
        place: (usize, usize),
    ) -> Result<(Tutorial, Vec<Mail>), String> {
        let (mut tutorial, mut mails) = Tutorial::begin(dir, entries, clock)?;
        while tutorial.place() < place && tutorial.open().is_some() {
            mails = tutorial.answer(&[])?.mails;
        }
        Ok((tutorial, mails))
    }

    /// Keeps something until the lessons are dropped, such as the folder that they stand in.
    pub fn in_folder(mut self, folder: Box<dyn Any>) -> Tutorial {
        self._folder = Some(folder);
        self
    }

    /// Where the learner is: lesson and step, from 0.
    pub fn place(&self) -> (usize, usize) {
        (self.lesson, self.step)
    }

    /// The lesson that is open, with its number from 1, and the step of it; none when all are over.
    pub fn open(&self) -> Option<(usize, &'static Lesson, &'static Step)> {
        let lesson = LESSONS.get(self.lesson)?;
        Some((self.lesson + 1, lesson, lesson.steps.get(self.step)?))
    }

    /// Whether the step that is open is the first of its lesson.
    pub fn begins(&self) -> bool {
        self.step == 0
    }

    /// Takes what the learner wrote. Nothing is taken for the lines of the lesson as they stand.
    ///
    /// # Errors
    /// What of the post office fails.
    pub fn answer(&mut self, typed: &[String]) -> Result<Reply, String> {
        let Some((_, _, step)) = self.open() else { return Ok(Reply::default()) };
        let own = typed.join("\n");
        let (text, done) = match taken(step, typed) {
            Taken::AsItStands => (step.lines.join("\n"), true),
            Taken::Own => (own, true),
            Taken::Question => (own, false),
            Taken::No => (tried(typed), false),
        };
        self.send(true, &text)?;
        let mut mails = self.pass()?;
        if done {
            self.step += 1;
            if self.open().is_none() {
                self.lesson += 1;
                self.step = 0;
                mails.extend(self.play_on()?);
            } else if LESSONS.len() == self.lesson + 1 {
                // The last lesson speaks of the game's end.
                mails.extend(self.play_on()?);
            }
        }
        Ok(Reply { mails, done })
    }

    /// Plays the stages that have no lesson: the script's, and the learner's own with END, until the next lesson's.
    fn play_on(&mut self) -> Result<Vec<Mail>, String> {
        let mut mails = Vec::new();
        let wanted = LESSONS.get(self.lesson).map(|lesson| lesson.at).filter(|_| self.step == 0);
        if wanted == Some(At::Next) {
            return Ok(mails);
        }
        let mut last = String::new();
        for _ in 0..SHEETS_MAX {
            let row = game_of(&self.office.store, GAME).map_err(|e| e.to_string())?;
            if row.state == GameState::Over {
                return Ok(mails);
            }
            let dues = self.office.store.dues(GAME).map_err(|e| e.to_string())?;
            let Some(due) = dues.first() else { return Err("the lessons wait for nobody".to_owned()) };
            if let Some(At::Sheet(sheet)) = wanted
                && dues.iter().any(|due| due.address == sheet)
            {
                return Ok(mails);
            }
            let learner = due.seat == "french";
            let says = COALITION.iter().find(|(sheet, _)| *sheet == due.address).map_or("END", |(_, says)| says);
            last.clone_from(&due.address);
            self.send(learner, says)?;
            mails.extend(self.pass()?);
        }
        let mail = if last.ends_with("/french") { &self.to_learner } else { &self.to_script };
        let said = mail.as_ref().map(|mail| mail.text.clone()).unwrap_or_default();
        Err(format!("the lessons have left their script at {last}: {said}"))
    }

    /// Writes a mail as an answer to the last one that its writer had.
    fn send(&mut self, learner: bool, text: &str) -> Result<(), String> {
        let (from, last) = if learner { (LEARNER, &self.to_learner) } else { (SCRIPT, &self.to_script) };
        let subject = last.as_ref().map(|mail| mail.subject.clone()).unwrap_or_default();
        self.written += 1;
        let mail = Mail {
            from: from.to_owned(),
            to: POST.to_owned(),
            subject: format!("Re: {subject}"),
            id: format!("{}@tutorial.example", self.written),
            text: format!("{text}\n"),
        };
        let raw = demo::raw(&mail, self.written);
        self.maildir.deliver(raw.as_bytes()).map(|_| ()).map_err(|e| e.to_string())
    }

    /// A pass of the post office; the mails that came to the learner.
    fn pass(&mut self) -> Result<Vec<Mail>, String> {
        self.office.pass().map_err(|e| e.to_string())?;
        let mut mails = Vec::new();
        for bytes in self.maildir.sent().map_err(|e| e.to_string())? {
            let Ok(incoming) = read(&bytes, &Limits::default()) else { continue };
            if !self.seen.insert(incoming.head.message_id.clone()) {
                continue;
            }
            let mail = Mail::of(&incoming);
            if mail.to == LEARNER {
                self.to_learner = Some(mail.clone());
                mails.push(mail);
            } else {
                self.to_script = Some(mail);
            }
        }
        Ok(mails)
    }
}

/// Lines of a mail that answers, where another comes after it.
const ANSWER_LINES_MAX: usize = 60;

/// What is shown of several mails: the first, which answers what was sent, in short; those between by their subject; the
/// last, which says what is due, whole.
pub fn shown(mails: &[Mail]) -> Vec<(&Mail, Vec<String>)> {
    let last = mails.len().saturating_sub(1);
    let text = |at: usize, mail: &Mail| -> Vec<String> {
        let lines: Vec<String> = mail.text.trim_end().lines().map(str::to_owned).collect();
        let most = if at == last {
            lines.len()
        } else if at == 0 {
            ANSWER_LINES_MAX
        } else {
            0
        };
        let more = lines.len().saturating_sub(most);
        let said = (more > 0 && most > 0).then(|| format!("({more} lines more)"));
        lines.into_iter().take(most).chain(said).collect()
    };
    mails.iter().enumerate().map(|(at, mail)| (mail, text(at, mail))).collect()
}

/// How a mail stands to a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    /// The lines of the lesson.
    AsItStands,
    /// The learner's own, which do as well.
    Own,
    /// Questions, which are answered beside the lesson.
    Question,
    /// Something else.
    No,
}

/// A line without what does not matter: case, and blanks.
fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase()
}

fn taken(step: &Step, typed: &[String]) -> Taken {
    let typed: Vec<String> = typed.iter().map(|line| plain(line)).filter(|line| !line.is_empty()).collect();
    let lines: Vec<String> = step.lines.iter().map(|line| plain(line)).collect();
    let first = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
    let asks = typed.iter().all(|line| QUESTIONS.contains(&first(line).as_str()));
    // Below CHECK, nothing is done.
    let tries = typed.first().is_some_and(|line| line == "CHECK");
    // What stands below END is a greeting.
    let ended = lines.last().is_some_and(|line| line == "END") && typed.starts_with(&lines);
    match step.takes {
        _ if typed.is_empty() || typed == lines || ended => Taken::AsItStands,
        Takes::FirstWord if typed.first().map(first) == lines.first().map(first) => Taken::AsItStands,
        Takes::Questions if typed.first().is_some_and(|line| QUESTIONS.contains(&first(line).as_str())) => Taken::Own,
        _ if asks || tries => Taken::Question,
        _ => Taken::No,
    }
}

/// Lines that do not answer the lesson, so that they are read and not done.
fn tried(typed: &[String]) -> String {
    let lines = typed.iter().map(|line| line.trim()).filter(|line| !plain(line).starts_with("END"));
    std::iter::once("CHECK").chain(lines).collect::<Vec<_>>().join("\n")
}

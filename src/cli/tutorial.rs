//! `estafette tutorial`: the nine lessons in a terminal. Each mail is shown; the answer is typed, or taken with Enter.

use super::fresh::{Fresh, write_whole};
use super::{Desk, Done, Failure, IO, usage};
use crate::clock::Clock;
use crate::demo::Mail;
use crate::text::wrap;
use crate::tutorial::lessons::{FAREWELL, LESSONS};
use crate::tutorial::{Tutorial, shown};
use serde_json::json;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Columns of a line.
const WIDTH: usize = 76;
/// Characters that are read of a line, and lines of a mail.
const LINE_BYTES_MAX: u64 = 2_000;
const LINES_MAX: usize = 100;

/// What the learner typed.
enum Typed {
    /// A mail; an empty one for the lines of the lesson.
    Mail(Vec<String>),
    Skip,
    Again,
    Stop,
}

/// How much of mails is shown.
#[derive(Clone, Copy)]
enum Show {
    /// All of all.
    Whole,
    /// What a learner wants of them first.
    Short,
    /// Only what they are about.
    Subject,
}

/// Where the mails go, and how many there were.
struct Folder {
    path: PathBuf,
    count: u32,
}

impl Desk<'_> {
    /// Gives the lessons; what was made stays where a directory is named.
    pub(super) fn tutorial(&mut self, dir: Option<&Path>, input: &mut dyn BufRead) -> Done {
        let thrown = || std::env::temp_dir().join(format!("estafette-tutorial-{}", std::process::id()));
        let fresh = Fresh::empty(&dir.map_or_else(thrown, Path::to_owned))?;
        let clock = Clock::from_env().map_err(|e| usage(e.to_string()))?;
        let folder = fresh.path().join("mails");
        std::fs::create_dir(&folder).map_err(|error| io(format!("{}: {error}", folder.display())))?;
        let mut folder = Folder { path: folder, count: 0 };
        let (tutorial, mails) = Tutorial::begin(fresh.path(), self.entries, clock).map_err(io)?;
        self.lessons(tutorial, &mails, &mut folder, input)?;
        if let Some(dir) = dir {
            fresh.finish()?;
            if !self.json {
                self.say(&format!("Your mails lie in {}.", dir.join("mails").display()))?;
            }
        }
        Ok(0)
    }

    fn lessons(
        &mut self,
        mut tutorial: Tutorial,
        begun: &[Mail],
        folder: &mut Folder,
        input: &mut dyn BufRead,
    ) -> Result<(), Failure> {
        self.say_plain("estafette tutorial: nine lessons, a game in three turns against a script.")?;
        self.say_plain("Enter sends the lines that a lesson shows; or type your own, and end them with")?;
        self.say_plain("an empty line.  SKIP goes on without the mails, AGAIN shows them whole, STOP ends.")?;
        let mut shown = begun.to_vec();
        self.mails(&shown, folder, Show::Short)?;
        let mut tell = true;
        while let Some((number, lesson, step)) = tutorial.open() {
            if tell {
                let head = format!("LESSON {number} of {}   {}", LESSONS.len(), lesson.title);
                self.lesson(tutorial.begins().then_some(head.as_str()), step.says, step.lines)?;
            }
            tell = true;
            let lines = match typed(input)? {
                Typed::Stop => return self.say_plain("Stopped."),
                Typed::Again => {
                    let (last, count) = (shown.clone(), folder.count);
                    self.mails(&last, folder, Show::Whole)?;
                    folder.count = count;
                    continue;
                }
                Typed::Skip => {
                    let reply = tutorial.answer(&[]).map_err(io)?;
                    self.mails(&reply.mails, folder, Show::Subject)?;
                    shown = reply.mails;
                    continue;
                }
                Typed::Mail(lines) => lines,
            };
            let reply = tutorial.answer(&lines).map_err(io)?;
            self.mails(&reply.mails, folder, Show::Short)?;
            if reply.done {
                shown = reply.mails;
            } else {
                self.say_plain("Now the lines of the lesson, or Enter.")?;
                tell = false;
            }
        }
        self.say_plain("")?;
        FAREWELL.lines().try_for_each(|line| self.say_plain(line))
    }

    fn lesson(&mut self, head: Option<&str>, says: &str, lines: &[&str]) -> Result<(), Failure> {
        if self.json {
            return self.say(&json!({"lesson": head, "text": says, "lines": lines}).to_string());
        }
        self.say("")?;
        if let Some(head) = head {
            self.say(&format!("=== {head} {}", "=".repeat(WIDTH.saturating_sub(head.chars().count() + 5))))?;
        }
        says.lines().try_for_each(|line| self.say(line))?;
        self.say("")?;
        lines.iter().try_for_each(|line| self.say(&format!("    {line}")))?;
        self.say("")
    }

    /// Shows mails: of several, the first answers what was sent, and the last says what is due.
    fn mails(&mut self, mails: &[Mail], folder: &mut Folder, show: Show) -> Result<(), Failure> {
        let short = shown(mails);
        for (at, mail) in mails.iter().enumerate() {
            folder.count += 1;
            write_whole(&folder.path.join(format!("{:03}.txt", folder.count)), mail.whole().as_bytes())?;
            if self.json {
                let line = json!({"from": mail.from, "to": mail.to, "subject": mail.subject, "text": mail.text});
                self.say(&line.to_string())?;
                continue;
            }
            self.say("")?;
            let head = format!("--- mail {:03} {}", folder.count, "-".repeat(WIDTH - 13));
            self.say(&head)?;
            for line in wrap(&mail.subject, WIDTH, "Subject: ", 9) {
                self.say(&line)?;
            }
            let lines: Vec<&str> = match show {
                Show::Whole => mail.text.trim_end().lines().collect(),
                Show::Short => {
                    short.get(at).map(|(_, lines)| lines.iter().map(String::as_str)).into_iter().flatten().collect()
                }
                Show::Subject => Vec::new(),
            };
            if !lines.is_empty() {
                self.say("")?;
                lines.iter().try_for_each(|line| self.say(line))?;
            }
        }
        Ok(())
    }

    /// Says something to a reader, not to a program.
    fn say_plain(&mut self, line: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { self.say(line) }
    }
}

/// Reads a mail: lines up to an empty one, or a word of command.
fn typed(input: &mut dyn BufRead) -> Result<Typed, Failure> {
    let mut lines = Vec::new();
    while lines.len() < LINES_MAX {
        let mut bytes = Vec::new();
        let read = std::io::Read::take(&mut *input, LINE_BYTES_MAX).read_until(b'\n', &mut bytes)?;
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if lines.is_empty() {
            match line.to_uppercase().as_str() {
                "SKIP" => return Ok(Typed::Skip),
                "AGAIN" => return Ok(Typed::Again),
                "STOP" => return Ok(Typed::Stop),
                // Nobody types any more.
                "" if read == 0 => return Ok(Typed::Stop),
                _ => {}
            }
        }
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    Ok(Typed::Mail(lines))
}

fn io(why: String) -> Failure {
    Failure::Said(IO, why)
}

//! TUTORIAL by mail: the nine lessons, for whoever has an address.
//!
//! Nothing is kept of a learner but where he is and the code of his subjects: the lessons are always the same, so they
//! are played up to his place each time, in a folder that is thrown away. No game of the post office has a part in it.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::plain::loose;
use super::strangers::{is_first_today, may_write_to};
use super::when;
use crate::address::Address;
use crate::demo::Mail;
use crate::dice::Master;
use crate::letter::Written;
use crate::mail::read::Incoming;
use crate::mail::script::{REPORT_END, report_mark};
use crate::store::{InboxMail, InboxState};
use crate::tutorial::lessons::{FAREWELL, LESSONS};
use crate::tutorial::{Tutorial, shown};
use data_encoding::BASE32_NOPAD;
use jiff::{SignedDuration, Timestamp};
use std::path::PathBuf;
use subtle::ConstantTimeEq;

/// Under which mark the place of an address is kept.
const MARK: &str = "lessons";
/// Days that a lesson waits.
const DAYS: i64 = 30;
/// Mails of one learner that are answered in a day.
const ANSWERS_PER_DAY_MAX: u32 = 60;
/// Columns of a line.
const WIDTH: usize = 76;
/// What stands before the code in a subject, and how long it is.
const CODE: &str = "(t-";
const CODE_BYTES: usize = 10;

/// How far somebody is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Learner {
    code: String,
    lesson: usize,
    step: usize,
}

impl Learner {
    /// As it is kept, with the moment until which it is good.
    fn text(&self, until: Timestamp) -> String {
        format!("{} {} {} {}", self.code, self.lesson, self.step, when::kept(until))
    }

    /// What was kept, if it is still good.
    fn read(text: &str, now: Timestamp) -> Option<Learner> {
        let mut parts = text.split(' ');
        let code = parts.next()?.to_owned();
        let (lesson, step) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let until: Timestamp = parts.next()?.parse().ok()?;
        (until > now).then_some(Learner { code, lesson, step })
    }

    /// Whether a subject holds his code.
    fn is_of(&self, subject: &str) -> bool {
        let subject = subject.to_ascii_lowercase();
        let said = subject.split_once(CODE).and_then(|(_, rest)| rest.split_once(')')).map(|(code, _)| code);
        said.is_some_and(|said| said.as_bytes().ct_eq(self.code.as_bytes()).into())
    }
}

/// A folder that is thrown away.
struct Thrown(PathBuf);

impl Drop for Thrown {
    fn drop(&mut self) {
        // What stays is overwritten by the next lesson.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Office {
    /// Answers who asks for the lessons, or goes on with them; false where a mail does neither.
    pub(super) fn learner_asks(
        &mut self,
        mail: &InboxMail,
        incoming: &Incoming,
        from: &str,
    ) -> Result<bool, OfficeError> {
        if !self.config.tutorial {
            return Ok(false);
        }
        let now = self.clock.now();
        let known = self.store.mark(&format!("{MARK}/{from}"))?.and_then(|text| Learner::read(&text, now));
        let brings = known.as_ref().is_some_and(|learner| learner.is_of(&incoming.head.subject));
        let said: Vec<String> =
            incoming.script.iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
        let word = said.first().map(|line| line.to_uppercase()).unwrap_or_default();
        match known {
            Some(learner) if brings => self.lesson_answered(mail, incoming, (from, learner), &said)?,
            known if word == "TUTORIAL" => self.lesson_asked(mail, incoming, from, known)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The first lesson, or the one that is open, as the one answer that a stranger gets in a day: the sender may be
    /// forged.
    fn lesson_asked(
        &mut self,
        mail: &InboxMail,
        incoming: &Incoming,
        from: &str,
        known: Option<Learner>,
    ) -> Result<(), OfficeError> {
        let env = self.env();
        let may = self.store.act(|act| Ok(is_first_today(&env, act, from)? && may_write_to(&env, act, from)?))?;
        if !may {
            return self.lesson_refused(mail, "enough strangers were answered today");
        }
        let learner = match known {
            Some(learner) => learner,
            None => Learner { code: new_code()?, lesson: 0, step: 0 },
        };
        let (tutorial, mails) = match self.lesson_of(mail, &learner) {
            Ok(found) => found,
            Err(why) => return self.lesson_refused(mail, &why),
        };
        self.lesson_sent(mail, incoming, (from, learner), &letter(&tutorial, &mails))
    }

    /// What a learner wrote leads on, or is answered.
    fn lesson_answered(
        &mut self,
        mail: &InboxMail,
        incoming: &Incoming,
        (from, mut learner): (&str, Learner),
        said: &[String],
    ) -> Result<(), OfficeError> {
        let day = when::day(self.clock.now());
        let count = self.store.act(|act| act.count_answer(&format!("learner {from}"), &day))?;
        if count > ANSWERS_PER_DAY_MAX {
            return self.lesson_refused(mail, "enough lessons were given to its sender today");
        }
        let word = said.first().map(|line| line.to_uppercase()).unwrap_or_default();
        if word == "STOP" {
            let stopped = ["Stopped.  TUTORIAL begins again.".to_owned()];
            learner.lesson = LESSONS.len();
            return self.lesson_sent(mail, incoming, (from, learner), &stopped);
        }
        let (mut tutorial, mut mails) = match self.lesson_of(mail, &learner) {
            Ok(found) => found,
            Err(why) => return self.lesson_refused(mail, &why),
        };
        let mut before = None;
        if !matches!(word.as_str(), "" | "AGAIN" | "TUTORIAL") {
            let skips = word == "SKIP";
            let reply = match tutorial.answer(if skips { &[] } else { said }) {
                Ok(reply) => reply,
                Err(why) => return self.lesson_refused(mail, &why),
            };
            mails = if skips { Vec::new() } else { reply.mails };
            before = (!reply.done).then(|| "Nothing of it was done.  Now the lines of the lesson:".to_owned());
        }
        (learner.lesson, learner.step) = tutorial.place();
        let lines: Vec<String> = before.into_iter().chain(letter(&tutorial, &mails)).collect();
        self.lesson_sent(mail, incoming, (from, learner), &lines)
    }

    /// The lessons, played up to a learner's place.
    fn lesson_of(&self, mail: &InboxMail, learner: &Learner) -> Result<(Tutorial, Vec<Mail>), String> {
        let folder = Thrown(self.dir.join(format!(".lesson-{}", mail.id)));
        let _ = std::fs::remove_dir_all(&folder.0);
        let found = Tutorial::at(&folder.0, self.entries(), self.clock, (learner.lesson, learner.step));
        found.map(|(tutorial, mails)| (tutorial.in_folder(Box::new(folder)), mails))
    }

    fn lesson_refused(&mut self, mail: &InboxMail, why: &str) -> Result<(), OfficeError> {
        Ok(self.store.act(|act| act.settle(mail.id, InboxState::Refused, Some(why)))?)
    }

    /// Writes a mail of the lessons, and keeps where its reader is; nothing is kept of who is through.
    fn lesson_sent(
        &mut self,
        mail: &InboxMail,
        incoming: &Incoming,
        (from, learner): (&str, Learner),
        lines: &[String],
    ) -> Result<(), OfficeError> {
        let env = self.env();
        let Ok(to) = Address::parse(from) else { return self.lesson_refused(mail, "no address to write to") };
        let (topic, open) = match LESSONS.get(learner.lesson) {
            Some(lesson) => (format!("Tutorial {} of {}: {}", learner.lesson + 1, LESSONS.len(), lesson.title), true),
            None => ("Tutorial: the end".to_owned(), false),
        };
        let subject = if open { format!("{topic} {CODE}{})", learner.code) } else { topic };
        let body = format!("{}\n\n{}\n{REPORT_END}\n", report_mark(0), lines.join("\n"));
        let named = format!("estafette/lesson/v1\0{from}\0{}", mail.own_name());
        let written = loose(&env, &to, Written { subject, body }, &named, Some((mail.id, &incoming.head.message_id)));
        let until = env.now.checked_add(SignedDuration::from_hours(24 * DAYS)).unwrap_or(Timestamp::MAX);
        let key = format!("{MARK}/{from}");
        let done: Result<(), Trouble> = self.store.try_act(|act| {
            act.settle(mail.id, InboxState::Done, None)?;
            match open {
                true => act.set_mark(&key, &learner.text(until))?,
                false => act.drop_mark(&key)?,
            }
            match &written {
                Ok(mail) => drop(act.queue(mail)?),
                Err(error) => tracing::error!(%error, "a lesson is not written"),
            }
            Ok(())
        });
        Ok(done?)
    }
}

/// A code that nobody guesses.
fn new_code() -> Result<String, OfficeError> {
    let master = Master::fresh().map_err(OfficeError::Refused)?;
    let bytes = master.bytes().get(..CODE_BYTES).unwrap_or_default();
    Ok(BASE32_NOPAD.encode(bytes).to_ascii_lowercase())
}

/// What a learner reads: the mails of his game, then the lesson that is open.
fn letter(tutorial: &Tutorial, mails: &[Mail]) -> Vec<String> {
    let mut lines = Vec::new();
    for (mail, text) in shown(mails) {
        lines.extend(crate::text::wrap(&mail.subject, WIDTH, "--- ", 4));
        lines.push(String::new());
        lines.extend(text);
        lines.push(String::new());
    }
    let Some((number, lesson, step)) = tutorial.open() else {
        lines.extend(FAREWELL.lines().map(str::to_owned));
        return lines;
    };
    lines.extend([format!("LESSON {number} of {}   {}", LESSONS.len(), lesson.title), String::new()]);
    lines.extend(step.says.lines().map(str::to_owned));
    lines.push(String::new());
    lines.extend(step.lines.iter().map(|line| format!("    {line}")));
    let how =
        "Answer this mail with these lines, above the quoted text, from this address; or with SKIP, AGAIN or STOP.";
    lines.push(String::new());
    lines.extend(crate::text::wrap(how, WIDTH, "", 0));
    lines
}

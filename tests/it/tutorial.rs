//! The nine lessons: every outcome that they tell is played, and a learner's slip changes none of it.

use crate::whole::golden;
use estafette::clock::Clock;
use estafette::games::GAMES;
use estafette::mail::read::{Limits, read};
use estafette::tutorial::lessons::{At, COALITION, LESSONS, Lesson, Takes};
use estafette::tutorial::{Reply, Tutorial};
use tempfile::TempDir;

fn begin() -> (TempDir, Tutorial) {
    let dir = tempfile::tempdir().unwrap();
    let clock = Clock::from_text("2026-01-01T00:00:00Z").unwrap();
    let (tutorial, mails) = Tutorial::begin(dir.path(), GAMES, clock).unwrap();
    assert_eq!(mails.len(), 1, "the learner finds his opening mail");
    (dir, tutorial)
}

fn lines(text: &[&str]) -> Vec<String> {
    text.iter().map(|line| (*line).to_owned()).collect()
}

/// Sends the lines of every step as they stand, and gives what each led to.
fn played(tutorial: &mut Tutorial) -> Vec<(usize, Reply)> {
    let mut replies = Vec::new();
    while let Some((number, _, _)) = tutorial.open() {
        let reply = tutorial.answer(&[]).unwrap();
        assert!(reply.done, "lesson {number} does not take its own lines");
        replies.push((number, reply));
    }
    replies
}

#[test]
fn nine_lessons_end_in_the_victory_that_they_promise() {
    let (_dir, mut tutorial) = begin();
    let replies = played(&mut tutorial);
    assert_eq!(replies.iter().map(|(number, _)| *number).max(), Some(9));
    let told = |number: usize| -> String {
        let of = replies.iter().filter(|(lesson, _)| *lesson == number);
        of.flat_map(|(_, reply)| reply.mails.iter().map(|mail| mail.text.clone())).collect()
    };
    // What the lesson behind each says that has happened.
    for (number, words) in
        [(2, "E1"), (3, "0605"), (4, "ATACK"), (5, "347"), (6, "0705"), (7, "E3"), (8, "captured"), (9, "you have won")]
    {
        assert!(told(number).contains(words), "lesson {number} tells nothing of {words}:\n{}", told(number));
    }
}

#[test]
fn a_slip_in_every_lesson_changes_nothing_and_is_answered() {
    let (_dir, mut tutorial) = begin();
    let (_other, mut faultless) = begin();
    let mut last = Vec::new();
    while let Some((number, _, _)) = tutorial.open() {
        // Lines that would do harm if they were carried out, and a plain slip.
        let slip = lines(&["FORCE Gazan COMMAND MARCH 0407 0508", "FORSE Lannes STAY", "END"]);
        let reply = tutorial.answer(&slip).unwrap();
        assert!(!reply.done && reply.mails.len() == 1, "lesson {number}: {reply:?}");
        let asked = tutorial.answer(&lines(&["HELP"])).unwrap();
        assert!(asked.done || asked.mails.len() == 1, "lesson {number}: a question has one answer: {asked:?}");
        if !asked.done {
            last = tutorial.answer(&[]).unwrap().mails;
        }
    }
    played(&mut faultless);
    let text = last.iter().map(|mail| mail.text.clone()).collect::<String>();
    assert!(text.contains("AUDIT") || text.contains("you have won"), "{text}");
    assert!(tutorial.open().is_none() && faultless.open().is_none());
}

#[test]
fn lines_in_another_case_and_a_nonce_of_one_s_own_are_taken() {
    let (_dir, mut tutorial) = begin();
    assert!(tutorial.answer(&lines(&["signon", "nonce Austerlitz"])).unwrap().done);
    let typed = lines(&["vedette place  with gazan 1", "Vedette place with MC1 1", "end", "Yours, Marbot"]);
    assert!(tutorial.answer(&typed).unwrap().done);
    assert_eq!(tutorial.open().map(|(number, _, _)| number), Some(3));
}

#[test]
fn the_lessons_are_nine_short_texts_that_fit_a_mail() {
    assert_eq!(LESSONS.len(), 9);
    for Lesson { title, steps, at } in LESSONS {
        assert!(!steps.is_empty() && (at != At::Forming || title == LESSONS[0].title));
        for step in steps {
            assert!(!step.lines.is_empty() && step.says.lines().count() <= 12, "{title}");
            let wide: Vec<&str> = step.says.lines().filter(|line| line.chars().count() > 76).collect();
            assert!(wide.is_empty(), "{title}: {wide:?}");
            assert!(step.lines.iter().all(|line| line.chars().count() <= 72), "{title}");
        }
    }
    let asks = LESSONS.iter().flat_map(|lesson| lesson.steps).filter(|step| step.takes == Takes::Questions);
    assert_eq!((asks.count(), COALITION.len()), (2, 2));
}

#[test]
fn the_transcript_of_the_lessons_is_kept() {
    let alone = crate::alone::Alone::new();
    let said = alone.typed(&["tutorial", "--dir", "mine"], &"\n".repeat(40));
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    golden("tutorial/terminal.txt", &said.out);
    assert!(alone.path("mine/mails/001.txt").is_file() && alone.path("mine/estafette.db").is_file());
}

#[test]
fn skip_again_and_stop_do_what_they_say() {
    let alone = crate::alone::Alone::new();
    let said = alone.typed(&["tutorial"], "AGAIN\nskip\nSKIP\nstop\n");
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.ends_with("Stopped.\n"), "{}", said.out);
    for (head, times) in [("LESSON 1 of 9", 2), ("LESSON 2 of 9", 1), ("LESSON 3 of 9", 1), ("LESSON 4 of 9", 0)] {
        assert_eq!(said.out.matches(head).count(), times, "{head}: {}", said.out);
    }
    assert_eq!(alone.tree(), Vec::<String>::new(), "a tutorial without --dir leaves nothing");
    let said = alone.typed(&["tutorial"], "");
    assert!(said.code == 0 && said.out.contains("LESSON 1 of 9"), "nobody types: {said:?}");
    let said = alone.typed(&["tutorial"], "Dear Sir,\nATTACK everything\nEND\n\nSTOP\n");
    assert!(said.code == 0 && said.out.contains("Now the lines of the lesson"), "{said:?}");
    assert!(!said.out.contains("LESSON 2 of 9"), "{said:?}");
}

/// A learner with a mail program and a post office that gives lessons, or none.
struct Learner {
    alone: crate::alone::Alone,
    written: u32,
}

impl Learner {
    fn new(config: &str) -> Learner {
        let alone = crate::alone::Alone::new();
        assert_eq!(alone.typed(&["init", "--dir", "post"], "").code, 0);
        std::fs::write(alone.path("post/config.toml"), format!("address = \"post@example.org\"\n{config}")).unwrap();
        Learner { alone, written: 0 }
    }

    /// Sends a mail, lets the daemon make a pass, and gives the mails that came: recipient, subject, text.
    fn sends(&mut self, from: &str, subject: &str, text: &str) -> Vec<(String, String, String)> {
        self.written += 1;
        let n = self.written;
        let raw = format!(
            "From: <{from}>\r\nTo: <post@example.org>\r\nSubject: {subject}\r\nMessage-ID: <l{n}@x>\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{}\r\n",
            text.replace('\n', "\r\n")
        );
        std::fs::write(self.alone.path(&format!("post/mail/in/new/l{n}")), raw).unwrap();
        let said = self.alone.typed(&["serve", "--dir", "post", "--once"], "");
        assert_eq!(said.code, 0, "{said:?}");
        let mut came = Vec::new();
        for entry in std::fs::read_dir(self.alone.path("post/mail/out/new")).unwrap() {
            let path = entry.unwrap().path();
            let mail = read(&std::fs::read(&path).unwrap(), &Limits::default()).unwrap();
            std::fs::remove_file(path).unwrap();
            came.push((mail.head.to[0].clone(), mail.head.subject, mail.text));
        }
        came
    }
}

#[test]
fn the_lessons_come_by_mail_to_their_end() {
    let mut learner = Learner::new("tutorial = true\n");
    let who = "marbot@example.net";
    let mut came = learner.sends(who, "hello", "TUTORIAL");
    let mut lessons = Vec::new();
    while came[0].1.starts_with("Tutorial ") {
        assert_eq!((came.len(), came[0].0.as_str()), (1, who), "{came:?}");
        let (_, subject, text) = came.remove(0);
        let title = subject.split(" (t-").next().unwrap().to_owned();
        assert!(subject.len() <= 78 && text.lines().all(|line| line.chars().count() <= 76), "{subject}\n{text}");
        assert!(lessons.len() < 20, "{lessons:?}");
        // The lines that stand indented behind the lesson, above our own quoted mail, as a mail program puts it.
        let below = text.rsplit("LESSON ").next().unwrap();
        let lines: Vec<&str> = below.lines().filter_map(|line| line.strip_prefix("    ")).collect();
        let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
        lessons.push(title);
        let answer = format!("{}\n\nOn Thu, 1 Jan 2026 at 10:00, Post wrote:\n{quoted}", lines.join("\n"));
        came = learner.sends(who, &format!("Re: {subject}"), &answer);
    }
    assert_eq!((lessons.len(), came[0].1.as_str()), (12, "Tutorial: the end"), "{lessons:?}");
    assert!(came[0].2.contains("handbook player"), "{}", came[0].2);
    let status = learner.alone.typed(&["status", "--dir", "post"], "");
    assert!(status.out.contains("No games yet."), "the lessons are no game of the post office: {status:?}");
    let left = learner.alone.tree().into_iter().filter(|name| name.contains("lesson")).collect::<Vec<_>>();
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn by_mail_too_a_slip_is_answered_and_the_words_do_what_they_say() {
    let mut learner = Learner::new("tutorial = true\n");
    let who = "marbot@example.net";
    let first = learner.sends(who, "hello", "Tutorial\n\nThank you!").remove(0);
    let subject = format!("Re: {}", first.1);
    let slip = learner.sends(who, &subject, "FORCE Murat GALLOP\nEND").remove(0);
    assert!(slip.1 == first.1 && slip.2.contains("Nothing of it was done"), "{slip:?}");
    let twice = learner.sends(who, &subject, "FORCE Murat GALLOP\nEND");
    assert_eq!(twice.len(), 1, "the same words in a second mail are answered too");
    let again = learner.sends(who, &subject, "AGAIN").remove(0);
    assert!(again.1 == first.1 && again.2.contains("LESSON 1 of 9"), "{again:?}");
    let second = learner.sends(who, &subject, "skip").remove(0);
    assert!(second.1.starts_with("Tutorial 2 of 9") && !second.2.contains("You have signed on"), "{second:?}");
    // Without the code it is nobody's; with it, from another address, too.
    assert!(!learner.sends(who, "Re: Tutorial 2 of 9", "END").iter().any(|mail| mail.1.contains("Tutorial")));
    assert!(!learner.sends("x@example.com", &subject, "END").iter().any(|mail| mail.1.contains("Tutorial")));
    let stopped = learner.sends(who, &subject, "STOP").remove(0);
    assert!(stopped.1 == "Tutorial: the end" && stopped.2.contains("Stopped."), "{stopped:?}");
    assert!(!learner.sends(who, &subject, "END").iter().any(|mail| mail.1.contains("Tutorial")));
}

#[test]
fn lessons_are_given_only_where_the_operator_allows_them_and_once_a_day_to_whoever_says_he_is_somebody() {
    let mut closed = Learner::new("");
    assert!(!closed.sends("a@example.net", "hello", "TUTORIAL").iter().any(|mail| mail.1.contains("Tutorial")));
    let mut open = Learner::new("tutorial = true\n");
    assert_eq!(open.sends("a@example.net", "hello", "TUTORIAL").len(), 1);
    assert_eq!(open.sends("a@example.net", "hello", "TUTORIAL").len(), 0, "a forger sends nobody a second mail");
    assert_eq!(open.sends("b@example.net", "hello", "TUTORIAL").len(), 1);
}

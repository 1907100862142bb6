//! The nine lessons: every outcome that they tell is played, and a learner's slip changes none of it.

use crate::whole::golden;
use estafette::clock::Clock;
use estafette::games::GAMES;
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
        assert_eq!(asked.mails.len(), 1, "lesson {number}: a question has one answer");
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
    let typed = lines(&["vedette place  with gazan 1", "Vedette place with MC1 1", "end"]);
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

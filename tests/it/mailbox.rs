//! The mailbox on a server: what is old is left alone, what is new comes once, and no answer can end the post office.

use crate::servers::imap::FakeImap;
use estafette::mail::imap::watch::{self, Bell};
use estafette::mail::imap::{Folders, Imap};
use estafette::mail::server::{Line, Secret, Server};
use estafette::mail::{Inbound, MailError};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn now() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn server(fake: &FakeImap) -> Server {
    Server {
        host: "127.0.0.1".to_owned(),
        port: fake.port,
        line: Line::Plain,
        user: Some(("post".to_owned(), Secret::Password("hush".to_owned()))),
        ca: None,
        dir: ".".into(),
    }
}

fn imap(fake: &FakeImap) -> Imap {
    let folders = Folders {
        read: "INBOX".to_owned(),
        processed: Some("Processed".to_owned()),
        rejected: None,
        mail_bytes_max: 1000,
        poll_seconds: 60,
    };
    Imap::new(server(fake), folders, Arc::new(Bell::default()))
}

#[test]
fn fifty_thousand_old_mails_are_passed_over_with_a_handful_of_commands() {
    let fake = FakeImap::start(50_001);
    let mut post = imap(&fake);
    post.begin(now(), None);
    assert_eq!(post.fetch(100).unwrap(), []);
    let remembered = post.to_remember().unwrap();
    assert_eq!(remembered, "7 50000 2026-01-01");
    assert!(fake.mailbox.lock().unwrap().said.len() <= 6, "{:?}", fake.mailbox.lock().unwrap().said);
    // What comes now is new, also to a process that begins only then.
    fake.mailbox.lock().unwrap().mail = Some((50_001, b"From: a@b.example\r\n\r\n((((\r\n".to_vec()));
    let mut later = imap(&fake);
    later.begin(now(), Some(&remembered));
    let mails = later.fetch(100).unwrap();
    assert_eq!((mails.len(), mails[0].key.as_str()), (1, "7/50001"));
    assert_eq!(mails[0].raw, b"From: a@b.example\r\n\r\n((((\r\n");
    later.handled("7/50001").unwrap();
    assert_eq!(later.to_remember(), None, "what is not put away is not remembered: after a crash it comes again");
    later.put_away().unwrap();
    assert_eq!(later.to_remember().as_deref(), Some("7 50001 2026-01-01"));
    // The mail is still there, where a server is slow to move it, and is not new again.
    later.begin(now() + SignedDuration::from_mins(2), None);
    assert_eq!(later.fetch(100).unwrap(), []);
}

#[test]
fn nobody_is_asked_before_it_is_time_unless_the_bell_rings() {
    let fake = FakeImap::start(1);
    let bell = Arc::new(Bell::default());
    let mut post = imap(&fake);
    post.begin(now(), None);
    post.fetch(9).unwrap();
    let count = || fake.mailbox.lock().unwrap().said.len();
    let before = count();
    post.begin(now() + SignedDuration::from_secs(59), None);
    post.fetch(9).unwrap();
    assert_eq!(count(), before);
    post.begin(now() + SignedDuration::from_secs(60), None);
    post.fetch(9).unwrap();
    assert!(count() > before);
    bell.ring_mail();
    assert!(bell.wait(Duration::ZERO) && bell.take_mail() && !bell.take_mail());
}

#[test]
fn idle_is_said_anew_before_a_server_would_drop_the_line_and_no_news_is_missed() {
    let fake = FakeImap::start(1);
    fake.mailbox.lock().unwrap().idles = true;
    let (bell, stop) = (Arc::new(Bell::default()), Arc::new(AtomicBool::new(false)));
    let watcher = {
        let (server, bell, stop) = (server(&fake), Arc::clone(&bell), Arc::clone(&stop));
        std::thread::spawn(move || watch::watch(&server, "INBOX", &bell, &stop, Duration::from_millis(20)))
    };
    let most = Duration::from_secs(60);
    assert!(bell.wait(most) && bell.take_mail(), "what came while nobody watched is looked for");
    let idles = || fake.mailbox.lock().unwrap().said.iter().filter(|said| *said == "IDLE").count();
    while idles() < 4 {
        assert!(!watcher.is_finished());
        std::thread::sleep(Duration::from_millis(1));
    }
    // Often enough that some come just when an IDLE ends.
    for _ in 0..20 {
        bell.take_mail();
        fake.mailbox.lock().unwrap().news = true;
        while fake.mailbox.lock().unwrap().news {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(bell.wait(most), "news were told and not heard");
    }
    assert_eq!(fake.mailbox.lock().unwrap().said.iter().filter(|said| said.starts_with("LOGIN")).count(), 1);
    stop.store(true, Ordering::SeqCst);
    watcher.join().unwrap();
}

#[test]
fn no_answer_of_a_mad_server_ends_the_post_office_or_loses_the_mail() {
    let raw = b"From: a@b.example\r\n\r\nhello\r\n".to_vec();
    let deep = |n: usize| [b"* 1 FETCH (BODYSTRUCTURE ".to_vec(), b"(".repeat(n), b"\r\n".to_vec()].concat();
    let mad: Vec<(&str, Vec<u8>)> = vec![
        ("LOGIN", b"{tag} NO wrong\r\n".to_vec()),
        ("LOGIN", b"* BYE too many\r\n".to_vec()),
        ("LOGIN", b"\x00\xff\xfe garbage\r\n".to_vec()),
        ("CAPABILITY", b"{tag} BAD what\r\n".to_vec()),
        ("SELECT", b"* 3 EXISTS\r\n{tag} OK no validity\r\n".to_vec()),
        ("SELECT", b"{tag} NO no such folder\r\n".to_vec()),
        ("SELECT", b"* OK [UIDVALIDITY 0] x\r\n{tag} OK done\r\n".to_vec()),
        ("NOOP", deep(50_000)),
        ("UID SEARCH", deep(100)),
        ("UID SEARCH", b"* SEARCH 99999999999999999999\r\n{tag} OK done\r\n".to_vec()),
        ("UID SEARCH", [b"* SEARCH ".to_vec(), b"1 ".repeat(3 << 20), b"\r\n".to_vec()].concat()),
        ("UID FETCH", b"* 1 FETCH (UID 9 BODY[]<0> {99999999999}\r\nx".to_vec()),
        ("UID FETCH", b"* 1 FETCH (UID nine)\r\n{tag} OK done\r\n".to_vec()),
        ("UID FETCH", b"A999 OK out of turn\r\n* BYE\r\n".to_vec()),
    ];
    for (command, answer) in mad {
        let fake = FakeImap::start(9);
        let mut post = imap(&fake);
        post.begin(now(), Some("7 8 2026-01-01"));
        fake.mailbox.lock().unwrap().mail = Some((9, raw.clone()));
        fake.mailbox.lock().unwrap().mad = Some((command.to_owned(), answer.clone()));
        let shown = String::from_utf8_lossy(&answer[..answer.len().min(60)]).into_owned();
        match post.fetch(9) {
            Err(MailError::Away { why, .. }) => assert!(!why.is_empty() && why.len() < 1000, "{command} {shown}"),
            other => panic!("{command} {shown}: {other:?}"),
        }
        fake.mailbox.lock().unwrap().mad = None;
        let mails = post.fetch(9).unwrap();
        assert_eq!((mails.len(), &mails[0].raw), (1, &raw), "{command} {shown}");
    }
}

#[test]
fn a_mail_above_the_limit_is_fetched_no_further() {
    let fake = FakeImap::start(9);
    let mut post = imap(&fake);
    post.begin(now(), Some("7 8 2026-01-01"));
    fake.mailbox.lock().unwrap().mail = Some((9, b"From: a@b.example\r\n\r\nhello\r\n".to_vec()));
    let whole = post.fetch(9).unwrap().remove(0);
    assert_eq!(whole.size, whole.raw.len() as u64, "the server's word counts only where the mail was cut");
    let said = fake.mailbox.lock().unwrap().said.clone();
    assert!(said.iter().any(|line| line == "UID FETCH 9 (UID BODY.PEEK[]<0.1001>)"), "{said:?}");
    assert!(said.iter().all(|line| !line.contains("BODYSTRUCTURE") && !line.contains("ENVELOPE")));
}

#[test]
fn a_mail_above_the_limit_comes_with_its_true_size() {
    let fake = FakeImap::start(9);
    let mut post = imap(&fake);
    post.begin(now(), Some("7 8 2026-01-01"));
    fake.mailbox.lock().unwrap().mail = Some((9, [b"From: a@b.example\r\n\r\n".to_vec(), b"x".repeat(7000)].concat()));
    let mail = post.fetch(9).unwrap().remove(0);
    assert_eq!((mail.raw.len(), mail.size), (1001, 7021));
}

#[test]
fn a_mail_that_is_never_handed_out_does_not_keep_those_behind_it_for_ever() {
    let fake = FakeImap::start(9);
    let mut post = imap(&fake);
    post.begin(now(), Some("7 8 2026-01-01"));
    fake.mailbox.lock().unwrap().mail = Some((9, b"x".to_vec()));
    fake.mailbox.lock().unwrap().mad = Some(("UID FETCH 9 (UID BODY".to_owned(), b"{tag} OK nothing\r\n".to_vec()));
    let refused = (0..20).take_while(|_| post.fetch(9).is_err()).count();
    assert!((3..10).contains(&refused), "{refused} times");
}

//! The operator's settings and the clock.

use estafette::clock::Clock;
use estafette::config::{Config, MailLimits, TransportKind};
use jiff::{SignedDuration, Timestamp};
use std::path::Path;

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("config.toml")).map_err(|why| why.to_string())
}

#[test]
fn the_example_is_a_config_with_the_defaults() {
    let config = parse(&Config::example()).unwrap();
    // A new post office has its nightly copies; one that was made before them asks for them first.
    assert_eq!(config.backup.as_ref().map(|b| (b.folder.as_path(), b.keep_days)), Some((Path::new("backups"), 14)));
    let bare = Config { backup: None, ..config.clone() };
    assert_eq!(bare, parse("address = \"estafette@example.org\"").unwrap());
    assert_eq!((config.transport, config.deadline_hours), (TransportKind::Maildir, 48));
    assert_eq!((config.message_domain(), &config.limits), ("example.org", &MailLimits::default()));
}

#[test]
fn every_remark_of_the_example_that_sets_a_key_can_be_taken_in() {
    let taken: String = Config::example()
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(set) if set.contains(" = \"") => format!("{set}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let config = parse(&taken).unwrap();
    assert_eq!(config.trusted_authserv_id.as_deref(), Some("mx.example.org"));
    assert_eq!(config.operator.as_deref(), Some("you@example.org"));
    assert_eq!(config.domain.as_deref(), Some("example.org"));
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_cure() {
    let ok = "address = \"a@example.org\"\n";
    let smtp = |rest: &str| format!("{ok}transport = \"smtp\"\n[smtp]\n{rest}\n");
    let imap = |rest: &str| format!("{ok}transport = \"imap\"\n[smtp]\nhost = \"h\"\n[imap]\n{rest}\n");
    for (text, line, words) in [
        ("", 1, "missing field `address`"),
        ("address = 3\n", 1, "invalid type"),
        ("# x\naddress = \"nobody\"\n", 2, "not a mail address"),
        (&format!("{ok}operator = \"a b@c\"\n"), 2, "not a mail address"),
        (&format!("{ok}\ndomain = \"ex ample\"\n"), 3, "not a domain"),
        (&format!("{ok}transport = \"imap\"\n"), 2, "goes with [imap] and [smtp]"),
        (&format!("{ok}transport = \"smtp\"\n"), 2, "goes with [smtp] and no [imap]"),
        (&format!("{ok}[smtp]\nhost = \"x\"\n"), 1, "goes with neither"),
        (&smtp("host = \"mail.example.org\"\nsecurity = \"none\""), 5, "in the open"),
        (&smtp("host = \"a b\""), 4, "not a server's name"),
        (&smtp("host = \"h\"\nuser = \"u\""), 5, "without a secret"),
        (&smtp("host = \"h\"\nuser = \"u\"\npassword = \"p\"\ntoken_command = \"t\""), 5, "two secrets"),
        (&smtp("host = \"h\"\nmails_per_day_max = 0"), 5, "send nothing"),
        (&smtp("host = \"h\"\nport = 99999"), 5, "99999"),
        (&imap("host = \"h\"\nuser = \"u\""), 7, "has no secret"),
        (&imap("host = \"h\"\nuser = \"u\"\npassword = \"p\"\nprocessed = \"INBOX\""), 9, "where they are read"),
        (&imap("host = \"h\"\nuser = \"u\"\npassword = \"p\"\npoll_seconds = 1"), 9, "5 to 3600"),
        (&format!("{ok}[lmtp]\nlisten = \"0.0.0.0:24\"\n"), 3, "neither a port of this machine"),
        (&format!("{ok}transport = \"pigeon\"\n"), 2, "unknown variant `pigeon`"),
        (&format!("{ok}deadline_hours = 0\n"), 2, "1 to 8784"),
        (&format!("{ok}colour = \"red\"\n"), 2, "unknown field `colour`"),
        (&format!("{ok}[limits]\nlines_max = 3\n"), 3, "below 100"),
        (&format!("{ok}[limits]\nlines = 3\n"), 3, "unknown field `lines`"),
        (&format!("{ok}[backup]\nfolder = \"mail/in/new\"\n"), 3, "lies among the mails"),
        (&format!("{ok}[backup]\nfolder = \"copies/../mail\"\n"), 3, "lies among the mails"),
        (&format!("{ok}name = \"unclosed\n"), 2, "config.toml:2"),
    ] {
        let why = parse(text).unwrap_err();
        assert!(why.starts_with(&format!("config.toml:{line}: ")), "{text:?}: {why}");
        assert!(why.contains(words) && why.ends_with('.'), "{text:?}: {why}");
    }
}

#[test]
fn a_folder_of_backups_is_refused_among_our_own_mails_alone() {
    let dir = tempfile::tempdir().unwrap();
    let with = |folder: &str| {
        let text = format!("address = \"a@example.org\"\n[backup]\nfolder = {folder:?}\n");
        Config::parse(&text, &dir.path().join("config.toml")).is_ok()
    };
    let own = dir.path().join("mail/out");
    assert!(!with(own.to_str().unwrap()));
    for folder in ["backups", "old/mail", "/srv/mail/backups", "../mail"] {
        assert!(with(folder), "{folder}");
    }
}

#[test]
fn accounts_are_read_and_their_secrets_never_shown() {
    let text = "address = \"a@example.org\"\ntransport = \"imap\"\n[imap]\nhost = \"imap.example.org\"\nuser = \"u\"\n\
                password = \"hush\"\n[smtp]\nhost = \"smtp.example.org\"\nsecurity = \"starttls\"\nuser = \"u\"\n\
                token_command = \"print-token\"\n[lmtp]\nlisten = \"unix:/run/x.sock\"\n";
    let config = parse(text).unwrap();
    let (imap, smtp) = (config.imap.clone().unwrap(), config.smtp.clone().unwrap());
    assert_eq!((imap.port(), smtp.port(), imap.folder.as_str(), imap.idle), (993, 587, "INBOX", true));
    assert!(!format!("{config:?}").contains("hush"));
    assert!(!serde_json::to_string(&config).unwrap().contains("hush"));
}

#[test]
fn a_missing_config_is_named_with_its_cure() {
    let dir = tempfile::tempdir().unwrap();
    let why = Config::load(&dir.path().join("config.toml")).unwrap_err().to_string();
    assert!(why.contains("config.toml") && why.contains("estafette init"), "{why}");
    std::fs::write(dir.path().join("config.toml"), Config::example()).unwrap();
    assert_eq!(Config::load(&dir.path().join("config.toml")).unwrap().name, "Estafette");
}

#[test]
fn a_fixed_clock_stands_until_it_is_moved() {
    let start: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    let mut clock = Clock::from_text("2026-01-01T00:00:00Z").unwrap();
    assert_eq!((clock.now(), clock), (start, Clock::fixed(start)));
    clock.advance(SignedDuration::from_hours(49));
    assert_eq!(clock.now().to_string(), "2026-01-03T01:00:00Z");
    clock.advance(SignedDuration::MAX);
    assert_eq!(clock.now(), Timestamp::MAX);
}

#[test]
fn a_bad_clock_is_an_error_with_its_cure() {
    for value in ["", "yesterday", "2026-01-01", "2026-01-01T00:00:00", "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z"]
    {
        let why = Clock::from_text(value).unwrap_err().to_string();
        assert!(why.contains(&format!("{value:?}")) && why.contains("2026-01-01T00:00:00Z"), "{why}");
    }
}

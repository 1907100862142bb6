//! A letter that cannot be written fails alone; an address is its owner's in his own spelling; what a player's mail must
//! look like to be taken for a machine's.

use super::bench::{Bench, CONFIG, Mail, to, written};
use crate::door::NO_ADDRESSES;
use estafette::store::{GameState, InboxState, OutboxMail, OutboxState};
use rusqlite::Connection;

fn begun(config: &str) -> Bench {
    let mut bench = Bench::with_config(&format!("{CONFIG}{config}"));
    bench.new_game("toy-7", "toy-fellows", true);
    bench.pass();
    bench.reply("french", "SIGNON\n");
    bench.reply("coalition", "SIGNON\n");
    bench
}

fn outbox(bench: &Bench, seat: &str) -> Vec<OutboxMail> {
    bench.office.store.outbox_of_seat("toy-7", seat).unwrap()
}

fn state(bench: &Bench) -> GameState {
    bench.office.store.game("toy-7").unwrap().unwrap().state
}

/// What stands in the database of a post office that took it before addresses were looked at.
fn poison(bench: &Bench, sql: &str, values: &[&str]) {
    let open = Connection::open(bench.dir.path().join("estafette.db")).unwrap();
    open.execute(sql, rusqlite::params_from_iter(values)).unwrap();
}

#[test]
fn a_kept_address_that_cannot_be_written_costs_its_own_copy_and_nothing_else() {
    let odd = ["a..b@x.example", "a@[127.0.0.1]", "a<b@x.example", "nobody", "\u{fc}@x.example"];
    for address in odd {
        let mut bench = begun("operator = \"boss@example.org\"\n");
        let numbers = |bench: &Bench| outbox(bench, "french").last().unwrap().number.unwrap();
        let before = numbers(&bench);
        poison(&bench, "INSERT INTO addresses (game, seat, address) VALUES ('toy-7', 'french', ?1)", &[address]);
        let mails = bench.reply("french", "DEADLINE\n");
        assert_eq!((to(&mails, "french").len(), to(&mails, "boss").len()), (1, 1), "{address}: {mails:?}");
        assert!(to(&mails, "boss")[0].text.contains("could not be written"), "{mails:?}");
        let copies: Vec<OutboxMail> =
            outbox(&bench, "french").into_iter().filter(|mail| mail.number == Some(before + 1)).collect();
        let failed = copies.iter().find(|mail| mail.recipient == address).unwrap();
        assert_eq!((copies.len(), failed.state), (2, OutboxState::Failed), "{address}");
        assert!(failed.fault.as_deref().unwrap().contains("not a mail address"), "{:?}", failed.fault);
        // Told once a day; numbers run on; the others play.
        let mails = bench.reply("french", "DEADLINE\n");
        assert_eq!((to(&mails, "french").len(), to(&mails, "boss").len()), (1, 0), "{address}: {mails:?}");
        assert_eq!((numbers(&bench), state(&bench)), (before + 2, GameState::Playing));
        assert_eq!(to(&bench.reply("coalition", "DEADLINE\n"), "coalition").len(), 1);
    }
}

#[test]
fn a_seat_that_has_no_good_address_keeps_its_mail_until_it_has_one() {
    let mut bench = begun("");
    poison(&bench, "UPDATE addresses SET address = 'a..b@x.example', spelled = NULL WHERE seat = ?1", &["french"]);
    bench.reply("umpire", "MESSAGE TO french\nWhere are you?\nEND MESSAGE\n");
    let kept = outbox(&bench, "french").pop().unwrap();
    assert_eq!((kept.state, state(&bench)), (OutboxState::Failed, GameState::Playing));
    bench.office.umpire_says("toy-7", "umpire", &["REPLACE french ney@example.org".to_owned()]).unwrap();
    bench.pass();
    let number = kept.number.unwrap();
    let mails = bench.reply("ney", &format!("RESEND {number}\n"));
    let again = bench.out().into_iter().filter(|mail| mail.text.contains("Where are you?")).count();
    assert_eq!(again, 1, "{mails:?}");
}

#[test]
fn no_command_and_no_sender_brings_in_an_address_that_cannot_be_written() {
    let mut bench = begun("");
    for address in NO_ADDRESSES
        .into_iter()
        .filter(|a| !a.is_empty() && !a.contains(['\n', '\0', '\u{7f}', '\u{200b}', '\u{ad}', '\u{ff58}']))
    {
        // What stands between brackets or behind blanks may be a good one.
        let good = |word: &str| estafette::address::Address::parse(word.trim_matches(['<', '>', ','])).is_ok();
        if address.split_whitespace().any(good) {
            continue;
        }
        let lines = ["ADDRESS ADD", "ADDRESS", "STANDIN", "ABSENT 20 Dec 3 Jan STANDIN"];
        let mails = bench.reply("french", &lines.map(|line| format!("{line} {address}\n")).concat());
        let text = &to(&mails, "french")[0].text;
        assert!(!text.contains("CONFIRM") && !text.contains("stands in"), "{address}: {text}");
        bench.post(address, "hello", "OBSERVE toy-7\nSIGNON toy-7\n");
        bench.pass();
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
    }
    for seat in bench.office.store.seats("toy-7").unwrap() {
        assert_eq!(seat.addresses, [format!("{}@example.org", seat.seat)]);
    }
    assert_eq!(state(&bench), GameState::Playing);
}

#[test]
fn ids_that_cannot_be_written_or_are_endless_break_no_answer() {
    let mut bench = begun("");
    let subject = bench.last_to("french@example.org").subject;
    let endless: String = (0..40_000).map(|n| format!(" <{n}@x.example>\r\n")).collect();
    let threads = [
        ("Message-ID: <\u{fc}@x>".to_owned(), 1),
        ("Message-ID: <a<b@x>".to_owned(), 2),
        (format!("Message-ID: <{}@x>", "a".repeat(500_000)), 3),
        ("References: <\u{fc}@x> <a<b@x> <good@x>\r\nMessage-ID: <four@x>".to_owned(), 4),
        (format!("References:\r\n{endless}Message-ID: <five@x>"), 5),
    ];
    for (fields, n) in threads {
        let raw = written("french@example.org", &subject, "DEADLINE\n", n);
        let raw = raw.replace(&format!("Message-ID: <m{n}@players.example>"), &fields);
        bench.deliver(raw.as_bytes());
        let mails = bench.pass();
        assert_eq!(to(&mails, "french").len(), 1, "{n}");
        let head = String::from_utf8(to(&mails, "french")[0].raw.clone()).unwrap();
        let head = head.split("\r\n\r\n").next().unwrap();
        assert!(head.len() < 8_000 && head.is_ascii() && head.lines().all(|line| line.len() <= 998), "{n}: {head}");
        assert_eq!(head.contains("<good@x>"), n == 4, "{head}");
    }
    assert_eq!(state(&bench), GameState::Playing);
    // What an older program kept of a thread is no more trusted.
    let desk = "INSERT INTO desk (game, seat, key, value) VALUES ('toy-7', 'coalition', 'thread', ?1) \
                ON CONFLICT (game, seat, key) DO UPDATE SET value = excluded.value";
    poison(&bench, desk, &["a<b@x \u{fc}@x fine@x"]);
    let mails = bench.reply("umpire", "MESSAGE TO coalition\nHello.\nEND MESSAGE\n");
    let raw = String::from_utf8(to(&mails, "coalition")[0].raw.clone()).unwrap();
    assert!(raw.contains("References: <fine@x>"), "{raw}");
}

#[test]
fn a_template_that_fails_when_it_is_filled_costs_no_letter_and_no_game() {
    let bench = begun("");
    let folder = bench.dir.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    // Sound to look at, and without an end.
    let endless = "Subject: x\n{% for i in range(9999) %}{% for j in range(9999) %}{{ i }}{% endfor %}{% endfor %}\n";
    for name in ["answer.txt", "notice.txt", "answers.txt", "neutral.txt"] {
        std::fs::write(folder.join(name), endless).unwrap();
    }
    let mut bench = bench.reopened();
    let mails = bench.reply("french", "DEADLINE\n");
    assert!(to(&mails, "french")[0].text.contains("DEADLINE"), "{mails:?}");
    let mails = bench.reply("umpire", "MESSAGE TO coalition\nHello.\nEND MESSAGE\n");
    assert!(to(&mails, "coalition")[0].text.contains("Hello."), "{mails:?}");
    bench.post("eve@example.org", "hello", "hello\n");
    assert_eq!((to(&bench.pass(), "eve").len(), state(&bench)), (1, GameState::Playing));
}

#[test]
fn a_name_that_a_header_cannot_bear_bare_is_quoted() {
    for name in ["Post, the", "Estafette: Moravia", "<Post>", "P\u{f6}st \"1805\"", "", "@"] {
        let mut bench = Bench::with_config(&format!("{CONFIG}name = '{name}'\n"));
        bench.new_game("toy-7", "toy-fellows", true);
        let raw = bench.pass().pop().unwrap().raw;
        let head = estafette::mail::read::read(&raw, &estafette::mail::read::Limits::default()).unwrap().head;
        assert_eq!(head.from.as_deref(), Some("post@example.org"), "{name}");
    }
}

#[test]
fn an_address_is_its_owners_in_the_spelling_that_he_has_shown() {
    let taken = |bench: &mut Bench, from: &str, n: u32| {
        let subject = bench.last_to("french@example.org").subject;
        bench.deliver(written(from, &subject, "DEADLINE\n", n).as_bytes());
        let mails = bench.pass();
        let held = mails.iter().any(|mail| mail.subject.contains("is held back"));
        assert!(!mails.is_empty());
        (!held, mails)
    };
    // Typed by somebody else, or kept by an older program: his own first mail says how he writes it.
    let mut bench = Bench::with_game("toy-7", "toy-fellows");
    let subject = bench.last_to("french@example.org").subject;
    bench.deliver(written("French@Example.ORG", &subject, "SIGNON\n", 1).as_bytes());
    assert!(bench.pass().iter().any(|mail| mail.raw.windows(22).any(|w| w == b"To: French@example.org")));
    assert!(taken(&mut bench, "French@EXAMPLE.org", 2).0, "DNS knows no capitals");
    for (n, from) in (3..).zip(["french@example.org", "FRENCH@example.org"]) {
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
        assert!(!taken(&mut bench, from, n).0, "{from}");
    }
    // Who writes it in two ways confirms the other one once.
    bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
    let mails = taken(&mut bench, "french@example.org", 9).1;
    let asked = mails.iter().find(|mail| mail.text.contains("CONFIRM ")).unwrap();
    let code = asked.text.split("CONFIRM ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let subject = bench.last_to("french@example.org").subject;
    bench.deliver(written("French@example.org", &subject, &format!("CONFIRM {code}\n"), 10).as_bytes());
    bench.pass();
    for (n, from) in (11..).zip(["french@example.org", "French@example.org"]) {
        assert!(taken(&mut bench, from, n).0, "{from}");
    }
}

#[test]
fn a_players_own_mail_is_no_machines_for_the_look_of_it() {
    let mut bench = begun("");
    let last = bench.last_to("french@example.org").subject;
    for (n, header) in (1..).zip([
        "Auto-Submitted: no",
        "Auto-Submitted: (a comment) no",
        "X-Auto-Response-Suppress: DR, RN, NRN",
        "X-Auto-Response-Suppress: None",
        "Precedence: first-class",
        "Return-Path: <bounces+123-french=example.org@relay.example>",
        "Return-Path: <french@example.org>",
        "Sender: root@desk.example",
        "X-Mailer: Thunderbird",
        "X-MS-Has-Attach: yes",
        // Houses of people's own mail write it too.
        "Feedback-ID: i1a2b3c4d:Fastmail",
        "Feedback-ID: 12345678:user:proton",
        "X-MS-Exchange-Organization-AuthAs: Internal",
    ]) {
        let raw = format!("{header}\r\n{}", written("french@example.org", &format!("Re: {last}"), "DEADLINE\n", n));
        bench.deliver(raw.as_bytes());
        assert_eq!(to(&bench.pass(), "french").len(), 1, "{header}");
    }
    // Only a seat's newest mails are answered as they stand.
    let last = bench.last_to("french@example.org").subject;
    for (n, subject) in (50..).zip([
        "Re: Automatic reply: {}",
        "Aw: Abwesenheitsnotiz: {}",
        "RE: Réponse automatique : {}",
        "Automatic march {}",
        "Out of office hours {}",
        "Vacation plans {}",
        "Urlaubspläne {}",
        "Absent friends {}",
        "Autoreply settings {}",
        "My orders, auto: {}",
        "Ticket for the opera {}",
        "Case by case, 4 lines {}",
        "#4 is done {}",
        "Re: Read: {}",
        "Read this first {}",
        "Your request for peace {}",
        "Your request, 2 lines {}",
    ]) {
        bench.deliver(written("french@example.org", &subject.replace("{}", &last), "DEADLINE\n", n).as_bytes());
        assert_eq!(to(&bench.pass(), "french").len(), 1, "{subject}");
    }
    // A machine's name may be a player's mailbox: only his seat's own mail is read from it.
    let mut bench = Bench::new();
    let mut new = super::bench::new_game("toy-7", "toy-fellows", true);
    new.seats[0].1 = vec!["root@french.example".to_owned()];
    bench.office.new_game(&new).unwrap();
    bench.pass();
    let subject = bench.last_to("root@french.example").subject;
    bench.post("root@french.example", &subject, "SIGNON\n");
    assert_eq!(bench.pass().iter().filter(|mail| mail.to == "root@french.example").count(), 1);
    bench.post("root@other.example", &subject, "SIGNON\n");
    assert_eq!(bench.pass(), []);
    // What was taken for a machine's is kept, and the operator sees whose it was.
    let raw = format!("Precedence: bulk\r\n{}", written("root@french.example", &subject, "DEADLINE\n", 99));
    bench.deliver(raw.as_bytes());
    assert_eq!(bench.pass(), []);
    let seen = bench.office.store.troubled_in(1).unwrap().remove(0);
    assert_eq!(seen.state, InboxState::Refused.as_str());
    assert!(seen.reason.unwrap().contains("a good tag and an address of toy-7/french"));
}

/// A tag of the other seat, written in ways that a reader may still read it.
fn hidden(secret: &str) -> Vec<String> {
    let spelled = |each: &dyn Fn(char) -> String| secret.chars().map(each).collect::<String>();
    let (head, tail) = secret.split_at(11);
    vec![
        secret.to_owned(),
        format!("[toy-7/french/{secret}]"),
        secret.to_uppercase(),
        format!("x{secret}y"),
        format!("abc{secret}234"),
        format!("{head}\n{tail}"),
        format!("- {head}\n- {tail}"),
        format!("{head}=\n{tail}"),
        format!("{head} {tail}"),
        format!("{head}-{tail}"),
        format!("{head}\u{200b}{tail}"),
        format!("{head}\u{2063}\u{34f}{tail}"),
        spelled(&|c| format!("{c} ")),
        spelled(&|c| format!("{c}.")),
        spelled(&|c| format!("%{:02x}", u32::from(c))),
        spelled(&|c| format!("%25{:02X}", u32::from(c))),
        spelled(&|c| format!("%2525{:02X}", u32::from(c))),
        spelled(&|c| format!("={:02X}", u32::from(c))),
        spelled(&|c| format!("&#{};", u32::from(c))),
        spelled(&|c| format!("&#x{:x};", u32::from(c))),
        spelled(&|c| format!("%26#{};", u32::from(c))),
        format!("%5Btoy-7%2Ffrench%2F{secret}%5D"),
        format!("={secret}"),
        format!("%{secret}"),
        format!("{}%{:02x}{}", &secret[..4], secret.as_bytes()[4], &secret[5..]),
        spelled(&|c| char::from_u32(u32::from(c) + 0xfee0).unwrap().to_string()),
    ]
}

/// Whether a reader who looks for letters and figures finds the secret in a mail.
fn found(mail: &Mail, secret: &str) -> bool {
    let plain: String = mail.text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let read: String = plain.chars().map(|c| estafette::mail::tag::character(c).unwrap_or(c)).collect();
    plain.contains(secret) || read.contains(secret)
}

#[test]
fn no_tag_goes_with_what_one_seat_writes_to_another_however_it_is_written() {
    let mut bench = begun("");
    let last = bench.last_to("french@example.org");
    let secret = last.secret();
    assert_eq!(secret.len(), 12);
    let tag = last.tag().unwrap().to_string();
    // The name of the mail counts as its tag, and is none of the other's business either.
    let name = last.id.split('@').next().unwrap().to_owned();
    let long = hidden(&name).into_iter().chain([format!("References: <{}>", last.id)]).map(|form| (form, name.clone()));
    let short = hidden(&secret).into_iter().chain([tag.clone(), tag.to_uppercase(), tag.replace('0', "o")]);
    let short = short.chain([tag.replace('1', "l"), tag.replace('-', " - ")]).map(|form| (form, secret.clone()));
    for (form, secret) in short.chain(long) {
        let press = format!("PRESS TO coalition\nBefore it.\n{form}\nBehind it.\nEND PRESS\n");
        let mails = bench.reply("french", &press);
        let said = to(&mails, "coalition");
        assert_eq!(said.len(), 1, "{form}: {mails:?}");
        let text = &said[0].text;
        assert!(text.contains("Before it.") && text.contains("Behind it.") && text.contains("..."), "{form}: {text}");
        assert!(!found(said[0], &secret), "{form}: {text}");
        let marks = text.matches(['%', '=', '&']).count();
        assert!(marks < 20 || !form.contains(['%', '=', '&']), "{form} is spelled out still: {text}");
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
    }
    let plain = "March at dawn; hold the bridge of Vienna until Thursday, and write to me from there.";
    let mails = bench.reply("french", &format!("PRESS TO coalition\n{plain}\nEND PRESS\n"));
    let text = to(&mails, "coalition")[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(plain) && !text.contains("..."), "{text}");
}

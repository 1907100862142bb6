//! A seat's addresses, what is done only with a code, mails asked for again, and what comes back.

use super::bench::{Bench, CONFIG, Mail, new_game, to, written};
use estafette::store::{InboxState, OutboxMail};
use std::collections::BTreeSet;

/// A begun game whose French seat has two addresses.
fn shared() -> Bench {
    let mut bench = Bench::new();
    let mut new = new_game("toy-7", "toy-fellows", true);
    new.seats[0].1.push("marshal@example.net".to_owned());
    bench.office.new_game(&new).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\n");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\n");
    bench
}

fn outbox(bench: &Bench, seat: &str) -> Vec<OutboxMail> {
    bench.office.store.outbox_of_seat("toy-7", seat).unwrap()
}

fn addresses(bench: &Bench) -> Vec<String> {
    bench.office.store.seat("toy-7", "french").unwrap().unwrap().addresses
}

/// The code that a mail asks to be answered with.
fn code(mail: &Mail) -> String {
    super::bench::code(mail, "CONFIRM")
}

fn resigned(bench: &Bench) -> bool {
    bench
        .office
        .store
        .log("toy-7", 1)
        .unwrap()
        .iter()
        .any(|entry| entry.kind == "input" && entry.body.contains("resign"))
}

#[test]
fn each_address_of_a_seat_gets_its_own_copy_under_one_number() {
    let bench = shared();
    let sent = outbox(&bench, "french");
    let numbers: Vec<u32> = sent.iter().filter_map(|mail| mail.number).collect();
    let last = numbers.iter().max().copied().unwrap();
    assert_eq!(numbers, (1..=last).flat_map(|n| [n, n]).collect::<Vec<_>>(), "two of each number");
    assert_eq!(sent.iter().map(|mail| &mail.message_id).collect::<BTreeSet<_>>().len(), sent.len());
    let out = bench.out();
    for pair in sent.chunks(2) {
        let of = |mail: &OutboxMail| out.iter().find(|sent| sent.id == mail.message_id).unwrap().clone();
        let (one, two) = (of(&pair[0]), of(&pair[1]));
        assert_eq!((one.to.as_str(), two.to.as_str()), ("french@example.org", "marshal@example.net"));
        assert_eq!((one.subject, one.text), (two.subject, two.text), "the same tag and text");
    }
    let dir = bench.dir.path().to_str().unwrap();
    let args = ["estafette", "audit", "--dir", dir, "toy-7"].map(Into::into);
    let mut said = Vec::new();
    let code = estafette::cli::run(args, super::bench::TOYS, &mut said, &mut std::io::sink());
    assert_eq!(code, 4, "{}", String::from_utf8_lossy(&said));
}

#[test]
fn orders_are_taken_from_any_address_of_the_seat_and_answered_to_all() {
    let mut bench = shared();
    let subject = bench.last_to("french@example.org").subject;
    bench.post("Marshal@Example.NET", &subject, "DEADLINE\n");
    let mails = bench.pass();
    let readers: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    assert_eq!(readers, ["french@example.org", "marshal@example.net"], "{mails:?}");
    assert!(mails.iter().all(|mail| mail.text.contains("On move")));
    bench.post("marshal@example.org", &subject, "DEADLINE\n");
    assert!(bench.pass().iter().all(|mail| !mail.text.contains("On move")), "another domain is another address");
}

#[test]
fn who_resigns_is_asked_at_his_own_address_and_nothing_is_done_before() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let asked = bench.reply("french", "RESIGN YES\n");
    assert_eq!((asked.len(), asked[0].to.as_str()), (1, "french@example.org"));
    assert!(asked[0].text.contains("nothing is done yet") && !resigned(&bench), "{asked:?}");
    let code = code(&asked[0]);
    for (seat, word) in [("french", "00000000"), ("coalition", code.as_str())] {
        let mails = bench.reply(seat, &format!("CONFIRM {word}\n"));
        assert!(to(&mails, seat)[0].text.contains("REFUSED") && !resigned(&bench), "{mails:?}");
    }
    // Written from elsewhere with a stolen tag, it is held like any mail.
    let subject = bench.last_to("french@example.org").subject;
    bench.post("eve@example.org", &subject, &format!("CONFIRM {code}\n"));
    bench.pass();
    assert!(!resigned(&bench));
    let done = bench.reply("french", &format!("confirm {}\n", code.to_uppercase()));
    assert!(to(&done, "french").iter().any(|mail| mail.text.contains("you have resigned")) && resigned(&bench));
    let again = bench.reply("french", &format!("CONFIRM {code}\n"));
    assert!(again[0].text.contains("nothing of yours waits for that code"), "{again:?}");
}

#[test]
fn a_code_is_good_for_a_week() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let asked = bench.reply("french", "ADDRESS ADD marshal@example.net\n");
    bench.advance(8 * 24);
    bench.pass();
    let late = bench.reply("french", &format!("CONFIRM {}\n", code(&asked[0])));
    assert!(late.iter().any(|mail| mail.text.contains("good for 7 days")), "{late:?}");
    assert_eq!(addresses(&bench), ["french@example.org"]);
}

#[test]
fn a_change_of_address_waits_for_the_old_one_and_then_for_the_new_one() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let asked = bench.reply("french", "ADDRESS Marshal@example.net\n");
    assert_eq!(asked.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["french@example.org"], "not to the new");
    assert_eq!(addresses(&bench), ["french@example.org"]);
    let done = bench.confirm("french@example.org");
    let new = done.iter().find(|mail| mail.to == "marshal@example.net").unwrap();
    assert!(!new.subject.contains('[') && !new.text.contains("On move"), "no tag and nothing of the game: {new:?}");
    // A slip of the pen would have locked nobody out.
    assert!(!bench.reply("french", "DEADLINE\n").is_empty());
    assert_eq!(addresses(&bench), ["french@example.org"]);
    let mails = bench.confirm("marshal@example.net");
    assert_eq!(addresses(&bench), ["marshal@example.net"]);
    let old = to(&mails, "french");
    assert!(old.len() == 1 && old[0].text.contains("TAKE BACK"), "the old one is told in the same pass: {mails:?}");
    let subject = bench.last_to("marshal@example.net").subject;
    bench.post("marshal@example.net", &subject, "DEADLINE\n");
    let mails = bench.pass();
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["marshal@example.net"]);
}

#[test]
fn addresses_are_added_and_dropped_within_the_limit_and_never_all() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let change = |bench: &mut Bench, line: &str| {
        let asked = bench.reply("french", &format!("{line}\n"));
        let mail = asked.iter().find(|mail| mail.to == "french@example.org").unwrap().clone();
        if mail.text.contains("CONFIRM ") {
            let asked = bench.confirm("french@example.org");
            if let Some(new) = asked.iter().find(|m| m.to != "french@example.org" && m.text.contains("CONFIRM ")) {
                bench.confirm(&new.to);
            }
        }
        mail.text
    };
    for n in 1..=4 {
        change(&mut bench, &format!("ADDRESS ADD marshal{n}@example.net"));
    }
    assert_eq!(addresses(&bench).len(), 5);
    for (line, why) in [
        ("ADDRESS ADD one@too.many", "at most 5"),
        ("ADDRESS ADD marshal1@example.net", "already"),
        ("ADDRESS DROP nobody@example.net", "not an address of yours"),
        ("ADDRESS ADD post@example.org", "our own address"),
        ("ADDRESS a@b@c", "not a mail address"),
        ("ADDRESS", "marshal4@example.net"),
    ] {
        let said = change(&mut bench, line);
        assert!(said.contains(why), "{line}: {said}");
    }
    for n in 1..=4 {
        change(&mut bench, &format!("ADDRESS DROP marshal{n}@example.net"));
    }
    assert!(change(&mut bench, "ADDRESS DROP french@example.org").contains("the only address"));
    assert_eq!(addresses(&bench), ["french@example.org"]);
}

#[test]
fn a_mail_asked_for_again_goes_out_again_byte_for_byte_also_in_folders() {
    let mut bench = shared();
    let first = |bench: &Bench, address: &str| {
        let opening = bench.out().into_iter().filter(|mail| mail.to == address && mail.text.contains("   mail 1\n"));
        opening.map(|mail| mail.raw).collect::<Vec<_>>()
    };
    assert_eq!(first(&bench, "french@example.org").len(), 1);
    let subject = bench.last_to("french@example.org").subject;
    for (n, line) in ["REPORT 1", "RESEND 1"].into_iter().enumerate() {
        bench.post("french@example.org", &subject, &format!("{line}\n"));
        bench.office.pass().unwrap();
        let copies = first(&bench, "french@example.org");
        assert_eq!(copies.len(), n + 2, "{line}");
        assert!(copies.iter().all(|raw| *raw == copies[0]), "{line}");
    }
    assert_eq!(first(&bench, "marshal@example.net").len(), 1, "only who asks gets it again");
    let answer = bench.last_to("french@example.org").text;
    assert!(answer.contains("mail 1 goes out again, an exact copy"), "{answer}");
    // Sending once more is no new sending.
    bench.office.pass().unwrap();
    assert_eq!(first(&bench, "french@example.org").len(), 3);
}

#[test]
fn what_was_sent_to_an_address_that_is_gone_is_sent_again_to_the_new_one() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    bench.reply("french", "ADDRESS marshal@example.net\n");
    bench.confirm("french@example.org");
    bench.confirm("marshal@example.net");
    let subject = bench.last_to("marshal@example.net").subject;
    bench.post("marshal@example.net", &subject, "RESEND 1\n");
    bench.office.pass().unwrap();
    let again = outbox(&bench, "french").remove(0);
    assert_eq!((again.number, again.recipient.as_str(), again.again), (Some(1), "marshal@example.net", 1));
    assert!(String::from_utf8_lossy(&again.raw).contains("To: french@example.org"), "its bytes stay");
}

/// A delivery report that quotes nothing of the mail but its envelope id.
fn report(id: &str, n: u32) -> String {
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: post@example.org\r\nSubject: undelivered\r\n\
         Message-ID: <dsn{n}@mx.example>\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\
         Content-Type: text/plain\r\n\r\nSorry.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
         Original-Envelope-Id: {}\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; x\r\n\
         Action: failed\r\nStatus: 5.1.1\r\n--b--\r\n",
        id.split('@').next().unwrap()
    )
}

#[test]
fn a_bounce_is_known_by_its_envelope_id_counted_by_address_and_shown_by_status() {
    let mut bench = shared();
    let mails = outbox(&bench, "french");
    let of = |address: &str| mails.iter().filter(|mail| mail.recipient == address).collect::<Vec<_>>();
    let (good, bad) = (of("french@example.org"), of("marshal@example.net"));
    bench.deliver(report(&good[0].message_id, 1).as_bytes());
    bench.deliver(report(&bad[0].message_id, 2).as_bytes());
    assert_eq!(bench.pass(), [], "one from each address");
    bench.deliver(report(&bad[1].message_id, 3).as_bytes());
    let told = bench.pass();
    assert_eq!((told.len(), told[0].to.as_str()), (1, "umpire@example.org"), "{told:?}");
    assert!(told[0].text.contains("marshal@example.net"), "{told:?}");
    let dir = bench.dir.path().to_str().unwrap().to_owned();
    let status = |json: bool| {
        let mut args = vec!["estafette", "status", "--dir", &dir];
        args.extend(json.then_some("--json"));
        let mut said = Vec::new();
        estafette::cli::run(args.into_iter().map(Into::into), super::bench::TOYS, &mut said, &mut std::io::sink());
        String::from_utf8(said).unwrap()
    };
    assert!(status(false).contains("2 came back from marshal@example.net (toy-7/french)"), "{}", status(false));
    let facts: serde_json::Value = serde_json::from_str(&status(true)).unwrap();
    assert_eq!(facts[0]["post"]["came_back"], 3, "{facts}");
    assert_eq!(facts[0]["post"]["bounces"][1]["count"], 2, "{facts}");
}

#[test]
fn without_an_umpire_the_operator_is_told() {
    let mut bench = Bench::with_config(&format!("{CONFIG}operator = \"root@example.org\"\n"));
    bench.new_game("toy-7", "toy-fellows", false);
    let opening = bench.pass();
    for (n, mail) in (1..).zip([&opening[0]; 2]) {
        bench.deliver(report(&mail.id, n).as_bytes());
    }
    let told = bench.pass();
    assert_eq!((told.len(), told[0].to.as_str()), (1, "root@example.org"), "{told:?}");
    assert!(told[0].text.contains("french@example.org"), "{told:?}");
    // The first mail of a day that is set aside, and no more of that day.
    let subject = bench.last_to("french@example.org").subject;
    let operators = |mails: &[Mail]| mails.iter().filter(|mail| mail.to == "root@example.org").count();
    bench.post("french@example.org", &subject, "\n");
    assert_eq!(operators(&bench.pass()), 1);
    bench.post("french@example.org", &subject, "\n\n");
    assert_eq!(operators(&bench.pass()), 0);
    // Nobody writes back to what the daemon wrote to its operator, and he is no stranger's game.
    let raw = bench.last_to("root@example.org").raw;
    bench.deliver(&raw);
    assert_eq!(bench.pass(), []);
}

#[test]
fn each_limit_has_a_number_in_the_settings_and_an_answer_when_it_is_met() {
    let limits = "[limits]\nmails_per_hour_max = 10\nanswers_per_hour_max = 2\nresent_per_day_max = 1\ndepth_max = 4\n\
                  mail_bytes_max = 5000\ntext_bytes_max = 2000\nlines_max = 100\nparts_max = 8\nheaders_max = 50\n";
    let mut bench = Bench::with_config(&format!("{CONFIG}{limits}"));
    bench.new_game("toy-7", "toy-fellows", true);
    bench.pass();
    let subject = bench.last_to("french@example.org").subject;
    let mut number = 0;
    let mut say = |bench: &mut Bench, more: &str, body: &str| {
        number += 1;
        let raw = written("french@example.org", &subject, body, number);
        bench.deliver(raw.replacen("\r\nDate:", &format!("\r\n{more}Date:"), 1).as_bytes());
        bench.office.pass().unwrap();
        bench.last_to("french@example.org").text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mime = "MIME-Version: 1.0\r\n";
    let deep: String = (0..5)
        .map(|n| format!("--b{n}\nContent-Type: multipart/mixed; boundary=b{}\n\n", n + 1))
        .chain(["--b5\nContent-Type: text/plain\n\nEND\n".to_owned()])
        .collect();
    let wide = "--b\nContent-Type: text/plain\n\nEND\n".repeat(12);
    let headers = "X-Filler: x\r\n".repeat(60);
    for (more, body, words) in [
        ("", "x".repeat(6000), "bytes, and at most 5000 are read"),
        ("", "FIRST YES OR SO\n".repeat(140), "bytes of text, and at most 2000 are read"),
        ("", "END\n".repeat(120), "lines, and at most 100 are read"),
        (&*format!("{mime}Content-Type: multipart/mixed; boundary=b0\r\n"), deep, "within each other, and at most 4"),
        (&*format!("{mime}Content-Type: multipart/mixed; boundary=b\r\n"), wide, "parts, and at most 8 are read"),
        (&*headers, "END\n".to_owned(), "header lines, and at most 50 are read"),
    ] {
        let said = say(&mut bench, more, &body);
        assert!(said.contains(words) && said.contains("Nothing was done"), "{words} in {said}");
    }
    let mails = |bench: &Bench| bench.out().iter().filter(|mail| mail.to == "french@example.org").count();
    assert!(say(&mut bench, "", "RESEND 1\n").contains("goes out again"));
    assert!(say(&mut bench, "", "REPORT 1\n").contains("1 mails were sent again today"));
    let text = say(&mut bench, "", "DEADLINE\n");
    assert!(text.contains("You have had 2 answers in this hour"), "{text}");
    let before = mails(&bench);
    say(&mut bench, "", "DEADLINE\n");
    assert_eq!(mails(&bench), before, "told once");
    let flood = say(&mut bench, "", "SIGNON\n");
    assert!(flood.contains("You have written 10 mails in this hour"), "{flood}");
    let before = mails(&bench);
    say(&mut bench, "", "SIGNON\n\n");
    assert_eq!(mails(&bench), before, "told once");
    let kept = bench.office.store.last_from_seat("toy-7", "french").unwrap().unwrap();
    assert_eq!(
        (kept.state, kept.reason.as_deref()),
        (InboxState::Quarantined, Some("above 10 mails of its seat in an hour"))
    );
    assert_eq!(bench.office.store.seat("toy-7", "french").unwrap().unwrap().signed_on, None);
    bench.advance(1);
    assert!(say(&mut bench, "", "SIGNON\n").contains("you have signed on"));
}

#[test]
fn a_domain_of_other_letters_is_added_as_dns_has_it() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    bench.reply("french", "ADDRESS ADD marshal@m\u{fc}ller.example\n");
    bench.confirm("french@example.org");
    // His answer comes from the name that mail servers know.
    let own = "marshal@xn--mller-kva.example";
    let done = bench.confirm(own);
    assert!(done.iter().any(|mail| mail.to == own), "{done:?}");
    let addresses = bench.office.store.seat("toy-7", "french").unwrap().unwrap().addresses;
    assert!(addresses.iter().any(|address| address == own), "{addresses:?}");
}

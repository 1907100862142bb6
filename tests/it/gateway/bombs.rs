//! Mails that would cost more than a mail may: each is answered, shortly, and harms nobody but its sender.

use super::bench::{Bench, CONFIG, Mail, to, written};
use estafette::store::InboxState;

/// Bytes of all mails together.
fn bytes(mails: &[Mail]) -> usize {
    mails.iter().map(|mail| mail.raw.len()).sum()
}

/// The one answer to a mail of the French.
fn answered(bench: &mut Bench, body: &str) -> Mail {
    let mails = bench.reply("french", body);
    assert_eq!(to(&mails, "french").len(), 1, "{} mails", mails.len());
    to(&mails, "french")[0].clone()
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn forty_audits_in_one_mail_make_one_bundle_and_more_a_day_make_none() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mail = answered(&mut bench, &"AUDIT\n".repeat(40));
    assert_eq!(mail_parser::MessageParser::new().parse(&mail.raw).unwrap().attachment_count(), 1);
    let text = flat(&mail.text);
    assert!(text.contains("2 lines 2 to 40 REFUSED not answered: more than one AUDIT in one mail."), "{text}");
    for _ in 0..2 {
        assert!(answered(&mut bench, "AUDIT\n").text.contains("see the attached"));
    }
    assert!(flat(&answered(&mut bench, "AUDIT\n").text).contains("3 bundles were made for you today"));
}

#[test]
fn a_bundle_too_large_to_mail_goes_without_the_bytes_of_mails_and_then_not_at_all() {
    let config = format!("{CONFIG}[limits]\nbundle_bytes_max = 65536\n");
    let mut bench = Bench::with_config(&config);
    bench.new_game("toy-7", "toy-fellows", true);
    bench.pass();
    bench.reply("french", "SIGNON");
    bench.reply("coalition", "SIGNON");
    let whole = answered(&mut bench, "AUDIT\n");
    assert!(!whole.text.contains("digests alone"), "{}", whole.text);
    // A mail of a good many bytes, of which its writer wrote one line.
    let quoted = format!("HISTORY\n{}", "> a line of the report that is answered\n".repeat(2000));
    bench.reply("french", &quoted);
    let mail = answered(&mut bench, "AUDIT\n");
    assert!(flat(&mail.text).contains("it holds the digests alone"), "{}", mail.text);
    let parsed = mail_parser::MessageParser::new().parse(&mail.raw).unwrap();
    let bundle = String::from_utf8(parsed.attachment(0).unwrap().contents().to_vec()).unwrap();
    assert!(bundle.len() < 65536 && bundle.contains("\"direction\":\"in\"") && !bundle.contains("\"raw\""), "{bundle}");
    // The umpire's holds the whole chain.
    for _ in 0..60 {
        bench.reply("coalition", "MAP\nHISTORY\nORDERS\n");
        bench.reply("french", "MAP\nHISTORY\nORDERS\n");
    }
    let mails = bench.reply("umpire", "AUDIT\n");
    let text = flat(&to(&mails, "umpire")[0].text);
    assert!(text.contains("REFUSED the bundle has about") && text.contains("--seat umpire --export FILE"), "{text}");
}

#[test]
fn six_thousand_messages_in_one_mail_make_ten() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let body = "PRESS TO coalition\nSir\nEND PRESS\n".repeat(6600);
    let mails = bench.reply("french", &body);
    assert_eq!(to(&mails, "coalition").len(), 10);
    let [answer] = to(&mails, "french")[..] else { panic!("{} answers", to(&mails, "french").len()) };
    let text = flat(&answer.text);
    assert!(text.contains("11 lines 11 to 6600 REFUSED not answered: more than 10 messages to others in one mail."));
    assert!(bytes(&mails) < 100_000, "{} bytes", bytes(&mails));
    // And six a day of such mails.
    let sent: usize = (0..7).map(|_| to(&bench.reply("french", &body), "coalition").len()).sum();
    assert_eq!(sent, 50);
    let mails = bench.reply("french", "PRESS TO umpire\nSir\nEND PRESS\n");
    assert!(flat(&to(&mails, "french")[0].text).contains("you have sent 60 messages today"), "{mails:#?}");
}

#[test]
fn a_message_of_a_megabyte_goes_to_nobody() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mails = bench.reply("french", &format!("PRESS TO all\n{}\nEND PRESS\n", "Sir ".repeat(250_000)));
    assert!(to(&mails, "coalition").is_empty());
    assert!(flat(&to(&mails, "french")[0].text).contains("not done: longer than 20000 characters"), "{mails:#?}");
    assert!(bytes(&mails) < 10_000, "{} bytes", bytes(&mails));
}

#[test]
fn twenty_thousand_order_lines_are_read_as_far_as_the_budget_and_end_nothing() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mover = bench.office.store.dues("toy-7").unwrap().remove(0).seat;
    let body = format!("{}END\n", "GALLOP somewhere\n".repeat(19_000));
    let mails = bench.reply(&mover, &body);
    let [answer] = to(&mails, &mover)[..] else { panic!("{} mails", mails.len()) };
    let text = flat(&answer.text);
    assert!(text.contains("201 lines 201 to 19000 REFUSED not answered: more than 200 order lines in one mail."));
    assert!(text.contains("19001 END REFUSED lines above it were not read, and so nothing ends."), "{text}");
    assert!(text.contains("\"GALLOP\" is not"), "those within the budget are read");
    assert!(bytes(&mails) < 200_000, "{} bytes", bytes(&mails));
    // The lines below CHECK are counted with them.
    let mails = bench.reply(&mover, &format!("CHECK\n{}", "GALLOP\n".repeat(19_000)));
    let text = flat(&to(&mails, &mover)[0].text);
    assert!(text.contains("more than 200 order lines in one mail."), "{text}");
}

#[test]
fn what_is_asked_for_is_bounded_by_count_and_by_bytes_and_the_same_is_shown_once() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mail = answered(&mut bench, &"REPORT\nMAP\n".repeat(5000));
    assert_eq!(mail.text.matches("\nREPORT\n").count(), 1);
    assert!(flat(&mail.text).contains("it stands above in the same words"), "{}", mail.text);
    let every: String = (1..=5000).map(|n| format!("HISTORY {n}\n")).collect();
    let mail = answered(&mut bench, &every);
    assert_eq!(mail.text.matches("\nHISTORY\n").count(), 40);
    assert!(flat(&mail.text).contains("41 lines 41 to 5000 REFUSED not answered: more than 40 questions in one mail."));
    let every: String = (1..=5000).map(|n| format!("RESEND {}\n", n % 4 + 1)).collect();
    let subject = bench.last_to("french@example.org").subject;
    bench.post("french@example.org", &subject, &every);
    // Four mails there are, each goes out again once, and the answer.
    assert_eq!(bench.office.pass().unwrap().sent, 5);
    let answers = bench.out();
    let text = flat(&answers.iter().rfind(|mail| mail.text.contains("RESEND")).unwrap().text);
    assert!(
        text.contains("6 lines 6 to 5000 REFUSED not answered: more than 5 mails sent again in one mail."),
        "{text}"
    );
    let spoken: Vec<_> = answers.iter().map(|mail| mail.id.clone()).collect();
    bench.know(spoken);
    let every: String = (1..=5000).map(|n| format!("FORMAT {}\n", if n % 2 == 0 { 76 } else { 40 })).collect();
    let mail = answered(&mut bench, &every);
    assert!(flat(&mail.text).contains("more than 60 settings in one mail."), "{}", mail.text);
}

#[test]
fn a_long_line_is_answered_in_short() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let word = "x".repeat(900_000);
    for body in [
        format!("{word}\n"),
        format!("GO {word} 1\n"),
        format!("PRESS TO {word}\nx\nEND PRESS\n"),
        format!("{} 1\n", "y ".repeat(900)),
    ] {
        let mail = answered(&mut bench, &body);
        assert!(mail.raw.len() < 8000, "{} bytes to {}", mail.raw.len(), &body[..20]);
        assert!(mail.text.contains("..."), "{}", mail.text);
    }
}

/// Bodies of about a megabyte that once cost the square of their length.
fn heavy() -> Vec<(&'static str, String)> {
    let head = "From: french@example.org\r\nTo: post@example.org\r\n";
    let plain = |body: String| format!("{head}Message-ID: <ID@players.example>\r\nSubject: SUBJECT\r\n\r\n{body}");
    let typed = |kind: &str, body: String| {
        format!(
            "{head}Message-ID: <ID@players.example>\r\nSubject: SUBJECT\r\nMIME-Version: 1.0\r\n{kind}\r\n\r\n{body}"
        )
    };
    let utf8 = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit";
    let quoted = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable";
    let html = "Content-Type: text/html; charset=utf-8";
    let flowed = "Content-Type: text/plain; format=flowed";
    vec![
        ("one word", plain("x".repeat(1_000_000))),
        ("a million blanks", plain(format!("a{}b", " ".repeat(1_000_000)))),
        ("a million marks of quotation", plain(format!("{}x", ">".repeat(1_000_000)))),
        ("one combining mark", typed(utf8, format!("a{}", "\u{301}".repeat(500_000)))),
        ("marks of two classes in turn", typed(utf8, format!("a{}", "\u{301}\u{316}".repeat(250_000)))),
        ("lines of one letter", plain("x\r\n".repeat(19_999))),
        (
            "lines that continue",
            plain(format!("GO\r\n{}", "0405 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(19_000))),
        ),
        ("a line of commas", plain("GO a,".repeat(100_000))),
        ("brackets", plain("[".repeat(1_000_000))),
        ("a note that never ends", plain(format!("GO [{}", " a".repeat(450_000)))),
        ("colons", plain(format!("On {}", "a wrote: ".repeat(100_000)))),
        ("lines that may be attributions", plain("On 1 Jan a@b <\r\n".repeat(19_000))),
        ("lines that may be heads", plain("From: a\r\nTo\r\n".repeat(9_000))),
        ("quoted-printable", typed(quoted, "=C3=BC".repeat(160_000))),
        ("soft line ends", typed(quoted, "x=\r\n".repeat(250_000))),
        (
            "indented blocks",
            typed(
                html,
                format!("{}{}", "<blockquote style='margin:0;border:0'>".repeat(10_000), "x<br>".repeat(19_000)),
            ),
        ),
        ("cited blocks", typed(html, format!("{}{}", "<blockquote type=cite>".repeat(20_000), "x<br>".repeat(10_000)))),
        ("open tags", typed(html, "<a \"".repeat(250_000))),
        ("open comments", typed(html, "<!--".repeat(250_000))),
        ("entities", typed(html, "&nbsp;&".repeat(120_000))),
        ("flowed", typed(flowed, "x \r\n".repeat(250_000))),
        ("tags of subject", plain("x".to_owned()).replace("SUBJECT", &format!("SUBJECT {}", "[".repeat(1_000_000)))),
        ("mails that a bounce may quote", plain("<".repeat(1_000_000))),
        ("a ligature of many letters", typed(utf8, "\u{fdfa}".repeat(50_000))),
    ]
}

#[test]
fn no_mail_costs_the_square_of_its_length() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mut slow = Vec::new();
    for (n, (name, raw)) in heavy().into_iter().enumerate() {
        let subject = bench.last_to("french@example.org").subject;
        let raw = raw.replace("SUBJECT", &subject).replace("<ID@", &format!("<heavy{n}@"));
        bench.deliver(raw.as_bytes());
        let before = processor_ms();
        let mails = bench.pass();
        let spent = processor_ms() - before;
        println!("{spent:>6} ms  {:>7} bytes  {name}", bytes(&mails));
        // Generous: without any optimization none takes more than a quarter of it.
        if spent > 4000 {
            slow.push((name, spent));
        }
        assert!(!to(&mails, "french").is_empty(), "{name} is not answered");
        assert!(bytes(&mails) < 300_000, "{name}: {} bytes", bytes(&mails));
    }
    assert_eq!(slow, []);
}

/// Milliseconds of processor time that this thread has used; nothing else that runs is counted.
fn processor_ms() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) * 10
}

#[test]
fn a_thousand_mails_of_one_seat_keep_no_other_waiting() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let count = std::env::var("FLOOD").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let subject = bench.last_to("french@example.org").subject;
    for n in 0..count {
        bench.deliver(written("french@example.org", &subject, "HISTORY\n", 10_000 + n).as_bytes());
    }
    for n in 0..300 {
        bench.deliver(written(&format!("eve{n}@evil.example"), "hello", "LIST\n", 90_000 + n).as_bytes());
    }
    let subject = bench.last_to("coalition@example.org").subject;
    bench.deliver(written("coalition@example.org", &subject, "MAP\n", 9).as_bytes());
    let mails = bench.pass();
    let place = mails.iter().position(|mail| mail.to == "coalition@example.org");
    assert!(place.is_some_and(|place| place < 10), "the order of the other seat is answered as mail {place:?}");
    // Those within the hour's limits are answered in their order.
    let french = to(&mails, "french");
    assert!(french.len() <= 62, "{} answers", french.len());
    let asides = bench.office.store.inbox_of_game("toy-7").unwrap();
    // The tag that they bear grows old while they are answered; the others are refused or set aside, each with its reason.
    let done = asides.iter().filter(|mail| mail.state == InboxState::Done).count();
    let aside = asides.iter().filter(|mail| matches!(mail.state, InboxState::Quarantined | InboxState::Refused));
    let aside = aside.filter(|mail| mail.reason.is_some()).count();
    assert!(done <= 122 && done + aside == asides.len(), "{done} done, {aside} aside of {}", asides.len());
}

#[test]
fn a_full_budget_of_real_orders_costs_no_more_than_a_mail_may() {
    let mut bench = Bench::with_campaign(&super::bench::teaching());
    bench.reply("french", "SIGNON\nEND");
    bench.reply("coalition", "SIGNON\nEND");
    for round in 0..3 {
        let Some(due) = bench.office.store.dues("strem-1").unwrap().into_iter().next() else { break };
        let orders = flat_lines(&to(&bench.reply(&due.seat, "ORDERS\n"), &due.seat)[0].text);
        let body: String = orders.iter().cycle().take(400).map(|line| format!("{line}\n")).collect();
        let before = processor_ms();
        let mails = bench.reply(&due.seat, &body);
        let spent = processor_ms() - before;
        println!("{spent:>6} ms  {:>7} bytes  round {round}, {} kinds of lines", bytes(&mails), orders.len());
        assert!(!to(&mails, &due.seat).is_empty());
        assert!(spent < 20_000, "{spent} ms");
        bench.reply(&due.seat, "END\n");
    }
}

/// The order lines of a list of orders.
fn flat_lines(text: &str) -> Vec<String> {
    let order = |line: &&str| {
        let word = line.trim().split(' ').next().unwrap_or_default();
        line.starts_with("  ") && word.len() >= 3 && word.chars().all(|c| c.is_ascii_uppercase())
    };
    let general = ["END", "RESIGN", "AUDIT", "ORDERS", "CHECK", "PRESS", "UNDO"];
    let lines = text.lines().filter(order).map(|line| line.trim().to_owned());
    lines.filter(|line| !general.contains(&line.split(' ').next().unwrap_or_default())).collect()
}

#[test]
fn a_seat_fills_its_game_with_no_more_than_a_day_s_worth_of_lines() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let line = format!("zq {}\n", "x".repeat(1900));
    let kept = |bench: &Bench| -> usize {
        let lines = bench.office.store.log_of_kind("toy-7", "line", 1).unwrap();
        lines.iter().map(|entry| entry.body.len()).sum()
    };
    let mover = bench.office.store.dues("toy-7").unwrap().remove(0).seat;
    let other = ["french", "coalition"].into_iter().find(|seat| *seat != mover).unwrap();
    let text = flat(&bench.reply(&mover, &line.repeat(399))[0].text);
    assert!(text.contains("have at most 40000 characters"), "{text}");
    assert!(kept(&bench) < 60_000, "{}", kept(&bench));
    for _ in 0..20 {
        bench.reply(&mover, &line.repeat(20));
    }
    assert!(kept(&bench) < 300_000, "{}", kept(&bench));
    let text = flat(&bench.reply(&mover, "GALLOP\nDEADLINE\nEND")[0].text);
    assert!(text.contains("at most 200000 characters in a day") && text.contains("On move"), "{text}");
    let text = flat(&bench.reply(other, "DEADLINE")[0].text);
    assert!(text.contains("On move"), "the other seat is answered: {text}");
    bench.advance(24);
    let text = flat(&bench.reply(&mover, "GALLOP")[0].text);
    assert!(text.contains("\"GALLOP\" is not"), "the next day its orders are read: {text}");
}

//! Programs that answer whatever comes and bear no mark: what they quote is not obeyed, and they are not answered for ever.

use super::bench::{Bench, CONFIG, Mail, code, to};

/// The text of a mail without its marks, as some programs quote it.
fn unmarked(mail: &Mail) -> String {
    let lines: Vec<&str> = mail.text.lines().filter(|line| !line.starts_with("===")).collect();
    lines.join("\n")
}

fn quoted(mail: &Mail) -> String {
    mail.text.lines().map(|line| format!("> {line}\n")).collect()
}

fn resigned(bench: &Bench) -> bool {
    let log = bench.office.store.log("toy-7", 1).unwrap();
    log.iter().any(|entry| entry.kind == "input" && entry.body.contains("resign"))
}

#[test]
fn a_code_that_was_only_quoted_is_not_obeyed_and_its_sender_is_told_how_it_is_written() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let asked = bench.reply("french", "RESIGN").remove(0);
    let word = code(&asked, "CONFIRM");
    let copy = unmarked(&asked);
    assert!(copy.contains(&format!("  CONFIRM {word}")), "{copy}");
    let bodies = [
        format!("I am away until Monday.\n\n{copy}"),
        copy.clone(),
        format!("ABSENT until Monday\n\n{copy}"),
        format!("Hello,\n\nCONFIRM {word}\n"),
        format!("{copy}\n\nCONFIRM {word}\n"),
    ];
    for body in bodies {
        let mails = bench.reply("french", &body);
        let said: Vec<String> = to(&mails, "french").iter().map(|mail| mail.text.clone()).collect();
        let flat = said.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!resigned(&bench), "{body}\n{flat}");
        assert!(flat.contains("Send the line with the code again, as the first of your mail."), "{body}\n{flat}");
    }
    // However the copy stands below it, or is quoted above it, his own line counts.
    let ways = [
        format!("CONFIRM {word}\n\n{}", quoted(&asked)),
        format!("On Monday the post office <post@example.org> wrote:\n{}\nCONFIRM {word}\n", quoted(&asked)),
        format!("CONFIRM {word}\n\n{copy}"),
        format!("CONFIRM {word}\n\n{}", asked.text),
        format!("\n\nDEADLINE\nCONFIRM {word}\n-- \nNey"),
    ];
    for body in ways {
        let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
        let asked = bench.reply("french", "RESIGN").remove(0);
        bench.reply("french", &body.replace(&word, &code(&asked, "CONFIRM")));
        assert!(resigned(&bench), "{body}");
    }
}

#[test]
fn a_code_of_an_address_without_a_seat_is_not_obeyed_where_it_was_only_quoted() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    bench.reply("french", "ADDRESS ADD marshal@example.net\n");
    bench.confirm("french@example.org");
    let asked = bench.last_to("marshal@example.net");
    let addresses = |bench: &Bench| bench.office.store.seat("toy-7", "french").unwrap().unwrap().addresses.len();
    bench.post(
        "marshal@example.net",
        &format!("Re: {}", asked.subject),
        &format!("I am away.\n\n{}", unmarked(&asked)),
    );
    let mails = bench.pass();
    assert_eq!((mails.len(), addresses(&bench)), (1, 1), "{mails:?}");
    assert!(mails[0].to == "marshal@example.net" && !mails[0].text.contains("CONFIRM"), "{mails:?}");
    let flat = mails[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("as the first of your mail"), "{flat}");
    // Nobody else learns anything by it.
    bench.post("eve@example.org", &format!("Re: {}", asked.subject), &format!("I am away.\n\n{}", unmarked(&asked)));
    assert!(bench.pass().iter().all(|mail| !mail.text.contains("first of your mail")));
    bench.confirm("marshal@example.net");
    assert_eq!(addresses(&bench), 2);
}

/// How many mails a seat gets that answers each mail with the same words, every twenty seconds, so often.
fn answers(bench: &mut Bench, seat: &str, body: &str, times: u32) -> usize {
    let mut count = 0;
    for _ in 0..times {
        count += to(&bench.reply(seat, body), seat).len();
        bench.office.clock_mut().advance(jiff::SignedDuration::from_secs(20));
    }
    count
}

#[test]
fn the_same_words_without_an_order_are_answered_twice_in_an_hour() {
    // A game that is on, one that forms, one who judges.
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    // Words of one who is asked something may be his answer.
    let asked = bench.office.store.dues("toy-7").unwrap().remove(0).seat;
    let idle = if asked == "french" { "coalition" } else { "french" };
    let mut forming = Bench::with_game("toy-7", "toy-fellows");
    let mut judged = Bench::with_config(CONFIG);
    judged.new_game("toy-7", "toy-fellows", true);
    judged.pass();
    for (bench, seat) in [(&mut bench, idle), (&mut forming, "french"), (&mut judged, "umpire")] {
        assert_eq!(answers(bench, seat, "Hello, I am away.", 6), 2, "{seat}");
        assert_eq!(answers(bench, seat, "> What we wrote.", 4), 2, "{seat}");
    }
    let told = bench.last_to(&format!("{idle}@example.org")).text;
    assert!(
        told.split_whitespace().collect::<Vec<_>>().join(" ").contains("gets no more answer in this hour"),
        "{told}"
    );
    // Other words, and a command, are answered; the next hour too.
    assert_eq!(answers(&mut bench, idle, "Hello, I am here.", 1), 1);
    assert_eq!(answers(&mut bench, idle, "DEADLINE", 5), 5);
    assert_eq!(answers(&mut bench, idle, "Hello, I am away.\nDEADLINE", 5), 5);
    bench.advance(1);
    assert_eq!(answers(&mut bench, idle, "Hello, I am away.", 3), 2);
}

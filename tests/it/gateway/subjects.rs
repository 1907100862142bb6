//! Subjects and reply tags: what stands in them, by which roads a mail finds its seat, and what an old tag is good for.

use super::bench::{Bench, CONFIG, Mail, new_game, teaching, to, written};
use estafette::dice::Master;
use estafette::gateway::NewGame;
use estafette::mail::subject::{CHARS_MAX, Tail, composed};
use estafette::mail::tag::{self, ReplyTag};
use estafette::store::GameState;
use rusqlite::Connection;

fn a_tag() -> ReplyTag {
    ReplyTag::of("k3x9q2w7hm5t".to_owned())
}

#[test]
fn a_subject_has_its_topic_first_its_tag_last_and_at_most_65_characters() {
    let due = Tail::Due("Sat 20:00".to_owned());
    let long = "x".repeat(90);
    let cases = [
        ("Turn 1: your movement", &due, "moravia-7", "Turn 1: your movement, due Sat 20:00 - moravia-7"),
        // The day goes before the game's name, the game's name before that nothing is due.
        ("Turn 1: your movement", &due, "moravia-77", "Turn 1: your movement, due Sat 20:00"),
        ("Turn 3: French battles", &Tail::Quiet, "m-1", "Turn 3: French battles, nothing due - m-1"),
        ("Turn 9: Austro-Russian battles", &Tail::Quiet, "moravia-7", "Turn 9: Austro-Russian battles - moravia-7"),
        (
            "Turn 1: END not counted, 2 lines to correct",
            &Tail::None,
            "moravia-7",
            "Turn 1: END not counted, 2 lines to correct",
        ),
        ("1805: Krems und Dürnstein", &Tail::None, "m-1", "1805: Krems und Duernstein - m-1"),
        (
            "the long way from the Rhine to the Danube and to Vienna",
            &Tail::None,
            "m-1",
            "the long way from the Rhine to the Danube and to",
        ),
        ("a [k3x9-q2w7-hm5u]\r\nBcc: x", &Tail::None, "m-1", "a  k3x9-q2w7-hm5u  Bcc: x - m-1"),
        (&long, &due, "m-1", &long[..48]),
    ];
    for (topic, tail, game, wanted) in cases {
        let subject = composed(topic, tail, game, &a_tag());
        assert_eq!(subject, format!("{wanted} [k3x9-q2w7-hm5t]"));
        assert!(subject.len() <= CHARS_MAX && subject.is_ascii(), "{subject}");
        assert_eq!(ReplyTag::find(&subject), Some(a_tag()));
    }
    let study = composed("Turn 1: your movement", &due, "moravia-7", &a_tag());
    assert_eq!(study.len(), 65, "{study}");
}

#[test]
fn a_tag_has_sixty_bits_and_is_read_however_it_is_written() {
    assert_eq!(tag::short(&[0xff; 8]), "zzzzzzzzzzzz");
    assert_eq!(tag::short(&[0; 8]), "000000000000");
    // The first bits of the first byte come first; the last four bits of eight bytes are left out.
    assert_eq!(tag::short(&[0b0000_1000, 0b0100_0000, 0, 0, 0, 0, 0, 0x1f]), "110000000001");
    let good = ["k3x9-q2w7-hm5t", "K3X9-Q2W7-HM5T", "k3x9q2w7hm5t", "K3x9 - q2w7 -\t hm5t", "k3x9-q2w7-hm 5t"];
    for said in good {
        let subject = format!("AW: RE: WG: Turn 1: your movement - m-1 [{said}] (was: x)");
        assert_eq!(ReplyTag::find(&subject), Some(a_tag()), "{said}");
    }
    let zeros = ReplyTag::of("011100000000".to_owned());
    assert_eq!(ReplyTag::find("[OlI1-oO0o-0000]"), Some(zeros.clone()));
    assert_eq!(zeros.to_string(), "[0111-0000-0000]");
    // A list's name in brackets may look like a tag: three groups come before it, and so does what stands behind it.
    for subject in
        ["[Napoleonic75] Re: x [k3x9-q2w7-hm5t]", "[k3x9-q2w7-hm5t] x [Napoleonic75]", "[Napoleonic75] [k3x9q2w7hm5t]"]
    {
        assert_eq!(ReplyTag::find(subject), Some(a_tag()), "{subject}");
    }
    for bad in [
        "[k3x9-q2w7-hm5]",
        "[k3x9-q2w7-hm5tt]",
        "[k3x9-q2w7-hm5u]",
        "[k3x9-q2w7-hm5t",
        "k3x9-q2w7-hm5t]",
        "[k3x9_q2w7_hm5t]",
    ] {
        assert_eq!(ReplyTag::find(bad), None, "{bad}");
    }
    let old = "[moravia-7/french/k3x9q2m4w7r5t8v6b2n4c5z7aa] Turn 1";
    assert_eq!(ReplyTag::find(old).unwrap().names, Some(("moravia-7".to_owned(), "french".to_owned())));
}

/// Answers with a subject and headers of one's own; whether it was taken for the seat.
fn taken(bench: &mut Bench, from: &str, subject: &str, headers: &str, n: u32) -> bool {
    let raw = format!("{headers}{}", written(from, subject, "DEADLINE\n", n));
    bench.deliver(raw.as_bytes());
    bench.pass().iter().any(|mail| mail.text.contains("  DEADLINE"))
}

#[test]
fn every_mail_to_a_seat_has_a_short_subject_and_a_tag_of_its_own() {
    let (mut bench, mails) = Bench::begun("toy-7", "toy-fellows");
    bench.reply("french", "END");
    bench.reply("coalition", "DEADLINE\nMAP");
    bench.advance(40);
    bench.pass();
    assert!(mails.len() > 3);
    let mut tags = std::collections::BTreeSet::new();
    let seated: Vec<Mail> = bench.out().into_iter().filter(|mail| bench.whose(mail).is_some()).collect();
    for mail in &seated {
        assert!(mail.subject.len() <= CHARS_MAX && mail.subject.is_ascii(), "{}", mail.subject);
        let tag = mail.tag().unwrap().to_string();
        assert!(mail.subject.ends_with(&tag) && tags.insert(tag), "{}", mail.subject);
        let head = String::from_utf8_lossy(&mail.raw).into_owned();
        assert!(!head.contains("Subject: =?"), "an encoded word: {head}");
        let holder = bench.office.store.tag_holder(&mail.secret()).unwrap().unwrap();
        assert_eq!(Some((holder.game, holder.seat)), bench.whose(mail));
    }
    for wanted in ["Turn 1: ", "A toy: sign on"] {
        assert!(seated.iter().any(|mail| mail.subject.starts_with(wanted)), "{wanted}");
    }
}

#[test]
fn a_program_that_prefixes_folds_or_cuts_a_subject_loses_no_mail() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let own = "french@example.org";
    let last = bench.last_of("toy-7", "french");
    let (cut, tag) = last.subject.rsplit_once(" [").unwrap();
    let (head, tail) = (cut.to_owned(), format!("[{tag}"));
    let forms = [
        format!("RE: AW: {}", last.subject),
        format!("SV: Antw: WG: [EXTERNAL] {} [SPAM?]", last.subject),
        format!("Re: {head}\r\n {tail}"),
        format!("Re: {head} {}\r\n\t{}", &tail[..7], &tail[7..]),
        format!(
            "=?utf-8?q?Re=3A_{}_=5B{}=5D?=",
            head.replace(' ', "_").replace(',', "=2C"),
            tail.trim_matches(['[', ']'])
        ),
        tail.to_uppercase(),
    ];
    for (n, form) in (100..).zip(&forms) {
        assert!(taken(&mut bench, own, form, "", n), "{form}");
    }
    // The mail that is answered counts where the subject is gone, and nothing else does.
    let names = |id: &str| {
        [format!("In-Reply-To: <{id}>\r\n"), format!("References: <a@b.example> <{id}>\r\n <x@y.example>\r\n")]
    };
    for (n, headers) in (200..).zip(names(&last.id)) {
        for (m, subject) in (0..).zip(["Re:", &format!("Re: {head} {}", &tail[..9]), "AW: [aaaa-aaaa-aaaa]"]) {
            assert!(taken(&mut bench, own, subject, &headers, 10 * n + m), "{headers} {subject}");
        }
    }
    let other = bench.last_of("toy-7", "coalition");
    let swapped: String = last.id.chars().rev().collect();
    for (n, headers) in (900..).zip(names(&other.id).into_iter().chain(names(&swapped)).chain([String::new()])) {
        assert!(!taken(&mut bench, own, "Re: your game", &headers, n), "{headers}");
    }
    for (n, from) in (990..).zip(["eve@example.org", "coalition@example.org"]) {
        assert!(!taken(&mut bench, from, "Re: your game", &names(&last.id)[0], n), "{from}");
    }
}

#[test]
fn the_name_of_a_mail_to_who_stood_in_is_good_for_him_alone_and_as_long_as_he_does() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let by = |address: &str| estafette::store::StandIn { address: address.to_owned(), kind: "late".to_owned() };
    bench.office.store.act(|act| act.set_stand_in("toy-7", "french", Some(&by("ney@example.net")))).unwrap();
    bench.reply("coalition", "PRESS TO french\nGood morning.\nEND PRESS\n");
    let his = bench.last_to("ney@example.net");
    let own = bench.last_to("french@example.org");
    assert_ne!((&his.id, his.secret()), (&own.id, own.secret()));
    let names = |mail: &Mail| format!("In-Reply-To: <{}>\r\n", mail.id);
    assert!(taken(&mut bench, "ney@example.net", "Re:", &names(&his), 300));
    assert!(!taken(&mut bench, "ney@example.net", "Re:", &names(&own), 301));
    assert!(!taken(&mut bench, "french@example.org", "Re:", &names(&his), 302));
    bench.office.store.act(|act| act.set_stand_in("toy-7", "french", None)).unwrap();
    assert!(!taken(&mut bench, "ney@example.net", "Re:", &names(&his), 303));
    // Nor is the name of a mail of any use whose tag was forgotten.
    assert!(taken(&mut bench, "french@example.org", "Re:", &names(&own), 304));
    bench.office.store.act(|act| act.forget_tags("toy-7", "french")).unwrap();
    assert!(!taken(&mut bench, "french@example.org", "Re:", &names(&own), 305));
}

#[test]
fn a_tag_of_the_first_release_is_good_as_long_as_any() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let secret = "k3x9q2m4w7r5t8v6b2n4c5z7aa";
    let last = bench.office.store.seat("toy-7", "french").unwrap().unwrap().mails_sent;
    bench.office.store.act(|act| act.put_tag("toy-7", "french", last, secret)).unwrap();
    let own = "french@example.org";
    assert!(taken(&mut bench, own, &format!("Re: [toy-7/french/{secret}] Turn 1: x"), "", 400));
    assert!(taken(&mut bench, own, &format!("RE: [TOY-7/French/{}] x", secret.to_uppercase()), "", 401));
    assert!(!taken(&mut bench, own, &format!("Re: [toy-7/coalition/{secret}] x"), "", 402));
    assert!(!taken(&mut bench, own, &format!("Re: [{secret}] x"), "", 403));
}

#[test]
fn an_older_tag_than_the_last_twenty_is_asked_back_and_done_when_confirmed() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let number = |bench: &Bench| bench.office.store.seat("toy-7", "french").unwrap().unwrap().mails_sent;
    let old = before_the_last(&bench);
    let first = number(&bench) - 1;
    let own = "french@example.org";
    for n in 0..18 {
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
        assert!(taken(&mut bench, own, &old.subject, "", 500 + n), "{n}: {} {}", first, number(&bench));
    }
    assert_eq!(number(&bench), first + 19);
    assert!(taken(&mut bench, own, &old.subject, "", 600), "the twentieth from the last");
    // By its name or by its tag, the twenty-first is not.
    for (n, headers) in (700..).zip([String::new(), format!("In-Reply-To: <{}>\r\n", old.id)]) {
        let subject = if headers.is_empty() { old.subject.as_str() } else { "Re:" };
        let head = bench.office.store.log_head("toy-7").unwrap();
        bench.deliver(format!("{headers}{}", written(own, subject, "DOCTRINE FIRST YES\nDEADLINE\n", n)).as_bytes());
        let asked = bench.pass();
        assert!(asked.len() == 1 && asked[0].text.contains("CONFIRM "), "{asked:?}");
        assert!(asked[0].to == own && asked[0].subject.starts_with("your mail answers an old one"), "{asked:?}");
        // Nobody can say whether he means what he cannot see.
        assert!(
            asked[0].text.contains("> DOCTRINE FIRST YES\n") && asked[0].text.contains("> DEADLINE\n"),
            "{asked:?}"
        );
        let log = bench.office.store.log("toy-7", head.seq + 1).unwrap();
        assert!(log.iter().all(|entry| entry.body.contains("\"direction\":\"out\"")), "{log:?}");
        let done = bench.confirm(own);
        assert!(done.iter().any(|mail| mail.text.contains("DEADLINE")), "{done:?}");
    }
}

#[test]
fn what_is_shown_when_a_game_is_over_makes_no_tag() {
    let mut bench = Bench::new();
    let new = NewGame { master: None, ..new_game("toy-9", "toy-fellows", true) };
    bench.office.new_game(&new).unwrap();
    bench.pass();
    let master = Master::from_bytes(bench.office.store.game("toy-9").unwrap().unwrap().master);
    let of_master =
        |seat: &str| tag::short(&master.secret("toy-9", "tag/2/0", &format!("{seat}/1"))[..8].try_into().unwrap());
    for seat in ["french", "coalition", "umpire"] {
        assert_ne!(bench.last_of("toy-9", seat).secret(), of_master(seat));
    }
    // Nor do the names of mails count, which follow from it.
    let letter = bench.last_of("toy-9", "french");
    let headers = format!("In-Reply-To: <{}>\r\n", letter.id);
    assert!(taken(&mut bench, "french@example.org", "Re:", &headers, 1));
    bench.office.store.act(|act| act.set_game_state("toy-9", GameState::Over)).unwrap();
    assert!(!taken(&mut bench, "french@example.org", "Re:", &headers, 2));
    assert!(taken(&mut bench, "french@example.org", &letter.subject, "", 3), "by its tag it does");
}

/// The mail to the French before the letter that told them last how play stands.
fn before_the_last(bench: &Bench) -> Mail {
    let all = bench.out().into_iter().filter(|mail| bench.is_of(mail, "toy-7", "french"));
    let mut all: Vec<Mail> = all.collect();
    all.remove(all.len() - 2)
}

#[test]
fn nobody_makes_the_letter_an_old_one_by_which_a_seat_orders() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let (letter, own) = (bench.last_of("toy-7", "french"), "french@example.org");
    for n in 0..25 {
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
        let mails = bench.reply("coalition", &format!("PRESS TO french\nword {n}\nEND PRESS"));
        assert!(mails.iter().any(|mail| mail.to == own), "{mails:?}");
    }
    assert!(taken(&mut bench, own, &letter.subject, "", 900), "it is the twenty-sixth from the last");
}

#[test]
fn a_captured_old_tag_and_guessed_tags_lock_nobody_out() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let own = "french@example.org";
    let old = before_the_last(&bench);
    for _ in 0..20 {
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
        bench.reply("french", "DEADLINE");
    }
    bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
    let mut asked = 0;
    for n in 0..30 {
        bench.post(own, &old.subject, &format!("RESIGN\n# {n}\n"));
        asked += to(&bench.pass(), "french").len();
    }
    assert_eq!(asked, 5, "the seat is asked so often in a day and no more");
    // Twelve wrong tags in the seat's own name: one answer, and from the tenth on they are not even looked at.
    let mut mails = Vec::new();
    for n in 0..12_u8 {
        let wrong = tag::short(&[n + 1; 8]);
        bench.post(own, &format!("Turn 1 [{wrong}]"), "LIST\n");
        mails.extend(bench.pass());
    }
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), [own], "{mails:?}");
    let refused = bench.office.store.troubled_in(u32::MAX).unwrap();
    let many =
        refused.iter().filter(|mail| mail.reason.as_deref().is_some_and(|why| why.contains("too many wrong tags")));
    assert_eq!(many.count(), 3);
    // The owner writes on as ever.
    let mails = bench.reply("french", "DEADLINE\n");
    assert!(mails.iter().any(|mail| mail.text.contains("  DEADLINE")), "{mails:?}");
}

#[test]
fn the_table_of_tags_cannot_be_searched_and_no_two_mails_share_a_tag() {
    let (bench, _) = Bench::begun("toy-7", "toy-fellows");
    let last = bench.last_of("toy-7", "french");
    let db = Connection::open(bench.dir.path().join("estafette.db")).unwrap();
    let hashes: Vec<String> = db
        .prepare("SELECT hash FROM tags")
        .unwrap()
        .query_map((), |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(hashes.len() > 4);
    let bare = |text: &str| tag::hash(text);
    for guess in [
        bare(&last.secret()),
        bare(&format!("estafette/tag/v1\0{}", last.secret())),
        bare(&format!("estafette/tag/v2\0{}", last.secret())),
    ] {
        assert!(!hashes.contains(&guess), "a digest without the key finds it");
    }
    // The same games in another post office: the same mails, other digests.
    let (other, _) = Bench::begun("toy-7", "toy-fellows");
    assert_eq!(other.last_of("toy-7", "french").subject, last.subject);
    let db = Connection::open(other.dir.path().join("estafette.db")).unwrap();
    let shared: u32 = hashes
        .iter()
        .map(|hash| {
            db.query_row("SELECT count(*) FROM tags WHERE hash = ?1", [hash], |row| row.get::<_, u32>(0)).unwrap()
        })
        .sum();
    assert_eq!(shared, 0);
    // A tag that another mail of the house has already is not given a second time.
    let mut third = Bench::with_config(CONFIG);
    third.office.new_game(&new_game("first-1", "toy-great", true)).unwrap();
    third.office.store.act(|act| act.put_tag("first-1", "red", 99, &last.secret())).unwrap();
    third.office.new_game(&new_game("toy-7", "toy-fellows", true)).unwrap();
    third.pass();
    third.reply("french", "SIGNON\nNONCE Vive l'Empereur\n");
    third.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\n");
    let again = third.last_of("toy-7", "french");
    assert_ne!(again.secret(), last.secret());
    assert_eq!(third.office.store.tag_holder(&last.secret()).unwrap().unwrap().game, "first-1");
    assert!(!third.reply("french", "DEADLINE").is_empty());
}

#[test]
fn a_lost_key_is_found_beside_each_game_and_else_costs_old_tags_and_nothing_else() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let last = bench.last_of("toy-7", "french");
    bench.office.store.act(|act| act.drop_mark("tag key")).unwrap();
    let own = "french@example.org";
    assert!(taken(&mut bench, own, &last.subject, "", 799));
    bench.office.store.act(|act| act.set_note("toy-7", "tag key", None)).unwrap();
    assert!(!taken(&mut bench, own, &last.subject, "", 800));
    assert!(taken(&mut bench, own, "Re:", &format!("In-Reply-To: <{}>\r\n", last.id), 801));
    assert!(bench.reply("french", "DEADLINE").iter().any(|mail| mail.text.contains("  DEADLINE")));
}

#[test]
fn every_paragraph_that_a_kept_letter_cites_is_answered() {
    let bench = Bench::with_campaign(&teaching());
    let row = estafette::gateway::game_of(&bench.office.store, "strem-1").unwrap();
    let game = estafette::gateway::table::open(super::bench::TOYS, &bench.office.store, &row).unwrap();
    let mut cited = std::collections::BTreeSet::new();
    for seat in ["french", "coalition"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/games/moravia/{seat}.txt"));
        let text = std::fs::read_to_string(path).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        for inside in text.split("[¶").skip(1).filter_map(|rest| rest.split(']').next()) {
            cited.extend(inside.split(", ").filter_map(estafette::text::paragraph));
        }
    }
    assert!(cited.len() > 20, "{cited:?}");
    let silent: Vec<&String> = cited.iter().filter(|paragraph| game.rule(paragraph).is_empty()).collect();
    assert_eq!(silent, Vec::<&String>::new());
}

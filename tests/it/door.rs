//! What comes in and goes out again: addresses, ids, heads and lines, taken only in forms that can be written.

use estafette::address::Address;
use estafette::mail::id::MessageId;
use estafette::mail::read::{Head, Limits, Reason, read};
use estafette::mail::script::order_lines;
use estafette::mail::write::{Outgoing, message_id};
use proptest::prelude::*;

/// Forms that are no address here: what the writer refuses, what servers differ about, what is another address to another
/// reader.
pub const NO_ADDRESSES: [&str; 50] = [
    "",
    "a",
    "@",
    "a@",
    "@x.example",
    "a..b@x.example",
    ".a@x.example",
    "a.@x.example",
    "a@[127.0.0.1]",
    "a@[IPv6:::1]",
    "a@127.0.0.1",
    "a<b@x.example",
    "a>b@x.example",
    "<a@x.example",
    "a@x.example>",
    "<a@x.example>",
    "Ney <a@x.example>",
    "a b@x.example",
    "a @x.example",
    "a@ x.example",
    " a@x.example",
    "a@x.example\n",
    "\"a b\"@x.example",
    "\"a\"@x.example",
    "\"@x.example",
    "a@x..example",
    "a@.x.example",
    "a@x.example.",
    "a@-x.example",
    "a@x-.example",
    "a@x_y.example",
    "a@x.example/",
    "a,b@x.example",
    "a;b@x.example",
    "a:b@x.example",
    "a(b)@x.example",
    "(b)a@x.example",
    "a@x.example(b)",
    "a\\b@x.example",
    "a@b@x.example",
    "ü@x.example",
    "a\u{200b}@x.example",
    "a@x\u{ad}y.example",
    "a@\u{ff58}.example",
    "a@x\u{3002}example",
    "a@x.example\r\nBcc: b@x.example",
    "a\0@x.example",
    "a\u{7f}@x.example",
    "=?utf-8?q?a?=@x.example",
    "mailto:a@x.example",
];

fn letter(to: Address) -> Outgoing {
    Outgoing {
        name: "Estafette".into(),
        from: Address::parse("post@example.net").unwrap(),
        to,
        subject: "hello".into(),
        message_id: message_id(&[7; 32], "moravia-7", "french", 3, "example.net"),
        in_reply_to: None,
        references: Vec::new(),
        date: "2026-01-01T00:00:00Z".parse().unwrap(),
        text: "END\n".into(),
        html: None,
        pictures: Vec::new(),
        attachments: Vec::new(),
    }
}

#[test]
fn what_cannot_be_written_is_no_address() {
    let taken: Vec<&str> = NO_ADDRESSES.into_iter().filter(|text| Address::parse(text).is_ok()).collect();
    assert_eq!(taken, Vec::<&str>::new());
    let long = |local: usize, label: usize| format!("{}@{}.example", "a".repeat(local), "b".repeat(label));
    assert!(Address::parse(&long(65, 3)).is_err() && Address::parse(&long(3, 64)).is_err());
    let wide = format!("{}@{}example", "a".repeat(64), "bbbbbbbbb.".repeat(19));
    assert!(wide.len() > 254 && Address::parse(&wide).is_err());
    let said = Address::parse(&"x".repeat(5_000)).unwrap_err().to_string();
    assert!(said.len() < 200 && said.contains("name@example.org"), "{said}");
}

#[test]
fn an_address_is_itself_in_every_form_that_is_lawful_here() {
    for (text, kept) in [
        ("Ney@X.EXAMPLE", "Ney@x.example"),
        ("o'brien+post.office=1@x.example", "o'brien+post.office=1@x.example"),
        ("a%b!c{d}@x", "a%b!c{d}@x"),
        ("ney@B\u{fc}cher.example", "ney@xn--bcher-kva.example"),
        ("ney@xn--bcher-kva.example", "ney@xn--bcher-kva.example"),
    ] {
        let address = Address::parse(text).unwrap();
        assert_eq!((address.as_str(), Address::parse(kept).as_ref()), (kept, Ok(&address)));
        let json = serde_json::to_string(&address).unwrap();
        assert_eq!(serde_json::from_str::<Address>(&json).unwrap(), address);
    }
    let [ney, small, other] = ["Ney@x.example", "ney@x.example", "nez@x.example"].map(|a| Address::parse(a).unwrap());
    assert!(ney != small && ney.is_alike(&small) && !ney.is_alike(&other));
    assert!(Address::parse(&format!("{}@x.example", "a".repeat(64))).is_ok());
    assert!(serde_json::from_str::<Address>("\"a..b@x.example\"").is_err());
}

/// Pieces of addresses and ids, lawful and not.
fn pieces() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "a",
        "Z9",
        ".",
        "..",
        "@",
        "@x.example",
        "-",
        "_",
        "+",
        "=?",
        "?=",
        "<",
        ">",
        "\"",
        "(",
        ")",
        ",",
        ";",
        ":",
        "\\",
        "[",
        "]",
        " ",
        "\t",
        "\r\n",
        "\0",
        "\u{fc}",
        "xn--",
        "bcher-kva",
        "\u{200d}",
        "%",
        "!",
        "1",
        "example",
        "{",
        "'",
        "~",
    ]);
    prop_oneof![
        3 => prop::collection::vec(odd.clone(), 1..8).prop_map(|parts| parts.concat()),
        2 => (prop::collection::vec(odd, 1..4)).prop_map(|parts| format!("{}@x.example", parts.concat())),
        1 => "[!-~]{1,70}@[a-zA-Z0-9.-]{1,80}",
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::gateway::commands::cases(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_address_that_is_taken_is_written_and_read_the_same(text in pieces(), name in any::<String>()) {
        let Ok(address) = Address::parse(&text) else { return Ok(()) };
        prop_assert!(address.is_ascii() && address.local().len() <= 64 && address.len() <= 254);
        prop_assert_eq!(Address::parse(&address), Ok(address.clone()));
        // As the reader's and as the sender's, whatever the sender's name is.
        let raw = Outgoing { subject: name.clone(), name, from: address.clone(), ..letter(address.clone()) }.render().unwrap();
        prop_assert!(raw.is_ascii());
        let head = read(&raw, &Limits::default()).unwrap().head;
        prop_assert_eq!(head.from, Some(address.clone()));
        prop_assert_eq!(head.to, [address.to_lowercase()]);
    }

    #[test]
    fn every_id_that_is_taken_is_written_and_read_the_same(all in prop::collection::vec(pieces(), 1..60)) {
        let ids: Vec<MessageId> = all.iter().filter_map(|text| MessageId::parse(text)).collect();
        let Some(id) = ids.first().cloned() else { return Ok(()) };
        let to = Address::parse("ney@example.org").unwrap();
        let (last, count) = (ids.last().cloned(), ids.len());
        let raw = Outgoing { message_id: id.clone(), in_reply_to: last.clone(), references: ids.clone(), ..letter(to) };
        let head = read(&raw.render().unwrap(), &Limits::default()).unwrap().head;
        prop_assert_eq!((head.id.clone(), head.in_reply_to), (Some(id.clone()), last.clone()));
        // What names no domain might be a name of the post office's own.
        match id.as_str().contains('@') {
            true => prop_assert_eq!(head.message_id.as_str(), id.as_str()),
            false => prop_assert_eq!(head.message_id, format!("sha256:{}", head.digest)),
        }
        prop_assert_eq!(head.references.len(), count.min(21));
        prop_assert_eq!((head.references.first(), head.references.last()), (Some(&id), last.as_ref()));
    }
}

fn head(fields: &str) -> Head {
    let raw = format!("{fields}\r\n\r\nEND\r\n");
    match read(raw.as_bytes(), &Limits::default()) {
        Ok(incoming) => incoming.head,
        Err(unreadable) => *unreadable.head,
    }
}

#[test]
fn only_one_whole_mailbox_is_a_sender() {
    let own = Some("ney@example.org");
    for (from, found) in [
        ("ney@example.org", own),
        ("<ney@example.org>", own),
        ("Michel Ney <ney@example.org>", own),
        ("\"Ney, Michel\" <ney@example.org>", own),
        ("\"eve@example.org\" <ney@example.org>", own),
        ("\"N\\\"ey\" <ney@example.org> (Marshal)", own),
        ("ney@example.org (Michel Ney)", own),
        ("(Marshal) ney@example.org", own),
        ("ney@example.org <ney@example.org>", own),
        ("=?utf-8?q?Ney,_Michel?= <ney@example.org>", own),
        ("=?utf-8?b?TmV5?=\r\n =?utf-8?b?TmV5?=\r\n <ney@example.org>", own),
        ("Michel\r\n Ney\r\n <ney@example.org>", own),
        ("Prince de la Moskowa. <ney@EXAMPLE.org>", own),
        ("Ney@example.org", Some("Ney@example.org")),
        ("", None),
        ("<>", None),
        ("Ney <>", None),
        ("Ney", None),
        ("ney@example.org, eve@example.org", None),
        ("ney@example.org, eve", None),
        ("eve, ney@example.org", None),
        ("Ney, Michel <ney@example.org>", None),
        ("friends: ney@example.org;", None),
        ("friends:;", None),
        ("ney@example.org;", None),
        ("<@relay.example:ney@example.org>", None),
        ("<@relay.example,@two.example:ney@example.org>", None),
        ("<ney@example.org> eve@example.org", None),
        ("<ney@example.org> x", None),
        ("<ney@example.org><eve@example.org>", None),
        ("<<ney@example.org>>", None),
        ("eve@example.org <ney@example.org>", None),
        ("ney@example.org <eve@example.org>", None),
        ("ney @example.org", None),
        ("ney(x)@example.org", None),
        ("n(x)ey@example.org", None),
        ("<ney@example.org(x)>", None),
        ("\"ney\"@example.org", None),
        ("\"ney@example.org", None),
        ("ney@example.org (", None),
        ("=?utf-8?q?ney=40example.org?=", None),
        ("<=?utf-8?q?ney=40example.org?=>", None),
        ("=?utf-8?q?ney?=@example.org", None),
        ("n\u{200b}ey@example.org", None),
        ("\u{ff4e}ey@example.org", None),
        ("ney@example.org.", None),
        ("ney@\u{ff45}xample.org", None),
        ("ney@exam\u{ad}ple.org", None),
        ("ney\0@example.org", None),
        ("ney@example\r\n .org", None),
    ] {
        assert_eq!(head(&format!("From: {from}\r\nSubject: x")).from.as_deref(), found, "{from:?}");
    }
}

#[test]
fn a_field_is_read_under_its_own_name_only() {
    let own = "From: ney@example.org";
    let verdict = |head: &Head| head.auth_results.clone();
    for odd in [
        "Authentication-Results :",
        "Authentication -Results:",
        "Authentication\t-Results:",
        " Authentication-Results:",
    ] {
        assert_eq!(verdict(&head(&format!("{own}\r\n{odd} mx.me; dmarc=pass header.from=example.org"))), None, "{odd}");
    }
    let topmost =
        head(&format!("Authentication-Results:\r\n\tmx.me;\r\n dmarc=fail\r\n{own}\r\nAuthentication-Results: two"));
    assert_eq!(verdict(&topmost).as_deref(), Some("mx.me; dmarc=fail"));
    let misspelt =
        head(&format!("{own}\r\nMessage-ID : <a@b>\r\nSub ject: x\r\nAuto -Submitted: auto-replied\r\nX-Lo op: y"));
    assert_eq!((misspelt.id, misspelt.subject.as_str(), misspelt.automatic), (None, "", None));
    // What continues a line that is no field belongs to it.
    assert_eq!(head(&format!("{own}\r\nno field\r\n Subject: x")).subject, "");
    // Whichever program reads two senders, one of them is not believed.
    for two in [
        format!("{own}\r\nFrom: eve@example.org"),
        format!("{own}\r\nFrom : eve@example.org"),
        "Fr om: ney@example.org".into(),
    ] {
        let raw = format!("{two}\r\nSubject: x\r\n\r\nEND\r\n");
        let reason = read(raw.as_bytes(), &Limits::default()).unwrap_err().reason;
        assert!(matches!(reason, Reason::TwoFrom | Reason::NoFrom), "{two}: {reason:?}");
    }
    assert_eq!(head("From: ney@example.org\r\nSubject: =?utf-8?q?h=C3=A9?=\r\n =?utf-8?q?llo?=").subject, "h\u{e9}llo");
}

#[test]
fn an_id_that_cannot_be_written_is_none_and_a_thread_is_never_long() {
    let own = "From: ney@example.org";
    for odd in
        ["<\u{fc}@x>", "<a<b@x>", "<a b@x>", "<>", "", "<a\0@x>", "a b", "<a@x", &format!("<{}@x>", "a".repeat(300))]
    {
        let head =
            head(&format!("{own}\r\nMessage-ID: {odd}\r\nIn-Reply-To: {odd}\r\nReferences: <one@x> {odd} <two@x>"));
        assert_eq!((&head.id, &head.in_reply_to), (&None, &None), "{odd:?}");
        assert_eq!(head.message_id, format!("sha256:{}", head.digest), "{odd:?}");
        assert!(
            head.references.iter().all(|id| ["one@x", "two@x"].contains(&id.as_str())),
            "{odd:?}: {:?}",
            head.references
        );
    }
    assert_eq!(head(&format!("{own}\r\nMessage-ID: bare@x")).id, MessageId::parse("bare@x"));
    let many: String = (0..40_000).map(|n| format!("\r\n <{n}@x.example>")).collect();
    assert!(many.len() > 500_000);
    let long = head(&format!("{own}\r\nReferences:{many}"));
    assert_eq!(long.references.len(), 21);
    assert_eq!((long.references[0].as_str(), long.references[20].as_str()), ("0@x.example", "39999@x.example"));
}

#[test]
fn words_broken_off_a_quotation_end_nothing() {
    let report = "The sheet is open until Thursday; when you have no more orders write END";
    assert_eq!(report.len(), 72);
    let other = "> The third corps of the army stands on both banks of the river at";
    // Wrapped again at 72 columns: one word of the quoted line is left over.
    let (kept, left) = report.rsplit_once(' ').unwrap();
    for left in [left, "end", "RESIGN", "END now"] {
        assert_eq!(order_lines(&format!("{other}\n> {kept}\n{left}\n{other}\n\nDUR MARCH\n")), ["DUR MARCH"], "{left}");
        let below = order_lines(&format!("{other}\n> {kept}\n{left}\n"));
        assert_eq!(below, [format!("> {left}")], "told, and not done");
    }
    // A sentence of ours ends with two blanks, and both are gone where its next word was broken off.
    let ended = format!("> {}.", &kept[..other.len() - 6]);
    assert_eq!(ended.len() + " No".len(), other.len(), "with one blank the word would have had room");
    let below = order_lines(&format!("DUR MARCH\n\n{other}\n{ended}\nNo\n{other}\n"));
    assert_eq!(below, ["DUR MARCH", "", "> No"]);
    // A writer's own lines: after an empty line, under a line that was not broken, under one with room for the word, or
    // wider than any line of ours; and whatever can be undone.
    for own in [
        format!("{other}\n> {kept}\n\nEND\n"),
        format!("> What do you do?\nEND\n{other}\n"),
        format!("> {report} that you mean\n> {kept}\nEND\n{other}\n"),
        format!("> {kept} and no more\nEND\n"),
    ] {
        assert_eq!(order_lines(&own), ["END"], "{own}");
    }
    assert_eq!(order_lines(&format!("{other}\n> {kept}\nQ1 YES\n{other}\nEND")), ["Q1 YES", "END"]);
    assert_eq!(order_lines(&format!("DUR MARCH\n> {kept}\n> x\nDAV HALT\n")), ["DUR MARCH", "DAV HALT"]);
}

/// A mail quoted below an answer, its lines broken again where they are wider than `columns`, the rest without a mark.
fn quoted_and_broken(mail: &str, columns: usize) -> String {
    let mut body = String::new();
    for line in mail.lines() {
        let mut line = format!("> {line}").trim_end().to_owned();
        while line.chars().count() > columns {
            let fits: usize = line.char_indices().nth(columns + 1).map_or(line.len(), |(at, _)| at);
            let Some(at) = line[..fits].rfind(' ').filter(|at| *at > 2) else { break };
            body.push_str(&format!("{}\n", &line[..at]));
            line = line[at + 1..].to_owned();
        }
        body.push_str(&format!("{line}\n"));
    }
    body
}

#[test]
fn words_broken_off_below_an_answer_are_no_orders() {
    let kept = include_str!("../games/moravia/french.txt");
    // Below the end of a mail stands what its reader wrote, in lines as wide as he likes.
    let ours = kept.split("\n=== estafette mail").skip(1).map(|mail| {
        let (ours, _) = mail.split_once("\n=== end of estafette mail ===").unwrap();
        &ours[ours.find('\n').unwrap()..]
    });
    let mails: Vec<&str> = ours.collect();
    let (mut broken, mut left) = (0, Vec::new());
    for columns in [66, 70, 72, 74, 76] {
        for mail in mails.iter().step_by(3) {
            let body = quoted_and_broken(mail, columns);
            let tails = body.lines().filter(|line| !line.is_empty() && !line.starts_with('>')).count();
            broken += tails;
            let own = "FORCE Soult INITIATIVE MARCH ROAD TO Goellersdorf\nEND";
            let lines =
                order_lines(&format!("{own}\n\nOn Sat, 28 Nov 2026 the umpire <post@example.org> wrote:\n{body}"));
            let (passed, kept): (Vec<String>, Vec<String>) = lines.into_iter().partition(|line| line.starts_with("> "));
            assert!(passed.len() < 3, "told in one line: {passed:?}");
            left.extend(kept.iter().filter(|line| !own.contains(line.as_str())).cloned());
            assert!(kept.starts_with(&own.lines().map(str::to_owned).collect::<Vec<_>>()), "{kept:?}");
        }
    }
    assert!(broken > 300, "{broken}");
    assert_eq!(left, Vec::<String>::new(), "{} of {broken}", left.len());
    // One or two are told each, and nothing of them is done.
    let other = "> The third corps of the army stands on both banks of the river at the";
    let broken = "> Where a line of yours ends next to a counter of theirs, you must";
    let lone = format!("FORCE Soult HOLD\nEND\n\n{other}\n{broken}\nattack E7\n{other}");
    assert_eq!(order_lines(&lone), ["FORCE Soult HOLD", "END", "", "> attack E7"]);
    // Of a drawing the blanks before the word stay behind.
    let drawn = format!("FORCE Soult HOLD\nEND\n\n{other}\n>{}\nLechwi\n{other}", " ".repeat(69));
    assert_eq!(order_lines(&drawn), ["FORCE Soult HOLD", "END", "", "> Lechwi"]);
    // A program that has wrapped all of it is told in one line.
    let wrapped = format!("END\n\n{other}\n{broken}\nattack E7\n{other}\nHALT now\n{other}\n~~\n{other}");
    assert_eq!(order_lines(&wrapped), ["END", "", "> 1 line among the quoted ones"]);
    // Who writes between the quoted lines alone is taken at his word.
    assert_eq!(order_lines(lone.strip_prefix("FORCE Soult HOLD\nEND\n\n").unwrap()), ["attack E7"]);
    assert_eq!(order_lines("Hello\n\n> Q1  Do you retreat?\nYES\n> Q2  Where to?\n2346"), ["Hello", "", "YES", "2346"]);
}

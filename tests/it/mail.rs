//! The post: a corpus of mails in the shapes that real programs make, and the box they lie in.

use estafette::address::Address;
use estafette::mail::auth::{Distrust, check};
use estafette::mail::id::MessageId;
use estafette::mail::maildir::Maildir;
use estafette::mail::read::{Incoming, Limits, Reason, Unreadable, read};
use estafette::mail::script::{REPORT_END, order_lines, report_mark};
use estafette::mail::tag::{self, ReplyTag};
use estafette::mail::write::{Outgoing, WriteError, message_id, pre};
use estafette::mail::{Inbound, MailError, Outbound, Parcel};
use mail_parser::{MessageParser, MimeHeaders};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

fn corpus() -> Vec<(String, Vec<u8>, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail");
    let mut mails = BTreeSet::new();
    let mut expectations = BTreeSet::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        match path.extension().and_then(|kind| kind.to_str()) {
            Some("eml") => mails.insert(stem),
            Some("expected") => expectations.insert(stem),
            _ => panic!("{} is neither a mail nor an expectation", path.display()),
        };
    }
    assert_eq!(mails, expectations, "every mail has its expectation, and none stands alone");
    let file = |name: &str, kind: &str| folder.join(format!("{name}.{kind}"));
    mails
        .into_iter()
        .map(|name| {
            let raw = std::fs::read(file(&name, "eml")).unwrap();
            let expected = std::fs::read_to_string(file(&name, "expected")).unwrap();
            (name, raw, expected)
        })
        .collect()
}

fn limits() -> Limits {
    Limits { own_domain: Some("post.example.net".to_owned()), ..Limits::default() }
}

fn with_line_ends(raw: &[u8], end: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in raw.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => {
                out.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
                out.extend_from_slice(end);
            }
            None => out.extend_from_slice(line),
        }
    }
    out
}

fn reason_name(reason: &Reason) -> &'static str {
    match reason {
        Reason::Empty => "empty",
        Reason::NoText => "no text",
        Reason::Broken => "broken",
        Reason::TooLarge { .. } => "too large",
        Reason::NoFrom => "no from",
        Reason::TwoFrom => "two from",
    }
}

/// What was read, in the form of the `.expected` files.
fn told(result: &Result<Incoming, Unreadable>) -> String {
    let head = match result {
        Ok(incoming) => &incoming.head,
        Err(unreadable) => &*unreadable.head,
    };
    let mut out = String::new();
    let tag = head.tag.as_ref().map_or("none".to_owned(), ToString::to_string);
    writeln!(out, "tag: {tag}").unwrap();
    for (name, value) in
        [("automatic", head.automatic.map(|automatic| automatic.why)), ("bounced", head.bounced.as_deref())]
    {
        value.into_iter().for_each(|value| writeln!(out, "{name}: {value}").unwrap());
    }
    match result {
        Ok(incoming) => {
            out.push_str("--\n");
            incoming.script.iter().for_each(|line| writeln!(out, "{line}").unwrap());
        }
        Err(unreadable) => writeln!(out, "unreadable: {}", reason_name(&unreadable.reason)).unwrap(),
    }
    out
}

#[test]
fn every_mail_of_the_corpus_yields_its_script_with_either_line_end() {
    let corpus = corpus();
    assert!(corpus.len() >= 30, "the corpus has {} mails", corpus.len());
    let mut wrong = String::new();
    for (name, raw, expected) in &corpus {
        for (form, end) in [("LF", &b"\n"[..]), ("CRLF", b"\r\n")] {
            let found = told(&read(&with_line_ends(raw, end), &limits()));
            if found != *expected {
                write!(wrong, "\n=== {name} with {form}\n--- expected\n{expected}--- found\n{found}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn mail(headers: &str, body: &str) -> Vec<u8> {
    format!("From: ney@example.org\nSubject: [g/french/abcdef]\n{headers}\n{body}").into_bytes()
}

fn reason(raw: &[u8], limits: &Limits) -> Reason {
    read(raw, limits).unwrap_err().reason
}

#[test]
fn the_head_of_a_mail_is_read() {
    let raw =
        b"From: \"Ney, Michel\" <Ney@Example.ORG>\nTo: Post <POST@example.net>, b@example.net\nCc: c@example.net\n\
        Subject: Re: hello\nMessage-ID: <A.b@x>\nIn-Reply-To: <two@x>\nReferences: <one@x>\n <two@x>\n\
        Authentication-Results: mx.example.net;\n\tdmarc=pass header.from=example.org\n\
        Authentication-Results: forged.example; dmarc=pass header.from=bank.example\n\nEND\n";
    let head = read(raw, &Limits::default()).unwrap().head;
    assert_eq!(head.from.as_deref(), Some("Ney@example.org"), "the local part as it is, the domain folded");
    assert_eq!(head.to, ["post@example.net", "b@example.net", "c@example.net"]);
    assert_eq!((head.subject.as_str(), head.message_id.as_str()), ("Re: hello", "A.b@x"));
    assert_eq!(head.in_reply_to, MessageId::parse("two@x"));
    assert_eq!(head.references, ids(&["one@x", "two@x"]));
    assert_eq!(head.auth_results.as_deref(), Some("mx.example.net; dmarc=pass header.from=example.org"));
    assert_eq!((head.automatic, head.bounced), (None, None));
}

#[test]
fn a_mail_without_a_message_id_is_known_by_its_digest() {
    let head = read(&mail("", "END\n"), &Limits::default()).unwrap().head;
    assert_eq!(head.message_id, format!("sha256:{}", head.digest));
    assert_eq!(head.digest.len(), 64);
    let other = read(&mail("", "END \n"), &Limits::default()).unwrap().head;
    assert_ne!(head.message_id, other.message_id);
}

#[test]
fn a_mail_of_five_megabytes_is_too_large_and_its_sender_can_be_told() {
    let line = "FORCE LAN MARCH ROAD TO 2345\n";
    let raw = mail("", &line.repeat(5_000_000 / line.len()));
    let unreadable = read(&raw, &Limits::default()).unwrap_err();
    assert_eq!(unreadable.reason, Reason::TooLarge { what: "bytes", found: raw.len(), most: 4 << 20 });
    assert_eq!(unreadable.head.from.as_deref(), Some("ney@example.org"));
    assert_eq!(unreadable.head.tag.unwrap().names.unwrap().1, "french");
    let sentence = unreadable.reason.to_string();
    assert!(sentence.contains(&raw.len().to_string()) && sentence.contains("4194304"), "{sentence}");
}

#[test]
fn each_limit_is_met_by_name() {
    let limits = Limits {
        mail_bytes_max: 20_000,
        text_bytes_max: 5_000,
        lines_max: 100,
        parts_max: 10,
        depth_max: 4,
        headers_max: 20,
        own_domain: None,
    };
    let what = |raw: &[u8]| match reason(raw, &limits) {
        Reason::TooLarge { what, .. } => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(what(&mail("", &"x".repeat(20_001))), "bytes");
    assert_eq!(what(&mail("", &"x".repeat(5_001))), "bytes of text");
    // One character that NFKC writes as eighteen.
    assert_eq!(what(&mail("", &"\u{fdfa}".repeat(1_000))), "bytes of text");
    assert_eq!(what(&mail("", &"x\n".repeat(101))), "lines");
    assert_eq!(what(&mail(&"X-A: b\n".repeat(30), "END")), "header lines");
    let parts = "--b\nContent-Type: text/plain\n\nx\n".repeat(20);
    assert_eq!(what(&mail("Content-Type: multipart/mixed; boundary=b\n", &parts)), "parts");
    assert!(read(&mail("", "END\n"), &limits).is_ok());
}

#[test]
fn mails_within_mails_do_not_overflow_the_stack() {
    // Names and places that the parser accepts for a Content-Type, each a hundred thousand mails deep.
    for link in [
        "Content-Type: message/rfc822\n\n",
        "con tent-type :message/global\n\n",
        "X: y\n::Content-Type:\n message/rfc822\n\n",
        "Content-Type: multipart/digest; boundary=b\n\n--b\n\n",
    ] {
        let deep = link.repeat(100_000.min((4 << 20) / link.len() - 100));
        let raw = format!("From: a@b\n{deep}");
        assert!(read(raw.as_bytes(), &Limits::default()).is_err(), "{link:?}");
        // The same under base64, and straight after a boundary.
        let hidden = data_encoding::BASE64.encode(deep.get(..2_000_000).unwrap_or(&deep).as_bytes());
        let raw = format!(
            "From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n--bContent-Type: message/rfc822\n\
             Content-Transfer-Encoding: base64\n\n{hidden}\n--b--\n"
        );
        assert!(read(raw.as_bytes(), &Limits::default()).is_err(), "{link:?} in base64");
    }
}

#[test]
fn a_whole_report_of_ours_leaves_no_order_however_it_is_copied() {
    let report = format!("{}\nQ1  Stay?\n\n  VEDETTE 4 STAY\n{REPORT_END}", report_mark(17));
    let quoted: String = report.lines().map(|line| format!("> {line}\n")).collect();
    let none: [&str; 0] = [];
    assert_eq!(order_lines(&report), none);
    assert_eq!(order_lines(&quoted), none);
    assert_eq!(order_lines(&format!("END\n{report}")), ["END"]);
    assert_eq!(order_lines(&format!("{report}\nEND")), ["END"]);
    assert_eq!(order_lines(&format!("{quoted}END")), ["END"]);
    // Without its end, what follows may be the report itself.
    assert_eq!(order_lines(&format!("END\n{}\n  VEDETTE 4 STAY\n", report_mark(1))), ["END"]);
    // Without its beginning, what stands above may be its writer's own: it is told, and nothing of it is done.
    assert_eq!(
        order_lines(&format!("INITIATIVE FERY\nEND\n{REPORT_END}\nMAP")),
        ["> INITIATIVE FERY, and 1 line more", "MAP"]
    );
    assert_eq!(order_lines(&format!("END\n{REPORT_END}")), ["> END"]);
}

#[test]
fn a_tag_is_written_and_found_again() {
    let secret = tag::secret(&[0x9a; 16]);
    assert_eq!((tag::secret(&[0; 16]), secret.len()), ("a".repeat(26), 26));
    let tag = ReplyTag { names: Some(("moravia-7".into(), "french".into())), secret: secret.clone() };
    assert_eq!(tag.to_string(), format!("[moravia-7/french/{secret}]"));
    for subject in ["Re: {}", "AW: Re: [list] {} Turn [1/2/3]", "{}", "Fwd:{}x"] {
        assert_eq!(ReplyTag::find(&subject.replace("{}", &tag.to_string())).as_ref(), Some(&tag), "{subject}");
    }
    for subject in
        ["", "[", "[a/b]", "[a/b/short]", "[a/b/c/abcdefgh]", "[/b/abcdefgh]", "[a/b/abcdef-gh]", "]a/b/abcdef["]
    {
        assert_eq!(ReplyTag::find(subject), None, "{subject}");
    }
    assert!(tag::matches(&secret, &tag::hash(&secret)));
    assert!(!tag::matches(&secret.to_uppercase(), &tag::hash(&secret)));
    assert!(!tag::matches(&secret, ""));
}

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

fn ids(all: &[&str]) -> Vec<MessageId> {
    all.iter().map(|id| MessageId::parse(id).unwrap()).collect()
}

fn letter() -> Outgoing {
    Outgoing {
        name: "Estafette".into(),
        from: address("post@example.net"),
        to: address("ney@example.org"),
        subject: "[moravia-7/french/k3x9q2m4w7r5t8v6b2n4c5z7aa] Turn 1: your movement".into(),
        message_id: message_id(&[7; 32], "moravia-7", "french", 3, "example.net"),
        in_reply_to: MessageId::parse("two@x"),
        references: ids(&["one@x", "two@x"]),
        date: "2026-01-01T00:00:00Z".parse().unwrap(),
        text: "  2650 ==== 2549\n  A & B <c>\n".into(),
        html: None,
        pictures: Vec::new(),
        attachments: Vec::new(),
    }
}

/// The value of a header as it stands in a mail, unfolded.
fn header(raw: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8(raw.to_vec()).unwrap().replace("\r\n ", " ");
    let head = text.split("\r\n\r\n").next().unwrap();
    head.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(": ")?.to_owned()))
}

#[test]
fn a_letter_is_the_same_bytes_every_time_and_says_that_a_machine_wrote_it() {
    let raw = letter().render().unwrap();
    assert_eq!(raw, letter().render().unwrap());
    // Computed apart from this program.
    let id = "<b14f547a40133d91de6a4e69230fd4af@example.net>";
    for (name, value) in [
        ("From", "Estafette <post@example.net>"),
        ("To", "ney@example.org"),
        ("Subject", "[moravia-7/french/k3x9q2m4w7r5t8v6b2n4c5z7aa] Turn 1: your movement"),
        ("Message-ID", id),
        ("In-Reply-To", "<two@x>"),
        ("References", "<one@x> <two@x>"),
        ("Date", "Thu, 01 Jan 2026 00:00:00 +0000"),
        ("Auto-Submitted", "auto-generated"),
        ("X-Loop", "post@example.net"),
        ("Content-Transfer-Encoding", "7bit"),
    ] {
        assert_eq!(header(&raw, name).as_deref(), Some(value), "{name}");
    }
    let body = "\r\n\r\n  2650 ==== 2549\r\n  A & B <c>\r\n";
    assert!(String::from_utf8(raw.clone()).unwrap().ends_with(body));
    assert_eq!(raw.iter().filter(|&&byte| byte == b'\n').count(), raw.windows(2).filter(|w| w == b"\r\n").count());
    assert!(read(&raw, &Limits::default()).unwrap().head.automatic.is_some());
}

#[test]
fn a_player_at_the_domain_of_the_post_office_is_no_machine() {
    let automatic = |id: &str| {
        let raw = format!("From: ney@post.example.net\r\nSubject: hello\r\nMessage-ID: <{id}>\r\n\r\nEND\r\n");
        read(raw.as_bytes(), &limits()).unwrap().head.automatic
    };
    assert_eq!(automatic("20260101.4711@post.example.net"), None);
    assert!(automatic("0f3a7be2c1d4458899aabbccddeeff00@post.example.net").is_some(), "our own come back");
}

#[test]
fn umlauts_go_as_eight_bits_and_only_overlong_lines_as_base64() {
    let encoding = |text: &str| {
        let raw = Outgoing { text: text.to_owned(), ..letter() }.render().unwrap();
        let parsed = MessageParser::new().parse(&raw).unwrap();
        assert_eq!(parsed.body_text(0).unwrap().replace("\r\n", "\n"), text);
        header(&raw, "Content-Transfer-Encoding").unwrap()
    };
    assert_eq!(encoding("  Göllersdorf ====\n"), "8bit");
    assert_eq!(encoding("plain\n"), "7bit");
    assert_eq!(encoding(&"x".repeat(2_000)), "base64");
}

#[test]
fn both_forms_and_attachments_come_through() {
    let text = "=== a < b & c > d ===\n  Göllersdorf\n";
    let commitments = "0 public 00ff\n".repeat(3).into_bytes();
    let both = Outgoing {
        text: text.into(),
        html: Some(pre(text)),
        attachments: vec![("commitments.txt".into(), "text/plain".into(), commitments.clone())],
        ..letter()
    };
    let raw = both.render().unwrap();
    assert_eq!(raw, both.render().unwrap());
    let parsed = MessageParser::new().parse(&raw).unwrap();
    assert_eq!(parsed.body_text(0).unwrap().replace("\r\n", "\n"), text);
    let html = parsed.body_html(0).unwrap().replace("\r\n", "\n");
    let shown = html.split("<pre>").nth(1).unwrap().split("</pre>").next().unwrap();
    assert_eq!(shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"), text);
    let attached = parsed.attachment(0).unwrap();
    assert_eq!((attached.attachment_name(), attached.contents()), (Some("commitments.txt"), &commitments[..]));
}

#[test]
fn a_letter_cannot_be_made_to_carry_foreign_headers() {
    let raw = Outgoing { subject: "x\r\nBcc: spy@example.org\r\n\r\nbody".into(), ..letter() }.render().unwrap();
    assert_eq!(header(&raw, "Bcc"), None);
    assert!(String::from_utf8(raw).unwrap().ends_with("<c>\r\n"));
    let wrong = Outgoing { attachments: vec![("a".into(), "nonsense".into(), Vec::new())], ..letter() };
    let why: WriteError = wrong.render().unwrap_err();
    assert!(why.to_string().contains("nonsense"), "{why}");
    // What else was written there before its types forbade it.
    assert!(Address::parse("a@b.example\r\nBcc: c@d.example").is_err() && Address::parse("nobody").is_err());
    assert_eq!([MessageId::parse("a b@c"), MessageId::parse("a>\r\nX: <b")], [None, None]);
}

#[test]
fn message_ids_differ_by_all_they_are_made_of() {
    let id = |key: u8, game: &str, seat: &str, number| message_id(&[key; 32], game, seat, number, "example.net");
    let all = [id(1, "a", "b", 1), id(2, "a", "b", 1), id(1, "c", "b", 1), id(1, "a", "c", 1), id(1, "a", "b", 2)];
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    assert!(all.iter().all(|id| id.as_str().len() == 32 + "@example.net".len()));
}

#[test]
fn only_the_trusted_server_proves_a_sender() {
    let sender = &address("ney@mail.example.org");
    let table = [
        (Some("mx.me; dmarc=pass header.from=mail.example.org"), Ok(())),
        (Some("MX.ME 1; spf=fail; dkim=pass (2048 bit) header.d=example.org header.s=s1"), Ok(())),
        (Some("mx.me; dkim=pass header.i=@mail.example.org; dmarc=none"), Ok(())),
        (Some("mx.me; spf=pass smtp.mailfrom=ney@mail.example.org"), Ok(())),
        (Some("mx.me; dkim=pass header.d=example.org header.i=@news.example.org header.s=s1"), Ok(())),
        // A domain that signs for itself may write any identity beside it.
        (Some("mx.me; dkim=pass header.i=ney@mail.example.org header.d=evil.example"), Err(Distrust::Unproved)),
        (Some("mx.me; dkim=pass header.d=evil.example header.i=@mail.example.org"), Err(Distrust::Unproved)),
        (Some("mx.me; dkim=pass header.d=example.org header.i=@evil.example"), Err(Distrust::Unproved)),
        (Some("mx.me; dkim=pass header.d=example.org header.d=evil.example"), Err(Distrust::Unproved)),
        (Some("mx.me; spf=pass smtp.mailfrom=example.org smtp.mailfrom=evil.example"), Err(Distrust::Unproved)),
        (Some("mx.me; dmarc=pass header.from=mail.example.org header.from=evil.example"), Err(Distrust::Unproved)),
        (Some("mx.me 2; dmarc=pass header.from=mail.example.org"), Err(Distrust::Version)),
        (Some("mx.me 1 1; dmarc=pass header.from=mail.example.org"), Err(Distrust::Version)),
        (Some("mx.me x; dmarc=pass header.from=mail.example.org"), Err(Distrust::Version)),
        (None, Err(Distrust::Missing)),
        (Some(""), Err(Distrust::Foreign)),
        (Some("other.me; dmarc=pass header.from=mail.example.org"), Err(Distrust::Foreign)),
        (Some("mx.me; none"), Err(Distrust::Unproved)),
        (Some("mx.me; dkim=pass header.d=evil.example"), Err(Distrust::Unproved)),
        (Some("mx.me; dkim=pass header.d=org"), Err(Distrust::Unproved)),
        (Some("mx.me; dkim=pass header.d=ample.org"), Err(Distrust::Unproved)),
        (Some("mx.me; dkim=pass header.d=a.mail.example.org"), Err(Distrust::Unproved)),
        (
            Some("mx.me; dkim=pass header.d=example.org; dmarc=fail header.from=mail.example.org"),
            Err(Distrust::Unproved),
        ),
        (Some("mx.me; dkim=fail (dkim=pass header.d=example.org)"), Err(Distrust::Unproved)),
        (Some("mx.me; dkim=fail reason=\"; dkim=pass header.d=example.org\""), Err(Distrust::Unproved)),
        (Some("mx.me; spf=pass smtp.helo=mail.example.org"), Err(Distrust::Unproved)),
    ];
    for (results, expected) in table {
        assert_eq!(check(results, "mx.me", sender), expected, "{results:?}");
    }
}

#[test]
fn the_maildir_hands_out_mails_in_order_until_they_are_handled() {
    let dir = tempfile::tempdir().unwrap();
    let mut post = Maildir::open(dir.path()).unwrap();
    let keys: Vec<String> = ["one", "two", "three"].iter().map(|body| post.deliver(body.as_bytes()).unwrap()).collect();
    for junk in ["in/new/.hidden", "in/tmp/half", "in/new/0.reason"] {
        std::fs::write(dir.path().join(junk), "junk").unwrap();
    }
    std::fs::create_dir(dir.path().join("in/new/folder")).unwrap();
    let waiting = |post: &mut Maildir, most| -> Vec<(String, Vec<u8>)> {
        post.fetch(most).unwrap().into_iter().map(|mail| (mail.key, mail.raw)).collect()
    };
    let mail = |at: usize, body: &str| (keys[at].clone(), body.as_bytes().to_vec());
    assert_eq!(waiting(&mut post, 9), [mail(0, "one"), mail(1, "two"), mail(2, "three")]);
    assert_eq!(waiting(&mut post, 2), [mail(0, "one"), mail(1, "two")]);
    post.handled(&keys[0]).unwrap();
    post.handled(&keys[0]).unwrap();
    post.quarantine(&keys[1], "The mail is broken.").unwrap();
    post.quarantine(&keys[1], "Said twice.").unwrap();
    // Another process, which has seen nothing yet, goes on numbering after all of them.
    let mut again = Maildir::open(dir.path()).unwrap();
    let last = again.deliver(b"four").unwrap();
    assert!(keys.iter().all(|key| *key < last), "{last} comes after {keys:?}");
    assert_eq!(waiting(&mut again, 9), [mail(2, "three"), (last, b"four".to_vec())]);
    let bad = dir.path().join("bad");
    assert_eq!(std::fs::read(bad.join(&keys[1])).unwrap(), b"two");
    assert_eq!(std::fs::read_to_string(bad.join(format!("{}.reason", keys[1]))).unwrap(), "The mail is broken.\n");
    assert!(matches!(post.handled("../../etc"), Err(MailError::BadKey { .. })));
}

#[test]
fn the_maildir_sends_each_message_id_once_and_keeps_the_order() {
    let dir = tempfile::tempdir().unwrap();
    let mut post = Maildir::open(dir.path()).unwrap();
    for number in [2, 10, 1] {
        post.send(&parcel(number, 0, &format!("{number}@x"), format!("mail {number}").as_bytes())).unwrap();
    }
    post.send(&parcel(2, 0, "2@x", b"mail 2")).unwrap();
    let mut again = Maildir::open(dir.path()).unwrap();
    again.send(&parcel(10, 0, "10@x", b"mail 10")).unwrap();
    again.send(&parcel(11, 0, "10@x", b"mail 10")).unwrap();
    assert_eq!(again.sent().unwrap(), [b"mail 1".to_vec(), b"mail 2".to_vec(), b"mail 10".to_vec()]);
    // A mail program that reads `out` moves what it has seen.
    let new = dir.path().join("out/new");
    let name = std::fs::read_dir(&new).unwrap().next().unwrap().unwrap().file_name().into_string().unwrap();
    std::fs::rename(new.join(&name), dir.path().join(format!("out/cur/{name}:2,S"))).unwrap();
    let mut third = Maildir::open(dir.path()).unwrap();
    for number in [1, 2, 10] {
        third.send(&parcel(number, 0, &format!("{number}@x"), b"again")).unwrap();
    }
    assert_eq!(third.sent().unwrap().len(), 2);
    assert_eq!(std::fs::read_dir(dir.path().join("out/tmp")).unwrap().count(), 0);
    // Asked for again, it goes out again, once for each time that it is asked for.
    for again in [1, 1, 2] {
        third.send(&parcel(2, again, "2@x", b"mail 2")).unwrap();
    }
    assert_eq!(Maildir::open(dir.path()).unwrap().sent().unwrap().len(), 4);
    Maildir::open(dir.path()).unwrap().send(&parcel(2, 2, "2@x", b"mail 2")).unwrap();
    assert_eq!(third.sent().unwrap().len(), 4);
}

fn parcel<'a>(number: u64, again: u32, message_id: &'a str, raw: &'a [u8]) -> Parcel<'a> {
    Parcel { number, again, message_id, to: "a@b", raw }
}

#[test]
fn a_maildir_fault_names_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let mut post = Maildir::open(dir.path()).unwrap();
    std::fs::remove_dir_all(dir.path().join("in/new")).unwrap();
    let why = post.fetch(1).unwrap_err();
    assert!(why.to_string().contains("in/new"), "{why}");
    assert!(!why.is_lasting());
    std::fs::write(dir.path().join("file"), "").unwrap();
    let why = Maildir::open(&dir.path().join("file")).unwrap_err();
    assert!(why.to_string().contains("file"), "{why}");
}

/// The longest quoted line may be the last one; the empty line below it is no end of it.
#[test]
fn an_empty_line_below_the_widest_quoted_one_is_not_broken_off() {
    let raw = mail(
        "",
        "END\n\nOn Fri, 21 Nov 2025 at 20:01, Estafette <estafette@post.example.net> wrote:\n> Now\n\
         >   1  Weather: Fair.  A die of 2 after dry weather. [70, table]\n\nBest wishes\n",
    );
    assert_eq!(read(&raw, &limits()).unwrap().script, ["END", "", "Best wishes"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::gateway::commands::cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_read_or_refused(raw in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let _ = read(&raw, &limits());
    }

    #[test]
    fn mutated_mails_are_read_or_refused(
        pick in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        cut in any::<prop::sample::Index>(),
        join in any::<prop::sample::Index>(),
    ) {
        let corpus = corpus();
        let mut raw = corpus[pick.index(corpus.len())].1.clone();
        for (at, byte) in changes {
            let at = at.index(raw.len());
            raw[at] = byte;
        }
        raw.truncate(cut.index(raw.len()) + 1);
        let tail = &corpus[other.index(corpus.len())].1;
        raw.extend_from_slice(&tail[join.index(tail.len())..]);
        if let Ok(incoming) = read(&raw, &limits()) {
            // What is given on is clean whatever came in.
            prop_assert!(incoming.text.chars().all(|c| c == '\n' || !c.is_control()));
            prop_assert!(incoming.script.iter().all(|line| !line.contains('\n') && line.trim() == line));
        }
    }

    #[test]
    fn random_html_is_made_plain(html in "(<[a-z/!-]{0,6}[ a-z\"'=]{0,8}>?|[a-z &;#0-9]{0,9}|\n|é){0,60}") {
        let raw = mail("Content-Type: text/html; charset=utf-8\n", &html);
        let _ = read(&raw, &limits());
    }
}

/// The sign for what cannot be read may have been sent as such: it makes no other charset of a mail.
#[test]
fn a_sign_for_what_cannot_be_read_leaves_the_rest_as_it_was_sent() {
    for kind in ["Content-Type: text/plain; charset=utf-8\n", "Content-Type: text/plain\n", ""] {
        let read = read(&mail(kind, "March to Br\u{fc}nn \u{fffd}\n"), &limits()).unwrap();
        assert!(read.text.contains("March to Br\u{fc}nn"), "{kind}: {}", read.text);
    }
}

#[test]
fn what_a_mail_has_too_much_of_is_counted_before_it_is_parsed() {
    let head = "From: a@b.example\nSubject: hi\nMIME-Version: 1.0\n";
    let parts = "--a\na:\n\n".repeat(2000);
    for kind in ["boundary=a", "boundary=\"a\"", "BOUNDARY = a", "boundary*0=a"] {
        let raw = format!("{head}Content-Type: multipart/mixed; {kind}\n\n{parts}");
        let unread = read(raw.as_bytes(), &Limits::default()).unwrap_err();
        assert_eq!(unread.reason, Reason::TooLarge { what: "parts", found: 2000, most: 100 }, "{kind}");
        assert_eq!(unread.head.from.as_ref().map(|from| from.as_str()), Some("a@b.example"));
    }
    let fields = format!("{head}{}\nEND\n", "a:\n".repeat(3000));
    let unread = read(fields.as_bytes(), &Limits::default()).unwrap_err();
    assert_eq!(unread.reason, Reason::TooLarge { what: "header lines", found: 3003, most: 500 });
    assert_eq!(unread.head.subject, "hi");
    // A person's lines that begin with dashes are no parts.
    let dashes = format!("{head}Content-Type: text/plain\n\n{}END\n", "--a\n".repeat(2000));
    assert!(read(dashes.as_bytes(), &Limits::default()).is_ok());
}

#[test]
fn mails_put_aside_are_forgotten_after_their_time_and_above_their_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let mut maildir = Maildir::open(dir.path()).unwrap();
    let bad = || std::fs::read_dir(dir.path().join("bad")).unwrap().count();
    for n in 0..4_u8 {
        let key = maildir.deliver(&[n; 1000]).unwrap();
        maildir.quarantine(&key, "too large").unwrap();
    }
    assert_eq!(bad(), 8, "each with its reason");
    let long_ago: jiff::Timestamp = "2020-01-01T00:00:00Z".parse().unwrap();
    maildir.forget(long_ago, 4000).unwrap();
    assert_eq!(bad(), 8);
    maildir.forget(long_ago, 2500).unwrap();
    assert_eq!(bad(), 4, "the oldest go first");
    assert!(dir.path().join("bad/000000000004.estafette").exists());
    maildir.forget("2200-01-01T00:00:00Z".parse().unwrap(), 4000).unwrap();
    assert_eq!(bad(), 0);
}

#[test]
fn an_address_with_a_detail_is_its_owners() {
    let address = |text: &str| Address::parse(text).unwrap();
    let post = address("post@example.org");
    assert!(address("post+x@example.org").is_of(&post) && address("Post@example.org").is_of(&post));
    assert!(!address("post@example.net").is_of(&post) && !address("poster@example.org").is_of(&post));
}

//! What bad input gets: an answer or a quarantine with a reason, never a crash, never a change. Raw bytes of mails into
//! the mailbox of a running game, and the database on the disk.

use super::bench::{Bench, Mail, teaching, to};
use estafette::mail::tag::ReplyTag;
use rusqlite::Connection;
use rusqlite::types::Value;

/// A game on the French player's first sheet.
fn strem() -> Bench {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nEND");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\nEND");
    bench
}

/// All of the game that a mail could change: events, sightings, dice, what is due, hidden pieces, seats. That a line was
/// read, and how it was answered, is written down.
fn state(bench: &Bench) -> Vec<String> {
    let store = &bench.office.store;
    let db = Connection::open(bench.dir.path().join("estafette.db")).unwrap();
    // Not where they stand in the chain: lines of the post come between.
    let log = store.log("strem-1", 1).unwrap().into_iter();
    let happened = log.filter(|entry| ["event", "sight", "roll"].contains(&entry.kind.as_str()));
    let mut all: Vec<String> = happened.map(|entry| format!("{} {} {}", entry.slot, entry.kind, entry.body)).collect();
    for sql in [
        "SELECT * FROM organization_display",
        "SELECT * FROM vedettes",
        "SELECT * FROM intel",
        "SELECT seat, signed_on, nonce FROM seats",
    ] {
        let mut rows = db.prepare(sql).unwrap();
        let columns = rows.column_count();
        let mut found = rows.query(()).unwrap();
        while let Some(row) = found.next().unwrap() {
            let values: Vec<Value> = (0..columns).map(|at| row.get(at).unwrap()).collect();
            all.push(format!("{values:?}"));
        }
    }
    all.sort();
    assert!(all.len() > 60, "{}", all.len());
    all.push(format!("{:?}", store.dues("strem-1").unwrap()));
    all
}

/// What has become of the last mail that came in, and why.
fn fate(bench: &Bench) -> (String, String) {
    let db = Connection::open(bench.dir.path().join("estafette.db")).unwrap();
    let sql = "SELECT state, coalesce(reason, '') FROM inbox ORDER BY id DESC LIMIT 1";
    db.query_row(sql, (), |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
}

/// The head of a mail from a seat that answers its last one.
fn head(bench: &Bench, seat: &str, more: &str) -> Vec<u8> {
    let tag = bench.last_to(&format!("{seat}@example.org")).subject;
    format!("From: {seat}@example.org\r\nTo: post@example.org\r\nSubject: Re: {tag}\r\n{more}\r\n").into_bytes()
}

/// A mail of the French seat with these further head lines and this body; what is sent because of it.
fn sent(bench: &mut Bench, more: &str, body: &[u8]) -> Vec<Mail> {
    let mut raw = head(bench, "french", more);
    raw.extend_from_slice(body);
    deliver(bench, &raw)
}

/// Delivers raw bytes; nothing of the game may change by them.
fn deliver(bench: &mut Bench, raw: &[u8]) -> Vec<Mail> {
    let before = state(bench);
    bench.deliver(raw);
    let mails = bench.pass();
    assert_eq!(state(bench), before);
    assert_eq!(bench.office.store.integrity().unwrap(), Vec::<String>::new());
    mails
}

/// One answer to the French seat, with these words in it.
fn answered(mails: &[Mail], words: &[&str]) {
    assert_eq!((mails.len(), to(mails, "french").len()), (1, 1), "{mails:#?}");
    for word in words {
        assert!(mails[0].text.contains(word), "{word} in {}", mails[0].text);
    }
}

const ID: &str = "Message-ID: <bad@players.example>\r\n";
const NO_LINE: &str = "Your mail holds no line of your own";

#[test]
fn a_mail_without_orders_is_told_so() {
    let mut bench = strem();
    let mails = sent(&mut bench, ID, b"\r\n-- \r\nMichel Ney\r\n");
    answered(&mails, &[NO_LINE]);
    assert_eq!(fate(&bench).0, "done");
    let mut bench = strem();
    answered(&sent(&mut bench, ID, b"# only a remark\r\n"), &[NO_LINE]);
}

#[test]
fn a_mail_of_prose_is_answered_line_by_line() {
    let mut bench = strem();
    let mails = sent(&mut bench, ID, b"Dear umpire,\r\nI shall be late.\r\nBest wishes\r\n");
    answered(&mails, &["Dear umpire,", "PASSED OVER", "I shall be late."]);
}

#[test]
fn quotes_alone_are_no_orders() {
    let mut bench = strem();
    let report = bench.last_to("french@example.org").text;
    let quoted: String = report.lines().map(|line| format!("> {line}\r\n")).collect();
    let mails = sent(&mut bench, ID, format!("On Thu, post@example.org wrote:\r\n{quoted}").as_bytes());
    answered(&mails, &[NO_LINE]);
    // The whole report back, with no mark of a quote.
    let mails = sent(&mut bench, "Message-ID: <bad2@players.example>\r\n", report.replace('\n', "\r\n").as_bytes());
    answered(&mails, &[NO_LINE]);
}

#[test]
fn html_alone_is_read() {
    let mut bench = strem();
    let html = format!("{ID}Content-Type: text/html; charset=utf-8\r\n");
    let mails =
        sent(&mut bench, &html, b"<html><style>END</style><p>HIST<b>ORY</b></p><div>gallop &amp; trot</div></html>");
    answered(&mails, &["HISTORY", "DONE", "gallop & trot", "PASSED OVER"]);
    let mut bench = strem();
    answered(&sent(&mut bench, &html, b"<html><img src='cid:x'></html>"), &["Nothing was done"]);
    let (state, reason) = fate(&bench);
    assert!(state == "quarantined" && !reason.is_empty(), "{state} {reason}");
}

#[test]
fn an_attachment_alone_is_put_aside_with_the_reason() {
    let mut bench = strem();
    let more = format!("{ID}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n");
    let body = b"--b\r\nContent-Type: application/pdf; name=orders.pdf\r\nContent-Disposition: attachment; \
        filename=orders.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nRU5E\r\n--b--\r\n";
    answered(&sent(&mut bench, &more, body), &["only attachments", "Nothing was done"]);
    let (state, reason) = fate(&bench);
    assert!(state == "quarantined" && reason.contains("only attachments"), "{state} {reason}");
}

#[test]
fn five_megabytes_of_text_are_put_aside_and_not_kept_whole() {
    let mut bench = strem();
    let body = "FORCE Lannes HOLD\r\n".repeat(5_000_000 / 19 + 1);
    let bytes = head(&bench, "french", ID).len() + body.len();
    answered(
        &sent(&mut bench, ID, body.as_bytes()),
        &["too large", &format!("it has {bytes} bytes"), "4194304", "Nothing was done"],
    );
    let (state, reason) = fate(&bench);
    assert!(state == "quarantined" && reason.contains("too large"), "{state} {reason}");
    let kept = bench.office.store.last_from_seat("strem-1", "french").unwrap().unwrap();
    assert!(kept.raw.len() <= (4 << 20) + 1, "{}", kept.raw.len());
    // Below the limit of bytes, above that of text.
    let mails = sent(&mut bench, "Message-ID: <bad2@players.example>\r\n", &body.as_bytes()[..2_000_000]);
    answered(&mails, &["too large", "Nothing was done"]);
}

#[test]
fn broken_mime_is_read_as_far_as_it_goes_or_put_aside() {
    let broken: [(&str, &[u8]); 5] = [
        ("Content-Type: multipart/mixed; boundary=b\r\n", b"--b\r\nContent-Type: text/plain\r\n\r\ngallop\r\n"),
        ("Content-Type: multipart/mixed; boundary=never\r\n", b"gallop\r\n"),
        ("Content-Type: multipart/mixed\r\n", b"--b\r\n\r\ngallop\r\n--b--\r\n"),
        ("Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n", b"%%% no base64 at all \xff\xfe\r\n"),
        ("Content-Type: ;;;=\"\r\nContent-Transfer-Encoding: x-unheard-of\r\n", b"gallop\r\n"),
    ];
    for (more, body) in broken {
        let mut bench = strem();
        let mails = sent(&mut bench, &format!("{ID}{more}"), body);
        assert_eq!((mails.len(), to(&mails, "french").len()), (1, 1), "{more}: {mails:#?}");
        let (state, reason) = fate(&bench);
        let told = mails[0].text.contains("gallop") && state == "done";
        let aside = mails[0].text.contains("Nothing was done") && state == "quarantined" && !reason.is_empty();
        let empty = mails[0].text.contains(NO_LINE) && state == "done";
        assert!(told || aside || empty, "{more}: {state} {reason}\n{}", mails[0].text);
    }
    // What is no mail at all is nobody's: put aside, and nobody is written to.
    for raw in [&b"\xff\xfe\x00\x01"[..], b"no head\n", b"\r\n\r\n", b"From\r\n: x\r\n\r\nEND\r\n"] {
        let mut bench = strem();
        assert_eq!(deliver(&mut bench, raw), [], "{raw:?}");
        let (state, reason) = fate(&bench);
        assert!(
            ["quarantined", "refused"].contains(&state.as_str()) && !reason.is_empty(),
            "{raw:?}: {state} {reason}"
        );
    }
}

#[test]
fn a_mail_without_message_id_is_known_by_its_bytes() {
    let mut bench = strem();
    let raw = [head(&bench, "french", ""), b"HISTORY\r\n".to_vec()].concat();
    answered(&deliver(&mut bench, &raw), &["HISTORY", "DONE"]);
    assert_eq!(deliver(&mut bench, &raw), [], "the same bytes are the same mail");
    let raw = [head(&bench, "french", ""), b"HISTORY\r\n".to_vec()].concat();
    answered(&deliver(&mut bench, &raw), &["HISTORY", "DONE"]);
}

#[test]
fn a_wrong_charset_changes_no_order() {
    let cases: [(&str, &[u8], &str); 4] = [
        // Latin-1 that says it is UTF-8, and the other way round.
        ("utf-8", b"FORCE M\xfcller HALT\r\n", "NOT TAKEN"),
        ("iso-8859-1", "FORCE Müller HALT\r\n".as_bytes(), "NOT TAKEN"),
        ("x-klingon", b"HISTORY\r\n", "DONE"),
        ("utf-16", b"HISTORY\r\n", ""),
    ];
    for (charset, body, word) in cases {
        let mut bench = strem();
        let mails = sent(&mut bench, &format!("{ID}Content-Type: text/plain; charset={charset}\r\n"), body);
        answered(&mails, &[word]);
    }
}

#[test]
fn nul_bytes_are_no_crash() {
    let mut bench = strem();
    answered(&sent(&mut bench, ID, b"HIS\0TORY\r\n\0\0\0\r\nMAP\0\r\n"), &["estafette mail"]);
    let more = "Message-ID: <nul\0@players.example>\r\nX-Nul: \0\0\r\n";
    answered(&sent(&mut bench, more, b"HISTORY\r\n"), &["HISTORY", "DONE"]);
}

/// What a stranger is told: the whole text of one neutral mail.
fn neutral(bench: &mut Bench, from: &str, subject: &str) -> String {
    let id = format!("{}@players.example", from.replace('@', "."));
    let raw = format!("From: {from}\r\nSubject: {subject}\r\nMessage-ID: <{id}>\r\n\r\nRESIGN YES\r\nEND\r\n");
    let mails = deliver(bench, raw.as_bytes());
    let told: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    // A good tag from elsewhere is told to the seat's own address; its sender learns nothing more than any stranger.
    let (state, _) = fate(bench);
    match state.as_str() {
        "refused" => assert_eq!(told, [from], "{subject}"),
        _ => {
            let tag = ReplyTag::find(subject).unwrap();
            let holder = bench.office.store.tag_holder(&tag.secret).unwrap().unwrap();
            let owner = format!("{}@example.org", holder.seat);
            let owner = owner.as_str();
            assert_eq!((state.as_str(), told), ("quarantined", vec![from, owner]), "{subject}");
        }
    }
    let mail = &mails[0];
    let said = format!("{}\n{}", mail.subject, mail.text).to_lowercase();
    for secret in ["strem", "french", "coalition", "campaigns", "waldeck", "lannes", "[", "umpire"] {
        assert!(!said.contains(secret), "{secret} in {said}");
    }
    format!("{}\n{}", mail.subject, mail.text)
}

#[test]
fn unknown_games_foreign_tags_and_strangers_all_get_the_same_neutral_answer() {
    let mut bench = strem();
    let last = bench.last_to("french@example.org");
    let (french, coalition) = (last.subject.clone(), bench.last_to("coalition@example.org").subject);
    let wanted = neutral(&mut bench, "eve@example.org", "hello");
    let secret = last.secret();
    let cases = [
        // An enemy's tag from one's own address.
        ("french@example.org", coalition.clone()),
        // One's own tag from elsewhere.
        ("ney@example.net", french.clone()),
        ("coalition@example.org", french.replace("strem-1", "strem-2").replace(['[', ']'], "")),
        ("bagration@example.net", format!("[nowhere-9/french/{secret}]")),
        ("kutuzov@example.net", format!("[strem-1/coalition/{secret}]")),
        ("soult@example.net", "[strem-1/french/aaaaaaaaaaaaaaaaaaaaaaaaaa]".to_owned()),
        ("murat@example.net", "Turn 1 - strem-1 [aaaa-aaaa-aaaa]".to_owned()),
    ];
    for (from, subject) in cases {
        assert_eq!(neutral(&mut bench, from, &subject), wanted, "{from} {subject}");
    }
    // And only once a day.
    let raw = "From: eve@example.org\r\nSubject: again\r\nMessage-ID: <2@players.example>\r\n\r\nhello\r\n";
    assert_eq!(deliver(&mut bench, raw.as_bytes()), []);
    // Whoever had a neutral answer today is still answered as a player.
    let mails = sent(&mut bench, ID, b"HISTORY\r\n");
    answered(&mails, &["HISTORY", "DONE"]);
}

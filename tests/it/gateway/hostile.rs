//! People who lie about who they are, machines that answer machines, and noise: nothing of it moves a game.

use super::bench::{Bench, CONFIG, Mail, to, written};
use estafette::store::InboxState;

const SERVER: &str = "mx.example.net";

/// A game of two, where a mail server vouches for senders if `vouching`.
fn begun(vouching: bool) -> Bench {
    let more = if vouching { format!("trusted_authserv_id = \"{SERVER}\"\n") } else { String::new() };
    let mut bench = Bench::with_config(&format!("{CONFIG}{more}"));
    bench.new_game("toy-7", "toy-fellows", true);
    bench.pass();
    for seat in ["french", "coalition"] {
        let subject = bench.last_to(&format!("{seat}@example.org")).subject;
        let raw = proved(&written(&format!("{seat}@example.org"), &subject, "SIGNON\n", 0), seat);
        bench.deliver(raw.replace("<m0@", &format!("<signon-{seat}@")).as_bytes());
        bench.pass();
    }
    bench
}

/// With the verdict that an honest mail gets.
fn proved(raw: &str, seat: &str) -> String {
    format!("Authentication-Results: {SERVER}; dmarc=pass header.from=example.org; x={seat}\r\n{raw}")
}

/// What would show that a mail was acted on: the chain, the desks, and what the inbox says of it.
fn acted(bench: &mut Bench, raw: &str) -> (bool, Vec<Mail>) {
    let before = bench.office.store.log_head("toy-7").unwrap();
    let forms = bench.office.store.seats("toy-7").unwrap();
    bench.deliver(raw.as_bytes());
    let mails = bench.pass();
    let same_seats = |a: &[estafette::store::Seat], b: &[estafette::store::Seat]| {
        a.iter().zip(b).all(|(a, b)| (&a.format, &a.addresses) == (&b.format, &b.addresses))
    };
    let log = bench.office.store.log("toy-7", before.seq + 1).unwrap();
    let moved = log.iter().any(|entry| entry.kind != "post.mail" || entry.body.contains("\"direction\":\"in\""));
    (moved || !same_seats(&forms, &bench.office.store.seats("toy-7").unwrap()), mails)
}

/// Kinds of lies: a name, and the mail as its liar writes it. The liar knows what `tag` says he knows.
fn lies(bench: &Bench) -> Vec<(&'static str, String)> {
    let french = bench.last_to("french@example.org").subject;
    let coalition = bench.last_to("coalition@example.org").subject;
    let umpire = bench.last_to("umpire@example.org").subject;
    let secret = bench.last_to("french@example.org").secret();
    let own = "french@example.org";
    let body = "FORMAT 40\nRESIGN\nADDRESS eve@example.org\nFIRST YES\nEND\n";
    let from = |from: &str, subject: &str| written(from, subject, body, 0);
    let head = |header: &str, raw: String| format!("{header}\r\n{raw}");
    let with = |secret: &str| format!("Turn 1: x - toy-7 [{secret}]");
    let old = |secret: &str| format!("[toy-7/french/{secret}] x");
    let swapped: String = secret.chars().rev().collect();
    vec![
        ("no tag", from(own, "orders")),
        ("an empty subject", from(own, "")),
        ("a tag without secret", from(own, "[toy-7/french/] x")),
        ("a made-up secret", from(own, &with("aaaa-aaaa-aaaa"))),
        ("a made-up secret of the first release", from(own, &old(&"a".repeat(26)))),
        ("the secret cut short", from(own, &with(&secret[..11]))),
        ("the secret and one letter more", from(own, &with(&format!("{secret}a")))),
        ("the secret backwards", from(own, &with(&swapped))),
        ("a secret of wildcards", from(own, &with("%%%%-%%%%-%%%%"))),
        ("wildcards of the first release", from(own, &old("%%%%%%%%%%%%%%%%%%%%%%%%%%"))),
        ("a secret with SQL in it", from(own, &with("aaaaaa' OR '1'='1"))),
        ("the digest of the secret", from(own, &with(&estafette::mail::tag::hash(&secret)))),
        ("the digest of the secret, cut", from(own, &with(&estafette::mail::tag::hash(&secret)[..64]))),
        ("the secret under another seat", from(own, &format!("[toy-7/coalition/{secret}] x"))),
        ("the secret under the umpire's seat", from("umpire@example.org", &format!("[toy-7/umpire/{secret}] x"))),
        ("the secret under another game", from(own, &format!("[toy-8/french/{secret}] x"))),
        ("the game's name with a blank sheet", from(own, "[toy-7//] x")),
        ("the enemy's tag from one's own address", from(own, &coalition)),
        ("the umpire's tag from a player", from(own, &umpire)),
        ("the tag from a stranger", from("eve@example.org", &french)),
        ("the tag from the enemy", from("coalition@example.org", &french)),
        ("the address as a display name", from("\"french@example.org\" <eve@example.org>", &french)),
        ("the address as a comment", from("eve@example.org (french@example.org)", &french)),
        ("the address with a letter of another script", from("frеnch@example.org", &french)),
        ("the address at a longer domain", from("french@example.org.evil.example", &french)),
        ("the address at a lower domain", from("french@mail.example.org", &french)),
        ("the address with a detail", from("french+x@example.org", &french)),
        ("the address with a trailing dot", from("french@example.org.", &french)),
        ("the address percent-routed", from("french%example.org@evil.example", &french)),
        ("the address by a source route", from("<@example.org:eve@evil.example>", &french)),
        ("two senders in one From", from("french@example.org, eve@example.org", &french)),
        ("two senders the other way round", from("eve@example.org, french@example.org", &french)),
        ("two From headers", head("From: eve@example.org", from(own, &french))),
        (
            "two From headers the other way round",
            from(own, &french).replace("\r\nTo:", "\r\nFrom: eve@evil.example\r\nTo:"),
        ),
        ("no From and a Sender", from(own, &french).replace("From: ", "Sender: ")),
        ("no From and a Reply-To", from(own, &french).replace("From: ", "Reply-To: ")),
        ("a From of a group", from("french@example.org:;", &french)),
        ("a From of a group of one", from("friends: eve@example.org, french@example.org;", &french)),
        ("the good From in the body", written("eve@example.org", &french, &format!("From: {own}\n\n{body}"), 0)),
        ("a From folded over lines", from("eve@example.org,\r\n french@example.org", &french)),
        ("an encoded-word From", from("=?utf-8?q?french=40example=2Eorg?= <eve@example.org>", &french)),
        (
            "a From header with a blank before its colon",
            from(own, &french).replace("From: ", "From : eve@example.org\r\nFrom: "),
        ),
        ("the tag only in the body", written(own, "orders", &format!("Subject: {french}\n{body}"), 0)),
        ("the tag only in In-Reply-To", head(&format!("In-Reply-To: <{secret}@example.org>"), from(own, "orders"))),
        ("a subject of two tags, a false one first", from("eve@example.org", &format!("[bbbb-bbbb-bbbb] {french}"))),
        ("two Subject headers", head(&format!("Subject: {french}"), from("eve@example.org", "x"))),
        ("a From without an address", from("french", &french)),
        ("an empty From", from("", &french)),
        ("an empty path", from("<>", &french)),
        ("a name and an empty path", from("french@example.org <>", &french)),
        ("the address and an empty path", from("\"french@example.org\" <>", &french)),
        ("the address as a name without quotes", from("french@example.org <eve@example.org>", &french)),
        ("the address with words behind it", from("<french@example.org> eve", &french)),
        ("the address with another behind it", from("<french@example.org> <eve@example.org>", &french)),
        ("two addresses without a comma", from("french@example.org eve@example.org", &french)),
        ("a list with nothing behind it", from("french@example.org,", &french)),
        ("a list with nothing before it", from(",french@example.org", &french)),
        ("a list with a name that is none", from("french@example.org, eve", &french)),
        ("a list of the same address twice", from("french@example.org, french@example.org", &french)),
        ("a list with an empty path", from("french@example.org, <>", &french)),
        ("a list with a group", from("french@example.org, friends: eve@example.org;", &french)),
        ("a group of the address", from("friends: french@example.org;", &french)),
        ("a group without an end", from("friends: french@example.org", &french)),
        ("the address and a semicolon", from("french@example.org;", &french)),
        ("a route through the address", from("<@french.example,@example.org:french@example.org>", &french)),
        ("a comment within the local part", from("fre(x)nch@example.org", &french)),
        ("a comment before the at", from("french(x)@example.org", &french)),
        ("a comment within the domain", from("french@example(x).org", &french)),
        ("a comment behind the domain, in brackets", from("<french@example.org(x)>", &french)),
        ("a comment without an end", from("french@example.org (x", &french)),
        ("a quoted name without an end", from("\"x <french@example.org>", &french)),
        ("a quoted local part", from("\"french\"@example.org", &french)),
        ("a quoted local part with a blank", from("\"french \"@example.org", &french)),
        ("a quoted local part with another address in it", from("\"french@example.org\"@evil.example", &french)),
        ("a local part with an escape", from("fr\\ench@example.org", &french)),
        ("an encoded address", from("=?utf-8?q?french=40example=2Eorg?=", &french)),
        ("an encoded local part", from("=?utf-8?q?french?=@example.org", &french)),
        ("an encoded address in brackets", from("<=?utf-8?b?ZnJlbmNoQGV4YW1wbGUub3Jn?=>", &french)),
        ("an encoded domain", from("french@=?utf-8?q?example.org?=", &french)),
        (
            "an encoded name that closes its bracket",
            from("=?utf-8?q?=3Cfrench=40example.org=3E?= <eve@example.org>", &french),
        ),
        ("the address in capitals", from("FRENCH@example.org", &french)),
        ("the address with one capital", from("French@example.org", &french)),
        ("the address in letters of full width", from("\u{ff46}rench@example.org", &french)),
        ("the domain in letters of full width", from("french@\u{ff45}xample.org", &french)),
        ("a Kelvin sign for a letter", from("\u{212a}french@example.org", &french)),
        ("a zero-width space in the local part", from("fr\u{200b}ench@example.org", &french)),
        ("a zero-width joiner in the domain", from("french@exam\u{200d}ple.org", &french)),
        ("a soft hyphen in the domain", from("french@exam\u{ad}ple.org", &french)),
        ("a mark of direction before it", from("\u{202e}french@example.org", &french)),
        ("a byte order mark before it", from("\u{feff}french@example.org", &french)),
        ("a combining accent", from("fre\u{301}nch@example.org", &french)),
        ("an ideographic full stop", from("french@example\u{3002}org", &french)),
        ("a blank before the at", from("french @example.org", &french)),
        ("a blank behind the at", from("french@ example.org", &french)),
        ("a blank in the local part", from("fr ench@example.org", &french)),
        ("a tab in the domain", from("french@exam\tple.org", &french)),
        ("the local part folded", from("fr\r\n ench@example.org", &french)),
        ("the domain folded", from("french@example\r\n .org", &french)),
        ("a NUL behind the address", from("french@example.org\0", &french)),
        ("a NUL before another domain", from("french@example.org\0.evil.example", &french)),
        ("two dots", from("french@example..org", &french)),
        ("a dot before the at", from("french.@example.org", &french)),
        ("two ats", from("french@example.org@evil.example", &french)),
        ("an address literal", from("french@[example.org]", &french)),
        ("a mailto", from("mailto:french@example.org", &french)),
        ("double brackets", from("<<french@example.org>>", &french)),
        ("a bracket that opens only", from("<french@example.org", &french)),
        ("a bracket that closes only", from("french@example.org>", &french)),
        ("no From and a Resent-From", from(own, &french).replace("From: ", "Resent-From: ")),
        ("no From and a Return-Path", from(own, &french).replace("From: ", "Return-Path: ")),
        ("no From and an X-From", from(own, &french).replace("From: ", "X-From: ")),
        ("a From with a blank in its name", from(own, &french).replace("From: ", "Fr om: ")),
        ("a From with a blank before its colon only", from(own, &french).replace("From: ", "From : ")),
        ("a From that continues another field", from(own, &french).replace("From: ", "X-A: b\r\n From: ")),
        ("a From behind a bare carriage return", from(own, &french).replace("From: ", "X-A: b\rFrom: ")),
        ("a From in the line of an mbox", from(own, &french).replace("From: ", "From ")),
        ("a Subject with a blank before its colon", from(own, &french).replace("Subject: ", "Subject : ")),
        (
            "a stranger's tag of another post office",
            from("eve@example.org", "[other-1/french/k3x9q2m4w7r5t8v6b2n4c5z7aa] x"),
        ),
    ]
}

/// Lies that only a mail server's verdict can see through: sender and tag are both right.
fn forged_verdicts(bench: &Bench) -> Vec<(&'static str, String)> {
    let french = bench.last_to("french@example.org").subject;
    let raw = written("french@example.org", &french, "FORMAT 40\nRESIGN\nADDRESS eve@example.org\nEND\n", 0);
    let with = |results: &str| format!("Authentication-Results: {results}\r\n{raw}");
    vec![
        ("no verdict", raw.clone()),
        ("another server's verdict", with("mx.evil.example; dmarc=pass header.from=example.org")),
        ("a server with a longer name", with("mx.example.net.evil.example; dmarc=pass header.from=example.org")),
        (
            "the trusted server's name in a comment",
            with("mx.evil.example (mx.example.net); dmarc=pass header.from=example.org"),
        ),
        (
            "a good verdict below a foreign one",
            format!(
                "Authentication-Results: mx.evil.example; none\r\n{}",
                with("mx.example.net; dmarc=pass header.from=example.org")
            ),
        ),
        ("a verdict of fail", with("mx.example.net; dmarc=fail header.from=example.org")),
        ("a verdict of none", with("mx.example.net; none")),
        ("another domain's DKIM", with("mx.example.net; dkim=pass header.d=evil.example")),
        ("another domain's DMARC", with("mx.example.net; dmarc=pass header.from=evil.example")),
        ("another domain's SPF", with("mx.example.net; spf=pass smtp.mailfrom=eve@evil.example")),
        ("SPF of the greeting only", with("mx.example.net; spf=pass smtp.helo=example.org")),
        ("a whole top-level domain's DKIM", with("mx.example.net; dkim=pass header.d=org")),
        ("DKIM passed in a comment", with("mx.example.net; dkim=fail (dkim=pass header.d=example.org)")),
        ("DKIM passed in a reason", with("mx.example.net; dkim=fail reason=\"; dkim=pass header.d=example.org\"")),
        ("DKIM good and DMARC bad", with("mx.example.net; dkim=pass header.d=example.org; dmarc=fail")),
        (
            "a blank before the colon",
            format!("Authentication-Results : mx.example.net; dmarc=pass header.from=example.org\r\n{raw}"),
        ),
        (
            "a blank in the name",
            format!("Authentication -Results: mx.example.net; dmarc=pass header.from=example.org\r\n{raw}"),
        ),
        (
            "the verdict continues another field",
            format!("X-A: b\r\n Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\r\n{raw}"),
        ),
        (
            "the ARC header of the same sense",
            format!("ARC-Authentication-Results: i=1; mx.example.net; dmarc=pass header.from=example.org\r\n{raw}"),
        ),
        ("a verdict without a server", with("dmarc=pass header.from=example.org")),
        ("a verdict of another case of pass", with("mx.example.net; dmarc=passed header.from=example.org")),
        ("a server in quotes with more", with("\"mx.example.net x\"; dmarc=pass header.from=example.org")),
        ("a domain that only begins so", with("mx.example.net; dmarc=pass header.from=example.org.evil.example")),
        (
            "the old header of the same sense",
            format!("X-Original-Authentication-Results: mx.example.net; dmarc=pass\r\n{raw}"),
        ),
        (
            "the verdict in the body",
            raw.replace(
                "FORMAT",
                "Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\r\nFORMAT",
            ),
        ),
    ]
}

#[test]
fn no_lie_about_the_sender_is_believed_and_none_learns_anything() {
    let (mut count, mut believed) = (0, Vec::new());
    for vouching in [false, true] {
        let mut bench = begun(vouching);
        let mut all = lies(&bench);
        if vouching {
            // The server vouches for the liar's own domain, as it would.
            let own =
                |raw: String| format!("Authentication-Results: {SERVER}; dmarc=pass header.from=example.org\r\n{raw}");
            all = all.into_iter().map(|(name, raw)| (name, own(raw))).collect();
            all.extend(forged_verdicts(&bench));
        }
        for (n, (name, raw)) in all.into_iter().enumerate() {
            count += 1;
            let (moved, mails) = acted(&mut bench, &raw.replace("<m0@", &format!("<lie{n}@")));
            if moved {
                believed.push(name);
            }
            // The seat that a tag names may be asked, at its own address.
            let asked = |mail: &&Mail| {
                let seat = mail.to.split('@').next().unwrap_or_default();
                mail.subject.contains("is held back") && bench.is_of(mail, "toy-7", seat)
            };
            for mail in mails.iter().filter(|mail| !asked(mail)) {
                for word in ["toy-7", "french", "coalition", "fellows", "CONFIRM"] {
                    assert!(!mail.text.contains(word) && !mail.subject.contains(word), "{name}: {word} in {mail:?}");
                }
            }
            // Strangers get one answer a day; the next lie finds a new day.
            bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
        }
    }
    assert_eq!(believed, Vec::<&str>::new(), "are believed");
    assert!(count >= 240, "{count} lies");
}

#[test]
fn the_honest_mail_is_taken_where_a_server_vouches_for_it() {
    let mut bench = begun(true);
    let french = bench.last_to("french@example.org").subject;
    let raw = proved(&written("french@example.org", &french, "DEADLINE\n", 9), "french");
    let (moved, mails) = acted(&mut bench, &raw);
    assert!(moved && to(&mails, "french").len() == 1, "{mails:?}");
}

#[test]
fn a_good_tag_from_another_address_is_held_until_the_seats_own_address_confirms() {
    let mut bench = begun(false);
    let subject = bench.last_to("french@example.org").subject;
    bench.post("eve@example.org", &subject, "FORMAT 40\nDEADLINE\n");
    let mails = bench.pass();
    let asked = to(&mails, "french");
    assert_eq!((mails.len(), asked.len()), (2, 1), "the stranger's neutral answer and the question: {mails:?}");
    assert!(asked[0].text.contains("eve@example.org") && asked[0].text.contains("Nothing was done"));
    let code = asked[0].text.split("CONFIRM ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    // Neither the stranger nor the enemy can confirm it.
    bench.post("eve@example.org", &subject, &format!("CONFIRM {code}\n"));
    bench.pass();
    let refused = bench.reply("coalition", &format!("CONFIRM {code}\n"));
    assert!(to(&refused, "coalition")[0].text.contains("REFUSED"), "{refused:?}");
    let mails = bench.reply("french", &format!("CONFIRM {code}\n"));
    let french = to(&mails, "french");
    assert_eq!(french.len(), 2, "the answer to CONFIRM, and that to the mail: {mails:?}");
    assert!(french[1].text.contains("FORMAT 40") && french[1].text.contains("DEADLINE"), "{french:?}");
    // Once.
    let again = bench.reply("french", &format!("CONFIRM {code}\n"));
    assert!(again.len() == 1 && again[0].text.contains("REFUSED"), "{again:?}");
}

/// Fields of machines' mails.
const MACHINE_FIELDS: [&str; 74] = [
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated",
    "Auto-Submitted: auto-notified; owner-email=\"x@example.org\"",
    "Auto-Submitted: (a comment) auto-replied",
    "Auto-Submitted: (no) auto-replied",
    "Auto-Submitted: AUTO-REPLIED (vacation)",
    "Auto-Submitted:",
    "X-Auto-Submitted: auto-replied",
    "Precedence: bulk",
    "Precedence: junk",
    "Precedence: list",
    "Precedence: auto_reply",
    "Precedence: auto-reply",
    "Precedence: Auto Reply",
    "Precedence: autoreply",
    "X-Precedence: bulk",
    "Return-Path: <>",
    "Return-Path: < >",
    "Return-Path: (none) <>",
    "List-Id: <wargames.example.org>",
    "List-Unsubscribe: <mailto:x@example.org>",
    "List-Post: <mailto:x@example.org>",
    "X-BeenThere: wargames@example.org",
    "X-Mailman-Version: 2.1",
    "Mailing-List: list wargames@example.org",
    "X-Mailing-List: wargames",
    "X-Google-Group-Id: 1234",
    "X-Loop: french@example.org",
    "X-Autoreply: yes",
    "X-Autorespond: away",
    "X-Auto-Reply: yes",
    "X-Auto-Response: yes",
    "X-Autogenerated: Reply",
    "X-Mail-Autoreply: 1",
    "X-Autoreply-From: french@example.org",
    "X-Autoresponder: mailer",
    "X-Autoresponse: 1",
    "X-Vacation: yes",
    "X-Out-Of-Office: yes",
    "X-FC-MachineGenerated: true",
    "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent",
    "X-MS-Exchange-Inbox-Rules-Loop: french@example.org",
    "X-Auto-Response-Suppress: All",
    "X-Auto-Response-Suppress: OOF, AutoReply",
    "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply",
    "X-Failed-Recipients: x@example.org",
    "X-Cron-Env: <SHELL=/bin/sh>",
    "X-Mailer: vacation 1.2",
    "X-RT-Loop-Prevention: example.org",
    "RT-Ticket: example.org #1234",
    "X-Managed-By: RT 5.0 (Request Tracker, by Best Practical)",
    "X-OTRS-Loop: yes",
    "X-Mailer: OTRS Mail Service (6.0)",
    "X-Powered-By: Znuny",
    "X-Zammad-Ticket-Id: 12",
    "X-Mailer: Zendesk Mailer",
    "X-Zendesk-From-Account-Id: 1a2b3c",
    "X-JIRA-FingerPrint: 1a2b3c",
    "X-Atlassian-Mail-Transaction-Id: 1",
    "X-Freshdesk-Ticket: 12",
    "X-ServiceNow-Generated: true",
    "X-HelpScout-Ticket: 12",
    "X-Intercom-Bin: 1",
    "X-Redmine-Issue-Id: 12",
    "X-Bugzilla-Reason: CC",
    "X-GitHub-Reason: mention",
    "X-GitLab-Project: x",
    "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
    "Content-Type: message/disposition-notification",
    "Content-Type: message/delivery-status",
    "Content-Type: message/feedback-report",
    "Feedback-ID: 12345:54321:transactional:SendGrid",
    "Feedback-ID: 3f2a:c1:Mailchimp",
    "X-AMAZON-MAIL-RELAY-TYPE: notification",
];

/// Senders that no person answers for.
const MACHINE_SENDERS: [&str; 25] = [
    "MAILER-DAEMON@example.org",
    "Mail Delivery System <mailer-daemon@example.org>",
    "noreply@example.org",
    "Shop <no-reply@example.org>",
    "do-not-reply@example.org",
    "shop.noreply+12@example.org",
    "postmaster@example.org",
    "root@example.org",
    "Cron Daemon <root@desk.example.org>",
    "bounces+123-french=example.org@relay.example",
    "bounce-12@example.org",
    "owner-wargames@example.org",
    "wargames-owner@example.org",
    "wargames-request@example.org",
    "wargames-bounces@example.org",
    "wargames-bounces+french=example.org@example.org",
    "listserv@example.org",
    "majordomo@example.org",
    "autoreply@example.org",
    "nobody@example.org",
    "notifications@example.org",
    "support@example.org",
    "abuse@example.org",
    "tickets@example.org",
    "Help <service-desk@example.org>",
];

/// Subjects of absence as the usual programs write them, language by language.
const MACHINE_SUBJECTS: [&str; 65] = [
    "Out of Office: {}",
    "Out of Office Re: {}",
    "Out of Office AutoReply: {}",
    "Automatic reply: {}",
    "Auto-Reply: {}",
    "Auto: {}",
    "Autoreply: {}",
    "Vacation reply: {}",
    "OOO: {}",
    "I am out of the office - {}",
    "Undeliverable: {}",
    "Returned mail: {}",
    "Abwesenheitsnotiz: {}",
    "Automatische Antwort: {}",
    "Abwesend: {}",
    "Im Urlaub: {}",
    "Au\u{df}er Haus: {}",
    "Réponse automatique : {}",
    "R\u{c9}PONSE AUTOMATIQUE\u{a0}: {}",
    "Absence du bureau : {}",
    "En vacances - {}",
    "Respuesta automática: {}",
    "Respuesta automatica: {}",
    "Fuera de la oficina: {}",
    "Risposta automatica: {}",
    "Fuori sede: {}",
    "Resposta automática: {}",
    "Fora do escritório: {}",
    "Automatisch antwoord: {}",
    "Afwezigheidsbericht: {}",
    "Niet aanwezig: {}",
    "Odpowiedź automatyczna: {}",
    "Automatyczna odpowiedź: {}",
    "Poza biurem: {}",
    "Автоматический ответ: {}",
    "Автоответ: {}",
    "Нет на работе: {}",
    "Автоматична відповідь: {}",
    "Відсутній: {}",
    "Otomatik yanıt: {}",
    "Ofis Dışında: {}",
    "Răspuns automat: {}",
    "În afara biroului: {}",
    "Automatická odpověď: {}",
    "Automatiskt svar: {}",
    "I am on vacation: {}",
    "부재 중 자동 회신: {}",
    "[Ticket#4711] {}",
    "[#4711] {}",
    "Ticket #4711: {}",
    "[Case: 4711] {}",
    "Thank you for contacting support - {}",
    "自动回复: {}",
    "自动回复：{}",
    "رد تلقائي: {}",
    "\u{200f}رد تلقائي: {}",
    "תשובה אוטומטית: {}",
    "Fraværsmelding: {}",
    "Read: {}",
    "Gelesen: {}",
    "Lu : {}",
    "Not read: {}",
    "Your request #123 has been received",
    "Your request (123) has been received: {}",
    "Ihre Anfrage #4711: {}",
];

/// A subject as it travels: in encoded words, base64, cut where a program would cut it.
fn encoded(subject: &str) -> String {
    let words: Vec<char> = subject.chars().collect();
    let encoded = |part: &[char]| {
        let text: String = part.iter().collect();
        format!("=?UTF-8?B?{}?=", data_encoding::BASE64.encode(text.as_bytes()))
    };
    words.chunks(12).map(encoded).collect::<Vec<_>>().join("\r\n ")
}

#[test]
fn no_kind_of_automatic_mail_is_answered() {
    let mut bench = begun(false);
    let last = bench.last_to("french@example.org");
    let raw = |from: &str, subject: &str| written(from, subject, "I am away until May.\n", 0);
    let re = format!("Re: {}", last.subject);
    let mut kinds: Vec<(String, String)> = Vec::new();
    // As a seat, with its tag and from its address; and as a stranger, who asks for something.
    for (who, from, subject) in [("seat", "french@example.org", re.as_str()), ("stranger", "eve@example.org", "hello")]
    {
        for field in MACHINE_FIELDS {
            kinds.push((format!("{who}: {field}"), format!("{field}\r\n{}", raw(from, subject))));
        }
        for sender in MACHINE_SENDERS {
            kinds.push((format!("{who}: {sender}"), raw(sender, subject)));
            let sent = format!("Sender: {sender}\r\n{}", raw("eve@example.org", subject));
            kinds.push((format!("{who}: Sender: {sender}"), sent));
        }
        for words in MACHINE_SUBJECTS {
            let subject = words.replace("{}", if who == "seat" { &last.subject } else { "your game" });
            kinds.push((format!("{who}: {words}"), raw(from, &subject)));
            kinds.push((format!("{who}: {words}, encoded"), raw(from, &encoded(&subject))));
        }
    }
    kinds.push(("our own mail come back".to_owned(), String::from_utf8(last.raw.clone()).unwrap()));
    kinds.push(("our own address".to_owned(), raw("post@example.org", &last.subject)));
    assert!(kinds.len() >= 300);
    let mut answered = Vec::new();
    for (n, (name, raw)) in kinds.into_iter().enumerate() {
        let (moved, mails) = acted(&mut bench, &raw.replace("<m0@", &format!("<auto{n}@")));
        // Our own address with a tag is asked of nobody but the seat it names.
        let mails: Vec<_> =
            mails.into_iter().filter(|mail| name != "our own address" || mail.to != "french@example.org").collect();
        if moved || !mails.is_empty() {
            answered.push((name, mails.len()));
        }
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
    }
    assert_eq!(answered, []);
}

#[test]
fn a_delay_is_no_loss_and_a_loss_is_seen_by_the_operator() {
    let mut bench = begun(false);
    let last = bench.last_to("french@example.org");
    let report = |action: &str, n: u32| {
        format!(
            "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: post@example.org\r\nSubject: about your mail\r\n\
             Message-ID: <dsn{n}@mx.example>\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\
             Content-Type: text/plain\r\n\r\nSorry.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
             Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; french@example.org\r\nAction: {action}\r\n\
             Status: 4.0.0\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{}>\r\n--b--\r\n",
            last.id
        )
    };
    bench.deliver(report("delayed", 1).as_bytes());
    assert_eq!(bench.pass(), []);
    assert_eq!(bench.office.store.troubled_out(9).unwrap(), []);
    for (n, told) in [(2, 0), (3, 1), (4, 0)] {
        bench.deliver(report("failed", n).as_bytes());
        assert_eq!(to(&bench.pass(), "umpire").len(), told, "the second is told of");
    }
    let seen = bench.office.store.troubled_out(9).unwrap();
    assert_eq!((seen.len(), seen[0].seat.as_deref()), (1, Some("french")));
}

#[test]
fn one_mail_delivered_by_two_ways_is_done_once() {
    let mut bench = begun(false);
    let subject = bench.last_to("french@example.org").subject;
    let raw = written("french@example.org", &subject, "DEADLINE\n", 77);
    bench.deliver(format!("Received: from a.example by b.example\r\n{raw}").as_bytes());
    bench.deliver(
        format!("Received: from c.example by b.example\r\nDelivered-To: post@example.org\r\n{raw}\r\n").as_bytes(),
    );
    assert_eq!(bench.pass().len(), 1);
}

/// Kilobytes of memory that this process holds; 0 where the system does not tell.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0").trim().to_owned();
    line.trim_end_matches(" kB").trim().parse().unwrap_or(0)
}

/// HOSTILE=10000 makes the long run; alone (`cargo test --test it hostile`), it also looks at the memory.
#[test]
fn ten_thousand_hostile_mails_are_answered_or_put_aside_within_the_limits() {
    let wanted: usize = std::env::var("HOSTILE").map_or(600, |n| n.parse().unwrap());
    let mut bench = begun(false);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail");
    let mut corpus: Vec<Vec<u8>> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "eml"))
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    corpus.sort();
    let mut whim = crate::toys::Whim(7);
    for n in 0..wanted {
        let mut raw = corpus[whim.below(corpus.len())].clone();
        for _ in 0..whim.below(30) {
            let at = whim.below(raw.len().max(1));
            if let Some(byte) = raw.get_mut(at) {
                *byte = u8::try_from(whim.below(256)).unwrap();
            }
        }
        if n % 50 == 0 {
            raw = (0..whim.below(4000)).map(|_| u8::try_from(whim.below(256)).unwrap()).collect();
        }
        bench.deliver(&raw);
    }
    let head = bench.office.store.log_head("toy-7").unwrap();
    let before = resident();
    let pass = bench.office.pass().unwrap();
    let grown = resident().saturating_sub(before);
    println!("{wanted} hostile mails: {before} kB resident before, {grown} more after");
    // Other tests grow beside the short run.
    let room = if std::env::var("HOSTILE").is_ok() { 32 << 10 } else { usize::MAX };
    assert!(grown < room, "{grown} kB more");
    assert_eq!(pass.fetched, wanted);
    assert_eq!(bench.office.store.new_mails(1).unwrap(), []);
    assert_eq!(bench.office.store.log_head("toy-7").unwrap(), head, "no game heard of it");
    // One answer to each address, however often it wrote.
    let neutral: Vec<String> = bench.out().into_iter().filter(|m| !bench.is_in(m, "toy-7")).map(|m| m.to).collect();
    assert_eq!(neutral.iter().collect::<std::collections::BTreeSet<_>>().len(), neutral.len());
    assert!(!neutral.is_empty() && pass.sent == neutral.len());
    let kept = bench.office.store.troubled_in(u32::MAX).unwrap();
    assert!(kept.iter().all(|mail| mail.reason.is_some() && mail.state != InboxState::Done.as_str()));
}

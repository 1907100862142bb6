//! Odd values, by kind: what a hostile mail is filled with, in its head and in its lines.

use crate::toys::Whim;

/// A header that no mail of ours has; where it stands in one, somebody wrote it into our head.
pub const INJECTED: &str = "X-Hostile-Injected";

pub fn pick<'a>(whim: &mut Whim, of: &[&'a str]) -> &'a str {
    of[whim.below(of.len())]
}

/// True once in so many times.
pub fn once_in(whim: &mut Whim, n: usize) -> bool {
    whim.below(n) == 0
}

const LOCALS: &[&str] = &[
    "eve",
    "a..b",
    ".a",
    "a.",
    "\"a b\"",
    "\"a\\\"b\"",
    "\"a\\\\\"",
    "\"\"",
    "a<b",
    "a>b",
    "a b",
    "a,b",
    "a;b",
    "a:b",
    "a(c)",
    "(c)a",
    "a(c(d(e)f)g)",
    "ü",
    "аdmin",
    "fr\u{435}nch",
    "a\u{200b}b",
    "\u{feff}a",
    "a\u{202e}b",
    "a\u{ad}b",
    "١٢",
    "%",
    "*",
    "'",
    "$(id)",
    "../../x",
    "a+b",
    "{{x}}",
    "=?utf-8?q?french?=",
    "a\0b",
    "a\u{7}b",
    "a\r\nX-Hostile-Injected: yes\r\nb",
    "a\nX-Hostile-Injected: yes\nb",
    "A",
    "MAILER-DAEMON",
    "postmaster",
    "bounces+1",
    "owner-list",
    "noreply",
    "a@b",
    "\"a@b\"",
    "@",
    "ﬁ",
    "İ",
    "ß",
    "e\u{301}",
];

const DOMAINS: &[&str] = &[
    "evil.example",
    "x.example",
    "[127.0.0.1]",
    "[IPv6:::1]",
    "[x]",
    "x..example",
    "-x.example",
    "x-.example",
    "x.example.",
    ".x.example",
    "münchen.example",
    "xn--mnchen-3ya.example",
    "xn--a",
    "xn--.example",
    "ЕXAMPLE.org",
    "localhost",
    "x_y.example",
    "١٢٣.example",
    "evil.example\u{200d}",
    "evil。example",
    "ｅvil.example",
    "EVIL.EXAMPLE",
    "x.example\0",
    "x .example",
    "x.example\r\nX-Hostile-Injected: yes",
    "x.example,y.example",
    "x.example>",
    "(c)x.example",
    "post.example",
    "1.2.3.4",
    "",
];

/// The bare address in no form of its own.
fn bare(whim: &mut Whim) -> String {
    let mut local = pick(whim, LOCALS).to_owned();
    let mut domain = pick(whim, DOMAINS).to_owned();
    match whim.below(24) {
        0 => local = "x".repeat(65),
        1 => local = "x".repeat(1000),
        2 => domain = format!("{}.example", "x".repeat(64)),
        3 => domain = format!("{}example", "xy.".repeat(150)),
        4 => local = format!("{}a{}", "(".repeat(300), ")".repeat(300)),
        5 => local = format!("e{}", "\u{301}".repeat(1000)),
        // Most are odd in one half alone.
        6..=13 => domain = "evil.example".to_owned(),
        14..=20 => local = format!("eve{}", whim.below(1000)),
        _ => {}
    }
    format!("{local}@{domain}")
}

/// An address as an argument of a command: no line ends, which a line cannot hold.
pub fn address(whim: &mut Whim) -> String {
    let one = bare(whim);
    let formed = match whim.below(12) {
        0 => format!("<{one}>"),
        1 => format!("<<{one}>>"),
        2 => format!("Eve <{one}>"),
        3 => format!("{one},{}", bare(whim)),
        4 => format!("mailto:{one}"),
        5 => format!("{one}(c)"),
        6 => format!("g:{one};"),
        _ => one,
    };
    formed.replace(['\r', '\n'], " ")
}

/// A From header's value of nobody.
pub fn from(whim: &mut Whim) -> String {
    let one = bare(whim);
    match whim.below(22) {
        0 => format!("<{one}>"),
        1 => format!("<<<<{one}>>>>"),
        2 => format!("Eve <{one}>"),
        3 => format!("\"Eve\\\" <x@y.example>\" <{one}>"),
        4 => format!("g: {one}, b@x.example;"),
        5 => "g:;".to_owned(),
        6 => format!("{one} (c (d (e)))"),
        7 => format!("=?utf-8?b?RXZlDQpYLUhvc3RpbGUtSW5qZWN0ZWQ6IHllcw==?= <{one}>"),
        8 => format!("=?utf-7?q?+AA0ACg-?= <{one}>"),
        9 => format!("<@a.example,@b.example:{one}>"),
        10 => format!("{one}, {}", bare(whim)),
        11 => String::new(),
        12 => "<>".to_owned(),
        13 => format!("\"{}\" <{one}>", "\u{202e}".repeat(200)),
        14 => format!("=?utf-8?q?{}?= <{one}>", "=41".repeat(300)),
        15 => format!("\"french@honest.example\" <{one}>"),
        16 => format!("eve{}@evil.example", whim.below(100)),
        _ => one,
    }
}

/// The From header of one who would pass for an address that is not his.
pub fn forged(whim: &mut Whim, address: &str) -> String {
    let (local, domain) = address.split_once('@').unwrap();
    let last = local.chars().last().unwrap();
    match whim.below(26) {
        0 => format!("{address}, eve@evil.example"),
        1 => format!("eve@evil.example, {address}"),
        2 => format!("\"{address}\" <eve@evil.example>"),
        3 => format!("eve@evil.example ({address})"),
        4 => format!("{address}.evil.example"),
        5 => format!("{local}@mail.{domain}"),
        6 => format!("{local}+x@{domain}"),
        7 => format!("{address}."),
        8 => format!("{local}%{domain}@evil.example"),
        9 => format!("<@{domain}:eve@evil.example>"),
        10 => format!("g: {address}, eve@evil.example;"),
        11 => format!("{address}, eve@@evil"),
        12 => format!("{local}\u{200b}@{domain}"),
        13 => format!("{}@{domain}", local.replace(last, &format!("{last}\u{ad}"))),
        14 => format!("{}@{domain}", cyrillic(local)),
        15 => format!("{}@{domain}", fullwidth(local)),
        16 => format!("=?utf-8?q?{local}=40{}?= <eve@evil.example>", domain.replace('.', "=2E")),
        17 => format!("<{address}> <eve@evil.example>"),
        18 => format!("<eve@evil.example> <{address}>"),
        19 => format!("eve@evil.example\r\nFrom: {address}"),
        20 => format!("{address}\r\nFrom: eve@evil.example"),
        21 => format!("\"{local}\"@evil.example"),
        22 => format!("{local}\u{301}@{domain}"),
        23 => format!("{local}@{}", domain.replace('.', "。")),
        24 => format!("{address}:;"),
        _ => format!("eve@evil.example\r\nSender: {address}\r\nReply-To: {address}"),
    }
}

/// A letter of it in another script, alike to the eye.
fn cyrillic(local: &str) -> String {
    let alike = local.replacen('a', "а", 1).replacen('e', "е", 1).replacen('o', "о", 1);
    if alike == local { format!("{local}а") } else { alike }
}

/// Its first letter in the wide form that some normal forms fold back.
fn fullwidth(local: &str) -> String {
    let wide = |c: char| char::from_u32(u32::from(c) + 0xFEE0).unwrap();
    local.chars().enumerate().map(|(at, c)| if at == 0 { wide(c) } else { c }).collect()
}

/// What stands in Message-ID, In-Reply-To and References.
pub fn id(whim: &mut Whim) -> String {
    match whim.below(22) {
        0 => "<ü@x.example>".to_owned(),
        1 => "<a<b@x.example>".to_owned(),
        2 => "<a>b@x.example>".to_owned(),
        3 => "<>".to_owned(),
        4 => "<@>".to_owned(),
        5 => "<a b@x.example>".to_owned(),
        6 => String::new(),
        7 => "<a@x.example".to_owned(),
        8 => "a@x.example>".to_owned(),
        9 => format!("<{}@x.example>", "i".repeat(3000)),
        10 => format!("<\u{202e}{}@x.example>", whim.below(99)),
        11 => "<a\0b@x.example>".to_owned(),
        12 => "<\"a b\"@[x]>".to_owned(),
        13 => "=?utf-8?q?<a=40x>?=".to_owned(),
        14 => "<a@x.example> (c) <b@x.example>".to_owned(),
        15 => "<same@x.example>".to_owned(),
        16 => "<a\tb@x.example>".to_owned(),
        17 => format!("<{}>", "a@".repeat(200)),
        _ => format!("<h{}@x.example>", whim.below(1 << 30)),
    }
}

/// A thread of ids.
pub fn thread(whim: &mut Whim) -> String {
    let n = [0, 1, 2, 5, 40, 400][whim.below(6)];
    (0..n).map(|_| id(whim).replace('\0', "")).collect::<Vec<_>>().join("\r\n ")
}

const NAMES: &[&str] = &[
    "",
    "french",
    "coalition",
    "allied",
    "napoleon",
    "lannes",
    "umpire",
    "umpire-2",
    "observer-1",
    "observer-99999999999999999999",
    "all",
    "ALL",
    "strem-1",
    "strem-2",
    "Lannes",
    "LANNES",
    "lànnès",
    "Lan\u{200b}nes",
    "\u{202e}sennaL",
    "Bagration",
    "Bagratoin",
    "Kutuzov",
    "Soult",
    "Dürenstein",
    "DUERENSTEIN",
    "Steinbrück",
    "ſuchet",
    "İ",
    "ı",
    "ß",
    "ẞ",
    "ﬁ",
    "Æ",
    "\u{212a}utuzov",
    "0705",
    "٠٧٠٥",
    "0000",
    "9999",
    "-1",
    "0",
    "1",
    "+1",
    "1e9",
    "99999999999999999999",
    "4294967295",
    "4294967296",
    "NaN",
    "¶",
    "¶242",
    "¶¶",
    "§",
    "../../etc/passwd",
    "';DROP",
    "%s%n",
    "{{7*7}}",
    "{%",
    "${x}",
    "<b>",
    "&lt;",
    "[strem-1/french/x]",
    "[",
    "]",
    "/",
    "\\",
    "\"",
    "'",
    "`",
    "#",
    "=",
    "?",
    "!",
    "@",
    ":",
    ";",
    ",",
    ".",
    "-",
    "--",
    "TO",
    "END",
    "REASON",
    "AT",
    "WITH",
    "IF",
    "ELSE",
    "OFF",
    "YES",
    "NO",
    "NOBODY",
    "\u{0}",
    "\u{1b}[2J",
    "\u{7}",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "🐎",
    "𝔩𝔞𝔫𝔫𝔢𝔰",
    "١",
    "½",
    "Ⅷ",
    "CORPS",
    "0705-0806",
    "16300,15900",
    "E",
    "W",
    "NE",
    "2D6",
    "10+",
    ">=",
    "vedette",
    "VEDETTE",
    "fog",
    "x",
];

/// A name, a number or a sign that something is called by, or nothing is.
pub fn name(whim: &mut Whim) -> String {
    match whim.below(60) {
        0 => format!("L{}", "\u{301}".repeat(1000)),
        1 => "n".repeat(1000),
        2 => "nan".repeat(3000),
        3 => "\u{202e}".repeat(50),
        4 => format!("{:04}", whim.below(2000)),
        5..=9 => whim.below(40).to_string(),
        _ => pick(whim, NAMES).to_owned(),
    }
}

const TIMES: &[&str] = &[
    "",
    "24",
    "0",
    "-5",
    "8784",
    "8785",
    "4294967296",
    "1.5",
    "2 days",
    "UNTIL",
    "UNTIL UNTIL",
    "UNTIL 9999-12-31",
    "UNTIL 30 Feb 20:00",
    "UNTIL 29 Mar 02:30",
    "UNTIL 25 Oct 02:30",
    "UNTIL 31 Dec 99999",
    "UNTIL 1 Jan -9999",
    "24:00",
    "25:61",
    "UNTIL tomorrow",
    "20 Dec 3 Jan",
    "3 Jan 20 Dec",
    "1 Jan 1 Jan",
    "1 Jan 2026 31 Dec 2026",
    "29 Feb 1 Mar",
    "1 Jan 9999 2 Jan 9999",
    "today",
    "P1D",
    "١ Jan ٢ Jan",
    "1 Jän 3 Jän",
    "20 Dec 3 Jan STANDIN",
    "OFF",
    "20 Dec OFF",
    "0 0 0 0",
    "2026-01-01T00:00:00Z 2026-01-09T00:00:00Z",
    "Mon Tue",
    "99 99",
];

pub fn time(whim: &mut Whim) -> String {
    pick(whim, TIMES).to_owned()
}

const TEXTS: &[&str] = &[
    "Peace?",
    "END",
    "END PRESS",
    "END DISPATCH",
    "> END",
    "-- ",
    "--",
    "",
    "# END",
    "From: x@y.example",
    "On Monday, Estafette wrote:",
    "[strem-1/coalition/k3x9q2m4w7r5t8v6b2n4c5z7aa]",
    "\u{1b}]0;x\u{7}",
    "\u{202e}dne",
    "CONFIRM 0a1b2c3d",
    ".",
    "=20",
    "=3D",
    "-----BEGIN PGP MESSAGE-----",
    "<script>x</script>",
    "&nbsp;&#0;&#x202e;",
    "{{ seat }}",
    "{% for x in range(9999999) %}x{% endfor %}",
    "begin 644 x",
    "Content-Type: text/plain",
    "\u{feff}",
    "\u{2029}",
    "e\u{301}\u{301}\u{301}",
    "ＥＮＤ",
    "E N D",
    "END.",
    "END END",
];

/// A line of words that are for nobody's rules.
pub fn text(whim: &mut Whim) -> String {
    match whim.below(40) {
        0 => "w".repeat(2000),
        1 => "a b ".repeat(1500),
        2 => "é".repeat(900),
        3 => "\u{200b}".repeat(700),
        4 => format!("{}x", " ".repeat(900)),
        _ => pick(whim, TEXTS).to_owned(),
    }
}

/// The rest of a subject behind the tag, or all of one without.
pub fn subject(whim: &mut Whim) -> String {
    match whim.below(16) {
        0 => String::new(),
        1 => "Re: ".repeat(100),
        2 => "=?utf-8?q?=0D=0AX-Hostile-Injected:_yes?=".to_owned(),
        3 => "=?utf-16?b?//4NAAoA?=".to_owned(),
        4 => "[".repeat(300),
        5 => "[strem-1/french/k3x9q2m4w7r5t8v6b2n4c5z7aa]".to_owned(),
        6 => "[strem-1/../x]".to_owned(),
        7 => "x".repeat(2000),
        8 => "\u{202e}\u{200b}".to_owned(),
        9 => format!("=?x-unknown?q?{}?=", "=FF".repeat(50)),
        10 => "games".to_owned(),
        _ => "orders".to_owned(),
    }
}

/// What only a machine's mail carries.
pub const MACHINES: &[&str] = &[
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated",
    "Auto-Submitted: (c) auto-replied",
    "AUTO-SUBMITTED: Auto-Notified",
    "Precedence: bulk",
    "Precedence: junk",
    "Precedence: list",
    "Precedence: auto_reply",
    "Precedence: auto-reply",
    "Return-Path: <>",
    "Return-Path: < >",
    "Return-Path: (c) <>",
    "List-Id: <w.example>",
    "List-Unsubscribe: <mailto:x@y.example>",
    "List-Post: <mailto:x@y.example>",
    "X-Loop: x",
    "X-Autoreply: yes",
    "X-Autorespond: away",
    "X-Auto-Reply: yes",
    "X-Autogenerated: Reply",
    "X-Mail-Autoreply: 1",
    "X-Autoresponder: x",
    "X-Vacation: yes",
    "X-FC-MachineGenerated: true",
    "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent",
    "X-Auto-Response-Suppress: All",
    "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply",
    "X-MS-Exchange-Inbox-Rules-Loop: x@y.example",
    "X-BeenThere: l@y.example",
    "X-Failed-Recipients: x@y.example",
    "X-Cron-Env: <SHELL=/bin/sh>",
    "X-Mailer: vacation 1.2",
    "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
    "Content-Type: message/disposition-notification",
    "Content-Type: message/delivery-status",
    "Content-Type: message/feedback-report",
    "X-RT-Originator: x@y.example",
    "X-RT-Loop-Prevention: x",
    "X-OTRS-Loop: yes",
    "X-Zendesk-From-Account-Id: 1",
    "X-JIRA-FingerPrint: 1",
    "X-Github-Sender: x",
];

pub const MACHINE_SENDERS: &[&str] = &[
    "MAILER-DAEMON@evil.example",
    "Mail Delivery System <mailer-daemon@evil.example>",
    "noreply@evil.example",
    "Shop <no-reply@evil.example>",
    "do-not-reply@evil.example",
    "donotreply@evil.example",
    "postmaster@evil.example",
    "bounces+7@evil.example",
    "owner-list@evil.example",
    "list-request@evil.example",
    "root@evil.example",
    "list-bounces@evil.example",
    "MAILER-DAEMON",
];

pub const MACHINE_SUBJECTS: &[&str] = &[
    "Out of Office: {}",
    "Automatic reply: {}",
    "Abwesenheitsnotiz: {}",
    "Automatische Antwort: {}",
    "Auto: {}",
    "Undeliverable: {}",
    "Réponse automatique : {}",
    "Risposta automatica: {}",
    "Respuesta automática: {}",
    "Автоматический ответ: {}",
    "Otomatik yanıt: {}",
    "Автоматична відповідь: {}",
    "Odpowiedź automatyczna: {}",
    "Răspuns automat: {}",
    "Automatisch antwoord: {}",
    "Resposta automática: {}",
    "=?utf-8?q?Automatische_Antwort:?= {}",
    "=?utf-8?b?QXV0b21hdGljIHJlcGx5Og==?= {}",
    "AUTOMATIC REPLY: {}",
    "Absence du bureau : {}",
];

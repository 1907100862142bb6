//! Mails that are large where it costs most: each as its size allows, none above what a mail may have.

use super::raw::{self, Head};

/// A name, and the mail as one writes it who may write to that game.
pub type Bomb = (&'static str, fn(&Head) -> Vec<u8>);

const MB: usize = 1_000_000;
/// Just below the longest text that is read.
const TEXT: usize = 1_040_000;

fn text(head: &Head, body: &str) -> Vec<u8> {
    raw::encoded(head, "text/plain; charset=utf-8", "8bit", body.replace('\n', "\r\n").as_bytes())
}

fn repeated(line: &str, most: usize) -> String {
    line.repeat(most.min(TEXT / (line.len() + 1)))
}

fn html(head: &Head, body: &str) -> Vec<u8> {
    raw::encoded(head, "text/html; charset=utf-8", "8bit", body.as_bytes())
}

fn with(head: &Head, line: String) -> Head {
    let mut head = head.clone();
    head.more.push(line);
    head
}

pub const BOMBS: &[Bomb] = &[
    ("one word of 1 MB", |h| text(h, &"w".repeat(MB))),
    ("one word of 1 MB behind a verb", |h| text(h, &format!("FORCE {}", "w".repeat(MB)))),
    ("one word of 1 MB behind REPORT", |h| text(h, &format!("REPORT {}", "w".repeat(MB)))),
    ("one word of 1 MB behind PRESS TO", |h| text(h, &format!("PRESS TO {}\nx\nEND PRESS", "w".repeat(MB)))),
    ("one word of 1 MB in a press", |h| text(h, &format!("PRESS TO umpire\n{}\nEND PRESS", "w".repeat(MB)))),
    ("one word of 1 MB in a nonce", |h| text(h, &format!("NONCE {}", "w".repeat(MB)))),
    ("one word of 1 MB of digits", |h| text(h, &format!("RESEND {}", "9".repeat(MB)))),
    ("an address of 1 MB", |h| text(h, &format!("ADDRESS ADD {}@x.example", "w".repeat(MB)))),
    ("one word of 340 kB, quoted-printable", |h| {
        raw::encoded(h, "text/plain; charset=utf-8", "quoted-printable", &raw::quoted_printable(&"w".repeat(MB / 3)))
    }),
    ("a million spaces", |h| text(h, &format!("x{}y", " ".repeat(MB)))),
    ("a million signs of quotation", |h| text(h, &format!("{} x", ">".repeat(MB)))),
    ("lines of a sign of quotation", |h| text(h, &">\n".repeat(19_000))),
    ("half a million combining marks", |h| text(h, &format!("FORCE L{}", "\u{301}".repeat(MB / 2)))),
    ("half a million wide letters", |h| text(h, &"騎".repeat(MB / 3))),
    ("words of 1 MB", |h| text(h, &"ab ".repeat(MB / 3))),
    ("500 kB of commas", |h| text(h, &format!("FORCE Lannes {}", "0405,".repeat(MB / 10)))),
    ("20,000 lines of a letter", |h| text(h, &"x\n".repeat(19_900))),
    ("20,000 lines of a near miss", |h| text(h, &repeated("FORCE Lanes MARCH 0405\n", 19_900))),
    ("20,000 good lines", |h| text(h, &repeated("FORCE Lannes MARCH 0405\n", 19_900))),
    ("20,000 lines below CHECK", |h| text(h, &format!("CHECK\n{}", repeated("FORCE Lannes MARCH 0405\n", 19_900)))),
    ("20,000 lines of many words", |h| text(h, &repeated(&format!("FORCE {}\n", "a ".repeat(25)), 19_900))),
    ("20,000 remarks", |h| text(h, &repeated("# remark\n", 19_900))),
    ("lines that go on for ever", |h| text(h, &format!("FORCE Lannes MARCH 0405\n{}", repeated("TO 0405\n", 19_900)))),
    ("40 AUDITs", |h| text(h, &"AUDIT\n".repeat(40))),
    ("19,000 AUDITs", |h| text(h, &"AUDIT\n".repeat(19_000))),
    ("6,600 PRESS blocks", |h| text(h, &"PRESS TO umpire\nx\nEND PRESS\n".repeat(6_600))),
    ("6,600 PRESS blocks to all", |h| text(h, &"PRESS TO all\nx\nEND PRESS\n".repeat(6_600))),
    ("6,600 DISPATCH blocks", |h| text(h, &"DISPATCH TO napoleon\nx\nEND DISPATCH\n".repeat(6_600))),
    ("6,600 MESSAGE blocks", |h| text(h, &"MESSAGE TO all\nx\nEND MESSAGE\n".repeat(6_600))),
    ("6,600 RULING blocks", |h| text(h, &"RULING ¶242 TO all\nx\nEND RULING\n".repeat(6_600))),
    ("400 SHOWs", |h| text(h, &"SHOW french\nSHOW LEDGER\nWHO-KNOWS Lannes\nREWIND\nOPTION\n".repeat(400))),
    ("6,600 RESENDs", |h| text(h, &(1..6_600).map(|n| format!("RESEND {}\n", n % 40 + 1)).collect::<String>())),
    ("3,000 MAPs", |h| text(h, &"MAP\nMAP 0705\n".repeat(1_500))),
    ("3,000 REPORTs", |h| text(h, &"REPORT\nREPORT TURN 1\n".repeat(1_500))),
    ("3,000 HISTORYs", |h| text(h, &"HISTORY\nSUMMARY\n".repeat(1_500))),
    ("3,000 ORDERS", |h| text(h, &"ORDERS\nDOCTRINE\nDEADLINE\n".repeat(1_000))),
    ("3,000 RULES and WHYs", |h| text(h, &"RULES ¶242\nWHY 1\n".repeat(1_500))),
    ("5,000 DOCTRINEs", |h| text(h, &"DOCTRINE CONTACT REPULSE\n".repeat(5_000))),
    ("5,000 ABSENTs", |h| text(h, &"ABSENT 20 Dec 3 Jan\n".repeat(5_000))),
    ("5,000 ADDRESS ADDs", |h| {
        text(h, &(0..5_000).map(|n| format!("ADDRESS ADD a{n}@evil.example\n")).collect::<String>())
    }),
    ("5,000 STANDINs", |h| text(h, &(0..5_000).map(|n| format!("STANDIN a{n}@evil.example\n")).collect::<String>())),
    ("5,000 CONFIRMs", |h| text(h, &(0..5_000).map(|n| format!("CONFIRM {n:08x}\n")).collect::<String>())),
    ("5,000 FORMATs", |h| text(h, &"FORMAT 40\nFORMAT BOTH\n".repeat(2_500))),
    ("5,000 UNDOs", |h| text(h, &"FORCE Lannes MARCH 0405\nUNDO\n".repeat(2_500))),
    ("5,000 OBSERVEs", |h| text(h, &"OBSERVE strem-2\n".repeat(5_000))),
    ("SIGNON with 300,000 wishes", |h| text(h, &format!("SIGNON strem-2{}", " x".repeat(300_000)))),
    ("SIGNON and a name of 1 MB", |h| text(h, &format!("SIGNON {}", "strem".repeat(200_000)))),
    ("References of 500 kB", |h| {
        text(&with(h, format!("References: {}", "<a@x.example>\r\n ".repeat(33_000))), "DEADLINE\n")
    }),
    ("one id of 500 kB", |h| text(&with(h, format!("References: <{}@x.example>", "r".repeat(500_000))), "DEADLINE\n")),
    ("a Message-ID of 500 kB", |h| {
        text(&Head { id: format!("<{}@x.example>", "m".repeat(500_000)), ..h.clone() }, "DEADLINE\n")
    }),
    ("a subject of 500 kB", |h| {
        text(&Head { subject: format!("{} {}", h.subject, "s".repeat(500_000)), ..h.clone() }, "DEADLINE\n")
    }),
    ("a subject of brackets", |h| {
        text(&Head { subject: format!("{} {}", "[".repeat(300_000), h.subject), ..h.clone() }, "DEADLINE\n")
    }),
    ("a subject of encoded words", |h| {
        text(
            &Head { subject: format!("{}{}", "=?utf-8?q?=41?= ".repeat(20_000), h.subject), ..h.clone() },
            "DEADLINE\n",
        )
    }),
    ("a From of 500 kB of comments", |h| {
        text(
            &Head { from: format!("{}{} {}", "(".repeat(250_000), ")".repeat(250_000), h.from), ..h.clone() },
            "DEADLINE\n",
        )
    }),
    ("a From of 20,000", |h| {
        text(&Head { from: format!("{}{}", "a@x.example, ".repeat(20_000), h.from), ..h.clone() }, "x\n")
    }),
    ("a header of 1 MB", |h| text(&with(h, format!("X-Long: {}", "x ".repeat(MB / 2))), "DEADLINE\n")),
    ("10,000 headers", |h| {
        let mut head = h.clone();
        head.more.extend((0..10_000).map(|n| format!("X-{n}: y")));
        text(&head, "DEADLINE\n")
    }),
    ("100,000 nested elements", |h| html(h, &format!("{}DEADLINE", "<div>".repeat(100_000)))),
    ("150,000 hard spaces", |h| html(h, &format!("x{}y", "&nbsp;".repeat(150_000)))),
    ("100,000 open tags", |h| html(h, &"<".repeat(900_000))),
    ("100,000 entities", |h| html(h, &"&#x1F40E;".repeat(100_000))),
    ("100,000 tables", |h| html(h, &"<table><tr><td>".repeat(60_000))),
    ("100,000 open comments", |h| html(h, &"<!--".repeat(200_000))),
    ("100,000 lists and quotations", |h| html(h, &"<ul><li><blockquote>x".repeat(40_000))),
    ("an attribute without end", |h| html(h, &format!("<a href=\"{}", "x".repeat(900_000)))),
    ("5,000 parts", |h| {
        let parts = "--b\r\nContent-Type: text/plain\r\n\r\nDEADLINE\r\n".repeat(5_000);
        raw::encoded(h, "multipart/mixed; boundary=b", "8bit", format!("{parts}--b--\r\n").as_bytes())
    }),
    ("parts nested 2,000 deep", |h| {
        let open: String = (0..2_000)
            .map(|n| format!("--b{n}\r\nContent-Type: multipart/mixed; boundary=b{}\r\n\r\n", n + 1))
            .collect();
        raw::encoded(h, "multipart/mixed; boundary=b0", "8bit", open.as_bytes())
    }),
    ("mails in mails, 2,000 deep", |h| {
        let open = "Content-Type: message/rfc822\r\n\r\n".repeat(2_000);
        raw::encoded(h, "message/rfc822", "8bit", open.as_bytes())
    }),
    ("boundaries everywhere", |h| {
        raw::encoded(h, "multipart/mixed; boundary=b", "8bit", "--b\r\n".repeat(200_000).as_bytes())
    }),
    ("flowed without end", |h| {
        raw::encoded(h, "text/plain; charset=utf-8; format=flowed", "8bit", "ab \r\n".repeat(19_900).as_bytes())
    }),
    ("flowed quotations", |h| {
        raw::encoded(
            h,
            "text/plain; charset=utf-8; format=flowed",
            "8bit",
            "> ab \r\n>> c \r\n".repeat(9_900).as_bytes(),
        )
    }),
    ("ticks and marks of lists", |h| text(h, &"- * + 1. > | ` ~ \n".repeat(19_000))),
    ("utf-16 of 1 MB", |h| {
        let wide: Vec<u8> = "w".repeat(MB / 2).encode_utf16().flat_map(u16::to_le_bytes).collect();
        raw::encoded(h, "text/plain; charset=utf-16le", "8bit", &wide)
    }),
    ("1 MB of zeroes", |h| raw::encoded(h, "text/plain", "binary", &vec![0; MB])),
    ("1 MB of line ends", |h| raw::encoded(h, "text/plain", "8bit", &vec![b'\n'; MB])),
    ("4 MB of a part nobody reads", |h| {
        let body = format!(
            "--b\r\nContent-Type: text/plain\r\n\r\nDEADLINE\r\n--b\r\nContent-Type: image/png\r\n\r\n{}\r\n--b--\r\n",
            "x".repeat(3 * MB)
        );
        raw::encoded(h, "multipart/mixed; boundary=b", "8bit", body.as_bytes())
    }),
    ("the whole of tags", |h| {
        text(
            h,
            &repeated(
                &format!("PRESS TO umpire\n{}\nEND PRESS\n", "[strem-1/french/k3x9q2m4w7r5t8v6b2n4c5z7aa]".repeat(20)),
                900,
            ),
        )
    }),
];

//! Mails with drawn maps: what stands in them, that the text is what it was, and that nothing in them asks for anything
//! from outside.

use super::bench::{Bench, CONFIG, Mail, campaign, parsed, teaching, unsaid};
use crate::troupe::{self, Told};
use estafette::ink;
use estafette::mail::raster;
use estafette::mail::seal::seal_of;
use estafette::scenario;
use estafette::store::Tempo;
use mail_parser::{MessageParser, MimeHeaders, PartType};

fn drawn() -> Bench {
    let mut bench = Bench::with_config(&format!("{CONFIG}pictures = true\n"));
    bench.office.new_game(&campaign(&teaching())).unwrap();
    bench.pass();
    bench
}

/// The kinds of a mail's parts, the names under which pictures stand in it, its text, its page.
struct Parts {
    kinds: Vec<String>,
    pictures: Vec<(String, Vec<u8>)>,
    text: String,
    page: Option<String>,
}

/// A text but for its seal.
fn bare(text: &str) -> String {
    seal_of(text).map_or(text.to_owned(), |seal| text.replace(seal, ""))
}

fn parts(mail: &Mail) -> Parts {
    let parsed = MessageParser::new().parse(&mail.raw).unwrap();
    let kind = |part: &mail_parser::MessagePart<'_>| {
        let kind = part.content_type().unwrap();
        format!("{}/{}", kind.ctype(), kind.subtype().unwrap())
    };
    let pictures = parsed.parts.iter().filter(|part| kind(part) == "image/png");
    let page = parsed.parts.iter().find(|part| kind(part) == "text/html");
    Parts {
        kinds: parsed.parts.iter().map(kind).collect(),
        pictures: pictures.map(|p| (p.content_id().unwrap().to_owned(), p.contents().to_vec())).collect(),
        text: parsed.text_bodies().next().unwrap().text_contents().unwrap().to_owned(),
        page: page.map(|part| match &part.body {
            PartType::Html(page) => page.to_string(),
            other => panic!("{other:?}"),
        }),
    }
}

/// The pictures that a page names, each once, with the words for who does not see them.
fn shown(page: &str) -> Vec<(String, String)> {
    let named = page.split("<img src=\"cid:").skip(1).map(|rest| {
        let (cid, rest) = rest.split_once('"').unwrap();
        let said = rest.split_once("alt=\"").unwrap().1.split_once('"').unwrap().0;
        (cid.to_owned(), said.to_owned())
    });
    named.collect()
}

#[test]
fn a_mail_shows_drawn_maps_and_its_text_is_that_of_a_mail_without() {
    let mut plain = Bench::with_campaign(&teaching());
    let mut bench = drawn();
    for (seat, said) in [("french", "SIGNON"), ("coalition", "SIGNON"), ("french", "END"), ("coalition", "END")] {
        for bench in [&mut plain, &mut bench] {
            bench.reply(seat, said);
        }
    }
    for _ in 0..3 {
        for seat in ["french", "coalition"] {
            plain.reply(seat, "END");
            bench.reply(seat, "END");
        }
    }
    let (without, with) = (plain.out(), bench.out());
    assert_eq!(with.len(), without.len());
    let (mut maps, mut theatres) = (0, 0);
    for (with, without) in with.iter().zip(&without) {
        let (with, without) = (parts(with), parts(without));
        assert!(without.page.is_none() && without.pictures.is_empty());
        assert_eq!(bare(&with.text), bare(&without.text));
        let page = with.page.unwrap();
        assert!(page.len() <= 60_000, "{}", page.len());
        for outside in ["http:", "https:", "<script", "<style", "<svg", "data:"] {
            assert!(!page.contains(outside), "{outside}: {page}");
        }
        let named = shown(&page);
        let carried: Vec<&String> = with.pictures.iter().map(|(cid, _)| cid).collect();
        assert_eq!(named.iter().map(|(cid, _)| cid).collect::<Vec<_>>(), carried);
        for ((_, said), (_, png)) in named.iter().zip(&with.pictures) {
            assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
            let (most, theatre) = if said.contains("Map of the theatre") { (260_000, 1) } else { (160_000, 0) };
            assert!(png.len() <= most && said.contains("Own: "), "{} bytes: {said}", png.len());
            (maps, theatres) = (maps + 1, theatres + theatre);
        }
        let related = with.kinds.iter().filter(|kind| *kind == "multipart/related").count();
        assert_eq!(related, usize::from(!carried.is_empty()), "{:?}", with.kinds);
    }
    assert!(maps > theatres && theatres >= 2, "{maps} maps, {theatres} of the theatre");
}

/// The mails of the house in the first part of a game that the program's own players play.
fn played(ruleset: &str, name: &str, format: &str) -> Vec<Parts> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenarios/{ruleset}/{name}.yaml"));
    let files = scenario::files(&path).unwrap();
    let told: Told = troupe::played((ruleset, name, files), ("game-1", Tempo::Live), 60, format);
    let mails: Vec<Mail> = told.sent().into_iter().map(parsed).collect();
    mails.iter().map(parts).collect()
}

#[test]
fn mails_of_the_other_games_have_pictures_too_and_their_text_is_what_it_was() {
    for (ruleset, name) in [
        ("brave_fellows", "teaching-fog"),
        ("brave_fellows", "durenstein-masked"),
        ("austerlitz1805", "teaching"),
        ("austerlitz1805", "fog-teaching"),
    ] {
        let (without, with) = (played(ruleset, name, "76"), played(ruleset, name, "76 PLATES"));
        assert_eq!(with.len(), without.len());
        let (mut maps, mut near, mut most, mut page_most) = (0, 0, 0, 0);
        for (with, without) in with.iter().zip(&without) {
            let same = |parts: &Parts| bare(&parts.text).replace(" PLATES", "");
            assert_eq!(same(with), same(without), "{name}");
            let named = with.page.as_deref().map(shown).unwrap_or_default();
            let carried: Vec<&String> = with.pictures.iter().map(|(cid, _)| cid).collect();
            assert_eq!(named.iter().map(|(cid, _)| cid).collect::<Vec<_>>(), carried);
            for ((_, said), (_, png)) in named.iter().zip(&with.pictures) {
                assert!(png.len() <= 160_000 && said.contains("Own: "), "{name}: {} bytes, {said}", png.len());
                (maps, most) = (maps + 1, most.max(png.len()));
                near += usize::from(!said.contains("the whole field"));
            }
            let page = with.page.as_ref().map_or(0, String::len);
            assert!(page <= 60_000, "{name}: {page} bytes");
            page_most = page_most.max(page);
        }
        println!("{name}: {} mails, {maps} pictures, at most {most} bytes and {page_most} of HTML", with.len());
        assert!(near > 3 && maps > near + 2, "{name}: {maps} pictures, {near} close-ups");
    }
}

#[test]
fn format_text_is_the_plain_mail_and_format_plates_the_drawn_one() {
    let mut bench = drawn();
    bench.reply("french", "SIGNON");
    bench.reply("coalition", "SIGNON");
    bench.reply("french", "FORMAT TEXT");
    let mails = bench.reply("french", "REPORT");
    let plain = parts(mails.last().unwrap());
    assert!(plain.page.is_none() && plain.pictures.is_empty(), "{:?}", plain.kinds);
    bench.reply("french", "FORMAT PLATES");
    let mails = bench.reply("french", "FORMAT FULL");
    let full = parts(mails.last().unwrap());
    assert!(full.page.is_some(), "{:?}", full.kinds);
    // One word of a form leaves the others as they are.
    let kept = bench.office.store.seats("strem-1").unwrap();
    let french = kept.iter().find(|seat| seat.seat == "french").unwrap();
    assert_eq!(french.format, "76 plates full");
}

/// The page of the last mail to a seat, once it has said something.
fn page_of(bench: &mut Bench, seat: &str, said: &str) -> (Parts, String) {
    let to = format!("{seat}@example.org");
    let mails = bench.reply(seat, said);
    let parts = parts(mails.iter().rfind(|mail| mail.to == to).unwrap());
    let page = parts.page.clone().unwrap();
    (parts, page)
}

/// The lines of a text that its page does not say; the seal is for programs.
fn missing(plain: &str, page: &str) -> Vec<String> {
    unsaid(plain, page).into_iter().filter(|line| !line.starts_with("seal ")).collect()
}

fn playing() -> Bench {
    let mut bench = drawn();
    for seat in ["french", "coalition"] {
        bench.reply(seat, "SIGNON");
    }
    bench
}

/// What a player writes is words, whatever signs stand in it: no heading, no order to copy, no picture on another's page,
/// and nothing of it goes away.
#[test]
fn no_sign_in_a_message_shapes_the_page_of_another() {
    let mut bench = playing();
    bench.reply("french", "FORMAT BOTH");
    for forged in [
        "Good game.\u{e001}THE UMPIRE RULES\u{e000}tPlay is stopped.\u{e001}\u{e000}oRESIGN\u{e001}Yours",
        "hello\u{e000}",
        "\u{e000}pic\u{e001}\u{e000}lDue\u{e002}RESIGN\u{e001}",
    ] {
        let mails = bench.reply("coalition", &format!("PRESS TO french\n{forged}\nEND PRESS"));
        let mail = mails.iter().find(|mail| mail.to == "french@example.org").unwrap_or_else(|| panic!("{mails:#?}"));
        let (plain, page) = (mail.text.clone(), parts(mail).page.unwrap());
        for shape in ["<h2 style=\"font-size:1em\">THE UMPIRE", "<code>RESIGN", "cid:ic", "<b>Due</b> RESIGN"] {
            assert!(!page.contains(shape), "{shape}: {page}");
        }
        assert_eq!(missing(&plain, &page), Vec::<String>::new(), "{page}");
        assert!(!page.contains(['\u{e000}', '\u{e001}', '\u{e002}']) && !plain.contains('\u{e000}'));
    }
}

/// What was asked for flows on a phone as the rest of the page; only a drawing keeps its shape. A report shows its maps.
#[test]
fn what_was_asked_for_flows_and_a_report_has_its_maps_and_its_sheet() {
    let mut bench = playing();
    let (report, page) = page_of(&mut bench, "french", "REPORT");
    assert!(!report.pictures.is_empty() && shown(&page).len() == report.pictures.len(), "{page}");
    assert!(!report.kinds.iter().any(|kind| kind == "application/octet-stream"), "{:?}", report.kinds);
    for asked in [
        "VICTORY",
        "HISTORY",
        "DOCTRINE",
        "UNITS",
        "ORDERS",
        "CHECK\nFORCE Lannes HOLD",
        "SUMMARY",
        "HELP",
        "RULES 242",
    ] {
        let (parts, page) = page_of(&mut bench, "french", asked);
        assert!(!page.contains("<pre"), "{asked}: {page}");
        assert_eq!(missing(&parts.text, &page), Vec::<String>::new(), "{asked}: {page}");
    }
    let (_, page) = page_of(&mut bench, "french", "MAP Hochkirch");
    assert!(page.contains("<pre"), "a drawing keeps its shape: {page}");
    // Whoever wants sheets gets one at once, and with each report that he asks for while he is on move.
    let named = |raw: &Mail| raw.raw.windows(16).any(|at| at == b"order-sheet.html");
    for said in ["FORMAT SHEET ON", "REPORT"] {
        let mails = bench.reply("french", said);
        assert!(named(mails.last().unwrap()), "{said}: {}", mails.last().unwrap().text);
    }
    assert!(!named(bench.reply("french", "DICE").last().unwrap()));
    // BOTH is the page without drawn maps.
    bench.reply("french", "FORMAT BOTH");
    let (report, page) = page_of(&mut bench, "french", "REPORT");
    assert!(report.pictures.is_empty() && shown(&page).is_empty());
}

/// A phone's text has no close-up, since it would be crooked there: its page has them.
#[test]
fn a_phone_gets_close_ups_and_an_answer_no_picture_that_it_does_not_show() {
    let mut bench = drawn();
    bench.reply("french", "SIGNON\nFORMAT 40");
    let first: Vec<Mail> = bench.reply("coalition", "SIGNON");
    let (mut near, mut answers) = (0, 0);
    let mut mails = first;
    for said in ["END", "FORCE Lannes HOLD", "ORDERS", "END", "FORCE Lannes HOLD", "END"] {
        for seat in ["french", "coalition"] {
            mails.extend(bench.reply(seat, said));
        }
    }
    for mail in mails.iter().filter(|mail| mail.to == "french@example.org") {
        let parts = parts(mail);
        let named = shown(&parts.page.unwrap());
        assert_eq!(named.len(), parts.pictures.len(), "{}", mail.subject);
        near += named.iter().filter(|(_, said)| said.contains("Map of round ")).count();
        answers += usize::from(mail.subject.contains("orders answered") && named.is_empty());
    }
    assert!(near > 0 && answers > 0, "{near} close-ups, {answers} answers");
}

#[test]
fn the_same_drawing_is_the_same_picture_and_its_letters_are_drawn() {
    let svg = |words: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"50\" viewBox=\"0 0 200 50\">\
             <rect width=\"200\" height=\"50\" fill=\"#f4ecd8\"/><text x=\"10\" y=\"35\" font-size=\"30\" \
             font-family=\"Libertinus Serif\" fill=\"#2b2620\">{words}</text></svg>"
        )
    };
    let drawn = |words: &str| raster::picture(&svg(words)).unwrap();
    assert_eq!(drawn("Brünn"), drawn("Brünn"));
    assert_eq!(drawn("Brünn").size, (200, 50));
    assert_ne!(drawn("Brünn").png, drawn("Brunn").png);
    assert_ne!(drawn("").png, drawn("Łódź").png);
    let read = png::Decoder::new(std::io::Cursor::new(drawn("Brünn").png)).read_info().unwrap();
    let palette = read.info().palette.as_ref().unwrap().len() / 3;
    assert!((2..=32).contains(&palette) && read.info().trns.is_none(), "{palette} colours");
}

/// The ground of a drawing is kept: whether it is drawn anew or was drawn before, alone or under others, the picture is that
/// of the whole drawing.
#[test]
fn a_picture_over_a_ground_that_is_kept_is_that_of_the_whole_drawing() {
    let drawing = |counter: &str| {
        let mut svg = ink::Svg::new((0, 0), (400, 300), 400, "A map");
        svg.rect((0, 0), (400, 300), &[("fill", "#f4ecd8")]);
        svg.fill(&[vec![(20, 20), (300, 60), (180, 250), (20, 20)]], "#dfe0bd", &[]);
        let ground = svg.clone();
        svg.part();
        let over = |mut svg: ink::Svg| {
            svg.fill(&[vec![(90, 90), (250, 100), (180, 200), (90, 90)]], "#1f4480", &[("fill-opacity", "0.5")]);
            svg.lettering((200, 150), counter, "#2b2620", 40);
            svg.finish()
        };
        (over(svg), over(ground))
    };
    for counter in ["AS14-1", "IV/2", "AS14-1", "<!-- over the ground -->"] {
        let (apart, whole) = drawing(counter);
        assert!(ink::parted(&apart).is_some() && ink::parted(&whole).is_none());
        assert_eq!(raster::picture(&apart).unwrap(), raster::picture(&whole).unwrap(), "{counter}");
    }
}

#[test]
fn a_drawing_that_is_none_or_too_large_is_refused() {
    assert!(raster::picture("no drawing").unwrap_err().to_string().contains("cannot be read"));
    let huge = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400000\" height=\"400000\"/>";
    assert!(raster::picture(huge).unwrap_err().to_string().contains("4000"), "its size is said");
}

//! Order sheets in mails: who gets one, when, and what its answer goes under.

use super::bench::{Bench, Mail, TOYS, campaign, parsed, teaching};
use crate::troupe::{self, Told};
use estafette::scenario;
use estafette::store::Tempo;
use estafette::terms;
use mail_parser::{MessageParser, MimeHeaders};
use std::ffi::OsString;

/// The order sheet that a mail carries, if any.
fn sheet(mail: &Mail) -> Option<String> {
    let parsed = MessageParser::new().parse(&mail.raw).unwrap();
    let part = parsed.attachments().find(|part| part.attachment_name() == Some("order-sheet.html"))?;
    Some(String::from_utf8(part.contents().to_vec()).unwrap())
}

/// The game of the teaching scenario on sheet A of its first mover, and who that is.
fn begun(said: &str) -> (Bench, Vec<Mail>) {
    let mut bench = Bench::new();
    let terms = terms::read("game.yaml", "absence: {days: 40, periods: 2}\n").unwrap();
    bench.office.new_game_on(&campaign(&teaching()), Some(&terms)).unwrap();
    bench.pass();
    bench.reply("french", &format!("SIGNON\n{said}"));
    bench.reply("coalition", "SIGNON");
    let mut mails = bench.reply("french", "END");
    mails.extend(bench.reply("coalition", "END"));
    (bench, mails)
}

#[test]
fn a_seat_on_move_that_wants_one_gets_a_sheet_and_its_text_is_what_it_was() {
    let (_, plain) = begun("CHECK");
    let (mut bench, mails) = begun("FORMAT SHEET ON");
    assert_eq!(mails.len(), plain.len());
    let mut sheets = 0;
    for (with, without) in mails.iter().zip(&plain) {
        assert_eq!(with.unsealed(), without.unsealed());
        assert_eq!(sheet(without), None);
        let Some(page) = sheet(with) else { continue };
        assert_eq!(with.to, "french@example.org");
        // It answers under the tag of its own mail.
        assert!(page.contains(&format!("\"subject\":\"Re: {}\"", with.subject)), "{}", with.subject);
        // It says when, as its letter does.
        assert!(page.contains("\"due\":\"your orders, by "), "{}", with.subject);
        sheets += 1;
    }
    assert_eq!(sheets, 1, "one report opens his movement");
    // So does a sheet that is made at the console; and that of who waits says that nothing is due.
    let due = |seat: &str| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let dir = bench.dir.path().to_str().unwrap();
        let args = ["estafette", "report", "--view", "--dir", dir, "strem-1", "--seat", seat].map(OsString::from);
        assert_eq!(estafette::cli::run(args, TOYS, &mut out, &mut err), 0, "{}", String::from_utf8_lossy(&err));
        let view: serde_json::Value = serde_json::from_slice(&out).unwrap();
        view["due"].as_str().unwrap().split("; now ").next().unwrap().to_owned()
    };
    assert!(mails.iter().filter_map(sheet).all(|page| page.contains(&format!("\"due\":\"{}", due("french")))));
    assert_eq!(due("coalition"), "nothing from you");
    // Who waits gets none, though he wants them; who takes them back gets none.
    let waiting = bench.reply("french", "END");
    assert!(waiting.iter().filter(|mail| mail.to == "french@example.org").all(|mail| sheet(mail).is_none()));
    let kept = |bench: &Bench| {
        let seats = bench.office.store.seats("strem-1").unwrap();
        seats.into_iter().find(|seat| seat.seat == "french").unwrap().format
    };
    assert_eq!(kept(&bench), "76 sheet");
    bench.reply("french", "FORMAT SHEET OFF");
    assert_eq!(kept(&bench), "76");
}

/// A stand-in's copy has a tag of his own, in its sheet as well: with the owner's he could write as the owner.
#[test]
fn the_sheet_of_a_stand_in_bears_his_tag_and_not_the_owners() {
    let (mut bench, _) = begun("FORMAT SHEET ON");
    bench.reply("french", "ABSENT 2 Jan 30 Jan STANDIN grouchy@example.org");
    bench.confirm("french@example.org");
    bench.confirm("grouchy@example.org");
    // What the owner writes himself would end his days away.
    bench.reply("french", "END");
    bench.advance(25);
    let mut mails = bench.pass();
    for _ in 0..3 {
        mails.extend(bench.reply("coalition", "END"));
    }
    let of = |to: &str| mails.iter().find(|mail| mail.to == to && sheet(mail).is_some()).unwrap();
    let (owner, his) = (of("french@example.org"), of("grouchy@example.org"));
    let (owners, hiss) = (owner.tag().unwrap().to_string(), his.tag().unwrap().to_string());
    assert_ne!(owners, hiss);
    let page = sheet(his).unwrap();
    assert!(page.contains(&hiss) && !page.contains(&owners), "{owners} {hiss}");
}

/// The mails of a game that the program's own players play, both seats with sheets: most of those on move carry one, each of
/// its own game, under its own tag, and none is larger than a sheet may be.
#[test]
fn mails_of_the_battle_games_carry_sheets_too() {
    for (ruleset, name) in
        [("brave_fellows", "durenstein-masked"), ("austerlitz1805", "fog-teaching"), ("great_battles", "telnitz-fog")]
    {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenarios/{ruleset}/{name}.yaml"));
        let files = scenario::files(&path).unwrap();
        let told: Told = troupe::played((ruleset, name, files), ("game-1", Tempo::Live), 40, "SHEET ON");
        let mails: Vec<Mail> = told.sent().into_iter().map(parsed).collect();
        let (mut count, mut most) = (0, 0);
        for mail in &mails {
            let Some(page) = sheet(mail) else { continue };
            assert!(page.contains(&format!("\"ruleset\":\"{ruleset}\"")), "{}", mail.subject);
            assert!(page.contains(&format!("\"subject\":\"Re: {}\"", mail.subject)), "{}", mail.subject);
            (count, most) = (count + 1, most.max(page.len()));
        }
        println!("{name}: {} mails, {count} sheets, at most {most} bytes", mails.len());
        assert!(count >= 8 && most <= 400_000, "{name}: {count} sheets, {most} bytes");
    }
}

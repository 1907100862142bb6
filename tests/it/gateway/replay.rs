//! The replay at the end of a game, and the umpire's desk: who gets them, what stands in them, who may not look.

use super::bench::{Bench, Mail, TOYS, campaign, teaching};
use estafette::gateway::{NewGame, cinema, table};
use estafette::host::Game;
use estafette::store::GameState;
use mail_parser::{MessageParser, MimeHeaders};

/// Mails that a short game may take.
const MAILS: u32 = 120;

fn enclosed(mail: &Mail, name: &str) -> Option<String> {
    let parsed = MessageParser::new().parse(&mail.raw).unwrap();
    let part = parsed.attachments().find(|part| part.attachment_name() == Some(name))?;
    Some(String::from_utf8(part.contents().to_vec()).unwrap())
}

fn game(bench: &Bench) -> Box<dyn Game> {
    let row = bench.office.store.game("strem-1").unwrap().unwrap();
    table::open(TOYS, &bench.office.store, &row).unwrap()
}

/// The teaching game under way: the French with pictures, the Coalition in text alone, and an umpire.
fn begun() -> Bench {
    let mut bench = Bench::new();
    let made = NewGame { umpire: Some("umpire@example.org".to_owned()), ..campaign(&teaching()) };
    bench.office.new_game(&made).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nFORMAT PLATES");
    bench.reply("coalition", "SIGNON\nFORMAT TEXT");
    bench
}

/// Whoever owes something ends his sheet.
fn step(bench: &mut Bench) -> Vec<Mail> {
    let seat = bench.office.store.dues("strem-1").unwrap().first().unwrap().seat.clone();
    let asks = game(bench).dues().into_iter().filter(|due| due.seat.0 == seat).filter_map(|due| due.prompt);
    let lines: Vec<String> = asks.map(|ask| ask.default).chain(["END".to_owned()]).collect();
    bench.reply(&seat, &lines.join("\n"))
}

#[test]
fn the_last_mail_of_who_wants_pictures_has_the_replay_of_the_whole_game() {
    let mut bench = begun();
    let mut last = Vec::new();
    for _ in 0..MAILS {
        if bench.office.store.game("strem-1").unwrap().unwrap().state == GameState::Over {
            break;
        }
        last = step(&mut bench);
        let over = bench.office.store.game("strem-1").unwrap().unwrap().state == GameState::Over;
        let some = last.iter().filter(|mail| enclosed(mail, "replay.html").is_some()).count();
        assert_eq!(some, usize::from(over), "before the end nobody gets one");
    }
    let ended: Vec<&Mail> = last.iter().filter(|mail| enclosed(mail, "reveal.txt").is_some()).collect();
    assert_eq!(ended.len(), 2, "both got their last mails");
    for mail in ended {
        assert_eq!(enclosed(mail, "replay.html").is_some(), mail.to == "french@example.org", "{}", mail.to);
        if let Some(page) = enclosed(mail, "replay.html") {
            assert!(page.contains("\"watchers\":[\"french\",\"coalition\"]"), "both sides");
            assert!(page.contains("strem-1: the whole game"));
        }
    }
}

#[test]
fn the_desk_shows_what_waits_and_stands_in_the_ledger() {
    let mut bench = begun();
    step(&mut bench);
    bench.reply("umpire", "HOLD");
    step(&mut bench);
    let film = game(&bench).film(None).body().clone().unwrap();
    let panels = bench.office.desk("strem-1", "umpire", &film).unwrap();
    let titles: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
    assert_eq!(titles, ["What is due", "Letters held", "The ledger", "Who knows what", "Seats"]);
    let row = |panel: usize, with: &str| {
        let found = panels[panel].rows.iter().find(|row| row.cells.iter().any(|cell| cell.contains(with)));
        found.unwrap_or_else(|| panic!("{with}: {:#?}", panels[panel])).clone()
    };
    let due = bench.office.store.dues("strem-1").unwrap().first().unwrap().seat.clone();
    assert_eq!(row(0, &due).command.unwrap(), format!("estafette umpire strem-1 extend {due} 24h"));
    assert_eq!(row(0, &due).mail.unwrap(), format!("EXTEND {due} 24h"));
    assert!(row(1, "french").command.unwrap().ends_with("strem-1 release"), "a letter is held");
    assert!(row(2, "HOLD").command.is_none());
    assert!(row(3, "french: its own").command.unwrap().contains("who-knows "), "{:#?}", panels[3]);
    assert!(row(4, "coalition@example.org").command.unwrap().ends_with("show coalition"));
    let page = cinema::desk_page("strem-1", &film, &panels).unwrap();
    assert!(page.contains("data-copy=\"estafette umpire strem-1 release\""));
    // Whoever looked has looked.
    let again = bench.office.desk("strem-1", "umpire", &film).unwrap();
    assert!(again[2].rows.iter().any(|row| row.cells[0].contains("DESK")), "{:#?}", again[2]);
    let nobody = bench.office.desk("strem-1", "umpire-2", &film).unwrap_err().to_string();
    assert!(nobody.contains("has no umpire"), "{nobody}");
}

#[test]
fn who_is_late_is_reminded_and_an_umpire_with_sheets_gets_his_desk() {
    let mut bench = begun();
    bench.reply("umpire", "FORMAT SHEET ON");
    step(&mut bench);
    let mails = step(&mut bench);
    let desk = mails.iter().find_map(|mail| enclosed(mail, "desk.html").map(|page| (mail, page)));
    let (mail, page) =
        desk.unwrap_or_else(|| panic!("no desk: {:?}", mails.iter().map(|m| &m.subject).collect::<Vec<_>>()));
    assert_eq!(mail.to, "umpire@example.org");
    assert!(page.contains("strem-1: the umpire&#x27;s desk"), "{}", &page[..600]);
}

#[test]
fn an_umpire_who_plays_sees_no_desk() {
    let (mut bench, _, _) = Bench::with_playing_umpire();
    let film = game(&bench).film(None).body().clone().unwrap();
    let refused = bench.office.desk("strem-1", "umpire", &film).unwrap_err().to_string();
    assert!(refused.contains("umpire plays french"), "{refused}");
    let refused = bench.office.look("strem-1", "umpire").unwrap_err().to_string();
    assert!(refused.contains("umpire plays french"), "{refused}");
}

/// A code is its reader's alone: whoever holds his letter does not read it there, by mail or on the desk.
#[test]
fn a_code_in_a_held_letter_is_its_readers_alone() {
    for wide in ["FORMAT 76", "FORMAT 40"] {
        let mut bench = begun();
        bench.reply("coalition", wide);
        bench.reply("umpire", "HOLD");
        bench.reply("coalition", "RESIGN");
        let answer = bench.reply("umpire", "SHOW HELD").into_iter().map(|mail| mail.text).collect::<String>();
        assert!(answer.contains("HELD: mail") && answer.contains("a code for its reader alone"), "{answer}");
        let film = game(&bench).film(None).body().clone().unwrap();
        let panels = bench.office.desk("strem-1", "umpire", &film).unwrap();
        let page = cinema::desk_page("strem-1", &film, &panels).unwrap();
        assert!(page.contains("a code for its reader alone"), "{:#?}", panels[1]);
        let mails = bench.reply("umpire", "RELEASE");
        // A narrow letter breaks behind the word.
        let said = |mail: &Mail| mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = mails.iter().map(said).find(|text| text.contains("CONFIRM ")).unwrap();
        let code = text.split("CONFIRM ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
        assert!(code.len() > 20 && !answer.contains(&code) && !page.contains(&code), "{code}");
    }
}

//! Lodged sheets in whole games: who has lodged writes no mail, and the other side is told the same as ever. That play goes on
//! at once it sees, as it does where a side has nobody to activate.

use super::files;
use estafette::dice::Roll;
use estafette::fog::{SeatId, SideId};
use estafette::games::{self, GAMES};
use estafette::host::{Game, Input};
use estafette::simulate;
use serde_json::Value;

/// What came of a game: what the Coalition was told, the mails and the letters of the French.
#[derive(Default)]
struct Came {
    told: Vec<String>,
    french_mails: u32,
    french_letters: u32,
}

fn doctrine(game: &mut dyn Game, key: &str, value: &str) {
    let seat: SeatId = "french".into();
    let (key, value) = game.doctrine_line(&seat, &format!("{key} {value}")).unwrap();
    let input = Input::Doctrine { seat, key, value, mail: "<lodged@simulation>".to_owned() };
    game.take(input).unwrap_or_else(|broken| panic!("{}", broken.why));
}

/// A game in which the French do nothing: by a mail for each impulse, or by what they have lodged once.
fn idle(name: &str, number: u64, lodged: bool) -> Came {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut game = simulate::open(entry, &files(name), number).unwrap();
    let mut came = Came::default();
    if lodged {
        doctrine(game.as_mut(), "LODGE", "PASS");
    }
    let mut input = Input::Begin;
    for mail in 1..5_000 {
        let batch = game.take(input.clone()).unwrap_or_else(|broken| panic!("{}", broken.why));
        came.french_letters += batch.letters.iter().map(|letter| u32::from(letter.seat.0 == "french")).sum::<u32>();
        let coalition: SideId = "coalition".into();
        let told = batch.entries.iter().filter(|entry| match entry.kind {
            "sight" => serde_json::from_str::<Value>(&entry.body).unwrap()["side"] == "coalition",
            "roll" => serde_json::from_str::<Roll>(&entry.body).unwrap().scope.open_to(&coalition),
            _ => false,
        });
        came.told.extend(told.map(|entry| entry.body.clone()));
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return came };
        input = if due.seat.0 == "french" {
            came.french_mails += 1;
            let (seat, mail) = (due.seat.clone(), format!("<{mail}@simulation>"));
            Input::Orders { seat, lines: vec![(1, "PASS".to_owned())], end: true, mail }
        } else {
            // What it writes follows from its view and the turn alone.
            simulate::mail_of(game.as_ref(), &due.seat, number, 0)
        };
    }
    panic!("it does not end");
}

#[test]
fn who_has_lodged_writes_no_mail_and_the_other_side_is_told_the_same() {
    for name in ["teaching.yaml", "teaching-fog.yaml"] {
        for number in 1..=2 {
            let (by_mail, lodged) = (idle(name, number, false), idle(name, number, true));
            assert!(by_mail.french_mails > 3 && lodged.french_mails == 0, "{name}: {}", lodged.french_mails);
            assert!(lodged.french_letters < by_mail.french_letters, "{name}: {} letters", lodged.french_letters);
            assert!(by_mail.told.len() > 50, "{name}: {} things told", by_mail.told.len());
            assert_eq!(by_mail.told, lodged.told, "{name}, game {number}");
        }
    }
}

#[test]
fn what_cannot_be_lodged_is_refused_when_it_is_written() {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let game = simulate::open(entry, &files("teaching.yaml"), 1).unwrap();
    let said = |seat: &str, words: &str| game.doctrine_line(&seat.into(), words);
    let good = said("french", "lodge move 100-1 1615 then fire 100-1 at 1514 for Campana").unwrap();
    assert_eq!(good, ("LODGE FOR Campana".to_owned(), "move 100-1 1615 then fire 100-1 at 1514".to_owned()));
    assert!(said("french", "LODGE TURN 2 MOVE 100-1 1615 FOR Campana").is_ok());
    for bad in ["LODGE", "LODGE MOVE 100-1 THEN", "LODGE TURN x MOVE 100-1 1615", "LODGE WAIT FOR Campana"] {
        assert!(said("french", bad).is_err(), "{bad}");
    }
    // Columns are the Coalition's, and nobody lodges for a leader of the enemy's.
    for (seat, whom) in [("french", "II"), ("french", "Miloradovich"), ("coalition", "Campana")] {
        assert!(said(seat, &format!("LODGE PUT 6J AT 0707 FOR {whom}")).is_err(), "{seat} {whom}");
    }
    assert!(said("coalition", "LODGE PUT 6J AT 0707 FOR II").is_ok());
}

/// What is lodged goes on until it is taken back: each letter with an open sheet says so, and how.
#[test]
fn what_is_lodged_stands_in_the_report_with_the_line_that_takes_it_back() {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut game = simulate::open(entry, &files("teaching.yaml"), 1).unwrap();
    let seat: SeatId = "french".into();
    let report = |game: &dyn Game| game.report(&seat, None).into_parts().1;
    let mut input = Input::Begin;
    while report(game.as_ref()).offers.is_empty() {
        let batch = game.take(input).unwrap_or_else(|broken| panic!("{}", broken.why));
        let due = batch.dues.first().expect("the French sheet is never open");
        input = simulate::mail_of(game.as_ref(), &due.seat, 1, 0);
    }
    assert_eq!(report(game.as_ref()).lodged, []);
    doctrine(game.as_mut(), "LODGE", "MOVE 100-1 1615 FOR Campana");
    let said = ("Campana: MOVE 100-1 1615".to_owned(), "DOCTRINE LODGE NONE FOR Campana".to_owned());
    assert_eq!(report(game.as_ref()).lodged, [said]);
    doctrine(game.as_mut(), "LODGE", "NONE FOR Campana");
    assert_eq!(report(game.as_ref()).lodged, []);
}

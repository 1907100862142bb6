//! What an umpire does to a game, at its host: free judgment of combats, amendments in every position, play taken back.

use crate::positions::seen;
use estafette::dice::{self, Fiat, Scope, Secrets};
use estafette::fog::{SeatId, SideId};
use estafette::games::{self, Stored};
use estafette::host::{Act, Batch, Game, Input, Tempo};
use estafette::rules::Ruleset;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::board::LeaderId;
use estafette::{orders, scenario, simulate};
use serde_json::json;
use std::cell::Cell;
use std::path::Path;

fn open(number: u64) -> Box<dyn Game> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns/teaching.yaml");
    let mut master = [0; 32];
    master[..8].copy_from_slice(&number.to_be_bytes());
    let files = scenario::files(&path).unwrap();
    let salt = dice::salt(&[]);
    let stored =
        Stored { game: "desk".into(), files, secrets: Secrets::One { master, salt }, tempo: Tempo::Live, kept: None };
    (games::find(games::GAMES, "campaigns").unwrap().open)(stored).unwrap()
}

fn umpire(act: Act) -> Input {
    Input::Umpire { by: SeatId("umpire".into()), act, reason: "as agreed".into() }
}

/// A whole game between the program's own players; `each` may act after every batch.
fn play(number: u64, first: Vec<Act>, judge: &dyn Fn(&str) -> Act) -> (Vec<(u32, String, String)>, u32) {
    let mut game = open(number);
    let mut log = Vec::new();
    let keep = |batch: &Batch, log: &mut Vec<(u32, String, String)>| {
        log.extend(batch.entries.iter().map(|e| (e.slot, e.kind.to_owned(), e.body.clone())));
    };
    let mut batch = game.take(Input::Begin).unwrap();
    keep(&batch, &mut log);
    for act in first {
        batch = game.take(umpire(act)).unwrap();
        keep(&batch, &mut log);
    }
    let mut judged = 0;
    for mail in 1..5_000_u32 {
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
        let input = if due.seat.0 == "umpire" {
            judged += 1;
            let question = &due.prompt.as_ref().unwrap().question;
            assert!(question.contains("The dice say"), "{question}");
            umpire(judge(question))
        } else {
            simulate::mail_of(game.as_ref(), &due.seat, number, mail - judged)
        };
        batch = game.take(input).unwrap();
        keep(&batch, &mut log);
    }
    assert!(batch.over);
    let played = open(number).replay(&log).unwrap_or_else(|broken| panic!("{}", broken.why));
    assert_eq!(usize::try_from(played).unwrap(), log.len());
    (log, judged)
}

/// What happened, without who said what.
fn happened(log: &[(u32, String, String)]) -> Vec<&(u32, String, String)> {
    log.iter().filter(|(_, kind, _)| matches!(kind.as_str(), "event" | "sight" | "roll")).collect()
}

#[test]
fn a_free_umpire_who_lets_the_tables_stand_plays_the_same_game() {
    let (mut judged, told) = (0, Cell::new(0));
    // What the tables would make of the roll is said of each side that would be told anything.
    let judge = |question: &str| {
        for said in question.split(";  the tables would tell ").skip(1) {
            assert!(said.split_once(": ").is_some_and(|(_, words)| !words.is_empty()), "{question}");
            told.set(told.get() + 1);
        }
        Act::Judge { dice: None }
    };
    for number in 1..6 {
        let (plain, none) = play(number, Vec::new(), &|_| unreachable!());
        assert_eq!(none, 0);
        let (free, asked) = play(number, vec![Act::Free { on: true }], &judge);
        assert_eq!(happened(&plain), happened(&free), "game {number}");
        judged += asked;
    }
    assert!(judged > 0, "no combat was fought");
    assert!(told.get() > 0, "no question says what the tables would tell");
}

#[test]
fn a_free_umpire_decides_a_combat_and_its_roll_says_so() {
    let mut decided = 0;
    for number in 1..6 {
        let (log, asked) = play(number, vec![Act::Free { on: true }], &|_| Act::Judge { dice: Some(vec![6]) });
        let by_fiat = |(_, kind, body): &&(u32, String, String)| kind == "roll" && body.contains("\"fiat\":true");
        let fiats: Vec<_> = log.iter().filter(by_fiat).collect();
        assert_eq!(u32::try_from(fiats.len()).unwrap(), asked);
        assert!(fiats.iter().all(|(_, _, body)| body.contains("\"dice\":[6]")), "{fiats:#?}");
        decided += asked;
    }
    assert!(decided > 0, "no combat was fought");
}

#[test]
fn play_taken_back_again_and_again_plays_again_from_its_chain() {
    for number in 1..4 {
        let mut game = open(number);
        let mut log: Vec<(u32, String, String)> = Vec::new();
        let mut batch = game.take(Input::Begin).unwrap();
        let mut back = 0;
        for mail in 1..2_000_u32 {
            log.extend(batch.entries.iter().map(|e| (e.slot, e.kind.to_owned(), e.body.clone())));
            let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
            let rests = game.rests();
            let act = Act::Rewind { rest: rests.len().saturating_sub(7).max(1) };
            batch = if matches!(mail, 9 | 16 | 21 | 22) && game.may(&act).is_ok() {
                back += 1;
                let slot = game.slot();
                let batch = game.take(umpire(act)).unwrap();
                assert!(game.slot() > game.last_slot() && game.slot() != slot);
                assert!(batch.slots_closed.contains(&slot));
                assert_eq!(batch.letters.len(), 2, "both sides are told");
                batch
            } else if mail == 12 {
                let fiat = Fiat {
                    scope: Scope::Public,
                    label: "weather".into(),
                    n: game.rolled(&Scope::Public, "weather"),
                    dice: vec![2],
                };
                game.take(umpire(Act::Fiat(fiat))).unwrap()
            } else {
                game.take(simulate::mail_of(game.as_ref(), &due.seat, number, mail)).unwrap()
            };
        }
        assert!(batch.over && back > 0, "game {number}: taken back {back} times");
        let played = open(number).replay(&log).unwrap_or_else(|broken| panic!("game {number}: {}", broken.why));
        assert_eq!(usize::try_from(played).unwrap(), log.len());
    }
}

#[test]
fn a_rewind_without_spare_dice_is_refused_and_the_game_stays_as_it_was() {
    let mut game = open(1);
    game.take(Input::Begin).unwrap();
    for _ in 0..16 {
        game.take(umpire(Act::Rewind { rest: 1 })).unwrap();
    }
    let before = game.truth();
    let fault = game.may(&Act::Rewind { rest: 1 }).unwrap_err().to_string();
    assert!(fault.contains("spare slots"), "{fault}");
    assert!(game.take(umpire(Act::Rewind { rest: 1 })).is_err());
    assert_eq!(game.truth(), before);
    assert_eq!(game.spares(), 16);
}

#[test]
fn an_amended_position_is_projected_like_any_other() {
    let mut game = open(2);
    game.take(Input::Begin).unwrap();
    // Set-up is over when both have ended it.
    for seat in ["french", "coalition"] {
        let input = Input::Orders { seat: SeatId(seat.into()), lines: Vec::new(), end: true, mail: seat.into() };
        game.take(input).unwrap();
    }
    let french = SideId("french".into());
    let before = game.history(&SeatId("coalition".into()), None).into_parts().1;
    let act = Act::Amend { side: french.clone(), text: "AP 2".into() };
    let batch = game.take(umpire(act)).unwrap();
    let told = |side: &str| {
        let sights = batch.entries.iter().take_while(|e| e.kind != "rest").filter(|e| e.kind == "sight");
        sights.filter(|e| e.body.contains(&format!("\"side\":\"{side}\""))).count()
    };
    assert_eq!((told("french"), told("coalition")), (1, 0));
    assert_eq!(game.history(&SeatId("coalition".into()), None).into_parts().1, before);
}

/// ¶272
#[test]
fn a_force_is_amended_into_the_mode_that_is_named() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns/teaching.yaml");
    let mut base = Campaigns::arrange(&scenario::files(&path).unwrap(), json!({"at": "own french"})).unwrap();
    let (french, lannes) = (SideId("french".into()), LeaderId("lannes".into()));
    for (line, forages) in [("MODE Lannes FORAGE", true), ("MODE Lannes CONCENTRATED", false)] {
        let events = Campaigns::amend(&base.state, &base.minds, &french, &orders::line(1, line)).unwrap();
        events.iter().for_each(|event| Campaigns::apply(&mut base.state, event));
        let view = seen::<Campaigns>(&base, &french);
        assert_eq!(view.own.leaders.get(&lannes).unwrap().forage, forages, "{line}");
    }
}

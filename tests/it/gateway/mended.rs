//! The umpire's desk on the teaching game: every amendment by mail, judgment, and one game with all of it together.

use super::bench::{Bench, TOYS, teaching, to};
use crate::noninterference::mails::house_player;
use estafette::audit::{bundle, verify};
use estafette::gateway::table;
use estafette::store::GameState;

const GAME: &str = "strem-1";

fn begun() -> Bench {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE one\nEND");
    bench.reply("coalition", "SIGNON\nNONCE two\nEND");
    bench
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The umpire's answer to a mail of his.
fn ask(bench: &mut Bench, body: &str) -> String {
    let mails = bench.reply("umpire", body);
    let answer = mails.iter().find(|m| m.to == "umpire@example.org" && m.subject.contains("commands answered"));
    flat(&answer.unwrap_or_else(|| panic!("{mails:#?}")).text)
}

fn audited(bench: &Bench) -> verify::Findings {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    let lines = bundle::bundle(&bench.office.store, &row, hosted.as_ref(), &bundle::Asker::All).unwrap();
    let found = verify::verify(&lines, TOYS);
    assert_eq!(found.faults, Vec::<String>::new());
    assert!(found.replayed.is_some(), "{found:?}");
    found
}

/// What stands in the game now, in the umpire's rows.
fn rows(bench: &Bench) -> String {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    format!("{:?}", table::rebuilt_rows(TOYS, &bench.office.store, &row).unwrap())
}

/// Plays on by the program's own player, the umpire's questions by the tables.
fn play(bench: &mut Bench, mails: u64) {
    for noise in 0..mails {
        match house_player(bench, noise) {
            None => return,
            Some((seat, _)) if seat == "umpire" => _ = bench.reply("umpire", "JUDGE TABLES"),
            Some((seat, body)) => _ = bench.reply(&seat, &body),
        }
    }
}

#[test]
fn each_kind_of_amendment_by_mail_is_done_told_to_whom_it_concerns_and_plays_again() {
    let mut bench = begun();
    let amendments = [
        ("AMEND french PLACE Gazan AT 0408 REASON x", "french", "0408"),
        ("AMEND french MODE Gazan FORAGE REASON x", "french", "umpire put Gazan into Forage Mode"),
        ("AMEND french FACE Gazan UP REASON x", "coalition", "Gazan"),
        ("AMEND french FACE Gazan DOWN REASON x", "coalition", "Gazan"),
        ("AMEND french WEATHER Fair REASON x", "coalition", "Fair"),
        ("AMEND french BRIDGE 0605/0705 DAMAGED REASON x", "coalition", "0605/0705"),
        ("AMEND coalition INTEL E1 IS Lannes REASON x", "coalition", "umpire tells you that E1 is Lannes"),
        ("AMEND coalition INTEL E1 UNKNOWN REASON x", "coalition", "umpire takes back what you knew of E1"),
        ("AMEND french MORALE 1 REASON x", "coalition", "umpire set morale to 1"),
    ];
    for (line, _, _) in amendments {
        let text = ask(&mut bench, line);
        assert!(text.contains("it is so now"), "{line}: {text}");
    }
    assert!(rows(&bench).contains("0408"), "{}", rows(&bench));
    // The mover reads of it at once, the other with the next report to all.
    for _ in 0..3 {
        let mover = bench.office.store.dues(GAME).unwrap().remove(0).seat;
        bench.reply(&mover, "END");
    }
    let said = |seat: &str| flat(&to(&bench.out(), seat).iter().map(|m| m.text.clone()).collect::<String>());
    let (french, coalition) = (said("french"), said("coalition"));
    for (line, seat, told) in amendments {
        let (own, other) = if seat == "french" { (&french, &coalition) } else { (&coalition, &french) };
        assert!(own.contains(told), "{line}: {own}");
        if line.contains("INTEL") || line.contains("MODE") {
            assert!(!other.contains(told), "{line}");
        }
    }
    let found = audited(&bench);
    assert_eq!(found.ledger.iter().filter(|line| line.contains("AMEND")).count(), 9, "{:#?}", found.ledger);
}

#[test]
fn a_game_with_hold_amendment_fiat_rewind_and_judgment_ends_and_its_audit_lists_each() {
    let mut bench = begun();
    ask(&mut bench, "OPTION kriegsspiel on");
    assert!(ask(&mut bench, "HOLD").contains("DONE"));
    assert!(ask(&mut bench, "AMEND french AP 7 REASON the packet was lost").contains("it is so now"));
    play(&mut bench, 3);
    assert!(ask(&mut bench, "RELEASE").contains("DONE"));
    let label = "FIAT weather 2 REASON a dry autumn";
    assert!(ask(&mut bench, label).contains("DONE"));
    play(&mut bench, 4);
    let list = ask(&mut bench, "REWIND");
    assert!(list.contains("REST POINTS"), "{list}");
    assert!(ask(&mut bench, "REWIND 3 REASON a wrong road was read").contains("play goes on from"));
    let mut judged = false;
    for noise in 0..400 {
        match house_player(&bench, noise) {
            None => break,
            Some((seat, _)) if seat == "umpire" => {
                judged |= ask(&mut bench, "JUDGE TABLES").contains("DONE");
            }
            Some((seat, body)) => _ = bench.reply(&seat, &body),
        }
    }
    assert_eq!(bench.office.store.game(GAME).unwrap().unwrap().state, GameState::Over);
    let found = audited(&bench);
    for wanted in ["HOLD", "AMEND french AP 7", "RELEASE", "FIAT weather", "REWIND 3", "OPTION kriegsspiel"] {
        assert!(found.ledger.iter().any(|line| line.contains(wanted)), "{wanted}: {:#?}", found.ledger);
    }
    let asked = found.ledger.iter().any(|line| line.contains("JUDGE"));
    assert_eq!(asked, judged, "{:#?}", found.ledger);
    assert_eq!(found.rolls_open, 0);
}

#[test]
fn an_umpire_s_judgment_by_mail_decides_the_combat_that_waits_for_him() {
    let mut bench = begun();
    ask(&mut bench, "OPTION kriegsspiel on");
    let mut decided = 0;
    for noise in 0..400 {
        match house_player(&bench, noise) {
            None => break,
            Some((seat, _)) if seat == "umpire" => {
                // Too many dice, and as many as it takes with a face that none has.
                for wrong in ["JUDGE 7 7", "JUDGE 6 6 6", "JUDGE 7"] {
                    let text = ask(&mut bench, wrong);
                    assert!(text.contains("REFUSED") && text.contains("the roll takes"), "{wrong}: {text}");
                }
                let text = ask(&mut bench, "JUDGE 6");
                decided += u32::from(text.contains("DONE"));
                if !text.contains("DONE") {
                    assert!(ask(&mut bench, "JUDGE TABLES").contains("DONE"), "{text}");
                }
            }
            Some((seat, body)) => _ = bench.reply(&seat, &body),
        }
    }
    let found = audited(&bench);
    assert_eq!(found.fiats, decided);
    assert_eq!(u32::try_from(found.ledger.iter().filter(|l| l.contains("JUDGE 6")).count()).unwrap(), decided);
    assert!(decided > 0, "no combat was fought");
}

#[test]
fn a_fiat_that_fits_no_roll_is_told_to_the_umpire_when_it_lapses_and_to_nobody_else() {
    let mut bench = begun();
    // The weather is one die; a pair fits nothing, and so does a label that is never thrown.
    assert!(ask(&mut bench, "FIAT sunshine 4 REASON x").contains("DONE"));
    let lapsed = |bench: &Bench| -> Vec<(String, String)> {
        let mails = bench.out().into_iter().filter(|m| m.subject.contains("a fiat has lapsed"));
        mails.map(|m| (m.to, flat(&m.text))).collect()
    };
    assert!(lapsed(&bench).is_empty());
    for _ in 0..20 {
        let Some(due) = bench.office.store.dues(GAME).unwrap().into_iter().next() else { break };
        bench.reply(&due.seat, "END");
        if !lapsed(&bench).is_empty() {
            break;
        }
    }
    let told = lapsed(&bench);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].0 == "umpire@example.org" && told[0].1.contains("FIAT public sunshine = 4 fitted no roll"),
        "{told:?}"
    );
    // One that was thrown does not lapse.
    assert!(ask(&mut bench, "FIAT weather 2 REASON x").contains("DONE"));
    play(&mut bench, 400);
    assert!(lapsed(&bench).len() <= 2, "{:?}", lapsed(&bench));
    audited(&bench);
}

#[test]
fn a_rewind_past_a_resignation_says_that_the_seat_stays_free() {
    let mut bench = begun();
    let text = flat(&to(&bench.reply("coalition", "RESIGN"), "coalition").last().unwrap().text);
    let code = text.split("CONFIRM ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().to_owned();
    bench.reply("coalition", &format!("CONFIRM {code}"));
    let text = ask(&mut bench, "REWIND 2 REASON he had not resigned then");
    assert!(text.contains("coalition had resigned, and no rewind brings a person back"), "{text}");
    ask(&mut bench, "REPLACE coalition schwarzenberg@example.org");
    bench.confirm("umpire@example.org");
    let mails = bench.confirm("schwarzenberg@example.org");
    assert!(to(&mails, "schwarzenberg")[0].text.contains("is yours"), "{mails:#?}");
    audited(&bench);
}

#[test]
fn what_an_umpire_who_plays_does_to_the_clock_is_told_to_all() {
    let (mut bench, _, umpire) = Bench::with_playing_umpire();
    let mut wrote = |body: &str, from: &str, subject: &str| {
        bench.post(from, subject, body);
        let mails = bench.pass();
        flat(&to(&mails, "coalition").iter().map(|m| m.text.clone()).collect::<String>())
    };
    for (body, wanted) in [
        ("EXTEND french 24", "umpire, who plays french in this game, has moved a deadline"),
        ("PAUSE", "umpire, who plays french in this game, has stopped the clock"),
        ("RESUME", "has let the clock of this game go on"),
        ("PROCEED ALL", "has let the defaults play for what was missing"),
    ] {
        let told = wrote(body, "french@example.org", &umpire);
        assert!(told.contains(wanted), "{body}: {told}");
    }
}

#[test]
fn an_amendment_is_taken_while_the_game_is_held_and_an_order_is_half_carried_out() {
    let mut bench = begun();
    let asked =
        |bench: &Bench| bench.office.store.dues(GAME).unwrap().iter().any(|due| due.address.starts_with("ask/"));
    let morale = |bench: &Bench| {
        let told = bench.office.store.log_of_kind(GAME, "sight", 1).unwrap();
        told.iter().filter(|told| told.body.to_lowercase().contains("morale")).count()
    };
    bench.reply("french", "DOCTRINE CONTACT ASK");
    ask(&mut bench, "AMEND coalition PLACE Bagration AT 0506 REASON the march is to meet him");
    let mails = bench.reply("french", "FORCE Lannes COMMAND MARCH 0205 0305 0405 0505");
    let said = flat(&to(&mails, "french").iter().map(|m| m.text.clone()).collect::<String>());
    assert!(said.contains("1 line is being carried out") && !said.contains("no line waits"), "{said}");
    assert!(asked(&bench), "no question came up: {:?}", bench.office.store.dues(GAME).unwrap());
    assert!(ask(&mut bench, "HOLD").contains("DONE"));
    let before = morale(&bench);
    let text = ask(&mut bench, "AMEND french MORALE 1 REASON a count");
    assert!(text.contains("it is taken. An order is half carried out and waits for french"), "{text}");
    // What cannot be is refused at once, and nothing is changed under the order.
    assert!(ask(&mut bench, "AMEND french STRENGTH Suchet 99 REASON x").contains("REFUSED"));
    assert_eq!(morale(&bench), before);
    let mut bench = bench.reopened();
    bench.reply("french", "STOP");
    assert!(!asked(&bench) && morale(&bench) > before, "it is made when the order is done");
    assert!(ask(&mut bench, "RELEASE").contains("DONE"));
    play(&mut bench, 2);
    for seat in ["french", "coalition"] {
        let said = flat(&to(&bench.out(), seat).iter().map(|m| m.text.clone()).collect::<String>());
        assert!(said.contains("umpire set morale to 1"), "{seat}");
    }
    let found = audited(&bench);
    assert!(found.ledger.iter().any(|line| line.contains("AMEND french MORALE 1")), "{:#?}", found.ledger);
}

#[test]
fn an_amendment_that_cannot_be_made_any_more_is_told_to_the_umpire() {
    let mut bench = begun();
    bench.reply("french", "DOCTRINE CONTACT ASK");
    ask(&mut bench, "AMEND coalition PLACE Bagration AT 0506 REASON the march is to meet him");
    bench.reply("french", "FORCE Lannes COMMAND MARCH 0205 0305 0405 0505");
    // Each alone can be; the second puts him where the first has put an enemy.
    for line in ["AMEND french PLACE Gazan AT 0408 REASON x", "AMEND coalition PLACE Kutuzov AT 0408 REASON x"] {
        let text = ask(&mut bench, line);
        assert!(text.contains("it is taken."), "{line}: {text}");
    }
    let mails = bench.reply("french", "STOP");
    let told: Vec<_> = to(&mails, "umpire").into_iter().filter(|m| m.subject.contains("was not made")).collect();
    assert!(told.len() == 1 && flat(&told[0].text).contains("AMEND coalition PLACE Kutuzov AT 0408"), "{mails:#?}");
    audited(&bench);
}

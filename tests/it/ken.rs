//! Seats that know only their own: what their pieces see, what dispatches bring, and orders that travel.

use crate::gateway::bench::{Bench, Mail, TOYS, teaching, to};
use crate::museum;
use crate::staff::{STAFF, answer, at_sheet_a, begun, flat, go_on_to, hosted, staffed};
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::verify;
use estafette::dice::{Owner, Roll, Scope};
use estafette::fog::SeatId;
use estafette::host::Game;
use estafette::simulate;
use estafette::store::{GameState, Tempo};
use std::collections::BTreeSet;

/// The staff of the teaching game, each seat for itself; `more` lines of the file.
pub fn apart(more: &str) -> String {
    let head = format!("kind: staff\nknowledge: own\ncouriers: {{mp: 18, taken: 6, stopped: 0}}\n{more}");
    STAFF.replace("kind: staff\n", &head)
}

/// The seat of lannes commands Gazan in 0407, two hexes and more from all of napoleon's, who is with the center in 0205.
fn far(more: &str) -> String {
    apart(more).replace("[Lannes]", "[Gazan]")
}

fn all_to(bench: &Bench, seat: &str) -> String {
    to(&bench.out(), seat).iter().map(|mail| flat(&mail.text)).collect()
}

fn report(bench: &mut Bench, seat: &str) -> String {
    answer(&bench.reply(seat, "REPORT"), seat)
}

/// The part of a report between two of its titles.
fn part<'a>(text: &'a str, from: &str, until: &str) -> &'a str {
    text.split(from).nth(1).unwrap_or_else(|| panic!("no {from} in {text}")).split(until).next().unwrap()
}

#[test]
fn what_another_seat_of_the_side_does_out_of_sight_shows_in_no_mail() {
    let run = |words: &str| -> Vec<Mail> {
        let mut bench = at_sheet_a(&far("sight: 0\n"), Tempo::Live, "");
        let said = answer(&bench.reply("lannes", words), "lannes");
        assert!(said.contains("DONE") || said.contains("TAKEN"), "{said}");
        bench.reply("napoleon", "END");
        bench.reply("lannes", "END");
        go_on_to(&mut bench, "2/french/A");
        bench.reply("napoleon", "REPORT\nHISTORY\nMAP\nORDERS\nSUMMARY\nAUDIT");
        to(&bench.out(), "napoleon").into_iter().cloned().collect()
    };
    let quiet = run("FORCE Gazan HOLD");
    let busy = run("FORCE Gazan INITIATIVE MARCH 0406");
    assert_eq!(quiet.len(), busy.len());
    assert!(quiet.len() > 8);
    for (one, two) in quiet.iter().zip(&busy) {
        assert_eq!((&one.subject, one.unsealed()), (&two.subject, two.unsealed()));
    }
}

/// The labels of a side's own rolls that a seat has been told of.
fn labels(game: &dyn Game, seat: &str) -> BTreeSet<String> {
    let rolls = game.rolls_of(&SeatId::from(seat)).into_iter();
    rolls.filter(|(_, roll)| roll.scope != Scope::Public).map(|(_, roll)| roll.label).collect()
}

#[test]
fn a_seat_reads_the_dice_of_its_own_forces_and_of_the_army_and_no_others() {
    let mut bench = at_sheet_a(&far("sight: 0\n"), Tempo::Live, "");
    bench.reply("napoleon", "FORCE MC1 INITIATIVE MARCH 0405 0404\nEND");
    bench.reply("lannes", "FORCE Gazan INITIATIVE MARCH 0407 0406\nDISPATCH TO napoleon\nI march.\nEND DISPATCH\nEND");
    go_on_to(&mut bench, "2/french/A");
    let game = hosted(&bench);
    let all: BTreeSet<String> = game.rolls(None).into_iter().map(|(_, roll)| roll.label).collect();
    let (cavalry, gazan) = ("initiative/mg_cav_f1/move", "initiative/gazan/move");
    assert!([cavalry, gazan, "ap"].iter().all(|label| all.contains(*label)), "{all:?}");
    assert!(all.iter().any(|label| label.starts_with("courier/")), "{all:?}");
    // A chain that was begun before a roll said who made it gives each seat the same.
    let older = museum::opened(bench.dir.path(), "strem-1", |entry, body| {
        if entry == "roll" {
            body.as_object_mut().unwrap().remove("owner");
        }
    });
    for game in [game, older.unwrap()] {
        let (napoleon, lannes) = (labels(game.as_ref(), "napoleon"), labels(game.as_ref(), "lannes"));
        assert!(napoleon.contains(cavalry) && napoleon.contains("ap") && !napoleon.contains(gazan), "{napoleon:?}");
        assert!(lannes.contains(gazan) && lannes.contains("ap") && !lannes.contains(cavalry), "{lannes:?}");
        // Of a courier nobody hears before he comes in, his writer neither.
        assert!(!napoleon.iter().chain(&lannes).any(|label| label.starts_with("courier/")), "{napoleon:?} {lannes:?}");
    }
    bench.reply("lannes", "REPORT\nHISTORY\nAUDIT");
    assert!(!all_to(&bench, "lannes").contains("mg_cav_f1"));
}

#[test]
fn every_roll_of_a_sides_own_says_who_made_it() {
    let mut game = simulate::open(estafette::games::find(TOYS, "campaigns").unwrap(), &teaching(), 1).unwrap();
    let (_, chain) = simulate::play(game.as_mut(), 1, |_, _| Ok(())).unwrap_or_else(|stuck| panic!("{stuck:?}"));
    let mut leaders = 0;
    for (_, _, body) in chain.iter().filter(|(_, kind, _)| kind == "roll") {
        let roll: Roll = serde_json::from_str(body).unwrap();
        match (&roll.scope, &roll.owner) {
            (Scope::Public, None) => {}
            (Scope::Of(_), Some(Owner::Leader(line))) => {
                assert_eq!(roll.label.split('/').nth(1), line.first().map(String::as_str), "{body}");
                leaders += 1;
            }
            (Scope::Of(_), Some(Owner::Army)) => assert!(!roll.label.contains('/'), "{body}"),
            _ => panic!("whose is it? {body}"),
        }
    }
    assert!(leaders > 5, "{leaders} rolls of leaders");
}

#[test]
fn a_seat_remembers_where_others_stood_and_a_dispatch_brings_their_state_of_that_day() {
    let mut bench = at_sheet_a(&far("sight: 0\n"), Tempo::Live, "");
    bench.reply("lannes", "FORCE Gazan COMMAND MARCH 0406");
    bench.reply("napoleon", "END");
    bench.reply("lannes", "DISPATCH TO napoleon\nI am on the road.\nEND DISPATCH\nEND");
    let now = report(&mut bench, "lannes");
    assert!(part(&now, "YOUR FORCES", "Total").contains("Gazan 3 0406"), "{now}");
    // Of what has just happened out of his sight, napoleon knows nothing.
    let before = report(&mut bench, "napoleon");
    assert!(part(&before, "YOUR FORCES", "Total").contains("Gazan 3 0407"), "{before}");
    go_on_to(&mut bench, "2/french/A");
    let text = report(&mut bench, "napoleon");
    let forces = part(&text, "YOUR FORCES", "Total");
    assert!(forces.contains("Gazan 3 0406") && forces.contains("(as of turn 1)"), "{forces}");
    assert!(text.contains("lannes: Gazan; last heard from at 0406, turn 1"), "{text}");
    // The writer does not learn that it came in, and knows of Lannes what he knew.
    assert!(!all_to(&bench, "lannes").contains("reached napoleon"));
    let text = report(&mut bench, "lannes");
    assert!(part(&text, "YOUR FORCES", "Total").contains("art 2 (as of turn 1)"), "{text}");
    // Where each counter of the enemy stood when it was last seen.
    assert!(part(&text, "ENEMY", "MAP").contains("1005 t1"), "{text}");
}

#[test]
fn enemies_in_sight_are_told_to_those_who_see_them_and_to_no_other_seat() {
    let mut bench = at_sheet_a(&apart("sight: 1\n"), Tempo::Live, "");
    bench.reply("napoleon", "END");
    bench.reply("lannes", "END");
    // 0507 is a hex from Gazan, who is napoleon's, and more from Lannes at 0205. He comes there behind a sheet of the French,
    // before whose battles no die moves him on.
    go_on_to(&mut bench, "2/french/A");
    bench.reply("umpire", "AMEND coalition PLACE Bagration AT 0507 REASON the test wants him there");
    go_on_to(&mut bench, "2/french/B");
    let told = |seat: &str| hosted(&bench).history(&SeatId::from(seat), None).body().join(" ");
    let (napoleon, lannes) = (told("napoleon"), told("lannes"));
    assert!(napoleon.contains("0507"), "{napoleon}");
    assert!(!lannes.contains("0507"), "{lannes}");
    let rows = |bench: &mut Bench, seat: &str| part(&report(bench, seat), "ENEMY", "MAP").to_owned();
    let his = rows(&mut bench, "napoleon");
    assert!(his.contains("0507"), "{his}");
    let his = rows(&mut bench, "lannes");
    assert!(his.contains("0903 t1") && !his.contains("0507"), "he still has him where he was: {his}");
}

#[test]
fn an_order_of_the_commander_travels_and_is_carried_out_when_it_comes_in() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let staff = far("sight: 1\ncommander_orders: travel\n");
        let mut bench = at_sheet_a(&staff, tempo, "");
        let text = answer(&bench.reply("napoleon", "CHECK\nFORCE Gazan COMMAND MARCH 0406"), "napoleon");
        assert!(text.contains("a courier would take it to lannes"), "{text}");
        let text = answer(&bench.reply("napoleon", "FORCE Gazan COMMAND MARCH 0406\nFORCE Lannes HOLD"), "napoleon");
        assert!(text.contains("SENT a courier takes it to lannes, who carries it out when he comes in."), "{text}");
        bench.reply("napoleon", "END");
        bench.reply("lannes", "END");
        assert!(!all_to(&bench, "lannes").contains("COMMAND MARCH 0406"), "it is still on its way");
        go_on_to(&mut bench, "2/french/A");
        let text = report(&mut bench, "lannes");
        assert!(all_to(&bench, "lannes").contains("and carried orders: FORCE Gazan COMMAND MARCH 0406"), "{text}");
        // To take back his own lines takes back nothing of it.
        bench.reply("lannes", "UNDO");
        bench.reply("napoleon", "END");
        bench.reply("lannes", "END");
        let all = all_to(&bench, "lannes");
        assert!(all.contains("by order of napoleon, whose courier brought it"), "{tempo:?} {all}");
        let text = report(&mut bench, "lannes");
        assert!(part(&text, "YOUR FORCES", "Total").contains("Gazan 3 0406"), "{tempo:?} {text}");
        let row = bench.office.store.game("strem-1").unwrap().unwrap();
        let found = verify(&bundle(&bench.office.store, &row, hosted(&bench).as_ref(), &Asker::All).unwrap(), TOYS);
        assert_eq!(found.faults, Vec::<String>::new());
    }
}

#[test]
fn whom_the_commander_is_with_obeys_at_once() {
    // Lannes begins in 0205, where the center is.
    let mut bench = at_sheet_a(&apart("commander_orders: travel\n"), Tempo::Live, "");
    bench.reply("lannes", "END");
    let text = answer(&bench.reply("napoleon", "FORCE Lannes COMMAND MARCH 0305"), "napoleon");
    assert!(!text.contains("SENT") && text.contains("DONE"), "{text}");
}

#[test]
fn games_of_seats_that_know_only_their_own_come_to_their_end_and_an_audit_finds_no_difference() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let mut bench = begun(&apart("sight: 2\ncommander_orders: travel\n"), tempo, "");
        let mut sent = 0;
        for noise in 0..400 {
            let game = hosted(&bench);
            let Some(due) = game.dues().first().cloned() else { break };
            let side = game.seats().into_iter().find(|(seat, _)| *seat == due.seat).unwrap().1;
            // What lies hidden from the side shows in no seat's report.
            if noise % 7 == 0 {
                let other = game.scrambled(&side, noise + 1);
                assert_eq!(game.report(&due.seat, Some(0)), other.report(&due.seat, Some(0)), "{}", due.seat);
            }
            let lines = game.bot(&due.seat, noise).into_parts().1;
            let mails = bench.reply(&due.seat.0, &lines.join("\n"));
            sent += mails.iter().filter(|mail| mail.text.contains("SENT")).count();
        }
        let row = bench.office.store.game("strem-1").unwrap().unwrap();
        assert_eq!(row.state, GameState::Over);
        let lines = bundle(&bench.office.store, &row, hosted(&bench).as_ref(), &Asker::All).unwrap();
        let found = verify(&lines, TOYS);
        assert_eq!(found.faults, Vec::<String>::new());
        assert!(sent > 0, "no order travelled");
    }
}

#[test]
fn what_a_staff_of_its_own_knowledge_lacks_is_told_with_its_cure() {
    let rides = "couriers: {mp: 18, taken: 6, stopped: 0}\n";
    for (from, into, wanted) in [
        (rides, "", "Seats that know only their own hear of each other by courier"),
        ("knowledge: own\n", "sight: 2\n", "Add `knowledge: own`"),
        (rides, "couriers: {mp: 18}\nsight: 99\n", "Write a number of hexes up to 50."),
        (rides, "couriers: {mp: 18}\ncommander_orders: travl\n", "travel"),
        ("knowledge: own\n", "knowledge: owned\n", "shared"),
    ] {
        let mut bench = Bench::new();
        let said = bench.office.new_game(&staffed(&apart("").replacen(from, into, 1))).unwrap_err().to_string();
        assert!(said.contains(wanted), "{into}: {said}");
    }
    let staff = STAFF.replace("kind: staff\n", "kind: staff\ncommander_orders: travel\n");
    let said = Bench::new().office.new_game(&staffed(&staff)).unwrap_err().to_string();
    assert!(said.contains("Orders travel by courier"), "{said}");
}

/// Two seats of the French: Gazan's division, and all others. Napoleon's words are for the first turn's march and battle.
fn far_battle(words: [&str; 2]) -> Bench {
    let staff = far("sight: 1\n");
    let mut bench = at_sheet_a(&staff, Tempo::Live, "");
    let mut words = words.into_iter();
    for round in 0..80 {
        let game = hosted(&bench);
        let Some(stage) = game.stage().filter(|stage| stage.key != "2/french/A") else { break };
        let due = game.dues().first().cloned().unwrap();
        let own = due.seat.0 == "napoleon" && ["1/french/A", "1/french/B"].contains(&stage.key.as_str());
        let lines = match (own, &due.prompt) {
            (true, None) => words.next().unwrap().to_owned(),
            (_, Some(_)) => game.bot(&due.seat, round).into_parts().1.join("\n"),
            (false, None) => String::new(),
        };
        if own {
            bench.reply("umpire", "FIAT french initiative/mg_cav_f1/move 1 REASON the test wants him on his way");
        }
        bench.reply(&due.seat.0, &format!("{lines}\nEND"));
    }
    bench
}

#[test]
fn a_battle_out_of_sight_shows_in_neither_dice_nor_losses() {
    let march = "FORCE MC1 INITIATIVE MARCH 0405 0505 0605";
    let mut busy = far_battle([march, "ATTACK 0705 WITH MC1"]);
    let quiet = far_battle(["FORCE MC1 HOLD", ""]);
    let fought = |bench: &Bench, seat: &str| {
        hosted(bench).rolls_of(&SeatId::from(seat)).iter().any(|(_, roll)| roll.label == "crt/0705")
    };
    assert!(fought(&busy, "napoleon") && !fought(&quiet, "napoleon") && !fought(&busy, "lannes"));
    assert!(report(&mut busy, "napoleon").contains("Total 22 SP, lost so far 1"));
    assert!(report(&mut busy, "lannes").contains("Total 23 SP, lost so far 0"));
    busy.reply("lannes", "REPORT TURN 1\nHISTORY\nSUMMARY\nDICE\nAUDIT\nWHY 1");
    // The stages are public, so that battles are fought is no secret; where, how they fell, and what they cost is one.
    let told = all_to(&busy, "lannes");
    // By itself: a seal may hold these letters.
    let rolled = told.split(|c: char| !c.is_alphanumeric()).any(|word| word == "crt");
    assert!(!rolled && !told.contains("lost so far 1") && told.contains("public weather 0 1d6"), "{told}");
    let film = |bench: &Bench| hosted(bench).film(Some(&SeatId::from("lannes"))).into_parts().1.unwrap();
    let last = |bench: &Bench| film(bench).frames.pop().map(|frame| (frame.lost, frame.luck));
    assert_eq!(last(&busy), last(&quiet));
    let row = busy.office.store.game("strem-1").unwrap().unwrap();
    let asker = Asker::Seat { seat: "lannes".into(), side: "french".into() };
    let found = verify(&bundle(&busy.office.store, &row, hosted(&busy).as_ref(), &asker).unwrap(), TOYS);
    assert_eq!(found.faults, Vec::<String>::new());
}

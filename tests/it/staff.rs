//! Several seats of one side: each writes for its own leaders, the army commander above them; by mail to the end.

use crate::gateway::bench::{Bench, Mail, TOYS, campaign, teaching, to};
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::verify;
use estafette::fog::{SeatId, SideId};
use estafette::gateway::{NewGame, table};
use estafette::host::Game;
use estafette::rules::Ruleset;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::staff::{Concern, seated};
use estafette::scenario;
use estafette::store::{GameState, Tempo};
use estafette::terms;

pub const STAFF: &str = "kind: staff
seats:
- {seat: napoleon, side: french, commander: true}
- {seat: lannes, side: french, commands: [Lannes]}
- {seat: kutuzov, side: coalition}
- {seat: bagration, side: coalition, commands: [Bagration]}
";
pub const SEATS: [&str; 4] = ["napoleon", "lannes", "kutuzov", "bagration"];

pub fn staffed(staff: &str) -> NewGame {
    let files = scenario::with_file(teaching(), "staff.yaml", staff.to_owned());
    let seats = SEATS.iter().map(|seat| ((*seat).to_owned(), vec![format!("{seat}@example.org")])).collect();
    NewGame { seats, ..campaign(&files) }
}

/// The game on its way, with two seats a side.
pub fn begun(staff: &str, tempo: Tempo, options: &str) -> Bench {
    let mut bench = Bench::new();
    let terms = (!options.is_empty()).then(|| terms::read("game.yaml", options).unwrap());
    bench.office.new_game_on(&NewGame { tempo, ..staffed(staff) }, terms.as_ref()).unwrap();
    bench.pass();
    for seat in SEATS {
        bench.reply(seat, &format!("SIGNON\nNONCE the word of {seat}"));
    }
    assert_eq!(bench.office.store.game("strem-1").unwrap().unwrap().state, GameState::Playing);
    bench
}

/// All four have set up: the first turn's own sheet of the French is open.
pub fn at_sheet_a(staff: &str, tempo: Tempo, options: &str) -> Bench {
    let mut bench = begun(staff, tempo, options);
    for seat in SEATS {
        bench.reply(seat, "END");
    }
    assert!(hosted(&bench).stage().unwrap().key.ends_with("french/A"));
    bench
}

pub fn hosted(bench: &Bench) -> Box<dyn Game> {
    let row = bench.office.store.game("strem-1").unwrap().unwrap();
    table::open(TOYS, &bench.office.store, &row).unwrap()
}

pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn answer(mails: &[Mail], seat: &str) -> String {
    let all = to(mails, seat);
    assert_eq!(all.len(), 1, "{mails:#?}");
    flat(&all[0].text)
}

fn on_sheets(bench: &Bench) -> Vec<String> {
    hosted(bench).dues().into_iter().filter(|due| due.prompt.is_none()).map(|due| due.seat.0).collect()
}

#[test]
fn four_seats_play_the_teaching_game_by_mail_to_its_end_and_its_audit_finds_no_difference() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let mut bench = begun(STAFF, tempo, "");
        let mut wrote = std::collections::BTreeMap::<String, u32>::new();
        for noise in 0..400 {
            let game = hosted(&bench);
            let Some(due) = game.dues().first().cloned() else { break };
            let lines = game.bot(&due.seat, noise).into_parts().1;
            *wrote.entry(due.seat.0.clone()).or_default() += 1;
            bench.reply(&due.seat.0, &lines.join("\n"));
        }
        let row = bench.office.store.game("strem-1").unwrap().unwrap();
        assert_eq!(row.state, GameState::Over, "{wrote:?}");
        assert_eq!(wrote.len(), 4, "{wrote:?}");
        let lines = bundle(&bench.office.store, &row, hosted(&bench).as_ref(), &Asker::All).unwrap();
        let found = verify(&lines, TOYS);
        assert_eq!(found.faults, Vec::<String>::new());
        assert!(found.replayed.is_some_and(|entries| entries > 100), "{found:?}");
        // Each seat's mails are numbered by themselves, without a gap.
        let out = bench.out();
        for seat in SEATS {
            let numbers: Vec<u32> = to(&out, seat).iter().filter_map(|mail| number(&mail.text)).collect();
            assert!(numbers.len() > 8, "{seat}: {numbers:?}");
            assert!(numbers.windows(2).all(|w| w[1] > w[0]), "{seat}: {numbers:?}");
        }
        assert_eq!(bench.office.store.integrity().unwrap(), Vec::<String>::new());
    }
}

/// The number in the head line of a report.
fn number(text: &str) -> Option<u32> {
    let after = flat(text).split(" mail ").nth(1)?.split(' ').next()?.to_owned();
    after.parse().ok()
}

#[test]
fn a_seat_orders_its_own_leaders_and_is_told_who_commands_the_others() {
    let mut bench = at_sheet_a(STAFF, Tempo::Live, "");
    assert_eq!(on_sheets(&bench), ["napoleon", "lannes"]);
    let text = answer(&bench.reply("lannes", "FORCE Gazan HOLD\nSOURCE CONTINUE\nFORCE Lannes HOLD"), "lannes");
    assert!(text.contains("Gazan is commanded by napoleon, not by you; PRESS TO napoleon asks for it"), "{text}");
    // CHECK says the same, and ORDERS shows nothing that is not his.
    let text = answer(&bench.reply("lannes", "CHECK\nFORCE Gazan HOLD"), "lannes");
    assert!(text.contains("NOT TAKEN Gazan is commanded by napoleon"), "{text}");
    let text = answer(&bench.reply("lannes", "ORDERS"), "lannes");
    assert!(text.contains("FORCE Lannes") && !text.contains("FORCE Gazan"), "{text}");
    // What is the army's is its commander's, and he may order all.
    let text = answer(&bench.reply("lannes", "FLOOR AP 3"), "lannes");
    assert!(text.contains("that is the army commander's, napoleon"), "{text}");
    let text = answer(&bench.reply("napoleon", "FLOOR AP 3\nFORCE Lannes HOLD"), "napoleon");
    assert!(!text.contains("REFUSED"), "{text}");
    // Oudinot stands under Lannes and so obeys who commands Lannes.
    let text = answer(&bench.reply("lannes", "DETACH Oudinot"), "lannes");
    assert!(text.contains("it waits for napoleon, who may still write"), "{text}");
    assert!(text.contains("DETACH Oudinot TAKEN"), "{text}");
}

#[test]
fn by_option_a_commander_orders_only_whom_nobody_else_commands_until_that_seat_resigns() {
    let staff = STAFF.replace("kind: staff\n", "kind: staff\ncommander_orders: own\n");
    let mut bench = at_sheet_a(&staff, Tempo::Live, "");
    let text = answer(&bench.reply("napoleon", "FORCE Lannes COMMAND MARCH 0305"), "napoleon");
    assert!(text.contains("Lannes is commanded by lannes, not by you"), "{text}");
    let text = flat(&to(&bench.reply("lannes", "RESIGN"), "lannes").last().unwrap().text);
    let code = text.split("CONFIRM ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().to_owned();
    bench.reply("lannes", &format!("CONFIRM {code}"));
    assert_eq!(on_sheets(&bench), ["napoleon"]);
    // From the next rest point on his leaders obey the commander.
    bench.reply("napoleon", "CENTER HOLD");
    let text = answer(&bench.reply("napoleon", "FORCE Lannes COMMAND MARCH 0205 0305"), "napoleon");
    assert!(text.contains("lannes: Lannes; resigned") || text.contains("DONE"), "{text}");
    assert!(!text.contains("is commanded by"), "{text}");
}

#[test]
fn a_later_segment_waits_until_every_seat_is_through_with_the_earlier_ones() {
    let mut bench = at_sheet_a(STAFF, Tempo::Live, "");
    // ¶50: an Initiative march of one seat must not end the others' Movement Commands.
    let text = answer(&bench.reply("lannes", "FORCE Lannes INITIATIVE MARCH 0205 0305"), "lannes");
    assert!(text.contains("TAKEN"), "{text}");
    let text = answer(&bench.reply("napoleon", "FORCE Gazan COMMAND MARCH 0407 0507"), "napoleon");
    assert!(text.contains("DONE"), "{text}");
    // His END is what lannes' line waits for; the line is carried out and answered then, unasked.
    let mails = bench.reply("napoleon", "END");
    let told = answer(&mails, "lannes");
    assert!(told.contains("FORCE Lannes INITIATIVE") && told.contains("initiative/lannes"), "{told}");
    assert_eq!(on_sheets(&bench), ["lannes"]);
    let mails = bench.reply("lannes", "END");
    assert!(to(&mails, "napoleon").len() == 1 && to(&mails, "kutuzov").len() == 1, "{mails:#?}");
}

#[test]
fn sealed_sheets_of_one_side_are_carried_out_by_segment_and_then_as_they_came_to_count() {
    let mut bench = at_sheet_a(STAFF, Tempo::Sealed, "");
    bench.reply("napoleon", "FORCE Gazan INITIATIVE MARCH 0407 0507\nEND");
    let mails = bench.reply("lannes", "FORCE Lannes COMMAND MARCH 0205 0305\nEND");
    for seat in ["napoleon", "lannes"] {
        let text = answer(&mails, seat);
        assert!(!text.contains("is over this turn"), "{text}");
    }
    let done: Vec<String> =
        bench.office.store.log_of_kind("strem-1", "line", 1).unwrap().into_iter().map(|e| e.body).collect();
    let place = |what: &str| done.iter().position(|body| body.contains(what)).unwrap();
    assert!(place("FORCE Lannes COMMAND") < place("FORCE Gazan INITIATIVE"), "{done:#?}");
}

#[test]
fn the_deadline_closes_the_sheet_of_who_is_silent_and_each_seat_has_its_own() {
    let mut bench = at_sheet_a(STAFF, Tempo::Live, "deadline: 48h\nlate: doctrine\n");
    bench.advance(10);
    bench.reply("umpire", "EXTEND lannes 24");
    let dues = bench.office.store.dues("strem-1").unwrap();
    let at = |seat: &str| dues.iter().find(|due| due.seat == seat).unwrap().due_at.clone().unwrap();
    assert!(at("lannes") > at("napoleon"), "{dues:?}");
    bench.reply("napoleon", "END");
    bench.advance(30);
    bench.pass();
    assert_eq!(on_sheets(&bench), ["lannes"]);
    bench.advance(40);
    let mails = bench.pass();
    assert!(hosted(&bench).stage().unwrap().key.ends_with("french/R"), "{mails:#?}");
    for seat in SEATS {
        assert_eq!(to(&mails, seat).len(), 1, "{seat}");
    }
    let missed = |seat: &str| bench.office.store.desk("strem-1", seat, "missed").unwrap();
    assert_eq!((missed("napoleon"), missed("lannes")), (None, Some("1".to_owned())));
}

#[test]
fn a_question_goes_to_the_seat_whose_leader_it_is_about() {
    let mut bench = at_sheet_a(STAFF, Tempo::Live, "");
    bench.reply("lannes", "DOCTRINE CONTACT ASK\nEND");
    bench.reply("umpire", "AMEND coalition PLACE Bagration AT 0506 REASON the test wants him there");
    // Whoever wrote the line: the march of Lannes meets a counter at 0405, and Lannes' seat is asked.
    let mails = bench.reply("napoleon", "FORCE Lannes COMMAND MARCH 0205 0305 0405 0505");
    let due = hosted(&bench).dues().remove(0);
    assert!(due.seat.0 == "lannes" && due.address.starts_with("ask/lannes/"), "{due:?} {mails:#?}");
    assert!(to(&mails, "lannes").iter().any(|mail| mail.subject.contains("you have a question")), "{mails:#?}");
    assert!(to(&mails, "napoleon").iter().all(|mail| !mail.text.contains("Q1")), "{mails:#?}");
    // Another seat of the side cannot answer it.
    let text = answer(&bench.reply("napoleon", "STOP"), "napoleon");
    assert!(text.contains("UNCLEAR") || text.contains("TAKEN"), "{text}");
    assert_eq!(hosted(&bench).dues().remove(0), due);
    bench.reply("lannes", "STOP");
    assert_eq!(on_sheets(&bench), ["napoleon"]);
}

/// A vedette obeys whoever sees it first; the enemy's march may meet it.
#[test]
fn a_question_about_a_vedette_goes_to_the_seat_of_its_side_that_gave_the_order_or_else_to_the_commander() {
    let (state, _) = Campaigns::open(&teaching()).unwrap();
    let file = ("staff.yaml".to_owned(), STAFF.to_owned());
    let staff = seated::<Campaigns>(Some(&file), &state).unwrap();
    for (side, by, wanted) in [
        ("french", Some("lannes"), "lannes"),
        ("french", Some("bagration"), "napoleon"),
        ("french", None, "napoleon"),
        ("coalition", Some("bagration"), "bagration"),
        ("coalition", Some("lannes"), "kutuzov"),
    ] {
        let by = by.map(SeatId::from);
        assert_eq!(staff.asked(&side.into(), &Concern::Anyone, by.as_ref()).0, wanted, "{side} {by:?}");
    }
}

#[test]
fn a_letter_shows_the_seats_of_the_own_side_and_nothing_of_the_other_s() {
    let mut bench = at_sheet_a(STAFF, Tempo::Live, "");
    bench.reply("lannes", "END");
    let text = answer(&bench.reply("napoleon", "REPORT"), "napoleon");
    let own = text.split("YOUR SIDE'S SEATS").nth(1).unwrap().split("FORECAST").next().unwrap();
    assert_eq!(own.trim(), "napoleon: army commander; you lannes: Lannes; has said END");
    let text = answer(&bench.reply("kutuzov", "REPORT"), "kutuzov");
    let own = text.split("YOUR SIDE'S SEATS").nth(1).unwrap().split("FORECAST").next().unwrap();
    assert_eq!(own.trim(), "kutuzov: army commander; you bagration: Bagration");
}

#[test]
fn what_one_seat_of_the_enemy_writes_and_which_of_them_writes_it_shows_in_no_mail() {
    let run = |busy: bool| -> Vec<Mail> {
        let mut bench = at_sheet_a(STAFF, Tempo::Live, "deadline: 48h\n");
        if busy {
            bench.reply("lannes", "FORCE Gazan HOLD\nFORCE Lannes INITIATIVE MARCH 0205 0305\nREPORT\nPRESS TO napoleon\nMay I?\nEND PRESS");
            bench.reply("napoleon", "CHECK\nFORCE Lannes HOLD\nDOCTRINE CONTACT REPULSE");
            bench.reply("lannes", "UNDO");
            bench.reply("lannes", "END");
            bench.reply("napoleon", "END ANYWAY");
        } else {
            bench.reply("napoleon", "FORCE Lannes INITIATIVE MARCH 0205 0305");
            bench.reply("napoleon", "END");
            bench.reply("lannes", "END");
        }
        let out = bench.out();
        ["kutuzov", "bagration"].iter().flat_map(|seat| to(&out, seat).into_iter().cloned()).collect()
    };
    let (one, two) = (run(false), run(true));
    assert_eq!(one.len(), two.len());
    for (a, b) in one.iter().zip(&two) {
        assert_eq!(a.unsealed(), b.unsealed());
        assert_eq!(a.subject, b.subject);
    }
}

#[test]
fn both_seats_of_a_side_know_the_same_whatever_lies_hidden() {
    let mut bench = begun(STAFF, Tempo::Live, "");
    let mut compared = 0;
    for noise in 0..30 {
        let game = hosted(&bench);
        for (seat, side) in [("napoleon", "french"), ("lannes", "french"), ("bagration", "coalition")] {
            let other = game.scrambled(&SideId::from(side), noise + 1);
            let seat = SeatId::from(seat);
            assert_eq!(game.report(&seat, Some(0)), other.report(&seat, Some(0)), "{seat}");
            compared += u32::from(other.truth() != game.truth());
        }
        let Some(due) = game.dues().first().cloned() else { break };
        let lines = game.bot(&due.seat, noise).into_parts().1;
        bench.reply(&due.seat.0, &lines.join("\n"));
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn what_is_wrong_with_a_staff_is_told_with_its_line_and_cure() {
    for (from, into, wanted) in [
        ("[Lannes]", "[Lanes]", "staff.yaml:4"),
        ("[Lannes]", "[Lanes]", "Write Lannes."),
        ("[Bagration]", "[Lannes]", "coalition has no leader \"Lannes\""),
        ("commander: true", "commander: true, commands: [Lannes]", "Lannes is commanded by napoleon already"),
        ("side: coalition}", "side: austria}", "The sides are french, coalition"),
        ("seat: lannes", "seat: umpire", "umpire and observer have seats of their own"),
        ("seat: lannes", "seat: napoleon", "The seat napoleon stands twice"),
        ("commands: [Lannes]", "commander: true", "has more than one commander"),
    ] {
        let mut bench = Bench::new();
        let said = bench.office.new_game(&staffed(&STAFF.replacen(from, into, 1))).unwrap_err().to_string();
        assert!(said.contains(wanted), "{into}: {said}");
    }
}

const COURIERS: &str = "kind: staff\ncouriers: {mp: 18, taken: 6, stopped: 0}\n";

pub fn with_couriers() -> String {
    STAFF.replace("kind: staff\n", COURIERS)
}

/// Ends every sheet that is open, and answers every question by its default, until a stage's key ends so.
pub fn go_on_to(bench: &mut Bench, key: &str) {
    for _ in 0..40 {
        let game = hosted(bench);
        if game.stage().unwrap().key.ends_with(key) {
            return;
        }
        let due = game.dues().remove(0);
        let said = due.prompt.map_or_else(|| "END".to_owned(), |ask| ask.default);
        bench.reply(&due.seat.0, &said);
    }
    panic!("no {key} comes");
}

#[test]
fn a_dispatch_rides_and_comes_in_with_the_next_administration_and_only_its_reader_reads_it() {
    let mut bench = at_sheet_a(&with_couriers(), Tempo::Live, "");
    let text = answer(&bench.reply("lannes", "PRESS TO napoleon\nI hold Rosenau.\nEND PRESS"), "lannes");
    assert!(text.contains("write to each other by courier: DISPATCH TO napoleon"), "{text}");
    let mails = bench.reply("lannes", "DISPATCH TO napoleon\nI hold Rosenau.\nWhat of Gazan?\nEND DISPATCH");
    assert!(answer(&mails, "lannes").contains("a courier rides with it"), "{mails:#?}");
    assert!(to(&mails, "napoleon").is_empty(), "{mails:#?}");
    go_on_to(&mut bench, "2/french/A");
    let of = |seat: &str| -> String { to(&bench.out(), seat).iter().map(|mail| flat(&mail.text)).collect() };
    assert!(of("napoleon").contains("Courier 1 of lannes, sent from 0205 Rosenau on turn 1, reached napoleon, and carried: I hold Rosenau. / What of Gazan?"));
    assert!(of("napoleon").contains("lannes: Lannes; last heard from at 0205, turn 1"), "{}", of("napoleon"));
    for seat in ["kutuzov", "bagration"] {
        assert!(!of(seat).contains("Gazan?") && !of(seat).contains("courier"), "{seat}");
    }
    // The writer's side knows that it came in, and only the reader what it said.
    let game = hosted(&bench);
    let told = |seat: &str| game.history(&SeatId::from(seat), None).body().join(" ");
    assert!(told("napoleon").contains("What of Gazan?"));
    assert!(told("lannes").contains("reached napoleon") && !told("lannes").contains("What of Gazan?"));
}

#[test]
fn what_no_courier_carries_is_refused_with_what_he_would() {
    let mut bench = at_sheet_a(&with_couriers(), Tempo::Live, "");
    for (said, wanted) in [
        ("DISPATCH TO kutuzov\nPeace?\nEND DISPATCH", "couriers ride to the other seats of your side"),
        ("DISPATCH TO napoleo\nHelp\nEND DISPATCH", "Did you mean napoleon?"),
        ("DISPATCH TO napoleon\n\nEND DISPATCH", "it has no line"),
        ("DISPATCH TO napoleon\nHelp", "no END DISPATCH line"),
        ("FORCE Gazan HOLD", "DISPATCH TO napoleon asks for it"),
    ] {
        let text = answer(&bench.reply("lannes", said), "lannes");
        assert!(text.contains(wanted), "{said}: {text}");
    }
    let mut bench = at_sheet_a(STAFF, Tempo::Live, "");
    let text = answer(&bench.reply("lannes", "DISPATCH TO napoleon\nHelp\nEND DISPATCH"), "lannes");
    assert!(text.contains("played without couriers; PRESS TO a seat"), "{text}");
}

#[test]
fn the_enemy_who_takes_a_courier_reads_exactly_what_he_carried_and_his_own_side_hears_nothing() {
    // Lannes marches to 0405, two hexes of post road before the center, where napoleon is. Bagration, whom nobody has
    // named yet, comes to stand in 0304: his zone lies on 0305 between them, and he is next to no French force.
    let run = |words: &str| -> Bench {
        let mut bench = at_sheet_a(&with_couriers(), Tempo::Live, "");
        bench.reply("lannes", "FORCE Lannes COMMAND MARCH 0305 0405");
        bench.reply("napoleon", &format!("DISPATCH TO lannes\n{words}\nEND DISPATCH\nEND"));
        bench.reply("lannes", "END");
        go_on_to(&mut bench, "1/coalition/A");
        let mails = bench.reply("umpire", "AMEND coalition PLACE Bagration 0304 REASON the test wants him there");
        assert!(flat(&to(&mails, "umpire")[0].text).contains("it is so now"), "{mails:#?}");
        go_on_to(&mut bench, "2/french/A");
        bench
    };
    let bench = run("The bridge is ours. Come by the mill road.");
    let out = bench.out();
    let of = |seat: &str| -> String { to(&out, seat).iter().map(|mail| flat(&mail.text)).collect() };
    for seat in ["kutuzov", "bagration"] {
        let text = of(seat);
        assert_eq!(text.matches("The bridge is ours. Come by the mill road.").count(), 1, "{seat}: {text}");
        assert!(text.contains("You took a courier of napoleon to lannes at 0305"), "{seat}");
    }
    assert!(!of("lannes").contains("mill road") && !of("lannes").contains("took a courier"));
    // Of the taken one his side is told nothing.
    assert!(!of("napoleon").contains("reached lannes") && !of("napoleon").contains("took a courier"));
    // The dice go on, so that nobody reads from them that he is gone.
    let mut bench = bench;
    go_on_to(&mut bench, "3/french/A");
    let rolls = hosted(&bench).rolls(Some(&SideId::from("french")));
    let thrown: Vec<u32> = rolls.iter().filter(|(_, roll)| roll.label == "courier/1").map(|(slot, _)| *slot).collect();
    assert_eq!(thrown, [2, 3]);
    // What the enemy reads depends on the words that he took, and on nothing else of them.
    let other = run("Nothing new.");
    let mask = |mail: &Mail| {
        flat(&mail.unsealed()).replace("The bridge is ours. Come by the mill road.", "W").replace("Nothing new.", "W")
    };
    let pairs: Vec<(String, String)> =
        to(&out, "kutuzov").into_iter().map(mask).zip(to(&other.out(), "kutuzov").into_iter().map(mask)).collect();
    assert!(pairs.len() > 8);
    for (one, two) in pairs {
        assert_eq!(one, two);
    }
}

#[test]
fn a_game_with_couriers_is_audited_without_a_difference() {
    let mut bench =
        at_sheet_a(&with_couriers().replace("taken: 6, stopped: 0", "lost: 1, taken: 2, stopped: 2"), Tempo::Live, "");
    for noise in 0..400 {
        let game = hosted(&bench);
        let Some(due) = game.dues().first().cloned() else { break };
        let mut lines = game.bot(&due.seat, noise).into_parts().1;
        let to = match due.seat.0.as_str() {
            "napoleon" => "lannes",
            "lannes" => "napoleon",
            "kutuzov" => "bagration",
            _ => "kutuzov",
        };
        lines.insert(0, format!("DISPATCH TO {to}\nletter {noise}\nEND DISPATCH"));
        bench.reply(&due.seat.0, &lines.join("\n"));
    }
    let row = bench.office.store.game("strem-1").unwrap().unwrap();
    assert_eq!(row.state, GameState::Over);
    let lines = bundle(&bench.office.store, &row, hosted(&bench).as_ref(), &Asker::All).unwrap();
    let found = verify(&lines, TOYS);
    assert_eq!(found.faults, Vec::<String>::new());
    let sent = bench.office.store.log_of_kind("strem-1", "roll", 1).unwrap();
    assert!(sent.iter().filter(|entry| entry.body.contains("courier/")).count() > 20);
}

//! No false alarm: games with all that may happen in one agree, for us, for a third party's script and for a player's mailbox.
//!
//! `ALARMS=50` plays fifty games; with `EXHIBITS=FOLDER` their bundles are kept there, for the museum.

use super::forger::{Exhibit, Which, body_of, entry_is};
use super::games::{AUSTERLITZ, CAMPAIGN, GAME, Played, Setting, play};
use crate::gateway::bench::{Bench, TOYS, campaign, teaching, to, written};
use estafette::audit::Line;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::mails::witness;
use estafette::audit::verify::{Verdict, verify};
use estafette::audit::write;
use estafette::games::{Entry, GAMES};
use estafette::gateway::table;
use estafette::store::{GameState, Tempo};
use jiff::SignedDuration;
use serde_json::Value;

const STAFF: &str = "kind: staff\nseats:\n- {seat: napoleon, side: french, commander: true}\n- {seat: lannes, side: french, \
                     commands: [Lannes]}\n- {seat: kutuzov, side: coalition}\n- {seat: bagration, side: coalition, \
                     commands: [Bagration]}\n";
const COURIERS: &str = "kind: staff\ncouriers: {mp: 18, taken: 6, stopped: 0}\nseats:\n- {seat: napoleon, side: french, \
                        commander: true}\n- {seat: lannes, side: french, commands: [Lannes]}\n- {seat: kutuzov, side: \
                        coalition}\n- {seat: bagration, side: coalition, commands: [Bagration]}\n";
const REWOUND: &[(u32, &str)] = &[(8, "REWIND 3 REASON a wrong road"), (14, "REWIND 4 REASON once more")];
const AMENDED: &[(u32, &str)] =
    &[(6, "AMEND french AP 7 REASON a packet was lost"), (9, "RULING ¶242 TO french\nA repulse.\nEND RULING")];
const FIATS: &[(u32, &str)] = &[(6, "FIAT weather 2 REASON agreed"), (8, "REWIND 3 REASON a wrong road")];
const SILENT: &[(u32, &str)] = &[(6, "silent"), (10, "silent")];

/// What may happen, one setting each.
fn settings() -> Vec<Setting> {
    let two = Setting { two: true, ..CAMPAIGN };
    vec![
        Setting { staff: Some(COURIERS), acts: FIATS, ..two },
        Setting { acts: REWOUND, ..two },
        Setting { tempo: Tempo::Sealed, acts: REWOUND, ..two },
        Setting { staff: Some(STAFF), ..two },
        Setting { acts: AMENDED, ..two },
        Setting { options: "late: stand-in\n", acts: SILENT, ..two },
        Setting { options: "late: bot\n", acts: SILENT, ..two },
        Setting { two: true, acts: REWOUND, ..AUSTERLITZ },
        Setting { two: true, tempo: Tempo::Sealed, ..AUSTERLITZ },
        Setting { two: true, scenario: "fog-teaching.yaml", acts: SILENT, ..AUSTERLITZ },
        Setting { acts: REWOUND, ..CAMPAIGN },
        Setting { staff: Some(COURIERS), acts: AMENDED, ..CAMPAIGN },
    ]
}

/// Nothing is found in a game in which nothing is wrong.
pub fn quiet(what: &str, played: &Played) {
    quiet_by(what, played, GAMES);
}

/// The same of a game of these rulesets.
pub fn quiet_by(what: &str, played: &Played, entries: &'static [Entry]) {
    let found = verify(&played.lines, entries);
    assert_eq!((&found.faults, &found.unproved), (&Vec::new(), &Vec::new()), "{what}");
    assert_eq!(found.verdict, Verdict::Agrees, "{what}: {:?}", found.not_replayed);
    let (code, said) = super::script_of(&write(&played.lines));
    assert_eq!(code, 0, "{what}: {said}");
    let witness = witness(&played.lines, &played.mailbox);
    assert_eq!((&witness.faults, &witness.said), (&Vec::new(), &Vec::new()), "{what}");
    assert!(witness.letters > 5 && witness.own > 2, "{what}: {witness:?}");
}

#[test]
fn no_game_in_which_nothing_is_wrong_is_called_wrong() {
    let games: usize = std::env::var("ALARMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let all = settings();
    for n in 0..games {
        let setting = Setting { seed: u8::try_from(n).unwrap() + 1, short: games == 1, ..all[n % all.len()] };
        if games > 1 {
            println!("{GAME} {n}: {} {} {:?}", setting.ruleset, setting.scenario, setting.acts);
        }
        let played = play(&setting);
        if let Ok(folder) = std::env::var("EXHIBITS") {
            let kind = if setting.two { "two" } else { "one" };
            std::fs::write(format!("{folder}/{}-{kind}-{n}.jsonl", setting.ruleset), write(&played.lines)).unwrap();
        }
        quiet(&format!("game {n}, {}", setting.ruleset), &played);
    }
}

/// Whoever runs the post office may act on a game that nobody umpires: no page of it is sent, and none is missed.
#[test]
fn an_act_at_the_console_of_a_game_without_an_umpire_is_no_fault() {
    const ACTS: &[(u32, &str)] =
        &[(6, "AMEND french AP 7 REASON a packet was lost"), (8, "REWIND 2 REASON a wrong road")];
    for two in [false, true] {
        let played = play(&Setting { two, umpired: false, short: true, acts: ACTS, ..CAMPAIGN });
        quiet(&format!("without an umpire, {two}"), &played);
    }
}

/// What the French write, mail by mail, when they are on move. In the first two the second line takes the place of one that
/// was not taken, for which another was proposed.
const SHEETS: [&[&str]; 7] = [
    &["ATTACK 0903\nEND", "FORCE MC1 COMMAND MARCH 0405 0406\nEND"],
    &["ATTACK 0903", "ATTACK 0904\nEND", "YES ALL\nEND"],
    &["ATTACK 0903\nEND", "1 = FORCE Lannes COMMAND MARCH 0305 0405", "1A FORCE Lannes COMMAND MARCH 0305 0405\nEND"],
    &["CHECK\nATTACK 0903\nFORCE MC1 COMMAND MARCH 0405 0406", "YES ALL\nSEND\nEND", "END ANYWAY"],
    &["CHECK\nATTACK 0903\nFORCE MC1 COMMAND MARCH 0405 0406", "SEND\nUNDO 2\nEND", "END ANYWAY"],
    &["CHECK\nFORCE MC1 COMMAND MARCH 0405 0406", "END", "DOCTRINE NOSUCH YES\nEND", "END"],
    &["FORCE Lannes COMMAND MARCH 0305 9999\nEND", "UNDO END\nUNDO 1", "REVISE\nATTACK 0903\nEND", "END ANYWAY"],
];

/// A replay proposes again what was proposed when a mail came, for later mails refer to it by the numbers of lines.
#[test]
fn a_line_in_the_place_of_one_that_was_not_taken_is_no_other_line_when_it_is_played_again() {
    for mails in SHEETS {
        let mut bench = Bench::with_campaign(&teaching());
        bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nEND");
        bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\nEND");
        let mover = |bench: &Bench| bench.office.store.dues("strem-1").unwrap()[0].seat.clone();
        while mover(&bench) != "french" {
            let seat = mover(&bench);
            bench.reply(&seat, "END ANYWAY");
        }
        for mail in mails {
            bench.reply("french", mail);
        }
        quiet_so_far(&bench, &format!("{mails:?}"));
    }
}

/// What people write: a mail of each kind in turn, between those of the program's players.
#[test]
fn a_game_of_people_who_scrawl_is_not_called_wrong() {
    let games: u32 = std::env::var("ALARMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for game in 0..games {
        let seats = ["french", "coalition"];
        let mut acts: Vec<(u32, &'static str)> = Vec::new();
        for n in 0..36_u32 {
            let seed = n + game * 7;
            let act = format!("scrawl {} {seed}", seats[usize::try_from((n / 3) % 2).unwrap()]);
            acts.push((2 + n / 2, Box::leak(act.into_boxed_str())));
        }
        let tempo = if game % 2 == 0 { Tempo::Live } else { Tempo::Sealed };
        let acts: &'static [(u32, &str)] = Box::leak(acts.into_boxed_slice());
        let seed = u8::try_from(game % 200).unwrap() + 1;
        let played = play(&Setting { two: true, tempo, acts, seed, ..CAMPAIGN });
        quiet(&format!("scrawled {game}"), &played);
    }
}

/// YES names no order, and only what was offered may be given for it: another one is found, with all hashes made anew.
#[test]
fn another_order_than_was_offered_is_found() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nEND");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\nEND");
    while bench.office.store.dues("strem-1").unwrap()[0].seat != "french" {
        bench.reply("coalition", "END ANYWAY");
    }
    bench.reply("french", "ATTACK 0903");
    bench.reply("french", "YES ALL");
    quiet_so_far(&bench, "a suggestion taken");
    let row = bench.office.store.game("strem-1").unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    let lines = bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::All).unwrap();
    let x = Exhibit { name: "a suggestion", lines, mailbox: Vec::new(), master: row.master, two: false };
    let taken = |edited: &Value| edited["text"] == "YES ALL" && edited["edit"]["rewrite"].is_object();
    let at = x.place(Which::First, |line| {
        entry_is(line, "input") && body_of(line)["edits"].as_array().is_some_and(|edits| edits.iter().any(taken))
    });
    let forged = x.body(at.unwrap(), |body| {
        for edited in body["edits"].as_array_mut().unwrap().iter_mut().filter(|edited| taken(edited)) {
            edited["edit"]["rewrite"]["text"] = "FORCE Lannes COMMAND HOLD".into();
        }
    });
    let found = verify(&forged.unwrap(), TOYS);
    assert!(found.faults.iter().any(|fault| fault.contains("says other lines than these")), "{:?}", found.faults);
}

/// Two mails of one Message-ID, of one seat or of both, and names that the post office gives itself: no player can make an
/// honest game come out wrong by the names of his mails.
#[test]
fn a_game_whose_mails_bear_odd_names_is_not_called_wrong() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nEND");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\nEND");
    let send = |bench: &mut Bench, seat: &str, id: &str, body: &str| {
        let from = format!("{seat}@example.org");
        let subject = format!("Re: {}", bench.last_to(&from).subject);
        let raw = written(&from, &subject, body, 0).replace("<m0@players.example>", &format!("<{id}>"));
        bench.deliver(raw.as_bytes());
        bench.pass();
    };
    for id in ["twice@players.example", "twice@players.example", "house/1", "recall/1", "console", "house/abc@x"] {
        let seat = bench.office.store.dues("strem-1").unwrap()[0].seat.clone();
        let other = if seat == "french" { "coalition" } else { "french" };
        send(&mut bench, &seat, id, "END ANYWAY");
        send(&mut bench, other, id, "STATUS");
    }
    // As webmail writes it: lines behind each other in one line of HTML, and letters of full width.
    let seat = bench.office.store.dues("strem-1").unwrap()[0].seat.clone();
    let body = "<div>Good evening</div><div>ＥＮＤ ANYWAY</div>";
    let (from, html) = (format!("{seat}@example.org"), "Content-Type: text/html; charset=utf-8\r\nDate: ");
    let subject = format!("Re: {}", bench.last_to(&from).subject);
    bench.deliver(written(&from, &subject, body, 7).replace("Date: ", html).as_bytes());
    bench.pass();
    // A set of letters that nobody knows, and a letter that is not ASCII.
    let seat = bench.office.store.dues("strem-1").unwrap()[0].seat.clone();
    let (from, odd) = (format!("{seat}@example.org"), "Content-Type: text/plain; charset=x-odd\r\nDate: ");
    let subject = format!("Re: {}", bench.last_to(&from).subject);
    let raw = written(&from, &subject, "FORCE Müller COMMAND HOLD\nEND ANYWAY", 8).replace("Date: ", odd);
    bench.deliver(raw.as_bytes());
    bench.pass();
    quiet_so_far(&bench, "odd names");
    let row = bench.office.store.game("strem-1").unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    let lines = bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::All).unwrap();
    for name in ["m7@players.example", "m8@players.example"] {
        assert!(lines.iter().any(|line| matches!(line, Line::Mail { message_id, .. } if message_id == name)), "{name}");
    }
    assert!(lines.iter().any(|line| matches!(line, Line::Event { body, .. } if body.contains("Müller"))));
    assert_ne!(super::forgeries::scripts(&[lines]), [1], "the third party's script");
}

/// A clock that is set back a little between two mails, as its own time server does: the chain's time stands still meanwhile.
#[test]
fn a_game_whose_clock_is_set_back_a_little_is_not_called_wrong() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nEND");
    bench.office.clock_mut().jump(SignedDuration::from_secs(-30));
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\nEND");
    for _ in 0..3 {
        let seat = bench.office.store.dues("strem-1").unwrap()[0].seat.clone();
        bench.office.clock_mut().jump(SignedDuration::from_secs(-40));
        bench.reply(&seat, "END ANYWAY");
    }
    quiet_so_far(&bench, "a clock set back");
}

/// ENDs that take effect ten minutes later, and are taken back; a lost sheet, and lines that wait for the next END.
#[test]
fn a_game_whose_ends_are_taken_back_is_not_called_wrong() {
    quiet_so_far(&taken_back(), "ENDs taken back");
}

/// The game of that.
pub(super) fn taken_back() -> Bench {
    let mut bench = Bench::new();
    let agreed = estafette::terms::read("game.yaml", "recall: 10m\ndeadline: 48h\n").unwrap();
    bench.office.new_game_on(&campaign(&teaching()), Some(&agreed)).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nEND");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\nEND");
    let state = |bench: &Bench| bench.office.store.game("strem-1").unwrap().unwrap();
    for n in 0..24_u64 {
        let row = state(&bench);
        if row.state == GameState::Over {
            break;
        }
        let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
        let Some(due) = hosted.dues().first().cloned() else {
            bench.office.clock_mut().advance(SignedDuration::from_mins(10));
            bench.pass();
            continue;
        };
        let seat = due.seat.0.clone();
        let own = hosted.bot(&due.seat, n).into_parts().1.join("\n").replace("END", "END ANYWAY");
        match n % 6 {
            1 => {
                bench.reply(&seat, &own);
                bench.reply(&seat, "UNDO END\nATTACK 0903");
                bench.reply(&seat, "END\nYES ALL");
            }
            4 => drop(bench.reply(&seat, "UNDO\nUNDO END\nATTACK 0903\nEND ANYWAY")),
            _ => drop(bench.reply(&seat, &own)),
        }
        bench.office.clock_mut().advance(SignedDuration::from_mins(10));
        bench.pass();
    }
    bench
}

/// What is kept of such a game that may still be on, and its master.
pub(super) fn so_far(bench: &Bench) -> (Vec<Line>, [u8; 32]) {
    let row = bench.office.store.game("strem-1").unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    (bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::All).unwrap(), row.master)
}

/// Nothing is found in what was played so far of a game, and all of it is played again.
fn quiet_so_far(bench: &Bench, what: &str) {
    let found = verify(&so_far(bench).0, TOYS);
    assert_eq!((&found.faults, &found.unproved), (&Vec::new(), &Vec::new()), "{what}");
    let agrees = matches!(found.verdict, Verdict::Open | Verdict::Agrees);
    assert!(agrees && found.replayed.is_some(), "{what}: {found:?}");
}

/// A bundle of a game that is on holds the mails of one seat at most, up to its making.
#[test]
fn a_bundle_of_a_running_game_lacks_letters_and_that_is_no_fault() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let own = super::lines(&bench, &super::french());
    let earlier = own.clone();
    bench.reply("french", "DEADLINE\n");
    let mailbox: Vec<Vec<u8>> = to(&bench.out(), "french").into_iter().map(|mail| mail.raw.clone()).collect();
    for lines in [&super::lines(&bench, &Asker::Public), &earlier] {
        let shown = witness(lines, &mailbox);
        assert_eq!(shown.faults, Vec::<String>::new());
        let letters = shown.said.iter().filter(|said| said.contains("letters")).count();
        assert_eq!(letters, 1, "{:?}", shown.said);
    }
    // One that was mailed before others of it is missed.
    let mut less = earlier;
    less.remove(less.iter().position(|l| matches!(l, Line::Mail { direction, .. } if direction == "out")).unwrap());
    assert_eq!(witness(&less, &mailbox).faults.len(), 1, "{less:?}");
}

/// A player's own server may put lines below his END, which the post office does not read; his copy lacks them.
#[test]
fn a_footer_below_end_is_no_other_mail_and_a_word_below_it_is() {
    let (lines, _) = super::two::played(&super::two::WITH_ROUND);
    let ends = |raw: &[u8]| String::from_utf8_lossy(raw).lines().any(|line| line.trim() == "END");
    let sent: Vec<Vec<u8>> = super::games::sent(&lines, "french").into_iter().filter(|raw| ends(raw)).take(1).collect();
    let with = |more: &str, to: &[u8]| -> Vec<Line> {
        let mut lines = lines.clone();
        for line in &mut lines {
            if let Line::Mail { raw: Some(raw), sha256, .. } = line
                && data_encoding::BASE64.decode(raw.as_bytes()).unwrap() == to
            {
                let bytes = [to, more.as_bytes()].concat();
                *raw = data_encoding::BASE64.encode(&bytes);
                *sha256 = estafette::dice::hex(&<sha2::Sha256 as sha2::Digest>::digest(&bytes));
            }
        }
        lines
    };
    let footer = "\r\nThis mail was scanned by ACME.\r\nNo virus was found.\r\n";
    let shown = witness(&with(footer, &sent[0]), &sent);
    assert_eq!((shown.faults, shown.own), (Vec::new(), 1));
    let shown = witness(&with("\r\nRESIGN\r\n", &sent[0]), &sent);
    assert_eq!(shown.faults.len(), 1, "{shown:?}");
    // One that is dated otherwise than his own copy.
    let dated = String::from_utf8(sent[0].clone()).unwrap().replace("Date: Thu, 1 Jan 2026", "Date: Fri, 2 Jan 2026");
    assert_ne!(dated.as_bytes(), sent[0], "{dated}");
    let shown = witness(&lines, &[dated.into_bytes()]);
    assert!(shown.faults.iter().any(|fault| fault.contains("is dated")), "{shown:?}");
}

//! Option `recall` at the post office: an END takes effect so many minutes later, by the game's own clock.

use super::bench::{Bench, Mail, campaign, new_game, teaching, to};
use estafette::gateway::NewGame;
use estafette::store::Tempo;
use estafette::terms;
use jiff::SignedDuration;

const MARCH: &str = "FORCE Lannes COMMAND MARCH 0305 0405\nEND";

/// The French are on move in a game whose ENDs can be taken back for ten minutes; it is some minutes past midnight.
fn on_move(options: &str) -> Bench {
    let mut bench = Bench::new();
    let terms = terms::read("game.yaml", options).unwrap();
    bench.office.new_game_on(&campaign(&teaching()), Some(&terms)).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nEND");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\nEND");
    while mover(&bench) != "french" || stage(&bench).ends_with("signon") {
        let seat = mover(&bench);
        bench.reply(&seat, "END ANYWAY");
        minutes(&mut bench, 10);
    }
    bench
}

fn mover(bench: &Bench) -> String {
    bench.office.store.dues("strem-1").unwrap()[0].seat.clone()
}

/// The address of what is due.
fn stage(bench: &Bench) -> String {
    bench.office.store.dues("strem-1").unwrap()[0].address.clone()
}

/// Lets time go by; gives the mails of the pass then.
fn minutes(bench: &mut Bench, minutes: i64) -> Vec<Mail> {
    bench.office.clock_mut().advance(SignedDuration::from_mins(minutes));
    bench.pass()
}

/// What a reader sees, its lines one blank apart.
fn flat(mail: &Mail) -> String {
    mail.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn clock(bench: &mut Bench, more: i64) -> String {
    let mut clock = *bench.office.clock_mut();
    clock.advance(SignedDuration::from_mins(more));
    clock.now().strftime("%H:%M").to_string()
}

#[test]
fn an_end_says_when_it_takes_effect_and_then_does() {
    let mut bench = on_move("recall: 10m\ndeadline: 48h\n");
    let sheet = stage(&bench);
    let at = clock(&mut bench, 10);
    let out = bench.reply("french", MARCH);
    assert_eq!(to(&out, "coalition"), Vec::<&Mail>::new());
    let text = flat(to(&out, "french")[0]);
    for wanted in [
        format!("ends at {at}; UNDO END until then."),
        format!("Your END takes effect at {at}; until then UNDO END takes it back."),
        "1 line waits, and nothing is carried out before.".to_owned(),
    ] {
        assert!(text.contains(&wanted), "{wanted}: {text}");
    }
    assert_eq!(minutes(&mut bench, 9), []);
    assert_eq!(stage(&bench), sheet);
    // A question meanwhile is answered, and says the time once more.
    assert!(flat(to(&bench.reply("french", "thanks"), "french")[0]).contains(&format!("takes effect at {at}")));
    let out = minutes(&mut bench, 1);
    assert_ne!(stage(&bench), sheet);
    assert!(flat(to(&out, "french")[0]).contains("FORCE Lannes COMMAND MARCH 0305 0405"), "{out:?}");
    assert_eq!(to(&out, "coalition").len(), 1, "the stage has ended: all are told");
    let kept = bench.office.store.log_of_kind("strem-1", "post.recall", 1).unwrap();
    assert!(kept.last().unwrap().body.contains(&format!("T{at}:00Z")), "{kept:?}");
}

#[test]
fn undo_end_catches_it_to_the_last_minute_also_over_a_restart() {
    let mut bench = on_move("recall: 10m\ndeadline: 48h\n");
    let sheet = stage(&bench);
    bench.reply("french", MARCH);
    minutes(&mut bench, 9);
    let mut bench = bench.reopened();
    assert!(flat(to(&bench.reply("french", "UNDO END"), "french")[0]).contains("your END is withdrawn"));
    minutes(&mut bench, 60);
    assert_eq!(stage(&bench), sheet);
    // Another END has its whole time, and keeps it over a restart.
    bench.reply("french", "END");
    let mut bench = bench.reopened();
    minutes(&mut bench, 9);
    assert_eq!(stage(&bench), sheet);
    minutes(&mut bench, 1);
    assert_ne!(stage(&bench), sheet);
}

#[test]
fn a_mail_that_lay_in_the_mailbox_before_its_time_is_read_before_it() {
    let mut bench = on_move("recall: 10m\ndeadline: 48h\n");
    let sheet = stage(&bench);
    bench.reply("french", MARCH);
    // The post office has not looked since; nobody knows when the mail came.
    bench.office.clock_mut().advance(SignedDuration::from_mins(11));
    bench.reply("french", "UNDO END");
    assert_eq!(stage(&bench), sheet);
}

#[test]
fn while_the_game_is_held_or_paused_its_time_stands_still() {
    for (stop, start) in [("HOLD", "RELEASE"), ("PAUSE", "RESUME")] {
        let mut bench = on_move("recall: 10m\ndeadline: 48h\n");
        let sheet = stage(&bench);
        bench.reply("french", MARCH);
        minutes(&mut bench, 4);
        bench.reply("umpire", stop);
        minutes(&mut bench, 60);
        assert_eq!(stage(&bench), sheet, "{stop}");
        // An END that comes meanwhile does not know the hour.
        bench.reply("french", "UNDO END");
        bench.reply("french", "END");
        bench.reply("umpire", start);
        let said = bench.out().into_iter().map(|mail| flat(&mail));
        let wanted = "10 min after the clock of the game runs again; UNDO END until then.";
        assert!(said.into_iter().any(|text| text.contains(wanted)), "{stop}");
        minutes(&mut bench, 9);
        assert_eq!(stage(&bench), sheet, "{stop}: its time stood still");
        minutes(&mut bench, 1);
        assert_ne!(stage(&bench), sheet, "{start}");
    }
}

#[test]
fn a_deadline_that_comes_first_wins_and_is_kept() {
    for late in ["doctrine", "wait", "umpire", "bot"] {
        let mut bench = on_move(&format!("recall: 10m\ndeadline: 1h\nlate: {late}\n"));
        let sheet = stage(&bench);
        let met = |bench: &Bench| bench.office.store.punctuality("french@example.org").unwrap();
        let before = met(&bench);
        minutes(&mut bench, 55);
        let at = clock(&mut bench, 5);
        let out = bench.reply("french", MARCH);
        assert!(flat(to(&out, "french")[0]).contains(&format!("ends at {at}; UNDO END")), "{out:?}");
        minutes(&mut bench, 4);
        assert_eq!(stage(&bench), sheet);
        let out = minutes(&mut bench, 1);
        assert_ne!(stage(&bench), sheet, "{late}");
        assert!(out.iter().all(|mail| !mail.text.contains("play waits for you")), "{late}");
        assert!(flat(to(&out, "french")[0]).contains("FORCE Lannes COMMAND MARCH 0305 0405"), "{late}: {out:?}");
        let missed = bench.office.store.desk("strem-1", "french", "missed").unwrap();
        assert_eq!(missed, None, "{late}: it was in time");
        assert_eq!((met(&bench).met, met(&bench).missed), (before.met + 1, 0), "{late}");
    }
}

#[test]
fn sealed_it_can_be_taken_back_as_long_also_by_the_last_to_end() {
    let terms = terms::read("game.yaml", "recall: 10m\ndeadline: 48h\n").unwrap();
    let mut bench = Bench::new();
    let game = NewGame { tempo: Tempo::Sealed, ..new_game("strem-1", "toy-great", true) };
    bench.office.new_game_on(&game, Some(&terms)).unwrap();
    bench.pass();
    bench.reply("red", "SIGNON\nNONCE a");
    bench.reply("blue", "SIGNON\nNONCE b");
    bench.reply("red", "STANCE BOLD\nEND");
    minutes(&mut bench, 30);
    bench.reply("blue", "STANCE BOLD\nEND");
    assert_eq!(minutes(&mut bench, 9), []);
    assert!(stage(&bench).contains("open"), "{}", stage(&bench));
    minutes(&mut bench, 1);
    assert!(!stage(&bench).contains("open"), "{}", stage(&bench));
}

#[test]
fn without_the_option_an_end_takes_effect_at_once() {
    let mut bench = on_move("deadline: 48h\n");
    let sheet = stage(&bench);
    bench.reply("french", MARCH);
    assert_ne!(stage(&bench), sheet);
    assert!(bench.office.store.log_of_kind("strem-1", "post.recall", 1).unwrap().is_empty());
}

#[test]
fn the_opening_mail_tells_it() {
    let bench = on_move("recall: 10m\ndeadline: 48h\n");
    let opening = bench.out().into_iter().find(|mail| mail.to == "french@example.org").unwrap();
    assert!(flat(&opening).contains("END takes effect 10 min after its mail came; until then UNDO END takes it back."));
}

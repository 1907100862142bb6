//! What time brings to games, and that those to which it brings nothing lie untouched.

use super::bench::{Bench, Mail, TOYS, new_game, seats};
use super::clockwork::begun_on;
use estafette::gateway::{Office, UmpireDoes};
use estafette::terms;
use jiff::SignedDuration;

/// Terms under which play waits, each for something else.
const TERMS: [&str; 4] = [
    "deadline: 48h\nlate: umpire\nreminder: 12h\n",
    "zone: Europe/Paris\ndeadline: 2 days\ngrace: 6h\nlate: wait\nreminder: 24h\n",
    "zone: Asia/Kolkata\ndeadline: evening 20:00 least 24h\nlate: stand-in\n",
    "deadline: 48h\nlate: doctrine\ngrace: 2h\nrecall: 10m\n",
];

/// Games that are overdue, paused, or have a seat for which another stands in.
fn waiting() -> Bench {
    let mut bench = begun_on(TERMS[0]);
    for (n, options) in TERMS.iter().enumerate() {
        let id = format!("toy-{}", 10 + n);
        let terms = terms::read("game.yaml", options).unwrap();
        bench.office.new_game_on(&new_game(&id, "toy-great", true), Some(&terms)).unwrap();
    }
    bench.pass();
    bench
}

fn written(bench: &mut Bench, game: &str, seat: &str, body: &str) {
    let subject = format!("Re: {}", bench.last_of(game, seat).subject);
    bench.post(&format!("{seat}@example.org"), &subject, body);
    bench.pass();
}

/// Another is named who plays for red in toy-12 when it is late or away.
fn named(bench: &mut Bench) {
    written(bench, "toy-12", "red", "STANDIN grouchy@example.org\nABSENT 9 Jan 12 Jan");
    bench.confirm("red@example.org");
    bench.confirm("grouchy@example.org");
}

#[test]
fn idle_passes_open_no_game_whatever_is_overdue_or_paused() {
    let mut bench = waiting();
    for n in 10..14 {
        for seat in seats("toy-great") {
            written(&mut bench, &format!("toy-{n}"), seat, "SIGNON");
        }
    }
    written(&mut bench, "toy-11", "umpire", "PAUSE");
    named(&mut bench);
    bench.advance(24 * 7);
    // What the time has brought is done, and what follows from that.
    for _ in 0..3 {
        bench.pass();
    }
    let overdue = |game: &&&str| {
        let dues = bench.office.store.dues(game).unwrap();
        dues.iter().any(|due| due.due_at.as_deref().is_some_and(|at| at < "2026-01-08T00:00:00Z"))
    };
    assert!(["toy-10", "toy-11", "toy-12", "toy-13"].iter().filter(overdue).count() > 1);
    assert_eq!(bench.office.store.games_with_note("paused").unwrap(), ["toy-11"]);
    let taken = bench.office.taken();
    for _ in 0..800 {
        bench.office.clock_mut().advance(SignedDuration::from_secs(1));
        bench.office.pass().unwrap();
    }
    assert_eq!(bench.office.taken(), taken);
    // What another process does is seen at once.
    let clock = *bench.office.clock_mut();
    let mut other = Office::with_clock(bench.dir.path(), TOYS, false, clock).unwrap();
    other.umpire("toy-10", &UmpireDoes::Extend("ALL".to_owned(), 5)).unwrap();
    bench.office.pass().unwrap();
    assert!(bench.office.taken() > taken);
}

/// All that is sent in some weeks, pass by pass.
fn weeks(always: bool) -> Vec<Vec<(String, String)>> {
    let mut bench = waiting();
    if always {
        bench.office.ask_always();
    }
    let said = |mail: &Mail| (mail.to.clone(), mail.unsealed());
    let mut all = Vec::new();
    for step in 0_u32..1_400 {
        bench.office.clock_mut().advance(SignedDuration::from_mins(17));
        let game = format!("toy-{}", 10 + step % 4);
        let seat = seats("toy-great")[usize::try_from(step / 4 % 2).unwrap()];
        match step {
            0..8 => written(&mut bench, &game, seat, "SIGNON"),
            100 | 900 => written(&mut bench, "toy-11", "umpire", "PAUSE"),
            400 => written(&mut bench, "toy-11", "umpire", "RESUME"),
            450 => named(&mut bench),
            600 => written(&mut bench, "toy-10", "umpire", "PROCEED ALL"),
            _ if step % 211 == 0 => written(&mut bench, &game, seat, "CHARGE YES\nSQUARE NO\nEND"),
            _ => {}
        }
        let mails = bench.pass();
        all.push(mails.iter().map(said).collect());
    }
    all
}

#[test]
fn games_left_alone_get_the_same_letters_at_the_same_times() {
    let (resting, always) = (weeks(false), weeks(true));
    assert!(always.iter().map(Vec::len).sum::<usize>() > 60, "{}", always.iter().map(Vec::len).sum::<usize>());
    for (step, (one, two)) in resting.iter().zip(&always).enumerate() {
        assert_eq!(one, two, "pass {step}");
    }
}

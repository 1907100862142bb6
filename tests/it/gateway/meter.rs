//! Counts for who watches the post office, and where its games stand without opening them.

use super::bench::{Bench, CONFIG, TOYS, new_game, seats};
use estafette::clock::Clock;
use estafette::gateway::{Stands, table};
use std::collections::BTreeMap;
use std::fs;

/// The samples of a file in Prometheus' text form; each measure has its help and its kind before them.
fn samples(text: &str) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    let (mut helped, mut typed) = (String::new(), String::new());
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            rest.split_once(' ').unwrap().0.clone_into(&mut helped);
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert!(["counter", "gauge", "summary"].contains(&kind), "{line}");
            name.clone_into(&mut typed);
        } else {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert!(name.starts_with(&typed) && helped == typed, "{line}");
            assert!(found.insert(name.to_owned(), value.parse().unwrap()).is_none(), "{line} twice");
        }
    }
    found
}

#[test]
fn the_daemon_writes_what_it_has_done_and_nothing_of_a_game() {
    let mut bench = Bench::with_config(&format!("{CONFIG}metrics = \"estafette.prom\"\n"));
    let file = bench.dir.path().join("estafette.prom");
    bench.office.pass().unwrap();
    assert!(!file.exists(), "a pass by hand is no daemon");
    let Bench { dir, office, .. } = bench;
    drop(office);
    let mut bench = Bench::served_by(dir, Clock::from_text("2026-01-01T00:00:00Z").unwrap());
    bench.new_game("toy-1", "toy-great", true);
    bench.pass();
    for seat in seats("toy-great") {
        bench.reply(seat, "SIGNON");
    }
    bench.post("somebody@example.org", "hello", "who are you?");
    bench.advance(1);
    bench.office.pass().unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let found = samples(&text);
    let of = |name: &str| *found.get(name).unwrap_or_else(|| panic!("{name}: {text}"));
    assert!((of("estafette_games{state=\"playing\"}") - 1.0).abs() < 0.1, "{text}");
    assert!(
        of("estafette_mails_total{what=\"read\"}") >= 2.0 && of("estafette_mails_total{what=\"sent\"}") >= 4.0,
        "{text}"
    );
    assert!(
        of("estafette_database_bytes") > 4096.0
            && of("estafette_writes_total") > 10.0
            && of("estafette_reads_total") > 10.0,
        "{text}"
    );
    assert!(of("estafette_pass_seconds_count{kind=\"busy\"}") >= 2.0, "{text}");
    for word in ["toy-1", "example.org", "blue", "red"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    // One that cannot be written harms nothing.
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    bench.advance(1);
    assert_eq!(bench.office.pass().unwrap().failing, 0);
}

#[test]
fn where_games_stand_is_kept_with_each_act() {
    let mut bench = Bench::new();
    for n in 0..3 {
        bench.office.new_game(&new_game(&format!("toy-{n}"), "toy-great", true)).unwrap();
    }
    bench.pass();
    let mut seen = std::collections::BTreeSet::new();
    for step in 0..60_u32 {
        let game = format!("toy-{}", step % 3);
        let seat = seats("toy-great")[usize::try_from(step / 3 % 2).unwrap()];
        let subject = format!("Re: {}", bench.last_of(&game, seat).subject);
        let said = if step < 6 { "SIGNON" } else { "CHARGE YES\nSQUARE NO\nEND" };
        bench.post(&format!("{seat}@example.org"), &subject, said);
        bench.pass();
        if step == 40 {
            bench.reply("umpire", "HOLD");
        }
        let row = bench.office.store.game(&game).unwrap().unwrap();
        let opened = table::open(TOYS, &bench.office.store, &row).unwrap();
        let kept = Stands::kept(&bench.office.store, &game).unwrap().unwrap();
        assert_eq!(kept, Stands::of(opened.as_ref(), row.state), "step {step}");
        seen.insert((kept.turn, kept.stage));
    }
    let stages = seen.iter().filter(|(_, stage)| stage.is_some()).count();
    assert!(seen.len() > stages && stages > 0, "{seen:?}");
}

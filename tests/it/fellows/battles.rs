//! Whole games between the program's own players: they end, nothing happens in them that cannot, and either side wins.

use super::{base, files};
use estafette::fog::SideId;
use estafette::hex::{Dir, Hex};
use estafette::rules::Ruleset;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::brave_fellows::event::Event;
use estafette::rules::brave_fellows::state::{At, Mood, State};
use estafette::simulate;
use serde_json::json;
use std::collections::BTreeMap;

const SCENARIOS: [&str; 8] = [
    "durenstein-day",
    "durenstein-day-fog",
    "durenstein-day-masked",
    "durenstein",
    "durenstein-masked",
    "teaching",
    "teaching-fog",
    "durenstein-as-french",
];
/// Games of each scenario, where nobody asks for more or fewer.
const GAMES: u32 = 2;
/// Games without which nothing is said of who wins.
const ENOUGH: u32 = 100;

fn asked(what: &str) -> Option<u32> {
    std::env::var(what).ok().and_then(|number| number.parse().ok())
}

/// Games open and in fog, of two and of one, walked after every event and played again from the chain. `FELLOWS_GAMES` asks
/// for so many of each scenario, `FELLOWS_FIRST` for those from a number on, `FELLOWS_ONLY` for those of one scenario. In a
/// long run of the three battles of a day either side wins 40 to 60 of 100 of the games that somebody wins.
#[test]
fn games_open_and_in_fog_end_and_nothing_happens_in_them_that_cannot() {
    let (games, first) = (asked("FELLOWS_GAMES").unwrap_or(GAMES), asked("FELLOWS_FIRST").unwrap_or(1));
    let only = std::env::var("FELLOWS_ONLY").ok();
    let entry = estafette::games::entry::<BraveFellows>();
    for name in SCENARIOS {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let files = files(&format!("{name}.yaml"));
        let (played, stuck) = simulate::run(&entry, &files, u64::from(first), games).unwrap();
        assert!(stuck.is_empty(), "{name}: {} stuck, the first: {:?}", stuck.len(), stuck.first());
        assert_eq!(u32::try_from(played.len()).unwrap(), games);
        let mut lines: BTreeMap<&str, u32> = BTreeMap::new();
        for (word, count) in played.iter().flat_map(|game| &game.lines) {
            *lines.entry(word).or_default() += count;
        }
        let sum = simulate::summary(name, &played, &stuck);
        let wins = |side: &str| sum.wins.get(side).copied().unwrap_or(0);
        let (french, coalition) = (wins("french"), wins("coalition"));
        println!("{name}: {games} games, French {french}, Coalition {coalition}, {} mails, {lines:?}", sum.mails);
        println!("  {:?} {:?}", sum.endings, sum.counts);
        for game in played.iter().filter(|_| asked("FELLOWS_GAMES").is_some()) {
            let counts: Vec<u32> = game.tally.counts.iter().map(|(_, n)| *n).collect();
            println!("  {}: {:?} {counts:?}", game.number, game.tally.winner);
        }
        // Players that do nothing would come to an end as well.
        let done = lines.get("DONE").copied().unwrap_or(0);
        assert!(done > 12 * games, "{name}: {done} lines were carried out");
        if games >= ENOUGH && SCENARIOS[..3].contains(&name) {
            let won = french + coalition;
            assert!(won * 10 >= games * 8, "{name}: {won} of {games} games were won by anybody");
            let share = french * 100 / won;
            assert!((40..=60).contains(&share), "{name}: the French won {share} of 100");
        }
    }
}

fn hex(id: &str) -> Hex {
    Hex::parse(id).unwrap()
}

/// The first flaw that an event would make of a state.
fn flaw(before: &State, event: &Event) -> String {
    let mut after = before.clone();
    BraveFellows::apply(&mut after, event);
    BraveFellows::leap(before, event, &after).into_iter().next().unwrap_or_default()
}

#[test]
fn what_cannot_happen_is_found_out() {
    let s = base(json!({
        "at": "french", "segment": "movement", "clear": true, "free": ["gazan", "line"], "turned": ["Gaindorge"],
        "units": {
            "4L-1": {"at": "1012", "face": "N", "active": true}, "4L-2": {"at": "1012", "active": true, "mood": "routed"},
            "APS-1": {"at": "1009", "face": "S"}, "100-1": {"at": "1216", "used": true}, "103-1": {"at": "1012"},
            "96-1": {"at": "1012"},
        },
        "leaders": {"Gaindorge": "1012", "Miloradovich": "1009"},
    }))
    .state;
    let name = |id: &str| id.to_owned();
    let (facing, with) = (Dir::N, Vec::new());
    let step = |to: &str, cost: i32| Event::Stepped {
        unit: name("4L-1"),
        to: hex(to),
        facing,
        cost,
        level: 0,
        with: with.clone(),
        pressed: false,
    };
    let went = |to: &str| Event::Went { unit: name("APS-1"), to: hex(to), how: name("retreat") };
    let fires = |by: &str| Event::Fired {
        at: hex("1009"),
        by: vec![name(by)],
        strength: 4,
        column: name("4-5"),
        die: 1,
        sum: estafette::rules::tactical::sum::Sum::default(),
        result: name("-"),
    };
    let french: SideId = "french".into();
    let real = base(json!({"at": "french", "units": {"4L-1": {"at": "1012"}}})).state;
    let mut halted = s.clone();
    BraveFellows::apply(&mut halted, &Event::Halted { unit: name("4L-1") });
    for (before, event, wanted) in [
        (&s, step("1010", 1), "4L-1 would leap to 1010"),
        (&s, step("1011", 7), "4L-1 would spend more MP"),
        (&halted, step("1011", 1), "4L-1 would leave the front"),
        (&s, went("1012"), "both sides would stand in 1012"),
        (&real, Event::Placed { piece: name("4L-1"), hex: hex("0116"), facing: Dir::N }, "4L-1 would stand where"),
        (&real, Event::Placed { piece: name("4L-1"), hex: hex("0716"), facing: Dir::N }, ""),
        (&s, Event::Became { unit: name("4L-2"), mood: Mood::Fatigued }, "4L-2 would recover before its time"),
        (&s, fires("4L-2"), "4L-2 would fire, and cannot"),
        (&s, Event::Waits { piece: name("Gaindorge"), by: hex("0109") }, "Gaindorge would be in two places"),
        (&s, Event::Recovering, "1012 would hold too many"),
        (&s, Event::Followed { leader: name("Gaindorge"), to: hex("1009") }, ""),
        (&s, Event::Turn { turn: 9 }, "a turn would be left out"),
        (
            &s,
            Event::Activated { side: french.clone(), leaders: vec![name("Gaindorge")], units: vec![name("100-1")] },
            "100-1 would act twice",
        ),
    ] {
        let found = flaw(before, &event);
        assert!(found.starts_with(wanted) && found.is_empty() == wanted.is_empty(), "{event:?}: {found}");
    }
    let mut among = s.clone();
    BraveFellows::apply(&mut among, &Event::Followed { leader: name("Gaindorge"), to: hex("1009") });
    assert!(flaw(&among, &Event::Ended { side: french }).starts_with("Gaindorge would stand among enemies"));
    let mut recovery = s;
    recovery.at = At::Recovery;
    assert_eq!(flaw(&recovery, &Event::Became { unit: name("4L-2"), mood: Mood::Fatigued }), "");
}

#[test]
fn a_step_that_version_3_kept_is_read_and_written_as_it_was() {
    let kept = r#"{"kind":"stepped","unit":"4L-1","to":"1011","facing":"N","cost":1,"level":0}"#;
    let event: Event = serde_json::from_str(kept).unwrap();
    assert_eq!(serde_json::to_string(&event).unwrap(), kept);
}

//! The program's player of `campaigns`: it reads a view and writes lines that are understood.

use crate::report::{begun, play};
use crate::scenario::files;
use estafette::fog::SeatId;
use estafette::host::{Game, Input};
use estafette::{games, simulate};

#[test]
fn a_view_and_a_noise_give_one_sheet() {
    let game = begun("1805-moravia.yaml");
    let sheet = |noise| game.bot(&SeatId::from("french"), noise).body().clone();
    assert_eq!(sheet(3), sheet(3));
    assert!((0..6).any(|n| sheet(n) != sheet(3)));
    assert_eq!(sheet(3).last().map(String::as_str), Some("END"));
}

#[test]
fn the_houses_players_write_what_is_understood_and_mostly_allowed() {
    let mut words: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    play("teaching.yaml", |_, batch| {
        for answered in batch.letters.iter().flat_map(|l| &l.sections.body().answers) {
            if let Some(outcome) = &answered.outcome {
                *words.entry(outcome.word()).or_default() += 1;
            }
        }
    });
    let count = |word| words.get(word).copied().unwrap_or(0);
    assert_eq!((count("UNCLEAR"), count("NOT YET")), (0, 0), "{words:?}");
    assert!(count("DONE") > 20 && count("REFUSED") * 20 <= count("DONE"), "{words:?}");
}

/// Plays a game in which one side only lets its time pass: questions by their defaults, sheets without a line. Gives the
/// winner's name.
fn against_nobody(name: &str, idle: &str, number: u64) -> Option<String> {
    let entry = games::find(games::GAMES, "campaigns").unwrap();
    let mut game = simulate::open(entry, &files(name), number).unwrap();
    let mut input = Input::Begin;
    for mail in 1..2_000 {
        let batch = game.take(input).unwrap();
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return game.tally().winner };
        input = if due.seat.0 == idle {
            let lines: Vec<(u32, String)> = due.prompt.iter().map(|ask| (1, ask.default.clone())).collect();
            let end = lines.is_empty();
            Input::Orders { seat: due.seat.clone(), lines, end, mail: format!("<{number}.{mail}@idle>") }
        } else {
            simulate::mail_of(game.as_ref(), &due.seat, number, mail)
        };
    }
    panic!("{name} against nobody does not end");
}

#[test]
fn who_lets_his_time_pass_loses_to_the_houses_player_and_seldom_wins() {
    let mut tally = std::collections::BTreeMap::new();
    for name in ["1792-valmy.yaml", "1796-castiglione.yaml", "1800-marengo.yaml", "1809-eggmuehl.yaml"] {
        for seat in simulate::open(games::find(games::GAMES, "campaigns").unwrap(), &files(name), 1).unwrap().seats() {
            for number in 1..=2 {
                let word = match against_nobody(name, &seat.0.0, number) {
                    // The French are called so in every year.
                    Some(name) if (name == "French") == (seat.0.0 == "french") => "idle",
                    Some(_) => "house",
                    None => "draw",
                };
                *tally.entry(word).or_insert(0) += 1;
                println!("{name}, {} idle: {word}", seat.0.0);
            }
        }
    }
    let count = |word| tally.get(word).copied().unwrap_or(0);
    assert!(count("house") >= 3 * count("idle") && count("house") >= 6, "{tally:?}");
}

/// Games of a sample: few, unless `BOTS` asks for more.
fn games_asked(usual: u64) -> u64 {
    std::env::var("BOTS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// SP that both sides together lose in a great battle.
const GREAT: u64 = 20;

/// The tolls of all battles of a chain, both sides together; battles are numbered anew on each turn.
fn tolls(chain: &simulate::Chain) -> Vec<u64> {
    let mut done = Vec::new();
    let mut open: std::collections::BTreeMap<Option<u64>, u64> = std::collections::BTreeMap::new();
    for (_, _, body) in chain.iter().filter(|(_, kind, _)| kind == "event") {
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        let event = &body["event"];
        match event["kind"].as_str() {
            Some("designated") => done.extend(std::mem::take(&mut open).into_values()),
            Some("took") => *open.entry(event["no"].as_u64()).or_default() += event["sp"].as_u64().unwrap(),
            _ => {}
        }
    }
    done.extend(open.into_values());
    done
}

#[test]
fn on_the_eve_of_austerlitz_both_seek_a_decision() {
    let (entry, name) = (games::find(games::GAMES, "campaigns").unwrap(), "1805-moravia-nov30.yaml");
    let games = games_asked(6);
    let (mut great, mut draws) = (0, 0);
    let mut wins = std::collections::BTreeMap::new();
    for number in 1..=games {
        let mut game = simulate::open(entry, &files(name), number).unwrap();
        let (played, chain) = simulate::play(game.as_mut(), number, |_, _| Ok(())).unwrap();
        println!("{number}: battles of {:?} SP; {}", tolls(&chain), played.ending);
        great += u64::from(tolls(&chain).iter().any(|toll| *toll >= GREAT));
        draws += u64::from(played.tally.winner.is_none());
        *wins.entry(played.tally.winner.unwrap_or_default()).or_insert(0) += 1;
        // ¶362-364: the Guard is staked by who says so, and the house never does.
        assert!(!chain.iter().any(|(_, kind, body)| kind == "event" && body.contains(r#""kind":"staked""#)));
    }
    println!("{games} games: {great} with a great battle, {draws} drawn; {wins:?}");
    // 60 and 50 of 100; a few games may fall out otherwise.
    let (least, most) = if games >= 100 { (60, 50) } else { (50, 67) };
    assert!(great * 100 >= least * games, "{great} of {games}");
    assert!(draws * 100 < most * games, "{draws} of {games}");
}

//! Noninterference: two games that are equal in all that a side may know give it equal paper, byte for byte.
//!
//! Whole games are played between the program's own players, live and sealed. At every stop, for every side, everything
//! outside its knowledge is scrambled: strengths, identities, which counter is a vedette, points, pools, plans, the orders
//! and doctrine of the other side. What the side would then be mailed must not change; and where the next mail, whoever
//! writes it, tells the side the same in both games, the letters of it must be the same too, in text and number.
//! `NONINTERFERENCE=20000` makes the longer run, and `NONINTERFERENCE_FROM=1001` begins with another game.

mod battalions;
mod canary;
mod cases;
mod dusk;
mod fog;
pub mod mails;
mod troops;
mod twins;

use estafette::dice::{self, Roll};
use estafette::fog::{SeatId, SideId};
use estafette::games;
use estafette::host::paper::{Format, SeatData, Sections};
use estafette::host::{Batch, Game, Input, Tempo};
use estafette::letter::sheet::{self, SeatView, Sheet};
use estafette::{scenario, simulate};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::str::FromStr;

const NARROW: Format = Format { narrow: true, ascii: true, both: false, plates: false, sheet: false, full: false };

/// Positions of the campaigns in the short run.
const SHORT: u32 = 400;

/// Positions that a run must reach, counted by position and side, where nobody asks for more or fewer.
fn wanted(usual: u32) -> u32 {
    asked("NONINTERFERENCE").unwrap_or(usual)
}

fn asked<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

fn files(ruleset: &str, name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(ruleset).join(name);
    scenario::files(&path).unwrap()
}

/// Lines of this kind that are tried at one position; the noise chooses which.
const TOUCHING: usize = 20;

/// Lines that no view can know to be harmless: marches at the enemy, battles with him, questions about him, nonsense.
fn probes(game: &dyn Game, seat: &SeatId, noise: u64) -> Vec<(u32, String)> {
    let (_, examples) = game.examples(seat).into_parts();
    let (_, bot) = game.bot(seat, 7).into_parts();
    let mut lines: Vec<String> =
        examples.into_iter().filter(|l| l.starts_with("  ")).map(|l| l.trim().to_owned()).collect();
    let report = game.report(seat, None).into_parts().1;
    let hexes: BTreeSet<&str> = report.enemy.iter().flat_map(|line| line.split_whitespace()).filter(is_hex).collect();
    let second = |line: &String| line.split_whitespace().nth(1).map(str::to_owned);
    let own: BTreeSet<String> = lines.iter().filter(|line| line.starts_with("FORCE ")).filter_map(second).collect();
    let mut touching = Vec::new();
    for hex in hexes {
        for name in &own {
            touching.push(format!("FORCE {name} INITIATIVE MARCH ROAD TO {hex}"));
            touching.push(format!("ATTACK {hex} WITH {name}"));
        }
        touching.push(format!("VEDETTE 1 MARCH {hex}"));
        touching.push(format!("BATTLE {hex} TYPE PITCHED"));
        touching.push(format!("CENTER MOVE TO {hex}"));
    }
    let step = touching.len().div_ceil(TOUCHING).max(1);
    let from = usize::try_from(noise >> 33).unwrap() % step;
    lines.extend(touching.into_iter().skip(from).step_by(step));
    lines.extend(bot);
    // CHECK fights three hundred battles for each attack that is planned: at every third position.
    let fights = (noise >> 33).is_multiple_of(3);
    lines.retain(|line| fights || !["ATTACK ", "BATTLE "].iter().any(|verb| line.starts_with(verb)));
    lines.push("FORCE nobody MARCH 9999".to_owned());
    (1u32..).zip(lines).collect()
}

fn is_hex(word: &&str) -> bool {
    word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit())
}

/// Everything that a seat could be told at this instant.
fn paper(game: &dyn Game, seat: &SeatId, side: &SideId, probes: &[(u32, String)]) -> String {
    let report = game.report(seat, None).into_parts().1;
    let since = game.report(seat, Some(0)).into_parts().1;
    let map = game.map(seat, None, Format::default()).into_parts().1;
    let close = game.map(seat, None, NARROW).into_parts().1;
    let plate = game.plate(seat, None).into_parts().1;
    // Dear to make, so at every third position.
    let data = probes.len().is_multiple_of(3).then(|| game.seat_data(seat).into_parts().1);
    let page = data.as_ref().and_then(|data| Some(page(&report, data.clone()?)));
    let film = probes.len().is_multiple_of(9).then(|| game.film(Some(seat)).into_parts().1);
    let check = game.check(seat, probes).into_parts().1;
    let rest = (
        game.examples(seat).into_parts().1,
        game.history(seat, None).into_parts().1,
        game.doctrine(seat).into_parts().1,
        game.bot(seat, 3).into_parts().1,
        game.rolls(Some(side)),
        game.on_move(seat),
        game.stage(),
        game.slot(),
    );
    format!(
        "{report:#?}\n{since:#?}\n{map:#?}\n{close:#?}\n{plate:?}\n{data:?}\n{page:?}\n{film:?}\n{check:#?}\n{:#?}\n{rest:#?}",
        dues(game, seat)
    )
}

/// The order sheet with the words of a report, as a browser opens it: its length and its digest.
fn page(report: &Sections, data: SeatData) -> (usize, String) {
    let words = estafette::gateway::context(report);
    let (stage, if_not, offers, told) = (words.now, words.if_not, words.offers, words.story);
    let view = SeatView {
        when: words.head,
        stage,
        if_not,
        offers,
        told,
        questions: words.questions,
        board: data.board,
        ..SeatView::default()
    };
    let page = sheet::page(&Sheet { view, map: data.svg, script: data.script }).unwrap();
    (page.len(), dice::hex(&Sha256::digest(page.as_bytes())))
}

fn dues(game: &dyn Game, seat: &SeatId) -> Vec<estafette::rules::Due> {
    game.dues().into_iter().filter(|due| due.seat == *seat).collect()
}

fn first_difference(a: &str, b: &str) -> String {
    let differs = a.lines().zip(b.lines()).find(|(x, y)| x != y);
    differs.map_or_else(|| "one is longer".to_owned(), |(x, y)| format!("{x}\n  became\n{y}"))
}

/// What a side is told by one input: sightings and dice, in order.
fn told(batch: &Batch, side: &SideId) -> Vec<String> {
    let mine = |kind: &str, body: &str| match kind {
        "sight" => serde_json::from_str::<Value>(body).unwrap()["side"] == side.0.as_str(),
        "roll" => serde_json::from_str::<Roll>(body).unwrap().scope.open_to(side),
        _ => false,
    };
    batch.entries.iter().filter(|e| mine(e.kind, &e.body)).map(|e| format!("{} {}", e.kind, e.body)).collect()
}

/// What came of a run.
#[derive(Default)]
struct Count {
    /// Positions compared, by side.
    compared: u32,
    /// Of them, those whose truth was another.
    changed: u32,
    /// Mails that told the side the same in both games, and so had to be answered the same.
    mails: u32,
    /// Pictures in reports that were compared.
    pictures: usize,
    /// Views as data, with what an order sheet is made of, that were compared.
    sheets: u32,
    /// Mails that told it something else, by the first thing told that differs.
    uncovered: BTreeMap<String, u32>,
}

/// A game, and for each seat the same game with all changed that its side may not know.
struct Pair {
    seat: SeatId,
    side: SideId,
    other: Box<dyn Game>,
}

/// The same mail in both games: what the seat is told, and the letters that it gets.
fn same_letters(pair: Pair, input: &Input, batch: &Batch, game: &dyn Game, count: &mut Count) -> Result<(), String> {
    let Pair { seat, side, mut other } = pair;
    let Ok(twin) = other.take(input.clone()) else { return Ok(()) };
    let (first, second) = (told(batch, &side), told(&twin, &side));
    if first != second {
        // What lay hidden has come to light in one of them.
        let odd = first.iter().zip(&second).find(|(a, b)| a != b).map(|(a, _)| a);
        let odd = odd.or_else(|| first.get(second.len())).or_else(|| second.get(first.len()));
        *count.uncovered.entry(odd.map_or_else(String::new, |said| what(said))).or_default() += 1;
        return Ok(());
    }
    count.mails += 1;
    let letters = |batch: &Batch| {
        let to = batch.letters.iter().filter(|letter| letter.seat == seat);
        to.map(|letter| format!("{letter:#?}")).collect::<Vec<_>>().join("\n")
    };
    let due = |game: &dyn Game| format!("{:#?}", dues(game, &seat));
    for (a, b) in [(letters(batch), letters(&twin)), (due(game), due(other.as_ref()))] {
        if a != b {
            return Err(format!("{seat}, told the same by {input:?}: {}", first_difference(&a, &b)));
        }
    }
    Ok(())
}

/// The kind of a thing told.
fn what(said: &str) -> String {
    let (kind, body) = said.split_once(' ').unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    if kind == "roll" {
        return format!("roll {}", body["label"].as_str().unwrap().split('/').next().unwrap());
    }
    let told = &body["body"]["told"];
    let name = told.as_object().and_then(|fields| fields.get("kind").or_else(|| fields.get("told")));
    let name = name.and_then(Value::as_str).map(str::to_owned);
    let name = name.or_else(|| told.as_object().and_then(|fields| fields.keys().next().cloned()));
    format!("{} {}", body["body"]["chapter"].as_str().unwrap_or_default(), name.unwrap_or_else(|| told.to_string()))
}

/// Lines to try at a position, with their numbers.
type Probes = Vec<(u32, String)>;

/// A scenario of a ruleset, and the lines that are tried in it at every position.
#[derive(Clone, Copy)]
struct Board {
    ruleset: &'static str,
    name: &'static str,
    probes: fn(&dyn Game, &SeatId, u64) -> Probes,
}

fn open(board: Board, number: u64) -> Box<dyn Game> {
    let entry = games::find(games::GAMES, board.ruleset).unwrap();
    let tempo = if number.is_multiple_of(3) { Tempo::Sealed } else { Tempo::Live };
    let mut master = [0; 32];
    master[..8].copy_from_slice(&number.to_be_bytes());
    let files = files(board.ruleset, board.name);
    let stored = games::Stored {
        game: "ni".into(),
        files,
        secrets: dice::Secrets::One { master, salt: dice::salt(&[]) },
        tempo,
        kept: None,
    };
    let mut game = (entry.open)(stored).unwrap();
    // What letters and reports show in pictures is compared as they are: drawing by drawing, byte for byte.
    for (seat, _) in game.seats() {
        game.form(&seat, Format { plates: true, ..Format::default() });
    }
    game
}

/// Plays one game and scrambles at every stop, for at most so many positions.
fn one_game(board: Board, number: u64, most: u32, count: &mut Count) -> Result<(), String> {
    let mut game = open(board, number);
    let mut noise = number;
    let mut input = Input::Begin;
    let mut pairs: Vec<Pair> = Vec::new();
    let from = count.compared;
    for mail in 1..5_000 {
        let batch = game.take(input.clone()).map_err(|broken| broken.why)?;
        for pair in pairs.drain(..) {
            same_letters(pair, &input, &batch, game.as_ref(), count)?;
        }
        for (seat, side) in game.seats() {
            if count.compared - from >= most {
                return Ok(());
            }
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let other = game.scrambled(&side, noise);
            let probes = (board.probes)(game.as_ref(), &seat, noise);
            let before = paper(game.as_ref(), &seat, &side, &probes);
            let after = paper(other.as_ref(), &seat, &side, &probes);
            if before != after {
                return Err(format!("{seat}: {}", first_difference(&before, &after)));
            }
            count.compared += 1;
            count.pictures += before.matches("<svg ").count();
            count.sheets += u32::from(before.contains("SeatData {"));
            count.changed += u32::from(game.truth() != other.truth());
            pairs.push(Pair { seat, side, other });
        }
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return Ok(()) };
        input = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
    }
    Err("it does not end".to_owned())
}

/// Plays games until so many positions have been compared; `plan` says which game has which number, and how many of its
/// positions are looked at.
fn run(wanted: u32, plan: fn(u64) -> (Board, u32)) -> Count {
    let mut count = Count::default();
    // A long run can be split between two processes.
    let mut number = asked("NONINTERFERENCE_FROM").unwrap_or(1);
    while count.compared < wanted {
        let (board, most) = plan(number);
        let (name, before) = (board.name, count.compared);
        let most = most.min(wanted - before);
        one_game(board, number, most, &mut count).unwrap_or_else(|why| panic!("{name}, game {number}, {why}"));
        assert!(count.compared > before, "game {number} of {name} had no stop");
        println!("game {number} of {name}: {} of {wanted} positions", count.compared);
        number += 1;
    }
    count
}

impl Count {
    /// Of a run that proves something as many in ten were changed as are wanted, since a scramble that changes nothing proves
    /// nothing; and of three mails one told the same.
    fn proves(&self, in_ten: u32) {
        let Count { compared, sheets, .. } = self;
        assert!(sheets * 6 >= *compared, "only {sheets} sheets at {compared} positions");
        self.draws(in_ten);
    }

    /// The same of a game that has no order sheet yet.
    fn draws(&self, in_ten: u32) {
        let Count { compared, changed, mails, pictures, sheets, uncovered } = self;
        println!(
            "{compared} positions, {changed} changed, {pictures} pictures, {sheets} sheets, {mails} mails told the same; otherwise: {uncovered:#?}"
        );
        let drawn = usize::try_from(*compared).unwrap_or(usize::MAX);
        assert!(*pictures > drawn, "only {pictures} pictures at {compared} positions");
        assert!(changed * 10 >= compared * in_ten, "only {changed} of {compared} scrambles changed the truth");
        assert!(
            mails * 3 >= *compared,
            "only {mails} mails of {compared} told the same; told otherwise: {uncovered:#?}"
        );
    }
}

#[test]
fn what_a_side_may_not_know_changes_no_byte_of_its_mail() {
    let plan = |number: u64| {
        // The short run takes as large a share of each as the long one.
        let part = |short, long| if wanted(SHORT) > SHORT { long } else { short };
        // A page of Moravia costs thirty of the small scenario's: one game in fifty, and a part of it.
        let (name, most) = match number % 50 {
            5 => ("1805-moravia.yaml", part(12, 40)),
            // Two armies of one side, with their desks and phases (¶55, 62-63, 93).
            2 => ("../../tests/boards/1814-armies.yaml", part(80, 150)),
            3 => ("../../tests/boards/1815-armies.yaml", part(80, 150)),
            _ => ("teaching.yaml", u32::MAX),
        };
        (Board { ruleset: "campaigns", name, probes }, most)
    };
    run(wanted(SHORT), plan).proves(9);
}

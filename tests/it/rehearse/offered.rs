//! Lines that mails offer: each is taken, none leads into trouble, and a march is worth making.

use super::driver::{Table, files, tried};
use estafette::fog::Fogged;
use estafette::hex::Hex;
use estafette::host::paper::Paper;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::board::LeaderId;
use estafette::rules::rehearsal::Caution;

type View = <Campaigns as Fogged>::View;

/// Plays a game by its own players, and looks at what is offered at each sheet.
fn offers<R: Paper>(files: &[(String, String)], seed: u8, sheets: u32, mut look: impl FnMut(&R::View, &str)) {
    let mut table = Table::<R>::open(files, seed);
    for sheet in 0..sheets {
        table.answer(|ask| ask.default.clone());
        let Some((seat, _)) = table.sheet() else { break };
        let view = table.view(&seat.0);
        for line in R::offers(&view).iter().filter(|line| *line != "END") {
            look(&view, line);
        }
        table.by_bot(u64::from(seed) * 1000 + u64::from(sheet));
    }
    assert_eq!(table.broken, None);
}

/// Warnings that nobody should be led into by a line that he is offered.
const TROUBLE: [Caution; 8] = [
    Caution::MustAttack,
    Caution::Stack,
    Caution::Detour,
    Caution::Command,
    Caution::NoEffect,
    Caution::Enemy,
    Caution::Objective,
    Caution::Doubtful,
];

/// Whether a march brings a piece nearer to a place that scores and is not held, or to an enemy, or to a friend of its own.
fn worth(before: &View, after: &View) -> bool {
    let side = before.side_id();
    let mut goals: Vec<Hex> = before.board.objectives.iter().map(|o| o.hex).collect();
    goals.retain(|hex| before.control.get(hex) != Some(&side));
    goals.extend(before.enemy.values().map(|counter| counter.hex));
    goals.extend(before.enemy_centers.iter().flatten());
    let nearer = |from: Hex, to: Hex, goals: &[Hex]| goals.iter().any(|goal| goal.distance(to) < goal.distance(from));
    let moved = |leader: &LeaderId| before.own.hex(leader) != after.own.hex(leader);
    let marched = before.own.on_map().any(|(leader, from)| {
        let Some(to) = after.own.hex(leader).filter(|_| moved(leader)) else { return false };
        let friends: Vec<Hex> = before.own.on_map().filter(|(l, _)| *l != leader).map(|(_, hex)| hex).collect();
        nearer(from, to, &goals) || friends.iter().any(|hex| *hex == to)
    });
    let vedettes = before.own.vedettes.keys().any(|n| {
        let at = |v: &View| v.own.piece_hex(&estafette::rules::campaigns::pieces::Piece::Vedette(*n));
        at(before).zip(at(after)).is_some_and(|(from, to)| from != to && nearer(from, to, &goals))
    });
    marched || vedettes
}

#[test]
fn offered_marches_are_sound_and_worth_making() {
    let (mut lines, mut marches, mut worthy) = (0, 0, 0);
    let mut bad: Vec<String> = Vec::new();
    let mut look = |view: &View, line: &str| {
        lines += 1;
        let (order, found) = match tried::<Campaigns>(view, line) {
            Ok(found) => found,
            Err(fault) => return bad.push(format!("{line}: {fault}")),
        };
        let old = <Campaigns as estafette::rules::Ruleset>::warnings(view, view, &[]);
        let left = <Campaigns as estafette::rules::Ruleset>::warnings(view, &found.after, &[order]);
        let new = left.into_iter().filter(|warning| !old.contains(warning));
        let trouble = found.warnings.iter().cloned().chain(new).find(|warning| TROUBLE.contains(&warning.kind));
        bad.extend(trouble.map(|warning| format!("{line}: {}", warning.text)));
        if line.contains(" MARCH ") {
            marches += 1;
            worthy += u32::from(worth(view, &found.after));
        }
    };
    for seed in 1..=6 {
        offers::<Campaigns>(&files("campaigns", "teaching.yaml"), seed, 40, &mut look);
    }
    offers::<Campaigns>(&files("campaigns", "1805-moravia.yaml"), 7, 16, &mut look);
    println!("{lines} lines offered, {marches} marches, {worthy} worth making");
    assert_eq!(bad, Vec::<String>::new());
    assert!(marches > 60 && worthy * 10 >= marches * 9, "{worthy} of {marches}");
}

#[test]
fn every_line_that_austerlitz_offers_is_taken_when_sent() {
    let (mut lines, mut bad) = (0, Vec::new());
    for seed in 1..=3 {
        offers::<Austerlitz>(&files("austerlitz1805", "teaching.yaml"), seed, 16, |view, line| {
            lines += 1;
            match tried::<Austerlitz>(view, line) {
                Ok((_, found)) => {
                    let trouble = found.warnings.iter().find(|warning| TROUBLE.contains(&warning.kind));
                    bad.extend(trouble.map(|warning| format!("{line}: {}", warning.text)));
                }
                Err(fault) => bad.push(format!("{line}: {fault}")),
            }
        });
    }
    // And in play: the first sheet of each game, line by line.
    for seed in 1..=3 {
        let table = Table::<Austerlitz>::open(&files("austerlitz1805", "teaching.yaml"), seed);
        let (seat, address) = table.sheet().unwrap();
        for line in Austerlitz::offers(&table.view(&seat.0)) {
            let mut table = Table::<Austerlitz>::open(&files("austerlitz1805", "teaching.yaml"), seed);
            let outcome = table.line(&address, &line).unwrap();
            if outcome.word() == "REFUSED" || outcome.word() == "UNCLEAR" {
                bad.push(format!("{line}: {outcome:?}"));
            }
        }
    }
    println!("{lines} lines offered");
    assert_eq!(bad, Vec::<String>::new());
    assert!(lines > 30, "{lines}");
}

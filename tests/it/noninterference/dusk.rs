//! The same for `brave_fellows` in fog: units out of sight stand elsewhere, face and feel otherwise; who is seen from afar is
//! another of his arm; what has come, is free, is wished for by the other side is changed.

use super::{Board, Count, TOUCHING, is_hex, one_game};
use estafette::fog::SeatId;
use estafette::host::Game;
use std::collections::BTreeSet;

/// Lines that touch what the enemy hides: into and at hexes beside and beyond those that are seen, with every verb that takes
/// one, and nonsense.
fn probes(game: &dyn Game, seat: &SeatId, noise: u64) -> Vec<(u32, String)> {
    let (_, examples) = game.examples(seat).into_parts();
    let mut lines: Vec<String> =
        examples.into_iter().filter(|l| l.starts_with("  ")).map(|l| l.trim().to_owned()).collect();
    let report = game.report(seat, None).into_parts().1;
    let hexes: BTreeSet<&str> = report.enemy.iter().flat_map(|line| line.split_whitespace()).filter(is_hex).collect();
    let name = |word: &&str| word.contains('-') && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let own: BTreeSet<&str> = report.forces.iter().flat_map(|line| line.split_whitespace()).filter(name).collect();
    let mut touching = Vec::new();
    for hex in hexes {
        for unit in &own {
            touching.push(format!("FIRE {unit} AT {hex}"));
            touching.push(format!("MELEE {unit} AT {hex}"));
            touching.push(format!("CHARGE {unit} AT {hex}"));
            touching.push(format!("ADVANCE {unit} INTO {hex}"));
        }
    }
    let random = |n: u64, most: u64| 1 + (noise >> n) % most;
    for unit in &own {
        let (col, row) = (random(3, 34), random(11, 20));
        touching.push(format!("MOVE {unit} {col:02}{row:02}"));
        touching.push(format!("REGROUP {unit} AT {col:02}{row:02}"));
        touching.push(format!("LOSS {unit}"));
    }
    let step = touching.len().div_ceil(TOUCHING).max(1);
    lines.extend(touching.into_iter().skip(usize::try_from(noise >> 33).unwrap() % step).step_by(step));
    for leader in ["Gazan", "Gaindorge", "Miloradovich", "Kutusov", "Dokhturov"] {
        lines.push(format!("ACTIVATE {leader}"));
        lines.push(format!("LEADER {leader} TO {:02}{:02}", random(5, 34), random(17, 20)));
    }
    let (_, bot) = game.bot(seat, 7).into_parts();
    lines.extend(bot);
    lines.push("MOVE nobody 9999".to_owned());
    (1u32..).zip(lines).collect()
}

/// Positions that the run must reach, counted by position and side.
fn wanted() -> u32 {
    std::env::var("NONINTERFERENCE").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

#[test]
fn what_no_unit_sees_changes_no_byte_of_a_mail() {
    let mut count = Count::default();
    let mut number = 1;
    while count.compared < wanted() {
        let name = if number % 2 == 0 { "durenstein-fog.yaml" } else { "teaching-fog.yaml" };
        let board = Board { ruleset: "brave_fellows", name, probes };
        let before = count.compared;
        let most = 120.min(wanted() - before);
        one_game(board, number, most, &mut count).unwrap_or_else(|why| panic!("{name}, game {number}, {why}"));
        assert!(count.compared > before, "game {number} had no stop");
        number += 1;
    }
    let Count { compared, changed, mails, uncovered } = count;
    println!("{compared} positions, {changed} changed, {mails} mails told the same; otherwise: {uncovered:#?}");
    assert!(compared >= wanted());
    // In a small battle nobody may be out of sight; what the other side wishes for is changed all the same.
    assert!(changed * 2 >= compared, "only {changed} of {compared} scrambles changed the truth");
    assert!(mails * 3 >= compared, "only {mails} mails of {compared} told the same; told otherwise: {uncovered:#?}");
}

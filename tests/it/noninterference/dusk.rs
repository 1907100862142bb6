//! The same for `brave_fellows` in fog, with faces far off and without: units out of sight stand elsewhere, face and feel otherwise; who is seen from afar is
//! another of his arm; what has come, is free, is wished for by the other side is changed.

use super::{Board, TOUCHING, is_hex, run, wanted};
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

#[test]
fn what_no_unit_sees_changes_no_byte_of_a_mail() {
    let plan = |number: u64| {
        let name = match number % 4 {
            0 => "durenstein-masked.yaml",
            2 => "durenstein-fog.yaml",
            _ => "teaching-fog.yaml",
        };
        (Board { ruleset: "brave_fellows", name, probes }, 120)
    };
    // In a small battle nobody may be out of sight; what the other side wishes for is changed all the same.
    run(wanted(240), plan).proves(5);
}

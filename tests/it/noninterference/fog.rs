//! The same for `austerlitz1805` in its fog: what chits hold, which are decoys, which box is which, where corps stand on the
//! strategic map and what a fog turn allows are scrambled at every stop of games between the program's players.

use super::{Board, TOUCHING, run, wanted};
use estafette::fog::SeatId;
use estafette::host::Game;
use std::collections::BTreeSet;

/// Lines that touch what the enemy hides: at his chits, into areas beside him, beyond the line, and nonsense.
fn probes(game: &dyn Game, seat: &SeatId, noise: u64) -> Vec<(u32, String)> {
    let (_, examples) = game.examples(seat).into_parts();
    let mut lines: Vec<String> =
        examples.into_iter().filter(|l| l.starts_with("  ")).map(|l| l.trim().to_owned()).collect();
    let report = game.report(seat, None).into_parts().1;
    let word = |line: &String| line.split_whitespace().next().map(str::to_owned);
    let chits: BTreeSet<String> = report.enemy.iter().filter_map(word).filter(|w| w.get(1..2) == Some("C")).collect();
    let boxes: Vec<String> = report.forces.iter().filter(|l| l.starts_with('+')).filter_map(word).collect();
    let mut touching = Vec::new();
    for chit in &chits {
        for own in &boxes {
            touching.push(format!("MARCH {} TOWARD {chit}", own.trim_start_matches('+')));
        }
    }
    let step = touching.len().div_ceil(TOUCHING).max(1);
    lines.extend(touching.into_iter().skip(usize::try_from(noise >> 33).unwrap() % step).step_by(step));
    for chit in chits.iter().take(3) {
        lines.push(format!("ATTACK Repninsky AT {chit}"));
        lines.push(format!("ATTACK Vandamme/1 AT {chit}"));
    }
    for corps in ["III", "IV", "V", "Legrand"] {
        for area in ["F1", "F5", "F7", "A3", "A5", "A6"] {
            lines.push(format!("STRAT {corps} TO {area}"));
        }
    }
    let at = format!("{},{}", 5_000 + noise % 15_000, 5_000 + (noise >> 20) % 18_000);
    for unit in ["Muller", "Berg", "Weber", "Vandamme/1", "Becker", "Legrand/1"] {
        lines.push(format!("CHIT 17 = {unit} PLACE {at}"));
        lines.push(format!("HIDE {unit} IN 18"));
    }
    lines.extend(["DECOY 16", "DECOY 99 PLACE Pratzen", "DEPLOY 3", "MARCH nobody"].map(str::to_owned));
    lines.push(format!("DECOY 16 PLACE {at}"));
    let (_, bot) = game.bot(seat, 7).into_parts();
    lines.extend(bot);
    (1u32..).zip(lines).collect()
}

/// Stops of one game that are looked at, by position and side: the fog is gone after turn 8 at the latest, so that the first
/// of them are those in it.
const IN_FOG: u32 = 30;

#[test]
fn what_the_fog_hides_changes_no_byte_of_a_mail() {
    let plan = |_| (Board { ruleset: "austerlitz1805", name: "fog-teaching.yaml", probes }, IN_FOG);
    run(wanted(400), plan).proves(9);
}

//! Noninterference: two games that are equal in all that a side may know give it equal paper, byte for byte.
//!
//! Whole games are played between the house's own players. At every stop, for every side, everything outside its knowledge
//! is scrambled: strengths, identities, which counter is a vedette, points, pools, plans. What the side would then be
//! mailed must not change. `NONINTERFERENCE=20000` makes the longer run.

use estafette::fog::SeatId;
use estafette::games;
use estafette::host::Game;
use estafette::host::paper::Format;
use estafette::{scenario, simulate};
use std::path::Path;

const NARROW: Format = Format { narrow: true, ascii: true, both: false };

/// Positions that the run must reach, counted by position and side.
fn wanted() -> u32 {
    std::env::var("NONINTERFERENCE").ok().and_then(|n| n.parse().ok()).unwrap_or(1000)
}

fn files(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns").join(name);
    scenario::files(&path).unwrap()
}

/// Lines that no view can know to be harmless: marches at the enemy, questions about him, and nonsense.
fn probes(game: &dyn Game, seat: &SeatId) -> Vec<(u32, String)> {
    let (_, examples) = game.examples(seat).into_parts();
    let (_, bot) = game.bot(seat, 7).into_parts();
    let mut lines: Vec<String> =
        examples.into_iter().filter(|l| l.starts_with("  ")).map(|l| l.trim().to_owned()).collect();
    lines.extend(bot);
    lines.push("FORCE nobody MARCH 9999".to_owned());
    (1u32..).zip(lines).collect()
}

/// Everything that a seat could be told at this instant.
fn paper(game: &dyn Game, seat: &SeatId, probes: &[(u32, String)]) -> String {
    let report = game.report(seat, None).into_parts().1;
    let map = game.map(seat, None, Format::default()).into_parts().1;
    let close = game.map(seat, None, NARROW).into_parts().1;
    let check = game.check(seat, probes).into_parts().1;
    let dues: Vec<_> = game.dues().into_iter().filter(|due| due.seat == *seat).collect();
    let rest = (
        game.examples(seat).into_parts().1,
        game.history(seat, None).into_parts().1,
        game.doctrine(seat).into_parts().1,
        game.bot(seat, 3).into_parts().1,
        game.on_move(seat),
    );
    format!("{report:#?}\n{map:#?}\n{close:#?}\n{check:#?}\n{dues:#?}\n{rest:#?}")
}

fn first_difference(a: &str, b: &str) -> String {
    let differs = a.lines().zip(b.lines()).find(|(x, y)| x != y);
    differs.map_or_else(|| "one is longer".to_owned(), |(x, y)| format!("{x}\n  became\n{y}"))
}

/// Plays one game and scrambles at every stop; returns how many positions were compared and how many truly differed.
fn one_game(name: &str, number: u64, left: u32) -> (u32, u32) {
    let entry = games::find(games::GAMES, "campaigns").unwrap();
    let mut game = simulate::open(entry, &files(name), number).unwrap();
    let (mut compared, mut changed) = (0, 0);
    let mut noise = number;
    simulate::play(game.as_mut(), number, |game, _| {
        for (seat, side) in game.seats() {
            if compared >= left {
                return Ok(());
            }
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let other = game.scrambled(&side, noise);
            let probes = probes(game, &seat);
            let (before, after) = (paper(game, &seat, &probes), paper(other.as_ref(), &seat, &probes));
            if before != after {
                return Err(format!("{name}, game {number}, {seat}: {}", first_difference(&before, &after)));
            }
            compared += 1;
            changed += u32::from(game.truth() != other.truth());
        }
        Ok(())
    })
    .unwrap();
    (compared, changed)
}

#[test]
fn what_a_side_may_not_know_changes_no_byte_of_its_mail() {
    let (mut compared, mut changed, mut number) = (0, 0, 1);
    while compared < wanted() {
        // A page of Moravia costs thirty of the small scenario's: one game in fifty, and a part of it.
        let (name, most) = if number % 50 == 3 { ("1805-moravia.yaml", 40) } else { ("teaching.yaml", u32::MAX) };
        let (more, really) = one_game(name, number, most.min(wanted() - compared));
        assert!(more > 0, "game {number} of {name} had no stop");
        compared += more;
        changed += really;
        number += 1;
    }
    assert!(compared >= wanted());
    // A scramble that changes nothing proves nothing.
    assert!(changed * 10 >= compared * 9, "only {changed} of {compared} scrambles changed the truth");
}

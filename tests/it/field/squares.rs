//! 5.2 Wherever a square is sent, it stands on clear ground.

use super::{A, bare, french, id, put};
use estafette::plane::shape::Shape;
use estafette::plane::{Heading, Spot};
use estafette::rules::austerlitz1805::moves::{self, Move};
use estafette::rules::austerlitz1805::table::{Formation, Table};
use estafette::rules::austerlitz1805::terrain;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;

/// A square on clear ground near the streams and villages of the Pratzen, facing anywhere.
fn stands() -> impl Strategy<Value = Table> {
    (12_000..=17_000, 11_500..=15_500, 0..360).prop_filter_map("off clear ground", |at| {
        let mut t = bare();
        put(&mut t, A, at, Formation::Square);
        terrain::clear(&t, &t.shape(&id(A))).then_some(t)
    })
}

fn movements() -> impl Strategy<Value = Move> {
    let goal = (11_000..=18_000, 10_500..=16_500);
    prop_oneof![
        (0..360).prop_map(|to| Move::Turn(Heading::new(to))),
        Just(Move::About),
        (any::<bool>(), 1..=500).prop_map(|(right, units)| Move::Side { right, units }),
        (1..=250).prop_map(|units| Move::Back { units }),
        (-45..=45, 1..=500).prop_map(|leg| Move::Legs(vec![leg])),
        goal.prop_map(|(x, y)| Move::Toward { goal: Spot::new(x, y), units: None, face: None }),
    ]
}

#[test]
fn wherever_a_square_is_sent_it_stands_on_clear_ground() {
    let config = ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let (mut runner, halted) = (TestRunner::new_with_rng(config, rng), Cell::new(0));
    let tried = runner.run(&(stands(), movements()), |(t, mv)| {
        match moves::trace(&t, &french(), &id(A), &mv) {
            Ok(found) => {
                let there = Shape::block(found.pose.stand(), t.size(&id(A)));
                let under = terrain::unclear(&t, &there);
                let from = String::from(t.unit(&id(A)).unwrap().pose);
                prop_assert_eq!(under, None, "{} {:?} {}", from, mv, String::from(found.pose));
                halted.set(halted.get() + u32::from(matches!(found.halt, Some(moves::Halt::Broken(_)))));
            }
            Err(fault) => halted.set(halted.get() + u32::from(format!("{fault:?}").contains("5.2"))),
        }
        Ok(())
    });
    tried.unwrap_or_else(|fault| panic!("{fault}"));
    assert!(halted.get() > 50, "{} of them come to other ground", halted.get());
}

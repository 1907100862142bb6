//! The scenario files: what they hold, and what the reader says of every kind of flaw.

use estafette::rules::campaigns::board::Board;
use estafette::rules::campaigns::load;
use estafette::scenario::{self, Files};
use std::path::Path;

fn read(name: &str) -> Files {
    scenario::files(&Path::new("scenarios/campaigns").join(name)).unwrap()
}

fn told(flaws: &[estafette::yaml::Flaw]) -> String {
    flaws.iter().map(|f| format!("{f}\n")).collect()
}

fn board(name: &str) -> Board {
    load::board(&read(name)).unwrap_or_else(|flaws| panic!("{}", told(&flaws)))
}

#[test]
fn all_scenarios_load() {
    assert_eq!(board("1805-moravia.yaml").turns, (1, 10));
    assert_eq!(board("1805-moravia-nov30.yaml").turns, (8, 10));
    assert_eq!(board("teaching.yaml").turns, (1, 3));
}

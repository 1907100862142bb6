//! Questions 1, 4, 13 and 14: what the source itself must show.

use crate::house::{Source, function_bodies, kernel_words, sources};

fn rules() -> Vec<Source> {
    let mut all = sources("tests/it/toys");
    all.retain(|source| !source.path.ends_with("mod.rs"));
    all
}

#[test]
fn q01_each_rule_stands_under_its_paragraph() {
    let mut found = 0;
    for source in rules() {
        for function in function_bodies(&source) {
            let is_rule = function.signature.contains("&mut Cx<") && function.name != "play";
            // A helper that hands on to the next line or the next neighbour belongs to the rule above it.
            let helper = ["carry_out", "next_order", "rout_on"].iter().any(|name| function.name == *name);
            if is_rule && !helper {
                let cites = function.doc.chars().next().is_some_and(|c| c.is_ascii_digit());
                assert!(cites, "{}: {} names no paragraph", source.path, function.name);
                found += 1;
            }
        }
    }
    assert!(found >= 12, "{found}");
}

#[test]
fn q04_what_speaks_for_a_seat_takes_its_view() {
    let mut found = 0;
    for source in rules().into_iter().chain(sources("src/rules")) {
        for function in function_bodies(&source) {
            let speaks = ["doctrine_answer", "examples", "default_answer", "holds", "address", "check", "ask", "read"];
            if speaks.iter().any(|name| function.name == *name || function.name.ends_with(&format!("_{name}"))) {
                let truth = function.signature.contains("&State") || function.signature.contains("::State");
                assert!(!truth, "{}: {} looks at the truth", source.path, function.name);
                found += 1;
            }
        }
    }
    assert!(found >= 12, "{found}");
}

#[test]
fn q13_what_applies_an_event_has_no_arm_for_the_rest() {
    let mut found = 0;
    for source in rules().into_iter().chain(sources("src/rules")) {
        for function in function_bodies(&source).into_iter().filter(|f| f.name == "apply" && !f.body.is_empty()) {
            assert!(!function.body.contains("_ =>"), "{}: a new event would be forgotten", source.path);
            found += 1;
        }
    }
    assert!(found >= 4, "{found}");
}

#[test]
fn q14_the_kernel_knows_no_game() {
    assert_eq!(kernel_words(), Vec::<String>::new());
}

//! Every rule case under tests/cases, and the pairing of cases with the rule index.

use estafette::cases;
use estafette::cases::coverage;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_case_comes_out_as_it_says() {
    let paths = cases::files(&root().join("tests/cases")).unwrap();
    let rewrite = std::env::var("UPDATE").is_ok();
    let only = std::env::var("CASE").ok().filter(|id| !id.is_empty());
    assert!(!rewrite || only.is_some(), "UPDATE writes one case at a time: name it with CASE");
    let verdict = cases::run(root(), &paths, only.as_deref(), rewrite);
    let failures: Vec<String> = verdict.failures.iter().map(ToString::to_string).collect();
    assert!(verdict.run > 0, "no case was run");
    assert!(failures.is_empty(), "{} of {} cases fail\n\n{}", failures.len(), verdict.run, failures.join("\n\n"));
    assert_eq!(verdict.updated, 0, "{} expectations were written anew; check them and run again", verdict.updated);
}

#[test]
fn case_ids_are_unique_and_every_row_named_is_in_the_index() {
    let mut seen = std::collections::BTreeSet::new();
    for path in cases::files(&root().join("tests/cases")).unwrap() {
        for case in cases::read(&path).unwrap().cases {
            assert!(seen.insert(case.id.clone()), "{} stands twice", case.id);
        }
    }
    let rules = coverage::index(&root().join("tests/rules/campaigns.tsv")).unwrap();
    let found = coverage::coverage(&rules, &root().join("tests/cases/campaigns")).unwrap();
    assert!(found.unknown.is_empty(), "{:?}", found.unknown);
    assert!(found.idle.is_empty(), "cases that prove no row: {:?}", found.idle);
}

//! Each verdict has its word, its exit code and its fields, and nothing agrees that was not played again.

use crate::gateway::bench::{Bench, TOYS};
use crate::gateway::whole::play;
use estafette::audit::bundle::Asker;
use estafette::audit::{Line, write};
use estafette::games::Entry;
use serde_json::Value;

/// What the command says of a bundle: exit code, words, and the same as JSON.
fn judged(text: &str, entries: &'static [Entry]) -> (i32, String, Value) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bundle.jsonl");
    std::fs::write(&path, text).unwrap();
    let run = |more: &[&str]| {
        let (mut said, mut amiss) = (Vec::new(), Vec::new());
        let args = ["estafette", "audit", "--bundle", path.to_str().unwrap()];
        let args = args.into_iter().chain(more.iter().copied()).map(Into::into);
        let code = estafette::cli::run(args, entries, &mut said, &mut amiss);
        said.extend(amiss);
        (code, String::from_utf8(said).unwrap())
    };
    let (code, said) = run(&[]);
    let (same, json) = run(&["--json"]);
    assert_eq!(code, same);
    assert!(code != 0 || !said.contains("not played again"), "{said}");
    (code.into(), said, serde_json::from_str(&json).unwrap_or_default())
}

/// A bundle, the rulesets of the program that looks at it, and what is wanted: exit code, words, verdict.
type Wanted<'a> = (&'a [Line], &'static [Entry], i32, &'a str, &'a str);

#[test]
fn a_verdict_has_its_word_its_exit_code_and_its_fields() {
    let whole = super::lines(&play("toy-fellows", 1), &Asker::Public);
    let (bench, _) = Bench::begun("toy-7", "toy-fellows");
    let running = super::lines(&bench, &super::french());
    let mut false_die = whole.clone();
    assert!(false_die.iter_mut().any(super::die));
    let mut bare = whole.clone();
    for line in &mut bare {
        if let Line::Mail { raw, .. } = line {
            *raw = None;
        }
    }
    let all: [Wanted<'_>; 5] = [
        (&whole, TOYS, 0, "  AGREES\n", "agrees"),
        (&false_die, TOYS, 1, "  DIFFERS AT ", "differs"),
        (&running, TOYS, 4, "  OPEN: ", "open"),
        (&bare, TOYS, 4, "  NOT VERIFIED: ", "not_verified"),
        // A program that does not play its ruleset.
        (&whole, &[], 4, "  NOT VERIFIED: ", "not_verified"),
    ];
    for (lines, entries, code, word, verdict) in all {
        let (got, said, json) = judged(&write(lines), entries);
        assert_eq!(got, code, "{said}");
        assert!(said.contains(word), "{word}: {said}");
        assert_eq!(json["verdict"], verdict, "{json}");
        let fields: Vec<&str> = ["stretches", "faults", "open"].into_iter().filter(|f| !json[f].is_array()).collect();
        assert_eq!(fields, Vec::<&str>::new(), "{json}");
        assert!(json.as_object().unwrap().contains_key("witness"), "{json}");
        let count = |field: &str| json[field].as_array().unwrap().len();
        assert_eq!(
            (count("faults") > 0, count("open") > 0),
            (verdict == "differs", verdict == "not_verified" || verdict == "differs"),
            "{json}"
        );
    }
}

/// A damaged or foreign bundle: which line, and what is wrong.
#[test]
fn what_is_no_bundle_is_refused_with_its_line() {
    let text = write(&super::lines(&play("toy-fellows", 1), &Asker::Public));
    let lines: Vec<&str> = text.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n")
    };
    let all = [
        ("a line cut off", with(4, lines[4].split_at(20).0), "line 5: "),
        ("a line of another program", with(2, "{\"kind\":\"move\"}"), "line 3: "),
        ("a line without a field", with(1, "{\"kind\":\"commit\",\"slot\":0}"), "line 2: "),
        ("no JSON", "Dear all,\n".to_owned(), "line 1: "),
        ("nothing", String::new(), "names 0 games"),
        ("only its end", lines[lines.len() - 1].to_owned(), "names 0 games"),
    ];
    for (what, text, why) in all {
        let (code, said, _) = judged(&text, TOYS);
        assert_eq!(code, 1, "{what}: {said}");
        assert!(said.contains(why), "{what}: {said}");
        let (code, said) = super::script_of(&text);
        assert_eq!(code, 1, "{what}: {said}");
        assert!(!said.contains("Traceback"), "{what}: {said}");
    }
}

//! The house rules as a test: layers, lengths, banned words, patterns that forget, words of one game in the kernel,
//! cases that nobody runs, output that is not the command line's, files that reach each other.

mod knot;
mod read;

pub use read::{Source, function_bodies, sources};
use std::collections::BTreeSet;
use std::path::Path;

/// The layers; the longest prefix of a path under `src` counts. A file imports from its own module and lower layers.
const LAYERS: [(&str, u8); 45] = [
    ("address", 0),
    ("fail", 0),
    ("hex", 0),
    ("ink", 0),
    ("lent", 0),
    ("memo", 0),
    ("noise", 0),
    ("plane", 0),
    ("shared", 0),
    ("text", 0),
    ("tls", 0),
    ("dsn", 1),
    ("yaml", 0),
    ("date", 0),
    ("dice", 1),
    ("fog", 1),
    ("map", 1),
    ("orders", 1),
    ("terms", 1),
    ("rules", 2),
    ("rules/tactical", 2),
    ("rules/campaigns", 3),
    ("rules/brave_fellows", 3),
    ("rules/great_battles", 3),
    ("rules/austerlitz1805", 3),
    ("scenario", 4),
    ("report", 4),
    ("bot", 4),
    ("letter", 4),
    ("handbook", 4),
    ("host", 5),
    ("games", 6),
    ("store", 6),
    ("mail", 6),
    ("clock", 6),
    ("config", 6),
    ("audit", 7),
    ("gateway", 7),
    ("cases", 7),
    ("simulate", 7),
    ("demo", 7),
    ("tutorial", 7),
    ("cli", 8),
    ("main", 8),
    ("lib", 8),
];

/// What may look up or sideways, and why: importer, imported, reason.
const UPWARD: [(&str, &str, &str); 13] = [
    ("dice", "fog", "a roll's scope names a side"),
    ("report", "bot", "a ruleset's paper hands its own player to the host"),
    ("report", "host/paper", "a ruleset's paper is written beside the templates, on the host's form"),
    ("report", "host/film", "where all stand is drawn beside a ruleset's other pictures"),
    ("letter", "host/film", "the page of a replay is filled from what the host has of it"),
    ("report", "host", "answers and sections are the form that the host hands out"),
    ("demo", "gateway", "the demonstration is the post office at work"),
    ("tutorial", "gateway", "the lessons are the post office at work"),
    ("tutorial", "demo", "a learner's mails are written as those of the demonstration are"),
    ("gateway", "tutorial", "a post office gives the lessons by mail"),
    ("gateway", "demo", "a mail of the lessons is one of the demonstration's"),
    ("audit", "gateway", "the lines of a mail are read again by the code that read them"),
    ("gateway", "audit", "the answer to AUDIT carries the game's bundle"),
];

const CODE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
/// What is one total match over all events of a chapter may be longer: split up, it would need an arm for the rest.
const TOTAL_MATCH_LINES_MAX: usize = 110;
const TOTAL_MATCHES: [&str; 3] = ["apply", "sight", "tell"];

/// Words that stand nowhere in `src`, except in the files named.
const BANNED: [(&str, &[&str]); 10] = [
    ("HashMap", &[]),
    ("HashSet", &[]),
    ("SystemTime::now", &["src/clock.rs"]),
    ("Instant::now", &["src/clock.rs"]),
    ("thread_rng", &[]),
    ("todo!", &[]),
    ("unimplemented!", &[]),
    (".unwrap()", &[]),
    ("static mut", &[]),
    // What the files of a scenario come to is kept, and readings are counted, so that a test sees that no mail reads them again;
    // a reader of a position is handed the board that is not written with it.
    ("thread_local", &["src/host/laid.rs", "src/yaml.rs", "src/lent.rs"]),
];

/// Words that belong to one ruleset.
const GAME_WORDS: [&str; 14] = [
    "campaigns",
    "brave_fellows",
    "great_battles",
    "austerlitz1805",
    "vedette",
    "corps",
    "division",
    "cavalry",
    "march",
    "attrition",
    "impulse",
    "melee",
    "repulse",
    "siege",
];

/// Places of the kernel that name a game for a reason.
const GAME_WORDS_ALLOWED: [(&str, &str, &str); 4] = [
    ("src/rules/mod.rs", "austerlitz1805", "the `mod` line of the ruleset"),
    ("src/rules/mod.rs", "brave_fellows", "the `mod` line of the ruleset"),
    ("src/rules/mod.rs", "campaigns", "the `mod` line of the ruleset"),
    ("src/rules/mod.rs", "great_battles", "the `mod` line of the ruleset"),
];

fn layer(module: &str) -> Option<(&'static str, u8)> {
    let fits = |name: &str| module == name || module.starts_with(&format!("{name}/"));
    LAYERS.into_iter().filter(|(name, _)| fits(name)).max_by_key(|(name, _)| name.len())
}

/// `src/rules/cx.rs` is the module `rules/cx`.
fn module(path: &str) -> String {
    path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod").to_owned()
}

#[test]
fn imports_go_downwards() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        let own = module(&source.path);
        let Some((own_name, own_layer)) = layer(&own) else {
            wrong.push(format!("{} stands in no layer", source.path));
            continue;
        };
        for used in source.crate_paths() {
            let Some((used_name, used_layer)) = layer(&used) else {
                wrong.push(format!("{}: {used} stands in no layer", source.path));
                continue;
            };
            let excused = UPWARD.iter().any(|(from, to, _)| own.starts_with(from) && used.starts_with(to));
            if own_name != used_name && used_layer >= own_layer && !excused {
                wrong.push(format!("{} (layer {own_layer}) imports {used} (layer {used_layer})", source.path));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn files_and_functions_stay_short() {
    let mut wrong = Vec::new();
    let mut lengths = Vec::new();
    for source in sources("src") {
        let lines = source.code_lines();
        lengths.push(lines);
        if lines > CODE_LINES_MAX {
            wrong.push(format!("{} has {lines} lines of code", source.path));
        }
        for function in function_bodies(&source) {
            let total = TOTAL_MATCHES.contains(&function.name.as_str());
            if function.lines > if total { TOTAL_MATCH_LINES_MAX } else { FUNCTION_LINES_MAX } {
                wrong.push(format!("{}: {} has {} lines", source.path, function.name, function.lines));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= 150, "half of the files are longer than {median} lines");
}

#[test]
fn banned_words_do_not_stand() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        for (word, allowed) in BANNED {
            if source.code.contains(word) && !allowed.contains(&source.path.as_str()) {
                wrong.push(format!("{} has {word}", source.path));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_projection_takes_every_field_by_name() {
    let mut found = 0;
    for source in sources("src/rules") {
        if source.path.ends_with("/project.rs") {
            found += 1;
            for (no, line) in source.code.lines().enumerate() {
                // A pattern that leaves fields out ends `.. }`; a range has something on its right.
                let forgets = line.trim() == ".." || line.contains(".. }") || line.contains("..}");
                assert!(!forgets, "{}:{}: a new field would be shown or hidden unasked", source.path, no + 1);
            }
        }
    }
    assert!(found >= 1);
}

/// Words of one game in the folders that serve all.
pub fn kernel_words() -> Vec<String> {
    let kernel =
        ["src/orders", "src/host", "src/rules/mod.rs", "src/rules/cx.rs", "src/rules/journal.rs", "src/fog.rs"];
    let mut wrong = Vec::new();
    for source in sources("src") {
        let is_kernel = kernel.iter().any(|k| source.path.starts_with(k)) || source.path == "src/dice.rs";
        for word in GAME_WORDS.iter().filter(|_| is_kernel) {
            let allowed = GAME_WORDS_ALLOWED.iter().any(|(path, w, _)| *path == source.path && w == word);
            if source.words().contains(*word) && !allowed {
                wrong.push(format!("{} knows {word}", source.path));
            }
        }
    }
    wrong
}

#[test]
fn the_kernel_holds_no_word_of_one_game() {
    assert_eq!(kernel_words(), Vec::<String>::new());
}

#[test]
fn only_the_command_line_prints() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        let prints = ["println!", "print!", "eprintln!", "eprint!", "dbg!", "io::stdout", "io::stderr"];
        let may = source.path.starts_with("src/cli") || source.path == "src/main.rs";
        for word in prints {
            if source.code.contains(word) && !may {
                wrong.push(format!("{} has {word}", source.path));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn no_result_of_the_rules_is_thrown_away() {
    // A stop that is not passed on with `?` is swallowed; the driver catches it in play, and this before.
    let mut wrong = Vec::new();
    for source in sources("src/rules") {
        let calls = ["cx.ask(", "cx.ask_now(", "cx.ask_all(", "cx.order(", "cx.sheets("];
        let flat: String = source.code.split_whitespace().collect::<Vec<_>>().join(" ");
        for call in calls {
            for (at, _) in flat.match_indices(call) {
                let after = read::after_call(&flat, at + call.len() - 1);
                let passed = after.starts_with('?') || after.starts_with(" }") || after.starts_with('}');
                if !passed {
                    wrong.push(format!("{}: {call}…){}", source.path, after.chars().take(20).collect::<String>()));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_case_is_run() {
    // The runner takes whole folders; a file it would pass over is an orphan.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut orphans = Vec::new();
    let rulesets: BTreeSet<&str> =
        LAYERS.iter().filter_map(|(name, layer)| name.strip_prefix("rules/").filter(|_| *layer == 3)).collect();
    for path in read::files_under(&root.join("tests/cases")) {
        let path = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let folder = path.split('/').nth(2).unwrap_or_default();
        if !path.ends_with(".yaml") || !rulesets.contains(folder) || path.split('/').count() != 4 {
            orphans.push(path);
        }
    }
    assert_eq!(orphans, Vec::<String>::new());
    let runner = std::fs::read_to_string(root.join("tests/it/cases.rs")).unwrap();
    assert!(runner.contains("tests/cases"), "tests/it/cases.rs runs the folder");
}

#[test]
fn no_line_leads_out_of_the_house() {
    // Absolute paths of one machine stand nowhere in what is published.
    let homes = ["/home/", "/Users/", "/root/", "C:\\Users"];
    let mut wrong = Vec::new();
    for source in sources("src").into_iter().chain(sources("tests")) {
        if source.path != "tests/it/house.rs" && homes.iter().any(|home| source.text.contains(home)) {
            wrong.push(source.path);
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_reader_of_sources_is_not_fooled() {
    let text = "/// 1.2 Says \"{\".\nfn one(a: &'a str) -> char {\n    let s = \"} // no\"; // {{\n    '{'\n}\n\n/* fn no() { */\n\
                struct S;\nimpl S {\n    fn two() -> &'static str { r#\"}\"# }\n}\n";
    let source = Source::new("x.rs", text);
    let found: Vec<(String, usize)> = function_bodies(&source).into_iter().map(|f| (f.name, f.lines)).collect();
    assert_eq!(found, [("one".to_owned(), 4), ("two".to_owned(), 1)]);
    assert_eq!(function_bodies(&source)[0].doc, "1.2 Says \"{\".");
    assert_eq!(source.code_lines(), 8);
    assert!(!source.code.contains("no"));
}

/// The numbers of sections that a text names, `12.5.1-12.5.3` as every section from the one to the other.
fn sections_named(text: &str, all: &BTreeSet<Vec<u32>>) -> BTreeSet<Vec<u32>> {
    let number = |word: &str| word.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>();
    let mut named = BTreeSet::new();
    for word in text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')) {
        let ends: Vec<_> = word.split('-').filter_map(|end| number(end.trim_matches('.'))).collect();
        match ends.as_slice() {
            // `13.13.4-5` goes from the one to the other of one section.
            [from, to] => {
                let to = if to.len() == 1 && from.len() > 1 {
                    [&from[..from.len() - 1], &to[..]].concat()
                } else {
                    to.clone()
                };
                named.extend(all.range(from.clone()..=to.clone().max(from.clone())).cloned());
            }
            ends => named.extend(ends.iter().cloned()),
        }
    }
    named
}

/// Every numbered section of the rulebook of `austerlitz1805` of which the index has a row is named where it is obeyed: by the
/// doc line of a function or a type, or by the head of the module that holds its chapter.
#[test]
fn every_section_of_austerlitz1805_is_cited_where_it_is_obeyed() {
    let index = include_str!("../rules/austerlitz1805.tsv");
    let section = |row: &str| {
        let word = row.split('\t').nth(1)?.split([' ', ',']).next()?.to_owned();
        word.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()
    };
    let all: BTreeSet<Vec<u32>> = index.lines().filter_map(section).collect();
    let doc = |line: &&str| line.trim_start().starts_with("///") || line.trim_start().starts_with("//!");
    let sources = sources("src/rules/austerlitz1805");
    let text: String =
        sources.iter().flat_map(|s| s.text.lines().filter(doc)).fold(String::new(), |all, line| all + line + "\n");
    let named = sections_named(&text, &all);
    let missing: Vec<String> =
        all.difference(&named).map(|s| s.iter().map(u32::to_string).collect::<Vec<_>>().join(".")).collect();
    assert!(all.len() > 320, "{} sections", all.len());
    assert_eq!(missing, Vec::<String>::new());
}

/// The decisions of the house on `austerlitz1805`, A-1 to the last, and those that are withdrawn with a reason in the head of
/// the ruleset.
const DECISIONS: u32 = 54;
const WITHDRAWN: [u32; 1] = [37];

#[test]
fn every_decision_of_the_house_is_cited_where_it_is_followed_and_named_by_a_case() {
    let head = "src/rules/austerlitz1805/mod.rs";
    let sources = sources("src/rules/austerlitz1805");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/austerlitz1805");
    let files = estafette::cases::files(&folder).unwrap();
    let cases: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let names = |text: &str, number: u32| {
        let said = format!("A-{number}");
        let mut rest = text.split(said.as_str()).skip(1);
        rest.any(|after| !after.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut wrong = Vec::new();
    for number in 1..=DECISIONS {
        let cited = sources.iter().any(|s| s.path != head && names(&s.text, number));
        let proved = cases.iter().any(|text| names(text, number));
        if WITHDRAWN.contains(&number) {
            let reason = sources.iter().any(|s| s.path == head && names(&s.text, number));
            if cited || proved || !reason {
                wrong.push(format!("A-{number} is withdrawn, and cited, or its reason is missing"));
            }
        } else if !cited || !proved {
            wrong.push(format!("A-{number}: cited {cited}, named by a case {proved}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

//! The README and the handbook: short enough, narrow enough, and true of the command line.

use estafette::games::GAMES;
use estafette::handbook::CHAPTERS;
use std::path::Path;

/// Columns of a mail, and of a chapter's prose.
const COLUMNS: usize = 76;
/// Lines of the README.
const README_LINES_MAX: usize = 150;

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// Runs the program; exit code and what it wrote.
fn run(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let all = std::iter::once("estafette").chain(args.iter().copied()).map(Into::into);
    let code = estafette::cli::run(all, GAMES, &mut out, &mut err);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn readme_has_at_most_150_lines() {
    let lines = readme().lines().count();
    assert!(lines <= README_LINES_MAX, "{lines} lines");
}

/// In the battles against the house all lies open, and the chapter for players says so.
#[test]
fn the_chapter_says_rightly_that_great_battles_against_the_house_lie_open() {
    for name in ["hill-as-french", "hill-as-allied", "telnitz-as-french", "telnitz-as-allied"] {
        let path = format!("{}/scenarios/great_battles/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.lines().all(|line| !line.starts_with("sight:")), "{name}");
    }
    let player = CHAPTERS.iter().find(|chapter| chapter.name == "player").unwrap().text;
    let said = player.split("*Against the house*: `telnitz-hill").nth(1).unwrap().split("\n\n").next().unwrap();
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("All counters lie open") && !said.contains("fog"), "{said}");
}

#[test]
fn prose_of_the_chapters_fits_a_mail() {
    for chapter in CHAPTERS {
        let wide: Vec<&str> = chapter
            .text
            .lines()
            .filter(|line| line.chars().count() > COLUMNS && !line.starts_with("    ") && !line.starts_with('|'))
            .collect();
        assert!(wide.is_empty(), "{}: {wide:#?}", chapter.name);
    }
}

#[test]
fn every_chapter_is_printed_and_listed() {
    let (code, list, _) = run(&["handbook"]);
    assert_eq!(code, 0);
    for chapter in CHAPTERS {
        assert!(list.contains(chapter.name), "{list}");
        let (code, text, _) = run(&["handbook", chapter.name]);
        assert_eq!((code, text.trim_end()), (0, chapter.text.trim_end()));
    }
    let (code, _, said) = run(&["handbook", "playr"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("Did you mean player?"), "{said}");
}

/// The word behind each `estafette` of a text that begins a command: in indented lines and between back-quotes.
fn commands(text: &str) -> Vec<String> {
    let indented = text.lines().filter(|line| line.starts_with("    ")).map(str::trim);
    let quoted = text.split('`').skip(1).step_by(2);
    let said = indented.chain(quoted).filter_map(|code| code.strip_prefix("estafette "));
    let words = said.filter_map(|rest| rest.split_whitespace().next().map(str::to_owned));
    words.filter(|word| word.chars().all(|c| c.is_ascii_lowercase())).collect()
}

#[test]
fn every_command_that_is_named_is_one() {
    let texts = CHAPTERS.iter().map(|chapter| (chapter.name, chapter.text.to_owned()));
    let mut found = 0;
    for (name, text) in texts.chain([("README", readme())]) {
        for command in commands(&text) {
            found += 1;
            let (code, _, said) = run(&[&command, "--help"]);
            assert_eq!(code, 0, "{name}: estafette {command}: {said}");
        }
    }
    assert!(found > 15, "only {found} commands were found");
}

/// The keys of the config, each with the names of the tables in which it stands.
fn keys() -> Vec<String> {
    let (code, text, said) = run(&["schema", "config"]);
    assert_eq!(code, 0, "{said}");
    let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
    let tables = schema["$defs"].as_object().unwrap().values().chain([&schema]);
    let keys = tables.filter_map(|table| table["properties"].as_object()).flat_map(|keys| keys.keys().cloned());
    let groups = ["imap", "smtp", "lmtp", "limits", "keep", "backup"];
    keys.filter(|key| !groups.contains(&key.as_str())).collect()
}

#[test]
fn every_key_of_the_config_stands_in_the_operator_s_chapter_and_in_what_init_writes() {
    let chapter = CHAPTERS.iter().find(|chapter| chapter.name == "operator").unwrap();
    let example = estafette::config::Config::example();
    let set = |line: &str, key: &str| {
        line.trim_start_matches(['#', ' ']).strip_prefix(key).is_some_and(|rest| rest.starts_with(" = "))
    };
    let keys = keys();
    assert!(keys.len() > 50 && keys.iter().any(|key| key == "port"), "{keys:?}");
    for key in keys {
        assert!(chapter.text.contains(&format!("`{key}`")), "the chapter has no {key}");
        assert!(example.lines().any(|line| set(line, &key)), "init writes no {key}");
    }
}

#[test]
fn the_readme_names_rust_and_the_install_step() {
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().trim_matches('"');
    let operator = CHAPTERS.iter().find(|chapter| chapter.name == "operator").unwrap().text;
    for text in [readme().as_str(), operator] {
        assert!(text.contains(&format!("Rust {version}")) && text.contains("cargo install --locked --path ."));
    }
}

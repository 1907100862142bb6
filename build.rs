//! Fingerprints of the rules: which sources played a game, so that an audit can say which program can play it again.
//! And the index behind `estafette where`: which function obeys a rule, and which case proves it.

#[path = "build/citations.rs"]
mod citations;

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What every ruleset stands on, below `src`.
const SHARED: [&str; 14] = [
    "dice.rs",
    "fog.rs",
    "hex.rs",
    "host",
    "lent.rs",
    "map",
    "memo.rs",
    "orders",
    "plane",
    "rules",
    "scenario.rs",
    "shared.rs",
    "text.rs",
    "yaml.rs",
];
/// The rulesets: a folder below `src/rules`, which no other ruleset stands on.
const RULESETS: [&str; 4] = ["austerlitz1805", "brave_fellows", "campaigns", "great_battles"];

fn main() -> io::Result<()> {
    for part in ["src", "build", "tests/cases", "tests/rules"] {
        println!("cargo:rerun-if-changed={part}");
    }
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    finder(&root)?;
    let src = root.join("src");
    for ruleset in RULESETS {
        let mut files = Vec::new();
        for part in SHARED {
            files_of(&src.join(part), "rs", &mut files)?;
        }
        let foreign = |path: &PathBuf| RULESETS.iter().any(|other| *other != ruleset && stands_in(path, &src, other));
        files.retain(|path| !foreign(path));
        files.sort();
        let mut digest = Sha256::new();
        for path in files {
            let name = path.strip_prefix(&src).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            // A line's end is not of the rules.
            let text: Vec<u8> = fs::read(&path)?.into_iter().filter(|byte| *byte != b'\r').collect();
            digest.update(name.as_bytes());
            digest.update([0]);
            digest.update((text.len() as u64).to_be_bytes());
            digest.update(&text);
        }
        let hex: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        println!("cargo:rustc-env=RULES_{}={hex}", ruleset.to_uppercase());
    }
    Ok(())
}

/// Writes the index of rules, functions and cases.
fn finder(root: &Path) -> io::Result<()> {
    let (mut files, mut texts, mut index) = (Vec::new(), Vec::new(), String::new());
    files_of(&root.join("src"), "rs", &mut files)?;
    files.sort();
    for path in files {
        let place = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        texts.push((place, fs::read_to_string(&path)?));
    }
    for ruleset in RULESETS {
        citations::Index::read(root, ruleset)?.write(root, &texts, &mut index)?;
    }
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("where.txt"), index)
}

/// Whether a file stands in the folder of a ruleset.
fn stands_in(path: &Path, src: &Path, ruleset: &str) -> bool {
    path.starts_with(src.join("rules").join(ruleset))
}

/// The files of an ending below a path, or the path itself; nothing where there is none.
fn files_of(path: &Path, ending: &str, into: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_file() {
        into.push(path.to_owned());
    } else if path.is_dir() {
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            if path.is_dir() || path.extension().is_some_and(|own| own == ending) {
                files_of(&path, ending, into)?;
            }
        }
    }
    Ok(())
}

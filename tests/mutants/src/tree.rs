//! The copy of the package in which the drawn mutants stand, each behind its number.

use crate::points::{How, Point};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

/// What the copy asks: whether a number is the one of the environment. Traced, it writes down each number reached.
const ASKED: &str = r#"//! Which mutant is awake, see `tests/mutants`.
#![allow(missing_docs)]

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{LazyLock, Mutex};

static AWAKE: LazyLock<u32> = LazyLock::new(|| std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0));
static TRACE: LazyLock<Option<Mutex<(BTreeSet<u32>, std::fs::File)>>> = LazyLock::new(|| {
    let path = std::env::var_os("MUTANT_TRACE")?;
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path).ok()?;
    Some(Mutex::new((BTreeSet::new(), file)))
});

pub fn on(n: u32) -> bool {
    if let Some(trace) = &*TRACE
        && let Ok(mut trace) = trace.lock()
        && trace.0.insert(n)
    {
        let _ = writeln!(trace.1, "{n}");
    }
    *AWAKE == n
}
"#;

/// Places of mutants in a written file.
type Places = Vec<(u32, Range<usize>)>;

/// A file with its mutants, and where each stands in it.
fn woven(text: &str, points: &[(u32, &Point)]) -> (String, Places) {
    // At one place an outer mutant opens before an inner one and closes behind it.
    let mut cuts: Vec<(usize, u8, i64, String, u32)> = Vec::new();
    for (n, point) in points {
        let (len, source) = (i64::try_from(point.at.len()).unwrap_or(0), &text[point.at.clone()]);
        let asked = format!("crate::mutant::on({n})");
        let (before, after) = match &point.how {
            How::Instead(by) => (format!("(if {asked} {{ {by} }} else {{ "), " })".to_owned()),
            How::Never { chain: true } => (String::new(), format!(" && !{asked}")),
            How::Never { chain: false } => (format!("!{asked} && ("), ")".to_owned()),
            How::Dropped => (format!("if !{asked} {{ "), " }".to_owned()),
        };
        debug_assert!(!source.is_empty());
        cuts.push((point.at.start, 1, -len, before, *n));
        cuts.push((point.at.end, 0, len, after, *n));
    }
    cuts.sort_by_key(|a| (a.0, a.1, a.2));
    let (mut out, mut from, mut opened, mut places) = (String::new(), 0, BTreeMap::new(), Places::new());
    for (at, side, _, piece, n) in cuts {
        out.push_str(&text[from..at]);
        from = at;
        if side == 1 {
            opened.insert(n, out.len());
            out.push_str(&piece);
        } else {
            out.push_str(&piece);
            places.push((n, opened.get(&n).copied().unwrap_or(0)..out.len()));
        }
    }
    out.push_str(&text[from..]);
    (out, places)
}

/// Copies what the package needs, but for the files that mutants are woven into.
pub fn copy(root: &Path, tree: &Path, texts: &BTreeMap<String, String>) -> io::Result<()> {
    fs::create_dir_all(tree)?;
    let parts = ["Cargo.toml", "Cargo.lock", "README.md", "LICENSE", "build.rs"];
    let folders = ["build", "src", "scenarios", "templates", "benches", "tests"];
    for part in parts.iter().chain(&folders) {
        same(&root.join(part), &tree.join(part), &|path| {
            path.strip_prefix(root).is_ok_and(|of| texts.contains_key(of.to_string_lossy().as_ref()))
        })?;
    }
    let lib = fs::read_to_string(root.join("src/lib.rs"))?;
    write(&tree.join("src/lib.rs"), &format!("#![allow(warnings)]\n{lib}\n#[doc(hidden)]\npub mod mutant;\n"))?;
    write(&tree.join("src/mutant.rs"), ASKED)
}

/// Copies a file or folder; leaves what is the same already, so that nothing is built again for it.
fn same(from: &Path, to: &Path, leave: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    if from.is_dir() {
        if from.file_name().is_some_and(|name| name == "target") {
            return Ok(());
        }
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            same(&entry.path(), &to.join(entry.file_name()), leave)?;
        }
    } else if !from.ends_with("src/lib.rs") && !leave(from) && fs::read(from)? != fs::read(to).unwrap_or_default() {
        fs::copy(from, to)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == text.as_bytes()) { Ok(()) } else { fs::write(path, text) }
}

/// What other crates were built to stands in the copy's own target folder by hard links; the crate itself does not.
pub fn built(from: &Path, to: &Path) -> io::Result<()> {
    if to.exists() || !from.exists() {
        return Ok(());
    }
    linked(from, to)
}

fn linked(from: &Path, to: &Path) -> io::Result<()> {
    let name = from.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let own = ["estafette", "libestafette", "it-", "post-", "incremental", "tmp", "mutants"];
    if own.iter().any(|start| name.starts_with(start)) {
        return Ok(());
    }
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            linked(&entry.path(), &to.join(entry.file_name()))?;
        }
        Ok(())
    } else if from.to_string_lossy().contains("/deps/") {
        fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))
    } else {
        // Notes that the build may write anew are copied, with their times.
        let modified = fs::metadata(from)?.modified()?;
        fs::copy(from, to)?;
        fs::File::options().write(true).open(to).and_then(|file| file.set_modified(modified)).or(Ok(()))
    }
}

/// A build of the copy, as the tests are built but without the optimiser, unless cargo's own variable asks for it: where whole
/// games stand behind the cases they take longer than the optimiser.
pub fn cargo(tree: &Path, what: &[&str]) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(what).args(["--features", "failpoints"]).current_dir(tree);
    let level = env::var("CARGO_PROFILE_DEV_OPT_LEVEL").unwrap_or_else(|_| "0".to_owned());
    cargo.env("CARGO_TARGET_DIR", tree.join("target")).env("CARGO_PROFILE_DEV_OPT_LEVEL", level);
    cargo
}

/// Writes the mutants into the copy, and gives those that do not compile.
pub fn weave(
    tree: &Path,
    texts: &BTreeMap<String, String>,
    drawn: &BTreeMap<u32, Point>,
) -> Result<BTreeSet<u32>, String> {
    let fault = |e: io::Error| e.to_string();
    let mut files: BTreeMap<&str, Vec<(u32, &Point)>> = texts.keys().map(|file| (file.as_str(), vec![])).collect();
    for (n, point) in drawn {
        files.entry(&point.file).or_default().push((*n, point));
    }
    let mut places = BTreeMap::new();
    for (file, points) in files {
        let (woven, stand) = woven(&texts[file], &points);
        write(&tree.join(file), &woven).map_err(fault)?;
        places.insert(file.to_owned(), stand);
    }
    // A build that fails has cost no more than a check, and one that does not is wanted next.
    let out = cargo(tree, &["build", "--bin", "estafette", "--message-format", "json"]).output().map_err(fault)?;
    let mut broken = BTreeSet::new();
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let Ok(said) = serde_json::from_str::<Value>(line) else { continue };
        if said["message"]["level"] != "error" {
            continue;
        }
        for span in said["message"]["spans"].as_array().into_iter().flatten() {
            let at = usize::try_from(span["byte_start"].as_u64().unwrap_or(0)).unwrap_or(0);
            let stand = places.get(span["file_name"].as_str().unwrap_or_default());
            let around = stand.into_iter().flatten().filter(|(_, place)| place.contains(&at));
            if let Some((n, _)) = around.min_by_key(|(_, place)| place.len()) {
                broken.insert(*n);
            }
        }
    }
    if broken.is_empty() && !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).into_owned() + &String::from_utf8_lossy(&out.stdout));
    }
    Ok(broken)
}

/// The numbers of the mutants that the copy holds.
pub fn woven_in(tree: &Path, texts: &BTreeMap<String, String>) -> Result<BTreeSet<u32>, String> {
    let mut found = BTreeSet::new();
    for file in texts.keys() {
        let text = fs::read_to_string(tree.join(file)).map_err(|e| e.to_string())?;
        let numbers = text.split("crate::mutant::on(").skip(1);
        found.extend(numbers.filter_map(|rest| rest.split(')').next()?.parse::<u32>().ok()));
    }
    Ok(found)
}

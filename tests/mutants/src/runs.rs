//! The runs: cases first, then tests; what each mutant reaches is traced beforehand.

use crate::points::Point;
use crate::tree::cargo;
use crate::{Asked, BESIDE};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Modules of the test binary, and a test, that play rules or what the host makes of them; they take some minutes together.
const MODULES: [&str; 39] = [
    "austerlitz::",
    "battles::meant::",
    "cases::",
    "contract::",
    "crops::",
    "desk::",
    "dice::",
    "fellows::after::",
    "fellows::amended::",
    "fellows::battles::",
    "fellows::lodged::",
    "fellows::meant::",
    "fellows::offered::",
    "fellows::scrambled::",
    "forecast::",
    "gateway::asks::",
    "gateway::mended::",
    "gateway::prose::",
    "gateway::recall::",
    "hex::",
    "intel::",
    "ken::",
    "kept::austerlitz1805::",
    "kept::brave_fellows::",
    "kept::campaigns::",
    "kept::great_battles::",
    "mend::",
    "museum::",
    "rehearse::",
    "report::",
    "scenario::",
    "scramble::",
    "sheet::end_if",
    "solo::",
    "staff::",
    "tables::",
    "tactical::",
    "upgrade::",
    "works::",
];
/// A mutant may take this many times as long as the original, and some seconds more, before it counts as killed.
const PATIENCE: u32 = 6;

/// One thing that can be run: a file of cases or a module of tests.
struct Run {
    program: PathBuf,
    args: Vec<String>,
    reaches: BTreeSet<u32>,
    took: Duration,
}

impl Run {
    fn command(&self, root: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(root);
        command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
        command
    }

    /// Runs the original once: what it reaches, and how long it takes. `None` where it fails without any mutant.
    fn traced(mut self, root: &Path, note: &Path) -> Option<Run> {
        let _ = fs::remove_file(note);
        let began = Instant::now();
        let done = self.command(root).env("MUTANT_TRACE", note).status();
        if !done.is_ok_and(|code| code.success()) {
            println!("left out, since it fails without any mutant: {}", self.args.join(" "));
            return None;
        }
        self.took = began.elapsed();
        self.reaches = fs::read_to_string(note).unwrap_or_default().lines().filter_map(|n| n.parse().ok()).collect();
        Some(self)
    }

    /// Whether this run notices a mutant.
    fn kills(&self, root: &Path, n: u32) -> bool {
        let Ok(mut child) = self.command(root).env("MUTANT", n.to_string()).spawn() else { return false };
        let end = Instant::now() + self.took * PATIENCE + Duration::from_secs(10);
        loop {
            match child.try_wait() {
                Ok(Some(code)) => return !code.success(),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(20)),
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return true;
                }
            }
        }
    }
}

/// Files of cases, each a run.
fn cases(root: &Path, tree: &Path, note: &Path) -> Vec<Run> {
    let mut files = Vec::new();
    for ruleset in ["campaigns", "austerlitz1805", "brave_fellows", "great_battles"] {
        let folder = fs::read_dir(root.join("tests/cases").join(ruleset));
        files.extend(folder.into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    files.sort();
    let program = tree.join("target/debug/estafette");
    let run = |path: &PathBuf| {
        let file = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
        let args = vec!["case".to_owned(), file];
        Run { program: program.clone(), args, reaches: BTreeSet::new(), took: Duration::ZERO }.traced(root, note)
    };
    files.iter().filter_map(run).collect()
}

/// Modules of the newest test binary, each a run.
fn tests(root: &Path, tree: &Path, note: &Path, modules: &[String]) -> Vec<Run> {
    let folder = fs::read_dir(tree.join("target/debug/deps"));
    let built = folder.into_iter().flatten().flatten().map(|entry| entry.path());
    let is_test = |path: &PathBuf| {
        path.extension().is_none() && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("it-"))
    };
    let newest = built.filter(is_test).max_by_key(|path| fs::metadata(path).and_then(|of| of.modified()).ok());
    let Some(program) = newest else { return Vec::new() };
    let all = MODULES.map(str::to_owned);
    let modules = if modules.is_empty() { &all[..] } else { modules };
    let run = |module: &String| {
        let args = [module.as_str(), "--test-threads", "1"].map(str::to_owned).to_vec();
        Run { program: program.clone(), args, reaches: BTreeSet::new(), took: Duration::ZERO }.traced(root, note)
    };
    modules.iter().filter_map(run).collect()
}

/// Those of some mutants that no run notices, two at a time; a run that reaches fewest mutants comes first, since it
/// knows them best.
fn left(root: &Path, runs: &[Run], mutants: &[u32]) -> Vec<u32> {
    let queue = Mutex::new(mutants.iter().copied());
    let found = Mutex::new(Vec::new());
    let next = || queue.lock().ok()?.next();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(n) = next() {
                    let mut near: Vec<&Run> = runs.iter().filter(|run| run.reaches.contains(&n)).collect();
                    near.sort_by_key(|run| (run.reaches.len(), run.took));
                    if let Some(run) = near.iter().find(|run| run.kills(root, n)) {
                        eprintln!("{n} killed by {}", run.args.join(" "));
                        continue;
                    }
                    println!("{n} lives ({} runs reach it)", near.len());
                    if let Ok(mut found) = found.lock() {
                        found.push(n);
                    }
                }
            });
        }
    });
    let mut left = found.into_inner().unwrap_or_default();
    left.sort_unstable();
    left
}

/// Runs all and tells; whether 85 in 100 are killed and every survivor is explained.
pub fn all(
    root: &Path,
    tree: &Path,
    drawn: &BTreeMap<u32, Point>,
    asked: &Asked,
    known: &BTreeMap<String, String>,
) -> Result<bool, String> {
    let mutants: Vec<u32> = drawn.keys().copied().collect();
    let note = tree.join("target/reached.txt");
    let began = Instant::now();
    let kept = tree.join("target/after-cases.txt");
    let (reached, after_cases): (BTreeSet<u32>, Vec<u32>) = if asked.tests_only {
        let text = fs::read_to_string(&kept).map_err(|e| format!("{}: {e}", kept.display()))?;
        let left = text.lines().filter_map(|n| n.parse().ok()).filter(|n| drawn.contains_key(n)).collect();
        (mutants.iter().copied().collect(), left)
    } else {
        let runs = cases(root, tree, &note);
        let reached: BTreeSet<u32> = runs.iter().flat_map(|run| run.reaches.iter().copied()).collect();
        println!("{} files of cases reach {} mutants ({} s)", runs.len(), reached.len(), began.elapsed().as_secs());
        let after_cases = left(root, &runs, &mutants);
        let text: String = after_cases.iter().map(|n| format!("{n}\n")).collect();
        fs::write(&kept, text).map_err(|e| format!("{}: {e}", kept.display()))?;
        (reached, after_cases)
    };
    println!("cases kill {} of {} ({} s)", mutants.len() - after_cases.len(), mutants.len(), began.elapsed().as_secs());
    let mut survivors = after_cases.clone();
    if !asked.cases_only {
        if !cargo(tree, &["test", "--no-run"]).status().is_ok_and(|done| done.success()) {
            return Err("the tests of the copy do not build".to_owned());
        }
        let runs = tests(root, tree, &note, &asked.modules);
        survivors = left(root, &runs, &after_cases);
    }
    println!("tests kill {} more ({} s)", after_cases.len() - survivors.len(), began.elapsed().as_secs());
    let mut unexplained = 0;
    for n in &survivors {
        let point = &drawn[n];
        let what = format!("{} {}: {} -> {}", point.file, point.within, point.was, point.becomes);
        let why = known.get(&what);
        unexplained += usize::from(why.is_none());
        let reach = if reached.contains(n) { "" } else { " (no case reaches it)" };
        println!("{n} {}:{}{reach}\n  {what}", point.file, point.line);
        if let Some(why) = why {
            println!("  {why}");
        }
    }
    for place in asked.places.iter().filter(|_| asked.places.len() > 1) {
        let here = |n: &u32| *n < BESIDE && drawn[n].file.starts_with(place.as_str());
        let of = drawn.keys().filter(|n| here(n)).count();
        let alive = survivors.iter().filter(|n| here(n)).count();
        println!("{place}: killed {} of {of}", of - alive);
    }
    let sample = drawn.range(..BESIDE).count();
    let killed = sample - survivors.iter().filter(|n| **n < BESIDE).count();
    let percent = killed * 100 / sample.max(1);
    println!("killed {killed} of the sample of {sample}: {percent} in 100; {unexplained} survivors without a reason");
    Ok(percent >= 85 && unexplained == 0)
}

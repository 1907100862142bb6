//! The mutation gate: would the cases and tests notice if a rule were broken?
//!
//! `cargo run --manifest-path tests/mutants/Cargo.toml -- SEED [--sample 300] [--in PLACE,PLACE] [--cases-only]
//! [--again] [--tests-only] [--tests MODULE,MODULE] [--whole FILE,FILE]`, from the root of the package. All drawn mutants stand in one build, each behind its number; the
//! environment wakes one. Cases come first, then the test modules of the rules. Which file or module reaches which
//! mutant is traced once, so that only those run.

mod points;
mod runs;
mod tree;

use points::Point;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

/// Where mutants are looked for, unless the command line names places.
const PLACES: [&str; 5] = ["src/rules", "src/fog.rs", "src/dice.rs", "src/dice", "src/host"];

/// Numbers from here on are beside the sample.
pub const BESIDE: u32 = 10_000;

/// What the command line says.
pub struct Asked {
    seed: u64,
    sample: usize,
    /// Where mutants are looked for.
    pub places: Vec<String>,
    /// Whether the tests are left out.
    pub cases_only: bool,
    /// Whether the copy of the last run is taken as it stands, for cases that were written since.
    again: bool,
    /// Whether the cases are left out, and the survivors of their last run taken.
    pub tests_only: bool,
    /// Modules or names of tests that run behind the cases; where none is named, those that play rules.
    pub modules: Vec<String>,
    /// Files of which every point is tried beside the sample, and not counted in it.
    pub whole: Vec<String>,
}

fn asked() -> Option<Asked> {
    let places = PLACES.map(str::to_owned).to_vec();
    let mut asked = Asked {
        seed: 0,
        sample: 300,
        places,
        cases_only: false,
        again: false,
        tests_only: false,
        modules: vec![],
        whole: vec![],
    };
    let mut args = env::args().skip(1);
    asked.seed = args.next()?.parse().ok()?;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--sample" => asked.sample = args.next()?.parse().ok()?,
            "--in" => asked.places = args.next()?.split(',').map(str::to_owned).collect(),
            "--again" => asked.again = true,
            "--tests-only" => (asked.again, asked.tests_only) = (true, true),
            "--cases-only" => asked.cases_only = true,
            "--tests" => asked.modules = args.next()?.split(',').map(str::to_owned).collect(),
            "--whole" => asked.whole = args.next()?.split(',').map(str::to_owned).collect(),
            _ => return None,
        }
    }
    Some(asked)
}

fn main() -> ExitCode {
    let Some(asked) = asked() else {
        eprintln!(
            "usage: estafette-mutants SEED [--sample 300] [--in PLACE,PLACE] [--cases-only] [--again] [--tests-only] [--tests MODULE,MODULE] [--whole FILE,FILE]"
        );
        return ExitCode::from(2);
    };
    match gate(&asked) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(3)
        }
    }
}

/// Draws, builds, runs and tells; whether 85 in 100 are killed and every survivor is explained.
fn gate(asked: &Asked) -> Result<bool, String> {
    let root = env::current_dir().map_err(|e| e.to_string())?;
    let tree = root.join("target/mutants/tree");
    // The sources as they are now: who writes on meanwhile disturbs nothing.
    let texts = texts(&root, &asked.places)?;
    if !asked.again {
        tree::copy(&root, &tree, &texts).map_err(|e| e.to_string())?;
    }
    let (all, skipped) = found(&texts)?;
    println!("{} points; {skipped} more in constants and patterns, where no branch can stand", all.len());
    let order = shuffled(all.len(), asked.seed);
    // What may come into the sample does not stand beside it as well.
    let spare: BTreeSet<usize> = order.iter().copied().skip(asked.sample * 2).collect();
    let mut order = order.into_iter().take(asked.sample * 2);
    let mut drawn: BTreeMap<u32, Point> = BTreeMap::new();
    let (mut next, mut dropped) = (1, 0);
    let whole = spare.iter().map(|at| &all[*at]).filter(|point| asked.whole.contains(&point.file));
    let beside: BTreeMap<u32, Point> = (BESIDE..).zip(whole.cloned()).collect();
    drawn.extend(beside);
    if asked.again {
        // The same draws, less those that the copy does not hold.
        drawn.extend((1..).zip(order.by_ref().map(|at| all[at].clone())));
        let there = tree::woven_in(&tree, &texts)?;
        drawn.retain(|n, _| there.contains(n));
        println!("{} drawn with seed {}, in the copy of the last run", drawn.range(..BESIDE).count(), asked.seed);
        return runs::all(&root, &tree, &drawn, asked, &known(&root));
    }
    tree::built(&root.join("target/debug"), &tree.join("target/debug")).map_err(|e| e.to_string())?;
    loop {
        while drawn.range(..BESIDE).count() < asked.sample {
            let Some(at) = order.next() else { break };
            drawn.insert(next, all[at].clone());
            next += 1;
        }
        let broken = tree::weave(&tree, &texts, &drawn)?;
        if broken.is_empty() {
            break;
        }
        dropped += broken.len();
        drawn.retain(|n, _| !broken.contains(n));
    }
    println!("{} drawn with seed {}; {dropped} that do not compile were replaced", drawn.len(), asked.seed);
    let known = known(&root);
    runs::all(&root, &tree, &drawn, asked, &known)
}

/// Survivors that change nothing, or nothing that a rule says, with the reason: `FILE FUNCTION: WAS -> BECOMES`.
fn known(root: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(root.join("tests/mutants/equivalent.txt")).unwrap_or_default();
    let mut known = BTreeMap::new();
    let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    while let (Some(what), Some(why)) = (lines.next(), lines.next()) {
        known.insert(what.trim().to_owned(), why.trim().to_owned());
    }
    known
}

/// The sources that mutants are looked for in.
fn texts(root: &Path, places: &[String]) -> Result<BTreeMap<String, String>, String> {
    let mut files = Vec::new();
    for place in places {
        sources(&root.join(place), &mut files).map_err(|e| e.to_string())?;
    }
    let mut texts = BTreeMap::new();
    for path in files {
        let file = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).map_err(|e| e.to_string())?;
        texts.insert(file, text);
    }
    Ok(texts)
}

/// All points of the sources.
fn found(texts: &BTreeMap<String, String>) -> Result<(Vec<Point>, usize), String> {
    let (mut all, mut skipped) = (Vec::new(), 0);
    for (file, text) in texts {
        let (points, constant) = points::points(file, text).map_err(|e| format!("{file}: {e}"))?;
        all.extend(points);
        skipped += constant;
    }
    Ok((all, skipped))
}

fn sources(path: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_file() {
        into.push(path.to_owned());
    } else if path.is_dir() {
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            if path.is_dir() || path.extension().is_some_and(|ending| ending == "rs") {
                sources(&path, into)?;
            }
        }
    }
    Ok(())
}

/// An order that follows from the seed alone (splitmix64 and Fisher-Yates).
fn shuffled(len: usize, seed: u64) -> Vec<usize> {
    let mut state = seed;
    let mut draw = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut order: Vec<usize> = (0..len).collect();
    for last in (1..len).rev() {
        let at = usize::try_from(draw() % (last as u64 + 1)).unwrap_or(0);
        order.swap(last, at);
    }
    order
}

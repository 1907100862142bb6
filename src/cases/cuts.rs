//! Cuts: a case without one of its wishes must fail, else the wish proves nothing.

use super::run::Shelf;
use super::{Case, Failure, files, outcome, read};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// What is taken out of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One clause of a battle plan, under `before`.
    Plan,
    /// One standing answer.
    Doctrine,
    /// One option that is switched for the case.
    Option,
}

/// One entry that is taken out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// What it is.
    pub kind: Kind,
    /// The keys that lead to it below the case, the last one its key or its place in a list.
    pub path: Vec<String>,
    /// Its name where a case explains it, such as `doctrine french PURSUE` or `plan coalition 0505: TYPE PITCHED`.
    pub name: String,
}

/// What became of the cuts of a folder.
#[derive(Debug, Default)]
pub struct Survey {
    /// Cuts tried, by kind.
    pub tried: BTreeMap<Kind, u32>,
    /// Cuts without which a case passes as well, and which it explains.
    pub explained: BTreeMap<Kind, u32>,
    /// Those that it does not explain, and explanations of cuts that do not survive.
    pub failures: Vec<Failure>,
}

impl Survey {
    /// Survivors of a kind that are explained.
    pub fn explained(&self, kind: Kind) -> u32 {
        self.explained.get(&kind).copied().unwrap_or(0)
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Everything that can be taken out of a case.
pub fn cuts(case: &Case) -> Vec<Cut> {
    let mut found = Vec::new();
    for (seat, keys) in &case.doctrine {
        for key in keys.keys() {
            let path = vec!["doctrine".to_owned(), seat.clone(), key.clone()];
            found.push(Cut { kind: Kind::Doctrine, path, name: format!("doctrine {seat} {key}") });
        }
    }
    let keys = |value: Option<&Value>| -> Vec<String> {
        value.and_then(Value::as_object).map(|map| map.keys().cloned().collect()).unwrap_or_default()
    };
    for key in keys(case.before.get("options")) {
        let path = vec!["options".to_owned(), key.clone()];
        found.push(Cut { kind: Kind::Option, path, name: format!("option {key}") });
    }
    let sides = case.before.get("sides");
    for side in keys(sides) {
        let plans = sides.and_then(|s| s.get(&side)).and_then(|s| s.get("plans"));
        for at in keys(plans) {
            let clauses = plans.and_then(|p| p.get(&at)).and_then(Value::as_array);
            for (n, clause) in clauses.into_iter().flatten().enumerate() {
                let path = ["sides", &side, "plans", &at, &n.to_string()].map(str::to_owned).to_vec();
                let text = clause.as_str().unwrap_or_default();
                found.push(Cut { kind: Kind::Plan, path, name: format!("plan {side} {at}: {text}") });
            }
        }
    }
    found
}

/// The case without one of its entries.
pub fn without(case: &Case, cut: &Cut) -> Case {
    let mut left = case.clone();
    match cut.path.as_slice() {
        [_, seat, key] if cut.kind == Kind::Doctrine => {
            if let Some(keys) = left.doctrine.get_mut(seat) {
                keys.remove(key);
            }
        }
        [first, keys @ .., last] => {
            let mut at = left.before.get_mut(first);
            for key in keys {
                at = at.and_then(|value| value.get_mut(key.as_str()));
            }
            match at {
                Some(Value::Object(map)) => {
                    map.remove(last);
                }
                Some(Value::Array(items)) => {
                    if let Ok(n) = last.parse::<usize>()
                        && n < items.len()
                    {
                        items.remove(n);
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
    left
}

/// Tries every cut of every case below a folder. A cut that changes nothing is a failure unless the case explains it
/// under `control`; so is an explanation of what is no such cut.
///
/// # Errors
/// When a file cannot be read.
pub fn survey(root: &Path, folder: &Path) -> Result<Survey, String> {
    let (mut found, shelf) = (Survey::default(), Shelf::default());
    for path in files(folder)? {
        let file = read(&path)?;
        for case in &file.cases {
            let place = format!("{}: {}", path.display(), case.id);
            let mut idle: BTreeSet<&String> = case.control.keys().collect();
            for cut in cuts(case) {
                *found.tried.entry(cut.kind).or_default() += 1;
                if outcome(root, &shelf, &file, &without(case, &cut)).is_some() {
                    continue;
                }
                if idle.remove(&cut.name) {
                    *found.explained.entry(cut.kind).or_default() += 1;
                } else {
                    let difference = format!("  passes as well without {cut}");
                    found.failures.push(Failure { place: place.clone(), difference });
                }
            }
            for name in idle {
                let difference = format!("  control explains \"{name}\", without which the case does not pass");
                found.failures.push(Failure { place: place.clone(), difference });
            }
        }
    }
    Ok(found)
}

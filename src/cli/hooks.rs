//! Commands that stand on other parts of the program: rule cases, simulation.

use super::fresh::write_whole;
use super::progress::Progress;
use super::{Desk, Done, FOUND, Failure, usage};
use crate::cases::coverage;
use crate::scenario::library::Library;
use crate::{cases, games, scenario, simulate};
use serde_json::json;
use std::path::{Path, PathBuf};

impl Desk<'_> {
    pub(super) fn case(&mut self, files: &[PathBuf], only: Option<&str>, update: bool) -> Done {
        let mut paths = Vec::new();
        for path in files {
            if path.is_dir() { paths.extend(cases::files(path).map_err(usage)?) } else { paths.push(path.clone()) }
        }
        let verdict = cases::run(Path::new("."), &paths, only, update);
        let failures: Vec<_> =
            verdict.failures.iter().map(|f| json!({"place": f.place, "difference": f.difference})).collect();
        let code = if failures.is_empty() { 0 } else { FOUND };
        if self.json {
            self.say_json(&json!({"run": verdict.run, "updated": verdict.updated, "failures": failures}))?;
            return Ok(code);
        }
        for failure in &verdict.failures {
            self.say(&failure.place)?;
            self.say(&failure.difference)?;
        }
        self.say(&format!("{} cases, {} failed, {} written anew", verdict.run, failures.len(), verdict.updated))?;
        Ok(code)
    }

    /// Rows of a rule index without a case, and cases without a row.
    pub(super) fn coverage(&mut self, folders: &[PathBuf], index: &Path, all: bool) -> Done {
        let rules = coverage::index(index).map_err(usage)?;
        let Some(folder) = folders.first() else { return Err(usage("name the folder of the cases.")) };
        let tested = coverage::by_test(index).map_err(usage)?;
        let found = coverage::coverage(&rules, folder, tested).map_err(usage)?;
        let code = if found.missing.is_empty() && found.unknown.is_empty() { 0 } else { FOUND };
        if self.json {
            self.say_json(&serde_json::to_value(&found).unwrap_or_default())?;
            return Ok(code);
        }
        self.say(&format!(
            "{} rows: {} with a case, {} with a test, {} only describe, {} missing",
            rules.len(),
            found.proven,
            found.tested.len(),
            found.described.len(),
            found.missing.len()
        ))?;
        let mut phases: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
        for row in &found.missing {
            *phases.entry(&row.phase).or_default() += 1;
            if all {
                self.say(&format!("  {}  ¶{}  {}", row.id, row.paragraph, row.statement))?;
            }
        }
        for (phase, count) in phases {
            self.say(&format!("  {count:>4} missing  {phase}"))?;
        }
        for (row, case) in &found.unknown {
            self.say(&format!("  {case} names {row}, which the index lacks"))?;
        }
        Ok(code)
    }

    pub(super) fn simulate(&mut self, scenario: &Path, (first, games): (u64, u32), html: Option<&Path>) -> Done {
        let (name, files) = super::scenarios::files(&Library::of(Path::new(".")), scenario)?;
        let text = files.iter().find(|(path, _)| *path == name).map_or("", |(_, text)| text);
        let head = scenario::header(&name, text).map_err(|flaw| Failure::Said(FOUND, flaw.to_string()))?;
        let entry = games::find(self.entries, &head.ruleset).map_err(usage)?;
        let progress = Progress::of(u64::from(games), "games");
        let (all, stuck) = simulate::run_watched(entry, &files, (first, games), &|| progress.step())
            .map_err(|flaws| Failure::Said(FOUND, flaws.join("\n")))?;
        drop(progress);
        let summary = simulate::summary(&head.title, &all, &stuck);
        let code = if stuck.is_empty() { 0 } else { FOUND };
        if let Some(file) = html {
            write_whole(file, simulate::page::page(&summary, &all, &stuck).as_bytes())?;
        }
        if self.json {
            self.say_json(&json!({"summary": summary, "games": all, "stuck": stuck}))?;
            return Ok(code);
        }
        for line in simulate::lines(&summary) {
            self.say(&line)?;
        }
        for game in &stuck {
            self.say(&format!("game {} is stuck: {}", game.number, game.why))?;
        }
        Ok(code)
    }
}

//! Commands that stand on other parts of the house: rule cases, simulation, the demonstration.

use super::{Desk, Done, FOUND, usage};
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

    pub(super) fn simulate(&mut self, scenario: &Path, games: u32) -> Done {
        let files = scenario::files(scenario).map_err(|flaw| usage(flaw.to_string()))?;
        let name = scenario.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let text = files.iter().find(|(path, _)| *path == name).map_or("", |(_, text)| text);
        let head = scenario::header(&name, text).map_err(|flaw| usage(flaw.to_string()))?;
        let entry = games::find(self.entries, &head.ruleset).map_err(usage)?;
        let mut all = Vec::new();
        let mut stuck = Vec::new();
        for number in 1..=u64::from(games) {
            let mut game = simulate::open(entry, &files, number).map_err(|flaws| usage(flaws.join("\n")))?;
            match simulate::play(game.as_mut(), number, |_, _| Ok(())) {
                Ok((played, _)) => all.push(played),
                Err(why) => stuck.push(why),
            }
        }
        let summary = simulate::summary(&head.title, &all, &stuck);
        let code = if stuck.is_empty() { 0 } else { FOUND };
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

    pub(super) fn demo(&mut self, _dir: Option<&Path>) -> Done {
        Err(usage("demo is not built yet."))
    }
}

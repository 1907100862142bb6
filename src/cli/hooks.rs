//! Commands that stand on other parts of the house: rule cases, simulation, the demonstration.

use super::{Desk, Done, FOUND, usage};
use crate::cases;
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

    pub(super) fn simulate(&mut self, _scenario: &Path, _games: u32) -> Done {
        Err(usage("simulate is not built yet."))
    }

    pub(super) fn demo(&mut self, _dir: Option<&Path>) -> Done {
        Err(usage("demo is not built yet."))
    }
}

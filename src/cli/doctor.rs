//! `estafette doctor` looks for what is wrong, and `estafette schema` says what files may hold.

use super::args::SchemaOf;
use super::{Desk, Done, FOUND};
use crate::config::Config;
use crate::gateway::{Office, Tried, table};
use crate::store::GameState;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

impl Desk<'_> {
    /// Checks config, templates, database, mailboxes, permissions and that every game can be opened; with `rebuild`,
    /// makes the umpire's rows again.
    pub(super) fn doctor(&mut self, dir: &Path, rebuild: bool, wait: u32) -> Done {
        let mut office = Office::open(dir, self.entries, false)?;
        let mut faults = office.store.integrity()?;
        faults.extend(others_may_read(&dir.join("estafette.db")));
        if office.config().holds_secrets() {
            faults.extend(others_may_read(&dir.join("config.toml")));
        }
        let tried = office.prove(Duration::from_secs(u64::from(wait)))?;
        let said = |t: &Tried| format!("{}: {}", t.what, t.found.as_ref().unwrap_or_else(|why| why));
        faults.extend(tried.iter().filter(|t| t.found.is_err()).map(said));
        let proved: Vec<String> = tried.iter().filter(|t| t.found.is_ok()).map(said).collect();
        let mut rebuilt = 0;
        let games = office.store.games()?;
        for row in &games {
            if row.state == GameState::Corrupt {
                faults.push(format!("game {}: is set aside for its umpire", row.id));
            }
            if let Err(why) = table::open(self.entries, &office.store, row) {
                faults.push(format!("game {}: cannot be opened: {why}", row.id));
                continue;
            }
            if rebuild {
                match table::rebuilt_rows(self.entries, &office.store, row) {
                    Ok(rows) => {
                        office.store.act(|act| act.replace_rows(&row.id, &rows))?;
                        rebuilt += 1;
                    }
                    Err(why) => faults.push(format!("game {}: its rows cannot be made again: {why}", row.id)),
                }
            }
        }
        let code = if faults.is_empty() { 0 } else { FOUND };
        if self.json {
            self.say_json(&json!({"games": games.len(), "rebuilt": rebuilt, "faults": faults, "mail": proved}))?;
            return Ok(code);
        }
        self.say_all(&proved)?;
        self.say_all(&faults)?;
        if rebuild {
            self.say(&format!("the rows of {rebuilt} games were made again."))?;
        }
        let games = crate::text::plural(i64::try_from(games.len()).unwrap_or(i64::MAX), "game", "games");
        self.say(&if code == 0 { format!("{games}, all is well.") } else { format!("{games}, not all is well.") })?;
        Ok(code)
    }

    pub(super) fn schema(&mut self, what: SchemaOf) -> Done {
        let text = match what {
            SchemaOf::Scenario => crate::rules::campaigns::load::schema(),
            SchemaOf::Austerlitz1805 => crate::rules::austerlitz1805::load::schema(),
            SchemaOf::Config => pretty(&schemars::schema_for!(Config)),
            SchemaOf::Case => pretty(&schemars::schema_for!(crate::cases::CaseFile)),
        };
        self.say(&text)?;
        Ok(0)
    }
}

fn pretty(schema: &schemars::Schema) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default()
}

/// The database holds both sides' secrets.
#[cfg(unix)]
fn others_may_read(path: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).ok()?.permissions().mode();
    (mode & 0o077 != 0).then(|| format!("{}: others may read it; chmod 600 it", path.display()))
}

#[cfg(not(unix))]
fn others_may_read(_path: &Path) -> Option<String> {
    None
}

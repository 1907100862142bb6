//! Commands that stand on other parts of the house: rule cases, simulation, the demonstration.

use super::{Desk, Done, FOUND, Failure, usage};
use crate::cases::coverage;
use crate::demo::{self, Player, Troupe};
use crate::gateway::{NewGame, Office};
use crate::{cases, games, scenario, simulate, store};
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
        let found = coverage::coverage(&rules, folder).map_err(usage)?;
        let code = if found.missing.is_empty() && found.unknown.is_empty() { 0 } else { FOUND };
        if self.json {
            self.say_json(&serde_json::to_value(&found).unwrap_or_default())?;
            return Ok(code);
        }
        self.say(&format!(
            "{} rows: {} with a case, {} only describe, {} missing",
            rules.len(),
            found.proven,
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

    pub(super) fn simulate(&mut self, scenario: &Path, first: u64, games: u32) -> Done {
        let files = super::scenario_files(scenario)?;
        let name = scenario.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let text = files.iter().find(|(path, _)| *path == name).map_or("", |(_, text)| text);
        let head = scenario::header(&name, text).map_err(|flaw| Failure::Said(FOUND, flaw.to_string()))?;
        let entry = games::find(self.entries, &head.ruleset).map_err(usage)?;
        let (all, stuck) =
            simulate::run(entry, &files, first, games).map_err(|flaws| Failure::Said(FOUND, flaws.join("\n")))?;
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

    /// The teaching scenario to its end, the first turns of Moravia, and a fog turn of Austerlitz, by mail through the
    /// daemon's own passes.
    pub(super) fn demo(&mut self, dir: Option<&Path>) -> Done {
        let made;
        let dir = match dir {
            Some(dir) => dir,
            None => {
                made = std::env::temp_dir().join(format!("estafette-demo-{}", std::process::id()));
                &made
            }
        };
        demo::furnish(dir, "post@estafette.example").map_err(io)?;
        if !self.json {
            self.say(&format!("A post office in {}.", dir.display()))?;
        }
        let teaching = [("french", demo::scenes::french()), ("coalition", demo::scenes::coalition())];
        let whole = self.demo_game(dir, "bridges-1", "scenarios/campaigns/teaching.yaml", 400, teaching)?;
        let moravia = [("french", Vec::new()), ("coalition", Vec::new())];
        let moravia = self.demo_game(dir, "moravia-1", "scenarios/campaigns/1805-moravia.yaml", 14, moravia)?;
        let fog = [("french", demo::scenes::french_in_fog()), ("allied", demo::scenes::allied_in_fog())];
        let fog = self.demo_game(dir, "fog-1", "scenarios/austerlitz1805/fog-teaching.yaml", 8, fog)?;
        // Two of them are broken off, so that their audits are open.
        Ok(if [moravia, fog].contains(&super::FOUND) { super::FOUND } else { whole })
    }

    fn demo_game(
        &mut self,
        dir: &Path,
        id: &str,
        scenario: &str,
        mails: u32,
        players: [(&str, Vec<demo::Scene>); 2],
    ) -> Done {
        let clock = crate::clock::Clock::from_env().map_err(|e| usage(e.to_string()))?;
        let mut office = Office::with_clock(dir, self.entries, true, clock)?;
        let addresses = ["ney@example.org", "weyrother@example.org"];
        let seats = players.iter().map(|(seat, _)| *seat).zip(addresses);
        let new = NewGame {
            id: id.to_owned(),
            files: super::scenario_files(Path::new(scenario))?,
            seats: seats.clone().map(|(seat, address)| (seat.to_owned(), vec![address.to_owned()])).collect(),
            umpire: None,
            tempo: store::Tempo::Live,
            deadline_hours: Some(48),
            master: None,
        };
        office.new_game(&new)?;
        let named = players.into_iter().zip(addresses);
        let players = named.map(|((seat, scenes), address)| Player::new(seat, address, scenes)).collect();
        let mut broken = None;
        let mut troupe = Troupe::new(&mut office, id, players).map_err(io)?;
        let played = troupe.play(mails, &mut |mail| {
            self.demo_mail(mail).map_err(|failure| {
                broken = Some(failure);
                String::new()
            })
        });
        if let Some(failure) = broken {
            return Err(failure);
        }
        played.map_err(io)?;
        drop(troupe);
        drop(office);
        if !self.json {
            self.say("")?;
            self.say(&format!("AUDIT of {id}, as anybody may make it from the bundle:"))?;
        }
        let asked = super::args::Audit::of(dir, id);
        self.audit(&asked)
    }

    /// A mail as it goes; with `--json` one object a line.
    fn demo_mail(&mut self, mail: &demo::Mail) -> Result<(), Failure> {
        if self.json {
            let demo::Mail { from, to, subject, id, text } = mail;
            let line = json!({"from": from, "to": to, "subject": subject, "id": id, "text": text});
            return self.say(&line.to_string());
        }
        self.say("")?;
        self.say(&"-".repeat(76))?;
        self.say(&format!("From: {}   To: {}", mail.from, mail.to))?;
        self.say(&format!("Subject: {}", mail.subject))?;
        self.say("")?;
        for line in mail.text.lines() {
            self.say(line)?;
        }
        Ok(())
    }
}

fn io(why: String) -> Failure {
    Failure::Said(super::IO, why)
}

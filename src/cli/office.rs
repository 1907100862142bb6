//! Making a post office and its games, and what an umpire does.

use super::args::{New, Tempo, Umpire, UmpireVerb};
use super::fresh::Fresh;
use super::{Desk, Done, Failure, IO, USAGE, usage};
use crate::config::Config;
use crate::dice::Bytes32;
use crate::gateway::{self, NewGame, Office, TimeCommand};
use crate::letter;
use crate::mail::maildir::{self, Maildir};
use crate::scenario::library::Library;
use crate::store::{self, Store};
use crate::terms::{self, Terms};
use data_encoding::HEXLOWER_PERMISSIVE;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The file of a game that says who sits on each side.
const STAFF: &str = "staff.yaml";

impl Desk<'_> {
    /// Makes a post office; what is there already stays as it is.
    pub(super) fn init(&mut self, dir: &Path) -> Done {
        let io = |path: &Path, error: std::io::Error| Failure::Said(IO, format!("{}: {error}", path.display()));
        let db = dir.join("estafette.db");
        let server = gateway::server_of(dir);
        let lost = server.is_none() && fs::metadata(&db).map_or(true, |meta| meta.len() == 0);
        if lost && maildir::holds_mail(&dir.join("mail")) {
            let why = format!(
                "{}: there are mails here of a post office whose database is lost. Restore its backup in this place; or, \
                 to begin another post office, take the folder mail away.",
                db.display()
            );
            return Err(Failure::Said(IO, why));
        }
        let config = dir.join("config.toml");
        let fresh = Fresh::beside(dir)?;
        if !config.exists() {
            let made = fresh.path().join("config.toml");
            write_private(&made, Config::example().as_bytes()).map_err(|e| io(&config, e))?;
        }
        // What is there already is looked at before anything new is put beside it.
        let place = |name: &str| if dir.join(name).exists() { dir.join(name) } else { fresh.path().join(name) };
        Maildir::open(&place("mail")).map_err(|error| Failure::Said(IO, error.to_string()))?;
        let store = match server {
            Some(address) => Store::on_server(&address.0, true)?,
            None => Store::create(&place("estafette.db"))?,
        };
        // Who begins a post office has no other program before him.
        if store.games()?.is_empty() {
            gateway::serves(&store, self.entries);
        }
        drop(store);
        fresh.finish()?;
        if self.json {
            self.say_json(&json!({"dir": dir, "config": config}))?;
        } else {
            self.say(&format!("{} is a post office now.", dir.display()))?;
            self.say(&format!(
                "Set your address in {}, then: estafette new --dir {}",
                config.display(),
                dir.display()
            ))?;
            let names: Vec<&str> = letter::NAMES.iter().map(|(name, _)| *name).collect();
            self.say(&format!("Letters may be changed by files in {}:", dir.join("templates").display()))?;
            self.say(&format!("  {}", names.join(" ")))?;
        }
        Ok(0)
    }

    pub(super) fn new_game(&mut self, new: &New) -> Done {
        let (_, mut files) = super::scenarios::files(&Library::of(&new.at.dir), &new.scenario)?;
        if let Some(path) = &new.staff {
            // It is one more file of this game's scenario, so that whoever has the digest has it.
            let text =
                fs::read_to_string(path).map_err(|error| Failure::Said(IO, format!("{}: {error}", path.display())))?;
            files = crate::scenario::with_file(files, STAFF, text);
        }
        let mut office = Office::open(&new.at.dir, self.entries, false)?;
        let mut seats: Vec<(String, Vec<String>)> = Vec::new();
        for (seat, address) in &new.seats {
            match seats.iter_mut().find(|(known, _)| known == seat) {
                Some((_, addresses)) => addresses.push(address.clone()),
                None => seats.push((seat.clone(), vec![address.clone()])),
            }
        }
        let deadline_hours = match new.deadline {
            Some(typed) => typed.0,
            None => Some(office.config().deadline_hours),
        };
        let made = NewGame {
            id: new.game.clone(),
            files,
            seats,
            umpire: new.umpire.as_ref().map(|address| address.to_lowercase()),
            tempo: match new.tempo {
                Tempo::Live => store::Tempo::Live,
                Tempo::Sealed => store::Tempo::Sealed,
            },
            deadline_hours,
            master: new.master_hex.as_deref().map(master).transpose()?,
        };
        let terms = new.options.as_deref().map(terms).transpose()?;
        if terms.as_ref().is_some_and(|terms| terms.deadline.is_some()) && new.deadline.is_some() {
            return Err(usage("--deadline and the deadline of the options say the same thing; give one of them."));
        }
        office.new_game_on(&made, terms.as_ref())?;
        if self.json {
            self.say_json(&json!({"game": new.game}))?;
        } else {
            self.say(&format!("{} is made; `estafette serve` sends its opening mails.", new.game))?;
        }
        Ok(0)
    }

    pub(super) fn umpire(&mut self, umpire: &Umpire) -> Done {
        let script = script(&umpire.what)?;
        let mut office = Office::open(&umpire.at.dir, self.entries, false)?;
        if umpire.what == UmpireVerb::Release {
            office.mend(&umpire.game)?;
        }
        let said = office.umpire_says(&umpire.game, &umpire.seat, &script)?;
        let refused = said.answers.iter().find(|answer| answer.word != "DONE");
        if self.json {
            let answers: Vec<_> = said.answers.iter().map(|a| json!({"word": a.word, "why": a.why})).collect();
            let done: Vec<&str> = said.answers.iter().filter(|a| a.word == "DONE").map(|a| a.why.as_str()).collect();
            let done = done.join("  ");
            self.say_json(
                &json!({"game": umpire.game, "done": done, "answers": answers, "blocks": said.blocks, "notes": said.notes}),
            )?;
            return Ok(if refused.is_some() { USAGE } else { 0 });
        }
        if let Some(answer) = refused {
            return Err(usage(format!("{}: {}", answer.word, answer.why)));
        }
        for answer in &said.answers {
            self.say(&answer.why)?;
        }
        for note in &said.notes {
            self.say(note)?;
        }
        for block in &said.blocks {
            self.say("")?;
            self.say(&block.title)?;
            self.say_all(&block.body.lines)?;
        }
        Ok(0)
    }
}

impl Desk<'_> {
    /// Says whether the post office has stopped for its clock, and lets it go on.
    pub(super) fn clock(&mut self, dir: &Path, right: bool) -> Done {
        let now = crate::clock::now().map_err(|error| usage(error.to_string()))?;
        let said = if right { gateway::accept_clock(dir, now)? } else { gateway::clock_said(dir, now)? };
        if self.json {
            self.say_json(&json!({"clock": said}))?
        } else {
            self.say(&said)?
        }
        Ok(0)
    }
}

/// Writes a file that nobody else may read: passwords may come to stand in it.
fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    super::fresh::for_owner().create_new(true).open(path)?.write_all(bytes)
}

/// The options of a game, from their file.
fn terms(path: &Path) -> Result<Terms, Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let text = fs::read_to_string(path).map_err(|error| Failure::Said(IO, format!("{}: {error}", path.display())))?;
    terms::read(&name, &text).map_err(|flaw| usage(flaw.to_string()))
}

/// The lines that a mail with the same wish would hold.
fn script(what: &UmpireVerb) -> Result<Vec<String>, Failure> {
    let one = |verb: &str, rest: &[String]| Ok(vec![format!("{verb} {}", rest.join(" "))]);
    let many = |head: String, lines: &str, end: &str| {
        let lines = lines.lines().map(str::to_owned);
        Ok(std::iter::once(head).chain(lines).chain([end.to_owned()]).collect())
    };
    let time = |command: &TimeCommand| Ok(vec![command.line()]);
    match what {
        UmpireVerb::Hold => one("HOLD", &[]),
        UmpireVerb::Release => one("RELEASE", &[]),
        UmpireVerb::Extend { seat, hours } => Ok(vec![format!("EXTEND {seat} {hours}")]),
        UmpireVerb::Message { seat, words } => many(format!("MESSAGE TO {seat}"), &words.join(" "), "END MESSAGE"),
        UmpireVerb::Amend { rest } => one("AMEND", rest),
        UmpireVerb::Fiat { rest } => one("FIAT", rest),
        UmpireVerb::Rewind { rest } => one("REWIND", rest),
        UmpireVerb::Ruling { rule, to, words } => {
            many(format!("RULING {rule} TO {to}"), &words.join(" "), "END RULING")
        }
        UmpireVerb::Become { seat, file, reason } => {
            many(format!("BECOME {seat} REASON {reason}"), &super::show::orders_text(file)?, "END BECOME")
        }
        UmpireVerb::Show { what } => Ok(vec![format!("SHOW {what}")]),
        UmpireVerb::WhoKnows { piece } => one("WHO-KNOWS", piece),
        UmpireVerb::Remind { seat } => Ok(vec![format!("REMIND {seat}")]),
        UmpireVerb::Option { rest } => one("OPTION", rest),
        UmpireVerb::Judge { rest } => one("JUDGE", rest),
        UmpireVerb::Replace { seat, address, allow } => {
            let (seat, address) = (seat.clone(), address.to_lowercase());
            time(&TimeCommand::Replace { seat, address, allow: *allow })
        }
        UmpireVerb::Pause { until } => time(&TimeCommand::Pause(until.join(" "))),
        UmpireVerb::Resume => time(&TimeCommand::Resume),
        UmpireVerb::Proceed => time(&TimeCommand::Proceed(vec!["ALL".to_owned()])),
        UmpireVerb::Until { seat, at } => time(&TimeCommand::Until(seat.clone(), at.join(" "))),
    }
}

fn master(text: &str) -> Result<Bytes32, Failure> {
    let decoded = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok().and_then(|bytes| Bytes32::try_from(bytes).ok());
    decoded.ok_or_else(|| usage("--master-hex takes 64 hexadecimal digits."))
}

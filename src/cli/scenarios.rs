//! The scenarios that can be played; the completions and the manual page.

use super::args::Args;
use super::fresh::{Fresh, write_whole};
use super::{Desk, Done, FOUND, Failure, IO, usage};
use crate::scenario::library::{Library, Listed};
use crate::scenario::{self, Files};
use crate::{games, simulate};
use clap::CommandFactory;
use serde_json::json;
use std::path::Path;

/// The name and the files of the scenario that was asked for: a file of that path, or one of the library. A flaw in
/// them is a finding, a file that is not there is the disk's.
pub(super) fn files(library: &Library, asked: &Path) -> Result<(String, Files), Failure> {
    let flawed = |flaw: crate::yaml::Flaw| Failure::Said(FOUND, flaw.to_string());
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Err(error) = std::fs::File::open(asked) else {
        return Ok((name(asked), scenario::files(asked).map_err(flawed)?));
    };
    let text = asked.to_string_lossy();
    match library.find(&text) {
        Ok(path) => Ok((name(Path::new(&path)), library.files(&path).map_err(flawed)?)),
        // A word alone is a name; what leads through folders, or ends as a file does, is a file.
        Err(why) if asked.components().count() == 1 && asked.extension().is_none() => Err(usage(why)),
        Err(_) => Err(Failure::Said(IO, format!("{}: {error}", asked.display()))),
    }
}

/// A scenario as the list shows it.
struct Row {
    name: String,
    seats: Vec<String>,
    turns: Option<u32>,
    title: String,
    ruleset: String,
    flaw: Option<String>,
}

impl Desk<'_> {
    /// Lists what the program carries, and what a post office has of its own.
    pub(super) fn scenarios(&mut self, dir: &Path) -> Done {
        let library = Library::of(dir);
        let list = library.list();
        let rows: Vec<(&Listed, Row)> = list.iter().map(|listed| (listed, self.row(&library, listed))).collect();
        if self.json {
            let facts = |(listed, row): &(&Listed, Row)| {
                json!({"name": row.name, "path": listed.path, "own": listed.own, "ruleset": row.ruleset,
                    "title": row.title, "seats": row.seats, "turns": row.turns,
                    "mails": scenario::library::mails(&row.name), "flaw": row.flaw})
            };
            let all: Vec<_> = rows.iter().map(facts).collect();
            self.say_json(&json!(all))?;
            return Ok(0);
        }
        let mut ruleset = "";
        for (listed, row) in &rows {
            if row.ruleset != ruleset {
                self.say(&format!("{}{}", if ruleset.is_empty() { "" } else { "\n" }, row.ruleset))?;
                ruleset = &row.ruleset;
            }
            let dash = || "-".to_owned();
            let turns = row.turns.map_or_else(dash, |turns| format!("{turns} turns"));
            let mails = scenario::library::mails(&row.name).map_or_else(dash, |mails| format!("{mails} mails"));
            let seats = if row.seats.is_empty() { "nobody".to_owned() } else { row.seats.join(" ") };
            self.say(&format!("  {:<27} {seats:<18} {turns:<9} {mails}", row.name))?;
            let own = if listed.own { "  (your own)" } else { "" };
            self.say(&format!("    {}{own}", row.title))?;
            if let Some(flaw) = &row.flaw {
                self.say(&format!("    cannot be played: {flaw}"))?;
            }
        }
        self.say("")?;
        self.say("Mails are those that a seat writes in a whole game, as the program's own players do.")?;
        self.say("Play one: estafette new --game my-game --scenario NAME --seat SEAT=ADDRESS ...")?;
        Ok(0)
    }

    fn row(&self, library: &Library, listed: &Listed) -> Row {
        let head = listed.head.as_ref();
        let opened = || -> Result<Vec<String>, String> {
            let files = library.files(&listed.path).map_err(|flaw| flaw.to_string())?;
            let head = head.ok_or("its head cannot be read")?;
            let entry = games::find(self.entries, &head.ruleset)?;
            let game = simulate::open(entry, &files, 1).map_err(|flaws| flaws.join("  "))?;
            Ok(game.seats().into_iter().map(|(seat, _)| seat.0).collect())
        };
        let (seats, flaw) = match opened() {
            Ok(seats) => (seats, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        Row {
            name: head.map_or_else(|| listed.path.clone(), |head| head.id.clone()),
            turns: head.and_then(scenario::Header::turns),
            title: head.map(|head| head.title.clone()).unwrap_or_default(),
            ruleset: head.map(|head| head.ruleset.clone()).unwrap_or_default(),
            seats,
            flaw,
        }
    }

    /// Writes the files of all scenarios to a folder, to be read, or changed and put into a post office.
    pub(super) fn write_scenarios(&mut self, dir: &Path, to: &Path) -> Done {
        let fresh = Fresh::empty(to)?;
        let mut count = 0;
        for (path, text) in Library::of(dir).all() {
            let file = fresh.path().join(path);
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).map_err(Failure::from)?;
            }
            write_whole(&file, text.as_bytes())?;
            count += 1;
        }
        fresh.finish()?;
        if self.json {
            self.say_json(&json!({"files": count, "folder": to}))?;
        } else {
            self.say(&format!("{count} files in {}.", to.display()))?;
        }
        Ok(0)
    }

    /// Prints what a shell must know to complete our words.
    pub(super) fn completions(&mut self, shell: clap_complete::Shell) -> Done {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "estafette", &mut text);
        self.out.write_all(&text)?;
        Ok(0)
    }

    /// Prints the manual page: the program, then each command.
    pub(super) fn man(&mut self) -> Done {
        let mut text = Vec::new();
        let mut program = Args::command();
        program.build();
        let page = clap_mangen::Man::new(program.clone());
        page.render_title(&mut text)?;
        page.render_name_section(&mut text)?;
        page.render_synopsis_section(&mut text)?;
        page.render_options_section(&mut text)?;
        for command in program.get_subcommands() {
            let name = format!("estafette {}", command.get_name());
            text.extend(format!(".SH \"{}\"\n", name.to_uppercase()).bytes());
            text.extend(command.get_about().map(|about| format!("{about}.\n")).unwrap_or_default().bytes());
            // One page for all: the headings of a command's own page would stand in it twenty times.
            let mut own = Vec::new();
            clap_mangen::Man::new(command.clone().display_name(name)).render_options_section(&mut own)?;
            let own = String::from_utf8_lossy(&own);
            own.lines()
                .filter(|line| !line.starts_with(".SH"))
                .for_each(|line| text.extend(format!("{line}\n").bytes()));
        }
        self.out.write_all(&text)?;
        Ok(0)
    }
}

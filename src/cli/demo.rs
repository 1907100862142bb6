//! `estafette demo`: five games by mail, told in short; the whole mails lie beside.

use super::fresh::{Fresh, write_whole};
use super::{Desk, Done, FOUND, Failure, IO, usage};
use crate::clock::Clock;
use crate::demo::{self, Mail, Player, Scene, Troupe, scenes};
use crate::gateway::{NewGame, Office};
use crate::scenario::library::Library;
use crate::store;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Columns of a line.
const WIDTH: usize = 76;
/// Lines of one mail that are shown whole, as an example.
const SHOWN_MAX: usize = 24;

/// One game of the demonstration.
struct Act {
    id: &'static str,
    scenario: &'static str,
    about: &'static str,
    /// Whether it is played to its end.
    to_its_end: bool,
    /// Most mails that the players write.
    mails: u32,
    /// Lines in which it is told.
    lines: usize,
    players: fn() -> [(&'static str, Vec<Scene>); 2],
    /// Words of the mail that is shown as an example.
    shows: &'static str,
}

const ACTS: [Act; 5] = [
    Act {
        id: "bridges-1",
        scenario: "campaigns/teaching.yaml",
        about: "a game in three turns, to its end",
        to_its_end: true,
        mails: 400,
        lines: 40,
        players: || [("french", scenes::french()), ("coalition", scenes::coalition())],
        shows: "gallop",
    },
    Act {
        id: "moravia-1",
        scenario: "campaigns/1805-moravia.yaml",
        about: "the first stages of Moravia 1805, by the program's own players",
        to_its_end: false,
        mails: 14,
        lines: 10,
        players: || [("french", Vec::new()), ("coalition", Vec::new())],
        shows: "",
    },
    Act {
        id: "fog-1",
        scenario: "austerlitz1805/fog-teaching.yaml",
        about: "a turn in the fog of Austerlitz",
        to_its_end: false,
        mails: 8,
        lines: 16,
        players: || [("french", scenes::french_in_fog()), ("allied", scenes::allied_in_fog())],
        shows: "",
    },
    Act {
        id: "loibens-1",
        scenario: "brave_fellows/teaching-fog.yaml",
        about: "the first impulses before the Loibens, in fog",
        to_its_end: false,
        mails: 10,
        lines: 16,
        players: || [("french", Vec::new()), ("coalition", Vec::new())],
        shows: "",
    },
    Act {
        id: "telnitz-1",
        scenario: "great_battles/hill-fog.yaml",
        about: "the first commands before Telnitz, in the mist",
        to_its_end: false,
        mails: 8,
        lines: 18,
        players: || [("french", Vec::new()), ("allied", Vec::new())],
        shows: "",
    },
];

/// Tells a game in so many lines, and keeps its mails as files.
struct Teller {
    folder: PathBuf,
    left: usize,
    count: u32,
    untold: u32,
    shows: &'static str,
}

impl Desk<'_> {
    /// Plays the teaching scenario to its end, the first stages of Moravia, a fog turn of Austerlitz, the first impulses
    /// before the Loibens and the first commands before Telnitz in fog, by mail through the daemon's own passes.
    pub(super) fn demo(&mut self, dir: Option<&Path>) -> Done {
        let thrown = || std::env::temp_dir().join(format!("estafette-demo-{}", std::process::id()));
        let place = dir.map_or_else(thrown, Path::to_owned);
        let fresh = Fresh::empty(&place)?;
        demo::furnish(fresh.path(), "post@estafette.example").map_err(io)?;
        let mut code = 0;
        for act in ACTS {
            let audited = self.demo_game(fresh.path(), &act)?;
            // The others are broken off, so that their audits are open.
            if audited == FOUND || act.to_its_end {
                code = code.max(audited);
            }
        }
        fresh.finish()?;
        if !self.json {
            self.say("")?;
            self.say("Every mail, as it was sent and read, one file each:")?;
            for act in ACTS {
                self.say(&format!("  {}", place.join("mails").join(act.id).display()))?;
            }
            self.say("Learn it in nine lessons: estafette tutorial")?;
        }
        Ok(code)
    }

    fn demo_game(&mut self, dir: &Path, act: &Act) -> Done {
        let clock = Clock::from_env().map_err(|e| usage(e.to_string()))?;
        let mut office = Office::with_clock(dir, self.entries, true, clock)?;
        let addresses = ["ney@example.org", "weyrother@example.org"];
        let players = (act.players)();
        let seats = players.iter().map(|(seat, _)| *seat).zip(addresses);
        let new = NewGame {
            id: act.id.to_owned(),
            files: Library::carried().files(act.scenario).map_err(|flaw| Failure::Said(FOUND, flaw.to_string()))?,
            seats: seats.clone().map(|(seat, address)| (seat.to_owned(), vec![address.to_owned()])).collect(),
            umpire: None,
            tempo: store::Tempo::Live,
            deadline_hours: Some(48),
            master: None,
        };
        office.new_game(&new)?;
        let named = players.into_iter().zip(addresses);
        let players = named.map(|((seat, scenes), address)| Player::new(seat, address, scenes)).collect();
        let folder = dir.join("mails").join(act.id);
        std::fs::create_dir_all(&folder).map_err(|error| io(format!("{}: {error}", folder.display())))?;
        if !self.json {
            self.say("")?;
            self.say(&format!("GAME {}: {}", act.id, act.about))?;
        }
        let mut teller = Teller { folder, left: act.lines, count: 0, untold: 0, shows: act.shows };
        let mut broken = None;
        let mut troupe = Troupe::new(&mut office, act.id, players).map_err(io)?;
        let played = troupe.play(act.mails, &mut |mail| {
            self.demo_mail(&mut teller, mail).map_err(|failure| {
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
            if teller.untold > 0 {
                self.say(&format!("  ... and {} more mails like these", teller.untold))?;
            }
            self.say(&format!("  AUDIT of {}, as anybody may make it from the bundle:", act.id))?;
        }
        let asked = super::args::Audit::of(dir, act.id);
        self.audit(&asked)
    }

    /// A mail as it goes: a line, and its file; with `--json` one object a line.
    fn demo_mail(&mut self, teller: &mut Teller, mail: &Mail) -> Result<(), Failure> {
        let Mail { from, to, subject, id, text } = mail;
        teller.count += 1;
        let ours = to.ends_with("@example.org");
        let name = if ours { to } else { from }.split('@').next().unwrap_or_default();
        let file = format!("{:03}-{}-{name}.txt", teller.count, if ours { "to" } else { "from" });
        write_whole(&teller.folder.join(file), mail.whole().as_bytes())?;
        if self.json {
            let line = json!({"from": from, "to": to, "subject": subject, "id": id, "text": text});
            return self.say(&line.to_string());
        }
        if teller.left == 0 {
            teller.untold += 1;
            return Ok(());
        }
        teller.left -= 1;
        let said = if ours { format!("<  {}", topic(subject)) } else { format!("   > {}", orders(text)) };
        let line = format!("  {:>3} {name:<10} {said}", teller.count);
        let cut = crate::text::cut(&line, WIDTH - 3);
        self.say(&if cut == line { line } else { format!("{cut}...") })?;
        if ours && !teller.shows.is_empty() && text.contains(teller.shows) {
            teller.shows = "";
            let shown: Vec<&str> = text.lines().take(SHOWN_MAX).collect();
            for line in &shown {
                self.say(format!("  | {line}").trim_end())?;
            }
            let more = text.lines().count() - shown.len();
            self.say(&format!("  | ... {more} lines more, in the file"))?;
        }
        Ok(())
    }
}

/// A subject without its tag, which stands in brackets before or behind.
fn topic(subject: &str) -> String {
    let (before, rest) = subject.split_once('[').unwrap_or((subject, ""));
    let after = rest.split_once(']').map_or("", |(_, after)| after);
    format!("{} {}", before.trim(), after.trim()).trim().to_owned()
}

/// The lines that a player wrote, on one line.
fn orders(text: &str) -> String {
    let own = text.lines().take_while(|line| !line.ends_with("wrote:")).map(str::trim);
    let own: Vec<&str> = own.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    own.join("; ")
}

fn io(why: String) -> Failure {
    Failure::Said(IO, why)
}

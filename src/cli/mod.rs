//! The command line: one function a command, and one writer for the two streams.
//!
//! Exit codes: 0 done, 1 the check found something, 2 usage, 3 the disk, the database or the mail, 4 an
//! audit that is open.

mod args;
mod audit;
mod demo;
mod doctor;
mod finder;
mod fresh;
mod handbook;
mod hooks;
mod mail;
mod many;
mod office;
mod progress;
mod scenarios;
mod serve;
mod show;
mod tutorial;

use crate::config::ConfigError;
use crate::games::{Entry, GAMES};
use crate::gateway::OfficeError;
use crate::store::StoreError;
use args::{Args, Command};
use clap::Parser;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// The check found something.
const FOUND: u8 = 1;
/// Usage.
const USAGE: u8 = 2;
/// The disk, the database or the mail.
const IO: u8 = 3;
/// Nothing differs, and not everything could be checked.
const OPEN: u8 = 4;

/// Runs the program.
pub fn main() -> ExitCode {
    let (mut out, mut err) = (std::io::stdout().lock(), std::io::stderr());
    ExitCode::from(run(std::env::args_os(), GAMES, &mut out, &mut err))
}

/// Runs one command line (the program's name first) with some rulesets, and gives the exit code.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    entries: &'static [Entry],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(said) => {
            // Help and version are asked for; the rest is usage.
            let code = if said.use_stderr() { USAGE } else { 0 };
            let text = said.render().to_string();
            let stream: &mut dyn Write = if said.use_stderr() { err } else { out };
            return if stream.write_all(text.as_bytes()).is_ok() || code == 0 { code } else { IO };
        }
    };
    logging();
    let mut desk = Desk { entries, json: args.json, out };
    let done = desk.command(&args.command).and_then(|code| desk.out.flush().map(|()| code).map_err(Failure::from));
    match done {
        Ok(code) => code,
        // Who reads has read enough.
        Err(Failure::Closed) => 0,
        Err(Failure::Said(code, text)) => {
            // Nothing is left to tell anybody if this fails too.
            let _ = writeln!(err, "estafette: {text}");
            code
        }
    }
}

/// Where a command finds its surroundings and writes what it has to say.
struct Desk<'a> {
    entries: &'static [Entry],
    json: bool,
    out: &'a mut dyn Write,
}

/// Why a command ended early.
enum Failure {
    /// The output was closed.
    Closed,
    /// A sentence for standard error, and the exit code.
    Said(u8, String),
}

/// The exit code of a command.
type Done = Result<u8, Failure>;

impl Desk<'_> {
    fn command(&mut self, command: &Command) -> Done {
        match command {
            Command::Init(at) => self.init(&at.dir),
            Command::New(new) => self.new_game(new),
            Command::Serve { at, once, workers } => self.serve(&at.dir, *once, *workers),
            Command::Status { at, game } => self.status(&at.dir, game.as_deref()),
            Command::Report { seat, view: true, .. } => self.view(seat),
            Command::Report { seat, turn, .. } => self.report(seat, *turn),
            Command::Sheet { seat, out } => self.sheet(seat, out),
            Command::Replay { at, game, seat, out } => self.replay(&at.dir, game, seat.as_deref(), out),
            Command::Desk { at, game, seat, out } => self.umpires_desk(&at.dir, (game, seat), out),
            Command::Map { seat, area, svg: None, png: None } => self.map(seat, area.as_deref()),
            Command::Map { seat, area, svg: Some(file), .. } => self.drawn(seat, area.as_deref(), file),
            Command::Map { seat, area, png: Some(file), .. } => self.picture(seat, area.as_deref(), file),
            Command::History { seat, turn } => self.history(seat, *turn),
            Command::Orders { seat } => self.orders(seat),
            Command::Check { seat, file } => self.check(seat, file),
            Command::Audit(audit) => self.audit(audit),
            Command::Umpire(umpire) => self.umpire(umpire),
            Command::Deliver { at, sender } => self.deliver(&at.dir, sender.as_deref()),
            Command::Mail { at, what } => self.mail(&at.dir, what),
            Command::Clock { at, right } => self.clock(&at.dir, *right),
            Command::Backup { at, to } => self.backup(&at.dir, to),
            Command::Move { at, to, stay } => self.move_to(&at.dir, to.as_deref().filter(|_| !stay)),
            Command::Restore { at, file, adopt } => self.restore(&at.dir, file, *adopt),
            Command::Upgrade { at, check: _ } => self.upgrade(&at.dir),
            Command::Doctor { at, newest: true, .. } => self.is_newest(&at.dir),
            Command::Doctor { at, rebuild, thorough, wait, .. } => self.doctor(&at.dir, (*rebuild, *thorough), *wait),
            Command::Handbook { chapter } => self.handbook(chapter.as_deref()),
            Command::Where { rule, game, all: _ } => self.whereabouts(rule.as_deref(), game.as_deref()),
            Command::Schema { what } => self.schema(*what),
            Command::Case { files, coverage: Some(index), missing, .. } => self.coverage(files, index, *missing),
            Command::Case { files, only, update, .. } => self.case(files, only.as_deref(), *update),
            Command::Simulate { scenario, games, first, html } => {
                self.simulate(scenario, (*first, *games), html.as_deref())
            }
            Command::Demo { dir } => self.demo(dir.as_deref()),
            Command::Tutorial { dir } => self.tutorial(dir.as_deref(), &mut std::io::stdin().lock()),
            Command::Scenarios { write: Some(to), at } => self.write_scenarios(&at.dir, to),
            Command::Scenarios { write: None, at } => self.scenarios(&at.dir),
            Command::Completions { shell } => self.completions(*shell),
            Command::Man => self.man(),
        }
    }

    /// Writes a line.
    fn say(&mut self, line: &str) -> Result<(), Failure> {
        Ok(writeln!(self.out, "{line}")?)
    }

    /// Writes lines.
    fn say_all(&mut self, lines: &[String]) -> Result<(), Failure> {
        lines.iter().try_for_each(|line| self.say(line))
    }

    /// Writes facts as JSON.
    fn say_json(&mut self, facts: &serde_json::Value) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(facts).unwrap_or_default();
        self.say(&text)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Said(IO, error.to_string()),
        }
    }
}

impl From<OfficeError> for Failure {
    fn from(error: OfficeError) -> Failure {
        let code = match &error {
            OfficeError::Refused(_) | OfficeError::Letter(_) | OfficeError::Clock(_) => USAGE,
            OfficeError::Config(ConfigError::Line { .. }) => USAGE,
            OfficeError::Flawed(_) => FOUND,
            OfficeError::Config(ConfigError::Io { .. }) | OfficeError::Store(_) | OfficeError::Mail(_) => IO,
            OfficeError::Io { .. } | OfficeError::Locked { .. } => IO,
        };
        Failure::Said(code, error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Said(IO, error.to_string())
    }
}

/// A mistake of the one who types.
fn usage(text: impl Into<String>) -> Failure {
    Failure::Said(USAGE, text.into())
}

/// What happens goes to standard error, if `ESTAFETTE_LOG` asks for it; warnings always do.
fn logging() {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_env("ESTAFETTE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    // A second command in one process finds it set up already.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
}

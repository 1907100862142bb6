//! What may be typed.

use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A play-by-email adjudicator for Napoleonic board wargames with hidden information.
#[derive(Debug, Parser)]
#[command(name = "estafette", version, max_term_width = 100)]
pub struct Args {
    /// Prints facts as JSON.
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

/// A post office.
#[derive(Debug, clap::Args)]
pub struct At {
    /// The post office's directory.
    #[arg(long, global = true, env = "ESTAFETTE_DIR", default_value = ".")]
    pub dir: PathBuf,
}

/// A seat of a game.
#[derive(Debug, clap::Args)]
pub struct SeatAt {
    #[command(flatten)]
    pub at: At,
    /// The game's id.
    pub game: String,
    /// The seat, such as french; for a report also umpire.
    #[arg(long)]
    pub seat: String,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays a whole short game by mail between two scripted players.
    Demo {
        /// Where to leave the post office and the mails, a new or empty directory; a throw-away place otherwise.
        #[arg(long)]
        dir: Option<PathBuf>,
    },
    /// Teaches to play by mail: nine short lessons, a game against a script.
    Tutorial {
        /// Where to leave the post office and the mails, a new or empty directory; a throw-away place otherwise.
        #[arg(long)]
        dir: Option<PathBuf>,
    },
    /// Lists the scenarios that there are, with seats, turns and length.
    Scenarios {
        #[command(flatten)]
        at: At,
        /// Writes the files of all of them to this new or empty directory instead, to be read or changed.
        #[arg(long, value_name = "FOLDER")]
        write: Option<PathBuf>,
    },
    /// Makes a post office with a commented config.
    Init(At),
    /// Makes a game and writes its opening mails.
    New(New),
    /// Serves the post office: reads mail, adjudicates, sends.
    Serve {
        #[command(flatten)]
        at: At,
        /// One pass, then exit.
        #[arg(long)]
        once: bool,
        /// So many workers in this process; more than one want a PostgreSQL database (`store` in config.toml).
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
        workers: u16,
    },
    /// Shows games, stages, who is on move, what is due.
    Status {
        #[command(flatten)]
        at: At,
        /// One game only.
        game: Option<String>,
    },
    /// Prints the report of a seat as it stands.
    Report {
        #[command(flatten)]
        seat: SeatAt,
        /// With what was told since this turn.
        #[arg(long)]
        turn: Option<u32>,
        /// As data for a client: the schema is that of `schema seat-view`.
        #[arg(long)]
        view: bool,
    },
    /// Writes the order sheet of a seat: a page with the map to click on, which writes orders.
    Sheet {
        #[command(flatten)]
        seat: SeatAt,
        /// The file; - for standard output.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Writes a game as a page with a slider over its stages: what a seat was told so far, or all of it at the end.
    Replay {
        #[command(flatten)]
        at: At,
        /// The game's id.
        game: String,
        /// The seat; needed while the game is being played.
        #[arg(long)]
        seat: Option<String>,
        /// The file; - for standard output.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Writes the umpire's desk as a page: what was so, what each side knew, who is late, what is held, the ledger.
    Desk {
        #[command(flatten)]
        at: At,
        /// The game's id.
        game: String,
        /// As which umpire, where there are several.
        #[arg(long = "as", default_value = "umpire")]
        seat: String,
        /// The file; - for standard output.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Draws the map as a seat sees it.
    Map {
        #[command(flatten)]
        seat: SeatAt,
        /// A place; the whole map otherwise.
        area: Option<String>,
        /// Draws it as a picture into this file (SVG); - for standard output.
        #[arg(long, value_name = "FILE", conflicts_with = "png")]
        svg: Option<PathBuf>,
        /// Draws it as a picture into this file (PNG), as a mail shows it.
        #[arg(long, value_name = "FILE")]
        png: Option<PathBuf>,
    },
    /// Prints what a seat was told, turn by turn.
    History {
        #[command(flatten)]
        seat: SeatAt,
        /// Only this turn.
        #[arg(long)]
        turn: Option<u32>,
    },
    /// Prints the orders that a seat can give, with examples.
    Orders {
        #[command(flatten)]
        seat: SeatAt,
    },
    /// Reads orders against a seat's view; nothing is done.
    Check {
        #[command(flatten)]
        seat: SeatAt,
        /// The orders; - for standard input.
        file: PathBuf,
    },
    /// Verifies dice, hash chain and re-adjudication.
    Audit(Audit),
    /// What an umpire does.
    Umpire(Umpire),
    /// Runs rule cases.
    Case {
        /// Case files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// One case by its id.
        #[arg(long)]
        only: Option<String>,
        /// Writes expectations anew.
        #[arg(long, conflicts_with = "coverage", requires = "only")]
        update: bool,
        /// Pairs this rule index with the cases instead, and prints what is missing on either side.
        #[arg(long, value_name = "INDEX")]
        coverage: Option<PathBuf>,
        /// With --coverage: every missing row, not only their number by phase.
        #[arg(long, requires = "coverage")]
        missing: bool,
    },
    /// Lets the program's own players play; prints outcomes and rates.
    Simulate {
        /// The scenario: a name that `scenarios` lists, or a file.
        scenario: PathBuf,
        /// How many games.
        #[arg(long, default_value_t = 10)]
        games: u32,
        /// The number of the first of them: a game that was found stuck is played alone by its number.
        #[arg(long, default_value_t = 1)]
        first: u64,
        /// Writes a page with bars of outcomes, lengths and losses besides.
        #[arg(long)]
        html: Option<PathBuf>,
    },
    /// Says what the post office thinks of its clock.
    Clock {
        #[command(flatten)]
        at: At,
        /// The clock is right: work goes on after it has jumped.
        #[arg(long)]
        right: bool,
    },
    /// Says what this program would make of a post office that another one serves, game by game.
    Upgrade {
        #[command(flatten)]
        at: At,
        /// Looks only: every game is opened and replayed on a copy.
        #[arg(long, required = true)]
        check: bool,
    },
    /// Checks config, database, permissions, mailboxes.
    Doctor {
        #[command(flatten)]
        at: At,
        /// Makes damaged indexes anew, and the umpire's rows again from the chain.
        #[arg(long)]
        rebuild: bool,
        /// Compares every index of the database with its table, which takes longer.
        #[arg(long)]
        thorough: bool,
        /// Says that the database is the newest there ever was, where `estafette.count` cannot say it.
        #[arg(long)]
        newest: bool,
        /// Seconds that the mail to itself may take to come back.
        #[arg(long, default_value_t = 60)]
        wait: u32,
    },
    /// Takes one mail from standard input; exit codes as in sysexits.h.
    Deliver {
        #[command(flatten)]
        at: At,
        /// The envelope's sender, empty for a bounce.
        #[arg(long)]
        sender: Option<String>,
    },
    /// Lists, shows and tries again mails that were refused, set aside or left unsent.
    Mail {
        #[command(flatten)]
        at: At,
        #[command(subcommand)]
        what: MailVerb,
    },
    /// Copies the database while the daemon works.
    Backup {
        #[command(flatten)]
        at: At,
        /// The new file.
        to: PathBuf,
    },
    /// Copies the post office to another database and compares; it serves from there as soon as `store` in config.toml says
    /// so. The daemon must not run. What stays here serves no more.
    Move {
        #[command(flatten)]
        at: At,
        /// Where to: an address such as postgres://user@host/database, or a new file.
        #[arg(required_unless_present = "stay", conflicts_with = "stay")]
        to: Option<String>,
        /// The post office stays: a move that broke off is given up.
        #[arg(long)]
        stay: bool,
    },
    /// Puts a backup in the place of the database: the one way to go on from one. The daemon must not run.
    ///
    /// Every game goes on from its last rest point with dice that nobody has seen, all seats are told, and what they wrote
    /// since the backup is asked back. What was there before is moved aside.
    Restore {
        #[command(flatten)]
        at: At,
        /// The backup.
        file: PathBuf,
        /// Takes the backup of another post office.
        #[arg(long)]
        adopt: bool,
    },
    /// Prints a chapter of the handbook; without a name, the list of them.
    Handbook {
        /// player, umpire, operator, auditor, scenario or contributor.
        chapter: Option<String>,
    },
    /// Prints the functions that obey a rule, and the cases that prove it.
    Where {
        /// A paragraph or a section, such as ¶107 or 12.7.2.
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        rule: Option<String>,
        /// Of one ruleset, such as campaigns.
        #[arg(long, value_name = "RULESET")]
        game: Option<String>,
        /// Lists every rule with the number of its functions and cases.
        #[arg(long)]
        all: bool,
    },
    /// Prints a JSON Schema.
    Schema {
        /// Of which files.
        what: SchemaOf,
    },
    /// Prints the completions of a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Prints the manual page, for man -l.
    Man,
}

#[derive(Debug, Subcommand)]
pub enum MailVerb {
    /// Lists them.
    List,
    /// Prints one, raw.
    Show {
        /// Such as in:12 or out:7.
        #[arg(value_parser = mail_named)]
        mail: (BoxOf, i64),
    },
    /// Reads, or sends, one again.
    Retry {
        /// Such as in:12 or out:7.
        #[arg(value_parser = mail_named)]
        mail: (BoxOf, i64),
    },
}

/// Which box a mail lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxOf {
    /// Mails that came in.
    In,
    /// Mails that go out.
    Out,
}

fn mail_named(text: &str) -> Result<(BoxOf, i64), String> {
    let wrong = || "write it as in:12 or out:7, as `mail list` does".to_owned();
    let (which, id) = text.split_once(':').ok_or_else(wrong)?;
    let which = match which {
        "in" => BoxOf::In,
        "out" => BoxOf::Out,
        _ => return Err(wrong()),
    };
    Ok((which, id.parse().map_err(|_| wrong())?))
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SchemaOf {
    /// Scenario files of campaigns.
    Scenario,
    /// Scenario files of austerlitz1805.
    #[value(name = "austerlitz1805")]
    Austerlitz1805,
    /// config.toml.
    Config,
    /// Case files.
    Case,
    /// What `report --view` prints.
    SeatView,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Tempo {
    /// Each mail is carried out on receipt.
    Live,
    /// Orders are kept and carried out together.
    Sealed,
}

#[derive(Debug, clap::Args)]
pub struct New {
    #[command(flatten)]
    pub at: At,
    /// The game's id, such as moravia-7.
    #[arg(long)]
    pub game: String,
    /// The scenario: a name that `scenarios` lists, or a file.
    #[arg(long, value_name = "NAME")]
    pub scenario: PathBuf,
    /// A seat and its address, such as french=ney@example.org; repeat it for each.
    #[arg(long = "seat", value_name = "SEAT=ADDRESS", value_parser = seat_address)]
    pub seats: Vec<(String, String)>,
    /// The umpire's address; of several umpires, with commas between.
    #[arg(long, value_name = "ADDRESS")]
    pub umpire: Option<String>,
    /// When orders are carried out.
    #[arg(long, value_enum, default_value_t = Tempo::Live)]
    pub tempo: Tempo,
    /// How long a stage may take, such as 48h, or none; the config's otherwise.
    #[arg(long, value_name = "HOURS", value_parser = deadline)]
    pub deadline: Option<Deadline>,
    /// The game's options, a YAML file: calendar, deadlines by stage, absences, missing orders, who may join.
    #[arg(long, value_name = "FILE")]
    pub options: Option<PathBuf>,
    /// Several seats a side, a YAML file: who commands whom.
    #[arg(long, value_name = "FILE")]
    pub staff: Option<PathBuf>,
    /// Fixes every secret of the game: 64 hexadecimal digits, for tests.
    #[arg(long, value_name = "HEX")]
    pub master_hex: Option<String>,
}

/// A deadline as typed.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(pub Option<u32>);

#[derive(Debug, clap::Args)]
pub struct Audit {
    #[command(flatten)]
    pub at: At,
    /// The game's id.
    #[arg(required_unless_present_any = ["bundle", "script"], conflicts_with = "bundle")]
    pub game: Option<String>,
    /// Prints the second verifier, a script for Python 3 that needs nothing else, for whoever has this program alone.
    #[arg(long, conflicts_with_all = ["bundle", "export", "mails"])]
    pub script: bool,
    /// Verifies a bundle instead.
    #[arg(long)]
    pub bundle: Option<PathBuf>,
    /// Writes the game's bundle; - for standard output.
    #[arg(long, conflicts_with = "bundle")]
    pub export: Option<PathBuf>,
    /// Exports what this seat may see; without it, while the game is on, what all may see.
    #[arg(long, requires = "export")]
    pub seat: Option<String>,
    /// Compares the mails of a folder with it: a player's mailbox, with what he sent (Maildir, mbox or .eml files).
    #[arg(long, value_name = "FOLDER", conflicts_with = "export")]
    pub mails: Option<PathBuf>,
}

impl Audit {
    /// Of a game in a post office's directory.
    pub fn of(dir: &std::path::Path, game: &str) -> Audit {
        let (at, game) = (At { dir: dir.to_owned() }, Some(game.to_owned()));
        Audit { at, game, script: false, bundle: None, export: None, seat: None, mails: None }
    }
}

#[derive(Debug, clap::Args)]
pub struct Umpire {
    #[command(flatten)]
    pub at: At,
    /// The game's id.
    pub game: String,
    /// As which umpire, where there are several.
    #[arg(long = "as", default_value = "umpire")]
    pub seat: String,
    #[command(subcommand)]
    pub what: UmpireVerb,
}

#[derive(Debug, PartialEq, Eq, Subcommand)]
pub enum UmpireVerb {
    /// Keeps all letters back.
    Hold,
    /// Lets the letters go.
    Release,
    /// Gives a seat more time.
    Extend {
        /// The seat, or all.
        seat: String,
        /// Hours, such as 24h.
        #[arg(value_parser = hours)]
        hours: u32,
    },
    /// Writes to a seat.
    Message {
        /// The seat.
        seat: String,
        /// The words.
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Corrects something of a side, such as: french PLACE Lannes AT 0405 REASON the map was misread.
    Amend {
        /// The side, what is amended, REASON and why.
        #[arg(required = true)]
        rest: Vec<String>,
    },
    /// Fixes dice before they are rolled, such as: weather 5 REASON a storm.
    Fiat {
        /// What the roll is for, its dice, REASON and why.
        #[arg(required = true)]
        rest: Vec<String>,
    },
    /// Takes play back to a rest point; alone, lists them.
    Rewind {
        /// The number, REASON and why.
        rest: Vec<String>,
    },
    /// Tells a ruling.
    Ruling {
        /// The paragraph, such as 242.
        rule: String,
        /// To whom: seats, sides, or all, with commas between.
        to: String,
        /// The words.
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Enters lines for a seat, which is told.
    Become {
        /// The seat.
        seat: String,
        /// The file of lines; - for standard input.
        file: PathBuf,
        /// Why.
        #[arg(long)]
        reason: String,
    },
    /// Shows what a side sees; or LEDGER, or HELD letters.
    Show {
        /// The side, ledger, or held.
        what: String,
    },
    /// Shows who knows what of a piece.
    WhoKnows {
        /// The piece, such as Lannes.
        #[arg(required = true)]
        piece: Vec<String>,
    },
    /// Reminds a seat, or all.
    Remind {
        /// The seat, or all.
        seat: String,
    },
    /// Lists the options of the game, or sets one.
    Option {
        /// Key and value.
        rest: Vec<String>,
    },
    /// Decides the combat that waits: dice, or tables.
    Judge {
        /// The dice, or the word tables.
        #[arg(required = true)]
        rest: Vec<String>,
    },
    /// Gives a seat to another player, with a packet of all that its side may know.
    Replace {
        /// The seat.
        seat: String,
        /// The new player's address.
        address: String,
        /// Also if he holds another seat of the game.
        #[arg(long)]
        allow: bool,
    },
    /// Stops the game's clock.
    Pause {
        /// Until when, such as "29 Mar 20:00"; until resume otherwise.
        until: Vec<String>,
    },
    /// Lets the game's clock go on.
    Resume,
    /// Lets the defaults answer what is missing, now.
    Proceed,
    /// Gives a seat, or all, time until an instant.
    Until {
        /// The seat, or all.
        seat: String,
        /// Such as 29 Mar 20:00.
        #[arg(required = true)]
        at: Vec<String>,
    },
}

fn seat_address(text: &str) -> Result<(String, String), String> {
    let (seat, address) = text.split_once('=').ok_or("write it as seat=name@example.org")?;
    Ok((seat.trim().to_owned(), address.trim().to_lowercase()))
}

fn hours(text: &str) -> Result<u32, String> {
    match text.trim_end_matches(['h', 'H']).parse() {
        Ok(hours @ 1..=8784) => Ok(hours),
        _ => Err("write hours such as 48h, from 1 to 8784".to_owned()),
    }
}

fn deadline(text: &str) -> Result<Deadline, String> {
    if text.eq_ignore_ascii_case("none") { Ok(Deadline(None)) } else { hours(text).map(|h| Deadline(Some(h))) }
}

//! The program alone, in an empty directory: no checkout, no network, nothing left behind by what fails.

use crate::whole::golden;
use estafette::mail::read::{Limits, read};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// An empty directory and the installed program.
pub struct Alone {
    dir: TempDir,
    thrown: TempDir,
}

/// What one command gave.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Alone {
    pub fn new() -> Alone {
        Alone { dir: tempfile::tempdir().unwrap(), thrown: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Said {
        self.typed(args, "")
    }

    /// Runs a command that reads this.
    pub fn typed(&self, args: &[&str], input: &str) -> Said {
        self.at("2026-01-01T00:00:00Z", args, input)
    }

    /// Runs a command at a time of the clock.
    fn at(&self, clock: &str, args: &[&str], input: &str) -> Said {
        let mut child = Command::new(env!("CARGO_BIN_EXE_estafette"))
            .args(args)
            .current_dir(self.dir.path())
            .env_clear()
            .env("ESTAFETTE_CLOCK", clock)
            .env("TMPDIR", self.thrown.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Who does not read all of it is done before.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let done = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Said { code: done.status.code().unwrap(), out: text(done.stdout), err: text(done.stderr) }
    }

    /// All that stands in the directory and in the place for what is thrown away.
    pub fn tree(&self) -> Vec<String> {
        let mut found = Vec::new();
        for root in [self.dir.path(), self.thrown.path()] {
            let mut folders = vec![root.to_owned()];
            while let Some(folder) = folders.pop() {
                for entry in fs::read_dir(folder).unwrap() {
                    let path = entry.unwrap().path();
                    found.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
                    if path.is_dir() {
                        folders.push(path);
                    }
                }
            }
        }
        // What SQLite keeps beside its file while it works is no thing of a command's.
        found.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
        found.sort();
        found
    }
}

/// A person with a mail program: Maildir folders, and nothing else of the post office.
struct Post<'a> {
    alone: &'a Alone,
    seen: BTreeMap<String, (String, String)>,
    transcripts: BTreeMap<String, String>,
    written: u32,
}

impl Post<'_> {
    /// A pass of the daemon, and what came of it.
    fn serve(&mut self) {
        let said = self.alone.run(&["serve", "--dir", "post", "--once"]);
        assert_eq!(said.code, 0, "{said:?}");
        let folder = self.alone.path("post/mail/out/new");
        let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            let incoming = read(&fs::read(&file).unwrap(), &Limits::default()).unwrap();
            fs::remove_file(file).unwrap();
            let (to, subject) = (incoming.head.to[0].clone(), incoming.head.subject.clone());
            let transcript = self.transcripts.entry(to.clone()).or_default();
            let bare = subject.split("] ").last().unwrap();
            transcript.push_str(&format!("<<< {bare}\n\n{}\n\n", incoming.text.trim_end()));
            self.seen.insert(to, (subject, incoming.text));
        }
    }

    fn answer(&mut self, from: &str, text: &str) {
        self.written += 1;
        let n = self.written;
        let subject = self.seen[from].0.clone();
        let raw = format!(
            "From: <{from}>\r\nTo: <estafette@example.org>\r\nSubject: Re: {subject}\r\nMessage-ID: <a{n}@x>\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{}\r\n",
            text.replace('\n', "\r\n")
        );
        fs::write(self.alone.path(&format!("post/mail/in/new/a{n}")), raw).unwrap();
        self.transcripts.get_mut(from).unwrap().push_str(&format!(">>>\n\n{text}\n\n"));
        self.serve();
    }

    /// The address of the first seat of which something is due.
    fn due(&self) -> Option<String> {
        let said = self.alone.run(&["status", "--dir", "post", "--json"]);
        let facts: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let due = &facts[0]["due"][0];
        Some(format!("{}@example.org", due["seat"].as_str()?))
    }
}

/// What two people write, each mail for the moment when these words stand in the last that they got.
const SCRIPT: [(&str, &str, &str); 7] = [
    ("french@example.org", "set-up", "VEDETTE PLACE WITH Gazan 1\nVEDETTE PLACE WITH MC1 1\nEND"),
    ("coalition@example.org", "set-up", "VEDETTE PLACE WITH Bagration 1\nEND"),
    (
        "french@example.org",
        "turn 1 of 3",
        "FORCE Lannes COMMAND MARCH ROAD TO 0605\nFORCE MC1 COMMAND MARCH ROAD TO Auhof\nEND",
    ),
    ("coalition@example.org", "turn 1 of 3", "END"),
    ("french@example.org", "turn 1 of 3", "ATTACK 0705 WITH Lannes\nEND"),
    ("coalition@example.org", "turn 1 of 3", "FORCE Kutuzov COMMAND MARCH ROAD TO 0805\nEND"),
    ("french@example.org", "turn 2 of 3", "FORCE Lannes COMMAND MARCH 0605 0705\nEND"),
];

#[test]
fn from_an_empty_directory_the_tutorial_and_a_game_between_two_people() {
    let alone = Alone::new();
    let said = alone.typed(&["tutorial"], &"\n".repeat(40));
    assert!(said.code == 0 && said.out.contains("you have won"), "{said:?}");
    assert_eq!(alone.run(&["init", "--dir", "post"]).code, 0);
    let master = "07".repeat(32);
    let new = ["new", "--dir", "post", "--game", "two-1", "--scenario", "teaching", "--deadline", "none"];
    let seats = ["--seat", "french=french@example.org", "--seat", "coalition=coalition@example.org"];
    let said = alone.run(&[&new[..], &seats[..], &["--master-hex", &master]].concat());
    assert_eq!(said.code, 0, "{said:?}");
    let mut post = Post { alone: &alone, seen: BTreeMap::new(), transcripts: BTreeMap::new(), written: 0 };
    post.serve();
    post.answer("french@example.org", "SIGNON\nNONCE Pont de Steinbruck");
    post.answer("coalition@example.org", "SIGNON\nNONCE Kutusow");
    let mut script = SCRIPT.to_vec();
    for _ in 0..60 {
        let Some(who) = post.due() else { break };
        let last = post.seen[&who].1.clone();
        let at = script.iter().position(|(address, when, _)| *address == who && last.contains(when));
        let text = at.map_or("END", |at| script.remove(at).2);
        post.answer(&who, text);
    }
    assert_eq!(script, Vec::new(), "a mail that nobody had occasion to write");
    let said = alone.run(&["audit", "--dir", "post", "two-1"]);
    assert!(said.code == 0 && said.out.contains("AGREES"), "{said:?}");
    for (address, text) in &post.transcripts {
        golden(&format!("alone/{}.txt", address.split('@').next().unwrap()), text);
    }
}

#[test]
fn the_demonstration_is_told_in_two_hundred_lines_and_its_mails_lie_beside() {
    let alone = Alone::new();
    let said = alone.run(&["demo", "--dir", "shown"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    let lines: Vec<&str> = said.out.lines().collect();
    assert!(lines.len() <= 200, "{} lines", lines.len());
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", said.out);
    for game in ["bridges-1", "moravia-1", "fog-1"] {
        let folder = alone.path("shown/mails").join(game);
        assert!(said.out.contains(&format!("shown/mails/{game}")), "{}", said.out);
        assert!(fs::read_dir(folder).unwrap().count() > 15, "{game}");
    }
    let first = fs::read_to_string(alone.path("shown/mails/bridges-1/001-to-ney.txt")).unwrap();
    assert!(first.starts_with("From: post@estafette.example\nTo: ney@example.org\nSubject: "), "{first}");
    assert!(alone.tree().iter().all(|name| !name.ends_with(".part")));
    assert_eq!(alone.run(&["audit", "--dir", "shown", "bridges-1"]).code, 0);
}

#[test]
fn every_scenario_is_listed_and_can_be_opened_by_its_name() {
    let alone = Alone::new();
    let said = alone.run(&["scenarios", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let list = list.as_array().unwrap();
    let folder = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name);
        fs::read_dir(path).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_file()).count()
    };
    let all = ["campaigns", "austerlitz1805", "brave_fellows", "great_battles"];
    assert_eq!(list.len(), all.map(folder).iter().sum::<usize>());
    for row in list {
        assert!(row["flaw"].is_null() && row["turns"].as_u64() > Some(2), "{row}");
        assert!(!row["title"].as_str().unwrap().is_empty() && row["own"] == false, "{row}");
    }
    let names: std::collections::BTreeSet<&str> = list.iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(names.len(), list.len(), "two have one name");
    let plain = alone.run(&["scenarios"]);
    let wanted = "1805-moravia                french coalition   10 turns  29 mails";
    assert!(plain.out.contains(wanted), "{}", plain.out);
    for (asked, code) in [("teaching", 0), ("campaigns/teaching", 0), ("scenarios/campaigns/teaching.yaml", 0)] {
        assert_eq!(alone.run(&["simulate", asked, "--games", "1"]).code, code, "{asked}");
    }
    let said = alone.run(&["simulate", "teeching"]);
    assert!(said.code == 2 && said.err.contains("Did you mean teaching?"), "{said:?}");
    assert_eq!(alone.run(&["simulate", "nowhere/teaching.yaml"]).code, 3);
}

#[test]
fn the_mails_of_a_game_are_about_as_many_as_the_list_says() {
    let alone = Alone::new();
    for name in ["teaching", "1805-pratzen-teaching"] {
        let said = alone.run(&["simulate", name, "--games", "1", "--json"]);
        let facts: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let (counted, listed) =
            (facts["games"][0]["mails"].as_u64().unwrap() / 2, estafette::scenario::library::mails(name).unwrap());
        let listed = u64::from(listed);
        assert!(counted * 3 >= listed * 2 && listed * 3 >= counted * 2, "{name}: {counted} and {listed}");
    }
}

#[test]
fn a_file_of_one_s_own_wins_over_the_one_that_the_program_carries() {
    let alone = Alone::new();
    assert_eq!(alone.run(&["scenarios", "--write", "all"]).code, 0);
    assert_eq!(alone.run(&["scenarios", "--write", "all"]).code, 2, "a folder that is not empty");
    assert_eq!(alone.run(&["init", "--dir", "post"]).code, 0);
    let written = fs::read_to_string(alone.path("all/campaigns/teaching.yaml")).unwrap();
    fs::create_dir_all(alone.path("post/scenarios/campaigns")).unwrap();
    let own = written.replace("The bridges of the Strem", "The fords of the Strem");
    fs::write(alone.path("post/scenarios/campaigns/teaching.yaml"), own).unwrap();
    let listed = alone.run(&["scenarios", "--dir", "post"]);
    assert!(listed.out.contains("The fords of the Strem  (your own)"), "{}", listed.out);
    assert!(!listed.out.contains("The bridges of the Strem"), "{}", listed.out);
    let new = ["new", "--dir", "post", "--game", "g-1", "--scenario", "teaching"];
    let said = alone.run(&[&new[..], &["--seat", "french=a@x.org", "--seat", "coalition=b@x.org"]].concat());
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(alone.run(&["serve", "--dir", "post", "--once"]).code, 0);
    let mails = fs::read_dir(alone.path("post/mail/out/new")).unwrap();
    let texts: String = mails.map(|mail| fs::read_to_string(mail.unwrap().path()).unwrap()).collect();
    assert!(texts.contains("fords of the Strem"), "{texts}");
    // A broken one is named where it stands, and the others can be played.
    fs::write(alone.path("post/scenarios/campaigns/mine.yaml"), "ruleset: campaigns\nid: mine\ntitle: Mine\n").unwrap();
    let listed = alone.run(&["scenarios", "--dir", "post"]);
    assert!(listed.code == 0 && listed.out.contains("cannot be played: mine.yaml"), "{}", listed.out);
}

#[test]
fn a_command_that_fails_leaves_nothing_behind() {
    let alone = Alone::new();
    assert_eq!(alone.run(&["init", "--dir", "post"]).code, 0);
    fs::create_dir(alone.path("half")).unwrap();
    fs::write(alone.path("half/mail"), "no folder\n").unwrap();
    fs::write(alone.path("file"), "a file\n").unwrap();
    let before = alone.tree();
    let (good, bad) = ("2026-01-01T00:00:00Z", "yesterday");
    let post = ["--dir", "post"];
    let commands: [(&str, &[&str]); 15] = [
        (good, &["init", "--dir", "half"]),
        (good, &["init", "--dir", "file/post"]),
        (bad, &["demo"]),
        (bad, &["demo", "--dir", "new/place"]),
        (good, &["demo", "--dir", "post"]),
        (bad, &["tutorial"]),
        (bad, &["tutorial", "--dir", "new/place"]),
        (good, &["tutorial", "--dir", "half"]),
        (good, &["scenarios", "--write", "post"]),
        (good, &["scenarios", "--write", "file/all"]),
        (good, &["new", "--dir", "post", "--game", "g", "--scenario", "teaching"]),
        (good, &["new", "--dir", "nowhere", "--game", "g", "--scenario", "teaching"]),
        (good, &["backup", "--dir", "post", "nowhere/copy.db"]),
        (good, &["backup", "--dir", "post", "file"]),
        (good, &["backup", "--dir", "nowhere", "copy.db"]),
    ];
    for (clock, command) in commands {
        let said = alone.at(clock, command, "");
        assert!(matches!(said.code, 2 | 3) && !said.err.is_empty(), "{command:?}: {said:?}");
        assert_eq!(alone.tree(), before, "{command:?}");
    }
    let new = ["new", "--game", "g", "--scenario", "teaching", "--seat", "french=a@x.org", "--seat"];
    assert_eq!(alone.run(&[&new[..], &["coalition=b@x.org"], &post[..]].concat()).code, 0);
    let before = alone.tree();
    for to in ["nowhere/g.jsonl", "post"] {
        let said = alone.run(&["audit", "--dir", "post", "g", "--export", to]);
        assert_eq!(said.code, 3, "{to}: {said:?}");
        assert_eq!(alone.tree(), before, "{to}");
    }
    assert_eq!(fs::read_to_string(alone.path("file")).unwrap(), "a file\n");
    assert_eq!(fs::read_to_string(alone.path("half/mail")).unwrap(), "no folder\n");
}

#[test]
fn a_place_that_holds_something_is_completed_and_kept() {
    let alone = Alone::new();
    fs::create_dir(alone.path("post")).unwrap();
    fs::write(alone.path("post/config.toml"), "address = \"mine@example.org\"\n").unwrap();
    fs::write(alone.path("post/notes"), "mine\n").unwrap();
    assert_eq!(alone.run(&["init", "--dir", "post"]).code, 0);
    assert_eq!(fs::read_to_string(alone.path("post/config.toml")).unwrap(), "address = \"mine@example.org\"\n");
    assert_eq!(fs::read_to_string(alone.path("post/notes")).unwrap(), "mine\n");
    assert!(alone.path("post/estafette.db").is_file() && alone.path("post/mail/in/new").is_dir());
    assert_eq!(alone.run(&["init"]).code, 0);
    assert!(alone.path("estafette.db").is_file(), "the current directory is a place too");
}

#[test]
fn completions_and_the_manual_page_know_every_command() {
    let alone = Alone::new();
    let commands = ["demo", "tutorial", "scenarios", "init", "serve", "umpire", "handbook", "man"];
    for shell in ["bash", "zsh", "fish"] {
        let said = alone.run(&["completions", shell]);
        assert_eq!(said.code, 0, "{said:?}");
        assert!(commands.iter().all(|command| said.out.contains(command)), "{shell}");
    }
    let man = alone.run(&["man"]);
    assert_eq!(man.code, 0, "{man:?}");
    assert!(man.out.contains(".TH estafette 1"), "{}", &man.out[..200]);
    for command in commands {
        assert!(man.out.contains(&format!(".SH \"ESTAFETTE {}\"", command.to_uppercase())), "{command}");
    }
    assert!(man.out.contains("\\-\\-master\\-hex") && man.out.contains("\\-\\-tempo"), "options stand in it");
}

/// `late: bot`: a division that acts in parts, each planned by what the one before has made of the table, is led to its end;
/// sealed, where nothing is carried out before its sheet is ended, by what each part most likely makes of it.
#[test]
fn the_program_s_own_player_writes_for_a_silent_seat_until_its_stage_ends() {
    for (tempo, least) in [("live", 4), ("sealed", 1)] {
        let alone = Alone::new();
        fs::write(alone.path("game.yaml"), "deadline: 3h\nlate: bot\nreminder: 0\nbrake: 9\n").unwrap();
        assert_eq!(alone.run(&["init", "--dir", "post"]).code, 0);
        let master = "07".repeat(32);
        let new = ["new", "--dir", "post", "--game", "g-1", "--scenario", "telnitz-hill", "--options", "game.yaml"];
        let seats = ["--seat", "french=french@example.org", "--seat", "allied=allied@example.org"];
        let more = ["--tempo", tempo, "--master-hex", &master];
        let said = alone.run(&[&new[..], &seats[..], &more[..]].concat());
        assert_eq!(said.code, 0, "{said:?}");
        // Long enough that some command of either side acts, whatever the dice.
        for hour in 0..48 {
            let clock = format!("2026-01-{:02}T{:02}:30:00Z", 1 + hour / 24, hour % 24);
            assert_eq!(alone.at(&clock, &["serve", "--dir", "post", "--once"], "").code, 0, "{clock}");
        }
        for (seat, unit) in [("french", "F3-"), ("allied", "AS1")] {
            let said = alone.at("2026-01-03T00:00:00Z", &["history", "--dir", "post", "g-1", "--seat", seat], "");
            let moves = said.out.lines().filter(|line| line.trim_start().starts_with(unit));
            let moves = moves.filter(|line| line.contains(" went by ") || line.contains(" turned to ")).count();
            assert!(moves >= least, "{tempo}, {seat}: {moves} moves\n{}", said.out);
        }
        let said = alone.at("2026-01-03T00:00:00Z", &["audit", "--dir", "post", "g-1"], "");
        assert!(said.out.contains("OPEN: it agrees"), "{tempo}: {said:?}");
    }
}

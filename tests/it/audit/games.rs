//! Games of the real rulesets, played to their end by the program's own players, with what becomes of games between.

use estafette::audit::Line;
use estafette::audit::bundle::{Asker, bundle};
use estafette::clock::Clock;
use estafette::demo::{self, Player, Troupe};
use estafette::fog::SeatId;
use estafette::games::GAMES;
use estafette::gateway::{NewGame, Office, game_of, table};
use estafette::mail::maildir::Maildir;
use estafette::store::{GameState, Tempo};
use estafette::{scenario, terms};
use jiff::SignedDuration;
use std::path::Path;

pub const GAME: &str = "audit-1";

/// What is played.
#[derive(Clone, Copy)]
pub struct Setting {
    pub ruleset: &'static str,
    pub scenario: &'static str,
    /// Dice protocol 2.
    pub two: bool,
    pub tempo: Tempo,
    /// The seats of a staff, and what its file says beside.
    pub staff: Option<&'static str>,
    /// What else its options say.
    pub options: &'static str,
    /// Whether it has an umpire; where it has none, he acts at the console.
    pub umpired: bool,
    /// After so many mails: what the umpire says, or `silent` for two days without a mail.
    pub acts: &'static [(u32, &'static str)],
    pub seed: u8,
    /// Its last turns alone, or its first.
    pub short: bool,
}

pub const CAMPAIGN: Setting = Setting {
    ruleset: "campaigns",
    scenario: "teaching.yaml",
    two: false,
    tempo: Tempo::Live,
    staff: None,
    options: "",
    umpired: true,
    acts: &[],
    seed: 11,
    short: false,
};

pub const AUSTERLITZ: Setting = Setting { ruleset: "austerlitz1805", ..CAMPAIGN };

/// A finished game: its bundle, and the mails of the first seat.
pub struct Played {
    pub lines: Vec<Line>,
    pub mailbox: Vec<Vec<u8>>,
    pub master: [u8; 32],
}

fn seats(setting: &Setting) -> Vec<String> {
    let names: &[&str] = match (setting.staff, setting.ruleset) {
        (Some(_), _) => &["napoleon", "lannes", "kutuzov", "bagration"],
        (None, "campaigns") => &["french", "coalition"],
        (None, _) => &["french", "allied"],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

pub fn play(setting: &Setting) -> Played {
    let dir = crate::gateway::bench::copied(tempfile::tempdir().unwrap().path());
    demo::furnish(dir.path(), "post@estafette.example").unwrap();
    let clock = Clock::from_text("2026-01-01T00:00:00Z").unwrap();
    let mut office = Office::with_clock(dir.path(), GAMES, true, clock).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let mut files = scenario::files(&root.join(setting.ruleset).join(setting.scenario)).unwrap();
    if let Some(text) = setting.staff {
        files = scenario::with_file(files, "staff.yaml", text.to_owned());
    }
    if setting.short {
        for (_, text) in &mut files {
            *text = text.replace("turns: [5, 10]", "turns: [9, 10]");
        }
    }
    let seats = seats(setting);
    let new = NewGame {
        id: GAME.to_owned(),
        files,
        seats: seats.iter().map(|s| (s.clone(), vec![format!("{s}@example.org")])).collect(),
        umpire: setting.umpired.then(|| "umpire@example.org".to_owned()),
        tempo: setting.tempo,
        deadline_hours: Some(48),
        master: Some([setting.seed; 32]),
    };
    let agreed = terms::read("o.yaml", &format!("deadline: 48h\n{}", setting.options)).unwrap();
    office.new_game_by(&new, Some(&agreed), if setting.two { 2 } else { 1 }).unwrap();
    let players = seats.iter().map(|s| Player::new(s, &format!("{s}@example.org"), Vec::new())).collect();
    let mut players: Option<Vec<Player>> = Some(players);
    let mut written = 0;
    for (mails, act) in setting.acts.iter().copied().chain([(1000, "")]) {
        written = played_on(&mut office, players.take(), &seats, (written, mails));
        if state(&office) == GameState::Over {
            break;
        }
        act_on(&mut office, act);
    }
    assert_eq!(state(&office), GameState::Over);
    let row = game_of(&office.store, GAME).unwrap();
    let game = table::open(GAMES, &office.store, &row).unwrap();
    let lines = bundle(&office.store, &row, game.as_ref(), &Asker::Public).unwrap();
    let first = format!("{}@example.org", seats[0]);
    let mut mailbox: Vec<Vec<u8>> = Maildir::open(&dir.path().join("mail")).unwrap().sent().unwrap();
    mailbox.retain(|raw| crate::gateway::bench::parsed(raw.clone()).to == first);
    mailbox.extend(sent(&lines, &seats[0]));
    Played { lines, mailbox, master: row.master }
}

/// The mails that a seat sent.
pub fn sent(lines: &[Line], by: &str) -> Vec<Vec<u8>> {
    let mut sent = Vec::new();
    for line in lines {
        if let Line::Mail { seat, raw: Some(raw), .. } = line
            && seat == by
        {
            sent.push(data_encoding::BASE64.decode(raw.as_bytes()).unwrap());
        }
    }
    sent
}

fn state(office: &Office) -> GameState {
    game_of(&office.store, GAME).unwrap().state
}

/// Players write until so many mails are written in all; a later troupe has read all letters so far.
fn played_on(office: &mut Office, players: Option<Vec<Player>>, seats: &[String], (written, until): (u32, u32)) -> u32 {
    let again = || seats.iter().map(|s| Player::new(s, &address(office, s), Vec::new())).collect();
    let players = players.unwrap_or_else(again);
    let mut troupe = Troupe::new(office, GAME, players).unwrap().behind(written);
    troupe.play(until, &mut |_| Ok(())).unwrap();
    troupe.written()
}

/// Where a seat has its mail.
fn address(office: &Office, seat: &str) -> String {
    office.store.seat(GAME, seat).unwrap().unwrap().addresses[0].clone()
}

/// A mail of a seat that no player of the program would write, in answer to its last letter or an older one.
fn writes(office: &mut Office, seat: &str, back: usize, body: &str) {
    let letters = office.store.outbox_of_seat(GAME, seat).unwrap();
    let last = letters.len() - 1;
    let subject = crate::gateway::bench::parsed(letters[last.saturating_sub(back)].raw.clone()).subject;
    let count = office.store.inbox_ids_of_game(GAME).unwrap().len();
    let number = 1000 + u32::try_from(count).unwrap();
    let raw = crate::gateway::bench::written(&address(office, seat), &format!("Re: {subject}"), body, number);
    Maildir::open(&office.dir().join("mail")).unwrap().deliver(raw.as_bytes()).unwrap();
    office.pass().unwrap();
    office.clock_mut().advance(SignedDuration::from_mins(20));
}

/// Mails of all kinds that a person may write: lines that are not taken, that rewrite others by their numbers, that take up
/// what was proposed or checked, that take back; in answer to an old letter, too.
fn scrawls(office: &mut Office, seat: &str, seed: u32) {
    let row = game_of(&office.store, GAME).unwrap();
    let game = table::open(GAMES, &office.store, &row).unwrap();
    let (_, mut lines) = game.bot(&SeatId(seat.to_owned()), u64::from(seed)).into_parts();
    lines.retain(|line| line != "END");
    let sheet = game.sheet(&SeatId(seat.to_owned())).body().clone().unwrap_or_default();
    let top = sheet.top.max(1);
    let first = lines.first().cloned().unwrap_or_else(|| "HOLD".to_owned());
    let (short, _) = first.rsplit_once(' ').unwrap_or((&first, ""));
    let bodies = [
        format!("{short}\nEND"),
        format!("{first}\n{short}\nEND IF ALL DONE"),
        format!("{top} = {first}"),
        format!("{top}A {first}\nEND"),
        format!("YES {top}"),
        "YES ALL\nEND".to_owned(),
        format!("{first}\nUNDO {top}"),
        "UNDO END".to_owned(),
        format!("REVISE\n{first}"),
        format!("CHECK\n{first}"),
        "SEND".to_owned(),
        format!("CHECK\n{short}\n{first}"),
        "SEND\nYES ALL".to_owned(),
        format!("UNDO\n{short}\nthanks, and see you\n{first}"),
    ];
    let at = usize::try_from(seed).unwrap();
    let back = if at % 5 == 0 { 2 } else { 0 };
    writes(office, seat, back, &bodies[at % bodies.len()]);
}

fn act_on(office: &mut Office, act: &str) {
    if let Some((seat, body)) = act.split_once(": ") {
        writes(office, seat, 0, body);
    } else if let Some((seat, seed)) = act.strip_prefix("scrawl ").and_then(|rest| rest.split_once(' ')) {
        scrawls(office, seat, seed.parse().unwrap());
    } else if act == "silent" {
        for _ in 0..10 {
            office.clock_mut().advance(SignedDuration::from_hours(5));
            office.pass().unwrap();
        }
    } else if !act.is_empty() {
        let script: Vec<String> = act.lines().map(str::to_owned).collect();
        let said = office.umpire_says(GAME, "umpire", &script).unwrap();
        assert!(said.answers.iter().all(|answer| answer.word == "DONE"), "{act}: {:?}", said.answers);
    }
}

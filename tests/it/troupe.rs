//! Games that the program's own players play by mail.

use estafette::clock::Clock;
use estafette::demo::{self, Mail, Player, Troupe};
use estafette::gateway::{NewGame, Office};
use estafette::mail::maildir::Maildir;
use estafette::scenario::Files;
use estafette::store::Tempo;
use estafette::{games, simulate};
use std::path::Path;

/// The house's address in these games.
pub const HOUSE: &str = "post@estafette.example";

/// What came of a game.
pub struct Told {
    /// Every mail of it, in order.
    pub mails: Vec<Mail>,
    /// The post office at its end.
    pub office: Office,
    dir: tempfile::TempDir,
}

impl Told {
    /// Every mail of the house as it went out.
    pub fn sent(&self) -> Vec<Vec<u8>> {
        Maildir::open(&self.dir.path().join("mail")).unwrap().sent().unwrap()
    }
}

/// A game with the first so many mails of its players, each of whom begins with a word of his own. `DUMP` names a folder
/// in which its mails are kept to be read, and its database.
pub fn played(
    (ruleset, scenario, files): (&str, &str, Files),
    (id, tempo): (&str, Tempo),
    mails_max: u32,
    format: &str,
) -> Told {
    let dir = tempfile::tempdir().unwrap();
    demo::furnish(dir.path(), HOUSE).unwrap();
    // The bundle of a whole game in fog is larger than what a post office mails where nobody says otherwise.
    let config = format!("address = \"{HOUSE}\"\n\n[limits]\nbundle_bytes_max = {}\n", 1 << 25);
    std::fs::write(dir.path().join("config.toml"), config).unwrap();
    let clock = Clock::from_text("2026-01-01T00:00:00Z").unwrap();
    let mut office = Office::with_clock(dir.path(), games::GAMES, true, clock).unwrap();
    let seated = simulate::open(games::find(games::GAMES, ruleset).unwrap(), &files, 1).unwrap().seats();
    let address = |seat: &str| if seat == "french" { "ney@example.org" } else { "weyrother@example.org" };
    let seats: Vec<(&str, &str)> = seated.iter().map(|(seat, _)| (seat.0.as_str(), address(&seat.0))).collect();
    let new = NewGame {
        id: id.to_owned(),
        files,
        seats: seats.iter().map(|(s, a)| ((*s).to_owned(), vec![(*a).to_owned()])).collect(),
        umpire: None,
        tempo,
        deadline_hours: Some(48),
        master: Some([11; 32]),
    };
    office.new_game(&new).unwrap();
    let says: &'static str = Box::leak(format!("SIGNON\nFORMAT {format}\nNONCE of my own\n").into_boxed_str());
    let scenes = || vec![demo::Scene { when: &["SIGNON"], says }];
    let players = seats.iter().map(|(s, a)| Player::new(s, a, scenes())).collect();
    let mut mails = Vec::new();
    let mut keep = |mail: &Mail| {
        mails.push(mail.clone());
        Ok(())
    };
    Troupe::new(&mut office, id, players).unwrap().play(mails_max, &mut keep).unwrap();
    if let Ok(path) = std::env::var("DUMP") {
        let all: Vec<String> =
            mails.iter().map(|m| format!("<<< {} > {}: {}\n{}\n", m.from, m.to, m.subject, m.text)).collect();
        std::fs::write(format!("{path}/{scenario}-{format}.txt"), all.join("\n")).unwrap();
        office.store.backup(Path::new(&format!("{path}/{scenario}-{format}.db")), "2026-01-01T00:00:00Z").unwrap();
    }
    Told { mails, office, dir }
}

//! How many letters a turn brings: one for each activation of one's own and two besides; and one where all is lodged.

use super::files;
use estafette::fog::SeatId;
use estafette::games::{self, GAMES};
use estafette::host::{Batch, Game, Input};
use estafette::simulate;
use serde_json::Value;
use std::collections::BTreeMap;

/// A seat in a turn of a game.
type Turn = (String, u32);

/// What a game brought to each seat in each turn: letters that answer no mail of it, its activations, its mails.
#[derive(Default)]
struct Post {
    unasked: BTreeMap<Turn, u32>,
    acts: BTreeMap<Turn, u32>,
    mails: BTreeMap<Turn, u32>,
    /// Lines of lodged sheets that were taken.
    taken: u32,
}

impl Post {
    fn notes(&mut self, game: &dyn Game, writer: Option<&SeatId>, batch: &Batch) {
        let events = batch.entries.iter().filter(|entry| entry.kind == "event");
        for event in events.map(|entry| (entry.slot, serde_json::from_str::<Value>(&entry.body).unwrap())) {
            let (turn, body) = event;
            match body["kind"].as_str() {
                Some("began") => {
                    let side = body["acting"]["side"].as_str().unwrap().to_owned();
                    *self.acts.entry((side, turn)).or_default() += 1;
                }
                Some("taken") => self.taken += 1,
                _ => {}
            }
        }
        for letter in batch.letters.iter().filter(|letter| Some(&letter.seat) != writer && !batch.over) {
            *self.unasked.entry((letter.seat.0.clone(), letter.turn)).or_default() += 1;
        }
        if let Some(seat) = writer {
            *self.mails.entry((seat.0.clone(), game.slot())).or_default() += 1;
        }
    }
}

/// A game between the program's own players; the French lodge, if they do, for all commands before the first turn.
fn played(name: &str, number: u64, lodged: &[(&str, &str)]) -> Post {
    let entry = games::find(GAMES, "great_battles").unwrap();
    let mut game = simulate::open(entry, &files(name), number).unwrap();
    let french: SeatId = "french".into();
    for (what, whom) in lodged {
        let (key, value) = game.doctrine_line(&french, &format!("{what}{whom}")).unwrap();
        let input = Input::Doctrine { seat: french.clone(), key, value, mail: "<lodged@simulation>".to_owned() };
        game.take(input).unwrap_or_else(|broken| panic!("{}", broken.why));
    }
    let (mut post, mut input, mut writer) = (Post::default(), Input::Begin, None);
    for mail in 1..5_000 {
        let batch = game.take(input).unwrap_or_else(|broken| panic!("{}", broken.why));
        post.notes(game.as_ref(), writer.as_ref(), &batch);
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return post };
        input = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
        writer = Some(due.seat.clone());
    }
    panic!("{name} {number} does not end");
}

/// The commands of the French, and what they lodge for each.
const LODGED: [(&str, &str); 12] = [
    ("LODGE ACTIVATE FERY LIMITED THEN FIRE FA1", " FOR FERY"),
    ("LODGE MOVE FH8 F", " FOR MARGARON"),
    ("LODGE PASS", " FOR MERLE"),
    ("LODGE PASS", " FOR HEUDELET"),
    ("LODGE PASS", " FOR LOCHET"),
    ("LODGE PASS", " FOR KISTER"),
    ("LODGE PASS", " FOR BOURCIER"),
    ("LODGE PASS", " FOR IV"),
    ("LODGE PASS", " FOR III"),
    ("LODGE PASS", " FOR REINFORCEMENTS"),
    ("LODGE MOVE F3-2 F", " FOR F3-2"),
    ("PICK LODGED", ""),
];

/// Whether no seat got more letters in a turn than it had activations, and two; the turns.
fn no_more_than_activations_and_two(name: &str, post: &Post) -> usize {
    for (turn, letters) in &post.unasked {
        let own = post.acts.get(turn).copied().unwrap_or(0);
        assert!(*letters <= own + 2, "{name}, {turn:?}: {letters} letters for {own} activations");
    }
    post.unasked.len()
}

#[test]
fn a_turn_brings_no_more_letters_than_own_activations_and_two_and_one_where_all_is_lodged() {
    let games = [("hill.yaml", 1), ("hill-fog.yaml", 2)];
    let mut turns: usize =
        games.iter().map(|(name, number)| no_more_than_activations_and_two(name, &played(name, *number, &[]))).sum();
    // In one game of Telnitz both are seen: the Allies write for each activation.
    for (name, number) in [("hill.yaml", 1), ("hill-fog.yaml", 2), ("telnitz.yaml", 3)] {
        let reinforced = name.starts_with("telnitz");
        let lodged: Vec<_> = LODGED.into_iter().filter(|(_, whom)| reinforced || !whom.ends_with("MENTS")).collect();
        let post = played(name, number, &lodged);
        turns += no_more_than_activations_and_two(name, &post);
        let of_french = |turns: &BTreeMap<Turn, u32>| {
            let own = turns.iter().filter(|((seat, _), _)| seat == "french");
            own.map(|((_, turn), n)| (*turn, *n)).collect::<BTreeMap<u32, u32>>()
        };
        let (letters, mails, acts) = (of_french(&post.unasked), of_french(&post.mails), of_french(&post.acts));
        assert!(letters.values().all(|n| *n == 1) && letters.len() > 3, "{name}: letters by turn {letters:?}");
        assert!(mails.values().all(|n| *n <= 1), "{name}: mails by turn {mails:?}");
        assert!(acts.values().sum::<u32>() > 2 && post.taken > 2, "{name}: {acts:?}, {} sheets", post.taken);
    }
    assert!(turns > 30, "{turns} turns");
}

/// A standing answer that is set while a command acts counts in the next activation, not between its attempt and its fire.
#[test]
fn a_standing_answer_does_not_count_in_the_activation_in_which_it_is_set() {
    let entry = games::find(GAMES, "great_battles").unwrap();
    let mut files = files("hill.yaml");
    let (far, near) = ("AS14-1: {at: \"2923\", form: column, face: 8}", "AS14-1: {at: \"2524\", form: line, face: 9}");
    for (_, text) in &mut files {
        *text = text.replacen(far, near, 1);
    }
    let mut game = simulate::open(entry, &files, 3).unwrap();
    game.take(Input::Begin).unwrap();
    let (french, allied): (SeatId, SeatId) = ("french".into(), "allied".into());
    let sheet = |seat: &SeatId, line: &str, mail: &str| {
        let (lines, end) = if line == "END" { (Vec::new(), true) } else { (vec![(1, line.to_owned())], false) };
        Input::Orders { seat: seat.clone(), lines, end, mail: mail.to_owned() }
    };
    for mail in 0..9 {
        let due = game.dues().remove(0);
        if due.seat == french && due.address.contains("/act/") {
            break;
        }
        game.take(sheet(&due.seat, "END", &format!("m{mail}"))).unwrap();
    }
    game.take(sheet(&french, "ACTIVATE FERY LIMITED", "attempt")).unwrap();
    let (key, value) = game.doctrine_line(&allied, "RETURN-FIRE NEVER").unwrap();
    game.take(Input::Doctrine { seat: allied, key, value, mail: "doctrine".to_owned() }).unwrap();
    let batch = game.take(sheet(&french, "FIRE F3-1 AT 2524", "fire")).unwrap();
    let events = batch.entries.iter().filter(|entry| entry.kind == "event");
    let bodies = events.map(|entry| serde_json::from_str::<Value>(&entry.body).unwrap());
    let fires = bodies.filter(|body| body["kind"] == "fired").map(|body| body["on"].as_str().unwrap().to_owned());
    assert_eq!(fires.collect::<Vec<_>>(), ["offensive", "return"]);
}

/// H.4 Where the sides do not see all, nobody is asked about a reaction: a pause would tell that there could be one.
#[test]
fn in_double_blind_play_ask_is_no_answer() {
    let entry = games::find(GAMES, "great_battles").unwrap();
    let said = |name: &str, line: &str| {
        let game = simulate::open(entry, &files(name), 1).unwrap();
        game.doctrine_line(&"french".into(), line)
    };
    for line in ["REACT-FIRE ASK", "SQUARE ASK FOR FERY"] {
        assert!(said("hill.yaml", line).is_ok(), "{line}");
        let why = said("hill-fog.yaml", line).unwrap_err();
        assert!(why.contains("nobody is asked") && why.contains("H.4"), "{line}: {why}");
    }
    assert!(said("hill-fog.yaml", "REACT-FIRE NEVER").is_ok());
    for (name, offered) in [("hill.yaml", true), ("hill-fog.yaml", false)] {
        let (_, listed) = simulate::open(entry, &files(name), 1).unwrap().doctrine(&"french".into()).into_parts();
        assert!(listed.iter().any(|line| line.starts_with("REACT-FIRE FIRST   of FIRST, ")), "{name}: {listed:?}");
        assert_eq!(listed.iter().any(|line| line.contains("ASK:")), offered, "{name}: {listed:?}");
    }
}

//! Standing answers: which of them count while a command acts, wherever the game is opened anew in the middle of it.

use super::files;
use estafette::dice::{Cup, Scope};
use estafette::fog::SeatId;
use estafette::host::hosted::{Hosted, Kept};
use estafette::host::{Act, Batch, Game, Input, Tempo};
use estafette::rules::great_battles::GreatBattles;
use serde_json::Value;

/// Dice that all fall alike: the French have the initiative, and no fire does anything.
struct Ones;

impl Cup for Ones {
    fn draw(&self, _: &Scope, _: &str, _: u32, count: u32, _: u32) -> Option<Vec<u32>> {
        Some(vec![1; count as usize])
    }
}

/// The hill before Telnitz, with a battalion of the Allies next to those who hold it.
fn ground() -> Vec<(String, String)> {
    let mut files = files("hill.yaml");
    let (far, near) = ("AS14-1: {at: \"2923\", form: column, face: 8}", "AS14-1: {at: \"2524\", form: line, face: 9}");
    for (_, text) in &mut files {
        *text = text.replacen(far, near, 1);
    }
    files
}

fn opened(kept: Option<Kept>) -> Box<dyn Game> {
    Box::new(Hosted::<GreatBattles>::with_cup(ground(), Box::new(Ones), Tempo::Live, kept).unwrap())
}

/// A game with its chain, as the store keeps it.
struct Table {
    game: Box<dyn Game>,
    kept: Kept,
}

impl Table {
    fn new() -> Table {
        Table { game: opened(None), kept: Kept::default() }
    }

    /// The same game, as a daemon opens it that has just started.
    fn restarted(&self) -> Table {
        Table { game: opened(Some(self.kept.clone())), kept: self.kept.clone() }
    }

    fn take(&mut self, input: Input) -> Batch {
        let batch = self.game.take(input).unwrap_or_else(|broken| panic!("{}", broken.why));
        let entries = batch.entries.iter().map(|entry| (entry.slot, entry.kind.to_owned(), entry.body.clone()));
        self.kept.entries.extend(entries);
        self.kept.open.clone_from(&batch.open);
        batch
    }

    fn says(&mut self, seat: &str, line: &str) -> Batch {
        let (lines, end) = if line == "END" { (Vec::new(), true) } else { (vec![(1, line.to_owned())], false) };
        let mail = format!("m{}", self.kept.entries.len());
        self.take(Input::Orders { seat: seat.into(), lines, end, mail })
    }

    fn sets(&mut self, seat: &str, words: &str) {
        let seat: SeatId = seat.into();
        let (key, value) = self.game.doctrine_line(&seat, words).unwrap();
        self.take(Input::Doctrine { seat, key, value, mail: "doctrine".to_owned() });
    }

    /// Both open the turn, and Fery's LIM is drawn.
    fn begins(&mut self) {
        self.take(Input::Begin);
        self.says("french", "END");
        self.says("allied", "END");
    }

    /// Where a question to the Allies is open.
    fn asked(&self) -> String {
        let due = self.game.dues().remove(0);
        assert!(due.seat.0 == "allied" && due.prompt.is_some(), "{due:?}");
        due.address
    }
}

/// The fires of a batch, by their occasions.
fn fires(batch: &Batch) -> Vec<String> {
    let events = batch.entries.iter().filter(|entry| entry.kind == "event");
    let bodies = events.map(|entry| serde_json::from_str::<Value>(&entry.body).unwrap());
    bodies.filter(|body| body["kind"] == "fired").map(|body| body["on"].as_str().unwrap().to_owned()).collect()
}

const CALL: &str = "ACTIVATE FERY LIMITED";
const FIRE: &str = "FIRE F3-1 AT 2524";

#[test]
fn what_is_set_while_a_command_acts_counts_later_wherever_the_game_is_opened_anew() {
    let mut table = Table::new();
    table.begins();
    table.says("french", CALL);
    let amid = table.kept.entries.len();
    table.sets("allied", "RETURN-FIRE NEVER");
    let mut again = table.restarted();
    for (line, fired) in [(FIRE, &["offensive", "return"][..]), ("END", &[][..])] {
        let (one, other) = (table.says("french", line), again.says("french", line));
        assert_eq!(fires(&one), fired, "{line}");
        assert_eq!(one.entries, other.entries, "{line}");
    }
    // An audit plays the chain from its beginning, and behind a part that comes out otherwise from the next rest point on.
    let entries = table.kept.entries.clone();
    table.game.replay(&entries).unwrap();
    let called = |(_, kind, body): &(u32, String, String)| kind == "input" && body.contains(CALL);
    let (from, behind) = table.game.replay_behind(&entries, entries.iter().position(called).unwrap()).unwrap();
    assert_eq!(from, amid);
    behind.unwrap();
    // Where play goes back into the activation, the same answers count.
    let rest = table.game.rests().into_iter().find(|rest| rest.after == CALL).unwrap().number;
    let (by, act, reason) = ("umpire".into(), Act::Rewind { rest }, "a slip".to_owned());
    table.take(Input::Umpire { by, act, reason });
    let mut again = table.restarted();
    let (one, other) = (table.says("french", FIRE), again.says("french", FIRE));
    assert_eq!(fires(&one), ["offensive", "return"]);
    assert_eq!(one.entries, other.entries);
    table.game.replay(&table.kept.entries).unwrap();
}

/// 8.2.1 Of a bayonet attack in which both pass their checks nothing comes, and the letter says so.
#[test]
fn a_bayonet_attack_of_which_nothing_comes_is_told_so() {
    let mut table = Table::new();
    table.sets("allied", "RETURN-FIRE NEVER");
    table.begins();
    table.says("french", "ACTIVATE FERY FULL");
    let batch = table.says("french", "BAYONET F3-1 AT 2524");
    let stories: Vec<String> = batch.letters.iter().flat_map(|l| l.sections.body().story.clone()).collect();
    assert!(stories.iter().any(|line| line.contains("nothing comes of it: both stand")), "{stories:#?}");
}

/// A lodged sheet is played in one leg, in which nothing is under way at its beginning.
#[test]
fn what_is_set_at_a_question_does_not_count_in_the_sheet_that_is_being_played() {
    let mut table = Table::new();
    table.sets("french", "LODGE ACTIVATE FERY LIMITED THEN FIRE F3-1 AT 2524 THEN FIRE FPO AT 2524 FOR FERY");
    table.sets("allied", "RETURN-FIRE ASK");
    table.begins();
    let first = table.asked();
    assert!(first.ends_with("return-fire/AS14-1#0"), "{first}");
    table.sets("allied", "RETURN-FIRE NEVER");
    let mut again = table.restarted();
    for (answer, fired) in [("NO", &["offensive"][..]), ("YES", &["offensive", "return"][..])] {
        assert_eq!(table.asked(), again.asked());
        let (one, other) = (table.says("allied", answer), again.says("allied", answer));
        assert_eq!(fires(&one), fired, "{answer}");
        assert_eq!(one.entries, other.entries, "{answer}");
    }
    table.game.replay(&table.kept.entries).unwrap();
}

/// What is said of an answer that is set would tell, if it were said at one time and not at another, that a command acts.
#[test]
fn from_when_on_an_answer_counts_is_said_in_the_same_words_at_all_times() {
    let mut table = Table::new();
    let said = |table: &Table| {
        let (_, listed) = table.game.doctrine(&"allied".into()).into_parts();
        (table.game.answers_count(), listed.last().cloned().unwrap())
    };
    let before = said(&table);
    assert_eq!(before.0, "from now on, but not in an activation that has begun");
    assert!(before.1.contains(&before.0), "{}", before.1);
    table.begins();
    assert_eq!(said(&table), before);
    table.says("french", CALL);
    assert_eq!(said(&table), before);
}

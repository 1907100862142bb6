//! Questions 11 and 12: engines that change under a running game, rules that break their bounds, and old events.

use super::every;
use crate::toys::great::Event;
use crate::toys::mended::{AS_WAS, CURIOUS, DEAF, MENDED, MENDED_SINCE, Mended, NEVER_STOPS, RUNS_AWAY, SWALLOWS};
use crate::toys::{Table, Whim, files, hosted, mail};
use estafette::dice::{Cup, Scope};
use estafette::host::hosted::{Hosted, Kept};
use estafette::host::{Game, Input, Tempo};

/// A game stopped in the middle of a leg: two records are facts.
fn stopped() -> Table {
    Table::begun(Box::new(hosted::<Mended<AS_WAS>>("", Tempo::Live, 1, None)))
}

fn reopen<const HOW: u8>(kept: Kept) -> Result<Hosted<Mended<HOW>>, Vec<String>> {
    let dice = estafette::dice::Secrets::One { master: [1; 32], salt: [7; 32] };
    Hosted::open(files(""), "toy-1", dice, Tempo::Live, Some(kept))
}

#[test]
fn q11_a_rule_mended_in_an_open_leg_is_named_and_not_played() {
    let mut game = reopen::<MENDED>(stopped().kept()).unwrap();
    let why =
        "toy-mended 1: record 1 of the open leg comes out otherwise than it is kept; kept is: event {\"Marched\":5}";
    assert_eq!(game.otherwise(), Some(why));
    // Nothing is taken where it stands, and no other program is named there.
    assert_eq!((game.at_rest(), game.dues()), (false, Vec::new()));
    for input in [mail("a", &["ON"], false, "1"), Input::Deadline, Input::Begin] {
        assert_eq!(game.take(input).unwrap_err().why, why);
    }
}

#[test]
fn q11_since_lets_a_mended_rule_begin_where_facts_end() {
    let mut game = reopen::<MENDED_SINCE>(stopped().kept()).unwrap();
    let batch = game.take(mail("a", &["ON"], false, "1")).unwrap();
    let events: Vec<&str> = batch.entries.iter().filter(|e| e.kind == "event").map(|e| e.body.as_str()).collect();
    // The rest of the open leg and all later ones are mended; the march that was fact is 5 for ever.
    assert_eq!(events, [r#"{"Marched":3}"#, r#"{"Marched":3}"#]);
    let batch = game.take(mail("a", &["HALT"], false, "2")).unwrap();
    assert!(batch.over);
}

#[test]
fn q11_a_mend_behind_the_stop_touches_no_fact() {
    // The leg stops at the same place with the same records, so that it goes on, and by the mended rule.
    let table = stopped();
    let mut game = reopen::<CURIOUS>(table.kept()).unwrap();
    assert_eq!(game.dues(), table.game.dues());
    let batch = game.take(mail("a", &["HALT"], false, "1")).unwrap();
    assert_eq!(batch.dues[0].address, "ask/a/on#1", "the second question follows");
}

#[test]
fn q11_a_kept_record_that_was_changed_is_named() {
    let mut kept = stopped().kept();
    let roll = kept.entries.iter_mut().find(|(_, kind, _)| kind == "roll").unwrap();
    let (was, now) = if roll.2.contains("[6]") { ("[6]", "[1]") } else { ("\"dice\":[", "\"dice\":[9,") };
    roll.2 = roll.2.replace(was, now);
    let game = reopen::<AS_WAS>(kept).unwrap();
    let why = game.otherwise().unwrap();
    assert!(why.contains("record 0 of the open leg") && why.contains("kept is: roll march 0"), "{why}");
}

#[test]
fn q11_an_entry_that_cannot_be_read_is_named() {
    let mut kept = stopped().kept();
    let at = kept.entries.iter().position(|(_, kind, _)| kind == "event").unwrap();
    kept.entries[at].2 = "{\"Flew\":5}".to_owned();
    let flaws = reopen::<AS_WAS>(kept).err().unwrap();
    assert!(flaws[0].starts_with(&format!("entry {} (event) of the chain: ", at + 1)), "{flaws:?}");
    let flaws = reopen::<AS_WAS>(Kept { open: "no".to_owned(), ..Kept::default() }).err().unwrap();
    assert!(flaws[0].starts_with("the open leg as kept cannot be read"), "{flaws:?}");
}

#[test]
fn q11_a_breach_leaves_the_game_as_it_was() {
    let mut table = stopped();
    let before = format!("{:?}{:?}", table.game.dues(), table.game.report(&"a".into(), None));
    let mut kept = table.kept();
    // A default that cannot be read is found when it is taken.
    let mut deaf = reopen::<DEAF>(kept.clone()).unwrap();
    for _ in 0..2 {
        let broken = deaf.take(Input::Deadline).unwrap_err();
        assert!(broken.why.contains("a kept answer can no longer be read: EH"), "{}", broken.why);
    }
    let batch = deaf.take(mail("a", &["HALT"], false, "1")).unwrap();
    assert!(batch.over, "after the breach it plays on as if nothing had been tried");
    assert_eq!(before, format!("{:?}{:?}", table.game.dues(), table.game.report(&"a".into(), None)));
    kept.open.clear();
    assert!(table.mail("a", &["HALT"], false).over);
}

#[test]
fn h01_a_swallowed_stop_is_caught() {
    let mut game = hosted::<Mended<SWALLOWS>>("", Tempo::Live, 1, None);
    let broken = game.take(Input::Begin).unwrap_err();
    assert_eq!(broken.why, "toy-mended 1: a rule went on after a stop");
}

#[test]
fn h02_a_leg_or_a_game_that_does_not_end_is_stopped() {
    let mut game = hosted::<Mended<RUNS_AWAY>>("", Tempo::Live, 1, None);
    assert_eq!(game.take(Input::Begin).unwrap_err().why, "toy-mended 1: the leg does not end");
    let mut game = hosted::<Mended<NEVER_STOPS>>("", Tempo::Live, 1, None);
    assert_eq!(game.take(Input::Begin).unwrap_err().why, "toy-mended 1: play does not come to a stop");
}

/// A cup of listed dice, as rule cases use it.
struct Listed(&'static [(&'static str, u32)]);

impl Cup for Listed {
    fn draw(&self, _: &Scope, label: &str, n: u32, _: u32, _: u32) -> Option<Vec<u32>> {
        (n == 0).then(|| self.0.iter().find(|(l, _)| *l == label).map(|(_, die)| vec![*die]))?
    }
}

#[test]
fn h03_a_given_cup_rolls_what_it_lists_and_nothing_else() {
    let cup = |list| Box::new(Listed(list)) as Box<dyn Cup>;
    let mut game = Hosted::<Mended<AS_WAS>>::with_cup(files(""), cup(&[("march", 4)]), Tempo::Live, None).unwrap();
    let batch = game.take(Input::Begin).unwrap();
    assert!(batch.entries.iter().any(|e| e.kind == "roll" && e.body.contains("\"dice\":[4]")));
    let broken = game.take(mail("a", &["ON"], false, "1")).unwrap_err();
    assert_eq!(broken.why, "toy-mended 1: there are no dice for march 1");
    let mut game = Hosted::<Mended<AS_WAS>>::with_cup(files(""), cup(&[]), Tempo::Live, None).unwrap();
    assert_eq!(game.take(Input::Begin).unwrap_err().why, "toy-mended 1: there are no dice for march 0");
}

#[test]
fn h04_flaws_of_the_files_come_through() {
    let cup = Box::new(Listed(&[]));
    let flaws = Hosted::<Mended<AS_WAS>>::with_cup(Vec::new(), cup, Tempo::Live, None).err().unwrap();
    assert_eq!(flaws, ["toy.txt:1: there is no scenario; write one."]);
}

/// One line of every kind of event that the toy has ever written.
const GOLDEN: [&str; 14] = [
    r#"{"kind":"stance","side":"red","word":"BOLD"}"#,
    r#"{"kind":"pooled"}"#,
    r#"{"kind":"drawn","div":"RA"}"#,
    r#"{"kind":"attempted","div":"RA","full":true}"#,
    r#"{"kind":"called","div":"RB"}"#,
    r#"{"kind":"moved","unit":1,"to":3}"#,
    r#"{"kind":"balked","cav":2}"#,
    r#"{"kind":"charged","cav":2,"target":4,"into":7}"#,
    r#"{"kind":"formed","unit":4,"square":false}"#,
    r#"{"kind":"meleed","cav":2,"target":4,"at":7,"die":5}"#,
    r#"{"kind":"routed","unit":4,"to":9}"#,
    r#"{"kind":"rallied","unit":4}"#,
    r#"{"kind":"act_ended"}"#,
    r#"{"kind":"turn_ended"}"#,
];

#[test]
fn q12_every_kind_of_event_ever_written_is_still_read() {
    for line in GOLDEN {
        let event: Event = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), line);
    }
    let kind = |line: &str| line.split('"').nth(3).unwrap().to_owned();
    let golden: Vec<String> = GOLDEN.iter().map(|line| kind(line)).collect();
    let mut met = std::collections::BTreeSet::new();
    every(1..=12, |name, open, tempo, seed| {
        if name.starts_with("great") {
            let mut table = Table::begun(open(tempo, seed, None));
            table.play_out(&mut Whim(u64::from(seed)), 600, |_| {});
            met.extend(table.of_kind("event").iter().map(|line| kind(line)));
        }
    });
    assert!(met.iter().all(|kind| golden.contains(kind)), "{met:?}");
    assert_eq!(met.len(), golden.len(), "every kind is met in play: {met:?}");
}

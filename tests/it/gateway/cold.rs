//! A mail to a game that does not lie open.

use super::bench::{Bench, TOYS, campaign, copied, teaching};
use crate::packed;
use estafette::gateway::{NewGame, game_of, table};
use estafette::rules::Ruleset;
use estafette::rules::campaigns::Campaigns;
use estafette::scenario;
use estafette::store::{GameState, Head, Snapshot};
use estafette::yaml;
use rusqlite::Connection;
use std::path::Path;

const GAME: &str = "strem-1";

/// A campaign by mail between the program's own players, until it has been kept where it stood and some mails more have come;
/// who is on move, and what he would write.
fn played() -> (Bench, String, String) {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns/1805-moravia.yaml");
    let files = scenario::files(&files).unwrap();
    // An umpire's ledger stands in all of the chain, and each letter counts its entries.
    let mut bench = Bench::new();
    bench.office.new_game(&NewGame { umpire: None, ..campaign(&files) }).unwrap();
    bench.pass();
    let _ = ["french", "coalition"].map(|seat| bench.reply(seat, "SIGNON"));
    let (mut behind, mut stood) = (0, None);
    for mail in 0..80 {
        let row = game_of(&bench.office.store, GAME).unwrap();
        let game = table::open(TOYS, &bench.office.store, &row).unwrap();
        let due = game.dues().into_iter().next().unwrap();
        let lines = game.bot(&due.seat, mail).body().join("\n");
        // Some mails behind a snapshot, none of which has made another.
        behind = if kept(&bench).is_some_and(|now| stood.as_ref() == Some(&now)) { behind + 1 } else { 0 };
        stood = kept(&bench);
        if behind == 2 {
            return (bench, due.seat.0, lines);
        }
        bench.reply(&due.seat.0, &lines);
    }
    panic!("it is not kept where it stands");
}

fn kept(bench: &Bench) -> Option<Snapshot> {
    bench.office.store.snapshot(GAME, Campaigns::RULES).unwrap()
}

/// What a post office that has just begun to serve answers to a mail, and what has become of the game, where its rows were
/// changed before.
fn said(bench: &Bench, seat: &str, body: &str, change: &str) -> (Vec<(String, String)>, GameState) {
    let dir = copied(bench.dir.path());
    let rows = Connection::open(dir.path().join("estafette.db")).unwrap();
    packed::unguarded(&rows);
    rows.execute_batch(change).unwrap();
    drop(rows);
    let mut bench = Bench::served(dir);
    let mails = bench.reply(seat, body).into_iter().map(|mail| (mail.to.clone(), mail.unsealed())).collect();
    (mails, game_of(&bench.office.store, GAME).unwrap().state)
}

#[test]
fn a_cold_game_answers_from_where_it_stood_as_from_its_beginning() {
    let (bench, seat, lines) = played();
    let asked = ["REPORT", "WHY 1", "HISTORY", "SUMMARY", "ROLLS", "MAP", "VICTORY", "DOCTRINE"];
    let check = format!("CHECK\n{lines}");
    for body in asked.into_iter().chain([lines.as_str(), &check]) {
        let whole = said(&bench, &seat, body, "DELETE FROM snapshots");
        assert!(!whole.0.is_empty() && whole.1 == GameState::Playing, "{body}");
        assert_eq!(said(&bench, &seat, body, ""), whole, "{body}");
    }
    // What was played before it is not even looked at, unless somebody asks for it.
    let head = kept(&bench).unwrap().head;
    let damage = format!(
        "UPDATE segments SET body = x'00' WHERE seq_from = (SELECT max(seq_from) FROM segments WHERE seq_to < {})",
        head.seq
    );
    let other = if seat == "french" { "coalition" } else { "french" };
    let press = format!("PRESS TO {other}\nWho waits?\nEND PRESS");
    for body in [lines.as_str(), &check, "REPORT", "MAP", &press] {
        assert_eq!(said(&bench, &seat, body, &damage), said(&bench, &seat, body, ""), "{body}");
    }
    assert_eq!(said(&bench, &seat, "HISTORY", &damage).1, GameState::Corrupt);
    assert_eq!(said(&bench, &seat, &lines, &format!("{damage}; DELETE FROM snapshots")).1, GameState::Corrupt);
    // What lies behind it is: it has to follow from there.
    let behind = format!("UPDATE segments SET body = x'00' WHERE seq_from = {}", head.seq + 1);
    assert_eq!(said(&bench, &seat, &lines, &behind).1, GameState::Corrupt);
}

#[test]
fn a_snapshot_that_was_changed_or_is_of_other_rules_counts_for_nothing() {
    let (bench, seat, lines) = played();
    let whole = said(&bench, &seat, &lines, "DELETE FROM snapshots");
    let changes = [
        "UPDATE snapshots SET seq = seq - 1",
        "UPDATE snapshots SET hash = 'x'",
        "UPDATE snapshots SET rules = 'x'",
        "UPDATE snapshots SET digest = 'x'",
        "UPDATE snapshots SET size = size + 1",
        "UPDATE snapshots SET body = x'00'",
        "UPDATE snapshots SET seq = 4611686018427387904",
        "UPDATE snapshots SET size = 2147483648",
    ];
    for change in changes {
        assert_eq!(said(&bench, &seat, &lines, change), whole, "{change}");
    }
}

#[test]
fn a_snapshot_of_another_position_is_found_by_the_chain_and_made_again() {
    let (mut bench, seat, lines) = played();
    let (old, store) = (kept(&bench).unwrap(), &bench.office.store);
    let row = game_of(store, GAME).unwrap();
    let game = table::open(TOYS, store, &row).unwrap();
    assert!(table::proved(TOYS, game.as_ref(), store, &row).is_ok());
    // Sealed as it should be, and said of another place of the chain.
    let log = store.log(GAME, 1).unwrap();
    let other = &log[usize::try_from(old.head.seq).unwrap() - 50];
    let head = Head { seq: other.seq, hash: other.hash.clone() };
    store.act(|act| act.keep_snapshot(GAME, &Snapshot { head, ..old })).unwrap();
    let why = table::proved(TOYS, game.as_ref(), store, &row).unwrap_err().to_string();
    assert!(why.contains("is not what its chain comes to") && why.contains("RELEASE"), "{why}");
    bench.office.mend(GAME).unwrap();
    assert!(kept(&bench).is_none());
    assert!(!bench.reply(&seat, &lines).is_empty());
}

#[test]
fn the_files_of_a_scenario_are_read_once_for_all_games_and_mails() {
    let begun = yaml::count();
    let mut bench = Bench::with_campaign(&teaching());
    assert!(yaml::count() > begun, "somebody reads them");
    bench.office.new_game(&NewGame { id: "strem-2".into(), ..campaign(&teaching()) }).unwrap();
    bench.pass();
    // Nothing lies open any more.
    let mut bench = bench.reopened();
    let read = yaml::count();
    for (n, game) in ["strem-1", "strem-2", "strem-1"].into_iter().enumerate() {
        let subject = format!("Re: {}", bench.last_of(game, "french").subject);
        bench.post("french@example.org", &subject, &format!("SIGNON\nNONCE {n}\nMAP\nHISTORY\nTERMS"));
        assert!(!bench.pass().is_empty());
    }
    assert_eq!(yaml::count(), read, "no mail reads them again");
}

//! Two processes over one file: the daemon, and an umpire's command. What one has written the other goes on from.

use super::bench::{Bench, TOYS, copied, teaching};
use estafette::gateway::{Office, table};
use estafette::store::{GameState, NewEntry, Store};
use std::sync::mpsc::channel;
use std::time::Duration;

const MARCH: &str = "FORCE Lannes COMMAND MARCH 0305 0405";

/// A post office of the campaign in which the French are on move.
fn on_move() -> Bench {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nVEDETTE PLACE WITH MC1 1\nEND");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\nVEDETTE PLACE WITH Bagration 1\nEND");
    bench
}

#[test]
fn what_another_process_writes_while_a_game_is_opened_is_not_written_over() {
    let mut bench = on_move();
    let here = bench.dir.path().to_owned();
    let before = bench.office.store.log_head("strem-1").unwrap().seq;
    // What the other process would write, found out on a copy.
    let twin = copied(&here);
    let mut other = Bench::served_by(twin, *bench.office.clock_mut());
    other.count_from(500);
    other.reply("french", MARCH);
    let written = other.office.store.checked_log("strem-1").unwrap().split_off(before as usize);
    let leg = other.office.store.open_leg("strem-1").unwrap();
    assert!(written.iter().any(|entry| entry.kind == "input"), "{written:?}");
    let (begun, told) = channel();
    let writer = std::thread::spawn(move || {
        let store = Store::open(&here.join("estafette.db")).unwrap();
        store
            .act(|act| {
                begun.send(()).unwrap();
                // So long that the other one has opened the game and waits to write.
                std::thread::sleep(Duration::from_millis(600));
                let news: Vec<NewEntry<'_>> = written
                    .iter()
                    .map(|entry| NewEntry { slot: entry.slot, kind: &entry.kind, body: &entry.body })
                    .collect();
                act.append("strem-1", &news)?;
                act.set_open_leg("strem-1", leg.as_deref())
            })
            .unwrap();
    });
    told.recv().unwrap();
    let clock = *bench.office.clock_mut();
    let mut umpires = Office::with_clock(bench.dir.path(), TOYS, false, clock).unwrap();
    let fiat = "FIAT french initiative/lannes/move 2 REASON as agreed".to_owned();
    let said = umpires.umpire_says("strem-1", "umpire", &[fiat]).unwrap();
    assert_eq!(said.answers[0].word, "DONE", "{said:?}");
    writer.join().unwrap();
    let store = &bench.office.store;
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    let row = store.game("strem-1").unwrap().unwrap();
    table::open(TOYS, store, &row).unwrap();
    // The order that the other process had taken is there, and the umpire's word behind it; the game goes on from both.
    let said: Vec<String> =
        store.log_of_kind("strem-1", "input", before + 1).unwrap().into_iter().map(|e| e.body).collect();
    let at = |word: &str| said.iter().position(|body| body.contains(word));
    assert!(at("MARCH 0305 0405").unwrap() < at("initiative/lannes/move").unwrap(), "{said:?}");
    bench.reply("french", "END");
    assert_eq!(bench.office.ailing(), []);
    assert_eq!(bench.office.store.game("strem-1").unwrap().unwrap().state, GameState::Playing);
}

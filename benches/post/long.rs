//! What is left of a long game: its file, the time to open it again, the time to audit it.

use super::{Post, least, median, post_of, worked};
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::verify;
use estafette::demo::{Player, Troupe};
use estafette::games::GAMES;
use estafette::gateway::{game_of, table};
use estafette::store::{GameState, Store, Tempo};
use std::hint::black_box;
use std::time::Duration;

/// Mails in which a game must come to its end.
const MAILS_MAX: u32 = 2_000;

/// A whole game of Moravia by mail, between the program's own players.
pub fn long() {
    let Post { dir, mut office, .. } = post_of(1, "1805-moravia.yaml", Tempo::Live);
    let players = vec![
        Player::new("french", "ney@example.org", Vec::new()),
        Player::new("coalition", "weyrother@example.org", Vec::new()),
    ];
    let mut count = 0_u32;
    let spent = worked(|| {
        let mut troupe = Troupe::new(&mut office, "bench-0", players).unwrap().behind(4);
        let mut watch = |_: &_| {
            count += 1;
            Ok(())
        };
        troupe.play(MAILS_MAX, &mut watch).unwrap();
    });
    drop(office);
    let file = dir.path().join("estafette.db");
    let store = Store::open(&file).unwrap();
    let row = game_of(&store, "bench-0").unwrap();
    assert_eq!(row.state, GameState::Over, "the game came to no end in {count} mails");
    let entries = store.log_head("bench-0").unwrap().seq;
    println!(
        "a whole game of Moravia by mail, with both players: {entries} entries, {count} mails both ways, {spent:?} of the \
         processor; the file has {} kB (aim: 1500)",
        std::fs::metadata(&file).unwrap().len() / 1000
    );
    let open = || worked(|| drop(black_box(table::open(GAMES, &store, &row).unwrap())));
    let times: Vec<Duration> = (0..20).map(|_| open()).collect();
    println!("    opened again with all its entries      {:?}, at best {:?}", median(times.clone()), least(&times));
    let short = || worked(|| drop(black_box(table::open_short(GAMES, &store, &row).unwrap().expect("a snapshot"))));
    let times: Vec<Duration> = (0..50).map(|_| short()).collect();
    let table::Short { hosted: game, snapshot } = table::open_short(GAMES, &store, &row).unwrap().expect("a snapshot");
    println!(
        "    opened from its snapshot, {} bytes and {} entries behind it   {:?}, at best {:?} (aim: 1 ms)",
        snapshot.body.len(),
        entries - snapshot.head.seq,
        median(times.clone()),
        least(&times)
    );
    drop(game);
    let game = table::open(GAMES, &store, &row).unwrap();
    let audit = || {
        worked(|| {
            let lines = bundle(&store, &row, game.as_ref(), &Asker::All).unwrap();
            assert!(verify(&lines, GAMES).faults.is_empty());
        })
    };
    let times: Vec<Duration> = (0..5).map(|_| audit()).collect();
    println!(
        "    audited, and played again             {:?}, at best {:?} (aim: 300 ms)",
        median(times.clone()),
        least(&times)
    );
}

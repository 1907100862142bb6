//! The questions that a whole game can be asked, put to `campaigns` on the teaching scenario; the others need a rule of a
//! toy that fails on purpose.

use super::{TEMPOS, facts, live_is_sealed, longest_leg, settled};
use crate::toys::{Table, Whim, examples, mail};
use estafette::dice::Secrets;
use estafette::fog::{SeatId, SideId};
use estafette::host::hosted::{Hosted, Kept};
use estafette::host::paper::Format;
use estafette::host::{Game, Input, Tempo};
use estafette::rules::campaigns::Campaigns;
use std::path::Path;
use std::sync::LazyLock;

static FILES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns/teaching.yaml");
    estafette::scenario::files(&path).unwrap()
});

/// Inputs of the longest game of these tests.
const LONGEST: usize = 400;

fn open(tempo: Tempo, seed: u8, kept: Option<Kept>) -> Box<dyn Game> {
    let dice = Secrets::One { master: [seed; 32], salt: [7; 32] };
    Box::new(Hosted::<Campaigns>::open(FILES.clone(), "teach-1", dice, tempo, kept).unwrap())
}

/// The next input of a player who takes any answer and up to four of the lines offered, and then ends his sheet.
fn brisk(table: &mut Table, whim: &mut Whim, n: usize) -> Input {
    let dues = table.game.dues();
    let due = dues[whim.below(dues.len())].clone();
    let id = format!("b{n}");
    match &due.prompt {
        Some(ask) => mail(&due.seat.0, &[&ask.answers[whim.below(ask.answers.len())]], false, &id),
        None => {
            let lines = examples(&*table.game, &due.seat);
            let some = if lines.is_empty() { 0 } else { whim.below(5) };
            let chosen: Vec<&str> = (0..some).map(|_| lines[whim.below(lines.len())].as_str()).collect();
            mail(&due.seat.0, &chosen, true, &id)
        }
    }
}

/// Plays a game to its end, by mails that end their sheets.
fn played(tempo: Tempo, seed: u8, mut look: impl FnMut(&mut Table)) -> Table {
    let mut table = Table::begun(open(tempo, seed, None));
    let mut whim = Whim(u64::from(seed));
    for n in 0..LONGEST {
        if table.game.dues().is_empty() {
            return table;
        }
        let input = brisk(&mut table, &mut whim, n);
        table.take(input);
        look(&mut table);
    }
    panic!("the game does not end: {:?}", table.game.stage());
}

/// All that a seat can get out of the face without changing anything.
fn paper(game: &dyn Game, seat: &SeatId, side: &SideId) -> String {
    let lines = [(9, "DANCE".to_owned()), (10, "FORCE Lannes HOLD".to_owned())];
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        game.report(seat, None),
        game.map(seat, None, Format::default()),
        game.examples(seat),
        game.history(seat, None),
        game.check(seat, &lines),
        game.rolls(Some(side)),
    )
}

#[test]
fn q02_a_leg_of_campaigns_is_bounded_by_what_one_stop_can_set_in_motion() {
    for tempo in TEMPOS {
        let table = played(tempo, 3, |_| {});
        let longest = longest_leg(&table);
        assert!((8..=200).contains(&longest), "{tempo:?}: {longest} records");
    }
}

#[test]
fn q03_campaigns_killed_and_reopened_after_every_input_gives_the_same_bytes() {
    for tempo in TEMPOS {
        let mut stops = 0;
        let reopened = played(tempo, 5, |table| {
            let again = open(tempo, 5, Some(table.kept()));
            assert_eq!(again.dues(), table.game.dues(), "{tempo:?}");
            stops += 1;
            // What a seat can read is compared now and then; the whole game's letters are compared below.
            if stops % 7 == 0 {
                for (seat, side) in again.seats() {
                    assert_eq!(paper(&*again, &seat, &side), paper(&*table.game, &seat, &side), "{tempo:?} {seat}");
                }
            }
            table.game = again;
        });
        let whole = played(tempo, 5, |_| {});
        assert_eq!(whole.batches, reopened.batches, "{tempo:?}");
        assert!(stops >= 8, "{tempo:?}: {stops}");
    }
}

#[test]
fn q08_the_arrival_of_the_mails_of_campaigns_set_up_does_not_matter() {
    for seed in 1..=3 {
        let play = |swap: bool| {
            let mut table = Table::begun(open(Tempo::Live, seed, None));
            let mut seats: Vec<SeatId> = table.game.dues().iter().map(|due| due.seat.clone()).collect();
            assert_eq!(seats.len(), 2, "both set up at once");
            if swap {
                seats.reverse();
            }
            for seat in seats {
                let lines = examples(&*table.game, &seat);
                let lines: Vec<&str> = lines.iter().take(2).map(String::as_str).collect();
                table.take(mail(&seat.0, &lines, true, &format!("of {seat}")));
            }
            facts(&table)
        };
        assert_eq!(play(false), play(true), "{seed}");
    }
}

#[test]
fn q09_a_sheet_of_campaigns_played_live_and_sealed_gives_the_same_events() {
    for seed in 1..=4 {
        let (mut whim, mut n) = (Whim(u64::from(seed)), 0);
        let tables = TEMPOS.map(|tempo| Table::begun(open(tempo, seed, None)));
        live_is_sealed(&seed.to_string(), tables, |table| {
            n += 1;
            brisk(table, &mut whim, n)
        });
    }
}

#[test]
fn q09_every_line_of_campaigns_is_answered_once_for_good() {
    for seed in 1..=4 {
        let table = played(Tempo::Live, seed, |_| {});
        for (seat, _) in table.game.seats() {
            let (mut sent, mut answered) = (Vec::new(), Vec::new());
            for (input, batch) in &table.batches {
                if let Input::Orders { seat: from, lines, .. } = input
                    && *from == seat
                {
                    sent.extend(lines.clone());
                }
                for letter in batch.letters.iter().filter(|l| l.seat == seat) {
                    answered.extend(settled(letter));
                }
            }
            sent.sort();
            answered.sort();
            assert!(!sent.is_empty(), "{seed} {seat}");
            assert_eq!(sent, answered, "{seed} {seat}");
        }
    }
}

#[test]
fn q10_campaigns_goes_on_without_a_seat_that_has_resigned() {
    for tempo in TEMPOS {
        let mut table = Table::begun(open(tempo, 2, None));
        let (seat, _) = table.game.seats().remove(1);
        table.take(Input::Resign { seat: seat.clone(), mail: "r".into() });
        let mut whim = Whim(2);
        for n in 0..LONGEST {
            assert!(!table.game.dues().iter().any(|due| due.seat == seat), "{tempo:?}");
            if table.game.dues().is_empty() {
                break;
            }
            let input = brisk(&mut table, &mut whim, n);
            table.take(input);
        }
        assert!(table.batches.last().is_some_and(|(_, batch)| batch.over), "{tempo:?}");
    }
}

#[test]
fn q15_campaigns_plays_to_its_end_by_deadlines_alone_and_plays_again_the_same() {
    for tempo in TEMPOS {
        let mut table = Table::begun(open(tempo, 4, None));
        for _ in 0..LONGEST {
            if table.game.dues().is_empty() {
                break;
            }
            table.take(Input::Deadline);
        }
        assert!(table.batches.last().is_some_and(|(_, batch)| batch.over), "{tempo:?}");
        assert_eq!(table.game.replay(&table.entries), Ok(table.entries.len() as u64), "{tempo:?}");
    }
}

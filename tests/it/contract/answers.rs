//! Questions 3 and 5 to 10: reopening, noninterference, dice, secret answers, tempo, inputs at stops.

use super::{Asked, TEMPOS, every, facts, live_is_sealed, settled, until_asked};
use crate::toys::{TOYS, Table, Whim, examples, mail};
use estafette::dice::{Roll, Scope};
use estafette::fog::{SeatId, SideId};
use estafette::host::paper::Format;
use estafette::host::{Batch, Game, Input, Tempo};
use estafette::rules::Outcome;
use serde_json::Value;

#[test]
fn q03_killed_and_reopened_after_every_input_gives_the_same_bytes() {
    every(1..=4, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed)), 600, |table| {
            let again = open(tempo, seed, Some(table.kept()));
            assert_eq!(again.dues(), table.game.dues(), "{name}");
            for (seat, side) in again.seats() {
                assert_eq!(paper(&*again, &seat, &side), paper(&*table.game, &seat, &side), "{name} {seat}");
            }
            // From here on the reopened game plays; the first one is gone.
            table.game = again;
        });
        let mut whole = Table::begun(open(tempo, seed, None));
        whole.play_out(&mut Whim(u64::from(seed)), 600, |_| {});
        assert_eq!(whole.batches, table.batches, "{name}");
    });
}

/// All that a seat can get out of the face without changing anything.
fn paper(game: &dyn Game, seat: &SeatId, side: &SideId) -> String {
    let mut lines: Vec<(u32, String)> = examples(game, seat).into_iter().map(|l| (1, l)).collect();
    lines.extend(["DANCE", "MOVE Ironbork 3", "FIRST YES"].map(|l| (9, l.to_owned())));
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{}",
        game.report(seat, None),
        game.report(seat, Some(0)),
        game.map(seat, None, Format::default()),
        game.examples(seat),
        game.history(seat, None),
        game.doctrine(seat),
        game.check(seat, &lines),
        game.rolls(Some(side)),
        game.on_move(seat),
    )
}

#[test]
fn q05_what_a_side_may_not_know_changes_no_byte_of_its_paper() {
    let mut compared = 0;
    every(1..=5, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed) + 100), 600, |table| {
            for (seat, side) in table.game.seats() {
                for noise in [1, 5, 77] {
                    let other = table.game.scrambled(&side, noise);
                    assert_eq!(paper(&*other, &seat, &side), paper(&*table.game, &seat, &side), "{name} {seat}");
                    let dues =
                        |game: &dyn Game| game.dues().into_iter().filter(|due| due.seat == seat).collect::<Vec<_>>();
                    assert_eq!(dues(&*other), dues(&*table.game), "{name} {seat}");
                    compared += 1;
                }
            }
        });
    });
    assert!(compared > 1_000, "{compared}");
}

/// A mail that sets nothing in motion is answered alike, whatever lies hidden: same letters, number, order and size.
#[test]
fn q05_a_receipt_is_the_same_whatever_lies_hidden() {
    let mut differed = 0;
    every(1..=3, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed) + 7), 600, |table| {
            for (seat, side) in table.game.seats() {
                let lines = ["DANCE", "MOVE Nobody 3"];
                let input = mail(&seat.0, &lines, false, "probe");
                let mut plain = open(tempo, seed, Some(table.kept()));
                let mut other = plain.scrambled(&side, 5);
                let to = |batch: Batch| batch.letters.into_iter().filter(|l| l.seat == seat).collect::<Vec<_>>();
                let letters = to(plain.take(input.clone()).unwrap());
                assert_eq!(letters.len(), 1, "{name} {seat}");
                assert_eq!(letters, to(other.take(input).unwrap()), "{name} {seat}");
                differed += usize::from(other.truth() != plain.truth());
            }
        });
    });
    assert!(differed > 100, "the scrambled games are other games: {differed}");
}

#[test]
fn q05_hidden_names_are_never_heard() {
    let names = |game: &dyn Game, seat: &SeatId| -> Vec<String> {
        let (_, report) = game.report(seat, None).into_parts();
        report.forces.iter().filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
    };
    every(1..=4, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        let seats = table.game.seats();
        let own: Vec<Vec<String>> = seats.iter().map(|(seat, _)| names(&*table.game, seat)).collect();
        table.play_out(&mut Whim(u64::from(seed)), 600, |_| {});
        for (_, batch) in &table.batches {
            for letter in &batch.letters {
                let said = format!("{:?}", letter.sections);
                let side = seats.iter().find(|(seat, _)| *seat == letter.seat).map(|(_, side)| side);
                for ((_, of), names) in seats.iter().zip(&own) {
                    for foreign in names.iter().filter(|_| Some(of) != side) {
                        assert!(!said.contains(foreign), "{name}: {} reads {foreign}", letter.seat);
                    }
                }
            }
        }
    });
}

#[test]
fn q06_a_public_roll_has_a_cause_that_all_see_in_its_leg() {
    let mut rolls = 0;
    every(1..=6, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed)), 600, |_| {});
        for leg in table.entries.split(|(_, kind, _)| kind == "rest") {
            for (_, _, body) in leg.iter().filter(|(_, kind, _)| kind == "roll") {
                let roll: Roll = serde_json::from_str(body).unwrap();
                if roll.scope == Scope::Public {
                    let place = roll.label.split_once('/').map_or("", |(_, place)| place);
                    assert!(seen_by_all(leg, place), "{name}: nobody is told why {} was rolled", roll.label);
                    rolls += 1;
                }
            }
        }
    });
    assert!(rolls > 200, "{rolls}");
}

/// Whether some event of a leg was told to both sides and names a place to both.
fn seen_by_all(leg: &[(u32, String, String)], place: &str) -> bool {
    leg.split(|(_, kind, _)| kind == "event").any(|sights| {
        let told = sights.iter().filter(|(_, kind, body)| {
            let said: Value = serde_json::from_str(body).unwrap();
            kind == "sight" && said["body"]["said"].as_str().is_some_and(|said| said.contains(place))
        });
        told.count() >= 2
    })
}

#[test]
fn q07_labels_are_literals_and_names_of_places_or_own_pieces() {
    let purposes = ["draw", "attempt", "check", "square", "melee", "leader", "initiative", "fresh", "fight"];
    let mut met = std::collections::BTreeSet::new();
    every(1..=10, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed)), 600, |_| {});
        for (_, roll) in table.game.rolls(None) {
            let mut parts = roll.label.split('/');
            let purpose = parts.next().unwrap().to_owned();
            assert!(purposes.contains(&purpose.as_str()), "{name}: {}", roll.label);
            for part in parts {
                // A bare number would be an id, an index or a count.
                assert!(part.parse::<u32>().is_err(), "{name}: {}", roll.label);
            }
            met.insert(purpose);
        }
    });
    assert_eq!(met.len(), purposes.len(), "{met:?}");
}

#[test]
fn q08_the_arrival_of_secret_sheets_does_not_matter() {
    for (name, open) in TOYS.into_iter().filter(|(name, _)| *name != "fellows") {
        for seed in 1..=8 {
            let play = |swap: bool| {
                let mut table = Table::begun(open(Tempo::Live, seed, None));
                let mut mails: Vec<Input> = Vec::new();
                for (seat, _) in table.game.seats() {
                    let lines = examples(&*table.game, &seat);
                    let lines: Vec<&str> = lines.iter().take(2).map(String::as_str).collect();
                    mails.push(mail(&seat.0, &lines, true, &format!("of {seat}")));
                }
                if swap {
                    mails.reverse();
                }
                let letters: Vec<usize> = mails.into_iter().map(|mail| table.take(mail).letters.len()).collect();
                // Each gets his receipt; the last to write ends the stage, and all are told.
                let expected: Vec<usize> = (1..=letters.len()).map(|n| if n < letters.len() { 1 } else { n }).collect();
                assert_eq!(letters, expected, "{name}");
                facts(&table)
            };
            assert_eq!(play(false), play(true), "{name} {seed}");
        }
    }
}

#[test]
fn q08_the_arrival_of_secret_answers_does_not_matter() {
    for (open, part, first, second) in
        [(TOYS[1].1, "press/", "PRESS YES", "PRESS NO"), (TOYS[4].1, "deploy/", "LINE", "COLUMN")]
    {
        let Asked { mut table, seed, .. } = until_asked(open, part);
        let dues = table.game.dues();
        assert_eq!(dues.len(), 2, "both are asked at once");
        let pick = |due: &estafette::rules::Due, word: &str| {
            let ask = due.prompt.clone().unwrap();
            ask.answers.into_iter().find(|line| line.ends_with(word)).unwrap()
        };
        let one = mail(&dues[0].seat.0, &[&pick(&dues[0], first)], false, "one");
        let two = mail(&dues[1].seat.0, &[&pick(&dues[1], second)], false, "two");
        let mut other = Table::new(open(Tempo::Live, seed, Some(table.kept())));
        other.entries = table.entries.clone();
        table.take(one.clone());
        table.take(two.clone());
        other.take(two);
        other.take(one);
        assert_eq!(facts(&table), facts(&other));
    }
}

#[test]
fn q08_doctrine_makes_the_same_events_as_mail() {
    for (open, part, key, word) in [
        (TOYS[0].1, "reaction/", "REACTION", "CHARGE"),
        (TOYS[0].1, "square/", "SQUARE", "SQUARE"),
        (TOYS[1].1, "counter/", "COUNTER", "COUNTER"),
    ] {
        for value in ["YES", "NO"] {
            let Asked { table: mut by_mail, due, seed } = until_asked(open, part);
            let kept = by_mail.kept();
            let mut by_book = Table::new(open(Tempo::Live, seed, Some(kept)));
            by_book.entries = by_mail.entries.clone();
            by_mail.mail(&due.seat.0, &[&format!("{word} {value}")], false);
            let (key, value) = by_book.game.doctrine_line(&due.seat, &format!("{key} {value}")).unwrap();
            by_book.take(Input::Doctrine { seat: due.seat.clone(), key, value: value.clone(), mail: "d".to_owned() });
            let events = facts(&by_mail);
            let same = facts(&by_book).into_iter().zip(&events).filter(|(a, b)| a == *b).count();
            // Doctrine may go on to answer later questions of the same kind; up to there all is equal.
            assert_eq!(same, events.len().min(facts(&by_book).len()), "{part} {value}");
            assert!(facts(&by_book).len() >= events.len(), "{part} {value}");
        }
    }
}

/// A whimsical mail that ends the sheet it fills.
fn ended(table: &mut Table, whim: &mut Whim) -> Input {
    match table.whim(whim) {
        Input::Orders { seat, lines, end: _, mail } => {
            let sheet = table.game.dues().iter().any(|due| due.seat == seat && due.prompt.is_none());
            Input::Orders { seat, lines, end: sheet, mail }
        }
        other => other,
    }
}

#[test]
fn q09_a_sheet_played_live_and_sealed_gives_the_same_events() {
    // Of two seats that share a stage, live, the first to write goes first; sealed, the first in the scenario.
    for (name, open) in TOYS.into_iter().filter(|(name, _)| !name.contains("two seats")) {
        for seed in 1..=10 {
            let mut whim = Whim(u64::from(seed));
            let tables = TEMPOS.map(|tempo| Table::begun(open(tempo, seed, None)));
            live_is_sealed(&format!("{name} {seed}"), tables, |table| ended(table, &mut whim));
        }
    }
}

#[test]
fn q09_every_line_is_answered_once_for_good() {
    for (name, open) in TOYS {
        for seed in 1..=10 {
            // Each sheet is ended with its first mail: a sealed one that is replaced is answered by its next version.
            let mut table = Table::begun(open(Tempo::Live, seed, None));
            let mut whim = Whim(u64::from(seed));
            while !table.game.dues().is_empty() {
                let input = ended(&mut table, &mut whim);
                table.take(input);
            }
            for (seat, _) in table.game.seats() {
                let mut sent = Vec::new();
                let mut answered = Vec::new();
                for (input, batch) in &table.batches {
                    if let Input::Orders { seat: from, lines, .. } = input
                        && *from == seat
                    {
                        // The letter that answers this mail gives all its lines, in order.
                        let letter = batch.letters.iter().find(|l| l.seat == seat).unwrap();
                        let told = &letter.sections.body().answers;
                        let told: Vec<_> = told.iter().map(|a| (a.no, a.text.clone())).collect();
                        assert!(told.ends_with(lines), "{name} {seed}: {told:?} {lines:?}");
                        sent.extend(lines.clone());
                    }
                    for letter in batch.letters.iter().filter(|l| l.seat == seat) {
                        // A sealed sheet's first answer is only what is wrong at first sight.
                        answered.extend(settled(letter));
                    }
                }
                sent.sort();
                answered.sort();
                assert_eq!(sent, answered, "{name} {seed} {seat}");
            }
        }
    }
}

#[test]
fn q09_what_the_stage_did_not_reach_is_said() {
    let mut table = Table::begun(TOYS[1].1(Tempo::Live, 3, None));
    let due = table.game.dues().remove(0);
    table.mail(&due.seat.0, &["FIRST YES"], false);
    let batch = table.mail(&due.seat.0, &["PASS", "PASS"], false);
    let letter = batch.letters.iter().find(|l| l.seat == due.seat).unwrap();
    let outcomes: Vec<_> = letter.sections.body().answers.iter().map(|a| a.outcome.clone()).collect();
    assert_eq!(outcomes, [Some(Outcome::Done), Some(Outcome::NotReached)]);
}

#[test]
fn q10_a_doctrine_changed_at_a_stop_acts_once_and_only_later() {
    let Asked { mut table, due, .. } = until_asked(TOYS[0].1, "reaction/");
    let before = table.entries.len();
    let seat = due.seat.clone();
    let doctrine = Input::Doctrine { seat, key: "REACTION".into(), value: "NO".into(), mail: "d".into() };
    table.take(doctrine);
    let given: Vec<&str> =
        table.entries[before..].iter().filter(|(_, k, _)| k == "event").map(|(_, _, b)| b.as_str()).collect();
    assert!(given.first().is_some_and(|event| event.contains("balked")), "{given:?}");
    assert!(
        !table.game.dues().iter().any(|d| d.prompt.is_some() && d.address.contains("reaction/") && d.seat == due.seat)
    );
    // What was fact before stays fact: the chain up to the change plays again, byte for byte.
    assert_eq!(table.game.replay(&table.entries), Ok(table.entries.len() as u64));
}

#[test]
fn q10_the_deadline_answers_what_is_open_by_its_default() {
    let Asked { mut table, due, .. } = until_asked(TOYS[0].1, "reaction/");
    let batch = table.take(Input::Deadline);
    let given: Vec<Value> =
        batch.entries.iter().filter(|e| e.kind == "given").map(|e| serde_json::from_str(&e.body).unwrap()).collect();
    assert_eq!(given[0]["address"], due.address);
    assert_eq!(given[0]["text"], due.prompt.unwrap().default);
    assert_eq!(given[0]["by"], "default");
    assert_eq!(given.len(), 1, "once");
}

#[test]
fn q10_the_deadline_ends_sheets_and_drafts_count() {
    let mut table = Table::begun(TOYS[0].1(Tempo::Live, 1, None));
    table.mail("red", &["STANCE BOLD"], false);
    let batch = table.take(Input::Deadline);
    let events: Vec<&str> = batch.entries.iter().filter(|e| e.kind == "event").map(|e| e.body.as_str()).collect();
    assert_eq!(events[0], r#"{"kind":"stance","side":"red","word":"BOLD"}"#);
    assert_eq!(events[1], r#"{"kind":"pooled"}"#);
    assert_eq!(batch.letters.len(), 2);
}

#[test]
fn q10_a_seat_that_has_resigned_is_waited_for_no_more() {
    every(1..=6, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        let (seat, _) = table.game.seats().remove(1);
        table.take(Input::Resign { seat: seat.clone(), mail: "r".into() });
        assert!(!table.game.dues().iter().any(|due| due.seat == seat), "{name}");
        table.play_out(&mut Whim(u64::from(seed)), 600, |table| {
            assert!(!table.game.dues().iter().any(|due| due.seat == seat), "{name}");
            assert!(!table.game.on_move(&seat), "{name}");
        });
        let last = &table.batches.last().unwrap().1.letters;
        assert!(last.iter().any(|letter| letter.seat == seat), "{name}: it still hears how the game ends");
    });
}

//! Games that are opened where they stood, and not from their beginning.

use crate::short::{Falls, orders};
use estafette::fog::SeatId;
use estafette::host::hosted::{Hosted, Kept};
use estafette::host::paper::Paper;
use estafette::host::{Act, Batch, Game, Input, Tempo};
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::great_battles::GreatBattles;
use estafette::scenario;
use std::path::Path;

type Files = Vec<(String, String)>;

/// Where a game stood, and its chain up to there.
struct Stood {
    snapshot: Vec<u8>,
    entries: usize,
}

/// What a game of bots has shown.
#[derive(Debug, Default)]
struct Shown {
    snapshots: usize,
    compared: usize,
    reported: usize,
    short: usize,
}

fn files(ruleset: &str, name: &str) -> Files {
    scenario::files(&Path::new("scenarios").join(ruleset).join(name)).unwrap()
}

fn open<R: Paper>(files: &Files, tempo: Tempo, kept: Option<Kept>) -> Hosted<R> {
    Hosted::with_cup(files.clone(), Box::new(Falls), tempo, kept).unwrap()
}

/// Plays so many mails of the program's own players. Before each the game is opened from its last snapshot, too, and both take
/// the mail.
fn both<R: Paper>(ruleset: &str, name: &str, tempo: Tempo, mails: u64) -> Shown {
    acted::<R>(ruleset, name, tempo, mails, &[])
}

/// What an umpire does.
fn umpire(act: Act) -> Input {
    Input::Umpire { by: SeatId::from("umpire"), act, reason: String::new() }
}

/// The same, and in place of some mails an umpire acts.
fn acted<R: Paper>(ruleset: &str, name: &str, tempo: Tempo, mails: u64, acts: &[(u64, Act)]) -> Shown {
    let files = files(ruleset, name);
    let mut game = open::<R>(&files, tempo, None);
    let mut shown = Shown::default();
    let (mut stood, mut kept): (Option<Stood>, Kept) = (None, Kept::default());
    let mut input = Input::Begin;
    for mail in 0..mails {
        let again = stood.as_ref().map(|stood| {
            let entries = kept.entries[stood.entries..].to_vec();
            let kept = Kept { snapshot: Some(stood.snapshot.clone()), entries, open: kept.open.clone() };
            let mut again = open::<R>(&files, tempo, Some(kept.clone()));
            assert!(again.behind() > 0, "{name}, mail {mail}");
            // Where play goes back behind the snapshot it is of no use.
            assert!(!again.fell_short() || !acts.is_empty(), "{name}, mail {mail}");
            if again.fell_short() {
                return (true, again.take(input.clone()));
            }
            assert_eq!(again.dues(), game.dues(), "{name}, mail {mail}");
            for (seat, _) in game.seats() {
                let why = open::<R>(&files, tempo, Some(kept.clone()));
                let said = why.why(&seat, 1);
                assert!(why.fell_short() || said == game.why(&seat, 1), "{name}, mail {mail}, {seat}");
                let look = open::<R>(&files, tempo, Some(kept.clone()));
                let report = look.report(&seat, None);
                if !look.fell_short() {
                    assert_eq!(report, game.report(&seat, None), "{name}, mail {mail}, {seat}");
                    shown.reported += 1;
                }
            }
            let made = again.take(input.clone());
            (again.fell_short(), made)
        });
        let batch = game.take(input.clone()).unwrap();
        match again {
            Some((true, _)) => shown.short += 1,
            Some((false, made)) => {
                same(&made.unwrap(), &batch, &format!("{name}, mail {mail}"));
                shown.compared += 1;
            }
            None => {}
        }
        kept.entries.extend(batch.entries.iter().map(|e| (e.slot, e.kind.to_owned(), e.body.clone())));
        kept.open.clone_from(&batch.open);
        if let Some(snapshot) = game.snapshot() {
            if shown.snapshots.is_multiple_of(if acts.is_empty() { 8 } else { 1 }) {
                assert!(game.follows(&kept.entries, &snapshot), "{name}, mail {mail}");
            }
            shown.snapshots += 1;
            // The third from the last, so that more than one mail lies behind it.
            if shown.snapshots % 3 == 1 {
                stood = Some(Stood { snapshot, entries: kept.entries.len() });
            }
        }
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
        input = match acts.iter().find(|(at, _)| *at == mail) {
            Some((_, act)) => umpire(act.clone()),
            None if due.seat.0 == "umpire" => umpire(Act::Judge { dice: None }),
            None => orders(&due.seat, game.bot(&due.seat, mail).body()),
        };
    }
    shown
}

fn same(made: &Batch, batch: &Batch, at: &str) {
    assert_eq!(made.entries, batch.entries, "{at}");
    assert_eq!(made.letters, batch.letters, "{at}");
    assert_eq!(made, batch, "{at}");
}

#[test]
fn a_campaign_goes_on_from_its_snapshots_as_from_its_beginning() {
    let shown = both::<Campaigns>("campaigns", "1805-moravia.yaml", Tempo::Live, 60);
    assert!(shown.snapshots > 15 && shown.compared > 40 && shown.short == 0, "{shown:?}");
    // Of the turn that is played all is at hand.
    assert!(shown.reported > shown.compared, "{shown:?}");
    let shown = both::<Campaigns>("campaigns", "teaching.yaml", Tempo::Sealed, 200);
    assert!(shown.snapshots > 5 && shown.compared > 10 && shown.short == 0, "{shown:?}");
}

#[test]
fn a_game_in_which_an_umpire_acts_goes_on_from_its_snapshots_as_from_its_beginning() {
    // Back from a later turn: what was rolled there belongs to no turn that stands.
    let acts = [(14, Act::Rewind { rest: 2 })];
    let shown = acted::<Campaigns>("campaigns", "teaching.yaml", Tempo::Live, 40, &acts);
    assert!(shown.snapshots > 3 && shown.compared > 10 && shown.reported > 10, "{shown:?}");
    // He decides the combats: a roll waits for him in a leg that has begun.
    let shown = acted::<Campaigns>("campaigns", "1805-moravia.yaml", Tempo::Live, 60, &[(1, Act::Free { on: true })]);
    assert!(shown.snapshots > 10 && shown.compared > 20 && shown.reported > 10, "{shown:?}");
}

#[test]
fn austerlitz_goes_on_from_its_snapshots_as_from_its_beginning() {
    let shown = both::<Austerlitz>("austerlitz1805", "fog-teaching.yaml", Tempo::Live, 200);
    assert!(shown.snapshots > 5 && shown.compared > 10 && shown.short == 0, "{shown:?}");
}

#[test]
fn brave_fellows_go_on_from_their_snapshots_as_from_their_beginning() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let shown = both::<BraveFellows>("brave_fellows", "durenstein-day-masked.yaml", tempo, 80);
        assert!(shown.snapshots > 1 && shown.compared > 20 && shown.short == 0, "{shown:?}");
    }
}

#[test]
fn great_battles_go_on_from_their_snapshots_as_from_their_beginning() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let shown = both::<GreatBattles>("great_battles", "hill-masked.yaml", tempo, 80);
        assert!(shown.snapshots > 2 && shown.compared > 10 && shown.short == 0, "{shown:?}");
    }
}

/// What may be asked of a game, or done with it.
type Ask = fn(&mut Hosted<Campaigns>, &SeatId);
type Look = fn(&Hosted<Campaigns>, &SeatId);

/// A campaign at its last snapshot but some, as it was opened there, with all of its chain behind.
fn cut_short() -> (Hosted<Campaigns>, Kept, Stood) {
    let files = files("campaigns", "teaching.yaml");
    let mut game = open::<Campaigns>(&files, Tempo::Live, None);
    let (mut kept, mut stood) = (Kept::default(), Vec::new());
    let mut input = Input::Begin;
    for mail in 0..12 {
        let batch = game.take(input).unwrap();
        kept.entries.extend(batch.entries.iter().map(|e| (e.slot, e.kind.to_owned(), e.body.clone())));
        kept.open.clone_from(&batch.open);
        stood.extend(game.snapshot().map(|snapshot| Stood { snapshot, entries: kept.entries.len() }));
        let due = batch.dues.first().unwrap();
        let written = game.bot(&due.seat, mail).body().clone();
        input = orders(&due.seat, &written);
    }
    let stood = stood.pop().unwrap();
    let entries = kept.entries[stood.entries..].to_vec();
    let short = Kept { snapshot: Some(stood.snapshot.clone()), entries, open: kept.open.clone() };
    (open(&files, Tempo::Live, Some(short)), kept, stood)
}

#[test]
fn who_asks_for_what_lies_before_a_snapshot_is_found_out() {
    let seat = SeatId::from("french");
    let asked: [(&str, Ask); 9] = [
        ("HISTORY", |game, seat| drop(game.history(seat, None))),
        ("SUMMARY", |game, seat| drop(game.summary(seat))),
        ("ROLLS", |game, seat| drop(game.rolls_of(seat))),
        ("the truth", |game, _| drop(game.truth())),
        ("RESTS", |game, _| drop(game.rests())),
        ("the film", |game, seat| drop(game.film(Some(seat)))),
        ("a walk", |game, _| drop(game.walk())),
        ("the tally", |game, _| drop(game.tally())),
        ("REWIND", |game, _| {
            let act = Act::Rewind { rest: 1 };
            drop(game.take(Input::Umpire { by: SeatId::from("umpire"), act, reason: String::new() }));
        }),
    ];
    for (what, ask) in asked {
        let (mut game, ..) = cut_short();
        assert!(!game.fell_short(), "{what}");
        ask(&mut game, &seat);
        assert!(game.fell_short(), "{what}");
    }
    let untouched: [(&str, Look); 7] = [
        ("MAP", |game, seat| drop(game.map(seat, None, Default::default()))),
        ("CHECK", |game, seat| drop(game.check(seat, &[(1, "END".to_owned())]))),
        ("ORDERS", |game, seat| drop(game.examples(seat))),
        ("DOCTRINE", |game, seat| drop(game.doctrine(seat))),
        ("VICTORY", |game, seat| drop(game.victory(seat))),
        ("the sheet", |game, seat| drop(game.sheet(seat))),
        ("the bot", |game, seat| drop(game.bot(seat, 1))),
    ];
    for (what, ask) in untouched {
        let (game, ..) = cut_short();
        ask(&game, &seat);
        assert!(!game.fell_short(), "{what}");
    }
}

#[test]
fn a_snapshot_is_proved_by_the_chain_before_it() {
    let (game, kept, stood) = cut_short();
    let before = &kept.entries[..stood.entries];
    assert!(game.follows(before, &stood.snapshot));
    // Without its last mail the chain comes to something else, and so does another position.
    let last = before.iter().rposition(|(_, kind, _)| kind == "input").unwrap();
    assert!(!game.follows(&before[..last], &stood.snapshot));
    let mut other = stood.snapshot.clone();
    let place = other.len() / 2;
    other[place] ^= 1;
    assert!(!game.follows(before, &other));
}

//! Hostile mails in twin games: equal in all that the writer's side may know, so that every byte of the answers is equal.

use super::raw::{self, Head};
use super::strict::{self, Letter};
use super::words;
use super::world::World;
use crate::gateway::bench::copied;
use crate::toys::Whim;
use estafette::clock::Clock;
use estafette::fog::SideId;
use estafette::games::{self, Entry, GAMES, Opened, Stored, entry};
use estafette::gateway::{Office, table};
use estafette::mail::maildir::Maildir;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;
use estafette::store::GameState;
use std::cell::{Cell, RefCell};
use std::path::Path;

thread_local! {
    /// The game of which all is changed that a side may not know, the side, and the noise.
    static TWIN: RefCell<Option<(String, SideId, u64)>> = const { RefCell::new(None) };
    /// How many games were opened with another truth.
    static OTHERS: Cell<u32> = const { Cell::new(0) };
}

static TWINS: &[Entry] =
    &[Entry { open: campaigns, ..entry::<Campaigns>() }, Entry { open: austerlitz, ..entry::<Austerlitz>() }];

fn campaigns(stored: Stored) -> Opened {
    scrambled("campaigns", stored)
}

fn austerlitz(stored: Stored) -> Opened {
    scrambled("austerlitz1805", stored)
}

fn scrambled(name: &str, stored: Stored) -> Opened {
    let id = stored.game.clone();
    let game = (games::find(GAMES, name).unwrap().open)(stored)?;
    TWIN.with_borrow(|twin| match twin {
        Some((meant, side, noise)) if *meant == id => {
            let other = game.scrambled(side, *noise);
            OTHERS.set(OTHERS.get() + u32::from(other.truth() != game.truth()));
            Ok(other)
        }
        _ => Ok(game),
    })
}

/// All letters that a mail causes in a post office, in their order.
fn answered(dir: &Path, entries: &'static [Entry], raw: &[u8]) -> Vec<Vec<u8>> {
    Maildir::open(&dir.join("mail")).unwrap().deliver(raw).unwrap();
    let mut office =
        Office::with_clock(dir, entries, false, Clock::from_text("2026-01-02T00:00:00Z").unwrap()).unwrap();
    office.pass().unwrap();
    Maildir::open(&dir.join("mail")).unwrap().sent().unwrap()
}

/// What the writer and his fellows see of them.
fn seen(mails: &[Vec<u8>], addresses: &[String]) -> Vec<Letter> {
    let letters = mails.iter().filter_map(|raw| strict::letter(raw).0);
    letters.filter(|letter| addresses.contains(&letter.to) || letter.tag().is_none()).collect()
}

#[test]
fn no_hostile_question_has_an_answer_that_hangs_on_what_is_hidden() {
    let mut world = World::furnished();
    let (mut compared, mut told_apart, mut leaks) = (0, 0, Vec::new());
    // A seal is over the chain, by a key that nobody has before the end.
    let bare = |raw: &[u8]| {
        let text = String::from_utf8_lossy(raw).into_owned();
        text.lines().filter(|line| !line.starts_with("seal ")).collect::<Vec<_>>().join("\n")
    };
    let text = |letters: &[Letter]| letters.iter().map(|l| bare(&l.raw)).collect::<String>();
    let mut whim = Whim(5);
    for step in 0..super::number("HOSTILE_TWINS", 40) {
        let at = [0, 3, 2, 1, 4][step % 5];
        if world.state(at) != GameState::Playing {
            world.renew(at);
        }
        let (game, ruleset) = (world.boards[at].id.clone(), world.boards[at].ruleset);
        let seat = world.boards[at].hostile[step / 5 % world.boards[at].hostile.len()];
        let row = world.store().game(&game).unwrap().unwrap();
        let open = table::open(GAMES, world.store(), &row).unwrap();
        let seats = open.seats();
        let side = seats.iter().find(|(name, _)| name.0 == seat).unwrap().1.clone();
        let fellows: Vec<String> =
            seats.iter().filter(|(_, of)| *of == side).map(|(name, _)| world.boards[at].address(&name.0)).collect();
        let known = &world.boards[at].known;
        let mut lines: Vec<String> = (0..12).map(|_| words::question(&mut whim, known)).collect();
        lines.push("CHECK".to_owned());
        lines.extend((0..60).map(|_| words::order(&mut whim, ruleset, known)));
        let head = Head {
            from: world.boards[at].address(seat),
            subject: world.subject(&game, seat),
            id: format!("<twin-{step}@evil.example>"),
            more: Vec::new(),
        };
        let raw = raw::encoded(&head, "text/plain; charset=utf-8", "8bit", lines.join("\r\n").as_bytes());
        let (one, two) = (copied(world.dir.path()), copied(world.dir.path()));
        let first = seen(&answered(one.path(), GAMES, &raw), &fellows);
        let noise = u64::try_from(step).unwrap() + 1;
        if step < 5 {
            // The same with the other side's knowledge kept: here the answers must differ, or the comparison sees nothing.
            let three = copied(world.dir.path());
            let other = seats.iter().find(|(_, of)| *of != side).unwrap().1.clone();
            TWIN.set(Some((game.clone(), other, noise)));
            let third = seen(&answered(three.path(), TWINS, &raw), &fellows);
            told_apart += u32::from(text(&first) != text(&third));
        }
        TWIN.set(Some((game.clone(), side, noise)));
        let second = seen(&answered(two.path(), TWINS, &raw), &fellows);
        TWIN.set(None);
        compared += u32::from(!first.is_empty());
        let (first, second) = (text(&first), text(&second));
        if first != second {
            let odd = first.lines().zip(second.lines()).find(|(a, b)| a != b);
            leaks.push(format!(
                "step {step}, {game} {seat}: {odd:?}\n--- mail\n{}",
                String::from_utf8_lossy(&raw).chars().take(1500).collect::<String>()
            ));
        }
        if let Some((mover, body)) = world.learn(at) {
            world.mail_of(at, &mover, &body);
            world.pass().unwrap();
            world.learn(at);
        }
    }
    assert!(leaks.is_empty(), "{} leaks\n{}", leaks.len(), leaks.join("\n"));
    let others = OTHERS.get();
    assert!(told_apart >= 4, "only {told_apart} of 5 told apart");
    assert!(compared >= 20 && others * 10 >= compared * 8, "{others} of {compared} were other games");
}

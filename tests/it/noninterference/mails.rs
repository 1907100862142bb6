//! The same at the post office: raw bytes of whole mails, with head lines, attachments, number and order.

use super::{first_difference, probes};
use crate::gateway::bench::{Bench, Mail, TOYS, campaign, copied, teaching, to, written};
use estafette::clock::Clock;
use estafette::fog::{SeatId, SideId};
use estafette::games::{self, Entry, Opened, Stored, entry};
use estafette::gateway::{NewGame, Office, table};
use estafette::mail::maildir::Maildir;
use estafette::mail::seal;
use estafette::rules::campaigns::Campaigns;
use estafette::store::{GameState, Tempo};
use std::cell::{Cell, RefCell};
use std::path::Path;

thread_local! {
    /// Whose knowledge is kept when a game is opened, and the noise; none leaves the game as it is.
    static KEEP: RefCell<Option<(SideId, u64)>> = const { RefCell::new(None) };
    /// How many games were opened with another truth.
    static OTHERS: Cell<u32> = const { Cell::new(0) };
}

/// The real ruleset, opened from the store with everything changed that one side may not know.
static SCRAMBLED: &[Entry] = &[Entry { open: scrambled, ..entry::<Campaigns>() }];

fn scrambled(stored: Stored) -> Opened {
    let game = (games::find(games::GAMES, "campaigns").unwrap().open)(stored)?;
    KEEP.with_borrow(|keep| {
        let Some((side, noise)) = keep else { return Ok(game) };
        let other = game.scrambled(side, *noise);
        OTHERS.set(OTHERS.get() + u32::from(other.truth() != game.truth()));
        Ok(other)
    })
}

/// Everything that can be asked for, and lines that touch the enemy.
fn everything(dir: &Path, seat: &str, noise: u64) -> String {
    let office = Office::with_clock(dir, TOYS, false, Clock::from_text("2026-01-01T00:00:00Z").unwrap()).unwrap();
    let row = office.store.game("strem-1").unwrap().unwrap();
    let game = table::open(TOYS, &office.store, &row).unwrap();
    let tried: Vec<String> =
        probes(game.as_ref(), &SeatId::from(seat), noise << 33).into_iter().map(|(_, line)| line).collect();
    let asked = "FORMAT BOTH\nREPORT\nREPORT TURN 1\nMAP\nMAP 0705\nHISTORY\nORDERS\nDOCTRINE\nDEADLINE\nAUDIT\nRULES ¶232\nHELP\nHELP \
                 MARCH\nVICTORY\nSHOW coalition\nWHY 1\nDANCE\nCHECK\n";
    format!("{asked}{}\n", tried.join("\n"))
}

/// What a seat gets in answer to a mail, in the order in which it goes out.
fn answered(dir: &Path, entries: &'static [Entry], seat: &str, body: &str) -> Vec<Vec<u8>> {
    let from = format!("{seat}@example.org");
    let maildir = || Maildir::open(&dir.join("mail")).unwrap();
    let sent: Vec<Mail> = maildir().sent().unwrap().into_iter().map(crate::gateway::bench::parsed).collect();
    let before = sent.len();
    let subject = sent.into_iter().rfind(|mail| mail.to == from).unwrap().subject;
    maildir().deliver(written(&from, &subject, body, 7_777).as_bytes()).unwrap();
    let clock = Clock::from_text("2026-01-01T06:00:00Z").unwrap();
    let mut office = Office::with_clock(dir, entries, false, clock).unwrap();
    office.pass().unwrap();
    let new = maildir().sent().unwrap().split_off(before);
    new.into_iter().filter(|raw| crate::gateway::bench::parsed(raw.clone()).to == from).collect()
}

#[test]
fn a_seat_s_raw_mails_are_the_same_whatever_lies_hidden() {
    let (mut compared, mut noise) = (0, 1);
    for (tempo, most) in [(Tempo::Live, 20), (Tempo::Sealed, 10)] {
        let mut bench = Bench::new();
        bench.office.new_game(&NewGame { tempo, ..campaign(&teaching()) }).unwrap();
        bench.pass();
        bench.reply("french", "SIGNON\nNONCE Vive l'Empereur");
        bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz");
        for mail in 0..most {
            let Some((mover, body)) = house_player(&bench, mail) else { break };
            for seat in ["french", "coalition"] {
                noise += 1;
                let body = everything(bench.dir.path(), seat, noise);
                let (one, two) = (copied(bench.dir.path()), copied(bench.dir.path()));
                let first = answered(one.path(), TOYS, seat, &body);
                KEEP.set(Some((seat.into(), noise)));
                let second = answered(two.path(), SCRAMBLED, seat, &body);
                KEEP.set(None);
                assert!(!first.is_empty() && first[0].len() > 5_000, "{seat} got no answer");
                let text = |raw: &[Vec<u8>]| String::from_utf8_lossy(&raw.concat()).into_owned();
                let (first, second) = (text(&first), text(&second));
                assert!(first == second, "{seat}, mail {mail}: {}", first_difference(&first, &second));
                compared += 1;
            }
            bench.reply(&mover, &body);
        }
    }
    let others = OTHERS.get();
    assert!(compared >= 40 && others * 10 >= compared * 9, "{others} of {compared} were other games");
}

/// Somebody who owes something, and what the program's own player writes for him.
pub fn house_player(bench: &Bench, noise: u64) -> Option<(String, String)> {
    let row = bench.office.store.game("strem-1").unwrap().unwrap();
    if row.state != GameState::Playing {
        return None;
    }
    let game = table::open(bench.office.entries(), &bench.office.store, &row).unwrap();
    let seat = game.dues().first()?.seat.clone();
    let lines = game.bot(&seat, noise).into_parts().1;
    Some((seat.0, lines.join("\n")))
}

/// A seat's answer to its last mail, under a Message-ID that counts its own mails alone.
fn say(bench: &mut Bench, seat: &str, body: &str) {
    let from = format!("{seat}@example.org");
    let last = bench.last_to(&from);
    let n = u32::try_from(to(&bench.out(), seat).len()).unwrap();
    let raw = written(&from, &format!("Re: {}", last.subject), body, n).replace("<m", &format!("<{seat}-"));
    bench.deliver(raw.as_bytes());
    bench.pass();
}

/// The coalition plans, asks, thinks and slips; the French post must not feel it, in any byte, number or order of mails.
#[test]
fn what_the_enemy_asks_and_plans_changes_no_mail() {
    for (tempo, protocol) in [(Tempo::Live, 1), (Tempo::Sealed, 1), (Tempo::Live, 2), (Tempo::Sealed, 2)] {
        let ((one, theirs), (two, busier)) = (quarrel(tempo, false, protocol), quarrel(tempo, true, protocol));
        assert!(busier.len() > theirs.len() + 8 && one.len() > 8, "{} and {} mails", theirs.len(), busier.len());
        let held = busier.iter().filter(|mail| mail.subject.contains("END not counted")).count();
        assert!(held >= 3, "{tempo:?}: {held} ENDs were held");
        assert_eq!(one.len(), two.len());
        for (a, b) in one.iter().zip(&two) {
            let (a, b) = (unsealed(a), unsealed(b));
            assert!(a == b, "{tempo:?}, protocol {protocol}: {}", first_difference(&a, &b));
        }
    }
}

/// A mail but for its seal, which is the output of a keyed function of all that happened, and equal to none.
fn unsealed(mail: &Mail) -> String {
    let raw = String::from_utf8_lossy(&mail.raw).into_owned();
    seal::seal_of(&mail.text).map_or(raw.clone(), |seal| raw.replace(seal, ""))
}

/// Mails of a game to both seats. A busy coalition writes lines that are not taken, has ENDs held, takes them back.
fn quarrel(tempo: Tempo, busy: bool, protocol: u32) -> (Vec<Mail>, Vec<Mail>) {
    let mut bench = Bench::new();
    bench.office.new_game_by(&NewGame { tempo, ..campaign(&teaching()) }, None, protocol).unwrap();
    bench.pass();
    say(&mut bench, "french", "SIGNON\nNONCE Vive l'Empereur\nEND");
    say(&mut bench, "coalition", "SIGNON\nNONCE Gott erhalte Franz");
    // What a faultless mail says with END, a slip says with END ANYWAY.
    let end = if busy { "END ANYWAY" } else { "END" };
    if busy {
        say(&mut bench, "coalition", "FORMAT 40\nMAP\nREPORT\nORDERS");
        say(
            &mut bench,
            "coalition",
            "DOCTRINE CONTACT REPULSE\nDOCTRINE RETREAT FIGHT\nCHECK\nFORCE Bagration MARCH 0803",
        );
        say(&mut bench, "coalition", "FORCE Bagration gallop\nAUDIT");
        say(&mut bench, "coalition", "FORCE Kutuzov gallop\nEND");
        say(&mut bench, "coalition", "END IF ALL DONE");
        say(&mut bench, "coalition", "REVISE\nFORCE Bagration gallop\nEND");
        say(&mut bench, "coalition", "DEADLINE\nREVISE\nUNDO END");
    }
    say(&mut bench, "coalition", end);
    say(&mut bench, "french", "FORCE Lannes COMMAND MARCH 0305 0405\nEND");
    if busy {
        say(&mut bench, "coalition", "HISTORY\nDEFEND 0903 IF APPROX >= 10 TYPE PURSUIT ELSE TYPE PITCHED\nFLOOR AP 4");
        say(&mut bench, "coalition", "RESIGN\nADDRESS ADD away@example.org\nDEADLINE\nUNDO");
        say(&mut bench, "coalition", "FORCE Bagration gallop\nEND");
    }
    say(&mut bench, "coalition", end);
    // A bundle holds the digests of sealed mails, and so differs where they do.
    say(&mut bench, "french", if protocol == 1 { "REPORT\nAUDIT\nDEADLINE" } else { "REPORT\nDEADLINE" });
    for _ in 0..4 {
        let Some(due) = bench.office.store.dues("strem-1").unwrap().first().map(|due| due.seat.clone()) else { break };
        let theirs = due == "coalition";
        if busy && theirs {
            say(&mut bench, "coalition", "MAP 1005\nCHECK SHEET\nFORCE Kutuzov HOLD");
            say(&mut bench, "coalition", "FORCE Kutuzov gallop\nEND");
        }
        say(&mut bench, &due, if theirs { end } else { "END" });
    }
    let out = bench.out();
    (to(&out, "french").into_iter().cloned().collect(), to(&out, "coalition").into_iter().cloned().collect())
}

/// An END that takes effect later looks to the enemy like one that came later: the coalition ends each sheet in one mail,
/// or eight minutes earlier, with END withdrawn, held, dropped and said again before it is in force at the same moment.
#[test]
fn an_end_that_is_recalled_changes_no_mail_of_the_enemy() {
    let ((one, theirs), (two, busier)) = (recalled(false), recalled(true));
    let withdrawn = busier.iter().filter(|mail| mail.text.contains("your END is withdrawn")).count();
    assert!(busier.len() > theirs.len() + 8 && withdrawn >= 2 && one.len() > 8, "{withdrawn} of {}", busier.len());
    assert_eq!(one.len(), two.len());
    for (a, b) in one.iter().zip(&two) {
        let (a, b) = (unsealed(a), unsealed(b));
        assert!(a == b, "{}", first_difference(&a, &b));
    }
}

/// Mails of such a game to both seats.
fn recalled(busy: bool) -> (Vec<Mail>, Vec<Mail>) {
    let terms = estafette::terms::read("game.yaml", "deadline: 48h\nrecall: 10m\n").unwrap();
    let mut bench = Bench::new();
    bench.office.new_game_on(&campaign(&teaching()), Some(&terms)).unwrap();
    bench.pass();
    say(&mut bench, "french", "SIGNON\nNONCE Vive l'Empereur");
    say(&mut bench, "coalition", "SIGNON\nNONCE Gott erhalte Franz");
    fn later(bench: &mut Bench, minutes: i64) {
        bench.office.clock_mut().advance(jiff::SignedDuration::from_mins(minutes));
        bench.pass();
    }
    for _ in 0..8 {
        let Some(due) = bench.office.store.dues("strem-1").unwrap().first().map(|due| due.seat.clone()) else { break };
        if due == "coalition" {
            let slips: [(i64, &str); 4] = [
                (0, "FORCE Kutuzov HOLD\nEND"),
                (3, "UNDO END\nFORCE Bagration gallop"),
                (3, "END\nDEADLINE\nCHECK SHEET"),
                (2, "UNDO\nEND IF ALL DONE\nHISTORY"),
            ];
            for (minutes, slip) in slips {
                later(&mut bench, minutes);
                if busy {
                    say(&mut bench, "coalition", slip);
                }
            }
            say(&mut bench, "coalition", if busy { "UNDO\nEND ANYWAY" } else { "END" });
            later(&mut bench, 9);
            say(&mut bench, "french", "DEADLINE\nREPORT\nHISTORY\nCHECK\nFORCE Lannes COMMAND MARCH 0305 0405");
            later(&mut bench, 1);
        } else {
            say(&mut bench, "french", "FORCE Lannes COMMAND MARCH 0305 0405\nEND ANYWAY");
            later(&mut bench, 10);
        }
    }
    let out = bench.out();
    (to(&out, "french").into_iter().cloned().collect(), to(&out, "coalition").into_iter().cloned().collect())
}

/// What a seat gets while the clock goes on and the umpire writes: hours, and his mail if there is one.
fn while_time_passes(dir: &Path, entries: &'static [Entry], seat: &str, steps: &[(i64, &str)]) -> Vec<Vec<u8>> {
    let maildir = || Maildir::open(&dir.join("mail")).unwrap();
    let before = maildir().sent().unwrap().len();
    let clock = Clock::from_text("2026-01-01T00:00:00Z").unwrap();
    let mut office = Office::with_clock(dir, entries, true, clock).unwrap();
    office.pass().unwrap();
    for (n, (hours, body)) in (8_000..).zip(steps) {
        office.clock_mut().advance(jiff::SignedDuration::from_hours(*hours));
        if !body.is_empty() {
            let sent: Vec<Mail> = maildir().sent().unwrap().into_iter().map(crate::gateway::bench::parsed).collect();
            let subject = sent.into_iter().rfind(|mail| mail.to == "umpire@example.org").unwrap().subject;
            maildir().deliver(written("umpire@example.org", &subject, body, n).as_bytes()).unwrap();
        }
        office.pass().unwrap();
    }
    // The machine is down for a week.
    let mut clock = *office.clock_mut();
    drop(office);
    clock.advance(jiff::SignedDuration::from_hours(168));
    let mut office = Office::with_clock(dir, entries, true, clock).unwrap();
    office.pass().unwrap();
    let from = format!("{seat}@example.org");
    let new = maildir().sent().unwrap().split_off(before);
    new.into_iter().filter(|raw| crate::gateway::bench::parsed(raw.clone()).to == from).collect()
}

#[test]
fn reminders_notices_pauses_and_outages_are_the_same_whatever_lies_hidden() {
    let options = "zone: Europe/Paris\ndeadline: 96h\ngrace: 12h\nreminder: 24h\nlate: wait\n";
    let terms = estafette::terms::read("game.yaml", options).unwrap();
    let mut bench = Bench::new();
    bench.office.new_game_on(&campaign(&teaching()), Some(&terms)).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz");
    let (mut compared, mut told) = (0, 0);
    let steps =
        [(73, ""), (3, "EXTEND all 5"), (1, "PAUSE"), (50, ""), (1, "RESUME"), (27, ""), (1, ""), (30, ""), (26, "")];
    for mail in 0..8 {
        let Some((mover, body)) = house_player(&bench, mail) else { break };
        for seat in ["french", "coalition"] {
            let (one, two) = (copied(bench.dir.path()), copied(bench.dir.path()));
            let first = while_time_passes(one.path(), TOYS, seat, &steps);
            KEEP.set(Some((seat.into(), mail + 1)));
            let second = while_time_passes(two.path(), SCRAMBLED, seat, &steps);
            KEEP.set(None);
            let text = |raw: &[Vec<u8>]| String::from_utf8_lossy(&raw.concat()).into_owned();
            assert!(text(&first) == text(&second), "{seat}: {}", first_difference(&text(&first), &text(&second)));
            compared += 1;
            told += first.len();
        }
        bench.reply(&mover, &body);
    }
    // Pause, resumption, the end of the time and the outage to all; reminders, more time and waiting to who owes.
    assert!(compared >= 12 && told >= compared * 4, "{compared} compared, {told} mails");
}

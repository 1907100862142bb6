//! How much of the mails of strangers is kept, how long, and how much memory mails need.

use super::bench::{Bench, CONFIG, parsed, written};
use crate::servers::smtp::FakeSmtp;
use estafette::store::{InboxMail, InboxState};

/// A mail in the inbox by its number.
fn kept(bench: &Bench, id: i64) -> InboxMail {
    bench.office.store.inbox(id).unwrap().unwrap()
}

#[test]
fn a_strangers_mail_is_kept_in_part_and_a_seats_whole() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let body = "a line of some length, as people write\n".repeat(20_000);
    let stranger = written("eve@evil.example", "hello", &body, 501);
    bench.deliver(stranger.as_bytes());
    let own = bench.last_to("french@example.org").subject;
    let quoted = format!("HISTORY\n{}", "> a line of the report\n".repeat(10_000));
    let own = written("french@example.org", &own, &quoted, 502);
    bench.deliver(own.as_bytes());
    bench.pass();
    let last = bench.office.store.inbox_ids_of_game("toy-7").unwrap().pop().unwrap();
    assert_eq!(kept(&bench, last).raw, own.as_bytes());
    let cut = kept(&bench, last - 1);
    assert_eq!((cut.state, cut.raw.len(), cut.bytes), (InboxState::Refused, 64 << 10, Some(stranger.len() as u64)));
    // It is known again all the same.
    bench.deliver(stranger.as_bytes());
    bench.pass();
    assert_eq!(bench.office.store.inbox(last + 1).unwrap(), None);
}

#[test]
fn strangers_do_not_fill_the_disk() {
    let mut bench = Bench::with_config(&format!("{CONFIG}[keep]\nstrangers_bytes_max = 400000\n"));
    let body = "a line of some length, as people write\n".repeat(5_000);
    for n in 0..100 {
        bench.deliver(written(&format!("eve{n}@evil.example"), "hello", &body, n).as_bytes());
    }
    bench.pass();
    let total: usize = (1..=100).map(|id| kept(&bench, id).raw.len()).sum();
    assert!(total < 600_000, "{total} bytes");
    // The next day the oldest go; the rows stay.
    bench.advance(24);
    bench.pass();
    let total: usize = (1..=100).map(|id| kept(&bench, id).raw.len()).sum();
    assert!(total <= 400_000, "{total} bytes");
    // Their time is up after thirty days.
    bench.advance(24 * 31);
    bench.pass();
    for id in 1..=100 {
        let mail = kept(&bench, id);
        assert!(mail.raw.is_empty() && mail.is_cut() && mail.reason.is_some(), "{id}: {} bytes", mail.raw.len());
    }
    // What is tried again without its bytes says so.
    bench.office.store.act(|act| act.retry_in(7)).unwrap();
    bench.pass();
    assert!(kept(&bench, 7).reason.unwrap().contains("no longer kept"));
    // A game's own mails stay for its audit.
    bench.new_game("toy-7", "toy-fellows", true);
    bench.pass();
    bench.reply("french", "SIGNON");
    bench.advance(24 * 100);
    bench.pass();
    bench.advance(24);
    bench.pass();
    let signed = bench.office.store.inbox_of_game("toy-7").unwrap().remove(0);
    assert!(!signed.raw.is_empty() && !signed.is_cut());
}

#[test]
fn half_of_a_mail_is_not_carried_out() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let subject = bench.last_to("french@example.org").subject;
    bench.deliver(written("french@example.org", &subject, "FORMAT 40\nFORMAT ASCII\n", 700).as_bytes());
    bench.pass();
    let id = bench.office.store.inbox_ids_of_game("toy-7").unwrap().pop().unwrap();
    let before = bench.office.store.log_head("toy-7").unwrap().seq;
    bench.office.store.act(|act| act.cut_raw(id, kept_bytes(&bench, id) - 15)).unwrap();
    bench.office.store.act(|act| act.settle(id, InboxState::New, None)).unwrap();
    assert!(bench.pass().is_empty());
    assert_eq!(
        (kept(&bench, id).state, bench.office.store.log_head("toy-7").unwrap().seq),
        (InboxState::Quarantined, before)
    );
}

fn kept_bytes(bench: &Bench, id: i64) -> usize {
    kept(bench, id).raw.len()
}

#[cfg(target_os = "linux")]
#[test]
fn a_hundred_mails_of_sixty_megabytes_need_little_memory() {
    use std::io::{Seek, SeekFrom, Write};
    let dir = tempfile::tempdir().unwrap();
    let estafette = |args: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_estafette"));
        command.args(args).arg("--dir").arg(dir.path()).stdout(std::process::Stdio::null());
        command
    };
    assert!(estafette(&["init"]).status().unwrap().success());
    let new = dir.path().join("mail/in/new");
    std::fs::create_dir_all(&new).unwrap();
    for n in 0..100 {
        // A file with a hole: it has its size and takes no room.
        let mut file = std::fs::File::create(new.join(format!("{n:03}.big"))).unwrap();
        file.write_all(written(&format!("eve{n}@evil.example"), "hello", "LIST\n", n).as_bytes()).unwrap();
        file.seek(SeekFrom::Start(60 << 20)).unwrap();
        file.write_all(b"\r\n").unwrap();
    }
    let mut child = estafette(&["serve"]).stderr(std::process::Stdio::null()).spawn().unwrap();
    // Until all are taken in; a process that dies leaves some.
    for _ in 0..3000 {
        let left = std::fs::read_dir(&new).unwrap().count();
        if left == 0 || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    child.kill().unwrap();
    child.wait().unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let peak: u64 = peak.trim().trim_end_matches(" kB").trim().parse().unwrap();
    println!("VmHWM {peak} kB");
    assert_eq!(std::fs::read_dir(&new).unwrap().count(), 0);
    assert!(peak < 200_000, "{peak} kB");
}

#[test]
fn one_game_does_not_use_up_the_quota_of_the_office() {
    let server = FakeSmtp::start();
    let port = server.port;
    let config = format!(
        "address = \"post@example.org\"\nreminder_hours = 0\ntransport = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {port}\n\
         security = \"none\"\nmails_per_day_max = 40\n"
    );
    let mut bench = Bench::with_config(&config);
    bench.new_game("toy-7", "toy-fellows", true);
    bench.office.pass().unwrap();
    for seat in ["french", "coalition"] {
        bench.reply_by(seat, "SIGNON");
        bench.office.pass().unwrap();
    }
    bench.new_game("toy-8", "toy-fellows", true);
    let opened = bench.office.pass().unwrap().sent;
    assert_eq!(opened, 3);
    let subject = |bench: &Bench, game: &str| {
        let mail = bench.office.store.outbox_of_seat(game, "french").unwrap().pop().unwrap();
        parsed(mail.raw).subject
    };
    let before = server.taken().len();
    let tag = subject(&bench, "toy-7");
    for _ in 0..50 {
        bench.post("french@example.org", &tag, "HISTORY\n");
    }
    bench.office.pass().unwrap();
    let asked = server.taken().len() - before;
    assert!(asked <= 10, "{asked} answers in a day that has room for 40 mails");
    // Turn letters of the same game, and all mails of the other, still go.
    let tag = subject(&bench, "toy-8");
    bench.post("french@example.org", &tag, "SIGNON\n");
    let sent = bench.office.pass().unwrap().sent;
    assert!(sent >= 1, "the other game's mail waits");
    // What waited goes out on the days that follow.
    let mut days = 0;
    while bench.office.store.outbox_counts().unwrap().0 > 0 && days < 10 {
        bench.advance(24);
        bench.office.pass().unwrap();
        days += 1;
    }
    assert!((3..10).contains(&days), "{days} days");
}

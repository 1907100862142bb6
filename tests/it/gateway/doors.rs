//! Mail by LMTP and by standard input: taken when it is committed, and not before.

use super::bench::{Bench, START, TOYS, to, written};
use estafette::clock::Clock;
use estafette::gateway::Office;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Says a line and gives the last line of the answer.
pub fn say<S: Read + Write>(stream: &mut BufReader<S>, line: &str) -> String {
    if !line.is_empty() {
        stream.get_mut().write_all(format!("{line}\r\n").as_bytes()).unwrap();
    }
    loop {
        let mut answer = String::new();
        stream.read_line(&mut answer).unwrap();
        if answer.as_bytes().get(3) != Some(&b'-') {
            return answer.trim_end().to_owned();
        }
    }
}

#[test]
fn a_mail_by_lmtp_is_kept_when_it_is_answered_and_done_once() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let config = format!("address = \"post@example.org\"\n[lmtp]\nlisten = \"127.0.0.1:{port}\"\n");
    let mut bench = Bench::with_config(&config);
    bench.new_game("toy-7", "toy-fellows", true);
    bench.pass();
    bench.office.open_doors(&Arc::new(AtomicBool::new(false))).unwrap();
    let mut line = BufReader::new(TcpStream::connect(("127.0.0.1", port)).unwrap());
    let subject = bench.last_to("french@example.org").subject;
    assert!(say(&mut line, "").starts_with("220"));
    assert!(say(&mut line, "EHLO x").starts_with("500"));
    assert!(say(&mut line, "LHLO x").starts_with("250"));
    assert!(say(&mut line, "DATA").starts_with("503"));
    assert!(say(&mut line, "RCPT TO:<post@example.org>").starts_with("503"));
    for n in [1, 1, 2] {
        let sender = if n == 2 { "" } else { "french@example.org" };
        assert!(say(&mut line, &format!("MAIL FROM:<{sender}>")).starts_with("250"));
        assert!(say(&mut line, "RCPT TO:<nobody@example.org>").starts_with("550"));
        assert!(say(&mut line, "RCPT TO:<Post+tag@Example.org>").starts_with("250"));
        assert!(say(&mut line, "DATA").starts_with("354"));
        let raw = written("french@example.org", &subject, "SIGNON\n..dots\n", n);
        assert!(say(&mut line, &format!("{raw}\r\n.")).starts_with("250"));
    }
    let kept = bench.office.store.new_mails(9).unwrap();
    assert_eq!(kept.len(), 2, "the second copy is known");
    let first = String::from_utf8(kept[0].raw.clone()).unwrap();
    assert!(first.starts_with("Return-Path: <french@example.org>\r\n") && first.contains("\r\n.dots\r\n"), "{first}");
    assert!(bench.office.wait(Duration::ZERO), "the bell rang");
    let mails = bench.pass();
    assert_eq!(
        (mails.len(), to(&mails, "french").len()),
        (1, 1),
        "the mail with a null sender is a machine's: {mails:?}"
    );
    assert!(say(&mut line, "QUIT").starts_with("221"));
}

#[test]
fn an_lmtp_line_that_breaks_leaves_nothing_and_a_full_disk_is_said() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let config = format!("address = \"post@example.org\"\n[lmtp]\nlisten = \"127.0.0.1:{port}\"\n");
    let bench = Bench::with_config(&config);
    bench.office.open_doors(&Arc::new(AtomicBool::new(false))).unwrap();
    let talk = |end: &str| {
        let mut line = BufReader::new(TcpStream::connect(("127.0.0.1", port)).unwrap());
        for said in ["", "LHLO x", "MAIL FROM:<a@b.example>", "RCPT TO:<post@example.org>", "DATA"] {
            say(&mut line, said);
        }
        line.get_mut().write_all(format!("From: a@b.example\r\n\r\nhello{end}").as_bytes()).unwrap();
        line
    };
    drop(talk("\r\n"));
    let hidden = bench.dir.path().join("hidden.db");
    std::fs::rename(bench.dir.path().join("estafette.db"), &hidden).unwrap();
    assert!(say(&mut talk("\r\n.\r\n"), "").starts_with("451"));
    std::fs::rename(&hidden, bench.dir.path().join("estafette.db")).unwrap();
    assert_eq!(bench.office.store.new_mails(9).unwrap(), []);
    assert!(say(&mut talk("\r\n.\r\n"), "").starts_with("250"));
    assert_eq!(bench.office.store.new_mails(9).unwrap().len(), 1);
}

#[test]
fn a_mail_too_large_for_us_is_cut_with_its_true_size_and_those_behind_it_come() {
    let place = tempfile::tempdir().unwrap();
    let socket = place.path().join("lmtp");
    let config = format!("address = \"post@example.org\"\n[lmtp]\nlisten = \"unix:{}\"\n", socket.to_str().unwrap());
    let bench = Bench::with_config(&config);
    bench.office.open_doors(&Arc::new(AtomicBool::new(false))).unwrap();
    let mut line = BufReader::new(UnixStream::connect(&socket).unwrap());
    let head = "From: a@b.example\r\nMessage-ID: <large@b.example>\r\n\r\n";
    let large = format!("{head}{}", "..x\r\n".repeat(2 << 20));
    assert!(say(&mut line, "").starts_with("220"));
    for raw in [large.as_str(), "From: a@b.example\r\n\r\nhello\r\n"] {
        for said in ["LHLO x", "MAIL FROM:<a@b.example>", "RCPT TO:<post@example.org>"] {
            assert!(say(&mut line, said).starts_with("250"));
        }
        assert!(say(&mut line, "DATA").starts_with("354"));
        assert!(say(&mut line, &format!("{raw}.")).starts_with("250"));
    }
    let kept = bench.office.store.new_mails(9).unwrap();
    let path = "Return-Path: <a@b.example>\r\n".len();
    // Each dot that stands for itself was doubled on the way.
    let size = path + head.len() + (2 << 20) * ".x\r\n".len();
    // Nobody we know wrote it, so a part of it is enough.
    assert_eq!((kept[0].raw.len(), kept[0].bytes), (64 << 10, Some(size as u64)));
    assert!(kept[1].raw.ends_with(b"\r\n\r\nhello\r\n"));
}

#[test]
fn the_daemon_tells_who_started_it_how_it_is_and_keeps_a_second_one_out() {
    let Bench { dir, office, .. } = Bench::new();
    drop(office);
    let place = dir.path().join("notify");
    let manager = UnixDatagram::bind(&place).unwrap();
    manager.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let heard = || {
        let mut said = [0; 100];
        let count = manager.recv(&mut said).unwrap();
        String::from_utf8_lossy(&said[..count]).into_owned()
    };
    let serve = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        command.args(["serve", "--dir"]).arg(dir.path()).env("NOTIFY_SOCKET", &place);
        command.env("ESTAFETTE_CLOCK", START).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let mut daemon = serve().spawn().unwrap();
    assert_eq!(heard(), "READY=1");
    let second = serve().output().unwrap();
    let why = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(!second.status.success() && why.contains("estafette.lock"), "{:?}: {why}", second.status);
    assert!(Command::new("kill").args(["-TERM", &daemon.id().to_string()]).status().unwrap().success());
    assert_eq!(heard(), "STOPPING=1", "the second one has told nothing");
    assert_eq!(daemon.wait().unwrap().code(), Some(0));
}

#[test]
fn a_mail_by_standard_input_is_taken_with_the_exit_codes_of_mail_servers() {
    let bench = Bench::with_game("toy-7", "toy-fellows");
    let run = |args: &[&str], raw: &[u8]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        command.arg("deliver").args(args).env("ESTAFETTE_CLOCK", START);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // Where there is nothing to deliver to, it may end before it has read.
        let written = child.stdin.take().unwrap().write_all(raw);
        let code = child.wait().unwrap().code();
        assert!(written.is_ok() || code != Some(0), "{written:?}");
        code
    };
    let dir = bench.dir.path().to_str().unwrap();
    let subject = bench.last_to("french@example.org").subject;
    let raw = written("french@example.org", &subject, "SIGNON\n", 5);
    let mbox = format!("From french@example.org Thu Jan  1 00:00:00 2026\r\n{raw}");
    assert_eq!(run(&["--dir", dir, "--sender", "french@example.org"], mbox.as_bytes()), Some(0));
    assert_eq!(run(&["--dir", dir], raw.as_bytes()), Some(0));
    let kept = bench.office.store.new_mails(9).unwrap();
    assert_eq!(kept.len(), 1);
    assert!(kept[0].raw.starts_with(b"Return-Path: <french@example.org>\r\nFrom: french@example.org"));
    // Far above the limit: taken, and answered by the reader.
    assert_eq!(run(&["--dir", dir], &vec![b'x'; 9 << 20]), Some(0));
    let large = &bench.office.store.new_mails(9).unwrap()[1];
    assert_eq!((large.raw.len(), large.bytes), (64 << 10, Some(9 << 20)));
    assert_eq!(run(&["--dir", "/nowhere/at/all"], raw.as_bytes()), Some(78));
    std::fs::remove_file(bench.dir.path().join("estafette.db")).unwrap();
    assert_eq!(run(&["--dir", dir], raw.as_bytes()), Some(75));
}

#[test]
fn a_backup_is_a_whole_post_office_and_nobody_else_may_read_it() {
    let mut bench = Bench::with_game("toy-7", "toy-fellows");
    bench.reply("french", "SIGNON");
    let copy = bench.dir.path().join("copy.db");
    let args = ["estafette", "backup", "--dir", bench.dir.path().to_str().unwrap(), copy.to_str().unwrap()];
    let run = || estafette::cli::run(args.map(Into::into), TOYS, &mut std::io::sink(), &mut std::io::sink());
    assert_eq!(run(), 0);
    assert_eq!(run(), 3, "a backup is never written over");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&copy).unwrap().permissions());
    assert_eq!(mode & 0o077, 0);
    // What comes after the backup is gone after the restore; what came before goes on.
    let other = Bench::new();
    let place = other.dir.path().join("estafette.db");
    let dir = other.dir;
    drop(other.office);
    for name in ["estafette.db-wal", "estafette.db-shm"] {
        let _ = std::fs::remove_file(dir.path().join(name));
    }
    std::fs::copy(&copy, place).unwrap();
    let mut office = Office::with_clock(dir.path(), TOYS, true, Clock::from_text(START).unwrap()).unwrap();
    assert_eq!(office.store.integrity().unwrap(), Vec::<String>::new());
    assert!(office.store.seats("toy-7").unwrap()[0].signed_on.is_some());
    assert!(office.pass().unwrap().quiet());
    // And a second daemon is kept out.
    assert!(Office::with_clock(dir.path(), TOYS, true, Clock::from_text(START).unwrap()).is_err());
}

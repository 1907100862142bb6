//! The daemon in a world that fails it: every call on its files in turn, and mails in the middle of which it ends.

use crate::gateway::bench::{Bench, CONFIG, TOYS, copied, teaching, written};
use crate::kill::{START, command, grieved, undisturbed, until_quiet};
use estafette::mail::maildir::Maildir;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The library that makes a call fail, compiled where there is a compiler.
#[cfg(target_os = "linux")]
fn library(folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/fault.c");
    let made = folder.join("fault.so");
    let done = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&made).arg(source).arg("-ldl").status();
    done.is_ok_and(|status| status.success()).then_some(made)
}

/// FAULTS=all makes every call fail in turn; the short run takes some forty of them.
#[cfg(target_os = "linux")]
#[test]
fn whichever_call_on_a_file_fails_once_nothing_is_set_aside_lost_or_done_twice() {
    let made = tempfile::tempdir().unwrap();
    let Some(library) = library(made.path()) else {
        println!("no C compiler: not run");
        return;
    };
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nEND");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\nEND");
    let tag = bench.last_to("french@example.org").subject;
    // The second counts on the first: it must not overtake it. Nor must the enemy's, whose turn comes by it.
    for (n, body) in [(300, "FORCE Lannes COMMAND MARCH 0305 0405\nHISTORY"), (301, "FORCE MC1 HOLD\nMAP\nEND ANYWAY")]
    {
        bench.deliver(written("french@example.org", &tag, body, n).as_bytes());
    }
    let theirs = bench.last_to("coalition@example.org").subject;
    bench.deliver(written("coalition@example.org", &theirs, "END ANYWAY", 302).as_bytes());
    let Bench { dir, office, .. } = bench;
    drop(office);
    let (_done, wanted, _) = undisturbed(dir.path(), START);
    let serve = |at: &Path, nth: usize, count: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        command.args(["serve", "--once", "--dir"]).arg(at).env("ESTAFETTE_CLOCK", START);
        command.env("LD_PRELOAD", &library).env("FAULT_DIR", at).env("FAULT_COUNT", count);
        command.env("FAULT_NTH", nth.to_string()).output().unwrap()
    };
    let count = made.path().join("count");
    let calls: usize = {
        let at = copied(dir.path());
        assert!(serve(at.path(), 0, &count).status.success());
        std::fs::read_to_string(&count).unwrap().trim().parse().unwrap()
    };
    let all = std::env::var("FAULTS").is_ok_and(|faults| faults == "all");
    let (mut tried, mut felt) = (0, 0);
    for nth in (1..=calls).step_by(if all { 1 } else { (calls / 40).max(1) }) {
        tried += 1;
        let what = format!("call {nth} of {calls} failed");
        let done = grieved(dir.path(), START, &wanted, &what, |at| serve(at, nth, &count));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!([Some(0), Some(3)].contains(&done.status.code()), "{what}: {:?} {said}", done.status);
        assert!(!said.contains("set aside"), "{what}: {said}");
        felt += usize::from(done.status.code() == Some(3));
    }
    println!("{calls} calls, {tried} failed in turn, {felt} were felt");
    // A page that cannot be read once is read again, and nobody need hear of it.
    assert!(calls > 100 && tried >= 40 && felt > tried / 4, "{calls} calls, {tried} tried, {felt} felt");
}

/// Whatever ends the process in the middle of a mail, the third start goes on without it.
#[cfg(feature = "failpoints")]
#[test]
fn a_mail_that_ends_the_process_twice_is_set_aside_and_the_next_is_carried_out() {
    for (place, seat_is_told) in [("gateway/act", true), ("gateway/hand", true), ("gateway/taking", false)] {
        let mut bench = Bench::with_config(&format!("{CONFIG}operator = \"op@example.org\"\n"));
        bench.new_game("toy-7", "toy-fellows", true);
        bench.pass();
        let [french, coalition] =
            ["french", "coalition"].map(|seat| bench.last_to(&format!("{seat}@example.org")).subject);
        bench.deliver(written("french@example.org", &french, "SIGNON\nNONCE deadly", 100).as_bytes());
        bench.deliver(written("coalition@example.org", &coalition, "SIGNON\nNONCE sound", 101).as_bytes());
        let Bench { dir, office, .. } = bench;
        drop(office);
        let run = |fail: Option<&str>| {
            let mut child = command(dir.path(), START);
            fail.map(|fail| child.env("ESTAFETTE_FAIL", fail));
            child.output().unwrap().status
        };
        let plan = format!("{place}:1");
        for _ in 0..2 {
            assert!(!run(Some(&plan)).success(), "{place}: it was to be killed");
        }
        // Nothing of it is even read again, so that what ends the process is not met.
        let before = out(dir.path());
        assert!(run(None).success(), "{place}");
        until_quiet(dir.path(), START);
        let mails: Vec<_> = out(dir.path()).split_off(before.len());
        let to =
            |seat: &str| mails.iter().filter(|m| m.contains(&format!("To: {seat}@example.org"))).collect::<Vec<_>>();
        assert_eq!(
            to("french").iter().any(|m| m.contains("A mail of yours is set aside")),
            seat_is_told,
            "{place} {mails:#?}"
        );
        assert!(to("coalition").iter().any(|m| m.contains("SIGNON")), "{place}: {mails:#?}");
        assert!(to("op").iter().any(|m| m.contains("estafette mail")), "{place}: {mails:#?}");
        let store = estafette::store::Store::open(&dir.path().join("estafette.db")).unwrap();
        let aside = store.troubled_in(10).unwrap();
        assert_eq!(aside.len(), 1, "{place}: {aside:?}");
        assert!(aside[0].reason.as_ref().unwrap().contains("broke off again and again"), "{place}: {aside:?}");
        assert!(store.seat("toy-7", "french").unwrap().unwrap().signed_on.is_none(), "{place}");
        assert!(store.seat("toy-7", "coalition").unwrap().unwrap().signed_on.is_some(), "{place}");
        // The operator may have it read again, and killed once it is carried out after all.
        let number = format!("in:{}", aside[0].id);
        let args = ["estafette", "mail", "retry", &number, "--dir", dir.path().to_str().unwrap()];
        let code = estafette::cli::run(args.map(Into::into), TOYS, &mut std::io::sink(), &mut std::io::stderr());
        assert_eq!(code, 0);
        assert!(!run(Some("gateway/act:1")).success());
        assert!(run(None).success());
        assert!(store.seat("toy-7", "french").unwrap().unwrap().signed_on.is_some(), "{place}");
    }
}

/// All mails sent, as text, in their order.
fn out(dir: &Path) -> Vec<String> {
    let sent = Maildir::open(&dir.join("mail")).unwrap().sent().unwrap();
    sent.into_iter().map(|raw| String::from_utf8_lossy(&raw).into_owned()).collect()
}

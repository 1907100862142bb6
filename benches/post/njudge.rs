//! An order mail against njudge, Ken Lowe's judge of Diplomacy, in turn and on the same disk.
//!
//! Ours is a whole pass of the office, from the mailbox to the letter in `mail/out`, all synced. njudge syncs nothing;
//! it is one process a mail, reads it from its standard input, and starts eight more with a stub as its own tests have.

use super::{Post, median, post_of, timed, worked};
use estafette::store::Tempo;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How to come by it.
const HOW: &str = "njudge is not here: git clone https://github.com/jonmarkgo/njudge && cd njudge && ./configure \
                   --with-dir=$PWD/run CFLAGS='-O2 -std=gnu89 -fcommon' && make && make install; then \
                   NJUDGE=<its folder> cargo bench -- njudge";
/// Mails of each side.
const MAILS: u32 = 100;
/// Orders for Moravia in place of those that waited before, and one that is carried out again and again.
pub const NOTED: &str = "REVISE\r\nFORCE Soult INITIATIVE MARCH ROAD TO Sierndorf\r\n\
                     FORCE Bernadotte INITIATIVE BRIDGE REPAIR 0950/1049\r\n\
                     VEDETTE 1 MARCH ROAD TO 2346 IF CONTACT REPULSE ELSE STOP";
pub const CARRIED_OUT: &str = "FORCE ALL HOLD";
/// As many orders for the game of njudge's own tests.
const THEIRS: &[u8] =
    b"From: player1@localhost\nTo: judge@localhost\nSubject: orders\n\nsignon fdt pass\nA PAR - BUR\n\
                        A MAR - SPA\nF BRE - MAO\nsignoff\n";

/// Orders through a whole pass: on the processor, and in all.
fn ours(post: &mut Post, lines: &str) -> (Duration, Duration) {
    post.comes(lines);
    let (mut pass, mut whole) = (None, Duration::ZERO);
    let spent = worked(|| whole = timed(|| pass = Some(post.office.pass().unwrap())));
    assert!(pass.is_some_and(|pass| pass.read == 1 && pass.sent > 0), "{pass:?}");
    let said = post.reads();
    let taken = said.contains("TAKEN") || said.contains("DONE");
    assert!(taken && !said.contains("NOT TAKEN") && !said.contains("REFUSED"), "{said}");
    (spent, whole)
}

/// A mail through an njudge, from its standard input to the stub.
fn theirs(dir: &Path, mail: &[u8]) -> Duration {
    let mut dip = Command::new(dir.join("dip"));
    dip.args(["-A", "-a", "-C"]).arg(dir).args(["-T", "1 Jan 2004"]);
    dip.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    timed(|| {
        let mut child = dip.spawn().unwrap();
        child.stdin.take().unwrap().write_all(mail).unwrap();
        assert!(child.wait().unwrap().success());
    })
}

/// An njudge of its own where the players of its tests have begun their game, with others beside it.
fn judge(source: &Path, games: u32) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let copy = Command::new("cp").arg("-R").arg(source.join("run/.")).arg(dir.path()).status().unwrap();
    assert!(copy.success(), "{HOW}");
    std::fs::write(dir.path().join("smail"), "#!/bin/sh\ncat \"$1\" >>smail.out\nrm -f dip.xfail\n").unwrap();
    let players = (1..=4).map(|n| format!("A-Reg{n:02}")).chain(["A-RegM-1".to_owned()]);
    for name in players.chain((1..=6).map(|n| format!("Bug91-{n:02}"))) {
        theirs(dir.path(), &std::fs::read(source.join(format!("tests/input/{name}.in"))).unwrap());
    }
    let master = std::fs::read_to_string(dir.path().join("dip.master")).unwrap();
    let game = &master[master.find("\ndt    ").unwrap() + 1..];
    let beside: String = (1..games).map(|n| game.replacen("dt    ", &format!("g{n:<5}"), 1)).collect();
    std::fs::write(dir.path().join("dip.master"), format!("{master}{beside}")).unwrap();
    dir
}

/// What the processes that this one has seen end took of the processor, with those that they had seen; in hundredths.
fn children() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let ticks = stat.rsplit(") ").next().unwrap().split(' ').skip(13).take(2);
    Duration::from_millis(10 * ticks.map(|n| n.parse::<u64>().unwrap()).sum::<u64>())
}

/// An order mail in one game of Moravia, and in one of many, against one of njudge's.
pub fn njudge() {
    let Some(source) = std::env::var_os("NJUDGE").map(PathBuf::from) else {
        println!("{HOW}");
        return;
    };
    let rows = [(1, Tempo::Sealed, NOTED), (1, Tempo::Live, CARRIED_OUT), (1_000, Tempo::Sealed, NOTED)];
    for (games, tempo, lines) in rows {
        let (mut post, dir) = (post_of(games, "1805-moravia.yaml", tempo), judge(&source, games));
        // The first mail does what is done once. njudge keeps the orders of all mails, and would read more each time.
        ours(&mut post, lines);
        theirs(dir.path(), THEIRS);
        let kept = dir.path().join("Ddt/M001");
        let noted = std::fs::read(&kept).unwrap();
        let (mut a, mut b, mut work, before) = (Vec::new(), Vec::new(), Duration::ZERO, children());
        for _ in 0..MAILS {
            let (spent, whole) = ours(&mut post, lines);
            std::fs::write(&kept, &noted).unwrap();
            work += spent;
            a.push(whole);
            b.push(theirs(dir.path(), THEIRS));
        }
        let (work, their_work) = (work / MAILS, children().saturating_sub(before) / MAILS);
        let (a, b) = (median(a), median(b));
        let times = |ours: Duration, theirs: Duration| {
            let ratio = theirs.as_nanos() * 100 / ours.as_nanos().max(1);
            format!("{}.{:02}", ratio / 100, ratio % 100)
        };
        println!(
            "an order mail, {}, one game of {games:<5} {work:?} of the processor, {a:?} in all; njudge {their_work:?}, \
             {b:?}; {} and {} times (aim: 10.00)",
            tempo.as_str(),
            times(work, their_work),
            times(a, b)
        );
    }
}

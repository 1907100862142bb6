//! What an order mail of Moravia takes, by counts that hold on every machine: instructions, allocations, statements, syncs.
//!
//! Instructions and allocations are counted by valgrind over a child of this program, once with few mails and once with more;
//! the difference leaves out what opening the office takes.

use super::njudge::{CARRIED_OUT, NOTED};
use super::{Post, post_of};
use estafette::store::Tempo;
use std::process::Command;

/// How many mails the child is to take, for who counts them from outside.
const MAILS: &str = "COST_MAILS";
const FEW: u32 = 5;
const MORE: u32 = 25;

fn office(tempo: Tempo, lines: &str) -> Post {
    let mut post = post_of(1, "1805-moravia.yaml", tempo);
    // The first mail does what is done once.
    mails(&mut post, lines, 1);
    post
}

/// Order mails through whole passes, each from the mailbox to the letter in `mail/out`.
fn mails(post: &mut Post, lines: &str, count: u32) {
    for _ in 0..count {
        post.comes(lines);
        let pass = post.office.pass().unwrap();
        assert!(pass.read == 1 && pass.sent > 0, "{pass:?}");
        post.answered();
    }
}

impl Post {
    /// The next mail answers the letter that was sent last, as a person's would. Its head is read in the mailbox, so that little
    /// of what is counted is this bench's own.
    fn answered(&mut self) {
        let ids = self.office.store.outbox_ids_of_seat("bench-0", "french").unwrap();
        let (folder, name) = (self.dir.path().join("mail/out/new"), format!("{:012}.", ids.last().unwrap()));
        let mut letters = std::fs::read_dir(folder).unwrap().map(|letter| letter.unwrap());
        let letter = letters.find(|letter| letter.file_name().to_str().unwrap().starts_with(&name)).unwrap();
        let raw = std::fs::read_to_string(letter.path()).unwrap();
        let head = raw.split("\r\n\r\n").next().unwrap().replace("\r\n ", " ");
        self.tags[0] = head.lines().find_map(|line| line.strip_prefix("Subject: ")).unwrap().to_owned();
    }
}

/// What valgrind counts of a child with so many mails.
fn counted(tool: &[&str], key: &str, row: &str, count: u32) -> Option<u64> {
    let me = std::env::current_exe().unwrap();
    let mut valgrind = Command::new("valgrind");
    valgrind.args(tool).arg(me).arg("cost").env(MAILS, count.to_string()).env("COST_ROW", row);
    let said = valgrind.output().ok()?;
    let text = String::from_utf8_lossy(&said.stderr).into_owned();
    let line = text.lines().find(|line| line.contains(key)).unwrap_or_else(|| panic!("{text}"));
    let words: Vec<String> = line.split_whitespace().map(|word| word.replace(',', "")).collect();
    // "Collected : N", and "Total: N bytes in N blocks": what counts is the last number.
    Some(words.iter().rev().find_map(|word| word.parse().ok()).unwrap_or_else(|| panic!("{line}")))
}

/// Instructions, allocations, statements and syncs of an order mail in a game of Moravia.
pub fn cost() {
    let rows = [("noted", Tempo::Sealed, NOTED), ("carried out", Tempo::Live, CARRIED_OUT)];
    if let Some(count) = std::env::var(MAILS).ok().and_then(|count| count.parse().ok()) {
        let wanted = std::env::var("COST_ROW").unwrap();
        let (_, tempo, lines) = *rows.iter().find(|(name, ..)| *name == wanted).unwrap();
        mails(&mut office(tempo, lines), lines, count);
        return;
    }
    for (name, tempo, lines) in rows {
        let mut post = office(tempo, lines);
        let before = post.office.store.work();
        mails(&mut post, lines, MORE);
        let after = post.office.store.work();
        // One statement of each mail is the bench's own question for the last letter.
        let each = |after: u64, before: u64, own: u64| (after - before) / u64::from(MORE) - own;
        let (reads, writes) = (each(after.reads, before.reads, 1), each(after.writes, before.writes, 0));
        println!(
            "an order mail of Moravia, {name}: {writes} statements that write (aim: 25) and {reads} that read, {} synced and \
             {} loose acts (aim: 2)",
            each(after.synced, before.synced, 0),
            each(after.loose, before.loose, 0)
        );
        let callgrind = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
        let dhat = ["--tool=dhat", "--dhat-out-file=/dev/null"];
        let of = |tool: &[&str], key: &str| {
            let (few, more) = (counted(tool, key, name, FEW)?, counted(tool, key, name, MORE)?);
            Some((more - few) / u64::from(MORE - FEW))
        };
        match (of(&callgrind, "Collected"), of(&dhat, "Total:")) {
            (Some(instructions), Some(allocations)) => println!(
                "    {}.{:01} million instructions (aim: 15), {allocations} allocations (aim: 20000)",
                instructions / 1_000_000,
                instructions % 1_000_000 / 100_000
            ),
            _ => println!("    instructions and allocations: install valgrind"),
        }
    }
}

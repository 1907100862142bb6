//! A player's mailbox as witness: what was mailed to him and what he wrote, beside what a bundle says of it.
//!
//! What the folder lacks is no fault; what it has must be so in the bundle. In a game of dice protocol 2 each letter has a
//! seal, which pins all that had happened when it was written, the other side's part too.

use super::chain::text;
use super::entries::{self, Read};
use super::verify::{Findings, Verdict};
use super::{GameLine, Line};
use crate::dice::beacon;
use crate::dice::two::{self, Notice, Source};
use crate::gateway::commands::{self, Item, What};
use crate::gateway::ledger::{self, BEHIND_LEDGER, LEDGER};
use crate::gateway::letters::{ORDERS, order_said};
use crate::mail::read::{self, Limits, came_at, files, written};
use crate::mail::script::REPORT_MARK;
use crate::mail::seal;
use crate::rules::kept::LineKept;
use data_encoding::{BASE64, HEXLOWER};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Mails that are named where many are meant.
const NAMED: usize = 3;
/// Head lines that servers on the way may have put above a mail.
const ADDED_MAX: usize = 60;

/// What a mailbox has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// Letters of the post office that are as the bundle says.
    pub letters: u32,
    /// Of these, those whose seal is the chain's.
    pub sealed: u32,
    /// Mails of the player's own that are as the bundle says.
    pub own: u32,
    /// What could not be compared, and what only one of the two has; no fault.
    pub said: Vec<String>,
    /// What could not be compared, and is to be: a finished game is not verified by this mailbox.
    pub unproved: Vec<String>,
    /// What does not agree.
    pub faults: Vec<String>,
}

/// A letter as the bundle's line and the chain have it.
#[derive(Default)]
struct Told<'l> {
    seat: &'l str,
    sha256: &'l str,
    /// Its paper and its seal.
    sealed: Option<(String, String)>,
}

struct Bundle<'l> {
    game: &'l GameLine,
    lines: &'l [Line],
    out: BTreeMap<&'l str, Told<'l>>,
    /// Mails that came in: whose, digest, and bytes.
    own: BTreeMap<&'l str, (&'l str, &'l str, Option<&'l str>)>,
    chain: Vec<Read<'l>>,
}

impl<'l> Bundle<'l> {
    fn new(game: &'l GameLine, lines: &'l [Line]) -> Bundle<'l> {
        let (mut out, mut own) = (BTreeMap::new(), BTreeMap::new());
        for line in lines {
            let Line::Mail { direction, seat, message_id, sha256, raw } = line else { continue };
            if direction == "out" {
                out.insert(message_id.as_str(), Told { seat, sha256, sealed: None });
            } else {
                own.insert(message_id.as_str(), (seat.as_str(), sha256.as_str(), raw.as_deref()));
            }
        }
        let chain = entries::read(lines);
        for entry in chain.iter().filter(|entry| entry.kind == "post.mail") {
            let id = text(&entry.body, "message_id");
            let (paper, seal) = (text(&entry.body, "paper").to_owned(), text(&entry.body, "seal").to_owned());
            if let Some(told) = out.get_mut(id)
                && !seal.is_empty()
            {
                told.sealed = Some((paper, seal));
            }
        }
        Bundle { game, lines, out, own, chain }
    }
}

/// Compares the mails of a folder with a bundle.
pub fn witness(lines: &[Line], mails: &[Vec<u8>]) -> Witness {
    let mut found = Witness::default();
    let game = lines.iter().find_map(|line| if let Line::Game(game) = line { Some(&**game) } else { None });
    let Some(game) = game else { return found };
    let bundle = Bundle::new(game, lines);
    let limits = Limits { mail_bytes_max: usize::MAX, ..Limits::default() };
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let (mut seats, mut came): (BTreeSet<&str>, Came) = (BTreeSet::new(), Came::new());
    let (mut missing, mut last): (Vec<(String, u32)>, u32) = (Vec::new(), 0);
    for raw in mails {
        let head = match read::read(raw, &limits) {
            Ok(incoming) => incoming.head,
            Err(unreadable) => *unreadable.head,
        };
        let id = head.message_id.as_str();
        let named = head.subject.contains(&format!(" - {} [", game.id));
        let answers = head.references.iter().chain(&head.in_reply_to);
        // A letter that RESEND brought again lies there twice.
        let words = written(raw).unwrap_or_default().replace("\r\n", "\n");
        let ours = words.trim_start().starts_with(REPORT_MARK);
        // A long subject has no room for the game; its letter begins with it.
        let begins = words.trim_start().lines().nth(1).and_then(|line| line.split_whitespace().next());
        let named = named || ours && begins.is_some_and(|word| word.eq_ignore_ascii_case(&game.id));
        let of_game = named || answers.into_iter().any(|id| bundle.out.contains_key(id.as_str()));
        if let Some(told) = bundle.out.get(id) {
            seats.insert(told.seat);
            last = last.max(number(&words));
            seen.insert(id.to_owned());
            letter(&bundle, (id, raw, &words), told, &mut found);
            enclosed(&bundle, (id, raw), &mut came, &mut found);
        } else if let Some(told) = bundle.own.get(id) {
            seen.insert(id.to_owned());
            own(id, (raw, &words), (told.1, told.2), &mut found);
        } else if of_game && ours {
            missing.push((id.to_owned(), number(&words)));
        } else if of_game {
            found.said.push(format!("the mail {id} is not in the bundle: it never came in, or was not read"));
        }
    }
    lacking(&bundle, &seats, (&missing, last), &mut found);
    let lacks = bundle.out.iter().filter(|(id, told)| seats.contains(told.seat) && !seen.contains(**id)).count();
    in_time(&came, lacks > 0, &mut found);
    in_his_name(&bundle, &seats, &seen, &mut found);
    if lacks > 0 {
        found.said.push(format!("{lacks} letters of the bundle are not in the folder"));
    }
    if found.letters == 0 && found.faults.is_empty() {
        found.unproved.push("the folder has no letter that could be compared".to_owned());
    }
    found
}

/// Mails that the bundle says this player wrote, and of which he has no copy. Where he keeps what he sends, nobody else should
/// have written for him; a stand-in and who had the seat before him may.
fn in_his_name(bundle: &Bundle<'_>, seats: &BTreeSet<&str>, seen: &BTreeSet<String>, found: &mut Witness) {
    let his = bundle.own.iter().filter(|(_, (seat, ..))| seats.contains(seat));
    let foreign: Vec<&str> = his.map(|(id, _)| *id).filter(|id| !seen.contains(*id)).collect();
    if foreign.is_empty() {
        return;
    }
    let count = foreign.len();
    let shown = foreign.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let said = format!("the bundle has {count} mails in this player's name of which the folder has no copy: {shown}");
    let shared = |entry: &Read<'_>| {
        matches!(entry.kind, "post.stand-in" | "post.replace" | "post.address")
            && seats.contains(text(&entry.body, "seat"))
    };
    if found.own == 0 || bundle.chain.iter().any(shared) {
        found.said.push(said);
    } else {
        found.unproved.push(said);
    }
}

/// The running number of a letter, as its first mark names it; 0 where it has none.
fn number(words: &str) -> u32 {
    let digits = words.trim_start().strip_prefix(REPORT_MARK).and_then(|rest| rest.split_whitespace().next());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// Letters of the folder that the bundle lacks. A bundle of a game that is on holds the mails of one seat at most, and those
/// up to its making alone.
fn lacking(bundle: &Bundle<'_>, seats: &BTreeSet<&str>, (missing, last): (&[(String, u32)], u32), found: &mut Witness) {
    let whole = !bundle.chain.is_empty();
    let given_up = given_up(bundle, seats);
    let restored = bundle.lines.iter().any(|line| match line {
        Line::Root { epoch, .. } => !epoch.is_empty(),
        Line::Notice { text: Some(text), .. } => text.contains("\nwhy restore\n"),
        _ => false,
    });
    let is_fault = |number: u32| match whole {
        true => !given_up.iter().any(|(after, before)| (after + 1..*before).contains(&number)),
        false => number > 0 && number < last && !restored,
    };
    for (id, number) in missing.iter().filter(|(_, number)| is_fault(*number)) {
        found.faults.push(format!("the letter {id} (mail {number}) was mailed, and the bundle lacks it"));
    }
    match missing.iter().filter(|(_, number)| !is_fault(*number)).count() {
        0 => {}
        n if whole => found.said.push(format!("letters of a time that a restore gave up: {n}")),
        n if last == 0 => found.said.push(format!("the bundle holds no letters to this mailbox; {n} are not compared")),
        n => found.said.push(format!("letters that the bundle cannot have, or was made before: {n}")),
    }
}

/// Between which numbers letters were mailed to these seats that a restore gave up.
fn given_up(bundle: &Bundle<'_>, seats: &BTreeSet<&str>) -> Vec<(u32, u32)> {
    let number = |value: Option<&Value>| value.and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    let mut found = Vec::new();
    for (at, entry) in bundle.chain.iter().enumerate().filter(|(_, entry)| entry.is_restore()) {
        for seat in seats {
            let last = number(entry.body.get("mails").and_then(|mails| mails.get(*seat)));
            let mut later =
                bundle.chain.iter().skip(at).filter(|e| e.kind == "post.mail" && text(&e.body, "seat") == *seat);
            let next = later.find_map(|e| number(e.body.get("number")).filter(|n| last.is_some_and(|last| *n > last)));
            found.extend(last.map(|last| (last, next.unwrap_or(u32::MAX))));
        }
    }
    found
}

/// Whether these are the bytes of a digest, below whatever servers have put above them.
fn is_of(raw: &[u8], sha256: &str) -> bool {
    let breaks = raw.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at.saturating_add(1));
    let starts = [0].into_iter().chain(breaks).take(ADDED_MAX.saturating_mul(4));
    let crlf = |bytes: &[u8]| bytes.windows(2).any(|pair| pair == b"\r\n");
    let whole = if crlf(raw) { None } else { Some(String::from_utf8_lossy(raw).replace('\n', "\r\n").into_bytes()) };
    let same = |bytes: &[u8]| HEXLOWER.encode(&Sha256::digest(bytes)) == sha256;
    starts.into_iter().any(|at| raw.get(at..).is_some_and(same)) || whole.is_some_and(|whole| same(&whole))
}

fn letter(bundle: &Bundle<'_>, (id, raw, words): (&str, &[u8], &str), told: &Told<'_>, found: &mut Witness) {
    let exact = is_of(raw, told.sha256);
    let two = bundle.game.protocol == two::PROTOCOL;
    match &told.sealed {
        Some((paper, kept)) => {
            let (same, sealed) = (HEXLOWER.encode(&seal::paper(words)) == *paper, seal::seal_of(words));
            if !same {
                found.faults.push(format!("the letter {id} reads otherwise than the one of the chain"));
            } else if sealed != Some(kept) {
                found.faults.push(format!("the letter {id} has another seal: what had happened before it was changed"));
            } else {
                found.letters = found.letters.saturating_add(1);
                found.sealed = found.sealed.saturating_add(1);
            }
        }
        None if two && !bundle.chain.is_empty() => {
            found.faults.push(format!("the letter {id} has no seal in the chain"))
        }
        None if exact => found.letters = found.letters.saturating_add(1),
        None => {
            let why = format!("the letter {id} is not the one of its digest, or a server has changed its form");
            found.unproved.push(why);
        }
    }
}

/// What a letter encloses: the commitments, the terms, the notices, and the seeds as they were told.
fn enclosed(bundle: &Bundle<'_>, (id, raw): (&str, &[u8]), came: &mut Came, found: &mut Witness) {
    for (name, content) in files(raw) {
        let content = String::from_utf8_lossy(&content).replace("\r\n", "\n");
        let same = match name.as_str() {
            "commitments.txt" => commitments(bundle.lines, &content),
            "terms.txt" => bundle.lines.iter().any(|line| matches!(line, Line::Terms { text } if *text == content)),
            "seeds.txt" => seeds(bundle.lines, &content),
            "reveal.txt" => revealed(bundle, id, &content),
            "notice.txt" => {
                note_notice(raw, &content, came);
                let told = |line: &Line| matches!(line, Line::Notice { text: Some(text), .. } if *text == content);
                bundle.lines.iter().any(told)
            }
            _ => continue,
        };
        if !same {
            found.faults.push(format!("the letter {id} encloses a {name} that is not the bundle's"));
        }
    }
}

/// Whether a list of commitments is what stands under one of the roots.
fn commitments(lines: &[Line], content: &str) -> bool {
    let mut all: BTreeSet<String> = BTreeSet::new();
    for line in lines {
        if let Line::Commit { slot, scope, commit } = line {
            all.insert(format!("{slot} {scope} {commit}"));
        }
    }
    content.lines().all(|line| all.contains(line.trim()) || !line.starts_with(|c: char| c.is_ascii_digit()))
}

/// The seeds that a bundle shows, each as a letter tells it: slot, scope and seed.
fn shown(lines: &[Line]) -> BTreeSet<String> {
    let said = |line: &Line| match line {
        Line::Seed { slot, scope, seed } => Some(format!("{slot} {scope} {seed}")),
        _ => None,
    };
    lines.iter().filter_map(said).collect()
}

/// The words of a line with one blank between them.
fn spaced(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a file of seeds holds seeds of the bundle and nothing else, and of each slot that it names as many: the one for all,
/// and the one of its reader's side.
fn seeds(lines: &[Line], content: &str) -> bool {
    let (all, mut scopes): (BTreeSet<String>, BTreeMap<&str, BTreeSet<&str>>) = (shown(lines), BTreeMap::new());
    for line in content.lines() {
        let mut parts = line.split_whitespace();
        if let (Some(slot), Some(scope)) = (parts.next(), parts.next()) {
            scopes.entry(slot).or_default().insert(scope);
        }
        if !all.contains(&spaced(line)) {
            return false;
        }
    }
    let first = scopes.values().next();
    let sides = |slot: &str| {
        let of = |line: &&Line| matches!(line, Line::Commit { slot: s, scope, .. } if s.to_string() == slot && scope != "public");
        lines.iter().filter(of).count()
    };
    let whole =
        |(slot, told): (&&str, &BTreeSet<&str>)| told.contains("public") && (told.len() > 1 || sides(slot) == 0);
    first.is_some() && scopes.values().all(|told| Some(told) == first) && scopes.iter().all(whole)
}

/// Whether the last letter shows what the chain has: the orders and what came of them, the ledger, for what an umpire looked at
/// cannot be left out afterwards, and the seeds with their masters.
fn revealed(bundle: &Bundle<'_>, id: &str, content: &str) -> bool {
    let chain = &bundle.chain;
    chain.is_empty()
        || (ledger_told(chain, id, content) && orders_told(chain, id, content) && dice_told(bundle, content))
}

/// What stands below a title, up to another one.
fn below<'c>(content: &'c str, title: &str, until: &str) -> Vec<&'c str> {
    let told = content.lines().skip_while(|line| *line != title).skip(1);
    told.take_while(|line| *line != until).map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The entries of a chain of some kind that stand before a letter.
fn before<'c, 'l>(chain: &'c [Read<'l>], id: &str, kind: &str) -> impl Iterator<Item = &'c Read<'l>> {
    let mailed = move |entry: &&Read<'_>| entry.kind == "post.mail" && text(&entry.body, "message_id") == id;
    chain.iter().take_while(move |entry| !mailed(entry)).filter(move |entry| entry.kind == kind)
}

fn orders_told(chain: &[Read<'_>], id: &str, content: &str) -> bool {
    let kept = before(chain, id, "line").filter_map(|entry| {
        let line: LineKept = serde_json::from_value(entry.body.clone()).ok()?;
        Some(spaced(&order_said(entry.slot, &line)))
    });
    below(content, ORDERS, LEDGER).into_iter().map(spaced).eq(kept)
}

/// The seeds are the bundle's, all of them; and so are the masters, where the bundle has them.
fn dice_told(bundle: &Bundle<'_>, content: &str) -> bool {
    let told = below(content, BEHIND_LEDGER, "");
    let (masters, seeds): (Vec<String>, Vec<String>) =
        told.into_iter().map(spaced).partition(|line| line.starts_with("master "));
    let all = shown(bundle.lines);
    let mut kept: BTreeSet<String> = bundle.game.master.iter().cloned().collect();
    for line in bundle.lines {
        if let Line::Notice { master: Some(master), .. } = line {
            kept.insert(master.clone());
        }
    }
    let is_kept = |line: &String| line.split(' ').nth(1).is_some_and(|master| kept.contains(master));
    let same = seeds.iter().cloned().collect::<BTreeSet<String>>() == all;
    same && (kept.is_empty() || masters.iter().all(is_kept))
}

/// Whether the last letter shows the ledger that the chain has.
fn ledger_told(chain: &[Read<'_>], id: &str, content: &str) -> bool {
    let entries = before(chain, id, "post.ledger").map(|entry| (entry.seq, &entry.body));
    let kept = ledger::said_in_chain(entries).join("\n");
    let mut kept: Vec<&str> = kept.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if kept.is_empty() {
        kept.push("none");
    }
    below(content, LEDGER, BEHIND_LEDGER).into_iter().eq(kept)
}

/// When the notices that wait for a round came to the player: number and round, with the earliest time.
type Came = BTreeMap<(u32, u64), Option<i64>>;

/// Notes when a notice came; a report of later encloses it once more.
fn note_notice(raw: &[u8], content: &str, came: &mut Came) {
    let Some(Notice { no, source: Source::Quicknet(round), .. }) = Notice::read(content) else { return };
    let first = came.entry((no, round)).or_default();
    *first = [*first, came_at(raw)].into_iter().flatten().min();
}

/// A notice that came after its round bound nobody.
fn in_time(came: &Came, lacks: bool, found: &mut Witness) {
    for ((no, round), at) in came {
        match at {
            None => {
                let why = format!("no letter says when notice {no} came: it is not proved to be in time");
                found.unproved.push(why);
            }
            Some(at) if *at < beacon::time_of(*round) => {}
            Some(_) if lacks => {
                let why = format!("no letter of the folder shows that notice {no} came before its round {round}");
                found.unproved.push(why);
            }
            Some(_) => found.faults.push(format!("notice {no} came after its round {round}: it bound nobody")),
        }
    }
}

/// A mail of the player's own, beside the one that the bundle has.
fn own(id: &str, (raw, words): (&[u8], &str), (sha256, kept): (&str, Option<&str>), found: &mut Witness) {
    let kept = kept.and_then(|kept| BASE64.decode(kept.as_bytes()).ok());
    let same = |kept: String| {
        let (all, sent) = (spaced(&kept), spaced(words));
        all == sent || (all.starts_with(&sent) && only_a_footer(&kept, words))
    };
    let same_words = kept.as_deref().and_then(written).map(same);
    let dates = kept.as_deref().and_then(read::dated).zip(read::dated(raw));
    if let Some((theirs, own)) = dates.filter(|(theirs, own)| theirs != own) {
        let why =
            format!("the mail {id} is dated {theirs} in the bundle and {own} in the player's own copy (Unix time)");
        found.faults.push(why);
    }
    match (is_of(raw, sha256), same_words) {
        (true, _) | (false, Some(true)) => found.own = found.own.saturating_add(1),
        (false, Some(false)) => found.faults.push(format!("the mail {id} reads otherwise than the player's own copy")),
        (false, None) => found.said.push(format!("the mail {id} is in the bundle without its bytes")),
    }
}

/// Whether all that a mail has more than the player's copy is what his server put below its END: nothing of it is read.
fn only_a_footer(kept: &str, words: &str) -> bool {
    let items = |text: &str| -> Vec<Item> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        commands::split(&lines, &|_| false, false)
    };
    let (kept, sent) = (items(kept), items(words));
    let below = kept.get(sent.len()..).unwrap_or_default();
    sent.iter().any(|item| item.what.ends())
        && kept.iter().zip(&sent).all(|(kept, sent)| kept == sent)
        && below.iter().all(|item| matches!(item.what, What::AfterEnd | What::General(Err(_))))
}

impl Findings {
    /// Takes in what a mailbox has shown: its faults are the bundle's.
    pub fn heard(&mut self, witness: &Witness) {
        self.faults.extend(witness.faults.iter().cloned());
        self.unproved.extend(witness.unproved.iter().map(|why| format!("mailbox: {why}")));
        if !witness.faults.is_empty() {
            self.verdict = Verdict::Differs;
        } else if self.verdict == Verdict::Agrees && !witness.unproved.is_empty() {
            self.verdict = Verdict::NotVerified;
        }
    }
}

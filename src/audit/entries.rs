//! What the entries of a chain say of each other and of the bundle's other lines: none is of an unknown kind or has a field
//! too many, none is missing and none is there once more than it may be.

use super::chain::text;
use super::verify::{Findings, roots};
use super::{GameLine, Line};
use crate::dice::two::{self, Nonce, Notice};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Every kind of entry, with the fields that its body has: one that it may lack ends in `?`, and `*` stands where the replay
/// compares the whole of it.
pub const KINDS: &[(&str, &str)] = &[
    ("event", "*"),
    ("given", "*"),
    ("input", "*"),
    ("line", "seat text no outcome"),
    ("post.absent", "seat days"),
    ("post.address", "seat back?"),
    ("post.asked", "why"),
    ("post.commit", "root lines"),
    ("post.corrupt", "why"),
    ("post.due", "seat address at? was? why? done?"),
    ("post.epoch", "epoch backup_at mails"),
    ("post.extend", "seat why"),
    ("post.game", "id ruleset version scenario tempo seats"),
    ("post.hash", "no seat hash"),
    ("post.hold", "at"),
    ("post.house", "seat why"),
    ("post.ledger", "at by class touches text reason input"),
    ("post.mail", "direction seat number? message_id sha256 paper? seal? at?"),
    ("post.notice", "no text"),
    ("post.observer", "seat left?"),
    ("post.option", "key value"),
    ("post.options", "*"),
    ("post.outage", "from to"),
    ("post.over", "master? masters?"),
    ("post.pause", "at until"),
    ("post.plan", "no why slots asked"),
    ("post.proceed", "at"),
    ("post.program", "program ruleset version rules schema"),
    ("post.recall", "seat at why?"),
    ("post.release", "at"),
    ("post.replace", "seat address by"),
    ("post.restored", "epoch backup_at mails from? root?"),
    ("post.resume", "at why"),
    ("post.salt", "no? salt"),
    ("post.seed", "slot scope seed"),
    ("post.signon", "seat nonce message_id? hash? absent?"),
    ("post.stand-in", "seat by why"),
    ("post.vacant", "seat"),
    ("post.value", "no value"),
    ("post.withdrawn", "direction seat number message_id sha256"),
    ("post.words", "no seat words"),
    ("rest", "ruleset version stage"),
    ("rewind", "rest slot"),
    ("roll", "scope label n sides dice fiat? owner?"),
    ("sight", "*"),
];

/// An entry of the chain, read.
pub(super) struct Read<'l> {
    pub(super) seq: u32,
    pub(super) prev: &'l str,
    pub(super) slot: u32,
    pub(super) kind: &'l str,
    pub(super) body: Value,
}

impl Read<'_> {
    /// Whether a mail came in there.
    pub(super) fn came_in(&self) -> bool {
        self.kind == "post.mail" && text(&self.body, "direction") == "in"
    }

    /// Whether a letter went out there.
    pub(super) fn went_out(&self) -> bool {
        self.kind == "post.mail" && text(&self.body, "direction") == "out"
    }

    /// Whether the post office was restored there from a backup.
    pub(super) fn is_restore(&self) -> bool {
        matches!(self.kind, "post.restored" | "post.epoch")
    }
}

/// The chain's entries; one whose body is no JSON has none.
pub(super) fn read(lines: &[Line]) -> Vec<Read<'_>> {
    let mut read = Vec::new();
    for line in lines {
        let Line::Event { seq, prev, slot, entry, body, .. } = line else { continue };
        let body = serde_json::from_str(body).unwrap_or_default();
        read.push(Read { seq: *seq, prev, slot: *slot, kind: entry, body });
    }
    read
}

/// All that the entries of the envelope must say to agree.
pub(super) fn entries_in_chain(game: &GameLine, lines: &[Line], chain: &[Read<'_>], found: &mut Findings) {
    fields(chain, found);
    once(game, chain, found);
    times(chain, found);
    super::dues::dues_in_chain(game, chain, found);
    programs(game, lines, chain, found);
    seeds(game, lines, chain, found);
    commits(lines, chain, found);
    sign_ons(game, lines, chain, found);
    numbers(chain, found);
    rolls(chain, found);
    super::places::places_in_chain(game, chain, found);
}

/// No kind that nobody knows, no field too many and none too few: what no audit looks at may not stand in a chain.
fn fields(chain: &[Read<'_>], found: &mut Findings) {
    for Read { seq, kind, body, .. } in chain {
        let Some((_, known)) = KINDS.iter().find(|(known, _)| known == kind) else {
            found.faults.push(format!("entry {seq} is of a kind that nobody knows: {kind}"));
            continue;
        };
        let Some(body) = body.as_object() else {
            found.faults.push(format!("entry {seq} ({kind}) is no JSON object"));
            continue;
        };
        if *known == "*" {
            continue;
        }
        let knows = |field: &&String| known.split(' ').any(|known| known.trim_end_matches('?') == field.as_str());
        if let Some(odd) = body.keys().find(|field| !knows(field)) {
            found.faults.push(format!("entry {seq} ({kind}) has a field {odd}, which it may not have"));
        }
        if let Some(lacks) = known.split(' ').find(|field| !field.ends_with('?') && !body.contains_key(*field)) {
            found.faults.push(format!("entry {seq} ({kind}) has no field {lacks}, which it must have"));
        }
    }
}

/// When an entry was written, where it says so, to the second.
pub(super) fn written_at<'c>(entry: &'c Read<'_>) -> Option<&'c str> {
    let field = match entry.kind {
        "post.hold" | "post.ledger" | "post.mail" | "post.pause" | "post.proceed" | "post.release" | "post.resume" => {
            "at"
        }
        "post.outage" => "to",
        // A notice says its time in its text.
        "post.notice" => {
            let mut lines = entry.body.get("text")?.as_str()?.lines();
            return lines.find_map(|line| line.strip_prefix("at "))?.get(..19);
        }
        _ => return None,
    };
    entry.body.get(field)?.as_str()?.get(..19)
}

/// Time never runs backwards, but for a restore.
fn times(chain: &[Read<'_>], found: &mut Findings) {
    let mut last = "";
    for entry in chain {
        if entry.is_restore() {
            last = "";
        }
        let Some(at) = written_at(entry) else { continue };
        if at < last {
            found.faults.push(format!("entry {}: it was {last} before it, and is {at}", entry.seq));
        }
        last = at;
    }
}

/// A game begins once and ends once, with the master that the bundle shows.
fn once(game: &GameLine, chain: &[Read<'_>], found: &mut Findings) {
    for kind in ["post.game", "post.commit", "post.over", "post.options"] {
        if chain.iter().filter(|entry| entry.kind == kind).count() > 1 {
            found.faults.push(format!("the chain has more than one entry of kind {kind}"));
        }
    }
    let mut signed: BTreeSet<(&str, &str)> = BTreeSet::new();
    for Read { seq, body, .. } in chain.iter().filter(|entry| entry.kind == "post.signon") {
        let of_mail = (text(body, "seat"), text(body, "message_id"));
        if body.get("absent").is_none() && !signed.insert(of_mail) {
            found.faults.push(format!("entry {seq}: {} signs on again with the same mail", of_mail.0));
        }
    }
    let over = chain.iter().find(|entry| entry.kind == "post.over").filter(|_| game.master.is_some());
    if over.is_some_and(|over| over.body.get("master").and_then(Value::as_str) != game.master.as_deref()) {
        found.faults.push("the master is not the one that the chain shows at its end".to_owned());
    }
}

/// The first program is the one that the terms name, each plays the game's own ruleset, and none is older than the one before.
fn programs(game: &GameLine, lines: &[Line], chain: &[Read<'_>], found: &mut Findings) {
    let terms = super::two::terms_text(lines);
    let mut before: Option<u64> = game.engine.parse().ok();
    let mut last: Option<(&Value, u64)> = None;
    for (at, entry) in chain.iter().filter(|entry| entry.kind == "post.program").enumerate() {
        let (seq, body) = (entry.seq, &entry.body);
        let version = body.get("version").and_then(Value::as_u64);
        if text(body, "ruleset") != game.ruleset || version.is_none() || version < before {
            found.faults.push(format!("entry {seq}: no such program plays on in this game"));
        }
        before = version.or(before);
        // Only another program is named, and none takes back a step of the database.
        let schema = body.get("schema").and_then(Value::as_u64);
        if last.is_some_and(|(last, steps)| {
            ["program", "version", "rules"].iter().all(|field| last.get(field) == body.get(field))
                || schema < Some(steps)
        }) || schema.is_none()
            || text(body, "program").is_empty()
        {
            found.faults.push(format!("entry {seq}: it names the program that played before it, or none that is"));
        }
        last = Some((body, schema.unwrap_or(0)));
        let named = [text(body, "rules"), two::FIXED].map(|rules| format!("rules {rules}"));
        let is_named = |terms: &str| {
            terms.lines().any(|line| named.iter().any(|named| line == named))
                && version.map(|v| v.to_string()).as_ref() == Some(&game.engine)
        };
        if at == 0 && terms.is_some_and(|terms| !is_named(terms)) {
            found.faults.push(format!("entry {seq}: the first program is not the one of the terms"));
        }
    }
}

/// The seeds that were told are those of the bundle: for each slot every scope at once and in order, nothing is rolled with
/// them after that, and none is told when the game is over.
fn seeds(game: &GameLine, lines: &[Line], chain: &[Read<'_>], found: &mut Findings) {
    let scopes: Vec<&str> = ["public"].into_iter().chain(game.sides.iter().map(String::as_str)).collect();
    let mut told: BTreeMap<u64, BTreeMap<&str, &str>> = BTreeMap::new();
    let mut over = false;
    for Read { seq, slot, kind, body, .. } in chain {
        match *kind {
            "post.over" => over = true,
            "post.seed" => {
                let slot = body.get("slot").and_then(Value::as_u64).unwrap_or(u64::MAX);
                let (told, scope) = (told.entry(slot).or_default(), text(body, "scope"));
                if over || scopes.get(told.len()) != Some(&scope) {
                    found.faults.push(format!("entry {seq}: a seed is told out of its turn"));
                }
                told.insert(scope, text(body, "seed"));
            }
            "roll" if told.contains_key(&u64::from(*slot)) => {
                found.faults.push(format!("entry {seq}: its seed had been told before it was rolled"));
            }
            _ => {}
        }
    }
    for (slot, seeds) in &told {
        if seeds.len() != scopes.len() {
            found.faults.push(format!("the seeds of slot {slot} were not told for each side"));
        }
    }
    if chain.iter().any(|entry| entry.kind == "post.over") {
        let played = chain.iter().filter(|entry| entry.kind == "roll").map(|entry| u64::from(entry.slot));
        let untold: BTreeSet<u64> = played.filter(|slot| !told.contains_key(slot)).collect();
        if let Some(slot) = untold.first() {
            found.faults.push(format!("the game is over, and the seeds of slot {slot} were never told"));
        }
    }
    for line in lines {
        let Line::Seed { slot, scope, seed } = line else { continue };
        let told = told.get(&u64::from(*slot)).and_then(|told| told.get(scope.as_str()));
        if told.is_some_and(|told| told != seed) {
            found.faults.push(format!("the seed of slot {slot}, {scope}, is not the one that was told"));
        }
    }
}

/// What was published before the game: the first root, over so many lines.
fn commits(lines: &[Line], chain: &[Read<'_>], found: &mut Findings) {
    let roots = roots(lines);
    let next = roots.get(1).map_or(u32::MAX, |next| next.from);
    let under = |line: &&Line| matches!(line, Line::Commit { slot, .. } if *slot < next);
    let count = lines.iter().filter(under).count();
    let Some(commit) = chain.iter().find(|entry| entry.kind == "post.commit") else {
        found.faults.push("the chain does not say which root was published".to_owned());
        return;
    };
    let named = commit.body.get("lines").and_then(Value::as_u64);
    if roots.first().is_none_or(|root| root.root != text(&commit.body, "root")) || named != u64::try_from(count).ok() {
        found.faults.push("the first root is not the one that was published".to_owned());
    }
}

/// The last sign-on of each seat.
fn sign_on<'c>(chain: &'c [Read<'_>], seat: &str) -> Option<&'c Value> {
    let mut entries = chain.iter().filter(|entry| entry.kind == "post.signon");
    entries.rfind(|entry| text(&entry.body, "seat") == seat).map(|entry| &entry.body)
}

/// What each seat gave to the dice is what it signed on with.
fn sign_ons(game: &GameLine, lines: &[Line], chain: &[Read<'_>], found: &mut Findings) {
    let mut given: BTreeMap<&str, &str> = BTreeMap::new();
    for line in lines {
        if let Line::Nonce { seat, nonce } = line {
            given.insert(seat, nonce);
        }
    }
    let fault = |seat: &str| format!("what {seat} gave to the dice is not what it signed on with");
    if game.protocol != two::PROTOCOL {
        for seat in game.seats.iter().filter(|_| game.salt.is_some()) {
            let signed = sign_on(chain, seat).map(|body| text(body, "nonce"));
            if signed.is_none() || signed != given.get(seat.as_str()).copied() {
                found.faults.push(fault(seat));
            }
        }
        return;
    }
    let read = |line: &Line| match line {
        Line::Notice { no, text: Some(text), .. } => Some((*no, Notice::read(text)?)),
        _ => None,
    };
    let mut first = true;
    for (no, notice) in lines.iter().filter_map(read) {
        for (seat, nonce) in &notice.nonces {
            let signed = sign_on(chain, seat);
            let hashed = |hash: &str| {
                let later = chain.iter().filter(|entry| entry.kind == "post.hash").map(|entry| &entry.body);
                let mut later = later.filter(|body| body.get("no").and_then(Value::as_u64) == Some(u64::from(no)));
                // The hash of the sign-on is opened once.
                (first && signed.is_some_and(|body| text(body, "hash") == hash))
                    || later.any(|body| text(body, "seat") == seat && text(body, "hash") == hash)
            };
            let same = match nonce {
                Nonce::Open(hash) => signed.is_some_and(|body| two::hash_of_words(text(body, "nonce")) == *hash),
                Nonce::Hash(hash) => hashed(hash),
                Nonce::None => true,
            };
            if !same {
                found.faults.push(fault(seat));
            }
        }
        first = false;
    }
}

/// The mails to a seat have running numbers; only a restore passes some over.
fn numbers(chain: &[Read<'_>], found: &mut Findings) {
    let mut last: BTreeMap<&str, u64> = BTreeMap::new();
    let mut jump: BTreeSet<&str> = BTreeSet::new();
    for entry in chain {
        let Read { seq, kind, body, .. } = entry;
        if entry.is_restore() {
            jump = last.keys().copied().collect();
        }
        if *kind != "post.mail" || text(body, "direction") != "out" {
            continue;
        }
        let (seat, number) = (text(body, "seat"), body.get("number").and_then(Value::as_u64).unwrap_or(0));
        let before = last.entry(seat).or_default();
        if number > before.saturating_add(1) && !jump.remove(seat) {
            found.faults.push(format!("entry {seq}: mail {number} to {seat} follows mail {before}"));
        }
        *before = number.max(*before);
    }
}

/// The rolls of a label are numbered without a gap.
fn rolls(chain: &[Read<'_>], found: &mut Findings) {
    let mut next: BTreeMap<(u32, String, &str), u64> = BTreeMap::new();
    for Read { seq, slot, body, .. } in chain.iter().filter(|entry| entry.kind == "roll") {
        let scope = body.get("scope").map(ToString::to_string).unwrap_or_default();
        let next = next.entry((*slot, scope, text(body, "label"))).or_default();
        if body.get("n").and_then(Value::as_u64) != Some(*next) {
            found.faults.push(format!("entry {seq}: the roll should have number {next}"));
        }
        *next = next.saturating_add(1);
    }
}

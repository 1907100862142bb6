//! Checks a bundle: every commitment, seed, die, mail and hash in it, and, when it is whole, the game itself.

use super::{GameLine, Line};
use crate::dice::{Bytes32, Commitment, Epochs, Master, Scope, commit, hex, roll, root, salt};
use crate::games::{self, Entry, Stored};
use crate::host::{Otherwise, Tempo};
use crate::store::{FIRST_PREV, entry_hash};
use data_encoding::{BASE64, HEXLOWER};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// What an audit comes to. Nothing agrees that was not played again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The game is over, every check held, and every entry came out again.
    Agrees,
    /// Something does not agree.
    Differs,
    /// It agrees as far as it is open: the game is on.
    #[default]
    Open,
    /// Nothing differs, but the game is over and was not played again.
    NotVerified,
}

/// What was checked, and what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// The game.
    pub game: String,
    /// Commitments under the root.
    pub commitments: u32,
    /// Seeds that were compared with their commitments.
    pub seeds: u32,
    /// Rolls whose dice were recomputed.
    pub rolls: u32,
    /// Rolls whose dice an umpire said.
    pub fiats: u32,
    /// Rolls whose seed is not shown yet.
    pub rolls_open: u32,
    /// What the umpires did, in order; only of a finished game.
    pub ledger: Vec<String>,
    /// Mails whose digest was recomputed.
    pub mails: u32,
    /// Entries of the chain whose hash was recomputed.
    pub entries: u32,
    /// Entries that came out the same when the game was played again; none where it was not.
    pub replayed: Option<u64>,
    /// Why it was not played again, where it could have been.
    pub not_replayed: Option<String>,
    /// What does not agree.
    pub faults: Vec<String>,
    /// What it comes to.
    pub verdict: Verdict,
}

/// The entry by which a chain says that its game is over.
const OVER: &str = "post.over";

type Seeds = BTreeMap<(u32, String), Bytes32>;

/// Checks a bundle.
pub fn verify(lines: &[Line], entries: &[Entry]) -> Findings {
    let mut found = Findings::default();
    let games: Vec<&GameLine> =
        lines.iter().filter_map(|l| if let Line::Game(g) = l { Some(&**g) } else { None }).collect();
    let [game] = games.as_slice() else {
        found.faults.push(format!("the bundle names {} games, and must name one", games.len()));
        found.verdict = Verdict::Differs;
        return found;
    };
    found.game.clone_from(&game.id);
    let commits = commitments(lines, &mut found);
    let seeds = seeds(game, lines, &commits, &mut found);
    let salt = salted(game, lines, &mut found);
    rolls(lines, &seeds, salt.as_ref(), &mut found);
    mails(lines, &mut found);
    chain(lines, &mut found);
    match &game.master {
        Some(master) => whole(game, master, lines, entries, salt, &mut found),
        None if found.entries > 0 => found.not_replayed = Some("the master of its dice is missing".to_owned()),
        None => {}
    }
    found.verdict = found.judged(lines);
    found
}

impl Findings {
    fn judged(&self, lines: &[Line]) -> Verdict {
        let over = lines.iter().any(|line| matches!(line, Line::Event { entry, .. } if entry == OVER));
        if !self.faults.is_empty() {
            Verdict::Differs
        } else if self.not_replayed.is_some() {
            Verdict::NotVerified
        } else if self.replayed.is_some() && over {
            Verdict::Agrees
        } else {
            Verdict::Open
        }
    }
}

fn bytes(text: &str) -> Option<Bytes32> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

fn commitments(lines: &[Line], found: &mut Findings) -> BTreeMap<(u32, String), Bytes32> {
    let mut list = Vec::new();
    for line in lines {
        let Line::Commit { slot, scope, commit } = line else { continue };
        match bytes(commit) {
            Some(commit) => list.push(Commitment { slot: *slot, scope: scope.clone(), commit }),
            None => found.faults.push(format!("the commitment of slot {slot}, {scope}, is not 64 hexadecimal digits")),
        }
    }
    found.commitments = u32::try_from(list.len()).unwrap_or(u32::MAX);
    let roots = roots(lines);
    if roots.first().is_none_or(|root| root.from != 0 || !root.epoch.is_empty()) {
        found.faults.push("the bundle lacks the root of what was committed before the game".to_owned());
    }
    for (at, told) in roots.iter().enumerate() {
        let next = roots.get(at + 1).map(|next| next.from);
        if next.is_some_and(|next| next <= told.from) {
            found.faults.push(format!("the root {} stands before one of earlier slots, or twice", told.root));
        }
        let under = |c: &&Commitment| c.slot >= told.from && next.is_none_or(|next| c.slot < next);
        let under: Vec<Commitment> = list.iter().filter(under).cloned().collect();
        let made = hex(&root(&under));
        if *told.root != made {
            found.faults.push(format!("the root is {}, and the commitments make {made}", told.root));
        }
    }
    list.into_iter().map(|c| ((c.slot, c.scope), c.commit)).collect()
}

/// A root, with the slots that stand under it.
struct RootOf<'l> {
    root: &'l String,
    from: u32,
    epoch: &'l String,
}

fn roots(lines: &[Line]) -> Vec<RootOf<'_>> {
    let mut found = Vec::new();
    for line in lines {
        if let Line::Root { root, from, epoch } = line {
            found.push(RootOf { root, from: *from, epoch });
        }
    }
    found
}

/// The roots of the bundle are those that the chain says were published: before the game, and at each restore.
fn roots_in_chain(lines: &[Line], found: &mut Findings) {
    let mut kept = Vec::new();
    for line in lines {
        let Line::Event { entry, body, .. } = line else { continue };
        if !matches!(entry.as_str(), "post.commit" | "post.restored") {
            continue;
        }
        let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(|v| v.as_str()).unwrap_or_default().to_owned();
        let from = body.get("from").and_then(serde_json::Value::as_u64).unwrap_or(0);
        kept.push((text("root"), from, text("epoch")));
    }
    let told: Vec<(String, u64, String)> =
        roots(lines).iter().map(|told| (told.root.clone(), u64::from(told.from), told.epoch.clone())).collect();
    if told != kept {
        found.faults.push("the roots are not those that the chain says were published".to_owned());
    }
}

fn seeds(game: &GameLine, lines: &[Line], commits: &BTreeMap<(u32, String), Bytes32>, found: &mut Findings) -> Seeds {
    let mut seeds = Seeds::new();
    for line in lines {
        let Line::Seed { slot, scope, seed } = line else { continue };
        let Some(seed) = bytes(seed) else {
            found.faults.push(format!("the seed of slot {slot}, {scope}, is not 64 hexadecimal digits"));
            continue;
        };
        found.seeds += 1;
        let made = commit(&game.id, *slot, &Scope::parse(scope), &seed);
        match commits.get(&(*slot, scope.clone())) {
            Some(committed) if *committed == made => {}
            Some(_) => found.faults.push(format!("the seed of slot {slot}, {scope}, is not the one committed")),
            None => found.faults.push(format!("the seed of slot {slot}, {scope}, was never committed")),
        }
        seeds.insert((*slot, scope.clone()), seed);
    }
    seeds
}

fn salted(game: &GameLine, lines: &[Line], found: &mut Findings) -> Option<Bytes32> {
    let named = bytes(game.salt.as_ref()?);
    let mut nonces = Vec::new();
    for seat in &game.seats {
        let nonce = lines.iter().find_map(|l| match l {
            Line::Nonce { seat: of, nonce } if of == seat => Some(nonce.clone()),
            _ => None,
        });
        match nonce {
            Some(nonce) => nonces.push((seat.clone(), nonce)),
            None => found.faults.push(format!("the nonce of {seat} is missing")),
        }
    }
    let made = salt(&nonces);
    if named != Some(made) {
        found.faults.push(format!("the salt is not the one that the nonces make, {}", hex(&made)));
    }
    Some(made)
}

fn rolls(lines: &[Line], seeds: &Seeds, salt: Option<&Bytes32>, found: &mut Findings) {
    for line in lines {
        let Line::Roll { slot, scope, label, n, sides, dice, fiat } = line else { continue };
        if *fiat {
            found.fiats += 1;
            continue;
        }
        let (Some(seed), Some(salt)) = (seeds.get(&(*slot, scope.clone())), salt) else {
            found.rolls_open += 1;
            continue;
        };
        found.rolls += 1;
        // A bundle can name any number of dice; a hand holds no more than this.
        let count = u32::try_from(dice.len()).unwrap_or(u32::MAX).min(100_000);
        let made = roll(seed, salt, label, *n, count, *sides);
        if made != *dice {
            found
                .faults
                .push(format!("slot {slot}, {scope}, {label} {n}: the dice are {dice:?}, and the seed makes {made:?}"));
        }
    }
}

fn mails(lines: &[Line], found: &mut Findings) {
    for line in lines {
        let Line::Mail { message_id, sha256, raw: Some(raw), .. } = line else { continue };
        found.mails += 1;
        let made = BASE64.decode(raw.as_bytes()).ok().map(|raw| hex(&Sha256::digest(&raw)));
        if made.as_ref() != Some(sha256) {
            found.faults.push(format!("the mail {message_id} is not the one of its digest"));
        }
    }
}

fn chain(lines: &[Line], found: &mut Findings) {
    let (mut at, mut before) = (0_u32, FIRST_PREV.to_owned());
    for line in lines {
        let Line::Event { seq, prev, hash, slot, entry, body } = line else { continue };
        at = at.saturating_add(1);
        found.entries = at;
        if *seq != at || *prev != before {
            found.faults.push(format!("entry {seq} of the chain does not follow from the one before"));
            return;
        }
        if *hash != entry_hash(prev, *slot, entry, body) {
            found.faults.push(format!("entry {seq} of the chain was changed: its hash is another"));
            return;
        }
        before.clone_from(hash);
    }
}

/// What only the bundle of a finished game allows: the master makes every seed, the chain holds every roll and every
/// mail, and the game comes out the same when it is played again.
fn whole(
    game: &GameLine,
    master: &str,
    lines: &[Line],
    entries: &[Entry],
    salt: Option<Bytes32>,
    found: &mut Findings,
) {
    let Some(master) = bytes(master) else {
        found.faults.push("the master is not 64 hexadecimal digits".to_owned());
        return;
    };
    let later = roots(lines).into_iter().filter(|root| !root.epoch.is_empty());
    let epochs = Epochs::named(later.map(|root| (root.from, root.epoch.clone())));
    for line in lines {
        let Line::Seed { slot, scope, seed } = line else { continue };
        let made = Master::from_bytes(master).seed_in(&epochs, &game.id, *slot, &Scope::parse(scope));
        if hex(&made) != *seed {
            found.faults.push(format!("the seed of slot {slot}, {scope}, does not follow from the master"));
        }
    }
    roots_in_chain(lines, found);
    rolls_in_chain(lines, found);
    mails_in_chain(lines, found);
    ledger_in_chain(lines, found);
    rests_in_chain(game, lines, found);
    if crate::scenario::digest(&game.files) != game.scenario {
        found.faults.push("the scenario's files are not those of its digest".to_owned());
    }
    if !found.faults.is_empty() {
        found.not_replayed = Some("what is above must agree first".to_owned());
        return;
    }
    let played = played_by(game, lines);
    match replay(game, master, salt.unwrap_or_default(), lines, entries) {
        Ok((_, Ok(count))) => found.replayed = Some(count),
        Ok((own, Err(Otherwise { at, why }))) => {
            let seq = u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
            match played.iter().rev().find(|stretch| stretch.from <= seq) {
                Some(stretch) if !stretch.is_own(own) => {
                    found.not_replayed = Some(format!(
                        "up to entry {at} it comes out the same; from there {} played, and this program ({}, version {} of \
                         {}) does otherwise: audit it with that one; {why}",
                        stretch.said(),
                        env!("CARGO_PKG_VERSION"),
                        own.version,
                        own.name
                    ));
                }
                _ => found.faults.push(format!("the game comes out otherwise: {why}")),
            }
        }
        Err(why) => found.not_replayed = Some(why),
    }
}

/// A part of a game that one program played.
struct Stretch {
    /// Its first entry.
    from: u32,
    /// The program, where the chain names it.
    program: Option<String>,
    /// The version of the ruleset.
    version: String,
    /// The digest of the rules' sources, where the chain names it.
    rules: Option<String>,
    /// The leg was begun by the version before, and ended by this one: from which entry on, the chain does not say.
    mixed: bool,
}

impl Stretch {
    /// Whether this program is the one that played: then whatever comes out otherwise is a difference. A game of before
    /// programs were named is known by the version that began it.
    fn is_own(&self, own: &Entry) -> bool {
        !self.mixed
            && self.version == own.version.to_string()
            && self.rules.as_ref().is_none_or(|rules| rules == own.rules)
    }

    fn said(&self) -> String {
        let program = self.program.as_deref().unwrap_or("an older one");
        let rules = self.rules.as_ref().map(|rules| format!(", rules {}", rules.get(..12).unwrap_or(rules)));
        let before = if self.mixed { ", and the one before it," } else { "" };
        format!("estafette {program} (version {}{before}{})", self.version, rules.unwrap_or_default())
    }
}

/// Who played what of a game, in order: as the chain names programs, and a leg as its rest point names the version.
/// A program that finds a leg open ends it by its own rules, and is named where it stands at rest.
fn played_by(game: &GameLine, lines: &[Line]) -> Vec<Stretch> {
    let mut played = vec![Stretch { from: 1, program: None, version: game.engine.clone(), rules: None, mixed: false }];
    let mut leg = 1;
    for line in lines {
        let Line::Event { seq, entry, body, .. } = line else { continue };
        let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(|value| value.as_str()).map(str::to_owned);
        let version = body.get("version").map(ToString::to_string).unwrap_or_default();
        match entry.as_str() {
            "post.program" => {
                let (program, rules) = (text("program"), text("rules"));
                played.push(Stretch { from: *seq, program, version, rules, mixed: false });
            }
            "rest" => {
                let other = played.last().is_some_and(|stretch| stretch.version != version);
                if other || played.last().is_some_and(|stretch| stretch.mixed) {
                    played.push(Stretch { from: leg, program: None, version, rules: None, mixed: other });
                }
                leg = seq.saturating_add(1);
            }
            _ => {}
        }
    }
    played
}

/// No rest point was played to by an older version than the one before it.
fn rests_in_chain(game: &GameLine, lines: &[Line], found: &mut Findings) {
    for pair in played_by(game, lines).windows(2) {
        let [before, after] = pair else { continue };
        let version = |stretch: &Stretch| stretch.version.parse::<u32>().ok();
        if after.program.is_none() && (version(after).is_none() || version(after) < version(before)) {
            let (old, new) = (&before.version, &after.version);
            found
                .faults
                .push(format!("from entry {} on version {new} played, and version {old} before it", after.from));
        }
    }
}

fn rolls_in_chain(lines: &[Line], found: &mut Findings) {
    let told: Vec<serde_json::Value> = lines
        .iter()
        .filter_map(|l| match l {
            Line::Roll { slot, scope, label, n, sides, dice, fiat } => {
                Some(serde_json::json!([slot, scope, label, n, sides, dice, fiat]))
            }
            _ => None,
        })
        .collect();
    let mut kept = Vec::new();
    for line in lines {
        let Line::Event { slot, entry, body, seq, .. } = line else { continue };
        if entry != "roll" {
            continue;
        }
        match serde_json::from_str::<crate::dice::Roll>(body) {
            Ok(r) => kept.push(serde_json::json!([slot, r.scope.text(), r.label, r.n, r.sides, r.dice, r.fiat])),
            Err(why) => found.faults.push(format!("entry {seq} of the chain is no roll: {why}")),
        }
    }
    if told != kept {
        found.faults.push("the rolls are not those of the chain".to_owned());
    }
}

/// What the umpires did: every act on the game stands in the ledger, behind its input.
fn ledger_in_chain(lines: &[Line], found: &mut Findings) {
    let (mut acts, mut entered) = (0_u32, 0_u32);
    for line in lines {
        let Line::Event { seq, entry, body, .. } = line else { continue };
        let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        if entry == "input" && body.get("kind").and_then(|kind| kind.as_str()) == Some("umpire") {
            acts += 1;
        }
        if entry == "post.ledger" {
            let text = |name: &str| body.get(name).and_then(|value| value.as_str()).unwrap_or_default();
            entered += u32::from(body.get("input").and_then(serde_json::Value::as_bool) == Some(true));
            let reason = text("reason");
            let reason = if reason.is_empty() { String::new() } else { format!("  ({reason})") };
            found.ledger.push(format!("{seq}  {}  {}: {}{reason}", text("at"), text("by"), text("text")));
        }
    }
    if acts != entered {
        found.faults.push(format!("the umpires acted {acts} times on the game, and the ledger names {entered}"));
    }
}

/// Every mail that the chain names is in the bundle, and every letter of the bundle in the chain.
fn mails_in_chain(lines: &[Line], found: &mut Findings) {
    let mut kept: BTreeSet<[String; 4]> = BTreeSet::new();
    for line in lines {
        let Line::Event { entry, body, .. } = line else { continue };
        let kind = entry.strip_prefix("post.").filter(|kind| matches!(*kind, "mail" | "withdrawn"));
        let Some(kind) = kind else { continue };
        let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        let field = |name: &str| body.get(name).and_then(|v| v.as_str()).unwrap_or_default().to_owned();
        let mail = [field("direction"), field("seat"), field("message_id"), field("sha256")];
        // What an umpire withdrew before it was sent has another mail in its place, under its name.
        if kind == "withdrawn" {
            kept.remove(&mail);
        } else {
            kept.insert(mail);
        }
    }
    for line in lines {
        let Line::Mail { direction, seat, message_id, sha256, .. } = line else { continue };
        let told = [direction.clone(), seat.clone(), message_id.clone(), sha256.clone()];
        // A mail that came while the game was set aside is kept, and stands in no chain.
        if !kept.remove(&told) && direction == "out" {
            found.faults.push(format!("the mail {message_id} to {seat} stands nowhere in the chain, or twice here"));
        }
    }
    for [direction, seat, message_id, _] in kept {
        found.faults.push(format!("the mail {message_id} ({direction}, {seat}) of the chain is missing"));
    }
}

/// Plays the game again, whoever played it, by the ruleset given back: the entries that came out the same, or the first
/// difference; or why it cannot be played.
fn replay<'e>(
    game: &GameLine,
    master: Bytes32,
    salt: Bytes32,
    lines: &[Line],
    entries: &'e [Entry],
) -> Result<(&'e Entry, Result<u64, Otherwise>), String> {
    let entry = games::find(entries, &game.ruleset)?;
    let tempo = if game.tempo == "sealed" { Tempo::Sealed } else { Tempo::Live };
    let stored = Stored { game: game.id.clone(), files: game.files.clone(), master, salt, tempo, kept: None };
    let fresh = (entry.open)(stored).map_err(|flaws| flaws.join("; "))?;
    let kept: Vec<(u32, String, String)> = lines
        .iter()
        .filter_map(|l| match l {
            Line::Event { slot, entry, body, .. } => Some((*slot, entry.clone(), body.clone())),
            _ => None,
        })
        .collect();
    Ok((entry, fresh.replay(&kept)))
}

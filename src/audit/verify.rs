//! Checks a bundle: every commitment, seed, die, mail and hash in it, and, when it is whole, the game itself.

use super::chain::{game_in_chain, ledger_in_chain, mails_in_chain, rolls_in_chain, roots_in_chain};
use super::entries::{self, Read, entries_in_chain};
use super::houses::Houses;
use super::orders::{Mails, Reading, incoming, orders_in_chain};
use super::played::{Stretch, played_by, rests_in_chain};
use super::{GameLine, Line};
use crate::dice::{Bytes32, Commitment, Epochs, Scope, Secrets, commit, hex, roll, root, salt, two};
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
    /// Mails that came in.
    pub mails_in: u32,
    /// Mails that went out; a bundle has their digests alone.
    pub mails_out: u32,
    /// Mails whose digest was recomputed from their bytes.
    pub mails: u32,
    /// Entries of the chain whose hash was recomputed.
    pub entries: u32,
    /// Entries that came out the same when the game was played again; none where it was not.
    pub replayed: Option<u64>,
    /// Why it was not played again, where it could have been.
    pub not_replayed: Option<String>,
    /// The roots of the commitments: the first as the opening mail has it, one more for each restore from a backup.
    pub roots: Vec<String>,
    /// For each root the mail in which it stands.
    pub root_mails: Vec<String>,
    /// The hash of the chain's last entry, where the bundle has the chain.
    pub head: Option<String>,
    /// Which program played from which entry on.
    pub stretches: Vec<String>,
    /// What nothing shows to be wrong, and nothing to be right.
    pub unproved: Vec<String>,
    /// What does not agree.
    pub faults: Vec<String>,
    /// What it comes to.
    pub verdict: Verdict,
}

/// The entry by which a chain says that its game is over.
const OVER: &str = "post.over";
/// Why a game with faults is not played again.
const AGREE_FIRST: &str = "the faults must be mended first";

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
    found.roots = roots(lines).iter().map(|told| told.root.clone()).collect();
    found.root_mails = root_mails(lines);
    if !(1..=two::PROTOCOL).contains(&game.protocol) {
        found.faults.push(format!("this program knows no dice protocol {}", game.protocol));
    }
    let commits = commitments(game, lines, &mut found);
    let seeds = seeds(game, lines, &commits, &mut found);
    let salts = match game.protocol {
        two::PROTOCOL => Salts::Two(super::two::salts(lines, &mut found)),
        _ => Salts::One(salted(game, lines, &mut found)),
    };
    rolls(lines, &seeds, &salts, &mut found);
    mails(lines, &mut found);
    chain(lines, &mut found);
    let masters = super::two::notices(lines).iter().any(|notice| notice.master.is_some());
    if found.entries > 0 {
        let said = |stretch: &Stretch| format!("from entry {} on: {}", stretch.from, stretch.said());
        found.stretches = played_by(game, lines).iter().map(said).collect();
    }
    let record = Record { lines, mails: incoming(lines), chain: entries::read(lines) };
    if found.entries > 0 || game.master.is_some() || masters {
        in_chain(game, &record, &mut found);
    }
    match &game.master {
        _ if masters => whole(game, None, &record, entries, &salts, &mut found),
        Some(master) => whole(game, Some(master), &record, entries, &salts, &mut found),
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
        } else if self.not_replayed.is_some() || !self.unproved.is_empty() {
            Verdict::NotVerified
        } else if self.replayed.is_some() && over {
            Verdict::Agrees
        } else {
            Verdict::Open
        }
    }
}

/// The salts of the dice.
enum Salts {
    /// One for all.
    One(Option<Bytes32>),
    /// One for the slots of each notice.
    Two(Vec<((u32, u32), Option<Bytes32>)>),
}

impl Salts {
    fn of(&self, slot: u32) -> Option<&Bytes32> {
        match self {
            Salts::One(salt) => salt.as_ref(),
            Salts::Two(notices) => {
                notices.iter().find(|((first, last), _)| (*first..=*last).contains(&slot))?.1.as_ref()
            }
        }
    }
}

pub(super) fn bytes(text: &str) -> Option<Bytes32> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

fn commitments(game: &GameLine, lines: &[Line], found: &mut Findings) -> BTreeMap<(u32, String), Bytes32> {
    let mut list = Vec::new();
    for line in lines {
        let Line::Commit { slot, scope, commit } = line else { continue };
        match bytes(commit) {
            Some(commit) => list.push(Commitment { slot: *slot, scope: scope.clone(), commit }),
            None => found.faults.push(format!("the commitment of slot {slot}, {scope}, is not 64 hexadecimal digits")),
        }
    }
    found.commitments = u32::try_from(list.len()).unwrap_or(u32::MAX);
    if game.protocol == two::PROTOCOL {
        super::two::commitments(game, lines, &list, found);
        return list.into_iter().map(|c| ((c.slot, c.scope), c.commit)).collect();
    }
    if lines.iter().any(|line| matches!(line, Line::Terms { .. } | Line::Notice { .. })) {
        found.faults.push("a game of dice protocol 1 has neither terms nor notices".to_owned());
    }
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
pub(super) struct RootOf<'l> {
    pub(super) root: &'l String,
    pub(super) from: u32,
    pub(super) epoch: &'l String,
}

/// In which mail each root of a bundle stands.
fn root_mails(lines: &[Line]) -> Vec<String> {
    let notices = super::two::notices(lines);
    let mail = |at: usize| match notices.get(at) {
        _ if at == 0 => "your opening mail",
        None => "the mail that told you of the restore",
        Some(notice) => match notice.text.and_then(two::Notice::read).map(|written| written.why) {
            Some(two::Why::SignOn) => "your opening mail",
            Some(two::Why::Rewind) => "the notice of the mail that told you that play went back",
            Some(two::Why::Restore) => "the notice of the mail that told you of the restore",
            Some(two::Why::Again) => "the notice that took the place of one that came to nothing",
            None => "no mail: its notice was never written",
        },
    };
    (0..roots(lines).len()).map(|at| mail(at).to_owned()).collect()
}

pub(super) fn roots(lines: &[Line]) -> Vec<RootOf<'_>> {
    let mut found = Vec::new();
    for line in lines {
        if let Line::Root { root, from, epoch } = line {
            found.push(RootOf { root, from: *from, epoch });
        }
    }
    found
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
        let made = match game.protocol {
            two::PROTOCOL => two::commit(&game.id, *slot, scope, &seed),
            _ => commit(&game.id, *slot, &Scope::parse(scope), &seed),
        };
        match commits.get(&(*slot, scope.clone())) {
            Some(committed) if *committed == made => {}
            Some(_) => found.faults.push(format!("the seed of slot {slot}, {scope}, is not the one committed")),
            None => found.faults.push(format!("the seed of slot {slot}, {scope}, was never committed")),
        }
        if seeds.insert((*slot, scope.clone()), seed).is_some() {
            found.faults.push(format!("the seed of slot {slot}, {scope}, is there twice"));
        }
    }
    seeds
}

/// The salt, where the bundle names it: each seat gave one nonce, and nobody else gave any.
fn salted(game: &GameLine, lines: &[Line], found: &mut Findings) -> Option<Bytes32> {
    let mut given: BTreeMap<&str, &str> = BTreeMap::new();
    for line in lines {
        let Line::Nonce { seat, nonce } = line else { continue };
        if !game.seats.contains(seat) {
            found.faults.push(format!("there is a nonce of {seat}, which is no playing seat"));
        } else if given.insert(seat, nonce).is_some() {
            found.faults.push(format!("there are two nonces of {seat}"));
        }
    }
    let Some(named) = &game.salt else {
        if !given.is_empty() {
            found.faults.push("there are nonces, and no salt that they make".to_owned());
        }
        return None;
    };
    let mut nonces = Vec::new();
    for seat in &game.seats {
        match given.get(seat.as_str()) {
            Some(nonce) => nonces.push((seat.clone(), (*nonce).to_owned())),
            None => found.faults.push(format!("the nonce of {seat} is missing")),
        }
    }
    let made = salt(&nonces);
    if bytes(named) != Some(made) {
        found.faults.push(format!("the salt is not the one that the nonces make, {}", hex(&made)));
    }
    Some(made)
}

fn rolls(lines: &[Line], seeds: &Seeds, salts: &Salts, found: &mut Findings) {
    let mut told = BTreeSet::new();
    for line in lines {
        let Line::Roll { slot, scope, label, n, sides, dice, fiat } = line else { continue };
        if !told.insert((slot, scope, label, n)) {
            found.faults.push(format!("slot {slot}, {scope}, {label} {n}: this roll is there twice"));
        }
        if *fiat {
            found.fiats += 1;
            continue;
        }
        let (Some(seed), Some(salt)) = (seeds.get(&(*slot, scope.clone())), salts.of(*slot)) else {
            found.rolls_open += 1;
            continue;
        };
        found.rolls += 1;
        // A bundle can name any number of dice; a hand holds no more than this.
        let count = u32::try_from(dice.len()).unwrap_or(u32::MAX).min(100_000);
        let throw = if matches!(salts, Salts::Two(_)) { two::roll } else { roll };
        let made = throw(seed, salt, label, *n, count, *sides);
        if made != *dice {
            found
                .faults
                .push(format!("slot {slot}, {scope}, {label} {n}: the dice are {dice:?}, and the seed makes {made:?}"));
        }
    }
}

fn mails(lines: &[Line], found: &mut Findings) {
    for line in lines {
        let Line::Mail { direction, message_id, sha256, raw, .. } = line else { continue };
        match direction.as_str() {
            "in" => found.mails_in += 1,
            "out" => found.mails_out += 1,
            _ => found.faults.push(format!("the mail {message_id} went neither in nor out, but \"{direction}\"")),
        }
        let Some(raw) = raw else { continue };
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
    found.head = (at > 0).then_some(before);
}

/// What the chain says, and the bundle's other lines must say too.
fn in_chain(game: &GameLine, Record { lines, mails, chain }: &Record<'_>, found: &mut Findings) {
    game_in_chain(game, lines, found);
    match game.protocol {
        two::PROTOCOL => super::two::notices_in_chain(lines, found),
        _ => roots_in_chain(lines, found),
    }
    rolls_in_chain(lines, found);
    mails_in_chain(lines, found);
    ledger_in_chain(lines, found);
    rests_in_chain(&played_by(game, lines), found);
    entries_in_chain(game, lines, chain, found);
    let read = (*lines, mails);
    orders_in_chain(read, chain, found);
    super::umpires::umpires_in_chain(game, read, chain, found);
    super::causes::causes_in_chain(game, read, chain, found);
    super::asked::ledger_as_asked(game, mails, chain, found);
    super::letters::letters_once(chain, found);
    if game.protocol == two::PROTOCOL {
        super::noticed::notices_in_order(game, read, chain, found);
    }
}

/// What a bundle says, and what is read in it once.
struct Record<'l> {
    lines: &'l [Line],
    /// Mails that came in, by their names.
    mails: Mails<'l>,
    /// The chain's entries.
    chain: Vec<Read<'l>>,
}

/// What only the bundle of a finished game allows: the master makes every seed, and the game comes out the same when it
/// is played again.
fn whole(
    game: &GameLine,
    master: Option<&str>,
    record: &Record<'_>,
    entries: &[Entry],
    salts: &Salts,
    found: &mut Findings,
) {
    let lines = record.lines;
    let secrets = match (salts, master) {
        (Salts::Two(salts), _) => super::two::whole(game, (lines, &record.chain), salts, found),
        (Salts::One(salt), master) => match master.and_then(bytes) {
            Some(master) => Secrets::One { master, salt: salt.unwrap_or_default() },
            None => {
                found.faults.push("the master is not 64 hexadecimal digits".to_owned());
                return;
            }
        },
    };
    made(game, &secrets, lines, found);
    let mut shown = BTreeSet::new();
    for line in lines {
        let Line::Seed { slot, scope, .. } = line else { continue };
        shown.insert((*slot, scope));
    }
    for line in lines {
        let Line::Commit { slot, scope, .. } = line else { continue };
        if !shown.contains(&(*slot, scope)) {
            found.faults.push(format!("the seed of slot {slot}, {scope}, is missing, though the master is shown"));
        }
    }
    if crate::scenario::digest(&game.files) != game.scenario {
        found.faults.push("the scenario's files are not those of its digest".to_owned());
    }
    if !found.faults.is_empty() {
        found.not_replayed = Some(AGREE_FIRST.to_owned());
        return;
    }
    if found.mails < found.mails_in {
        let missing = found.mails_in.saturating_sub(found.mails);
        found.unproved.push(format!("{missing} mails that came in are here without their bytes"));
    }
    match replay(game, secrets, record, entries, found) {
        Ok(Again { same: Ok(count), .. }) => found.replayed = Some(count),
        Ok(Again { own, same: Err(first), behind }) => differs(&played_by(game, lines), own, first, &behind, found),
        Err(why) => found.not_replayed = Some(why),
    }
}

/// The game comes out otherwise: a fault where this program played, and otherwise the parts that other programs played so are
/// named, and those behind them that come out the same.
fn differs(played: &[Stretch], own: &Entry, first: Otherwise, behind: &[Behind], found: &mut Findings) {
    let by = |at: usize| played.iter().rev().find(|stretch| stretch.from <= seq_of(at));
    let Otherwise { at, why } = first;
    let Some(stretch) = by(at).filter(|stretch| !stretch.is_own(own)) else {
        found.faults.push(format!("the game comes out otherwise: {why}"));
        return;
    };
    let mut said = format!(
        "up to entry {at} it comes out the same; from there {} played, and this program ({}, version {} of {}) does \
         otherwise: audit it with that one; {why}",
        stretch.said(),
        env!("CARGO_PKG_VERSION"),
        own.version,
        own.name
    );
    for (from, same) in behind {
        let from = from.saturating_add(1);
        said.push_str(&match same {
            Ok(count) => format!("; from entry {from} on it comes out the same again, {count} entries"),
            Err(Otherwise { at, why }) => format!(
                "; from entry {from} to {at} it comes out the same again, and then {} did otherwise: {why}",
                by(*at).map_or_else(String::new, Stretch::said)
            ),
        });
    }
    found.not_replayed = Some(said);
}

/// What comes of a part of a chain behind one that comes out otherwise: where it begins, and how far it is the same.
type Behind = (usize, Result<u64, Otherwise>);

/// What comes of a chain that is played again.
struct Again<'e> {
    /// The ruleset by which.
    own: &'e Entry,
    /// The entries that came out the same, or the first difference.
    same: Result<u64, Otherwise>,
    /// What stands behind the first difference.
    behind: Vec<Behind>,
}

/// So many parts that come out otherwise are looked behind.
const PARTS_MAX: usize = 12;

/// Every seed follows from its master.
fn made(game: &GameLine, secrets: &Secrets, lines: &[Line], found: &mut Findings) {
    let later = roots(lines).into_iter().filter(|root| !root.epoch.is_empty());
    let epochs = Epochs::named(later.map(|root| (root.from, root.epoch.clone())));
    for line in lines {
        let Line::Seed { slot, scope, seed } = line else { continue };
        let made = secrets.seed(&epochs, &game.id, *slot, &Scope::parse(scope));
        if made.map(|made| hex(&made)).as_ref() != Some(seed) {
            found.faults.push(format!("the seed of slot {slot}, {scope}, does not follow from the master"));
        }
    }
}

/// Plays the game again, whoever played it; or why it cannot be played.
fn replay<'e>(
    game: &GameLine,
    secrets: Secrets,
    record: &Record<'_>,
    entries: &'e [Entry],
    found: &mut Findings,
) -> Result<Again<'e>, String> {
    let lines = record.lines;
    let entry = games::find(entries, &game.ruleset)?;
    let tempo = if game.tempo == "sealed" { Tempo::Sealed } else { Tempo::Live };
    let stored = Stored { game: game.id.clone(), files: game.files.clone(), secrets, tempo, kept: None };
    let fresh = (entry.open)(stored).map_err(|flaws| flaws.join("; "))?;
    let (seats, sides) = (fresh.seats(), fresh.sides());
    if !seats.iter().map(|(seat, _)| &seat.0).eq(&game.seats) || !sides.iter().map(|side| &side.0).eq(&game.sides) {
        found.faults.push("the seats and sides are not those of the scenario".to_owned());
        return Err(AGREE_FIRST.to_owned());
    }
    let kept: Vec<(u32, String, String)> = lines
        .iter()
        .filter_map(|l| match l {
            Line::Event { slot, entry, body, .. } => Some((*slot, entry.clone(), body.clone())),
            _ => None,
        })
        .collect();
    let mut reading = Reading::new(game, (&record.mails, &record.chain));
    let mut houses = Houses::new(game, lines);
    let again = fresh.replay_watched(&kept, &mut |game, at, looked| {
        houses.look(game, at, &looked);
        reading.look(game, at, looked);
    });
    reading.done();
    let played = played_by(game, lines);
    // A mail may mean something else to another program.
    let own = |seq: u32| played.iter().rev().find(|stretch| stretch.from <= seq).is_some_and(|s| s.is_own(entry));
    if game.protocol == two::PROTOCOL {
        super::two::options_in_chain((lines, &record.chain), played.iter().all(|stretch| stretch.is_own(entry)), found);
    }
    if again.is_ok() {
        // Its words are of no rules: another program of the same rules may have another player.
        let others = houses.otherwise.into_iter().map(seq_of).filter(|seq| own(*seq));
        found.unproved.extend(others.map(|seq| format!("entry {seq}: the program's own player gives other lines")));
        found.faults.extend(reading.otherwise.into_iter().filter(|(seq, _)| own(*seq)).map(|(_, why)| why));
        found
            .unproved
            .extend(reading.unused.into_iter().filter(|_| played.iter().all(|stretch| stretch.is_own(entry))));
    }
    let mut behind: Vec<Behind> = Vec::new();
    let mut at = again.as_ref().err().map(|first| first.at).filter(|at| !own(seq_of(*at)));
    while let Some(place) = at.filter(|_| behind.len() < PARTS_MAX) {
        let Some(next) = fresh.replay_behind(&kept, place) else { break };
        at = next.1.as_ref().err().map(|other| other.at.max(place.saturating_add(1)));
        behind.push(next);
    }
    Ok(Again { own: entry, same: again, behind })
}

/// The number of the entry at a place.
fn seq_of(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1)
}

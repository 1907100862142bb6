//! What a bundle holds: while a game is on, what its asker may see; at its end everything.

use super::chain::mail_of;
use super::{GameLine, Line};
use crate::dice::{Commitment, List, Roll, Scope, Secrets, hex, two};
use crate::fog::SideId;
use crate::host::Game;
use crate::store::{self, GameState, Store, StoreError};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asker {
    /// Anybody: what all sides may see.
    Public,
    /// A seat of a side.
    Seat {
        /// The seat.
        seat: String,
        /// Its side.
        side: SideId,
    },
    /// Everything: for an umpire, or when the game is over.
    All,
}

/// Whether a bundle holds the mails that came in as they are, or their digests alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw {
    /// With their bytes.
    Kept,
    /// Their digests alone.
    LeftOut,
}

/// Bytes of a line of a bundle beside what it quotes.
const LINE_BYTES: u64 = 300;

/// About how many bytes the bundle of a game for an asker has, before any of it is read.
///
/// # Errors
/// When the store cannot be read.
pub fn size(store: &Store, row: &store::Game, asker: &Asker, raw: Raw) -> Result<u64, StoreError> {
    let seat = match asker {
        _ if row.state == GameState::Over => None,
        Asker::All => None,
        Asker::Seat { seat, .. } => Some(seat.as_str()),
        // Nobody's mails.
        Asker::Public => Some(""),
    };
    let (mails, bytes) = store.mails_of_bundle(&row.id, seat)?;
    let logged = if seat.is_none() { store.log_bytes(&row.id)? } else { (0, 0) };
    let raw = if raw == Raw::Kept { bytes.saturating_mul(4) / 3 } else { 0 };
    // Quotes within quotes are escaped.
    let body = logged.1.saturating_add(logged.1 / 3);
    Ok((mails + logged.0).saturating_mul(LINE_BYTES).saturating_add(raw).saturating_add(body))
}

/// The bundle of a game for an asker.
///
/// # Errors
/// When the store cannot be read.
pub fn bundle(store: &Store, row: &store::Game, game: &dyn Game, asker: &Asker) -> Result<Vec<Line>, StoreError> {
    bundle_with(store, row, game, (asker, Raw::Kept))
}

/// The same, with the mails that came in as they are or without their bytes.
///
/// # Errors
/// When the store cannot be read.
pub fn bundle_with(
    store: &Store,
    row: &store::Game,
    game: &dyn Game,
    (asker, raw): (&Asker, Raw),
) -> Result<Vec<Line>, StoreError> {
    let asker = if row.state == GameState::Over { &Asker::All } else { asker };
    let seats = store.seats(&row.id)?;
    let all = *asker == Asker::All;
    let begun = row.state != GameState::Forming;
    let mut lines = vec![Line::Game(Box::new(game_line(store, row, game, all)?))];
    let (secrets, epochs) = (super::secrets_of(store, row)?, game.epochs());
    let lists = secrets.lists(&epochs, &row.id, (game.last_slot(), &game.sides()));
    committed(store, row, (&secrets, &lists), all, &mut lines)?;
    if begun && row.protocol != two::PROTOCOL {
        for seat in seats.iter().filter(|seat| seat.side.is_some()) {
            lines.push(Line::Nonce { seat: seat.seat.clone(), nonce: seat.nonce.clone().unwrap_or_default() });
        }
    }
    let closed: Vec<u32> = closed_slots(store, &row.id)?;
    for commitment in lists.iter().flat_map(|list| &list.lines) {
        let scope = Scope::parse(&commitment.scope);
        if (all || (closed.contains(&commitment.slot) && may_see(asker, &scope)))
            && let Some(seed) = secrets.seed(&epochs, &row.id, commitment.slot, &scope)
        {
            lines.push(Line::Seed { slot: commitment.slot, scope: commitment.scope.clone(), seed: hex(&seed) });
        }
    }
    lines.extend(rolls(game, asker).into_iter().map(|(slot, roll)| roll_line(slot, roll)));
    mails(store, row, &seats, (asker, raw), &mut lines)?;
    if all {
        for e in store.log(&row.id, 1)? {
            let (seq, slot) = (e.seq, e.slot);
            lines.push(Line::Event { seq, prev: e.prev, hash: e.hash, slot, entry: e.kind, body: e.body });
        }
    }
    Ok(lines)
}

fn game_line(store: &Store, row: &store::Game, game: &dyn Game, all: bool) -> Result<GameLine, StoreError> {
    let begun = row.state != GameState::Forming;
    let files = if all {
        store.scenario(&row.scenario_digest)?.into_iter().map(|file| (file.path, file.text)).collect()
    } else {
        Vec::new()
    };
    let two = row.protocol == two::PROTOCOL;
    let salt = if begun && !two { Some(hex(&super::salt_of(&store.seats(&row.id)?))) } else { None };
    Ok(GameLine {
        id: row.id.clone(),
        ruleset: row.ruleset.clone(),
        // Whoever has the digest while the game is on can test guesses of the hidden set-up by it.
        scenario: if all { row.scenario_digest.clone() } else { String::new() },
        engine: row.engine_version.clone(),
        tempo: row.tempo.as_str().to_owned(),
        seats: game.seats().into_iter().map(|(seat, _)| seat.0).collect(),
        sides: game.sides().into_iter().map(|side| side.0).collect(),
        salt,
        master: (all && !two).then(|| hex(&row.master)),
        protocol: row.protocol,
        files,
    })
}

/// The commitments, each list with its root, and under protocol 2 with the terms and its notice.
fn committed(
    store: &Store,
    row: &store::Game,
    (secrets, lists): (&Secrets, &[List]),
    all: bool,
    lines: &mut Vec<Line>,
) -> Result<(), StoreError> {
    let terms = super::terms_of(store, &row.id)?;
    let notices = store.notices(&row.id)?;
    if row.protocol == two::PROTOCOL {
        lines.push(Line::Terms { text: terms.clone() });
    }
    for (at, list) in lists.iter().enumerate() {
        lines.extend(list.lines.iter().map(commit_line));
        let root = hex(&secrets.root(&terms, list));
        lines.push(Line::Root { root, from: list.first, epoch: list.epoch.clone() });
        if let Some(notice) = notices.get(at) {
            lines.push(notice_line(notice, &store.nonces(&row.id, notice.no)?, all));
        }
    }
    Ok(())
}

fn commit_line(c: &Commitment) -> Line {
    Line::Commit { slot: c.slot, scope: c.scope.clone(), commit: hex(&c.commit) }
}

/// A notice as anybody may see it: its text went to all, and so did, when it was settled, its words.
fn notice_line(notice: &store::Notice, given: &[store::Given], all: bool) -> Line {
    let words = given.iter().filter(|_| notice.salt.is_some() || (all && notice.text.is_some()));
    Line::Notice {
        no: notice.no,
        text: notice.text.clone(),
        value: notice.value.as_deref().map(hex),
        salt: notice.salt.as_ref().map(|salt| hex(salt)),
        words: words.filter_map(|given| Some((given.seat.clone(), given.words.clone()?))).collect(),
        master: all.then(|| hex(&notice.master)),
    }
}

/// The slots whose seeds have been shown.
fn closed_slots(store: &Store, game: &str) -> Result<Vec<u32>, StoreError> {
    let mut slots: Vec<u32> = Vec::new();
    for entry in store.log_of_kind(game, "post.seed", 1)? {
        if slots.last() != Some(&entry.slot_named()) {
            slots.push(entry.slot_named());
        }
    }
    Ok(slots)
}

trait SlotNamed {
    fn slot_named(&self) -> u32;
}

impl SlotNamed for store::LogEntry {
    /// The slot that a seed belongs to, which its entry names; the entry itself may stand in the next.
    fn slot_named(&self) -> u32 {
        let body: Option<serde_json::Value> = serde_json::from_str(&self.body).ok();
        let slot = body.as_ref().and_then(|body| body.get("slot")).and_then(serde_json::Value::as_u64);
        slot.and_then(|slot| u32::try_from(slot).ok()).unwrap_or(self.slot)
    }
}

fn may_see(asker: &Asker, scope: &Scope) -> bool {
    match asker {
        Asker::Public => *scope == Scope::Public,
        Asker::Seat { side, .. } => scope.open_to(side),
        Asker::All => true,
    }
}

fn rolls(game: &dyn Game, asker: &Asker) -> Vec<(u32, Roll)> {
    match asker {
        Asker::All => game.rolls(None),
        Asker::Seat { seat, .. } => game.rolls_of(&crate::fog::SeatId::from(seat.as_str())),
        // What every side has been told.
        Asker::Public => {
            let each: Vec<Vec<(u32, Roll)>> = game.sides().iter().map(|side| game.rolls(Some(side))).collect();
            let (first, others) = each.split_first().map_or((&[][..], &[][..]), |(f, o)| (f.as_slice(), o));
            let known = |roll: &&(u32, Roll)| roll.1.scope == Scope::Public && others.iter().all(|o| o.contains(roll));
            first.iter().filter(known).cloned().collect()
        }
    }
}

fn roll_line(slot: u32, roll: Roll) -> Line {
    let scope = roll.scope.text().to_owned();
    Line::Roll { slot, scope, label: roll.label, n: roll.n, sides: roll.sides, dice: roll.dice, fiat: roll.fiat }
}

/// The mails of a game, as its chain names them.
fn named_mails(store: &Store, game: &str) -> Result<BTreeSet<[String; 4]>, StoreError> {
    Ok(store.log_of_kind(game, "post.mail", 1)?.iter().map(|entry| mail_of(&entry.body)).collect())
}

fn mails(
    store: &Store,
    row: &store::Game,
    seats: &[store::Seat],
    (asker, raw): (&Asker, Raw),
    lines: &mut Vec<Line>,
) -> Result<(), StoreError> {
    let mine = |seat: &str| match asker {
        Asker::Public => false,
        Asker::Seat { seat: own, .. } => own == seat,
        Asker::All => true,
    };
    let known = named_mails(store, &row.id)?;
    // One at a time: all together they may be more than the memory holds.
    for id in store.inbox_ids_of_game(&row.id)? {
        let Some(mail) = store.inbox(id)? else { continue };
        let Some(seat) = mail.seat.filter(|seat| mine(seat)) else { continue };
        let sha256 = hex(&Sha256::digest(&mail.raw));
        // What was put aside unread has done nothing, and the chain does not know it.
        let as_named = |name: String| ["in".to_owned(), seat.clone(), name, sha256.clone()];
        let by_digest = format!("sha256:{sha256}");
        // The second mail of a name is known by its digest.
        let named = [mail.message_id, by_digest].map(as_named).into_iter().find(|named| known.contains(named));
        let Some(named) = named else { continue };
        let [direction, seat, message_id, sha256] = named;
        lines.push(Line::Mail {
            direction,
            seat,
            message_id,
            sha256,
            raw: (raw == Raw::Kept).then(|| BASE64.encode(&mail.raw)),
        });
    }
    for seat in seats.iter().filter(|seat| mine(&seat.seat)) {
        for id in store.outbox_ids_of_seat(&row.id, &seat.seat)? {
            let Some(mail) = store.outbox(id)? else { continue };
            lines.push(Line::Mail {
                direction: "out".to_owned(),
                seat: seat.seat.clone(),
                message_id: mail.message_id,
                sha256: hex(&Sha256::digest(&mail.raw)),
                raw: None,
            });
        }
    }
    Ok(())
}

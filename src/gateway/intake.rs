//! What is written down of a mail when it comes in, by whatever way: how much of it, and in whose turn it is read.

use super::error::OfficeError;
use super::inbox::{BATCH, DEADLY, times_max};
use super::sender::{answered, writer};
use crate::config::Keep;
use crate::fail;
use crate::mail::read::{self, Limits, Reason};
use crate::store::{InboxState, NewInbox, Received, Store};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Bytes that are kept of a stranger's mail when strangers have sent enough for today: head and first lines.
const HEAD_BYTES: usize = 4096;

/// Under which name the kilobytes that strangers send in a day are counted; no address is like it.
const STRANGERS: &str = "(strangers' kilobytes)";

/// The numbers of mails in the order in which they are read: as they came, so that a start in the middle of them changes
/// nothing. Where more wait than are read in one go, the first of each lane, then the second of each, and so on.
pub(super) fn in_turn(waiting: Vec<(i64, String)>) -> Vec<i64> {
    if waiting.len() <= BATCH {
        return waiting.into_iter().map(|(id, _)| id).collect();
    }
    let mut ranks: BTreeMap<String, usize> = BTreeMap::new();
    let mut turns: Vec<(usize, i64)> = Vec::with_capacity(waiting.len());
    for (id, lane) in waiting {
        let rank = ranks.entry(lane).or_default();
        turns.push((*rank, id));
        *rank += 1;
    }
    turns.sort_unstable();
    turns.into_iter().map(|(_, id)| id).collect()
}

/// What it takes to write mails into the inbox.
pub(super) struct Intake<'a> {
    store: &'a Store,
    limits: &'a Limits,
    keep: &'a Keep,
    /// When they came.
    received: &'a str,
    /// Kilobytes of strangers' mails among them.
    strangers: u32,
}

impl<'a> Intake<'a> {
    pub(super) fn new(store: &'a Store, limits: &'a Limits, keep: &'a Keep, received: &'a str) -> Intake<'a> {
        Intake { store, limits, keep, received, strangers: 0 }
    }

    /// Commits one mail to the inbox, or finds it there already; why it is to be put aside, if it is.
    pub(super) fn take(mut self, raw: Vec<u8>, size: u64) -> Result<Option<String>, OfficeError> {
        let digest = HEXLOWER.encode(&Sha256::digest(&raw));
        // Reading a mail may end the process while nobody knows of it. A note that cannot be kept is none.
        let deadly = self.store.begin_work(&digest).unwrap_or(0) >= times_max(self.store);
        fail::point("gateway/taking");
        let taken = if deadly { self.unread(raw, size, &digest) } else { self.read(raw, size) };
        if let Err(error) = self.store.end_work(&digest) {
            tracing::debug!(%error, "that a mail is no longer in hand is not written down");
        }
        taken
    }

    fn read(&mut self, raw: Vec<u8>, size: u64) -> Result<Option<String>, OfficeError> {
        let (row, verdict) = self.row(raw, size)?;
        self.commit(&row, None)?;
        Ok(verdict.err().map(|reason| reason.to_string()))
    }

    /// Takes a mail in that is not to be read: it goes by the digest that is given.
    fn unread(&mut self, mut raw: Vec<u8>, size: u64, digest: &str) -> Result<Option<String>, OfficeError> {
        let size = size.max(u64::try_from(raw.len()).unwrap_or(u64::MAX));
        raw.truncate(self.limits.mail_bytes_max.saturating_add(1));
        let row = NewInbox {
            message_id: format!("sha256:{digest}"),
            digest: digest.to_owned(),
            received: self.received.to_owned(),
            bytes: Some(size).filter(|size| usize::try_from(*size).map_or(true, |size| size > raw.len())),
            raw,
            lane: String::new(),
        };
        self.commit(&row, Some(DEADLY))?;
        Ok(Some(DEADLY.to_owned()))
    }

    fn commit(&self, row: &NewInbox, aside: Option<&str>) -> Result<(), OfficeError> {
        fail::point("gateway/fetched");
        self.store.act(|act| {
            let received = act.receive(row)?;
            // A mail that is delivered again is kept, and counted, once.
            if self.strangers > 0 && matches!(received, Received::First(_)) {
                act.count_more(STRANGERS, self.day(), self.strangers)?;
            }
            match (received, aside) {
                (Received::First(id), Some(why)) => act.settle(id, InboxState::Quarantined, Some(why)),
                _ => Ok(()),
            }
        })?;
        fail::point("gateway/received");
        Ok(())
    }

    fn day(&self) -> &str {
        self.received.get(..10).unwrap_or_default()
    }

    /// The row of a mail, and why it could not be read if it could not. Of a mail that is too large only the first bytes
    /// are there, beside its true size; of one that nobody with a good tag wrote, only some are kept.
    fn row(&mut self, mut raw: Vec<u8>, size: u64) -> Result<(NewInbox, Result<(), Reason>), OfficeError> {
        let size = size.max(u64::try_from(raw.len()).unwrap_or(u64::MAX));
        let read = read::read_part(&raw, usize::try_from(size).unwrap_or(usize::MAX), self.limits);
        let (head, verdict) = match read {
            Ok(incoming) => (incoming.head, Ok(())),
            Err(unreadable) => (*unreadable.head, Err(unreadable.reason)),
        };
        let holder = answered(self.store, &head, self.limits.own_domain.as_deref().unwrap_or_default())?;
        let own = match (&holder, &head.from) {
            (Some(holder), Some(from)) => writer(self.store, holder, from)?,
            _ => None,
        };
        let lane = holder.as_ref().filter(|_| own.is_some());
        let lane = lane.map_or_else(String::new, |holder| format!("{}/{}", holder.game, holder.seat));
        let most = self.limits.mail_bytes_max.saturating_add(1);
        raw.truncate(if holder.is_some() && head.from.is_some() {
            most
        } else {
            self.room_of_strangers(raw.len())?.min(most)
        });
        let bytes = Some(size).filter(|size| usize::try_from(*size).map_or(true, |size| size > raw.len()));
        let (message_id, digest) = (head.message_id, head.content);
        Ok((NewInbox { message_id, digest, received: self.received.to_owned(), raw, bytes, lane }, verdict))
    }

    /// How many bytes are kept of a stranger's mail: fewer, when strangers have sent a quarter of what is kept of them in
    /// one day.
    fn room_of_strangers(&mut self, bytes: usize) -> Result<usize, OfficeError> {
        let most = self.keep.stranger_mail_bytes_max;
        let kilobytes = u32::try_from(bytes.min(most) / 1000 + 1).unwrap_or(u32::MAX);
        self.strangers = self.strangers.saturating_add(kilobytes);
        let today = self.store.answers_given(STRANGERS, self.day())?.saturating_add(self.strangers);
        let enough = u64::from(today).saturating_mul(1000) > self.keep.strangers_bytes_max / 4;
        Ok(if enough { HEAD_BYTES.min(most) } else { most })
    }
}

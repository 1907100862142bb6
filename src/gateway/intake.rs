//! What is written down of a mail when it comes in, by whatever door: how much of it, and in whose turn it is read.

use super::error::OfficeError;
use super::sender::writer;
use crate::config::Keep;
use crate::fail;
use crate::mail::read::{self, Limits, Reason};
use crate::store::{NewInbox, Store};
use std::collections::BTreeMap;

/// Bytes that are kept of a stranger's mail when strangers have sent enough for today: head and first lines.
const HEAD_BYTES: usize = 4096;

/// Under which name the kilobytes that strangers send in a day are counted; no address is like it.
const STRANGERS: &str = "(strangers' kilobytes)";

/// The numbers of mails in the order in which they are read: the first of each lane, then the second of each, and so on.
pub(super) fn in_turn(waiting: Vec<(i64, String)>) -> Vec<i64> {
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

    /// Commits one mail to the inbox, or finds it there already.
    pub(super) fn take(mut self, raw: Vec<u8>, size: u64) -> Result<(), OfficeError> {
        let (row, _) = self.row(raw, size)?;
        self.keep(&[row])
    }

    /// Commits mails to the inbox, all in one act: a disk that writes slowly must not give a flood the whole day.
    pub(super) fn keep(&self, rows: &[NewInbox]) -> Result<(), OfficeError> {
        fail::point("gateway/fetched");
        self.store.act(|act| {
            if self.strangers > 0 {
                act.count_more(STRANGERS, self.day(), self.strangers)?;
            }
            rows.iter().try_for_each(|row| act.receive(row).map(drop))
        })?;
        fail::point("gateway/received");
        Ok(())
    }

    fn day(&self) -> &str {
        self.received.get(..10).unwrap_or_default()
    }

    /// The row of a mail, and why it could not be read if it could not. Of a mail that is too large only the first bytes
    /// are there, beside its true size; of one that nobody with a good tag wrote, only some are kept.
    pub(super) fn row(&mut self, mut raw: Vec<u8>, size: u64) -> Result<(NewInbox, Result<(), Reason>), OfficeError> {
        let size = size.max(u64::try_from(raw.len()).unwrap_or(u64::MAX));
        let read = read::read_part(&raw, usize::try_from(size).unwrap_or(usize::MAX), self.limits);
        let (head, verdict) = match read {
            Ok(incoming) => (incoming.head, Ok(())),
            Err(unreadable) => (*unreadable.head, Err(unreadable.reason)),
        };
        let holder = match &head.tag {
            Some(tag) => self.store.tag_holder(&tag.secret.to_lowercase())?,
            None => None,
        };
        let own = match (&holder, &head.from) {
            (Some(holder), Some(from)) => writer(self.store, holder, from)?,
            _ => None,
        };
        let lane = holder.as_ref().filter(|_| own.is_some());
        let lane = lane.map_or_else(String::new, |holder| format!("{}/{}", holder.game, holder.seat));
        let most = self.limits.mail_bytes_max.saturating_add(1);
        raw.truncate(if holder.is_some() { most } else { self.room_of_strangers(raw.len())?.min(most) });
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

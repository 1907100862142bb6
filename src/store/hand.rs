//! Which mail is in hand, so that one that ends the process is known when the process starts again.
//!
//! That a mail is taken up must outlive the process, not the machine: losing power is no fault of a mail. So the disk is
//! not waited for.

use rusqlite::params;

use super::{Store, StoreError};

impl Store {
    /// Notes that work on a mail of the inbox begins, and the process may end in it: how often it now has been begun.
    /// [`super::Act::settle`] takes the note back.
    pub fn take_up(&self, id: i64, times: u32) -> Result<(), StoreError> {
        self.unhurried(|store| {
            store.act(|act| {
                let row = format_args!("inbox {id}");
                act.write_one(row, "UPDATE inbox SET in_hand = ?2 WHERE id = ?1", params![id, times])
            })
        })
    }

    /// Notes under a name that work begins in which the process may end, and tells how often it ended there before.
    pub fn begin_work(&self, name: &str) -> Result<u32, StoreError> {
        let key = work_key(name);
        let before = self.mark(&key)?.and_then(|times| times.parse::<u32>().ok()).unwrap_or(0);
        self.unhurried(|store| store.act(|act| act.set_mark(&key, &before.saturating_add(1).to_string())))?;
        Ok(before)
    }

    /// Takes the note of [`Store::begin_work`] back: the process lives.
    pub fn end_work(&self, name: &str) -> Result<(), StoreError> {
        self.unhurried(|store| store.act(|act| act.drop_mark(&work_key(name))))
    }

    /// Does what need not outlive the machine.
    fn unhurried<T>(&self, work: impl FnOnce(&Store) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.synced(false)?;
        let done = work(self);
        self.synced(true)?;
        done
    }

    /// Says whether what is committed from now on waits for the disk.
    pub(super) fn synced(&self, on: bool) -> Result<(), StoreError> {
        self.loose.set(!on);
        let Some(conn) = self.base.lite() else { return Ok(()) };
        let level = if on { "FULL" } else { "NORMAL" };
        conn.pragma_update(None, "synchronous", level).map_err(|source| self.error(&"synchronous", source.into()))
    }
}

fn work_key(name: &str) -> String {
    format!("hand/{name}")
}

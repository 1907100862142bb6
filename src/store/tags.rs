//! The reply tags that lead to a seat: only a digest of each is kept.
//!
//! A tag of twelve characters is short enough to be found from a bare digest by trying, so its digest has a key that this
//! post office alone has. Those of the first release are too long for that, and stay under the digest they have.

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::{Act, Store, StoreError};

/// Under which mark the key lies; and beside each game, since marks are lost where their page is damaged.
const KEY: &str = "tag key";
/// Characters of a tag that is digested with the key.
const SHORT_CHARS: usize = 12;

/// Whose mail a reply tag came with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagHolder {
    /// The game.
    pub game: String,
    /// The seat.
    pub seat: String,
    /// The running number of the mail.
    pub mail_number: u32,
    /// Whose copy alone holds the tag; none where those to the seat's own addresses do.
    pub reader: Option<String>,
}

impl Act<'_> {
    /// Remembers the reply tag of a mail; only its digest is kept.
    pub fn put_tag(&self, game: &str, seat: &str, mail_number: u32, tag: &str) -> Result<(), StoreError> {
        self.put_digest((game, seat, mail_number), tag, None)
    }

    /// Remembers the reply tag of one reader's copy of a mail: it is good from his address alone.
    pub fn put_tag_of(
        &self,
        game: &str,
        seat: &str,
        mail_number: u32,
        tag: &str,
        reader: &str,
    ) -> Result<(), StoreError> {
        self.put_digest((game, seat, mail_number), tag, Some(reader.to_lowercase()))
    }

    fn put_digest(
        &self,
        (game, seat, mail_number): (&str, &str, u32),
        tag: &str,
        reader: Option<String>,
    ) -> Result<(), StoreError> {
        if self.tag_key()?.is_none() {
            self.set_mark(KEY, &fresh_key(self)?)?;
        }
        if self.note(game, KEY)?.is_none() {
            self.set_note(game, KEY, self.tag_key()?.as_deref())?;
        }
        let hash = self.digest(tag)?;
        self.write(
            format_args!("tag of mail {mail_number} to {game}/{seat}"),
            "INSERT INTO tags (hash, game, seat, mail_number, reader) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![hash, game, seat, mail_number, reader],
        )?;
        Ok(())
    }

    /// Forgets all reply tags of a seat: whoever had it can answer none of his mails any more.
    pub fn forget_tags(&self, game: &str, seat: &str) -> Result<(), StoreError> {
        let row = format_args!("tags of {game}/{seat}");
        self.write(row, "DELETE FROM tags WHERE game = ?1 AND seat = ?2", [game, seat])?;
        Ok(())
    }
}

impl Store {
    /// Whose mail the reply tag came with, if it is a good one.
    pub fn tag_holder(&self, tag: &str) -> Result<Option<TagHolder>, StoreError> {
        let hash = self.digest(tag)?;
        self.one(
            format_args!("reply tag"),
            "SELECT game, seat, mail_number, reader FROM tags WHERE hash = ?1",
            [hash],
            |row| Ok(TagHolder { game: row.get(0)?, seat: row.get(1)?, mail_number: row.get(2)?, reader: row.get(3)? }),
        )
    }

    /// Whose mail of ours a Message-ID names: the holder of the tag that came with that copy, if it is good still.
    pub fn holder_of_copy(&self, message_id: &str) -> Result<Option<TagHolder>, StoreError> {
        // An address that a stand-in has is none of the seat's own, and his copy has a tag of his own.
        self.one(
            format_args!("outgoing mail {message_id}"),
            "SELECT t.game, t.seat, t.mail_number, t.reader FROM outbox AS o \
             JOIN tags AS t ON t.game = o.game AND t.seat = o.seat AND t.mail_number = o.number \
             AND (t.reader IS NULL OR t.reader = lower(o.recipient)) \
             WHERE o.message_id = ?1 ORDER BY t.reader IS NULL LIMIT 1",
            [message_id],
            |row| Ok(TagHolder { game: row.get(0)?, seat: row.get(1)?, mail_number: row.get(2)?, reader: row.get(3)? }),
        )
    }

    /// The Message-IDs of all mails of a game.
    pub fn message_ids(&self, game: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT message_id FROM outbox WHERE game = ?1";
        self.many(format_args!("outbox of {game}"), sql, [game], |row| row.get(0))
    }

    /// The mails of a game of which a stand-in had a copy with a tag of his own: seat, number, his address.
    pub fn stand_ins_copies(&self, game: &str) -> Result<Vec<(String, u32, String)>, StoreError> {
        self.many(
            format_args!("tags of {game}"),
            "SELECT seat, mail_number, reader FROM tags WHERE game = ?1 AND reader IS NOT NULL",
            [game],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
    }

    /// The key of short tags.
    fn tag_key(&self) -> Result<Option<String>, StoreError> {
        if let Some(key) = self.mark(KEY)? {
            return Ok(Some(key));
        }
        self.one(
            format_args!("notes {KEY}"),
            "SELECT value FROM game_notes WHERE key = ?1 ORDER BY game LIMIT 1",
            [KEY],
            |row| row.get(0),
        )
    }

    /// A tag is looked up by its digest, so that the time of the search says nothing of the tags that are good.
    fn digest(&self, tag: &str) -> Result<String, StoreError> {
        if tag.len() != SHORT_CHARS {
            let digest = Sha256::new().chain_update(b"estafette/tag/v1\0").chain_update(tag.as_bytes());
            return Ok(HEXLOWER.encode(&digest.finalize()));
        }
        let key = self.tag_key()?.unwrap_or_default();
        // A key of any length is taken, so there is nothing to fail.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key.as_bytes()) else { return Ok(String::new()) };
        mac.update(b"estafette/tag/v2\0");
        mac.update(tag.as_bytes());
        Ok(HEXLOWER.encode(&mac.finalize().into_bytes()))
    }
}

/// A key that nobody can guess, in hexadecimal.
fn fresh_key(store: &Store) -> Result<String, StoreError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Io {
        path: store.path().to_owned(),
        source: std::io::Error::other(error.to_string()),
    })?;
    Ok(HEXLOWER.encode(&bytes))
}

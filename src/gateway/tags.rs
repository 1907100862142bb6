//! Which tag a mail has in its subject.

use super::error::Trouble;
use super::post::Desk;
use crate::dice::{Bytes32, Master, hex};
use crate::mail::tag::{self, ReplyTag};
use crate::store::{self, Act, Store, StoreError, TagHolder};
use data_encoding::HEXLOWER;

/// Tags that are tried for one mail before it is given up that one is free: one in 2^60 is taken by another mail.
const TRIES: u32 = 4;
/// Mails of a seat, from the newest, whose tags are good for orders; an answer to an older one is asked back.
pub(super) const GOOD: u32 = 20;

impl Desk<'_> {
    /// The tags that a mail may have, the one that it gets first; another goes to its stand-in. Last, that of the first
    /// release.
    pub(super) fn tags(&self, seat: &str, number: u32, stand_in: Option<&str>) -> Result<Vec<ReplyTag>, Trouble> {
        let (game, key) = (&self.row.id, key_of(self.act, self.row)?);
        let secret_of = |purpose: &str, named: &str| secret_under(&key, (game, &self.row.epoch), purpose, named);
        let named = match stand_in {
            None => format!("{seat}/{number}"),
            Some(by) => format!("{seat}/{number}/{by}"),
        };
        let short = (0..TRIES).map(|again| {
            let secret = secret_of(&format!("tag/2/{again}"), &named);
            ReplyTag::of(tag::short(&first(secret)))
        });
        let secret = tag::secret(&first(secret_of("tag", &named)));
        let long = ReplyTag { names: Some((game.clone(), seat.to_owned())), secret };
        Ok(short.chain([long]).collect())
    }

    /// A tag for a new mail, kept: one that no other mail of the post office has.
    pub(super) fn new_tag(&self, seat: &str, number: u32, stand_in: Option<&str>) -> Result<ReplyTag, Trouble> {
        let game = &self.row.id;
        let mut free = None;
        for tag in self.tags(seat, number, stand_in)? {
            if self.act.tag_holder(&tag.secret)?.is_none() {
                free = Some(tag);
                break;
            }
        }
        let tag = free.ok_or_else(|| Trouble::Game(format!("no tag is free for mail {number} to {seat}")))?;
        match stand_in {
            None => self.act.put_tag(game, seat, number, &tag.secret)?,
            Some(by) => self.act.put_tag_of(game, seat, number, &tag.secret, by)?,
        }
        Ok(tag)
    }

    /// The tag that a mail has; where it was forgotten, it stays so.
    pub(super) fn tag_of(&self, seat: &str, number: u32, stand_in: Option<&str>) -> Result<ReplyTag, Trouble> {
        let tags = self.tags(seat, number, stand_in)?;
        let his =
            |holder: &TagHolder| holder.game == self.row.id && holder.seat == seat && holder.mail_number == number;
        for tag in &tags {
            if self.act.tag_holder(&tag.secret)?.as_ref().is_some_and(his) {
                return Ok(tag.clone());
            }
        }
        Ok(tags.into_iter().next().unwrap_or_else(|| ReplyTag::of(String::new())))
    }
}

/// Under which note stands what the tags and codes of a game follow from.
const KEY: &str = "letter_key";

/// Draws what the tags and codes of a new game follow from. It is no part of the dice, and is never shown: the master of the
/// dice is, when the game is over, and whoever reads it must not write as another seat.
pub(super) fn draw_key(act: &Act<'_>, game: &str) -> Result<(), Trouble> {
    let key = Master::fresh().map_err(Trouble::Game)?;
    Ok(act.set_note(game, KEY, Some(&hex(key.bytes())))?)
}

/// What they follow from: in a game of an older program, and in one whose master was given, from that.
pub(super) fn key_of(store: &Store, row: &store::Game) -> Result<Master, StoreError> {
    let Some(kept) = store.note(&row.id, KEY)? else { return Ok(Master::from_bytes(row.master)) };
    let drawn = HEXLOWER.decode(kept.as_bytes()).ok().and_then(|key| Bytes32::try_from(key).ok());
    drawn.map(Master::from_bytes).ok_or_else(|| StoreError::Damaged {
        path: store.path().to_owned(),
        row: format!("note {KEY} of {}", row.id),
        detail: "it is no key of 32 bytes".to_owned(),
    })
}

/// A secret of a game, from its purpose and number. After a restore from a backup they are others: nothing that was given
/// away in the time that was lost is given away again for something else.
pub(super) fn secret_of(row: &store::Game, purpose: &str, number: &str) -> Bytes32 {
    secret_under(&Master::from_bytes(row.master), (&row.id, &row.epoch), purpose, number)
}

/// The same of a game that is known by its name and epoch alone.
pub(super) fn secret_under(master: &Master, (game, epoch): (&str, &str), purpose: &str, number: &str) -> Bytes32 {
    match epoch {
        "" => master.secret(game, purpose, number),
        epoch => master.secret(game, &format!("{purpose}/epoch/{epoch}"), number),
    }
}

/// The first bytes of a secret.
fn first<const N: usize>(secret: [u8; 32]) -> [u8; N] {
    let mut out = [0; N];
    out.iter_mut().zip(secret).for_each(|(to, from)| *to = from);
    out
}

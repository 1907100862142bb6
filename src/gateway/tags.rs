//! Which tag a mail has in its subject.

use super::error::Trouble;
use super::post::Desk;
use crate::dice::{Bytes32, Master};
use crate::mail::tag::{self, ReplyTag};
use crate::store::{self, TagHolder};

/// Tags that are tried for one mail before it is given up that one is free: one in 2^60 is taken by another mail.
const TRIES: u32 = 4;
/// Mails of a seat, from the newest, whose tags are good for orders; an answer to an older one is asked back.
pub(super) const GOOD: u32 = 20;

impl Desk<'_> {
    /// The tags that a mail may have, the one that it gets first; another goes to its stand-in. Last, that of the first
    /// release.
    pub(super) fn tags(&self, seat: &str, number: u32, stand_in: Option<&str>) -> Vec<ReplyTag> {
        let game = &self.row.id;
        let named = match stand_in {
            None => format!("{seat}/{number}"),
            Some(by) => format!("{seat}/{number}/{by}"),
        };
        let short = (0..TRIES).map(|again| {
            let secret = secret_of(self.row, &format!("tag/2/{again}"), &named);
            ReplyTag::of(tag::short(&first(secret)))
        });
        let secret = tag::secret(&first(secret_of(self.row, "tag", &named)));
        let long = ReplyTag { names: Some((game.clone(), seat.to_owned())), secret };
        short.chain([long]).collect()
    }

    /// A tag for a new mail, kept: one that no other mail of the post office has.
    pub(super) fn new_tag(&self, seat: &str, number: u32, stand_in: Option<&str>) -> Result<ReplyTag, Trouble> {
        let game = &self.row.id;
        let mut free = None;
        for tag in self.tags(seat, number, stand_in) {
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
        let tags = self.tags(seat, number, stand_in);
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

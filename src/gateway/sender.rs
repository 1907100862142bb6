//! Whose mail it is: shown by tag and address, and where a mail server is trusted, by its verdict too.

use super::error::OfficeError;
use super::office::Office;
use crate::address::Address;
use crate::mail::auth;
use crate::mail::loops::Automatic;
use crate::mail::read::Head;
use crate::mail::tag::ReplyTag;
use crate::store::{InboxMail, Spelled, Store, StoreError, TagHolder};

/// Whose mail it is.
pub(super) enum Sender {
    /// A seat, shown by tag and address; and which of its addresses wrote.
    Seat { game: String, seat: String, from: String },
    /// A machine's, never answered: why; and the seat from whose address it came with a good tag.
    Machine { why: &'static str, of: Option<(String, String)> },
    /// A good tag of a seat, from an address that is not the seat's.
    Elsewhere { game: String, seat: String },
    /// Nobody we know.
    Stranger,
}

impl Office {
    /// Who wrote a mail.
    pub(super) fn sender(&self, mail: &InboxMail, head: &Head) -> Result<Sender, OfficeError> {
        if let Some((game, seat)) = self.confirmed(mail)? {
            let own = self.store.spellings(&game, &seat)?;
            let from = head.from.as_ref();
            let key = from.and_then(|from| own.iter().find(|own| own.is_alike(from))).map(|own| own.key.clone());
            let from = key.or_else(|| from.map(ToString::to_string)).unwrap_or_default();
            return Ok(Sender::Seat { game, seat, from });
        }
        let claimed = match (&head.tag, &head.from) {
            (Some(tag), Some(from)) => self.claim(head, tag, from)?,
            _ => Sender::Stranger,
        };
        Ok(match (head.automatic, claimed) {
            // A player's mailbox may have a name that machines have too.
            (None, claimed) | (Some(Automatic { by_name: true, .. }), claimed @ Sender::Seat { .. }) => claimed,
            (Some(Automatic { why, .. }), Sender::Seat { game, seat, .. }) => {
                Sender::Machine { why, of: Some((game, seat)) }
            }
            (Some(Automatic { why, .. }), _) => Sender::Machine { why, of: None },
        })
    }

    /// Tag and address must both be good; with a trusted mail server, its verdict too.
    fn claim(&self, head: &Head, tag: &ReplyTag, from: &Address) -> Result<Sender, OfficeError> {
        let Some(holder) = self.store.tag_holder(&tag.secret.to_lowercase())? else { return Ok(Sender::Stranger) };
        let named = holder.game == tag.game && holder.seat == tag.seat;
        let known = writer(&self.store, &holder, from)?;
        let proved = match &self.config.trusted_authserv_id {
            None => true,
            Some(server) => auth::check(head.auth_results.as_deref(), server, from).is_ok(),
        };
        let (game, seat) = (holder.game, holder.seat);
        Ok(match (named, known, proved) {
            (true, Some(from), true) => Sender::Seat { game, seat, from },
            // A tag that is good, with a sender that is not: his own address is asked. Where the mail server disowns the
            // address itself, the lie is plain.
            (true, None, _) => Sender::Elsewhere { game, seat },
            _ => Sender::Stranger,
        })
    }
}

/// Which address that may write with a tag the sender is: one of the seat's own, with the tags of their copies, or its
/// stand-in's, with those of his.
pub(super) fn writer(store: &Store, holder: &TagHolder, from: &Address) -> Result<Option<String>, StoreError> {
    let (game, seat) = (&holder.game, &holder.seat);
    let Some(reader) = &holder.reader else {
        let own = store.spellings(game, seat)?;
        return Ok(own.into_iter().find(|own| own.is(from)).map(|own| own.key));
    };
    let by = store.stand_in(game, seat)?.map(|by| by.address).filter(|by| by == reader);
    Ok(by.filter(|by| Address::parse(by).is_ok_and(|by| by.is_alike(from))))
}

impl Spelled {
    /// Whether a sender is this address: letter for letter, once its owner's spelling is known. A kept address that is none
    /// is nobody's.
    fn is(&self, from: &Address) -> bool {
        match self.spelled.as_deref().filter(|spelled| !spelled.is_empty()) {
            Some(spelled) => Address::parse(spelled).is_ok_and(|own| own == *from),
            None => self.is_alike(from),
        }
    }

    /// Whether a sender is this address but for capitals.
    fn is_alike(&self, from: &Address) -> bool {
        Address::parse(&self.key).is_ok_and(|own| own.is_alike(from))
    }
}

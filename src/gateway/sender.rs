//! Whose mail it is: shown by tag and address, and where a mail server is trusted, by its verdict too.
//!
//! Some programs cut or replace a subject. So the name of the mail of ours that is answered, which has 128 bits that only
//! its reader knows, counts as the tag that came with it.

use super::error::OfficeError;
use super::office::Office;
use super::post::last_letter;
use super::tags::GOOD;
use crate::address::Address;
use crate::mail::auth;
use crate::mail::loops::{Automatic, is_own_id};
use crate::mail::read::Head;
use crate::store::{GameState, InboxMail, Spelled, Store, StoreError, TagHolder};

/// Whose mail it is.
pub(super) enum Sender {
    /// A seat, shown by tag and address; which of its addresses wrote, and which of its mails is answered.
    Seat { game: String, seat: String, from: String, answers: Option<u32> },
    /// A seat, shown in the same way, with the tag of a mail that is not among its last.
    Late(TagHolder),
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
            return Ok(Sender::Seat { game, seat, from, answers: None });
        }
        let claimed = match (answered(&self.store, head, self.config.message_domain())?, &head.from) {
            (Some(holder), Some(from)) => self.claim(head, holder, from)?,
            _ => Sender::Stranger,
        };
        Ok(match (head.automatic, claimed) {
            // A player's mailbox may have a name that machines have too.
            (None, claimed) | (Some(Automatic { by_name: true, .. }), claimed @ Sender::Seat { .. }) => claimed,
            (
                Some(Automatic { why, .. }),
                Sender::Seat { game, seat, .. } | Sender::Late(TagHolder { game, seat, .. }),
            ) => Sender::Machine { why, of: Some((game, seat)) },
            (Some(Automatic { why, .. }), _) => Sender::Machine { why, of: None },
        })
    }

    /// Tag and address must both be good; with a trusted mail server, its verdict too.
    fn claim(&self, head: &Head, holder: TagHolder, from: &Address) -> Result<Sender, OfficeError> {
        let known = writer(&self.store, &holder, from)?;
        let proved = match &self.config.trusted_authserv_id {
            None => true,
            Some(server) => auth::check(head.auth_results.as_deref(), server, from).is_ok(),
        };
        let last = self.store.seat(&holder.game, &holder.seat)?.map_or(0, |row| row.mails_sent);
        // However many mails came behind it, the letter by which a seat writes its orders is never an old one.
        let late = holder.mail_number.saturating_add(GOOD) <= last
            && last_letter(&self.store, &holder.game, &holder.seat)?.is_none_or(|letter| holder.mail_number < letter);
        let TagHolder { game, seat, mail_number, .. } = holder.clone();
        Ok(match (known, proved) {
            (Some(_), true) if late => Sender::Late(holder),
            (Some(from), true) => Sender::Seat { game, seat, from, answers: Some(mail_number) },
            // A tag that is good, with a sender that is not: his own address is asked. Where the mail server disowns the
            // address itself, the lie is plain.
            (None, _) => Sender::Elsewhere { game, seat },
            (Some(_), false) => Sender::Stranger,
        })
    }
}

/// Which mail of ours is answered: by the tag in the subject, else by the names of mails that the head gives, the nearest
/// first.
pub(super) fn answered(store: &Store, head: &Head, domain: &str) -> Result<Option<TagHolder>, StoreError> {
    if let Some(tag) = &head.tag
        && let Some(holder) = store.tag_holder(&tag.secret.to_lowercase())?
    {
        // A tag of the first release names its seat, and is none under another name.
        let named = tag.names.as_ref().is_none_or(|(game, seat)| *game == holder.game && *seat == holder.seat);
        return Ok(Some(holder).filter(|_| named));
    }
    for id in head.in_reply_to.iter().chain(head.references.iter().rev()).filter(|id| is_own_id(id.as_str(), domain)) {
        if let Some(holder) = store.holder_of_copy(id.as_str())? {
            // The names of a game's mails follow from its master, which is shown when it is over, and it may be set aside then.
            let plays = |game: crate::store::Game| matches!(game.state, GameState::Forming | GameState::Playing);
            let good = store.game(&holder.game)?.is_some_and(plays);
            return Ok(Some(holder).filter(|_| good));
        }
    }
    Ok(None)
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

//! In which order the mails of the inbox are acted on, and what becomes of one that fails or ends the process.

use super::error::{OfficeError, Trouble, is_lasting};
use super::faults::{Ailing, Place, Step};
use super::inbox::{BATCH, DEADLY, OfSeat, PASSING_MAX, times_max};
use super::intake::in_turn;
use super::office::{Office, Pass, held_name};
use super::operator;
use super::post::Desk;
use super::sender::Sender;
use super::wakes::outdated;
use crate::fail;
use crate::mail::read;
use crate::store::{InboxMail, InboxState, Store};
use std::collections::{BTreeMap, BTreeSet};

/// What became of a new mail.
enum Next {
    /// It was acted on.
    Read,
    /// It stays new.
    Waits,
    /// It stays new, and so do all behind it.
    AllWait,
}

impl Office {
    /// Acts on every new mail of the inbox: those of one seat in their order, the seats in turn, so that nobody waits for
    /// one who writes by the thousand. Where more wait than are read in one go, what is ready goes out between. A mail that
    /// fails is passed over and tried again later, and so are those that came after it from the same seat; no other waits
    /// for it.
    pub(super) fn read_inbox(&mut self, pass: &mut Pass) -> Result<(), OfficeError> {
        let mut failed = BTreeSet::new();
        // A mail that is confirmed by a later one is new again, with its old number.
        loop {
            let (before, mut behind) = (pass.read, BTreeSet::new());
            let waiting = self.store.new_lanes()?;
            let (lanes, mut busy) = (lanes_of(&self.store, &waiting), BTreeSet::new());
            let found: BTreeSet<i64> = waiting.iter().map(|(id, _)| *id).collect();
            self.forget_faults(|place| matches!(place, Place::Mail(id) if !found.contains(id)));
            if before > 0 && !found.is_empty() && self.leads {
                let (sent, unsent) = (&mut pass.sent, &mut pass.unsent);
                self.apart(Place::Step(Step::Sending), &mut |office| office.send_outbox(sent, unsent));
            }
            for id in in_turn(waiting) {
                let Some(game) = self.take_from_others(id, &lanes, &mut busy)? else { continue };
                let next = self.read_next(id, &mut failed, &mut behind);
                self.let_go(game.as_deref());
                match next {
                    Next::Read => pass.read += 1,
                    Next::Waits => {}
                    Next::AllWait => return Ok(()),
                }
                fail::point("gateway/read");
                if pass.read - before == BATCH {
                    break;
                }
            }
            if pass.read == before {
                return Ok(());
            }
        }
    }

    /// Takes a mail that no other worker is to act on meanwhile, and with it its game, whose name is given; none where
    /// another has the game, or the mail is the lead's, or done. Who wrote first in a game is read first, so what comes
    /// behind a mail that is not to be had waits as well.
    fn take_from_others(
        &self,
        id: i64,
        lanes: &BTreeMap<i64, String>,
        busy: &mut BTreeSet<String>,
    ) -> Result<Option<Option<String>>, OfficeError> {
        if !self.store.is_shared() {
            return Ok(Some(None));
        }
        let Some(game) = lanes.get(&id) else { return Ok(self.leads.then_some(None)) };
        let outdated = || -> Result<bool, OfficeError> {
            let row = self.store.game(game)?;
            Ok(row.is_some_and(|row| outdated(&self.store, self.entries(), &row).unwrap_or(true)))
        };
        // A game that another program played is entered by the lead.
        if busy.contains(game) || !self.leads && outdated()? || !self.store.hold(&held_name(game), false)? {
            busy.insert(game.clone());
            return Ok(None);
        }
        let found = self.store.inbox(id);
        if matches!(&found, Ok(Some(mail)) if mail.state == InboxState::New) {
            return Ok(Some(Some(game.clone())));
        }
        // Also where it cannot be read: who holds a game for ever keeps all others from it.
        self.let_go(Some(game));
        found?;
        Ok(None)
    }

    fn let_go(&self, game: Option<&str>) {
        if let Some(game) = game {
            self.store.let_go(&held_name(game));
        }
    }

    /// Acts on one new mail in a compartment of its own, unless it waits, or one before it of the same seat.
    fn read_next(&mut self, id: i64, failed: &mut BTreeSet<i64>, behind: &mut BTreeSet<OfSeat>) -> Next {
        let place = Place::Mail(id);
        if failed.contains(&id) || self.waits(&place) {
            behind.extend(self.faults.seat_of(id));
            return if self.orders_unknown(id) { Next::AllWait } else { Next::Waits };
        }
        let mut whose = None;
        let done = self.apart(place, &mut |office| office.take_up(id, behind, &mut whose));
        match done {
            Some(true) => Next::Read,
            Some(false) => Next::Waits,
            None => {
                failed.insert(id);
                behind.extend(whose.clone());
                self.faults.set_seat_of(id, whose);
                if self.orders_unknown(id) { Next::AllWait } else { Next::Waits }
            }
        }
    }

    /// Whether a mail fails of which nobody knows whose it is, so that none may overtake it, until it is plain that this
    /// does not pass.
    fn orders_unknown(&self, id: i64) -> bool {
        self.faults.seat_of(id).is_none() && self.failures(&Place::Mail(id)) < PASSING_MAX
    }

    /// Whether an earlier mail for a game waits, of whatever seat: who wrote first is read first, until it is plain that what
    /// keeps it does not pass.
    pub(super) fn may_be_before(&self, game: &str, id: i64) -> bool {
        self.failing_of(game).into_iter().any(|(earlier, tries)| earlier < id && tries < PASSING_MAX)
    }

    /// The mails of seats of a game that wait to be tried again, each with how often it was.
    fn failing_of(&self, game: &str) -> Vec<(i64, u32)> {
        let of_game = |id: i64| self.faults.seat_of(id).is_some_and(|(of, _)| of == game);
        let mail = |ailing: &Ailing| match ailing.place {
            Place::Mail(id) if of_game(id) => Some((id, ailing.tries)),
            _ => None,
        };
        self.ailing().iter().filter_map(mail).collect()
    }

    /// Whether orders may wait of which nobody knows for which game.
    pub(super) fn may_hold_orders_unread(&self) -> bool {
        let steps = [Step::Fetching, Step::Reading].map(Place::Step);
        steps.iter().any(|step| self.failures(step) > 0)
            || self.ailing().iter().any(|ailing| match &ailing.place {
                Place::Mail(id) => self.orders_unknown(*id),
                Place::Waiting(_) => ailing.tries < PASSING_MAX,
                _ => false,
            })
    }

    /// Whether a mail of a seat of the game waits to be tried again.
    pub(super) fn holds_mail_unread(&self, game: &str) -> bool {
        !self.failing_of(game).is_empty()
    }

    /// Games for which mails wait that this worker could not read, since another one had the game: none of these is late
    /// before they are read. Whoever reads them keeps a deadline that had passed before they came.
    pub(super) fn left_by_others(&self) -> Result<BTreeSet<String>, OfficeError> {
        if !self.store.is_shared() {
            return Ok(BTreeSet::new());
        }
        Ok(lanes_of(&self.store, &self.store.new_lanes()?).into_values().collect())
    }

    /// Acts on a new mail, and notes while it does that it is in hand; false where it waits behind another.
    fn take_up(&mut self, id: i64, behind: &BTreeSet<OfSeat>, whose: &mut Option<OfSeat>) -> Result<bool, OfficeError> {
        let Some(mail) = self.store.inbox(id)?.filter(|mail| mail.state == InboxState::New) else { return Ok(true) };
        // What this very process has tried has not ended it.
        let times = self.begun.get(&id).copied().unwrap_or(mail.in_hand);
        if times >= times_max(&self.store) {
            self.deadly(&mail)?;
            return Ok(true);
        }
        self.store.take_up(id, times.saturating_add(1))?;
        self.begun.insert(id, times);
        fail::point("gateway/hand");
        let done = match self.read_one(&mail, behind, whose) {
            // A mail of no seat that can never be acted on.
            Err(OfficeError::Store(error)) if is_lasting(&error) && whose.is_none() => {
                tracing::error!(%error, mail = mail.id, "the mail is put aside");
                self.settle(&mail, InboxState::Quarantined, &error.to_string()).map(|()| true)
            }
            other => other,
        };
        match done {
            Ok(true) => _ = self.begun.remove(&id),
            // The process lives, so the note says too much; where it stays, it is not counted in this process.
            _ => _ = self.store.take_up(id, times),
        }
        done
    }

    /// Sets a mail aside in the middle of which the process ended again and again, and tells its seat. Nothing of it is
    /// read before that is on disk: the next start must go on without it.
    fn deadly(&mut self, mail: &InboxMail) -> Result<(), OfficeError> {
        tracing::error!(mail = mail.id, "the mail is set aside: the process ended in the middle of it");
        let env = self.env();
        let done: Result<(), Trouble> = self.store.try_act(|act| {
            act.settle(mail.id, InboxState::Quarantined, Some(DEADLY))?;
            let note = format!(
                "The mail in:{} is set aside: {DEADLY}.  `estafette mail show in:{0}` shows it, and `estafette mail retry \
                 in:{0}` has it read again.",
                mail.id
            );
            operator::told(&env, act, "a mail is set aside", &note)
        });
        done?;
        fail::point("gateway/deadly");
        let read = read::read_part(&mail.raw, mail.raw.len(), &self.limits());
        let head = read.as_ref().map_or_else(|unreadable| unreadable.head.as_ref(), |incoming| &incoming.head);
        let Sender::Seat { game, seat, .. } = self.sender(mail, head)? else { return Ok(()) };
        let Some(row) = self.store.game(&game)? else { return Ok(()) };
        let env = self.env();
        let told: Result<(), Trouble> = self.store.try_act(|act| {
            act.assign(mail.id, &game, Some(&seat))?;
            // The game is not opened: that may be what ended the process.
            let desk = Desk::unopened(&env, act, &row, Some(mail.id));
            let notes = vec![
                format!("A mail of yours is set aside: {DEADLY}."),
                "Nothing was done.  The operator is told.  Send your orders again in another form: shorter, as plain text, \
                 without attachments."
                    .to_owned(),
            ];
            desk.notice(&seat, "your mail could not be carried out", notes)
        });
        Ok(told?)
    }
}

/// For which games the new mails of a database are that several may serve from; those that name none rightly are left out.
fn lanes_of(store: &Store, waiting: &[(i64, String)]) -> BTreeMap<i64, String> {
    if !store.is_shared() {
        return BTreeMap::new();
    }
    let game = |lane: &str| lane.split_once('/').map(|(game, _)| game.to_owned());
    waiting.iter().filter_map(|(id, lane)| Some((*id, game(lane)?))).collect()
}

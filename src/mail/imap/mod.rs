//! Mail read from a mailbox on a server (IMAP, RFC 3501).
//!
//! What was taken in is remembered as the folder's UIDVALIDITY and the highest UID, so that a start among fifty thousand
//! old mails asks only for what is new. Before the first look nothing can have been written to this post office; what
//! lies there then is left alone. Where a folder was made anew (its UIDVALIDITY changed), the mails since the last look
//! are read again, and known again by their Message-IDs. So are, after a restore from a backup, those that were moved to the
//! processed folder since: they go back to where they are read.

mod session;
pub mod watch;
mod wire;

use super::server::Server;
use super::{Inbound, MailError, Waiting};
use jiff::{SignedDuration, Timestamp};
use session::Session;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use watch::Bell;

/// Bytes of mails that are fetched together, at most, above the first.
const FETCH_BYTES_MAX: u64 = 8 << 20;
/// How often a mail is asked for that the server lists and does not hand out.
const REFUSED_MAX: u32 = 5;
/// Mails that are moved with one command.
const TOGETHER_MAX: usize = 100;
/// How far before the last look mails are read again where the folder was made anew: servers date in their own zone.
const AGAIN_HOURS: i64 = 48;

/// Which folders are used, and how.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The folder that is read.
    pub read: String,
    /// Where mails that were taken in go; flagged as seen and left, where there is none.
    pub processed: Option<String>,
    /// Where mails that could not be read go; with the others, where there is none.
    pub rejected: Option<String>,
    /// Bytes of one mail that are fetched at most.
    pub mail_bytes_max: usize,
    /// Seconds between two looks that nobody asked for.
    pub poll_seconds: u32,
}

/// A mailbox on a server.
pub struct Imap {
    server: Server,
    folders: Folders,
    bell: Arc<Bell>,
    session: Option<Session>,
    memory: Option<Memory>,
    changed: bool,
    /// UIDs found and not yet fetched.
    found: VecDeque<u32>,
    now: Timestamp,
    /// When the next look is due; none for at once.
    next_look: Option<Timestamp>,
    /// When the last look began that came to its end.
    looked: Option<Timestamp>,
    /// A mail that the server lists and does not hand out, and how often.
    refused: Option<(u32, u32)>,
    /// Mails taken in that still lie where they were read: UIDVALIDITY, UID, and whether they could be read.
    taken: Vec<(u32, u32, bool)>,
}

/// What is remembered between two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Memory {
    validity: u32,
    /// The highest UID that was taken in, or was there before the first look.
    uid: u32,
    /// The day of the last look, `2026-01-01`.
    day: String,
}

impl Memory {
    fn read(text: &str) -> Option<Memory> {
        let mut words = text.split_whitespace();
        let (validity, uid, day) = (words.next()?, words.next()?, words.next()?);
        Some(Memory { validity: validity.parse().ok()?, uid: uid.parse().ok()?, day: day.to_owned() })
    }

    fn text(&self) -> String {
        format!("{} {} {}", self.validity, self.uid, self.day)
    }
}

impl Imap {
    /// A mailbox; nothing is said to its server yet. The bell tells of new mail.
    pub fn new(server: Server, folders: Folders, bell: Arc<Bell>) -> Imap {
        Imap {
            server,
            folders,
            bell,
            session: None,
            memory: None,
            changed: false,
            found: VecDeque::new(),
            now: Timestamp::UNIX_EPOCH,
            next_look: None,
            looked: None,
            refused: None,
            taken: Vec::new(),
        }
    }

    /// Logs in and opens the folder, for `doctor`; tells what the server offers.
    ///
    /// # Errors
    /// A server that is away.
    pub fn look(&mut self) -> Result<String, MailError> {
        let session = Session::open(&self.server, &self.folders.read)?;
        let said = |offered, word| if offered { word } else { "" };
        let offers = format!("{} {}", said(session.can_idle, "IDLE"), said(session.can_move, "MOVE"));
        self.session = Some(session);
        Ok(offers.trim().to_owned())
    }

    /// Whether the folder holds a mail of ours with this Message-ID, for `doctor`.
    ///
    /// # Errors
    /// A server that is away.
    pub fn holds(&mut self, message_id: &str) -> Result<bool, MailError> {
        // The id is of our own making: no character of it needs an escape.
        let query = format!("HEADER Message-ID \"{message_id}\"");
        self.say(imap::Session::noop)?;
        Ok(!self.say(|talk| talk.uid_search(query))?.is_empty())
    }

    fn day(&self) -> String {
        self.now.strftime("%Y-%m-%d").to_string()
    }

    /// Opens a session where there is none, and compares the folder with what is remembered.
    fn opened(&mut self) -> Result<(), MailError> {
        if self.session.is_some() {
            return Ok(());
        }
        self.found.clear();
        let mut session = Session::open(&self.server, &self.folders.read)?;
        let day = self.day();
        match &self.memory {
            Some(memory) if memory.validity == session.validity => {}
            Some(memory) => {
                tracing::warn!(folder = self.folders.read, "the folder was made anew; its mails are read again");
                let since = before(&memory.day);
                let again = session.say(&self.server, |talk| talk.uid_search(format!("SINCE {since}")))?;
                let uid = match again.into_iter().min() {
                    Some(first) => first.saturating_sub(1),
                    // UIDNEXT may count a mail that the server does not show yet.
                    None => session.say(&self.server, |talk| talk.uid_search("ALL"))?.into_iter().max().unwrap_or(0),
                };
                self.remember(Memory { validity: session.validity, uid, day });
            }
            None => {
                let uid = match session.uid_next {
                    Some(next) => next.saturating_sub(1),
                    None => session.say(&self.server, |talk| talk.uid_search("ALL"))?.into_iter().max().unwrap_or(0),
                };
                self.remember(Memory { validity: session.validity, uid, day });
            }
        }
        self.session = Some(session);
        Ok(())
    }

    fn remember(&mut self, memory: Memory) {
        if self.memory.as_ref() != Some(&memory) {
            self.memory = Some(memory);
            self.changed = true;
        }
    }

    /// One exchange on the open session, which does not outlive an error.
    fn say<T>(&mut self, work: impl FnOnce(&mut session::Talk) -> imap::Result<T>) -> Result<T, MailError> {
        let Some(session) = &mut self.session else { return Err(self.server.away("the line is closed")) };
        let done = session.say(&self.server, work);
        if done.is_err() {
            self.session = None;
        }
        done
    }

    /// Looks for mails above the last UID taken in.
    fn search(&mut self) -> Result<(), MailError> {
        let (validity, from) = self.memory.as_ref().map_or((0, 0), |memory| (memory.validity, memory.uid));
        // Those not yet put away are known here, though nowhere else; those of a folder since made anew count no more.
        let taken = self.taken.iter().filter(|(of, _, _)| *of == validity);
        let from = taken.map(|(_, uid, _)| *uid).fold(from, u32::max);
        // A server tells of new mail on any command, but not all do on SEARCH.
        self.say(imap::Session::noop)?;
        let found = self.say(|talk| talk.uid_search(format!("UID {}:*", from.saturating_add(1))))?;
        // `n:*` always holds the last mail, however low its UID.
        let found: BTreeSet<u32> = found.into_iter().filter(|uid| *uid > from).collect();
        self.found = found.into_iter().collect();
        Ok(())
    }

    /// A look has come to its end; the next is due some time later.
    fn look_ends(&mut self) {
        self.looked = Some(self.now);
        let wait = SignedDuration::from_secs(i64::from(self.folders.poll_seconds));
        self.next_look = self.now.checked_add(wait).ok();
    }

    /// The next mails found whose bytes together are not too many.
    fn bodies(&mut self, most: usize) -> Result<Vec<Waiting>, MailError> {
        let wanted: Vec<u32> = self.found.iter().take(most).copied().collect();
        let one_max = u64::try_from(self.folders.mail_bytes_max.saturating_add(1)).unwrap_or(u64::MAX);
        let sizes = self.say(|talk| {
            let rows = talk.uid_fetch(list(&wanted), "(UID RFC822.SIZE)")?;
            Ok(rows.iter().filter_map(|row| Some((row.uid?, u64::from(row.size?)))).collect::<Vec<_>>())
        })?;
        let (mut chosen, mut bytes) = (Vec::new(), 0);
        for uid in &wanted {
            // A mail that is gone again has no size.
            let Some((_, size)) = sizes.iter().find(|(found, _)| found == uid) else { continue };
            let size = (*size).min(one_max);
            if !chosen.is_empty() && bytes + size > FETCH_BYTES_MAX {
                break;
            }
            bytes += size;
            chosen.push(*uid);
        }
        let last = chosen.last().or(wanted.last()).copied().unwrap_or(u32::MAX);
        while self.found.front().is_some_and(|uid| *uid <= last) {
            self.found.pop_front();
        }
        if chosen.is_empty() {
            return Ok(Vec::new());
        }
        let mut mails = self.bodies_of(&chosen, one_max)?;
        let held = |mails: &[(u32, Vec<u8>)], uid: u32| mails.iter().any(|(found, _)| *found == uid);
        let missing = chosen.iter().copied().find(|uid| !held(&mails, *uid));
        if let Some(missing) = missing
            && !self.step_over(missing)?
        {
            // None behind it is taken before it: the memory is of the highest UID alone.
            mails.retain(|(uid, _)| *uid < missing);
            self.found.clear();
            if mails.is_empty() {
                return Err(self.server.away(format!("it does not hand out mail {missing}")));
            }
        }
        let validity = self.memory.as_ref().map_or(0, |memory| memory.validity);
        let named = |(uid, raw): (u32, Vec<u8>)| {
            // A server may reckon the size in its own way; what came is the least that it can be.
            let told = sizes.iter().find(|(found, _)| *found == uid).map_or(0, |(_, size)| *size);
            let cut = u64::try_from(raw.len()).unwrap_or(u64::MAX) >= one_max;
            let size = if cut { told.max(one_max) } else { u64::try_from(raw.len()).unwrap_or(u64::MAX) };
            Waiting { key: format!("{validity}/{uid}"), raw, size }
        };
        Ok(mails.into_iter().map(named).collect())
    }

    /// The bytes of some mails, up to so many of each.
    fn bodies_of(&mut self, chosen: &[u32], one_max: u64) -> Result<Vec<(u32, Vec<u8>)>, MailError> {
        let query = format!("(UID BODY.PEEK[]<0.{one_max}>)");
        self.say(|talk| {
            let rows = talk.uid_fetch(list(chosen), query)?;
            let mut mails: Vec<(u32, Vec<u8>)> = rows
                .iter()
                .filter_map(|row| Some((row.uid.filter(|uid| chosen.contains(uid))?, row.body()?.to_vec())))
                .collect();
            mails.sort_by_key(|(uid, _)| *uid);
            mails.dedup_by_key(|(uid, _)| *uid);
            Ok(mails)
        })
    }

    /// Whether a mail that was not handed out is gone, or was refused so often that those behind it count more.
    fn step_over(&mut self, uid: u32) -> Result<bool, MailError> {
        if self.say(|talk| talk.uid_search(format!("UID {uid}")))?.is_empty() {
            return Ok(true);
        }
        let tries = self.refused.filter(|(refused, _)| *refused == uid).map_or(1, |(_, tries)| tries + 1);
        self.refused = Some((uid, tries));
        if tries >= REFUSED_MAX {
            tracing::error!(uid, "the mailbox does not hand out this mail; it stays there, and is passed over");
        }
        Ok(tries >= REFUSED_MAX)
    }

    /// Notes a mail as taken in; it is put away when what came has been answered.
    fn take(&mut self, key: &str, sound: bool) -> Result<(), MailError> {
        let bad = || MailError::BadKey { key: key.to_owned() };
        let (validity, uid) = key.split_once('/').ok_or_else(bad)?;
        self.taken.push((validity.parse().map_err(|_| bad())?, uid.parse().map_err(|_| bad())?, sound));
        Ok(())
    }

    /// Moves mails to their folder, or flags them where there is none or they will not go there. All are of one sort.
    fn put_away_some(&mut self, some: &[(u32, u32, bool)]) -> Result<(), MailError> {
        let Some(memory) = self.memory.clone() else { return Ok(()) };
        let sound = some.first().is_none_or(|(_, _, sound)| *sound);
        let uids: Vec<u32> = some.iter().filter(|(v, _, _)| *v == memory.validity).map(|(_, uid, _)| *uid).collect();
        let Some(highest) = uids.iter().max() else { return Ok(()) };
        let rejected = self.folders.rejected.clone().filter(|_| !sound);
        let moved = match rejected.or_else(|| self.folders.processed.clone()) {
            Some(folder) => self.moved(&list(&uids), &folder)?,
            None => false,
        };
        if !moved {
            // A mailbox that may not be written is read all the same.
            self.say(|talk| said_no(talk.uid_store(list(&uids), "+FLAGS.SILENT (\\Seen)")))?;
        }
        self.remember(Memory { uid: memory.uid.max(*highest), day: self.day(), ..memory });
        Ok(())
    }

    /// False where the server says no: a full or forbidden folder must not keep mails from being acted on.
    fn moved(&mut self, uids: &str, folder: &str) -> Result<bool, MailError> {
        let offers = self.session.as_ref().map(|session| (session.can_move, session.can_expunge));
        let (can_move, can_expunge) = offers.unwrap_or_default();
        for attempt in 0..2 {
            let done = self.say(|talk| {
                let done = if can_move { talk.uid_mv(uids, folder) } else { talk.uid_copy(uids, folder) };
                said_no(done)
            })?;
            if done {
                break;
            }
            if attempt == 1 {
                tracing::warn!(folder, "the mailbox will not move mails there; they are flagged and stay");
                return Ok(false);
            }
            self.say(|talk| said_no(talk.create(folder)))?;
        }
        if !can_move {
            self.say(|talk| said_no(talk.uid_store(uids, "+FLAGS.SILENT (\\Seen \\Deleted)")))?;
            if can_expunge {
                self.say(|talk| said_no(talk.uid_expunge(uids)))?;
            }
        }
        Ok(true)
    }
}

impl Inbound for Imap {
    fn memory(&self) -> Option<String> {
        let user = self.server.user.as_ref().map_or("", |(user, _)| user);
        Some(format!("imap/{}/{user}/{}", self.server.host, self.folders.read))
    }

    fn begin(&mut self, now: Timestamp, remembered: Option<&str>) {
        self.now = now;
        if self.memory.is_none() {
            self.memory = remembered.and_then(Memory::read);
        }
    }

    fn to_remember(&mut self) -> Option<String> {
        if std::mem::take(&mut self.changed) { self.memory.as_ref().map(Memory::text) } else { None }
    }

    fn looked(&self, _now: Timestamp) -> Option<Timestamp> {
        self.looked
    }

    fn look_soon(&mut self) {
        self.next_look = None;
    }

    fn fetch(&mut self, most: usize) -> Result<Vec<Waiting>, MailError> {
        let due = self.next_look.is_none_or(|at| at <= self.now);
        if self.found.is_empty() && !self.bell.take_mail() && !due {
            return Ok(Vec::new());
        }
        // Until this look has come to its end, another is due.
        self.next_look = None;
        let was_open = self.session.is_some();
        self.opened()?;
        if was_open && self.found.is_empty() && self.search().is_err() {
            // A line that lay idle may be dead without anybody's fault.
            self.opened()?;
        }
        loop {
            if self.found.is_empty() {
                self.search()?;
            }
            if self.found.is_empty() {
                self.look_ends();
                return Ok(Vec::new());
            }
            let mails = self.bodies(most)?;
            if self.found.is_empty() {
                // What comes from now on rings the bell, or waits for the next look; but not what lies behind a mail
                // that was refused.
                if self.refused.is_none() {
                    self.look_ends();
                }
                return Ok(mails);
            }
            if !mails.is_empty() {
                return Ok(mails);
            }
        }
    }

    fn handled(&mut self, key: &str) -> Result<(), MailError> {
        self.take(key, true)
    }

    fn quarantine(&mut self, key: &str, _reason: &str) -> Result<(), MailError> {
        self.take(key, false)
    }

    /// What the restored memory does not know has a higher UID and is found by itself; but for what was moved away since.
    fn again(&mut self, since: Option<Timestamp>) -> Result<usize, MailError> {
        let day = since.map_or_else(|| "1970-01-03".to_owned(), |since| since.strftime("%Y-%m-%d").to_string());
        let since = before(&day);
        if self.memory.is_none() {
            // The copy is older than the first look. No folder has this validity, so its mails are read again from that day.
            self.memory = Some(Memory { validity: 0, uid: 0, day });
        }
        self.opened()?;
        let Some(processed) = self.folders.processed.clone() else { return Ok(0) };
        let read = self.folders.read.clone();
        // Where nothing was ever moved there may be no such folder.
        let mut found = Vec::new();
        if self.say(|talk| said_no(talk.select(&processed)))? {
            let all: BTreeSet<u32> = self.say(|talk| talk.uid_search(format!("SINCE {since}")))?.into_iter().collect();
            found.extend(all);
        }
        let mut count = 0;
        for some in found.chunks(TOGETHER_MAX) {
            match self.moved(&list(some), &read)? {
                true => count += some.len(),
                false => tracing::error!(
                    folder = processed,
                    mails = some.len(),
                    "mails cannot be moved back to be read again"
                ),
            }
        }
        // The session stands in the other folder.
        self.session = None;
        self.next_look = None;
        Ok(count)
    }

    fn put_away(&mut self) -> Result<(), MailError> {
        while let Some((_, _, sound)) = self.taken.first().copied() {
            self.opened()?;
            // One sort at a time and from the lowest on, since the memory is of the highest UID alone.
            let alike = self.taken.iter().take_while(|(_, _, other)| *other == sound).count().min(TOGETHER_MAX);
            let some = self.taken.get(..alike).unwrap_or_default().to_vec();
            self.put_away_some(&some)?;
            self.taken.drain(..alike);
        }
        Ok(())
    }
}

/// Tells a refusal, which leaves the session sound, from a fault.
fn said_no<T>(done: imap::Result<T>) -> imap::Result<bool> {
    match done {
        Ok(_) => Ok(true),
        Err(imap::Error::No(_)) => Ok(false),
        Err(other) => Err(other),
    }
}

fn list(uids: &[u32]) -> String {
    uids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// A day some hours before the given one, as IMAP dates are written: `1-Jan-2026`.
fn before(day: &str) -> String {
    let midnight = format!("{day}T00:00:00Z").parse::<Timestamp>().unwrap_or(Timestamp::UNIX_EPOCH);
    let earlier = midnight.checked_sub(SignedDuration::from_hours(AGAIN_HOURS)).unwrap_or(midnight);
    earlier.strftime("%-d-%b-%Y").to_string()
}

//! Dice protocol 2 at work: a notice closes sign-on, a rewind and a restore, and play waits for what it waits for.
//!
//! A notice is planned when its slots are committed, written when all have given to it, and settled when its words and its
//! value are there. No die falls in its slots before. Each later one commits a fresh master, so that nothing that is played
//! again can be a choice of dice.

use super::commands::{Command, Item, What};
use super::error::Trouble;
use super::player::Reply;
use super::post::Extras;
use super::press::UMPIRE;
use super::restore::Lost;
use super::sitting::Sitting;
use super::{due, when};
use crate::audit;
use crate::dice::two::{self, Bound, Nonce, Notice, Source, Why};
use crate::dice::{Bytes32, Master, beacon, hex};
use crate::host::Input;
use crate::letter::Context;
use crate::store::{self, GameState, Given};
use crate::terms::Beacon;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// What is done when the notice that waits is settled; nothing before the game begins.
const THEN: &str = "notice then";
/// What is said of a hash that is taken.
pub(super) const HASH_KEPT: &str = "kept; you are asked for the words.  Keep them, letter for letter.";
/// What is said of a notice that takes the place of another one.
const AGAIN: &str = "The notice before this one came to nothing; this one takes its place (\"why again\"), with dice that are \
                     new.  Who runs this post office may have known the dice that were given up: if a mail of yours was \
                     called too late or missing and you had sent it in time, say so to all.";
/// What holds where a later notice waits for nothing.
const KNOWN_ALL: &str = "The new dice were drawn when all words were known, and nothing is waited for: who runs this post \
                         office could choose them.  Against that stands NONCE-HASH at sign-on, or a game with beacon: \
                         quicknet.";
/// Which seats are asked for a hash before the planned notice is written.
const ASKED: &str = "notice asked";

/// What is done when a notice is settled in the middle of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Then {
    /// Play goes back to a rest point.
    Rewind {
        /// Its number.
        rest: usize,
        /// The umpire's seat, and what the ledger calls him.
        seat: String,
        by: String,
        /// His line and his reason.
        text: String,
        reason: String,
    },
    /// The post office was restored.
    Restore(Lost),
}

impl Sitting<'_> {
    /// Whether it is played by dice protocol 2.
    pub(super) fn is_two(&self) -> bool {
        self.row.protocol == two::PROTOCOL
    }

    /// Binds the terms and commits the slots of a new game.
    pub(super) fn bind(&self, rules: &str, options: Option<String>) -> Result<(), Trouble> {
        // One more for a game whose last turn is over.
        let (id, last) = (self.id(), self.hosted.last_slot().saturating_add(1));
        let digest = data_encoding::HEXLOWER.decode(self.row.scenario_digest.as_bytes()).ok();
        let digest: Option<Bytes32> = digest.and_then(|bytes| bytes.try_into().ok());
        let (ruleset, version) = self.hosted.ruleset();
        let bound = Bound {
            game: &id,
            ruleset: (ruleset, version),
            rules,
            scenario: two::sealed_scenario(&two::blind(&self.row.master, &id), &digest.unwrap_or_default()),
            tempo: self.row.tempo.as_str(),
            sides: &self.sides(),
            seats: self.hosted.seats().into_iter().map(|(seat, side)| (seat.0, side.0)).collect(),
            slots: last,
            beacon: self.beacon()?.to_string(),
            options,
        };
        audit::keep_terms(self.act, &id, &bound.to_string())?;
        self.plan(0, (0, last), Why::SignOn, self.row.master)
    }

    fn plan(&self, no: u32, slots: (u32, u32), why: Why, master: Bytes32) -> Result<(), Trouble> {
        let why = why.as_str().to_owned();
        let planned = store::Notice { no, slots, why, master, text: None, until: None, value: None, salt: None };
        Ok(self.act.plan_notice(&self.row.id, &planned)?)
    }

    /// Where the values of its notices come from.
    pub(super) fn beacon(&self) -> Result<Beacon, Trouble> {
        Ok(self.terms()?.beacon.unwrap_or_default())
    }

    /// The notices so far.
    pub(super) fn notices(&self) -> Result<Vec<store::Notice>, Trouble> {
        Ok(self.act.notices(&self.row.id)?)
    }

    /// What the opening mail promises of the dice.
    pub(super) fn trust(&self) -> Result<Option<&'static str>, Trouble> {
        Ok(match self.beacon()? {
            _ if !self.is_two() => None,
            Beacon::None => Some("plain"),
            Beacon::Quicknet(_) => Some("beacon"),
            Beacon::Value(_) => Some("value"),
        })
    }

    /// The notice that is not settled, if there is one: sign-on goes on, or play waits.
    fn open_notice(&self) -> Result<Option<store::Notice>, Trouble> {
        Ok(self.notices()?.pop().filter(|notice| notice.salt.is_none()))
    }

    /// The notice that play waits for.
    pub(super) fn waits_for_dice(&self) -> Result<Option<store::Notice>, Trouble> {
        let open = if self.is_two() { self.open_notice()? } else { None };
        Ok(open.filter(|notice| notice.text.is_some() || self.row.state != GameState::Forming))
    }

    /// What play waits for, as DEADLINE says it.
    pub(super) fn dice_line(&self) -> Result<Option<String>, Trouble> {
        let Some(notice) = self.waits_for_dice()? else { return Ok(None) };
        Ok(Some(match notice.text.as_deref().and_then(Notice::read).map(|written| written.source) {
            Some(Source::Quicknet(round)) => {
                format!("Play waits for round {round} of the beacon: BEACON {round} and it.")
            }
            Some(Source::Value(what)) => format!("Play waits for what will be announced: {what}."),
            Some(Source::None) => "Play waits for the words of all who gave a hash (NONCE).".to_owned(),
            None => "Play waits for new hashes (NONCE-HASH).".to_owned(),
        }))
    }

    /// Writes the notice that closes sign-on, once all are in and whoever is asked for a hash has given it.
    pub(super) fn close_sign_on(&mut self) -> Result<(), Trouble> {
        match self.open_notice()? {
            Some(notice) if notice.text.is_none() && self.still_asked(&notice)?.is_empty() => self.write(&notice),
            _ => Ok(()),
        }
    }

    /// Seats that are asked for a hash and have not given it.
    fn still_asked(&self, notice: &store::Notice) -> Result<Vec<String>, Trouble> {
        let asked = self.act.note(&self.row.id, ASKED)?.unwrap_or_default();
        let given = self.act.nonces(&self.row.id, notice.no)?;
        let lacks = |seat: &&str| !given.iter().any(|given| given.seat == *seat);
        Ok(asked.split_whitespace().filter(lacks).map(str::to_owned).collect())
    }

    /// Seats whose hash stands in the notice and whose words are missing.
    fn still_closed(&self, notice: &store::Notice) -> Result<Vec<String>, Trouble> {
        let given = self.act.nonces(&self.row.id, notice.no)?;
        Ok(given.into_iter().filter(|given| given.words.is_none()).map(|given| given.seat).collect())
    }

    /// Writes a notice, and settles it at once where there is nothing to wait for.
    fn write(&mut self, notice: &store::Notice) -> Result<(), Trouble> {
        let id = self.id();
        let given = self.act.nonces(&id, notice.no)?;
        let nonce = |seat: &str| match given.iter().find(|given| given.seat == seat) {
            None => Nonce::None,
            Some(Given { hash, hashed: true, .. }) => Nonce::Hash(hash.clone()),
            Some(Given { hash, hashed: false, .. }) => Nonce::Open(hash.clone()),
        };
        let nonces = self.players().into_iter().map(|seat| (seat.0.clone(), nonce(&seat.0))).collect();
        let source = match self.beacon()? {
            Beacon::None => Source::None,
            Beacon::Quicknet(wait) => {
                Source::Quicknet(beacon::round_at(self.env.now.as_second().saturating_add(i64::from(wait))))
            }
            Beacon::Value(what) => Source::Value(what),
        };
        // The store keeps no other words (its CHECK).
        let why = Why::read(&notice.why).unwrap_or(Why::Again);
        let (root, slots) = (self.root_now()?, notice.slots);
        let written =
            Notice { no: notice.no, game: id.clone(), root, slots, why, at: self.entry_time()?, nonces, source };
        let text = written.to_string();
        self.act.write_notice(&id, notice.no, &text)?;
        self.act.set_note(&id, ASKED, None)?;
        self.enter("notice", &serde_json::json!({"no": notice.no, "text": text}))?;
        let closed = self.still_closed(notice)?;
        if closed.is_empty() && written.source == Source::None {
            // Nothing is waited for; but all must see that dice were given up, before others fall.
            if written.why == Why::Again {
                self.tell_notice(&written, &[], None)?;
            }
            return self.settle(&store::Notice { text: Some(text), ..notice.clone() }, b"");
        }
        let until = if closed.is_empty() { None } else { self.word_time()? };
        self.act.notice_until(&id, notice.no, until.map(when::kept).as_deref())?;
        self.tell_notice(&written, &closed, until)
    }

    /// Until when words and hashes are waited for.
    fn word_time(&self) -> Result<Option<Timestamp>, Trouble> {
        let terms = self.terms()?;
        Ok(terms.calendar.due(self.env.now, &terms.time_of(due::SIGN_ON, false), &[]))
    }

    /// The time of hashes and words is later by a span.
    pub(super) fn put_off_notice(&self, by: jiff::SignedDuration) -> Result<(), Trouble> {
        let Some(notice) = self.open_notice()? else { return Ok(()) };
        let until = notice.until.and_then(|until| until.parse::<Timestamp>().ok());
        match until.and_then(|until| until.checked_add(by).ok()).map(when::kept) {
            Some(later) => Ok(self.act.notice_until(&self.row.id, notice.no, Some(&later))?),
            None => Ok(()),
        }
    }

    fn tell_notice(&self, notice: &Notice, closed: &[String], until: Option<Timestamp>) -> Result<(), Trouble> {
        let zone = self.zone()?;
        let text = notice.to_string();
        let waits = match &notice.source {
            Source::None => Vec::new(),
            Source::Quicknet(round) => {
                let at = Timestamp::from_second(beacon::time_of(*round)).map(|at| when::said_in(at, &zone));
                let fetched = match self.env.config.beacon_command {
                    Some(_) => "The post office fetches it then.  Any seat may send it, too:",
                    None => "Any seat may send it then:",
                };
                vec![
                    format!(
                        "The dice wait for round {round} of the public beacon drand (network quicknet), which does not \
                         exist before {}.",
                        at.unwrap_or_default()
                    ),
                    format!(
                        "{fetched} BEACON {round} and its signature, which \
                         https://api.drand.sh/{}/public/{round} shows from then on.",
                        beacon::NETWORK
                    ),
                ]
            }
            Source::Value(what) => vec![format!(
                "The dice wait for what will be announced: {what}.  The umpire or the operator enters it, and your next \
                 report names it: compare it."
            )],
        };
        let why = match notice.why {
            Why::SignOn => "Sign-on is closed.",
            Why::Rewind => "Play goes back, with dice that are new.",
            Why::Restore => "Play goes on after the restore, with dice that are new.",
            Why::Again => AGAIN,
        };
        let file = ("notice.txt".to_owned(), "text/plain".to_owned(), text.clone().into_bytes());
        for seat in self.players() {
            let mut notes = vec![why.to_owned()];
            notes.extend(waits.iter().cloned());
            if !closed.is_empty() {
                let until = until.map_or_else(String::new, |at| format!("  by {}", when::said_in(at, &zone)));
                notes.push(match closed.contains(&seat.0) {
                    true => format!("Send NONCE and the very words whose hash you gave{until}."),
                    false => format!("Who gave a hash is asked for its words{until}."),
                });
            }
            notes
                .push("The notice is attached as notice.txt.  Keep this mail: what it names cannot be changed.".into());
            notes.push(format!("SHA-256 {}", hex(&Sha256::digest(text.as_bytes()))));
            let context = Context { topic: "a notice of the dice".to_owned(), notes, ..Context::default() };
            let attachments = vec![file.clone()];
            self.post(&seat.0, "notice.txt", context, Extras { free: true, attachments, ..Extras::default() })?;
        }
        let note = format!("The notice {} of the dice of {} is written; all seats have it.", notice.no, self.row.id);
        self.notice(UMPIRE, "a notice of the dice", [vec![note], waits].concat())
    }

    /// Nothing is waited for any more: the salt is fixed, and what the notice closes is done. `given` is the signature of its
    /// round, or what was announced.
    fn settle(&mut self, notice: &store::Notice, given: &[u8]) -> Result<(), Trouble> {
        let id = self.id();
        let value = match notice.text.as_deref().and_then(Notice::read).map(|written| written.source) {
            Some(Source::Quicknet(round)) => beacon::value(round, &hex(given))
                .map_err(|why| Trouble::Game(format!("the value kept of notice {}: {why}", notice.no)))?
                .to_vec(),
            _ => given.to_vec(),
        };
        let (sent, value) = (given, value.as_slice());
        let given = self.act.nonces(&id, notice.no)?;
        let words =
            |seat: &str| given.iter().find(|g| g.seat == seat).and_then(|g| g.words.clone()).unwrap_or_default();
        let words: Vec<(String, String)> =
            self.players().into_iter().map(|seat| (seat.0.clone(), words(&seat.0))).collect();
        let text = notice.text.clone().unwrap_or_default();
        let salt = two::salt(&text, &words, value);
        self.act.settle_notice(&id, notice.no, sent, &salt)?;
        if !sent.is_empty() {
            self.enter("value", &serde_json::json!({"no": notice.no, "value": hex(sent)}))?;
        }
        self.enter("salt", &serde_json::json!({"no": notice.no, "salt": hex(&salt)}))?;
        self.hosted.give(self.dice()?);
        let written = Notice::read(&text);
        let later = written.as_ref().is_some_and(|written| written.no > 0 && written.source == Source::None);
        if later && !given.iter().any(|given| given.hashed) {
            self.told_with.push(KNOWN_ALL.to_owned());
        }
        if let Some(Source::Value(what)) = written.map(|written| written.source) {
            let said = String::from_utf8_lossy(sent);
            self.told_with.push(format!(
                "{what}: mixed into the dice as \"{said}\" (notice {}).  Compare it with what was announced.  If it was \
                 something else, say so within a day: BEACON WRONG and what it was.",
                notice.no
            ));
        }
        self.enclosed = vec![("notice.txt".to_owned(), "text/plain".to_owned(), text.into_bytes())];
        let then = self.then()?;
        self.act.set_note(&id, THEN, None)?;
        match then {
            None => self.begin_now()?,
            Some(Then::Rewind { rest, seat, by, text, reason }) => {
                self.went_back = Some(self.go_back((&seat, &by), rest, (&text, &reason))?);
            }
            Some(Then::Restore(lost)) => self.restored_now(&lost).map(drop)?,
        }
        self.enclosed.clear();
        self.told_with.clear();
        Ok(())
    }

    /// Plans the notice that comes before something is done in the middle of a game, or before a game that is formed anew;
    /// `then` is none where the game has not begun, and `missing` seats are asked for nothing. Whether it was done at once.
    pub(super) fn plan_later(
        &mut self,
        why: Why,
        rest: Option<usize>,
        (then, missing): (Option<&Then>, &[String]),
    ) -> Result<bool, Trouble> {
        let id = self.id();
        let before = self.notices()?;
        // A game that has not begun moves to these slots with the input below; one that has, when it goes back.
        let anew = self.hosted.slots_from(None);
        if let Some(open) = before.last().filter(|notice| notice.salt.is_none()) {
            // Nobody plays in slots whose notice came to nothing.
            self.act.notice_until(&id, open.no, None)?;
            let letters = self.take(Input::Anew { end: open.slots.1 })?;
            self.post_all(&letters)?;
        }
        let no = before.last().map_or(0, |notice| notice.no.saturating_add(1));
        let slots = if self.row.state == GameState::Forming { anew } else { self.hosted.slots_from(rest) };
        let master = *Master::fresh().map_err(Trouble::Game)?.bytes();
        self.plan(no, slots, why, master)?;
        let then = then.map(serde_json::to_string).transpose().map_err(|why| Trouble::Game(why.to_string()))?;
        self.act.set_note(&id, THEN, then.as_deref())?;
        // What each seat gave last, in whichever notice: who has once not opened a hash is asked for one all the same.
        let mut last: BTreeMap<String, Given> = BTreeMap::new();
        for notice in &before {
            last.extend(self.act.nonces(&id, notice.no)?.into_iter().map(|given| (given.seat.clone(), given)));
        }
        // Words that were sent as a hash first are used once; the others stand as they were, and enter every later salt.
        let (hashed, open): (Vec<Given>, Vec<Given>) = last.into_values().partition(|given| given.hashed);
        for given in &open {
            self.act.give_nonce(&id, no, given)?;
        }
        let asked = hashed.into_iter().map(|given| given.seat).filter(|seat| !missing.contains(seat));
        let asked: Vec<String> = asked.collect();
        self.enter("plan", &serde_json::json!({"no": no, "why": why, "slots": slots, "asked": asked}))?;
        self.act.set_note(&id, ASKED, Some(asked.join(" ")).filter(|asked| !asked.is_empty()).as_deref())?;
        if !asked.is_empty() {
            self.ask_hashes(no, &asked)?;
        }
        let forming = self.row.state == GameState::Forming && !self.all_in()?;
        match self.open_notice()? {
            Some(notice) if asked.is_empty() && !forming => self.write(&notice)?,
            _ => {}
        }
        Ok(self.open_notice()?.is_none())
    }

    fn ask_hashes(&self, no: u32, asked: &[String]) -> Result<(), Trouble> {
        let until = self.word_time()?;
        self.act.notice_until(&self.row.id, no, until.map(when::kept).as_deref())?;
        let zone = self.zone()?;
        let by = until.map_or_else(String::new, |at| format!(" by {}", when::said_in(at, &zone)));
        for seat in self.players() {
            let note = match asked.contains(&seat.0) {
                true => format!(
                    "New dice are committed.  Send NONCE-HASH with the SHA-256 of new words of yours{by}; you are asked for \
                     the words then."
                ),
                false => format!("New dice are committed.  Who gave a hash before is asked for a new one{by}."),
            };
            self.notice(&seat.0, "new dice", vec![note])?;
        }
        Ok(())
    }

    /// The lines of a mail that belong to a notice; what they complete is done behind its answer.
    pub(super) fn notice_lines(&mut self, seat: &str, items: &[Item], reply: &mut Reply) -> Result<(), Trouble> {
        for item in items {
            let said = match &item.what {
                What::General(Ok(Command::Nonce(words))) => self.nonce_said(seat, words)?,
                What::General(Ok(Command::NonceHash(hash))) => self.hash_said(seat, hash)?,
                What::General(Ok(Command::Beacon(words))) => Some(self.beacon_by_seat(seat, words)?),
                _ => None,
            };
            if let Some((word, why)) = said {
                reply.say(item, word, &why);
            }
        }
        Ok(())
    }

    fn nonce_said(&self, seat: &str, words: &str) -> Result<Option<(&'static str, String)>, Trouble> {
        let open = self.waits_for_dice()?.filter(|notice| notice.text.is_some());
        let given = match &open {
            Some(notice) => self.act.nonces(&self.row.id, notice.no)?.into_iter().find(|given| given.seat == seat),
            None => None,
        };
        let (Some(notice), Some(given)) = (open, given.filter(|given| given.hashed)) else { return Ok(None) };
        if given.words.is_some() {
            return Ok(Some(("DONE", "your words are known already.".to_owned())));
        }
        if two::hash_of_words(words) != given.hash {
            let why = format!(
                "these are not the words of your hash {}.  Look for capitals, blanks and quotation marks, and send \
                 NONCE again.",
                given.hash
            );
            return Ok(Some(("REFUSED", why)));
        }
        let words = Some(words.trim().to_owned());
        self.act.give_nonce(&self.row.id, notice.no, &Given { words: words.clone(), ..given })?;
        self.enter("words", &serde_json::json!({"no": notice.no, "seat": seat, "words": words}))?;
        Ok(Some(("DONE", "they are the words of your hash, and are mixed into every die.".to_owned())))
    }

    fn hash_said(&self, seat: &str, hash: &str) -> Result<Option<(&'static str, String)>, Trouble> {
        let Some(notice) = self.open_notice()?.filter(|notice| notice.text.is_none()) else { return Ok(None) };
        if !self.still_asked(&notice)?.iter().any(|asked| asked == seat) {
            return Ok(None);
        }
        self.give_hash(seat, hash, &notice).map(Some)
    }

    /// Keeps a hash for a notice, unless another seat gave the same.
    fn give_hash(&self, seat: &str, hash: &str, notice: &store::Notice) -> Result<(&'static str, String), Trouble> {
        let given = self.act.nonces(&self.row.id, notice.no)?;
        if given.iter().any(|given| given.hash == hash && given.seat != seat) {
            return Ok(("REFUSED", "another seat gave this very hash; send that of words of your own.".to_owned()));
        }
        let given = Given { seat: seat.to_owned(), hash: hash.to_owned(), hashed: true, words: None };
        self.act.give_nonce(&self.row.id, notice.no, &given)?;
        self.enter("hash", &serde_json::json!({"no": notice.no, "seat": seat, "hash": hash}))?;
        Ok(("DONE", HASH_KEPT.to_owned()))
    }

    /// What a seat gives with its sign-on: words that lie open, or a hash. What is wrong with it.
    pub(super) fn first_nonce(&self, seat: &str, words: &str, hash: Option<&str>) -> Result<Option<String>, Trouble> {
        let Some(notice) = self.open_notice()?.filter(|notice| notice.text.is_none()) else { return Ok(None) };
        let Some(hash) = hash else {
            let (hash, words) = (two::hash_of_words(words), Some(words.trim().to_owned()));
            let given = Given { seat: seat.to_owned(), hash, hashed: false, words };
            return Ok(self.act.give_nonce(&self.row.id, notice.no, &given).map(|()| None)?);
        };
        if self.beacon()? != Beacon::None {
            let why = "this game has a beacon: NONCE with any words does as much.  Who opens a hash after the beacon's round \
                       could compute first whether to open it at all.";
            return Ok(Some(why.to_owned()));
        }
        let (word, why) = self.give_hash(seat, hash, &notice)?;
        Ok(Some(why).filter(|_| word == "REFUSED"))
    }

    /// Another notice in the place of the one that waits and comes to nothing; seats whose words did not come give none to
    /// it.
    pub(super) fn again(&mut self, missing: &[String]) -> Result<(), Trouble> {
        let then = self.then()?;
        let rest = match &then {
            Some(Then::Rewind { rest, .. }) => Some(*rest),
            Some(Then::Restore(_)) => Some(self.hosted.rests().len()),
            None => None,
        };
        self.plan_later(Why::Again, rest, (then.as_ref(), missing)).map(drop)
    }

    /// What is done when the notice that waits is settled.
    fn then(&self) -> Result<Option<Then>, Trouble> {
        let then = self.act.note(&self.row.id, THEN)?.map(|then| serde_json::from_str(&then)).transpose();
        then.map_err(|why| Trouble::Game(format!("what a notice waited for cannot be read: {why}")))
    }

    /// Does what the mail just answered has completed.
    pub(super) fn dice_if_ready(&mut self) -> Result<(), Trouble> {
        if !self.is_two() {
            return Ok(());
        }
        let Some(notice) = self.waits_for_dice()? else { return Ok(()) };
        let Some(written) = notice.text.as_deref().and_then(Notice::read) else {
            return if self.still_asked(&notice)?.is_empty() { self.write(&notice) } else { Ok(()) };
        };
        if !self.still_closed(&notice)?.is_empty() {
            return Ok(());
        }
        match (&written.source, notice.value.clone()) {
            (Source::None, _) => self.settle(&notice, b"")?,
            (_, Some(value)) => self.settle(&notice, &value)?,
            _ => {}
        }
        match self.went_back.take() {
            Some(said) => self.notice(UMPIRE, "play has gone back", vec![said]),
            None => Ok(()),
        }
    }

    /// The time of hashes or words is up: who has not given one gives none, and all see it. Whether anything was done.
    pub(super) fn notice_deadline(&mut self, by: Timestamp) -> Result<bool, Trouble> {
        let by = when::kept(by);
        let past = |notice: &store::Notice| notice.until.as_ref().is_some_and(|until| *until <= by);
        let Some(notice) = self.open_notice()?.filter(past) else { return Ok(false) };
        self.act.notice_until(&self.row.id, notice.no, None)?;
        let missing = if notice.text.is_none() { self.still_asked(&notice)? } else { self.still_closed(&notice)? };
        if missing.is_empty() {
            // Others have still to sign on.
            return Ok(false);
        }
        for seat in self.players() {
            let note = format!(
                "{} did not send what the dice waited for in time, and gives nothing to them.",
                crate::text::and_list(&missing.iter().map(String::as_str).collect::<Vec<_>>())
            );
            self.notice(&seat.0, "the dice wait no longer", vec![note])?;
        }
        if notice.text.is_some() {
            self.again(&missing)?;
            return Ok(true);
        }
        self.act.set_note(&self.row.id, ASKED, None)?;
        match self.row.state {
            GameState::Forming => self.begin_if_all_in()?,
            _ => self.write(&notice)?,
        }
        Ok(true)
    }
}

//! The notices of dice protocol 2 in the order of the chain: planned, given to, written, opened, valued, settled, and each
//! of these once. What the seats gave is what their mails say, in the order in which they came.

use super::chain::text;
use super::entries::{Read, written_at};
use super::orders::Mails;
use super::verify::Findings;
use super::{GameLine, Line};
use crate::dice::beacon;
use crate::dice::two::{self, Nonce, Notice, Source, Why};
use crate::gateway::commands::{self, Command, Item, What};
use crate::terms::Beacon;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Lines of a mail above which the post office may have read a part alone.
const LINES_MAX: usize = 50;

/// A notice on its way.
#[derive(Default)]
struct Going {
    no: u64,
    why: Option<Why>,
    /// Seats that are asked for a hash.
    asked: Vec<String>,
    /// What each seat has given.
    given: BTreeMap<String, Nonce>,
    written: Option<Notice>,
    /// Seats whose words have come.
    opened: BTreeSet<String>,
    /// Nothing is waited for, or its value alone.
    ready: bool,
    valued: bool,
    settled: bool,
}

impl Going {
    /// Seats whose hash stands in it and whose words have not come.
    fn closed(&self) -> impl Iterator<Item = &String> {
        let hashed = |(_, nonce): &(&String, &Nonce)| matches!(nonce, Nonce::Hash(_));
        self.given.iter().filter(hashed).map(|(seat, _)| seat).filter(|seat| !self.opened.contains(*seat))
    }

    /// Seats that are asked for a hash and have given none.
    fn silent(&self) -> impl Iterator<Item = &String> {
        self.asked.iter().filter(|seat| !self.given.contains_key(*seat))
    }
}

/// The chain as it is looked through.
struct Order<'c> {
    game: &'c GameLine,
    beacon: Option<Beacon>,
    slots: Vec<(u32, u32)>,
    mails: &'c Mails<'c>,
    going: Option<Going>,
    /// What each seat gave last, in whichever notice.
    last: BTreeMap<String, Nonce>,
    signed: BTreeSet<String>,
    begun: bool,
    over: bool,
    /// What the last mail must have brought, entry by entry: kind and body.
    awaited: Vec<(&'static str, Value)>,
    /// The mails whose lines may come later, by a code, or were read in part alone.
    loose: BTreeSet<String>,
}

/// The entries that belong to notices, each where it must stand.
pub(super) fn notices_in_order(
    game: &GameLine,
    (lines, mails): (&[Line], &Mails<'_>),
    chain: &[Read<'_>],
    found: &mut Findings,
) {
    let terms = super::two::terms_text(lines).unwrap_or_default();
    let mut order = Order {
        game,
        beacon: terms.lines().find_map(|line| line.strip_prefix("beacon ")).and_then(source_of),
        slots: super::two::slots_of(lines),
        mails,
        going: None,
        last: BTreeMap::new(),
        signed: BTreeSet::new(),
        begun: false,
        over: false,
        awaited: Vec::new(),
        loose: BTreeSet::new(),
    };
    for (at, entry) in chain.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chain.get(at));
        let behind = chain.get(at + 1..).unwrap_or_default();
        if let Err(why) = order.look(entry, before, behind) {
            found.faults.push(format!("entry {} ({}): {why}", entry.seq, entry.kind));
        }
    }
    if let Some((kind, body)) = order.awaited.first() {
        found.faults.push(format!("a mail brought {kind} {body}, which is missing"));
    }
}

/// What the terms say of the beacon.
fn source_of(said: &str) -> Option<Beacon> {
    match said.split_once(' ') {
        None if said == "none" => Some(Beacon::None),
        Some(("quicknet", wait)) => Some(Beacon::Quicknet(wait.parse().ok()?)),
        Some(("value", what)) => Some(Beacon::Value(what.to_owned())),
        _ => None,
    }
}

fn seconds(at: &str) -> Option<i64> {
    at.parse::<Timestamp>().ok().map(Timestamp::as_second)
}

impl Order<'_> {
    fn look(&mut self, entry: &Read<'_>, before: Option<&Read<'_>>, behind: &[Read<'_>]) -> Result<(), String> {
        let body = &entry.body;
        let seat = text(body, "seat").to_owned();
        match entry.kind {
            "post.commit" => {
                self.going = Some(Going { why: Some(Why::SignOn), ..Going::default() });
                Ok(())
            }
            "post.plan" => self.planned(body),
            "post.signon" => self.signs(&seat, body, before),
            "post.vacant" => {
                self.signed.remove(&seat);
                Ok(())
            }
            "post.replace" => {
                // Who takes a seat before the game signs on himself.
                if !self.begun {
                    self.signed.remove(&seat);
                }
                Ok(())
            }
            "post.hash" => self.hashed(&seat, body, behind.first()),
            "post.notice" => self.written(body),
            "post.words" => self.opened(&seat, body),
            "post.value" => self.valued(body, behind),
            "post.salt" => self.settled(body, before),
            _ if entry.came_in() => self.came(&seat, text(body, "message_id")),
            "post.over" => {
                self.over = true;
                Ok(())
            }
            "input" => self.played(body),
            _ => Ok(()),
        }
    }

    /// The notice that is not settled and has this number.
    fn open(&mut self, body: &Value) -> Result<&mut Going, String> {
        let no = body.get("no").and_then(Value::as_u64);
        let going = self.going.as_mut().filter(|going| !going.settled && Some(going.no) == no);
        going.ok_or_else(|| "no such notice is open there".to_owned())
    }

    /// What stands in a mail comes in its order; nothing else does.
    fn brought(&mut self, seat: &str, kind: &str, body: &Value) -> Result<(), String> {
        if self.loose.contains(seat) {
            return Ok(());
        }
        match self.awaited.first() {
            Some((first, wanted)) if *first == kind && wanted == body => {
                self.awaited.remove(0);
                Ok(())
            }
            Some((first, wanted)) => Err(format!("the last mail brought {first} {wanted} before it")),
            None => Err("the last mail that came in brought no such thing".to_owned()),
        }
    }

    /// All that the last mail brought has come.
    fn all_brought(&mut self) -> Result<(), String> {
        let missing = std::mem::take(&mut self.awaited);
        match missing.first() {
            Some((kind, body)) => Err(format!("the mail before it brought {kind} {body}, which is missing")),
            None => Ok(()),
        }
    }

    fn planned(&mut self, body: &Value) -> Result<(), String> {
        self.all_brought()?;
        let Some(before) = self.going.take() else { return Err("nothing was committed before it".to_owned()) };
        let no = before.no.saturating_add(1);
        let why = Why::read(text(body, "why")).filter(|why| (*why == Why::Again) <= !before.settled);
        let slots = usize::try_from(no).ok().and_then(|no| self.slots.get(no));
        let (mut given, mut hashed) = (BTreeMap::new(), Vec::new());
        for (seat, nonce) in &self.last {
            match nonce {
                Nonce::Open(_) => drop(given.insert(seat.clone(), nonce.clone())),
                Nonce::Hash(_) => hashed.push(seat.clone()),
                Nonce::None => {}
            }
        }
        // Who did not send what he was asked for is not asked again.
        let missing: BTreeSet<&String> = match before.written {
            Some(_) => before.closed().collect(),
            None => before.silent().collect(),
        };
        let rest: Vec<String> = hashed.iter().filter(|seat| !missing.contains(seat)).cloned().collect();
        let asked: Vec<String> =
            serde_json::from_value(body.get("asked").cloned().unwrap_or_default()).unwrap_or_default();
        let fits = [
            body.get("no").and_then(Value::as_u64) == Some(no),
            why.is_some(),
            body.get("slots").cloned() == slots.map(|slots| json!(slots)),
            asked == hashed || (why == Some(Why::Again) && asked == rest),
        ];
        self.going = Some(Going { no, why, asked, given, ..Going::default() });
        match fits.iter().position(|fits| !fits) {
            None => Ok(()),
            Some(at) => {
                Err(format!("its {} are others", ["number", "reasons", "slots", "seats"].get(at).unwrap_or(&"")))
            }
        }
    }

    fn signs(&mut self, seat: &str, body: &Value, before: Option<&Read<'_>>) -> Result<(), String> {
        let absent = body.get("absent") == Some(&Value::Bool(true));
        let hash = body.get("hash").and_then(Value::as_str);
        let words = text(body, "nonce");
        let fields = body.as_object().map_or(0, serde_json::Map::len);
        if !self.signed.insert(seat.to_owned()) {
            return Err(format!("{seat} had signed on"));
        }
        let Some(going) = self.going.as_mut().filter(|going| going.written.is_none()) else {
            return Err("sign-on was closed".to_owned());
        };
        if absent {
            let same = words.is_empty() && fields == 3;
            return if same { self.all_brought() } else { Err("who is absent gives nothing".to_owned()) };
        }
        let nonce = match hash {
            None => Nonce::Open(two::hash_of_words(words)),
            Some(hash) => Nonce::Hash(hash.to_owned()),
        };
        going.given.insert(seat.to_owned(), nonce.clone());
        self.last.insert(seat.to_owned(), nonce);
        let given = before.filter(|before| before.kind == "post.hash" && text(&before.body, "seat") == seat);
        if given.map(|before| text(&before.body, "hash")) != hash {
            return Err("the hash before it is another, or missing".to_owned());
        }
        self.brought(seat, "post.signon", body)
    }

    fn hashed(&mut self, seat: &str, body: &Value, next: Option<&Read<'_>>) -> Result<(), String> {
        let (hash, begun) = (text(body, "hash").to_owned(), self.begun);
        let going = self.open(body)?;
        let signs = next.is_some_and(|next| next.kind == "post.signon" && text(&next.body, "seat") == seat);
        let asked = going.silent().any(|asked| asked == seat);
        if going.written.is_some() || !(asked || (signs && !begun)) {
            return Err(format!("{seat} was not asked for a hash"));
        }
        if going.given.iter().any(|(other, nonce)| other != seat && is_hash(nonce, &hash)) {
            return Err("another seat gave this very hash".to_owned());
        }
        going.given.insert(seat.to_owned(), Nonce::Hash(hash.clone()));
        self.last.insert(seat.to_owned(), Nonce::Hash(hash));
        self.brought(seat, "post.hash", body)
    }

    fn written(&mut self, body: &Value) -> Result<(), String> {
        self.all_brought()?;
        let (beacon, seats) = (self.beacon.clone(), self.game.seats.clone());
        let all_in = self.begun || seats.iter().all(|seat| self.signed.contains(seat));
        let going = self.open(body)?;
        let Some(notice) = Notice::read(text(body, "text")).filter(|_| going.written.is_none()) else {
            return Err("it is no notice, or was written before".to_owned());
        };
        let gave = |seat: &String| (seat.clone(), going.given.get(seat).cloned().unwrap_or(Nonce::None));
        // The first program of this protocol did not carry words that lay open into later notices.
        let older = |seat: &String| match going.given.get(seat) {
            Some(Nonce::Open(_)) if going.no > 0 => (seat.clone(), Nonce::None),
            _ => gave(seat),
        };
        let source = match (&beacon, seconds(&notice.at)) {
            (Some(Beacon::None), Some(_)) => Some(Source::None),
            // Nobody chooses the round: it follows from the notice's own time.
            (Some(Beacon::Quicknet(wait)), Some(at)) => {
                Some(Source::Quicknet(beacon::round_at(at.saturating_add(i64::from(*wait)))))
            }
            (Some(Beacon::Value(what)), Some(_)) => Some(Source::Value(what.clone())),
            _ => None,
        };
        let fits = [
            notice.nonces.iter().cloned().eq(seats.iter().map(gave))
                || notice.nonces.iter().cloned().eq(seats.iter().map(older)),
            Some(notice.why) == going.why,
            source.as_ref() == Some(&notice.source),
            all_in,
        ];
        let ready = going.closed().next().is_none();
        going.ready = ready;
        going.written = Some(notice);
        match fits.iter().position(|fits| !fits) {
            None => Ok(()),
            Some(at) => {
                let what = ["what a seat gave", "its reason", "what it waits for", "a sign-on"];
                Err(format!("{} is not as the chain and the terms make it", what.get(at).unwrap_or(&"")))
            }
        }
    }

    fn opened(&mut self, seat: &str, body: &Value) -> Result<(), String> {
        let words = text(body, "words").to_owned();
        let going = self.open(body)?;
        let fits = going.given.get(seat).is_some_and(|nonce| is_hash(nonce, &two::hash_of_words(&words)));
        if going.written.is_none() || !fits || !going.opened.insert(seat.to_owned()) {
            return Err(format!("{seat} had no such words to give there"));
        }
        let ready = going.closed().next().is_none();
        going.ready = ready;
        self.brought(seat, "post.words", body)
    }

    fn valued(&mut self, body: &Value, behind: &[Read<'_>]) -> Result<(), String> {
        let going = self.open(body)?;
        let Some(notice) = going.written.as_ref().filter(|_| !going.valued && going.ready) else {
            return Err("the notice is not written, or has its value".to_owned());
        };
        going.valued = true;
        let same = |next: &&Read<'_>| next.kind == "post.salt" && next.body.get("no") == body.get("no");
        if behind.first().filter(same).is_none() || notice.source == Source::None {
            return Err("the salt that it makes does not stand behind it".to_owned());
        }
        let now = behind.iter().take_while(|next| !next.is_restore()).find_map(written_at);
        let now = now.and_then(|now| seconds(&format!("{now}Z")));
        match notice.source {
            Source::Quicknet(round) if now.is_some_and(|now| now < beacon::time_of(round)) => {
                Err(format!("round {round} did not exist yet"))
            }
            _ => Ok(()),
        }
    }

    fn settled(&mut self, body: &Value, before: Option<&Read<'_>>) -> Result<(), String> {
        self.all_brought()?;
        let going = self.open(body)?;
        let Some(notice) = going.written.as_ref() else { return Err("the notice is not written".to_owned()) };
        let valued = before.is_some_and(|before| before.kind == "post.value");
        let fits = valued == (notice.source != Source::None) && going.ready;
        going.settled = true;
        if fits { Ok(()) } else { Err("words or a value come behind it, or are missing".to_owned()) }
    }

    /// Play waits for its dice, and so does the beginning.
    fn played(&mut self, body: &Value) -> Result<(), String> {
        let kind = text(body, "kind");
        let settled = self.going.as_ref().is_some_and(|going| going.settled);
        self.stands_ready()?;
        let of_play =
            matches!(kind, "begin" | "sheet" | "orders" | "dispatch" | "undo" | "deadline" | "restored" | "umpire");
        if of_play && !settled {
            return Err(format!("an input ({kind}) stands where the dice are waited for"));
        }
        self.begun |= kind == "begin";
        Ok(())
    }

    /// A notice that waits for nothing any more is settled at once.
    fn stands_ready(&self) -> Result<(), String> {
        let ready = |going: &&Going| {
            let waits = going.written.as_ref().is_some_and(|notice| notice.source != Source::None);
            going.ready && !going.settled && !waits
        };
        match self.going.as_ref().filter(ready) {
            Some(going) => Err(format!("the salt of notice {} should stand before it", going.no)),
            None => Ok(()),
        }
    }

    /// A mail came in: what of it belongs to a notice.
    fn came(&mut self, seat: &str, id: &str) -> Result<(), String> {
        let missing = self.all_brought();
        let late = self.stands_ready();
        self.loose.remove(seat);
        if self.game.seats.iter().any(|known| known == seat) && !self.over {
            self.read(seat, id);
        }
        missing.and(late)
    }

    fn read(&mut self, seat: &str, id: &str) {
        let Some(mail) = self.mails.get(id) else {
            self.loose.insert(seat.to_owned());
            return;
        };
        let items = commands::split(&mail.script, &|_| false, false);
        let of = |item: &Item| match &item.what {
            What::General(Ok(command)) => Some(command.clone()),
            _ => None,
        };
        let all: Vec<Command> = items.iter().filter_map(of).collect();
        // What a code lets through stands in an earlier mail.
        if mail.script.len() > LINES_MAX || all.iter().any(|command| matches!(command, Command::Confirm(_))) {
            self.loose.insert(seat.to_owned());
            return;
        }
        let Some(going) = self.going.as_ref().filter(|going| !going.settled) else { return };
        let taken = |hash: &str| going.given.iter().any(|(other, nonce)| other != seat && is_hash(nonce, hash));
        if going.written.is_some() {
            let closed = going.closed().any(|closed| closed == seat);
            let fits =
                |words: &&String| going.given.get(seat).is_some_and(|nonce| is_hash(nonce, &two::hash_of_words(words)));
            let mut words = all.iter().filter_map(|c| if let Command::Nonce(words) = c { Some(words) } else { None });
            if let Some(words) = words.find(fits).filter(|_| closed) {
                self.awaited.push(("post.words", json!({"no": going.no, "seat": seat, "words": words.trim()})));
            }
            return;
        }
        let hash_of = |hash: &str| ("post.hash", json!({"no": going.no, "seat": seat, "hash": hash}));
        if going.silent().any(|asked| asked == seat) {
            let mut hashes =
                all.iter().filter_map(|c| if let Command::NonceHash(hash) = c { Some(hash) } else { None });
            if let Some(hash) = hashes.find(|hash| !taken(hash)) {
                self.awaited.push(hash_of(hash));
            }
            return;
        }
        if self.begun || self.signed.contains(seat) || !all.contains(&Command::Signon) {
            return;
        }
        let nonce = all.iter().rfind(|command| matches!(command, Command::Nonce(_) | Command::NonceHash(_)));
        match nonce {
            Some(Command::NonceHash(hash)) => {
                if self.beacon == Some(Beacon::None) && !taken(hash) {
                    self.awaited.push(hash_of(hash));
                    let body = json!({"seat": seat, "nonce": "", "message_id": id, "hash": hash});
                    self.awaited.push(("post.signon", body));
                }
            }
            Some(Command::Nonce(words)) => {
                self.awaited.push(("post.signon", json!({"seat": seat, "nonce": words, "message_id": id})));
            }
            _ => self.awaited.push(("post.signon", json!({"seat": seat, "nonce": id, "message_id": id}))),
        }
    }
}

fn is_hash(nonce: &Nonce, hash: &str) -> bool {
    matches!(nonce, Nonce::Hash(own) if own == hash)
}

//! What only a bundle of dice protocol 2 has: terms that the roots bind, and notices, each with its slots, words, value, salt
//! and master.

use super::entries::Read;
use super::verify::{Findings, bytes};
use super::{GameLine, Line};
use crate::dice::two::{self, Nonce, Notice, Source};
use crate::dice::{Bytes32, Commitment, Noticed, Secrets, beacon, hex};
use crate::fog::SideId;
use crate::terms::Terms;
use data_encoding::HEXLOWER;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A notice as the bundle has it.
pub(super) struct Told<'l> {
    no: u32,
    pub(super) text: Option<&'l str>,
    value: Option<&'l str>,
    salt: Option<&'l str>,
    words: &'l [(String, String)],
    pub(super) master: Option<&'l str>,
}

/// The notices of a bundle, in its order.
pub(super) fn notices(lines: &[Line]) -> Vec<Told<'_>> {
    let mut found = Vec::new();
    for line in lines {
        if let Line::Notice { no, text, value, salt, words, master } = line {
            let (text, value, salt) = (text.as_deref(), value.as_deref(), salt.as_deref());
            found.push(Told { no: *no, text, value, salt, words, master: master.as_deref() });
        }
    }
    found
}

/// The texts of terms in a bundle.
fn texts(lines: &[Line]) -> impl Iterator<Item = &str> {
    lines.iter().filter_map(|line| if let Line::Terms { text } = line { Some(text.as_str()) } else { None })
}

/// The terms of a bundle, where it has some.
pub(super) fn terms_text(lines: &[Line]) -> Option<&str> {
    texts(lines).next()
}

/// The terms, if the bundle has just one text of them.
fn terms<'l>(lines: &'l [Line], found: &mut Findings) -> &'l str {
    let all: Vec<&str> = texts(lines).collect();
    if all.len() != 1 {
        found.faults.push(format!("the bundle has {} texts of terms, and must have one", all.len()));
    }
    all.first().copied().unwrap_or_default()
}

/// The fields of the terms with a name.
fn fields<'t>(terms: &'t str, name: &str) -> Vec<&'t str> {
    terms.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).collect()
}

/// The slots that each root of the bundle commits: those of its notice.
pub(super) fn slots_of(lines: &[Line]) -> Vec<(u32, u32)> {
    let mut roots = Vec::new();
    for line in lines {
        if let Line::Root { from, .. } = line {
            roots.push(*from);
        }
    }
    let last = |line: &Line| if let Line::Commit { slot, .. } = line { Some(*slot) } else { None };
    let end = lines.iter().filter_map(last).max().unwrap_or(0);
    let next = roots.iter().skip(1).map(|next| next.saturating_sub(1)).chain([end]);
    roots.iter().copied().zip(next).collect()
}

/// The roots, each over the terms and the whole list of its slots, and in the text of its notice.
pub(super) fn commitments(game: &GameLine, lines: &[Line], list: &[Commitment], found: &mut Findings) {
    let terms = terms(lines, found);
    terms_say(game, terms, found);
    let sides: Vec<SideId> = game.sides.iter().map(|side| SideId(side.clone())).collect();
    let scopes: Vec<String> = two::scopes_of(&sides).iter().map(|scope| scope.text().to_owned()).collect();
    let (told, slots) = (notices(lines), slots_of(lines));
    let roots: Vec<&String> =
        lines.iter().filter_map(|line| if let Line::Root { root, .. } = line { Some(root) } else { None }).collect();
    if told.is_empty() || told.len() != roots.len() {
        found.faults.push(format!("there are {} notices and {} roots", told.len(), roots.len()));
        return;
    }
    if slots.first().is_none_or(|first| first.0 != 0) || slots.iter().any(|(first, last)| last < first) {
        found.faults.push("the notices do not commit all slots from 0 on, one behind the other".to_owned());
        return;
    }
    let expected = slots.iter().flat_map(|(first, last)| *first..=*last);
    let expected = expected.flat_map(|slot| scopes.iter().map(move |scope| (slot, scope)));
    if !expected.eq(list.iter().map(|c| (c.slot, &c.scope))) {
        found.faults.push("the commitments are not those of each slot and scope, in their order".to_owned());
    }
    for (((no, told), root), slots) in (0..).zip(&told).zip(roots).zip(slots) {
        let under: Vec<Commitment> = list.iter().filter(|c| (slots.0..=slots.1).contains(&c.slot)).cloned().collect();
        let made = two::root(terms, &two::list(&under));
        if hex(&made) != *root {
            found.faults.push(format!("the root is {root}, and terms and commitments make {}", hex(&made)));
        }
        if told.no != no {
            found.faults.push(format!("notice {} stands where {no} should", told.no));
        }
        if let Some(text) = told.text {
            match Notice::read(text) {
                Some(read) => notice_says(game, &read, (no, made, slots), found),
                None => found.faults.push(format!("the text of notice {no} is none")),
            }
        }
    }
}

/// The terms are of this game.
fn terms_say(game: &GameLine, terms: &str, found: &mut Findings) {
    let seats: Vec<&str> =
        fields(terms, "seat").into_iter().filter_map(|said| said.rsplit_once(' ')).map(|s| s.0).collect();
    let ruleset = format!("{} {}", game.ruleset, game.engine);
    let facts = [
        ("protocol", terms.lines().next() == Some("estafette 2")),
        ("id", fields(terms, "game") == [game.id.as_str()]),
        ("ruleset", fields(terms, "ruleset") == [ruleset.as_str()]),
        ("tempo", fields(terms, "tempo") == [game.tempo.as_str()]),
        ("sides", fields(terms, "side") == game.sides),
        ("seats", seats == game.seats),
    ];
    for (what, _) in facts.iter().filter(|(_, same)| !same) {
        found.faults.push(format!("the game's {what} is not that of the terms"));
    }
}

fn notice_says(game: &GameLine, read: &Notice, (no, root, slots): (u32, Bytes32, (u32, u32)), found: &mut Findings) {
    let facts = [
        ("number", read.no == no),
        ("game", read.game == game.id),
        ("root", read.root == root),
        ("slots", read.slots == slots),
        ("seats", read.nonces.iter().map(|(seat, _)| seat).eq(&game.seats)),
    ];
    for (what, _) in facts.iter().filter(|(_, same)| !same) {
        found.faults.push(format!("the {what} in the text of notice {no} is another"));
    }
}

/// What the dice of each notice follow from: words and value are those of its text, and make its salt.
pub(super) fn salts(lines: &[Line], found: &mut Findings) -> Vec<((u32, u32), Option<Bytes32>)> {
    let mut salts = Vec::new();
    for (told, slots) in notices(lines).iter().zip(slots_of(lines)) {
        let salt = told.text.and_then(Notice::read).and_then(|read| salt(&read, told, found));
        if told.text.is_none() && !(told.words.is_empty() && told.value.is_none()) {
            found.faults.push(format!("notice {} was never written, and has words or a value", told.no));
        }
        if salt.is_none() && told.salt.is_some() {
            found.faults.push(format!("notice {} has a salt that nothing makes", told.no));
        }
        salts.push((slots, salt));
    }
    salts
}

fn salt(read: &Notice, told: &Told<'_>, found: &mut Findings) -> Option<Bytes32> {
    let no = told.no;
    let mut given: BTreeMap<&str, &str> = BTreeMap::new();
    for (seat, words) in told.words {
        if given.insert(seat, words).is_some() {
            found.faults.push(format!("notice {no}: there are two words of {seat}"));
        }
    }
    let mut words = Vec::new();
    let mut lacks = false;
    for (seat, nonce) in &read.nonces {
        let said = given.remove(seat.as_str());
        match (nonce, said) {
            (Nonce::None, None) => words.push((seat.clone(), String::new())),
            (Nonce::Open(hash) | Nonce::Hash(hash), Some(said)) if *hash == two::hash_of_words(said) => {
                words.push((seat.clone(), said.to_owned()));
            }
            (Nonce::Open(_) | Nonce::Hash(_), None) => lacks = true,
            _ => found.faults.push(format!("notice {no}: the words of {seat} are not those of its hash")),
        }
    }
    if let Some(seat) = given.keys().next() {
        found.faults.push(format!("notice {no}: there are words of {seat}, which gave none"));
    }
    let value = match (&read.source, told.value) {
        (Source::None, None) => Some(Vec::new()),
        (Source::None, Some(_)) => {
            found.faults.push(format!("notice {no} has a value, and waits for none"));
            None
        }
        (_, None) => None,
        (Source::Quicknet(round), Some(signature)) => match beacon::value(*round, signature) {
            Ok(value) => Some(value.to_vec()),
            Err(why) => {
                found.faults.push(format!("notice {no}, round {round}: {why}"));
                None
            }
        },
        (Source::Value(_), Some(said)) => {
            let said = HEXLOWER.decode(said.as_bytes()).ok();
            match said.as_ref().map(|said| String::from_utf8_lossy(said)) {
                None => found.faults.push(format!("notice {no}: its value is not hexadecimal")),
                Some(text) if two::announced(&text) != *text => found.unproved.push(format!(
                    "notice {no}: its value \"{text}\" is not in the one form: who entered it could choose between spellings"
                )),
                Some(_) => {}
            }
            said
        }
    };
    let Some(named) = told.salt else {
        // Sign-on, words or a value were waited for, or it came to nothing.
        return None;
    };
    if lacks {
        found.faults.push(format!("notice {no} has a salt, and words are missing"));
    }
    let made = two::salt(&read.to_string(), &words, &value?);
    if bytes(named) != Some(made) {
        found
            .faults
            .push(format!("the salt of notice {no} is not the one that its words and value make, {}", hex(&made)));
    }
    Some(made)
}

/// The masters make every seed, the first one the seal of the scenario; what the game was played with.
pub(super) fn whole(
    game: &GameLine,
    (lines, chain): (&[Line], &[Read<'_>]),
    salts: &[((u32, u32), Option<Bytes32>)],
    found: &mut Findings,
) -> Secrets {
    let told = notices(lines);
    let mut noticed = Vec::new();
    for (told, (slots, salt)) in told.iter().zip(salts) {
        match told.master.and_then(bytes) {
            Some(master) => noticed.push(Noticed { slots: *slots, master, salt: *salt }),
            None => found.faults.push(format!("the master of notice {} is missing, or is none", told.no)),
        }
    }
    let digest = HEXLOWER.decode(game.scenario.as_bytes()).ok().and_then(|bytes| Bytes32::try_from(bytes).ok());
    let sealed = noticed
        .first()
        .map(|first| hex(&two::sealed_scenario(&two::blind(&first.master, &game.id), &digest.unwrap_or_default())));
    let named = terms_text(lines);
    if named.map(|terms| fields(terms, "scenario")) != sealed.as_ref().map(|sealed| vec![sealed.as_str()]) {
        found.faults.push("the scenario is not the one that the terms seal".to_owned());
    }
    if let Some(first) = noticed.first() {
        super::seals::seals_in_chain(game, &first.master, chain, found);
    }
    Secrets::Two(noticed)
}

/// What the chain says of a notice.
#[derive(Default)]
struct Kept {
    text: Option<String>,
    value: Option<String>,
    salt: Option<String>,
    /// Words that were opened after it: seat and words.
    words: Vec<(String, String)>,
}

/// What the chain says of each notice: when it was written and settled, and the words that came after it; and the masters
/// that it shows at its end.
pub(super) fn notices_in_chain(lines: &[Line], found: &mut Findings) {
    let mut kept: BTreeMap<u64, Kept> = BTreeMap::new();
    let mut masters = None;
    for line in lines {
        let Line::Event { entry, body, seq, .. } = line else { continue };
        let body: Value = match entry.as_str() {
            "post.notice" | "post.value" | "post.salt" | "post.words" | "post.over" => {
                serde_json::from_str(body).unwrap_or_default()
            }
            _ => continue,
        };
        let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
        if entry == "post.over" {
            masters = body.get("masters").cloned();
            continue;
        }
        let Some(no) = body.get("no").and_then(Value::as_u64) else {
            found.faults.push(format!("entry {seq} does not say of which notice it is"));
            continue;
        };
        let notice = kept.entry(no).or_default();
        let (place, said) = match entry.as_str() {
            "post.notice" => (&mut notice.text, text("text")),
            "post.value" => (&mut notice.value, text("value")),
            "post.salt" => (&mut notice.salt, text("salt")),
            _ => {
                notice.words.push((text("seat").unwrap_or_default(), text("words").unwrap_or_default()));
                continue;
            }
        };
        if std::mem::replace(place, said).is_some() {
            found.faults.push(format!("entry {seq} says again what an entry before it says of a notice"));
        }
    }
    let told = notices(lines);
    for told in &told {
        let chain = kept.remove(&u64::from(told.no)).unwrap_or_default();
        let said = [&chain.text, &chain.value, &chain.salt].map(Option::as_deref);
        if said != [told.text, told.value, told.salt] {
            found.faults.push(format!("notice {} is not as the chain has it", told.no));
        }
        for opened in &chain.words {
            if !told.words.contains(opened) {
                let seat = &opened.0;
                found.faults.push(format!("notice {}: the words of {seat} are not those of the chain", told.no));
            }
        }
    }
    if let Some(no) = kept.keys().next() {
        found.faults.push(format!("the chain has a notice {no} that the bundle lacks"));
    }
    if let Some(masters) = masters
        && !told.iter().map(|told| told.master.map(Value::from)).eq(masters
            .as_array()
            .into_iter()
            .flatten()
            .map(|master| Some(master.clone())))
    {
        found.faults.push("the masters are not those that the chain shows at its end".to_owned());
    }
}

/// The options that the chain names are those of the terms' digest. Older games have one that only the program that wrote it
/// makes again.
pub(super) fn options_in_chain((lines, chain): (&[Line], &[Read<'_>]), is_own: bool, found: &mut Findings) {
    let Some(terms) = terms_text(lines) else { return };
    let named = fields(terms, "options");
    let kept = chain.iter().find(|entry| entry.kind == "post.options").map(|entry| entry.body.clone());
    let digest = |text: &str| hex(&Sha256::digest(text.as_bytes()));
    // Where the program is named before the root is published, the digest is over what the chain says.
    let exact = chain.iter().find(|entry| matches!(entry.kind, "post.program" | "post.commit"));
    let exact = exact.is_some_and(|entry| entry.kind == "post.program");
    if !exact && !is_own {
        return;
    }
    let same = match kept {
        None => named == ["-"],
        Some(kept) if exact => named == [digest(&kept.to_string()).as_str()],
        Some(kept) => {
            let read: Option<Terms> = serde_json::from_value(kept.clone()).ok();
            // Where the file named no deadline, the chain has the game's own.
            let both = read.into_iter().flat_map(|terms| [Terms { deadline: None, ..terms.clone() }, terms]);
            let written = both
                .filter_map(|terms| Some((serde_json::to_value(&terms).ok()?, serde_json::to_string(&terms).ok()?)));
            let written: Vec<(Value, String)> = written.collect();
            written.last().is_some_and(|(again, _)| *again == kept)
                && written.iter().any(|(_, text)| named == [digest(text).as_str()])
        }
    };
    if !same {
        found.faults.push("the options are not those of the terms".to_owned());
    }
}

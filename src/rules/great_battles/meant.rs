//! What was meant by a line that gives no order, or none that is allowed: the words of this game. Nothing here looks beyond the
//! seat's own view, so that no answer tells anything.

mod calls;
mod fights;
mod go;
mod turns;

use super::board::{Arm, FRENCH, Rank};
use super::order::{self, Order};
use super::rehearse::rehearse;
use super::view::{View, codes};
use super::{GreatBattles, command, eyes};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::mend::Topic;
use crate::orders::mend::hear::Vocabulary;
use crate::orders::mend::lexicon::Sense;
use crate::orders::{Fault, Verb};
use crate::rules::Ruleset;
use crate::rules::rehearsal::Caution;
use crate::rules::tactical::meant::acts::{LINES_MAX, aims, doubled, joined, plain, rides, subjects};
use crate::rules::tactical::meant::{self, Deed, Found, Grammar, SIGNS, SUBJECT, Slot, Thing, Tongue};
use calls::{activate, before_they_act, change, enter, reinforcements, ride};
use fights::strike;
use go::go;
use std::collections::{BTreeMap, BTreeSet};
use turns::{faced, form, stepped, turn};

/// A line as it was heard.
type Said<'a> = meant::Said<'a, View>;

/// Behind SUPPORT.
const SUPPORT: Slot = Slot::Key("SUPPORT");
/// Words that ask what a counter without a face is.
const MASKS: [&str; 9] = ["dummy", "dummies", "mask", "masks", "masked", "face", "faces", "faceless", "decoy"];
/// Words that ask for what is lost.
const LOST: [&str; 5] = ["lose", "lost", "losses", "casualties", "dead"];
/// Words that turn a unit where it stands.
const TURNS: [(&str, &str); 5] = [("left", "L"), ("right", "R"), ("about", "AF"), ("around", "AF"), ("round", "AF")];

const GRAMMAR: Grammar<Arm> = Grammar {
    keys: &["AT", "TO", "WITH", "FACE", "FACING", "FULL", "LIMITED", "STRATEGIC", "F", "L", "R"],
    slots: &["SUPPORT", "VIA", "STOP"],
    arms: &[
        ("horse", Arm::Cav),
        ("cavalry", Arm::Cav),
        ("guns", Arm::Art),
        ("battery", Arm::Art),
        ("artillery", Arm::Art),
    ],
    acts: &[
        (Sense::Charge, "CHARGE"),
        (Sense::Strike, "BAYONET"),
        (Sense::Shoot, "FIRE"),
        (Sense::Go, "MOVE"),
        (Sense::Back, "MOVE"),
        (Sense::Form, "FORM"),
        (Sense::Line, "FORM"),
        (Sense::Column, "FORM"),
        (Sense::Square, "FORM"),
        (Sense::Limber, "FORM"),
        (Sense::Unlimber, "FORM"),
        (Sense::Done, "END"),
    ],
    attacks: &["BAYONET", "ASSAULT", "FIRE", "CHARGE"],
};

impl Tongue for View {
    type Order = Order;
    type Arm = Arm;

    fn grammar() -> &'static Grammar<Arm> {
        &GRAMMAR
    }

    fn verbs() -> &'static [Verb<View, Order>] {
        GreatBattles::verbs()
    }

    fn tried(&self, order: &Order) -> Result<(), Fault> {
        let tried = rehearse(self, order)?;
        // A line that is offered comes to its end.
        match tried.warnings.into_iter().find(|warning| matches!(warning.kind, Caution::Short | Caution::Reach)) {
            Some(short) => Err(Fault::refused(short.text, short.rule)),
            None => Ok(()),
        }
    }

    fn is_ready(&self, unit: &str) -> Result<(), Fault> {
        command::may_act(&self.state, unit)
    }

    fn order(deed: &Deed<'_>) -> Order {
        let first = |units: &[String]| units.first().cloned().unwrap_or_default();
        match *deed {
            Deed::Strike("FIRE", units, at) => Order::Fire { unit: first(units), at: Some(at) },
            Deed::Strike(verb @ ("BAYONET" | "ASSAULT"), units, at) => {
                Order::Attack { unit: first(units), at, support: None, assault: verb == "ASSAULT" }
            }
            Deed::Strike(_, units, at) => Order::Charge { unit: first(units), at, via: Vec::new() },
            Deed::Ride(leader, to) => Order::Lead { leader: leader.to_owned(), to },
        }
    }

    fn names(&self, known: &mut Vocabulary<Thing<Arm>>) {
        names(self, known);
    }

    fn hex(&self, unit: &str) -> Option<Hex> {
        self.state.hex(unit)
    }

    fn is_arm(&self, unit: &str, arm: Arm) -> bool {
        self.state.is_arm(unit, arm)
    }

    fn acting(&self) -> Vec<String> {
        let own = self.state.standing().map(|(id, ..)| id).filter(|id| self.state.is_of(id, &self.side));
        own.filter(|id| command::may_act(&self.state, id).is_ok()).cloned().collect()
    }

    fn men(&self, leader: &str) -> Vec<String> {
        let s = &self.state;
        let Some(chief) = s.chief(leader) else { return Vec::new() };
        let under = |division: &&String| match chief.rank {
            Rank::Division => **division == chief.of,
            _ => s.board.divisions.get(*division).is_some_and(|d| d.corps == chief.of),
        };
        s.board.divisions.keys().filter(under).flat_map(|division| s.units_of(division)).collect()
    }

    fn foes(&self, arm: Option<Arm>) -> BTreeSet<Hex> {
        let fit = |id: &String| arm.is_none_or(|arm| self.is_arm(id, arm));
        self.state.enemies(&self.side).filter(|(id, ..)| fit(id)).map(|(.., pose)| pose.head).collect()
    }

    fn apart(&self, units: &[String]) -> Vec<Vec<String>> {
        units.iter().map(|unit| vec![unit.clone()]).collect()
    }

    fn told(said: &Said<'_>) -> Option<Vec<String>> {
        if said.says(&LOST) && said.units(&[Slot::Plain]).is_empty() {
            return Some(losses(said.v));
        }
        meant::is_idle(said).then(|| vec!["Who gets no order stays where he is.".to_owned()])
    }

    fn asked(said: &Said<'_>) -> Option<Topic> {
        if said.says(&MASKS) {
            return Some(Topic::Rule("H.12".to_owned()));
        }
        if said.says(&SIGNS) {
            return Some(Topic::Told(vec!["MAP KEY says what the signs of the map mean.".to_owned()]));
        }
        let supply = "There is no supply in this game, and ammunition does not run out.";
        said.means(Sense::Supply).then(|| Topic::Told(vec![supply.to_owned()]))
    }

    fn found(said: &Said<'_>) -> Found {
        found(said)
    }
}

/// 8.5.1 What each side has lost, as far as the seat knows: SP by unit, units, leaders.
fn losses(v: &View) -> Vec<String> {
    let s = &v.state;
    let sides = s.sides().into_iter().filter(|side| *side == v.side || !eyes::veiled(s));
    let line = |side: SideId| {
        let own = || s.units.iter().filter(|(id, _)| s.is_of(id, &side));
        let hurt: Vec<String> =
            own().filter(|(_, u)| !u.gone && u.lost > 0).map(|(id, u)| format!("{id} {} SP", u.lost)).collect();
        let gone: Vec<&str> = own().filter(|(_, u)| u.gone).map(|(id, _)| id.as_str()).collect();
        let led = |name: &String| s.chief(name).is_some_and(|chief| chief.side == side);
        let fallen = s.leaders.iter().filter(|(name, l)| l.lost && led(name)).map(|(name, _)| name.as_str());
        let fallen: Vec<&str> = fallen.collect();
        let parts = [("", hurt.join(", ")), ("no more: ", gone.join(" ")), ("leaders: ", fallen.join(" "))];
        let parts = parts.into_iter().filter(|(_, said)| !said.is_empty());
        let parts: Vec<String> = parts.map(|(head, said)| format!("{head}{said}")).collect();
        let who = if side.0 == FRENCH { "The French" } else { "The Allies" };
        if parts.is_empty() {
            return format!("{who} have lost nothing.");
        }
        format!("{who} have lost {} SP: {}.", GreatBattles::lost(s, &side), parts.join("; "))
    };
    sides.map(line).collect()
}

/// Names of units, commands, leaders and places, as people write them and as the map prints them.
fn names(v: &View, known: &mut Vocabulary<Thing<Arm>>) {
    let s = &v.state;
    let printed = codes(v);
    let mut leaders: BTreeSet<&String> = s.leaders.keys().collect();
    leaders.retain(|name| s.chief(name).is_some_and(|chief| chief.side == v.side));
    for id in s.units.keys().filter(|id| s.is_of(id, &v.side)) {
        let free = |name: &String| !s.board.kinds.contains_key(name);
        let code = printed.get(id).filter(|code| free(code) || *code == id);
        let signed = |code: &String| order::SIGNS.chars().map(|sign| format!("{code}{sign}")).collect::<Vec<_>>();
        let signed = code.filter(|_| s.pose(id).is_some()).map(signed).unwrap_or_default();
        let spelt = [id.replace('-', ""), id.replace('-', "/"), id.clone()].into_iter();
        let spelt = spelt.chain(code.filter(|code| *code != id).cloned());
        let spelt = spelt.chain(signed.into_iter().filter(|name| free(&name.to_uppercase())));
        spelt.for_each(|name| known.name(&name, Thing::Unit(id.clone())));
    }
    for (id, _, pose) in s.enemies(&v.side) {
        let code = printed.get(id).filter(|code| !s.board.kinds.contains_key(*code));
        [Some(id), code].into_iter().flatten().for_each(|name| known.name(name, Thing::At(vec![pose.head])));
    }
    tails(v).into_iter().for_each(|(end, id)| known.name(&end, Thing::Unit(id)));
    regiments(v).into_iter().for_each(|(name, ids)| known.name(&name, Thing::Regiment(ids)));
    leaders.iter().for_each(|name| meant::led(known, name));
    let commands = s.board.divisions.keys().chain(s.board.corps.keys()).filter(|id| !leaders.contains(id));
    for id in commands.filter(|id| of_side(v, id)) {
        known.name(id, Thing::Leader(id.clone()));
    }
    for (place, hexes) in &s.board.ground.field.places {
        known.name(place, Thing::At(hexes.clone()));
        known.name(&place.replace('_', " "), Thing::At(hexes.clone()));
        // `hill`, where only one place is called so.
        let places = || s.board.ground.field.places.keys();
        let is_part = |of: &String, part: &str| of.split('_').any(|known| known == part);
        let parts = place.split('_').filter(|part| places().filter(|of| is_part(of, part)).count() == 1);
        parts.filter(|part| *part != place).for_each(|part| known.name(part, Thing::At(hexes.clone())));
    }
}

/// Regiments of which several units stand on the map: `AS15` for `AS15-1` and `AS15-2`.
fn regiments(v: &View) -> BTreeMap<String, Vec<String>> {
    let (s, printed) = (&v.state, codes(v));
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, ..) in s.standing().filter(|(id, ..)| s.is_of(id, &v.side)) {
        if let Some((regiment, _)) = id.rsplit_once('-') {
            found.entry(regiment.to_owned()).or_default().push(id.clone());
        }
    }
    let free = |name: &String| !s.board.kinds.contains_key(name) && printed.values().all(|code| code != name);
    found.retain(|name, ids| ids.len() > 1 && free(name));
    found
}

/// Whether a division or a corps is of the seat's side.
fn of_side(v: &View, id: &str) -> bool {
    let board = &v.state.board;
    let corps = board.corps.get(id).map(|corps| &corps.side);
    corps.or_else(|| board.side_of(id)) == Some(&v.side)
}

/// What may be written instead of a line; where nothing else is wrong with it, how its words are read.
fn found(said: &Said<'_>) -> Found {
    let mut found = by_verb(said);
    if found.lines.is_empty() || found.why.is_some() {
        return found;
    }
    let tails = tails(said.v);
    let tail = said.words.iter().find_map(|word| Some((&word.text, tails.get(&word.text.to_uppercase())?)));
    let mut read: Vec<String> = tail.iter().map(|(word, unit)| format!("\"{word}\" is read as {unit}")).collect();
    found.whole &= read.is_empty();
    if let (Some((verb, false)), Some(first)) = (said.head, said.words.first()) {
        read.push(format!("\"{}\" is read as {verb}", first.text));
    }
    let tagged =
        said.words.iter().filter_map(|word| Some(format!("{} stands in {}", word.text, tag(said.v, &word.text)?)));
    read.extend(tagged);
    if !read.is_empty() {
        found.why = Some((read.join("; "), String::new()));
    }
    found
}

/// Where an enemy in sight stands, by his tag.
fn tag(v: &View, word: &str) -> Option<Hex> {
    let mut foes = v.state.enemies(&v.side);
    foes.find(|(id, ..)| id.eq_ignore_ascii_case(word)).map(|(.., pose)| pose.head)
}

/// H.2 A tag of nobody in sight: where he was last seen, or who is in sight.
fn unseen(said: &Said<'_>) -> Option<Found> {
    let v = said.v;
    let digits = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    let tagged = |text: &str| text.strip_prefix(['e', 'E']).is_some_and(digits);
    let lost = said.words.iter().map(|word| &word.text).find(|text| tagged(text) && tag(v, text).is_none())?;
    if !eyes::veiled(&v.state) || v.state.board.kinds.contains_key(&lost.to_uppercase()) {
        return None;
    }
    let ghost = v.ghosts.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(lost));
    let seen: Vec<&str> = v.state.enemies(&v.side).map(|(id, ..)| id.as_str()).collect();
    let seen = if seen.is_empty() { "nobody".to_owned() } else { seen.join(" ") };
    let why = match ghost {
        Some((_, contact)) => format!("{lost} is out of sight, last seen in {}; in sight: {seen}", contact.face.hex),
        None => format!("{lost} is nobody in sight; in sight: {seen}"),
    };
    Some(Found::reason(why, "H.2"))
}

/// A line with the hexes in which enemies stand for their tags; none where it names no tag.
fn hexed(said: &Said<'_>) -> Option<String> {
    let word = |text: &String| tag(said.v, text).map_or_else(|| text.clone(), |hex| hex.to_string());
    let words: Vec<String> = said.words.iter().map(|heard| word(&heard.text)).collect();
    let tagged = said.words.iter().any(|heard| tag(said.v, &heard.text).is_some());
    tagged.then(|| words.join(" "))
}

/// Units by the end of their names, where it can be nobody else: `H8` for `FH8`.
fn tails(v: &View) -> BTreeMap<String, String> {
    let s = &v.state;
    let printed = codes(v);
    let own = s.units.iter().filter(|(id, u)| s.is_of(id, &v.side) && !u.gone && !u.left).map(|(id, _)| id);
    let mut found: BTreeMap<String, BTreeSet<&String>> = BTreeMap::new();
    for id in own {
        for name in [id.clone(), id.replace('-', "")] {
            let ends = (1..name.len()).filter_map(|from| name.get(from..)).filter(|end| end.len() > 1);
            ends.for_each(|end| {
                found.entry(end.to_owned()).or_default().insert(id);
            });
        }
    }
    let digits = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    let free = |end: &String| !s.board.kinds.contains_key(end) && printed.values().all(|code| code != end);
    let named = |end: &String| {
        let lettered = end.starts_with(|c: char| c.is_ascii_alphabetic()) && end.bytes().any(|b| b.is_ascii_digit());
        // `E5` is an enemy.
        lettered && !end.strip_prefix('E').is_some_and(digits) && free(end)
    };
    let only = |(end, ids): (String, BTreeSet<&String>)| match ids.into_iter().collect::<Vec<_>>().as_slice() {
        [id] if named(&end) => Some((end, (*id).clone())),
        _ => None,
    };
    found.into_iter().filter_map(only).collect()
}

/// What may be written instead of a line, by its verb.
fn by_verb(said: &Said<'_>) -> Found {
    let verbs = said.verbs();
    let verb = verbs.first().copied();
    let units = subjects(said);
    // What is written is not offered without what it hangs on.
    if let Some(condition) = said.condition() {
        return Found::reason(format!("\"{condition}\" is a condition that is not understood"), "");
    }
    // Several divisions have a line each, and each is offered.
    let several = said.second() == Some(("ACTIVATE", "ACTIVATE"));
    if let Some(found) = joined(said).filter(|_| !several) {
        return found;
    }
    // Its hour is a number that names nobody.
    if let Some(line) = faced(said, &units) {
        return offered(said.v, line);
    }
    if let Some(found) = unseen(said) {
        return found;
    }
    if said.is_riddle() || said.means(Sense::Not) || said.means(Sense::Except) {
        return Found::default();
    }
    if let Some(found) = before_they_act(said, verb) {
        return found;
    }
    let moves = !units.is_empty() && matches!(verb, None | Some("MOVE"));
    if let Some(found) =
        stepped(said, &units).filter(|_| moves).or_else(|| turn(said, &units).filter(|_| !units.is_empty()))
    {
        return found;
    }
    if verb.is_none() && said.says(&["rally", "rallies", "rallying"]) {
        return Found::reason(
            "who can rally does it when the turn ends, without an order; KEEP names who does not",
            "12.0",
        );
    }
    let forms = said.tokens.iter().skip(1).any(|token| token.key == Some("FORM"));
    let limbers = said.means(Sense::Limber) || said.means(Sense::Unlimber);
    if (forms || limbers) && verb == Some("MOVE") {
        return Found::reason("one order a line: MOVE and FORM are two, FORM below", "");
    }
    if verb != Some("FORM")
        && let Some(found) = doubled(said, &verbs)
    {
        return found;
    }
    let calls = said.tokens.iter().any(|token| token.key == Some("ACTIVATE"));
    match verb {
        _ if verb == Some("ACTIVATE") || (verb.is_none() && calls) => activate(said),
        Some(verb @ ("FIRE" | "BAYONET" | "ASSAULT" | "CHARGE")) => strike(said, verb),
        Some("FORM") => form(said),
        Some("ENTER") => enter(said),
        Some("CHANGE") => change(said),
        Some("REINFORCE") => reinforcements(said),
        Some("LEADER") => ride(said),
        Some("MOVE") if said.units(&SUBJECT).is_empty() && rides(said) => ride(said),
        None if !subjects(said).is_empty() && aims(said) => either(said),
        Some("MOVE") | None if !subjects(said).is_empty() => go(said),
        Some("END") => Found { lines: vec!["END".to_owned()], ..Found::default() },
        Some(verb) => plain(said, verb, "AT"),
        None => Found::default(),
    }
}

/// Units and an enemy's place without a verb: fire and bayonet, as far as they can; else why they do not come there.
fn either(said: &Said<'_>) -> Found {
    let [fire, bayonet] = ["FIRE", "BAYONET"].map(|verb| strike(said, verb));
    let lines: Vec<String> = [fire.lines, bayonet.lines].concat();
    if lines.is_empty() {
        return go(said);
    }
    Found { lines: lines.into_iter().take(LINES_MAX).collect(), ..Found::default() }
}

/// Whether a line is taken, or why not.
fn taken(v: &View, text: &str) -> Result<(), Fault> {
    v.tried(&crate::orders::read(GreatBattles::verbs(), v, &crate::orders::line(1, text))?)
}

/// A line that is taken, or why it is not.
fn offered(v: &View, line: String) -> Found {
    match taken(v, &line) {
        Ok(()) => Found { lines: vec![line], ..Found::default() },
        Err(fault) => Found::fault(&fault),
    }
}

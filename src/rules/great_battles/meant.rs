//! What was meant by a line that gives no order, or none that is allowed: the words of this game. Nothing here looks beyond the
//! seat's own view, so that no answer tells anything.

mod go;

use super::board::{Arm, FRENCH, Rank};
use super::order::{self, Order};
use super::rehearse::rehearse;
use super::state::Mode;
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
use crate::rules::tactical::meant::acts::{
    LINES_MAX, aims, attack, doubled, goal, joined, lead, plain, rides, subjects,
};
use crate::rules::tactical::meant::{self, Deed, Found, Grammar, Parted, SIGNS, SUBJECT, Slot, Thing, Tongue};
use go::go;
use std::collections::BTreeSet;

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
    leaders.iter().for_each(|name| meant::led(known, name));
    let commands = s.board.divisions.keys().chain(s.board.corps.keys()).filter(|id| !leaders.contains(id));
    for id in commands.filter(|id| of_side(v, id)) {
        known.name(id, Thing::Leader(id.clone()));
    }
    for (place, hexes) in &s.board.ground.field.places {
        known.name(place, Thing::At(hexes.clone()));
        known.name(&place.replace('_', " "), Thing::At(hexes.clone()));
    }
}

/// Whether a division or a corps is of the seat's side.
fn of_side(v: &View, id: &str) -> bool {
    let board = &v.state.board;
    let corps = board.corps.get(id).map(|corps| &corps.side);
    corps.or_else(|| board.side_of(id)) == Some(&v.side)
}

/// What may be written instead of a line, by its verb.
fn found(said: &Said<'_>) -> Found {
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
    if said.is_riddle() || said.means(Sense::Not) || said.means(Sense::Except) {
        return Found::default();
    }
    if let Some(found) = turn(said, &units).filter(|_| !units.is_empty()) {
        return found;
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
    if let Some(found) = before_they_act(said, verb) {
        return found;
    }
    let calls = said.tokens.iter().any(|token| token.key == Some("ACTIVATE"));
    match verb {
        _ if verb == Some("ACTIVATE") || (verb.is_none() && calls) => activate(said),
        Some(verb @ ("FIRE" | "BAYONET" | "ASSAULT" | "CHARGE")) => strike(said, verb),
        Some("FORM") => form(said),
        Some("ENTER") => enter(said),
        Some("LEADER") => ride(said),
        Some("MOVE") if said.units(&SUBJECT).is_empty() && rides(said) => ride(said),
        None if !subjects(said).is_empty() && aims(said) => either(said),
        Some("MOVE") | None if !subjects(said).is_empty() => go(said),
        Some("END") => Found { lines: vec!["END".to_owned()], ..Found::default() },
        Some(verb) => plain(said, verb, "AT"),
        None => Found::default(),
    }
}

/// 4.5 Units whose division may still try do nothing before it does.
fn before_they_act(said: &Said<'_>, verb: Option<&str>) -> Option<Found> {
    let s = &said.v.state;
    let acting = s.acting.as_ref().filter(|acting| acting.side == said.v.side)?;
    let units = subjects(said);
    let acts = matches!(verb, None | Some("MOVE" | "FORM" | "FIRE" | "BAYONET" | "ASSAULT" | "CHARGE"));
    let waits = acts && !units.is_empty() && units.iter().all(|unit| command::may_act(s, unit).is_err());
    let divisions: BTreeSet<&str> = units.iter().map(|unit| s.division(unit)).collect();
    let open: Vec<&String> = acting.todo.iter().filter(|id| divisions.contains(id.as_str())).collect();
    if !waits || open.is_empty() {
        return None;
    }
    let names: Vec<&str> = open.iter().map(|id| id.as_str()).collect();
    let why = Some((format!("activate {} first", names.join(" and ")), "4.5".to_owned()));
    // No line that would take the place of this one.
    let calls: Vec<String> =
        open.iter().filter_map(|division| call(said.v, division, &[Mode::Full, Mode::Limited])).collect();
    let note = format!("{} on a line of its own is done before this one.", calls.join(", or "));
    Some(Found { why, note: Some(note).filter(|_| !calls.is_empty()), ..Found::default() })
}

/// 4.5, 4.6 The line by which a division tries, by the first way that is open to it.
fn call(v: &View, division: &str, how: &[Mode]) -> Option<String> {
    let order = |how: &Mode| Order::Activate { division: division.to_owned(), how: *how };
    let how = how.iter().find(|how| v.tried(&order(how)).is_ok())?;
    Some(format!("ACTIVATE {division} {}", how.word().to_uppercase()))
}

/// 4.5 A division tries that is named, by its leader or by its corps too.
fn activate(said: &Said<'_>) -> Found {
    let s = &said.v.state;
    let named = said.leaders(&SUBJECT);
    let wanted = [("LIMITED", Mode::Limited), ("STRATEGIC", Mode::Strategic)];
    let key = |word: &str| said.tokens.iter().any(|token| token.key == Some(word));
    let how = wanted.into_iter().find(|(word, _)| key(word)).map_or(Mode::Full, |(_, how)| how);
    let is_of = |division: &&String| {
        let corps = s.board.divisions.get(*division).map_or("", |d| d.corps.as_str());
        let led = |name: &String| s.chief(name).is_some_and(|chief| chief.of == **division || chief.of == corps);
        let men = said.units(&SUBJECT).iter().any(|unit| s.division(unit) == **division);
        men || named.iter().any(|name| name == *division || name == corps || led(name))
    };
    let todo = s.acting.iter().filter(|acting| acting.side == said.v.side).flat_map(|acting| &acting.todo);
    let lines: Vec<String> = todo.filter(is_of).filter_map(|division| call(said.v, division, &[how])).collect();
    let whole = lines.len() == 1 && said.units(&SUBJECT).is_empty();
    if !lines.is_empty() {
        return Found { lines: lines.into_iter().take(LINES_MAX).collect(), whole, ..Found::default() };
    }
    // Where one division alone may try, a word that names nobody means it.
    let nobody = named.is_empty() && said.units(&SUBJECT).is_empty();
    let mut open = s.acting.iter().filter(|acting| acting.side == said.v.side).flat_map(|acting| &acting.todo);
    if let (true, Some(only), None) = (nobody, open.next(), open.next()) {
        return Found { lines: call(said.v, only, &[how]).into_iter().collect(), ..Found::default() };
    }
    let division = named.iter().find(|name| s.board.divisions.contains_key(*name));
    let fault = division.map(|id| said.v.tried(&Order::Activate { division: id.clone(), how }));
    fault.and_then(Result::err).map(|fault| Found::fault(&fault)).unwrap_or_default()
}

/// 5.4 A leader rides; where he does not reach a hex, as near to it as he comes.
fn ride(said: &Said<'_>) -> Found {
    let found = lead(said);
    let leaders = said.leaders(&SUBJECT);
    let (true, Some(to), [leader]) = (found.lines.is_empty(), goal(said), leaders.as_slice()) else { return found };
    let near = command::ride_toward(&said.v.state, leader, to).map(|hex| format!("LEADER {leader} TO {hex}"));
    Found { lines: near.into_iter().filter(|line| said.v.takes(line)).collect(), ..found }
}

/// 8.1-8.4 An attack by those who can; 8.3 where no bayonet attack may be, the assault.
fn strike(said: &Said<'_>, verb: &'static str) -> Found {
    let mut support = said.units(&[SUPPORT]);
    let plain = said.units(&[Slot::Plain]);
    // Who is named behind WITH helps the one who attacks.
    if support.is_empty() && matches!(verb, "BAYONET" | "ASSAULT") && plain.len() == 1 {
        support = said.units(&[Slot::With]);
    }
    let none = said.tokens.iter().any(|token| token.text.eq_ignore_ascii_case("none"));
    let tail = |_: &[String]| match (verb, support.as_slice()) {
        ("BAYONET" | "ASSAULT", []) if none => " SUPPORT NONE".to_owned(),
        ("BAYONET" | "ASSAULT", [_, ..]) => format!(" SUPPORT {}", support.join(" ")),
        _ => String::new(),
    };
    let mut found = attack(said, verb, true, tail);
    found.lines.retain(|line| !support.iter().any(|unit| line.split(' ').nth(1) == Some(unit)));
    // 8.2.1 Who is named to help has to be able to.
    if let Some(fault) = found.lines.iter().filter(|_| !support.is_empty()).find_map(|line| taken(said.v, line).err()) {
        return Found::fault(&fault);
    }
    // Where no hex is named, none is what stands in the way.
    if verb == "FIRE" && found.lines.is_empty() && said.places().is_empty() {
        let order = |unit: &String| Order::Fire { unit: unit.clone(), at: None };
        let fault = plain.first().and_then(|unit| said.v.tried(&order(unit)).err());
        return fault.map_or(found, |fault| Found::fault(&fault));
    }
    let other = match verb {
        "BAYONET" => "ASSAULT",
        "ASSAULT" => "BAYONET",
        _ => return found,
    };
    if !found.lines.is_empty() {
        return found;
    }
    let instead = attack(said, other, true, tail);
    // Who has written the other word himself is told why it is not that one.
    let why = if said.head.is_some_and(|(head, _)| head == verb) { found.why.clone() } else { instead.why };
    let whole = instead.whole && why.is_none();
    if instead.lines.is_empty() { found } else { Found { why, whole, ..instead } }
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

/// 6.3 The formation that is named, in the words of an order.
fn formation(said: &Said<'_>) -> Option<&'static str> {
    let senses = [
        (Sense::Line, "LINE"),
        (Sense::Column, "COLUMN"),
        (Sense::Square, "SQUARE"),
        (Sense::Unlimber, "UNLIMBER"),
        (Sense::Limber, "LIMBER"),
    ];
    let worded = |word: &&str| said.words.iter().any(|heard| heard.fold.starts_with(&word.to_lowercase()));
    let word = ["SKIRMISH", "UNLIMBER", "LIMBER", "SQUARE", "COLUMN", "DISORDER", "LINE"].into_iter().find(worded);
    word.or_else(|| senses.into_iter().find(|(sense, _)| said.means(*sense)).map(|(_, word)| word))
}

/// 6.3 A change of formation by those who can.
fn form(said: &Said<'_>) -> Found {
    let units = subjects(said);
    let Some(word) = formation(said) else {
        let why = format!("into what? FORM {} and LINE, COLUMN, SKIRMISH, SQUARE, LIMBER or UNLIMBER", units.join(" "));
        return Found::reason(why, "6.3");
    };
    let hour = said.words.iter().find_map(|heard| heard.text.parse::<u8>().ok().filter(|n| (1..=12).contains(n)));
    let at = hour.map_or_else(String::new, |hour| format!(" AT {hour}"));
    let line = |units: &[String]| format!("FORM {} {word}{at}", units.join(" "));
    // 7.1 Who stands in one hex changes together.
    let stack = units.first().map(|unit| said.v.state.with(unit)).unwrap_or_default();
    let stacked = units.iter().all(|unit| stack.contains(unit)) && stack.len() > units.len();
    if stacked && !said.v.takes(&line(&units)) && said.v.takes(&line(&stack)) {
        return Found { lines: vec![line(&stack)], ..Found::default() };
    }
    let parted = Parted::of(&units, |unit| taken(said.v, &line(unit)));
    let goes = !parted.can.is_empty() && said.v.takes(&line(&parted.can));
    let lines = if goes { vec![line(&parted.can)] } else { Vec::new() };
    let whole = parted.cannot.is_empty() && said.units(&SUBJECT) == units && said.places().is_empty();
    Found { lines, why: parted.why(), whole, ..Found::default() }
}

/// 14.1 Who comes on, in a formation in which he can.
fn enter(said: &Said<'_>) -> Found {
    let found = plain(said, "ENTER", "AT");
    let units = said.units(&SUBJECT);
    if !found.lines.is_empty() || units.is_empty() {
        return found;
    }
    let at = said.places().last().and_then(|place| place.first().copied());
    let at = at.map_or_else(String::new, |hex| format!(" AT {hex}"));
    let line = |form: &str| format!("ENTER {}{form}{at}", units.join(" "));
    let lines = ["", " FORM LIMBER", " FORM LINE"].map(line).into_iter().filter(|line| said.v.takes(line)).take(1);
    let lines: Vec<String> = lines.collect();
    let why = taken(said.v, &line("")).err().and_then(|fault| Found::fault(&fault).why);
    Found { lines, why, ..Found::default() }
}

/// Whether a line is taken, or why not.
fn taken(v: &View, text: &str) -> Result<(), Fault> {
    v.tried(&crate::orders::read(GreatBattles::verbs(), v, &crate::orders::line(1, text))?)
}

/// 6.1 Units turn where they stand: left, right, about.
fn turn(said: &Said<'_>, units: &[String]) -> Option<Found> {
    let word = said.words.iter().find_map(|heard| TURNS.iter().find(|(word, _)| *word == heard.fold));
    let (_, pace) = word.filter(|_| said.places().is_empty())?;
    let times = said.words.iter().find_map(|word| word.text.parse::<usize>().ok()).filter(|n| (2..=5).contains(n));
    let times = times.filter(|_| *pace != "AF").map_or_else(String::new, |times| format!(" {times}"));
    let line = format!("MOVE {} {pace}{times}", units.join(" "));
    Some(offered(said.v, line))
}

/// A line that is taken, or why it is not.
fn offered(v: &View, line: String) -> Found {
    match taken(v, &line) {
        Ok(()) => Found { lines: vec![line], ..Found::default() },
        Err(fault) => Found::fault(&fault),
    }
}

/// 6.1 `FACE F3-1 3`, `TURN F3-1 TO 3`: the turns by which a unit comes to face an hour, the shorter way.
fn faced(said: &Said<'_>, units: &[String]) -> Option<String> {
    let turns = said.words.first().is_some_and(|word| ["face", "turn", "wheel"].contains(&word.fold.as_str()));
    let hour = said.words.iter().find_map(|word| word.text.parse::<u8>().ok()).filter(|n| (1..=12).contains(n))?;
    let pose = units.first().and_then(|unit| said.v.state.pose(unit)).filter(|_| turns && said.places().is_empty())?;
    let by = (i32::from(hour) - i32::from(u8::from(pose.hour))).rem_euclid(12);
    let (way, times) = if by <= 6 { ("R", by / 2) } else { ("L", (12 - by) / 2) };
    let times = if times > 1 { format!(" {times}") } else { String::new() };
    (by > 0 && by % 2 == 0).then(|| format!("MOVE {} {way}{times}", units.join(" ")))
}

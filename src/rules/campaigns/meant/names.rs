//! What a line of this game may name: own leaders, units, vedettes and the center; places in any language; leaders of the
//! other side by the printed order of battle alone, so that naming one tells nothing of where he is.

use crate::hex::{Hex, Hexside};
use crate::map::draw::short_name;
use crate::orders::fold;
use crate::orders::mend::hear::{Heard, Vocabulary};
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::combat::clause;
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::pieces::{Place, Track};
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Places by their printed names, and what else they are called.
static EXONYMS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let rows = include_str!("exonyms.tsv").lines().filter_map(|line| line.split_once('\t'));
    rows.map(|(printed, others)| (printed, others.split(',').map(str::trim).collect())).collect()
});

/// What a word names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// An own leader in play.
    Leader(LeaderId),
    /// An own leader who is not on the map yet or any more.
    Absent(LeaderId),
    /// An own unit.
    Unit(UnitId),
    /// An own vedette, on the map or in the pool.
    Vedette(u32),
    /// The own Center of Operations.
    Center,
    /// A hex.
    Place(Hex),
    /// A bridge or hexside.
    Side(Hexside),
    /// An enemy counter by its tag.
    Tag(u32),
    /// A printed leader of the other side.
    Foe(LeaderId),
    /// A number.
    Number(u32),
    /// A hex that the map does not have.
    Off,
}

/// Keywords behind the verbs.
const KEYS: [&str; 47] = [
    "MARCH",
    "ROAD",
    "TO",
    "COMMAND",
    "INITIATIVE",
    "FORCED",
    "HOLD",
    "ADMINMARCH",
    "FREE",
    "EXTENDED",
    "DROP",
    "BRIDGE",
    "REPAIR",
    "DAMAGE",
    "DESTROY",
    "TRESTLE",
    "PONTOON",
    "DEPLOY",
    "REMOVE",
    "CAPTURE",
    "TRAIN",
    "LEAVE",
    "TAKE",
    "WITH",
    "IF",
    "ELSE",
    "CONTACT",
    "REPULSE",
    "STOP",
    "GO",
    "AVOID",
    "RETURN",
    "PLACE",
    "POOL",
    "RIVER",
    "DISBAND",
    "FLEE",
    "TOWARD",
    "LEAD",
    "ROUND",
    "FROM",
    "INTO",
    "UNDER",
    "AT",
    "ALL",
    "AND",
    "ANYWAY",
];

/// All names that this seat's lines may hold.
pub fn vocabulary(v: &View) -> Vocabulary<Thing> {
    let verbs = super::verbs().iter().map(|verb| verb.word);
    let mut known = Vocabulary::new(verbs.chain(KEYS).chain(clause::keys()));
    own(v, &mut known);
    places(v, &mut known);
    // Only whom he has been shown: another's name says nothing, that no answer tells who takes part.
    let shown = v.enemy.values().filter_map(|counter| match counter.tie.as_ref().map(|tie| &tie.ident) {
        Some(Ident::Leader(id)) => Some(id),
        _ => None,
    });
    let shown: BTreeSet<&LeaderId> = shown.collect();
    for spec in shown.into_iter().filter_map(|id| v.board.leaders.get(id)) {
        for name in [Some(spec.name.as_str()), Some(spec.code.as_str()), spec.name.rsplit(' ').next()] {
            if let Some(name) = name.filter(|name| !known.knows(name) && name.chars().count() > 2) {
                known.name(name, Thing::Foe(spec.id.clone()));
            }
        }
    }
    known
}

/// Own pieces: whole names first, then words of them where several share one.
fn own(v: &View, known: &mut Vocabulary<Thing>) {
    for (name, id) in words::own_leaders(v) {
        known.name(&name, Thing::Leader(id));
    }
    for (name, id) in words::all_leaders(v) {
        if !known.knows(&name) {
            known.name(&name, Thing::Absent(id));
        }
    }
    for (id, _) in v.own.leaders.iter().filter(|(_, l)| matches!(l.place, Place::At(_)) && l.under.is_none()) {
        let Some(spec) = v.board.leaders.get(id).filter(|spec| spec.name.contains(' ')) else { continue };
        for part in spec.name.split(' ').filter(|part| part.chars().count() > 3) {
            known.name(part, Thing::Leader(id.clone()));
        }
        if spec.major_general.is_some() {
            let last = spec.name.split(' ').skip(2).collect::<Vec<_>>().join(" ");
            known.name(&last, Thing::Leader(id.clone()));
        }
    }
    for (id, _) in v.own.units.iter().filter(|(_, u)| u.track != Track::Waiting) {
        if let Some(spec) = v.board.units.get(id).filter(|spec| !known.knows(&spec.name)) {
            known.name(&spec.name, Thing::Unit(id.clone()));
        }
    }
    for name in ["center", "centre", "center of operations", "zentrum", "centre d'opérations", "hq", "headquarters"] {
        known.name(name, Thing::Center);
    }
}

/// Places as the map prints them, as it shortens them, and as others call them.
fn places(v: &View, known: &mut Vocabulary<Thing>) {
    for place in v.board.map.places.values() {
        let short = short_name(&place.name);
        let forms = [place.name.clone(), short.clone(), short.replace("St ", "Saint "), place.name.replace('-', " ")];
        forms.iter().for_each(|name| known.name(name, Thing::Place(place.hex)));
    }
    for place in v.board.map.places.values() {
        let last = place.name.rsplit_once('-').map(|(_, last)| last).filter(|last| last.chars().count() > 3);
        if let Some(last) = last.filter(|last| !known.knows(last) && !last.ends_with(')')) {
            known.name(last, Thing::Place(place.hex));
        }
    }
    for place in v.board.map.places.values() {
        for other in EXONYMS.get(place.name.as_str()).into_iter().flatten() {
            if !known.knows(other) {
                known.name(other, Thing::Place(place.hex));
            }
        }
    }
}

/// Whether a place is called so in another language.
pub fn exonym(v: &View, hex: Hex, said: &str) -> bool {
    let printed = v.board.map.name(hex).unwrap_or_default();
    EXONYMS.get(printed).into_iter().flatten().any(|other| fold(other) == fold(said))
}

/// Hexes, hexsides, tags, vedettes and numbers.
pub fn special(v: &View, rest: &[Heard]) -> Option<(usize, Thing)> {
    let word = rest.first()?;
    let digits = |text: &str| !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    if let Some((a, b)) = word.text.split_once('/')
        && let (Some(a), Some(b)) = (Hex::parse(a), Hex::parse(b))
    {
        return Some((1, Hexside::between(a, b).map_or(Thing::Off, Thing::Side)));
    }
    if word.text.len() == 4 && digits(&word.text) {
        let hex = Hex::parse(&word.text).filter(|hex| v.board.map.contains(*hex));
        return Some((1, hex.map_or(Thing::Off, Thing::Place)));
    }
    if digits(&word.text) {
        return Some((1, Thing::Number(word.text.parse().ok()?)));
    }
    let number = |mark: char| word.fold.strip_prefix(mark).filter(|n| digits(n)).and_then(|n| n.parse::<u32>().ok());
    if let Some(n) = number('e') {
        return Some((1, Thing::Tag(n)));
    }
    if let Some(n) = number('v') {
        return Some((1, Thing::Vedette(n)));
    }
    let called = ["vedette", "vedettes", "vedetta", "vedete", "vedett", "vidette", "vedete", "patrol", "patrouille"];
    if called.contains(&word.fold.as_str())
        && let Some(n) = rest.get(1).and_then(|w| w.text.trim_start_matches(['#', 'v', 'V']).parse::<u32>().ok())
        && n < 100
    {
        return Some((2, Thing::Vedette(n)));
    }
    None
}

/// A hex as a line names it: by the writer's own word where that binds, else by its short name or its number.
pub fn written(v: &View, hex: Hex) -> String {
    let name = v.board.map.name(hex).map(short_name).unwrap_or_default();
    let line = crate::orders::line(0, &name);
    let mut args = crate::orders::Args::new(&line, 0);
    let good = !name.is_empty() && words::place(v, &mut args).is_ok_and(|found| found == hex) && args.done();
    if good { name } else { hex.to_string() }
}

/// A number that is written as a word, up to nine.
pub fn counted(word: &str) -> Option<u32> {
    const WORDS: [&str; 9] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let said = crate::orders::fold(word);
    (1..).zip(WORDS).find(|(_, name)| *name == said).map(|(n, _)| n)
}

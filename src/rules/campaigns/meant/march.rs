//! Marches, halts, patrols: what most lines of newcomers want.

use super::names::{Thing, written};
use super::said::{Act, Said, Who};
use super::why::{note, why};
use super::{choice, head_of, pick};
use crate::hex::Hex;
use crate::map::draw::short_name;
use crate::orders::Fault;
use crate::orders::mend::Mended;
use crate::orders::mend::change::{Choice, MODE, ORDER, PLACE, VERB};
use crate::orders::mend::lexicon::Sense;
use crate::rules::campaigns::board::{Arm, Halves, LeaderId};
use crate::rules::campaigns::march::column::Column;
use crate::rules::campaigns::march::ways;
use crate::rules::campaigns::pieces::Vedette;
use crate::rules::campaigns::sequence::At;

/// Places that one beginning may mean and that are offered.
const MOST_PLACES: usize = 3;
/// Hexes of a path that a line may hold.
const PATH_MOST: usize = 14;
/// MP of a vedette and of a center, for reckoning how far it can go.
const RIDER_MP: i32 = 9;

/// ¶147 A march: who, where to, by what.
pub fn march(said: &Said<'_>) -> Mended {
    let named = said.who();
    let places = said.places();
    let several = said.choices_of_place();
    if places.is_empty() && !several.is_empty() && !named.is_empty() {
        let each = several.iter().take(MOST_PLACES).map(|hex| [(*hex, String::new())]);
        let choices =
            each.flat_map(|to| named.iter().flat_map(move |who| plain(said, who, &to, 0)).collect::<Vec<_>>());
        let lines = pick(said, choices.collect());
        return Mended { why: "more than one place begins so.".to_owned(), lines, ..Mended::default() };
    }
    let Some((to, _)) = places.last().cloned() else { return nowhere(said, &named) };
    let who: Vec<Who> = match (named.is_empty(), said.act()) {
        (false, _) => named,
        (true, _) if said.rides() => match said.vedettes_near(to).as_slice() {
            [only] => vec![Who::Vedette(*only)],
            _ => {
                let why = "which vedette?  The order is VEDETTE n MARCH ROAD TO place.".to_owned();
                return Mended { why, ..Mended::default() };
            }
        },
        (true, Some(_)) => nearest(said, to),
        (true, None) => return nowhere(said, &named),
    };
    let mut mended = Mended::default();
    if let [one] = who.as_slice() {
        mended = to_place(said, one, &places);
    } else {
        let choices = who.iter().flat_map(|who| plain(said, who, &places, 0)).collect();
        mended.lines = pick(said, choices);
        mended.why = "one order a force; several of yours are meant.".to_owned();
    }
    if mended.why.is_empty() {
        (mended.why, mended.rule) = why(said);
    }
    let (name, number) = (written(said.v, to), to.to_string());
    let there = |line: &String| line.contains(&name) || line.contains(&number);
    if mended.note.is_none() && mended.lines.first().is_some_and(there) {
        mended.note = who.first().and_then(|who| note(said, who, to));
    }
    mended
}

/// The force nearest to a place, where the line names none.
fn nearest(said: &Said<'_>, to: Hex) -> Vec<Who> {
    said.forces_near(to).into_iter().take(1).map(|(id, _)| Who::Leader(id)).collect()
}

fn to_place(said: &Said<'_>, who: &Who, places: &[(Hex, String)]) -> Mended {
    let v = said.v;
    let Some((to, _)) = places.last() else { return Mended::default() };
    let Some(from) = said.hex(who) else {
        let why = match who {
            Who::Vedette(n) => format!("v{n} is not on the map."),
            _ => "he is not on the map.".to_owned(),
        };
        return Mended { why, rule: "¶147".to_owned(), ..Mended::default() };
    };
    if from == *to {
        let lines = pick(said, vec![choice(said, format!("{} HOLD", head_of(v, who)), &["HOLD"], VERB)]);
        return Mended { why: format!("it stands at {} already.", written(v, from)), lines, ..Mended::default() };
    }
    if let Some(down) = down_between(said, from, *to).or_else(|| first_down(said, from, places)) {
        return by_bridge(said, who, from, *to, down);
    }
    let refused = matches!(said.fault, Fault::Refused { .. });
    if let Some(mended) = too_far(said, who, from, *to).filter(|_| refused) {
        return mended;
    }
    let choices = plain(said, who, places, 0);
    let first = choices.first().map(|c| c.line.clone()).unwrap_or_default();
    let mut mended = Mended { lines: pick(said, choices), ..Mended::default() };
    if mended.lines.is_empty() {
        if let Some(mended) = too_far(said, who, from, *to) {
            return mended;
        }
        if let Some(Fault::Refused { why, rule, .. }) = super::refusal(v, &first) {
            (mended.why, mended.rule) = (format!("{}.", why.trim_end_matches('.')), rule);
        }
        if said.tail.is_empty() {
            mended.lines = pick(said, shorter(said, who, from, *to));
        } else if let Some(fault) = super::refusal(v, &format!("{first} {}", said.tail)) {
            let told = Mended::from(&fault);
            (mended.why, mended.rule) = (told.why, told.rule);
        }
    }
    mended
}

/// The march itself, in the ways in which it may be ordered, the cheapest first.
fn plain(said: &Said<'_>, who: &Who, places: &[(Hex, String)], more: u32) -> Vec<Choice> {
    let v = said.v;
    let Some((to, _)) = places.last() else { return Vec::new() };
    let order = if ordered(said) { 0 } else { ORDER };
    let go: &[&str] = &["MARCH"];
    let mut ways: Vec<(String, u32)> = Vec::new();
    let pathlike = places.len() > 1 && !said.key("ROAD") && !said.means(Sense::From);
    if pathlike && let Some(path) = through(said, who, places) {
        ways.push((format!("MARCH {path}"), 0));
    }
    ways.push((format!("MARCH ROAD TO {}", written(v, *to)), if pathlike { PLACE } else { 0 }));
    if let Some(path) = through(said, who, &[(*to, String::new())]) {
        ways.push((format!("MARCH {path}"), PLACE + if pathlike { PLACE } else { 0 }));
    }
    let mut found = Vec::new();
    for (way, cost) in ways {
        for (mode, dear) in modes(said, who) {
            let line = format!("{} {mode} {way}", head_of(v, who)).replace("  ", " ");
            found.push(choice(said, line, go, cost + dear + order + more));
        }
    }
    found
}

/// Whether the piece, the verb and the place stand in the order in which an order has them.
pub fn ordered(said: &Said<'_>) -> bool {
    let at = |fits: &dyn Fn(&crate::orders::mend::hear::Token<Thing>) -> bool| said.tokens.iter().position(fits);
    let verb = at(&|t| t.key == Some("MARCH") || t.senses.iter().any(|s| s.acts()));
    let piece = at(&|t| t.things.iter().any(|t| matches!(t, Thing::Leader(_) | Thing::Vedette(_))));
    let mode = at(&|t| t.means(Sense::Mode));
    let late = |a: Option<usize>| matches!((a, verb), (Some(a), Some(verb)) if a > verb);
    !late(piece) && !late(mode)
}

/// ¶166, 191, 297 By what a force may move: the writer's own word first, then what costs nothing.
fn modes(said: &Said<'_>, who: &Who) -> Vec<(&'static str, u32)> {
    if !matches!(who, Who::Leader(_)) {
        return vec![("", 0)];
    }
    let free = if matches!(said.v.at, At::Reaction(_)) { "FORCED" } else { "INITIATIVE" };
    let own = said.tokens.iter().find_map(|t| t.key.filter(|key| MODES.contains(key)));
    match own {
        Some(own) if own == free => vec![(own, 0)],
        Some(own) => vec![(own, 0), (free, MODE)],
        None => vec![(free, 0)],
    }
}

/// Words for by what a force moves.
pub const MODES: [&str; 5] = ["INITIATIVE", "COMMAND", "FORCED", "FREE", "ADMINMARCH"];

/// ¶147 The hexes of a way from where a piece stands through some places: by road where one leads there.
fn through(said: &Said<'_>, who: &Who, places: &[(Hex, String)]) -> Option<String> {
    let sit = said.v.situation();
    let mut at = said.hex(who)?;
    let mut path = vec![at];
    for (to, _) in places {
        if *to == at {
            continue;
        }
        let legs = if at.adjacent(*to) { vec![at, *to] } else { leg(said, at, *to)? };
        sit.step(*legs.first()?, *legs.get(1)?, true)?;
        path.extend(legs.into_iter().skip(1));
        at = *to;
    }
    if path.len() > PATH_MOST {
        return None;
    }
    let hexes: Vec<String> = path.iter().map(ToString::to_string).collect();
    Some(hexes.join(" "))
}

/// The way between two hexes, by road where one leads there.
pub fn leg(said: &Said<'_>, from: Hex, to: Hex) -> Option<Vec<Hex>> {
    let sit = said.v.situation();
    let road = ways::roads(&sit, from, to).into_iter().next();
    road.or_else(|| ways::on_foot(&sit, from, to))
}

/// ¶214 The bridge that is down between a hex and one next to it.
fn down_between(said: &Said<'_>, from: Hex, to: Hex) -> Option<crate::hex::Hexside> {
    crate::hex::Hexside::between(from, to).filter(|edge| said.v.damaged.contains(edge))
}

/// ¶214 The first bridge on a path of hexes that is down, where the piece stands at it.
fn first_down(said: &Said<'_>, from: Hex, places: &[(Hex, String)]) -> Option<crate::hex::Hexside> {
    let next = places.iter().map(|(hex, _)| *hex).find(|hex| *hex != from)?;
    if from.adjacent(next) { down_between(said, from, next) } else { None }
}

/// ¶214, 254 A bridge on the way is down: it can be repaired, or the march goes round it.
fn by_bridge(said: &Said<'_>, who: &Who, from: Hex, to: Hex, down: crate::hex::Hexside) -> Mended {
    let v = said.v;
    let (a, b) = down.hexes();
    let (a, b) = if b == from { (b, a) } else { (a, b) };
    let mut lines = Vec::new();
    if let Who::Leader(_) = who {
        for (mode, _) in modes(said, who).into_iter().rev() {
            let line = format!("{} {mode} BRIDGE REPAIR {a}/{b}", head_of(v, who));
            lines = pick(said, vec![Choice { line, cost: VERB }]);
            if !lines.is_empty() {
                break;
            }
        }
    }
    let by_road = said.key("ROAD");
    let round = ways::roads(&v.situation(), from, to).into_iter().next();
    let mut why = format!("bridge {a}/{b} is damaged.");
    if let Some(way) = round.filter(|_| by_road) {
        let sit = v.situation();
        let steps = way.windows(2).filter_map(|pair| Some(sit.step(*pair.first()?, *pair.last()?, true)?.foot));
        let mp = steps.fold(Halves(0), |sum, step| sum + step);
        why = format!(
            "{} is {} hex away, but {mp} MP by road: bridge {a}/{b} is damaged.",
            written(v, to),
            from.distance(to)
        );
        let anyway = format!("{} INITIATIVE MARCH ROAD TO {} ANYWAY", head_of(v, who), written(v, to));
        lines.extend(pick(said, vec![Choice { line: anyway, cost: VERB }]));
    }
    let note = (!lines.is_empty()).then(|| "It can be repaired instead of marching.".to_owned());
    Mended { why, rule: "¶214".to_owned(), lines, note, same: false }
}

/// ¶193, 202 A place that no roll of this turn reaches: the last named place on the way instead.
fn too_far(said: &Said<'_>, who: &Who, from: Hex, to: Hex) -> Option<Mended> {
    let v = said.v;
    let way = leg(said, from, to)?;
    let most = allowance(said, who);
    let sit = v.situation();
    let (mut spent, mut last, mut named) = (Halves(0), from, None);
    for pair in way.windows(2) {
        let (Some(a), Some(b)) = (pair.first(), pair.last()) else { continue };
        spent = spent + sit.step(*a, *b, true)?.foot;
        if spent > most {
            break;
        }
        last = *b;
        if v.board.map.name(*b).is_some() {
            named = Some(*b);
        }
    }
    if last == to {
        return None;
    }
    let stop = named.unwrap_or(last);
    let choices = plain(said, who, &[(stop, String::new())], PLACE);
    let lines = pick(said, choices);
    let name = v.board.map.name(to).map(|name| format!("{} ", short_name(name))).unwrap_or_default();
    let why = format!("{name}{to} is out of reach this turn: {most} MP end at {last} at the latest.");
    let note = (!lines.is_empty()).then(|| "That is the last place on the way.".to_owned());
    (!lines.is_empty()).then_some(Mended { why, rule: "¶193".to_owned(), lines, note, same: false })
}

fn allowance(said: &Said<'_>, who: &Who) -> Halves {
    match who {
        Who::Leader(id) => Column::of(&said.v.board, &said.v.own, &said.v.own.force(id)).allowance(),
        Who::Vedette(_) | Who::Center => Halves::whole(RIDER_MP),
    }
}

/// Places short of one that cannot be had, the last on the way first.
fn shorter(said: &Said<'_>, who: &Who, from: Hex, to: Hex) -> Vec<Choice> {
    let way = leg(said, from, to).unwrap_or_default();
    let stops = way.iter().rev().skip(1).filter(|hex| **hex != from).take(4);
    let lines = stops.zip(0..).flat_map(|(hex, far)| plain(said, who, &[(*hex, String::new())], PLACE + far));
    lines.collect()
}

/// No place is named: the nearest along the roads.
fn nowhere(said: &Said<'_>, named: &[Who]) -> Mended {
    let v = said.v;
    if let Some(Thing::Off) = said.tokens.iter().flat_map(|t| &t.things).find(|t| matches!(t, Thing::Off)) {
        let word = said.tokens.iter().find(|t| t.things.contains(&Thing::Off)).map_or("", |t| t.text.as_str());
        let why = format!("{} is not on the map.", crate::text::quoted(word));
        return Mended { why, rule: "¶10".to_owned(), ..Mended::default() };
    }
    if let Some(name) = said.stranger() {
        let why = format!("{} is no place of the map; name a place or a hex.", crate::text::quoted(&name));
        return Mended { why, note: Some(super::SHAPE.to_owned()), ..Mended::default() };
    }
    let what = said.tokens.iter().find(|t| t.odd()).map(|t| crate::text::quoted(&t.text).into_owned());
    let why = match (&what, named.is_empty()) {
        (Some(word), false) => format!("no place of the map is called \"{word}\"."),
        (None, false) => "where to?".to_owned(),
        (_, true) => "which force, and where to?".to_owned(),
    };
    if what.is_some() {
        return Mended { why, note: Some(super::SHAPE.to_owned()), ..Mended::default() };
    }
    let mut choices = Vec::new();
    for who in named.iter().take(3) {
        let Some(from) = said.hex(who) else { continue };
        let mut near: Vec<Hex> = v.board.map.places.keys().copied().filter(|hex| *hex != from).collect();
        near.sort_by_key(|hex| (hex.distance(from), *hex));
        let free = |hex: &Hex| v.tags_at(*hex).is_empty();
        for to in near.into_iter().filter(free).take(3) {
            choices.extend(plain(said, who, &[(to, String::new())], PLACE));
        }
    }
    let note = named.is_empty().then(|| super::SHAPE.to_owned());
    Mended { why, lines: pick(said, choices), note, ..Mended::default() }
}

/// R8: somebody is to stay.
pub fn hold(said: &Said<'_>) -> Mended {
    let v = said.v;
    let who = said.who();
    let away = said.places().last().filter(|(to, _)| who.first().is_some_and(|w| said.hex(w) != Some(*to))).is_some();
    if away && (said.means(Sense::To) || said.head().is_none()) && !said.means(Sense::Not) {
        let mended = march(said);
        if !mended.lines.is_empty() {
            return mended;
        }
    }
    if matches!(&v.at, At::Designate(side) | At::Round(side, _) if *side == v.side_id()) {
        return super::fight::decline(said);
    }
    if who.is_empty() {
        let lines = pick(said, vec![choice(said, "FORCE ALL HOLD".to_owned(), &["HOLD", "ALL", "FORCE"], 0)]);
        return Mended { why: "which force?  FORCE ALL HOLD is for every one.".to_owned(), lines, ..Mended::default() };
    }
    let choices = who.iter().map(|w| choice(said, format!("{} HOLD", head_of(v, w)), &["HOLD"], 0)).collect();
    let lines = pick(said, choices);
    let why = if lines.len() > 1 {
        format!("{} of yours fit.", crate::text::number(u32::try_from(lines.len()).unwrap_or(0)))
    } else if let [Who::Vedette(_)] = who.as_slice() {
        "a vedette without orders stays; nothing needs to be written.".to_owned()
    } else {
        why(said).0
    };
    let why = if why.starts_with("a march is") || why.contains("before MARCH") {
        "to stay is FORCE name HOLD.".to_owned()
    } else {
        why
    };
    Mended { why, lines, ..Mended::default() }
}

/// Somebody is to fall back.
pub fn back(said: &Said<'_>) -> Mended {
    let who = said.who();
    let rule = "forces retreat after combat only; before it, they march.";
    if !said.places().is_empty() && !who.is_empty() {
        let mended = march(said);
        return Mended { why: rule.to_owned(), note: mended.note, ..mended };
    }
    let Some(home) = said.v.own.army.center.or(said.v.own.army.source) else { return Mended::default() };
    let home = [(home, String::new())];
    if !who.is_empty() {
        let choices = who.iter().flat_map(|w| plain(said, w, &home, PLACE)).collect();
        return Mended { why: format!("{rule}  Where to?"), lines: pick(said, choices), ..Mended::default() };
    }
    let mut lines = Vec::new();
    let foot = |id: &LeaderId| said.v.own.sp_of(&said.v.board, id, Arm::Infantry) > 0;
    let mut facing: Vec<(u32, LeaderId)> = said
        .v
        .own
        .on_map()
        .filter(|(id, _)| foot(id))
        .map(|(id, hex)| (said.v.enemy.values().map(|c| c.hex.distance(hex)).min().unwrap_or(u32::MAX), id.clone()))
        .collect();
    facing.sort();
    if let [(_, first), (_, second), ..] = facing.as_slice() {
        let stay = format!("{} HOLD", head_of(said.v, &Who::Leader(first.clone())));
        lines.extend(pick(said, vec![Choice { line: stay, cost: VERB }]));
        lines.extend(pick(said, plain(said, &Who::Leader(second.clone()), &home, 0)).into_iter().take(1));
    }
    let example = if lines.is_empty() { "" } else { "  For example, back toward your center:" };
    Mended { why: format!("which force, and where to?{example}"), lines, ..Mended::default() }
}

/// ¶230 Somebody is to see what is there.
pub fn look(said: &Said<'_>) -> Mended {
    let places = said.places();
    let named: Vec<Who> = said.who();
    let Some((to, _)) = places.last() else {
        return if named.is_empty() {
            Mended { why: "which vedette, and where to?".to_owned(), ..Mended::default() }
        } else {
            nowhere(said, &named)
        };
    };
    let forced = matches!(named.first(), Some(Who::Leader(_)));
    let riders: Vec<u32> = match named.first() {
        Some(Who::Vedette(n)) => vec![*n],
        _ => said.vedettes_near(*to).into_iter().take(1).collect(),
    };
    let who: Vec<Who> = if forced { named.clone() } else { riders.iter().map(|n| Who::Vedette(*n)).collect() };
    let mut lines = Vec::new();
    for who in &who {
        let Some(from) = said.hex(who) else { continue };
        let goal = beside(said, from, *to);
        lines = pick(said, plain(said, who, &[(goal, String::new())], 0));
        if lines.is_empty() {
            lines = pick(said, shorter(said, who, from, *to));
        }
    }
    let why = match who.first() {
        Some(Who::Vedette(n)) if named.is_empty() => match said.hex(&Who::Vedette(*n)) {
            Some(hex) => format!("vedettes scout.  The nearest is v{n} at {hex}."),
            None => "vedettes scout.".to_owned(),
        },
        Some(Who::Vedette(n)) => format!("a vedette scouts by its march: VEDETTE {n} MARCH ROAD TO place."),
        Some(_) => "forces march; vedettes scout.".to_owned(),
        None => "vedettes scout, and you have none on the map.".to_owned(),
    };
    Mended { why, lines, ..Mended::default() }
}

/// The last hex before one in which the enemy stands; the hex itself where nobody does.
pub fn beside(said: &Said<'_>, from: Hex, to: Hex) -> Hex {
    let taken = said.v.enemy.values().any(|c| c.hex == to) || said.act() == Some(Act::Attack);
    if !taken {
        return to;
    }
    leg(said, from, to).and_then(|way| way.iter().rev().nth(1).copied()).filter(|hex| *hex != from).unwrap_or(to)
}

/// ¶24, 135 Whether a vedette stands on the map.
pub fn on_map(said: &Said<'_>, n: u32) -> bool {
    matches!(said.v.own.vedettes.get(&n), Some(Vedette::At(_)))
}

/// A march to a hex, for another chapter's suggestion.
pub fn toward(said: &Said<'_>, who: &Who, to: Hex) -> Vec<String> {
    pick(said, plain(said, who, &[(to, String::new())], 0))
}

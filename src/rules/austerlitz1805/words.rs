//! Words of this game's orders: units, places, distances, headings, formations.

use super::board::{UnitId, UnitSpec};
use super::moves::contact::Side;
use super::table::{Face, Formation, Table};
use super::view::View;
use crate::fog::SideId;
use crate::orders::{Args, Fault, Line, fold};
use crate::plane::{Heading, Spot};
use std::collections::BTreeMap;

/// Whether a word begins a continuation line: a clause that cannot begin an order.
pub fn continues(word: &str) -> bool {
    const CLAUSES: [&str; 6] = ["TOWARD", "AT", "AND", "FACE", "WITH", "AFTER"];
    CLAUSES.contains(&word.to_ascii_uppercase().as_str())
}

/// Whether a line that begins with FACE names a unit: an order of its own, for behind the clause stands a way.
pub fn own_order(v: &View, line: &Line) -> bool {
    let mut args = Args::new(line, 0);
    let way = |text: &str| Heading::parse(text).is_some() || text.starts_with('>');
    args.key("FACE")
        && args.peek().is_some_and(|word| !way(&word.text))
        && (args.clone().key("CORPS")
            || own(v, &mut args.clone()).is_ok()
            || off_field(v, &mut args.clone(), true).is_some())
}

/// A unit of the viewer's own side on the field.
///
/// # Errors
/// Unclear, with the nearest name.
pub fn own(v: &View, args: &mut Args<'_>) -> Result<UnitId, Fault> {
    let me = v.me();
    if let Some(unit) = labelled(v, args, |side| *side == me) {
        return Ok(unit);
    }
    on_field(v, args, true, ("one of your units on the field", &|side| *side == me))
}

/// The unit on the field of which the next word is the label; its name may stand behind, as in the tables of the mails.
fn labelled(v: &View, args: &mut Args<'_>, of: impl Fn(&SideId) -> bool) -> Option<UnitId> {
    let said = &args.peek()?.fold;
    let stands = |id: &&UnitId| v.table.unit(id).is_some_and(|u| of(&u.side));
    let unit = v.table.board.labelled(said).iter().find(stands)?.clone();
    args.next_word();
    let name = |name: String| (name, unit.clone());
    let _ = args.whole_name(&[name(unit.0.clone()), name(shortened(&unit.0))]);
    Some(unit)
}

/// One unit or more of the viewer's own, one behind the other by their labels: `4F 4G`.
///
/// # Errors
/// As for one.
pub fn own_several(v: &View, args: &mut Args<'_>) -> Result<Vec<UnitId>, Fault> {
    let me = v.me();
    let mut found = vec![own(v, args)?];
    loop {
        if args.key("AND") || args.key("+") {
            found.push(own(v, args)?);
        } else if let Some(next) = labelled(v, args, |side| *side == me) {
            found.push(next);
        } else {
            return Ok(found);
        }
    }
}

/// The units of a corps of the viewer's own that stand for themselves on the field, in the order of their labels.
///
/// # Errors
/// Unclear, with the nearest name.
pub fn corps(v: &View, args: &mut Args<'_>) -> Result<Vec<UnitId>, Fault> {
    let me = v.me();
    let of = |id: &UnitId| v.table.spec(id).map_or("", |spec| spec.corps.as_str());
    let mut names: Vec<(String, String)> =
        v.table.of_side(&me).map(|(id, _)| (of(id).to_owned(), of(id).to_owned())).collect();
    names.dedup();
    let corps = args.name("a corps of yours on the field", &names)?;
    let mut units: Vec<UnitId> = v.table.of_side(&me).map(|(id, _)| id).filter(|id| of(id) == corps).cloned().collect();
    units.sort_by(|a, b| v.table.label(a).cmp(v.table.label(b)));
    Ok(units)
}

/// The unit on the field that the next words name. The longest name wins, also that of a unit which is not there:
/// `Cossacks II` never means `Cossacks I`, of which it has the beginning.
fn on_field(
    v: &View,
    args: &mut Args<'_>,
    mine: bool,
    (expected, of): (&str, &dyn Fn(&SideId) -> bool),
) -> Result<UnitId, Fault> {
    let mut behind = args.clone();
    match behind.whole_name(names(v, mine)) {
        Some(unit) if v.table.units.contains_key(&unit) => {
            *args = behind;
            return Ok(unit);
        }
        // A unit of which he does not know is a word like any other.
        Some(unit) if !told_of(v, &unit) => {}
        Some(_) => {
            if let Some(fault) = off_field(v, args, mine) {
                return Err(fault);
            }
        }
        None => not_a_corps(v, args, Some(mine))?,
    }
    let on = v.table.units.iter().filter(|(_, u)| of(&u.side));
    let on: Vec<(String, UnitId)> = on.map(|(id, _)| (id.0.clone(), id.clone())).collect();
    args.name(expected, &on).map_err(|fault| off_field(v, args, mine).unwrap_or(fault))
}

/// 16.1 Whether the viewer may know that there is such a unit: his own, one that lies open or lay open, and each where no
/// game begins in fog. Of another no answer tells, neither its name nor its corps.
pub fn told_of(v: &View, unit: &UnitId) -> bool {
    let t = &v.table;
    let open = || t.units.contains_key(unit) || t.lost.contains(unit) || t.away.contains_key(unit);
    t.board.flow.is_none() || v.side.as_ref().is_none_or(|me| t.side(unit) == *me) || open()
}

/// All that the units of one side are called, on the field or off it.
pub fn names(v: &View, mine: bool) -> &[(String, UnitId)] {
    if v.side.is_none() {
        return if mine { &[] } else { all_names(v) };
    }
    let by = v.table.board.called_by.get_or_init(|| {
        let mut by: BTreeMap<SideId, Vec<(String, UnitId)>> = BTreeMap::new();
        for (name, id) in all_names(v) {
            by.entry(v.table.side(id)).or_default().push((name.clone(), id.clone()));
        }
        by
    });
    let side = if mine { v.me() } else { v.table.board.enemy(&v.me()) };
    by.get(&side).map(Vec::as_slice).unwrap_or_default()
}

/// All that the units of both sides are called: their names, their labels where they have one, and their names as tables
/// print them where no other counter's of the side is cut to the same.
pub fn all_names(v: &View) -> &[(String, UnitId)] {
    let units = &v.table.board.units;
    v.table.board.called.get_or_init(|| {
        // Of each side alone: what the other side has in its chits changes no name.
        let mut cuts: BTreeMap<(&SideId, (&str, &str)), u32> = BTreeMap::new();
        units.values().for_each(|unit| *cuts.entry((&unit.side, cut(&unit.id.0))).or_default() += 1);
        let alone = |unit: &UnitSpec| cuts.get(&(&unit.side, cut(&unit.id.0))) == Some(&1);
        units.values().flat_map(|unit| called(unit, alone(unit))).collect()
    })
}

/// What a unit is called, `alone` where no other is cut to the same.
fn called(unit: &UnitSpec, alone: bool) -> Vec<(String, UnitId)> {
    let id = &unit.id;
    let short = Some(shortened(&id.0)).filter(|short| alone && *short != id.0);
    let names = [id.0.clone(), unit.label.clone(), short.unwrap_or_default()];
    names.into_iter().filter(|name| !name.is_empty()).map(|name| (name, id.clone())).collect()
}

/// A name as tables print it, of at most so many characters; its number stays.
pub fn shortened(name: &str) -> String {
    let (base, number) = cut(name);
    format!("{base}{number}")
}

/// The two parts of a name as tables print it: what is left of it, and its number.
fn cut(name: &str) -> (&str, &str) {
    let (base, number) = name.split_at(name.rfind('/').unwrap_or(name.len()));
    let room = NAME.saturating_sub(number.chars().count());
    let end = base.char_indices().nth(room).map_or(base.len(), |(at, _)| at);
    (base.get(..end).unwrap_or(base), number)
}

/// Characters of a unit's name in a table.
pub const NAME: usize = 12;

/// The name of a corps is never the beginning of a unit's: `Guard` is not `Guard Hussars`. Whose corps counts is `mine`.
///
/// # Errors
/// Refused where the next word is the name of a corps.
pub fn not_a_corps(v: &View, args: &Args<'_>, mine: Option<bool>) -> Result<(), Fault> {
    let me = v.me();
    let Some(word) = args.peek() else { return Ok(()) };
    let of = |u: &&UnitSpec| mine.is_none_or(|mine| (u.side == me) == mine) && told_of(v, &u.id);
    let corps = v.table.board.units.values().filter(of).find(|u| fold(&u.corps) == word.fold);
    corps.map_or(Ok(()), |unit| {
        Err(Fault::refused(format!("{} is a corps; a unit goes by its whole name", unit.corps), ""))
    })
}

/// Why a unit that the next words name is not on the field, from the viewer's own paper.
fn off_field(v: &View, args: &mut Args<'_>, mine: bool) -> Option<Fault> {
    let off = |(_, unit): &(String, UnitId)| !v.table.units.contains_key(unit) && told_of(v, unit);
    let names: Vec<(String, UnitId)> = names(v, mine).iter().filter(|name| off(name)).cloned().collect();
    let unit = args.name("a unit", &names).ok()?;
    let holds = |b: &&super::mist::Boxed| b.units.contains(&unit);
    let boxed = v.own.boxes.iter().find(|(_, b)| mine && holds(b));
    let (why, rule) = if v.table.lost.contains(&unit) {
        ("is out of the game".to_owned(), "12.3")
    } else if let Some(due) = v.table.away.get(&unit) {
        (format!("has left the map and comes back on turn {due}"), "19.2")
    } else if let Some((number, _)) = boxed {
        (format!("is in your chit {number}; MARCH {number} moves it, DEPLOY {number} turns it over"), "16.4.2")
    } else if mine {
        ("is on your strategic map; a CHIT brings it onto the field".to_owned(), "16.4.1")
    } else {
        // Whether he is in a chit or on a map nobody else knows.
        ("is not on the field as far as you see".to_owned(), "16.4")
    };
    Some(Fault::refused(format!("{unit} {why}"), rule))
}

/// A unit of the other side on the field.
///
/// # Errors
/// Unclear, with the nearest name.
pub fn foe(v: &View, args: &mut Args<'_>) -> Result<UnitId, Fault> {
    let me = v.me();
    if let Some(unit) = labelled(v, args, |side| *side != me) {
        return Ok(unit);
    }
    on_field(v, args, false, ("an enemy unit on the field", &|side| *side != me))
}

/// Several of the viewer's units, joined by AND or +.
///
/// # Errors
/// As for one.
pub fn own_list(v: &View, args: &mut Args<'_>) -> Result<Vec<UnitId>, Fault> {
    let mut found = vec![own(v, args)?];
    while args.key("AND") || args.key("+") {
        found.push(own(v, args)?);
    }
    Ok(found)
}

/// A distance in UM: `2`, `2UM`, `0.5 UM`, to thousandths.
///
/// # Errors
/// Unclear, if the next word is none.
pub fn distance(args: &mut Args<'_>) -> Result<i32, Fault> {
    let said = args.peek().map_or(String::new(), |w| w.text.to_ascii_uppercase());
    let Some(units) = parse_um(said.strip_suffix("UM").unwrap_or(&said)) else {
        return Err(args.fault("a distance such as 2UM or 0.5UM", []));
    };
    args.next_word();
    args.key("UM");
    Ok(units)
}

/// Whether the next word is a distance.
pub fn at_distance(args: &Args<'_>) -> bool {
    let said = args.peek().map_or(String::new(), |w| w.text.to_ascii_uppercase());
    parse_um(said.strip_suffix("UM").unwrap_or(&said)).is_some()
}

fn parse_um(text: &str) -> Option<i32> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || whole.len() > 2 || part.len() > 3 || !digits(whole) || !digits(part) {
        return None;
    }
    let thousandths = format!("{part:0<3}");
    Some(whole.parse::<i32>().ok()? * 1000 + thousandths.parse::<i32>().ok()?)
}

/// A place: a name, a name with steps (`Pratzen+300N`), or `x,y`.
///
/// # Errors
/// Unclear, with the nearest name; refused off the map.
pub fn place(v: &View, args: &mut Args<'_>) -> Result<Spot, Fault> {
    if let Some(at) = in_um(args) {
        return on_map(v, at);
    }
    if args.peek().is_some_and(|w| w.text.bytes().all(|b| b.is_ascii_digit())) {
        let x = args.number("the place's distance from the western edge, in thousandths of a UM")?;
        let y = args.number("the place's distance from the southern edge, in thousandths of a UM")?;
        return on_map(v, Spot::new(x, y));
    }
    let stepped =
        args.peek().and_then(|w| w.text.split_once(['+', '-']).map(|(name, _)| (w.text.clone(), name.to_owned())));
    if let Some((whole, name)) = stepped {
        let line = crate::orders::line(0, &name);
        let at = named(v, &mut Args::new(&line, 0))?;
        let rest = whole.get(name.len()..).unwrap_or("");
        let Some(at) = steps(at, &rest.replace('-', "+")) else {
            return Err(args.fault("a place such as Pratzen+300N+200W", []));
        };
        if rest.contains('-') {
            // A hyphen to one writer and a minus to another: 500 to the south, or to the north.
            let why = format!("the - of {whole} may go either way; with + it goes where the letter says");
            return Err(Fault::refused(why, ""));
        }
        args.next_word();
        return on_map(v, at);
    }
    named(v, args)
}

/// A place as reports print it, in UM from the western and southern edges: `12.95,22.15`.
fn in_um(args: &mut Args<'_>) -> Option<Spot> {
    let both = args.ahead(2)?;
    let (x, y) = both.split_once(' ')?;
    let at = Spot::new(parse_um(x).filter(|_| x.contains('.'))?, parse_um(y).filter(|_| y.contains('.'))?);
    args.next_word();
    args.next_word();
    Some(at)
}

fn named(v: &View, args: &mut Args<'_>) -> Result<Spot, Fault> {
    if let Some(unit) = labelled(v, args, |_| true).and_then(|id| v.table.unit(&id)) {
        return Ok(unit.pose.at);
    }
    // Nearly every line names what there is; the whole list is made only for one that does not.
    if let Some(at) = args.whole_name(&places(v, |name| args.may_begin(name))) {
        return Ok(at);
    }
    not_a_corps(v, args, None)?;
    args.name("a place on the map or a unit", &places(v, |_| true))
}

/// Where places and units of some names are.
fn places(v: &View, fits: impl Fn(&str) -> bool) -> Vec<(String, Spot)> {
    let places = v.table.board.places.iter().map(|p| (p.name.as_str(), p.at));
    let units = v.table.units.iter().map(|(id, u)| (id.0.as_str(), u.pose.at));
    let mut names: Vec<(String, Spot)> =
        places.chain(units).filter(|(name, _)| fits(name)).map(|(name, at)| (name.to_owned(), at)).collect();
    let others = all_names(v).iter().filter(|(name, id)| *name != id.0 && fits(name));
    names.extend(others.filter_map(|(name, id)| Some((name.clone(), v.table.unit(id)?.pose.at))));
    names
}

fn on_map(v: &View, at: Spot) -> Result<Spot, Fault> {
    let ground = &v.table.board.ground;
    if at.x < 0 || at.y < 0 || at.x > ground.width || at.y > ground.height {
        let near = Spot::new(at.x.clamp(0, ground.width), at.y.clamp(0, ground.height));
        let (width, height) = (ground.width, ground.height);
        let why = format!("{at} is off the map, which ends at {width},{height}; the nearest place on it is {near}");
        return Err(Fault::refused(why, "3.1"));
    }
    Ok(at)
}

/// Steps from a place: `+300N+200W`.
fn steps(from: Spot, text: &str) -> Option<Spot> {
    let (mut x, mut y) = (from.x, from.y);
    let mut rest = text;
    while !rest.is_empty() {
        let body = rest.get(1..)?;
        let end = body.find(|c: char| !c.is_ascii_digit())?;
        let n = body.get(..end)?.parse::<i32>().ok()?;
        match body.get(end..=end)?.to_ascii_uppercase().as_str() {
            "N" => y = y.checked_add(n)?,
            "S" => y = y.checked_sub(n)?,
            "E" => x = x.checked_add(n)?,
            "W" => x = x.checked_sub(n)?,
            _ => return None,
        }
        rest = body.get(end + 1..)?;
    }
    Some(Spot::new(x, y))
}

/// A wind such as `NE` in the place of a place; with degrees too where BEARING was said.
pub fn bearing(args: &mut Args<'_>, said: bool) -> Option<Heading> {
    let text = args.peek().map_or("", |w| w.text.as_str());
    let wind = said || text.chars().all(|c| c.is_ascii_alphabetic());
    let heading = Heading::parse(text).filter(|_| wind && !text.is_empty())?;
    args.next_word();
    Some(heading)
}

/// A way to face: degrees, a wind, or `>` and a place or unit.
///
/// # Errors
/// Unclear, if the next word is none.
pub fn heading(v: &View, args: &mut Args<'_>, of: &UnitId) -> Result<Heading, Fault> {
    let said = args.peek().map_or(String::new(), |w| w.text.clone());
    if let Some(goal) = said.strip_prefix('>') {
        let line = crate::orders::line(0, goal);
        let at = place(v, &mut Args::new(&line, 0))?;
        args.next_word();
        let way = Heading::between(v.table.centre(of), at.fine());
        return way.ok_or_else(|| Fault::refused(format!("{of} stands there"), "5.1"));
    }
    match Heading::parse(&said) {
        Some(heading) => {
            args.next_word();
            Ok(heading)
        }
        None => Err(args.fault("a way to face, such as NE, 045 or >Pratzen", [])),
    }
}

/// Where an attack is to strike, as the attacker sees it.
///
/// # Errors
/// Unclear, with the nearest word.
pub fn side(args: &mut Args<'_>) -> Result<Side, Fault> {
    const WORDS: [&str; 6] = ["LEFT", "RIGHT", "CENTRE", "FRONT", "FLANK", "REAR"];
    Ok(match args.one_of("LEFT, RIGHT, CENTRE, FRONT, FLANK or REAR", &WORDS)? {
        "LEFT" => Side::Left,
        "RIGHT" => Side::Right,
        "CENTRE" => Side::Centre,
        "FRONT" => Side::On(Face::Front),
        "FLANK" => Side::On(Face::Flank),
        _ => Side::On(Face::Rear),
    })
}

/// A formation.
///
/// # Errors
/// Unclear, with the nearest word.
pub fn formation(args: &mut Args<'_>) -> Result<Formation, Fault> {
    const WORDS: [&str; 7] = ["LINE", "COLUMN", "SQUARE", "LIMBER", "UNLIMBER", "LIMBERED", "UNLIMBERED"];
    let word = args.one_of("LINE, COLUMN, SQUARE, LIMBER or UNLIMBER", &WORDS)?;
    Ok(match word {
        "LINE" => Formation::Line,
        "COLUMN" => Formation::Column,
        "SQUARE" => Formation::Square,
        "LIMBER" | "LIMBERED" => Formation::Limbered,
        _ => Formation::Unlimbered,
    })
}

/// The way from a unit to its nearest enemy, or its own front.
pub fn toward_enemy(t: &Table, id: &UnitId) -> Heading {
    let enemy = t.nearest_enemy(id);
    let way = enemy.and_then(|e| Heading::between(t.centre(id), t.centre(&e)));
    way.or(t.unit(id).map(|u| u.pose.facing)).unwrap_or(Heading::NORTH)
}

//! What a stage mail says of the field: the score, own units and the enemy in few lines, and what has changed since the
//! reader's last letter. Nothing here depends on more than the two views.

use super::pen::{labels, middle, side, spot};
use super::units::signs;
use crate::fog::SideId;
use crate::plane::Spot;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::mist::ChitId;
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::strategic::waiting;
use crate::rules::austerlitz1805::table::{Formation, Mark, Unit};
use crate::rules::austerlitz1805::victory::points;
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::words::{NAME, shortened};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};

/// So many units stand in rows whatever has become of them; of more, those that have changed or are near the enemy.
const FEW: usize = 24;
/// Of more rows than so many the labels stand without the names.
const NAMED: usize = 12;
/// Two units are near each other up to here, from middle to middle, in units.
const NEAR: i64 = 2000;
/// Characters of one cell of two a line.
const CELL: usize = 38;

/// 17.1.1 How the game stands, in one line.
pub fn score(v: &View, narrow: bool) -> String {
    let Some(me) = v.side.as_ref().filter(|_| v.at != At::Over) else { return String::new() };
    let t = &v.table;
    let enemy = t.board.enemy(me);
    let tie = if t.board.side(me).is_some_and(|s| s.wins_ties) { "yours" } else { "theirs" };
    let (mine, theirs) = (points(t, me), points(t, &enemy));
    let ties = if narrow { format!("ties {tie}") } else { format!("a tie after turn {} is {tie}", t.board.turns.1) };
    format!("you {mine}, {} {theirs}; {ties}", side(t, &enemy))
}

/// What of a unit is worth a row when it changes.
fn looks(v: &View, id: &UnitId, unit: &Unit) -> impl PartialEq + use<> {
    let marks = [Mark::Rage, Mark::Crewless, Mark::Empty1, Mark::Empty2].map(|mark| unit.has(mark));
    (unit.pose, unit.form, unit.mood, unit.steps, marks, v.table.combat_of(id).is_some())
}

/// Units that stand for themselves otherwise than the last letter showed.
fn moved<'v>(v: &'v View, before: Option<&View>, of: impl Fn(&SideId) -> bool) -> BTreeSet<&'v UnitId> {
    let same = |id: &UnitId, unit: &Unit| {
        let old = before.and_then(|b| Some((b, b.table.unit(id).filter(|u| u.with.is_none())?)));
        old.is_some_and(|(b, old)| looks(b, id, old) == looks(v, id, unit))
    };
    v.table.standing().filter(|(id, unit)| of(&unit.side) && !same(id, unit)).map(|(id, _)| id).collect()
}

/// Units in contact with the other side or within 2 UM of it.
fn near(v: &View, of: impl Fn(&SideId) -> bool) -> BTreeSet<&UnitId> {
    let close = |a: Spot, b: Spot| {
        let (dx, dy) = (i64::from(a.x - b.x), i64::from(a.y - b.y));
        dx * dx + dy * dy <= NEAR * NEAR
    };
    let enemies = |unit: &Unit| {
        let side = unit.side.clone();
        let units = v.table.standing().filter(move |(_, e)| e.side != side).map(|(_, e)| e.pose.at);
        let side = unit.side.clone();
        units.chain(v.table.mist.chits.values().filter(move |c| c.side != side).map(|c| c.at))
    };
    let here = |(id, unit): &(&UnitId, &Unit)| {
        of(&unit.side) && (v.table.combat_of(id).is_some() || enemies(unit).any(|at| close(unit.pose.at, at)))
    };
    v.table.standing().filter(here).map(|(id, _)| id).collect()
}

/// Own units in few lines, and what stands beside their heading.
pub fn own(v: &View, before: Option<&View>, narrow: bool) -> (String, Vec<String>) {
    let me = v.me();
    let of = |side: &SideId| *side == me;
    let (mut lines, same) = standing(v, before, narrow, &of);
    lines.extend(leaders(v, &me, before, narrow));
    lines.extend(chits(v, before, narrow, true));
    lines.extend(corps(v, narrow));
    lines.extend(super::units::plans(&v.own, width(narrow) - 2).into_iter().map(|line| format!("  {line}")));
    (titled(count(v, &of), same), lines)
}

/// The enemy in few lines, and what stands beside the heading.
pub fn foe(v: &View, before: Option<&View>, narrow: bool) -> (String, Vec<String>) {
    let me = v.me();
    let of = |side: &SideId| *side != me;
    let (mut lines, same) = standing(v, before, narrow, &of);
    lines.extend(chits(v, before, narrow, false));
    (titled(count(v, &of), same), lines)
}

/// What stands beside a heading: how many there are, and of many that stand as the last letter had them their number.
fn titled(count: String, same: usize) -> String {
    if same == 0 { count } else { format!("{count}; {same} as they were") }
}

/// Chits in cells, own or the enemy's: those that the last letter did not show so, and the names of the others.
fn chits(v: &View, before: Option<&View>, narrow: bool, mine: bool) -> Vec<String> {
    let cells = |before| if mine { own_chits(v, before) } else { enemy_chits(v, before) };
    let new = cells(before);
    let mut lines = packed(&new, narrow);
    let same: Vec<String> = cells(None).into_iter().filter(|cell| !new.contains(cell)).collect();
    if !same.is_empty() {
        let names: Vec<&str> = same.iter().filter_map(|cell| cell.split(' ').next()).collect();
        lines.extend(as_they_were(names.len(), &names.join(" "), narrow));
    }
    lines
}

/// Those that stand as the last letter had them: few by name, of more their number.
fn as_they_were(count: usize, names: &str, narrow: bool) -> Vec<String> {
    if count > NAMED {
        return vec![format!("  the other {count} as they were")];
    }
    text::wrap(&format!("as they were: {names}"), width(narrow), "  ", 4)
}

/// What stands otherwise than the reader's last letter showed, own and enemy.
pub fn changed(v: &View, before: &View, narrow: bool) -> Vec<String> {
    let me = v.me();
    let mut lines = Vec::new();
    for mine in [true, false] {
        let of = |side: &SideId| (*side == me) == mine;
        let units = told(v, before, moved(v, Some(before), of), narrow, of);
        lines.extend(rows(v, &units, narrow));
        let cells = if mine { own_chits(v, Some(before)) } else { enemy_chits(v, Some(before)) };
        lines.extend(packed(&cells, narrow));
    }
    lines
}

fn width(narrow: bool) -> usize {
    if narrow { text::WIDTH_PHONE } else { text::WIDTH }
}

/// Of units that have changed those that stand in rows: all of few, of many those near the enemy and one's own that have come
/// onto the field, on a phone those near the enemy. The events name the others, and UNITS has all.
fn told<'v>(
    v: &'v View,
    before: &View,
    mut moved: BTreeSet<&'v UnitId>,
    narrow: bool,
    of: impl Fn(&SideId) -> bool,
) -> BTreeSet<&'v UnitId> {
    if narrow || moved.len() > NAMED {
        let (me, near) = (v.me(), near(v, of));
        let arrived = |id: &UnitId| v.table.side(id) == me && before.table.unit(id).is_none();
        moved.retain(|id| near.contains(id) || (!narrow && arrived(id)));
    }
    moved
}

/// Units in rows, and the others by their labels, or by corps on a phone. All stand in rows where they are few, and
/// those near the enemy in a first letter; later those that have changed, of many or on a phone near the enemy.
///
/// Of many that stand as the last letter had them the number goes with it.
fn standing(v: &View, before: Option<&View>, narrow: bool, of: &dyn Fn(&SideId) -> bool) -> (Vec<String>, usize) {
    let all: BTreeSet<&UnitId> = v.table.standing().filter(|(_, u)| of(&u.side)).map(|(id, _)| id).collect();
    if !narrow && all.len() <= FEW {
        return (rows(v, &all, narrow), 0);
    }
    let moved = moved(v, before, of);
    let shown = match before {
        Some(before) => told(v, before, moved.clone(), narrow, of),
        None => near(v, of),
    };
    let mut lines = rows(v, &shown, narrow);
    let (others, same): (BTreeSet<&UnitId>, BTreeSet<&UnitId>) =
        all.difference(&shown).copied().partition(|id| moved.contains(id));
    lines.extend(rest(v, &others, narrow));
    let many = if same.len() > NAMED { same.len() } else { 0 };
    if many == 0 && !same.is_empty() {
        lines.extend(as_they_were(same.len(), &labels(&v.table, same), narrow));
    }
    (lines, many)
}

/// Units in the order of their labels, two a line on a wide page; many stand there without their names, three a line.
fn rows(v: &View, units: &BTreeSet<&UnitId>, narrow: bool) -> Vec<String> {
    let mut units: Vec<&UnitId> = units.iter().copied().collect();
    units.sort_by_key(|id| v.table.label(id));
    let many = !narrow && units.len() > NAMED;
    let cells: Vec<String> = units.iter().filter_map(|id| Some(cell(v, id, v.table.unit(id)?, !many))).collect();
    if many { packed(&cells, narrow) } else { abreast(&cells, narrow) }
}

/// `4A*Legrand/1    l109  6.53,9.03 D`; the star is a leader with it. Without the name where it has a label:
/// `4A*l109 6.53,9.03 D`.
fn cell(v: &View, id: &UnitId, unit: &Unit, named: bool) -> String {
    let t = &v.table;
    let star = if t.hq_with(id).is_some() { '*' } else { ' ' };
    let signs: String = signs(v, id, unit).chars().take(3).collect();
    let label = if t.label(id) == id.0 { "" } else { t.label(id) };
    let (form, facing) = (form(unit.form), unit.pose.facing);
    if !named && !label.is_empty() {
        return format!("{label:<2}{star}{form}{facing} {} {signs}", spot(unit.pose.at)).trim_end().to_owned();
    }
    format!("{label:<2}{star}{:<NAME$} {form}{facing} {:<11} {signs}", shortened(&id.0), spot(unit.pose.at))
        .trim_end()
        .to_owned()
}

/// The letter of a formation.
pub fn form(form: Formation) -> char {
    match form {
        Formation::Line => 'l',
        Formation::Column => 'c',
        Formation::Square => 'q',
        Formation::Unlimbered => 'u',
        Formation::Limbered => 'b',
        Formation::Staff => '-',
    }
}

/// Cells two a line, the second half beside the first; one a line on a phone.
fn abreast(cells: &[String], narrow: bool) -> Vec<String> {
    if narrow {
        return cells.iter().map(|cell| format!("  {cell}")).collect();
    }
    let half = cells.len().div_ceil(2);
    let row = |n: usize| {
        let (left, right) = (cells.get(n).map_or("", String::as_str), cells.get(half + n).map_or("", String::as_str));
        format!("  {left:<w$}{right}", w = CELL - 1).trim_end().to_owned()
    };
    (0..half).map(row).collect()
}

/// Short cells, as many a line as fit.
fn packed(cells: &[String], narrow: bool) -> Vec<String> {
    let wide = cells.iter().map(|cell| cell.chars().count() + 2).max().unwrap_or(1);
    let count = ((width(narrow) - 2) / wide).max(1);
    let line = |row: &[String]| {
        let words: String = row.iter().map(|cell| format!("{cell:<wide$}")).collect();
        format!("  {words}").trim_end().to_owned()
    };
    cells.chunks(count).map(line).collect()
}

/// Units that stand otherwise than before and in no row: their labels, or by corps and its middle on a phone.
fn rest(v: &View, others: &BTreeSet<&UnitId>, narrow: bool) -> Vec<String> {
    if others.is_empty() {
        return Vec::new();
    }
    if !narrow {
        let said = format!("others: {}", labels(&v.table, others.iter().copied()));
        return text::wrap(&said, width(narrow), "  ", 4);
    }
    let mut by: BTreeMap<&str, Vec<Spot>> = BTreeMap::new();
    for id in others {
        let Some((spec, unit)) = v.table.spec(id).zip(v.table.unit(id)) else { continue };
        by.entry(spec.corps.as_str()).or_default().push(unit.pose.at);
    }
    let cells: Vec<String> =
        by.iter().map(|(corps, at)| format!("{corps} {} {}", at.len(), tenths(middle(at)))).collect();
    std::iter::once("  Others, by corps and middle:".to_owned()).chain(packed(&cells, narrow)).collect()
}

/// A place in UM, to tenths.
fn tenths(at: Spot) -> String {
    use crate::rules::austerlitz1805::table::tenths;
    format!("{},{}", tenths(at.x), tenths(at.y))
}

/// HQs that stand with a unit; those only that stood otherwise when the last letter was written, where there was one.
fn leaders(v: &View, me: &SideId, before: Option<&View>, narrow: bool) -> Vec<String> {
    let same = |id: &UnitId, unit: &Unit| {
        before.and_then(|b| b.table.unit(id)).is_some_and(|old| old.with == unit.with && unit.with.is_some())
    };
    let with = v.table.units.iter().filter(|(id, u)| u.side == *me && !same(id, u));
    let said: Vec<String> =
        with.filter_map(|(id, u)| Some(format!("{id} {}", v.table.label(u.with.as_ref()?)))).collect();
    if said.is_empty() {
        return Vec::new();
    }
    text::wrap(&format!("Leaders: {}.", said.join(", ")), width(narrow), "  ", 4)
}

/// Own chits with what they hold; those only that the last letter did not show so, where one is given.
fn own_chits(v: &View, before: Option<&View>) -> Vec<String> {
    let t = &v.table;
    let at = |v: &View, id: &ChitId| v.table.chit(id).map(|c| c.at);
    let mut cells = Vec::new();
    for (number, boxed) in &v.own.boxes {
        let Some(now) = at(v, &boxed.chit) else { continue };
        let old = before.and_then(|b| Some((b, b.own.boxes.get(number)?)));
        if old.is_some_and(|(b, old)| old.units == boxed.units && at(b, &boxed.chit) == Some(now)) {
            continue;
        }
        let held = if boxed.units.is_empty() { "decoy".to_owned() } else { labels(t, &boxed.units) };
        cells.push(format!("+{number} {} {} {held}", boxed.chit, spot(now)));
    }
    cells
}

/// Enemy chits where they lie.
fn enemy_chits(v: &View, before: Option<&View>) -> Vec<String> {
    let me = v.me();
    let chits = v.table.mist.chits.iter().filter(|(_, c)| c.side != me);
    let new = |id: &ChitId, at: Spot| before.is_none_or(|b| b.table.chit(id).is_none_or(|old| old.at != at));
    chits.filter(|(id, c)| new(id, c.at)).map(|(id, c)| format!("{id} {}", spot(c.at))).collect()
}

/// 16.4.1 Corps on the strategic map: area, name, units, while the sealed sheet is open.
fn corps(v: &View, narrow: bool) -> Vec<String> {
    if !matches!(v.at, At::Fog | At::Deploy) {
        return Vec::new();
    }
    let mut units: BTreeMap<String, usize> = BTreeMap::new();
    for (_, corps) in waiting(&v.table, &v.own, &v.me()) {
        *units.entry(corps).or_default() += 1;
    }
    let cells: Vec<String> = units
        .iter()
        .filter_map(|(corps, n)| {
            Some(format!(
                "{} {corps} {}",
                v.own.corps.get(corps)?,
                text::plural(i64::try_from(*n).unwrap_or(0), "unit", "units")
            ))
        })
        .collect();
    packed(&cells, narrow)
}

/// How many units there are, and lost.
fn count(v: &View, of: &dyn Fn(&SideId) -> bool) -> String {
    let t = &v.table;
    let number = |n: usize, one: &str, many: &str| text::plural(i64::try_from(n).unwrap_or(0), one, many);
    let units = t.units.values().filter(|u| of(&u.side)).count();
    let mut said = vec![number(units, "unit", "units")];
    let chits = t.mist.chits.values().filter(|c| of(&c.side)).count();
    if chits > 0 {
        said.push(number(chits, "chit", "chits"));
    }
    let lost: Vec<&UnitId> = t.lost.iter().filter(|id| of(&t.side(id))).collect();
    if !lost.is_empty() {
        let guns = lost.iter().filter(|id| t.arm(id) == Arm::Artillery).count();
        let guns = if guns > 0 { format!(" ({guns} of them guns)") } else { String::new() };
        said.push(format!("{} lost{guns}", lost.len()));
    }
    said.join(", ")
}

//! Maps of a report: close-ups round contacts, strips of the roads, the theatre; and what MAP draws.

use super::pen::Pen;
use super::roads::{self, Pace, Way};
use super::roster::{self, Head, Row};
use crate::hex::{Hex, Hexside};
use crate::host::paper::{Drawing, Plate};
use crate::map::draw::{self, Chart, CloseUp, OwnToken, Window};
use crate::orders::{self, Fault};
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::pieces::Vedette;
use crate::rules::campaigns::rehearse;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::words;
use crate::text::{self, and_list};

/// Forces whose marches a report writes out where the reader is on move, and where he waits: then on a phone only, whose
/// strips are its map.
const MARCHERS_MOST: (usize, usize) = (4, 2);
/// Roads written out for one force.
const WAYS_MOST: usize = 2;
/// Rows of a close-up on request.
const ROWS_ON_REQUEST: i16 = 9;
/// Rows of hexes of the close-up in a stage mail, and lines that it may have.
const ROWS_IN_MAIL: i16 = 3;
const LINES_IN_MAIL: usize = 14;
/// What the long legend adds where clear country is divided by its crops (¶275).
const CROPS: &str = "  o w p       clear ground in a close-up: oats, wheat, potatoes";
/// Hexes by road beyond one march that a strip still shows.
const BEYOND: i32 = 2;

/// What the side may see, as a chart.
pub fn chart<'a>(pen: &Pen<'a>) -> Chart<'a> {
    chart_of(pen, &roster::rows(&pen.v.board, &pen.v.own))
}

fn chart_of<'a>(pen: &Pen<'a>, rows: &[Row]) -> Chart<'a> {
    let v = pen.v;
    let mut chart = Chart::new(&v.board.map);
    chart.bridging(&v.damaged, v.pontoons.keys().copied(), &v.trestles);
    chart.fronts(v.own.redoubts.values().chain(v.enemy_redoubts.values()).map(|r| (&r.faces, r.finished())));
    for row in rows {
        let code = match &row.head {
            Head::Leader(id) => pen.code(id),
            Head::Garrison(_) => "GAR".to_owned(),
        };
        *chart.strength.entry(row.hex).or_default() += row.sp;
        chart.stacks.entry(row.hex).or_default().push((code.clone(), row.sp));
        match chart.own.get_mut(&row.hex) {
            Some(token) => token.more = true,
            None => {
                chart.own.insert(row.hex, OwnToken { code, letter: row.letter, more: false });
            }
        }
    }
    for (n, vedette) in &v.own.vedettes {
        if let Vedette::At(hex) = vedette {
            chart.own_vedettes.entry(*hex).or_default().push(*n);
        }
    }
    for (n, counter) in &v.enemy {
        chart.enemy.entry(counter.hex).or_default().push(*n);
        chart.titles.extend(super::enemy::title(pen, counter).map(|title| (*n, title)));
    }
    let s = v.situation();
    let near: std::collections::BTreeSet<Hex> = s.enemy.keys().flat_map(|h| v.board.map.neighbours(*h)).collect();
    chart.zones = near.into_iter().filter(|h| dangerous(&s, *h)).collect();
    chart.centers.extend(v.own.armies().filter_map(|army| army.center));
    if let Some(loc) = &v.own.army.loc {
        let steps = loc.path.iter().zip(loc.path.iter().skip(1));
        chart.loc = steps.filter_map(|(a, b)| Hexside::between(*a, *b)).collect();
    }
    chart
}

/// Whether a hex lies in the zone of a counter that may be a force.
fn dangerous(s: &Situation<'_>, hex: Hex) -> bool {
    !s.enemy.contains_key(&hex) && s.zones_on(hex).iter().any(|(_, firm)| *firm != Firm::No)
}

/// The drawings of a report.
pub fn drawings(pen: &Pen<'_>, acts: bool) -> Vec<Drawing> {
    let chart = chart(pen);
    let mut drawn = Vec::new();
    if !pen.format.narrow {
        let closeups = draw::lattice_windows(&chart, pen.width());
        let last = closeups.len().saturating_sub(1);
        let windows: Vec<Window> = closeups.iter().map(|close| close.window).collect();
        for (i, close) in closeups.iter().enumerate() {
            let mut lines = draw::lattice(&chart, close.window);
            if i == last {
                lines.push(String::new());
                lines.extend(draw::lattice_legend(&chart, &windows, pen.width()));
            }
            drawn.push(Drawing { title: round(pen, close), lines, theatre: false, plated: pen.format.plates });
        }
    }
    if pen.v.at != At::Over && (acts || pen.format.narrow) {
        drawn.extend(strips(pen, &chart, if acts { MARCHERS_MOST.0 } else { MARCHERS_MOST.1 }));
    }
    if !pen.format.narrow {
        drawn.push(theatre(pen, &chart, pen.v.at == At::Setup));
    }
    drawn
}

/// The one close-up of a stage mail: round the force nearest the enemy, no taller than it must be, without a legend; below
/// it the roads of that force. None on a phone.
pub fn close(pen: &Pen<'_>) -> Option<Drawing> {
    if pen.format.narrow {
        return None;
    }
    let rows = roster::rows(&pen.v.board, &pen.v.own);
    let chart = chart_of(pen, &rows);
    let closeup = draw::lattice_windows(&chart, pen.width()).into_iter().next()?;
    let near = chart.enemy.keys().min_by_key(|e| (closeup.center.distance(**e), **e))?;
    let middle = |a: i16, b: i16| (a + b).div_euclid(2);
    let center = Hex::new(middle(closeup.center.col, near.col), middle(closeup.center.row, near.row));
    let window = Window::around(&pen.v.board.map, center, ROWS_IN_MAIL, pen.width());
    let mut lines = draw::lattice(&chart, window);
    lines.truncate(LINES_IN_MAIL);
    let name = rows.iter().find(|row| row.hex == closeup.center).map_or_else(String::new, |row| head_name(pen, row));
    let title = format!("round {name} (MAP sends all, KEY the signs)");
    Some(Drawing { title, lines, theatre: false, plated: pen.format.plates })
}

/// How many close-ups a report draws as plates.
const PLATES_MOST: usize = 3;

/// The plates of a report: close-ups round contacts, those nearest the enemy first, and the theatre where it is wanted. The
/// umpire's is the theatre as it is.
pub fn plates(pen: &Pen<'_>, closeups: bool, theatre: bool) -> Vec<Plate> {
    let truth = pen.v.truth.is_some();
    let chart = if truth { super::umpire::chart(pen) } else { chart(pen) };
    let mut plates = Vec::new();
    let found = if closeups { draw::lattice_windows(&chart, text::WIDTH) } else { Vec::new() };
    for close in found.iter().take(PLATES_MOST) {
        let window = Window::around(chart.map, close.center, ROWS_ON_REQUEST, text::WIDTH);
        plates.push(plated(&chart, window, round(pen, close), false));
    }
    if theatre {
        plates.push(plated(&chart, draw::plate_window(&chart, truth, text::WIDTH), "the theatre".to_owned(), true));
    }
    plates
}

fn plated(chart: &Chart<'_>, window: Window, title: String, theatre: bool) -> Plate {
    let said = spoken(chart, window, &title);
    let svg = draw::plate::plate(chart, window, &said);
    Plate { svg, title: format!("{title}{}", key_of(chart, window, theatre)), said, theatre }
}

/// What a stack on a plate says, where there is one.
fn key_of(chart: &Chart<'_>, window: Window, theatre: bool) -> String {
    let stacks = chart.stacks.iter().filter(|(hex, stack)| window.contains(**hex) && stack.len() > 1);
    let Some((hex, [(code, sp), rest @ ..])) = stacks.map(|(hex, stack)| (hex, stack.as_slice())).next() else {
        return String::new();
    };
    let (more, sum) = (rest.len(), chart.strength.get(hex).copied().unwrap_or_default());
    if theatre {
        return format!("; {code} +{more} is {code} and {more} more there");
    }
    format!("; {code} {sp} +{more}: {sum} is {code} with {sp} SP, {more} more there, {sum} SP in all")
}

/// The umpire's drawing: the whole theatre as it is.
pub fn umpires(pen: &Pen<'_>) -> Drawing {
    theatre(pen, &super::umpire::chart(pen), true)
}

/// Whom a close-up is drawn round: the force nearest the enemy first.
fn round(pen: &Pen<'_>, close: &CloseUp) -> String {
    let rows = roster::rows(&pen.v.board, &pen.v.own);
    let mut names = Vec::new();
    for hex in std::iter::once(&close.center).chain(close.group.iter().filter(|h| **h != close.center)) {
        names.extend(rows.iter().find(|r| r.hex == *hex).map(|r| head_name(pen, r)));
    }
    names.truncate(3);
    format!("round {}", and_list(&names))
}

fn head_name(pen: &Pen<'_>, row: &Row) -> String {
    match &row.head {
        Head::Leader(id) => pen.leader(id),
        Head::Garrison(id) => pen.garrison(id),
    }
}

/// The theatre sheet.
fn theatre(pen: &Pen<'_>, chart: &Chart<'_>, whole: bool) -> Drawing {
    let window = draw::theatre_window(chart, whole, pen.width());
    let mut lines = draw::theatre(chart, window);
    lines.push(String::new());
    if whole && !pen.format.narrow && pen.v.truth.is_none() {
        lines.extend(draw::long_legend());
        if !chart.map.crops.is_empty() {
            lines.push(CROPS.to_owned());
        }
    } else {
        lines.extend(draw::theatre_legend(chart, window, pen.width()));
    }
    let title = if whole { "whole theatre" } else { "front, one character a column, a line for two rows" };
    Drawing { title: title.to_owned(), lines, theatre: true, plated: pen.format.plates }
}

/// One drawing for each force that has something in reach by road, those nearest the enemy first.
fn strips(pen: &Pen<'_>, chart: &Chart<'_>, most: usize) -> Vec<Drawing> {
    let s = pen.v.situation();
    let rows = roster::rows(&pen.v.board, &pen.v.own);
    let mut forces: Vec<(u32, &Row, &LeaderId)> = Vec::new();
    for row in &rows {
        let Head::Leader(id) = &row.head else { continue };
        let far = chart.enemy.keys().map(|e| row.hex.distance(*e)).min();
        if let Some(far) = far.filter(|_| !pen.v.own.unemployed(id)) {
            forces.push((far, row, id));
        }
    }
    forces.sort_by_key(|(far, row, _)| (*far, row.letter));
    // Forces in one hex and at one pace share their roads.
    let mut seen: Vec<(Hex, Pace)> = Vec::new();
    let mut drawn = Vec::new();
    for (_, row, id) in forces {
        let pace = roads::pace(&pen.v.board, &pen.v.own, id);
        if drawn.len() >= most || seen.contains(&(row.hex, pace)) {
            continue;
        }
        seen.push((row.hex, pace));
        drawn.extend(strip(pen, chart, &s, row, id, pace));
    }
    drawn
}

fn strip(pen: &Pen<'_>, chart: &Chart<'_>, s: &Situation<'_>, row: &Row, id: &LeaderId, pace: Pace) -> Option<Drawing> {
    let ways = ways(chart, s, (row.hex, rehearse::leaving(pen.v, row.hex)), pace);
    if ways.is_empty() {
        return None;
    }
    let allowance = pace.allowance.0.unsigned_abs();
    let mut lines = Vec::new();
    for way in &ways {
        let path: Vec<(Hex, u32)> = way.iter().map(|(h, sum)| (*h, sum.0.unsigned_abs())).collect();
        let drawn = if pen.format.narrow {
            draw::strip_phone(chart, &path, allowance)
        } else {
            draw::strip(chart, &path, allowance)
        };
        // Plain letters may be more than they were.
        lines.extend(drawn.iter().flat_map(|l| text::wrap(pen.plain(l).trim_start(), pen.width(), "  ", 7)));
    }
    let copy = ways.first().and_then(|way| order(pen, id, way, pace));
    lines.extend(copy.into_iter().flat_map(|line| text::wrap(&line, pen.width(), "  ", 8)));
    let kind = if pace.foot { "infantry" } else { "cavalry" };
    let title = format!("march from {} {} ({kind} MP)", pen.leader(id), row.hex);
    Some(Drawing { title, lines, ..Drawing::default() })
}

/// The roads worth writing out: for each road that leaves the hex the longest one in reach with most enemy hexes on it.
fn ways(chart: &Chart<'_>, s: &Situation<'_>, from: (Hex, StepCost), pace: Pace) -> Vec<Way> {
    let reach = pace.allowance + Halves(BEYOND);
    let all = roads::spread(s, from, pace.foot, reach);
    let mut best: Vec<(Hex, (usize, Halves), Way)> = Vec::new();
    for (hex, way) in all {
        let Some((first, _)) = way.get(1).copied() else { continue };
        let enemies = way.iter().filter(|(h, _)| chart.enemy.contains_key(h)).count();
        let town = s.settlement(hex).is_some();
        if !town && !chart.enemy.contains_key(&hex) {
            continue;
        }
        let worth = (enemies, way.last().map_or(Halves(0), |(_, sum)| *sum));
        match best.iter_mut().find(|(f, ..)| *f == first) {
            Some(known) if known.1 < worth => *known = (first, worth, way),
            Some(_) => {}
            None => best.push((first, worth, way)),
        }
    }
    best.retain(|(_, (enemies, _), _)| *enemies > 0);
    best.sort_by_key(|(first, worth, _)| (std::cmp::Reverse(*worth), *first));
    best.into_iter().take(WAYS_MOST).map(|(_, _, way)| way).collect()
}

/// A line to copy: the march by road to the last hex within the allowance before any enemy; only if it binds now.
fn order(pen: &Pen<'_>, id: &LeaderId, way: &Way, pace: Pace) -> Option<String> {
    let clear = way.iter().skip(1).take_while(|(h, sum)| *sum <= pace.allowance && pen.v.tags_at(*h).is_empty());
    let (to, _) = clear.last()?;
    let line = format!("FORCE {} INITIATIVE MARCH ROAD TO {to}", pen.code(id));
    binds(pen, &line).then_some(line)
}

/// Whether the reader may send a line as it stands, and would do well to.
pub fn binds(pen: &Pen<'_>, line: &str) -> bool {
    let sheet = match &pen.v.at {
        At::Own(p) => pen.mine(p),
        At::Setup
        | At::Weather
        | At::Packet(_)
        | At::CloseMove(_)
        | At::Reaction(_)
        | At::Designate(_)
        | At::Round(..)
        | At::Close(_)
        | At::Over => false,
    };
    sheet && super::offers::Judged::of(pen.v).sound(line)
}

/// What all signs of the drawings mean.
fn key(pen: &Pen<'_>, chart: &Chart<'_>) -> Vec<String> {
    let mut lines = draw::long_legend();
    if !chart.map.crops.is_empty() {
        lines.push(CROPS.to_owned());
    }
    if !pen.format.narrow {
        return lines;
    }
    lines.iter().flat_map(|line| text::wrap(line.trim_start(), pen.width(), "  ", 6)).collect()
}

/// What MAP draws: the whole theatre, or a close-up round a hex, a place, an own leader, a vedette, an enemy counter;
/// with BRICK after it, ids and roads only, over twice as many rows.
///
/// # Errors
/// Unclear, with the nearest name.
pub fn map(pen: &Pen<'_>, area: Option<&str>) -> Result<Vec<String>, Fault> {
    let chart = if pen.v.truth.is_some() { super::umpire::chart(pen) } else { chart(pen) };
    let Some(area) = area.map(str::trim).filter(|a| !a.is_empty() && !a.eq_ignore_ascii_case("all")) else {
        return Ok(theatre(pen, &chart, true).lines);
    };
    if area.eq_ignore_ascii_case("key") {
        return Ok(key(pen, &chart));
    }
    let words: Vec<&str> = area.split_whitespace().collect();
    if let [place @ .., last] = words.as_slice()
        && last.eq_ignore_ascii_case("brick")
        && !place.is_empty()
    {
        let center = area_hex(pen, &place.join(" "))?;
        let window = Window::brick(&pen.v.board.map, center, 2 * ROWS_ON_REQUEST, pen.width());
        let mut lines = draw::brick(&chart, window);
        lines.push(String::new());
        lines.extend(draw::brick_legend(&chart, window, pen.width()));
        return Ok(lines);
    }
    let center = area_hex(pen, area)?;
    let window = Window::around(&pen.v.board.map, center, ROWS_ON_REQUEST, pen.width());
    let mut lines = draw::lattice(&chart, window);
    lines.push(String::new());
    lines.extend(draw::lattice_legend(&chart, &[window], pen.width()));
    Ok(lines)
}

/// What MAP shows, drawn: the whole theatre, or a close-up round a hex, a place, a leader, a vedette, a counter.
///
/// # Errors
/// Unclear, with the nearest name.
pub fn plate(pen: &Pen<'_>, area: Option<&str>) -> Result<String, Fault> {
    let chart = if pen.v.truth.is_some() { super::umpire::chart(pen) } else { chart(pen) };
    let map = chart.map;
    let area = area.map(str::trim).filter(|a| !a.is_empty() && !a.eq_ignore_ascii_case("all"));
    let (window, round) = match area {
        None => (Window::whole(map), "the whole theatre".to_owned()),
        Some(area) => {
            let center = area_hex(pen, area)?;
            (Window::around(map, center, ROWS_ON_REQUEST, pen.width()), format!("the country round {center}"))
        }
    };
    Ok(draw::plate::plate(&chart, window, &spoken(&chart, window, &round)))
}

/// A picture in words: who stands where, for a reader who does not see it.
fn spoken(chart: &Chart<'_>, window: Window, round: &str) -> String {
    let here = |hex: &Hex| window.contains(*hex);
    let own = chart.own.iter().filter(|(hex, _)| here(hex));
    let own = own.map(|(hex, token)| match (chart.stacked(*hex), chart.strength.get(hex)) {
        (Some(stack), _) => format!("{stack} {hex}"),
        (None, Some(sp)) => format!("{} {sp} {hex}", token.code),
        (None, None) => format!("{} {hex}", token.code),
    });
    let vedettes = chart.own_vedettes.iter().filter(|(hex, _)| here(hex));
    let vedettes = vedettes.flat_map(|(hex, all)| all.iter().map(move |n| format!("v{n} {hex}")));
    let own: Vec<String> = own.chain(vedettes).collect();
    let enemy = chart.enemy.iter().filter(|(hex, _)| here(hex));
    let enemy = enemy.flat_map(|(hex, tags)| tags.iter().map(move |n| (n, hex)));
    let enemy = enemy.map(|(n, hex)| match chart.titles.get(n) {
        Some(title) => format!("E{n} {title} {hex}"),
        None => format!("E{n} {hex}"),
    });
    let ghosts = chart.ghosts.iter().filter(|(hex, _)| here(hex));
    let ghosts = ghosts.flat_map(|(hex, all)| all.iter().map(move |g| format!("E{} {hex} {} ago", g.number, g.age)));
    let enemy: Vec<String> = enemy.chain(ghosts).collect();
    let said = |list: &[String]| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    let centers: Vec<String> = chart.centers.iter().filter(|hex| here(hex)).map(Hex::to_string).collect();
    let center = if centers.is_empty() { String::new() } else { format!(" Center {}.", centers.join(", ")) };
    format!("Map of {round}. Own: {}. Enemy: {}.{center}", said(&own), said(&enemy))
}

/// The hex that a word means.
fn area_hex(pen: &Pen<'_>, area: &str) -> Result<Hex, Fault> {
    let number = |prefix: char| {
        let rest = area.strip_prefix([prefix, prefix.to_ascii_uppercase()])?;
        rest.parse::<u32>().ok()
    };
    if let Some(counter) = number('e').and_then(|n| pen.v.enemy.get(&n)) {
        return Ok(counter.hex);
    }
    if let Some(Vedette::At(hex)) = number('v').and_then(|n| pen.v.own.vedettes.get(&n)) {
        return Ok(*hex);
    }
    let line = orders::line(1, area);
    let leaders: Vec<(String, Hex)> =
        words::own_leaders(pen.v).into_iter().filter_map(|(name, id)| Some((name, pen.v.own.hex(&id)?))).collect();
    let mut args = orders::Args::new(&line, 0);
    if let Ok(hex) = args.name("a hex, a place or a leader of yours", &leaders) {
        return Ok(hex);
    }
    words::hex(pen.v, &mut orders::Args::new(&line, 0))
}

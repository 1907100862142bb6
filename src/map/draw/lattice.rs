//! The close-up: hex ids at their centres, roads drawn from id to id, rivers on the hexsides between.
//!
//! A hex of column c and row r has its origin at x = 6(c - west), y = 4(r - north), two lines lower in even columns:
//!
//! ```text
//! y+0   .TTTFN/     T  token, else terrain; F flag   N  river on the NE side    /  road to NE
//! y+1   .2347/N     hex id                           S  river on the SE side    \  road to SE
//! y+2   .name\S     name
//! y+3   .~~~~S\     river or road on the S side
//! ```
//!
//! Only the N-S, NE and SE links of a hex are drawn; the other three belong to its neighbours. Nothing is drawn to a
//! hex outside the window. Where a road crosses a river the strokes cross, and the lower river mark is the bridge.

use super::names::short_name;
use super::sheet::{MARGIN, Sheet};
use super::{Chart, Window};
use crate::hex::{Dir, Hex, Hexside};
use crate::map::{Crop, Ground, River, Road};
use crate::text;
use std::collections::BTreeMap;

/// Letters of a name that are always written.
const NAME_LEAST: usize = 4;
/// Letters of a name that are ever written.
const NAME_MOST: usize = 10;

/// What lies on a hexside.
pub(super) struct Link {
    pub road: Option<Road>,
    pub river: Option<River>,
    /// `#`, `+`, `=` or `x`, where something leads over a river.
    pub bridge: Option<char>,
    /// `*` or `:`, where a redoubt fronts it, finished or begun.
    pub redoubt: Option<char>,
}

/// Draws a close-up; below it a line for names that had to be numbered.
///
/// Twelve columns fit 76 characters, six fit 40.
pub fn lattice(chart: &Chart, window: Window) -> Vec<String> {
    let columns = i32::from(window.columns());
    let mut sheet = Sheet::new(6 * columns + 2, 4 * i32::from(window.rows()) + 2);
    let hexes = window.hexes(chart.map);
    let (names, notes) = names(chart, &hexes);
    for &hex in &hexes {
        let (x, y) = origin(window, hex);
        sheet.write(x + 2, y, ground(chart, hex));
    }
    for &hex in &hexes {
        links(&mut sheet, chart, window, hex, names.contains_key(&hex));
    }
    for &hex in &hexes {
        let (x, y) = origin(window, hex);
        piece(&mut sheet, chart, hex, x, y);
        sheet.write(x + 2, y + 1, &hex.to_string());
    }
    write_names(&mut sheet, window, &names);
    let mut lines = sheet.lines();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|l| l.is_empty()).count();
    lines.drain(..blank);
    let page = usize::try_from(6 * columns).unwrap_or(0) + 2 * MARGIN;
    if !notes.is_empty() {
        lines.extend(text::wrap(&notes.join("  "), page, "  ", MARGIN));
    }
    lines
}

/// The origin of a hex on the sheet.
fn origin(window: Window, hex: Hex) -> (i32, i32) {
    let down = if hex.col % 2 == 0 { 2 } else { 0 };
    (6 * i32::from(hex.col - window.west), 4 * i32::from(hex.row - window.north) + down)
}

/// The terrain of a hex, four marks in a row.
fn ground(chart: &Chart, hex: Hex) -> &'static str {
    match chart.map.ground.get(&hex) {
        None => "    ",
        Some(Ground::Clear) => chart.map.crops.get(&hex).map_or("    ", |crop| match crop {
            Crop::Oats => "o   ",
            Crop::Wheat => "w   ",
            Crop::Potatoes => "p   ",
        }),
        Some(Ground::Hill) => "^^^^",
        Some(Ground::Woods) => "%%%%",
        Some(Ground::Swamp) => "\"\"\"\"",
        Some(Ground::Mountain) => "MMMM",
        Some(Ground::Lake) => "----",
    }
}

/// The links of a hex to the S, NE and SE, as far as both ends are drawn.
pub(super) fn links_of(chart: &Chart, window: Window, hex: Hex) -> impl Iterator<Item = (Dir, Link)> {
    let drawn = move |dir: &Dir| {
        let other = hex.neighbour(*dir);
        window.contains(other) && chart.map.contains(other)
    };
    [Dir::S, Dir::NE, Dir::SE].into_iter().filter(drawn).map(move |dir| (dir, link(chart, Hexside::new(hex, dir))))
}

/// Draws the S, NE and SE links of a hex.
fn links(sheet: &mut Sheet, chart: &Chart, window: Window, hex: Hex, named: bool) {
    let (x, y) = origin(window, hex);
    for (dir, link) in links_of(chart, window, hex) {
        match dir {
            Dir::NE => slant(sheet, (x, y), &link, '/', [(6, 1), (7, 0), (6, 0)], [(6, 0), (7, 1)]),
            Dir::SE => slant(sheet, (x, y), &link, '\\', [(6, 2), (7, 3), (7, 2)], [(7, 2), (6, 3)]),
            _ => {
                upright(sheet, (x, y + 3), &link);
                if !named {
                    upright_road(sheet, (x, y + 2), link.road);
                }
                upright_road(sheet, (x, y + 4), link.road);
            }
        }
    }
}

/// What lies on a hexside.
pub(super) fn link(chart: &Chart, side: Hexside) -> Link {
    let road = chart.map.roads.get(&side).copied();
    let river = chart.map.rivers.get(&side).copied();
    let down = chart.damaged.contains(&side);
    let whole = chart.map.bridges.contains(&side) && !down;
    let bridge = match (road, river) {
        (Some(Road::Primary), Some(_)) if whole => Some('#'),
        (Some(Road::Secondary), Some(_)) if whole => Some('+'),
        (_, Some(_)) if chart.spans.contains(&side) => Some('='),
        (_, Some(_)) if down => Some('x'),
        _ => None,
    };
    let redoubt = chart.redoubts.get(&side).map(|finished| if *finished { '*' } else { ':' });
    Link { road, river, bridge, redoubt }
}

/// The mark of a river.
pub(super) fn water(river: River) -> char {
    match river {
        River::Secondary => '~',
        River::Primary => '&',
        River::Ford => '%',
        River::Lake => '^',
    }
}

/// Draws an oblique link: `road` holds its two strokes and the third of a primary road, `river` its marks.
fn slant(sheet: &mut Sheet, at: (i32, i32), link: &Link, stroke: char, road: [(i32, i32); 3], river: [(i32, i32); 2]) {
    let mut put = |(x, y): (i32, i32), c: char| sheet.put(at.0 + x, at.1 + y, c);
    let [first, second, third] = road;
    let [upper, lower] = river;
    if let Some(class) = link.road {
        put(first, stroke);
        put(second, stroke);
        if class == Road::Primary && link.river.is_none() {
            put(third, stroke);
        }
    }
    if let Some(class) = link.river {
        put(upper, water(class));
        put(lower, link.bridge.unwrap_or(water(class)));
    }
    if let Some(mark) = link.redoubt {
        put(upper, mark);
    }
}

/// Draws the S side of a hex: river, road or bridge.
fn upright(sheet: &mut Sheet, (x, y): (i32, i32), link: &Link) {
    if let Some(class) = link.river {
        sheet.write(x + 2, y, &water(class).to_string().repeat(4));
    }
    match (link.bridge, link.road) {
        (Some(mark), Some(Road::Primary)) => sheet.write(x + 3, y, &mark.to_string().repeat(2)),
        (Some(mark), _) => sheet.put(x + 3, y, mark),
        (None, road) => upright_road(sheet, (x, y), road),
    }
    if let Some(mark) = link.redoubt {
        sheet.put(x + 2, y, mark);
    }
}

/// Draws a piece of a N-S road.
fn upright_road(sheet: &mut Sheet, (x, y): (i32, i32), road: Option<Road>) {
    match road {
        Some(Road::Primary) => sheet.write(x + 3, y, "||"),
        Some(Road::Secondary) => sheet.put(x + 3, y, '|'),
        None => {}
    }
}

/// Writes the token and the flag of a hex; where there is either, no road is drawn through its first row.
fn piece(sheet: &mut Sheet, chart: &Chart, hex: Hex, x: i32, y: i32) {
    let (token, flag) = (token(chart, hex), flag(chart, hex));
    if token.is_none() && flag.is_none() {
        return;
    }
    sheet.write(x + 2, y, &token.map_or_else(|| ground(chart, hex).to_owned(), |t| format!("{t:<4}")));
    if let Some(flag) = flag {
        sheet.put(x + 5, y, flag);
    }
}

/// Three characters for what stands in a hex; own before enemy (they share a hex in a siege only).
fn token(chart: &Chart, hex: Hex) -> Option<String> {
    if let Some(own) = chart.own.get(&hex) {
        return Some(text::cut(&text::ascii(&own.code), 3));
    }
    if let Some(n) = chart.own_vedettes.get(&hex).and_then(|all| all.iter().min()) {
        return Some(text::cut(&format!("v{n}"), 3));
    }
    if let Some(n) = chart.enemy.get(&hex).and_then(|all| all.iter().min()) {
        return Some(text::cut(&format!("E{n}"), 3));
    }
    let ghost = chart.ghosts.get(&hex)?.iter().min_by_key(|g| (g.age, g.number))?;
    Some(text::cut(&format!("e{}{}", ghost.number, ghost.age.min(9)), 4))
}

/// The fourth place above the id.
///
/// `!` own force next to (or besieging) an enemy that may be a force, `+` more than one counter, `v` own vedette
/// here too, `z` next to such an enemy.
pub(super) fn flag(chart: &Chart, hex: Hex) -> Option<char> {
    let zone = chart.zones.contains(&hex);
    let vedettes = chart.own_vedettes.get(&hex).map_or(0, Vec::len);
    let enemies = chart.enemy.get(&hex).map_or(0, Vec::len);
    if let Some(own) = chart.own.get(&hex) {
        let mark = match (zone || enemies > 0, own.more) {
            (true, _) => '!',
            (false, true) => '+',
            (false, false) => return (vedettes > 0).then_some('v'),
        };
        return Some(mark);
    }
    let shown = if vedettes > 0 { vedettes } else { enemies };
    if shown > 1 {
        return Some('+');
    }
    if shown == 0
        && let Some(ghosts) = chart.ghosts.get(&hex)
    {
        // A ghost of two figures leaves no fourth place.
        let full = token(chart, hex).is_some_and(|t| text::width(&t) > 3);
        let mark = if ghosts.len() > 1 { Some('+') } else { zone.then_some('z') };
        return mark.filter(|_| !full);
    }
    zone.then_some('z')
}

/// The names to write by hex, and a note for each that had to be numbered.
fn names(chart: &Chart, hexes: &[Hex]) -> (BTreeMap<Hex, String>, Vec<String>) {
    let (mut found, mut notes) = (BTreeMap::new(), Vec::new());
    let mut forms: BTreeMap<String, u32> = BTreeMap::new();
    for &hex in hexes {
        let Some(full) = chart.map.name(hex) else { continue };
        let letters: String = text::ascii(&short_name(full)).chars().filter(char::is_ascii_alphabetic).collect();
        if letters.is_empty() {
            continue;
        }
        let times = forms.entry(text::cut(&letters, NAME_LEAST)).or_insert(0);
        *times += 1;
        if *times == 1 {
            found.insert(hex, letters);
        } else {
            let numbered = format!("{}{}", text::cut(&letters, NAME_LEAST - 1), *times % 10);
            notes.push(format!("{numbered} = {}", text::ascii(full)));
            found.insert(hex, numbered);
        }
    }
    (found, notes)
}

/// Writes four letters of each name, then more to the right while both the cell and the one after it are blank.
fn write_names(sheet: &mut Sheet, window: Window, names: &BTreeMap<Hex, String>) {
    for (&hex, name) in names {
        let (x, y) = origin(window, hex);
        sheet.write(x + 2, y + 2, &text::cut(name, NAME_LEAST));
    }
    for (&hex, name) in names {
        let (x, y) = origin(window, hex);
        for (at, letter) in (x + 2..).zip(name.chars()).take(NAME_MOST).skip(NAME_LEAST) {
            if !sheet.holds(at) || sheet.get(at, y + 2) != ' ' || sheet.get(at + 1, y + 2) != ' ' {
                break;
            }
            sheet.put(at, y + 2, letter);
        }
    }
}

//! Which part of the map a drawing shows.

use super::Chart;
use crate::hex::Hex;
use crate::map::HexMap;
use std::collections::BTreeSet;

/// Columns of a close-up on a wide page.
const COLUMNS: i16 = 12;
/// Columns of a close-up on a phone.
const COLUMNS_PHONE: i16 = 6;
/// Rows of a close-up, least and most; the first of a mail may be so tall, each later one two rows less.
const ROWS: (i16, i16) = (5, 9);
/// Rows that each later close-up of a mail has less.
const ROWS_LESS: i16 = 2;
/// Close-ups in one mail at most.
const CLOSE_UPS_MAX: usize = 3;
/// An enemy at this distance in hexes makes a close-up worth drawing.
const CONTACT: u32 = 4;
/// Groups nearer to each other than this, in hexes, share a close-up.
const TOGETHER: u32 = 6;
/// An enemy at this distance in hexes belongs on the theatre sheet.
const THEATRE_REACH: u32 = 12;
/// Margin of the theatre sheet in columns and in rows (two lines).
const THEATRE_MARGIN: (i16, i16) = (4, 4);
/// Columns and rows round the outermost pieces of a drawn theatre.
const PLATE_MARGIN: i16 = 2;
/// Least size of the theatre sheet in columns and in rows (twelve lines).
const THEATRE_LEAST: (i16, i16) = (40, 24);
/// Characters of a theatre line before its first column.
const THEATRE_LABEL: usize = 5;

/// A rectangle of a map; all four bounds belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First column.
    pub west: i16,
    /// Last column.
    pub east: i16,
    /// First row.
    pub north: i16,
    /// Last row.
    pub south: i16,
}

/// A close-up worth drawing: round whom, and what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloseUp {
    /// The force nearest the enemy.
    pub center: Hex,
    /// All own forces of the group, in id order.
    pub group: Vec<Hex>,
    /// What to draw.
    pub window: Window,
}

impl Window {
    /// The whole map.
    pub fn whole(map: &HexMap) -> Window {
        Window { west: 1, east: map.columns, north: 1, south: map.rows }
    }

    /// A close-up round a hex: twelve columns, six on a phone, beginning at an odd one, and so many rows.
    pub fn around(map: &HexMap, center: Hex, rows: i16, page: usize) -> Window {
        let columns = columns_of_close_up(page);
        let rows = rows.clamp(1, map.rows.max(1));
        let (west, north) = (center.col - columns / 2, center.row - rows / 2);
        close_up(map, west, columns, north, rows)
    }

    /// A brick round a hex: as many columns of eight places as the page holds, beginning at an odd one.
    pub fn brick(map: &HexMap, center: Hex, rows: i16, page: usize) -> Window {
        let columns = i16::try_from((page + 2) / 8).unwrap_or(1).max(1);
        let rows = rows.clamp(1, map.rows.max(1));
        close_up(map, center.col - columns / 2, columns, center.row - rows / 2, rows)
    }

    /// Whether a hex lies in it.
    pub fn contains(&self, hex: Hex) -> bool {
        (self.west..=self.east).contains(&hex.col) && (self.north..=self.south).contains(&hex.row)
    }

    /// Number of columns.
    pub fn columns(&self) -> i16 {
        (self.east - self.west + 1).max(0)
    }

    /// Number of rows.
    pub fn rows(&self) -> i16 {
        (self.south - self.north + 1).max(0)
    }

    /// Its hexes that are on the map, in id order.
    pub fn hexes(&self, map: &HexMap) -> Vec<Hex> {
        let cells = (self.west..=self.east).flat_map(|c| (self.north..=self.south).map(move |r| Hex::new(c, r)));
        cells.filter(|&h| map.contains(h)).collect()
    }

    /// The smallest window that holds all of some hexes.
    fn holding(hexes: impl IntoIterator<Item = Hex>) -> Option<Window> {
        let mut hexes = hexes.into_iter();
        let first = hexes.next()?;
        let one = Window { west: first.col, east: first.col, north: first.row, south: first.row };
        Some(hexes.fold(one, |w, h| Window {
            west: w.west.min(h.col),
            east: w.east.max(h.col),
            north: w.north.min(h.row),
            south: w.south.max(h.row),
        }))
    }
}

/// Columns of a close-up on a page so many characters wide.
fn columns_of_close_up(page: usize) -> i16 {
    if page < crate::text::WIDTH { COLUMNS_PHONE } else { COLUMNS }
}

/// A span of `size` pushed inside `1..=end`.
fn inside(first: i16, size: i16, end: i16) -> (i16, i16) {
    let size = size.min(end);
    let first = first.min(end - size + 1).max(1);
    (first, first + size - 1)
}

/// A close-up pushed inside the map and made to begin at an odd column.
fn close_up(map: &HexMap, west: i16, columns: i16, north: i16, rows: i16) -> Window {
    let (mut west, mut east) = inside(west, columns, map.columns);
    if west % 2 == 0 {
        west -= 1;
        east = (west + columns - 1).min(map.columns);
    }
    let (north, south) = inside(north, rows, map.rows);
    Window { west, east, north, south }
}

/// The part of the map that the theatre sheet shows on a page so many characters wide.
///
/// The smallest box that holds the side's pieces, the enemy counters within 12 hexes of one, and the center, with a
/// margin of 4 columns and 2 lines, at least 40 columns by 12 lines; `whole` asks for all of the map. A map too wide
/// for the page is cut to its middle columns.
pub fn theatre_window(chart: &Chart, whole: bool, page: usize) -> Window {
    let map = chart.map;
    let room = i16::try_from(page.saturating_sub(THEATRE_LABEL)).unwrap_or(i16::MAX).max(1);
    let own: BTreeSet<Hex> = chart.own.keys().chain(chart.own_vedettes.keys()).copied().collect();
    let near = |e: &Hex| own.iter().any(|o| o.distance(*e) <= THEATRE_REACH);
    let enemies = chart.enemy.keys().filter(|e| near(e));
    let held = own.iter().chain(enemies).chain(&chart.centers).copied();
    let boxed = match Window::holding(held) {
        Some(found) if !whole => found,
        _ => Window::whole(map),
    };
    let wide = (boxed.columns() + 2 * THEATRE_MARGIN.0).max(THEATRE_LEAST.0).min(room);
    let (west, east) = inside((boxed.west + boxed.east + 1 - wide).div_euclid(2), wide, map.columns);
    let (north, south) = (boxed.north - THEATRE_MARGIN.1, boxed.south + THEATRE_MARGIN.1);
    let tall = (south - north + 1).max(THEATRE_LEAST.1);
    let (north, south) = inside((north + south + 1 - tall).div_euclid(2), tall, map.rows);
    // A line shows an odd row and the even one after it.
    Window { west, east, north: north - (north + 1) % 2, south: (south + south % 2).min(map.rows) }
}

/// The part of the map that a drawn theatre shows: what the theatre sheet of a page shows, and all pieces that the side knows,
/// wherever they stand.
pub fn plate_window(chart: &Chart, whole: bool, page: usize) -> Window {
    let sheet = theatre_window(chart, whole, page);
    let pieces = chart.own.keys().chain(chart.own_vedettes.keys()).chain(chart.enemy.keys()).chain(chart.ghosts.keys());
    let Some(all) = Window::holding(pieces.chain(&chart.centers).copied()) else { return sheet };
    let map = chart.map;
    let least = |sheet: i16, all: i16| sheet.min(all - PLATE_MARGIN).max(1);
    let most = |sheet: i16, all: i16, end: i16| sheet.max(all + PLATE_MARGIN).min(end);
    Window {
        west: least(sheet.west, all.west),
        east: most(sheet.east, all.east, map.columns),
        north: least(sheet.north, all.north),
        south: most(sheet.south, all.south, map.rows),
    }
}

/// The close-ups that a mail shows on a page so many characters wide, the nearest contact first, at most three.
///
/// One for each group of own forces with an enemy counter within 4 hexes; groups nearer than 6 hexes are one.
pub fn lattice_windows(chart: &Chart, page: usize) -> Vec<CloseUp> {
    let mut groups: Vec<Vec<(u32, Hex, Hex)>> = Vec::new();
    for &force in chart.own.keys() {
        let nearest = chart.enemy.keys().map(|&e| (force.distance(e), force, e)).min();
        let Some(contact) = nearest.filter(|&(far, ..)| far <= CONTACT) else { continue };
        let (near, mut apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|g| g.iter().any(|&(_, h, _)| h.distance(force) < TOGETHER));
        let mut joined: Vec<_> = near.into_iter().flatten().collect();
        joined.push(contact);
        apart.push(joined);
        groups = apart;
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort_unstable();
    let tallest = [ROWS.1, ROWS.1 - ROWS_LESS, ROWS.0];
    groups
        .into_iter()
        .zip(tallest)
        .take(CLOSE_UPS_MAX)
        .filter_map(|(g, most)| frame(chart.map, &g, page, most))
        .collect()
}

/// The close-up of a group, whose first member is the one nearest the enemy.
///
/// The enemy nearest to that force is always inside; the rest of a group too large for the page is cut.
fn frame(map: &HexMap, group: &[(u32, Hex, Hex)], page: usize, most: i16) -> Option<CloseUp> {
    let &(_, center, enemy) = group.first()?;
    let columns = columns_of_close_up(page);
    let all = Window::holding(group.iter().map(|&(_, h, _)| h))?;
    let must = Window::holding([center, enemy])?;
    let (north, south) = ((all.north - 2).min(must.north), (all.south + 2).max(must.south));
    let rows = (south - north + 1).clamp(ROWS.0, most);
    let west = shift(center.col - columns / 2, columns, (all.west, all.east), (must.west, must.east));
    let tall = (north + south + 1 - rows).div_euclid(2);
    let north = shift(tall, rows, (north, south), (must.north, must.south));
    let mut members: Vec<Hex> = group.iter().map(|&(_, h, _)| h).collect();
    members.sort_unstable();
    Some(CloseUp { center, group: members, window: close_up(map, west, columns, north, rows) })
}

/// Moves a span of `size` that begins at `first` so that it holds `all` if it can, and `must` in any case.
fn shift(first: i16, size: i16, all: (i16, i16), must: (i16, i16)) -> i16 {
    let toward = |first: i16, (low, high): (i16, i16)| {
        if first > low {
            low
        } else if first + size - 1 < high {
            high - size + 1
        } else {
            first
        }
    };
    let first = if all.1 - all.0 < size { toward(first, all) } else { first };
    toward(first, must)
}

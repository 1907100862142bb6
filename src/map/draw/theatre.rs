//! The theatre sheet: one character a column, one line for two rows, so that the proportions are true.
//!
//! Only primary roads and rivers, towns and pieces are drawn: with more nothing can be traced.

use super::names::short_name;
use super::{Chart, Window};
use crate::hex::{Dir, Hex, Hexside};
use crate::map::{HexMap, River, Road, Settlement};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};

/// What a mark is; a later kind overwrites an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Blank,
    River,
    Road,
    Loc,
    Town,
    Depot,
    City,
    Center,
    Name,
    Ghost,
    Enemy,
    Own,
}

/// A point in thirds of a column and halves of a row, so that centres and corners of hexes are whole.
type Point = (i32, i32);

/// A cell of the sheet: column from 1, line from 0 at the top of the map.
type Cell = (i32, i32);

/// The sheet while it is drawn.
struct Theatre {
    window: Window,
    /// Line by line, from the window's north-west.
    cells: Vec<(Kind, char)>,
}

/// Draws the theatre: a ruler (tens, and `5` between), then lines labelled with the first of their two rows.
///
/// A line is five characters longer than the window has columns.
pub fn theatre(chart: &Chart, window: Window) -> Vec<String> {
    let mut sheet = Theatre::new(window);
    ways(&mut sheet, chart);
    towns(&mut sheet, chart);
    pieces(&mut sheet, chart);
    names(&mut sheet, chart);
    unseen(&mut sheet, chart);
    sheet.lines()
}

/// The marks that stand in a theatre sheet: one for each kind, own forces as `A`, counts as `1`.
pub(super) fn marks(chart: &Chart, window: Window) -> BTreeSet<&'static str> {
    let mut sheet = Theatre::new(window);
    ways(&mut sheet, chart);
    towns(&mut sheet, chart);
    pieces(&mut sheet, chart);
    unseen(&mut sheet, chart);
    let word = |(kind, c): &(Kind, char)| match kind {
        Kind::Blank if *c == ':' => Some(":"),
        Kind::Blank | Kind::Name => None,
        Kind::River => Some("~"),
        Kind::Road => Some("="),
        Kind::Loc => Some("#"),
        Kind::Town => Some("o"),
        Kind::Depot => Some("O"),
        Kind::City => Some("@"),
        Kind::Center => Some("*"),
        Kind::Ghost => Some("?"),
        Kind::Enemy => Some("1"),
        Kind::Own if *c == 'v' => Some("v"),
        Kind::Own => Some("A"),
    };
    sheet.cells.iter().filter_map(word).collect()
}

impl Theatre {
    /// An empty sheet.
    fn new(window: Window) -> Theatre {
        let mut sheet = Theatre { window, cells: Vec::new() };
        let (first, last) = sheet.span();
        let size = (last - first + 1) * sheet.columns();
        sheet.cells = vec![(Kind::Blank, ' '); usize::try_from(size).unwrap_or(0)];
        sheet
    }

    /// Columns of the window.
    fn columns(&self) -> i32 {
        i32::from(self.window.east) - i32::from(self.window.west) + 1
    }

    /// Where a cell of the window stands in the list.
    fn place(&self, (x, line): Cell) -> Option<usize> {
        let (first, _) = self.span();
        let at = (line - first) * self.columns() + x - i32::from(self.window.west);
        self.holds((x, line)).then(|| usize::try_from(at).ok()).flatten()
    }

    /// First and last line of the window.
    fn span(&self) -> (i32, i32) {
        (line_of(self.window.north), line_of(self.window.south))
    }

    /// Whether a cell lies in the window.
    fn holds(&self, (x, line): Cell) -> bool {
        let (first, last) = self.span();
        (i32::from(self.window.west)..=i32::from(self.window.east)).contains(&x) && (first..=last).contains(&line)
    }

    /// What is drawn in a cell.
    fn at(&self, cell: Cell) -> (Kind, char) {
        self.place(cell).and_then(|at| self.cells.get(at)).copied().unwrap_or((Kind::Blank, ' '))
    }

    /// Draws a mark unless a stronger one is there.
    fn put(&mut self, cell: Cell, kind: Kind, c: char) {
        if let Some(mark) = self.place(cell).and_then(|at| self.cells.get_mut(at))
            && mark.0 <= kind
        {
            *mark = (kind, c);
        }
    }

    /// The finished lines.
    fn lines(&self) -> Vec<String> {
        let columns = self.window.west..=self.window.east;
        let ruler: String = columns
            .clone()
            .map(|c| match c % 10 {
                0 => char::from_digit(u32::from((c / 10).unsigned_abs() % 10), 10).unwrap_or('.'),
                5 => '5',
                _ => '.',
            })
            .collect();
        let mut lines = vec![format!("     {ruler}")];
        let (first, last) = self.span();
        for line in first..=last {
            let marks: String = columns.clone().map(|c| self.at((i32::from(c), line)).1).collect();
            lines.push(format!("  {:02} {marks}", 2 * line + 1).trim_end().to_owned());
        }
        lines
    }
}

/// The line on which a row is drawn.
fn line_of(row: i16) -> i32 {
    i32::from(row - 1).div_euclid(2)
}

/// The cell of a hex.
fn cell_of(hex: Hex) -> Cell {
    (i32::from(hex.col), line_of(hex.row))
}

/// The centre of a hex.
fn centre(hex: Hex) -> Point {
    let down = i32::from(hex.col % 2 == 0);
    (3 * i32::from(hex.col), 2 * i32::from(hex.row) + down)
}

/// The two corners of a hexside.
fn corners(side: Hexside) -> (Point, Point) {
    let (hex, dir) = side.parts();
    let (x, y) = centre(hex);
    match dir {
        Dir::NE => ((x + 1, y - 1), (x + 2, y)),
        Dir::SE => ((x + 2, y), (x + 1, y + 1)),
        // A hexside is kept as N, NE or SE.
        _ => ((x - 1, y - 1), (x + 1, y - 1)),
    }
}

/// Draws rivers, roads, and the line of communication over its roads.
fn ways(sheet: &mut Theatre, chart: &Chart) {
    let lines = chart.map.lines();
    for cell in lines.rivers.iter().flatten() {
        sheet.put(*cell, Kind::River, '~');
    }
    let loc: BTreeSet<(Point, Point)> =
        chart.loc.iter().map(|&s| centres(s)).flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    // A line of communication runs along primary roads; where it does not, the roads are laid anew with it.
    let off_road = chart.loc.iter().any(|side| chart.map.roads.get(side) != Some(&Road::Primary));
    let anew = off_road.then(|| roads(chart.map, chart.loc.iter().copied()));
    for path in anew.as_ref().unwrap_or(&lines.roads) {
        let mut before: Option<(Point, Cell)> = None;
        for &(point, cell) in path {
            sheet.put(cell, Kind::Road, '=');
            if let Some((last, from)) = before
                && loc.contains(&(last, point))
            {
                sheet.put(from, Kind::Loc, '#');
                sheet.put(cell, Kind::Loc, '#');
            }
            before = Some((point, cell));
        }
    }
}

/// The middles of the two hexes that a road joins.
fn centres(side: Hexside) -> (Point, Point) {
    let (a, b) = side.hexes();
    (centre(a), centre(b))
}

/// Primary roads and some more, laid on cells.
fn roads(map: &HexMap, more: impl Iterator<Item = Hexside>) -> Vec<Vec<(Point, Cell)>> {
    let primary = map.roads.iter().filter(|&(_, &class)| class == Road::Primary).map(|(&side, _)| side);
    let drawn: BTreeSet<Hexside> = primary.chain(more).collect();
    let laid = |path: Vec<Point>| {
        let cells = lay(&path);
        path.into_iter().zip(cells).collect()
    };
    paths(&drawn.into_iter().map(centres).collect::<Vec<_>>()).into_iter().map(laid).collect()
}

/// What the map itself gives a theatre sheet to draw: it is the same in every letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    rivers: Vec<Vec<Cell>>,
    roads: Vec<Vec<(Point, Cell)>>,
}

impl Lines {
    /// Primary rivers and roads of a map.
    pub fn of(map: &HexMap) -> Lines {
        let rivers = map.rivers.iter().filter(|&(_, &class)| class == River::Primary);
        let rivers = paths(&rivers.map(|(&side, _)| corners(side)).collect::<Vec<_>>());
        Lines { rivers: rivers.iter().map(|path| lay(path)).collect(), roads: roads(map, std::iter::empty()) }
    }
}

/// Orders segments into paths: each goes on as straight as it can until no segment is left at its end.
///
/// Paths begin where an odd number of segments meet, the least such point first; then rings.
fn paths(segments: &[(Point, Point)]) -> Vec<Vec<Point>> {
    let mut joins: BTreeMap<Point, BTreeSet<Point>> = BTreeMap::new();
    for &(a, b) in segments {
        joins.entry(a).or_default().insert(b);
        joins.entry(b).or_default().insert(a);
    }
    let mut odd: BTreeSet<Point> = joins.iter().filter(|(_, to)| to.len() % 2 == 1).map(|(&p, _)| p).collect();
    let mut found = Vec::new();
    loop {
        let Some(start) = odd.first().or_else(|| joins.keys().next()).copied() else { return found };
        let mut path = vec![start];
        let (mut here, mut came) = (start, (0, 0));
        while let Some(next) = joins.get(&here).and_then(|to| straightest(here, came, to)) {
            for (a, b) in [(here, next), (next, here)] {
                let Some(to) = joins.get_mut(&a) else { continue };
                to.remove(&b);
                if to.is_empty() {
                    joins.remove(&a);
                }
                if !odd.remove(&a) {
                    odd.insert(a);
                }
            }
            came = (next.0 - here.0, next.1 - here.1);
            here = next;
            path.push(here);
        }
        found.push(path);
    }
}

/// The point that turns least from the way one came; the least of equals.
fn straightest(here: Point, came: (i32, i32), to: &BTreeSet<Point>) -> Option<Point> {
    // Half a row is longer than a third of a column: the steps are weighed 5 to 9, near enough to 1 to root 3.
    let onward = |p: &Point| 5 * came.0 * (p.0 - here.0) + 9 * came.1 * (p.1 - here.1);
    to.iter().copied().max_by_key(|p| (onward(p), std::cmp::Reverse(*p)))
}

/// The cells of a path, one a point: a line is kept until the path has clearly left it, which takes away the
/// saw-tooth of columns that stand half a hex lower.
fn lay(path: &[Point]) -> Vec<Cell> {
    let mut line: Option<i32> = None;
    path.iter()
        .map(|&(x, y)| {
            // In quarters of a row: the middle of a line lies at 2 line + 1.75, and 1.5 from it is still near.
            let kept = line.filter(|l| (2 * y - 8 * l - 7).abs() <= 6);
            let now = kept.unwrap_or_else(|| (y - 2).div_euclid(4));
            line = Some(now);
            ((x + 1).div_euclid(3), now)
        })
        .collect()
}

/// Draws towns, depots, cities and the side's own center.
fn towns(sheet: &mut Theatre, chart: &Chart) {
    for (&hex, settlement) in &chart.map.settlements {
        match settlement {
            Settlement::Village => {}
            Settlement::Town => sheet.put(cell_of(hex), Kind::Town, 'o'),
            Settlement::Center | Settlement::DepotTown | Settlement::PrimaryTown => {
                sheet.put(cell_of(hex), Kind::Depot, 'O');
            }
            Settlement::City | Settlement::Capital | Settlement::FortifiedTown | Settlement::Citadel => {
                sheet.put(cell_of(hex), Kind::City, '@');
            }
        }
    }
    for &hex in &chart.centers {
        sheet.put(cell_of(hex), Kind::Center, '*');
    }
}

/// Draws own and enemy pieces; where both share a cell the count stands in the next free one to the right.
fn pieces(sheet: &mut Theatre, chart: &Chart) {
    for &hex in chart.ghosts.keys() {
        sheet.put(cell_of(hex), Kind::Ghost, '?');
    }
    for &hex in chart.own_vedettes.keys() {
        sheet.put(cell_of(hex), Kind::Own, 'v');
    }
    let mut letters: BTreeMap<Cell, char> = BTreeMap::new();
    for (&hex, own) in &chart.own {
        let letter = letters.entry(cell_of(hex)).or_insert(own.letter);
        *letter = own.letter.min(*letter);
    }
    for (cell, letter) in letters {
        sheet.put(cell, Kind::Own, letter);
    }
    let mut counts: BTreeMap<Cell, usize> = BTreeMap::new();
    for (&hex, all) in &chart.enemy {
        *counts.entry(cell_of(hex)).or_insert(0) += all.len();
    }
    let (shared, alone): (Vec<_>, Vec<_>) =
        counts.into_iter().filter(|&(_, n)| n > 0).partition(|&(cell, _)| sheet.at(cell).0 == Kind::Own);
    for (cell, n) in alone {
        sheet.put(cell, Kind::Enemy, digit(n));
    }
    for ((x, line), n) in shared {
        let east = i32::from(sheet.window.east);
        let west = i32::from(sheet.window.west);
        let free = (x + 1..=east).chain((west..x).rev()).find(|&at| sheet.at((at, line)).0 < Kind::Town);
        if let Some(at) = free {
            sheet.put((at, line), Kind::Enemy, digit(n));
        }
    }
}

/// A count in one character, nine for nine or more.
fn digit(n: usize) -> char {
    u32::try_from(n.min(9)).ok().and_then(|d| char::from_digit(d, 10)).unwrap_or('9')
}

/// Writes the names of cities, then of depot towns.
fn names(sheet: &mut Theatre, chart: &Chart) {
    let of = |wanted: &[Settlement]| -> Vec<Hex> {
        chart.map.settlements.iter().filter(|(_, s)| wanted.contains(s)).map(|(&h, _)| h).collect()
    };
    let cities = of(&[Settlement::City, Settlement::Capital, Settlement::FortifiedTown, Settlement::Citadel]);
    let depots = of(&[Settlement::Center, Settlement::DepotTown, Settlement::PrimaryTown]);
    for hex in cities.into_iter().chain(depots) {
        if let Some(name) = chart.map.name(hex)
            && sheet.holds(cell_of(hex))
        {
            place(sheet, cell_of(hex), &text::ascii(&short_name(name)));
        }
    }
}

/// Writes a name beside its mark at the cheapest place, if there is any.
fn place(sheet: &mut Theatre, mark: Cell, name: &str) {
    let whole = text::width(name);
    let mut best: Option<(usize, Cell, String)> = None;
    for length in [whole, 7, 5, 4].into_iter().filter(|&n| n <= whole) {
        let form = text::cut(name, length).trim_end_matches([' ', '-']).to_owned();
        let size = i32::try_from(text::width(&form)).unwrap_or(0);
        for (index, (dx, dy)) in spots(size).into_iter().enumerate() {
            let start = (mark.0 + dx, mark.1 + dy);
            let Some(covered) = covered(sheet, mark, start, size) else { continue };
            let cost = index + covered + 3 * (whole - length);
            if best.as_ref().is_none_or(|&(least, ..)| cost < least) {
                best = Some((cost, start, form.clone()));
            }
        }
    }
    let Some((_, (x, line), form)) = best else { return };
    for (at, letter) in (x..).zip(form.chars()) {
        sheet.put((at, line), Kind::Name, letter);
    }
}

/// Where a name of a length may begin, seen from its mark, the best first.
fn spots(size: i32) -> [(i32, i32); 10] {
    let middle = -(size / 2);
    [
        (2, 0),         // right after one blank
        (1, 0),         // right
        (-size - 1, 0), // left with one blank
        (-size, 0),     // left
        (1, 1),         // below right
        (1, -1),        // above right
        (middle, 1),    // below
        (middle, -1),   // above
        (-size, 1),     // below left
        (-size, -1),    // above left
    ]
}

/// What a name would cost by covering rivers and roads there; `None` if it may not stand there.
fn covered(sheet: &Theatre, mark: Cell, (x, line): Cell, size: i32) -> Option<usize> {
    let mut cost = 0;
    for cell in (x..x + size).map(|at| (at, line)) {
        if !sheet.holds(cell) {
            return None;
        }
        cost += match sheet.at(cell).0 {
            Kind::Blank => 0,
            Kind::River => 3,
            Kind::Road => 5,
            _ => return None,
        };
    }
    let touches = |cell: Cell| cell != mark && sheet.at(cell).1.is_ascii_alphanumeric();
    (!touches((x - 1, line)) && !touches((x + size, line))).then_some(cost)
}

/// Marks what was never in view; whatever is drawn already stays.
fn unseen(sheet: &mut Theatre, chart: &Chart) {
    if chart.unseen.is_empty() {
        return;
    }
    let mut seen: BTreeMap<Cell, bool> = BTreeMap::new();
    for hex in sheet.window.hexes(chart.map) {
        *seen.entry(cell_of(hex)).or_insert(false) |= !chart.unseen.contains(&hex);
    }
    for (cell, _) in seen.into_iter().filter(|&(_, seen)| !seen) {
        sheet.put(cell, Kind::Blank, ':');
    }
}

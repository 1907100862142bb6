//! The field in text: ground, units by their labels and fronts, places by name.

use crate::fog::SideId;
use crate::host::paper::Drawing;
use crate::orders::{Args, Fault, Line, line};
use crate::plane::{Fine, Heading, Spot};
use crate::rules::austerlitz1805::board::{Soil, UnitId, Way};
use crate::rules::austerlitz1805::mist::ChitId;
use crate::rules::austerlitz1805::order;
use crate::rules::austerlitz1805::strategic::Zone;
use crate::rules::austerlitz1805::table::um;
use crate::rules::austerlitz1805::view::View;
use std::collections::BTreeSet;

/// Left of each row: the distance from the southern edge.
const MARGIN: usize = 6;
/// Rows of one drawing at most.
const ROWS: i32 = 36;
/// Rows of the drawing of a stage mail, and the widths of one of its characters, the nearest view first.
const CLOSE: (i32, [i32; 2]) = (7, [250, 400]);
/// Pieces of both sides so near each other, in units, stand in the drawing of a stage mail if the page has room for all.
const ENGAGED: i64 = 2000;
/// Where units are drawn so large or larger, the ground that they take is marked.
const FOOTPRINT: i32 = 125;

/// A label stands so many rows from its unit at most.
const THRONG: usize = 8;
/// So many rows and columns off, a label still is where a reader looks for it.
const BESIDE: (usize, usize) = (1, 4);

/// A window on the field: its south-western corner, and the units that one character covers across.
struct Window {
    x: i32,
    y: i32,
    across: i32,
    columns: i32,
    rows: i32,
}

/// The pieces of both sides that are near each other, and the two of them that are nearest.
pub fn fighting(v: &View) -> Option<(BTreeSet<Spot>, (Spot, Spot))> {
    let me = v.me();
    let units = v.table.standing().map(|(_, u)| (&u.side, u.pose.at));
    let pieces: Vec<(&SideId, Spot)> = units.chain(v.table.mist.chits.values().map(|c| (&c.side, c.at))).collect();
    let far = |a: Spot, b: Spot| {
        let (dx, dy) = (i64::from(a.x - b.x), i64::from(a.y - b.y));
        dx * dx + dy * dy
    };
    let own = pieces.iter().filter(|(side, _)| **side == me);
    let pairs = own.flat_map(|(_, a)| pieces.iter().filter(|(side, _)| **side != me).map(|(_, b)| (*a, *b)));
    let pairs: Vec<(Spot, Spot)> = pairs.collect();
    let nearest = pairs.iter().copied().min_by_key(|(a, b)| far(*a, *b))?;
    let engaged = pairs
        .iter()
        .filter(|(a, b)| (*a, *b) == nearest || far(*a, *b) <= ENGAGED * ENGAGED)
        .flat_map(|(a, b)| [*a, *b])
        .collect();
    Some((engaged, nearest))
}

/// The fighting in few rows: as many as may be of the pieces of both sides that are near each other, and among them where
/// an own unit or chit is nearest to one of the enemy.
pub fn close(v: &View, width: usize) -> Option<Drawing> {
    let (engaged, nearest) = fighting(v)?;
    let window = closest(&engaged, nearest, width);
    let title = format!("round {}", v.table.near_place(window.centre()));
    Some(draw(v, &title, &window, false))
}

/// The middle of that drawing.
pub fn middle(engaged: &BTreeSet<Spot>, nearest: (Spot, Spot), width: usize) -> Spot {
    closest(engaged, nearest, width).centre()
}

fn closest(engaged: &BTreeSet<Spot>, nearest: (Spot, Spot), width: usize) -> Window {
    let columns = i32::try_from(width.saturating_sub(MARGIN)).unwrap_or(70);
    let (rows, widths) = CLOSE;
    let (a, b) = nearest;
    let home = Spot::new((a.x + b.x) / 2, (a.y + b.y) / 2);
    let window = widths.map(|across| {
        // No piece stands on the very edge, where its label would not show whole.
        let low = around_most(engaged, nearest, home, (columns * across, rows * 2 * across), (2 * across, across));
        Window { x: low.x, y: low.y, across, columns, rows }
    });
    let shown = |w: &Window| engaged.iter().filter(|at| w.cell(**at).is_some()).count();
    let [near, wide] = window;
    if shown(&wide) > shown(&near) { wide } else { near }
}

/// The south-western corner of the rectangle of a size that shows two places and the most of some others, none of them nearer
/// to its edges than is said; of such rectangles the one whose middle is nearest to a place.
pub fn around_most(
    pieces: &BTreeSet<Spot>,
    (a, b): (Spot, Spot),
    middle: Spot,
    (wide, high): (i32, i32),
    (side, foot): (i32, i32),
) -> Spot {
    let best = |at: fn(&Spot) -> i32, size: i32, edge: i32| {
        let (low, high) = (at(&a).min(at(&b)), at(&a).max(at(&b)));
        let holds = |from: i32, n: i32| from + edge <= n && n <= from + size - edge;
        let count = |from: i32| pieces.iter().filter(|p| holds(from, at(p))).count();
        let home = at(&middle) - size / 2;
        let ends = pieces.iter().flat_map(|p| [at(p) - edge, at(p) + edge - size]).chain([home]);
        let fits = ends.filter(|from| holds(*from, low) && holds(*from, high));
        let between = (low + high) / 2 - size / 2;
        fits.max_by_key(|from| (count(*from), -(from - home).abs(), *from)).unwrap_or(between)
    };
    Spot { x: best(|p| p.x, wide, side), y: best(|p| p.y, high, foot) }
}

/// All units of both sides, as near as the page allows.
pub fn whole(v: &View, width: usize) -> Drawing {
    let units = v.table.standing().map(|(_, u)| u.pose.at);
    let spots: Vec<Spot> = units.chain(v.table.mist.chits.values().map(|c| c.at)).collect();
    let edge = |part: fn(&Spot) -> i32| {
        let all: Vec<i32> = spots.iter().map(part).collect();
        (all.iter().min().copied().unwrap_or(0), all.iter().max().copied().unwrap_or(0))
    };
    let ((west, east), (south, north)) = (edge(|s| s.x), edge(|s| s.y));
    let columns = i32::try_from(width.saturating_sub(MARGIN)).unwrap_or(70);
    let (wide, high) = (east - west + 2000, north - south + 2000);
    let fits = |across: &i32| columns * across >= wide && ROWS * 2 * across >= high;
    let across = [100, 125, 150, 200, 250, 300, 400, 500].into_iter().find(fits).unwrap_or(800);
    let rows = (high / (2 * across) + 1).min(ROWS);
    let middle = Spot::new((west + east) / 2, (south + north) / 2);
    let window = Window { x: middle.x - columns * across / 2, y: middle.y - rows * across, across, columns, rows };
    draw(v, "The field", &window, true)
}

/// What a word of MAP means.
pub enum Found<'v> {
    /// An area of the strategic maps.
    Zone(&'v Zone),
    /// A place, or where a unit or chit is.
    At(Spot),
}

/// A close-up round a place or a unit.
///
/// # Errors
/// The fault of the name.
pub fn around(v: &View, area: &str, width: usize) -> Result<Drawing, Fault> {
    let at = match find(v, area)? {
        Found::Zone(zone) => return Ok(of_zone(v, zone, width)),
        Found::At(at) => at,
    };
    let columns = i32::try_from(width.saturating_sub(MARGIN)).unwrap_or(70);
    let (across, rows) = (100, 26);
    let window = Window { x: at.x - columns * across / 2, y: at.y - rows * across, across, columns, rows };
    Ok(draw(v, &format!("Round {area}"), &window, true))
}

/// The place, unit, chit or area that a word means.
///
/// # Errors
/// The fault of the name.
pub fn find<'v>(v: &'v View, area: &str) -> Result<Found<'v>, Fault> {
    let mut names: Vec<(String, Spot)> = v.table.units.iter().map(|(id, u)| (id.0.clone(), u.pose.at)).collect();
    names.extend(v.table.units.iter().map(|(id, u)| (v.table.label(id).to_owned(), u.pose.at)));
    names.extend(v.table.mist.chits.iter().map(|(id, c)| (id.0.clone(), c.at)));
    let said = line(0, area);
    // `a4` is a unit's label, `A4` an area: a label written as it stands on the map is that unit.
    let labelled = v.table.units.iter().find(|(id, _)| v.table.label(id) == area.trim());
    if let Some(zone) = zone(v, &said).filter(|_| labelled.is_none()) {
        return Ok(Found::Zone(zone));
    }
    let named = labelled.map(|(_, unit)| Ok(unit.pose.at));
    match named.unwrap_or_else(|| Args::new(&said, 0).name("a place or a unit on the field", &names)) {
        Ok(at) => Ok(Found::At(at)),
        Err(_) => order::place(v, &said).map(Found::At),
    }
}

/// 16.4.1 The area of the strategic maps that a line names, by its code or its name.
fn zone<'v>(v: &'v View, said: &Line) -> Option<&'v Zone> {
    let zones = v.table.board.strategic.zones.iter().enumerate().filter(|_| v.table.board.flow.is_some());
    let names: Vec<(String, usize)> =
        zones.flat_map(|(n, zone)| [(zone.id.clone(), n), (zone.name.clone(), n)]).collect();
    let found = Args::new(said, 0).whole_name(&names)?;
    v.table.board.strategic.zones.get(found)
}

/// 16.4.1 An area of the strategic maps, as large as the page allows.
fn of_zone(v: &View, zone: &Zone, width: usize) -> Drawing {
    let columns = i32::try_from(width.saturating_sub(MARGIN)).unwrap_or(70);
    let (low, high) = zone.rect;
    let across = ((high.x - low.x) / columns + 1).max(100);
    let rows = ((high.y - low.y) / (2 * across) + 1).min(ROWS);
    let window = Window { x: low.x, y: (low.y + high.y) / 2 - rows * across, across, columns, rows };
    draw(v, &format!("Area {}, {}", zone.id, zone.name), &window, true)
}

/// What the signs of a drawing mean.
pub fn key(v: &View, width: usize) -> Vec<String> {
    let t = &v.table;
    let labels = |mine: bool| {
        let first = t.standing().find(|(_, u)| (u.side == v.me()) == mine).map(|(id, _)| t.label(id));
        first.map_or_else(String::new, |label| format!(" such as {label}"))
    };
    let mut said = vec![
        "%  woods        #  village      &  works     o  pond".to_owned(),
        "~  stream       =  crest        :  height    -  road    .  open".to_owned(),
        format!("Two characters are a unit at its middle: yours{}, the enemy's{}.", labels(true), labels(false)),
        "Near by, * is the ground that yours take, @ the enemy's, and ^>v</\\ a front.".to_owned(),
        "A label without room stands a row or a few columns off; one that finds none there is named under the map."
            .to_owned(),
        "Rows count from the southern edge, the scale from the western, in 1/1000 UM.".to_owned(),
        "Tables: l line, c column, q square, u guns ready, b guns limbered, - leader; then degrees, place in UM; S D R \
         state, 1 one step, ! in combat, x no crew, e no ammunition; * a leader with it."
            .to_owned(),
    ];
    said.push(
        "Dice: 5, needs 3 is the roll and the least that does it. In brackets behind a shot: the die, then the roll and \
         the morale that it had to reach, such as (4, 7 v 7)."
            .to_owned(),
    );
    if t.board.flow.is_some() {
        said.push("+3 your chit of box 3; ?3 the enemy's chit 3, whatever it holds.".to_owned());
    }
    said.iter().flat_map(|line| crate::text::wrap(line, width, "  ", 4)).collect()
}

fn draw(v: &View, title: &str, w: &Window, key: bool) -> Drawing {
    let mut cells = ground(v, w);
    lines(v, w, &mut cells);
    let mut pieces: Cells = cells.iter().map(|row| vec![BARE; row.len()]).collect();
    for (id, _) in v.table.standing() {
        ground_of(v, w, id, &mut pieces);
    }
    let mut labels: Cells = cells.iter().map(|row| vec![BARE; row.len()]).collect();
    let units = v.table.standing().map(|(id, unit)| (v.table.label(id).to_owned(), unit.pose.at));
    let strays = sign_all(w, chits(v).into_iter().chain(units), &mut labels);
    lay(&labels, &mut pieces);
    names(v, w, &mut cells, &pieces);
    lay(&pieces, &mut cells);
    let mut out = rows_of(w, &cells);
    out.push(scale(w));
    out.extend(astray(w, &strays));
    if key {
        out.push("% woods  # village  & works  o pond  ~ stream  = crest  : height  - road".to_owned());
        out.push("* yours, @ the enemy's ground; ^>v</\\ fronts; KEY explains the rest.".to_owned());
    }
    let title = format!("{title}: one letter {} UM wide, {} UM high", um(w.across), um(2 * w.across));
    Drawing { title, lines: out, ..Drawing::default() }
}

/// Labels that stand farther from their places than a reader would look, or nowhere.
fn astray(w: &Window, strays: &[String]) -> Vec<String> {
    if strays.is_empty() {
        return Vec::new();
    }
    let width = MARGIN + usize::try_from(w.columns).unwrap_or(70);
    crate::text::wrap(&format!("No room at the right place for {}: see the tables.", strays.join(" ")), width, "", 2)
}

/// The rows of a drawing, each fifth with its distance from the southern edge.
fn rows_of(w: &Window, cells: &Cells) -> Vec<String> {
    let row = |(row, line): (i32, &Vec<char>)| {
        let y = w.y + (w.rows - row) * 2 * w.across - w.across;
        let label = if row % 5 == 0 { format!("{y:>5} ") } else { " ".repeat(MARGIN) };
        format!("{label}{}", line.iter().collect::<String>()).trim_end().to_owned()
    };
    (0..).zip(cells).map(row).collect()
}

/// The scale under the map: distances from the western edge.
fn scale(w: &Window) -> String {
    let mut line = " ".repeat(MARGIN);
    let mut column = 0;
    while column + 6 <= w.columns {
        line.push_str(&format!("{:<10}", format!("|{}", w.x + column * w.across)));
        column += 10;
    }
    line.chars().take(MARGIN + usize::try_from(w.columns).unwrap_or(70)).collect::<String>().trim_end().to_owned()
}

impl Window {
    /// The middle of it all.
    fn centre(&self) -> Spot {
        Spot::new(self.x + self.columns * self.across / 2, self.y + self.rows * self.across)
    }

    /// The middle of a character.
    fn middle(&self, row: i32, column: i32) -> Fine {
        let x = self.x + column * self.across + self.across / 2;
        let y = self.y + (self.rows - 1 - row) * 2 * self.across + self.across;
        Spot::new(x, y).fine()
    }

    /// The row and column of a place, if it is in the window.
    fn cell(&self, at: Spot) -> Option<(usize, usize)> {
        let column = (at.x - self.x).div_euclid(self.across);
        let row = self.rows - 1 - (at.y - self.y).div_euclid(2 * self.across);
        let inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        inside.then(|| Some((usize::try_from(row).ok()?, usize::try_from(column).ok()?))).flatten()
    }
}

type Cells = Vec<Vec<char>>;

/// A character on which no piece stands.
const BARE: char = '\0';

fn put(cells: &mut Cells, (row, column): (usize, usize), c: char) {
    if let Some(cell) = cells.get_mut(row).and_then(|r| r.get_mut(column)) {
        *cell = c;
    }
}

/// Lays one drawing over another: where it is bare the one below shows.
fn lay(over: &Cells, below: &mut Cells) {
    for (row, over) in below.iter_mut().zip(over) {
        row.iter_mut().zip(over).filter(|(_, sign)| **sign != BARE).for_each(|(cell, sign)| *cell = *sign);
    }
}

fn ground(v: &View, w: &Window) -> Cells {
    let g = &v.table.board.ground;
    let soil = |at: Fine| {
        let spot = at.spot();
        if spot.x < 0 || spot.y < 0 || spot.x > g.width || spot.y > g.height {
            return ' ';
        }
        match g.areas.iter().filter(|a| a.shape.holds(at)).map(|a| a.soil).max() {
            Some(Soil::Woods) => '%',
            Some(Soil::Settlement) => '#',
            Some(Soil::Fortification) => '&',
            Some(Soil::Pond) => 'o',
            None if g.hills.iter().any(|h| h.holds(at)) => ':',
            None => '.',
        }
    };
    (0..w.rows).map(|row| (0..w.columns).map(|column| soil(w.middle(row, column))).collect()).collect()
}

/// Streams, crests and roads, a character at a time.
fn lines(v: &View, w: &Window, cells: &mut Cells) {
    for (way, sign) in [(Way::Road, '-'), (Way::Stream, '~'), (Way::Crest, '=')] {
        for course in v.table.board.ground.ways(way) {
            for (a, b) in course.stretches() {
                let steps = ((b.x - a.x).abs().max((b.y - a.y).abs()) / (w.across / 2)).max(1);
                for step in 0..=steps {
                    let along = |p: i32, q: i32| p + (q - p) * step / steps;
                    let at = Spot::new(along(a.x, b.x), along(a.y, b.y));
                    if let Some(cell) = w.cell(at) {
                        put(cells, cell, sign);
                    }
                }
            }
        }
    }
}

/// Names of places to the right of their villages; to the left, above or below where pieces or another name stand there.
fn names(v: &View, w: &Window, cells: &mut Cells, pieces: &Cells) {
    let mut taken = pieces.clone();
    for place in &v.table.board.places {
        let Some((row, column)) = w.cell(place.at) else { continue };
        let length = place.name.chars().count();
        let free = |cell: &(usize, usize)| has_room(&taken, *cell, &place.name);
        let left = (column + 1).saturating_sub(length);
        let rows = [row, row.saturating_sub(1), row + 1, row.saturating_sub(2), row + 2];
        let columns = [column, left, column + 1, column.saturating_sub(length / 2), column + 2, left.saturating_sub(2)];
        let around = rows.map(|row| columns.map(|column| (row, column)));
        // Where nothing is free round it, a name is left out: half of it would be no name.
        let Some(spot) = around.into_iter().flatten().find(free) else { continue };
        write(cells, spot, &place.name);
        write(&mut taken, spot, &place.name);
    }
}

/// Whether nothing stands on the field.
pub fn bare(v: &View) -> bool {
    v.table.units.is_empty() && v.table.mist.chits.is_empty()
}

/// 16.4.2.4 A chit: one's own by the number of its box, the enemy's by the name that both know.
pub fn sign(v: &View, id: &ChitId) -> String {
    let own = v.own.boxes.iter().find(|(_, b)| b.chit == *id).map(|(n, _)| *n);
    let digits: String = id.0.chars().filter(char::is_ascii_digit).collect();
    own.map_or_else(|| format!("?{digits}"), |n| format!("+{n}"))
}

fn chits(v: &View) -> Vec<(String, Spot)> {
    v.table.mist.chits.iter().map(|(id, chit)| (sign(v, id), chit.at)).collect()
}

/// 16.4.1 The whole map with its areas: `|` and `_` between them, `!` on the dashed line.
pub fn strategic(v: &View, width: usize) -> Drawing {
    let g = &v.table.board.ground;
    let columns = i32::try_from(width.saturating_sub(MARGIN)).unwrap_or(70);
    let across = (g.width / columns + 1).max(400);
    let rows = g.height / (2 * across) + 1;
    let w = Window { x: 0, y: 0, across, columns, rows };
    let mut cells: Cells =
        (0..rows).map(|row| (0..columns).map(|column| border(v, &w, row, column)).collect()).collect();
    for zone in &v.table.board.strategic.zones {
        let (low, high) = zone.rect;
        let Some((row, column)) = w.cell(Spot::new(low.x + across, high.y - 3 * across)) else { continue };
        let present: Vec<&str> = v.own.corps.iter().filter(|(_, z)| **z == zone.id).map(|(c, _)| c.as_str()).collect();
        let room = usize::try_from((high.x - low.x) / across).unwrap_or(8).saturating_sub(2);
        let names = crate::text::wrap(&present.join(" "), room.max(8), "", 0);
        let labels = [zone.id.clone(), zone.name.clone()].into_iter().chain(names);
        for (n, label) in labels.enumerate() {
            for (k, c) in label.chars().take(room).enumerate() {
                put(&mut cells, (row + n, column + k), c);
            }
        }
    }
    let mut signs: Cells = cells.iter().map(|row| vec![BARE; row.len()]).collect();
    let strays = sign_all(&w, chits(v).into_iter(), &mut signs);
    lay(&signs, &mut cells);
    let mut lines = rows_of(&w, &cells);
    lines.push(scale(&w));
    lines.extend(astray(&w, &strays));
    let legend = "Corps stand under the names of areas.  ! dashed line  / striped zone";
    lines.push(legend.chars().take(width).collect());
    Drawing { title: "Your strategic map".to_owned(), lines, ..Drawing::default() }
}

/// What a character of the strategic map shows.
fn border(v: &View, w: &Window, row: i32, column: i32) -> char {
    let board = &v.table.board;
    let zone = |row: i32, column: i32| {
        let at = w.middle(row, column).spot();
        board.strategic.zones.iter().find(|z| crate::rules::austerlitz1805::strategic::holds(z.rect, at))
    };
    let (here, right, below) = (zone(row, column), zone(row, column + 1), zone(row + 1, column));
    let id = |z: Option<&crate::rules::austerlitz1805::strategic::Zone>| z.map(|z| (z.id.clone(), z.side.clone()));
    let differs =
        |a: &Option<(String, _)>, b: &Option<(String, _)>| a.as_ref().map(|x| &x.0) != b.as_ref().map(|x| &x.0);
    let front = |a: &Option<(String, crate::fog::SideId)>, b: &Option<(String, crate::fog::SideId)>| {
        a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a.1 != b.1)
    };
    let (here, right, below) = (id(here), id(right), id(below));
    if front(&here, &right) || front(&here, &below) {
        return '!';
    }
    let striped = board
        .strategic
        .striped
        .as_ref()
        .filter(|s| board.closed(v.table.mist.assault, &s.side, w.middle(row, column).spot()));
    if striped.is_some() {
        return '/';
    }
    match (differs(&here, &right), differs(&here, &below)) {
        (true, _) => '|',
        (false, true) => '_',
        (false, false) => ' ',
    }
}

/// The ground that a unit takes, and its front, where there is room for both.
fn ground_of(v: &View, w: &Window, id: &UnitId, cells: &mut Cells) {
    let Some(unit) = v.table.unit(id).filter(|_| w.across <= FOOTPRINT) else { return };
    let shape = v.table.shape(id);
    let sign = if unit.side == v.me() { '*' } else { '@' };
    for row in 0..w.rows {
        for column in 0..w.columns {
            if shape.holds(w.middle(row, column)) {
                let at = usize::try_from(row).ok().zip(usize::try_from(column).ok());
                at.into_iter().for_each(|cell| put(cells, cell, sign));
            }
        }
    }
    // The front stands just before the block.
    let ahead = v.table.front(id).toward(unit.pose.facing, w.across / 2).spot();
    let centre = w.cell(unit.pose.at);
    if let Some(cell) = w.cell(ahead).filter(|cell| Some(*cell) != centre) {
        put(cells, cell, arrow(unit.pose.facing));
    }
}

/// The labels of units and chits, each at its middle where no other has come before it; the others then as near to theirs as
/// there is room, but never over another one. Says which stand farther off than a reader would look.
fn sign_all(w: &Window, signs: impl Iterator<Item = (String, Spot)>, cells: &mut Cells) -> Vec<String> {
    let mut late = Vec::new();
    for (sign, at) in signs {
        let Some(cell) = w.cell(at) else { continue };
        if has_room(cells, cell, &sign) { write(cells, cell, &sign) } else { late.push((sign, cell)) }
    }
    let mut strays = Vec::new();
    for (sign, (row, column)) in late {
        let off = |(r, c): &(usize, usize)| 4 * r.abs_diff(row).pow(2) + c.abs_diff(column).pow(2);
        let rows = row.saturating_sub(THRONG)..=row + THRONG;
        let around = rows.flat_map(|r| (column.saturating_sub(2 * THRONG)..=column + 2 * THRONG).map(move |c| (r, c)));
        let spot = around.filter(|cell| has_room(cells, *cell, &sign)).min_by_key(off);
        spot.into_iter().for_each(|cell| write(cells, cell, &sign));
        if spot.is_none_or(|(r, c)| r.abs_diff(row) > BESIDE.0 || c.abs_diff(column) > BESIDE.1) {
            strays.push(sign);
        }
    }
    strays
}

/// Whether a label has room from a cell on.
fn has_room(cells: &Cells, (row, column): (usize, usize), sign: &str) -> bool {
    let under = cells.get(row).and_then(|r| r.get(column..column + sign.chars().count()));
    under.is_some_and(|cells| cells.iter().all(|c| *c == BARE))
}

fn write(cells: &mut Cells, (row, column): (usize, usize), sign: &str) {
    for (n, c) in sign.chars().enumerate() {
        put(cells, (row, column + n), c);
    }
}

fn arrow(facing: Heading) -> char {
    const ARROWS: [char; 8] = ['^', '/', '>', '\\', 'v', '/', '<', '\\'];
    let at = usize::try_from((facing.degrees() * 2 + 45) / 90 % 8).unwrap_or(0);
    ARROWS.get(at).copied().unwrap_or('^')
}

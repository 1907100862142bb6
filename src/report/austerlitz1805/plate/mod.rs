//! The field of Austerlitz as a picture in SVG: the ground, units as the blocks that they are, chits, areas.
//!
//! All of it comes from a seat's view. Each fact stands in the picture as an element with `data-` attributes, so that a test
//! reads it back. One unit of the picture is one of the plane; north is up.

mod chits;
mod ground;
mod key;
pub mod marks;
mod names;
mod units;

use super::field::{self, Found};
use super::{Austerlitz, pen};
use crate::fog::SideId;
use crate::host::paper::{Page, Plate as Paper, Sections};
use crate::ink::{Labels, Point, Svg};
use crate::map::draw::plate::{LEAST, palette};
use crate::orders::Fault;
use crate::plane::{Fine, Spot};
use crate::rules::austerlitz1805::view::View;
use crate::text;

/// Width of the picture in pixels, near and far.
const PIXELS: (i32, i32) = (860, 1000);
/// A sheet no wider is near.
const NEAR: i32 = 16_000;
/// Width and height of a close-up.
const CLOSE: (i32, i32) = (11_000, 9_000);
/// The ruled border, in tenths of a pixel.
const BORDER: i32 = 210;
/// A rectangle of ground: its south-western and its north-eastern corner.
type Rect = (Spot, Spot);

/// A sheet while it is drawn.
struct Plate<'v> {
    v: &'v View,
    rect: Rect,
    near: bool,
    /// The least size of letters in tenths of a pixel of a picture 600 pixels wide; nought where the reader comes nearer.
    least: i32,
    /// The width of ground by which lines and letters are measured.
    wide: i32,
    svg: Svg,
    labels: Labels,
}

fn draw(v: &View, rect: Rect, title: &str) -> String {
    let (low, high) = rect;
    let size = (high.x - low.x, high.y - low.y);
    let near = size.0 <= NEAR;
    let svg = Svg::new((low.x, -high.y), size, if near { PIXELS.0 } else { PIXELS.1 }, title);
    let mut plate = Plate { v, rect, near, least: LEAST, wide: size.0, svg, labels: Labels::default() };
    plate.country();
    plate.svg.part();
    plate.areas();
    plate.reaches();
    plate.units();
    plate.chits();
    plate.border();
    plate.names();
    plate.svg.finish()
}

/// Draws all of the field as an order sheet has it, as near as a close-up, with room for what the sheet draws under the
/// units; and the drawing's corner, width and height.
pub fn sheet(v: &View) -> (String, [i32; 4]) {
    let rect = whole(v);
    let (corner, size) = ((rect.0.x, -rect.1.y), (rect.1.x - rect.0.x, rect.1.y - rect.0.y));
    let svg = Svg::new(corner, size, PIXELS.1, "Map");
    let mut plate = Plate { v, rect, near: true, least: 0, wide: CLOSE.0, svg, labels: Labels::default() };
    plate.country();
    plate.areas();
    plate.reaches();
    plate.svg.group(&[("id", "over")]);
    plate.svg.close();
    plate.units();
    plate.chits();
    plate.names();
    (plate.svg.finish(), [corner.0, corner.1, size.0, size.1])
}

impl Plate<'_> {
    /// A width in tenths of a pixel of a picture 600 pixels wide, as a length on the sheet.
    fn pen(&self, tenths: i32) -> i32 {
        (self.wide * tenths / 6000).max(1)
    }

    /// The size of letters: so many tenths of a pixel, and as large as a reader needs them.
    fn letter(&self, tenths: i32) -> i32 {
        self.pen(tenths.max(self.least))
    }

    fn stroke(&mut self, lines: &[Vec<Point>], colour: &str, tenths: i32, more: &[(&str, &str)]) {
        self.svg.stroke(lines, colour, self.pen(tenths), more);
    }

    /// Words with a halo of paper.
    fn halo(&mut self, at: Point, words: &str, colour: &str, more: &[(&str, &str)]) {
        let halo = (palette::PAPER, self.pen(26));
        self.svg.haloed(at, words, colour, halo, more);
    }

    /// Whether a place lies on the sheet.
    fn shows(&self, at: Spot) -> bool {
        shows(self.rect, at)
    }

    /// The corner and the size of what lies inside the border.
    fn inner(&self) -> (Point, Point) {
        let ((low, high), edge) = (self.rect, self.pen(BORDER));
        ((low.x + edge, edge - high.y), (high.x - low.x - 2 * edge, high.y - low.y - 2 * edge))
    }

    /// Whether a side is the one that looks; the umpire looks with the side that moves first.
    fn ours(&self, side: &SideId) -> bool {
        ours(self.v, side)
    }
}

/// A place of the plane on the sheet.
fn point(at: Spot) -> Point {
    (at.x, -at.y)
}

/// A place in fine units, to the nearest unit.
fn fine(at: Fine) -> Point {
    point(at.spot())
}

fn shows((low, high): Rect, at: Spot) -> bool {
    (low.x..high.x).contains(&at.x) && (low.y..high.y).contains(&at.y)
}

fn ours(v: &View, side: &SideId) -> bool {
    match &v.side {
        Some(me) => me == side,
        None => v.table.board.sides.first().is_some_and(|first| first.id == *side),
    }
}

/// All of the field, and whoever stands beyond its edges.
fn whole(v: &View) -> Rect {
    let g = &v.table.board.ground;
    let units = v.table.standing().map(|(_, u)| u.pose.at);
    let all: Vec<Spot> = units.chain(v.table.mist.chits.values().map(|c| c.at)).collect();
    let least = |part: fn(&Spot) -> i32| all.iter().map(|s| part(s) - 600).chain([0]).min().unwrap_or(0);
    let most = |part: fn(&Spot) -> i32, end: i32| all.iter().map(|s| part(s) + 600).chain([end]).max().unwrap_or(end);
    let low = Spot::new(least(|s| s.x), least(|s| s.y));
    (low, Spot::new(most(|s| s.x, g.width), most(|s| s.y, g.height)))
}

/// A close-up round a place.
fn round(at: Spot) -> Rect {
    let (wide, high) = (CLOSE.0 / 2, CLOSE.1 / 2);
    (Spot::new(at.x - wide, at.y - high), Spot::new(at.x + wide, at.y + high))
}

/// A picture in words, for who does not see it: who stands where on a sheet.
fn said(v: &View, rect: Rect, title: &str) -> String {
    let t = &v.table;
    let of = |own: bool| {
        let units = t.standing().filter(|(_, u)| ours(v, &u.side) == own && shows(rect, u.pose.at));
        let units = units.map(|(id, u)| format!("{} {}", pen::full(t, id), pen::spot(u.pose.at)));
        let chits = t.mist.chits.iter().filter(|(_, c)| ours(v, &c.side) == own && shows(rect, c.at));
        let chits = chits.map(|(id, c)| format!("{} {}", field::sign(v, id), pen::spot(c.at)));
        let all: Vec<String> = units.chain(chits).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(", ") }
    };
    format!("Map of {title}. Own: {}. Enemy: {}.", of(true), of(false))
}

fn plated(v: &View, rect: Rect, title: String, theatre: bool) -> Paper {
    let said = said(v, rect, &title);
    let svg = draw(v, rect, &said);
    let key = if theatre { String::new() } else { key::key(v, rect) };
    let title = if key.is_empty() { title } else { format!("{title}: {key}") };
    Paper { title, svg, said, theatre }
}

/// The plates of a report: the fighting where the reader may act or something has changed, and the whole field once a turn.
pub fn add(page: &Page<'_, Austerlitz>, open: bool, sections: &mut Sections) {
    let v = page.view;
    let first = page.before.is_none();
    let close = field::fighting(v).filter(|_| page.whole || first || open);
    if let Some((pieces, nearest)) = close {
        // Round the same place as the drawing in characters, so that both have one name.
        let middle = field::middle(&pieces, nearest, text::WIDTH);
        let low = field::around_most(&pieces, nearest, middle, CLOSE, (1000, 900));
        let rect = (low, Spot::new(low.x + CLOSE.0, low.y + CLOSE.1));
        sections.plates.push(plated(v, rect, format!("the field round {}", v.table.near_place(middle)), false));
    }
    let all = page.whole || page.before.is_none_or(|before| before.table.turn != v.table.turn);
    if all {
        sections.plates.push(plated(v, whole(v), "the whole field".to_owned(), true));
    }
    let closed = sections.plates.iter().any(|plate| !plate.theatre);
    for map in &mut sections.maps {
        map.plated = closed || all;
    }
}

/// What MAP shows, drawn.
///
/// # Errors
/// The fault of the area's name.
pub fn area(v: &View, area: Option<&str>) -> Result<String, Fault> {
    let named = |word: &str| area.is_some_and(|area| area.trim().eq_ignore_ascii_case(word));
    let all = ["", "all", "strategic", "strat"].into_iter().any(named);
    let (rect, title) = match area.filter(|_| !all) {
        None => (whole(v), "the whole field".to_owned()),
        Some(area) => match field::find(v, area)? {
            Found::Zone(zone) => (zone.rect, format!("area {}, {}", zone.id, zone.name)),
            Found::At(at) => (round(at), format!("the field round {}", area.trim())),
        },
    };
    Ok(draw(v, rect, &said(v, rect, &title)))
}

//! The field of a battle on hexes as a picture in SVG: the ground, who stands on it, how he faces and how he is.
//!
//! What is drawn is what a [`Scene`] holds, and whoever makes one takes it from a seat's view. Each fact stands in the picture
//! as an element with `data-` attributes, so that a test reads it back. Sides are never told by colour alone: own pieces are
//! solid, the enemy's framed, what is seen badly is striped, what is out of sight dashed.

mod counters;
mod ground;
mod key;
pub mod marks;
mod names;
pub mod show;

pub use key::key;

use super::Window;
use crate::hex::{Dir, Hex, Hexside};
use crate::ink::{Labels, Point, Svg};
use crate::map::draw::plate::LEAST;
use crate::map::draw::plate::geometry::{ACROSS, DOWN, RADIUS, centre};
use crate::rules::tactical::field::Field;
use crate::rules::tactical::ground::Arm;
use crate::rules::tactical::tags::Contact;
use std::collections::{BTreeMap, BTreeSet};

/// The most columns that a near sheet shows.
const NEAR_COLUMNS: i16 = 16;
/// Width of the picture in pixels, near and far.
const PIXELS: (i32, i32) = (900, 1120);
/// Around a far sheet, in tenths of a pixel: the numbers of columns and rows.
const RULER: i32 = 230;

/// What a kind of ground looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Soil {
    /// Nothing that is drawn.
    Open,
    /// Vineyards.
    Vines,
    /// Woods.
    Woods,
    /// Marsh.
    Marsh,
    /// Houses.
    Town,
    /// A road between walls.
    Walled,
    /// A river or lake.
    Water,
    /// Off the field.
    Off,
}

/// How a counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mood {
    /// In good order.
    Fresh,
    /// Tired: round ends, and T.
    Tired,
    /// Running: askew, and R.
    Routed,
}

/// How a counter faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Front {
    /// It has no front, or nobody knows.
    None,
    /// One hexside.
    To(Dir),
    /// A corner: this hexside and the next to the right.
    Corner(Dir),
    /// All round.
    Round,
}

/// A counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// By what name orders know it: its own, or a tag.
    pub name: String,
    /// What a far sheet calls it, in three letters.
    pub code: String,
    /// Its regiment, where that is known and its name does not say it.
    pub of: String,
    /// Whether it is of the side that looks.
    pub own: bool,
    /// Its arm; none where that is not seen.
    pub arm: Option<Arm>,
    /// How it faces.
    pub front: Front,
    /// How it is; none where that is not seen.
    pub mood: Option<Mood>,
    /// Whether it may act now.
    pub acts: bool,
    /// Whether it is an own counter that is nothing.
    pub hollow: bool,
}

/// A leader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// His name.
    pub name: String,
    /// Whether he is of the side that looks.
    pub own: bool,
}

/// An enemy who is out of sight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// His tag.
    pub name: String,
    /// What he looked like, in a word.
    pub arm: String,
    /// The turn in which he was last seen.
    pub turn: u32,
}

impl Ghost {
    /// An enemy as he was last seen, with his hex.
    pub fn of(tag: &str, contact: &Contact) -> (Hex, Ghost) {
        let arm = contact.face.arm.split(' ').next().unwrap_or_default().to_owned();
        (contact.face.hex, Ghost { name: tag.to_owned(), arm, turn: contact.turn })
    }
}

/// Those in each hex, in their order.
pub fn piled<T>(all: impl Iterator<Item = (Hex, T)>) -> BTreeMap<Hex, Vec<T>> {
    let mut found: BTreeMap<Hex, Vec<T>> = BTreeMap::new();
    all.for_each(|(hex, one)| found.entry(hex).or_default().push(one));
    found
}

/// Guns that are printed on the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Battery {
    /// Its name.
    pub name: String,
    /// Whether it is of the side that looks.
    pub own: bool,
    /// The hexsides over which it fires.
    pub sides: Vec<Dir>,
}

/// A field with all that is drawn on it.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The ground.
    pub field: &'a Field,
    /// What a kind of ground looks like.
    pub soil: fn(&str) -> Soil,
    /// Hexsides along which water runs.
    pub streams: BTreeSet<Hexside>,
    /// Places made strong.
    pub works: BTreeSet<Hex>,
    /// Printed guns.
    pub batteries: BTreeMap<Hex, Vec<Battery>>,
    /// Who holds a place: whether it is the side that looks.
    pub held: BTreeMap<String, bool>,
    /// Who stands where.
    pub counters: BTreeMap<Hex, Vec<Counter>>,
    /// Where leaders are.
    pub leaders: BTreeMap<Hex, Vec<Leader>>,
    /// Where enemies were last seen.
    pub ghosts: BTreeMap<Hex, Vec<Ghost>>,
}

impl<'a> Scene<'a> {
    /// A field with nobody on it.
    pub fn new(field: &'a Field, soil: fn(&str) -> Soil) -> Scene<'a> {
        Scene {
            field,
            soil,
            streams: BTreeSet::new(),
            works: BTreeSet::new(),
            batteries: BTreeMap::new(),
            held: BTreeMap::new(),
            counters: BTreeMap::new(),
            leaders: BTreeMap::new(),
            ghosts: BTreeMap::new(),
        }
    }

    /// The window that shows all of the field.
    pub fn whole(&self) -> Window {
        let last = self.field.last();
        Window { first: Hex::new(1, 1), columns: last.col, rows: last.row }
    }

    /// A picture in words, for who does not see it: who stands where in a window, and what was last seen there.
    pub fn said(&self, window: Window, title: &str) -> String {
        let here = |hex: &Hex| holds(window, *hex);
        let of = |own: bool| {
            let mut said = Vec::new();
            for (hex, all) in self.counters.iter().filter(|(hex, _)| here(hex)) {
                said.extend(all.iter().filter(|c| c.own == own).map(|c| format!("{} {hex}", c.name)));
            }
            for (hex, all) in self.leaders.iter().filter(|(hex, _)| here(hex)) {
                said.extend(all.iter().filter(|l| l.own == own).map(|l| format!("{} {hex}", l.name)));
            }
            if said.is_empty() { "none".to_owned() } else { said.join(", ") }
        };
        let ghosts = self.ghosts.iter().filter(|(hex, _)| here(hex));
        let seen =
            ghosts.flat_map(|(hex, all)| all.iter().map(move |g| format!("{} {hex} on turn {}", g.name, g.turn)));
        let seen: Vec<String> = seen.collect();
        let last = if seen.is_empty() { String::new() } else { format!(" Last seen: {}.", seen.join(", ")) };
        format!("Map of {title}. Own: {}. Enemy: {}.{last}", of(true), of(false))
    }
}

/// Whether a window shows a hex.
pub fn holds(window: Window, hex: Hex) -> bool {
    let Window { first, columns, rows } = window;
    (first.col..first.col + columns).contains(&hex.col) && (first.row..first.row + rows).contains(&hex.row)
}

/// A sheet while it is drawn.
struct Plate<'s> {
    scene: &'s Scene<'s>,
    window: Window,
    /// Whether hexes are large enough for ids.
    near: bool,
    /// Whether they are drawn, or left to the page that has the drawing.
    ids: bool,
    /// The least size of letters in tenths of a pixel of a picture 600 pixels wide; nought where the reader comes nearer.
    least: i32,
    /// The width of ground by which lines and letters are measured.
    wide: i32,
    /// The hex in the south-east of the field.
    last: Hex,
    corner: Point,
    size: Point,
    svg: Svg,
    labels: Labels,
}

/// Draws what a scene holds of a window. The title says in words what it shows; it is what a screen reader reads.
pub fn plate(scene: &Scene<'_>, window: Window, title: &str) -> String {
    let near = window.columns <= NEAR_COLUMNS;
    let (x, _) = centre(window.first);
    let (wide, high) = (i32::from(window.columns), i32::from(window.rows));
    let inner = ((wide - 1).max(0) * ACROSS + 2 * RADIUS, high * DOWN + DOWN / 2);
    let edge = if near { 0 } else { inner.0 * RULER / 6000 };
    let corner = (x - RADIUS - edge, i32::from(window.first.row - 1) * DOWN - edge);
    let size = (inner.0 + edge, inner.1 + edge);
    let svg = Svg::new(corner, size, if near { PIXELS.0 } else { PIXELS.1 }, title);
    let (last, labels) = (scene.field.last(), Labels::default());
    let mut plate =
        Plate { scene, window, near, ids: near, least: LEAST, wide: size.0, last, corner, size, svg, labels };
    plate.country();
    plate.svg.part();
    plate.pieces();
    plate.names();
    plate.svg.finish()
}

/// Draws a window as an order sheet has it, as near as a close-up but without ids, which the sheet lays over it where they
/// are wanted; and the drawing's corner, width and height.
pub fn sheet(scene: &Scene<'_>, window: Window) -> (String, [i32; 4]) {
    let (x, _) = centre(window.first);
    let across = |columns: i16| (i32::from(columns) - 1).max(0) * ACROSS + 2 * RADIUS;
    let corner = (x - RADIUS, i32::from(window.first.row - 1) * DOWN);
    let size = (across(window.columns), i32::from(window.rows) * DOWN + DOWN / 2);
    let svg = Svg::new(corner, size, PIXELS.1, "Map");
    let (last, labels, wide) = (scene.field.last(), Labels::default(), across(NEAR_COLUMNS));
    let mut plate = Plate { scene, window, near: true, ids: false, least: 0, wide, last, corner, size, svg, labels };
    plate.country();
    plate.svg.group(&[("id", "over")]);
    plate.svg.close();
    plate.pieces();
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

    fn shows(&self, hex: Hex) -> bool {
        holds(self.window, hex)
    }

    /// The hexes of the window that lie on the field.
    fn hexes(&self) -> Vec<Hex> {
        self.window.hexes().filter(|hex| self.scene.field.cells.contains_key(hex)).collect()
    }

    fn stroke(&mut self, lines: &[Vec<Point>], colour: &str, tenths: i32, more: &[(&str, &str)]) {
        self.svg.stroke(lines, colour, self.pen(tenths), more);
    }
}

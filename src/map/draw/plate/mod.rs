//! The drawn map: what a [`Chart`] holds, as a picture in SVG.
//!
//! Two kinds of sheet, by how many columns they show: near (hex ids, names of villages, strength on each block) and far.
//! Each fact of the chart stands in the picture as an element with a `data-` attribute, so that a test reads it back.
//! Sides are never told by colour alone: own pieces are solid, enemy counters framed, what is out of sight is dashed.

pub mod geometry;
mod ground;
mod names;
mod pieces;
mod ways;

use super::{Chart, Window};
use crate::ink::{Labels, Svg};
use geometry::Frame;

/// The word by which a picture's data tells whose a piece is.
pub fn side_word(own: bool) -> &'static str {
    if own { "own" } else { "enemy" }
}

/// Colours, all on paper; the ratios of contrast are checked by a test.
pub mod palette {
    /// The sheet.
    pub const PAPER: &str = "#f4ecd8";
    /// Names and ids.
    pub const INK: &str = "#2b2620";
    /// Hills.
    pub const HILL: &str = "#eadcbb";
    /// Mountains.
    pub const MOUNTAIN: &str = "#dcc8a0";
    /// Hachures.
    pub const HACHURE: &str = "#8a6f4d";
    /// Hachures away from the light, and hexes.
    pub const SHADE: &str = "#5d4529";
    /// Woods.
    pub const WOOD: &str = "#dfe0bd";
    /// Trees.
    pub const TREE: &str = "#5f6f45";
    /// Banks of rivers.
    pub const BANK: &str = "#3f7391";
    /// Water.
    pub const WATER: &str = "#bcd5de";
    /// Borders of primary roads.
    pub const ROAD: &str = "#6e2f22";
    /// What lies between them.
    pub const ROADBED: &str = "#fbf3df";
    /// Secondary roads.
    pub const TRACK: &str = "#8a5a48";
    /// Towns.
    pub const TOWN: &str = "#9c2f26";
    /// Own pieces.
    pub const OWN: &str = "#1f4480";
    /// What is written on own pieces.
    pub const ON_OWN: &str = "#ffffff";
    /// Frames of enemy counters, and what is written on them.
    pub const ENEMY: &str = "#b3261e";
    /// What enemy counters are filled with.
    pub const ON_ENEMY: &str = "#fff8ea";
    /// Zones of control of the enemy.
    pub const ZONE: &str = "#e9d3c2";
    /// Ids of hexes.
    pub const ID: &str = "#5d4529";
    /// What lies off the field.
    pub const MARGIN: &str = "#efe4c9";
    /// The highest ground.
    pub const PEAK: &str = "#cfb78a";
    /// Vineyards.
    pub const VINES: &str = "#e4e3bf";
    /// Marks of what becomes of a piece.
    pub const MARK: &str = "#8a5a00";
}

/// The most columns that a near sheet shows.
const NEAR_COLUMNS: i16 = 16;
/// Width of the picture in pixels, near and far.
const PIXELS: (i32, i32) = (900, 1200);

/// Letters of a picture in a mail, in tenths of a pixel of a picture 600 pixels wide: a phone 360 pixels wide shows them nine
/// high. A sheet with a glass over it may have smaller ones.
pub const LEAST: i32 = 160;

/// From column to column, from row to row, from a centre to its corner in the east.
pub const PITCH: (i32, i32, i32) = (geometry::ACROSS, geometry::DOWN, geometry::RADIUS);

/// A sheet while it is drawn.
struct Plate<'c, 'm> {
    chart: &'c Chart<'m>,
    frame: Frame,
    /// Whether hexes are large enough for ids.
    near: bool,
    /// Whether woods and marsh are drawn in full: a large sheet has fewer trees.
    grown: bool,
    /// The least size of letters, as [`LEAST`] has it; nought where the reader comes nearer.
    least: i32,
    svg: Svg,
    labels: Labels,
}

/// Draws what a chart holds of a window. The title says in words what it shows; it is what a screen reader reads.
pub fn plate(chart: &Chart<'_>, window: Window, title: &str) -> String {
    let near = window.columns() <= NEAR_COLUMNS;
    let frame = Frame::of(chart.map, window);
    let pixels = if near { PIXELS.0 } else { PIXELS.1 };
    let svg = Svg::new(frame.corner, frame.size, pixels, title);
    let mut plate = Plate { chart, frame, near, grown: near, least: LEAST, svg, labels: Labels::default() };
    plate.country(near);
    plate.pieces();
    plate.titles();
    plate.names();
    if near {
        plate.ids();
    }
    plate.svg.finish()
}

impl Plate<'_, '_> {
    /// All that lies under the pieces, with the lines between hexes or without.
    fn country(&mut self, hexed: bool) {
        self.ground();
        if hexed {
            self.hexes();
        }
        self.crests();
        self.ways();
        self.settlements();
    }
}

/// The map as a picture with nothing on it.
pub fn bare(chart: &Chart<'_>, window: Window) -> String {
    let frame = Frame::of(chart.map, window);
    let svg = Svg::new(frame.corner, frame.size, PIXELS.1, "The map");
    let mut plate = Plate { chart, frame, near: false, grown: false, least: LEAST, svg, labels: Labels::default() };
    plate.country(false);
    plate.names();
    plate.svg.finish()
}

/// Draws a part of the map as an order sheet has it, drawn as near as a close-up but without hexes and ids, which the sheet
/// lays over it where they are wanted; and the drawing's corner, width and height.
pub fn sheet(chart: &Chart<'_>, window: Window) -> (String, [i32; 4]) {
    let mut frame = Frame::of(chart.map, window);
    frame.fix(NEAR_COLUMNS);
    let (corner, size) = (frame.corner, frame.size);
    let svg = Svg::new(corner, size, PIXELS.1, "Map");
    let mut plate = Plate { chart, frame, near: true, grown: false, least: 0, svg, labels: Labels::default() };
    plate.country(false);
    plate.svg.group(&[("id", "over")]);
    plate.svg.close();
    plate.pieces();
    plate.titles();
    plate.names();
    (plate.svg.finish(), [corner.0, corner.1, size.0, size.1])
}

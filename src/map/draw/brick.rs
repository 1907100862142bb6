//! The brick: hex ids two lines a row, the links between them in the gaps. Half as tall as a close-up, without names
//! and pieces; for a march over much country.
//!
//! A hex of column c and row r has its id at x = 8(c - west), y = 2(r - north), one line lower in even columns:
//!
//! ```text
//! y    2347 NE     the four places right of the id: the link to the north-east
//! y+1  -S-- SE     below the id the link to the south; right of that the link to the south-east
//! ```

use super::lattice::{Link, links_of, water};
use super::sheet::Sheet;
use super::{Chart, Window};
use crate::hex::Dir;
use crate::map::Road;

/// Places of a column.
const CELL: i32 = 8;

/// Draws a window as a brick.
pub fn brick(chart: &Chart, window: Window) -> Vec<String> {
    let mut sheet = Sheet::new(CELL * i32::from(window.columns()), 2 * i32::from(window.rows()) + 1);
    for hex in window.hexes(chart.map) {
        let x = CELL * i32::from(hex.col - window.west);
        let y = 2 * i32::from(hex.row - window.north) + i32::from(hex.col % 2 == 0);
        sheet.write(x, y, &hex.to_string());
        for (dir, link) in links_of(chart, window, hex) {
            match dir {
                Dir::S => sheet.write(x, y + 1, &upright(&link)),
                Dir::NE => sheet.write(x + 4, y, &slant(&link, '/')),
                _ => sheet.write(x + 4, y + 1, &slant(&link, '\\')),
            }
        }
    }
    let mut lines = sheet.lines();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A link to the south, as close-ups write it: `~##~`, ` || `.
fn upright(link: &Link) -> String {
    let side = link.river.map_or(' ', water);
    let link_mark = match (link.road, link.bridge) {
        (Some(Road::Primary), Some(mark)) => format!("{side}{mark}{mark}{side}"),
        (Some(Road::Secondary), Some(mark)) => format!("{side}{mark}{side}{side}"),
        (Some(Road::Primary), None) => format!("{side}||{side}"),
        (Some(Road::Secondary), None) => format!("{side}|{side}{side}"),
        (None, Some(mark)) => format!("{side}{mark}{mark}{side}"),
        (None, None) => side.to_string().repeat(4),
    };
    match link.redoubt {
        Some(mark) => link_mark.replacen(side, &mark.to_string(), 1),
        None => link_mark,
    }
}

/// An oblique link: river, then bridge, then road, in the middle of its four places: ` ~#/`, ` // `.
fn slant(link: &Link, stroke: char) -> String {
    let road = match link.road {
        Some(Road::Primary) if link.bridge.is_none() => format!("{stroke}{stroke}"),
        Some(_) => stroke.to_string(),
        None => String::new(),
    };
    let bridge = link.bridge.map_or_else(String::new, String::from);
    let river = match link.river {
        Some(class) if road.is_empty() => water(class).to_string().repeat(2),
        Some(class) => water(class).to_string(),
        None => String::new(),
    };
    format!("{}{river}{bridge}{road}", link.redoubt.unwrap_or(' '))
}

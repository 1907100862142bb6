//! Relief, woods, marsh and lakes; the hexes themselves.

use super::geometry::{centre, corners, edge, middle, toward};
use super::{Plate, palette};
use crate::hex::{Dir, Hex};
use crate::ink::{self, Point};
use crate::map::Ground;
use std::collections::BTreeSet;

/// Hachures along one hexside.
const HACHURES: i32 = 4;
/// Trees or strokes of marsh in a hex, near and far.
const GROWN: (i32, i32) = (9, 4);

impl Plate<'_, '_> {
    pub(super) fn ground(&mut self) {
        let (corner, size) = (self.frame.corner, self.frame.size);
        let sheet =
            [("x", corner.0), ("y", corner.1), ("width", size.0), ("height", size.1)].map(|(k, v)| (k, v.to_string()));
        let mut attributes: Vec<(&str, &str)> = sheet.iter().map(|(k, v)| (*k, v.as_str())).collect();
        attributes.push(("fill", palette::PAPER));
        self.svg.element("rect", &attributes);
        self.region(palette::HILL, |ground| matches!(ground, Ground::Hill | Ground::Mountain));
        self.region(palette::MOUNTAIN, |ground| ground == Ground::Mountain);
        self.region(palette::WOOD, |ground| ground == Ground::Woods);
        self.region(palette::WATER, |ground| ground == Ground::Lake);
        self.hachures();
        self.growth();
        self.svg.part();
        self.zones();
    }

    /// The hexes of a kind as one surface with round edges.
    fn region(&mut self, fill: &str, is: fn(Ground) -> bool) {
        let seen = self.frame.hexes(self.chart.map);
        let inside: BTreeSet<Hex> =
            seen.into_iter().filter(|hex| self.chart.map.ground_of(*hex).is_some_and(is)).collect();
        let edges: Vec<(Point, Point)> = inside
            .iter()
            .flat_map(|hex| Dir::ALL.map(|dir| (*hex, dir)))
            .filter(|(hex, dir)| !inside.contains(&hex.neighbour(*dir)))
            .map(|(hex, dir)| edge(hex, dir))
            .collect();
        if edges.is_empty() {
            return;
        }
        let lines: Vec<Vec<Point>> = ink::chains(&edges).iter().map(|line| ink::rounded(line, 2)).collect();
        self.svg.element("path", &[("d", &ink::path(&lines, true)), ("fill", fill), ("fill-rule", "evenodd")]);
    }

    /// Short strokes down every slope, heavier away from the light in the north-west.
    fn hachures(&mut self) {
        let map = self.chart.map;
        let height = |hex: Hex| match map.ground_of(hex) {
            Some(Ground::Mountain) => 2,
            Some(Ground::Hill) => 1,
            Some(Ground::Clear | Ground::Woods | Ground::Swamp | Ground::Lake) | None => 0,
        };
        let (mut light, mut shade) = (Vec::new(), Vec::new());
        for hex in self.frame.hexes(map) {
            for dir in Dir::ALL {
                let lower = hex.neighbour(dir);
                if height(hex) <= height(lower) || !map.contains(lower) {
                    continue;
                }
                let (from, to) = edge(hex, dir);
                let out = centre(lower);
                let dark = matches!(dir, Dir::SE | Dir::S | Dir::NE);
                for k in 0..HACHURES {
                    let key = (i32::from(hex.col), i32::from(hex.row), (dir as i32) * HACHURES + k);
                    let along = (2 * k + 1) * 100 / (2 * HACHURES) + ink::scatter(key, 10) - 5;
                    let foot = toward(from, to, along);
                    let tip = toward(foot, out, 13 + ink::scatter((key.2, key.1, key.0), 9));
                    let stroke = vec![toward(foot, centre(hex), 6), tip];
                    if dark { shade.push(stroke) } else { light.push(stroke) }
                }
            }
        }
        for (strokes, colour, tenths) in [(light, palette::HACHURE, 5), (shade, palette::SHADE, 8)] {
            self.stroke(&strokes, colour, tenths, &[]);
        }
    }

    /// Trees and marsh, scattered by the hex.
    fn growth(&mut self) {
        let map = self.chart.map;
        let most = if self.grown { GROWN.0 } else { GROWN.1 };
        let (mut trees, mut marsh) = (Vec::new(), Vec::new());
        let long = self.frame.pen(26).min(40);
        for hex in self.frame.hexes(map) {
            let ground = map.ground_of(hex);
            let wooded = ground == Some(Ground::Woods) || map.wooded.contains(&hex);
            if !wooded && ground != Some(Ground::Swamp) {
                continue;
            }
            let (x, y) = centre(hex);
            for k in 0..most {
                let (col, row) = (i32::from(hex.col), i32::from(hex.row));
                let at = (x - 100 + ink::scatter((col, row, k), 200), y - 110 + ink::scatter((row, col, k + 50), 220));
                if wooded {
                    let crown = [(0, 0), (long / 4, -long / 2), (long * 3 / 4, -long / 2), (long, 0), (0, 0)];
                    // A tree of a few pixels looks round without being so.
                    trees.push(ink::rounded(&crown.map(|d| (at.0 + d.0, at.1 + d.1)), u32::from(self.grown)));
                } else {
                    marsh.push(vec![at, (at.0 + 2 * long, at.1)]);
                }
            }
        }
        self.stroke(&trees, palette::TREE, 6, &[("fill", palette::WOOD)]);
        self.stroke(&marsh, palette::BANK, 6, &[]);
    }

    /// Where the enemy has, or may have, a zone of control.
    fn zones(&mut self) {
        let zones: Vec<Hex> = self.chart.zones.iter().copied().filter(|hex| self.frame.window.contains(*hex)).collect();
        for hex in zones {
            let line = corners(hex).to_vec();
            let said = hex.to_string();
            let look = [("data-zone", said.as_str()), ("fill", palette::ZONE), ("fill-opacity", "0.7")];
            let d = ink::path(&[line], true);
            let mut all = vec![("d", d.as_str())];
            all.extend_from_slice(&look);
            self.svg.element("path", &all);
        }
    }

    /// The lines between hexes.
    pub(super) fn hexes(&mut self) {
        let map = self.chart.map;
        let mut edges = Vec::new();
        for hex in self.frame.hexes(map) {
            for dir in Dir::ALL {
                let (a, b) = edge(hex, dir);
                edges.push(if a <= b { vec![a, b] } else { vec![b, a] });
            }
        }
        edges.sort();
        edges.dedup();
        self.stroke(&edges, palette::SHADE, 5, &[("stroke-dasharray", "18 12"), ("stroke-opacity", "0.7")]);
    }

    /// Crests that run along hexsides: a line with teeth.
    pub(super) fn crests(&mut self) {
        let sides: Vec<_> = self.chart.map.crests.iter().copied().filter(|side| self.frame.shows(*side)).collect();
        let mut lines = Vec::new();
        for side in sides {
            let (a, b) = super::geometry::ends(side);
            let (hex, _) = side.parts();
            lines.push(vec![a, b]);
            lines.extend([25, 50, 75].map(|at| vec![toward(a, b, at), toward(middle(a, b), centre(hex), 20)]));
        }
        self.stroke(&lines, palette::SHADE, 9, &[]);
    }

    /// Lines in one colour, so many tenths of a pixel wide.
    pub(super) fn stroke(&mut self, lines: &[Vec<Point>], colour: &str, tenths: i32, more: &[(&str, &str)]) {
        self.svg.stroke(lines, colour, self.frame.pen(tenths), more);
    }
}

//! Rivers, roads, the line of communication, bridges and redoubts.

use super::geometry::{centre, ends, middle, toward};
use super::{Plate, palette};
use crate::hex::{Hex, Hexside};
use crate::ink::{self, Point};
use crate::map::{River, Road};
use std::collections::{BTreeMap, BTreeSet};

/// Where more than two edges meet, whatever their class: there lines must meet too, so their corners stay.
fn junctions(classes: &[&[(Point, Point)]]) -> BTreeSet<Point> {
    let mut met: BTreeMap<Point, u32> = BTreeMap::new();
    for (a, b) in classes.iter().copied().flatten() {
        *met.entry(*a).or_default() += 1;
        *met.entry(*b).or_default() += 1;
    }
    met.into_iter().filter(|(_, count)| *count > 2).map(|(point, _)| point).collect()
}

/// Edges as lines with round corners, but for the points that stay.
fn lines(edges: &[(Point, Point)], stays: &BTreeSet<Point>, cuts: u32) -> Vec<Vec<Point>> {
    let mut lines = Vec::new();
    for chain in ink::chains(edges) {
        let mut part: Vec<Point> = Vec::new();
        let last = chain.len().saturating_sub(1);
        for (i, point) in chain.into_iter().enumerate() {
            part.push(point);
            if part.len() > 1 && (i == last || stays.contains(&point)) {
                lines.push(ink::rounded(&part, cuts));
                part = vec![point];
            }
        }
    }
    lines
}

impl Plate<'_, '_> {
    pub(super) fn ways(&mut self) {
        self.rivers();
        self.roads();
        self.communications();
        self.bridges();
        self.redoubts();
    }

    /// The edges of these sides, along them or from centre to centre, near the window.
    fn edges(&self, sides: impl Iterator<Item = Hexside>, of: fn(Hexside) -> (Point, Point)) -> Vec<(Point, Point)> {
        let w = self.frame.window;
        let near =
            |hex: Hex| (w.west - 2..=w.east + 2).contains(&hex.col) && (w.north - 2..=w.south + 2).contains(&hex.row);
        sides.filter(|side| near(side.hexes().0) || near(side.hexes().1)).map(of).collect()
    }

    fn rivers(&mut self) {
        let all = &self.chart.map.rivers;
        let of = |kinds: &'static [River]| all.iter().filter(move |(_, r)| kinds.contains(r)).map(|(side, _)| *side);
        let small = self.edges(of(&[River::Secondary]), ends);
        let great = self.edges(of(&[River::Primary, River::Ford, River::Lake]), ends);
        let fords = self.edges(of(&[River::Ford]), ends);
        let stays = junctions(&[&small, &great]);
        // On a far sheet nobody sees how round a bend is.
        let cuts = if self.near { 3 } else { 2 };
        let [small, great] = [small, great].map(|edges| lines(&edges, &stays, cuts));
        self.stroke(&small, palette::BANK, 14, &[]);
        self.stroke(&great, palette::BANK, 40, &[]);
        self.stroke(&great, palette::WATER, 24, &[]);
        // A ford: the water is broken by the paper.
        let fords = lines(&fords, &stays, 0);
        self.stroke(&fords, palette::PAPER, 22, &[("stroke-dasharray", "30 90"), ("stroke-linecap", "butt")]);
    }

    fn roads(&mut self) {
        let between = |side: Hexside| {
            let (a, b) = side.hexes();
            (centre(a), centre(b))
        };
        let all = &self.chart.map.roads;
        let of = |kind: Road| all.iter().filter(move |(_, road)| **road == kind).map(|(side, _)| *side);
        let secondary = self.edges(of(Road::Secondary), between);
        let primary = self.edges(of(Road::Primary), between);
        let mut stays = junctions(&[&secondary, &primary]);
        stays.extend(self.chart.map.settlements.keys().map(|hex| centre(*hex)));
        let [secondary, primary] = [secondary, primary].map(|edges| lines(&edges, &stays, 2));
        self.stroke(&secondary, palette::TRACK, 9, &[]);
        self.stroke(&primary, palette::ROAD, 24, &[]);
        self.stroke(&primary, palette::ROADBED, 11, &[]);
    }

    /// The side's own line of communication, dashed beside its road.
    fn communications(&mut self) {
        let shown: Vec<Hexside> = self.chart.loc.iter().copied().filter(|side| self.frame.shows(*side)).collect();
        for side in shown {
            let (a, b) = side.hexes();
            let name = side.to_string();
            let line = vec![vec![centre(a), centre(b)]];
            self.stroke(&line, palette::OWN, 12, &[("data-loc", &name), ("stroke-dasharray", "40 60")]);
        }
    }

    /// Two bars across the water; crossed out where the bridge is down, dashed where it is a pontoon or trestle.
    fn bridges(&mut self) {
        let chart = self.chart;
        let printed = chart.map.bridges.iter().map(|side| (side, false));
        let spans = chart.spans.iter().filter(|side| !chart.map.bridges.contains(side)).map(|side| (side, true));
        let downs =
            chart.damaged.iter().filter(|side| !chart.map.bridges.contains(side) && !chart.spans.contains(side));
        let all = printed.chain(spans).chain(downs.map(|side| (side, true)));
        let shown: Vec<(Hexside, bool)> =
            all.filter(|(side, _)| self.frame.shows(**side)).map(|(side, laid)| (*side, laid)).collect();
        for (side, laid) in shown {
            let (a, b) = side.hexes();
            let (from, to) = ends(side);
            let at = middle(from, to);
            let bars: Vec<Vec<Point>> = [36, 64]
                .map(|along| {
                    let foot = toward(from, to, along);
                    let (dx, dy) = ((centre(b).0 - centre(a).0) / 8, (centre(b).1 - centre(a).1) / 8);
                    vec![(foot.0 - dx, foot.1 - dy), (foot.0 + dx, foot.1 + dy)]
                })
                .to_vec();
            let name = side.to_string();
            let kind = if laid { "data-span" } else { "data-bridge" };
            let dash = if laid { "14 8" } else { "none" };
            self.stroke(&bars, palette::INK, 14, &[(kind, &name), ("stroke-dasharray", dash)]);
            if chart.damaged.contains(&side) {
                let d = self.frame.pen(55);
                let cross = vec![
                    vec![(at.0 - d, at.1 - d), (at.0 + d, at.1 + d)],
                    vec![(at.0 - d, at.1 + d), (at.0 + d, at.1 - d)],
                ];
                self.stroke(&cross, palette::ENEMY, 20, &[("data-damaged", &name)]);
            }
        }
    }

    /// A rampart along its hexside; dashed while it is being built.
    fn redoubts(&mut self) {
        let of = self.chart.redoubts.iter().filter(|(side, _)| self.frame.shows(**side));
        let shown: Vec<(Hexside, bool)> = of.map(|(side, done)| (*side, *done)).collect();
        for (side, done) in shown {
            let (from, to) = ends(side);
            let line = vec![vec![toward(from, to, 12), toward(from, to, 88)]];
            let dash = if done { "none" } else { "30 24" };
            self.stroke(&line, palette::SHADE, 44, &[("data-redoubt", &side.to_string()), ("stroke-dasharray", dash)]);
        }
    }
}

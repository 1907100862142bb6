//! Names of places: each finds a place where it meets nothing, or is left to the text.

use super::geometry::centre;
use super::{Plate, palette};
use crate::hex::Hex;
use crate::ink::{Labels, Point};
use crate::map::Settlement;

/// How large a place is written: greater ones first.
fn rank(settlement: Option<Settlement>) -> (u8, i32) {
    match settlement {
        Some(Settlement::Capital) => (0, 150),
        Some(Settlement::City | Settlement::Citadel | Settlement::FortifiedTown) => (1, 140),
        Some(Settlement::PrimaryTown | Settlement::DepotTown | Settlement::Center) => (2, 125),
        Some(Settlement::Town) => (3, 110),
        Some(Settlement::Village) => (4, 100),
        None => (5, 95),
    }
}

impl Plate<'_, '_> {
    /// The marks of settlements, by kind.
    pub(super) fn settlements(&mut self) {
        let map = self.chart.map;
        let places: Vec<(Hex, Settlement)> = map.settlements.iter().map(|(hex, kind)| (*hex, *kind)).collect();
        for (hex, kind) in places.into_iter().filter(|(hex, _)| self.frame.window.contains(*hex)) {
            if !self.near && kind == Settlement::Village {
                continue;
            }
            let (x, y) = centre(hex);
            let half = match kind {
                Settlement::Capital | Settlement::City | Settlement::Citadel => 42,
                Settlement::FortifiedTown | Settlement::PrimaryTown | Settlement::DepotTown => 34,
                Settlement::Center | Settlement::Town => 28,
                Settlement::Village => 18,
            };
            let d = self.frame.pen(half);
            let said = hex.to_string();
            let walled = matches!(kind, Settlement::Capital | Settlement::Citadel | Settlement::FortifiedTown);
            let (wide, left, top, size) =
                (self.frame.pen(12).to_string(), (x - d).to_string(), (y - d).to_string(), (2 * d).to_string());
            let round = if matches!(kind, Settlement::Town | Settlement::Village | Settlement::Center) { d } else { 0 };
            let fill =
                if matches!(kind, Settlement::Town | Settlement::Center) { palette::PAPER } else { palette::TOWN };
            let rx = round.to_string();
            let look = [
                ("data-settlement", said.as_str()),
                ("x", left.as_str()),
                ("y", top.as_str()),
                ("width", size.as_str()),
                ("height", size.as_str()),
                ("rx", rx.as_str()),
                ("fill", fill),
                ("stroke", palette::TOWN),
                ("stroke-width", wide.as_str()),
            ];
            self.svg.element("rect", &look);
            if walled {
                // A second square on its point makes the star of a fortress.
                let turn = format!("rotate(45 {x} {y})");
                let mut turned = look.to_vec();
                turned.remove(0);
                turned.push(("transform", turn.as_str()));
                self.svg.element("rect", &turned);
            }
            self.labels.take((x - d, y - d), (2 * d, 2 * d));
        }
    }

    /// Names of places, greatest first; on a far sheet villages have none.
    pub(super) fn names(&mut self) {
        let map = self.chart.map;
        let mut places: Vec<_> = map.places.values().filter(|p| self.frame.window.contains(p.hex)).collect();
        places.sort_by_key(|place| (rank(place.settlement).0, place.hex));
        for place in places {
            let (order, percent) = rank(place.settlement);
            if !self.near && order > 3 {
                continue;
            }
            let size = self.frame.pen(if self.near { 150 } else { 104 }) * percent / 125;
            let size = size.max(self.frame.pen(self.least + 4 * i32::from(5_u8.saturating_sub(order)).min(self.least)));
            let name = super::super::short_name(&place.name);
            let Some(at) = self.room(centre(place.hex), &name, size) else { continue };
            // A name that stands off has a line to its place.
            let ((x, y), wide) = (centre(place.hex), Labels::wide(&name, size));
            let beside = (x.clamp(at.0, at.0 + wide), y.clamp(at.1 - size * 4 / 5, at.1 + size / 5));
            if (beside.0 - x).abs().max((beside.1 - y).abs()) > self.frame.pen(170) {
                self.stroke(&[vec![beside, (x, y)]], palette::INK, 7, &[("stroke-dasharray", "16 12")]);
            }
            let (said, size) = (place.hex.to_string(), size.to_string());
            let weight = if order < 3 { "bold" } else { "normal" };
            let slant = if order > 3 { "italic" } else { "normal" };
            self.words(
                at,
                &name,
                palette::INK,
                &[("data-place", &said), ("font-size", &size), ("font-weight", weight), ("font-style", slant)],
            );
        }
    }

    /// Words with a halo of paper, so that they stand out from lines.
    pub(super) fn words(&mut self, at: Point, words: &str, colour: &str, more: &[(&str, &str)]) {
        let halo = (palette::PAPER, self.frame.pen(30));
        self.svg.haloed(at, words, colour, halo, more);
    }

    /// Where a name finds room round a point: the first place that meets nothing and lies on the sheet, eight close by, then
    /// four beside a block that stands there.
    pub(super) fn room(&mut self, (x, y): Point, name: &str, size: i32) -> Option<Point> {
        let (wide, off) = (Labels::wide(name, size), self.frame.pen(60));
        let (aside, below) = (self.frame.pen(260), self.frame.pen(180));
        let boxes = [
            (x + off, y - size / 2),
            (x - off - wide, y - size / 2),
            (x - wide / 2, y - off - size),
            (x - wide / 2, y + off),
            (x + off, y - size - off / 2),
            (x + off, y + off / 2),
            (x - off - wide, y - size - off / 2),
            (x - off - wide, y + off / 2),
            (x + aside, y - size / 2),
            (x - aside - wide, y - size / 2),
            (x - wide / 2, y + below),
            (x - wide / 2, y - below - size),
        ];
        let at = self.labels.first(&boxes, (wide, size), (self.frame.corner, self.frame.size))?;
        // Letters stand on their line, four fifths down the box.
        Some((at.0, at.1 + size * 4 / 5))
    }

    /// The ids of hexes, at the upper edge of each.
    pub(super) fn ids(&mut self) {
        let size = self.frame.pen(self.least.max(96));
        for hex in self.frame.window.hexes(self.chart.map) {
            let (x, y) = centre(hex);
            let said = hex.to_string();
            let wide = Labels::wide(&said, size);
            let at = (x - wide / 2, y - 132);
            if self.labels.free(at, (wide, size * 9 / 10)) {
                self.words(
                    (at.0, at.1 + size * 4 / 5),
                    &said,
                    palette::ID,
                    &[("data-id", &said), ("font-size", &size.to_string())],
                );
            }
        }
    }
}

//! Names of places with the flags of who holds them, names of leaders, ids of hexes, the rulers of a far sheet.

use super::{Plate, Soil};
use crate::hex::Hex;
use crate::ink::{Labels, Point};
use crate::map::draw::plate::geometry::{ACROSS, DOWN, RADIUS, centre};
use crate::map::draw::plate::{palette, side_word};

impl Plate<'_> {
    pub(super) fn names(&mut self) {
        self.places();
        if !self.near {
            self.piles_named();
            self.ghosts_named();
        }
        self.leaders_named();
        if self.ids {
            self.ids();
        } else if !self.near {
            self.rulers();
        }
        self.lines_named();
    }

    /// Where a name finds room round a point: eight places close by, then farther off.
    pub(super) fn room(&mut self, (x, y): Point, wide: i32, high: i32) -> Option<Point> {
        let mut boxes = Vec::new();
        let far: &[i32] = if self.near { &[] } else { &[380, 480, 600, 740] };
        for off in [60, 125, 175, 230, 290].iter().chain(far).copied() {
            boxes.extend([
                (x + off, y - high / 2),
                (x - off - wide, y - high / 2),
                (x - wide / 2, y + off),
                (x - wide / 2, y - off - high),
                (x + off * 3 / 4, y + off * 3 / 4),
                (x - off * 3 / 4 - wide, y + off * 3 / 4),
                (x + off * 3 / 4, y - off * 3 / 4 - high),
                (x - off * 3 / 4 - wide, y - off * 3 / 4 - high),
            ]);
        }
        self.labels.first(&boxes, (wide, high), (self.corner, self.size))
    }

    /// A line from a name to what it names, where it stands off.
    pub(super) fn led(&mut self, at: Point, (wide, high): Point, (x, y): Point, ink: &str) {
        let beside = (x.clamp(at.0, at.0 + wide), y.clamp(at.1, at.1 + high));
        if (beside.0 - x).abs().max((beside.1 - y).abs()) > 140 {
            self.stroke(&[vec![beside, (x, y)]], ink, 7, &[("stroke-dasharray", "16 12")]);
        }
    }

    /// From afar the tag of who was last seen in a hex.
    fn ghosts_named(&mut self) {
        let (scene, window, size) = (self.scene, self.window, self.letter(84));
        for (hex, all) in scene.ghosts.iter().filter(|(hex, _)| super::holds(window, **hex)) {
            let names: Vec<&str> = all.iter().map(|ghost| ghost.name.as_str()).collect();
            let (said, at) = (names.join(" "), centre(*hex));
            let wide = Labels::wide(&said, size);
            let Some(found) = self.room(at, wide, size) else { continue };
            self.led(found, (wide, size), at, palette::ENEMY);
            let high = size.to_string();
            self.halo((found.0, found.1 + size * 4 / 5), &said, palette::ENEMY, &[("font-size", high.as_str())]);
        }
    }

    pub(super) fn halo(&mut self, at: Point, words: &str, colour: &str, more: &[(&str, &str)]) {
        let halo = (palette::PAPER, self.pen(28));
        self.svg.haloed(at, words, colour, halo, more);
    }

    /// Places, always named; where somebody holds one, his flag flies before the name.
    fn places(&mut self) {
        let scene = self.scene;
        let size = self.letter(if self.near { 140 } else { 104 });
        for (name, hexes) in &scene.field.places {
            let Some(hex) = hexes.iter().copied().find(|hex| self.shows(*hex)) else { continue };
            let held = scene.held.get(name);
            let flag = if held.is_some() { size * 4 / 5 } else { 0 };
            // Bold letters are wider.
            let wide = Labels::wide(name, size * 9 / 8) + flag;
            let (x, y) = centre(hex);
            // A place that counts is named though its name covers something; where it stands off, a line leads to it.
            let at = self.room((x, y), wide, size).unwrap_or((x - wide / 2, y + 70));
            self.led(at, (wide, size), (x, y), palette::SHADE);
            if let Some(own) = held {
                self.holder((at.0, at.1), size, name, *own);
            }
            let said = size.to_string();
            let look = [("data-place", name.as_str()), ("font-size", &said), ("font-weight", "bold")];
            self.halo((at.0 + flag, at.1 + size * 4 / 5), name, palette::INK, &look);
        }
    }

    /// The flag of who holds a place.
    fn holder(&mut self, (x, y): Point, size: i32, name: &str, own: bool) {
        self.svg.group(&[("data-town", name), ("data-side", side_word(own))]);
        self.stroke(&[vec![(x, y + size), (x, y)]], palette::INK, 10, &[]);
        let (fill, edge) = if own { (palette::OWN, palette::OWN) } else { (palette::ON_ENEMY, palette::ENEMY) };
        let pen = self.pen(10).to_string();
        self.svg.rect(
            (x, y),
            (size * 3 / 5, size * 2 / 5),
            &[("fill", fill), ("stroke", edge), ("stroke-width", &pen)],
        );
        self.svg.close();
    }

    /// Leaders by name, where there is room; their flags stand in any case.
    fn leaders_named(&mut self) {
        let scene = self.scene;
        let size = self.letter(if self.near { 112 } else { 84 });
        let window = self.window;
        for (hex, leaders) in scene.leaders.iter().filter(|(hex, _)| super::holds(window, **hex)) {
            for own in [true, false] {
                let names: Vec<&str> = leaders.iter().filter(|l| l.own == own).map(|l| l.name.as_str()).collect();
                if names.is_empty() {
                    continue;
                }
                let said = names.join(", ");
                let (x, y) = centre(*hex);
                let Some(at) = self.room((x, y), Labels::wide(&said, size * 9 / 8), size) else { continue };
                let colour = if own { palette::OWN } else { palette::ENEMY };
                let high = size.to_string();
                let look = [("font-size", high.as_str()), ("font-weight", "bold"), ("font-style", "italic")];
                self.halo((at.0, at.1 + size * 4 / 5), &said, colour, &look);
            }
        }
    }

    /// The ids of hexes: at the upper edge, else at the lower one, or beside.
    fn ids(&mut self) {
        let size = self.letter(92);
        for hex in self.hexes().into_iter().filter(|hex| self.soil(*hex) != Soil::Off).collect::<Vec<_>>() {
            let said = hex.to_string();
            let ((x, y), wide) = (centre(hex), Labels::wide(&said, size));
            let off = DOWN / 2 - 8;
            let boxes = [(x - wide / 2, y - off), (x - wide / 2, y + off - size * 9 / 10)];
            let sheet = (self.corner, self.size);
            let Some(at) = self.labels.first(&boxes, (wide, size * 9 / 10), sheet) else { continue };
            let high = size.to_string();
            let look = [("data-id", said.as_str()), ("font-size", &high)];
            self.halo((at.0, at.1 + size * 4 / 5), &said, palette::ID, &look);
        }
    }

    /// Numbers of columns and rows round a far sheet, so that the hexes can be read off.
    fn rulers(&mut self) {
        let size = self.letter(84);
        let edge = self.pen(super::RULER);
        let ((left, top), (wide, high)) = (self.corner, self.size);
        let look = [("fill", palette::MARGIN)];
        self.svg.rect((left, top), (wide, edge), &look);
        self.svg.rect((left, top), (edge, high), &look);
        let window = self.window;
        // Where numbers are wider than columns, every second one has its own.
        let step = if Labels::wide("000", size) > ACROSS { 2 } else { 1 };
        for col in (window.first.col..window.first.col + window.columns).step_by(step) {
            let (x, _) = centre(Hex::new(col, 1));
            self.svg.lettering((x, top + edge * 7 / 10), &format!("{col:02}"), palette::INK, size);
        }
        for row in window.first.row..window.first.row + window.rows {
            let y = centre(Hex::new(1, row)).1 + DOWN / 4;
            self.svg.lettering((left + edge / 2, y + size / 3), &format!("{row:02}"), palette::INK, size);
        }
    }

    /// Printed lines by name, near their eastern end.
    fn lines_named(&mut self) {
        let field = self.scene.field;
        let size = self.letter(if self.near { 100 } else { 80 });
        for (name, sides) in &field.lines {
            let shown = sides.iter().filter(|side| self.shows(side.hexes().0) || self.shows(side.hexes().1));
            let Some(side) = shown.max() else { continue };
            let (x, y) = centre(side.hexes().0);
            // Not as a place is named: the rules call it by its colour.
            let said = format!("line: {}", name.replace('_', " "));
            let Some(at) = self.room((x + RADIUS / 2, y), Labels::wide(&said, size), size) else { continue };
            let high = size.to_string();
            let look = [("font-size", high.as_str()), ("font-style", "italic")];
            self.halo((at.0, at.1 + size * 4 / 5), &said, palette::BANK, &look);
        }
    }
}

//! Names of places with the flags of who holds them; where a name finds room.

use super::{Plate, point};
use crate::ink::{Labels, Point};
use crate::map::draw::plate::palette;
use crate::plane::Spot;

impl Plate<'_> {
    /// First the places with points, then those who stand, then the other places.
    pub(super) fn names(&mut self) {
        self.places(true);
        self.chits_named();
        self.units_named();
        self.places(false);
    }

    /// Where a name finds room round a place, so far off: beside it, then above and below, then in wider rings; and in which
    /// ring that is, from nought.
    pub(super) fn room_within(
        &mut self,
        at: Spot,
        (wide, high): Point,
        off: i32,
        rings: usize,
    ) -> Option<(Point, usize)> {
        let (x, y) = point(at);
        let sheet = self.inner();
        [off, off * 3 / 2, off * 5 / 2].into_iter().take(rings).enumerate().find_map(|(ring, off)| {
            let slant = off * 3 / 4;
            let boxes = [
                (x + off, y - high / 2),
                (x - off - wide, y - high / 2),
                (x - wide / 2, y - off - high),
                (x - wide / 2, y + off),
                (x + slant, y - slant - high),
                (x + slant, y + slant),
                (x - slant - wide, y - slant - high),
                (x - slant - wide, y + slant),
            ];
            self.labels.first(&boxes, (wide, high), sheet).map(|corner| (corner, ring))
        })
    }

    fn places(&mut self, count: bool) {
        let v = self.v;
        let mut places: Vec<_> = v.table.board.places.iter().filter(|p| (p.vp > 0) == count).collect();
        places.sort_by_key(|place| (-place.vp, place.name.clone()));
        for place in places.into_iter().filter(|p| super::shows(self.rect, p.at)).collect::<Vec<_>>() {
            if !count {
                let (size, off) = (self.letter(if self.near { 120 } else { 112 }), self.pen(80));
                let look = [("data-place", place.name.as_str()), ("font-style", "italic")];
                self.named(place.at, &place.name, (size, off), palette::INK, &look);
                continue;
            }
            let size = self.letter(if self.near { 150 } else { 130 });
            let pole = self.pen(60 + self.least.max(90));
            let wide = Labels::bold(&place.name, size) + pole;
            let (x, y) = point(place.at);
            let off = self.pen(100);
            // A place with points is named though its name covers something.
            let room = self.room_within(place.at, (wide, size), off, 3);
            let (at, ring) = room.unwrap_or(((x + off, y - size / 2), 0));
            if ring > 0 {
                self.led(at, (wide, size), place.at, palette::INK);
            }
            let held = v.table.control.get(&place.name).map(|side| self.ours(side));
            self.holder(at, size, &place.name, (place.vp, held));
            let high = size.to_string();
            let look = [("data-place", place.name.as_str()), ("font-size", high.as_str()), ("font-weight", "bold")];
            self.halo((at.0 + pole, at.1 + size * 4 / 5), &place.name, palette::INK, &look);
        }
    }

    /// The flag of who holds a place, with its points.
    fn holder(&mut self, (x, y): Point, size: i32, name: &str, (vp, held): (i32, Option<bool>)) {
        let said = vp.to_string();
        let side = match held {
            Some(true) => "own",
            Some(false) => "enemy",
            None => "nobody",
        };
        self.svg.group(&[("data-held", name), ("data-side", side), ("data-vp", &said)]);
        let (wide, deep) = (self.letter(86) * 11 / 10, self.letter(86));
        self.stroke(&[vec![(x, y + size), (x, y)]], palette::INK, 12, &[]);
        let (fill, edge, ink) = match held {
            Some(true) => (palette::OWN, palette::OWN, palette::ON_OWN),
            Some(false) => (palette::ON_ENEMY, palette::ENEMY, palette::ENEMY),
            None => (palette::PAPER, palette::INK, palette::INK),
        };
        let line = self.pen(13).to_string();
        self.svg.rect((x, y), (wide, deep), &[("fill", fill), ("stroke", edge), ("stroke-width", &line)]);
        let letter = self.letter(86);
        self.svg.lettering((x + wide / 2, y + deep * 5 / 6), &said, ink, letter);
        self.svg.close();
    }
}

//! Chits, how far they see, and the areas of the strategic map.

use super::{Plate, point};
use crate::ink::{Labels, Point};
use crate::map::draw::plate::{palette, side_word};
use crate::rules::austerlitz1805::mist::{Boxed, Chit, ChitId};
use crate::rules::austerlitz1805::strategic::waiting;
use std::collections::BTreeMap;

/// Where fog lets nobody see farther, what is seen is shown as rings.
const SHORT: i32 = 3000;

impl Plate<'_> {
    fn foggy(&self) -> bool {
        self.v.table.board.flow.is_some() && self.v.table.sight.is_some()
    }

    /// How far own chits and units uncover what they meet.
    pub(super) fn reaches(&mut self) {
        let v = self.v;
        let Some(sight) = v.table.sight.filter(|sight| *sight < SHORT && self.foggy()) else { return };
        let chits = v.table.mist.chits.values().filter(|c| self.ours(&c.side)).map(|c| (c.at, 250));
        let units = v.table.standing().filter(|(_, u)| self.ours(&u.side)).map(|(_, u)| (u.pose.at, 300));
        let line = self.pen(8).to_string();
        let dash = format!("{} {}", self.pen(30), self.pen(30));
        let look = [
            ("fill", palette::OWN),
            ("fill-opacity", "0.06"),
            ("stroke", palette::OWN),
            ("stroke-opacity", "0.55"),
            ("stroke-width", line.as_str()),
            ("stroke-dasharray", dash.as_str()),
        ];
        let rings: Vec<(Point, i32)> = chits.chain(units).map(|(at, half)| (point(at), sight + half)).collect();
        rings.into_iter().for_each(|(at, r)| self.svg.circle(at, r, &look));
    }

    /// The own box that a chit belongs to.
    fn boxed(&self, id: &ChitId) -> Option<(u8, &Boxed)> {
        self.v.own.boxes.iter().find(|(_, b)| b.chit == *id).map(|(n, b)| (*n, b))
    }

    pub(super) fn chits(&mut self) {
        let v = self.v;
        for (id, chit) in v.table.mist.chits.iter().filter(|(_, c)| super::shows(self.rect, c.at)).collect::<Vec<_>>() {
            let own = self.ours(&chit.side);
            let at = chit.at.to_string();
            let boxed = self.boxed(id).map(|(n, b)| (n.to_string(), b.units.is_empty()));
            let mut data = vec![("data-chit", id.0.as_str()), ("data-side", side_word(own)), ("data-at", at.as_str())];
            if let Some((number, decoy)) = &boxed {
                data.push(("data-box", number));
                data.push(("data-decoy", if *decoy { "1" } else { "0" }));
            }
            self.svg.group(&data);
            match &boxed {
                Some((number, decoy)) => self.disc(point(chit.at), number, *decoy),
                None => self.diamond(id, chit, own),
            }
            self.svg.close();
            let r = self.pen(95.max(self.least * 3 / 4));
            let (x, y) = point(chit.at);
            self.labels.take((x - r, y - r), (2 * r, 2 * r));
        }
    }

    /// An own chit: a disc with the number of its box; a decoy is hollow and dashed.
    fn disc(&mut self, at: Point, number: &str, decoy: bool) {
        let r = self.pen(80.max(self.least * 2 / 3));
        let (line, dash) = (self.pen(15).to_string(), format!("{} {}", self.pen(30), self.pen(20)));
        let (fill, edge) = if decoy { (palette::PAPER, palette::OWN) } else { (palette::OWN, palette::PAPER) };
        let mut look = vec![("fill", fill), ("stroke", edge), ("stroke-width", line.as_str())];
        look.extend(decoy.then_some(("stroke-dasharray", dash.as_str())));
        self.svg.circle(at, r, &look);
        let size = self.letter(108);
        let ink = if decoy { palette::OWN } else { palette::ON_OWN };
        self.svg.lettering((at.0, at.1 + size / 3), number, ink, size);
    }

    /// The enemy's chit: a striped diamond with the digits of its name.
    fn diamond(&mut self, id: &ChitId, chit: &Chit, own: bool) {
        let (x, y) = point(chit.at);
        let r = self.pen(104.max(self.least * 4 / 5));
        let ink = if own { palette::OWN } else { palette::ENEMY };
        let line = self.pen(17).to_string();
        let corners = vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
        self.svg.fill(&[corners], palette::ON_ENEMY, &[("stroke", ink), ("stroke-width", &line)]);
        let stripe = |k: i32| {
            let half = r - k.abs();
            vec![(x - half, y + k), (x + half, y + k)]
        };
        let stripes: Vec<Vec<Point>> = [-3, -2, -1, 0, 1, 2, 3].map(|k| stripe(k * r / 4)).to_vec();
        self.stroke(&stripes, ink, 9, &[("stroke-opacity", "0.4")]);
        let digits: String = id.0.chars().filter(char::is_ascii_digit).collect();
        let size = self.letter(100);
        let said = size.to_string();
        let look = [("font-size", said.as_str()), ("font-weight", "bold"), ("text-anchor", "middle")];
        let halo = (palette::ON_ENEMY, self.pen(24));
        self.svg.haloed((x, y + size / 3), &digits, ink, halo, &look);
    }

    /// Beside an own chit, the first of those whom it holds, and how many more.
    pub(super) fn chits_named(&mut self) {
        let v = self.v;
        let size = self.letter(92);
        for boxed in v.own.boxes.values() {
            let Some(chit) = v.table.chit(&boxed.chit).filter(|c| self.shows(c.at)) else { continue };
            let name = match boxed.units.as_slice() {
                [] => continue,
                [one] => one.0.clone(),
                [first, rest @ ..] => format!("{first} +{}", rest.len()),
            };
            let off = self.pen(105.max(self.least * 3 / 4));
            self.named(chit.at, &name, (size, off), palette::OWN, &[("font-weight", "bold")]);
        }
    }

    /// The areas of the strategic map, dashed, each with its name and the own corps that are in it.
    pub(super) fn areas(&mut self) {
        if !self.foggy() {
            return;
        }
        let v = self.v;
        let board = &v.table.board;
        let dash = format!("{} {}", self.pen(60), self.pen(40));
        let mut corps: BTreeMap<&String, Vec<&String>> = BTreeMap::new();
        v.own.corps.iter().for_each(|(name, zone)| corps.entry(zone).or_default().push(name));
        let waits: Vec<String> = waiting(&v.table, &v.own, &v.me()).into_iter().map(|(_, corps)| corps).collect();
        let (corner, inner) = self.inner();
        let far = (corner.0 + inner.0, corner.1 + inner.1);
        for zone in &board.strategic.zones {
            let own = self.ours(&zone.side);
            let ink = if own { palette::OWN } else { palette::ENEMY };
            let (low, high) = zone.rect;
            let ((x, y), size) = (point(crate::plane::Spot::new(low.x, high.y)), (high.x - low.x, high.y - low.y));
            let line = self.pen(12).to_string();
            let look = [
                ("data-zone", zone.id.as_str()),
                ("fill", "none"),
                ("stroke", ink),
                ("stroke-opacity", "0.6"),
                ("stroke-width", line.as_str()),
                ("stroke-dasharray", dash.as_str()),
            ];
            self.svg.rect((x, y), size, &look);
            let here: Vec<&str> = corps.get(&zone.id).into_iter().flatten().map(|name| name.as_str()).collect();
            let here: Vec<&str> = here.into_iter().filter(|name| waits.iter().any(|w| w == name)).collect();
            // An area of which no more than a strip is seen has no room for its name.
            let seen = (far.0.min(x + size.0) - corner.0.max(x), far.1.min(y + size.1) - corner.1.max(y));
            if seen.0 > self.pen(900) && seen.1 > self.pen(200) {
                let at = (x.max(corner.0), y.max(corner.1));
                self.area_named(at, (&zone.id, &zone.name), ink, &here);
            }
        }
        let striped =
            board.strategic.striped.as_ref().filter(|s| board.closed(v.table.mist.assault, &s.side, middle(s.rect)));
        if let Some(striped) = striped {
            self.stripes(striped.rect);
        }
    }

    fn area_named(&mut self, (x, y): Point, (id, name): (&str, &str), ink: &str, corps: &[&str]) {
        let size = self.letter(100);
        let said = format!("{id} {name}");
        let high = size.to_string();
        let pad = self.pen(40);
        let look = [("font-size", high.as_str()), ("font-style", "italic")];
        self.halo((x + pad, y + size), &said, ink, &look);
        self.labels.take((x + pad, y + pad / 2), (Labels::wide(&said, size), size));
        for (n, corps) in (0..).zip(corps) {
            let at = (x + pad + size / 2, y + size * (22 + 12 * n) / 10);
            let look =
                [("data-corps", *corps), ("data-area", id), ("font-size", high.as_str()), ("font-weight", "bold")];
            self.halo(at, corps, palette::OWN, &look);
            self.labels.take((at.0, at.1 - size * 4 / 5), (Labels::wide(corps, size), size));
        }
    }

    /// Ground that is closed to a side.
    fn stripes(&mut self, (low, high): (crate::plane::Spot, crate::plane::Spot)) {
        let size = (high.x - low.x, high.y - low.y);
        let lines = crate::ink::stripes((low.x, -high.y), size, self.pen(160));
        self.stroke(&lines, palette::MARK, 7, &[("data-striped", "1"), ("stroke-opacity", "0.5")]);
    }
}

fn middle((low, high): (crate::plane::Spot, crate::plane::Spot)) -> crate::plane::Spot {
    crate::plane::Spot::new((low.x + high.x) / 2, (low.y + high.y) / 2)
}

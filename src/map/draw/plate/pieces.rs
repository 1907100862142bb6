//! Pieces: own blocks solid, enemy counters framed, vedettes as pennons, what is out of sight dashed.

use super::geometry::centre;
use super::{Plate, palette};
use crate::hex::Hex;
use crate::ink::{self, Point};
use crate::text;

/// Width and height of a block in tenths of a pixel, near and far.
const BLOCK: ((i32, i32), (i32, i32)) = ((460, 290), (240, 140));
/// The same of a pennon.
const PENNON: ((i32, i32), (i32, i32)) = ((250, 160), (120, 80));

/// What a block is drawn from.
struct Block<'a> {
    /// Its middle.
    at: Point,
    /// The first line.
    code: &'a str,
    /// The second line: strength, or a name.
    below: &'a str,
    /// Whether it is an enemy's.
    enemy: bool,
    /// Whether it is out of sight.
    gone: bool,
    /// Whether others stand below it.
    more: bool,
}

impl Plate<'_, '_> {
    pub(super) fn pieces(&mut self) {
        let chart = self.chart;
        let here = |hex: &Hex| self.frame.window.contains(*hex);
        let hexes: std::collections::BTreeSet<Hex> = [
            chart.own.keys().copied().collect::<Vec<_>>(),
            chart.own_vedettes.keys().copied().collect(),
            chart.enemy.keys().copied().collect(),
            chart.ghosts.keys().copied().collect(),
            chart.centers.clone(),
        ]
        .concat()
        .into_iter()
        .filter(here)
        .collect();
        for hex in hexes {
            self.stand(hex);
        }
    }

    /// All that stands in one hex: the centre, then what is out of sight, vedettes, counters, own forces, each a little off
    /// the other so that all are seen.
    fn stand(&mut self, hex: Hex) {
        let chart = self.chart;
        let (x, y) = centre(hex);
        let (said, step) = (hex.to_string(), self.frame.pen(if self.near { 90 } else { 45 }));
        let (own, enemy) = (chart.own.get(&hex), chart.enemy.get(&hex));
        if chart.centers.contains(&hex) {
            self.centre_of_operations(hex);
        }
        let lower = if own.is_some() { step } else { 0 };
        for (i, ghost) in (0..).zip(chart.ghosts.get(&hex).into_iter().flatten()) {
            let (code, age) = (format!("E{}", ghost.number), format!("{} ago", ghost.age));
            self.svg.group(&[("data-ghost", &code), ("data-age", &ghost.age.to_string()), ("data-hex", &said)]);
            let at = (x + i * step, y - i * step / 2 + lower);
            self.block(&Block { at, code: &code, below: &age, enemy: true, gone: true, more: false });
            self.svg.close();
        }
        // Counters in one hex lie on each other; the uppermost bears the numbers of all, and what is known of them.
        let tags: Vec<u32> = enemy.into_iter().flatten().copied().collect();
        let codes: Vec<String> = tags.iter().map(|number| format!("E{number}")).collect();
        let titles: Vec<&str> = tags.iter().filter_map(|number| chart.titles.get(number)).map(String::as_str).collect();
        for (i, code) in (0..).zip(&codes) {
            self.svg.group(&[("data-enemy", code), ("data-hex", &said)]);
            let at = (x + i * step / 2, y - i * step / 4 + lower);
            let top = codes.last() == Some(code);
            let (code, below) = if top { (numbers(&tags), titles.join("; ")) } else { Default::default() };
            self.block(&Block { at, code: &code, below: &below, enemy: true, gone: false, more: false });
            self.svg.close();
        }
        if let Some(token) = own {
            let sp = chart.strength.get(&hex).map(i32::to_string).unwrap_or_default();
            let mut data = vec![("data-own", token.code.as_str()), ("data-hex", said.as_str())];
            data.extend((!sp.is_empty()).then_some(("data-sp", sp.as_str())));
            data.extend(token.more.then_some(("data-more", "1")));
            self.svg.group(&data);
            // The besieger stands above the besieged.
            let at = if enemy.is_some() { (x, y - step) } else { (x, y) };
            self.block(&Block { at, code: &token.code, below: &sp, enemy: false, gone: false, more: token.more });
            self.svg.close();
        }
        for (i, number) in (0..).zip(chart.own_vedettes.get(&hex).into_iter().flatten()) {
            let name = format!("v{number}");
            self.svg.group(&[("data-vedette", &name), ("data-hex", &said)]);
            let crowded = own.is_some() || enemy.is_some();
            let off = if crowded { 2 * step } else { 0 };
            self.pennon((x + off + i * step, y + off / 2), &name);
            self.svg.close();
        }
    }

    fn block(&mut self, block: &Block<'_>) {
        let (tenths, letters) = if self.near { (BLOCK.0, 130) } else { (BLOCK.1, 100) };
        let (wide, high) = (self.frame.pen(tenths.0), self.frame.pen(tenths.1));
        let (left, top) = (block.at.0 - wide / 2, block.at.1 - high / 2);
        let (fill, edge, letter) = if block.enemy {
            (palette::ON_ENEMY, palette::ENEMY, palette::ENEMY)
        } else {
            (palette::OWN, palette::OWN, palette::ON_OWN)
        };
        let dash = self.frame.pen(40).to_string();
        let line = self.frame.pen(if block.enemy { 22 } else { 10 }).to_string();
        let off = self.frame.pen(26);
        let layers: &[i32] = if block.more { &[1, 0] } else { &[0] };
        for layer in layers {
            let place = [left + layer * off, top - layer * off, wide, high].map(|n| n.to_string());
            let [x, y, w, h] = &place;
            let mut look = vec![("x", x.as_str()), ("y", y.as_str()), ("width", w.as_str()), ("height", h.as_str())];
            look.extend([("rx", "8"), ("fill", fill), ("stroke", if block.enemy { edge } else { palette::PAPER })]);
            look.push(("stroke-width", line.as_str()));
            look.extend(block.gone.then_some(("stroke-dasharray", dash.as_str())));
            self.svg.element("rect", &look);
        }
        self.labels.take((left, top), (wide, high));
        let fits = |words: &str, most: i32| {
            let letters = i32::try_from(words.chars().count()).unwrap_or(1).max(1);
            (wide * 100 / (letters * 60)).min(most)
        };
        let size = fits(block.code, self.frame.pen(letters));
        let two = self.near && !block.below.is_empty();
        let base = if two { block.at.1 - size / 6 } else { block.at.1 + size / 3 };
        self.lettering((block.at.0, base), block.code, letter, size);
        if two {
            let least = fits(block.below, self.frame.pen(if block.enemy { 100 } else { 150 }));
            self.lettering((block.at.0, block.at.1 + high * 2 / 5), block.below, letter, least);
        }
    }

    fn lettering(&mut self, at: Point, words: &str, colour: &str, size: i32) {
        self.svg.lettering(at, words, colour, size);
    }

    /// A vedette: a pennon on its lance.
    fn pennon(&mut self, at: Point, name: &str) {
        let tenths = if self.near { PENNON.0 } else { PENNON.1 };
        let (wide, high) = (self.frame.pen(tenths.0), self.frame.pen(tenths.1));
        let (left, top) = (at.0 - wide / 2, at.1 - high / 2);
        let flag = vec![
            (left, top),
            (left + wide, top),
            (left + wide * 4 / 5, top + high / 2),
            (left + wide, top + high),
            (left, top + high),
        ];
        self.stroke(&[vec![(left, top), (left, top + 2 * high)]], palette::OWN, 14, &[]);
        self.svg
            .element("path", &[("d", &ink::path(&[flag], true)), ("fill", palette::OWN), ("stroke", palette::PAPER)]);
        self.labels.take((left, top), (wide, high));
        let size = self.frame.pen(if self.near { 110 } else { 60 });
        self.lettering((at.0 - wide / 12, at.1 + size / 3), name, palette::ON_OWN, size);
    }

    /// The center of operations: a ring round its hex, with a star's points.
    fn centre_of_operations(&mut self, hex: Hex) {
        let (x, y) = centre(hex);
        let r = self.frame.pen(if self.near { 330 } else { 150 });
        let (cx, cy, r, said) = (x.to_string(), y.to_string(), r.to_string(), hex.to_string());
        let wide = self.frame.pen(30).to_string();
        self.svg.element(
            "circle",
            &[
                ("data-center", &said),
                ("cx", &cx),
                ("cy", &cy),
                ("r", &r),
                ("fill", "none"),
                ("stroke", palette::OWN),
                ("stroke-width", &wide),
                ("stroke-dasharray", "60 30"),
            ],
        );
    }
}

/// The numbers of counters in one hex; of many in short, so that they can be read on a small screen.
fn numbers(tags: &[u32]) -> String {
    match tags {
        [_, _, _, _, ..] => format!("E{}", text::runs(tags).replace(", ", " ")),
        few => few.iter().map(|number| format!("E{number}")).collect::<Vec<_>>().join(" "),
    }
}

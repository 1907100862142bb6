//! Pieces: own blocks solid, enemy counters framed, vedettes as pennons, what is out of sight dashed. They are as large as
//! their letters, which are large enough for a phone, and lie on no other: who has no room on his hex lies beside it.

use super::geometry::centre;
use super::{Plate, palette};
use crate::hex::Hex;
use crate::ink::{self, Card, Labels, Point};
use crate::text;

/// What a piece is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Own,
    Enemy,
    Gone,
    Vedette,
}

/// A block or a pennon: all of one kind that stand in one hex.
struct Piece {
    hex: Hex,
    kind: Kind,
    /// What the picture's data says, a group each; the last holds what is drawn.
    groups: Vec<Vec<(&'static str, String)>>,
    /// What is written on it.
    lines: Vec<String>,
    /// Blocks below the uppermost that are seen.
    layers: i32,
}

impl Plate<'_, '_> {
    /// All pieces, each on its hex or beside it with a line to it, none over another.
    pub(super) fn pieces(&mut self) {
        let here: Vec<Hex> = self.chart.centers.iter().copied().filter(|h| self.frame.window.contains(*h)).collect();
        here.into_iter().for_each(|hex| self.centre_of_operations(hex));
        let pieces = self.standing();
        let sizes: Vec<Point> = pieces.iter().map(|piece| self.size_of(piece)).collect();
        let cards = pieces.iter().zip(&sizes).map(|(piece, size)| Card { home: centre(piece.hex), size: *size });
        let cards: Vec<Card> = cards.collect();
        let places = ink::spread(&cards, (self.frame.corner, self.frame.size), self.frame.pen(14));
        let ties = cards.iter().zip(&places).filter_map(|(card, at)| ink::tie(*at, card.size, card.home));
        let ties: Vec<Vec<Point>> = ties.map(|tie| tie.to_vec()).collect();
        self.stroke(&ties, palette::PAPER, 36, &[]);
        self.stroke(&ties, palette::INK, 14, &[]);
        for ((piece, size), at) in pieces.iter().zip(sizes).zip(places) {
            self.piece(piece, size, at);
            self.labels.take((at.0 - size.0 / 2, at.1 - size.1 / 2), size);
        }
    }

    /// What stands in the window: own forces first, then counters, what is out of sight, vedettes, each by its hex.
    fn standing(&self) -> Vec<Piece> {
        let (chart, window) = (self.chart, self.frame.window);
        let here = |hex: &Hex| window.contains(*hex);
        let at = |hex: &Hex| ("data-hex", hex.to_string());
        let one = |hex: &Hex, kind, data, lines| Piece { hex: *hex, kind, groups: vec![data], lines, layers: 0 };
        let mut pieces = Vec::new();
        for (hex, token) in chart.own.iter().filter(|(hex, _)| here(hex)) {
            let mut data = vec![("data-own", token.code.clone()), at(hex)];
            data.extend(chart.strength.get(hex).map(|sp| ("data-sp", sp.to_string())));
            data.extend(token.more.then(|| ("data-more", "1".to_owned())));
            data.extend(chart.stacked(*hex).map(|said| ("data-stack", said)));
            let lines = self.own_lines(*hex, &token.code);
            pieces.push(Piece { layers: i32::from(token.more), ..one(hex, Kind::Own, data, lines) });
        }
        for (hex, tags) in chart.enemy.iter().filter(|(hex, tags)| here(hex) && !tags.is_empty()) {
            let groups = tags.iter().map(|number| vec![("data-enemy", format!("E{number}")), at(hex)]).collect();
            let layers = i32::try_from(tags.len() - 1).unwrap_or(2).min(2);
            pieces.push(Piece { hex: *hex, kind: Kind::Enemy, groups, lines: vec![numbers(tags)], layers });
        }
        for (hex, ghost) in
            chart.ghosts.iter().filter(|(hex, _)| here(hex)).flat_map(|(h, all)| all.iter().map(move |g| (h, g)))
        {
            let (code, age) = (format!("E{}", ghost.number), ghost.age.to_string());
            let mut lines = vec![code.clone()];
            lines.extend(self.near.then(|| format!("{age} ago")));
            pieces.push(one(hex, Kind::Gone, vec![("data-ghost", code), ("data-age", age), at(hex)], lines));
        }
        for (hex, number) in
            chart.own_vedettes.iter().filter(|(h, _)| here(h)).flat_map(|(h, all)| all.iter().map(move |n| (h, n)))
        {
            let name = format!("v{number}");
            pieces.push(one(hex, Kind::Vedette, vec![("data-vedette", name.clone()), at(hex)], vec![name]));
        }
        pieces
    }

    /// What stands on a block of one's own. Of several forces in a hex the first with its own strength, how many more there
    /// are, and the sum of all.
    fn own_lines(&self, hex: Hex, code: &str) -> Vec<String> {
        let chart = self.chart;
        let sum = chart.strength.get(&hex).map(i32::to_string);
        match chart.stacks.get(&hex).map(Vec::as_slice) {
            Some([(first, sp), rest @ ..]) if !rest.is_empty() => {
                let more = rest.len();
                if !self.near {
                    return vec![format!("{first} +{more}")];
                }
                vec![format!("{first} {sp}"), format!("+{more}: {}", sum.unwrap_or_default())]
            }
            _ => std::iter::once(code.to_owned()).chain(sum.filter(|_| self.near)).collect(),
        }
    }

    /// How large letters on pieces are.
    fn letters(&self) -> i32 {
        self.frame.pen(self.least.max(if self.near { 130 } else { 100 }))
    }

    /// How far blocks below the uppermost stand out.
    fn layer(&self) -> i32 {
        self.frame.pen(26)
    }

    /// The size of a piece, all told: of its words, and of what is seen below it.
    fn size_of(&self, piece: &Piece) -> Point {
        let (size, off) = (self.letters(), piece.layers * self.layer());
        let longest = piece.lines.iter().map(|line| Labels::bold(line, size)).max().unwrap_or(size);
        let lines = i32::try_from(piece.lines.len()).unwrap_or(1);
        let (wide, high) = (longest.max(size) + size / 2, lines * size + size * 3 / 10);
        match piece.kind {
            Kind::Vedette => (wide + size / 4, high * 13 / 10),
            Kind::Own | Kind::Enemy | Kind::Gone => (wide + off, high + off),
        }
    }

    fn piece(&mut self, piece: &Piece, size: Point, at: Point) {
        let last = piece.groups.len().saturating_sub(1);
        let (off, layers) = (self.layer(), piece.layers);
        let (wide, high) = (size.0 - off * layers, size.1 - off * layers);
        let (left, top) = (at.0 - size.0 / 2, at.1 - size.1 / 2 + off * layers);
        for (n, data) in (0..).zip(&piece.groups) {
            let data: Vec<(&str, &str)> = data.iter().map(|(key, value)| (*key, value.as_str())).collect();
            self.svg.group(&data);
            if piece.kind == Kind::Vedette {
                self.pennon((left, top), size, piece.lines.first().map_or("", String::as_str));
            } else {
                // Of many counters no more is seen than that others lie below; each has its part of it.
                let below: Vec<i32> = match (last, n) {
                    (0, _) => (1..=layers).rev().collect(),
                    (_, n) if n < layers => vec![layers - n],
                    _ => Vec::new(),
                };
                let upper = (n == i32::try_from(last).unwrap_or(0)).then_some(0);
                for layer in below.into_iter().chain(upper) {
                    self.card(piece.kind, (left + layer * off, top - layer * off), (wide, high));
                }
                if upper.is_some() {
                    self.written(piece, (left + wide / 2, top), high);
                }
            }
            self.svg.close();
        }
    }

    fn card(&mut self, kind: Kind, corner: Point, size: Point) {
        let enemy = kind != Kind::Own;
        let (fill, edge) = if enemy { (palette::ON_ENEMY, palette::ENEMY) } else { (palette::OWN, palette::PAPER) };
        let dash = self.frame.pen(40).to_string();
        let line = self.frame.pen(if enemy { 22 } else { 10 }).to_string();
        let mut look = vec![("rx", "8"), ("fill", fill), ("stroke", edge), ("stroke-width", line.as_str())];
        look.extend((kind == Kind::Gone).then_some(("stroke-dasharray", dash.as_str())));
        self.svg.rect(corner, size, &look);
    }

    fn written(&mut self, piece: &Piece, (x, top): Point, high: i32) {
        let (size, ink) = (self.letters(), if piece.kind == Kind::Own { palette::ON_OWN } else { palette::ENEMY });
        let lines = i32::try_from(piece.lines.len()).unwrap_or(1).max(1);
        for (n, line) in (0..).zip(&piece.lines) {
            let middle = top + high * (2 * n + 1) / (2 * lines);
            self.svg.lettering((x, middle + size / 3), line, ink, size);
        }
    }

    /// A vedette: a pennon on its lance.
    fn pennon(&mut self, (left, top): Point, (wide, all): Point, name: &str) {
        let high = all * 10 / 13;
        let flag = vec![
            (left, top),
            (left + wide, top),
            (left + wide * 5 / 6, top + high / 2),
            (left + wide, top + high),
            (left, top + high),
        ];
        self.stroke(&[vec![(left, top), (left, top + all)]], palette::OWN, 14, &[]);
        self.svg
            .element("path", &[("d", &ink::path(&[flag], true)), ("fill", palette::OWN), ("stroke", palette::PAPER)]);
        let size = self.letters();
        self.svg.lettering((left + wide * 11 / 24, top + high / 2 + size / 3), name, palette::ON_OWN, size);
    }

    /// What counters are taken for, each beside its block where there is room; the text has all.
    pub(super) fn titles(&mut self) {
        let (chart, window, near) = (self.chart, self.frame.window, self.near);
        let size = self.letters();
        for (hex, tags) in chart.enemy.iter().filter(|(hex, _)| near && window.contains(**hex)) {
            let said: Vec<&str> = tags.iter().filter_map(|n| chart.titles.get(n)).map(String::as_str).collect();
            let said = said.join("; ");
            if said.is_empty() {
                continue;
            }
            let Some(at) = self.room(centre(*hex), &said, size) else { continue };
            let high = size.to_string();
            self.words(at, &said, palette::ENEMY, &[("font-size", &high), ("font-weight", "bold")]);
        }
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

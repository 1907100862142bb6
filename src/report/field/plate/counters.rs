//! Counters, their fronts and moods, leaders, printed guns, and what was last seen.

use super::{Battery, Counter, Front, Ghost, Leader, Mood, Plate};
use crate::hex::{Dir, Hex};
use crate::ink::{self, Point};
use crate::map::draw::plate::geometry::{centre, corners, edge, middle, toward};
use crate::map::draw::plate::{palette, side_word};
use crate::rules::tactical::facing::beside;
use crate::rules::tactical::ground::Arm;

/// Width and height of a block, near and far.
const BLOCK: (Point, Point) = ((186, 122), (226, 160));
/// Names smaller than this are not read on a phone.
const LEGIBLE: i32 = 40;
/// How far blocks of one hex lie off each other.
const STEP: i32 = 18;
/// How far the piles of both sides lie off the middle of a hex that they share.
const APART: i32 = 66;

/// Corners, by the hexside before each.
const CORNERS: [&str; 6] = ["N NE", "NE SE", "SE S", "S SW", "SW NW", "NW N"];

/// The words for what a reader of the data looks up.
fn mood_word(mood: Option<Mood>) -> &'static str {
    match mood {
        None => "-",
        Some(Mood::Fresh) => "fresh",
        Some(Mood::Tired) => "tired",
        Some(Mood::Routed) => "routed",
    }
}

pub(super) fn front_word(front: Front) -> &'static str {
    match front {
        Front::None => "-",
        Front::To(dir) => dir.name(),
        Front::Corner(dir) => {
            CORNERS.get(Dir::ALL.iter().position(|d| *d == dir).unwrap_or_default()).copied().unwrap_or("-")
        }
        Front::Round => "round",
    }
}

/// Names of a pile in one line: battalions of a regiment behind its name, once.
fn joined(pile: &[&Counter]) -> String {
    let mut said = String::new();
    let mut last: Option<&str> = None;
    for counter in pile {
        let (regiment, number) = counter.name.rsplit_once('-').unwrap_or((&counter.name, ""));
        let same = last == Some(regiment) && !number.is_empty();
        let word = if same { number } else { &counter.name };
        said.push_str(if said.is_empty() { "" } else { " " });
        said.push_str(word);
        last = Some(regiment);
    }
    said
}

/// Codes of a pile, each once.
fn codes(pile: &[&Counter]) -> String {
    let mut codes: Vec<&str> = pile.iter().map(|counter| counter.code.as_str()).collect();
    codes.dedup();
    codes.truncate(2);
    codes.join(" ")
}

impl Plate<'_> {
    pub(super) fn pieces(&mut self) {
        let scene = self.scene;
        for hex in self.window.hexes() {
            scene.batteries.get(&hex).into_iter().flatten().for_each(|battery| self.battery(hex, battery));
            let ghosts = scene.ghosts.get(&hex).into_iter().flatten();
            ghosts.zip(0..).for_each(|(ghost, n)| self.ghost(hex, ghost, n));
            let here: Vec<&Counter> = scene.counters.get(&hex).into_iter().flatten().collect();
            let (own, enemy): (Vec<&Counter>, Vec<&Counter>) = here.into_iter().partition(|counter| counter.own);
            let shared = !own.is_empty() && !enemy.is_empty();
            for (pile, down) in [(enemy, -APART), (own, APART)] {
                self.pile(hex, &pile, if shared { down } else { 0 });
            }
            let leaders = scene.leaders.get(&hex).into_iter().flatten();
            leaders.zip(0..).for_each(|(leader, n)| self.flag(hex, leader, n));
        }
    }

    fn block_size(&self) -> Point {
        if self.near { BLOCK.0 } else { BLOCK.1 }
    }

    /// Counters of one side in one hex: blocks on each other, each a little off, the names of all on the uppermost.
    fn pile(&mut self, hex: Hex, pile: &[&Counter], down: i32) {
        let (x, y) = centre(hex);
        let many = i32::try_from(pile.len()).unwrap_or(1);
        let said = hex.to_string();
        let mut top = None;
        for (n, counter) in (0..many).zip(pile).rev() {
            let off = STEP * (2 * n - many + 1) / 2;
            let at = (x + off, y + down - off);
            self.svg.group(&[
                ("data-unit", counter.name.as_str()),
                ("data-side", side_word(counter.own)),
                ("data-hex", &said),
                ("data-facing", front_word(counter.front)),
                ("data-mood", mood_word(counter.mood)),
                ("data-arm", counter.arm.map_or("-", Arm::word)),
                ("data-of", &counter.of),
                ("data-acts", if counter.acts { "1" } else { "0" }),
                ("data-hollow", if counter.hollow { "1" } else { "0" }),
            ]);
            self.block(at, counter);
            self.svg.close();
            top = Some(at);
        }
        let Some(at) = top else { return };
        self.legend(at, pile);
        let mut fronts: Vec<Front> = pile.iter().map(|counter| counter.front).collect();
        fronts.sort_unstable();
        fronts.dedup();
        fronts.into_iter().for_each(|front| self.front(hex, front));
        let size = self.block_size();
        let moods = pile.iter().filter_map(|counter| counter.mood).filter(|mood| *mood != Mood::Fresh);
        for (n, mood) in (0..).zip(moods) {
            let spread = STEP * (many - 1);
            let at = (at.0 + size.0 / 2 + spread - 8 - 50 * n, at.1 - size.1 / 2 - spread + 4);
            self.disc(at, mood);
        }
        let wide = size.0 + STEP * (many - 1);
        self.labels
            .take((x - wide / 2, y + down - size.1 / 2 - STEP * (many - 1) / 2), (wide, size.1 + STEP * (many - 1)));
    }

    /// One block: solid or framed; round where it is tired, askew where it runs, striped where it is seen badly.
    fn block(&mut self, at: Point, counter: &Counter) {
        let (wide, high) = self.block_size();
        let (l, t, r, b) = (at.0 - wide / 2, at.1 - high / 2, at.0 + wide / 2, at.1 + high / 2);
        let lean = if counter.mood == Some(Mood::Routed) { 30 } else { 0 };
        let outline = if counter.mood == Some(Mood::Tired) {
            let cut = high * 2 / 5;
            let corners =
                [(l + cut, t), (r - cut, t), (r, t + cut), (r, b - cut), (r - cut, b), (l + cut, b), (l, b - cut)];
            let corners: Vec<Point> = corners.into_iter().chain([(l, t + cut), (l + cut, t)]).collect();
            ink::rounded(&corners, 1)
        } else {
            vec![(l + lean, t), (r + lean / 2, t), (r - lean, b), (l - lean / 2, b), (l + lean, t)]
        };
        let (fill, edge) = match (counter.own, counter.hollow) {
            (true, false) => (palette::OWN, palette::PAPER),
            (true, true) => (palette::PAPER, palette::OWN),
            (false, _) => (palette::ON_ENEMY, palette::ENEMY),
        };
        let line = self.pen(if counter.own && !counter.hollow { 10 } else { 18 }).to_string();
        let mut look = vec![("stroke", edge), ("stroke-width", line.as_str()), ("stroke-linejoin", "round")];
        look.extend(counter.hollow.then_some(("stroke-dasharray", "22 14")));
        self.svg.fill(&[outline], fill, &look);
        if !counter.own && counter.mood.is_none() {
            let stripes = ink::stripes((l, t), (wide, high), 26);
            self.stroke(&stripes, palette::ENEMY, 8, &[("stroke-opacity", "0.45")]);
        }
        if counter.acts {
            let bar = vec![vec![(l + 10, b + 10), (r - 10, b + 10)]];
            self.stroke(&bar, palette::MARK, if self.near { 26 } else { 16 }, &[]);
        }
    }

    /// What is written on the uppermost block: names, and below them arms and regiments.
    fn legend(&mut self, at: Point, pile: &[&Counter]) {
        let Some(first) = pile.first() else { return };
        let (wide, high) = self.block_size();
        let ink = if !first.own {
            palette::ENEMY
        } else if first.hollow {
            palette::OWN
        } else {
            palette::ON_OWN
        };
        let name = if self.near { joined(pile) } else { codes(pile) };
        let fits = |words: &str, most: i32, room: i32| {
            let letters = i32::try_from(words.chars().count()).unwrap_or(1).max(1);
            (room * 100 / (letters * 62)).min(most)
        };
        if !self.near {
            let size = fits(&name, 104, wide - 16);
            self.letters((at.0, at.1 + size / 3), &name, ink, size, first.own);
            return;
        }
        let size = fits(&name, 66, wide - 20);
        if size < LEGIBLE && pile.len() > 1 {
            return self.two_lines(at, &name, ink, first.own);
        }
        self.letters((at.0, at.1 - 6), &name, ink, size, first.own);
        let mut arms: Vec<Option<Arm>> = pile.iter().map(|counter| counter.arm).collect();
        arms.dedup();
        arms.truncate(2);
        let mut of: Vec<&str> = pile.iter().map(|c| c.of.as_str()).filter(|of| !of.is_empty()).collect();
        of.dedup();
        let of = of.join(" ");
        let boxes = 68 * i32::try_from(arms.len()).unwrap_or(1);
        let count = i32::try_from(of.chars().count()).unwrap_or(1);
        let size = fits(&of, 50, wide - boxes - 16);
        let letters = if of.is_empty() { 0 } else { count * size * 66 / 100 + 10 };
        let mut x = at.0 - (boxes + letters) / 2;
        let y = at.1 + high / 4 + 2;
        for arm in arms {
            self.sign((x + 34, y), arm, ink, first);
            x += 68;
        }
        if !of.is_empty() {
            self.letters((x + letters / 2, y + size / 3), &of, ink, size, first.own);
        }
    }

    /// Names that would be too small beside the signs of their arms: on two lines, and nothing else.
    fn two_lines(&mut self, at: Point, name: &str, ink: &str, own: bool) {
        let (wide, high) = self.block_size();
        let count = |words: &str| i32::try_from(words.chars().count()).unwrap_or(1).max(1);
        // Broken where the longer of both lines is shortest.
        let breaks = name.char_indices().filter(|(_, c)| *c == ' ').map(|(at, _)| name.split_at(at));
        let (first, second) = breaks.min_by_key(|(a, b)| count(a).max(count(b))).unwrap_or((name, ""));
        let second = second.trim_start();
        let size = ((wide - 12) * 100 / (count(first).max(count(second)) * 68)).min(56);
        self.letters((at.0, at.1 - high / 4 + size / 3), first, ink, size, own);
        self.letters((at.0, at.1 + high / 4 + size / 3), second, ink, size, own);
    }

    /// Letters on a block; those on a striped one have a halo.
    fn letters(&mut self, at: Point, words: &str, ink: &str, size: i32, own: bool) {
        if own {
            self.svg.lettering(at, words, ink, size);
            return;
        }
        let said = size.to_string();
        let look = [("font-size", said.as_str()), ("font-weight", "bold"), ("text-anchor", "middle")];
        let halo = (palette::ON_ENEMY, self.pen(16));
        self.svg.haloed(at, words, ink, halo, &look);
    }

    /// The sign of an arm in a small frame: crossed belts, one belt, a barrel on its wheel; nothing known, a question mark.
    fn sign(&mut self, (x, y): Point, arm: Option<Arm>, ink: &str, counter: &Counter) {
        let (a, b) = (29, 19);
        let fill = match (counter.own, counter.hollow) {
            (true, false) => palette::OWN,
            (true, true) => palette::PAPER,
            (false, _) => palette::ON_ENEMY,
        };
        let frame = vec![(x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b), (x - a, y - b)];
        let up = vec![(x - a, y + b), (x + a, y - b)];
        let down = vec![(x - a, y - b), (x + a, y + b)];
        let mut lines = vec![frame];
        match arm {
            Some(Arm::Inf) => lines.extend([up, down]),
            Some(Arm::Cav) => lines.push(up),
            Some(Arm::Art) => lines.push(vec![(x - a + 12, y), (x + a - 6, y)]),
            None => {}
        }
        self.stroke(&lines, ink, 9, &[("fill", fill)]);
        match arm {
            Some(Arm::Art) => self.svg.circle((x - 4, y), 10, &[("fill", ink)]),
            None => self.letters((x, y + 15), "?", ink, 44, counter.own),
            Some(Arm::Inf | Arm::Cav) => {}
        }
    }

    /// The front of a hex: a strong line along its hexside, with a point.
    fn front(&mut self, hex: Hex, front: Front) {
        let at = centre(hex);
        match front {
            Front::None => {}
            Front::Round => {
                let ring: Vec<Point> = corners(hex).into_iter().map(|c| toward(at, c, 90)).collect();
                let closed: Vec<Point> = ring.iter().chain(ring.first()).copied().collect();
                self.stroke(&[closed], palette::INK, 18, &[]);
            }
            Front::To(dir) => self.pointed(hex, dir),
            Front::Corner(dir) => {
                self.pointed(hex, dir);
                self.pointed(hex, beside(dir, true));
            }
        }
    }

    fn pointed(&mut self, hex: Hex, dir: Dir) {
        let at = centre(hex);
        let (a, b) = edge(hex, dir);
        let (a, b, tip) = (toward(at, a, 90), toward(at, b, 90), toward(at, middle(a, b), 110));
        let (from, to) = (toward(a, b, 10), toward(a, b, 90));
        let wide = if self.near { 24 } else { 14 };
        self.stroke(&[vec![from, to]], palette::PAPER, wide + 14, &[]);
        self.stroke(&[vec![from, to]], palette::INK, wide, &[]);
        self.svg.fill(&[vec![toward(a, b, 32), tip, toward(a, b, 68)]], palette::INK, &[]);
        let low = (from.0.min(to.0).min(tip.0), from.1.min(to.1).min(tip.1));
        let high = (from.0.max(to.0).max(tip.0), from.1.max(to.1).max(tip.1));
        self.labels.take(low, (high.0 - low.0 + 4, high.1 - low.1 + 4));
    }

    /// T for tired, R for routed; on a far sheet a ring and a dot.
    fn disc(&mut self, at: Point, mood: Mood) {
        let letter = if mood == Mood::Routed { "R" } else { "T" };
        let pen = self.pen(8).to_string();
        let hollow = !self.near && mood == Mood::Tired;
        let (fill, edge) = if hollow { (palette::PAPER, palette::MARK) } else { (palette::MARK, palette::PAPER) };
        let look = [("fill", fill), ("stroke", edge), ("stroke-width", pen.as_str())];
        self.svg.circle(at, if self.near { 27 } else { 32 }, &look);
        if self.near {
            self.svg.lettering((at.0, at.1 + 15), letter, palette::PAPER, 46);
        }
    }

    /// A leader: a flag on its staff, to the left of his men.
    fn flag(&mut self, hex: Hex, leader: &Leader, n: i32) {
        let (x, y) = centre(hex);
        let (foot, high) = ((x - self.block_size().0 / 2 - 10 + 40 * n, y - 20), 104);
        let (wide, deep) = (72, 46);
        let staff = vec![foot, (foot.0, foot.1 - high)];
        let cloth =
            vec![(foot.0, foot.1 - high), (foot.0 + wide, foot.1 - high + deep / 2), (foot.0, foot.1 - high + deep)];
        let said = hex.to_string();
        self.svg.group(&[
            ("data-leader", leader.name.as_str()),
            ("data-side", side_word(leader.own)),
            ("data-hex", &said),
        ]);
        self.stroke(&[staff], palette::INK, 14, &[]);
        let (fill, edge) =
            if leader.own { (palette::OWN, palette::PAPER) } else { (palette::ON_ENEMY, palette::ENEMY) };
        let pen = self.pen(if leader.own { 6 } else { 14 }).to_string();
        self.svg.fill(&[cloth], fill, &[("stroke", edge), ("stroke-width", &pen)]);
        self.svg.close();
        self.labels.take((foot.0, foot.1 - high), (wide, deep));
    }

    /// Printed guns: a rampart with barrels along each of its hexsides.
    fn battery(&mut self, hex: Hex, battery: &Battery) {
        let at = centre(hex);
        let (mut wall, mut barrels) = (Vec::new(), Vec::new());
        for dir in &battery.sides {
            let (a, b) = edge(hex, *dir);
            let (inner, outer) = ((toward(at, a, 78), toward(at, b, 78)), (toward(at, a, 104), toward(at, b, 104)));
            wall.push(vec![toward(inner.0, inner.1, 6), toward(inner.0, inner.1, 94)]);
            barrels.extend([24, 50, 76].map(|k| vec![toward(inner.0, inner.1, k), toward(outer.0, outer.1, k)]));
        }
        let sides: Vec<&str> = battery.sides.iter().map(|dir| dir.name()).collect();
        let (said, sides) = (hex.to_string(), sides.join(" "));
        self.svg.group(&[
            ("data-battery", battery.name.as_str()),
            ("data-side", side_word(battery.own)),
            ("data-hex", &said),
            ("data-sides", &sides),
        ]);
        let ink = if battery.own { palette::OWN } else { palette::ENEMY };
        self.stroke(&wall, palette::SHADE, 34, &[]);
        self.stroke(&barrels, ink, 18, &[]);
        self.svg.close();
    }

    /// An enemy where he was last seen: dashed, with the turn.
    fn ghost(&mut self, hex: Hex, ghost: &Ghost, n: i32) {
        let (x, y) = centre(hex);
        let (wide, high) = self.block_size();
        let at = (x + STEP * n, y - STEP * n);
        let (said, turn) = (hex.to_string(), ghost.turn.to_string());
        self.svg.group(&[
            ("data-ghost", ghost.name.as_str()),
            ("data-hex", &said),
            ("data-turn", &turn),
            ("data-arm", &ghost.arm),
        ]);
        let pen = self.pen(14).to_string();
        let look = [
            ("fill", palette::PAPER),
            ("fill-opacity", "0.8"),
            ("stroke", palette::ENEMY),
            ("stroke-width", pen.as_str()),
            ("stroke-dasharray", "20 14"),
        ];
        self.svg.rect((at.0 - wide / 2, at.1 - high / 2), (wide, high), &look);
        if self.near {
            self.letters((at.0, at.1 - 8), &ghost.name, palette::ENEMY, 62, false);
            self.letters((at.0, at.1 + 48), &format!("turn {turn}"), palette::ENEMY, 48, false);
        } else {
            self.letters((at.0, at.1 + 32), &ghost.name, palette::ENEMY, 96, false);
        }
        self.svg.close();
        self.labels.take((at.0 - wide / 2, at.1 - high / 2), (wide, high));
    }
}

//! Counters, their fronts and moods, leaders, printed guns, and what was last seen.

use super::{Battery, Counter, Front, Ghost, Leader, Mood, Plate};
use crate::hex::{Dir, Hex};
use crate::ink::{self, Card, Labels, Point};
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
/// How far the block of who runs leans.
const LEAN: i32 = 30;
/// Blocks of one hex that are seen below each other.
const LAYERS: i32 = 4;
/// Letters of a line on a block.
const LINE: usize = 8;
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

/// Names of a pile: battalions of a regiment behind its name, once.
fn names(pile: &[&Counter]) -> Vec<String> {
    let mut said = Vec::new();
    let mut last: Option<&str> = None;
    for counter in pile {
        let (regiment, number) = counter.name.rsplit_once('-').unwrap_or((&counter.name, ""));
        let same = last == Some(regiment) && !number.is_empty();
        said.push(if same { number.to_owned() } else { counter.name.clone() });
        last = Some(regiment);
    }
    said
}

/// Regiments of a pile, each once: of more than two how many more.
fn regiments(pile: &[&Counter]) -> String {
    let of = |counter: &&Counter| counter.name.rsplit_once('-').map_or(counter.code.clone(), |(of, _)| of.to_owned());
    let mut all: Vec<String> = pile.iter().map(of).collect();
    all.dedup();
    let more = all.len().saturating_sub(2);
    all.truncate(2);
    all.extend((more > 0).then(|| format!("+{more}")));
    all.join(" ")
}

/// Names of a pile in lines that a block has room for.
fn lines(pile: &[&Counter]) -> Vec<String> {
    let names = names(pile);
    let all = names.join(" ");
    if all.chars().count() <= LINE + 1 {
        return vec![all];
    }
    let mut lines: Vec<String> = Vec::new();
    for word in names {
        match lines.last_mut() {
            Some(last) if last.chars().count() + word.chars().count() < LINE => {
                last.push(' ');
                last.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Counters of one side in one hex, and where they lie.
struct Pile<'s> {
    hex: Hex,
    pile: Vec<&'s Counter>,
    /// How far below the middle of its hex it wants to lie.
    down: i32,
    lines: Vec<String>,
}

impl<'s> Plate<'s> {
    pub(super) fn pieces(&mut self) {
        let scene = self.scene;
        let hexes: Vec<Hex> = self.window.hexes().collect();
        for hex in &hexes {
            scene.batteries.get(hex).into_iter().flatten().for_each(|battery| self.battery(*hex, battery));
            let ghosts = scene.ghosts.get(hex).into_iter().flatten();
            ghosts.zip(0..).for_each(|(ghost, n)| self.ghost(*hex, ghost, n));
        }
        let piles: Vec<Pile<'s>> = hexes.iter().flat_map(|hex| self.piles(*hex)).collect();
        let sizes: Vec<Point> = piles.iter().map(|pile| self.pile_size(pile)).collect();
        let home = |pile: &Pile<'_>| (centre(pile.hex).0, centre(pile.hex).1 + pile.down);
        let mut cards: Vec<Card> =
            piles.iter().zip(&sizes).map(|(pile, size)| Card { home: home(pile), size: *size }).collect();
        let leaders = hexes.iter().flat_map(|hex| scene.leaders.get(hex).into_iter().flatten().map(move |l| (*hex, l)));
        let leaders: Vec<(Hex, &Leader)> = leaders.collect();
        let flag = self.flag_size();
        cards.extend(leaders.iter().map(|(hex, _)| {
            let (x, y) = centre(*hex);
            Card { home: (x - flag.0, y - self.block_size().1 / 2 - flag.1 / 2), size: flag }
        }));
        let places = ink::spread(&cards, (self.corner, self.size), 4);
        let ties = cards.iter().zip(&places).filter_map(|(card, at)| ink::tie(*at, card.size, card.home));
        let ties: Vec<Vec<Point>> = ties.map(|tie| tie.to_vec()).collect();
        self.stroke(&ties, palette::PAPER, 32, &[]);
        self.stroke(&ties, palette::INK, 12, &[]);
        let laid = || piles.iter().zip(&sizes).zip(&places);
        laid().for_each(|((pile, size), at)| self.pile(pile, *size, *at));
        for pile in &piles {
            let mut fronts: Vec<Front> = pile.pile.iter().map(|counter| counter.front).collect();
            fronts.sort_unstable();
            fronts.dedup();
            fronts.into_iter().for_each(|front| self.front(pile.hex, front));
        }
        // No front strikes out a name.
        laid().for_each(|((pile, size), at)| self.signed(pile, *size, *at));
        for ((hex, leader), at) in leaders.into_iter().zip(places.iter().skip(piles.len())) {
            self.flag(hex, leader, *at);
        }
    }

    /// The piles of a hex: the enemy's above one's own where both share it.
    fn piles(&self, hex: Hex) -> Vec<Pile<'s>> {
        let scene = self.scene;
        let here: Vec<&Counter> = scene.counters.get(&hex).into_iter().flatten().collect();
        let (own, enemy): (Vec<&Counter>, Vec<&Counter>) = here.into_iter().partition(|counter| counter.own);
        let shared = !own.is_empty() && !enemy.is_empty();
        let piles = [(enemy, -APART), (own, APART)].into_iter().filter(|(pile, _)| !pile.is_empty());
        let piled = |(pile, down): (Vec<&'s Counter>, i32)| {
            let lines = if self.near { lines(&pile) } else { Vec::new() };
            Pile { hex, pile, down: if shared { down } else { 0 }, lines }
        };
        piles.map(piled).collect()
    }

    /// The least size of a block.
    fn block_size(&self) -> Point {
        if self.near { BLOCK.0 } else { BLOCK.1 }
    }

    /// How large names on blocks are, where they must be larger than the block leaves them.
    fn name_size(&self) -> i32 {
        if self.least > 0 { self.pen(self.least) } else { 0 }
    }

    /// The size of the uppermost block of a pile: of its names, or as blocks are.
    fn upper_size(&self, pile: &Pile<'_>) -> Point {
        let (wide, high) = self.block_size();
        let size = self.name_size();
        if !self.near || size == 0 {
            return (wide, high);
        }
        let letters = pile.lines.iter().map(|line| Labels::bold(line, size)).max().unwrap_or(size);
        let rows = i32::try_from(pile.lines.len()).unwrap_or(1).max(2);
        (wide.max(letters + size / 3), high.max(rows * size + size / 4))
    }

    fn layers(pile: &Pile<'_>) -> i32 {
        i32::try_from(pile.pile.len()).unwrap_or(1).clamp(1, LAYERS)
    }

    fn disc_size(&self) -> i32 {
        if self.near { (self.name_size() * 11 / 20).max(27) } else { (self.name_size() / 5).max(32) }
    }

    /// The moods of a pile that are marked, each once.
    fn marked(pile: &Pile<'_>) -> Vec<Mood> {
        let moods = pile.pile.iter().filter_map(|counter| counter.mood).filter(|mood| *mood != Mood::Fresh);
        let mut moods: Vec<Mood> = moods.collect();
        moods.sort_unstable();
        moods.dedup();
        moods
    }

    /// The size of a pile, all told.
    fn pile_size(&self, pile: &Pile<'_>) -> Point {
        let (wide, high) = self.upper_size(pile);
        let spread = STEP * (Self::layers(pile) - 1);
        let disc = if self.near && self.least > 0 && !Self::marked(pile).is_empty() { self.disc_size() } else { 0 };
        (wide + spread + disc, high + spread)
    }

    /// Where the block of a counter of a pile lies, by its place in it; the first is the uppermost.
    fn upper_at(&self, piled: &Pile<'_>, size: Point, at: Point, n: usize) -> Point {
        let (upper, layers) = (self.upper_size(piled), Self::layers(piled));
        let off = STEP * i32::try_from(n).unwrap_or(LAYERS).min(layers - 1);
        (at.0 - size.0 / 2 + upper.0 / 2 + off, at.1 + size.1 / 2 - upper.1 / 2 - off)
    }

    /// Counters of one side in one hex: blocks on each other, each a little off.
    fn pile(&mut self, piled: &Pile<'_>, size: Point, at: Point) {
        let upper = self.upper_size(piled);
        let said = piled.hex.to_string();
        for (n, counter) in piled.pile.iter().enumerate().rev() {
            let at = self.upper_at(piled, size, at, n);
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
            self.block(at, upper, counter);
            self.svg.close();
        }
        self.labels.take((at.0 - size.0 / 2, at.1 - size.1 / 2), size);
    }

    /// The names of all on the uppermost block, and their moods.
    fn signed(&mut self, piled: &Pile<'_>, size: Point, at: Point) {
        let (upper, top) = (self.upper_size(piled), self.upper_at(piled, size, at, 0));
        self.legend(top, upper, piled);
        let (r, spread) = (self.disc_size(), STEP * (Self::layers(piled) - 1));
        for (n, mood) in (0..).zip(Self::marked(piled)) {
            let disc = (at.0 + size.0 / 2 - r, at.1 - size.1 / 2 + r / 2 + 2 * r * n);
            let beside = (top.0 + upper.0 / 2 + spread - 8 - 50 * n, top.1 - upper.1 / 2 - spread + 4);
            self.disc(if self.least > 0 && self.near { disc } else { beside }, mood);
        }
    }

    /// One block: solid or framed; round where it is tired, askew where it runs, striped where it is seen badly.
    fn block(&mut self, at: Point, (wide, high): Point, counter: &Counter) {
        let (l, t, r, b) = (at.0 - wide / 2, at.1 - high / 2, at.0 + wide / 2, at.1 + high / 2);
        let lean = if counter.mood == Some(Mood::Routed) { LEAN } else { 0 };
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

    /// What is written on the uppermost block: names, and below them arms and regiments. From afar names stand beside it.
    fn legend(&mut self, at: Point, (wide, high): Point, piled: &Pile<'_>) {
        let pile = piled.pile.as_slice();
        let Some(first) = pile.first().filter(|_| self.near) else { return };
        let ink = if !first.own {
            palette::ENEMY
        } else if first.hollow {
            palette::OWN
        } else {
            palette::ON_OWN
        };
        let count = |words: &str| i32::try_from(words.chars().count()).unwrap_or(1).max(1);
        let fits = |words: &str, most: i32, room: i32| (room * 100 / Labels::bold(words, 100).max(1)).min(most);
        let least = self.name_size();
        let name = names(pile).join(" ");
        // A block that stands askew has less room.
        let lean = if first.mood == Some(Mood::Routed) { 2 * LEAN } else { 0 };
        let size = fits(&name, 66.max(least), wide - lean - 12);
        if piled.lines.len() > 1 && (least > 0 || size < LEGIBLE) {
            return self.many_lines(at, (wide, high), &piled.lines, (ink, first.own));
        }
        self.letters((at.0, at.1 - 6), &name, ink, size, first.own);
        let mut arms: Vec<Option<Arm>> = pile.iter().map(|counter| counter.arm).collect();
        arms.dedup();
        arms.truncate(2);
        let mut of: Vec<&str> = pile.iter().map(|c| c.of.as_str()).filter(|of| !of.is_empty()).collect();
        of.dedup();
        let of = of.join(" ");
        let boxes = 68 * i32::try_from(arms.len()).unwrap_or(1);
        let size = fits(&of, 50.max(least), wide - boxes - 16);
        // What would be too small to read is left to the text.
        let letters = if of.is_empty() || size < least { 0 } else { count(&of) * size * 66 / 100 + 10 };
        let mut x = at.0 - (boxes + letters) / 2;
        let y = at.1 + high / 4 + 2;
        for arm in arms {
            self.sign((x + 34, y), arm, ink, first);
            x += 68;
        }
        if letters > 0 {
            self.letters((x + letters / 2, y + size / 3), &of, ink, size, first.own);
        }
    }

    /// Names that would be too small beside the signs of their arms: on lines of their own, and nothing else.
    fn many_lines(&mut self, at: Point, (wide, high): Point, lines: &[String], (ink, own): (&str, bool)) {
        let many = i32::try_from(lines.len()).unwrap_or(1).max(1);
        let longest = lines.iter().map(|line| Labels::bold(line, 100)).max().unwrap_or(100).max(1);
        let most = 56.max(self.name_size()).min(high / many);
        let size = ((wide - 12) * 100 / longest).min(most);
        for (n, line) in (0..).zip(lines) {
            let middle = at.1 - high / 2 + high * (2 * n + 1) / (2 * many);
            self.letters((at.0, middle + size / 3), line, ink, size, own);
        }
    }

    /// From afar the regiments of a pile beside its block, with a line to it where they stand off.
    pub(super) fn piles_named(&mut self) {
        let size = self.letter(84);
        let hexes: Vec<Hex> = self.window.hexes().collect();
        let piles = hexes.iter().flat_map(|hex| self.piles(*hex));
        let named = piles.filter_map(|pile| Some((pile.hex, pile.down, regiments(&pile.pile), pile.pile.first()?.own)));
        for (hex, down, said, own) in named.collect::<Vec<_>>() {
            let (x, y) = (centre(hex).0, centre(hex).1 + down);
            let wide = Labels::bold(&said, size);
            let Some(at) = self.room((x, y), wide, size) else { continue };
            let ink = if own { palette::OWN } else { palette::ENEMY };
            self.led(at, (wide, size), (x, y), ink);
            let high = size.to_string();
            let look = [("font-size", high.as_str()), ("font-weight", "bold")];
            self.halo((at.0, at.1 + size * 4 / 5), &said, ink, &look);
        }
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
            None => self.letters((x, y + 15), "?", ink, self.name_size().max(44), counter.own),
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
        self.svg.circle(at, self.disc_size(), &look);
        if self.near {
            let size = self.name_size().max(46);
            self.svg.lettering((at.0, at.1 + size / 3), letter, palette::PAPER, size);
        }
    }

    /// Width and height of a leader's flag with its staff.
    fn flag_size(&self) -> Point {
        let size = self.name_size();
        (size.max(72), size.max(84))
    }

    /// A leader: a pointed flag on its staff, above his men or beside them.
    fn flag(&mut self, hex: Hex, leader: &Leader, at: Point) {
        let (wide, high) = self.flag_size();
        let deep = high * 5 / 9;
        let foot = (at.0 - wide / 2, at.1 + high / 2);
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
        let size = self.name_size();
        let (wide, high) = self.block_size();
        let (wide, high) = if self.near { (wide.max(3 * size), high.max(size * 9 / 4)) } else { (wide, high) };
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
            self.letters((at.0, at.1 - 8), &ghost.name, palette::ENEMY, size.max(62), false);
            let said = if size > 0 { format!("t {turn}") } else { format!("turn {turn}") };
            self.letters((at.0, at.1 + size.max(56) - 8), &said, palette::ENEMY, size.max(48), false);
        }
        self.svg.close();
        self.labels.take((at.0 - wide / 2, at.1 - high / 2), (wide, high));
    }
}

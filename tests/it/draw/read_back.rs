//! Reads a finished close-up as a player would: from the characters alone.

use estafette::hex::{Dir, Hex, Hexside};
use estafette::map::draw::Window;
use estafette::map::{River, Road};
use std::collections::BTreeMap;

/// Everything that a close-up tells.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Roads; no class where a bridge that is down hides it.
    pub roads: BTreeMap<Hexside, Option<Road>>,
    /// Rivers.
    pub rivers: BTreeMap<Hexside, River>,
    /// Bridges, `true` where down.
    pub bridges: BTreeMap<Hexside, bool>,
    /// Tokens.
    pub tokens: BTreeMap<Hex, String>,
    /// Flags.
    pub flags: BTreeMap<Hex, char>,
}

struct Page {
    lines: Vec<Vec<char>>,
    /// The line on which the origin of the first hex would stand.
    top: i32,
}

impl Page {
    fn at(&self, x: i32, y: i32) -> char {
        let (x, y) = (x + 2, y + self.top);
        let cell = usize::try_from(y).ok().zip(usize::try_from(x).ok());
        cell.and_then(|(y, x)| self.lines.get(y)?.get(x)).copied().unwrap_or(' ')
    }

    fn text(&self, x: i32, y: i32, size: i32) -> String {
        (x..x + size).map(|x| self.at(x, y)).collect()
    }
}

/// Reads the drawing of a window; fails if an id is not where it belongs.
pub fn read_back(lines: &[String], window: Window) -> Drawn {
    let lines: Vec<Vec<char>> = lines.iter().map(|l| l.chars().collect()).collect();
    let first: Vec<char> = Hex::new(window.west, window.north).to_string().chars().collect();
    let found = lines.iter().position(|l| l.get(4..8) == Some(&first[..])).unwrap();
    let page = Page { lines, top: i32::try_from(found).unwrap() - 1 };
    let mut drawn = Drawn::default();
    for col in window.west..=window.east {
        for row in window.north..=window.south {
            let hex = Hex::new(col, row);
            let x = 6 * i32::from(col - window.west);
            let y = 4 * i32::from(row - window.north) + if col % 2 == 0 { 2 } else { 0 };
            assert_eq!(page.text(x + 2, y + 1, 4), hex.to_string());
            token(&page, hex, x, y, &mut drawn);
            south(&page, Hexside::new(hex, Dir::S), x, y + 3, &mut drawn);
            let (side, at) = (Hexside::new(hex, Dir::NE), |dx, dy| page.at(x + dx, y + dy));
            slant(side, '/', [at(6, 1), at(7, 0), at(6, 0)], [at(6, 0), at(7, 1)], &mut drawn);
            let side = Hexside::new(hex, Dir::SE);
            slant(side, '\\', [at(6, 2), at(7, 3), at(7, 2)], [at(7, 2), at(6, 3)], &mut drawn);
        }
    }
    drawn
}

/// The four places above an id: a token, or terrain, or the end of a name from the left; and a flag.
fn token(page: &Page, hex: Hex, x: i32, y: i32, drawn: &mut Drawn) {
    let mut four: Vec<char> = page.text(x + 2, y, 4).chars().collect();
    if (x - 4..=x + 2).all(|at| page.at(at, y).is_ascii_alphabetic()) {
        for c in four.iter_mut().take_while(|c| c.is_ascii_alphabetic()) {
            *c = ' ';
        }
    }
    let three: String = four[..3].iter().collect();
    let ground = three.chars().all(|c| " ^%\"-|M".contains(c));
    if !ground {
        drawn.tokens.insert(hex, three.trim_end().to_owned());
    }
    if "+vz!".contains(four[3]) {
        drawn.flags.insert(hex, four[3]);
    }
}

fn water(c: char) -> Option<River> {
    match c {
        '~' => Some(River::Secondary),
        '&' => Some(River::Primary),
        _ => None,
    }
}

/// The S side of a hex.
fn south(page: &Page, side: Hexside, x: i32, y: i32, drawn: &mut Drawn) {
    if let Some(river) = water(page.at(x + 2, y)) {
        drawn.rivers.insert(side, river);
        assert_eq!(water(page.at(x + 5, y)), Some(river));
    }
    let (left, right) = (page.at(x + 3, y), page.at(x + 4, y));
    if "|#+x".contains(left) {
        drawn.roads.insert(side, Some(if left == right { Road::Primary } else { Road::Secondary }));
    }
    if "#+x".contains(left) {
        drawn.bridges.insert(side, left == 'x');
    }
}

/// An oblique side: its strokes and its river marks.
fn slant(side: Hexside, stroke: char, road: [char; 3], river: [char; 2], drawn: &mut Drawn) {
    let mut class = if road[2] == stroke { Some(Road::Primary) } else { Some(Road::Secondary) };
    if let Some(river_class) = water(river[0]) {
        drawn.rivers.insert(side, river_class);
        class = match river[1] {
            '#' => Some(Road::Primary),
            '+' => Some(Road::Secondary),
            _ => None,
        };
        if "#+x".contains(river[1]) {
            drawn.bridges.insert(side, river[1] == 'x');
        } else {
            assert_eq!(water(river[1]), Some(river_class));
        }
    }
    assert_eq!(road[0] == stroke, road[1] == stroke, "half a road on {side}");
    if road[0] == stroke {
        drawn.roads.insert(side, class);
    }
}

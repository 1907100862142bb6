//! A finished brick, read back, gives exactly the roads, rivers and bridges of its window.

use super::random::{self, Numbers};
use estafette::hex::{Dir, Hex, Hexside};
use estafette::map::draw::{Chart, Window, brick};
use estafette::map::{River, Road};

/// What the gap of a hexside says: road, river, bridge down.
fn read(gap: &str, dir: Dir) -> (Option<Road>, Option<River>, Option<bool>) {
    let river = match (gap.contains('~'), gap.contains('&')) {
        (true, _) => Some(River::Secondary),
        (_, true) => Some(River::Primary),
        _ => None,
    };
    let stroke = match dir {
        Dir::S => '|',
        Dir::NE => '/',
        _ => '\\',
    };
    let strokes = gap.chars().filter(|c| *c == stroke).count();
    let marks = |mark: char| gap.chars().filter(|c| *c == mark).count();
    let road = match (strokes, marks('#'), marks('+'), marks('x')) {
        (_, 1.., ..) | (2, ..) => Some(Road::Primary),
        (_, _, 1.., _) | (1, _, _, 0) => Some(Road::Secondary),
        // Of a bridge that is down, the class of the road stands on upright links only.
        (_, _, _, 2) => Some(Road::Primary),
        (0, _, _, 1) => Some(Road::Secondary),
        (..) => None,
    };
    let bridge = if marks('x') > 0 { Some(true) } else { (marks('#') + marks('+') > 0).then_some(false) };
    (road, river, bridge)
}

#[test]
fn bricks_of_crowded_ground_read_back() {
    let mut links = 0;
    for seed in 0..30 {
        let mut numbers = Numbers(seed);
        let map = random::crowded(&mut numbers);
        let mut chart = Chart::new(&map);
        chart.damaged = map.bridges.iter().copied().step_by(3).collect();
        for page in [76usize, 40] {
            let window = Window::brick(&map, Hex::new(map.columns / 2, map.rows / 2), 7, page);
            let lines = brick(&chart, window);
            let rows: Vec<Vec<char>> = lines.iter().map(|l| l.chars().collect()).collect();
            assert!(lines.iter().all(|l| l.chars().count() <= page && l.is_ascii() && l.trim_end() == l), "{lines:#?}");
            let cut = |x: usize, y: usize| -> String {
                (x..x + 4).map(|i| rows.get(y).and_then(|r| r.get(i)).copied().unwrap_or(' ')).collect()
            };
            for hex in window.hexes(&map) {
                let x = 2 + 8 * usize::try_from(hex.col - window.west).unwrap();
                let y = 2 * usize::try_from(hex.row - window.north).unwrap() + usize::from(hex.col % 2 == 0);
                assert_eq!(cut(x, y), hex.to_string());
                for (dir, gap) in [(Dir::S, cut(x, y + 1)), (Dir::NE, cut(x + 4, y)), (Dir::SE, cut(x + 4, y + 1))] {
                    let side = Hexside::new(hex, dir);
                    let other = hex.neighbour(dir);
                    if !window.contains(other) || !map.contains(other) {
                        continue;
                    }
                    let (road, river, down) = read(&gap, dir);
                    let crossed = map.roads.contains_key(&side) && map.rivers.contains_key(&side);
                    let is_down = crossed && chart.damaged.contains(&side);
                    assert_eq!(river, map.rivers.get(&side).copied(), "{hex} {dir:?} {gap:?}");
                    assert_eq!(down == Some(true), is_down, "{hex} {dir:?} {gap:?}");
                    if is_down && dir != Dir::S {
                        assert!(gap.contains(['/', '\\']), "{hex} {dir:?} {gap:?}");
                    } else {
                        assert_eq!(road, map.roads.get(&side).copied(), "{hex} {dir:?} {gap:?}");
                        assert_eq!(down == Some(false), crossed && map.bridges.contains(&side) && !is_down);
                    }
                    links += usize::from(road.is_some() || river.is_some());
                }
            }
        }
    }
    assert!(links > 500, "{links}");
}

//! What battles on hexes share: fronts, arcs, lines of sight, sums, charts, and the field of Durenstein.

use estafette::hex::{Dir, Hex};
use estafette::orders;
use estafette::orders::mend::{Meaning, Topic};
use estafette::rules::Ruleset;
use estafette::rules::brave_fellows::board::{Arm, Board};
use estafette::rules::tactical::chart::{Ladder, odds};
use estafette::rules::tactical::sight::{self, Under};
use estafette::rules::tactical::sum::{Sum, half_up};
use estafette::rules::tactical::{facing, field};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn hex(id: &str) -> Hex {
    Hex::parse(id).unwrap()
}

fn hexes(ids: &str) -> Vec<Hex> {
    ids.split_whitespace().map(hex).collect()
}

fn board() -> Board {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/brave_fellows/durenstein.yaml");
    Board::read(&estafette::scenario::files(&path).unwrap()).unwrap()
}

#[test]
fn a_front_is_the_hex_ahead_and_the_two_that_touch_it_and_the_unit() {
    for at in [hex("1010"), hex("1110")] {
        for dir in Dir::ALL {
            let ahead = at.neighbour(dir);
            let by_words: BTreeSet<Hex> =
                at.neighbours().into_iter().filter(|h| *h == ahead || h.adjacent(ahead)).collect();
            assert_eq!(BTreeSet::from(facing::front(at, dir)), by_words);
        }
    }
    assert_eq!(facing::front(hex("1010"), Dir::N).to_vec(), hexes("0910 1009 1110"));
}

#[test]
fn charges_go_along_three_straight_rows_and_arcs_lie_between_the_outer_ones() {
    let from = hex("1010");
    assert_eq!(facing::charge_line(from, Dir::N, hex("1007")), Some(hexes("1009 1008 1007")));
    // Three hexes off and on no row.
    assert_eq!(hex("0808").distance(from), 3);
    assert_eq!(facing::charge_line(from, Dir::N, hex("0808")), None);
    assert_eq!(facing::charge_line(from, Dir::S, hex("1007")), None);
    for dir in Dir::ALL {
        // A third of the ring, both ends with it.
        for far in 1..5u32 {
            let ring = from.within(5).into_iter().filter(|h| from.distance(*h) == far);
            let inside = ring.filter(|h| facing::in_arc(from, dir, *h)).count();
            assert_eq!(u32::try_from(inside).unwrap(), 2 * far + 1, "{dir:?} {far}");
        }
        for ahead in facing::front(from, dir) {
            assert!(facing::in_arc(from, dir, ahead));
        }
    }
    assert!(!facing::in_arc(from, Dir::N, from));
}

#[test]
fn a_line_passes_what_lies_under_it_and_runs_between_two_where_it_meets_a_corner() {
    let under = |a: &str, b: &str| sight::under(hex(a), hex(b));
    let one = |id: &str| Under { hex: hex(id), other: None };
    assert_eq!(under("1010", "1009"), vec![]);
    assert_eq!(under("1010", "1006"), vec![one("1009"), one("1008"), one("1007")]);
    // Two columns on and level: the line runs along the side between the two hexes of the column between.
    let pair = under("1010", "1210");
    assert_eq!(pair.len(), 1);
    let both: BTreeSet<Hex> = [Some(pair[0].hex), pair[0].other].into_iter().flatten().collect();
    assert_eq!(both, BTreeSet::from([hex("1110"), hex("1111")]));
}

#[test]
fn lines_are_the_same_from_either_end_and_never_shorter_than_the_way() {
    let (from, mut seen) = (hex("1010"), 0);
    for to in from.within(9) {
        let there = sight::under(from, to);
        let mut back = sight::under(to, from);
        back.reverse();
        let set = |line: &[Under]| -> Vec<BTreeSet<Hex>> {
            line.iter().map(|u| [Some(u.hex), u.other].into_iter().flatten().collect()).collect()
        };
        assert_eq!(set(&there), set(&back), "{from} {to}");
        let way = from.distance(to);
        // Each hex of the way is passed; where corners are met a pair counts for one.
        assert!(way == 0 || u32::try_from(there.len()).unwrap() + 1 >= way, "{from} {to}");
        assert!(there.iter().all(|u| u.hex != from && u.hex != to && u.other != Some(to) && u.other != Some(from)));
        seen += there.len();
    }
    assert!(seen > 500);
}

#[test]
fn of_a_pair_both_must_block_or_either_as_a_book_says() {
    let (a, b) = (hex("1010"), hex("1210"));
    let upper = |h: Hex| h == hex("1110");
    assert!(sight::open(a, b, true, upper));
    assert!(!sight::open(a, b, false, upper));
    assert!(!sight::open(a, b, true, |h| [hex("1110"), hex("1111")].contains(&h)));
    // What blocks at the ends does not matter.
    assert!(sight::open(a, b, false, |h| h == a || h == b));
}

#[test]
fn sums_name_their_parts_and_halves_go_up() {
    let mut sum = Sum::default();
    sum.add("point blank", 1);
    sum.add("nothing", 0);
    sum.when(true, "town", -2);
    sum.when(false, "night", -1);
    assert_eq!((sum.total(), sum.words().as_str()), (-1, "point blank +1, town -2"));
    assert_eq!([0, 1, 3, 6, 7].map(half_up), [0, 1, 2, 3, 4]);
}

#[test]
fn ladders_clamp_at_their_ends_and_stop_left_of_the_first_column() {
    let texts = |list: &str| list.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let ladder = Ladder { columns: texts("1 2 3"), ladder: texts("a b c d e f") };
    assert_eq!([-9, 1, 2, 6, 99].map(|roll| ladder.result(0, roll)), ["a", "a", "a", "e", "f"]);
    assert_eq!(ladder.result(1, 1), "b");
    assert_eq!([-1, 0, 1, 5].map(|by| ladder.shifted(0, by)), [None, Some(0), Some(1), Some(2)]);
    let ratios = [(1, 2), (1, 1), (2, 1)];
    assert_eq!([(1, 3), (1, 2), (3, 2), (2, 1), (9, 1)].map(|(a, d)| odds(&ratios, a, d)), [0, 0, 1, 2, 2]);
    assert_eq!(odds(&ratios, 1, 0), 2);
}

#[test]
fn the_charts_of_durenstein_read_as_they_are_printed_and_never_turn_back() {
    let board = board();
    let row = |column: usize| (1..=10).map(|die| board.fire().result(column, die)).collect::<Vec<_>>().join(" ");
    assert_eq!(row(0), "- - - - - - - - C C");
    assert_eq!(row(4), "C C C C1 C1 C1 C2 C2 C2 F");
    assert_eq!(row(6), "C1 C1 C2 C2 C2 F F F R R");
    let row = |column: usize| (1..=10).map(|die| board.melee().result(column, die)).collect::<Vec<_>>().join(" ");
    assert_eq!(row(0), "AE AE AE AR AR AF AF NE NE NE");
    assert_eq!(row(7), "DR DR DR DE DE DE DE DX DX DX");
    let columns = [1, 2, 3, 5, 9, 13, 14, 20].map(|total| board.fire_column(total));
    assert_eq!(columns, [0, 1, 1, 2, 4, 6, 6, 6].map(Some));
    assert_eq!(board.fire_column(0), None);
    for die in 1..6 {
        for arm in [Arm::Inf, Arm::Cav, Arm::Art] {
            let (now, next) = (board.climbs(die, Some(arm)), board.climbs(die + 1, Some(arm)));
            assert!(now[0] <= next[0] && now[1] <= next[1] && now[1] <= now[0]);
        }
    }
}

#[test]
fn the_field_of_durenstein_keeps_what_the_book_says_of_its_hexes() {
    let board = board();
    let walled: Vec<Hex> =
        board.field.cells.iter().filter(|(_, c)| c.ground == "walled_road").map(|(hex, _)| *hex).collect();
    assert_eq!(walled, hexes("0716 0816"));
    assert_eq!((board.field.level(hex("0304")), board.field.level(hex("0204"))), (1, 3));
    assert_eq!(board.field.road.first(), Some(&hex("0109")));
    assert_eq!(board.field.place(hex("0715")), Some("Durenstein"));
    assert!(
        board.field.joined(hex("0716"), hex("0816")) && !board.field.joined(hex("0716"), hex("0816").neighbour(Dir::S))
    );
    assert!(board.field.crosses("dark_blue", hex("1513"), hex("1512")));
    assert!(!board.field.crosses("light_blue", hex("1513"), hex("1512")));
    assert_eq!(board.field.height(hex("2010"), hex("2009")), Some(3));
    // 9.3.1, 9.6.5 The counts of the order of battle.
    let count = |regiment: &str| board.kinds.values().filter(|kind| kind.regiment == regiment).count();
    assert_eq!(
        ["4L", "100", "103", "EL", "DR", "9L", "32", "96", "DA", "1H"].map(count),
        [3, 3, 3, 1, 3, 2, 2, 2, 2, 3]
    );
}

#[test]
fn a_drawing_that_cannot_be_is_refused_with_the_reason() {
    let text = "columns: 2\nrows: 1\nlegend: {\".\": {terrain: clear}}\ngrid: {\"01\": \".x\"}\n";
    let drawn: field::Drawn = estafette::yaml::read("f.yaml", text).unwrap();
    assert_eq!(drawn.field().unwrap_err(), "row 01: no legend has \"x\".");
    let text =
        "columns: 3\nrows: 1\nlegend: {\".\": {terrain: clear}}\ngrid: {\"01\": \"...\"}\nroad: [\"0101\", \"0301\"]\n";
    let drawn: field::Drawn = estafette::yaml::read("f.yaml", text).unwrap();
    assert_eq!(drawn.field().unwrap_err(), "0101 and 0301 are not adjacent.");
}

#[test]
fn brave_fellows_is_offered_with_a_battle_to_learn_and_for_one_player() {
    use estafette::scenario::library::Library;
    let library = Library::carried();
    let listed: Vec<String> = library.list().iter().map(|listed| listed.path.clone()).collect();
    for name in ["durenstein", "teaching"] {
        for alone in ["", "-as-french", "-as-coalition"] {
            let path = format!("brave_fellows/{name}{alone}.yaml");
            assert!(listed.contains(&path), "{path}");
        }
    }
    assert!(library.find("durenstein").is_ok());
    assert!(estafette::games::find(estafette::games::GAMES, "brave_fellows").is_ok());
}

/// What comes of a line, as a table of lines has it.
fn came<R: Ruleset>(v: &R::View, text: &str) -> String {
    let line = orders::line(1, text);
    let order = orders::bind(R::verbs(), v, &line);
    let Err(fault) = order.and_then(|order| R::rehearse(v, &order).map(|_| ())) else {
        return format!("= {text}");
    };
    match R::meant(v, &line, &fault) {
        Meaning::Nothing => ".".to_owned(),
        Meaning::Question(Topic::Told(lines)) => format!("? {}", lines.join(" ")),
        Meaning::Question(topic) => format!("? {topic:?}").to_uppercase(),
        Meaning::Attempt(mended) => match mended.lines.as_slice() {
            [] => format!("- {} {}", mended.why, mended.rule),
            [only] if mended.same => format!("= {only}"),
            lines => lines.join(" | "),
        },
    }
}

/// Lines as beginners write them come to what a table says: position, where it is from, line, what comes of it.
pub fn lines_come_to<R: Ruleset>(table: &str, positions: &BTreeMap<&str, R::View>, least: usize) {
    let rows = table.lines().filter(|row| !row.starts_with('#'));
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows {
        let [position, note, line, wanted] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let v = &positions[position];
        let found = came::<R>(v, line);
        let part =
            wanted.starts_with(['-', '?']).then(|| found.starts_with(&wanted[..1]) && found.contains(&wanted[2..]));
        if !part.unwrap_or(found == wanted) {
            wrong.push(format!("{note} {position}: {line}\n    wanted {wanted}\n    found  {found}"));
        }
        for offered in found
            .trim_start_matches("= ")
            .split(" | ")
            .filter(|line| !line.starts_with(['-', '?', '.']) && *line != "END")
        {
            let order = orders::bind(R::verbs(), v, &orders::line(1, offered));
            assert!(order.is_ok_and(|order| R::rehearse(v, &order).is_ok()), "{line}: {offered}");
        }
        count += 1;
    }
    assert!(count >= least && wrong.is_empty(), "{} of {count} wrong\n{}", wrong.len(), wrong.join("\n"));
}

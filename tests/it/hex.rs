//! The hex grid: the numbers of the campaigns tables, 1.9, and the data's neighbour table.

use estafette::hex::{Dir, Hex, Hexside};

fn hex(s: &str) -> Hex {
    Hex::parse(s).unwrap()
}

#[test]
fn opposite_neighbours_of_2417_as_in_paragraph_284() {
    let here = hex("2417");
    let north_west = hex("2318").distance(hex("2517"));
    assert_eq!(north_west, 2);
    let a = here.dir_to(hex("2318")).unwrap();
    let b = here.dir_to(hex("2517")).unwrap();
    assert_eq!(a.opposite(), b);
}

#[test]
fn a_hexside_has_one_name() {
    assert_eq!(Hexside::between(hex("0950"), hex("1049")).unwrap().to_string(), "0950NE");
    assert_eq!(Hexside::between(hex("1049"), hex("0950")).unwrap().to_string(), "0950NE");
    assert_eq!(Hexside::parse("1049SW").unwrap().to_string(), "0950NE");
}

#[test]
fn distance_agrees_with_a_walk() {
    let from = hex("0505");
    let mut ring = vec![from];
    let mut seen = std::collections::BTreeMap::from([(from, 0u32)]);
    for step in 1..=4 {
        let mut next = Vec::new();
        for h in ring {
            for n in h.neighbours() {
                if seen.insert(n, seen.get(&n).copied().unwrap_or(step)).is_none() {
                    next.push(n);
                }
            }
        }
        ring = next;
    }
    assert_eq!(seen.len(), 61);
    for (h, d) in &seen {
        assert_eq!(from.distance(*h), *d, "{h}");
    }
    assert_eq!(from.within(4).len(), 61);
    assert!(Dir::ALL.iter().all(|d| from.neighbour(*d).neighbour(d.opposite()) == from));
}

//! The scenario files: what they hold, and what the reader says of every kind of flaw.

mod flaws;
mod shapes;

use crate::years::SMALL;
use estafette::hex::Hex;
use estafette::map::{HexMap, Road, Settlement};
use estafette::rules::campaigns::board::{Arm, Board, Halves, LeaderId, Quality, SideSetup, UnitId};
use estafette::rules::campaigns::load;
use estafette::scenario::{self, Files};
use estafette::yaml::Flaw;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const MORAVIA: &str = "1805-moravia.yaml";
const NOV30: &str = "1805-moravia-nov30.yaml";
const TEACHING: &str = "teaching.yaml";

/// The files of a scenario of this repository.
pub fn files(name: &str) -> Files {
    scenario::files(&Path::new("scenarios/campaigns").join(name)).unwrap()
}

/// The board of a scenario of this repository.
pub fn board(name: &str) -> Board {
    load::board(&files(name)).unwrap_or_else(|flaws| panic!("{}", told(&flaws)))
}

fn told(flaws: &[Flaw]) -> String {
    flaws.iter().map(|f| format!("{f}\n")).collect()
}

fn hex(id: &str) -> Hex {
    Hex::parse(id).unwrap()
}

fn strength(board: &Board, setup: &SideSetup) -> BTreeMap<&'static str, i32> {
    let mut totals = BTreeMap::new();
    for (id, sp) in setup.forces.iter().flat_map(|f| &f.units) {
        let unit = &board.units[id];
        let arm = match unit.arm {
            _ if unit.garrison => "garrison",
            Arm::Infantry => "infantry",
            Arm::Cavalry => "cavalry",
            Arm::Artillery => "artillery",
        };
        *totals.entry(arm).or_default() += sp;
    }
    totals
}

/// The shortest way by primary road that saves most by depots: hexes, and depots passed (¶80-89).
fn line_of_communications(board: &Board, from: Hex, to: Hex) -> (i32, i32) {
    let depot = |h: Hex| i32::from(board.map.settlements.get(&h).is_some_and(|kind| kind.depot()));
    let mut best: BTreeMap<Hex, (i32, i32, i32)> = BTreeMap::from([(from, (0, 0, 0))]);
    let mut open = BTreeSet::from([from]);
    while let Some(here) = open.pop_first() {
        let (_, hexes, depots) = best[&here];
        for next in primary(&board.map, here) {
            let (hexes, depots) = (hexes + 1, depots + depot(next));
            let effective = board.tables.communications.effective(hexes, depots);
            // A line never passes a hex twice, so depots cannot be collected in circles.
            if hexes < 80 && best.get(&next).is_none_or(|b| (hexes, effective) < (b.1, b.0)) {
                best.insert(next, (effective, hexes, depots));
                open.insert(next);
            }
        }
    }
    (best[&to].1, best[&to].2)
}

fn primary(map: &HexMap, hex: Hex) -> impl Iterator<Item = Hex> {
    map.neighbours(hex).into_iter().filter(move |&n| map.road(hex, n) == Some(Road::Primary))
}

#[test]
fn all_scenarios_load() {
    for (name, turns) in [(MORAVIA, (1, 10)), (NOV30, (8, 10)), (TEACHING, (1, 3))] {
        let board = board(name);
        assert_eq!(format!("{}.yaml", board.id), name);
        assert_eq!(board.turns, turns);
        assert_eq!(board.sides.iter().map(|s| s.id.0.as_str()).collect::<Vec<_>>(), ["french", "coalition"]);
    }
    for (name, last) in SMALL.into_iter().zip([10, 7, 7, 8, 7, 8, 8]) {
        let board = board(name);
        assert_eq!((format!("{}.yaml", board.id).as_str(), board.turns), (name, (1, last)));
        assert_eq!(board.policies.title, name[..4]);
    }
}

#[test]
fn the_boards_of_all_titles_load_and_each_differs_in_more_than_its_name() {
    let mut seen = BTreeSet::new();
    for year in ["1792", "1796", "1800", "1807", "1809", "1814", "1815"] {
        let files = scenario::files(&Path::new("tests/boards").join(format!("{year}.yaml"))).unwrap();
        let board = load::board(&files).unwrap_or_else(|flaws| panic!("{}", told(&flaws)));
        assert_eq!(board.policies.title, year);
        let weather = board.tables.weather.states().to_vec();
        let facts = format!("{:?} {:?} {weather:?}", board.exceptions, board.tables.communications);
        assert!(seen.insert(facts), "{year} is another title's twin");
    }
}

#[test]
fn moravia_has_the_ground_that_its_makers_counted() {
    let map = board(MORAVIA).map;
    let count = |s| map.settlements.values().filter(|&&k| k == s).count();
    assert_eq!((map.ground.len(), map.settlements.len(), map.bridges.len()), (4356, 152, 115));
    assert_eq!(count(Settlement::Citadel), 2);
    assert_eq!(map.settlements[&hex("3622")], Settlement::Citadel);
    assert_eq!(map.settlements[&hex("5309")], Settlement::Citadel);
    let roads = |class| map.roads.values().filter(|&&r| r == class).count();
    assert_eq!((roads(Road::Primary), roads(Road::Secondary)), (345, 688));
    let rivers = |class| map.rivers.values().filter(|&&r| r == class).count();
    assert_eq!((rivers(estafette::map::River::Primary), rivers(estafette::map::River::Secondary)), (333, 1216));
    let crossed = map.roads.keys().filter(|side| map.rivers.contains_key(side)).count();
    assert_eq!(crossed, 115, "a bridge wherever a road crosses a river");
}

#[test]
fn moravia_has_the_armies_that_its_sources_count() {
    let totals = |of: &[(&'static str, i32)]| of.iter().copied().collect::<BTreeMap<_, _>>();
    let french = totals(&[("infantry", 85), ("cavalry", 17), ("artillery", 8)]);
    let nov15 = board(MORAVIA);
    assert_eq!(strength(&nov15, &nov15.setup[&"french".into()]), french);
    let coalition = totals(&[("infantry", 38), ("cavalry", 10), ("artillery", 3), ("garrison", 2)]);
    assert_eq!(strength(&nov15, &nov15.setup[&"coalition".into()]), coalition);
    let nov30 = board(NOV30);
    assert_eq!(strength(&nov30, &nov30.setup[&"french".into()]), french);
    let coalition = totals(&[("infantry", 68), ("cavalry", 15), ("artillery", 8), ("garrison", 1)]);
    assert_eq!(strength(&nov30, &nov30.setup[&"coalition".into()]), coalition);
    let (march, formed): (Vec<_>, Vec<_>) = nov15.units.values().partition(|u| u.march_regiment);
    assert_eq!((nov15.leaders.len(), formed.len(), march.len()), (34, 63, 10));
}

#[test]
fn moravia_keeps_what_the_title_prints() {
    let board = board(MORAVIA);
    let french = &board.setup[&"french".into()];
    assert_eq!((french.source, french.source_garrison), (hex("3056"), 5));
    assert_eq!(board.policies.no_ap_turns[&"french".into()], BTreeSet::from([1]));
    assert_eq!(board.policies.no_command_turns[&"french".into()], BTreeSet::from([1]));
    assert_eq!(board.policies.worse_sources, BTreeSet::from([hex("0157")]));
    let p = &board.policies;
    assert_eq!((p.dispatch_mp, p.max_loc, p.stack_sp, p.fort_stack_sp, p.fort_double_sp), (18, 40, 48, 15, 15));
    assert_eq!(p.critical_over, 7);
    assert!(p.security && p.reserves && p.fog && p.rivers_freeze && !p.dynamics);
    let unit = |id: &str| &board.units[&UnitId(id.to_owned())];
    for id in ["guardinf", "guardcav", "guardart"] {
        assert_eq!(unit(id).quality, Quality::OldGuard);
    }
    assert_eq!(unit("margaron").subordination, Halves(1));
    let leader = |id: &str| &board.leaders[&LeaderId(id.to_owned())];
    assert_eq!((leader("mg_inf_f1").span, leader("mg_inf_f1").major_general), (Halves(3), Some(Arm::Infantry)));
    assert_eq!(
        (leader("mg_cav_f1").name.as_str(), leader("mg_cav_f1").code.as_str()),
        ("Major General Cavalry 1", "MC1")
    );
    assert!(board.damaged.iter().all(|side| board.map.bridges.contains(side)) && board.damaged.len() == 1);
    assert!(board.reinforcements.windows(2).all(|w| w[0].turn <= w[1].turn));
}

#[test]
fn roads_have_the_lengths_that_were_measured() {
    let board = board(MORAVIA);
    let length = |a: &str, b: &str| line_of_communications(&board, hex(a), hex(b)).0;
    assert_eq!(length("3056", "3736"), 24, "Wien, Nikolsburg");
    assert_eq!(length("3056", "1056"), 20, "Wien, Sankt Pölten");
    assert_eq!(length("3056", "5058"), 23, "Wien, Pressburg");
    assert_eq!(length("1049", "2234"), 22, "Krems, Znaim");
    assert_eq!(length("3622", "5309"), 27, "Brünn, Olmütz");
    assert_eq!(length("3622", "1015"), 26, "Brünn, Iglau");
    assert_eq!(length("2234", "1015"), 25, "Znaim, Iglau");
    assert_eq!(length("3622", "4324"), 7, "Brünn, Austerlitz");
    assert_eq!(length("4324", "5034"), 14, "Austerlitz, Göding");
    assert_eq!(length("6610", "3622"), 40, "Weisskirchen, Brünn");
    assert_eq!(length("0157", "3622"), 62, "Linz road, Brünn");
    assert_eq!(length("6550", "4324"), 39, "Freistadtl, Austerlitz");
}

#[test]
fn lines_of_communications_stand_at_the_start() {
    let line = |name: &str, side: &str| {
        let board = board(name);
        let setup = &board.setup[&side.into()];
        let (hexes, depots) = line_of_communications(&board, setup.source, setup.center);
        (hexes, depots, board.tables.communications.effective(hexes, depots))
    };
    assert_eq!(line(MORAVIA, "french"), (0, 0, 0));
    assert_eq!(line(MORAVIA, "coalition"), (61, 7, 26));
    assert_eq!(line(NOV30, "french"), (40, 4, 20));
    assert_eq!(line(NOV30, "coalition"), (27, 4, 7));
    assert_eq!(line(TEACHING, "french").0, 1);
    assert_eq!(line(TEACHING, "coalition").0, 2);
}

#[test]
fn rule_89_counts_five_depots_between_wien_and_bruenn() {
    let board = board(MORAVIA);
    let way = ["3056", "3155", "2650", "2234", "3430", "3622"];
    let legs = way.windows(2).map(|w| line_of_communications(&board, hex(w[0]), hex(w[1])));
    let (hexes, depots) = legs.fold((0, 0), |sum, leg| (sum.0 + leg.0, sum.1 + leg.1));
    assert_eq!((hexes, depots, board.tables.communications.effective(hexes, depots)), (48, 5, 23));
}

#[test]
fn teaching_is_small_and_the_sides_meet_at_once() {
    let board = board(TEACHING);
    assert_eq!((board.map.columns, board.map.rows), (12, 10));
    for side in &board.sides {
        let forces = &board.setup[&side.id].forces;
        assert!((3..=5).contains(&forces.len()));
        assert_eq!(forces.iter().filter(|f| f.under.is_some()).count(), 1);
    }
    assert_eq!(board.objectives.len(), 2);
    let primary = |h: &Hex, to: &Hex| h.distance(*to) <= 10;
    let (french, coalition) = (&board.setup[&"french".into()], &board.setup[&"coalition".into()]);
    assert!(french.forces.iter().any(|f| coalition.forces.iter().any(|c| primary(&f.hex, &c.hex))));
}

#[test]
fn files_come_in_order_and_have_one_digest() {
    let files = files(TEACHING);
    assert_eq!(files.len(), 17);
    assert!(files.windows(2).all(|w| w[0].0 < w[1].0));
    let other = flaws::edited(flaws::MAP, &[("The Strem valley", "The Strem Valley")]);
    assert_eq!(scenario::digest(&files), scenario::digest(&files.clone()));
    assert_ne!(scenario::digest(&files), scenario::digest(&other));
    let known = [("a".to_owned(), "b".to_owned())];
    assert_eq!(
        scenario::digest(&known),
        "8fb20ef63ced4145fc2e983ffe597d1dcff39154c3bf21f0fa9dde6a0c50fdc9",
        "sha256 of a NUL b NUL"
    );
}

#[test]
fn a_missing_file_is_told_at_the_line_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.yaml");
    let head = "kind: scenario\nruleset: campaigns\nid: one\ntitle: One\nfiles:\n";
    std::fs::write(&path, format!("{head}- maps/none.yaml\n")).unwrap();
    let flaw = scenario::files(&path).unwrap_err();
    assert_eq!((flaw.file.as_str(), flaw.line), ("one.yaml", 6));
    assert!(flaw.message.starts_with("\"maps/none.yaml\" cannot be read"), "{flaw}");
    std::fs::write(&path, format!("{head}- ../secret.yaml\n")).unwrap();
    let flaw = scenario::files(&path).unwrap_err();
    assert_eq!((flaw.line, flaw.message.as_str()), (6, "\"../secret.yaml\" leads out of the scenario's folder."));
}

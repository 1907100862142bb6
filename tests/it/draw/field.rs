//! The picture of a field of hexes: each fact of its scene stands in it, nothing else does, and states are told by shape.

use super::hex;
use super::random::Numbers;
use estafette::hex::{Dir, Hex, Hexside};
use estafette::report::field::Window;
use estafette::report::field::plate::{Battery, Counter, Front, Ghost, Leader, Mood, Scene, Soil, holds, key, plate};
use estafette::rules::tactical::field::{Cell, Field};
use estafette::rules::tactical::ground::Arm;
use std::collections::BTreeSet;

const SOILS: [&str; 8] = ["open", "vines", "woods", "marsh", "town", "walled", "water", "off"];

fn soil(ground: &str) -> Soil {
    match ground {
        "vines" => Soil::Vines,
        "woods" => Soil::Woods,
        "marsh" => Soil::Marsh,
        "town" => Soil::Town,
        "walled" => Soil::Walled,
        "water" => Soil::Water,
        "off" => Soil::Off,
        _ => Soil::Open,
    }
}

fn blank(columns: i16, rows: i16) -> Field {
    let mut field = Field::default();
    for hex in (1..=columns).flat_map(|col| (1..=rows).map(move |row| Hex::new(col, row))) {
        field.cells.insert(hex, Cell { ground: "open".to_owned(), level: 0 });
    }
    field
}

fn counter(name: &str, own: bool) -> Counter {
    Counter {
        name: name.to_owned(),
        code: name.chars().take(3).collect(),
        of: String::new(),
        own,
        arm: Some(Arm::Inf),
        front: Front::To(Dir::N),
        mood: Some(Mood::Fresh),
        acts: false,
        hollow: false,
    }
}

/// A field of any ground.
fn crowded(numbers: &mut Numbers) -> Field {
    let mut field = blank(24, 18);
    let hexes: Vec<Hex> = field.cells.keys().copied().collect();
    for hex in hexes {
        let cell = field.cells.get_mut(&hex).unwrap();
        cell.level = i8::try_from(numbers.below(5)).unwrap();
        cell.ground = SOILS[usize::try_from(numbers.below(8)).unwrap()].to_owned();
        let side = Hexside::new(hex, Dir::ALL[usize::try_from(numbers.below(6)).unwrap()]);
        match numbers.below(9) {
            0 => drop(field.heights.insert(side, 2)),
            1 => drop(field.roads.insert(side)),
            2 => drop(field.lines.entry(format!("line {}", numbers.below(3))).or_default().insert(side)),
            3 => field.places.entry(format!("Place {hex}")).or_default().push(hex),
            _ => {}
        }
    }
    field
}

/// Somebody of every kind, anywhere.
fn peopled<'a>(field: &'a Field, numbers: &mut Numbers) -> Scene<'a> {
    let mut scene = Scene::new(field, soil);
    for (n, hex) in (0..).zip(field.cells.keys()) {
        let any = |numbers: &mut Numbers| numbers.below(2) == 0;
        for own in [true, false] {
            for k in 0..if numbers.below(7) == 0 { 1 + numbers.below(4) } else { 0 } {
                let front = match numbers.below(8) {
                    6 => Front::None,
                    7 => Front::Round,
                    dir => Front::To(Dir::ALL[usize::try_from(dir).unwrap()]),
                };
                let pick = usize::try_from(numbers.below(4)).unwrap();
                scene.counters.entry(*hex).or_default().push(Counter {
                    front,
                    arm: [Some(Arm::Inf), Some(Arm::Cav), Some(Arm::Art), None][pick],
                    mood: [Some(Mood::Fresh), Some(Mood::Tired), Some(Mood::Routed), None][pick],
                    acts: any(numbers),
                    hollow: own && any(numbers),
                    of: if own { String::new() } else { "4L".to_owned() },
                    ..counter(&format!("{n}-{k}{own}"), own)
                });
            }
        }
        if numbers.below(12) == 0 {
            scene.leaders.entry(*hex).or_default().push(Leader { name: format!("Leader {n}"), own: any(numbers) });
        }
        if numbers.below(12) == 0 {
            let turn = u32::try_from(numbers.below(9)).unwrap();
            scene.ghosts.entry(*hex).or_default().push(Ghost { name: format!("e{n}"), arm: "foot".to_owned(), turn });
        }
        if numbers.below(15) == 0 {
            let sides = vec![Dir::S, Dir::SW];
            scene.batteries.entry(*hex).or_default().push(Battery { name: format!("GB{n}"), own: any(numbers), sides });
        }
        if numbers.below(9) == 0 {
            scene.streams.insert(Hexside::new(*hex, Dir::NE));
        }
        if numbers.below(30) == 0 {
            scene.works.insert(*hex);
        }
    }
    scene.held = field.places.keys().map(|name| (name.clone(), numbers.below(2) == 0)).collect();
    scene
}

/// What a picture tells, each fact as its attributes and their values.
fn facts(svg: &str) -> BTreeSet<String> {
    let read = roxmltree::Document::parse(svg).unwrap();
    let mut facts = BTreeSet::new();
    for node in read.descendants().filter(|n| n.is_element()) {
        let said = node.attributes().filter(|a| a.name().starts_with("data-") && a.name() != "data-id");
        let mut said: Vec<String> = said.map(|a| format!("{}={}", a.name(), a.value())).collect();
        said.sort();
        if !said.is_empty() {
            assert!(facts.insert(said.join(" ")), "{said:?} twice");
        }
    }
    facts
}

/// The same of the scene itself.
fn told(scene: &Scene<'_>, window: Window) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    let here = |hex: &Hex| holds(window, *hex);
    let touches = |side: &Hexside| here(&side.hexes().0) || here(&side.hexes().1);
    let side = |own: bool| if own { "own" } else { "enemy" };
    for (hex, counter) in scene.counters.iter().flat_map(|(hex, all)| all.iter().map(move |c| (hex, c))) {
        let front = match counter.front {
            Front::None => "-",
            Front::To(dir) => dir.name(),
            Front::Corner(dir) => {
                ["N NE", "NE SE", "SE S", "S SW", "SW NW", "NW N"][Dir::ALL.iter().position(|d| *d == dir).unwrap()]
            }
            Front::Round => "round",
        };
        let arm = match counter.arm {
            None => "-",
            Some(Arm::Inf) => "foot",
            Some(Arm::Cav) => "horse",
            Some(Arm::Art) => "guns",
        };
        let mood = counter.mood.map_or("-".to_owned(), |mood| format!("{mood:?}").to_lowercase());
        let fact = format!(
            "data-acts={} data-arm={arm} data-facing={front} data-hex={hex} data-hollow={} data-mood={mood} data-of={} \
             data-side={} data-unit={}",
            u8::from(counter.acts),
            u8::from(counter.hollow),
            counter.of,
            side(counter.own),
            counter.name
        );
        facts.extend(here(hex).then_some(fact));
    }
    for (hex, all) in scene.leaders.iter().filter(|(hex, _)| here(hex)) {
        facts.extend(all.iter().map(|l| format!("data-hex={hex} data-leader={} data-side={}", l.name, side(l.own))));
    }
    for (hex, all) in scene.ghosts.iter().filter(|(hex, _)| here(hex)) {
        facts.extend(
            all.iter().map(|g| format!("data-arm={} data-ghost={} data-hex={hex} data-turn={}", g.arm, g.name, g.turn)),
        );
    }
    for (hex, all) in scene.batteries.iter().filter(|(hex, _)| here(hex)) {
        let fact =
            |b: &Battery| format!("data-battery={} data-hex={hex} data-side={} data-sides=S SW", b.name, side(b.own));
        facts.extend(all.iter().map(fact));
    }
    facts.extend(scene.works.iter().filter(|hex| here(hex)).map(|hex| format!("data-works={hex}")));
    facts.extend(scene.streams.iter().filter(|s| touches(s)).map(|s| format!("data-stream={s}")));
    facts.extend(scene.field.heights.keys().filter(|s| touches(s)).map(|s| format!("data-crest={s}")));
    let lines = scene.field.lines.iter().filter(|(_, sides)| sides.iter().any(touches));
    facts.extend(lines.map(|(name, _)| format!("data-line={name}")));
    for (name, _) in scene.field.places.iter().filter(|(_, hexes)| hexes.iter().any(here)) {
        facts.insert(format!("data-place={name}"));
        facts.insert(format!("data-side={} data-town={name}", side(scene.held[name])));
    }
    facts
}

#[test]
fn a_picture_tells_what_its_scene_holds_and_nothing_else() {
    let mut numbers = Numbers(0x000d_1805);
    let mut spoken = 0;
    for _ in 0..60 {
        let field = crowded(&mut numbers);
        let scene = peopled(&field, &mut numbers);
        let (columns, rows) = (4 + numbers.below(20), 4 + numbers.below(14));
        let first = Hex::new(1 + numbers.below(25 - columns), 1 + numbers.below(19 - rows));
        let window = Window { first, columns, rows };
        let told = told(&scene, window);
        assert_eq!(facts(&plate(&scene, window, "a field")), told);
        spoken += told.len();
    }
    assert!(spoken > 6_000, "only {spoken} facts were compared");
}

/// The outline of the only counter of a picture, without its colours.
fn outline(change: impl Fn(&mut Counter)) -> Vec<String> {
    let field = blank(6, 4);
    let mut scene = Scene::new(&field, soil);
    let mut one = counter("4L-1", false);
    change(&mut one);
    scene.counters.insert(hex("0302"), vec![one]);
    let svg = plate(&scene, scene.whole(), "a field");
    let read = roxmltree::Document::parse(&svg).unwrap();
    let drawn = read.descendants().skip_while(|n| n.attribute("data-unit").is_none());
    drawn.filter_map(|n| n.attribute("d").or(n.text()).map(|said| said.trim().to_owned())).collect()
}

#[test]
fn moods_arms_and_fronts_are_told_by_shape() {
    let changes: [fn(&mut Counter); 12] = [
        |_| {},
        |c| c.mood = Some(Mood::Tired),
        |c| c.mood = Some(Mood::Routed),
        |c| c.mood = None,
        |c| c.arm = Some(Arm::Cav),
        |c| c.arm = Some(Arm::Art),
        |c| c.arm = None,
        |c| c.front = Front::None,
        |c| c.front = Front::Round,
        |c| c.front = Front::To(Dir::SE),
        |c| c.front = Front::Corner(Dir::NW),
        |c| c.acts = true,
    ];
    let shapes: BTreeSet<Vec<String>> = changes.iter().map(|change| outline(change)).collect();
    assert_eq!(shapes.len(), changes.len());
}

#[test]
fn those_in_one_hex_show_the_names_of_all_and_both_sides_are_seen() {
    let field = blank(6, 4);
    let mut scene = Scene::new(&field, soil);
    let names = ["4L-1", "4L-2", "EL", "GA-1"];
    scene.counters.insert(hex("0302"), names.map(|name| counter(name, true)).to_vec());
    scene.counters.entry(hex("0302")).or_default().push(counter("E7", false));
    let svg = plate(&scene, scene.whole(), "a field");
    let read = roxmltree::Document::parse(&svg).unwrap();
    let words: Vec<&str> = read.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect();
    assert!(words.contains(&"E7"), "{words:?}");
    // Too long for one line that can be read: on two lines.
    for said in ["4L-1 2", "EL GA-1"] {
        let text = read.descendants().find(|n| n.text() == Some(said)).unwrap_or_else(|| panic!("{words:?}"));
        let size: i32 = text.attribute("font-size").unwrap().parse().unwrap();
        assert!(size >= 36, "{said}: {size}");
    }
    let said = scene.said(scene.whole(), "a field");
    assert!(said.contains("Own: 4L-1 0302, 4L-2 0302") && said.contains("Enemy: E7 0302."), "{said}");
}

#[test]
fn a_key_names_what_the_picture_shows_and_nothing_else() {
    let field = blank(6, 4);
    let mut scene = Scene::new(&field, soil);
    assert_eq!(key(&scene, scene.whole(), "tired"), "");
    scene.counters.insert(hex("0302"), vec![counter("4L-1", true)]);
    let said = key(&scene, scene.whole(), "tired");
    assert_eq!(said, "solid yours, a line with a point is the front");
    let one = Counter { acts: true, mood: Some(Mood::Tired), front: Front::None, ..counter("E1", false) };
    scene.counters.insert(hex("0403"), vec![one]);
    scene.leaders.insert(hex("0302"), vec![Leader { name: "Ney".to_owned(), own: true }]);
    let said = key(&scene, scene.whole(), "Shaken");
    for sign in
        ["framed the enemy's", "T Shaken", "barred below", "without a line no front", "a pointed flag is a leader"]
    {
        assert!(said.contains(sign), "{sign}: {said}");
    }
    assert!(!said.contains("square flag") && !said.contains("last seen") && !said.contains("routed"), "{said}");
    // Of what lies outside the window it says nothing.
    let window = Window { first: Hex::new(3, 1), columns: 1, rows: 4 };
    assert!(!key(&scene, window, "Shaken").contains("Shaken"));
}

#[test]
fn hostile_names_are_text() {
    let mut field = blank(6, 4);
    let bad = "</text><script>\"'&\u{202e}x";
    field.places.insert(bad.to_owned(), vec![hex("0202")]);
    field.lines.insert(bad.to_owned(), BTreeSet::from([Hexside::new(hex("0303"), Dir::N)]));
    let mut scene = Scene::new(&field, soil);
    scene.held.insert(bad.to_owned(), true);
    let one = Counter { code: bad.to_owned(), of: bad.to_owned(), ..counter("<b onload='x'>\u{0007}", false) };
    scene.counters.insert(hex("0302"), vec![one]);
    scene.leaders.insert(hex("0504"), vec![Leader { name: "\u{2028}<img onerror=x>".to_owned(), own: true }]);
    let ghost = Ghost { name: "]]>".to_owned(), arm: "<!--".to_owned(), turn: 1 };
    scene.ghosts.insert(hex("0404"), vec![ghost]);
    let svg = plate(&scene, scene.whole(), "<title>&\u{2066}");
    let read = roxmltree::Document::parse(&svg).unwrap();
    let kinds: BTreeSet<&str> = read.descendants().filter(|n| n.is_element()).map(|n| n.tag_name().name()).collect();
    assert_eq!(kinds, BTreeSet::from(["svg", "title", "g", "rect", "path", "text"]));
    let words: Vec<&str> = read.descendants().filter_map(|n| n.is_element().then(|| n.text())?).collect();
    for said in ["</text><script>\"'&x", "<b onload='x'>", "<title>&", "]]>"] {
        assert!(words.contains(&said), "{said}: {words:?}");
    }
}

//! great_battles: what a counter's sides are, and games of random lines in which nothing happens that cannot.

mod answers;
mod forecast;
mod letters;
mod lodged;
mod meant;
mod offers;
mod reinforced;
mod sequence;

use crate::positions::seen;
use estafette::dice::{Cup, Scope};
use estafette::fog::{SeatId, SideId, Viewer, see};
use estafette::hex::Hex;
use estafette::orders;
use estafette::rules::cx::{self, Base, Counts, End, RecordOf};
use estafette::rules::great_battles::GreatBattles;
use estafette::rules::great_battles::event::{Event, How};
use estafette::rules::great_battles::pose::{Form, Hour, Part, Pose};
use estafette::rules::great_battles::state::{Level, State, Step};
use estafette::rules::journal::{Book, By, Desk, Given, Journal};
use estafette::rules::rehearsal::Plan;
use estafette::rules::{Files, Record, Ruleset};
use estafette::scenario;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn hexes(ids: &str) -> BTreeSet<Hex> {
    ids.split_whitespace().map(|id| Hex::parse(id).unwrap()).collect()
}

fn pose(at: &str, hour: u8, form: Form, size: u8) -> Pose {
    Pose { size, ..Pose::at(Hex::parse(at).unwrap(), hour, form) }
}

fn part(pose: &Pose, part: Part) -> BTreeSet<Hex> {
    pose.around(part)
}

/// gbnw-6.3.1-a, gbnw-6.3.2-a, gbnw-6.3.5-a, gbnw-6.4.1-f, gbnw-6.1-1: figures A, B, C, F, G, J, K, L.
#[test]
fn a_counter_of_one_hex_has_the_sides_of_its_formation() {
    let line = pose("1010", 1, Form::Line, 1);
    assert_eq!(part(&line, Part::Front), hexes("1009 1110"));
    assert_eq!(part(&line, Part::Flank), hexes("0910 1111"));
    assert_eq!(part(&line, Part::Rear), hexes("0911 1011"));
    assert_eq!(line.flank_zone(), hexes("0910 1111"));
    assert_eq!(line.arc(2), hexes("0909 1008 1009 1109 1110 1209 1210"));
    let column = pose("1010", 2, Form::Column, 1);
    assert_eq!(part(&column, Part::Front), hexes("1110"));
    assert_eq!(part(&column, Part::Flank), hexes("0910 1009 1011 1111"));
    assert_eq!(part(&column, Part::Rear), hexes("0911"));
    assert_eq!(column.flank_zone(), hexes("0909 0910 1009 1011 1111 1112"));
    assert_eq!(column.arc(2), hexes("1109 1110 1209 1210"));
    let skirmish = pose("1010", 12, Form::Skirmish, 1);
    assert_eq!(skirmish.arc(1), hexes("0910 0911 1009 1011 1110 1111"));
    let spread = Pose { second: Hex::parse("1110"), ..skirmish };
    assert_eq!(spread.arc(1), hexes("0910 0911 1009 1011 1109 1111 1209 1210"));
    assert_eq!(part(&pose("1010", 12, Form::Square, 1), Part::Front).len(), 6);
    let disorder = pose("1010", 2, Form::Disorder, 1);
    assert_eq!(part(&disorder, Part::Front), hexes("1009 1110 1111"));
    assert_eq!(part(&disorder, Part::Rear), hexes("0910 0911 1011"));
    assert_eq!(part(&disorder, Part::Flank), BTreeSet::new());
    assert_eq!(disorder.arc(2), hexes("0909 1008 1009 1109 1110 1111 1112 1209 1210 1211"));
    assert_eq!(pose("1010", 1, Form::Unlimbered, 1).front(), hexes("1009 1110"));
}

/// gbnw-6.5.1-b, gbnw-6.5.1-c: figures N to U.
#[test]
fn a_large_counter_has_its_sides_and_wheels() {
    let line = pose("1010", 3, Form::Line, 2);
    assert_eq!(part(&line, Part::Front), hexes("1110 1111 1112"));
    assert_eq!(part(&line, Part::Flank), hexes("1009 1012"));
    assert_eq!(part(&line, Part::Rear), hexes("0910 0911 0912"));
    assert_eq!(line.flank_zone(), hexes("1009 1012"));
    let column = pose("1010", 2, Form::Column, 2);
    assert_eq!(part(&column, Part::Front), hexes("1110"));
    assert_eq!(part(&column, Part::Flank), hexes("0810 0910 0912 1009 1011 1111"));
    assert_eq!(part(&column, Part::Rear), hexes("0811"));
    assert_eq!(column.flank_zone(), hexes("0809 0810 0909 0910 0912 1009 1011 1012 1111 1112"));
    let disorder = pose("1010", 2, Form::Disorder, 2);
    assert_eq!(part(&disorder, Part::Front), hexes("1009 1110 1111"));
    assert_eq!(part(&disorder, Part::Flank), BTreeSet::new());
    let (wheeled, swept) = line.wheeled(true);
    assert_eq!((wheeled.hexes().into_iter().collect(), wheeled.hour), (hexes("1011 1111"), Hour::from(5)));
    assert_eq!(swept.into_iter().collect::<BTreeSet<Hex>>(), hexes("1111"));
    let (wheeled, swept) = pose("1009", 3, Form::Line, 3).wheeled(true);
    assert_eq!(wheeled.hexes().into_iter().collect::<BTreeSet<Hex>>(), hexes("1011 1111 1210"));
    assert_eq!(swept.into_iter().collect::<BTreeSet<Hex>>(), hexes("1110 1111 1210"));
    let (wheeled, _) = column.wheeled(true);
    assert_eq!((wheeled.hexes().into_iter().collect(), wheeled.hour), (hexes("1010 0910"), Hour::from(4)));
}

/// gbnw-6.5.6-a, gbnw-6.5.6-b: a counter of foot with two hexes touches two stacks, and has one fire and one attack, with all
/// that it has.
#[test]
fn a_large_counter_of_foot_fires_at_one_stack_and_attacks_one() {
    let mut files = files("telnitz.yaml");
    for (_, text) in &mut files {
        let (from, to) = ("div: FERY, arm: inf, sp: 5, fire: 3", "div: FERY, arm: inf, hexes: 2, sp: 10, fire: 3");
        *text = text.replacen(from, to, 1);
    }
    let base = GreatBattles::arrange(
        &files,
        json!({
            "clear": true, "acts": {"side": "french", "lim": "FERY", "modes": {"FERY": "full"}}, "leaders": {"FERY": "1010"},
            "units": {
                "F3-1": {"at": "1010", "form": "line", "face": 3}, "AS14-1": {"at": "1110", "form": "column", "face": 9},
                "AS15-1": {"at": "1112", "form": "column", "face": 9},
            },
        }),
    )
    .unwrap();
    let view = see::<GreatBattles>(&base.state, &Default::default(), Viewer::Side("french".into())).into_parts().1;
    assert_eq!(base.state.front("F3-1"), hexes("1110 1111 1112"));
    let mut plan: Plan<GreatBattles> = Plan::new(view.clone());
    let said = plan.line(&orders::line(1, "FIRE F3-1 AT 1110")).unwrap().said.join(" ");
    assert!(said.contains("value 6, "), "{said}");
    let again = plan.line(&orders::line(2, "FIRE F3-1 AT 1112")).err().unwrap().why();
    assert!(again.contains("has fired in this turn"), "{again}");
    let mut plan: Plan<GreatBattles> = Plan::new(view);
    let said = plan.line(&orders::line(1, "BAYONET F3-1 AT 1110")).unwrap().said.join(" ");
    assert!(said.contains("10 SP against 6."), "{said}");
    let again = plan.line(&orders::line(2, "BAYONET F3-1 AT 1112")).err().unwrap().why();
    assert!(again.contains("has attacked"), "{again}");
}

/// What an umpire puts right is so then, is sound, and nothing else has changed; what cannot be is refused.
#[test]
fn what_an_umpire_amends_is_so_and_what_cannot_be_is_refused() {
    let base = begin(&files("hill-fog.yaml"));
    let side = SideId::from("french");
    let amended = |text: &str| GreatBattles::amend(&base.state, &[], &side, &orders::line(1, text));
    for (text, so) in [
        ("PLACE F3-2 AT 2023 FACE N", (|s: &State| s.hex("F3-2") == Hex::parse("2023")) as fn(&State) -> bool),
        ("PLACE F3-1 AT 2423 FACE SE", |s| s.pose("F3-1").unwrap().hour == Hour::from(5)),
        ("PLACE FERY AT 2025", |s| s.leaders["FERY"].hex == Hex::parse("2025")),
        ("STATE F3-2 SHAKEN", |s| s.units["F3-2"].level.word() == "Shaken"),
        ("STATE F3-1 ROUTED", |s| s.routs("F3-1") && s.pose("F3-1").unwrap().form == Form::Disorder),
        ("REMOVE F3-3", |s| s.units["F3-3"].gone),
        ("REMOVE FERY", |s| s.leaders["FERY"].lost),
        ("TOWN Telnitz", |s| s.places["Telnitz"].0 == "french"),
        ("FORM F3-1 COLUMN FACE 4", |s| s.pose("F3-1").unwrap() == pose("2424", 4, Form::Column, 1)),
        ("FORM F3-2 LINE FACE 3", |s| s.pose("F3-2").unwrap().form == Form::Line),
        ("SP F3-3 4", |s| s.sp("F3-3") == 4),
        ("SP F3-3 1", |s| s.sp("F3-3") == 1),
        ("FATIGUE FERY 3", |s| s.commands["FERY"].fatigue == 3),
    ] {
        let mut state = base.state.clone();
        amended(text).unwrap().iter().for_each(|event| GreatBattles::apply(&mut state, event));
        assert!(so(&state), "{text}");
        assert_eq!(GreatBattles::unsound(&state), Vec::<String>::new(), "{text}");
    }
    for (text, why) in [
        ("PLACE F3-2 AT 4040", "off the field"),
        ("PLACE F3-2 AT 2923", "bars 2923"),
        ("STATE FA1 SHAKEN", "guns"),
        ("PLACE AS14-1 AT 2023", "AS14-1"),
        ("FORM F3-1 UNLIMBER", "no unlimbered"),
        ("FORM FA1 SQUARE", "no square"),
        ("SP F3-3 40", "1 to"),
        ("SP F3-3 0", "1 to"),
        ("FATIGUE FERY 12", "0 to 9"),
        ("STRENGTH F3-3 4", "PLACE, STATE, REMOVE, TOWN, FORM, SP or FATIGUE"),
    ] {
        let said = amended(text).unwrap_err().to_string();
        assert!(said.contains(why), "{text}: {said}");
    }
    // 5.4 What the host would refuse for what comes of it.
    let mut state = base.state.clone();
    amended("PLACE FERY AT 2923").unwrap().iter().for_each(|event| GreatBattles::apply(&mut state, event));
    assert_eq!(GreatBattles::unsound(&state), ["FERY would stand in 2923 among the enemy (5.4)."]);
    // 8.5.5 Who comes to a leader drives him away, by the events behind it: he is gone before the next step.
    let onto = |how: How| Event::Moved {
        units: vec!["AS14-1".to_owned()],
        pose: pose("2923", 8, Form::Column, 1),
        cost: 0,
        how,
    };
    let next = Event::Turning { division: "CARNEVILLE".to_owned(), step: Step::Melee };
    let mut away = state.clone();
    GreatBattles::apply(
        &mut away,
        &Event::Moved {
            units: vec!["AS14-1".to_owned()],
            pose: pose("2922", 8, Form::Column, 1),
            cost: 0,
            how: How::Retreat,
        },
    );
    assert_eq!(GreatBattles::leap(&away, &onto(How::Retreat), &state), Vec::<String>::new());
    assert_eq!(GreatBattles::leap(&state, &next, &state), ["FERY would stand in 2923 among the enemy (5.4)."]);
    // H.12 A dummy can be put back, where no enemy would see that it is one.
    let base = begin(&files("hill-masked.yaml"));
    let amended = |s: &State, text: &str| GreatBattles::amend(s, &[], &side, &orders::line(1, text));
    let mut state = base.state.clone();
    for text in ["REMOVE DUMMY-FERY", "PLACE DUMMY-FERY AT 2023 FACE N"] {
        amended(&state, text).unwrap().iter().for_each(|event| GreatBattles::apply(&mut state, event));
        assert_eq!(state.hex("DUMMY-FERY").is_some(), text.starts_with("PLACE"), "{text}");
        assert_eq!(GreatBattles::unsound(&state), Vec::<String>::new(), "{text}");
    }
    for text in ["PLACE DUMMY-FERY AT 2825", "STATE DUMMY-FERY SHAKEN"] {
        let said = amended(&state, text).unwrap_err().to_string();
        assert!(said.contains("DUMMY-FERY is a dummy"), "{text}: {said}");
    }
    let known = |piece: &str| GreatBattles::who_knows(&base.state, &[], piece).unwrap().join(" ");
    assert!(known("F3-1").contains("allied: "), "{}", known("F3-1"));
}

/// 4.5, 4.6.1, 8.3.1: who writes his lines in another order has them done in the order of the activation.
#[test]
fn lines_of_an_activation_go_in_its_order() {
    let before = |modes: serde_json::Value, step: &str| {
        json!({
            "clear": true,
            "acts": {"side": "allied", "lim": "CARNEVILLE", "step": step, "todo": ["CARNEVILLE"], "modes": modes},
            "leaders": {"CARNEVILLE": "1606"},
            "units": {
                "AS14-1": {"at": "1604", "form": "column", "face": 8}, "AA1": {"at": "1507", "form": "unlimbered", "face": 11},
                "AS15-1": {"at": "1607", "form": "column", "face": 8}, "F3-1": {"at": "1505", "form": "line", "face": 3},
            },
        })
    };
    let order_of = |before: serde_json::Value, lines: &[&str]| {
        let base = GreatBattles::arrange(&files("telnitz.yaml"), before).unwrap();
        let view = seen::<GreatBattles>(&base, &"allied".into());
        let mut left: Vec<&str> = lines.to_vec();
        let mut done = Vec::new();
        while !left.is_empty() {
            let read = |line: &&str| orders::read(GreatBattles::verbs(), &view, &orders::line(1, line)).unwrap();
            let orders: Vec<_> = left.iter().map(read).collect();
            let next = GreatBattles::next(&view, &Book::default(), &mut orders.into_iter()).unwrap_or(0);
            done.push(left.remove(next).to_owned());
        }
        done
    };
    let (go, fire, fight, call) =
        ("MOVE AS15-1 F", "FIRE AA1 AT 1505", "BAYONET AS14-1 AT 1505", "ACTIVATE CARNEVILLE FULL");
    let acts = || before(json!({"CARNEVILLE": "full"}), "movement");
    assert_eq!(order_of(acts(), &[fight, fire, go]), [go, fire, fight]);
    assert_eq!(order_of(acts(), &[fire, fight, go]), [go, fire, fight]);
    assert_eq!(order_of(acts(), &[go, "LEADER CARNEVILLE TO 1607", fire]), [go, "LEADER CARNEVILLE TO 1607", fire]);
    assert_eq!(order_of(before(json!({}), "attempt"), &[fire, go, call]), [call, go, fire]);
}

/// Numbers that look like chance and are the same each time.
struct Chance(std::cell::Cell<u64>);

impl Chance {
    fn next(&self) -> u64 {
        let mut x = self.0.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0.set(x);
        x
    }

    fn below(&self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap()
    }
}

/// Dice that follow from the label and a seed.
struct Box(u64);

impl Cup for Box {
    fn draw(&self, _: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        let key = label
            .bytes()
            .fold(self.0 ^ (u64::from(n) << 32), |key, byte| key.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let chance = Chance(std::cell::Cell::new(key | 1));
        for _ in 0..20 {
            chance.next();
        }
        Some((0..count).map(|_| u32::try_from(chance.next() % u64::from(sides)).unwrap() + 1).collect())
    }
}

fn begin(files: &Files) -> Base<GreatBattles> {
    let (mut state, events) = GreatBattles::open(files).unwrap();
    events.iter().for_each(|event| GreatBattles::apply(&mut state, event));
    let minds = GreatBattles::sides(&state).into_iter().map(|side| (side, Default::default())).collect();
    Base { state, minds, counts: Counts::default() }
}

/// A change of a state, and what is then wrong with it.
type Wrong<'a> = (&'a dyn Fn(&mut State), &'a str);

#[test]
fn what_a_position_cannot_be_is_found_out() {
    let base = begin(&files("telnitz.yaml"));
    let made = |change: &dyn Fn(&mut State)| {
        let mut state = base.state.clone();
        change(&mut state);
        GreatBattles::unsound(&state)
    };
    assert_eq!(made(&|_| ()), Vec::<String>::new());
    fn unit<'s>(s: &'s mut State, id: &str) -> &'s mut estafette::rules::great_battles::state::Unit {
        s.units.get_mut(id).unwrap()
    }
    let (enemy, own) = (base.state.pose("AS14-1").unwrap(), base.state.pose("F3-1").unwrap());
    let turned = |form: Form| Some(Pose { hour: Hour::from(1), form, second: None, size: 1, ..own });
    let (column, square, off) = (turned(Form::Column), turned(Form::Square), Some(pose("9090", 4, Form::Column, 1)));
    let whole = base.state.board.kinds["F3-1"].sp;
    let tried: [Wrong<'_>; 6] = [
        (&|s| unit(s, "F3-1").pose = Some(enemy), "both sides would stand in"),
        (&|s| unit(s, "F3-1").pose = off, "would stand off the field"),
        (&|s| unit(s, "F3-1").lost = whole, "F3-1"),
        (&|s| unit(s, "F3-1").level = Level::Rout, "F3-1"),
        (&|s| unit(s, "FA1").level = Level::Shaken, "is guns, and would not be Good"),
        (&|s| unit(s, "F3-1").pose = column, "would face what its formation does not"),
    ];
    for (change, flaw) in tried {
        let found = made(change);
        assert!(found.len() == 1 && found[0].contains(flaw), "{flaw}: {found:?}");
    }
    // A square has no front that could be wrong.
    assert_eq!(made(&|s| unit(s, "F3-1").pose = square), Vec::<String>::new());
}

#[test]
fn in_open_play_a_view_holds_the_wishes_of_its_own_side_alone() {
    let mut state = begin(&files("telnitz.yaml")).state;
    for side in state.sides() {
        state.wishes.insert(side, Default::default());
    }
    let view = see::<GreatBattles>(&state, &Default::default(), Viewer::Side("french".into())).into_parts().1;
    assert_eq!(view.state.wishes.keys().collect::<Vec<_>>(), [&SideId::from("french")]);
}

/// What is wrong with Telnitz where some of it stands otherwise.
fn flaws(from: &str, to: &str) -> Vec<String> {
    let mut files = files("telnitz.yaml");
    let (_, scenario) = files.iter_mut().find(|(_, text)| text.contains("\nkind: scenario\n")).unwrap();
    assert!(scenario.contains(from), "{from}");
    *scenario = scenario.replace(from, to);
    GreatBattles::open(&files).err().unwrap_or_default()
}

#[test]
fn a_scenario_that_cannot_be_is_refused_with_what_is_wrong() {
    let turns = "turns: [1, 12]";
    for wrong in ["turns: [0, 12]", "turns: [5, 3]"] {
        let found = flaws(turns, wrong);
        assert!(found.len() == 1 && found[0].contains("name the first and the last turn"), "{wrong}: {found:?}");
    }
    assert_eq!(flaws(turns, "turns: [12, 12]"), Vec::<String>::new());
    let alone = |ids: &str| flaws(turns, &format!("{turns}\nindependent: {{french: [{ids}]}}"));
    assert_eq!(alone("FERY"), Vec::<String>::new());
    let found = alone("CARNEVILLE");
    assert!(found.len() == 1 && found[0].contains("names \"CARNEVILLE\", which is no division of it"), "{found:?}");
}

/// Lines that a side may give or not: a bit of everything, and END.
fn lines(s: &State, seat: &SeatId, chance: &Chance) -> Vec<String> {
    let side = SideId(seat.0.clone());
    let mut lines = Vec::new();
    let own: Vec<String> = s.standing().filter(|(id, ..)| s.is_of(id, &side)).map(|(id, ..)| id.clone()).collect();
    let foes: Vec<Hex> = s.enemies(&side).map(|(.., pose)| pose.head).collect();
    for division in s.board.divisions.keys().filter(|id| s.board.side_of(id) == Some(&side)) {
        lines.push(format!("PICK {division}"));
        let how = ["FULL", "FULL", "LIMITED", "STRATEGIC"][chance.below(4)];
        lines.push(format!("ACTIVATE {division} {how}"));
        for unit in own.iter().filter(|id| s.division(id) == division) {
            let Some(hex) = s.hex(unit) else { continue };
            let near = foes.iter().min_by_key(|foe| foe.distance(hex)).copied();
            for _ in 0..1 + chance.below(4) {
                let pace = ["F", "F", "FL", "FR", "L", "R", "B", "SL", "AF"][chance.below(9)];
                lines.push(format!("MOVE {unit} {pace}"));
            }
            if let Some(to) = near.and_then(|foe| {
                let on_map = hex.neighbours().into_iter().filter(|to| s.board.ground.has(*to));
                on_map.min_by_key(|to| to.distance(foe))
            }) {
                lines.push(format!("MOVE {unit} {to}"));
                lines.push(format!("MOVE {unit} {to}"));
            }
            if let Some(foe) = near.filter(|foe| foe.distance(hex) <= 2) {
                lines.push(format!("BAYONET {unit} AT {foe}"));
            }
            if chance.below(3) == 0 {
                let form = ["LINE", "COLUMN", "SKIRMISH", "SQUARE", "LIMBER", "UNLIMBER"][chance.below(6)];
                lines.push(format!("FORM {unit} {form}"));
            }
        }
        for unit in s.board.kinds.iter().filter(|(_, kind)| kind.div == *division).map(|(id, _)| id) {
            if s.pose(unit).is_none() && s.units.get(unit).is_none_or(|u| !u.gone && !u.left) {
                lines.push(format!("ENTER {unit}"));
            }
        }
    }
    for unit in &own {
        lines.push(format!("FIRE {unit}"));
    }
    for unit in &own {
        let Some(hex) = s.hex(unit) else { continue };
        for foe in foes.iter().filter(|foe| foe.distance(hex) <= 6) {
            if foe.distance(hex) == 1 {
                lines.push(format!("BAYONET {unit} AT {foe}"));
                lines.push(format!("ASSAULT {unit} AT {foe}"));
            }
            lines.push(format!("CHARGE {unit} AT {foe}"));
        }
    }
    lines
}

/// What a side knows does not hang on what it does not know.
fn looks_the_same(base: &Base<GreatBattles>, noise: u64) {
    for (side, mind) in &base.minds {
        let other = GreatBattles::scramble(&base.state, &base.minds, side, noise);
        let [now, then] =
            [&base.state, &other].map(|s| see::<GreatBattles>(s, mind, Viewer::Side(side.clone())).body().clone());
        let odd = |same: bool, what: &str| if same { String::new() } else { format!(" {what}") };
        let (a, b) = (&now.state, &then.state);
        let units: Vec<_> = a.units.iter().filter(|(id, u)| b.units.get(*id) != Some(*u)).collect();
        let odd = [
            odd(a.units.len() == b.units.len(), "how many units"),
            odd(a.strangers == b.strangers, "strangers"),
            odd(a.leaders == b.leaders, "leaders"),
            odd(a.commands == b.commands, "commands"),
            odd(now.ghosts == then.ghosts && now.blurred == then.blurred, "ghosts"),
        ];
        assert!(now == then, "{side} knows what it cannot know:{} {units:?}", odd.concat());
    }
}

/// What was played: the lines of each leg, and its records.
type Legs = Vec<(Journal, Vec<RecordOf<GreatBattles>>)>;

/// The files of a scenario.
fn files(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/great_battles").join(name);
    scenario::files(&path).unwrap()
}

/// Plays a game of random lines to its end; what became of the lines, and the legs.
fn play(name: &str, seed: u64) -> (BTreeMap<String, u32>, Legs) {
    let (mut base, chance, cup) = (begin(&files(name)), Chance(std::cell::Cell::new(seed * 77 + 1)), Box(seed));
    let (mut journal, desk, mut found, mut legs) = (Journal::default(), Desk::default(), BTreeMap::new(), Vec::new());
    for _ in 0..60_000 {
        let Some(stage) = GreatBattles::stage(&base.state) else { return (found, legs) };
        let leg = cx::decide(&base, &journal, &desk, &cup, &[])
            .unwrap_or_else(|e| panic!("{name} {seed} {}: {e}", stage.key));
        for record in &leg.records {
            if let Record::Line { upshot, text, .. } = record {
                let word = text.split(' ').next().unwrap_or_default();
                *found.entry(format!("{word} {}", upshot.word())).or_default() += 1;
            }
        }
        let given = std::mem::replace(&mut journal, leg.journal);
        match leg.end {
            End::Rest => {
                if legs.len() % SAMPLE == 0 {
                    looks_the_same(&leg.after, seed);
                }
                let flaws = GreatBattles::unsound(&leg.after.state);
                assert_eq!(flaws, Vec::<String>::new(), "{name} {seed} {}", stage.key);
                base = leg.after;
                legs.push((given, leg.records));
            }
            End::Stop(dues) => {
                for due in dues {
                    let lines = lines(&base.state, &due.seat, &chance);
                    let given = lines.into_iter().map(|line| Given::new(line, 1, By::Seat("test".to_owned())));
                    journal.lines.entry(due.address.clone()).or_default().extend(given);
                    journal.ended.insert(due.address);
                }
            }
        }
    }
    panic!("{name} {seed}: the game does not end");
}

/// How many games of the small scenarios, where nobody asks for more or fewer.
const GAMES: u64 = 2;

/// After one leg of so many it is tried whether a side knows what it cannot know.
const SAMPLE: usize = 7;

#[test]
fn games_of_random_lines_end_and_nothing_happens_in_them_that_cannot() {
    let asked = std::env::var("BATTLES_GAMES").ok().and_then(|games| games.parse().ok());
    let first = std::env::var("BATTLES_FIRST").ok().and_then(|first| first.parse().ok()).unwrap_or(1);
    let mut all: BTreeMap<String, u32> = BTreeMap::new();
    let sample = [
        ("hill.yaml", GAMES),
        ("hill-fog.yaml", GAMES),
        ("hill-masked.yaml", GAMES),
        ("telnitz.yaml", 1),
        ("telnitz-masked.yaml", 1),
    ];
    for (name, games) in sample {
        for seed in first..first + asked.unwrap_or(games) {
            for (word, n) in play(name, seed).0 {
                *all.entry(word).or_default() += n;
            }
        }
    }
    println!("{all:?}");
    for word in ["ACTIVATE", "MOVE", "FORM", "FIRE", "ENTER", "CHARGE", "PICK"] {
        assert!(all.get(&format!("{word} DONE")).copied().unwrap_or(0) > 0, "no {word} was carried out");
    }
}

/// H.9-1, H.10-1: a die hangs on what it is for, and no key of a die stands twice; lines and dice make the same game again.
#[test]
fn a_game_is_the_same_when_it_is_played_again_from_its_lines() {
    for name in ["hill.yaml", "hill-fog.yaml"] {
        let (_, legs) = play(name, 5);
        let (mut base, mut keys, mut turns) = (begin(&files(name)), BTreeSet::new(), 0);
        for (lines, records) in legs {
            let again = cx::decide(&base, &lines, &Desk::default(), &Box(5), &[]).unwrap();
            assert!(again.records == records && matches!(again.end, End::Rest), "{name}");
            for record in &records {
                match record {
                    Record::Event { body: Event::Turn { .. }, .. } => turns += 1,
                    Record::Rolled(roll) => {
                        let key = (turns, roll.label.clone(), roll.n);
                        assert!(keys.insert(key), "{name}: {} {} stands twice", roll.label, roll.n);
                    }
                    _ => {}
                }
            }
            base = again.after;
        }
        assert!(keys.len() > 20 && GreatBattles::stage(&base.state).is_none(), "{name}");
    }
}

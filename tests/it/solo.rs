//! The solo rules of `austerlitz1805` (22-28): their charts, what they can see, whole games of the rules against themselves.

use estafette::dice::{Cup, Label, Master};
use estafette::fog::{SeatId, SideId, Viewer, see};
use estafette::rules::austerlitz1805::board::{Arm, Board, UnitId};
use estafette::rules::austerlitz1805::solo::chart::{Orders, Solo, Tactic};
use estafette::rules::austerlitz1805::solo::{self, Dice};
use estafette::rules::austerlitz1805::state::{At, State};
use estafette::rules::austerlitz1805::view::View;
use estafette::rules::austerlitz1805::{Austerlitz, Intel};
use estafette::rules::cx::{Base, Counts, End, decide};
use estafette::rules::journal::{Desk, Journal};
use estafette::rules::{Outcome, Record, Ruleset};
use estafette::{games, scenario, simulate};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(name: &str) -> Vec<(String, String)> {
    scenario::files(&root().join("scenarios/austerlitz1805").join(name)).unwrap()
}

/// A scenario set up, ready for its first leg.
fn begun(name: &str) -> Base<Austerlitz> {
    let (mut state, events) = Austerlitz::open(&files(name)).unwrap();
    events.iter().for_each(|e| Austerlitz::apply(&mut state, e));
    let minds = Austerlitz::sides(&state).into_iter().map(|side| (side, Intel::default())).collect();
    Base { state, minds, counts: Counts::new() }
}

fn charts() -> (std::sync::Arc<Board>, Solo) {
    let board = begun("1805-austerlitz-solo.yaml").state.table.board;
    let solo = board.tables.solo.clone().unwrap();
    (board, solo)
}

/// How often a die says something in a cell of the order tables.
fn share(orders: &Orders, arm: Arm, band: usize, tactic: Tactic) -> usize {
    orders.cell(arm, band).unwrap().iter().filter(|t| **t == tactic).count()
}

#[test]
fn the_order_tables_say_what_the_rulebook_prints() {
    let (_, solo) = charts();
    // 27.6, as far as the text gives dice and words: column by column from 3:1 to 1:3.
    let attack = |o: &Orders, arm, tactic| (0..5).map(|band| share(o, arm, band, tactic)).collect::<Vec<_>>();
    assert_eq!(attack(&solo.offensive, Arm::Infantry, Tactic::Assault), [6, 5, 3, 0, 0]);
    assert_eq!(attack(&solo.offensive, Arm::Infantry, Tactic::Back), [0, 0, 0, 6, 6]);
    assert_eq!(attack(&solo.offensive, Arm::Cavalry, Tactic::Charge), [6, 6, 3, 0, 0]);
    assert_eq!(attack(&solo.offensive, Arm::Cavalry, Tactic::Flank), [0, 0, 3, 0, 0]);
    assert_eq!(attack(&solo.defensive, Arm::Infantry, Tactic::Assault), [5, 4, 1, 0, 0]);
    assert_eq!(attack(&solo.defensive, Arm::Cavalry, Tactic::Charge), [6, 4, 3, 0, 0]);
    assert_eq!(attack(&solo.defensive, Arm::Cavalry, Tactic::Flank), [0, 2, 3, 6, 6]);
    assert_eq!(attack(&solo.defensive, Arm::Artillery, Tactic::Back), [0, 0, 0, 0, 6]);
}

#[test]
fn worse_odds_never_make_a_side_bolder() {
    let (_, solo) = charts();
    for orders in [&solo.offensive, &solo.defensive] {
        for (arm, bold) in
            [(Arm::Infantry, Tactic::Assault), (Arm::Cavalry, Tactic::Charge), (Arm::Artillery, Tactic::Fire)]
        {
            let shares: Vec<usize> = (0..5).map(|band| share(orders, arm, band, bold)).collect();
            assert!(shares.windows(2).all(|w| w[0] >= w[1]), "{arm:?} {shares:?}");
            let back: Vec<usize> = (0..5).map(|band| share(orders, arm, band, Tactic::Back)).collect();
            assert!(back.windows(2).all(|w| w[0] <= w[1]), "{arm:?} {back:?}");
        }
    }
    for own in 1..60 {
        for enemy in 1..60 {
            let band = solo.odds.band(own, enemy);
            assert!(band >= solo.odds.band(own + 1, enemy) && band <= solo.odds.band(own, enemy + 1));
        }
    }
    let bands = [(9, 3), (8, 3), (6, 3), (5, 3), (3, 3), (2, 3), (3, 6), (2, 6), (0, 6)];
    assert_eq!(bands.map(|(own, enemy)| solo.odds.band(own, enemy)), [0, 1, 1, 2, 2, 3, 3, 4, 4]);
}

/// The words of a die, each with the number of its faces.
fn count(faces: &[String; 6]) -> Vec<(&str, usize)> {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    faces.iter().for_each(|w| *found.entry(w).or_default() += 1);
    found.into_iter().collect()
}

#[test]
fn dice_answer_in_the_shares_of_the_rulebook() {
    let (_, solo) = charts();
    assert_eq!(count(&solo.dice.square), [("NO", 2), ("YES", 4)]);
    assert_eq!(count(&solo.dice.met_by_square), [("ATTACK", 1), ("PASS", 3), ("STOP", 2)]);
    assert_eq!(count(&solo.dice.crew), [("FIRE", 4), ("SHELTER", 2)]);
    assert_eq!(count(&solo.dice.deploy), [("COLUMN", 3), ("LINE", 3)]);
    assert_eq!(solo.chit.iter().filter(|kinds| kinds.is_empty()).count(), 1, "one face is a decoy");
    // 16.4.2.1: whatever a die shows, one chit could hold it.
    assert!(solo.chit.iter().all(|kinds| kinds.iter().filter(|k| **k == Arm::Infantry).count() <= 1));
}

#[test]
fn plans_name_what_there_is_and_the_columns_are_as_strong_as_printed() {
    let (board, solo) = charts();
    let mut sums: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for (side, plan) in &solo.plans {
        let of =
            |corps: &str| board.units.values().filter(|s| s.side.0 == *side && s.corps == corps).collect::<Vec<_>>();
        for (corps, strength) in &plan.strength {
            let units = of(corps);
            let arm = |arm| units.iter().filter(|s| s.arm == arm).count();
            let found = (arm(Arm::Infantry), arm(Arm::Cavalry), arm(Arm::Artillery));
            assert_eq!(found, *strength, "{side} {corps}");
            let sum = sums.entry(side).or_default();
            *sum = (sum.0 + found.0, sum.1 + found.1, sum.2 + found.2);
        }
        let groups: Vec<String> =
            board.units.values().filter(|s| s.side.0 == *side).map(|s| board.group(&s.id)).collect();
        for corps in plan.chits.iter().chain(&plan.columns).chain(plan.objectives.keys()).chain([&plan.guard.corps]) {
            assert!(groups.contains(corps), "{side}: there is no {corps}");
        }
        for group in groups.iter().filter(|g| **g != plan.guard.corps) {
            assert!(plan.chits.contains(group) && plan.objectives.contains_key(group), "{side}: {group} has no plan");
        }
        assert!(!plan.chits.contains(&plan.guard.corps), "the Guard moves no chit before it is activated");
        for place in plan.objectives.values().chain(&plan.guard.lost) {
            assert!(board.place(place).is_some_and(|p| p.vp > 0), "{side}: {place} counts for nothing");
        }
        for fill in plan.fill.values() {
            assert!(groups.contains(&fill.corps));
        }
        let areas = plan.signal.iter().flat_map(|s| &s.areas);
        assert!(areas.into_iter().all(|a| board.zone(a).is_some()));
    }
    assert_eq!(sums, BTreeMap::from([("allied", (20, 14, 23)), ("french", (26, 18, 17))]));
}

/// Dice out of a number.
struct Noise(u64);

impl Dice for Noise {
    fn die(&mut self, _: Label, sides: u32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i32::try_from((self.0 >> 33) % u64::from(sides.max(1))).unwrap() + 1
    }
}

fn view(state: &State, minds: &[(SideId, Intel)], side: &SideId) -> View {
    let mind = minds.iter().find(|(s, _)| s == side).map_or_else(Intel::default, |(_, m)| m.clone());
    see::<Austerlitz>(state, &mind, Viewer::Side(side.clone())).into_parts().1
}

/// Nothing stands in two places, off the map, or upon another; each chit has its box.
fn sound(s: &State) -> Vec<String> {
    let t = &s.table;
    let mut wrong = Vec::new();
    let mut seen: BTreeMap<&UnitId, u32> = BTreeMap::new();
    let boxed = s.hidden.values().flat_map(|h| h.boxes.values()).flat_map(|b| &b.units);
    t.units.keys().chain(&t.lost).chain(t.away.keys()).chain(boxed).for_each(|u| *seen.entry(u).or_default() += 1);
    wrong.extend(seen.iter().filter(|(_, n)| **n > 1).map(|(u, n)| format!("{u} is in {n} places")));
    let ids: Vec<_> = t.standing().map(|(id, _)| id).collect();
    for (n, a) in ids.iter().enumerate() {
        let pose = t.unit(a).unwrap().pose;
        if pose.at.x < 0 || pose.at.y < 0 || pose.at.x > t.board.ground.width || pose.at.y > t.board.ground.height {
            wrong.push(format!("{a} is off the map"));
        }
        let overlap = ids.iter().skip(n + 1).find(|b| t.side(a) != t.side(b) && t.shape(a).overlaps(&t.shape(b)));
        wrong.extend(overlap.map(|b| format!("{a} and {b} stand on each other")));
    }
    for (id, unit) in &t.units {
        let host = unit.with.as_ref();
        if host.is_some_and(|h| t.unit(h).is_none_or(|u| u.side != unit.side)) || unit.steps == 0 {
            wrong.push(format!("{id} is with nobody, or has no steps"));
        }
    }
    for (id, chit) in &t.mist.chits {
        let boxes = s.hidden.get(&chit.side).map_or(0, |h| h.boxes.values().filter(|b| b.chit == *id).count());
        if boxes != 1 {
            wrong.push(format!("{id} has {boxes} boxes"));
        }
    }
    wrong
}

/// Plays a game of the rules against themselves leg by leg; each leg is decided twice.
fn by_itself(name: &str, seed: u8, mut watch: impl FnMut(&Base<Austerlitz>)) -> (State, Vec<(String, Outcome)>) {
    let mut base = begun(name);
    let sides = Austerlitz::sides(&base.state);
    let master = Master::from_bytes([seed; 32]);
    let (journal, desk) = (Journal::default(), Desk::default());
    let mut lines = Vec::new();
    let mut slot = 0;
    for _ in 0..2_000 {
        if Austerlitz::stage(&base.state).is_none() {
            return (base.state, lines);
        }
        watch(&base);
        if Austerlitz::slot(&base.state) != slot {
            slot = Austerlitz::slot(&base.state);
            base.counts.clear();
        }
        let cup = master.seeds("solo", slot, &sides, [0; 32]);
        let play = || decide::<Austerlitz>(&base, &journal, &desk, &cup as &dyn Cup, &[]).unwrap();
        let leg = play();
        assert!(leg.records == play().records, "a leg comes out otherwise when it is decided again");
        assert_eq!(leg.end, End::Rest, "somebody is asked");
        let mut events = Vec::new();
        for record in leg.records {
            match record {
                Record::Line { text, said, .. } => lines.push((text, said.unwrap())),
                Record::Event { body, .. } => events.push(body),
                Record::Rolled(_) => {}
            }
        }
        base = leg.after;
        let wrong = sound(&base.state);
        assert!(wrong.is_empty(), "{wrong:?} after {events:?}");
    }
    panic!("the game does not end");
}

#[test]
fn the_rules_play_whole_games_against_themselves_and_write_legal_lines() {
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    let mut verbs: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 1..=3 {
        let (state, lines) = by_itself("1805-austerlitz-solo.yaml", seed, |_| {});
        assert!(state.over.is_some() && state.at == At::Over);
        for (text, outcome) in lines {
            *words.entry(outcome.word().to_owned()).or_default() += 1;
            *verbs.entry(text.split(' ').next().unwrap().to_owned()).or_default() += 1;
            let stray = matches!(outcome, Outcome::Unclear { .. } | Outcome::NotYet { .. } | Outcome::NotReached);
            assert!(!stray, "{text}: {outcome:?}");
        }
    }
    let count = |word: &str| words.get(word).copied().unwrap_or(0);
    assert!(count("DONE") > 600 && count("REFUSED") * 100 <= count("DONE"), "{words:?}");
    let all = ["STRAT", "CHIT", "MARCH", "FORM", "MOVE", "TURN", "BACK", "ATTACH", "BOMBARD", "CHARGE", "ATTACK"];
    assert!(all.iter().all(|verb| verbs.contains_key(*verb)), "{verbs:?}");
}

#[test]
fn what_a_side_cannot_see_moves_nothing_it_decides() {
    let (mut compared, mut changed) = (0, 0);
    by_itself("1805-austerlitz-solo.yaml", 7, |base| {
        for side in Austerlitz::sides(&base.state) {
            let its = match &base.state.at {
                At::Fog => true,
                At::Own(now) | At::Musketry(now) => *now == side,
                _ => false,
            };
            if !its || compared >= 1_200 {
                continue;
            }
            let own = view(&base.state, &base.minds, &side);
            let lines = solo::lines(&own, &mut Noise(11));
            for noise in 0..8 {
                let other = Austerlitz::scramble(&base.state, &base.minds, &side, noise);
                changed += u32::from(other.hidden != base.state.hidden);
                let seen = view(&other, &base.minds, &side);
                assert_eq!(solo::lines(&seen, &mut Noise(11)), lines, "{side} {:?} noise {noise}", base.state.at);
                compared += 1;
            }
        }
    });
    assert!(compared >= 500 && changed * 2 > compared, "{compared} compared, {changed} changed");
}

/// 24.4
#[test]
fn a_battery_is_fired_in_the_preparation_of_its_own_side_alone() {
    let lines = |at: &str| {
        let units = json!({"IV Russian/1": {"at": "3000,9000@N"}, "Legrand/3": {"at": "2900,10600@S"}});
        let before = json!({"bare": true, "at": at, "solo": ["allied"], "step": "preparation", "units": units});
        let base = Austerlitz::arrange(&files("teaching.yaml"), before).unwrap();
        solo::lines(&view(&base.state, &base.minds, &SideId::from("allied")), &mut Noise(11))
    };
    assert_eq!(lines("own allied"), ["BOMBARD IV Russian/1 AT Legrand/3 CANISTER"]);
    assert_eq!(lines("own french"), Vec::<String>::new());
}

#[test]
fn what_decides_has_no_type_of_truth_in_reach() {
    let folder = root().join("src/rules/austerlitz1805/solo");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == "drive.rs" {
            continue;
        }
        read += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let code: String = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        for word in ["State", "Hand<", "Cx<", "cx.", "hidden(", "Truth"] {
            assert!(!code.contains(word), "{name} names {word}");
        }
    }
    assert!(read >= 10);
}

#[test]
fn nobody_is_told_what_the_rules_keep_for_their_side() {
    let entry = games::find(games::GAMES, "austerlitz1805").unwrap();
    let mut game = simulate::open(entry, &files("fog-teaching-as-french.yaml"), 3).unwrap();
    let (seat, side) = (SeatId::from("french"), SideId::from("french"));
    assert_eq!(game.seats(), [(seat.clone(), side.clone())]);
    assert_eq!(game.sides().len(), 2);
    let mut seen = 0;
    let (played, _) = simulate::play(game.as_mut(), 3, |game, _| {
        let page = |g: &dyn estafette::host::Game| format!("{:?}", g.report(&seat, Some(0)).into_parts().1);
        let said = page(game);
        for noise in 0..3 {
            let other = game.scrambled(&side, noise);
            if page(other.as_ref()) != said {
                return Err(format!("noise {noise} shows"));
            }
            seen += 1;
        }
        Ok(())
    })
    .unwrap();
    assert!(played.ending.contains("have won") && played.tally.winner.is_some(), "{played:?}");
    assert!(seen > 20);
}

#[test]
fn simulate_tells_the_share_of_wins_and_the_fogs_length() {
    let entry = games::find(games::GAMES, "austerlitz1805").unwrap();
    let mut all = Vec::new();
    for number in 1..=2 {
        let mut game = simulate::open(entry, &files("1805-austerlitz-solo.yaml"), number).unwrap();
        let played = simulate::play(game.as_mut(), number, |_, _| Ok(()));
        all.push(played.and_then(simulate::again(game.as_ref(), number)).unwrap());
    }
    let text = simulate::lines(&simulate::summary("Austerlitz", &all, &[])).join("\n");
    assert!(text.contains(" won ") && text.contains("turns in fog: ") && text.contains(" on average"), "{text}");
}

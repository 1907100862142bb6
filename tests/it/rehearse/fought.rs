//! CHECK's odds are those of the battle that is then fought; what ¶329 forbids is refused, and what excludes each other is
//! not offered together.

use super::driver::{Noise, Table, files, tried};
use super::warned::position;
use estafette::fog::Fogged;
use estafette::hex::Hex;
use estafette::host::paper::Paper;
use estafette::orders::{self, Fault};
use estafette::rules::Ruleset;
use estafette::rules::campaigns::board::{LeaderId, UnitId};
use estafette::rules::campaigns::combat::battle::Marker;
use estafette::rules::campaigns::combat::order::taken;
use estafette::rules::campaigns::intel::{Ident, Tie};
use estafette::rules::campaigns::rehearse::fight::{Odds, odds};
use estafette::rules::campaigns::rehearse::foresee;
use estafette::rules::campaigns::{Campaigns, Order};
use estafette::rules::rehearsal::{Caution, Plan};
use serde_json::{Value, json};
use std::sync::Arc;

type View = <Campaigns as Fogged>::View;

/// Battles that are fought, and plays behind the odds of each.
const BATTLES: u32 = 200;
const PLAYS: u32 = 12;

/// A French force, by its leader.
const FORCES: [(&str, &str, &str); 5] = [
    ("lannes", "Lannes", r#"{"suchet": 7, "grenadiers": 5, "art5": 2}"#),
    ("lannes", "Lannes", r#"{"suchet": 4, "treilhard": 2}"#),
    ("gazan", "Gazan", r#"{"gazan_div": 5}"#),
    ("mg_cav_f1", "MC1", r#"{"treilhard": 2, "walther": 2}"#),
    ("oudinot", "Oudinot", r#"{"grenadiers": 6, "gazan_div": 6}"#),
];
const ENEMIES: [(i32, &str); 2] = [(5, r#"{"dokh": 5}"#), (10, r#"{"dokh": 5, "milo": 5}"#)];
const FROM: [&str; 6] = ["0605", "0605", "0405", "0406", "0904", "0505"];
const PLANS: [&str; 4] = ["", " TYPE PITCHED ROUNDS 2 THEN PURSUIT", " TYPE PURSUIT", " RESERVE NONE"];

/// One battle: where, the line that plans it, the enemy's strength, and the position before sheet B.
struct Case {
    from: Hex,
    to: Hex,
    leader: LeaderId,
    line: String,
    enemy: i32,
    before: Value,
}

fn hex(text: &str) -> Hex {
    Hex::parse(text).unwrap()
}

fn case(noise: &mut Noise) -> Option<Case> {
    let (leader, name, units) = *noise.pick(&FORCES)?;
    let (enemy, theirs) = *noise.pick(&ENEMIES)?;
    let from = Hex::parse(noise.pick(&FROM)?)?;
    let near: Vec<Hex> = if from == hex("0605") { vec![hex("0705")] } else { from.neighbours().into() };
    let to = *noise.pick(&near)?;
    let plan = noise.pick(&PLANS)?;
    let own: Value = serde_json::from_str(units).ok()?;
    let foe: Value = serde_json::from_str(theirs).ok()?;
    let before = json!({"bare": true, "at": "designate french", "sides": {
        "french": {"leaders": {leader: {"hex": from.to_string(), "units": own}}},
        "coalition": {"leaders": {"dokhturov": {"hex": to.to_string(), "units": foe}}}}});
    // The pursuit is left out: then who is no longer next to the field was driven from it.
    let line = format!("ATTACK {to} WITH {name}{plan} PURSUE NO");
    Some(Case { from, to, leader: LeaderId(leader.to_owned()), line, enemy, before })
}

/// What CHECK reckons of the battle that a line plans.
fn reckoned(view: &View, line: &str, to: Hex, enemy: i32) -> Option<Odds> {
    let order = orders::bind(Campaigns::verbs(), view, &orders::line(1, line)).ok()?;
    foresee(view, &order).ok()?;
    let Order::Combat(order) = order else { return None };
    let mut planned = view.clone();
    planned.own.plans.extend(taken(view, &order));
    odds(&planned, to, PLAYS).into_iter().find(|odds| odds.enemy == enemy)
}

/// Fights it; whether the enemy left the field, whether the attacker did, and SP lost by both. Who pursues leaves his hex
/// too, and has not left the field.
fn fought(case: &Case, seed: u8) -> (bool, bool, i32, i32) {
    let base = Campaigns::arrange(&files("campaigns", "teaching.yaml"), case.before.clone()).unwrap();
    let mut table = Table::<Campaigns>::at(base, seed);
    let (_, address) = table.sheet().unwrap();
    let outcome = table.line(&address, &case.line);
    assert_eq!(outcome.map(|outcome| outcome.word()), Some("DONE"), "{}", case.line);
    table.end(&address);
    assert_eq!(table.broken, None);
    let view = table.view("french");
    let battle = view.battles.iter().find(|battle| battle.hexes.contains(&case.to)).unwrap();
    let back = view.own.hex(&case.leader).is_none_or(|hex| hex != case.from && hex != case.to);
    (!back && view.tags_at(case.to).is_empty(), back, battle.own.lost, battle.enemy_lost)
}

/// Whether a count lies within chance of what was said: three standard deviations.
fn within(count: f64, said: f64, variance: f64) -> bool {
    (count - said).abs() <= 3.0 * variance.sqrt() + 1.0
}

#[test]
fn the_odds_that_check_says_are_those_of_the_battles_that_are_fought() {
    let mut noise = Noise(20_051_202);
    let (mut won, mut lost) = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0));
    let (mut mine, mut theirs) = ((0.0, 0.0), (0.0, 0.0));
    let mut battles = 0;
    for _ in 0..BATTLES * 8 {
        if battles == BATTLES {
            break;
        }
        let Some(case) = case(&mut noise) else { continue };
        let view = position::<Campaigns>("teaching.yaml", "french", case.before.clone());
        let Some(odds) = reckoned(&view, &case.line, case.to, case.enemy) else { continue };
        battles += 1;
        let share = |n: u32| f64::from(n) / f64::from(odds.outlook.plays);
        let (left, back, own, foe) = fought(&case, u8::try_from(battles % 251).unwrap());
        for (sum, said, happened) in
            [(&mut won, share(odds.outlook.won), left), (&mut lost, share(odds.outlook.lost), back)]
        {
            sum.0 += f64::from(u8::from(happened));
            sum.1 += said;
            sum.2 += (said * (1.0 - said)).max(0.02) * (1.0 + 1.0 / f64::from(PLAYS));
        }
        mine = (mine.0 + f64::from(own), mine.1 + share(odds.outlook.attacker));
        theirs = (theirs.0 + f64::from(foe), theirs.1 + share(odds.outlook.defender));
    }
    let figures = format!(
        "{battles} battles: they left {} of {:.1} said, the attacker {} of {:.1}; SP {} of {:.1}, {} of {:.1}",
        won.0, won.1, lost.0, lost.1, mine.0, mine.1, theirs.0, theirs.1
    );
    println!("{figures}");
    assert_eq!(battles, BATTLES, "{figures}");
    assert!(within(won.0, won.1, won.2) && within(lost.0, lost.1, lost.2), "{figures}");
    // A battle costs from nothing to some SP: a quarter of what was said is more than chance explains.
    for (lost, said) in [mine, theirs] {
        assert!((lost - said).abs() <= said / 4.0, "{figures}");
    }
}

/// Before an enemy counter of so many SP, as it was shown; unknown without.
fn before(units: &Value, shown: Option<i32>) -> View {
    let before = json!({"bare": true, "at": "designate french", "sides": {
        "french": {"leaders": {"lannes": {"hex": "0405", "units": units}}},
        "coalition": {"leaders": {"bagration": {"hex": "0505", "units": {"bagr_inf": 5}}}}}});
    let mut view = position::<Campaigns>("teaching.yaml", "french", before);
    let (tag, counter) = view.enemy.iter_mut().next().unwrap();
    let (ident, among) = (Ident::Leader(LeaderId("bagration".to_owned())), [*tag].into());
    counter.tie = shown.map(|sp| Tie { ident, turn: 1, of: 1, sp: Some((sp, 1)), among });
    view
}

/// Plays behind what is reckoned of Lannes; three standard deviations of the difference of two counts are a quarter of it.
const LANNES: u32 = 64;
const CHANCE: u32 = LANNES / 4;

/// What CHECK reckons of an attack by Lannes on 0505.
fn of_lannes(view: &View) -> Vec<Odds> {
    let order = orders::bind(Campaigns::verbs(), view, &orders::line(1, "ATTACK 0505 WITH Lannes")).unwrap();
    let Order::Combat(order) = order else { panic!() };
    let mut planned = view.clone();
    planned.own.plans.extend(taken(view, &order));
    odds(&planned, hex("0505"), LANNES)
}

/// ¶350: in open ground more of the enemy are beaten less often, and nobody is beaten three to one.
#[test]
fn the_stronger_the_enemy_the_seldomer_he_leaves() {
    let falls = |found: &[Odds]| found.windows(2).all(|two| two[1].outlook.won <= two[0].outlook.won + CHANCE);
    let lost = |odds: &Odds| odds.outlook.won * 10 <= LANNES && odds.outlook.lost * 10 >= LANNES * 8;
    for (own, units) in [(6, json!({"grenadiers": 6})), (12, json!({"suchet": 7, "grenadiers": 5}))] {
        let strengths = [4, 9, 15, 20];
        let found: Vec<Odds> = strengths.iter().flat_map(|sp| of_lannes(&before(&units, Some(*sp)))).collect();
        assert_eq!(found.iter().map(|odds| odds.enemy).collect::<Vec<_>>(), strengths);
        assert!(falls(&found), "{found:?}");
        for odds in &found {
            let of = &odds.outlook;
            assert!(of.won + of.lost <= of.plays && odds.line > 0, "{odds:?}");
            assert!(odds.enemy < own * 3 || lost(odds), "{odds:?}");
            assert!(own < odds.enemy * 3 || of.won * 10 >= LANNES * 7, "{odds:?}");
        }
    }
    let guessed = of_lannes(&before(&json!({"grenadiers": 6}), None));
    assert_eq!(guessed.iter().map(|odds| odds.enemy).collect::<Vec<_>>(), [5, 10, 20]);
    assert!(falls(&guessed) && lost(&guessed[2]), "{guessed:?}");
}

/// What was shown of one of two counters is the least that both have.
#[test]
fn nothing_is_reckoned_below_what_was_shown() {
    let units = json!({"suchet": 7, "grenadiers": 5});
    for (shown, reckoned) in [(4, vec![5, 10, 20]), (12, vec![20]), (25, vec![30])] {
        let mut view = before(&units, Some(shown));
        let mut stranger = view.enemy.values().next().cloned().unwrap();
        stranger.tie = None;
        view.enemy.insert(99, stranger);
        assert_eq!(of_lannes(&view).iter().map(|odds| odds.enemy).collect::<Vec<_>>(), reckoned);
    }
}

/// Plays behind what is reckoned of Miloradovich.
const GUARD: u32 = 100;

/// ¶390: the Guard pursues farther; who has not been seen is taken for a plain division, as if there were no Guard.
#[test]
fn an_enemy_whom_nobody_has_seen_is_not_reckoned_as_the_guard() {
    let to = hex("3450");
    for (milo, maltitz) in [(2, 1), (3, 1)] {
        let own = json!({"miloradovich": {"hex": "3449", "units": {"milo": milo, "maltitz": maltitz}}});
        let foe = json!({"oudinot": {"hex": "3450", "units": {"grenadiers": 6}}});
        let sides = json!({"coalition": {"leaders": own}, "french": {"leaders": foe, "vedettes": {"1": "3450"}}});
        let before = json!({"bare": true, "at": "designate coalition", "weather": "Fair", "sides": sides});
        let mut view = position::<Campaigns>("1805-moravia.yaml", "coalition", before);
        let line = "ATTACK 3450 WITH Miloradovich TYPE PURSUIT RESERVE NONE";
        let order = orders::bind(Campaigns::verbs(), &view, &orders::line(1, line)).unwrap();
        let Order::Combat(order) = order else { panic!() };
        let plans = taken(&view, &order);
        view.own.plans.extend(plans);
        let mut without = view.clone();
        let mut board = (*view.board).clone();
        assert!(board.units.remove(&UnitId("guardinf".to_owned())).is_some());
        without.board = Arc::new(board);
        let found = odds(&view, to, GUARD);
        assert_eq!(found.iter().map(|odds| odds.enemy).collect::<Vec<_>>(), [5, 10, 20]);
        assert!(found[0].outlook.lost > GUARD / 2, "he is beaten and pursued: {found:?}");
        assert_eq!(odds(&without, to, GUARD), found);
    }
}

/// MC1, 4 SP in two units, before the bridge of Steinbrück with its garrison of 1 SP.
fn at_the_bridge() -> View {
    let before = json!({"at": "designate french", "sides": {"french": {"leaders": {"mg_cav_f1": {"hex": "0605"}}}}});
    position::<Campaigns>("teaching.yaml", "french", before)
}

/// Plays behind what is reckoned of two SP.
const TWO: u32 = 64;

/// ¶367: only who has nothing left has lost whatever becomes of the enemy.
#[test]
fn an_attacker_with_one_sp_left_has_won_where_the_enemy_is_gone() {
    let of = json!({"hex": "0605", "units": {"treilhard": 1, "walther": 1}});
    let before = json!({"at": "designate french", "sides": {"french": {"leaders": {"mg_cav_f1": of}}}});
    let mut view = position::<Campaigns>("teaching.yaml", "french", before);
    let order = orders::bind(Campaigns::verbs(), &view, &orders::line(1, "ATTACK 0705 WITH MC1")).unwrap();
    let Order::Combat(order) = order else { panic!() };
    let plans = taken(&view, &order);
    view.own.plans.extend(plans);
    let found = odds(&view, hex("0705"), TWO);
    assert!(!found.is_empty() && found.iter().all(|odds| odds.line == 2 && odds.outlook.won > 0), "{found:?}");
}

/// What CHECK says of a line, and of what it warns.
type Said = Result<(Vec<String>, Vec<Caution>), Fault>;

fn sent(view: &View, lines: &[&str]) -> Vec<Said> {
    let mut plan = Plan::<Campaigns>::new(view.clone());
    let said = |line: &&str| {
        let found = plan.line(&orders::line(1, line))?;
        Ok((found.said, found.warnings.into_iter().map(|warning| warning.kind).collect()))
    };
    lines.iter().map(said).collect()
}

#[test]
fn over_a_primary_bridge_pitched_is_refused_and_a_condition_warned_of() {
    let view = at_the_bridge();
    let attack = "ATTACK 0705 WITH MC1";
    let all = sent(&view, &[attack, "BATTLE 0705 TYPE PITCHED ROUNDS 2 THEN PURSUIT"]);
    let Err(Fault::Refused { why, rule, copy }) = &all[1] else { panic!("{all:?}") };
    assert_eq!((rule.as_str(), copy.as_deref()), ("¶329", Some("BATTLE 0705 TYPE PURSUIT RESERVE NONE")));
    assert!(why.contains("bridge of a primary river"), "{why}");
    assert!(matches!(sent(&view, &["ATTACK 0705 WITH MC1 TYPE PITCHED"])[0], Err(Fault::Refused { .. })));
    let (_, warned) =
        sent(&view, &[attack, "BATTLE 0705 IF APPROX >= 30 TYPE PURSUIT ELSE TYPE PITCHED"])[1].clone().unwrap();
    assert_eq!(warned, [Caution::NoEffect]);
    let (_, calm) = sent(&view, &[attack, "BATTLE 0705 TYPE PURSUIT"])[1].clone().unwrap();
    assert_eq!(calm, []);
}

/// Many clauses are taken, and no battle is tried with them.
#[test]
fn of_too_many_plans_no_odds_are_given() {
    let view = at_the_bridge();
    let lines: Vec<String> = (0..50).map(|n| format!("BATTLE 0705 COMMIT NONE ROUND {}", n % 9 + 1)).collect();
    let lines: Vec<&str> = std::iter::once("ATTACK 0705 WITH MC1").chain(lines.iter().map(String::as_str)).collect();
    let all = sent(&view, &lines);
    let begins =
        |said: &Said, with: &str| said.as_ref().is_ok_and(|(said, _)| said.iter().any(|l| l.starts_with(with)));
    let given = all.iter().filter(|said| begins(said, "against ")).count();
    assert!((1..=40).contains(&given), "{given} {:?}", all.last());
    assert!(begins(all.last().unwrap(), "no odds"), "{:?}", all.last());
}

#[test]
fn no_reserve_is_held_back_that_opens_nothing_and_check_says_the_retreat() {
    let view = at_the_bridge();
    let found = reckoned(&view, "ATTACK 0705 WITH MC1", hex("0705"), 1).unwrap();
    assert_eq!((found.line, found.reserve.len(), found.marker), (4, 0, Some(Marker::Pursuit)));
    // What costs the attacker nothing but his ground costs the garrison its only SP: nobody holds the bridge then.
    let of = &found.outlook;
    assert!(of.won + of.lost == PLAYS && of.lost > 0 && of.defender == PLAYS, "{found:?}");
    // With half of it out of the line he is beaten more often.
    let half = reckoned(&view, "ATTACK 0705 WITH MC1 RESERVE Walther", hex("0705"), 1).unwrap();
    assert!(half.line == 2 && half.reserve.len() == 1 && half.outlook != found.outlook, "{half:?}");
    let said = sent(&view, &["ATTACK 0705 WITH MC1"])[0].clone().unwrap().0.join("\n");
    assert!(said.contains("4 SP in line, nothing in reserve; your marker Pursuit:"), "{said}");
}

/// In each play they leave, or you do, or both stay: the numbers that are said make up the hundred.
#[test]
fn the_ways_in_which_an_attack_may_end_are_a_hundred_together() {
    let said = sent(&at_the_bridge(), &["ATTACK 0705 WITH MC1"])[0].clone().unwrap().0.join("\n");
    let (_, odds) = said.split_once(" SP  they leave ").unwrap();
    let (odds, _) = odds.split_once(" of 100").unwrap();
    let numbers: Vec<u32> = odds.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    assert!(numbers[1] > 0 && numbers.iter().sum::<u32>() == 100, "{said}");
}

#[test]
fn a_named_type_takes_the_reserve_that_opens_it_and_is_warned_of_without() {
    let before = json!({"bare": true, "at": "designate french", "sides": {
        "french": {"leaders": {"lannes": {"hex": "0405", "units": {"suchet": 7, "grenadiers": 5, "treilhard": 2}}}},
        "coalition": {"leaders": {"bagration": {"hex": "0505", "units": {"bagr_inf": 5}}}}}});
    let view = position::<Campaigns>("teaching.yaml", "french", before);
    let to = hex("0505");
    let pitched = reckoned(&view, "ATTACK 0505 WITH Lannes TYPE PITCHED", to, 5).unwrap();
    assert_eq!(pitched.marker, Some(Marker::Pitched));
    assert!(!pitched.reserve.is_empty(), "{pitched:?}");
    let pursuit = reckoned(&view, "ATTACK 0505 WITH Lannes TYPE PURSUIT", to, 5).unwrap();
    assert_eq!((pursuit.marker, pursuit.reserve.len()), (Some(Marker::Pursuit), 0));
    let (_, warned) = sent(&view, &["ATTACK 0505 WITH Lannes TYPE PITCHED RESERVE NONE"])[0].clone().unwrap();
    assert_eq!(warned, [Caution::NoEffect]);
}

#[test]
fn of_an_attack_and_its_refusal_the_later_one_holds() {
    let view = at_the_bridge();
    let to = hex("0705");
    let after = |lines: &[&str]| {
        let mut plan = Plan::<Campaigns>::new(view.clone());
        lines.iter().for_each(|line| _ = plan.line(&orders::line(1, line)).unwrap());
        plan.now().own.plans.get(&to).cloned().unwrap_or_default()
    };
    let attack = ["ATTACK 0705", "WITH MC1"];
    assert_eq!(after(&["ATTACK 0705 WITH MC1", "DECLINE 0705"]), ["DECLINE"]);
    assert_eq!(after(&["DECLINE 0705", "ATTACK 0705 WITH MC1"]), attack);
    assert_eq!(after(&["ATTACK 0705 WITH MC1"]), attack);
    let read = |line: &str| tried::<Campaigns>(&view, line).unwrap().0;
    let (yes, no) = (read("ATTACK 0705 WITH MC1"), read("DECLINE 0705"));
    assert!(Campaigns::replaces(&view, &no, &yes) && Campaigns::replaces(&view, &yes, &no));
    assert!(!Campaigns::replaces(&view, &yes, &read("BATTLE 0705 TYPE PURSUIT")));
}

#[test]
fn a_lone_vedette_is_offered_no_attack_and_no_pitched_battle() {
    let before = json!({"bare": true, "at": "designate coalition", "sides": {
        "french": {"leaders": {"lannes": {"hex": "0505", "units": {"suchet": 7, "grenadiers": 5}}}},
        "coalition": {"vedettes": {"1": "0604"},
            "leaders": {"kutuzov": {"hex": "1005", "units": {"milo": 6}}}}}});
    let view = position::<Campaigns>("teaching.yaml", "coalition", before);
    let lines = Campaigns::offers(&view);
    assert!(lines.iter().all(|line| !line.starts_with("ATTACK") && !line.contains("PITCHED")), "{lines:?}");
    let refused = sent(&view, &["ATTACK 0505"])[0].clone();
    assert!(matches!(&refused, Err(Fault::Refused { rule, .. }) if rule == "¶311"), "{refused:?}");
}

#[test]
fn a_force_that_holds_does_no_work_on_a_bridge() {
    let view = position::<Campaigns>("teaching.yaml", "french", json!({"at": "own french"}));
    let refused = tried::<Campaigns>(&view, "FORCE Lannes HOLD BRIDGE DAMAGE 0605/0705").map(|_| ());
    assert!(matches!(&refused, Err(Fault::Refused { rule, .. }) if rule == "¶251"), "{refused:?}");
    assert!(tried::<Campaigns>(&view, "FORCE Lannes HOLD").is_ok());
}

#[test]
fn no_march_is_offered_that_goes_round_or_to_the_rear() {
    // The bridge of Auhof is before Lannes, the enemy behind it; his only way round leads to the south.
    let before = json!({"at": "own french", "sides": {
        "french": {"leaders": {"lannes": {"hex": "0505"}, "mg_cav_f1": {"hex": "0305"}}},
        "coalition": {"leaders": {"kutuzov": {"hex": "0705"}, "bagration": {"hex": "0704"}}}}});
    let view = position::<Campaigns>("teaching.yaml", "french", before);
    let far = |view: &View, hex: Hex| view.enemy.values().map(|c| c.hex.distance(hex)).min().unwrap();
    for line in Campaigns::offers(&view).iter().filter(|line| line.contains(" MARCH ")) {
        let (_, found) = tried::<Campaigns>(&view, line).unwrap();
        for (leader, from) in view.own.on_map() {
            let to = found.after.own.hex(leader).unwrap();
            assert!(far(&view, to) <= far(&view, from), "{line}");
        }
    }
}

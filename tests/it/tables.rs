//! The charts of 1805: the properties and worked examples of the tables' working paper, under its own names.

use crate::scenario::board;
use estafette::hex::{Dir, Hex};
use estafette::map::{Ground, River, Road, Settlement};
use estafette::rules::campaigns::board::{Arm, Halves};
use estafette::rules::campaigns::tables::{
    AttritionColumn, Conditions, Crossing, CrtResult, MarchAttrition, Provenance, Span, Tables, Weather,
};
use std::collections::{BTreeMap, BTreeSet};

fn tables() -> Tables {
    board("1805-moravia.yaml").tables
}

fn sp(n: i32) -> Halves {
    Halves::whole(n)
}

/// Attacker and defender of every integer ratio from 1-20 to 20-1, worst first.
fn ratios() -> Vec<(Halves, Halves)> {
    let below = (2..=20).rev().map(|n| (sp(1), sp(n)));
    below.chain((1..=20).map(|n| (sp(n), sp(1)))).collect()
}

/// Whether `b` is at least as good for the attacker as `a`: his number, the enemy's, and who loses.
fn as_good(a: CrtResult, b: CrtResult) -> bool {
    b.attacker <= a.attacker && b.defender >= a.defender && (a.attacker_loses || !b.attacker_loses)
}

#[test]
fn p_crt_1_and_9_every_ratio_resolves_and_steps_beyond_the_chart_change_the_die_by_one() {
    let crt = tables().combat;
    let all = ratios();
    for affecting in [false, true] {
        for (n, &(a, d)) in all.iter().enumerate() {
            let odds = crt.odds(a, d, 0, affecting);
            assert!(odds.column <= 10);
            let (left, right) = (15_i32 - i32::try_from(n).unwrap(), i32::try_from(n).unwrap() - 24);
            assert_eq!(odds.die, left.max(0) - right.max(0), "{}", odds.label);
            for die in -5..=12 {
                let result = crt.result(&odds, die);
                let row = (die + odds.die).clamp(0, 6);
                assert_eq!(result, crt.result(&crt.odds(a, d, 0, affecting), row - odds.die));
            }
        }
    }
}

#[test]
fn p_crt_2_to_4_the_loser_loses_more_and_better_odds_are_never_worse() {
    let crt = tables().combat;
    for affecting in [false, true] {
        let at = |die, (a, d): (Halves, Halves)| crt.crt(a, d, 0, affecting, die);
        for die in 0..=6 {
            for pair in ratios().windows(2) {
                let (here, right) = (at(die, pair[0]), at(die, pair[1]));
                assert!(here.loser() >= here.winner() && here.loser() >= 1);
                assert!(as_good(here, right), "die {die}");
                assert!(as_good(at(die + 1, pair[0]), here), "die {}", die + 1);
            }
        }
    }
}

#[test]
fn p_crt_5_affecting_terrain_is_one_column_left() {
    let crt = tables().combat;
    for (a, d) in ratios() {
        assert_eq!(crt.odds(a, d, 0, true).column + 1, crt.odds(a, d, 0, false).column);
    }
}

#[test]
fn p_crt_6_chances_to_win_on_a_natural_die() {
    let crt = tables().combat;
    let wins =
        |a, d, affecting| (1..=6).filter(|&die| !crt.crt(sp(a), sp(d), 0, affecting, die).attacker_loses).count();
    let clear = [(1, 4), (1, 3), (1, 2), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)];
    assert_eq!(clear.map(|(a, d)| wins(a, d, false)), [0, 1, 2, 3, 4, 5, 6, 6, 6]);
    assert_eq!(clear.map(|(a, d)| wins(a, d, true)), [0, 0, 1, 2, 3, 4, 5, 6, 6]);
}

#[test]
fn p_crt_7_and_we_36_six_to_one_can_destroy_more_than_six() {
    let result = tables().combat.crt(sp(36), sp(6), 0, false, 1);
    assert!(!result.attacker_loses && result.defender >= 7);
}

#[test]
fn p_crt_8_asterisks_stand_on_the_defender_and_never_turn_a_result() {
    let crt = tables().combat;
    for die in 0..=6 {
        for (a, d) in ratios() {
            let result = crt.crt(a, d, 0, false, die);
            assert!(result.asterisks == 0 || !result.attacker_loses);
            assert!(result.attacker_loses || result.defender - result.asterisks >= result.attacker.max(1));
        }
    }
    assert!((0..=6).any(|die| crt.crt(sp(6), sp(1), 0, false, die).asterisks > 0));
}

#[test]
fn we_32_fractions_favour_the_defender() {
    let crt = tables().combat;
    assert_eq!(crt.odds_label(sp(13), sp(5), 0), "2-1");
    assert_eq!(crt.odds_label(sp(5), sp(6), 0), "1-2");
    assert_eq!(crt.odds_label(Halves(5), Halves(4), 0), "1-1");
}

#[test]
fn we_20_24_29_columns_shift_along_the_ladder() {
    let crt = tables().combat;
    let four = crt.odds(sp(4), sp(1), 0, false);
    assert_eq!(crt.odds(sp(6), sp(1), -2, false), four, "WE-20: 6 to 1 after a failed repulse (¶243)");
    assert_eq!(crt.odds(sp(2), sp(1), 2, false), four, "WE-24: 2 to 1 against foragers (¶281)");
    assert_eq!(crt.odds(sp(2), Halves(1), 0, false), four, "WE-29: two SP against a lone vedette of one half (¶311)");
    assert_eq!(crt.odds_label(sp(8), sp(1), -2), "6-1");
    assert_eq!(crt.odds(sp(1), sp(5), -1, false).die, 1);
}

#[test]
fn no_strength_at_all_still_resolves() {
    let crt = tables().combat;
    assert_eq!(crt.odds(sp(0), sp(5), 0, false).column, 1);
    assert_eq!(crt.odds(sp(5), sp(0), 0, false).column, 10);
}

fn marches() -> impl Iterator<Item = Halves> {
    (0..=26).map(Halves)
}

#[test]
fn p_att_1_2_3_more_men_longer_marches_and_worse_dice_never_lose_less() {
    let t = tables().attrition;
    for size in 0..=60 {
        for march in marches() {
            for die in -4..=16 {
                let losses = AttritionColumn::ALL.map(|c| t.attrition(c, size, march, die));
                assert!(losses.is_sorted_by(|worse, better| worse >= better), "{size} SP, {march} MP, die {die}");
                assert!(losses.iter().all(|&n| (0..=size).contains(&n)));
                for column in AttritionColumn::ALL {
                    let loss = t.attrition(column, size, march, die);
                    assert!(loss <= t.attrition(column, size, march, die + 1));
                    assert!(loss <= t.attrition(column, size + 1, march, die));
                    assert!(loss <= t.attrition(column, size, march + Halves(1), die));
                }
            }
        }
    }
}

#[test]
fn p_att_4_who_stands_still_and_is_well_fed_loses_nothing() {
    let t = tables().attrition;
    for (size, die) in (0..=48).flat_map(|size| (1..=6).map(move |die| (size, die))) {
        assert_eq!(t.attrition(AttritionColumn::IV, size, sp(0), die), 0, "{size} SP, die {die}");
    }
}

#[test]
fn p_att_6_stocks_and_forage_tile_their_axes() {
    let t = tables().attrition;
    let by_ap: Vec<_> = (0..=20).map(|ap| t.column_by_ap(ap)).collect();
    let by_forage: Vec<_> = (0..=120).map(|tenths| t.column_by_forage(tenths)).collect();
    assert!(by_ap.is_sorted() && by_forage.is_sorted());
    assert_eq!([0, 1, 3, 4, 7, 8, 12, 13].map(|ap| t.column_by_ap(ap)), {
        use AttritionColumn::{I, II, III, IV, Zero};
        [Zero, I, I, II, II, III, III, IV]
    });
    assert_eq!(t.column_by_forage(29), AttritionColumn::Zero);
    assert_eq!(t.column_by_forage(89), AttritionColumn::III);
    assert_eq!(AttritionColumn::ALL.map(|c| t.label(c)), ["0 / No LOC", "3+", "5+", "7+", "9+"]);
}

#[test]
fn p_att_8_supply_matters_at_every_size() {
    fn sum(t: &MarchAttrition, column: AttritionColumn, size: i32) -> i32 {
        (1..=7)
            .flat_map(|mp| (1..=6).map(move |die| (mp, die)))
            .map(|(mp, die)| t.attrition(column, size, sp(mp), die))
            .sum()
    }
    let t = tables().attrition;
    for size in 6..=48 {
        let [zero, two, four] =
            [AttritionColumn::Zero, AttritionColumn::II, AttritionColumn::IV].map(|c| sum(&t, c, size));
        assert!(zero > two && two > four, "{size} SP: {zero}, {two}, {four}");
    }
}

#[test]
fn we_23_25_the_march_of_28_sp_in_mud() {
    let t = tables();
    let column = t.attrition.column_by_forage(100);
    assert_eq!(t.attrition.label(column), "9+");
    let die = 6 + t.attrition.weather(&Conditions::of(&[Weather::Mud]));
    assert_eq!((die, t.attrition.attrition(column, 28, Halves(7), die)), (7, 3));
    assert_eq!(t.attrition.label(t.attrition.column_by_forage(102)), "9+", "WE-23");
}

#[test]
fn attrition_modifiers_of_weather_and_hard_marches() {
    let t = tables().attrition;
    assert_eq!(t.weather(&Conditions::of(&[Weather::Rain, Weather::Mud])), 2);
    assert_eq!(t.weather(&Conditions::of(&[Weather::Snow, Weather::Fog])), 0);
    assert_eq!([1, 2, 3, 7, 9].map(|h| t.forced_march(Halves(h))), [1, 1, 2, 4, 4]);
    assert_eq!([1, 2, 4, 5].map(|mp| t.extended_march(sp(mp))), [1, 2, 4, 4]);
}

#[test]
fn p_icm_1_to_5_the_matrix_of_initiative() {
    let t = tables().initiative;
    for active in 1..=5 {
        assert_eq!(t.comparison(active, active), 0, "P-ICM-1");
        for passive in 1..=5 {
            assert!(t.comparison(active, passive) <= t.comparison(active, passive + 1), "P-ICM-2");
            assert!(t.comparison(active, passive) >= t.comparison(active + 1, passive), "P-ICM-3");
        }
    }
    assert_eq!(t.comparison(2, 3), 1, "P-ICM-4");
    assert!(t.comparison(4, 2) <= 0, "P-ICM-5");
    assert_eq!((t.comparison(0, 9), t.comparison(9, 0)), (t.comparison(1, 5), t.comparison(5, 1)));
}

#[test]
fn p_icm_6_leaving_a_zoc_is_never_easier_than_marching_free() {
    let t = tables().initiative;
    let weathers = [&[Weather::Fair][..], &[Weather::Rain], &[Weather::Snow], &[Weather::Rain, Weather::Snow]];
    for weather in weathers.map(Conditions::of) {
        for (active, passive) in (1..=5).flat_map(|a| (1..=5).map(move |p| (a, p))) {
            for cavalry in -3..=3 {
                let exit = t.exit(active, passive, &weather, cavalry);
                assert!(exit >= 0 && exit <= t.comparison(active, passive).max(0));
                assert!(
                    cavalry > 0 || exit == t.exit(active, passive, &weather, 0),
                    "enemy cavalry adds nothing (¶199)"
                );
            }
        }
    }
    let fair = Conditions::of(&[Weather::Fair]);
    assert_eq!(1 + t.exit(2, 3, &fair, 0), 2, "WE-14: die 1 becomes 2");
    assert_eq!(t.exit(4, 2, &fair, 3), 0, "WE-15");
    assert_eq!(t.exit(1, 5, &fair, 2), 1);
    assert_eq!(t.pursuit(4, 2, &Conditions::of(&[Weather::Snow])), t.comparison(4, 2) + 1);
}

#[test]
fn p_pur_1_to_7_the_table_of_pursuit() {
    let t = tables().pursuit;
    let mut longest = 0;
    for (initiative, retreat, die) in (1..=5).flat_map(|i| (1..=8).flat_map(move |r| (-3..=10).map(move |d| (i, r, d))))
    {
        let here = t.hexes(initiative, retreat, die);
        assert!(here >= t.hexes(initiative, retreat, die + 1), "P-PUR-1");
        assert!(here <= t.hexes(initiative + 1, retreat, die), "P-PUR-2");
        assert!(here <= t.hexes(initiative, retreat + 1, die), "P-PUR-3");
        assert!((0..=retreat + 2).contains(&here), "P-PUR-5, P-PUR-7");
        assert!(t.pursuit(initiative, retreat, die, 2) <= 2, "P-PUR-6");
        longest = longest.max(here);
    }
    assert!(longest >= 8, "P-PUR-4");
    assert_eq!((t.pursuit(5, 8, 1, 8), t.pursuit(5, 8, 1, 7)), (8, 7), "WE-34");
    assert_eq!(t.hexes(3, 0, -1), 0);
    assert_eq!(t.hexes(3, 12, 2), t.hexes(3, 8, 2));
}

#[test]
fn p_art_1_to_4_the_table_of_artillery_fire() {
    let t = tables().artillery;
    for guns in 1..=20 {
        for die in -4..=10 {
            assert!(t.fire(guns, die) <= t.fire(guns + 1, die), "P-ART-1");
            assert!(t.fire(guns, die) >= t.fire(guns, die + 1), "P-ART-2");
        }
        assert_eq!(t.fire(guns, 7), 0, "P-ART-4");
    }
    assert!((-4..=10).all(|die| t.fire(1, die) <= 1), "P-ART-3");
    assert_eq!(t.fire(0, -1), 0);
    assert_eq!(t.weather(&Conditions::of(&[Weather::Rain, Weather::Mud])), 3, "X-66");
    assert_eq!([29, 30, 39, 40].map(|sp| t.target(sp)), [0, -1, -1, -2]);
}

#[test]
fn p_cav_1_to_4_the_differential_of_cavalry() {
    let t = tables().cavalry;
    for (own, other) in (0..=12).flat_map(|a| (0..=12).map(move |b| (a, b))) {
        let here = t.modifier(own, other);
        assert!((-3..=3).contains(&here), "P-CAV-1");
        assert!(here <= t.modifier(own + 1, other), "P-CAV-2");
        assert_eq!(here, -t.modifier(other, own), "P-CAV-3");
    }
    let known = [(4, 2), (3, 0), (2, 0), (1, 0), (0, 0), (3, 2), (5, 4)];
    assert_eq!(known.map(|(a, b)| t.modifier(a, b)), [2, 3, 2, 1, 0, 1, 0], "P-CAV-4");
    assert_eq!(t.modifier(2, 4), -2, "WE-37");
}

#[test]
fn p_ap_1_to_5_the_pool_of_administrative_points() {
    let t = tables().ap;
    for length in -5..=40 {
        for dice in 2..=12 {
            let here = t.income(length, dice, false).unwrap();
            assert!(here >= 0, "P-AP-3");
            assert!(here <= t.income(length, dice + 1, false).unwrap(), "P-AP-1");
            assert!(t.income(length, dice, true).unwrap() <= here, "¶75: a worse source");
            assert!(length == 40 || t.income(length + 1, dice, false).unwrap() <= here, "P-AP-2");
        }
    }
    assert_eq!((t.reach(), t.income(40, 7, false), t.income(41, 7, false)), (40, Some(1), None), "P-AP-4");
    let throws = || (1..=6).flat_map(|a| (1..=6).map(move |b| a + b));
    let total = |length| throws().map(|dice| t.income(length, dice, false).unwrap()).sum::<i32>();
    assert!((3 * 36..=5 * 36).contains(&total(0)), "P-AP-5");
    assert!((36..=2 * 36).contains(&total(40)), "P-AP-5");
    assert_eq!(t.income(0, 7, true), t.income(6, 7, false), "one column worse");
    assert_eq!(t.commander_bonus(), 1);
}

#[test]
fn p_com_1_2_and_we_07_effective_length() {
    let t = tables().communications;
    assert_eq!(t.effective(50, 5), 25, "WE-07 (¶89)");
    assert!(t.in_reach(40) && !t.in_reach(41), "P-COM-2");
    assert_eq!((t.dispatch_mp, t.change_source_ap, t.disband_center_ap, t.disband_turns), (18, 1, 1, 3));
}

const GROUNDS: [Ground; 6] =
    [Ground::Clear, Ground::Woods, Ground::Hill, Ground::Mountain, Ground::Swamp, Ground::Lake];
const SETTLEMENTS: [Settlement; 9] = [
    Settlement::Village,
    Settlement::Town,
    Settlement::Center,
    Settlement::DepotTown,
    Settlement::PrimaryTown,
    Settlement::City,
    Settlement::Capital,
    Settlement::FortifiedTown,
    Settlement::Citadel,
];

#[test]
fn p_tec_1_forage_of_a_town_and_six_clear_hexes() {
    let t = tables().terrain;
    let town = t.forage_tenths(Ground::Clear, Some(Settlement::Town));
    let (clear, hill) = (t.forage_tenths(Ground::Clear, None), t.forage_tenths(Ground::Hill, None));
    assert_eq!((town + 6 * clear, town + 5 * clear + hill), (102, 100));
}

#[test]
fn p_tec_2_5_9_every_hex_of_the_chart() {
    let t = tables().terrain;
    let settlements = || std::iter::once(None).chain(SETTLEMENTS.into_iter().map(Some));
    for (ground, settlement) in GROUNDS.into_iter().flat_map(|g| settlements().map(move |s| (g, s))) {
        let (foot, mounted) = (t.hex_mp(ground, settlement, false), t.hex_mp(ground, settlement, true));
        assert_eq!(foot.is_none(), ground == Ground::Lake);
        assert!(mounted >= foot, "P-TEC-2: {ground:?} {settlement:?}");
        assert!(t.forage_tenths(ground, settlement) >= 0, "P-TEC-5");
        let fort = settlement.is_some_and(Settlement::fortified);
        let depot = settlement.is_some_and(Settlement::depot);
        assert!(!fort || t.hex_affecting(ground, settlement) && depot, "P-TEC-9");
        let walls = [Settlement::Capital, Settlement::FortifiedTown, Settlement::Citadel];
        assert_eq!(fort, settlement.is_some_and(|kind| walls.contains(&kind)), "¶216");
    }
    assert_eq!(t.hex_mp(Ground::Mountain, Some(Settlement::Village), false), Some(sp(3)), "¶11: the dearer");
}

#[test]
fn p_tec_3_and_we_17_ten_hexes_of_primary_road_cost_five_mp() {
    let t = tables().terrain;
    assert_eq!((0..10).map(|_| t.road_mp(Road::Primary)).sum::<Halves>(), sp(5));
    assert_eq!(t.road_mp(Road::Secondary), sp(1));
}

#[test]
fn p_tec_6_and_we_26_the_grid_of_the_house() {
    let hex = |id| Hex::parse(id).unwrap();
    let (a, b) = (hex("2417").dir_to(hex("2318")), hex("2417").dir_to(hex("2517")));
    assert_eq!(a.map(Dir::opposite), b);
    assert!(b.is_some() && hex("1009").adjacent(hex("0909")) && hex("1009").adjacent(hex("0910")));
}

#[test]
fn p_tec_7_8_leaving_a_zoc_and_towns() {
    let t = tables().terrain;
    assert_eq!([9, 3, 2, 1, 0].map(|n| t.zoc_exit(n)), [2, 2, 1, 0, 0].map(sp));
    // ¶355: neither villages nor towns nor Centers.
    let affecting = [false, false, false, true, true, true, true, true, true];
    assert_eq!(SETTLEMENTS.map(|s| t.hex_affecting(Ground::Clear, Some(s))), affecting);
    assert_eq!(GROUNDS.map(|g| t.hex_affecting(g, None)), [false, false, true, true, false, false]);
    let clear = |s| t.cavalry_clear(Ground::Clear, s);
    assert!(clear(None) && clear(Some(Settlement::Village)) && !clear(Some(Settlement::Town)), "¶199");
}

#[test]
fn crossings_cost_what_214_says() {
    let t = tables().terrain;
    let of = |river, bridge, frozen| Crossing::of(river, bridge, frozen);
    assert_eq!(t.crossing_mp(of(Some(River::Primary), false, false), true), None);
    assert_eq!(t.crossing_mp(of(Some(River::Primary), false, true), true), Some(sp(1)), "frozen (¶209)");
    assert_eq!(t.crossing_mp(Crossing::PrimaryBridge, true), Some(sp(0)));
    assert_eq!(t.crossing_mp(Crossing::PrimaryBridge, false), Some(sp(1)));
    assert_eq!(t.crossing_mp(Crossing::SecondaryRiver, false), Some(sp(1)));
    assert!(!t.crossing_affecting(Crossing::None) && t.crossing_affecting(Crossing::SecondaryBridge));
}

#[test]
fn we_16_19_33_strengths_in_terrain() {
    let t = tables().terrain;
    assert_eq!(sp(5) + t.old_guard_bonus(), sp(7), "WE-16");
    assert_eq!(t.combat.mountain_attack_sp, 9, "WE-19");
    assert_eq!([3, 15, 20].map(|n| t.in_fortification(sp(n))), [6, 30, 35].map(sp), "WE-33 with the cap of 1805");
    assert_eq!(t.into_woods(Arm::Infantry, sp(4)), sp(3));
    assert_eq!(t.into_woods(Arm::Infantry, sp(5)), Halves(8), "3.75 to the nearest half");
    assert_eq!(t.into_woods(Arm::Cavalry, sp(3)), Halves(3));
    assert_eq!([1, 4, 5].map(|n| t.in_swamp(sp(n))), [1, 2, 3].map(sp), "¶359: fractions up");
    assert_eq!((t.to_forage(), t.to_concentrated()), (Halves(1), sp(3)), "¶278");
    assert_eq!((t.allowances.vedette, t.allowances.center, t.allowances.bridge_train), (9, 5, 5));
}

#[test]
fn p_brg_1_2_3_bridge_work() {
    let t = tables().bridging;
    let (p, s) = (Span::Primary, Span::Secondary);
    assert!(t.damage(p) > t.damage(s) && t.repair(p, false) > t.repair(s, false), "P-BRG-1");
    assert_eq!((t.repair(p, true), t.repair(s, true)), (5, 2), "P-BRG-2");
    let all = [t.damage(p), t.repair(p, true), t.pontoon.deploy, t.pontoon.remove, t.pontoon.capture, t.train.pick_up];
    assert!(all.iter().all(|&mp| mp <= 5), "P-BRG-3");
    assert_eq!((t.pontoon.deploy, t.pontoon.remove, t.pontoon.capture, t.train.pick_up), (3, 2, 2, 2), "¶258-260");
    assert!(!t.all_cavalry_may(p) && t.all_cavalry_may(s));
}

#[test]
fn p_wea_1_to_5_the_weather_of_1805() {
    let t = tables().weather;
    let legal =
        BTreeSet::from([Weather::Frost, Weather::Snow, Weather::Mud, Weather::Rain, Weather::Fair, Weather::Fog]);
    let lasts = ["Fair", "Frost", "Snow", "Rain", "Mud", "Rain+Fog", "Rain+Mud"].map(|w| Conditions::parse(w).unwrap());
    let mut seen = BTreeSet::new();
    for last in &lasts {
        for die in 1..=6 {
            let now = t.roll("", last, die);
            assert!(now.states().count() > 0 && now.states().all(|s| legal.contains(&s)), "P-WEA-1");
            let carried = [Weather::Snow, Weather::Mud, Weather::Rain].iter().any(|&w| now.has(w));
            let alone = now.has(Weather::Frost) || now.has(Weather::Fair);
            assert!(!now.has(Weather::Fog) || carried && !alone, "P-WEA-5");
            seen.extend(now.states());
        }
    }
    assert_eq!(seen, legal, "P-WEA-2");
    let (mud, rain) = (Conditions::of(&[Weather::Mud]), Conditions::of(&[Weather::Rain]));
    assert_eq!(t.roll("", &mud, 4), Conditions::of(&[Weather::Rain, Weather::Mud]), "P-WEA-4 (¶70)");
    assert_eq!(t.roll("", &rain, 4), rain);
    assert_eq!(t.roll("", &Conditions::of(&[Weather::Fair]), 6).to_string(), "Rain+Fog");
}

#[test]
fn p_trk_1_2_the_calendar_of_1805() {
    let moravia = board("1805-moravia.yaml");
    assert_eq!(moravia.calendar[&1], "15-16 Nov 1805");
    assert_eq!(moravia.calendar[&9], "1-2 Dec 1805");
    assert_eq!(moravia.calendar.len(), 10);
}

#[test]
fn p_trk_4_a_marker_stays_at_the_end_of_its_track() {
    let t = tables().morale;
    assert_eq!((t.moved(4, 1), t.moved(-4, -3), t.moved(0, -2)), (4, -4, -2));
    assert_eq!((t.limit(), t.start, t.critical_over, t.major_span), (4, 0, 7, 6));
}

#[test]
fn citadels_grow_hungrier_on_the_first_of_december() {
    let moravia = board("1805-moravia.yaml");
    let citadels = &moravia.tables.citadels;
    assert_eq!([1, 8, 9, 10].map(|turn| citadels.attrition(&moravia.calendar, turn)), [3, 3, 4, 4], "¶289");
    assert_eq!((1..=10).filter(|&turn| citadels.rises_on(&moravia.calendar, turn)).collect::<Vec<_>>(), [9]);
    assert_eq!((citadels.start_at(Hex::new(1, 1)), citadels.surrender_at_or_below), (3, 7), "¶413");
    assert_eq!(citadels.attrition(&BTreeMap::new(), 9), 3);
}

#[test]
fn every_table_says_that_it_is_of_the_house_and_where_it_comes_from() {
    let sources = tables().sources;
    assert_eq!(sources.len(), 13);
    for (name, source) in sources {
        assert_eq!(source.provenance, Provenance::House, "{name}");
        assert!(source.source.contains('¶'), "{name} must cite the rules");
    }
}

#[test]
fn conditions_are_written_as_they_are_read() {
    for text in ["Fair", "Rain+Fog", "Snow+Frost"] {
        let read = Conditions::parse(text).unwrap();
        assert_eq!(read.to_string(), text);
        let json = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<Conditions>(&json).unwrap(), read);
    }
    assert_eq!(Conditions::parse("rain + FOG").unwrap().to_string(), "Rain+Fog");
    assert!(Conditions::parse("Hail").is_none() && Conditions::parse("").is_none());
}

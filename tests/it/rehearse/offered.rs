//! Lines that mails offer: each is taken, none leads into trouble, and a march is worth making.

use super::driver::{Table, files, tried};
use super::warned::position;
use estafette::fog::{Fogged, SideId, Viewer, see};
use estafette::hex::Hex;
use estafette::host::paper::{Format, Page, Paper};
use estafette::orders;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::march::ways;
use estafette::rules::campaigns::pieces::Piece;
use estafette::rules::rehearsal::{Caution, Plan};
use serde_json::json;

type View = <Campaigns as Fogged>::View;

/// Plays a game by its own players, and looks at what is offered at each sheet.
fn offers<R: Paper>(files: &[(String, String)], seed: u8, sheets: u32, mut look: impl FnMut(&R::View, &str)) {
    let mut table = Table::<R>::open(files, seed);
    for sheet in 0..sheets {
        table.answer(|ask| ask.default.clone());
        let Some((seat, _)) = table.sheet() else { break };
        let view = table.view(&seat.0);
        for line in R::offers(&view).iter().filter(|line| *line != "END") {
            look(&view, line);
        }
        table.by_bot(u64::from(seed) * 1000 + u64::from(sheet));
    }
    assert_eq!(table.broken, None);
}

/// Warnings that nobody should be led into by a line that he is offered.
const TROUBLE: [Caution; 8] = [
    Caution::MustAttack,
    Caution::Stack,
    Caution::Detour,
    Caution::Command,
    Caution::NoEffect,
    Caution::Enemy,
    Caution::Objective,
    Caution::Doubtful,
];

/// Whether a march brings a piece nearer, by the ways that it can go, to a place that scores and is not held or to an
/// enemy, or to a friend whom it joins.
fn worth(before: &View, after: &View) -> bool {
    let side = before.side_id();
    let mut goals: Vec<Hex> = before.board.objectives.iter().map(|o| o.hex).collect();
    goals.retain(|hex| before.control.get(hex) != Some(&side));
    goals.extend(before.enemy.values().map(|counter| counter.hex));
    goals.extend(before.enemy_centers.iter().flatten());
    let sit = before.situation();
    let nearer = |from: Hex, to: Hex, goals: &[Hex]| {
        let (there, here) =
            (ways::reach(&sit, from, true, None, |_| true), ways::reach(&sit, to, true, None, |_| true));
        goals.iter().any(|goal| match (there.spent(*goal), here.spent(*goal)) {
            (Some(was), Some(is)) => is < was,
            _ => false,
        })
    };
    let marched = before.own.on_map().any(|(leader, from)| {
        let Some(to) = after.own.hex(leader).filter(|to| *to != from) else { return false };
        let friends: Vec<Hex> = before.own.on_map().filter(|(l, _)| *l != leader).map(|(_, hex)| hex).collect();
        nearer(from, to, &goals) || friends.contains(&to) || nearer(from, to, &friends)
    });
    let vedettes = before.own.vedettes.keys().any(|n| {
        let at = |v: &View| v.own.piece_hex(&Piece::Vedette(*n));
        at(before).zip(at(after)).is_some_and(|(from, to)| from != to && nearer(from, to, &goals))
    });
    marched || vedettes
}

#[test]
fn offered_marches_are_sound_and_worth_making() {
    let (mut lines, mut marches, mut worthy) = (0, 0, 0);
    let mut bad: Vec<String> = Vec::new();
    let mut look = |view: &View, line: &str| {
        lines += 1;
        let (order, found) = match tried::<Campaigns>(view, line) {
            Ok(found) => found,
            Err(fault) => return bad.push(format!("{line}: {fault}")),
        };
        let old = <Campaigns as estafette::rules::Ruleset>::warnings(view, view, &[]);
        let left = <Campaigns as estafette::rules::Ruleset>::warnings(view, &found.after, &[order]);
        let new = left.into_iter().filter(|warning| !old.contains(warning));
        let trouble = found.warnings.iter().cloned().chain(new).find(|warning| TROUBLE.contains(&warning.kind));
        bad.extend(trouble.map(|warning| format!("{line}: {}", warning.text)));
        if line.contains(" MARCH ") {
            marches += 1;
            let good = worth(view, &found.after);
            worthy += u32::from(good);
            if !good {
                println!("  idle: {line}");
            }
        }
    };
    for seed in 1..=6 {
        offers::<Campaigns>(&files("campaigns", "teaching.yaml"), seed, 40, &mut look);
    }
    offers::<Campaigns>(&files("campaigns", "1805-moravia.yaml"), 7, 16, &mut look);
    println!("{lines} lines offered, {marches} marches, {worthy} worth making");
    assert_eq!(bad, Vec::<String>::new());
    assert!(marches > 60 && worthy * 10 >= marches * 9, "{worthy} of {marches}");
}

#[test]
fn every_line_that_austerlitz_offers_is_taken_when_sent() {
    let (mut lines, mut bad) = (0, Vec::new());
    for seed in 1..=3 {
        offers::<Austerlitz>(&files("austerlitz1805", "teaching.yaml"), seed, 16, |view, line| {
            lines += 1;
            match tried::<Austerlitz>(view, line) {
                Ok((_, found)) => {
                    let trouble = found.warnings.iter().find(|warning| TROUBLE.contains(&warning.kind));
                    bad.extend(trouble.map(|warning| format!("{line}: {}", warning.text)));
                }
                Err(fault) => bad.push(format!("{line}: {fault}")),
            }
        });
    }
    // And in play: the first sheet of each game, line by line.
    for seed in 1..=3 {
        let table = Table::<Austerlitz>::open(&files("austerlitz1805", "teaching.yaml"), seed);
        let (seat, address) = table.sheet().unwrap();
        for line in Austerlitz::offers(&table.view(&seat.0)) {
            let mut table = Table::<Austerlitz>::open(&files("austerlitz1805", "teaching.yaml"), seed);
            let outcome = table.line(&address, &line).unwrap();
            if outcome.word() == "REFUSED" || outcome.word() == "UNCLEAR" {
                bad.push(format!("{line}: {outcome:?}"));
            }
        }
    }
    println!("{lines} lines offered");
    assert_eq!(bad, Vec::<String>::new());
    assert!(lines > 30, "{lines}");
}

/// What a seat may not know changes no word of a rehearsal, and no line that it is offered.
fn scrambled<R: Paper>(files: &[(String, String)], seed: u8, sheets: u32) -> u32 {
    let mut table = Table::<R>::open(files, seed);
    let mut compared = 0;
    for sheet in 0..sheets {
        table.answer(|ask| ask.default.clone());
        let Some((seat, _)) = table.sheet() else { break };
        let side = SideId(seat.0.clone());
        let noise = u64::from(seed) * 7919 + u64::from(sheet);
        let other = R::scramble(&table.base.state, &table.base.minds, &side, noise);
        let mind = table.base.minds.iter().find(|(s, _)| *s == side).map(|(_, mind)| mind.clone()).unwrap_or_default();
        let twin = see::<R>(&other, &mind, Viewer::Side(side)).into_parts().1;
        let view = table.view(&seat.0);
        assert_eq!(R::offers(&view), R::offers(&twin));
        let lines: Vec<String> = R::offers(&view).into_iter().chain(R::bot(&view, &[], noise)).collect();
        let said = |view: &R::View| {
            let mut plan = Plan::<R>::new(view.clone());
            let lines: Vec<_> =
                lines.iter().map(|line| plan.line(&orders::line(1, line)).map(|r| (r.said, r.warnings))).collect();
            format!("{lines:?} {:?}", plan.warnings())
        };
        assert_eq!(said(&view), said(&twin));
        compared += 1;
        table.by_bot(noise);
    }
    compared
}

#[test]
fn a_rehearsal_says_the_same_whatever_the_enemy_hides() {
    let mut compared = 0;
    for seed in 1..=4 {
        compared += scrambled::<Campaigns>(&files("campaigns", "teaching.yaml"), seed, 24);
        compared += scrambled::<Austerlitz>(&files("austerlitz1805", "teaching.yaml"), seed, 8);
    }
    compared += scrambled::<Austerlitz>(&files("austerlitz1805", "fog-teaching.yaml"), 5, 12);
    println!("{compared} sheets compared");
    assert!(compared > 80, "{compared}");
}

/// ¶236, 238 Lannes at 1105, an enemy on his road at 0305, and another who may stand behind him: leaving his zone costs
/// what CHECK says, and the line to copy ends where the march does. The source behind has a garrison of 1 SP: that is free.
#[test]
fn a_strip_counts_what_leaving_an_enemy_zone_costs() {
    let format = Format { narrow: false, ascii: false, both: false, plates: false, sheet: false, full: false };
    let strip = |behind: &str| {
        let before = json!({"bare": true, "at": "own french", "sides": {
            "french": {"leaders": {"lannes": {"hex": "1105", "units": {"suchet": 7}}}},
            "coalition": {"leaders": {
                "bagration": {"hex": "0305", "units": {"bagr_inf": 5}}, "kutuzov": {"hex": behind, "units": {"milo": 6}}}}}});
        let view = position::<Campaigns>("teaching.yaml", "french", before);
        let page = Page { view: &view, before: None, told: &[], format, whole: true, sees: &[] };
        let drawn = Campaigns::sections(&page).maps.into_iter().find(|map| map.title.starts_with("march")).unwrap();
        let checked = tried::<Campaigns>(&view, "FORCE LAN INITIATIVE MARCH ROAD TO 0505").unwrap().1.said[0].clone();
        (drawn.lines, checked)
    };
    let (held, checked) = strip("1205");
    let expected = [
        "  1105 0 z | 1005 2.5 Neudorf | 0905 3 b | 0805 3.5 | 0705 4 Steinbrück",
        "  0605 4.5 b | 0505 5 <5> Auhof | 0405 5.5 z | 0305 6 E1",
        "  1105 0 z | 1205 2.5 E2 <5> Ostheim",
        "  FORCE LAN INITIATIVE MARCH ROAD TO 0505",
    ];
    assert_eq!(held, expected);
    assert!(checked.starts_with("0505, 5 of 5 MP"), "{checked}");
    let (free, checked) = strip("1209");
    assert!(free[0].starts_with("  1105 0 z | 1005 0.5 Neudorf"), "{free:?}");
    assert!(checked.starts_with("0505, 3 of 5 MP"), "{checked}");
}

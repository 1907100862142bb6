//! The mails of `brave_fellows`: how many a seat gets, how wide they are, that what they offer is taken, and that the field
//! can be read back from its drawing.

mod after;
mod amended;
mod battles;
mod foretold;
mod lodged;
mod meant;
mod offered;
mod scrambled;
mod worded;

use super::troupe::{self, HOUSE};
use estafette::demo::Mail;
use estafette::fog::{SeatId, Viewer, see};
use estafette::games::{self, GAMES};
use estafette::gateway::game_of;
use estafette::hex::{Dir, Hex};
use estafette::host::paper::{Format, Paper};
use estafette::host::{Game, Input};
use estafette::orders;
use estafette::orders::mend::{Meaning, Mended};
use estafette::report::field::{self, Chart, Mark, Window};
use estafette::rules::Ruleset;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::brave_fellows::board::{Arm, Board};
use estafette::rules::brave_fellows::view::View;
use estafette::rules::cx::Base;
use estafette::store::{GameState, Tempo};
use estafette::text::width;
use estafette::{scenario, simulate};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

fn files(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/brave_fellows").join(name);
    scenario::files(&path).unwrap()
}

/// Plays a game between the program's own players and looks at each mail: the game, who wrote, and what came of it.
fn play(name: &str, number: u64, form: Format, mut watch: impl FnMut(&dyn Game, &Input, &estafette::host::Batch)) {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut game = simulate::open(entry, &files(name), number).unwrap();
    game.seats().iter().for_each(|(seat, _)| game.form(seat, form));
    let mut input = Input::Begin;
    for mail in 1..5_000 {
        let batch = game.take(input.clone()).unwrap_or_else(|broken| panic!("{}", broken.why));
        watch(game.as_ref(), &input, &batch);
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return };
        input = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
    }
    panic!("it does not end");
}

fn writer(input: &Input) -> Option<SeatId> {
    match input {
        Input::Orders { seat, .. } | Input::Sheet { seat, .. } => Some(seat.clone()),
        _ => None,
    }
}

#[test]
fn who_only_looks_on_gets_no_letter_for_each_impulse_of_the_other_side() {
    let (mut unasked, mut impulses) = (BTreeMap::<(u64, String, u32), u32>::new(), BTreeMap::new());
    let names = ["teaching.yaml", "durenstein.yaml", "teaching-fog.yaml", "durenstein-fog.yaml"];
    for (number, name) in (1..=8).zip(names.into_iter().cycle()) {
        let mut open = String::new();
        play(name, number, Format::default(), |game, input, batch| {
            let stage = game.stage().map(|stage| stage.key).unwrap_or_default();
            for due in batch.dues.iter().filter(|due| due.prompt.is_none() && stage.contains("/impulse/")) {
                if stage != open {
                    *impulses.entry((number, due.seat.0.clone(), game.slot())).or_insert(0) += 1;
                    open.clone_from(&stage);
                }
            }
            for letter in batch.letters.iter().filter(|l| Some(&l.seat) != writer(input).as_ref()) {
                *unasked.entry((number, letter.seat.0.clone(), letter.turn)).or_insert(0) += 1;
            }
        });
    }
    assert!(impulses.len() > 60, "{} turns", impulses.len());
    for (of, letters) in &unasked {
        let own = impulses.get(of).copied().unwrap_or(0);
        assert!(*letters <= own + 2, "{of:?}: {letters} letters for {own} impulses");
    }
}

#[test]
fn letters_keep_to_their_page_and_what_they_offer_is_taken() {
    for narrow in [false, true] {
        let (mut maps, mut offers) = (0, 0);
        let form = Format { narrow, ..Format::default() };
        let limit = if narrow { 40 } else { 76 };
        play("teaching.yaml", 3, form, |game, _, batch| {
            for letter in batch.letters.iter().filter(|_| !batch.over) {
                let (seat, page) = (&letter.seat, letter.sections.body());
                let drawn = page.maps.iter().flat_map(|map| &map.lines);
                for line in page.forces.iter().chain(&page.enemy).chain(drawn) {
                    assert!(width(line) <= limit && line.trim_end() == line, "{line:?}");
                }
                maps += page.maps.len();
                // Leaders to choose from, and what the first of them may do.
                let (calls, rest): (Vec<String>, Vec<String>) =
                    page.offers.iter().cloned().partition(|line| line.starts_with("ACTIVATE "));
                let lines: Vec<(u32, String)> = (1..).zip(calls.iter().take(1).cloned().chain(rest)).collect();
                for lines in std::iter::once(lines.clone()).chain(calls.into_iter().map(|line| vec![(1, line)])) {
                    let said = format!("{:?}", game.check(seat, &lines).into_parts().1);
                    assert!(!said.contains("Refused") && !said.contains("Unclear"), "{lines:?}: {said}");
                }
                offers += lines.len();
            }
        });
        assert!((maps > 5) != narrow && offers > 30, "{maps} maps, {offers} offers");
    }
}

fn by_mail(name: &str, format: &str) -> Vec<Mail> {
    let told = troupe::played(("brave_fellows", name, files(name)), ("fellows-1", Tempo::Live), 2_000, format);
    assert_eq!(game_of(&told.office.store, "fellows-1").unwrap().state, GameState::Over);
    told.mails
}

#[test]
fn games_of_two_and_of_one_are_played_to_their_end_by_mail_on_both_widths() {
    // Who plays against the house hears all that it did since his last impulse in one mail.
    let games = [("teaching.yaml", "76", 76, (95, 130)), ("teaching-as-french.yaml", "40", 40, (95, 140))];
    for (name, format, limit, (median, most)) in games {
        let mails = by_mail(name, format);
        let stage = |m: &&Mail| m.from == HOUSE && m.text.contains("CHANGED SINCE YOUR LAST REPORT");
        let reports: Vec<&Mail> = mails.iter().filter(stage).collect();
        assert!(reports.len() > 8, "{} reports", reports.len());
        for mail in &reports {
            for line in mail.text.lines() {
                assert!(width(line) <= limit, "{}: {line}", mail.subject);
            }
        }
        let mut lengths: Vec<usize> = reports.iter().map(|m| m.text.lines().count()).collect();
        lengths.sort_unstable();
        println!("{name} {format}: {} mails, lines {:?}", mails.len(), lengths);
        let longest = reports.iter().max_by_key(|m| m.text.lines().count()).map(|m| m.text.as_str());
        let fits = lengths[lengths.len() / 2] <= median && lengths[lengths.len() - 1] <= most;
        assert!(fits, "{lengths:?}\n{}", longest.unwrap_or_default());
        let opening = mails.iter().find(|m| m.text.contains("TO BEGIN, answer this mail")).unwrap();
        assert!(opening.text.contains("HOW YOU WIN") && opening.text.contains("THE SITUATION"), "{}", opening.text);
    }
}

#[test]
fn rules_answers_for_every_row_of_the_index() {
    let index = include_str!("../rules/brave_fellows.tsv");
    let mut rows = 0;
    for row in index.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let (section, statement) = (cells[1], cells[3]);
        let asked = section.split([' ', ',']).next().unwrap();
        let said = <BraveFellows as Paper>::rule(asked);
        assert!(said.iter().any(|line| line == statement), "{section}: {said:?}");
        rows += 1;
    }
    assert_eq!(rows, 376);
    let of = |asked: &str| <BraveFellows as Paper>::rule(asked);
    assert!(of("6.2.11b").len() < of("6.2.11").len() && !of("6.2.11b").is_empty());
}

fn base(before: serde_json::Value) -> Base<BraveFellows> {
    BraveFellows::arrange(&files("durenstein.yaml"), before).unwrap()
}

#[test]
fn a_position_names_only_what_its_scenario_has() {
    for (before, why) in [
        (json!({"leaders": {"Nobody": "1010"}}), "there is no leader Nobody"),
        (json!({"units": {"NO-1": {"at": "1010"}}}), "NO-1"),
    ] {
        let said = BraveFellows::arrange(&files("durenstein.yaml"), before).err().unwrap_or_default();
        assert!(said.contains(why), "{said}");
    }
}

fn view(base: &Base<BraveFellows>, side: &str) -> View {
    see::<BraveFellows>(&base.state, &Default::default(), Viewer::Side(side.into())).into_parts().1
}

/// What is said of a line that is not taken.
fn mended(v: &View, text: &str) -> Mended {
    let line = orders::line(1, text);
    let order = orders::bind(BraveFellows::verbs(), v, &line);
    let fault = order.and_then(|order| BraveFellows::rehearse(v, &order).map(|_| ())).unwrap_err();
    match BraveFellows::meant(v, &line, &fault) {
        Meaning::Attempt(mended) => mended,
        other => panic!("{text}: {other:?}"),
    }
}

/// The enemy's leaders that a side sees on the map.
fn leaders_seen(sight: &str, mut before: serde_json::Value, side: &str) -> Vec<String> {
    before["sight"] = json!(sight);
    let v = view(&base(before), side);
    let enemy = |name: &&String| v.state.chief(name).is_some_and(|chief| chief.side.0 != side);
    v.state.leaders.iter().filter(|(name, l)| l.hex.is_some() && enemy(name)).map(|(name, _)| name.clone()).collect()
}

#[test]
fn leaders_are_hidden_before_the_first_turn_and_far_counters_do_not_name_theirs() {
    assert_eq!(leaders_seen("fog", json!({"at": "setup/french", "setup": true}), "french"), [""; 0]);
    let stands = |hex: &str| {
        json!({
            "at": "french", "turn": 2, "clear": true,
            "units": {"4L-1": {"at": "1012", "face": "N"}, "APS-1": {"at": hex, "face": "S"}}, "leaders": {"Miloradovich": hex},
        })
    };
    for (sight, hex, seen) in [
        ("fog", "1007", vec!["Miloradovich"]),
        ("fog", "1005", vec![]),
        ("masked", "1007", vec![]),
        ("masked", "1009", vec!["Miloradovich"]),
    ] {
        assert_eq!(leaders_seen(sight, stands(hex), "french"), seen, "{sight} {hex}");
    }
}

#[test]
fn the_field_is_read_back_from_500_drawings() {
    let board = base(json!({})).state.board.clone();
    let mut noise = 7_u64;
    let mut next = |n: u64| {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (noise >> 33) % n
    };
    let glyph = |ground: &str| match ground {
        "vineyard" => Some('v'),
        "out_of_play" => None,
        "river" => Some('~'),
        _ => Some(' '),
    };
    for _ in 0..500 {
        let mut marks = BTreeMap::new();
        for hex in board.field.cells.keys() {
            if next(4) == 0 {
                let token: String = (0..=next(3)).map(|_| char::from(b'A' + u8::try_from(next(26)).unwrap())).collect();
                let facing = Dir::ALL[usize::try_from(next(6)).unwrap()].name().to_owned();
                let state = [' ', '2', '3', 'f', 'r'][usize::try_from(next(5)).unwrap()];
                marks.insert(*hex, Mark { token, state, facing, leader: next(3) == 0 });
            }
        }
        let chart = Chart { field: &board.field, glyph, edges: BTreeMap::new(), marks };
        let middle = Hex::new(i16::try_from(1 + next(34)).unwrap(), i16::try_from(1 + next(20)).unwrap());
        let page = [76, 40][usize::try_from(next(2)).unwrap()];
        let window = Window::round(&board.field, middle, i16::try_from(3 + next(6)).unwrap(), page);
        let lines: Vec<Vec<char>> = field::close(&chart, window).iter().map(|line| line.chars().collect()).collect();
        assert!(lines.iter().all(|line| line.len() <= page), "{page}");
        let read = |line: usize, at: usize, many: usize| -> String {
            (at..at + many).map(|at| lines.get(line).and_then(|l| l.get(at)).copied().unwrap_or(' ')).collect()
        };
        for hex in window.hexes() {
            let Some(ground) = board.field.ground(hex).and_then(glyph) else { continue };
            let (line, at) = window.corner(hex);
            let mark = chart.marks.get(&hex).cloned().unwrap_or(Mark { state: ' ', ..Mark::default() });
            assert_eq!(read(line, at, 4), format!("{:3}{}", mark.token, mark.state), "{hex}");
            assert_eq!(read(line + 1, at, 5), format!("{hex}{}", if mark.leader { '*' } else { ' ' }), "{hex}");
            let level = match board.field.level(hex) {
                0 => ' ',
                level => char::from_digit(u32::try_from(level).unwrap(), 10).unwrap(),
            };
            assert_eq!(read(line + 2, at, 4), format!("{ground}{level}{:2}", mark.facing), "{hex}");
            let east = window.first.col + window.columns - 1 > hex.col;
            for (dir, down, right, sign) in [(Dir::NE, 0, 4, "/"), (Dir::SE, 2, 4, "\\"), (Dir::S, 3, 1, "|")] {
                if east || dir == Dir::S {
                    let road = board.field.joined(hex, hex.neighbour(dir));
                    assert_eq!(read(line + down, at + right, 1) == sign, road, "{hex} {dir:?}");
                }
            }
        }
    }
}

/// A position in which the French act: two battalions next to an enemy, horse, guns.
fn fight() -> Base<BraveFellows> {
    base(json!({
        "at": "french", "segment": "movement", "clear": true, "free": ["gazan", "line"],
        "units": {
            "4L-1": {"at": "1010", "face": "N", "active": true}, "4L-2": {"at": "1010", "face": "N", "active": true},
            "DR-1": {"at": "0614", "face": "N", "active": true}, "APS-1": {"at": "1009", "face": "S"},
            "SMO-1": {"at": "0610", "face": "S"}, "100-1": {"at": "1216", "face": "N"},
        },
        "leaders": {"Gaindorge": "1010"}, "turned": ["Gaindorge"],
    }))
}

#[test]
fn a_line_with_a_slip_is_answered_by_one_that_is_taken() {
    let v = view(&fight(), "french");
    let taken = |text: &str| {
        let order = orders::bind(BraveFellows::verbs(), &v, &orders::line(1, text));
        order.is_ok_and(|order| BraveFellows::rehearse(&v, &order).is_ok())
    };
    for (said, wanted) in [
        ("FRIE 4L-1 AT 1009", "FIRE 4L-1 AT 1009"),
        ("FIRE 4L1 AT 1009", "FIRE 4L-1 AT 1009"),
        ("4L-1 fires at 1009", "FIRE 4L-1 AT 1009"),
        ("CHARGE DR-1 0610", "CHARGE DR-1 AT 0610"),
        ("MOVE DR-1 0613 0612 0412", "MOVE DR-1 0514 0413 0412"),
        ("move DR-1 to 0612", "MOVE DR-1 0613 0612"),
        ("FACE 4L-1 northeast", "FACE 4L-1 NE"),
        ("LEADER Gaindroge TO 1011", "LEADER Gaindorge TO 1011"),
    ] {
        let line = orders::line(1, said);
        let order = orders::bind(BraveFellows::verbs(), &v, &line);
        let fault = order.and_then(|order| BraveFellows::rehearse(&v, &order).map(|_| ())).unwrap_err();
        let Meaning::Attempt(mended) = BraveFellows::meant(&v, &line, &fault) else { panic!("{said}") };
        assert!(mended.lines.contains(&wanted.to_owned()), "{said}: {mended:?}");
        assert!(mended.lines.iter().all(|line| taken(line)), "{said}: {mended:?}");
    }
    for said in ["Dear umpire,", "Best regards", "> MOVE 4L-1 1011"] {
        let line = orders::line(1, said);
        let fault = orders::bind(BraveFellows::verbs(), &v, &line).map(|_| ()).unwrap_err();
        assert_eq!(BraveFellows::meant(&v, &line, &fault), Meaning::Nothing, "{said}");
    }
    let line = orders::line(1, "how do I win?");
    let fault = orders::bind(BraveFellows::verbs(), &v, &line).map(|_| ()).unwrap_err();
    assert_eq!(BraveFellows::meant(&v, &line, &fault), Meaning::Question(estafette::orders::mend::Topic::Win));
}

#[test]
fn a_rehearsal_says_ways_odds_and_chances_and_leaves_the_view_for_the_lines_below() {
    let v = view(&fight(), "french");
    let mut plan = estafette::rules::rehearsal::Plan::<BraveFellows>::new(v);
    let mut said = |text: &str| {
        let found = plan.line(&orders::line(1, text)).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        (found.said.join(" "), found.warnings)
    };
    let (way, _) = said("MOVE DR-1 0613 0612");
    assert_eq!(way, "0612, 2 of 8 MP, facing N.");
    let (fire, _) = said("FIRE 4L-1 4L-2 AT 1009");
    assert!(
        fire.starts_with("before it APS-1 fires at 1010 in defence: FF 3, column 2-3: a result in 4 of 10. [6.3.1] ")
    );
    assert!(fire.ends_with("FF 8, column 8-9: a result in 10 of 10."), "{fire}");
    let (melee, _) = said("MELEE 4L-1 4L-2 AT 1009");
    assert!(melee.contains(" 10 to 6, column 3-2 (attackers led +1)."), "{melee}");
    let (_, warned) = said("ADVANCE 4L-1 INTO 1009");
    assert!(warned.iter().any(|warning| warning.text.contains("only if a roll above")), "{warned:?}");
    let over = plan.line(&orders::line(1, "MOVE DR-1 0611")).err().unwrap();
    assert!(over.to_string().contains("that segment is over"), "{over}");
}

/// 6.2.9, 6.2.3d, 6.3.8c, 6.4.7, 8.1.1 An edited number of the charts counts, and a key that no chart has is a flaw.
#[test]
fn the_numbers_of_the_charts_are_read() {
    let edited = |from: &str, to: &str| {
        let found: Vec<(String, String)> =
            files("durenstein.yaml").into_iter().map(|(name, text)| (name, text.replace(from, to))).collect();
        assert_ne!(found, files("durenstein.yaml"), "{from} stands in no file");
        Board::read(&found)
    };
    let drms = edited("artillery_firing_at_adjacent: 1", "artillery_firing_at_adjacent: 3").unwrap();
    assert_eq!(drms.fire_drms().artillery_firing_at_adjacent, 3);
    assert_eq!(drms.melee_drms().defender_routed, 2);
    assert_eq!(edited("adjacent_shift: -1", "adjacent_shift: -3").unwrap().night_shifts(), (-3, -2));
    assert_eq!(edited("defender_routed: 2", "defender_routed: 4").unwrap().melee_drms().defender_routed, 4);
    assert_eq!(edited("level23_hex_mp: 1", "level23_hex_mp: 2").unwrap().climb(), 2);
    let road = edited("road_move:     {inf: 1, cav: 1,", "road_move:     {inf: 1, cav: 2,").unwrap();
    assert_eq!((road.road(Some(Arm::Inf)), road.road(Some(Arm::Cav)), road.road(None)), (1, 2, 1));
    assert!(edited("defender_routed: 2", "defender_runs: 2").is_err());
    assert!(edited("fatigued_unit_among_firers: -2", "tired_unit_among_firers: -2").is_err());
}

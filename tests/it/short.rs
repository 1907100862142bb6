//! Short mails of `campaigns`: what stands on them, the opening's texts, and what a scenario may promise.

use estafette::dice::{Cup, Scope};
use estafette::fog::SeatId;
use estafette::host::hosted::{Hosted, Kept};
use estafette::host::paper::{Format, Paper, Sections};
use estafette::host::sheet::{Edit, Edited, Verdict};
use estafette::host::{Batch, Game, Input, Tempo};
use estafette::rules::campaigns::Campaigns;
use estafette::rules::{Outcome, Ruleset};
use estafette::scenario;
use estafette::text::width;
use std::path::Path;

type Files = Vec<(String, String)>;

/// Dice that fall by their label and number.
pub struct Falls;

impl Cup for Falls {
    fn draw(&self, _scope: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        let sum: u32 = label.bytes().map(u32::from).sum();
        Some((0..count).map(|i| (sum + n * 5 + i * 3) % sides + 1).collect())
    }
}

fn files(name: &str) -> Files {
    scenario::files(&Path::new("scenarios/campaigns").join(name)).unwrap()
}

fn open(files: Files, kept: Option<Kept>) -> Hosted<Campaigns> {
    Hosted::with_cup(files, Box::new(Falls), Tempo::Live, kept).unwrap()
}

pub fn orders(seat: &SeatId, written: &[String]) -> Input {
    let lines = (1..).zip(written.iter().filter(|line| *line != "END").cloned()).collect();
    let end = written.iter().any(|line| line == "END");
    Input::Orders { seat: seat.clone(), lines, end, mail: "m".to_owned() }
}

/// Plays a scenario by the program's own players; `look` sees each batch, before it the entries that are kept.
fn play(name: &str, form: Format, mails: u32, mut look: impl FnMut(&Kept, &Input, &Batch)) {
    let mut game = open(files(name), None);
    let seats: Vec<SeatId> = game.seats().into_iter().map(|(seat, _)| seat).collect();
    seats.iter().for_each(|seat| game.form(seat, form));
    let mut kept = Kept::default();
    let mut input = Input::Begin;
    for mail in 0..mails {
        let batch = game.take(input.clone()).unwrap();
        look(&kept, &input, &batch);
        kept.entries.extend(batch.entries.iter().map(|e| (e.slot, e.kind.to_owned(), e.body.clone())));
        kept.open.clone_from(&batch.open);
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return };
        let written = game.bot(&due.seat, u64::from(mail)).body().clone();
        input = orders(&due.seat, &written);
    }
}

fn shaped(s: &Sections) -> impl Iterator<Item = &String> {
    let maps = s.maps.iter().chain(&s.battles).flat_map(|map| &map.lines);
    s.forces.iter().chain(&s.enemy).chain(&s.changed).chain(maps)
}

#[test]
fn the_parts_of_a_short_mail_fit_their_page_and_a_phone_has_no_map() {
    let phone = Format { narrow: true, ascii: true, ..Format::default() };
    for form in [Format::default(), phone] {
        let (mut own, mut other, mut drawn) = (0, 0, 0);
        play("1805-moravia.yaml", form, 24, |_, _, batch| {
            for letter in batch.letters.iter().filter(|_| !batch.over) {
                let page = letter.sections.body();
                let limit = if form.narrow { 40 } else { 76 };
                for line in shaped(page).filter(|line| !line.is_empty()) {
                    assert!(width(line) <= limit && line.starts_with("  ") && line.trim_end() == line, "{line:?}");
                    assert!(!form.ascii || line.is_ascii(), "{line}");
                }
                assert!(page.maps.len() <= 1 && page.maps.iter().all(|map| map.lines.len() <= 14), "{:#?}", page.maps);
                assert!(!form.narrow || page.maps.is_empty());
                assert!(page.forecast.is_empty() && !page.full);
                assert!(page.score.contains("morale") && page.score.contains("points"), "{}", page.score);
                if page.forces.is_empty() {
                    other += 1;
                } else {
                    own += 1;
                }
                drawn += page.maps.len();
            }
        });
        assert!(own > 10 && other > 10 && (drawn > 5) != form.narrow, "{own} own, {other} other, {drawn} maps");
    }
}

#[test]
fn format_full_is_the_whole_report_in_every_mail() {
    play("teaching.yaml", Format { full: true, ..Format::default() }, 12, |_, _, batch| {
        for letter in &batch.letters {
            let page = letter.sections.body();
            assert!(page.full && page.forces.iter().any(|line| line.contains("key code leader")), "{page:#?}");
            assert!(page.changed.is_empty() && page.maps.iter().any(|map| map.theatre));
        }
    });
}

#[test]
fn what_has_changed_is_the_same_after_reopening() {
    let mut changed = 0;
    play("1805-moravia.yaml", Format::default(), 30, |kept, input, batch| {
        if kept.entries.is_empty() {
            return;
        }
        let mut again = open(files("1805-moravia.yaml"), Some(kept.clone()));
        let made = again.take(input.clone()).unwrap();
        assert_eq!(format!("{:?}", made.letters), format!("{:?}", batch.letters));
        changed += batch.letters.iter().map(|letter| letter.sections.body().changed.len()).sum::<usize>();
    });
    assert!(changed > 30, "{changed} lines");
}

#[test]
fn rows_that_have_not_changed_are_not_among_what_has() {
    let (mut seen, mut again) = (0, 0);
    play("1805-moravia.yaml", Format::default(), 14, |_, _, batch| {
        for letter in batch.letters.iter().filter(|letter| letter.seat.0 == "french") {
            // The garrison of Brünn stands there and does nothing, and the French know it from the first turn on.
            let page = letter.sections.body();
            seen += page.enemy.iter().filter(|line| line.contains("3622 Brünn")).count();
            again += page.changed.iter().filter(|line| line.contains("3622 Brünn")).count();
        }
    });
    assert!(seen >= 3 && again <= 1, "{seen} times whole, {again} times as changed");
}

#[test]
fn first_orders_are_carried_out_as_they_stand() {
    let all = ["1805-moravia.yaml", "1805-moravia-nov30.yaml", "teaching.yaml"].into_iter().chain(crate::years::SMALL);
    for name in all {
        let mut game = open(files(name), None);
        let opening = |game: &Hosted<Campaigns>, seat: &str| game.preview(&SeatId::from(seat)).body().clone();
        let (french, coalition) = (opening(&game, "french"), opening(&game, "coalition"));
        game.take(Input::Begin).unwrap();
        for (seat, page) in [("french", &french), ("coalition", &coalition)] {
            assert!(page.opening.first.len() == 3 && !page.opening.situation.is_empty(), "{name} {seat}");
            assert!(page.offers.iter().any(|line| line.starts_with("VEDETTE PLACE WITH")), "{:?}", page.offers);
            game.take(orders(&SeatId::from(seat), &page.offers)).unwrap();
        }
        for (seat, page) in [("french", &french), ("coalition", &coalition)] {
            let seat = SeatId::from(seat);
            // Whoever is on move before him, sends nothing.
            for _ in 0..40 {
                // Armies with phases of their own have a sheet each, and the first is meant.
                let own = |stage: estafette::rules::Stage| {
                    stage.on_move.contains(&seat) && stage.key.contains(&format!("/{seat}/A"))
                };
                if game.stage().is_some_and(own) {
                    break;
                }
                let due = game.dues().first().cloned().unwrap();
                game.take(orders(&due.seat, &["END".to_owned()])).unwrap();
            }
            let lines: Vec<String> = page.opening.first.iter().map(|(line, _)| line.clone()).collect();
            let batch = game.take(orders(&seat, &lines)).unwrap();
            let letter = batch.letters.iter().find(|letter| letter.seat == seat).unwrap();
            for answer in &letter.sections.body().answers {
                let taken = matches!(answer.outcome, None | Some(Outcome::Done | Outcome::Failed { .. }));
                assert!(taken, "{name}: {} {:?} behind {:?}", answer.text, answer.outcome, page.offers);
            }
            game.take(orders(&seat, &["END".to_owned()])).unwrap();
        }
    }
}

/// The flaws of a scenario whose own file has been changed.
fn flaws(name: &str, from: &str, to: &str) -> Vec<String> {
    let mut files = files(name);
    let (_, text) = files.iter_mut().find(|(path, _)| path == name).unwrap();
    assert!(text.contains(from), "{from}");
    *text = text.replacen(from, to, 1);
    Campaigns::open(&files).err().unwrap_or_default()
}

#[test]
fn a_first_order_that_is_not_legal_and_a_point_that_cannot_score_are_loading_errors() {
    let name = "1805-moravia.yaml";
    assert_eq!(flaws(name, "kind: scenario", "kind: scenario"), Vec::<String>::new());
    let told =
        flaws(name, "FORCE Soult INITIATIVE MARCH ROAD TO Sierndorf", "FORCE Soult INITIATIVE MARCH ROAD TO Atlantis");
    assert!(told.len() == 1 && told[0].contains("is not legal at the start") && told[0].contains(name), "{told:?}");
    let told = flaws(name, "FORCE Bernadotte INITIATIVE BRIDGE", "FORCE Bernadotte COMMAND BRIDGE");
    assert!(told.len() == 1, "{told:?}");
    let told = flaws(name, "VEDETTE PLACE WITH Oudinot 1", "VEDETTE PLACE WITH Oudinot 3");
    assert!(told.len() == 2 && told.iter().any(|flaw| flaw.contains("at most two vedettes")), "{told:?}");
    let told = flaws(name, "name: Brünn, points: {french: 1}", "name: Brünn, points: {french: 1, coalition: 2}");
    assert!(told.len() == 1 && told[0].contains("Brünn gives 2 to coalition, who holds it at the start"), "{told:?}");
    let told = flaws(name, "  french:\n    situation", "  prussian:\n    situation");
    assert!(told.iter().any(|flaw| flaw.contains("prussian")), "{told:?}");
}

#[test]
fn a_scenario_of_an_older_game_loads_as_it_did() {
    let name = "1805-moravia.yaml";
    let mut files = files(name);
    let (_, text) = files.iter_mut().find(|(path, _)| path == name).unwrap();
    text.truncate(text.find("\nbriefing:").unwrap());
    *text = text.replace("name: Brünn, points: {french: 1}", "name: Brünn, points: {french: 1, coalition: 2}");
    assert!(Campaigns::open(&files).is_ok());
}

#[test]
fn no_place_of_a_scenario_gives_points_that_can_never_score() {
    for entry in std::fs::read_dir("scenarios/campaigns").unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let mut files = scenario::files(&entry).unwrap();
        let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
        let (_, text) = files.iter_mut().find(|(path, _)| *path == name).unwrap();
        if !text.contains("\nbriefing:") {
            text.push_str("\nbriefing:\n  french: {situation: Here they are., first_orders: []}\n");
        }
        assert!(Campaigns::open(&files).is_ok(), "{name}: {:?}", Campaigns::open(&files).err());
    }
}

#[test]
fn every_opening_says_how_the_game_is_won_and_the_points_are_those_that_count() {
    for name in ["1805-moravia.yaml", "1805-moravia-nov30.yaml", "teaching.yaml"].into_iter().chain(crate::years::SMALL)
    {
        let game = open(files(name), None);
        for (seat, _) in game.seats() {
            let page = game.preview(&seat).body().clone();
            let said = page.victory.join("\n");
            for wanted in ["At once: ", "Else after turn ", "points to", "Now: points 0 to 0"] {
                assert!(said.contains(wanted), "{name} {seat}: {wanted} in\n{said}");
            }
            let rows = page.victory.iter().filter(|line| line.starts_with("    "));
            assert!(rows.clone().all(|line| width(line) <= 40), "{said}");
            assert!(rows.count() > 2 && page.opening.cautions.len() >= 2 && page.opening.command.len() > 1);
        }
    }
    let game = open(files("1805-moravia.yaml"), None);
    let said = game.preview(&SeatId::from("french")).body().victory.join("\n");
    for row in ["Wien 3056             -    3  yours", "Olmütz 5309           3    -  theirs"] {
        assert!(said.contains(row), "{row} in\n{said}");
    }
    assert!(said.contains("you win with 3 points or more") && said.contains("(3-4 Dec 1805)"), "{said}");
    assert!(said.contains("the win goes to who has held out: Austro-Russian."), "{said}");
    assert!(said.contains("Olmütz (+1 for you)") && said.contains("Wien (+1 for them)"), "{said}");
    let game = open(files("1800-marengo.yaml"), None);
    for (seat, wanted) in
        [("french", "the win goes to who has held out: Austrians."), ("coalition", "you have held out, and win.")]
    {
        let said = game.preview(&SeatId::from(seat)).body().victory.join("\n");
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn an_opening_depends_on_the_seats_own_set_up_alone() {
    let mut moved = files("1805-moravia.yaml");
    let (_, text) = moved.iter_mut().find(|(path, _)| path == "1805-moravia.yaml").unwrap();
    *text = text.replace("leader: miloradovich, hex: \"1644\"", "leader: miloradovich, hex: \"1643\"");
    let page = |files: Files| format!("{:?}", open(files, None).preview(&SeatId::from("french")).body());
    assert_eq!(page(files("1805-moravia.yaml")), page(moved));
}

#[test]
fn key_sends_the_signs() {
    let game = open(files("teaching.yaml"), None);
    for (form, limit) in [(Format::default(), 76), (Format { narrow: true, ..Format::default() }, 40)] {
        let key = game.map(&SeatId::from("french"), Some("KEY"), form).body().clone();
        assert!(key.iter().any(|line| line.contains("CLOSE-UP")) && key.len() > 15, "{key:#?}");
        assert!(key.iter().all(|line| width(line) <= limit), "{key:#?}");
    }
    assert!(!<Campaigns as Paper>::rule("415").is_empty());
}

#[test]
fn a_line_that_is_right_but_for_its_form_is_taken_as_what_it_is_read_as() {
    let mut game = open(files("1805-moravia.yaml"), None);
    game.take(Input::Begin).unwrap();
    for _ in 0..40 {
        if game.stage().is_some_and(|stage| stage.key.ends_with("/french/A")) {
            break;
        }
        let due = game.dues().first().cloned().unwrap();
        game.take(orders(&due.seat, &["END".to_owned()])).unwrap();
    }
    let (seat, text) = (SeatId::from("french"), "FORCE Lannes INITIATIVE MARCH ROAD TO Vienna".to_owned());
    let checked = game.check(&seat, &[(1, text.clone())]).into_parts().1.remove(0);
    assert!(matches!(&checked.verdict, Some(Verdict::Taken { notes, .. }) if notes[0].contains("Wien")), "{checked:?}");
    let edits = vec![Edited { no: 1, text, edit: Edit::Add }];
    let batch = game.take(Input::Sheet { seat: seat.clone(), edits, mail: "m1".to_owned(), came: None }).unwrap();
    let letter = batch.letters.iter().find(|letter| letter.seat == seat).unwrap();
    let answer = &letter.sections.body().answers[0];
    assert_eq!(answer.text, "FORCE Lannes INITIATIVE MARCH ROAD TO Wien");
    assert!(matches!(answer.outcome, Some(Outcome::Done | Outcome::Failed { .. })), "{answer:?}");
}

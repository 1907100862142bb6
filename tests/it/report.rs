//! The paper of `campaigns`: what stands on it, and that it keeps to its form.

use crate::years::SMALL;
use estafette::dice::{Cup, Scope};
use estafette::fog::SeatId;
use estafette::host::hosted::Hosted;
use estafette::host::paper::{Format, Sections};
use estafette::host::{Batch, Game, Input, Tempo};
use estafette::rules::campaigns::Campaigns;
use estafette::text::width;
use estafette::{games, scenario, simulate};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const WIDE: Format = Format { narrow: false, ascii: false, both: false, plates: false, sheet: false, full: false };
const PHONE: Format = Format { narrow: true, ascii: false, both: false, plates: false, sheet: false, full: false };

/// Dice that always fall the same way.
struct Always(u32);

impl Cup for Always {
    fn draw(&self, _scope: &Scope, _label: &str, _n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        Some(vec![self.0.min(sides); count as usize])
    }
}

fn game(name: &str) -> Hosted<Campaigns> {
    let files = scenario::files(&Path::new("scenarios/campaigns").join(name)).unwrap();
    let mut game = Hosted::with_cup(files, Box::new(Always(2)), Tempo::Live, None).unwrap();
    game.take(Input::Begin).unwrap();
    game
}

fn send(game: &mut Hosted<Campaigns>, seat: &str, lines: &[&str], end: bool) -> Batch {
    let lines = (1..).zip(lines).map(|(n, l)| (n, (*l).to_owned())).collect();
    game.take(Input::Orders { seat: SeatId::from(seat), lines, end, mail: "m".to_owned() }).unwrap()
}

fn report(game: &mut Hosted<Campaigns>, seat: &str, format: Format) -> Sections {
    game.form(&SeatId::from(seat), format);
    game.report(&SeatId::from(seat), Some(0)).body().clone()
}

/// A game after both sides have sent nothing in the set-up: the French are on move.
pub fn begun(name: &str) -> Hosted<Campaigns> {
    let mut game = game(name);
    send(&mut game, "french", &[], true);
    send(&mut game, "coalition", &[], true);
    game
}

/// All lines that must keep their shape.
fn shaped(s: &Sections) -> Vec<String> {
    let tables = s.forces.iter().chain(&s.forecast).chain(&s.enemy);
    tables.chain(s.maps.iter().chain(&s.battles).flat_map(|m| &m.lines)).cloned().collect()
}

/// §7.1: widths, blanks at either end, maps in ASCII.
fn assert_form(s: &Sections, format: Format) {
    let limit = if format.narrow { 40 } else { 76 };
    for line in shaped(s) {
        assert!(width(&line) <= limit, "{} columns: {line}", width(&line));
        assert!(line.is_empty() || line.starts_with("  "), "{line}");
        assert_eq!(line, line.trim_end());
        assert!(!line.contains(['\t', '\u{a0}']), "{line}");
        assert!(!format.ascii || line.is_ascii(), "{line}");
    }
    for map in s.maps.iter().filter(|m| !m.title.starts_with("march")) {
        assert!(map.lines.iter().all(|l| l.is_ascii()), "{}", map.title);
    }
    for paragraph in &s.story {
        assert!(!paragraph.is_empty() && paragraph.trim() == paragraph, "{paragraph:?}");
        assert!(paragraph.ends_with(['.', ']']), "{paragraph}");
    }
}

/// Hex ids, strengths and counters of the tables of own forces and enemy.
fn facts(s: &Sections) -> BTreeSet<String> {
    let skip = ["position is", "that of the name", "i = initiative"];
    let lines = s.forces.iter().chain(&s.enemy).filter(|l| !skip.iter().any(|w| l.contains(w)));
    let words = |line: &String| -> Vec<String> {
        let words: Vec<&str> = line.split([' ', ',', ';', '.', ':']).filter(|w| !w.is_empty()).collect();
        // Where a name was learnt stands on the wide page only.
        let before = std::iter::once("").chain(words.iter().copied());
        let told = before.zip(&words).filter(|(before, _)| !["line", "turn"].contains(before));
        told.map(|(_, word)| (*word).to_owned()).filter(|w| w.chars().any(|c| c.is_ascii_digit())).collect()
    };
    lines.flat_map(words).collect()
}

#[test]
fn the_display_of_november_15_is_as_agreed() {
    let forces = report(&mut begun("1805-moravia.yaml"), "french", WIDE).forces;
    let display: Vec<&str> = forces.iter().map(String::as_str).take_while(|l| !l.starts_with("  Total")).collect();
    assert_eq!(format!("\n{}\n", display.join("\n")), DISPLAY);
}

#[test]
fn the_enemy_table_of_november_15_is_as_agreed() {
    let enemy = report(&mut begun("1805-moravia.yaml"), "french", WIDE).enemy;
    assert_eq!(format!("\n{}\n", enemy.join("\n")), ENEMY);
}

#[test]
fn every_page_keeps_its_form() {
    let ascii = Format { ascii: true, ..WIDE };
    for name in ["1805-moravia.yaml", "1805-moravia-nov30.yaml", "teaching.yaml"].into_iter().chain(SMALL) {
        let mut game = begun(name);
        for seat in ["french", "coalition"] {
            for format in [WIDE, PHONE, ascii, Format { ascii: true, ..PHONE }] {
                assert_form(&report(&mut game, seat, format), format);
            }
        }
        assert_form(game.truth().body(), WIDE);
    }
}

#[test]
fn wide_and_narrow_pages_hold_the_same_facts() {
    let mut game = begun("1805-moravia.yaml");
    for seat in ["french", "coalition"] {
        let (wide, phone) = (report(&mut game, seat, WIDE), report(&mut game, seat, PHONE));
        let (wide, phone) = (facts(&wide), facts(&phone));
        // A phone names a counter's learning by age alone; the Display's own numbers of Major Generals stand in both.
        let only_wide: Vec<_> = wide.difference(&phone).collect();
        let only_phone: Vec<_> = phone.difference(&wide).collect();
        assert!(only_wide.is_empty() && only_phone.is_empty(), "{only_wide:?} {only_phone:?}");
        assert!(wide.len() > 30);
    }
}

#[test]
fn neither_side_reads_the_others_pieces() {
    let mut game = begun("1805-moravia.yaml");
    let text = shaped(&report(&mut game, "coalition", WIDE)).join("\n");
    for secret in ["Lannes", "Soult", "Oudinot", "Murat", "Davout", "LAN", "SOU"] {
        assert!(!text.contains(secret), "{secret}");
    }
    let text = shaped(&report(&mut game, "french", WIDE)).join("\n");
    for secret in ["Bagration", "Kutuzov", "Liechtenstein", "KUT"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[test]
fn an_umpires_page_shows_both_sides_whole() {
    let game = begun("1805-moravia.yaml");
    let page = game.truth().body().forces.join("\n");
    for name in ["Lannes 9", "Bagration 8", "Oudinot 6", "Kutuzov 18 with Dokhturov", "v5"] {
        assert!(page.contains(name), "{name} in\n{page}");
    }
    // As what the other side sees each: four counters in Stockerau, a garrison known for one in Brünn.
    let row =
        |hex: &str| page.lines().find(|line| line.starts_with(&format!("  {hex} "))).unwrap_or_default().to_owned();
    assert!(row("2650").contains("E8-E11") && row("3622").contains("E9 garrison"), "{page}");
    assert!(game.truth().body().maps.iter().any(|map| map.theatre));
}

#[test]
fn map_draws_a_hex_a_place_a_leader_a_counter_and_names_the_nearest() {
    let game = begun("1805-moravia.yaml");
    let draw = |area| game.map(&SeatId::from("french"), area, WIDE).body().clone();
    let lannes = draw(Some("Lannes"));
    assert!(lannes.iter().any(|l| l.contains("2650")), "{lannes:#?}");
    assert_eq!(lannes, draw(Some("2650")));
    assert_eq!(lannes, draw(Some("Stockerau")));
    assert_eq!(lannes, draw(Some("LAN")));
    assert_eq!(draw(Some("E9")), draw(Some("Brünn")));
    assert_eq!(draw(Some("v4")), lannes);
    assert!(draw(None).iter().any(|l| l.contains("Olmuetz")));
    assert!(draw(Some("Hollabrum")).join(" ").contains("Hollabrunn"));
}

#[test]
fn drawings_on_request_fit_their_page() {
    let mut game = begun("1805-moravia.yaml");
    for (format, limit) in [(WIDE, 76), (PHONE, 40)] {
        game.form(&SeatId::from("french"), format);
        for area in [None, Some("2347"), Some("E9"), Some("0101")] {
            let drawn = game.map(&SeatId::from("french"), area, format).body().clone();
            assert!(drawn.len() > 10 && drawn.iter().all(|l| width(l) <= limit && l.is_ascii()), "{drawn:#?}");
        }
    }
}

#[test]
fn every_form_of_a_name_that_a_map_prints_is_understood() {
    let game = begun("1805-moravia.yaml");
    let files = scenario::files(Path::new("scenarios/campaigns/1805-moravia.yaml")).unwrap();
    let (_, map) = files.iter().find(|(name, _)| name.ends_with("maps/moravia.yaml")).unwrap();
    let places = map.lines().filter_map(|line| {
        let hex = line.split("hex: \"").nth(1)?.get(..4)?;
        Some((hex, line.split("name: ").nth(1)?.split([',', '}']).next()?.trim()))
    });
    let draw = |area: &str| game.map(&SeatId::from("french"), Some(area), WIDE).body().clone();
    let places: Vec<(&str, &str)> = places.collect();
    // A whole name means its own place, also where a map cuts another one to it.
    let whole = |form: &str| -> Option<&str> {
        let named = |name: &str| estafette::orders::fold(&estafette::map::draw::short_name(name));
        places.iter().find(|(_, name)| named(name) == estafette::orders::fold(form)).map(|(hex, _)| *hex)
    };
    let (mut one, mut several) = (0, 0);
    for (hex, name) in places.iter().copied() {
        let short = estafette::map::draw::short_name(name);
        let plain: String = estafette::text::ascii(&short).chars().filter(char::is_ascii_alphabetic).collect();
        let cut = |n: usize| plain.chars().take(n).collect::<String>();
        for form in [name.to_owned(), short, plain.clone(), cut(4), cut(5), cut(7), format!("{}2", cut(3))] {
            let drawn = draw(&form);
            if drawn.len() > 1 {
                assert!(!form.ends_with('2'), "{form} for {hex}");
                assert_eq!(drawn, draw(whole(&form).unwrap_or(hex)), "{form} for {hex}");
                one += 1;
            } else {
                // Several places: all of them are named, as far as the line holds them.
                let said = drawn.join(" ");
                assert!(said.contains(hex) || said.contains(" more"), "{form} for {hex}: {said}");
                several += 1;
            }
        }
    }
    assert!(one > 400 && several > 50, "{one} {several}");
    let road = |to: &str| {
        let line = format!("FORCE Lannes INITIATIVE MARCH ROAD TO {to}");
        game.check(&SeatId::from("french"), &[(1, line)]).body().first().unwrap().clone()
    };
    let whole = road("2345");
    for form in ["Ober-Hollabrunn", "Hollabrunn", "hollab", "HOLL"] {
        assert_eq!((road(form).outcome, road(form).notes), (whole.outcome.clone(), whole.notes.clone()), "{form}");
    }
}

#[test]
fn the_opening_shows_a_seat_its_own_forces_and_map_and_nothing_of_the_enemy() {
    let files = scenario::files(Path::new("scenarios/campaigns/1805-moravia.yaml")).unwrap();
    let mut game = Hosted::<Campaigns>::with_cup(files, Box::new(Always(2)), Tempo::Live, None).unwrap();
    let seat = SeatId::from("french");
    let before = game.preview(&seat).body().clone();
    assert_form(&before, WIDE);
    assert!(before.forces.iter().any(|l| l.contains("LAN  Lannes")), "{:#?}", before.forces);
    assert!(before.maps.iter().any(|m| m.theatre) && before.offers.iter().any(|l| l.starts_with("VEDETTE PLACE WITH")));
    let text = shaped(&before).join("\n");
    assert!(!["Bagration", "Kutuzov", "E1", "BAG"].iter().any(|secret| text.contains(secret)), "{text}");
    // It is what the report of the set-up will show.
    game.take(Input::Begin).unwrap();
    let after = report(&mut game, "french", WIDE);
    assert_eq!((before.forces, before.enemy), (after.forces, after.enemy));
}

#[test]
fn why_explains_every_line_of_the_last_letter() {
    let (mut lines, mut dice, mut rules, mut later) = (0, 0, 0, 0);
    // The first line that each seat's last letter with lines told.
    let mut told: BTreeMap<String, String> = BTreeMap::new();
    for cup in 0..2 {
        told.clear();
        play_with("teaching.yaml", cup, |game, batch| {
            for letter in &batch.letters {
                let page = letter.sections.body();
                for (n, said) in (1..).zip(&page.story) {
                    let why = game.why(&letter.seat, n).body().clone();
                    assert_eq!(why.first(), Some(&format!("{n}  {said}")), "{} line {n}", letter.seat.0);
                    lines += 1;
                    dice += why.iter().filter(|l| l.contains(" die  ")).count();
                    rules += why.iter().filter(|l| l.starts_with('¶')).count();
                    // Each statement once, and no more than a screen or two of them.
                    let said: Vec<&String> =
                        why.iter().filter(|l| l.starts_with("  ") && !l.contains(" die  ")).collect();
                    let once: BTreeSet<&String> = said.iter().copied().collect();
                    assert!(said.len() == once.len(), "{why:#?}");
                    let high: usize = why.iter().map(|l| estafette::text::wrap(l, 74, "", 2).len()).sum();
                    assert!(high <= 60, "{high} lines: {why:#?}");
                }
                if page.story.is_empty() {
                    // Its lines were only taken: the last report is an earlier one.
                    if let Some(first) = told.get(&letter.seat.0) {
                        let why = game.why(&letter.seat, 1).body().clone();
                        assert_eq!(why.first(), Some(&format!("1  {first}")), "{} behind an answer", letter.seat.0);
                        later += 1;
                    }
                    continue;
                }
                told.insert(letter.seat.0.clone(), page.story[0].clone());
                let beyond = game.why(&letter.seat, page.story.len() + 1).body().clone();
                assert!(beyond.len() == 1 && beyond.iter().all(|l| l.starts_with("Your last report")), "{beyond:?}");
            }
        });
    }
    let behind = format!("{later} behind answers");
    assert!(
        lines > 50 && dice > 20 && rules > 50 && later > 5,
        "{lines} lines, {dice} dice, {rules} paragraphs, {behind}"
    );
}

#[test]
fn why_names_each_number_that_a_short_line_only_adds() {
    let files = crate::rehearse::driver::files("austerlitz1805", "teaching.yaml");
    let mut game = simulate::open(games::find(games::GAMES, "austerlitz1805").unwrap(), &files, 1).unwrap();
    let (mut fights, mut named, mut input) = (0, 0, Input::Begin);
    for mail in 1..200 {
        let batch = game.take(input).unwrap();
        for letter in &batch.letters {
            for (n, said) in (1..).zip(&letter.sections.body().story) {
                if said.contains("Close combat:") {
                    fights += 1;
                    let why = game.why(&letter.seat, n).body().clone();
                    named += usize::from(why.iter().skip(1).any(|line| line.contains("+1 formation")));
                }
            }
        }
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
        input = simulate::mail_of(game.as_ref(), &due.seat, 1, mail);
    }
    assert!(fights > 2 && named > 0, "{named} of {fights} fights");
}

#[test]
fn rules_are_told_in_our_own_words() {
    let game = game("teaching.yaml");
    assert!(game.rule("242").iter().any(|line| line.contains("declare")), "{:?}", game.rule("242"));
    assert!(game.rule("4711").is_empty());
    assert!(game.rule("241").iter().all(|line| !line.contains("Procedure")));
    // A step of a paragraph is that step alone, and several paragraphs in a row are all of them.
    let (all, step) = (game.rule("300"), game.rule("300.6"));
    assert!(step.len() == 1 && step[0].contains("Exact strengths") && all.len() > 15, "{step:?}");
    let both = game.rule("415-416");
    let told = |n: &str| both.iter().filter(|line| line.starts_with(n)).count();
    assert_eq!((told("415: "), told("416: ")), (game.rule("415").len(), game.rule("416").len()));
}

#[test]
fn who_is_captured_moves_morale_only_if_he_is_a_major_personality() {
    let said = game("teaching.yaml").victory(&SeatId("french".to_owned())).body().join(" ");
    assert!(said.contains("captured major personality") && !said.contains("captured leader"), "{said}");
}

#[test]
fn battles_have_pages_of_their_own_and_answers_point_to_the_line_that_tells() {
    let (mut battles, mut pointed) = (0, 0);
    let mut look = |_: &mut Hosted<Campaigns>, batch: &Batch| {
        for letter in &batch.letters {
            let page = letter.sections.body();
            assert_eq!(page.battles.len(), page.story.iter().filter(|p| p.contains("See BATTLE")).count());
            for battle in &page.battles {
                let text = battle.lines.join("\n");
                assert!(text.contains("  ROUND 1") && text.contains("  Attack"), "{}\n{text}", battle.title);
                for line in &battle.lines {
                    assert!(width(line) <= 76 && (line.is_empty() || line.starts_with("  ")), "{line}");
                }
                battles += 1;
            }
            for answer in &page.answers {
                if let Some((first, last)) = answer.lines {
                    assert!(first <= last && last as usize <= page.story.len(), "{answer:?}");
                    pointed += 1;
                }
            }
        }
        battles
    };
    // Until in one of the games somebody fights.
    for dice in 0..9 {
        let mut fought = 0;
        play_with("teaching.yaml", dice, |game, batch| fought = look(game, batch));
        if fought >= 2 {
            break;
        }
    }
    assert!(battles >= 2 && pointed >= 10, "{battles} battles, {pointed} answers");
}

/// The French Organization Display when turn 1 begins.
const DISPLAY: &str = r#"
  i = initiative, * = leadership bonus; SP of a row are of the whole force
  key code leader          i   hex  place         SP  units
  A   NAP  Napoleon        5** 3056 Wien           6
           Bessières       3                          Guard infantry 4
                                                      Guard cavalry 1 art 1
  B   MUR  Murat           4   2650 Stockerau      4  Beaumont 2
                                                      d'Hautpoul 1
                                                      Nansouty 1
  C   SOU  Soult           4   2650 Stockerau     26  Legrand 8
                                                      Saint-Hilaire 7
                                                      Vandamme 8 Margaron 1
                                                      art 2
  D   LAN  Lannes          4*  2650 Stockerau      9  Suchet 7 art 2
  E   OUD  Oudinot         4   2347 Göllersdorf    6  grenadiers 6
  F   MC1  Maj.Gen. Cav 1  4   2549 Sierndorf      3  Treilhard 1 Walther 2
  G   MC2  Maj.Gen. Cav 2  4   3450 Wolkersdorf    1  Milhaud 1
  H   DAV  Davout          4*  3056 Wien          24  Caffarelli 7 Friant 6
                                                      Gudin 7 Bourcier 2
                                                      Vialannes 1 art 1
  I   BER  Bernadotte      2   0950 Mautern       22  Drouet 6 Rivaud 6
                                                      Kellermann 1 art 2
           Wrede           3                          Bavarians 6
                                                      Bavarian horse 1
  J   MOR  Mortier         3   0950 Mautern        9  Dupont 4 Gazan 3
                                                      Klein 2
  Vedettes  v1 2347  v2 3450  v3 2549  v4 2650  v5 0950  pool 5
"#;

/// What the French know of the enemy when turn 1 begins.
const ENEMY: &str = r#"
  positions are current; age counts turns since the counter was identified
  id       hex   what it is                  SP  learnt  age  sure
  E1 E2    1644  2 not shown, Maissau        -   -         -  none
  E3 E4    1943  2 not shown, Sitzendorf     -   -         -  none
  E5 E6    2243  2 not shown, Schöngrabern   -   -         -  none
  E7 E8    2345  2 not shown, Hollabrunn     -   -         -  none
  E9       3622  a garrison, Brünn           -   turn 1    0  sure
  E10 E11  3647  2 not shown, Gaunersdorf    -   -         -  none
  E12      5309  a garrison, Olmütz          -   turn 1    0  sure
  Center 2234 Znaim, Source 6610 Weisskirchen, in open sight
"#;

/// Dice that fall by their label, so that a game is not all of one die.
struct ByLabel(u32);

impl Cup for ByLabel {
    fn draw(&self, _scope: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        let word = |i: u32| label.bytes().map(u32::from).chain([n, i]).fold(7 + self.0, |h, b| h.wrapping_mul(31) ^ b);
        Some((0..count).map(|i| (word(i) >> 3) % sides + 1).collect())
    }
}

/// Plays a game between two players of the house; `look` sees it after every mail.
pub fn play(name: &str, look: impl FnMut(&mut Hosted<Campaigns>, &Batch)) -> u32 {
    play_with(name, 0, look)
}

/// The same with other dice.
fn play_with(name: &str, dice: u32, mut look: impl FnMut(&mut Hosted<Campaigns>, &Batch)) -> u32 {
    let files = scenario::files(&Path::new("scenarios/campaigns").join(name)).unwrap();
    let mut game = Hosted::with_cup(files, Box::new(ByLabel(dice)), Tempo::Live, None).unwrap();
    let mut batch = game.take(Input::Begin).unwrap();
    let mut mails = 0;
    while let Some(due) = batch.dues.first().filter(|_| !batch.over) {
        let seat = due.seat.clone();
        let written = game.bot(&seat, u64::from(mails)).body().clone();
        let lines: Vec<&str> = written.iter().map(String::as_str).filter(|l| *l != "END").collect();
        batch = send(&mut game, &seat.0, &lines, written.iter().any(|l| l == "END"));
        mails += 1;
        assert!(mails < 500, "the game does not end");
        look(&mut game, &batch);
    }
    mails
}

/// Lines of the maps that are orders to copy, with the hexes and sums of the strip above each.
fn copies(s: &Sections) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for map in s.maps.iter().filter(|m| m.title.starts_with("march")) {
        let strip: Vec<String> =
            map.lines.iter().take_while(|l| !l.starts_with("  FORCE")).map(|l| l.trim().to_owned()).collect();
        let copy: Vec<&str> = map.lines.iter().skip(strip.len()).map(|l| l.trim()).collect();
        if !copy.is_empty() {
            found.push((copy.join(" "), strip));
        }
    }
    found
}

#[test]
fn a_played_game_keeps_form_facts_and_length() {
    let (mut stories, mut longest) = (0, 0);
    let mails = play("teaching.yaml", |game, batch| {
        for letter in &batch.letters {
            let page = letter.sections.body();
            assert_form(page, WIDE);
            stories += page.story.len();
            let told: usize = page.story.iter().map(|p| p.chars().count() / 70 + 1).sum();
            longest = longest.max(shaped(page).len() + told);
        }
        for seat in ["french", "coalition"] {
            let (wide, phone) = (report(game, seat, WIDE), report(game, seat, PHONE));
            assert_form(&phone, PHONE);
            assert_eq!(facts(&wide), facts(&phone), "{seat}");
            game.form(&SeatId::from(seat), WIDE);
        }
    });
    assert!(mails >= 8 && stories > 50, "{mails} mails, {stories} paragraphs");
    assert!(longest <= 150, "a letter of {longest} lines");
}

#[test]
fn every_line_to_copy_binds_and_its_strip_sums_as_check_does() {
    let mut seen = 0;
    play("teaching.yaml", |game, _| {
        for seat in ["french", "coalition"] {
            let page = report(game, seat, WIDE);
            for (line, strip) in copies(&page) {
                let answer = game.check(&SeatId::from(seat), &[(1, line.clone())]).body().clone();
                let outcome = answer.first().and_then(|a| a.outcome.clone());
                assert!(outcome.is_none() || outcome == Some(estafette::rules::Outcome::Done), "{line}: {outcome:?}");
                let notes = answer.first().map(|a| a.notes.clone()).unwrap_or_default();
                let end = check_end(&notes).unwrap_or_else(|| panic!("{line}: {notes:?}"));
                let cells: Vec<(String, String)> = strip.iter().flat_map(|l| l.split(" | ")).map(cell).collect();
                assert!(cells.contains(&end), "{line}: {end:?} is not among {cells:?}");
                seen += 1;
            }
        }
    });
    assert!(seen >= 3, "{seen} lines to copy");
}

#[test]
fn a_march_costs_what_its_strip_says() {
    let seat = SeatId::from("french");
    let page = report(&mut begun("teaching.yaml"), "french", WIDE);
    let mut seen = 0;
    for (line, _) in copies(&page) {
        let mut game = begun("teaching.yaml");
        let checked = game.check(&seat, &[(1, line.clone())]).body().clone();
        let Some((hex, sum)) = check_end(&checked[0].notes) else { panic!("{line}: {checked:?}") };
        let batch = send(&mut game, "french", &[&line], false);
        let letter = batch.letters.iter().find(|letter| letter.seat == seat).unwrap();
        let story = letter.sections.body().story.join(" ");
        assert!(story.contains(&format!("{hex}, {sum} MP")), "{line}: {sum} MP to {hex}, but {story}");
        seen += 1;
    }
    assert!(seen >= 2, "{seen} marches");
}

#[test]
fn every_line_that_a_letter_offers_can_be_sent() {
    let (mut offered, mut answers, mut kinds) = (0, 0, BTreeSet::new());
    play("teaching.yaml", |game, batch| {
        for letter in &batch.letters {
            let page = letter.sections.body();
            for line in page.offers.iter().filter(|line| *line != "END") {
                let told = game.check(&letter.seat, &[(1, line.clone())]).body().clone();
                assert_eq!(told[0].outcome, None, "{line}: {told:?}");
                kinds.insert(line.split(' ').next().unwrap_or_default().to_owned());
                offered += 1;
            }
            for line in page.asks.iter().flat_map(|ask| &ask.answers) {
                let told = game.check(&letter.seat, &[(1, line.clone())]).body().clone();
                assert_eq!(told[0].notes, ["answers the open question."], "{line}: {told:?}");
                answers += 1;
            }
        }
    });
    assert!(offered > 20 && kinds.len() >= 4, "{offered} lines of {kinds:?}, {answers} answers");
}

/// The hex and the sum of a cell of a strip.
fn cell(cell: &str) -> (String, String) {
    let mut words = cell.split(' ').map(str::to_owned);
    (words.next().unwrap_or_default(), words.next().unwrap_or_default())
}

/// The hex in which CHECK says that a march ends, and its cost: `0605, 1 of 7 MP, on any roll.`
fn check_end(notes: &[String]) -> Option<(String, String)> {
    let (hex, cost) = notes.first()?.split_once(", ")?;
    let (cost, _) = cost.split_once(" of ")?;
    Some((hex.to_owned(), cost.to_owned()))
}

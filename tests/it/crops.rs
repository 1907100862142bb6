//! What a title names that its map, charts and calendar must hold: crops and columns of forage (¶275, 277), a morale track for
//! each side (¶5), months (¶414); and what CHECK tells a forager.

use crate::scenario::files;
use estafette::fog::{SideId, Viewer, see};
use estafette::orders;
use estafette::rules::Ruleset;
use estafette::rules::campaigns::{Campaigns, load};
use estafette::scenario::{self, Files};
use serde_json::{Value, json};
use std::path::Path;

const EYLAU: &str = "1807-eylau.yaml";
const MAP: &str = "maps/1807.yaml";

/// The files of a scenario with one passage of one file changed, the first of its kind.
fn edited(scenario: &str, file: &str, from: &str, to: &str) -> Files {
    let mut files = files(scenario);
    let text = &mut files.iter_mut().find(|(path, _)| path == file).unwrap().1;
    assert!(text.contains(from), "{file} must hold \"{from}\"");
    *text = text.replacen(from, to, 1);
    files
}

/// Asserts the flaws of the files: the file of each, the line that holds the marker, the message.
fn flawed(files: &Files, due: &[(&str, &str, &str)]) {
    let flaws = load::board(files).expect_err("it has flaws");
    let found: Vec<(String, u32, String)> = flaws.iter().map(|f| (f.file.clone(), f.line, f.message.clone())).collect();
    let line = |file: &str, marker: &str| {
        let text = &files.iter().find(|(path, _)| path == file).unwrap().1;
        u32::try_from(text.lines().position(|line| line.contains(marker)).unwrap() + 1).unwrap()
    };
    let mut wanted: Vec<(String, u32, String)> = due
        .iter()
        .map(|(file, marker, message)| ((*file).to_owned(), line(file, marker), (*message).to_owned()))
        .collect();
    wanted.sort();
    assert_eq!(found, wanted);
    assert!(flaws.iter().all(|flaw| !flaw.cure.is_empty()));
}

fn one_flaw(scenario: &str, (file, from, to): (&str, &str, &str), (at, marker): (&str, &str), message: &str) {
    flawed(&edited(scenario, file, from, to), &[(at, marker, message)]);
}

#[test]
fn regions_of_crops_cover_the_map() {
    let whole = files(EYLAU);
    let text = &whole.iter().find(|(path, _)| path == MAP).unwrap().1;
    let row = text.lines().find(|line| line.starts_with("  \"19\": \"wowowo")).unwrap();
    one_flaw(EYLAU, (MAP, &format!("{row}\n"), ""), (MAP, "\"01\": \"w"), "The crops of row 19 are missing.");
    let short = row.replace("wowowo", "owowo");
    let message = "Row 19 of the crops has 33 letters, and the map has 34 columns.";
    one_flaw(EYLAU, (MAP, row, &short), (MAP, &short), message);
    let rye = row.replace("wowowo", "worowo");
    one_flaw(EYLAU, (MAP, row, &rye), (MAP, &rye), "Row 19, column 03: \"r\" is no crop.");
    let more = format!("{row}\n  \"37\": \"w\"");
    one_flaw(EYLAU, (MAP, row, &more), (MAP, "\"01\": \"w"), "There are more than 36 rows of crops.");
}

#[test]
fn a_title_that_forages_by_crops_has_them() {
    let title = "titles/1807.yaml";
    let mut bare = files(EYLAU);
    let text = &mut bare.iter_mut().find(|(path, _)| path == MAP).unwrap().1;
    let (at, _) = text.match_indices("\ncrops:").next().unwrap();
    text.truncate(at + 1);
    let message = "Clear ground forages by its crop (¶275), and the map has no crops.";
    flawed(&bare, &[(EYLAU, "- maps/1807.yaml", message)]);
    let (leaders, cavalry) =
        ("    leaders_hex: true           # ¶275, 283\n", "    cavalry_apart: true         # ¶277\n");
    let message = |chart: &str| format!("Hexes are summed for forage (¶274), and the {chart}.");
    let charts =
        ["Terrain Effects Chart has leaders_hex", "columns of the March Attrition Table have yields"].map(message);
    let [terrain, attrition] = charts.each_ref().map(|flaw| (EYLAU, "- maps/1807.yaml", flaw.as_str()));
    let apart = (title, "marches:", "Cavalry forages by values of its own (¶277), and leaders_hex (¶275) is off.");
    flawed(&edited(EYLAU, title, leaders, ""), &[terrain, attrition, apart]);
    flawed(&edited(EYLAU, title, &format!("{leaders}{cavalry}"), ""), &[terrain, attrition]);
    let mut alone = files("1809-eggmuehl.yaml");
    let text = &mut alone.iter_mut().find(|(path, _)| path == "titles/1809.yaml").unwrap().1;
    *text = text.replacen("exceptions:\n", "exceptions:\n  forage: {leaders_hex: true}\n", 1);
    let message = |chart: &str| format!("The leader's hex forages alone (¶275), and the {chart}.");
    let at = "- maps/1809.yaml";
    flawed(
        &alone,
        &[
            ("1809-eggmuehl.yaml", at, &message("Terrain Effects Chart has no leaders_hex")),
            ("1809-eggmuehl.yaml", at, &message("columns of the March Attrition Table have no yields")),
            ("1809-eggmuehl.yaml", at, "Clear ground forages by its crop (¶275), and the map has no crops."),
        ],
    );
}

#[test]
fn charts_of_forage_by_words_are_whole() {
    let (terrain, attrition) = ("tables/terrain-effects-1807.yaml", "tables/march-attrition-1807.yaml");
    one_flaw(
        EYLAU,
        (terrain, ", potatoes: [poor, none]", ""),
        (terrain, "ground:"),
        "P-TEC-10: leaders_hex must name oats, wheat and potatoes for clear ground (¶275).",
    );
    one_flaw(
        EYLAU,
        (terrain, "clear:    {mp: [1, 1], ", "clear:    {forage: 1.2, mp: [1, 1], "),
        (terrain, "ground:"),
        "P-TEC-5: clear: give its forage, or what it yields under leaders_hex (¶275).",
    );
    one_flaw(
        EYLAU,
        (attrition, "yields: good", "yields: fair"),
        (attrition, "lines:"),
        "P-ATT-6: columns must open at 0 and rise from zero to IV.",
    );
    one_flaw(
        EYLAU,
        (attrition, "      IV: [2, 4, 6,", "      IV: [1, 2, 3,"),
        (attrition, "lines:"),
        "P-ATT-2: by_column must have 12 rising sizes for each, none below a worse one's.",
    );
}

/// ¶265
#[test]
fn cavalry_marches_no_worse_than_others_up_to_nine_mp() {
    let attrition = "tables/march-attrition-1807.yaml";
    let lines = "[9, 2], [11, 3], [13, 4], [99, 5]]";
    let beyond = edited(EYLAU, attrition, lines, "[9, 2], [11, 6], [13, 6], [99, 6]]");
    assert!(load::board(&beyond).is_ok(), "worse from 10 MP on only");
    one_flaw(
        EYLAU,
        (attrition, lines, "[9, 5], [11, 5], [13, 5], [99, 5]]"),
        (attrition, "lines:"),
        "P-ATT-7: cavalry must march no worse than other forces up to 9 MP.",
    );
}

#[test]
fn a_track_for_each_side_is_one_for_both() {
    let (champagne, chart) = ("1814-champagne.yaml", "tables/morale-1814.yaml");
    one_flaw(
        champagne,
        (chart, ", coalition: Alliance Morale", ""),
        (champagne, "- maps/1814.yaml"),
        "The Morale Track has none for coalition, and one for others (¶5).",
    );
    flawed(
        &edited(champagne, chart, "coalition: Alliance Morale", "allies: Alliance Morale"),
        &[
            (champagne, "- maps/1814.yaml", "The Morale Track has one for allies, which is no side (¶5)."),
            (champagne, "- maps/1814.yaml", "The Morale Track has none for coalition, and one for others (¶5)."),
        ],
    );
    one_flaw(
        champagne,
        (chart, "french: Paris Morale", "french: \"\""),
        (chart, "track:"),
        "per_side: a track has no name (¶5).",
    );
}

#[test]
fn months_begin_with_the_first_turn() {
    let castiglione = "1796-castiglione.yaml";
    let months = "  months: {1: \"July 1796\", 3: \"August 1796\"}  # ¶414, by the first turn of each\n";
    one_flaw(
        castiglione,
        (castiglione, months, ""),
        (castiglione, "- maps/1796.yaml"),
        "Leaders who surrender are free by months (¶414), and the scenario names no months.",
    );
    let late = months.replace("1: \"July", "2: \"July");
    one_flaw(castiglione, (castiglione, months, &late), (castiglione, "months:"), "July 1796 begins on turn 2.");
    let after = months.replace("3: \"August", "9: \"August");
    one_flaw(castiglione, (castiglione, months, &after), (castiglione, "months:"), "August 1796 begins on turn 9.");
    let twice = months.replace("August", "July");
    one_flaw(castiglione, (castiglione, months, &twice), (castiglione, "months:"), "July 1796 begins twice.");
    let citadels = "tables/citadels-1796.yaml";
    one_flaw(
        castiglione,
        (citadels, ", 12: 5", ""),
        (citadels, "attrition_start:"),
        "honours must name every sum of two dice, 2 to 12 (¶414).",
    );
}

/// What CHECK says of a French order in a position.
fn checked(board: &str, before: Value, line: &str) -> Vec<String> {
    let files = scenario::files(&Path::new("tests/boards").join(board)).unwrap();
    let base = Campaigns::arrange(&files, before).unwrap();
    let french = SideId("french".to_owned());
    let mind = base.minds.iter().find(|(side, _)| *side == french).map(|(_, mind)| mind).unwrap();
    let view = see::<Campaigns>(&base.state, mind, Viewer::Side(french.clone())).into_parts().1;
    let order = orders::bind(Campaigns::verbs(), &view, &orders::line(0, line)).unwrap();
    Campaigns::check(&view, &order).unwrap()
}

/// Its lines of attrition, without the margin.
fn attrition(lines: &[String]) -> Vec<&str> {
    lines.iter().skip_while(|line| !line.starts_with("attrition")).map(|line| line.trim()).collect()
}

#[test]
fn check_tells_a_forager_the_column_and_the_odds_of_each_arm() {
    let position = |hex: &str, enemy: &str| {
        json!({"bare": true, "at": "own french", "weather": "Rain", "sides": {
            "french": {"ap": 1, "leaders": {
                "lannes": {"hex": hex, "forage": true, "units": {"suchet": 12, "art5": 1, "treilhard": 4, "walther": 5}}}},
            "coalition": {"leaders": {"kutuzov": {"hex": enemy, "units": {"milo": 6}}}}}})
    };
    let apart = checked("1807.yaml", position("0105", "1202"), "FORCE Lannes COMMAND MARCH 0105 0104");
    assert_eq!(
        attrition(&apart),
        [
            "attrition      column 0 / No LOC, 22 SP, die +0",
            "1 MP, foot 13 SP, 0104 oats Fair [¶275]: none 5/6, 1 SP 1/6",
            "1 MP, cavalry 9 SP, 0104 oats Rich [¶275]: none",
            "in all 0.16 SP on the average",
            "costs          1 AP of 1 [¶171]",
        ]
    );
    // The counter beside the last hex may be a vedette.
    let near = checked("1807.yaml", position("0105", "0304"), "FORCE Lannes COMMAND MARCH 0105 0204");
    assert!(
        near.iter().any(|line| line.ends_with("a force beside 0204 would bar it from foraging [¶284]")),
        "{near:?}"
    );
    // Who goes over to Concentrated Mode is rolled for as one, by his supply.
    let line = "FORCE Lannes COMMAND MODE CONCENTRATE MARCH 0105 0104";
    let whole = checked("1807.yaml", position("0105", "1202"), line);
    assert!(attrition(&whole)[1].starts_with("1 MP: none"), "{whole:?}");
}

#[test]
fn check_tells_a_forager_what_the_country_round_him_comes_to() {
    let before = json!({"bare": true, "at": "own french", "sides": {
        "french": {"ap": 1, "leaders": {"gazan": {"hex": "0305", "units": {"gazan_div": 28}}}},
        "coalition": {"leaders": {"kutuzov": {"hex": "1002", "units": {"milo": 6}}}}}});
    let files = "../../scenarios/campaigns/teaching.yaml";
    let lines = checked(files, before, "FORCE Gazan COMMAND MARCH 0305 0205 MODE FORAGE");
    assert!(lines.iter().any(|line| line.contains("foraging 10.2 [¶274], column 9+: ")), "{lines:?}");
}

//! Every kind of flaw once: a mutated copy of the teaching files, and what the reader says of it.

use super::{TEACHING, files, told};
use estafette::rules::campaigns::board::LeaderId;
use estafette::rules::campaigns::load;
use estafette::scenario::Files;

pub const MAP: &str = "maps/teaching.yaml";
const ARMIES: &str = "orders-of-battle/teaching.yaml";

/// The teaching files with one passage of one file changed.
fn changed(file: &str, from: &str, to: &str) -> Files {
    edited(file, &[(from, to)])
}

/// The teaching files with some passages of one file changed.
pub fn edited(file: &str, changes: &[(&str, &str)]) -> Files {
    let mut files = files(TEACHING);
    let text = &mut files.iter_mut().find(|(path, _)| path == file).unwrap().1;
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{file} must hold \"{from}\" once");
        *text = text.replace(from, to);
    }
    files
}

/// Changes one passage, and asserts one flaw: its file, the line that holds `marker`, and its message.
fn one_flaw(file: &str, from: &str, to: &str, marker: &str, message: &str) {
    the_flaw(edited(file, &[(from, to)]), file, marker, message);
}

/// Asserts one flaw of the files: its file, the line that holds `marker`, and its message.
fn the_flaw(files: Files, file: &str, marker: &str, message: &str) {
    let flaws = load::board(&files).expect_err(message);
    let text = &files.iter().find(|(path, _)| path == file).unwrap().1;
    let line = text.lines().position(|line| line.contains(marker)).unwrap() + 1;
    assert_eq!(flaws.len(), 1, "one flaw for \"{message}\":\n{}", told(&flaws));
    let flaw = &flaws[0];
    assert_eq!((flaw.file.as_str(), flaw.line as usize), (file, line), "{flaw}");
    assert_eq!(flaw.message, message);
    assert!(!flaw.cure.is_empty(), "a cure for \"{message}\"");
}

#[test]
fn flaws_of_shape_are_told_with_file_and_line() {
    let table = "tables/combat-results.yaml";
    one_flaw(
        TEACHING,
        "last_turn: 3",
        "lasst_turn: 3",
        "lasst_turn",
        "Unknown field `lasst_turn`, expected one of kind, ruleset, schema, id, title, files, first_turn, last_turn, calendar, \
         weather, first_player, strategic_points, holds_out, objectives, damaged_bridges, trestles, redoubts, options, sides, reinforcements, \
         replacements, not_available, replacement_leaders, special, briefing, sources.",
    );
    // A missing field is told where its fellows begin.
    one_flaw(TEACHING, "first_turn: 1\n", "", "kind:", "Missing field `first_turn`.");
    one_flaw(
        TEACHING,
        "strategic_points: 2",
        "strategic_points: many",
        "many",
        "A whole number is wanted here, or a smaller one.",
    );
    one_flaw(
        ARMIES,
        "max_sp: 1, move: 0",
        "max_sp: 1, move: 0.25",
        "0.25",
        "\"0.25\" is not a number with at most one decimal.",
    );
    one_flaw(ARMIES, "garrison: true", "garrison: yes", "yes", "Only true or false may stand here.");
    one_flaw(
        MAP,
        "kind: depot_town",
        "kind: depot",
        "kind: depot}",
        "Unknown variant `depot`, expected one of point, village, town, center, depot_town, primary_town, city, capital, fortified_town, citadel.",
    );
    one_flaw(table, "0: [\"A3/2\"", "0: [\"3/2\"", "\"3/2\"", "\"3/2\" is not a result such as \"A3/2\" or \"2/D4*\".");
    one_flaw(TEACHING, "  3: \"13-14", "  2: \"13-14", "13-14", "Duplicate mapping key: 2.");
}

#[test]
fn flaws_of_the_map() {
    one_flaw(MAP, "hex: \"1205\"", "hex: \"1305\"", "1305", "Hex 1305 is off the map.");
    one_flaw(MAP, "hex: \"1205\"", "hex: \"12O5\"", "12O5", "\"12O5\" is not a hex.");
    one_flaw(
        MAP,
        "hex: \"1205\"",
        "hex: \"1005\"",
        "Ostheim",
        "Ostheim road (edge) stands in 1005, where Neudorf is already.",
    );
    one_flaw(
        MAP,
        "\"08\": \"............\"",
        "\"08\": \"...........\"",
        "\"08\"",
        "Row 08 has 11 letters, and the map has 12 columns.",
    );
    one_flaw(
        MAP,
        "\"08\": \"............\"",
        "\"08\": \"....x.......\"",
        "\"08\"",
        "Row 08, column 05: \"x\" is no ground.",
    );
    one_flaw(
        MAP,
        "0305 0405 0505",
        "0305 0505",
        "0105 0205 0305 0505",
        "Road Post road: 0305 and 0505 are not adjacent.",
    );
    one_flaw(MAP, "1105 1205\"", "1105 1205 1305\"", "1105 1205", "Hex 1305 is off the map.");
    one_flaw(MAP, "0610NE", "0610NE 0610SE", "0601NE 0601SE", "Hexside 0610SE is off the map.");
    one_flaw(MAP, "0610NE", "0610NE 0610", "0601NE 0601SE", "\"0610\" is not a hexside.");
    one_flaw(MAP, "0610NE", "0610NE 0601NE", "0601NE 0601SE", "River Strem: hexside 0601NE is named twice.");
    one_flaw(
        MAP,
        "- \"0605NE\"",
        "- \"0605NE\"\n- \"0606NE\"",
        "- \"0606NE\"",
        "There is no road over the bridge at 0606NE.",
    );
    one_flaw(
        MAP,
        "- \"0605NE\"",
        "- \"0605NE\"\n- \"0305SE\"",
        "- \"0305SE\"",
        "There is no river under the bridge at 0305SE.",
    );
    one_flaw(
        MAP,
        "- \"0605NE\"  # Strem, Post road\n",
        "",
        "0105 0205",
        "Road Post road crosses a river at 0605NE without a bridge.",
    );
}

#[test]
fn flaws_of_the_armies() {
    one_flaw(
        ARMIES,
        "{side: french, name: Suchet",
        "{side: frensh, name: Suchet",
        "frensh",
        "There is no side \"frensh\".",
    );
    one_flaw(ARMIES, "code: OUD", "code: LAN", "name: Oudinot, code", "Code LAN is that of Lannes too.");
    one_flaw(ARMIES, "code: OUD", "code: Oud", "code: Oud", "Code \"Oud\" is not three capitals.");
    one_flaw(ARMIES, "commander: lannes", "commander: lanes", "commander: lanes", "There is no leader \"lanes\".");
    one_flaw(
        ARMIES,
        "commander: lannes",
        "commander: kutuzov",
        "commander: kutuzov, french: true",
        "Kutuzov is not of side french.",
    );
    one_flaw(ARMIES, "span: 3}", "span: 3.2}", "3.2", "The span is neither whole nor a half.");
}

#[test]
fn flaws_of_the_set_up() {
    let flaw = |from, to, marker, message| one_flaw(TEACHING, from, to, marker, message);
    flaw("{leader: gazan,", "{leader: gasan,", "gasan", "There is no leader \"gasan\".");
    flaw(
        "{leader: gazan,",
        "{leader: mg_cav_a1,",
        "mg_cav_a1, hex: \"0407\"",
        "Major General Cavalry 1 is a leader of side coalition.",
    );
    flaw("gazan_div: 5", "gasan_div: 5", "gasan_div", "There is no unit \"gasan_div\".");
    flaw("gazan_div: 5", "gazan_div: 7", "gazan_div", "Unit gazan_div has 7 SP; it holds 1 to 6 (¶16).");
    flaw("gazan_div: 5", "gazan_div: 5, suchet: 7", "gazan_div", "Unit suchet is placed twice.");
    flaw(
        "{leader: gazan, hex: \"0407\", units: {gazan_div: 5}}",
        "{leader: oudinot, hex: \"0407\"}",
        "leader: oudinot, hex",
        "Leader oudinot is placed twice.",
    );
    flaw("{nostitz: 2}", "{nostitz: 2, bagr_cav: 2}", "nostitz", "Unit bagr_cav is placed twice.");
    flaw("hex: \"0903\"", "hex: \"9903\"", "9903", "Hex 9903 is off the map.");
    flaw("hex: \"0903\"", "hex: \"0405\"", "leader: mg_cav_f1", "Both sides stand in 0405.");
    flaw(
        "under: kutuzov, hex: \"1005\"",
        "under: kutuzov, hex: \"1203\"",
        "dokhturov",
        "Dokhturov stands more than one hex from kutuzov (¶38).",
    );
    flaw("under: kutuzov", "under: mg_inf_a1", "dokhturov", "mg_inf_a1 leads no force on the map.");
    let message = "Unit nostitz stands without a leader (¶34).";
    flaw("{leader: mg_cav_a1, hex: \"0805\"", "{hex: \"0805\"", "nostitz", message);
    let message = "Garrison gar_ste stands on a leader's track (¶22).";
    flaw("{hex: \"0705\", units", "{leader: mg_inf_a1, hex: \"0705\", units", "gar_ste", message);
    flaw(
        "    center: \"0205\"",
        "    center: \"0407\"",
        "center: \"0407\"",
        "The center at 0407 is not on a primary road (¶178).",
    );
    flaw(
        "    source: \"1205\"",
        "    source: \"1105\"",
        "source: \"1105\"",
        "The active source 1105 is not among the sources.",
    );
    flaw("first_player: french", "first_player: russian", "russian", "There is no side \"russian\".");
    flaw(
        "strategic_points: 2",
        "strategic_points: 2\nholds_out: russian",
        "russian",
        "\"russian\" holds out, and is no side.",
    );
    flaw(
        "strategic_points: 2",
        "strategic_points: 2\ndamaged_bridges: [\"0606NE\"]",
        "damaged",
        "There is no bridge at 0606NE.",
    );
    flaw(
        "name: Waldeck, points: {coalition: 2}",
        "name: Waldeck, points: {coallition: 2}",
        "coallition",
        "There is no side \"coallition\".",
    );
    flaw("ruleset: campaigns", "ruleset: campaign", "ruleset", "Ruleset \"campaign\" is not campaigns.");
}

#[test]
fn flaws_of_command() {
    let gazan = "{leader: gazan, hex: \"0407\", units: {gazan_div: 5}}";
    let gazan_joins = (gazan, "{leader: gazan, under: lannes, hex: \"0205\", units: {gazan_div: 5}}");
    // 1 + 0.5 for his own units, 2 for Oudinot, 2 for Gazan: 5.5 of 6 (¶39).
    // Who stands under another gets no orders of his own, not even as an example.
    let briefed = ("line: \"FORCE Gazan HOLD\"", "line: \"FORCE Lannes HOLD\"");
    assert!(load::board(&edited(TEACHING, &[gazan_joins, briefed])).is_ok());
    let suchet = ("units: {suchet: 7, art5: 2}", "units: {art5: 2}");
    let cavalry = ("{treilhard: 2, walther: 2}", "{treilhard: 2}");
    let three = ("{gazan_div: 5}", "{gazan_div: 5, suchet: 7, walther: 2}");
    let message = "Gazan commands 2.5; his span is 2 (¶35-39).";
    the_flaw(edited(TEACHING, &[suchet, cavalry, three]), TEACHING, "leader: gazan", message);
    // ¶36: a cavalry Major General takes 1 of the span, and 2 with infantry on his track.
    let major = "{leader: mg_cav_f1, hex: \"0405\", units: {treilhard: 2, walther: 2}}";
    let horse = (major, "{leader: mg_cav_f1, under: lannes, hex: \"0205\", units: {treilhard: 2, walther: 2}}");
    let foot = (major, "{leader: mg_cav_f1, under: lannes, hex: \"0205\", units: {suchet: 7}}");
    assert!(load::board(&edited(TEACHING, &[gazan_joins, suchet, horse, briefed])).is_ok());
    let message = "Lannes commands 6.5; his span is 6 (¶35-39).";
    the_flaw(edited(TEACHING, &[gazan_joins, suchet, foot]), TEACHING, "leader: lannes", message);
    let oudinot = "{leader: oudinot, under: lannes, hex: \"0205\", units: {grenadiers: 5}}";
    let chain = "{leader: oudinot, under: lannes, hex: \"0205\"}\n    \
                 - {leader: mg_inf_f1, under: oudinot, hex: \"0205\", units: {grenadiers: 5}}";
    let message = "Oudinot is a subordinate, and has subordinates (¶39).";
    the_flaw(edited(TEACHING, &[(oudinot, chain)]), TEACHING, "leader: oudinot", message);
}

#[test]
fn flaws_of_stacking() {
    let lower = |from, to| {
        let mut files = files(TEACHING);
        let table = files.iter_mut().find(|(path, _)| path == "tables/terrain-effects.yaml").unwrap();
        assert!(table.1.contains(from));
        table.1 = table.1.replace(from, to);
        files
    };
    let message = "0205 holds 14 SP with this force; at most 13 may stand there (¶293).";
    the_flaw(lower("stack_sp: 48", "stack_sp: 13"), TEACHING, "leader: oudinot", message);
    let mut files = lower("fort_stack_sp: 15", "fort_stack_sp: 8");
    let map = files.iter_mut().find(|(path, _)| path == MAP).unwrap();
    map.1 = map.1.replace("name: Rosenau, kind: town", "name: Rosenau, kind: citadel");
    let message = "0205 holds 9 SP with this force; at most 8 may stand there (¶216).";
    the_flaw(files, TEACHING, "leader: lannes", message);
}

#[test]
fn flaws_of_the_track() {
    let flaw = |from: &str, to: &str, marker: &str, message: &str| one_flaw(TEACHING, from, to, marker, message);
    flaw("  3: \"13-14 Nov 1805\"\n", "", "1: \"9-10 Nov", "Turn 3 has no date.");
    let extra = "  3: \"13-14 Nov 1805\"\n  4: \"15-16 Nov 1805\"";
    flaw("  3: \"13-14 Nov 1805\"", extra, "1: \"9-10 Nov", "The calendar names turn 4, which is not played.");
    flaw("  0: Fair", "  1: Fair", "1: Fair", "The weather of turn 0, before the first, is missing.");
    flaw("  0: Fair", "  0: Heat", "0: Heat", "Turn 0: \"Heat\" is not weather of this title (¶71).");
    let track = |lines: &str| format!("strategic_points: 2\n{lines}\n");
    let reinforcement = "reinforcements:\n- {turn: 4, leader: mg_inf_f1, hex: \"0105\"}";
    flaw("strategic_points: 2\n", &track(reinforcement), "turn: 4", "Turn 4 is not on the track.");
    let heavy = "reinforcements:\n- {turn: 2, leader: mg_inf_f1, hex: \"0105\", units: {suchet: 5}}";
    flaw("strategic_points: 2\n", &track(heavy), "{suchet: 5}", "Unit suchet is placed twice.");
    let dutch = "replacements:\n- {turn: 2, side: french, nationality: Frensh, points: {infantry: 1}}";
    flaw("strategic_points: 2\n", &track(dutch), "Frensh", "There is no nationality \"Frensh\".");
    let none = "replacements:\n- {turn: 2, side: french, nationality: French, points: {}}";
    flaw("strategic_points: 2\n", &track(none), "points: {}", "Replacements without points.");
}

#[test]
fn flaws_of_the_tables() {
    let flaw =
        |file: &str, from, to, marker, message| one_flaw(&format!("tables/{file}.yaml"), from, to, marker, message);
    let (crt, attrition) = ("combat-results", "march-attrition");
    flaw("weather", "provenance: house\n", "", "kind:", "Missing field `provenance`.");
    flaw(
        "weather",
        "provenance: house",
        "provenance: rumour",
        "rumour",
        "Unknown variant `rumour`, expected one of house, owner.",
    );
    let weak = load::board(&changed("tables/combat-results.yaml", "1: [\"A3/1\"", "1: [\"A1/2\"")).unwrap_err();
    assert_eq!(weak[0].message, "P-CRT-2: die 1, column 0: the loser's number is too small.");
    flaw(
        crt,
        "affecting: [0,",
        "affecting: [1,",
        "die:",
        "P-CRT-5: each affecting column must be one left of the clear one.",
    );
    flaw(
        crt,
        "\"0/D7**\", \"0/D8**\"",
        "\"0/D8**\", \"0/D7**\"",
        "die:",
        "P-CRT-3: die 0, column 9: the next column is worse.",
    );
    flaw(
        attrition,
        "3: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1]",
        "3: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0]",
        "lines:",
        "P-ATT-1: losses must have rows of one width that never fall to the right.",
    );
    flaw(
        "initiative-comparison",
        "2: [-1, 0, 1, 2, 3]",
        "2: [-1, 0, 2, 2, 3]",
        "matrix:",
        "P-ICM-4: 2 against 3 must be +1 (¶196).",
    );
    flaw(
        "ap-pool",
        "12: [7, 6, 5, 4, 4, 3]",
        "12: [7, 6, 5, 4, 4, 5]",
        "columns:",
        "P-AP-2: the row of 12 must have one entry a column, never rising.",
    );
    flaw("weather", "Rain+Fog", "Fog", "states:", "P-WEA-5: after_dry: Fog: Fog comes only with Snow, Mud or Rain.");
    flaw(
        "terrain-effects",
        "forage: 3.0}",
        "forage: 3.1}",
        "ground:",
        "P-TEC-1: a town and six clear hexes must forage 10.2 (¶276).",
    );
    flaw(
        "bridging",
        "damage: {primary: 3, ",
        "damage: {primary: 1, ",
        "damage:",
        "P-BRG-1: primary work must be dearer than secondary (¶251).",
    );
    flaw("citadels", "source: \"Printed", "source: \"\" # \"Printed", "source:", "The source is empty.");
}

/// ¶350-354, 389, 395: of each table what a single number can break.
#[test]
fn one_number_amiss_in_a_table_is_a_flaw() {
    one_flaw(
        "tables/pursuit.yaml",
        "dice: [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8]",
        "dice: [-1, 0, 1, 2, 3, 4, 5, 6, 7, 9]",
        "dice:",
        "P-PUR-1: dice must run on by ones.",
    );
    one_flaw(
        "tables/morale.yaml",
        "track: [-4, 4]",
        "track: [-4, 0]",
        "track:",
        "P-TRK-4: the track must run from below 0 to above it, and hold its start.",
    );
    // As good as what stands two rows higher, and better than what stands one row higher.
    one_flaw(
        "tables/combat-results.yaml",
        "\"1/D6**\"]",
        "\"0/D7**\"]",
        "die:",
        "P-CRT-4: die 2, column 10: the next higher die is better.",
    );
}

#[test]
fn flaws_of_the_list_of_files() {
    let missing = files(TEACHING).into_iter().filter(|(path, _)| path != "tables/pursuit.yaml").collect();
    the_flaw(missing, TEACHING, "- maps/teaching.yaml", "Table pursuit is missing.");
    let mut twice = files(TEACHING);
    let weather = twice.iter().find(|(path, _)| path == "tables/weather.yaml").unwrap().1.clone();
    twice.push(("tables/zeal.yaml".to_owned(), weather.clone()));
    let message = "Table weather is given by tables/weather.yaml and by tables/zeal.yaml.";
    the_flaw(twice, TEACHING, "- maps/teaching.yaml", message);
    let mut unknown = files(TEACHING);
    unknown.push(("tables/zeal.yaml".to_owned(), weather.replace("table: weather", "table: zeal")));
    let flaws = load::board(&unknown).unwrap_err();
    assert_eq!(
        told(&flaws),
        "tables/zeal.yaml: There is no table \"zeal\" in this game. Correct the name after `table:`.\n"
    );
    let no_map: Files = files(TEACHING).into_iter().filter(|(path, _)| path != MAP).collect();
    assert_eq!(
        told(&load::board(&no_map).unwrap_err()),
        "teaching.yaml: There is no file of kind map. List one under files.\n"
    );
    let flaws = load::board(&changed(MAP, "kind: map", "kind: chart")).unwrap_err();
    assert_eq!(flaws[0].message, "There is no kind of file \"chart\".");
}

#[test]
fn several_flaws_are_told_at_once() {
    let files = edited(
        TEACHING,
        &[("gazan_div: 5", "gazan_div: 9"), ("hex: \"0903\"", "hex: \"9903\""), ("0: Fair", "0: Hail")],
    );
    let flaws = load::board(&files).unwrap_err();
    let lines: Vec<u32> = flaws.iter().map(|f| f.line).collect();
    assert_eq!(flaws.len(), 3, "{}", told(&flaws));
    assert!(lines.is_sorted());
}

#[test]
fn the_schema_knows_every_kind_of_file() {
    let schema: serde_json::Value = serde_json::from_str(&load::schema()).unwrap();
    let kinds = schema["anyOf"].as_array().unwrap();
    assert_eq!(kinds.len(), 17);
    let text = load::schema();
    for word in ["strategic_points", "hexsides", "subordination", "provenance", "woods_infantry_quarters"] {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn a_file_cut_short_never_loads_and_never_panics() {
    let whole = files(TEACHING);
    for (place, (path, text)) in whole.iter().enumerate() {
        for cut in (0..text.trim_end().len()).step_by(211).filter(|&n| text.is_char_boundary(n)) {
            let mut files = whole.clone();
            files[place].1.truncate(cut);
            assert!(load::board(&files).is_err(), "{path} cut at {cut}");
        }
    }
}

#[test]
fn counters_that_are_not_available_are_in_no_other_list() {
    let lists = |names: &str| edited(TEACHING, &[("first_player: french\n", names)]);
    let called = lists("first_player: french\nnot_available: [lannes]\n");
    the_flaw(called, TEACHING, "not_available", "lannes is called into play, and not available (¶421).");
    let unknown = lists("first_player: french\nnot_available: [lanes]\n");
    the_flaw(unknown, TEACHING, "not_available", "There is no leader or unit \"lanes\".");
}

#[test]
fn what_is_not_available_is_not_in_the_game() {
    let name = "1805-moravia-nov30.yaml";
    let mut files = files(name);
    let text = &mut files.iter_mut().find(|(path, _)| path == name).unwrap().1;
    *text = text.replace("\nreinforcements:\n", "\nnot_available: [maltitz]\nreinforcements:\n");
    let board = load::board(&files).unwrap();
    let here = |id: &str| board.units.keys().any(|u| u.0 == id);
    assert!(!here("maltitz") && here("essen2"), "one of two units that nothing calls into play");
}

#[test]
fn replacement_leaders_are_those_that_nothing_else_names() {
    let name = "1805-moravia-nov30.yaml";
    let with = |line: &str| {
        let mut files = files(name);
        let text = &mut files.iter_mut().find(|(path, _)| path == name).unwrap().1;
        *text = text.replace("\nreinforcements:\n", &format!("\n{line}reinforcements:\n"));
        files
    };
    let coalition = "coalition".into();
    let wimpfen = LeaderId("wimpfen".to_owned());
    let silent = load::board(&with("")).unwrap();
    assert!(!silent.names(&wimpfen) && silent.leaders_return(&coalition));
    let marked = load::board(&with("replacement_leaders: [wimpfen]\n")).unwrap();
    assert!(marked.names(&wimpfen) && !marked.leaders_return(&coalition));
    let called = with("replacement_leaders: [kutuzov]\n");
    the_flaw(called, name, "replacement_leaders", "Kutuzov is called into play, and a replacement (¶421).");
    let general = with("replacement_leaders: [mg_cav_a2]\n");
    let message = "Major General Cavalry 2 is a Major General, and so available as it is (¶21).";
    the_flaw(general, name, "replacement_leaders", message);
}

#[test]
fn the_halves_of_a_formation_are_listed_on_one_track() {
    let horse = "arm: cavalry, nationality: Russian, subordination: 0.5, max_sp: 3, move: 7}";
    let with = |foot: &str| format!("{}, foot: {foot}}}", horse.trim_end_matches('}'));
    let apart = edited(ARMIES, &[(horse, &with("dokh"))]);
    the_flaw(apart, TEACHING, "bagr_cav", "bagr_cav and dokh are one formation on two tracks (¶424).");
    let guns = edited(ARMIES, &[(horse, &with("rusart"))]);
    the_flaw(guns, ARMIES, "foot:", "Russian batteries is not the infantry half of Bagration's cavalry (¶424).");
    let none = edited(ARMIES, &[(horse, &with("rusard"))]);
    the_flaw(none, ARMIES, "foot:", "There is no unit \"rusard\".");
}

#[test]
fn a_title_that_contradicts_itself_is_refused_at_its_line() {
    let title = "titles/1805.yaml";
    let both = |group: &str| format!("exceptions:\n  {group}\noptions:\n");
    one_flaw(
        title,
        "options:\n",
        &both("administration: {sources_are_centers: true, fixed_ap: {french: 3}}"),
        "administration",
        "AP come from the sources (¶96, 1792) and as a fixed number (¶96, 1815).",
    );
    one_flaw(
        title,
        "options:\n",
        &both("marches: {administrative: never, administrative_watch: 5}"),
        "marches",
        "There is no Administrative March, and a distance that ends it (¶187-188).",
    );
    one_flaw(
        title,
        "options:\n",
        &both("organization: {fortress_garrisons: true}"),
        "organization",
        "Fortress garrisons stand on tracks (¶132), and garrisons_on_tracks is off.",
    );
    let forage = [("forage: true  ", "forage: false "), ("options:\n", &both("forage: {not_in_zones: true}"))];
    the_flaw(
        edited(title, &forage),
        title,
        "not_in_zones",
        "The title has rules of foraging and does not permit it (¶271).",
    );
}

#[test]
fn flaws_of_trestles_and_redoubts() {
    let title = "titles/1805.yaml";
    let group = "exceptions:\n  redoubts: {provenance: house, source: House., turns: 3, hexsides: 2, doubled: true}\noptions:\n";
    let table = (
        "  train: {pick_up: 2, leave: 0}",
        "  train: {pick_up: 2, leave: 0}\n  trestle: {build: 4, repair: 2, damage: 2, destroy: 3}",
    );
    // The teaching files with both, and something in the scenario.
    let with = |said: &str| {
        let mut all = edited(TEACHING, &[("strategic_points: 2\n", &format!("strategic_points: 2\n{said}\n"))]);
        for (path, from, to) in [(title, "options:\n", group), ("tables/bridging.yaml", table.0, table.1)] {
            let text = &mut all.iter_mut().find(|(file, _)| file == path).unwrap().1;
            *text = text.replacen(from, to, 1);
        }
        all
    };
    let flaw = |said: &str, marker: &str, message: &str| the_flaw(with(said), TEACHING, marker, message);
    assert!(load::board(&with("trestles: [\"0604NE\"]\ndamaged_bridges: [\"0604NE\"]")).is_ok());
    assert!(load::board(&with("redoubts: [{side: french, hex: \"0404\", toward: [\"0504\", \"0505\"]}]")).is_ok());
    flaw("trestles: [\"0605NE\"]", "trestles", "No trestle can stand at 0605NE (¶61).");
    flaw("trestles: [\"0604NE\", \"0604NE\"]", "trestles", "The trestle at 0604NE is named twice.");
    let redoubt = |fields: &str| format!("redoubts: [{{{fields}}}]");
    let at = |said: &str, message: &str| flaw(&redoubt(said), "redoubts", message);
    at("side: french, hex: \"9904\", toward: [\"0504\"]", "Hex 9904 is off the map.");
    at("side: prussian, hex: \"0404\", toward: [\"0504\"]", "There is no side \"prussian\".");
    at("side: french, hex: \"0404\", toward: []", "The redoubt at 0404 has 0 hexsides (¶295).");
    at("side: french, hex: \"0404\", toward: [\"0504\", \"0604\"]", "0604 is not beside 0404.");
    at("side: french, hex: \"0404\", toward: [\"0504\"], turns_left: 3", "3 turns of digging are left of 3 (¶295).");
    let none = "strategic_points: 2\ntrestles: [\"0604NE\"]\n";
    let message = "The title's Bridging Summary has no trestles (¶61).";
    one_flaw(TEACHING, "strategic_points: 2\n", none, "trestles", message);
    let none = "strategic_points: 2\nredoubts: [{side: french, hex: \"0404\", toward: [\"0504\"]}]\n";
    one_flaw(TEACHING, "strategic_points: 2\n", none, "redoubts", "The title has no redoubts (¶295).");
    let never = group.replace("turns: 3", "turns: 0");
    one_flaw(title, "options:\n", &never, "redoubts", "A redoubt takes 0 turns of digging (¶295).");
    let round = group.replace("hexsides: 2", "hexsides: 7");
    one_flaw(title, "options:\n", &round, "redoubts", "A redoubt would have 7 hexsides (¶295).");
}

#[test]
fn what_a_scenario_names_for_its_title_is_checked_at_its_line() {
    let special = |group: &str| format!("strategic_points: 2\nspecial:\n  {group}\n");
    let flaw = |group: &str, marker: &str, message: &str| {
        one_flaw(TEACHING, "strategic_points: 2\n", &special(group), marker, message);
    };
    flaw("no_commands: [kutusow]", "no_commands", "There is no leader \"kutusow\".");
    flaw("loc_roads: [\"1399\"]", "loc_roads", "Hex 1399 is off the map.");
    flaw("source_fixed_until: {prussian: 2}", "source_fixed_until", "There is no side \"prussian\".");
    flaw(
        "commander_after: {coalition: {withdrawn: kutuzov, then: bagration}}",
        "commander_after",
        "kutuzov is never withdrawn, so the army has no commander at all (¶113).",
    );
    flaw(
        "source_conditions: [{side: french, source: \"0205\", won_with: \"0705\"}]",
        "source_conditions",
        "0205 is no source of french.",
    );
    flaw(
        "source_conditions: [{side: french, source: \"0105\", won_with: \"0405\"}]",
        "source_conditions",
        "0405 is no objective, so nobody is known to hold it.",
    );
}

#[test]
fn crests_are_hexsides_or_hexes_as_the_title_has_them() {
    one_flaw(
        MAP,
        "\"02\": \"..ww....hhh.\"",
        "\"02\": \"..ww....hcC.\"",
        "hcC",
        "1002 is a crest, and in this title crests are hexsides (¶215).",
    );
}

//! Words on paper.

use estafette::text::{
    Column, Table, and_list, ascii, fold, halves, nearest, number, ordinal, plural, same_name, width, wrap,
};
use proptest::prelude::*;

#[test]
fn an_event_hangs_under_its_number() {
    let text = "Weather: Fair.  A die of 2 after dry weather. [¶70, house table]";
    assert_eq!(
        wrap(text, 40, "  1  ", 5),
        ["  1  Weather: Fair.  A die of 2 after", "     dry weather. [¶70, house table]"]
    );
}

#[test]
fn a_note_is_not_broken() {
    let lines = wrap("He went there at once. [¶241, 242]", 30, "", 2);
    assert_eq!(lines, ["He went there at once.", "  [¶241, 242]"]);
}

#[test]
fn a_long_word_is_broken_to_fit() {
    assert_eq!(wrap("a bcdefghijkl m", 6, "", 1), ["a", " bcdef", " ghijk", " l m"]);
    assert_eq!(wrap("", 6, "  1", 1), ["  1"]);
}

#[test]
fn columns_stand_and_the_last_one_wraps() {
    let table = Table::new(&[Column::left(), Column::right().wide(3), Column::left()], 24);
    let rows = [vec!["MUR", "4", "Nansouty 1 Beaumont 2"], vec!["MC1", "13", ""], vec!["é"]];
    assert_eq!(table.lines(&rows), ["  MUR    4  Nansouty 1", "            Beaumont 2", "  MC1   13", "  é"]);
}

#[test]
fn plain_letters() {
    assert_eq!(ascii("Göllersdorf, Brünn, Saß, Žďár [¶242] · ½"), "Goellersdorf, Bruenn, Sass, Zdar [242] ; 1/2");
    assert_eq!(ascii("SCHÖNGRABERN Österreich A\u{308}"), "SCHOENGRABERN Oesterreich Ae");
    assert_eq!(ascii("漢"), "?");
}

#[test]
fn names_match_without_accents_and_case() {
    assert_eq!(fold("DURENSTEIN"), fold("Dürenstein"));
    assert!(same_name("duernstein", "Dürnstein"));
    assert!(same_name("D’Hautpoul", "d'hautpoul"));
    assert!(!same_name("Krems", "Kremsier"));
}

#[test]
fn a_near_miss_finds_the_nearest() {
    let places = ["Krems", "Hollabrunn", "Brünn", "Guntersdorf"];
    assert_eq!(nearest("hollabrun", places), Some("Hollabrunn"));
    assert_eq!(nearest("BRUNN", places), Some("Brünn"));
    assert_eq!(nearest("Kerms", places), Some("Krems"));
    assert_eq!(nearest("Paris", places), None);
}

#[test]
fn numbers_in_words() {
    assert_eq!([1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal).join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 112th");
    assert_eq!([number(0), number(3), number(12), number(13)].join(" "), "no three twelve 13");
    assert_eq!(plural(1u32, "hex", "hexes"), "1 hex");
    assert_eq!(plural(0, "hex", "hexes"), "0 hexes");
    assert_eq!([0, 1, 7, 10].map(halves).join(" "), "0 0.5 3.5 5");
    assert_eq!(and_list(&["a", "b", "c"]), "a, b and c");
}

proptest! {
    #[test]
    fn wrapped_lines_fit_and_lose_nothing(text in "[a-zé\\[\\] .]{0,200}", wide in 12usize..60, hang in 0usize..8) {
        let lines = wrap(&text, wide, "  1 ", hang);
        for line in &lines {
            prop_assert!(width(line) <= wide, "{line:?}");
            prop_assert!(!line.ends_with(' '), "{line:?}");
        }
        let letters = |s: &str| s.chars().filter(|c| *c != ' ').collect::<String>();
        prop_assert_eq!(letters(&lines.concat()), format!("1{}", letters(&text)));
    }

    #[test]
    fn plain_text_is_plain(text in "\\PC{0,60}") {
        prop_assert!(ascii(&text).is_ascii());
    }
}

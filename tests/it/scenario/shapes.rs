//! What the one reader of YAML makes of each shape, and where it says that a shape is wrong.

use estafette::yaml::{self, At, Decimal, Flaw};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shapes {
    #[serde(default)]
    hex: Option<At<String>>,
    #[serde(default)]
    word: Option<String>,
    #[serde(default)]
    count: Option<u8>,
    #[serde(default)]
    tenths: Option<Decimal>,
    #[serde(default)]
    truth: bool,
    #[serde(default)]
    arm: Option<Arm>,
    #[serde(default)]
    either: Option<Either>,
    #[serde(default)]
    losses: Vec<(i32, String)>,
    #[serde(default)]
    hexes: BTreeMap<String, u32>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Arm {
    Foot,
    Guns { calibre: u32 },
    Both(Vec<String>),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Words(Vec<String>),
}

fn read(text: &str) -> Shapes {
    yaml::read("shapes.yaml", text).unwrap_or_else(|flaw: Flaw| panic!("{text}: {flaw}"))
}

fn flaw(text: &str) -> (u32, u32, String) {
    let flaw = yaml::read::<Shapes>("shapes.yaml", text).expect_err(text);
    (flaw.line, flaw.column, flaw.message)
}

#[test]
fn a_number_keeps_its_zeros_where_a_word_is_wanted() {
    let ways =
        ["hex: 0305", "# a\n\nhex:   0305  # of the map", "{hex: 0305}", "\u{feff}hex: 0305", "word: &h 0305\nhex: *h"];
    for text in ways {
        let hex = read(text).hex.unwrap();
        assert_eq!(hex.value, "0305", "{text}");
        let line = text.lines().position(|line| line.contains("hex:")).unwrap() + 1;
        assert_eq!(hex.line as usize, line, "{text}");
    }
    // Letters of more than one byte before it move nothing.
    assert_eq!(read("word: Dürenstein – Krems\nhex: 0x1F").hex.unwrap().value, "0x1F");
    for word in ["12", "0.50", "true", "1e3", "+7", "\"07\"", "'null'"] {
        assert_eq!(read(&format!("word: {word}")).word.unwrap(), word.trim_matches(['"', '\'']));
    }
    assert_eq!(read("hexes: {0305: 1, 0x10: 2}").hexes.into_keys().collect::<Vec<_>>(), ["0305", "0x10"]);
}

#[test]
fn numbers_truths_enums_and_either_of_two_shapes_are_read() {
    assert_eq!(read("count: 12").count, Some(12));
    assert_eq!(read("count: \"12\"").count, Some(12));
    assert_eq!(read("tenths: -1.5").tenths.unwrap().tenths, -15);
    assert_eq!(read("tenths: 3").tenths.unwrap().tenths, 30);
    assert!(read("truth: true").truth);
    assert_eq!(read("arm: foot").arm, Some(Arm::Foot));
    assert_eq!(read("arm: {guns: {calibre: 12}}").arm, Some(Arm::Guns { calibre: 12 }));
    assert_eq!(read("arm:\n  both: [a, 07]").arm, Some(Arm::Both(vec!["a".into(), "07".into()])));
    assert_eq!(read("either: -3").either, Some(Either::Number(-3)));
    assert_eq!(read("either: [x]").either, Some(Either::Words(vec!["x".into()])));
    assert_eq!(read("losses: [[-1, a], [2, b]]").losses, [(-1, "a".into()), (2, "b".into())]);
    let none = read("");
    assert!(none.hex.is_none() && none.losses.is_empty());
    assert!(read("word:\ncount: ~\n").word.is_none());
    assert!(yaml::read::<Vec<u32>>("list.yaml", "# nothing\n").unwrap().is_empty());
}

#[test]
fn what_is_of_another_shape_is_told_at_its_place() {
    let number = "A whole number is wanted here, or a smaller one.";
    assert_eq!(flaw("word: a\ncount: many"), (2, 8, number.into()));
    assert_eq!(flaw("count: 256"), (1, 8, number.into()));
    assert_eq!(flaw("count: -1"), (1, 8, number.into()));
    assert_eq!(flaw("truth: yes"), (1, 8, "Only true or false may stand here.".into()));
    assert_eq!(flaw("hex: [a]"), (1, 6, "A single value is wanted here, not a list or a map.".into()));
    assert_eq!(flaw("losses: 3"), (1, 9, "A list is wanted here.".into()));
    assert_eq!(flaw("losses:\n- [1, a]\n- [x, b]"), (3, 4, number.into()));
    assert_eq!(flaw("hexes: [1]"), (1, 8, "A map of keys and values is wanted here.".into()));
    assert_eq!(flaw("arm: {guns: {}}"), (1, 6, "Missing field `calibre`.".into()));
    assert_eq!(flaw("arm: {foot: 3}").2, "This word stands alone, with nothing behind it.");
    assert_eq!(flaw("arm: guns").2, "Something is wanted behind this key.");
    assert_eq!(flaw("arm: {foot: ~, guns: ~}"), (1, 6, "One key alone is wanted here.".into()));
    assert_eq!(flaw("arm: horse"), (1, 6, "Unknown variant `horse`, expected one of foot, guns, both.".into()));
    assert_eq!(flaw("word: a\n\nwort: b").0, 3);
    assert_eq!(flaw("tenths: 0.25"), (1, 9, "\"0.25\" is not a number with at most one decimal.".into()));
    // What is no YAML, and a key that stands twice, are told by the reader itself.
    assert_eq!(flaw("word: a\nword: b").0, 2);
    assert_eq!(flaw("word: [a").0, 1);
    let deep = "[".repeat(40);
    assert!(flaw(&format!("either: {deep}")).2.len() > 5);
}

//! What CHECK says of a march beforehand: the faces of the die, the column of attrition, its odds.

use super::warned::position;
use estafette::orders;
use estafette::rules::Ruleset;
use estafette::rules::campaigns::Campaigns;
use serde_json::json;

/// What CHECK says of an order to Gazan, who stands in 0205 with so many SP while his side has so many AP.
fn said(at: &str, (ap, sp): (i32, i32), line: &str) -> Vec<String> {
    let before = json!({"bare": true, "at": at, "sides": {
        "french": {"ap": ap, "leaders": {"gazan": {"hex": "0205", "units": {"gazan_div": sp}}}},
        "coalition": {"leaders": {"kutuzov": {"hex": "1002", "units": {"milo": 6}}}}}});
    let view = position::<Campaigns>("teaching.yaml", "french", before);
    let order = orders::bind(Campaigns::verbs(), &view, &orders::line(1, line)).unwrap();
    Campaigns::check(&view, &order).unwrap()
}

/// ¶192-194: his initiative is 3.
#[test]
fn check_tells_what_each_of_the_six_faces_allows() {
    let lines = said("own french", (5, 5), "FORCE Gazan INITIATIVE MARCH 0205 0305 0405");
    let results = lines.iter().filter(|line| line.contains(" MP, to ") || line.ends_with("stays"));
    let faces = |line: &String| -> Vec<String> {
        line.split_whitespace().skip_while(|word| *word != "die").skip(1).take(2).map(str::to_owned).collect()
    };
    let found: Vec<Vec<String>> = results.map(faces).collect();
    assert_eq!(found, [["1-2", "1/3"], ["3", "1/6"], ["4-5", "1/3"], ["6", "1/6"]], "{lines:#?}");
}

/// ¶74, 171, 185: a command costs one AP, an Extended March another; 4 AP open the third column.
#[test]
fn check_tells_the_column_of_the_stock_after_the_command() {
    for (ap, how, column) in [(5, "COMMAND", "5+"), (5, "COMMAND EXTENDED 1", "3+"), (4, "COMMAND", "3+")] {
        let lines = said("own french", (ap, 5), &format!("FORCE Gazan {how} MARCH 0205 0305 0405"));
        let wanted = format!("attrition      column {column}, 5 SP, die +0");
        assert!(lines.contains(&wanted), "{wanted} of {ap} AP by {how}: {lines:#?}");
    }
}

/// ¶262: who fails to set out on a Forced March rolls for nothing.
#[test]
fn check_tells_no_attrition_of_a_forced_march_that_fails() {
    let lines = said("reaction coalition", (5, 5), "FORCE Gazan FORCED MARCH 0205 0305 0405");
    assert!(lines.iter().any(|line| line.ends_with("stays")), "{lines:#?}");
    let rolled: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| line.contains(" MP: ")).collect();
    assert!(rolled.len() == 1 && rolled[0].starts_with("1 MP: "), "{lines:#?}");
}

/// ¶186: only MP above the allowance are extra ones.
#[test]
fn an_extended_march_within_the_allowance_has_the_odds_of_a_plain_one() {
    let odds = |how: &str| -> Vec<String> {
        let lines = said("own french", (3, 28), &format!("FORCE Gazan {how} MARCH 0205 0305 0405"));
        lines.into_iter().filter(|line| line.contains(" MP: ") || line.contains(" in all ")).collect()
    };
    let plain = odds("COMMAND");
    assert!(plain.len() == 2 && plain[0].contains("1 SP 1/6"), "{plain:?}");
    assert_eq!(odds("COMMAND EXTENDED 1"), plain);
}

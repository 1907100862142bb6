//! The field of Durenstein as a seat sees it.

use super::units::roster;
use crate::report::field::roster::Style;
use crate::rules::brave_fellows::values;
use crate::rules::brave_fellows::view::View;

/// How the maps are drawn.
pub static STYLE: Style = Style {
    glyph,
    close: "LARGE own, small enemy; 2x4L is 2 fresh units, 3APS 3, 4L+ 4L and others; f some tired, r some run; * leader; ground v T W G ~, level, facing; / | \\ road",
    whole: "whole field: F foot, H horse, G guns, small the enemy's; * leader; v vineyard, T town, W wall, ~ river; 1-3 level",
    example: "Oberloiben",
    mixed: true,
};

fn glyph(ground: &str) -> Option<char> {
    match ground {
        "vineyard" => Some('v'),
        "town" => Some('T'),
        "walled_road" => Some('W'),
        "grand_battery" => Some('G'),
        "river" => Some('~'),
        "out_of_play" => None,
        _ => Some(' '),
    }
}

/// What the characters mean.
pub fn legend(v: &View) -> Vec<String> {
    let mut lines = vec![
        "Close-up: a cell is three lines.".to_owned(),
        "2x4L    who stands there, own in LARGE letters: 2 fresh units of 4L;".to_owned(),
        "        3APS 3 of APS; 4L f some or all of them tired, 4L r some run;".to_owned(),
        "        8J+ others stand with 8J, SM+ with SMO: UNITS and ENEMY name all".to_owned(),
        "2014*   the hex; * a leader is there".to_owned(),
        "v1NE    ground, level, facing; ** all round, ?? too far to tell,".to_owned(),
        "        nothing: no front".to_owned(),
        "/ | \\   the road".to_owned(),
        "Ground: v vineyard, T town, W walled road, G grand battery, ~ river.".to_owned(),
        "Fire    - nothing; C each unit checks, C1 C2 at +1 +2; F one tires,".to_owned(),
        "        the others C1; R all tire and go back 1 hex; X one is lost, the others C2. Who is tired runs instead. [6.3.8]"
            .to_owned(),
        "Melee   NE nothing; AF DF attackers or defenders tire; AR DR they go back too, 1 hex or 2; AE DE one is lost, the \
         others tire, defenders go back; DX all defenders are lost. [6.4.7]"
            .to_owned(),
    ];
    lines.push("Values of a counter, as UNITS and ENEMY have them:".to_owned());
    lines.extend(values::all().map(|line| format!("{line:8}")));
    let codes = roster(v, 0).codes();
    if !codes.is_empty() {
        lines.push(format!("Short names: {}.", codes.join(", ")));
    }
    lines
}

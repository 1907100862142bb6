//! The field of a great battle as a seat sees it.

use crate::report::field::roster::Style;
use crate::rules::great_battles::eyes::masked;
use crate::rules::great_battles::view::{View, codes};

/// How the maps are drawn.
const OPEN: Style = Style {
    glyph,
    close: "LARGE own, small enemy; then c column, l line, k skirmish, q square, d disorder, b u guns, r runs; 2C11 is 2 units; * leader; \
            below: ground, level, hour faced; / | \\ road, ~ stream, : ditch",
    whole: "whole field: F foot, H horse, G guns, small the enemy's; * leader; 1-6 level; V village, w woods, o orchard, v vineyard, s \
            swamp, p pond",
    example: "Telnitz",
    mixed: false,
};
/// The same where counters far off have no face.
const MASKED: Style = Style {
    close: "LARGE own, small enemy; then c column, l line, k skirmish, q square, d disorder, b u guns, r runs, ? too far; 2C11 is 2 units; * \
            leader; below: ground, level, hour faced; / | \\ road, ~ stream, : ditch",
    ..OPEN
};

/// How the maps of a view are drawn.
pub fn style_of(v: &View) -> &'static Style {
    if masked(&v.state) { &MASKED } else { &OPEN }
}

fn glyph(ground: &str) -> Option<char> {
    Some(match ground {
        "village" => 'V',
        "castle" => 'C',
        "woods" => 'w',
        "orchard" => 'o',
        "vineyard" => 'v',
        "swamp" => 's',
        "pond" => 'p',
        _ => ' ',
    })
}

/// What the characters mean.
pub fn legend(v: &View) -> Vec<String> {
    let mut lines = vec![
        "Close-up: a cell is three lines.".to_owned(),
        "2C11    who stands there, own in LARGE letters: 2 units; behind one of them how".to_owned(),
        format!(
            "        it stands: c column, l line, k skirmish, q square, d disorder, b limbered, u unlimbered; r runs{}",
            if masked(&v.state) { "; ? too far" } else { "" }
        ),
        "2014*   the hex; * a leader is there".to_owned(),
        "v1 3    ground, level, the hour that they face; ** all round".to_owned(),
        "/ | \\   the road; ~ stream, = river, : ditch, # wall along the hexside".to_owned(),
        "Hours   12 N, 2 NE, 4 SE, 6 S, 8 SW, 10 NW; odd hours are corners. [6.1]".to_owned(),
        "Ground: V village, C castle, w woods, o orchard, v vineyard, s swamp, p pond.".to_owned(),
    ];
    let codes = codes(v);
    let own = codes.iter().filter(|(id, code)| v.state.pose(id).is_some() && id != code);
    let own: Vec<String> = own.map(|(id, code)| format!("{code} {id}")).collect();
    if !own.is_empty() {
        lines.push(format!("Short names: {}.", own.join(", ")));
    }
    lines
}

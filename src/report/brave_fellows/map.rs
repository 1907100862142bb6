//! The field of Durenstein as a seat sees it.

use super::units::{code, mine};
use crate::hex::Hex;
use crate::host::paper::Drawing;
use crate::orders::Fault;
use crate::report::field::{self, Chart, Mark, Window};
use crate::rules::brave_fellows::board::Arm;
use crate::rules::brave_fellows::state::{Mood, Segment};
use crate::rules::brave_fellows::view::{COUNTER, View, word};
use crate::text;
use std::collections::BTreeMap;

/// Rows of hexes of a close-up.
const ROWS: i16 = 7;
/// Units that are no nearer to an enemy are not what a close-up is for.
const NEAR: u32 = 6;

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

/// What stands where: of a hex the unit of which most is said.
fn chart(v: &View) -> Chart<'_> {
    let s = &v.state;
    let mut stacks: BTreeMap<Hex, Vec<&String>> = BTreeMap::new();
    for (id, _, hex) in s.counters().filter(|(id, ..)| !s.is_battery(id)) {
        stacks.entry(hex).or_default().push(id);
    }
    let mut marks: BTreeMap<Hex, Mark> = BTreeMap::new();
    for (hex, ids) in &stacks {
        let any = |mood: Mood| ids.iter().any(|id| s.is(*id, |u| u.mood == mood));
        let state = match ids.len() {
            _ if any(Mood::Routed) => 'r',
            _ if any(Mood::Fatigued) => 'f',
            1 => ' ',
            many => char::from_digit(u32::try_from(many).unwrap_or(9).min(9), 10).unwrap_or('9'),
        };
        let Some(first) = ids.first() else { continue };
        let facing = s.units.get(*first).map_or("", |u| u.facing.name());
        let facing = match s.front(first).len() {
            _ if s.is(*first, |u| u.dim) => "??",
            0 => "",
            6 => "**",
            _ => facing,
        };
        let token = code(v, first);
        let token = if mine(v, first) { token.to_uppercase() } else { token.to_lowercase() };
        marks.insert(*hex, Mark { token, state, facing: facing.to_owned(), leader: false });
    }
    for leader in s.leaders.values() {
        if let Some(hex) = leader.hex {
            let mark = marks.entry(hex).or_insert_with(|| Mark { state: ' ', ..Mark::default() });
            mark.leader = true;
        }
    }
    Chart { field: &s.board.field, glyph, marks }
}

/// The hex round which a seat would look: where its units that may act are nearest to the enemy.
fn middle(v: &View) -> Option<Hex> {
    let s = &v.state;
    let foes: Vec<Hex> =
        s.standing().filter(|(id, ..)| !mine(v, id) && !s.is_battery(id)).map(|(.., hex)| hex).collect();
    let near = |hex: Hex| foes.iter().map(|foe| foe.distance(hex)).min().unwrap_or(u32::MAX);
    let acts = s.segment > Segment::Activation;
    let own = s.standing().filter(|(id, u, _)| mine(v, id) && !s.is_battery(id) && (u.active || !acts));
    own.map(|(_, u, hex)| (near(hex), u.used && !u.active, hex)).min().map(|(.., hex)| hex)
}

fn key() -> &'static str {
    "LARGE own, small enemy, 2-9 fresh units, f one tired, r one runs; * leader; ground v T W G ~, level, facing; / | \\ road"
}

fn round(v: &View, hex: Hex, width: usize) -> Drawing {
    let window = Window::round(&v.state.board.field, hex, ROWS, width);
    Drawing { title: format!("round {hex}: {}", key()), lines: field::close(&chart(v), window), ..Drawing::default() }
}

/// The close-up of a stage mail: round the units that may act, where an enemy is near.
pub fn close(v: &View, width: usize) -> Option<Drawing> {
    middle(v).map(|hex| round(v, hex, width))
}

/// The whole field.
pub fn whole(v: &View) -> Drawing {
    let s = &v.state;
    let sign = |hex: Hex| {
        let unit = s.counters().find(|(id, _, at)| *at == hex && !s.is_battery(id)).map(|(id, ..)| id);
        let letter = |id: &String| match s.kind(id).map(|kind| kind.arm) {
            _ if s.kind(id).is_some_and(|kind| word(kind) == COUNTER) => '?',
            Some(Arm::Cav) => 'h',
            Some(Arm::Art) => 'g',
            _ => 'f',
        };
        match unit {
            Some(id) if mine(v, id) => Some(letter(id).to_ascii_uppercase()),
            Some(id) => Some(letter(id)),
            None => s.leaders.values().any(|l| l.hex == Some(hex)).then_some('*'),
        }
    };
    let title = "whole field: F foot, H horse, G guns, small the enemy's; * leader; v vineyard, T town, W wall, ~ river; 1-3 level";
    let lines = field::whole(&chart(v), sign);
    Drawing { title: title.to_owned(), lines, theatre: true, ..Drawing::default() }
}

/// The maps of a whole report.
pub fn maps(v: &View, width: usize) -> Vec<Drawing> {
    close(v, width).into_iter().chain([whole(v)]).collect()
}

/// What the characters mean.
pub fn legend(v: &View) -> Vec<String> {
    let mut lines = vec![
        "Close-up: a cell is three lines.".to_owned(),
        "4L 2    who stands there, own in LARGE letters; 2-9 fresh units,".to_owned(),
        "        f one of them tired, r one of them runs".to_owned(),
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
    let own = v.state.standing().map(|(id, ..)| id).filter(|id| mine(v, id));
    let mut codes: Vec<String> = own
        .filter_map(|id| Some((code(v, id), v.state.kind(id)?.regiment.clone())))
        .filter(|(c, r)| c != r)
        .map(|(c, r)| format!("{c} {r}"))
        .collect();
    codes.dedup();
    if !codes.is_empty() {
        lines.push(format!("Short names: {}.", codes.join(", ")));
    }
    lines
}

/// MAP and an area.
///
/// # Errors
/// The fault of the area's name.
pub fn area(v: &View, area: Option<&str>, width: usize) -> Result<Vec<String>, Fault> {
    let drawn = |drawing: Drawing| text::wrap(&drawing.title, width, "", 2).into_iter().chain(drawing.lines).collect();
    let Some(area) = area else { return Ok(drawn(whole(v))) };
    if area.eq_ignore_ascii_case("KEY") {
        return Ok(legend(v).iter().flat_map(|line| text::wrap(line, width, "", 8)).collect());
    }
    let s = &v.state;
    let named = |name: &str| text::same_name(name, area);
    let unit = || s.standing().find(|(id, ..)| named(id) || s.kind(id).is_some_and(|k| named(&k.regiment)));
    let leader = || s.leaders.iter().find(|(name, _)| named(name)).and_then(|(_, l)| l.hex);
    let place =
        || s.board.field.places.iter().find(|(name, _)| named(name)).and_then(|(_, hexes)| hexes.first().copied());
    let on = |hex: &Hex| s.board.field.cells.contains_key(hex);
    let hex = Hex::parse(area).filter(on).or_else(|| unit().map(|(.., hex)| hex)).or_else(leader).or_else(place);
    hex.map(|hex| drawn(round(v, hex, width))).ok_or_else(|| {
        let names = s.board.field.places.keys().map(String::as_str).chain(s.leaders.keys().map(String::as_str));
        Fault::unclear(area, "a hex, a unit, a leader or a town", names, Some("MAP Oberloiben".to_owned()))
    })
}

/// Whether units of both sides stand so near that a close-up is worth its lines.
pub fn in_touch(v: &View) -> bool {
    let s = &v.state;
    let foes: Vec<Hex> = s.standing().filter(|(id, ..)| !mine(v, id)).map(|(.., hex)| hex).collect();
    let near = |hex: Hex| foes.iter().any(|foe| foe.distance(hex) <= NEAR);
    s.standing().any(|(id, _, hex)| mine(v, id) && !s.is_battery(id) && near(hex))
}

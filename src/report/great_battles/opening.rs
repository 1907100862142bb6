//! What the opening mail says beside the report, and how the game is won.

use super::name;
use crate::report::field::{paper, worded};
use crate::rules::great_battles::board::{ALLIED, FRENCH, Visibility, other};
use crate::rules::great_battles::eyes::{masked, veiled};
use crate::rules::great_battles::victory::{points, verdict};
use crate::rules::great_battles::view::View;
use crate::text;

/// 11.3 How the game is won, and how it stands.
pub fn victory(v: &View) -> Vec<String> {
    let s = &v.state;
    let won = &s.board.scenario.victory;
    let scores = if won.scores_for.0 == FRENCH { "The French score" } else { "The Allies score" };
    let places: Vec<String> =
        won.places.iter().map(|(place, points)| format!("{points} for {}{}", worded(place), hexes(v, place))).collect();
    let mut lines = vec![format!("{scores} for each place that they hold: {}.", text::and_list(&places))];
    lines.push(format!("Each side scores {} for an enemy's division at Breakpoint. [11.2]", won.division));
    if won.corps > 0 {
        lines.push(format!("And {} for a corps of which all divisions are. [11.3]", won.corps));
    }
    if let Some(exits) = &won.exits {
        let who = if exits.side.0 == FRENCH { "French" } else { "Allied" };
        lines.push(format!("1 for each {} {who} SP that EXIT by the hexes of column {:02}.", exits.per, exits.column));
    }
    lines.push(format!("Allied points less French points, when turn {} ends:", s.board.scenario.turns.1));
    lines.push(format!(
        "{} or more, the Allies win; {} or less, the French; between, a draw.",
        won.allied_margin, won.french_margin
    ));
    let first =
        if won.held_by.0 == FRENCH { "The French hold all of them at first." } else { "The Allies hold all at first." };
    lines.push(format!("A place is held by who last had unrouted foot in more than half of its hexes. {first}"));
    if !veiled(s) && !s.places.is_empty() {
        let held = s.places.iter().map(|(place, side)| format!("{} {}", worded(place), name(side)));
        lines.push(format!("Held now: {}.", held.collect::<Vec<_>>().join(", ")));
    }
    lines.push(format!("{}.", text::capital(&score(v))));
    lines.into_iter().flat_map(|line| text::wrap(&line, text::WIDTH, "  ", 4)).collect()
}

/// The hexes of a place, in brackets.
fn hexes(v: &View, place: &str) -> String {
    let all = v.state.board.ground.field.places.get(place);
    let all: Vec<String> = all.into_iter().flatten().map(ToString::to_string).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join(" ")) }
}

/// How the game stands, in one line.
pub fn score(v: &View) -> String {
    let s = &v.state;
    if !veiled(s) {
        let [french, allied] = [FRENCH, ALLIED].map(|side| points(s, &side.into()));
        let winner = match verdict(s).0 {
            Some(side) => format!("the {} would win now", name(&side)),
            None => "it would be a draw now".to_owned(),
        };
        return format!("points: Allied {allied}, French {french}; {winner}");
    }
    let broken = s.board.divisions.keys().filter(|id| s.board.side_of(id) == Some(&v.side) && s.is_division_broken(id));
    let broken: Vec<&str> = broken.map(String::as_str).collect();
    let said = if broken.is_empty() { "none".to_owned() } else { broken.join(" ") };
    let held = held(v);
    let held = if held.is_empty() { held } else { format!("as far as you know: {held}; ") };
    format!("{held}your divisions at Breakpoint: {said}; {}", known(v, broken.len()))
}

/// Who holds which place, as far as the reader knows.
pub fn held(v: &View) -> String {
    let held = v.state.places.iter().map(|(place, side)| format!("{} {}", worded(place), name(side)));
    held.collect::<Vec<_>>().join(", ")
}

/// 11.3 The points that a side knows of: a place is taken to be held by who held it first until it is seen otherwise, and the
/// enemy's divisions at Breakpoint are not counted.
fn known(v: &View, broken: usize) -> String {
    let won = &v.state.board.scenario.victory;
    let holder = |place: &String| v.state.places.get(place).unwrap_or(&won.held_by);
    let places: i32 =
        won.places.iter().filter(|(place, _)| *holder(place) == won.scores_for).map(|(_, points)| *points).sum();
    let hurt = won.division * i32::try_from(broken).unwrap_or_default();
    let of = |side: &str| {
        let scored = if won.scores_for.0 == side { places } else { 0 };
        let exits = won.exits.as_ref().filter(|exits| exits.side == v.side && v.side.0 == side);
        let left = exits.map_or(0, |exits| v.state.exited / exits.per.max(1));
        scored + left + if v.side.0 == side { 0 } else { hurt }
    };
    format!("points that you know of: Allied {}, French {}", of(ALLIED), of(FRENCH))
}

/// Whom the seat commands against whom, and what a turn asks of it.
pub fn what(v: &View) -> Vec<String> {
    let s = &v.state;
    let enemy = other(&v.side);
    let mut what = vec![paper::against(name(&v.side), name(&enemy), s.board.scenario.solo.contains(&enemy))];
    what.push(
        "A hex is 150 yards, a unit a battalion or a regiment, a turn 20 minutes. Each division has a marker (LIM); the \
         markers in the pool are drawn one by one, and whose is drawn, acts. You get a letter when a turn opens, and when one \
         of your commands may act."
            .to_owned(),
    );
    what.push(if veiled(s) {
        "You see only what your units and leaders see: beside them always, along an open line as far as the weather lets them. \
         An enemy has a tag, such as E5; e5 is where he was last seen. On the map all enemies are small, and x marks who was last seen there. Which of the enemy's commands acts, you are not told. \
         [H.1, H.2, H.7]"
            .to_owned()
    } else {
        "All counters lie open; what you write for the opening of a turn is secret.".to_owned()
    });
    if masked(s) {
        what.push(
            "The game is masked: of an enemy far off you see the arm, and of a stack the top counter. How he stands you see \
             from four hexes on, in mist from half of the sight. A counter without a face may be a dummy, that is nobody; each \
             larger division has one. HELP MASKED and HELP DUMMY say more. [H.12]"
                .to_owned(),
        );
    }
    let last = s.board.scenario.turns.1;
    let weather = s.board.scenario.visibility.iter().filter(|mist| mist.turns.0 <= last);
    let weather: Vec<String> = weather.map(|mist| sight(mist, last)).collect();
    if veiled(s) && !weather.is_empty() {
        what.push(format!("Sight: {}. [H.1]", weather.join("; ")));
    }
    what
}

/// How many units the seat commands.
pub fn count(v: &View) -> String {
    let units = v.state.standing().filter(|(id, ..)| v.state.is_of(id, &v.side)).count();
    text::plural(i64::try_from(units).unwrap_or(i64::MAX), "unit", "units")
}

/// H.1 How far is seen in some turns, of those that are played.
fn sight(mist: &Visibility, last: u32) -> String {
    let (from, to) = (mist.turns.0, mist.turns.1.min(last));
    let hexes = text::plural(i64::from(mist.hexes), "hex", "hexes");
    if from == to { format!("turn {from}, {hexes}") } else { format!("turns {from} to {to}, {hexes}") }
}

/// First orders, each with what it is for.
pub fn first(v: &View) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    // How a sheet ends is said below them.
    for line in super::offers::offers(v).into_iter().filter(|line| line != "END") {
        let why = match line.split(' ').next() {
            Some("CHANGE") => "your commander tries to bring more markers into the pool",
            Some("INITIATIVE") => "with whom you begin, if you win the roll; the best first",
            _ => "",
        };
        found.push((line, why.to_owned()));
    }
    found
}

/// What a newcomer gets wrong.
pub const CAUTIONS: &[&str] = &[
    "Units that are out of their commander's range do not act with their division. [4.3.3]",
    "Who enters the front of an enemy stops there, and may be fired at or charged. [5.1.3, 6.2]",
    "Foot in column that is fired at suffers more, a line less; a line marches slowly. [8.1.8, 6.3.1]",
    "Once a division has fired, nobody of it moves; once it has attacked, nobody fires. [8.0]",
];

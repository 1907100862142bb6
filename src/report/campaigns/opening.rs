//! What the opening mail of a game says beside the report, and how the game is won: from the scenario's texts, the
//! objectives, the ends of the morale track and the last turn.

use super::pen::Pen;
use super::roster::{self, Head};
use super::{head, short};
use crate::fog::SideId;
use crate::host::paper::Opening;
use crate::rules::campaigns::board::Objective;
use crate::rules::campaigns::flow::setup::first_holder;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::victory;
use crate::text::{self, plural};

/// Characters of a place with its hex in the table of points.
const PLACE: usize = 19;

/// Everything that only the opening mail says.
pub fn opening(pen: &Pen<'_>) -> Opening {
    let Some(side) = &pen.v.side else { return Opening::default() };
    let briefing = pen.v.board.briefings.get(side).cloned().unwrap_or_default();
    let situation = if briefing.situation.is_empty() { Vec::new() } else { vec![pen.plain(&briefing.situation)] };
    let mut cautions = Vec::new();
    let first = pen.v.board.turns.0;
    if pen.v.board.policies.no_command_turns.get(side).is_some_and(|turns| turns.contains(&first)) {
        cautions.push(format!("No commands on turn {first}: use INITIATIVE. [¶168]"));
    }
    cautions.extend(briefing.cautions.iter().map(|said| pen.plain(said)));
    cautions.push("A force that ends its march next to an enemy may have to attack him. [¶233-235]".to_owned());
    cautions.push("If you send nothing, your vedettes stand as the rules place them and your forces stay.".to_owned());
    Opening { what: what(pen, side), situation, command: command(pen), first: briefing.first, cautions }
}

/// Who the reader is, what he sees, and which sheets a turn asks for.
fn what(pen: &Pen<'_>, side: &SideId) -> Vec<String> {
    let turns = pen.v.board.turns.1.saturating_sub(pen.v.board.turns.0).saturating_add(1);
    let own = pen.v.board.side(side).map_or_else(String::new, |spec| pen.plain(&spec.army));
    let foe = pen.side(&pen.v.board.enemy(side));
    vec![
        format!(
            "You are the {} player ({own}) against the {foe} player, by mail, for {}.  You see your own forces; theirs \
             are counters face down.  Each turn asks you for three sheets of orders:",
            pen.side(side),
            plural(i64::from(turns), "turn", "turns")
        ),
        "A  your movement".to_owned(),
        "R  your reaction to theirs".to_owned(),
        "B  your battles, if there are any".to_owned(),
    ]
}

/// The forces in short; the first line is their sum.
fn command(pen: &Pen<'_>) -> Vec<String> {
    let rows = roster::rows(&pen.v.board, &pen.v.own);
    let total: i32 = rows.iter().map(|row| row.sp).sum();
    let ap: i32 = pen.v.own.armies().map(|army| army.ap).sum();
    let mut lines = vec![format!(
        "{total} SP in {}; {}; {}",
        plural(i64::try_from(rows.len()).unwrap_or(0), "force", "forces"),
        plural(i64::try_from(pen.v.own.vedettes.len()).unwrap_or(0), "vedette", "vedettes"),
        plural(ap, "Administrative Point", "Administrative Points")
    )];
    let cells = rows.iter().map(|row| {
        let sp = row.sp;
        let at = pen.place(row.hex).unwrap_or_else(|| row.hex.to_string());
        match &row.head {
            Head::Leader(id) => format!("{} {}, {at} {sp}", pen.code(id), pen.leader_short(id)),
            Head::Garrison(_) => format!("garrison, {at} {sp}"),
        }
    });
    lines.extend(short::columns(pen, cells.collect(), if pen.format.narrow { 38 } else { 37 }));
    lines
}

/// ¶5, 8, 395-397, 411-416 How the game is won, or how it ended, with today's score: paragraphs, and rows that fit any page.
pub fn victory(pen: &Pen<'_>) -> Vec<String> {
    let v = pen.v;
    let Some(me) = &v.side else { return Vec::new() };
    let mut lines = Vec::new();
    if v.at == At::Over {
        lines.push(format!("  {}.", text::capital(&head::result(pen))));
    } else {
        lines.push(format!("  {}", at_once(pen, me)));
        lines.push(format!("  {}", at_last(pen, me)));
    }
    lines.extend(places(pen, me));
    let held = victory::held(&v.board, &v.control);
    let points = |side: &SideId| held.get(&side.0).copied().unwrap_or(0);
    let score = format!("points {} to {}, {}", points(me), points(&v.board.enemy(me)), short::morale(pen));
    lines.push(format!("  {}: {score}.", if v.at == At::Over { "At the end" } else { "Now" }));
    lines
}

/// ¶5, 8, 412 What ends the game at once.
fn at_once(pen: &Pen<'_>, me: &SideId) -> String {
    let limit = pen.v.board.policies.morale_limit;
    let moves = moves(pen, me);
    if pen.v.tracks.is_empty() {
        return format!(
            "At once: you win when morale reaches {limit} for you, and lose when it reaches {limit} for them.  It moves \
             for a critical battle or a captured major personality{moves}. [¶395-396, 412]"
        );
    }
    format!(
        "At once: the side whose own morale falls to -{limit} has lost.  It moves for a critical battle or a captured \
         major personality{moves}. [¶8, 395-396, 412]"
    )
}

/// ¶415 Places that move morale.
fn moves(pen: &Pen<'_>, me: &SideId) -> String {
    let mut said = Vec::new();
    for place in &pen.v.board.objectives {
        for (side, spaces) in place.morale.iter().filter(|(_, spaces)| **spaces != 0) {
            let whose = if side == me { "you" } else { "them" };
            said.push(format!("{} ({spaces:+} for {whose})", pen.plain(&place.name)));
        }
    }
    if said.is_empty() { String::new() } else { format!(", and for {}", text::and_list(&said)) }
}

/// ¶416 What decides after the last turn.
fn at_last(pen: &Pen<'_>, me: &SideId) -> String {
    let (turns, least) = (pen.v.board.turns, pen.v.board.policies.strategic_points);
    let date = pen.v.board.calendar.get(&turns.1).map_or_else(String::new, |date| format!(" ({})", pen.plain(date)));
    let all: i32 = pen.v.board.objectives.iter().map(|place| worth(pen, place, me)).sum();
    let can = match all {
        n if n < least => format!("your places are worth {n} in all, so that only morale wins for you"),
        n => format!("you can score {n} in all"),
    };
    format!(
        "Else after turn {}{date}: you win with {} or more, and more than they; {can}.  A place scores for a side that \
         holds it then and did not at the start; you hold a place when a force of yours ends a player-turn there and \
         none of theirs.  {} [¶415-416]",
        turns.1,
        plural(least, "point", "points"),
        match &pen.v.board.policies.holds_out {
            None => "Anything else is a draw.".to_owned(),
            Some(side) if side == me => "If neither has won so, you have held out, and win.".to_owned(),
            Some(side) => format!("If neither has won so, the win goes to who has held out: {}.", pen.side(side)),
        }
    )
}

/// ¶415 What a place is worth to a side: nothing, if it had it at the start.
fn worth(pen: &Pen<'_>, place: &Objective, side: &SideId) -> i32 {
    if first_holder(&pen.v.board, place).as_ref() == Some(side) {
        return 0;
    }
    place.points.get(side).copied().unwrap_or(0)
}

/// The places with their points, and who holds each now.
fn places(pen: &Pen<'_>, me: &SideId) -> Vec<String> {
    let foe = pen.v.board.enemy(me);
    let cell = |n: i32| if n == 0 { "-".to_owned() } else { n.to_string() };
    let mut lines = vec![format!("    {:<PLACE$} {:>3} {:>4}  now", "points to", "you", "they")];
    for place in &pen.v.board.objectives {
        let (mine, theirs) = (worth(pen, place, me), worth(pen, place, &foe));
        let room = PLACE.saturating_sub(5);
        let name = format!("{} {}", text::cut(&pen.plain(&place.name), room), place.hex);
        let holder = match pen.v.control.get(&place.hex) {
            Some(side) if side == me => "yours",
            Some(_) => "theirs",
            None => "-",
        };
        lines.push(format!("    {name:<PLACE$} {:>3} {:>4}  {holder}", cell(mine), cell(theirs)));
    }
    lines
}

//! The head of a report: turn, date, weather; who moves now, what comes next, what silence means (¶49-68).

use super::pen::{Pen, tags};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::combat::designate::Field;
use crate::rules::campaigns::sequence::{At, Victory, VictoryReason};
use crate::text::and_list;

/// Such as `French   turn 1 of 10   15-16 Nov 1805   Fair`.
pub fn head(pen: &Pen<'_>) -> String {
    let v = pen.v;
    let who = v.side.as_ref().map_or_else(|| "Umpire".to_owned(), |s| pen.side(s));
    let (first, last) = v.board.turns;
    if v.at == At::Over {
        return format!("{who}   over on turn {} of {last}   {}", v.turn, ending(pen));
    }
    let begun = v.at != At::Setup;
    let turn =
        if begun { format!("turn {} of {last}", v.turn) } else { format!("set-up, before turn {first} of {last}") };
    let date = v.board.calendar.get(&v.turn.max(first)).cloned().unwrap_or_default();
    let mut words = vec![who, turn, pen.plain(&date)];
    if begun {
        words.push(v.weather.to_string());
    }
    words.retain(|w| !w.is_empty());
    words.join("   ")
}

/// Who moves now, what comes next, and what happens if the reader sends nothing.
pub fn stage(pen: &Pen<'_>) -> (String, String, String) {
    stage_at(pen, &pen.v.at)
}

/// The same for any place in the sequence of play.
pub fn stage_at(pen: &Pen<'_>, at: &At) -> (String, String, String) {
    let name = |side: &SideId| if pen.mine(side) { "your".to_owned() } else { pen.side(side) };
    let other = |side: &SideId| pen.v.board.enemy(side);
    let first = pen.v.board.sides.first().map(|s| s.id.clone()).unwrap_or_else(|| pen.v.side_id());
    let waits = String::new;
    let (now, next, if_not) = match at {
        At::Setup => (
            "set-up of both sides, sealed: vedettes and standing answers".to_owned(),
            format!("turn {}: weather, then {} movement", pen.v.board.turns.0, name(&first)),
            "one vedette goes with each force nearest the enemy, until half are out".to_owned(),
        ),
        At::Weather => ("weather".to_owned(), format!("{} administration", name(&first)), waits()),
        At::Packet(p) => (format!("{} administration", name(p)), format!("{} movement (sheet A)", name(p)), waits()),
        At::Own(p) => (
            format!("{} movement (sheet A)", name(p)),
            format!("{} reaction (sheet R)", name(&other(p))),
            if pen.mine(p) { "forces without an order stay where they are".to_owned() } else { waits() },
        ),
        At::CloseMove(p) => {
            (format!("{} attrition", name(p)), format!("{} reaction (sheet R)", name(&other(p))), waits())
        }
        At::Reaction(p) => (
            format!("{} reaction (sheet R)", name(&other(p))),
            format!("{} battles (sheet B), if any", name(p)),
            if pen.mine(&other(p)) {
                "nobody makes a Forced March; your standing answers defend".to_owned()
            } else {
                waits()
            },
        ),
        At::Designate(p) => (
            format!("{} battles (sheet B)", name(p)),
            "the battles, all rounds".to_owned(),
            if pen.mine(p) { format!("attacks are formed by the default{}", duties(pen)) } else { waits() },
        ),
        At::Round(p, n) => (
            format!("{} battles, round {n}", name(p)),
            "the next round, or consolidation and morale".to_owned(),
            "your standing answers and the defaults apply".to_owned(),
        ),
        At::Close(p) => (format!("consolidation and morale after {} battles", name(p)), after(pen, p), waits()),
        At::Over => (result(pen), "the seeds of the dice, for your audit".to_owned(), waits()),
    };
    (now, next, if_not)
}

/// ¶233-235, 304 What the reader must attack and what he may, as far as he can know.
fn duties(pen: &Pen<'_>) -> String {
    let field = Field::of(pen.v);
    let named = |hexes: Vec<Hex>| {
        let at = |hex: &Hex| match tags(&pen.v.tags_at(*hex)).join(" ") {
            counters if counters.is_empty() => pen.at(*hex),
            counters => format!("{} ({counters})", pen.at(*hex)),
        };
        and_list(&hexes.iter().map(at).collect::<Vec<_>>())
    };
    let must = field.duties();
    let may: Vec<Hex> = field.chances().into_iter().filter(|hex| !must.contains(hex)).collect();
    let mut said = String::new();
    if !must.is_empty() {
        said.push_str(&format!("; you must attack {}", named(must.into_iter().collect())));
    }
    if !may.is_empty() {
        said.push_str(&format!("; you may attack {}", named(may)));
    }
    said
}

/// What follows a side's player-turn.
fn after(pen: &Pen<'_>, side: &SideId) -> String {
    let second = pen.v.board.sides.iter().map(|s| &s.id).skip_while(|s| *s != side).nth(1);
    match second {
        Some(q) if pen.mine(q) => "your administration and movement".to_owned(),
        Some(q) => format!("{} administration and movement", pen.side(q)),
        None if pen.v.turn >= pen.v.board.turns.1 => "the end: objectives decide".to_owned(),
        None => format!("turn {}: weather", pen.v.turn + 1),
    }
}

/// How the game ended, in one sentence to the reader.
pub fn result(pen: &Pen<'_>) -> String {
    let Some(victory) = &pen.v.over else { return "nothing".to_owned() };
    let who = match &victory.winner {
        Some(side) if pen.mine(side) => "you have won".to_owned(),
        Some(_) if pen.v.side.is_some() => "you have lost".to_owned(),
        Some(side) => format!("{} victory", pen.side(side)),
        None => "a draw".to_owned(),
    };
    let (why, rule) = reason(pen, victory);
    let name = |id: &String| pen.side(&SideId(id.clone()));
    let points: Vec<String> = victory.points.iter().map(|(side, n)| format!("{} {n}", name(side))).collect();
    let points = if points.is_empty() { String::new() } else { format!("; points {}", points.join(", ")) };
    format!("{who} {why}{points}{rule}")
}

/// How the game ended, the same for every reader.
fn ending(pen: &Pen<'_>) -> String {
    let Some(victory) = &pen.v.over else { return "no result".to_owned() };
    let who = victory.winner.as_ref().map_or_else(|| "draw".to_owned(), |side| format!("{} victory", pen.side(side)));
    format!("{who} {}", reason(pen, victory).0)
}

/// Why it ended, and the paragraph.
fn reason(pen: &Pen<'_>, victory: &Victory) -> (&'static str, &'static str) {
    let least = pen.v.board.policies.strategic_points;
    let scored = |side: &SideId| victory.points.get(&side.0).is_some_and(|points| *points >= least);
    match victory.reason {
        VictoryReason::LastTurn if victory.winner.as_ref().is_some_and(|side| !scored(side)) => {
            ("by who held out to the last turn", " [¶416]")
        }
        VictoryReason::Morale => ("by morale", " [¶412]"),
        VictoryReason::LastTurn => ("on objectives, after the last turn", " [¶416]"),
        VictoryReason::Napoleon => ("by the capture of Napoleon", " [¶396]"),
        VictoryReason::Resignation => ("by resignation", ""),
    }
}

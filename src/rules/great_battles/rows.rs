//! What is kept of the truth: a digest for comparison, and rows for the umpire.

use super::pool;
use super::state::{Command, Leader, Level, State, Unit};
use crate::rules::kept::{Body, Row};

/// The truth as text, for comparison only.
pub fn digest(s: &State) -> Body {
    let when = (s.turn, &s.at, s.nth, &s.first, &s.acting, &s.extras);
    let pool: (Vec<_>, Vec<_>) = (s.pool.iter().collect(), s.cup.iter().collect());
    let wishes: Vec<_> = s.wishes.iter().collect();
    Body::write(&(
        when,
        pool,
        wishes,
        &s.units,
        &s.leaders,
        &s.commands,
        &s.places,
        s.exited,
        &s.over,
        (&s.shown, &s.seen, &s.tags),
    ))
}

fn unit_facts(u: &Unit) -> String {
    let mut facts = Vec::new();
    if let Some(pose) = u.pose {
        facts.push(format!("{} {}", pose.form.word(), u8::from(pose.hour)));
        facts.extend(pose.hexes().iter().skip(1).map(|hex| format!("and in {hex}")));
    }
    if u.level != Level::Good || u.ran {
        facts.push(format!("{}{}", u.level.word(), if u.ran { "-R" } else { "" }));
    }
    if u.lost > 0 {
        facts.push(format!("{} SP lost", u.lost));
    }
    if u.blown > 0 {
        facts.push(format!("Blown-{}", u.blown));
    }
    let marks = [
        (u.gone, "eliminated"),
        (u.left, "off the map"),
        (u.recovering, "recovering"),
        (u.fired, "fired"),
        (u.out, "Out of Command"),
        (u.going.stopped, "stopped"),
    ];
    facts.extend(marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word.to_owned()));
    if u.going.ready {
        facts.push(format!("{} of {} MP", u.going.spent, u.going.ma));
    }
    facts.join(", ")
}

fn command_facts(c: &Command) -> String {
    let mut facts = Vec::new();
    if c.fatigue > 0 {
        facts.push(format!("fatigue {}", c.fatigue));
    }
    let marks = [
        (c.strategic, "strategic movement"),
        (c.finished, "finished"),
        (c.stopped, "stopped"),
        (c.again, "brought in again"),
        (c.fought, "fought"),
        (c.waits, "waits"),
    ];
    facts.extend(marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word.to_owned()));
    facts.join(", ")
}

fn leader_facts(l: &Leader) -> String {
    let mut facts = Vec::new();
    if l.lost {
        facts.push("lost".to_owned());
    }
    if let Some(rating) = l.rating {
        facts.push(format!("another in his place: {} {} {}", rating.activation, rating.personality, rating.range));
    }
    facts.join(", ")
}

/// Units, leaders, commands, LIMs and places as rows.
pub fn rows(s: &State) -> Vec<Row> {
    let units = s.units.iter().filter_map(|(id, u)| Some((s.side(id)?, id, u)));
    let mut rows: Vec<Row> =
        units.map(|(side, id, u)| Row::piece(side, "unit", id, u.pose.map(|pose| pose.head), unit_facts(u))).collect();
    let leaders = s.leaders.iter().filter_map(|(id, l)| Some((&s.chief(id)?.side, id, l)));
    rows.extend(leaders.map(|(side, id, l)| Row::piece(side, "leader", id, l.hex, leader_facts(l))));
    let commands = s.commands.iter().filter_map(|(id, c)| Some((s.board.side_of(id)?, id, command_facts(c))));
    rows.extend(
        commands
            .filter(|(.., facts)| !facts.is_empty())
            .map(|(side, id, facts)| Row::piece(side, "division", id, None, facts)),
    );
    let lims = s.pool.iter().filter_map(|lim| Some((pool::side(s, lim)?, lim)));
    rows.extend(lims.map(|(side, lim)| Row::piece(side, "lim", lim.name(), None, String::new())));
    rows.extend(s.places.iter().map(|(place, side)| Row::piece(side, "place", place, None, String::new())));
    rows
}

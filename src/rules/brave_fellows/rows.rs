//! What is kept of the truth: a digest for comparison, and rows for the umpire.

use super::state::{Leader, State, Unit};
use crate::fog::SideId;
use crate::rules::kept::{Body, Row};

/// The truth as text, for comparison only.
pub fn digest(s: &State) -> Body {
    let when = (s.turn, &s.at, s.segment, s.nth, s.passes);
    let came = (&s.came, s.second, &s.placing, &s.rear, s.crossed, s.strong, &s.wishes);
    let rest = (&s.crowds, &s.entered, &s.salvos, &s.won, &s.stalled, &s.seen, &s.tags, &s.posts);
    Body::write(&(when, &s.units, &s.leaders, &s.towns, s.level_die, &s.free, &s.losses, &s.over, came, rest))
}

fn unit_facts(u: &Unit) -> String {
    let mut facts = vec![format!("{:?}", u.mood).to_lowercase(), u.facing.name().to_owned()];
    facts.extend(u.gone.map(|fate| format!("{fate:?}").to_lowercase()));
    let marks = [
        (u.used, "activated"),
        (u.active, "acting"),
        (u.idle, "out of command"),
        (u.halted, "halted"),
        (u.charged, "charged"),
        (u.low, "low on ammunition"),
    ];
    facts.extend(marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word.to_owned()));
    facts.extend(u.waits.map(|hex| format!("waits to come on by {hex}")));
    if u.spent > 0 {
        facts.push(format!("{} MP spent", u.spent));
    }
    facts.join(", ")
}

fn leader_facts(l: &Leader) -> String {
    match (l.lost, l.until) {
        _ if l.waits.is_some() => "waits to come on".to_owned(),
        (true, _) => "lost".to_owned(),
        (_, Some(turn)) => format!("wounded until {turn}"),
        (_, None) => if l.used { "activated" } else { "" }.to_owned(),
    }
}

/// Pieces and towns as rows.
pub fn rows(s: &State) -> Vec<Row> {
    let units = s.units.iter().filter_map(|(id, u)| Some((&s.kind(id)?.side, id, u)));
    let mut rows: Vec<Row> = units.map(|(side, id, u)| Row::piece(side, "unit", id, u.hex, unit_facts(u))).collect();
    let leaders = s.leaders.iter().filter_map(|(name, l)| Some((&s.chief(name)?.side, name, l)));
    rows.extend(leaders.map(|(side, name, l)| Row::piece(side, "leader", name, l.hex, leader_facts(l))));
    rows.extend(s.towns.iter().map(|(place, side)| Row::piece(side, "town", place, None, String::new())));
    if !s.strong {
        rows.push(Row::piece(&SideId::from("french"), "marker", "Strong Point", None, "removed".to_owned()));
    }
    rows
}

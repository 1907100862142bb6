//! What happened, one sentence an event, with its paragraph.

use crate::fog::SideId;
use crate::rules::brave_fellows::board::FRENCH;
use crate::rules::brave_fellows::event::Event;
use crate::rules::brave_fellows::state::{Fate, Freed, Mood, Segment};
use crate::rules::tactical::sum::Sum;

fn side(id: &SideId) -> &'static str {
    if id.0 == FRENCH { "the French" } else { "the Coalition" }
}

fn with(sum: &Sum) -> String {
    if sum.0.is_empty() { String::new() } else { format!(", {}", sum.words()) }
}

fn freed(what: Freed) -> &'static str {
    match what {
        Freed::V => "Column V is free. [9.2.6]",
        Freed::VI => "Column VI appears. [9.2.7]",
        Freed::Gazan => "The rest of Gazan's division and Mortier are free. [9.4.3]",
        Freed::Elite => "The Elite battalion may leave its Strong Point. [9.4.2]",
        Freed::Line => "The French may go north of the dark blue line. [9.5]",
    }
}

/// The sentence of an event; none for what the forces show anyway.
pub fn line(e: &Event) -> Option<String> {
    before_battle(e).or_else(|| moves(e)).or_else(|| combat(e))
}

fn before_battle(e: &Event) -> Option<String> {
    Some(match e {
        Event::Released { what } => freed(*what).to_owned(),
        Event::Came { force } => format!("{} comes. [5.1]", force.name()),
        Event::Follows { turn } => format!("The second part of Dupont's division comes on turn {turn}. [9.6.5]"),
        Event::RearGuard { units } => format!("Rear Guard: {}. [9.2.5]", units.join(" ")),
        Event::Returned { unit, hex } => format!("{unit} is regrouped in {hex}. [5.3]"),
        Event::Disbanded { unit } => format!("{unit} is disbanded. [8.3]"),
        Event::Razed { hex } => format!("The Strong Point in {hex} is gone. [8.4.4]"),
        Event::Crossed { .. } => "Column II has crossed the light blue line. [9.5.2]".to_owned(),
        Event::Wished { wish, .. } => format!("You want in the next Reinforcement Phase: {wish:?}. [5.3, 8.3.2]"),
        Event::Back { leader, hex } => format!("{leader} is back, in {hex}. [6.5.2]"),
        Event::First { side: first } => format!("First {} act. [3.0]", side(first)),
        Event::Turn { turn } => format!("Turn {turn} begins. [7.1.4]"),
        Event::Stalled { columns } if !columns.is_empty() => {
            format!("Columns that have lost their impetus: {}. [11.3]", columns.join(", "))
        }
        Event::Over { winner: Some(winner), level } => format!("{} win ({level}). [10]", side(winner)),
        Event::Over { winner: None, .. } => "A draw. [10.2.7]".to_owned(),
        _ => return None,
    })
}

fn moves(e: &Event) -> Option<String> {
    Some(match e {
        Event::Activated { leaders, units, .. } => {
            format!("Activated: {}, with {}. [6.1]", leaders.join(", "), units.join(" "))
        }
        Event::Idle { unit } => format!("{unit} is out of command. [6.1.7]"),
        Event::Climbs { die } => format!("Chart of levels: die {die}. [6.2.3]"),
        Event::Stepped { unit, to, .. } => format!("{unit} to {to}. [6.2]"),
        Event::Halted { unit } => format!("{unit} stops in an enemy's front. [6.2.7]"),
        Event::Entered { pieces, at, cost } => format!("{} come on by {at} for {cost} MP. [5.2]", pieces.join(" ")),
        Event::Balked { unit } => format!("{unit} does not charge. [6.2.11]"),
        Event::Charged { unit, at } => format!("{unit} charges {at}. [6.2.11]"),
        Event::Stood { unit } => format!("{unit} stands. [6.2.11]"),
        Event::Ran { unit, from } => format!("{unit} runs from {from}. [6.2.11]"),
        Event::Met { unit, charger, how } => format!("{unit} meets {charger} by a {how} charge. [6.2.12, 6.2.13]"),
        Event::Rode { leader, to } | Event::Followed { leader, to } => format!("{leader} to {to}. [6.2, 6.5.5]"),
        Event::Crowd { hex, over: true } => format!("{hex} is over-stacked. [4.1.9]"),
        Event::Passed { side: who } => format!("{} pass. [3.0]", side(who)),
        Event::Began { segment: Segment::Fire } => "The active side fires. [6.3.2]".to_owned(),
        Event::Town { place, side: who } => format!("{} hold {place}. [6.6.1]", side(who)),
        _ => return None,
    })
}

fn combat(e: &Event) -> Option<String> {
    Some(match e {
        Event::Checked { unit, why, die, sum, need, passed } => {
            let word = if *passed { "passes" } else { "fails" };
            format!("{unit}, {}: die {die}{}, FV {need}: {word}. [4.2.2]", why.replace('_', " "), with(sum))
        }
        Event::Became { unit, mood } => {
            let word = match mood {
                Mood::Fresh => "is fresh",
                Mood::Fatigued => "is fatigued",
                Mood::Routed => "routs",
            };
            format!("{unit} {word}. [4.2.4, 6.7]")
        }
        Event::Fell { unit, how } => {
            let word = if *how == Fate::Surrendered { "surrenders" } else { "is eliminated" };
            format!("{unit} {word}. [5.3]")
        }
        Event::Fired { at, by, strength, column, die, sum, result } => {
            let who = by.join(" ");
            format!("{who} fired at {at}: FF {strength}, column {column}, die {die}{}: {result}. [6.3.8]", with(sum))
        }
        Event::Fought { at, by, attack, defence, column, die, sum, result } => format!(
            "{} attacked {at}: {attack} to {defence}, column {column}, die {die}{}: {result}. [6.4.7]",
            by.join(" "),
            with(sum)
        ),
        Event::Refused { unit } => format!("{unit} does not attack. [6.4.3]"),
        Event::Went { unit, to, how } => format!("{unit} to {to} ({how}). [6.6, 6.7, 6.4.9]"),
        Event::Risked { leader, dice } => {
            let dice: Vec<String> = dice.iter().map(ToString::to_string).collect();
            format!("{leader}: die {}. [6.5.2]", dice.join(", "))
        }
        Event::Hurt { leader, until: Some(turn) } => format!("{leader} is wounded until turn {turn}. [6.5.2]"),
        Event::Hurt { leader, until: None } => format!("{leader} is lost. [6.5]"),
        Event::Short { unit, low: true } => format!("{unit} is low on ammunition. [11.2]"),
        _ => return None,
    })
}

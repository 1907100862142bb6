//! What happened, one sentence an event, with its paragraph.

use super::steps::{RULES, becomes, fate, steps, test};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::report::field::story::{Story, missed, who, with};
use crate::rules::brave_fellows::board::FRENCH;
use crate::rules::brave_fellows::event::Event;
use crate::rules::brave_fellows::eyes::veiled;
use crate::rules::brave_fellows::state::{Freed, Mood, Wish};
use crate::rules::brave_fellows::told::Sighting;
use crate::rules::brave_fellows::victory;
use crate::rules::brave_fellows::view::View;
use crate::text;
use std::collections::BTreeSet;

pub(super) fn side(id: &SideId) -> &'static str {
    if id.0 == FRENCH { "the French" } else { "the Coalition" }
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

/// 10.1, 11.7 Whose loss ends the game.
const COMMANDERS: [&str; 3] = ["Mortier", "Kutusov", "Murat"];

/// The sentence of an event; none for what the forces show anyway.
fn line(e: &Event) -> Option<String> {
    before_battle(e).or_else(|| moves(e)).or_else(|| combat(e))
}

/// What happened: one paragraph an event, but marches in one and checks for one reason in one; and for each thing told its
/// paragraph.
pub fn write(v: &View, told: &[Sighting]) -> (Vec<String>, Vec<Option<usize>>) {
    let mut story = Story::new(told.len(), &RULES);
    // DB.7 What one's own side holds when the game begins is no news.
    let holder = |who: &SideId| (*who != v.side || v.state.turn > v.state.board.scenario.turns.0).then(|| side(who));
    let mut begun = !told.iter().any(|told| matches!(told.event(), Some(Event::Placed { .. })));
    let mut recovery = false;
    for (at, sighting) in told.iter().enumerate() {
        // 7.1 Who is tired then has rallied from rout.
        match sighting.event() {
            Some(Event::Recovering) => recovery = true,
            Some(Event::Turn { .. }) => recovery = false,
            _ => {}
        }
        begun |= matches!(sighting.event(), Some(Event::First { .. } | Event::Ready { .. }));
        // Who holds what at the start stands on the map.
        let event = sighting.event().filter(|event| begun || !matches!(event, Event::Town { .. }));
        let is_step = matches!(event, Some(Event::Stepped { .. } | Event::Went { .. } | Event::Turned { .. }));
        story.hear((at, sighting.spots()), holder, is_step, |story| {
            if let Some(event) = event.filter(|event| !story.take(at, &steps(v, event), || test(event, recovery))) {
                let beside = matches!(event, Event::Town { .. } | Event::Crossed { .. } | Event::Razed { .. });
                let said = of_view(v, event).or_else(|| line(event));
                said.iter().for_each(|line| story.say(at, line, beside));
            }
        });
    }
    story.end()
}

/// Sentences that need more than the event: how a leader was lost, and where a force stands that has come.
fn of_view(v: &View, e: &Event) -> Option<String> {
    let s = &v.state;
    match e {
        // His own side, and all where the table lies open, see his dice if he was hit.
        Event::Hurt { leader, until: None } => {
            let known = !veiled(s) || s.leads(leader, &v.side);
            known.then(|| format!("{leader} is captured. [6.5.4]"))
        }
        Event::Over { winner, level } => Some(ended(v, winner.as_ref(), level)),
        Event::Came { force } => {
            let of =
                |id: &String| s.kind(id).is_some_and(|kind| kind.formation.first().is_some_and(|f| f == force.name()));
            let own: Vec<Hex> =
                s.units.iter().filter(|(id, _)| of(id)).filter_map(|(_, u)| u.hex.or(u.waits)).collect();
            let places: BTreeSet<Hex> = own.iter().copied().collect();
            let hexes: Vec<String> = places.iter().map(ToString::to_string).collect();
            let many = text::plural(i64::try_from(own.len()).unwrap_or(i64::MAX), "unit", "units");
            Some(format!("{} comes: {many} at {}. [5.1]", force.name(), hexes.join(" ")))
        }
        _ => None,
    }
}

/// 10 Who has won, and by what: a commander lost, or the last turn over.
fn ended(v: &View, winner: Option<&SideId>, level: &str) -> String {
    let s = &v.state;
    let who = winner.map_or_else(|| "a draw".to_owned(), |winner| format!("{} win ({level})", side(winner)));
    let lost = |name: &&str| s.leaders.get(*name).is_some_and(|leader| leader.lost);
    match COMMANDERS.iter().find(|name| lost(name)).filter(|_| victory::automatic(s).is_some()) {
        Some(name) => format!("{who}: {name} is lost. [10.1]"),
        // DB.7 Of towns and losses what the reader knows.
        None if veiled(s) => format!("{who}: the last turn is over; {}. [10.2]", super::opening::score(v)),
        None => {
            let (french, coalition) = (victory::french(s).word(), victory::coalition(s).word());
            let (gazan, all) = victory::equivalents(s);
            let lost = format!("French losses {gazan} of Gazan's division, {all} in all");
            format!(
                "{who}: the last turn is over; French {french}, Coalition {coalition}. {lost}; VICTORY has what each level needs. [10.2]"
            )
        }
    }
}

/// One line on a turn.
pub fn summary(turn: u32, told: &[Sighting]) -> String {
    let count = |fits: fn(&Event) -> bool| told.iter().filter_map(Sighting::event).filter(|e| fits(e)).count();
    let fires = count(|e| matches!(e, Event::Fired { .. }));
    let melees = count(|e| matches!(e, Event::Fought { .. }));
    let lost = count(|e| matches!(e, Event::Fell { .. }));
    let said = |n: usize, one: &str, many: &str| text::plural(i64::try_from(n).unwrap_or(i64::MAX), one, many);
    let (fires, melees) = (said(fires, "fire", "fires"), said(melees, "melee", "melees"));
    format!("Turn {turn}: {fires}, {melees}, {} lost", said(lost, "unit", "units"))
}

fn wanted(wish: &Wish) -> String {
    match wish {
        Wish::Regroup { unit, at } => format!("You want {unit} back in {at}. [5.3]"),
        Wish::Loss { units } => format!("Of yours suffer first: {}. [6.3.8f]", units.join(" ")),
        Wish::Stay { leader, stays: true } => format!("{leader} stays when his men go back. [6.5.5]"),
        Wish::Stay { leader, stays: false } => format!("{leader} goes along when his men go back. [6.5.5]"),
        Wish::Disband => "You want the Elite battalion disbanded. [8.3.2]".to_owned(),
    }
}

/// What an umpire has put right.
fn amended(piece: &str, at: Option<Hex>, facing: Option<Dir>, mood: Option<Mood>) -> String {
    let parts = [
        at.map(|at| format!("stands in {at}")),
        facing.map(|facing| format!("faces {}", facing.name())),
        mood.map(|mood| becomes(mood).0.to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("By the umpire's amendment {piece} {}.", parts.join(", "))
}

fn before_battle(e: &Event) -> Option<String> {
    Some(match e {
        Event::Released { what } => freed(*what).to_owned(),
        Event::Follows { turn } => format!("The second part of Dupont's division comes on turn {turn}. [9.6.5]"),
        Event::RearGuard { units } => format!("Rear Guard: {}. [9.2.5]", units.join(" ")),
        Event::Returned { unit, hex } => format!("{unit} is regrouped in {hex}. [5.3]"),
        Event::Disbanded { unit } => format!("{unit} is disbanded. [8.3]"),
        Event::Razed { hex } => format!("The Strong Point in {hex} is gone. [8.4.4]"),
        Event::Crossed { .. } => "Column II has crossed the light blue line. [9.5.2]".to_owned(),
        Event::Wished { wish, .. } => wanted(wish),
        Event::Missed { line, upshot, .. } => missed(line, upshot, "6.1"),
        Event::Taken { of, .. } if of.is_empty() => "You pass, as you have lodged. [3.0]".to_owned(),
        Event::Taken { of, lines, .. } => format!("By the sheet that you lodged for {of}: {}. [6.1]", lines.join("; ")),
        Event::Back { leader, hex } => format!("{leader} is back, in {hex}. [6.5.2]"),
        Event::Amended { piece, at, facing, mood } => amended(piece, *at, *facing, *mood),
        Event::First { side: first } => format!("First {} act. [3.0]", side(first)),
        Event::Turn { turn } => format!("Turn {turn} begins. [7.1.4]"),
        Event::Stalled { columns } if !columns.is_empty() => {
            format!("Columns that have lost their impetus: {}. [11.3]", columns.join(", "))
        }
        _ => return None,
    })
}

fn act(leaders: &[String]) -> &'static str {
    if leaders.len() == 1 { "acts" } else { "act" }
}

fn moves(e: &Event) -> Option<String> {
    Some(match e {
        Event::Activated { side: who, leaders, .. } if leaders.is_empty() => {
            format!("{} act. [3.0]", side(who))
        }
        Event::Activated { leaders, units, .. } if units.is_empty() => {
            format!("{} {} alone. [6.1]", leaders.join(" "), act(leaders))
        }
        Event::Activated { leaders, units, .. } => {
            let who = who(&units.iter().map(String::as_str).collect::<Vec<_>>());
            format!("{} {}: {who}. [6.1]", leaders.join(" "), act(leaders))
        }
        Event::Idle { unit } => format!("{unit} is out of command. [6.1.7]"),
        Event::Climbs { die } => format!("Chart of levels: die {die}. [6.2.3]"),
        Event::Entered { pieces, at, cost } => format!("{} come on by {at} for {cost} MP. [5.2]", pieces.join(" ")),
        Event::Balked { unit } => format!("{unit} does not charge. [6.2.11]"),
        Event::Charged { unit, at } => format!("{unit} charges {at}. [6.2.11]"),
        Event::Stood { unit } => format!("{unit} stands. [6.2.11]"),
        Event::Ran { unit, from } => format!("{unit} runs from {from}. [6.2.11]"),
        Event::Met { unit, charger, how } => format!("{unit} meets {charger} by a {how} charge. [6.2.12, 6.2.13]"),
        Event::Crowd { hex, over: true } => format!("{hex} is over-stacked. [4.1.9]"),
        Event::Passed { side: who } => format!("{} pass. [3.0]", side(who)),
        Event::Town { place, side: who } => format!("{place} is {}. [6.6.1]", super::name(who)),
        _ => return None,
    })
}

fn combat(e: &Event) -> Option<String> {
    Some(match e {
        Event::Fell { unit, how } => format!("{unit} {}. [5.3]", fate(*how)),
        Event::Fired { at, by, strength, column, die, sum, result } => {
            let who = if by.is_empty() { "somebody unseen".to_owned() } else { by.join(" ") };
            if *strength == 0 {
                return Some(format!("{who} fired at {at}: column {column}, die {die}: {result}. [6.3.8]"));
            }
            format!("{who} fired at {at}: FF {strength}, column {column}, die {die}{}: {result}. [6.3.8]", with(sum))
        }
        Event::Fought { at, by, attack, defence, column, die, sum, result } => format!(
            "{} attacked {at}: {attack} to {defence}, column {column}, die {die}{}: {result}. [6.4.7]",
            by.join(" "),
            with(sum)
        ),
        Event::Refused { unit } => format!("{unit} does not attack. [6.4.3]"),
        Event::Vanished { unit } => format!("{unit} was a dummy, and is gone. [DB.9]"),
        Event::Hurt { leader, until: Some(turn) } => format!("{leader} is wounded until turn {turn}. [6.5.2]"),
        Event::Hurt { leader, until: None } => format!("{leader} is lost. [6.5]"),
        Event::Short { unit, low: true } => format!("{unit} is low on ammunition. [11.2]"),
        _ => return None,
    })
}

//! What happened, one sentence an event, with its paragraph.

use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::Upshot;
use crate::rules::brave_fellows::board::FRENCH;
use crate::rules::brave_fellows::event::Event;
use crate::rules::brave_fellows::state::{Fate, Freed, Mood, Segment, Wish};
use crate::rules::brave_fellows::told::{Face, Sighting, Spot};
use crate::rules::brave_fellows::view::View;
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
fn line(e: &Event) -> Option<String> {
    before_battle(e).or_else(|| moves(e)).or_else(|| combat(e))
}

/// The way of one unit.
#[derive(Default)]
struct Gone {
    /// The unit.
    unit: String,
    /// How it goes: back, in rout or forward after combat; nothing where it marches.
    how: String,
    /// The hexes that it has entered.
    way: Vec<Hex>,
    /// 6.2.7 Whether an enemy's front has stopped it.
    halted: bool,
    /// How it faces at the end.
    facing: Option<Dir>,
}

/// Steps of units that go together, until something else happens.
#[derive(Default)]
struct March {
    /// Each unit with its way.
    ways: Vec<Gone>,
    /// Places of the steps in all that was told.
    from: Vec<usize>,
}

impl March {
    fn of(&mut self, unit: &str, how: &str) -> &mut Gone {
        let at = self.ways.iter().position(|gone| gone.unit == unit && gone.how == how).unwrap_or_else(|| {
            self.ways.push(Gone { unit: unit.to_owned(), how: how.to_owned(), ..Gone::default() });
            self.ways.len() - 1
        });
        &mut self.ways[at]
    }

    /// Takes an event in, if it is a step or a turn.
    fn take(&mut self, at: usize, e: &Event) -> bool {
        match e {
            Event::Stepped { unit, to, with, .. } => {
                let all = std::iter::once(unit).chain(with.iter().map(|pace| &pace.unit));
                all.for_each(|unit| self.of(unit, "").way.push(*to));
            }
            Event::Went { unit, to, how } => self.of(unit, how).way.push(*to),
            Event::Turned { unit, facing } => self.of(unit, "").facing = Some(*facing),
            Event::Halted { unit } => self.of(unit, "").halted = true,
            _ => return false,
        }
        self.from.push(at);
        true
    }

    /// The sentences: units with the same way in one.
    fn said(&self) -> Vec<String> {
        let mut groups: Vec<(Vec<&str>, &Gone)> = Vec::new();
        for gone in &self.ways {
            let alike = |other: &Gone| {
                (&other.way, other.facing, &other.how, other.halted) == (&gone.way, gone.facing, &gone.how, gone.halted)
            };
            match groups.iter_mut().find(|(_, other)| alike(other)) {
                Some((units, _)) => units.push(&gone.unit),
                None => groups.push((vec![&gone.unit], gone)),
            }
        }
        let line = |(units, gone): &(Vec<&str>, &Gone)| {
            let who = units.join(" ");
            let hexes: Vec<String> = gone.way.iter().map(ToString::to_string).collect();
            let hexes = hexes.join(" ");
            let faces = gone.facing.map(Dir::name);
            match (hexes.is_empty(), gone.halted, faces) {
                _ if !gone.how.is_empty() => format!("{who} to {hexes} ({}). [6.6, 6.7, 6.4.9]", gone.how),
                (true, false, Some(dir)) => format!("{who} turned to {dir}. [4.3.2]"),
                (_, false, Some(dir)) => format!("{who} went by {hexes}, facing {dir}. [6.2]"),
                (_, false, None) => format!("{who} went by {hexes}. [6.2]"),
                (_, true, _) => {
                    let by = if hexes.is_empty() { String::new() } else { format!(" went by {hexes},") };
                    let then = faces.map_or_else(String::new, |dir| format!(", faces {dir}"));
                    format!("{who}{by} stops in an enemy's front{then}. [6.2.7]")
                }
            }
        };
        groups.iter().map(line).collect()
    }
}

/// A check, without its paragraph.
fn check(e: &Event) -> Option<String> {
    let Event::Checked { unit, why, die, sum, need, passed } = e else { return None };
    let word = if *passed { "passes" } else { "fails" };
    Some(format!("{unit}, {}: die {die}{}, FV {need}: {word}", why.replace('_', " "), with(sum)))
}

fn becomes(mood: Mood) -> &'static str {
    match mood {
        Mood::Fresh => "is fresh",
        Mood::Fatigued => "is fatigued",
        Mood::Routed => "routs",
    }
}

/// A check and what it makes of the unit, in one sentence.
fn checked_and(check_of: &Event, then: &Event) -> Option<String> {
    let (Event::Checked { unit, .. }, Event::Became { unit: of, mood }) = (check_of, then) else { return None };
    (unit == of).then(|| check(check_of)).flatten().map(|said| format!("{said}, and {}. [4.2.2, 6.7]", becomes(*mood)))
}

/// What happened: one paragraph an event, but steps of one march in one; and for each thing told its paragraph.
pub fn write(v: &View, told: &[Sighting]) -> (Vec<String>, Vec<Option<usize>>) {
    let (mut story, mut told_in) = (Vec::new(), vec![None; told.len()]);
    let mut march = March::default();
    let close = |march: &mut March, story: &mut Vec<String>, told_in: &mut Vec<Option<usize>>| {
        let done = std::mem::take(march);
        if done.from.is_empty() {
            return;
        }
        let first = story.len() + 1;
        story.extend(done.said());
        for at in done.from {
            if let Some(place) = told_in.get_mut(at) {
                *place = Some(first);
            }
        }
    };
    let mut checked: Option<&Event> = None;
    let mut begun = !told.iter().any(|told| matches!(told.event(), Some(Event::Placed { .. })));
    for (at, sighting) in told.iter().enumerate() {
        let event = sighting.event();
        begun |= matches!(event, Some(Event::First { .. } | Event::Ready { .. }));
        let left = |tag: &u32| sighting.spots().contains(&Spot::Lost { tag: *tag });
        let news = sighting.spots().iter().filter(|spot| !matches!(spot, Spot::Gone { tag } if left(tag)));
        let mut said: Vec<String> = news.filter_map(|spot| spotted(v, spot)).collect();
        // Who holds what at the start stands on the map.
        let event = event.filter(|event| begun || !matches!(event, Event::Town { .. }));
        let step = event.is_some_and(|event| march.take(at, event));
        let both = checked.zip(event).filter(|_| said.is_empty()).and_then(|(check, then)| checked_and(check, then));
        checked = event.filter(|event| matches!(event, Event::Checked { .. }));
        if let (Some(both), Some(last)) = (both, story.last_mut()) {
            *last = large(&both);
            if let Some(place) = told_in.get_mut(at) {
                *place = Some(story.len());
            }
            continue;
        }
        said.extend(event.filter(|_| !step).and_then(line).map(|line| large(&line)));
        if said.is_empty() {
            continue;
        }
        close(&mut march, &mut story, &mut told_in);
        story.extend(said);
        if let Some(place) = told_in.get_mut(at) {
            *place = Some(story.len());
        }
    }
    close(&mut march, &mut story, &mut told_in);
    (story, told_in)
}

/// With a large letter at the beginning.
fn large(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// DB.2, DB.3 What has come in sight, or gone out of it.
fn spotted(v: &View, spot: &Spot) -> Option<String> {
    let what =
        |face: &Face| face.regiment.as_ref().map_or_else(|| face.arm.clone(), |name| format!("{}, {name}", face.arm));
    Some(match spot {
        Spot::Seen { tag, face, fresh: true, .. } => {
            format!("E{tag}, {}, comes in sight at {}. [DB.2]", what(face), face.hex)
        }
        Spot::Seen { .. } => return None,
        Spot::Lost { tag } => format!("E{tag} is out of sight. [DB.2]"),
        Spot::Fell { .. } => return None,
        Spot::Gone { tag } => format!("Nobody is left where E{tag} was last seen. [DB.2]"),
        Spot::Leader { leader, hex } => format!("{leader} comes in sight at {hex}. [DB.2]"),
        Spot::Town { side: who, .. } if *who == v.side && v.state.turn == v.state.board.turns.0 => return None,
        Spot::Town { place, side: who } => format!("{} are seen to hold {place}. [DB.7]", large(side(who))),
    })
}

/// One line on a turn.
pub fn summary(_: &View, turn: u32, told: &[Sighting]) -> String {
    let count = |fits: fn(&Event) -> bool| told.iter().filter_map(Sighting::event).filter(|e| fits(e)).count();
    let fires = count(|e| matches!(e, Event::Fired { .. }));
    let melees = count(|e| matches!(e, Event::Fought { .. }));
    let lost = count(|e| matches!(e, Event::Fell { .. }));
    format!("Turn {turn}: {fires} fires, {melees} melees, {lost} units lost")
}

/// A line that was lodged and not carried out.
fn missed(line: &str, upshot: &Upshot) -> String {
    let rule = match upshot {
        Upshot::Failed { rule } | Upshot::Refused { rule } => rule.as_str(),
        _ => "6.1",
    };
    format!("{}: \"{line}\", which you lodged. [{rule}]", upshot.word())
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
        Event::Wished { wish, .. } => wanted(wish),
        Event::Missed { line, upshot, .. } => missed(line, upshot),
        Event::Taken { of, .. } if of.is_empty() => "You pass, as you have lodged. [3.0]".to_owned(),
        Event::Taken { of, lines, .. } => format!("By the sheet that you lodged for {of}: {}. [6.1]", lines.join("; ")),
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
        Event::Activated { side: who, leaders, .. } if leaders.is_empty() => {
            format!("{} act. [3.0]", side(who))
        }
        Event::Activated { leaders, units, .. } => {
            format!("Activated: {}, with {}. [6.1]", leaders.join(", "), units.join(" "))
        }
        Event::Idle { unit } => format!("{unit} is out of command. [6.1.7]"),
        Event::Climbs { die } => format!("Chart of levels: die {die}. [6.2.3]"),
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
        Event::Checked { .. } => format!("{}. [4.2.2]", check(e)?),
        Event::Became { unit, mood } => format!("{unit} {}. [4.2.4, 6.7]", becomes(*mood)),
        Event::Fell { unit, how } => {
            let word = if *how == Fate::Surrendered { "surrenders" } else { "is eliminated" };
            format!("{unit} {word}. [5.3]")
        }
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

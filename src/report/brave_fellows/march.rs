//! What happened to several units one after the other, told in one sentence: a march, and checks for the same reason.

use crate::hex::{Dir, Hex};
use crate::rules::brave_fellows::event::Event;
use crate::rules::brave_fellows::state::{Fate, Mood};
use crate::rules::brave_fellows::told::{Face, Spot};
use crate::rules::tactical::sum::Sum;
use crate::text;

/// The way of one unit.
#[derive(Default)]
struct Gone {
    /// The unit.
    unit: String,
    /// How it goes: back, in rout or forward after combat; nothing where it marches.
    how: String,
    /// 6.7 Whether it runs because it has just been routed.
    broke: bool,
    /// DB.2 What it looks like that has come in sight, and where.
    seen: Option<(String, Hex)>,
    /// The hexes that it has entered.
    way: Vec<Hex>,
    /// 6.2.7 Whether an enemy's front has stopped it.
    halted: bool,
    /// How it faces at the end.
    facing: Option<Dir>,
    /// DB.2 Whether it has gone out of sight.
    lost: bool,
}

impl Gone {
    /// What it did, without its name; `many` where several did so.
    fn said(&self, many: bool) -> String {
        let s = if many { "" } else { "s" };
        let hexes: Vec<String> = self.way.iter().map(ToString::to_string).collect();
        let hexes = hexes.join(" ");
        if !self.how.is_empty() {
            let lost = if self.lost { ", out of sight" } else { "" };
            if self.broke {
                return format!("rout{s} by {hexes}{lost}. [4.2.4, 6.7]");
            }
            let rule = match self.how.as_str() {
                "rout" => "6.7",
                "advance" => "6.4.9",
                _ => "6.6",
            };
            return format!("to {hexes} ({}){lost}. [{rule}]", self.how);
        }
        let mut said = Vec::new();
        if let Some((_, hex)) = &self.seen {
            said.push(format!("come{s} in sight at {hex}"));
        }
        if !hexes.is_empty() {
            said.push(format!("went by {hexes}"));
        }
        if self.halted {
            said.push(format!("stop{s} in an enemy's front"));
        }
        let mut text = said.join(", ");
        match self.facing {
            Some(dir) if text.is_empty() => text = format!("turned to {}", dir.name()),
            Some(dir) => text = format!("{text}, facing {}", dir.name()),
            None => {}
        }
        if self.lost {
            let gone = if many { "are out of sight" } else { "is out of sight" };
            text = if text.is_empty() { gone.to_owned() } else { format!("{text}, and {gone}") };
        }
        let rule = match (self.seen.is_some() || self.lost, self.way.is_empty(), self.halted) {
            (true, true, _) => "DB.2",
            (true, false, _) => "6.2, DB.2",
            (false, _, true) => "6.2.7",
            (false, true, false) => "4.3.2",
            (false, false, false) => "6.2",
        };
        format!("{text}. [{rule}]")
    }

    fn is_like(&self, other: &Gone) -> bool {
        (&self.way, self.facing, &self.how, self.broke, self.halted, &self.seen, self.lost)
            == (&other.way, other.facing, &other.how, other.broke, other.halted, &other.seen, other.lost)
    }
}

/// Steps of units that go together, until something else happens.
#[derive(Default)]
struct March {
    /// Each unit with its way.
    ways: Vec<Gone>,
    /// Leaders, by where they rode.
    rides: Vec<(Hex, Vec<String>)>,
    /// What happened on the way: a place changed hands.
    besides: Vec<String>,
    /// Places of all that in what was told.
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

    fn take(&mut self, at: usize, e: &Event) -> bool {
        match e {
            Event::Stepped { unit, to, with, .. } => {
                let all = std::iter::once(unit).chain(with.iter().map(|pace| &pace.unit));
                all.for_each(|unit| self.of(unit, "").way.push(*to));
            }
            Event::Went { unit, to, how } => self.of(unit, how).way.push(*to),
            Event::Turned { unit, facing } => self.of(unit, "").facing = Some(*facing),
            Event::Halted { unit } => self.of(unit, "").halted = true,
            Event::Rode { leader, to } | Event::Followed { leader, to } => {
                match self.rides.iter_mut().find(|(hex, _)| hex == to) {
                    Some((_, leaders)) => leaders.push(leader.clone()),
                    None => self.rides.push((*to, vec![leader.clone()])),
                }
            }
            _ => return false,
        }
        self.from.push(at);
        true
    }

    fn spot(&mut self, at: usize, spot: &Spot) -> bool {
        let look =
            |face: &Face| face.regiment.as_ref().map_or(face.arm.clone(), |name| format!("{}, {name}", face.arm));
        match spot {
            Spot::Seen { tag, face, fresh: true, .. } => {
                self.of(&format!("E{tag}"), "").seen = Some((look(face), face.hex));
            }
            Spot::Lost { tag } => {
                let name = format!("E{tag}");
                match self.ways.iter_mut().rev().find(|gone| gone.unit == name) {
                    Some(gone) => gone.lost = true,
                    None => self.of(&name, "").lost = true,
                }
            }
            _ => return false,
        }
        self.from.push(at);
        true
    }

    fn beside(&mut self, at: usize, said: &str) -> bool {
        if self.ways.is_empty() {
            return false;
        }
        self.besides.push(said.to_owned());
        self.from.push(at);
        true
    }

    /// The sentences: units with the same way in one.
    fn said(&self) -> Vec<String> {
        let mut groups: Vec<(Vec<&str>, &Gone)> = Vec::new();
        for gone in &self.ways {
            match groups.iter_mut().find(|(_, other)| other.is_like(gone)) {
                Some((units, _)) => units.push(&gone.unit),
                None => groups.push((vec![&gone.unit], gone)),
            }
        }
        let line = |(units, gone): &(Vec<&str>, &Gone)| {
            let look = gone.seen.as_ref().map_or_else(String::new, |(look, _)| format!(", {look},"));
            format!("{}{look} {}", units.join(" "), gone.said(units.len() > 1))
        };
        let rides = self.rides.iter().map(|(to, leaders)| format!("{} to {to}. [6.2, 6.5.5]", leaders.join(" ")));
        groups.iter().map(line).chain(rides).chain(self.besides.iter().cloned()).collect()
    }
}

/// What is said of one unit that is checked.
struct Check {
    unit: String,
    die: String,
    sum: Sum,
    /// What follows the die: its value, and what it makes of the unit.
    then: String,
}

/// 4.2.2, 4.2.4, 6.5.2 Checks for one reason, with what they make of the units; or units that become the same without one.
#[derive(Default)]
struct Checks {
    /// The reason and its paragraph; none where nobody was checked.
    why: Option<(String, &'static str)>,
    units: Vec<Check>,
    /// 5.3 Whether one of them falls by it.
    fell: bool,
    from: Vec<usize>,
}

impl Checks {
    /// 4.2.4 The one unit that has been routed without a check, and has not run yet.
    fn breaks(&self, unit: &str) -> bool {
        let alone = matches!(self.units.as_slice(), [only] if only.unit == unit);
        alone && self.why.is_none() && self.units.iter().all(|check| check.then == becomes(Mood::Routed, true))
    }

    fn push(&mut self, why: Option<(String, &'static str)>, check: Check) -> bool {
        if self.fell || (!self.units.is_empty() && self.why != why) {
            return false;
        }
        self.why = why;
        self.units.push(check);
        true
    }

    /// What a check makes of the unit that was checked last.
    fn then(&mut self, unit: &str, what: &str) -> bool {
        match self.units.last_mut().filter(|check| check.unit == unit) {
            Some(check) => check.then.push_str(&format!(" and {what}")),
            None => return false,
        }
        true
    }

    fn take(&mut self, at: usize, e: &Event) -> bool {
        let checked = self.why.is_some();
        let taken = match e {
            Event::Checked { unit, why, die, sum, need, passed } => {
                let word = if *passed { "passes" } else { "fails" };
                let then = format!(", FV {need}: {word}");
                let check = Check { unit: unit.clone(), die: format!("die {die}"), sum: sum.clone(), then };
                self.push(Some((why.replace('_', " "), "4.2.2")), check)
            }
            Event::Risked { leader, dice } => {
                let dice: Vec<String> = dice.iter().map(ToString::to_string).collect();
                let die = format!("die {}", dice.join(", "));
                let check = Check { unit: leader.clone(), die, sum: Sum::default(), then: String::new() };
                self.push(Some(("leaders at risk".to_owned(), "6.5.2")), check)
            }
            Event::Became { unit, mood } if checked => self.then(unit, becomes(*mood, false)),
            Event::Refused { unit } if checked => self.then(unit, "does not attack"),
            Event::Idle { unit } if checked => self.then(unit, "may not act"),
            Event::Fell { unit, how } if !self.fell && self.then(unit, fate(*how)) => {
                self.fell = true;
                true
            }
            Event::Hurt { leader, until: None } if checked => self.then(leader, "is killed"),
            Event::Hurt { leader, until: Some(turn) } if checked => {
                self.then(leader, &format!("is wounded until turn {turn}"))
            }
            Event::Became { unit, mood } => {
                let then = becomes(*mood, true).to_owned();
                let other = self.units.last().is_some_and(|check| check.then != then);
                let check = Check { unit: unit.clone(), die: String::new(), sum: Sum::default(), then };
                !other && self.push(None, check)
            }
            _ => false,
        };
        if taken {
            self.from.push(at);
        }
        taken
    }

    fn said(&self) -> String {
        let Some((why, rule)) = &self.why else {
            let units: Vec<&str> = self.units.iter().map(|check| check.unit.as_str()).collect();
            let all = self.units.first().map_or("", |check| &check.then);
            let rule = if self.fell { "4.2.4, 5.3" } else { "4.2.4" };
            return format!("{} {all}. [{rule}]", units.join(" "));
        };
        let rule = if self.fell { format!("{rule}, 5.3") } else { (*rule).to_owned() };
        let alike = self.units.iter().all(|check| self.units.first().is_some_and(|first| first.sum == check.sum));
        let own = |check: &Check| if alike { String::new() } else { with(&check.sum) };
        let each = |check: &Check| format!("{} {}{}{}", check.unit, check.die, own(check), check.then);
        let units: Vec<String> = self.units.iter().map(each).collect();
        let head = self.units.first().filter(|_| alike).map_or_else(String::new, |first| with(&first.sum));
        format!("{why}{head}: {}. [{rule}]", units.join("; "))
    }
}

/// What is still to be told in one go.
enum Run {
    March(March),
    Checks(Checks),
}

/// The story as it grows: paragraphs, and for each thing told the one that tells of it.
pub(super) struct Story {
    run: Option<Run>,
    lines: Vec<String>,
    told_in: Vec<Option<usize>>,
}

impl Story {
    /// Nothing yet, of so many things told.
    pub(super) fn new(told: usize) -> Story {
        Story { run: None, lines: Vec::new(), told_in: vec![None; told] }
    }

    /// Tells of an event together with those before it, if it can be.
    pub(super) fn take(&mut self, at: usize, e: &Event) -> bool {
        let taken = match &mut self.run {
            Some(Run::March(march)) => march.take(at, e),
            Some(Run::Checks(checks)) => checks.take(at, e),
            None => false,
        };
        if taken || self.runs(at, e) {
            return true;
        }
        let (mut march, mut checks) = (March::default(), Checks::default());
        if march.take(at, e) {
            self.close();
            self.run = Some(Run::March(march));
        } else if checks.take(at, e) {
            self.close();
            self.run = Some(Run::Checks(checks));
        } else {
            return false;
        }
        true
    }

    /// 4.2.4, 6.7 Who runs as soon as he has been routed is told of once.
    fn runs(&mut self, at: usize, e: &Event) -> bool {
        let Event::Went { unit, to, how } = e else { return false };
        let from = match &self.run {
            Some(Run::Checks(checks)) if how == "rout" && checks.breaks(unit) => checks.from.clone(),
            _ => return false,
        };
        let mut march = March { from, ..March::default() };
        let gone = march.of(unit, how);
        (gone.broke, gone.way) = (true, vec![*to]);
        march.from.push(at);
        self.run = Some(Run::March(march));
        true
    }

    /// Tells of what has come in sight or gone out of it, together with the marches; whether it was that.
    pub(super) fn spot(&mut self, at: usize, spot: &Spot) -> bool {
        if let Some(Run::March(march)) = &mut self.run {
            return march.spot(at, spot);
        }
        let mut march = March::default();
        let is_one = march.spot(at, spot);
        if is_one {
            self.close();
            self.run = Some(Run::March(march));
        }
        is_one
    }

    /// A sentence of its own; `beside` where marches go on behind it.
    pub(super) fn say(&mut self, at: usize, line: &str, beside: bool) {
        let waits = match &mut self.run {
            Some(Run::March(march)) if beside => march.beside(at, line),
            _ => false,
        };
        if waits {
            return;
        }
        self.close();
        self.lines.push(text::capital(line));
        if let Some(place) = self.told_in.get_mut(at) {
            *place = Some(self.lines.len());
        }
    }

    /// Ends what is told in one go.
    fn close(&mut self) {
        let (lines, from) = match self.run.take() {
            Some(Run::March(march)) => (march.said(), march.from),
            Some(Run::Checks(checks)) => (vec![checks.said()], checks.from),
            None => return,
        };
        let first = self.lines.len() + 1;
        self.lines.extend(lines.iter().map(|line| text::capital(line)));
        for at in from {
            if let Some(place) = self.told_in.get_mut(at) {
                *place = Some(first);
            }
        }
    }

    /// The paragraphs, and for each thing told its paragraph.
    pub(super) fn end(mut self) -> (Vec<String>, Vec<Option<usize>>) {
        self.close();
        (self.lines, self.told_in)
    }
}

/// The modifiers of a die, behind it.
pub(super) fn with(sum: &Sum) -> String {
    if sum.0.is_empty() { String::new() } else { format!(", {}", sum.words()) }
}

/// 5.3 What a unit does that is taken off the map.
pub(super) fn fate(how: Fate) -> &'static str {
    match how {
        Fate::Surrendered => "surrenders",
        _ => "is eliminated",
    }
}

/// What one unit becomes, or many.
fn becomes(mood: Mood, many: bool) -> &'static str {
    match (mood, many) {
        (Mood::Fresh, false) => "is fresh",
        (Mood::Fatigued, false) => "is fatigued",
        (Mood::Routed, false) => "routs",
        (Mood::Fresh, true) => "now fresh",
        (Mood::Fatigued, true) => "now fatigued",
        (Mood::Routed, true) => "now in rout",
    }
}

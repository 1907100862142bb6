//! Steps of units that go together, told in one sentence.

use super::Rules;
use crate::hex::Hex;
use crate::rules::tactical::tags::Spot;

/// What an event tells of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'e> {
    /// A unit enters a hex by its own will.
    Entered(&'e str, Hex),
    /// A unit goes to a hex otherwise: in which way.
    Drove(&'e str, Hex, &'e str),
    /// A unit turns: whither, in a word.
    Turned(&'e str, &'static str),
    /// An enemy's front stops a unit.
    Halted(&'e str),
    /// A leader rides to a hex.
    Rode(&'e str, Hex),
}

/// Who has come in sight or gone out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spotted {
    /// Somebody, by his tag, who looks so, in a hex.
    Came {
        /// His tag.
        name: String,
        /// How he looks.
        look: String,
        /// Where.
        hex: Hex,
    },
    /// Somebody is out of sight.
    Lost {
        /// His tag.
        name: String,
    },
}

impl Spotted {
    /// What a change of what a side sees tells of.
    pub(super) fn of(spot: &Spot) -> Option<Spotted> {
        match spot {
            Spot::Seen { tag, face, fresh: true, .. } => {
                let regiment = face.regiment.as_ref();
                let look = regiment.map_or(face.arm.clone(), |name| format!("{}, {name}", face.arm));
                Some(Spotted::Came { name: format!("E{tag}"), look, hex: face.hex })
            }
            Spot::Lost { tag } => Some(Spotted::Lost { name: format!("E{tag}") }),
            _ => None,
        }
    }
}

/// The way of one unit.
#[derive(Default)]
struct Gone {
    /// The unit.
    unit: String,
    /// How it goes: back, in rout or forward after combat; nothing where it marches.
    how: String,
    /// Whether it runs because it has just been routed.
    broke: bool,
    /// What it looks like that has come in sight, and where.
    seen: Option<(String, Hex)>,
    /// The hexes that it has entered.
    way: Vec<Hex>,
    /// Whether an enemy's front has stopped it.
    halted: bool,
    /// How it faces at the end.
    facing: Option<&'static str>,
    /// Whether it has gone out of sight.
    lost: bool,
}

impl Gone {
    /// What it did, without its name; `many` where several did so.
    fn said(&self, many: bool, rules: &Rules) -> String {
        let s = if many { "" } else { "s" };
        let hexes: Vec<String> = self.way.iter().map(ToString::to_string).collect();
        let hexes = hexes.join(" ");
        if !self.how.is_empty() {
            let lost = if self.lost { ", out of sight" } else { "" };
            if self.broke {
                return format!("{}{s} by {hexes}{lost}. [{}]", self.how, rules.breaking);
            }
            let rule = (rules.how)(&self.how);
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
            said.push(format!("stop{s} before an enemy"));
        }
        let mut text = said.join(", ");
        match self.facing {
            Some(whither) if text.is_empty() => text = format!("turned to {whither}"),
            Some(whither) => text = format!("{text}, facing {whither}"),
            None => {}
        }
        if self.lost {
            let gone = if many { "are out of sight" } else { "is out of sight" };
            text = if text.is_empty() { gone.to_owned() } else { format!("{text}, and {gone}") };
        }
        let rule = match (self.seen.is_some() || self.lost, self.way.is_empty(), self.halted) {
            (true, true, _) => rules.sight.to_owned(),
            (true, false, _) => format!("{}, {}", rules.going, rules.sight),
            (false, _, true) => rules.halting.to_owned(),
            (false, true, false) => rules.turning.to_owned(),
            (false, false, false) => rules.going.to_owned(),
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
pub(super) struct March {
    /// Each unit with its way.
    ways: Vec<Gone>,
    /// Leaders, by where they rode.
    rides: Vec<(Hex, Vec<String>)>,
    /// What happened on the way: a place changed hands.
    besides: Vec<String>,
    /// Places of all that in what was told.
    pub(super) from: Vec<usize>,
}

impl March {
    fn of(&mut self, unit: &str, how: &str) -> &mut Gone {
        let at = self.ways.iter().position(|gone| gone.unit == unit && gone.how == how).unwrap_or_else(|| {
            self.ways.push(Gone { unit: unit.to_owned(), how: how.to_owned(), ..Gone::default() });
            self.ways.len() - 1
        });
        &mut self.ways[at]
    }

    /// Who runs as soon as he has been routed, which was told at some places.
    pub(super) fn broken(unit: &str, how: &str, to: Hex, from: Vec<usize>) -> March {
        let mut march = March { from, ..March::default() };
        let gone = march.of(unit, how);
        (gone.broke, gone.way) = (true, vec![to]);
        march
    }

    /// Takes what an event tells of steps; whether it tells of any.
    pub(super) fn take(&mut self, at: usize, steps: &[Step<'_>]) -> bool {
        for step in steps {
            match *step {
                Step::Entered(unit, hex) => self.of(unit, "").way.push(hex),
                Step::Drove(unit, hex, how) => self.of(unit, how).way.push(hex),
                Step::Turned(unit, facing) => self.of(unit, "").facing = Some(facing),
                Step::Halted(unit) => self.of(unit, "").halted = true,
                Step::Rode(leader, to) => match self.rides.iter_mut().find(|(hex, _)| *hex == to) {
                    Some((_, leaders)) => leaders.push(leader.to_owned()),
                    None => self.rides.push((to, vec![leader.to_owned()])),
                },
            }
        }
        self.noted(at, !steps.is_empty())
    }

    /// Takes who has come in sight or gone out of it.
    pub(super) fn spot(&mut self, at: usize, spot: Option<Spotted>) -> bool {
        match &spot {
            Some(Spotted::Came { name, look, hex }) => self.of(name, "").seen = Some((look.clone(), *hex)),
            Some(Spotted::Lost { name }) => match self.ways.iter_mut().rev().find(|gone| gone.unit == *name) {
                Some(gone) => gone.lost = true,
                None => self.of(name, "").lost = true,
            },
            None => {}
        }
        self.noted(at, spot.is_some())
    }

    /// Remembers where it was told.
    fn noted(&mut self, at: usize, is_so: bool) -> bool {
        self.from.extend(is_so.then_some(at));
        is_so
    }

    /// A sentence that stands behind the marches, where there are any.
    pub(super) fn beside(&mut self, at: usize, said: &str) -> bool {
        if self.ways.is_empty() {
            return false;
        }
        self.besides.push(said.to_owned());
        self.noted(at, true)
    }

    /// The sentences: units with the same way in one.
    pub(super) fn said(&self, rules: &Rules) -> Vec<String> {
        let mut groups: Vec<(Vec<&str>, &Gone)> = Vec::new();
        for gone in &self.ways {
            match groups.iter_mut().find(|(_, other)| other.is_like(gone)) {
                Some((units, _)) => units.push(&gone.unit),
                None => groups.push((vec![&gone.unit], gone)),
            }
        }
        let line = |(units, gone): &(Vec<&str>, &Gone)| {
            let look = gone.seen.as_ref().map_or_else(String::new, |(look, _)| format!(", {look},"));
            format!("{}{look} {}", units.join(" "), gone.said(units.len() > 1, rules))
        };
        let rides = self.rides.iter().map(|(to, leaders)| format!("{} to {to}. [{}]", leaders.join(" "), rules.riding));
        groups.iter().map(line).chain(rides).chain(self.besides.iter().cloned()).collect()
    }
}

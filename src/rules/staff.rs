//! Several seats of one side: who commands whom, who is asked, and whose line comes next.
//!
//! The rules know sides, each with one seat. A game that gives a side several seats has one more file, of kind `staff`;
//! here the rules' seat is made the seats of that file, and back again.

use super::Ruleset;
use crate::fog::{SeatId, SideId};
use crate::orders::Fault;
use crate::text::nearest;
use crate::yaml::{self, At, Flaw};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of file that says it.
pub const KIND: &str = "staff";
/// Hexes that the pieces of a seat see where the file says nothing: a short day's ride of a patrol and back.
const SIGHT: u32 = 3;
/// The farthest that a file may say.
const SIGHT_MAX: u32 = 50;
/// Most seats of one side.
const SEATS_MAX: usize = 12;

/// Whom an order or a question is about. A leader is given with those above him, he himself first, by their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Concern {
    /// The army as a whole: its commander's business.
    Army,
    /// What obeys whoever sees it first.
    Anyone,
    /// All of these leaders.
    All(Vec<Vec<String>>),
    /// Any one of these leaders.
    One(Vec<Vec<String>>),
}

/// What the seats of a side know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Knowledge {
    /// All that their side knows.
    #[default]
    Shared,
    /// What their own pieces see, and what couriers bring.
    Own,
}

/// Whom an army commander may order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// All of his side.
    #[default]
    All,
    /// Whom no other seat commands.
    Own,
    /// All of his side: at once whom he is with, the others by courier.
    Travel,
}

/// How couriers between seats ride, and what becomes of them; a die of six decides each danger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// How far one rides in a turn of its side; as far as a dispatch of the rules, where nothing is said.
    #[serde(default)]
    pub mp: Option<i32>,
    /// In how many turns at least it comes in.
    #[serde(default = "once")]
    pub least: u32,
    /// Up to which die it is lost on its way, each turn.
    #[serde(default)]
    pub lost: u32,
    /// Up to which die it is taken where it meets the enemy.
    #[serde(default = "two")]
    pub taken: u32,
    /// On how many dice above those it stops there.
    #[serde(default = "two")]
    pub stopped: u32,
}

fn once() -> u32 {
    1
}

fn two() -> u32 {
    2
}

/// A dispatch of one seat to another of its side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispatch {
    /// Who writes.
    pub from: SeatId,
    /// Who is to read it.
    pub to: SeatId,
    /// The leaders with the first of whom on the board the writer is.
    pub senders: Vec<String>,
    /// The same of the reader.
    pub targets: Vec<String>,
    /// Rates and dangers.
    pub rates: Rates,
    /// What it says.
    pub text: Vec<String>,
    /// Lines that are carried out when it comes in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<String>,
    /// The leaders who obey the writer, by id, of whom it says how they stand; none where seats share what they know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returns: Vec<String>,
}

/// Orders that a dispatch has brought in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brought {
    /// Who gives them.
    pub from: SeatId,
    /// Who has them to carry out.
    pub to: SeatId,
    /// The lines.
    pub orders: Vec<String>,
}

/// A seat of a side that has several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chair {
    /// The seat.
    pub seat: SeatId,
    /// Its side.
    pub side: SideId,
    /// Whether the army is its own.
    pub commander: bool,
    /// The leaders that it commands, by id.
    pub leaders: Vec<String>,
}

/// The seats of the sides that have several; empty in a game of one seat a side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Staff {
    chairs: Vec<Chair>,
    /// The seats that the rules know, by side.
    known: BTreeMap<SideId, SeatId>,
    /// Printed names of leaders, by id.
    names: BTreeMap<String, String>,
    knowledge: Knowledge,
    /// How far the pieces of a seat see, in hexes, where seats know only their own.
    sight: u32,
    reach: Reach,
    couriers: Option<Rates>,
    /// Seats whose leaders obey the commander, because nobody sits there any more.
    gone: BTreeSet<SeatId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(default)]
    knowledge: Option<At<Knowledge>>,
    #[serde(default)]
    sight: Option<At<u32>>,
    #[serde(default)]
    commander_orders: Option<At<Reach>>,
    #[serde(default)]
    couriers: Option<At<Rates>>,
    seats: Vec<WrittenChair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenChair {
    seat: At<String>,
    side: At<String>,
    #[serde(default)]
    commander: bool,
    #[serde(default)]
    commands: Vec<At<String>>,
}

/// Path and text of a file.
type File = (String, String);

/// The files of the rules, and that of the staff if there is one.
pub fn apart(files: &[File]) -> (Vec<File>, Option<&File>) {
    let is_staff = |file: &&File| yaml::label(&file.1, "kind") == Some(KIND);
    (files.iter().filter(|file| !is_staff(file)).cloned().collect(), files.iter().find(is_staff))
}

/// Reads the staff of a game against the sides and leaders of its scenario.
///
/// # Errors
/// All flaws of the file, each with its line and cure.
pub fn seated<R: Ruleset>(file: Option<&File>, state: &R::State) -> Result<Staff, Vec<Flaw>> {
    let Some((file, text)) = file else { return Ok(Staff::default()) };
    let written: Written = yaml::read(file, text).map_err(|flaw| vec![flaw])?;
    let sides = R::seats(state);
    let mut flaws = Vec::new();
    let knowledge = written.knowledge.as_ref().map_or_else(Knowledge::default, |at| at.value);
    let reach = written.commander_orders.as_ref().map_or_else(Reach::default, |at| at.value);
    let rides = "Add a line such as `couriers: {mp: 18}`.";
    if let Some(at) = written.knowledge.as_ref().filter(|_| knowledge == Knowledge::Own && written.couriers.is_none()) {
        let why = "Seats that know only their own hear of each other by courier, and there are none.";
        flaws.push(Flaw::at(file, at, why, rides));
    }
    if let Some(at) = written.commander_orders.as_ref().filter(|_| reach == Reach::Travel && written.couriers.is_none())
    {
        flaws.push(Flaw::at(file, at, "Orders travel by courier, and there are none.", rides));
    }
    if let Some(at) = written.sight.as_ref() {
        if knowledge == Knowledge::Shared {
            let why = "Seats that share what their side knows have no sight of their own.";
            flaws.push(Flaw::at(file, at, why, "Add `knowledge: own`, or take the line out."));
        } else if at.value > SIGHT_MAX {
            let cure = format!("Write a number of hexes up to {SIGHT_MAX}.");
            flaws.push(Flaw::at(file, at, "Nobody sees so far.", cure));
        }
    }
    if let Some(at) = written.couriers.as_ref() {
        let Rates { mp, least, lost, taken, stopped } = &at.value;
        let dice = *lost <= 6 && *taken <= 6 && taken.saturating_add(*stopped) <= 6;
        if !dice || mp.is_some_and(|mp| !(1..=1000).contains(&mp)) || *least > 100 {
            let why = "These rates of couriers cannot be.";
            let cure = "mp is 1 or more; lost, and taken with stopped, are at most 6, the faces of a die.";
            flaws.push(Flaw::at(file, at, why, cure));
        }
    }
    let couriers = written.couriers.map(|at| at.value);
    let sight = written.sight.map_or(SIGHT, |at| at.value);
    let mut staff = Staff { knowledge, sight, reach, couriers, ..Staff::default() };
    for chair in &written.seats {
        match sides.iter().find(|(_, side)| side.0 == chair.side.value) {
            Some((known, side)) => {
                staff.known.insert(side.clone(), known.clone());
                let leaders = R::leaders(state, side);
                staff.add(file, chair, side, &leaders, &mut flaws);
            }
            None => {
                let names: Vec<&str> = sides.iter().map(|(_, side)| side.0.as_str()).collect();
                let why = format!("There is no side \"{}\".", chair.side.value);
                flaws.push(Flaw::at(file, &chair.side, why, format!("The sides are {}.", names.join(", "))));
            }
        }
    }
    staff.heads(file, &mut flaws);
    if flaws.is_empty() { Ok(staff) } else { Err(flaws) }
}

impl Staff {
    /// One seat of the file, as far as it is right.
    fn add(
        &mut self,
        file: &str,
        chair: &WrittenChair,
        side: &SideId,
        leaders: &[(String, String)],
        flaws: &mut Vec<Flaw>,
    ) {
        let id = &chair.seat.value;
        let odd = |c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        let reserved = id.is_empty() || id.starts_with("umpire") || id.starts_with("observer");
        if reserved || id.contains(odd) || id.len() > 30 {
            let cure = "Use small letters, digits and -, such as soult; umpire and observer have seats of their own.";
            flaws.push(Flaw::at(file, &chair.seat, format!("\"{id}\" cannot be a seat's id."), cure));
        }
        if self.chairs.iter().any(|known| known.seat.0 == *id) {
            flaws.push(Flaw::at(file, &chair.seat, format!("The seat {id} stands twice."), "Take one out."));
        }
        if leaders.is_empty() {
            let why = format!("Several seats of {side} are not built yet for this ruleset.");
            flaws.push(Flaw::at(file, &chair.side, why, "Play it with one seat a side."));
        }
        let mut own = Vec::new();
        for named in &chair.commands {
            let wanted = crate::orders::fold(&named.value);
            let fits = |(id, name): &&(String, String)| {
                crate::orders::fold(id) == wanted || crate::orders::fold(name) == wanted
            };
            let Some((found, name)) = leaders.iter().find(fits) else {
                let near = nearest(&named.value, leaders.iter().map(|(_, name)| name.as_str()));
                let cure =
                    near.map_or_else(|| "Name a leader of that side.".to_owned(), |near| format!("Write {near}."));
                flaws.push(Flaw::at(file, named, format!("{side} has no leader \"{}\".", named.value), cure));
                continue;
            };
            if let Some(other) = self.chairs.iter().find(|other| other.leaders.contains(found)) {
                let why = format!("{name} is commanded by {} already.", other.seat);
                flaws.push(Flaw::at(file, named, why, "A leader obeys one seat."));
            }
            own.push(found.clone());
        }
        self.names.extend(leaders.iter().cloned());
        let (seat, side) = (SeatId(id.clone()), side.clone());
        self.chairs.push(Chair { seat, side, commander: chair.commander, leaders: own });
    }

    /// Each side has one commander; where the file names none, its first seat is he.
    fn heads(&mut self, file: &str, flaws: &mut Vec<Flaw>) {
        for side in self.known.keys().cloned().collect::<Vec<_>>() {
            let of_side = |chair: &&Chair| chair.side == side;
            if self.chairs.iter().filter(of_side).count() > SEATS_MAX {
                let cure = format!("At most {SEATS_MAX} are played.");
                flaws.push(Flaw::whole(file, format!("The side {side} has too many seats."), cure));
            }
            match self.chairs.iter().filter(of_side).filter(|chair| chair.commander).count() {
                0 => {
                    if let Some(first) = self.chairs.iter_mut().find(|chair| chair.side == side) {
                        first.commander = true;
                    }
                }
                1 => {}
                _ => {
                    let why = format!("The side {side} has more than one commander.");
                    flaws.push(Flaw::whole(file, why, "Write `commander: true` at one of its seats."));
                }
            }
            // A seat of another side under this side's name would be taken for it.
            let clash = self.chairs.iter().any(|chair| chair.seat.0 == side.0 && chair.side != side);
            if clash {
                flaws.push(Flaw::whole(
                    file,
                    format!("A seat of another side is called {side}."),
                    "Call it otherwise.",
                ));
            }
        }
    }

    /// All seats in order: those of the rules, each replaced by the several that it is.
    pub fn seats(&self, rules: Vec<(SeatId, SideId)>) -> Vec<(SeatId, SideId)> {
        let mut seats = Vec::new();
        for (seat, side) in rules {
            let several: Vec<_> = self.chairs.iter().filter(|chair| chair.side == side).collect();
            if several.is_empty() {
                seats.push((seat, side));
            } else {
                seats.extend(several.into_iter().map(|chair| (chair.seat.clone(), chair.side.clone())));
            }
        }
        seats
    }

    /// Seats that the rules name, each replaced by the several that it is.
    pub fn persons(&self, seats: &[SeatId]) -> Vec<SeatId> {
        let mut persons = Vec::new();
        for seat in seats {
            let side = self.known.iter().find(|(_, known)| *known == seat).map(|(side, _)| side);
            match side {
                Some(side) => {
                    persons.extend(self.chairs.iter().filter(|c| c.side == *side).map(|chair| chair.seat.clone()));
                }
                None => persons.push(seat.clone()),
            }
        }
        persons
    }

    /// The seat that the rules know a person by.
    pub fn army(&self, seat: &SeatId) -> SeatId {
        self.chair(seat).and_then(|chair| self.known.get(&chair.side)).unwrap_or(seat).clone()
    }

    /// The seat's place among several; `None` where its side has one seat.
    pub fn chair(&self, seat: &SeatId) -> Option<&Chair> {
        self.chairs.iter().find(|chair| chair.seat == *seat)
    }

    /// The seats of a side that has several, in order.
    pub fn chairs(&self, side: &SideId) -> Vec<&Chair> {
        self.chairs.iter().filter(|chair| chair.side == *side).collect()
    }

    /// All leaders that seats of a side can name: id and printed name.
    pub fn leaders(&self) -> impl Iterator<Item = (&String, &String)> {
        self.names.iter()
    }

    /// A leader's printed name.
    pub fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.names.get(id).map_or(id, String::as_str)
    }

    /// The leaders of these seats obey the commander from now on.
    pub fn set_gone(&mut self, gone: BTreeSet<SeatId>) {
        self.gone = gone;
    }

    /// Seats whose leaders obey the commander.
    pub fn gone(&self) -> &BTreeSet<SeatId> {
        &self.gone
    }

    /// Whether seats of one side write to each other by courier.
    pub fn rides(&self) -> bool {
        self.couriers.is_some()
    }

    /// How far the pieces of a seat see, where the seats of a side that has several know only their own.
    pub fn own_sight(&self) -> Option<u32> {
        (self.knowledge == Knowledge::Own).then_some(self.sight)
    }

    /// A dispatch of one seat to another of its side.
    ///
    /// # Errors
    /// Why there can be none.
    pub fn dispatch(&self, from: &SeatId, to: &SeatId, text: Vec<String>) -> Result<Dispatch, String> {
        let no = |why: &str| Err(why.to_owned());
        let Some(rates) = self.couriers.clone() else {
            return no("this game is played without couriers; PRESS TO a seat writes to it.");
        };
        let Some(writer) = self.chair(from) else { return no("your side has one seat only.") };
        let others: Vec<&str> = self.chairs(&writer.side).into_iter().map(|chair| chair.seat.0.as_str()).collect();
        match self.chair(to).filter(|chair| chair.side == writer.side && chair.seat != *from) {
            Some(reader) => {
                let (from, to) = (from.clone(), to.clone());
                let (senders, targets) = (writer.leaders.clone(), reader.leaders.clone());
                let (orders, returns) = (Vec::new(), Vec::new());
                Ok(Dispatch { from, to, senders, targets, rates, text, orders, returns })
            }
            None => Err(format!("couriers ride to the other seats of your side: {}.", others.join(", "))),
        }
    }

    fn commander(&self, side: &SideId) -> Option<&SeatId> {
        self.chairs(side).into_iter().find(|chair| chair.commander).map(|chair| &chair.seat)
    }

    /// Whom a leader obeys: the seat that names him, else that of the leader above him, else the commander.
    pub fn obeys(&self, side: &SideId, line: &[String]) -> Option<&SeatId> {
        let named = line.iter().find_map(|id| self.chairs(side).into_iter().find(|chair| chair.leaders.contains(id)));
        named.map(|chair| &chair.seat).filter(|seat| !self.gone.contains(*seat)).or_else(|| self.commander(side))
    }

    /// Why a seat may not give an order, if it may not.
    pub fn barred(&self, seat: &SeatId, concern: &Concern) -> Option<Fault> {
        let chair = self.chair(seat)?;
        let head = self.commander(&chair.side)?;
        if chair.commander && self.reach != Reach::Own {
            return None;
        }
        let verb = if self.rides() { "DISPATCH" } else { "PRESS" };
        let refused = |why: String| Some(Fault::refused(why, ""));
        let obeys = |line: &[String]| self.obeys(&chair.side, line);
        match concern {
            Concern::Anyone => None,
            Concern::Army if chair.commander => None,
            Concern::Army => refused(format!("that is the army commander's, {head}; {verb} TO {head} asks him")),
            Concern::All(lines) => {
                let other = lines.iter().find(|line| obeys(line) != Some(seat))?;
                let (him, by) = (self.name(other.first()?), obeys(other)?);
                refused(format!("{him} is commanded by {by}, not by you; {verb} TO {by} asks for it"))
            }
            Concern::One(lines) if lines.is_empty() || lines.iter().any(|line| obeys(line) == Some(seat)) => None,
            Concern::One(lines) => {
                let mut by: Vec<&str> = lines.iter().filter_map(|line| obeys(line)).map(|s| s.0.as_str()).collect();
                by.dedup();
                refused(format!("none of your leaders is there; {} commands there", crate::text::and_list(&by)))
            }
        }
    }

    /// The one other seat that an order of the commander has to ride to, if orders travel: the one whom all leaders obey
    /// that it is about. `with` says of a leader's line whether he is with the commander, who then tells him himself.
    pub fn rides_to(&self, seat: &SeatId, concern: &Concern, with: impl Fn(&[String]) -> bool) -> Option<SeatId> {
        let chair = self.chair(seat).filter(|chair| chair.commander && self.reach == Reach::Travel)?;
        let (Concern::All(lines) | Concern::One(lines)) = concern else { return None };
        let obeys = |line: &Vec<String>| self.obeys(&chair.side, line);
        let far = lines.iter().find(|line| obeys(line) != Some(seat) && !with(line))?;
        obeys(far).cloned()
    }

    /// Who is asked: whom the question concerns, else who gave the order that led to it, else the commander.
    pub fn asked(&self, seat: &SeatId, concern: &Concern, by: Option<&SeatId>) -> SeatId {
        let Some((side, _)) = self.known.iter().find(|(_, known)| *known == seat) else { return seat.clone() };
        let of_side = |by: &&SeatId| self.chair(by).is_some_and(|chair| chair.side == *side);
        let who = match concern {
            Concern::Army => None,
            Concern::Anyone => by.filter(of_side),
            Concern::All(lines) | Concern::One(lines) => lines.first().and_then(|line| self.obeys(side, line)),
        };
        who.or_else(|| self.commander(side)).unwrap_or(seat).clone()
    }
}

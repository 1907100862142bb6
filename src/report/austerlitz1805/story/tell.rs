//! A group of sightings as one paragraph.

mod after;
mod corps;
mod shots;

use super::words::{cause, named};
use super::{Group, Topic, line};
use crate::report::austerlitz1805::pen::{full, labels, mood, spot};
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::event::{Cause, Fact, Fire, Fought, How, Secret, Sighting, Why};
use crate::rules::austerlitz1805::state::GunPlan;
use crate::rules::austerlitz1805::table::{Combat, Face, Formation, Mark, Pose, Table, um};
use crate::rules::austerlitz1805::view::View;
use after::{Onward, changes, gone, marked, of_one, onward, outcome, plus, raised};
use std::collections::{BTreeMap, BTreeSet};

/// Chits of one phase that are told one by one; of more, their units are told by corps.
const CHITS: usize = 4;
/// Paragraphs of rules that one paragraph of a story names at most; WHY has all.
const RULES: usize = 1;

/// One paragraph, or nothing where nothing in it is worth a sentence.
pub fn paragraph(v: &View, group: &Group, told: &[&Sighting]) -> Option<String> {
    let facts: Vec<&Fact> =
        told.iter().filter_map(|s| if let Sighting::Open(fact) = s { Some(fact) } else { None }).collect();
    let t = &v.table;
    let mut teller = Teller { t, said: Vec::new(), rules: Vec::new(), named: BTreeSet::new() };
    let title = match group.topic {
        Topic::Rally => "Rally: ",
        Topic::Shots => "Bombardment: ",
        Topic::Muskets => "Musketry: ",
        Topic::Fight(_) => "Close combat: ",
        Topic::Moves
        | Topic::Attacks
        | Topic::Chits
        | Topic::Uncovered
        | Topic::Own(_)
        | Topic::Score
        | Topic::Sky
        | Topic::End
        | Topic::Rest => "",
    };
    match group.topic {
        Topic::Moves => teller.moves(&facts),
        Topic::Chits => teller.chits(&facts),
        Topic::Uncovered => teller.uncovered(&facts),
        Topic::Own(_) => teller.own(told),
        Topic::Sky => teller.sky(&facts),
        Topic::Score | Topic::End => teller.plain(told),
        Topic::Shots => {
            teller.misses(&facts);
            let rest = teller.held(&facts);
            teller.chain(&rest);
        }
        Topic::Rally => teller.rally(&facts),
        Topic::Muskets => {
            // That somebody has fired is told by his fire.
            let marked = |f: &&&Fact| matches!(f, Fact::Marked { mark: Mark::Volleyed, .. });
            let facts: Vec<&Fact> = facts.iter().filter(|f| !marked(f)).copied().collect();
            let rest = teller.held(&facts);
            teller.chain(&rest);
        }
        Topic::Attacks | Topic::Fight(_) | Topic::Rest => teller.chain(&facts),
    }
    teller.finish(title)
}

/// A paragraph in the making.
struct Teller<'v> {
    t: &'v Table,
    said: Vec<String>,
    rules: Vec<String>,
    named: BTreeSet<UnitId>,
}

/// So many that moved are named; of more the number of each corps stands, and the tables have where they are.
const LISTED: usize = 12;

impl Teller<'_> {
    fn finish(self, title: &str) -> Option<String> {
        if self.said.is_empty() {
            return None;
        }
        let mut rules: Vec<String> = self.rules;
        rules.truncate(RULES);
        let cited = if rules.is_empty() { String::new() } else { format!(" [{}]", rules.join(", ")) };
        Some(format!("{title}{}{cited}", self.said.join(" ")))
    }

    fn rule(&mut self, rule: &str) {
        if !self.rules.iter().any(|known| known == rule) {
            self.rules.push(rule.to_owned());
        }
    }

    /// A unit, with its name the first time.
    fn who(&mut self, id: &UnitId) -> String {
        if self.named.insert(id.clone()) { full(self.t, id) } else { self.t.label(id).to_owned() }
    }

    /// Whole sentences of their own, as HISTORY has them; rules gathered at the end.
    fn plain(&mut self, told: &[&Sighting]) {
        for said in told.iter().filter_map(|s| line(s)) {
            self.sentence(&said);
        }
    }

    /// 16.2-16.3.1, A-21 The fog, and what its lifting does to the strategic maps.
    fn sky(&mut self, facts: &[&Fact]) {
        let (thick, lifting, _) = self.t.board.tables.fog.sight;
        for fact in facts {
            let Fact::Fog { die, sight } = fact else { continue };
            let rolled = die.map_or(String::new(), |d| format!(" (die {d})"));
            self.rule(if *sight == Some(thick) { "16.2" } else { "16.3" });
            self.said.push(match sight {
                Some(units) if *units == thick => format!("The fog stays{rolled}: visibility {} UM.", um(*units)),
                Some(units) if *units == lifting && self.t.board.flow.is_some() => format!(
                    "The fog begins to lift{rolled}: visibility {} UM.  The strategic maps close in this turn: no corps \
                     moves on them, and what you do not put into chits comes down in its area.",
                    um(*units)
                ),
                Some(units) => format!("The fog lifts by a step{rolled}: visibility {} UM.", um(*units)),
                None => format!("The fog lifts{rolled}."),
            });
        }
    }

    fn sentence(&mut self, said: &str) {
        let (words, rule) = said.split_once(" [").unwrap_or((said, ""));
        self.said.push(words.to_owned());
        let rule = rule.trim_end_matches(']');
        if !rule.is_empty() {
            self.rule(rule);
        }
    }

    /// Causes with what followed from each, a sentence a cause.
    fn chain(&mut self, facts: &[&Fact]) {
        let mut sentence: Option<String> = None;
        let mut last: Option<UnitId> = None;
        for (n, fact) in facts.iter().enumerate() {
            let rest = facts.get(n + 1..).unwrap_or_default();
            if let Some((said, about)) = self.cause(fact, rest, facts.get(..n).unwrap_or_default()) {
                self.said.extend(sentence.take().map(|s| format!("{s}.")));
                sentence = Some(said);
                last = about;
                continue;
            }
            let Some((unit, said)) = self.effect(fact, rest, facts.get(..n).unwrap_or_default()) else { continue };
            let said = match (&unit, &last) {
                (Some(unit), last) if Some(unit) != last.as_ref() => format!("{} {said}", self.who(unit)),
                _ => said,
            };
            last = unit.or(last);
            sentence = Some(match sentence {
                Some(before) => format!("{before}; {said}"),
                None => said,
            });
        }
        self.said.extend(sentence.map(|s| format!("{s}.")));
    }

    /// A fact that begins a sentence, and the unit that it is about.
    fn cause(&mut self, fact: &Fact, rest: &[&Fact], before: &[&Fact]) -> Option<(String, Option<UnitId>)> {
        match fact {
            Fact::Checked { check } if check.why == Cause::Rally => {
                self.rule("12.4");
                let said =
                    format!("{} {}, needs {}{}", self.who(&check.unit), check.roll, check.need, outcome(check, rest));
                Some((said, Some(check.unit.clone())))
            }
            Fact::Fired { fire } => Some((self.fired(fire, rest, before), Some(fire.on.clone()))),
            Fact::Declared { combat } => {
                let known = |f: &&&Fact| matches!(f, Fact::Declared { combat: c } if c.lead == combat.lead && c.on == combat.on && c.support == combat.support);
                // Its combat tells it.
                let fights = rest.iter().any(|f| of_one(f, combat));
                if fights || before.iter().any(|f| known(&f)) {
                    return None;
                }
                Some((self.declared(combat), None))
            }
            Fact::Fought { fought } => Some((self.fought(fought, rest, before), None)),
            Fact::Stood { unit, why: Why::Rode, to, .. } => {
                self.rule("13.12.2.1");
                Some((format!("{} rides by to {}", self.who(unit), spot(to.at)), Some(unit.clone())))
            }
            _ => None,
        }
    }

    /// 9.1, 10.4 A fire that is resolved.
    fn fired(&mut self, fire: &Fire, rest: &[&Fact], before: &[&Fact]) -> String {
        self.rule(match fire.how {
            How::Round => "9.1",
            How::Canister => "9.3",
            How::Static => "10.4.1",
            How::Assault => "10.4.3",
        });
        let by: Vec<String> = fire.by.iter().map(|unit| self.who(unit)).collect();
        let on = self.who(&fire.on);
        let aimed = before.iter().rev().find_map(|f| match f {
            Fact::Aimed { unit, need, die, .. } if fire.by.first() == Some(unit) => Some((*die, *need)),
            _ => None,
        });
        let aimed = aimed.filter(|_| fire.how == How::Round);
        let verb = match (fire.how, aimed) {
            (How::Canister, _) => "canister on",
            (How::Round, Some(_)) => "hit",
            _ => "on",
        };
        let hit = aimed.map_or(String::new(), |(die, need)| format!("{die}, needs {need}; "));
        let sum = format!("{}{} = {}", fire.die, plus(&fire.mods), fire.total);
        let effect = rest.iter().take_while(|f| !matches!(f, Fact::Fired { .. } | Fact::Aimed { .. }));
        let none = if effect.into_iter().any(|f| changes(f)) { "" } else { ", no effect" };
        format!("{} {verb} {on}: {hit}{sum}{none}", by.join(" and "))
    }

    /// 13.2 An attack or a charge.
    fn declared(&mut self, combat: &Combat) -> String {
        self.rule(if combat.charge { "13.12.3" } else { "13.2" });
        let face = match combat.face {
            Face::Front => "front",
            Face::Flank => "flank",
            Face::Rear => "rear",
        };
        let verb = if combat.charge { "charges" } else { "attacks" };
        let (lead, on) = (self.who(&combat.lead), self.who(&combat.on));
        let with = if combat.support.is_empty() {
            String::new()
        } else {
            format!(" with {}", labels(self.t, &combat.support))
        };
        format!("{lead}{with} {verb} {on}, {face}")
    }

    /// 13.4 A close combat that is resolved.
    fn fought(&mut self, fought: &Fought, rest: &[&Fact], before: &[&Fact]) -> String {
        self.rule("13.4");
        let declared = before.iter().rev().find_map(|f| match f {
            Fact::Declared { combat } if (&combat.lead, &combat.on) == (&fought.lead, &fought.on) => Some(combat),
            _ => None,
        });
        let who = match declared {
            Some(combat) => self.declared(combat),
            None => format!("{} v {}", self.who(&fought.lead), self.who(&fought.on)),
        };
        let (a, d) = (
            format!("{}{}", fought.dice.0, plus(&fought.attack)),
            format!("{}{}", fought.dice.1, plus(&fought.defence)),
        );
        let none = if rest.iter().any(|f| changes(f)) { "" } else { ", no result" };
        format!("{who}: {a} = {} to {d} = {}{none}", fought.totals.0, fought.totals.1)
    }

    /// What follows from a cause: whom it is about, and the words.
    fn effect(&mut self, fact: &Fact, rest: &[&Fact], before: &[&Fact]) -> Option<(Option<UnitId>, String)> {
        let about = |unit: &UnitId, said: String| Some((Some(unit.clone()), said));
        match fact {
            // Nothing comes of it.
            Fact::Checked { check } if check.why == Cause::Friend && check.passed && raised(check, rest).is_none() => {
                None
            }
            Fact::Checked { check } => {
                self.rule("12.4");
                let why = match check.why {
                    Cause::Fire | Cause::Combat | Cause::Charge => "morale",
                    other => cause(other),
                };
                let said = format!("{why} {}, needs {}{}", check.roll, check.need, outcome(check, rest));
                about(&check.unit, said)
            }
            Fact::Mood { unit, mood: now } => {
                let told = before.iter().rev().take_while(|f| !matches!(f, Fact::Mood { .. }));
                // The check that brought it has said so.
                if told.into_iter().any(|f| matches!(f, Fact::Checked { check } if check.unit == *unit)) {
                    return None;
                }
                about(unit, mood(*now).to_owned())
            }
            Fact::Step1 { unit, .. } => {
                self.rule("13.5.1");
                about(unit, "loses a step".to_owned())
            }
            Fact::Gone { unit, why } => {
                let (why, rule) = gone(*why);
                self.rules.retain(|known| known != rule);
                self.rules.insert(0, rule.to_owned());
                // A loss must not be overlooked between a turn and a march.
                about(unit, format!("ELIMINATED ({why})"))
            }
            Fact::Ended { on } => about(on, "no longer engaged".to_owned()),
            // That it falls back is told with the place, where it does so at once.
            Fact::Marked { unit, mark: Mark::Leaderless, on: true } if !matches!(onward(unit, rest), Onward::Stays) => {
                None
            }
            Fact::Marked { unit, mark, on } => about(unit, marked(*mark, *on)?.to_owned()),
            Fact::Stood { unit, why, to, form, .. } => {
                let (words, place) = self.stood(*why, *to, *form)?;
                match onward(unit, rest) {
                    Onward::Stays => about(unit, format!("{words}{place}")),
                    Onward::Goes => about(unit, words),
                    Onward::Ends => None,
                }
            }
            Fact::Backed { unit, by } => about(unit, format!("still backed by {}", labels(self.t, by))),
            Fact::Away { unit, due, .. } => {
                self.rule("19.2");
                about(unit, format!("off the map, back on turn {due}"))
            }
            Fact::Returned { unit, pose, .. } => {
                self.rule("19.4");
                about(unit, format!("back at {}", spot(pose.at)))
            }
            Fact::Amended { unit, pose, form, .. } => {
                about(unit, format!("corrected by the umpire: at {}, {}", spot(pose.at), form.word()))
            }
            _ => None,
        }
    }

    /// How a unit came to stand where it does, and the place.
    fn stood(&mut self, why: Why, to: Pose, form: Formation) -> Option<(String, String)> {
        let place = format!(" to {}", spot(to.at));
        let words = match why {
            Why::Retreated => {
                self.rule("13.11");
                "falls back"
            }
            Why::Fled => {
                self.rule("12.5.3");
                "flees"
            }
            Why::Withdrew => {
                self.rule("13.8");
                "withdraws"
            }
            Why::Advanced => "advances",
            Why::Disengaged | Why::Halted => "disengages",
            Why::Reformed => return Some((format!("forms {} facing {}", form.word(), to.facing), String::new())),
            Why::Moved | Why::Turned | Why::Formed | Why::Pivoted | Why::Attacked | Why::Charged | Why::Rode => {
                return None;
            }
        };
        Some((words.to_owned(), place))
    }

    /// 6 Who moved, turned and formed, by labels; the tables have where they stand.
    fn moves(&mut self, facts: &[&Fact]) {
        let (mut moved, mut turned, mut leaders) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        let mut formed: BTreeMap<&UnitId, Formation> = BTreeMap::new();
        for fact in facts {
            match fact {
                Fact::Stood { unit, why: Why::Formed, form, .. } => _ = formed.insert(unit, *form),
                Fact::Stood { unit, why: Why::Moved, from, to, .. } if from.at != to.at => _ = moved.insert(unit),
                Fact::Stood { unit, why: Why::Moved | Why::Turned | Why::Pivoted, .. } => _ = turned.insert(unit),
                Fact::Attached { hq, to: Some(to) } => leaders.push((hq, to)),
                _ => {}
            }
        }
        turned.retain(|unit| !moved.contains(unit) && !formed.contains_key(*unit));
        let t = self.t;
        for s in &t.board.sides {
            let of: Vec<&UnitId> = moved.iter().filter(|unit| t.side(unit) == s.id).copied().collect();
            if !of.is_empty() {
                self.rule("6.4");
                let whom = if of.len() > LISTED { self.counted(&of) } else { labels(t, of) };
                self.said.push(format!("Moved, {}: {whom}.", s.name));
            }
        }
        if !turned.is_empty() {
            self.rule("6.5");
            self.said.push(format!("Turned: {}.", labels(t, turned)));
        }
        for form in formed.values().copied().collect::<BTreeSet<Formation>>() {
            let units = formed.iter().filter(|(_, f)| **f == form).map(|(unit, _)| *unit);
            self.said.push(format!("Formed {}: {}.", form.word(), labels(t, units)));
            self.rule("6.12");
        }
        for (hq, to) in leaders {
            self.said.push(format!("{hq} joins {}.", t.label(to)));
            self.rule("12.6.2");
        }
        self.chain(facts);
    }

    /// 16.4.2.4, 16.4.2.6 Chits that come down, move, or take units in again.
    fn chits(&mut self, facts: &[&Fact]) {
        let mut moved: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for fact in facts {
            match fact {
                Fact::Placed { side: of, chits } if !chits.is_empty() => {
                    let list: Vec<String> = chits.iter().map(|(id, _)| id.0.clone()).collect();
                    self.rule("16.4.2.4");
                    self.said.push(format!("New chits, {}: {}.", named(of), list.join(" ")));
                }
                Fact::Marched { chit, .. } => {
                    let of = self.t.chit(chit).map_or_else(String::new, |c| format!(", {}", named(&c.side)));
                    let list = moved.entry(of).or_default();
                    if !list.contains(&chit.0) {
                        list.push(chit.0.clone());
                    }
                }
                Fact::Hid { units, chits, .. } => {
                    let list: Vec<String> = chits.iter().map(|(id, _)| id.0.clone()).collect();
                    self.rule("16.4.2.8.2");
                    self.said.push(format!("Back into chits: {}; now {}.", labels(self.t, units), list.join(", ")));
                }
                _ => {}
            }
        }
        // what was left on the strategic maps has come down with them, as far as there were boxes.
        let lifting = self.t.sight == Some(self.t.board.tables.fog.sight.1);
        if lifting && facts.iter().any(|fact| matches!(fact, Fact::Placed { chits, .. } if !chits.is_empty())) {
            self.rule("16.3");
            self.said
                .push("The strategic maps are closed; what no chit holds comes down when the fog has gone.".to_owned());
        }
        for (of, list) in moved {
            self.rule("16.4.2.6");
            let which = if list.len() > LISTED { list.len().to_string() } else { list.join(" ") };
            self.said.push(format!("Chits moved{of}: {which}."));
        }
        self.chain(facts);
    }

    /// 16.4.2.7 Chits that are uncovered; many at once are told by corps.
    fn uncovered(&mut self, facts: &[&Fact]) {
        let found: Vec<_> = facts
            .iter()
            .filter_map(|f| {
                if let Fact::Uncovered { chit, side, at, units } = f { Some((chit, side, at, units)) } else { None }
            })
            .collect();
        let decoys: Vec<String> = found.iter().filter(|c| c.3.is_empty()).map(|c| c.0.to_string()).collect();
        if found.len() <= CHITS {
            for (chit, _, at, units) in found.iter().filter(|c| !c.3.is_empty()) {
                let names: Vec<String> = units.iter().map(|unit| self.who(unit)).collect();
                let place = self.t.near_place(**at);
                self.said.push(format!("{chit} is uncovered at {}, {place}: {}.", spot(**at), names.join(", ")));
            }
        } else {
            let units: Vec<&UnitId> = found.iter().flat_map(|c| c.3).collect();
            self.columns(&units);
        }
        if !decoys.is_empty() {
            self.said.push(format!(
                "Uncovered as {}: {}.",
                if decoys.len() == 1 { "a decoy" } else { "decoys" },
                decoys.join(", ")
            ));
        }
        let placed: Vec<&UnitId> = facts
            .iter()
            .filter_map(|f| if let Fact::Deployed { unit, .. } = f { Some(unit) } else { None })
            .filter(|unit| !found.iter().any(|c| c.3.contains(unit)))
            .collect();
        if !placed.is_empty() {
            self.said.push(format!("Deployed: {}.", labels(self.t, placed)));
        }
        self.rule("16.4.2.7");
        self.rule("16.4.2.8");
        self.chain(facts);
    }

    /// 16.4, 4.4 What the reader's side keeps to itself.
    fn own(&mut self, told: &[&Sighting]) {
        let secrets = told.iter().filter_map(|s| if let Sighting::Own(secret) = s { Some(secret) } else { None });
        let mut lists: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for secret in secrets {
            let (kind, rule, said) = match secret {
                Secret::Corps { corps, area, .. } => ("On your strategic map:", "16.4.1", format!("{corps} {area}")),
                Secret::Column { corps, area, need, die, .. } => {
                    let what = if die >= need { "moves" } else { "stays" };
                    ("Your columns:", "16.4.1.5", format!("{corps} to {area}: {die}, needs {need}, {what}"))
                }
                Secret::Filled { number, units, chit, .. } => {
                    let held = if units.is_empty() { "decoy".to_owned() } else { labels(self.t, units) };
                    ("Your chits:", "16.4.2.4", format!("{number} is {chit}, {held}"))
                }
                Secret::GunPlan { unit, plan, .. } => {
                    let said = match plan {
                        GunPlan::Hold => format!("{} hold", self.t.label(unit)),
                        GunPlan::Fire { at, canister, .. } => {
                            let what = if *canister { " canister" } else { "" };
                            format!("{} on {}{what}", self.t.label(unit), self.t.label(at))
                        }
                    };
                    ("Your guns in their player-turn:", "4.4", said)
                }
                Secret::VolleyPlan { unit, on, .. } => {
                    ("Your musketry:", "10.4", format!("{} on {}", self.t.label(unit), self.t.label(on)))
                }
                other => {
                    if let Some(said) = line(&Sighting::Own(other.clone())) {
                        self.sentence(&said);
                    }
                    continue;
                }
            };
            self.rule(rule);
            lists.entry(kind).or_default().push(said);
        }
        for (kind, list) in lists {
            self.said.push(format!("{kind} {}.", list.join("; ")));
        }
    }
}

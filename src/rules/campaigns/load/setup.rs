//! The set-up made forces, and its checks (¶35-39, 216, 293, 417-429).

use super::desk::Desk;
use super::ground;
use super::raw;
use super::roster::Roster;
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::map::{HexMap, Road};
use crate::rules::campaigns::board::{
    Arm, GUARD, Halves, LeaderId, LeaderSpec, Reinforcement, Replacement, SetupForce, SideSetup, UnitId,
};
use crate::rules::campaigns::exceptions::Exceptions;
use crate::rules::campaigns::tables::{Tables, TerrainEffects};
use crate::yaml::At;
use std::collections::{BTreeMap, BTreeSet};

/// What set-up and reinforcements are checked against.
pub(super) struct Scene<'a> {
    pub scenario: &'a raw::Scenario,
    pub map: &'a HexMap,
    pub roster: &'a Roster,
    pub terrain: Option<&'a TerrainEffects>,
    pub exceptions: &'a Exceptions,
}

/// Counters already placed, so that none is placed twice.
#[derive(Default)]
pub(super) struct Placed {
    leaders: BTreeSet<LeaderId>,
    units: BTreeSet<UnitId>,
}

impl Scene<'_> {
    /// Makes the set-up of one side.
    pub(super) fn side(&self, id: &str, placed: &mut Placed, desk: &mut Desk) -> Option<SideSetup> {
        let raw = self.scenario.sides.value.get(id)?;
        let side = SideId(id.to_owned());
        let source = desk.hex(&raw.source, self.map);
        if !raw.sources.iter().any(|s| s.value == raw.source.value) {
            let message = format!("The active source {} is not among the sources.", raw.source.value);
            desk.flaw(&raw.source, message, "Add it to sources, or choose one of them.");
        }
        for worse in raw.worse_sources.iter().filter(|w| !raw.sources.iter().any(|s| s.value == w.value)) {
            desk.flaw(worse, format!("{} is not among the sources.", worse.value), "Add it to sources.");
        }
        let center = desk.hex(&raw.center, self.map);
        if let Some(hex) = center
            && !hex.neighbours().into_iter().any(|n| self.map.road(hex, n) == Some(Road::Primary))
        {
            desk.flaw(
                &raw.center,
                format!("The center at {hex} is not on a primary road (¶178)."),
                "Choose a hex on one.",
            );
        }
        if raw.ap.value < 0 {
            desk.flaw(&raw.ap, "Administrative Points are below 0.", "Write 0 or more.");
        }
        let trains = raw.bridge_trains.iter().filter_map(|at| self.leader(at, &side, desk)).map(|l| l.id.clone());
        let bridge_trains = trains.collect();
        let forces = raw.forces.iter().filter_map(|f| self.force(f, &side, placed, desk)).collect();
        self.spans(raw, desk);
        self.stacks(raw, desk);
        Some(SideSetup {
            source: source?,
            source_garrison: raw.source_garrison,
            center: center?,
            ap: raw.ap.value,
            bridge_trains,
            vedettes: raw.vedettes,
            forces,
            armies: self.army_setups(&raw.armies, desk),
        })
    }

    fn force(&self, at: &At<raw::Force>, side: &SideId, placed: &mut Placed, desk: &mut Desk) -> Option<SetupForce> {
        let raw = &at.value;
        self.known_source(raw.src.as_ref(), desk);
        let leader = match &raw.leader {
            Some(name) => Some(self.place(name, side, placed, desk)?),
            None => None,
        };
        let units = self.units(&raw.units, side, placed, desk);
        for (id, sp) in &raw.units {
            let garrison = self.roster.units.get(&UnitId(id.clone())).map(|u| u.garrison);
            if leader.is_none() && garrison == Some(false) {
                desk.flaw(sp, format!("Unit {id} stands without a leader (¶34)."), "Give the force a leader.");
            }
            if leader.is_some() && garrison == Some(true) && !self.exceptions.organization.garrisons_on_tracks {
                desk.flaw(sp, format!("Garrison {id} stands on a leader's track (¶22)."), "Place it on its own.");
            }
        }
        let under = match &raw.under {
            Some(name) => Some(self.leader(name, side, desk)?.id.clone()),
            None => None,
        };
        if leader.is_none() && raw.units.is_empty() {
            desk.flaw(at, "A force without leader and units.", "Name a leader, or the garrison.");
        }
        Some(SetupForce { leader, hex: desk.hex(&raw.hex, self.map)?, under, units })
    }

    /// A leader of the side by name.
    pub(super) fn leader(&self, at: &At<String>, side: &SideId, desk: &mut Desk) -> Option<&LeaderSpec> {
        let ours = || self.roster.leaders.values().filter(|l| l.side == *side).map(|l| l.id.0.as_str());
        let found = self.roster.leaders.get(&LeaderId(at.value.clone()));
        match found {
            Some(leader) if leader.side == *side => return Some(leader),
            Some(leader) => {
                let message = format!("{} is a leader of side {}.", leader.name, leader.side);
                desk.flaw(at, message, format!("Name one of side {side}."));
            }
            None if self.roster.faulty.contains(&at.value) => {}
            None => desk.unknown(at, "leader", &at.value, ours()),
        }
        None
    }

    fn place(&self, at: &At<String>, side: &SideId, placed: &mut Placed, desk: &mut Desk) -> Option<LeaderId> {
        let id = self.leader(at, side, desk)?.id.clone();
        if !placed.leaders.insert(id.clone()) {
            desk.flaw(at, format!("Leader {id} is placed twice."), "A leader stands in one place.");
        }
        Some(id)
    }

    fn units(
        &self,
        raw: &BTreeMap<String, At<i32>>,
        side: &SideId,
        placed: &mut Placed,
        desk: &mut Desk,
    ) -> BTreeMap<UnitId, i32> {
        let mut units = BTreeMap::new();
        for (name, sp) in raw {
            let id = UnitId(name.clone());
            let Some(spec) = self.roster.units.get(&id) else {
                if self.roster.faulty.contains(name) {
                    continue;
                }
                let ours = self.roster.units.values().filter(|u| u.side == *side).map(|u| u.id.0.as_str());
                desk.unknown(sp, "unit", name, ours);
                continue;
            };
            if spec.side != *side {
                desk.flaw(sp, format!("Unit {id} is of side {}.", spec.side), format!("Name one of side {side}."));
            }
            // ¶425: the cavalry half of a formation may begin without strength, beside its infantry.
            let least = if spec.foot.as_ref().is_some_and(|foot| raw.contains_key(&foot.0)) { 0 } else { 1 };
            if !(least..=spec.max_sp).contains(&sp.value) {
                let message = format!("Unit {id} has {} SP; it holds {least} to {} (¶16).", sp.value, spec.max_sp);
                desk.flaw(sp, message, "Correct the strength, or max_sp in the order of battle.");
            }
            if !placed.units.insert(id.clone()) {
                desk.flaw(sp, format!("Unit {id} is placed twice."), "A unit stands in one place.");
            }
            units.insert(id, sp.value);
        }
        units
    }

    fn known_source(&self, src: Option<&At<String>>, desk: &mut Desk) {
        if let Some(src) = src
            && !self.scenario.sources.contains_key(&src.value)
        {
            desk.unknown(src, "source", &src.value, self.scenario.sources.keys().map(String::as_str));
        }
    }

    /// ¶35-39, 424 What a leader's own units take of his span; infantry halves that are not in play count with their
    /// cavalry.
    fn load(&self, units: &BTreeMap<String, At<i32>>) -> Halves {
        let specs = || units.keys().filter_map(|u| self.roster.units.get(&UnitId(u.clone())));
        let tokens = specs().filter_map(|s| s.foot.as_ref()).filter(|foot| !units.contains_key(&foot.0));
        let tokens = tokens.filter_map(|foot| self.roster.units.get(foot));
        specs().chain(tokens).map(|u| u.subordination).sum()
    }

    /// ¶424 No track holds the cavalry half of a formation whose infantry half is listed on another.
    pub(super) fn formations(&self, desk: &mut Desk) {
        let forces = self.scenario.sides.value.values().flat_map(|side| &side.forces).map(|at| &at.value.units);
        let lists: Vec<_> = forces.chain(self.scenario.reinforcements.iter().map(|at| &at.value.units)).collect();
        for units in &lists {
            for (name, sp) in units.iter() {
                let Some(horse) = self.roster.units.get(&UnitId(name.clone())) else { continue };
                let Some(foot) = &horse.foot else { continue };
                if !units.contains_key(&foot.0) && lists.iter().any(|other| other.contains_key(&foot.0)) {
                    let message = format!("{name} and {foot} are one formation on two tracks (¶424).");
                    desk.flaw(sp, message, "Put both under one leader.");
                }
            }
        }
    }

    /// ¶35-39 Subordination of a force, with the exception of ¶36.
    fn cost(&self, force: &raw::Force) -> Halves {
        let leader = force.leader.as_ref().and_then(|l| self.roster.leaders.get(&LeaderId(l.value.clone())));
        let foot = |u: &String| self.roster.units.get(&UnitId(u.clone())).is_some_and(|u| u.arm != Arm::Cavalry);
        match leader {
            Some(l) if l.major_general == Some(Arm::Cavalry) && !l.keeps_rating && force.units.keys().any(foot) => {
                Halves::whole(2)
            }
            Some(l) => l.subordination,
            None => Halves::default(),
        }
    }

    fn spans(&self, side: &raw::SideSetup, desk: &mut Desk) {
        for at in &side.forces {
            let force = &at.value;
            let Some(name) = &force.leader else { continue };
            let Some(leader) = self.roster.leaders.get(&LeaderId(name.value.clone())) else { continue };
            let under = || side.forces.iter().filter(|f| is_under(&f.value, &name.value));
            let load = self.load(&force.units) + under().map(|f| self.cost(&f.value)).sum();
            if load > leader.span {
                let message = format!("{} commands {load}; his span is {} (¶35-39).", leader.name, leader.span);
                desk.flaw(name, message, "Give units or subordinates to another leader.");
            }
            let Some(above) = &force.under else { continue };
            if under().next().is_some() {
                let message = format!("{} is a subordinate, and has subordinates (¶39).", leader.name);
                desk.flaw(name, message, "Put them under the force leader.");
            }
            let chief = side.forces.iter().find(|f| f.value.leader.as_ref().is_some_and(|l| l.value == above.value));
            match chief.and_then(|c| Hex::parse(&c.value.hex.value)).zip(Hex::parse(&force.hex.value)) {
                None => desk.flaw(above, format!("{} leads no force on the map.", above.value), "Place him first."),
                Some((a, b)) if a.distance(b) > 1 => {
                    let message = format!("{} stands more than one hex from {} (¶38).", leader.name, above.value);
                    desk.flaw(above, message, "Place him in that hex or beside it.");
                }
                Some(_) => {}
            }
        }
    }

    fn stacks(&self, side: &raw::SideSetup, desk: &mut Desk) {
        let redoubts = self.scenario.redoubts.iter().map(|at| &at.value).filter(|redoubt| redoubt.turns_left == 0);
        let dug: BTreeSet<Hex> = redoubts.filter_map(|redoubt| Hex::parse(&redoubt.hex.value)).collect();
        let Some(terrain) = self.terrain else { return };
        let mut stacks: BTreeMap<Hex, i32> = BTreeMap::new();
        for at in &side.forces {
            let Some(hex) = Hex::parse(&at.value.hex.value) else { continue };
            let stack = stacks.entry(hex).or_default();
            let before = *stack;
            *stack += at.value.units.values().map(|sp| sp.value).sum::<i32>();
            let built = self.map.settlements.get(&hex);
            let fort = built.is_some_and(|kind| kind.fortified()) || dug.contains(&hex);
            let (most, rule) = if fort { (terrain.fort_stack_sp, "¶216") } else { (terrain.stack_sp, "¶293") };
            if before <= most && *stack > most {
                let message =
                    format!("{hex} holds {stack} SP with this force; at most {most} may stand there ({rule}).");
                desk.flaw(&at.value.hex, message, "Move a force to another hex.");
            }
        }
    }

    /// No hex may hold forces of both sides.
    pub(super) fn apart(&self, desk: &mut Desk) {
        let mut held: BTreeMap<&str, &str> = BTreeMap::new();
        for (id, side) in &self.scenario.sides.value {
            for at in &side.forces {
                let hex = &at.value.hex;
                if *held.entry(hex.value.as_str()).or_insert(id) != id {
                    desk.flaw(hex, format!("Both sides stand in {}.", hex.value), "Move one of them.");
                }
            }
        }
    }

    /// ¶154-163 Makes the reinforcements, in the order of the track.
    pub(super) fn reinforcements(&self, placed: &mut Placed, desk: &mut Desk) -> Vec<Reinforcement> {
        let mut track = Vec::new();
        for at in &self.scenario.reinforcements {
            let raw = &at.value;
            self.known_source(raw.src.as_ref(), desk);
            self.on_track(&raw.turn, desk);
            let Some(spec) = self.roster.leaders.get(&LeaderId(raw.leader.value.clone())) else {
                let known = self.roster.leaders.keys().map(|l| l.0.as_str());
                if !self.roster.faulty.contains(&raw.leader.value) {
                    desk.unknown(&raw.leader, "leader", &raw.leader.value, known);
                }
                continue;
            };
            let side = spec.side.clone();
            let load = self.load(&raw.units);
            if load > spec.span {
                let message = format!("{} commands {load}; his span is {} (¶35).", spec.name, spec.span);
                desk.flaw(&raw.leader, message, "Bring the units in under another leader.");
            }
            let leader = self.place(&raw.leader, &side, placed, desk);
            let units = self.units(&raw.units, &side, placed, desk);
            let hex = desk.hex(&raw.hex, self.map);
            if let Some((leader, hex)) = leader.zip(hex) {
                track.push(Reinforcement { turn: raw.turn.value, side, leader, hex, units });
            }
        }
        track.sort_by_key(|r| r.turn);
        track
    }

    /// ¶421 Counters of the order of battle that this scenario does without: none of them is called into play.
    pub(super) fn not_available(&self, placed: &Placed, desk: &mut Desk) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for at in &self.scenario.not_available {
            let (leader, unit) = (LeaderId(at.value.clone()), UnitId(at.value.clone()));
            let known = || {
                let leaders = self.roster.leaders.keys().map(|l| l.0.as_str());
                leaders.chain(self.roster.units.keys().map(|u| u.0.as_str()))
            };
            if !known().any(|k| k == at.value) {
                if !self.roster.faulty.contains(&at.value) {
                    desk.unknown(at, "leader or unit", &at.value, known());
                }
                continue;
            }
            if placed.leaders.contains(&leader) || placed.units.contains(&unit) {
                let message = format!("{} is called into play, and not available (¶421).", at.value);
                desk.flaw(at, message, "Take it out of one of the two lists.");
            }
            names.insert(at.value.clone());
        }
        names
    }

    /// ¶112, 421 Leaders who may be raised as replacements: known ones, whom nothing else calls into play.
    pub(super) fn replacement_leaders(&self, placed: &Placed, desk: &mut Desk) -> BTreeSet<LeaderId> {
        let mut leaders = BTreeSet::new();
        for at in &self.scenario.replacement_leaders {
            let id = LeaderId(at.value.clone());
            match self.roster.leaders.get(&id) {
                None if self.roster.faulty.contains(&at.value) => continue,
                None => {
                    desk.unknown(at, "leader", &at.value, self.roster.leaders.keys().map(|l| l.0.as_str()));
                    continue;
                }
                Some(leader) if leader.major_general.is_some() => {
                    let message = format!("{} is a Major General, and so available as it is (¶21).", leader.name);
                    desk.flaw(at, message, "Take him out of the list.");
                }
                Some(leader) if placed.leaders.contains(&id) => {
                    let message = format!("{} is called into play, and a replacement (¶421).", leader.name);
                    desk.flaw(at, message, "Take him out of one of the two lists.");
                }
                Some(_) => {}
            }
            leaders.insert(id);
        }
        leaders
    }

    /// ¶108-109 Makes the replacements, in the order of the track.
    pub(super) fn replacements(&self, desk: &mut Desk) -> Vec<Replacement> {
        let mut track = Vec::new();
        for at in &self.scenario.replacements {
            let raw = &at.value;
            self.on_track(&raw.turn, desk);
            if !self.scenario.sides.value.contains_key(&raw.side.value) {
                let known = self.scenario.sides.value.keys().map(String::as_str);
                desk.unknown(&raw.side, "side", &raw.side.value, known);
            }
            let side = SideId(raw.side.value.clone());
            let nations = || self.roster.units.values().filter(|u| u.side == side).map(|u| u.nationality.as_str());
            if !nations().any(|n| n == raw.nationality.value) {
                let known: BTreeSet<&str> = nations().collect();
                desk.unknown(&raw.nationality, "nationality", &raw.nationality.value, known.iter().copied());
            }
            if raw.points.is_empty() || raw.points.values().any(|&n| n < 1) {
                desk.flaw(at, "Replacements without points.", "Give at least one arm 1 or more.");
            }
            let guard = if raw.guard { GUARD } else { "" };
            let (turn, nationality) = (raw.turn.value, format!("{}{guard}", raw.nationality.value));
            track.push(Replacement { turn, side, nationality, points: raw.points.clone() });
        }
        track.sort_by_key(|r| r.turn);
        track
    }

    fn on_track(&self, turn: &At<u32>, desk: &mut Desk) {
        let (first, last) = (self.scenario.first_turn.value, self.scenario.last_turn);
        if !(first..=last).contains(&turn.value) {
            let message = format!("Turn {} is not on the track.", turn.value);
            desk.flaw(turn, message, format!("Turns run from {first} to {last}."));
        }
    }

    /// ¶61 Trestles that stand at the start: over a river, where no bridge is printed.
    pub(super) fn trestles(&self, charts: Option<&Tables>, desk: &mut Desk) -> BTreeSet<Hexside> {
        let mut trestles = BTreeSet::new();
        for at in &self.scenario.trestles {
            let Some(side) = ground::hexside(&at.value, at, self.map, desk) else { continue };
            if charts.is_some_and(|charts| charts.bridging.trestle.is_none()) {
                desk.flaw(at, "The title's Bridging Summary has no trestles (¶61).", "Take the trestle out.");
            }
            if !self.map.rivers.contains_key(&side) || self.map.bridges.contains(&side) {
                let message = format!("No trestle can stand at {side} (¶61).");
                desk.flaw(at, message, "Name a river side without a bridge.");
            }
            if !trestles.insert(side) {
                desk.flaw(at, format!("The trestle at {side} is named twice."), "Take one of the two out.");
            }
        }
        trestles
    }

    /// Bridges damaged at the start, trestles among them.
    pub(super) fn damaged(&self, trestles: &BTreeSet<Hexside>, desk: &mut Desk) -> BTreeSet<Hexside> {
        let mut damaged = BTreeSet::new();
        for at in &self.scenario.damaged_bridges {
            let Some(side) = ground::hexside(&at.value, at, self.map, desk) else { continue };
            if !self.map.bridges.contains(&side) && !trestles.contains(&side) {
                desk.flaw(at, format!("There is no bridge at {side}."), "Name a bridge of the map.");
            }
            damaged.insert(side);
        }
        damaged
    }
}

fn is_under(force: &raw::Force, leader: &str) -> bool {
    force.under.as_ref().is_some_and(|u| u.value == leader)
}

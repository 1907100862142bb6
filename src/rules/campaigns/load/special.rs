//! What a scenario names for its title's exceptions, and its checks: hexes of the map, leaders of the right side, turns
//! of the track.

use super::desk::Desk;
use super::ground;
use super::roster::Roster;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::HexMap;
use crate::rules::campaigns::board::{ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::special::{self, Condition, Independent, Training};
use crate::yaml::At;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The group `special` of a scenario; every field as its author sees it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Special {
    /// Hexes between which secondary roads serve lines of communication as primary ones (¶80, 1809).
    loc_roads: Vec<At<String>>,
    /// Hexes beside the river on which centers go by boat, downstream (¶179-180, 1809).
    waterway: Vec<At<String>>,
    /// Leaders who never receive a Movement Command (¶167, 1807).
    no_commands: Vec<At<String>>,
    /// Leaders who belong to no army until a turn (¶109, 169, 263, 1814).
    independent: Vec<At<IndependentRaw>>,
    /// Pairs of leaders who keep so many hexes apart (¶150, 1807).
    keep_apart: Vec<At<ApartRaw>>,
    /// Hexes closed to a side (¶224, 1792, 1809).
    closed: BTreeMap<String, Vec<At<String>>>,
    /// Pairs of fortresses that are one (¶216, 290, 413, 1796).
    twin_fortresses: Vec<At<(String, String)>>,
    /// Turns that stand for a Fortnight, and its length in turns; 0 where the armies are not in Quarters (¶96, 289, 1796).
    fortnights: BTreeMap<u32, i32>,
    /// The turn with which each month begins, the first turn with the first (¶414, 1796).
    months: BTreeMap<u32, At<String>>,
    /// The modifier of besieged citadels at the beginning (¶289, 1796).
    citadels_begin: Option<i32>,
    /// Turn before which a side's source is not changed (¶102, 1815).
    source_fixed_until: BTreeMap<String, At<u32>>,
    /// Turn before which a side's center does not move (¶176, 1815).
    center_fixed_until: BTreeMap<String, At<u32>>,
    /// Nationality whose replacement points serve others too (¶109, 1807).
    pool_also: BTreeMap<String, Vec<At<String>>>,
    /// Armies without a commander before a leader is withdrawn (¶99, 113, 1807).
    commander_after: BTreeMap<String, At<CommanderRaw>>,
    /// Leaders who leave (¶56, 164, 1807).
    withdrawals: Vec<At<WithdrawalRaw>>,
    /// Places that bring AP once (¶96, 1800).
    prizes: Vec<At<PrizeRaw>>,
    /// Places whose first entry by the enemy takes all AP of a side (¶97, 1809).
    stores: Vec<At<StoreRaw>>,
    /// Places that are never a side's source (¶75, 1809).
    never_source: BTreeMap<String, Vec<At<String>>>,
    /// The turn from which an army is always without a line (¶266, 1815).
    no_line_from: BTreeMap<String, At<u32>>,
    /// The turn from which an army's units take replacements in dispatch of its center only (¶108, 1815).
    pool_dispatch_from: BTreeMap<String, At<u32>>,
    /// Sources on one line of the Communications Table, by army or side (¶104, 1814).
    source_lines: BTreeMap<String, Vec<Vec<At<String>>>>,
    /// Hexes to which an army's source does not go before a turn (¶104, 1814).
    source_closed: Vec<At<ClosedRaw>>,
    /// The Army Condition modifier of a side, by the turn from which it holds (¶96, 267, 1796, 1800).
    army_condition: BTreeMap<String, At<BTreeMap<u32, i32>>>,
    /// Hexsides over which pontoons are laid at a bridging site only (¶259, 1809).
    great_river: Vec<At<String>>,
    /// Those sites.
    bridging_sites: Vec<At<String>>,
    /// Hexes round twin fortresses, by the approach that they belong to (¶217, 1796).
    approaches: Vec<Vec<At<String>>>,
    /// Who supersedes a side's commander (¶113, 1796).
    successor: BTreeMap<String, At<SuccessorRaw>>,
    /// How a side's forces march off the map (¶219-221, 1792, 1796).
    off_map: BTreeMap<String, At<OffMapRaw>>,
    /// The Paris Garrison (¶127-128, 1814).
    paris_garrison: Option<At<ParisRaw>>,
    /// Conditions of sources (¶75, 77, 1807, 1809).
    source_conditions: Vec<At<ConditionRaw>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct IndependentRaw {
    leader: At<String>,
    until_turn: At<u32>,
    sources: Vec<At<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ApartRaw {
    leaders: (At<String>, At<String>),
    hexes: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CommanderRaw {
    withdrawn: At<String>,
    then: At<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WithdrawalRaw {
    turn: At<u32>,
    leader: At<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PrizeRaw {
    hex: At<String>,
    side: At<String>,
    ap: i32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StoreRaw {
    hex: At<String>,
    side: At<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClosedRaw {
    army: At<String>,
    hexes: Vec<At<String>>,
    until_turn: At<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SuccessorRaw {
    /// Who commands first.
    first: At<String>,
    /// Who comes by the reinforcement track, and commands then.
    then: At<String>,
    /// Where he comes if the first is eliminated, and how many turns later.
    hex: At<String>,
    turns: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OffMapRaw {
    turns: u32,
    /// Hexes along the northern or southern edge within which they come back (¶219).
    #[serde(default)]
    within: u32,
    /// Whether they come back to the east of where they left, and not to the west.
    #[serde(default)]
    east: bool,
    /// The two hexes between which they march (¶220), in place of the edge.
    between: Option<(At<String>, At<String>)>,
    /// Turns that turning back adds (¶221).
    back: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ParisRaw {
    side: At<String>,
    hex: At<String>,
    /// Who leads it in the field; he neither begins nor enters.
    leader: At<String>,
    /// Its units, with SP at the start.
    units: BTreeMap<String, At<i32>>,
    /// The first turn on which it gives replacements.
    from_turn: At<u32>,
    /// MP of infantry from the enemy within which it takes the field.
    mp: i32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ConditionRaw {
    side: At<String>,
    source: At<String>,
    /// Works only while no enemy force with artillery stands in one of these hexes.
    #[serde(default)]
    no_guns_in: Vec<At<String>>,
    /// Lost for good with this objective.
    lost_with: Option<At<String>>,
    /// Works only while the side holds this objective.
    won_with: Option<At<String>>,
    /// Works only while a way over these hexes is free of enemy control.
    #[serde(default)]
    road: Vec<At<String>>,
    /// SP of its garrison.
    garrison: Option<i32>,
}

/// What the names are checked against.
pub(super) struct Names<'a> {
    pub map: &'a HexMap,
    pub roster: &'a Roster,
    pub sides: BTreeSet<&'a str>,
    pub armies: BTreeSet<&'a str>,
    pub turns: (u32, u32),
    /// Sources by side, and objectives, as hexes.
    pub sources: BTreeMap<&'a str, Vec<Hex>>,
    pub objectives: BTreeSet<Hex>,
}

impl Names<'_> {
    fn hexes<C: FromIterator<Hex>>(&self, raw: &[At<String>], desk: &mut Desk) -> C {
        raw.iter().filter_map(|at| desk.hex(at, self.map)).collect()
    }

    fn leader(&self, at: &At<String>, desk: &mut Desk) -> Option<LeaderId> {
        let id = LeaderId(at.value.clone());
        if self.roster.leaders.contains_key(&id) {
            return Some(id);
        }
        if !self.roster.faulty.contains(&at.value) {
            desk.unknown(at, "leader", &at.value, self.roster.leaders.keys().map(|l| l.0.as_str()));
        }
        None
    }

    fn side(&self, at: &At<String>, desk: &mut Desk) -> Option<SideId> {
        if self.sides.contains(at.value.as_str()) {
            return Some(SideId(at.value.clone()));
        }
        desk.unknown(at, "side", &at.value, self.sides.iter().copied());
        None
    }

    fn turn(&self, at: &At<u32>, desk: &mut Desk) -> u32 {
        let (first, last) = self.turns;
        // A date after the end is fine: what holds until then holds to the end.
        if at.value < first {
            let message = format!("Turn {} is before the first.", at.value);
            desk.flaw(at, message, format!("Turns run from {first} to {last}."));
        }
        at.value
    }

    /// Turns by side; a side that is none has its flaw at the turn's place.
    fn turns_of(&self, raw: &BTreeMap<String, At<u32>>, desk: &mut Desk) -> BTreeMap<SideId, u32> {
        let mut found = BTreeMap::new();
        for (side, at) in raw {
            let named = At { value: side.clone(), line: at.line, column: at.column };
            if let Some(side) = self.side(&named, desk) {
                found.insert(side, self.turn(at, desk));
            }
        }
        found
    }

    fn army(&self, at: &At<String>, desk: &mut Desk) -> Option<ArmyId> {
        if self.armies.contains(at.value.as_str()) {
            return Some(ArmyId(at.value.clone()));
        }
        desk.unknown(at, "army", &at.value, self.armies.iter().copied());
        None
    }

    /// Turns by army; one that is none has its flaw at the turn's place.
    fn turns_of_armies(&self, raw: &BTreeMap<String, At<u32>>, desk: &mut Desk) -> BTreeMap<ArmyId, u32> {
        let named = |army: &String, at: &At<u32>| At { value: army.clone(), line: at.line, column: at.column };
        let found = raw.iter().filter_map(|(army, at)| Some((self.army(&named(army, at), desk)?, at.value)));
        found.collect()
    }

    /// Hexes by side; a side that is none has its flaw at the first hex's place.
    fn hexes_of(&self, raw: &BTreeMap<String, Vec<At<String>>>, desk: &mut Desk) -> BTreeMap<SideId, BTreeSet<Hex>> {
        let mut found = BTreeMap::new();
        for (side, hexes) in raw {
            let Some(first) = hexes.first() else { continue };
            let named = At { value: side.clone(), line: first.line, column: first.column };
            if let Some(side) = self.side(&named, desk) {
                found.insert(side, self.hexes(hexes, desk));
            }
        }
        found
    }

    fn objective(&self, at: Option<&At<String>>, desk: &mut Desk) -> Option<Hex> {
        let at = at?;
        let hex = desk.hex(at, self.map)?;
        if !self.objectives.contains(&hex) {
            let message = format!("{hex} is no objective, so nobody is known to hold it.");
            desk.flaw(at, message, "Add it to objectives, with points: {} if it brings none.");
        }
        Some(hex)
    }
}

/// Makes the board's part of it.
pub(super) fn special(raw: &Special, names: &Names, desk: &mut Desk) -> special::Special {
    let mut made = special::Special {
        loc_roads: names.hexes(&raw.loc_roads, desk),
        waterway: names.hexes(&raw.waterway, desk),
        no_commands: raw.no_commands.iter().filter_map(|at| names.leader(at, desk)).collect(),
        fortnights: raw.fortnights.clone(),
        months: raw.months.iter().map(|(turn, name)| (*turn, name.value.clone())).collect(),
        citadels_begin: raw.citadels_begin,
        source_fixed_until: names.turns_of(&raw.source_fixed_until, desk),
        center_fixed_until: names.turns_of(&raw.center_fixed_until, desk),
        ..special::Special::default()
    };
    months(raw, names, desk);
    leaders(raw, names, &mut made, desk);
    places(raw, names, &mut made, desk);
    armies(raw, names, &mut made, desk);
    for (side, at) in &raw.army_condition {
        let named = At { value: side.clone(), line: at.line, column: at.column };
        made.conditions.extend(names.side(&named, desk).map(|side| (side, at.value.clone())));
    }
    let sides = |raw: &[At<String>], desk: &mut Desk| {
        raw.iter().filter_map(|at| ground::hexside(&at.value, at, names.map, desk)).collect::<BTreeSet<_>>()
    };
    made.great_river = sides(&raw.great_river, desk);
    made.bridging_sites = sides(&raw.bridging_sites, desk);
    for at in &raw.source_conditions {
        condition(at, names, &mut made, desk);
    }
    for (nation, others) in &raw.pool_also {
        let known: BTreeSet<&str> = names.roster.units.values().map(|u| u.nationality.as_str()).collect();
        for other in others.iter().filter(|o| !known.contains(o.value.as_str())) {
            desk.unknown(other, "nationality", &other.value, known.iter().copied());
        }
        made.pool_also.insert(nation.clone(), others.iter().map(|o| o.value.clone()).collect());
    }
    made
}

/// ¶414 The months: the first begins with the first turn.
fn months(raw: &Special, names: &Names, desk: &mut Desk) {
    let (first, last) = names.turns;
    let mut before: BTreeSet<&str> = BTreeSet::new();
    for (turn, name) in &raw.months {
        if !(first..=last).contains(turn) || (before.is_empty() && *turn != first) {
            let message = format!("{} begins on turn {turn}.", name.value);
            desk.flaw(name, message, format!("Turns run from {first} to {last}, and {first} is in the first month."));
        }
        if !before.insert(&name.value) {
            desk.flaw(name, format!("{} begins twice.", name.value), "Take one of the two out.");
        }
    }
}

/// What holds for one of several armies of a side, or for a side as one.
fn armies(raw: &Special, names: &Names, made: &mut special::Special, desk: &mut Desk) {
    made.no_line_from = names.turns_of_armies(&raw.no_line_from, desk);
    made.pool_dispatch_from = names.turns_of_armies(&raw.pool_dispatch_from, desk);
    for (whose, lines) in &raw.source_lines {
        let known = names.armies.iter().chain(&names.sides).copied();
        if let Some(first) = lines.iter().flatten().next()
            && !known.clone().any(|k| k == whose)
        {
            desk.unknown(first, "army or side", whose, known);
        }
        made.source_lines.insert(whose.clone(), lines.iter().map(|line| names.hexes(line, desk)).collect());
    }
    for at in &raw.source_closed {
        let until = names.turn(&at.value.until_turn, desk);
        let Some(army) = names.army(&at.value.army, desk) else { continue };
        for hex in names.hexes::<Vec<Hex>>(&at.value.hexes, desk) {
            made.source_closed_until.insert(hex, (army.clone(), until));
        }
    }
}

fn leaders(raw: &Special, names: &Names, made: &mut special::Special, desk: &mut Desk) {
    for at in &raw.independent {
        let sources = names.hexes(&at.value.sources, desk);
        let until = names.turn(&at.value.until_turn, desk);
        if let Some(leader) = names.leader(&at.value.leader, desk) {
            made.independent.insert(leader, Independent { until, sources });
        }
    }
    for at in &raw.keep_apart {
        let (a, b) = (&at.value.leaders.0, &at.value.leaders.1);
        if let (Some(a), Some(b)) = (names.leader(a, desk), names.leader(b, desk)) {
            made.keep_apart.push((a, b, at.value.hexes));
        }
    }
    for (side, at) in &raw.commander_after {
        let named = At { value: side.clone(), line: at.line, column: at.column };
        let (first, then) = (names.leader(&at.value.withdrawn, desk), names.leader(&at.value.then, desk));
        if let (Some(side), Some(first), Some(then)) = (names.side(&named, desk), first, then) {
            if !raw.withdrawals.iter().any(|w| w.value.leader.value == first.0) {
                let message = format!("{first} is never withdrawn, so the army has no commander at all (¶113).");
                desk.flaw(&at.value.withdrawn, message, "Add him to withdrawals.");
            }
            made.commander_after.insert(side, (first, then));
        }
    }
    for at in &raw.withdrawals {
        let turn = names.turn(&at.value.turn, desk);
        if let Some(leader) = names.leader(&at.value.leader, desk) {
            made.withdrawals.push((turn, leader));
        }
    }
}

fn paris(at: &At<ParisRaw>, names: &Names, desk: &mut Desk) -> Option<Training> {
    let raw = &at.value;
    let (side, hex) = (names.side(&raw.side, desk)?, desk.hex(&raw.hex, names.map)?);
    let leader = names.leader(&raw.leader, desk)?;
    let mut units = BTreeMap::new();
    for (name, sp) in &raw.units {
        let id = UnitId(name.clone());
        match names.roster.units.get(&id).filter(|spec| spec.side == side) {
            None => desk.unknown(sp, "unit", name, names.roster.units.keys().map(|u| u.0.as_str())),
            Some(spec) if !(1..=spec.max_sp).contains(&sp.value) => {
                let message = format!("Unit {id} has {} SP; it holds 1 to {} (¶16).", sp.value, spec.max_sp);
                desk.flaw(sp, message, "Correct the strength, or max_sp in the order of battle.");
            }
            Some(_) => {
                units.insert(id, sp.value);
            }
        }
    }
    Some(Training { side, hex, leader, units, from_turn: names.turn(&raw.from_turn, desk), mp: raw.mp })
}

fn off_map(raw: &Special, names: &Names, made: &mut special::Special, desk: &mut Desk) {
    for (side, at) in &raw.off_map {
        let named = At { value: side.clone(), line: at.line, column: at.column };
        let OffMapRaw { turns, within, east, between, back } = &at.value;
        let ends = between.as_ref().and_then(|(a, b)| desk.hex(a, names.map).zip(desk.hex(b, names.map)));
        let between: BTreeMap<Hex, Hex> = ends.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        if *turns == 0 || (between.is_empty() && *within == 0) {
            desk.flaw(
                at,
                "A march off the map takes turns, and comes back somewhere.",
                "Write turns, and within or between.",
            );
        }
        let rule = special::OffMap { turns: *turns, within: *within, east: *east, between, back: *back };
        made.off_map.extend(names.side(&named, desk).map(|side| (side, rule)));
    }
}

fn places(raw: &Special, names: &Names, made: &mut special::Special, desk: &mut Desk) {
    off_map(raw, names, made, desk);
    made.approaches = raw.approaches.iter().map(|hexes| names.hexes(hexes, desk)).collect();
    for (side, at) in &raw.successor {
        let named = At { value: side.clone(), line: at.line, column: at.column };
        let (first, then) = (names.leader(&at.value.first, desk), names.leader(&at.value.then, desk));
        let hex = desk.hex(&at.value.hex, names.map);
        if let (Some(side), Some(first), Some(then), Some(hex)) = (names.side(&named, desk), first, then, hex) {
            made.successor.insert(side, special::Successor { first, then, hex, turns: at.value.turns });
        }
    }
    made.paris = raw.paris_garrison.as_ref().and_then(|at| paris(at, names, desk));
    made.closed = names.hexes_of(&raw.closed, desk);
    made.never_source = names.hexes_of(&raw.never_source, desk);
    for at in &raw.twin_fortresses {
        let hex = |text: &String, desk: &mut Desk| {
            desk.hex(&At { value: text.clone(), line: at.line, column: at.column }, names.map)
        };
        if let (Some(a), Some(b)) = (hex(&at.value.0, desk), hex(&at.value.1, desk)) {
            made.twins.insert(a, b);
            made.twins.insert(b, a);
        }
    }
    for at in &raw.prizes {
        let hex = desk.hex(&at.value.hex, names.map);
        if let (Some(hex), Some(side)) = (hex, names.side(&at.value.side, desk)) {
            made.prizes.push((hex, side, at.value.ap));
        }
    }
    for at in &raw.stores {
        let hex = desk.hex(&at.value.hex, names.map);
        if let (Some(hex), Some(side)) = (hex, names.side(&at.value.side, desk)) {
            made.stores.insert(hex, side);
        }
    }
}

fn condition(at: &At<ConditionRaw>, names: &Names, made: &mut special::Special, desk: &mut Desk) {
    let raw = &at.value;
    let (Some(side), Some(source)) = (names.side(&raw.side, desk), desk.hex(&raw.source, names.map)) else { return };
    if !names.sources.get(side.0.as_str()).is_some_and(|sources| sources.contains(&source)) {
        desk.flaw(&raw.source, format!("{source} is no source of {side}."), "Add it to the side's sources.");
    }
    let made_of = Condition {
        no_guns_in: names.hexes(&raw.no_guns_in, desk),
        lost_with: names.objective(raw.lost_with.as_ref(), desk),
        won_with: names.objective(raw.won_with.as_ref(), desk),
        road: names.hexes(&raw.road, desk),
        garrison: raw.garrison,
    };
    if made_of.lost_with.is_some() && made_of.lost_with == made_of.won_with {
        desk.flaw(at, "The source is won and lost with one place.", "Take lost_with or won_with out.");
    }
    made.sources.insert((side, source), made_of);
}

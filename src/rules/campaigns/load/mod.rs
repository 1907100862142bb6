//! Scenario files made a board. Pure: the files are read elsewhere.
//!
//! All flaws are found in one pass and told together, each with file, line and cure.

mod armies;
mod briefing;
mod charts;
mod desk;
mod ground;
mod raw;
mod redoubts;
mod roster;
mod setup;
mod special;

use super::board::{Board, LeaderId, Objective, Policies, SideSpec};
use super::exceptions::Exceptions;
use super::redoubts::Redoubt;
use super::special::Special;
use super::tables::{Conditions, Tables};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::HexMap;
use crate::memo::Memo;
use crate::yaml::{self, Flaw};
use charts::Charts;
use desk::Desk;
use roster::Roster;
use serde::de::DeserializeOwned;
use setup::{Placed, Scene};
use std::collections::{BTreeMap, BTreeSet};

/// Path and text of one file.
type File = (String, String);

/// Kinds of file that a scenario is made of.
const KINDS: [&str; 5] = ["scenario", "map", "order_of_battle", "title", "table"];

/// Makes the board of a scenario file and all files it refers to; or tells every flaw, by file and line.
pub fn board(files: &[File]) -> Result<Board, Vec<Flaw>> {
    let mut flaws = Vec::new();
    let sorted = by_kind(files, &mut flaws);
    let board = one(&sorted, "scenario", &mut flaws).and_then(|file| {
        let scenario = parsed::<raw::Scenario>(file, &mut flaws)?;
        let board = assemble(file, &scenario, &sorted, &mut flaws)?;
        let sound = flaws.is_empty();
        on_desk(&file.0, &mut flaws, |desk| briefing::check(&scenario, &board, sound, desk));
        Some(board)
    });
    flaws.sort();
    flaws.dedup();
    match board {
        Some(board) if flaws.is_empty() => Ok(board),
        _ => Err(flaws),
    }
}

/// The JSON Schema of all files of a scenario.
pub fn schema() -> String {
    let schema = schemars::schema_for!(raw::AnyFile);
    serde_json::to_string_pretty(&schema).unwrap_or_default()
}

fn by_kind<'a>(files: &'a [File], flaws: &mut Vec<Flaw>) -> BTreeMap<&'a str, Vec<&'a File>> {
    let mut sorted: BTreeMap<&str, Vec<&File>> = BTreeMap::new();
    for file in files {
        match yaml::label(&file.1, "kind") {
            Some(kind) if KINDS.contains(&kind) => sorted.entry(kind).or_default().push(file),
            Some(kind) => {
                let message = format!("There is no kind of file \"{kind}\".");
                flaws.push(Flaw::whole(&file.0, message, format!("Kinds are {}.", KINDS.join(", "))));
            }
            None => {
                let cure = format!("Add a line `kind: …`; kinds are {}.", KINDS.join(", "));
                flaws.push(Flaw::whole(&file.0, "The file does not say its kind.", cure));
            }
        }
    }
    sorted
}

/// The one file of a kind.
fn one<'a>(sorted: &BTreeMap<&str, Vec<&'a File>>, kind: &str, flaws: &mut Vec<Flaw>) -> Option<&'a File> {
    let found = sorted.get(kind).map_or(&[][..], Vec::as_slice);
    match found {
        [file] => Some(file),
        [] => {
            let known = sorted.get("scenario").and_then(|s| s.first()).map_or("scenario", |f| f.0.as_str());
            let message = format!("There is no file of kind {kind}.");
            flaws.push(Flaw::whole(known, message, "List one under files."));
            None
        }
        [_, second, ..] => {
            let message = format!("There is more than one file of kind {kind}.");
            flaws.push(Flaw::whole(&second.0, message, "List one of them only."));
            None
        }
    }
}

fn parsed<T: DeserializeOwned>(file: &File, flaws: &mut Vec<Flaw>) -> Option<T> {
    yaml::read(&file.0, &file.1).map_err(|flaw| flaws.push(flaw)).ok()
}

fn assemble(
    file: &File,
    scenario: &raw::Scenario,
    sorted: &BTreeMap<&str, Vec<&File>>,
    flaws: &mut Vec<Flaw>,
) -> Option<Board> {
    let title = one(sorted, "title", flaws).and_then(|file| {
        let title = parsed::<raw::Title>(file, flaws)?;
        on_desk(&file.0, flaws, |desk| title_flaws(&title, desk));
        Some(title)
    });
    let exceptions = title.as_ref().map(exceptions).unwrap_or_default();
    let map = one(sorted, "map", flaws).and_then(|file| {
        let raw = parsed::<raw::Map>(file, flaws)?;
        on_desk(&file.0, flaws, |desk| ground::map(&raw, exceptions.ground.crest_hexes, desk)).into()
    });
    let battle = one(sorted, "order_of_battle", flaws).and_then(|file| {
        let raw = parsed::<raw::OrderOfBattle>(file, flaws)?;
        let roster = on_desk(&file.0, flaws, |desk| roster::roster(&raw, desk));
        Some((raw, roster))
    });
    let tables = sorted.get("table").map_or(&[][..], Vec::as_slice);
    let mut charts = Charts::new(&file.0, &scenario.files, tables);
    let tables = charts.tables();
    flaws.append(&mut charts.flaws);
    let (mut map, (raw_battle, roster)): (HexMap, _) = (map?, battle?);
    if let (Some(title), Some(tables)) = (&title, &tables) {
        on_desk(&file.0, flaws, |desk| forage(scenario, title, &exceptions, tables, &map, desk));
    }
    if !exceptions.forage.leaders_hex {
        // Nothing hangs on them, so no drawing shows them.
        map.crops.clear();
    }
    let terrain = tables.as_ref().map(|t| &t.terrain);
    let scene = Scene { scenario, map: &map, roster: &roster, terrain, exceptions: &exceptions };
    let parts = on_desk(&file.0, flaws, |desk| parts(&scene, &raw_battle, tables.as_ref(), desk));
    let special = on_desk(&file.0, flaws, |desk| special::special(&scenario.special, &names(&scene), desk));
    if let Some(tables) = &tables {
        on_desk(&file.0, flaws, |desk| named_by_tables(scenario, &special, tables, desk));
    }
    complete(scenario, (parts, special), map, roster, title?, tables?)
}

/// ¶274-275 What a title forages by must stand in its charts and on its map.
fn forage(
    scenario: &raw::Scenario,
    title: &raw::Title,
    exceptions: &Exceptions,
    tables: &Tables,
    map: &HexMap,
    desk: &mut Desk,
) {
    let alone = exceptions.forage.leaders_hex;
    let (terrain, attrition) = (tables.terrain.in_words(), tables.attrition.in_words());
    if title.forage && alone != terrain {
        let (message, cure) = if alone {
            (
                "The leader's hex forages alone (¶275), and the Terrain Effects Chart has no leaders_hex.",
                "Add it there.",
            )
        } else {
            ("Hexes are summed for forage (¶274), and the Terrain Effects Chart has leaders_hex.", "Write its forage.")
        };
        desk.flaw(&scenario.files, message, cure);
    }
    if title.forage && alone != attrition {
        let (message, cure) = if alone {
            (
                "The leader's hex forages alone (¶275), and the columns of the March Attrition Table have no yields.",
                "Add them.",
            )
        } else {
            (
                "Hexes are summed for forage (¶274), and the columns of the March Attrition Table have yields.",
                "Write forage.",
            )
        };
        desk.flaw(&scenario.files, message, cure);
    }
    if title.forage && alone && map.crops.is_empty() {
        let cure = "Add crops, one letter a hex: o oats, w wheat, p potatoes.";
        desk.flaw(&scenario.files, "Clear ground forages by its crop (¶275), and the map has no crops.", cure);
    }
}

/// ¶5, 414 What charts name must be in the scenario: the sides that have a track, the months in which leaders are free.
fn named_by_tables(scenario: &raw::Scenario, special: &Special, tables: &Tables, desk: &mut Desk) {
    let tracks: Vec<SideId> = tables.morale.tracks().collect();
    let sides = &scenario.sides.value;
    if let Some(side) = tracks.iter().find(|side| !sides.contains_key(&side.0)) {
        let message = format!("The Morale Track has one for {side}, which is no side (¶5).");
        desk.flaw(&scenario.files, message, "Name the sides of the scenario under per_side.");
    }
    let without = sides.keys().find(|side| !tracks.iter().any(|track| track.0 == **side));
    if let Some(side) = without.filter(|_| !tracks.is_empty()) {
        let message = format!("The Morale Track has none for {side}, and one for others (¶5).");
        desk.flaw(&scenario.files, message, "Name both sides under per_side, or neither.");
    }
    if tables.citadels.by_month() && special.months.is_empty() {
        let message = "Leaders who surrender are free by months (¶414), and the scenario names no months.";
        desk.flaw(&scenario.files, message, "Write under special: months: {1: \"July 1796\", ...}, by first turns.");
    }
}

/// The exceptions of a title.
fn exceptions(title: &raw::Title) -> Exceptions {
    title.exceptions.as_ref().map(|at| at.value.clone()).unwrap_or_default()
}

/// Contradictions in a title.
fn title_flaws(title: &raw::Title, desk: &mut Desk) {
    if let Some(at) = &title.exceptions {
        for (message, cure) in at.value.contradictions(title.forage) {
            desk.flaw(at, message, cure);
        }
    }
}

/// What a scenario's special places, leaders and dates are checked against.
fn names<'a>(scene: &Scene<'a>) -> special::Names<'a> {
    let scenario = scene.scenario;
    let sides = &scenario.sides.value;
    let hexes = |side: &raw::SideSetup| side.sources.iter().filter_map(|s| Hex::parse(&s.value)).collect();
    special::Names {
        map: scene.map,
        roster: scene.roster,
        sides: sides.keys().map(String::as_str).collect(),
        turns: (scenario.first_turn.value, scenario.last_turn),
        armies: sides.values().flat_map(|side| &side.armies).map(|a| a.value.id.value.as_str()).collect(),
        sources: sides.iter().map(|(id, side)| (id.as_str(), hexes(side))).collect(),
        objectives: scenario.objectives.iter().filter_map(|o| Hex::parse(&o.value.hex.value)).collect(),
    }
}

fn on_desk<T>(file: &str, flaws: &mut Vec<Flaw>, work: impl FnOnce(&mut Desk) -> T) -> T {
    let mut desk = Desk::new(file);
    let made = work(&mut desk);
    flaws.append(&mut desk.flaws);
    made
}

/// What the scenario file itself gives to the board.
struct Parts {
    sides: Vec<SideSpec>,
    setup: BTreeMap<SideId, super::board::SideSetup>,
    damaged: BTreeSet<crate::hex::Hexside>,
    trestles: BTreeSet<crate::hex::Hexside>,
    redoubts: BTreeMap<SideId, BTreeMap<Hex, Redoubt>>,
    reinforcements: Vec<super::board::Reinforcement>,
    replacements: Vec<super::board::Replacement>,
    objectives: Vec<Objective>,
    not_available: BTreeSet<String>,
    replacement_leaders: BTreeSet<LeaderId>,
}

fn parts(scene: &Scene, battle: &raw::OrderOfBattle, tables: Option<&Tables>, desk: &mut Desk) -> Parts {
    let ruleset = &scene.scenario.ruleset;
    if ruleset.value != "campaigns" {
        desk.flaw(ruleset, format!("Ruleset \"{}\" is not campaigns.", ruleset.value), "Write `ruleset: campaigns`.");
    }
    track(scene.scenario, tables, desk);
    let sides = sides(scene, battle, desk);
    let mut placed = Placed::default();
    let mut setup = BTreeMap::new();
    for side in &sides {
        if let Some(made) = scene.side(&side.id.0, &mut placed, desk) {
            setup.insert(side.id.clone(), made);
        }
    }
    let trestles = scene.trestles(tables, desk);
    scene.apart(desk);
    scene.formations(desk);
    Parts {
        setup,
        damaged: scene.damaged(&trestles, desk),
        trestles,
        redoubts: redoubts::read(scene.scenario, scene.exceptions.redoubts.as_ref(), scene.map, desk),
        reinforcements: scene.reinforcements(&mut placed, desk),
        replacements: scene.replacements(desk),
        not_available: scene.not_available(&placed, desk),
        replacement_leaders: scene.replacement_leaders(&placed, desk),
        objectives: objectives(scene, desk),
        sides,
    }
}

/// Checks turns, calendar and weather (¶49, 70).
fn track(scenario: &raw::Scenario, tables: Option<&Tables>, desk: &mut Desk) {
    let (first, last) = (scenario.first_turn.value, scenario.last_turn);
    if first < 1 || last < first {
        desk.flaw(
            &scenario.first_turn,
            format!("Turns run from {first} to {last}."),
            "Begin with 1 or later, and end after.",
        );
    }
    for turn in first..=last.min(first.saturating_add(200)) {
        if !scenario.calendar.value.contains_key(&turn) {
            desk.flaw(&scenario.calendar, format!("Turn {turn} has no date."), "Add it to the calendar.");
        }
    }
    if let Some(turn) = scenario.calendar.value.keys().find(|t| !(first..=last).contains(*t)) {
        let message = format!("The calendar names turn {turn}, which is not played.");
        desk.flaw(&scenario.calendar, message, format!("Turns run from {first} to {last}."));
    }
    if first > 0 && !scenario.weather.value.contains_key(&(first - 1)) {
        let message = format!("The weather of turn {}, before the first, is missing.", first - 1);
        desk.flaw(&scenario.weather, message, "Add it to weather.");
    }
    for (turn, text) in &scenario.weather.value {
        let states = tables.map(|t| t.weather.states());
        let legal = |c: &Conditions| states.is_none_or(|known| c.states().all(|s| known.contains(&s)));
        if !Conditions::parse(text).is_some_and(|c| legal(&c)) {
            let message = format!("Turn {turn}: \"{text}\" is not weather of this title (¶71).");
            desk.flaw(&scenario.weather, message, "Write a state of the weather table, or some joined by +.");
        }
    }
    if scenario.strategic_points.value < 1 {
        desk.flaw(&scenario.strategic_points, "strategic_points is below 1.", "Write 1 or more.");
    }
    if let Some(holds) = scenario.holds_out.as_ref().filter(|side| !scenario.sides.value.contains_key(&side.value)) {
        let sides: Vec<&str> = scenario.sides.value.keys().map(String::as_str).collect();
        let message = format!("\"{}\" holds out, and is no side.", holds.value);
        desk.flaw(holds, message, format!("Write one of {}.", sides.join(", ")));
    }
}

/// The sides, the First Player first (¶52).
fn sides(scene: &Scene, battle: &raw::OrderOfBattle, desk: &mut Desk) -> Vec<SideSpec> {
    let scenario = scene.scenario;
    let known = || battle.sides.value.keys().map(String::as_str);
    if !battle.sides.value.contains_key(&scenario.first_player.value) {
        desk.unknown(&scenario.first_player, "side", &scenario.first_player.value, known());
    }
    for id in scenario.sides.value.keys().filter(|id| !battle.sides.value.contains_key(*id)) {
        desk.unknown(&scenario.sides, "side", id, known());
    }
    let mut sides = Vec::new();
    for (id, side) in &battle.sides.value {
        let Some(setup) = scenario.sides.value.get(id) else {
            desk.flaw(&scenario.sides, format!("Side {id} has no set-up."), "Add it under sides.");
            continue;
        };
        let sources = setup.sources.iter().filter_map(|s| desk.hex(s, scene.map)).collect();
        let raw = &side.value;
        sides.push(SideSpec {
            id: SideId(id.clone()),
            name: raw.name.clone(),
            army: raw.army.clone(),
            commander: LeaderId(raw.commander.value.clone()),
            french: raw.french,
            sources,
            pool_markers: setup.pool_markers.clone(),
            ap_max: setup.ap_max,
            vedettes_per_force: setup.vedettes_per_force,
            armies: scene.armies(id, desk),
        });
    }
    sides.sort_by_key(|s| s.id.0 != scenario.first_player.value);
    sides
}

fn objectives(scene: &Scene, desk: &mut Desk) -> Vec<Objective> {
    let mut objectives = Vec::new();
    let mut seen = BTreeSet::new();
    for at in &scene.scenario.objectives {
        let raw = &at.value;
        let known = &scene.scenario.sides.value;
        for side in raw.points.keys().chain(raw.morale.keys()).filter(|s| !known.contains_key(*s)) {
            desk.unknown(at, "side", side, known.keys().map(String::as_str));
        }
        let Some(hex) = desk.hex(&raw.hex, scene.map) else { continue };
        if !seen.insert(hex) {
            desk.flaw(at, format!("Objective {hex} is named twice."), "Take one of the two out.");
        }
        let sides = |of: &BTreeMap<String, i32>| of.iter().map(|(side, n)| (SideId(side.clone()), *n)).collect();
        let (points, morale) = (sides(&raw.points), sides(&raw.morale));
        objectives.push(Objective { hex, name: raw.name.clone(), points, morale });
    }
    objectives
}

fn complete(
    scenario: &raw::Scenario,
    (parts, special): (Parts, Special),
    map: HexMap,
    mut roster: Roster,
    title: raw::Title,
    tables: Tables,
) -> Option<Board> {
    let policies = policies(scenario, &title, &tables);
    // ¶421: what is not available is not in this game at all.
    roster.leaders.retain(|id, _| !parts.not_available.contains(&id.0));
    roster.units.retain(|id, _| !parts.not_available.contains(&id.0));
    Some(Board {
        id: scenario.id.value.clone(),
        title: scenario.title.clone(),
        map,
        forms: Memo::default(),
        sides: parts.sides,
        leaders: roster.leaders,
        units: roster.units,
        turns: (scenario.first_turn.value, scenario.last_turn),
        calendar: scenario.calendar.value.clone(),
        historical_weather: scenario.weather.value.clone(),
        setup: parts.setup,
        damaged: parts.damaged,
        trestles: parts.trestles,
        redoubts: parts.redoubts,
        reinforcements: parts.reinforcements,
        replacements: parts.replacements,
        replacement_leaders: parts.replacement_leaders,
        objectives: parts.objectives,
        policies,
        briefings: briefing::texts(scenario),
        exceptions: exceptions(&title),
        special,
        tables,
        lanes: Default::default(),
    })
}

fn by_side(numbers: &BTreeMap<String, i32>) -> BTreeMap<SideId, i32> {
    numbers.iter().map(|(side, n)| (SideId(side.clone()), *n)).collect()
}

fn policies(scenario: &raw::Scenario, title: &raw::Title, tables: &Tables) -> Policies {
    let turns = |of: fn(&raw::SideSetup) -> &Vec<u32>| {
        let sides = scenario.sides.value.iter();
        sides.map(|(id, side)| (SideId(id.clone()), of(side).iter().copied().collect())).collect()
    };
    let (chosen, usual) = (&scenario.options, &title.options);
    let worse = scenario.sides.value.values().flat_map(|s| &s.worse_sources);
    Policies {
        title: title.id.clone(),
        rivers_freeze: title.rivers_freeze,
        fog: title.fog,
        forage: title.forage,
        last_sp_stays: title.last_sp_stays,
        own_nation_units: title.own_nation_units,
        reinforcements_plain: title.reinforcements_plain,
        reserves: chosen.reserves.unwrap_or(usual.reserves),
        security: chosen.security.unwrap_or(usual.security),
        sound_of_guns: chosen.sound_of_guns.unwrap_or(usual.sound_of_guns),
        rearguard: chosen.rearguard.unwrap_or(usual.rearguard),
        batteries_forward: chosen.batteries_forward.unwrap_or(usual.batteries_forward),
        dynamics: chosen.dynamics.unwrap_or(usual.dynamics),
        solitaire: chosen.solitaire.unwrap_or(false),
        critical_over: tables.morale.critical_over,
        no_ap_turns: turns(|s| &s.no_ap_turns),
        no_command_turns: turns(|s| &s.no_command_turns),
        worse_sources: worse.filter_map(|h| Hex::parse(&h.value)).collect(),
        stack_sp: tables.terrain.stack_sp,
        fort_stack_sp: tables.terrain.fort_stack_sp,
        fort_double_sp: tables.terrain.combat.fort_double_sp,
        dispatch_mp: tables.communications.dispatch_mp,
        dispatch_of: by_side(&tables.communications.dispatch_of),
        max_loc: tables.communications.max_loc,
        max_loc_of: by_side(&tables.communications.max_loc_of),
        split_attrition: chosen.split_attrition.unwrap_or(usual.split_attrition),
        morale_limit: tables.morale.limit(),
        strategic_points: scenario.strategic_points.value,
        holds_out: scenario.holds_out.as_ref().map(|side| SideId(side.value.clone())),
    }
}

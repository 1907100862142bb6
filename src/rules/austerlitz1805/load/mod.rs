//! 18 Scenario files made a board. Pure; all flaws are told together, each with file, line and cure.

mod briefing;
mod labels;
mod raw;
mod strategic;

use super::board::{Area, Arm, Board, Course, Ground, Place, SideSpec, Soil, Start, UnitId, UnitSpec, Way};
use super::moves::sought::Sought;
use super::table::{Formation, Pose};
use super::tables::Tables;
use crate::fog::SideId;
use crate::plane::shape::{Flaw as Bent, Shape};
use crate::plane::{Heading, Spot};
use crate::yaml::{self, At, Flaw};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Path and text of one file.
type File = (String, String);

const KINDS: [&str; 4] = ["scenario", "map", "order_of_battle", "table"];

/// Makes the board of a scenario file and all files it refers to; or tells every flaw.
///
/// # Errors
/// All flaws.
pub fn board(files: &[File]) -> Result<Board, Vec<Flaw>> {
    let mut flaws = Vec::new();
    let mut by_kind: BTreeMap<&str, Vec<&File>> = BTreeMap::new();
    for file in files {
        match yaml::label(&file.1, "kind").and_then(|k| KINDS.into_iter().find(|known| *known == k)) {
            Some(kind) => by_kind.entry(kind).or_default().push(file),
            None => {
                let cure = format!("Add a line `kind: …`; kinds are {}.", KINDS.join(", "));
                flaws.push(Flaw::whole(&file.0, "The file does not say its kind.", cure));
            }
        }
    }
    let board = assemble(&by_kind, &mut flaws);
    flaws.sort();
    match board {
        Some(board) if flaws.is_empty() => Ok(board),
        _ => Err(flaws),
    }
}

/// The JSON Schema of all files of a scenario.
pub fn schema() -> String {
    serde_json::to_string_pretty(&schemars::schema_for!(raw::AnyFile)).unwrap_or_default()
}

fn assemble(by_kind: &BTreeMap<&str, Vec<&File>>, flaws: &mut Vec<Flaw>) -> Option<Board> {
    let (file, scenario) = one::<raw::Scenario>(by_kind, "scenario", flaws)?;
    let map = one::<raw::Map>(by_kind, "map", flaws);
    let tables = one::<Tables>(by_kind, "table", flaws);
    let rolls: Vec<(&str, raw::OrderOfBattle)> = by_kind
        .get("order_of_battle")
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .filter_map(|f| parsed(f, flaws).map(|roll| (f.0.as_str(), roll)))
        .collect();
    let sides = sides(file, &scenario, flaws);
    let (map_file, map) = map?;
    let places = places(map_file, &map, &sides, flaws);
    let ground = ground(map_file, &map, &places, flaws);
    let units = units(&rolls, &sides, flaws);
    let mut board = Board {
        id: scenario.id.clone(),
        title: scenario.title.clone(),
        sides,
        turns: scenario.turns,
        first_hour: scenario.first_hour,
        units,
        ground,
        places,
        tables: tables?.1,
        options: scenario.options,
        starts: Vec::new(),
        flow: scenario.fog,
        strategic: strategic::strategic(map_file, &map, flaws),
        solo: Vec::new(),
        briefings: briefing::texts(&scenario),
        called: OnceLock::new(),
        called_by: OnceLock::new(),
        labelled: OnceLock::new(),
        sought: Sought::default(),
    };
    solo(file, &scenario, &mut board, flaws);
    if board.flow.is_some() {
        taking_part(file, &scenario, &mut board, flaws);
        let units: Vec<&UnitSpec> = board.units.values().collect();
        strategic::placed(map_file, &board.strategic, &units, flaws);
        if let Some(start) = scenario.setup.first() {
            let message = "A game in fog begins on the strategic maps and sets nothing up (16.4).";
            flaws.push(Flaw::at(file, &start.unit, message, "Leave setup out, or fog."));
        }
    }
    control(file, &scenario, &mut board, flaws);
    board.starts = starts(file, &scenario, &board, flaws);
    if board.turns.0 > board.turns.1 {
        flaws.push(Flaw::whole(file, "The last turn comes before the first.", "Write the first turn first."));
    }
    briefing::checked(file, &scenario, board, flaws)
}

fn one<'f, T: DeserializeOwned>(
    by_kind: &BTreeMap<&str, Vec<&'f File>>,
    kind: &str,
    flaws: &mut Vec<Flaw>,
) -> Option<(&'f str, T)> {
    match by_kind.get(kind).map_or(&[][..], Vec::as_slice) {
        [file] => parsed(file, flaws).map(|read| (file.0.as_str(), read)),
        found => {
            let known = by_kind.get("scenario").and_then(|s| s.first()).map_or("scenario", |f| f.0.as_str());
            let message = format!("There are {} files of kind {kind}; one is wanted.", found.len());
            flaws.push(Flaw::whole(known, message, "List one of it under files."));
            None
        }
    }
}

fn parsed<T: DeserializeOwned>(file: &File, flaws: &mut Vec<Flaw>) -> Option<T> {
    yaml::read(&file.0, &file.1).map_err(|flaw| flaws.push(flaw)).ok()
}

fn sides(file: &str, scenario: &raw::Scenario, flaws: &mut Vec<Flaw>) -> Vec<SideSpec> {
    if scenario.sides.len() != 2 {
        flaws.push(Flaw::whole(file, "There are exactly two sides (1.1).", "Name the French and the Allies."));
    }
    let mut found = Vec::new();
    for side in &scenario.sides {
        let edge = heading(file, &side.edge, flaws).unwrap_or(Heading::NORTH);
        let id = SideId(side.id.clone());
        found.push(SideSpec { id, name: side.name.clone(), edge, wins_ties: side.wins_ties });
    }
    found
}

fn heading(file: &str, at: &At<String>, flaws: &mut Vec<Flaw>) -> Option<Heading> {
    let found = Heading::parse(&at.value);
    if found.is_none() {
        let message = format!("\"{}\" is no way to face.", at.value);
        flaws.push(Flaw::at(file, at, message, "Write a wind such as NE, or degrees such as 045."));
    }
    found
}

fn places(file: &str, map: &raw::Map, sides: &[SideSpec], flaws: &mut Vec<Flaw>) -> Vec<Place> {
    let mut found = Vec::new();
    for (name, raw) in &map.places {
        let (x, y) = raw.at;
        if x < 0 || y < 0 || x > map.size.0 || y > map.size.1 {
            flaws.push(Flaw::whole(file, format!("The place {name} is off the map."), "Correct its coordinates."));
        }
        let owner = raw.owner.as_ref().map(|o| SideId(o.clone()));
        if raw.vp > 0 && !owner.as_ref().is_some_and(|o| sides.iter().any(|s| s.id == *o)) {
            let message = format!("The place {name} counts, but no side of the scenario owns it at the start.");
            flaws.push(Flaw::whole(file, message, "Name its first owner (17.1.1.4-5)."));
        }
        found.push(Place { name: name.clone(), at: Spot::new(x, y), vp: raw.vp, radius: raw.radius.max(1), owner });
    }
    found
}

fn ground(file: &str, map: &raw::Map, places: &[Place], flaws: &mut Vec<Flaw>) -> Ground {
    let mut ground = Ground { width: map.size.0, height: map.size.1, ..Ground::default() };
    for (list, soil) in [(&map.settlements, Soil::Settlement), (&map.fortifications, Soil::Fortification)] {
        for (name, half) in list {
            let Some(place) = places.iter().find(|p| p.name == *name) else {
                flaws.push(Flaw::at(file, half, format!("There is no place {name}."), "Name it under places."));
                continue;
            };
            let (h, at) = (half.value, place.at);
            let spot = |dx: i32, dy: i32| Spot::new(at.x + dx * h, at.y + dy * h);
            match Shape::ground(&[spot(-1, -1), spot(1, -1), spot(1, 1), spot(-1, 1)]) {
                Ok(shape) => ground.areas.push(Area { name: name.clone(), soil, shape }),
                Err(_) => flaws.push(Flaw::at(file, half, "The settlement has no size.", "Write half its width.")),
            }
        }
    }
    for (list, soil) in [(&map.woods, Soil::Woods), (&map.ponds, Soil::Pond)] {
        for (name, corners) in list {
            if let Some(shape) = shape(file, name, corners, flaws) {
                ground.areas.push(Area { name: name.clone(), soil, shape });
            }
        }
    }
    ground.hills = map.hills.iter().filter_map(|(name, corners)| shape(file, name, corners, flaws)).collect();
    for (list, way) in [(&map.streams, Way::Stream), (&map.crests, Way::Crest), (&map.roads, Way::Road)] {
        for (name, bends) in list {
            let spots = bends.iter().map(|(x, y)| Spot::new(*x, *y)).collect();
            ground.courses.push(Course { name: name.clone(), way, spots });
        }
    }
    ground
}

fn shape(file: &str, name: &str, corners: &At<Vec<(i32, i32)>>, flaws: &mut Vec<Flaw>) -> Option<Shape> {
    let spots: Vec<Spot> = corners.value.iter().map(|(x, y)| Spot::new(*x, *y)).collect();
    match Shape::ground(&spots) {
        Ok(shape) => Some(shape),
        Err(Bent::Flat) => {
            flaws.push(Flaw::at(file, corners, format!("{name} has no ground."), "Name three corners or more."));
            None
        }
        Err(Bent::NotConvex) => {
            let message = format!("A corner of {name} points inward, or its sides cross.");
            flaws.push(Flaw::at(file, corners, message, "Lay it out in convex pieces, corners in order around."));
            None
        }
    }
}

fn units(
    rolls: &[(&str, raw::OrderOfBattle)],
    sides: &[SideSpec],
    flaws: &mut Vec<Flaw>,
) -> BTreeMap<UnitId, UnitSpec> {
    let mut units = BTreeMap::new();
    let labels = labels::labels(rolls, sides, flaws);
    for (file, roll) in rolls {
        if !sides.iter().any(|s| s.id.0 == roll.side) {
            let message = format!("There is no side \"{}\".", roll.side);
            flaws.push(Flaw::whole(file, message, "Name a side of the scenario."));
        }
        for corps in &roll.corps {
            for raw in &corps.units {
                if (raw.arm == Arm::Artillery) != (raw.hd > 0) {
                    let message = format!("{}: batteries, and only they, have an HD (9.1).", raw.name.value);
                    flaws.push(Flaw::at(file, &raw.name, message, "Correct arm or hd."));
                }
                let id = UnitId(raw.name.value.clone());
                let spec = UnitSpec {
                    label: labels.get(&id).cloned().unwrap_or_default(),
                    id,
                    side: SideId(roll.side.clone()),
                    nation: raw.nation,
                    corps: corps.corps.clone(),
                    arm: raw.arm,
                    kind: raw.kind,
                    fire: raw.fire,
                    combat: raw.combat,
                    morale: raw.morale,
                    hd: raw.hd,
                    elite: corps.elite || raw.kind == super::board::Kind::Guard,
                    army: raw.army,
                };
                if units.insert(spec.id.clone(), spec).is_some() {
                    let message = format!("There are two units {}.", raw.name.value);
                    flaws.push(Flaw::at(file, &raw.name, message, "Give each counter a name of its own."));
                }
            }
        }
    }
    units
}

/// 16.4 The corps of a smaller game in fog; the other counters stay in their tray.
fn taking_part(file: &str, scenario: &raw::Scenario, board: &mut Board, flaws: &mut Vec<Flaw>) {
    if scenario.corps.is_empty() {
        return;
    }
    for corps in &scenario.corps {
        if !board.units.keys().any(|id| board.group(id) == corps.value) {
            let message = format!("There is no corps \"{}\".", corps.value);
            flaws.push(Flaw::at(file, corps, message, "Name a corps of an order of battle."));
        }
    }
    let named: Vec<&str> = scenario.corps.iter().map(|c| c.value.as_str()).collect();
    let out: Vec<UnitId> =
        board.units.keys().filter(|id| !named.contains(&board.group(id).as_str())).cloned().collect();
    out.iter().for_each(|id| _ = board.units.remove(id));
    for starts in board.strategic.starts.values_mut() {
        starts.retain(|corps, _| named.contains(&corps.as_str()));
    }
}

/// 22.1 Sides that the solo rules lead; they need the charts of the solo chapters.
fn solo(file: &str, scenario: &raw::Scenario, board: &mut Board, flaws: &mut Vec<Flaw>) {
    for side in &scenario.solo {
        let id = SideId(side.value.clone());
        let plan = board.tables.solo.as_ref().is_some_and(|s| s.plans.contains_key(&id.0));
        if board.side(&id).is_none() {
            let message = format!("There is no side \"{}\" for the solo rules to lead.", side.value);
            flaws.push(Flaw::at(file, side, message, "Name a side of the scenario."));
        } else if !plan {
            let message = format!("The charts have no plan of the solo rules for {} (28).", side.value);
            flaws.push(Flaw::at(file, side, message, "Add it to the table file under solo, plans."));
        } else {
            board.solo.push(id);
        }
    }
}

fn control(file: &str, scenario: &raw::Scenario, board: &mut Board, flaws: &mut Vec<Flaw>) {
    for (name, owner) in &scenario.control {
        let known = board.sides.iter().any(|s| s.id.0 == owner.value);
        match board.places.iter_mut().find(|p| p.name == *name && p.vp > 0) {
            Some(place) if known => place.owner = Some(SideId(owner.value.clone())),
            _ => {
                let message = format!("\"{name}: {}\" is no place that counts with its side.", owner.value);
                flaws.push(Flaw::at(file, owner, message, "Name a place with vp and one of the two sides."));
            }
        }
    }
}

fn starts(file: &str, scenario: &raw::Scenario, board: &Board, flaws: &mut Vec<Flaw>) -> Vec<Start> {
    let mut found: Vec<Start> = Vec::new();
    for raw in &scenario.setup {
        let id = UnitId(raw.unit.value.clone());
        let Some(spec) = board.units.get(&id) else {
            let near = crate::text::nearest(&id.0, board.units.keys().map(|k| k.0.as_str()));
            let cure = near.map_or("Name a unit of an order of battle.".to_owned(), |n| format!("Did you mean {n}?"));
            flaws.push(Flaw::at(file, &raw.unit, format!("There is no unit {id}."), cure));
            continue;
        };
        if found.iter().any(|s| s.unit == id) {
            flaws.push(Flaw::at(file, &raw.unit, format!("{id} is set up twice."), "Take one line out."));
        }
        let start = match &raw.with {
            Some(with) => attached(file, &id, with, &found, flaws),
            None => standing(file, raw, spec, board, flaws),
        };
        found.extend(start);
    }
    overlaps(file, &found, board, flaws);
    found
}

/// 7.1 An HQ set up with a unit.
fn attached(file: &str, id: &UnitId, with: &At<String>, found: &[Start], flaws: &mut Vec<Flaw>) -> Option<Start> {
    let to = found.iter().find(|s| s.unit.0 == with.value);
    if to.is_none() {
        let message = format!("{id} is attached to \"{}\", which is not set up above it.", with.value);
        flaws.push(Flaw::at(file, with, message, "Set that unit up first."));
    }
    to.map(|to| Start { unit: id.clone(), pose: to.pose, form: Formation::Staff, with: Some(to.unit.clone()) })
}

fn standing(file: &str, raw: &raw::Start, spec: &UnitSpec, board: &Board, flaws: &mut Vec<Flaw>) -> Option<Start> {
    let id = spec.id.clone();
    let Some((at, face)) = raw.at.as_ref().zip(raw.face.as_ref()) else {
        flaws.push(Flaw::at(file, &raw.unit, format!("{id} has no place."), "Write at and face, or with for an HQ."));
        return None;
    };
    let form = raw.form.unwrap_or(default_form(spec.arm));
    if !fits(spec.arm, form) {
        let message = format!("{id} can't be {} (5.1).", form.word());
        flaws.push(Flaw::at(file, &raw.unit, message, "Write a formation of its arm."));
    }
    let facing = heading(file, face, flaws)?;
    let pose = Pose::try_from(format!("{}@{facing}", at.value));
    match pose {
        Ok(pose) if pose.at.x >= 0 && pose.at.y >= 0 && within(board, pose.at) => {
            Some(Start { unit: id, pose, form, with: None })
        }
        _ => {
            let message = format!("\"{}\" is no place on the map.", at.value);
            flaws.push(Flaw::at(file, at, message, "Write x,y in units, such as 15300,14450."));
            None
        }
    }
}

fn within(board: &Board, at: Spot) -> bool {
    at.x <= board.ground.width && at.y <= board.ground.height
}

/// 7.1 No two blocks may overlap.
fn overlaps(file: &str, found: &[Start], board: &Board, flaws: &mut Vec<Flaw>) {
    let shape = |s: &Start| Shape::block(s.pose.stand(), board.tables.size(s.form));
    for (n, a) in found.iter().enumerate() {
        for b in found.iter().skip(n + 1) {
            if a.with.is_none() && b.with.is_none() && shape(a).overlaps(&shape(b)) {
                let message = format!("{} and {} overlap (7.1).", a.unit, b.unit);
                flaws.push(Flaw::whole(file, message, "Set one of them up elsewhere."));
            }
        }
    }
}

/// 5.1 The formation of a unit for which none is written.
pub fn default_form(arm: Arm) -> Formation {
    match arm {
        Arm::Infantry | Arm::Cavalry => Formation::Line,
        Arm::Artillery => Formation::Unlimbered,
        Arm::Hq => Formation::Staff,
    }
}

/// 5.1, 5.2 Which formations an arm has.
pub fn fits(arm: Arm, form: Formation) -> bool {
    match form {
        Formation::Line | Formation::Column => matches!(arm, Arm::Infantry | Arm::Cavalry),
        Formation::Square => arm == Arm::Infantry,
        Formation::Limbered | Formation::Unlimbered => arm == Arm::Artillery,
        Formation::Staff => arm == Arm::Hq,
    }
}

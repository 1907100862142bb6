//! A seat's view as data: what the order sheet clicks on, and what a client of somebody else's making reads.
//!
//! It holds what the report holds and no more. Costs of steps are those by which CHECK reckons (¶212-214): the sheet adds
//! them up and judges nothing.

use super::fights::{self, Target};
use super::pen::Pen;
use super::roster::{self, Head, Row};
use super::{enemy, forces, offers};
use crate::hex::{Dir, Hex};
use crate::map::draw::{Window, plate};
use crate::orders;
use crate::report::sheet::Sheet;
use crate::rules::Ruleset;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::march::column::Column;
use crate::rules::campaigns::pieces::{Piece, Vedette};
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::words;
use pathfinding::prelude::dijkstra_reach;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the order sheet does with it.
pub const SCRIPT: &str =
    concat!(include_str!("../../../templates/sheet/hexes.js"), include_str!("../../../templates/sheet/campaigns.js"));
/// Hexes round pieces that the sheet still shows.
const MARGIN: i16 = 4;
/// An enemy within so many hexes of a piece that marches concerns it.
const CONCERNS: u32 = 12;
/// Digits of a step: half MP in base 36.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
/// No way.
const NO_WAY: char = '-';

/// What a seat of `campaigns` sees. Hexes are written as on the map, such as `0405`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Board {
    /// The map and its part that the sheet shows.
    pub map: Sheet,
    /// Named places in that part.
    pub places: BTreeMap<String, String>,
    /// Administrative points of the seat's army.
    pub ap: i32,
    /// Own forces and vedettes on the map.
    pub own: Vec<Own>,
    /// Enemy counters in open sight, or as last seen.
    pub enemy: Vec<Foe>,
    /// Hexes next to a counter that may be a force, each with the counters' numbers.
    pub zones: BTreeMap<String, Vec<String>>,
    /// Costs of steps.
    pub steps: Steps,
    /// Battles that can be ordered, on their own sheet.
    pub fights: Vec<Target>,
}

/// What a piece of one's own is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A leader with his force.
    Force,
    /// A vedette.
    Vedette,
    /// A garrison, which does not march.
    Garrison,
}

/// A piece of one's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Own {
    /// Its code, such as `LAN` or `v3`.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Its name as the order language takes it, such as `FORCE Lannes`.
    pub say: String,
    /// Where it stands.
    pub hex: String,
    /// Strength.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sp: Option<i32>,
    /// Its units, in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub units: String,
    /// What its foot may spend, in half MP, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foot: Option<i32>,
    /// The same of its horse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horse: Option<i32>,
    /// Whether a road leads through its hex.
    pub road: bool,
    /// Ways to march that are open now: `INITIATIVE`, `COMMAND`, `FORCED`; for a vedette an empty word.
    pub may: Vec<String>,
}

/// An enemy counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Foe {
    /// Its number, such as `E3`.
    pub id: String,
    /// Where it stands.
    pub hex: String,
    /// What it is taken for, in words.
    pub what: String,
    /// Its strength as stated, with the turn where that is not this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sp: Option<String>,
    /// How sure that is: `sure`, `1 of 3`, `none`.
    pub sure: String,
}

/// Costs of steps by hex: six digits of half MP in base 36, for N NE SE S SW NW; `-` is no way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Steps {
    /// On foot, out of a hex that was entered by road.
    pub foot: BTreeMap<String, String>,
    /// Mounted, the same.
    pub horse: BTreeMap<String, String>,
    /// On foot out of a hex that was entered off the road, where that differs.
    pub foot_off: BTreeMap<String, String>,
    /// Mounted, the same.
    pub horse_off: BTreeMap<String, String>,
    /// Where a road leads: `1` or `0` for each way.
    pub road: BTreeMap<String, String>,
}

/// The view of a seat, and the ground of its part of the map as a drawing with its pieces.
pub fn board(pen: &Pen<'_>) -> (Board, String) {
    let s = pen.v.situation();
    let chart = super::maps::chart(pen);
    let (own, columns) = own(pen);
    let enemy = enemy::data(pen);
    let marching: Vec<Hex> = columns.iter().map(|(hex, _)| *hex).collect();
    let near = |hex: &Hex| marching.iter().any(|own| own.distance(*hex) <= CONCERNS);
    let seen = pen.v.enemy.values().map(|counter| counter.hex).filter(near);
    let window = window(&s, marching.iter().copied().chain(seen).collect());
    let (svg, view) = plate::sheet(&chart, window);
    let map = Sheet::new([window.west, window.east], [window.north, window.south], view);
    let shown = |hex: &Hex| window.contains(*hex);
    let places = pen.v.board.map.places.keys().filter(|hex| shown(hex));
    let places = places.filter_map(|hex| Some((hex.to_string(), pen.place(*hex)?))).collect();
    let zones = chart.zones.iter().filter(|hex| shown(hex)).map(|hex| (hex.to_string(), feared(&s, pen, *hex)));
    let steps = steps(&s, &columns, window);
    let fights = fights::targets(pen.v, &|leader| pen.code(leader));
    let board = Board { map, places, ap: pen.v.own.army.ap, own, enemy, zones: zones.collect(), steps, fights };
    (board, svg)
}

/// The part of the map that holds some hexes, with a margin.
fn window(s: &Situation<'_>, hexes: Vec<Hex>) -> Window {
    let whole = Window::whole(&s.board.map);
    let bounds = |of: fn(&Hex) -> i16, most: i16| {
        let (least, last) = (hexes.iter().map(of).min(), hexes.iter().map(of).max());
        (least.map_or(1, |n| n - MARGIN).max(1), last.map_or(most, |n| n + MARGIN).min(most))
    };
    let ((west, east), (north, south)) = (bounds(|h| h.col, whole.east), bounds(|h| h.row, whole.south));
    Window { west, east, north, south }
}

/// Counters whose zone a hex may lie in.
fn feared(s: &Situation<'_>, pen: &Pen<'_>, hex: Hex) -> Vec<String> {
    let from: Vec<Hex> = s.zones_on(hex).into_iter().filter(|(_, firm)| *firm != Firm::No).map(|(at, _)| at).collect();
    let counters = pen.v.enemy.iter().filter(|(_, counter)| from.contains(&counter.hex));
    counters.map(|(n, _)| format!("E{n}")).collect()
}

/// Own pieces in the order of the report, and the columns of those that can march.
fn own(pen: &Pen<'_>) -> (Vec<Own>, Vec<(Hex, Column)>) {
    let v = pen.v;
    let (mut own, mut columns) = (Vec::new(), Vec::new());
    for row in roster::rows(&v.board, &v.own) {
        let (piece, column) = force(pen, &row);
        own.push(piece);
        columns.extend(column.map(|column| (row.hex, column)));
    }
    for (n, vedette) in &v.own.vedettes {
        let Vedette::At(hex) = vedette else { continue };
        let column = Column::rider(v.board.tables.terrain.allowances.vedette);
        let say = format!("VEDETTE {n}");
        own.push(Own {
            id: format!("v{n}"),
            kind: Kind::Vedette,
            name: format!("Vedette {n}"),
            sp: None,
            units: String::new(),
            foot: None,
            horse: Some(column.allowance().0),
            road: v.board.map.on_road(*hex),
            may: open(pen, &say, &Piece::Vedette(*n), &[""]),
            hex: hex.to_string(),
            say,
        });
        columns.push((*hex, column));
    }
    (own, columns)
}

/// A row of the Organization Display.
fn force(pen: &Pen<'_>, row: &Row) -> (Own, Option<Column>) {
    let v = pen.v;
    let mut piece = Own {
        id: "GAR".to_owned(),
        kind: Kind::Garrison,
        name: String::new(),
        say: String::new(),
        hex: row.hex.to_string(),
        sp: Some(row.sp),
        units: String::new(),
        foot: None,
        horse: None,
        road: v.board.map.on_road(row.hex),
        may: Vec::new(),
    };
    match &row.head {
        Head::Garrison(id) => {
            piece.name = pen.garrison(id);
            (piece, None)
        }
        Head::Leader(id) => {
            let column = Column::of(&v.board, &v.own, &v.own.force(id));
            let [foot, horse] = column.limits();
            (piece.id, piece.kind, piece.name) = (pen.code(id), Kind::Force, pen.leader(id));
            (piece.foot, piece.horse) = (foot.map(|mp| mp.0), horse.map(|mp| mp.0));
            piece.units = super::pen::unglued(vec![forces::force_units(pen, id, &row.under)]).join(" ");
            piece.say = format!("FORCE {}", words::order_name(v, id));
            if !v.own.unemployed(id) {
                let leader = Piece::Leader(id.clone());
                piece.may = open(pen, &piece.say, &leader, &["INITIATIVE", "COMMAND", "FORCED"]);
            }
            (piece, Some(column))
        }
    }
}

/// ¶168, 172, 297 The ways to march that are open to a piece now: those by which some first step would be taken, and made.
fn open(pen: &Pen<'_>, say: &str, piece: &Piece, ways: &[&str]) -> Vec<String> {
    let Some(from) = pen.v.own.piece_hex(piece).filter(|_| offers::open(pen)) else { return Vec::new() };
    let near = pen.v.board.map.neighbours(from);
    let taken = |how: &&&str| {
        near.iter().any(|to| {
            let line = orders::line(1, &format!("{say} {how} MARCH {to}"));
            let order = orders::bind(Campaigns::verbs(), pen.v, &line);
            let tried = order.and_then(|order| Campaigns::rehearse(pen.v, &order));
            tried.is_ok_and(|tried| tried.after.own.piece_hex(piece) != Some(from))
        })
    };
    ways.iter().filter(taken).map(|how| (*how).to_owned()).collect()
}

/// The costs of steps out of every hex that a column could come to, enemies left out of account.
fn steps(s: &Situation<'_>, columns: &[(Hex, Column)], window: Window) -> Steps {
    let mut steps = Steps::default();
    let mut hexes: Vec<Hex> = Vec::new();
    for (from, column) in columns {
        let [foot, horse] = column.limits();
        let most = foot.max(horse).unwrap_or(Halves(0)).0;
        let cost = |cost: StepCost| match (foot, horse) {
            (Some(_), Some(_)) => cost.foot.min(cost.horse).0,
            (Some(_), None) => cost.foot.0,
            (None, _) => cost.horse.0,
        };
        let onward = |hex: &Hex| {
            let near = s.board.map.neighbours(*hex).into_iter();
            near.filter_map(|next| Some((next, cost(s.step(*hex, next, true)?)))).collect::<Vec<_>>()
        };
        hexes.extend(dijkstra_reach(from, onward).take_while(|item| item.total_cost <= most).map(|item| item.node));
    }
    hexes.retain(|hex| window.contains(*hex));
    hexes.sort_unstable();
    hexes.dedup();
    for hex in hexes {
        let said = hex.to_string();
        let [on, off] = [true, false].map(|by_road| Dir::ALL.map(|dir| s.step(hex, hex.neighbour(dir), by_road)));
        let digits = |costs: &[Option<StepCost>; 6], of: fn(StepCost) -> Halves| -> String {
            costs.iter().map(|cost| cost.map_or(NO_WAY, |cost| digit(of(cost)))).collect()
        };
        for (of, table, other) in [
            ((|cost| cost.foot) as fn(StepCost) -> Halves, &mut steps.foot, &mut steps.foot_off),
            (|cost| cost.horse, &mut steps.horse, &mut steps.horse_off),
        ] {
            let (by_road, off_road) = (digits(&on, of), digits(&off, of));
            if by_road != off_road {
                other.insert(said.clone(), off_road);
            }
            table.insert(said.clone(), by_road);
        }
        let road = |dir: &Dir| if s.road_in(hex, *dir).is_some() { '1' } else { '0' };
        steps.road.insert(said, Dir::ALL.iter().map(road).collect());
    }
    steps
}

/// Half MP as a digit.
fn digit(mp: Halves) -> char {
    usize::try_from(mp.0).ok().and_then(|n| DIGITS.get(n)).map_or(NO_WAY, |digit| char::from(*digit))
}

//! The tables of an order sheet that are the same for all pieces: what ground costs, and how many have room on it.

use crate::hex::Hex;
use crate::report::field::Window;
use crate::rules::great_battles::ground::{Class, Toll};
use crate::rules::great_battles::reach::{self, CLASSES};
use crate::rules::great_battles::state::State;
use crate::rules::great_battles::tables::Array;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// How a kind of pieces goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Gait {
    /// Steps out of the hexes of each column of the map, six signs a row for N NE SE S SW NW: points; `-` is no way; a small
    /// letter costs as much as its place in the alphabet and asks a check, a capital Disorders.
    pub steps: Vec<String>,
    /// What a turn costs, where the chart has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<i32>,
    /// What an about face costs, where there is one; nought is half of the allowance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<i32>,
}

/// A kind of ground.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Room {
    /// How many SP have room, by arm and formation.
    pub sp: BTreeMap<String, i32>,
    /// Formations that nobody takes there.
    pub forbids: Vec<String>,
}

/// The rows of the chart of stacking, by arm and formation.
const ROOMS: [(&str, Array); 8] = [
    ("foot line", Array::Line),
    ("foot column", Array::Column),
    ("foot skirmish", Array::Skirmish),
    ("foot square", Array::Square),
    ("foot disorder", Array::Disorder),
    ("horse line", Array::CavLine),
    ("horse column", Array::CavColumn),
    ("horse disorder", Array::CavDisorder),
];

/// The hexes of a window, column by column.
fn columns(window: Window) -> impl Iterator<Item = Vec<Hex>> {
    let Window { first, columns, rows } = window;
    let column = move |col| (first.row..first.row + rows).map(|row| Hex::new(col, row)).collect();
    (first.col..first.col + columns).map(column)
}

/// The tables of steps in a window, in the order of their places.
pub fn gaits(s: &State, window: Window, places: &BTreeMap<Class, usize>) -> Vec<Gait> {
    let mut all: Vec<(usize, Gait)> = Vec::new();
    for (class, place) in CLASSES.iter().filter_map(|class| Some((*class, *places.get(class)?))) {
        let signs = |hex: &Hex| reach::steps(s, class, *hex).map(sign);
        let steps = columns(window).map(|column| column.iter().flat_map(signs).collect()).collect();
        let (turn, about) = reach::turns(s, class);
        all.push((place, Gait { steps, turn, about: about.map(|points| points.unwrap_or(0)) }));
    }
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, gait)| gait).collect()
}

/// The ground of each column of a window, and the kinds that there are.
pub fn grounds(s: &State, window: Window) -> (Vec<String>, Vec<Room>) {
    let mut rooms: Vec<Room> = Vec::new();
    let mut letter = |hex: Hex| {
        let Some(terrain) = s.board.terrain(hex) else { return ' ' };
        let sp =
            |(word, array): &(&str, Array)| ((*word).to_owned(), terrain.sp.get(array).copied().unwrap_or_default());
        let forbids = terrain.forbids.iter().map(|form| form.word().to_owned()).collect();
        let room = Room { sp: ROOMS.iter().map(sp).collect(), forbids };
        let place = rooms.iter().position(|other| *other == room).unwrap_or_else(|| {
            rooms.push(room);
            rooms.len() - 1
        });
        u8::try_from(place).map_or(' ', |place| char::from(b'a' + place))
    };
    let grounds = columns(window).map(|column| column.into_iter().map(&mut letter).collect()).collect();
    (grounds, rooms)
}

/// A step as a sign.
fn sign(step: Option<(i32, Toll)>) -> char {
    let Some((cost, toll)) = step else { return '-' };
    let cost = u8::try_from(cost).unwrap_or(u8::MAX);
    match toll {
        Toll::None if cost <= 9 => char::from(b'0' + cost),
        Toll::Check if (1..=26).contains(&cost) => char::from(b'a' + cost - 1),
        Toll::Disorder if (1..=26).contains(&cost) => char::from(b'A' + cost - 1),
        _ => '-',
    }
}

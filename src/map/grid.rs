//! The same map as a grid of cells: what marches, zones and lines ask for a hundred thousand times a turn.

use super::{Ground, HexMap, River, Road, Settlement};
use crate::hex::{Dir, Hex, Hexside};

/// What lies between a hex and a neighbour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The road that crosses it.
    pub road: Option<Road>,
    /// The river that runs along it.
    pub river: Option<River>,
    /// Whether a bridge is printed there.
    pub bridge: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    ground: Ground,
    settlement: Option<Settlement>,
    sides: [Side; 6],
}

/// Cells by column and row; a place without ground is off the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    columns: i16,
    rows: i16,
    cells: Vec<Option<Cell>>,
}

impl Grid {
    /// The grid of a map that is finished.
    pub(super) fn of(map: &HexMap) -> Grid {
        let mut cells = Vec::new();
        for col in 1..=map.columns {
            cells.extend((1..=map.rows).map(|row| cell(map, Hex::new(col, row))));
        }
        Grid { columns: map.columns, rows: map.rows, cells }
    }

    fn cell(&self, hex: Hex) -> Option<&Cell> {
        self.cells.get(place(hex, self.columns, self.rows)?)?.as_ref()
    }

    pub(super) fn contains(&self, hex: Hex) -> bool {
        self.cell(hex).is_some()
    }

    pub(super) fn ground(&self, hex: Hex) -> Option<Ground> {
        self.cell(hex).map(|cell| cell.ground)
    }

    pub(super) fn settlement(&self, hex: Hex) -> Option<Settlement> {
        self.cell(hex).and_then(|cell| cell.settlement)
    }

    pub(super) fn side(&self, hex: Hex, dir: Dir) -> Option<Side> {
        self.cell(hex).and_then(|cell| cell.sides.get(dir as usize)).copied()
    }
}

/// A value for each hex of a map's rectangle.
#[derive(Clone, Debug)]
pub struct Field<T> {
    columns: i16,
    rows: i16,
    values: Vec<T>,
}

impl<T: Copy> Field<T> {
    /// The same value everywhere.
    pub fn new(map: &HexMap, value: T) -> Field<T> {
        let side = |n: i16| usize::try_from(n).unwrap_or(0);
        Field { columns: map.columns, rows: map.rows, values: vec![value; side(map.columns) * side(map.rows)] }
    }

    /// The value of a hex; none off the rectangle.
    pub fn get(&self, hex: Hex) -> Option<T> {
        self.at(hex).copied()
    }

    /// The value of a hex where it stands; none off the rectangle.
    pub fn at(&self, hex: Hex) -> Option<&T> {
        self.values.get(place(hex, self.columns, self.rows)?)
    }

    /// Sets the value of a hex; nothing happens off the rectangle.
    pub fn set(&mut self, hex: Hex, value: T) {
        if let Some(at) = place(hex, self.columns, self.rows).and_then(|at| self.values.get_mut(at)) {
            *at = value;
        }
    }
}

/// Where a hex stands in a list by column and row.
fn place(hex: Hex, columns: i16, rows: i16) -> Option<usize> {
    if hex.col < 1 || hex.row < 1 || hex.col > columns || hex.row > rows {
        return None;
    }
    usize::try_from((i32::from(hex.col) - 1) * i32::from(rows) + i32::from(hex.row) - 1).ok()
}

fn cell(map: &HexMap, hex: Hex) -> Option<Cell> {
    let ground = map.ground.get(&hex).copied()?;
    let side = |dir: Dir| {
        let edge = Hexside::new(hex, dir);
        Side {
            road: map.roads.get(&edge).copied(),
            river: map.rivers.get(&edge).copied(),
            bridge: map.bridges.contains(&edge),
        }
    };
    Some(Cell { ground, settlement: map.settlements.get(&hex).copied(), sides: Dir::ALL.map(side) })
}

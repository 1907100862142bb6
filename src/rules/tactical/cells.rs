//! What is so of each hex of a field: an ordered map of hexes that is asked a hundred thousand times a game, and so kept as
//! columns and not as a tree.

use crate::hex::Hex;

/// A value for each hex of some, in the order of the hexes: column by column, and in each from the north.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells<T> {
    columns: Vec<Vec<Option<(Hex, T)>>>,
}

impl<T> Default for Cells<T> {
    fn default() -> Self {
        Cells { columns: Vec::new() }
    }
}

/// Where a hex stands; none for one that no map has.
fn place(hex: Hex) -> Option<(usize, usize)> {
    Some((usize::try_from(hex.col).ok()?, usize::try_from(hex.row).ok()?))
}

impl<T> Cells<T> {
    /// Puts a value to a hex, in place of the one before. A hex left of the first column or above the first row is no hex of a
    /// map, and nothing happens.
    pub fn insert(&mut self, hex: Hex, value: T) {
        let Some((col, row)) = place(hex) else { return };
        if self.columns.len() <= col {
            self.columns.resize_with(col + 1, Vec::new);
        }
        if let Some(column) = self.columns.get_mut(col) {
            if column.len() <= row {
                column.resize_with(row + 1, || None);
            }
            if let Some(slot) = column.get_mut(row) {
                *slot = Some((hex, value));
            }
        }
    }

    /// The value of a hex.
    pub fn get(&self, hex: &Hex) -> Option<&T> {
        let (col, row) = place(*hex)?;
        self.columns.get(col)?.get(row)?.as_ref().map(|(_, value)| value)
    }

    /// The value of a hex, to be changed.
    pub fn get_mut(&mut self, hex: &Hex) -> Option<&mut T> {
        let (col, row) = place(*hex)?;
        self.columns.get_mut(col)?.get_mut(row)?.as_mut().map(|(_, value)| value)
    }

    /// Whether a hex has a value.
    pub fn contains_key(&self, hex: &Hex) -> bool {
        self.get(hex).is_some()
    }

    /// Hexes with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&Hex, &T)> {
        self.columns.iter().flatten().flatten().map(|(hex, value)| (hex, value))
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Hex, &mut T)> {
        self.columns.iter_mut().flatten().flatten().map(|(hex, value)| (&*hex, value))
    }

    /// The hexes.
    pub fn keys(&self) -> impl Iterator<Item = &Hex> {
        self.iter().map(|(hex, _)| hex)
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.iter_mut().map(|(_, value)| value)
    }
}

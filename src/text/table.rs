//! Columns of a table.

use super::{cut, width, wrap};

/// How a cell stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At the left.
    Left,
    /// At the right.
    Right,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    align: Align,
    width: Option<usize>,
}

/// A table: its columns, the blanks before each line and between columns, and the widest a line may be.
///
/// The last column, if it is left-aligned, wraps under itself where the line would be too wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    columns: Vec<Column>,
    indent: usize,
    gap: usize,
    width: usize,
}

impl Column {
    /// A column as wide as its widest cell, aligned at the left.
    pub const fn left() -> Column {
        Column { align: Align::Left, width: None }
    }

    /// A column as wide as its widest cell, aligned at the right.
    pub const fn right() -> Column {
        Column { align: Align::Right, width: None }
    }

    /// The same column with a fixed width in characters; longer cells are cut, in the last column wrapped.
    pub const fn wide(self, width: usize) -> Column {
        Column { align: self.align, width: Some(width) }
    }
}

impl Table {
    /// A table with two blanks before each line, two between columns, and lines of at most `width` characters.
    pub fn new(columns: &[Column], width: usize) -> Table {
        Table { columns: columns.to_vec(), indent: 2, gap: 2, width }
    }

    /// The same with another number of blanks between columns.
    pub fn gap(mut self, gap: usize) -> Table {
        self.gap = gap;
        self
    }

    /// The same with another number of blanks before each line.
    pub fn indent(mut self, indent: usize) -> Table {
        self.indent = indent;
        self
    }

    /// Writes the rows; a missing cell is blank, cells beyond the last column are left out, no line ends in a blank.
    pub fn lines<S: AsRef<str>>(&self, rows: &[Vec<S>]) -> Vec<String> {
        let widths = self.widths(rows);
        rows.iter().flat_map(|row| self.row(row, &widths)).collect()
    }

    /// The width of each column over all rows.
    fn widths<S: AsRef<str>>(&self, rows: &[Vec<S>]) -> Vec<usize> {
        let widest = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| width(c.as_ref())).max().unwrap_or(0);
        self.columns.iter().enumerate().map(|(i, c)| c.width.unwrap_or_else(|| widest(i))).collect()
    }

    /// One row, of as many lines as its last cell needs.
    fn row<S: AsRef<str>>(&self, row: &[S], widths: &[usize]) -> Vec<String> {
        let mut line = " ".repeat(self.indent);
        let last = self.columns.len().saturating_sub(1);
        for (i, (column, &wide)) in self.columns.iter().zip(widths).enumerate() {
            let cell = row.get(i).map_or("", |c| c.as_ref());
            if i > 0 {
                line.push_str(&" ".repeat(self.gap));
            }
            if i == last && column.align == Align::Left {
                let hang = width(&line);
                return wrap(cell, self.width.max(hang + 1), &line, hang);
            }
            let cell = cut(cell, wide);
            let blanks = " ".repeat(wide.saturating_sub(width(&cell)));
            match column.align {
                Align::Left => line.extend([cell, blanks]),
                Align::Right => line.extend([blanks, cell]),
            }
        }
        vec![cut(line.trim_end(), self.width)]
    }
}

//! A sheet of characters.

/// Blanks before each line of a drawing, so that no mail program joins lines.
pub(super) const MARGIN: usize = 2;

/// A sheet of characters, blank at first; what falls outside is not drawn.
pub(super) struct Sheet {
    width: i32,
    cells: Vec<Vec<char>>,
}

impl Sheet {
    /// A blank sheet.
    pub(super) fn new(width: i32, height: i32) -> Sheet {
        let row = vec![' '; usize::try_from(width).unwrap_or(0)];
        Sheet { width, cells: vec![row; usize::try_from(height).unwrap_or(0)] }
    }

    /// The character at a place; a blank outside the sheet.
    pub(super) fn get(&self, x: i32, y: i32) -> char {
        let cell = usize::try_from(y).ok().zip(usize::try_from(x).ok());
        cell.and_then(|(y, x)| self.cells.get(y)?.get(x)).copied().unwrap_or(' ')
    }

    /// Writes a character.
    pub(super) fn put(&mut self, x: i32, y: i32, c: char) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if let Some(cell) = self.cells.get_mut(y).and_then(|row| row.get_mut(x)) {
            *cell = c;
        }
    }

    /// Writes characters from a place to the right.
    pub(super) fn write(&mut self, x: i32, y: i32, text: &str) {
        for (at, c) in (x..).zip(text.chars()) {
            self.put(at, y, c);
        }
    }

    /// Whether a character can be written at `x`.
    pub(super) fn holds(&self, x: i32) -> bool {
        (0..self.width).contains(&x)
    }

    /// The lines, each after a margin and without blanks at its end.
    pub(super) fn lines(&self) -> Vec<String> {
        let margin = " ".repeat(MARGIN);
        let line = |row: &Vec<char>| format!("{margin}{}", row.iter().collect::<String>()).trim_end().to_owned();
        self.cells.iter().map(line).collect()
    }
}

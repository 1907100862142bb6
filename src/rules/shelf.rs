//! Boards of scenarios that are kept, for rule cases: most of them share a few, and to read one takes longer than to play.

use super::Files;
use crate::memo::Memo;
use std::fmt::Display;

/// Boards that are kept.
const MOST: usize = 16;

/// The boards last asked for, by the files that they are made of: the same files make the same board.
#[derive(Debug)]
pub struct Shelf<B>(Memo<Vec<(String, String)>, Result<B, String>, MOST>);

impl<B> Default for Shelf<B> {
    fn default() -> Self {
        Shelf(Memo::default())
    }
}

impl<B: Clone> Shelf<B> {
    /// The board of some files.
    ///
    /// # Errors
    /// All flaws in one line.
    pub fn board<F: Display>(&self, files: &Files, load: fn(&Files) -> Result<B, Vec<F>>) -> Result<B, String> {
        let flaws = |found: Vec<F>| found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let kept = self.0.answer(|known| known == files, || (files.to_vec(), load(files).map_err(flaws)));
        kept.as_ref().clone()
    }
}

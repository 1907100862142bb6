//! A desk on which one file is checked: flaws are gathered, never thrown.

use crate::hex::Hex;
use crate::map::HexMap;
use crate::text;
use crate::yaml::{At, Flaw};

/// The flaws of one file.
pub(super) struct Desk<'a> {
    file: &'a str,
    pub(super) flaws: Vec<Flaw>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(file: &'a str) -> Desk<'a> {
        Desk { file, flaws: Vec::new() }
    }

    /// Notes a flaw at the place of a value.
    pub(super) fn flaw<T>(&mut self, at: &At<T>, message: impl Into<String>, cure: impl Into<String>) {
        self.flaws.push(Flaw::at(self.file, at, message, cure));
    }

    /// Reads a hex that must be on the map.
    pub(super) fn hex(&mut self, at: &At<String>, map: &HexMap) -> Option<Hex> {
        let Some(hex) = Hex::parse(&at.value) else {
            let message = format!("\"{}\" is not a hex.", at.value);
            self.flaw(at, message, "Write four digits in quotes, column then row, such as \"0950\".");
            return None;
        };
        if !map.contains(hex) {
            let cure = format!("Columns run from 01 to {:02}, rows from 01 to {:02}.", map.columns, map.rows);
            self.flaw(at, format!("Hex {hex} is off the map."), cure);
            return None;
        }
        Some(hex)
    }

    /// Notes an unknown name with the nearest known one.
    pub(super) fn unknown<'n, T>(
        &mut self,
        at: &At<T>,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) {
        let cure = match text::nearest(name, known.clone()) {
            Some(near) => format!("Did you mean {near}?"),
            None => format!("Known are: {}.", known.take(12).collect::<Vec<_>>().join(", ")),
        };
        self.flaw(at, format!("There is no {what} \"{name}\"."), cure);
    }
}

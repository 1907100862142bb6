//! What an umpire corrects on a battlefield of hexes: where a piece stands and how it faces, how a unit is, who is taken off,
//! who holds a place.

use super::words::{behind, dir, hex, names};
use crate::hex::{Dir, Hex};
use crate::orders::{Args, Fault, Line};
use crate::text::or_list;

/// What can be amended, for who writes something else.
const WHAT: [&str; 4] = ["PLACE", "STATE", "REMOVE", "TOWN"];

/// What an umpire may name: of one side, but for the places.
pub struct Known<'a, M> {
    /// Units that are in the game or lost.
    pub units: Vec<String>,
    /// Leaders.
    pub leaders: Vec<String>,
    /// States of a unit, by their words.
    pub states: &'a [(&'static str, M)],
    /// Places that somebody holds.
    pub places: Vec<String>,
    /// What else the game has that can be amended, by its words.
    pub besides: &'static [&'static str],
}

/// One correction, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amendment<M> {
    /// A piece stands in a hex, and faces so if it is said.
    Placed(String, Hex, Option<Dir>),
    /// A unit is so.
    Is(String, M),
    /// A piece is off the field.
    Off(String),
    /// The side holds a place.
    Holds(String),
}

/// Reads an amendment: `PLACE 4L-1 AT 1716 FACE N`, `STATE 4L-1 FATIGUED`, `REMOVE 4L-1`, `TOWN Unterloiben`.
///
/// # Errors
/// What is not understood.
pub fn amendment<M: Copy>(known: &Known<'_, M>, line: &Line) -> Result<Amendment<M>, Fault> {
    let mut args = Args::new(line, 0);
    let pieces = || names(known.units.iter().chain(&known.leaders));
    let piece = |args: &mut Args<'_>| args.name("a unit or a leader of that side", &pieces());
    let words: Vec<&str> = WHAT.iter().chain(known.besides).copied().collect();
    let read = match args.one_of(&or_list(&words), &WHAT)? {
        "PLACE" => {
            let piece = piece(&mut args)?;
            args.key("AT");
            let at = hex(&mut args)?;
            let face = behind(&mut args, "FACE", |args| dir(args).map(Some))?;
            Amendment::Placed(piece, at, face)
        }
        "STATE" => {
            let unit = args.name("a unit of that side", &names(known.units.iter()))?;
            let words: Vec<&str> = known.states.iter().map(|(word, _)| *word).collect();
            let word = args.one_of(&words.join(", "), &words)?;
            let state = known.states.iter().find(|(known, _)| *known == word).map(|(_, state)| *state);
            Amendment::Is(unit, state.ok_or_else(|| args.fault("a state", []))?)
        }
        "REMOVE" => Amendment::Off(piece(&mut args)?),
        _ => Amendment::Holds(args.name("a place that somebody holds", &names(known.places.iter()))?),
    };
    if args.done() { Ok(read) } else { Err(args.fault("a part of it", [])) }
}

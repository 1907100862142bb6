//! How units are to face: a side of a hex, a place towards which they look, or a word that is neither.

use super::{Said, Slot, Tongue};
use crate::hex::{Dir, Hex};
use crate::orders::mend::hear::Token;
use crate::orders::mend::lexicon::Sense;
use crate::rules::tactical::facing;

/// Words for a side that a hex has not, and the two between which it lies.
const BETWEEN: [(&[&str], [Dir; 2]); 2] = [
    (&["w", "west", "westward", "westwards", "westen", "ouest"], [Dir::NW, Dir::SW]),
    (&["e", "east", "eastward", "eastwards", "ost", "osten", "est"], [Dir::NE, Dir::SE]),
];
/// Words for those who are fought.
const FOES: [&str; 10] =
    ["enemy", "enemies", "foe", "feind", "ennemi", "russians", "austrians", "french", "coalition", "prussians"];
/// The sides of a hex, as a reason names them.
pub(super) const SIDES: &str = "N, NE, SE, S, SW or NW";

/// How units are to face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Facing {
    /// Nothing is said of it.
    Unsaid,
    /// To a side.
    To(Dir),
    /// Towards the nearest of some hexes.
    Toward(Vec<Hex>),
    /// By a word that is no side, and the sides that it may be.
    Riddle(String, Vec<Dir>),
}

impl Facing {
    /// What a line says of it behind FACE.
    pub(super) fn of<T: Tongue>(said: &Said<'_, T>) -> Facing {
        let behind = [Slot::Face];
        if let Some(dir) = said.ways(&behind).last() {
            return Facing::To(*dir);
        }
        if !said.has(Slot::Face) {
            return Facing::Unsaid;
        }
        let hexes = said.hexes_behind(&behind);
        if !hexes.is_empty() {
            return Facing::Toward(hexes);
        }
        let names_foes = |t: &&Token<_>| t.text.split(' ').any(|word| FOES.contains(&word.to_lowercase().as_str()));
        if said.behind_face().iter().any(names_foes) {
            return Facing::Toward(said.v.foes(None).into_iter().collect());
        }
        let idle = |t: &Token<_>| t.means(Sense::Fill) || t.means(Sense::To);
        match said.behind_face().into_iter().find(|token| !idle(token)) {
            Some(token) => Facing::Riddle(token.text.clone(), may_be(&token.text)),
            None => Facing::Riddle(String::new(), Vec::new()),
        }
    }

    /// Each way in which it may be meant that units face who end in a hex; none where a word is no side.
    pub(super) fn choices(&self, end: Option<Hex>) -> Vec<Option<Dir>> {
        match self {
            Facing::Unsaid => vec![None],
            Facing::To(dir) => vec![Some(*dir)],
            Facing::Toward(hexes) => {
                let Some(end) = end else { return Vec::new() };
                let aim = hexes.iter().filter(|hex| **hex != end).min_by_key(|hex| (end.distance(**hex), **hex));
                aim.map(|aim| Some(facing::toward(end, *aim))).into_iter().collect()
            }
            Facing::Riddle(word, _) if word.is_empty() => vec![None],
            Facing::Riddle(_, dirs) => dirs.iter().copied().map(Some).collect(),
        }
    }

    /// Why a word is no side; none where it is one.
    pub(super) fn why(&self) -> Option<String> {
        match self {
            Facing::Riddle(word, _) if word.is_empty() => Some(format!("which way? FACE takes {SIDES}")),
            Facing::Riddle(word, _) => {
                Some(format!("\"{}\" is no side of a hex: FACE takes {SIDES}", crate::text::quoted(word)))
            }
            Facing::Toward(hexes) if hexes.is_empty() => {
                Some(format!("no enemy is known to turn to: FACE takes {SIDES}"))
            }
            _ => None,
        }
    }

    /// Whether it is said just as an order says it.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Facing::Unsaid | Facing::To(_))
    }
}

/// Whether a word names a side that a hex has not.
pub(super) fn is_between(word: &str) -> bool {
    let word = word.to_lowercase();
    BETWEEN.iter().any(|(words, _)| words.contains(&word.as_str()))
}

/// The sides that a word may mean which is none: those beside it, or the one whose letters have changed places.
fn may_be(word: &str) -> Vec<Dir> {
    let word = word.to_lowercase();
    if let Some((_, dirs)) = BETWEEN.iter().find(|(words, _)| words.contains(&word.as_str())) {
        return dirs.to_vec();
    }
    let swapped: String = word.chars().rev().collect();
    let is = |dir: &Dir| dir.name().len() > 1 && dir.name().eq_ignore_ascii_case(&swapped);
    Dir::ALL.into_iter().filter(is).collect()
}

/// The same, of a line that turns units without a march: a word that is no side.
pub(super) fn unknown<T: Tongue>(said: &Said<'_, T>) -> Option<(String, Vec<Dir>)> {
    let plain = |t: &&Token<_>| t.things.is_empty() && t.key.is_none();
    let found = said.tokens.iter().filter(plain).map(|t| (t.text.clone(), may_be(&t.text)));
    found.into_iter().find(|(_, dirs)| !dirs.is_empty())
}

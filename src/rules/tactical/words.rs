//! What lines of orders are made of: names of pieces, one or several, hexes and their sides.

use crate::hex::{Dir, Hex};
use crate::orders::{Args, Fault};
use std::collections::BTreeSet;

/// Names as they are written, and what each stands for.
pub type Names = Vec<(String, String)>;

/// Pieces by their own names.
pub fn names<'n>(pieces: impl Iterator<Item = &'n String>) -> Names {
    pieces.map(|id| (id.clone(), id.clone())).collect()
}

/// Reads by the names that some word still to come may begin; where that fails, by all, for what the fault says. A side has a
/// hundred pieces, a line names few, and each line that waits is read again whenever another has been carried out.
///
/// # Errors
/// That of the reading by all names.
pub fn by_names<T>(
    args: &mut Args<'_>,
    names: impl Fn(&dyn Fn(&str) -> bool) -> Names,
    read: impl Fn(&mut Args<'_>, &Names) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let before = args.clone();
    let few = names(&|name| before.may_come(name));
    read(args, &few).or_else(|_| {
        *args = before.clone();
        read(args, &names(&|_| true))
    })
}

/// Units that are counted on a map; of more there is no sign.
const MANY: usize = 9;
/// Letters of a name with a sign between its count and it.
const PARTED: usize = 2;

/// What a map calls so many units of a name that stand together: `3APS`, `2x4L`. Behind a name a number is always a unit of it.
pub fn label(name: &str, many: usize) -> String {
    let numbered = name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().count() <= PARTED;
    format!("{}{}{name}", many.min(MANY), if numbered { "x" } else { "" })
}

/// Letters of a name before the sign that others stand with it.
const AMONG: usize = 2;

/// What a map calls a unit with which others of other names stand: `8J+`, `SM+`.
pub fn among(name: &str) -> String {
    format!("{}+", name.chars().take(AMONG).collect::<String>())
}

/// Units by the names of their regiments: `4L` for `4L-1` and those beside it.
fn regiments(names: &Names) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (_, id) in names {
        let Some((regiment, _)) = id.rsplit_once('-') else { continue };
        match found.iter_mut().find(|(name, _)| name == regiment) {
            Some((_, ids)) => ids.push(id.clone()),
            None => found.push((regiment.to_owned(), vec![id.clone()])),
        }
    }
    found
}

/// One name at least, and all that follow; a regiment's name is all of its units, but for one that is printed on the map for
/// another.
///
/// # Errors
/// The first word is no such name.
pub fn several(args: &mut Args<'_>, expected: &str, names: &Names) -> Result<Vec<String>, Fault> {
    let printed: Names = names.iter().filter(|(name, id)| name != id).cloned().collect();
    let regiments = regiments(names);
    let mut found: Vec<String> = Vec::new();
    loop {
        if let Some(name) = args.whole_name(&printed) {
            found.push(name);
        } else if let Some(units) = args.whole_name(&regiments) {
            found.extend(units);
        } else if let Some(name) = args.whole_name(names) {
            found.push(name);
        } else if found.is_empty() {
            found.push(args.name(expected, names)?);
        } else {
            let mut named = BTreeSet::new();
            found.retain(|name| named.insert(name.clone()));
            return Ok(found);
        }
    }
}

/// What stands behind a keyword; nothing where the keyword does not follow.
///
/// # Errors
/// What stands there is not what is expected.
pub fn behind<'a, T: Default>(
    args: &mut Args<'a>,
    key: &str,
    read: impl FnOnce(&mut Args<'a>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    if args.key(key) { read(args) } else { Ok(T::default()) }
}

/// A hex.
///
/// # Errors
/// There is none.
pub fn hex(args: &mut Args<'_>) -> Result<Hex, Fault> {
    let hex = args.peek().and_then(|word| Hex::parse(&word.text));
    let hex = hex.ok_or_else(|| args.fault("a hex such as 1715", []))?;
    args.next_word();
    Ok(hex)
}

/// All hexes that follow.
///
/// # Errors
/// None: it ends where no hex stands.
pub fn hexes(args: &mut Args<'_>) -> Result<Vec<Hex>, Fault> {
    let mut found = Vec::new();
    while args.peek().is_some_and(|word| Hex::parse(&word.text).is_some()) {
        found.push(hex(args)?);
    }
    Ok(found)
}

/// A hex behind a keyword that has to be there.
///
/// # Errors
/// The keyword or the hex is not there.
pub fn hex_behind(args: &mut Args<'_>, key: &'static str) -> Result<Hex, Fault> {
    args.one_of(key, &[key])?;
    hex(args)
}

/// A side of a hex.
///
/// # Errors
/// There is none.
pub fn dir(args: &mut Args<'_>) -> Result<Dir, Fault> {
    let word = args.one_of("N, NE, SE, S, SW or NW", &["N", "NE", "SE", "S", "SW", "NW"])?;
    Dir::parse(word).ok_or_else(|| args.fault("a direction", []))
}

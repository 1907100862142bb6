//! Paths as orders write them: hexes, or a road to a place (¶147, 212-214).

use crate::hex::Hex;
use crate::orders::{Args, Fault};
use crate::rules::campaigns::march::ways;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// Words that end a path.
const STOPS: [&str; 17] = [
    "IF", "ELSE", "DROP", "BRIDGE", "WITH", "MODE", "PONTOON", "TRESTLE", "TRAIN", "AND", "OR", "MARCH", "EXTENDED",
    "VEDETTES", "AT", "OFFMAP", "ANYWAY",
];

/// A path, and how it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The hexes, its own left out.
    pub path: Vec<Hex>,
    /// The road that was asked for, where it was not written hex by hex.
    pub road: Option<Road>,
}

/// A march by road, for which the program chose the hexes (¶213).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Road {
    /// Whether the way is taken however far round it leads.
    pub anyway: bool,
    /// The line that says so.
    pub line: String,
}

/// Whether the next word still belongs to a path.
fn goes_on(args: &Args<'_>) -> bool {
    args.peek().is_some_and(|w| !STOPS.iter().any(|s| s.eq_ignore_ascii_case(&w.text)))
}

/// The hexes of a path as written.
///
/// # Errors
/// The fault of the line.
pub fn hexes(v: &View, args: &mut Args<'_>) -> Result<Vec<Hex>, Fault> {
    let mut path = Vec::new();
    while goes_on(args) {
        path.push(words::hex(v, args)?);
    }
    if path.is_empty() { Err(args.fault("the hexes of a path", [])) } else { Ok(path) }
}

/// What follows `MARCH`: hexes from the piece's own on, or `ROAD TO place`. The hex it stands in may be left out. The
/// result leaves it out; `line` writes the order with another path, for faults.
///
/// # Errors
/// The fault of the line.
pub fn read(v: &View, args: &mut Args<'_>, from: Hex, line: &dyn Fn(&[Hex]) -> String) -> Result<Vec<Hex>, Fault> {
    let Written { path, road: _ } = written(v, args, from, line)?;
    check(&v.situation(), from, &path, line)?;
    Ok(path)
}

/// As `read`, but the ground is not looked at: for a march that bridges a river on its way.
///
/// # Errors
/// The fault of the line.
pub fn written(v: &View, args: &mut Args<'_>, from: Hex, line: &dyn Fn(&[Hex]) -> String) -> Result<Written, Fault> {
    if args.key("ROAD") {
        args.key("TO");
        let to = words::hex(v, args)?;
        let sure = with_anyway(args);
        let road = Road { anyway: args.key("ANYWAY"), line: sure };
        return Ok(Written { path: by_road(v, from, to, line)?, road: Some(road) });
    }
    let mut path = hexes(v, args)?;
    // Who writes every hex means the way that he writes.
    args.key("ANYWAY");
    if path.first() == Some(&from) {
        path.remove(0);
    }
    Ok(Written { path, road: None })
}

/// The line with ANYWAY at the word that comes next.
fn with_anyway(args: &Args<'_>) -> String {
    let at = args.peek().map_or(usize::MAX, |word| word.span.0);
    let head: String = args.source().chars().take(at).collect();
    let tail: String = args.source().chars().skip(at).collect();
    format!("{} ANYWAY {tail}", head.trim_end()).trim_end().to_owned()
}

/// ¶213 The one shortest road to a place.
fn by_road(v: &View, from: Hex, to: Hex, line: &dyn Fn(&[Hex]) -> String) -> Result<Vec<Hex>, Fault> {
    let ways = ways::roads(&v.situation(), from, to);
    match ways.as_slice() {
        [] => Err(Fault::refused(format!("no road leads from {from} to {to}; write the hexes"), "¶213")),
        [only] => Ok(only.iter().skip(1).copied().collect()),
        several => {
            let lines: Vec<String> = several.iter().map(|way| line(way)).collect();
            Err(Fault::Unclear {
                said: format!("ROAD TO {to}"),
                expected: format!("one road; several are equally short: {}", lines.join(" or ")),
                nearest: None,
                example: lines.first().cloned(),
            })
        }
    }
}

/// ¶147, 214 Whether each hex is next to the one before and can be reached over ground and rivers as they are known.
///
/// # Errors
/// Refused, with the paragraph.
pub fn check(sit: &Situation<'_>, from: Hex, path: &[Hex], line: &dyn Fn(&[Hex]) -> String) -> Result<(), Fault> {
    let mut at = from;
    for &next in path {
        if !at.adjacent(next) {
            let copy = ways::on_foot(sit, from, path.last().copied().unwrap_or(from));
            let why = if at == from {
                format!("the path does not start in {from}, where he stands: {next} is not next to it")
            } else {
                format!("{at} and {next} are not adjacent")
            };
            return Err(Fault::Refused { why, rule: "¶147".to_owned(), copy: copy.map(|way| line(&way)) });
        }
        if sit.step(at, next, true).is_none() {
            let bridge = sit.board.map.river(at, next).is_some();
            let (why, rule) = if bridge {
                (format!("there is no whole bridge over the river from {at} to {next}"), "¶214")
            } else {
                (format!("{next} cannot be entered"), "¶212")
            };
            return Err(Fault::refused(why, rule));
        }
        at = next;
    }
    Ok(())
}

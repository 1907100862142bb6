//! The open sheet: whether the reader is on move, and lines that he could send as they stand (¶49-68).

use super::pen::Pen;
use crate::hex::Hex;
use crate::orders;
use crate::rules::Ruleset;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::view::View;
use std::collections::BTreeSet;

/// Lines shown of one verb.
const OF_ONE_VERB: usize = 3;

/// Verbs of the sheet that is open to the reader; none where it is the other side's, or nobody's.
fn verbs(view: &View) -> &'static [&'static str] {
    let mine = |side| view.side.as_ref() == Some(side);
    match &view.at {
        At::Setup => &["VEDETTE"],
        At::Own(p) if mine(p) => &["FORCE", "VEDETTE"],
        At::Reaction(p) if !mine(p) => &["FORCE", "DEFEND"],
        At::Designate(p) if mine(p) => &["ATTACK", "BATTLE", "DECLINE"],
        At::Weather
        | At::Packet(_)
        | At::Own(_)
        | At::CloseMove(_)
        | At::Reaction(_)
        | At::Designate(_)
        | At::Round(..)
        | At::Close(_)
        | At::Over => &[],
    }
}

/// Whether a sheet of the reader is open.
pub fn open(pen: &Pen<'_>) -> bool {
    !verbs(pen.v).is_empty()
}

/// A plan of defence for each hex of an own force that an enemy counter stands next to.
fn defences(view: &View) -> Vec<String> {
    let hexes: BTreeSet<Hex> = view.own.on_map().map(|(_, hex)| hex).collect();
    let near = |hex: &&Hex| view.board.map.neighbours(**hex).iter().any(|n| !view.tags_at(*n).is_empty());
    let threatened = hexes.iter().filter(near);
    threatened.map(|hex| format!("DEFEND {hex} IF APPROX >= 30 TYPE PURSUIT ELSE TYPE PITCHED")).collect()
}

/// Lines that bind now, from the verbs' own examples.
pub fn lines(view: &View) -> Vec<String> {
    let words = verbs(view);
    let mut found = Vec::new();
    for verb in words.iter().filter_map(|word| Campaigns::verbs().iter().find(|v| v.word == *word)) {
        let binds = |line: &String| orders::bind(Campaigns::verbs(), view, &orders::line(1, line)).is_ok();
        let examples = if verb.word == "DEFEND" { defences(view) } else { (verb.examples)(view) };
        found.extend(examples.into_iter().filter(binds).take(OF_ONE_VERB));
    }
    if !words.is_empty() {
        found.push("END".to_owned());
    }
    found
}

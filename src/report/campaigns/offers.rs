//! The open sheet: whether the reader is on move, and lines that he could send as they stand (¶49-68).

mod march;

use super::pen::Pen;
use crate::hex::Hex;
use crate::orders;
use crate::rules::Ruleset;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::combat::designate::{self, Field};
use crate::rules::campaigns::combat::forecast;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;
use crate::rules::rehearsal::{Caution, Warning};
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

/// Warnings that make a line a bad one to offer.
const BAD: [Caution; 11] = [
    Caution::MustAttack,
    Caution::Stack,
    Caution::Detour,
    Caution::Reach,
    Caution::Command,
    Caution::Center,
    Caution::Communications,
    Caution::Attrition,
    Caution::NoEffect,
    Caution::Objective,
    Caution::Enemy,
];

/// Whether a line would be taken as it stands, and nobody who knows what it leads to would warn of it.
pub fn sound(view: &View, line: &str) -> bool {
    let Ok(order) = orders::bind(Campaigns::verbs(), view, &orders::line(1, line)) else { return false };
    let Ok(tried) = Campaigns::rehearse(view, &order) else { return false };
    let bad = |warning: &Warning| BAD.contains(&warning.kind);
    let before = Campaigns::warnings(view, view, &[]);
    let after = Campaigns::warnings(view, &tried.after, &[order]);
    !tried.warnings.iter().any(bad) && !after.iter().any(|warning| bad(warning) && !before.contains(warning))
}

/// Enemy hexes whose attack the tables favour, and those that must be attacked.
fn fair(view: &View) -> Vec<Hex> {
    let field = Field::of(view);
    let duties = field.duties();
    let fair = |hex: &Hex| {
        let odds = forecast::odds(view, *hex, PLAYS);
        duties.contains(hex) || (!odds.is_empty() && odds.iter().all(|(_, found)| found.won > found.lost))
    };
    field.chances().into_iter().filter(fair).collect()
}

/// ¶143, 305 An attack by all that stand next to a hex, if one of them can lead them; else by whom the default names.
fn attack(view: &View, hex: Hex) -> String {
    let field = Field::of(view);
    let group: Vec<_> = field.forces().into_keys().filter(|leader| field.can(leader, hex)).collect();
    if designate::leader_of(&field, &group).is_none() {
        return format!("ATTACK {hex}");
    }
    let names: Vec<String> = group.iter().map(|leader| words::order_name(view, leader)).collect();
    format!("ATTACK {hex} WITH {}", names.join(", "))
}

/// Plays behind an offered attack.
const PLAYS: u32 = 200;

/// Lines that could be sent as they stand, and that a sensible player might send.
pub fn lines(view: &View) -> Vec<String> {
    let words = verbs(view);
    let mut found = Vec::new();
    for verb in words.iter().filter_map(|word| Campaigns::verbs().iter().find(|v| v.word == *word)) {
        let examples = match (verb.word, &view.at) {
            ("FORCE", _) => march::forces(view, OF_ONE_VERB),
            ("VEDETTE", At::Own(_)) => march::vedettes(view, OF_ONE_VERB),
            ("VEDETTE", At::Setup) => briefed(view).into_iter().chain((verb.examples)(view)).collect(),
            ("DEFEND", _) => defences(view),
            ("ATTACK", _) => fair(view).into_iter().map(|hex| attack(view, hex)).collect(),
            ("BATTLE", _) => {
                fair(view).iter().map(|hex| format!("BATTLE {hex} TYPE PITCHED ROUNDS 2 THEN PURSUIT")).collect()
            }
            _ => (verb.examples)(view),
        };
        // A reaction is mostly a plan of defence.
        let one = verb.word == "VEDETTE" || (verb.word == "FORCE" && matches!(view.at, At::Reaction(_)));
        let most = if one { 1 } else { OF_ONE_VERB };
        found.extend(examples.into_iter().filter(|line| sound(view, line)).take(most));
    }
    if !words.is_empty() {
        found.push("END".to_owned());
    }
    found
}

/// The lines of the set-up that the scenario's first orders build on.
fn briefed(view: &View) -> Vec<String> {
    view.side.as_ref().and_then(|side| view.board.briefings.get(side)).map(|b| b.setup.clone()).unwrap_or_default()
}

//! The open sheet: whether the reader is on move, and lines that he could send as they stand (¶49-68).

mod march;

use super::pen::Pen;
use crate::hex::Hex;
use crate::orders;
use crate::rules::Ruleset;
use crate::rules::campaigns::combat::battle::Marker;
use crate::rules::campaigns::combat::designate::{self, Field};
use crate::rules::campaigns::combat::{order as combat, types};
use crate::rules::campaigns::rehearse::{self, fight};
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;
use crate::rules::campaigns::{Campaigns, Order};
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

/// Whether the sheet that is open to the reader is one of battles.
pub fn fights(view: &View) -> bool {
    verbs(view).contains(&"ATTACK")
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
    // ¶329: no plan of Pitched where it is closed.
    let open = |hex: &&Hex| designate::defended(view, **hex).is_some_and(|b| types::barred(view, &b).is_none());
    let plan = |hex: &Hex| format!("DEFEND {hex} IF APPROX >= 30 TYPE PURSUIT ELSE TYPE PITCHED");
    threatened.filter(open).map(plan).collect()
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

/// A view by which lines are judged, and what is warned of before any is written.
pub struct Judged<'v> {
    view: &'v View,
    before: Vec<Warning>,
}

impl Judged<'_> {
    /// The view as it stands.
    pub fn of(view: &View) -> Judged<'_> {
        Judged { view, before: Campaigns::warnings(view, view, &[]) }
    }

    /// Whether a line would be taken as it stands, and nobody who knows what it leads to would warn of it.
    pub fn sound(&self, line: &str) -> bool {
        let view = self.view;
        let Ok(order) = orders::read(Campaigns::verbs(), view, &orders::line(1, line)) else { return false };
        let Ok(tried) = Campaigns::rehearse(view, &order) else { return false };
        let bad = |warning: &Warning| BAD.contains(&warning.kind);
        let after = Campaigns::warnings(view, &tried.after, &[order]);
        !tried.warnings.iter().any(bad) && !after.iter().any(|warning| bad(warning) && !self.before.contains(warning))
    }
}

/// Attacks by order that the battle itself favours, and those that must be made: who stands there is sooner beaten than
/// not, and drives the attacker back less than every other time.
fn fair(view: &View) -> Vec<(Hex, String)> {
    let field = Field::of(view);
    let duties = field.duties();
    let able = |hex: &Hex| field.forces().keys().any(|leader| field.can(leader, *hex));
    let worth = |(hex, line): &(Hex, String)| {
        if duties.contains(hex) {
            return true;
        }
        planned(view, line).is_some_and(|planned| fight::is_fair(&planned, *hex, PLAYS))
    };
    field.chances().into_iter().filter(able).map(|hex| (hex, attack(view, hex))).filter(worth).collect()
}

/// The view behind a line that plans a battle.
fn planned(view: &View, line: &str) -> Option<View> {
    let Ok(Order::Combat(order)) = orders::read(Campaigns::verbs(), view, &orders::line(1, line)) else { return None };
    let mut planned = view.clone();
    planned.own.plans.extend(combat::taken(view, &order));
    Some(planned)
}

/// ¶243, 327, 329 A battle plan behind the attack that it is for: the type that will be laid, and no other; and the same
/// where it is sent alone, and the attack is made by whom the default names.
fn battle(view: &View, hex: Hex, attack: &str) -> Option<String> {
    let attacked = planned(view, attack)?;
    let plan = combat::battle_line(&attacked, hex);
    let laid = |before: &View| {
        let odds = fight::odds(&planned(before, &plan)?, hex, 1);
        odds.iter().find_map(|found| found.marker)
    };
    let pursued = [&attacked, view].map(laid).contains(&Some(Marker::Pursuit));
    Some(if pursued { combat::pursuit_line("BATTLE", hex) } else { plan })
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
const PLAYS: u32 = 24;

/// Lines that could be sent as they stand, and that a sensible player might send.
pub fn lines(view: &View) -> Vec<String> {
    let words = verbs(view);
    let judged = Judged::of(view);
    let mut found = Vec::new();
    let attacks = if words.contains(&"ATTACK") { fair(view) } else { Vec::new() };
    for verb in words.iter().filter_map(|word| Campaigns::verbs().iter().find(|v| v.word == *word)) {
        let examples = match (verb.word, &view.at) {
            ("FORCE", _) => march::forces(&judged, OF_ONE_VERB),
            ("VEDETTE", At::Own(_)) => march::vedettes(&judged, OF_ONE_VERB),
            ("VEDETTE", At::Setup) => briefed(view).into_iter().chain((verb.examples)(view)).collect(),
            ("DEFEND", _) => defences(view),
            ("ATTACK", _) => attacks.iter().map(|(_, line)| line.clone()).collect(),
            ("BATTLE", _) => attacks.iter().filter_map(|(hex, line)| battle(view, *hex, line)).collect(),
            // ¶235: an attack and its refusal exclude each other.
            ("DECLINE", _) => (verb.examples)(view).into_iter().filter(|_| attacks.is_empty()).collect(),
            _ => (verb.examples)(view),
        };
        // A reaction is mostly a plan of defence.
        let one = verb.word == "VEDETTE" || (verb.word == "FORCE" && matches!(view.at, At::Reaction(_)));
        let most = if one { 1 } else { OF_ONE_VERB };
        // Battles are tried together, behind each other, and that is dear enough; marches were judged as they were found.
        let marches = verb.word == "FORCE" || (verb.word == "VEDETTE" && matches!(view.at, At::Own(_)));
        let tried = marches || matches!(verb.word, "ATTACK" | "BATTLE" | "DECLINE");
        found.extend(examples.into_iter().filter(|line| tried || judged.sound(line)).take(most));
    }
    let mut found = together(view, found);
    if !words.is_empty() {
        found.push("END".to_owned());
    }
    found
}

/// The lines that can be sent together: each is tried behind those above it.
fn together(view: &View, lines: Vec<String>) -> Vec<String> {
    let mut now = view.clone();
    let mut fits = |line: &String| {
        let Ok(order) = orders::read(Campaigns::verbs(), &now, &orders::line(1, line)) else { return false };
        match &order {
            Order::Combat(battle) if rehearse::foresee(&now, &order).is_ok() => {
                let plans = combat::taken(&now, battle);
                now.own.plans.extend(plans);
                true
            }
            Order::Combat(_) => false,
            order => match Campaigns::rehearse(&now, order) {
                Ok(found) => {
                    now = found.after;
                    true
                }
                Err(_) => false,
            },
        }
    };
    lines.into_iter().filter(|line| fits(line)).collect()
}

/// The lines of the set-up that the scenario's first orders build on.
fn briefed(view: &View) -> Vec<String> {
    view.side.as_ref().and_then(|side| view.board.briefings.get(side)).map(|b| b.setup.clone()).unwrap_or_default()
}

//! Sentences of I.a Administration (¶72-107).

use super::flow;
use super::{Link, Sentence, Tale};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::report::campaigns::pen::{Pen, arm_short};
use crate::rules::campaigns::admin::told::{Glimpse, Open, Own, Sighting};
use crate::rules::campaigns::pieces::Loc;
use crate::text::{and_list, plural};

/// Tells a sighting of this chapter.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    match told {
        Sighting::Open(told) => open(tale, told),
        Sighting::Own(told) => own(tale, told),
        Sighting::Partly(told) => glimpse(tale, told),
    }
}

/// What lies open.
fn open(tale: &mut Tale<'_, '_>, told: &Open) {
    let pen = tale.pen;
    match told {
        Open::Line { side, drawn, blocked } => {
            tale.whole(line(pen, side, drawn.as_ref(), *blocked), &["80", "85"]);
        }
        Open::Raided { side, hex } => {
            let whose = whose(pen, side);
            tale.whole(format!("{whose} magazine at {} is captured; its AP are lost", pen.at(*hex)), &["97"]);
        }
        Open::SourceKept { side } => {
            tale.whole(format!("{} supply source stays where it was", whose(pen, side)), &["103"]);
        }
        Open::CenterPlaced { side, hex } => {
            tale.whole(format!("{} center is at {}", whose(pen, side), pen.at(*hex)), &["106"]);
        }
    }
}

/// What is the reader's own.
fn own(tale: &mut Tale<'_, '_>, told: &Own) {
    let pen = tale.pen;
    match told {
        Own::ParisDrawn { from, unit } => {
            let says = format!("the Paris Garrison gave 1 SP of {} to {}", pen.unit(from, None), pen.unit(unit, None));
            tale.whole(says, &["127"]);
        }
        Own::Via { on } => {
            let way = if *on { "goes by the other army's center" } else { "goes by its own source" };
            tale.whole(format!("the army's line of communication {way}"), &["94"]);
        }
        Own::Income { army, dice, commander, points } => {
            let named = pen.v.side.as_ref().and_then(|side| pen.v.board.army(side, army.as_ref()));
            let whose = named.map_or_else(String::new, |army| format!("{}: ", pen.plain(&army.name)));
            let says = format!("{whose}{}", income(dice, *commander, *points));
            let rules: &[&'static str] = if *commander { &["96", "99"] } else { &["96"] };
            let chart = if dice.is_empty() { None } else { Some("ap_pool") };
            tale.sentence(&Sentence { subject: None, says, rules, chart, link: Link::Fresh, label: None });
        }
        Own::ApLost { points } => {
            tale.whole(format!("{} not spent, and lost", plural(*points, "AP", "AP")), &["96"]);
        }
        Own::Prize { hex, points } => {
            tale.whole(format!("{} yields {points} AP", pen.at(*hex)), &["96"]);
        }
        Own::SourceDie { die, modified, done } => {
            let what = if *done { "the change of source is complete" } else { "the change of source goes on" };
            let with =
                if i32::try_from(*die) == Ok(*modified) { String::new() } else { format!(", {modified} in all") };
            tale.whole(format!("die {die}{with}: {what}"), &["104"]);
        }
        Own::Points { nationality, points } => {
            let arms: Vec<String> =
                points.iter().map(|(arm, n)| format!("{} {n}", arm_short(*arm).to_ascii_lowercase())).collect();
            tale.whole(format!("replacements came, {nationality}: {}", and_list(&arms)), &["108"]);
        }
        Own::Forfeited { nationality, arm, points } => {
            let arm = arm_short(*arm).to_ascii_lowercase();
            tale.whole(format!("{points} {nationality} replacements ({arm}) were not used and are lost"), &["20"]);
        }
        Own::Flight { toward } => {
            let goal = toward.map_or_else(|| "your active source".to_owned(), |hex| pen.at(hex));
            tale.whole(format!("should your center have to flee, it goes toward {goal}"), &["182"]);
        }
    }
}

/// What each side sees otherwise.
fn glimpse(tale: &mut Tale<'_, '_>, told: &Glimpse) {
    let pen = tale.pen;
    match told {
        Glimpse::ParisBack { who, hex } => {
            tale.of(who, format!("returned to the garrison at {}", pen.at(*hex)), &["128"], Link::Fresh);
        }
        Glimpse::SourceFlipped { side, to, ap } => {
            let to = to.map_or_else(String::new, |h| format!(" to {}", pen.at(h)));
            tale.whole(format!("{} supply source is moving{to}{}", whose(pen, side), cost(*ap)), &["102"]);
        }
        Glimpse::SourcePlaced { side, hex, garrison, ap } => {
            let held = garrison.map_or_else(String::new, |sp| format!(", garrison {sp} SP"));
            let says = format!("{} supply source is at {}{held}{}", whose(pen, side), pen.at(*hex), cost(*ap));
            tale.whole(says, &["76"]);
        }
        Glimpse::CenterDisbanded { side, ap, returns } => {
            let back = returns.as_ref().map_or_else(String::new, |(turn, hexes)| back(pen, *turn, hexes));
            tale.whole(format!("{} center was disbanded{}{back}", whose(pen, side), cost(*ap)), &["106"]);
        }
        Glimpse::VedetteAway { who, hex } => {
            let says = format!("was out of dispatch distance and left the map from {}", pen.at(*hex));
            tale.of(who, says, &["87"], Link::Fresh);
        }
    }
}

/// `your` or `the French`, as a sentence begins.
pub fn whose(pen: &Pen<'_>, side: &SideId) -> String {
    if pen.mine(side) { "your".to_owned() } else { format!("the {}", pen.side(side)) }
}

fn cost(ap: Option<i32>) -> String {
    ap.filter(|n| *n > 0).map_or_else(String::new, |n| format!(" for {n} AP"))
}

/// Where and when a center comes back.
fn back(pen: &Pen<'_>, turn: u32, hexes: &[Hex]) -> String {
    let at: Vec<String> = hexes.iter().map(|h| pen.at(*h)).collect();
    if at.is_empty() {
        return format!("; it may return on turn {turn}");
    }
    format!("; it may return on turn {turn} at {}", flow::or_list(&at))
}

/// A line of communication as drawn: its ends, and its length.
fn line(pen: &Pen<'_>, side: &SideId, drawn: Option<&Loc>, blocked: bool) -> String {
    let whose = whose(pen, side);
    let Some(loc) = drawn else { return format!("{whose} center has no line of communication") };
    let ends = match (loc.path.first(), loc.path.last()) {
        (Some(a), Some(b)) if a != b => format!(" from {} to {}", pen.at(*a), pen.at(*b)),
        (Some(a), _) => return format!("{whose} center is on its supply source, {}", pen.at(*a)),
        (None, _) => String::new(),
    };
    let cut = if blocked { ", and is declared blocked" } else { "" };
    let (long, most) = (loc.effective.max(0), pen.v.board.policies.max_loc(side));
    format!("{whose} LOC{ends}: {long} of {most} hexes{cut}")
}

fn income(dice: &[u32], commander: bool, points: i32) -> String {
    let dice: Vec<String> = dice.iter().map(u32::to_string).collect();
    let by = if dice.is_empty() { String::new() } else { format!("dice {}", dice.join(", ")) };
    let star = if commander { "commander at the center" } else { "" };
    let notes: Vec<&str> = [by.as_str(), star].into_iter().filter(|note| !note.is_empty()).collect();
    match points {
        0 if dice.is_empty() => "no Administrative Points this turn".to_owned(),
        n if notes.is_empty() => format!("AP {n:+}"),
        n => format!("AP {n:+} ({})", notes.join("; ")),
    }
}

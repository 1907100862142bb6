//! Sentences of II and III.a Movement (¶147-297).

use super::admin::whose;
use super::flow::{bridge, own};
use super::{Link, Sentence, Tale};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::report::campaigns::pen::Pen;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::march::told::{
    Attrition, Bridging, CenterWhy, Closed, Ended, Glimpse, Open, Own, PlotEnd, Portion, Rolled, Sighting,
};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::redoubts::Redoubt;
use crate::rules::campaigns::sequence::TrestleJob;
use crate::text::{and_list, plural};
use std::collections::BTreeSet;

/// Tells a sighting of this chapter.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    match told {
        Sighting::Open(told) => open(tale, told),
        Sighting::Own(told) => ours(tale, told),
        Sighting::Partly(told) => glimpse(tale, told),
    }
}

/// What lies open.
fn open(tale: &mut Tale<'_, '_>, told: &Open) {
    let pen = tale.pen;
    match told {
        Open::Redoubt { side, hex, faces, left } => redoubt(tale, side, *hex, faces, *left),
        Open::RedoubtLost { side, hex } => {
            tale.whole(format!("{} redoubt at {} is levelled", whose(pen, side), pen.at(*hex)), &["295"]);
        }
        Open::Trestle { edge, job } => {
            tale.whole(format!("the {} {}", trestle_at(*edge), trestle(*job).1), &["61"]);
        }
        Open::TrainsCaptured { side, hex } => {
            let whose = if pen.mine(side) { "yours" } else { "the enemy's" };
            tale.whole(format!("the bridge train at {} is {whose}", pen.at(*hex)), &["258"]);
        }
        Open::Center { side, from, to, how } => center(tale, side, (*from, *to), *how),
        Open::CenterActive { side } => {
            tale.whole(format!("{} center is active again", whose(pen, side)), &["181"]);
        }
    }
}

/// What is the reader's own.
fn ours(tale: &mut Tale<'_, '_>, told: &Own) {
    let pen = tale.pen;
    match told {
        Own::Commanded { leader, ap, extended } => {
            let more = if extended.0 > 0 { format!(", Extended March of {extended} MP") } else { String::new() };
            tale.of(&own(leader), format!("has a Movement Command ({ap} AP{more})"), &["166"], Link::Fresh);
        }
        Own::Tried { leader, die, rating, rolled, forced } => {
            let what = if *forced { "Forced March" } else { "initiative" };
            let (got, rule) = allowed(*rolled);
            let rules: &[&'static str] = if *forced { &["297"] } else { &[rule] };
            tale.of(&own(leader), format!("{what} {die} v {rating}: {got}"), rules, Link::Fresh);
        }
        Own::Marched { piece, from, to, mp, ended } => {
            if from != to || *ended != Ended::Arrived {
                let (why, rules) = march_end(pen, piece, *ended);
                tale.spent(&Who::Own(piece.clone()), *mp, &why, rules);
            }
        }
        Own::Attrition { leader, roll } => attrition(tale, leader, roll),
        Own::Worn { steps } => {
            for (leader, n) in steps {
                let says = format!("{n} of five parts of an SP lost so far");
                tale.of(&own(leader), says, &["268"], Link::Same);
            }
        }
        Own::Mode { leader, forage } => {
            let mode = if *forage { "Forage" } else { "Concentrated" };
            tale.of(&own(leader), format!("entered {mode} Mode"), &["278"], Link::Same);
        }
        Own::ForageAssigned { leader, hexes } => {
            let hexes: Vec<String> = hexes.iter().map(|hex| pen.at(*hex)).collect();
            tale.of(&own(leader), format!("is to forage {} alone", and_list(&hexes)), &["287"], Link::Same);
        }
        Own::ForagedHere { leader, hex, part, found } => {
            let who = match part {
                Portion::Foot => "foot and guns",
                Portion::Cavalry => "its cavalry",
            };
            let says = format!("foraged at {}: {} for {who}", country(pen, *hex), found.name());
            tale.of(&own(leader), says, &["275", "277"], Link::Same);
        }
        Own::RedoubtOrdered { hex, faces } => {
            let what = if faces.is_some() { "to be begun" } else { "to be dug on" };
            tale.whole(format!("a redoubt at {} is {what} after movement", pen.at(*hex)), &["60", "295"]);
        }
        Own::RedoubtIdle { hex, why } => {
            let (why, rule) = why.words(&pen.v.board, *hex);
            tale.whole(format!("nobody digs at the redoubt of {}: {why}", pen.at(*hex)), &[rule]);
        }
        Own::Together { leader, parts } => {
            let names: Vec<String> = parts.iter().map(|l| pen.leader(l)).collect();
            tale.of(&own(leader), format!("leads {} beside him", and_list(&names)), &["225"], Link::Along);
        }
        Own::PlotEnded { leader, why } => {
            tale.of(&own(leader), plot_end(*why).to_owned(), &["188", "189"], Link::Same);
        }
        Own::Revictualled { leader, hex } => {
            tale.of(&own(leader), format!("resupplied {}", pen.at(*hex)), &["290"], Link::Same);
        }
        Own::Floor { ap } => {
            tale.whole(format!("commands leave at least {} from now on", plural(*ap, "AP", "AP")), &["171"]);
        }
    }
}

/// What each side sees otherwise.
fn glimpse(tale: &mut Tale<'_, '_>, told: &Glimpse) {
    let pen = tale.pen;
    match told {
        Glimpse::Patrol { who, hex } => {
            let says = match who {
                Who::Own(_) => format!("was taken for a vedette at {hex}"),
                Who::Foe(_) => format!("is revealed at {hex}: a vedette"),
            };
            tale.of(who, says, &["231"], Link::Along);
            tale.note_shown(who);
        }
        Glimpse::Foraged { leader, tenths } => {
            let value = format!("{}.{}", tenths / 10, tenths % 10);
            tale.of(&own(leader), format!("foraged, value {value}"), &["274"], Link::Same);
        }
        Glimpse::Repulse { who, hex, on, sp, ok, own } => repulse(tale, who, (*hex, on), *sp, *ok, *own),
        Glimpse::Fixed { hex, contact, die, modifier, with, own } => {
            let met =
                format!("{} at {}, met from {hex}", if *own { "your force" } else { "the enemy" }, pen.at(*contact));
            fixed(tale, &met, (*die, *modifier), *with);
        }
        Glimpse::Unemployed { who } => {
            tale.of(who, "is an Unemployed Leader".to_owned(), &["40"], Link::Fresh);
        }
        Glimpse::Dropped { who, hex, from } => {
            let by = from.as_ref().map_or_else(String::new, |l| format!(" by {}", pen.leader(l)));
            tale.of(who, format!("was left at {}{by}", pen.at(*hex)), &["141"], Link::Along);
        }
        Glimpse::Joined { who, hex, into } => {
            let with = into.as_ref().map_or_else(|| "another counter".to_owned(), |l| pen.leader(l));
            tale.of(who, format!("consolidated with {with} at {}", pen.at(*hex)), &["294"], Link::Same);
        }
        Glimpse::BridgeWork { edge, repair, by, mp } => {
            let what = format!("{} the {}", if *repair { "repair" } else { "damage" }, bridge(*edge));
            begun(tale, by.as_ref(), &what, *mp, &["251"]);
        }
        Glimpse::TrestleWork { edge, job, by, mp } => {
            let what = format!("{} the {}", trestle(*job).0, trestle_at(*edge));
            begun(tale, by.as_ref(), &what, *mp, &["61", "251"]);
        }
        Glimpse::Plotted { leader, to } => {
            tale.of(&own(leader), format!("is on an Administrative March to {}", pen.at(*to)), &["187"], Link::Along);
        }
        Glimpse::TrainLeft { who, hex } => {
            tale.of(who, format!("dropped a bridge train at {}", pen.at(*hex)), &["258", "260"], Link::Same);
        }
        Glimpse::TrainTaken { who, hex, mp } => {
            tale.of(who, format!("took along the bridge train at {}{}", pen.at(*hex), took(*mp)), &["260"], Link::Same);
        }
        Glimpse::Pontoon { who, edge, what, mp } => pontoon(tale, who, *edge, *what, *mp),
        Glimpse::OffMap { leader, turn, to } => {
            let at = to.map_or_else(String::new, |hex| format!(" at {}", pen.at(hex)));
            let says = format!("marches off the map; may come back{at} from turn {turn} on");
            tale.of(&own(leader), says, &["219", "220"], Link::Along);
        }
        Glimpse::OffMapBack { leader, exit, turn } => turned_back(tale, leader.as_ref(), *exit, *turn),
    }
}

/// How an Administrative March ended.
fn plot_end(why: PlotEnd) -> &'static str {
    match why {
        PlotEnd::Arrived => "ended his Administrative March at its destination",
        PlotEnd::Watched => "ended his Administrative March: an enemy counter is too near",
        PlotEnd::Over => "ended his Administrative March short of its destination",
    }
}

/// What a work took, for its owner.
fn took(mp: Option<Halves>) -> String {
    mp.map_or_else(String::new, |mp| format!(" for {mp} MP"))
}

/// Work with a pontoon.
fn pontoon(tale: &mut Tale<'_, '_>, who: &Who, edge: Hexside, what: Bridging, mp: Option<Halves>) {
    let (a, b) = edge.hexes();
    let (verb, rule): (_, &'static str) = match what {
        Bridging::Deployed => ("laid a pontoon", "259"),
        Bridging::Removed => ("took up the pontoon", "259"),
        Bridging::Captured => ("captured the pontoon", "258"),
    };
    tale.of(who, format!("{verb} at {a}/{b}{}", took(mp)), &[rule], Link::Same);
}

/// Work on a bridge or trestle that is announced.
fn begun(tale: &mut Tale<'_, '_>, by: Option<&LeaderId>, what: &str, mp: Option<Halves>, rules: &[&'static str]) {
    match by {
        Some(id) => tale.of(&own(id), format!("began to {what}{}", took(mp)), rules, Link::Same),
        None => tale.whole(format!("the enemy began to {what}"), rules),
    }
}

/// A redoubt that is begun, dug on or finished.
fn redoubt(tale: &mut Tale<'_, '_>, side: &SideId, hex: Hex, faces: &BTreeSet<Hexside>, left: u32) {
    let pen = tale.pen;
    let front: Vec<String> = Redoubt { faces: faces.clone(), left }.front(hex).iter().map(Hex::to_string).collect();
    let state = match left {
        0 => "is finished".to_owned(),
        left => format!("takes {} more", plural(left, "turn", "turns")),
    };
    let place = format!("{} toward {}", pen.at(hex), and_list(&front));
    tale.whole(format!("{} redoubt at {place} {state}", whose(pen, side)), &["295"]);
}

/// A trestle as orders name it: `trestle 0950/1049`.
fn trestle_at(edge: Hexside) -> String {
    bridge(edge).replace("bridge", "trestle")
}

/// Work on a trestle, and what has come of it.
fn trestle(job: TrestleJob) -> (&'static str, &'static str) {
    match job {
        TrestleJob::Build => ("build", "stands"),
        TrestleJob::Repair => ("repair", "is repaired"),
        TrestleJob::Damage => ("damage", "is damaged"),
        TrestleJob::Destroy => ("remove", "is removed"),
    }
}

/// What a repulse on some hexes came to.
fn repulse(tale: &mut Tale<'_, '_>, who: &Who, at: (Hex, &[Hex]), sp: Option<i32>, ok: bool, own: bool) {
    let on: Vec<String> = at.1.iter().map(Hex::to_string).collect();
    // What the enemy named was told as his strength.
    let with = sp.filter(|_| own).map_or_else(String::new, |sp| format!(" with {sp} SP"));
    let came = match (ok, own) {
        (true, _) => "successful",
        (false, true) => "failed, odds too low",
        (false, false) => "failed",
    };
    let says = format!("declared a repulse at {} on {}{with}: {came}", at.0, and_list(&on));
    tale.of(who, says, &["241", "242"], Link::Along);
}

/// What an initiative roll gave, and its rule.
fn allowed(rolled: Rolled) -> (&'static str, &'static str) {
    match rolled {
        Rolled::Full => ("full MP", "192"),
        Rolled::Less => ("1 MP less", "192"),
        Rolled::One => ("1 MP", "193"),
        Rolled::Nothing => ("no move", "194"),
    }
}

/// Why an own march ended where it did, and its rules; nothing at the end of its path.
fn march_end(pen: &Pen<'_>, piece: &Piece, ended: Ended) -> (String, &'static [&'static str]) {
    let he = if matches!(piece, Piece::Leader(_)) { "he" } else { "it" };
    match ended {
        Ended::Arrived => (String::new(), &[]),
        Ended::Spent { next } => (format!("; not enough MP for {}", pen.at(next)), &["202"]),
        Ended::Zone => ("; stopped by an enemy ZOC".to_owned(), &["236"]),
        Ended::Ordered => (format!("; {he} stopped as ordered"), &[]),
        Ended::Watched => ("; an enemy counter came too near".to_owned(), &["188"]),
        Ended::RepulseFailed => (format!("; {he} must attack"), &["243"]),
        Ended::Blocked { next, by } => {
            let (reason, rules) = closed(by);
            (format!("; {} was prohibited: {reason}", pen.at(next)), rules)
        }
    }
}

/// What closed a way, and its rule.
fn closed(by: Closed) -> (&'static str, &'static [&'static str]) {
    match by {
        Closed::Enemy => ("an enemy counter stands there", &["223"]),
        Closed::Zones => ("EZOC to EZOC", &["238"]),
        Closed::Forced => ("an enemy ZOC, in a Forced March", &["297"]),
        Closed::Siege => ("a siege", &["217"]),
        Closed::Pontoon => ("another force has crossed that pontoon", &["214"]),
        Closed::Ground => ("ground or river that cannot be passed", &["214"]),
    }
}

/// A hex and the crop of its region.
fn country(pen: &Pen<'_>, hex: Hex) -> String {
    match pen.v.board.map.crops.get(&hex) {
        Some(crop) => format!("{} ({})", pen.at(hex), crop.name()),
        None => pen.at(hex),
    }
}

/// Attrition of an own force.
fn attrition(tale: &mut Tale<'_, '_>, leader: &LeaderId, roll: &Attrition) {
    // Who lost nothing is counted at the end; WHY and DICE have his roll.
    if roll.loss == 0 {
        tale.unhurt += u32::from(roll.march != Halves(0));
        return;
    }
    let label = tale.pen.v.board.tables.attrition.label(roll.column);
    let die = match roll.modifier {
        0 => format!("die {}", roll.die),
        n => format!("die {} {n:+} = {}", roll.die, roll.die + n),
    };
    let lost = format!("lost {} SP", roll.loss);
    let still = if roll.march == Halves(0) { " (did not move)" } else { "" };
    let whose = match roll.part {
        Some(Portion::Foot) => " in foot and guns",
        Some(Portion::Cavalry) => " in cavalry",
        None => "",
    };
    let says = format!("{lost}{whose} by attrition{still} ({} SP, column {label}, {die})", roll.sp);
    let who = own(leader);
    let (rules, chart) = (&["264"], Some("march_attrition"));
    tale.sentence(&Sentence { subject: Some(&who), says, rules, chart, link: Link::Same, label: None });
}

/// Whether a force that was met was where it seemed to be.
fn fixed(tale: &mut Tale<'_, '_>, met: &str, (die, modifier): (i32, i32), with: Option<Hex>) {
    let added = if modifier == 0 { String::new() } else { format!(" with {modifier:+}") };
    let proved = match with {
        Some(from) => format!("was exchanged with one from {}", tale.pen.at(from)),
        None => "is confirmed".to_owned(),
    };
    tale.whole(format!("{met}, {proved} (die {die}{added})"), &["Solitaire 3"]);
}

/// A center changed its hex.
fn center(tale: &mut Tale<'_, '_>, side: &SideId, (from, to): (Hex, Option<Hex>), how: CenterWhy) {
    let pen = tale.pen;
    let (verb, rules): (_, &[&'static str]) = match how {
        CenterWhy::March => ("moved", &["176"]),
        CenterWhy::River => ("moved down the river", &["179"]),
        CenterWhy::Flight => ("fled", &["182"]),
    };
    let to = to.map_or_else(|| "off the map".to_owned(), |h| format!("to {}", pen.at(h)));
    tale.whole(format!("{} center {verb} from {} {to}", whose(pen, side), pen.at(from)), rules);
}

/// ¶221 A force off the map turns back.
fn turned_back(tale: &mut Tale<'_, '_>, leader: Option<&LeaderId>, exit: Hex, turn: Option<u32>) {
    let exit = tale.pen.at(exit);
    match (leader, turn) {
        (Some(leader), Some(turn)) => {
            let says = format!("turns back, and comes to {exit} on turn {turn}");
            tale.of(&own(leader), says, &["221"], Link::Fresh);
        }
        _ => tale.whole(format!("an enemy force off the map turns back to {exit}"), &["221"]),
    }
}

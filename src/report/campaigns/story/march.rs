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
    Attrition, Bridging, CenterWhy, Closed, Ended, PlotEnd, Portion, Rolled, Sighting,
};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::redoubts::Redoubt;
use crate::rules::campaigns::sequence::TrestleJob;
use crate::text::{and_list, plural};
use std::collections::BTreeSet;

/// Tells a sighting of this chapter.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let pen = tale.pen;
    match told {
        Sighting::Commanded { leader, ap, extended } => {
            let more = if extended.0 > 0 { format!(", Extended March of {extended} MP") } else { String::new() };
            tale.of(&own(leader), format!("has a Movement Command ({ap} AP{more})"), &["166"], Link::Fresh);
        }
        Sighting::Tried { leader, die, rating, rolled, forced } => {
            let what = if *forced { "Forced March" } else { "initiative" };
            let (got, rule) = allowed(*rolled);
            let rules: &[&'static str] = if *forced { &["297"] } else { &[rule] };
            tale.of(&own(leader), format!("{what} {die} v {rating}: {got}"), rules, Link::Fresh);
        }
        Sighting::Marched { piece, from, to, mp, ended } => {
            if from != to || *ended != Ended::Arrived {
                let (why, rules) = march_end(pen, piece, *ended);
                tale.spent(&Who::Own(piece.clone()), *mp, &why, rules);
            }
        }
        Sighting::Attrition { leader, roll } => attrition(tale, leader, roll),
        Sighting::Worn { steps } => {
            for (leader, n) in steps {
                let says = format!("{n} of five parts of an SP lost so far");
                tale.of(&own(leader), says, &["268"], Link::Same);
            }
        }
        Sighting::Patrol { who, hex } => {
            let says = match who {
                Who::Own(_) => format!("was taken for a vedette at {hex}"),
                Who::Foe(_) => format!("is revealed at {hex}: a vedette"),
            };
            tale.of(who, says, &["231"], Link::Along);
            tale.note_shown(who);
        }
        Sighting::Mode { leader, forage } => {
            let mode = if *forage { "Forage" } else { "Concentrated" };
            tale.of(&own(leader), format!("entered {mode} Mode"), &["278"], Link::Same);
        }
        Sighting::Foraged { .. } | Sighting::ForagedHere { .. } | Sighting::ForageAssigned { .. } => {
            foraged(tale, told)
        }
        Sighting::Repulse { who, hex, on, sp, ok, own } => repulse(tale, who, (*hex, on), *sp, *ok, *own),
        Sighting::Fixed { .. } => fixed(tale, told),
        Sighting::OffMap { .. } | Sighting::OffMapBack { .. } => off_map(tale, told),
        Sighting::Unemployed { who } => {
            tale.of(who, "is an Unemployed Leader".to_owned(), &["40"], Link::Fresh);
        }
        Sighting::Dropped { who, hex, from } => {
            let by = from.as_ref().map_or_else(String::new, |l| format!(" by {}", pen.leader(l)));
            tale.of(who, format!("was left at {}{by}", pen.at(*hex)), &["141"], Link::Along);
        }
        Sighting::Joined { who, hex, into } => {
            let with = into.as_ref().map_or_else(|| "another counter".to_owned(), |l| pen.leader(l));
            tale.of(who, format!("consolidated with {with} at {}", pen.at(*hex)), &["294"], Link::Same);
        }
        Sighting::BridgeWork { edge, repair, by, mp } => {
            let what = format!("to {} the {}", if *repair { "repair" } else { "damage" }, bridge(*edge));
            let took = mp.map_or_else(String::new, |mp| format!(" for {mp} MP"));
            match by {
                Some(id) => tale.of(&own(id), format!("began {what}{took}"), &["251"], Link::Same),
                None => tale.whole(format!("the enemy began {what}"), &["251"]),
            }
        }
        Sighting::TrestleWork { .. } | Sighting::Trestle { .. } => trestles(tale, told),
        Sighting::RedoubtOrdered { .. }
        | Sighting::Redoubt { .. }
        | Sighting::RedoubtIdle { .. }
        | Sighting::RedoubtLost { .. } => redoubts(tale, told),
        Sighting::Together { leader, parts } => {
            let names: Vec<String> = parts.iter().map(|l| pen.leader(l)).collect();
            tale.of(&own(leader), format!("leads {} beside him", and_list(&names)), &["225"], Link::Along);
        }
        Sighting::Plotted { leader, to } => {
            tale.of(&own(leader), format!("is on an Administrative March to {}", pen.at(*to)), &["187"], Link::Along);
        }
        Sighting::PlotEnded { leader, why } => {
            tale.of(&own(leader), plot_end(*why).to_owned(), &["188", "189"], Link::Same);
        }
        Sighting::TrainLeft { who, hex } => {
            tale.of(who, format!("dropped a bridge train at {}", pen.at(*hex)), &["258", "260"], Link::Same);
        }
        Sighting::TrainTaken { who, hex, mp } => {
            tale.of(who, format!("took along the bridge train at {}{}", pen.at(*hex), took(*mp)), &["260"], Link::Same);
        }
        Sighting::TrainsCaptured { side, hex } => {
            let whose = if pen.mine(side) { "yours" } else { "the enemy's" };
            tale.whole(format!("the bridge train at {} is {whose}", pen.at(*hex)), &["258"]);
        }
        Sighting::Pontoon { who, edge, what, mp } => pontoon(tale, who, *edge, *what, *mp),
        Sighting::Revictualled { leader, hex } => {
            tale.of(&own(leader), format!("resupplied {}", pen.at(*hex)), &["290"], Link::Same);
        }
        Sighting::Center { side, from, to, how } => center(tale, side, (*from, *to), *how),
        Sighting::CenterActive { side } => {
            tale.whole(format!("{} center is active again", whose(pen, side)), &["181"]);
        }
        Sighting::Floor { ap } => {
            tale.whole(format!("commands leave at least {} from now on", plural(*ap, "AP", "AP")), &["171"]);
        }
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

/// Work on trestles, announced and done.
fn trestles(tale: &mut Tale<'_, '_>, told: &Sighting) {
    match told {
        Sighting::TrestleWork { edge, job, by, mp } => {
            let (what, took) = (format!("{} the {}", trestle(*job).0, trestle_at(*edge)), took(*mp));
            match by {
                Some(id) => tale.of(&own(id), format!("began to {what}{took}"), &["61", "251"], Link::Same),
                None => tale.whole(format!("the enemy began to {what}"), &["61", "251"]),
            }
        }
        Sighting::Trestle { edge, job } => {
            tale.whole(format!("the {} {}", trestle_at(*edge), trestle(*job).1), &["61"]);
        }
        _ => {}
    }
}

/// Who foraged what, and who is to.
fn foraged(tale: &mut Tale<'_, '_>, told: &Sighting) {
    match told {
        Sighting::Foraged { leader, tenths } => {
            let value = format!("{}.{}", tenths / 10, tenths % 10);
            tale.of(&own(leader), format!("foraged, value {value}"), &["274"], Link::Same);
        }
        Sighting::ForageAssigned { leader, hexes } => {
            let hexes: Vec<String> = hexes.iter().map(|hex| tale.pen.at(*hex)).collect();
            tale.of(&own(leader), format!("is to forage {} alone", and_list(&hexes)), &["287"], Link::Same);
        }
        Sighting::ForagedHere { leader, hex, part, found } => {
            let who = match part {
                Portion::Foot => "foot and guns",
                Portion::Cavalry => "its cavalry",
            };
            let says = format!("foraged at {}: {} for {who}", country(tale.pen, *hex), found.name());
            tale.of(&own(leader), says, &["275", "277"], Link::Same);
        }
        _ => {}
    }
}

/// Redoubts ordered, dug and levelled.
fn redoubts(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let pen = tale.pen;
    match told {
        Sighting::RedoubtOrdered { hex, faces } => {
            let what = if faces.is_some() { "to be begun" } else { "to be dug on" };
            tale.whole(format!("a redoubt at {} is {what} after movement", pen.at(*hex)), &["60", "295"]);
        }
        Sighting::Redoubt { side, hex, faces, left } => redoubt(tale, side, *hex, faces, *left),
        Sighting::RedoubtIdle { hex, why } => {
            let (why, rule) = why.words(&pen.v.board, *hex);
            tale.whole(format!("nobody digs at the redoubt of {}: {why}", pen.at(*hex)), &[rule]);
        }
        Sighting::RedoubtLost { side, hex } => {
            tale.whole(format!("{} redoubt at {} is levelled", whose(pen, side), pen.at(*hex)), &["295"]);
        }
        _ => {}
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

/// Whether a force was where it seemed to be.
fn fixed(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let Sighting::Fixed { hex, contact, die, modifier, with, own } = told else { return };
    let pen = tale.pen;
    let whose = if *own { "your force" } else { "the enemy" };
    let added = if *modifier == 0 { String::new() } else { format!(" with {modifier:+}") };
    let proved = match with {
        Some(from) => format!("was exchanged with one from {}", pen.at(*from)),
        None => "is confirmed".to_owned(),
    };
    let said = format!("{whose} at {}, met from {hex}, {proved} (die {die}{added})", pen.at(*contact));
    tale.whole(said, &["Solitaire 3"]);
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

/// ¶219-221 Marches off the map.
fn off_map(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let pen = tale.pen;
    match told {
        Sighting::OffMap { leader, turn, to } => {
            let at = to.map_or_else(String::new, |hex| format!(" at {}", pen.at(hex)));
            let says = format!("marches off the map; may come back{at} from turn {turn} on");
            tale.of(&own(leader), says, &["219", "220"], Link::Along);
        }
        Sighting::OffMapBack { leader: Some(leader), exit, turn: Some(turn) } => {
            let says = format!("turns back, and comes to {} on turn {turn}", pen.at(*exit));
            tale.of(&own(leader), says, &["221"], Link::Fresh);
        }
        Sighting::OffMapBack { exit, .. } => {
            tale.whole(format!("an enemy force off the map turns back to {}", pen.at(*exit)), &["221"]);
        }
        _ => {}
    }
}

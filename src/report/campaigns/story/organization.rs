//! Sentences of I.b Organization and II.a Reinforcements (¶108-146, 154-163).

use super::{Link, List, Tale, flow};
use crate::report::campaigns::pen::Pen;
use crate::rules::campaigns::organization::told::{Glimpse, Own, Sighting};
use crate::text::and_list;

/// Tells a sighting of this chapter.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    match told {
        Sighting::Open(never) => match *never {},
        Sighting::Own(told) => own(tale, told),
        Sighting::Partly(told) => glimpse(tale, told),
    }
}

/// What is the reader's own.
fn own(tale: &mut Tale<'_, '_>, told: &Own) {
    let pen = tale.pen;
    let unit = |id| pen.unit(id, None);
    match told {
        Own::Assigned { unit: id, leader } => {
            tale.whole(format!("{} is assigned to {}", unit(id), pen.leader(leader)), &["129"]);
        }
        Own::Dissolved { regiment, into, sp } => {
            tale.whole(format!("{} went into {}, {sp} SP", unit(regiment), unit(into)), &["117"]);
        }
        Own::VedetteKept { n } => {
            tale.whole(format!("v{n} returned to the pool, without a leader to return with"), &["368"]);
        }
        Own::Allotted { leader, army } => {
            let spec = pen.v.side.as_ref().and_then(|side| pen.v.board.army(side, Some(army)));
            let name = spec.map_or_else(|| army.0.clone(), |army| pen.plain(&army.name));
            tale.of(&flow::own(leader), format!("was given to the {name}"), &["155"], Link::Fresh);
        }
        Own::Delayed { leader } => tale.of(&flow::own(leader), "was held back".to_owned(), &["161"], Link::Fresh),
    }
}

/// What each side sees otherwise.
fn glimpse(tale: &mut Tale<'_, '_>, told: &Glimpse) {
    let pen = tale.pen;
    let unit = |id| pen.unit(id, None);
    match told {
        Glimpse::Appeared { who, hex, face } => {
            tale.place(List::Came, who, *hex, face.as_ref().map(|(_, ident)| ident));
        }
        Glimpse::Vanished { who, hex } => tale.place(List::Left, who, *hex, None),
        Glimpse::Replaced { unit: id, sp } => {
            tale.whole(format!("{} received {sp} SP and stands still this turn", unit(id)), &["114"]);
        }
        Glimpse::Shifted { from, to, sp, removed } => {
            let gone = if *removed { format!("; {} is removed", unit(from)) } else { String::new() };
            tale.whole(format!("{sp} SP went from {} to {}{gone}", unit(from), unit(to)), &["133"]);
        }
        Glimpse::Detached { leader, hex } => {
            tale.of(&flow::own(leader), format!("is detached at {}", pen.at(*hex)), &["140"], Link::Fresh);
        }
        Glimpse::Attached { leader, to } => {
            tale.of(&flow::own(leader), format!("is attached to {}", pen.leader(to)), &["37"], Link::Fresh);
        }
        Glimpse::Raised { leader, hex, under } => {
            let under = under.as_ref().map_or_else(String::new, |l| format!(" under {}", pen.leader(l)));
            tale.of(&flow::own(leader), format!("was raised at {}{under}", pen.at(*hex)), &["120"], Link::Fresh);
        }
        Glimpse::Honoured { leader, dice, from } => {
            tale.of(&flow::own(leader), honours(pen, *dice, *from), &["414"], Link::Fresh);
        }
        Glimpse::Retired { leader } => tale.of(&flow::own(leader), "retired".to_owned(), &["121"], Link::Fresh),
        Glimpse::Garrisoned { garrison: _, hex, from, removed } => {
            let gone = if *removed { ", all that was left of it" } else { "" };
            tale.whole(format!("{} left a garrison in {}{gone}", unit(from), pen.at(*hex)), &["130"]);
        }
        Glimpse::Absorbed { garrison, into } => {
            tale.whole(format!("{} was absorbed into {}", unit(garrison), unit(into)), &["131"]);
        }
        Glimpse::Converted { garrison, regiment, leader } => {
            let what = format!("{} became {} under {}", unit(garrison), unit(regiment), pen.leader(leader));
            tale.whole(what, &["131"]);
        }
        Glimpse::Drawn { regiment, leader, sp } => {
            let what = format!("{} was raised with {sp} SP of the pool, under {}", unit(regiment), pen.leader(leader));
            tale.whole(what, &["115"]);
        }
        Glimpse::Formed { regiment, leader, from, sp, removed } => {
            let gone = if *removed { format!("; {} is removed", unit(from)) } else { String::new() };
            let what =
                format!("{sp} SP of {} formed {}, under {}{gone}", unit(from), unit(regiment), pen.leader(leader));
            tale.whole(what, &["116"]);
        }
        Glimpse::Entered { leader, hex, units } => {
            let came: Vec<String> =
                units.iter().map(|(id, sp)| format!("{} {sp}", pen.unit(id, Some(leader)))).collect();
            let with = if came.is_empty() { String::new() } else { format!(" with {}", and_list(&came)) };
            tale.of(&flow::own(leader), format!("entered at {}{with}", pen.at(*hex)), &["154"], Link::Fresh);
        }
        Glimpse::Reentered { leader, hex } => {
            tale.of(&flow::own(leader), format!("re-entered the map at {}", pen.at(*hex)), &["376"], Link::Fresh);
        }
        Glimpse::Returned { leader, hex } => {
            tale.of(&flow::own(leader), format!("is back, at {}", pen.at(*hex)), &["43"], Link::Fresh);
        }
    }
}

/// ¶414 A leader left with the honours of war, and when he is free again.
fn honours(pen: &Pen<'_>, (a, b): (u32, u32), from: Option<u32>) -> String {
    let month = from.and_then(|turn| pen.v.board.special.months.get(&turn)).map(|name| pen.plain(name));
    let free = match (from, month) {
        (Some(from), Some(month)) if from > pen.v.turn => format!("free in {month}, from turn {from} on"),
        (Some(_), _) => "free at once".to_owned(),
        (None, _) => "not free again in this campaign".to_owned(),
    };
    format!("left with the honours of war; dice {a} and {b}: {free}")
}

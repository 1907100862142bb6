//! Sentences of III.b Combat (¶298-410).

use super::flow::own;
use super::{Link, Sentence, Tale};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::report::campaigns::pen::Pen;
use crate::rules::campaigns::combat::battle::{Ended, Marker};
use crate::rules::campaigns::combat::field::Factor;
use crate::rules::campaigns::combat::told::{Shift, Sighting};
use crate::rules::campaigns::flow::told::Cause;
use crate::text::{and_list, plural};

/// Tells a sighting of this chapter.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    match told {
        Sighting::Designated { .. }
        | Sighting::Round { .. }
        | Sighting::Fight { .. }
        | Sighting::Met { .. }
        | Sighting::Stated { .. }
        | Sighting::Reserved { .. }
        | Sighting::Committed { .. }
        | Sighting::Marked { .. }
        | Sighting::Joined { .. }
        | Sighting::Guns { .. }
        | Sighting::Control { .. } => before(tale, told),
        Sighting::OwnFire { .. }
        | Sighting::FoeFire { .. }
        | Sighting::Odds { .. }
        | Sighting::Staked { .. }
        | Sighting::Result { .. }
        | Sighting::Refused { .. }
        | Sighting::Showed { .. }
        | Sighting::Overridden { .. }
        | Sighting::Took { .. } => fighting(tale, told),
        Sighting::Retreated { .. }
        | Sighting::Pursued { .. }
        | Sighting::Destroyed { .. }
        | Sighting::Escape { .. }
        | Sighting::Detached { .. }
        | Sighting::GunsLeft { .. }
        | Sighting::Critical { .. }
        | Sighting::Morale { .. }
        | Sighting::Siege { .. }
        | Sighting::Surrendered { .. }
        | Sighting::SourceLost { .. }
        | Sighting::Ended { .. } => after(tale, told),
    }
}

/// Who a side is to the reader.
fn side(pen: &Pen<'_>, side: &SideId) -> String {
    if pen.v.side.as_ref() == Some(side) {
        "you".to_owned()
    } else {
        pen.v.board.side(side).map_or_else(|| side.0.clone(), |s| format!("the {}", s.name))
    }
}

fn hexes(path: &[Hex]) -> String {
    path.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Where a battle of this turn is fought.
fn place(pen: &Pen<'_>, no: u32) -> String {
    let battle = pen.v.battles.iter().find(|b| b.no == no);
    battle.map_or_else(|| format!("battle {no}"), |b| pen.at(b.name()))
}

fn marker(m: Marker) -> &'static str {
    match m {
        Marker::Pursuit => "Pursuit",
        Marker::Pitched => "Pitched",
        Marker::Refuse => "Refuse",
        Marker::Rearguard => "Rearguard",
    }
}

/// What comes before the first die.
fn before(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let pen = tale.pen;
    let units = |list: &[_]| and_list(&list.iter().map(|u| pen.unit(u, None)).collect::<Vec<_>>());
    match told {
        Sighting::Designated { battles, by } if battles.is_empty() => {
            tale.whole(format!("{} attack nowhere", side(pen, by)), &["302"]);
        }
        Sighting::Designated { battles, by } => {
            let all: Vec<String> =
                battles.iter().map(|(_, into, from)| format!("{} from {}", hexes(into), hexes(from))).collect();
            tale.whole(format!("{} attack {}", side(pen, by), and_list(&all)), &["302"]);
        }
        Sighting::Round { .. } => tale.close(),
        Sighting::Fight { hex, round, .. } => {
            tale.close();
            tale.whole(format!("battle at {}, round {round}", pen.at(*hex)), &[]);
        }
        Sighting::Met { attack, defend, .. } => {
            let all = |list: &[_]| and_list(&list.iter().map(|w| pen.who(w)).collect::<Vec<_>>());
            tale.whole(format!("{} met {}", all(attack), all(defend)), &["300"]);
        }
        Sighting::Stated { attack, defend, .. } => {
            tale.and(
                format!("stated to the nearest ten: the attacker {attack}, the defender {defend}"),
                &["300"],
                None,
            );
        }
        Sighting::Reserved { no, units: list } => {
            tale.whole(format!("your reserve at {}: {}", place(pen, *no), units(list)), &["317"]);
        }
        Sighting::Committed { no, units: list } => {
            tale.whole(format!("out of reserve at {}: {}", place(pen, *no), units(list)), &["322"]);
        }
        Sighting::Marked { no, marker: m } => {
            tale.whole(format!("your battle type at {}: {}", place(pen, *no), marker(*m)), &["298"]);
        }
        Sighting::Joined { no, who } => {
            let says = format!("joined the battle at {}", place(pen, *no));
            tale.of(who, says, &["302"], Link::Fresh);
        }
        Sighting::Guns { leader, to, die, marches } => {
            let how = if *marches { "marches" } else { "does not hear them" };
            tale.of(&own(leader), format!("{how} to the guns of {}: {die}", pen.at(*to)), &["339"], Link::Fresh);
        }
        Sighting::Control { side: who, die, modified, .. } => {
            let says = format!("{} rolled {die}, in all {modified}, for control", side(pen, who));
            tale.and(says, &["409"], None);
        }
        _ => {}
    }
}

/// The dice.
fn fighting(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let pen = tale.pen;
    match told {
        Sighting::OwnFire { guns, die, modified, hits, .. } => {
            let says = format!("your guns, {guns} SP, die {die}, in all {modified}: he lost {hits} SP");
            tale.and(says, &["347"], Some("artillery_fire"));
        }
        Sighting::FoeFire { die, hits, .. } => {
            tale.and(format!("his guns, die {die}: you lost {hits} SP"), &["347"], Some("artillery_fire"));
        }
        Sighting::Odds { counter, by, attack, defend, odds, shift, affecting, factor, .. } => {
            let what = if *counter { "counterattacked" } else { "attacked" };
            let line = if *affecting { "affecting terrain" } else { "clear" };
            let moved = if *shift == 0 { String::new() } else { format!(", shifted {shift:+}") };
            let ground = match factor {
                Factor::None => "",
                Factor::Woods => ", woods",
                Factor::Swamp => ", swamp",
                Factor::Fortification => ", fortification",
            };
            let says =
                format!("{} {what} with {attack} against {defend}: {odds}, {line}{ground}{moved}", side(pen, by));
            tale.and(says, &["350"], None);
        }
        Sighting::Staked { .. } => tale.and("the Old Guard was staked".to_owned(), &["363"], None),
        Sighting::Result { die, bonus, modified, text, loser, .. } => {
            let star = if *bonus == 0 { String::new() } else { format!(", star {bonus:+}") };
            let says = format!("die {die}{star}, in all {modified}: {text}, {} lost", side(pen, loser));
            tale.sentence(&Sentence {
                subject: None,
                says,
                rules: &["300"],
                chart: Some("combat_results"),
                link: Link::Along,
            });
        }
        Sighting::Refused { side: who, .. } => {
            tale.and(format!("{} did not attack", side(pen, who)), &["332"], None);
        }
        Sighting::Showed { side: who, marker: m, counts, .. } => {
            let rules: &[&str] = if *counts { &["300", "330"] } else { &["300"] };
            tale.and(format!("{} showed {}", side(pen, who), marker(*m)), rules, None);
        }
        Sighting::Overridden { .. } => {
            tale.and("the defender took his own number as a retreat".to_owned(), &["400"], None);
        }
        Sighting::Took { side: who, sp, cause, .. } => {
            let rules: &[&str] = match cause {
                Cause::Bombardment => &["347"],
                Cause::Pursuit => &["382"],
                _ => &["367"],
            };
            tale.and(format!("{} lost {sp} SP", side(pen, who)), rules, None);
        }
        _ => {}
    }
}

/// What follows the dice.
fn after(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let pen = tale.pen;
    match told {
        Sighting::Retreated { side: who, ordered, path, blocked, doubled, .. } => {
            let n = plural(i64::from(*ordered), "hex", "hexes");
            let short = if *blocked { ", and could go no farther" } else { "" };
            let zone = if *doubled { ", through enemy control" } else { "" };
            let says = format!("{} retreated by {n}: {}{short}{zone}", side(pen, who), hexes(path));
            tale.and(says, &["369", "371"], None);
        }
        Sighting::Pursued { side: who, lead, retreat, die, modified, length, hexes, loss, .. } => {
            let name = pen.leader(lead);
            let says = format!(
                "{name} of {} pursued a retreat of {retreat}: die {die}, in all {modified}, length {length}, {}, {loss} SP",
                side(pen, who),
                plural(i64::from(*hexes), "hex", "hexes"),
            );
            tale.and(says, &["389", "382"], Some("pursuit"));
        }
        Sighting::Destroyed { side: who, hex, .. } => {
            tale.and(format!("nothing of {} is left in {}", side(pen, who), pen.at(*hex)), &["42"], None);
        }
        Sighting::Escape { leader, die, escaped, .. } => {
            let name = pen.leader(leader);
            let how = if *escaped { "got away" } else { "was taken" };
            let by = die.map_or_else(String::new, |d| format!(", die {d}"));
            tale.and(format!("{name} {how}{by}"), &["43"], None);
        }
        Sighting::Detached { who, hex } => {
            tale.of(who, format!("came out of the stack at {hex}"), &["387"], Link::Fresh);
        }
        Sighting::GunsLeft { unit, leader } => {
            let says = format!("{} stayed behind with {}", pen.unit(unit, None), pen.leader(leader));
            tale.and(says, &["386"], None);
        }
        Sighting::Critical { loser, lost, winner_lost, die, critical, .. } => {
            let how = if *critical { "a critical battle" } else { "not a critical battle" };
            let by = die.map_or_else(String::new, |d| format!(", die {d}"));
            let says = format!("{} lost {lost} SP against {winner_lost}{by}: {how}", side(pen, loser));
            tale.and(says, &["395"], None);
        }
        Sighting::Morale { why, by, now } => {
            let (cause, rule): (String, &[&str]) = match why {
                Shift::Critical => ("a critical battle".to_owned(), &["395"]),
                Shift::Captured(leader) => (format!("{} was captured", pen.leader(leader)), &["396"]),
                Shift::Guard => ("the Guard was staked and failed".to_owned(), &["397"]),
            };
            tale.and(format!("morale moves by {by:+} to {now:+}: {cause}"), rule, None);
        }
        Sighting::Siege { hex, begins } => {
            let says = if *begins { "is besieged" } else { "is besieged no longer" };
            tale.whole(format!("{} {says}", pen.at(*hex)), &["307", "310"]);
        }
        Sighting::Surrendered { hex, side: who, sp } => {
            tale.whole(format!("{} surrenders: {} lose {sp} SP", pen.at(*hex), side(pen, who)), &["413", "414"]);
        }
        Sighting::SourceLost { side: who, hex, left } if *left <= 0 => {
            tale.whole(format!("the supply source of {} at {} is captured", side(pen, who), pen.at(*hex)), &["78"]);
        }
        Sighting::SourceLost { hex, left, .. } => {
            tale.and(format!("the garrison of the source at {} has {left} SP left", pen.at(*hex)), &["77"], None);
        }
        Sighting::Ended { no, how } => {
            let says = match how {
                Ended::Retreat => return,
                Ended::Destroyed => "the battle is over",
                Ended::Vacated => "nobody stood to fight",
                Ended::Contact => "the battle is over; the forces stay in contact",
                Ended::Besieged => "the force in the citadel lets itself be besieged",
                Ended::Nothing => "there was no force to fight",
            };
            tale.and(format!("{}: {says}", place(pen, *no)), &[], None);
        }
        _ => {}
    }
}

//! Rows of III.b Combat (¶298-410): the parties, each half of a round, what follows the battle.

use super::admin::whose;
use super::{Link, Tale, flow};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::report::campaigns::pen::Pen;
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::combat::battle::{Ended, Marker};
use crate::rules::campaigns::combat::field::Factor;
use crate::rules::campaigns::combat::told::{Compared, Glimpse, Open, Own, Pursuit, Resolved, Shift, Sighting};
use crate::rules::campaigns::flow::told::{Cause, Who};
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
        Open::Stated { no: _, attack, defend } => {
            tale.row("Stated", format!("{attack} v {defend}"), &["300.3a"], None);
        }
        Open::Odds(told) => odds(tale, told),
        Open::Result(told) => result(tale, told),
        Open::Refused { no: _, side } => {
            tale.row("No attack", format!("{} did not attack", they(pen, side)), &["332"], None);
        }
        Open::Showed { no: _, side, marker, counts } => {
            let counts = if *counts { ", which counts against the leader" } else { "" };
            tale.and(format!("{} revealed {}{counts}", they(pen, side), name(*marker)), &["300.7"], None);
        }
        Open::Overridden { no: _ } => {
            tale.and("the defender took his number as a retreat".to_owned(), &["400"], None);
        }
        Open::Retreated { no: _, side, ordered, path: _, blocked, doubled } => {
            retreated(tale, side, *ordered, *blocked, *doubled);
        }
        Open::Pursued(told) => pursued(tale, told),
        Open::Destroyed { no: _, side, hex } => {
            let whose = if pen.mine(side) { "your" } else { "their" };
            tale.and(format!("{whose} force in {} was eliminated", pen.at(*hex)), &["374"], None);
        }
        Open::Escape { side, leader, hex, die, escaped } => escape(tale, side, leader, *hex, *die, *escaped),
        Open::Critical { no: _, loser, lost, winner_lost, die, critical } => {
            let die = die.map_or_else(String::new, |d| format!(", die {d}"));
            let came = if *critical { "a critical battle" } else { "not a critical battle" };
            let says = format!("{} lost {lost} SP and the winner {winner_lost}{die}: {came}", they(pen, loser));
            tale.row("Morale", says, &["395"], None);
        }
        Open::Siege { hex, begins } => {
            let (verb, rule) = if *begins { ("began", ["308"]) } else { ("ended", ["310"]) };
            tale.whole(format!("the siege of {} {verb}", pen.at(*hex)), &rule);
        }
        Open::Surrendered { hex, side, sp } => {
            tale.whole(format!("{} surrendered, {} {sp} SP with it", pen.at(*hex), whose(pen, side)), &["413"]);
        }
        Open::SourceLost { side, hex, left } => source_lost(tale, side, *hex, *left),
        Open::Control { no: _, side, die, modified } => {
            let says = format!("{}, of {}", thrown(*die, *modified), if pen.mine(side) { "yours" } else { "theirs" });
            tale.row("Control", says, &["409"], None);
        }
        Open::Ground { no: _, hexes, from: _ } => {
            let all: Vec<String> = hexes.iter().map(ToString::to_string).collect();
            let says = format!("the forces are in touch again; the battle goes on at {}", and_list(&all));
            tale.row("Goes on", says, &["394"], None);
        }
        Open::Ended { no, how } => {
            let fought = tale.fights.iter().any(|f| f.no == *no && f.fought);
            tale.row("Outcome", ended(*how, fought).to_owned(), &[], None);
        }
    }
}

/// What is the reader's own.
fn own(tale: &mut Tale<'_, '_>, told: &Own) {
    let pen = tale.pen;
    match told {
        Own::GunsLeft { unit, leader } => {
            let says = format!("{} stayed behind with {}", pen.unit(unit, None), pen.leader(leader));
            tale.and(says, &["386"], None);
        }
        Own::Guns { leader, to, die, marches } => {
            let came = if *marches { "he marches" } else { "he stays" };
            let says = format!("sound of the guns at {}, {die} in all: {came}", pen.at(*to));
            tale.of(&flow::own(leader), says, &["339"], Link::Fresh);
        }
    }
}

/// What each side sees otherwise.
fn glimpse(tale: &mut Tale<'_, '_>, told: &Glimpse) {
    let pen = tale.pen;
    match told {
        Glimpse::Designated { battles, by } => designated(tale, battles, by),
        Glimpse::Round { no: _, hex: _, round } => round_begins(tale, *round),
        Glimpse::Fight { no: _, hex: _, round } => fight_begins(tale, *round),
        Glimpse::Met { no: _, attack, attack_lead, defend, defend_lead } => {
            tale.row("Attack", party(pen, attack, attack_lead.as_ref()), &["300"], None);
            tale.row("Defence", party(pen, defend, defend_lead.as_ref()), &["300"], None);
        }
        Glimpse::Reserved { no: _, units } => {
            tale.row("Reserve", format!("yours: {}", list(pen, units)), &["315"], None)
        }
        Glimpse::Committed { no: _, units } => {
            tale.row("Committed", format!("yours: {}", list(pen, units)), &["323"], None);
        }
        Glimpse::Marked { no: _, marker } => tale.row("Marker", format!("you play {}", name(*marker)), &["327"], None),
        Glimpse::Edge { no: _, side } => {
            let whose = if pen.mine(side) { "yours" } else { "theirs" };
            tale.row("Cavalry", format!("superiority: {whose}, 2-1"), &["340"], None);
        }
        Glimpse::OwnFire { no: _, guns, die, modified, hits } => {
            let says = format!("{guns} SP, {}: they lost {hits} SP", thrown(*die, *modified));
            tale.row("Your guns", says, &["347"], Some("artillery_fire"));
        }
        Glimpse::FoeFire { no: _, die, hits } => {
            tale.row("Their guns", format!("die {die}: you lost {hits} SP"), &["347"], Some("artillery_fire"));
        }
        Glimpse::Staked { no: _ } => tale.and("the Old Guard was committed".to_owned(), &["363"], None),
        Glimpse::Took { no: _, side, sp, cause } => took(tale, side, *sp, *cause),
        Glimpse::Detached { who, hex } => {
            tale.of(who, format!("detached at {}", pen.at(*hex)), &["141"], Link::Along);
        }
        Glimpse::Morale { why, by, now } => morale(tale, why, *by, *now),
        Glimpse::Track { why, of, by, now } => track(tale, why, of, *by, *now),
        Glimpse::Joined { no: _, who } => {
            tale.row("Joined", pen.who(who), &["404"], None);
        }
        Glimpse::Formed { no: _, hexes, from: _, attack, attack_lead, defend, defend_lead } => {
            let (a, d) = (party(pen, attack, attack_lead.as_ref()), party(pen, defend, defend_lead.as_ref()));
            let all: Vec<String> = hexes.iter().map(ToString::to_string).collect();
            tale.row("Formed anew", format!("at {}, {a} against {d}", and_list(&all)), &["301"], None);
        }
        Glimpse::Unformed { no: _ } => {
            tale.row("Formed anew", "not as you ordered, it could not be".to_owned(), &["301"], None);
        }
        Glimpse::Shifted { no: _, leader, to, die, moves } => shifted(tale, leader, *to, *die, *moves),
        Glimpse::Concentrated { no: _, leader, die, ok } => {
            let came = if *ok { "Forage Mode ended" } else { "Forage Mode goes on" };
            tale.row("Foragers", format!("{} called them in: die {die}, {came}", pen.leader(leader)), &["281"], None);
        }
    }
}

/// ¶324: a reserve that was to move one hex.
fn shifted(tale: &mut Tale<'_, '_>, leader: &LeaderId, to: Hex, die: Option<i32>, moves: bool) {
    let (who, place) = (tale.pen.leader(leader), tale.pen.at(to));
    let says = match (die, moves) {
        (None, _) => format!("{who} could not bring his up to {place}: entry prohibited"),
        (Some(die), true) => format!("{who} brought his up to {place}: die {die}"),
        (Some(die), false) => format!("{who} did not bring his up to {place}: die {die}"),
    };
    tale.row("Reserve", says, &["324"], None);
}

/// `you`, `the French` or `the Austro-Russians`.
pub fn who(pen: &Pen<'_>, side: &SideId) -> String {
    let name = pen.side(side);
    // Peoples, unlike a Coalition.
    let many = if name.ends_with("an") { "s" } else { "" };
    if pen.mine(side) { "you".to_owned() } else { format!("the {name}{many}") }
}

/// `you` or `they`.
fn they(pen: &Pen<'_>, side: &SideId) -> &'static str {
    if pen.mine(side) { "you" } else { "they" }
}

/// A die and what was added or taken off: `die 3 less 1 = 2`.
fn thrown(die: i32, modified: i32) -> String {
    match modified - die {
        0 => format!("die {die}"),
        n => format!("die {die} {n:+} = {modified}"),
    }
}

fn list(pen: &Pen<'_>, units: &[UnitId]) -> String {
    if units.is_empty() {
        return "nobody".to_owned();
    }
    and_list(&units.iter().map(|u| pen.unit(u, None)).collect::<Vec<_>>())
}

fn name(marker: Marker) -> &'static str {
    match marker {
        Marker::Pursuit => "Pursuit",
        Marker::Pitched => "Pitched",
        Marker::Refuse => "Refuse",
        Marker::Rearguard => "Rearguard",
    }
}

/// Counters of one side and who leads them.
fn party(pen: &Pen<'_>, counters: &[Who], lead: Option<&LeaderId>) -> String {
    let names: Vec<String> = counters.iter().map(|w| pen.who(w)).collect();
    match lead.map(|l| pen.leader(l)) {
        Some(lead) if names != [lead.clone()] => format!("{} under {lead}", and_list(&names)),
        Some(_) | None => and_list(&names),
    }
}

/// The attacks of a phase, one paragraph.
fn designated(tale: &mut Tale<'_, '_>, battles: &[(u32, Vec<Hex>, Vec<Hex>)], by: &SideId) {
    let pen = tale.pen;
    let hexes = |all: &[Hex]| and_list(&all.iter().map(|h| pen.at(*h)).collect::<Vec<_>>());
    let said: Vec<String> = battles.iter().map(|(_, at, from)| format!("{} from {}", hexes(at), hexes(from))).collect();
    if said.is_empty() {
        tale.whole(format!("no attacks by {}", who(pen, by)), &["302"]);
    } else {
        tale.whole(format!("{} attacked {}", who(pen, by), said.join("; ")), &["302"]);
    }
}

/// A later round has its heading where its reserves and markers are laid, the first where it is fought.
fn round_begins(tale: &mut Tale<'_, '_>, round: u32) {
    if round > 1 {
        tale.row(&format!("ROUND {round}"), String::new(), &[], None);
    }
}

fn fight_begins(tale: &mut Tale<'_, '_>, round: u32) {
    let label = format!("ROUND {round}");
    if !tale.has_row(&label) {
        tale.row(&label, String::new(), &[], None);
    }
}

/// Strengths compared; the die and what came of it go on in the row.
fn odds(tale: &mut Tale<'_, '_>, told: &Compared) {
    let Compared { no: _, counter, by, attack, defend, odds, shift, affecting, factor } = told;
    let what = if *counter { "counter" } else { "attack" };
    let shifted = match shift {
        0 => String::new(),
        n if *n > 0 => format!(", shifted {n} right"),
        n => format!(", shifted {} left", -n),
    };
    let line = if *affecting { ", affecting terrain" } else { ", clear" };
    let factor = match factor {
        Factor::None => "",
        Factor::Woods => ", woods",
        Factor::Swamp => ", swamp",
        Factor::Fortification => ", fortification",
        Factor::Crest => ", crest",
    };
    let whose = if tale.pen.mine(by) { "Your" } else { "Their" };
    let says = format!("{attack} v {defend}: {odds}{shifted}{line}{factor}");
    tale.row(&format!("{whose} {what}"), says, &["300.6"], None);
}

fn result(tale: &mut Tale<'_, '_>, told: &Resolved) {
    let Resolved { no: _, counter: _, by: _, die, bonus, modified, text, loser, loser_number, winner_number } = told;
    // The leader's star is part of what was added; where it is all of it, it is named as such.
    let star = *bonus != 0 && *bonus == modified - die;
    let dice = thrown(*die, *modified);
    let dice = if star { dice.replace(" =", " for the leader =") } else { dice };
    let (theirs, winners) = if tale.pen.mine(loser) { ("you", "them") } else { ("them", "you") };
    let lost = super::sentence_case(they(tale.pen, loser));
    let says = format!("{dice}: {text}.  {lost} lost: {loser_number} for {theirs}, {winner_number} for {winners}");
    tale.and(says, &["350"], Some("combat_results"));
}

/// What the enemy lost; own losses are told by unit, and what guns took in their own row.
fn took(tale: &mut Tale<'_, '_>, side: &SideId, sp: i32, cause: Cause) {
    if tale.pen.mine(side) {
        return;
    }
    let (how, rules): (_, &[&'static str]) = match cause {
        Cause::Attrition => (" by attrition", &["262"]),
        Cause::Bombardment => return,
        Cause::Combat => ("", &["367"]),
        Cause::Pursuit => (" in the pursuit", &["382"]),
        Cause::Repulse => (" in the repulse", &["243"]),
        Cause::Surrender => (" by surrender", &["370"]),
    };
    tale.and(format!("they lost {sp} SP{how}"), rules, None);
}

fn retreated(tale: &mut Tale<'_, '_>, side: &SideId, ordered: i32, blocked: bool, doubled: bool) {
    let blocked = if blocked { "; the way was blocked" } else { "" };
    let doubled = if doubled { "; losses double for enemy ZOCs on the way" } else { "" };
    let far = plural(ordered, "hex", "hexes");
    tale.and(format!("{} had to retreat {far}{blocked}{doubled}", they(tale.pen, side)), &["369", "371"], None);
}

fn pursued(tale: &mut Tale<'_, '_>, told: &Pursuit) {
    let Pursuit { no: _, side, lead, retreat, die, modified, length, hexes, loss } = told;
    let pen = tale.pen;
    let says = format!(
        "{} under {}: retreat of {retreat}, {}: {hexes} of {}, {loss} SP",
        they(pen, side),
        pen.leader(lead),
        thrown(*die, *modified),
        plural(*length, "hex", "hexes")
    );
    tale.row("Pursuit", says, &["389"], Some("pursuit"));
}

fn escape(tale: &mut Tale<'_, '_>, side: &SideId, leader: &LeaderId, hex: Hex, die: Option<i32>, escaped: bool) {
    let pen = tale.pen;
    let die = die.map_or_else(String::new, |d| format!(", die {d}"));
    let came = if escaped { "got away" } else { "was captured" };
    let whose = if pen.mine(side) { "your leader" } else { "their leader" };
    tale.and(format!("{whose} {} {came} at {}{die}", pen.leader(leader), pen.at(hex)), &["42", "43"], None);
}

fn morale(tale: &mut Tale<'_, '_>, why: &Shift, by: i32, now: i32) {
    let (reason, rule) = reason(tale.pen, why);
    let toward = if by >= 0 { "France" } else { "the Coalition" };
    let says = format!("{reason} moved morale {} toward {toward}; it stands at {now}", by.abs());
    tale.and(says, &[rule], None);
}

/// ¶5 The marker of one side on its own track.
fn track(tale: &mut Tale<'_, '_>, why: &Shift, of: &SideId, by: i32, now: i32) {
    let (reason, _) = reason(tale.pen, why);
    let name = tale.pen.v.board.tables.morale.named(of).unwrap_or("morale");
    let way = if by >= 0 { "raised" } else { "lowered" };
    tale.and(
        format!("{reason} {way} {} by {}; it stands at {now}", tale.pen.plain(name), by.abs()),
        &["5", "411"],
        None,
    );
}

/// Why morale moves, and the paragraph.
fn reason(pen: &Pen<'_>, why: &Shift) -> (String, &'static str) {
    match why {
        Shift::Critical => ("the critical battle".to_owned(), "395"),
        Shift::Captured(leader) => (format!("the capture of {}", pen.leader(leader)), "396"),
        Shift::Guard => ("the defeat of the committed Guard".to_owned(), "397"),
        Shift::Feature(hex) => (format!("the capture of {}", pen.at(*hex)), "415"),
    }
}

fn source_lost(tale: &mut Tale<'_, '_>, side: &SideId, hex: Hex, left: i32) {
    let pen = tale.pen;
    let left = if left > 0 { format!("{left} SP are left") } else { "it was captured".to_owned() };
    tale.whole(format!("{} supply source {} lost garrison: {left}", whose(pen, side), pen.at(hex)), &["78"]);
}

/// How a battle ended.
pub fn ended(how: Ended, fought: bool) -> &'static str {
    match how {
        Ended::Retreat => "the battle ended with a retreat",
        Ended::Destroyed => "one side was eliminated",
        Ended::Vacated if fought => "the battle ended: the hex was vacated",
        Ended::Vacated => "no battle: the hex was vacated",
        Ended::Contact => "the battle ended in contact",
        Ended::Besieged => "the force in the citadel is besieged",
        Ended::Nothing => "no defender was there",
    }
}

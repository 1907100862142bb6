//! What the opening mail says beside the report, and how the game is won: from the scenario and from what everybody
//! may know.

use super::pen::side;
use crate::fog::SideId;
use crate::host::paper::Opening;
use crate::rules::austerlitz1805::board::{Arm, Place, UnitId};
use crate::rules::austerlitz1805::strategic::waiting;
use crate::rules::austerlitz1805::victory::{BRIGADES, points};
use crate::rules::austerlitz1805::view::View;
use crate::text;
use std::collections::BTreeMap;

/// 17.1 How the game is won, with today's score: one paragraph a line, to be broken where the page ends.
pub fn victory(v: &View) -> Vec<String> {
    let t = &v.table;
    let places: Vec<&Place> = t.board.places.iter().filter(|p| p.vp > 0).collect();
    let name = |id: &SideId| if v.side.as_ref() == Some(id) { "you".to_owned() } else { side(t, id) };
    let mut lines = Vec::new();
    if let Some(over) = &v.over {
        lines.push(format!("Won by {}: {}.", side(t, &over.side), super::story::won(over.why)));
    }
    let score: Vec<String> = t.board.sides.iter().map(|s| format!("{} {}", name(&s.id), points(t, &s.id))).collect();
    lines.push(format!("Points now: {}.", score.join(", ")));
    for s in &t.board.sides {
        let held: Vec<String> = places
            .iter()
            .filter(|p| t.control.get(&p.name) == Some(&s.id))
            .map(|p| format!("{} {}", p.name, p.vp))
            .collect();
        let held = if held.is_empty() { "no place".to_owned() } else { held.join(", ") };
        let taken = |id: &&UnitId| t.side(id) != s.id && matches!(t.arm(id), Arm::Artillery | Arm::Hq);
        let taken = t.lost.iter().filter(taken).count();
        let taken = if taken > 0 { format!("; batteries and HQs eliminated {taken}") } else { String::new() };
        let who = if v.side.as_ref() == Some(&s.id) { "Yours".to_owned() } else { s.name.clone() };
        lines.push(format!("{who}: {held}{taken}."));
    }
    lines.push("The last side to pass a unit through a place controls it. [17.1.1.6]".to_owned());
    lines.push("Each battery or HQ of the enemy that is eliminated is 1 point more. [17.1.1.2]".to_owned());
    let last = t.board.turns.1;
    let ties = t.board.sides.iter().find(|s| s.wins_ties);
    let tie = ties.map_or(String::new(), |s| match v.side.as_ref() == Some(&s.id) {
        true => "; a tie is yours".to_owned(),
        false => format!("; a tie goes to the {}", s.name),
    });
    lines.push(format!("At the end of turn {last} the most points win{tie}. [17.1.1.3]"));
    for s in &t.board.sides {
        lines.extend(at_once(v, &s.id, places.len()));
    }
    lines.into_iter().map(|line| format!("  {line}")).collect()
}

/// 17.1.2-17.1.4 How a side wins before the last turn.
fn at_once(v: &View, winner: &SideId, places: usize) -> Vec<String> {
    let t = &v.table;
    let mine = v.side.as_ref() == Some(winner);
    let enemy = t.board.enemy(winner);
    let (who, verb) = if mine { ("You".to_owned(), "win") } else { (format!("The {}", side(t, winner)), "win") };
    let hold = if mine { "you hold" } else { "they hold" };
    let ties = t.board.side(winner).is_some_and(|s| s.wins_ties);
    let count = text::number(u32::try_from(places).unwrap_or(0));
    let gone =
        t.lost.iter().filter(|id| t.side(id) == enemy && matches!(t.arm(id), Arm::Infantry | Arm::Cavalry)).count();
    let mine_go = v.side.as_ref() == Some(&enemy);
    let whose = if mine_go { "of your".to_owned() } else { side(t, &enemy).to_string() };
    let brigades = if ties {
        String::new()
    } else {
        let wanted = text::number(u32::try_from(BRIGADES).unwrap_or(0));
        format!(" and {wanted} {whose} brigades of foot or horse are gone (now {gone})")
    };
    let rule = if ties { "17.1.2" } else { "17.1.3" };
    // What cannot happen in this game is not promised.
    let takes_part = |id: &UnitId| t.board.flow.is_some() || t.board.starts.iter().any(|start| start.unit == *id);
    let foes = || t.board.units.values().filter(|u| u.side == enemy && takes_part(&u.id));
    let foot_and_horse = foes().filter(|u| matches!(u.arm, Arm::Infantry | Arm::Cavalry)).count();
    let mut lines = Vec::new();
    if ties || foot_and_horse >= BRIGADES {
        lines.push(format!("{who} {verb} at once if {hold} all {count} places for two turns{brigades}. [{rule}]"));
    }
    if foes().any(|u| u.id.0 == "Napoleon") {
        lines.push(format!("{who} {verb} at once if Napoleon is eliminated. [17.1.4]"));
    }
    lines
}

/// What the opening mail says beside the report.
pub fn opening(v: &View, narrow: bool) -> Opening {
    let t = &v.table;
    let Some(me) = &v.side else { return Opening::default() };
    let enemy = t.board.enemy(me);
    let solo = if t.board.solo.contains(&enemy) { ", whom the solo rules lead" } else { "" };
    let mut what =
        vec![format!("You command the {} army against the {}{solo}, by mail.", side(t, me), side(t, &enemy))];
    if t.board.flow.is_some() {
        what.push(
            "Both armies begin hidden: chits on the field, some of them decoys, and corps on a secret strategic map. \
             When the fog lifts, units stand in the open. A turn takes two or three mails of yours."
                .to_owned(),
        );
    } else {
        what.push("Every unit stands in the open; your orders are secret until you send them.".to_owned());
    }
    let briefing = t.board.briefings.get(me).cloned().unwrap_or_default();
    let situation = if briefing.situation.is_empty() { Vec::new() } else { vec![briefing.situation] };
    let mut cautions = briefing.cautions;
    if t.board.flow.is_some() {
        cautions.push("A chit comes down only in an area where its corps stands. [16.4.2.4]".to_owned());
    }
    cautions.push("Units in column in front of enemy guns suffer more than in line. [9.1]".to_owned());
    cautions
        .push("The enemy's guns fire before your units move; what they do may stop a line of yours. [4.4]".to_owned());
    cautions.push("If you send nothing, your corps, chits and units stay where they are.".to_owned());
    Opening { what, situation, command: command(v, narrow), first: briefing.first, cautions }
}

/// What a side commands, the sum first: corps by area in fog, else corps by number of units.
fn command(v: &View, narrow: bool) -> Vec<String> {
    let (t, me) = (&v.table, v.me());
    let width = if narrow { text::WIDTH_PHONE } else { text::WIDTH };
    let wrapped = |line: String| text::wrap(&line, width, "  ", 4);
    let mut corps: BTreeMap<String, usize> = BTreeMap::new();
    let hidden = waiting(t, &v.own, &me);
    if hidden.is_empty() {
        for (id, _) in t.units.iter().filter(|(_, u)| u.side == me) {
            *corps.entry(t.board.group(id)).or_default() += 1;
        }
        let said: Vec<String> = corps.iter().map(|(name, n)| format!("{name} {n}")).collect();
        let sum = format!("{} units on the field", corps.values().sum::<usize>());
        return std::iter::once(sum).chain(wrapped(format!("by corps: {}", said.join(", ")))).collect();
    }
    let sum = format!("{} units on your strategic map, which only you see", hidden.len());
    hidden.into_iter().for_each(|(_, name)| *corps.entry(name).or_default() += 1);
    let mut by: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, units) in corps {
        let area = v.own.corps.get(&name).and_then(|id| t.board.zone(id));
        let area = area.map_or_else(String::new, |zone| format!("{} {}", zone.id, zone.name));
        by.entry(area).or_default().push(format!("{name} {units}"));
    }
    let lines = by.into_iter().flat_map(|(area, corps)| wrapped(format!("{area}: {}", corps.join(", "))));
    std::iter::once(sum).chain(lines).collect()
}

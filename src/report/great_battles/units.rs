//! Units in rows: those of a hex that are alike stand together.

use super::map::style_of;
use super::{my_sheet, story};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::report::field::roster::{Piece, Roster, ghosts, letter};
use crate::rules::great_battles::board::{ALLIED, FRENCH, Rank};
use crate::rules::great_battles::ground::Bank;
use crate::rules::great_battles::pool;
use crate::rules::great_battles::pose::{Form, Hour, Pose};
use crate::rules::great_battles::state::{At, Level, Lim, Unit};
use crate::rules::great_battles::view::{View, codes};
use crate::rules::great_battles::{reach, reinforce};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};

/// 6.1 The hours as words.
const HOURS: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];

/// An hour in words.
pub fn hour(hour: Hour) -> &'static str {
    HOURS.get(usize::from(u8::from(hour)).saturating_sub(1)).copied().unwrap_or("12")
}

/// Whether a side is the one that looks; the umpire looks with the French.
pub fn ours(v: &View, side: Option<&SideId>) -> bool {
    let seat = v.side.0 == FRENCH || v.side.0 == ALLIED;
    side.is_some_and(|side| if seat { *side == v.side } else { side.0 == FRENCH })
}

/// The sign of a formation on a map.
fn sign(u: &Unit, pose: Pose) -> char {
    match pose.form {
        _ if u.level == Level::Rout => 'r',
        Form::Column => 'c',
        Form::Line => 'l',
        Form::Skirmish => 'k',
        Form::Square => 'q',
        Form::Disorder => 'd',
        Form::Limbered => 'b',
        Form::Unlimbered => 'u',
    }
}

/// A unit as it is drawn and told.
fn piece(v: &View, codes: &BTreeMap<String, String>, (id, u, pose): (&String, &Unit, Pose)) -> Option<Piece> {
    let s = &v.state;
    let kind = s.kind(id)?;
    let blurred = v.blurred.contains(id);
    let faces = if blurred || pose.form.all_round() || u.level == Level::Rout { "" } else { hour(pose.hour) };
    let facing = if pose.form.all_round() { "**" } else { faces };
    Some(Piece {
        id: id.clone(),
        hex: pose.head,
        own: ours(v, s.side(id)),
        regiment: id.clone(),
        code: codes.get(id).unwrap_or(id).clone(),
        letter: letter(kind.arm),
        sign: Some(if blurred { '?' } else { sign(u, pose) }),
        tired: false,
        runs: u.level == Level::Rout,
        facing: facing.to_owned(),
        faces,
        fixed: false,
        hollow: ours(v, s.side(id)) && s.is_dummy(id),
        acts: (u.going.ready && !u.going.done, u.acted),
        able: u.going.ready,
        top: lies_on_top(v, id, pose.head),
        facts: facts(v, id),
    })
}

/// 7.2 Whether one of the reader's own units lies on top of others.
fn lies_on_top(v: &View, id: &str, hex: Hex) -> bool {
    let s = &v.state;
    if !s.is_of(id, &v.side) {
        return false;
    }
    let stack = s.stack_of(hex, &v.side);
    stack.len() > 1 && stack.first().is_some_and(|first| first == id)
}

/// All that a seat sees on the map.
pub fn roster(v: &View, width: usize) -> Roster<'_> {
    let s = &v.state;
    let codes = codes(v);
    let pieces = s.counters().filter_map(|unit| piece(v, &codes, unit)).collect();
    let leaders = s.leaders.iter().map(|(name, l)| (name.as_str(), l.hex)).collect();
    let mut edges = BTreeMap::new();
    for (side, banks) in &s.board.ground.sides {
        for (bank, sign) in [(Bank::Ditch, ':'), (Bank::Wall, '#'), (Bank::Stream, '~'), (Bank::River, '=')] {
            if banks.contains(&bank) {
                edges.insert(*side, sign);
            }
        }
    }
    let ghosts = v.ghosts.iter().map(|(tag, contact)| (tag.clone(), contact.face.hex)).collect();
    Roster { field: &s.board.ground.field, edges, pieces, ghosts, leaders, style: style_of(v), width }
}

/// What one row says behind its units.
pub fn facts(v: &View, id: &str) -> String {
    let s = &v.state;
    let Some((u, kind, pose)) = s.on(id) else { return String::new() };
    let second = pose.hexes().get(1).map_or_else(String::new, |hex| format!(", {hex} too"));
    let form = format!("{}{second}", pose.form.word());
    if v.blurred.contains(id) {
        return format!("{}{second}, too far for more", kind.arm.word());
    }
    if s.is_dummy(id) {
        let acts = if u.going.ready && !u.going.done { ", acts" } else { "" };
        return format!("{form}  a dummy  MA {}{acts}", kind.ma);
    }
    if s.strangers.contains_key(id) {
        // H.2 Beside it its name and its SP are known.
        let name = if kind.name.is_empty() { String::new() } else { format!(" {}", kind.name) };
        let sp = match kind.sp {
            sp if !kind.name.is_empty() => format!("{sp} SP"),
            ..=3 => "weak".to_owned(),
            4..=7 => "medium".to_owned(),
            _ => "strong".to_owned(),
        };
        let runs = if u.level == Level::Rout { ", runs" } else { "" };
        return format!("{}{name}, {form}, {sp}{runs}", kind.arm.word());
    }
    let sp = if u.lost > 0 { format!("{} of {}", s.sp(id), kind.sp) } else { kind.sp.to_string() };
    let fire = if kind.fire > 0 { format!(" fire {}", kind.fire) } else { String::new() };
    let blown = match u.blown {
        0 => String::new(),
        level => format!(", Blown-{level}"),
    };
    let marks = [
        (s.is_broken(id), ", at Breakpoint"),
        (u.recovering, ", recovers"),
        (u.out, ", Out of Command"),
        (u.fired, ", has fired"),
        (u.going.ready && !u.going.done, ", acts"),
        (u.going.done, ", has moved"),
    ];
    let marks: String = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
    let level = u.level.word();
    format!("{form}  SP {sp}{fire} morale {} MA {}  {level}{blown}{marks}", kind.morale, kind.ma)
}

/// 4.0, 4.1.2 The LIMs that are in the pool, and commands with their leaders; those that act alone, or all.
fn commands(v: &View, own: bool, all: bool) -> Vec<String> {
    let s = &v.state;
    let known = own || v.side.0.is_empty() || s.board.scenario.sight == Default::default();
    let mut lines = Vec::new();
    let lims = s.pool.iter().filter(|lim| ours(v, pool::side(s, lim)) == own);
    let lims: Vec<String> = lims.map(|lim| lim_word(v, lim)).collect();
    if known {
        lines.push(format!("LIMs: {}.", if lims.is_empty() { "none".to_owned() } else { lims.join(", ") }));
    }
    let of = |side: &SideId| ours(v, Some(side)) == own;
    let above = s.board.chiefs.iter().filter(|(id, c)| {
        of(&c.side)
            && (c.rank != Rank::Division || !known || !s.commands.contains_key(&c.of))
            && s.leaders.get(*id).is_some_and(|l| l.hex.is_some())
    });
    let above: Vec<String> = above.map(|(id, _)| format!("{id} {}", place(v, id))).collect();
    if !above.is_empty() {
        lines.push(format!("Leaders: {}.", above.join(", ")));
    }
    if !known {
        return lines;
    }
    for (id, c) in s.commands.iter().filter(|(id, _)| s.board.side_of(id).is_some_and(of)) {
        let mode = s.acting.as_ref().and_then(|acting| acting.modes.get(id));
        let todo = s.acting.as_ref().is_some_and(|acting| acting.todo.contains(id));
        let begins = s.at == At::Open && own && pooled(v, id);
        if s.units_of(id).is_empty() || !(all || mode.is_some() || todo || begins) {
            continue;
        }
        let leader = s.board.commander(id).cloned().unwrap_or_default();
        let rating = s.rating(&leader);
        let tired = if c.fatigue > 0 { format!(", fatigue {}", c.fatigue) } else { String::new() };
        let (hurt, level) = s.breakpoint(id).unwrap_or_default();
        let marks = [
            (hurt > 0 && hurt < level, format!(", {hurt} of {level} to Breakpoint")),
            (todo, ", may try now".to_owned()),
            (mode.is_some(), mode.map_or_else(String::new, |mode| format!(", acts ({})", mode.word().to_lowercase()))),
            (c.strategic, ", strategic movement".to_owned()),
            (c.stopped, ", stopped".to_owned()),
            (s.is_division_broken(id), ", at Breakpoint".to_owned()),
        ];
        let marks: String = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
        let at = place(v, &leader);
        let men = if all { men(v, id) } else { String::new() };
        lines.push(format!(
            "{id}: leader {at}, activation {}, range {}{tired}{marks}{men}.",
            rating.activation, rating.range
        ));
    }
    lines
}

/// The corps of a division, and who is of it on the map.
fn men(v: &View, division: &str) -> String {
    let corps = v.state.board.divisions.get(division).map_or("", |d| d.corps.as_str());
    let corps = if corps.is_empty() { String::new() } else { format!("; corps {corps}") };
    format!("{corps}; units {}", v.state.units_of(division).join(" "))
}

/// Whether the marker of a division, or of its corps, is in the pool.
fn pooled(v: &View, division: &str) -> bool {
    let s = &v.state;
    let corps = s.board.divisions.get(division).map(|d| d.corps.as_str());
    s.pool.iter().any(|lim| lim.name() == division || Some(lim.name()) == corps)
}

fn place(v: &View, leader: &str) -> String {
    v.state.leaders.get(leader).and_then(|l| l.hex).map_or_else(|| "off the map".to_owned(), |hex| hex.to_string())
}

/// A LIM in words, and whether it is still in the cup.
fn lim_word(v: &View, lim: &Lim) -> String {
    let drawn = if v.state.first.is_some() && !v.state.cup.contains(lim) { " (drawn)" } else { "" };
    format!("{}{drawn}", lim.name())
}

/// What stands behind the rows: units that wait off the map, or enemies that are out of sight.
fn others(v: &View, own: bool, all: bool) -> Vec<String> {
    let s = &v.state;
    if !own {
        return ghosts(&v.ghosts);
    }
    let comes = s.board.scenario.reinforcements.iter().filter(|a| ours(v, Some(&a.side)));
    let comes = comes.filter_map(|a| {
        let waits: Vec<&String> =
            a.divisions.iter().filter(|id| s.commands.get(*id).is_some_and(|c| c.waits)).collect();
        // Who may come now is named with his units.
        let named = |id: &&String| match reinforce::waiting(s, id).join(" ") {
            units if (all || a.turn <= s.turn) && !units.is_empty() => format!("{id} ({units})"),
            _ => (*id).clone(),
        };
        let waits: Vec<String> = waits.iter().map(named).collect();
        let hex = s.board.ground.entries.get(&a.entry).copied()?;
        (!waits.is_empty()).then(|| format!("Off the map, to come on turn {} by {hex}: {}.", a.turn, waits.join(" ")))
    });
    let late = s.board.divisions.keys().filter(|id| ours(v, s.board.side_of(id)));
    let late = late.map(|id| reinforce::left_off(s, id)).filter(|units| !units.is_empty());
    let late = late.map(|units| format!("Off the map, to come on by the Reinforcement LIM: {}.", units.join(" ")));
    comes.chain(late).collect()
}

/// All units of a side.
pub fn all(v: &View, own: bool, roster: &Roster<'_>) -> Vec<String> {
    // Who sees both sides is told which is which.
    let whose = v.side.0.is_empty().then(|| text::capital(story::side(&if own { FRENCH } else { ALLIED }.into())));
    roster.all(own, whose.into_iter().chain(commands(v, own, true)).collect(), others(v, own, true))
}

/// 4.5 Marks those that may act once their division is activated.
pub fn called(v: &View, roster: &mut Roster<'_>) {
    if !my_sheet(v) || v.state.at == At::Open {
        return;
    }
    let units: BTreeSet<String> = reach::ready(v).into_iter().flat_map(|ready| ready.units.into_keys()).collect();
    for piece in roster.pieces.iter_mut().filter(|piece| units.contains(&piece.id)) {
        piece.able = true;
        // The map is drawn round those who may act now.
        piece.acts.0 = true;
    }
}

/// Units in few lines for a stage mail: those that act or are near the enemy, and how many besides.
pub fn short(v: &View, own: bool, roster: &Roster<'_>) -> Vec<String> {
    roster.short(own, commands(v, own, false), others(v, own, false))
}

//! The Organization Display, and below it vedettes, administration, morale (¶19, 34-46, 72-107, 411-416).

use super::pen::{Pen, glued, unglued};
use super::roster::{self, Head, Row};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Arm, LeaderId, UnitId};
use crate::rules::campaigns::pieces::{Army, Loc, Piece, Pieces, Place, Track, Unit, Vedette};
use crate::rules::campaigns::sequence::At;
use crate::text::{self, Column, Table, and_list, plural};

/// Columns for units on the wide page.
const UNITS: usize = 23;

/// Own forces, ready lines.
pub fn lines(pen: &Pen<'_>) -> Vec<String> {
    let rows = roster::rows(&pen.v.board, &pen.v.own);
    let mut lines = if pen.format.narrow { phone(pen, &rows) } else { display(pen, &rows) };
    lines.extend(vedettes(pen));
    let total: i32 = rows.iter().map(|r| r.sp).sum();
    lines.extend(pen.labelled("Total", &format!("{total} SP, lost so far {}", pen.v.own.army.lost)));
    lines.extend(center(pen));
    lines.extend(coming(pen));
    lines.extend(standing(pen));
    unglued(lines)
}

/// The table of 76 columns.
fn display(pen: &Pen<'_>, rows: &[Row]) -> Vec<String> {
    let columns = [
        Column::left().wide(3),
        Column::left().wide(4),
        Column::left().wide(15),
        Column::left().wide(3),
        Column::left().wide(4),
        Column::left().wide(12),
        Column::left().wide(4),
        Column::left(),
    ];
    let head = ["key", "code", "leader", "i", "hex", "place", " SP", "units"].map(str::to_owned).to_vec();
    let mut cells = vec![head];
    for row in rows {
        let place = pen.place(row.hex).unwrap_or_else(|| "-".to_owned());
        let (code, leader, i, own) = match &row.head {
            Head::Leader(id) => (pen.code(id), pen.leader_short(id), rating(pen, id), units(pen, id)),
            Head::Garrison(_) => ("-".to_owned(), "garrison".to_owned(), String::new(), String::new()),
        };
        let sp = format!("{:>3}", row.sp);
        cells.push(vec![row.letter.to_string(), code, leader, i, row.hex.to_string(), place, sp, own]);
        for id in &row.under {
            let (name, i, units) = (pen.leader_short(id), rating(pen, id), units(pen, id));
            let blank = String::new;
            cells.push(vec![blank(), blank(), name, i, blank(), blank(), blank(), units]);
        }
    }
    let mut lines = Table::new(&columns, pen.width()).gap(1).lines(&cells);
    lines.insert(0, "  i = initiative, * = leadership bonus; SP of a row are of the whole force".to_owned());
    lines
}

/// The list of 40 columns: a line a force, its units below.
fn phone(pen: &Pen<'_>, rows: &[Row]) -> Vec<String> {
    let columns = [Column::left().wide(3), Column::left().wide(24), Column::left().wide(4), Column::right().wide(3)];
    let table = Table::new(&columns, pen.width()).gap(1);
    let mut lines = Vec::new();
    for row in rows {
        let (code, who, units) = match &row.head {
            Head::Leader(id) => (pen.code(id), pen.leader_short(id), force_units(pen, id, &row.under)),
            Head::Garrison(_) => ("-".to_owned(), "garrison".to_owned(), String::new()),
        };
        let place = pen.place(row.hex).unwrap_or_default();
        let named = format!("{who} {} {place}", rating_of(pen, &row.head));
        let sp = row.sp.to_string();
        lines.extend(table.lines(&[vec![code, named.trim_end().to_owned(), row.hex.to_string(), sp]]));
        if !units.is_empty() {
            lines.extend(text::wrap(&units, pen.width(), "      ", 6));
        }
    }
    lines
}

fn rating_of(pen: &Pen<'_>, head: &Head) -> String {
    match head {
        Head::Leader(id) => rating(pen, id),
        Head::Garrison(_) => String::new(),
    }
}

/// The units of a force in one line: his own, then each subordinate's after his name.
pub fn force_units(pen: &Pen<'_>, leader: &LeaderId, under: &[LeaderId]) -> String {
    let mut parts = vec![units(pen, leader)];
    parts.extend(under.iter().map(|id| format!("{} {}: {}", pen.leader_short(id), rating(pen, id), units(pen, id))));
    parts.retain(|p| !p.is_empty());
    parts.join("; ")
}

/// Initiative and stars: `4*`.
fn rating(pen: &Pen<'_>, id: &LeaderId) -> String {
    let (v, stars) = (pen.v, usize::try_from(pen.v.own.bonus(&pen.v.board, id)).unwrap_or(0));
    format!("{}{}", v.own.initiative(&v.board, id), "*".repeat(stars))
}

/// What there is to say of a force beside its strength: `, forage`, `, unemployed`, `, as of turn 3`.
pub fn mode(pen: &Pen<'_>, id: &LeaderId) -> String {
    let mut said = String::new();
    if let Some(leader) = pen.v.own.leaders.get(id) {
        if leader.forage {
            said.push_str(", forage");
        }
        if leader.under.is_none() && pen.v.own.unemployed(id) {
            said.push_str(", unemployed");
        }
    }
    if let Some(turn) = pen.v.old.get(id) {
        said.push_str(&format!(", as of turn {turn}"));
    }
    said
}

/// ¶154 Reinforcements of this turn and the next.
pub fn soon(pen: &Pen<'_>) -> Vec<String> {
    let mut groups: Vec<((u32, Hex), Vec<String>)> = Vec::new();
    for r in &pen.v.board.reinforcements {
        let boxed = pen.v.own.leaders.get(&r.leader).is_some_and(|l| l.place == Place::Waiting);
        let near = (pen.v.turn..=pen.v.turn.saturating_add(1)).contains(&r.turn);
        if Some(&r.side) != pen.v.side.as_ref() || !boxed || !near || pen.v.own.army.arrived.contains(&r.leader) {
            continue;
        }
        let who = match r.units.values().sum::<i32>() {
            0 => pen.leader_short(&r.leader),
            sp => format!("{} {sp}", pen.leader_short(&r.leader)),
        };
        match groups.iter_mut().find(|(at, _)| *at == (r.turn, r.hex)) {
            Some((_, names)) => names.push(who),
            None => groups.push(((r.turn, r.hex), vec![who])),
        }
    }
    let said = |((turn, hex), names): &((u32, Hex), Vec<String>)| {
        format!("turn {turn} at {} {}", pen.at(*hex), names.join(", "))
    };
    let all: Vec<String> = groups.iter().map(said).collect();
    if all.is_empty() {
        return Vec::new();
    }
    text::wrap(&format!("expected {}", all.join("; ")), pen.width(), "  ", 4)
}

/// Units on a leader's own track, foot first, guns last; what else there is to say of the leader stands after them.
fn units(pen: &Pen<'_>, id: &LeaderId) -> String {
    let mut words = track(pen, &pen.v.own, id);
    if let Some(leader) = pen.v.own.leaders.get(id) {
        if leader.forage {
            words.push("(forage)".to_owned());
        }
        if leader.under.is_none() && pen.v.own.unemployed(id) {
            words.push("(unemployed)".to_owned());
        }
    }
    if pen.v.own_face_up.contains(&Piece::Leader(id.clone())) {
        words.push("(face up)".to_owned());
    }
    if let Some(turn) = pen.v.old.get(id) {
        words.push(glued(&format!("(as of turn {turn})")));
    }
    words.join(" ")
}

/// Units of a track with their SP.
pub fn track(pen: &Pen<'_>, pieces: &Pieces, id: &LeaderId) -> Vec<String> {
    let arm = |unit: &UnitId| pen.v.board.units.get(unit).map_or(Arm::Infantry, |s| s.arm);
    let mut units: Vec<(&UnitId, &Unit)> = pieces.units_of(std::slice::from_ref(id));
    units.sort_by_key(|(unit, _)| arm(unit));
    let still = |u: &Unit| if u.immobile { "!" } else { "" };
    let word = |(unit, u): &(&UnitId, &Unit)| format!("{} {}{}", pen.unit(unit, Some(id)), u.sp, still(u));
    // A word longer than the column may break, the others not.
    units.iter().map(word).map(|w| if text::width(&w) < UNITS { glued(&w) } else { w }).collect()
}

/// Vedettes by number, and the pool.
fn vedettes(pen: &Pen<'_>) -> Vec<String> {
    let mut words = Vec::new();
    let mut pool = 0;
    for (n, vedette) in &pen.v.own.vedettes {
        match vedette {
            Vedette::Pool => pool += 1,
            Vedette::Portrait(id) => words.push(glued(&format!("v{n} with {}", pen.leader(id)))),
            Vedette::At(hex) if pen.v.own_face_up.contains(&Piece::Vedette(*n)) => {
                words.push(glued(&format!("v{n} {hex} (face up)")));
            }
            Vedette::At(hex) => words.push(glued(&format!("v{n} {hex}"))),
        }
    }
    words.push(format!("pool {pool}"));
    pen.labelled("Vedettes", &words.join("  "))
}

/// Center, source, line of communication, Administrative Points, trains.
fn center(pen: &Pen<'_>) -> Vec<String> {
    let specs = pen.v.board.side(&pen.v.own.side).map(|s| s.armies.as_slice()).unwrap_or_default();
    let mut said: Vec<String> = specs
        .iter()
        .filter_map(|spec| {
            Some(format!("{}: {}", pen.plain(&spec.name), of_army(pen, pen.v.own.army_named(&spec.id)?)))
        })
        .collect();
    if said.is_empty() {
        said.push(of_army(pen, &pen.v.own.army));
    }
    let mut said = said.join("  ");
    let trains: Vec<String> = pen.v.own.leaders.iter().filter(|(_, l)| l.train).map(|(id, _)| pen.leader(id)).collect();
    if !trains.is_empty() {
        said.push_str(&format!("  Bridge trains: {}.", trains.join(", ")));
    }
    let closed = pen.v.own.army.pool_closed_until;
    if pen.v.turn < closed {
        said.push_str(&format!("  No replacements before turn {closed}."));
    }
    said.push_str(&bridging(pen));
    pen.labelled("Center", &said)
}

/// Center, source, line of communication and Administrative Points of one army.
fn of_army(pen: &Pen<'_>, army: &Army) -> String {
    let mut said = match (army.center, &army.center_returns) {
        (Some(hex), _) if army.anchor.is_some() => format!("{}, which does not move.", pen.at(hex)),
        (Some(hex), _) => {
            let how = if army.center_moved { "moved, inactive" } else { "active" };
            format!("{}, {how}, {}.", pen.at(hex), line(pen, army))
        }
        (None, Some((turn, _))) => format!("disbanded, returns on turn {turn}."),
        (None, None) => "off the map.".to_owned(),
    };
    if let Some(source) = army.source {
        said.push_str(&format!("  Source {}.", pen.at(source)));
    }
    if let Some(to) = army.source_moving {
        said.push_str(&format!("  Source moving to {}.", pen.at(to)));
    }
    if army.via {
        said.push_str("  Its line goes by the other army's center.");
    }
    said.push_str(&format!("  AP {}.", army.ap));
    said
}

/// ¶61, 257-260, 295 Pontoons, trestles, redoubts and bridge trains that lie on the map, for both sides to see.
fn bridging(pen: &Pen<'_>) -> String {
    let whose = |side: &SideId| if pen.mine(side) { "yours" } else { "the enemy's" };
    let mut said = String::new();
    for (edge, side) in &pen.v.pontoons {
        let (a, b) = edge.hexes();
        said.push_str(&format!("  Pontoon {a}/{b}, {}.", whose(side)));
    }
    for edge in pen.v.trestles.iter() {
        let (a, b) = edge.hexes();
        let down = if pen.v.damaged.contains(edge) { ", down" } else { "" };
        said.push_str(&format!("  Trestle {a}/{b}{down}."));
    }
    for (whose, redoubts) in [("yours", &pen.v.own.redoubts), ("the enemy's", &pen.v.enemy_redoubts)] {
        for (hex, redoubt) in redoubts.iter() {
            let front: Vec<String> = redoubt.front(*hex).iter().map(Hex::to_string).collect();
            let left = match redoubt.left {
                0 => String::new(),
                left => format!(", {} more to dig", plural(left, "turn", "turns")),
            };
            said.push_str(&format!("  Redoubt {} toward {}, {whose}{left}.", pen.at(*hex), and_list(&front)));
        }
    }
    for (hex, (side, n)) in &pen.v.trains {
        let many = if *n > 1 { format!("{n} bridge trains") } else { "Bridge train".to_owned() };
        said.push_str(&format!("  {many} on the map at {}, {}.", pen.at(*hex), whose(side)));
    }
    said
}

/// The line of communication as last traced; before the first trace as it would be.
pub fn line(pen: &Pen<'_>, army: &Army) -> String {
    let untraced = match &pen.v.at {
        At::Setup | At::Weather => true,
        // The second side traces its first line in its own player-turn.
        At::Packet(p)
        | At::Own(p)
        | At::CloseMove(p)
        | At::Reaction(p)
        | At::Designate(p)
        | At::Round(p, _)
        | At::Close(p) => !pen.mine(p) && pen.v.board.sides.first().is_some_and(|first| first.id == *p),
        At::Over => false,
    };
    let first = untraced && pen.v.turn <= pen.v.board.turns.0;
    let fresh = || -> Option<Loc> { pen.v.situation().loc(army.source?, army.center?) };
    let traced = army.loc.clone().or_else(|| if first { fresh() } else { None });
    match traced {
        Some(loc) => format!("LOC {} of {}", loc.effective.max(0), pen.v.board.policies.max_loc(&pen.v.own.side)),
        None => "no LOC".to_owned(),
    }
}

/// Reinforcements that are still to come, and replacement points.
fn coming(pen: &Pen<'_>) -> Vec<String> {
    let waits = |id: &LeaderId| {
        let boxed = pen.v.own.leaders.get(id).is_some_and(|l| l.place == Place::Waiting);
        boxed && !pen.v.own.army.arrived.contains(id)
    };
    let mut groups: Vec<((u32, Hex), Vec<String>)> = Vec::new();
    for r in &pen.v.board.reinforcements {
        if Some(&r.side) != pen.v.side.as_ref() || !waits(&r.leader) {
            continue;
        }
        let who = match r.units.values().sum::<i32>() {
            0 => pen.leader_short(&r.leader),
            sp => glued(&format!("{} {sp}", pen.leader_short(&r.leader))),
        };
        match groups.iter_mut().find(|(at, _)| *at == (r.turn, r.hex)) {
            Some((_, names)) => names.push(who),
            None => groups.push(((r.turn, r.hex), vec![who])),
        }
    }
    let off = pen.v.own.leaders.iter().filter(|(_, l)| l.under.is_none()).filter_map(|(id, l)| match l.place {
        Place::Off(exit) => {
            let who = glued(&format!("{} {}", pen.leader_short(id), pen.v.own.sp(id)));
            Some(match pen.v.own.army.abroad.get(id) {
                Some(away) => {
                    let at = away.to.map_or_else(String::new, |hex| format!(" at {}", glued(&pen.at(hex))));
                    format!("{who} back from turn {} on{at}", away.turn)
                }
                None => format!("{who} back near {}", glued(&pen.at(exit))),
            })
        }
        // ¶414: who has been released with the honours of war.
        Place::Bound(Some(turn)) if turn > pen.v.turn => {
            Some(format!("{} {}", pen.leader_short(id), glued(&format!("free from turn {turn} on"))))
        }
        Place::Bound(None) => Some(glued(&format!("{} not free again", pen.leader_short(id)))),
        Place::At(_) | Place::Waiting | Place::Gone(_) | Place::Bound(_) => None,
    });
    let track = groups.iter().map(|((turn, hex), names)| {
        format!("{} {}, {}", glued(&format!("turn {turn}:")), names.join(", "), glued(&pen.at(*hex)))
    });
    let words: Vec<String> = off.chain(track).collect();
    let mut lines = Vec::new();
    if !words.is_empty() {
        lines.extend(pen.labelled("Expected", &words.join("; ")));
    }
    let pool: Vec<String> =
        pen.v.own.army.pool.iter().filter(|(_, n)| **n > 0).map(|(k, n)| points(pen, k, *n)).collect();
    if !pool.is_empty() {
        lines.extend(pen.labelled("Pool", &format!("replacement points: {}", pool.join(", "))));
        lines.extend(empty(pen));
    }
    lines
}

/// Empty counters that points of the pool may fill (¶115, 126).
fn empty(pen: &Pen<'_>) -> Vec<String> {
    let boxed = pen.v.own.units.iter().filter(|(_, u)| u.track == Track::Waiting);
    let names: Vec<String> = boxed.map(|(id, _)| glued(&pen.unit(id, None))).collect();
    if names.is_empty() { Vec::new() } else { pen.labelled("Box", &format!("empty: {}", names.join(", "))) }
}

fn points(pen: &Pen<'_>, (nation, arm): &(String, Arm), n: i32) -> String {
    format!("{} {} {n}", pen.plain(nation), super::pen::arm_short(*arm).to_ascii_lowercase())
}

/// ¶5 Both markers, where each side has a track.
fn tracks(pen: &Pen<'_>) -> String {
    let chart = &pen.v.board.tables.morale;
    let one = |(side, level): (&crate::fog::SideId, &i32)| {
        format!("{} {level}", glued(&pen.plain(chart.named(side).unwrap_or("morale"))))
    };
    let both: Vec<String> = pen.v.tracks.iter().map(one).collect();
    format!("{}; who comes to -{} has lost.", both.join(", "), pen.v.board.policies.morale_limit)
}

/// ¶411 The one marker that both sides have.
fn one_track(pen: &Pen<'_>) -> String {
    let (v, limit) = (pen.v, pen.v.board.policies.morale_limit);
    match v.morale.cmp(&0) {
        std::cmp::Ordering::Equal => format!("even, of {limit}."),
        std::cmp::Ordering::Greater => format!("{} of {limit} for France.", v.morale),
        std::cmp::Ordering::Less => format!("{} of {limit} for the Coalition.", -v.morale),
    }
}

/// Morale, objectives, sieges: public.
fn standing(pen: &Pen<'_>) -> Vec<String> {
    let v = pen.v;
    let mut said = if v.tracks.is_empty() { one_track(pen) } else { tracks(pen) };
    for side in &v.board.sides {
        let held: Vec<String> = v
            .board
            .objectives
            .iter()
            .filter(|o| v.control.get(&o.hex) == Some(&side.id))
            .map(|o| format!("{} {}", pen.plain(&o.name), o.hex))
            .collect();
        if !held.is_empty() {
            said.push_str(&format!(
                "  {} {}: {}.",
                pen.side(&side.id),
                if held.len() == 1 { "holds" } else { "hold" },
                held.join(", ")
            ));
        }
    }
    for hex in &v.sieges {
        said.push_str(&format!("  Siege of {}.", pen.at(*hex)));
    }
    let mut lines = pen.labelled("Morale", &said);
    let plans: Vec<String> = v.own.plans.iter().map(|(hex, c)| format!("{hex} {}", c.join(" "))).collect();
    if !plans.is_empty() {
        lines.extend(pen.labelled("Plans", &plans.join("; ")));
    }
    lines
}

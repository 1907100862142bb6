//! How questions are worded, how answers are written, and how they are read back.

use super::battle::Marker;
use super::clause::{Chase, Clause, Control, Counter, Pick, Star};
use super::later::Join;
use super::prompt::battle;
use super::{clause, reserve, types};
use crate::orders::{Args, Fault};
use crate::rules::campaigns::board::UnitId;
use crate::rules::campaigns::combat::question::{Answer, Prompt, What};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// The question, its paragraphs, and lines to copy.
pub fn wording(v: &View, p: &Prompt) -> (String, String, Vec<String>) {
    let hex = p.hex;
    let place = v.board.map.name(hex).map_or_else(|| hex.to_string(), |name| format!("{name} {hex}"));
    let yes_no = |q: &str, rule: &str, word: &str| {
        let lines = vec![format!("BATTLE {hex} {word} YES"), format!("BATTLE {hex} {word} NO")];
        (format!("{place}: {q}"), rule.to_owned(), lines)
    };
    let with = |q: String, rule: &str, words: &[&str]| {
        (format!("{place}: {q}"), rule.to_owned(), words.iter().map(|w| format!("BATTLE {hex} {w}")).collect())
    };
    match &p.what {
        What::Siege => with("be besieged in the citadel, or fight?".to_owned(), "¶307", &["SIEGE TAKE", "SIEGE FIGHT"]),
        What::Leave(piece) => {
            let name = piece_name(v, piece);
            with(format!("does {name} leave before combat?"), "¶314", &["LEAVE 2", "LEAVE 1", "STAY"])
        }
        What::Reserve => with("which units go into reserve?".to_owned(), "¶315-317", &["RESERVE MIN", "RESERVE NONE"]),
        What::Commit => with("which units come out of reserve?".to_owned(), "¶322", &["COMMIT ALL", "COMMIT NONE"]),
        What::Type => {
            let open = battle(v, p).map(|b| types::legal(v, b)).unwrap_or_default();
            let lines = open.iter().map(|m| format!("BATTLE {hex} TYPE {}", m.word())).collect();
            let round = battle(v, p).map_or(1, |b| b.round);
            (format!("{place}: your battle type for round {round}?"), "¶327-335".to_owned(), lines)
        }
        What::Forward => with("which guns go forward?".to_owned(), "¶349", &["FORWARD NONE", "FORWARD ALL"]),
        What::Stake => yes_no("commit the Old Guard?", "¶362-364", "STAKE"),
        What::Bonus { die, results, best: _ } => with(
            format!(
                "the die is {die}: with the star taken off {}, without it {}, with it added {}. Which?",
                results[0], results[1], results[2]
            ),
            "¶365",
            &["BONUS SUB", "BONUS NONE", "BONUS ADD"],
        ),
        What::Override { number } => yes_no(
            &format!("the marker revealed is Pitched: retreat {number} instead of losing SP?"),
            "¶400",
            "OVERRIDE",
        ),
        What::Advance => yes_no("the hex is empty: advance into it?", "¶300", "ADVANCE"),
        What::Counter { free } => {
            let words: &[&str] = if *free {
                &["COUNTER NONE", "COUNTER STRONGEST", "COUNTER ALL"]
            } else {
                &["COUNTER STRONGEST", "COUNTER ALL"]
            };
            with("against whom do you counterattack?".to_owned(), "¶300, 401", words)
        }
        What::Retreat { .. } | What::Rearguard { .. } | What::Pursue { .. } => chasing(p, &place),
        What::Control => with(
            "you hold control of the battle: attack, stay or retreat?".to_owned(),
            "¶410",
            &["DYNAMICS ATTACK", "DYNAMICS STAY", "DYNAMICS RETREAT"],
        ),
        What::Guns(_) | What::Mode(_) | What::Join(_) => between(v, p, &place),
        What::Enter => with("the citadel surrenders: enter it?".to_owned(), "¶414", &["SIEGE ENTER", "SIEGE STAY"]),
        What::Napoleon => with(
            "Napoleon is captured: end the game, or shift morale by two?".to_owned(),
            "¶396",
            &["NAPOLEON END", "NAPOLEON SHIFT"],
        ),
        What::Morale => with(
            "morale favours you: is their marker to fall, or yours to rise?".to_owned(),
            "¶5",
            &["MORALE ENEMY", "MORALE OWN"],
        ),
    }
}

/// The questions between two rounds.
fn between(v: &View, p: &Prompt, place: &str) -> (String, String, Vec<String>) {
    let with = |q: String, rule: &str, words: [&str; 2]| {
        let lines = words.iter().map(|w| format!("BATTLE {} {w}", p.hex)).collect();
        (format!("{place}: {q}"), rule.to_owned(), lines)
    };
    match &p.what {
        What::Guns(id) => {
            let q = format!("does {} march to the sound of the guns?", words::name(v, id));
            with(q, "¶337-339", ["GUNS MARCH", "GUNS HOLD"])
        }
        What::Mode(id) => {
            let q = format!("does {} try to concentrate?", words::name(v, id));
            with(q, "¶281", ["MODE CONCENTRATE", "MODE FORAGE"])
        }
        What::Join(id) => {
            let q = format!("{} has lost his enemy: does he join this battle?", words::name(v, id));
            with(q, "¶302", ["JOIN NEAREST", "JOIN NO"])
        }
        _ => (String::new(), String::new(), Vec::new()),
    }
}

/// The questions of a retreat and of a pursuit.
fn chasing(p: &Prompt, place: &str) -> (String, String, Vec<String>) {
    let hex = p.hex;
    match &p.what {
        What::Retreat { ways } => {
            let lines = ways.iter().map(|w| format!("BATTLE {hex} RETREAT {}", hexes(w))).collect();
            (format!("{place}: by which path do you retreat?"), "¶371".to_owned(), lines)
        }
        What::Rearguard { number } => {
            let lines = (1..=*number).map(|n| format!("BATTLE {hex} REARGUARD HEXES {n}")).collect();
            (format!("{place}: of {number}, how many as hexes? The rest is SP."), "¶335".to_owned(), lines)
        }
        What::Pursue { path } => {
            let lines = ["YES", "NO"].map(|w| format!("BATTLE {hex} PURSUE {w}")).to_vec();
            (format!("{place}: he retreats by {}: do you pursue?", hexes(path)), "¶380".to_owned(), lines)
        }
        _ => (String::new(), String::new(), Vec::new()),
    }
}

fn piece_name(v: &View, piece: &Piece) -> String {
    match piece {
        Piece::Leader(id) => words::name(v, id),
        Piece::Vedette(n) => format!("v{n}"),
        Piece::Garrison(id) => v.board.units.get(id).map_or_else(|| id.to_string(), |s| s.name.clone()),
    }
}

fn hexes(path: &[crate::hex::Hex]) -> String {
    path.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A name as the order language takes it.
fn quoted(name: &str) -> String {
    if name.contains(' ') { format!("\"{name}\"") } else { name.to_owned() }
}

fn units(v: &View, units: &[UnitId]) -> String {
    if units.is_empty() {
        return "NONE".to_owned();
    }
    let name = |u: &UnitId| quoted(&v.board.units.get(u).map_or_else(|| u.to_string(), |s| s.name.clone()));
    units.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// An answer as a line.
pub fn line(v: &View, p: &Prompt, answer: &Answer) -> String {
    let words = match (&p.what, answer) {
        (What::Siege, Answer::Yes(yes)) => (if *yes { "SIEGE FIGHT" } else { "SIEGE TAKE" }).to_owned(),
        (What::Stake, Answer::Yes(yes)) => format!("STAKE {}", yes_no(*yes)),
        (What::Override { .. }, Answer::Yes(yes)) => format!("OVERRIDE {}", yes_no(*yes)),
        (What::Advance, Answer::Yes(yes)) => format!("ADVANCE {}", yes_no(*yes)),
        (What::Guns(_), Answer::Yes(yes)) => (if *yes { "GUNS MARCH" } else { "GUNS HOLD" }).to_owned(),
        (What::Mode(_), Answer::Yes(yes)) => (if *yes { "MODE CONCENTRATE" } else { "MODE FORAGE" }).to_owned(),
        (What::Join(_), Answer::Yes(yes)) => (if *yes { "JOIN NEAREST" } else { "JOIN NO" }).to_owned(),
        (What::Enter, Answer::Yes(yes)) => (if *yes { "SIEGE ENTER" } else { "SIEGE STAY" }).to_owned(),
        (What::Morale, Answer::Yes(yes)) => (if *yes { "MORALE OWN" } else { "MORALE ENEMY" }).to_owned(),
        (What::Napoleon, Answer::Yes(yes)) => (if *yes { "NAPOLEON END" } else { "NAPOLEON SHIFT" }).to_owned(),
        (_, Answer::Yes(yes)) => yes_no(*yes).to_owned(),
        (_, Answer::Leave(0)) => "STAY".to_owned(),
        (_, Answer::Leave(n)) => format!("LEAVE {n}"),
        (What::Reserve, Answer::Units(u)) => format!("RESERVE {}", units(v, u)),
        (What::Forward, Answer::Units(u)) => format!("FORWARD {}", units(v, u)),
        (_, Answer::Units(u)) => format!("COMMIT {}", units(v, u)),
        (_, Answer::Marker(m)) => format!("TYPE {}", m.word()),
        (_, Answer::Star(star)) => format!(
            "BONUS {}",
            match star {
                Star::Best => "BEST",
                Star::Add => "ADD",
                Star::Sub => "SUB",
                Star::None => "NONE",
            }
        ),
        (_, Answer::Counter(how, hold)) => {
            let how = match how {
                Counter::Strongest => "STRONGEST".to_owned(),
                Counter::All => "ALL".to_owned(),
                Counter::None => "NONE".to_owned(),
                Counter::At(at) => hexes(at),
                Counter::Split(parts) => {
                    let part = |(l, hex): &(_, _)| format!("{} AT {hex}", words::order_name(v, l));
                    format!("SPLIT {}", parts.iter().map(part).collect::<Vec<_>>().join(" "))
                }
            };
            if *hold > 0 { format!("COUNTER {how} HOLD {hold}") } else { format!("COUNTER {how}") }
        }
        (_, Answer::Control(control)) => format!(
            "DYNAMICS {}",
            match control {
                Control::Attack => "ATTACK",
                Control::Stay => "STAY",
                Control::Retreat => "RETREAT",
            }
        ),
        (_, Answer::Way(way)) => format!("RETREAT {}", hexes(way)),
        (_, Answer::Hexes(n)) => format!("REARGUARD HEXES {n}"),
        (_, Answer::Pursue(chase)) => pursue(v, chase),
    };
    format!("BATTLE {} {words}", p.hex)
}

fn yes_no(yes: bool) -> &'static str {
    if yes { "YES" } else { "NO" }
}

fn pursue(v: &View, chase: &Chase) -> String {
    if !chase.pursue {
        return "PURSUE NO".to_owned();
    }
    let mut line = "PURSUE".to_owned();
    if chase.with.is_empty() {
        line.push_str(" YES");
    } else {
        let names: Vec<String> = chase.with.iter().map(|l| words::order_name(v, l)).collect();
        line.push_str(&format!(" WITH {}", names.join(", ")));
    }
    if let Some(max) = chase.max {
        line.push_str(&format!(" MAX {max}"));
    }
    if !chase.stop_at_zone {
        line.push_str(" INTO ZOC");
    }
    if chase.repulse {
        line.push_str(" REPULSE");
    }
    for (leader, hex) in &chase.drops {
        line.push_str(&format!(" DROP {} AT {hex}", words::order_name(v, leader)));
    }
    line
}

/// Reads the words of an answer.
///
/// # Errors
/// The fault of the line.
pub fn read(v: &View, p: &Prompt, args: &mut Args<'_>) -> Result<Answer, Fault> {
    match &p.what {
        What::Leave(piece) => leave(v, piece, args),
        What::Napoleon => {
            args.key("NAPOLEON");
            Ok(Answer::Yes(args.one_of("END or SHIFT", &["END", "SHIFT"])? == "END"))
        }
        What::Morale => {
            args.key("MORALE");
            Ok(Answer::Yes(args.one_of("ENEMY or OWN", &["ENEMY", "OWN"])? == "OWN"))
        }
        What::Guns(_) => {
            args.key("GUNS");
            Ok(Answer::Yes(args.one_of("MARCH or HOLD", &["MARCH", "HOLD"])? == "MARCH"))
        }
        _ => {
            let clause = clause::read(v, args)?;
            taken(v, p, clause)
        }
    }
}

fn leave(v: &View, piece: &Piece, args: &mut Args<'_>) -> Result<Answer, Fault> {
    // `VEDETTE 3 LEAVE 2` names the vedette, which another question may be about.
    if args.key("VEDETTE") || args.key("FORCE") {
        let named = match piece {
            Piece::Vedette(n) => words::vedette(v, args)? == *n,
            Piece::Leader(id) => words::leader(v, args)? == *id,
            Piece::Garrison(_) => false,
        };
        if !named {
            return Err(Fault::refused(format!("the question is about {}", piece_name(v, piece)), "¶314"));
        }
    }
    match args.one_of("LEAVE or STAY", &["LEAVE", "STAY"])? {
        "STAY" => Ok(Answer::Leave(0)),
        _ if args.done() => Ok(Answer::Leave(2)),
        _ => match args.number("1 or 2")? {
            n @ 1..=2 => Ok(Answer::Leave(n)),
            _ => Err(Fault::refused("it may leave by one or two hexes", "¶314")),
        },
    }
}

/// An answer out of a clause, if it answers the question.
fn taken(v: &View, p: &Prompt, clause: Clause) -> Result<Answer, Fault> {
    let own = battle(v, p);
    match (&p.what, clause) {
        (What::Siege, Clause::Siege(s)) => Ok(Answer::Yes(s == clause::Siege::Fight)),
        (What::Enter, Clause::Siege(s)) => Ok(Answer::Yes(s == clause::Siege::Enter)),
        (What::Mode(_), Clause::Mode(yes)) => Ok(Answer::Yes(yes)),
        (What::Join(_), Clause::Join(join)) => Ok(Answer::Yes(join != Join::No)),
        (What::Stake, Clause::Stake(yes)) => Ok(Answer::Yes(yes)),
        (What::Override { .. }, Clause::Override(yes)) => Ok(Answer::Yes(yes)),
        (What::Advance, Clause::Advance(yes)) => Ok(Answer::Yes(yes)),
        (What::Reserve, Clause::Reserve(pick)) => {
            let units = own.map(|b| reserve::complete(v, b, &pick)).unwrap_or_default();
            Ok(Answer::Units(units.into_iter().collect()))
        }
        (What::Commit, Clause::Commit(pick, _)) => {
            let units = own.map(|b| reserve::fit(v, b, &pick)).unwrap_or_default();
            Ok(Answer::Units(units.into_iter().collect()))
        }
        (What::Forward, Clause::Forward(pick, _)) => Ok(Answer::Units(guns(v, p, &pick))),
        (What::Type, Clause::Type(plan)) => {
            let marker = plan.first().map_or(Marker::Pursuit, |(m, _)| *m);
            let open = own.map(|b| types::legal(v, b)).unwrap_or_default();
            if open.contains(&marker) {
                return Ok(Answer::Marker(marker));
            }
            let copy = open.first().map(|m| format!("BATTLE {} TYPE {}", p.hex, m.word()));
            let why = format!("{} is not open to you in this round", marker.word());
            Err(Fault::Refused { why, rule: "¶327-335".to_owned(), copy })
        }
        (What::Bonus { .. }, Clause::Bonus(star)) => Ok(Answer::Star(star)),
        (What::Counter { free: false }, Clause::Counter(Counter::None, _)) => {
            Err(Fault::refused("you must counterattack at least the strongest hex", "¶401"))
        }
        (What::Counter { .. }, Clause::Counter(how, hold)) => Ok(Answer::Counter(how, hold)),
        (What::Retreat { ways }, Clause::Retreat(way)) => {
            let fits = |w: &&Vec<_>| **w == way || way.iter().all(|h| w.contains(h));
            match ways.iter().find(fits) {
                Some(found) => Ok(Answer::Way(found.clone())),
                None => Err(Fault::refused("that is none of the paths that are open", "¶371")),
            }
        }
        (What::Rearguard { number }, Clause::Rearguard(n)) => Ok(Answer::Hexes(n.clamp(1, *number))),
        (What::Control, Clause::Dynamics(control)) => Ok(Answer::Control(control)),
        (What::Pursue { .. }, Clause::Pursue(chase)) => Ok(Answer::Pursue(chase)),
        _ => Err(Fault::refused("that is not what is asked", "")),
    }
}

/// Own guns in line that a pick for Batteries Forward names.
pub fn guns(v: &View, p: &Prompt, pick: &Pick<UnitId>) -> Vec<UnitId> {
    let Some(b) = battle(v, p) else { return Vec::new() };
    let artillery =
        |id: &UnitId| v.board.units.get(id).is_some_and(|s| s.arm == crate::rules::campaigns::board::Arm::Artillery);
    let all: Vec<UnitId> = b
        .ground()
        .iter()
        .flat_map(|h| b.own.units(&v.own, *h))
        .map(|(id, _)| id)
        .filter(|id| artillery(id) && !b.own.reserve.contains(id))
        .collect();
    super::prompt::picked(pick, &all)
}

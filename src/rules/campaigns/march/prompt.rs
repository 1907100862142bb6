//! Questions during movement: what a force or vedette does at a contact (¶241-250).

use super::path;
use super::read::hexes;
use crate::hex::Hex;
use crate::orders::{Args, Fault, Line};
use crate::rules::Ask;
use crate::rules::campaigns::march::question::{Answer, Prompt};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;
use crate::rules::journal::Book;

/// Its place in the journal: own names and public words only.
pub fn address(p: &Prompt) -> String {
    let (piece, hex) = p.parts();
    let who = match piece {
        Piece::Leader(id) => id.0.clone(),
        Piece::Vedette(n) => format!("v{n}"),
        Piece::Garrison(id) => id.0.clone(),
    };
    match p {
        Prompt::Contact { .. } => format!("contact/{who}/{hex}"),
        Prompt::GoOn { .. } => format!("go-on/{who}/{hex}"),
        Prompt::Patrol { .. } => format!("patrol/{who}/{hex}"),
    }
}

/// The words with which an answer begins.
fn head(v: &View, piece: &Piece) -> String {
    match piece {
        Piece::Leader(id) => format!("FORCE {}", words::order_name(v, id)),
        Piece::Vedette(n) => format!("VEDETTE {n}"),
        Piece::Garrison(id) => format!("GARRISON {id}"),
    }
}

fn name(v: &View, piece: &Piece) -> String {
    match piece {
        Piece::Leader(id) => words::name(v, id),
        Piece::Vedette(n) => format!("v{n}"),
        Piece::Garrison(id) => id.to_string(),
    }
}

/// The enemy counters of some hexes as the seat knows them: `E6 in 2345`.
pub fn counters(v: &View, on: &[Hex]) -> String {
    let mut said = Vec::new();
    for hex in on {
        let tags: Vec<String> = v.tags_at(*hex).iter().map(|n| format!("E{n}")).collect();
        let who = if tags.is_empty() { "the enemy garrison".to_owned() } else { tags.join(" ") };
        said.push(format!("{who} in {hex}"));
    }
    said.join(" and ")
}

/// The question as its seat reads it.
pub fn ask(v: &View, p: &Prompt) -> Ask {
    let (piece, hex) = p.parts();
    let (head, who) = (head(v, &piece), name(v, &piece));
    let line = |word: &str| format!("{head} {word}");
    match p {
        Prompt::Contact { met, forced, .. } => {
            let foes = counters(v, met);
            let strength = match &piece {
                Piece::Leader(id) => format!(" with {} SP", v.own.sp(id)),
                Piece::Vedette(_) | Piece::Garrison(_) => String::new(),
            };
            let place =
                if *forced { format!("is about to come to {hex}, next to") } else { format!("is in {hex}, next to") };
            let mut answers = vec![line("REPULSE")];
            let sit = v.situation();
            if met.iter().all(|h| sit.enemy.get(h).is_none_or(|there| there.zone() != Firm::Yes)) {
                answers.push(line("GO"));
            }
            answers.push(line("STOP"));
            Ask {
                question: format!("{who} {place} {foes}. It may declare a repulse{strength}."),
                rule: if *forced { "¶241, 244" } else { "¶241, 250" }.to_owned(),
                default: line("STOP"),
                answers,
            }
        }
        Prompt::Patrol { .. } => Ask {
            question: format!("The enemy has come next to {who} in {hex}. It may pass for a vedette."),
            rule: "¶231".to_owned(),
            answers: vec![line("GO"), line("STOP")],
            default: line("GO"),
        },
        Prompt::GoOn { repulsed, .. } => Ask {
            question: if *repulsed {
                format!("The repulse succeeded. {who} is in {hex} and may go on.")
            } else {
                format!("What {who} met has shown itself and does not stop it. It is in {hex} and may go on.")
            },
            rule: if *repulsed { "¶242" } else { "¶239" }.to_owned(),
            answers: vec![line("GO"), line("STOP"), line(&format!("MARCH {}", onward(v, hex)))],
            default: line("GO"),
        },
    }
}

/// A path of one step from a hex, as an example.
fn onward(v: &View, hex: Hex) -> String {
    let sit = v.situation();
    let open = v
        .board
        .map
        .neighbours(hex)
        .into_iter()
        .find(|n| !sit.enemy.contains_key(n) && sit.step(hex, *n, true).is_some());
    hexes(&std::iter::once(hex).chain(open).collect::<Vec<_>>())
}

/// Reads an answer: whole, or its last word alone.
///
/// # Errors
/// The fault of the line.
pub fn read(v: &View, p: &Prompt, line: &Line) -> Result<Answer, Fault> {
    let (piece, hex) = p.parts();
    let mut args = Args::new(line, 0);
    match &piece {
        Piece::Leader(id) if args.key("FORCE") => {
            args.name("the force that is asked for", &[(words::name(v, id), ()), (code(v, p), ())])?;
        }
        Piece::Vedette(n) if args.key("VEDETTE") => {
            let number = args.peek().and_then(|w| w.fold.trim_start_matches('v').parse::<u32>().ok());
            if number != Some(*n) {
                return Err(args.fault(&format!("vedette {n}, which is asked for"), []));
            }
            args.next_word();
        }
        _ => {}
    }
    let answer = match p {
        Prompt::Contact { .. } => match args.one_of("REPULSE, GO or STOP", &["REPULSE", "GO", "STOP"])? {
            "REPULSE" => Answer::Repulse,
            "GO" => Answer::Go,
            _ => Answer::Stop,
        },
        Prompt::Patrol { .. } => match args.one_of("GO or STOP", &["GO", "STOP"])? {
            "GO" => Answer::Go,
            _ => Answer::Stop,
        },
        Prompt::GoOn { .. } => match args.one_of("GO, STOP or MARCH", &["GO", "STOP", "MARCH"])? {
            "GO" => Answer::Go,
            "STOP" => Answer::Stop,
            _ => {
                let head = head(v, &piece);
                Answer::March(path::read(v, &mut args, hex, &|way| format!("{head} MARCH {}", hexes(way)))?)
            }
        },
    };
    if args.done() { Ok(answer) } else { Err(args.fault("the end of the answer", [])) }
}

fn code(v: &View, p: &Prompt) -> String {
    match p.parts().0 {
        Piece::Leader(id) => v.board.leaders.get(&id).map_or_else(String::new, |s| s.code.clone()),
        Piece::Vedette(_) | Piece::Garrison(_) => String::new(),
    }
}

/// The doctrine's answer; `None` where the seat wants to be asked. STOP declares no repulse: a force that holds its zone
/// stops the march, vedettes that show themselves do not.
pub fn doctrine(v: &View, p: &Prompt, book: &Book) -> Option<String> {
    let head = head(v, &p.parts().0);
    match p {
        Prompt::Contact { .. } => match book.get("CONTACT").map(str::to_ascii_uppercase).as_deref() {
            Some("ASK") => None,
            Some("REPULSE") => Some(format!("{head} REPULSE")),
            _ => Some(format!("{head} GO")),
        },
        Prompt::Patrol { .. } => {
            let no = book.get("PATROL").is_some_and(|v| v.eq_ignore_ascii_case("NO"));
            Some(format!("{head} {}", if no { "STOP" } else { "GO" }))
        }
        Prompt::GoOn { .. } => Some(format!("{head} GO")),
    }
}

//! What an umpire corrects: where a counter stands, strengths, points, modes, morale, weather, what a side has learnt.
//!
//! An amendment is an event like any other: it is told to whoever would see it on the map, and to its own side.

use super::flow::event::Partly;
use super::flow::told::{Open, Why};
use super::intel::{Ident, Intel};
use super::pieces::Piece;
use super::state::State;
use super::tables::Conditions;
use super::umpire::{Event, known};
use super::view::View;
use super::{Campaigns, event, words};
use crate::fog::{SideId, Viewer, see};
use crate::orders::{Args, Fault, Line};
use crate::rules::Reckoning;

/// What can be amended, for who writes something else.
const WHAT: [&str; 9] = ["PLACE", "STRENGTH", "AP", "MODE", "FACE", "MORALE", "WEATHER", "BRIDGE", "INTEL"];

/// The events of an amendment of one side.
///
/// # Errors
/// What is not understood or cannot be.
pub fn amend(s: &State, minds: &[(SideId, Intel)], side: &SideId, line: &Line) -> Result<Vec<event::Event>, Fault> {
    let empty = Intel::default();
    let mind = minds.iter().find(|(s, _)| s == side).map_or(&empty, |(_, mind)| mind);
    let v = see::<Campaigns>(s, mind, Viewer::Side(side.clone())).into_parts().1;
    let mut args = Args::new(line, 0);
    let own = |e: Event| vec![event::Event::Umpire(e)];
    let side = side.clone();
    let events = match args.one_of("what is amended", &WHAT)? {
        "PLACE" => place(&v, &side, &mut args)?,
        "STRENGTH" => {
            let unit = words::unit(&v, &mut args)?;
            let sp = args.number("a strength in SP")?;
            own(Event::Strength { side, unit, sp })
        }
        "AP" => own(Event::Points { side, ap: args.number("a number of points")? }),
        "MODE" => {
            let leader = words::leader(&v, &mut args)?;
            let forage = args.one_of("FORAGE or CONCENTRATED", &["FORAGE", "CONCENTRATED"])? == "FORAGE";
            own(Event::Mode { side, leader, forage })
        }
        "FACE" => {
            let piece = piece(&v, &mut args)?;
            let up = args.one_of("UP or DOWN", &["UP", "DOWN"])? == "UP";
            let event = if up { Partly::Shown { side, piece } } else { Partly::Hidden { side, piece } };
            vec![event.into()]
        }
        "MORALE" => {
            let morale = args.number("where the morale marker lies")?;
            own(if s.tracks.contains_key(&side) { Event::Track { side, morale } } else { Event::Morale { morale } })
        }
        "WEATHER" => {
            let said = args.next_word().map_or("", |word| word.text.as_str());
            let weather = Conditions::parse(said).ok_or_else(|| {
                let states: Vec<&str> = super::tables::Weather::ALL.iter().map(|w| w.name()).collect();
                Fault::unclear(said, "a state of the weather", states, Some("WEATHER Rain".to_owned()))
            })?;
            vec![Open::Weather { die: None, weather }.into()]
        }
        "BRIDGE" => {
            let edge = words::hexside(&v, &mut args)?;
            let damaged = args.one_of("DAMAGED or WHOLE", &["DAMAGED", "WHOLE"])? == "DAMAGED";
            vec![Partly::bridge(edge, damaged).into()]
        }
        _ => learnt(&v, side, &mut args)?,
    };
    if args.done() { Ok(events) } else { Err(args.fault("nothing more", [])) }
}

/// A counter with all on its portrait, or a vedette, is put somewhere else.
fn place(v: &View, side: &SideId, args: &mut Args<'_>) -> Result<Vec<event::Event>, Fault> {
    let piece = piece(v, args)?;
    let side = side.clone();
    if let Piece::Vedette(n) = piece
        && args.key("POOL")
    {
        return Ok(vec![Partly::VedettePooled { side, n }.into()]);
    }
    args.key("AT");
    let to = words::hex(v, args)?;
    let from = v.own.piece_hex(&piece);
    match (&piece, from) {
        (Piece::Leader(id), _) if v.own.leaders.get(id).is_some_and(|l| l.under.is_some()) => {
            let why = "he stands on another's portrait; PLACE that leader, and he goes with him.";
            Err(Fault::refused(why, "¶37"))
        }
        (_, Some(from)) if from == to => Err(Fault::refused(format!("it stands at {to} already."), "")),
        (_, Some(from)) => Ok(vec![Partly::Moved { side, piece, from, to, why: Why::Umpire }.into()]),
        (Piece::Vedette(n), None) => Ok(vec![Partly::VedettePlaced { side, n: *n, hex: to }.into()]),
        (_, None) => Err(Fault::refused("it is not on the map; REWIND to where it was.", "")),
    }
}

/// `Lannes` or `VEDETTE 1`.
pub(in crate::rules::campaigns) fn piece(v: &View, args: &mut Args<'_>) -> Result<Piece, Fault> {
    if args.key("VEDETTE") {
        let n = args.number("the number of a vedette")?;
        let n = u32::try_from(n).ok().filter(|n| v.own.vedettes.contains_key(n));
        return n.map(Piece::Vedette).ok_or_else(|| Fault::refused("that side has no such vedette.", "¶24"));
    }
    words::leader(v, args).map(Piece::Leader)
}

/// `E3 LANNES`, `E3 VEDETTE`, `E3 UNKNOWN`.
fn learnt(v: &View, side: SideId, args: &mut Args<'_>) -> Result<Vec<event::Event>, Fault> {
    let said = args.peek().map_or("", |word| word.fold.as_str());
    let tag = said.strip_prefix('e').and_then(|n| n.parse().ok()).filter(|n| v.enemy.contains_key(n));
    let Some(tag) = tag else {
        let known: Vec<String> = v.enemy.keys().map(|n| format!("E{n}")).collect();
        return Err(
            args.fault("the number of a counter, as that side's report has it", known.iter().map(String::as_str))
        );
    };
    args.next_word();
    args.key("IS");
    let ident = match args.maybe(&["VEDETTE", "GARRISON", "UNKNOWN"]) {
        Some("VEDETTE") => Some(Ident::Vedette),
        Some("GARRISON") => Some(Ident::Garrison),
        Some(_) => None,
        None => {
            let foes = v.board.leaders.values().filter(|l| l.side != side);
            let names: Vec<_> = foes.map(|l| (l.name.clone(), l.id.clone())).collect();
            Some(Ident::Leader(args.name("an enemy leader, VEDETTE, GARRISON or UNKNOWN", &names)?))
        }
    };
    Ok(vec![event::Event::Umpire(Event::Learnt { side, tag, ident })])
}

/// Who knows what of a piece.
///
/// # Errors
/// A piece that there is not.
pub fn who_knows(s: &State, minds: &[(SideId, Intel)], said: &str) -> Result<Vec<String>, Fault> {
    let (side, piece) = named(s, said)?;
    let Some(own) = s.pieces(&side) else { return Ok(Vec::new()) };
    let mut lines = Vec::new();
    let under = match &piece {
        Piece::Leader(id) => own.leaders.get(id).and_then(|l| l.under.clone()),
        Piece::Vedette(_) | Piece::Garrison(_) => None,
    };
    let Some(hex) = own.piece_hex(&piece) else {
        return Ok(vec![format!("{side}: its own, not on the map; nobody else knows where it is.")]);
    };
    let up = s.face_up.contains(&(side.clone(), piece.clone()));
    let face = if up { "face up" } else { "face down" };
    lines.push(format!("{side}: its own, at {hex}, {face}."));
    let shows = under.map_or(piece, Piece::Leader);
    for (other, mind) in minds.iter().filter(|(other, _)| *other != side) {
        lines.push(format!("{other}: {}", known(mind, &shows, hex)));
    }
    Ok(lines)
}

/// What each side holds of the enemy's pieces on the map, and how much of it is so.
pub fn reckon(s: &State, minds: &[(SideId, Intel)]) -> Vec<Reckoning> {
    let mut all = Vec::new();
    for (side, mind) in minds {
        let lost = s.pieces(side).map_or(0, |p| p.army.lost);
        let mut found = Reckoning { side: side.clone(), lost, right: 0, wrong: 0, unknown: 0, picture: Vec::new() };
        let foe = s.pieces(&s.enemy(side));
        let pieces = foe.into_iter().flat_map(|foe| foe.occupied().into_iter().flat_map(|hex| foe.counters_at(hex)));
        for piece in pieces {
            let Some(hex) = foe.and_then(|foe| foe.piece_hex(&piece)) else { continue };
            let tie = mind.tag_of(&piece, hex).and_then(|tag| mind.tags.get(&tag)).and_then(|tag| tag.tie.as_ref());
            match tie {
                None => found.unknown += 1,
                Some(tie) if tie.ident == super::flow::event::ident(&piece) => found.right += 1,
                Some(_) => found.wrong += 1,
            }
            if tie.is_some() {
                let name = match &piece {
                    Piece::Leader(id) => id.to_string(),
                    Piece::Vedette(n) => format!("vedette {n}"),
                    Piece::Garrison(id) => id.to_string(),
                };
                found.picture.push(format!("{name} at {hex}: {}", known(mind, &piece, hex)));
            }
        }
        all.push(found);
    }
    all
}

/// `Lannes`, `french vedette 1`.
fn named(s: &State, said: &str) -> Result<(SideId, Piece), Fault> {
    let line = crate::orders::line(0, said);
    let mut args = Args::new(&line, 0);
    let sides: Vec<(String, SideId)> = s.board.sides.iter().map(|spec| (spec.id.0.clone(), spec.id.clone())).collect();
    let side = args.name("a side", &sides).ok();
    if args.key("VEDETTE") {
        let n = u32::try_from(args.number("the number of a vedette")?).unwrap_or(0);
        let Some(side) = side else {
            return Err(Fault::unclear("", "whose vedette it is", [], Some("WHO-KNOWS french VEDETTE 1".to_owned())));
        };
        let is = s.pieces(&side).is_some_and(|p| p.vedettes.contains_key(&n));
        return if is {
            Ok((side, Piece::Vedette(n)))
        } else {
            Err(Fault::refused("there is no such vedette.", "¶24"))
        };
    }
    let all = s.board.leaders.values().filter(|l| side.as_ref().is_none_or(|side| l.side == *side));
    let names: Vec<_> = all.map(|l| (l.name.clone(), (l.side.clone(), Piece::Leader(l.id.clone())))).collect();
    args.name("a leader, or a side and VEDETTE with its number", &names)
}

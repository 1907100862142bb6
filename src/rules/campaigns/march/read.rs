//! Reads the orders of movement against the seat's view; what is known to be against the rules is refused here.

use super::clause::Branch;
use super::order::{ForceOrder, How, Job, Order, Part, Work};
use super::{allowed, center, clause, path, plotted, train};
use crate::hex::Hex;
use crate::orders::{Args, Fault, line};
use crate::rules::campaigns;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::march::order::{Mode, TrainStep};
use crate::rules::campaigns::pieces::{Piece, Vedette};
use crate::rules::campaigns::sequence::{At, TrestleJob};
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{admin, flow, words};

type Read = Result<campaigns::Order, Fault>;

/// Reads what follows `FORCE`.
///
/// # Errors
/// The fault of the line.
pub fn force(v: &View, args: &mut Args<'_>) -> Read {
    force_order(v, args).map(campaigns::Order::March)
}

fn force_order(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    if args.key("ALL") {
        args.one_of("HOLD", &["HOLD"])?;
        return Ok(Order::HoldAll);
    }
    let leader = words::force(v, args)?;
    let how = how(v, args)?;
    let mut order = ForceOrder::bare(leader, how);
    steps(v, args, &mut order)?;
    if how == How::Plotted && order.path.is_empty() {
        order.path = plotted::written(v, &order.leader);
    }
    grounded(v, &order)?;
    allowed::force(v, &order)?;
    Ok(Order::Force(order))
}

fn how(v: &View, args: &mut Args<'_>) -> Result<How, Fault> {
    let word = args.one_of("how it moves", &["COMMAND", "INITIATIVE", "FORCED", "HOLD", "ADMINMARCH", "FREE"])?;
    match word {
        "COMMAND" => Ok(How::Command(if args.key("EXTENDED") { Some(extended(v, args)?) } else { None })),
        "INITIATIVE" => Ok(How::Initiative),
        "FORCED" => Ok(How::Forced),
        "HOLD" => Ok(How::Hold),
        "FREE" => Ok(How::Free(if args.key("EXTENDED") { Some(extended(v, args)?) } else { None })),
        _ => Ok(How::Plotted),
    }
}

/// ¶185 Extra MP: up to four.
///
/// # Errors
/// The fault of the line.
pub fn extended(_v: &View, args: &mut Args<'_>) -> Result<Halves, Fault> {
    let named = args.peek().is_some_and(|w| w.text.parse::<i32>().is_ok());
    let n = if named { args.number("extra MP, 1 to 4")? } else { 4 };
    if (1..=4).contains(&n) {
        Ok(Halves::whole(n))
    } else {
        Err(Fault::refused("an Extended March adds 1 to 4 MP", "¶185"))
    }
}

fn steps(v: &View, args: &mut Args<'_>, order: &mut ForceOrder) -> Result<(), Fault> {
    while !args.done() {
        match args.one_of(
            "a step of the march",
            &["MARCH", "DROP", "BRIDGE", "IF", "WITH", "MODE", "PONTOON", "TRAIN", "OFFMAP", "TRESTLE"],
        )? {
            "MARCH" if order.path.is_empty() => {
                let Some(from) = v.own.hex(&order.leader) else {
                    return Err(Fault::refused("he is not on the map", "¶147"));
                };
                let head = head(v, order);
                let written = path::written(v, args, from, &|way| format!("{head} MARCH {}", hexes(way)))?;
                (order.path, order.road) = (written.path, written.road);
            }
            "MARCH" => return Err(Fault::refused("one path is enough; the first MARCH stands", "¶147")),
            "DROP" => {
                let leader = words::leader(v, args)?;
                args.key("AT");
                order.drops.push((leader, words::hex(v, args)?));
            }
            "BRIDGE" => {
                let repair = args.one_of("DAMAGE or REPAIR", &["DAMAGE", "REPAIR"])? == "REPAIR";
                let job = if repair { Job::Repair } else { Job::Damage };
                order.works.push(Work { edge: words::hexside(v, args)?, job });
            }
            "TRESTLE" => {
                let job = Job::Trestle(trestle(args)?);
                order.works.push(Work { edge: words::hexside(v, args)?, job });
            }
            "IF" => {
                let branch = clause::branch(v, args)?;
                order.with.last_mut().map_or(&mut order.branches, |part| &mut part.branches).push(branch);
            }
            "WITH" => with(v, args, order)?,
            "OFFMAP" => order.off_map = true,
            "MODE" => {
                let forage = args.one_of("FORAGE or CONCENTRATE", &["FORAGE", "CONCENTRATE"])? == "FORAGE";
                order.mode = Some(Mode { forage, first: order.path.is_empty() });
            }
            "PONTOON" => {
                let what = args.one_of("DEPLOY, REMOVE or CAPTURE", &["DEPLOY", "REMOVE", "CAPTURE"])?;
                let edge = words::hexside(v, args)?;
                order.trains.push(match what {
                    "DEPLOY" => TrainStep::Deploy(edge),
                    "REMOVE" => TrainStep::Remove(edge),
                    _ => TrainStep::Capture(edge),
                });
            }
            _ => {
                let leave = args.one_of("LEAVE or TAKE", &["LEAVE", "TAKE"])? == "LEAVE";
                let first = order.path.is_empty();
                order.trains.push(if leave { TrainStep::Leave { first } } else { TrainStep::Take });
            }
        }
    }
    Ok(())
}

/// ¶61 What is done with a trestle.
fn trestle(args: &mut Args<'_>) -> Result<TrestleJob, Fault> {
    let word = args.one_of("BUILD, REPAIR, DAMAGE or DESTROY", &["BUILD", "REPAIR", "DAMAGE", "DESTROY"])?;
    Ok(match word {
        "BUILD" => TrestleJob::Build,
        "REPAIR" => TrestleJob::Repair,
        "DAMAGE" => TrestleJob::Damage,
        _ => TrestleJob::Destroy,
    })
}

fn head(v: &View, order: &ForceOrder) -> String {
    format!("FORCE {} {}", words::order_name(v, &order.leader), how_words(order.how))
}

/// ¶225 Reads what follows `WITH`: a leader beside the force leader, and his path.
fn with(v: &View, args: &mut Args<'_>, order: &mut ForceOrder) -> Result<(), Fault> {
    let leader = words::force(v, args)?;
    args.one_of("MARCH", &["MARCH"])?;
    let Some(from) = v.own.hex(&leader) else { return Err(Fault::refused("he is not on the map", "¶225")) };
    let head = format!("{} WITH {}", head(v, order), words::order_name(v, &leader));
    let path = path::written(v, args, from, &|way| format!("{head} MARCH {}", hexes(way)))?.path;
    order.with.push(Part { leader, path, branches: Vec::new() });
    Ok(())
}

/// ¶147, 214, 259 Whether the paths lead over ground that can be passed, with the pontoons that the order deploys.
fn grounded(v: &View, order: &ForceOrder) -> Result<(), Fault> {
    let pontoons = train::planned(v, order);
    let sit = Situation { pontoons: &pontoons, ..v.situation() };
    let head = head(v, order);
    if let Some(from) = v.own.hex(&order.leader) {
        path::check(&sit, from, &order.path, &|way| format!("{head} MARCH {}", hexes(way)))?;
    }
    for part in &order.with {
        let Some(from) = v.own.hex(&part.leader) else { continue };
        let head = format!("{head} WITH {}", words::order_name(v, &part.leader));
        path::check(&sit, from, &part.path, &|way| format!("{head} MARCH {}", hexes(way)))?;
    }
    Ok(())
}

/// The words of how a force moves.
pub fn how_words(how: How) -> String {
    match how {
        How::Command(None) => "COMMAND".to_owned(),
        How::Command(Some(extra)) => format!("COMMAND EXTENDED {extra}"),
        How::Free(None) => "FREE".to_owned(),
        How::Free(Some(extra)) => format!("FREE EXTENDED {extra}"),
        How::Plotted => "ADMINMARCH".to_owned(),
        How::Initiative => "INITIATIVE".to_owned(),
        How::Forced => "FORCED".to_owned(),
        How::Hold => "HOLD".to_owned(),
    }
}

/// Hexes as an order writes them.
pub fn hexes(way: &[Hex]) -> String {
    let words: Vec<String> = way.iter().map(ToString::to_string).collect();
    words.join(" ")
}

/// Reads what follows `VEDETTE`.
///
/// # Errors
/// The fault of the line.
pub fn vedette(v: &View, args: &mut Args<'_>) -> Read {
    if args.key("PLACE") {
        return flow::verbs::read_vedette(v, args, false).map(campaigns::Order::Flow);
    }
    if args.key("POOL") {
        return flow::verbs::read_vedette(v, args, true).map(campaigns::Order::Flow);
    }
    if args.key("AS") {
        let why = "whether cavalry of 1 SP passes for a vedette is settled for all: DOCTRINE PATROL YES or NO";
        return Err(Fault::refused(why, "¶231"));
    }
    vedette_march(v, args).map(campaigns::Order::March)
}

fn vedette_march(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let n = words::vedette(v, args)?;
    match args.one_of("what it does", &["MARCH", "RETREAT", "STAY", "ATTACK"])? {
        "MARCH" => {}
        _ => {
            return Err(Fault::refused(
                "whether a vedette leaves before combat is asked when the combat comes; DOCTRINE VEDETTE answers for all",
                "¶314",
            ));
        }
    }
    let Some(from) = v.own.piece_hex(&Piece::Vedette(n)) else {
        return Err(Fault::refused(format!("v{n} is not on the map"), "¶135"));
    };
    let path = path::read(v, args, from, &|way| format!("VEDETTE {n} MARCH {}", hexes(way)))?;
    let branches = branches(v, args)?;
    allowed::vedette(v, n, &path)?;
    Ok(Order::Vedette { n, path, branches })
}

fn branches(v: &View, args: &mut Args<'_>) -> Result<Vec<Branch>, Fault> {
    let mut branches = Vec::new();
    while args.key("IF") {
        branches.push(clause::branch(v, args)?);
    }
    Ok(branches)
}

/// Reads what follows `LEADER`.
///
/// # Errors
/// The fault of the line.
pub fn leader(v: &View, args: &mut Args<'_>) -> Read {
    leader_march(v, args).map(campaigns::Order::March)
}

fn leader_march(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let leader = words::force(v, args)?;
    args.one_of("MARCH", &["MARCH"])?;
    let Some(from) = v.own.hex(&leader) else { return Err(Fault::refused("he is not on the map", "¶40")) };
    let name = words::order_name(v, &leader);
    let path = path::read(v, args, from, &|way| format!("LEADER {name} MARCH {}", hexes(way)))?;
    allowed::leader(v, &leader, &path)?;
    Ok(Order::Leader { leader, path })
}

/// Reads what follows `CENTER`.
///
/// # Errors
/// The fault of the line.
pub fn center(v: &View, args: &mut Args<'_>) -> Read {
    if args.key("DISBAND") {
        return admin::verbs::read_center(v, args, true).map(campaigns::Order::Admin);
    }
    if args.key("RETURN") {
        return admin::verbs::read_center(v, args, false).map(campaigns::Order::Admin);
    }
    if args.key("FLEE") {
        return admin::verbs::read_flee(v, args).map(campaigns::Order::Admin);
    }
    center_march(v, args).map(campaigns::Order::March)
}

fn center_march(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    match args.one_of("MARCH, HOLD, RIVER, DISBAND, RETURN or FLEE", &["MARCH", "HOLD", "RIVER"])? {
        "MARCH" => {}
        "HOLD" => return Ok(Order::CenterHold),
        _ => {
            let to = words::hex(v, args)?;
            center::may_boat(v, to)?;
            return Ok(Order::CenterRiver { to });
        }
    }
    let Some(from) = v.own.army.center else {
        return Err(Fault::refused("your Center of Operations is not on the map", "¶176"));
    };
    let path = path::read(v, args, from, &|way| format!("CENTER MARCH {}", hexes(way)))?;
    center::may_march(v, &path)?;
    Ok(Order::Center { path })
}

/// Reads what follows `FLOOR`.
///
/// # Errors
/// The fault of the line.
pub fn floor(_v: &View, args: &mut Args<'_>) -> Read {
    args.key("AP");
    let ap = args.number("the AP that commands must leave")?;
    Ok(campaigns::Order::March(Order::Floor { ap: ap.max(0) }))
}

/// ¶272 Reads what follows `MODE`, at set-up.
///
/// # Errors
/// The fault of the line.
pub fn mode(v: &View, args: &mut Args<'_>) -> Read {
    let leader = words::force(v, args)?;
    let forage = args.one_of("FORAGE or CONCENTRATE", &["FORAGE", "CONCENTRATE"])? == "FORAGE";
    if v.at != At::Setup {
        let (name, word) = (words::order_name(v, &leader), if forage { "FORAGE" } else { "CONCENTRATE" });
        return Err(Fault::Refused {
            why: "after set-up a force changes its mode with its march".to_owned(),
            rule: "¶278".to_owned(),
            copy: Some(format!("FORCE {name} INITIATIVE MODE {word}")),
        });
    }
    if !v.board.policies.forage {
        return Err(Fault::refused("foraging is not permitted in this game", "¶271"));
    }
    Ok(campaigns::Order::March(Order::StartMode { leader, forage }))
}

/// Lines of `MODE` that bind now.
pub fn mode_examples(v: &View) -> Vec<String> {
    let open = v.at == At::Setup && v.board.policies.forage;
    let force = v.own.on_map().map(|(l, _)| l).find(|l| open && !v.own.unemployed(l));
    force.map(|l| format!("MODE {} FORAGE", words::order_name(v, l))).into_iter().collect()
}

/// Reads what follows `IF`: a condition, then an order of this chapter.
///
/// # Errors
/// The fault of the line.
pub fn condition(v: &View, args: &mut Args<'_>) -> Read {
    let cond = clause::condition(v, args)?;
    let order = match args.one_of("an order of movement", &["FORCE", "VEDETTE", "LEADER", "CENTER"])? {
        "FORCE" => force_order(v, args)?,
        "VEDETTE" => vedette_march(v, args)?,
        "LEADER" => leader_march(v, args)?,
        _ => center_march(v, args)?,
    };
    Ok(campaigns::Order::March(Order::If { cond, order: Box::new(order) }))
}

/// Lines of `FORCE` that bind now.
pub fn force_examples(v: &View) -> Vec<String> {
    let mut lines = Vec::new();
    for (leader, hex) in v.own.on_map() {
        let name = words::order_name(v, leader);
        for near in v.board.map.neighbours(hex) {
            for how in ["FREE", "COMMAND", "INITIATIVE", "FORCED"] {
                lines.push(format!("FORCE {name} {how} MARCH {hex} {near}"));
                lines.push(format!("FORCE {name} {how} MARCH {hex} {near} IF CONTACT REPULSE ELSE STOP"));
            }
        }
        lines.push(format!("FORCE {name} HOLD"));
    }
    binding(v, &lines, force_order)
}

/// Lines of `VEDETTE` that bind now.
pub fn vedette_examples(v: &View) -> Vec<String> {
    let mut lines = Vec::new();
    for (n, place) in &v.own.vedettes {
        let Vedette::At(hex) = place else { continue };
        for near in v.board.map.neighbours(*hex) {
            lines.push(format!("VEDETTE {n} MARCH {hex} {near}"));
        }
    }
    let mut found = binding(v, &lines, vedette_march);
    found.extend(flow::verbs::vedette_examples(v));
    found
}

/// Lines of `LEADER` that bind now.
pub fn leader_examples(v: &View) -> Vec<String> {
    let mut lines = Vec::new();
    for (leader, hex) in v.own.on_map().filter(|(l, _)| v.own.unemployed(l)) {
        for near in v.board.map.neighbours(hex) {
            lines.push(format!("LEADER {} MARCH {hex} {near}", words::order_name(v, leader)));
        }
    }
    binding(v, &lines, leader_march)
}

/// Lines of `CENTER` that bind now.
pub fn center_examples(v: &View) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(hex) = v.own.army.center {
        for near in v.board.map.neighbours(hex) {
            lines.push(format!("CENTER MARCH {hex} {near}"));
        }
    }
    lines.extend(v.board.special.waterway.iter().map(|hex| format!("CENTER RIVER {hex}")));
    lines.push("CENTER HOLD".to_owned());
    let mut found = binding(v, &lines, center_march);
    found.extend(admin::verbs::center_examples(v));
    found
}

/// Examples shown for one verb.
const EXAMPLES_MOST: usize = 3;

/// The first few lines that can be read now; each different piece once at most.
fn binding(v: &View, lines: &[String], read: fn(&View, &mut Args<'_>) -> Result<Order, Fault>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut pieces: Vec<LeaderOrWord> = Vec::new();
    for text in lines {
        let parsed = line(1, text);
        let piece = parsed.words.get(1).map(|w| w.fold.clone()).unwrap_or_default();
        if pieces.contains(&piece) {
            continue;
        }
        let mut args = Args::new(&parsed, 1);
        if read(v, &mut args).is_ok() && args.done() {
            found.push(text.clone());
            pieces.push(piece);
        }
        if found.len() >= EXAMPLES_MOST {
            break;
        }
    }
    found
}

/// A piece as the second word of a line names it.
type LeaderOrWord = String;

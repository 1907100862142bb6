//! Clauses of battle plans: what a side wishes in a battle, kept as its own words by hex and read again when it is used.
//!
//! Of several clauses on one matter the last that applies counts. A condition is evaluated on the owner's view at the
//! instant of the question, and what the owner does not know makes it false.

use super::battle::{BattleView, Marker};
use super::condition::{self, Test};
use super::field::Factor;
use super::later::{self, Again, Join};
use crate::hex::Hex;
use crate::orders::cond::{self, Cond};
use crate::orders::{Args, Fault, line};
use crate::rules::campaigns::board::{Arm, LeaderId, UnitId};
use crate::rules::campaigns::pieces::Track;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// How a force in a citadel meets an attack (¶307), and besiegers a surrender (¶414).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Siege {
    /// Be besieged.
    Take,
    /// Fight.
    Fight,
    /// Enter the citadel that surrenders.
    Enter,
    /// Stay outside.
    Stay,
}

/// Against whom a counterattack goes (¶300 step 13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counter {
    /// The strongest hex.
    Strongest,
    /// All hexes.
    All,
    /// Nobody, where nothing obliges.
    None,
    /// These hexes.
    At(Vec<Hex>),
    /// Divided: each leader against his hex (¶403).
    Split(Vec<(LeaderId, Hex)>),
}

/// Which of several things is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick<T> {
    /// All that may.
    All,
    /// None.
    None,
    /// The least that leaves all battle types open.
    Least,
    /// These.
    These(Vec<T>),
}

/// A wish for pursuit (¶380-394).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chase {
    /// Whether at all.
    pub pursue: bool,
    /// With whom; the best by default.
    pub with: Vec<LeaderId>,
    /// At most so many hexes.
    pub max: Option<i32>,
    /// Whether to stop before an enemy zone.
    pub stop_at_zone: bool,
    /// Whether to repulse those whose zone lies on the way (¶241).
    pub repulse: bool,
    /// Leaders who are left in a hex of the way (¶141).
    pub drops: Vec<(LeaderId, Hex)>,
}

impl Chase {
    /// A pursuit by all who can, as far as it is allowed, but into no enemy zone (D-105); or none.
    pub fn plain(pursue: bool) -> Chase {
        Chase { pursue, with: Vec::new(), max: None, stop_at_zone: true, repulse: false, drops: Vec::new() }
    }
}

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// The hexes to attack together.
    Attack(Vec<Hex>),
    /// Leaders that take part.
    With(Vec<LeaderId>),
    /// Who leads.
    Lead(LeaderId),
    /// The place in the order of battles.
    Order(u32),
    /// Optional combat is declined.
    Decline,
    /// Battle types, each for so many rounds.
    Type(Vec<(Marker, u32)>),
    /// What goes into reserve.
    Reserve(Pick<UnitId>),
    /// What comes out of it, from a round on.
    Commit(Pick<UnitId>, Option<u32>),
    /// Which guns go forward, in one round or all.
    Forward(Pick<UnitId>, Option<u32>),
    /// Whether the Old Guard is committed.
    Stake(bool),
    /// How the star is used.
    Bonus(Star),
    /// Which terrain factor the defender takes; `None` is the best.
    Terrain(Option<Factor>),
    /// Whether the defender overrides (¶400).
    Override(bool),
    /// Whether to advance into a hex emptied by fire.
    Advance(bool),
    /// The counterattack, with SP to hold back.
    Counter(Counter, i32),
    /// Hexes that a retreat should pass, among equal paths.
    Retreat(Vec<Hex>),
    /// Hexes of a Rearguard's retreat.
    Rearguard(i32),
    /// The pursuit.
    Pursue(Chase),
    /// A citadel.
    Siege(Siege),
    /// Own forces that march to the sound of the guns.
    Guns(Vec<LeaderId>),
    /// A false report of strength in fog (¶300, 1805).
    Fog(i32),
    /// What to do with control of the battle (¶410).
    Dynamics(Control),
    /// The attack formed anew for a later round (¶301).
    Again(Again),
    /// Whether to join a second battle (¶302).
    Join(Join),
    /// A reserve that moves one hex, in one round or the first it can (¶324).
    Shift(Vec<UnitId>, Hex, Option<u32>),
    /// Whether foragers under attack try to concentrate (¶281).
    Mode(bool),
    /// One of two clauses.
    If(Cond<Test>, Box<Clause>, Option<Box<Clause>>),
    /// The seat wants to be asked.
    Ask,
}

/// What a side does with control of the battle (¶410).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Attack.
    Attack,
    /// Stay in contact without an attack.
    Stay,
    /// Retreat.
    Retreat,
}

/// How the star of the force leader is used on the combat die (¶365).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Star {
    /// What is best for the attacker.
    Best,
    /// Add it.
    Add,
    /// Take it off.
    Sub,
    /// Leave it.
    None,
}

const KEYS: [&str; 28] = [
    "WITH",
    "LEAD",
    "TYPE",
    "PURSUIT",
    "PITCHED",
    "REFUSE",
    "RESERVE",
    "COMMIT",
    "FORWARD",
    "STAKE",
    "BONUS",
    "TERRAIN",
    "OVERRIDE",
    "ADVANCE",
    "COUNTER",
    "RETREAT",
    "REARGUARD",
    "PURSUE",
    "JOIN",
    "DYNAMICS",
    "SIEGE",
    "GUNS",
    "ATTACK",
    "ORDER",
    "DECLINE",
    "FOG",
    "ROUND",
    "MODE",
];

/// Words within a clause.
const MORE: [&str; 13] =
    ["IF", "ELSE", "ASK", "TO", "ROUNDS", "THEN", "MAX", "STOP", "HOLD", "DROP", "INTO", "REPULSE", "AT"];

/// All keywords of clauses.
pub fn keys() -> impl Iterator<Item = &'static str> {
    KEYS.into_iter().chain(MORE)
}

/// Reads clauses to the end of the line, and gives each with its own words.
///
/// # Errors
/// The fault of the first that cannot be read.
pub fn read_all(v: &View, args: &mut Args<'_>) -> Result<Vec<(String, Clause)>, Fault> {
    let mut found = Vec::new();
    while let Some(word) = args.peek() {
        let from = word.span.0;
        let clause = read(v, args)?;
        let to = args.peek().map_or(usize::MAX, |w| w.span.0);
        let text: String = args.source().chars().skip(from).take(to.saturating_sub(from)).collect();
        found.push((text.trim().trim_end_matches([',', ';']).trim().to_owned(), clause));
    }
    Ok(found)
}

/// The clauses of the plan for a hex. What can no longer be read (a unit that is gone) is left out.
pub fn plan(v: &View, hex: Hex) -> Vec<Clause> {
    let texts = v.own.plans.get(&hex).map_or(&[][..], Vec::as_slice);
    texts
        .iter()
        .filter_map(|text| {
            let line = line(0, text);
            read(v, &mut Args::new(&line, 0)).ok()
        })
        .collect()
}

/// The last wish of a side for a battle that `pick` finds in the plans of its hexes; `Some(None)` where it wants to be
/// asked, `None` where no plan says anything.
pub fn wish<T>(v: &View, battle: &BattleView, pick: impl Fn(&Clause) -> Option<T>) -> Option<Option<T>> {
    let mut found = None;
    for hex in battle.hexes.iter().chain(&battle.from) {
        for clause in plan(v, *hex) {
            if let Some(clause) = settled(v, battle, &clause) {
                if *clause == Clause::Ask {
                    found = Some(None);
                } else if let Some(wish) = pick(clause) {
                    found = Some(Some(wish));
                }
            }
        }
    }
    found
}

/// All wishes of a side for a battle that `pick` finds, in the order of its plans.
pub fn wishes<T>(v: &View, battle: &BattleView, pick: impl Fn(&Clause) -> Option<T>) -> Vec<T> {
    let clauses = battle.hexes.iter().chain(&battle.from).flat_map(|hex| plan(v, *hex));
    clauses.filter_map(|c| settled(v, battle, &c).and_then(&pick)).collect()
}

/// The same, where the plan of one hex of the battle comes before those of the others.
pub fn wish_at<T>(v: &View, battle: &BattleView, hex: Hex, pick: impl Fn(&Clause) -> Option<T>) -> Option<Option<T>> {
    let mut found = None;
    for clause in plan(v, hex) {
        match settled(v, battle, &clause) {
            Some(Clause::Ask) => found = Some(None),
            Some(clause) => found = pick(clause).map(Some).or(found),
            None => {}
        }
    }
    match found {
        Some(Some(_)) => found,
        Some(None) | None => wish(v, battle, pick),
    }
}

/// A clause with its conditions evaluated now.
fn settled<'c>(v: &View, battle: &BattleView, clause: &'c Clause) -> Option<&'c Clause> {
    match clause {
        Clause::If(cond, then, otherwise) => {
            if cond.holds(|test| condition::holds(v, battle, test)) {
                settled(v, battle, then)
            } else {
                otherwise.as_ref().and_then(|c| settled(v, battle, c))
            }
        }
        other => Some(other),
    }
}

/// Reads one clause.
///
/// # Errors
/// Its fault.
pub fn read(v: &View, args: &mut Args<'_>) -> Result<Clause, Fault> {
    if args.key("IF") {
        let cond = cond::read(args, |args| condition::read(v, args))?;
        let then = read(v, args)?;
        let otherwise = if args.key("ELSE") { Some(Box::new(read(v, args)?)) } else { None };
        return Ok(Clause::If(cond, Box::new(then), otherwise));
    }
    if args.key("ASK") {
        return Ok(Clause::Ask);
    }
    match args.one_of("a clause of a battle plan", &KEYS)? {
        "ATTACK" => Ok(Clause::Attack(hexes(v, args)?)),
        "WITH" => Ok(Clause::With(leaders(v, args)?)),
        "LEAD" => Ok(Clause::Lead(words::leader(v, args)?)),
        "ORDER" => Ok(Clause::Order(args.number("a number")?.unsigned_abs())),
        "DECLINE" => Ok(Clause::Decline),
        "TYPE" => types(args),
        "PURSUIT" => Ok(Clause::Type(vec![(Marker::Pursuit, u32::MAX)])),
        "PITCHED" => Ok(Clause::Type(vec![(Marker::Pitched, u32::MAX)])),
        "REFUSE" => Ok(Clause::Type(vec![(Marker::Refuse, u32::MAX)])),
        "RESERVE" => Ok(Clause::Reserve(pick(v, args, None)?)),
        "COMMIT" => commit(v, args),
        "FORWARD" => {
            if !v.board.policies.batteries_forward {
                return Err(Fault::refused("Batteries Forward is not in play in this game", "¶349"));
            }
            let french = v.board.side(&v.own.side).is_some_and(|s| s.french);
            if v.board.exceptions.combat.french_batteries_only && !french {
                return Err(Fault::refused("only the French move batteries forward in this game", "¶349"));
            }
            Ok(Clause::Forward(pick(v, args, Some(Arm::Artillery))?, round(args)?))
        }
        "STAKE" => whether(v, args, Clause::Stake),
        "OVERRIDE" => whether(v, args, Clause::Override),
        "ADVANCE" => whether(v, args, Clause::Advance),
        "BONUS" => star(args),
        "TERRAIN" => terrain(args),
        "COUNTER" => counter(v, args),
        "RETREAT" => {
            args.key("PREFER");
            Ok(Clause::Retreat(hexes(v, args)?))
        }
        "REARGUARD" => {
            args.key("HEXES");
            Ok(Clause::Rearguard(args.number("a number of hexes")?.max(1)))
        }
        "PURSUE" => chase(v, args),
        "SIEGE" => siege(args),
        "GUNS" => Ok(Clause::Guns(leaders(v, args)?)),
        "FOG" => fog(v, args),
        "JOIN" => later::join(v, args),
        "ROUND" => later::again(v, args),
        "MODE" => later::mode(v, args),
        "DYNAMICS" => dynamics(v, args),
        other => Err(Fault::unclear(other, "a clause of a battle plan", KEYS, None)),
    }
}

/// Whether the next word begins another clause, or nothing is left.
fn over(args: &Args<'_>) -> bool {
    args.peek().is_none_or(|w| KEYS.iter().chain(&MORE).any(|k| k.eq_ignore_ascii_case(&w.text)))
}

/// Hexes up to the next word of a plan.
///
/// # Errors
/// The fault of the first that cannot be read.
pub fn hexes(v: &View, args: &mut Args<'_>) -> Result<Vec<Hex>, Fault> {
    let mut found = vec![words::hex(v, args)?];
    while !over(args) {
        found.push(words::hex(v, args)?);
    }
    Ok(found)
}

/// Leaders up to the next word of a plan.
///
/// # Errors
/// The fault of the first that cannot be read.
pub fn leaders(v: &View, args: &mut Args<'_>) -> Result<Vec<LeaderId>, Fault> {
    let mut found = vec![words::leader(v, args)?];
    while !over(args) {
        found.push(words::leader(v, args)?);
    }
    Ok(found)
}

/// `COMMIT Walther ROUND 2`.
fn commit(v: &View, args: &mut Args<'_>) -> Result<Clause, Fault> {
    let pick = pick(v, args, None)?;
    if args.key("TO") {
        return match pick {
            Pick::These(units) => later::shift(v, args, units),
            Pick::All | Pick::None | Pick::Least => Err(args.fault("one leader before TO", [])),
        };
    }
    Ok(Clause::Commit(pick, round(args)?))
}

/// `ROUND 2`, or nothing.
///
/// # Errors
/// Its fault.
pub fn round(args: &mut Args<'_>) -> Result<Option<u32>, Fault> {
    if args.key("ROUND") { Ok(Some(args.number("a round")?.max(1).unsigned_abs())) } else { Ok(None) }
}

/// `TYPE PITCHED ROUNDS 2 THEN PURSUIT`.
fn types(args: &mut Args<'_>) -> Result<Clause, Fault> {
    let mut plan = Vec::new();
    loop {
        let word = args.one_of("a battle type", &Marker::ALL.map(Marker::word))?;
        let marker = Marker::of(word).unwrap_or(Marker::Pursuit);
        let rounds = if args.key("ROUNDS") || args.key("ROUND") {
            args.number("a number of rounds")?.max(1).unsigned_abs()
        } else {
            u32::MAX
        };
        plan.push((marker, rounds));
        if !args.key("THEN") {
            return Ok(Clause::Type(plan));
        }
    }
}

/// Units, or leaders for all units on their tracks.
fn pick(v: &View, args: &mut Args<'_>, arm: Option<Arm>) -> Result<Pick<UnitId>, Fault> {
    match args.maybe(&["MIN", "NONE", "ALL"]) {
        Some("MIN") => return Ok(Pick::Least),
        Some("NONE") => return Ok(Pick::None),
        Some(_) => return Ok(Pick::All),
        None => {}
    }
    let mut names: Vec<(String, Vec<UnitId>)> = Vec::new();
    let fits = |id: &UnitId| arm.is_none_or(|a| v.board.units.get(id).is_some_and(|s| s.arm == a));
    for (id, _) in v.own.units.iter().filter(|(id, u)| u.track != Track::Waiting && fits(id)) {
        if let Some(spec) = v.board.units.get(id) {
            names.push((spec.name.clone(), vec![id.clone()]));
        }
    }
    for (name, leader) in words::own_leaders(v) {
        let track: Vec<UnitId> = v.own.units_of(&[leader]).into_iter().map(|(id, _)| id.clone()).filter(fits).collect();
        // A unit named like its leader is meant itself.
        if !track.is_empty() && !names.iter().any(|(n, _)| *n == name) {
            names.push((name, track));
        }
    }
    let mut found = args.name("one of your units or leaders", &names)?;
    while !over(args) {
        found.extend(args.name("one of your units or leaders", &names)?);
    }
    found.sort();
    found.dedup();
    Ok(Pick::These(found))
}

/// `NEVER`, `ALWAYS`, or `IF cond`.
fn whether(v: &View, args: &mut Args<'_>, make: fn(bool) -> Clause) -> Result<Clause, Fault> {
    if args.key("IF") {
        let cond = cond::read(args, |args| condition::read(v, args))?;
        return Ok(Clause::If(cond, Box::new(make(true)), Some(Box::new(make(false)))));
    }
    let word = args.one_of("YES, NO or IF", &["ALWAYS", "NEVER", "YES", "NO"])?;
    Ok(make(matches!(word, "ALWAYS" | "YES")))
}

fn star(args: &mut Args<'_>) -> Result<Clause, Fault> {
    Ok(Clause::Bonus(match args.one_of("BEST, ADD, SUB or NONE", &["BEST", "ADD", "SUB", "NONE"])? {
        "ADD" => Star::Add,
        "SUB" => Star::Sub,
        "NONE" => Star::None,
        _ => Star::Best,
    }))
}

fn terrain(args: &mut Args<'_>) -> Result<Clause, Fault> {
    let known = &["BEST", "WOODS", "SWAMP", "FORTIFICATION", "CREST"];
    let word = args.one_of("BEST, WOODS, SWAMP, FORTIFICATION or CREST", known)?;
    Ok(Clause::Terrain(match word {
        "WOODS" => Some(Factor::Woods),
        "SWAMP" => Some(Factor::Swamp),
        "FORTIFICATION" => Some(Factor::Fortification),
        "CREST" => Some(Factor::Crest),
        _ => None,
    }))
}

fn counter(v: &View, args: &mut Args<'_>) -> Result<Clause, Fault> {
    let how = match args.maybe(&["STRONGEST", "ALL", "NONE", "SPLIT"]) {
        Some("SPLIT") => Counter::Split(parts(v, args)?),
        Some("ALL") => Counter::All,
        Some("NONE") => Counter::None,
        Some(_) => Counter::Strongest,
        None => Counter::At(hexes(v, args)?),
    };
    let hold = if args.key("HOLD") { args.number("SP to hold back")?.max(0) } else { 0 };
    Ok(Clause::Counter(how, hold))
}

/// ¶403: `SPLIT Dokhturov AT 0405 Bagration AT 0406`.
fn parts(v: &View, args: &mut Args<'_>) -> Result<Vec<(LeaderId, Hex)>, Fault> {
    let mut found = Vec::new();
    while found.is_empty() || !over(args) {
        let leader = words::leader(v, args)?;
        args.key("AT");
        found.push((leader, words::hex(v, args)?));
    }
    Ok(found)
}

fn chase(v: &View, args: &mut Args<'_>) -> Result<Clause, Fault> {
    let mut chase = Chase::plain(true);
    if args.key("NONE") || args.key("NO") {
        return Ok(Clause::Pursue(Chase::plain(false)));
    }
    if args.key("WITH") {
        chase.with = leaders(v, args)?;
    } else {
        args.maybe(&["YES", "ALL"]);
    }
    loop {
        if args.key("MAX") {
            chase.max = Some(args.number("a number of hexes")?.max(0));
        } else if args.key("STOP") {
            args.key("AT");
            args.key("ZOC");
            chase.stop_at_zone = true;
        } else if args.key("INTO") {
            args.key("ZOC");
            chase.stop_at_zone = false;
        } else if args.key("DROP") {
            let leader = words::leader(v, args)?;
            args.key("AT");
            chase.drops.push((leader, words::hex(v, args)?));
        } else if args.key("REPULSE") {
            chase.repulse = true;
        } else {
            return Ok(Clause::Pursue(chase));
        }
    }
}

fn dynamics(v: &View, args: &mut Args<'_>) -> Result<Clause, Fault> {
    if !v.board.policies.dynamics {
        return Err(Fault::refused("Battlefield Dynamics is not in play in this game", "¶409"));
    }
    Ok(Clause::Dynamics(match args.one_of("ATTACK, STAY or RETREAT", &["ATTACK", "STAY", "RETREAT"])? {
        "STAY" => Control::Stay,
        "RETREAT" => Control::Retreat,
        _ => Control::Attack,
    }))
}

fn siege(args: &mut Args<'_>) -> Result<Clause, Fault> {
    Ok(Clause::Siege(match args.one_of("TAKE, FIGHT, ENTER or STAY", &["TAKE", "FIGHT", "ENTER", "STAY"])? {
        "FIGHT" => Siege::Fight,
        "ENTER" => Siege::Enter,
        "STAY" => Siege::Stay,
        _ => Siege::Take,
    }))
}

/// ¶300 step 3a, 1805: a force in fog may be given as up to 50 SP.
fn fog(v: &View, args: &mut Args<'_>) -> Result<Clause, Fault> {
    args.key("REPORT");
    let n = args.number("a strength from 10 to 50")?;
    let french = v.board.side(&v.own.side).is_some_and(|s| s.french);
    if !v.board.policies.fog || !french {
        return Err(Fault::refused("only the French may give a false strength, in fog", "¶300"));
    }
    if !(10..=50).contains(&n) {
        return Err(Fault::refused("a false strength lies from 10 to 50", "¶300"));
    }
    Ok(Clause::Fog(super::battle::stated(n)))
}

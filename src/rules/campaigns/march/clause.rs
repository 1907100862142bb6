//! Conditions of marches (decisions, 3.2) and what is done when they hold. All are evaluated on the owner's view.

use crate::hex::Hex;
use crate::orders::cond::{self, Cond};
use crate::orders::{Args, Fault};
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::march::path;
use crate::rules::campaigns::march::told::Rolled;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::tables::Weather;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// A test of a march's condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// Next to an enemy counter, before a repulse is declared or not; anywhere, or in one hex.
    Contact(Option<Hex>),
    /// The counters met have shown themselves to be vedettes.
    Vedette,
    /// The counters met have shown themselves to be foragers.
    Foragers,
    /// A repulse succeeded.
    RepulsedOk,
    /// A repulse failed.
    RepulsedFailed,
    /// The way is closed.
    Blocked,
    /// What the initiative roll allowed.
    Roll(Rolled),
    /// MP left.
    MpLeft(i32),
    /// An own force stands in a hex.
    ForceAt(LeaderId, Hex),
    /// An enemy counter stands in a hex.
    EnemyAt(Hex),
    /// An enemy counter stands within some hexes of a hex.
    EnemyWithin(u32, Hex),
    /// An enemy leader is shown: next to the force at a contact, else anywhere.
    Leader(LeaderId),
    /// AP in stock.
    Ap(i32),
    /// A state of the weather.
    Weather(Weather),
    /// Whether the army's line of communication holds.
    Loc(bool),
    /// The turn.
    Turn(u32),
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Ends the march.
    Stop,
    /// Goes on.
    Go,
    /// Declares a repulse.
    Repulse,
    /// Asks the seat.
    Ask,
    /// Goes on by another path, from the hex where it stands.
    March(Vec<Hex>),
    /// Goes back by the hexes that it has come through.
    Return,
    /// Goes on to the end of its path by a way that keeps out of a hex and of those round it.
    Avoid(Hex),
}

/// `IF cond act [ELSE act]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The condition.
    pub cond: Cond<Test>,
    /// What is done if it holds.
    pub then: Act,
    /// What is done if not.
    pub otherwise: Option<Act>,
}

/// The moment at which branches are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The dice have been thrown.
    Roll(Rolled),
    /// Before a step.
    Step,
    /// Next to enemy counters in these hexes, nothing declared yet.
    Contact(Vec<Hex>),
    /// They have shown themselves to be vedettes or foragers only.
    Exposed {
        /// Whether vedettes are among them.
        vedettes: bool,
        /// Whether foragers are among them.
        foragers: bool,
    },
    /// A repulse was carried out; whether it succeeded.
    Repulsed(bool),
    /// The way is closed.
    Blocked,
}

/// A moment with what the column knows of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Now {
    /// The moment.
    pub moment: Moment,
    /// MP left.
    pub left: Halves,
}

/// Reads `cond act [ELSE act]`.
///
/// # Errors
/// The fault of the line.
pub fn branch(v: &View, args: &mut Args<'_>) -> Result<Branch, Fault> {
    let cond = condition(v, args)?;
    let then = act(v, args)?;
    let otherwise = if args.key("ELSE") { Some(act(v, args)?) } else { None };
    Ok(Branch { cond, then, otherwise })
}

/// Reads a condition.
///
/// # Errors
/// The fault of the line.
pub fn condition(v: &View, args: &mut Args<'_>) -> Result<Cond<Test>, Fault> {
    cond::read(args, |args| test(v, args))
}

fn act(v: &View, args: &mut Args<'_>) -> Result<Act, Fault> {
    let word = args.one_of("what to do", &["STOP", "GO", "REPULSE", "ASK", "MARCH", "RETURN", "AVOID"])?;
    Ok(match word {
        "STOP" => Act::Stop,
        "GO" => Act::Go,
        "REPULSE" => Act::Repulse,
        "ASK" => Act::Ask,
        "MARCH" => Act::March(path::hexes(v, args)?),
        "RETURN" => Act::Return,
        _ => Act::Avoid(words::hex(v, args)?),
    })
}

const TESTS: [&str; 15] = [
    "CONTACT", "VEDETTE", "FORAGERS", "REPULSED", "BLOCKED", "ROLL", "MP", "FORCE", "ENEMY", "LEADER", "AP", "WEATHER",
    "LOC", "TURN", "LOST",
];

fn test(v: &View, args: &mut Args<'_>) -> Result<Test, Fault> {
    Ok(match args.one_of("a test", &TESTS)? {
        "CONTACT" => Test::Contact(if args.key("AT") { Some(words::hex(v, args)?) } else { None }),
        "VEDETTE" => Test::Vedette,
        "FORAGERS" => Test::Foragers,
        "REPULSED" => match args.one_of("OK or FAILED", &["OK", "FAILED"])? {
            "OK" => Test::RepulsedOk,
            _ => Test::RepulsedFailed,
        },
        "BLOCKED" => Test::Blocked,
        "ROLL" => Test::Roll(match args.one_of("FULL, LESS, ONE or NONE", &["FULL", "LESS", "ONE", "NONE"])? {
            "FULL" => Rolled::Full,
            "LESS" => Rolled::Less,
            "ONE" => Rolled::One,
            _ => Rolled::Nothing,
        }),
        "MP" => Test::MpLeft(at_least(args)?),
        "FORCE" => {
            let leader = words::leader(v, args)?;
            args.key("AT");
            Test::ForceAt(leader, words::hex(v, args)?)
        }
        "ENEMY" if args.key("WITHIN") => {
            let n = args.number("a number of hexes")?.unsigned_abs();
            args.key("OF");
            Test::EnemyWithin(n, words::hex(v, args)?)
        }
        "ENEMY" => {
            args.key("AT");
            Test::EnemyAt(words::hex(v, args)?)
        }
        "LEADER" => Test::Leader(enemy_leader(v, args)?),
        "AP" => Test::Ap(at_least(args)?),
        "WEATHER" => {
            let names: Vec<&'static str> = Weather::ALL.iter().map(|w| w.name()).collect();
            let name = args.one_of("a state of the weather", &names)?;
            Test::Weather(Weather::ALL.into_iter().find(|w| w.name() == name).unwrap_or(Weather::Fair))
        }
        "LOC" => Test::Loc(args.one_of("OK or CUT", &["OK", "CUT"])? == "OK"),
        "TURN" => Test::Turn(args.number("a turn")?.unsigned_abs()),
        _ => return Err(Fault::refused("a march loses nothing before it ends; LOST is a test of battles", "¶264")),
    })
}

/// `>= n`, or `n` alone.
fn at_least(args: &mut Args<'_>) -> Result<i32, Fault> {
    args.key(">=");
    if let Some(word) = args.peek()
        && let Some(n) = word.text.strip_prefix(">=").and_then(|n| n.parse().ok())
    {
        args.next_word();
        return Ok(n);
    }
    args.number("a number, as in >= 3")
}

/// A leader of the other side, by his printed name.
fn enemy_leader(v: &View, args: &mut Args<'_>) -> Result<LeaderId, Fault> {
    let mut names = Vec::new();
    for spec in v.board.leaders.values().filter(|s| s.side != v.side_id()) {
        names.push((spec.name.clone(), spec.id.clone()));
        names.push((spec.code.clone(), spec.id.clone()));
    }
    args.name("a leader of the enemy", &names)
}

/// The act that the branches give for a moment; `None` where none of them speaks of it.
pub fn act_for(v: &View, branches: &[Branch], now: &Now) -> Option<Act> {
    for branch in branches {
        if !speaks_of(branch, &now.moment) {
            continue;
        }
        if branch.cond.holds(|test| truth(v, now, test)) {
            return Some(branch.then.clone());
        }
        if let Some(otherwise) = &branch.otherwise {
            return Some(otherwise.clone());
        }
    }
    None
}

/// Whether a branch is about a moment: it has a test of that moment, or, before a step, of no moment at all.
fn speaks_of(branch: &Branch, moment: &Moment) -> bool {
    let mut tests = branch.cond.any.iter().flatten().map(|t| &t.test);
    match moment {
        Moment::Step => tests.all(|t| !momentary(t)),
        Moment::Roll(_) => tests.any(|t| matches!(t, Test::Roll(_))),
        Moment::Contact(_) => tests.any(|t| matches!(t, Test::Contact(_))),
        Moment::Exposed { .. } => tests.any(|t| matches!(t, Test::Vedette | Test::Foragers)),
        Moment::Repulsed(_) => tests.any(|t| matches!(t, Test::RepulsedOk | Test::RepulsedFailed)),
        Moment::Blocked => tests.any(|t| matches!(t, Test::Blocked)),
    }
}

fn momentary(test: &Test) -> bool {
    matches!(
        test,
        Test::Contact(_)
            | Test::Vedette
            | Test::Foragers
            | Test::RepulsedOk
            | Test::RepulsedFailed
            | Test::Blocked
            | Test::Roll(_)
    )
}

/// What a test is, as far as its owner knows: true, false, or not known.
pub fn truth(v: &View, now: &Now, test: &Test) -> Option<bool> {
    let contact = match &now.moment {
        Moment::Contact(hexes) => hexes.as_slice(),
        _ => &[],
    };
    Some(match test {
        Test::Contact(at) => !contact.is_empty() && at.is_none_or(|hex| contact.contains(&hex)),
        Test::Vedette => matches!(now.moment, Moment::Exposed { vedettes: true, .. }),
        Test::Foragers => matches!(now.moment, Moment::Exposed { foragers: true, .. }),
        Test::RepulsedOk => now.moment == Moment::Repulsed(true),
        Test::RepulsedFailed => now.moment == Moment::Repulsed(false),
        Test::Blocked => now.moment == Moment::Blocked,
        Test::Roll(rolled) => now.moment == Moment::Roll(*rolled),
        Test::MpLeft(n) => now.left >= Halves::whole(*n),
        Test::ForceAt(leader, hex) => v.own.hex(leader) == Some(*hex),
        Test::EnemyAt(hex) => v.enemy.values().any(|c| c.hex == *hex),
        Test::EnemyWithin(n, hex) => v.enemy.values().any(|c| c.hex.distance(*hex) <= *n),
        Test::Leader(leader) => return shown(v, contact, leader),
        Test::Ap(n) => v.own.army.ap >= *n,
        Test::Weather(state) => v.weather.has(*state),
        Test::Loc(ok) => v.own.army.loc.is_some() == *ok,
        Test::Turn(n) => v.turn == *n,
    })
}

/// Whether a leader of the enemy stands face up; known to be false only where everything in question does.
fn shown(v: &View, hexes: &[Hex], leader: &LeaderId) -> Option<bool> {
    let ident = Ident::Leader(leader.clone());
    let there: Vec<_> = v.enemy.values().filter(|c| hexes.is_empty() || hexes.contains(&c.hex)).collect();
    if there.iter().any(|c| c.face_up && c.tie.as_ref().is_some_and(|t| t.ident == ident)) {
        return Some(true);
    }
    let sure = !hexes.is_empty() && there.iter().all(|c| c.face_up || c.stands().force() == Firm::No);
    sure.then_some(false)
}

impl Now {
    /// A moment outside any march.
    pub fn at_rest() -> Now {
        Now { moment: Moment::Step, left: Halves(0) }
    }
}

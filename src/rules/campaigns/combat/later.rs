//! Clauses of a plan that speak of later rounds: attacks formed anew (¶301), a second battle joined (¶302), a reserve that
//! moves one hex (¶324), foragers that concentrate (¶281).

use super::clause::{self, Clause};
use crate::hex::Hex;
use crate::orders::{Args, Fault};
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// An attack formed anew before a round (¶301, D-113).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The round.
    pub round: u32,
    /// Hexes to be attacked from then on, those left over by others among them.
    pub hexes: Vec<Hex>,
    /// Leaders that take part.
    pub with: Vec<LeaderId>,
    /// Who leads.
    pub lead: Option<LeaderId>,
}

/// Whether a force whose enemy is gone joins another battle (¶302, D-118).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// The first that it can.
    Nearest,
    /// None.
    No,
    /// The one for this hex.
    At(Hex),
}

/// `ROUND 2 ATTACK 2124 WITH Lannes LEAD Lannes`; the word is read.
///
/// # Errors
/// Its fault.
pub fn again(v: &View, args: &mut Args<'_>) -> Result<Clause, Fault> {
    let round = args.number("a round")?.unsigned_abs();
    let mut order = Again { round, hexes: Vec::new(), with: Vec::new(), lead: None };
    loop {
        if args.key("ATTACK") {
            order.hexes = clause::hexes(v, args)?;
        } else if args.key("WITH") {
            order.with = clause::leaders(v, args)?;
        } else if args.key("LEAD") {
            order.lead = Some(words::leader(v, args)?);
        } else {
            break;
        }
    }
    if round < 2 {
        return Err(Fault::refused("attacks are formed anew from the second round on", "¶301"));
    }
    Ok(Clause::Again(order))
}

/// The words of an attack formed anew, as a plan keeps them.
pub fn text(v: &View, order: &Again) -> String {
    let mut text = format!("ROUND {}", order.round);
    if !order.hexes.is_empty() {
        let list = order.hexes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        text.push_str(&format!(" ATTACK {list}"));
    }
    if !order.with.is_empty() {
        let names = order.with.iter().map(|l| words::order_name(v, l)).collect::<Vec<_>>().join(", ");
        text.push_str(&format!(" WITH {names}"));
    }
    if let Some(lead) = &order.lead {
        text.push_str(&format!(" LEAD {}", words::order_name(v, lead)));
    }
    text
}

/// `JOIN NEAREST`, `JOIN NO` or `JOIN 2225`; the word is read.
///
/// # Errors
/// Its fault.
pub fn join(v: &View, args: &mut Args<'_>) -> Result<Clause, Fault> {
    Ok(Clause::Join(match args.maybe(&["NEAREST", "YES", "NO"]) {
        Some("NO") => Join::No,
        Some(_) => Join::Nearest,
        None => Join::At(words::hex(v, args)?),
    }))
}

/// `MODE CONCENTRATE` or `MODE FORAGE`; the word is read.
///
/// # Errors
/// Its fault.
pub fn mode(v: &View, args: &mut Args<'_>) -> Result<Clause, Fault> {
    let word = args.one_of("CONCENTRATE or FORAGE", &["CONCENTRATE", "FORAGE"])?;
    if !v.board.policies.forage {
        return Err(Fault::refused("nobody forages in this game", "¶271"));
    }
    Ok(Clause::Mode(word == "CONCENTRATE"))
}

/// `COMMIT Walther TO 2125 ROUND 2`: a leader with all of his units; the words up to TO are read.
///
/// # Errors
/// Its fault.
pub fn shift(v: &View, args: &mut Args<'_>, units: Vec<UnitId>) -> Result<Clause, Fault> {
    let to = words::hex(v, args)?;
    if !v.board.policies.reserves {
        return Err(Fault::refused("reserves are not in play in this game", "¶315"));
    }
    let round = clause::round(args)?;
    if round == Some(1) {
        return Err(Fault::refused("a reserve moves from the second round on", "¶322, 324"));
    }
    Ok(Clause::Shift(units, to, round))
}

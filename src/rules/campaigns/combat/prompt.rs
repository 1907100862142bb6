//! Questions of this chapter. III.b Combat (¶298-410).
//!
//! Each is answered first from the seat's plan for the battle, then from its doctrine, else by the catalogue's default;
//! only ASK leaves it open. An answer is a line such as `BATTLE 0705 TYPE PITCHED`, so that several open questions cannot
//! be mixed up.

use super::battle::{BattleView, Marker};
use super::clause::{self, Chase, Clause, Control, Counter, Pick, Siege, Star};
use super::{answer, wishes};
use crate::hex::Hex;
use crate::orders::{Args, Fault, Line};
use crate::rules::Ask;
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::view::View;
use crate::rules::journal::Book;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The battle; 0 where it belongs to none.
    pub no: u32,
    /// The hex that names it.
    pub hex: Hex,
    /// What is asked.
    pub what: What,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A citadel: be besieged or fight (¶307).
    Siege,
    /// Stay or leave before combat (¶314).
    Leave(Piece),
    /// What goes into reserve (¶317).
    Reserve,
    /// What comes out of it (¶322).
    Commit,
    /// The battle type (¶298).
    Type,
    /// Guns to the front (¶349).
    Forward,
    /// The Old Guard (¶363).
    Stake,
    /// The star, after the die (¶365): the three results to choose from.
    Bonus {
        /// The die as rolled.
        die: i32,
        /// Results with the star taken off, left, and added.
        results: [String; 3],
        /// Which of the three is best: 0, 1 or 2.
        best: usize,
    },
    /// Override (¶400), with the own number.
    Override {
        /// Hexes to retreat, if so.
        number: i32,
    },
    /// Advance into a hex emptied by fire (¶300 step 5).
    Advance,
    /// The counterattack (¶300 step 13).
    Counter {
        /// Whether nothing obliges to it (¶401).
        free: bool,
    },
    /// The path of a retreat among equals (¶371).
    Retreat {
        /// The paths, each without the hex left.
        ways: Vec<Vec<Hex>>,
    },
    /// Hexes of a Rearguard's retreat (¶335), of its number.
    Rearguard {
        /// The number.
        number: i32,
    },
    /// The pursuit (¶380).
    Pursue {
        /// The path to be pursued along.
        path: Vec<Hex>,
    },
    /// What to do with control of the battle (¶410).
    Control,
    /// March to the sound of the guns (¶339).
    Guns(LeaderId),
    /// Foragers under attack try to concentrate (¶281).
    Mode(LeaderId),
    /// A force whose enemy is gone joins this battle (¶302).
    Join(LeaderId),
    /// Enter a citadel that surrenders (¶414).
    Enter,
    /// Napoleon is captured (¶396).
    Napoleon,
    /// Morale favours the side: its own marker up, or the enemy's down (¶5).
    Morale,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To a yes or no.
    Yes(bool),
    /// Hexes to leave; 0 stays.
    Leave(i32),
    /// Units.
    Units(Vec<UnitId>),
    /// A marker.
    Marker(Marker),
    /// A star.
    Star(Star),
    /// A counterattack, with SP to hold back.
    Counter(Counter, i32),
    /// One of the paths.
    Way(Vec<Hex>),
    /// A number of hexes.
    Hexes(i32),
    /// A pursuit.
    Pursue(Chase),
    /// What to do with control.
    Control(Control),
}

impl What {
    /// Its word in the journal: a purpose, and an own piece where it asks for one.
    fn word(&self) -> String {
        match self {
            What::Siege => "siege".to_owned(),
            What::Leave(Piece::Vedette(n)) => format!("leave/v{n}"),
            What::Leave(Piece::Leader(id)) => format!("leave/{id}"),
            What::Leave(Piece::Garrison(id)) => format!("leave/{id}"),
            What::Reserve => "reserve".to_owned(),
            What::Commit => "commit".to_owned(),
            What::Type => "type".to_owned(),
            What::Forward => "forward".to_owned(),
            What::Stake => "stake".to_owned(),
            What::Bonus { .. } => "bonus".to_owned(),
            What::Override { .. } => "override".to_owned(),
            What::Advance => "advance".to_owned(),
            What::Counter { .. } => "counter".to_owned(),
            What::Retreat { .. } => "retreat".to_owned(),
            What::Rearguard { .. } => "rearguard".to_owned(),
            What::Pursue { .. } => "pursue".to_owned(),
            What::Control => "control".to_owned(),
            What::Guns(id) => format!("guns/{id}"),
            What::Mode(id) => format!("mode/{id}"),
            What::Join(id) => format!("join/{id}"),
            What::Enter => "enter".to_owned(),
            What::Napoleon => "napoleon".to_owned(),
            What::Morale => "morale".to_owned(),
        }
    }
}

/// Its place in the journal: own names and public words only.
pub fn address(p: &Prompt) -> String {
    format!("battle/{}/{}", p.hex, p.what.word())
}

/// The reader's battle of a prompt.
pub fn battle<'v>(v: &'v View, p: &Prompt) -> Option<&'v BattleView> {
    v.battles.iter().find(|b| b.no == p.no)
}

/// The question as its seat reads it.
pub fn ask(v: &View, p: &Prompt) -> Ask {
    let (question, rule, mut answers) = answer::wording(v, p);
    let default = by(v, &without_asking(v), p, &Book::default()).or_else(|| answers.first().cloned());
    let default = default.unwrap_or_default();
    if !answers.contains(&default) {
        answers.insert(0, default.clone());
    }
    Ask { question, rule, answers, default }
}

/// A view without its plans: what the default is where a seat has asked to be asked and then says nothing.
fn without_asking(v: &View) -> View {
    let mut plain = v.clone();
    plain.own.plans.clear();
    plain
}

/// Reads an answer.
///
/// # Errors
/// The fault of the line.
pub fn read(v: &View, p: &Prompt, line: &Line) -> Result<Answer, Fault> {
    let mut args = Args::new(line, 0);
    if args.key("BATTLE") || args.key("DEFEND") {
        let at = crate::rules::campaigns::words::hex(v, &mut args)?;
        let ours = battle(v, p).is_some_and(|b| b.hexes.contains(&at) || b.from.contains(&at));
        if at != p.hex && !ours {
            return Err(Fault::refused(format!("the question is about {}", p.hex), ""));
        }
    }
    let read = answer::read(v, p, &mut args)?;
    match args.peek() {
        None => Ok(read),
        Some(extra) => Err(Fault::unclear(&extra.text, "the end of the answer", [], None)),
    }
}

/// The doctrine's answer; `None` where the seat wants to be asked.
pub fn doctrine(v: &View, p: &Prompt, book: &Book) -> Option<String> {
    by(v, v, p, book)
}

/// The answer of plans, book and default. `plans` is the view whose plans count.
fn by(v: &View, plans: &View, p: &Prompt, book: &Book) -> Option<String> {
    let answer = wishes::answer(plans, p, book)?;
    Some(answer::line(v, p, &answer))
}

/// Units of a pick that a prompt may name.
pub fn picked(pick: &Pick<UnitId>, all: &[UnitId]) -> Vec<UnitId> {
    match pick {
        Pick::All => all.to_vec(),
        Pick::None | Pick::Least => Vec::new(),
        Pick::These(units) => units.iter().filter(|u| all.contains(u)).cloned().collect(),
    }
}

/// The wish for a siege in the plan of a hex that no battle is fought in.
pub fn siege_wish(v: &View, hex: Hex) -> Option<Siege> {
    clause::plan(v, hex).into_iter().rev().find_map(|c| if let Clause::Siege(s) = c { Some(s) } else { None })
}

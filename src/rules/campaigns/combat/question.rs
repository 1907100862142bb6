//! What is asked in this chapter, and what is answered. III.b Combat (¶298-410).

use crate::hex::Hex;
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::combat::battle::Marker;
use crate::rules::campaigns::combat::clause::{Chase, Control, Counter, Star};
use crate::rules::campaigns::pieces::Piece;

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
    pub(super) fn word(&self) -> String {
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

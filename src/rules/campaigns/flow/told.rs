//! What a side is told of the sequence of play, and of counters that come, go, move and turn (¶31-32, 49-71).

use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::rules::campaigns::board::{ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::sequence::{At, Victory};
use crate::rules::campaigns::tables::Conditions;
use crate::rules::campaigns::telling;
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// A piece as the reader knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The reader's own piece.
    Own(Piece),
    /// A foreign counter by the reader's tag.
    Foe(u32),
}

/// Why a counter changed its hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// A step of a march in its own Movement Phase.
    March,
    /// A step of a Forced March (¶297).
    ForcedMarch,
    /// A step of a reserve or of a march to the sound of the guns (¶324, 339).
    Guns,
    /// Driven back by a repulse (¶241).
    Repulsed,
    /// Retreat after combat (¶369).
    Retreat,
    /// Left before combat (¶314).
    Withdrew,
    /// Pursuit (¶380).
    Pursuit,
    /// Displaced by a friend (¶138, 371).
    Displaced,
    /// Advance into a hex emptied by fire (¶300 step 5).
    Advance,
    /// Put there by an umpire.
    Umpire,
    /// Changed places when it was fixed (Solitaire 4).
    Fixed,
}

/// What took strength away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// March attrition (¶262).
    Attrition,
    /// Artillery bombardment (¶347).
    Bombardment,
    /// A combat result (¶367).
    Combat,
    /// Pursuit (¶382).
    Pursuit,
    /// A failed repulse in a Forced March (¶243).
    Repulse,
    /// Surrounded, captured off the map, or surrendered (¶370, 374, 414).
    Surrender,
}

/// A sighting of this chapter.
pub type Sighting = telling::Sighting<Open, Own, Glimpse>;

/// What lies open: where the game stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Open {
    /// The sequence of play goes on; the log of the phase is cleared.
    Stage {
        /// Where it stands now.
        at: At,
    },
    /// A phase of one army of a side begins; whose it is both players know (¶55, 62-63).
    ArmyPhase {
        /// Whose.
        side: SideId,
        /// Which army.
        army: ArmyId,
    },
    /// A turn begins (¶49).
    Turn {
        /// Which.
        turn: u32,
    },
    /// The weather is known (¶70).
    Weather {
        /// The die; `None` where the weather is historical.
        die: Option<i32>,
        /// What it made.
        weather: Conditions,
    },
    /// Who holds an objective: it changes hands.
    Control {
        /// Where.
        hex: Hex,
        /// To whom.
        side: SideId,
    },
    /// The game is over.
    Over {
        /// How.
        victory: Victory,
    },
}

/// What its side alone is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Own {
    /// A plan for a hex is taken; own only.
    Plan {
        /// The hex.
        hex: Hex,
        /// The clauses now standing.
        clauses: Vec<String>,
    },
}

/// As the reader may see it: a counter under the name that he has for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Glimpse {
    /// Set-up is over: the foreign counters on the map, in hex order, with what faces show (garrisons).
    Begun {
        /// Tag, hex, piece and name where it stands face up.
        counters: Vec<(u32, Hex, Option<Piece>, Option<Ident>)>,
        /// The turn that is about to begin.
        turn: u32,
    },
    /// A bridge is damaged or repaired (¶251-254).
    Bridge {
        /// Where.
        edge: Hexside,
        /// Whether it is damaged now.
        damaged: bool,
        /// Own force that did it, where it was the reader's.
        by: Option<LeaderId>,
    },
    /// A counter comes onto the map.
    Appeared {
        /// Which.
        who: Who,
        /// Where.
        hex: Hex,
        /// The piece, where it stands face up.
        face: Option<(Piece, Ident)>,
    },
    /// A counter leaves the map.
    Vanished {
        /// Which.
        who: Who,
        /// From where.
        hex: Hex,
    },
    /// A counter moves one hex.
    Moved {
        /// Which.
        who: Who,
        /// From.
        from: Hex,
        /// To.
        to: Hex,
        /// Why.
        why: Why,
    },
    /// A counter shows its face (¶31).
    Shown {
        /// Which.
        who: Who,
        /// What it is.
        ident: Ident,
        /// The piece.
        piece: Piece,
        /// Where.
        hex: Hex,
    },
    /// The leaders under one who was shown (¶31).
    Beside {
        /// Whose counter was shown.
        who: Who,
        /// Who is under him.
        leaders: Vec<LeaderId>,
    },
    /// A counter is turned face down again (¶32).
    Hidden {
        /// Which.
        who: Who,
    },
    /// The strength of a counter is shown (¶241, 300 step 6).
    Strength {
        /// Which.
        who: Who,
        /// In SP.
        sp: i32,
    },
    /// Own strength is lost (¶13, 16).
    Lost {
        /// The unit.
        unit: UnitId,
        /// SP.
        sp: i32,
        /// What took it.
        cause: Cause,
        /// Whether the unit is gone.
        destroyed: bool,
    },
    /// A force retreats off the map (¶374).
    LeftMap {
        /// Which.
        who: Who,
        /// Over which edge hex.
        hex: Hex,
    },
}

//! Kinds of places: what each is to the rules, by paragraph.
//!
//! A Center is a kind of place on the map; the Center of Operations is a counter and makes none (¶90, 330, 355). Of the
//! fortifications only a citadel is besieged (¶307-310), starves (¶289), surrenders (¶413) and is safe from guns (¶348).

use super::situation::Situation;
use crate::hex::Hex;
use crate::map::Settlement;

impl Settlement {
    /// ¶130, 216 Whether it is a fortification whoever comes, which may have a garrison.
    pub fn fortified(self) -> bool {
        match self {
            Settlement::Capital | Settlement::FortifiedTown | Settlement::Citadel => true,
            Settlement::Village
            | Settlement::Town
            | Settlement::Center
            | Settlement::DepotTown
            | Settlement::PrimaryTown
            | Settlement::City => false,
        }
    }

    /// ¶90 Whether it serves as a depot: those printed, and Centers, cities, Primary Towns and fortifications.
    pub fn depot(self) -> bool {
        match self {
            Settlement::Village | Settlement::Town => false,
            Settlement::Center | Settlement::DepotTown | Settlement::PrimaryTown | Settlement::City => true,
            Settlement::Capital | Settlement::FortifiedTown | Settlement::Citadel => true,
        }
    }

    /// ¶327, 329 Whether it is a town of any kind, a city or a fortification. A village is none (¶355), nor is a Center.
    pub fn town(self) -> bool {
        self != Settlement::Village && self != Settlement::Center
    }
}

impl Situation<'_> {
    /// ¶216: whether a hex is a fortification whoever comes: capitals, fortified towns and citadels are. Of redoubts see
    /// `walls`.
    pub fn fortification(&self, hex: Hex) -> bool {
        self.settlement(hex).is_some_and(Settlement::fortified)
    }

    /// ¶217, 289, 307-310, 348, 413: whether a hex is a citadel, the one fortification that can be under siege.
    pub fn citadel(&self, hex: Hex) -> bool {
        self.settlement(hex) == Some(Settlement::Citadel)
    }

    /// ¶90: whether a hex is a depot as printed, or a possible source.
    pub fn depot_terrain(&self, hex: Hex) -> bool {
        self.settlement(hex).is_some_and(Settlement::depot)
            || self.board.sides.iter().any(|s| s.id == self.own.side && s.sources.contains(&hex))
    }
}

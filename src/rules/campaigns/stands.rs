//! What stands in a hex, and what it does there to the other side: one notion, asked at each use by its paragraph.
//!
//! A vedette does nothing (¶85, 230). One SP of cavalry is a force with a zone, but cuts nothing (¶231). A force in
//! Forage Mode has its zone in its own hex alone (¶238, 280). Any other force, and a garrison, has it all round (¶232).

use super::board::{Arm, Board, LeaderId};
use super::pieces::{Pieces, Vedette};
use crate::hex::Hex;
use std::collections::BTreeMap;

/// Whether something holds, as far as the reckoner knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Firm {
    /// It does not.
    No,
    /// It may.
    Unknown,
    /// It does.
    Yes,
}

/// What one piece is to the hex that it stands in and to those round it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A vedette, a force that passes for one (¶231), or a leader without troops (¶40).
    Vedette,
    /// Cavalry of one SP (¶231), foraging or not.
    Horse {
        /// Whether in Forage Mode.
        forages: bool,
    },
    /// Any other force in Forage Mode (¶238).
    Foragers,
    /// Any other force, or a garrison (¶77, 232).
    Force,
}

/// What stands in a hex of the enemy's, by what it does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stands {
    force: Firm,
    zone: Firm,
    bars: Firm,
    cuts: Firm,
}

impl Firm {
    fn of(holds: bool) -> Firm {
        if holds { Firm::Yes } else { Firm::No }
    }
}

impl Kind {
    /// ¶254, 308 Whether it is a force at all.
    fn force(self) -> bool {
        self != Kind::Vedette
    }

    /// ¶232, 239, 280 Whether its zone lies on the hexes round it, and stops who comes.
    fn zone(self) -> bool {
        matches!(self, Kind::Force | Kind::Horse { forages: false })
    }

    /// ¶80, 85-86, 231, 238 Whether lines and dispatches may not pass its own hex.
    fn bars(self) -> bool {
        matches!(self, Kind::Force | Kind::Foragers)
    }

    /// ¶80, 85-86, 231, 238 Whether they may not pass the hexes round it.
    fn cuts(self) -> bool {
        self == Kind::Force
    }
}

impl Stands {
    /// A counter of which nothing is known.
    pub const UNKNOWN: Stands =
        Stands { force: Firm::Unknown, zone: Firm::Unknown, bars: Firm::Unknown, cuts: Firm::Unknown };

    /// A piece that is known for what it is.
    pub fn of(kind: Kind) -> Stands {
        let [force, zone, bars, cuts] = [kind.force(), kind.zone(), kind.bars(), kind.cuts()].map(Firm::of);
        Stands { force, zone, bars, cuts }
    }

    /// A leader whom a side knows. He is taken to have his zone round him, since his mode is not told (¶278); if no more
    /// than one SP was seen with him, it may be cavalry that cuts nothing (¶231).
    pub(super) fn seen(sp: Option<i32>) -> Stands {
        let lines = if sp == Some(1) { Firm::Unknown } else { Firm::Yes };
        Stands { bars: lines, cuts: lines, ..Stands::of(Kind::Force) }
    }

    /// What two pieces in one hex do together.
    fn and(self, other: Stands) -> Stands {
        Stands {
            force: self.force.max(other.force),
            zone: self.zone.max(other.zone),
            bars: self.bars.max(other.bars),
            cuts: self.cuts.max(other.cuts),
        }
    }

    /// The same, with what may be taken for what is: how a careful reckoner draws his line (¶85).
    pub fn feared(self) -> Stands {
        let worst = |firm: Firm| if firm == Firm::Unknown { Firm::Yes } else { firm };
        Stands { force: worst(self.force), zone: worst(self.zone), bars: worst(self.bars), cuts: worst(self.cuts) }
    }

    /// ¶217, 254, 259, 308 Whether a force stands there, of whatever size and in whatever mode: it besieges, hinders a
    /// repair, takes a center's hex.
    pub fn force(self) -> Firm {
        self.force
    }

    /// ¶232, 239, 280 Whether its zone on the hexes round it holds.
    pub fn zone(self) -> Firm {
        self.zone
    }

    /// ¶80, 85-86, 231, 238 Whether lines, dispatches and couriers may not pass the hex itself.
    pub fn bars(self) -> Firm {
        self.bars
    }

    /// ¶80, 85-86, 231, 238 Whether they may not pass the hexes that its zone covers.
    pub fn cuts(self) -> Firm {
        self.cuts
    }
}

/// Puts what stands in a hex beside what stands there already.
pub fn add(hexes: &mut BTreeMap<Hex, Stands>, hex: Hex, stands: Stands) {
    hexes.entry(hex).and_modify(|there| *there = there.and(stands)).or_insert(stands);
}

impl Pieces {
    /// What stands in each hex with counters of this side; those that pass for vedettes are named (¶231).
    pub fn standing(&self, board: &Board, patrols: impl Fn(&LeaderId) -> bool) -> BTreeMap<Hex, Stands> {
        let mut hexes = BTreeMap::new();
        for vedette in self.vedettes.values() {
            if let Vedette::At(hex) = vedette {
                add(&mut hexes, *hex, Stands::of(Kind::Vedette));
            }
        }
        self.garrisons().for_each(|hex| add(&mut hexes, hex, Stands::of(Kind::Force)));
        let strengths = self.strengths();
        for (id, hex) in self.on_map() {
            let forages = self.leaders.get(id).is_some_and(|leader| leader.forage);
            let kind = match strengths.get(id) {
                None => Kind::Vedette,
                Some(_) if patrols(id) => Kind::Vedette,
                Some(1) if self.sp_of(board, id, Arm::Cavalry) == 1 => Kind::Horse { forages },
                Some(_) if forages => Kind::Foragers,
                Some(_) => Kind::Force,
            };
            add(&mut hexes, hex, Stands::of(kind));
        }
        hexes
    }

    /// ¶232, 239, 280 Whether a zone of this side goes out from a hex: that of a garrison, or of a force that does not
    /// forage.
    pub fn zone_round(&self, hex: Hex) -> bool {
        let holds = |id: &LeaderId| self.leaders.get(id).is_some_and(|l| !l.forage) && !self.unemployed(id);
        !self.garrisons_at(hex).is_empty() || self.leaders_at(hex).into_iter().any(holds)
    }
}

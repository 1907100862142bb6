//! Orders of movement (¶147-297; all voluntary, ¶148): FORCE, VEDETTE, LEADER, CENTER, FLOOR, and IF before any of them.

use super::clause::{Branch, Test};
use super::path::Road;
use crate::hex::{Hex, Hexside};
use crate::orders::cond::Cond;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::sequence::TrestleJob;
use std::collections::BTreeSet;

/// An order of this chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// `FORCE name …`.
    Force(ForceOrder),
    /// `FORCE ALL HOLD`.
    HoldAll,
    /// `VEDETTE n MARCH path …`.
    Vedette {
        /// Which.
        n: u32,
        /// Its path, its own hex left out.
        path: Vec<Hex>,
        /// Conditions.
        branches: Vec<Branch>,
    },
    /// `LEADER name MARCH path`.
    Leader {
        /// Who.
        leader: LeaderId,
        /// His path.
        path: Vec<Hex>,
    },
    /// `CENTER MARCH path`.
    Center {
        /// Its path.
        path: Vec<Hex>,
    },
    /// `CENTER RIVER hex`.
    CenterRiver {
        /// Where it lands.
        to: Hex,
    },
    /// `CENTER HOLD`.
    CenterHold,
    /// `OFFMAP leader BACK` (¶221).
    Back {
        /// Who.
        leader: LeaderId,
    },
    /// `REDOUBT BEGIN hex TOWARD hex …` or `REDOUBT CONTINUE hex` (¶295).
    Redoubt {
        /// Where.
        hex: Hex,
        /// What is done.
        dig: Dig,
    },
    /// `FORAGE ASSIGN hexes TO leader` (¶287).
    Assign {
        /// The hexes.
        hexes: Vec<Hex>,
        /// Who alone may count them.
        leader: LeaderId,
    },
    /// `FLOOR AP n`.
    Floor {
        /// AP that commands must leave.
        ap: i32,
    },
    /// `MODE leader FORAGE` at set-up (¶272).
    StartMode {
        /// Whose.
        leader: LeaderId,
        /// Forage Mode, not Concentrated Mode.
        forage: bool,
    },
    /// `IF cond order`.
    If {
        /// The condition.
        cond: Cond<Test>,
        /// The order.
        order: Box<Order>,
    },
}

/// An order to a force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForceOrder {
    /// Its leader.
    pub leader: LeaderId,
    /// By what it moves.
    pub how: How,
    /// Its path, its own hex left out; empty where it stays.
    pub path: Vec<Hex>,
    /// The road that was asked for, where the program chose the hexes (¶213).
    pub road: Option<Road>,
    /// A change of mode (¶278).
    pub mode: Option<Mode>,
    /// Subordinates to be dropped off, and where (¶141).
    pub drops: Vec<(LeaderId, Hex)>,
    /// Work on bridges and trestles at the end of the march (¶61, 251).
    pub works: Vec<Work>,
    /// Work with bridge trains and pontoons on the way (¶255-260).
    pub trains: Vec<TrainStep>,
    /// Subordinates in hexes beside him who march as parts of his force (¶225).
    pub with: Vec<Part>,
    /// Whether it goes off the map at the end (¶219-220).
    pub off_map: bool,
    /// Conditions.
    pub branches: Vec<Branch>,
}

/// A part of a multi-hex force (¶225).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its leader.
    pub leader: LeaderId,
    /// Its path, its own hex left out.
    pub path: Vec<Hex>,
    /// Conditions of this part.
    pub branches: Vec<Branch>,
}

/// By what a force moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By a Movement Command (¶166), perhaps with so many extra MP of an Extended March (¶185).
    Command(Option<Halves>),
    /// By the free command of a March Regiment on the turn it is raised (¶115), perhaps with extra MP (¶160).
    Free(Option<Halves>),
    /// By the one command of an Administrative March (¶187).
    Plotted,
    /// By its leader's initiative (¶191).
    Initiative,
    /// By initiative in the enemy's player-turn (¶297).
    Forced,
    /// Not at all.
    Hold,
}

/// Work on a bridge or trestle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// The river side.
    pub edge: Hexside,
    /// What is done there.
    pub job: Job,
}

/// What is done at a river side (¶61, 251).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// A bridge is damaged (¶252).
    Damage,
    /// A damaged bridge is repaired (¶254).
    Repair,
    /// A trestle is worked on (¶61).
    Trestle(TrestleJob),
}

impl Job {
    /// What it is done to.
    pub fn noun(self) -> &'static str {
        match self {
            Job::Damage | Job::Repair => "bridge",
            Job::Trestle(_) => "trestle",
        }
    }

    /// ¶254 Whether no enemy force may stand at the other end.
    pub fn needs_far_bank(self) -> bool {
        matches!(self, Job::Repair | Job::Trestle(TrestleJob::Build | TrestleJob::Repair))
    }
}

impl Work {
    /// The words of the order.
    pub fn words(self) -> String {
        let (a, b) = self.edge.hexes();
        let what = match self.job {
            Job::Damage => "BRIDGE DAMAGE",
            Job::Repair => "BRIDGE REPAIR",
            Job::Trestle(TrestleJob::Build) => "TRESTLE BUILD",
            Job::Trestle(TrestleJob::Repair) => "TRESTLE REPAIR",
            Job::Trestle(TrestleJob::Damage) => "TRESTLE DAMAGE",
            Job::Trestle(TrestleJob::Destroy) => "TRESTLE DESTROY",
        };
        format!("{what} {a}/{b}")
    }
}

impl How {
    /// ¶185 Extra MP of an Extended March.
    pub fn extra(self) -> Halves {
        match self {
            How::Command(extra) | How::Free(extra) => extra.unwrap_or(Halves(0)),
            How::Plotted | How::Initiative | How::Forced | How::Hold => Halves(0),
        }
    }
}

impl ForceOrder {
    /// An order without any step.
    pub fn bare(leader: LeaderId, how: How) -> ForceOrder {
        ForceOrder {
            leader,
            how,
            path: Vec::new(),
            road: None,
            mode: None,
            drops: Vec::new(),
            works: Vec::new(),
            trains: Vec::new(),
            with: Vec::new(),
            off_map: false,
            branches: Vec::new(),
        }
    }
}

/// A change of mode that an order asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// To Forage Mode, not to Concentrated Mode.
    pub forage: bool,
    /// Whether it comes before the march.
    pub first: bool,
}

/// Work with a bridge train or pontoon that an order asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainStep {
    /// Deploys the train, in the first hex of the march that lies on the river side (¶259).
    Deploy(Hexside),
    /// Takes an own pontoon up, in the last hex of the march beside it (¶259).
    Remove(Hexside),
    /// Captures an enemy pontoon, in the first hex beside it (¶258).
    Capture(Hexside),
    /// Leaves the train behind (¶260).
    Leave {
        /// Before the march, not after it.
        first: bool,
    },
    /// Takes along a train that lies on the way (¶260).
    Take,
}

/// What is done at a redoubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dig {
    /// It is begun, with these hexsides.
    Begin(BTreeSet<Hexside>),
    /// It is carried on.
    Continue,
}

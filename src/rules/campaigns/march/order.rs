//! Orders of movement (¶147-297; all voluntary, ¶148): FORCE, VEDETTE, LEADER, CENTER, FLOOR, and IF before any of them.

use super::assign;
use super::clause::{Act, Branch, Now, Test, truth};
use super::forage::Mode;
use super::path::Road;
use super::redoubt::{self, Dig};
use super::told::TrestleJob;
use super::train::TrainStep;
use super::{check, read};
use crate::hex::{Hex, Hexside};
use crate::orders::Verb;
use crate::orders::cond::Cond;
use crate::rules::campaigns::armies::turned;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::sequence::Segment;
use crate::rules::campaigns::view::View;

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

/// Verbs of this chapter.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    let verbs = vec![
        Verb {
            word: "FORCE",
            usage: "name COMMAND [EXTENDED n] | FREE [EXTENDED n] | INITIATIVE | FORCED | ADMINMARCH  MARCH hex hex … | MARCH ROAD TO place [ANYWAY]  \
                    [DROP name AT hex] [MODE FORAGE|CONCENTRATE] [BRIDGE DAMAGE|REPAIR hex/hex] \
                    [TRESTLE BUILD|REPAIR|DAMAGE|DESTROY hex/hex] \
                    [PONTOON DEPLOY|REMOVE|CAPTURE hex/hex] [TRAIN LEAVE|TAKE] [OFFMAP]  {IF test act [ELSE act]}  \
                    {WITH name MARCH hex hex … {IF …}}, or name HOLD, or ALL HOLD",
            rule: "¶147-217, 225-228, 241-260, 297",
            examples: read::force_examples,
            read: |v, args| turned(v, args, read::force),
        },
        Verb {
            word: "VEDETTE",
            usage: "n MARCH hex hex …  {IF test act [ELSE act]} | PLACE WITH leader [1|2] | POOL n",
            rule: "¶24, 135, 230, 248",
            examples: read::vedette_examples,
            read: |v, args| read::vedette(v, args),
        },
        Verb {
            word: "LEADER",
            usage: "name MARCH hex hex …",
            rule: "¶40-41",
            examples: read::leader_examples,
            read: |v, args| read::leader(v, args),
        },
        Verb {
            word: "CENTER",
            usage: "MARCH hex hex … | RIVER hex | HOLD | DISBAND | RETURN AT hex | FLEE TOWARD hex",
            rule: "¶106, 176-184",
            examples: read::center_examples,
            read: |v, args| turned(v, args, read::center),
        },
        Verb {
            word: "OFFMAP",
            usage: "leader BACK  (to leave: FORCE … OFFMAP)",
            rule: "¶219-221",
            examples: super::offmap::examples,
            read: |v, args| {
                let leader = super::offmap::read_back(v, args)?;
                Ok(super::super::Order::March(Order::Back { leader }))
            },
        },
        Verb {
            word: "FLOOR",
            usage: "AP n",
            rule: "¶171",
            examples: |_| vec!["FLOOR AP 2".to_owned()],
            read: |v, args| read::floor(v, args),
        },
        redoubt::verb(),
        assign::verb(),
        Verb {
            word: "MODE",
            usage: "leader FORAGE | CONCENTRATE  (at set-up; later FORCE … MODE)",
            rule: "¶272",
            examples: read::mode_examples,
            read: |v, args| read::mode(v, args),
        },
        Verb {
            word: "IF",
            usage: "test {AND|OR test} FORCE … | VEDETTE … | LEADER … | CENTER …",
            rule: "¶147",
            examples: |_| Vec::new(),
            read: |v, args| read::condition(v, args),
        },
    ];
    verbs
}

/// The segment of sheet A that an order belongs to. What may be done at any time of the Movement Phase has none.
pub fn segment(order: &Order) -> Option<Segment> {
    match order {
        Order::Force(force) => match force.how {
            How::Free(_) => Some(Segment::Reinforcements),
            How::Command(_) | How::Plotted => Some(Segment::Commands),
            How::Initiative => Some(Segment::Initiative),
            How::Forced | How::Hold => None,
        },
        // ¶177: after the last Movement Command.
        Order::Center { .. } | Order::CenterRiver { .. } => Some(Segment::Initiative),
        Order::If { order, .. } => segment(order),
        Order::HoldAll
        | Order::Back { .. }
        | Order::Vedette { .. }
        | Order::Leader { .. }
        | Order::CenterHold
        | Order::Redoubt { .. }
        | Order::Assign { .. }
        | Order::StartMode { .. }
        | Order::Floor { .. } => None,
    }
}

/// What CHECK says of an order.
pub fn check(v: &View, order: &Order) -> Vec<String> {
    match order {
        Order::Force(force) => check::force(v, force),
        Order::HoldAll => vec!["All forces stand where they are.".to_owned()],
        Order::Vedette { n, path, branches: _ } => check::vedette(v, *n, path),
        Order::Leader { leader, path } => check::leader(v, leader, path),
        Order::Center { path } => check::center(v, path),
        Order::CenterRiver { .. } => vec![check::INACTIVE.to_owned()],
        Order::Back { .. } => vec!["The enemy is told that the force comes back where it left (¶221).".to_owned()],
        Order::CenterHold => vec!["The center stays.".to_owned()],
        Order::Floor { ap } => vec![format!("No command is given that would leave fewer than {ap} AP.")],
        Order::Assign { hexes, leader } => assign::check(v, hexes, leader),
        Order::Redoubt { hex, dig } => redoubt::check(v, *hex, dig),
        Order::StartMode { forage, .. } => {
            vec![format!("It begins in {} Mode.", if *forage { "Forage" } else { "Concentrated" })]
        }
        Order::If { cond, order } => {
            let holds = cond.holds(|test| truth(v, &Now::at_rest(), test));
            let mut lines =
                vec![format!("As you know it now the condition is {}.", if holds { "met" } else { "not met" })];
            lines.extend(check(v, order));
            lines
        }
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

    /// Whether an act of its branches asks for a repulse.
    pub fn may_repulse(&self) -> bool {
        self.branches.iter().any(|b| b.then == Act::Repulse || b.otherwise == Some(Act::Repulse))
    }
}

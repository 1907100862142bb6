//! The verbs of this chapter. II and III.a Movement (¶147-297).

use super::clause::{Now, truth};
use super::order::{How, Order};
use super::{assign, check, read, redoubt};
use crate::orders::Verb;
use crate::rules::campaigns;
use crate::rules::campaigns::order::turned;
use crate::rules::campaigns::sequence::Segment;
use crate::rules::campaigns::view::View;

/// Verbs of this chapter.
pub fn verbs() -> Vec<Verb<View, campaigns::Order>> {
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
                Ok(campaigns::Order::March(Order::Back { leader }))
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

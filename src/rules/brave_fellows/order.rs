//! The lines of an impulse.

use super::board::FRENCH;
use super::rehearse::units_of;
use super::state::{State, Wish};
use super::view::View;
use super::{arrive, command, dummy, enter, examples, fire, march, melee, place, shock};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::orders::{Args, Fault, Verb, deny};
use crate::rules::tactical::words::{Names, behind, by_names, dir, hex, hex_behind, hexes, names, several};

/// 6.1 Who is activated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The leader and the leaders under him.
    pub leaders: Vec<String>,
    /// 6.1.4 Units of others.
    pub extra: Vec<String>,
    /// 6.1.7 Units out of range.
    pub test: Vec<String>,
    /// 6.1.10a The unit that leads where the leader is gone.
    pub via: Option<String>,
}

/// One line, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// 3.0 Nothing is activated.
    Pass,
    /// 6.1 A command is activated.
    Activate(Call),
    /// 6.2.5 Units go from hex to hex.
    Move {
        /// The units.
        units: Vec<String>,
        /// The hexes.
        path: Vec<Hex>,
        /// How they face then.
        face: Option<Dir>,
    },
    /// 4.3.2 Units turn.
    Face {
        /// The units.
        units: Vec<String>,
        /// The hexside.
        face: Dir,
    },
    /// 6.2 A leader rides.
    Lead {
        /// The leader.
        leader: String,
        /// Where to.
        to: Hex,
    },
    /// 6.3 Units fire.
    Fire {
        /// The units.
        units: Vec<String>,
        /// The target.
        at: Hex,
    },
    /// 6.4 Units attack.
    Melee {
        /// The units.
        units: Vec<String>,
        /// The target.
        at: Hex,
        /// 6.4.9 Who goes into the hex if it is emptied.
        first: Vec<String>,
    },
    /// 6.2.11 A unit of horse charges.
    Charge {
        /// The unit.
        unit: String,
        /// The target.
        at: Hex,
    },
    /// 6.3.9, 6.4.9 Units go into a hex that they have emptied.
    Advance {
        /// The units.
        units: Vec<String>,
        /// The hex.
        into: Hex,
    },
    /// 5.2 A stack comes on from the edge.
    Enter {
        /// Units and leaders.
        pieces: Vec<String>,
        /// Where, if not by their own hex.
        at: Option<Hex>,
    },
    /// 9.1, 9.2, 9.3 Pieces are put on the map.
    Put {
        /// Units and leaders.
        pieces: Vec<String>,
        /// The hex.
        at: Hex,
        /// How they face then.
        face: Option<Dir>,
    },
    /// 9.2.5 The Rear Guard.
    Guard {
        /// The units.
        units: Vec<String>,
    },
    /// 5.3, 6.3.8f, 6.5.5, 8.3.2 What the side wants when its time comes.
    Wish(Wish),
}

/// What is expected of a line.
const UNIT: &str = "a unit of yours";
const LEADER: &str = "a leader of yours";
const PIECE: &str = "a unit or a leader of yours";

fn units(v: &View, such: &dyn Fn(&str) -> bool) -> Names {
    let there = v.state.units.iter().filter(|(id, u)| such(id) && u.hex.or(u.waits).is_some());
    let own = there.filter(|(id, _)| v.state.is_of(id, &v.side));
    names(own.map(|(id, _)| id))
}

fn fallen(v: &View) -> Names {
    let own = v.state.units.iter().filter(|(id, u)| u.gone.is_some() && v.state.is_of(id, &v.side));
    names(own.map(|(id, _)| id))
}

fn pieces(v: &View) -> Names {
    units(v, &|_| true).into_iter().chain(leaders(v)).collect()
}

pub(super) fn leaders(v: &View) -> Names {
    let own = |name: &&String| v.state.leads(name, &v.side);
    names(v.state.leaders.keys().filter(own))
}

/// How units face at the end, if it is said.
fn facing(args: &mut Args<'_>) -> Result<Option<Dir>, Fault> {
    behind(args, "FACE", |args| dir(args).map(Some))
}

/// Units, one at least.
fn some(v: &View, args: &mut Args<'_>) -> Result<Vec<String>, Fault> {
    by_names(args, |such| units(v, such), |args, known| several(args, UNIT, known))
}

/// One unit.
fn one(v: &View, args: &mut Args<'_>) -> Result<String, Fault> {
    by_names(args, |such| units(v, such), |args, known| args.name(UNIT, known))
}

fn activate(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let leaders_of = leaders(v);
    let mut leaders = vec![args.name(LEADER, &leaders_of)?];
    leaders.extend(behind(args, "WITH", |args| several(args, LEADER, &leaders_of))?);
    let extra = behind(args, "EXTRA", |args| some(v, args))?;
    let mut test = behind(args, "TEST", |args| some(v, args))?;
    let via = behind(args, "VIA", |args| one(v, args).map(Some))?;
    if test.is_empty() {
        test = behind(args, "TEST", |args| some(v, args))?;
    }
    let order = Order::Activate(command::sifted(&v.state, Call { leaders, extra, test, via }));
    may(&v.state, &order).map(|()| order)
}

fn go(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let units = some(v, args)?;
    let mut path = vec![hex(args)?];
    path.extend(hexes(args)?);
    Ok(Order::Move { units, path, face: facing(args)? })
}

fn attack(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let (found, at) = (some(v, args)?, hex_behind(args, "AT")?);
    let first = behind(args, "ADVANCE", |args| some(v, args))?;
    Ok(Order::Melee { units: found, at, first })
}

fn put(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let pieces = several(args, PIECE, &pieces(v))?;
    let order = Order::Put { pieces, at: hex_behind(args, "AT")?, face: facing(args)? };
    may(&v.state, &order).map(|()| order)
}

fn come(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let pieces = several(args, PIECE, &pieces(v))?;
    Ok(Order::Enter { pieces, at: behind(args, "AT", |args| hex(args).map(Some))? })
}

fn regroup(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = args.name("a unit of yours that is gone", &fallen(v))?;
    Ok(Order::Wish(Wish::Regroup { unit, at: hex_behind(args, "AT")? }))
}

/// 8.3.2 It is the French player who disbands the Elite battalion.
fn disband(side: &SideId) -> Result<Order, Fault> {
    deny(side.0 != FRENCH, "the Elite battalion is French, and it is for the French to disband it", "8.3.2")?;
    Ok(Order::Wish(Wish::Disband))
}

/// 8.3.2 Whether the Elite battalion is there to be disbanded; 5.3.1 whether a unit may be brought back.
fn may_wish(s: &State, wish: &Wish) -> Result<(), Fault> {
    match wish {
        Wish::Regroup { unit, .. } if !arrive::lies_dead(s, unit) => {
            Err(Fault::refused(format!("{unit} is not foot that was eliminated"), "5.3.1"))
        }
        Wish::Disband if !s.standing().any(|(id, ..)| s.is_of(id, &FRENCH.into()) && id.starts_with("EL")) => {
            Err(Fault::refused("the Elite battalion is not on the map", "8.3.2"))
        }
        _ => Ok(()),
    }
}

/// What an order could not be by what lies open.
///
/// # Errors
/// Why not.
pub fn may(s: &State, order: &Order) -> Result<(), Fault> {
    dummy::may(s, order)?;
    match order {
        Order::Activate(call) => command::may_activate(s, call),
        Order::Move { units, path, .. } => command::active(s, units).and_then(|()| march::rehearse(s, units, path)),
        Order::Face { units, .. } => command::active(s, units).and_then(|()| march::may_turn(s, units)),
        Order::Charge { unit, at } => {
            command::active(s, std::slice::from_ref(unit)).and_then(|()| shock::may(s, unit, *at).map(|_| ()))
        }
        Order::Fire { units, at } => units.iter().try_for_each(|unit| fire::may(s, unit, *at)),
        Order::Melee { units, at, .. } => melee::may(s, units, *at),
        Order::Advance { units, into } => fire::may_advance(s, units, *into),
        Order::Enter { pieces, at } => enter::may(s, pieces, *at).map(|_| ()),
        Order::Put { pieces, at, .. } => place::may(s, pieces, *at),
        Order::Guard { units } => place::may_guard(s, units),
        Order::Wish(wish) => may_wish(s, wish),
        Order::Lead { leader, to } => march::may_ride(s, leader, *to),
        Order::Pass => Ok(()),
    }
}

/// An order of several units for those who still can, and who cannot: some have tired, run or stopped since it was written;
/// none where nobody can, or nothing is gained.
pub fn without_who_cannot(s: &State, order: &Order) -> Option<(Order, Vec<String>)> {
    let of = |ids: Vec<String>| {
        let mut order = order.clone();
        let (Order::Move { units, .. }
        | Order::Face { units, .. }
        | Order::Fire { units, .. }
        | Order::Melee { units, .. }) = &mut order
        else {
            return None;
        };
        *units = ids;
        Some(order)
    };
    let can = |id: &String| match order {
        // 6.2.5 A stack goes as far as its slowest: who is slow is not left behind.
        Order::Move { .. } => command::active(s, std::slice::from_ref(id)).is_ok() && march::may_move(s, id).is_ok(),
        _ => of(vec![id.clone()]).is_some_and(|one| may(s, &one).is_ok()),
    };
    let (left, out): (Vec<String>, Vec<String>) = units_of(order).iter().cloned().partition(can);
    let left = of(left.clone()).filter(|order| !left.is_empty() && !out.is_empty() && may(s, order).is_ok());
    left.map(|order| (order, out))
}

/// The verbs.
pub fn verbs() -> Vec<Verb<View, Order>> {
    let mut verbs = vec![
        Verb {
            word: "PASS",
            usage: "",
            rule: "3.0",
            examples: |_| vec!["PASS".to_owned()],
            read: |_, _| Ok(Order::Pass),
        },
        Verb {
            word: "ACTIVATE",
            usage: "leader [WITH leaders] [EXTRA units] [TEST units] [VIA unit [TEST units]]",
            rule: "6.1",
            examples: examples::calls,
            read: activate,
        },
        Verb { word: "MOVE", usage: "units hexes [FACE dir]", rule: "6.2", examples: examples::moves, read: go },
        Verb {
            word: "FACE",
            usage: "units dir",
            rule: "4.3.2",
            examples: examples::faces,
            read: |v, args| Ok(Order::Face { units: some(v, args)?, face: dir(args)? }),
        },
        Verb {
            word: "FIRE",
            usage: "units AT hex",
            rule: "6.3",
            examples: examples::fires,
            read: |v, args| Ok(Order::Fire { units: some(v, args)?, at: hex_behind(args, "AT")? }),
        },
        Verb {
            word: "MELEE",
            usage: "units AT hex [ADVANCE units]",
            rule: "6.4",
            examples: examples::melees,
            read: attack,
        },
        Verb {
            word: "CHARGE",
            usage: "unit AT hex",
            rule: "6.2.11",
            examples: examples::charges,
            read: |v, args| Ok(Order::Charge { unit: one(v, args)?, at: hex_behind(args, "AT")? }),
        },
    ];
    verbs.extend(more_verbs());
    verbs
}

/// 5, 6.3.9, 6.5.5, 8.3.2, 9 The verbs of leaders, of advances, of set-up and of reinforcement.
fn more_verbs() -> Vec<Verb<View, Order>> {
    vec![
        Verb {
            word: "LEADER",
            usage: "leader TO hex, or leader STAYS or FOLLOWS when his men go back",
            rule: "6.2, 6.5.5",
            examples: examples::leads,
            read: |v, args| {
                let leader = args.name(LEADER, &leaders(v))?;
                let word = args.one_of("TO, STAYS or FOLLOWS", &["TO", "STAYS", "FOLLOWS"])?;
                if word != "TO" {
                    return Ok(Order::Wish(Wish::Stay { leader, stays: word == "STAYS" }));
                }
                Ok(Order::Lead { leader, to: hex(args)? })
            },
        },
        Verb {
            word: "ADVANCE",
            usage: "units INTO hex",
            rule: "6.3.9",
            examples: examples::advances,
            read: |v, args| Ok(Order::Advance { units: some(v, args)?, into: hex_behind(args, "INTO")? }),
        },
        Verb { word: "ENTER", usage: "pieces [AT hex]", rule: "5.2", examples: examples::enters, read: come },
        Verb { word: "PUT", usage: "pieces AT hex [FACE dir]", rule: "9.1", examples: examples::puts, read: put },
        Verb {
            word: "REARGUARD",
            usage: "units",
            rule: "9.2.5",
            examples: examples::guards,
            read: |v, args| Ok(Order::Guard { units: some(v, args)? }),
        },
        Verb { word: "REGROUP", usage: "unit AT hex", rule: "5.3", examples: examples::regroups, read: regroup },
        Verb {
            word: "LOSS",
            usage: "units, the first to suffer first; it stands until you say otherwise",
            rule: "6.3.8f",
            examples: examples::losses,
            read: |v, args| Ok(Order::Wish(Wish::Loss { units: some(v, args)? })),
        },
        Verb { word: "DISBAND", usage: "", rule: "8.3.2", examples: examples::disbands, read: |v, _| disband(&v.side) },
    ]
}

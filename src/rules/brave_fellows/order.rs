//! The lines of an impulse.

use super::board::FRENCH;
use super::state::State;
use super::view::View;
use super::{arrive, command, dummy, enter, examples, fire, march, melee, place, shock};
use crate::hex::{Dir, Hex};
use crate::orders::{Args, Fault, Verb};
use std::collections::BTreeSet;

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
    /// 5.3 The unit that the side would bring back in the next Reinforcement Phase.
    Regroup {
        /// The unit.
        unit: String,
        /// Where to.
        at: Hex,
    },
    /// 8.3.2 The Elite battalion is to be disbanded in the next Reinforcement Phase.
    Disband,
    /// 6.3.8f Who suffers first.
    Loss {
        /// The units, the first before the others.
        units: Vec<String>,
    },
    /// 6.5.5 Whether a leader stays when his men go back.
    Stay {
        /// The leader.
        leader: String,
        /// Whether he stays.
        stays: bool,
    },
}

type Names = Vec<(String, String)>;

fn units(v: &View) -> Names {
    let own = v.state.units.iter().filter(|(id, u)| (u.hex.or(u.waits)).is_some() && v.state.is_of(id, &v.side));
    own.map(|(id, _)| (id.clone(), id.clone())).collect()
}

fn fallen(v: &View) -> Names {
    let own = v.state.units.iter().filter(|(id, u)| u.gone.is_some() && v.state.is_of(id, &v.side));
    own.map(|(id, _)| (id.clone(), id.clone())).collect()
}

fn pieces(v: &View) -> Names {
    units(v).into_iter().chain(leaders(v)).collect()
}

pub(super) fn leaders(v: &View) -> Names {
    let own = |name: &&String| v.state.leads(name, &v.side);
    v.state.leaders.keys().filter(own).map(|name| (name.clone(), name.clone())).collect()
}

/// Units by the names of their regiments: `4L` for `4L-1` and those beside it.
fn regiments(names: &Names) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (_, id) in names {
        let Some((regiment, _)) = id.rsplit_once('-') else { continue };
        match found.iter_mut().find(|(name, _)| name == regiment) {
            Some((_, ids)) => ids.push(id.clone()),
            None => found.push((regiment.to_owned(), vec![id.clone()])),
        }
    }
    found
}

/// One name at least, and all that follow; a regiment's name is all of its units.
fn several(args: &mut Args<'_>, expected: &str, names: &Names) -> Result<Vec<String>, Fault> {
    let regiments = regiments(names);
    let mut found: Vec<String> = Vec::new();
    loop {
        if let Some(units) = args.whole_name(&regiments) {
            found.extend(units);
        } else if let Some(name) = args.whole_name(names) {
            found.push(name);
        } else if found.is_empty() {
            found.push(args.name(expected, names)?);
        } else {
            let mut named = BTreeSet::new();
            found.retain(|name| named.insert(name.clone()));
            return Ok(found);
        }
    }
}

fn hex(args: &mut Args<'_>) -> Result<Hex, Fault> {
    match args.peek().and_then(|word| Hex::parse(&word.text)) {
        Some(hex) => {
            args.next_word();
            Ok(hex)
        }
        None => Err(args.fault("a hex such as 1715", [])),
    }
}

fn dir(args: &mut Args<'_>) -> Result<Dir, Fault> {
    let word = args.one_of("N, NE, SE, S, SW or NW", &["N", "NE", "SE", "S", "SW", "NW"])?;
    Dir::parse(word).ok_or_else(|| args.fault("a direction", []))
}

fn activate(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let (leaders, units) = (leaders(v), units(v));
    let mut named = vec![args.name("a leader of yours", &leaders)?];
    if args.key("WITH") {
        named.extend(several(args, "a leader of yours", &leaders)?);
    }
    let extra = if args.key("EXTRA") { several(args, "a unit of yours", &units)? } else { Vec::new() };
    let test = if args.key("TEST") { several(args, "a unit of yours", &units)? } else { Vec::new() };
    let via = if args.key("VIA") { Some(args.name("a unit of yours", &units)?) } else { None };
    let test = if test.is_empty() && args.key("TEST") { several(args, "a unit of yours", &units)? } else { test };
    let order = Order::Activate(Call { leaders: named, extra, test, via });
    may(&v.state, &order).map(|()| order)
}

fn go(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let units = several(args, "a unit of yours", &units(v))?;
    let mut path = vec![hex(args)?];
    while args.peek().is_some_and(|word| Hex::parse(&word.text).is_some()) {
        path.push(hex(args)?);
    }
    let face = if args.key("FACE") { Some(dir(args)?) } else { None };
    Ok(Order::Move { units, path, face })
}

fn at(v: &View, args: &mut Args<'_>) -> Result<(Vec<String>, Hex), Fault> {
    let units = several(args, "a unit of yours", &units(v))?;
    args.one_of("AT", &["AT"])?;
    Ok((units, hex(args)?))
}

fn attack(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let (found, at) = at(v, args)?;
    let first = if args.key("ADVANCE") { several(args, "a unit of yours", &units(v))? } else { Vec::new() };
    Ok(Order::Melee { units: found, at, first })
}

fn advance(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let units = several(args, "a unit of yours", &units(v))?;
    args.one_of("INTO", &["INTO"])?;
    Ok(Order::Advance { units, into: hex(args)? })
}

fn put(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let pieces = several(args, "a unit or a leader of yours", &pieces(v))?;
    args.one_of("AT", &["AT"])?;
    let at = hex(args)?;
    let face = if args.key("FACE") { Some(dir(args)?) } else { None };
    let order = Order::Put { pieces, at, face };
    may(&v.state, &order).map(|()| order)
}

fn come(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let pieces = several(args, "a unit or a leader of yours", &pieces(v))?;
    let at = if args.key("AT") { Some(hex(args)?) } else { None };
    Ok(Order::Enter { pieces, at })
}

fn regroup(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let unit = args.name("a unit of yours that is gone", &fallen(v))?;
    args.one_of("AT", &["AT"])?;
    Ok(Order::Regroup { unit, at: hex(args)? })
}

/// 8.3.2 Whether the Elite battalion is there to be disbanded; 5.3.1 whether a unit may be brought back.
fn may_wish(s: &State, order: &Order) -> Result<(), Fault> {
    match order {
        Order::Regroup { unit, .. } if !arrive::lies_dead(s, unit) => {
            Err(Fault::refused(format!("{unit} is not foot that was eliminated"), "5.3.1"))
        }
        Order::Disband if !s.standing().any(|(id, ..)| s.is_of(id, &FRENCH.into()) && id.starts_with("EL")) => {
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
        Order::Regroup { .. } | Order::Disband | Order::Loss { .. } | Order::Stay { .. } => may_wish(s, order),
        Order::Lead { leader, to } => march::may_ride(s, leader, *to),
        Order::Pass => Ok(()),
    }
}

/// An order of several units for those who still can, and who cannot: some have tired, run or stopped since it was written;
/// none where nobody can, or nothing is gained.
pub fn without_who_cannot(s: &State, order: &Order) -> Option<(Order, Vec<String>)> {
    let of = |ids: Vec<String>| match order.clone() {
        Order::Move { path, face, .. } => Some(Order::Move { units: ids, path, face }),
        Order::Face { face, .. } => Some(Order::Face { units: ids, face }),
        Order::Fire { at, .. } => Some(Order::Fire { units: ids, at }),
        Order::Melee { at, first, .. } => Some(Order::Melee { units: ids, at, first }),
        _ => None,
    };
    let (Order::Move { units, .. }
    | Order::Face { units, .. }
    | Order::Fire { units, .. }
    | Order::Melee { units, .. }) = order
    else {
        return None;
    };
    let can = |id: &String| match order {
        // 6.2.5 A stack goes as far as its slowest: who is slow is not left behind.
        Order::Move { .. } => command::active(s, std::slice::from_ref(id)).is_ok() && march::may_move(s, id).is_ok(),
        _ => of(vec![id.clone()]).is_some_and(|one| may(s, &one).is_ok()),
    };
    let (left, out): (Vec<String>, Vec<String>) = units.iter().cloned().partition(can);
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
            read: |v, args| Ok(Order::Face { units: several(args, "a unit of yours", &units(v))?, face: dir(args)? }),
        },
        Verb {
            word: "FIRE",
            usage: "units AT hex",
            rule: "6.3",
            examples: examples::fires,
            read: |v, args| at(v, args).map(|(units, at)| Order::Fire { units, at }),
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
            read: |v, args| {
                let unit = args.name("a unit of yours", &units(v))?;
                args.one_of("AT", &["AT"])?;
                Ok(Order::Charge { unit, at: hex(args)? })
            },
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
                let leader = args.name("a leader of yours", &leaders(v))?;
                let word = args.one_of("TO, STAYS or FOLLOWS", &["TO", "STAYS", "FOLLOWS"])?;
                if word != "TO" {
                    return Ok(Order::Stay { leader, stays: word == "STAYS" });
                }
                Ok(Order::Lead { leader, to: hex(args)? })
            },
        },
        Verb { word: "ADVANCE", usage: "units INTO hex", rule: "6.3.9", examples: examples::advances, read: advance },
        Verb { word: "ENTER", usage: "pieces [AT hex]", rule: "5.2", examples: examples::enters, read: come },
        Verb { word: "PUT", usage: "pieces AT hex [FACE dir]", rule: "9.1", examples: examples::puts, read: put },
        Verb {
            word: "REARGUARD",
            usage: "units",
            rule: "9.2.5",
            examples: examples::guards,
            read: |v, args| Ok(Order::Guard { units: several(args, "a unit of yours", &units(v))? }),
        },
        Verb { word: "REGROUP", usage: "unit AT hex", rule: "5.3", examples: examples::regroups, read: regroup },
        Verb {
            word: "LOSS",
            usage: "units, the first to suffer first; it stands until you say otherwise",
            rule: "6.3.8f",
            examples: examples::losses,
            read: |v, args| Ok(Order::Loss { units: several(args, "a unit of yours", &units(v))? }),
        },
        Verb {
            word: "DISBAND",
            usage: "",
            rule: "8.3.2",
            examples: examples::disbands,
            read: |_, _| Ok(Order::Disband),
        },
    ]
}

//! The lines of an impulse.

use super::play;
use super::state::State;
use super::view::View;
use super::{fire, march, melee};
use crate::hex::{Dir, Hex};
use crate::orders::{Args, Fault, Verb};

/// One line, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// 3.0 Nothing is activated.
    Pass,
    /// 6.1 A leader and those under him, units of others, units out of his range.
    Activate {
        /// The leader and the leaders under him.
        leaders: Vec<String>,
        /// 6.1.4 Units of others.
        extra: Vec<String>,
        /// 6.1.7 Units out of range.
        test: Vec<String>,
    },
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
    },
}

type Names = Vec<(String, String)>;

fn units(v: &View) -> Names {
    let own = v.state.standing().filter(|(id, _, _)| v.state.is_of(id, &v.side));
    own.map(|(id, _, _)| (id.clone(), id.clone())).collect()
}

fn leaders(v: &View) -> Names {
    let own = |name: &&String| v.state.chief(name).is_some_and(|chief| chief.side == v.side);
    v.state.leaders.keys().filter(own).map(|name| (name.clone(), name.clone())).collect()
}

/// One name at least, and all that follow.
fn several(args: &mut Args<'_>, expected: &str, names: &Names) -> Result<Vec<String>, Fault> {
    let mut found = vec![args.name(expected, names)?];
    while let Some(name) = args.whole_name(names) {
        found.push(name);
    }
    Ok(found)
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
    let order = Order::Activate { leaders: named, extra, test };
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

/// What an order could not be by what lies open.
///
/// # Errors
/// Why not.
pub fn may(s: &State, order: &Order) -> Result<(), Fault> {
    match order {
        Order::Activate { leaders, extra, test } => play::may_activate(s, leaders, extra, test),
        Order::Move { units, path, .. } => play::active(s, units).and_then(|()| march::rehearse(s, units, path)),
        Order::Face { units, .. } => play::active(s, units),
        Order::Fire { units, at } => units.iter().try_for_each(|unit| fire::may(s, unit, *at)),
        Order::Melee { units, at } => melee::may(s, units, *at),
        Order::Pass | Order::Lead { .. } => Ok(()),
    }
}

/// The verbs.
pub fn verbs() -> Vec<Verb<View, Order>> {
    vec![
        Verb {
            word: "PASS",
            usage: "",
            rule: "3.0",
            examples: |_| vec!["PASS".to_owned()],
            read: |_, _| Ok(Order::Pass),
        },
        Verb {
            word: "ACTIVATE",
            usage: "leader [WITH leaders] [EXTRA units] [TEST units]",
            rule: "6.1",
            examples: |v| {
                let free = leaders(v).into_iter().filter(|(name, _)| {
                    may(&v.state, &Order::Activate { leaders: vec![name.clone()], extra: vec![], test: vec![] }).is_ok()
                });
                free.map(|(name, _)| format!("ACTIVATE {name}")).take(3).collect()
            },
            read: activate,
        },
        Verb { word: "MOVE", usage: "units hexes [FACE dir]", rule: "6.2", examples: |_| Vec::new(), read: go },
        Verb {
            word: "FACE",
            usage: "units dir",
            rule: "4.3.2",
            examples: |_| Vec::new(),
            read: |v, args| Ok(Order::Face { units: several(args, "a unit of yours", &units(v))?, face: dir(args)? }),
        },
        Verb {
            word: "LEADER",
            usage: "leader TO hex",
            rule: "6.2",
            examples: |_| Vec::new(),
            read: |v, args| {
                let leader = args.name("a leader of yours", &leaders(v))?;
                args.one_of("TO", &["TO"])?;
                Ok(Order::Lead { leader, to: hex(args)? })
            },
        },
        Verb {
            word: "FIRE",
            usage: "units AT hex",
            rule: "6.3",
            examples: |_| Vec::new(),
            read: |v, args| at(v, args).map(|(units, at)| Order::Fire { units, at }),
        },
        Verb {
            word: "MELEE",
            usage: "units AT hex",
            rule: "6.4",
            examples: |_| Vec::new(),
            read: |v, args| at(v, args).map(|(units, at)| Order::Melee { units, at }),
        },
    ]
}

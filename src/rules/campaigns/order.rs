//! What a line of a sheet becomes, by chapter, and at whose desk it is read.

use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::armies::at_desk;
use crate::rules::campaigns::board::ArmyId;
use crate::rules::campaigns::combat::plans;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{admin, board, flow, march, organization};

/// What a line of a sheet becomes, by chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Set-up, vedettes coming and going, plans.
    Flow(flow::order::Order),
    /// I.a.
    Admin(admin::order::Order),
    /// I.b.
    Organization(organization::order::Order),
    /// II and III.a.
    March(march::order::Order),
    /// III.b.
    Combat(plans::Order),
    /// An order of one of several armies of a side that is not at the desk (¶93).
    Of(board::ArmyId, Box<Order>),
}

impl Order {
    /// The order itself, whichever army's it is.
    pub(super) fn inner(self) -> Order {
        match self {
            Order::Of(_, order) => order.inner(),
            order => order,
        }
    }
}

/// Verbs of the rules that a later issue builds; each answers so by name.
pub fn later() -> Vec<Verb<View, Order>> {
    macro_rules! later {
        ($($word:literal $what:literal $rule:literal;)*) => {
            vec![$(Verb {
                word: $word,
                usage: "(not built yet)",
                rule: $rule,
                examples: |_| Vec::new(),
                read: |_, args| {
                    while args.next_word().is_some() {}
                    Err(Fault::not_yet($what, $rule))
                },
            }),*]
        };
    }
    later! {
        "SPECIAL" "an exclusive activity of another title" "¶53";
    }
}

/// Reads a line at the desk of the army that it names, or whose leader it names.
///
/// # Errors
/// The fault of the line.
pub fn turned(
    v: &View,
    args: &mut Args<'_>,
    read: fn(&View, &mut Args<'_>) -> Result<Order, Fault>,
) -> Result<Order, Fault> {
    match meant(v, args).filter(|army| v.own.army.name.as_ref() != Some(army)) {
        None => read(v, args),
        Some(army) => {
            let order = read(&at_desk(v, &army), args)?;
            Ok(Order::Of(army, Box::new(order)))
        }
    }
}

/// The army whose desk a line is for: the one that it names first, which is taken off the line, or that of the leader
/// whom it names first.
pub fn meant(v: &View, args: &mut Args<'_>) -> Option<ArmyId> {
    let armies = &v.board.side(&v.own.side)?.armies;
    if armies.is_empty() {
        return None;
    }
    for army in armies {
        for word in [army.id.0.as_str(), army.name.as_str()] {
            if args.key(word) {
                return Some(army.id.clone());
            }
        }
    }
    let look = || args.clone();
    if let Ok(leader) = look().name("a leader", &crate::rules::campaigns::words::all_leaders(v)) {
        return v.own.army_of(&v.board, &leader);
    }
    let unit = crate::rules::campaigns::words::unit(v, &mut look()).ok()?;
    v.own.army_of_unit(&v.board, &unit)
}

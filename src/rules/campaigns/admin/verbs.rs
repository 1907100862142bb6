//! The verbs of this chapter. I.a Administrative Segment (¶72-107).

use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::admin::order::{Center, Order, Source};
use crate::rules::campaigns::admin::{center, source};
use crate::rules::campaigns::order::turned;
use crate::rules::campaigns::sequence::Segment;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// Verbs of this chapter.
pub fn verbs() -> Vec<Verb<View, crate::rules::campaigns::order::Order>> {
    vec![Verb {
        word: "SOURCE",
        usage: "[army] MOVE TO hex | CONTINUE | CANCEL | PLACE hex | SWITCH TO hex | VIA ALLY|OWN",
        rule: "¶79, 94, 101-104",
        examples: source::examples,
        read: |v, args| {
            turned(v, args, |v, args| {
                Ok(crate::rules::campaigns::order::Order::Admin(Order::Source(read_source(v, args)?)))
            })
        },
    }]
}

fn read_source(v: &View, args: &mut Args<'_>) -> Result<Source, Fault> {
    let order = match args.one_of(
        "MOVE, CONTINUE, CANCEL, PLACE, SWITCH or VIA",
        &["MOVE", "CONTINUE", "CANCEL", "PLACE", "SWITCH", "VIA"],
    )? {
        "MOVE" => {
            args.key("TO");
            Source::Move(words::hex(v, args)?)
        }
        "CONTINUE" => Source::Continue,
        "CANCEL" => Source::Cancel,
        "PLACE" => {
            args.key("AT");
            Source::Place(words::hex(v, args)?)
        }
        "SWITCH" => {
            args.key("TO");
            Source::Switch(words::hex(v, args)?)
        }
        _ => Source::Via(args.one_of("ALLY or OWN", &["ALLY", "OWN"])? == "ALLY"),
    };
    source::check(v, &order)?;
    Ok(order)
}

/// Reads `DISBAND`, or what follows `RETURN`, after the verb CENTER.
///
/// # Errors
/// The fault of the line.
pub fn read_center(v: &View, args: &mut Args<'_>, disband: bool) -> Result<Order, Fault> {
    let order = if disband {
        Center::Disband
    } else {
        args.key("AT");
        Center::Return(words::hex(v, args)?)
    };
    center::check(v, &order)?;
    Ok(Order::Center(order))
}

/// ¶182 Reads what follows `FLEE`: `TOWARD` a source, or `TOWARD ACTIVE`.
///
/// # Errors
/// The fault of the line.
pub fn read_flee(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    args.key("TOWARD");
    if args.key("ACTIVE") {
        return Ok(Order::Flee(None));
    }
    let hex = words::hex(v, args)?;
    if !v.board.sources(&v.own).contains(&hex) {
        return Err(Fault::refused(format!("{hex} is no supply source of your army"), "¶182"));
    }
    Ok(Order::Flee(Some(hex)))
}

/// CENTER lines of the command phase that would be taken now.
pub fn center_examples(v: &View) -> Vec<String> {
    center::examples(v)
}

/// The segment of sheet A that an order belongs to.
pub fn segment(order: &Order) -> Option<Segment> {
    match order {
        Order::Source(_) | Order::Center(Center::Disband) => Some(Segment::Administration),
        // ¶106, 184: the center comes back in the Movement Phase.
        Order::Center(Center::Return(_)) => Some(Segment::Reinforcements),
        Order::Flee(_) => None,
    }
}

/// What CHECK says of an order.
pub fn check(v: &View, order: &Order) -> Vec<String> {
    let table = &v.board.tables.communications;
    match order {
        Order::Source(Source::Move(to)) => {
            vec![format!("costs {} AP; the center is inactive until the source stands at {to}", table.change_source_ap)]
        }
        Order::Center(Center::Disband) => {
            let back = v.turn + table.disband_turns;
            vec![format!("costs {} AP; the center returns on turn {back}", table.disband_center_ap)]
        }
        Order::Source(Source::Switch(to)) => vec![format!("costs nothing, and the source stands at {to} at once")],
        Order::Source(Source::Via(true)) => {
            vec!["AP come by the length of the other army's line and of the way from its center to yours".to_owned()]
        }
        Order::Flee(_) => vec!["it stands until you change it; a source in an enemy zone is passed over".to_owned()],
        Order::Source(_) | Order::Center(Center::Return(_)) => Vec::new(),
    }
}

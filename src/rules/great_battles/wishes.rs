//! 3.0, 4.2, 4.4, 14.2 What a side hears of what it wants, as far as it can tell what comes of it.

use super::event::Event;
use super::order::Wish;
use super::rehearse::Trial;
use super::state::Lim;
use super::{play, pool, reinforce};
use crate::rules::rehearsal::Caution;

/// 3.0, 4.2 What a side wants is noted.
pub(super) fn wish(t: &mut Trial, wanted: &Wish) {
    let wishes = play::wished(&t.s, &t.side, wanted);
    match wanted {
        Wish::Change { by: None, .. } => t.say("you try no Command Change."),
        Wish::Change { by: Some(by), add } => change(t, by, add),
        Wish::Reinforce { comes } => {
            if reinforce::called(&t.s, &t.side).is_empty() {
                t.say("noted.");
                let text = "nobody of yours is to come this turn: it changes nothing".to_owned();
                t.warn(Caution::NoEffect, text, "14.2");
            } else {
                t.say(if *comes { "they come." } else { "they wait a turn." });
            }
        }
        Wish::Opening { lims } => {
            begins(t, lims, wishes.change.as_ref().map(|(_, add)| add.as_slice()).unwrap_or_default())
        }
        Wish::Remove { .. } if wishes.remove.is_empty() => t.say("no LIM is taken back."),
        Wish::Remove { .. } => {
            t.say(format!("at the end of the turn out of the pool: {}.", wishes.remove.join(" ")));
        }
        Wish::Keep { .. } => t.say("noted."),
    }
    let side = t.side.clone();
    t.emit(&Event::Wished { side, wishes });
}

/// 4.2.1, 4.2.2 A Command Change: the list is an order of preference, and a corps takes out the LIMs of its divisions.
fn change(t: &mut Trial, by: &str, add: &[String]) {
    let list = match add {
        [one] => format!("{one}, if the die grants it"),
        several => format!("as many as the die grants of {}, the first before the others", several.join(", ")),
    };
    t.say(format!("{by} rolls when the turn opens; added: {list}."));
    for corps in add.iter().filter(|name| t.s.board.corps.contains_key(*name)) {
        let own = t.s.board.divisions_of(corps);
        let out: Vec<&str> =
            own.iter().filter(|id| t.s.pool.contains(&Lim::Division((*id).clone()))).map(String::as_str).collect();
        let less = if out.is_empty() { String::new() } else { format!("; of its divisions go out: {}", out.join(" ")) };
        t.said.push(format!("{corps} takes a result of a corps, and uses it up{less}. [4.2.1]"));
    }
}

/// 4.4 With what a side begins; who has no LIM in the pool is passed over, unless the Command Change brings it in.
fn begins(t: &mut Trial, lims: &[String], added: &[String]) {
    t.say(format!("with the initiative you begin with {}.", lims.join(", else ")));
    let pooled =
        |name: &String| t.s.pool.iter().any(|lim| lim.name() == name && pool::side(&t.s, lim) == Some(&t.side));
    let comes = |name: &String| *name == super::state::REINFORCEMENTS && !reinforce::called(&t.s, &t.side).is_empty();
    let none = |name: &&String| !pooled(name) && !comes(name) && !added.contains(name);
    let none: Vec<&str> = lims.iter().filter(none).map(String::as_str).collect();
    if !none.is_empty() {
        let text = format!("no LIM in the pool, so that you do not begin with it: {}", none.join(" "));
        t.warn(Caution::NoEffect, text, "4.4");
    }
}

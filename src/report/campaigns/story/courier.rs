//! Sentences of couriers between the seats of one side.

use super::Tale;
use crate::rules::campaigns::courier::Sighting;

/// Tells what became of a courier.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let pen = tale.pen;
    let said = match told {
        Sighting::Sent { n, from, to, at } => {
            format!("courier {n} of {from} set out from {} for {to}", pen.at(*at))
        }
        Sighting::Arrived { n, from, to, origin, sent, text, orders, returns: _ } => {
            let carried = match (text.is_empty(), orders.is_empty()) {
                (true, true) => String::new(),
                (false, true) => format!(", and carried: {}", text.join(" / ")),
                (true, false) => format!(", and carried orders: {}", orders.join(" / ")),
                (false, false) => format!(", and carried: {}; and orders: {}", text.join(" / "), orders.join(" / ")),
            };
            format!("courier {n} of {from}, sent from {} on turn {sent}, reached {to}{carried}", pen.at(*origin))
        }
        Sighting::Taken { from, to, at, text } => {
            format!("you took a courier of {from} to {to} at {}, who carried: {}", pen.at(*at), text.join(" / "))
        }
    };
    tale.whole(said, &["86"]);
}

//! Sentences of II and III.a Movement (¶147-297).

use super::flow::own;
use super::{Link, Sentence, Tale};
use crate::hex::{Hex, Hexside};
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::march::told::{Attrition, CenterWhy, Closed, Ended, Rolled, Sighting};
use crate::rules::campaigns::pieces::Piece;
use crate::text::and_list;

/// Tells a sighting of this chapter.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let pen = tale.pen;
    match told {
        Sighting::Commanded { leader, ap, extended } if *extended > Halves(0) => {
            let says = format!("was given a Movement Command with {extended} MP of Extended March, {ap} AP");
            tale.of(&own(leader), says, &["171", "185"], Link::Fresh);
        }
        Sighting::Commanded { leader, ap, extended: _ } => {
            tale.of(&own(leader), format!("was given a Movement Command, {ap} AP"), &["171"], Link::Fresh);
        }
        Sighting::Tried { leader, die, rating, rolled, forced } => tried(tale, leader, *die, *rating, *rolled, *forced),
        Sighting::Marched { piece, from: _, to, mp, ended } => marched(tale, piece, *to, *mp, *ended),
        Sighting::Attrition { leader, roll } => attrition(tale, leader, roll),
        Sighting::Repulse { who, hex, on, sp, ok, own } => repulse(tale, who, *hex, on, *sp, *ok, *own),
        Sighting::Unemployed { who } => {
            tale.of(who, "is announced as an unemployed leader".to_owned(), &["40"], Link::Fresh);
        }
        Sighting::Escape { who, leader, die, escaped } => {
            let end = if *escaped { "he escaped" } else { "he is captured" };
            let says = format!("rolled {die} to escape as {}: {end}", pen.leader(leader));
            tale.of(who, says, &["43"], Link::Along);
        }
        Sighting::Dropped { who, hex, from } => {
            let says = match from {
                Some(chief) => format!("was left at {} by {}", pen.at(*hex), pen.leader(chief)),
                None => format!("came into sight at {}", pen.at(*hex)),
            };
            tale.of(who, says, &["141"], Link::Along);
        }
        Sighting::Joined { who, hex, into } => {
            let says = match into {
                Some(chief) => format!("went under {} at {}", pen.leader(chief), pen.at(*hex)),
                None => format!("joined another counter at {}", pen.at(*hex)),
            };
            tale.of(who, says, &["294"], Link::Fresh);
        }
        Sighting::BridgeWork { edge, repair, by, mp } => work(tale, *edge, *repair, by.as_ref(), *mp),
        Sighting::Center { side, from, to, how } => {
            let (verb, rules): (_, &[&'static str]) = match how {
                CenterWhy::March => ("moved", &["176"]),
                CenterWhy::Flight => ("fled", &["182"]),
            };
            let to = to.map_or_else(|| "off the map".to_owned(), |hex| format!("to {}", pen.at(hex)));
            tale.whole(format!("{} center {verb} from {} {to}", whose(pen.mine(side)), pen.at(*from)), rules);
        }
        Sighting::CenterActive { side } => {
            tale.whole(format!("{} center is active", whose(pen.mine(side))), &["60", "181"]);
        }
        Sighting::Floor { ap } => {
            tale.whole(format!("no command is given that would leave fewer than {ap} AP"), &["171"]);
        }
    }
}

fn whose(mine: bool) -> &'static str {
    if mine { "your" } else { "the enemy's" }
}

fn tried(tale: &mut Tale<'_, '_>, leader: &LeaderId, die: i32, rating: i32, rolled: Rolled, forced: bool) {
    let (allows, rule) = match rolled {
        Rolled::Full => ("his full MP", "192"),
        Rolled::Less => ("one MP less than his full MP", "192"),
        Rolled::One => ("one MP", "193"),
        Rolled::Nothing => ("he did not move", "194"),
    };
    let what = if forced { "tried a Forced March" } else { "tried initiative" };
    let says = format!("{what}: {die} against {rating}, {allows}");
    tale.of(&own(leader), says, &[rule], Link::Fresh);
}

fn marched(tale: &mut Tale<'_, '_>, piece: &Piece, to: Hex, mp: Halves, ended: Ended) {
    let (why, rules): (String, &[&'static str]) = match ended {
        Ended::Arrived => (String::new(), &[]),
        Ended::Spent { next } => (format!("; the MP do not reach to {next}"), &["202"]),
        Ended::Zone => (", in an enemy zone of control".to_owned(), &["236"]),
        Ended::Ordered => (", as ordered".to_owned(), &[]),
        Ended::Blocked { next, by } => {
            let (why, rule) = closed(next, by);
            (format!("; {why}"), rule)
        }
        Ended::RepulseFailed => (", and must stand there".to_owned(), &["243"]),
    };
    tale.of(&Who::Own(piece.clone()), format!("stands at {}, {mp} MP in all{why}", tale.pen.at(to)), rules, Link::Same);
}

/// Why a way is closed.
fn closed(next: Hex, by: Closed) -> (String, &'static [&'static str]) {
    match by {
        Closed::Enemy => (format!("an enemy counter stands in {next}"), &["223"]),
        Closed::Zones => (format!("{next} lies in an enemy zone, like the hex before it"), &["238"]),
        Closed::Forced => (format!("a Forced March may not enter the enemy zone in {next}"), &["297"]),
        Closed::Siege => ("a siege closes the way".to_owned(), &["217"]),
        Closed::Ground => (format!("{next} cannot be entered from there"), &["212", "214"]),
    }
}

fn attrition(tale: &mut Tale<'_, '_>, leader: &LeaderId, roll: &Attrition) {
    let die = match roll.modifier {
        0 => roll.die.to_string(),
        n if n < 0 => format!("{} less {} = {}", roll.die, -n, roll.die + n),
        n => format!("{} and {n} = {}", roll.die, roll.die + n),
    };
    let lost = if roll.loss == 0 { "none lost".to_owned() } else { format!("lost {} SP", roll.loss) };
    let label = tale.pen.v.board.tables.attrition.label(roll.column);
    let says = format!("attrition of {} SP, {} MP, column {label}, die {die}: {lost}", roll.sp, roll.march);
    // A force that stood still has no sentence before this one.
    let still = roll.march == Halves(0);
    let says = if still { format!("{}: {says}", tale.pen.leader(leader)) } else { says };
    let link = if still { Link::Fresh } else { Link::Along };
    tale.sentence(&Sentence { subject: None, says, rules: &["264", "267"], chart: Some("march_attrition"), link });
}

fn repulse(tale: &mut Tale<'_, '_>, who: &Who, hex: Hex, on: &[Hex], sp: Option<i32>, ok: bool, own: bool) {
    let pen = tale.pen;
    let with = sp.map_or_else(String::new, |sp| format!(" with {sp} SP"));
    let hexes: Vec<String> = on.iter().map(|h| pen.at(*h)).collect();
    let end = if ok {
        "It succeeded".to_owned()
    } else if own {
        "It failed: the odds are too small".to_owned()
    } else {
        "It failed".to_owned()
    };
    let says = format!("declared a repulse at {hex} on {}{with}.  {end}", and_list(&hexes));
    tale.of(who, says, &["241", "242"], Link::Along);
}

fn work(tale: &mut Tale<'_, '_>, edge: Hexside, repair: bool, by: Option<&LeaderId>, mp: Option<Halves>) {
    let (a, b) = edge.hexes();
    let bridge = format!("the bridge {a}/{b}");
    let (doing, announced) = if repair { ("mends", "repaired") } else { ("breaks", "damaged") };
    match (by, mp) {
        (Some(leader), Some(mp)) => {
            tale.of(&own(leader), format!("{doing} {bridge}, {mp} MP"), &["251"], Link::Same);
        }
        _ => tale.whole(format!("{bridge} is being {announced}"), &["61"]),
    }
}

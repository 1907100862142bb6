//! IF before an order: a test of what lies open, made at the moment when the order would be carried out.
//!
//! What is not on the field is not known: such a test is false, and so is its negation.

use super::board::UnitId;
use super::order::Order;
use super::table::{Formation, Mood, Table};
use super::view::View;
use super::words;
use crate::orders::cond::{self, Cond};
use crate::orders::{Args, Fault, fold};
use crate::plane::Spot;

/// One test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// 12.5 A unit's state of morale.
    Mood(UnitId, Mood),
    /// 5.1 Its formation.
    Form(UnitId, Formation),
    /// 13.2 It is in a combat.
    Engaged(UnitId),
    /// It is out of the game.
    Gone(UnitId),
    /// It is on the field.
    Seen(UnitId),
    /// A unit is within a distance of a unit.
    Near(UnitId, i32, UnitId),
    /// A unit is within a distance of a place.
    At(UnitId, i32, Spot),
    /// The turn has come.
    Turn(u32),
    /// 16.2 There is fog.
    Fog,
}

/// Words behind a unit's name.
const STATES: [&str; 13] =
    ["FIT", "S", "D", "R", "LINE", "COLUMN", "SQUARE", "LIMBERED", "UNLIMBERED", "ENGAGED", "GONE", "SEEN", "WITHIN"];

/// Reads `IF test {AND test} {OR test} order`.
///
/// # Errors
/// The fault of the first test, or of the order.
pub fn read(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let cond = cond::read(args, |args| test(v, args))?;
    args.key("THEN");
    let said = args.peek().map_or(String::new(), |w| w.fold.clone());
    let verbs = super::VERBS.iter().filter(|verb| verb.word != "IF");
    let Some(verb) = verbs.clone().find(|verb| fold(verb.word) == said) else {
        return Err(args.fault("an order", verbs.map(|verb| verb.word)));
    };
    args.next_word();
    Ok(Order::If { cond, order: Box::new((verb.read)(v, args)?) })
}

fn test(v: &View, args: &mut Args<'_>) -> Result<Test, Fault> {
    if args.key("TURN") {
        let turn = args.number("a turn")?;
        return Ok(Test::Turn(u32::try_from(turn).unwrap_or(0)));
    }
    if args.key("FOG") {
        return Ok(Test::Fog);
    }
    let unit = named(v, args, "a unit, TURN or FOG")?;
    Ok(match args.one_of("what a unit is, such as D, LINE, ENGAGED, GONE or WITHIN 2UM OF", &STATES)? {
        "FIT" => Test::Mood(unit, Mood::Fit),
        "S" => Test::Mood(unit, Mood::S),
        "D" => Test::Mood(unit, Mood::D),
        "R" => Test::Mood(unit, Mood::R),
        "LINE" => Test::Form(unit, Formation::Line),
        "COLUMN" => Test::Form(unit, Formation::Column),
        "SQUARE" => Test::Form(unit, Formation::Square),
        "LIMBERED" => Test::Form(unit, Formation::Limbered),
        "UNLIMBERED" => Test::Form(unit, Formation::Unlimbered),
        "ENGAGED" => Test::Engaged(unit),
        "GONE" => Test::Gone(unit),
        "SEEN" => Test::Seen(unit),
        _ => {
            let far = words::distance(args)?;
            args.key("OF");
            match named(v, args, "a unit") {
                Ok(other) => Test::Near(unit, far, other),
                Err(_) => Test::At(unit, far, words::place(v, args)?),
            }
        }
    })
}

/// A unit of either side by its label or its name, also one that has left the field; none of which the viewer may not know.
fn named(v: &View, args: &mut Args<'_>, what: &str) -> Result<UnitId, Fault> {
    let units = v.table.board.units.keys().filter(|unit| words::told_of(v, unit));
    let said = args.peek().map(|word| word.fold.clone());
    let labelled = said.map(|said| v.table.board.labelled(&said)).unwrap_or_default();
    if let Some(unit) = labelled.iter().find(|unit| words::told_of(v, unit)) {
        args.next_word();
        return Ok(unit.clone());
    }
    let names: Vec<(String, UnitId)> = units.map(|u| (u.0.clone(), u.clone())).collect();
    args.name(what, &names)
}

/// Whether a condition holds on what lies open now.
pub fn holds(t: &Table, cond: &Cond<Test>) -> bool {
    cond.holds(|test| is(t, test))
}

fn is(t: &Table, test: &Test) -> Option<bool> {
    match test {
        Test::Mood(unit, mood) => t.unit(unit).map(|u| u.mood == *mood),
        Test::Form(unit, form) => t.unit(unit).map(|u| u.form == *form),
        Test::Engaged(unit) => t.unit(unit).map(|_| t.combat_of(unit).is_some()),
        Test::Gone(unit) if t.lost.contains(unit) => Some(true),
        Test::Gone(unit) => t.unit(unit).map(|_| false),
        Test::Seen(unit) => t.unit(unit).map(|_| true),
        Test::Near(unit, far, other) => t.unit(unit).zip(t.unit(other)).map(|_| t.gap(unit, other).within(*far)),
        Test::At(unit, far, place) => t.unit(unit).map(|_| t.shape(unit).gap_to(place.fine()).within(*far)),
        Test::Turn(turn) => Some(t.turn >= *turn),
        Test::Fog => Some(t.sight.is_some()),
    }
}

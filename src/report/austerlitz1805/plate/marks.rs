//! Where all stand as a view has it, for a film of the game.

use super::units::Body;
use super::{draw, ours, point, whole};
use crate::host::film::{Ground, Look, Mark, Shape};
use crate::report::austerlitz1805::units::{arm_word, signs};
use crate::report::austerlitz1805::{field, pen};
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::mist::{Chit, ChitId};
use crate::rules::austerlitz1805::table::{Formation, Unit};
use crate::rules::austerlitz1805::view::View;

/// The width of a chit or a flag.
const COUNTER: i32 = 700;

/// The field without pieces, and without the flags of who holds what.
pub fn ground(v: &View) -> Ground {
    let mut bare = v.clone();
    bare.table.units = Default::default();
    bare.table.mist.chits.clear();
    bare.table.control.clear();
    bare.own.boxes.clear();
    bare.own.corps.clear();
    bare.table.sight = None;
    let rect = whole(&bare);
    Ground { svg: draw(&bare, rect, "The field"), counter: COUNTER }
}

/// Units at their size, chits, and who holds which place.
pub fn marks(v: &View) -> Vec<Mark> {
    let t = &v.table;
    let mut marks: Vec<Mark> = t.standing().map(|(id, unit)| standing(v, id, unit)).collect();
    marks.extend(t.mist.chits.iter().map(|(id, chit)| covered(v, id, chit)));
    for place in t.board.places.iter().filter(|place| place.vp > 0) {
        let Some(side) = t.control.get(&place.name) else { continue };
        let own = ours(v, side);
        let said = format!("{} is held by {}", place.name, if own { "this side" } else { "the enemy" });
        let look = if own { Look::Own } else { Look::Foe };
        let key = format!("place {}", place.name);
        marks.push(Mark::plain(key, Shape::Held, look, point(place.at), String::new(), said));
    }
    marks
}

fn standing(v: &View, id: &UnitId, unit: &Unit) -> Mark {
    let t = &v.table;
    let (arm, state) = (t.arm(id), signs(v, id, unit));
    let at = point(unit.pose.at);
    let (outline, front) = if arm == Arm::Hq {
        (Vec::new(), Vec::new())
    } else {
        let body = Body { pose: unit.pose, size: t.size(id) };
        let seen = |(x, y): (i32, i32)| (x - at.0, y - at.1);
        let front = if unit.form == Formation::Square { Vec::new() } else { body.edge().map(seen).to_vec() };
        (body.corners().into_iter().take(4).map(seen).collect(), front)
    };
    let shown = if state.is_empty() { String::new() } else { format!(", {state}") };
    let said = format!(
        "{} {}, {}, {} facing {}{shown}",
        pen::full(t, id),
        arm_word(arm),
        unit.form.word(),
        pen::spot(unit.pose.at),
        unit.pose.facing
    );
    Mark {
        key: id.0.clone(),
        shape: if arm == Arm::Hq { Shape::Flag } else { Shape::Block },
        look: if ours(v, &unit.side) { Look::Own } else { Look::Foe },
        at,
        label: t.label(id).to_owned(),
        below: state,
        said,
        outline,
        front,
    }
}

fn covered(v: &View, id: &ChitId, chit: &Chit) -> Mark {
    let own = ours(v, &chit.side);
    let boxed = v.own.boxes.iter().find(|(_, boxed)| boxed.chit == *id);
    let said = format!("{}, {}", field::sign(v, id), pen::spot(chit.at));
    let (shape, look, label, said) = match boxed {
        Some((number, boxed)) if boxed.units.is_empty() => {
            (Shape::Disc, Look::Hollow, number.to_string(), format!("box {number}, a decoy, {}", pen::spot(chit.at)))
        }
        Some((number, boxed)) => {
            let held = pen::labels(&v.table, &boxed.units);
            (Shape::Disc, Look::Own, number.to_string(), format!("box {number}: {held}, {}", pen::spot(chit.at)))
        }
        None if own => (Shape::Disc, Look::Own, String::new(), said),
        None => (Shape::Diamond, Look::Foe, id.0.chars().filter(char::is_ascii_digit).collect(), said),
    };
    Mark::plain(format!("chit {}", id.0), shape, look, point(chit.at), label, said)
}

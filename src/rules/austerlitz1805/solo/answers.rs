//! The side's answers to what the rules ask: by the dice of the solo chapters, or by what 22.3 calls common sense.

use super::{Dice, chart, formation, groups, guns, march, volley};
use crate::dice::Label;
use crate::plane::shape::Shape;
use crate::plane::walk::moved;
use crate::plane::{Heading, Spot};
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::prompt::Prompt;
use crate::rules::austerlitz1805::table::{Formation, Pose, Table, um};
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::words;

/// How far beside a unit its open flank is looked at, and how near a friend covers it.
const FLANK: i32 = 1_500;

/// The words that follow the unit's name in the answer.
pub fn words(v: &View, p: &Prompt, dice: &mut dyn Dice) -> String {
    let t = &v.table;
    let no = || "NO".to_owned();
    match p {
        Prompt::Guns { unit, options } => match guns::most_dangerous(t, unit, options) {
            Some((on, canister)) => format!("AT {on} {}", if *canister { "CANISTER" } else { "ROUND" }),
            None => "HOLD".to_owned(),
        },
        Prompt::Volley { unit, options } => {
            volley::single(t, unit, options).map_or("HOLD".to_owned(), |on| format!("AT {on}"))
        }
        Prompt::Square { unit, .. } => rolled(v, "square", unit, dice).unwrap_or_else(no),
        Prompt::Crew { unit, .. } => rolled(v, "crew", unit, dice).unwrap_or("FIRE".to_owned()),
        Prompt::OnSquare { unit, .. } => rolled(v, "met-by-square", unit, dice).unwrap_or("STOP".to_owned()),
        Prompt::Withdraw { unit, .. } => {
            if retires(v, unit) {
                "FRONT".to_owned()
            } else {
                no()
            }
        }
        // 22.3: a unit that stood leaves no gap in the line of its own will.
        Prompt::Neighbour { .. } => "HOLD".to_owned(),
        Prompt::Reform { unit } => reform(v, unit),
        Prompt::Advance { unit, most } => advance(v, unit, *most),
        Prompt::Deploy { unit, forms, facing, berth, beside } => {
            deploy(v, unit, (forms, *facing, berth), *beside, dice)
        }
        // 22.3: the weaker of two pays for it; it is named first.
        Prompt::Stepped { options, .. } => options.first().map_or(String::new(), |u| format!("ON {u}")),
    }
}

/// 24.5.10, 24.5.16, 24.5.19 What a die says.
fn rolled(v: &View, what: &'static str, unit: &UnitId, dice: &mut dyn Dice) -> Option<String> {
    let list = &chart(v)?.dice;
    let faces = match what {
        "square" => &list.square,
        "crew" => &list.crew,
        "met-by-square" => &list.met_by_square,
        _ => &list.deploy,
    };
    let die = dice.d6(Label::of_side(what, &v.me()).at(unit));
    faces.get(usize::try_from(die - 1).unwrap_or(0)).cloned()
}

/// 24.5.11, 24.5.12, 24.8.1, A-33 Cavalry attacked by infantry retires, unless it stands on an objective or would run into
/// friends other than guns and HQs.
fn retires(v: &View, id: &UnitId) -> bool {
    let (t, me) = (&v.table, v.me());
    let Some(unit) = t.unit(id) else { return false };
    let on_place = t
        .board
        .places
        .iter()
        .any(|p| p.vp > 0 && crate::plane::near::apart(t.centre(id), p.at.fine()).within(p.radius));
    let away = unit.pose.facing.turned(180);
    let end = moved(unit.pose.stand(), away, t.board.tables.ranges.withdraw);
    let way = t.shape(id).swept(&Shape::block(end, t.size(id)));
    let mut friends = t.of_side(&me).filter(|(o, _)| *o != id && matches!(t.arm(o), Arm::Infantry | Arm::Cavalry));
    !on_place && !friends.any(|(o, _)| t.shape(o).overlaps(&way))
}

/// 25 Formation and front of a unit that has rallied or won: square before cavalry, line where it holds, else column.
fn reform(v: &View, id: &UnitId) -> String {
    let t = &v.table;
    let facing = words::toward_enemy(t, id);
    let form = match t.arm(id) {
        Arm::Infantry if formation::ridden_at(t, id) && square(t, id) => Formation::Square,
        Arm::Infantry if march::halted(v, id) => Formation::Line,
        Arm::Infantry => Formation::Column,
        Arm::Cavalry => Formation::Line,
        Arm::Artillery | Arm::Hq => Formation::Unlimbered,
    };
    format!("{} FACE {facing}", form.word().to_uppercase())
}

fn square(t: &Table, id: &UnitId) -> bool {
    let room = |u: Pose| crate::rules::austerlitz1805::moves::room_for(t, id, u, Formation::Square).is_ok();
    t.unit(id).is_some_and(|u| room(u.pose))
}

/// 24.6.2, 28.1.2 A winner goes forward as far as it may, unless it holds its ground or would bare its flank.
fn advance(v: &View, id: &UnitId, most: i32) -> String {
    let stays = march::holds(v, id) || groups::defends(v) || march::exposed(v, id);
    if stays { "0".to_owned() } else { format!("{}UM", um(most)) }
}

/// 24.6.6, 24.6.7, 24.6.9 Formation by a die; guns as the rules let them; the second of infantry and cavalry on the flank that
/// is more exposed.
fn deploy(
    v: &View,
    id: &UnitId,
    (forms, facing, berth): (&[Formation], Heading, &str),
    beside: Option<Spot>,
    dice: &mut dyn Dice,
) -> String {
    let t = &v.table;
    let fights = matches!(t.arm(id), Arm::Infantry | Arm::Cavalry);
    let form = if fights { rolled(v, "deploy", id, dice) } else { forms.first().map(|f| f.word().to_uppercase()) };
    let form = form.unwrap_or("LINE".to_owned());
    let berth = match beside {
        Some(first) if fights => open_flank(v, first, facing),
        _ => berth,
    };
    format!("{form} FACE {facing} {berth}")
}

/// 24.6.9 The flank with fewer friends beside it; of two alike the one that an enemy is nearer to.
fn open_flank(v: &View, first: Spot, facing: Heading) -> &'static str {
    let (t, me) = (&v.table, v.me());
    let fights = |o: &UnitId| matches!(t.arm(o), Arm::Infantry | Arm::Cavalry);
    let cover = |right: i32| {
        let at = first.fine().toward(facing.turned(right), FLANK);
        let near = |o: &UnitId| t.shape(o).gap_to(at);
        let friends = t.of_side(&me).filter(|(o, _)| fights(o) && near(o).within(FLANK)).count();
        let enemy = t.standing().filter(|(o, u)| u.side != me && fights(o)).map(|(o, _)| near(o)).min();
        let chit = t.mist.chits.values().filter(|c| c.side != me).map(|c| t.chit_shape(c.at).gap_to(at)).min();
        (friends, enemy.into_iter().chain(chit).min())
    };
    let ((left, l), (right, r)) = (cover(-90), cover(90));
    let nearer = match (l, r) {
        (Some(l), Some(r)) => l < r,
        (l, r) => l.is_some() && r.is_none(),
    };
    if left < right || (left == right && nearer) { "LEFT" } else { "RIGHT" }
}

//! 16 Fog: how far one sees. Chits and strategic maps are not built yet (16.4); their orders say so.

use super::event::Fact;
use super::hands::{Hand, table, tell};
use crate::dice::Label;
use crate::fog::SideId;

/// 4.2, 16.2-16.3.1 At the first player-turn of a turn: the fog stays, lifts by a step, or is rolled for.
pub fn roll(cx: &mut Hand<'_>, side: &SideId) {
    let t = table(cx);
    let first = t.board.sides.first().is_some_and(|s| s.id == *side);
    let Some(now) = t.sight.filter(|_| first) else { return };
    let fog = t.board.tables.fog.clone();
    let turn = t.turn;
    let (thick, one, two) = fog.sight;
    let (die, sight) = if now == two {
        (None, None)
    } else if now == one {
        (None, Some(two))
    } else if turn <= fog.turns {
        (None, Some(thick))
    } else if turn >= fog.automatic {
        (None, Some(one))
    } else {
        let die = cx.d6(&Label::public("fog"));
        (Some(die), Some(if die >= fog.lifts { one } else { thick }))
    };
    if sight != Some(now) || die.is_some() {
        tell(cx, Fact::Fog { die, sight });
    }
}

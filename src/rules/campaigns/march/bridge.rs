//! ¶61, 251-254 Damage and repair of bridges: announced with the march, done in the Bridge Segment.

use super::event::Event;
use super::order::{ForceOrder, Work};
use super::walk::{Marcher, Unfinished};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::situation::{Firm, Situation, StepCost};
use crate::rules::campaigns::{Campaigns, flow};
use crate::rules::cx::Cx;

/// ¶251-254 Spends the MP of the works that the order ends with; what could not be begun is told.
pub fn works(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    order: &ForceOrder,
    m: &mut Marcher,
    here: Hex,
) -> Option<Unfinished> {
    let mut unfinished = None;
    for work in &order.works {
        let cost = {
            let sit = cx.state().situation(side)?;
            cost(&sit, here, *work)
        };
        match cost {
            Err(why) => unfinished = Some(why),
            Ok(mp) if !m.column.can_pay(StepCost { foot: mp, horse: mp }) => {
                let (a, b) = work.edge.hexes();
                let left = m.column.left();
                unfinished = Some((format!("work on the bridge {a}/{b} takes {mp} MP; {left} are left"), "¶251"));
            }
            Ok(mp) => {
                m.column.wait(mp);
                let (side, leader, repair) = (side.clone(), order.leader.clone(), work.repair);
                cx.emit(Event::BridgeWork { side, leader, edge: work.edge, repair, mp }.into());
            }
        }
    }
    unfinished
}

/// ¶251-254 MP of a work from a hex.
///
/// # Errors
/// Why it cannot be done from there.
fn cost(sit: &Situation<'_>, here: Hex, work: Work) -> Result<Halves, Unfinished> {
    let (a, b) = work.edge.hexes();
    if here != a && here != b {
        return Err((format!("the force did not come next to the bridge {a}/{b}"), "¶252"));
    }
    let Some(river) = sit.board.map.river(a, b) else { return Err(("there is no bridge".to_owned(), "¶251")) };
    let table = &sit.board.tables.bridging;
    if !work.repair {
        return Ok(Halves::whole(table.damage(river)));
    }
    let far = if here == a { b } else { a };
    let force = |hex: &Hex| sit.enemy.get(hex) == Some(&Firm::Yes);
    if force(&far) {
        return Err((format!("the bridge {a}/{b} cannot be repaired: the enemy holds {far}"), "¶254"));
    }
    // the six hexes round the workers, but for the far end of the bridge.
    let threatened = here.neighbours().iter().any(|near| *near != far && force(near));
    Ok(Halves::whole(table.repair(river, threatened)))
}

/// ¶61, 252-254 II.f Bridge Segment: what was announced is done.
pub fn segment(cx: &mut Cx<'_, Campaigns>) {
    let works: Vec<(Hexside, bool)> = cx.state().phase.bridge_work.iter().map(|(e, r)| (*e, *r)).collect();
    for (edge, repair) in works {
        // Who did the work was told his own side when it was announced.
        cx.emit(flow::event::Event::Bridge { edge, damaged: !repair, by: None }.into());
    }
}

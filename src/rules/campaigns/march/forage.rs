//! ¶271-288 Foraging: the two modes of a force, and what the country yields.

use super::column::Column;
use super::event::Event;
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::map::Settlement;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::sequence::PhaseLog;
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::cx::Cx;

/// A change of mode that an order asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// To Forage Mode, not to Concentrated Mode.
    pub forage: bool,
    /// Whether it comes before the march.
    pub first: bool,
}

/// What a force forages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yield {
    /// The hexes that it counts.
    pub hexes: Vec<Hex>,
    /// Their value in tenths.
    pub tenths: i32,
}

/// ¶278 MP of a change of mode.
pub fn cost(sit: &Situation<'_>, forage: bool) -> Halves {
    let terrain = &sit.board.tables.terrain;
    if forage { terrain.to_forage() } else { terrain.to_concentrated() }
}

/// ¶278 Changes the mode of a force that stands still for the moment; why not, where it cannot.
pub fn change(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    leader: &LeaderId,
    column: &mut Column,
    forage: bool,
) -> Option<(String, &'static str)> {
    let mp = {
        let sit = cx.state().situation(side)?;
        if sit.own.leaders.get(leader).is_some_and(|l| l.forage == forage) {
            return None;
        }
        cost(&sit, forage)
    };
    if !column.can_pay(StepCost { foot: mp, horse: mp }) {
        let name = if forage { "Forage" } else { "Concentrated" };
        return Some((format!("going over to {name} Mode takes {mp} MP; {} are left", column.left()), "¶278"));
    }
    column.wait(mp);
    cx.emit(Event::Mode { side: side.clone(), leader: leader.clone(), forage }.into());
    None
}

/// ¶274, 283-288 What a force in a hex can forage: its hex and those round it that it could occupy and that no enemy, no
/// siege and no other force of its side takes from it.
pub fn value(sit: &Situation<'_>, phase: &PhaseLog, leader: &LeaderId, hex: Hex) -> Yield {
    let mut found = Yield { hexes: Vec::new(), tenths: 0 };
    for near in std::iter::once(hex).chain(sit.board.map.neighbours(hex)) {
        let taken = phase.foraged.get(&near).is_some_and(|by| by != leader);
        if taken || barred(sit, near) {
            continue;
        }
        let built = sit.settlement(near).filter(|s| near == hex || *s == Settlement::Village);
        if sit.board.tables.terrain.hex_mp(sit.ground(near), sit.settlement(near), false).is_some() {
            found.hexes.push(near);
            found.tenths += sit.board.tables.terrain.forage_tenths(sit.ground(near), built);
        }
    }
    found
}

/// ¶284 Hexes with an enemy counter in them, or with enemy counters on opposite sides, are not foraged.
fn barred(sit: &Situation<'_>, hex: Hex) -> bool {
    let enemy = |dir: Dir| sit.enemy.contains_key(&hex.neighbour(dir));
    sit.enemy.contains_key(&hex) || [Dir::N, Dir::NE, Dir::SE].into_iter().any(|d| enemy(d) && enemy(d.opposite()))
}

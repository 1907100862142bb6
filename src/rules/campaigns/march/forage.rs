//! ¶271-288 Foraging: the two modes of a force, and what the country yields.

use super::attrition::{Length, Toll};
use super::column::Column;
use super::event::Partly;
use super::told::{Own, Portion};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::map::Settlement;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, Halves, LeaderId, UnitId};
use crate::rules::campaigns::sequence::PhaseLog;
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::tables::{AttritionColumn, Forage};
use crate::rules::cx::Cx;

/// What a force forages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yield {
    /// The hexes that it counts.
    pub hexes: Vec<Hex>,
    /// Their value in tenths.
    pub tenths: i32,
}

/// What feeds a force better than its supply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fed {
    /// The country round it (¶274).
    Round(Yield),
    /// Its leader's hex alone (¶275).
    Here(Hex, Forage),
}

/// What of a force is rolled for at once: all of it, or its cavalry and the rest apart (¶277).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// What it rolls for.
    pub toll: Toll,
    /// Which arms, where the title has values for each.
    pub part: Option<Portion>,
    /// What feeds it; `None` where that is its supply.
    pub fed: Option<Fed>,
}

impl Share {
    /// The whole force, by its supply.
    pub fn plain(toll: &Toll) -> Share {
        Share { toll: toll.clone(), part: None, fed: None }
    }

    /// Which arms, where there is more than one share.
    pub fn arm(&self, all: &[Share]) -> Option<Portion> {
        self.part.filter(|_| all.len() > 1)
    }

    /// Tells what feeds it.
    pub fn tell(&self, cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId) {
        let leader = leader.clone();
        match &self.fed {
            Some(Fed::Round(found)) => {
                let (side, hexes, tenths) = (side.clone(), found.hexes.clone(), found.tenths);
                cx.emit(Partly::Foraged { side, leader, hexes, tenths }.into());
            }
            Some(Fed::Here(hex, found)) => {
                let part = self.part.unwrap_or(Portion::Foot);
                cx.emit(Own::ForagedHere { leader, hex: *hex, part, found: *found }.of(side).into());
            }
            None => {}
        }
    }
}

/// ¶273-275, 277, 279, 284 What a force in Forage Mode rolls for that has ended its march in a hex, out of any siege: its
/// column is that of the country where it is better than that of its supply (D-58), and zero after an Extended March
/// (¶186).
pub fn shares(
    sit: &Situation<'_>,
    phase: &PhaseLog,
    (leader, hex): (&LeaderId, Hex),
    length: Length,
    toll: &Toll,
) -> Vec<Share> {
    let rules = &sit.board.exceptions.forage;
    // ¶284: in some titles nobody forages in an enemy zone of control.
    let zoned = rules.not_in_zones && sit.zones_on(hex).iter().any(|(_, firm)| *firm == Firm::Yes);
    if !sit.board.policies.forage || zoned || toll.units.is_empty() {
        return vec![Share::plain(toll)];
    }
    if length.extra > Halves(0) {
        return vec![Share::plain(&Toll { column: AttritionColumn::Zero, ..toll.clone() })];
    }
    if rules.leaders_hex {
        return alone(sit, hex, toll);
    }
    let found = value(sit, phase, leader, hex);
    let column = sit.board.tables.attrition.column_by_forage(found.tenths);
    if column <= toll.column {
        return vec![Share::plain(toll)];
    }
    vec![Share { toll: Toll { column, ..toll.clone() }, part: None, fed: Some(Fed::Round(found)) }]
}

/// ¶275, 277, 283 What the leader's hex alone feeds: cavalry by itself where the title has it so, the other arms together.
/// A force that its supply feeds no worse, in all its arms, does not forage, and is rolled for as one (¶273).
fn alone(sit: &Situation<'_>, hex: Hex, toll: &Toll) -> Vec<Share> {
    let tables = &sit.board.tables;
    let rides = |id: &UnitId| sit.board.units.get(id).is_some_and(|u| u.arm == Arm::Cavalry);
    let apart = sit.board.exceptions.forage.cavalry_apart;
    let (horse, foot): (Vec<UnitId>, Vec<UnitId>) = toll.units.iter().cloned().partition(|id| apart && rides(id));
    let mut shares = Vec::new();
    for (units, part) in [(foot, Portion::Foot), (horse, Portion::Cavalry)] {
        if units.is_empty() {
            continue;
        }
        let cavalry = part == Portion::Cavalry;
        let found = yields(sit, hex, cavalry);
        let column = tables.attrition.column_by_yield(found);
        let fed = (column > toll.column).then_some(Fed::Here(hex, found));
        let sp = units.iter().filter_map(|id| sit.own.units.get(id)).map(|u| u.sp).sum();
        let column = column.max(toll.column);
        // ¶205, 265: cavalry by itself has its own lines, and the mud its own way with it; the rest has marched on foot.
        let toll = if cavalry {
            let modifier = toll.modifier + toll.ridden;
            Toll { column, units, sp, modifier, pace: tables.attrition.pace("", true), ridden: 0 }
        } else {
            Toll { column, units, sp, ridden: if apart { 0 } else { toll.ridden }, ..toll.clone() }
        };
        shares.push(Share { toll, part: Some(part), fed });
    }
    if shares.iter().any(|share| share.fed.is_some()) { shares } else { vec![Share::plain(toll)] }
}

/// ¶275, 277 What a leader's hex yields to foot and guns, or to cavalry.
pub fn yields(sit: &Situation<'_>, hex: Hex, cavalry: bool) -> Forage {
    let crop = sit.board.map.crops.get(&hex).copied();
    sit.board.tables.terrain.yields(sit.ground(hex), sit.settlement(hex), crop, cavalry)
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
    cx.emit(Own::Mode { leader: leader.clone(), forage }.of(side).into());
    None
}

/// ¶274, 283-288 What a force in a hex can forage: its hex and those round it that it could occupy and that no enemy, no
/// siege and no other force of its side takes from it.
pub fn value(sit: &Situation<'_>, phase: &PhaseLog, leader: &LeaderId, hex: Hex) -> Yield {
    let mut found = Yield { hexes: Vec::new(), tenths: 0 };
    // ¶225, 288: a town beside the leader counts where a part of his force stands in it.
    let parts = phase.parts.iter().filter(|(_, chief)| *chief == leader).filter_map(|(part, _)| sit.own.hex(part));
    let held: Vec<Hex> = parts.collect();
    for near in std::iter::once(hex).chain(sit.board.map.neighbours(hex)) {
        let taken =
            [&phase.foraged, &phase.assigned].iter().any(|hexes| hexes.get(&near).is_some_and(|by| by != leader));
        if taken || barred(sit, near) {
            continue;
        }
        let built = sit.settlement(near).filter(|s| near == hex || *s == Settlement::Village || held.contains(&near));
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

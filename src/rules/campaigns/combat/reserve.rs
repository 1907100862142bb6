//! Reserves (¶315-325): what must go into reserve, what opens all battle types, what may come out again. All of it is
//! reckoned on the owner's view.

use super::battle::BattleView;
use super::clause::{Clause, Pick, wish};
use super::{field, types};
use crate::hex::Hex;
use crate::rules::campaigns::board::{Arm, Quality, UnitId};
use crate::rules::campaigns::view::View;
use crate::rules::journal::Book;
use std::collections::{BTreeMap, BTreeSet};

/// ¶327 SP in reserve that open all battle types, however large the force.
pub const OPENING_SP: i32 = 8;

/// A unit in a battle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Member {
    id: UnitId,
    hex: Hex,
    sp: i32,
    arm: Arm,
    /// ¶326 Whether it is committed when it comes out of the reserve: infantry of the Old Guard.
    staked: bool,
}

/// ¶317, 325: the SP of infantry and cavalry that a hex may have in line.
pub fn limit(v: &View, battle: &BattleView, hex: Hex) -> i32 {
    field::room(&v.situation(), hex, battle.against())
}

fn members(v: &View, battle: &BattleView) -> Vec<Member> {
    let mut found = Vec::new();
    for hex in battle.ground() {
        for (id, sp) in battle.own.units(&v.own, *hex) {
            let spec = v.board.units.get(&id);
            // A garrison has no track and no leader: it stands in line (¶22, 312).
            if let Some(spec) = spec.filter(|s| !s.garrison) {
                let staked = spec.quality == Quality::OldGuard && spec.arm == Arm::Infantry;
                found.push(Member { id, hex: *hex, sp, arm: spec.arm, staked });
            }
        }
    }
    // Cavalry first, then the smaller (D-95).
    found.sort_by_key(|m| (m.arm != Arm::Cavalry, m.arm == Arm::Artillery, m.sp, m.id.clone()));
    found
}

fn in_line(members: &[Member], reserve: &BTreeSet<UnitId>, hex: Hex) -> i32 {
    members.iter().filter(|m| m.hex == hex && m.arm != Arm::Artillery && !reserve.contains(&m.id)).map(|m| m.sp).sum()
}

/// ¶317, 326 (D-99): units added to a reserve until no hex has more in line than it may; the Old Guard last of all, since
/// it is committed when it comes out again. No part of a unit is held back (¶317): one that is over the limit all by itself
/// stands in line, and counts as many SP as the limit (¶325).
fn forced(v: &View, battle: &BattleView, members: &[Member], reserve: &mut BTreeSet<UnitId>) {
    for hex in battle.ground() {
        let most = limit(v, battle, *hex);
        while in_line(members, reserve, *hex) > most {
            let over = in_line(members, reserve, *hex) - most;
            let line = |m: &&Member| m.hex == *hex && m.arm != Arm::Artillery && !reserve.contains(&m.id);
            if most > 0 && members.iter().filter(line).count() == 1 {
                break;
            }
            let plain = members.iter().filter(line).any(|m| !m.staked);
            let free = |m: &&Member| line(m) && !(plain && m.staked);
            // The smallest unit that is enough, else the largest there is.
            let enough = members.iter().filter(free).filter(|m| m.sp >= over).min_by_key(|m| (m.sp, m.id.clone()));
            let Some(unit) = enough.or_else(|| members.iter().filter(free).max_by_key(|m| (m.sp, m.id.clone()))) else {
                break;
            };
            let id = unit.id.clone();
            reserve.insert(id);
        }
    }
}

/// ¶327: SP in reserve that a force needs to choose its battle type freely: a quarter of its strength, or 8.
pub fn opening(total: i32) -> i32 {
    ((total + 3).div_euclid(4)).min(OPENING_SP)
}

/// ¶327: whether a force may choose freely: enough in reserve, or a town or fortification; always where the option is off
///
pub fn opens(v: &View, battle: &BattleView, reserve: &BTreeSet<UnitId>) -> bool {
    if !v.board.policies.reserves {
        return true;
    }
    let sit = v.situation();
    let seat = battle.own.lead.as_ref().and_then(|l| v.own.hex(l));
    let hexes: Vec<Hex> = seat.map_or_else(|| battle.ground().to_vec(), |h| vec![h]);
    if hexes.iter().any(|h| field::town(&sit, *h) || sit.entrenched(*h, battle.against())) {
        return true;
    }
    let total = battle.own.sp(&v.own, battle.ground(), !battle.attacking);
    let held: i32 = members(v, battle).iter().filter(|m| reserve.contains(&m.id)).map(|m| m.sp).sum();
    held >= opening(total) && held > 0
}

/// ¶315, 317, 327 The reserve of the first round, from plan and default; `None` where the seat wants to be asked. The
/// rulebook holds back nothing but what is over the limit: more is the player's choice. So the default holds back the
/// least that opens all types (D-95) only where a type is wanted that it opens.
pub fn first(v: &View, battle: &BattleView, book: &Book) -> Option<BTreeSet<UnitId>> {
    let wished = wish(v, battle, |c| if let Clause::Reserve(pick) = c { Some(pick.clone()) } else { None });
    match wished {
        Some(None) => return None,
        Some(Some(pick)) => return Some(complete(v, battle, &pick)),
        None => {}
    }
    let (must, least) = (complete(v, battle, &Pick::None), complete(v, battle, &Pick::Least));
    let more: i32 =
        members(v, battle).iter().filter(|m| least.contains(&m.id) && !must.contains(&m.id)).map(|m| m.sp).sum();
    Some(if types::wants_reserve(v, battle, book, more) { least } else { must })
}

/// A reserve as picked, with what must be in it besides.
pub fn complete(v: &View, battle: &BattleView, pick: &Pick<UnitId>) -> BTreeSet<UnitId> {
    let members = members(v, battle);
    let mut reserve = BTreeSet::new();
    if !v.board.policies.reserves {
        return reserve;
    }
    match pick {
        Pick::These(units) => {
            reserve.extend(units.iter().filter(|u| members.iter().any(|m| m.id == **u)).cloned());
        }
        Pick::All => reserve.extend(members.iter().map(|m| m.id.clone())),
        Pick::None | Pick::Least => {}
    }
    forced(v, battle, &members, &mut reserve);
    if *pick == Pick::Least {
        least(v, battle, &members, &mut reserve);
    }
    reserve
}

/// D-95, D-99: the least that leaves all battle types open, cavalry first, and never the Old Guard; somebody stays in line.
fn least(v: &View, battle: &BattleView, members: &[Member], reserve: &mut BTreeSet<UnitId>) {
    if opens(v, battle, reserve) {
        return;
    }
    let must = reserve.clone();
    for member in members.iter().filter(|m| m.arm != Arm::Artillery && !m.staked) {
        let mut more = reserve.clone();
        more.insert(member.id.clone());
        let line: i32 = battle.ground().iter().map(|h| in_line(members, &more, *h)).sum();
        if line > 0 {
            *reserve = more;
        }
        if opens(v, battle, reserve) {
            break;
        }
    }
    if !opens(v, battle, reserve) {
        // It cannot be had: nothing is held back for nothing.
        *reserve = must;
        return;
    }
    for member in members.iter().rev() {
        if reserve.contains(&member.id) && !must.contains(&member.id) {
            let mut fewer = reserve.clone();
            fewer.remove(&member.id);
            if opens(v, battle, &fewer) {
                *reserve = fewer;
            }
        }
    }
}

/// ¶322-323, 326: units that come out of the reserve in a later round: those a plan names, or as many as may stand in line
/// (D-109) but for the Old Guard, which nobody stakes who was not asked (D-99). `None` where the seat wants to be asked.
pub fn commit(v: &View, battle: &BattleView) -> Option<BTreeSet<UnitId>> {
    let pick = |c: &Clause| match c {
        Clause::Commit(pick, from) if from.is_none_or(|r| r <= battle.round) => Some(pick.clone()),
        _ => None,
    };
    let later = |c: &Clause| if let Clause::Commit(_, Some(r)) = c { Some(*r > battle.round) } else { None };
    match wish(v, battle, pick) {
        Some(None) => None,
        Some(Some(pick)) => Some(fit(v, battle, &pick)),
        // A plan that commits later commits nothing before.
        None if wish(v, battle, later) == Some(Some(true)) => Some(BTreeSet::new()),
        None => {
            let plain = members(v, battle).into_iter().filter(|m| !m.staked).map(|m| m.id);
            Some(fit(v, battle, &Pick::These(plain.collect())))
        }
    }
}

/// Units picked that may stand in line now, the largest first.
pub fn fit(v: &View, battle: &BattleView, pick: &Pick<UnitId>) -> BTreeSet<UnitId> {
    let members = members(v, battle);
    let wanted = |m: &Member| match pick {
        Pick::All => true,
        Pick::None | Pick::Least => false,
        Pick::These(units) => units.contains(&m.id),
    };
    let mut reserve = battle.own.reserve.clone();
    let mut out = BTreeSet::new();
    let mut room: BTreeMap<Hex, i32> = BTreeMap::new();
    for hex in battle.ground() {
        room.insert(*hex, limit(v, battle, *hex) - in_line(&members, &reserve, *hex));
    }
    let mut order: Vec<&Member> = members.iter().filter(|m| battle.own.reserve.contains(&m.id) && wanted(m)).collect();
    order.sort_by_key(|m| (-m.sp, m.id.clone()));
    for member in order {
        let free = room.get(&member.hex).copied().unwrap_or(0);
        let guns = member.arm == Arm::Artillery;
        if guns || member.sp <= free {
            reserve.remove(&member.id);
            out.insert(member.id.clone());
            if !guns {
                room.insert(member.hex, free - member.sp);
            }
        }
    }
    out
}

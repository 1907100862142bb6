//! ¶241-250 Repulse; ¶42-43 the capture of leaders without troops; ¶368 vedettes driven off.

use super::event::Partly;
use super::marcher::Marcher;
use super::{losses, stack, train};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Ground;
use crate::rules::Play;
use crate::rules::campaigns::board::{Arm, Board, Halves, LeaderId};
use crate::rules::campaigns::combat::field;
use crate::rules::campaigns::flow::told::{Cause, Why};
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::{Crossing, Weather};
use crate::rules::campaigns::view::{Counter, View};
use crate::rules::campaigns::{Campaigns, combat, flow, retreat};
use crate::rules::cx::Cx;
use std::cell::OnceCell;

/// Strength of a vedette that fights alone (¶311).
pub const VEDETTE: Halves = Halves(1);
/// Hexes that a repulsed force goes back (¶242).
const BACK: i32 = 2;
/// Odds that drive a force off (¶241), foragers (¶281), and that foragers need.
const ODDS: i32 = 7;
const ODDS_AGAINST_FORAGERS: i32 = 5;
const ODDS_OF_FORAGERS: i32 = 9;

/// ¶77, 241 Whether the counters of a hex could be repulsed from another, by what lies open: no fortification, no
/// bridged primary river between, no garrison.
fn assailable(sit: &Situation<'_>, garrison: bool, from: Hex, on: Hex) -> bool {
    !sit.walls(on, &[from]) && sit.side(from, on) != Crossing::PrimaryBridge && !garrison
}

/// Whether the mover may declare a repulse in a hex, by what it knows.
pub fn open(v: &View, m: &Marcher, hex: Hex, met: &[Hex]) -> bool {
    let sit = v.situation();
    let garrison = |on: &Hex| {
        let flag =
            |c: &Counter| c.hex == *on && c.face_up && c.tie.as_ref().is_some_and(|t| t.ident == Ident::Garrison);
        v.enemy_sources.contains(&Some(*on)) || v.enemy.values().any(flag)
    };
    // ¶248: in Fog no vedette may try.
    let blind = v.board.policies.fog && v.weather.has(Weather::Fog) && matches!(m.piece, Piece::Vedette(_));
    !blind && met.iter().any(|on| assailable(&sit, garrison(on), hex, *on))
}

/// ¶241, 356-359 The strength of a force for a repulse from one hex into another, as terrain leaves it.
fn strength(board: &Board, own: &Pieces, leader: &LeaderId, from: Ground, into: Ground) -> Halves {
    let terrain = &board.tables.terrain;
    let mut total = Halves(0);
    for arm in [Arm::Infantry, Arm::Cavalry, Arm::Artillery] {
        let whole = Halves::whole(own.sp_of(board, leader, arm));
        total = total + if into == Ground::Woods { terrain.into_woods(arm, whole) } else { whole };
    }
    if from == Ground::Swamp || into == Ground::Swamp {
        total = terrain.in_swamp(total);
    }
    if into == Ground::Mountain {
        total = total.min(Halves::whole(terrain.combat.mountain_attack_sp));
    }
    total
}

/// ¶241, 281 The odds that are needed.
fn odds(mover_forages: bool, all_forage: bool) -> i32 {
    match (mover_forages, all_forage) {
        (true, _) => ODDS_OF_FORAGERS,
        (false, true) => ODDS_AGAINST_FORAGERS,
        (false, false) => ODDS,
    }
}

/// ¶241, 281 What a force may promise itself of a repulse by what its side knows: the SP that count, and how many it drives
/// off at most. Whether an enemy forages nobody tells it.
pub fn promise(v: &View, leader: &LeaderId, hex: Hex, met: &[Hex]) -> (Halves, Halves) {
    let own = against_all(&v.situation(), std::slice::from_ref(leader), hex, met);
    let forages = v.own.leaders.get(leader).is_some_and(|l| l.forage);
    (own, Halves(own.0 / odds(forages, false)))
}

/// ¶241-246 Carries a declared repulse out on all enemies met at once; whether it succeeded.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn attempt(cx: &mut Cx<'_, Campaigns>, m: &Marcher, hex: Hex, met: &[Hex]) -> Play<bool> {
    let side = m.side.clone();
    let foe = cx.state().enemy(&side);
    let on = targets(cx.state(), &side, &foe, hex, met);
    flow::show(cx, &side, m.piece.clone());
    for piece in on.iter().flat_map(|h| faces(cx.state(), &foe, *h)).collect::<Vec<_>>() {
        flow::show(cx, &foe, piece);
    }
    let (sp, ok) = outcome(cx.state(), m, hex, &on);
    let (piece, hexes) = (m.piece.clone(), on.clone());
    if let Some(sp) = sp {
        let (side, piece) = (side.clone(), piece.clone());
        cx.emit(flow::event::Partly::Strength { side, piece, sp }.into());
    }
    cx.emit(Partly::Repulse { side: side.clone(), piece, hex, on: hexes, sp, ok }.into());
    if ok {
        let horse = mounted(cx.state(), &side, std::slice::from_ref(&m.piece));
        for hex in &on {
            drive_off(cx, &foe, *hex, horse, &[])?;
        }
    } else if let (true, Piece::Leader(leader)) = (m.forced, m.piece.clone()) {
        pay_for_failure(cx, m, &leader);
    }
    Ok(ok)
}

fn targets(s: &State, side: &SideId, foe: &SideId, hex: Hex, met: &[Hex]) -> Vec<Hex> {
    let (Some(sit), Some(enemy)) = (s.situation(side), s.pieces(foe)) else { return Vec::new() };
    let garrison = |on: &Hex| enemy.source_at(*on).is_some() || !enemy.garrisons_at(*on).is_empty();
    met.iter().copied().filter(|on| assailable(&sit, garrison(on), hex, *on)).collect()
}

/// What shows itself to a repulse in a hex: the force leaders, else the vedettes (¶31, 250).
fn faces(s: &State, foe: &SideId, hex: Hex) -> Vec<Piece> {
    let Some(enemy) = s.pieces(foe).filter(|p| !s.patrols(p, hex)) else { return Vec::new() };
    let leaders = enemy.leaders_at(hex).into_iter().cloned().map(Piece::Leader);
    if enemy.zone_round(hex) {
        leaders.collect()
    } else {
        leaders.chain(enemy.vedettes_at(hex).into_iter().map(Piece::Vedette)).collect()
    }
}

/// ¶241-246 The SP that the mover names, and whether the odds suffice.
fn outcome(s: &State, m: &Marcher, hex: Hex, on: &[Hex]) -> (Option<i32>, bool) {
    let (Some(sit), Some(enemy)) = (s.situation(&m.side), s.pieces(&s.enemy(&m.side))) else { return (None, false) };
    let against: Halves = on.iter().map(|h| defence(enemy, *h, s.patrols(enemy, *h))).sum();
    let leaders = || on.iter().flat_map(|h| enemy.leaders_at(*h)).filter(|l| !enemy.unemployed(l));
    let foragers = leaders().next().is_some() && leaders().all(|l| enemy.leaders.get(l).is_some_and(|l| l.forage));
    match &m.piece {
        Piece::Leader(leader) => {
            let own = against_all(&sit, std::slice::from_ref(leader), hex, on);
            let forages = sit.own.leaders.get(leader).is_some_and(|l| l.forage);
            // ¶42: whoever catches nothing but a leader without troops need not say how strong he is.
            let said = (against > Halves(0)).then(|| sit.own.sp(leader));
            (said, !on.is_empty() && own.0 >= odds(forages, foragers) * against.0)
        }
        Piece::Vedette(_) | Piece::Garrison(_) => (None, against > Halves(0) && VEDETTE.0 >= ODDS * against.0),
    }
}

/// What some forces bring into a repulse from one hex. Several hexes are one attempt; the worst ground counts.
fn against_all(sit: &Situation<'_>, counters: &[LeaderId], hex: Hex, on: &[Hex]) -> Halves {
    let into = |h: &Hex| {
        let ground = sit.ground(*h);
        let ground = if sit.woods(*h) && ground != Ground::Mountain { Ground::Woods } else { ground };
        let total: Halves = counters.iter().map(|l| strength(sit.board, sit.own, l, sit.ground(hex), ground)).sum();
        let crest = sit.board.exceptions.combat.crests_weaken && sit.crest(hex, *h);
        let total = if crest { field::over_crest(total) } else { total };
        let most = Halves::whole(sit.board.tables.terrain.combat.mountain_attack_sp);
        if ground == Ground::Mountain { total.min(most) } else { total }
    };
    on.iter().map(into).min().unwrap_or(Halves(0))
}

/// ¶241, 246 Whether those who pursue would drive off all whose zone covers the hex they enter.
pub fn succeeds(s: &State, side: &SideId, leaders: &[LeaderId], hex: Hex, on: &[Hex]) -> bool {
    let foe = s.enemy(side);
    let (Some(sit), Some(enemy)) = (s.situation(side), s.pieces(&foe)) else { return false };
    // Guns stay behind, and those who go have their own tracks only (¶386-387).
    let mut own = sit.own.clone();
    own.units.retain(|_, u| matches!(&u.track, super::super::pieces::Track::Of(l) if leaders.contains(l)));
    let sit = Situation { own: &own, shut: OnceCell::new(), ..sit };
    let counters: Vec<LeaderId> =
        leaders.iter().filter(|l| own.leaders.get(*l).is_none_or(|m| m.under.is_none())).cloned().collect();
    let under =
        |l: &&LeaderId| own.leaders.get(*l).and_then(|m| m.under.as_ref()).is_some_and(|u| !counters.contains(u));
    let alone: Vec<LeaderId> = leaders.iter().filter(under).cloned().collect();
    let all: Vec<LeaderId> = counters.iter().cloned().chain(alone).collect();
    let met = targets(s, side, &foe, hex, on);
    let against: Halves = met.iter().map(|h| defence(enemy, *h, false)).sum();
    let foragers =
        |h: &Hex| enemy.leaders_at(*h).into_iter().all(|l| enemy.leaders.get(l).is_some_and(|leader| leader.forage));
    let forages = all.iter().any(|l| own.leaders.get(l).is_some_and(|leader| leader.forage));
    // ¶381: a zone that cannot be driven off stops the pursuit.
    met.len() == on.len() && against_all(&sit, &all, hex, on).0 >= odds(forages, met.iter().all(foragers)) * against.0
}

/// ¶241, 243 A repulse by those who pursue: who is driven off keeps clear of their way; a failure only ends it.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn in_pursuit(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    pieces: &[Piece],
    hex: Hex,
    on: &[Hex],
    (ok, way): (bool, &[Hex]),
) -> Play<()> {
    let foe = cx.state().enemy(side);
    for piece in on.iter().flat_map(|h| faces(cx.state(), &foe, *h)).collect::<Vec<_>>() {
        flow::show(cx, &foe, piece);
    }
    let Some(own) = cx.state().pieces(side) else { return Ok(()) };
    let leaders = pieces.iter().filter_map(|p| if let Piece::Leader(l) = p { Some(l) } else { None });
    let sp: i32 = leaders.clone().map(|l| own.sp(l)).sum();
    let horse = mounted(cx.state(), side, pieces);
    let Some(piece) = pieces.first().cloned() else { return Ok(()) };
    cx.emit(Partly::Repulse { side: side.clone(), piece, hex, on: on.to_vec(), sp: Some(sp), ok }.into());
    for hex in on.iter().filter(|_| ok) {
        drive_off(cx, &foe, *hex, horse, way)?;
    }
    Ok(())
}

/// What a hex sets against a repulse: its forces, else half an SP for its vedettes (¶311), and for whom is taken for
/// one (¶231).
fn defence(enemy: &Pieces, hex: Hex, patrol: bool) -> Halves {
    let sp = Halves::whole(enemy.sp_at(hex));
    if patrol || sp == Halves(0) && !enemy.vedettes_at(hex).is_empty() { VEDETTE } else { sp }
}

/// ¶242, 368 Drives off what stands in a hex: forces two hexes back, vedettes off the map; leaders without troops are
/// caught if the mover has cavalry.
fn drive_off(cx: &mut Cx<'_, Campaigns>, foe: &SideId, hex: Hex, horse: bool, barred: &[Hex]) -> Play<()> {
    let Some(enemy) = cx.state().pieces(foe) else { return Ok(()) };
    let leaders: Vec<(LeaderId, bool, i32)> =
        enemy.leaders_at(hex).into_iter().map(|l| (l.clone(), enemy.unemployed(l), enemy.sp(l))).collect();
    let vedettes = enemy.vedettes_at(hex);
    let patrol = cx.state().patrols(enemy, hex);
    for (leader, _, sp) in leaders.iter().filter(|(_, unemployed, _)| !unemployed && !patrol) {
        let piece = Piece::Leader(leader.clone());
        cx.emit(flow::event::Partly::Strength { side: foe.clone(), piece, sp: *sp }.into());
    }
    for (leader, ..) in leaders.iter().filter(|(_, unemployed, _)| !unemployed) {
        train::abandon(cx, foe, leader);
        retreat::drive_clear(cx, foe, leader, BACK, Why::Repulsed, barred);
    }
    alone(cx, foe, hex, horse, barred)?;
    for n in vedettes {
        vedette_off(cx, foe, n);
    }
    Ok(())
}

/// ¶42 Whether there is cavalry with some counters.
pub fn mounted(s: &State, side: &SideId, pieces: &[Piece]) -> bool {
    let Some(own) = s.pieces(side) else { return false };
    let leads = |p: &Piece| matches!(p, Piece::Leader(l) if own.sp_of(&s.board, l, Arm::Cavalry) > 0);
    pieces.iter().any(leads)
}

/// ¶42-43, 370 Leaders without troops in a hex that an enemy force takes: cavalry may catch them, before others they go
/// back. Who has nowhere to go is captured, since the enemy enters his last hex.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn alone(cx: &mut Cx<'_, Campaigns>, foe: &SideId, hex: Hex, horse: bool, barred: &[Hex]) -> Play<()> {
    let Some(enemy) = cx.state().pieces(foe) else { return Ok(()) };
    let idle: Vec<LeaderId> = enemy.leaders_at(hex).into_iter().filter(|l| enemy.unemployed(l)).cloned().collect();
    for leader in &idle {
        if horse {
            combat::losses::escape(cx, foe, leader, hex)?;
        } else {
            retreat::drive_clear(cx, foe, leader, BACK, Why::Repulsed, barred);
        }
        if cx.state().pieces(foe).is_some_and(|enemy| enemy.hex(leader) == Some(hex)) {
            combat::losses::caught(cx, foe, leader, hex)?;
        }
    }
    Ok(())
}

/// ¶368 A vedette driven off goes onto the portrait of the nearest friendly force within nine MP, else to the pool.
pub fn vedette_off(cx: &mut Cx<'_, Campaigns>, side: &SideId, n: u32) {
    let home = {
        let Some(sit) = cx.state().situation(side) else { return };
        let Some(from) = sit.own.piece_hex(&Piece::Vedette(n)) else { return };
        sit.nearest_force(from)
    };
    flow::vedette_off(cx, side, n, home);
}

/// ¶243 A repulse that fails in a Forced March costs the mover one SP.
fn pay_for_failure(cx: &mut Cx<'_, Campaigns>, m: &Marcher, leader: &LeaderId) {
    let side = m.side.clone();
    let Some(own) = cx.state().pieces(&side) else { return };
    let units: Vec<_> = own.units_of(&own.force(leader)).into_iter().map(|(id, _)| id.clone()).collect();
    let shares = losses::spread(&cx.state().board, own, &units, 1, None);
    flow::lose(cx, &side, shares, Cause::Repulse);
    stack::retire_idle(cx, &side);
}

//! The Combat Phase from designation to the last round (¶65, 298-314, 406).

use super::battle::{Battle, Ended, Party};
use super::clause::{Clause, wish};
use super::control::Command;
use super::event::Partly;
use super::question::{Answer, Prompt, What};
use super::regroup::open;
use super::resolve::{Act, Next};
use super::told::{Open, Shift};
use super::{
    ask_prompts, battle, control, counter, designate, field, fire, forage, get, guns, hexes_held, losses, morale,
    order, plans, regroup, resolve, shift, siege, types,
};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Ground;
use crate::rules::Play;
use crate::rules::campaigns::board::{Arm, LeaderId};
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::pieces::{Piece, Pieces, Place};
use crate::rules::campaigns::sequence::VictoryReason;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::Weather;
use crate::rules::campaigns::{Campaigns, flow, retreat, victory};
use crate::rules::cx::Cx;
use std::collections::BTreeSet;

/// Takes a plan or a designation: its clauses join those that stand for the hex. Of an attack and its refusal the later
/// one holds (¶235, 302).
pub fn plan(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &plans::Order) {
    let plans = if cx.since("decline") {
        order::taken(&cx.view(side), order)
    } else {
        let stand = |hex| cx.state().pieces(side).and_then(|p| p.plans.get(hex)).cloned().unwrap_or_default();
        order.plans.iter().map(|(hex, clauses)| (*hex, [stand(hex), clauses.clone()].concat())).collect()
    };
    for (hex, clauses) in plans {
        cx.emit(flow::told::Own::Plan { hex, clauses }.of(side).into());
    }
}

/// ¶65, 233 Whether any counter of the phasing side stands so that it must or may attack. Face-down counters count as
/// what they may be, so that the answer tells nobody what they are.
pub fn must_or_may(s: &State, phasing: &SideId) -> bool {
    let (Some(own), Some(foe), Some(sit)) = (s.pieces(phasing), s.pieces(&s.enemy(phasing)), s.situation(phasing))
    else {
        return false;
    };
    let mut foes = foe.occupied();
    foes.extend(foe.armies().filter_map(|army| army.source));
    // ¶63: in the Combat Phase of one army those of the other do not count.
    let army = s.phase.army.as_ref().filter(|army| s.board.army(phasing, Some(army)).is_some());
    let force = |h: Hex| match army {
        None => own.occupied_by_force(h),
        Some(_) => own.leaders_at(h).into_iter().any(|l| !own.unemployed(l) && own.of_phase(&s.board, army, l)),
    };
    let acts = |h: &Hex| force(*h) || !own.vedettes_at(*h).is_empty();
    own.occupied().iter().filter(|h| acts(h)).any(|a| foes.iter().any(|b| field::can_fight(&sit, *a, *b)))
}

/// ¶302-313 Forms the battles of the phase from the sheet and the defaults.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn begin(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    let mut attacks = designate::attacks(&cx.view(side));
    siege::decide(cx, side, &mut attacks)?;
    let s = cx.state();
    let first = s.battles.iter().filter(|b| b.turn == s.turn).map(|b| b.no).max().unwrap_or(0) + 1;
    let battles: Vec<Battle> = (first..).zip(attacks).map(|(no, attack)| form(s, side, no, attack)).collect();
    cx.emit(Partly::Designated { by: side.clone(), battles }.into());
    Ok(())
}

/// One battle as designated: all enemy counters in the hexes defend together (¶313).
fn form(s: &State, side: &SideId, no: u32, attack: designate::Attack) -> Battle {
    let foe = s.enemy(side);
    let none = Pieces::none(side);
    let (own, other) = (s.pieces(side).unwrap_or(&none), s.pieces(&foe).unwrap_or(&none));
    let from: BTreeSet<Hex> = attack.pieces.iter().filter_map(|p| own.piece_hex(p)).collect();
    let pieces: Vec<Piece> = attack.hexes.iter().flat_map(|h| other.counters_at(*h)).collect();
    let defenders: Vec<LeaderId> =
        attack.hexes.iter().flat_map(|h| other.leaders_at(*h)).filter(|l| !other.unemployed(l)).cloned().collect();
    let failed = &s.phase.repulse_failed;
    let repulsed = |(leader, hexes): (&LeaderId, &BTreeSet<Hex>)| {
        let ours = attack.pieces.iter().any(|p| matches!(p, Piece::Leader(id) if own.force(id).contains(leader)));
        ours && attack.hexes.iter().any(|h| hexes.contains(h))
    };
    Battle {
        no,
        turn: s.turn,
        from: from.into_iter().collect(),
        attack: Party::new(side, attack.lead, attack.pieces.clone()),
        defend: Party::new(&foe, counter::lead(s, &foe, &defenders), pieces),
        round: 0,
        refused: 0,
        after_repulse: failed.iter().any(repulsed),
        half: battle::Half::default(),
        edge: None,
        ended: None,
        guard_lost: false,
        guard_counted: false,
        hexes: attack.hexes,
    }
}

/// ¶300, 406 One round of all battles; whether another one follows. Every battle of the phase plays the round before any
/// plays the next, which holds for those within eight hexes of each other too.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn round(cx: &mut Cx<'_, Campaigns>, side: &SideId, n: u32) -> Play<bool> {
    for no in open(cx.state(), side) {
        cx.emit(Partly::Round { no, round: n }.into());
        if n == 1 {
            meet(cx, no);
        }
    }
    if n == 1 {
        withdraw(cx, side)?;
    }
    for no in open(cx.state(), side) {
        vacated(cx, no);
    }
    between(cx, side, n)?;
    reserves(cx, side, n)?;
    markers(cx, side)?;
    for no in open(cx.state(), side) {
        if vacated(cx, no) {
            continue;
        }
        let before = emperor(cx.state());
        fight(cx, no)?;
        if fell(cx, before, no)? {
            return Ok(false);
        }
    }
    flow::settle_faces(cx);
    Ok(!open(cx.state(), side).is_empty())
}

/// ¶281, 301-302, 324, 339: what changes before a later round. Reserves and forces are placed first, then those come who
/// march to the guns, then foragers concentrate.
fn between(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, n: u32) -> Play<()> {
    for no in open(cx.state(), phasing) {
        if n > 1 && declines(cx, no) {
            resolve::close(cx, no, Ended::Contact)?;
        }
    }
    regroup::regroup(cx, phasing, n)?;
    shift::shift(cx, phasing, n);
    let still = open(cx.state(), phasing);
    guns::march(cx, phasing, &still, n)?;
    forage::concentrate(cx, phasing, n)
}

/// ¶401, 404: whether the phasing side declines to attack again where nothing obliges it to.
fn declines(cx: &Cx<'_, Campaigns>, no: u32) -> bool {
    let s = cx.state();
    let Some(b) = get(s, no) else { return false };
    let (side, foe) = (&b.attack.side, &b.defend.side);
    let view = cx.view(side);
    let own = view.battles.iter().find(|v| v.no == no);
    let wished = own.and_then(|v| wish(&view, v, |c| (*c == Clause::Decline).then_some(())));
    wished == Some(Some(())) && counter::free(s, side, &hexes_held(s, no, side), &hexes_held(s, no, foe))
}

/// Where Napoleon is in play, on the map or off it.
pub fn emperor(s: &State) -> Option<Place> {
    let emperors = s.sides.values().flat_map(|p| &p.leaders).filter(|(id, _)| losses::napoleon(id));
    emperors.map(|(_, l)| l.place).find(|place| matches!(place, Place::At(_) | Place::Off(_)))
}

/// ¶396: what it brings that Napoleon was in play before and is captured now, in a battle or, of number 0, outside of one.
/// Whoever captured him goes on first. Gives whether the game is over.
pub fn fell(cx: &mut Cx<'_, Campaigns>, before: Option<Place>, no: u32) -> Play<bool> {
    match before {
        Some(place) if emperor(cx.state()).is_none() => taken(cx, no, &place),
        Some(_) | None => Ok(false),
    }
}

/// ¶396: the Coalition ends the game or shifts morale by two. Gives whether the game is over.
fn taken(cx: &mut Cx<'_, Campaigns>, no: u32, place: &Place) -> Play<bool> {
    let french = cx.state().board.sides.iter().find(|s| s.french).map(|s| s.id.clone());
    let Some(coalition) = french.map(|f| cx.state().enemy(&f)) else { return Ok(false) };
    let ends = super::ask(cx, no, vec![(coalition.clone(), What::Napoleon)])?.first() == Some(&Answer::Yes(true));
    if ends {
        victory::over(cx, Some(coalition), VictoryReason::Napoleon);
        return Ok(true);
    }
    let leader = LeaderId("napoleon".to_owned());
    let stood = if let Place::At(hex) = place { *hex } else { Hex::new(1, 1) };
    let hex = get(cx.state(), no).map_or(stood, Battle::name);
    morale::shift(cx, (no, hex), Shift::Captured(leader), -2)?;
    Ok(false)
}

/// ¶300 steps 1-3a: leaders are shown, strengths stated to the nearest ten.
fn meet(cx: &mut Cx<'_, Campaigns>, no: u32) {
    let Some(b) = get(cx.state(), no) else { return };
    let foggy = fog(cx.state(), b);
    let parties = [b.attack.clone(), b.defend.clone()];
    for party in &parties {
        for piece in &party.pieces {
            // In fog a French vedette may be given out as a force, so it is not turned up before step 6.
            let veiled = foggy && party.side == parties[1].side && matches!(piece, Piece::Vedette(_));
            if !veiled {
                flow::show(cx, &party.side, piece.clone());
            }
        }
    }
    cx.emit(Partly::Met { no }.into());
    let s = cx.state();
    let sp = |party: &Party, hexes: &[Hex], defends: bool| {
        s.pieces(&party.side).map_or(0, |own| party.sp(own, hexes, defends))
    };
    let Some(b) = get(s, no) else { return };
    let attack = battle::stated(sp(&b.attack, &b.from, false));
    let mut defend = battle::stated(sp(&b.defend, &b.hexes, true));
    if foggy {
        let view = cx.view(&b.defend.side);
        let own = view.battles.iter().find(|v| v.no == no);
        let wished = own.and_then(|v| wish(&view, v, |c| if let Clause::Fog(n) = c { Some(*n) } else { None }));
        defend = wished.flatten().unwrap_or(defend);
    }
    cx.emit(Open::Stated { no, attack, defend }.into());
}

/// ¶300 step 3a, 1805: whether the French defender may state what he likes: in fog, out of hills and mountains.
fn fog(s: &State, b: &Battle) -> bool {
    let french = s.board.side(&b.defend.side).is_some_and(|s| s.french);
    let low = |h: &Hex| !matches!(s.board.map.ground.get(h), Some(Ground::Hill | Ground::Mountain));
    s.board.policies.fog && s.weather.has(Weather::Fog) && french && b.hexes.iter().all(low)
}

/// ¶231, 314: vedettes alone in their hex, and cavalry of one SP, may leave by one or two hexes: first those of the side
/// that is not on move, then the other's.
fn withdraw(cx: &mut Cx<'_, Campaigns>, phasing: &SideId) -> Play<()> {
    let foe = cx.state().enemy(phasing);
    for side in [foe, phasing.clone()] {
        let mut prompts = Vec::new();
        let mut who = Vec::new();
        for no in open(cx.state(), phasing) {
            let Some(b) = get(cx.state(), no) else { continue };
            let hex = b.name();
            for piece in light(cx.state(), b, &side) {
                prompts.push((side.clone(), Prompt { no, hex, what: What::Leave(piece.clone()) }));
                who.push(piece);
            }
        }
        let answers = ask_prompts(cx, prompts)?;
        for (piece, answer) in who.into_iter().zip(answers) {
            if let Answer::Leave(hexes @ 1..) = answer {
                leave(cx, &side, &piece, hexes);
            }
        }
    }
    Ok(())
}

/// Counters of a side in a battle that may leave before combat.
fn light(s: &State, b: &Battle, side: &SideId) -> Vec<Piece> {
    let Some(own) = s.pieces(side) else { return Vec::new() };
    let alone = |piece: &&Piece| {
        let Some(hex) = own.piece_hex(piece) else { return false };
        match piece {
            Piece::Vedette(_) => own.sp_at(hex) == 0 && battle::source_garrison(own, hex) == 0,
            Piece::Leader(id) => own.sp_at(hex) == 1 && own.sp(id) == 1 && own.sp_of(&s.board, id, Arm::Cavalry) == 1,
            Piece::Garrison(_) => false,
        }
    };
    b.party(side).pieces.iter().filter(alone).cloned().collect()
}

fn leave(cx: &mut Cx<'_, Campaigns>, side: &SideId, piece: &Piece, hexes: i32) {
    let Some(from) = cx.state().pieces(side).and_then(|p| p.piece_hex(piece)) else { return };
    let who = std::slice::from_ref(piece);
    if let Some(way) = retreat::ways(cx.state(), side, who, from, hexes).into_iter().next() {
        retreat::march(cx, side, who, &way.path, Why::Withdrew);
        if way.exit {
            retreat::leave_map(cx, side, who);
        }
    }
}

/// Ends a battle in which one side stands no longer; gives whether it did.
fn vacated(cx: &mut Cx<'_, Campaigns>, no: u32) -> bool {
    let s = cx.state();
    let Some(b) = get(s, no) else { return true };
    let Some(sit) = s.situation(&b.attack.side) else { return true };
    let (from, into) = (hexes_held(s, no, &b.attack.side), hexes_held(s, no, &b.defend.side));
    let touch = from.iter().any(|a| into.iter().any(|d| field::can_fight(&sit, *a, *d)));
    if touch {
        return false;
    }
    let how = if b.round <= 1 && into.is_empty() && !moved_out(s, b) { Ended::Nothing } else { Ended::Vacated };
    cx.emit(Open::Ended { no, how }.into());
    true
}

/// Whether some counter of the defender has left its hex.
fn moved_out(s: &State, b: &Battle) -> bool {
    let Some(own) = s.pieces(&b.defend.side) else { return false };
    b.defend.pieces.iter().any(|p| own.piece_hex(p).is_none_or(|h| !b.hexes.contains(&h)))
}

/// ¶317, 322: in the first round units go into reserve, in later ones they come out; both sides secretly.
fn reserves(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, n: u32) -> Play<()> {
    if !cx.state().board.policies.reserves {
        return Ok(());
    }
    let mut prompts = Vec::new();
    let mut who = Vec::new();
    for (no, side, hex) in seats(cx.state(), phasing) {
        let Some(b) = get(cx.state(), no) else { continue };
        if n > 1 && b.party(&side).reserve.is_empty() {
            continue;
        }
        let what = if n == 1 { What::Reserve } else { What::Commit };
        prompts.push((side.clone(), Prompt { no, hex, what }));
        who.push((no, side));
    }
    for ((no, side), answer) in who.into_iter().zip(ask_prompts(cx, prompts)?) {
        let Answer::Units(units) = answer else { continue };
        if units.is_empty() {
            continue;
        }
        cx.emit(
            if n == 1 { Partly::Reserved { no, side, units } } else { Partly::Committed { no, side, units } }.into(),
        );
    }
    Ok(())
}

/// Every side of every open battle.
fn seats(s: &State, phasing: &SideId) -> Vec<(u32, SideId, Hex)> {
    let mut found = Vec::new();
    for no in open(s, phasing) {
        if let Some(b) = get(s, no) {
            found.push((no, b.attack.side.clone(), b.name()));
            found.push((no, b.defend.side.clone(), b.name()));
        }
    }
    found
}

/// ¶298, 399, 405: both sides lay their markers, secretly and all at once, before any die.
fn markers(cx: &mut Cx<'_, Campaigns>, phasing: &SideId) -> Play<()> {
    let mut prompts = Vec::new();
    let mut who = Vec::new();
    let mut laid = Vec::new();
    for (no, side, hex) in seats(cx.state(), phasing) {
        let view = cx.view(&side);
        let legal = view.battles.iter().find(|b| b.no == no).map(|b| types::legal(&view, b)).unwrap_or_default();
        if let [only] = legal.as_slice() {
            laid.push((no, side, *only));
            continue;
        }
        prompts.push((side.clone(), Prompt { no, hex, what: What::Type }));
        who.push((no, side));
    }
    for ((no, side), answer) in who.into_iter().zip(ask_prompts(cx, prompts)?) {
        if let Answer::Marker(marker) = answer {
            laid.push((no, side, marker));
        }
    }
    laid.sort();
    for (no, side, marker) in laid {
        cx.emit(Partly::Marked { no, side, marker }.into());
    }
    Ok(())
}

/// ¶300, 399 One round of one battle: fire, attack, counterattack.
fn fight(cx: &mut Cx<'_, Campaigns>, no: u32) -> Play<()> {
    let Some(b) = get(cx.state(), no) else { return Ok(()) };
    let (phasing, foe) = (b.attack.side.clone(), b.defend.side.clone());
    let everyone: Vec<(SideId, Piece)> = b.defend.pieces.iter().map(|p| (foe.clone(), p.clone())).collect();
    for (side, piece) in everyone {
        if cx.state().pieces(&side).is_some_and(|p| p.piece_hex(&piece).is_some()) {
            flow::show(cx, &side, piece);
        }
    }
    cx.emit(Partly::Fight { no }.into());
    let forward = fire::forward(cx, no)?;
    if fire::bombard(cx, no, &forward)? {
        resolve::close(cx, no, Ended::Destroyed)?;
        return Ok(());
    }
    if get(cx.state(), no).is_some_and(|b| b.round > 1) {
        match control::control(cx, no, &phasing)? {
            Command::Attack => {}
            Command::Stay => return strike_back(cx, no, &forward),
            Command::Over => return Ok(()),
        }
    }
    let act = Act {
        no,
        by: phasing.clone(),
        from: hexes_held(cx.state(), no, &phasing),
        into: hexes_held(cx.state(), no, &foe),
        counter: false,
        with: None,
        part: false,
        forward: forward.clone(),
    };
    if resolve::half(cx, &act)? != Next::On || vacated(cx, no) {
        return Ok(());
    }
    strike_back(cx, no, &forward)
}

/// ¶401, 409: the counterattack, after the die for control where that is in play.
fn strike_back(cx: &mut Cx<'_, Campaigns>, no: u32, forward: &fire::Forward) -> Play<()> {
    let Some(foe) = get(cx.state(), no).map(|b| b.defend.side.clone()) else { return Ok(()) };
    match control::control(cx, no, &foe)? {
        Command::Attack => {}
        Command::Stay | Command::Over => return Ok(()),
    }
    if counter::counter(cx, no, forward)? == Next::On {
        vacated(cx, no);
    }
    Ok(())
}

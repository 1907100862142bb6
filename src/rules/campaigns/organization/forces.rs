//! Forces made and joined in the command phase (¶119-123, 137-140): DETACH, ATTACH, RAISE, RETIRE; leaders that return
//! (¶43).

use super::event::Partly;
use super::order::Order;
use super::span::{assigned, carrier, legal};
use super::tracks::{unit_name, unit_word};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::flow::event::Partly as Flow;
use crate::rules::campaigns::march::told::Own as March;
use crate::rules::campaigns::pieces::{Leader, Pieces, Place};
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;

type Read = super::super::Order;

/// DETACH, ATTACH, RAISE, RETIRE.
pub fn verbs() -> Vec<Verb<View, Read>> {
    vec![
        Verb {
            word: "DETACH",
            usage: "leader",
            rule: "¶140",
            examples: |v| v.own.leaders.keys().filter_map(|l| detach_line(v, l)).take(1).collect(),
            read: |v, args| Ok(Read::Organization(read_detach(v, args)?)),
        },
        Verb {
            word: "ATTACH",
            usage: "leader TO leader [LEAD leader]",
            rule: "¶37-39, 138",
            examples: |v| attach_examples(v).into_iter().take(1).collect(),
            read: |v, args| Ok(Read::Organization(read_attach(v, args)?)),
        },
        Verb {
            word: "RAISE",
            usage: "leader [AT hex] WITH unit {unit} [UNDER leader]",
            rule: "¶119-120",
            examples: |v| raise_examples(v).into_iter().take(1).collect(),
            read: |v, args| Ok(Read::Organization(read_raise(v, args)?)),
        },
        Verb {
            word: "RETIRE",
            usage: "leader INTO leader",
            rule: "¶121",
            examples: |v| retire_examples(v).into_iter().take(1).collect(),
            read: |v, args| Ok(Read::Organization(read_retire(v, args)?)),
        },
    ]
}

fn read_detach(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let leader = words::leader(v, args)?;
    if v.own.leaders.get(&leader).is_none_or(|l| l.under.is_none()) {
        return Err(Fault::refused(format!("{} is under nobody", words::name(v, &leader)), "¶140"));
    }
    Ok(Order::Detach { leader })
}

fn read_attach(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let leader = words::force(v, args)?;
    args.key("TO");
    let to = words::force(v, args)?;
    let chief = if args.key("LEAD") { words::force(v, args)? } else { to.clone() };
    let (under, above) = match (chief == to, chief == leader) {
        (true, _) => (leader, to),
        (false, true) => (to, leader),
        (false, false) => {
            let him = words::name(v, &chief);
            return Err(Fault::refused(format!("{him} is neither of the two leaders"), "¶140"));
        }
    };
    may_attach(v, &under, &above)?;
    Ok(Order::Attach { leader: under, to: above })
}

/// ¶37-39, 137 Whether a force may go under a leader in its hex.
fn may_attach(v: &View, leader: &LeaderId, to: &LeaderId) -> Result<(), Fault> {
    if leader == to || v.own.hex(leader) != v.own.hex(to) {
        let (him, his) = (words::name(v, leader), words::name(v, to));
        return Err(Fault::refused(format!("{him} and {his} are not two forces in one hex"), "¶140"));
    }
    let mut trial = v.own.clone();
    for member in v.own.force(leader) {
        if let Some(l) = trial.leaders.get_mut(&member) {
            l.under = Some(to.clone());
        }
    }
    legal(&v.board, &trial, to)
}

/// ¶119, 126 Whether a leader counter may be raised: a Major General in the box, or a replacement leader of no schedule.
pub fn available(v: &View, id: &LeaderId) -> bool {
    let Some(leader) = v.own.leaders.get(id) else { return false };
    let general = v.board.leaders.get(id).is_some_and(|s| s.major_general.is_some());
    let to_come = v.board.reinforcements.iter().any(|r| r.leader == *id) && !v.own.army.arrived.contains(id);
    match leader.place {
        Place::At(_) | Place::Off(_) => false,
        // ¶112, 421: a leader whom the scenario does not name is not in it.
        Place::Waiting => !to_come && (general || v.board.names(id)),
        // ¶414: from the month that the dice have named.
        Place::Bound(from) => from.is_some_and(|from| from <= v.turn),
        // ¶43: an unnamed Major General goes back to his box.
        Place::Gone(_) => general,
    }
}

fn raisable(v: &View) -> Vec<(String, LeaderId)> {
    let mut names = words::all_leaders(v);
    names.retain(|(_, id)| available(v, id));
    let mut short = Vec::new();
    for (name, id) in &names {
        if let Some(rest) = name.strip_prefix("Major General ") {
            short.push((format!("MG {rest}"), id.clone()));
            short.push((format!("MG {}", rest.replace("Infantry", "INF").replace("Cavalry", "CAV")), id.clone()));
        }
    }
    names.extend(short);
    names
}

/// Names of own leaders who can take a March Regiment: in play, or to be raised.
pub fn commanders(v: &View) -> Vec<(String, LeaderId)> {
    let mut names = words::own_leaders(v);
    names.extend(raisable(v));
    names
}

fn read_raise(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    super::order::in_step(v, 3)?;
    args.key("REPL");
    let mut names = raisable(v);
    // ¶414: who is free in a later month is named too, so that he is told.
    let later = |id: &LeaderId| v.own.leaders.get(id).is_some_and(|l| matches!(l.place, Place::Bound(_)));
    names.extend(words::all_leaders(v).into_iter().filter(|(_, id)| later(id) && !available(v, id)));
    let leader = args.name("a Major General or replacement leader who is not in play", &names)?;
    free(v, &leader)?;
    let at = if args.key("AT") { Some(words::hex(v, args)?) } else { None };
    if args.key("FROM") {
        return Err(Fault::Refused {
            why: "a March Regiment is named with its general: REGIMENT".to_owned(),
            rule: "¶115, 122".to_owned(),
            copy: Some(format!("REGIMENT 1 FROM POOL 1 UNDER {}", words::order_name(v, &leader))),
        });
    }
    args.key("WITH");
    let mut units = vec![words::unit(v, args)?];
    while args.peek().is_some_and(|w| w.fold != "under") {
        units.push(words::unit(v, args)?);
    }
    let under = if args.key("UNDER") { Some(words::force(v, args)?) } else { None };
    let hex = may_raise(v, &leader, &units, under.as_ref())?;
    if at.is_some_and(|a| a != hex) {
        return Err(Fault::refused(
            format!("{} is in {hex}", unit_name(v, units.first().unwrap_or(&UnitId(String::new())))),
            "¶120",
        ));
    }
    Ok(Order::Raise { leader, hex, units, under })
}

/// ¶414 Whether the month has come from which on a leader who has surrendered is free.
fn free(v: &View, leader: &LeaderId) -> Result<(), Fault> {
    let him = words::name(v, leader);
    let month = |turn: &u32| v.board.special.months.get(turn).cloned().unwrap_or_default();
    match v.own.leaders.get(leader).map(|l| l.place) {
        Some(Place::Bound(Some(turn))) if turn > v.turn => {
            Err(Fault::refused(format!("{him} is free in {}, from turn {turn} on", month(&turn)), "¶414"))
        }
        Some(Place::Bound(None)) => Err(Fault::refused(format!("{him} is not free again in this campaign"), "¶414")),
        Some(_) | None => Ok(()),
    }
}

/// ¶35-36, 120 Whether a leader may be raised to command some units; the hex where they are.
fn may_raise(v: &View, leader: &LeaderId, units: &[UnitId], under: Option<&LeaderId>) -> Result<Hex, Fault> {
    let mut trial = v.own.clone();
    let mut hexes = Vec::new();
    let mut givers = Vec::new();
    for unit in units {
        let from = carrier(&v.own, unit);
        let hex = from.as_ref().and_then(|l| v.own.hex(l));
        let Some((from, hex)) = from.zip(hex) else {
            return Err(Fault::refused(format!("{} is on no leader's track", unit_name(v, unit)), "¶120"));
        };
        hexes.push(hex);
        givers.push(from);
        trial = assigned(&v.board, &trial, unit, leader);
    }
    hexes.dedup();
    let [hex] = hexes.as_slice() else {
        return Err(Fault::refused("the units are not in one hex", "¶120"));
    };
    if under.is_some_and(|u| v.own.hex(u) != Some(*hex)) {
        return Err(Fault::refused("the force leader is in another hex", "¶120"));
    }
    if let Some(l) = trial.leaders.get_mut(leader) {
        l.place = Place::At(*hex);
        l.under = under.cloned();
    }
    legal(&v.board, &trial, leader)?;
    for giver in givers {
        legal(&v.board, &trial, &giver)?;
    }
    Ok(*hex)
}

fn read_retire(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    super::order::in_step(v, 3)?;
    let leader = words::leader(v, args)?;
    args.key("INTO");
    let into = words::leader(v, args)?;
    may_retire(v, &leader, &into)?;
    Ok(Order::Retire { leader, into })
}

/// ¶119, 121 Whether a leader may be retired, and another one in the hex take his units.
fn may_retire(v: &View, leader: &LeaderId, into: &LeaderId) -> Result<(), Fault> {
    let him = words::name(v, leader);
    let general = v.board.leaders.get(leader).is_some_and(|s| s.major_general.is_some());
    if !general && !v.board.replacement_leaders.contains(leader) {
        return Err(Fault::refused(format!("{him} is neither a Major General nor a replacement leader"), "¶119"));
    }
    if leader == into || v.own.hex(leader) != v.own.hex(into) {
        return Err(Fault::refused(format!("{} is not in the same hex", words::name(v, into)), "¶121"));
    }
    if v.own.force(leader).len() > 1 {
        return Err(Fault::refused(format!("{him} has subordinates; DETACH them first"), "¶121"));
    }
    let mut trial = v.own.clone();
    for (unit, _) in v.own.units_of(std::slice::from_ref(leader)) {
        trial = assigned(&v.board, &trial, unit, into);
    }
    trial.leaders.remove(leader);
    legal(&v.board, &trial, into)
}

/// ¶37 Puts a force under a leader.
pub fn attach(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, to: &LeaderId) {
    cx.emit(Partly::Attached { leader: leader.clone(), to: to.clone() }.of(side).into());
}

/// ¶120 Activates a leader with his units; those who gave them leave the map if they are Major Generals without troops.
pub fn raise(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    leader: &LeaderId,
    hex: Hex,
    units: &[UnitId],
    under: Option<&LeaderId>,
) {
    let forage = cx.state().pieces(side).is_some_and(|p| {
        let givers = units.iter().filter_map(|u| carrier(p, u));
        givers.filter_map(|l| p.leaders.get(&l)).any(|l| l.forage)
    });
    cx.emit(Partly::Raised { leader: leader.clone(), hex, under: under.cloned() }.of(side).into());
    forages(cx, side, leader, forage);
    for unit in units {
        super::tracks::assign(cx, side, unit, leader);
    }
}

/// ¶115, 120 Activates a leader in a hex, if he is not in play.
pub fn take_field(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, hex: Hex, forage: bool) {
    if cx.state().pieces(side).is_some_and(|p| p.hex(leader).is_some()) {
        return;
    }
    cx.emit(Partly::Raised { leader: leader.clone(), hex, under: None }.of(side).into());
    forages(cx, side, leader, forage);
}

/// ¶278 A mode is changed on the march alone, so a leader raised over foragers is in their mode.
fn forages(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, forage: bool) {
    if forage {
        cx.emit(March::Mode { leader: leader.clone(), forage }.of(side).into());
    }
}

/// ¶121 A leader's units go to another's track, and he leaves the map.
pub fn retire(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, into: &LeaderId) {
    let Some(pieces) = cx.state().pieces(side) else { return };
    let units: Vec<UnitId> =
        pieces.units_of(std::slice::from_ref(leader)).into_iter().map(|(id, _)| id.clone()).collect();
    for unit in units {
        super::tracks::assign(cx, side, &unit, into);
    }
    // A replacement leader could stay without troops (¶123); his owner has said otherwise.
    let state = cx.state();
    let stays = state.pieces(side).is_some_and(|p| p.hex(leader).is_some());
    if stays && state.board.replacement_leaders.contains(leader) {
        cx.emit(Partly::Retired { leader: leader.clone() }.of(side).into());
    }
}

/// ¶41, 121, 123 A Major General without troops leaves the map at once.
pub fn retire_empty(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId) {
    let state = cx.state();
    let spec = state.board.leaders.get(leader);
    let general = spec.is_some_and(|s| s.major_general.is_some());
    let empty = |p: &Pieces| p.hex(leader).is_some() && p.units_of(&p.force(leader)).is_empty();
    if general && state.pieces(side).is_some_and(empty) {
        cx.emit(Partly::Retired { leader: leader.clone() }.of(side).into());
    }
}

/// ¶164 Lifts a leader off. His units go to his force leader, to a subordinate, or to the first spare leader who can
/// command them; his owner may have seen to it in the Organization Segment. Without anybody he stays until somebody can.
pub fn withdraw(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId) {
    let view = cx.view(side);
    let Some(hex) = view.own.hex(leader) else { return };
    let units: Vec<UnitId> =
        view.own.units_of(std::slice::from_ref(leader)).into_iter().map(|(id, _)| id.clone()).collect();
    let under: Vec<LeaderId> = view.own.force(leader).into_iter().skip(1).collect();
    let above = view.own.leaders.get(leader).and_then(|l| l.under.clone());
    // A general of the units' own arm comes first.
    let arm = units.first().and_then(|u| view.board.units.get(u)).map(|u| u.arm);
    let other = |l: &LeaderId| view.board.leaders.get(l).is_some_and(|s| s.major_general != arm);
    let mut spare: Vec<LeaderId> = view.own.leaders.keys().filter(|l| available(&view, l)).cloned().collect();
    spare.sort_by_key(|l| (other(l), l.clone()));
    let heirs: Vec<LeaderId> = above.iter().cloned().chain(under.iter().cloned()).chain(spare).collect();
    let fits = |heir: &LeaderId| {
        let mut trial = view.own.clone();
        for unit in &units {
            trial = assigned(&view.board, &trial, unit, heir);
        }
        trial.leaders.remove(leader);
        if let Some(l) = trial.leaders.get_mut(heir) {
            l.place = Place::At(hex);
        }
        for l in trial.leaders.values_mut().filter(|l| l.under.as_ref() == Some(leader)) {
            l.under = None;
        }
        legal(&view.board, &trial, heir).is_ok()
    };
    let heir = heirs.into_iter().find(|heir| fits(heir));
    if !units.is_empty() && heir.is_none() {
        return;
    }
    for member in &under {
        cx.emit(Partly::Detached { leader: member.clone() }.of(side).into());
    }
    if let (Some(heir), false) = (heir, units.is_empty()) {
        let forage = view.own.leaders.get(leader).is_some_and(|l| l.forage);
        take_field(cx, side, &heir, hex, forage);
        for unit in &units {
            super::tracks::assign(cx, side, unit, &heir);
        }
    }
    if cx.state().pieces(side).is_some_and(|p| p.hex(leader).is_some()) {
        let (side, leader) = (side.clone(), leader.clone());
        cx.emit(Flow::LeaderGone { side, leader, until: None, demoted: false }.into());
    }
}

/// ¶43 Eliminated leaders return after a whole turn out of play, at the Center of Operations, where the army's staff is;
/// without one, at the supply source. Who would come among the enemy there goes to the other of the two, or waits.
pub fn leaders_back(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let turn = cx.state().turn;
    let enemy = cx.state().pieces(&cx.state().enemy(side)).map(Pieces::occupied).unwrap_or_default();
    let Some(pieces) = cx.state().pieces(side) else { return };
    let back = |l: &Leader| matches!(l.place, Place::Gone(Some(until)) if until <= turn);
    let due: Vec<LeaderId> = pieces.leaders.iter().filter(|(_, l)| back(l)).map(|(id, _)| id.clone()).collect();
    for leader in due {
        let Some(own) = cx.state().pieces(side) else { return };
        let his = own.at_desk_of(&cx.state().board, &leader);
        let home = [his.army.center, his.army.source].into_iter().flatten().find(|hex| !enemy.contains(hex));
        let Some(hex) = home else { continue };
        cx.emit(Partly::Returned { leader, hex }.of(side).into());
    }
}

fn detach_line(v: &View, leader: &LeaderId) -> Option<String> {
    v.own.leaders.get(leader)?.under.as_ref()?;
    v.own.hex(leader)?;
    Some(format!("DETACH {}", words::order_name(v, leader)))
}

fn attach_examples(v: &View) -> Vec<String> {
    let forces: Vec<LeaderId> = v.own.on_map().map(|(id, _)| id.clone()).collect();
    let pairs = forces.iter().flat_map(|a| forces.iter().map(move |b| (a, b)));
    let legal = pairs.filter(|(a, b)| may_attach(v, a, b).is_ok());
    legal.map(|(a, b)| format!("ATTACH {} TO {}", words::order_name(v, a), words::order_name(v, b))).collect()
}

fn raise_examples(v: &View) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, _) in v.own.leaders.iter().filter(|(id, _)| available(v, id)) {
        for unit in v.own.units.keys() {
            let alone = carrier(&v.own, unit).is_some_and(|l| v.own.units_of(std::slice::from_ref(&l)).len() == 1);
            if let (false, Ok(hex)) = (alone, may_raise(v, id, std::slice::from_ref(unit), None)) {
                let (him, it) = (words::order_name(v, id), unit_word(v, unit));
                lines.push(format!("RAISE {him} AT {hex} WITH {it}"));
                break;
            }
        }
    }
    lines
}

fn retire_examples(v: &View) -> Vec<String> {
    let in_play: Vec<&LeaderId> = v.own.leaders.keys().filter(|l| v.own.hex(l).is_some()).collect();
    let pairs = in_play.iter().flat_map(|a| in_play.iter().map(move |b| (*a, *b)));
    let legal = pairs.filter(|(a, b)| may_retire(v, a, b).is_ok());
    legal.map(|(a, b)| format!("RETIRE {} INTO {}", words::order_name(v, a), words::order_name(v, b))).collect()
}

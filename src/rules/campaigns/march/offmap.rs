//! ¶219-221 Marches off the map: a force leaves at the end of its march and comes back after some turns.

use super::column::Column;
use super::event::Partly;
use super::order::{ForceOrder, How};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::map::Road;
use crate::orders::{Args, Fault};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::flow::event::Partly as Flow;
use crate::rules::campaigns::pieces::Abroad;
use crate::rules::campaigns::ruleset::failed;
use crate::rules::campaigns::situation::{Situation, StepCost};
use crate::rules::campaigns::special::OffMap;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;

/// ¶219-220 Whether a side's forces may leave the map in a hex, by its own rule.
fn door(sit: &Situation<'_>, rule: &OffMap, hex: Hex) -> bool {
    if rule.between.is_empty() {
        return sit.board.map.at_edge(hex) && sit.board.map.on_road(hex);
    }
    rule.between.contains_key(&hex)
}

/// ¶219-220 Whether a force may go off the map at the end of its march.
///
/// # Errors
/// Refused, with the paragraph.
pub fn allowed(v: &View, order: &ForceOrder, from: Hex) -> Result<(), Fault> {
    if !order.off_map {
        return Ok(());
    }
    let refused = |why: &str, rule: &str| Err(Fault::refused(why, rule));
    let Some(rule) = v.board.special.off_map.get(&v.own.side) else {
        return refused("no force of yours marches off the map in this game", "¶218");
    };
    if matches!(order.how, How::Forced | How::Plotted) || !order.with.is_empty() {
        return refused("one force in one hex goes off the map, in its Movement Phase", "¶219");
    }
    let end = order.path.last().copied().unwrap_or(from);
    if !door(&v.situation(), rule, end) {
        let why = match rule.between.is_empty() {
            true => format!("{end} is no edge hex with a road"),
            false => format!("{end} is no source between which forces march off the map"),
        };
        return refused(&why, if rule.between.is_empty() { "¶219" } else { "¶220" });
    }
    Ok(())
}

/// ¶219-220 What CHECK says of going off the map.
pub fn check(v: &View, order: &ForceOrder) -> Option<String> {
    let rule = v.board.special.off_map.get(&v.own.side).filter(|_| order.off_map)?;
    let half = v.board.tables.terrain.road_mp(Road::Primary);
    let end = order.path.last().copied().or(v.own.hex(&order.leader))?;
    let at = rule.between.get(&end).map_or_else(String::new, |hex| format!(" at {hex}"));
    let turn = v.turn + rule.turns;
    Some(format!("off the map    {half} MP, and back{at} from turn {turn} on [¶219-220]"))
}

/// Whether attrition is rolled for a force that leaves without a step on the map (¶219).
pub fn rolls(cx: &Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder) -> bool {
    order.off_map && cx.state().board.special.off_map.get(side).is_some_and(|rule| rule.between.is_empty())
}

/// ¶219-220 Takes a force off the map where it has come to the hex of its order and has half an MP left.
pub fn leave(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder, column: &Column, from: Hex) {
    if !order.off_map {
        return;
    }
    let s = cx.state();
    let Some(rule) = s.board.special.off_map.get(side).cloned() else { return };
    let Some(hex) = s.pieces(side).and_then(|own| own.hex(&order.leader)) else { return };
    let half = s.board.tables.terrain.road_mp(Road::Primary);
    let turn = s.turn + rule.turns;
    if order.path.last().copied().unwrap_or(from) != hex {
        cx.outcome(failed("the force did not come to the edge of the map, and stays on it", "¶219"));
        return;
    }
    if !column.can_pay(StepCost { foot: half, horse: half }) {
        cx.outcome(failed(&format!("going off the map takes {half} MP, and none are left"), "¶219-220"));
        return;
    }
    let (side, leader) = (side.clone(), order.leader.clone());
    cx.emit(Flow::LeftMap { side: side.clone(), leader: leader.clone(), hex }.into());
    let to = rule.between.get(&hex).copied();
    cx.emit(Partly::OffMap { side, leader, exit: hex, turn, to }.into());
}

/// ¶219-220 Hexes at which a force off the map may come back now, as far as its side knows; the first is where it does of
/// itself. Enemy zones do not hinder.
pub fn doors(sit: &Situation<'_>, abroad: &Abroad) -> Vec<Hex> {
    let clear = |hex: &Hex| !sit.enemy.contains_key(hex);
    if let Some(to) = abroad.to {
        return vec![to].into_iter().filter(clear).collect();
    }
    let Some(rule) = sit.board.special.off_map.get(&sit.own.side) else { return Vec::new() };
    let (map, exit) = (&sit.board.map, abroad.exit);
    let edge = |hex: Hex| [Dir::N, Dir::S].into_iter().any(|dir| !map.contains(hex.neighbour(dir)));
    let along = |hex: Hex| if rule.east { hex.col >= exit.col } else { hex.col <= exit.col };
    let within =
        |hex: &Hex| edge(*hex) && along(*hex) && hex.distance(exit) <= rule.within && sit.board.map.on_road(*hex);
    let mut hexes: Vec<Hex> = map.ground.keys().copied().filter(within).filter(clear).collect();
    hexes.sort_by_key(|hex| (std::cmp::Reverse(hex.distance(exit)), *hex));
    hexes
}

/// ¶221 Reads what follows `OFFMAP`: `leader BACK`.
///
/// # Errors
/// The fault of the line.
pub fn read_back(v: &View, args: &mut Args<'_>) -> Result<LeaderId, Fault> {
    let leader = args.name("one of your leaders off the map", &words::all_leaders(v))?;
    args.one_of("BACK", &["BACK"])?;
    let him = words::name(v, &leader);
    let Some(abroad) = v.own.army.abroad.get(&leader) else {
        return Err(Fault::refused(format!("{him} is not marching off the map"), "¶221"));
    };
    match v.board.special.off_map.get(&v.own.side).and_then(|rule| rule.back) {
        None => Err(Fault::refused("a force off the map does not turn back in this game", "¶221")),
        Some(_) if abroad.to == Some(abroad.exit) => {
            Err(Fault::refused(format!("{him} is on his way back already"), "¶221"))
        }
        Some(_) => Ok(leader),
    }
}

/// OFFMAP lines that would be taken now.
pub fn examples(v: &View) -> Vec<String> {
    let back = v.board.special.off_map.get(&v.own.side).is_some_and(|rule| rule.back.is_some());
    let away = v.own.army.abroad.iter().filter(|(_, a)| back && a.to != Some(a.exit));
    away.map(|(leader, _)| format!("OFFMAP {} BACK", words::order_name(v, leader))).collect()
}

/// ¶221 A force turns back: it comes to its exit after as many turns as it has been away, and the delay of the orders.
pub fn turn_back(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId) {
    let s = cx.state();
    let Some(abroad) = s.pieces(side).and_then(|own| own.army.abroad.get(leader)) else { return };
    let delay = s.board.special.off_map.get(side).and_then(|rule| rule.back).unwrap_or(0);
    let (exit, turn) = (abroad.exit, s.turn + s.turn.saturating_sub(abroad.since) + delay);
    cx.emit(Partly::OffMapBack { side: side.clone(), leader: leader.clone(), exit, turn }.into());
}

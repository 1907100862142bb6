//! The Center of Operations leaves the map by choice, and comes back (¶106-107, 184).

use super::event::Partly;
use super::order::Center;
use super::told::Open;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::view::View;
use crate::rules::cx::Cx;

/// Carries out a CENTER order of the command phase, which was checked against the view.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Center) -> Play<()> {
    match order {
        Center::Disband => {
            disband(cx, side);
            Ok(())
        }
        Center::Return(hex) => place(cx, side, *hex),
    }
}

/// ¶106 The center goes three turns ahead on the track, and may return at the source or at a depot of its line.
fn disband(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let state = cx.state();
    let table = &state.board.tables.communications;
    let (ap, turn) = (table.disband_center_ap, state.turn + table.disband_turns);
    let hexes = state.situation(side).map(|t| return_hexes(&t)).unwrap_or_default();
    cx.emit(Partly::CenterDisbanded { side: side.clone(), ap, turn, hexes }.into());
}

/// ¶106 The source, and the depots between the center's hex and the source on the line.
fn return_hexes(situation: &Situation<'_>) -> Vec<Hex> {
    let army = &situation.own.army;
    let mut hexes: Vec<Hex> = army.source.into_iter().collect();
    if let Some(loc) = &army.loc {
        hexes.extend(loc.path.iter().copied().filter(|h| situation.depot_terrain(*h)));
    }
    hexes.sort();
    hexes.dedup();
    hexes
}

fn place(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) -> Play<()> {
    cx.emit(Open::CenterPlaced { side: side.clone(), hex }.into());
    let block = super::block(cx, side)?;
    super::line::trace(cx, side, block);
    Ok(())
}

/// Hexes at which a center off the map may return now: after disbanding where its line lay (¶106), after a flight off the
/// map at any source that is clear of enemy zones (¶184).
fn open_to(v: &View) -> Vec<Hex> {
    let army = &v.own.army;
    let hexes = match &army.center_returns {
        Some((turn, _)) if v.turn < *turn => Vec::new(),
        Some((_, hexes)) if !hexes.is_empty() => hexes.clone(),
        Some(_) | None => v.board.sources(&v.own).to_vec(),
    };
    let situation = v.situation();
    hexes.into_iter().filter(|h| !situation.enemy.contains_key(h) && situation.line_may_pass(*h)).collect()
}

/// ¶106, 184 (D-16) A center that may return does, nearest to the army.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn by_default(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    let view = cx.view(side);
    if view.own.army.center.is_some() {
        return Ok(());
    }
    let army: Vec<Hex> = view.own.on_map().filter(|(l, _)| !view.own.unemployed(l)).map(|(_, h)| h).collect();
    let mut hexes = open_to(&view);
    hexes.sort_by_key(|h| (army.iter().map(|a| a.distance(*h)).min().unwrap_or(0), *h));
    match hexes.first() {
        Some(hex) => place(cx, side, *hex),
        None => Ok(()),
    }
}

/// Checks a CENTER order of the command phase against what its side knows.
pub fn check(v: &View, order: &Center) -> Result<(), Fault> {
    let army = &v.own.army;
    match order {
        Center::Disband if v.board.exceptions.administration.sources_are_centers => {
            Err(Fault::refused("your centers are never disbanded", "¶106"))
        }
        Center::Disband if army.anchor.is_some() => {
            Err(Fault::refused("the place that is this army's center is never disbanded", "¶92"))
        }
        Center::Disband if army.center.is_none() => {
            Err(Fault::refused("your Center of Operations is not on the map", "¶106"))
        }
        Center::Disband if army.ap < v.board.tables.communications.disband_center_ap => {
            Err(Fault::refused("disbanding the Center of Operations costs 1 AP, and you have none", "¶106"))
        }
        Center::Disband => Ok(()),
        Center::Return(_) if army.center.is_some() => {
            Err(Fault::refused("your Center of Operations is on the map", "¶106"))
        }
        Center::Return(hex) => {
            let open = open_to(v);
            if open.contains(hex) {
                return Ok(());
            }
            let why = match (&army.center_returns, open.first()) {
                (Some((turn, _)), _) if v.turn < *turn => format!("the center returns on turn {turn}"),
                (_, Some(_)) => format!("the center cannot return at {hex}"),
                (_, None) => "every hex where the center may return is under enemy control".to_owned(),
            };
            let copy = open.first().map(|h| format!("CENTER RETURN AT {h}"));
            Err(Fault::Refused { why, rule: "¶106".to_owned(), copy })
        }
    }
}

/// CENTER lines that would be taken now.
pub fn examples(v: &View) -> Vec<String> {
    if v.own.army.center.is_some() {
        return Vec::new();
    }
    open_to(v).first().map(|h| format!("CENTER RETURN AT {h}")).into_iter().collect()
}

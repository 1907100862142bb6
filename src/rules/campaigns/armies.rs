//! Several armies of one side, each with its own center, sources, points and commands (¶84, 93-94, 98, 151, 173).
//!
//! A side of one army has no names here and is as it always was. Of several, one is *at the desk*: its administration is
//! [`Pieces::army`], which is what the rules read, and the others wait in [`Pieces::others`]. Whoever deals with another
//! army turns to it first: the rules by an event, what reads orders by [`turned`], on a copy of the view.

use super::Campaigns;
use super::admin::event::Quiet;
use super::board::{ArmyId, ArmySpec, Board, LeaderId, SideSpec, UnitId};
use super::pieces::{Army, Pieces, Track};
use super::state::State;
use super::view::View;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::cx::Cx;
use std::borrow::Cow;

impl SideSpec {
    /// One of the side's armies by its key.
    pub fn army_spec(&self, army: &ArmyId) -> Option<&ArmySpec> {
        self.armies.iter().find(|a| a.id == *army)
    }
}

impl Board {
    /// One of a side's armies as printed; `None` where it has one only.
    pub fn army(&self, side: &SideId, army: Option<&ArmyId>) -> Option<&ArmySpec> {
        self.side(side)?.army_spec(army?)
    }

    /// ¶84 Hexes that may be the source of the army at the desk.
    pub fn sources(&self, own: &Pieces) -> &[Hex] {
        match self.army(&own.side, own.army.name.as_ref()) {
            Some(army) => &army.sources,
            None => self.side(&own.side).map(|s| s.sources.as_slice()).unwrap_or_default(),
        }
    }

    /// ¶86 Dispatch distance of the army at the desk in MP.
    pub fn dispatch_mp(&self, own: &Pieces) -> i32 {
        let of_army = own.army.name.as_ref().and_then(|army| self.policies.dispatch_of.get(&SideId(army.0.clone())));
        of_army.copied().unwrap_or_else(|| self.policies.dispatch_mp(&own.side))
    }
}

impl Army {
    /// ¶93 What is each army's own goes from one record to the other; what belongs to the side stays.
    fn exchange(&mut self, other: &mut Army) {
        std::mem::swap(&mut self.name, &mut other.name);
        std::mem::swap(&mut self.ap, &mut other.ap);
        std::mem::swap(&mut self.source, &mut other.source);
        std::mem::swap(&mut self.source_moving, &mut other.source_moving);
        std::mem::swap(&mut self.source_garrison, &mut other.source_garrison);
        std::mem::swap(&mut self.source_since, &mut other.source_since);
        std::mem::swap(&mut self.center, &mut other.center);
        std::mem::swap(&mut self.center_moved, &mut other.center_moved);
        std::mem::swap(&mut self.center_returns, &mut other.center_returns);
        std::mem::swap(&mut self.flight, &mut other.flight);
        std::mem::swap(&mut self.loc, &mut other.loc);
        std::mem::swap(&mut self.anchor, &mut other.anchor);
        std::mem::swap(&mut self.via, &mut other.via);
    }
}

impl Pieces {
    /// Turns to an army of the side; nothing where it is at the desk already, or there is no such army.
    pub fn turn_to(&mut self, army: &ArmyId) {
        let Some(mut other) = self.others.remove(army) else { return };
        self.army.exchange(&mut other);
        if let Some(name) = other.name.clone() {
            self.others.insert(name, other);
        }
    }

    /// Every army of the side, the one at the desk first.
    pub fn armies(&self) -> impl Iterator<Item = &Army> {
        std::iter::once(&*self.army).chain(self.others.values())
    }

    /// An army by its key.
    pub fn army_named(&self, army: &ArmyId) -> Option<&Army> {
        self.armies().find(|a| a.name.as_ref() == Some(army))
    }

    /// ¶77 The SP of the garrison, where some army's active source is in a hex.
    pub fn source_at(&self, hex: Hex) -> Option<i32> {
        self.armies().find(|a| a.source == Some(hex)).map(|a| a.source_garrison)
    }

    /// The army whose active source is in a hex, to be changed; of a side with one army that one, wherever its source is.
    pub fn army_at_source(&mut self, hex: Hex) -> Option<&mut Army> {
        if self.others.is_empty() || self.army.source == Some(hex) {
            return Some(&mut self.army);
        }
        self.others.values_mut().find(|a| a.source == Some(hex))
    }

    /// The pieces as they are at the desk of a leader's army.
    pub fn at_desk_of<'p>(&'p self, board: &Board, leader: &LeaderId) -> Cow<'p, Pieces> {
        match self.army_of(board, leader).filter(|army| self.army.name.as_ref() != Some(army)) {
            None => Cow::Borrowed(self),
            Some(army) => {
                let mut turned = self.clone();
                turned.turn_to(&army);
                Cow::Owned(turned)
            }
        }
    }

    /// ¶155, 173 The army that a leader belongs to; `None` where the side has one only.
    pub fn army_of(&self, board: &Board, leader: &LeaderId) -> Option<ArmyId> {
        if let Some(given) = self.assigned.get(leader) {
            return Some(given.clone());
        }
        let armies = &board.side(&self.side)?.armies;
        let named = armies.iter().find(|a| a.leaders.contains(leader));
        named.or(armies.first()).map(|a| a.id.clone())
    }

    /// ¶173 The army of the leader on whose track a unit stands.
    pub fn army_of_unit(&self, board: &Board, unit: &UnitId) -> Option<ArmyId> {
        match &self.units.get(unit)?.track {
            Track::Of(leader) => self.army_of(board, leader),
            Track::Garrison(_) | Track::Waiting => None,
        }
    }

    /// ¶173 The first leader in a force who is of another army than its force leader.
    pub fn stranger(&self, board: &Board, leader: &LeaderId) -> Option<LeaderId> {
        let army = self.army_of(board, leader);
        self.force(leader).into_iter().find(|l| self.army_of(board, l) != army)
    }

    /// Whether a force is of the army whose phase it is; where armies have no phases of their own every one is.
    pub fn of_phase(&self, board: &Board, army: Option<&ArmyId>, leader: &LeaderId) -> bool {
        army.is_none() || self.army_of(board, leader).as_ref() == army
    }
}

/// Keys of a side's armies, in the scenario's order; nothing where it has one only.
pub fn of_side(s: &State, side: &SideId) -> Vec<ArmyId> {
    s.board.side(side).map(|spec| spec.armies.iter().map(|a| a.id.clone()).collect()).unwrap_or_default()
}

/// Turns to an army, does something, and turns back.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn with<T>(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    army: &ArmyId,
    work: impl FnOnce(&mut Cx<'_, Campaigns>) -> Play<T>,
) -> Play<T> {
    let before = cx.state().pieces(side).and_then(|p| p.army.name.clone());
    let Some(before) = before.filter(|b| b != army) else { return work(cx) };
    cx.emit(Quiet::Desk { side: side.clone(), army: army.clone() }.into());
    let done = work(cx)?;
    cx.emit(Quiet::Desk { side: side.clone(), army: before }.into());
    Ok(done)
}

/// As [`with`], where nothing can stop the work; without an army, as things stand.
pub fn of_army<T>(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    army: Option<&ArmyId>,
    work: impl FnOnce(&mut Cx<'_, Campaigns>) -> T,
) -> T {
    let before = cx.state().pieces(side).and_then(|p| p.army.name.clone());
    let Some((before, army)) = before.zip(army.cloned()).filter(|(b, a)| b != a) else { return work(cx) };
    cx.emit(Quiet::Desk { side: side.clone(), army }.into());
    let done = work(cx);
    cx.emit(Quiet::Desk { side: side.clone(), army: before }.into());
    done
}

/// Does something for each army of a side in turn; once, where it has one only.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn each(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    mut work: impl FnMut(&mut Cx<'_, Campaigns>) -> Play<()>,
) -> Play<()> {
    let armies = of_side(cx.state(), side);
    if armies.is_empty() {
        return work(cx);
    }
    for army in armies {
        with(cx, side, &army, &mut work)?;
    }
    Ok(())
}

/// A view at the desk of another army.
pub fn at_desk(v: &View, army: &ArmyId) -> View {
    let mut turned = v.clone();
    turned.own.turn_to(army);
    let log = turned.phase.desks.get(army).copied().unwrap_or_default();
    (turned.phase.center_moved, turned.phase.center_from) = log;
    turned
}

/// The phases of a side's armies as far as it has the armies that a title names: who comes after whom.
pub fn next<'a>(s: &State, side: &SideId, phases: &'a [ArmyId], after: Option<&ArmyId>) -> Option<&'a ArmyId> {
    let armies = of_side(s, side);
    let mut phases = phases.iter().filter(|a| armies.contains(a));
    match after {
        None => phases.next(),
        Some(after) => phases.skip_while(|a| *a != after).nth(1),
    }
}

//! Events of III.b Combat (¶298-410).

use super::battle::{Battle, Half, Marker, Party};
use super::told::{Compared, Glimpse, Open, Own, Pursuit, Resolved, Shift, Sighting};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::flow::told::{Cause, Who};
use crate::rules::campaigns::intel::Intel;
use crate::rules::campaigns::pieces::{Piece, Track};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::telling::{self, Of};
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// An event of this chapter.
pub type Event = telling::Event<Open, Own, Partly, Quiet>;

/// What each side sees otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Partly {
    /// The battles of the phase are formed (¶302-313).
    Designated { by: SideId, battles: Vec<Battle> },
    /// A battle enters a round; markers are taken back (¶405).
    Round { no: u32, round: u32 },
    /// Leaders have been shown (¶300 steps 1, 2).
    Met { no: u32 },
    /// The round of a battle is fought.
    Fight { no: u32 },
    /// Units go into reserve (¶317).
    Reserved { no: u32, side: SideId, units: Vec<UnitId> },
    /// Units come out of reserve (¶322).
    Committed { no: u32, side: SideId, units: Vec<UnitId> },
    /// A marker is laid face down (¶298).
    Marked { no: u32, side: SideId, marker: Marker },
    /// Who has twice the cavalry of the other, where it counts (¶300 step 4, 340).
    Edge { no: u32, side: Option<SideId> },
    /// Guns fire (¶347).
    Fired { no: u32, side: SideId, guns: i32, die: i32, modified: i32, hits: i32 },
    /// The Old Guard is committed (¶363).
    Staked { no: u32, side: SideId },
    /// A side loses strength; by unit, for even losses (¶145).
    Took { no: u32, side: SideId, units: Vec<(UnitId, i32)>, sp: i32, cause: Cause },
    /// A subordinate leader takes his own place on the map (¶141, 387).
    Detached { side: SideId, leader: LeaderId },
    /// Morale moves (¶411).
    Morale { why: Shift, by: i32 },
    /// The marker of one side moves on its own track (¶5, 411).
    Track { why: Shift, of: SideId, by: i32 },
    /// A force joins a battle (¶339).
    Joined { no: u32, side: SideId, piece: Piece },
    /// A battle is formed anew before a later round (¶301-302, 324).
    Formed {
        no: u32,
        hexes: Vec<Hex>,
        from: Vec<Hex>,
        attack: Vec<Piece>,
        attack_lead: Option<LeaderId>,
        defend: Vec<Piece>,
        defend_lead: Option<LeaderId>,
    },
    /// An order to form an attack anew could not be carried out (¶301).
    Unformed { no: u32, side: SideId },
    /// A reserve tries to move one hex; without a die where entry is prohibited (¶324).
    Shifted { no: u32, side: SideId, leader: LeaderId, to: Hex, die: Option<i32>, moves: bool },
    /// Foragers under attack try to concentrate (¶281).
    Concentrated { no: u32, side: SideId, leader: LeaderId, die: i32, ok: bool },
}

/// What nobody is told. Of the Guard the shift of morale tells, at the end of the phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Quiet {
    /// A committed Guard failed to win its half round (¶397).
    GuardLost { no: u32 },
    /// The Guard's defeat has moved morale, once a turn (¶397).
    GuardCounted,
    /// Forces that did not force their march, with where they stood when the Combat Phase began (¶338).
    Mustered { forces: Vec<(LeaderId, Hex)> },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Open(what) => open(s, what),
        Event::Own(of) => own(s, of),
        Event::Partly(what) => partly(s, what),
        Event::Quiet(Quiet::GuardLost { no }) => with(s, *no, |b| b.guard_lost = true),
        Event::Quiet(Quiet::GuardCounted) => {
            s.battles.iter_mut().filter(|b| b.guard_lost).for_each(|b| b.guard_counted = true);
        }
        Event::Quiet(Quiet::Mustered { forces }) => s.phase.started = forces.iter().cloned().collect(),
    }
}

/// What lies open.
fn open(s: &mut State, what: &Open) {
    match what {
        Open::Overridden { .. } | Open::Destroyed { .. } | Open::Escape { .. } => {}
        Open::Critical { .. } | Open::Control { .. } => {}
        Open::Stated { no, attack, defend } => with(s, *no, |b| {
            b.attack.stated = Some(*attack);
            b.defend.stated = Some(*defend);
        }),
        Open::Odds(Compared { no, counter, attack, defend, .. }) => with(s, *no, |b| {
            let (attacker, defender) = (Some(*attack), Some(*defend));
            b.half = Half { counter: *counter, attacker, defender, loser: None, pursuit: None };
        }),
        Open::Result(Resolved { no, loser, loser_number, winner_number, .. }) => {
            with(s, *no, |b| b.resolved(loser, *loser_number, *winner_number));
        }
        Open::Refused { no, side } => with(s, *no, |b| {
            b.refused += 1;
            b.half.loser = Some(side.clone());
        }),
        Open::Showed { no, side, marker: _, counts } => with(s, *no, |b| b.party_mut(side).show(*counts)),
        Open::Retreated { no, side, blocked, .. } => with(s, *no, |b| b.party_mut(side).blocked = *blocked),
        Open::Pursued(Pursuit { no, length, .. }) => with(s, *no, |b| b.half.pursuit = Some(*length)),
        Open::Siege { hex, begins } => siege(s, *hex, *begins),
        Open::Surrendered { hex, .. } => siege(s, *hex, false),
        Open::SourceLost { side, hex, left } => {
            if let Some(army) = s.pieces_mut(side).and_then(|p| p.army_at_source(*hex)) {
                army.source_garrison = *left;
                army.source = army.source.filter(|_| *left > 0);
            }
        }
        Open::Ground { no, hexes, from } => with(s, *no, |b| {
            b.hexes.clone_from(hexes);
            b.from.clone_from(from);
        }),
        Open::Ended { no, how } => with(s, *no, |b| b.ended = Some(*how)),
    }
}

/// ¶308, 310, 413 A citadel is besieged from here on, or is not.
fn siege(s: &mut State, hex: Hex, begins: bool) {
    if begins {
        s.sieges.insert(hex);
    } else {
        s.sieges.remove(&hex);
    }
}

/// What its side alone knows.
fn own(s: &mut State, of: &Of<Own>) {
    match &of.what {
        Own::GunsLeft { unit, leader } => {
            if let Some(u) = s.pieces_mut(&of.side).and_then(|p| p.units.get_mut(unit)) {
                u.track = Track::Of(leader.clone());
            }
        }
        Own::Guns { .. } => {}
    }
}

/// What each side sees otherwise.
fn partly(s: &mut State, what: &Partly) {
    match what {
        Partly::Met { .. } | Partly::Fight { .. } | Partly::Fired { .. } | Partly::Staked { .. } => {}
        Partly::Unformed { .. } | Partly::Shifted { .. } | Partly::Concentrated { .. } => {}
        Partly::Designated { by: _, battles } => {
            let turn = s.turn;
            s.battles.retain(|b| b.turn == turn);
            s.battles.extend(battles.iter().cloned());
        }
        Partly::Round { no, round } => with(s, *no, |b| b.enter(*round)),
        Partly::Reserved { no, side, units } => {
            with(s, *no, |b| b.party_mut(side).reserve.extend(units.iter().cloned()));
        }
        Partly::Committed { no, side, units } => with(s, *no, |b| b.party_mut(side).release(units)),
        Partly::Marked { no, side, marker } => with(s, *no, |b| b.party_mut(side).mark(*marker)),
        Partly::Edge { no, side } => with(s, *no, |b| b.edge.clone_from(side)),
        Partly::Took { no, side, units, sp, cause: _ } => with(s, *no, |b| b.party_mut(side).suffer(units, *sp)),
        Partly::Detached { side, leader } => detached(s, side, leader),
        Partly::Morale { why, by } => {
            s.morale = s.board.tables.morale.moved(s.morale, *by);
            credit(s, why);
        }
        Partly::Track { why, of, by } => {
            let level = s.board.tables.morale.moved(s.morale_of(of), *by);
            s.tracks.insert(of.clone(), level);
            credit(s, why);
        }
        Partly::Joined { no, side, piece } => with(s, *no, |b| b.party_mut(side).pieces.push(piece.clone())),
        Partly::Formed { no, hexes, from, attack, attack_lead, defend, defend_lead } => with(s, *no, |b| {
            b.hexes.clone_from(hexes);
            b.from.clone_from(from);
            b.attack.pieces.clone_from(attack);
            b.attack.lead.clone_from(attack_lead);
            b.defend.pieces.clone_from(defend);
            b.defend.lead.clone_from(defend_lead);
        }),
    }
}

/// ¶141, 387 A leader takes his own place: a counter of the battle that his force leader fights in.
fn detached(s: &mut State, side: &SideId, leader: &LeaderId) {
    let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(leader)) else { return };
    let Some(chief) = l.under.take().map(Piece::Leader) else { return };
    let ours = s.battles.iter_mut().map(|b| b.party_mut(side)).filter(|p| p.side == *side);
    for party in ours.filter(|p| p.pieces.contains(&chief)) {
        party.pieces.push(Piece::Leader(leader.clone()));
    }
}

/// ¶415 A political feature has counted for who holds it.
fn credit(s: &mut State, why: &Shift) {
    if let Shift::Feature(hex) = why
        && let Some(side) = s.control.get(hex).cloned()
    {
        s.credited.insert(*hex, side);
    }
}

fn with(s: &mut State, no: u32, change: impl FnOnce(&mut Battle)) {
    if let Some(battle) = s.battles.iter_mut().find(|b| b.no == no) {
        change(battle);
    }
}

/// What a side is told.
pub fn sight(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    e.told_to(to, |what| seen_by((before, after), what, mind, to))
}

/// What a side sees of what each sees otherwise.
fn seen_by((before, after): (&State, &State), what: &Partly, mind: &Intel, to: &SideId) -> Option<Glimpse> {
    let own = |side: &SideId, told: Glimpse| (side == to).then_some(told);
    let battle = |no: u32| after.battles.iter().find(|b| b.no == no);
    let hex_of = |no: u32| battle(no).map_or(Hex::new(1, 1), Battle::name);
    let all =
        |p: &Party| -> Vec<Who> { p.pieces.iter().filter_map(|piece| who(after, mind, &p.side, piece, to)).collect() };
    let parties = |no: u32| {
        let (a, d) = battle(no).map(|b| (&b.attack, &b.defend))?;
        Some((all(a), a.lead.clone(), all(d), d.lead.clone()))
    };
    Some(match what.clone() {
        Partly::Designated { by, battles } => {
            let battles = battles.into_iter().map(|b| (b.no, b.hexes, b.from)).collect();
            Glimpse::Designated { battles, by }
        }
        Partly::Round { no, round } => Glimpse::Round { no, hex: hex_of(no), round },
        Partly::Met { no } => {
            let (attack, attack_lead, defend, defend_lead) = parties(no)?;
            Glimpse::Met { no, attack, attack_lead, defend, defend_lead }
        }
        Partly::Fight { no } => Glimpse::Fight { no, hex: hex_of(no), round: battle(no).map_or(1, |b| b.round) },
        Partly::Reserved { no, side, units } => own(&side, Glimpse::Reserved { no, units })?,
        Partly::Committed { no, side, units } => own(&side, Glimpse::Committed { no, units })?,
        Partly::Marked { no, side, marker } => own(&side, Glimpse::Marked { no, marker })?,
        Partly::Edge { no, side } => Glimpse::Edge { no, side: side? },
        Partly::Fired { no, side, guns, die, modified, hits } => {
            let own = own(&side, Glimpse::OwnFire { no, guns, die, modified, hits });
            own.unwrap_or(Glimpse::FoeFire { no, die, hits })
        }
        Partly::Staked { no, side: _ } => Glimpse::Staked { no },
        Partly::Took { no, side, units: _, sp, cause } => Glimpse::Took { no, side, sp, cause },
        Partly::Detached { side, leader } => {
            let hex = before.pieces(&side)?.hex(&leader)?;
            let who = if side == *to { Who::Own(Piece::Leader(leader)) } else { Who::Foe(mind.next_tag()) };
            Glimpse::Detached { who, hex }
        }
        Partly::Morale { why, by } => Glimpse::Morale { why, by, now: after.morale },
        Partly::Track { why, of, by } => Glimpse::Track { why, by, now: after.morale_of(&of), of },
        Partly::Joined { no, side, piece } => Glimpse::Joined { no, who: who(before, mind, &side, &piece, to)? },
        Partly::Formed { no, hexes, from, .. } => {
            let (attack, attack_lead, defend, defend_lead) = parties(no)?;
            Glimpse::Formed { no, hexes, from, attack, attack_lead, defend, defend_lead }
        }
        Partly::Unformed { no, side } => own(&side, Glimpse::Unformed { no })?,
        Partly::Shifted { no, side, leader, to: hex, die, moves } => {
            own(&side, Glimpse::Shifted { no, leader, to: hex, die, moves })?
        }
        Partly::Concentrated { no, side, leader, die, ok } => {
            own(&side, Glimpse::Concentrated { no, leader, die, ok })?
        }
    })
}

/// A counter as a side knows it; `None` where it stands nowhere or is not known.
fn who(s: &State, mind: &Intel, side: &SideId, piece: &Piece, to: &SideId) -> Option<Who> {
    if side == to {
        return Some(Who::Own(piece.clone()));
    }
    let hex = s.pieces(side)?.piece_hex(piece)?;
    Some(Who::Foe(mind.tag_of(piece, hex)?))
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    if let Sighting::Partly(Glimpse::Detached { who: Who::Foe(tag), hex }) = told {
        mind.appeared(*tag, *hex, None, None);
    }
}

//! Events of this chapter. III.b Combat (¶298-410).

use super::battle::{Battle, Ended, Half, Marker};
use super::field::Factor;
use super::told::{Shift, Sighting};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Halves, LeaderId, UnitId};
use crate::rules::campaigns::flow::told::{Cause, Who};
use crate::rules::campaigns::intel::Intel;
use crate::rules::campaigns::pieces::{Piece, Track};
use crate::rules::campaigns::state::State;
use serde::{Deserialize, Serialize};

/// An event of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The battles of the phase are formed (¶302-313).
    Designated { by: SideId, battles: Vec<Battle> },
    /// A battle enters a round; markers are taken back (¶405).
    Round { no: u32, round: u32 },
    /// Leaders have been shown (¶300 steps 1, 2).
    Met { no: u32 },
    /// The round of a battle is fought.
    Fight { no: u32 },
    /// Strengths are stated (¶300 step 3a).
    Stated { no: u32, attack: i32, defend: i32 },
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
    /// Exact strengths (¶300 step 6).
    Odds {
        no: u32,
        counter: bool,
        by: SideId,
        attack: Halves,
        defend: Halves,
        odds: String,
        shift: i32,
        affecting: bool,
        factor: Factor,
    },
    /// The Old Guard is committed (¶363).
    Staked { no: u32, side: SideId },
    /// The result of a half round (¶300 step 7).
    Result {
        no: u32,
        counter: bool,
        by: SideId,
        die: i32,
        bonus: i32,
        modified: i32,
        text: String,
        loser: SideId,
        loser_number: i32,
        winner_number: i32,
    },
    /// A side does not attack (¶332).
    Refused { no: u32, side: SideId },
    /// The loser shows his marker (¶300 step 7).
    Showed { no: u32, side: SideId, marker: Marker, counts: bool },
    /// The defender takes his number as a retreat (¶400).
    Overridden { no: u32 },
    /// A committed Guard failed to win its half round (¶397).
    GuardLost { no: u32 },
    /// The Guard's defeat has moved morale, once a turn (¶397).
    GuardCounted,
    /// A side loses strength; by unit, for even losses (¶145).
    Took { no: u32, side: SideId, units: Vec<(UnitId, i32)>, sp: i32, cause: Cause },
    /// A force retreats (¶369).
    Retreated { no: u32, side: SideId, ordered: i32, path: Vec<Hex>, blocked: bool, doubled: bool },
    /// A pursuit (¶380).
    Pursued {
        no: u32,
        side: SideId,
        lead: LeaderId,
        retreat: i32,
        die: i32,
        modified: i32,
        length: i32,
        hexes: i32,
        loss: i32,
    },
    /// A force is eliminated.
    Destroyed { no: u32, side: SideId, hex: Hex },
    /// A leader without troops tries to escape (¶43).
    Escape { side: SideId, leader: LeaderId, hex: Hex, die: Option<i32>, escaped: bool },
    /// A subordinate leader takes his own place on the map (¶141, 387).
    Detached { side: SideId, leader: LeaderId },
    /// Guns are handed to a leader who stays (¶386).
    GunsLeft { side: SideId, unit: UnitId, leader: LeaderId },
    /// The die for a critical battle (¶395).
    Critical { no: u32, loser: SideId, lost: i32, winner_lost: i32, die: Option<i32>, critical: bool },
    /// Morale moves (¶411).
    Morale { why: Shift, by: i32 },
    /// The marker of one side moves on its own track (¶5, 411).
    Track { why: Shift, of: SideId, by: i32 },
    /// A siege begins or ends (¶308, 310).
    Siege { hex: Hex, begins: bool },
    /// A citadel surrenders (¶413).
    Surrendered { hex: Hex, side: SideId, sp: i32 },
    /// The garrison of an active source loses strength; at nothing the source is captured (¶78).
    SourceLost { side: SideId, hex: Hex, left: i32 },
    /// A force joins a battle (¶339).
    Joined { no: u32, side: SideId, piece: Piece },
    /// Forces that did not force their march, with where they stood when the Combat Phase began (¶338).
    Mustered { forces: Vec<(LeaderId, Hex)> },
    /// A march to the sound of the guns is tried (¶339).
    Guns { side: SideId, leader: LeaderId, to: Hex, die: i32, marches: bool },
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
    /// Dice for control of the battle (¶409).
    Control { no: u32, side: SideId, die: i32, modified: i32 },
    /// The battle goes on where the forces stand after a pursuit (¶394).
    Ground { no: u32, hexes: Vec<Hex>, from: Vec<Hex> },
    /// A battle ends.
    Ended { no: u32, how: Ended },
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Designated { by: _, battles } => {
            let turn = s.turn;
            s.battles.retain(|b| b.turn == turn);
            s.battles.extend(battles.iter().cloned());
        }
        Event::Round { no, round } => with(s, *no, |b| b.enter(*round)),
        Event::Met { .. } | Event::Fight { .. } | Event::Fired { .. } | Event::Staked { .. } => {}
        Event::Overridden { .. } | Event::Destroyed { .. } | Event::Escape { .. } => {}
        Event::Critical { .. } | Event::Guns { .. } | Event::Control { .. } => {}
        Event::Unformed { .. } | Event::Shifted { .. } | Event::Concentrated { .. } => {}
        Event::Formed { no, hexes, from, attack, attack_lead, defend, defend_lead } => with(s, *no, |b| {
            b.hexes.clone_from(hexes);
            b.from.clone_from(from);
            b.attack.pieces.clone_from(attack);
            b.attack.lead.clone_from(attack_lead);
            b.defend.pieces.clone_from(defend);
            b.defend.lead.clone_from(defend_lead);
        }),
        Event::Stated { no, attack, defend } => with(s, *no, |b| {
            b.attack.stated = Some(*attack);
            b.defend.stated = Some(*defend);
        }),
        Event::Reserved { no, side, units } => {
            with(s, *no, |b| b.party_mut(side).reserve.extend(units.iter().cloned()));
        }
        Event::Committed { no, side, units } => with(s, *no, |b| b.party_mut(side).release(units)),
        Event::Marked { no, side, marker } => with(s, *no, |b| b.party_mut(side).mark(*marker)),
        Event::Edge { no, side } => with(s, *no, |b| b.edge = side.clone()),
        Event::Odds { no, counter, attack, defend, .. } => with(s, *no, |b| {
            let (attacker, defender) = (Some(*attack), Some(*defend));
            b.half = Half { counter: *counter, attacker, defender, loser: None, pursuit: None };
        }),
        Event::Result { no, loser, loser_number, winner_number, .. } => {
            with(s, *no, |b| b.resolved(loser, *loser_number, *winner_number));
        }
        Event::Refused { no, side } => with(s, *no, |b| {
            b.refused += 1;
            b.half.loser = Some(side.clone());
        }),
        Event::Showed { no, side, marker: _, counts } => with(s, *no, |b| b.party_mut(side).show(*counts)),
        Event::GuardLost { no } => with(s, *no, |b| b.guard_lost = true),
        Event::GuardCounted => {
            s.battles.iter_mut().filter(|b| b.guard_lost).for_each(|b| b.guard_counted = true);
        }
        Event::Took { no, side, units, sp, cause: _ } => with(s, *no, |b| b.party_mut(side).suffer(units, *sp)),
        Event::Retreated { no, side, blocked, .. } => with(s, *no, |b| b.party_mut(side).blocked = *blocked),
        Event::Pursued { no, length, .. } => with(s, *no, |b| b.half.pursuit = Some(*length)),
        Event::Detached { side, leader } => {
            let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(leader)) else { return };
            let chief = l.under.take().map(Piece::Leader);
            // He is a counter of the battle that his force leader fights in.
            let ours = s.battles.iter_mut().map(|b| b.party_mut(side)).filter(|p| p.side == *side);
            for party in ours.filter(|p| chief.as_ref().is_some_and(|c| p.pieces.contains(c))) {
                party.pieces.push(Piece::Leader(leader.clone()));
            }
        }
        Event::GunsLeft { side, unit, leader } => {
            if let Some(u) = s.pieces_mut(side).and_then(|p| p.units.get_mut(unit)) {
                u.track = Track::Of(leader.clone());
            }
        }
        Event::Morale { why, by } => {
            s.morale = s.board.tables.morale.moved(s.morale, *by);
            credit(s, why);
        }
        Event::Track { why, of, by } => {
            let level = s.board.tables.morale.moved(s.morale_of(of), *by);
            s.tracks.insert(of.clone(), level);
            credit(s, why);
        }
        Event::Siege { hex, begins: true } => {
            s.sieges.insert(*hex);
        }
        Event::Siege { hex, begins: false } | Event::Surrendered { hex, .. } => {
            s.sieges.remove(hex);
        }
        Event::SourceLost { side, hex, left } => {
            if let Some(army) = s.pieces_mut(side).and_then(|p| p.army_at_source(*hex)) {
                army.source_garrison = *left;
                army.source = army.source.filter(|_| *left > 0);
            }
        }
        Event::Mustered { forces } => s.phase.started = forces.iter().cloned().collect(),
        Event::Joined { no, side, piece } => with(s, *no, |b| b.party_mut(side).pieces.push(piece.clone())),
        Event::Ground { no, hexes, from } => with(s, *no, |b| {
            b.hexes.clone_from(hexes);
            b.from.clone_from(from);
        }),
        Event::Ended { no, how } => with(s, *no, |b| b.ended = Some(*how)),
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
    let own = |side: &SideId| side == to;
    Some(match e.clone() {
        Event::Designated { by, battles } => {
            let battles = battles.iter().map(|b| (b.no, b.hexes.clone(), b.from.clone())).collect();
            Sighting::Designated { battles, by }
        }
        Event::Round { no, round } => Sighting::Round { no, hex: hex_of(after, no), round },
        Event::Met { no } => met(after, no, mind, to)?,
        Event::Fight { no } => Sighting::Fight { no, hex: hex_of(after, no), round: round_of(after, no) },
        Event::Stated { no, attack, defend } => Sighting::Stated { no, attack, defend },
        Event::Reserved { no, side, units } => return own(&side).then_some(Sighting::Reserved { no, units }),
        Event::Committed { no, side, units } => return own(&side).then_some(Sighting::Committed { no, units }),
        Event::Marked { no, side, marker } => return own(&side).then_some(Sighting::Marked { no, marker }),
        Event::Fired { no, side, guns, die, modified, hits } => {
            if own(&side) {
                Sighting::OwnFire { no, guns, die, modified, hits }
            } else {
                Sighting::FoeFire { no, die, hits }
            }
        }
        Event::Odds { no, counter, by, attack, defend, odds, shift, affecting, factor } => {
            Sighting::Odds { no, counter, by, attack, defend, odds, shift, affecting, factor }
        }
        Event::Staked { no, side: _ } => Sighting::Staked { no },
        Event::Result { no, counter, by, die, bonus, modified, text, loser, loser_number, winner_number } => {
            Sighting::Result { no, counter, by, die, bonus, modified, text, loser, loser_number, winner_number }
        }
        Event::Refused { no, side } => Sighting::Refused { no, side },
        Event::Showed { no, side, marker, counts } => Sighting::Showed { no, side, marker, counts },
        Event::Overridden { no } => Sighting::Overridden { no },
        // The shift of morale says it, at the end of the phase.
        Event::GuardLost { .. } | Event::GuardCounted | Event::Mustered { .. } => return None,
        Event::Took { no, side, units: _, sp, cause } => Sighting::Took { no, side, sp, cause },
        Event::Retreated { no, side, ordered, path, blocked, doubled } => {
            Sighting::Retreated { no, side, ordered, path, blocked, doubled }
        }
        Event::Pursued { no, side, lead, retreat, die, modified, length, hexes, loss } => {
            Sighting::Pursued { no, side, lead, retreat, die, modified, length, hexes, loss }
        }
        Event::Destroyed { no, side, hex } => Sighting::Destroyed { no, side, hex },
        Event::Escape { side, leader, hex, die, escaped } => Sighting::Escape { side, leader, hex, die, escaped },
        Event::Detached { side, leader } => {
            let hex = before.pieces(&side)?.hex(&leader)?;
            let who = if own(&side) { Who::Own(Piece::Leader(leader)) } else { Who::Foe(mind.next_tag()) };
            Sighting::Detached { who, hex }
        }
        Event::GunsLeft { side, unit, leader } => return own(&side).then_some(Sighting::GunsLeft { unit, leader }),
        Event::Critical { no, loser, lost, winner_lost, die, critical } => {
            Sighting::Critical { no, loser, lost, winner_lost, die, critical }
        }
        Event::Morale { why, by } => Sighting::Morale { why, by, now: after.morale },
        Event::Track { why, of, by } => Sighting::Track { why, by, now: after.morale_of(&of), of },
        Event::Siege { hex, begins } => Sighting::Siege { hex, begins },
        Event::Surrendered { hex, side, sp } => Sighting::Surrendered { hex, side, sp },
        Event::SourceLost { side, hex, left } => Sighting::SourceLost { side, hex, left },
        Event::Joined { no, side, piece } => Sighting::Joined { no, who: who(before, mind, &side, &piece, to)? },
        Event::Edge { no, side } => Sighting::Edge { no, side: side? },
        Event::Guns { side, leader, to: hex, die, marches } => {
            return own(&side).then_some(Sighting::Guns { leader, to: hex, die, marches });
        }
        Event::Formed { no, hexes, from, .. } => formed(after, no, hexes, from, mind, to)?,
        Event::Unformed { no, side } => return own(&side).then_some(Sighting::Unformed { no }),
        Event::Shifted { no, side, leader, to: hex, die, moves } => {
            return own(&side).then_some(Sighting::Shifted { no, leader, to: hex, die, moves });
        }
        Event::Concentrated { no, side, leader, die, ok } => {
            return own(&side).then_some(Sighting::Concentrated { no, leader, die, ok });
        }
        Event::Control { no, side, die, modified } => Sighting::Control { no, side, die, modified },
        Event::Ground { no, hexes, from } => Sighting::Ground { no, hexes, from },
        Event::Ended { no, how } => Sighting::Ended { no, how },
    })
}

fn who(s: &State, mind: &Intel, side: &SideId, piece: &Piece, to: &SideId) -> Option<Who> {
    if side == to {
        return Some(Who::Own(piece.clone()));
    }
    let hex = s.pieces(side)?.piece_hex(piece)?;
    Some(Who::Foe(mind.tag_of(piece, hex)?))
}

fn hex_of(s: &State, no: u32) -> Hex {
    s.battles.iter().find(|b| b.no == no).map_or(Hex::new(1, 1), Battle::name)
}

fn round_of(s: &State, no: u32) -> u32 {
    s.battles.iter().find(|b| b.no == no).map_or(1, |b| b.round)
}

fn formed(s: &State, no: u32, hexes: Vec<Hex>, from: Vec<Hex>, mind: &Intel, to: &SideId) -> Option<Sighting> {
    let Sighting::Met { no, attack, attack_lead, defend, defend_lead } = met(s, no, mind, to)? else { return None };
    Some(Sighting::Formed { no, hexes, from, attack, attack_lead, defend, defend_lead })
}

fn met(s: &State, no: u32, mind: &Intel, to: &SideId) -> Option<Sighting> {
    let battle = s.battles.iter().find(|b| b.no == no)?;
    let all = |party: &super::battle::Party| -> Vec<Who> {
        party.pieces.iter().filter_map(|p| who(s, mind, &party.side, p, to)).collect()
    };
    Some(Sighting::Met {
        no,
        attack: all(&battle.attack),
        attack_lead: battle.attack.lead.clone(),
        defend: all(&battle.defend),
        defend_lead: battle.defend.lead.clone(),
    })
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    if let Sighting::Detached { who: Who::Foe(tag), hex } = told {
        mind.appeared(*tag, *hex, None, None);
    }
}

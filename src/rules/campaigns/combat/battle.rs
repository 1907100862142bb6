//! A battle: who fights whom, what each side has chosen and lost, and what of it the other side sees (¶298-303).

use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Halves, LeaderId, UnitId};
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::tables::CrtResult;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A battle marker (¶298, 331, 335).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Marker {
    /// Trades space for time.
    Pursuit,
    /// Trades losses rather than retreat.
    Pitched,
    /// Pitched without a duty to attack.
    Refuse,
    /// Part retreat, part losses (option).
    Rearguard,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// One side retreated.
    Retreat,
    /// One side was eliminated.
    Destroyed,
    /// One side retreated before combat, or was displaced.
    Vacated,
    /// Three refused half rounds, or nobody has to attack: the forces stay in contact (¶333, 401).
    Contact,
    /// The force in the citadel let itself be besieged (¶307).
    Besieged,
    /// Nobody able to fight stood there.
    Nothing,
}

/// What one side brings to a battle, and what it has chosen and suffered. The owner sees all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// Whose.
    pub side: SideId,
    /// The force leader; `None` where only vedettes or garrisons fight.
    pub lead: Option<LeaderId>,
    /// Counters that fight.
    pub pieces: Vec<Piece>,
    /// Units in reserve (¶315).
    pub reserve: BTreeSet<UnitId>,
    /// Units that came out of the reserve in this battle (¶320, 326, 390).
    pub released: BTreeSet<UnitId>,
    /// The marker of the round, hidden until its owner first loses (¶300 step 7).
    pub marker: Option<Marker>,
    /// Whether the marker of the round has been shown.
    pub shown: bool,
    /// Rounds in which Pitched was shown (¶330).
    pub pitched: u32,
    /// Pitched and Rearguard markers chosen (¶330, Rearguard option).
    pub chosen: u32,
    /// Strength as stated, rounded to tens (¶300 step 3a).
    pub stated: Option<i32>,
    /// SP lost by unit, for even losses (¶145).
    pub taken: BTreeMap<UnitId, i32>,
    /// SP lost in all, all causes.
    pub lost: i32,
    /// The number of the last result.
    pub number: Option<i32>,
    /// Whether its path of retreat was blocked.
    pub blocked: bool,
}

/// What both sides know of the last half round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Half {
    /// Whether it is the counterattack.
    pub counter: bool,
    /// Exact strength of the side that attacks, after terrain (¶300 step 6).
    pub attacker: Option<Halves>,
    /// Exact strength of the side attacked.
    pub defender: Option<Halves>,
    /// Who lost it.
    pub loser: Option<SideId>,
    /// The length of pursuit rolled.
    pub pursuit: Option<i32>,
}

/// A battle: the truth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battle {
    /// Its number within the turn.
    pub no: u32,
    /// The turn.
    pub turn: u32,
    /// The hexes under attack; the first one names the battle.
    pub hexes: Vec<Hex>,
    /// The hexes it is attacked from.
    pub from: Vec<Hex>,
    /// The phasing side.
    pub attack: Party,
    /// The other side.
    pub defend: Party,
    /// The round; 0 before the first.
    pub round: u32,
    /// Refused half rounds in a row (¶333).
    pub refused: u32,
    /// Whether a failed repulse led to it (¶243).
    pub after_repulse: bool,
    /// What both know of the last half round.
    pub half: Half,
    /// Who has twice the cavalry of the other (¶300 step 4).
    pub edge: Option<SideId>,
    /// The end, when it has come.
    pub ended: Option<Ended>,
    /// Whether a committed Guard failed (¶397).
    pub guard_lost: bool,
    /// Whether that has moved morale.
    pub guard_counted: bool,
}

/// A battle as one side sees it. Everything of the enemy in it is what both sides have been shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BattleView {
    /// Its number within the turn.
    pub no: u32,
    /// The hexes under attack by the phasing side.
    pub hexes: Vec<Hex>,
    /// The hexes they are attacked from.
    pub from: Vec<Hex>,
    /// Whether the reader is the phasing side.
    pub attacking: bool,
    /// The round.
    pub round: u32,
    /// The reader's own part, all of it.
    pub own: Party,
    /// The enemy's strength as stated.
    pub stated: Option<i32>,
    /// The enemy's marker, once shown in this round.
    pub shown: Option<Marker>,
    /// SP that the enemy was seen to lose.
    pub enemy_lost: i32,
    /// Pitched rounds that the enemy has shown.
    pub enemy_pitched: u32,
    /// Whether a failed repulse led to it (¶243).
    pub after_repulse: bool,
    /// What both know of the last half round.
    pub half: Half,
    /// Who was seen to have twice the cavalry of the other.
    pub edge: Option<SideId>,
    /// The end, when it has come.
    pub ended: Option<Ended>,
}

impl Marker {
    /// All markers.
    pub const ALL: [Marker; 4] = [Marker::Pursuit, Marker::Pitched, Marker::Refuse, Marker::Rearguard];

    /// The word of the order language.
    pub fn word(self) -> &'static str {
        match self {
            Marker::Pursuit => "PURSUIT",
            Marker::Pitched => "PITCHED",
            Marker::Refuse => "REFUSE",
            Marker::Rearguard => "REARGUARD",
        }
    }

    /// The marker of a word.
    pub fn of(word: &str) -> Option<Marker> {
        Marker::ALL.into_iter().find(|m| m.word().eq_ignore_ascii_case(word))
    }
}

impl Party {
    /// A party before the first round.
    pub fn new(side: &SideId, lead: Option<LeaderId>, pieces: Vec<Piece>) -> Party {
        Party {
            side: side.clone(),
            lead,
            pieces,
            reserve: BTreeSet::new(),
            released: BTreeSet::new(),
            marker: None,
            shown: false,
            pitched: 0,
            chosen: 0,
            stated: None,
            taken: BTreeMap::new(),
            lost: 0,
            number: None,
            blocked: false,
        }
    }

    /// A marker is laid face down.
    pub(super) fn mark(&mut self, marker: Marker) {
        self.marker = Some(marker);
        self.chosen += u32::from(matches!(marker, Marker::Pitched | Marker::Rearguard));
    }

    /// The marker is shown.
    pub(super) fn show(&mut self, counts: bool) {
        self.shown = true;
        self.pitched += u32::from(counts);
    }

    /// Units come out of reserve.
    pub(super) fn release(&mut self, units: &[UnitId]) {
        for unit in units {
            if self.reserve.remove(unit) {
                self.released.insert(unit.clone());
            }
        }
    }

    /// Strength is lost.
    pub(super) fn suffer(&mut self, units: &[(UnitId, i32)], sp: i32) {
        self.lost += sp;
        for (unit, n) in units {
            *self.taken.entry(unit.clone()).or_default() += n;
        }
    }

    /// Leaders of its counters that stand in some hexes, with their subordinates.
    pub fn leaders(&self, own: &Pieces, hexes: &[Hex]) -> Vec<LeaderId> {
        self.counters(own, hexes).iter().flat_map(|l| own.force(l)).collect()
    }

    /// Its leader counters that stand in some hexes.
    pub fn counters(&self, own: &Pieces, hexes: &[Hex]) -> Vec<LeaderId> {
        let here = |p: &Piece| own.piece_hex(p).is_some_and(|h| hexes.contains(&h));
        self.pieces
            .iter()
            .filter(|p| here(p))
            .filter_map(|p| match p {
                Piece::Leader(id) => Some(id.clone()),
                Piece::Vedette(_) | Piece::Garrison(_) => None,
            })
            .filter(|id| own.leaders.get(id).is_some_and(|l| l.under.is_none()))
            .collect()
    }

    /// Its vedettes that stand in some hexes.
    pub fn vedettes(&self, own: &Pieces, hexes: &[Hex]) -> Vec<u32> {
        let here = |p: &Piece| own.piece_hex(p).is_some_and(|h| hexes.contains(&h));
        self.pieces
            .iter()
            .filter(|p| here(p))
            .filter_map(|p| match p {
                Piece::Vedette(n) => Some(*n),
                Piece::Leader(_) | Piece::Garrison(_) => None,
            })
            .collect()
    }

    /// Its units that stand in a hex: those of its leaders and its garrisons, with their SP.
    pub fn units(&self, own: &Pieces, hex: Hex) -> Vec<(UnitId, i32)> {
        let leaders = self.leaders(own, &[hex]);
        let mut found: Vec<(UnitId, i32)> =
            own.units_of(&leaders).into_iter().map(|(id, u)| (id.clone(), u.sp)).collect();
        for (id, unit) in own.garrisons_at(hex) {
            if self.pieces.contains(&Piece::Garrison(id.clone())) {
                found.push((id.clone(), unit.sp));
            }
        }
        found
    }

    /// SP of all arms of its units in some hexes, reserves included; the garrison of a source counts in its hex (¶77).
    pub fn sp(&self, own: &Pieces, hexes: &[Hex], defending: bool) -> i32 {
        let units: i32 = hexes.iter().flat_map(|h| self.units(own, *h)).map(|(_, sp)| sp).sum();
        let source = if defending { hexes.iter().map(|h| source_garrison(own, *h)).sum() } else { 0 };
        units + source
    }
}

/// ¶77: SP of the garrison of the active source, where it stands in a hex.
pub fn source_garrison(own: &Pieces, hex: Hex) -> i32 {
    own.source_at(hex).unwrap_or(0)
}

impl Battle {
    /// The hex that names the battle.
    pub fn name(&self) -> Hex {
        self.hexes.first().copied().unwrap_or(Hex::new(1, 1))
    }

    /// A round begins: markers are taken back (¶405).
    pub(super) fn enter(&mut self, round: u32) {
        self.round = round;
        for party in [&mut self.attack, &mut self.defend] {
            party.marker = None;
            party.shown = false;
        }
    }

    /// A half round has its result.
    pub(super) fn resolved(&mut self, loser: &SideId, loser_number: i32, winner_number: i32) {
        self.refused = 0;
        self.half.loser = Some(loser.clone());
        for party in [&mut self.attack, &mut self.defend] {
            party.number = Some(if party.side == *loser { loser_number } else { winner_number });
        }
    }

    /// Whether it goes on.
    pub fn on(&self) -> bool {
        self.ended.is_none()
    }

    /// A side's part.
    pub fn party(&self, side: &SideId) -> &Party {
        if self.attack.side == *side { &self.attack } else { &self.defend }
    }

    /// A side's part, to be changed by an event.
    pub(in crate::rules::campaigns) fn party_mut(&mut self, side: &SideId) -> &mut Party {
        if self.attack.side == *side { &mut self.attack } else { &mut self.defend }
    }

    /// The hexes that a side holds in the battle.
    pub fn ground(&self, side: &SideId) -> &[Hex] {
        if self.attack.side == *side { &self.from } else { &self.hexes }
    }
}

impl BattleView {
    /// A battle before its first round, as its side expects it.
    pub fn before(hexes: Vec<Hex>, from: Vec<Hex>, attacking: bool, own: Party) -> BattleView {
        BattleView {
            no: 0,
            hexes,
            from,
            attacking,
            round: 1,
            own,
            stated: None,
            shown: None,
            enemy_lost: 0,
            enemy_pitched: 0,
            after_repulse: false,
            half: Half::default(),
            edge: None,
            ended: None,
        }
    }

    /// The hex that names the battle.
    pub fn name(&self) -> Hex {
        self.hexes.first().copied().unwrap_or(Hex::new(1, 1))
    }

    /// The hexes that the reader holds.
    pub fn ground(&self) -> &[Hex] {
        if self.attacking { &self.from } else { &self.hexes }
    }

    /// The hexes that the enemy holds.
    pub fn against(&self) -> &[Hex] {
        if self.attacking { &self.hexes } else { &self.from }
    }
}

/// ¶300 step 3a: a strength as it is stated: to the nearest ten, halves up, never below ten.
pub fn stated(sp: i32) -> i32 {
    ((sp + 5).div_euclid(10) * 10).max(10)
}

/// The result as two numbers for the phasing side and the other one.
pub fn numbers(result: &CrtResult, phasing_attacks: bool) -> (i32, i32) {
    if phasing_attacks { (result.attacker, result.defender) } else { (result.defender, result.attacker) }
}

//! The truth of a game. Its fields are visible to the rules of this game only.

use super::board::{Arm, ArmyId, Board, LeaderId};
use super::pieces::{Piece, Pieces};
use super::sequence::{At, PhaseLog, Victory};
use super::situation::Situation;
use super::stands::{self, Kind, Stands};
use super::tables::Conditions;
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::lent;
use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The whole truth.
#[derive(Clone, Serialize, Deserialize)]
pub struct State {
    #[serde(serialize_with = "lent::nothing", deserialize_with = "lent::read")]
    pub(super) board: Arc<Board>,
    pub(super) turn: u32,
    pub(super) at: At,
    /// Weather in force, and that of the turn before.
    pub(super) weather: Conditions,
    pub(super) last_weather: Conditions,
    pub(super) sides: BTreeMap<SideId, Pieces>,
    pub(super) damaged: Shared<BTreeSet<Hexside>>,
    /// Deployed pontoons (¶257), and whose each is.
    pub(super) pontoons: Shared<BTreeMap<Hexside, SideId>>,
    /// Trestles that stand (¶61); one that is down is among `damaged` too.
    pub(super) trestles: Shared<BTreeSet<Hexside>>,
    /// Bridge trains left on the map (¶260): whose those of a hex are, and how many.
    pub(super) trains: Shared<BTreeMap<Hex, (SideId, u32)>>,
    /// Morale: above nothing favours the First Player's France.
    pub(super) morale: i32,
    /// Where each side's marker stands on its own track, where each has one (¶5); above nothing is good for it.
    pub(super) tracks: BTreeMap<SideId, i32>,
    /// Who last held each objective.
    pub(super) control: Shared<BTreeMap<Hex, SideId>>,
    /// Whose capture of an objective has moved the morale marker last (¶415).
    pub(super) credited: Shared<BTreeMap<Hex, SideId>>,
    /// Foreign counters that stand face up: owner and piece.
    pub(super) face_up: Shared<BTreeSet<(SideId, Piece)>>,
    /// What has been done in the phase under way.
    pub(super) phase: Shared<PhaseLog>,
    /// Battles of the combat phase under way.
    pub(super) battles: Shared<Vec<super::combat::Battle>>,
    /// Citadels under siege.
    pub(super) sieges: BTreeSet<Hex>,
    /// Couriers between seats that have not come in, by side and number.
    pub(super) couriers: Shared<BTreeMap<(SideId, u32), super::dispatch::Courier>>,
    /// The number of each side's last courier.
    pub(super) last_courier: BTreeMap<SideId, u32>,
    /// The end, when it has come.
    pub(super) over: Option<Victory>,
}

impl State {
    /// The pieces of a side; an unknown side has none.
    pub(super) fn pieces(&self, side: &SideId) -> Option<&Pieces> {
        self.sides.get(side)
    }

    pub(super) fn pieces_mut(&mut self, side: &SideId) -> Option<&mut Pieces> {
        self.sides.get_mut(side)
    }

    /// The other side.
    pub(super) fn enemy(&self, side: &SideId) -> SideId {
        self.board.enemy(side)
    }

    /// The side that a leader belongs to.
    pub(super) fn side_of(&self, leader: &LeaderId) -> Option<&SideId> {
        self.board.leaders.get(leader).map(|s| &s.side)
    }

    /// The map as a side may reckon with it if it knew all: for the rules, never for paper.
    pub(super) fn situation(&self, side: &SideId) -> Option<Situation<'_>> {
        let foe = self.sides.get(&self.enemy(side))?;
        let mut enemy = foe.standing(&self.board, |leader| self.phase.patrols.contains(leader));
        // ¶77: the active source has a garrison of its own.
        for source in foe.armies().filter_map(|army| army.source) {
            stands::add(&mut enemy, source, Stands::of(Kind::Force));
        }
        // ¶75: asked of few scenarios.
        let mined = self.board.special.sources.values().any(|rule| !rule.no_guns_in.is_empty());
        let armed = |l: &LeaderId| foe.sp_of(&self.board, l, Arm::Artillery) > 0;
        let guns = mined.then(|| foe.on_map().filter(|(l, _)| armed(l)).map(|(_, h)| h).collect());
        Some(Situation { guns, enemy, ..self.ground(side)? })
    }

    /// The same without the enemy's counters: for questions of the ground alone.
    pub(super) fn ground(&self, side: &SideId) -> Option<Situation<'_>> {
        Some(Situation {
            board: &self.board,
            weather: &self.weather,
            damaged: &self.damaged,
            pontoons: &self.pontoons,
            trestles: &self.trestles,
            guns: None,
            turn: self.turn,
            morale: self.morale_of(side),
            own: self.sides.get(side)?,
            foe_redoubts: &self.sides.get(&self.enemy(side))?.redoubts,
            enemy: BTreeMap::new(),
            shut: OnceCell::new(),
        })
    }

    /// ¶231: whether nothing but a force that passes for a vedette stands in a hex.
    pub(super) fn patrols(&self, pieces: &Pieces, hex: Hex) -> bool {
        let leaders = pieces.leaders_at(hex);
        let passes = !leaders.is_empty() && leaders.iter().all(|l| self.phase.patrols.contains(*l));
        passes && pieces.garrisons_at(hex).is_empty()
    }

    /// ¶5, 411 The space of morale that counts for a side: that of its own track, or of the one that both have.
    pub(super) fn morale_of(&self, side: &SideId) -> i32 {
        self.tracks.get(side).copied().unwrap_or(self.morale)
    }

    /// Turns a side to one of its armies, with what the phase has seen of the centers of both (¶93).
    pub(super) fn turn_desk(&mut self, side: &SideId, army: &ArmyId) {
        let Some(p) = self.sides.get_mut(side) else { return };
        let Some(before) = p.army.name.clone().filter(|before| before != army) else { return };
        p.turn_to(army);
        let log = self.phase.desks.remove(army).unwrap_or_default();
        let old = (self.phase.center_moved, self.phase.center_from);
        if old != (false, None) {
            self.phase.desks.insert(before, old);
        }
        (self.phase.center_moved, self.phase.center_from) = log;
    }

    /// ¶431 Whether the first turn has not begun.
    pub(super) fn before_first_turn(&self) -> bool {
        self.turn < self.board.turns.0
    }

    /// Sides in the scenario's order, the First Player first (¶52).
    pub(super) fn order_of_sides(&self) -> Vec<SideId> {
        self.board.sides.iter().map(|s| s.id.clone()).collect()
    }
}

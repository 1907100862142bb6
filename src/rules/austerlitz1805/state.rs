//! The truth: what lies open, where play stands, and what each side keeps to itself.

use super::board::{Board, UnitId};
use super::mist::{Boxed, Mist, Quota};
use super::solo::mind::Mind;
use super::table::{Formation, Table};
use super::units::Units;
use crate::fog::SideId;
use crate::plane::Spot;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// 4 Where the sequence of play stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// 18.1.2 Both deploy their corps on the strategic maps.
    Deploy,
    /// 4.2 The fog roll of a turn.
    Dawn,
    /// 16.4.2.3 The sealed sheets of both sides: strategic moves and new chits.
    Fog,
    /// Fog roll and Rally of a player-turn.
    Rally(SideId),
    /// The sheet of the side whose player-turn it is.
    Own(SideId),
    /// Musketry of both sides.
    Musketry(SideId),
    /// Close combat, and the end of the player-turn.
    Close(SideId),
    /// The game is over.
    Over,
}

/// How far the sheet of a player-turn has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// 4.3 Disengaging.
    Rally,
    /// 4.5 The Defender's artillery has fired; preparation fire.
    Preparation,
    /// 13.12.3.1 Charges, before any movement.
    Charge,
    /// 4.6 Movement and attacks.
    Move,
}

/// What is kept to one side: plans for fire, and in fog the boxes of its chits and its strategic map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {
    /// 4.4 Orders for the Defensive Fire of the enemy's next player-turn, by battery.
    pub guns: BTreeMap<UnitId, GunPlan>,
    /// 10 Orders for musketry, by unit; used in either side's next musketry phase.
    pub volleys: BTreeMap<UnitId, UnitId>,
    /// 16.4.2 Its boxes that are in use, by number.
    pub boxes: BTreeMap<u8, Boxed>,
    /// 16.4.1 Its strategic map: the area of each corps.
    pub corps: BTreeMap<String, String>,
    /// 16.4.2.2 What it may do in this fog turn.
    pub quota: Option<Quota>,
    /// 16.4.2 Decoys that have been uncovered.
    pub decoys_spent: usize,
    /// 16.4.2.8.2 Units that go back into chits at the end of this Rally Phase, by box.
    pub hiding: BTreeMap<u8, Vec<UnitId>>,
    /// 19.4 Where units are to come back that have left the map.
    pub returns: BTreeMap<UnitId, ReturnPlan>,
    /// 22-28 What the solo rules keep of a side that they lead.
    #[serde(default)]
    pub np: Mind,
}

/// 19.4 How a unit is to come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnPlan {
    /// Where.
    pub at: Spot,
    /// In which formation; as the doctrine says where nothing is said.
    pub form: Option<Formation>,
}

/// What a battery is to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GunPlan {
    /// Hold its fire.
    Hold,
    /// Fire at a target, with canister where that is set.
    Fire {
        /// The target.
        at: UnitId,
        /// Canister.
        canister: bool,
        /// 9.7 Batteries that add their fire.
        with: Vec<UnitId>,
    },
}

/// The truth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// What lies open.
    pub table: Table,
    /// Where play stands.
    pub at: At,
    /// How far the sheet has come.
    pub step: Step,
    /// What each side keeps to itself.
    pub hidden: BTreeMap<SideId, Hidden>,
    /// 17.1.2-3 The side that holds all targets, and for how many turns in a row.
    pub all_targets: Option<(SideId, u32)>,
    /// Who has won, and why.
    pub over: Option<super::event::Victory>,
}

impl State {
    /// Before anything stands on the map.
    pub fn empty(board: Board) -> State {
        let first = board.sides.first().map_or_else(|| SideId(String::new()), |s| s.id.clone());
        let hidden = board.sides.iter().map(|s| (s.id.clone(), Hidden::default())).collect();
        let control = board.places.iter().filter(|p| p.vp > 0).filter_map(|p| Some((p.name.clone(), p.owner.clone()?)));
        let control = control.collect();
        let turn = board.turns.0;
        let table = Table {
            board: Arc::new(board),
            turn,
            units: Units::default(),
            lost: Vec::new(),
            combats: Vec::new(),
            control,
            sight: None,
            mist: Mist::default(),
            away: BTreeMap::new(),
        };
        State { table, at: At::Rally(first), step: Step::Rally, hidden, all_targets: None, over: None }
    }

    /// The other side.
    pub fn enemy(&self, side: &SideId) -> SideId {
        self.table.board.enemy(side)
    }

    /// 4.1 The side whose player-turn it is.
    pub fn phasing(&self) -> Option<&SideId> {
        match &self.at {
            At::Rally(s) | At::Own(s) | At::Musketry(s) | At::Close(s) => Some(s),
            At::Over | At::Deploy | At::Dawn | At::Fog => None,
        }
    }
}

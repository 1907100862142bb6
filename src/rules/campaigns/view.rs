//! What one side may know: its own pieces exact, the enemy's as it has learnt of them, and what is public.

use super::board::Board;
use super::dispatch::Heard;
use super::intel::{Ident, Tie};
use super::pieces::{Piece, Pieces};
use super::redoubts::Redoubt;
use super::sequence::{At, PhaseLog, Victory};
use super::situation::Situation;
use super::stands;
use super::stands::{Kind, Stands};
use super::tables::Conditions;
use crate::fog::{SeatId, SideId};
use crate::hex::{Hex, Hexside};
use crate::rules::journal::Book;
use crate::shared::Shared;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One side's knowledge now. The umpire's view holds both sides' pieces and no counters.
#[derive(Clone, PartialEq)]
pub struct View {
    /// What is printed; public.
    pub board: Arc<Board>,
    /// Whose view; `None` for the umpire.
    pub side: Option<SideId>,
    /// The turn.
    pub turn: u32,
    /// Where the sequence of play stands; public.
    pub at: At,
    /// Weather in force.
    pub weather: Conditions,
    /// Damaged bridges.
    pub damaged: Shared<BTreeSet<Hexside>>,
    /// Deployed pontoons, and whose each is; they lie in open sight.
    pub pontoons: Shared<BTreeMap<Hexside, SideId>>,
    /// Trestles that stand, down or whole (¶61).
    pub trestles: Shared<BTreeSet<Hexside>>,
    /// Bridge trains left on the map: whose those of a hex are, and how many.
    pub trains: Shared<BTreeMap<Hex, (SideId, u32)>>,
    /// Morale; above nothing favours France.
    pub morale: i32,
    /// Where each side's marker stands on its own track, where each has one (¶5).
    pub tracks: BTreeMap<SideId, i32>,
    /// Who last held each objective.
    pub control: Shared<BTreeMap<Hex, SideId>>,
    /// Citadels under siege.
    pub sieges: BTreeSet<Hex>,
    /// The end, when it has come.
    pub over: Option<Victory>,
    /// This side's own pieces.
    pub own: Pieces,
    /// What its forces have done in the phase under way, if it is acting.
    pub phase: PhaseLog,
    /// Enemy counters by tag.
    pub enemy: BTreeMap<u32, Counter>,
    /// The Centers of Operations of the enemy's armies, counters in open sight, in the scenario's order.
    pub enemy_centers: Vec<Option<Hex>>,
    /// Their active supply sources, counters in open sight.
    pub enemy_sources: Vec<Option<Hex>>,
    /// The enemy's redoubts, begun or finished; they lie in open sight (¶295).
    pub enemy_redoubts: Shared<BTreeMap<Hex, Redoubt>>,
    /// Own counters that stand face up.
    pub own_face_up: BTreeSet<Piece>,
    /// Battles under way, as this side sees them.
    pub battles: Vec<super::combat::BattleView>,
    /// By reader and writer: the last dispatch that has come in.
    pub heard: BTreeMap<(SeatId, SeatId), Heard>,
    /// Own leaders that the reader remembers from an earlier turn, and which; of one of several seats alone.
    pub old: BTreeMap<super::board::LeaderId, u32>,
    /// Enemy counters that the reader remembers from an earlier turn, and which; of one of several seats alone.
    pub seen: BTreeMap<u32, u32>,
    /// The reader's own standing answers, lent to a view on which something is tried.
    pub standing: Book,
    /// Both sides' pieces, for the umpire alone.
    pub truth: Option<BTreeMap<SideId, Pieces>>,
}

/// An enemy counter as a side knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Where it stands.
    pub hex: Hex,
    /// Whether it stands face up now.
    pub face_up: bool,
    /// What it was last shown to be.
    pub tie: Option<Tie>,
}

impl View {
    /// The map as this side may reckon with it.
    pub fn situation(&self) -> Situation<'_> {
        let mut enemy = BTreeMap::new();
        for counter in self.enemy.values() {
            stands::add(&mut enemy, counter.hex, counter.stands());
        }
        for source in self.enemy_sources.iter().flatten() {
            stands::add(&mut enemy, *source, Stands::of(Kind::Force));
        }
        let (damaged, pontoons) = (&self.damaged, &self.pontoons);
        let (board, weather, own) = (&*self.board, &self.weather, &self.own);
        let morale = self.tracks.get(&own.side).copied().unwrap_or(self.morale);
        let (trestles, turn, foe_redoubts) = (&self.trestles, self.turn, &self.enemy_redoubts);
        let shut = OnceCell::new();
        Situation {
            board,
            weather,
            damaged,
            pontoons,
            trestles,
            guns: None,
            turn,
            morale,
            own,
            foe_redoubts,
            enemy,
            shut,
        }
    }

    /// Tags in a hex.
    pub fn tags_at(&self, hex: Hex) -> Vec<u32> {
        self.enemy.iter().filter(|(_, c)| c.hex == hex).map(|(n, _)| *n).collect()
    }

    /// The side's id; the umpire reads as an empty one.
    pub fn side_id(&self) -> SideId {
        self.side.clone().unwrap_or_else(|| SideId(String::new()))
    }

    /// Whether this side is the phasing one.
    pub fn phasing(&self) -> bool {
        self.side.as_ref() == self.at.phasing()
    }
}

impl Counter {
    /// SP that it was surely shown to have; a vedette has none. `None` where that is not known.
    pub fn stated(&self) -> Option<i32> {
        let tie = self.tie.as_ref().filter(|tie| tie.of == 1)?;
        match tie.ident {
            super::intel::Ident::Leader(_) => tie.sp.map(|(sp, _)| sp),
            super::intel::Ident::Vedette => Some(0),
            super::intel::Ident::Garrison => Some(1),
        }
    }
}

impl Counter {
    /// What a counter is to its hex, as far as is known: a face-up vedette is one (¶239).
    pub fn stands(&self) -> Stands {
        match &self.tie {
            Some(tie) if self.face_up || tie.of == 1 => match tie.ident {
                Ident::Vedette if self.face_up => Stands::of(Kind::Vedette),
                Ident::Vedette => Stands::UNKNOWN,
                Ident::Leader(_) => Stands::seen(tie.sp.map(|(sp, _)| sp)),
                Ident::Garrison => Stands::of(Kind::Force),
            },
            Some(_) | None => Stands::UNKNOWN,
        }
    }
}

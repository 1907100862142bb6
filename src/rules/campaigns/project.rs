//! State to view: built from empty, one field after the other. A new field of the state does not build here until its
//! visibility is decided.

use super::Campaigns;
use super::combat::{Battle, BattleView};
use super::intel::{Intel, Tag};
use super::pieces::Pieces;
use super::sequence::{At, PhaseLog};
use super::state::State;
use super::view::{Counter, View};
use crate::fog::{Fogged, Pass, SideId, Viewer};

impl Fogged for Campaigns {
    type State = State;
    type Intel = Intel;
    type View = View;

    fn project(truth: &State, mind: &Intel, viewer: &Viewer, _pass: Pass) -> View {
        let State {
            board,
            turn,
            at,
            weather,
            last_weather: _last_weather_is_past,
            sides,
            damaged,
            pontoons,
            trestles,
            trains,
            morale,
            tracks,
            control,
            credited: _follows_from_morale_as_told,
            face_up,
            phase,
            battles,
            sieges,
            couriers: _nobody_sees_where_they_ride,
            last_courier: _numbers_stand_in_what_was_told,
            over,
        } = truth;
        let side = match viewer {
            Viewer::Side(side) => Some(side.clone()),
            Viewer::Umpire => None,
        };
        let own = side.as_ref().and_then(|s| sides.get(s)).cloned();
        let foe = side.as_ref().and_then(|s| sides.get(&board.enemy(s)));
        let own_face_up = face_up.iter().filter(|(s, _)| Some(s) == side.as_ref()).map(|(_, p)| p.clone()).collect();
        View {
            board: board.clone(),
            turn: *turn,
            at: at.clone(),
            weather: weather.clone(),
            damaged: damaged.clone(),
            pontoons: pontoons.clone(),
            trestles: trestles.clone(),
            trains: trains.clone(),
            morale: *morale,
            tracks: tracks.clone(),
            control: control.clone(),
            sieges: sieges.clone(),
            over: over.clone(),
            own: own.unwrap_or_else(|| Pieces::none(&SideId(String::new()))),
            phase: if side.as_ref().is_some_and(|s| acting(board, at, s)) {
                // Who did not force his march is the other side's business (¶338).
                PhaseLog { started: Default::default(), patrols: Default::default(), ..(**phase).clone() }
            } else {
                PhaseLog::default()
            },
            enemy: if side.is_some() { counters(mind) } else { Default::default() },
            // Both markers lie on the map in open sight; what they hold does not show.
            enemy_centers: foe.map(|f| in_order(board, f).iter().map(|a| a.center).collect()).unwrap_or_default(),
            enemy_sources: foe.map(|f| in_order(board, f).iter().map(|a| a.source).collect()).unwrap_or_default(),
            enemy_redoubts: foe.map(|f| f.redoubts.clone()).unwrap_or_default(),
            own_face_up,
            battles: battles.iter().filter_map(|b| b.seen_by(truth, side.as_ref())).collect(),
            heard: if side.is_some() { mind.heard.clone() } else { Default::default() },
            old: Default::default(),
            seen: Default::default(),
            standing: Default::default(),
            truth: if side.is_none() { Some(sides.clone()) } else { None },
            side,
        }
    }
}

/// The armies of a side in the scenario's order, whichever is at its desk now.
fn in_order<'a>(board: &super::board::Board, own: &'a Pieces) -> Vec<&'a super::pieces::Army> {
    let armies = board.side(&own.side).map(|s| s.armies.as_slice()).unwrap_or_default();
    if armies.is_empty() {
        return vec![&*own.army];
    }
    armies.iter().filter_map(|army| own.army_named(&army.id)).collect()
}

/// The side whose phase log it is: the phasing one in its movement and battles, the other in its Forced March.
fn acting(board: &super::board::Board, at: &At, side: &SideId) -> bool {
    match at {
        At::Reaction(phasing) => board.enemy(phasing) == *side,
        At::Packet(s) | At::Own(s) | At::CloseMove(s) | At::Designate(s) | At::Round(s, _) | At::Close(s) => s == side,
        At::Setup | At::Weather | At::Over => false,
    }
}

fn counters(mind: &Intel) -> std::collections::BTreeMap<u32, Counter> {
    let Intel { tags, last_tag: _numbering, turn: _turn, heard: _of_the_own_side } = mind;
    let counter = |tag: &Tag| {
        let Tag { hex, face, tie } = tag;
        Counter { hex: *hex, face_up: face.is_some(), tie: tie.clone() }
    };
    tags.iter().map(|(n, tag)| (*n, counter(tag))).collect()
}

impl Battle {
    /// What a side sees of the battle; the umpire reads the pieces themselves.
    fn seen_by(&self, truth: &State, side: Option<&SideId>) -> Option<BattleView> {
        let side = side?;
        if self.turn != truth.turn {
            return None;
        }
        let Battle {
            no,
            turn: _public,
            hexes,
            from,
            attack,
            defend,
            round,
            refused: _public_too,
            after_repulse,
            half,
            edge,
            ended,
            guard_lost: _shown_as_morale,
            guard_counted: _shown_too,
        } = self;
        let (own, foe) = if attack.side == *side { (attack, defend) } else { (defend, attack) };
        Some(BattleView {
            no: *no,
            hexes: hexes.clone(),
            from: from.clone(),
            attacking: attack.side == *side,
            round: *round,
            own: own.clone(),
            stated: foe.stated,
            shown: foe.marker.filter(|_| foe.shown),
            enemy_lost: foe.lost,
            enemy_pitched: foe.pitched,
            after_repulse: *after_repulse,
            half: half.clone(),
            edge: edge.clone(),
            ended: *ended,
        })
    }
}

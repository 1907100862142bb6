//! The position that a seat may imagine: its own pieces as they are, and for each enemy counter a stand-in.
//!
//! Made from the view and from what is printed, so that two positions which look alike to a seat are imagined alike. A
//! counter that nobody has seen stands for a force: a march is planned so that it comes out if he is one.

use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, LeaderId, LeaderSpec, Quality, UnitId, UnitSpec};
use crate::rules::campaigns::intel::{Ident, Intel, Tag};
use crate::rules::campaigns::pieces::{Army, Leader, Piece, Pieces, Place, Track, Unit, Vedette};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::view::{Counter, View};
use crate::rules::cx::Base;
use crate::shared::Shared;
use std::collections::BTreeMap;

/// SP of a counter whose strength is not known, as the default attacks reckon it (D-90).
const UNKNOWN_SP: i32 = 10;
/// Vedettes that stand in for enemy ones are numbered from here, above every counter mix.
const STAND_INS: u32 = 1000;

/// A hex whose strength is supposed.
#[derive(Clone, Copy, Debug)]
pub struct Supposed {
    /// The hex.
    pub hex: Hex,
    /// SP of all that stand there.
    pub sp: i32,
}

/// A position in which a view would be seen, with what its side has learnt.
pub fn position(v: &View, side: &SideId) -> Base<Campaigns> {
    imagined(v, side, None)
}

/// The same for a battle: the stand-ins are infantry that fights, and those in one hex have so many SP.
pub fn battlefield(v: &View, side: &SideId, supposed: Supposed) -> Base<Campaigns> {
    imagined(v, side, Some(supposed))
}

fn imagined(v: &View, side: &SideId, supposed: Option<Supposed>) -> Base<Campaigns> {
    let foe = v.board.enemy(side);
    let (mut theirs, mind) = enemy(v, &foe);
    if let Some(supposed) = supposed {
        arm(v, &foe, &mut theirs, supposed);
    }
    let own = v.own_face_up.iter().map(|piece| (side.clone(), piece.clone()));
    let shown = mind.tags.values().filter_map(|tag| tag.face.clone()).map(|piece| (foe.clone(), piece));
    let face_up = own.chain(shown).collect();
    let state = State {
        board: v.board.clone(),
        turn: v.turn,
        at: v.at.clone(),
        weather: v.weather.clone(),
        last_weather: v.weather.clone(),
        sides: BTreeMap::from([(side.clone(), v.own.clone()), (foe, theirs)]),
        damaged: v.damaged.clone(),
        pontoons: v.pontoons.clone(),
        trestles: v.trestles.clone(),
        trains: v.trains.clone(),
        morale: v.morale,
        tracks: v.tracks.clone(),
        control: v.control.clone(),
        credited: Shared::default(),
        face_up: Shared::new(face_up),
        phase: Shared::new(v.phase.clone()),
        battles: Shared::default(),
        sieges: v.sieges.clone(),
        couriers: Shared::default(),
        last_courier: BTreeMap::new(),
        over: v.over.clone(),
    };
    Base { state, minds: vec![(side.clone(), mind)], counts: BTreeMap::new() }
}

/// The enemy's side as it looks, and what is known of it.
fn enemy(v: &View, foe: &SideId) -> (Pieces, Intel) {
    let mut pieces = Pieces::none(foe);
    let mut mind = Intel { turn: v.turn, heard: v.heard.clone(), ..Intel::default() };
    for (tag, counter) in &v.enemy {
        let piece = stand_in(v, &mut pieces, *tag, counter);
        let face = counter.face_up.then_some(piece);
        mind.tags.insert(*tag, Tag { hex: counter.hex, face, tie: counter.tie.clone() });
        mind.last_tag = mind.last_tag.max(*tag);
    }
    let names = v.board.side(foe).map(|spec| spec.armies.iter().map(|a| a.id.clone()).collect::<Vec<_>>());
    let names = names.unwrap_or_default();
    let many = v.enemy_centers.len().max(v.enemy_sources.len());
    for n in 0..many {
        let (center, source) = (at(&v.enemy_centers, n), at(&v.enemy_sources, n));
        let army = Army { name: names.get(n).cloned(), center, source, ..Army::default() };
        match army.name.clone().filter(|_| n > 0) {
            Some(name) => _ = pieces.others.insert(name, army),
            None => pieces.army = Shared::new(army),
        }
    }
    pieces.redoubts = v.enemy_redoubts.clone();
    (pieces, mind)
}

fn at(places: &[Option<Hex>], n: usize) -> Option<Hex> {
    places.get(n).copied().flatten()
}

/// The piece that stands for a counter.
fn stand_in(v: &View, pieces: &mut Pieces, tag: u32, counter: &Counter) -> Piece {
    let tie = counter.tie.as_ref().filter(|tie| counter.face_up || tie.of == 1);
    let sp = tie.and_then(|tie| tie.sp).map_or(UNKNOWN_SP, |(sp, _)| sp).max(1);
    let unit = UnitId(format!("E{tag}"));
    match tie.map(|tie| &tie.ident) {
        Some(Ident::Vedette) => {
            let n = STAND_INS + tag;
            pieces.vedettes.insert(n, Vedette::At(counter.hex));
            Piece::Vedette(n)
        }
        Some(Ident::Garrison) => {
            let track = Track::Garrison(counter.hex);
            pieces.units.insert(unit.clone(), Unit { track, sp, immobile: false });
            Piece::Garrison(unit)
        }
        Some(Ident::Leader(known)) if !pieces.leaders.contains_key(known) && v.board.leaders.contains_key(known) => {
            leader(pieces, known.clone(), unit, counter.hex, sp)
        }
        Some(Ident::Leader(_)) | None => leader(pieces, LeaderId(format!("E{tag}")), unit, counter.hex, sp),
    }
}

fn leader(pieces: &mut Pieces, id: LeaderId, unit: UnitId, hex: Hex, sp: i32) -> Piece {
    let place = Place::At(hex);
    let leader = Leader { place, under: None, forage: false, train: false, demoted: 0, steps: 0 };
    pieces.leaders.insert(id.clone(), leader);
    pieces.units.insert(unit, Unit { track: Track::Of(id.clone()), sp, immobile: false });
    Piece::Leader(id)
}

/// Gives the stand-ins leaders and units that the tables know, and those in one hex the strength supposed: counters of
/// known strength keep theirs, the first other one has the rest.
///
/// Who fights is served before all others. A roster has an end, and a unit that no table knows has no strength (¶350).
fn arm(v: &View, foe: &SideId, pieces: &mut Pieces, supposed: Supposed) {
    let mut tags: Vec<(u32, &Counter)> = v.enemy.iter().map(|(tag, counter)| (*tag, counter)).collect();
    tags.sort_by_key(|(tag, counter)| (counter.hex != supposed.hex, !counter.face_up, *tag));
    let here: Vec<(u32, &Counter)> = tags.iter().copied().filter(|(_, c)| c.hex == supposed.hex).collect();
    let known: i32 = here.iter().filter_map(|(_, c)| c.stated()).sum();
    let mut rest = (supposed.sp - known).max(0);
    for (tag, counter) in &here {
        if let Some(unit) = pieces.units.get_mut(&UnitId(format!("E{tag}"))) {
            unit.sp = counter.stated().unwrap_or_else(|| std::mem::take(&mut rest));
        }
    }
    lead(v, foe, pieces, &tags);
    let (mut foot, mut walls) = (roster(v, foe, false), roster(v, foe, true));
    let mut others = here.len();
    for (tag, _) in tags {
        others = others.saturating_sub(1);
        let id = UnitId(format!("E{tag}"));
        let Some(unit) = pieces.units.remove(&id) else { continue };
        if matches!(unit.track, Track::Garrison(_)) {
            let spec = walls.pop().or_else(|| foot.pop());
            pieces.units.insert(spec.unwrap_or(id), unit);
            continue;
        }
        // ¶317: no part of a unit goes into reserve, so that what stands in line depends on how large units are.
        let (mut left, mut next) = (unit.sp, Some(id));
        while left > 0 {
            let Some(id) = foot.pop().or_else(|| next.take()) else { break };
            // What is left of the roster is one unit for each who fights beside him.
            let sp = if foot.len() <= others { left } else { left.min(UNIT_SP) };
            left -= sp;
            pieces.units.insert(id, Unit { sp, ..unit.clone() });
        }
    }
}

/// SP of a unit whose size nobody knows.
const UNIT_SP: i32 = 5;

/// Units that stand in for the enemy's, the best last. Only foot, as long as there is any: guns and horse would be guessed,
/// and the guess would be taken for knowledge.
fn roster(v: &View, foe: &SideId, garrison: bool) -> Vec<UnitId> {
    let mut specs: Vec<_> = v.board.units.values().filter(|s| s.side == *foe && s.garrison == garrison).collect();
    specs.retain(|s| s.arm != Arm::Artillery);
    let rank = |s: &UnitSpec| (s.arm == Arm::Cavalry, s.march_regiment, s.quality == Quality::OldGuard);
    specs.sort_by(|a, b| (rank(b), &b.id).cmp(&(rank(a), &a.id)));
    specs.into_iter().map(|s| s.id.clone()).collect()
}

/// Puts leaders whom the tables know in the place of those whom nobody has seen: without a rating a force could neither
/// retreat nor escape. First come those of middling Initiative without a star, of whom an army has most.
fn lead(v: &View, foe: &SideId, pieces: &mut Pieces, tags: &[(u32, &Counter)]) {
    let mut free: Vec<(&LeaderId, &LeaderSpec)> =
        v.board.leaders.iter().filter(|(id, spec)| spec.side == *foe && !pieces.leaders.contains_key(id)).collect();
    free.sort_by_key(|(id, spec)| (spec.major_general.is_some(), spec.bonus, spec.initiative, *id));
    let plain = free.iter().filter(|(_, spec)| spec.major_general.is_none() && spec.bonus == 0).count();
    if let Some(plain) = free.get_mut(..plain) {
        plain.rotate_left(plain.len() / 2);
    }
    let strangers = tags.iter().map(|(tag, _)| LeaderId(format!("E{tag}")));
    let strangers: Vec<LeaderId> = strangers.filter(|id| pieces.leaders.contains_key(id)).collect();
    for (stranger, (known, _)) in strangers.into_iter().zip(free) {
        let Some(leader) = pieces.leaders.remove(&stranger) else { continue };
        pieces.leaders.insert(known.clone(), leader);
        for unit in pieces.units.values_mut().filter(|unit| unit.track == Track::Of(stranger.clone())) {
            unit.track = Track::Of(known.clone());
        }
    }
}

//! What one of several seats knows that know only their own: what its pieces see, and of all else what it last saw, or a
//! dispatch last said; so too the losses of its side. House rules; the rulebook knows two players who see the whole map (¶31).
//!
//! A seat sees with the leaders who obey it, its commander also from the Center of Operations; a vedette or garrison
//! reports to the seat whose leader is nearest. The books of headquarters (AP, pools, lines, morale, weather, bridges, own
//! redoubts) are known to all of a side.

use super::board::{LeaderId, UnitId};
use super::dispatch::{Return, state_of};
use super::pieces::{Place, Track, Vedette};
use super::redoubts::Redoubt;
use super::sequence::At;
use super::staff::line;
use super::telling::Sighting as Lists;
use super::view::View;
use super::{Sighting, courier, flow};
use crate::fog::SeatId;
use crate::hex::Hex;
use crate::rules::staff::Staff;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How far a seat sees, and whom it commands.
struct Eyes {
    mine: BTreeSet<LeaderId>,
    from: Vec<Hex>,
    range: u32,
}

impl Eyes {
    /// `None` where the seats of a side share what it knows.
    fn of(v: &View, staff: &Staff, seat: &SeatId) -> Option<Eyes> {
        let (range, side, chair) = (staff.own_sight()?, v.side.as_ref()?, staff.chair(seat)?);
        let mut places: Vec<(SeatId, Hex)> = Vec::new();
        let mut mine = BTreeSet::new();
        for (id, leader) in v.own.leaders.iter() {
            let Some(by) = staff.obeys(side, &line(v, id)) else { continue };
            if let Place::At(hex) = leader.place {
                places.push((by.clone(), hex));
            }
            if by == seat {
                mine.insert(id.clone());
            }
        }
        let mut from: Vec<Hex> = places.iter().filter(|(by, _)| by == seat).map(|(_, hex)| *hex).collect();
        from.extend(v.own.armies().filter_map(|army| army.center).filter(|_| chair.commander));
        let chairs = staff.chairs(side);
        let nearest = |hex: Hex| {
            let rank = |by: &SeatId| chairs.iter().position(|chair| chair.seat == *by);
            let nearest = places.iter().min_by_key(|(by, at)| (at.distance(hex), rank(by)));
            nearest.map_or(chair.commander, |(by, _)| by == seat)
        };
        from.extend(posts(v).filter(|hex| nearest(*hex)));
        Some(Eyes { mine, from, range })
    }

    fn see(&self, hex: Hex) -> bool {
        self.from.iter().any(|eye| eye.distance(hex) <= self.range)
    }
}

/// Where vedettes and garrisons stand.
fn posts(v: &View) -> impl Iterator<Item = Hex> {
    let vedettes = v.own.vedettes.values().filter_map(|vedette| match vedette {
        Vedette::At(hex) => Some(*hex),
        Vedette::Pool | Vedette::Portrait(_) => None,
    });
    let garrisons = v.own.units.values().filter_map(|unit| match unit.track {
        Track::Garrison(hex) => Some(hex),
        Track::Of(_) | Track::Waiting => None,
    });
    vedettes.chain(garrisons)
}

/// What a seat knows now, after what it knew before.
pub fn narrow(before: Option<&View>, mut now: View, staff: &Staff, seat: &SeatId) -> View {
    let Some(eyes) = Eyes::of(&now, staff, seat) else { return now };
    now.heard.retain(|(reader, _), _| reader == seat);
    // Until the first turn begins its seats sit round one table, and both armies' counters are set up before them.
    let Some(before) = before.filter(|before| before.at != At::Setup) else { return now };
    let known = friends(before, &now, &eyes);
    let whole = strength(&now);
    forces(before, &mut now, known);
    // What others have lost out of sight is not lost yet for who remembers it (units, pool and losses keep one sum).
    now.own.army.lost = (now.own.army.lost + whole - strength(&now)).max(0);
    vedettes(before, &mut now, &eyes);
    counters(before, &mut now, &eyes);
    now.enemy_centers = markers(&before.enemy_centers, &now.enemy_centers, &eyes);
    now.enemy_sources = markers(&before.enemy_sources, &now.enemy_sources, &eyes);
    now.enemy_redoubts = redoubts(&before.enemy_redoubts, &now.enemy_redoubts, &eyes).into();
    let mine = |lead: &Option<LeaderId>| lead.as_ref().is_some_and(|lead| eyes.mine.contains(lead));
    now.battles.retain(|b| mine(&b.own.lead) || b.hexes.iter().chain(&b.from).any(|hex| eyes.see(*hex)));
    now
}

/// SP of all units that a view knows as its own.
fn strength(v: &View) -> i32 {
    v.own.units.values().map(|unit| unit.sp).sum()
}

/// Leaders out of sight as they were last known, and on which turn that was.
fn friends(before: &View, now: &View, eyes: &Eyes) -> BTreeMap<LeaderId, (Return, u32)> {
    let mut known = BTreeMap::new();
    for (id, leader) in now.own.leaders.iter() {
        let was = before.own.leaders.get(id);
        let away = match (leader.place, was.map(|was| was.place)) {
            (Place::At(hex), _) => !eyes.see(hex),
            (Place::Waiting | Place::Off(_) | Place::Gone(_) | Place::Bound(_), Some(Place::At(hex))) => !eyes.see(hex),
            (Place::Waiting | Place::Off(_) | Place::Gone(_) | Place::Bound(_), _) => false,
        };
        let Some(was) = was.filter(|_| away && !eyes.mine.contains(id)) else { continue };
        // Who was in sight has been seen to go where he is now.
        let seen = |place: Place| matches!(place, Place::At(hex) if eyes.see(hex));
        let was = if seen(was.place) && !before.old.contains_key(id) { leader } else { was };
        let age = before.old.get(id).copied().unwrap_or(before.turn);
        let mut last = (state_of(&before.own, id, was), age);
        for heard in now.heard.values().filter(|heard| heard.turn >= last.1) {
            if let Some(said) = heard.returns.get(id) {
                last = (said.clone(), heard.turn);
                break;
            }
        }
        known.insert(id.clone(), last);
    }
    known
}

/// Puts what is remembered of the forces of other seats in the place of the truth.
fn forces(before: &View, now: &mut View, known: BTreeMap<LeaderId, (Return, u32)>) {
    let (mut leaders, mut units) = ((*now.own.leaders).clone(), (*now.own.units).clone());
    units.retain(|_, unit| !matches!(&unit.track, Track::Of(id) if known.contains_key(id)));
    now.own_face_up.retain(|piece| !matches!(piece, super::pieces::Piece::Leader(id) if known.contains_key(id)));
    for (id, (last, turn)) in known {
        for (unit, body) in last.units {
            units.entry(unit).or_insert(body);
        }
        if turn < now.turn {
            now.old.insert(id.clone(), turn);
        }
        leaders.insert(id, last.leader);
    }
    // A unit that nobody is known to have is with whom it last was.
    for (unit, body) in before.own.units.iter().filter(|(unit, _)| now.own.units.contains_key(*unit)) {
        units.entry(unit.clone()).or_insert_with(|| body.clone());
    }
    let places: BTreeMap<LeaderId, Place> = leaders.iter().map(|(id, leader)| (id.clone(), leader.place)).collect();
    for leader in leaders.values_mut() {
        // ¶37: who stands on another's portrait is in his hex; a memory of one of them may be older than of the other.
        if leader.under.as_ref().is_some_and(|above| places.get(above) != Some(&leader.place)) {
            leader.under = None;
        }
    }
    now.own.leaders = leaders.into();
    now.own.units = units.into();
}

/// Vedettes out of sight stand where they were last known to stand.
fn vedettes(before: &View, now: &mut View, eyes: &Eyes) {
    let mut all = (*now.own.vedettes).clone();
    for (n, vedette) in &mut all {
        let hidden = |vedette: &Vedette| matches!(vedette, Vedette::At(hex) if !eyes.see(*hex));
        if let Some(was) = before.own.vedettes.get(n).filter(|was| hidden(was) && *was != vedette) {
            *vedette = was.clone();
        }
    }
    now.own.vedettes = all.into();
}

/// The enemy's counters: those in sight, and where the others were last seen.
fn counters(before: &View, now: &mut View, eyes: &Eyes) {
    let turn = now.turn;
    now.enemy.retain(|_, counter| eyes.see(counter.hex));
    now.seen.clear();
    for (tag, counter) in &before.enemy {
        if !now.enemy.contains_key(tag) && !eyes.see(counter.hex) {
            now.seen.insert(*tag, before.seen.get(tag).copied().unwrap_or(before.turn));
            now.enemy.insert(*tag, counter.clone());
        }
    }
    now.seen.retain(|_, seen| *seen < turn);
}

fn marker(before: Option<Hex>, now: Option<Hex>, eyes: &Eyes) -> Option<Hex> {
    now.filter(|hex| eyes.see(*hex)).or_else(|| before.filter(|hex| !eyes.see(*hex)))
}

/// Markers of several armies as a seat knows them.
fn markers(before: &[Option<Hex>], now: &[Option<Hex>], eyes: &Eyes) -> Vec<Option<Hex>> {
    let last = |n: usize| before.get(n).copied().flatten();
    now.iter().enumerate().map(|(n, hex)| marker(last(n), *hex, eyes)).collect()
}

/// The enemy's redoubts: those in sight as they are, the others as they were last seen.
fn redoubts(before: &BTreeMap<Hex, Redoubt>, now: &BTreeMap<Hex, Redoubt>, eyes: &Eyes) -> BTreeMap<Hex, Redoubt> {
    let kept = before.iter().filter(|(hex, _)| !eyes.see(**hex));
    let seen = now.iter().filter(|(hex, _)| eyes.see(**hex));
    kept.chain(seen).map(|(hex, redoubt)| (*hex, redoubt.clone())).collect()
}

/// Whether a seat hears what its side was told: what names one of its leaders, or a hex that it sees, or no place at all.
pub fn heeds(v: &View, staff: &Staff, seat: &SeatId, told: &Sighting) -> bool {
    let Some(eyes) = Eyes::of(v, staff, seat) else { return true };
    match told {
        Sighting::Courier(courier::Sighting::Sent { from, .. }) => from == seat,
        Sighting::Courier(courier::Sighting::Arrived { to, .. }) => to == seat,
        // What objectives change hands is on the morale track, for all to read.
        Sighting::Flow(Lists::Open(flow::told::Open::Control { .. })) => true,
        Sighting::Flow(Lists::Partly(flow::told::Glimpse::Begun { .. })) => true,
        _ => {
            let Ok(value) = serde_json::to_value(told) else { return true };
            let mut about = About::default();
            about.read(v, "", &value);
            let named = about.leaders.iter().any(|id| eyes.mine.contains(id));
            named || (about.leaders.is_empty() && about.hexes.is_empty()) || about.hexes.iter().any(|h| eyes.see(*h))
        }
    }
}

/// What a sighting is about. It is written down with every hex, leader, unit and tag as such, so that all of them are
/// found there, and a new kind of sighting needs no word here.
#[derive(Default)]
struct About {
    leaders: BTreeSet<LeaderId>,
    hexes: BTreeSet<Hex>,
}

impl About {
    fn read(&mut self, v: &View, key: &str, value: &Value) {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    self.word(v, key);
                    self.read(v, key, value);
                }
            }
            Value::Array(list) => list.iter().for_each(|value| self.read(v, key, value)),
            Value::String(word) => self.word(v, word),
            Value::Number(n) => {
                let n = n.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
                match key {
                    "foe" => self.hexes.extend(v.enemy.get(&n).map(|counter| counter.hex)),
                    "no" => {
                        let fought = v.battles.iter().filter(|battle| battle.no == n);
                        self.hexes.extend(fought.flat_map(|battle| battle.hexes.iter().chain(&battle.from)));
                    }
                    "vedette" => match v.own.vedettes.get(&n) {
                        Some(Vedette::At(hex)) => self.hexes.extend([*hex]),
                        Some(Vedette::Portrait(leader)) => self.leaders.extend([leader.clone()]),
                        Some(Vedette::Pool) | None => {}
                    },
                    _ => {}
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn word(&mut self, v: &View, word: &str) {
        let (leader, unit) = (LeaderId(word.to_owned()), UnitId(word.to_owned()));
        if let Some(own) = v.own.leaders.get(&leader) {
            if let Place::At(hex) = own.place {
                self.hexes.insert(hex);
            }
            self.leaders.insert(leader);
        } else if let Some(own) = v.own.units.get(&unit) {
            match &own.track {
                Track::Of(leader) => self.word(v, &leader.0),
                Track::Garrison(hex) => self.hexes.extend([*hex]),
                Track::Waiting => {}
            }
        } else {
            // A side of a hex is written as the two hexes that it parts.
            self.hexes.extend(word.split('/').filter_map(Hex::parse));
        }
    }
}

/// Whether a leader stands in a hex with one who obeys a seat, or with the center of its commander.
pub fn beside(v: &View, staff: &Staff, seat: &SeatId, line: &[String]) -> bool {
    let Some(hex) = line.first().and_then(|id| v.own.hex(&LeaderId(id.clone()))) else { return true };
    let Some(side) = &v.side else { return true };
    let mine = |id: &LeaderId| staff.obeys(side, &self::line(v, id)) == Some(seat);
    let here = v.own.leaders.keys().any(|id| v.own.hex(id) == Some(hex) && mine(id));
    here || (v.own.armies().any(|army| army.center == Some(hex))
        && staff.chair(seat).is_some_and(|chair| chair.commander))
}

//! DB.1-DB.3 What a side sees of the enemy. Rules ask here, and not what the scenario hides.

use super::board::{Arm, COALITION, Chief, Force, Sight};
use super::fatigue::{At, Named};
use super::state::{At as When, Mood, State, Unit};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::tactical::eyes::{Seen, Sighted, marked};
use crate::rules::tactical::table::Table;
pub use crate::rules::tactical::table::{faceless, masked, name, seen, veiled};
pub use crate::rules::tactical::tags::tagged;
use crate::rules::tactical::{self, roll, sight};
use std::collections::BTreeMap;

/// DB.2 How far a unit sees by day.
const DAY: u32 = 6;
/// DB.2 And from the night on.
const NIGHT: u32 = 2;
/// DB.3 Up to here regiment and facing are seen.
pub const FACE: u32 = 3;
/// DB.3 Up to here all but FV and CV.
pub const TOUCH: u32 = 1;

/// DB.3 Whether a side sees in a hex a counter without a face.
pub(super) fn blurred(s: &State, side: &SideId, at: Hex) -> bool {
    cover_in(s, side, at).is_some()
}

/// DB.3 The counter without a face that a side sees in a hex: the guns of the Grand Battery always have one.
fn cover_in(s: &State, side: &SideId, at: Hex) -> Option<Seen> {
    let there = |id: &String| s.is(id, |u| u.hex == Some(at));
    s.seen.get(side)?.iter().find(|(id, seen)| faceless(s, **seen) && there(id)).map(|(_, seen)| *seen)
}

/// DB.3 The tag of the counter without a face behind which a unit stands.
pub(super) fn cover_of(s: &State, side: &SideId, unit: &str) -> Option<String> {
    let hex = s.units.get(unit)?.hex?;
    cover_in(s, side, hex).map(|seen| tagged(seen.tag))
}

impl Table for State {
    const FACE: u32 = FACE;

    fn both(&self) -> [SideId; 2] {
        self.sides()
    }

    fn hides(&self) -> Sight {
        self.board.scenario.sight
    }

    fn owner(&self, piece: &str) -> Option<&SideId> {
        self.kind(piece).map(|kind| &kind.side).or_else(|| self.chief(piece).map(|chief| &chief.side))
    }

    fn heads(&self) -> impl Iterator<Item = (&String, Hex)> {
        self.counters().map(|(id, _, hex)| (id, hex))
    }

    fn is_nobody(&self, unit: &str) -> bool {
        self.is_dummy(unit)
    }

    fn is_printed(&self, unit: &str) -> bool {
        self.is_battery(unit)
    }

    fn sightings(&self) -> &BTreeMap<SideId, BTreeMap<String, Seen>> {
        &self.seen
    }
}

/// DB.2 How far anybody sees in this turn.
pub fn range(s: &State) -> u32 {
    if s.board.night(s.turn) { NIGHT } else { DAY }
}

fn line(s: &State, from: Hex, to: Hex) -> bool {
    sight::clear(from, to, |hex| s.board.ground(hex).is_none_or(|ground| ground.blocks_los))
}

/// DB.6 Whether a unit's column is still being deployed: it is seen, and sees, where it ends.
fn deploying(s: &State, unit: &str) -> bool {
    let of = |force: &Force| s.kind(unit).and_then(|k| k.formation.first()).is_some_and(|f| f == force.name());
    s.placing.iter().any(of)
}

/// The hexes from which a side looks.
fn viewers(s: &State, side: &SideId) -> Vec<Hex> {
    hexes(s, side, false)
}

/// DB.9 Whether a dummy in a hex has to fear to be seen: whoever seems to be somebody, seems to look.
pub(super) fn is_feared(s: &State, side: &SideId, at: Hex) -> bool {
    looks_at(s, &hexes(s, side, true), at)
}

fn hexes(s: &State, side: &SideId, dummies: bool) -> Vec<Hex> {
    let own = s.counters().filter(|(id, ..)| s.is_of(id, side) && (dummies || !s.is_dummy(id)) && !deploying(s, id));
    let mut hexes: Vec<Hex> = own.map(|(.., hex)| hex).collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes
}

/// DB.2 From how near a hex is seen: beside always, farther along a line; `flash` whatever the distance.
fn nearest(s: &State, eyes: &[Hex], at: Hex, flash: bool) -> Option<u32> {
    tactical::eyes::nearest(eyes, at, (!flash).then(|| range(s)), |from, to| line(s, from, to))
}

/// Whether a side sees what is in a hex.
pub fn sees(s: &State, side: &SideId, at: Hex) -> bool {
    !veiled(s) || nearest(s, &viewers(s, side), at, false).is_some()
}

/// DB.2, DB.3 Whether a side sees who an enemy in a hex is, such as a leader: nobody looks before the first turn, and in masked play a face is
/// known from near alone.
pub fn meets(s: &State, side: &SideId, at: Hex) -> bool {
    looks_at(s, &viewers(s, side), at)
}

fn looks_at(s: &State, eyes: &[Hex], at: Hex) -> bool {
    let near = || nearest(s, eyes, at, false);
    match s.board.scenario.sight {
        Sight::Open => true,
        _ if matches!(s.at, When::Setup(_)) => false,
        Sight::Fog => near().is_some(),
        Sight::Masked => near().is_some_and(|near| near <= FACE),
    }
}

/// DB.2 The enemy's leaders whom a side sees, with their hexes.
pub(super) fn leaders_seen(s: &State, side: &SideId) -> BTreeMap<String, Hex> {
    let eyes = viewers(s, side);
    // DB.6 Nor is a leader seen before his column is deployed.
    let mustering = |chief: &Chief| s.placing.iter().any(|force| chief.column.as_deref() == Some(force.name()));
    let theirs = |name: &str| s.chief(name).is_some_and(|chief| chief.side != *side && !mustering(chief));
    let theirs = s.leaders.iter().filter(|(name, _)| theirs(name));
    let placed = theirs.filter_map(|(name, l)| Some((name.clone(), l.hex?)));
    placed.filter(|(_, hex)| looks_at(s, &eyes, *hex)).collect()
}

/// What is seen of a unit that comes in sight, in an order that tells nothing else of it: its arm, and from near its regiment,
/// how it faces and how it is. Of those who look alike the names are in order: which is which, nothing that is told hangs on.
fn look(s: &State, id: &str, near: u32) -> (u8, String, &'static str, Mood) {
    let far = |arm: u8| (arm, String::new(), "", Mood::Fresh);
    let found = s.kind(id).zip(s.units.get(id)).filter(|_| !faceless(s, Seen { tag: 0, near, learnt: near }));
    let Some((kind, unit)) = found else { return far(0) };
    let arm = match kind.arm {
        Arm::Inf => 1,
        Arm::Cav => 2,
        Arm::Art => 3,
    };
    if near > FACE { far(arm) } else { (arm, kind.regiment.clone(), unit.facing.name(), unit.mood) }
}

/// After each event: who is seen by whom, and the tags of those who have come in sight. Before the first turn nobody looks.
pub(super) fn mark(s: &mut State) {
    if !veiled(s) || matches!(s.at, When::Setup(_)) {
        return;
    }
    for side in s.sides() {
        let eyes = viewers(s, &side);
        let old = s.seen.remove(&side).unwrap_or_default();
        let theirs = s.counters().filter(|(id, ..)| !s.is_of(id, &side) && !deploying(s, id));
        let in_sight = |(id, unit, hex): (&String, &Unit, Hex)| {
            // 8.2.1 The guns of the Grand Battery are printed on the map.
            let printed = s.is_battery(id);
            let near = if printed { TOUCH } else { nearest(s, &eyes, hex, unit.fired)? };
            // DB.9 A dummy has no face: it vanishes before one would be seen.
            let near = if s.is_dummy(id) { near.max(FACE + 1) } else { near };
            Some(Sighted { id: id.clone(), hex, printed, near })
        };
        let now = theirs.filter_map(in_sight).collect();
        let mut tag = s.tags.get(&side).copied().unwrap_or(0);
        // DB.2, DB.3
        let seen = marked(&old, now, &mut tag, |seen| faceless(s, seen), |at| look(s, &at.id, at.near));
        s.tags.insert(side.clone(), tag);
        s.seen.insert(side, seen);
    }
}

/// Whether a side sees an enemy; in its own view stands nobody else.
pub(super) fn knows(s: &State, side: &SideId, unit: &str) -> bool {
    !veiled(s) || s.is_battery(unit) || s.strangers.contains_key(unit) || seen(s, side, unit).is_some()
}

/// DB.5 The label of a roll that concerns one unit: of its own side, where anything is hidden.
pub(super) fn of_unit(cx: &At<'_>, purpose: &'static str, unit: &str) -> Label {
    let s = cx.state();
    roll::of_side(s, purpose, s.owner(unit)).at(&Named(unit))
}

/// DB.6 The label of a roll that concerns one side alone.
pub(super) fn of_side(cx: &At<'_>, purpose: &'static str, side: &SideId) -> Label {
    roll::of_side(cx.state(), purpose, Some(side))
}

/// 9.5.2, DB.6 The label of a roll that neither side may see.
pub(super) fn of_nobody(cx: &At<'_>, purpose: &'static str) -> Label {
    roll::of_nobody(cx.state(), purpose)
}

/// Whose a force is that comes.
pub(super) fn side_of(force: Force) -> SideId {
    let coalition = matches!(force, Force::II | Force::III | Force::IV | Force::VI);
    SideId::from(if coalition { COALITION } else { super::board::FRENCH })
}

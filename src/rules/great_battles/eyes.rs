//! H.1, H.2 Double-blind play: who is seen, from how near, and by which tag.

use super::board::{Arm, Sight, Visibility, other};
use super::los;
use super::pose::{Form, Pose};
use super::state::{Level, State, Unit};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::tactical::eyes::{Seen, Sighted, marked, nearest};
use crate::rules::tactical::table::Table;
pub use crate::rules::tactical::table::{faceless, masked, name, seen, veiled};
pub use crate::rules::tactical::tags::tagged;
use std::collections::{BTreeMap, BTreeSet};

/// H.2 Beside it, or in combat with it, a unit is known by its name and its strength.
pub const TOUCH: u32 = 1;

/// H.2 Masked, from so near a counter's face is seen.
pub const FACE: u32 = 4;

/// H.12 The same in this turn: in mist half of the sight.
pub fn face_range(s: &State) -> u32 {
    visibility(s).map_or(FACE, |now| (now.hexes / 2).clamp(1, FACE))
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
        self.side(piece).or_else(|| self.chief(piece).map(|chief| &chief.side))
    }

    fn heads(&self) -> impl Iterator<Item = (&String, Hex)> {
        self.counters().map(|(id, _, pose)| (id, pose.head))
    }

    fn is_nobody(&self, unit: &str) -> bool {
        self.is_dummy(unit)
    }

    fn sightings(&self) -> &BTreeMap<SideId, BTreeMap<String, Seen>> {
        &self.seen
    }
}

/// H.2 Whether from so near a face is not seen.
fn blurs(s: &State, near: u32) -> bool {
    masked(s) && near > FACE
}

/// H.1 The visibility of this turn, where the scenario has one.
pub fn visibility(s: &State) -> Option<&Visibility> {
    s.board.scenario.visibility.iter().find(|v| (v.turns.0..=v.turns.1).contains(&s.turn))
}

/// H.1 The visibility from hex to hex in a turn: beyond that only what stands above the mist sees what does.
fn range(s: &State, from: Hex, to: Hex) -> u32 {
    let Some(now) = visibility(s) else { return u32::MAX };
    let above = |hex: Hex| s.board.ground.field.level(hex) > now.mist_top_level;
    if above(from) && above(to) { u32::MAX } else { now.hexes }
}

/// H.1 The hexes of a side's counters that do not run, whatever way they face; H.12 a dummy sees nothing.
fn counters(s: &State, side: &SideId, dummies: bool) -> BTreeSet<Hex> {
    let own = s.sided().filter(|(_, u, _, of)| u.level != Level::Rout && *of == Some(side));
    own.filter(|(id, ..)| dummies || !s.is_dummy(id)).flat_map(|(_, _, pose, _)| pose.hexes()).collect()
}

/// H.1 A side that looks over the table: from where, and past whom.
pub struct Look<'s> {
    s: &'s State,
    side: &'s SideId,
    /// Its units and its leaders.
    eyes: Vec<Hex>,
    /// H.12 Those who tell a face: its units.
    close: Vec<Hex>,
    held: BTreeSet<Hex>,
}

impl<'s> Look<'s> {
    /// A side looks.
    pub fn of(s: &'s State, side: &'s SideId) -> Look<'s> {
        let units = counters(s, side, false);
        let leaders = s.leaders.iter().filter(|(id, _)| s.chief(id).is_some_and(|chief| chief.side == *side));
        let eyes: BTreeSet<Hex> = leaders.filter_map(|(_, l)| l.hex).chain(units.iter().copied()).collect();
        Look { s, side, eyes: eyes.into_iter().collect(), close: units.into_iter().collect(), held: los::held(s) }
    }

    /// H.12 What a dummy has to fear: whoever seems to be somebody, seems to look.
    pub(super) fn feared(s: &'s State, side: &'s SideId) -> Look<'s> {
        Look { s, side, eyes: Vec::new(), close: counters(s, side, true).into_iter().collect(), held: los::held(s) }
    }

    /// From how near a hex is seen from some hexes.
    fn from(&self, eyes: &[Hex], at: Hex) -> Option<u32> {
        let line = |from: Hex, to: Hex| {
            from.distance(to) <= range(self.s, from, to) && los::clear(self.s, &self.held, from, to)
        };
        nearest(eyes, at, None, line)
    }

    /// From how near it sees a hex. H.12 Masked, who is not near enough to a unit to have a face is far.
    fn near(&self, at: Hex) -> Option<u32> {
        let near = self.from(&self.eyes, at)?;
        if !masked(self.s) {
            return Some(near);
        }
        let close = if near <= FACE { self.face(at) } else { None };
        Some(close.unwrap_or(near.max(FACE + 1)))
    }

    /// H.12 From how near it sees the face of whoever stands in a hex.
    fn face(&self, at: Hex) -> Option<u32> {
        self.from(&self.close, at).filter(|near| *near <= face_range(self.s))
    }

    /// H.12 Whether it would see the face of whoever stands in a hex.
    pub(super) fn knows(&self, hex: Hex) -> bool {
        self.face(hex).is_some()
    }

    /// H.1 Whether it sees a leader in a hex; H.12 masked, he has a face as others have.
    pub fn meets(&self, hex: Hex) -> bool {
        if masked(self.s) { self.knows(hex) } else { self.sees(hex) }
    }

    /// Whether it sees a hex.
    pub fn sees(&self, hex: Hex) -> bool {
        self.near(hex).is_some()
    }

    /// Enemy leaders whom it sees.
    pub fn leaders(&self) -> BTreeMap<String, Hex> {
        let enemy = other(self.side);
        let theirs = self.s.leaders.iter().filter(|(id, _)| self.s.chief(id).is_some_and(|chief| chief.side == enemy));
        let hexes = theirs.filter_map(|(id, l)| Some((id.clone(), l.hex?)));
        hexes.filter(|(_, hex)| self.meets(*hex)).collect()
    }
}

/// What is said of a hex without an enemy; of what is not seen nothing follows.
pub(super) fn nobody(s: &State, at: Hex) -> String {
    if veiled(s) { format!("you see no enemy in {at}") } else { format!("no enemy stands in {at}") }
}

/// H.1, H.8 The enemies that each side sees are put down anew: those in sight, and those that have acted against it in this
/// activation.
pub fn mark(s: &mut State) {
    if veiled(s) {
        s.sides().iter().for_each(|side| mark_for(s, side));
    }
}

/// H.1, H.8 The same for one side, in double-blind play.
pub(super) fn mark_for(s: &mut State, side: &SideId) {
    let look = Look::of(s, side);
    let theirs = s.sided().filter(|(.., of)| *of != Some(side));
    let now: Vec<Sighted> = theirs
        .filter_map(|(id, _, pose, _)| {
            let far = pose.hexes().into_iter().filter_map(|hex| look.near(hex)).min();
            let far = match far {
                // H.12 A dummy has no face: it vanishes before one would be seen.
                far if s.is_dummy(id) => far.map(|far| far.max(FACE + 1)),
                _ if s.shown.contains(id) => Some(TOUCH),
                Some(far) if s.hit.contains(id) => Some(far.min(FACE)),
                other => other,
            };
            Some(Sighted { id: id.clone(), hex: pose.head, printed: false, near: far? })
        })
        .collect();
    let mut old = s.seen.get(side).cloned().unwrap_or_default();
    let now = if masked(s) { tops(s, &mut old, now) } else { now };
    let mut tag = s.tags.get(side).copied().unwrap_or_default();
    let found = marked(&old, now, &mut tag, |_| false, |at| face(s, &at.id, at.near));
    s.tags.insert(side.clone(), tag);
    s.seen.insert(side.clone(), found);
}

/// H.2 Masked, of those in one hex whose faces are not seen the top one is, by the tag of who lay on top before.
fn tops(s: &State, old: &mut BTreeMap<String, Seen>, now: Vec<Sighted>) -> Vec<Sighted> {
    let blurred = |at: &Sighted| blurs(s, old.get(&at.id).map_or(at.near, |seen| seen.learnt.min(at.near)));
    let (far, mut found): (Vec<Sighted>, Vec<Sighted>) = now.into_iter().partition(blurred);
    let faces: BTreeSet<Hex> = found.iter().map(|at| at.hex).collect();
    let mut piles: BTreeMap<Hex, Vec<Sighted>> = BTreeMap::new();
    // Nor does who has come beneath a face show.
    far.into_iter().filter(|at| !faces.contains(&at.hex)).for_each(|at| piles.entry(at.hex).or_default().push(at));
    for mut pile in piles.into_values() {
        let under = |id: &String| s.units.get(id).map_or(0, |u| u.under);
        pile.sort_by_key(|at| (s.is_arm(&at.id, Arm::Art), under(&at.id), at.id.clone()));
        let mut pile = pile.into_iter();
        let Some(top) = pile.next() else { continue };
        let before = pile.filter_map(|at| old.remove(&at.id)).min_by_key(|seen| seen.tag);
        if let Some(before) = before.filter(|_| !old.contains_key(&top.id)) {
            old.insert(top.id.clone(), before);
        }
        found.push(top);
    }
    found
}

/// What decides who sees whom: the turn, who stands where and how, who runs, the leaders' hexes, who has shown himself. None
/// where all is seen.
pub fn footing(s: &State) -> Option<Footing> {
    let stands = |u: &Unit| u.pose.map(|pose| (pose, u.level == Level::Rout));
    let leaders = s.leaders.values().map(|l| l.hex).collect();
    let shown = (s.shown.clone(), if masked(s) { s.hit.clone() } else { BTreeSet::new() });
    // Who lies on top matters where that one alone is seen.
    let piles = if masked(s) { s.units.values().map(|u| u.under).collect() } else { Vec::new() };
    veiled(s).then(|| (s.turn, s.units.values().map(stands).collect(), leaders, shown, piles))
}

/// Who stands where, and what else decides who sees whom.
pub type Footing = (u32, Vec<Option<(Pose, bool)>>, Vec<Option<Hex>>, (BTreeSet<String>, BTreeSet<String>), Vec<u32>);

/// H.6 The enemies that a side sees: where its own choose by the enemy, they choose by these.
pub fn enemies<'s>(s: &'s State, side: &'s SideId) -> impl Iterator<Item = (&'s String, Pose)> {
    let all = !veiled(s);
    let known = move |id: &String| all || s.strangers.contains_key(id) || seen(s, side, id).is_some();
    s.enemies(side).filter(move |(id, ..)| known(id)).map(|(id, _, pose)| (id, pose))
}

/// H.6 How far the nearest enemy that a side sees is from a hex.
pub fn enemy_near(s: &State, hex: Hex, side: &SideId) -> u32 {
    enemies(s, side).map(|(_, pose)| pose.distance(hex)).min().unwrap_or(u32::MAX)
}

/// H.6 How far the nearest enemy that its side sees is from a unit.
pub(super) fn enemy_of(s: &State, unit: &str) -> u32 {
    let (Some(pose), Some(side)) = (s.pose(unit), s.side(unit)) else { return u32::MAX };
    pose.hexes().into_iter().map(|hex| enemy_near(s, hex, side)).min().unwrap_or(u32::MAX)
}

/// H.2 Whether a side knows what an enemy is.
pub(super) fn faces(s: &State, side: &SideId, unit: &str) -> bool {
    !veiled(s) || seen(s, side, unit).is_some_and(|seen| !faceless(s, seen))
}

/// H.2 How strong a unit looks: to 3 SP, to 7, more.
pub fn band(sp: i32) -> (&'static str, i32) {
    match sp {
        ..=3 => ("weak", 3),
        4..=7 => ("medium", 5),
        _ => ("strong", 8),
    }
}

/// H.2 The SP of who looks so strong.
pub fn span(sp: i32) -> &'static str {
    match sp {
        ..=3 => "1 to 3 SP",
        4..=7 => "4 to 7 SP",
        _ => "8 SP or more",
    }
}

/// H.2 What a unit looks like from afar: arm, formation, facing, whether it runs, how strong.
pub fn looks(s: &State, unit: &str) -> String {
    let Some((u, kind, pose)) = s.on(unit) else { return String::new() };
    let (strength, _) = band(s.sp(unit));
    let facing = if pose.form.all_round() { String::new() } else { format!(" facing {}", u8::from(pose.hour)) };
    let form = match pose.form {
        _ if u.level == Level::Rout => "running",
        Form::Limbered | Form::Unlimbered => pose.form.word(),
        Form::Column => "in column",
        Form::Line => "in line",
        Form::Skirmish => "in skirmish order",
        Form::Square => "in square",
        Form::Disorder => "in disorder",
    };
    format!("{} {form}{facing}, {strength}", kind.arm.word())
}

/// H.2 What a unit looks like from so near: without a face its arm alone.
fn face(s: &State, unit: &str, near: u32) -> String {
    if blurs(s, near) { s.kind(unit).map_or("", |kind| kind.arm.word()).to_owned() } else { looks(s, unit) }
}

/// H.2 What a unit looks like to who sees it so.
pub fn seen_as(s: &State, unit: &str, seen: Seen) -> String {
    face(s, unit, seen.learnt)
}

/// Enemy leaders whom a side sees.
pub fn leaders(s: &State, side: &SideId) -> BTreeMap<String, Hex> {
    Look::of(s, side).leaders()
}

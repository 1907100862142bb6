//! ¶262-270 March attrition, of forces that marched and of those that stood.

use super::forage::{self, Share};
use super::losses;
use super::told::{Attrition, Own, Portion};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Settlement;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::armies;
use crate::rules::campaigns::board::{Arm, Board, Halves, LeaderId, Quality, UnitId};
use crate::rules::campaigns::exceptions::of_army;
use crate::rules::campaigns::flow;
use crate::rules::campaigns::flow::told::Cause;
use crate::rules::campaigns::pieces::{Pieces, Track};
use crate::rules::campaigns::sequence::PhaseLog;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::{AttritionColumn, Pace, STEPS_PER_SP, Weather};
use crate::rules::cx::Cx;
use std::collections::BTreeMap;

/// What a force rolls for when its march is over: all of it fixed when it set out, but for the distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toll {
    /// The column (¶263).
    pub column: AttritionColumn,
    /// Units that set out and can suffer, those dropped off on the way among them (¶142, 270).
    pub units: Vec<UnitId>,
    /// SP counted (¶264).
    pub sp: i32,
    /// The sum of the die's modifiers that do not depend on the distance (¶267).
    pub modifier: i32,
    /// The lines of the table (¶264-265, 289).
    pub pace: Pace,
    /// What is added if horse has marched the farthest, or is all there is (¶205).
    pub ridden: i32,
}

/// How a march counts for attrition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Length {
    /// Length of march in MP (¶264), the extra MP of an Extended March left out (¶186).
    pub march: Halves,
    /// Extra MP of an Extended March.
    pub extra: Halves,
    /// Whether it was a Forced March (¶297).
    pub forced: bool,
    /// Whether horse has marched the farthest (¶205).
    pub ridden: bool,
}

/// ¶263, 105, 289 The column of a force: that of the AP in stock if it can trace supply, else zero.
pub fn column(sit: &Situation<'_>, phase: &PhaseLog, hex: Hex, besieged: bool) -> AttritionColumn {
    let mut army = sit.own.army.clone();
    // ¶177: on the turn a center moves it still serves from where it stood.
    if let Some(from) = phase.center_from {
        army.center = Some(from);
    }
    // ¶92, 266: an army without a source of its own has its column from its title, wherever it stands.
    if army.anchor.is_some() && !besieged {
        return served(sit.board, sit.own, sit.turn);
    }
    let unsettled = army.source.is_none() || army.source_moving.is_some();
    if besieged || unsettled || !sit.supplied(&army, hex) {
        return AttritionColumn::Zero;
    }
    served(sit.board, sit.own, sit.turn)
}

/// ¶74, 266 The column of a force in supply: that of the AP in stock, or the one that its army always uses.
pub fn served(board: &Board, own: &Pieces, turn: u32) -> AttritionColumn {
    let army = own.army.name.as_ref();
    if army.and_then(|army| board.special.no_line_from.get(army)).is_some_and(|from| turn >= *from) {
        return AttritionColumn::Zero;
    }
    let fixed = of_army(&board.exceptions.attrition.columns, &own.side, army);
    fixed.unwrap_or_else(|| board.tables.attrition.column_by_ap(own.army.ap))
}

/// ¶264-265, 289 The lines of a force: cavalry alone, or the nationality of its leader; those of any force in a siege.
pub fn pace(board: &Board, own: &Pieces, members: &[LeaderId], besieged: bool) -> Pace {
    if besieged {
        return Pace::Standard;
    }
    let nation = members.first().and_then(|l| board.leaders.get(l)).map_or("", |l| l.nationality.as_str());
    board.tables.attrition.pace(nation, riders(board, own, members))
}

/// Whether all units of some leaders are cavalry.
fn riders(board: &Board, own: &Pieces, members: &[LeaderId]) -> bool {
    let manifest = own.manifest(board, members);
    !manifest.is_empty() && manifest.iter().all(|(spec, _)| spec.arm == Arm::Cavalry)
}

/// ¶205-211, 267 Modifiers that the leader, the weather and the side's nation bring, whatever the distance; and the one
/// that depends on who has marched the farthest.
pub fn standing(sit: &Situation<'_>, members: &[LeaderId]) -> (i32, i32) {
    let (board, own, weather) = (sit.board, sit.own, sit.weather);
    let (table, mods) = (&board.tables.attrition, &board.tables.attrition.modifiers);
    let french = board.side(&own.side).is_some_and(|s| s.french);
    let snow = if french && weather.has(Weather::Snow) { mods.snow_french } else { 0 };
    let star = members.first().map_or(0, |leader| own.bonus(board, leader)) * mods.star;
    let mud = if weather.has(Weather::Mud) { mods.mud_cavalry } else { 0 };
    let all = if riders(board, own, members) { mud } else { 0 };
    // ¶267: what morale and the condition of the army add.
    let army = members.first().and_then(|leader| own.army_of(board, leader));
    let morale = board.tables.morale.attrition(&own.side, army.as_ref(), sit.morale);
    let condition = board.special.condition(&own.side, sit.turn);
    (star + table.weather(weather) + snow + all + morale + condition, mud - all)
}

/// ¶270 Units of some leaders that suffer attrition: not the Old Guard, nor Young Guard infantry on a track with any of
/// it.
pub fn sufferers(board: &Board, own: &Pieces, leaders: &[LeaderId]) -> Vec<UnitId> {
    let manifest = own.manifest(board, leaders);
    let guarded: Vec<&Track> =
        manifest.iter().filter(|(s, _)| s.quality == Quality::OldGuard).map(|(_, u)| &u.track).collect();
    let exempt = |quality: Quality, track: &Track| match quality {
        Quality::OldGuard => true,
        Quality::YoungGuard => guarded.contains(&track),
        Quality::Line => false,
    };
    manifest.iter().filter(|(s, u)| !exempt(s.quality, &u.track)).map(|(s, _)| s.id.clone()).collect()
}

/// ¶225, 264, 267, 289 What a force whose leader stands in a hex will roll for, if it sets out now; `members` are all its
/// leaders, he the first.
pub fn toll(sit: &Situation<'_>, phase: &PhaseLog, members: &[LeaderId], hex: Hex, siege: Option<i32>) -> Toll {
    let (board, own) = (sit.board, sit.own);
    let units = sufferers(board, own, members);
    let sp = units.iter().filter_map(|id| own.units.get(id)).map(|u| u.sp).sum();
    let (standing, ridden) = standing(sit, members);
    let modifier = standing + siege.unwrap_or(0);
    let pace = pace(board, own, members, siege.is_some());
    // ¶263: who belongs to no army yet has sources of his own.
    let alone = members.first().and_then(|l| board.special.independent(l, sit.turn)).filter(|_| siege.is_none());
    let column = match alone {
        Some(alone) if sit.near_any(hex, &alone.sources) => served(board, own, sit.turn),
        Some(_) => AttritionColumn::Zero,
        None => column(sit, phase, hex, siege.is_some()),
    };
    Toll { column, units, sp, modifier, pace, ridden }
}

/// ¶289-291 The modifier of a besieged citadel; `None` where there is no siege.
pub fn siege(s: &State, hex: Hex) -> Option<i32> {
    let holder = s.sides.values().find(|p| p.occupied_by_force(hex));
    s.sieges.contains(&hex).then(|| holder.map_or(0, |own| citadel(&s.board, own, hex, s.turn)))
}

/// ¶289-291 What a citadel adds to its garrison's die under siege: the starting value and one for each date of the table
/// that has come, since the beginning or since it was revictualled.
pub fn citadel(board: &Board, own: &Pieces, hex: Hex, turn: u32) -> i32 {
    let (table, special) = (&board.tables.citadels, &board.special);
    let (start, first) = match own.army.revictualled.get(&hex) {
        Some(since) => (table.start_at(hex), since + 1),
        None => (special.citadels_begin.unwrap_or(table.start_at(hex)), board.turns.0),
    };
    let fortnight = |t: &u32| table.by_fortnight() && *t > board.turns.0 && special.fortnights.contains_key(t);
    let risen = (first..=turn).filter(|t| table.rises_on(&board.calendar, *t) || fortnight(t)).count();
    // ¶289: in Quarters a Fortnight is one roll, with its length in turns added.
    let quarters = special.fortnights.get(&turn).copied().unwrap_or(0);
    start + i32::try_from(risen).unwrap_or(0) + quarters
}

/// ¶290 A named leader who enters a citadel revictuals it: its modifier is the original one again.
pub fn revictual(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, hex: Hex) {
    let s = cx.state();
    let named = s.board.leaders.get(leader).is_some_and(|l| l.major_general.is_none());
    let fort = s.board.map.settlements.get(&hex) == Some(&Settlement::Citadel);
    if !named || !fort {
        return;
    }
    // ¶290: who enters one of two fortresses that are one revictuals both.
    for place in std::iter::once(hex).chain(s.board.special.twins.get(&hex).copied()) {
        let s = cx.state();
        let Some(own) = s.pieces(side) else { return };
        if citadel(&s.board, own, place, s.turn) > s.board.tables.citadels.start_at(place) {
            cx.emit(Own::Revictualled { leader: leader.clone(), hex: place }.of(side).into());
        }
    }
}

/// ¶186, 297 All modifiers of the die for a march.
pub fn modifier(board: &Board, toll: &Toll, length: Length) -> i32 {
    let table = &board.tables.attrition;
    let forced = if length.forced { table.forced_march(length.march) } else { 0 };
    let ridden = if length.ridden { toll.ridden } else { 0 };
    toll.modifier + forced + ridden + table.extended_march(length.extra)
}

/// ¶264 Rolls for attrition and takes the loss; ¶277: for foraging cavalry by itself, where the title has it so.
pub fn settle(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, toll: &Toll, length: Length) {
    let shares = {
        let Some(sit) = cx.state().situation(side) else { return };
        let (hex, forages) = (sit.own.hex(leader), sit.own.leaders.get(leader).is_some_and(|l| l.forage));
        let besieged = hex.is_some_and(|hex| cx.state().sieges.contains(&hex));
        match hex.filter(|_| forages && !besieged) {
            Some(hex) => forage::shares(&sit, &cx.state().phase, (leader, hex), length, toll),
            None => vec![Share::plain(toll)],
        }
    };
    for share in &shares {
        share.tell(cx, side, leader);
        roll(cx, side, leader, share, (length, share.arm(&shares)));
    }
}

/// ¶264 The die for a force, or for what of it is rolled for by itself.
fn roll(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    leader: &LeaderId,
    share: &Share,
    (length, part): (Length, Option<Portion>),
) {
    let toll = &share.toll;
    let Some(pieces) = cx.state().pieces(side) else { return };
    let die = {
        let label = Label::own("attrition", &pieces.leader_named(leader));
        cx.d6(&if part == Some(Portion::Cavalry) { label.step("cavalry") } else { label })
    };
    let Some(pieces) = cx.state().pieces(side) else { return };
    let board = cx.state().board.clone();
    let modifier = modifier(&board, toll, length);
    let forager = pieces.hex(leader).filter(|_| pieces.leaders.get(leader).is_some_and(|l| l.forage));
    let size = toll.sp + forager.map_or(0, |hex| neighbours(&board, pieces, (leader, hex), share));
    let (table, march) = (&board.tables.attrition, length.march);
    let loss = table.loss(&toll.pace, toll.column, size, march, die + modifier).min(toll.sp);
    let roll = Attrition { column: toll.column, sp: toll.sp, march, die, modifier, loss, part };
    if table.has_steps() {
        let steps = table.steps(&toll.pace, toll.column, size, march, die + modifier);
        return worn(cx, side, leader, toll, (Attrition { loss: 0, ..roll }, steps));
    }
    // ¶269
    let guns =
        if cx.state().weather.has(Weather::Mud) { losses::mired_guns(&board, pieces, &toll.units) } else { None };
    if let Some(shares) = split(cx.state(), side, toll, (&roll, guns.as_ref())) {
        let loss = shares.iter().map(|(_, sp)| sp).sum();
        let roll = Attrition { loss, ..roll };
        cx.emit(Own::Attrition { leader: leader.clone(), roll }.of(side).into());
        flow::lose(cx, side, shares, Cause::Attrition);
        return;
    }
    cx.emit(Own::Attrition { leader: leader.clone(), roll }.of(side).into());
    let Some(pieces) = cx.state().pieces(side) else { return };
    let shares = losses::spread(&board, pieces, &toll.units, loss, guns.as_ref());
    flow::lose(cx, side, shares, Cause::Attrition);
}

/// ¶286 SP that count with a share of a force in Forage Mode in a hex for its size, where the title has it so: those of
/// other foraging forces of which a neighbouring hex is a neighbour of one of its own; of what is rolled for by itself, the
/// same arms.
pub fn neighbours(board: &Board, own: &Pieces, (leader, here): (&LeaderId, Hex), share: &Share) -> i32 {
    if !board.exceptions.forage.neighbours_count {
        return 0;
    }
    let forages = |l: &LeaderId| own.leaders.get(l).is_some_and(|l| l.forage);
    let touches = |hex: Hex| hex.distance(here) <= 2;
    // ¶225: who marches with him is in his force already.
    let his = |l: &LeaderId| own.units_of(&own.force(l)).iter().any(|(id, _)| share.toll.units.contains(id));
    let others = own.on_map().filter(|(l, hex)| *l != leader && forages(l) && touches(*hex) && !his(l));
    let horse = |l: &LeaderId| own.sp_of(board, l, Arm::Cavalry);
    let counted = |l: &LeaderId| match share.part {
        None => own.sp(l),
        Some(Portion::Foot) => own.sp(l) - horse(l),
        Some(Portion::Cavalry) => horse(l),
    };
    others.map(|(l, _)| counted(l)).sum()
}

/// ¶265 Where the option is in play and a force has foot and horse: what each loses, as if they were two forces, by one
/// die; `None` elsewhere. ¶269 Guns that must give the first SP give it of what the foot loses.
fn split(
    s: &State,
    side: &SideId,
    toll: &Toll,
    (roll, guns): (&Attrition, Option<&UnitId>),
) -> Option<Vec<(UnitId, i32)>> {
    let (board, own) = (&s.board, s.pieces(side).filter(|_| s.board.policies.split_attrition)?);
    let rides = |id: &UnitId| board.units.get(id).is_some_and(|u| u.arm == Arm::Cavalry);
    let (horse, foot): (Vec<UnitId>, Vec<UnitId>) = toll.units.iter().cloned().partition(rides);
    if horse.is_empty() || foot.is_empty() {
        return None;
    }
    let table = &board.tables.attrition;
    let mut shares = Vec::new();
    for (units, pace, first) in [(foot, toll.pace.clone(), guns), (horse, table.pace("", true), None)] {
        let sp: i32 = units.iter().filter_map(|id| own.units.get(id)).map(|u| u.sp).sum();
        let loss = table.loss(&pace, roll.column, sp, roll.march, roll.die + roll.modifier);
        shares.extend(losses::spread(board, own, &units, loss, first));
    }
    Some(shares)
}

/// ¶268 Losses in fifths of an SP: they fall on the tracks as evenly as they can, and the fifth on a track takes an SP from
/// its largest unit (D-57).
fn worn(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, toll: &Toll, (roll, steps): (Attrition, i32)) {
    let Some(own) = cx.state().pieces(side) else { return };
    let mut tracks: BTreeMap<LeaderId, Vec<UnitId>> = BTreeMap::new();
    for unit in &toll.units {
        if let Some(Track::Of(carrier)) = own.units.get(unit).map(|u| &u.track) {
            tracks.entry(carrier.clone()).or_default().push(unit.clone());
        }
    }
    let before: BTreeMap<LeaderId, i32> =
        tracks.keys().map(|l| (l.clone(), own.leaders.get(l).map_or(0, |l| l.steps))).collect();
    let mut now: BTreeMap<LeaderId, i32> = before.clone();
    for _ in 0..steps {
        let added = |l: &LeaderId, n: i32| n - before.get(l).copied().unwrap_or(0);
        let Some(track) = now.iter().min_by_key(|(l, n)| (added(l, **n), (*l).clone())).map(|(l, _)| l.clone()) else {
            break;
        };
        *now.entry(track).or_default() += 1;
    }
    let board = cx.state().board.clone();
    let mut shares = Vec::new();
    for (track, n) in &mut now {
        let units = tracks.get(track).cloned().unwrap_or_default();
        shares.extend(losses::spread(&board, own, &units, *n / STEPS_PER_SP, None));
        *n %= STEPS_PER_SP;
    }
    let loss = shares.iter().map(|(_, sp)| sp).sum();
    cx.emit(Own::Attrition { leader: leader.clone(), roll: Attrition { loss, ..roll } }.of(side).into());
    if now != before {
        cx.emit(Own::Worn { steps: now }.of(side).into());
    }
    flow::lose(cx, side, shares, Cause::Attrition);
}

/// ¶59, 153, 262 II.d: every force that has not settled its attrition in this phase rolls where it stands. Garrisons of
/// one SP are left out, because no roll of the table can take it from them.
pub fn stationary(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let Some(pieces) = cx.state().pieces(side) else { return };
    let mut standing: Vec<(LeaderId, Hex)> = pieces
        .on_map()
        .filter(|(id, _)| !pieces.unemployed(id) && !cx.state().phase.attrition.contains(*id))
        .filter(|(id, _)| pieces.of_phase(&cx.state().board, cx.state().phase.army.as_ref(), id))
        .map(|(id, hex)| (id.clone(), hex))
        .collect();
    // D-58: where foragers share the country the larger force has the first choice.
    standing.sort_by_key(|(l, _)| {
        let forages = pieces.leaders.get(l).is_some_and(|l| l.forage);
        (!forages, if forages { -pieces.sp(l) } else { 0 })
    });
    for (leader, hex) in standing {
        // ¶173: a force is rolled for by the points of its leader's army.
        let army = cx.state().pieces(side).and_then(|own| own.army_of(&cx.state().board, &leader));
        let stood = |cx: &mut Cx<'_, Campaigns>| {
            let Some(sit) = cx.state().situation(side) else { return };
            let toll = toll(&sit, &cx.state().phase, &sit.own.force(&leader), hex, siege(cx.state(), hex));
            settle(cx, side, &leader, &toll, Length::default());
        };
        armies::of_army(cx, side, army.as_ref(), stood);
    }
}

//! 8 Fire with all who can, and attacks where the checks and the numbers are for them.

use super::super::board::Arm;
use super::super::pose::Form;
use super::super::state::{Acting, Level, Mode, State};
use super::super::view::View;
use super::super::{charge, fire, shock};
use crate::fog::SideId;
use crate::hex::Hex;
use std::collections::BTreeSet;

/// In so many of ten a stack has to pass its check, so that it attacks.
const CHANCE: i32 = 4;
/// Nobody rides farther.
const RIDE: u32 = 6;

/// An attack: the line, who attacks, and where.
struct Strike {
    line: String,
    units: Vec<String>,
    at: Hex,
}

/// The combat of all divisions that act, one after the other.
pub(super) fn lines(v: &View, acting: &Acting) -> Vec<String> {
    let s = &v.state;
    let mut divisions: Vec<&String> = acting.modes.keys().filter(|id| !acting.fought.contains(*id)).collect();
    divisions.sort_by_key(|id| Some(*id) != acting.division.as_ref());
    let mut lines = Vec::new();
    for division in divisions {
        let strikes = strikes(s, &v.side, division);
        for unit in s.units_of(division) {
            let wanted = strikes.iter().find(|strike| strike.units.contains(&unit)).map(|strike| strike.at);
            let at = match wanted {
                // 8.0 Who attacks fires at whom he attacks, or not at all.
                Some(at) => fire::may(s, &unit, Some(at)),
                None => fire::may(s, &unit, None),
            };
            if let Ok(at) = at {
                lines.push(format!("FIRE {unit} AT {at}"));
            }
        }
        lines.extend(strikes.into_iter().map(|strike| strike.line));
    }
    lines.push("END".to_owned());
    lines
}

/// SP of some units but guns.
fn sp(s: &State, units: &[String]) -> i32 {
    units.iter().filter(|id| !s.is_arm(id, Arm::Art)).map(|id| s.sp(id)).sum()
}

/// The attacks of a division, one a stack and one a hex.
fn strikes(s: &State, side: &SideId, division: &str) -> Vec<Strike> {
    let mut found: Vec<Strike> = Vec::new();
    for unit in s.units_of(division) {
        let taken = |at: &Hex| found.iter().any(|strike| strike.at == *at);
        if s.mode(&unit) != Some(Mode::Full) || found.iter().any(|strike| strike.units.contains(&unit)) {
            continue;
        }
        let units: Vec<String> = s.with(&unit).into_iter().filter(|id| !s.is_arm(id, Arm::Art)).collect();
        let (line, at) = match s.kind(&unit).map(|kind| kind.arm) {
            Some(Arm::Cav) => match ride(s, side, &unit).filter(|at| !taken(at)) {
                Some(at) => (format!("CHARGE {unit} AT {at}"), at),
                None => continue,
            },
            Some(Arm::Inf) => match storm(s, side, &units, taken) {
                Some((at, word)) => (format!("{word} {} AT {at}", units[0]), at),
                None => continue,
            },
            _ => continue,
        };
        found.push(Strike { line, units, at });
    }
    found
}

/// 8.2, 8.3 The hex that foot attacks, and how: where it is likely to go in, and is not too few.
fn storm(s: &State, side: &SideId, units: &[String], taken: impl Fn(&Hex) -> bool) -> Option<(Hex, &'static str)> {
    let top = units.first()?;
    let need = s.kind(top).map_or(0, |kind| kind.morale);
    let mut best: Option<(i32, Hex, &'static str)> = None;
    for at in s.front(top).into_iter().filter(|at| !taken(at)) {
        for (assault, word) in [(false, "BAYONET"), (true, "ASSAULT")] {
            if shock::may(s, top, at, assault).is_err() {
                continue;
            }
            let targets = s.stack_of(at, &super::super::board::other(side));
            let Some(target) = targets.first() else { continue };
            let units = shock::attackers(s, top, at);
            let support = shock::supporters(s, &units, at, None);
            let stacks: BTreeSet<Hex> = support.iter().filter_map(|id| s.hex(id)).collect();
            let chance = need - shock::attack_sum(s, top, at, target, stacks.len()).total() + 1;
            let (own, foe) = (sp(s, &units), sp(s, &targets));
            let enough = if assault { own >= foe } else { own * 4 >= foe * 3 };
            let worth = chance * 2 + own - foe;
            if chance >= CHANCE && enough && best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, at, word));
            }
        }
    }
    best.map(|(_, at, word)| (at, word))
}

/// 8.4 Whom horse charges from where it stands: who is out of order or runs, guns, horse that is no stronger, foot of half its
/// strength; nobody in square.
pub(super) fn ride(s: &State, side: &SideId, unit: &str) -> Option<Hex> {
    let steady = s.is(unit, |u| u.level <= Level::Shaken && u.blown == 0);
    let hex = s.hex(unit).filter(|_| steady)?;
    let own = sp(s, &charge::riders(s, unit));
    let worth = |at: Hex| {
        let targets = s.stack_of(at, &super::super::board::other(side));
        let target = targets.first()?;
        let (foe, form) = (sp(s, &targets), s.pose(target)?.form);
        let weak = s.routs(target)
            || s.is_arm(target, Arm::Art)
            || matches!(form, Form::Disorder | Form::Limbered | Form::Skirmish);
        let enough = match s.kind(target)?.arm {
            _ if form == Form::Square => false,
            _ if weak => own * 2 >= foe,
            Arm::Cav => own >= foe,
            _ => own >= foe * 2,
        };
        enough.then_some(own - foe + i32::from(weak) * 5)
    };
    let near = s.enemies(side).map(|(.., pose)| pose.head).filter(|at| at.distance(hex) <= RIDE);
    let mut found: Vec<(i32, Hex)> = near.filter_map(|at| Some((worth(at)?, at))).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, at)| at).find(|at| charge::may(s, unit, *at, &[]).is_ok())
}

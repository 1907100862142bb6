//! 10 Victory.

use super::board::{Arm, COALITION, FRENCH, Force, Switch};
use super::state::State;
use crate::fog::SideId;

/// 10.2 How high a side has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not at all.
    None,
    /// Tactically.
    Tactical,
    /// Strategically.
    Strategic,
}

impl Level {
    /// The higher of those that are reached.
    fn reached(strategic: bool, tactical: bool) -> Level {
        match (strategic, tactical) {
            (true, _) => Level::Strategic,
            (false, true) => Level::Tactical,
            (false, false) => Level::None,
        }
    }

    /// As it is said.
    pub fn word(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Tactical => "tactical",
            Level::Strategic => "strategic",
        }
    }
}

/// 10.1, 11.7 Who has won at once, by the loss of a commander; no second one is lost then, for the game is over.
pub fn automatic(s: &State) -> Option<SideId> {
    let lost = |name: &str| s.leaders.get(name).is_some_and(|leader| leader.lost);
    if lost("Mortier") || (lost("Murat") && s.plays(Switch::Murat)) {
        Some(COALITION.into())
    } else if lost("Kutusov") {
        Some(FRENCH.into())
    } else {
        None
    }
}

/// 10.2.2 French battalions in a town.
pub fn battalions(s: &State, town: &str) -> usize {
    let side: SideId = FRENCH.into();
    let hexes = s.board.field.places.get(town).into_iter().flatten();
    let units = hexes.flat_map(|hex| s.stack(*hex, &side));
    units.filter(|id| s.is_arm(id, Arm::Inf)).count()
}

/// 10.2.2 What the French have reached: battalions in the towns, and the road west free of enemies.
pub fn french(s: &State) -> Level {
    let side: SideId = FRENCH.into();
    let foot = |place: &str| battalions(s, place);
    let clear = |place: &str| {
        let road = &s.board.field.road;
        let from = road.iter().position(|hex| s.board.field.place(*hex) == Some(place)).unwrap_or(road.len());
        road.iter().take(from + 1).all(|hex| !s.held_against(*hex, &side))
    };
    let tactical = foot("Durenstein") >= 1 && foot("Oberloiben") >= 1 && clear("Oberloiben");
    let whole = foot("Durenstein") >= 2 && foot("Unterloiben") >= 1 && foot("Oberloiben") >= 1;
    Level::reached(whole && clear("Unterloiben"), tactical)
}

/// 10.2.3 Battalions and their equivalents that the French have lost: of Gazan's division, and in all. What is lost twice
/// counts twice (10.2.8); a set of squadrons or batteries counts when it is complete.
pub fn equivalents(s: &State) -> (usize, usize) {
    let lost = |regiments: &[&str]| {
        s.losses.iter().filter(|id| s.kind(id).is_some_and(|k| regiments.contains(&k.regiment.as_str()))).count()
    };
    let foot = |division: &str| {
        let of = |id: &&String| {
            s.kind(id).is_some_and(|k| k.arm == Arm::Inf && k.formation.first().is_some_and(|d| d == division))
        };
        s.losses.iter().filter(of).count()
    };
    let generals = |names: &[&str]| names.iter().filter(|n| s.leaders.get(**n).is_some_and(|l| l.lost)).count();
    let gazan =
        foot("Gazan") + lost(&["DR"]) / 3 + lost(&["GA", "GH"]) / 3 + generals(&["Gazan", "Gaindorge", "Campana"]);
    let others = foot("Dupont")
        + foot("Dumonceau")
        + lost(&["DA"]) / 2
        + generals(&["Mortier", "Dupont", "Rouyer", "Marchand", "Dumonceau", "Klein", "Murat"]);
    (gazan, gazan + others)
}

/// 9.2.5 How many battalions and squadrons the Rear Guard of Column II falls short of four and two.
pub fn rear_missing(s: &State) -> usize {
    if !s.came.contains(&Force::II) {
        return 0;
    }
    let count = |arm: Arm| s.rear.iter().filter(|id| s.is_arm(id, arm)).count();
    4_usize.saturating_sub(count(Arm::Inf)) + 2_usize.saturating_sub(count(Arm::Cav))
}

/// 10.2.4 What the Coalition has reached; 9.2.5 each unit that its Rear Guard lacks makes each level one battalion dearer.
pub fn coalition(s: &State) -> Level {
    let (more, needs) = (rear_missing(s), s.board.scenario.needs);
    let (gazan, all) = equivalents(s);
    let reached = |(division, whole): (usize, usize)| gazan >= division + more || all >= whole + more;
    Level::reached(reached(needs.strategic), reached(needs.tactical))
}

/// 10.2.5-10.2.7 The higher level wins; the same one is the Coalition's; none is a draw, or by the house the French have held
/// out.
pub fn verdict(s: &State) -> (Option<SideId>, Level) {
    let (french, coalition) = (french(s), coalition(s));
    match french.max(coalition) {
        Level::None if s.board.scenario.needs.held => (Some(FRENCH.into()), Level::Tactical),
        Level::None => (None, Level::None),
        level if french > coalition => (Some(FRENCH.into()), level),
        level => (Some(COALITION.into()), level),
    }
}

//! One sentence an event, with its paragraph: what HISTORY says, and what stands alone in a report.

use crate::fog::SideId;
use crate::plane::Spot;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::event::{
    Cause, Check, End, Fact, Fire, Fought, How, Mod, Secret, Sighting, Why, Won,
};
use crate::rules::austerlitz1805::mist::ChitId;
use crate::rules::austerlitz1805::state::{At, GunPlan};
use crate::rules::austerlitz1805::table::{Combat, Face, Mark, Mood, Pose, um, wind};

/// 17.1 Why a game is won, in words.
pub fn won(why: Won) -> &'static str {
    match why {
        Won::MorePoints => "more points after the last turn [17.1.1]",
        Won::EqualPoints => "equal points after the last turn [17.1.1.3]",
        Won::TargetsAlone => "all targets held for two turns [17.1.2]",
        Won::TargetsAndBrigades => "all targets held for two turns [17.1.3]",
        Won::Napoleon => "Napoleon is taken or dead [17.1.4]",
    }
}

/// A side's id as a name.
pub fn named(side: &SideId) -> String {
    let mut letters = side.0.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", first.to_uppercase(), letters.as_str()))
}

/// One sighting as a sentence, if it is worth one.
pub fn line(sighting: &Sighting) -> Option<String> {
    match sighting {
        Sighting::Open(fact) => open(fact),
        Sighting::Own(Secret::GunPlan { unit, plan, .. }) => Some(match plan {
            GunPlan::Hold => format!("{unit} will hold its fire in the enemy's turn. [4.4]"),
            GunPlan::Fire { at, canister, .. } => {
                let what = if *canister { "canister" } else { "round shot" };
                format!("{unit} will fire {what} at {at} in the enemy's turn. [4.4]")
            }
        }),
        Sighting::Own(Secret::VolleyPlan { unit, on, .. }) => {
            Some(format!("{unit} will fire its muskets at {on}. [10.4]"))
        }
        Sighting::Own(Secret::GunsCleared { .. } | Secret::VolleysCleared { .. }) => None,
        Sighting::Own(secret) => own_fog(secret),
    }
}

/// 16.4 What a side keeps to itself in the fog.
fn own_fog(secret: &Secret) -> Option<String> {
    Some(match secret {
        Secret::Corps { corps, area, .. } => format!("{corps} is in {area} on your strategic map. [16.4.1]"),
        Secret::Column { corps, area, need, die, .. } => {
            let what = if die >= need { "goes" } else { "does not get away" };
            format!("{corps} rolls to move to {area}: die {die}, needs {need}; it {what}. [16.4.1.5]")
        }
        Secret::Quota { quota, die, .. } => {
            let rolled = die.map_or(String::new(), |d| format!(" (die {d})"));
            let columns = match quota.columns {
                None => String::new(),
                Some(1) => ", and one column may try to move".to_owned(),
                Some(n) => format!(", and {n} columns may try to move"),
            };
            format!("You have {} new chits in this turn{columns}{rolled}. [16.4.2.2]", quota.chits)
        }
        Secret::ReturnPlan { unit, plan, .. } => format!("{unit} is to come back at {}. [19.4]", plan.at),
        Secret::Filled { number, units, chit, .. } => {
            format!("Your box {number} holds {}; on the map it is {chit}. [16.4.2.4]", held(units))
        }
        Secret::Passed { number, place, .. } => {
            format!("Your chit {number} passes {place}: it counts when the chit is uncovered with units. [17.1.1.6]")
        }
        Secret::Hiding { units, .. } if units.is_empty() => return None,
        Secret::Hiding { number, units, .. } => {
            format!("{} will go into box {number} at the end of your Rally Phase. [16.4.2.8.2]", held(units))
        }
        // Nobody reads the paper of a side that the solo rules lead.
        Secret::Ordered { .. }
        | Secret::Drawn { .. }
        | Secret::Guard { .. }
        | Secret::Signal { .. }
        | Secret::GunPlan { .. }
        | Secret::VolleyPlan { .. }
        | Secret::GunsCleared { .. }
        | Secret::VolleysCleared { .. } => return None,
    })
}

/// Units by name, or a decoy.
pub fn held(units: &[UnitId]) -> String {
    let names: Vec<&str> = units.iter().map(|u| u.0.as_str()).collect();
    if names.is_empty() { "nothing: it is a decoy".to_owned() } else { names.join(", ") }
}

fn chits(list: &[(ChitId, Spot)]) -> String {
    list.iter().map(|(id, at)| format!("{id} at {at}")).collect::<Vec<_>>().join(", ")
}

/// 16.4 What of the fog both sides see.
fn open_fog(fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Placed { side, chits: list } => format!("New chits, {}: {}. [16.4.2.4]", named(side), chits(list)),
        Fact::Marched { chit, from, to, .. } => format!("{chit} moves from {from} to {to}. [16.4.2.6]"),
        Fact::Uncovered { chit, at, units, .. } if units.is_empty() => {
            format!("{chit} at {at} is uncovered: a decoy. [16.4.2.7]")
        }
        Fact::Uncovered { chit, at, units, .. } => format!("{chit} at {at} is uncovered: {}. [16.4.2.7]", held(units)),
        Fact::Deployed { unit, with: Some(with), .. } => format!("{unit} is with {with}. [16.4.2.8]"),
        Fact::Deployed { unit, pose, form, .. } => {
            let way = pose.facing;
            format!("{unit} deploys at {} facing {} {way}, {}. [16.4.2.8]", pose.at, wind(way), form.word())
        }
        Fact::Hid { units, chits: list, .. } => {
            format!("{} hide in the fog; chits: {}. [16.4.2.8.2]", held(units), chits(list))
        }
        Fact::Away { unit, due, .. } => format!("{unit} runs off the field, to come back on turn {due}. [19.2]"),
        Fact::Returned { unit, steps, pose, form, .. } => {
            let strength = if *steps == 1 { ", with one step" } else { "" };
            format!("{unit} is back at {}, {}{strength}. [19.4]", pose.at, form.word())
        }
        Fact::Backed { unit, by } => format!("{} still stand by {unit}. [13.13.4]", held(by)),
        Fact::Amended { unit, pose, form, mood, steps } => {
            let left = if *steps == 1 { "1 step" } else { "2 steps" };
            let front = format!("{} {}", wind(pose.facing), pose.facing);
            format!(
                "The umpire corrects {unit}: at {}, facing {front}, {}, {}, {left}.",
                pose.at,
                form.word(),
                mood.word()
            )
        }
        Fact::Assault => "The assault on the Pratzenberg has begun. [16.4.1.6]".to_owned(),
        _ => return None,
    })
}

fn open(fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Set { .. } | Fact::Step { .. } | Fact::Steadied { .. } => return None,
        Fact::Turn { turn } => format!("Turn {turn}. [4.10]"),
        Fact::Stage { at } => return stage(at),
        Fact::Fog { die, sight } => {
            let rolled = die.map_or(String::new(), |d| format!(" (die {d})"));
            match sight {
                Some(units) => format!("Fog{rolled}: visibility {} UM. [16.2]", um(*units)),
                None => format!("The fog lifts{rolled}. [16.3]"),
            }
        }
        Fact::Stood { unit, why, from, to, form, .. } => stood(&unit.0, *why, *from, *to, form.word()),
        Fact::Attached { hq, to: Some(unit) } => format!("{hq} is with {unit}. [12.6.2]"),
        Fact::Attached { hq, to: None } => format!("{hq} leaves his unit. [12.6.2]"),
        Fact::Marked { unit, mark, on } => return marked(&unit.0, *mark, *on),
        Fact::Aimed { unit, on, need, die } => {
            let what = if die >= need { "hits" } else { "misses" };
            format!("{unit} fires at {on} and {what}: die {die}, needs {need}. [9.1]")
        }
        Fact::Fired { fire } => fired(fire),
        Fact::Checked { check } => checked(check),
        Fact::Mood { unit, mood } => format!("{unit} is {}. [{}]", mood.word(), mood_rule(*mood)),
        Fact::Step1 { unit, .. } => format!("{unit} loses a step. [13.5.1]"),
        Fact::Gone { unit, why } => format!("{unit} is eliminated: {}", ending(*why)),
        Fact::Declared { combat } => declared(combat),
        Fact::Ended { on } => format!("{on} is no longer engaged. [13.3]"),
        Fact::Fought { fought } => fight(fought),
        Fact::Control { place, side } => format!("{place} passes to the {}. [17.1.1.6]", named(side)),
        Fact::Targets { side: Some(side), turns } => {
            format!("All target locations are {}, turn {turns} in a row. [17.1.2]", named(side))
        }
        Fact::Targets { side: None, .. } => "No side holds all target locations any longer. [17.1.2]".to_owned(),
        Fact::Over { victory } => {
            let points: Vec<String> = victory.points.iter().map(|(s, n)| format!("{} {n}", named(s))).collect();
            format!("The {} have won: {}. Points: {}.", named(&victory.side), won(victory.why), points.join(", "))
        }
        in_fog => return open_fog(in_fog),
    })
}

fn stage(at: &At) -> Option<String> {
    Some(match at {
        At::Rally(side) => format!("The {} player-turn begins. [4.3]", named(side)),
        At::Musketry(_) => "Musketry. [4.7]".to_owned(),
        At::Close(_) => "Close combat. [4.9]".to_owned(),
        At::Fog => "Both sides move in the fog. [16.4]".to_owned(),
        At::Deploy | At::Dawn | At::Own(_) | At::Over => return None,
    })
}

fn stood(unit: &str, why: Why, from: Pose, to: Pose, form: &str) -> String {
    let place = format!("{} facing {} {}", to.at, wind(to.facing), to.facing);
    let same = from.at == to.at;
    match why {
        Why::Moved if same => format!("{unit} stays at {place}. [6.4]"),
        Why::Moved => format!("{unit} moves to {place}. [6.4]"),
        Why::Attacked => format!("{unit} attacks, contact at {place}. [13.1]"),
        Why::Charged => format!("{unit} charges to {place}. [13.12.3]"),
        Why::Rode => format!("{unit} rides by, to {place}. [13.12.2.1]"),
        Why::Turned => format!("{unit} turns to {} {}. [6.5]", wind(to.facing), to.facing),
        Why::Formed => format!("{unit} forms {form}. [6.12]"),
        Why::Pivoted => format!("{unit} pivots to {}. [9.5]", to.facing),
        Why::Retreated => format!("{unit} falls back to {place}. [13.11]"),
        Why::Fled => format!("{unit} flees to {place}. [12.5.3]"),
        Why::Withdrew => format!("{unit} withdraws to {place}. [13.8]"),
        Why::Advanced => format!("{unit} advances to {place}. [13.11.4]"),
        Why::Disengaged | Why::Halted => format!("{unit} disengages to {place}. [10.4.3.5.2]"),
        Why::Reformed => format!("{unit} stands in {form} facing {} {}. [12.10.1]", wind(to.facing), to.facing),
    }
}

fn marked(unit: &str, mark: Mark, on: bool) -> Option<String> {
    Some(match (mark, on) {
        (Mark::Rage, true) => format!("{unit} is in a Blood Rage. [12.9]"),
        (Mark::Rage, false) => format!("The Blood Rage of {unit} is over. [12.9]"),
        (Mark::Crewless, true) => format!("{unit}: crew abandons guns. [13.15.1.1]"),
        (Mark::Crewless, false) => format!("{unit}: crew back at the guns. [13.15.1.1.2]"),
        (Mark::Leaderless, true) => format!("{unit} falls back: its HQ is eliminated. [12.6.3]"),
        (Mark::Leaderless, false) => format!("{unit} falls back no longer. [12.6.3]"),
        (Mark::Empty2, true) => format!("{unit} is out of ammunition. [20.1]"),
        (Mark::Empty1, false) => format!("{unit} has ammunition again. [20.1]"),
        (Mark::Deceived, true) => format!("{unit} met a decoy and stays for this turn. [16.4.2.7]"),
        (Mark::Disengaged, true) => format!("{unit} has tried to disengage. [13.6]"),
        _ => return None,
    })
}

fn mods(list: &[Mod]) -> String {
    list.iter().map(|(what, n)| format!(" {n:+} {what}")).collect()
}

fn fired(f: &Fire) -> String {
    let by: Vec<String> = f.by.iter().map(ToString::to_string).collect();
    let (how, rule) = match f.how {
        How::Round => ("round shot", "9.1"),
        How::Canister => ("canister", "9.3"),
        How::Static => ("musketry", "10.4.1"),
        How::Assault => ("musketry at close quarters", "10.4.3"),
    };
    format!("{} on {}, {how}: die {}{} = {}. [{rule}]", by.join(" and "), f.on, f.die, mods(&f.mods), f.total)
}

fn checked(c: &Check) -> String {
    let said = if c.passed { "passes" } else { "fails" };
    format!("{}, {}: {}, needs {}: {said}. [12.4]", c.unit, cause(c.why), c.roll, c.need)
}

/// 12.4 Why a check is made, as a report names it.
pub fn cause(why: Cause) -> &'static str {
    match why {
        Cause::Rally => "rally",
        Cause::Disengage => "morale (disengaging)",
        Cause::Fire => "morale (fire)",
        Cause::Combat => "morale (combat)",
        Cause::Charge => "morale (charge)",
        Cause::Square => "morale (square)",
        Cause::Withdraw => "morale (withdrawal)",
        Cause::Friend => "morale (nearby rout)",
        Cause::HqLost => "morale (HQ lost)",
    }
}

/// 12.5 The paragraph of a state of morale.
pub fn mood_rule(mood: Mood) -> &'static str {
    match mood {
        Mood::Fit => "12.10",
        Mood::S => "12.5.1",
        Mood::D => "12.5.2",
        Mood::R => "12.5.3",
    }
}

/// 12-13 Why a unit is eliminated, with its paragraph.
pub fn ending(why: End) -> &'static str {
    match why {
        End::Fire => "by fire. [12.7.2]",
        End::Combat => "in combat. [12.7.2]",
        End::Steps => "last step lost. [13.5]",
        End::Morale => "morale gone. [12.11]",
        End::Collision => "collision with a friend. [13.11.1]",
        End::NoRetreat => "no room to fall back. [13.11.2]",
        End::Surrounded => "surrounded. [13.11.2]",
        End::OffMap => "left the map. [12.6.3]",
        End::Overrun => "overrun. [13.15.1.2]",
        End::RanDown => "run down in flight. [12.7.1.2]",
        End::Harassed => "run down after the combat. [13.12.4]",
        End::WithUnit => "lost with his unit. [12.3]",
        End::Guns => "guns captured. [13.15.1.1.3]",
        End::LostHeart => "no rally from rout. [12.5.3.2]",
        End::Umpire => "taken off by the umpire.",
    }
}

fn declared(c: &Combat) -> String {
    let support: String = c.support.iter().map(|s| format!(" with {s}")).collect();
    let face = match c.face {
        Face::Front => "front",
        Face::Flank => "flank",
        Face::Rear => "rear",
    };
    let verb = if c.charge {
        "charges"
    } else if c.old {
        "is engaged with"
    } else {
        "attacks"
    };
    let bonus = if c.bonus > 0 { format!(", musketry +{}", c.bonus) } else { String::new() };
    format!("{}{support} {verb} {}, {face}{bonus}. [13.2]", c.lead, c.on)
}

fn fight(f: &Fought) -> String {
    format!(
        "{} against {}: {}{} = {} to {}{} = {}. [13.4]",
        f.lead,
        f.on,
        f.dice.0,
        mods(&f.attack),
        f.totals.0,
        f.dice.1,
        mods(&f.defence),
        f.totals.1
    )
}
